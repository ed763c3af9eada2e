//! Maggi's equations: Lagrange's equations projected on the accelerations that the constraints leave free.
//!
//! ```text
//! Σ_s (E_s − Q_s) ∂q''_s/∂w_λ = 0           λ = 1 … n − k      without reactions      (1)
//! Λ_κ = Σ_s (E_s − Q_s) ∂q''_s/∂w_{l+κ}     κ = 1 … k          the reactions          (2)
//! E_s = d/dt ∂T/∂q'_s − ∂T/∂q_s
//! ```
//!
//! w are the accelerations of the chart, followed by the left sides of the rows. For constraints of
//! first order ∂q''/∂w = ∂q'/∂u, which is Maggi's own form. Λ does not depend on the chart at the
//! true accelerations, and only there.
//!
//! Class: systems with constraints of any class; without a constraint there is nothing to project.
//!
//! History: G. A. Maggi published it in 1896 for linear constraints on velocities. It stayed little
//! known until it was found to be the cheapest form for computers.
//!
//! Source: Zegzhda, Naumova, Soltakhanov and Yushkov 2015, equations (3.2), (3.3).

use expr::Expr;

use crate::form::{Form, FormError, Reaction};
use crate::ingredients::{Ingredients, dot};
use crate::steps::{Step, Steps};

/// Maggi's equations (1), and the reactions (2).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    if given.rows.list.is_empty() {
        return Err(FormError::NotApplicable("there is no constraint to project on".to_owned()));
    }
    let (E, Q) = (given.E()?, given.Q()?);
    let (left, right) = (given.projected(E)?, given.projected(Q)?);
    show.kinetic("T", given.T()?);
    show.lagrange_operator(given)?;
    show.coordinate_forces(given)?;
    show.rates(given)?;
    let w = &given.chart()?.w;
    show.add(|| {
        Ok(Step::matrix(
            "The projection: a row for each coordinate, a column for each free acceleration",
            "∂q''/∂w",
            "",
            expr::jacobian(&given.chart()?.accelerations, w)?,
        ))
    })?;
    show.balance("(1)", w, &[("Σ E ∂q''/∂#", &left)], &[("Σ Q ∂q''/∂#", &right)]);
    let form = Form::in_chart(given, &left, &right)?;
    let surplus: Vec<Expr> = E.iter().zip(Q).map(|(&inertia, &force)| inertia - force).collect();
    let reactions = reactions(given, &surplus)?;
    show.add(|| {
        Ok(Step::values("The reactions", "Λ", "(2)", reactions.iter().map(|one| (one.lambda.to_string(), one.value))))
    })?;
    Ok(Form { reactions, ..form })
}

/// The reactions (2).
fn reactions(given: &Ingredients<'_>, surplus: &[Expr]) -> Result<Vec<Reaction>, FormError> {
    let mut list = Vec::with_capacity(given.rows.list.len());
    for (row, direction) in given.rows.list.iter().zip(given.reaction_directions()?) {
        let value = dot(surplus, &direction);
        let value = given.thawed(&given.on_shell(&[value])?)?[0];
        list.push(Reaction { name: row.name.clone(), lambda: row.lambda, value });
    }
    Ok(list)
}
