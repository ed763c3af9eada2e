//! Does a relation hold at a state, in numbers?

use dynamics::{Change, Known, NoNumbers, Solved};
use engine::fact::{Judged, accelerates, components, failure, is_moving, times};
use engine::forms::no_rows;
use engine::{Error, Field};
use expr::{At, Comparison, Expr, Substitution};
use mechanics::ingredients::Ingredients;
use mechanics::{Equation, Mode, Place, Reading, Relation, StartReport};

use super::Judge;
use crate::audit::lateness;

impl Judge<'_> {
    pub(super) fn at_a_state(&self, relation: &Relation, place: &Place, within: Option<Expr>) -> Option<Judged> {
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
        let violation = mechanics::standing::violation(system, &state.at(system), "there");
        Some(match violation.filter(|_| state.missing.is_empty()) {
            Some(violation) => Err(Judged::no(format!("no such state: {violation}"))),
            None => Ok(state),
        })
    }

    /// What accelerations, multipliers, reactions and energies say at a state.
    pub(super) fn by_dynamics(&self, relation: &Relation, place: &Place, within: Option<Expr>) -> Option<Judged> {
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
        let is_as_loaded = mode == self.loaded.mode;
        let thawed = given.thawed(&all).ok()?;
        let thawed = thawed.into_iter().map(|e| self.without_late(e).filter(|_| is_as_loaded).unwrap_or(e));
        let thawed: Vec<Expr> = thawed.collect();
        let sides: Vec<(Expr, Expr)> = thawed.chunks(2).map(|pair| (pair[0], pair[1])).collect();
        Some(self.compare(&sides, relation.comparison, within, state, &at.with(&numbers.all())))
    }

    /// Third and higher derivatives of coordinates, and rates of multipliers, as functions of the state.
    fn without_late(&self, e: Expr) -> Option<Expr> {
        let late = lateness(e);
        if late == 0 {
            return Some(e);
        }
        let explicit = self.explicit()?;
        let multipliers = e.symbols().into_iter().filter_map(|symbol| symbol.as_symbol());
        let multipliers = multipliers.filter(|symbol| symbol.kind == expr::Kind::Multiplier);
        let multipliers = multipliers.map(|symbol| expr::symbol(expr::Symbol { order: 0, ..symbol }));
        let mut symbols: Vec<Expr> = self.system().q_ddot().into_iter().chain(multipliers).collect();
        let put = |list: &[Expr]| -> Option<Vec<Expr>> {
            list.iter().map(|&e| Some(self.with_inputs(explicit.put(e)?))).collect()
        };
        let mut values = put(&symbols)?;
        let mut known = Substitution::new();
        for _ in 0..late {
            let rates = values.iter().map(|&e| crate::audit::inputs::rate(self.system(), e).ok());
            values = put(&rates.collect::<Option<Vec<_>>>()?)?;
            symbols = symbols.iter().map(|&symbol| expr::total_derivative(symbol).ok()).collect::<Option<_>>()?;
            known.extend(symbols.iter().copied().zip(values.iter().copied()));
        }
        known.apply_one(e).ok()
    }

    /// Accelerations at a state, with a rough contact as it goes on from there.
    fn dynamics(&self, at: &At) -> Result<Result<Solved, NoNumbers>, Error> {
        let mode = Mode::at(self.system(), at).map_err(Error::new)?;
        let dynamics = self.dynamics.get_or_init(|| self.loaded.dynamics());
        dynamics.going_on(&mode, at, Change::Nothing).map_err(|error| no_rows(self.loaded, error))
    }

    /// Whether it gives a load that statics finds.
    fn is_load(&self, equation: &Relation) -> bool {
        let left = equation.scalars().map(|sides| sides.0);
        self.system().unknowns.iter().any(|unknown| Some(unknown.symbol) == left)
    }

    /// The sides of a relation with reactions and energies as expressions, at every state or at one.
    pub(super) fn read(
        &self,
        relation: &Relation,
        given: &Ingredients<'_>,
        everywhere: bool,
    ) -> Option<Vec<(Expr, Expr)>> {
        let known = Known { given, everywhere };
        let reading = Reading { motion: Some(&known), ..Reading::default() };
        components(&self.system().relation(&relation.tree, reading).ok()?)
    }

    /// Why a relation cannot be read although the motion is known: what it asks for does not follow, or is not determined.
    pub(super) fn refused(&self, relation: &Relation, given: &Ingredients<'_>, everywhere: bool) -> Option<Judged> {
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
            let known = accelerations.apply_one(e).ok()?;
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
        let unnamed = |symbol: &Expr| is_moving(symbol) && !at.names(&[*symbol]);
        if let Some(symbol) = all.iter().flat_map(|e| e.symbols()).find(unnamed) {
            return Judged::not_told(format!("what `{symbol}` is there is not known"));
        }
        // an integral may have a value that the rule does not reach
        let unsettled = |&e: &Expr| {
            let has_integral =
                || expr::Evaluator::new(&[e], &[]).nodes().iter().any(|one| one.op() == expr::Op::Integral);
            !at.value(e).is_finite() && has_integral()
        };
        if let Some(e) = all.iter().find(|e| unsettled(e)) {
            return Judged::not_told(format!("`{}` has no value in numbers: an integral does not settle", e.brief()));
        }
        let mut failures = sides.iter().filter_map(|&(left, right)| failure(left, right, comparison, within, at));
        failures.next().map_or_else(Judged::yes, Judged::no)
    }

    /// Whether the sides are equal once what is known exactly is put in.
    fn equal_exactly(&self, sides: &[(Expr, Expr)], state: &StartReport) -> bool {
        let values = [&state.time].into_iter().chain(state.values());
        let known: Substitution = values.filter_map(|value| Some((value.symbol, value.exact?))).collect();
        let is_zero = |&(left, right): &(Expr, Expr)| {
            let difference = known.apply_one(left - right).unwrap_or(left - right);
            self.with_values(difference).is_zero()
        };
        sides.iter().all(is_zero)
    }
}
