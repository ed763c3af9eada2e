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
mod certificate;
mod choice;
mod dependent;
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
mod remark;
mod search;
mod set;
mod sides;
mod solve;
mod stability;
mod statics;
mod turns;
mod work;

use numeric::eigen::Complex;
use serde::Serialize;

pub use certificate::Certificate;
pub(crate) use choice::Choice;
pub use exact::Branch;
pub(crate) use exact::known;
pub(crate) use fact::{Verdict, judged};

use crate::evaluate::Acting;
use crate::load::load_at;
use crate::progress::{Ear, Progress};
use crate::reactions::SharedLoad;
use crate::{Error, Field, Loaded, Ordered, Settings};
use answer::Found;
use program::Program;
use remark::{EFFECTIVE, at_dependent_rows, at_singular_angles, noted, on_rates};
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
    /// Whether the search came to its end and left no box open in which there may be another equilibrium.
    #[serde(skip)]
    pub decided: bool,
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

/// So many starts of Newton's method for each unknown coordinate, and at most.
const STARTS: (usize, usize) = (40, 400);
/// So many equilibria are told after an interruption.
const MOST_TOLD_LATE: usize = 5;

/// The equilibria of a model.
///
/// ```
/// let rods = engine::load(&engine::Settings::gallery("two-rods-couple")?)?;
/// let set = engine::equilibria(&rods, &engine::Equilibria::default(), &mut engine::Alone)?;
/// assert_eq!((set.equilibria.len(), set.complete), (4, true));
/// # Ok::<(), engine::Error>(())
/// ```
pub fn equilibria(model: &Loaded, wanted: &Equilibria, progress: &mut dyn Progress) -> Result<EquilibriumSet, Error> {
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
    let elsewhere = wanted.near.as_ref().map(|near| {
        let settings = Settings { at: Some(near.clone()), ..model.settings.clone() };
        load_at(&settings, Field::Near)
    });
    let elsewhere = elsewhere.transpose()?;
    let loaded = elsewhere.as_ref().unwrap_or(model);
    let _in = loaded.enter();
    let mut notes = Vec::new();
    ready(loaded, &wanted.solve, &mut notes)?;
    let relative = relative::relative(loaded, &wanted.relative)?;
    if !wanted.solve.is_empty() {
        return solve::solved(loaded, &relative, &wanted.solve, notes);
    }
    let mut answer = answer::empty(loaded, notes);
    let choices = choice::choices(loaded, &mut answer.notes);
    let mut all: Vec<Found> = Vec::new();
    let (mut is_complete, mut whys, mut pulled) = (true, Vec::new(), Vec::new());
    let mut untold = 0;
    let mut ear = Ear::new(progress);
    for choice in &choices {
        if ear.is_over() {
            break;
        }
        let mode = choice::mode(loaded, choice);
        let (rows, dependent) = dependent::kept(loaded, choice::rows(loaded, &mode)?);
        for name in dependent {
            let note = format!(
                "`{name}` depends on other constraints at the start, but says more elsewhere: at the start reactions are \
                 not determined"
            );
            noted(&mut answer.notes, note);
        }
        let statics = Statics::new(loaded, mode, rows, &relative, unknowns(loaded), &mut answer.notes)?;
        if let Some(why) = inadmissible(&statics) {
            answer.notes.push(why);
            whys.push("rest is not admissible".to_owned());
            answer.admissible &= choices.len() > 1;
            continue;
        }
        let mut program = Program::new(loaded, &statics, instants(loaded, &statics))?;
        let mut ground = ground::ground(loaded, &statics, wanted, &mut program, &mut answer.notes)?;
        ground.starts.extend(kink::places(loaded, &statics, &ground.starts[0]));
        let near = wanted.near.is_some();
        let count = if near { 0 } else { (STARTS.0 * (1 + statics.searched.len())).min(STARTS.1) };
        let starts = search::gathered(&program, &ground, count, &mut ear);
        let starts: Vec<Vec<f64>> = if near { starts.into_iter().take(1).collect() } else { starts };
        let mut points = sorted(&program, &starts, &mut ear);
        let has_family = points.iter().any(|point| !point.family.is_empty());
        let effort = match has_family {
            true => Effort { narrow: 0.02, boxes: 4_000, narrow_ones: 400 },
            false => Effort { narrow: 1e-6, boxes: 2_000_000, narrow_ones: 400 },
        };
        let proof = match near {
            true => None,
            false => search::proved(&program, &ground, &starts, effort, &mut ear),
        };
        if let Some(proof) = &proof {
            take(&program, &ground, proof, &mut points);
        }
        let mut exact = match (near, ear.is_over()) {
            (true, _) => Err(String::new()),
            (false, true) => Err("interrupted".to_owned()),
            (false, false) => exact::branches(loaded, &statics),
        };
        let of_points = match &exact {
            Ok(exact) => exact::matched(loaded, &statics, &program, &ground, exact, &mut points),
            Err(_) => vec![None; points.len()],
        };
        let is_solved = exact.is_ok() && of_points.iter().all(Option::is_some);
        points.iter_mut().zip(of_points).for_each(|(point, branch)| point.branch = branch);
        let energy = answer::energy(loaded, &statics, &program);
        if statics.is_carried {
            noted(&mut answer.notes, EFFECTIVE.to_owned());
        }
        if let Some(row) = statics.rows.list.iter().find(|row| row.order > 0) {
            noted(&mut answer.notes, on_rates(&row.name));
        }
        let known = all.len();
        let once = set::each_once(points, &|z| energy(z), &ground, statics.searched.len());
        let nearby = Nearby::new(loaded, &statics);
        let stiffness = inertia::Stiffness::new(loaded, &statics);
        let count = once.len();
        let angles = angles::Angles::new(loaded, &statics);
        let mut singular = Vec::new();
        ear.begins("judging stability");
        for (place, mut point) in once.into_iter().enumerate() {
            // what was found is told, if that is not long
            if !ear.reached(place as f64 / count as f64) && all.len() - known >= MOST_TOLD_LATE {
                untold += count - place;
                break;
            }
            if let Some(body) = angles.unbalanced(loaded, &statics, &program, &point.z) {
                singular.push((body.to_owned(), point.z.clone(), point.branch));
                continue;
            }
            if let (Ok(exact), Some(stiffness), Some(place)) = (&exact, &stiffness, point.branch) {
                point.inertia = exact.list[place].inertia(&statics, &program, stiffness, &point.z, &loaded.at);
                point.leading = exact.list[place].leading(loaded, &statics, point.inertia);
            }
            point.kink = nearby.as_ref().and_then(|nearby| kink::at(loaded, &statics, &program, nearby, &point.z));
            if point.kink.is_some() {
                point.degenerate.clear();
            }
            let mut made = answer::equilibrium(loaded, &statics, &program, nearby.as_ref(), &point, choice)?;
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
                None => release::released(loaded, &relative, (&statics, &program), choice, &point, branch)?,
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
        if let Ok(exact) = &mut exact {
            let is_none = |place: usize| singular.iter().any(|one| one.2 == Some(place));
            let mut place = 0..;
            exact.list.retain(|_| place.next().is_none_or(|place| !is_none(place)));
        }
        for (body, z, _) in singular {
            noted(&mut answer.notes, at_singular_angles(&statics, &body, &z));
        }
        let branches = answer.branches.len();
        let singular_places: Vec<Vec<f64>> = match &proof {
            Some(proof) => proof.singular.iter().map(|part| part.iter().map(|x| x.middle()).collect()).collect(),
            None if near => Vec::new(),
            None => dependent::places(loaded, &statics, &ground),
        };
        let open_places = singular_places.iter().filter(|place| !dependent::leaves(loaded, &statics, place)).count();
        if all.is_empty() && !near {
            dependent::never(loaded, &statics).into_iter().for_each(|note| noted(&mut answer.notes, note));
        }
        if !singular_places.is_empty() {
            noted(&mut answer.notes, at_dependent_rows(singular_places.len(), open_places));
        }
        let (complete, mut why) = match is_solved {
            true => answer::solved(&ground, &program, &statics, proof.as_ref(), open_places, &mut answer),
            false => answer::completeness(&statics, &program, &ground, proof.as_ref(), near, &all, &mut answer),
        };
        let (own, is_listed) = turns::unrolled(&ground, &statics.searched, &statics.names, all.split_off(known));
        all.extend(own);
        if !is_listed {
            why.push_str(", modulo whole turns: of each one place in the box is listed");
        }
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
    if ear.is_over() {
        (answer.complete, answer.decided) = (false, false);
        answer.completeness = "the search was interrupted: completeness is not claimed".to_owned();
        if untold > 0 {
            answer.notes.push(format!("{untold} more were found and are not told, since the search was interrupted"));
        }
    }
    answer.notes.extend(pulled);
    answer::finish(loaded, &relative, all, answer)
}

/// What kinds of solutions these are.
fn sorted(program: &Program, list: &[Vec<f64>], ear: &mut Ear<'_>) -> Vec<set::Point> {
    ear.begins("telling points from families");
    let mut points = Vec::new();
    for (k, z) in list.iter().enumerate() {
        if !ear.reached(k as f64 / list.len() as f64) && k >= MOST_TOLD_LATE {
            break;
        }
        points.push(set::point(program, z.clone()));
    }
    points
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

/// Why no place can be a rest.
fn inadmissible(statics: &Statics) -> Option<String> {
    let (name, rest) = statics.never.as_ref()?;
    Some(format!("`{name}` allows no rest: a system at rest would need {} = 0", rest.brief()))
}

pub(crate) fn unknown_coordinate(field: Field, name: &str, all: &[&str]) -> Trouble {
    let hint = match syntax::nearest(name, all.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the coordinates are {}", all.join(", ")),
    };
    bad(&format!("`{field}`: there is no coordinate `{name}`"), &hint)
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
        let hint = format!(
            "give values with `{}`, or in a file with `{}`",
            Field::Set.asked(format_args!("{first}=…")),
            Field::With
        );
        return Err(bad(&format!("{} {have} no value", names.join(", ")), &hint));
    }
    crate::sound::masses(loaded)?;
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
