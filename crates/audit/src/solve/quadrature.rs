//! One freedom with an energy integral: time as an integral over the coordinate.
//!
//! ```text
//! h(z, z') = ½ m(z) z'² + W(z) = E                 proved constant on every motion                      (1)
//! t − t₀ = ± ∫ √(m / (2 (E − W))) dz               from z₀ to z, until z turns                          (2)
//! ```
//!
//! h is the Jacobi integral of the energies of the model, or, where forces have no declared potential, the integral of the
//! acceleration over the coordinate.

use expr::{Comparison, Expr, Formula, Substitution};
use serde::Serialize;

use super::cases::{Case, Stop};
use super::kinks::kinks;
use super::linear::short;
use super::numbers::{self, Course};
use super::problem::Problem;
use super::{ClosedForm, Constant, FormKind, introduced, not_linear};
use crate::audit::Auditor;
use engine::Ordered;
use engine::readable::Reader;
use proof::Verdict;

/// Time as an integral.
#[derive(Clone, Debug, Serialize)]
pub struct Quadrature {
    /// The coordinate that is integrated over.
    pub coordinate: String,
    /// Its integral (1), which is constant.
    pub energy: Formula,
    /// The time from the start to a place (2), while the coordinate grows.
    pub time: Written,
    /// What the motion from the start of the model does, or why that is not told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub course: Option<Course>,
}

/// A formula with an integral.
#[derive(Clone, Debug, Serialize)]
pub struct Written {
    /// Text in the language of models.
    pub text: String,
    /// LaTeX for mathematical mode.
    pub latex: String,
    /// A whole `<math>` element of presentation MathML.
    pub mathml: String,
}

/// The motion of a block of one coordinate and its velocity.
pub fn found(
    auditor: &Auditor<'_>,
    problem: &Problem,
    block: &[usize],
    rates: &[Expr],
    case: &Case,
) -> Result<ClosedForm, Stop> {
    let refused = |why: &str| Stop::Refused(format!("{}{why}", not_linear(problem, block, rates)));
    // the velocity alone may be a block: then the place is the other unknown all the same
    let (place, speed) = match (problem.coordinates, problem.y.len()) {
        (1, 2) => (0, 1),
        (coordinates, all) if all - coordinates == 1 => return Err(refused(", and beside its coordinate others move")),
        _ => return Err(refused(", and there is more than one freedom")),
    };
    let (z, v, t) = (problem.y[place], problem.y[speed], problem.t);
    let (m, W) = energy(auditor, problem, rates, case).map_err(refused)?;
    let h = expr::rational(1, 2) * m * v * v + W;
    let half = expr::rational(1, 2);
    let reader = Reader::new();
    let (m, W) = (reader.readable(m, &[]), reader.readable(W, &[]));
    let E = expr::parameter(&super::place::fresh("E", &|name| auditor.loaded.system.declares(name)));
    let first = problem.first[place];
    let integrand = short(m / (E - W) / 2);
    let rate = expr::total_derivative(z).map_err(|error| Stop::Refused(error.to_string()))?;
    let energy = Formula::relation(half * m * rate * rate + W, Comparison::Equal, E);
    let start = problem.numbers.as_ref().map(|numbers| (numbers[place], numbers[speed]));
    let course = start.map(|start| numbers::course(auditor, (z, m, W), start));
    let energy_there = start.and_then(|(place, speed)| {
        let at = auditor.loaded.at.with(&[(z, place), (v, speed)]);
        Some(at.value(h)).filter(|value| value.is_finite())
    });
    let constant = |symbol: Expr, meaning: &str, value: Option<f64>| {
        (symbol.to_string(), Constant { meaning: meaning.to_owned(), value })
    };
    let others = problem.q.iter().zip(&auditor.loaded.system.coordinates).filter(|(e, _)| **e != z);
    Ok(ClosedForm {
        kind: FormKind::ByQuadrature,
        motion: others.map(|(&e, one)| (one.name.clone(), Formula::of(e))).collect(),
        observed: Ordered::default(),
        introduced: introduced(problem),
        constants: Ordered(vec![
            constant(first, &problem.meaning[place], start.map(|start| start.0)),
            constant(E, "the integral at the start", energy_there),
        ]),
        conditions: Vec::new(),
        applies: None,
        period: course.as_ref().and_then(|course| course.period.clone()),
        quadrature: Some(Quadrature {
            coordinate: z.to_string(),
            energy,
            time: written(t, problem.t_first, integrand, z, first),
            course,
        }),
        proved: true,
    })
}

