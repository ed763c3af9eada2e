//! Equilibria and integrals: how long does a whole answer take, from the text of the model?
//!
//! Nothing is asked but that the largest model of the gallery has its integrals within a second.

use anholon::{Alone, Equilibria, Integrate, Settings, open};

use crate::measure::Target::{self, AtMost};
use crate::measure::{Row, best, timed};

#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    Row { name: "equilibria two-rods-couple: exact and proved", unit: "ms", target: Target::None, measure: || equilibria("two-rods-couple") },
    Row { name: "equilibria table-edge: one-sided", unit: "ms", target: Target::None, measure: || equilibria("table-edge") },
    Row { name: "equilibria ellipsoid-in-field", unit: "ms", target: Target::None, measure: || equilibria("ellipsoid-in-field") },
    Row { name: "equilibria three-charges: a family", unit: "ms", target: Target::None, measure: || equilibria("three-charges") },
    Row { name: "integrals double-pendulum", unit: "ms", target: Target::None, measure: || integrals("double-pendulum") },
    Row { name: "integrals ball-on-turntable", unit: "ms", target: Target::None, measure: || integrals("ball-on-turntable") },
    Row { name: "integrals bicycle", unit: "ms", target: AtMost(1000.0), measure: || integrals("bicycle") },
    Row { name: "integrals bicycle / double-pendulum", unit: "ratio", target: Target::None, measure: || integrals("bicycle") / integrals("double-pendulum") },
];

const RUNS: u32 = 3;

fn gallery(name: &str) -> Settings {
    Settings::gallery(name).expect("a gallery model")
}

fn equilibria(name: &str) -> f64 {
    let run = || anholon::equilibria(&open(&gallery(name)).unwrap(), &Equilibria::default(), &mut Alone).is_ok();
    1e3 * best(RUNS, || timed(run).0)
}

fn integrals(name: &str) -> f64 {
    1e3 * best(RUNS, || {
        timed(|| anholon::integrals(&open(&gallery(name)).unwrap(), &Integrate::default(), &mut Alone).is_ok()).0
    })
}
