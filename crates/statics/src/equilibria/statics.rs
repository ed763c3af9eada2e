//! Which equations does a system at rest satisfy?
//!
//! ```text
//! Q − E + Aᵀλ = 0      forces and reactions balance, at q' = 0, q'' = 0; E is not 0 where a frame turns          (1)
//! f(q, t) = 0          the geometric constraints hold, at every t                                                (2)
//! a'(q, a, t) = 0      first-order states do not change: they are put into (1) as functions of q (lawful.rs)
//! a(q, t) = 0          what the other constraints say about rates and accelerations that are 0                    (3)
//! ```
//!
//! A coordinate that is prescribed to turn steadily, or that the question names, is not at rest but at its
//! rate: then (1) to (3) are those of relative equilibrium. A row on rates keeps its multiplier in (1): that Q vanishes by
//! itself would be right for holonomic constraints only. Coordinates that nothing depends on are left out.

use expr::{Expr, Substitution};
use mechanics::chart::ChartKind;
use mechanics::form::FormError;
use mechanics::ingredients::Ingredients;
use mechanics::rows::{Row, Rows};
use mechanics::{Mode, System};
use proof::Assumptions;

use super::kink::{Kink, kinks};
use super::lawful::Lawful;
use super::{Trouble, bad, damping, instants, period};
use engine::Loaded;

/// A coordinate that turns steadily.
#[derive(Clone, Debug)]
pub struct Turning {
    /// Which one.
    pub coordinate: usize,
    /// How fast.
    pub rate: Expr,
    /// Where it is.
    pub position: Expr,
    /// Whether a constraint prescribes it; otherwise it is free to change.
    pub is_prescribed: bool,
}

/// A load that is looked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Its name.
    pub name: String,
    /// Its symbol.
    pub symbol: Expr,
}

/// The equations (1) to (3).
#[derive(Clone, Debug)]
pub struct Statics {
    /// Names of all coordinates.
    pub names: Vec<String>,
    /// All coordinates.
    pub q: Vec<Expr>,
    /// Those that are looked for.
    pub searched: Vec<usize>,
    /// Those that nothing depends on.
    pub free: Vec<usize>,
    /// The one of them whose momentum is constant whatever the motion, if others stand in that momentum.
    pub cyclic: Option<usize>,
    /// Those that turn.
    pub turning: Vec<Turning>,
    /// What acts.
    pub mode: Mode,
    /// Functions of the place that one-sided constraints and assumptions bound.
    pub bounds: Vec<Expr>,
    /// The constraints that act.
    pub rows: Rows,
    /// A at rest, for the rows of the list and those left out of it.
    pub slopes: Vec<Vec<Expr>>,
    /// Loads that are looked for.
    pub loads: Vec<Wanted>,
    /// Q − E at rest, for each coordinate.
    pub force: Vec<Expr>,
    /// (2) and (3), with the names of their rows.
    pub conditions: Vec<(String, Expr)>,
    /// E − Q − Aᵀλ at any motion; coordinates that are prescribed to turn have turned.
    pub motion: Vec<Expr>,
    /// First-order states, and what they are at rest.
    pub lawful: Lawful,
    /// Whether time stands in an equation: what does.
    pub timed: Option<String>,
    /// The instants at which equations must hold: one, or several if time stands in them.
    pub instants: Vec<f64>,
    /// A condition that no rest satisfies: the name of its row, and what would have to vanish.
    pub never: Option<(String, Expr)>,
    /// What changes with time, if the equations of rest do not and those of motion do.
    pub driven: Option<String>,
    /// The time after which the equations come back, if they depend on time and do.
    pub period: Option<Expr>,
    /// Whether the equations of motion are linear.
    pub is_linear: bool,
    /// Whether the slopes of all forces at rest are symmetric, at every instant.
    pub is_symmetric: bool,
    /// Whether all forces at rest have a potential that stays as it is.
    pub is_potential: bool,
    /// Whether inertial forces act at rest, since a frame turns or a support is accelerated.
    pub is_carried: bool,
    /// What the forces that depend on rates do.
    pub damping: Damping,
    /// Parts of the forces that switch with the coordinates.
    pub kinks: Vec<Kink>,
    /// A part of a force that jumps with the rates where all is at rest: dry friction.
    pub sticks: Option<String>,
}

