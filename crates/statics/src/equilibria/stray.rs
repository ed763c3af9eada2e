//! Is a place where the slopes vanish in some direction a solution at all?
//!
//! ```text
//! e J = 0         what no step can remove to first order: e·F                                           (1)
//! z + h v → back  the same next to z, brought back across by J δz = −F, where J v = 0                    (2)
//! ```
//!
//! At a solution e·F is rounding, or it falls towards z by orders of magnitude. A small force along a steep valley
//! does neither: no place of the valley balances.

use linear::least::least;
use linear::vector::dot;
use linear::{Matrix, Scale, Tolerance, null_space};

use super::program::Program;

/// What is below this, of a scaled matrix, counts as no slope.
const FLAT: Tolerance = Tolerance::new(2e-5);
/// Rounding is below this, of what terms are and what they change by.
const NOISE: f64 = 1e3 * f64::EPSILON;
/// A part of it that is left so far away makes a place no solution.
const STAYS: f64 = 0.1;

/// What is left at a place that no step removes (1), one number for each e; and whether each is more than rounding.
struct Rest {
    left: Vec<f64>,
    is_clear: Vec<bool>,
}

/// The slopes in natural units, and the values.
fn scaled(program: &Program, z: &[f64]) -> (Matrix, Vec<f64>) {
    let (values, slopes) = program.slopes(z);
    let row = |(row, size): (&Vec<f64>, &f64)| -> Vec<f64> {
        row.iter().zip(&program.scales).map(|(x, scale)| x * scale / size).collect()
    };
    let values = values.iter().zip(&program.sizes).map(|(value, size)| value / size).collect();
    (Matrix::of_width(z.len(), slopes.iter().zip(&program.sizes).map(row)), values)
}

fn rest(program: &Program, z: &[f64]) -> Option<Rest> {
    let (slopes, values) = scaled(program, z);
    let turned = (0..z.len()).map(|k| slopes.iter().map(|row| row[k]).collect::<Vec<f64>>());
    let kernel = null_space(Matrix::of_width(values.len(), turned), Scale::AsGiven, FLAT).ok()?;
    let sizes = program.measured(z).into_iter().zip(&program.sizes).map(|(one, size)| one.size / size);
    let noise: Vec<f64> =
        sizes.zip(slopes.iter()).map(|(size, row)| NOISE * (size + row.iter().map(|x| x.abs()).sum::<f64>())).collect();
    let left: Vec<f64> = kernel.iter().map(|e| dot(e, &values)).collect();
    let of = |e: &[f64]| e.iter().zip(&noise).map(|(e, noise)| e.abs() * noise).sum::<f64>();
    let is_clear = kernel.iter().zip(&left).map(|(e, left)| left.abs() > of(e)).collect();
    Some(Rest { left, is_clear })
}

/// Whether all that is left at a place of a family is rounding. A place without a flat direction is none of a family.
pub fn balances(program: &Program, z: &[f64]) -> bool {
    let is_square = program.equations() == z.len();
    rest(program, z).is_none_or(|rest| !(rest.is_clear.contains(&true) || is_square && rest.left.is_empty()))
}

/// Whether a place with directions without slope is none where all vanishes: what is left there is left far around.
pub fn is_stray(program: &Program, z: &[f64], directions: &[Vec<f64>]) -> bool {
    let Some(here) = rest(program, z).filter(|here| here.is_clear.contains(&true)) else { return false };
    let most = |rest: &Rest| rest.left.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let most_here = most(&here);
    let mut steps = directions.iter().flat_map(|v| [1e-2, -1e-2, 0.1, -0.1].map(|h| (v, h)));
    steps.all(|(v, h)| {
        let mut there = z.to_vec();
        there.iter_mut().zip(v).zip(&program.scales).for_each(|((x, d), scale)| *x += h * d * scale);
        across(program, there).and_then(|z| rest(program, &z)).is_none_or(|rest| STAYS * most(&rest) < most_here)
    })
}

/// Nearer to a multiple solution: Newton's method, brought back across after each step, while the steps become shorter.
/// Towards a solution of order k they shrink by 1 − 1/k.
pub fn approached(program: &Program, z: &[f64]) -> Option<Vec<f64>> {
    const ROUNDS: usize = 200;
    const SHORTER: f64 = 0.97;
    if program.equations() != z.len() {
        return None;
    }
    let (mut z, mut last) = (z.to_vec(), f64::INFINITY);
    for _ in 0..ROUNDS {
        let (slopes, values) = scaled(program, &z);
        let right: Vec<f64> = values.iter().map(|value| -value).collect();
        let Ok(step) = linear::solve(slopes, &right) else { break };
        let length = step.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        if length > SHORTER * last || length == 0.0 {
            break;
        }
        let next = z.iter().zip(&step).zip(&program.scales).map(|((x, d), scale)| x + d * scale);
        z = across(program, next.collect())?;
        last = length;
    }
    last.is_finite().then_some(z)
}

/// A place brought back across (2).
fn across(program: &Program, mut z: Vec<f64>) -> Option<Vec<f64>> {
    const ROUNDS: usize = 12;
    for _ in 0..ROUNDS {
        let (slopes, values) = scaled(program, &z);
        let flat: Vec<f64> = slopes.iter().flatten().copied().collect();
        let right: Vec<f64> = values.iter().map(|value| -value).collect();
        let (step, _) = least(&flat, &right, &vec![1.0; z.len()], FLAT).ok()?;
        z.iter_mut().zip(&step).zip(&program.scales).for_each(|((x, d), scale)| *x += d * scale);
    }
    z.iter().all(|x| x.is_finite()).then_some(z)
}
