//! Why could a motion not go on, in words?

use expr::{At, Expr};
use mechanics::{LoadKind, System};
use numeric::{Failure, Trouble};

use crate::simulate::back::turned;
use crate::simulate::state::State;
use crate::simulate::watch::changing_masses;
use engine::Loaded;

/// Why the steps could not go on; `is_chosen`: a form that was asked for eliminates rates.
pub fn told(loaded: &Loaded, failure: &Failure, state: &State, span: (f64, f64), is_chosen: bool) -> String {
    let at = |t: f64| format!("t = {} s", expr::decimal(if state.is_back { turned(t) } else { t }));
    if let Some(told) = vanishing(loaded, state, span) {
        return told;
    }
    if let (Some(guess), Failure::NoSlope { t, .. } | Failure::TooStiff { t }) =
        (loaded.system.acceleration_guesses.first(), failure)
    {
        return format!(
            "the motion is not followed at {}: from `guess {}` Newton's method may not lead to a root near it there of the constraint \
             that is not linear in the accelerations; a guess may be by the state, as in `guess x'' = a*x'/v`",
            at(*t),
            guess.text
        );
    }
    match *failure {
        Failure::Interrupted { t } => format!("it was interrupted at {}", at(t)),
        Failure::TooStiff { t } if is_chosen => format!(
            "the steps became too short at {}: the chart may be singular there, and a form without one, such as \
             `multipliers`, go on",
            at(t)
        ),
        Failure::TooStiff { t } => format!(
            "the steps became too short at {}: something grows without bound there, is not smooth, or changes very fast",
            at(t)
        ),
        Failure::NoSlope { t, trouble: Trouble::NotFinite } => {
            format!("{} at {}", without_value(loaded, state, span), at(t))
        }
        Failure::NoSlope { t, trouble: Trouble::Singular } => format!(
            "the accelerations are not determined at {}: the constraints or the mass matrix are singular there",
            at(t)
        ),
        Failure::NoSlope { t, trouble: Trouble::Sticky } => format!(
            "at {} two forces that switch would have to hold something at once, and which share each takes is not \
             determined",
            at(t)
        ),
        Failure::NoSlope { t, trouble: Trouble::Forked } => format!(
            "at {} a force that switches holds what came to it from either side, and from which one it came is not known",
            at(t)
        ),
    }
}

/// A mass has vanished: of the points, then of the bodies.
pub fn massless(system: &System, place: usize, t: f64) -> String {
    let name = changing_masses(system).into_iter().find(|one| one.0 == place).map_or("", |one| one.1);
    format!("the mass of `{name}` vanishes at t = {} s: nothing says how it moves from there on", expr::decimal(t))
}

/// The equations end, since something grows without bound.
pub fn edge(grown: &str, t: f64) -> String {
    format!("the equations of motion end just beyond t = {} s: {grown} there", expr::decimal(t))
}

/// The energy changes by what nothing explains, between two times.
pub fn unbalanced(energy: Option<f64>, (from, to): (f64, f64)) -> String {
    let [from, to] = [from, to].map(expr::decimal);
    match energy {
        Some(missing) => format!(
            "the energy balance is broken between t = {from} s and t = {to} s: {} J are unexplained, far more than the tolerance \
             allows: the motion may have left the domain of its equations, or they are not smooth there",
            expr::decimal(missing)
        ),
        None => format!(
            "the energy has no value at t = {to} s, and had one at t = {from} s: the motion has left the domain of its equations"
        ),
    }
}

/// A mass that is about to vanish where steps could not go on: forces move it faster and faster.
fn vanishing(loaded: &Loaded, state: &State, span: (f64, f64)) -> Option<String> {
    const NEAR: f64 = 1e-3;
    let at = state.at(loaded);
    changing_masses(&loaded.system).into_iter().find_map(|(place, _, mass)| {
        let (left, rate) = (at.value(mass), at.value(expr::total_derivative(mass).ok()?));
        let away = if state.is_back { left / rate } else { -left / rate };
        let is_near = away >= 0.0 && away <= NEAR * (span.1 - span.0);
        is_near.then(|| massless(&loaded.system, place, state.time() + if state.is_back { -away } else { away }))
    })
}