/// What forces that depend on rates do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damping {
    /// There are none.
    None,
    /// They come from dampers and dissipation functions that never feed energy.
    Dissipative,
    /// They come from dampers and dissipation functions, and may feed energy away from rest.
    Doubtful,
    /// Nothing is known.
    Other,
}

impl Statics {
    /// The equations of a system in a mode, with these rows. `relative` are coordinates that turn, each with its rate; `loads` are
    /// looked for.
    pub fn new(
        loaded: &Loaded,
        mode: Mode,
        rows: Rows,
        relative: &[(usize, Expr)],
        loads: Vec<Wanted>,
        notes: &mut Vec<String>,
    ) -> Result<Statics, Trouble> {
        let system = &loaded.system;
        let any = AnyMotion::of(loaded, &mode, &rows, inputs(system, &loads, notes))?;
        let turning = turning(system, &rows, relative);
        let rest = AtRest::of(system, &turning);
        let mut lawful = Lawful::of(system, &rest.0, |list| put_in(&any.inputs, list), &loaded.at)?;
        let force = lawful.resting(&rest.put(&any.forces())?)?.into_iter().map(tidied).collect::<Vec<_>>();
        let (slopes, conditions) = (rest.slopes(&rows, &any.A)?, rest.conditions(&rows, &any)?);
        let felt = Felt::of(&force, &slopes, &conditions, assuming(system, &mode));
        let (searched, free) = felt.coordinates(system, &turning)?;
        let timed = felt.timed(system, &conditions, &force)?;
        let told = force.iter().chain(conditions.iter().map(|one| &one.1)).chain(slopes.iter().flatten()).copied();
        let instants = asked_at(loaded, timed.as_deref(), &told.collect::<Vec<_>>(), notes);
        let q = system.q();
        let potential = felt.potential(&lawful, &force, &q, &searched, &pushed(&free, &turning))?;
        notes_once(notes, (potential == Potential::Open).then(|| NO_POTENTIAL.to_owned()));
        notes_once(notes, any.sticks(system).as_deref().map(tell_sticking));
        lawful.motion = any.turned(system, &turning, &rows)?;
        let motion = lawful.resting(&lawful.motion)?;
        let driven = if timed.is_none() { felt.driven(system, &motion)? } else { None };
        let period = timed.as_ref().or(driven.as_ref()).and_then(|_| period::period(&motion, system.time));
        let kinks = told_kinks(&force, &q, notes);
        let made = Statics {
            cyclic: None,
            names: system.coordinates.iter().map(|coordinate| coordinate.name.clone()).collect(),
            is_linear: rows.list.is_empty() && lawful.is_empty() && is_linear(system, &motion),
            damping: damping::damping(loaded, &mode, &any.Q, &turning)?,
            motion,
            driven,
            period,
            never: never(&conditions, &q, &searched),
            is_symmetric: potential == Potential::Yes,
            is_potential: potential == Potential::Yes && timed.is_none(),
            is_carried: rest.put(&any.E)?.iter().any(|e| !e.is_zero()),
            kinks,
            sticks: any.sticks(system),
            q,
            searched,
            free,
            turning,
            bounds: bounds(system, &mode),
            mode,
            rows,
            slopes,
            loads,
            force,
            conditions,
            lawful,
            timed,
            instants,
        };
        Ok(Statics { cyclic: made.cyclic(system, &any.A)?, ..made })
    }

