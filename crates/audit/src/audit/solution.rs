//! Does a system move as somebody says? By substitution, for all times and all constants.
//!
//! ```text
//! q = s(t):   f(s, s', s'', t) = 0                        every constraint                                    (1)
//!             E* − P* = 0 at u = u(s, s', t), u'          the equations of motion in the chart                (2)
//! ```
//!
//! The equations (2) are those of the motion where the chart is regular along s; whether it is nowhere regular there is
//! asked first. Roots of constraints that are not linear in the rates must be those that the chart takes.

use expr::{Comparison, Expr, Substitution};
use mechanics::Relation;
use proof::{Assumptions, Verdict, Witness};

use super::{Auditor, Standing};

/// How a solution stands, and why.
pub(super) fn judged(auditor: &Auditor<'_>, equations: &[Relation]) -> (Standing, Option<String>) {
    match Along::of(auditor, equations) {
        Ok(along) => along.judged(),
        Err(Refusal::Missing(names)) => {
            let why = format!("the motion of {} is not given", names.join(", "));
            (Standing::Empty, Some(why))
        }
        Err(Refusal::Because(why)) => (Standing::Unknown(why), None),
    }
}

/// Whether a system moves as these functions of time say, for all constants in them, where something is put in for
/// parameters and these relations hold; or why that is not proved. The coordinates stand in their order.
pub(crate) fn proved(
    auditor: &Auditor<'_>,
    motion: Vec<Expr>,
    put: &Substitution,
    conditions: &[(Expr, Comparison)],
) -> Result<(), String> {
    let text = |refusal: Refusal| match refusal {
        Refusal::Missing(names) => names.join(", "),
        Refusal::Because(why) => why,
    };
    let mut along = Along::with(auditor, motion).map_err(text)?;
    for &(value, comparison) in conditions {
        along.assumptions = along.assumptions.and(value, comparison, Expr::zero());
    }
    for (what, e) in along.parts().map_err(text)? {
        let e = put.apply_one(e).map_err(|error| error.to_string())?;
        match proof::decide(e, &along.assumptions) {
            Verdict::Zero(proof) if !proof.vacuous => {}
            Verdict::Zero(_) => return Err("no time satisfies what the model assumes".to_owned()),
            Verdict::NonZero(witness) => return Err(told(&what, &witness)),
            Verdict::Unknown(obstacle) => return Err(format!("{what}: {obstacle}")),
        }
    }
    Ok(())
}

/// Why no motion of this model can be judged in one formula, if something in it stands in the way.
pub(crate) fn refused(auditor: &Auditor<'_>) -> Option<String> {
    match refuse_modes(auditor) {
        Err(Refusal::Because(why)) => Some(why),
        _ => None,
    }
}

/// Why a solution is not judged.
enum Refusal {
    /// These coordinates are not given.
    Missing(Vec<String>),
    Because(String),
}

fn because(why: impl Into<String>) -> Refusal {
    Refusal::Because(why.into())
}

/// A system along a motion.
struct Along<'a> {
    auditor: &'a Auditor<'a>,
    /// Velocities of the chart by their definitions, and inputs by what the model says.
    inner: Substitution,
    /// Coordinates, rates and accelerations as functions of time.
    motion: Substitution,
    assumptions: Assumptions,
}

