//! The Udwadia–Kalaba equation: the accelerations by a generalized inverse, with redundant rows if there are any.
//!
//! ```text
//! q'' = a + M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁺ (b − A a)              a = M⁻¹(Q − h),  A q'' = b               (1)
//! A = F Â:  (A M⁻¹ Aᵀ)⁺ = F⁺ᵀ (Â M⁻¹ Âᵀ)⁻¹ F⁺         Â the independent rows                   (2)
//! F = A Âᵀ (Â Âᵀ)⁻¹                                   F⁺ = (FᵀF)⁻¹ Fᵀ                          (3)
//! ```
//!
//! The accelerations of the free system are corrected by what is missing in the rows. All rows enter, those
//! that follow from others too: (2) is Moore and Penrose's inverse by a factorisation of full rank.
//!
//! Class: constraints of every class that are linear in the accelerations once differentiated, redundant and time-dependent
//! ones and variable mass included.
//!
//! History: F. E. Udwadia and R. E. Kalaba published it in 1992. It is the solution of Gauss's least squares,
//! written with the inverse that E. H. Moore and R. Penrose found.
//!
//! Source: F. E. Udwadia and R. E. Kalaba, Proc. R. Soc. Lond. A 439 (1992) 407–410; Zegzhda et al. 2015.

use expr::{At, Expr};
use proof::linear::SolveError;

use crate::form::{Form, FormError};
use crate::ingredients::{Ingredients, dot, inverse_times};
use crate::rows::Row;
use crate::steps::{Step, Steps, Terms};

/// The accelerations (1).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_linear_accelerations()?;
    let (metric, rows) = (given.metric()?, &given.rows.list);
    let no = |what: &'static str| move |error: SolveError| FormError::NotApplicable(format!("{what}: {error}"));
    let force = given.Q()?.iter().zip(&metric.h).map(|(&Q, &h)| Q - h).collect();
    let mut columns = vec![force];
    columns.extend(rows.iter().map(|row| row.A.clone()));
    let mut over_mass =
        inverse_times(&metric.mass, &columns, given.at).map_err(no("the mass matrix has no inverse"))?;
    let pulls = over_mass.split_off(1);
    let free = over_mass.remove(0);
    show.matrix("The mass matrix", "M", "M = ∂²T/∂q'∂q'", &metric.mass);
    show.each("Accelerations without constraints", "a[#]", "a = M⁻¹ (Q − h)", &given.q, &free);
    let b = required(rows, &given.rows.left_out, given.at).map_err(no("the rows have no generalized inverse"))?;
    show.add(|| Ok(Step::matrix("The rows", "A", "A q'' = b", rows.iter().map(|row| row.A.clone()).collect())))?;
    show.add(|| Ok(Step::values("What they require", "b", "", names(rows, "b").zip(b.iter().copied()))))?;
    let missing: Vec<Expr> = rows.iter().zip(b).map(|(row, b)| b - dot(&row.A, &free)).collect();
    let N: Vec<Vec<Expr>> = rows.iter().map(|row| pulls.iter().map(|pull| dot(&row.A, pull)).collect()).collect();
    let lambda = match rows.is_empty() {
        true => Vec::new(),
        false => inverse_times(&N, std::slice::from_ref(&missing), given.at)
            .map_err(no("A M⁻¹ Aᵀ has no inverse"))?
            .remove(0),
    };
    show.add(|| Ok(Step::matrix("What is inverted", "A M⁻¹ Aᵀ", "(2)", N)))?;
    show.add(|| Ok(Step::values("What is missing in the rows", "e", "e = b − A a", names(rows, "e").zip(missing))))?;
    let added = |s: usize| pulls.iter().zip(&lambda).map(move |(pull, &lambda)| pull[s] * lambda);
    let right: Vec<Expr> = (0..free.len()).map(|s| [free[s]].into_iter().chain(added(s)).sum()).collect();
    let corrections: Vec<Expr> = (0..free.len()).map(|s| added(s).sum()).collect();
    let terms: [Terms<'_>; 2] = [("a[#]", &free), ("+ M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁺ e[#]", &corrections)];
    show.balance("(1)", &given.q, &[("#''", &given.q_ddot)], &terms);
    let form = Form::in_coordinates(given, &given.q_ddot, &right)?;
    Ok(Form { conditions: Vec::new(), ..form })
}

/// A name for each row.
fn names<'a>(rows: &'a [Row], letter: &'a str) -> impl Iterator<Item = String> + 'a {
    rows.iter().map(move |row| format!("{letter}[{}]", row.name))
}

/// F⁺ b (3): what the independent rows require of their left sides, when all rows are heard.
fn required(rows: &[Row], redundant: &[Row], at: &At) -> Result<Vec<Expr>, SolveError> {
    let own: Vec<Expr> = rows.iter().map(|row| -row.drift).collect();
    let heard: Vec<&Row> = redundant.iter().filter(|row| row.A.iter().any(|a| !a.is_zero())).collect();
    if heard.is_empty() {
        return Ok(own);
    }
    let product = |a: &[Expr]| rows.iter().map(|row| dot(a, &row.A)).collect::<Vec<_>>();
    let gram: Vec<Vec<Expr>> = rows.iter().map(|row| product(&row.A)).collect();
    let F = inverse_times(&gram, &heard.iter().map(|row| product(&row.A)).collect::<Vec<_>>(), at)?;
    let unit = |i: usize, j: usize| if i == j { Expr::one() } else { Expr::zero() };
    let squares = |i: usize, j: usize| F.iter().map(|row| row[i] * row[j]).sum::<Expr>() + unit(i, j);
    let FF: Vec<Vec<Expr>> = (0..rows.len()).map(|i| (0..rows.len()).map(|j| squares(i, j)).collect()).collect();
    let Fb = |i: usize| F.iter().zip(&heard).map(|(F, row)| -(F[i] * row.drift)).sum::<Expr>() + own[i];
    Ok(inverse_times(&FF, &[(0..rows.len()).map(Fb).collect()], at)?.remove(0))
}