    /// The one coordinate that nothing depends on, whatever the motion, if the rates of others are in its momentum at rest. Masses
    /// that depend on places have no such momentum.
    fn cyclic(&self, system: &System, A: &[Vec<Expr>]) -> Result<Option<usize>, Trouble> {
        let (q, q_dot) = (&self.q, system.q_dot());
        let is_fixed = |mass: Expr| !mass.symbols().iter().any(|symbol| q.contains(symbol));
        let points = system.points.iter().filter_map(|point| point.mass);
        let masses = points.chain(system.bodies.iter().map(|body| body.mass)).all(is_fixed);
        let is_kept = self.damping == Damping::None && self.is_potential && !self.is_timed() && masses;
        if !is_kept || self.turning.iter().any(|one| !one.is_prescribed) {
            return Ok(None);
        }
        let rest: Substitution = q_dot.iter().chain(&system.q_ddot()).map(|&rate| (rate, Expr::zero())).collect();
        let none = Assumptions::none();
        let feels = |e: Expr, symbol: Expr| {
            e.symbols().contains(&symbol) && !expr::derivative(e, symbol).is_ok_and(|slope| vanishes(slope, &none))
        };
        let mut list = Vec::new();
        for &s in &self.free {
            if self.motion.iter().any(|e| feels(*e, q[s]))
                || !self.force[s].is_zero()
                || A.iter().any(|row| !row[s].is_zero())
            {
                continue;
            }
            let slopes = expr::gradient(self.motion[s], &q_dot).and_then(|slopes| rest.apply(&slopes)).map_err(math)?;
            if slopes.iter().any(|slope| !slope.is_zero()) {
                list.push(s);
            }
        }
        Ok(if let [s] = list[..] { Some(s) } else { None })
    }

    /// The coordinates that move: all but those that are prescribed to turn.
    pub fn moving(&self) -> impl Iterator<Item = usize> {
        let is_prescribed = |s: usize| self.turning.iter().any(|one| one.is_prescribed && one.coordinate == s);
        (0..self.q.len()).filter(move |&s| !is_prescribed(s))
    }

    /// Whether time stands in the equations of rest or of motion.
    pub fn is_timed(&self) -> bool {
        self.timed.is_some() || self.driven.is_some()
    }

    /// Why no place can be a rest.
    pub fn inadmissible(&self) -> Option<String> {
        let (name, rest) = self.never.as_ref()?;
        Some(format!("`{name}` allows no rest: a system at rest would need {} = 0", rest.brief()))
    }

    /// All equations: (1) without those that hold identically, then (2) and (3).
    pub fn equations(&self) -> Vec<(String, Expr)> {
        let reaction =
            |s: usize| -> Expr { self.rows.list.iter().zip(&self.slopes).map(|(row, a)| a[s] * row.lambda).sum() };
        let balance = (0..self.q.len()).map(|s| (self.names[s].clone(), self.force[s] + reaction(s)));
        let all = balance.chain(self.conditions.iter().cloned());
        all.filter(|(_, e)| *e != Expr::zero() && !e.is_zero()).collect()
    }

    /// Whether some rows are on rates and cannot be integrated: then the set is a family, as a rule.
    pub fn is_nonholonomic(&self) -> bool {
        self.rows.list.iter().any(|row| row.order > 0)
    }

    /// Whether the equations, and what bounds the places, are the same after a full turn of a coordinate.
    pub fn is_angle(&self, s: usize) -> bool {
        !self.is_bounded(s) && self.equations().iter().all(|(_, e)| self.comes_back(s, *e))
    }

    /// Whether the forces come back after a full turn of a coordinate and a bound does not, as with a wall at `phi <= 1/2`: then
    /// whole turns of one place are different places.
    pub fn is_bounded_angle(&self, s: usize) -> bool {
        let is_felt = self.force.iter().any(|e| e.symbols().contains(&self.q[s]));
        is_felt && self.is_bounded(s) && self.force.iter().all(|e| self.comes_back(s, *e))
    }

    fn is_bounded(&self, s: usize) -> bool {
        !self.bounds.iter().all(|e| self.comes_back(s, *e))
    }

    /// Whether an expression is the same after a full turn of a coordinate.
    fn comes_back(&self, s: usize, e: Expr) -> bool {
        let turned = Substitution::from([(self.q[s], self.q[s] + 2 * expr::pi())]);
        !e.symbols().contains(&self.q[s]) || turned.apply_one(e).is_ok_and(|made| made.is_same(e))
    }
}

/// What one-sided constraints, closed or open, and assumptions say about places.
fn bounds(system: &System, mode: &Mode) -> Vec<Expr> {
    let one_sided = system.constraints.iter().filter(|one| one.is_one_sided()).flat_map(|one| one.rows.iter().copied());
    let assumed = mode.bounds(system).into_iter();
    let is_of_place = |e: &Expr| !e.symbols().iter().any(|one| one.as_symbol().is_some_and(|one| one.order > 0));
    one_sided.chain(assumed.map(|(left, _, right)| left - right)).filter(is_of_place).collect()
}

