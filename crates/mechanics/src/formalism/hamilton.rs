//! Hamilton's equations: coordinates and momenta as equals, the energy as their generator.
//!
//! ```text
//! H(q, p, t) = Σ p_s q'_s − T               q' eliminated by p = ∂T/∂q'              (1)
//! q'_s = ∂H/∂p_s                                                                      (2)
//! p'_s = −∂H/∂q_s + Q_s + Σ λ A_s           A q'' + a0 = 0                            (3)
//! ```
//!
//! All forces stand in Q, potential ones too, so that H is the kinetic part; it comes out as a remark, with the
//! potential.
//! The equations are written with p = ∂T/∂q' put back, so that their unknowns are accelerations; ∂H/∂q is
//! taken before, at fixed p, through the inverse of the mass matrix. With many coordinates that inverse is too long to be written
//! out, and its slope is used in its place: with p = M q' + c and T = ½ q'·M q' + c·q' + T₀,
//!
//! ```text
//! ∂M⁻¹/∂q_s = −M⁻¹ (∂M/∂q_s) M⁻¹   so that   ∂H/∂q_s = −½ q'·(∂M/∂q_s) q' − (∂c/∂q_s)·q' − ∂T₀/∂q_s     at q' = M⁻¹(p − c)   (4)
//! ```
//!
//! Class: constraints of every class, time-dependent ones and variable mass included; the mass matrix must be regular.
//!
//! History: W. R. Hamilton published the canonical equations in 1835. Lagrange and Poisson had met them before in
//! the theory of perturbations.
//!
//! Source: W. R. Hamilton, Phil. Trans. R. Soc. Lond. 125 (1835) 95–144.

use expr::{Expr, Kind, Substitution, Symbol};

use crate::balance::potential_energy;
use crate::form::{Form, FormError, Remark};
use crate::ingredients::{Ingredients, dot, inverse_times};
use crate::steps::{Line, Step, Steps};

/// With more coordinates the inverse of the mass matrix is not written out.
const MANY: usize = 16;

/// Hamilton's equations (3), with the momenta written out.
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    let momenta = given.p()?;
    if momenta.len() > MANY {
        return of_many(given, &momenta, show);
    }
    let symbol = |s: usize| {
        let name = format!("{}@momentum", given.system.coordinates[s].name);
        expr::symbol(Symbol::new(&name, Kind::Parameter))
    };
    let p: Vec<Expr> = (0..momenta.len()).map(symbol).collect();
    let H = hamiltonian(given, &momenta, &p)?;
    let back: Substitution = p.iter().copied().zip(momenta.iter().copied()).collect();
    let slopes = back.apply(&expr::gradient(H, &given.q)?)?;
    let rates = momenta.iter().map(|&p| expr::total_derivative(p)).collect::<Result<Vec<_>, _>>()?;
    let left: Vec<Expr> = rates.iter().zip(&slopes).map(|(&rate, &slope)| rate + slope).collect();
    let Q = given.Q()?;
    show.kinetic("T", given.T()?);
    show.each("Momenta", "p[#]", "p_s = ∂T/∂q'_s", &given.q, &momenta);
    show.add(|| Ok(Step::of("The rates eliminated", "H_T", "(1)", H)))?;
    show.add(|| canonical(given, H, &p, &back))?;
    show.balance_with_multipliers("(3)", given, &[("p[#]'", &rates), ("+ ∂H_T/∂#", &slopes)], &[("Q[#]", Q)]);
    let form = Form::with_multipliers(given, &left, Q)?;
    let V = potential_energy(given.system)?;
    let remarks = vec![Remark { what: "H".to_owned(), value: given.thawed(&[H])?[0] + V }];
    Ok(Form { remarks, ..form })
}

/// The same by (4). What H is as a function of the momenta is not told.
fn of_many(given: &Ingredients<'_>, momenta: &[Expr], show: &mut Steps) -> Result<Form, FormError> {
    let slopes: Vec<Expr> = slopes_of_many(given, momenta)?;
    let rates = momenta.iter().map(|&p| expr::total_derivative(p)).collect::<Result<Vec<_>, _>>()?;
    let left: Vec<Expr> = rates.iter().zip(&slopes).map(|(&p_dot, &by_q)| p_dot + by_q).collect();
    let Q = given.Q()?;
    show.kinetic("T", given.T()?);
    show.each("Momenta", "p[#]", "p_s = ∂T/∂q'_s", &given.q, momenta);
    show.balance_with_multipliers("(3), (4)", given, &[("p[#]'", &rates), ("+ ∂H_T/∂#", &slopes)], &[("Q[#]", Q)]);
    Form::with_multipliers(given, &left, Q)
}

