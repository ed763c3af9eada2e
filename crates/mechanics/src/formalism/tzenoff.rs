//! Tzenoff's equations: the slope of the second derivative of the kinetic energy, less what position contributes.
//!
//! ```text
//! ∂R₁/∂w_σ = P*_σ                            σ = 1 … ε                          (1)
//! R  = ½ (T'' − 3 T0'')                      R₁ = R with q', q'' of the chart   (2)
//! T0 = T with the rates in it frozen         T0'' along the motion              (3)
//! ```
//!
//! R differs from the acceleration energy by terms free of accelerations, yet it is made from T alone.
//! T'' contains q''': it is not eliminated, or (1) would be wrong by ½ Σ p ∂q'''/∂q''. The rates in
//! T0 stand still while it is differentiated, and are given their values afterwards.
//!
//! Class: constraints of every class, time-dependent ones and variable mass included.
//!
//! History: I. Tzenoff of Sofia published it in 1953, for holonomic and for linear nonholonomic systems. The
//! printed formulas have lost several dots, T0 for T0'' among them.
//!
//! Source: Tzenoff 1953, equations (8) to (15).

use expr::{Expr, Substitution, total_derivative};

use crate::form::{Form, FormError};
use crate::ingredients::{Ingredients, acceleration_energy, dot};
use crate::steps::{Line, Step, Steps};

/// Tzenoff's equations (1).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    let (T, (T0, frozen)) = (given.T()?, given.T_frozen()?);
    let (T_2, T0_2) = (twice(T)?, twice(T0)?);
    let R = expr::rational(1, 2) * (T_2 - 3 * T0_2);
    let reduced = given.on_shell(&[R])?[0];
    let w = &given.chart()?.w;
    let (slopes, P) = (frozen.apply(&expr::gradient(reduced, w)?)?, given.P_star()?);
    show.kinetic("T", T);
    show.add(|| Ok(Step::of("Its first derivative", "T'", "T' = Σ m v·a", total_derivative(T)?)))?;
    show.value("Its second derivative", "T''", "T'' = Σ m a·a + m v·a'", T_2);
    show.value("The energy with its rates frozen, written with 0", "T0", "(3)", T0);
    show.value("Its second derivative along the motion", "T0''", "", T0_2);
    show.add(|| against_S(given, R, &frozen))?;
    show.rates(given)?;
    show.accelerations_of_chart(given)?;
    show.chart_forces(given)?;
    // P* holds w where a row is not linear in the accelerations: then K is another function
    if given.rows.curved().is_none() {
        show.add(|| Ok(Step::of("The function that is stationary", "K", "K = R₁ − Σ P* w", reduced - dot(&P, w))))?;
    }
    show.balance("(1)", w, &[("∂R₁/∂#", &slopes)], &[("P*[%]", &P)]);
    Form::in_chart(given, &slopes, &P)
}

/// The second derivative along the motion.
fn twice(e: Expr) -> Result<Expr, FormError> {
    Ok(total_derivative(total_derivative(e)?)?)
}

/// R (2), and that its slopes are those of the energy of accelerations, where there are masses to accelerate.
fn against_S(given: &Ingredients<'_>, R: Expr, frozen: &Substitution) -> Result<Step, FormError> {
    let mut lines = vec![Line::Value { name: "R".to_owned(), value: R }];
    if given.need_particles().is_ok() {
        let S = acceleration_energy(given.free()?, &total_derivative)?;
        let slopes = frozen.apply(&expr::gradient(R, &given.q_ddot)?)?;
        for ((w, value), of_S) in given.q_ddot.iter().zip(slopes).zip(expr::gradient(S, &given.q_ddot)?) {
            lines.push(Line::Same { name: format!("∂R/∂{w} = ∂S/∂{w}"), value, difference: value - of_S });
        }
    }
    Ok(Step {
        title: "Tzenoff's function, and the energy of accelerations beside it",
        name: "R".to_owned(),
        formula: "(2)",
        lines,
    })
}
