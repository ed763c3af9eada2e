//! One freedom: which way does the force point on both sides of a place?

use std::cmp::Ordering;

use linear::least::shortest;
use linear::tolerance::{LEAST, RANK};
use linear::vector::dot;
use linear::{Matrix, Scale, null_space};

use super::program::Program;
use super::set::Point;
use super::stability::{Nearby, Rest, Stability, energy_name};
use super::statics::{Damping, Statics};

/// One direction without stiffness: what the force does on both sides of it.
pub fn degenerate(
    statics: &Statics,
    program: &Program,
    nearby: &Nearby,
    point: &Point,
    N: &Matrix,
    across: &Matrix,
    is_conservative: bool,
) -> Option<Stability> {
    (is_conservative && across.rows() == 1 && N.rows() == 1 && point.family.is_empty())
        .then(|| by_sides(statics, program, nearby, point, N, "the stiffness vanishes"))
        .flatten()
}

/// For one freedom: does the force lead back on both sides?
pub fn by_sides(
    statics: &Statics,
    program: &Program,
    nearby: &Nearby,
    point: &Point,
    N: &Matrix,
    why: &str,
) -> Option<Stability> {
    if N.rows() != 1 || matches!(statics.damping, Damping::Other | Damping::Doubtful) {
        return None;
    }
    let (direction, n) = (&N[0], program.searched.len());
    let along: Vec<f64> = program
        .searched
        .iter()
        .map(|s| nearby.moving.iter().position(|k| k == s).map_or(0.0, |place| direction[place]))
        .collect();
    let loads = &point.z[point.z.len() - program.loads..];
    let way = Way { statics, program, nearby, from: &point.z[..n], loads, direction, along: &along };
    let mut signs = Vec::new();
    for step in [1e-2, 3e-3, 1e-3] {
        let size =
            program.scales[..n].iter().zip(&along).map(|(scale, d)| scale * d.abs()).fold(0.0, f64::max).max(1e-3);
        signs.push((way.pull(step * size)?, way.pull(-step * size)?));
    }
    match signs.iter().any(|one| *one != signs[0]) {
        true => None,
        false => judge(signs[0], why, energy_name(statics)),
    }
}

/// The one way that a system may go from a place.
struct Way<'a> {
    statics: &'a Statics,
    program: &'a Program,
    nearby: &'a Nearby,
    /// The place, and the way in the coordinates that are searched.
    from: &'a [f64],
    along: &'a [f64],
    /// Loads that were looked for: they stay as they are.
    loads: &'a [f64],
    /// The way in the coordinates that move.
    direction: &'a [f64],
}

impl Way<'_> {
    /// The sign of the force along the way, at a place on the constraints a step away.
    fn pull(&self, step: f64) -> Option<Ordering> {
        let program = self.program;
        let q: Vec<f64> = self.from.iter().zip(self.along).map(|(x, d)| x + step * d).collect();
        let q = on_the_rows(program, &q);
        let z = program.with_multipliers(&q);
        let (_, _, _, A) = self.nearby.matrices(program, &z);
        let there = null_space(A, Scale::Rows, RANK).ok().filter(|there| there.rows() == 1)?;
        let tangent = &there[0];
        let turned = if dot(tangent, self.direction) < 0.0 { -1.0 } else { 1.0 };
        let multipliers = vec![0.0; z.len() - q.len() - self.loads.len()];
        let force = program.measured(&[&q[..], &multipliers[..], self.loads].concat());
        let of_coordinate = |s: usize| {
            let name = &self.statics.names[s];
            let place = program.names.iter().position(|one| one == name);
            place
                .filter(|&place| !program.is_condition[place])
                .map_or((0.0, 0.0), |place| (force[place].value, force[place].size))
        };
        let parts = self.nearby.moving.iter().zip(tangent).map(|(&s, t)| {
            let (value, size) = of_coordinate(s);
            (turned * t * value, t.abs() * size)
        });
        let (sum, size) = parts.fold((0.0, 0.0), |(sum, all), (value, size)| (sum + value, all + size));
        if sum.abs() <= 1e-13 * size { Some(Ordering::Equal) } else { sum.partial_cmp(&0.0) }
    }
}

/// Judges a place by the signs of the force ahead and behind.
fn judge(signs: (Ordering, Ordering), why: &str, energy: &str) -> Option<Stability> {
    let told = |verdict: Rest, reason: String| Some(Stability::told(verdict, reason));
    match signs {
        (Ordering::Less, Ordering::Greater) => {
            told(Rest::Stable, format!("{why}, and the force leads back on both sides: a minimum of the {energy}"))
        }
        (Ordering::Greater, Ordering::Less) => {
            told(Rest::Unstable, format!("{why}, and the force leads away on both sides: a maximum of the {energy}"))
        }
        (Ordering::Equal, Ordering::Greater) | (Ordering::Less, Ordering::Equal) => {
            told(Rest::Neutral, format!("{why}: on one side the force leads back, on the other there is none"))
        }
        (Ordering::Equal, Ordering::Less) | (Ordering::Greater, Ordering::Equal) => {
            told(Rest::Unstable, format!("{why}: on one side the force leads away, on the other there is none"))
        }
        (Ordering::Equal, Ordering::Equal) => None,
        _ => told(
            Rest::Unstable,
            format!("{why}, and the force leads the same way on both sides: back on one, away on the other"),
        ),
    }
}

/// The place on the geometric rows near q: the conditions alone are solved.
fn on_the_rows(program: &Program, q: &[f64]) -> Vec<f64> {
    let n = q.len();
    let mut q = q.to_vec();
    for _ in 0..8 {
        let z: Vec<f64> = q.iter().copied().chain((n..program.unknowns()).map(|_| 0.0)).collect();
        let (values, slopes) = program.slopes(&z);
        // conditions hold no multipliers
        let rows: Vec<usize> = (0..values.len()).filter(|&i| program.is_condition[i]).collect();
        let matrix = Matrix::of_width(n, rows.iter().map(|&i| &slopes[i][..n]));
        let right: Vec<f64> = rows.iter().map(|&i| -values[i]).collect();
        let Ok((step, _)) = shortest(matrix, &right, &vec![1.0; n], LEAST) else { break };
        if rows.is_empty() {
            break;
        }
        q.iter_mut().zip(&step).for_each(|(x, d)| *x += d);
    }
    q
}
