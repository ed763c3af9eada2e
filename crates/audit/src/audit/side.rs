//! On which side of a length is the start? The norm of a vector on one line is |u|, and a motion stays on one side of u = 0 where
//! a load has no value there.
//!
//! ```text
//! |u| = u  if u > 0 at the start,  −u  if u < 0           u a function of coordinates: the r of polar ones, x₂ − x₁        (1)
//! ```
//!
//! What books write for a spring with a rest length is (1): k (r − l). So claims are judged on that side, and the page says so. A |u| of
//! the author's own, which has a value at 0, stays what it is.

use engine::Loaded;
use expr::{Comparison, Expr, Kind, Op};
use mechanics::{LoadKind, Relation};
use proof::Assumptions;
use rustc_hash::FxHashSet;

/// The name of the lines that say on which side the start is.
const NAME: &str = "side of the start";
/// Steps of simplification for all lengths.
const STEPS: u64 = 50_000;
/// So many sides are assumed.
const MOST: usize = 24;

/// A model with the side of its start as an assumption, and that in words.
pub struct Sided {
    pub loaded: Loaded,
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
    let loaded = engine::load(&settings).ok()?;
    Some(Sided { loaded, assumed })
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
        q.contains(symbol) || matches!(kind, Some(Kind::Parameter | Kind::Time))
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
