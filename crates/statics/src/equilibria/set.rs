//! What kind of solution is it? A point, a member of a family, a multiple one; and what do the supports carry?
//!
//! ```text
//! J δz = 0                      directions in which the equations do not change                        (1)
//! z + ε δz, brought back        lies on the set again: a family; otherwise a multiple solution          (2)
//!                               for each direction, and between any two that lead on
//! min Σ w λ², Aᵀλ = E − Q       where reactions are not determined, w = A M⁻¹ Aᵀ with M's diagonal      (3)
//! ```

use linear::span::Span;
use linear::vector::{add, dot, length};
use linear::{Matrix, Scale, Tolerance, null_space};
use syntax::Axis;

use super::exact::are_apart;
use super::flat::Leading;
use super::inertia::Inertia;
use super::oscillations::Spectral;
use super::program::Program;
use super::search::Ground;
use super::stray;

/// What is below this, of a scaled matrix, is rounding.
const SMALL: Tolerance = Tolerance::new(1e-7);
/// The same for slopes at a multiple solution, which is found to half the digits only.
const FLAT: Tolerance = Tolerance::new(2e-5);
/// What is left of a direction that goes along with others, relative to the longest of all.
const SEPARATE: Tolerance = Tolerance::new(1e-5);

/// At so many places the size of the energy is looked at.
const LEVELS: usize = 12;

/// A solution of the static equations.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its unknowns: q, λ, loads.
    pub z: Vec<f64>,
    /// Directions of the family through it, in the coordinates that are searched.
    pub family: Vec<Vec<f64>>,
    /// Directions in which the equations do not change to first order, although the solution is alone there.
    pub degenerate: Vec<Vec<f64>>,
    /// How many combinations of multipliers and loads are not determined.
    pub undetermined: usize,
    /// Whether some force has an infinite slope here.
    pub is_rough: bool,
    /// Whether it was proved, and to which width it is enclosed.
    pub enclosed: Option<f64>,
    /// The exact branch that it lies on.
    pub branch: Option<usize>,
    /// The signs of its stiffness, where they are proved on the branch.
    pub inertia: Option<Inertia>,
    /// What gyroscopic forces do where the energy leads down, where that is proved on the branch.
    pub spectral: Option<Spectral>,
    /// The axis of an angular momentum that is constant and holds what the energy does not, where that is proved on the branch.
    pub turned: Option<Axis>,
    /// What the force does along the one direction without stiffness, where that is proved on the branch.
    pub leading: Option<Leading>,
    /// The part of a force that bends or jumps here.
    pub kink: Option<String>,
}

/// What kind of solution z is.
pub fn point(program: &Program, z: Vec<f64>) -> Point {
    let n = program.searched.len();
    let (_, slopes) = program.slopes(&z);
    let is_rough = slopes.iter().any(|row| row[..n].iter().any(|x| !x.is_finite()));
    let mut made = Point {
        z,
        family: Vec::new(),
        degenerate: Vec::new(),
        undetermined: 0,
        is_rough,
        enclosed: None,
        branch: None,
        inertia: None,
        spectral: None,
        turned: None,
        leading: None,
        kink: None,
    };
    if is_rough {
        return made;
    }
    let width = made.z.len();
    let scaled = slopes.iter().zip(&program.sizes).map(|(row, size)| -> Vec<f64> {
        row.iter().zip(&program.scales).map(|(x, scale)| x * scale / size).collect()
    });
    let scaled = Matrix::of_width(width, scaled);
    let of_multipliers = Matrix::of_width(width - n, scaled.iter().map(|row| &row[n..]));
    made.undetermined = null_space(of_multipliers, Scale::Rows, SMALL).map_or(width - n, |free| free.rows());
    // where a solution is proved to be the only one nearby, there is no family, and it is no multiple one
    let is_alone = program.enclosure(&made.z).is_some();
    let kernel = if is_alone { None } else { null_space(scaled, Scale::AsGiven, FLAT).ok() };
    let kernel = kernel.unwrap_or_else(|| Matrix::zeros(0, width));
    let candidates: Vec<Vec<f64>> = kernel.iter().map(|v| v[..n].to_vec()).filter(|v| length(v) > 1e-6).collect();
    for direction in independent(&candidates) {
        // where families cross, each direction leads on and what lies between them does not
        let between = made.family.iter().map(|other| {
            let mut between = direction.clone();
            add(&mut between, 0.7, other);
            between
        });
        let leads = |direction: &Vec<f64>| leads_on(program, &made.z, &kernel, direction);
        match leads(&direction) && between.collect::<Vec<_>>().iter().all(leads) {
            true => made.family.push(direction),
            false => made.degenerate.push(direction),
        }
    }
    made
}

