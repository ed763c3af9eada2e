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
//! solution …                            the equations of motion along it             here
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

mod everywhere;
mod somewhere;

use std::cell::OnceCell;

use dynamics::{Dynamics, Explicit};
use engine::fact::{Judged, Needs, needs};
use engine::{Alone, Loaded, Progress};
use expr::{Expr, Kind, Substitution};
use mechanics::constraint::{Report, Row, Space};
use mechanics::{Fact, Relation, Statement, System};
use motion::Expected;

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
    /// Equations by mode, made once for all facts at states.
    dynamics: OnceCell<Dynamics<'a>>,
}

/// Accelerations and rates in terms of free ones, by the constraints.
struct Eliminated {
    accelerations: Substitution,
    rates: Substitution,
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
        let (solved, explicit, moved, dynamics) = Default::default();
        Judge { loaded, rows, space, report, freedoms, all_rows, solved, explicit, moved, dynamics }
    }

    /// The judge, who has seen the motion if a fact needs it; somebody may follow that.
    pub fn having_moved(self, progress: &mut dyn Progress) -> Judge<'a> {
        let start = &self.loaded.start;
        let mut facts = self.loaded.system.statements.iter().map(|statement| needs(&statement.fact, start));
        if facts.any(|needs| needs == Needs::Motion) && self.may_move() {
            progress.begins("moving");
            let _ = self.moved.set(motion::decided(self.loaded, None, progress));
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
            dynamics: OnceCell::new(),
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
            Fact::Solution(equations) => crate::audit::moves_so(self.loaded, equations),
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
        if let Some(why) = does_not_rest(self.system(), &statement.fact) {
            return Some(Judged::no(lower(&why)));
        }
        Some(match statics::judged(self.loaded, &self.loaded.mode, &statement.fact)? {
            statics::Verdict::Right => Judged::yes(),
            statics::Verdict::Wrong(why) => Judged::no(lower(&why)),
            statics::Verdict::Unknown(why) => Judged::not_told(why),
        })
    }

    /// What the motion from the start says.
    fn on_the_motion(&self, statement: &Statement) -> Option<Judged> {
        if !self.may_move() {
            return None;
        }
        let moved = self.moved.get_or_init(|| motion::decided(self.loaded, None, &mut Alone));
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

    /// The expression with the values of parameters and inputs put in.
    fn with_values(&self, e: Expr) -> Expr {
        let e = self.with_inputs(e);
        self.system().parameter_values().apply_one(e).unwrap_or(e)
    }

    /// The expression with the values of inputs put in.
    fn with_inputs(&self, e: Expr) -> Expr {
        let inputs = self.system().inputs.iter().filter_map(|input| Some((input.symbol, input.value?)));
        let inputs: Substitution = inputs.collect();
        if inputs.is_empty() { e } else { inputs.apply_one(e).unwrap_or(e) }
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

/// A sentence as part of another.
fn lower(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
    (first + letters.as_str()).trim_end_matches('.').to_owned()
}

/// Why a place that is said to be an equilibrium is none: one of its rates is not zero.
pub(crate) fn does_not_rest(system: &System, fact: &Fact) -> Option<String> {
    let Fact::Equilibrium { equations, .. } = fact else { return None };
    let speeds = system.speeds.iter().map(|one| one.symbol);
    let rates: Vec<Expr> = system.q_dot().into_iter().chain(speeds).collect();
    let still: Substitution = rates.iter().map(|&rate| (rate, Expr::zero())).collect();
    let moves = |relation: &&Relation| {
        let Some((left, _, right)) = relation.scalars() else { return false };
        let gap = left - right;
        let is_free = |e: Expr| e.symbols().iter().all(|symbol| !engine::fact::is_moving(symbol));
        let resting = still.apply_one(gap).unwrap_or(gap);
        gap.symbols().iter().any(|symbol| rates.contains(symbol)) && is_free(resting) && !resting.is_zero()
    };
    let one = equations.iter().find(moves)?;
    Some(format!("At an equilibrium nothing moves, and it is said that {}.", syntax::format_relation(&one.tree)))
}
