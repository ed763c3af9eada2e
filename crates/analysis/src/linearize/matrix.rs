//! How are expressions computed with where only their values at a state say which are pivots?
//!
//! ```text
//! (e, x) + (f, y) = (e + f, x + y)        and so on: e as an expression, x its value at the state
//! ```

use expr::{At, Expr};
use linear::arithmetic::Arithmetic;

/// An expression, and its value at the state.
#[derive(Clone, Copy, Debug)]
pub struct Valued {
    /// The expression.
    pub e: Expr,
    value: f64,
}

impl Valued {
    /// An expression at a state.
    pub fn new(e: Expr, at: &At) -> Valued {
        if e.is_zero() { Valuing.zero() } else { Valued { e, value: at.value(e) } }
    }
}

/// The arithmetic of expressions with their values.
#[derive(Clone, Copy, Debug)]
pub struct Valuing;

impl Arithmetic for Valuing {
    type Number = Valued;

    fn zero(&self) -> Valued {
        Valued { e: Expr::zero(), value: 0.0 }
    }

    fn one(&self) -> Valued {
        Valued { e: Expr::one(), value: 1.0 }
    }

    fn plus(&self, x: Valued, y: Valued) -> Valued {
        let e = x.e + y.e;
        if e.is_zero() { self.zero() } else { Valued { e, value: x.value + y.value } }
    }

    fn times(&self, x: Valued, y: Valued) -> Valued {
        Valued { e: x.e * y.e, value: x.value * y.value }
    }

    fn over(&self, x: Valued, y: Valued) -> Valued {
        match x.e.try_div(y.e) {
            Ok(e) => Valued { e, value: x.value / y.value },
            Err(_) => x,
        }
    }

    fn minus(&self, x: Valued) -> Valued {
        Valued { e: -x.e, value: -x.value }
    }

    fn size(&self, x: Valued) -> f64 {
        if x.value.is_finite() { x.value.abs() } else { 0.0 }
    }

    fn is_nothing(&self, x: Valued) -> bool {
        x.e.is_zero()
    }
}
