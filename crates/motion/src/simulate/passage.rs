//! Does a motion go on where its constraints become dependent?
//!
//! ```text
//! N A = 0,  A K = 0                     combinations of rows, and directions, at that instant                  (1)
//! N A' K  has as many independent rows as A has lost, A' = ∂A/∂q·q' + ∂A/∂t: then A q'' = b and
//! (N A)' q'' = (N b)' determine the accelerations, and they are the limit of those before                     (2)
//! N (∂A/∂q·u) w = 0,  N ∂f'/∂q·u = 0   for all w with A w = 0, N A' w = 0, and all neighbouring states q + u  (3)
//! ```
//!
//! By (3) smooth sheets cross each other: what comes near on one of them goes on on it. At the tip of a cone, or where a
//! pursuer meets its prey, (2) may hold, and yet nearby motions go on elsewhere.

use expr::{At, Expr};
use linear::Matrix;
use linear::jacobi::symmetric;
use mechanics::System;
use mechanics::rows::Row;
use numeric::guard::Guard;

/// What is smaller than this, against what it is made of, vanishes.
const SMALL: f64 = 1e-4;

/// What becomes singular, and whether the motion goes on through it.
pub struct Passage {
    /// The constraints that depend on each other there, by name.
    pub names: Vec<String>,
    /// Why the motion does not go on.
    pub refused: Option<&'static str>,
}

/// What is known at the instant, in natural sizes.
struct There<'a> {
    system: &'a System,
    rows: &'a [Row],
    at: &'a At,
    guard: &'a Guard,
    A: Matrix,
    /// (1)
    N: Matrix,
    /// ∂A/∂q by each coordinate.
    bends: Vec<Matrix>,
    /// A', and how large it may be.
    turn: Matrix,
    fast: f64,
}

impl Passage {
    /// The passage of these rows, all that act, at a state.
    pub fn of(system: &System, rows: &[Row], at: &At, guard: &Guard) -> Passage {
        let there = There::new(system, rows, at, guard);
        let taking_part: Vec<&Row> = there.taking_part();
        let mut names: Vec<String> =
            taking_part.iter().map(|row| system.constraints[row.constraint].name.clone()).collect();
        names.dedup();
        let rates: Vec<Expr> = system.coordinates.iter().map(|c| c.q_dot).collect();
        let has_rates = |e: &Expr| e.symbols().iter().any(|symbol| rates.contains(symbol));
        let refused = if taking_part.iter().any(|row| row.order > 1 || row.A.iter().any(has_rates)) {
            Some("they determine no direction for the rates there")
        } else if !there.has_limit() {
            Some("the accelerations have no limit there that follows from the constraints")
        } else if !there.is_flat(taking_part.iter().all(|row| row.order == 0)) {
            Some("motions nearby go on in other directions")
        } else {
            None
        };
        Passage { names, refused }
    }
}

impl<'a> There<'a> {
    fn new(system: &'a System, rows: &'a [Row], at: &'a At, guard: &'a Guard) -> There<'a> {
        let none = || Matrix::zeros(0, 0);
        let (bends, turn) = (Vec::new(), none());
        let mut there = There { system, rows, at, guard, A: none(), N: none(), bends, turn, fast: 0.0 };
        there.A = there.matrix(&|row, j| at.value(row.A[j]));
        there.N = null_space(&there.A.gram());
        let sizes = guard.columns();
        let coordinates = || system.coordinates.iter().zip(sizes);
        there.bends = coordinates().map(|(c, size)| there.matrix(&|row, j| size * slope(row.A[j], c.q, at))).collect();
        let rate: Vec<f64> = coordinates().map(|(c, size)| at.value(c.q_dot) / size).collect();
        let drive = there.matrix(&|row, j| slope(row.A[j], system.time, at));
        let turn = there.along(&rate);
        there.turn = Matrix::from_fn(turn.rows(), turn.columns(), |i, j| turn[i][j] + drive[i][j]);
        there.fast = linear::vector::length(&rate) * there.bend() + drive.largest();
        there
    }

    fn matrix(&self, of: &dyn Fn(&Row, usize) -> f64) -> Matrix {
        let (rows, columns) = (self.rows.len(), self.system.coordinates.len());
        self.guard.scaled(&Matrix::from_fn(rows, columns, |i, j| of(&self.rows[i], j)))
    }

    /// The rows that depend on each other.
    fn taking_part(&self) -> Vec<&'a Row> {
        let weight = |i: usize| self.N.iter().map(|n| n[i].abs()).fold(0.0, f64::max);
        (0..self.rows.len()).filter(|&i| weight(i) > 1e-3).map(|i| &self.rows[i]).collect()
    }

    /// The largest entry of ∂A/∂q.
    fn bend(&self) -> f64 {
        self.bends.iter().map(Matrix::largest).fold(0.0, f64::max)
    }

    /// ∂A/∂q·u
    fn along(&self, u: &[f64]) -> Matrix {
        let sum = |i: usize, j: usize| self.bends.iter().zip(u).map(|(bend, u)| u * bend[i][j]).sum();
        Matrix::from_fn(self.A.rows(), self.A.columns(), sum)
    }

    /// (2)
    fn has_limit(&self) -> bool {
        let K = null_space(&self.A.transposed().gram());
        let lost = self.guard.rank.saturating_sub(self.A.columns() - K.rows());
        let limits = self.turn.between(&self.N, &K);
        self.fast > 0.0 && limits.is_finite() && rank(&limits.gram(), SMALL * self.fast) >= lost
    }

    /// (3)
    fn is_flat(&self, is_geometric: bool) -> bool {
        let width = self.A.columns();
        let with = |rows: &Matrix, more: &Matrix| {
            null_space(&Matrix::of_width(width, rows.iter().chain(more.iter())).transposed().gram())
        };
        let turned = self.N.times(&self.turn);
        let turned = Matrix::from_fn(turned.rows(), width, |i, j| turned[i][j] / self.fast);
        let W = with(&self.A, &turned);
        let geometric: Vec<usize> = (0..self.rows.len()).filter(|&i| self.rows[i].order == 0).collect();
        let held = self.A.part(&geometric, &(0..width).collect::<Vec<usize>>());
        let U = with(&held, &if is_geometric { turned } else { Matrix::zeros(0, width) });
        let q = |j: usize| self.system.coordinates[j].q;
        let rates = self.matrix(&|row, j| row.velocity.map_or(0.0, |rate| slope(rate, q(j), self.at)));
        U.iter().all(|u| self.along(u).between(&self.N, &W).largest() <= SMALL * self.bend())
            && rates.between(&self.N, &U).largest() <= SMALL * self.fast
    }
}

fn slope(e: Expr, by: Expr, at: &At) -> f64 {
    expr::derivative(e, by).map_or(f64::NAN, |slope| at.value(slope))
}

/// Directions that a symmetric matrix of squares sends to zero, as rows.
fn null_space(squares: &Matrix) -> Matrix {
    let n = squares.rows();
    let Ok(spectrum) = symmetric(squares.clone()) else { return Matrix::zeros(0, n) };
    let count = spectrum.values.iter().filter(|value| **value < SMALL * SMALL).count();
    Matrix::of_width(n, spectrum.vectors.iter().take(count))
}

/// How many singular values are larger than this, of a symmetric matrix of squares.
fn rank(squares: &Matrix, size: f64) -> usize {
    symmetric(squares.clone()).map_or(0, |found| found.values.iter().filter(|value| **value > size * size).count())
}
