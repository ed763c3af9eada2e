//! Where do first-order states rest, and is a rest stable where they act?
//!
//! ```text
//! a'(q, 0, a, t) = 0                            solved for a, as its laws are linear in a                     (1)
//! M_N u' + C_N u + Nᵀ K G y + Nᵀ S a = 0        S = R_a, with K at constant a                                 (2)
//! y' = Gᵀ N u,   a' = L_q G y + L_q' N u + L_a a                                                              (3)
//! ```
//!
//! No energy argument holds beside states: they feed and take energy as their laws say. The eigenvalues of (2) and (3)
//! decide, or nothing does (Lyapunov's first method).

use expr::{At, Expr, Substitution, decimal};
use linear::Matrix;
use linear::eigen::Complex;
use linear::side::{Side, judged};
use linear::solve::solve_many;
use mechanics::System;
use proof::linear::{Columns, Matrix as Exprs, solve_for};

use super::approximation::Slopes;
use super::nearby::Nearby;
use super::program::Program;
use super::set::Point;
use super::stability::{Rest, Stability};
use super::statics::{Statics, math};
use super::{Trouble, bad};

/// Errors of the entries of (2) and (3). Scale: each entry.
const ERRORS: f64 = 1e-11;

/// First-order states near a rest.
#[derive(Clone, Debug, Default)]
pub struct Lawful {
    /// Their names.
    pub names: Vec<String>,
    /// Their symbols.
    pub symbols: Vec<Expr>,
    /// What they are at rest (1).
    pub at_rest: Substitution,
    /// Their laws.
    laws: Vec<Expr>,
    /// E − Q − Aᵀλ with states as symbols.
    pub motion: Vec<Expr>,
}

