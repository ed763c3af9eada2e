//! Where does a system rest, what do its supports carry there, and is the rest stable?
//!
//! ```text
//! model → rows that act → Statics ─┬→ exact branches and thresholds, with parameters as symbols
//!                                  └→ Program → many starts, branch and prune → Point → Stability
//! ```
//!
//! The answer is a set: points, families with their dimension, nothing at all; with a proof of completeness where every
//! coordinate has a range, and otherwise without such a claim.

mod angles;
mod answer;
mod approximation;
mod bounds;
mod certificate;
mod choice;
mod clearance;
mod curve;
mod damping;
mod dependent;
mod division;
mod enclosed;
mod exact;
mod fact;
mod flat;
mod floquet;
mod ground;
mod hunt;
mod inertia;
mod instants;
mod kink;
mod lawful;
mod letters;
mod momentum;
mod nearby;
mod oscillations;
mod period;
mod program;
mod relative;
mod release;
mod remark;
mod search;
mod set;
mod sides;
mod solve;
mod stability;
mod statics;
mod stray;
mod supports;
mod turns;
mod undetermined;
mod work;

use linear::eigen::Complex;
use serde::Serialize;

pub use certificate::Certificate;
pub(crate) use choice::Choice;
pub use curve::Curve;
pub use exact::Branch;
pub use exact::known;
pub use fact::{Verdict, judged};
pub use letters::VirtualWork;
pub use stability::{Rest, Signs};

use engine::SharedLoad;
use engine::load_at;
use engine::reactions::Acting;
use engine::{Error, Field, Loaded, Ordered, Progress, Settings};
use hunt::Hunt;
use statics::Wanted;

/// What is asked of a search for equilibria.
#[derive(Clone, Debug, Default)]
pub struct Equilibria {
    /// Ranges of coordinates: `phi=0..2*pi, x=-1..1`.
    pub within: Option<String>,
    /// A place near which one equilibrium is looked for, written as after `start`.
    pub near: Option<String>,
    /// Coordinates that turn steadily, at the rate of the start.
    pub relative: Vec<String>,
    /// Loads that are looked for, at the place of the start.
    pub solve: Vec<String>,
}

/// The equilibria of a model.
#[derive(Clone, Debug, Serialize)]
pub struct EquilibriumSet {
    /// The model.
    pub model: String,
    /// The title of the model.
    #[serde(skip)]
    pub title: String,
    /// The equilibria.
    pub equilibria: Vec<Equilibrium>,
    /// Where the set changes, with parameters as symbols.
    pub thresholds: Vec<String>,
    /// The set with parameters as symbols, where it could be solved for exactly.
    pub branches: Vec<Branch>,
    /// What was taken for granted of the parameters there.
    pub assumptions: Vec<String>,
    /// Whether it is proved that there are no others in the ranges.
    pub complete: bool,
    /// Why, or why not.
    pub completeness: String,
    /// The ranges of the search.
    pub ranges: Ordered<[f64; 2]>,
    /// Boxes that could not be decided.
    pub undecided: Vec<Ordered<[f64; 2]>>,
    /// Whether rest is admissible at all; if not, the notes say why.
    pub admissible: bool,
    /// Virtual displacements at the start that do work, if there is no equilibrium.
    pub work: Vec<Work>,
    /// How many boxes were looked at.
    pub boxes: usize,
    /// The virtual work of the forces at rest, in letters, unless it is too long to be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_work: Option<VirtualWork>,
    /// Parameters without a value: then the set is told by its branches alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without_values: Vec<String>,
    /// Functions that were looked for: with them every place is an equilibrium.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curves: Vec<Curve>,
    /// Remarks for the reader.
    pub notes: Vec<String>,
    /// Whether the search came to its end and left no box open in which there may be another equilibrium.
    #[serde(skip)]
    pub decided: bool,
}

expr::in_words! {
    /// What solution of the equations an equilibrium is.
    pub enum EquilibriumKind {
        /// A place by itself.
        Point = "point",
        /// One place of a continuous set.
        Family = "family",
        /// A place by itself at which the equations vanish twice or more.
        Multiple = "multiple",
    }
}

expr::in_words! {
    /// Whether a one-sided constraint holds.
    pub enum Support {
        /// It holds.
        Closed = "closed",
        /// It does not.
        Open = "open",
    }
}

