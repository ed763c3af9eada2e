//! How do rough contacts go on at a state: do they stick, slide, or leave?
//!
//! ```text
//! M q'' = F + Aᵀλ + A_cᵀ f,   A q'' + a0 = 0        A: ideal rows, A_c: normal and slips of the contact      (1)
//! a_c = W f + b                                     by (1), solved for each force alone                      (2)
//! ```
//!
//! [`numeric::coulomb`] finds every way on from (2) for one contact, [`crate::together`] for several. Where there is one,
//! the mode says so: with rows of no slip, or with the friction as a load.

use std::sync::Arc;

use expr::{At, Expr, MathError};
use linear::rank::reduce;
use linear::saddle::constrained;
use linear::tolerance::RANK;
use linear::vector::{add, dot};
use linear::{Matrix, Scale};
use mechanics::chart::ChartKind;
use mechanics::friction::{Grip, Rough, Slip};
use mechanics::ingredients::Ingredients;
use mechanics::rows::{Row, Rows};
use mechanics::standing::rest;
use mechanics::{Mode, Relation, System, Term};
use numeric::coulomb::{Contact, Kind, Way};
use serde::Serialize;

use crate::ground::Ground;

/// Accelerations that are smaller than this, against their terms, are rounding.
const ROUNDING: f64 = 1e-12;
/// Velocities that the rows of contacts cannot have together are missed by more than this, against the largest.
const NUDGED: f64 = 1e-6;

/// The rough contacts that are closed, and every way on.
#[derive(Clone, Debug)]
pub struct Touching {
    /// The contacts.
    pub contacts: Vec<Touched>,
    /// The ways on.
    pub courses: Vec<Course>,
    /// The way on from the edge of the cone, of one contact alone.
    pub edge: Option<Way>,
}

/// A rough contact that is closed.
#[derive(Clone, Debug)]
pub struct Touched {
    /// The contact.
    pub rough: Arc<Rough>,
    /// Whether it slips.
    pub is_slipping: bool,
    /// The determinant of A M⁻¹(Aᵀ + B), relative to that without friction: negative where solvability is lost. The
    /// smallest one where it does not slip, that of all contacts that slip where there are several.
    pub determinant: Option<f64>,
    /// The coefficient μ.
    pub mu: f64,
}

/// One way on.
#[derive(Clone, Debug)]
pub struct Course {
    /// What each rough contact does.
    pub ways: Vec<Way>,
    /// Whether the force of each is determined, and not shared with others.
    pub is_determined: Vec<bool>,
    /// Other one-sided constraints that let go.
    pub opens: Vec<usize>,
    /// The acceleration of each slip of each of several contacts.
    pub starts: Vec<Vec<f64>>,
}

expr::in_words! {
    /// What a contact does.
    pub enum Touch {
        /// It holds.
        Closed = "closed",
        /// It does not touch.
        Open = "open",
        /// It lets go.
        Leaves = "leaves",
        /// It is rough, and does not slip.
        Sticks = "sticks",
        /// It is rough, and slips.
        Slides = "slides",
        /// It is rough, and no acceleration satisfies Coulomb's law.
        Nothing = "none",
        /// It is rough, and two accelerations do.
        Two = "two solutions",
        /// It is rough, and more than two do.
        Several = "several solutions",
    }
}

/// A rough contact.
#[derive(Clone, Debug, Serialize)]
pub struct Friction {
    /// Which one.
    pub contact: String,
    /// What it does.
    pub state: Touch,
    /// The determinant of A M⁻¹(Aᵀ + B), relative to that without friction: solvability is lost where it is negative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub determinant: Option<f64>,
    /// The part of μ N that sticking or sliding needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used: Option<f64>,
}

/// The rough contacts in short: one object in JSON if there is one, else a list.
#[derive(Clone, Debug)]
pub struct Frictions(pub Vec<Friction>);

impl Serialize for Frictions {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0[..] {
            [one] => one.serialize(serializer),
            all => all.serialize(serializer),
        }
    }
}

impl Course {
    /// A way on of one contact alone.
    fn of_one(way: Way) -> Course {
        Course { ways: vec![way], is_determined: vec![true], opens: Vec::new(), starts: Vec::new() }
    }

    /// The mode from here on.
    pub fn mode(&self, system: &System, free: &Mode, contacts: &[Touched]) -> Result<Mode, MathError> {
        let mut mode = free.releasing(&self.opens);
        for (touched, way) in contacts.iter().zip(&self.ways) {
            mode = match grip(way) {
                None => mode.releasing(&[touched.rough.gap]),
                Some(grip) => mode.holding(system, &touched.rough, grip)?,
            };
        }
        Ok(mode)
    }

    /// `sticks`, or `sticks and slides` for several contacts.
    pub fn words(&self) -> String {
        self.ways.iter().map(|way| word(way).word()).collect::<Vec<_>>().join(" and ")
    }
}

