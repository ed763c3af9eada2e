//! At which instants must a place balance where time stands in the equations?
//!
//! At three, and where the equations switch with time alone, as `if(t < 1, …)` does, at two in each stretch between the
//! instants at which they switch: a push that lasts a tenth of a second is not overlooked.

use engine::Loaded;
use expr::Expr;
use numeric::{Switches, Tape};

use super::kink::kinks;

/// From the first instant on; what has no pattern is asked there.
const LATER: [f64; 2] = [0.617, 1.933];
/// Where in a stretch between two switches.
const WITHIN: [f64; 2] = [0.382, 0.809];
/// So many switches are looked for, so far away, in steps that grow by this part.
const MOST: usize = 6;
const FARTHEST: f64 = 1e5;
const GROWS: f64 = 0.02;
const NEAREST: f64 = 1e-6;

/// The instants from the start of a model on: one for equations that do not depend on time.
pub fn instants(loaded: &Loaded, is_timed: bool, equations: &[Expr]) -> Vec<f64> {
    let first = loaded.start.time.number.unwrap_or(0.0);
    if !is_timed {
        return vec![first];
    }
    let mut switches = switches(loaded, equations, first);
    switches.sort_by(f64::total_cmp);
    switches.dedup_by(|b, a| *b - *a <= 1e-9 * (1.0 + a.abs()));
    switches.truncate(MOST);
    let last = switches.last().copied().unwrap_or(first);
    let ends = std::iter::once(first).chain(switches);
    let ends: Vec<f64> = ends.collect();
    let between = ends.windows(2).flat_map(|ends| WITHIN.map(|part| ends[0] + part * (ends[1] - ends[0])));
    std::iter::once(first).chain(between).chain(LATER.map(|later| last + later)).collect()
}

/// When equations switch that depend on time alone.
fn switches(loaded: &Loaded, equations: &[Expr], first: f64) -> Vec<f64> {
    let system = &loaded.system;
    let known: Vec<Expr> = system.parameters.iter().map(|one| one.symbol).chain(std::iter::once(system.time)).collect();
    let is_known = |e: &Expr| e.symbols().iter().all(|symbol| known.contains(symbol));
    let gaps: Vec<Expr> =
        kinks(equations, &[system.time]).into_iter().map(|kink| kink.switch).filter(is_known).collect();
    let Ok(tape) = Tape::new(&known, &[], &[], std::slice::from_ref(&gaps)) else { return Vec::new() };
    let values: Vec<f64> = loaded.start.parameters.iter().map(|value| value.unwrap_or(f64::NAN)).collect();
    let at = |t: f64| -> Vec<f64> {
        let mut memory = tape.memory::<f64>();
        values.iter().chain(std::iter::once(&t)).enumerate().for_each(|(k, &x)| tape.put(&mut memory, k, x));
        tape.run(0, Switches::Free, &mut memory);
        tape.outputs(0).iter().map(|&slot| memory[slot as usize]).collect()
    };
    let (mut found, mut step) = (Vec::new(), NEAREST);
    let (mut t, mut before) = (first, at(first));
    while !gaps.is_empty() && t - first < FARTHEST && found.len() < MOST {
        let next = t + step;
        let now = at(next);
        for k in (0..gaps.len()).filter(|&k| (before[k] < 0.0) != (now[k] < 0.0)) {
            found.push(bisected(&|t| at(t)[k] < 0.0, t, next));
        }
        (t, before, step) = (next, now, step * (1.0 + GROWS));
    }
    found
}

/// Where a sign changes between two instants.
fn bisected(is_below: &dyn Fn(f64) -> bool, mut from: f64, mut to: f64) -> f64 {
    let side = is_below(from);
    for _ in 0..60 {
        let middle = from + (to - from) / 2.0;
        if is_below(middle) == side { from = middle } else { to = middle }
    }
    to
}
