//! The set of equilibria with parameters as symbols.
//!
//! ```text
//! equations(q, λ, loads; parameters) = 0   →   branches with conditions, thresholds         crate `algebra`
//! parameters keep the signs that they have in the model; so do sines and cosines of them
//! ```
//!
//! Every branch is proved, and every equilibrium lies on one: so the set is complete whatever the ranges. Branches are
//! matched with the numbers of the search; those that do not exist at the values of the model are listed for others.

use algebra::{Condition, Sign};
use expr::{At, Comparison, Expr, Formula, Op, Substitution};
use mechanics::{LoadKind, Mode};
use rustc_hash::FxHashSet;
use serde::Serialize;
use syntax::Axis;

use super::answer::rest_at;
use super::flat::{self, Leading};
use super::inertia::{Inertia, Stiffness, principal_minors};
use super::momentum::Constants;
use super::oscillations::Spectral;
use super::program::Program;
use super::search::{Ground, wrapped};
use super::set::Point;
use super::statics::Statics;
use engine::{Loaded, Ordered, Progress};

/// More unknowns than this are not tried.
const MOST_UNKNOWNS: usize = 9;
/// Longer equations, in operations, are not tried.
const MOST_OPERATIONS: usize = 400;
/// What is smaller, relative to its terms, is zero.
const ZERO: f64 = 1e-9;

/// A branch in words.
#[derive(Clone, Debug, Serialize)]
pub struct Branch {
    /// Unknowns and their values.
    pub values: Ordered<String>,
    /// The same values in every shape.
    #[serde(skip)]
    pub formulas: Ordered<Formula>,
    /// Unknowns that may have any value.
    pub free: Vec<String>,
    /// One-sided constraints that are open there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<String>,
    /// What must hold.
    pub conditions: Vec<String>,
    /// Whether it exists with the values of the model.
    pub exists: bool,
    /// How many roots meet in it.
    pub multiplicity: u32,
    /// Where it is stable, with parameters as symbols, as far as the signs of the stiffness say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stability: Option<String>,
}

/// A branch with its expressions.
pub struct Exact {
    /// In words.
    pub told: Branch,
    found: algebra::Branch,
}

impl Exact {
    /// What an expression is on the branch.
    pub(super) fn value(&self, e: Expr) -> Option<Expr> {
        self.found.values.iter().copied().collect::<Substitution>().apply_one(e).ok()
    }

    /// What must hold on the branch.
    pub(super) fn conditions(&self) -> &[Condition] {
        &self.found.conditions
    }

    /// Whether its conditions, those on unknowns too, hold at its place with the values of the model.
    fn exists_there(&self, loaded: &Loaded) -> bool {
        let values = values(loaded);
        self.found.conditions.iter().all(|one| {
            let put = self.found.put(one.value);
            put.is_ok_and(|value| holds(&Condition { value, ..*one }, &values, &loaded.at))
        })
    }

    /// The signs of the stiffness at a point of the branch; pivots do not vanish at the state.
    pub(super) fn inertia(
        &self,
        statics: &Statics,
        program: &Program,
        stiffness: &Stiffness,
        z: &[f64],
        at: &At,
    ) -> Option<Inertia> {
        stiffness.inertia(&self.found, &self.freely(statics, program, z)?, at)
    }

    /// What gyroscopic forces do at a point of the branch where the energy leads down.
    pub(super) fn spectral(
        &self,
        statics: &Statics,
        program: &Program,
        stiffness: &Stiffness,
        at: &At,
        point: &Point,
    ) -> Option<Spectral> {
        point.inertia.filter(|inertia| inertia.down > 0)?;
        stiffness.spectral(statics, &self.found, &self.freely(statics, program, &point.z)?, at)
    }

    /// The axis of an angular momentum that holds a point of the branch.
    pub(super) fn turned(
        &self,
        loaded: &Loaded,
        statics: &Statics,
        program: &Program,
        constants: &Constants,
        point: &Point,
    ) -> Option<Axis> {
        let all: Substitution = self.freely(statics, program, &point.z)?.into_iter().chain(values(loaded)).collect();
        constants.axis(loaded, statics, &|e| all.apply_one(self.found.put(e).ok()?).ok())
    }

    /// Free unknowns of the branch at a point.
    fn freely(&self, statics: &Statics, program: &Program, z: &[f64]) -> Option<Substitution> {
        let others = statics.rows.list.iter().map(|row| row.lambda).chain(statics.loads.iter().map(|load| load.symbol));
        let unknowns = program.searched.iter().map(|&s| statics.q[s]).chain(others);
        let free = unknowns.zip(z).filter(|(symbol, _)| self.found.free.contains(symbol));
        free.map(|(symbol, x)| Some((symbol, expr::parse(&format!("{x}")).ok()?))).collect()
    }

