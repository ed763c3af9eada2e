//! What are the accelerations and multipliers: at a state in numbers, at every state as expressions?
//!
//! ```text
//! residuals(x) = 0,  linear in x = (accelerations, multipliers)                                (1)
//! λ from  E − Q = Aᵀλ  at the accelerations found, where a form has no multipliers of its own  (2)
//! ```

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use expr::{At, Expr};
use mechanics::chart::ChartKind;
use mechanics::determined::{Sharing, everything};
use mechanics::form::{Form, Setting};
use mechanics::formalism::Formalism;
use mechanics::friction::Grip;
use mechanics::ingredients::Ingredients;
use mechanics::reaction::Acts;
use mechanics::rows::{Row, Rows};
use mechanics::standing::{Standing, standings};
use mechanics::{Mode, Motion, System, Target, Term, Vector};
use proof::linear::{Matrix, solve};

use crate::grip::Touching;
use crate::{Error, Loaded};

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

/// How a one-sided constraint is violated at a state.
pub fn violation(system: &System, at: &At, place: &str) -> Option<String> {
    let stands = standings(system, at).ok()?;
    let violated = system.constraints.iter().zip(&stands).find(|(_, stand)| stand.standing == Standing::Violated);
    violated.map(|(constraint, stand)| crate::check::state::violation(constraint, stand, place))
}

