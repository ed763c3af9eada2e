//! Which exception is an error of the engine? And JSON that cannot be read?

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// `anholon.ModelError`, with its diagnostics.
pub fn raised(py: Python<'_>, error: &anholon::Error) -> PyErr {
    made(py, "ModelError", ask::error_json(error).to_string())
}

/// `anholon.NoAnswer`.
pub fn no_answer(py: Python<'_>, reason: &str) -> PyErr {
    made(py, "NoAnswer", serde_json::json!({ "error": reason }).to_string())
}

fn made(py: Python<'_>, name: &str, told: String) -> PyErr {
    let exception = || py.import("anholon._errors")?.getattr(name)?.call_method1("_of", (told,));
    match exception() {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

/// JSON of the Python layer.
pub fn json(text: &str) -> PyResult<serde_json::Value> {
    serde_json::from_str(text).map_err(|error| PyValueError::new_err(format!("this is no JSON: {error}")))
}
