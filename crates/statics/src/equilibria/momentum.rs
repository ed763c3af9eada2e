//! Does a conserved angular momentum hold what the energy does not?
//!
//! ```text
//! E = Σ q' ∂T/∂q' − T + V           J = Σ e·(r × m v) + e·I ω           p = ∂T/∂ψ'                                   (1)
//! F = E + c J + d p                 constant; d makes its slopes vanish at the place                                  (2)
//! F is positive definite for some c: what is near stays near                                                          (3)
//! ```
//!
//! That E and J are constant is proved: J' = ∂J/∂q q' + ∂J/∂q' q'', with q'' = M⁻¹ h, vanishes if the bordered determinant of
//! [M h; ∂J/∂q' −∂J/∂q q'] does. The least eigenvalue of the second derivatives of F is a concave function of c; the best c is
//! taken as an exact number, and the signs of the leading minors are proved. So a top that sleeps is stable where the motion
//! near it is not linear, either.

use algebra::Sign;
use expr::{Expr, Substitution};
use linear::Matrix;
use linear::jacobi::symmetric;
use mechanics::chart::ChartKind;
use mechanics::ingredients::Ingredients;
use mechanics::{LoadKind, Vector, balance};
use proof::Assumptions;
use syntax::Axis;

use super::inertia::leading_minors;
use super::oscillations::constant;
use super::statics::{Damping, Statics};
use engine::Loaded;

/// Longer equations, in operations, are not looked at.
const MOST_OPERATIONS: usize = 1500;
/// More freedoms are not.
const MOST_FREEDOMS: usize = 4;

/// What stays as it is, in letters, for any motion.
pub struct Constants {
    energy: Expr,
    /// The momentum of a coordinate that turns freely, or that nothing depends on.
    own: Option<(usize, Expr)>,
    /// Angular momenta about axes through the origin that are constant.
    angular: Vec<(Axis, Expr)>,
}

impl Constants {
    /// Those of a conservative system without rows; nothing if the energy or no angular momentum is proved to be constant.
    pub fn new(loaded: &Loaded, statics: &Statics) -> Option<Constants> {
        let system = &loaded.system;
        let is_plain = statics.is_potential && statics.damping == Damping::None && !statics.is_timed();
        let operations: usize = statics.motion.iter().map(|e| e.operations()).sum();
        let is_small = system.coordinates.len() <= MOST_FREEDOMS && operations <= MOST_OPERATIONS;
        let is_prescribed = statics.turning.iter().any(|one| one.is_prescribed);
        if !is_plain || !is_small || is_prescribed || !statics.rows.list.is_empty() || !statics.lawful.is_empty() {
            return None;
        }
        let q_dot = system.q_dot();
        let given = Ingredients::of(system, &statics.mode, &statics.rows, ChartKind::Rates, &loaded.at);
        let T = given.T().ok()?;
        let slopes = expr::gradient(T, &q_dot).ok()?;
        let twice: Expr = q_dot.iter().zip(&slopes).map(|(&rate, &slope)| rate * slope).sum();
        let energy = twice - T + balance::potential_energy(system).ok()?;
        let motion = Motion::of(loaded, statics)?;
        if !motion.keeps(energy) {
            return None;
        }
        let turn = statics.turning.iter().map(|one| one.coordinate).chain(statics.cyclic).next();
        // where others drift or turn, the second derivatives of F would have to be looked at everywhere
        if statics.searched.len() + usize::from(turn.is_some()) != q_dot.len() {
            return None;
        }
        let is_still = |J: Expr| {
            let slope = turn.map_or(Ok(Expr::zero()), |s| expr::derivative(J, statics.q[s]));
            slope.is_ok_and(is_nothing)
        };
        // what `kinetic` lines add has no place: whether the rest is constant is seen all the same
        let mut bare = system.clone();
        bare.loads.retain(|load| !matches!(load.kind, LoadKind::Kinetic(_)));
        let J = balance::angular_momentum(&bare, Vector::zero()).ok()?;
        let parts = [Axis::Z, Axis::Y, Axis::X].map(|axis| (axis, J.component(axis)));
        let holds = |one: &(Axis, Expr)| is_still(one.1) && motion.keeps(one.1);
        let angular: Vec<(Axis, Expr)> = parts.into_iter().filter(holds).collect();
        (!angular.is_empty()).then(|| Constants { energy, own: turn.map(|s| (s, slopes[s])), angular })
    }

    /// The axis of an angular momentum that holds the place of a branch (3), with the values of the model.
    pub fn axis(&self, loaded: &Loaded, statics: &Statics, put: &dyn Fn(Expr) -> Option<Expr>) -> Option<Axis> {
        let system = &loaded.system;
        let (q, q_dot) = (system.q(), system.q_dot());
        let own = |s: usize| statics.turning.iter().find(|one| one.coordinate == s);
        let rest: Substitution = (0..q.len())
            .map(|s| (q_dot[s], own(s).map_or_else(Expr::zero, |one| one.rate)))
            .chain((0..q.len()).filter(|s| !statics.searched.contains(s)).map(|s| (q[s], Expr::zero())))
            .collect();
        let there = |e: &Expr| put(rest.apply_one(*e).ok()?);
        let x: Vec<Expr> = statics.searched.iter().map(|&s| q[s]).chain(q_dot.iter().copied()).collect();
        let place_of = |s: usize| statics.searched.len() + s;
        let of = |e: Expr| Form::of(e, &x, &there);
        let energy = of(self.energy)?;
        let own = match self.own {
            Some((s, p)) => Some((place_of(s), of(p)?)),
            None => None,
        };
        let is_held = |J: &Expr| -> Option<()> {
            let (fixed, along) = balanced(&energy, &of(*J)?, own.as_ref())?;
            let c = best(&fixed.numbers(loaded), &along.numbers(loaded))?;
            let held = fixed.plus(c, &along);
            let is_positive = |minor: Expr| algebra::sign(minor, &[]) == Sign::Positive;
            (held.is_level() && leading_minors(&held.curved).into_iter().all(is_positive)).then_some(())
        };
        self.angular.iter().find(|(_, J)| is_held(J).is_some()).map(|one| one.0)
    }
}