/// Accelerations and multipliers at a state, and what acts there.
pub struct Solved {
    /// The numbers.
    pub numbers: Numbers,
    /// What acts: without the one-sided constraints that let go, with the rough contact as it goes on.
    pub mode: Mode,
    /// The equations of the mode.
    pub recipe: Rc<Recipe>,
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

/// The recipe of a mode, by the form that was asked for.
type Cooked = (Mode, Option<&'static str>, Rc<Recipe>);

/// What happens at states of a model: its equations are made once for each mode.
pub struct Dynamics<'a> {
    /// The model.
    pub loaded: &'a Loaded,
    /// The chart that the equations are written in.
    pub kind: ChartKind,
    rows: RefCell<Vec<(Mode, Rc<Rows>)>>,
    recipes: RefCell<Vec<Cooked>>,
    mass: OnceCell<Result<Vec<Vec<Expr>>, String>>,
}

impl<'a> Dynamics<'a> {
    /// The dynamics of a model in a chart of that kind.
    pub fn new(loaded: &'a Loaded, kind: ChartKind) -> Dynamics<'a> {
        Dynamics { loaded, kind, rows: RefCell::default(), recipes: RefCell::default(), mass: OnceCell::new() }
    }

    /// The mass matrix, which is the same in every mode.
    pub fn mass(&self) -> Result<&Vec<Vec<Expr>>, String> {
        let made = || {
            let (mode, rows) = (Mode::default(), Rows::default());
            let given = Ingredients::of(&self.loaded.system, &mode, &rows, ChartKind::Rates, &self.loaded.at);
            let E = given.thawed(given.E().map_err(|error| error.to_string())?).map_err(|error| error.to_string())?;
            expr::linear_coefficients(&E, &given.q_ddot).map(|(mass, _)| mass).map_err(|error| error.to_string())
        };
        self.mass.get_or_init(made).as_ref().map_err(Clone::clone)
    }

    /// The rows of a mode, looked at near the state where it is met first.
    pub fn rows(&self, mode: &Mode, at: &At) -> Result<Rc<Rows>, Error> {
        if let Some(known) = self.rows.borrow().iter().find(|known| known.0 == *mode) {
            return Ok(Rc::clone(&known.1));
        }
        let rows = Rc::new(crate::derive::rows(self.loaded, mode, at)?);
        self.rows.borrow_mut().push((mode.clone(), Rc::clone(&rows)));
        Ok(rows)
    }

    /// The accelerations at a state in a mode that does not say how rough contacts hold: a rough contact sticks, slides
    /// or leaves as it must.
    pub fn going_on(&self, mode: &Mode, at: &At, change: Change) -> Result<Result<Solved, NoNumbers>, Error> {
        let (system, mut free) = (&self.loaded.system, mode.clone());
        loop {
            let touching = match crate::grip::touching(system, &free, at, self.kind) {
                Ok(touching) => touching,
                Err(reason) => return Ok(Err(NoNumbers::Undetermined(reason))),
            };
            let mut held = None;
            if let Some(mut touching) = touching.clone() {
                if change == Change::Slips {
                    touching.ways = touching.edge.iter().cloned().collect();
                }
                if let Some(reason) = touching.trouble() {
                    return Ok(Err(NoNumbers::Undetermined(reason)));
                }
                match touching.ways.first().and_then(crate::grip::grip) {
                    None => free = free.releasing(&[touching.rough.gap]),
                    Some(grip) => match free.holding(system, &touching.rough, change.of(grip)) {
                        Ok(mode) => held = Some(mode),
                        Err(error) => return Ok(Err(NoNumbers::Undetermined(error.to_string()))),
                    },
                }
            }
            let is_held = held.is_some();
            match self.numbers(&held.unwrap_or_else(|| free.clone()), at, None)? {
                // another contact lets go, and then this one may hold otherwise
                Ok(found) if is_held && found.mode.released.len() > free.released.len() => {
                    free = Mode { released: found.mode.released, ..free };
                }
                Ok(found) => return Ok(Ok(Solved { touching, ..found })),
                Err(reason) => return Ok(Err(reason)),
            }
        }
    }

    /// The accelerations and multipliers at a state, by a form or the usual one. Closed one-sided constraints whose
    /// multiplier would be negative let go, one after the other, before the form is asked.
    pub fn numbers(
        &self,
        mode: &Mode,
        at: &At,
        wanted: Option<&'static Formalism>,
    ) -> Result<Result<Solved, NoNumbers>, Error> {
        let system = &self.loaded.system;
        if let Some(violation) = violation(system, at, "there") {
            return Ok(Err(NoNumbers::NoState(violation)));
        }
        let mut mode = mode.clone();
        loop {
            // Which constraints let go is found by the usual form; then the one that is wanted has its word.
            let (recipe, found) = match self.by_recipe(&mode, at, None)? {
                Ok(found) => found,
                Err(reason) => return Ok(Err(reason.after_release(system, &mode.released))),
            };
            let rows = &recipe.rows;
            let pulls = |place: &usize| rows.list[*place].is_one_sided(system) && found.multipliers[*place].1 < 0.0;
            let worst = (0..rows.list.len())
                .filter(pulls)
                .min_by(|&i, &j| found.multipliers[i].1.total_cmp(&found.multipliers[j].1));
            if let Some(place) = worst {
                mode = mode.releasing(&[rows.list[place].constraint]);
                continue;
            }
            let (recipe, found) = match wanted.filter(|wanted| wanted.name != recipe.formalism.name) {
                None => (recipe, found),
                Some(wanted) => match self.by_recipe(&mode, at, Some(wanted))? {
                    Ok(found) => found,
                    Err(reason) => return Ok(Err(reason.after_release(system, &mode.released))),
                },
            };
            if let Some(reason) = recipe.missed(&found, system, at) {
                return Ok(Err(reason));
            }
            let opened: Vec<usize> = recipe.rows.slack.iter().map(|row| row.constraint).collect();
            let mode = mode.releasing(&opened);
            return Ok(Ok(Solved { numbers: found, mode, recipe, touching: None }));
        }
    }

    /// The numbers of a mode; its equations are made anew where those of another state are singular here.
    fn by_recipe(
        &self,
        mode: &Mode,
        at: &At,
        wanted: Option<&'static Formalism>,
    ) -> Result<Result<(Rc<Recipe>, Numbers), NoNumbers>, Error> {
        let name = wanted.map(|wanted| wanted.name);
        let is_own = |known: &&Cooked| known.0 == *mode && known.1 == name;
        let known = self.recipes.borrow().iter().find(is_own).map(|known| Rc::clone(&known.2));
        if let Some(recipe) = known
            && let Ok(found) = recipe.numbers(at)
        {
            return Ok(Ok((recipe, found)));
        }
        let system = &self.loaded.system;
        let rows = crate::derive::rows(self.loaded, mode, at)?;
        let given = Ingredients::of(system, mode, &rows, self.kind, at);
        let Some(formalism) = wanted.or_else(|| crate::derive::usual_one(&given)) else {
            return Ok(Err(NoNumbers::NotApplicable("no form applies to this system".to_owned())));
        };
        let found = Recipe::of(formalism, &given).and_then(|recipe| {
            let found = recipe.numbers(at).map_err(|trouble| told(trouble, formalism, &given))?;
            Ok((found, Rc::new(recipe)))
        });
        Ok(found.map(|(found, recipe)| {
            let mut recipes = self.recipes.borrow_mut();
            recipes.retain(|known| !is_own(&known));
            recipes.push((mode.clone(), name, Rc::clone(&recipe)));
            (recipe, found)
        }))
    }
}

/// The accelerations and multipliers at one state.
pub fn numbers(
    loaded: &Loaded,
    mode: &Mode,
    at: &At,
    kind: ChartKind,
    wanted: Option<&'static Formalism>,
) -> Result<Result<Solved, NoNumbers>, Error> {
    Dynamics::new(loaded, kind).numbers(mode, at, wanted)
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
enum Trouble {
    Valueless(&'static str),
    Singular,
    Dependent,
}

impl Recipe {
    /// The recipe without the forms that were derived on the way.
    pub fn without_forms(&self) -> Rc<Recipe> {
        Rc::new(Recipe { forms: Vec::new(), ..self.clone() })
    }

    fn of(formalism: &'static Formalism, given: &Ingredients<'_>) -> Result<Recipe, NoNumbers> {
        let text = |error: &dyn std::fmt::Display| NoNumbers::Undetermined(error.to_string());
        let form = formalism.closed(given).map_err(|error| NoNumbers::NotApplicable(error.to_string()))?;
        let unknowns = form.all_unknowns();
        let (matrix, constants) = expr::linear_coefficients(&form.residuals(), &unknowns).map_err(|error| {
            NoNumbers::Undetermined(format!("the equations are not linear in the accelerations: {error}"))
        })?;
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
            unknowns,
            matrix,
            right: constants.into_iter().map(|constant| -constant).collect(),
            of_motion: form.equations.len(),
            accelerations,
            speeds,
            multipliers: form.multipliers,
            surplus,
            pushes: if is_checked { pushes(given) } else { Vec::new() },
        })
    }

    /// Solves (1) at a state, and (2) if need be.
    fn numbers(&self, at: &At) -> Result<Numbers, Trouble> {
        let right = at.values(&self.right);
        if let Some(place) = right.iter().position(|value| !value.is_finite()) {
            let what = if place < self.of_motion { "an equation of motion" } else { "a constraint" };
            return Err(Trouble::Valueless(what));
        }
        let x = linear::solve::evaluated(at.matrix(&self.matrix), &right).ok().ok_or(Trouble::Singular)?;
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
        let lambda = self.by_balance(&moving.values(surplus), at).ok_or(Trouble::Dependent)?;
        let multipliers = self.rows.list.iter().map(|row| row.lambda).zip(lambda).chain(pressed.iter().copied());
        Ok(Numbers { multipliers: multipliers.collect(), accelerations, speeds })
    }

    /// A Aᵀ λ = A (E − Q), which is (2).
    fn by_balance(&self, surplus: &[f64], at: &At) -> Option<Vec<f64>> {
        let A: Vec<Vec<f64>> = self.rows.list.iter().map(|row| at.values(&row.A)).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let gram: Vec<Vec<f64>> = A.iter().map(|a| A.iter().map(|b| dot(a, b)).collect()).collect();
        linear::solve::evaluated(gram, &A.iter().map(|a| dot(a, surplus)).collect::<Vec<f64>>()).ok()
    }

    /// A row that the accelerations do not satisfy: one that was left out since it depends on others, or a one-sided one
    /// that pushes nothing.
    fn missed(&self, found: &Numbers, system: &System, at: &At) -> Option<NoNumbers> {
        const ROUNDING: f64 = 1e-8;
        let values: Vec<f64> = found.accelerations.iter().map(|value| value.1).collect();
        let push = |&(force, mass): &(Expr, Expr)| {
            Some(at.value(force) / at.value(mass)).filter(|push| push.is_finite()).unwrap_or(0.0)
        };
        let push: Vec<f64> = self.pushes.iter().map(push).collect();
        let amount = |row: &Row| {
            let terms = row.A.iter().zip(&values).map(|(&a, value)| at.value(a) * value);
            // forces that balance each other leave accelerations that are rounding
            let pushed: f64 = row.A.iter().zip(&push).map(|(&a, push)| (at.value(a) * push).abs()).sum();
            let size: f64 = terms.clone().map(f64::abs).sum::<f64>() + at.size(row.drift) + pushed;
            let amount = terms.sum::<f64>() + at.value(row.drift);
            (amount, ROUNDING * size.max(f64::MIN_POSITIVE))
        };
        let text = crate::number::text;
        let equal = self.rows.left_out.iter().find_map(|row| {
            let (amount, small) = amount(row);
            let is_bound = row.is_one_sided(system) && amount > 0.0;
            (amount.abs() > small && !is_bound).then(|| {
                NoNumbers::NoState(format!(
                    "`{}` depends on other constraints, and cannot hold together with them there: it misses by {}",
                    row.name,
                    text(amount)
                ))
            })
        });
        equal.or_else(|| {
            self.rows.slack.iter().find_map(|row| {
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

/// A trouble in words.
fn told(trouble: Trouble, formalism: &Formalism, given: &Ingredients<'_>) -> NoNumbers {
    match trouble {
        Trouble::Valueless(what) => NoNumbers::Undetermined(format!("{what} has no value at this state")),
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
    gram.iter().enumerate().all(|(k, row)| row[k] > 0.0)
        && linear::solve::evaluated(gram, &vec![0.0; rows.len()]).ok().is_some()
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

    fn settled(&self, e: Expr) -> Result<Expr, String> {
        let is_sharing = |row: &&Row| !self.given.rows.list.iter().any(|one| one.name == row.name);
        let others: Vec<&Row> = self.given.rows.left_out.iter().filter(is_sharing).collect();
        if self.given.rows.left_out.is_empty() || !e.symbols().iter().any(|symbol| is_multiplier(*symbol)) {
            return Ok(e);
        }
        let acts = Acts::from(self.given);
        Sharing::of(&acts).settled(e, &acts)?;
        let nothing: Vec<(Expr, Expr)> = others.iter().map(|row| (row.lambda, Expr::zero())).collect();
        expr::substitute(&[e], &nothing).map(|made| made[0]).map_err(|error| error.to_string())
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