fn wrong(error: String) -> Trouble {
    bad(&format!("the equations have no derivative: {error}"), "is a force smooth there?")
}

fn no_equations(error: FormError) -> Trouble {
    match error {
        FormError::PlaneInertia { .. } => bad(&error.to_string(), "the entries are those of the matrix in its frame"),
        error => wrong(error.to_string()),
    }
}

pub(crate) fn math(error: expr::MathError) -> Trouble {
    wrong(error.to_string())
}

/// What the equations say of any motion, with inputs put in.
struct AnyMotion {
    inputs: Substitution,
    E: Vec<Expr>,
    Q: Vec<Expr>,
    /// The slopes of the rows of the list and those left out of it.
    A: Vec<Vec<Expr>>,
}

impl AnyMotion {
    fn of(loaded: &Loaded, mode: &Mode, rows: &Rows, inputs: Substitution) -> Result<AnyMotion, Trouble> {
        let none = Rows::default();
        let given = Ingredients::of(&loaded.system, mode, &none, ChartKind::Rates, &loaded.at);
        let (E, Q) = (given.E().map_err(no_equations)?, given.Q().map_err(no_equations)?);
        let (E, Q) = (given.thawed(E).map_err(math)?, given.thawed(Q).map_err(math)?);
        let (E, Q) = (put_in(&inputs, &E)?, put_in(&inputs, &Q)?);
        let A = rows.list.iter().chain(&rows.left_out).map(|row| put_in(&inputs, &row.A)).collect::<Result<_, _>>()?;
        Ok(AnyMotion { inputs, E, Q, A })
    }

    /// Q − E.
    fn forces(&self) -> Vec<Expr> {
        self.Q.iter().zip(&self.E).map(|(&force, &inertia)| force - inertia).collect()
    }

    /// E − Q − Aᵀλ, where coordinates that are prescribed to turn have turned, whatever the others do.
    fn turned(&self, system: &System, turning: &[Turning], rows: &Rows) -> Result<Vec<Expr>, Trouble> {
        let (q, q_dot, q_ddot) = (system.q(), system.q_dot(), system.q_ddot());
        let mut turned = Substitution::new();
        for one in turning.iter().filter(|one| one.is_prescribed) {
            let s = one.coordinate;
            turned.extend([(q[s], one.position), (q_dot[s], one.rate), (q_ddot[s], Expr::zero())]);
        }
        let reaction = |s: usize| -> Expr { rows.list.iter().zip(&self.A).map(|(row, a)| a[s] * row.lambda).sum() };
        let motion: Vec<Expr> = (0..q.len()).map(|s| self.E[s] - self.Q[s] - reaction(s)).collect();
        turned.apply(&motion).map_err(math)
    }

    /// A part of a force that jumps with the rates where all is at rest.
    fn sticks(&self, system: &System) -> Option<String> {
        let still = still(system);
        let switches = kinks(&self.Q, &system.q_dot()).into_iter().filter(|kink| kink.jumps);
        let at_once = |kink: &Kink| still.apply_one(kink.switch).is_ok_and(|put| put.is_zero());
        switches.filter(at_once).map(|kink| kink.part.brief()).next()
    }
}

/// The rates put to zero.
pub fn still(system: &System) -> Substitution {
    system.q_dot().into_iter().map(|rate| (rate, Expr::zero())).collect()
}

/// Inputs put in, the last one first, since it may name others.
fn put_in(inputs: &Substitution, list: &[Expr]) -> Result<Vec<Expr>, Trouble> {
    inputs.iter().rev().try_fold(list.to_vec(), |list, input| Substitution::from([*input]).apply(&list)).map_err(math)
}

/// What to put in where everything is at rest, or turns as it is said to.
struct AtRest(Substitution);

