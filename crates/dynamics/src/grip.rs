//! How does a rough contact go on at a state: does it stick, slide, or leave?
//!
//! ```text
//! M q'' = F + Aᵀλ + A_cᵀ f,   A q'' + a0 = 0        A: ideal rows, A_c: normal and slips of the contact      (1)
//! a_c = W f + b                                     by (1), solved for each force alone                      (2)
//! ```
//!
//! [`numeric::coulomb`] finds every way on from (2). Where there is one, the mode says so: with rows of no slip, or
//! with the friction as a load.

use std::sync::Arc;

use expr::{At, Expr};
use linear::Matrix;
use linear::saddle::constrained;
use linear::vector::{add, dot};
use mechanics::chart::ChartKind;
use mechanics::friction::{Grip, Rough, Slip};
use mechanics::ingredients::Ingredients;
use mechanics::rows::{Row, Rows};
use mechanics::standing::rest;
use mechanics::{Held, Mode, Relation, System, Term};
use numeric::coulomb::{Contact, Kind, Way};
use serde::Serialize;

/// Accelerations that are smaller than this, against their terms, are rounding.
const ROUNDING: f64 = 1e-12;

/// A rough contact that is closed, and every way on.
#[derive(Clone, Debug)]
pub struct Touching {
    /// The contact.
    pub rough: Arc<Rough>,
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

/// The rough contacts of a system that are closed in a mode.
pub fn closed(system: &System, mode: &Mode, at: &At) -> Vec<Arc<Rough>> {
    let rough = system.frictions.iter().filter_map(|friction| Rough::of(system, friction, at).ok());
    let is_closed = |rough: &Rough| !mode.released.contains(&rough.gap) && mode.standing[rough.gap].acts();
    rough.filter(is_closed).map(Arc::new).collect()
}

/// The rough contact that is closed at a state, in a mode that does not say yet how it holds.
pub fn touching(system: &System, mode: &Mode, at: &At, kind: ChartKind) -> Result<Option<Touching>, String> {
    let rough = match &closed(system, mode, at)[..] {
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
    let is_slipping = !rest(system, &slips, at);
    let contact = Forces::of(system, mode, at, kind, &rough, true)?.contact(&rough);
    if !contact.matrix.iter().flatten().chain(&contact.free).all(|x| x.is_finite()) {
        return Err(format!(
            "what the friction at `{}` does is not determined: the mass matrix or the constraints are singular at this state",
            rough.name
        ));
    }
    let (ways, determinant) = match is_slipping {
        true => {
            let direction = unit(&at.values(&slips));
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
pub fn sliding(system: &System, mode: &Mode, at: &At, kind: ChartKind, rough: &Rough) -> Result<f64, String> {
    let direction = unit(&rough.slips.iter().map(|slip| at.value(slip.1)).collect::<Vec<_>>());
    Ok(Forces::of(system, mode, at, kind, rough, true)?.contact(rough).determinant(&direction, 1.0))
}

fn unit(vector: &[f64]) -> Vec<f64> {
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    vector.iter().map(|x| x / length).collect()
}

/// The mode whose contact slides with the force that presses as an expression of the state: then the friction is a
/// force like others. `None` if nothing slides, or if that expression is not found.
pub fn explicit(system: &System, mode: &Mode, at: &At) -> Option<Mode> {
    let sliding = mode.sliding()?;
    let rows = Rows::of(system, mode, at).ok()?;
    let given = Ingredients::of(system, mode, &rows, ChartKind::Rates, at);
    let form = mechanics::formalism::formalism("multipliers")?.closed(&given).ok()?;
    let solution = mechanics::agreement::solved(&form.residuals(), &form.all_unknowns(), at)?;
    let lambda = sliding.rough.lambda(system);
    let (_, value) = solution.into_iter().find(|known| known.0 == lambda)?;
    let direction = sliding.rough.slips.first().and_then(|slip| match sliding.slip {
        Slip::Sign(sign) => signed(slip.1, sign),
        _ => None,
    });
    let push = signed(value * sliding.rough.scale, sliding.press);
    let assumed = direction.into_iter().chain(push).collect();
    let sliding = Some(sliding.with_multiplier(system, value).ok()?);
    let held = Held { sliding, assumed, ..mode.held.clone()? };
    Some(Mode { held: Some(held), ..mode.clone() })
}

/// That something has a sign, as a model would assume it.
fn signed(e: Expr, sign: i8) -> Option<Relation> {
    let (word, comparison) = match sign < 0 {
        true => ("<", expr::Comparison::Less),
        false => (">", expr::Comparison::Greater),
    };
    let tree = syntax::parse_relation(&format!("{e} {word} 0")).ok()?;
    let (left, right) = (Term::Scalar(e), Term::Scalar(Expr::zero()));
    Some(Relation { left, comparison, right, tree: Arc::new(tree) })
}

/// A row in numbers.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// Its name.
    pub name: String,
    /// Whether its multiplier may not be negative.
    pub is_one_sided: bool,
    /// Whether it says something about rates.
    pub has_speed: bool,
    /// A.
    pub slope: Vec<f64>,
    /// Its velocity.
    pub speed: f64,
    /// a0.
    pub drift: f64,
}

impl Numbers {
    /// A row at a state.
    fn of(row: &Row, system: &System, at: &At) -> Numbers {
        Numbers {
            name: row.name.clone(),
            is_one_sided: row.is_one_sided(system),
            has_speed: row.velocity.is_some(),
            slope: at.values(&row.A),
            speed: row.velocity.map_or(0.0, |velocity| at.value(velocity)),
            drift: at.value(row.drift),
        }
    }

    /// The row for a multiplier in other units.
    fn over(mut self, scale: f64) -> Numbers {
        self.slope.iter_mut().for_each(|slope| *slope /= scale);
        Numbers { speed: self.speed / scale, drift: self.drift / scale, ..self }
    }
}

/// (1) in numbers at a state, without the contact.
pub struct Forces {
    /// M.
    pub mass: Vec<Vec<f64>>,
    /// F.
    force: Vec<f64>,
    /// The ideal rows.
    pub ideal: Vec<Numbers>,
    /// The normal row for N in place of its multiplier, and the slips.
    own: Vec<Numbers>,
    /// The coefficient μ.
    pub mu: f64,
}

impl Forces {
    /// Everything at a state; without `accelerations` for an impact, where forces do not matter.
    pub fn of(
        system: &System,
        mode: &Mode,
        at: &At,
        kind: ChartKind,
        rough: &Rough,
        accelerations: bool,
    ) -> Result<Forces, String> {
        let rows = Rows::of(system, mode, at).map_err(|_| "the constraints contradict each other".to_owned())?;
        let made = |f: Expr| {
            let row = Row::of(system, &rough.name, rough.gap, f).map_err(|error| error.to_string())?;
            Ok::<_, String>(Numbers::of(&row, system, at))
        };
        let mut own = vec![made(system.constraints[rough.gap].rows[0])?.over(at.value(rough.scale))];
        for slip in &rough.slips {
            own.push(made(slip.1)?);
        }
        let given = Ingredients::of(system, mode, &rows, kind, at);
        let (mass, force) = inertia(&given, accelerations)?;
        drop(given);
        let ideal = rows.list.iter().filter(|row| row.constraint != rough.gap).map(|row| Numbers::of(row, system, at));
        Ok(Forces { mass, force, ideal: ideal.collect(), own, mu: at.value(rough.mu) })
    }

    /// (1) solved for a force on the coordinates, and what ideal rows have on their right.
    pub fn solve(&self, force: &[f64], right: &[f64]) -> Option<Vec<f64>> {
        let ideal = Matrix::of_width(force.len(), self.ideal.iter().map(|row| &row.slope));
        constrained(&Matrix::from(&self.mass), &ideal, force, right).ok().map(|found| found.0)
    }

    /// The rows of the contact.
    pub fn slopes(&self) -> Vec<&[f64]> {
        self.own.iter().map(|row| &row.slope[..]).collect()
    }

    /// The velocities of the rows of the contact.
    pub fn speeds(&self) -> Vec<f64> {
        self.own.iter().map(|row| row.speed).collect()
    }

    /// The least change of the rates, in the metric of the masses, that adds this slip and nothing else.
    pub fn nudge(&self, slip: &[f64]) -> Option<Vec<f64>> {
        let reactions = linear::solve(self.matrix(), &[&[0.0], slip].concat()).ok()?;
        let mut force = vec![0.0; self.force.len()];
        self.slopes().iter().zip(&reactions).for_each(|(slope, &f)| add(&mut force, f, slope));
        self.solve(&force, &vec![0.0; self.ideal.len()])
    }

    /// W of (2), by columns.
    pub fn matrix(&self) -> Vec<Vec<f64>> {
        let (slopes, still) = (self.slopes(), vec![0.0; self.ideal.len()]);
        let nothing = vec![f64::NAN; self.force.len()];
        let columns: Vec<Vec<f64>> =
            slopes.iter().map(|slope| self.solve(slope, &still).unwrap_or_else(|| nothing.clone())).collect();
        slopes.iter().map(|row| columns.iter().map(|column| dot(row, column)).collect()).collect()
    }

    /// (2).
    fn contact(&self, rough: &Rough) -> Contact {
        let drifts: Vec<f64> = self.ideal.iter().map(|row| -row.drift).collect();
        let nothing = vec![f64::NAN; self.force.len()];
        let free = self.solve(&self.force, &drifts).unwrap_or(nothing);
        let b: Vec<f64> = self.own.iter().map(|row| dot(&row.slope, &free) + row.drift).collect();
        // what each force could do alone, though they may balance
        let push = |s: usize| (self.force[s] / self.mass[s][s]).abs();
        let size = |row: &Numbers| {
            let terms = row.slope.iter().enumerate();
            let terms = terms.map(|(s, a)| a.abs() * free[s].abs().max(push(s)));
            terms.filter(|x| x.is_finite()).sum::<f64>() + row.drift.abs()
        };
        let noise = ROUNDING * self.own.iter().map(size).fold(0.0, f64::max);
        Contact { matrix: self.matrix(), free: b, noise, mu: self.mu, opens: rough.is_one_sided }
    }
}

/// Mass matrix, and the forces if they are wanted, where the ingredients are regular.
pub fn inertia(given: &Ingredients<'_>, with_forces: bool) -> Result<(Vec<Vec<f64>>, Vec<f64>), String> {
    let (text, at) = (|error: mechanics::form::FormError| error.to_string(), given.at);
    let thawed = |list: &[Expr]| given.thawed(list).map_err(|error| error.to_string());
    let E = thawed(given.E().map_err(text)?)?;
    let (mass, rest) = expr::linear_coefficients(&E, &given.q_ddot).map_err(|error| error.to_string())?;
    let force = match with_forces {
        true => {
            let Q = thawed(given.Q().map_err(text)?)?;
            Q.iter().zip(&rest).map(|(&force, &rest)| at.value(force) - at.value(rest)).collect()
        }
        false => vec![0.0; given.q.len()],
    };
    Ok((at.matrix(&mass), force))
}
