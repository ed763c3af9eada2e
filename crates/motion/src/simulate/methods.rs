//! Which methods made the steps of a motion, in words?

use numeric::Method;

use crate::simulate::Simulation;

/// A method that was asked for did not make all steps.
pub fn otherwise(count: u64, done: &Simulation, other: Method) -> String {
    let (all, other, method) = (done.steps, other.name(), done.method);
    format!(
        "{count} of {all} steps were made by `{other}`: there the motion has no power series that `{method}` could follow \
         (a switch that sticks, a power of zero, a gap that is filled, equations that share a load)"
    )
}
