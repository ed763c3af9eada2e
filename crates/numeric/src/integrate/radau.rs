//! The methods of Radau IIA, order 2s − 1 with s stages: stiff motions. Those with their numbers of stages are beside this file.
//!
//! ```text
//! zᵢ = h Σ aᵢⱼ f(t + cⱼ h, y + zⱼ)                   i = 1 … s; y₁ = y + zₛ                            (1)
//! (1 − h A ⊗ J) Δz = −z + h (A ⊗ 1) f               Newton's steps with the slopes J = ∂f/∂y at the beginning (2)
//! err = γ (1 − h γ J)⁻¹ (h f(t, y) + Σ eᵢ zᵢ)       the difference to a formula of order s             (3)
//! y(t + cᵢ h) = y + zᵢ                              a polynomial of degree s in between                (4)
//! aᵢⱼ = ∫ ℓⱼ from 0 to cᵢ, ℓⱼ(cᵢ) = δᵢⱼ             cᵢ: zeros of dˢ⁻¹/dxˢ⁻¹ (xˢ⁻¹ (x − 1)ˢ)            (5)
//! ```
//!
//! They are stable for every step where the motion itself is, and forget what decays at once. Steps are as long as (3) allows
//! and (2) converges. γ is the real eigenvalue of A; e follows from γ and the quadrature of order s with a node at 0.
//!
//! Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd ed. (1996), IV.5 and IV.8; Stiff differential
//! equations solved by Radau methods, J. Comput. Appl. Math. 111 (1999) 93–111.

use linear::Matrix;
use linear::lu::Factors;

use super::{Dense, End, Field, Stepper};
use crate::Trouble;

/// The coefficients of a method.
#[derive(Clone, Debug)]
pub struct Scheme {
    /// The instants of the stages, in steps.
    pub c: Vec<f64>,
    /// The weights (1).
    pub A: Vec<Vec<f64>>,
    /// γ and e of (3).
    pub gamma: f64,
    /// The weights of the stages in (3), without the factor γ.
    pub e: Vec<f64>,
    /// The powers of (4) from z, if it serves between the ends.
    pub powers: Option<Matrix>,
}

impl Scheme {
    /// The method with s stages, an odd number, from (5).
    pub fn new(s: usize) -> Scheme {
        let c = nodes(s);
        let gauss = zeros(|x| legendre(s, x).1);
        let row = |to: f64| (0..s).map(|j| integral(&c, j, to, &gauss)).collect();
        let A: Vec<Vec<f64>> = c.iter().map(|&to| row(to)).collect();
        let matrix = Matrix::from_fn(s, s, |i, j| A[i][j]);
        let gamma = eigenvalue(&matrix);
        // Σ b̂ᵢ cᵢᵏ⁻¹ = 1/k, less γ for k = 1
        let quadrature = Matrix::from_fn(s, s, |k, i| c[i].powi(k as i32));
        let right: Vec<f64> = (0..s).map(|k| 1.0 / (k + 1) as f64 - if k == 0 { gamma } else { 0.0 }).collect();
        let weights = solved(&quadrature, &right);
        let less: Vec<f64> = weights.iter().zip(&A[s - 1]).map(|(embedded, b)| embedded - b).collect();
        // less · A⁻¹, over γ
        let e = solved(&matrix.transposed(), &less).into_iter().map(|e| e / gamma).collect();
        let powers = linear::solve::inverse(Matrix::from_fn(s, s, |i, k| c[i].powi(k as i32 + 1))).ok();
        Scheme { c, A, gamma, e, powers }
    }
}

fn solved(matrix: &Matrix, right: &[f64]) -> Vec<f64> {
    linear::solve(matrix.clone(), right).unwrap_or_else(|_| vec![f64::NAN; right.len()])
}

/// Legendre's polynomials of degree n − 1 and n at x.
fn legendre(n: usize, x: f64) -> (f64, f64) {
    let (mut before, mut now) = (1.0, x);
    for k in 1..n {
        (before, now) = (now, ((2 * k + 1) as f64 * x * now - k as f64 * before) / (k + 1) as f64);
    }
    (before, now)
}

/// The zeros of a function between −1 and 1, each between two of many places.
fn zeros(f: impl Fn(f64) -> f64) -> Vec<f64> {
    const PLACES: u32 = 200;
    let place = |k: u32| -(std::f64::consts::PI * f64::from(k) / f64::from(PLACES)).cos();
    let mut found = Vec::new();
    for k in 0..PLACES {
        let (mut low, mut high) = (place(k), place(k + 1));
        if (f(low) < 0.0) == (f(high) < 0.0) {
            continue;
        }
        for _ in 0..70 {
            let middle = 0.5 * (low + high);
            if (f(middle) < 0.0) == (f(low) < 0.0) { low = middle } else { high = middle }
        }
        found.push(0.5 * (low + high));
    }
    found
}

