//! How does a rough contact go on at the reference state: does it stick, slide, or leave?
//!
//! ```text
//! M q'' = F + Aᵀλ + A_cᵀ f,   A q'' + a0 = 0        A: ideal rows, A_c: normal and slips of the contact      (1)
//! a_c = W f + b                                     by (1), solved for each force alone                      (2)
//! ```
//!
//! [`numeric::coulomb`] finds every way on from (2). Where there is one, the system is put together that goes on
//! like this: with rows of no slip, or with the friction as a load.

use std::rc::Rc;

use expr::Expr;
use mechanics::chart::ChartKind;
use mechanics::friction::{Grip, Rough, Sliding, Slip};
use mechanics::ingredients::Ingredients;
use mechanics::rows::{Row, Rows};
use mechanics::standing::{rest, standing};
use mechanics::{Relation, System, Term, Vector};
use numeric::coulomb::{Contact, Kind, Way};
use serde::Serialize;

use crate::{BadInput, Loaded};

/// Accelerations that are smaller than this, against their terms, are rounding.
const ROUNDING: f64 = 1e-12;

/// A rough contact that is closed, and every way on.
#[derive(Clone, Debug)]
pub struct Touching {
    /// The contact.
    pub rough: Rc<Rough>,
    /// Whether it slips.
    pub is_slipping: bool,
    /// The ways on.
    pub ways: Vec<Way>,
    /// The way on from the edge of the cone.
    pub edge: Option<Way>,
    /// The determinant of A M⁻¹(Aᵀ + B), relative to that without friction: negative where solvability is lost. The
    /// smallest one where it does not slip.
    pub determinant: f64,
    /// The coefficient μ.
    mu: f64,
}

/// A rough contact.
#[derive(Clone, Debug, Serialize)]
pub struct Friction {
    /// Which one.
    pub contact: String,
    /// `sticks`, `slides`, `leaves`, `two solutions` or `none`.
    pub state: &'static str,
    /// The determinant of A M⁻¹(Aᵀ + B), relative to that without friction: solvability is lost where it is negative.
    pub determinant: f64,
    /// The part of μ N that sticking or sliding needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used: Option<f64>,
}

impl Touching {
    /// The contact in short.
    pub fn told(&self) -> Friction {
        let used = |way: &Way| {
            let tangential = way.tangential.iter().map(|t| t * t).sum::<f64>().sqrt();
            Some(tangential / (self.mu * way.normal.abs())).filter(|part| part.is_finite())
        };
        Friction {
            contact: self.rough.name.clone(),
            state: self.word(),
            determinant: self.determinant,
            used: if let [way] = &self.ways[..] { used(way) } else { None },
        }
    }

    /// `sticks`, `slides`, `leaves`, `none`, `two solutions`.
    pub fn word(&self) -> &'static str {
        match &self.ways[..] {
            [] => "none",
            [one] => word(one),
            _ => "two solutions",
        }
    }

    /// Why there is no motion from here, in words.
    pub fn trouble(&self) -> Option<String> {
        let name = &self.rough.name;
        let lost = "solvability is lost here (Painlevé): friction presses what it holds harder onto the plane";
        match &self.ways[..] {
            [_] => None,
            [] => Some(format!("no acceleration satisfies Coulomb's law at `{name}`: {lost}")),
            several => {
                let words: Vec<&str> = several.iter().map(word).collect();
                Some(format!("several accelerations satisfy Coulomb's law at `{name}` ({}): {lost}", words.join(", ")))
            }
        }
    }
}

/// What a way on is called.
pub fn word(way: &Way) -> &'static str {
    match way.kind {
        Kind::Leaves => "leaves",
        Kind::Sticks => "sticks",
        Kind::Slides(_) => "slides",
    }
}

/// How a way on holds the contact; `None` if it leaves.
pub fn grip(way: &Way) -> Option<Grip> {
    let press = if way.normal < 0.0 { -1 } else { 1 };
    match &way.kind {
        Kind::Leaves => None,
        Kind::Sticks => Some(Grip::Sticks),
        Kind::Slides(direction) => Some(match direction[..] {
            [a, b] => Grip::Slides(press, Slip::Toward([a, b])),
            _ => Grip::Slides(press, Slip::Sign(if direction[0] < 0.0 { -1 } else { 1 })),
        }),
    }
}

