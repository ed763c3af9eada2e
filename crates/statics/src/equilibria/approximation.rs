//! What do the linear equations near a place of rest say?
//!
//! ```text
//! R = E − Q − Aᵀλ          M = R_q'',  C = R_q',  K = R_q at rest, λ held                                        (1)
//! δq = G y, δq' = N u      what the geometric rows, and all rows, leave free                                     (2)
//! M_N u' + C_N u + Nᵀ K G y = 0,   y' = Gᵀ N u                                                                   (3)
//! ```
//!
//! With coordinates that turn freely, their momenta are held: K + C_qψ M_ψψ⁻¹ C_ψq takes the place of K (Routh).

use linear::eigen::{self, Complex};
use linear::jacobi::{against, symmetric};
use linear::side::{self, Side};
use linear::solve::solve_many;
use linear::span::{Span, orthonormal};
use linear::tolerance::{RANK, SPAN};
use linear::vector::{dot, largest, length};
use linear::{Matrix, Scale, Tolerance, null_space};

use super::inertia::Inertia;
use super::nearby::Nearby;
use super::program::Program;
use super::set::Point;
use super::stability::Signs;
use super::statics::{Damping, Statics};

/// What is smaller, relative to the largest, is zero.
const ZERO: f64 = 1e-9;
/// What a direction of the set has within the constraints, relative to its length, if it leads on within them.
const WITHIN: Tolerance = Tolerance::new(1e-6);
/// What a direction that the constraints allow has across the set, relative to its length.
const ACROSS: Tolerance = Tolerance::new(1e-7);
/// A part of C that is smaller, relative to the largest entry, is rounding.
const SKEW: f64 = 1e-12;
/// Entries of the linear equations may be so wrong, relative to themselves.
const ENTRY: f64 = 1e-13;
/// Distinct eigenvalues are so far apart, relative to the largest.
const APART: f64 = 1e-5;
/// An eigenvalue, relative to the largest and to the natural rate: a zero that is defective splits by the root of rounding.
const MOVING: Tolerance = Tolerance::new(1e-7);

/// M, C, K of (1), and the directions (2) that rows leave free.
pub struct Slopes {
    pub M: Matrix,
    pub C: Matrix,
    pub K: Matrix,
    pub G: Matrix,
    pub N: Matrix,
}

impl Slopes {
    /// At a point; nothing if the slope of a constraint has no value there.
    pub fn at(statics: &Statics, program: &Program, nearby: &Nearby, point: &Point) -> Option<Slopes> {
        let (M, C, K, A) = nearby.matrices(program, &point.z);
        let geometric = A.iter().zip(&statics.rows.list).filter(|(_, row)| row.order == 0).map(|(row, _)| row);
        let geometric = Matrix::of_width(nearby.moving.len(), geometric);
        let free = |rows: Matrix| null_space(rows, Scale::Rows, RANK).ok();
        Some(Slopes { M, C, K, G: free(geometric)?, N: free(A)? })
    }

    /// Whether damping takes energy out, in the first approximation: the symmetric part of C is not negative.
    pub fn dissipates(&self, statics: &Statics) -> bool {
        statics.damping == Damping::None || self.damping().is_some_and(|(least, largest)| least >= -ZERO * largest)
    }

    /// Whether damping takes energy out of every motion, in the first approximation.
    pub fn damps(&self) -> bool {
        self.damping().is_some_and(|(least, largest)| least > ZERO * largest)
    }

    /// Whether C has a skew part within the constraints: forces that turn a motion aside without doing work.
    pub fn is_gyroscopic(&self) -> bool {
        let C = self.C.between(&self.N, &self.N);
        let gap = |i: usize| (0..i).map(|j| (C[i][j] - C[j][i]).abs()).fold(0.0, f64::max);
        (0..C.rows()).map(gap).fold(0.0, f64::max) > SKEW * C.largest()
    }