/// The instants (5): zeros of Pₛ − Pₛ₋₁, of which 1 is one.
fn nodes(s: usize) -> Vec<f64> {
    let inner = zeros(|x| {
        let (before, now) = legendre(s, x);
        (now - before) / (x - 1.0 - f64::EPSILON)
    });
    inner.into_iter().take(s - 1).map(|x| 0.5 * (1.0 + x)).chain([1.0]).collect()
}

/// ∫ ℓⱼ from 0 to a place, by Gauss's quadrature, which is exact for it.
fn integral(c: &[f64], j: usize, to: f64, gauss: &[f64]) -> f64 {
    let n = c.len();
    let weight = |x: f64| {
        let (before, _) = legendre(n, x);
        2.0 * (1.0 - x * x) / (n as f64 * before).powi(2)
    };
    let value = |x: f64| (0..n).filter(|&k| k != j).map(|k| (x - c[k]) / (c[j] - c[k])).product::<f64>();
    gauss.iter().map(|&x| 0.5 * to * weight(x) * value(0.5 * to * (1.0 + x))).sum()
}

/// The real eigenvalue: there is one for an odd number of stages.
fn eigenvalue(A: &Matrix) -> f64 {
    let s = A.rows();
    let sign = |gamma: f64| {
        let mut a = Matrix::from_fn(s, s, |i, j| A[i][j] - if i == j { gamma } else { 0.0 }).to_rows();
        let mut is_negative = false;
        for k in 0..s {
            let largest = (k..s).fold(k, |best, i| if a[i][k].abs() > a[best][k].abs() { i } else { best });
            is_negative ^= largest != k;
            a.swap(k, largest);
            is_negative ^= a[k][k] < 0.0;
            let (done, rest) = a.split_at_mut(k + 1);
            for row in rest {
                let factor = row[k] / done[k][k];
                row.iter_mut().zip(&done[k]).for_each(|(entry, own)| *entry -= factor * own);
            }
        }
        is_negative
    };
    let (mut low, mut high) = (0.01, 1.0);
    let first = sign(low);
    for _ in 0..70 {
        let middle = 0.5 * (low + high);
        if sign(middle) == first { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// So many steps of Newton are made.
const MOST: usize = 12;
/// Relative changes below the first are rounding; at the second Newton's steps may end if they get no smaller.
const DONE: f64 = 1e-14;
const CLOSE: f64 = 1e-10;

/// The stages of a step.
pub struct Radau {
    scheme: &'static Scheme,
    n: usize,
    /// The natural sizes of the state.
    sizes: Vec<f64>,
    jacobian: Vec<f64>,
    z: Vec<f64>,
    slopes: Vec<f64>,
    error: Vec<f64>,
    has_converged: bool,
}

impl Radau {
    /// Room for states of this length.
    pub fn new(scheme: &'static Scheme, n: usize) -> Radau {
        let s = scheme.c.len();
        Radau {
            scheme,
            n,
            sizes: vec![0.0; n],
            jacobian: vec![0.0; n * n],
            z: vec![0.0; s * n],
            slopes: vec![0.0; s * n],
            error: vec![0.0; n],
            has_converged: false,
        }
    }

    /// 1 − h A ⊗ J
    fn system(&self, h: f64) -> Vec<f64> {
        let (n, size, A) = (self.n, self.scheme.c.len() * self.n, &self.scheme.A);
        let mut matrix = vec![0.0; size * size];
        for (row, entry) in matrix.iter_mut().enumerate() {
            let (i, j) = (row / size, row % size);
            let unit = f64::from(u8::from(i == j));
            *entry = unit - h * A[i / n][j / n] * self.jacobian[(i % n) * n + j % n];
        }
        matrix
    }

    /// The slopes at the stages.
    fn evaluate(&mut self, field: &mut dyn Field, from: End<'_>, h: f64) -> Result<(), Trouble> {
        let n = self.n;
        let mut place = vec![0.0; n];
        for (i, c) in self.scheme.c.iter().enumerate() {
            for (j, place) in place.iter_mut().enumerate() {
                *place = from.y[j] + self.z[i * n + j];
            }
            field.rates(from.t + c * h, &place, &mut self.slopes[i * n..(i + 1) * n])?;
        }
        Ok(())
    }

    /// (2); false if it does not converge.
    fn newton(&mut self, field: &mut dyn Field, from: End<'_>, h: f64) -> Result<bool, Trouble> {
        let n = self.n;
        let Ok(factors) = Factors::new(self.system(h), self.z.len()) else { return Ok(false) };
        let sizes: Vec<f64> =
            (0..n).map(|j| self.sizes[j].max(from.y[j].abs()).max((h * from.slope[j]).abs())).collect();
        let least = 1e-8 * sizes.iter().fold(f64::MIN_POSITIVE, |largest, &size| largest.max(size));
        self.z.fill(0.0);
        let mut before = f64::INFINITY;
        for _ in 0..MOST {
            if let Err(trouble) = self.evaluate(field, from, h) {
                // a stage may lie where there is no slope, though the motion does not go there
                return if before.is_infinite() { Err(trouble) } else { Ok(false) };
            }
            let mut step: Vec<f64> = self.z.iter().map(|z| -z).collect();
            for (i, row) in self.scheme.A.iter().enumerate() {
                for (j, weight) in row.iter().enumerate() {
                    let slopes = &self.slopes[j * n..(j + 1) * n];
                    step[i * n..(i + 1) * n].iter_mut().zip(slopes).for_each(|(x, f)| *x += h * weight * f);
                }
            }
            factors.solve(&mut step);
            self.z.iter_mut().zip(&step).for_each(|(z, step)| *z += step);
            let relative = |(k, step): (usize, &f64)| step.abs() / sizes[k % n].max(self.z[k].abs()).max(least);
            let change = step.iter().enumerate().map(relative).fold(0.0, f64::max);
            if change.is_nan() {
                return Ok(false);
            }
            let next = if before.is_finite() { change * (change / before) } else { change };
            if change <= DONE || next <= DONE {
                return Ok(true);
            }
            if change >= before {
                return Ok(before <= CLOSE);
            }
            before = change;
        }
        Ok(before <= CLOSE)
    }

    /// (3)
    fn estimate(&mut self, from: End<'_>, h: f64) {
        let (n, gamma) = (self.n, self.scheme.gamma);
        for j in 0..n {
            let sum: f64 = self.scheme.e.iter().enumerate().map(|(i, e)| e * self.z[i * n + j]).sum();
            self.error[j] = gamma * (h * from.slope[j] + sum);
        }
        let matrix = (0..n * n).map(|k| f64::from(u8::from(k / n == k % n)) - h * gamma * self.jacobian[k]).collect();
        match Factors::new(matrix, n) {
            Ok(factors) => factors.solve(&mut self.error),
            Err(_) => self.error.fill(f64::INFINITY),
        }
    }
}

impl Stepper for Radau {
    fn step(&mut self, field: &mut dyn Field, from: End<'_>, h: f64, to: &mut [f64]) -> Result<(), Trouble> {
        let last = self.z.len() - self.n;
        field.jacobian(from, h, &mut self.jacobian)?;
        self.has_converged = self.newton(field, from, h)?;
        self.estimate(from, h);
        to.iter_mut().enumerate().for_each(|(j, to)| *to = from.y[j] + self.z[last + j]);
        Ok(())
    }

    fn natural(&mut self, sizes: &[f64]) {
        self.sizes.copy_from_slice(sizes);
    }

    /// h |J| in the norm of the largest row: not less than h |λ|.
    fn stiffness(&self, h: f64, _: End<'_>, sizes: &[f64]) -> Option<f64> {
        let row = |i: usize| (0..self.n).map(|j| (self.jacobian[i * self.n + j] * sizes[j] / sizes[i]).abs()).sum();
        let largest = (0..self.n).map(row).fold(0.0, f64::max);
        largest.is_finite().then_some(h.abs() * largest)
    }

    fn order(&self) -> u32 {
        2 * self.scheme.c.len() as u32 - 1
    }

    fn falls(&self) -> u32 {
        self.scheme.c.len() as u32 + 1
    }

    /// In the root of the mean of squares; without an end where Newton's steps do not converge.
    fn error(&self, _: f64, scale: &[f64]) -> Option<f64> {
        if !self.has_converged {
            return Some(f64::INFINITY);
        }
        let sum: f64 = self.error.iter().zip(scale).map(|(error, scale)| (error / scale).powi(2)).sum();
        Some((sum / self.n.max(1) as f64).sqrt())
    }

    /// (4) with the end that was moved to the levels; with three stages the cubic, which has the slopes of both ends.
    fn inside(&mut self, _: &mut dyn Field, from: End<'_>, h: f64, to: End<'_>) -> Result<Dense, Trouble> {
        let Some(powers) = &self.scheme.powers else { return Ok(Dense::cubic(from, h, to)) };
        let (n, s) = (self.n, self.scheme.c.len());
        let mut parts = vec![from.y.to_vec()];
        for k in 0..s {
            let part = |j: usize| (0..s).map(|i| powers[k][i] * self.z[i * n + j]).sum();
            parts.push((0..n).map(part).collect());
        }
        let (mut dense, mut end) = (Dense { t: from.t, h, parts, has_powers: true }, vec![0.0; n]);
        dense.at(1.0, &mut end);
        (0..n).for_each(|j| dense.parts[2][j] += to.y[j] - end[j]);
        Ok(dense)
    }
}
