//! From a form to a problem: what is integrated while the same constraints act?
//!
//! ```text
//! y = (q, q', a, W)              a: first-order states; W: the work of what is not in the energy                         (1)
//! main system                    the residuals of the form, linear in accelerations (and λ)       (2)
//! λ from  Aᵀ λ = E − Q           where the form has none, or rows are redundant: the smallest     (3)
//! levels                         f = 0 by q, then f' = 0 by q', in the metric of the masses       (4)
//! W' = (Q + ∂V/∂q)·q' + ∂V/∂t + Σ λ A·q' + (dT/dt − E·q')                                         (5)
//! ```
//!
//! The last bracket of (5) vanishes unless masses vary or drives are built into the coordinates.

use expr::{At, Expr, Kind, Substitution, Symbol};
use mechanics::form::{Form, Setting};
use mechanics::ingredients::Ingredients;
use mechanics::rows::{Row, Rows};
use numeric::{Level, Problem, Solve, Structure};

/// Why there is no problem, or no phase.
pub enum NoPhase {
    /// The form does not apply.
    NotApplicable(String),
    /// A symbol has no value, or something has no derivative.
    Broken(String),
}

impl From<expr::MathError> for NoPhase {
    fn from(error: expr::MathError) -> NoPhase {
        NoPhase::Broken(error.to_string())
    }
}

impl From<mechanics::form::FormError> for NoPhase {
    fn from(error: mechanics::form::FormError) -> NoPhase {
        NoPhase::NotApplicable(error.to_string())
    }
}

/// A form as equations to be integrated; what is watched and shown is added by the caller.
pub struct Equations {
    /// Time, state, rates, what must be solved for them, and what they are projected onto.
    pub problem: Problem,
    /// The kinetic and the potential energy.
    pub energies: [Expr; 2],
}

impl Equations {
    /// The equations of a form that was derived from these ingredients.
    pub fn of(form: &Form, given: &Ingredients<'_>) -> Result<Equations, NoPhase> {
        let (system, rows) = (given.system, given.rows);
        let mut defined: Vec<(Expr, Expr)> = Vec::new();
        for input in &system.inputs {
            let value = input.value.ok_or_else(|| NoPhase::Broken(format!("`{}` has no value", input.name)))?;
            defined.push((input.symbol, value));
        }
        let (inner, mut solves) = main_system(form, given, &mut defined)?;
        // contacts that slide may share a load, and the motion does not depend on how
        if let [solve] = &mut solves[..]
            && !rows.pressed.is_empty()
            && is_singular(solve, given.at)
        {
            solve.structure = Structure::Least(vec![Expr::one(); solve.unknowns.len()]);
        }
        let settled = settled(&solves, given);
        if let Setting::Chart = form.written_in {
            let chart = given.chart()?;
            let own = chart.u.iter().copied().zip(chart.forward.iter().copied());
            defined.extend(own.filter(|(u, definition)| u != definition));
            let accelerations = given.q_ddot.iter().copied().zip(chart.accelerations.iter().copied());
            defined.extend(accelerations.filter(|(symbol, value)| symbol != value));
        }
        // Multipliers: those of the form, or (3).
        let all = everything(rows);
        let own = inner.len() - rows.pressed.len();
        let has_own = own == rows.list.len() && rows.left_out.is_empty();
        defined.extend(rows.pressed.iter().map(|row| row.lambda).zip(inner[own..].iter().copied()));
        let mut later = Vec::new();
        match has_own {
            true => defined.extend(rows.list.iter().map(|row| row.lambda).zip(inner)),
            false if all.list.is_empty() => {}
            false => later.push(multipliers(given, &all.list)?),
        }
        let energy = Energy::of(given)?;
        if energy.needs_multipliers {
            solves.append(&mut later);
        }
        let q_ddot = given.q_ddot.iter().map(|&q| unless_negative(&settled, q));
        let q_ddot = q_ddot.collect::<Result<Vec<Expr>, _>>()?;
        let work = expr::symbol(Symbol::new("work@done", Kind::Parameter));
        let (states, laws) = (system.state_symbols(), system.states.iter().map(|state| state.rate));
        let problem = Problem {
            time: system.time,
            state: given.q.iter().chain(&given.q_dot).chain(&states).copied().chain([work]).collect(),
            fixed: Vec::new(),
            defined,
            solves,
            rates: given.q_dot.iter().copied().chain(q_ddot).chain(laws).chain([energy.power]).collect(),
            later,
            watched: Vec::new(),
            judged: Vec::new(),
            outputs: Vec::new(),
            levels: levels(given, &rows.with_pressed())?,
            followers: levels(given, &Rows { list: followers(rows).cloned().collect(), ..rows.clone() })?,
            guarded: None,
            is_reversed: false,
        };
        Ok(Equations { problem, energies: [energy.kinetic, energy.potential] })
    }
}

