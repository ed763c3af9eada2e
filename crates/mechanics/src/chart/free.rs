//! Which accelerations are free where rows are of second order, or the model chooses pseudo-accelerations?
//!
//! ```text
//! A u' = b, w = B u' + c          rows that are linear in the accelerations, and pseudo-accelerations w of the model     (1)
//! f(u') = 0                       one that is not: solved for what occurs in it linearly or squared                      (2)
//! ```
//!
//! Of two roots of (2) the one is taken that is nearer to what the model guesses of that acceleration.

use expr::{At, Expr, Substitution};
use proof::linear::{Columns, Matrix, SolveError, solve_for};

use super::{ChartError, SAME, flow};
use crate::rows::{Row, Rows};
use crate::system::System;

/// What leaves accelerations free.
pub(super) struct Free<'a> {
    pub system: &'a System,
    pub rows: &'a Rows,
    pub u: &'a [Expr],
    pub u_dot: &'a [Expr],
    pub rates: &'a [Expr],
    pub pseudo: &'a [(Expr, Expr)],
}

impl Free<'_> {
    /// The free accelerations w, u' in terms of them (4), and what of them are roots.
    pub fn accelerations(&self, pivots: &mut Vec<Expr>, at: &At) -> Result<Freed, ChartError> {
        let &Free { system, rows, u, u_dot, rates, pseudo } = self;
        let is_second = |row: &&Row| row.order == 2;
        let (curved, second): (Vec<&Row>, Vec<&Row>) =
            rows.list.iter().filter(is_second).partition(|row| row.is_curved());
        if second.is_empty() && curved.is_empty() && pseudo.is_empty() {
            return Ok((u_dot.to_vec(), u_dot.to_vec(), Vec::new()));
        }
        let flow = flow(system, rates, u, u_dot);
        let accelerations = rates.iter().map(|&rate| flow.rate(rate)).collect::<Result<Vec<_>, _>>()?;
        let both = |first: Vec<Expr>, then: &[Expr]| first.into_iter().zip(then.iter().copied()).collect::<Vec<_>>();
        let map: Substitution =
            both(system.q_dot(), rates).into_iter().chain(both(system.q_ddot(), &accelerations)).collect();
        let of_rows = second.iter().map(|row| row.acceleration(&accelerations));
        let equations: Vec<Expr> =
            of_rows.chain(pseudo.iter().map(|&(symbol, definition)| definition - symbol)).collect();
        let equations = map.apply(&equations)?;
        let (mut values, mut free) = self.by_linear(&second, &equations, pivots, at)?;
        let mut roots: Vec<(Expr, Expr)> = Vec::new();
        for row in curved {
            let on_others: Substitution = both(u_dot.to_vec(), &values).into_iter().filter(|(a, b)| a != b).collect();
            let f = on_others.apply_one(map.apply_one(row.f)?)?;
            let (k, root) = self.root(row, f, &free, pivots, at)?;
            let fixed = Substitution::from([(u_dot[k], root)]);
            values = fixed.apply(&values)?;
            for one in &mut roots {
                one.1 = fixed.apply_one(one.1)?;
            }
            roots.push((u_dot[k], root));
            free.retain(|&place| place != k);
        }
        let left = free.iter().map(|&k| u_dot[k]);
        Ok((pseudo.iter().map(|one| one.0).chain(left).collect(), values, roots))
    }

    /// u' by what is linear (1), and the places of those that are free.
    fn by_linear(
        &self,
        second: &[&Row],
        equations: &[Expr],
        pivots: &mut Vec<Expr>,
        at: &At,
    ) -> Result<(Vec<Expr>, Vec<usize>), ChartError> {
        let &Free { u_dot, pseudo, .. } = self;
        let mut values = u_dot.to_vec();
        if equations.is_empty() {
            return Ok((values, (0..u_dot.len()).collect()));
        }
        let names = || {
            let pseudo = pseudo.iter().map(|(symbol, _)| symbol.to_string());
            let names = second.iter().map(|row| row.name.clone()).chain(pseudo).map(|name| format!("`{name}`"));
            names.collect::<Vec<_>>().join(", ")
        };
        let (matrix, constants) = expr::linear_coefficients(equations, u_dot)
            .map_err(|_| ChartError::Singular { why: format!("{} cannot be solved for accelerations", names()) })?;
        let right: Vec<Expr> = constants.into_iter().map(|constant| -constant).collect();
        let solved = solve_for(&Matrix::from_rows(&matrix), &right, Columns::Any, at).map_err(|error| match error {
            SolveError::Inconsistent { row, .. } if row >= second.len() => {
                ChartError::Dependent { why: format!("the constraints fix `{}`", pseudo[row - second.len()].0) }
            }
            error => ChartError::Singular { why: format!("{}: {error}", names()) },
        })?;
        pivots.push(solved.determinant);
        let lines = solved.dependent.iter().zip(&solved.coefficients).zip(&solved.constants);
        for ((&d, coefficients), &constant) in lines {
            let terms = coefficients.iter().zip(&solved.independent).map(|(&b, &k)| b * u_dot[k]);
            values[d] = terms.chain([constant]).sum();
        }
        Ok((values, solved.independent))
    }

    /// The free acceleration that a row gives which is not linear in it: the root nearest to the guess of the model.
    fn root(
        &self,
        row: &Row,
        f: Expr,
        free: &[usize],
        pivots: &mut Vec<Expr>,
        at: &At,
    ) -> Result<(usize, Expr), ChartError> {
        let guess = |k: &usize| self.system.guessed_acceleration(self.u_dot[*k]);
        let guessed: Vec<(Expr, f64)> =
            free.iter().map(|k| (self.u_dot[*k], guess(k).map_or(0.0, |guess| at.value(guess)))).collect();
        let there = at.with(&guessed);
        let mut order = free.to_vec();
        order.sort_by_key(|k| (guess(k).is_none(), std::cmp::Reverse(*k)));
        let mut missing = None;
        for k in order {
            let w = self.u_dot[k];
            let Some(branches) = branches(f, w)? else { continue };
            let pivot = there.value(branches.pivot);
            if !pivot.is_finite() || pivot.abs() <= SAME {
                continue;
            }
            let root = match (branches.roots.len() == 1, guess(&k)) {
                (true, _) => branches.roots[0],
                (false, None) => {
                    missing.get_or_insert(w);
                    continue;
                }
                (false, Some(_)) => {
                    let far = |root: Expr| (there.value(root) - there.value(w)).abs();
                    let nearer = usize::from(far(branches.roots[1]) < far(branches.roots[0]));
                    branches.roots[nearer]
                }
            };
            pivots.push(branches.pivot);
            return Ok((k, root));
        }
        let name = row.name.clone();
        Err(match missing {
            Some(w) => ChartError::NoGuess { row: name, acceleration: w.to_string() },
            None => ChartError::Singular {
                why: format!(
                    "`{name}` cannot be solved for an acceleration, not linear nor quadratic in one at the guess"
                ),
            },
        })
    }
}