    /// Whether M and K are symmetric and C is skew, so that eigenvalues come in pairs λ, −λ.
    pub fn is_conservative(&self) -> bool {
        let differs = |a: &Matrix, sign: f64| {
            let gap = |i: usize| (0..=i).map(|j| (a[i][j] - sign * a[j][i]).abs()).fold(0.0, f64::max);
            (0..a.rows()).map(gap).fold(0.0, f64::max) > SKEW * a.largest()
        };
        !differs(&self.M, 1.0) && !differs(&self.K, 1.0) && !differs(&self.C, -1.0)
    }

    /// The least and the largest eigenvalue of the symmetric part of C.
    fn damping(&self) -> Option<(f64, f64)> {
        let values = symmetric(self.C.between(&self.N, &self.N)).ok()?.values;
        Some((values.iter().copied().reduce(f64::min)?, largest(&values)))
    }
}

/// The first approximation, judged.
pub struct Approximation {
    /// The matrix of (3).
    pub A: Matrix,
    /// Its eigenvalues.
    pub values: Vec<Complex>,
    /// The largest of them.
    pub largest: f64,
    /// The largest real part.
    pub worst: f64,
    /// Real parts of those that are not zero.
    pub inner: Vec<f64>,
    /// What the set itself leaves free: coordinates that nothing depends on, the family, free turns.
    pub along: Matrix,
    /// What the constraints allow across that.
    pub across: Matrix,
    /// Coordinates that turn freely.
    pub loose: Vec<usize>,
    /// Eigenvalues of K against M across the set, with their directions.
    pub stiffness: Vec<(f64, Vec<f64>)>,
    /// How many directions lead up, nowhere and down, where that is proved.
    pub inertia: Option<Inertia>,
    /// How the signs were found.
    pub signs: Signs,
    /// A stiffness that is smaller counts as zero.
    pub small: f64,
    /// Whether an eigenvalue grows, as floats say.
    grows: bool,
}

impl Approximation {
    /// At a point; nothing if the mass matrix is singular.
    pub fn of(
        statics: &Statics,
        program: &Program,
        nearby: &Nearby,
        point: &Point,
        slopes: &Slopes,
    ) -> Option<Approximation> {
        let Slopes { M, C, K, G, N } = slopes;
        let rate = natural_rate(statics, program, nearby, M);
        let spectrum = Spectrum::of(M, C, K, G, N, rate)?;
        let largest = spectrum.values.iter().map(|value| value[0].hypot(value[1])).fold(0.0, f64::max);
        let along = neutral(statics, nearby, program, point, N);
        let across = complement(N, &along);
        let turns = statics.turning.iter().filter(|one| !one.is_prescribed);
        let loose: Vec<usize> = turns.map(|one| one.coordinate).collect();
        let kept: Vec<usize> = loose.iter().copied().chain(statics.cyclic).collect();
        let held = with_momenta_held(M, C, K, &kept, &nearby.moving);
        let found = against(&held.between(&across, &across), &M.between(&across, &across)).ok()?;
        let stiffness: Vec<(f64, Vec<f64>)> = found.values.into_iter().zip(found.vectors.to_rows()).collect();
        let exact = point.inertia.filter(|one| one.up + one.flat + one.down == N.rows());
        let (inertia, signs) = match exact.or_else(|| nearby.inertia(statics, program, point, M)) {
            Some(found) if exact.is_some() => (Some(found), Signs::Exact),
            Some(found) => (Some(found), Signs::Interval),
            None => (None, Signs::Float),
        };
        let scale = stiffness.iter().map(|one| one.0.abs()).fold(largest * largest, f64::max).max(f64::MIN_POSITIVE);
        let noise = if inertia.is_none() { noise(&stiffness, point.degenerate.len()) } else { 0.0 };
        let worst = spectrum.values.iter().map(|value| value[0]).fold(f64::NEG_INFINITY, f64::max);
        Some(Approximation {
            inner: spectrum.moving(largest.max(rate)),
            grows: worst > (1e-7 * largest).max(noise.sqrt()) && largest > 0.0,
            small: (ZERO * scale).max(noise),
            A: spectrum.A,
            values: spectrum.values,
            largest,
            worst,
            along,
            across,
            loose,
            stiffness,
            inertia,
            signs,
        })
    }

