//! Positions alone: every mass as particles whose places are functions of the coordinates and of time.
//!
//! ```text
//! r = C + Σ ξ_a e_a                               a particle of a body: ξ is fixed, C and e_a are given          (1)
//! K_ab = Σ m ξ_a ξ_b = ½ (I_xx + I_yy + I_zz) δ_ab − I_ab                    about the mass centre               (2)
//! Σ m r''·∂r/∂q_s = m C''·∂C/∂q_s + Σ K_ab e_a''·∂e_b/∂q_s = Q_s + Σ λ A_s   over all particles                  (3)
//! F at a place of a body      F·(∂C/∂q_s + Σ ξ_a ∂e_a/∂q_s),   ξ_a = e_a·(place − C), held fast                 (4)
//! a torque M                  ½ Σ (M × e_a)·∂e_a/∂q_s                                                            (5)
//! springs, dampers            −k (l − l₀) ∂l/∂q_s,   −c l' ∂l/∂q_s           l the distance of the ends          (6)
//! ```
//!
//! No angular velocity, no velocity of a point, no energy of motion: places are differentiated twice by time and once by
//! each coordinate. What the other families take from the system, its kinematics, loads and contacts is read here once more
//! from the lines of the model, and made in another way (`places.rs`); so are the rows.
//!
//! Class: constraints of every class, time-dependent ones and variable mass included; inertias that do not change.
//!
//! History: d'Alembert and Lagrange began so, with sums over all particles of the bodies; Euler's angular velocity made
//! the sums short. They come back here as a check of what is short.
//!
//! Source: J.-L. Lagrange, Méchanique analitique (1788), part 2, section II.

use expr::{Expr, total_derivative};

use crate::form::{Form, FormError};
use crate::ingredients::Ingredients;
use crate::places::{Mass, Pairs, Places, push};
use crate::rows::Row;
use crate::steps::{Line, Step, Steps};

/// The equations (3).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_particles()?;
    let mut places = Places::of(given.system)?;
    given.mode.sliding().for_each(|sliding| places.also(&sliding.load));
    let mut inertia = Pairs::new();
    for one in &places.masses {
        push(&mut inertia, one.place, one.place.rate()?.rate()? * one.mass);
        if let Some((e, K)) = one.body {
            constant(one)?;
            let turns = [e[0].rate()?.rate()?, e[1].rate()?.rate()?, e[2].rate()?.rate()?];
            for b in 0..3 {
                let weights = [0, 1, 2].map(|a| turns[a] * K[a][b]);
                push(&mut inertia, e[b], weights.into_iter().fold(crate::Vector::zero(), |sum, one| sum + one));
            }
        }
    }
    let left: Vec<Expr> = expr::pullback(&inertia, &given.q)?;
    let by_places = expr::pullback(&places.work, &given.q)?.into_iter().zip(&places.direct);
    let Q: Vec<Expr> = by_places.map(|(force, more)| more.iter().fold(force, |sum, &one| sum + one)).collect();
    let rows = given.rows.list.iter().map(|row| own(given, &places, row)).collect::<Result<Vec<Row>, FormError>>()?;
    show.add(|| shown_places(&places.masses))?;
    show.add(|| moments(&places.masses))?;
    show.each(
        "Generalized forces by the displacements of places",
        "Q[#]",
        "Q_s = Σ F·∂r/∂q_s,   r: what a load acts on",
        &given.q,
        &Q,
    );
    show.balance_with_multipliers("(3)", given, &[("Σ m r''·∂r/∂#", &left)], &[("Q[#]", &Q)]);
    let mut form = Form::with_rows(given, &rows, &left, &Q)?;
    // rows that are said to follow from others must be those of the lines, too
    for (place, row) in given.rows.left_out.iter().enumerate() {
        if let Some(&f) = places.rows.get(&row.name).filter(|f| **f != row.f && row.order < 2) {
            form.row_differences.push((rows.len() + place, f - row.f));
        }
    }
    Ok(form)
}

/// The row of that name, as the lines say it.
fn own(given: &Ingredients<'_>, places: &Places, row: &Row) -> Result<Row, FormError> {
    match places.rows.get(&row.name).filter(|f| !row.slips && **f != row.f) {
        Some(&f) => Ok(Row::of(given.system, &row.name, row.constraint, f)?),
        None => Ok(row.clone()),
    }
}

/// The particles of a body stay where they are in it.
fn constant(one: &Mass) -> Result<(), FormError> {
    for entry in one.body.iter().flat_map(|(_, K)| K.iter().flatten()) {
        if total_derivative(*entry)? != Expr::zero() {
            return Err(FormError::NotApplicable(format!("the inertia of `{}` changes", one.name)));
        }
    }
    Ok(())
}

/// The places and their second derivatives.
fn shown_places(masses: &[Mass]) -> Result<Step, FormError> {
    let mut lines = Vec::new();
    for Mass { name, place, .. } in masses {
        lines.push(Line::Vector { name: format!("r[{name}]"), value: *place, frame: 0 });
        lines.push(Line::Vector { name: format!("r''[{name}]"), value: place.rate()?.rate()?, frame: 0 });
    }
    Ok(Step { title: "Places, and how they accelerate", name: "r".to_owned(), formula: "(1)", lines })
}

/// The second moments of the bodies, along themselves.
fn moments(masses: &[Mass]) -> Result<Step, FormError> {
    let of_body = |one: &Mass| {
        let rows = one.body?.1.map(|row| row.to_vec()).to_vec();
        Some(Line::Matrix { name: format!("K[{}]", one.name), rows })
    };
    let lines = masses.iter().filter_map(of_body).collect();
    Ok(Step { title: "Second moments of the bodies", name: "K".to_owned(), formula: "(2)", lines })
}
