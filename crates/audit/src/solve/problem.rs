//! The equations of motion as first-order equations y' = H(y, t), with no constraint left.
//!
//! ```text
//! q = q(z, t)                       geometric constraints are spent (place.rs)
//! z' = N(z, t) v + n(z, t)          constraints on rates are spent (velocities.rs)
//! v' = V(z, v, t)                   by the accelerations that the model's equations give       y = (z, v)   (1)
//! ```

use expr::{At, Expr, MathError, Substitution};

use super::place::{Angle, Place, fresh};
use super::velocities::Velocities;
use crate::audit::Auditor;

/// Equations with more operations are not looked at.
const MOST: usize = 2_000;

/// Equations (1).
pub struct Problem {
    /// The unknowns: coordinates that are left, then velocities.
    pub y: Vec<Expr>,
    /// How many of them are coordinates.
    pub coordinates: usize,
    /// H.
    pub rates: Vec<Expr>,
    /// The coordinates of the model by z and t, in their order.
    pub q: Vec<Expr>,
    /// What the velocities among y are, by coordinates, rates and time.
    pub definitions: Vec<Expr>,
    /// The constants of integration: the values of y at the start, as symbols.
    pub first: Vec<Expr>,
    /// What they are at the start of the model, if it has numbers.
    pub numbers: Option<Vec<f64>>,
    /// What each of them is, in words.
    pub meaning: Vec<String>,
    /// New angles: name, cosine and sine.
    pub angles: Vec<Angle>,
    /// The time, and the time at the start.
    pub t: Expr,
    /// The time at the start, exactly.
    pub t_first: Expr,
}

impl Problem {
    /// The equations of a model, in each choice of velocities; or why there are none.
    pub fn all(auditor: &Auditor<'_>) -> Result<Vec<Problem>, String> {
        let (given, system) = (auditor.given, &auditor.loaded.system);
        if auditor.rows.list.iter().any(|row| row.order == 2) {
            return Err("a constraint of second order acts".to_owned());
        }
        if !auditor.chart.branches.is_empty() || !auditor.chart.linear {
            return Err("a constraint or a speed is not linear in the rates".to_owned());
        }
        if let Some(function) = system.functions().next() {
            return Err(format!("of `{}` only the arguments are known", function.name));
        }
        let t = system.time;
        let is_taken = |name: &str| system.declares(name);
        let geometric: Vec<(String, Expr)> =
            auditor.rows.list.iter().filter(|row| row.order == 0).map(|row| (row.name.clone(), row.f)).collect();
        let place = Place::of(&given.q, &geometric, t, &is_taken)?;
        let all_dotted = |list: &[Expr]| list.iter().map(|&e| dotted(e)).collect::<Result<Vec<_>, _>>();
        let q_dot = all_dotted(&place.q)?;
        let mut on_place: Substitution = given.q.iter().copied().zip(place.q.iter().copied()).collect();
        on_place.extend(given.q_dot.iter().copied().zip(q_dot));
        let rows: Vec<Expr> = auditor.rows.list.iter().filter(|row| row.order == 1).map(|row| row.f).collect();
        let rows = on_place.apply(&rows).map_err(text)?;
        let z_dot = all_dotted(&place.z)?;
        let (at, number) = (&auditor.loaded.at, |at: &At, e: Expr| Some(at.value(e)).filter(|x| x.is_finite()));
        // where the new angles are at the start
        let mut known: Vec<(Expr, f64)> = Vec::new();
        for angle in &place.angles {
            let [cos, sin] = angle.cos_sin.map(|e| number(at, e));
            known.push((angle.phi, sin.unwrap_or(0.0).atan2(cos.unwrap_or(1.0))));
        }
        let here = auditor.loaded.anywhere.with(&known);
        let choices = Velocities::of(&place.z, &z_dot, &rows, t, &here)?;
        let (mut found, mut why) = (Vec::new(), None);
        for choice in choices {
            match Problem::of(auditor, &place, choice, &on_place, &known) {
                Ok(problem) => found.push(problem),
                Err(error) => why = why.or(Some(error)),
            }
        }
        if found.is_empty() { Err(why.unwrap_or_default()) } else { Ok(found) }
    }

