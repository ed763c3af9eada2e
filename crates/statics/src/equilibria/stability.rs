//! Is it stable, and why?
//!
//! ```text
//! R = E − Q − Aᵀλ          M = R_q'',  C = R_q',  K = R_q at rest, λ held                                        (1)
//! δq = G y, δq' = N u      what the geometric rows, and all rows, leave free                                     (2)
//! M_N u' + C_N u + Nᵀ K G y = 0,   y' = Gᵀ N u                                                                   (3)
//! ```
//!
//! | what is found | what follows |
//! | --- | --- |
//! | an eigenvalue of (3) with positive real part | unstable |
//! | forces with a potential, holonomic, K positive definite across the family | stable by energy (Lagrange, Dirichlet) |
//! | the same, and every eigenvalue with negative real part | asymptotically stable: dissipation is complete |
//! | every eigenvalue with negative real part | asymptotically stable in the first approximation |
//! | K = 0 along one direction: the first term of the force along it (flat.rs) | stable by energy, or unstable |
//! | one freedom, K infinite, or a kink: which way the force points on both sides (sides.rs) | stable by energy, or unstable |
//! | anything else | undecided in the first approximation |
//!
//! With coordinates that turn freely, their momenta are held: K + C_qψ M_ψψ⁻¹ C_ψq takes the place of K (Routh).
//! Signs of K are proved: exactly on a branch (inertia.rs), by intervals elsewhere (enclosed.rs); those of the eigenvalues'
//! real parts by intervals where there are no rows. Where neither is possible,
//! floats are compared with the largest: what is smaller than 10⁻⁹ of it counts as zero, and the
//! reason says that floats decided.

use linear::eigen::{self, Complex};
use linear::jacobi::{against, symmetric};
use linear::solve::solve_many;
use linear::span::{Span, orthonormal};
use linear::tolerance::{RANK, SPAN};
use linear::vector::{add, dot, largest, length};
use linear::{Matrix, Scale, Tolerance, null_space};
use serde::Serialize;

use super::certificate::{Certificate, certificate};
use super::flat::Leading;
pub use super::nearby::Nearby;
use super::program::Program;
use super::set::Point;
use super::sides::{by_sides, degenerate};
use super::statics::{Damping, Statics};
use expr::decimal;

/// What is smaller, relative to the largest, is zero.
const ZERO: f64 = 1e-9;
/// What a direction of the set has within the constraints, relative to its length, if it leads on within them.
const WITHIN: Tolerance = Tolerance::new(1e-6);
/// What a direction that the constraints allow has across the set, relative to its length.
const ACROSS: Tolerance = Tolerance::new(1e-7);
/// An eigenvalue, relative to the largest and to the natural rate: a zero that is defective splits by the root of rounding.
const MOVING: Tolerance = Tolerance::new(1e-7);
/// Signs that nothing proves.
pub const FLOAT: &str = "float";

/// The verdict on one equilibrium.
#[derive(Clone, Debug, Serialize)]
pub struct Stability {
    /// `asymptotically stable`, `stable`, `unstable`, `neutral` or `undecided`.
    pub verdict: &'static str,
    /// Why.
    pub reason: String,
    /// The eigenvalues of the linear equations.
    pub eigenvalues: Vec<Complex>,
    /// How the signs were found: `exact`, `interval` or `float`.
    pub signs: &'static str,
    /// How the energy changes along the principal directions across the family: eigenvalues of K against M.
    pub stiffness: Vec<f64>,
    /// Constants of the first approximation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
}

impl Stability {
    /// A verdict without a first approximation.
    pub fn told(verdict: &'static str, reason: String) -> Stability {
        Stability { verdict, reason, eigenvalues: Vec::new(), signs: FLOAT, stiffness: Vec::new(), certificate: None }
    }
}

/// The verdict on a point; where floats decided, the reason says so.
pub fn stability(statics: &Statics, program: &Program, nearby: &Nearby, point: &Point) -> Stability {
    let mut found = judged(statics, program, nearby, point);
    if found.signs == FLOAT && found.verdict != "undecided" && !found.eigenvalues.is_empty() {
        found.reason.push_str(", by floating point numbers");
    }
    found
}

