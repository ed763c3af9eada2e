//! What kind of solution is it? A point, a member of a family, a multiple one; and what do the supports carry?
//!
//! ```text
//! J δz = 0                      directions in which the equations do not change                        (1)
//! z + ε δz, brought back        lies on the set again: a family; otherwise a multiple solution          (2)
//! min Σ w λ², Aᵀλ = E − Q       where reactions are not determined, w = A M⁻¹ Aᵀ with M's diagonal      (3)
//! ```

use super::flat::Leading;
use super::inertia::Inertia;
use super::matrix::{Matrix, dot, kernel, length, null_space, orthonormal};
use super::program::Program;
use super::search::Ground;

/// What is below this, of a scaled matrix, is rounding.
const SMALL: f64 = 1e-7;
/// The same for slopes at a multiple solution, which is found to half the digits only.
const FLAT: f64 = 2e-5;

/// At so many places the size of the energy is looked at.
const LEVELS: usize = 12;

/// A solution of the static equations.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its unknowns: q, λ, loads.
    pub z: Vec<f64>,
    /// Directions of the family through it, in the coordinates that are searched.
    pub family: Matrix,
    /// Directions in which the equations do not change to first order, although the solution is alone there.
    pub degenerate: Matrix,
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
        leading: None,
        kink: None,
    };
    if is_rough {
        return made;
    }
    let scaled: Matrix = slopes
        .iter()
        .zip(&program.sizes)
        .map(|(row, size)| row.iter().zip(&program.scales).map(|(x, scale)| x * scale / size).collect())
        .collect();
    let of_multipliers: Matrix = scaled.iter().map(|row| row[n..].to_vec()).collect();
    made.undetermined = null_space(&of_multipliers, made.z.len() - n, SMALL).len();
    // where a solution is proved to be the only one nearby, there is no family, and it is no multiple one
    let is_alone = program.enclosure(&made.z).is_some();
    let kernel = if is_alone { Vec::new() } else { kernel(scaled, made.z.len(), FLAT) };
    let places = |v: &Vec<f64>| -> Vec<f64> { v[..n].to_vec() };
    let candidates: Matrix = kernel.iter().map(places).filter(|v| length(v) > 1e-6).collect();
    for direction in independent(candidates) {
        match leads_on(program, &made.z, &kernel, &direction) {
            true => made.family.push(direction),
            false => made.degenerate.push(direction),
        }
    }
    made
}

/// Orthonormal, in the order of what stands out.
fn independent(vectors: Matrix) -> Matrix {
    let size: f64 = vectors.iter().map(|v| length(v)).fold(0.0, f64::max);
    let mut basis: Matrix = Vec::new();
    for vector in vectors {
        let mut left = vector.clone();
        for e in &basis {
            let part = dot(e, &left);
            left.iter_mut().zip(e).for_each(|(x, e)| *x -= part * e);
        }
        if length(&left) > 1e-5 * size {
            basis.push(orthonormal(vec![left]).remove(0));
        }
    }
    basis
}

/// (2): whether a step in a direction can be brought back to the set near where it ended.
fn leads_on(program: &Program, z: &[f64], kernel: &Matrix, direction: &[f64]) -> bool {
    let n = direction.len();
    // the vector of the kernel above this direction
    let mut above = vec![0.0; z.len()];
    for v in kernel {
        let part = dot(&v[..n], direction);
        above.iter_mut().zip(v).for_each(|(x, v)| *x += part * v);
    }
    let share = dot(&above[..n], direction);
    if share.abs() < 1e-9 {
        return false;
    }
    let scales = &program.scales;
    let goes = |step: f64| {
        let there: Vec<f64> =
            z.iter().zip(&above).zip(scales).map(|((x, d), scale)| x + step * d / share * scale).collect();
        program.solved(&there).is_some_and(|found| {
            let went: f64 = (0..n).map(|k| (found[k] - z[k]) / scales[k] * direction[k]).sum::<f64>() / step;
            (0.5..2.0).contains(&went)
        })
    };
    [1e-2, 3e-3, 3e-2].iter().any(|&step| goes(step) && goes(-step))
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
                other.family.is_empty() && ground.is_same(&one.z[..n], &other.z[..n], close)
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
