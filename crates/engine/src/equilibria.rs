//! Where does a system rest, what do its supports carry there, and is the rest stable?
//!
//! ```text
//! model → rows that act → Statics ─┬→ exact branches and thresholds, with parameters as symbols
//!                                  └→ Program → many starts, branch and prune → Point → Stability
//! ```
//!
//! The answer is a set: points, families with their dimension, nothing at all; with a proof of completeness where every
//! coordinate has a range, and otherwise without such a claim.

mod answer;
mod certificate;
mod enclosed;
mod exact;
mod fact;
mod flat;
mod ground;
mod inertia;
mod kink;
mod matrix;
mod nearby;
mod program;
mod relative;
mod release;
mod search;
mod set;
mod sides;
mod solve;
mod stability;
mod statics;
mod work;

use mechanics::rows::{Row, Rows};
use numeric::eigen::Complex;
use proof::linear::{Matrix, rank};
use serde::Serialize;

pub use certificate::Certificate;
pub use exact::Branch;
pub(crate) use exact::known;
pub(crate) use fact::{Verdict, judged};
pub use search::{Nobody, Watcher};

use crate::evaluate::Acting;
use crate::{BadInput, Loaded, Ordered, Settings, load};
use answer::Found;
use program::Program;
use search::{Effort, Proof};
use stability::Nearby;
use statics::{Statics, Wanted};

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
    /// Remarks for the reader.
    pub notes: Vec<String>,
    /// Exit code: 0 an answer, 3 boxes that could not be decided or a search that ended early.
    #[serde(skip)]
    pub code: u8,
}

/// An equilibrium, or a family of them.
#[derive(Clone, Debug, Serialize)]
pub struct Equilibrium {
    /// `point`, `family`, or `multiple` for a point at which the equations vanish twice or more.
    pub kind: &'static str,
    /// The coordinates; a place of the family. Rates of coordinates that turn.
    pub values: Ordered<f64>,
    /// The same with parameters as symbols.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<Ordered<String>>,
    /// Loads that were looked for.
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
    pub stability: &'static str,
    /// Why.
    pub reason: String,
    /// Eigenvalues of the linear equations.
    pub eigenvalues: Vec<Complex>,
    /// How the signs behind the verdict were found: `exact`, `interval` or `float`.
    pub signs: &'static str,
    /// Stiffnesses along the principal directions, by unit of mass.
    pub stiffness: Vec<f64>,
    /// Constants of the first approximation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
    /// The multipliers by row.
    pub multipliers: Ordered<f64>,
    /// What each constraint does to points and bodies.
    pub reactions: Vec<Acting>,
    /// How many combinations of reactions or loads are not determined.
    pub indeterminate: usize,
    /// Multipliers that balance each other: any multiple may be added to those above.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub balancing: Vec<Ordered<f64>>,
    /// One-sided constraints: `closed` or `open`.
    #[serde(skip_serializing_if = "Ordered::is_empty")]
    pub contact: Ordered<&'static str>,
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
    Bad(BadInput),
}

impl From<BadInput> for Trouble {
    fn from(error: BadInput) -> Trouble {
        Trouble::Bad(error)
    }
}

pub(crate) fn bad(message: &str, hint: &str) -> Trouble {
    Trouble::Bad(BadInput(format!("error: {message}\nhint: {hint}")))
}

/// So many starts of Newton's method for each unknown coordinate, and at most.
const STARTS: (usize, usize) = (40, 400);
/// More one-sided constraints than this are taken as they stand at the start.
const MOST_ONE_SIDED: usize = 6;

/// The equilibria of a model.
///
/// ```
/// let rods = engine::Settings::gallery("two-rods-couple")?;
/// let set = engine::equilibria(&rods, &engine::Equilibria::default(), &mut engine::equilibria::Nobody)?;
/// assert_eq!((set.equilibria.len(), set.complete), (4, true));
/// # Ok::<(), engine::BadInput>(())
/// ```
pub fn equilibria(
    settings: &Settings,
    wanted: &Equilibria,
    watcher: &mut dyn Watcher,
) -> Result<EquilibriumSet, BadInput> {
    found(settings, wanted, watcher).map_err(|Trouble::Bad(error)| error)
}

