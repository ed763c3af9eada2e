//! How is a short list kept without asking for memory? In place, up to a few entries.
//!
//! Monomials of mechanics have few factors, and are made and thrown away by the million.

use std::hash::{Hash, Hasher};
use std::ops::Deref;

use crate::graph::Id;

/// Longer lists have a place of their own.
const FEW: usize = 6;

/// Atoms with exponents.
#[derive(Clone, Debug)]
pub(crate) enum Few {
    /// The first of these.
    Here(u8, [(Id, i32); FEW]),
    /// More than fit there.
    Apart(Vec<(Id, i32)>),
}

impl Few {
    pub const fn new() -> Few {
        Few::Here(0, [(0, 0); FEW])
    }

    pub fn push(&mut self, entry: (Id, i32)) {
        match self {
            Few::Here(count, list) if usize::from(*count) < FEW => {
                list[usize::from(*count)] = entry;
                *count += 1;
            }
            Few::Here(_, list) => {
                let mut apart = Vec::with_capacity(2 * FEW);
                apart.extend_from_slice(list);
                apart.push(entry);
                *self = Few::Apart(apart);
            }
            Few::Apart(list) => list.push(entry),
        }
    }
}

impl Deref for Few {
    type Target = [(Id, i32)];

    fn deref(&self) -> &[(Id, i32)] {
        match self {
            Few::Here(count, list) => &list[..usize::from(*count)],
            Few::Apart(list) => list,
        }
    }
}

impl Default for Few {
    fn default() -> Few {
        Few::new()
    }
}

impl FromIterator<(Id, i32)> for Few {
    fn from_iter<T: IntoIterator<Item = (Id, i32)>>(entries: T) -> Few {
        let mut list = Few::new();
        entries.into_iter().for_each(|entry| list.push(entry));
        list
    }
}

impl PartialEq for Few {
    fn eq(&self, other: &Few) -> bool {
        **self == **other
    }
}

impl Eq for Few {}

impl Hash for Few {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_the_same_wherever_it_is_kept() {
        let entries: Vec<(Id, i32)> = (0..20).map(|k| (k, k as i32 - 7)).collect();
        for count in 0..entries.len() {
            let list: Few = entries[..count].iter().copied().collect();
            assert_eq!(*list, entries[..count]);
            assert_eq!(list, Few::Apart(entries[..count].to_vec()));
        }
    }
}
