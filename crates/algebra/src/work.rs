//! How much has been done, and how much may be?
//!
//! Work is counted, never timed: the steps of simplification, products of terms, and for other questions the operations of
//! what is looked at. So the same system gives the same answer on every machine.

use std::cell::Cell;
use std::rc::Rc;

use expr::{Expr, Polynomial};

/// So much work is done for one system: a second or two.
pub(crate) const MOST: u64 = 5_000_000;
/// A question whether something vanishes costs so much for each operation.
pub(crate) const QUESTION: u64 = 20;

/// A product of two terms costs so much.
pub(crate) const PRODUCT: u64 = 4;

/// What is left of the work. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Work(Rc<Cell<u64>>);

impl Default for Work {
    fn default() -> Work {
        Work(Rc::new(Cell::new(MOST)))
    }
}

impl Work {
    /// Whether nothing is left. Then no answer of this crate is one.
    pub fn is_done(&self) -> bool {
        self.0.get() == 0
    }

    /// How much of it is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        1.0 - self.0.get() as f64 / MOST as f64
    }

    /// Takes work off, `times` for each operation of an expression.
    pub fn look_at(&self, e: Expr, times: u64) {
        if !self.is_done() {
            self.0.set(self.0.get().saturating_sub(times.saturating_mul(1 + e.operations() as u64)));
        }
    }

    /// The expression as a polynomial; nothing if it is none, or if no work is left.
    pub fn polynomial(&self, e: Expr, variables: &[Expr]) -> Option<Polynomial> {
        let given = self.0.get() / PRODUCT;
        let mut left = given;
        let made = expr::polynomial_within(e, variables, &mut left);
        self.0.set(self.0.get() - (given - left) * PRODUCT);
        if left == 0 {
            self.0.set(0);
        }
        made
    }

    /// The shortest form that is found; the expression itself if no work is left.
    pub fn simplify(&self, e: Expr) -> Expr {
        let mut left = self.0.get();
        let simple = expr::simplify_within(e, &[], &mut left);
        self.0.set(left);
        self.look_at(e, 1);
        simple
    }
}