fn found(settings: &Settings, wanted: &Equilibria, watcher: &mut dyn Watcher) -> Result<EquilibriumSet, Trouble> {
    if wanted.near.is_some() && (wanted.within.is_some() || !wanted.solve.is_empty()) {
        let hint = "`--near` looks for one equilibrium, `--box` for all in a box, `--solve` for loads at one place";
        return Err(bad("`--near` goes with neither `--box` nor `--solve`", hint));
    }
    let loaded = match &wanted.near {
        None => load(settings)?,
        Some(near) => {
            let elsewhere = Settings { at: Some(near.clone()), ..settings.clone() };
            load(&elsewhere).map_err(|error| BadInput(error.0.replace("--at", "--near")))?
        }
    };
    let mut notes = Vec::new();
    ready(&loaded, &wanted.solve, &mut notes)?;
    let relative = relative::relative(&loaded, &wanted.relative)?;
    if !wanted.solve.is_empty() {
        return solve::solved(&loaded, &relative, &wanted.solve, notes);
    }
    let mut answer = answer::empty(&loaded, notes);
    let choices = choices(&loaded, &mut answer.notes);
    let mut all: Vec<Found> = Vec::new();
    let (mut is_complete, mut whys, mut pulled) = (true, Vec::new(), Vec::new());
    for choice in &choices {
        let rows = rows(&loaded, choice)?;
        let statics = Statics::new(&loaded, rows, &relative, unknowns(&loaded), &mut answer.notes)?;
        if let Some(why) = inadmissible(&statics) {
            answer.notes.push(why);
            whys.push("rest is not admissible".to_owned());
            answer.admissible &= choices.len() > 1;
            continue;
        }
        let mut program = Program::new(&loaded, &statics, instants(&loaded, &statics))?;
        let mut ground = ground::ground(&loaded, &statics, wanted, &mut program, &mut answer.notes)?;
        ground.starts.extend(kink::places(&loaded, &statics, &ground.starts[0]));
        let near = wanted.near.is_some();
        let count = if near { 0 } else { (STARTS.0 * (1 + statics.searched.len())).min(STARTS.1) };
        let starts = search::gathered(&program, &ground, count, watcher);
        let starts: Vec<Vec<f64>> = if near { starts.into_iter().take(1).collect() } else { starts };
        let mut points: Vec<set::Point> = starts.iter().map(|z| set::point(&program, z.clone())).collect();
        let has_family = points.iter().any(|point| !point.family.is_empty());
        let effort = match has_family {
            true => Effort { narrow: 0.02, boxes: 4_000, narrow_ones: 400 },
            false => Effort { narrow: 1e-6, boxes: 2_000_000, narrow_ones: 400 },
        };
        let proof = match near {
            true => None,
            false => search::proved(&program, &ground, &starts, effort, watcher),
        };
        if let Some(proof) = &proof {
            take(&program, &ground, proof, &mut points);
        }
        let exact = if near { Err(String::new()) } else { exact::branches(&loaded, &statics) };
        let of_points = match &exact {
            Ok(exact) => exact::matched(&loaded, &statics, &program, &ground, exact, &mut points),
            Err(_) => vec![None; points.len()],
        };
        let is_solved = exact.is_ok() && of_points.iter().all(Option::is_some);
        points.iter_mut().zip(of_points).for_each(|(point, branch)| point.branch = branch);
        let energy = answer::energy(&loaded, &statics, &program);
        if statics.is_carried {
            effective(&mut answer.notes);
        }
        if let Some(row) = statics.rows.list.iter().find(|row| row.order > 0) {
            on_rates(&row.name, &mut answer.notes);
        }
        let once = set::each_once(points, &|z| energy(z), &ground, statics.searched.len());
        let nearby = Nearby::new(&loaded, &statics);
        let stiffness = inertia::Stiffness::new(&loaded, &statics);
        for mut point in once {
            if let (Ok(exact), Some(stiffness), Some(place)) = (&exact, &stiffness, point.branch) {
                loaded.refer_to(&loaded.start);
                point.inertia = exact.list[place].inertia(&statics, &program, stiffness, &point.z);
                point.leading = exact.list[place].leading(&loaded, &statics, point.inertia);
            }
            point.kink = nearby.as_ref().and_then(|nearby| kink::at(&loaded, &statics, &program, nearby, &point.z));
            if point.kink.is_some() {
                point.degenerate.clear();
            }
            let mut made = answer::equilibrium(&loaded, &statics, &program, nearby.as_ref(), &point, choice)?;
            made.equilibrium.potential_energy = energy(&point.z).map(|level| answer::clean(level.value));
            if let (Ok(exact), Some(place)) = (&exact, point.branch) {
                let branch = &exact.list[place];
                made.equilibrium.exact = Some(branch.values.clone());
                if made.equilibrium.indeterminate > 0 {
                    // the branch has one choice of the reactions, which are not the smallest
                    let carried = &made.equilibrium.multipliers;
                    let is_place = |one: &(String, String)| carried.get(&one.0).is_none();
                    made.equilibrium.exact =
                        Some(branch.values.0.iter().filter(|one| is_place(one)).cloned().collect());
                }
                made.equilibrium.conditions.clone_from(&branch.conditions);
            }
            let branch = exact.as_ref().ok().and_then(|exact| exact.list.get(point.branch?));
            let open = match made.violation {
                None => release::released(&loaded, &relative, (&statics, &program), choice, &point, branch)?,
                Some(_) => None,
            };
            if let Some(open) = open {
                (made.equilibrium.stability, made.equilibrium.reason) = (open.verdict, open.reason);
                (made.equilibrium.eigenvalues, made.equilibrium.signs) = (open.eigenvalues, open.signs);
                (made.equilibrium.stiffness, made.equilibrium.certificate) = (open.stiffness, open.certificate);
            }
            match made.violation {
                None => all.push(made),
                Some(name) if !pulled.contains(&name) => pulled.push(name),
                Some(_) => {}
            }
        }
        let branches = answer.branches.len();
        let (complete, why) = match is_solved {
            true => answer::solved(&ground, &program, &statics, proof.as_ref(), &mut answer),
            false => answer::completeness(&statics, &program, &ground, proof.as_ref(), near, &all, &mut answer),
        };
        match exact {
            Ok(exact) => answer::take(&mut answer, exact),
            Err(why) if !near => answer.notes.push(format!("not solved with parameters as symbols: {why}")),
            Err(_) => {}
        }
        if !is_solved && answer.branches.len() > branches {
            answer.notes.push(
                "the exact branches do not have all equilibria that were found: completeness is not taken from them"
                    .to_owned(),
            );
        }
        // where a force jumps with the rates, a system may stick
        let (complete, why) = match &statics.sticks {
            Some(part) => (false, format!("not claimed, since `{part}` jumps at rest")),
            None => (complete, why),
        };
        is_complete &= complete;
        // with other supports closed the same may be said with less
        if !whys.iter().any(|old| old.starts_with(&why)) {
            whys.retain(|old| !why.starts_with(old.as_str()));
            whys.push(why);
        }
    }
    answer.complete = is_complete && !whys.is_empty();
    answer.completeness = whys.join("; ");
    answer.notes.extend(pulled);
    answer::finish(&loaded, &relative, all, answer)
}

