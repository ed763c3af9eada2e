//! How is a table of names and values written in the order in which the model declares them?

use serde::ser::{Serialize, SerializeMap, Serializer};

/// Names with values, in order; JSON writes it as an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ordered<T>(pub Vec<(String, T)>);

impl<T> Ordered<T> {
    /// The value under a name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|entry| entry.0 == name).map(|entry| &entry.1)
    }

    /// Is nothing in it?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> Default for Ordered<T> {
    fn default() -> Ordered<T> {
        Ordered(Vec::new())
    }
}

impl<T> FromIterator<(String, T)> for Ordered<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(entries: I) -> Ordered<T> {
        Ordered(entries.into_iter().collect())
    }
}

impl<T: Serialize> Serialize for Ordered<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