    fn of(
        auditor: &Auditor<'_>,
        place: &Place,
        velocities: Velocities,
        on_place: &Substitution,
        angles: &[(Expr, f64)],
    ) -> Result<Problem, String> {
        let loaded = auditor.loaded;
        let H = rates(auditor, place, &velocities, on_place)?;
        let Velocities { v, names, forward, .. } = velocities;
        let is_taken = |name: &str| loaded.system.declares(name) || place.z.iter().any(|z| z.to_string() == name);
        let constant = |name: String| expr::parameter(&fresh(&plain(&name), &is_taken));
        let mut first: Vec<Expr> = place.z.iter().map(|z| constant(format!("{z}_0"))).collect();
        first.extend(names.iter().map(|name| constant(if name == "v" { "v_0".to_owned() } else { name.clone() })));
        let mut meaning: Vec<String> = place.z.iter().map(|z| format!("{z} at the start")).collect();
        meaning.extend(forward.iter().map(|definition| format!("{} at the start", definition.brief())));
        let mut here: Vec<(Expr, f64)> = angles.to_vec();
        for &(phi, _) in angles {
            here.push((dotted(phi)?, loaded.at.with(angles).value(rate(place, phi)?)));
        }
        let here = loaded.at.with(&here);
        // what rounding alone leaves is zero
        let value = |e: &Expr| {
            let value = here.value(*e);
            if value.abs() <= 4.0 * f64::EPSILON * here.size(*e) { 0.0 } else { value }
        };
        let numbers = loaded.has_numbers().then(|| place.z.iter().chain(&forward).map(value).collect::<Vec<f64>>());
        Ok(Problem {
            coordinates: place.z.len(),
            y: place.z.iter().chain(&v).copied().collect(),
            rates: H,
            definitions: forward,
            q: place.q.clone(),
            first,
            numbers: numbers.filter(|list| list.iter().all(|x| x.is_finite())),
            meaning,
            angles: place.angles.iter().map(|one| Angle { phi: one.phi, cos_sin: one.cos_sin }).collect(),
            t: loaded.system.time,
            t_first: loaded.start.time.exact.unwrap_or(Expr::zero()),
        })
    }
}

fn text(error: MathError) -> String {
    error.to_string()
}

fn dotted(e: Expr) -> Result<Expr, String> {
    expr::total_derivative(e).map_err(text)
}

/// z' by q and q': of an angle it follows from cos φ and sin φ.
fn rate(place: &Place, z: Expr) -> Result<Expr, String> {
    match place.angles.iter().find(|angle| angle.phi == z) {
        Some(angle) => {
            let [cos, sin] = angle.cos_sin;
            Ok(z.cos() * dotted(sin)? - z.sin() * dotted(cos)?)
        }
        None => dotted(z),
    }
}

/// H of (1).
fn rates(
    auditor: &Auditor<'_>,
    place: &Place,
    velocities: &Velocities,
    on_place: &Substitution,
) -> Result<Vec<Expr>, String> {
    let (given, chart) = (auditor.given, auditor.chart);
    // accelerations q'' by q, u, t; then u by q', q by z
    let q_ddot = auditor.solution.put(&given.q_ddot).ok_or("the accelerations have no value")?;
    let q_ddot = auditor.inputs().apply(&q_ddot).map_err(text)?;
    let speeds: Substitution =
        chart.u.iter().copied().zip(chart.forward.iter().copied()).filter(|(u, by)| u != by).collect();
    let q_ddot = speeds.apply(&q_ddot).map_err(text)?;
    let moving = given.q_ddot.iter().copied().zip(q_ddot).collect::<Substitution>();
    let (mut by_v, mut z_ddot) = (Substitution::new(), Substitution::new());
    for (&z, &by) in place.z.iter().zip(&velocities.rates) {
        let z_dot = dotted(z)?;
        let second = moving.apply_one(dotted(rate(place, z)?)?).map_err(text)?;
        z_ddot.insert(dotted(z_dot)?, on_place.apply_one(second).map_err(text)?);
        by_v.insert(z_dot, by);
    }
    let mut H = velocities.rates.clone();
    for &definition in &velocities.forward {
        H.push(z_ddot.apply_one(dotted(definition)?).map_err(text)?);
    }
    let H = by_v.apply(&H).map_err(text)?;
    let operations: usize = H.iter().map(|e| e.operations()).sum();
    if operations > MOST {
        return Err(format!("the equations of motion are too long to be solved: {operations} operations"));
    }
    let system = &auditor.loaded.system;
    let loose = |symbol: &Expr| {
        system.inputs.iter().any(|one| one.symbol == *symbol) || system.unknowns.iter().any(|one| one.symbol == *symbol)
    };
    match H.iter().flat_map(|e| e.symbols()).find(loose) {
        Some(symbol) => Err(format!("`{symbol}` acts on the motion and has no value")),
        None => Ok(H),
    }
}

/// A name without brackets: `x[2]` becomes `x2`.
fn plain(name: &str) -> String {
    name.replace(['[', ']'], "").replace(',', "_")
}
