//! What do linear equations with periodic coefficients do in one period?
//!
//! ```text
//! M(t) y'' + C(t) y' + K(t) y = 0      Φ(T) takes (y, y') through one period                         (1)
//! ρ, the eigenvalues of Φ(T)           |ρ| > 1: unstable;  all |ρ| < 1: asymptotically stable        (2)
//! ```
//!
//! Both are true of the nonlinear equations too (Lyapunov). On the unit circle nothing follows for them. Of linear equations
//! with a Lagrangian the multipliers come in pairs ρ, 1/ρ̄: one that is alone on the circle, as far as its error goes,
//! lies on it, and distinct ones leave nothing that grows.
//!
//! Source: Floquet 1883; Yakubovich and Starzhinskii, Linear Differential Equations with Periodic Coefficients (1975).

use expr::decimal;
use linear::Matrix;
use linear::eigen::{self, Complex};
use linear::solve::solve_many;

use super::nearby::Nearby;
use super::program::Program;
use super::set::Point;
use super::stability::{Rest, Stability};
use super::statics::{Damping, Statics};

/// Steps in one period, at first and at the most.
const STEPS: (usize, usize) = (64, 1 << 15);
/// Multipliers that change by less with half the step are known.
const SETTLED: f64 = 1e-10;
/// What is nearer to the unit circle is on it, whatever the steps say.
const ON_CIRCLE: f64 = 1e-7;
/// Distinct multipliers are so far apart.
const APART: f64 = 1e-4;
/// A force that is smaller, relative to its natural size, is balanced.
const BALANCED: f64 = 1e-8;

/// The multipliers, and how far they may be wrong.
struct Multipliers {
    values: Vec<Complex>,
    error: f64,
}

/// The verdict where time stands in the equations; the reason why there is none.
pub fn judged(statics: &Statics, program: &Program, nearby: &Nearby, point: &Point) -> Result<Stability, String> {
    let what = statics.timed.as_ref().or(statics.driven.as_ref());
    let what = what.map_or("the equations", String::as_str);
    let period = nearby.period.ok_or_else(|| {
        format!("time stands in {what}, and no period was found: there is no linear system with constant coefficients")
    })?;
    let is_plain = statics.rows.list.is_empty() && point.family.is_empty() && !point.is_rough && point.kink.is_none();
    if !is_plain || statics.sticks.is_some() || !statics.free.is_empty() {
        return Err(format!(
            "time stands in {what}: multipliers are found for equations without constraints, families and kinks"
        ));
    }
    let found = multipliers(program, nearby, point, period)?;
    let mut told = tell(statics, &found, period);
    told.floquet = found.values;
    Ok(told)
}

/// (2)
fn tell(statics: &Statics, found: &Multipliers, period: f64) -> Stability {
    let size = |value: &Complex| value[0].hypot(value[1]);
    let margin = found.error.max(ON_CIRCLE);
    let worst = found.values.iter().map(size).fold(0.0, f64::max);
    let of = format!("of the period {}", decimal(period));
    let told = |verdict: Rest, reason: String| Stability::told(verdict, reason);
    match () {
        () if worst > 1.0 + margin => {
            told(Rest::Unstable, format!("a Floquet multiplier {of} has the size {}, above 1", decimal(worst)))
        }
        () if worst < 1.0 - margin => {
            let reason = format!("every Floquet multiplier {of} is below 1 in size, the largest {}", decimal(worst));
            told(Rest::AsymptoticallyStable, reason)
        }
        () if are_on_circle(statics, found, margin) => {
            let reason = format!("the equations are linear, and the Floquet multipliers {of} are distinct, of size 1");
            told(Rest::Stable, reason)
        }
        () => {
            let reason =
                format!("Floquet multipliers {of} have the size 1, as far as numbers tell: this decides nothing");
            told(Rest::Undecided, reason)
        }
    }
}

/// Whether all multipliers of linear equations with a Lagrangian are distinct and on the unit circle.
fn are_on_circle(statics: &Statics, found: &Multipliers, margin: f64) -> bool {
    let far = |a: &Complex, b: &Complex| (a[0] - b[0]).hypot(a[1] - b[1]);
    let all = found.values.iter().enumerate();
    let is_alone = |(k, one): (usize, &Complex)| {
        let others = found.values.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, other)| far(one, other));
        others.fold(f64::INFINITY, f64::min) > APART.max(100.0 * margin)
    };
    let has_lagrangian = statics.is_symmetric && statics.damping == Damping::None;
    has_lagrangian && statics.is_linear && all.into_iter().all(is_alone)
}

