//! What are the accelerations and multipliers of a mode at a state, in numbers?
//!
//! ```text
//! residuals(x) = 0,  linear in x = (accelerations, multipliers)                                (1)
//! λ from  E − Q = Aᵀλ  at the accelerations found, where a form has no multipliers of its own  (2)
//! ```

use std::rc::Rc;

use expr::{At, Expr};
use linear::least::least;
use linear::span::first_dependent;
use linear::tolerance::{ANGLE, LEAST};
use linear::vector::dot;
use mechanics::System;
use mechanics::form::{Form, Setting};
use mechanics::formalism::Formalism;
use mechanics::ingredients::Ingredients;
use mechanics::rows::{Row, Rows};

/// Accelerations and multipliers in numbers.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// The accelerations q''.
    pub accelerations: Vec<(Expr, f64)>,
    /// The derivatives u' of the speeds, where the form is written in them.
    pub speeds: Vec<(Expr, f64)>,
    /// The multipliers of the rows that act.
    pub multipliers: Vec<(Expr, f64)>,
}

impl Numbers {
    /// All numbers, to be put beside a state.
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

impl NoNumbers {
    /// The same, with the constraints that let go before.
    pub fn after_release(self, system: &System, released: &[usize]) -> NoNumbers {
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

/// The equations (1) of a mode, to be solved at states.
#[derive(Clone)]
pub struct Recipe {
    /// The form that they are of.
    pub formalism: &'static Formalism,
    /// The rows that act.
    pub rows: Rows,
    /// The forms that were derived on the way.
    pub forms: mechanics::ingredients::Derived,
    unknowns: Vec<Expr>,
    matrix: Vec<Vec<Expr>>,
    right: Vec<Expr>,
    /// Where Newton's method begins, if the equations are not linear: what is guessed of unknowns.
    guess: Option<Vec<(Expr, Expr)>>,
    /// How many equations are those of motion.
    of_motion: usize,
    /// Accelerations and derivatives of speeds, as expressions of the state and the unknowns.
    accelerations: Vec<(Expr, Expr)>,
    speeds: Vec<(Expr, Expr)>,
    /// Multipliers among the unknowns: those of rows, then those of contacts that slide.
    multipliers: Vec<Expr>,
    /// E − Q, where the multipliers of rows follow from (2).
    surplus: Option<Vec<Expr>>,
    /// Forces and masses on the diagonal, where a row that was left out is checked.
    pushes: Vec<(Expr, Expr)>,
}

/// Why a recipe gives no numbers.
pub enum Trouble {
    Valueless(&'static str),
    Singular,
    Dependent,
    Astray,
}

impl Recipe {
    /// The recipe without the forms that were derived on the way.
    pub fn without_forms(&self) -> Rc<Recipe> {
        Rc::new(Recipe { forms: Vec::new(), ..self.clone() })
    }

    /// The recipe by a form.
    pub fn of(formalism: &'static Formalism, given: &Ingredients<'_>) -> Result<Recipe, NoNumbers> {
        let text = |error: &dyn std::fmt::Display| NoNumbers::Undetermined(error.to_string());
        let form = formalism.closed(given).map_err(|error| NoNumbers::NotApplicable(error.to_string()))?;
        let unknowns = form.all_unknowns();
        let step = form.step().map_err(|error| text(&error))?;
        let is_exact = step.is_exact;
        if !is_exact && given.rows.curved().is_none() {
            return Err(NoNumbers::Undetermined("the equations are not linear in the accelerations".to_owned()));
        }
        if !is_exact {
            given.need_guess().map_err(|error| NoNumbers::Undetermined(error.to_string()))?;
        }
        let guess = |&x: &Expr| (x, given.system.guessed_acceleration(x).unwrap_or_else(Expr::zero));
        let (accelerations, speeds) = match form.written_in {
            Setting::Coordinates => (given.q_ddot.iter().map(|&q| (q, q)).collect(), Vec::new()),
            Setting::Chart => {
                let chart = given.chart().map_err(|error| text(&error))?;
                let rates: Result<Vec<Expr>, _> = chart.u.iter().map(|&u| chart.flow.rate(u)).collect();
                let rates = rates.map_err(|error| text(&error))?;
                let accelerations = given.q_ddot.iter().copied().zip(chart.accelerations.iter().copied());
                (accelerations.collect(), chart.u_dot.iter().copied().zip(rates).collect())
            }
        };
        let own = form.multipliers.len() - given.rows.pressed.len() == given.rows.list.len();
        let surplus = match own || given.rows.list.is_empty() {
            true => None,
            false => {
                let (E, Q) = (given.E().map_err(|error| text(&error))?, given.Q().map_err(|error| text(&error))?);
                let surplus: Vec<Expr> = E.iter().zip(Q).map(|(&inertia, &force)| inertia - force).collect();
                Some(given.thawed(&surplus).map_err(|error| text(&error))?)
            }
        };
        let is_checked = !given.rows.left_out.is_empty() || !given.rows.slack.is_empty();
        Ok(Recipe {
            formalism,
            rows: given.rows.clone(),
            forms: given.forms(),
            guess: (!is_exact).then(|| unknowns.iter().map(guess).collect()),
            matrix: step.matrix,
            right: step.right,
            unknowns,
            of_motion: form.equations.len(),
            accelerations,
            speeds,
            multipliers: form.multipliers,
            surplus,
            pushes: if is_checked { pushes(given) } else { Vec::new() },
        })
    }

    /// Solves (1) at a state, and (2) if need be; where (1) is not linear, by Newton's method from what is guessed. A root is taken
    /// only if it is nearer to what was guessed than zero is, so that of opposite roots the other one is never taken.
    pub fn numbers(&self, at: &At) -> Result<Numbers, Trouble> {
        const MOST: usize = 50;
        const SETTLED: f64 = 1e-13;
        let Some(guess) = &self.guess else { return self.solved(at) };
        let first: Vec<f64> = guess.iter().map(|one| at.value(one.1)).collect();
        let there = |x: &[f64]| at.with(&self.unknowns.iter().copied().zip(x.iter().copied()).collect::<Vec<_>>());
        let mut x = first.clone();
        for _ in 0..MOST {
            let near = there(&x);
            let next = linear::solve::evaluated(near.matrix(&self.matrix), &near.values(&self.right));
            let next = next.map_err(|_| Trouble::Astray)?;
            let size = next.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
            let moved = next.iter().zip(&x).fold(0.0, |moved: f64, (a, b)| moved.max((a - b).abs()));
            x = next;
            if moved <= SETTLED * size {
                // |x|² − |x − x₀|²; where nothing is guessed x₀ is 0
                let nearer: f64 = x.iter().zip(&first).map(|(x, first)| (2.0 * x - first) * first).sum();
                return if nearer < 0.0 { Err(Trouble::Astray) } else { self.solved(&there(&x)) };
            }
        }
        Err(Trouble::Astray)
    }

    /// Solves (1) as linear equations, and (2) if need be.
    fn solved(&self, at: &At) -> Result<Numbers, Trouble> {
        let right = at.values(&self.right);
        if let Some(place) = right.iter().position(|value| !value.is_finite()) {
            let what = if place < self.of_motion { "an equation of motion" } else { "a constraint" };
            return Err(Trouble::Valueless(what));
        }
        if self.rows.list.iter().any(|row| is_noise(row, at)) {
            return Err(Trouble::Singular);
        }
        let x = match linear::solve::evaluated(at.matrix(&self.matrix), &right) {
            Ok(x) => x,
            Err(_) => self.shared(at, &right).ok_or(Trouble::Singular)?,
        };
        let found: Vec<(Expr, f64)> = self.unknowns.iter().copied().zip(x).collect();
        let there = at.with(&found);
        let of = |list: &[(Expr, Expr)]| list.iter().map(|&(symbol, e)| (symbol, there.value(e))).collect::<Vec<_>>();
        let (accelerations, speeds) = (of(&self.accelerations), of(&self.speeds));
        if accelerations.iter().chain(&speeds).any(|value| !value.1.is_finite()) {
            return Err(Trouble::Valueless("a rate"));
        }
        let own: Vec<(Expr, f64)> = self.multipliers.iter().map(|&lambda| (lambda, there.value(lambda))).collect();
        let Some(surplus) = &self.surplus else { return Ok(Numbers { accelerations, speeds, multipliers: own }) };
        let pressed = &own[own.len() - self.rows.pressed.len().min(own.len())..];
        let moving = at.with(&[&accelerations, pressed].concat());
        let lambda = self.by_balance(&moving.values(surplus), &moving).ok_or(Trouble::Dependent)?;
        let multipliers = self.rows.list.iter().map(|row| row.lambda).zip(lambda).chain(pressed.iter().copied());
        Ok(Numbers { multipliers: multipliers.collect(), accelerations, speeds })
    }

    /// A solution of (1) where contacts that slide share a load and the accelerations do not depend on how.
    fn shared(&self, at: &At, right: &[f64]) -> Option<Vec<f64>> {
        const ROUNDING: f64 = 1e-9;
        if self.rows.pressed.len() + self.rows.list.len() < 2 || self.rows.pressed.is_empty() {
            return None;
        }
        let matrix = linear::Matrix::from(&at.matrix(&self.matrix));
        let found =
            linear::rank::reduce(&matrix, right, linear::Scale::RowsAndColumns, linear::tolerance::RANK).ok()?;
        let x = found.solution();
        let moving = self.unknowns.len() - self.multipliers.len();
        let is_still = |n: &[f64]| n[..moving].iter().all(|x| x.abs() <= ROUNDING * linear::vector::length(n));
        let agree = misses_naturally(&matrix, &x, right) <= ROUNDING;
        (agree && found.null_vectors().iter().all(is_still)).then_some(x)
    }

    /// (2), by least squares; each multiplier with its row as the unit.
    fn by_balance(&self, surplus: &[f64], at: &At) -> Option<Vec<f64>> {
        let A = linear::Matrix::of_width(surplus.len(), self.rows.list.iter().map(|row| at.values(&row.A)));
        let weights: Vec<f64> = A.iter().map(|a| dot(a, a)).collect();
        let (lambda, solved) = least(A.transposed().entries(), surplus, &weights, LEAST).ok()?;
        (solved == linear::Solved::Unique).then_some(lambda)
    }

    /// A row that the accelerations do not satisfy: one that was left out since it depends on others, or a one-sided one
    /// that pushes nothing.
    pub fn missed(&self, found: &Numbers, system: &System, at: &At) -> Option<NoNumbers> {
        const ROUNDING: f64 = 1e-8;
        const NOTHING: f64 = 1e-14;
        // rows that are not linear in the accelerations hold them
        let at = &at.with(&found.accelerations);
        let values: Vec<f64> = found.accelerations.iter().map(|value| value.1).collect();
        let carried = |s: usize| {
            let rows = self.rows.list.iter().chain(&self.rows.pressed).zip(&found.multipliers);
            rows.map(|(row, (_, lambda))| (at.value(row.A[s]) * lambda).abs()).sum::<f64>()
        };
        // what is solved together is rounded together: a car that runs straight has sideways accelerations of 1e-16
        let largest = largest_alike(system, &values);
        // what is as large as this part of the largest that a force may be is rounding, whatever vanishes with it
        let finely = |e: Expr| at.sizes_of_terms(&[e])[0].max(NOTHING / ROUNDING * at.at_most(e));
        let amount = |row: &Row, size_of: &dyn Fn(Expr) -> f64| {
            let push = |(s, &(force, mass)): (usize, &(Expr, Expr))| {
                // a weight on a spring: the terms of a force, of which nothing may be left
                let push = (size_of(force) + carried(s)) / at.value(mass).abs();
                if push.is_finite() { push } else { 0.0 }
            };
            // and so are the pushes of one solve: feet that stand are pushed up, and slip by the rounding of that
            let pushes = largest_alike(system, &self.pushes.iter().enumerate().map(push).collect::<Vec<f64>>());
            let push = pushes.iter().zip(&largest).map(|(a, b)| a + b);
            let terms = row.A.iter().zip(&values).map(|(&a, value)| at.value(a) * value);
            // forces that balance each other leave accelerations that are rounding
            let pushed: f64 = row.A.iter().zip(push).map(|(&a, push)| (at.value(a) * push).abs()).sum();
            let size: f64 = terms.clone().map(f64::abs).sum::<f64>() + size_of(row.drift) + pushed;
            let amount = terms.sum::<f64>() + at.value(row.drift);
            (amount, ROUNDING * size.max(f64::MIN_POSITIVE))
        };
        // what is large by a coarse measure may be rounding by a finer one: cos(t) near its zero is as far off as t
        let wrong = |row: &Row, is_wrong: &dyn Fn(f64, f64) -> bool| {
            let (left, small) = amount(row, &|e| at.size(e));
            (is_wrong(left, small) && is_wrong(left, small.max(amount(row, &finely).1))).then_some(left)
        };
        let text = expr::decimal;
        let equal = self.rows.left_out.iter().find_map(|row| {
            let is_bound = row.is_one_sided(system);
            wrong(row, &|amount, small| amount.abs() > small && !(is_bound && amount > 0.0)).map(|amount| {
                NoNumbers::NoState(format!(
                    "`{}` depends on other constraints, and cannot hold together with them there: it misses by {}",
                    row.name,
                    text(amount)
                ))
            })
        });
        equal.or_else(|| {
            self.rows.slack.iter().find_map(|row| {
                wrong(row, &|amount, small| amount < -small).map(|amount| {
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
}

/// For each coordinate the largest value of those of its dimension.
fn largest_alike(system: &System, list: &[f64]) -> Vec<f64> {
    let largest = |one: &mechanics::Coordinate| {
        let alike = system.coordinates.iter().zip(list).filter(|(other, _)| other.dimension == one.dimension);
        alike.map(|(_, value)| value.abs()).filter(|value| value.is_finite()).fold(0.0, f64::max)
    };
    system.coordinates.iter().take(list.len()).map(largest).collect()
}

/// What is left of equations at x, the largest, against their terms where each unknown is as large as it must be to count
/// somewhere: accelerations that are rounding have no size of their own.
fn misses_naturally(matrix: &linear::Matrix, x: &[f64], right: &[f64]) -> f64 {
    let terms = |row: &[f64], right: f64| row.iter().zip(x).map(|(a, x)| (a * x).abs()).sum::<f64>() + right.abs();
    let sizes: Vec<f64> = matrix.iter().zip(right).map(|(row, &right)| terms(row, right)).collect();
    let counts = |k: usize| {
        let rows = matrix.iter().zip(&sizes).filter(|(row, _)| row[k] != 0.0);
        rows.map(|(row, size)| size / row[k].abs()).fold(0.0, f64::max)
    };
    let natural: Vec<f64> = (0..x.len()).map(counts).collect();
    let misses = matrix.iter().zip(right).map(|(row, right)| {
        let size: f64 = row.iter().zip(&natural).map(|(a, size)| (a * size).abs()).sum();
        let left = (dot(row, x) - right).abs();
        if left == 0.0 { 0.0 } else { left / size }
    });
    misses.fold(0.0, f64::max)
}

/// The generalized force on each coordinate, and the mass that it moves alone; nothing where that is not known.
fn pushes(given: &Ingredients<'_>) -> Vec<(Expr, Expr)> {
    let known = || {
        let (E, Q) = (given.thawed(given.E().ok()?).ok()?, given.thawed(given.Q().ok()?).ok()?);
        let (mass, _) = expr::linear_coefficients(&E, &given.q_ddot).ok()?;
        Some((0..Q.len()).map(|s| (Q[s], mass[s][s])).collect())
    };
    known().unwrap_or_default()
}

/// Whether the slopes of a row are nothing but the rounding of the state: sin(c) at c = π is 1.2e-16, and as much in error.
fn is_noise(row: &Row, at: &At) -> bool {
    const SMALL: f64 = 1e-12;
    const SHAKEN: f64 = 4e-15;
    let slopes = at.values(&row.A);
    if slopes.iter().any(|slope| slope.is_nan() || slope.abs() >= SMALL) {
        return false;
    }
    let mut shaken: Vec<(Expr, f64)> = Vec::new();
    for symbol in row.A.iter().flat_map(|slope| slope.symbols()) {
        if shaken.iter().all(|one| one.0 != symbol) {
            let (value, place) = (at.value(symbol), shaken.len() as f64);
            shaken.push((symbol, value + SHAKEN * value.abs().max(1.0) / (1.0 + 0.1 * place)));
        }
    }
    let others = at.with(&shaken).values(&row.A);
    slopes.iter().zip(&others).all(|(a, b)| *b == 0.0 || (a - b).abs() > 0.5 * a.abs())
}

/// A trouble in words.
pub fn told(trouble: Trouble, formalism: &Formalism, given: &Ingredients<'_>) -> NoNumbers {
    match trouble {
        Trouble::Valueless(what) => NoNumbers::Undetermined(format!("{what} has no value at this state")),
        Trouble::Astray => {
            let row = given.rows.curved().map_or("a constraint", |row| row.name.as_str());
            NoNumbers::Undetermined(format!(
                "`{row}` is not linear in the accelerations, and Newton's method does not lead to a root near `guess x'' = …` (0 where nothing \
                 is said): guess nearer to the root that is meant, also by the state, as in `guess x'' = a*x'/v`"
            ))
        }
        Trouble::Dependent => NoNumbers::Undetermined("the constraints are not independent at this state".to_owned()),
        Trouble::Singular => match formalism.form(given) {
            Ok(form) => idle(&form, given),
            Err(error) => NoNumbers::NotApplicable(error.to_string()),
        },
    }
}

/// Why the accelerations are not determined: dependent constraints, a coordinate without mass, a singular chart.
fn idle(form: &Form, given: &Ingredients<'_>) -> NoNumbers {
    let A: Vec<Vec<f64>> = given.rows.list.iter().map(|row| given.at.values(&row.A)).collect();
    if let Some(place) = A.iter().position(|row| row.iter().any(|entry| !entry.is_finite())) {
        let row = &given.rows.list[place].name;
        return NoNumbers::Undetermined(format!("the slope of `{row}` has no value at this state"));
    }
    let vanishes = |row: &Vec<f64>| row.iter().all(|entry| entry.abs() < 1e-12);
    let dependent = first_dependent(&linear::Matrix::from(&A), ANGLE).unwrap_or(A.len());
    if let Some(place) = (0..A.len()).find(|&place| vanishes(&A[place]) || place == dependent) {
        let row = &given.rows.list[place].name;
        let others: Vec<String> = given.rows.list[..place].iter().map(|row| format!("`{}`", row.name)).collect();
        return NoNumbers::Undetermined(match vanishes(&A[place]) {
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
