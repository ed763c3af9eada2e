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
use mechanics::friction::Grip;
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;
use mechanics::standing::{Standing, standing};
use mechanics::{Motion, System, Term, Vector};
use proof::linear::{Matrix, solve};

use crate::grip::Touching;
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
    /// The constraints do not allow this state.
    NoState(String),
}

/// How a one-sided constraint is violated at the reference state.
pub fn violation(system: &System, place: &str) -> Option<String> {
    system.constraints.iter().find_map(|constraint| {
        let stand = standing(system, constraint).ok()?;
        let is_violated = stand.standing == Standing::Violated;
        is_violated.then(|| crate::check::state::violation(constraint, &stand, place))
    })
}

/// The accelerations and multipliers at the reference state, by a form or the usual one. Closed one-sided constraints
/// whose multiplier would be negative let go, one after the other, before the form is asked.
pub fn numbers(
    loaded: &Loaded,
    kind: ChartKind,
    wanted: Option<&'static Formalism>,
) -> Result<Result<(Numbers, Rows, &'static Formalism), NoNumbers>, BadInput> {
    numbers_without(loaded, kind, wanted, &[])
}

/// How the motion goes on from the reference state.
pub struct GoingOn {
    /// The model, as its rough contact goes on.
    pub loaded: Loaded,
    /// Accelerations and multipliers.
    pub numbers: Numbers,
    /// The rows that act.
    pub rows: Rows,
    /// The rough contact that is closed.
    pub touching: Option<Touching>,
}

/// What has just changed at a rough contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    #[default]
    Nothing,
    /// It cannot stick any more.
    Slips,
    /// Its normal force has gone through zero, and has this sign from now on.
    Presses(i8),
}

impl Change {
    /// The grip after the change.
    fn of(self, grip: Grip) -> Grip {
        match (self, grip) {
            (Change::Presses(press), Grip::Slides(_, slip)) => Grip::Slides(press, slip),
            _ => grip,
        }
    }
}

/// The accelerations at the reference state, where these one-sided constraints have let go already: a rough contact
/// sticks, slides or leaves as it must.
pub fn going_on(
    loaded: &Loaded,
    kind: ChartKind,
    gone: &[usize],
    change: Change,
) -> Result<Result<GoingOn, NoNumbers>, BadInput> {
    let mut gone = gone.to_vec();
    loop {
        let touching = match crate::grip::touching(&loaded.system, kind, &gone) {
            Ok(touching) => touching,
            Err(reason) => return Ok(Err(NoNumbers::Undetermined(reason))),
        };
        let mut mode = None;
        if let Some(mut touching) = touching.clone() {
            if change == Change::Slips {
                touching.ways = touching.edge.iter().cloned().collect();
            }
            if let Some(reason) = touching.trouble() {
                return Ok(Err(NoNumbers::Undetermined(reason)));
            }
            match (touching.ways.first().and_then(crate::grip::grip), change) {
                (None, _) => gone.push(touching.rough.gap),
                (Some(grip), change) => match crate::grip::held(loaded, &touching.rough, change.of(grip)) {
                    Ok(held) => mode = Some(held),
                    Err(reason) => return Ok(Err(NoNumbers::Undetermined(reason))),
                },
            }
        }
        let held = mode.is_some();
        let mode = mode.unwrap_or_else(|| loaded.with_system(loaded.system.clone()));
        match numbers_without(&mode, kind, None, &gone)? {
            // another contact lets go, and then this one may hold otherwise
            Ok((numbers, ..)) if held && numbers.released.len() > gone.len() => gone = numbers.released,
            Ok((numbers, rows, _)) => return Ok(Ok(GoingOn { loaded: mode, numbers, rows, touching })),
            Err(reason) => return Ok(Err(reason)),
        }
    }
}