fn judged(statics: &Statics, program: &Program, nearby: &Nearby, point: &Point) -> Stability {
    let told = Stability::told;
    let undecided = |why: &str| told("undecided", why.to_owned());
    if statics.timed.is_some() {
        return undecided("time stands in the equations: there is no linear system with constant coefficients");
    }
    let (M, C, K, A) = nearby.matrices(program, &point.z);
    let width = nearby.moving.len();
    let geometric = A.iter().zip(&statics.rows.list).filter(|(_, row)| row.order == 0).map(|(row, _)| row);
    let free = |rows: Matrix| null_space(rows, Scale::Rows, RANK);
    let (Ok(G), Ok(N)) = (free(Matrix::of_width(width, geometric)), free(A)) else {
        return undecided("the slope of a constraint has no value there: there is no first approximation");
    };
    if N.is_empty() {
        return told("stable", "the constraints leave no freedom to move".to_owned());
    }
    if let Some(part) = &statics.sticks {
        return undecided(&format!(
            "`{part}` jumps with the rates where all is at rest: there is no first approximation"
        ));
    }
    if let Some(part) = &point.kink {
        let why = format!("a force has a kink here, where `{part}` switches");
        let alone = (!statics.is_nonholonomic() && statics.is_potential)
            .then(|| by_sides(statics, program, nearby, point, &N, &why));
        return alone.flatten().unwrap_or_else(|| undecided(&format!("{why}: there is no first approximation")));
    }
    if point.is_rough || !K.is_finite() {
        return by_sides(statics, program, nearby, point, &N, "the force has an infinite slope")
            .unwrap_or_else(|| undecided("a force has an infinite slope there: there is no first approximation"));
    }
    let rate = natural_rate(statics, program, nearby, &M);
    let Some(spectrum) = Spectrum::of(&M, &C, &K, &G, &N, rate) else {
        return undecided("the mass matrix is singular: some motion that the constraints allow moves no mass");
    };
    let largest = spectrum.values.iter().map(|value| value[0].hypot(value[1])).fold(0.0, f64::max);
    // what the set itself leaves free: coordinates that nothing depends on, the family, free turns
    let along = neutral(statics, nearby, program, point, &N);
    let across = complement(&N, &along);
    let loose: Vec<usize> = statics.turning.iter().filter(|one| !one.is_prescribed).map(|one| one.coordinate).collect();
    let K_held = with_momenta_held(&M, &C, &K, &loose, &nearby.moving);
    let stiffness = match against(&K_held.between(&across, &across), &M.between(&across, &across)) {
        Ok(found) => found.values.into_iter().zip(found.vectors.to_rows()).collect::<Vec<_>>(),
        Err(_) => {
            return undecided("the mass matrix is singular: some motion that the constraints allow moves no mass");
        }
    };
    let inertia = point.inertia.filter(|one| one.up + one.flat + one.down == N.rows());
    let (inertia, signs) = match inertia.or_else(|| nearby.inertia(statics, program, point, &M)) {
        Some(found) if inertia.is_some() => (Some(found), "exact"),
        Some(found) => (Some(found), "interval"),
        None => (None, FLOAT),
    };
    let mut verdict = Stability {
        verdict: "undecided",
        reason: String::new(),
        eigenvalues: spectrum.values.clone(),
        signs,
        stiffness: stiffness.iter().map(|one| one.0).collect(),
        certificate: None,
    };
    let square = largest * largest;
    let scale = stiffness.iter().map(|one| one.0.abs()).fold(square, f64::max).max(f64::MIN_POSITIVE);
    // at a multiple solution that is known to half its digits the smallest stiffnesses are zero
    let noise = match (inertia, point.degenerate.len()) {
        (None, flat) if flat > 0 => {
            let mut sizes: Vec<f64> = stiffness.iter().map(|one| one.0.abs()).collect();
            sizes.sort_by(f64::total_cmp);
            2.0 * sizes.get(flat.min(sizes.len()).wrapping_sub(1)).copied().unwrap_or(0.0)
        }
        _ => 0.0,
    };
    let small = (ZERO * scale).max(noise);
    let negative: Vec<&(f64, Vec<f64>)> = stiffness.iter().filter(|one| one.0 < -small).collect();
    let is_definite = match inertia {
        Some(one) => one.down == 0 && one.flat <= along.rows(),
        None => stiffness.iter().all(|one| one.0 > small),
    };
    // then nothing grows but along directions without stiffness
    let is_nowhere_down = is_definite || inertia.is_some_and(|one| one.down == 0);
    // an odd number of ways down is one too many whatever the frame does: det(λ² M + λ C + K) < 0 at λ = 0
    let falls = inertia.is_some_and(|one| {
        let is_held = statics.turning.is_empty() || across.rows() == 1 || (one.flat == 0 && one.down % 2 == 1);
        one.down > 0 && is_held && statics.damping != Damping::Other
    });
    let is_conservative = statics.is_potential && statics.damping == Damping::None;
    let is_holonomic = !statics.is_nonholonomic();
    let can_use_energy =
        is_holonomic && statics.is_potential && statics.damping != Damping::Other && dissipates(&C, &N, statics);
    let worst = spectrum.values.iter().map(|value| value[0]).fold(f64::NEG_INFINITY, f64::max);
    let direction = |weights: &[f64]| described(statics, nearby, &across, weights);
    let by_eigenvalues = |agrees: &dyn Fn(usize) -> bool| match nearby.growing(statics, program, point) {
        Some(growing) if agrees(growing) => "interval",
        _ => FLOAT,
    };
    let down = inertia.map_or(negative.len(), |one| one.down);
    let grows = worst > (1e-7 * largest).max(noise.sqrt()) && largest > 0.0;
    if falls || (grows && !(is_nowhere_down && can_use_energy)) {
        verdict.verdict = "unstable";
        if !falls {
            verdict.signs = by_eigenvalues(&|growing| growing > 0);
        }
        // gyroscopic forces may hold what the energy does not: there the eigenvalues decide
        let by_energy = statics.is_potential && is_holonomic && (falls || statics.turning.is_empty());
        verdict.reason = match (by_energy, stiffness.first()) {
            (true, Some(one)) if down > 0 => format!(
                "the {} decreases along {}{}{}",
                energy_name(statics),
                direction(&one.1),
                match stiffness.len() {
                    1 => String::new(),
                    all => format!(" ({down} of {all} principal directions lead down)"),
                },
                if worst > 0.0 { format!(", and an eigenvalue is {}", decimal(worst)) } else { String::new() }
            ),
            _ => match worst_of(&spectrum.values) {
                [re, im] if im.abs() > 1e-9 * largest => {
                    format!("the eigenvalues {} ± {} i have a positive real part", decimal(re), decimal(im.abs()))
                }
                [re, _] => format!("the eigenvalue {} is positive", decimal(re)),
            },
        };
        return verdict;
    }
    let inner: Vec<f64> = spectrum.moving(largest.max(rate));
    let decays = !spectrum.values.is_empty() && inner.iter().all(|re| *re < -1e-9 * largest);
    let has_neutral = !along.is_empty();
    let is_family = !point.family.is_empty() || !loose.is_empty();
    let no_zero = inner.len() == spectrum.values.len();
    let excused = if has_neutral && !is_family { excuse(statics) } else { String::new() };
    if decays && no_zero {
        verdict.verdict = "asymptotically stable";
        verdict.reason = match statics.is_potential && is_holonomic && is_definite {
            true => format!("a strict minimum of the {}, and the damping is complete", energy_name(statics)),
            false => format!("every eigenvalue has a negative real part, the largest {}", decimal(worst)),
        };
        verdict.signs = by_eigenvalues(&|growing| growing == 0);
        verdict.certificate = certificate(&spectrum.A, largest);
        return verdict;
    }
    if can_use_energy && is_definite && (!across.is_empty() || has_neutral) {
        let minimum = match (across.is_empty(), &loose[..]) {
            (true, _) => format!("the {} is the same all along the set", energy_name(statics)),
            (false, []) => format!("a strict minimum of the {} (Lagrange and Dirichlet)", energy_name(statics)),
            _ => "a strict minimum of the energy with the momenta of free turns held (Routh)".to_owned(),
        };
        let across_only = (is_family || across.is_empty()) && loose.is_empty();
        verdict.verdict = if across_only { "neutral" } else { "stable" };
        verdict.reason = match (across_only, across.is_empty()) {
            (true, true) => minimum,
            (true, false) => format!("{minimum} across the family; along it every place is an equilibrium"),
            (false, _) => format!("{minimum}{excused}"),
        };
        return verdict;
    }
    if let Some(leading) = point.leading.as_ref().filter(|_| can_use_energy && !is_family) {
        // one freedom has no gyroscopic forces; elsewhere damping that is complete leaves no other rest to go to
        let is_plain = statics.turning.is_empty() && !statics.is_carried;
        let is_damped = damps(&C, &N);
        let can_fall = N.rows() == 1 || (is_plain && (is_conservative || is_damped));
        if let Some((word, reason)) = by_leading(statics, leading, can_fall) {
            verdict.verdict = word;
            verdict.reason = format!("{reason}{excused}");
            return verdict;
        }
    }
    let is_flat = inertia.is_none_or(|one| one.flat > along.rows());
    if let Some(found) =
        degenerate(statics, program, nearby, point, &N, &across, is_conservative && is_holonomic && is_flat)
    {
        return Stability { eigenvalues: verdict.eigenvalues, signs, stiffness: verdict.stiffness, ..found };
    }
    if is_family && decays && inner.len() + point.family.len() >= spectrum.values.len() {
        verdict.verdict = "neutral";
        verdict.reason =
            "across the family every eigenvalue has a negative real part; along it every place is an equilibrium"
                .to_owned();
        return verdict;
    }
    if let Some(one) = inertia.filter(|one| one.flat > along.rows()) {
        verdict.reason = format!(
            "the stiffness vanishes along {} of {} principal directions: the first approximation decides nothing",
            one.flat - along.rows(),
            across.rows()
        );
        return verdict;
    }
    verdict.reason = match spectrum.values.len() - inner.len() {
        0 => {
            "eigenvalues lie on the imaginary axis, and this program has no energy argument for such a case".to_owned()
        }
        zero => format!(
            "the first approximation has {zero} zero eigenvalues, and this program has no energy argument for such a case"
        ),
    };
    verdict
}

