//! Routh's equations: Hamilton's for the cyclic coordinates, Lagrange's for the others.
//!
//! ```text
//! R(q, q', P, t) = T − Σ_c P_c q'_c          q'_c eliminated by P_c = ∂T/∂q'_c            (1)
//! d/dt ∂R/∂q'_j − ∂R/∂q_j = Q_j              coordinates that occur in T                  (2)
//! P'_c = Q_c                                 cyclic ones, which do not                    (3)
//! ```
//!
//! Where no force acts on a cyclic coordinate, its momentum is constant and (2) is a smaller system. The
//! equations are written with P = ∂T/∂q' put back, so that their unknowns are accelerations. All forces
//! stand in Q; R comes out as a remark, less the potential.
//!
//! Class: holonomic systems in minimal coordinates with at least one cyclic coordinate; variable mass included.
//!
//! History: E. J. Routh introduced the modified function in his Adams Prize essay of 1877, to find when steady
//! motions are stable. Helmholtz found it again and spoke of hidden motions.
//!
//! Source: E. J. Routh, A Treatise on the Stability of a Given State of Motion, London 1877.

use expr::{Expr, Flow, Kind, Substitution, Symbol};

use crate::balance::potential_energy;
use crate::form::{Form, FormError, Remark};
use crate::ingredients::{Ingredients, dot, inverse_times};
use crate::steps::{Step, Steps};

/// Routh's equations (2) and (3), in the order of the coordinates.
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    let cyclic = cyclic(given)?;
    let (momenta, n) = (given.p()?, given.q.len());
    let others: Vec<usize> = (0..n).filter(|s| !cyclic.contains(s)).collect();
    let pick = |list: &[Expr], places: &[usize]| places.iter().map(|&place| list[place]).collect::<Vec<_>>();
    let symbol = |&c: &usize| {
        let name = format!("{}@cyclic", given.system.coordinates[c].name);
        expr::symbol(Symbol::new(&name, Kind::QuasiVelocity))
    };
    let P: Vec<Expr> = cyclic.iter().map(symbol).collect();
    let P_dot = P.iter().map(|&P| expr::total_derivative(P)).collect::<Result<Vec<_>, _>>()?;
    let R = function(given, &cyclic, &pick(&momenta, &cyclic), &P)?;
    let pairs = |a: Vec<Expr>, b: Vec<Expr>| a.into_iter().zip(b);
    let (q, q_dot) = (pick(&given.q, &others), pick(&given.q_dot, &others));
    let motion = pairs(q.clone(), q_dot.clone()).chain(pairs(q_dot.clone(), pick(&given.q_ddot, &others)));
    let motion = motion.chain(pairs(P.clone(), P_dot.clone())).chain([(given.system.time, Expr::one())]);
    let flow = Flow::new(&motion.collect::<Vec<_>>());
    let mut left = vec![Expr::zero(); n];
    let mut back = Substitution::new();
    for ((&c, &P), &P_dot) in cyclic.iter().zip(&P).zip(&P_dot) {
        left[c] = expr::total_derivative(momenta[c])?;
        back.extend([(P, momenta[c]), (P_dot, left[c])]);
    }
    let slopes = expr::gradient(R, &q)?;
    for ((&j, momentum), slope) in others.iter().zip(expr::gradient(R, &q_dot)?).zip(slopes) {
        left[j] = back.apply_one(flow.rate(momentum)? - slope)?;
    }
    let Q = given.Q()?;
    show.kinetic("T", given.T()?);
    show.each(
        "Momenta of the cyclic coordinates",
        "p[#]",
        "P_c = ∂T/∂q'_c",
        &pick(&given.q, &cyclic),
        &pick(&momenta, &cyclic),
    );
    show.value("Routh's function, their rates eliminated", "R_T", "(1)", R);
    show.add(|| with_potential(given, R))?;
    show.each("Its momenta", "∂R_T/∂#", "(2)", &q_dot, &expr::gradient(R, &q_dot)?);
    show.each("Its slopes", "∂R_T/∂#", "", &q, &expr::gradient(R, &q)?);
    show.coordinate_forces(given)?;
    show.balance("(2), (3)", &given.q, &[("E[#]", &left)], &[("Q[#]", Q)]);
    let form = Form::in_coordinates(given, &left, Q)?;
    let V = potential_energy(given.system)?;
    let remarks = vec![Remark { what: "R".to_owned(), value: given.thawed(&[R])?[0] - V }];
    Ok(Form { remarks, ..form })
}

/// The coordinates that do not occur in T.
fn cyclic(given: &Ingredients<'_>) -> Result<Vec<usize>, FormError> {
    if let Some(row) = given.rows.list.first() {
        let why = format!("its coordinates must be free, and the constraint `{}` ties them", row.name);
        return Err(FormError::NotApplicable(why));
    }
    let slopes = expr::gradient(given.T()?, &given.q)?;
    let cyclic: Vec<usize> = (0..slopes.len()).filter(|&s| slopes[s].is_zero()).collect();
    match cyclic.is_empty() {
        true => Err(FormError::NotApplicable("every coordinate occurs in T: none is cyclic".to_owned())),
        false => Ok(cyclic),
    }
}

/// Routh's function (1).
fn function(given: &Ingredients<'_>, cyclic: &[usize], momenta: &[Expr], P: &[Expr]) -> Result<Expr, FormError> {
    let no = |why: String| FormError::NotApplicable(why);
    let rates: Vec<Expr> = cyclic.iter().map(|&c| given.q_dot[c]).collect();
    let (mass, constants) = expr::linear_coefficients(momenta, &rates)
        .map_err(|_| no("the momenta are not linear in the rates".to_owned()))?;
    let relative: Vec<Expr> = P.iter().zip(&constants).map(|(&P, &c)| P - c).collect();
    let solved = inverse_times(&mass, &[relative], given.at)
        .map_err(|error| no(format!("the momenta cannot be solved for the rates: {error}")))?;
    let map: Substitution = rates.iter().copied().zip(solved[0].iter().copied()).collect();
    Ok(map.apply_one(given.T()?)? - dot(P, &solved[0]))
}

/// R = R_T − V, where loads have a potential.
fn with_potential(given: &Ingredients<'_>, R: Expr) -> Result<Step, FormError> {
    let V = potential_energy(given.system)?;
    match V.is_zero() {
        true => Ok(Step::words("", String::new())),
        false => Ok(Step::of("Routh's function with the potential", "R", "R = R_T − V", given.thawed(&[R])?[0] - V)),
    }
}