/// The same where these one-sided constraints have let go already.
pub fn numbers_without(
    loaded: &Loaded,
    kind: ChartKind,
    wanted: Option<&'static Formalism>,
    gone: &[usize],
) -> Result<Result<(Numbers, Rows, &'static Formalism), NoNumbers>, BadInput> {
    let system = &loaded.system;
    if let Some(violation) = violation(system, "there") {
        return Ok(Err(NoNumbers::NoState(violation)));
    }
    let mut released: Vec<usize> = gone.to_vec();
    loop {
        let rows = crate::derive::rows_without(loaded, &released)?;
        let is_settled = !rows.list.iter().any(|row| system.constraints[row.constraint].is_one_sided());
        let given = Ingredients::of(system, &rows, kind);
        // Which constraints let go is found by the usual form; then the one that is wanted has its word.
        let usual = || crate::derive::usual_one(&given);
        let (formalism, found) = match (is_settled, wanted) {
            (true, Some(wanted)) => (wanted, by_form(wanted, &given)),
            _ => match usual() {
                Some(usual) => (usual, by_form(usual, &given)),
                None => return Ok(Err(NoNumbers::NotApplicable("no form applies to this system".to_owned()))),
            },
        };
        let found = match found {
            Ok(found) => found,
            Err(reason) => return Ok(Err(reason.after_release(system, &released))),
        };
        let pulls = |place: &usize| {
            let row = &rows.list[*place];
            system.constraints[row.constraint].is_one_sided() && found.multipliers[*place].1 < 0.0
        };
        let worst = (0..rows.list.len())
            .filter(pulls)
            .min_by(|&i, &j| found.multipliers[i].1.total_cmp(&found.multipliers[j].1));
        if let Some(place) = worst {
            released.push(rows.list[place].constraint);
            continue;
        }
        let (formalism, found) = match wanted.filter(|wanted| wanted.name != formalism.name) {
            None => (formalism, found),
            Some(wanted) => match by_form(wanted, &given) {
                Ok(found) => (wanted, found),
                Err(reason) => return Ok(Err(reason.after_release(system, &released))),
            },
        };
        let push = pushes(&given);
        drop(given);
        if let Some(reason) = missed(&rows, &found, system, &push) {
            return Ok(Err(reason));
        }
        let opened = rows.slack.iter().map(|row| row.constraint).filter(|place| !released.contains(place));
        let released = opened.chain(released.iter().copied()).collect();
        return Ok(Ok((Numbers { released, ..found }, rows, formalism)));
    }
}

impl NoNumbers {
    /// The same, with the constraints that let go before.
    fn after_release(self, system: &System, released: &[usize]) -> NoNumbers {
        let names: Vec<String> =
            released.iter().map(|&place| format!("`{}`", system.constraints[place].name)).collect();
        match self {
            NoNumbers::NotApplicable(reason) if !names.is_empty() => {
                let verb = if names.len() == 1 { "leaves" } else { "leave" };
                NoNumbers::NotApplicable(format!("{} {verb} at this state, and then {reason}", names.join(", ")))
            }
            other => other,
        }
    }
}

fn by_form(formalism: &Formalism, given: &Ingredients<'_>) -> Result<Numbers, NoNumbers> {
    let form = (formalism.derive)(given).and_then(|form| form.closed(given));
    solved(&form.map_err(|error| NoNumbers::NotApplicable(error.to_string()))?, given)
}

/// The accelerations that each generalized force could give alone; zero where that is not known.
fn pushes(given: &Ingredients<'_>) -> Vec<f64> {
    let known = || {
        let (E, Q) = (given.thawed(given.E().ok()?).ok()?, given.thawed(given.Q().ok()?).ok()?);
        let (mass, _) = expr::linear_coefficients(&E, &given.q_ddot).ok()?;
        let push = |s: usize| Some(Q[s].reference() / mass[s][s].reference()).filter(|push| push.is_finite());
        Some((0..Q.len()).map(|s| push(s).unwrap_or(0.0)).collect())
    };
    known().unwrap_or_else(|| vec![0.0; given.q.len()])
}

/// A row that the accelerations do not satisfy: one that was left out since it depends on others, or a one-sided one
/// that pushes nothing.
fn missed(rows: &Rows, found: &Numbers, system: &System, push: &[f64]) -> Option<NoNumbers> {
    const ROUNDING: f64 = 1e-8;
    let values: Vec<f64> = found.accelerations.iter().map(|value| value.1).collect();
    let amount = |row: &mechanics::rows::Row| {
        let terms = row.A.iter().zip(&values).map(|(a, value)| a.reference() * value);
        // forces that balance each other leave accelerations that are rounding
        let pushed: f64 = row.A.iter().zip(push).map(|(a, push)| (a.reference() * push).abs()).sum();
        let size: f64 = terms.clone().map(f64::abs).sum::<f64>() + crate::fact::size(row.drift, 0) + pushed;
        let amount = terms.sum::<f64>() + row.drift.reference();
        (amount, ROUNDING * size.max(f64::MIN_POSITIVE))
    };
    let text = crate::number::text;
    let equal = rows.left_out.iter().find_map(|row| {
        let (amount, small) = amount(row);
        let is_bound = system.constraints[row.constraint].is_one_sided() && amount > 0.0;
        (amount.abs() > small && !is_bound).then(|| {
            NoNumbers::NoState(format!(
                "`{}` depends on other constraints, and cannot hold together with them there: it misses by {}",
                row.name,
                text(amount)
            ))
        })
    });
    equal.or_else(|| {
        rows.slack.iter().find_map(|row| {
            let (amount, small) = amount(row);
            (amount < -small).then(|| {
                NoNumbers::Undetermined(format!(
                    "`{}` would be violated: what it bounds has the acceleration {}, and no choice of closed \
                     constraints was found that avoids it",
                    row.name,
                    text(amount)
                ))
            })
        })
    })
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
    let x = dense::solve(floats(&matrix), right).ok_or_else(|| idle(form, given))?;
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
    // those of rows, then those of contacts that slide
    let found = of_unknowns[form.unknowns.len()..].to_vec();
    let pressed = &found[found.len() - given.rows.pressed.len()..];
    let multipliers = match found.len() == given.rows.list.len() + pressed.len() {
        true => found,
        false => [&multipliers(given, &accelerations, pressed)?, pressed].concat(),
    };
    Ok(Numbers { accelerations, speeds, multipliers, released: Vec::new() })
}

