//! What is the value of a node at a state in floating point?
//!
//! One such value stands beside each signature, at the scope's reference state: a pivot must be
//! nonzero as a function and at the state that matters. It is a guide, never a proof.

use crate::graph::{Id, Op, Store};

impl Store {
    /// The value of a node at the reference state, from the values of its arguments.
    pub(crate) fn float(&self, id: Id) -> f64 {
        match self.op(id) {
            Op::Symbol => self.symbol_reference(id),
            _ => self.float_from(id, &|child| self.image(child).float),
        }
    }

    /// The value of a node that is not a symbol, from the values of its arguments.
    #[inline]
    pub(crate) fn float_from(&self, id: Id, value: &impl Fn(Id) -> f64) -> f64 {
        let children = self.children(id);
        let of = |k: usize| value(children[k]);
        match self.op(id) {
            Op::Number => self.number(id).map_or(f64::NAN, |number| number.to_f64()),
            Op::Symbol => f64::NAN,
            Op::Pi => std::f64::consts::PI,
            Op::Sum => children.iter().map(|&child| value(child)).sum(),
            Op::Scale => of(0) * of(1),
            Op::Product => children.iter().map(|&child| value(child)).product(),
            Op::Power => self.float_power(id, of(0), of(1)),
            Op::Sin => of(0).sin(),
            Op::Cos => of(0).cos(),
            Op::Tan => of(0).tan(),
            Op::Asin => of(0).asin(),
            Op::Acos => of(0).acos(),
            Op::Atan => of(0).atan(),
            Op::Sinh => of(0).sinh(),
            Op::Cosh => of(0).cosh(),
            Op::Tanh => of(0).tanh(),
            Op::Exp => of(0).exp(),
            Op::Log => of(0).ln(),
            Op::Abs => of(0).abs(),
            Op::Sign => sign(of(0)),
            Op::Cbrt => of(0).cbrt(),
            Op::Atan2 if of(0) == 0.0 && of(1) == 0.0 => f64::NAN,
            Op::Min | Op::Max | Op::IfNegative | Op::IfZero if of(0).is_nan() => f64::NAN,
            Op::Min | Op::Max if of(1).is_nan() => f64::NAN,
            Op::Atan2 => of(0).atan2(of(1)),
            Op::Min => of(0).min(of(1)),
            Op::Max => of(0).max(of(1)),
            Op::IfNegative => of(if of(0) < 0.0 { 1 } else { 2 }),
            Op::IfZero => of(if of(0) == 0.0 { 1 } else { 2 }),
        }
    }

    fn float_power(&self, id: Id, base: f64, exponent: f64) -> f64 {
        match self.factor(id).1.to_small() {
            Some((n, 1)) => i32::try_from(n).map_or_else(|_| base.powf(exponent), |n| base.powi(n)),
            Some((1, 2)) => base.sqrt(),
            Some((-1, 2)) => base.sqrt().recip(),
            _ => base.powf(exponent),
        }
    }
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}
