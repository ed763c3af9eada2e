//! What is a symbol? A name with a meaning, and its place in a chain of time derivatives.

use std::fmt;

/// What a symbol stands for. The total time derivative reads it: a parameter is constant, time
/// runs at rate one, everything else moves on to its next derivative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Kind {
    /// A constant of the problem: a mass, a length, an angle of an incline.
    Parameter,
    /// The time `t`.
    Time,
    /// A generalized coordinate; its derivatives q', q'', q''' are symbols of the same name.
    Coordinate,
    /// A quasi-velocity; `u'` is its derivative. It has no underlying coordinate.
    QuasiVelocity,
    /// A multiplier of a constraint.
    Multiplier,
    /// A quantity with a law for its rate, such as a current; its rate is a symbol of the same name.
    State,
    /// A quantity that is given from outside as a function of time, such as a steering angle; its derivatives are symbols
    /// of the same name. A derivative by the time takes it along: ∂s/∂t = s'.
    Input,
}

/// A symbol as a value: independent of any scope, so it may cross threads and outlive handles.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Symbol {
    /// The name without primes, such as `theta` or `a[3]`.
    pub name: String,
    /// What it stands for.
    pub kind: Kind,
    /// How often it has been differentiated with respect to time.
    pub order: u32,
}

impl Symbol {
    /// The symbol of that name and kind, not differentiated.
    pub fn new(name: &str, kind: Kind) -> Symbol {
        Symbol { name: name.to_owned(), kind, order: 0 }
    }

    /// The next time derivative, if the symbol moves at all; `None` for parameters and time.
    pub fn derivative(&self) -> Option<Symbol> {
        match self.kind {
            Kind::Parameter | Kind::Time => None,
            _ => Some(Symbol { order: self.order + 1, ..self.clone() }),
        }
    }

    /// A word that depends on name and order alone, the same in every scope and every run:
    /// the values of symbols at random points are drawn from it, so that a proof can be replayed.
    pub(crate) fn key(&self) -> u64 {
        let fold = |h: u64, byte: u8| (h ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        let h = self.name.bytes().fold(0xcbf2_9ce4_8422_2325, fold);
        crate::field::mix(h, u64::from(self.order))
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        (0..self.order).try_for_each(|_| f.write_str("'"))
    }
}