/// All rows that act, redundant ones too.
pub fn everything(rows: &Rows) -> Rows {
    let mut all = rows.clone();
    all.list.extend(followers(rows).cloned());
    all
}

/// Rows that follow from others.
fn followers(rows: &Rows) -> impl Iterator<Item = &Row> {
    rows.left_out.iter().filter(|row| rows.redundant.contains(&row.name))
}

/// Steps of Newton's method where a constraint is not linear in the accelerations.
const STEPS: usize = 12;

/// (2); the multipliers in it under names of their own, in the order of the form. Where it is not linear, one system after
/// another, each a step of Newton's method from what is guessed.
fn main_system(
    form: &Form,
    given: &Ingredients<'_>,
    defined: &mut Vec<(Expr, Expr)>,
) -> Result<(Vec<Expr>, Vec<Solve>), NoPhase> {
    let own = |lambda: &Expr| expr::symbol(Symbol::new(&format!("{lambda}@form"), Kind::Multiplier));
    let inner: Vec<Expr> = form.multipliers.iter().map(own).collect();
    let rename: Substitution = form.multipliers.iter().copied().zip(inner.iter().copied()).collect();
    let unknowns: Vec<Expr> = form.unknowns.iter().chain(&inner).copied().collect();
    let step = form.step()?;
    if !step.is_exact && given.rows.curved().is_none() {
        return Err(NoPhase::NotApplicable("it is not linear in the accelerations".to_owned()));
    }
    let matrix = step.matrix.iter().map(|row| rename.apply(row)).collect::<Result<Vec<_>, _>>()?;
    let right = rename.apply(&step.right)?;
    let structure = |matrix: &[Vec<Expr>]| match matrix.len() == unknowns.len() {
        true => Structure::of(matrix),
        false => Structure::Least(vec![Expr::one(); unknowns.len()]),
    };
    if step.is_exact {
        let structure = structure(&matrix);
        return Ok((inner, vec![Solve { unknowns, matrix, right, structure }]));
    }
    given.need_guess()?;
    let after = |steps: usize| -> Vec<Expr> {
        let name = |x: &Expr| expr::symbol(Symbol::new(&format!("{x}@{steps}"), Kind::Parameter));
        if steps == STEPS { unknowns.clone() } else { unknowns.iter().map(name).collect() }
    };
    let guess = |&x: &Expr| given.system.guessed_acceleration(x).unwrap_or_else(Expr::zero);
    defined.extend(after(0).into_iter().zip(unknowns.iter().map(guess)));
    let mut solves = Vec::with_capacity(STEPS);
    for steps in 0..STEPS {
        let before: Substitution = unknowns.iter().copied().zip(after(steps)).collect();
        let matrix = matrix.iter().map(|row| before.apply(row)).collect::<Result<Vec<_>, _>>()?;
        let (right, structure) = (before.apply(&right)?, Structure::General);
        solves.push(Solve { unknowns: after(steps + 1), matrix, right, structure });
    }
    Ok((inner, solves))
}

/// What is not negative if Newton's method has settled, and on a root that is nearer to what was guessed than zero is: so that of
/// opposite roots the other one is never taken. Nothing where there is one step.
fn settled(solves: &[Solve], given: &Ingredients<'_>) -> Vec<Expr> {
    let [.., before, last] = solves else { return Vec::new() };
    let both = last.unknowns.iter().zip(&before.unknowns);
    let moved: Expr = both.map(|(&a, &b)| (a - b).pow(2)).sum();
    let size: Expr = last.unknowns.iter().map(|&x| x.pow(2)).sum();
    let nearer = |&x: &Expr| {
        let first = given.system.guessed_acceleration(x)?;
        Some((2 * x - first) * first)
    };
    let nearer: Expr = last.unknowns.iter().filter_map(nearer).sum();
    vec![(size + Expr::one()) * expr::rational(1, 100_000_000_000_000) - moved, nearer]
}

/// A number, or none if something is negative: then the root of that has no value.
fn unless_negative(conditions: &[Expr], e: Expr) -> Result<Expr, NoPhase> {
    let half = expr::Rational::new(1, 2).unwrap_or(expr::Rational::ONE);
    let guarded = |e: Expr, condition: &Expr| {
        let none = condition.try_pow(&half)?;
        Expr::apply(expr::Op::IfNegative, &[*condition, none, e])
    };
    Ok(conditions.iter().try_fold(e, guarded)?)
}

/// Whether a system has no unique solution at a state.
fn is_singular(solve: &Solve, at: &At) -> bool {
    let rank = linear::rank(at.matrix(&solve.matrix), linear::Scale::RowsAndColumns, linear::tolerance::RANK);
    rank.is_ok_and(|rank| rank < solve.unknowns.len())
}