    /// Whether an eigenvalue has a positive real part whatever the errors of the entries: those that are multiple split by a root
    /// of rounding.
    pub fn grows_for_sure(&self) -> bool {
        let errors = Matrix::from_fn(self.A.rows(), self.A.columns(), |i, j| ENTRY * self.A[i][j].abs());
        let judged = || side::judged(&self.A, &errors);
        self.grows && judged().is_none_or(|all| all.iter().any(|one| one.side == Side::Right))
    }

    /// Whether the energy grows in every direction across the set.
    pub fn is_definite(&self) -> bool {
        match self.inertia {
            Some(one) => one.down == 0 && one.flat <= self.along.rows(),
            None => self.stiffness.iter().all(|one| one.0 > self.small),
        }
    }

    /// Whether nothing grows but along directions without stiffness.
    pub fn is_nowhere_down(&self) -> bool {
        self.is_definite() || self.inertia.is_some_and(|one| one.down == 0)
    }

    /// How many principal directions lead down.
    pub fn down(&self) -> usize {
        self.inertia.map_or_else(|| self.stiffness.iter().filter(|one| one.0 < -self.small).count(), |one| one.down)
    }

    /// How many directions without stiffness the set does not have.
    pub fn flat(&self) -> Option<usize> {
        self.inertia.map(|one| one.flat.saturating_sub(self.along.rows()))
    }

    /// Whether all that moves decays.
    pub fn decays(&self) -> bool {
        !self.values.is_empty() && self.inner.iter().all(|re| *re < -1e-9 * self.largest)
    }

    /// Whether all eigenvalues are distinct, and so near to the imaginary axis that none can have a partner beside it.
    pub fn are_apart_on_axis(&self) -> bool {
        let far = |a: &Complex, b: &Complex| (a[0] - b[0]).hypot(a[1] - b[1]);
        let list = &self.values;
        let is_alone = |k: usize| (0..k).all(|j| far(&list[k], &list[j]) > APART * self.largest);
        (0..list.len()).all(is_alone) && list.iter().all(|value| value[0].abs() < 0.1 * APART * self.largest)
    }

    /// How many eigenvalues are zero.
    pub fn zeros(&self) -> usize {
        self.values.len() - self.inner.len()
    }

    /// The eigenvalue with the largest real part.
    pub fn fastest(&self) -> Complex {
        self.values.iter().copied().max_by(|a, b| a[0].total_cmp(&b[0])).unwrap_or([0.0, 0.0])
    }
}

