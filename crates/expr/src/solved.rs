//! Which expressions are known to solve a linear system?
//!
//! The entries of a solved system look far more complicated than they are: their degree grows
//! exponentially as read off the graph, and is n times the degree of the entries by Cramer's
//! rule. A solve therefore leaves a record here, and degree bounds are taken from it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::graph::Id;
use crate::scope::{Expr, with_graph};

/// A square system that has been solved: `matrix · solution = right`.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The rows of the matrix.
    pub matrix: Vec<Vec<Expr>>,
    /// The right-hand side.
    pub right: Vec<Expr>,
    /// The solution.
    pub solution: Vec<Expr>,
}

/// Rows that were eliminated one after the other, right sides and all columns included: what stands in the k-th of them then is
/// a quotient of two minors of the rows to the k-th and to the one before.
#[derive(Clone, Debug)]
pub struct Eliminated {
    /// The rows as they were, in the order of their pivots.
    pub rows: Vec<Vec<Expr>>,
}

/// What an expression is on the way to a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// An entry of the row of this pivot, counted from 0.
    Entry(usize),
    /// The pivot of that row times an entry of the solution.
    Side(usize),
}

#[derive(Clone, Default)]
pub(crate) struct Register {
    systems: FxHashMap<Id, Arc<Solved>>,
    stages: FxHashMap<Id, (Arc<Eliminated>, Stage)>,
}

impl Register {
    pub fn is_empty(&self) -> bool {
        self.systems.is_empty() && self.stages.is_empty()
    }

    /// The elimination that an expression stands in, and where.
    pub fn stage(&self, id: Id) -> Option<&(Arc<Eliminated>, Stage)> {
        self.stages.get(&id)
    }

    pub fn system(&self, id: Id) -> Option<&Arc<Solved>> {
        self.systems.get(&id)
    }

    /// The entries that a system was made of.
    pub fn entries(&self, system: &Arc<Solved>) -> impl Iterator<Item = Id> {
        system.matrix.iter().flatten().chain(&system.right).map(|e| e.id_unchecked()).collect::<Vec<_>>().into_iter()
    }
}

/// Records that `solved.solution` solves the system, for honest degree bounds. An entry that is
/// older than the system (or stands in it) keeps the bound of its own graph: passes run from old
/// to new, and no bound may rest on itself.
pub fn record_solution(solved: Solved) {
    let ids: Vec<Id> = solved.solution.iter().map(|entry| entry.id()).collect();
    let newest = solved.matrix.iter().flatten().chain(&solved.right).map(|entry| entry.id()).max();
    let solved = Arc::new(solved);
    with_graph(|graph| {
        for id in ids {
            if Some(id) > newest && !graph.store.children(id).is_empty() {
                graph.solved.systems.entry(id).or_insert_with(|| Arc::clone(&solved));
            }
        }
    });
}

/// Records what expressions are on the way to a solution: as factors of products they have the bounds of minors then. An entry that
/// is older than the rows keeps the bound of its own graph.
pub fn record_elimination(eliminated: Eliminated, stages: &[(Expr, Stage)]) {
    let newest = eliminated.rows.iter().flatten().map(|entry| entry.id()).max();
    let stages: Vec<(Id, Stage)> = stages.iter().map(|&(e, stage)| (e.id(), stage)).collect();
    let eliminated = Arc::new(eliminated);
    with_graph(|graph| {
        for (id, stage) in stages {
            // in a product the number in front of a sum stands by itself
            let (number, core) = graph.store.term(id);
            let id = if matches!(number.to_small(), Some((1 | -1, 1))) { core } else { id };
            if Some(id) > newest && !graph.store.children(id).is_empty() {
                graph.solved.stages.entry(id).or_insert_with(|| (Arc::clone(&eliminated), stage));
            }
        }
    });
}

/// The system that an expression was found as a solution of.
pub fn solution_of(e: Expr) -> Option<Arc<Solved>> {
    let id = e.id();
    with_graph(|graph| graph.solved.systems.get(&id).cloned())
}
