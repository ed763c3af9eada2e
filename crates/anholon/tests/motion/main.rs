//! Does `simulate` give the motions that are known in closed form, and say what happens on the way?
//!
//! Each value is compared with its closed form relative to the largest value of that form along the run.

#![allow(non_snake_case, reason = "inside formulas the letters of the books")]

#[path = "../ask/mod.rs"]
mod ask;
mod back;
mod checkpoint;
mod closed;
mod contacts;
mod edges;
mod events;
mod forms;
mod friction;
mod functions;
mod impacts;
mod runs;
mod several;
mod singular;
mod stiff;
mod switches;
mod together;

use anholon::{Alone, Settings, Simulate, Simulation, open, simulate};

/// What a closed form is kept to at [`TIGHT`].
const EXACT: f64 = 1e-10;
/// The tolerance of runs that are compared with closed forms.
const TIGHT: f64 = 1e-12;

/// A gallery model with other numbers.
fn gallery(name: &str, set: &[&str]) -> Settings {
    let set = set.iter().map(|&text| text.to_owned()).collect();
    Settings { set, ..Settings::gallery(name).unwrap() }
}

/// A model of our own.
fn own(text: &str) -> Settings {
    Settings::new("test.mech", text)
}

/// The motion with these wishes.
fn ask(settings: &Settings, wanted: &Simulate) -> Simulation {
    let loaded = open(settings).unwrap_or_else(|error| panic!("{error}"));
    simulate(&loaded, wanted, &mut Alone).unwrap_or_else(|error| panic!("{error}"))
}

/// The motion over a time, with states at 41 instants.
fn run(settings: &Settings, duration: f64) -> Simulation {
    let wanted = Simulate {
        duration: Some(duration),
        every: Some(duration / 40.0),
        tolerance: Some(TIGHT),
        ..Simulate::default()
    };
    let motion = ask(settings, &wanted);
    assert_eq!(motion.stopped_by.failure(), None);
    motion
}

/// The numbers of a column; it is an error if there is none.
fn column(motion: &Simulation, name: &str) -> Vec<f64> {
    let names = || motion.table.columns.iter().map(|one| one.name()).collect::<Vec<_>>().join(", ");
    motion.table.column(name).unwrap_or_else(|| panic!("no column {name} among {}", names())).1
}

/// A column is as a closed form says, at all instants.
fn follows(motion: &Simulation, name: &str, form: impl Fn(f64) -> f64) {
    let pairs: Vec<(f64, f64)> =
        column(motion, name).into_iter().zip(motion.table.t.iter().map(|&t| form(t))).collect();
    agree(name, &motion.table.t, &pairs, EXACT);
}

/// What is computed is what is expected, relative to the largest that is expected; 0 is expected of numbers of size 1.
fn agree(name: &str, t: &[f64], pairs: &[(f64, f64)], within: f64) {
    assert_eq!(t.len(), pairs.len());
    let size = pairs.iter().fold(0.0_f64, |size, pair| size.max(pair.1.abs()));
    let size = if size == 0.0 { 1.0 } else { size };
    for (t, (is, should)) in t.iter().zip(pairs) {
        let apart = (is - should).abs() / size;
        assert!(apart <= within, "{name} at t = {t}: {is} should be {should}, {apart:e} apart");
    }
}

/// A number is another one, relative to a size.
fn near(what: &str, is: f64, should: f64, size: f64) {
    let apart = (is - should).abs() / size;
    assert!(apart <= EXACT, "{what}: {is} should be {should}, {apart:e} apart");
}

/// The instants of the events of this name and kind.
fn instants(motion: &Simulation, name: &str, kind: &str) -> Vec<f64> {
    let them = motion.events.iter().filter(|event| event.name == name && event.kind.word() == kind);
    them.map(|event| event.t).collect()
}

/// Events happen at these instants, all of them and no others.
fn happen(motion: &Simulation, name: &str, kind: &str, at: &[f64]) {
    let found = instants(motion, name, kind);
    assert_eq!(found.len(), at.len(), "{name} {kind} at {found:?}, should be {at:?}");
    let size = at.iter().fold(0.0_f64, |size, t| size.max(t.abs()));
    for (is, should) in found.iter().zip(at) {
        near(&format!("{name} {kind}"), *is, *should, size);
    }
}

/// A value in the last state.
fn last(motion: &Simulation, name: &str) -> f64 {
    motion.last.get(name).unwrap_or_else(|| panic!("no {name} at the end"))
}
