//! The length of a vector, as the model knows it.

use expr::{Expr, MathError};
use proof::Assumptions;

use crate::root::either_length;
use crate::{Relation, System, Vector};

/// A length, written without bars where the model assumes on which side it is: r where `r > 0`.
pub fn length(system: &System, vector: Vector) -> Result<Expr, MathError> {
    let (norm, either) = (vector.norm()?, either_length(vector)?);
    if system.assumptions.is_empty() || either.has_branches() {
        return Ok(norm);
    }
    let relations = system.assumptions.iter().filter_map(Relation::scalars);
    let known = relations.fold(Assumptions::none(), |all, (left, is, right)| all.and(left, is, right));
    let is_side = |side: &Expr| proof::decide(either.abs() - *side, &known).is_zero();
    Ok([either, -either].into_iter().find(is_side).unwrap_or(norm))
}