    /// What the force does along the one direction without stiffness, if there is one.
    pub(super) fn leading(&self, loaded: &Loaded, statics: &Statics, inertia: Option<Inertia>) -> Option<Leading> {
        let flat = inertia?.flat.checked_sub(statics.free.len())?;
        (flat == 1 && inertia?.down == 0).then(|| flat::leading(loaded, statics, &self.found))?
    }
}

/// All branches.
pub struct Branches {
    /// They.
    pub list: Vec<Exact>,
    /// Where the set changes.
    pub thresholds: Vec<String>,
    /// What was taken for granted of the parameters.
    pub assumptions: Vec<String>,
    /// The same as conditions.
    pub known: Vec<Condition>,
}

/// The branches, or why there are none.
pub fn branches(loaded: &Loaded, statics: &Statics, progress: &mut dyn Progress) -> Result<Branches, String> {
    if statics.timed.is_some() {
        return Err("time stands in the equations".to_owned());
    }
    let equations: Vec<Expr> = statics.equations().into_iter().map(|one| one.1).collect();
    let rows = statics.rows.list.iter().map(|row| (row.name.clone(), row.lambda));
    let loads = statics.loads.iter().map(|load| (load.name.clone(), load.symbol));
    let places = statics.searched.iter().map(|&s| (statics.names[s].clone(), statics.q[s]));
    let unknowns: Vec<(String, Expr)> = places.chain(loads).chain(rows).collect();
    let symbols: Vec<Expr> = unknowns.iter().map(|one| one.1).collect();
    let operations: usize = equations.iter().map(|e| e.operations()).sum();
    if symbols.len() > MOST_UNKNOWNS || operations > MOST_OPERATIONS {
        return Err(format!(
            "{} unknowns in {operations} operations are too many for an exact solution",
            symbols.len()
        ));
    }
    let known = known(loaded, &statics.mode, &equations, &symbols);
    progress.begins("solving in letters");
    let found = algebra::solve_while(&equations, &symbols, &known, &mut |share| progress.reached(share));
    let found = found.map_err(|obstacle| obstacle.to_string())?;
    // whether signs of the stiffness decide rests on a kinetic energy that is positive
    let stiffness = Stiffness::new(loaded, statics).filter(|_| !is_energy_open(loaded, &statics.mode));
    let values = values(loaded);
    let name =
        |symbol: &Expr| unknowns.iter().find(|one| one.1 == *symbol).map_or_else(String::new, |one| one.0.clone());
    let told = |branch: &algebra::Branch| Branch {
        values: branch.values.iter().map(|(symbol, value)| (name(symbol), value.to_string())).collect(),
        formulas: branch.values.iter().map(|(symbol, value)| (name(symbol), Formula::of(*value))).collect(),
        free: branch.free.iter().map(name).collect(),
        open: Vec::new(),
        conditions: branch.conditions.iter().map(ToString::to_string).collect(),
        exists: branch.conditions.iter().all(|condition| holds(condition, &values, &loaded.at)),
        multiplicity: branch.multiplicity,
        stability: stiffness.as_ref().and_then(|one| one.verdict(statics, branch, &known, &loaded.at)),
    };
    Ok(Branches {
        list: found.branches.iter().map(|branch| Exact { told: told(branch), found: branch.clone() }).collect(),
        thresholds: found.thresholds.iter().map(ToString::to_string).collect(),
        assumptions: told_of(&known),
        known,
    })
}

/// What is known, without what follows from the signs of single symbols: beside P > 0 and g > 0 nobody says P/g > 0.
fn told_of(known: &[Condition]) -> Vec<String> {
    let (single, others): (Vec<&Condition>, Vec<&Condition>) =
        known.iter().partition(|one| one.value.op() == Op::Symbol);
    let signs: Vec<Condition> = single.iter().map(|one| **one).collect();
    let follows =
        |one: &Condition| one.comparison == Comparison::Greater && algebra::sign(one.value, &signs) == Sign::Positive;
    let kept = others.into_iter().filter(|one| !follows(one)).chain(single);
    let mut list: Vec<String> = kept.map(ToString::to_string).collect();
    list.sort();
    list
}

/// What the parameters are, exactly.
fn values(loaded: &Loaded) -> Substitution {
    loaded.system.parameters.iter().filter_map(|one| Some((one.symbol, one.value?))).collect()
}