/// The same with the direction of the slip as an expression, which has no value where nothing slips yet.
pub fn grip_in_words(way: &Way) -> Option<Grip> {
    grip(way).map(|grip| match grip {
        Grip::Slides(press, Slip::Toward(_)) => Grip::Slides(press, Slip::Velocity),
        grip => grip,
    })
}

/// The rough contacts of a system that are closed at the reference state.
pub fn closed(system: &System, gone: &[usize]) -> Vec<Rc<Rough>> {
    let rough = system.frictions.iter().filter_map(|friction| Rough::of(system, friction).ok());
    let is_closed = |rough: &Rough| {
        let gap = &system.constraints[rough.gap];
        !gone.contains(&rough.gap) && standing(system, gap).is_ok_and(|stand| stand.standing.acts())
    };
    rough.filter(is_closed).map(Rc::new).collect()
}

/// The rough contact that is closed at the reference state, if there is one.
pub fn touching(system: &System, kind: ChartKind, gone: &[usize]) -> Result<Option<Touching>, String> {
    let rough = match &closed(system, gone)[..] {
        [] => return Ok(None),
        [one] => one.clone(),
        [one, two, ..] => {
            return Err(format!(
                "there is friction at `{}` and at `{}` at once: one rough contact may stick or slide at a time",
                one.name, two.name
            ));
        }
    };
    let slips: Vec<Expr> = rough.slips.iter().map(|slip| slip.1).collect();
    let is_slipping = !rest(system, &slips);
    let forces = Forces::of(system, kind, gone, &rough, true)?;
    let contact = forces.contact(&rough);
    if !contact.matrix.iter().flatten().chain(&contact.free).all(|x| x.is_finite()) {
        return Err(format!(
            "what the friction at `{}` does is not determined: the mass matrix or the constraints are singular at this state",
            rough.name
        ));
    }
    let (ways, determinant) = match is_slipping {
        true => {
            let direction = unit(&slips.iter().map(|slip| slip.reference()).collect::<Vec<_>>());
            let ways = contact.slipping(&direction);
            let press = ways.iter().map(|way| way.normal).find(|normal| *normal != 0.0).map_or(1.0, f64::signum);
            (ways, contact.determinant(&direction, press))
        }
        false => {
            let around = contact.matrix[0][1..].iter().map(|w| w * w).sum::<f64>().sqrt();
            (contact.resting(), 1.0 - contact.mu * around / contact.matrix[0][0])
        }
    };
    Ok(Some(Touching { rough, is_slipping, ways, edge: contact.edge(), determinant, mu: contact.mu }))
}

/// The determinant of a contact that slips, relative to that without friction.
pub fn sliding(system: &System, kind: ChartKind, gone: &[usize], rough: &Rough) -> Result<f64, String> {
    let direction = unit(&rough.slips.iter().map(|slip| slip.1.reference()).collect::<Vec<_>>());
    Ok(Forces::of(system, kind, gone, rough, true)?.contact(rough).determinant(&direction, 1.0))
}

fn unit(vector: &[f64]) -> Vec<f64> {
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    vector.iter().map(|x| x / length).collect()
}

/// A model in which the contact goes on like this.
pub fn held(loaded: &Loaded, rough: &Rough, grip: Grip) -> Result<Loaded, String> {
    let system = rough.held(&loaded.system, grip).map_err(|error| error.to_string())?;
    Ok(loaded.with_system(system))
}