impl<'a> Along<'a> {
    fn of(auditor: &'a Auditor<'a>, equations: &[Relation]) -> Result<Along<'a>, Refusal> {
        refuse_modes(auditor)?;
        let values = explicit(auditor, equations)?;
        let rates: Vec<Expr> = values.iter().filter_map(|&e| expr::total_derivative(e).ok()).collect();
        if let Some(text) = crate::jumps::jump(&[values.clone(), rates].concat(), &auditor.assumptions) {
            let why = format!("the motion that it gives jumps, or its rates do, with `{text}`: no force does that");
            return Err(because(why));
        }
        Along::with(auditor, values)
    }

    /// Along a motion that gives every coordinate, in their order.
    fn with(auditor: &'a Auditor<'a>, values: Vec<Expr>) -> Result<Along<'a>, Refusal> {
        let failed = |error: expr::MathError| because(format!("it cannot be differentiated: {error}"));
        let rate = |list: &[Expr]| list.iter().map(|&e| expr::total_derivative(e)).collect::<Result<Vec<_>, _>>();
        let (given, chart) = (auditor.given, auditor.chart);
        let rates = rate(&values).map_err(failed)?;
        let accelerations = rate(&rates).map_err(failed)?;
        let mut motion = Substitution::new();
        for (symbols, values) in [(&given.q, values), (&given.q_dot, rates), (&given.q_ddot, accelerations)] {
            motion.extend(symbols.iter().copied().zip(values));
        }
        let mut inner = Substitution::new();
        let velocities = chart.u.iter().copied().zip(chart.forward.iter().copied());
        let velocities: Vec<(Expr, Expr)> = velocities.filter(|(u, definition)| u != definition).collect();
        for (u, definition) in velocities {
            inner.insert(
                expr::total_derivative(u).map_err(failed)?,
                expr::total_derivative(definition).map_err(failed)?,
            );
            inner.insert(u, definition);
        }
        let said = auditor.loaded.system.inputs.iter().filter_map(|input| Some((input.symbol, input.value?)));
        inner.extend(said);
        let mut along = Along { auditor, inner, motion, assumptions: Assumptions::none() };
        along.assumptions = along.assumed()?;
        Ok(along)
    }

    /// An expression of the chart as a function of time and constants.
    fn put(&self, e: Expr) -> Result<Expr, Refusal> {
        let undefined = |error: expr::MathError| because(format!("the equations have no value along it: {error}"));
        // an input may be given in speeds, and speeds in rates
        let e = self.inner.apply_one(self.inner.apply_one(e).map_err(undefined)?).map_err(undefined)?;
        let e = self.motion.apply_one(e).map_err(undefined)?;
        self.auditor.definitions().apply_one(e).map_err(undefined)
    }

    /// What the model assumes, along the motion.
    fn assumed(&self) -> Result<Assumptions, Refusal> {
        let (given, mut all) = (self.auditor.given, Assumptions::none());
        let relations = given.mode.assumptions(given.system).filter_map(Relation::scalars);
        for (left, is, right) in relations.filter(|relation| relation.1 != Comparison::Equal) {
            all = all.and(self.put(left)?, is, self.put(right)?);
        }
        let definitions = self.auditor.definitions();
        Ok(super::with_equalities(all, &self.auditor.loaded.system, &definitions))
    }

    fn judged(&self) -> (Standing, Option<String>) {
        let parts = match self.parts() {
            Ok(parts) => parts,
            Err(Refusal::Because(why)) => return (Standing::Unknown(why), None),
            Err(Refusal::Missing(names)) => return (Standing::Unknown(names.join(", ")), None),
        };
        let mut needed: Vec<String> = Vec::new();
        let mut open = None;
        for (what, e) in parts {
            match proof::decide(e, &self.assumptions) {
                Verdict::Zero(proof) if !proof.vacuous => {}
                verdict => match (self.with_values(e), verdict) {
                    (Some(values), _) => {
                        needed.extend(values.into_iter().filter(|one| !needed.contains(one)).collect::<Vec<_>>())
                    }
                    (None, Verdict::NonZero(witness)) => return (Standing::Wrong, Some(told(&what, &witness))),
                    (None, Verdict::Zero(_)) => open = Some("no time satisfies what the model assumes".to_owned()),
                    (None, Verdict::Unknown(obstacle)) => open = Some(format!("{what}: {obstacle}")),
                },
            }
        }
        match (open, needed.is_empty()) {
            (Some(why), _) => (Standing::Unknown(why), None),
            (None, true) => (Standing::Correct, None),
            (None, false) => (Standing::WithValues(needed), None),
        }
    }

    /// With which values of the model an expression vanishes, if it does not with all.
    fn with_values(&self, e: Expr) -> Option<Vec<String>> {
        let named: Vec<Expr> = self.motion.iter().flat_map(|(_, value)| value.symbols()).collect();
        self.auditor.needed(e, &self.auditor.telling_values(&named))
    }

    /// What must vanish along the motion, each with its name: (1), then (2).
    fn parts(&self) -> Result<Vec<(String, Expr)>, Refusal> {
        let Auditor { given, chart, rows, .. } = self.auditor;
        let mut parts = Vec::new();
        for row in &rows.list {
            parts.push((format!("the constraint `{}` does not hold", row.name), self.put(row.f)?));
        }
        for &pivot in &chart.pivots {
            if proof::decide(self.put(pivot)?, &self.assumptions).is_zero() {
                return Err(because(
                    "the equations of motion are singular everywhere along it in the velocities used here",
                ));
            }
        }
        if !chart.branches.is_empty() {
            for (&rate, &by_chart) in given.q_dot.iter().zip(&chart.rates) {
                if !proof::decide(self.put(rate - by_chart)?, &self.assumptions).is_zero() {
                    let why = "it is not on the branch of the constraint that the start of the model is on";
                    return Err(because(why));
                }
            }
        }
        let residuals = mechanics::mistake::residuals(given).map_err(|error| because(error.to_string()))?;
        for (&w, residual) in chart.w.iter().zip(residuals) {
            parts.push((format!("the equation of motion for {w} does not hold"), self.put(residual)?));
        }
        let free = |symbol: &Expr| {
            let system = &self.auditor.loaded.system;
            system.inputs.iter().any(|one| one.symbol == *symbol)
                || system.unknowns.iter().any(|one| one.symbol == *symbol)
        };
        let loose = parts.iter().flat_map(|(_, e)| e.symbols()).find(free);
        match loose {
            Some(symbol) => Err(because(format!("`{symbol}` acts on the motion and has no value"))),
            None => Ok(parts),
        }
    }
}