impl Touching {
    /// The contacts in short.
    pub fn told(&self) -> Frictions {
        let friction = |(k, touched): (usize, &Touched)| {
            let used = |course: &Course| {
                let way = &course.ways[k];
                let tangential = way.tangential.iter().map(|t| t * t).sum::<f64>().sqrt();
                let part = tangential / (touched.mu * way.normal.abs());
                Some(part).filter(|part| part.is_finite() && course.is_determined[k])
            };
            Friction {
                contact: touched.rough.name.clone(),
                state: self.word(k),
                determinant: touched.determinant,
                used: if let [course] = &self.courses[..] { used(course) } else { None },
            }
        };
        Frictions(self.contacts.iter().enumerate().map(friction).collect())
    }

    /// What a contact does.
    pub fn word(&self, contact: usize) -> Touch {
        match &self.courses[..] {
            [] => Touch::Nothing,
            [one] => word(&one.ways[contact]),
            [_, _] => Touch::Two,
            _ => Touch::Several,
        }
    }

    /// Leaves the way on from the edge of the cone, for one contact.
    pub fn at_the_edge(&mut self) {
        self.courses = self.edge.iter().cloned().map(Course::of_one).collect();
    }

    /// Every contact with its word.
    pub fn words(&self) -> impl Iterator<Item = (String, Touch)> {
        self.contacts.iter().enumerate().map(|(k, touched)| (touched.rough.name.clone(), self.word(k)))
    }

    /// Whether a constraint presses one of the contacts.
    pub fn has(&self, place: usize) -> bool {
        self.contacts.iter().any(|touched| touched.rough.gap == place)
    }

    /// Why there is no motion from here, in words.
    pub fn trouble(&self) -> Option<String> {
        let names: Vec<String> = self.contacts.iter().map(|touched| format!("`{}`", touched.rough.name)).collect();
        let names = names.join(", ");
        let lost = match self.contacts.iter().any(|touched| touched.determinant.is_some_and(|d| d < 0.0)) {
            true => ": solvability is lost here (Painlevé): friction presses what it holds harder onto the plane",
            false => "",
        };
        match &self.courses[..] {
            [_] => None,
            [] => Some(format!("no acceleration satisfies Coulomb's law at {names}{lost}")),
            several => {
                let words: Vec<String> = several.iter().map(Course::words).collect();
                Some(format!("several accelerations satisfy Coulomb's law at {names} ({}){lost}", words.join("; ")))
            }
        }
    }
}

