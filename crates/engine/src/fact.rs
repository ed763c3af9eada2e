//! What does a fact need before it can be judged, and does it hold?
//!
//! ```text
//! freedoms = e                          the count of the constraints                 here
//! relation of t, q, q' at a state       the numbers of that state                    here
//!   with accelerations, multipliers …   the equations of motion at that state        here
//! relation of t, q, q', q'', λ …        a proof on every motion                      here, or prove
//! constant e                            a proof that e' = 0 on every motion          here, or integrals
//! at t = …, event …                     a motion                                     here, or simulate
//! equilibrium …                         the place, and the motion near it            here
//! ```
//!
//! [`needs`] is the one place that says so; [`Judge::judge`] the one that answers. A verb that learns to answer takes
//! the place of `waiting` there.
//!
//! `within w` means |left − right| ≤ w, in each component, in SI units. Without it, numbers must agree to rounding:
//! |left − right| ≤ 1e-12 times the size of the terms. A relation without `at` is proved with the values of the
//! parameters, at every state that the constraints allow; it is missed only if an allowed state refutes it. One-sided
//! constraints and those with `from` or `until` act in some motions only: such a proof does without them, and where
//! they exist also without the equations of motion, which would need their reactions.

use std::cell::OnceCell;

use expr::{At, Comparison, Expr, Kind};
use mechanics::constraint::{self, Report, Row, Space};
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;
use mechanics::{Equation, Fact, Mode, Place, Reading, Relation, StartReport, Statement, System, Term};
use proof::{Assumptions, Obstacle, Verdict};

use crate::dynamics::{Change, Dynamics, Explicit, Known, NoNumbers, Solved};
use crate::simulate::Expected;
use crate::{Alone, Error, Field, Loaded, Progress};

/// Numbers that differ by less than this, against the size of their terms, are equal.
const ROUNDING: f64 = 1e-12;
/// Constraints are solved for rates and accelerations to prove a fact if there are no more than this.
const MOST_ROWS: usize = 60;
/// Facts about every motion are proved for no more coordinates than this.
const MOST_COORDINATES: usize = 30;

/// What must be known before a fact can be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The degrees of freedom.
    Counts,
    /// Positions and rates at a state.
    State,
    /// Accelerations, reactions or energies at a state.
    Dynamics,
    /// What holds on every motion.
    Proof,
    /// What is constant on every motion.
    Integral,
    /// The motion from the start.
    Motion,
    /// The equilibria.
    Equilibria,
}

impl Needs {
    /// The verb that finds it; `None` if `check` knows.
    pub fn verb(self) -> Option<&'static str> {
        match self {
            Needs::Counts | Needs::State | Needs::Dynamics => None,
            Needs::Proof => Some("prove"),
            Needs::Integral => Some("integrals"),
            Needs::Motion => Some("simulate"),
            Needs::Equilibria => Some("equilibria"),
        }
    }
}

/// What a fact needs.
pub fn needs(fact: &Fact, start: &StartReport) -> Needs {
    match fact {
        Fact::Freedoms(_) => Needs::Counts,
        Fact::Constant { .. } => Needs::Integral,
        Fact::Event { .. } => Needs::Motion,
        Fact::Equilibrium { .. } => Needs::Equilibria,
        Fact::Relation { at: None, .. } => Needs::Proof,
        Fact::Relation { at: Some(at), .. } if is_later(at, start) => Needs::Motion,
        Fact::Relation { relation, .. } if is_kinematic(relation) => Needs::State,
        Fact::Relation { .. } => Needs::Dynamics,
    }
}

/// Whether nothing but a time is said, and it is not that of the start.
fn is_later(at: &Place, start: &StartReport) -> bool {
    times(at).is_some_and(|times| times.iter().any(|time| start.time.exact.is_none_or(|first| !time.is_same(first))))
}

/// The times, if nothing but the time is said.
pub fn times(at: &Place) -> Option<Vec<Expr>> {
    let Place::Equations(equations) = at else { return None };
    let time = expr::time();
    let value = |equation: &Relation| match equation.scalars()? {
        (left, _, right) if left == time => Some(right),
        (left, _, right) if right == time => Some(left),
        _ => None,
    };
    equations.iter().map(value).collect()
}