/// At a multiple solution that is known to half its digits the smallest stiffnesses are zero.
fn noise(stiffness: &[(f64, Vec<f64>)], flat: usize) -> f64 {
    let mut sizes: Vec<f64> = stiffness.iter().map(|one| one.0.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    2.0 * flat.min(sizes.len()).checked_sub(1).map_or(0.0, |place| sizes[place])
}

/// The linear equations (3).
struct Spectrum {
    A: Matrix,
    values: Vec<Complex>,
}

impl Spectrum {
    /// Entries that are rounding beside the largest are zero, with 1/`rate` as the unit of time.
    fn of(M: &Matrix, C: &Matrix, K: &Matrix, G: &Matrix, N: &Matrix, rate: f64) -> Option<Spectrum> {
        let (g, p) = (G.rows(), N.rows());
        let (mass, damping, stiffness) = (M.between(N, N), C.between(N, N), K.between(N, G));
        let right = Matrix::from_fn(p, g + p, |i, j| if j < g { -stiffness[i][j] } else { -damping[i][j - g] });
        let lower = solve_many(mass, right).ok()?;
        let unit = |i: usize, j: usize| match (i < g, j < g) {
            (true, _) => 1.0,
            (false, true) => rate * rate,
            (false, false) => rate,
        };
        let mut A = Matrix::from_fn(g + p, g + p, |i, j| match (i < g, j < g) {
            (true, true) => 0.0,
            (true, false) => dot(&G[i], &N[j - g]),
            (false, _) => lower[i - g][j] / unit(i, j),
        });
        let size = A.largest();
        A.entries_mut().iter_mut().filter(|x| x.abs() < 1e-14 * size).for_each(|x| *x = 0.0);
        let A = Matrix::from_fn(g + p, g + p, |i, j| A[i][j] * unit(i, j));
        let values = eigen::values(&A)?;
        Some(Spectrum { A, values })
    }

    /// Real parts of eigenvalues that are not zero beside the largest.
    fn moving(&self, largest: f64) -> Vec<f64> {
        let is_zero = |value: &&Complex| MOVING.hides(value[0].hypot(value[1]), largest);
        self.values.iter().filter(|value| !is_zero(value)).map(|value| value[0]).collect()
    }
}

/// How fast forces of the size that they have hereabouts move masses by the size of their coordinates: √(F/(m q)), the
/// largest of all coordinates.
fn natural_rate(statics: &Statics, program: &Program, nearby: &Nearby, M: &Matrix) -> f64 {
    let of = |(k, s): (usize, &usize)| {
        let unknown = program.searched.iter().position(|one| one == s)?;
        let equation = program.names.iter().position(|name| *name == statics.names[*s])?;
        let equation = Some(equation).filter(|&place| !program.is_condition[place])?;
        let square = program.sizes[equation] / (program.scales[unknown] * M[k][k]);
        (square.is_finite() && square > 0.0).then(|| square.sqrt())
    };
    let rate = nearby.moving.iter().enumerate().filter_map(of).fold(0.0, f64::max);
    if rate > 0.0 { rate } else { 1.0 }
}

/// Directions along which the set goes on: coordinates that nothing depends on, the family, free turns.
fn neutral(statics: &Statics, nearby: &Nearby, program: &Program, point: &Point, N: &Matrix) -> Matrix {
    let width = nearby.moving.len();
    let unit = |s: usize| -> Vec<f64> { nearby.moving.iter().map(|&k| if k == s { 1.0 } else { 0.0 }).collect() };
    let mut list: Vec<Vec<f64>> = statics.free.iter().map(|&s| unit(s)).collect();
    list.extend(statics.turning.iter().filter(|one| !one.is_prescribed).map(|one| unit(one.coordinate)));
    for direction in &point.family {
        let place =
            |k: &usize| program.searched.iter().position(|s| s == k).map_or(0.0, |j| direction[j] * program.scales[j]);
        list.push(nearby.moving.iter().map(place).collect());
    }
    // within what the constraints allow
    let allowed = spanned(N);
    let within = |v: &Vec<f64>| Some(allowed.within(v)).filter(|part| !WITHIN.hides(length(part), length(v)));
    orthonormal(&Matrix::of_width(width, list.iter().filter_map(within)), SPAN)
}

/// What of N is across some directions.
fn complement(N: &Matrix, along: &Matrix) -> Matrix {
    let along = spanned(along);
    let left = N.iter().map(|v| along.left_of(v)).filter(|(_, size)| !ACROSS.hides(*size, 1.0));
    orthonormal(&Matrix::of_width(N.columns(), left.map(|one| one.0)), SPAN)
}

/// The span of orthonormal rows.
fn spanned(rows: &Matrix) -> Span {
    let mut span = Span::default();
    rows.iter().for_each(|row| span.take(row));
    span
}

/// K with the momenta of free turns held.
fn with_momenta_held(M: &Matrix, C: &Matrix, K: &Matrix, loose: &[usize], moving: &[usize]) -> Matrix {
    let places: Vec<usize> = loose.iter().filter_map(|s| moving.iter().position(|k| k == s)).collect();
    if places.is_empty() {
        return K.clone();
    }
    let right = Matrix::of_width(C.columns(), places.iter().map(|&i| &C[i]));
    let Ok(shift) = solve_many(M.part(&places, &places), right) else { return K.clone() };
    let taken = |i: usize, j: usize| places.iter().zip(shift.iter()).map(|(&o, s)| C[i][o] * s[j]).sum::<f64>();
    Matrix::from_fn(K.rows(), K.columns(), |i, j| K[i][j] - taken(i, j))
}
