//! Appell's equations: the slope of the acceleration energy equals the force.
//!
//! ```text
//! ∂S*/∂u'_σ = P*_σ                                σ = 1 … ε       (1)
//! S* = Σ ½ m ã·ã + ½ α̃·Iα̃ + α̃·(ω̃ × Iω̃)          over masses     (2)
//! ```
//!
//! The velocities u are independent: constraints were spent in choosing them, so no multiplier
//! appears. ã and I refer to the mass centre. (2) omits terms free of u'; (1) cannot see them. Mass
//! rates never appear. Where rows are of second order, w takes the place of u'.
//!
//! Class: constraints of every class, time-dependent ones and variable mass included.
//!
//! History: J. W. Gibbs (1879) and P. Appell (1899) found the function independently. Appell saw that
//! it needs no new rule for constraints that cannot be integrated.
//!
//! Source: P. Appell, C. R. Acad. Sci. Paris 129 (1899) 423–427; Qiu Rong 1997, equations (13), (14).

use crate::form::{Form, FormError};
use crate::ingredients::{Ingredients, acceleration_energy};
use crate::steps::Steps;

/// Appell's equations (1).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_particles()?;
    let chart = given.chart()?;
    let (moving, d_dt) = (given.charted()?, |e| chart.flow.rate(e));
    show.rates(given)?;
    show.accelerations(given, moving, &d_dt, ["ã", "α̃"])?;
    let S = acceleration_energy(moving, &d_dt)?;
    show.value("The energy of accelerations, without terms free of accelerations", "S*", "(2)", S);
    let (slopes, P) = (expr::gradient(S, &chart.w)?, given.P_star()?);
    show.each("Its slopes", "∂S*/∂#", "", &chart.w, &slopes);
    show.chart_forces(given)?;
    show.balance("(1)", &chart.w, &[("∂S*/∂#", &slopes)], &[("P*[%]", &P)]);
    Form::in_chart(given, &slopes, &P)
}