impl Lawful {
    /// The states of a system at rest, where `rest` are the rates and `put` puts inputs in.
    pub fn of(
        system: &System,
        rest: &Substitution,
        put: impl Fn(&[Expr]) -> Result<Vec<Expr>, Trouble>,
        at: &At,
    ) -> Result<Lawful, Trouble> {
        if system.states.is_empty() {
            return Ok(Lawful::default());
        }
        let laws = put(&system.states.iter().map(|state| state.rate).collect::<Vec<_>>())?;
        let symbols = system.state_symbols();
        let still = rest.apply(&laws).map_err(math)?;
        let names: Vec<String> = system.states.iter().map(|state| state.name.clone()).collect();
        let list = || names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let hint = "`linearize` with `steady` finds one such place near the start";
        let (matrix, rest) = expr::linear_coefficients(&still, &symbols)
            .map_err(|_| bad(&format!("at rest the laws of {} are not linear in the states", list()), hint))?;
        let right: Vec<Expr> = rest.into_iter().map(|rest| -rest).collect();
        let open = || bad(&format!("at rest the laws of {} do not fix the states", list()), hint);
        let found = solve_for(&Exprs::from_rows(&matrix), &right, Columns::Any, at).map_err(|_| open())?;
        if !found.independent.is_empty() {
            return Err(open());
        }
        let at_rest = symbols.iter().copied().zip(found.constants).collect();
        Ok(Lawful { names, symbols, at_rest, laws, motion: Vec::new() })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// Expressions with states as they are at rest.
    pub fn resting(&self, list: &[Expr]) -> Result<Vec<Expr>, Trouble> {
        if self.is_empty() { Ok(list.to_vec()) } else { self.at_rest.apply(list).map_err(math) }
    }
}

/// The verdict on a point beside states.
pub fn stability(statics: &Statics, program: &Program, nearby: &Nearby, point: &Point) -> Result<Stability, String> {
    if statics.is_timed() || !statics.turning.is_empty() {
        return Err("time or a steady turn stands in the equations beside first-order states".to_owned());
    }
    if let Some(part) = point.kink.as_ref().or(statics.sticks.as_ref()) {
        return Err(format!("`{part}` switches there: there is no first approximation"));
    }
    let slopes = Slopes::at(statics, program, nearby, point);
    let slopes = slopes.ok_or("the slope of a constraint has no value there: there is no first approximation")?;
    let A = matrix(statics, program, nearby, point, &slopes)
        .ok_or("the mass matrix is singular, or a slope has no value there")?;
    let errors = Matrix::from_fn(A.rows(), A.columns(), |i, j| ERRORS * A[i][j].abs());
    let values = judged(&A, &errors).ok_or("the eigenvalues cannot be computed")?;
    let eigenvalues: Vec<Complex> = values.iter().map(|one| one.value).collect();
    let worst = values.iter().max_by(|a, b| a.value[0].total_cmp(&b.value[0]));
    let worst = worst.map_or([0.0, 0.0], |one| one.value);
    let (verdict, reason) = match () {
        () if values.iter().any(|one| one.side == Side::Right) => (
            Rest::Unstable,
            match worst {
                [re, im] if im.abs() > 1e-9 * re.abs() => {
                    format!("the eigenvalues {} ± {} i have a positive real part", decimal(re), decimal(im.abs()))
                }
                [re, _] => format!("the eigenvalue {} is positive", decimal(re)),
            },
        ),
        () if values.iter().all(|one| one.side == Side::Left) => {
            let reason = format!("every eigenvalue has a negative real part, the largest {}", decimal(worst[0]));
            (Rest::AsymptoticallyStable, reason)
        }
        () => {
            let reason = "an eigenvalue lies on the imaginary axis, and beside first-order states no energy decides";
            (Rest::Undecided, reason.to_owned())
        }
    };
    Ok(Stability { eigenvalues, ..Stability::told(verdict, reason) })
}

/// The matrix of (2) and (3), for (y, u, a).
fn matrix(statics: &Statics, program: &Program, nearby: &Nearby, point: &Point, slopes: &Slopes) -> Option<Matrix> {
    let lawful = &statics.lawful;
    let at = nearby.at(statics, program, &point.z);
    let at = at.with(&lawful.at_rest.iter().map(|&(symbol, value)| (symbol, at.value(value))).collect::<Vec<_>>());
    let rate = |q: &Expr| expr::total_derivative(*q).ok();
    let q: Vec<Expr> = nearby.moving.iter().map(|&s| statics.q[s]).collect();
    let q_dot = q.iter().map(rate).collect::<Option<Vec<Expr>>>()?;
    let block = |list: &[Expr], by: &[Expr]| -> Option<Matrix> {
        let rows = list.iter().map(|&e| Some(at.values(&expr::gradient(e, by).ok()?)));
        let rows = rows.collect::<Option<Vec<Vec<f64>>>>()?;
        Some(Matrix::of_width(by.len(), &rows)).filter(Matrix::is_finite)
    };
    let motion: Vec<Expr> = nearby.moving.iter().map(|&s| lawful.motion[s]).collect();
    let Slopes { M, C, G, N, .. } = slopes;
    let (K, S) = (block(&motion, &q)?, block(&motion, &lawful.symbols)?);
    let (L_q, L_rate) = (block(&lawful.laws, &q)?, block(&lawful.laws, &q_dot)?);
    let L_a = block(&lawful.laws, &lawful.symbols)?;
    let (g, p, s) = (G.rows(), N.rows(), lawful.symbols.len());
    let (stiffness, damping) = (K.between(N, G), C.between(N, N));
    let dot = linear::vector::dot;
    let pushed = |i: usize, k: usize| (0..S.rows()).map(|row| N[i][row] * S[row][k]).sum::<f64>();
    let right = Matrix::from_fn(p, g + p + s, |i, j| match j {
        _ if j < g => -stiffness[i][j],
        _ if j < g + p => -damping[i][j - g],
        _ => -pushed(i, j - g - p),
    });
    let lower = solve_many(M.between(N, N), right).ok()?;
    Some(Matrix::from_fn(g + p + s, g + p + s, |i, j| match (i, j) {
        _ if i < g => {
            if j >= g && j < g + p {
                dot(&G[i], &N[j - g])
            } else {
                0.0
            }
        }
        _ if i < g + p => lower[i - g][j],
        _ if j < g => dot(&L_q[i - g - p], &G[j]),
        _ if j < g + p => dot(&L_rate[i - g - p], &N[j - g]),
        _ => L_a[i - g - p][j - g - p],
    }))
}
