//! Many points from Python: which values they have, and what is computed there, as Parquet files in memory or in a folder.

use std::fs;
use std::path::PathBuf;

use anholon::{Design, Error, Progress, Store, Sweep, Swept};
use ask::Question;
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value;

use crate::error::{json, raised};

/// What is told of a sweep: JSON, page, code, and the bytes of parts that are in no folder.
type Told = (String, String, u8, Vec<Vec<u8>>);

/// The parts of a sweep.
pub enum Parts {
    /// Bytes of files.
    Kept(Vec<Vec<u8>>),
    /// Files in a folder; those that are there may be kept.
    Folder { path: PathBuf, resumes: bool },
}

impl Parts {
    fn file(path: &std::path::Path, part: usize) -> PathBuf {
        path.join(format!("part-{part:05}.parquet"))
    }
}

impl Store for Parts {
    fn there(&mut self, part: usize) -> Option<Vec<u8>> {
        match self {
            Parts::Folder { path, resumes: true } => fs::read(Parts::file(path, part)).ok(),
            _ => None,
        }
    }

    fn keep(&mut self, part: usize, bytes: &[u8]) -> Result<(), Error> {
        match self {
            Parts::Kept(all) => all.push(bytes.to_vec()),
            Parts::Folder { path, .. } => {
                let file = Parts::file(path, part);
                let beside = file.with_extension("new");
                let written = fs::create_dir_all(&*path).and_then(|()| fs::write(&beside, bytes));
                let written = written.and_then(|()| fs::rename(&beside, &file));
                written.map_err(|error| Error::new(format!("cannot write {}: {error}", file.display())))?;
            }
        }
        Ok(())
    }
}

/// What a question says of a sweep.
fn wanted(question: &mut Question<'_>, seed: Option<u64>) -> Result<Sweep, Error> {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(Sweep {
        vary: question.text("vary")?.unwrap_or_default(),
        table: question.text("points")?,
        what: question.text("what")?.unwrap_or_default(),
        duration: question.number("for")?,
        tolerance: question.number("tolerance")?,
        seed: seed.unwrap_or(0),
        threads: question.count("threads")?.map_or(all, |count| usize::try_from(count).unwrap_or(all)),
    })
}

/// Computes what is asked at every point.
pub fn swept(model: &anholon::Model, question: &Value, progress: &mut dyn Progress) -> Result<Told, Error> {
    let mut question = Question::new("sweep", question)?;
    let other = ask::changed(model, &mut question)?;
    let model = other.as_ref().unwrap_or(model);
    let wanted = wanted(&mut question, model.settings.seed)?;
    let (out, resumes) = (question.text("out")?.map(PathBuf::from), question.flag("resume")?);
    question.finish()?;
    let mut parts = match out {
        Some(path) if !resumes && Parts::file(&path, 0).exists() => {
            let there = Parts::file(&path, 0);
            return Err(Error::new(format!("{} is there already", there.display()))
                .hint("`resume` goes on with that sweep; or choose another folder with `out`"));
        }
        Some(path) => Parts::Folder { path, resumes },
        None if resumes => return Err(Error::new("`resume` goes on with the parts of a folder: name it with `out`")),
        None => Parts::Kept(Vec::new()),
    };
    let swept = anholon::sweep(model, &wanted, &mut parts, progress)?;
    told(&swept, parts)
}

fn told(swept: &Swept, parts: Parts) -> Result<Told, Error> {
    let (names, kept) = match parts {
        Parts::Kept(kept) => (Vec::new(), kept),
        Parts::Folder { path, .. } => {
            ((0..swept.parts).map(|part| Parts::file(&path, part).display().to_string()).collect(), Vec::new())
        }
    };
    let mut object = pages::sweep::object(swept, &names, 0.0);
    if let Some(map) = object.as_object_mut() {
        map.remove("seconds");
    }
    let page = ask::shown(&pages::sweep::page(swept, &names));
    Ok((object.to_string(), page, pages::code::sweep(swept), kept))
}

/// How many points a design has, the names that it varies, and the values of some points, a row each.
#[pyfunction]
#[pyo3(signature = (question, first, last))]
pub fn design(
    py: Python<'_>,
    question: &str,
    first: usize,
    last: usize,
) -> PyResult<(usize, Vec<String>, Py<PyArray2<f64>>)> {
    let question = json(question)?;
    let read = || {
        let mut question = Question::new("sweep", &question)?;
        let seed = question.count("seed")?;
        Design::of(&wanted(&mut question, seed)?)
    };
    let design = py.detach(read).map_err(|error| raised(py, &error))?;
    let names: Vec<String> = design.names().map(str::to_owned).collect();
    if first > last {
        return Err(PyValueError::new_err("the first point stands behind the last"));
    }
    let range = first.min(design.points())..last.min(design.points());
    let (rows, values) = (range.len(), range.flat_map(|point| design.at(point)).collect::<Vec<f64>>());
    let array = values.into_pyarray(py).reshape([rows, names.len()])?;
    Ok((design.points(), names, array.unbind()))
}