/// Constraints depend on each other at an instant, and nothing says how the motion goes on.
pub fn singular(names: &str, why: &str, t: f64) -> String {
    let t = expr::decimal(t);
    format!("the constraints become dependent at t = {t} s (`{names}`), and {why}")
}

/// Friction at a contact has no solution beyond this time.
pub fn lost(loaded: &Loaded, place: usize, t: f64) -> String {
    let (name, t) = (&loaded.system.constraints[place].name, expr::decimal(t));
    format!(
        "friction at `{name}` loses solvability at t = {t} s (Painlevé): the determinant of A M⁻¹(Aᵀ + B) vanishes, and \
         beyond there is no acceleration or there are two"
    )
}

/// A contact is on the other side beyond a state at which many points touch.
pub fn flat(system: &System, place: usize, t: f64) -> Option<String> {
    let (contact, root, why) = mechanics::contact::sides(system).nth(place)?;
    let (name, t) = (&system.contacts[contact].name, expr::decimal(t));
    Some(format!("contact `{name}` is singular at t = {t} s, where {root} comes to 0: {why}"))
}

/// Rows that follow from others do not any more.
pub fn strays(names: &[String], t: f64) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let [follow, hold] = if names.len() == 1 { ["follows", "does not hold"] } else { ["follow", "do not all hold"] };
    format!(
        "{} {follow} from other constraints at the start, and {hold} at t = {} s: which way the motion takes there was \
         not found",
        names.join(", "),
        expr::decimal(t)
    )
}

/// Infinitely many impacts end, and nothing says how.
pub fn no_rest(loaded: &Loaded, t: f64, places: &[usize]) -> String {
    let names: Vec<String> =
        places.iter().map(|&place| format!("`{}`", loaded.system.constraints[place].name)).collect();
    let t = expr::decimal(t);
    format!(
        "infinitely many impacts of {} end at t = {t} s, and how they rest together is not determined",
        names.join(", ")
    )
}

/// What has no value at the state, or a little later.
fn without_value(loaded: &Loaded, state: &State, span: (f64, f64)) -> String {
    let n = loaded.system.coordinates.len();
    let found = [0.0, 1e-9, 1e-6, 1e-3].into_iter().find_map(|ahead| {
        let mut there = state.clone();
        let ahead = if state.is_back { -ahead } else { ahead };
        for k in 0..n {
            there.y[k] += ahead * (span.1 - span.0) * state.y[n + k];
        }
        broken_load(loaded, &there.at(loaded))
    });
    found.unwrap_or_else(|| "something in the equations has no value".to_owned())
}

/// A load without a value at a state.
fn broken_load(loaded: &Loaded, at: &At) -> Option<String> {
    let is_bad = |list: &[Expr]| list.iter().any(|&e| !at.value(e).is_finite());
    loaded.system.loads.iter().find_map(|load| {
        let (list, what) = match &load.kind {
            LoadKind::Force { force, .. } => (force.0.to_vec(), "a force"),
            LoadKind::Torque { along, .. } => (along.iter().flat_map(|part| part.1.0).collect(), "a torque"),
            LoadKind::Gravity(vector) => (vector.0.to_vec(), "gravity"),
            LoadKind::Potential(e) => (vec![*e], "a potential"),
            LoadKind::Generalized { force, .. } => (vec![*force], "a generalized force"),
            LoadKind::Dissipation(e) => (vec![*e], "a dissipation"),
            LoadKind::Kinetic(e) => (vec![*e], "a kinetic energy"),
            LoadKind::Spring { .. } | LoadKind::Damper { .. } => return None,
        };
        let sources = &loaded.model.sources;
        let place = || (sources.name_of(load.span).to_owned(), sources.line_of(load.span));
        is_bad(&list).then(|| {
            let (file, line) = place();
            format!("{what} ({file}:{line}) has no value")
        })
    })
}
