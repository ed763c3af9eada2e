//! On which side of a length is the start? The norm of a vector on one line is |u|, and a motion stays on one side of u = 0 where
//! a load has no value there.
//!
//! ```text
//! |u| = u  if u > 0 at the start,  −u  if u < 0           u a function of coordinates: the r of polar ones, x₂ − x₁        (1)
//! ```
//!
//! What books write for a spring with a rest length is (1): k (r − l). So claims are judged on that side, and the page says so. A |u| of
//! the author's own, which has a value at 0, stays what it is.

use expr::{Comparison, Expr, Kind, Op, Substitution};
use mechanics::form::Form;
use mechanics::ingredients::Ingredients;
use mechanics::{LoadKind, Relation};
use proof::Assumptions;
use rustc_hash::FxHashSet;

use crate::Loaded;
use crate::positive::positive;

/// The name of the lines that say on which side the start is.
const NAME: &str = "side of the start";
/// Steps of simplification for all lengths.
const STEPS: u64 = 50_000;
/// So many sides are assumed.
const MOST: usize = 24;

/// A model with the side of its start as an assumption, and that in words.
pub struct Sided {
    /// The model.
    pub loaded: Loaded,
    /// What is assumed.
    pub assumed: Vec<String>,
}

/// The model on the side (1) of its start; nothing if no length needs it.
pub fn of_the_start(loaded: &Loaded) -> Option<Sided> {
    let (lines, assumed) = {
        let _in = loaded.enter();
        let relations = loaded.system.assumptions.iter().filter_map(Relation::scalars);
        let known = relations.fold(Assumptions::none(), |all, (left, is, right)| all.and(left, is, right));
        let (mut lines, mut assumed) = (String::new(), Vec::new());
        for u in lengths(loaded).into_iter().take(MOST) {
            let value = loaded.at.value(u);
            let decided = [u.abs() - u, u.abs() + u].into_iter().any(|e| proof::decide(e, &known).is_zero());
            if decided || !value.is_finite() || value == 0.0 {
                continue;
            }
            let (is, sign) = if value > 0.0 { (Comparison::Greater, '>') } else { (Comparison::Less, '<') };
            lines.push_str(&format!("assume {u} {sign} 0\n"));
            assumed.extend(Assumptions::none().and(u, is, Expr::zero()).texts());
        }
        (lines, assumed)
    };
    if lines.is_empty() {
        return None;
    }
    let mut settings = loaded.settings.clone();
    settings.with.push((NAME.to_owned(), lines));
    let loaded = crate::load(&settings).ok()?;
    Some(Sided { loaded, assumed })
}

/// A form without bars where the model assumes on which side u is.
pub fn without_bars(form: &Form, given: &Ingredients<'_>) -> Option<Form> {
    let equations = form.equations.iter().flat_map(|equation| [equation.left, equation.right]);
    let rows = form.conditions.iter().map(|condition| condition.row);
    let list: Vec<Expr> = equations.chain(rows).chain(form.reactions.iter().map(|one| one.value)).collect();
    let known = on_its_side(&list, given);
    if known.is_empty() {
        return None;
    }
    let mut made = form.clone();
    for equation in &mut made.equations {
        equation.left = known.apply_one(equation.left).ok()?;
        equation.right = known.apply_one(equation.right).ok()?;
    }
    for condition in &mut made.conditions {
        condition.row = known.apply_one(condition.row).ok()?;
    }
    for reaction in &mut made.reactions {
        reaction.value = known.apply_one(reaction.value).ok()?;
    }
    Some(made)
}

/// The |u| of which the model assumes whether they are u or −u.
pub fn on_its_side(list: &[Expr], given: &Ingredients<'_>) -> Substitution {
    let mut known = Substitution::new();
    for part in crate::parts::parts(list).into_iter().filter(|part| part.op() == Op::Abs) {
        let u = part.arguments()[0];
        if let Some(positive) = is_positive(u, given) {
            known.insert(part, if positive { u } else { -u });
        }
    }
    known
}

/// Is it positive or negative by what is assumed, or by the signs of parameters?
fn is_positive(u: Expr, given: &Ingredients<'_>) -> Option<bool> {
    for (left, is, right) in given.mode.assumptions(given.system).filter_map(Relation::scalars) {
        let (larger, smaller) = match is {
            Comparison::Greater | Comparison::AtLeast => (left, right),
            Comparison::Less | Comparison::AtMost => (right, left),
            _ => continue,
        };
        let gap = larger - smaller;
        if gap.is_same(u) || gap.is_same(-u) {
            return Some(gap.is_same(u));
        }
    }
    let facts: Vec<(Expr, u8)> = positive(given).iter().map(|&one| (one, expr::sign::POSITIVE)).collect();
    let signs = expr::Evaluator::new(&[u], &facts).signs(u);
    match (signs & expr::sign::NONNEGATIVE != 0, signs & expr::sign::NONPOSITIVE != 0) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// What stands in |u| where a spring with a rest length has its length, or a load divides by it.
fn lengths(loaded: &Loaded) -> Vec<Expr> {
    let system = &loaded.system;
    let q = system.q();
    let (mut found, mut steps): (Vec<Expr>, u64) = (Vec::new(), STEPS);
    for load in &system.loads {
        let sides: Vec<Expr> = match &load.kind {
            LoadKind::Spring { rest, ends, .. } if !rest.is_zero() => {
                let length = (ends[1].position - ends[0].position).norm();
                length.map_or_else(|_| Vec::new(), |length| sides(expr::simplify_within(length, &[], &mut steps)))
            }
            LoadKind::Force { force, .. } => force.0.into_iter().flat_map(divisors).collect(),
            LoadKind::Generalized { force, .. } => divisors(*force),
            LoadKind::Potential(potential) => divisors(*potential),
            _ => Vec::new(),
        };
        found.extend(sides);
    }
    let is_place = |symbol: &Expr| {
        let kind = symbol.as_symbol().map(|symbol| symbol.kind);
        q.contains(symbol) || matches!(kind, Some(Kind::Parameter | Kind::Time | Kind::Input))
    };
    let moves = |u: &Expr| u.symbols().iter().any(|symbol| q.contains(symbol)) && u.symbols().iter().all(is_place);
    let mut seen = FxHashSet::default();
    found.retain(|u| moves(u) && seen.insert(*u));
    found
}

/// The u of every |u| in an expression.
fn sides(e: Expr) -> Vec<Expr> {
    let is_abs = |part: &Expr| part.op() == Op::Abs;
    parts(e).into_iter().filter(is_abs).flat_map(|part| part.arguments()).collect()
}

/// The u of every |u| by which an expression divides.
fn divisors(e: Expr) -> Vec<Expr> {
    let divides = |part: &Expr| match (part.op(), &part.arguments()[..]) {
        (Op::Power, [_, exponent]) => exponent.as_number().is_some_and(|number| number.is_negative()),
        _ => false,
    };
    parts(e).into_iter().filter(divides).flat_map(|part| sides(part.arguments()[0])).collect()
}

/// All parts of an expression.
fn parts(e: Expr) -> Vec<Expr> {
    let (mut seen, mut waiting, mut found) = (FxHashSet::default(), vec![e], Vec::new());
    while let Some(e) = waiting.pop() {
        if seen.insert(e) {
            found.push(e);
            waiting.extend(e.arguments());
        }
    }
    found
}