/// Whether a condition on the parameters holds with their values; on unknowns it is left to the search.
fn holds(condition: &Condition, values: &Substitution, at: &At) -> bool {
    let is_known = |symbol: &Expr| symbol.as_symbol().is_some_and(|one| one.kind == expr::Kind::Parameter);
    if !condition.value.symbols().iter().all(is_known) {
        return true;
    }
    let put = values.apply_one(condition.value).ok();
    let exact = put.map_or(Sign::Open, |put| algebra::sign(put, &[]));
    // of parameters without values nothing is known: the condition is told, and the branch may exist
    if exact == Sign::Open && put.is_some_and(|put| !put.symbols().is_empty()) {
        return true;
    }
    condition.comparison.holds(match exact {
        Sign::Positive => 1.0,
        Sign::Zero => 0.0,
        Sign::Negative => -1.0,
        Sign::Open => {
            let (value, size) = (at.value(condition.value), at.size(condition.value));
            if value.abs() <= ZERO * size { 0.0 } else { value }
        }
    })
}

/// What is known of the parameters: what the model assumes in a mode, and the signs that its values have.
pub fn known(loaded: &Loaded, mode: &Mode, equations: &[Expr], unknowns: &[Expr]) -> Vec<Condition> {
    let mut list: Vec<Condition> = Vec::new();
    for (left, comparison, right) in mode.assumptions(&loaded.system).filter_map(mechanics::Relation::scalars) {
        list.push(Condition { value: left - right, comparison });
    }
    let masses = masses_without_values(loaded);
    for one in masses.iter().flat_map(|&value| taken_apart(value, &masses)) {
        if !list.iter().any(|known| known.value == one.value) {
            list.push(one);
        }
    }
    let values = values(loaded);
    let mut signed = |e: Expr| {
        let exact = values.apply(&[e]).map_or(Sign::Open, |put| algebra::sign(put[0], &[]));
        let comparison = match exact {
            Sign::Positive => Comparison::Greater,
            Sign::Negative => Comparison::Less,
            Sign::Zero => return,
            Sign::Open => match super::bounds::sign(e, &list) {
                Some(comparison) => comparison,
                None => return,
            },
        };
        if !list.iter().any(|one| one.value == e) {
            list.push(Condition { value: e, comparison });
        }
    };
    // A sign that holds at the start alone, such as that of cos(Omega*t), is no knowledge.
    let is_fixed = |symbol: &Expr| *symbol != loaded.system.time && !unknowns.contains(symbol);
    let is_known = |e: &Expr| !e.is_constant() && e.symbols().iter().all(is_fixed);
    let mut waiting: Vec<Expr> = equations.to_vec();
    let mut seen = FxHashSet::default();
    while let Some(e) = waiting.pop() {
        if !seen.insert(e) {
            continue;
        }
        if is_known(&e) && matches!(e.op(), Op::Symbol | Op::Sin | Op::Cos) {
            signed(e);
        }
        if !(is_known(&e) && matches!(e.op(), Op::Sin | Op::Cos | Op::Tan)) {
            waiting.extend(e.arguments());
        }
    }
    list.sort_by_key(|one| one.to_string());
    list
}

/// Masses and moments of inertia that have no value: they are positive all the same.
fn masses_without_values(loaded: &Loaded) -> Vec<Expr> {
    let system = &loaded.system;
    let moments = |body: &mechanics::Body| {
        let first = if body.inertia.given == 1 { 2 } else { 0 };
        [vec![body.mass], body.inertia.entries[first..3].to_vec()].concat()
    };
    let all = system.points.iter().filter_map(|point| point.mass).chain(system.bodies.iter().flat_map(moments));
    let is_open = |e: &Expr| *e != Expr::zero() && e.symbols().iter().any(|symbol| is_valueless(loaded, *symbol));
    all.filter(is_open).collect()
}

/// That a mass or a moment is positive, by its factors: beside m > 0 m r²/2 > 0 says r ≠ 0.
fn taken_apart(value: Expr, positive: &[Expr]) -> Vec<Condition> {
    let condition = |value: Expr, comparison: Comparison| Condition { value, comparison };
    let (mut odd, mut parts, mut waiting) = (Vec::new(), Vec::new(), vec![(value, 1)]);
    while let Some((e, n)) = waiting.pop() {
        let arguments = e.arguments();
        let exponent = || arguments[1].as_number().and_then(|k| k.to_i64()).filter(|k| k.abs() < 20);
        match e.op() {
            Op::Number if e.as_number().is_some_and(|number| !number.is_negative() && !number.is_zero()) => {}
            Op::Product | Op::Scale => waiting.extend(arguments.into_iter().map(|factor| (factor, n))),
            Op::Power if exponent().is_some() => waiting.push((arguments[0], n * exponent().unwrap_or(1))),
            Op::Symbol if n % 2 == 0 => parts.push(condition(e, Comparison::NotEqual)),
            Op::Symbol if e != value && positive.contains(&e) => {}
            Op::Symbol => odd.push(e),
            _ => return vec![condition(value, Comparison::Greater)],
        }
    }
    match odd[..] {
        [] => parts,
        [one] => parts.into_iter().chain([condition(one, Comparison::Greater)]).collect(),
        _ => vec![condition(value, Comparison::Greater)],
    }
}

