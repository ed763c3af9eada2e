//! A motion in Python: its columns as one array, what is told of it as JSON, its page, its chart.

use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use serde_json::Value;

use crate::error::raised;

/// A motion.
#[pyclass(frozen, module = "anholon._engine")]
pub struct Simulation {
    /// The motion without its states.
    found: anholon::Simulation,
    /// The time and then every column, a row each.
    data: Py<PyArray2<f64>>,
    /// What its model was opened from, and what was asked of it, as JSON.
    asked: (String, Value),
}

/// The viewer of the studio as a part of a page; empty where it was not built.
const VIEWER: &str = include_str!(concat!(env!("OUT_DIR"), "/viewer.html"));
/// A cell of a notebook shows no more states than these.
const STATES: usize = 600;

impl Simulation {
    /// Moves the states into an array.
    pub fn new(py: Python<'_>, mut found: anholon::Simulation, asked: (String, Value)) -> PyResult<Simulation> {
        let rows = std::mem::take(&mut found.table.rows);
        let count = rows.len();
        let mut all = Vec::with_capacity((1 + found.table.columns.len()) * count);
        all.extend(&found.table.t);
        for column in 0..found.table.columns.len() {
            all.extend(rows.iter().map(|row| row[column]));
        }
        drop(rows);
        let data = all.into_pyarray(py).reshape([1 + found.table.columns.len(), count])?;
        // engine memory: whoever wants to change it takes a copy
        data.getattr("flags")?.set_item("WRITEABLE", false)?;
        Ok(Simulation { found, data: data.unbind(), asked })
    }

    /// The motion with its states, every so manieth of them.
    fn whole(&self, py: Python<'_>, every: usize) -> anholon::Simulation {
        let mut found = self.found.clone();
        let data = self.data.bind(py).readonly();
        let array = data.as_array();
        let places = || (0..self.found.table.t.len()).step_by(every);
        found.table.rows = places().map(|k| array.column(k).iter().skip(1).copied().collect()).collect();
        found.table.t = places().map(|k| self.found.table.t[k]).collect();
        found
    }

    /// The model that moves: that of the request, with what the question changes.
    fn model(&self) -> Result<anholon::Model, anholon::Error> {
        let model = ask::open(&serde_json::from_str(&self.asked.0).map_err(anholon::Error::new)?)?;
        let mut question = ask::Question::new("simulate", &self.asked.1)?;
        Ok(ask::changed(&model, &mut question)?.unwrap_or(model))
    }
}

#[pymethods]
impl Simulation {
    /// The time and then every column, a row each; read only.
    #[getter]
    fn data(&self, py: Python<'_>) -> Py<PyArray2<f64>> {
        self.data.clone_ref(py)
    }

    /// What the rows of `data` are, from the second one on.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.found.table.columns.iter().map(|column| column.name()).collect()
    }

    /// Their units; empty where there is none.
    #[getter]
    fn units(&self) -> Vec<String> {
        self.found.table.columns.iter().map(|column| column.unit.clone()).collect()
    }

    /// What is told of the motion, as JSON.
    #[getter]
    fn told(&self) -> String {
        pages::show::harmless(&pages::flags::spelled(&pages::motion::told_of(&self.found, None).to_string()))
            .into_owned()
    }

    /// The page of the command line.
    #[getter]
    fn text(&self) -> String {
        let page = pages::motion::page(&self.found, None, "", &[]);
        pages::show::harmless(&pages::flags::spelled(&page)).into_owned()
    }

    /// The exit code of the command line.
    #[getter]
    fn code(&self) -> u8 {
        pages::code::simulated(&self.found)
    }

    /// A chart of columns as SVG, against the time or another column.
    #[pyo3(signature = (columns, against=None))]
    fn svg(&self, py: Python<'_>, columns: Vec<String>, against: Option<&str>) -> PyResult<String> {
        let found = self.whole(py, 1);
        anholon::picture::chart(&found, &columns, against).map_err(|error| raised(py, &error))
    }

    /// The mechanism as it moves, as a page of HTML: by the viewer, or as a film of lines; nothing for a model without points.
    fn film(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let found = self.whole(py, self.found.table.t.len().div_ceil(STATES).max(1));
        let viewer = Some(VIEWER).filter(|text| !text.is_empty());
        let made = py.detach(|| self.model().map(|model| pages::report::film(&model, &found, viewer)));
        made.map_err(|error| raised(py, &error))
    }
}