/// The verdict where the first term of the force along the one direction without stiffness is known; the others lead up.
/// Nothing if it does not decide.
fn by_leading(statics: &Statics, leading: &Leading, can_fall: bool) -> Option<(&'static str, String)> {
    let energy = energy_name(statics);
    let way = in_words(statics, leading.direction.iter().copied().enumerate());
    let term = format!("the stiffness vanishes along {way}, and the first derivative of the {energy} that does not is");
    let order = leading.power + 1;
    match leading.leads_back() {
        (true, true) => Some(("stable", format!("{term} of order {order} and positive: a strict minimum"))),
        _ if !can_fall => None,
        (false, false) => Some(("unstable", format!("{term} of order {order} and negative"))),
        _ => Some(("unstable", format!("{term} of order {order}, which is odd: on one side it decreases"))),
    }
}

/// The eigenvalue with the largest real part.
fn worst_of(values: &[Complex]) -> Complex {
    values.iter().copied().max_by(|a, b| a[0].total_cmp(&b[0])).unwrap_or([0.0, 0.0])
}

/// `potential energy`, or what takes its place where a frame turns.
pub fn energy_name(statics: &Statics) -> &'static str {
    match statics.is_carried {
        true => "effective potential energy",
        false => "potential energy",
    }
}

/// ` as to all but x`: what drifts is left out of the claim.
fn excuse(statics: &Statics) -> String {
    let names: Vec<&str> = statics.free.iter().map(|&s| statics.names[s].as_str()).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(", as to all but {}, which nothing holds", names.join(", ")),
    }
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

