//! Where do angles not describe every turn of a body, so that their equations say less than balance?
//!
//! ```text
//! W = ∂ω/∂q'           has a lower rank at the place than nearby: about some axis no angle turns the body     (1)
//! τ = F·v/|W v|        nearby, for the v that W makes shortest; the couple about that axis                    (2)
//! ```
//!
//! F vanishes at the place whatever τ is. If τ does not vanish towards it, the couple is not balanced, and the place is
//! no equilibrium of the body.

use expr::Expr;
use linear::Matrix;
use linear::jacobi::symmetric;
use linear::vector::{dot, length};
use mechanics::Target;
use mechanics::chart::ChartKind;
use mechanics::ingredients::Ingredients;

use super::answer::rest_at;
use super::program::Program;
use super::search::somewhere;
use super::statics::Statics;
use engine::Loaded;

/// A singular value of W below this is zero.
const ZERO: f64 = 1e-7;
/// Nearby it is at least this, by unit of the distance.
const LEAST: f64 = 1e-3;
/// How far away (2) is looked at, and how much closer then.
const AWAY: [f64; 2] = [1e-3, 1e-5];
/// A couple that is smaller, against the natural size of the forces, is none.
const NOTHING: f64 = 1e-9;
/// In so many directions.
const DIRECTIONS: usize = 4;

/// How bodies turn.
pub struct Angles {
    /// The names of the bodies, each with its W.
    bodies: Vec<(String, Vec<Vec<Expr>>)>,
}

impl Angles {
    /// Of the bodies that turn about more than one axis.
    pub fn new(loaded: &Loaded, statics: &Statics) -> Angles {
        let system = &loaded.system;
        let given = Ingredients::of(system, &statics.mode, &statics.rows, ChartKind::Rates, &loaded.at);
        let Ok(kinematics) = given.free() else { return Angles { bodies: Vec::new() } };
        let of = |element: &mechanics::kinematics::Element| {
            let Target::Body(place) = element.target else { return None };
            let omega = element.spin.as_ref()?.omega.components;
            let W = omega.0.iter().map(|&part| expr::gradient(part, &given.q_dot).ok()).collect::<Option<Vec<_>>>()?;
            let turns = |s: &usize| W.iter().any(|row| row[*s] != Expr::zero());
            let is_spatial = (0..given.q.len()).filter(turns).count() > 1;
            is_spatial.then(|| (system.bodies[place].name.clone(), W))
        };
        Angles { bodies: kinematics.elements.iter().filter_map(of).collect() }
    }

    /// The body whose angles are singular at z although a couple acts on it.
    pub fn unbalanced(&self, loaded: &Loaded, statics: &Statics, program: &Program, z: &[f64]) -> Option<&str> {
        let found = self.bodies.iter().find(|(_, W)| is_unbalanced(loaded, statics, program, z, W));
        found.map(|one| one.0.as_str())
    }
}

fn is_unbalanced(loaded: &Loaded, statics: &Statics, program: &Program, z: &[f64], W: &[Vec<Expr>]) -> bool {
    let there = |away: f64, direction: usize| {
        let mut q = program.elsewhere.clone();
        program.searched.iter().zip(z).for_each(|(&s, &x)| q[s] = x);
        let n = q.len();
        q.iter_mut().enumerate().for_each(|(s, x)| *x += away * (2.0 * somewhere((direction * n + s) as u64) - 1.0));
        let multipliers = statics.rows.list.iter().map(|row| row.lambda).zip(z[program.searched.len()..].iter());
        let numbers: Vec<(Expr, f64)> = multipliers.map(|(symbol, &x)| (symbol, x)).collect();
        let at = rest_at(loaded, statics, &q, &numbers);
        let of_rows = |s: usize| {
            let rows = statics.rows.list.iter().zip(&statics.slopes);
            rows.map(|(row, a)| at.value(a[s]) * at.value(row.lambda)).sum::<f64>()
        };
        let F: Vec<f64> = (0..n).map(|s| at.value(statics.force[s]) + of_rows(s)).collect();
        (Matrix::of_width(n, at.matrix(W)), F)
    };
    let (here, _) = there(0.0, 0);
    let (nearby, _) = there(0.1, 0);
    if stretches(&here).iter().filter(|one| one.0 > ZERO).count()
        == stretches(&nearby).iter().filter(|one| one.0 > ZERO).count()
    {
        return false;
    }
    let couple = |away: f64| {
        let of = |direction: usize| {
            let (W, F) = there(away, direction);
            let shortest = stretches(&W).into_iter().filter(|one| one.0 > LEAST * away);
            let shortest = shortest.min_by(|a, b| a.0.total_cmp(&b.0));
            shortest.map_or(0.0, |(stretch, v)| (dot(&F, &v) / stretch).abs())
        };
        (0..DIRECTIONS).map(of).fold(0.0, f64::max)
    };
    let [far, close] = AWAY.map(couple);
    // a couple that is rounding beside what the forces do elsewhere does not fall either
    let forces = program.sizes.iter().zip(&program.is_condition).filter(|one| !one.1).map(|one| *one.0);
    close > 0.3 * far && close > NOTHING * forces.fold(0.0, f64::max)
}

/// How much W stretches each of its principal directions, and these.
fn stretches(W: &Matrix) -> Vec<(f64, Vec<f64>)> {
    let Ok(found) = symmetric(W.transposed().gram()) else { return Vec::new() };
    found.vectors.iter().map(|v| (length(&W.times_vector(v)), v.to_vec())).collect()
}