impl AtRest {
    fn of(system: &System, turning: &[Turning]) -> AtRest {
        let (q, q_dot, q_ddot) = (system.q(), system.q_dot(), system.q_ddot());
        let mut rest = Substitution::new();
        for s in 0..q.len() {
            let own = turning.iter().find(|one| one.coordinate == s);
            rest.insert(q_dot[s], own.map_or_else(Expr::zero, |one| one.rate));
            rest.insert(q_ddot[s], Expr::zero());
            rest.extend(own.map(|one| (q[s], one.position)));
        }
        AtRest(rest)
    }

    fn put(&self, list: &[Expr]) -> Result<Vec<Expr>, Trouble> {
        self.0.apply(list).map_err(math)
    }

    /// A at rest, for the rows of the list and those left out of it.
    fn slopes(&self, rows: &Rows, A: &[Vec<Expr>]) -> Result<Vec<Vec<Expr>>, Trouble> {
        let slope = |(row, a): (&Row, &Vec<Expr>)| {
            self.0.apply(a).map_err(|_| {
                let message = format!("`{}` does not say what it allows at rest: it divides by rates", row.name);
                let hint = "its equilibria cannot be found; without the constraint, or with it on positions, they can";
                bad(&message, hint)
            })
        };
        rows.list.iter().chain(&rows.left_out).zip(A).map(slope).collect()
    }

    /// (2) and (3).
    fn conditions(&self, rows: &Rows, any: &AnyMotion) -> Result<Vec<(String, Expr)>, Trouble> {
        let mut conditions = Vec::new();
        for row in &rows.list {
            let rate = row.velocity.filter(|_| row.order == 0);
            let said: Vec<Expr> = [row.f].into_iter().chain(rate).collect();
            for e in self.put(&put_in(&any.inputs, &said)?)? {
                if !e.is_zero() {
                    conditions.push((row.name.clone(), tidied(e)));
                }
            }
        }
        Ok(conditions)
    }
}

/// All equations at rest, and what may be relied on: what do they depend on?
struct Felt {
    all: Vec<Expr>,
    assuming: Assumptions,
}

impl Felt {
    fn of(force: &[Expr], slopes: &[Vec<Expr>], conditions: &[(String, Expr)], assuming: Assumptions) -> Felt {
        let all = force.iter().chain(slopes.iter().flatten()).chain(conditions.iter().map(|one| &one.1));
        Felt { all: all.copied().collect(), assuming }
    }

    /// A signature refutes; that nothing changes is proved. What jumps has no slope and depends all the same.
    fn depends(&self, e: Expr, symbol: Expr) -> Result<bool, Trouble> {
        let jumps = || kinks(&[e], &[symbol]).iter().any(|kink| kink.jumps);
        Ok(e.symbols().contains(&symbol)
            && (jumps() || !vanishes(expr::derivative(e, symbol).map_err(math)?, &self.assuming)))
    }

    /// Coordinates that are looked for, and those that nothing depends on.
    fn coordinates(&self, system: &System, turning: &[Turning]) -> Result<(Vec<usize>, Vec<usize>), Trouble> {
        let (mut searched, mut free) = (Vec::new(), Vec::new());
        for (s, q) in system.q().into_iter().enumerate() {
            if turning.iter().any(|one| one.coordinate == s) {
                continue;
            }
            let mut is_felt = false;
            for e in &self.all {
                is_felt = is_felt || self.depends(*e, q)?;
            }
            if is_felt { searched.push(s) } else { free.push(s) }
        }
        Ok((searched, free))
    }

    /// What time stands in.
    fn timed(&self, system: &System, conditions: &[(String, Expr)], force: &[Expr]) -> Result<Option<String>, Trouble> {
        let conditions = conditions.iter().map(|(name, e)| (format!("`{name}`"), *e));
        let forces = system.coordinates.iter().zip(force);
        let forces = forces.map(|(coordinate, e)| (format!("the force on `{}`", coordinate.name), *e));
        for (what, e) in conditions.chain(forces) {
            if self.depends(e, system.time)? {
                return Ok(Some(what));
            }
        }
        Ok(None)
    }
}

impl Felt {
    /// Whether the forces have a potential. What states do has none, even if at rest it looks so. `pushed` are the coordinates
    /// that nothing depends on: forces act on them all the same.
    fn potential(
        &self,
        lawful: &Lawful,
        force: &[Expr],
        q: &[Expr],
        searched: &[usize],
        pushed: &[usize],
    ) -> Result<Potential, Trouble> {
        match lawful.is_empty() {
            true => potential(force, q, searched, pushed, &self.assuming).map_err(math),
            false => Ok(Potential::No),
        }
    }

