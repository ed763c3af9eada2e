//! What does a motion know? Multipliers, reactions, energy and momenta, as expressions in the multipliers of the rows
//! that act.

use expr::Expr;
use mechanics::ingredients::Ingredients;
use mechanics::{Motion, System, Term, Vector};

/// What a motion knows, as expressions in the multipliers of the rows that act.
pub struct Known<'a> {
    /// The ingredients.
    pub given: &'a Ingredients<'a>,
    /// Whether it is to hold at every state: then nothing is known of constraints that do not always act.
    pub everywhere: bool,
}

impl Known<'_> {
    fn system(&self) -> &System {
        self.given.system
    }
}

impl Motion for Known<'_> {
    fn multiplier(&self, constraint: &str) -> Option<Term> {
        let constraints = &self.system().constraints;
        let place = constraints.iter().position(|one| one.name == constraint)?;
        if self.everywhere && !constraints[place].acts_always() {
            return None;
        }
        let rows = self.given.rows.list.iter().filter(|row| row.constraint == place && !row.slips);
        if constraints[place].axes.is_empty() {
            return Some(Term::Scalar(rows.map(|row| row.lambda).next().unwrap_or_else(Expr::zero)));
        }
        let mut vector = [Expr::zero(); 3];
        for row in rows {
            let axis = ["x", "y", "z"].iter().position(|axis| row.name.ends_with(&format!(".{axis}")))?;
            vector[axis] = row.lambda;
        }
        Some(Term::Vector(Vector(vector)))
    }

    fn reaction(&self, constraint: &str) -> Option<Vector> {
        let found = self.system().constraints.iter().find(|one| one.name == constraint);
        let known = found.is_some_and(|one| !self.everywhere || one.acts_always());
        if found.is_some() && !known {
            return None;
        }
        let all = mechanics::reaction::reactions(self.given).ok()?;
        match all.into_iter().find(|one| one.name == constraint) {
            Some(reactions) => reactions.resultant,
            None => known.then(Vector::zero),
        }
    }

    fn energy(&self) -> Option<Expr> {
        mechanics::balance::energy(self.given).ok()
    }

    fn momentum(&self) -> Option<Vector> {
        mechanics::balance::momentum(self.system()).ok()
    }

    fn angular_momentum(&self, about: Vector) -> Option<Vector> {
        mechanics::balance::angular_momentum(self.system(), about).ok()
    }
}