/// Whether the kinetic energy may be negative for some values: `kinetic` lines that are not proved to be positive by the signs
/// of their parameters, and products of inertia without values.
fn is_energy_open(loaded: &Loaded, mode: &Mode) -> bool {
    let is_open = |e: &Expr| e.symbols().iter().any(|symbol| is_valueless(loaded, *symbol));
    let products = loaded.system.bodies.iter().flat_map(|body| &body.inertia.entries[3..]).any(is_open);
    products || !has_positive_lines(loaded, mode)
}

/// Whether what `kinetic` lines add to T is proved to be positive or zero: no sum of principal minors of ∂²T/∂q'∂q' is negative.
fn has_positive_lines(loaded: &Loaded, mode: &Mode) -> bool {
    let lines = mode.loads(&loaded.system).filter_map(|load| match &load.kind {
        LoadKind::Kinetic(T) => Some(*T),
        _ => None,
    });
    let (T, rates): (Expr, Vec<Expr>) = (lines.sum(), loaded.system.q_dot());
    let rates: Vec<Expr> = rates.into_iter().filter(|rate| T.symbols().contains(rate)).collect();
    let of = |a: &Expr| -> Option<Vec<Expr>> {
        let slope = expr::derivative(T, *a).ok()?;
        rates.iter().map(|b| expr::derivative(slope, *b).ok()).collect()
    };
    let Some(H) = rates.iter().map(of).collect::<Option<Vec<_>>>() else { return false };
    let known = known(loaded, mode, &H.concat(), &[]);
    let is_sure = |sum: &Expr| matches!(algebra::sign(*sum, &known), Sign::Positive | Sign::Zero);
    H.len() <= MOST_UNKNOWNS && principal_minors(&H).iter().all(is_sure)
}

fn is_valueless(loaded: &Loaded, symbol: Expr) -> bool {
    let mut parameters = loaded.system.parameters.iter().zip(&loaded.start.parameters);
    parameters.any(|(parameter, value)| parameter.symbol == symbol && value.is_none())
}

/// A point that the search met is so near its branch, against the sizes of coordinates.
const NEAR: f64 = 1e-5;
/// Places that are nearer are one.
const SAME: f64 = 1e-12;

/// Whether two places on branches are different ones.
pub fn are_apart(ground: &Ground, one: &[f64], other: &[f64], n: usize) -> bool {
    !ground.is_same(&one[..n], &other[..n], SAME)
}

/// The places of branches without free unknowns that numbers confirm, and the branches that exist and are not confirmed.
fn places(
    loaded: &Loaded,
    statics: &Statics,
    program: &Program,
    ground: &Ground,
    exact: &Branches,
) -> (Vec<Vec<f64>>, Vec<usize>) {
    let n = program.searched.len();
    let list = exact.list.iter().enumerate();
    let alone = list.filter(|(_, branch)| branch.told.exists && branch.found.free.is_empty());
    let place_of = |branch: &Exact| {
        let z = numbers(loaded, statics, program, branch, &program.with_multipliers(&ground.starts[0]));
        [&ground.normal(&z[..n])[..], &z[n..]].concat()
    };
    // a force may be so steep that numbers beside the root say nothing of it: there a box proves it
    let is_solution = |z: &[f64]| program.left(z) <= 1e-9 || program.enclosure(z).is_some();
    let (mut places, mut lost): (Vec<Vec<f64>>, Vec<usize>) = (Vec::new(), Vec::new());
    for (number, branch) in alone {
        let z = place_of(branch);
        let is_finite = z.iter().all(|x| x.is_finite());
        match is_finite && is_solution(&z) {
            _ if is_finite && !ground.contains(&z[..n]) => {}
            true => places.push(z),
            false if branch.exists_there(loaded) => lost.push(number),
            false => {}
        }
    }
    (places, lost)
}

