//! What are accelerations and multipliers at every state, as expressions?

use expr::{Expr, Substitution};
use mechanics::formalism::Formalism;
use mechanics::ingredients::Ingredients;
use proof::linear::{Matrix, solve};

/// Systems with more unknowns than this are not solved as expressions.
const MOST_UNKNOWNS: usize = 10;

/// Accelerations and multipliers as expressions of the state: what to put in their place, in order.
pub struct Explicit {
    /// Multipliers, then rates and accelerations of coordinates by the chart, then the free accelerations.
    steps: [Substitution; 3],
}

impl Explicit {
    /// The solution of (1) by the form that gives everything with the least work, if the system is small enough.
    pub fn of(given: &Ingredients<'_>) -> Option<Explicit> {
        let name = if given.rows.list.is_empty() { "lagrange-2" } else { "maggi" };
        Explicit::by(given, mechanics::formalism::formalism(name)?)
    }

    /// The solution of (1) by one form.
    pub fn by(given: &Ingredients<'_>, formalism: &Formalism) -> Option<Explicit> {
        let (system, chart) = (given.system, given.chart().ok()?);
        let form = formalism.form(given).ok()?;
        let unknowns: Vec<Expr> = chart.w.iter().chain(&form.multipliers).copied().collect();
        if unknowns.len() > MOST_UNKNOWNS {
            return None;
        }
        let mut residuals = chart.on_shell(&form.residuals(), system).ok()?;
        residuals.retain(|residual| !residual.is_zero());
        let (matrix, constants) = expr::linear_coefficients(&residuals, &unknowns).ok()?;
        let right: Vec<Expr> = constants.into_iter().map(|constant| -constant).collect();
        let x = match (unknowns.is_empty(), matrix.is_empty()) {
            (true, _) => Vec::new(),
            (false, true) => return None,
            (false, false) => solve(&Matrix::from_rows(&matrix), &right, given.at).ok()?,
        };
        let found: Vec<(Expr, Expr)> = unknowns.into_iter().zip(x).collect();
        let (free, lambda) = found.split_at(chart.w.len());
        let of_form = form.reactions.iter().map(|reaction| (reaction.lambda, reaction.value));
        let lambda = lambda.iter().copied().chain(of_form).collect();
        Some(Explicit { steps: [lambda, chart.shell(system), free.into()] })
    }

    /// Does the form give so many multipliers?
    pub fn gives(&self, multipliers: usize) -> bool {
        self.steps[0].len() == multipliers
    }

    /// The expression as a function of the state alone.
    pub fn put(&self, e: Expr) -> Option<Expr> {
        self.steps.iter().try_fold(e, |e, step| step.apply_one(e).ok())
    }
}