/// Whether time, positions, rates and constants say it all.
fn is_kinematic(relation: &Relation) -> bool {
    components(relation).is_some_and(|sides| sides.iter().all(|(left, right)| !accelerates(*left - *right)))
}

/// The sides of a relation, component by component; `None` if only a motion knows them.
pub fn components(relation: &Relation) -> Option<Vec<(Expr, Expr)>> {
    match (&relation.left, &relation.right) {
        (Term::Scalar(left), Term::Scalar(right)) => Some(vec![(*left, *right)]),
        (Term::Vector(left), Term::Vector(right)) => Some(left.0.into_iter().zip(right.0).collect()),
        _ => None,
    }
}

/// Whether accelerations or multipliers occur.
fn needs_dynamics(e: Expr) -> bool {
    let unknown = |symbol: &expr::Symbol| symbol.order >= 2 || symbol.kind == Kind::Multiplier || is_u_dot(symbol);
    e.symbols().iter().any(|symbol| symbol.as_symbol().is_some_and(|symbol| unknown(&symbol)))
}

fn is_u_dot(symbol: &expr::Symbol) -> bool {
    symbol.kind == Kind::QuasiVelocity && symbol.order == 1
}

fn accelerates(e: Expr) -> bool {
    e.symbols().iter().any(|symbol| symbol.as_symbol().is_some_and(|symbol| symbol.order >= 2))
}

/// What came of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Does it hold? `None` if that is not known yet.
    pub holds: Option<bool>,
    /// What would tell: a verb, or the value of a parameter.
    pub waiting_for: Option<String>,
    /// What was found, where that needs words.
    pub reason: Option<String>,
}

impl Judged {
    /// It holds.
    pub fn yes() -> Judged {
        Judged { holds: Some(true), waiting_for: None, reason: None }
    }

    /// It does not hold.
    pub fn no(reason: String) -> Judged {
        Judged { holds: Some(false), waiting_for: None, reason: Some(reason) }
    }

    /// Nobody knows, for this reason.
    pub fn not_told(reason: String) -> Judged {
        Judged { holds: None, waiting_for: None, reason: Some(reason) }
    }

    fn waiting(needs: Needs) -> Judged {
        Judged { holds: None, waiting_for: needs.verb().map(str::to_owned), reason: None }
    }

    fn without_value(names: &[String]) -> Judged {
        Judged { holds: None, waiting_for: Some(format!("a value of {}", names.join(", "))), reason: None }
    }
}

/// Who judges facts: a system at its start, and what its constraints say.
pub struct Judge<'a> {
    loaded: &'a Loaded,
    rows: &'a [Row],
    space: &'a Space,
    report: &'a Report,
    /// The degrees of freedom at the start.
    freedoms: usize,
    /// Whether every constraint of the system is one of `rows`.
    all_rows: bool,
    solved: OnceCell<Eliminated>,
    explicit: OnceCell<Option<Explicit>>,
    /// What the motion says.
    moved: OnceCell<Vec<Expected>>,
}

/// Accelerations and rates in terms of free ones, by the constraints.
struct Eliminated {
    accelerations: Vec<(Expr, Expr)>,
    rates: Vec<(Expr, Expr)>,
    /// Whether nothing was left out.
    complete: bool,
}