/// Whether an expression is proved to vanish; a signature is enough to say no.
fn is_nothing(e: Expr) -> bool {
    e.is_zero() && proof::decide(e, &Assumptions::none()).is_zero()
}

/// M and h of M q'' = h.
struct Motion {
    q: Vec<Expr>,
    q_dot: Vec<Expr>,
    M: Vec<Vec<Expr>>,
    h: Vec<Expr>,
}

impl Motion {
    fn of(loaded: &Loaded, statics: &Statics) -> Option<Motion> {
        let system = &loaded.system;
        let q_ddot = system.q_ddot();
        let still: Substitution = q_ddot.iter().map(|&symbol| (symbol, Expr::zero())).collect();
        let M = expr::jacobian(&statics.motion, &q_ddot).ok()?;
        let h = still.apply(&statics.motion).ok()?.into_iter().map(|e| -e).collect();
        Some(Motion { q: system.q(), q_dot: system.q_dot(), M, h })
    }

    /// Whether a function of places and rates is proved to be constant.
    fn keeps(&self, e: Expr) -> bool {
        let change = || {
            let (by_q, by_rate) = (expr::gradient(e, &self.q).ok()?, expr::gradient(e, &self.q_dot).ok()?);
            let drift: Expr = by_q.iter().zip(&self.q_dot).map(|(&slope, &rate)| slope * rate).sum();
            let upper = self.M.iter().zip(&self.h).map(|(row, &h)| [&row[..], &[h]].concat());
            let rows: Vec<Vec<Expr>> = upper.chain([[&by_rate[..], &[-drift]].concat()]).collect();
            Some(constant(&rows))
        };
        change().is_some_and(is_nothing)
    }
}

/// The slopes and the second derivatives of a function at a place.
struct Form {
    slopes: Vec<Expr>,
    curved: Vec<Vec<Expr>>,
}

impl Form {
    fn of(e: Expr, x: &[Expr], there: &dyn Fn(&Expr) -> Option<Expr>) -> Option<Form> {
        let slopes = expr::gradient(e, x).ok()?;
        let curved = slopes.iter().map(|slope| expr::gradient(*slope, x).ok()?.iter().map(there).collect());
        Some(Form { curved: curved.collect::<Option<_>>()?, slopes: slopes.iter().map(there).collect::<Option<_>>()? })
    }

    fn plus(&self, c: Expr, other: &Form) -> Form {
        let sum = |a: &[Expr], b: &[Expr]| -> Vec<Expr> { a.iter().zip(b).map(|(a, b)| *a + c * *b).collect() };
        let curved = self.curved.iter().zip(&other.curved).map(|(a, b)| sum(a, b)).collect();
        Form { slopes: sum(&self.slopes, &other.slopes), curved }
    }

    /// Whether all slopes vanish.
    fn is_level(&self) -> bool {
        self.slopes.iter().all(|&slope| algebra::sign(slope, &[]) == Sign::Zero)
    }

    fn numbers(&self, loaded: &Loaded) -> Matrix {
        let n = self.curved.len();
        Matrix::from_fn(n, n, |i, j| loaded.at.value(self.curved[i][j]))
    }
}

/// E and J, each with as much of the momentum p as makes its slope along the turn vanish.
fn balanced(energy: &Form, J: &Form, own: Option<&(usize, Form)>) -> Option<(Form, Form)> {
    let without = |form: &Form| match own {
        Some((place, p)) => {
            let part = form.slopes[*place].try_div(p.slopes[*place]).ok()?;
            Some(form.plus(-part, p))
        }
        None => Some(form.plus(Expr::zero(), form)),
    };
    Some((without(energy)?, without(J)?))
}

/// The c for which the least eigenvalue of a + c b is largest, if it is positive there: short, if that will do.
fn best(a: &Matrix, b: &Matrix) -> Option<Expr> {
    const ROUNDS: usize = 120;
    const FAR: f64 = 100.0;
    let (n, reach) = (a.rows(), FAR * a.largest() / b.largest());
    let least = |c: f64| {
        let values = symmetric(Matrix::from_fn(n, n, |i, j| a[i][j] + c * b[i][j])).map(|found| found.values);
        values.ok().and_then(|values| values.into_iter().reduce(f64::min)).unwrap_or(f64::NEG_INFINITY)
    };
    if !reach.is_finite() {
        return None;
    }
    let (mut low, mut high) = (-reach, reach);
    for _ in 0..ROUNDS {
        let third = (high - low) / 3.0;
        if least(low + third) < least(high - third) { low += third } else { high -= third }
    }
    let c = 0.5 * (low + high);
    let short = (1..17).map(|digits| format!("{c:.digits$e}").parse::<f64>().unwrap_or(c)).find(|&c| least(c) > 0.0)?;
    let size = expr::parse(&format!("{:e}", short.abs())).ok()?;
    Some(if short < 0.0 { -size } else { size })
}