/// A motion is followed only through one mode: where constraints let go or switch, a formula would have to stop.
fn refuse_modes(auditor: &Auditor<'_>) -> Result<(), Refusal> {
    let system = &auditor.loaded.system;
    if let Some(constraint) = system.constraints.iter().find(|constraint| !constraint.acts_always()) {
        return Err(because(format!(
            "`{}` does not always act: a solution is judged where all constraints do",
            constraint.name
        )));
    }
    if let Some(state) = system.states.first() {
        return Err(because(format!(
            "the state `{}` has a law of its own: solutions beside it are not judged",
            state.name
        )));
    }
    match system.frictions.first() {
        Some(friction) => Err(because(format!(
            "there is friction on `{}`: a solution would have to stick or slip for ever",
            friction.on
        ))),
        None => Ok(()),
    }
}

/// The coordinates as functions of time.
fn explicit(auditor: &Auditor<'_>, equations: &[Relation]) -> Result<Vec<Expr>, Refusal> {
    let given = auditor.given;
    let mut said = Substitution::new();
    for equation in equations {
        let text = syntax::format_relation(&equation.tree);
        let Some((left, _, right)) = equation.scalars() else {
            return Err(because(format!("`{text}`: a solution gives coordinates as functions of time")));
        };
        if !given.q.contains(&left) {
            let why =
                format!("`{text}`: a solution gives coordinates as functions of time; implicit ones are not judged");
            return Err(because(why));
        }
        if said.iter().any(|one| one.0 == left) {
            return Err(because(format!("`{left}` is given twice")));
        }
        said.insert(left, right);
    }
    let missing: Vec<String> =
        given.q.iter().filter(|q| !said.iter().any(|one| one.0 == **q)).map(Expr::to_string).collect();
    if !missing.is_empty() {
        return Err(Refusal::Missing(missing));
    }
    // one coordinate may be given by others
    let mut values: Vec<Expr> = given.q.clone();
    for _ in 0..=given.q.len() {
        values = said.apply(&values).map_err(|error| because(error.to_string()))?;
    }
    let moving = |symbol: &Expr| {
        let symbol = symbol.as_symbol();
        symbol.is_some_and(|symbol| !matches!(symbol.kind, expr::Kind::Parameter | expr::Kind::Time))
    };
    match values.iter().flat_map(|e| e.symbols()).find(moving) {
        Some(symbol) => {
            Err(because(format!("`{symbol}` stands on the right: a solution gives coordinates as functions of time")))
        }
        None => Ok(values),
    }
}

fn told(what: &str, witness: &Witness) -> String {
    let state = witness.state.iter().map(|(symbol, value)| format!("{symbol} = {value}"));
    // an enclosure has more digits than anybody reads
    let value = witness.value.to_string();
    let value = value.parse::<f64>().ok().filter(|_| value.contains('.')).map_or(value, expr::decimal);
    format!("Put in, {what}: its two sides differ by {value} at {}.", state.collect::<Vec<_>>().join(", "))
}
