//! What does an impact do to the rates? A one-sided constraint closes, or a constraint begins to act.
//!
//! ```text
//! M (q'₊ − q'₋) = Aᵀ Λ                                 for all rows that act and those that close          (1)
//! A q'₊ + ∂f/∂t = −e (A q'₋ + ∂f/∂t)                   Newton's law; e = 0 where nothing is said           (2)
//! Λ ≥ 0, or the row opens: A q'₊ + ∂f/∂t ≥ −e (…)      for one-sided rows, all together                    (3)
//! T₋ − T₊                                              the energy that is lost; Carnot's for e = 0         (4)
//! ```
//!
//! A rough contact that closes alone has an impulse inside the cone of friction, or on its edge against the slip after the
//! impact; this is the problem of [`numeric::coulomb`] with velocities in place of accelerations.

use std::rc::Rc;
use std::sync::Arc;

use expr::At;
use linear::Matrix;
use linear::saddle::constrained;
use linear::vector::{add, dot};
use mechanics::friction::Rough;
use mechanics::rows::{Row, Rows, RowsError};
use mechanics::{Mode, System};
use numeric::coulomb::{Contact, Kind};

use dynamics::Dynamics;
use dynamics::grip::{self, Forces};
use engine::Ordered;

/// Impulses and energies that are smaller than this, against the others, are rounding.
const SMALL: f64 = 1e-9;
/// So many one-sided rows may meet in one impact.
const MOST: usize = 12;

/// What an impact does.
pub struct Blow {
    /// The change of the rates.
    pub jump: Vec<f64>,
    /// The impulses Λ by row.
    pub impulses: Ordered<f64>,
    /// The energy that is lost (4).
    pub energy_lost: f64,
    /// One-sided constraints that open (3).
    pub opened: Vec<usize>,
    /// Whether something bounces.
    pub bounces: bool,
}

/// What meets at a state: these constraints close or begin.
pub struct Meeting<'a> {
    /// What acts before, without what has let go.
    pub mode: &'a Mode,
    /// The state before.
    pub at: &'a At,
    /// What closes.
    pub closing: &'a [usize],
    /// Whether (2) holds with the e of the model; otherwise nothing bounces.
    pub is_elastic: bool,
}

/// The impact at a state.
pub fn impact(dynamics: &Dynamics<'_>, meeting: &Meeting<'_>) -> Result<Blow, String> {
    let (system, closing) = (dynamics.system, meeting.closing);
    let rough = system.frictions.iter().filter_map(|friction| Rough::of(system, friction, meeting.at).ok());
    let rough: Vec<Rough> = rough.filter(|rough| closing.contains(&rough.gap)).collect();
    match (&rough[..], closing) {
        ([rough], [_]) => rough_impact(dynamics, rough, meeting),
        ([rough, ..], _) => Err(format!(
            "`{}` is rough, and another constraint closes at the same instant: several impacts at once are solved without \
             friction only",
            rough.name
        )),
        ([], _) => smooth_impact(dynamics, meeting),
    }
}

/// The coefficient e of a constraint.
fn restitution(system: &System, place: usize, meeting: &Meeting<'_>) -> f64 {
    let name = &system.constraints[place].name;
    let said = system.restitutions.iter().find(|one| one.on == *name).filter(|_| meeting.is_elastic);
    said.map_or(0.0, |one| meeting.at.value(one.value))
}

/// All rows that close or act have no friction: the first set of them that opens and satisfies (1) to (3).
fn smooth_impact(dynamics: &Dynamics<'_>, meeting: &Meeting<'_>) -> Result<Blow, String> {
    let (system, at) = (dynamics.system, meeting.at);
    let all = rows_without(dynamics, meeting, &[])
        .map_err(|_| "the constraints that meet there contradict each other".to_owned())?;
    let smooth = Smooth { dynamics, meeting, mass: at.matrix(dynamics.mass()?), before: at.values(&system.q_dot()) };
    let one_sided = all.list.iter().chain(&all.left_out).chain(&all.slack);
    let one_sided: Vec<&Row> = one_sided.filter(|row| row.is_one_sided(system)).collect();
    if one_sided.len() > MOST {
        return Err(format!(
            "{} one-sided constraints meet at one instant; {MOST} at most are treated",
            one_sided.len()
        ));
    }
    // All sets of rows that open, the smaller ones first.
    let mut sets: Vec<u32> = (0..1_u32 << one_sided.len()).collect();
    sets.sort_by_key(|set| set.count_ones());
    let mut is_singular = false;
    for set in sets {
        let gaps: Vec<&Row> = (0..one_sided.len()).filter(|k| set >> k & 1 == 1).map(|k| one_sided[k]).collect();
        match smooth.strike(&gaps)? {
            Strike::Holds(blow) => return Ok(blow),
            Strike::IsSingular => is_singular = true,
            Strike::Fails => {}
        }
    }
    Err(match is_singular {
        true => "the impact is not determined: the constraints that meet there depend on each other".to_owned(),
        false => "no impulses satisfy Newton's law for all the constraints that meet there".to_owned(),
    })
}

