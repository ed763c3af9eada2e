//! A function of time, state and parameters in Python, called with arrays of one state or of many.

use std::sync::OnceLock;

use anholon::{By, Compute, Computed, Failed, Places};
use numpy::{AllowTypeChange, IntoPyArray, PyArrayLikeDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;

use crate::error::{no_answer, raised};

/// Calls that take more instructions than this let other threads of the interpreter run.
const LONG: usize = 20_000;

/// A function `f(t, y, p)`.
#[pyclass(frozen, module = "anholon._engine")]
pub struct Function {
    made: Computed,
    /// Its slopes by time, state and parameters, made when they are asked for.
    slopes: [OnceLock<Computed>; 3],
    /// By which words it is made again.
    request: String,
    wanted: Compute,
}

type Array<'py> = PyArrayLikeDyn<'py, f64, AllowTypeChange>;

/// The numbers of an array, row by row, and its shape.
struct Numbers {
    values: Vec<f64>,
    shape: Vec<usize>,
}

impl Numbers {
    fn of(array: &Array<'_>) -> Numbers {
        let shape = array.shape().to_vec();
        // a slice in the order of Fortran is contiguous too: rows come first only in that of C
        let values = match array.as_slice() {
            Ok(slice) if array.is_c_contiguous() => slice.to_vec(),
            _ => array.as_array().iter().copied().collect(),
        };
        Numbers { values, shape }
    }
}

impl Function {
    /// A function that was made of a model.
    pub fn new(made: Computed, request: String, wanted: Compute) -> Function {
        Function { made, slopes: Default::default(), request, wanted }
    }

    fn shapes(&self, t: &Numbers, y: &Numbers, p: &Numbers) -> PyResult<Option<usize>> {
        let (n, m) = (self.made.state.len(), self.made.parameters.len());
        let count = match y.shape[..] {
            [length] if length == n => None,
            [count, length] if length == n => Some(count),
            _ => {
                let names = self.made.state.join(", ");
                let why = format!("y has the shape {}; ({n},) or (k, {n}) is needed, for {names}", shape(&y.shape));
                return Err(PyValueError::new_err(why));
            }
        };
        let wrong = |name: &str, given: &Numbers, needed: String| {
            Err(PyValueError::new_err(format!("{name} has the shape {}; {needed} is needed", shape(&given.shape))))
        };
        match (&t.shape[..], count) {
            ([], _) => {}
            ([length], Some(count)) if *length == count => {}
            _ => return wrong("t", t, count.map_or("a number".to_owned(), |k| format!("a number or ({k},)"))),
        }
        match (&p.shape[..], count) {
            ([length], _) if *length == m => {}
            ([rows, length], Some(count)) if *length == m && *rows == count => {}
            _ => {
                let names = self.made.parameters.join(", ");
                let of = if m == 0 { "no parameters were made arguments".to_owned() } else { format!("for {names}") };
                return wrong("p", p, format!("({m},) or (k, {m}), {of},"));
            }
        }
        Ok(count)
    }

    fn computed(&self, py: Python<'_>, made: &Computed, t: &Numbers, y: &Numbers, p: &Numbers) -> PyResult<Py<PyAny>> {
        let many = self.shapes(t, y, p)?;
        let count = many.unwrap_or(1);
        let mut to = vec![0.0; count * made.size()];
        let places = Places { count, t: &t.values, y: &y.values, p: &p.values };
        let mut raised = None;
        let mut goes_on = || {
            raised = Python::attach(|py| py.check_signals()).err();
            raised.is_none()
        };
        let done = match count * made.length() > LONG {
            true => py.detach(|| made.at(places, &mut to, &mut goes_on)),
            false => made.at(places, &mut to, &mut || true),
        };
        match done {
            Ok(()) => {}
            Err(Failed::Input(why)) => return Err(PyValueError::new_err(why)),
            Err(Failed::NoAnswer(why)) => return Err(no_answer(py, &why)),
            Err(Failed::Stopped) => return Err(raised.unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))),
        }
        let shape: Vec<usize> = many.into_iter().chain(made.shape.iter().copied()).collect();
        if shape.is_empty() {
            return Ok(to[0].into_pyobject(py)?.into_any().unbind());
        }
        Ok(to.into_pyarray(py).reshape(shape)?.into_any().unbind())
    }

    /// The parameters that were given, or the values of the model.
    fn parameters_or_values(&self, p: Option<Array<'_>>) -> Numbers {
        match p {
            Some(p) => Numbers::of(&p),
            None => Numbers { values: self.made.values.clone(), shape: vec![self.made.values.len()] },
        }
    }
}