/// Φ(T) with more and more steps, until its eigenvalues settle.
fn multipliers(program: &Program, nearby: &Nearby, point: &Point, period: f64) -> Result<Multipliers, String> {
    let massless = "the mass matrix is singular: some motion moves no mass";
    let (mut steps, mut last): (usize, Option<Matrix>) = (STEPS.0, None);
    loop {
        let now = through(program, nearby, point, period, steps)?;
        if let Some(before) = &last {
            let n = now.rows();
            let better = Matrix::from_fn(n, n, |i, j| now[i][j] + (now[i][j] - before[i][j]) / 15.0);
            let values = [before, &now, &better].map(eigen::values);
            let [Some(old), Some(new), Some(values)] = values else { return Err(massless.to_owned()) };
            let change = distance(&old, &new);
            let size = values.iter().map(|x| x[0].hypot(x[1])).fold(1.0, f64::max);
            if change <= SETTLED * size || (steps >= STEPS.1 && change < 1e-3 * size) {
                return Ok(Multipliers { values, error: 2.0 * change / size.min(1.0) });
            }
            if steps >= STEPS.1 || !change.is_finite() {
                return Err("the motion through one period was not followed closely enough for its multipliers".into());
            }
        }
        (last, steps) = (Some(now), 2 * steps);
    }
}

/// How far the eigenvalues of one list are from those of another.
fn distance(a: &[Complex], b: &[Complex]) -> f64 {
    let near = |x: &Complex| b.iter().map(|y| (x[0] - y[0]).hypot(x[1] - y[1])).fold(f64::INFINITY, f64::min);
    a.iter().map(near).fold(0.0, f64::max)
}

/// Φ(T) of (1) by Runge's and Kutta's method of order four.
fn through(program: &Program, nearby: &Nearby, point: &Point, period: f64, steps: usize) -> Result<Matrix, String> {
    let n = nearby.moving.len();
    let h = period / steps as f64;
    let start = program.instants[0];
    let mut phi = Matrix::identity(2 * n);
    let mut left = field(program, nearby, point, start)?;
    for step in 0..steps {
        let t = start + h * step as f64;
        let middle = field(program, nearby, point, t + 0.5 * h)?;
        let right = field(program, nearby, point, t + h)?;
        let plus = |a: &Matrix, b: &Matrix, by: f64| Matrix::from_fn(2 * n, 2 * n, |i, j| a[i][j] + by * b[i][j]);
        let k1 = left.times(&phi);
        let k2 = middle.times(&plus(&phi, &k1, 0.5 * h));
        let k3 = middle.times(&plus(&phi, &k2, 0.5 * h));
        let k4 = right.times(&plus(&phi, &k3, h));
        let sum = plus(&plus(&k1, &k4, 1.0), &plus(&k2, &k3, 1.0), 2.0);
        phi = plus(&phi, &sum, h / 6.0);
        left = right;
    }
    Ok(phi)
}

/// (y, y')' = A(t) (y, y'): A at an instant.
fn field(program: &Program, nearby: &Nearby, point: &Point, t: f64) -> Result<Matrix, String> {
    let (M, C, K, _, short) = nearby.at_instant(program, &point.z, t);
    let n = M.rows();
    let size = program.sizes.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    if short.iter().any(|x| x.abs() > BALANCED * size || x.is_nan()) {
        return Err(format!("at t = {} the forces do not balance here", decimal(t)));
    }
    let right = Matrix::from_fn(n, 2 * n, |i, j| if j < n { -K[i][j] } else { -C[i][j - n] });
    let lower =
        solve_many(M, right).map_err(|_| "the mass matrix is singular: some motion moves no mass".to_owned())?;
    Ok(Matrix::from_fn(2 * n, 2 * n, |i, j| match i < n {
        true => f64::from(u8::from(j == i + n)),
        false => lower[i - n][j],
    }))
}
