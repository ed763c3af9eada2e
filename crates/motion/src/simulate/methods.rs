//! How were the steps of a motion made, and what is said of it?

use numeric::{Method, Motion};

use crate::simulate::Simulation;

/// How steps were made.
#[derive(Debug, Default)]
pub struct Ways {
    /// Whether some step was as long as steps may be in this run.
    pub is_limited: bool,
    /// Steps that another method made than the one that was asked for, and which.
    otherwise: (u64, Option<Method>),
}

impl Ways {
    /// Takes over what a stretch tells.
    pub fn take(&mut self, motion: &Motion<'_>) {
        self.is_limited |= motion.is_limited;
        self.otherwise = (self.otherwise.0 + motion.otherwise.0, motion.otherwise.1.or(self.otherwise.1));
    }

    /// Says it.
    pub fn tell(&self, done: &mut Simulation) {
        if let (count, Some(other)) = self.otherwise {
            let (all, other, method) = (done.steps, other.name(), done.method);
            done.notes.push(format!(
                "{count} of {all} steps were made by `{other}`: there the motion has no power series that `{method}` could \
                 follow (a switch that sticks, a power of zero, a gap that is filled, equations that share a load)"
            ));
        }
    }
}