/// What a way on is called.
pub fn word(way: &Way) -> Touch {
    match way.kind {
        Kind::Leaves => Touch::Leaves,
        Kind::Sticks => Touch::Sticks,
        Kind::Slides(_) => Touch::Slides,
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

/// One rough contact, closed alone.
pub(crate) fn alone(ground: &Ground<'_>, mode: &Mode, at: &At, rough: &Arc<Rough>) -> Result<Touching, String> {
    let slips: Vec<Expr> = rough.slips.iter().map(|slip| slip.1).collect();
    let is_slipping = !rest(ground.system, &slips, at);
    let contact = Forces::of(ground, mode, at, &[Own::of(rough)], true)?.contact(rough, at);
    if !contact.matrix.iter().flatten().chain(&contact.free).all(|x| x.is_finite()) {
        return Err(undetermined(&format!("`{}`", rough.name)));
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
    let determinant = Some(determinant);
    Ok(Touching {
        contacts: vec![Touched { rough: Arc::clone(rough), is_slipping, determinant, mu: contact.mu }],
        courses: ways.into_iter().map(Course::of_one).collect(),
        edge: contact.edge(),
    })
}

/// What friction does is not determined.
pub(crate) fn undetermined(name: &str) -> String {
    format!(
        "what the friction at {name} does is not determined: the mass matrix or the constraints are singular at this state"
    )
}

/// The determinant of a contact that slips, relative to that without friction.
pub fn sliding(ground: &Ground<'_>, mode: &Mode, at: &At, rough: &Rough) -> Result<f64, String> {
    let direction = unit(&rough.slips.iter().map(|slip| at.value(slip.1)).collect::<Vec<_>>());
    let forces = Forces::of(ground, mode, at, &[Own::of(rough)], true)?;
    Ok(forces.contact(rough, at).determinant(&direction, 1.0))
}

pub(crate) fn unit(vector: &[f64]) -> Vec<f64> {
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    vector.iter().map(|x| x / length).collect()
}

/// The mode whose contacts slide with the forces that press as expressions of the state: then the friction is a force
/// like others. `None` if nothing slides, or if those expressions are not found.
pub fn explicit(system: &System, mode: &Mode, at: &At) -> Option<Mode> {
    mode.sliding().next()?;
    let rows = Rows::of(system, mode, at).ok()?;
    let given = Ingredients::of(system, mode, &rows, ChartKind::Rates, at);
    let form = mechanics::formalism::formalism("multipliers")?.closed(&given).ok()?;
    let solution = mechanics::agreement::solved(&form.residuals(), &form.all_unknowns(), at)?;
    let mut explicit = mode.clone();
    for held in explicit.held.iter_mut() {
        let Some(sliding) = &held.sliding else { continue };
        let lambda = sliding.rough.lambda(system);
        let value = solution.iter().find(|known| known.0 == lambda)?.1;
        let direction = sliding.rough.slips.first().and_then(|slip| match sliding.slip {
            Slip::Sign(sign) => signed(slip.1, sign),
            _ => None,
        });
        let push = signed(value * sliding.rough.scale, sliding.press);
        held.assumed = direction.into_iter().chain(push).collect();
        held.sliding = Some(sliding.with_multiplier(system, value).ok()?);
    }
    Some(explicit)
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
    /// Its constraint.
    pub constraint: usize,
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
    fn of(row: &Row, at: &At) -> Numbers {
        Numbers {
            name: row.name.clone(),
            constraint: row.constraint,
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

/// A contact whose forces are looked for: its gap, and what slips there.
pub struct Own<'a> {
    /// The name of the contact.
    pub name: &'a str,
    /// The constraint that presses.
    pub gap: usize,
    /// N for a multiplier of one.
    pub scale: Option<Expr>,
    /// What slips.
    pub slips: Vec<Expr>,
}

impl<'a> Own<'a> {
    /// A rough contact.
    pub fn of(rough: &'a Rough) -> Own<'a> {
        let slips = rough.slips.iter().map(|slip| slip.1).collect();
        Own { name: &rough.name, gap: rough.gap, scale: Some(rough.scale), slips }
    }
}

/// (1) in numbers at a state, without the contacts.
pub struct Forces {
    /// M.
    pub mass: Vec<Vec<f64>>,
    /// F.
    force: Vec<f64>,
    /// The ideal rows.
    pub ideal: Vec<Numbers>,
    /// The normal row of each contact, for N in place of its multiplier, and its slips.
    own: Vec<Numbers>,
}

impl Forces {
    /// Everything at a state; without `accelerations` for an impact, where forces do not matter.
    pub fn of(
        ground: &Ground<'_>,
        mode: &Mode,
        at: &At,
        contacts: &[Own<'_>],
        accelerations: bool,
    ) -> Result<Forces, String> {
        let system = ground.system;
        let gaps: Vec<usize> = contacts.iter().map(|own| own.gap).collect();
        let rows = ground.rows(&mode.releasing(&gaps), at);
        let rows = rows.map_err(|_| "the constraints contradict each other".to_owned())?;
        let mut own = Vec::new();
        for contact in contacts {
            let made = |f: Expr| {
                let row = ground.row(contact.name, contact.gap, f).map_err(|error| error.to_string())?;
                Ok::<_, String>(Numbers::of(&row, at))
            };
            let scale = contact.scale.map_or(1.0, |scale| at.value(scale));
            own.push(made(system.constraints[contact.gap].rows[0])?.over(scale));
            for &slip in &contact.slips {
                own.push(made(slip)?);
            }
        }
        let (mass, force) = ground.inertia()?;
        let force = if accelerations { at.values(force) } else { vec![0.0; mass.len()] };
        let ideal = rows.list.iter().map(|row| Numbers::of(row, at)).collect();
        Ok(Forces { mass: at.matrix(mass), force, ideal, own })
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

    /// The least change of the rates, in the metric of the masses, that adds this to the velocities of the rows of the
    /// contacts.
    pub fn nudge(&self, speeds: &[f64]) -> Option<Vec<f64>> {
        let matrix = Matrix::from(&self.matrix());
        let found = reduce(&matrix, speeds, Scale::RowsAndColumns, RANK).ok()?;
        let reactions = found.solution();
        let most = speeds.iter().fold(0.0_f64, |most, speed| most.max(speed.abs()));
        let found = matrix.times_vector(&reactions);
        if found.iter().zip(speeds).any(|(found, wanted)| (found - wanted).abs() > NUDGED * most) {
            return None;
        }
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

    /// b of (2), and how large its terms are.
    pub fn free(&self) -> (Vec<f64>, Vec<f64>) {
        let drifts: Vec<f64> = self.ideal.iter().map(|row| -row.drift).collect();
        let nothing = vec![f64::NAN; self.force.len()];
        let free = self.solve(&self.force, &drifts).unwrap_or(nothing);
        let b = self.own.iter().map(|row| dot(&row.slope, &free) + row.drift).collect();
        // what each force could do alone, though they may balance
        let push = |s: usize| (self.force[s] / self.mass[s][s]).abs();
        let size = |row: &Numbers| {
            let terms = row.slope.iter().enumerate();
            let terms = terms.map(|(s, a)| a.abs() * free[s].abs().max(push(s)));
            terms.filter(|x| x.is_finite()).sum::<f64>() + row.drift.abs()
        };
        (b, self.own.iter().map(size).collect())
    }

    /// (2) for one contact.
    fn contact(&self, rough: &Rough, at: &At) -> Contact {
        let (free, terms) = self.free();
        let noise = ROUNDING * terms.into_iter().fold(0.0, f64::max);
        Contact { matrix: self.matrix(), free, noise, mu: at.value(rough.mu), opens: rough.is_one_sided }
    }
}