#[pymethods]
impl Function {
    /// The values at one state, y of shape (n,), or at many, (k, n); p has the parameters that were made arguments.
    #[pyo3(signature = (t, y, p=None))]
    fn __call__(&self, py: Python<'_>, t: Array<'_>, y: Array<'_>, p: Option<Array<'_>>) -> PyResult<Py<PyAny>> {
        self.computed(py, &self.made, &Numbers::of(&t), &Numbers::of(&y), &self.parameters_or_values(p))
    }

    /// The derivatives by the state ("y"), the parameters ("p") or the time ("t"): exact, nothing is differenced.
    #[pyo3(signature = (t, y, p=None, by="y"))]
    fn slopes(
        &self,
        py: Python<'_>,
        t: Array<'_>,
        y: Array<'_>,
        p: Option<Array<'_>>,
        by: &str,
    ) -> PyResult<Py<PyAny>> {
        let (place, by) = match by {
            "t" => (0, By::Time),
            "y" => (1, By::State),
            "p" => (2, By::Parameters),
            _ => return Err(PyValueError::new_err(format!("by is 't', 'y' or 'p', not {by:?}"))),
        };
        let made = match self.slopes[place].get() {
            Some(made) => made,
            None => {
                let made = self.made.slopes(by).map_err(|error| raised(py, &error))?;
                self.slopes[place].get_or_init(|| made)
            }
        };
        self.computed(py, made, &Numbers::of(&t), &Numbers::of(&y), &self.parameters_or_values(p))
    }

    /// What it computes.
    #[getter]
    fn what(&self) -> &str {
        &self.wanted.what
    }

    /// What the state is made of: coordinates, then rates.
    #[getter]
    fn state(&self) -> Vec<String> {
        self.made.state.clone()
    }

    /// The parameters that are arguments.
    #[getter]
    fn parameters(&self) -> Vec<String> {
        self.made.parameters.clone()
    }

    /// Their values in the model.
    #[getter]
    fn values(&self) -> Vec<f64> {
        self.made.values.clone()
    }

    /// What each value means; of a matrix, its rows.
    #[getter]
    fn outputs(&self) -> Vec<String> {
        self.made.outputs.clone()
    }

    /// The shape of what it gives at one state.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
        pyo3::types::PyTuple::new(py, &self.made.shape)
    }

    fn __repr__(&self) -> String {
        let p = if self.made.parameters.is_empty() { "" } else { ", p" };
        let mut lines = vec![format!("{}(t, y{p}) with y = ({})", self.wanted.what, self.made.state.join(", "))];
        if !self.made.parameters.is_empty() {
            lines.push(format!("p = ({})", self.made.parameters.join(", ")));
        }
        lines.push(format!("gives {} of shape {}", self.made.outputs.join(", "), shape(&self.made.shape)));
        lines.join("\n")
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (String, String, Option<String>, Vec<String>))> {
        let again = py.import("anholon._model")?.getattr("_function_again")?.unbind();
        let Compute { what, form, parameters } = self.wanted.clone();
        Ok((again, (self.request.clone(), what, form, parameters)))
    }
}

/// A shape as Python writes it.
fn shape(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        many => format!("({})", many.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}