/// An equilibrium, or a family of them.
#[derive(Clone, Debug, Serialize)]
pub struct Equilibrium {
    /// Whether it is alone.
    pub kind: EquilibriumKind,
    /// The coordinates; a place of the family. Rates of coordinates that turn.
    pub values: Ordered<f64>,
    /// The same with parameters as symbols.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<Ordered<String>>,
    /// Loads that were looked for; one that the place does not determine is no number, `null` in JSON.
    #[serde(skip_serializing_if = "Ordered::is_empty")]
    pub loads: Ordered<f64>,
    /// How many dimensions the family has; 0 for a point.
    pub family_dimension: usize,
    /// Coordinates that nothing depends on.
    pub free: Vec<String>,
    /// Whether the family is all that the constraints allow.
    pub everywhere: bool,
    /// The directions of the family at this place.
    pub directions: Vec<Ordered<f64>>,
    /// The potential energy, where the forces have one; with that of the inertial forces where a frame turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub potential_energy: Option<f64>,
    /// `asymptotically stable`, `stable`, `unstable`, `neutral` or `undecided`.
    pub stability: Rest,
    /// Why.
    pub reason: String,
    /// Eigenvalues of the linear equations.
    pub eigenvalues: Vec<Complex>,
    /// Floquet's multipliers, where the equations come back after a period.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub floquet: Vec<Complex>,
    /// How the signs behind the verdict were found.
    pub signs: Signs,
    /// Stiffnesses along the principal directions, by unit of mass.
    pub stiffness: Vec<f64>,
    /// Constants of the first approximation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
    /// The multipliers by row.
    pub multipliers: Ordered<f64>,
    /// What each constraint does to points and bodies.
    pub reactions: Vec<Acting>,
    /// What each constraint does to the coordinates.
    pub generalized_reactions: Ordered<Ordered<f64>>,
    /// Rows that share a load: what they carry together. What each of them carries is not determined, and not told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shared_loads: Vec<SharedLoad>,
    /// How many combinations of reactions or loads are not determined.
    pub indeterminate: usize,
    /// Multipliers that balance each other: any multiple may be added to those above.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub balancing: Vec<Ordered<f64>>,
    /// One-sided constraints: `closed` or `open`.
    #[serde(skip_serializing_if = "Ordered::is_empty")]
    pub contact: Ordered<Support>,
    /// Whether rest is the only motion: false where a force is not Lipschitz.
    pub unique: bool,
    /// The width of the box in which it is proved to lie alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enclosed: Option<f64>,
    /// What must hold for it to exist, with parameters as symbols.
    pub conditions: Vec<String>,
}

/// A virtual displacement and its work.
#[derive(Clone, Debug, Serialize)]
pub struct Work {
    /// The displacement.
    pub displacement: Ordered<f64>,
    /// The work of the forces, by unit of the displacement.
    pub work: f64,
    /// The same with parameters as symbols, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<String>,
}

/// A failure on the way.
pub(crate) enum Trouble {
    Bad(Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble::Bad(error)
    }
}

pub(crate) fn bad(message: &str, hint: &str) -> Trouble {
    Trouble::Bad(Error::new(message).hint(hint))
}

/// The equilibria of a model.
///
/// ```
/// let rods = engine::load(&engine::Settings::gallery("two-rods-couple")?)?;
/// let set = statics::equilibria(&rods, &statics::Equilibria::default(), &mut engine::Alone)?;
/// assert_eq!((set.equilibria.len(), set.complete), (4, true));
/// # Ok::<(), engine::Error>(())
/// ```
pub fn equilibria(model: &Loaded, wanted: &Equilibria, progress: &mut dyn Progress) -> Result<EquilibriumSet, Error> {
    if !model.system.sought.is_empty() {
        return curve::found(model, wanted).map_err(|Trouble::Bad(error)| error);
    }
    if let Some(error) = engine::observe::unspecified(model) {
        return Err(error);
    }
    found(model, wanted, progress).map_err(|Trouble::Bad(error)| error)
}

