//! How often must a motion be looked at, so that its curves show what happens?
//!
//! A hundred states are a table, and no curve of a hundred swings: joined by lines they show beats that nobody made. The
//! steps of the method tell how fast things change; several states a step are a smooth curve.

use engine::{Error, Loaded, Progress};
use motion::{Simulate, Simulation};

/// So many states for each step of the method.
const A_STEP: f64 = 4.0;
/// And not more than these.
const MOST: f64 = 50_000.0;

/// The same motion with as many states as its curves need; nothing where it has them.
pub fn dense(
    model: &Loaded,
    wanted: &Simulate,
    found: &Simulation,
    progress: &mut dyn Progress,
) -> Result<Option<Simulation>, Error> {
    let (Some(first), Some(last)) = (found.table.t.first(), found.table.t.last()) else { return Ok(None) };
    let count = (A_STEP * found.steps as f64).min(MOST).round();
    let span = (last - first).abs();
    if count <= found.table.t.len() as f64 || span == 0.0 || found.stopped_by.failure().is_some() {
        return Ok(None);
    }
    let wanted = Simulate { times: Vec::new(), every: Some(span / count), keeps: false, ..wanted.clone() };
    motion::simulate(model, &wanted, progress).map(Some)
}