impl<'a> Judge<'a> {
    /// A judge; `rows` are the constraints that act always, `all_rows` says whether there are no others.
    pub fn new(
        loaded: &'a Loaded,
        rows: &'a [Row],
        space: &'a Space,
        report: &'a Report,
        freedoms: usize,
        all_rows: bool,
    ) -> Judge<'a> {
        let (solved, explicit, moved) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Judge { loaded, rows, space, report, freedoms, all_rows, solved, explicit, moved }
    }

    /// The judge, who has seen the motion if a fact needs it; somebody may follow that.
    pub fn having_moved(self, progress: &mut dyn Progress) -> Judge<'a> {
        let start = &self.loaded.start;
        let mut facts = self.loaded.system.statements.iter().map(|statement| needs(&statement.fact, start));
        if facts.any(|needs| needs == Needs::Motion) && self.may_move() {
            progress.begins("moving");
            let _ = self.moved.set(crate::simulate::decided(self.loaded, None, progress));
        }
        self
    }

    /// Whether the motion from the start can be run.
    fn may_move(&self) -> bool {
        !self.loaded.is_elsewhere && self.loaded.has_numbers()
    }

    fn system(&self) -> &System {
        &self.loaded.system
    }

    /// The same judge, who takes accelerations and multipliers from this form if it gives them all.
    #[cfg(test)]
    pub fn by(&self, formalism: &'static mechanics::formalism::Formalism) -> Option<Judge<'a>> {
        let explicit = self.with_given(|given| {
            Explicit::by(given, formalism).filter(|explicit| explicit.gives(given.rows.list.len()))
        })?;
        let (solved, explicit) = (OnceCell::new(), OnceCell::from(Some(explicit)));
        Some(Judge {
            loaded: self.loaded,
            rows: self.rows,
            space: self.space,
            report: self.report,
            freedoms: self.freedoms,
            all_rows: self.all_rows,
            solved,
            explicit,
            moved: OnceCell::new(),
        })
    }

    /// Does the fact hold?
    pub fn judge(&self, statement: &Statement) -> Judged {
        let needs = needs(&statement.fact, &self.loaded.start);
        let known = match &statement.fact {
            Fact::Freedoms(count) => Some(self.count(*count)),
            Fact::Relation { relation, at: None, .. } => self.on_every_motion(relation),
            Fact::Relation { relation, at: Some(at), within } if needs != Needs::Motion => {
                self.at_a_state(relation, at, *within).or_else(|| self.by_dynamics(relation, at, *within))
            }
            Fact::Constant { value, .. } => self.constant(value),
            Fact::Relation { .. } | Fact::Event { .. } => self.on_the_motion(statement),
            Fact::Equilibrium { .. } => self.rests(statement),
        };
        known.unwrap_or_else(|| Judged::waiting(needs))
    }

    /// Whether a place is an equilibrium, and stable as it is said to be.
    fn rests(&self, statement: &Statement) -> Option<Judged> {
        let parameters = self.system().parameters.iter().zip(&self.loaded.start.parameters);
        let missing: Vec<String> =
            parameters.filter(|(_, value)| value.is_none()).map(|(one, _)| one.name.clone()).collect();
        if !missing.is_empty() {
            return Some(Judged::without_value(&missing));
        }
        Some(match crate::equilibria::judged(self.loaded, &self.loaded.mode, &statement.fact)? {
            crate::equilibria::Verdict::Right => Judged::yes(),
            crate::equilibria::Verdict::Wrong(why) => Judged::no(lower(&why)),
            crate::equilibria::Verdict::Unknown(why) => Judged::not_told(why),
        })
    }

    /// What the motion from the start says.
    fn on_the_motion(&self, statement: &Statement) -> Option<Judged> {
        if !self.may_move() {
            return None;
        }
        let moved = self.moved.get_or_init(|| crate::simulate::decided(self.loaded, None, &mut Alone));
        let one = moved.iter().find(|one| one.name == statement.name)?;
        Some(Judged { holds: one.holds, waiting_for: None, reason: one.reason.clone() })
    }

    fn count(&self, count: Expr) -> Judged {
        let found = self.freedoms;
        let count = self.with_values(count);
        match count.as_number().and_then(|number| number.to_i64()) {
            Some(count) if i64::try_from(found) == Ok(count) => Judged::yes(),
            Some(_) => Judged::no(format!("there are {found}")),
            None => match self.without_value(&[count]) {
                names if names.is_empty() => Judged::no(format!("{count} is no whole number")),
                names => Judged::without_value(&names),
            },
        }
    }

    // -----------------------------------------------------------------------------------------
    // At a state

    fn at_a_state(&self, relation: &Relation, place: &Place, within: Option<Expr>) -> Option<Judged> {
        let sides = self.without_accelerations(components(relation)?)?;
        let start = &self.loaded.start;
        match place {
            Place::Start if self.loaded.is_elsewhere => Some(Judged {
                holds: None,
                waiting_for: Some(format!("the start: leave out {}", Field::At)),
                reason: None,
            }),
            Place::Start => Some(self.compare(&sides, relation.comparison, within, start, &self.loaded.at)),
            Place::Equations(_) if times(place).is_some() => {
                Some(self.compare(&sides, relation.comparison, within, start, &self.loaded.at))
            }
            Place::Equations(equations) if equations.iter().any(|equation| self.is_load(equation)) => None,
            Place::Equations(equations) => Some(match self.state(equations)? {
                Err(judged) => judged,
                Ok(state) => self.compare(&sides, relation.comparison, within, &state, &state.at(self.system())),
            }),
        }
    }

    /// The state that these equations describe.
    fn state(&self, equations: &[Relation]) -> Option<Result<StartReport, Judged>> {
        let system = self.system();
        let lines = equations.iter().map(|equation| system.equations(&equation.tree).ok());
        let lines: Vec<Equation> = lines.collect::<Option<Vec<_>>>()?.concat();
        let state = mechanics::state(system, &lines, &system.guesses);
        if let Some(contradiction) = state.contradictions.first() {
            let row = &state.rows[contradiction.row].name;
            return Some(Err(Judged::no(format!("no such state: it contradicts `{row}`"))));
        }
        let violation = crate::dynamics::violation(system, &state.at(system), "there");
        Some(match violation.filter(|_| state.missing.is_empty()) {
            Some(violation) => Err(Judged::no(format!("no such state: {violation}"))),
            None => Ok(state),
        })
    }

    /// What accelerations, multipliers, reactions and energies say at a state.
    fn by_dynamics(&self, relation: &Relation, place: &Place, within: Option<Expr>) -> Option<Judged> {
        // Loads that statics finds may be given with the state; alone, they are given at the start.
        let (mut loads, mut places) = (Vec::new(), Vec::new());
        if let Place::Equations(equations) = place {
            for equation in equations {
                match equation.scalars() {
                    Some((left, _, right)) if self.is_load(equation) => loads.push((left, right)),
                    _ => places.push(equation.clone()),
                }
            }
        }
        let state = match places.is_empty() || times(place).is_some() {
            true if self.loaded.is_elsewhere => return None,
            true => self.loaded.start.clone(),
            false => match self.state(&places)? {
                Err(judged) => return Some(judged),
                Ok(state) => state,
            },
        };
        let missing: Vec<String> = state
            .missing
            .iter()
            .filter(|name| !loads.iter().any(|load| load.0.to_string() == **name))
            .cloned()
            .collect();
        if !missing.is_empty() {
            return Some(Judged::without_value(&missing));
        }
        let bare = state.at(self.system());
        let loads: Vec<(Expr, f64)> = loads.into_iter().map(|(symbol, value)| (symbol, bare.value(value))).collect();
        self.numbers(relation, within, &state, &mechanics::with_inputs(bare.with(&loads), self.system()))
    }

    /// Judges a relation in numbers at a state.
    fn numbers(&self, relation: &Relation, within: Option<Expr>, state: &StartReport, at: &At) -> Option<Judged> {
        let Solved { numbers, mode, recipe, .. } = match self.dynamics(at).ok()? {
            Ok(found) => found,
            Err(NoNumbers::NoState(reason)) => return Some(Judged::no(format!("no such state: {reason}"))),
            Err(_) => return None,
        };
        let rows = recipe.rows.with_pressed();
        let given = Ingredients::of(self.system(), &mode, &rows, self.loaded.kind(), at);
        let Some(sides) = self.read(relation, &given, false) else { return self.refused(relation, &given, false) };
        let all: Vec<Expr> = sides.iter().flat_map(|side| [side.0, side.1]).collect();
        let thawed = given.thawed(&all).ok()?;
        let sides: Vec<(Expr, Expr)> = thawed.chunks(2).map(|pair| (pair[0], pair[1])).collect();
        Some(self.compare(&sides, relation.comparison, within, state, &at.with(&numbers.all())))
    }

    /// Accelerations at a state, with a rough contact as it goes on from there.
    fn dynamics(&self, at: &At) -> Result<Result<Solved, NoNumbers>, Error> {
        let mode = Mode::at(self.system(), at).map_err(Error::new)?;
        Dynamics::new(self.loaded, self.loaded.kind()).going_on(&mode, at, Change::Nothing)
    }

    /// Whether it gives a load that statics finds.
    fn is_load(&self, equation: &Relation) -> bool {
        let left = equation.scalars().map(|sides| sides.0);
        self.system().unknowns.iter().any(|unknown| Some(unknown.symbol) == left)
    }

    /// The sides of a relation with reactions and energies as expressions, at every state or at one.
    fn read(&self, relation: &Relation, given: &Ingredients<'_>, everywhere: bool) -> Option<Vec<(Expr, Expr)>> {
        let known = Known { given, everywhere };
        let reading = Reading { motion: Some(&known), ..Reading::default() };
        components(&self.system().relation(&relation.tree, reading).ok()?)
    }

    /// Why a relation cannot be read although the motion is known: what it asks for does not follow, or is not determined.
    fn refused(&self, relation: &Relation, given: &Ingredients<'_>, everywhere: bool) -> Option<Judged> {
        let known = Known { given, everywhere };
        let reading = Reading { motion: Some(&known), ..Reading::default() };
        let error = self.system().relation(&relation.tree, reading).err()?;
        (error.message != mechanics::NEEDS_MOTION).then(|| Judged::not_told(error.message))
    }

    /// The sides without accelerations, if the constraints fix them.
    fn without_accelerations(&self, sides: Vec<(Expr, Expr)>) -> Option<Vec<(Expr, Expr)>> {
        if !sides.iter().any(|(left, right)| accelerates(*left) || accelerates(*right)) {
            return Some(sides);
        }
        let accelerations = &self.solved().accelerations;
        let known = |e: Expr| {
            let known = expr::substitute(&[e], accelerations).ok()?[0];
            (!accelerates(known)).then_some(known)
        };
        sides.into_iter().map(|(left, right)| Some((known(left)?, known(right)?))).collect()
    }

    /// Compares numbers at a state.
    fn compare(
        &self,
        sides: &[(Expr, Expr)],
        comparison: Comparison,
        within: Option<Expr>,
        state: &StartReport,
        at: &At,
    ) -> Judged {
        let all: Vec<Expr> = sides.iter().flat_map(|side| [side.0, side.1]).chain(within).collect();
        let mut missing = self.without_value(&all);
        missing.retain(|name| !self.system().unknowns.iter().any(|unknown| unknown.name == *name));
        if !state.missing.is_empty() && all.iter().any(|e| e.symbols().iter().any(is_moving)) {
            missing.extend(state.missing.iter().filter(|name| !missing.contains(name)).cloned().collect::<Vec<_>>());
        }
        if !missing.is_empty() {
            return match comparison == Comparison::Equal && self.equal_exactly(sides, state) {
                true => Judged::yes(),
                false => Judged::without_value(&missing),
            };
        }
        let mut failures = sides.iter().filter_map(|&(left, right)| failure(left, right, comparison, within, at));
        failures.next().map_or_else(Judged::yes, Judged::no)
    }

    /// Whether the sides are equal once what is known exactly is put in.
    fn equal_exactly(&self, sides: &[(Expr, Expr)], state: &StartReport) -> bool {
        let values = [&state.time].into_iter().chain(state.values());
        let known: Vec<(Expr, Expr)> = values.filter_map(|value| Some((value.symbol, value.exact?))).collect();
        let is_zero = |&(left, right): &(Expr, Expr)| {
            let difference = expr::substitute(&[left - right], &known).map_or(left - right, |made| made[0]);
            self.with_values(difference).is_zero()
        };
        sides.iter().all(is_zero)
    }

    // -----------------------------------------------------------------------------------------
    // On every motion

    fn on_every_motion(&self, relation: &Relation) -> Option<Judged> {
        if relation.comparison != Comparison::Equal {
            return None;
        }
        let sides = match components(relation) {
            Some(sides) => sides,
            None => {
                let read = |given: &Ingredients<'_>| {
                    let sides = self.read(relation, given, true);
                    Some(sides.ok_or_else(|| self.refused(relation, given, true)))
                };
                match self.with_given(read)? {
                    Ok(sides) => sides,
                    Err(refused) => return refused,
                }
            }
        };
        let mut all = true;
        for (left, right) in sides {
            match self.follows(left - right) {
                Some(Ok(())) => {}
                Some(Err(reason)) => return Some(Judged::no(reason)),
                None => all = false,
            }
        }
        all.then(Judged::yes)
    }

    /// It is constant if its rate vanishes whatever the motion.
    fn constant(&self, value: &Term) -> Option<Judged> {
        let value = match value {
            Term::Deferred(tree) => self.with_given(|given| {
                let known = Known { given, everywhere: true };
                self.system().read(tree, Reading { motion: Some(&known), ..Reading::default() }).ok()
            })?,
            value => value.clone(),
        };
        let parts = match value {
            Term::Scalar(e) => vec![e],
            Term::Vector(vector) => vector.0.to_vec(),
            Term::Deferred(_) => return None,
        };
        let mut all = true;
        for &e in &parts {
            match expr::total_derivative(e).ok().and_then(|rate| self.follows(rate)) {
                Some(Ok(())) => {}
                Some(Err(reason)) => return Some(Judged::no(format!("its rate is not zero: {reason}"))),
                None => all = false,
            }
        }
        all.then(Judged::yes)
    }

    /// Does the expression vanish at every state that the constraints allow? `Err` with a state where it does not.
    fn follows(&self, e: Expr) -> Option<Result<(), String>> {
        let symbolic = self.assumptions();
        if proof::decide(e, &symbolic).is_zero() {
            return Some(Ok(()));
        }
        let solved = self.solved();
        let reduced = expr::substitute(&[e], &solved.accelerations).ok()?;
        let reduced = self.with_values(expr::substitute(&reduced, &solved.rates).ok()?[0]);
        if proof::decide(reduced, &symbolic).is_zero() {
            return Some(Ok(()));
        }
        // The equations of motion, where the constraints do not suffice.
        let explicit = self.explicit.get_or_init(|| self.with_given(Explicit::of).filter(|_| self.all_rows));
        let reduced = match (explicit, needs_dynamics(reduced)) {
            (Some(explicit), true) => self.with_values(explicit.put(e)?),
            _ => reduced,
        };
        if proof::decide(reduced, &symbolic).is_zero() {
            return Some(Ok(()));
        }
        let geometric = self.geometric();
        let (mut usable, other): (Vec<Expr>, Vec<Expr>) = geometric.into_iter().partition(|&f| is_usable(f));
        usable.sort_by_key(|&f| !is_linear(f));
        let or_a_row = other.iter().flat_map(|&f| [reduced - f, reduced + f]);
        let questions: Vec<Expr> = std::iter::once(reduced).chain(or_a_row).collect();
        // What follows from a few rows need not be proved from all: those that are not linear bring roots.
        let with = |rows: &[Expr]| {
            let assume = |assumed: Assumptions, &f: &Expr| assumed.and(f, Comparison::Equal, Expr::zero());
            proof::decide_all(&questions, &rows.iter().fold(symbolic.clone(), assume))
        };
        // The start is a state that satisfies the constraints, if it does.
        let exists = self.start_is_allowed();
        let is_proved = |verdicts: &[Verdict]| {
            verdicts.iter().any(|verdict| matches!(verdict, Verdict::Zero(proof) if exists || !proof.vacuous))
        };
        if usable.len() > 1 && usable.iter().any(|&f| is_proved(&with(&[f]))) {
            return Some(Ok(()));
        }
        let verdicts = with(&usable);
        if is_proved(&verdicts) {
            return Some(Ok(()));
        }
        match &verdicts[0] {
            Verdict::NonZero(witness)
                if other.is_empty() && self.all_rows && solved.complete && !needs_dynamics(reduced) =>
            {
                let state = witness.state.iter().map(|(symbol, value)| format!("{symbol} = {value}"));
                Some(Err(format!("not at {}", state.collect::<Vec<_>>().join(", "))))
            }
            Verdict::Zero(_) => None,
            _ if self.all_rows && !needs_dynamics(reduced) => self.refuted_nearby(reduced).map(Err),
            _ => None,
        }
    }

    /// Whether the start satisfies constraints and assumptions, in numbers.
    fn start_is_allowed(&self) -> bool {
        let holds = |relation: &Relation| {
            let sides = relation.scalars();
            sides.is_some_and(|(left, sign, right)| failure(left, right, sign, None, &self.loaded.at).is_none())
        };
        self.loaded.has_numbers() && self.loaded.start.is_consistent() && self.system().assumptions.iter().all(holds)
    }

    /// A state near the start that satisfies the constraints to rounding and at which the expression is far from zero;
    /// a second such state must be found as well.
    fn refuted_nearby(&self, e: Expr) -> Option<String> {
        const FAR: f64 = 1e-6;
        const CLOSE: f64 = 1e-12;
        if !self.start_is_allowed() {
            return None;
        }
        let mut found = Vec::new();
        for shift in [37, 91, 53, 71] {
            let state = self.near_start(shift)?;
            let is_exact = state.is_consistent() && state.residual.is_some_and(|residual| residual <= CLOSE);
            let at = state.at(self.system());
            let (value, size) = (at.value(e), at.size(e));
            let is_far = is_exact && value.is_finite() && value.abs() > FAR * size.max(f64::MIN_POSITIVE);
            let is_assumed = self.system().assumptions.iter().filter_map(Relation::scalars);
            let is_assumed =
                is_assumed.into_iter().all(|(left, sign, right)| failure(left, right, sign, None, &at).is_none());
            if is_far && is_assumed {
                found.push(state);
            }
        }
        let symbols = e.symbols();
        let state = found.first().filter(|_| found.len() > 1)?;
        let values = [&state.time].into_iter().chain(state.values()).filter(|value| symbols.contains(&value.symbol));
        let values =
            values.filter_map(|value| Some(format!("{} = {}", value.symbol, crate::number::text(value.number?))));
        Some(format!("not at {}", values.collect::<Vec<_>>().join(", ")))
    }

    /// A state that satisfies the constraints at some distance from the start.
    fn near_start(&self, shift: i64) -> Option<StartReport> {
        let system = self.system();
        let timed = system.start.iter().filter(|equation| equation.left == system.time).cloned();
        let start = &self.loaded.start;
        let guess = |(place, value): (usize, &mechanics::StartValue)| {
            let number = value.number.filter(|number| number.abs() < 1e9)?;
            let step = (shift * (3 + 2 * place as i64)) % 101 - 50;
            let thousandths = (number * 1000.0).round() as i64 + step * 6;
            let (left, right) = (value.symbol, expr::rational(thousandths, 1000));
            Some(mechanics::Equation {
                left,
                right,
                text: format!("{left} = {right}"),
                axis: None,
                span: Default::default(),
            })
        };
        let guesses = start.values().enumerate().map(guess).collect::<Option<Vec<_>>>()?;
        Some(mechanics::state(system, &timed.collect::<Vec<_>>(), &guesses))
    }

    /// What is made from the ingredients of the equations of motion, for systems that are not too large.
    fn with_given<T>(&self, make: impl FnOnce(&Ingredients<'_>) -> Option<T>) -> Option<T> {
        if self.system().coordinates.len() > MOST_COORDINATES {
            return None;
        }
        let (system, mode, at) = (self.system(), &self.loaded.mode, &self.loaded.at);
        let rows = Rows::of(system, mode, at).ok()?;
        make(&Ingredients::of(system, mode, &rows, self.loaded.kind(), at))
    }

    /// What vanishes by geometric constraints, with the values of the parameters.
    fn geometric(&self) -> Vec<Expr> {
        let rows = self.rows.iter().zip(&self.report.rows).filter(|(_, row)| row.class.order() == Some(0));
        rows.map(|(row, _)| self.with_values(row.f)).collect()
    }

    fn assumptions(&self) -> Assumptions {
        let relations = self.system().assumptions.iter().filter_map(Relation::scalars);
        relations.fold(Assumptions::none(), |assumed, (left, sign, right)| {
            assumed.and(self.with_values(left), sign, self.with_values(right))
        })
    }

    fn solved(&self) -> &Eliminated {
        self.solved.get_or_init(|| {
            let nothing = Eliminated { accelerations: Vec::new(), rates: Vec::new(), complete: self.rows.is_empty() };
            if self.rows.is_empty() || self.rows.len() > MOST_ROWS || self.report.has_conflict() {
                return nothing;
            }
            let accelerations = constraint::possible_accelerations(self.rows, self.space, self.report, &self.loaded.at);
            let rates = constraint::possible_velocities(self.rows, self.space, self.report, &self.loaded.at);
            let (Ok(accelerations), Ok(rates)) = (accelerations, rates) else { return nothing };
            let complete = rates.left_out.is_empty() && accelerations.left_out.is_empty();
            Eliminated { accelerations: accelerations.solved, rates: rates.solved, complete }
        })
    }

    /// The expression with the values of parameters and inputs put in.
    fn with_values(&self, e: Expr) -> Expr {
        let inputs = self.system().inputs.iter().filter_map(|input| Some((input.symbol, input.value?)));
        let inputs: Vec<(Expr, Expr)> = inputs.collect();
        let e = if inputs.is_empty() { e } else { expr::substitute(&[e], &inputs).map_or(e, |made| made[0]) };
        expr::substitute(&[e], &self.system().parameter_values()).map_or(e, |made| made[0])
    }

    /// The constants without a value that occur.
    fn without_value(&self, list: &[Expr]) -> Vec<String> {
        let mut names = Vec::new();
        for symbol in list.iter().flat_map(|&e| self.with_values(e).symbols()) {
            let name = symbol.as_symbol().filter(|symbol| symbol.kind == Kind::Parameter).map(|symbol| symbol.name);
            names.extend(name.filter(|name| !names.contains(name)));
        }
        names
    }
}

