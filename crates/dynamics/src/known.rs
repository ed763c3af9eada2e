//! What does a motion know? Multipliers, reactions, energy and momenta, as expressions in the multipliers of the rows
//! that act.

use expr::{Expr, Substitution};
use mechanics::determined::{Sharing, everything};
use mechanics::ingredients::Ingredients;
use mechanics::reaction::Acts;
use mechanics::rows::Row;
use mechanics::{Motion, Operator, System, Target, Term, Vector};

fn is_multiplier(symbol: Expr) -> bool {
    symbol.as_symbol().is_some_and(|symbol| symbol.kind == expr::Kind::Multiplier)
}

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
        let all = everything(self.given.rows);
        let rows = all.list.iter().filter(|row| row.constraint == place && !row.slips);
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

    fn reaction(&self, constraint: &str, on: Option<Target>) -> Option<Result<Vector, String>> {
        let constraints = &self.system().constraints;
        let place = constraints.iter().position(|one| one.name == constraint)?;
        if self.everywhere && !constraints[place].acts_always() {
            return None;
        }
        let all = everything(self.given.rows);
        let acts = Acts { rows: &all, ..Acts::from(self.given) };
        Some(mechanics::reaction::asked(&acts, place, on))
    }

    fn reaction_torque(&self, joint: &str) -> Option<Result<Vector, String>> {
        let place = self.system().constraints.iter().position(|one| one.name == joint)?;
        let all = everything(self.given.rows);
        let acts = Acts { rows: &all, ..Acts::from(self.given) };
        Some(mechanics::reaction::asked_torque(&acts, place))
    }

    fn settled(&self, e: Expr) -> Result<Expr, String> {
        let e = mechanics::operator::in_rates(self.given, e)?;
        let is_sharing = |row: &&Row| !self.given.rows.list.iter().any(|one| one.name == row.name);
        let others: Vec<&Row> = self.given.rows.left_out.iter().filter(is_sharing).collect();
        if self.given.rows.left_out.is_empty() || !e.symbols().iter().any(|symbol| is_multiplier(*symbol)) {
            return Ok(e);
        }
        let acts = Acts::from(self.given);
        Sharing::of(&acts).settled(e, &acts)?;
        let nothing: Substitution = others.iter().map(|row| (row.lambda, Expr::zero())).collect();
        nothing.apply_one(e).map_err(|error| error.to_string())
    }

    fn operator(&self, asked: Operator) -> Option<Result<Expr, String>> {
        Some(mechanics::operator::value(self.given, asked))
    }

    fn is_constrained(&self) -> bool {
        !self.given.rows.list.is_empty()
    }

    fn energy(&self) -> Option<Expr> {
        mechanics::balance::energy(self.given).ok()
    }

    fn momentum(&self) -> Option<Result<Vector, String>> {
        Some(mechanics::balance::momentum(self.system()).map_err(|error| error.to_string()))
    }

    fn angular_momentum(&self, about: Vector) -> Option<Result<Vector, String>> {
        Some(mechanics::balance::angular_momentum(self.system(), about).map_err(|error| error.to_string()))
    }
}