fn found(model: &Loaded, wanted: &Equilibria, progress: &mut dyn Progress) -> Result<EquilibriumSet, Trouble> {
    if wanted.near.is_some() && (wanted.within.is_some() || !wanted.solve.is_empty()) {
        let (near, within, solve) = (Field::Near, Field::Within, Field::Solve);
        let hint = format!(
            "`{near}` looks for one equilibrium, `{within}` for all in a box, `{solve}` for loads at one place"
        );
        return Err(bad(&format!("`{near}` goes with neither `{within}` nor `{solve}`"), &hint));
    }
    if wanted.near.is_some() && model.settings.at.is_some() {
        let (near, at) = (Field::Near, Field::At);
        let hint = format!("`{near}` says the whole place: write there what `{at}` says");
        return Err(bad(&format!("`{at}` has no effect beside `{near}`"), &hint));
    }
    let elsewhere = wanted.near.as_ref().map(|near| {
        let settings = Settings { at: Some(near.clone()), ..model.settings.clone() };
        load_at(&settings, Field::Near)
    });
    let elsewhere = elsewhere.transpose()?;
    let loaded = elsewhere.as_ref().unwrap_or(model);
    let _in = loaded.enter();
    let mut notes = Vec::new();
    let missing = missing(loaded, &wanted.solve);
    let in_letters = wanted.near.is_none() && wanted.within.is_none() && wanted.solve.is_empty();
    if !missing.is_empty() && !in_letters {
        return Err(valueless(&missing));
    }
    ready(loaded, missing.is_empty(), &mut notes)?;
    let relative = relative::relative(loaded, &wanted.relative)?;
    if !missing.is_empty() {
        return letters::solved(loaded, &relative, missing, notes, progress);
    }
    if !wanted.solve.is_empty() {
        return solve::solved(loaded, &relative, &wanted.solve, notes);
    }
    let mut hunt = Hunt::new(loaded, wanted, &relative, answer::empty(loaded, notes), progress);
    let choices = choice::choices(loaded, &mut hunt.answer.notes);
    for choice in &choices {
        if hunt.ear.is_over() {
            break;
        }
        hunt.with(choice, choices.len() == 1)?;
    }
    hunt.finished()
}

/// Loads that statics finds.
pub fn unknowns(loaded: &Loaded) -> Vec<Wanted> {
    let wanted = |unknown: &mechanics::Unknown| Wanted { name: unknown.name.clone(), symbol: unknown.symbol };
    loaded.system.unknowns.iter().map(wanted).collect()
}

pub(crate) fn unknown_coordinate(field: Field, name: &str, all: &[&str]) -> Trouble {
    let hint = match syntax::nearest(name, all.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the coordinates are {}", all.join(", ")),
    };
    bad(&format!("`{field}`: there is no coordinate `{name}`"), &hint)
}

/// What has no value, loads that are looked for apart.
fn missing(loaded: &Loaded, solve: &[String]) -> Vec<String> {
    let system = &loaded.system;
    let is_load = |name: &String| {
        system.unknowns.iter().any(|unknown| unknown.name == *name)
            || system.inputs.iter().any(|input| input.name == *name)
            || solve.contains(name)
    };
    let parameters = system.parameters.iter().zip(&loaded.start.parameters).filter(|(_, value)| value.is_none());
    let mut missing: Vec<String> = parameters.map(|(parameter, _)| parameter.name.clone()).collect();
    for name in loaded.start.missing.iter().filter(|name| !is_load(name)) {
        if !missing.contains(name) {
            missing.push(name.clone());
        }
    }
    missing
}

fn valueless(missing: &[String]) -> Trouble {
    let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
    let have = if names.len() == 1 { "has" } else { "have" };
    let set = Field::Set.asked(format_args!("{}=…", missing[0]));
    let hint = format!(
        "give values with `{set}`, or in a file with `{}`; without a place the set is solved in letters",
        Field::With
    );
    bad(&format!("{} {have} no value", names.join(", ")), &hint)
}

/// An error if the model says what statics cannot use.
fn ready(loaded: &Loaded, has_values: bool, notes: &mut Vec<String>) -> Result<(), Trouble> {
    engine::sound::coordinates(loaded)?;
    let system = &loaded.system;
    if has_values {
        engine::sound::masses(loaded)?;
    }
    let refuse = |span, message: String, hint: &str| {
        let diagnostic = syntax::Diagnostic::error(span, message).hint(hint);
        Err(Trouble::Bad(Error::of_model(&loaded.model.sources, &[diagnostic])))
    };
    if let Some(one) = system.frictions.first() {
        let hint = "leave the line out; with friction equilibria fill regions, which are not found yet";
        return refuse(one.span, format!("`equilibria` cannot use the friction on `{}`", one.on), hint);
    }
    if let Some(one) = system.constraints.iter().find(|one| one.from.is_some() || one.until.is_some()) {
        let hint = "leave `from` and `until` out, or the whole line";
        return refuse(one.span, format!("`equilibria` cannot use `{}`: it does not always act", one.name), hint);
    }
    for one in &system.restitutions {
        notes.push(format!("the restitution on `{}` matters in impacts only", one.on));
    }
    Ok(())
}