/// What the word means that the page uses where a frame turns.
fn effective(notes: &mut Vec<String>) {
    let note = "the effective potential energy is the potential energy with that of the inertial forces, such as the \
                centrifugal force"
        .to_owned();
    if !notes.contains(&note) {
        notes.push(note);
    }
}

/// Why generalized forces need not vanish (EXAMPLES A24).
fn on_rates(name: &str, notes: &mut Vec<String>) {
    let note = format!(
        "`{name}` is on rates, so the coordinates do not vary independently: that all generalized forces vanish is no \
         condition of equilibrium here, and its multiplier stays in the equations"
    );
    // of several constraints one is enough
    if !notes.iter().any(|old| old.contains("is on rates, so")) {
        notes.push(note);
    }
}

/// Solutions that only the proof found, and how narrowly all are enclosed.
fn take(program: &Program, ground: &search::Ground, proof: &Proof, points: &mut Vec<set::Point>) {
    let n = program.searched.len();
    for (q, width) in proof.solutions.iter().zip(&proof.widths) {
        let known = points.iter().position(|point| ground.is_same(&point.z[..n], q, 1e-6));
        let place = known.unwrap_or_else(|| {
            let z = program.with_multipliers(q);
            points.push(set::point(program, program.solved(&z).unwrap_or(z)));
            points.len() - 1
        });
        points[place].enclosed = Some(*width);
    }
}

/// Which one-sided constraints are closed, each as a place among the constraints with whether it is.
pub(crate) type Choice = Vec<(usize, bool)>;

