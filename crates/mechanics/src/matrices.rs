//! What are the matrices of the equations of motion?
//!
//! ```text
//! M q'' + h = Q + Aᵀ λ,   A q'' = b                                                         (1)
//! h = C q' + g,   g = ∂V/∂q               where T is quadratic in the rates and free of time (2)
//! C_ρσ = Σ_α Γ_{ρ,σα} q'_α,   Γ_{ρ,αβ} = ½(∂_α M_ρβ + ∂_β M_ρα − ∂_ρ M_αβ)                  (3)
//! Γ^ρ_αβ = Σ_σ (M⁻¹)_ρσ Γ_{σ,αβ}                                                            (4)
//! ```
//!
//! Forces with a potential stand in g, and so in h; Q holds the others. With C of (3), M' − 2C is skew.

use expr::Expr;

use crate::balance::potential_energy;
use crate::form::FormError;
use crate::ingredients::{Ingredients, inverse_times};

/// The matrices (1) to (4); masses that vary stand in them as they are.
#[derive(Clone, Debug)]
pub struct Matrices {
    /// The mass matrix.
    pub M: Vec<Vec<Expr>>,
    /// What stands beside the accelerations on the left.
    pub h: Vec<Expr>,
    /// C (3), where T is quadratic in the rates and free of time.
    pub C: Option<Vec<Vec<Expr>>>,
    /// ∂V/∂q.
    pub g: Vec<Expr>,
    /// The rows of the constraints, one for each.
    pub A: Vec<Vec<Expr>>,
    /// What the rows require.
    pub b: Vec<Expr>,
    /// Forces without a potential.
    pub Q: Vec<Expr>,
    /// Christoffel's symbols of the first kind (3) that are not zero: ρ, α ≤ β, value.
    pub christoffel: Vec<([usize; 3], Expr)>,
    /// M' − 2C + (M' − 2C)ᵀ with the masses held, entry by entry: all zero if M' − 2C is skew.
    pub symmetric: Vec<Expr>,
}

impl Matrices {
    /// The matrices of a system.
    pub fn of(given: &Ingredients<'_>) -> Result<Matrices, FormError> {
        given.need_linear_accelerations()?;
        let g = expr::gradient(potential_energy(given.system)?, &given.q)?;
        let (M, rest) = expr::linear_coefficients(given.E()?, &given.q_ddot)
            .map_err(|_| FormError::NotApplicable("the equations are not linear in the accelerations".to_owned()))?;
        let thawed = |list: &[Expr]| given.thawed(list);
        let symbols = symbols(given, &M)?;
        let C = symbols.as_ref().map(|symbols| contracted(given, symbols)).filter(|C| {
            let product = C.iter().map(|row| crate::ingredients::dot(row, &given.q_dot));
            product.zip(&rest).all(|(product, &rest)| (product - rest).is_zero())
        });
        let symmetric = C.as_ref().map(|C| symmetric(&M, C)).transpose()?.unwrap_or_default();
        let h = thawed(&rest)?.iter().zip(&g).map(|(&rest, &g)| rest + g).collect();
        let Q = thawed(given.Q()?)?.iter().zip(&g).map(|(&Q, &g)| Q + g).collect();
        let christoffel = if C.is_some() { symbols.unwrap_or_default() } else { Vec::new() };
        let values: Vec<Expr> = christoffel.iter().map(|entry| entry.1).collect();
        let places = christoffel.iter().map(|entry| entry.0);
        Ok(Matrices {
            M: M.iter().map(|row| thawed(row)).collect::<Result<_, _>>()?,
            h,
            C: C.map(|C| C.iter().map(|row| thawed(row)).collect::<Result<_, _>>()).transpose()?,
            g,
            A: given.rows.list.iter().map(|row| row.A.clone()).collect(),
            b: given.rows.list.iter().map(|row| -row.drift).collect(),
            Q,
            christoffel: places.zip(thawed(&values)?).collect(),
            symmetric,
        })
    }

    /// The inverse of M, where it has one.
    pub fn inverse(&self, given: &Ingredients<'_>) -> Option<Vec<Vec<Expr>>> {
        let n = self.M.len();
        let unit = |k: usize| (0..n).map(|s| if s == k { Expr::one() } else { Expr::zero() }).collect::<Vec<_>>();
        // M is symmetric, and so is its inverse: columns are rows
        inverse_times(&self.M, &(0..n).map(unit).collect::<Vec<_>>(), given.at).ok()
    }
}

/// The symmetric part of M' − 2C, doubled.
fn symmetric(M: &[Vec<Expr>], C: &[Vec<Expr>]) -> Result<Vec<Expr>, FormError> {
    let mut entries = Vec::new();
    for (s, row) in M.iter().enumerate() {
        for (k, &entry) in row.iter().enumerate().take(s + 1) {
            entries.push(2 * expr::total_derivative(entry)? - 2 * (C[s][k] + C[k][s]));
        }
    }
    Ok(entries)
}

type Symbols = Vec<([usize; 3], Expr)>;

/// Christoffel's symbols (3) that are not zero; nothing where T is not quadratic in the rates or depends on time.
fn symbols(given: &Ingredients<'_>, M: &[Vec<Expr>]) -> Result<Option<Symbols>, FormError> {
    let entries: Vec<Expr> = M.concat();
    let moves = |by: &[(Expr, Expr)]| expr::directional(&entries, by);
    let is_constant = |slopes: &[Expr]| slopes.iter().all(|slope| slope.is_zero());
    let rates: Vec<(Expr, Expr)> = given.q_dot.iter().map(|&rate| (rate, Expr::one())).collect();
    if !is_constant(&moves(&[(given.system.time, Expr::one())])?) || !is_constant(&moves(&rates)?) {
        return Ok(None);
    }
    let change = given.q.iter().map(|&q| moves(&[(q, Expr::one())])).collect::<Result<Vec<_>, _>>()?;
    let n = M.len();
    let d = |k: usize, a: usize, b: usize| change[k][a * n + b];
    let half = expr::rational(1, 2);
    let mut symbols = Vec::new();
    for r in 0..n {
        for a in 0..n {
            for b in a..n {
                let value = half * Expr::sum(&[d(a, r, b), d(b, r, a), -d(r, a, b)]);
                if !value.is_zero() {
                    symbols.push(([r, a, b], value));
                }
            }
        }
    }
    Ok(Some(symbols))
}

/// C (3).
fn contracted(given: &Ingredients<'_>, symbols: &Symbols) -> Vec<Vec<Expr>> {
    let n = given.q.len();
    let mut C = vec![vec![Expr::zero(); n]; n];
    for &([r, a, b], value) in symbols {
        C[r][a] += value * given.q_dot[b];
        if a != b {
            C[r][b] += value * given.q_dot[a];
        }
    }
    C
}
