//! What can be wrong with an expression that someone asks for?

use std::fmt;

/// A value that does not exist, or that nobody could hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MathError {
    /// Something is divided by an expression that is identically zero.
    DivisionByZero {
        /// The divisor, as text.
        divisor: String,
    },
    /// A root of a negative number: not real. (`cbrt` takes negative numbers.)
    RootOfNegative {
        /// The radicand, as text.
        radicand: String,
    },
    /// A function outside its domain, such as `log(0)` or `asin(2)`.
    Undefined {
        /// The call, as text.
        what: String,
    },
    /// A number with more digits than a machine should be asked for.
    TooLarge {
        /// The power or number, as text.
        what: String,
    },
}

impl fmt::Display for MathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MathError::DivisionByZero { divisor } if divisor == "0" => write!(f, "division by zero"),
            MathError::DivisionByZero { divisor } => write!(f, "division by `{divisor}`, which is zero"),
            MathError::RootOfNegative { radicand } => {
                write!(f, "`{radicand}` is negative: this root is not real (`cbrt` takes the real cube root)")
            }
            MathError::Undefined { what } => write!(f, "`{what}` is not defined"),
            MathError::TooLarge { what } => write!(f, "`{what}` has more digits than can be held"),
        }
    }
}

impl std::error::Error for MathError {}