/// All choices of closed one-sided constraints, fewest first.
fn choices(loaded: &Loaded, notes: &mut Vec<String>) -> Vec<Choice> {
    let system = &loaded.system;
    let one_sided: Vec<usize> =
        (0..system.constraints.len()).filter(|&place| system.constraints[place].is_one_sided()).collect();
    if one_sided.len() > MOST_ONE_SIDED {
        notes.push(format!(
            "{} one-sided constraints are more than {MOST_ONE_SIDED}: those that are closed at the start are taken as closed",
            one_sided.len()
        ));
        let closed = |place: &usize| {
            mechanics::standing::standing(system, &system.constraints[*place]).is_ok_and(|stand| stand.standing.acts())
        };
        return vec![one_sided.iter().map(|place| (*place, closed(place))).collect()];
    }
    (0..1_usize << one_sided.len())
        .map(|bits| one_sided.iter().enumerate().map(|(k, &place)| (place, bits >> k & 1 == 1)).collect())
        .collect()
}

/// The rows with some one-sided constraints closed and the others open.
pub(crate) fn rows(loaded: &Loaded, choice: &Choice) -> Result<Rows, Trouble> {
    let system = &loaded.system;
    let of = |is_closed: bool| choice.iter().filter(move |one| one.1 == is_closed).map(|one| one.0);
    let mut closed: Vec<usize> = of(true).collect();
    let open: Vec<usize> = of(false).collect();
    // no slip acts while its gap is closed
    let contact = |place: usize| mechanics::contact::contact_of(&system.constraints[place]);
    let slips = (0..system.constraints.len()).filter(|&place| system.constraints[place].while_closed);
    let slips: Vec<usize> = slips.filter(|&slip| closed.iter().any(|&gap| contact(gap) == contact(slip))).collect();
    closed.extend(slips);
    let rows =
        Rows::closing(system, &closed, &open).map_err(|error| match crate::derive::rows_without(loaded, &[]) {
            Err(told) => Trouble::Bad(told),
            Ok(_) => bad(&format!("the constraints cannot all be closed: {error:?}"), "`anholon check` says more"),
        })?;
    Ok(geometric_first(rows))
}

/// The rows with as few geometric ones left out as can be: a row on rates implies no place, so it is the one to leave out.
fn geometric_first(mut rows: Rows) -> Rows {
    let is_geometric = |row: &Row| row.order == 0;
    if !rows.left_out.iter().any(is_geometric) || rows.list.iter().all(is_geometric) {
        return rows;
    }
    let mut all = std::mem::take(&mut rows.list);
    all.append(&mut rows.left_out);
    all.sort_by_key(|row| row.order);
    for row in all {
        let slopes: Vec<Vec<expr::Expr>> = rows.list.iter().chain([&row]).map(|row| row.A.clone()).collect();
        match rank(&Matrix::from_rows(&slopes)).rank == slopes.len() {
            true => rows.list.push(row),
            false => rows.left_out.push(row),
        }
    }
    rows
}

/// Loads that statics finds.
pub(crate) fn unknowns(loaded: &Loaded) -> Vec<Wanted> {
    let wanted = |unknown: &mechanics::Unknown| Wanted { name: unknown.name.clone(), symbol: unknown.symbol };
    loaded.system.unknowns.iter().map(wanted).collect()
}

/// The instants at which equations must hold: one, or several if time stands in them.
fn instants(loaded: &Loaded, statics: &Statics) -> Vec<f64> {
    let first = loaded.start.time.number.unwrap_or(0.0);
    match statics.timed {
        None => vec![first],
        Some(_) => vec![first, first + 0.617, first + 1.933],
    }
}

/// Why no place can be a rest (EXAMPLES A21).
fn inadmissible(statics: &Statics) -> Option<String> {
    let (name, rest) = statics.never.as_ref()?;
    Some(format!("`{name}` allows no rest: a system at rest would need {} = 0", rest.brief()))
}

pub(crate) fn unknown_coordinate(option: &str, name: &str, all: &[&str]) -> Trouble {
    let hint = match syntax::nearest(name, all.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the coordinates are {}", all.join(", ")),
    };
    bad(&format!("`{option}`: there is no coordinate `{name}`"), &hint)
}

/// An error if the model has no numbers, or says what statics cannot use.
fn ready(loaded: &Loaded, solve: &[String], notes: &mut Vec<String>) -> Result<(), Trouble> {
    crate::sound::coordinates(loaded)?;
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
    if let Some(first) = missing.first() {
        let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
        let have = if names.len() == 1 { "has" } else { "have" };
        let hint = format!("give values with `--set {first}=…`, or in a file with `--with`");
        return Err(bad(&format!("{} {have} no value", names.join(", ")), &hint));
    }
    crate::sound::masses(loaded)?;
    let refuse = |span, message: String, hint: &str| {
        let diagnostic = syntax::Diagnostic::error(span, message).hint(hint);
        Err(Trouble::Bad(BadInput(loaded.model.sources.render(&diagnostic))))
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
