//! Which expression next? All functions of the language, weighted so that most results are
//! defined somewhere: a logarithm mostly sees something positive, an arcsine something small.

use expr::field::Random;
use expr::{Expr, Op, Rational, Scope, parameter, pi};

/// A source of random expressions in x, y, z, with a scope of its own.
pub struct Draw {
    random: Random,
    _scope: Scope<'static>,
}

impl Draw {
    pub fn new(seed: u64) -> Draw {
        Draw { random: Random::new(seed), _scope: Scope::with_seed(seed) }
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.random.below(n as u64) as usize
    }

    pub fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    pub fn symbol(&mut self) -> Expr {
        parameter(self.one_of(&["x", "y", "z"]))
    }

    /// A fraction that people write: small, and simple more often than not.
    pub fn number(&mut self) -> Rational {
        let numerator = self.below(9) as i64 + 1;
        let denominator = self.one_of(&[1, 1, 1, 1, 2, 2, 3, 4, 5, 7]);
        let number = Rational::new(numerator, denominator).unwrap_or(Rational::ONE);
        if self.below(3) == 0 { -number } else { number }
    }

    fn leaf(&mut self) -> Expr {
        match self.below(20) {
            0..15 => self.symbol(),
            15..19 => Expr::number(self.number()),
            _ => pi() * Expr::number(self.number()),
        }
    }

    /// An expression at most so many operations deep; `None` if it would not exist.
    pub fn expression(&mut self, depth: usize) -> Option<Expr> {
        if depth == 0 || self.below(12) == 0 {
            return Some(self.leaf());
        }
        let depth = depth - 1;
        match self.below(100) {
            0..20 => {
                let count = 2 + self.below(2);
                let terms: Option<Vec<Expr>> = (0..count).map(|_| self.expression(depth)).collect();
                Some(Expr::sum(&terms?))
            }
            20..38 => {
                let count = 2 + self.below(2);
                let factors: Option<Vec<Expr>> = (0..count).map(|_| self.expression(depth)).collect();
                Some(Expr::product(&factors?))
            }
            38..43 => Some(Expr::number(self.number()) * self.expression(depth)?),
            43..48 => self.expression(depth)?.try_div(self.expression(depth)?).ok(),
            48..54 => {
                let exponent = self.one_of(&[-3, -2, -1, 2, 2, 3, 4, 5]);
                self.expression(depth)?.try_pow(&Rational::from(exponent)).ok()
            }
            54..60 => {
                let (n, d) = self.one_of(&[(1, 2), (1, 2), (1, 2), (-1, 2), (3, 2), (1, 3), (2, 3), (-3, 4), (5, 6)]);
                self.not_negative(depth)?.try_pow(&Rational::new(n, d)?).ok()
            }
            60..72 => self.function(&[Op::Sin, Op::Sin, Op::Cos, Op::Cos, Op::Tan], depth),
            72..77 => self.function(&[Op::Sinh, Op::Cosh, Op::Tanh, Op::Exp, Op::Exp], depth),
            77..83 => self.function(&[Op::Abs, Op::Abs, Op::Sign, Op::Cbrt, Op::Cbrt, Op::Atan], depth),
            83..87 => self.not_negative(depth)?.try_function(Op::Log).ok(),
            87..90 => {
                let argument = self.small(depth)?;
                argument.try_function(self.one_of(&[Op::Asin, Op::Acos])).ok()
            }
            90..93 => Expr::apply(Op::Atan2, &[self.expression(depth)?, self.expression(depth)?]).ok(),
            93..96 => {
                let op = self.one_of(&[Op::Min, Op::Max]);
                Expr::apply(op, &[self.expression(depth)?, self.expression(depth)?]).ok()
            }
            _ => {
                let op = self.one_of(&[Op::IfNegative, Op::IfNegative, Op::IfNegative, Op::IfZero]);
                let [d, p, q] = [self.expression(depth)?, self.expression(depth)?, self.expression(depth)?];
                Expr::apply(op, &[d, p, q]).ok()
            }
        }
    }

    fn function(&mut self, ops: &[Op], depth: usize) -> Option<Expr> {
        let argument = self.expression(depth)?;
        argument.try_function(self.one_of(ops)).ok()
    }

    /// Mostly something that is not negative.
    fn not_negative(&mut self, depth: usize) -> Option<Expr> {
        let e = self.expression(depth)?;
        Some(match self.below(5) {
            0 => e * e + Expr::number(self.number()),
            1 => e.try_function(Op::Abs).ok()?,
            2 => e.try_function(Op::Exp).ok()? + e.try_pow(&Rational::from(2)).ok()?,
            _ => e,
        })
    }

    /// Mostly something between −1 and 1.
    fn small(&mut self, depth: usize) -> Option<Expr> {
        let e = self.expression(depth)?;
        match self.below(4) {
            0 => e.try_function(self.one_of(&[Op::Sin, Op::Cos, Op::Tanh])).ok(),
            1 => e.try_div(e * e + 1).ok(),
            _ => Some(e),
        }
    }
}
