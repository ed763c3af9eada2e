//! When are accelerations found by sparse equations? When these need fewer operations, by count or, for many unknowns, by
//! what elimination alone costs in the dense ones.

use engine::Error;
use expr::{Expr, Kind, Symbol};
use mechanics::ingredients::Ingredients;
use mechanics::lifted::Lifted;
use numeric::lifted::{self, Part};
use numeric::{Function, Solve, Structure};

/// With more unknowns the dense equations are not even derived for the comparison.
const SMALL: usize = 40;

/// Accelerations and multipliers by sparse equations.
pub struct Sparse {
    /// The system.
    pub solve: Solve,
    /// What its symbols and those of the inputs stand for.
    pub defined: Vec<(Expr, Expr)>,
}

impl Sparse {
    /// The equations; nothing where the model has none, or an unknown would have no pivot.
    pub fn of(given: &Ingredients<'_>) -> Result<Option<Sparse>, Error> {
        let system = given.system;
        let inputs: Option<Vec<(Expr, Expr)>> =
            system.inputs.iter().map(|input| Some((input.symbol, input.value?))).collect();
        let Some(mut defined) = inputs else { return Ok(None) };
        let made = Lifted::of(given).map_err(|error| Error::new(error.to_string()))?;
        let Some(Lifted { matrix, right, velocities, rates }) = made else { return Ok(None) };
        let own = |lambda: Expr| expr::symbol(Symbol::new(&format!("{lambda}@sparse"), Kind::Multiplier));
        let mut unknowns = given.q_ddot.clone();
        for row in &given.rows.list {
            unknowns.push(own(row.lambda));
            // (M, Aᵀ; A, 0) has the multipliers with the other sign
            defined.push((row.lambda, -own(row.lambda)));
        }
        defined.extend(velocities);
        let parts = rates.into_iter().map(|(by, rest)| Part { by, rest }).collect();
        let lifted = lifted::Lifted { free: given.q.len(), matrix, right, parts };
        if lifted.length(unknowns.len()).is_none() {
            return Ok(None);
        }
        let structure = Structure::Lifted(Box::new(lifted));
        let solve = Solve { unknowns, matrix: Vec::new(), right: Vec::new(), structure };
        Ok(Some(Sparse { solve, defined }))
    }

    /// Whether its function is the cheaper one; the dense one is made only where that is cheap itself.
    pub fn pays<E>(
        &self,
        sparse: &Function,
        dense: impl FnOnce() -> Result<Function, E>,
    ) -> Result<Result<(), Function>, E> {
        let n = self.solve.unknowns.len();
        if n > SMALL {
            return match sparse.cost() <= numeric::dense_cost(n) {
                true => Ok(Ok(())),
                false => Ok(Err(dense()?)),
            };
        }
        let dense = dense()?;
        Ok(if sparse.cost() <= dense.cost() { Ok(()) } else { Err(dense) })
    }
}
