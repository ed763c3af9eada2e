//! Where do forces bend or jump? There the first approximation says nothing.

use expr::{Expr, Op, Substitution};
use rustc_hash::FxHashSet;

use super::answer::rest_at;
use super::program::Program;
use super::stability::Nearby;
use super::statics::Statics;
use engine::Loaded;

/// Slopes on both sides are compared so far from a place, in units of the search.
const STEP: f64 = 1e-6;
/// Slopes and forces that differ by less, relative to the largest, are the same.
const SAME: f64 = 1e-3;

/// A part of a force that switches.
#[derive(Clone, Debug)]
pub struct Kink {
    /// The part: an absolute value, a sign, a choice.
    pub part: Expr,
    /// It switches where this changes its sign.
    pub switch: Expr,
    /// Whether the part jumps there.
    pub jumps: bool,
}

/// The parts of a list that switch with some symbols, each once.
pub fn kinks(list: &[Expr], symbols: &[Expr]) -> Vec<Kink> {
    let mut found: Vec<Kink> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut waiting = list.to_vec();
    while let Some(part) = waiting.pop() {
        if !seen.insert(part) || !part.symbols().iter().any(|symbol| symbols.contains(symbol)) {
            continue;
        }
        let arguments = part.arguments();
        let switch = match part.op() {
            Op::Abs => Some((arguments[0], false)),
            Op::Min | Op::Max => Some((arguments[0] - arguments[1], false)),
            Op::Sign => Some((arguments[0], true)),
            Op::IfNegative | Op::IfZero => Some((arguments[0], !meet(&arguments, symbols))),
            _ => None,
        };
        if let Some((switch, jumps)) = switch
            && switch.symbols().iter().any(|symbol| symbols.contains(symbol))
        {
            found.push(Kink { part, switch, jumps });
        }
        waiting.extend(arguments);
    }
    found
}

/// Whether both values of a choice are the same where it switches, as those of a table are.
fn meet(choice: &[Expr], symbols: &[Expr]) -> bool {
    let [switch, one, other] = choice[..] else { return false };
    symbols.iter().any(|&symbol| {
        let slope = expr::derivative(switch, symbol).ok().filter(|slope| slope.is_constant() && !slope.is_zero());
        let there = slope.map(|slope| symbol - switch / slope);
        let gap = there.and_then(|there| Substitution::from([(symbol, there)]).apply_one(one - other).ok());
        gap.is_some_and(|gap| expr::simplify(gap, &[]).is_zero())
    })
}

/// Where switches of one coordinate change their sign, as far as they are linear in it: places to begin a search at.
pub fn places(loaded: &Loaded, statics: &Statics, start: &[f64]) -> Vec<Vec<f64>> {
    let mut list = Vec::new();
    for kink in &statics.kinks {
        for (k, &s) in statics.searched.iter().enumerate() {
            let Ok(slope) = expr::derivative(kink.switch, statics.q[s]) else { continue };
            let step = loaded.at.value(kink.switch) / loaded.at.value(slope);
            if slope.symbols().iter().all(|symbol| !statics.q.contains(symbol)) && step.is_finite() {
                let mut place = start.to_vec();
                place[k] -= step;
                list.push(place);
            }
        }
    }
    list
}

/// The part that switches at a place, if forces or slopes differ on both sides of it.
pub fn at(loaded: &Loaded, statics: &Statics, program: &Program, nearby: &Nearby, z: &[f64]) -> Option<String> {
    if statics.kinks.is_empty() {
        return None;
    }
    let beside = |k: usize, step: f64| {
        let mut beside = z.to_vec();
        beside[k] += step * program.scales[k];
        beside
    };
    let differs = |k: usize| {
        let (there, here) = (beside(k, STEP), beside(k, -STEP));
        let values = program.measured(&there).into_iter().zip(program.measured(&here)).zip(&program.sizes);
        let jump = values.map(|((a, b), size)| (a.value - b.value).abs() / size).fold(0.0, f64::max);
        let (K, L) = (nearby.matrices(program, &there).2, nearby.matrices(program, &here).2);
        let (K, L) = (K.entries(), L.entries());
        let sizes = K.iter().chain(L).fold(0.0_f64, |size, x| size.max(x.abs()));
        let bend = K.iter().zip(L).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        jump > SAME || bend > SAME * sizes
    };
    let k = (0..program.searched.len()).find(|&k| differs(k))?;
    let own = |kink: &&Kink| kink.switch.symbols().contains(&statics.q[program.searched[k]]);
    let mut q = program.elsewhere.clone();
    program.searched.iter().zip(z).for_each(|(&s, &x)| q[s] = x);
    let there = rest_at(loaded, statics, &q, &[]);
    let sized = statics.kinks.iter().filter(own).map(|kink| (there.value(kink.switch).abs(), kink));
    sized.min_by(|a, b| a.0.total_cmp(&b.0)).map(|one| one.1.part.brief())
}