/// The rows that act when those that close have closed, but for some that open.
fn rows_without(dynamics: &Dynamics<'_>, meeting: &Meeting<'_>, opened: &[usize]) -> Result<Rc<Rows>, RowsError> {
    let system = dynamics.system;
    let slips = |gap: usize| {
        let all = mechanics::contact::slips_with(system, gap).into_iter();
        all.filter(|&place| !system.constraints[place].is_rough)
    };
    let closing = meeting.closing.iter().copied().filter(|place| !opened.contains(place));
    let closing: Vec<usize> = closing.flat_map(|gap| std::iter::once(gap).chain(slips(gap))).collect();
    dynamics.rows(&meeting.mode.closing(&closing).releasing(opened), meeting.at)
}

/// An impact without friction.
struct Smooth<'a, 'b> {
    dynamics: &'a Dynamics<'b>,
    meeting: &'a Meeting<'a>,
    mass: Vec<Vec<f64>>,
    /// The rates before.
    before: Vec<f64>,
}

/// What comes of some rows opening.
enum Strike {
    Holds(Blow),
    /// (1) and (2) have no unique solution.
    IsSingular,
    /// The rows contradict each other, or (3) does not hold.
    Fails,
}

impl Smooth<'_, '_> {
    /// A q'₋ + ∂f/∂t.
    fn speed(&self, row: &Row) -> f64 {
        row.velocity.map_or(0.0, |velocity| self.meeting.at.value(velocity))
    }

    /// The e of a row in (2).
    fn e(&self, row: &Row) -> f64 {
        match self.meeting.closing.contains(&row.constraint) {
            true => restitution(self.dynamics.system, row.constraint, self.meeting),
            false => 0.0,
        }
    }

    /// Solves (1) and (2) with these rows open, and looks whether (3) holds.
    fn strike(&self, gaps: &[&Row]) -> Result<Strike, String> {
        let (system, at) = (self.dynamics.system, self.meeting.at);
        let opened: Vec<usize> = gaps.iter().map(|row| row.constraint).collect();
        let Ok(made) = rows_without(self.dynamics, self.meeting, &opened) else { return Ok(Strike::Fails) };
        let kept: Vec<&Row> = made.list.iter().filter(|row| row.velocity.is_some()).collect();
        let right: Vec<f64> = kept.iter().map(|row| -(1.0 + self.e(row)) * self.speed(row)).collect();
        let n = self.before.len();
        let slopes = Matrix::of_width(n, kept.iter().map(|row| at.values(&row.A)));
        let Ok((jump, impulses)) = constrained(&Matrix::from(&self.mass), &slopes, &vec![0.0; n], &right) else {
            return Ok(Strike::IsSingular);
        };
        let largest = impulses.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let pushes = |(row, impulse): (&&Row, &f64)| !row.is_one_sided(system) || *impulse >= -SMALL * largest;
        let stays_open = |row: &&Row| {
            let change: f64 = dot(&at.values(&row.A), &jump);
            let size = self.speed(row).abs() + change.abs();
            self.speed(row) + change >= -self.e(row) * self.speed(row) - SMALL * size
        };
        if !kept.iter().zip(&impulses).all(pushes) || !gaps.iter().all(stays_open) {
            return Ok(Strike::Fails);
        }
        self.refuse_friction(&kept, &impulses, SMALL * largest)?;
        let bounces = kept.iter().any(|row| self.e(row) > 0.0);
        Ok(Strike::Holds(blow(&self.mass, &self.before, jump, named(&kept, &impulses), opened, bounces)))
    }

