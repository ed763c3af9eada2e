//! Does a system move as somebody says? By substitution, for all times and all constants.
//!
//! ```text
//! q = s(t):   f(s, s', s'', t) = 0                        every constraint                                    (1)
//!             E* − P* = 0 at u = u(s, s', t), u'          the equations of motion in the chart                (2)
//! G(q, t) = 0:   q' = −G_q⁻¹ G_t, q'' = its rate along q' an implicit motion, n relations in n coordinates       (3)
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
    /// Coordinates, rates and accelerations as functions of time, or of time and coordinates by (3).
    motion: Substitution,
    assumptions: Assumptions,
    /// What vanishes along an implicit motion.
    relations: Vec<Expr>,
}

impl<'a> Along<'a> {
    fn of(auditor: &'a Auditor<'a>, equations: &[Relation]) -> Result<Along<'a>, Refusal> {
        refuse_modes(auditor)?;
        let values = match given(auditor, equations)? {
            Given::Explicit(values) => values,
            Given::Implicit(known, relations) => return Along::implicit(auditor, &known, relations),
        };
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
        let rates = rate(&values).map_err(failed)?;
        let accelerations = rate(&rates).map_err(failed)?;
        Along::moving(auditor, [values, rates, accelerations])
    }

    /// Along a motion with these coordinates, rates and accelerations.
    fn moving(auditor: &'a Auditor<'a>, jets: [Vec<Expr>; 3]) -> Result<Along<'a>, Refusal> {
        let failed = |error: expr::MathError| because(format!("it cannot be differentiated: {error}"));
        let (given, chart) = (auditor.given, auditor.chart);
        let mut motion = Substitution::new();
        for (symbols, values) in [&given.q, &given.q_dot, &given.q_ddot].into_iter().zip(jets) {
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
        let mut along = Along { auditor, inner, motion, assumptions: Assumptions::none(), relations: Vec::new() };
        along.assumptions = along.assumed()?;
        Ok(along)
    }

    /// Along a motion that relations between coordinates and time give, beside coordinates that are known by others: (3).
    fn implicit(auditor: &'a Auditor<'a>, known: &Substitution, relations: Vec<Expr>) -> Result<Along<'a>, Refusal> {
        let failed = |error: expr::MathError| because(format!("it cannot be differentiated: {error}"));
        let given = auditor.given;
        let open: Vec<usize> = (0..given.q.len()).filter(|&k| known.value_of(given.q[k]).is_none()).collect();
        let by: Vec<Expr> = open.iter().map(|&k| given.q[k]).collect();
        let matrix = expr::jacobian(&relations, &by).map_err(failed)?;
        let slopes: Result<Vec<Expr>, _> = relations.iter().map(|&g| expr::derivative(g, expr::time())).collect();
        let right: Vec<Expr> = slopes.map_err(failed)?.into_iter().map(|slope| -slope).collect();
        let none = || because("the relations do not determine the rates of the coordinates");
        let solved = match (&matrix[..], &right[..]) {
            // where the quotient has a value is not asked: a generic place may lie outside
            ([row], [right]) if row.len() == 1 && !row[0].is_zero() => {
                vec![right.try_div(row[0]).map_err(|_| none())?]
            }
            _ => {
                let matrix = proof::linear::Matrix::from_rows(&matrix);
                proof::linear::solve(&matrix, &right, &expr::At::generic()).map_err(|_| none())?
            }
        };
        let mut flow = Substitution::new();
        open.iter().zip(&solved).for_each(|(&k, &rate)| flow.insert(given.q_dot[k], rate));
        let rate = |e: Expr| expr::total_derivative(e).and_then(|e| flow.apply_one(e)).map_err(failed);
        let places = known.apply(&given.q).map_err(failed)?;
        let rates = places.iter().map(|&e| rate(e)).collect::<Result<Vec<_>, _>>()?;
        let accelerations = rates.iter().map(|&e| rate(e)).collect::<Result<Vec<_>, _>>()?;
        if let Some(text) = crate::jumps::jump(&rates, &auditor.assumptions) {
            return Err(because(format!("the rates that it gives jump with `{text}`: no force does that")));
        }
        let mut along = Along::moving(auditor, [places, rates, accelerations])?;
        along.relations = relations;
        Ok(along)
    }

    /// Whether something vanishes along the motion. What vanishes for all coordinates does so on an implicit motion too;
    /// what does not is asked of its points.
    fn vanishes(&self, e: Expr) -> Verdict {
        let mut verdict = proof::decide(e, &self.assumptions);
        if let (Verdict::Unknown(_), Some(plain)) = (&verdict, without_integrals(e))
            && let Verdict::NonZero(witness) = proof::decide(plain, &self.assumptions)
            && at_witness(&witness).value(e).is_finite()
        {
            verdict = Verdict::NonZero(witness);
        }
        if self.relations.is_empty() || verdict.is_zero() {
            return verdict;
        }
        if let Verdict::NonZero(witness) = &verdict
            && self.passes(e, witness)
        {
            return verdict;
        }
        let all = self
            .relations
            .iter()
            .fold(self.assumptions.clone(), |all, &relation| all.and(relation, Comparison::Equal, Expr::zero()));
        proof::decide(e, &all)
    }

    /// Whether a motion passes a witness: its one relation says only what a symbol is that the question does not name,
    /// and has a value where the witness is.
    fn passes(&self, e: Expr, witness: &Witness) -> bool {
        let [relation] = self.relations[..] else { return false };
        let others = e.symbols();
        let is_free = |symbol: &Expr| {
            let slope = expr::derivative(relation, *symbol).ok();
            !others.contains(symbol) && slope.is_some_and(|slope| slope.as_number().is_some_and(|n| !n.is_zero()))
        };
        if !relation.symbols().iter().any(is_free) {
            return false;
        }
        let known = numbers_of(witness);
        let place = known.iter().find(|(symbol, _)| moves(symbol)).map_or(1.0, |pair| pair.1);
        let all = relation.symbols();
        let rest: Vec<Expr> = all.into_iter().filter(|symbol| !known.iter().any(|pair| pair.0 == *symbol)).collect();
        let at = expr::At::new(&known);
        // constants that the question does not name are free: for some of them the relation has a value
        (0..64usize).any(|attempt| {
            let value = |k: usize| [place, 1.0, 10.0, 100.0][(attempt >> (2 * (k % 3))) & 3];
            let chosen: Vec<(Expr, f64)> = rest.iter().enumerate().map(|(k, &symbol)| (symbol, value(k))).collect();
            at.with(&chosen).value(relation).is_finite()
        })
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
            match self.vanishes(e) {
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

/// An expression that is the same wherever its integrals have values, if it does not depend on these.
fn without_integrals(e: Expr) -> Option<Expr> {
    let list = expr::Evaluator::new(&[e], &[]).variable_nodes(|op| op == expr::Op::Integral);
    let names: Vec<Expr> = (0..list.len()).map(|k| expr::parameter(&format!("integral#{k}"))).collect();
    let map: Substitution = list.iter().copied().zip(names.iter().copied()).collect();
    let apart = map.apply_one(e).ok().filter(|_| !list.is_empty())?;
    let is_free = |name: &Expr| expr::derivative(apart, *name).is_ok_and(|slope| slope.is_zero());
    if !names.iter().all(is_free) {
        return None;
    }
    let zeros: Substitution = names.into_iter().map(|name| (name, Expr::zero())).collect();
    zeros.apply_one(apart).ok()
}

/// The numbers of a witness.
fn numbers_of(witness: &Witness) -> Vec<(Expr, f64)> {
    witness.state.iter().map(|(symbol, value)| (expr::symbol(symbol.clone()), value.to_f64())).collect()
}

fn at_witness(witness: &Witness) -> expr::At {
    expr::At::new(&numbers_of(witness))
}

/// How a motion is given.
enum Given {
    /// The coordinates as functions of time, in their order.
    Explicit(Vec<Expr>),
    /// Some coordinates by others and by time, and what vanishes besides.
    Implicit(Substitution, Vec<Expr>),
}

fn given(auditor: &Auditor<'_>, equations: &[Relation]) -> Result<Given, Refusal> {
    let q = &auditor.given.q;
    let (mut said, mut relations) = (Substitution::new(), Vec::new());
    for equation in equations {
        let text = syntax::format_relation(&equation.tree);
        let Some((left, _, right)) = equation.scalars() else {
            return Err(because(format!("`{text}`: a solution gives coordinates as functions of time")));
        };
        if let Some(symbol) = [left, right].iter().flat_map(|e| e.symbols()).find(is_rate) {
            let why = format!("`{text}`: `{symbol}` stands in it; a solution tells places, `constant …` integrals");
            return Err(because(why));
        }
        if !q.contains(&left) || right.symbols().contains(&left) {
            relations.push(left - right);
        } else if said.value_of(left).is_some() {
            return Err(because(format!("`{left}` is given twice")));
        } else {
            said.insert(left, right);
        }
    }
    // one coordinate may be given by others
    let failed = |error: expr::MathError| because(error.to_string());
    let mut values: Vec<Expr> = q.clone();
    for _ in 0..=q.len() {
        values = said.apply(&values).map_err(failed)?;
    }
    let open: Vec<Expr> = q.iter().copied().filter(|q| said.value_of(*q).is_none()).collect();
    let moving = values.iter().flat_map(|e| e.symbols()).find(|symbol| moves(symbol) && !open.contains(symbol));
    if let Some(symbol) = moving {
        return Err(because(format!(
            "`{symbol}` stands on the right: a solution gives coordinates as functions of time"
        )));
    }
    if relations.is_empty() {
        let missing: Vec<String> = open.iter().map(Expr::to_string).collect();
        return if missing.is_empty() { Ok(Given::Explicit(values)) } else { Err(Refusal::Missing(missing)) };
    }
    let known: Substitution = q.iter().copied().zip(values).filter(|(q, _)| !open.contains(q)).collect();
    let relations = known.apply(&relations).map_err(failed)?;
    if let Some(symbol) = relations.iter().flat_map(|e| e.symbols()).find(|s| moves(s) && !open.contains(s)) {
        return Err(because(format!("`{symbol}` stands in a relation: a solution tells coordinates and time")));
    }
    match relations.len().cmp(&open.len()) {
        std::cmp::Ordering::Less => Err(Refusal::Missing(open.iter().map(Expr::to_string).collect())),
        std::cmp::Ordering::Greater => Err(because("there are more relations than coordinates that they could give")),
        std::cmp::Ordering::Equal => Ok(Given::Implicit(known, relations)),
    }
}

/// Whether a symbol is neither a constant nor the time.
fn moves(symbol: &Expr) -> bool {
    let symbol = symbol.as_symbol();
    symbol.is_some_and(|symbol| !matches!(symbol.kind, expr::Kind::Parameter | expr::Kind::Time))
}

fn is_rate(symbol: &Expr) -> bool {
    symbol.as_symbol().is_some_and(|symbol| symbol.order > 0)
}

fn told(what: &str, witness: &Witness) -> String {
    let state = witness.state.iter().map(|(symbol, value)| format!("{symbol} = {value}"));
    // an enclosure has more digits than anybody reads
    let value = witness.value.to_string();
    let value = value.parse::<f64>().ok().filter(|_| value.contains('.')).map_or(value, expr::decimal);
    format!("Put in, {what}: its two sides differ by {value} at {}.", state.collect::<Vec<_>>().join(", "))
}
