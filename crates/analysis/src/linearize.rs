//! The linear equations about a state: M, C, K and A in independent coordinates, eigenvalues, critical parameters.
//!
//! ```text
//! model → rows that act → Equations → Slopes at the state → Choice → Reduced → second order, spectrum
//! ```
//!
//! The state is the start, another one, or a steady motion that is solved for. Coordinates that nothing depends on are
//! left out unless they are named.

mod answer;
mod bench;
mod choice;
mod closed;
mod critical;
mod equations;
mod matrix;
mod noise;
mod opening;
mod periodic;
mod reduce;
mod rough;
mod state;
mod steady;
mod symbolic;
mod touch;

use linear::eigen::Complex;
use serde::Serialize;

pub use critical::{Critical, Onset, Sweep};
pub use periodic::Period;
pub use symbolic::Symbolic;

use bench::Bench;
use engine::{Error, Field, Loaded, Ordered, Progress};

/// What is asked of a linearisation.
#[derive(Clone, Debug, Default)]
pub struct Linearize {
    /// A steady motion with these values, written as after `start`; `F?` among them asks for the input F.
    pub steady: Option<String>,
    /// The period of the motion, which is then followed once around.
    pub periodic: Option<f64>,
    /// The coordinates of M q'' + C q' + K q = 0.
    pub coordinates: Vec<String>,
    /// Parameters that stay symbols.
    pub symbolic: Vec<String>,
    /// A root locus: `v=0..10`.
    pub sweep: Option<String>,
    /// At so many values.
    pub points: Option<usize>,
    /// Where the stability changes: `v`, or `v=0..10`.
    pub critical: Option<String>,
    /// The inputs of B; all if none is named.
    pub inputs: Vec<String>,
    /// What is measured: names of observes, coordinates, rates.
    pub outputs: Vec<String>,
}

/// An answer, or why there is none.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Linearized {
    /// The equations.
    Found(Box<Linearization>),
    /// There are none.
    NoAnswer {
        /// The model.
        model: String,
        /// Why.
        reason: String,
    },
}

expr::in_words! {
    /// What becomes of small disturbances, by the linear equations alone.
    pub enum Growth {
        /// All decay.
        Stable = "stable",
        /// None grows by an eigenvalue, and some do not decay.
        Neutral = "neutral",
        /// One grows.
        Unstable = "unstable",
        /// The motion is not steady there: eigenvalues of one instant decide nothing.
        Undecided = "undecided",
    }
}

/// Linear equations about a state.
#[derive(Clone, Debug, Serialize)]
pub struct Linearization {
    /// The model.
    pub model: String,
    /// The title of the model.
    #[serde(skip)]
    pub title: String,
    /// The state.
    pub at: Ordered<f64>,
    /// Whether the motion is steady there, so that the matrices stay as they are.
    pub steady: bool,
    /// Names of the states x of x' = A x + B u.
    pub states: Vec<String>,
    /// A.
    pub A: Vec<Vec<f64>>,
    /// The coordinates of M, C and K.
    pub coordinates: Vec<String>,
    /// M.
    pub M: Option<Vec<Vec<f64>>>,
    /// C.
    pub C: Option<Vec<Vec<f64>>>,
    /// K.
    pub K: Option<Vec<Vec<f64>>>,
    /// The inputs.
    pub inputs: Vec<String>,
    /// B.
    pub B: Option<Vec<Vec<f64>>>,
    /// What is measured.
    pub outputs: Vec<String>,
    /// y = C_out x + D u.
    pub C_out: Option<Vec<Vec<f64>>>,
    /// D.
    pub D: Option<Vec<Vec<f64>>>,
    /// The eigenvalues of A.
    pub eigenvalues: Vec<Complex>,
    /// The modes, one for each real eigenvalue and each pair.
    pub modes: Vec<Mode>,
    /// Directions in which nothing happens: coordinates that were left out, and the null space of A.
    pub zero_modes: Vec<Ordered<f64>>,
    /// Coordinates that nothing depends on, left out.
    pub ignorable: Vec<String>,
    /// What the eigenvalues that are not zero say.
    pub stability: Growth,
    /// What happens in one period, if the motion is asked to have one.
    #[serde(flatten)]
    pub periodic: Option<Period>,
    /// Where the stability changes.
    pub critical: Vec<Critical>,
    /// The root locus.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sweep: Option<Sweep>,
    /// The matrices with parameters as symbols.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbolic: Option<Symbolic>,
    /// Remarks for the reader.
    pub notes: Vec<String>,
}

