//! What was written on the steps of other forms? The pages of one question show much the same.
//!
//! A value is read with work of its own, so that its text does not depend on what was read before. What a page may
//! spend in all is counted by what its values cost when they were read first.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use expr::{Expr, Formula};
use rustc_hash::FxHashMap;

use crate::letters::Letters;
use crate::readable::{Memory, Reader};
use crate::shape::of;

/// The reading of steps gets this part of the work that the reading of a form gets.
pub const SHARE: u64 = 4;
/// One value gets this part of that.
const OF_ONE: u64 = 2;

/// What was written for the steps of one question.
#[derive(Default)]
pub struct Written {
    /// What is given, which all forms share.
    pub given: OnceCell<Vec<Letters>>,
    memory: Memory,
    values: RefCell<FxHashMap<(Expr, Vec<Expr>), Read>>,
    formulas: RefCell<FxHashMap<Sides, Rc<Letters>>>,
}

/// The left of an equation and its right, or a value alone.
type Sides = (Expr, Option<Expr>);

/// A value as a person would write it, and what part of the work for a page that took.
#[derive(Clone, Copy)]
struct Read {
    made: Expr,
    cost: f64,
}

/// What is left of the work for a page, 1 at first.
pub struct Purse(Cell<f64>);

impl Default for Purse {
    fn default() -> Purse {
        Purse(Cell::new(1.0))
    }
}

impl Written {
    /// A value as a person would write it, collected by these symbols; as it is where the work is spent.
    pub fn readable(&self, purse: &Purse, e: Expr, by: Vec<Expr>) -> Expr {
        if purse.0.get() <= 0.0 {
            return e;
        }
        let key = (e, by);
        let known = self.values.borrow().get(&key).copied();
        let read = known.unwrap_or_else(|| {
            let reader = Reader::remembering(&self.memory).less(SHARE * OF_ONE);
            let made = reader.readable(e, &key.1);
            let read = Read { made, cost: reader.spent() / OF_ONE as f64 };
            self.values.borrow_mut().insert(key, read);
            read
        });
        purse.0.set(purse.0.get() - read.cost);
        read.made
    }

    /// A value, or an equation.
    pub fn formula(&self, left: Expr, right: Option<Expr>) -> Rc<Letters> {
        let known = self.formulas.borrow().get(&(left, right)).cloned();
        known.unwrap_or_else(|| {
            let formula = right.map_or_else(|| Formula::of(left), |right| Formula::equation(left, right));
            let letters = Rc::new(of(&formula));
            self.formulas.borrow_mut().insert((left, right), letters.clone());
            letters
        })
    }
}
