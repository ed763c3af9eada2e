//! How were the steps of a motion made, and what is said of it?

use numeric::{Method, Motion};

use crate::simulate::Simulation;
use crate::simulate::back::turned;

/// How steps were made.
#[derive(Debug, Default)]
pub struct Ways {
    /// Whether some step was as long as steps may be in this run.
    pub is_limited: bool,
    /// Steps that another method made than the one that was asked for, and which.
    otherwise: (u64, Option<Method>),
    /// When other methods took over, and which.
    changes: Vec<(f64, Method)>,
    /// The method at the end.
    last: Option<Method>,
}

impl Ways {
    /// Takes over what a stretch tells.
    pub fn take(&mut self, motion: &Motion<'_>) {
        self.is_limited |= motion.is_limited;
        self.otherwise = (self.otherwise.0 + motion.otherwise.0, motion.otherwise.1.or(self.otherwise.1));
        self.changes.extend(&motion.changes);
        self.last = Some(motion.method());
    }

    /// Says it.
    pub fn tell(&self, done: &mut Simulation, is_back: bool) {
        if let Some(last) = self.last {
            done.method = last.name();
        }
        if let (count, Some(other)) = self.otherwise {
            let (all, other, method) = (done.steps, other.name(), done.method);
            done.notes.push(format!(
                "{count} of {all} steps were made by `{other}`: there the motion has no power series that `{method}` could \
                 follow (a switch that sticks, a power of zero, a gap that is filled, equations that share a load)"
            ));
        }
        if let [(t, method), others @ ..] = &self.changes[..] {
            let t = expr::decimal(if is_back { turned(*t) } else { *t });
            let again = match others.len() {
                0 => String::new(),
                1 => ", which changed once more".to_owned(),
                count => format!(", which changed {count} times more"),
            };
            done.notes.push(format!("the motion is stiff at t = {t} s: `{}` went on from there{again}", method.name()));
        }
    }
}
