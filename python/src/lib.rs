//! How does Python ask the engine? Models, motions and functions as Python objects; the rest is text.
//!
//! The package `anholon` (`python/anholon`) is written upon this and is what people use.

#![allow(unsafe_code, reason = "the macros of PyO3 write it; nothing here does")]

mod error;
mod function;
mod model;
mod simulation;
mod sweep;
mod watch;

/// The engine.
#[pyo3::pymodule(gil_used = false)]
mod _engine {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::function::Function;
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::simulation::Simulation;
    #[pymodule_export]
    use crate::sweep::design;

    /// Asks a verb that needs no model: the JSON of the answer, its page, its code.
    #[pyfunction]
    #[pyo3(signature = (verb, question))]
    fn alone(py: Python<'_>, verb: &str, question: &str) -> PyResult<(String, String, u8)> {
        let question = crate::error::json(question)?;
        let asked = py.detach(|| ask::alone(verb, &question)).map_err(|error| crate::error::raised(py, &error))?;
        Ok((asked.written, asked.text, asked.code))
    }
}