/// (3): of several solutions the one with the least Σ λ² Σ A²/m.
fn multipliers(given: &Ingredients<'_>, rows: &[Row]) -> Result<Solve, NoPhase> {
    let surplus: Vec<Expr> = given.E()?.iter().zip(given.Q()?).map(|(&inertia, &force)| inertia - force).collect();
    let right = given.thawed(&surplus)?;
    let matrix = (0..given.q.len()).map(|s| rows.iter().map(|row| row.A[s]).collect()).collect();
    let mass = mass_matrix(given)?;
    let weight = |row: &Row| {
        let terms = (0..given.q.len()).filter(|&s| row.A[s] != Expr::zero());
        let parts = terms.map(|s| match mass[s][s] == Expr::zero() {
            true => Ok(row.A[s].pow(2)),
            false => row.A[s].pow(2).try_div(mass[s][s]),
        });
        parts.sum::<Result<Expr, _>>()
    };
    let weights = rows.iter().map(weight).collect::<Result<Vec<Expr>, _>>()?;
    let unknowns = rows.iter().map(|row| row.lambda).collect();
    Ok(Solve { unknowns, matrix, right, structure: Structure::Least(weights) })
}

/// The metric of (4): the masses, or 1 where T is no quadratic form.
pub fn mass_matrix(given: &Ingredients<'_>) -> Result<Vec<Vec<Expr>>, NoPhase> {
    let n = given.q.len();
    let made = match expr::linear_coefficients(&given.p()?, &given.q_dot) {
        Ok((mass, _)) => mass,
        Err(_) => (0..n).map(|i| (0..n).map(|j| expr::integer(i64::from(i == j))).collect()).collect(),
    };
    made.iter().map(|row| Ok(given.thawed(row)?)).collect()
}

/// (4)
fn levels(given: &Ingredients<'_>, rows: &Rows) -> Result<Vec<Level>, NoPhase> {
    let (n, mut levels) = (given.q.len(), Vec::new());
    if rows.list.is_empty() {
        return Ok(levels);
    }
    let metric = mass_matrix(given)?;
    let geometric: Vec<&Row> = rows.list.iter().filter(|row| row.order == 0).collect();
    let of_rates: Vec<(&Row, Expr)> = rows.list.iter().filter_map(|row| Some((row, row.velocity?))).collect();
    if !geometric.is_empty() {
        levels.push(Level {
            rows: geometric.iter().map(|row| row.f).collect(),
            moved: 0..n,
            slopes: geometric.iter().map(|row| row.A.clone()).collect(),
            metric: metric.clone(),
        });
    }
    if !of_rates.is_empty() {
        levels.push(Level {
            rows: of_rates.iter().map(|one| one.1).collect(),
            moved: n..2 * n,
            slopes: of_rates.iter().map(|one| one.0.A.clone()).collect(),
            metric,
        });
    }
    Ok(levels)
}

/// The energies and the power (5) of what is not in them.
struct Energy {
    kinetic: Expr,
    potential: Expr,
    power: Expr,
    needs_multipliers: bool,
}

impl Energy {
    fn of(given: &Ingredients<'_>) -> Result<Energy, NoPhase> {
        let kinetic = given.thawed(&[given.T()?])?[0];
        let potential = mechanics::balance::potential_energy(given.system)?;
        let slopes = expr::gradient(potential, &given.q)?;
        let along = |list: &[Expr]| -> Expr { list.iter().zip(&given.q_dot).map(|(&x, &rate)| x * rate).sum() };
        let loads: Vec<Expr> = given.Q()?.iter().zip(&slopes).map(|(&force, &slope)| force + slope).collect();
        let mut terms = vec![along(&given.thawed(&loads)?), expr::derivative(potential, given.system.time)?];
        let mut needs_multipliers = false;
        // redundant rows carry their part, and work too
        for row in &everything(given.rows).list {
            let rate = along(&row.A);
            // f = A q' for what is linear and homogeneous; A q' = −∂f/∂t for what is geometric
            let rate = match (row.order, row.velocity) {
                (0 | 1, Some(velocity)) => rate - velocity,
                _ => rate,
            };
            if !rate.is_zero() {
                needs_multipliers = true;
                terms.push(row.lambda * rate);
            }
        }
        let extra = expr::total_derivative(kinetic)? - along(&given.thawed(given.E()?)?);
        if !extra.is_zero() {
            terms.push(extra);
        }
        let power = terms.into_iter().filter(|term| !term.is_zero()).sum();
        Ok(Energy { kinetic, potential, power, needs_multipliers })
    }
}
