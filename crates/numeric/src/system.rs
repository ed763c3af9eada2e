//! How is a linear system solved in numbers, again and again?

use std::sync::Arc;

use expr::Expr;
use linear::tolerance::{LEAST, PIVOT};
use linear::{Solved, Unsolved};

use crate::lifted::Plan;
use crate::problem::{Solve, Structure};

/// Why there is no slope at a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A value is not a number, or infinite.
    NotFinite,
    /// A linear system has no solution, or many.
    Singular,
    /// Two switches stick at once.
    Sticky,
    /// Backwards, a switch could have come from either side.
    Forked,
}

impl From<Unsolved> for Trouble {
    fn from(reason: Unsolved) -> Trouble {
        match reason {
            Unsolved::NotFinite => Trouble::NotFinite,
            Unsolved::Singular { .. } => Trouble::Singular,
        }
    }
}

/// A linear system with room for its numbers.
#[derive(Clone)]
pub struct Linear {
    /// How many unknowns there are.
    pub unknowns: usize,
    /// How it is solved.
    pub(crate) structure: Kind,
    matrix: Vec<f64>,
    /// The right-hand side; after `solve` the solution.
    pub right: Vec<f64>,
    work: Vec<f64>,
    /// Where its unknowns stand among the inputs.
    pub input: usize,
}

/// How it is solved.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Symmetric,
    Saddle(usize),
    General,
    Least,
    Lifted(Arc<Plan>),
}

/// The entries of a system in one list: the matrix or what is needed of it, the right-hand side, weights.
pub fn entries(solve: &Solve) -> Vec<Expr> {
    if let Structure::Lifted(lifted) = &solve.structure {
        return lifted.entries();
    }
    let mut list: Vec<Expr> = solve.matrix.iter().flatten().copied().collect();
    list.extend(&solve.right);
    if let Structure::Least(weights) = &solve.structure {
        list.extend(weights);
    }
    list
}

/// How many operations solve a dense symmetric system, about.
pub fn dense_cost(unknowns: usize) -> usize {
    unknowns * unknowns * (unknowns + 6) / 3
}

impl Linear {
    /// Room for a system whose unknowns are inputs from this one on.
    pub fn new(solve: &Solve, input: usize) -> Linear {
        let structure = match &solve.structure {
            Structure::Symmetric => Kind::Symmetric,
            Structure::Saddle(n) => Kind::Saddle(*n),
            Structure::General => Kind::General,
            Structure::Least(_) => Kind::Least,
            Structure::Lifted(lifted) => Kind::Lifted(Arc::new(Plan::of(lifted, solve.unknowns.len()))),
        };
        let (matrix, right, work) = (Vec::new(), Vec::new(), Vec::new());
        Linear { unknowns: solve.unknowns.len(), structure, matrix, right, work, input }
    }

    /// How many operations solve it, about.
    pub(crate) fn cost(&self) -> usize {
        match &self.structure {
            Kind::Lifted(plan) => plan.steps.len(),
            _ => dense_cost(self.unknowns),
        }
    }

    /// Solves it, given its entries in the order of [`entries`]; the solution is in `right`.
    pub fn solve(&mut self, entry: impl Fn(usize) -> f64, count: usize) -> Result<Solved, Trouble> {
        if let Kind::Lifted(plan) = &self.structure {
            let plan = Arc::clone(plan);
            return self.lifted(&plan, entry);
        }
        let weights = if matches!(self.structure, Kind::Least) { self.unknowns } else { 0 };
        let equations = (count - weights) / (self.unknowns + 1);
        let (right, weights) = (equations * self.unknowns, equations * (self.unknowns + 1));
        self.matrix.clear();
        self.matrix.extend((0..right).map(&entry));
        self.right.clear();
        self.right.extend((right..weights).map(&entry));
        if self.matrix.iter().chain(&self.right).any(|x| !x.is_finite()) {
            return Err(Trouble::NotFinite);
        }
        let (matrix, right, work) = (&mut self.matrix, &mut self.right, &mut self.work);
        match self.structure {
            Kind::Symmetric => linear::cholesky::symmetric(matrix, right, work)?,
            Kind::Saddle(n) => linear::saddle::saddle(matrix, right, n, work)?,
            Kind::General | Kind::Lifted(_) => linear::solve::eliminate(matrix, right, self.unknowns, PIVOT, work)?,
            Kind::Least => {
                let weights: Vec<f64> = (weights..count).map(&entry).collect();
                let solved;
                (self.right, solved) = linear::least::least(matrix, right, &weights, LEAST)?;
                return Ok(solved);
            }
        }
        Ok(Solved::Unique)
    }

    /// By its parts; densely where a pivot is not positive.
    fn lifted(&mut self, plan: &Plan, entry: impl Fn(usize) -> f64) -> Result<Solved, Trouble> {
        if plan.solve(&entry, &mut self.work, &mut self.right) {
            return Ok(Solved::Unique);
        }
        (self.matrix, self.right) = plan.dense(entry);
        if self.matrix.iter().chain(&self.right).any(|x| !x.is_finite()) {
            return Err(Trouble::NotFinite);
        }
        let (matrix, right, work) = (&mut self.matrix, &mut self.right, &mut self.work);
        match plan.free() == self.unknowns {
            true => linear::cholesky::symmetric(matrix, right, work)?,
            false => linear::saddle::saddle(matrix, right, plan.free(), work)?,
        }
        Ok(Solved::Unique)
    }
}
