//! How does a motion cross an instant at which its linear systems are singular, although it is smooth there?
//!
//! ```text
//! Yᵢ = y + H Σ aᵢⱼ f(Yⱼ)      i = 1 … s: Gauss's nodes, an even number, so that none is in the middle     (1)
//! y₁ = y + H Σ bⱼ f(Yⱼ)       the states Yⱼ on the levels: beside them f is as large as one likes         (2)
//! ```
//!
//! With the instant in the middle, (1) stays away from it on both sides. What six nodes say and what four say differ by
//! about the error of the latter.
//!
//! Source: E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I (1993), II.7.

use linear::Matrix;

use crate::integrate::Field;
use crate::machine::Machine;

/// Nodes on −1 … 1.
const FOUR: [f64; 4] =
    [-0.861_136_311_594_052_6, -0.339_981_043_584_856_26, 0.339_981_043_584_856_26, 0.861_136_311_594_052_6];
const SIX: [f64; 6] = [
    -0.932_469_514_203_152,
    -0.661_209_386_466_264_5,
    -0.238_619_186_083_196_9,
    0.238_619_186_083_196_9,
    0.661_209_386_466_264_5,
    0.932_469_514_203_152,
];

/// (1) is repeated so often at most.
const ROUNDS: usize = 60;

/// A time, the state and its slope.
pub type Moment = (f64, Vec<f64>, Vec<f64>);

/// A crossing: the state at its end, how uncertain each number is, and states on the way with their slopes.
pub struct Crossing {
    /// The end.
    pub end: Vec<f64>,
    /// The difference of the two results.
    pub errors: Vec<f64>,
    /// What lies inside.
    pub inside: Vec<Moment>,
}

/// The crossing from a state over a time; `guess` is where the motion goes, about. Nothing if there is none.
pub fn cross(
    machine: &mut Machine,
    from: &Moment,
    over: f64,
    sizes: &[f64],
    guess: &dyn Fn(f64) -> Vec<f64>,
) -> Option<Crossing> {
    let mut by = |nodes: &[f64]| gauss(machine, from, over, sizes, nodes, guess);
    let (four, six) = (by(&FOUR)?, by(&SIX)?);
    let errors = four.0.iter().zip(&six.0).map(|(four, six)| (four - six).abs()).collect();
    Some(Crossing { end: six.0, errors, inside: six.1 })
}

/// (1) and (2) with these nodes.
fn gauss(
    machine: &mut Machine,
    (t, y, _): &Moment,
    over: f64,
    sizes: &[f64],
    nodes: &[f64],
    guess: &dyn Fn(f64) -> Vec<f64>,
) -> Option<(Vec<f64>, Vec<Moment>)> {
    let weights = weights(nodes)?;
    let times: Vec<f64> = nodes.iter().map(|node| t + 0.5 * (1.0 + node) * over).collect();
    let mut states: Vec<Vec<f64>> = times.iter().map(|&time| guess(time)).collect();
    let mut slopes = vec![vec![0.0; y.len()]; nodes.len()];
    let mut last = f64::INFINITY;
    for _ in 0..ROUNDS {
        for ((&time, state), slope) in times.iter().zip(&mut states).zip(&mut slopes) {
            machine.project(time, state, sizes);
            machine.rates(time, state, slope).ok()?;
        }
        let moved = |row: &[f64], k: usize| {
            y[k] + 0.5 * over * row.iter().zip(&slopes).map(|(weight, slope)| weight * slope[k]).sum::<f64>()
        };
        let mut change = 0.0_f64;
        for (row, state) in weights.iter().zip(&mut states) {
            for k in 0..y.len() {
                let next = moved(row, k);
                change = change.max((next - state[k]).abs() / sizes[k].max(next.abs()).max(f64::MIN_POSITIVE));
                state[k] = next;
            }
        }
        // what is left is rounding, or it does not come to an end
        if change < 1e-15 || (change < 1e-9 && change > 0.5 * last) {
            let mut end: Vec<f64> = (0..y.len()).map(|k| moved(&weights[nodes.len()], k)).collect();
            machine.project(t + over, &mut end, sizes);
            let moments = times.into_iter().zip(states).zip(slopes).map(|((t, state), slope)| (t, state, slope));
            return Some((end, moments.collect()));
        }
        if !change.is_finite() {
            return None;
        }
        last = change;
    }
    None
}

/// The integrals from −1 of the polynomials that are 1 at one node and 0 at the others: to each node, and to 1.
fn weights(nodes: &[f64]) -> Option<Matrix> {
    let s = nodes.len();
    let powers = Matrix::from_fn(s, s, |i, k| nodes[i].powi(k as i32));
    let polynomials = linear::solve::inverse(powers).ok()?;
    let integral = |to: f64, k: usize| (to.powi(k as i32 + 1) - (-1.0_f64).powi(k as i32 + 1)) / (k + 1) as f64;
    let to = |i: usize| nodes.get(i).copied().unwrap_or(1.0);
    Some(Matrix::from_fn(s + 1, s, |i, j| (0..s).map(|k| polynomials[k][j] * integral(to(i), k)).sum()))
}

/// The polynomial through states with their slopes, at a time: Newton's form on doubled points.
pub fn hermite(points: &[Moment], t: f64) -> Vec<f64> {
    let nodes: Vec<f64> = points.iter().flat_map(|point| [point.0, point.0]).collect();
    let m = nodes.len();
    let of = |k: usize| {
        // divided differences, column by column
        let mut column: Vec<f64> = points.iter().flat_map(|point| [point.1[k], point.1[k]]).collect();
        let mut heads = vec![column[0]];
        for width in 1..m {
            column = (0..m - width)
                .map(|i| match nodes[i + width] - nodes[i] {
                    0.0 => points[i / 2].2[k],
                    span => (column[i + 1] - column[i]) / span,
                })
                .collect();
            heads.push(column[0]);
        }
        heads.iter().zip(&nodes).rev().fold(0.0, |value, (head, node)| value * (t - node) + head)
    };
    (0..points[0].1.len()).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::{FOUR, SIX, hermite, weights};

    #[test]
    fn a_polynomial_of_degree_seven_goes_on_as_it_is() {
        let f = |t: f64| (t.powi(7) - 3.0 * t.powi(4) + t, 7.0 * t.powi(6) - 12.0 * t.powi(3) + 1.0);
        let points: Vec<_> = [0.0, 0.5, 0.7, 1.1].map(|t| (t, vec![f(t).0], vec![f(t).1])).to_vec();
        let value = hermite(&points, 1.4);
        assert!((value[0] - f(1.4).0).abs() < 1e-12, "{value:?}");
    }

    #[test]
    fn the_weights_integrate_polynomials_of_degree_2s_minus_1() {
        for nodes in [&FOUR[..], &SIX[..]] {
            let whole = weights(nodes).unwrap();
            let degree = 2 * nodes.len() as i32 - 2;
            let sum: f64 = whole[nodes.len()].iter().zip(nodes).map(|(weight, node)| weight * node.powi(degree)).sum();
            assert!((sum - 2.0 / f64::from(degree + 1)).abs() < 1e-14, "{sum}");
        }
    }
}
