//! Volterra's equations: velocities as linear functions of characteristics, and two tables made from them.
//!
//! ```text
//! ṽ_i = Σ_r ξ_ir(q) u_r                               E_rs = Σ m_i ξ_ir·ξ_is                    (1)
//! d/dt Σ_r E_rs u_r − Σ_rk c^s_rk u_r u_k = P*_s      c^s_rk = Σ m_i ξ_ir·Σ_h (∂ξ_is/∂q_h) ∂q'_h/∂u_k   (2)
//! ```
//!
//! T* = ½ Σ E_rs u_r u_s. A body has a second ξ, for its angular velocity, and I in place of m; along axes
//! that turn with ω_f, d/dt ξ_is = Σ_h (∂ξ_is/∂q_h) q'_h + ω_f × ξ_is. The sums over r and k in (2) are
//! done before the products.
//!
//! Class: velocities linear and homogeneous in those of the chart, without time; variable mass included.
//!
//! History: V. Volterra published them in 1898 for systems whose constraints are linear in the velocities. He
//! called u the characteristics of the motion.
//!
//! Source: V. Volterra, Atti Accad. Sci. Torino 33 (1898) 451–475; Romanov 1974 cites them.

use expr::Expr;

use crate::Vector;
use crate::form::{Form, FormError};
use crate::ingredients::{Ingredients, dot};
use crate::kinematics::Local;
use crate::steps::{Steps, Terms};

/// Volterra's equations (2).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_particles()?;
    given.need_first_order()?;
    let (chart, elements) = (given.chart()?, &given.charted()?.elements);
    let mut tables = Vec::new();
    for element in elements {
        tables.push(Table::new(given, element.velocity, |xi| xi * element.mass)?);
        if let Some(spin) = &element.spin {
            tables.push(Table::new(given, spin.omega, |xi| spin.times(xi))?);
        }
    }
    let q_dot = homogeneous(given, &chart.rates)?.into_iter().map(|row| dot(&row, &chart.u));
    let path: Vec<(Expr, Expr)> = given.q.iter().copied().zip(q_dot).collect();
    // How every ξ changes along the path, in one pass.
    let xi: Vec<Expr> = tables.iter().flat_map(|table| table.xi.iter().flat_map(|xi| xi.0)).collect();
    let changes = expr::directional(&xi, &path)?;
    let change = |table: usize, s: usize| {
        let first = 3 * (table * chart.u.len() + s);
        Vector([changes[first], changes[first + 1], changes[first + 2]])
    };
    let (mut inertia, mut rates, mut sums) = (Vec::new(), Vec::new(), Vec::new());
    for s in 0..chart.u.len() {
        let E = |r: usize| tables.iter().map(|table| table.heavy[r].dot(table.xi[s])).sum::<Expr>();
        let column: Vec<Expr> = (0..chart.u.len()).map(E).collect();
        rates.push(chart.flow.rate(dot(&column, &chart.u))?);
        inertia.push(column);
        let mut terms = Vec::with_capacity(tables.len());
        for (place, table) in tables.iter().enumerate() {
            let change = change(place, s);
            let momentum: Vec<Vector> = table.heavy.iter().zip(&chart.u).map(|(&heavy, &u)| heavy * u).collect();
            terms.push(Vector::sum(&momentum).dot(change + table.omega_axes.cross(table.xi[s])));
        }
        sums.push(terms.into_iter().sum::<Expr>());
    }
    let P = given.P_star()?;
    show.rates(given)?;
    show.partial_velocities(given, given.charted()?, &chart.u, ["ξ", "ξ^ω"])?;
    show.matrix("The first table", "E", "E_rs = Σ m_i ξ_ir·ξ_is", &inertia);
    show.each(
        "The second table, summed over the characteristics",
        "c[#]",
        "c_s = Σ_rk c^s_rk u_r u_k",
        &chart.u,
        &sums,
    );
    show.chart_forces(given)?;
    let terms: [Terms<'_>; 2] = [("d/dt Σ E u[#]", &rates), ("− c[#]", &sums)];
    show.balance("(2)", &chart.u, &terms, &[("P*[#]", &P)]);
    let left: Vec<Expr> = rates.iter().zip(&sums).map(|(&rate, &sum)| rate - sum).collect();
    Form::in_chart(given, &left, &P)
}

/// ξ of a velocity or an angular velocity (1), and the same times m or I.
struct Table {
    xi: Vec<Vector>,
    heavy: Vec<Vector>,
    omega_axes: Vector,
}

impl Table {
    fn new(given: &Ingredients<'_>, velocity: Local, heavy: impl Fn(Vector) -> Vector) -> Result<Table, FormError> {
        let rows = homogeneous(given, &velocity.components.0)?;
        let xi: Vec<Vector> = (0..given.chart()?.u.len()).map(|r| Vector([0, 1, 2].map(|i| rows[i][r]))).collect();
        let heavy = xi.iter().map(|&xi| heavy(xi)).collect();
        Ok(Table { xi, heavy, omega_axes: velocity.omega_axes })
    }
}

/// What multiplies each velocity of the chart, if there is nothing else and time does not occur.
fn homogeneous(given: &Ingredients<'_>, velocities: &[Expr]) -> Result<Vec<Vec<Expr>>, FormError> {
    let no = |why: &str| FormError::NotApplicable(format!("the velocities are not {why} those of the chart"));
    let (rows, constants) = expr::linear_coefficients(velocities, &given.chart()?.u).map_err(|_| no("linear in"))?;
    if !constants.iter().all(|constant| constant.is_zero()) {
        return Err(no("homogeneous in"));
    }
    let entries: Vec<Expr> = rows.iter().flatten().copied().collect();
    if !expr::directional(&entries, &[(given.system.time, Expr::one())])?.iter().all(|slope| slope.is_zero()) {
        return Err(FormError::NotApplicable("the velocities depend on time itself".to_owned()));
    }
    Ok(rows)
}
