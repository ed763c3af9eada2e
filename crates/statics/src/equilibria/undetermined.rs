//! Which loads does a place leave open, and which reactions with them?
//!
//! ```text
//! F(q, λ, P) = 0,   F_λ δλ + F_P δP = 0        what may change while the place stays; δP ≠ 0: P is not determined   (1)
//! F(q + ε δq, λ', P) = 0                       a family along which the loads stay: it is one for stability too    (2)
//! ```
//!
//! At a dead point, where the arm of a force vanishes, any force holds.

use engine::Loaded;
use linear::{Matrix, Scale, Tolerance, null_space};

use super::program::Program;
use super::set::Point;
use super::statics::Statics;

/// What is below this, of a scaled matrix, is rounding.
const SMALL: Tolerance = Tolerance::new(1e-7);
/// A part of a direction that is smaller is rounding.
const PART: f64 = 1e-6;
/// Loads that differ less, relative to their sizes, are the same.
const SAME: f64 = 1e-9;
/// Steps along a family, in sizes of coordinates.
const STEPS: [f64; 4] = [1e-2, -1e-2, 5e-2, -5e-2];

/// Loads that a place does not determine, and multipliers that depend on them.
#[derive(Clone, Debug)]
pub struct Undetermined {
    /// Whether each multiplier of the first instant is open.
    rows: Vec<bool>,
    /// Whether each load is open.
    loads: Vec<bool>,
}

impl Undetermined {
    /// (1); nothing is open where no load is.
    pub fn at(program: &Program, point: &Point) -> Undetermined {
        let (n, width) = (program.searched.len(), point.z.len());
        let none = Undetermined { rows: vec![false; program.rows], loads: vec![false; program.loads] };
        if program.loads == 0 {
            return none;
        }
        let (_, slopes) = program.slopes(&point.z);
        let scaled = slopes.iter().zip(&program.sizes).map(|(row, size)| -> Vec<f64> {
            row.iter().zip(&program.scales).skip(n).map(|(x, scale)| x * scale / size).collect()
        });
        let Ok(kernel) = null_space(Matrix::of_width(width - n, scaled), Scale::AsGiven, SMALL) else { return none };
        let is_open = |k: usize| kernel.iter().any(|v| v[k].abs() > PART);
        let first = width - n - program.loads;
        let loads: Vec<bool> = (first..width - n).map(is_open).collect();
        match loads.contains(&true) {
            true => Undetermined { rows: (0..program.rows).map(is_open).collect(), loads },
            false => none,
        }
    }

    /// Whether a load is open.
    pub fn has_load(&self, place: usize) -> bool {
        self.loads.get(place) == Some(&true)
    }

    /// Whether the multiplier of a row is open.
    pub fn has_row(&self, place: usize) -> bool {
        self.rows.get(place) == Some(&true)
    }

    /// The names of loads that are open.
    pub fn loads<'a>(&'a self, statics: &'a Statics) -> impl Iterator<Item = &'a str> {
        statics.loads.iter().zip(&self.loads).filter(|one| *one.1).map(|one| one.0.name.as_str())
    }

    /// The names of constraints whose reactions are open.
    pub fn constraints<'a>(&'a self, loaded: &'a Loaded, statics: &'a Statics) -> impl Iterator<Item = &'a str> {
        let open = statics.rows.list.iter().zip(&self.rows).filter(|one| *one.1);
        open.map(|one| loaded.system.constraints[one.0.constraint].name.as_str())
    }
}

/// The point with those directions of its family along which loads stay as they are (2).
pub fn with_loads_held(program: &Program, point: &Point) -> Point {
    let first = point.z.len() - program.loads;
    let keeps = |direction: &Vec<f64>| {
        STEPS.iter().all(|step| {
            let mut z = point.z.clone();
            z.iter_mut().zip(direction).zip(&program.scales).for_each(|((x, d), scale)| *x += step * d * scale);
            let is_same = |there: &[f64], k: usize| {
                (there[k] - point.z[k]).abs() <= SAME * program.scales[k].max(point.z[k].abs())
            };
            program.solved(&z).is_some_and(|there| (first..there.len()).all(|k| is_same(&there, k)))
        })
    };
    Point { family: point.family.iter().filter(|one| keeps(one)).cloned().collect(), ..point.clone() }
}