/// The model whose contact slides with the force that presses as an expression of the state: then the friction is a force
/// like others. `None` if nothing slides; an error that names the contact if that expression is not found.
pub fn explicit(loaded: &Loaded) -> Result<Option<Loaded>, BadInput> {
    let Some(sliding) = &loaded.system.sliding else { return Ok(None) };
    if let Some(reason) = loaded.touching.as_ref().and_then(Touching::trouble) {
        return Err(BadInput(format!("error: {reason}\nhint: `anholon evaluate` says more; choose another state")));
    }
    let found = || {
        let rows = Rows::without(&loaded.system, &[]).ok()?;
        let given = Ingredients::of(&loaded.system, &rows, ChartKind::Rates);
        let form = (mechanics::formalism::formalism("multipliers")?.derive)(&given).ok()?.closed(&given).ok()?;
        let solution = crate::prove::solved(&form.residuals(), &form.all_unknowns())?;
        let lambda = sliding.rough.lambda(&loaded.system);
        let value = solution.into_iter().find(|known| known.0 == lambda)?;
        let force = Vector(expr::substitute(&sliding.force.0, &[value]).ok()?.try_into().ok()?);
        let mut system = (*loaded.written).clone();
        let rough = &sliding.rough;
        let (on, at, against) = (rough.on, rough.at, rough.against);
        let kind = mechanics::LoadKind::Force { force, along: vec![(0, force)], on, at, against };
        system.loads.push(mechanics::Load { kind, span: system.constraints[rough.gap].span });
        let binding = [rough.slips.first().and_then(|slip| match sliding.slip {
            Slip::Sign(sign) => signed(slip.1, sign),
            _ => None,
        })];
        let push = signed(value.1 * rough.scale, sliding.press);
        system.assumptions.extend(binding.into_iter().flatten().chain(push));
        system.sliding = Some(Sliding { force, ..sliding.clone() });
        Some(loaded.with_system(system))
    };
    found().map(Some).ok_or_else(|| {
        let name = &sliding.rough.name;
        BadInput(format!(
            "error: the normal force at `{name}`, which slides, is not found as an expression\n\
             hint: without the line `friction … on {name}` the other equations can be looked at"
        ))
    })
}

/// That something has a sign, as a model would assume it.
fn signed(e: Expr, sign: i8) -> Option<Relation> {
    let (word, comparison) = match sign < 0 {
        true => ("<", expr::Comparison::Less),
        false => (">", expr::Comparison::Greater),
    };
    let tree = syntax::parse_relation(&format!("{e} {word} 0")).ok()?;
    let (left, right) = (Term::Scalar(e), Term::Scalar(Expr::zero()));
    Some(Relation { left, comparison, right, tree: Rc::new(tree) })
}

/// (1) in numbers, without the contact.
pub struct Forces {
    /// M.
    pub mass: Vec<Vec<f64>>,
    /// F.
    force: Vec<f64>,
    /// The ideal rows.
    pub ideal: Vec<Row>,
    /// Normal row and slips.
    own: Vec<Row>,
}

impl Forces {
    /// Everything at the reference state; without `accelerations` for an impact, where forces do not matter.
    pub fn of(
        system: &System,
        kind: ChartKind,
        gone: &[usize],
        rough: &Rough,
        accelerations: bool,
    ) -> Result<Forces, String> {
        let rows = Rows::without(system, gone).map_err(|_| "the constraints contradict each other".to_owned())?;
        let made = |f: Expr| Row::of(system, &rough.name, rough.gap, f).map_err(|error| error.to_string());
        let gap = made(system.constraints[rough.gap].rows[0])?;
        let own = [Ok(gap)].into_iter().chain(rough.slips.iter().map(|slip| made(slip.1))).collect::<Result<_, _>>()?;
        let given = Ingredients::of(system, &rows, kind);
        let (mass, force) = inertia(&given, accelerations)?;
        drop(given);
        let ideal = rows.list.into_iter().filter(|row| row.constraint != rough.gap).collect();
        Ok(Forces { mass, force, ideal, own })
    }

    /// (1) solved for a force on the coordinates, and what ideal rows have on their right.
    pub fn solve(&self, force: &[f64], right: &[f64]) -> Option<Vec<f64>> {
        let ideal: Vec<&Row> = self.ideal.iter().collect();
        solved(&self.mass, &ideal, force, right).map(|found| found.0)
    }

    /// The rows of the contact in numbers, the normal one for N in place of its multiplier.
    pub fn slopes(&self, rough: &Rough) -> Vec<Vec<f64>> {
        let scale = rough.scale.reference();
        let row = |(place, row): (usize, &Row)| {
            let divisor = if place == 0 { scale } else { 1.0 };
            row.A.iter().map(|a| a.reference() / divisor).collect()
        };
        self.own.iter().enumerate().map(row).collect()
    }

    /// The velocities of the rows of the contact.
    pub fn speeds(&self, rough: &Rough) -> Vec<f64> {
        let scale = rough.scale.reference();
        let speed = |(place, row): (usize, &Row)| {
            let divisor = if place == 0 { scale } else { 1.0 };
            row.velocity.map_or(0.0, |velocity| velocity.reference()) / divisor
        };
        self.own.iter().enumerate().map(speed).collect()
    }

