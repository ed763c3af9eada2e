//! What does a motion look like? Columns of numbers become SVG for a paper, or dots for a terminal.
//!
//! ```text
//! Column ─┬─ against_time → panels below each other, one a unit
//!         ├─ phase        → y against x: phase portrait or trajectory
//!         ├─ growth       → y against x, both logarithmic
//!         └─ terminal     → braille dots with numbers at the axes
//! Pose   ─── stick_figure → a mechanism at several instants
//! ```
//!
//! Nothing here knows mechanics, opens a file or prints. The same numbers give the same text.
//!
//! ```
//! let column = |name: &str, unit: &str, f: fn(f64) -> f64| plot::Column {
//!     name: name.to_owned(),
//!     unit: unit.to_owned(),
//!     values: (0..200).map(|i| f(f64::from(i) * 0.05)).collect(),
//! };
//! let t = column("t", "s", |t| t);
//! let svg = plot::against_time("A swing", &t, &[column("phi1", "rad", f64::sin)], &[]);
//! assert!(svg.starts_with("<svg") && svg.contains("φ"));
//! assert!(plot::terminal("A swing", &t, &column("phi1", "rad", f64::sin), 60, 12).lines().count() <= 12);
//! ```

mod chart;
mod figure;
mod frame;
mod growth;
mod ink;
mod name;
mod phase;
mod scale;
mod svg;
mod terminal;
mod thin;

pub use chart::against_time;
pub use figure::{stick_figure, stick_figure_in};
pub use growth::growth;
pub use phase::phase;
pub use terminal::terminal;

/// A column of numbers, with its name as people write it and its unit ("" if none).
///
/// What is not finite is a gap.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The name as in the model: `phi1`, `x1'`, `lambda_rod`.
    pub name: String,
    /// The unit as in the model: `m/s^2`; empty if there is none.
    pub unit: String,
    /// The numbers, one a sample.
    pub values: Vec<f64>,
}

/// An event: a thin vertical line with a label.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// When it happens, in the unit of the time column.
    pub t: f64,
    /// What happens, in a word or two.
    pub label: String,
}

/// A mechanism at one instant: segments and dots in the plane of the drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// The instant.
    pub t: f64,
    /// Rods, threads and springs: open lines through the given points.
    pub lines: Vec<Vec<[f64; 2]>>,
    /// Points and particles.
    pub dots: Vec<Dot>,
    /// Bodies: closed lines through the given points.
    pub outlines: Vec<Vec<[f64; 2]>>,
}

/// A point of a mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    /// Where it is.
    pub at: [f64; 2],
    /// Its name; empty if none is to be written.
    pub label: String,
    /// Its size relative to the usual: 1 is normal, mass points are larger.
    pub size: f64,
}
