//! Which shortest linear recurrence makes a sequence?
//!
//! Source: J. L. Massey, IEEE Trans. Inf. Theory 15 (1969) 122–127.

use expr::field::{Element, Field};

/// A sequence c₁ r₁ᵏ + … + c_T r_Tᵏ, seen so far.
pub(crate) struct Recurrence {
    values: Vec<Element>,
    /// Π (1 − rᵢ x) when enough was seen.
    current: Vec<Element>,
    before: Vec<Element>,
    length: usize,
    shift: usize,
    last: Element,
    /// Values in a row that came out as foretold.
    foretold: usize,
}

impl Recurrence {
    /// Nothing seen.
    pub fn new(field: &Field) -> Recurrence {
        let one = vec![field.one()];
        Recurrence {
            values: Vec::new(),
            current: one.clone(),
            before: one,
            length: 0,
            shift: 1,
            last: field.one(),
            foretold: 0,
        }
    }

    /// How many terms the sequence has, as far as is known.
    pub fn terms(&self) -> usize {
        self.length
    }

    /// Were there enough values?
    pub fn is_certain(&self) -> bool {
        self.foretold >= 3 && self.values.len() >= 2 * self.length + 3
    }

    /// The values seen.
    pub fn values(&self) -> &[Element] {
        &self.values
    }

    /// Π (x − rᵢ), lowest coefficient first.
    pub fn polynomial(&self) -> Vec<Element> {
        let mut p = self.current.clone();
        p.resize(self.length + 1, Element::ZERO);
        p.reverse();
        p
    }

    /// Takes in the next value.
    pub fn push(&mut self, field: &Field, value: Element) -> Option<()> {
        self.values.push(value);
        let n = self.values.len() - 1;
        let products = self.current.iter().enumerate().take(self.length + 1);
        let gap = products.fold(Element::ZERO, |sum, (k, &c)| field.add(sum, field.mul(c, self.values[n - k])));
        if gap == Element::ZERO {
            self.shift += 1;
            self.foretold += 1;
            return Some(());
        }
        self.foretold = 0;
        let factor = field.div(gap, self.last)?;
        let mut next = self.current.clone();
        next.resize(next.len().max(self.before.len() + self.shift), Element::ZERO);
        for (k, &b) in self.before.iter().enumerate() {
            next[k + self.shift] = field.sub(next[k + self.shift], field.mul(factor, b));
        }
        if 2 * self.length <= n {
            self.length = n + 1 - self.length;
            self.before = std::mem::replace(&mut self.current, next);
            (self.last, self.shift) = (gap, 1);
        } else {
            self.current = next;
            self.shift += 1;
        }
        Some(())
    }
}