    /// What time stands in, of the equations of motion.
    fn driven(&self, system: &System, motion: &[Expr]) -> Result<Option<String>, Trouble> {
        for (coordinate, &e) in system.coordinates.iter().zip(motion) {
            if self.depends(e, system.time)? {
                return Ok(Some(format!("the equation of motion of `{}`", coordinate.name)));
            }
        }
        Ok(None)
    }
}

/// Whether equations of motion are linear in coordinates, rates and accelerations.
fn is_linear(system: &System, motion: &[Expr]) -> bool {
    let all: Vec<Expr> = [system.q(), system.q_dot(), system.q_ddot()].concat();
    let Ok((matrix, rest)) = expr::linear_coefficients(motion, &all) else { return false };
    let is_plain = |e: &Expr| !e.symbols().iter().any(|symbol| all.contains(symbol));
    matrix.iter().flatten().chain(&rest).all(is_plain)
}

/// A condition that no rest satisfies: no coordinate that is looked for stands in it.
fn never(conditions: &[(String, Expr)], q: &[Expr], searched: &[usize]) -> Option<(String, Expr)> {
    let is_moving = |e: Expr| e.symbols().iter().any(|symbol| searched.iter().any(|&s| q[s] == *symbol));
    conditions.iter().find(|(_, e)| !is_moving(*e) && !e.is_zero()).cloned()
}

/// Zero where it is zero.
fn tidied(e: Expr) -> Expr {
    if e.is_zero() { Expr::zero() } else { e }
}

/// What inputs are: a value, 0, or themselves if they are looked for.
fn inputs(system: &System, loads: &[Wanted], notes: &mut Vec<String>) -> Substitution {
    let mut list = Substitution::new();
    for input in system.inputs.iter().filter(|input| !loads.iter().any(|load| load.symbol == input.symbol)) {
        if input.value.is_none() && !input.is_rate() {
            notes_once(notes, Some(format!("`{}` has no value: it is taken as 0", input.name)));
        }
        list.insert(input.symbol, input.value.unwrap_or_else(Expr::zero));
    }
    list
}

/// Coordinates that are prescribed to turn steadily, and those that the user names.
fn turning(system: &System, rows: &Rows, relative: &[(usize, Expr)]) -> Vec<Turning> {
    let q = system.q();
    let is_constant = |e: Expr| e.symbols().iter().all(|symbol| *symbol != system.time && !q.contains(symbol));
    let mut list: Vec<Turning> = Vec::new();
    for row in rows.list.iter().filter(|row| row.order == 0) {
        let own: Vec<usize> = (0..q.len()).filter(|&s| row.A[s] != Expr::zero()).collect();
        let [s] = own[..] else { continue };
        let Ok(by_time) = expr::derivative(row.f, system.time) else { continue };
        let is_steady = is_constant(row.A[s]) && is_constant(by_time) && !by_time.is_zero();
        if !is_steady || !is_turn(system, s) || list.iter().any(|one| one.coordinate == s) {
            continue;
        }
        let (Ok(rate), Ok(gap)) = ((-by_time).try_div(row.A[s]), row.f.try_div(row.A[s])) else { continue };
        let Ok(position) = expr::expand(q[s] - gap) else { continue };
        if position.symbols().contains(&q[s]) {
            continue;
        }
        list.push(Turning { coordinate: s, rate, position, is_prescribed: true });
    }
    for &(s, rate) in relative {
        if !list.iter().any(|one| one.coordinate == s) {
            list.push(Turning { coordinate: s, rate, position: rate * system.time, is_prescribed: false });
        }
    }
    list
}

/// Coordinates that nothing depends on: free ones, and those that turn freely.
fn pushed(free: &[usize], turning: &[Turning]) -> Vec<usize> {
    let loose = turning.iter().filter(|one| !one.is_prescribed).map(|one| one.coordinate);
    free.iter().copied().chain(loose).collect()
}