/// Whether damping takes energy out, in the first approximation: the symmetric part of C is not negative.
fn dissipates(C: &Matrix, N: &Matrix, statics: &Statics) -> bool {
    if statics.damping == Damping::None {
        return true;
    }
    symmetric(C.between(N, N)).is_ok_and(|found| {
        let most = largest(&found.values);
        found.values.iter().all(|x| *x >= -ZERO * most)
    })
}

/// Whether damping takes energy out of every motion, in the first approximation.
fn damps(C: &Matrix, N: &Matrix) -> bool {
    symmetric(C.between(N, N)).is_ok_and(|found| {
        let most = largest(&found.values);
        found.values.iter().all(|x| *x > ZERO * most)
    })
}

/// A direction in words: the coordinates that move.
fn described(statics: &Statics, nearby: &Nearby, across: &Matrix, weights: &[f64]) -> String {
    let mut v = vec![0.0; nearby.moving.len()];
    weights.iter().zip(across.iter()).for_each(|(w, e)| add(&mut v, *w, e));
    in_words(statics, nearby.moving.iter().copied().zip(v))
}

/// A direction in words, by coordinates.
fn in_words(statics: &Statics, parts: impl Iterator<Item = (usize, f64)>) -> String {
    let parts: Vec<(usize, f64)> = parts.collect();
    let largest = parts.iter().map(|one| one.1).max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(1.0);
    let parts: Vec<String> = parts
        .into_iter()
        .map(|(s, x)| (s, x / largest))
        .filter(|(_, x)| x.abs() > 1e-6)
        .map(|(s, x)| match (x - 1.0).abs() < 1e-9 {
            true => format!("δ{}", statics.names[s]),
            false => format!("{} δ{}", short(x), statics.names[s]),
        })
        .collect();
    match parts.len() {
        1 => parts[0].clone(),
        _ => format!("({})", parts.join(", ")),
    }
}

fn short(x: f64) -> String {
    decimal((x * 1e4).round() / 1e4)
}