    /// Refuses an impact that presses on a rough contact.
    fn refuse_friction(&self, kept: &[&Row], impulses: &[f64], small: f64) -> Result<(), String> {
        let pressed = |rough: &&Arc<Rough>| {
            let own = kept.iter().zip(impulses).find(|(row, _)| row.constraint == rough.gap);
            own.is_some_and(|(_, impulse)| impulse.abs() > small)
        };
        match grip::closed(self.dynamics.system, self.meeting.mode, self.meeting.at).iter().find(pressed) {
            None => Ok(()),
            Some(rough) => Err(format!(
                "the impact presses on `{}`, which is rough: its friction in an impact with others is not treated",
                rough.name
            )),
        }
    }
}

/// A rough contact closes alone.
fn rough_impact(dynamics: &Dynamics<'_>, rough: &Rough, meeting: &Meeting<'_>) -> Result<Blow, String> {
    let (system, at) = (dynamics.system, meeting.at);
    let forces = Forces::of(system, meeting.mode, at, dynamics.kind, rough, false)?;
    let (slopes, matrix) = (forces.slopes(), forces.matrix());
    let before = at.values(&system.q_dot());
    let e = restitution(system, rough.gap, meeting);
    let speeds = forces.speeds();
    let mut free = speeds.clone();
    free[0] *= 1.0 + e;
    let size = speeds.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    let contact = Contact { matrix, free, noise: 1e-12 * size, mu: forces.mu, opens: true };
    let ways: Vec<_> = contact.resting().into_iter().filter(|way| way.kind != Kind::Leaves).collect();
    let [way] = &ways[..] else {
        let count = if ways.is_empty() { "no impulse satisfies" } else { "several impulses satisfy" };
        return Err(format!("{count} Coulomb's law in the impact at `{}`", rough.name));
    };
    let impulse = [&[way.normal], &way.tangential[..]].concat();
    let mut force = vec![0.0; before.len()];
    slopes.iter().zip(&impulse).for_each(|(slope, &f)| add(&mut force, f, slope));
    let ideal: Vec<&grip::Numbers> = forces.ideal.iter().filter(|row| row.has_speed).collect();
    let rows = Matrix::of_width(before.len(), ideal.iter().map(|row| &row.slope));
    let (jump, others) = constrained(&Matrix::from(&forces.mass), &rows, &force, &vec![0.0; ideal.len()])
        .map_err(|_| "the impact is not determined: the constraints that meet there depend on each other")?;
    let pulls = |(row, impulse): (&&grip::Numbers, &f64)| row.is_one_sided && *impulse < -SMALL * way.normal.abs();
    if let Some((row, _)) = ideal.iter().zip(&others).find(|(row, impulse)| pulls((row, impulse))) {
        return Err(format!(
            "the impact at `{}`, which is rough, would pull at `{}`: with friction that is not treated",
            rough.name, row.name
        ));
    }
    let constraint = &system.constraints[rough.gap];
    let own = std::iter::once(mechanics::rows::row_name(constraint, 0))
        .chain((1..impulse.len()).map(|k| format!("{}.slip{k}", rough.name)));
    let mut impulses: Vec<(String, f64)> = own.zip(impulse).collect();
    impulses.extend(ideal.iter().map(|row| row.name.clone()).zip(others));
    let made = blow(&forces.mass, &before, jump, Ordered(impulses), Vec::new(), e > 0.0);
    let kinetic = energy(&forces.mass, &before);
    if made.energy_lost < -SMALL * kinetic {
        return Err(format!(
            "Newton's law of impact with e = {e} and friction would create energy at `{}`: it does not describe this impact",
            rough.name
        ));
    }
    Ok(made)
}

fn named(rows: &[&Row], impulses: &[f64]) -> Ordered<f64> {
    rows.iter().zip(impulses).map(|(row, &impulse)| (row.name.clone(), impulse)).collect()
}

/// ½ q'ᵀ M q'.
fn energy(mass: &[Vec<f64>], rates: &[f64]) -> f64 {
    0.5 * mass.iter().zip(rates).map(|(row, rate)| rate * dot(row, rates)).sum::<f64>()
}

fn blow(
    mass: &[Vec<f64>],
    before: &[f64],
    jump: Vec<f64>,
    impulses: Ordered<f64>,
    opened: Vec<usize>,
    bounces: bool,
) -> Blow {
    let after: Vec<f64> = before.iter().zip(&jump).map(|(rate, jump)| rate + jump).collect();
    Blow { energy_lost: energy(mass, before) - energy(mass, &after), impulses, jump, opened, bounces }
}