/// m and W of (1), once the integral is proved constant; or why there is none.
fn energy(auditor: &Auditor<'_>, problem: &Problem, rates: &[Expr], case: &Case) -> Result<(Expr, Expr), &'static str> {
    let (z, v, t) = (problem.y[0], problem.y[1], problem.t);
    let is_steady = |&rate: &Expr| expr::derivative(rate, t).is_ok_and(|slope| slope.is_zero());
    // what switches at an instant has no slope by time
    if !rates.iter().all(is_steady) || !kinks(rates, &[t]).is_empty() {
        return Err(", and they change with time");
    }
    let G = rates[1];
    let candidates = [jacobi(auditor, problem, case), by_acceleration(auditor, G, z, v)];
    let is_constant = |h: &Expr| {
        let slope = || Some(expr::derivative(*h, z).ok()? * rates[0] + expr::derivative(*h, v).ok()? * G);
        let is_zero =
            |e: Expr| matches!(proof::decide(e, &auditor.assumptions), Verdict::Zero(proof) if !proof.vacuous);
        // across a jump of its own it is another constant
        slope().is_some_and(is_zero) && !jumps(auditor, *h, z)
    };
    let h = candidates.into_iter().flatten().find(is_constant).ok_or(", and no energy integral was found")?;
    let second = |e: Expr| expr::derivative(expr::derivative(e, v).ok()?, v).ok();
    let still = Substitution::new().and(v, Expr::zero());
    let parts = second(h).and_then(|m| Some((still.apply_one(short(m)).ok()?, still.apply_one(h).ok()?)));
    let is_whole = |(m, W): &(Expr, Expr)| !m.is_zero() && (expr::rational(1, 2) * *m * v * v + *W).is_same(h);
    parts.filter(is_whole).ok_or(", and its energy is not quadratic in the rate")
}

/// Does an energy jump on its way along z? Where it is infinite nothing crosses.
fn jumps(auditor: &Auditor<'_>, h: Expr, z: Expr) -> bool {
    let is_crossed = |place: Expr| {
        let root = || {
            let (slope, rest) = expr::linear_coefficients(&[place], &[z]).ok()?;
            (-rest[0]).try_div(slope[0][0]).ok()
        };
        // no value at all is that of an infinite one
        root().is_none_or(|root| auditor.loaded.at.with(&[(z, auditor.loaded.at.value(root))]).value(h).is_finite())
    };
    let places = kinks(&[h], &[z]);
    places.iter().any(|kink| is_crossed(kink.zero)) && crate::jumps::jump(&[h], &auditor.assumptions).is_some()
}

/// z'·∂T/∂z' − T + V of the model, on its constraints.
fn jacobi(auditor: &Auditor<'_>, problem: &Problem, case: &Case) -> Option<Expr> {
    let given = auditor.given;
    let (z, v) = (problem.y[0], problem.y[1]);
    let T = given.thawed(&[given.T().ok()?]).ok()?[0];
    let V = mechanics::balance::potential_energy(&auditor.loaded.system).ok()?;
    let quiet = auditor.inputs().apply(&[T, V]).ok()?;
    let (T, V) = (quiet[0], quiet[1]);
    let rate = expr::total_derivative(z).ok()?;
    let mut map: Substitution = given.q.iter().copied().zip(problem.q.iter().copied()).collect();
    for (&q_dot, &q) in given.q_dot.iter().zip(&problem.q) {
        map.insert(q_dot, expr::total_derivative(q).ok()?);
    }
    let to_v = Substitution::new().and(rate, v);
    let put = |e: Expr| to_v.apply_one(map.apply_one(e).ok()?).ok().and_then(|e| case.put.apply_one(e).ok());
    let (T, V) = (put(T)?, put(V)?);
    Some(v * expr::derivative(T, v).ok()? - T + V)
}

/// ½ v² − ∫ G dz, where the acceleration G is a function of the coordinate alone and in the table of integrals.
fn by_acceleration(auditor: &Auditor<'_>, G: Expr, z: Expr, v: Expr) -> Option<Expr> {
    if !expr::derivative(G, v).ok()?.is_zero() {
        return None;
    }
    let G = short(Substitution::new().and(v, Expr::zero()).apply_one(G).ok()?);
    let U = mechanics::constraint::antiderivative(G, z, &auditor.loaded.anywhere)?;
    Some(v * v / 2 - U)
}

/// t − t₀ = ∫ √… in three languages. The root is written here, so that nothing is taken out of it.
fn written(t: Expr, t_first: Expr, integrand: Expr, z: Expr, first: Expr) -> Written {
    let left = if t_first.is_zero() { t } else { t - t_first };
    // the variable of integration has the name of the coordinate, as books write it
    let latex = format!(
        "{} = \\int_{{{}}}^{{{}}} \\sqrt{{{}}} \\, d{}",
        expr::latex(left),
        expr::latex(first),
        expr::latex(z),
        expr::latex(integrand),
        expr::latex(z)
    );
    let [of_left, of_first, of_z, inner] = [left, first, z, integrand].map(expr::mathml);
    let mathml = format!(
        "<math xmlns=\"http://www.w3.org/1998/Math/MathML\">{of_left}<mo>=</mo><msubsup><mo>∫</mo><mrow>{of_first}</mrow><mrow>{of_z}</mrow></msubsup><msqrt>{inner}</msqrt><mi>d</mi>{of_z}</math>"
    );
    Written { text: format!("{left} = integral(sqrt({integrand}), {z}, {first}, {z})"), latex, mathml }
}