/// ∂H/∂q at fixed p (4), with the rates put back.
fn slopes_of_many(given: &Ingredients<'_>, momenta: &[Expr]) -> Result<Vec<Expr>, FormError> {
    let (mass, constants) = expr::linear_coefficients(momenta, &given.q_dot)
        .map_err(|_| FormError::NotApplicable("the momenta are not linear in the rates".to_owned()))?;
    let rank = linear::rank(given.at.matrix(&mass), linear::Scale::RowsAndColumns, linear::tolerance::RANK);
    if rank != Ok(mass.len()) {
        let why = "the momenta cannot be solved for the rates: the mass matrix is singular at the reference state";
        return Err(FormError::NotApplicable(why.to_owned()));
    }
    let moved: Vec<Expr> = mass.iter().map(|row| dot(row, &given.q_dot)).collect();
    let rest: Substitution = given.q_dot.iter().map(|&rate| (rate, Expr::zero())).collect();
    let at_rest = rest.apply_one(given.T()?)?;
    let half = expr::rational(1, 2);
    let T = half * dot(&given.q_dot, &moved) + dot(&constants, &given.q_dot) + at_rest;
    Ok(expr::gradient(T, &given.q)?.into_iter().map(|slope| -slope).collect())
}

/// H (1) = ½ (p − c)·M⁻¹(p − c) − T at rest, where p = M q' + c.
fn hamiltonian(given: &Ingredients<'_>, momenta: &[Expr], p: &[Expr]) -> Result<Expr, FormError> {
    let no = |why: String| FormError::NotApplicable(why);
    let (mass, constants) = expr::linear_coefficients(momenta, &given.q_dot)
        .map_err(|_| no("the momenta are not linear in the rates".to_owned()))?;
    let relative: Vec<Expr> = p.iter().zip(&constants).map(|(&p, &c)| p - c).collect();
    let rates = inverse_times(&mass, std::slice::from_ref(&relative), given.at)
        .map_err(|error| no(format!("the momenta cannot be solved for the rates: {error}")))?;
    let rest: Substitution = given.q_dot.iter().map(|&rate| (rate, Expr::zero())).collect();
    Ok(expr::rational(1, 2) * dot(&relative, &rates[0]) - rest.apply_one(given.T()?)?)
}

/// The canonical equations with H = H_T + V, whatever has a potential taken into H.
fn canonical(given: &Ingredients<'_>, H: Expr, p: &[Expr], back: &Substitution) -> Result<Step, FormError> {
    let V = potential_energy(given.system)?;
    let with_V = given.thawed(&[H])?[0] + V;
    let mut lines = vec![Line::Value { name: "H".to_owned(), value: with_V }];
    let (by_p, by_q) = (expr::gradient(with_V, p)?, expr::gradient(given.thawed(&[H])?[0], &given.q)?);
    let slopes = expr::gradient(V, &given.q)?;
    let again = given.thawed_map(back)?.apply(&by_p)?;
    for (((&rate, &value), again), q) in given.q_dot.iter().zip(&by_p).zip(again).zip(&given.q) {
        lines.push(Line::Same { name: format!("{rate} = ∂H/∂p[{q}]"), value, difference: rate - again });
    }
    for (s, q) in given.q.iter().enumerate() {
        lines.push(Line::Value { name: format!("∂H_T/∂{q}"), value: by_q[s] });
        if !slopes[s].is_zero() {
            lines.push(Line::Value { name: format!("∂V/∂{q}"), value: slopes[s] });
        }
        let rest = given.thawed(&[given.Q()?[s]])?[0] + slopes[s];
        if !rest.is_zero() {
            lines.push(Line::Value { name: format!("Q[{q}] + ∂V/∂{q}"), value: rest });
        }
    }
    let formula = "H = H_T + V,   q'_s = ∂H/∂p_s,   p'_s = −∂H/∂q_s + (Q_s + ∂V/∂q_s) + Σ λ A_s";
    Ok(Step { title: "Hamilton's function and the canonical equations", name: "H".to_owned(), formula, lines })
}
