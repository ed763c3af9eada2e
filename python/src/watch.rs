//! Who follows a long call from Python? A callback with the share that is done, and an ear for Ctrl-C.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// So long Python is not asked again.
const PAUSE: Duration = Duration::from_millis(50);

/// Follows a verb; asks Python at once, and then from time to time.
pub struct Watch {
    callback: Option<Py<PyAny>>,
    part: &'static str,
    asked: Option<Instant>,
    /// What was raised meanwhile: by a signal or in the callback.
    pub raised: Option<PyErr>,
}

impl Watch {
    /// Tells this callback, if there is one.
    pub fn new(callback: Option<Py<PyAny>>) -> Watch {
        Watch { callback, part: "", asked: None, raised: None }
    }

    fn ask(&self, share: f64) -> PyResult<bool> {
        Python::attach(|py| {
            py.check_signals()?;
            let Some(callback) = &self.callback else { return Ok(true) };
            let said = callback.call1(py, (self.part, share))?;
            // only `False` stops: a callback that returns nothing goes on
            Ok(said.is_none(py) || said.is_truthy(py)?)
        })
    }
}

impl anholon::Progress for Watch {
    fn begins(&mut self, part: &'static str) {
        self.part = part;
    }

    fn reached(&mut self, share: f64) -> bool {
        if self.raised.is_some() {
            return false;
        }
        if self.asked.is_some_and(|asked| asked.elapsed() < PAUSE) {
            return true;
        }
        let said = self.ask(share);
        self.asked = Some(Instant::now());
        said.unwrap_or_else(|error| {
            self.raised = Some(error);
            false
        })
    }
}