/// Whether an equation can be solved for a symbol without a branch, so that a proof can use it.
pub(crate) fn is_usable(f: Expr) -> bool {
    let assumed = Assumptions::none().and(f, Comparison::Equal, Expr::zero());
    !matches!(proof::decide(Expr::one(), &assumed), Verdict::Unknown(Obstacle::Assumption { .. }))
}

/// Whether it is linear in all that moves.
pub(crate) fn is_linear(f: Expr) -> bool {
    let moving: Vec<Expr> = f.symbols().into_iter().filter(is_moving).collect();
    expr::linear_coefficients(&[f], &moving).is_ok()
}

fn is_moving(symbol: &Expr) -> bool {
    symbol.as_symbol().is_some_and(|symbol| symbol.kind != Kind::Parameter)
}

/// Why a comparison of two numbers at a state fails.
pub fn failure(left: Expr, right: Expr, comparison: Comparison, within: Option<Expr>, at: &At) -> Option<String> {
    let (a, b) = (at.value(left), at.value(right));
    if !a.is_finite() || !b.is_finite() {
        return Some("one side has no value there".to_owned());
    }
    let tolerance = within.map_or_else(|| ROUNDING * (at.size(left) + at.size(right)), |within| at.value(within));
    let apart = a - b;
    let holds = match comparison {
        Comparison::Equal => apart.abs() <= tolerance,
        Comparison::NotEqual => apart.abs() > tolerance,
        Comparison::AtLeast => apart >= -tolerance,
        Comparison::AtMost => apart <= tolerance,
        Comparison::Greater => apart > 0.0,
        Comparison::Less => apart < 0.0,
    };
    (!holds).then(|| {
        let (a, b, apart) = (crate::number::text(a), crate::number::text(b), crate::number::text(apart.abs()));
        format!("left is {a}, right is {b}: they differ by {apart}")
    })
}

