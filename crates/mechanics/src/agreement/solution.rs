//! What are accelerations and multipliers as functions of the state, by one form?
//!
//! ```text
//! r(x) = 0, linear in x, on the chart  ⇒  x = x(q, u, t)                                        (1)
//! E − Q = Aᵀλ at these accelerations   ⇒  λ = λ(q, u, t)                                        (2)
//! ```

use expr::{At, Comparison, Expr, Substitution};
use proof::Assumptions;
use proof::linear::{Columns, Matrix, solve, solve_for};

use crate::chart::Chart;
use crate::form::Form;
use crate::ingredients::Ingredients;
use crate::rows::{Row, Rows};
use crate::{Origin, Relation};

/// What the model assumes, as relations in the velocities of the chart.
pub fn assumptions(given: &Ingredients<'_>) -> Assumptions {
    assumptions_with(given, &Substitution::new())
}

/// Whether the state whose roots the chart takes contradicts a relation: on its branch the relation never holds.
pub fn is_off_branch(given: &Ingredients<'_>, (left, is, right): (Expr, Comparison, Expr)) -> bool {
    let has_branches = given.chart().is_ok_and(|chart| !chart.branches.is_empty());
    let gap = given.at.value(left - right);
    let fails = match is {
        Comparison::Greater | Comparison::AtLeast => gap < 0.0,
        Comparison::Less | Comparison::AtMost => gap > 0.0,
        Comparison::Equal | Comparison::NotEqual => false,
    };
    has_branches && gap.is_finite() && fails
}

/// What the model assumes, with something put in for parameters.
pub fn assumptions_with(given: &Ingredients<'_>, map: &Substitution) -> Assumptions {
    let shell = given.chart().map(|chart| chart.shell(given.system)).unwrap_or_default();
    let mut shell = shell.map_values(|value| map.apply_one(value).unwrap_or(value));
    shell.extend(map);
    let relations = given.mode.assumptions(given.system).filter_map(Relation::scalars);
    let relations = relations.filter(|relation| relation.1 != Comparison::Equal && !is_off_branch(given, *relation));
    relations.fold(Assumptions::none(), |all, (left, is, right)| match shell.apply(&[left, right]) {
        Ok(sides) => all.and(sides[0], is, sides[1]),
        Err(_) => all,
    })
}

/// The accelerations and multipliers of the leading form, as functions of the state.
pub struct Solution {
    /// What to put in, all at once.
    values: Substitution,
}

impl Solution {
    /// By a form in the chart, or in the coordinates where there is none.
    pub fn of(form: &Form, given: &Ingredients<'_>, rows: &Rows) -> Option<Solution> {
        if given.chart().is_err() {
            return Some(Solution { values: solved(&form.residuals(), &form.all_unknowns(), given.at)? });
        }
        Solution::in_chart(&form.residuals(), given, rows)
    }

    /// The same from residuals in the accelerations of the chart.
    pub fn in_chart(residuals: &[Expr], given: &Ingredients<'_>, rows: &Rows) -> Option<Solution> {
        let chart = given.chart().ok()?;
        let shell = chart.shell(given.system);
        let residuals = shell.apply(residuals).ok()?;
        let free = solved(&residuals, &chart.w, given.at)?;
        let (symbols, on_shell): (Vec<Expr>, Vec<Expr>) = shell.into_iter().unzip();
        let mut values: Substitution = symbols.into_iter().zip(free.apply(&on_shell).ok()?).collect();
        values.extend(free);
        if !rows.list.is_empty() {
            values.extend(multipliers(given, rows, chart, &values)?);
        }
        Some(Solution { values })
    }

    /// The same, but these multipliers stay.
    pub fn without(mut self, multipliers: &[Expr]) -> Solution {
        self.values = self.values.into_iter().filter(|(symbol, _)| !multipliers.contains(symbol)).collect();
        self
    }

    /// Expressions as functions of the state alone.
    pub fn put(&self, list: &[Expr]) -> Option<Vec<Expr>> {
        self.values.apply(list).ok()
    }
}

