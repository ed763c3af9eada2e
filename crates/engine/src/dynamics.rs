//! What are the accelerations and multipliers: at the reference state in numbers, at every state as expressions?
//!
//! ```text
//! residuals(x) = 0,  linear in x = (accelerations, multipliers)                                (1)
//! λ from  E − Q = Aᵀλ  at the accelerations found, where a form has no multipliers of its own  (2)
//! ```

use expr::Expr;
use mechanics::chart::ChartKind;
use mechanics::form::{Form, Setting};
use mechanics::formalism::Formalism;
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;
use mechanics::{Motion, System, Term, Vector};
use proof::linear::{Matrix, solve};

use crate::{BadInput, Loaded, dense};

/// Systems (1) with more unknowns than this are not solved as expressions.
const MOST_UNKNOWNS: usize = 10;

/// Accelerations and multipliers in numbers.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// The accelerations q''.
    pub accelerations: Vec<(Expr, f64)>,
    /// The derivatives u' of the speeds, where the form is written in them.
    pub speeds: Vec<(Expr, f64)>,
    /// The multipliers of the rows that act.
    pub multipliers: Vec<(Expr, f64)>,
    /// Unilateral constraints that let go, as places among the constraints.
    pub released: Vec<usize>,
}

impl Numbers {
    /// All numbers, for a reference state.
    pub fn all(&self) -> Vec<(Expr, f64)> {
        self.accelerations.iter().chain(&self.speeds).chain(&self.multipliers).copied().collect()
    }
}

/// Why there are no numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoNumbers {
    /// The form does not apply: its reason.
    NotApplicable(String),
    /// The accelerations are not determined at this state.
    Undetermined(String),
}