/// A fact as written, with indices resolved.
pub fn text(fact: &Fact) -> String {
    let relations = |list: &[Relation]| {
        list.iter().map(|relation| syntax::format_relation(&relation.tree)).collect::<Vec<_>>().join(", ")
    };
    let within = |within: &Option<Expr>| within.map_or(String::new(), |within| format!(" within {}", number(within)));
    match fact {
        Fact::Relation { relation, at, within: tolerance } => {
            let at = match at {
                None => String::new(),
                Some(Place::Start) => " at start".to_owned(),
                Some(Place::Equations(equations)) => format!(" at {}", relations(equations)),
            };
            format!("{}{at}{}", syntax::format_relation(&relation.tree), within(tolerance))
        }
        Fact::Constant { tree, .. } => format!("constant {}", syntax::format(tree)),
        Fact::Event { event, at, within: tolerance } => {
            format!("event {event} at {}{}", syntax::format_relation(&at.tree), within(tolerance))
        }
        Fact::Freedoms(count) => format!("freedoms = {count}"),
        Fact::Equilibrium { equations, stability } => {
            let stability = stability.map_or(String::new(), |stability| format!(" {}", stability.word()));
            format!("equilibrium {}{stability}", relations(equations))
        }
    }
}

/// A sentence as part of another.
fn lower(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
    (first + letters.as_str()).trim_end_matches('.').to_owned()
}

/// A tolerance: a short number where it is one.
fn number(e: Expr) -> String {
    match e.is_constant() {
        true => crate::number::text(At::generic().value(e)),
        false => e.to_string(),
    }
}
