//! Does a relation hold on every motion?

use dynamics::{Explicit, Known};
use engine::fact::{Judged, components, failure, is_linear, is_usable, needs_dynamics};
use expr::{Comparison, Expr, Substitution};
use mechanics::constraint;
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;
use mechanics::{Reading, Relation, StartReport, Term};
use proof::{Assumptions, Verdict};

use super::{Eliminated, Judge};

/// Constraints are solved for rates and accelerations to prove a fact if there are no more than this.
const MOST_ROWS: usize = 60;
/// Facts about every motion are proved for no more coordinates than this.
const MOST_COORDINATES: usize = 30;

impl Judge<'_> {
    pub(super) fn on_every_motion(&self, relation: &Relation) -> Option<Judged> {
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
    pub(super) fn constant(&self, value: &Term) -> Option<Judged> {
        let read = match value {
            Term::Deferred(tree) => self.with_given(|given| {
                let known = Known { given, everywhere: true };
                Some(self.system().read(tree, Reading { motion: Some(&known), ..Reading::default() }))
            })?,
            value => Ok(value.clone()),
        };
        let value = match read {
            Ok(value) => value,
            // what has no value waits for no verb
            Err(error) => return (error.message != mechanics::NEEDS_MOTION).then(|| Judged::not_told(error.message)),
        };
        let parts = match value {
            Term::Scalar(e) => vec![e],
            Term::Vector(vector) => vector.0.to_vec(),
            Term::Deferred(_) => return None,
        };
        let mut all = true;
        for &e in &parts {
            // what the model says of an input changes as it says; another has a rate of its own
            let rate = crate::audit::inputs::rate(self.system(), self.with_inputs(e));
            match rate.ok().and_then(|rate| self.follows(rate)) {
                Some(Ok(())) => {}
                Some(Err(reason)) => return Some(Judged::no(format!("its rate is not zero: {reason}"))),
                None => all = false,
            }
        }
        if !all {
            return None;
        }
        let jump = crate::jumps::jump(&parts, &self.assumptions());
        Some(jump.map_or_else(Judged::yes, |text| Judged::not_told(crate::audit::jumps(&text))))
    }

    /// Does the expression vanish at every state that the constraints allow? `Err` with a state where it does not.
    ///
    /// Asked as it stands, then by what the rows say of rates and accelerations, then by the equations of motion, at
    /// last on the geometric rows.
    fn follows(&self, e: Expr) -> Option<Result<(), String>> {
        let symbolic = self.assumptions();
        let is_zero = |e: Expr| proof::decide(e, &symbolic).is_zero();
        if is_zero(e) {
            return Some(Ok(()));
        }
        let by_rows = self.by_rows(e)?;
        if is_zero(by_rows) {
            return Some(Ok(()));
        }
        let reduced = self.by_motion(e, by_rows)?;
        if is_zero(reduced) { Some(Ok(())) } else { self.on_the_rows(reduced, &symbolic) }
    }

    /// The expression with rates and accelerations that the rows fix.
    fn by_rows(&self, e: Expr) -> Option<Expr> {
        let solved = self.solved();
        let reduced = solved.accelerations.apply(&[e]).ok()?;
        Some(self.with_values(solved.rates.apply(&reduced).ok()?[0]))
    }

    /// The expression by the equations of motion, where the constraints do not suffice.
    fn by_motion(&self, e: Expr, by_rows: Expr) -> Option<Expr> {
        match (self.explicit(), needs_dynamics(by_rows)) {
            (Some(explicit), true) => Some(self.with_values(explicit.put(e)?)),
            _ => Some(by_rows),
        }
    }

    /// Accelerations and multipliers as functions of the state.
    pub(super) fn explicit(&self) -> Option<&Explicit> {
        self.explicit.get_or_init(|| self.with_given(Explicit::of).filter(|_| self.all_rows)).as_ref()
    }

    /// What is left, asked where the geometric rows hold.
    fn on_the_rows(&self, reduced: Expr, symbolic: &Assumptions) -> Option<Result<(), String>> {
        let (mut usable, other): (Vec<Expr>, Vec<Expr>) = self.geometric().into_iter().partition(|&f| is_usable(f));
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
        let is_free = self.all_rows && !needs_dynamics(reduced);
        match &verdicts[0] {
            Verdict::NonZero(witness) if other.is_empty() && is_free && self.solved().complete => {
                let state = witness.state.iter().map(|(symbol, value)| format!("{symbol} = {value}"));
                Some(Err(format!("not at {}", state.collect::<Vec<_>>().join(", "))))
            }
            Verdict::Zero(_) => None,
            _ if is_free => self.refuted_nearby(reduced).map(Err),
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
        let values = values.filter_map(|value| Some(format!("{} = {}", value.symbol, expr::decimal(value.number?))));
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
        let equations = start.values().enumerate().map(guess).collect::<Option<Vec<_>>>()?;
        // first-order states are given, never solved for
        let (states, guesses): (Vec<_>, Vec<_>) =
            equations.into_iter().partition(|one| system.state_symbols().contains(&one.left));
        Some(mechanics::state(system, &timed.chain(states).collect::<Vec<_>>(), &guesses))
    }

    /// What is made from the ingredients of the equations of motion, for systems that are not too large.
    pub(super) fn with_given<T>(&self, make: impl FnOnce(&Ingredients<'_>) -> Option<T>) -> Option<T> {
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

    pub(super) fn solved(&self) -> &Eliminated {
        self.solved.get_or_init(|| {
            let nothing = Eliminated {
                accelerations: Substitution::new(),
                rates: Substitution::new(),
                complete: self.rows.is_empty(),
            };
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
}