/// Whether a coordinate is an angle: by its unit, or since places come back after a full turn.
fn is_turn(system: &System, s: usize) -> bool {
    if let Some(dimension) = &system.coordinates[s].dimension {
        return dimension.unit().is_empty();
    }
    let q = system.coordinates[s].q;
    let places = system.points.iter().map(|point| point.position).chain(system.bodies.iter().map(|body| body.centre));
    let parts: Vec<Expr> = places.flat_map(|place| place.0).filter(|e| e.symbols().contains(&q)).collect();
    let same =
        |e: &Expr| Substitution::from([(q, q + 2 * expr::pi())]).apply_one(*e).is_ok_and(|made| made.is_same(*e));
    !parts.is_empty() && parts.iter().all(same)
}

/// What is said where nobody knows.
const NO_POTENTIAL: &str = "it was not proved that the forces have a potential: no energy argument is used";

/// Do forces have a potential?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Potential {
    /// Proved.
    Yes,
    /// Refuted.
    No,
    /// Neither.
    Open,
}

/// ∂Q_i/∂q_j = ∂Q_j/∂q_i: refuted by signatures, proved by `proof`. Nothing depends on the coordinates that are `pushed`, so
/// that for them one side is 0.
fn potential(
    force: &[Expr],
    q: &[Expr],
    searched: &[usize],
    pushed: &[usize],
    assuming: &Assumptions,
) -> Result<Potential, expr::MathError> {
    let slope = |i: usize, j: usize| expr::derivative(force[searched[i]], q[searched[j]]);
    let mut gaps = Vec::new();
    for i in 0..searched.len() {
        for j in 0..i {
            gaps.push(slope(i, j)? - slope(j, i)?);
        }
    }
    for &i in pushed {
        for &j in searched {
            gaps.push(expr::derivative(force[i], q[j])?);
        }
    }
    if gaps.iter().any(|gap| !gap.is_zero()) {
        return Ok(Potential::No);
    }
    let is_proved = proof::decide_all(&gaps, assuming).iter().all(proof::Verdict::is_zero);
    Ok(if is_proved { Potential::Yes } else { Potential::Open })
}

/// What the model assumes.
fn assuming(system: &System, mode: &Mode) -> Assumptions {
    let relations = mode.bounds(system).into_iter();
    relations.fold(Assumptions::none(), |all, (left, comparison, right)| all.and(left, comparison, right))
}

/// Is it proved to vanish? A signature is enough to say no.
fn vanishes(e: Expr, assuming: &Assumptions) -> bool {
    e == Expr::zero() || (e.is_zero() && proof::decide(e, assuming).is_zero())
}

/// A note is told once.
fn notes_once(notes: &mut Vec<String>, note: Option<String>) {
    notes.extend(note.filter(|note| !notes.contains(note)));
}

/// The instants at which equations are asked, with a note if time stands in them.
fn asked_at(loaded: &Loaded, timed: Option<&str>, told: &[Expr], notes: &mut Vec<String>) -> Vec<f64> {
    let instants = instants::instants(loaded, timed.is_some(), told);
    notes_once(notes, timed.map(|what| tell_time(what, instants.len())));
    instants
}

/// Where forces switch with the coordinates, with a note if one jumps.
fn told_kinks(force: &[Expr], q: &[Expr], notes: &mut Vec<String>) -> Vec<Kink> {
    let kinks = kinks(force, q);
    notes_once(notes, kinks.iter().find(|kink| kink.jumps).map(tell_jump));
    kinks
}

/// Says that time stands in the equations.
fn tell_time(what: &str, instants: usize) -> String {
    let count = if instants == 3 { "three".to_owned() } else { instants.to_string() };
    format!("time stands in {what}: places are asked at {count} instants, which is no proof for all")
}

/// Says that a force jumps with the rates.
fn tell_sticking(part: &str) -> String {
    format!(
        "`{part}` in a force jumps where nothing moves, as dry friction does: a system may stick wherever the other \
         forces are smaller than the jump, and such places are not found from equations at rest"
    )
}

/// Says that a force jumps with the coordinates.
fn tell_jump(kink: &Kink) -> String {
    format!(
        "`{}` jumps: where a force jumps through zero without being zero, a system may rest too, and such places are \
         not found",
        kink.part.brief()
    )
}