/// Why the accelerations are not determined: dependent constraints, a coordinate without mass, a singular chart.
fn idle(form: &Form, given: &Ingredients<'_>) -> NoNumbers {
    let A: Vec<Vec<f64>> = floats(&given.rows.list.iter().map(|row| row.A.clone()).collect::<Vec<_>>());
    if let Some(place) = A.iter().position(|row| row.iter().any(|entry| !entry.is_finite())) {
        let row = &given.rows.list[place].name;
        return NoNumbers::Undetermined(format!("the slope of `{row}` has no value at this state"));
    }
    if let Some(place) = (0..A.len()).find(|&place| !independent(&A[..=place])) {
        let row = &given.rows.list[place].name;
        let others: Vec<String> = given.rows.list[..place].iter().map(|row| format!("`{}`", row.name)).collect();
        return NoNumbers::Undetermined(match A[place].iter().all(|entry| entry.abs() < 1e-12) {
            true => format!("the slope of `{row}` vanishes at this state, so that it says nothing about accelerations"),
            false => format!(
                "the constraints are not independent at this state: `{row}` depends on {}, and the reactions are not \
                 determined",
                others.join(", ")
            ),
        });
    }
    let massless = given.E().ok().and_then(|E| {
        let moves = |s: &usize| {
            let inertia = E.iter().any(|&inertia| inertia.symbols().contains(&given.q_ddot[*s]));
            inertia || given.rows.list.iter().any(|row| row.A[*s] != Expr::zero())
        };
        (0..given.q.len()).find(|s| !moves(s))
    });
    NoNumbers::Undetermined(match (massless, form.written_in) {
        (Some(s), _) => format!("`{}` moves no mass", given.system.coordinates[s].name),
        (None, Setting::Chart) => {
            "the chart or the mass matrix is singular at this state; a form without a chart may help".to_owned()
        }
        (None, Setting::Coordinates) => {
            "the mass matrix is singular at this state: some motion that the constraints allow moves no mass".to_owned()
        }
    })
}

/// Whether rows are independent: their Gram matrix can be inverted.
fn independent(rows: &[Vec<f64>]) -> bool {
    let unit = |row: &Vec<f64>| {
        let size = row.iter().fold(0.0_f64, |size, entry| size.max(entry.abs()));
        row.iter().map(|entry| if size > 1e-12 { entry / size } else { 0.0 }).collect::<Vec<f64>>()
    };
    let rows: Vec<Vec<f64>> = rows.iter().map(unit).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let gram: Vec<Vec<f64>> = rows.iter().map(|a| rows.iter().map(|b| dot(a, b)).collect()).collect();
    gram.iter().enumerate().all(|(k, row)| row[k] > 0.0) && dense::solve(gram, vec![0.0; rows.len()]).is_some()
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

/// Multipliers by (2), with those of contacts that slide as known.
fn multipliers(
    given: &Ingredients<'_>,
    accelerations: &[(Expr, f64)],
    pressed: &[(Expr, f64)],
) -> Result<Vec<(Expr, f64)>, NoNumbers> {
    let rows = &given.rows.list;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let failed = |why: String| NoNumbers::Undetermined(why);
    let (E, Q) = (given.E(), given.Q());
    let (E, Q) = (E.map_err(|e| failed(e.to_string()))?, Q.map_err(|e| failed(e.to_string()))?);
    let surplus: Vec<Expr> = E.iter().zip(Q).map(|(&inertia, &force)| inertia - force).collect();
    let surplus = given.thawed(&surplus).map_err(|error| failed(error.to_string()))?;
    let known: Vec<(Expr, f64)> = accelerations.iter().chain(pressed).copied().collect();
    let (symbols, values): (Vec<Expr>, Vec<f64>) = known.into_iter().unzip();
    let surplus = along(&surplus, &symbols, &values)
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