/// Free accelerations, all u' in terms of them, and roots among these.
pub(super) type Freed = (Vec<Expr>, Vec<Expr>, Vec<(Expr, Expr)>);

/// The roots of an equation, and what must not vanish for them.
struct Branches {
    roots: Vec<Expr>,
    pivot: Expr,
}

/// f = 0 solved for what occurs in it linearly or squared.
fn branches(f: Expr, w: Expr) -> Result<Option<Branches>, ChartError> {
    let first = expr::derivative(f, w)?;
    let second = expr::derivative(first, w)?;
    if first.is_zero() || second.symbols().contains(&w) {
        return Ok(None);
    }
    let zero = Substitution::from([(w, Expr::zero())]);
    let (Ok(b), Ok(c)) = (zero.apply_one(first), zero.apply_one(f)) else { return Ok(None) };
    if second.is_zero() {
        return Ok(Some(Branches { roots: vec![-(c.try_div(b)?)], pivot: b }));
    }
    let a = second / expr::integer(2);
    let middle = -(b.try_div(second)?);
    let Ok(spread) = (middle.pow(2) - c.try_div(a)?).try_pow(&expr::Rational::new(1, 2).unwrap_or(expr::Rational::ONE))
    else {
        return Ok(None);
    };
    Ok(Some(Branches { roots: vec![middle + spread, middle - spread], pivot: spread }))
}