/// The kind of what Newton's method found; nothing if it is no solution. A multiple one is approached once more, since
/// the steps towards it end early.
pub fn found(program: &Program, z: Vec<f64>) -> Option<Point> {
    const NEAR: f64 = 0.1;
    let first = point(program, z);
    if first.degenerate.is_empty() && first.family.is_empty() {
        return Some(first);
    }
    let is_near =
        |z: &Vec<f64>| z.iter().zip(&first.z).zip(&program.scales).all(|((a, b), s)| (a - b).abs() < NEAR * s);
    let closer = stray::approached(program, &first.z).filter(|_| first.family.is_empty()).filter(is_near);
    let best = closer.map_or(first, |z| point(program, z));
    let directions = [&best.family[..], &best.degenerate[..]].concat();
    (!stray::is_stray(program, &best.z, &directions)).then_some(best)
}

/// Orthonormal, in the order of what stands out.
fn independent(vectors: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let size: f64 = vectors.iter().map(|v| length(v)).fold(0.0, f64::max);
    let mut span = Span::default();
    for vector in vectors {
        let (left, _) = span.left_of(vector);
        if !SEPARATE.hides(length(&left), size) {
            span.take(&left);
        }
    }
    span.basis().to_vec()
}

/// (2): whether a step in a direction can be brought back to the set near where it ended.
fn leads_on(program: &Program, z: &[f64], kernel: &Matrix, direction: &[f64]) -> bool {
    let n = direction.len();
    // the vector of the kernel above this direction
    let mut above = vec![0.0; z.len()];
    kernel.iter().for_each(|v| add(&mut above, dot(&v[..n], direction), v));
    let share = dot(&above[..n], direction);
    if share.abs() < 1e-9 {
        return false;
    }
    let scales = &program.scales;
    // where a step ends that was brought back near its end
    let gone = |step: f64| {
        let there: Vec<f64> =
            z.iter().zip(&above).zip(scales).map(|((x, d), scale)| x + step * d / share * scale).collect();
        program.solved(&there).filter(|found| {
            let went: f64 = (0..n).map(|k| (found[k] - z[k]) / scales[k] * direction[k]).sum::<f64>() / step;
            (0.5..2.0).contains(&went)
        })
    };
    let balances = |step: f64| gone(step).map(|found| stray::balances(program, &found));
    let goes = |step: f64| balances(step) == Some(true);
    let is_left = |step: f64| balances(step) == Some(false);
    [1e-2, 3e-3, 3e-2].iter().any(|&step| goes(step) && goes(-step))
        && ![1e-2, 3e-2, 0.1, 0.3].iter().any(|&step| is_left(step) && is_left(-step))
}

fn are_on_two_branches(one: &Point, other: &Point) -> bool {
    one.branch.is_some() && other.branch.is_some() && one.branch != other.branch
}

/// Whether two points lie in boxes that do not meet, each with one solution.
fn are_proved_apart(one: &Point, other: &Point, n: usize) -> bool {
    let (Some(a), Some(b)) = (one.enclosed, other.enclosed) else { return false };
    one.z[..n].iter().zip(&other.z[..n]).any(|(x, y)| (x - y).abs() > a + b)
}

/// The points, each family once. Two points are of one family if its dimension and the energy are the same; without an
/// energy, if its dimension is.
pub fn each_once(
    points: Vec<Point>,
    energy: &dyn Fn(&[f64]) -> Option<numeric::Measured>,
    ground: &Ground,
    n: usize,
) -> Vec<Point> {
    let mut list: Vec<(Point, Option<numeric::Measured>)> = Vec::new();
    // how large energies are hereabouts: at the points themselves all terms may vanish
    let sizes = ground.places(LEVELS).into_iter().filter_map(|place| Some(energy(&place)?.size));
    let size = sizes.filter(|size| size.is_finite()).fold(0.0, f64::max);
    for one in points {
        let level = energy(&one.z);
        let is_same = |(other, of_other): &(Point, Option<numeric::Measured>)| match one.family.is_empty() {
            true => {
                let close = if one.degenerate.is_empty() && !one.is_rough { 1e-6 } else { 2e-3 };
                other.family.is_empty()
                    && !are_proved_apart(&one, other, n)
                    && !(are_on_two_branches(&one, other) && are_apart(ground, &one.z, &other.z, n))
                    && ground.is_same(&one.z[..n], &other.z[..n], close)
            }
            false => {
                let same = match (level, of_other) {
                    (Some(a), Some(b)) => (a.value - b.value).abs() <= 1e-7 * a.size.max(b.size).max(size),
                    _ => true,
                };
                other.family.len() == one.family.len() && same
            }
        };
        if !list.iter().any(is_same) {
            list.push((one, level));
        }
    }
    // a place of a family that Newton's method did not follow
    let families: Vec<Option<usize>> =
        list.iter().filter(|one| !one.0.family.is_empty()).map(|one| one.0.branch).collect();
    list.retain(|(one, _)| {
        let is_of_family = one.branch.is_some() && families.contains(&one.branch);
        !one.family.is_empty() || one.degenerate.is_empty() || !is_of_family
    });
    list.into_iter().map(|one| one.0).collect()
}
