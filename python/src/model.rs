//! A model in Python: opened, asked, closed.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::ThreadId;
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::Value;

use crate::error::{json, raised};
use crate::function::Function;
use crate::simulation::Simulation;
use crate::watch::Watch;

/// A sweep as Python gets it: JSON, page, code, parts.
type SweptParts = (String, String, u8, Vec<Py<PyBytes>>);

/// A model; threads take turns.
#[pyclass(frozen, module = "anholon._engine")]
pub struct Model {
    /// What it was opened from, as JSON.
    request: String,
    model: Mutex<Option<anholon::Model>>,
    /// The thread that works with it.
    holder: Mutex<Option<ThreadId>>,
}

#[pymethods]
impl Model {
    /// Opens a model: `file` and `text`, or `gallery`, with `with`, `set`, `at`, `seed`.
    #[new]
    fn new(py: Python<'_>, request: &str) -> PyResult<Model> {
        let wanted = json(request)?;
        let model = py.detach(|| ask::open(&wanted)).map_err(|error| raised(py, &error))?;
        Ok(Model { request: request.to_owned(), model: Mutex::new(Some(model)), holder: Mutex::new(None) })
    }

    /// What it was opened from, as JSON.
    #[getter]
    fn request(&self) -> &str {
        &self.request
    }

    /// Names and values, as JSON.
    fn told(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |model| {
            let system = &model.system;
            let values = system.parameters.iter().zip(&model.start.parameters);
            let parameters: Vec<Value> = values.map(|(one, value)| serde_json::json!([one.name, value])).collect();
            let names = |list: Vec<&String>| list.into_iter().cloned().collect::<Vec<String>>();
            Ok(serde_json::json!({
                "file": model.file,
                "title": system.title,
                "text": model.settings.text,
                "coordinates": names(system.coordinates.iter().map(|one| &one.name).collect()),
                "states": names(system.states.iter().map(|one| &one.name).collect()),
                "speeds": names(system.speeds.iter().map(|one| &one.name).collect()),
                "inputs": names(system.inputs.iter().map(|one| &one.name).collect()),
                "observes": names(system.observes.iter().map(|one| &one.name).collect()),
                "parameters": parameters,
                "assumptions": ask::assumed(model),
            })
            .to_string())
        })
    }

    /// Asks a verb: the JSON of the answer, its page, its code.
    #[pyo3(signature = (verb, question, progress=None))]
    fn ask(
        &self,
        py: Python<'_>,
        verb: &str,
        question: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(String, String, u8)> {
        let question = json(question)?;
        let asked = self.followed(py, progress, |model, watch| ask::ask(model, verb, &question, watch))?;
        Ok((asked.written, asked.text, asked.code))
    }

    /// Runs a motion.
    #[pyo3(signature = (question, progress=None))]
    fn simulate(&self, py: Python<'_>, question: &str, progress: Option<Py<PyAny>>) -> PyResult<Simulation> {
        let mut question = json(question)?;
        let kept = question.get("checkpoint").and_then(|file| file.as_str()).map(str::to_owned);
        if kept.is_some() {
            question["checkpoint"] = true.into();
        }
        let found = self.followed(py, progress, |model, watch| {
            let found = ask::simulation(model, &question, watch)?;
            // also where Ctrl-C has ended it
            if let (Some(file), Some(checkpoint)) = (&kept, &found.checkpoint) {
                let written = std::fs::write(format!("{file}.new"), checkpoint.text());
                let written = written.and_then(|()| std::fs::rename(format!("{file}.new"), file));
                written.map_err(|error| anholon::Error::new(format!("cannot write {file}: {error}")))?;
            }
            Ok(found)
        })?;
        Simulation::new(py, found, (self.request.clone(), question))
    }

    /// Asks for a sweep: the JSON of what is told, its page, its code, and the parts unless they went to a folder.
    #[pyo3(signature = (question, progress=None))]
    fn sweep(&self, py: Python<'_>, question: &str, progress: Option<Py<PyAny>>) -> PyResult<SweptParts> {
        let question = json(question)?;
        let (written, page, code, parts) =
            self.followed(py, progress, |model, watch| crate::sweep::swept(model, &question, watch))?;
        Ok((written, page, code, parts.iter().map(|part| PyBytes::new(py, part).unbind()).collect()))
    }

    /// Makes a function of time, state and parameters.
    #[pyo3(signature = (what, form, parameters))]
    fn function(
        &self,
        py: Python<'_>,
        what: String,
        form: Option<String>,
        parameters: Vec<String>,
    ) -> PyResult<Function> {
        let wanted = anholon::Compute { what, form, parameters };
        let made = self.followed(py, None, |model, _| anholon::compute(model, &wanted))?;
        Ok(Function::new(made, self.request.clone(), wanted))
    }

    /// Frees it; whoever asks it afterwards gets an exception.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let model = self.lock(py)?.take();
        py.detach(|| drop(model));
        Ok(())
    }

    /// Whether it is closed.
    #[getter]
    fn closed(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.lock(py)?.is_none())
    }
}

impl Model {
    /// The model, when its turn has come; Ctrl-C ends the waiting.
    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Option<anholon::Model>>> {
        const PAUSE: Duration = Duration::from_millis(2);
        loop {
            match self.model.try_lock() {
                Ok(guard) => return Ok(guard),
                Err(TryLockError::Poisoned(_)) => {
                    return Err(PyRuntimeError::new_err(
                        "the engine broke off while it worked on this model: load it again",
                    ));
                }
                Err(TryLockError::WouldBlock) => {
                    let holder = *self.holder.lock().unwrap_or_else(PoisonError::into_inner);
                    if holder == Some(std::thread::current().id()) {
                        let why = "this model is at work: what follows its progress cannot ask it something else";
                        return Err(PyRuntimeError::new_err(why));
                    }
                    py.detach(|| std::thread::sleep(PAUSE));
                    py.check_signals()?;
                }
            }
        }
    }

    /// Works with the model, without the lock of the interpreter.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&anholon::Model) -> Result<T, anholon::Error> + Send,
    ) -> PyResult<T> {
        let mut guard = self.lock(py)?;
        let Some(model) = guard.take() else {
            return Err(PyValueError::new_err("this model is closed: load it again"));
        };
        *self.holder.lock().unwrap_or_else(PoisonError::into_inner) = Some(std::thread::current().id());
        // the model goes without the lock of the interpreter, and comes back
        let (model, done) = py.detach(move || {
            let done = work(&model);
            (model, done)
        });
        *self.holder.lock().unwrap_or_else(PoisonError::into_inner) = None;
        *guard = Some(model);
        done.map_err(|error| raised(py, &error))
    }

    /// The same, followed by Python: what was raised meanwhile is raised in place of an answer.
    fn followed<T: Send>(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
        work: impl FnOnce(&anholon::Model, &mut Watch) -> Result<T, anholon::Error> + Send,
    ) -> PyResult<T> {
        let mut watch = Watch::new(progress);
        let done = self.with(py, |model| work(model, &mut watch));
        match watch.raised.take() {
            Some(error) => Err(error),
            None => done,
        }
    }
}