/// An eigenvalue with what it means.
#[derive(Clone, Debug, Serialize)]
pub struct Mode {
    /// The eigenvalue; of a pair the one with positive imaginary part.
    pub eigenvalue: Complex,
    /// |λ| in rad/s, for a pair.
    pub frequency: Option<f64>,
    /// −Re λ/|λ|.
    pub damping: Option<f64>,
    /// The eigenvector, an entry for each state.
    pub vector: Option<Vec<Complex>>,
}

/// A failure on the way: bad input, or no answer.
enum Trouble {
    Bad(Error),
    NoAnswer(String),
}

impl Trouble {
    /// Says which field of the question is at fault.
    fn of(self, field: Field) -> Trouble {
        match self {
            Trouble::Bad(error) => Trouble::Bad(error.of(field)),
            Trouble::NoAnswer(_) => self,
        }
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble::Bad(error)
    }
}

fn bad(message: &str, hint: &str) -> Trouble {
    Trouble::Bad(Error::new(message).hint(hint))
}

/// The linear equations of a model about a state.
pub fn linearize(model: &Loaded, wanted: &Linearize, progress: &mut dyn Progress) -> Result<Linearized, Error> {
    if let Some(error) = engine::observe::unspecified(model) {
        return Err(error);
    }
    match found(model, wanted, progress) {
        Ok(linearization) => Ok(Linearized::Found(Box::new(linearization))),
        Err(Trouble::NoAnswer(reason)) => Ok(Linearized::NoAnswer { model: model.file.clone(), reason }),
        Err(Trouble::Bad(error)) => Err(error),
    }
}

fn found(model: &Loaded, wanted: &Linearize, progress: &mut dyn Progress) -> Result<Linearization, Trouble> {
    let mut notes = Vec::new();
    let (elsewhere, start) = opening::opened(model, wanted)?;
    let loaded = elsewhere.as_ref().unwrap_or(model);
    let _in = loaded.enter();
    opening::ready(loaded, &start, wanted, &mut notes)?;
    if let Some(reason) = loaded.touching.as_ref().and_then(dynamics::grip::Touching::trouble) {
        return Err(Trouble::NoAnswer(reason));
    }
    let (mode, rows) = opening::acting(loaded, &start.at(&loaded.system), &mut notes)?;
    let named = opening::coordinates(loaded, &wanted.coordinates)?;
    let mut bench = Bench::new(loaded, start, mode, &rows, wanted, named)?;
    // what was noted of the model and its state stays; what is said of eigenvalues is not about a period
    let mut of_period = notes.clone();
    let period = match wanted.periodic {
        Some(period) => Some(periodic::periodic(&mut bench, period, &mut of_period, progress)?),
        None => None,
    };
    let reduced = bench.here()?;
    let mut answer = bench.answer(&reduced, wanted, notes)?;
    if let Some(period) = period {
        answer.stability = period.stability;
        answer.notes = of_period;
        answer.periodic = Some(period);
    }
    if let Some(text) = &wanted.sweep {
        let along = critical::Along::read(&bench, text, Field::Sweep, None)?;
        let points = wanted.points.unwrap_or(critical::POINTS);
        let mut notes = std::mem::take(&mut answer.notes);
        answer.sweep = Some(along.sweep(&bench, &answer, points, &mut notes, progress)?);
        answer.notes = notes;
    } else if wanted.points.is_some() && wanted.critical.is_none() {
        let message = format!("`{}` does nothing without `{}` or `{}`", Field::Points, Field::Sweep, Field::Critical);
        return Err(bad(&message, &format!("add `{}`", Field::Sweep.asked("v=0..10"))));
    }
    if let Some(text) = &wanted.critical {
        let along = critical::Along::read(&bench, text, Field::Critical, wanted.sweep.as_deref())?;
        let points = wanted.points.unwrap_or(critical::POINTS);
        let mut notes = std::mem::take(&mut answer.notes);
        answer.critical = along.critical(&bench, &answer, points, &mut notes, progress)?;
        answer.notes = notes;
    }
    if !wanted.symbolic.is_empty() {
        answer.symbolic = Some(symbolic::symbolic(&bench, &answer, &wanted.symbolic, progress)?);
    }
    Ok(answer)
}