/// The accelerations and multipliers at the reference state by a form. Closed unilateral constraints whose multiplier
/// would be negative let go, one after the other.
pub fn numbers(
    loaded: &Loaded,
    kind: ChartKind,
    formalism: &dyn Fn(&Ingredients<'_>) -> Option<&'static Formalism>,
) -> Result<Result<(Numbers, Rows, &'static Formalism), NoNumbers>, BadInput> {
    let system = &loaded.system;
    let mut released = Vec::new();
    loop {
        let rows = crate::derive::rows_without(loaded, &released)?;
        let given = Ingredients::of(system, &rows, kind);
        let Some(formalism) = formalism(&given) else {
            return Ok(Err(NoNumbers::NotApplicable("no form applies to this system".to_owned())));
        };
        let form = match (formalism.derive)(&given) {
            Ok(form) => form,
            Err(error) => return Ok(Err(NoNumbers::NotApplicable(error.to_string()))),
        };
        let found = match solved(&form, &given) {
            Ok(found) => found,
            Err(reason) => return Ok(Err(reason)),
        };
        let pulls = |place: &usize| {
            let row = &rows.list[*place];
            let constraint = &system.constraints[row.constraint];
            constraint.sense != mechanics::Sense::Equal && found.multipliers[*place].1 < 0.0
        };
        let worst = (0..rows.list.len())
            .filter(pulls)
            .min_by(|&i, &j| found.multipliers[i].1.total_cmp(&found.multipliers[j].1));
        match worst {
            Some(place) => released.push(rows.list[place].constraint),
            None => return Ok(Ok((Numbers { released, ..found }, rows, formalism))),
        }
    }
}

/// Solves (1) at the reference state, and (2) if need be.
fn solved(form: &Form, given: &Ingredients<'_>) -> Result<Numbers, NoNumbers> {
    let undetermined = |why: &str| NoNumbers::Undetermined(why.to_owned());
    let unknowns = form.all_unknowns();
    let (matrix, constants) = expr::linear_coefficients(&form.residuals(), &unknowns).map_err(|error| {
        NoNumbers::Undetermined(format!("the equations are not linear in the accelerations: {error}"))
    })?;
    let right: Vec<f64> = constants.iter().map(|constant| -constant.reference()).collect();
    if let Some(place) = right.iter().position(|value| !value.is_finite()) {
        let what = if place < form.equations.len() { "an equation of motion" } else { "a constraint" };
        return Err(NoNumbers::Undetermined(format!("{what} has no value at this state")));
    }
    let x = dense::solve(floats(&matrix), right).ok_or_else(|| idle(given))?;
    let of_unknowns: Vec<(Expr, f64)> = unknowns.iter().copied().zip(x).collect();
    let (accelerations, speeds) = match form.written_in {
        Setting::Coordinates => (of_unknowns[..given.q.len()].to_vec(), Vec::new()),
        Setting::Chart => {
            let chart = given.chart().map_err(|error| undetermined(&error.to_string()))?;
            let w: Vec<f64> = of_unknowns.iter().map(|value| value.1).collect();
            let along =
                |list: &[Expr]| along(list, &chart.w, &w).ok_or_else(|| undetermined("a rate has no value here"));
            let accelerations = given.q_ddot.iter().copied().zip(along(&chart.accelerations)?).collect();
            let rates: Result<Vec<Expr>, _> = chart.u.iter().map(|&u| chart.flow.rate(u)).collect();
            let rates = rates.map_err(|error| undetermined(&error.to_string()))?;
            (accelerations, chart.u_dot.iter().copied().zip(along(&rates)?).collect())
        }
    };
    let multipliers = match form.multipliers.len() == given.rows.list.len() {
        true => of_unknowns[form.unknowns.len()..].to_vec(),
        false => multipliers(given, &accelerations)?,
    };
    Ok(Numbers { accelerations, speeds, multipliers, released: Vec::new() })
}

/// Why the accelerations are not determined.
fn idle(given: &Ingredients<'_>) -> NoNumbers {
    let massless = given.E().ok().and_then(|E| {
        let moves = |s: &usize| E.iter().any(|&inertia| inertia.symbols().contains(&given.q_ddot[*s]));
        (0..given.q.len()).find(|s| !moves(s))
    });
    NoNumbers::Undetermined(match massless {
        Some(s) => format!("`{}` moves no mass", given.system.coordinates[s].name),
        None => {
            "the mass matrix is singular at this state, or the chart is; a form without a chart may help".to_owned()
        }
    })
}

fn floats(matrix: &[Vec<Expr>]) -> Vec<Vec<f64>> {
    matrix.iter().map(|row| row.iter().map(|entry| entry.reference()).collect()).collect()
}

/// Values of expressions that are linear in w.
fn along(list: &[Expr], w: &[Expr], values: &[f64]) -> Option<Vec<f64>> {
    let (matrix, constants) = expr::linear_coefficients(list, w).ok()?;
    let value = |(row, constant): (&Vec<Expr>, &Expr)| {
        constant.reference() + row.iter().zip(values).map(|(entry, value)| entry.reference() * value).sum::<f64>()
    };
    Some(matrix.iter().zip(&constants).map(value).collect())
}

/// Multipliers by (2).
fn multipliers(given: &Ingredients<'_>, accelerations: &[(Expr, f64)]) -> Result<Vec<(Expr, f64)>, NoNumbers> {
    let rows = &given.rows.list;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let failed = |why: String| NoNumbers::Undetermined(why);
    let (E, Q) = (given.E(), given.Q());
    let (E, Q) = (E.map_err(|e| failed(e.to_string()))?, Q.map_err(|e| failed(e.to_string()))?);
    let surplus: Vec<Expr> = E.iter().zip(Q).map(|(&inertia, &force)| inertia - force).collect();
    let surplus = given.thawed(&surplus).map_err(|error| failed(error.to_string()))?;
    let values: Vec<f64> = accelerations.iter().map(|value| value.1).collect();
    let surplus = along(&surplus, &given.q_ddot, &values)
        .ok_or_else(|| failed("the inertia forces are not linear in the accelerations".to_owned()))?;
    // A Aᵀ λ = A (E − Q)
    let A: Vec<Vec<f64>> = floats(&rows.iter().map(|row| row.A.clone()).collect::<Vec<_>>());
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let gram = A.iter().map(|a| A.iter().map(|b| dot(a, b)).collect()).collect();
    let right = A.iter().map(|a| dot(a, &surplus)).collect();
    let lambda = dense::solve(gram, right)
        .ok_or_else(|| failed("the constraints are not independent at this state".to_owned()))?;
    Ok(rows.iter().map(|row| row.lambda).zip(lambda).collect())
}

/// Accelerations and multipliers as expressions of the state: what to put in their place, in order.
pub struct Explicit {
    /// Multipliers, then rates and accelerations of coordinates by the chart, then the free accelerations.
    steps: Vec<Vec<(Expr, Expr)>>,
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
        let form = (formalism.derive)(given).ok()?;
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
            (false, false) => solve(&Matrix::from_rows(&matrix), &right).ok()?,
        };
        let found: Vec<(Expr, Expr)> = unknowns.into_iter().zip(x).collect();
        let (free, lambda) = found.split_at(chart.w.len());
        let of_form = form.reactions.iter().map(|reaction| (reaction.lambda, reaction.value));
        let lambda: Vec<(Expr, Expr)> = lambda.iter().copied().chain(of_form).collect();
        Some(Explicit { steps: vec![lambda, chart.shell(system), free.to_vec()] })
    }

    /// Does the form give so many multipliers?
    #[cfg(test)]
    pub fn gives(&self, multipliers: usize) -> bool {
        self.steps[0].len() == multipliers
    }

    /// The expression as a function of the state alone.
    pub fn put(&self, e: Expr) -> Option<Expr> {
        self.steps.iter().try_fold(e, |e, step| Some(expr::substitute(&[e], step).ok()?[0]))
    }
}

/// What a motion knows, as expressions in the multipliers of the rows that act.
pub struct Known<'a> {
    /// The ingredients.
    pub given: &'a Ingredients<'a>,
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
        let rows = self.given.rows.list.iter().filter(|row| row.constraint == place);
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
        let known = self.system().constraints.iter().any(|one| one.name == constraint);
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
