//! Maggi's equations, closed by least squares: projected equations and rows together, by a generalized inverse.
//!
//! ```text
//! q'' = [E; A]⁺ [F; −a0],  that is  (EᵀE + AᵀA) q'' = EᵀF − Aᵀ a0                  (1)
//! E = Π M,  F = Π (Q − h),  Π = 1 − Aᵀ Bᵀ              A B = 1, B = ∂q''/∂w          (2)
//! ```
//!
//! E has rank n − k, but E and A together have full column rank, so that the generalized inverse is that of
//! the normal equations (1). They are solved exactly; in rounded numbers the squares cost digits.
//!
//! Class: systems with constraints of any class; without a constraint there is nothing to close.
//!
//! History: it closes equation (4.3) of Zegzhda, Yushkov and coauthors (2015), whose matrix is singular. It has
//! the shape that F. E. Udwadia and P. Phohomsiri gave to systems with singular mass matrices in 2006.
//!
//! Source: Zegzhda, Naumova, Soltakhanov and Yushkov 2015, equation (4.3), corrected.

use expr::Expr;

use crate::form::{Form, FormError};
use crate::ingredients::{Ingredients, dot};
use crate::rows::Row;
use crate::steps::{Step, Steps};

/// The normal equations (1).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_linear_accelerations()?;
    if given.rows.list.is_empty() {
        return Err(FormError::NotApplicable("there is no constraint to project on".to_owned()));
    }
    let maggi = Projected { mass: &given.metric()?.mass, rows: &given.rows.list, B: given.reaction_directions()? };
    let force: Vec<Expr> = given.Q()?.iter().zip(&given.metric()?.h).map(|(&Q, &h)| Q - h).collect();
    let q_ddot = &given.q_ddot;
    let (E, F) = (maggi.squared(&times(maggi.mass, q_ddot)), maggi.squared(&force));
    let on_rows: Vec<Expr> = maggi.rows.iter().map(|row| dot(&row.A, q_ddot)).collect();
    let drifts: Vec<Expr> = maggi.rows.iter().map(|row| -row.drift).collect();
    let left: Vec<Expr> = (0..E.len()).map(|s| E[s] + maggi.transposed(s, &on_rows)).collect();
    let right: Vec<Expr> = (0..F.len()).map(|s| F[s] + maggi.transposed(s, &drifts)).collect();
    show.matrix("The mass matrix", "M", "M = ∂²T/∂q'∂q'", maggi.mass);
    show.gradients(given, "A q'' + a0 = 0");
    show.matrix(
        "Accelerations for each row that change it by one: a row for each constraint",
        "Bᵀ",
        "A B = 1",
        &maggi.B,
    );
    show.each("The projected equations, squared: forces", "(EᵀF)[#]", "EᵀF = M Πᵀ Π (Q − h)", &given.q, &F);
    show.add(|| {
        Ok(Step::matrix("and what multiplies the accelerations", "EᵀE", "EᵀE = M Πᵀ Π M", expr::jacobian(&E, q_ddot)?))
    })?;
    show.balance("(1)", &given.q, &[("((EᵀE + AᵀA) q'')[#]", &left)], &[("(EᵀF − Aᵀ a0)[#]", &right)]);
    let form = Form::in_coordinates(given, &left, &right)?;
    Ok(Form { conditions: Vec::new(), ..form })
}

/// What the projector (2) is made of.
struct Projected<'a> {
    mass: &'a [Vec<Expr>],
    rows: &'a [Row],
    B: Vec<Vec<Expr>>,
}

impl Projected<'_> {
    /// (Aᵀ x)_s.
    fn transposed(&self, s: usize, x: &[Expr]) -> Expr {
        self.rows.iter().zip(x).map(|(row, &x)| row.A[s] * x).sum()
    }

    /// Eᵀ Π x = M Πᵀ Π x.
    fn squared(&self, x: &[Expr]) -> Vec<Expr> {
        let carried: Vec<Expr> = self.B.iter().map(|B| dot(B, x)).collect();
        let once: Vec<Expr> = (0..x.len()).map(|s| x[s] - self.transposed(s, &carried)).collect();
        let seen: Vec<Expr> = self.rows.iter().map(|row| dot(&row.A, &once)).collect();
        let back = |s: usize| self.B.iter().zip(&seen).map(move |(B, &seen)| B[s] * seen).sum::<Expr>();
        let twice: Vec<Expr> = (0..x.len()).map(|s| once[s] - back(s)).collect();
        times(self.mass, &twice)
    }
}

fn times(matrix: &[Vec<Expr>], x: &[Expr]) -> Vec<Expr> {
    matrix.iter().map(|row| dot(row, x)).collect()
}