/// Points of branches that the search did not meet, and for each point of the list its branch; and branches that exist and
/// that numbers do not confirm.
pub fn matched(
    loaded: &Loaded,
    statics: &Statics,
    program: &Program,
    ground: &Ground,
    exact: &Branches,
    points: &mut Vec<Point>,
) -> (Vec<Option<usize>>, Vec<usize>) {
    let n = program.searched.len();
    let (places, lost) = places(loaded, statics, program, ground, exact);
    // two branches that floating point numbers would take for one: what the search met there may be either
    let is_crowded = |z: &Vec<f64>| {
        places.iter().any(|other| ground.is_same(&z[..n], &other[..n], NEAR) && are_apart(ground, z, other, n))
    };
    let crowded: Vec<&Vec<f64>> = places.iter().filter(|z| is_crowded(z)).collect();
    points.retain(|point| {
        let is_near = |z: &&Vec<f64>| ground.is_same(&point.z[..n], &z[..n], NEAR);
        !point.family.is_empty() || !crowded.iter().any(is_near)
    });
    for z in &places {
        let close = if crowded.contains(&z) { SAME } else { NEAR };
        if !points.iter().any(|point| ground.is_same(&point.z[..n], &z[..n], close)) {
            points.push(super::set::point(program, z.clone()));
        }
    }
    let of = |point: &Point| {
        // a branch without free unknowns says more
        let mut fitting: Vec<(usize, f64)> = Vec::new();
        for (place, branch) in exact.list.iter().enumerate().filter(|(_, branch)| branch.told.exists) {
            let z = numbers(loaded, statics, program, branch, &point.z);
            let is_there = ground.is_same(&ground.normal(&z[..n]), &point.z[..n], NEAR);
            if is_there && has_same_loads(program, &z, &point.z) {
                let apart = z.iter().zip(&point.z[..n]).map(|(a, b)| wrapped(a - b).abs()).fold(0.0, f64::max);
                fitting.push((place, apart));
            }
        }
        // near a bifurcation several branches are close
        fitting.sort_by(|a, b| a.1.total_cmp(&b.1));
        fitting.sort_by_key(|&(place, _)| {
            (exact.list[place].found.free.is_empty() != point.family.is_empty(), exact.list[place].found.free.len())
        });
        fitting.first().map(|one| one.0)
    };
    let of_points: Vec<Option<usize>> = points.iter().map(of).collect();
    for (point, place) in points.iter_mut().zip(&of_points) {
        placed(loaded, statics, program, ground, place.map(|place| &exact.list[place]), point);
    }
    (of_points, lost)
}

/// Whether loads that were looked for are the same: at one place there may be several.
fn has_same_loads(program: &Program, one: &[f64], other: &[f64]) -> bool {
    let first = one.len() - program.loads;
    let is_same = |k: usize| (one[k] - other[k]).abs() <= NEAR * program.scales[k].max(other[k].abs());
    (first..one.len()).all(is_same)
}

/// A multiple solution is found to half the digits: on a branch it has all. One that is proved to lie alone in a box with
/// regular slopes is none.
fn placed(
    loaded: &Loaded,
    statics: &Statics,
    program: &Program,
    ground: &Ground,
    branch: Option<&Exact>,
    point: &mut Point,
) {
    if point.degenerate.is_empty() || !point.family.is_empty() {
        return;
    }
    if program.enclosure(&point.z).is_some() {
        point.degenerate.clear();
    } else if let Some(branch) = branch.filter(|branch| branch.found.free.is_empty()) {
        let n = program.searched.len();
        let z = numbers(loaded, statics, program, branch, &point.z);
        let z = [&ground.normal(&z[..n])[..], &z[n..]].concat();
        if z.iter().all(|x| x.is_finite()) && program.left(&z) <= program.left(&point.z).max(1e-12) {
            point.z = z;
        }
    }
}

/// The unknowns on a branch; free ones as at a point.
fn numbers(loaded: &Loaded, statics: &Statics, program: &Program, branch: &Exact, z: &[f64]) -> Vec<f64> {
    let n = program.searched.len();
    let mut q = program.elsewhere.clone();
    program.searched.iter().zip(z).for_each(|(&s, &x)| q[s] = x);
    let others: Vec<Expr> =
        statics.rows.list.iter().map(|row| row.lambda).chain(statics.loads.iter().map(|load| load.symbol)).collect();
    let more: Vec<(Expr, f64)> = others.iter().copied().zip(z[n..].iter().copied()).collect();
    let at = rest_at(loaded, statics, &q, &more);
    let symbols = program.searched.iter().map(|&s| statics.q[s]).chain(others);
    let value = |(symbol, &x): (Expr, &f64)| {
        branch.found.values.iter().find(|one| one.0 == symbol).map_or(x, |one| at.value(one.1))
    };
    symbols.zip(z).map(value).collect()
}