/// The unknowns as a substitution.
pub fn solved(residuals: &[Expr], unknowns: &[Expr], at: &At) -> Option<Substitution> {
    if unknowns.is_empty() {
        return Some(Substitution::new());
    }
    let residuals: Vec<Expr> = residuals.iter().copied().filter(|residual| !residual.is_zero()).collect();
    let (matrix, constants) = expr::linear_coefficients(&residuals, unknowns).ok()?;
    let right: Vec<Expr> = constants.into_iter().map(|constant| -constant).collect();
    if matrix.is_empty() {
        return None;
    }
    let values = solve(&Matrix::from_rows(&matrix), &right, at).ok()?;
    Some(unknowns.iter().copied().zip(values).collect())
}

/// The multipliers from E − Q = Aᵀλ at the accelerations of the leading form.
fn multipliers(
    given: &Ingredients<'_>,
    rows: &Rows,
    chart: &Chart,
    accelerations: &Substitution,
) -> Option<Substitution> {
    let (E, Q) = (given.E().ok()?, given.Q().ok()?);
    let surplus: Vec<Expr> = E.iter().zip(Q).map(|(&inertia, &force)| inertia - force).collect();
    let surplus = accelerations.apply(&given.thawed(&surplus).ok()?).ok()?;
    let slopes: Vec<Vec<Expr>> = (0..given.q.len()).map(|s| rows.list.iter().map(|row| row.A[s]).collect()).collect();
    let flat: Vec<Expr> = slopes.concat();
    let flat = chart.on_shell(&flat, given.system).ok()?;
    let slopes: Vec<Vec<Expr>> = flat.chunks(rows.list.len()).map(<[Expr]>::to_vec).collect();
    // As many equations as multipliers; that the others hold too is part of the claims.
    let columns: Vec<Vec<Expr>> =
        (0..rows.list.len()).map(|row| slopes.iter().map(|slopes| slopes[row]).collect()).collect();
    let zero = vec![Expr::zero(); columns.len()];
    let chosen = solve_for(&Matrix::from_rows(&columns), &zero, Columns::Any, given.at).ok()?.dependent;
    let square: Vec<Vec<Expr>> = chosen.iter().map(|&s| slopes[s].clone()).collect();
    let right: Vec<Expr> = chosen.iter().map(|&s| surplus[s]).collect();
    let values = solve(&Matrix::from_rows(&square), &right, given.at).ok()?;
    Some(rows.list.iter().map(|row| row.lambda).zip(values).collect())
}

/// The multipliers of the norms of quaternions.
pub fn norms(given: &Ingredients<'_>, rows: &Rows) -> Vec<Expr> {
    let origin = |row: &Row| given.system.constraints[row.constraint].origin;
    let is_norm = |row: &&Row| matches!(origin(row), Origin::QuaternionNorm(_));
    rows.list.iter().filter(is_norm).map(|row| row.lambda).collect()
}

/// What must vanish, with the values that it gives itself to some multipliers.
pub fn with_own(residuals: Vec<Expr>, multipliers: &[Expr], at: &At) -> Option<Vec<Expr>> {
    if multipliers.is_empty() {
        return Some(residuals);
    }
    let (matrix, _) = expr::linear_coefficients(&residuals, multipliers).ok()?;
    let present: Vec<usize> = (0..multipliers.len()).filter(|&k| matrix.iter().any(|row| !row[k].is_zero())).collect();
    if present.is_empty() {
        return Some(residuals);
    }
    // As many equations as multipliers; the others must then hold.
    let columns: Vec<Vec<Expr>> = present.iter().map(|&k| matrix.iter().map(|row| row[k]).collect()).collect();
    let chosen = solve_for(&Matrix::from_rows(&columns), &vec![Expr::zero(); columns.len()], Columns::Any, at).ok()?;
    let equations: Vec<Expr> = chosen.dependent.iter().map(|&row| residuals[row]).collect();
    let unknowns: Vec<Expr> = present.iter().map(|&k| multipliers[k]).collect();
    solved(&equations, &unknowns, at)?.apply(&residuals).ok()
}
