//! How long does a motion of ten seconds take, and how exact is its end? CPU time from the loaded model to the last
//! state, and the error of that state against a run with a tolerance of 1e-14, as a power of ten.

use anholon::Alone;
use anholon::{Settings, Simulate, open, simulate};

use crate::measure::{Row, Target, best, timed};

macro_rules! rows {
    ($($name:literal $model:literal $set:expr, $tolerance:literal;)+) => {
        /// Time and error of each motion.
        pub const ROWS: &[Row] = &[$(
            Row {
                name: concat!("simulate: ", $name, " at ", stringify!($tolerance)),
                unit: "ms",
                target: Target::None,
                measure: || milliseconds($model, $set, $tolerance),
            },
            Row {
                name: concat!("simulate: ", $name, " at ", stringify!($tolerance), ", error"),
                unit: "10^",
                target: Target::None,
                measure: || error($model, $set, $tolerance),
            },
        )+];
    };
}

rows! {
    "double pendulum" "double-pendulum" &["a1=2", "a2=2.5"], 1e-9;
    "double pendulum" "double-pendulum" &["a1=2", "a2=2.5"], 1e-12;
    "rolling disc" "rolling-disc" &[], 1e-9;
    "rolling disc" "rolling-disc" &[], 1e-12;
    "Chaplygin sleigh" "chaplygin-sleigh" &[], 1e-9;
    "Chaplygin sleigh" "chaplygin-sleigh" &[], 1e-12;
}

/// The time of a run, and the coordinates at its end.
fn run(model: &str, set: &[&str], tolerance: f64) -> (f64, Vec<f64>) {
    let mut settings = Settings::gallery(model).expect("a gallery model");
    settings.set = set.iter().map(|&text| text.to_owned()).collect();
    let loaded = open(&settings).expect("it can be read");
    let wanted = Simulate { times: vec![10.0], tolerance: Some(tolerance), ..Simulate::default() };
    let (seconds, found) = timed(|| simulate(&loaded, &wanted, &mut Alone).expect("it moves"));
    let names = loaded.system.coordinates.iter().map(|c| c.name.clone());
    (seconds, names.map(|name| found.last.get(&name).unwrap_or(f64::NAN)).collect())
}

fn milliseconds(model: &str, set: &[&str], tolerance: f64) -> f64 {
    1e3 * best(5, || run(model, set, tolerance).0)
}

fn error(model: &str, set: &[&str], tolerance: f64) -> f64 {
    let (found, right) = (run(model, set, tolerance).1, run(model, set, 1e-14).1);
    found.iter().zip(&right).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max).log10()
}