    /// The least change of the rates, in the metric of the masses, that adds this slip and nothing else.
    pub fn nudge(&self, rough: &Rough, slip: &[f64]) -> Option<Vec<f64>> {
        let (slopes, mut right) = (self.slopes(rough), [&[0.0], slip].concat());
        let mut matrix: Vec<f64> = self.matrix(rough).concat();
        if !numeric::linear::eliminate(&mut matrix, &mut right) {
            return None;
        }
        let force: Vec<f64> =
            (0..self.force.len()).map(|s| slopes.iter().zip(&right).map(|(slope, f)| slope[s] * f).sum()).collect();
        self.solve(&force, &vec![0.0; self.ideal.len()])
    }

    /// W of (2), by columns.
    pub fn matrix(&self, rough: &Rough) -> Vec<Vec<f64>> {
        let slopes = self.slopes(rough);
        let still = vec![0.0; self.ideal.len()];
        let nothing = vec![f64::NAN; self.force.len()];
        let columns: Vec<Vec<f64>> =
            slopes.iter().map(|slope| self.solve(slope, &still).unwrap_or_else(|| nothing.clone())).collect();
        slopes.iter().map(|row| columns.iter().map(|column| dot(row, column)).collect()).collect()
    }

    /// (2).
    fn contact(&self, rough: &Rough) -> Contact {
        let slopes = self.slopes(rough);
        let drifts: Vec<f64> = self.ideal.iter().map(|row| -row.drift.reference()).collect();
        let nothing = vec![f64::NAN; self.force.len()];
        let free = self.solve(&self.force, &drifts).unwrap_or(nothing);
        let scale = rough.scale.reference();
        let drift = |place: usize| self.own[place].drift.reference() / if place == 0 { scale } else { 1.0 };
        let b: Vec<f64> = slopes.iter().enumerate().map(|(place, row)| dot(row, &free) + drift(place)).collect();
        // what each force could do alone, though they may balance
        let push = |s: usize| (self.force[s] / self.mass[s][s]).abs();
        let size = |place: usize| {
            let terms = slopes[place].iter().enumerate();
            let terms = terms.map(|(s, a)| a.abs() * free[s].abs().max(push(s)));
            terms.filter(|x| x.is_finite()).sum::<f64>() + drift(place).abs()
        };
        let noise = ROUNDING * (0..b.len()).map(size).fold(0.0, f64::max);
        let (mu, opens) = (rough.mu.reference(), rough.is_one_sided);
        Contact { matrix: self.matrix(rough), free: b, noise, mu, opens }
    }
}

/// Mass matrix, and the forces if they are wanted.
pub fn inertia(given: &Ingredients<'_>, with_forces: bool) -> Result<(Vec<Vec<f64>>, Vec<f64>), String> {
    let text = |error: mechanics::form::FormError| error.to_string();
    let thawed = |list: &[Expr]| given.thawed(list).map_err(|error| error.to_string());
    let E = thawed(given.E().map_err(text)?)?;
    let (mass, rest) = expr::linear_coefficients(&E, &given.q_ddot).map_err(|error| error.to_string())?;
    let mass = mass.iter().map(|row| row.iter().map(|entry| entry.reference()).collect()).collect();
    let force = match with_forces {
        true => {
            let Q = thawed(given.Q().map_err(text)?)?;
            Q.iter().zip(&rest).map(|(force, rest)| force.reference() - rest.reference()).collect()
        }
        false => vec![0.0; given.q.len()],
    };
    Ok((mass, force))
}

/// M x = force + Aᵀ Λ and A x = right: x and Λ.
pub fn solved(mass: &[Vec<f64>], rows: &[&Row], force: &[f64], right: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
    let (n, m) = (mass.len(), rows.len());
    let size = n + m;
    let (mut matrix, mut right) = (vec![0.0; size * size], [force, right].concat());
    for i in 0..n {
        matrix[i * size..i * size + n].copy_from_slice(&mass[i]);
    }
    for (i, row) in rows.iter().enumerate() {
        for j in 0..n {
            let slope = row.A[j].reference();
            matrix[(n + i) * size + j] = slope;
            matrix[j * size + n + i] = -slope;
        }
    }
    let is_regular = numeric::linear::saddle(&mut matrix, &mut right, n, &mut Vec::new());
    is_regular.then(|| (right[..n].to_vec(), right[n..].to_vec()))
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
