//! How does the period of a swing grow with its angle? Each angle is a model of its own, on a thread of its own.

use std::thread;

use anholon::{Alone, Error, Settings, Simulate};

const SWING: &str = "
param l = 1 m, g = 9.81 m/s^2
coord phi : rad
point P = l*(sin(phi), -cos(phi)) mass 1 kg
gravity (0, -g)
record back when phi' > 0
start phi = 0.1 rad
";

/// Twice the time to the first return.
fn period(angle: f64) -> Result<f64, Error> {
    let set = vec![format!("phi={angle}")];
    let swing = anholon::open(&Settings { set, ..Settings::new("swing.mech", SWING) })?;
    let wanted = Simulate { duration: Some(5.0), ..Simulate::default() };
    let motion = anholon::simulate(&swing, &wanted, &mut Alone)?;
    Ok(motion.events.first().map_or(f64::NAN, |event| 2.0 * event.t))
}

/// The periods, one a line.
pub fn page() -> Result<String, Error> {
    let line = |angle| Ok(format!("{angle:.1} rad: {:.6} s\n", period(angle)?));
    let threads = [0.1, 0.5, 1.0, 1.5, 2.0, 2.5].map(|angle| thread::spawn(move || line(angle)));
    threads.into_iter().map(|thread| thread.join().expect("a thread ends")).collect()
}

#[allow(clippy::print_stdout, reason = "an example shows what it found")]
fn main() -> Result<(), Error> {
    page().map(|page| print!("{page}"))
}
