//! What does an impact do to the rates? A one-sided constraint closes, or a constraint begins to act.
//!
//! ```text
//! M (q'₊ − q'₋) = Aᵀ Λ                                 for all rows that act and those that close          (1)
//! A q'₊ + ∂f/∂t = −e (A q'₋ + ∂f/∂t)                   Newton's law; e = 0 where nothing is said           (2)
//! Λ ≥ 0, or the row opens: A q'₊ + ∂f/∂t ≥ −e (…)      for one-sided rows, all together                    (3)
//! inside the cone, or against the slip after it        for rough contacts, together with the others        (4)
//! T₋ − T₊                                              the energy that is lost; Carnot's for e = 0         (5)
//! T₋ − T₊ − Σ Λ ∂f/∂t ≥ 0                              else (2) creates energy; −Λ ∂f/∂t is the work of what is driven
//! A q'₊ + ∂f/∂t = 0,  M (q'₊ − q'₋) = (A − μ d B)ᵀ Λ    the limit of impacts that accumulate: Λ of any sign   (6)
//! ```
//!
//! (6) is what the impulses that are left come to, less those of the forces that hold until the end of the series: each
//! has its friction −μ Λ d along the slips B, and all are linear in Λ.
//!
//! (2) to (4) are the problem of [`numeric::contacts`] with velocities in place of accelerations.

use expr::At;
use linear::rank::reduce;
use linear::saddle::constrained;
use linear::tolerance::RANK;
use linear::vector::{add, dot};
use linear::{Matrix, Scale};
use mechanics::{Mode, System};
use numeric::contacts::{Contacts, Going, One};
use numeric::coulomb::Kind;

use dynamics::Dynamics;
use dynamics::grip::{self, Forces, Own};
use dynamics::together::{Closed, numbered, told};
use engine::Ordered;

/// Impulses and energies that are smaller than this, against the others, are rounding.
const SMALL: f64 = 1e-9;

/// Rows of contacts that come to rest together agree to this, against their speeds.
const SETTLED: f64 = 1e-6;

/// What an impact does.
pub struct Blow {
    /// The change of the rates.
    pub jump: Vec<f64>,
    /// The impulses Λ by row; no number where rows share one.
    pub impulses: Ordered<f64>,
    /// The energy that is lost (5).
    pub energy_lost: f64,
    /// The kinetic energy of the jump: how strong the impact is.
    pub strength: f64,
    /// One-sided constraints that open (3).
    pub opened: Vec<usize>,
    /// What gets an impulse and bounces.
    pub bouncing: Vec<usize>,
}

/// What meets at a state: these constraints close or begin.
pub struct Meeting<'a> {
    /// What acts before, without what has let go.
    pub mode: &'a Mode,
    /// The state before.
    pub at: &'a At,
    /// What closes.
    pub closing: &'a [usize],
    /// What touches and moves away, or would let go: it takes part, and nothing of it bounces.
    pub touching: &'a [usize],
    /// Whether (2) holds with the e of the model; otherwise nothing bounces.
    pub is_elastic: bool,
}

/// The impact at a state.
pub fn impact(dynamics: &Dynamics<'_>, meeting: &Meeting<'_>) -> Result<Blow, String> {
    let (system, at) = (dynamics.system, meeting.at);
    let mode = meeting.met(system);
    let Some(closed) = Closed::all(system, &mode, at) else {
        return Err("an impact on a constraint with several gaps is not treated".to_owned());
    };
    let own: Vec<Own<'_>> = closed.iter().map(|one| one.own(system)).collect();
    let mut forces = Forces::of(&dynamics.ground, &mode, at, &own, false)?;
    // what says nothing about rates has no impulse
    forces.ideal.retain(|row| row.has_speed);
    let strike = Strike { meeting, system, closed: &closed, forces: &forces, before: at.values(&system.q_dot()) };
    let list: Vec<One> = numbered(system, &closed, at).into_iter().map(|one| One { slip: None, ..one }).collect();
    let (free, terms) = strike.free(&list)?;
    let contacts = Contacts { matrix: Matrix::from(&forces.matrix()), free, terms, list };
    let ways = contacts.ways().map_err(|trouble| told(system, &closed, trouble))?;
    let names = || {
        let names: Vec<String> = closed.iter().map(|one| format!("`{}`", system.constraints[one.gap].name)).collect();
        names.join(", ")
    };
    match &ways[..] {
        [going] => strike.blow(going),
        [] => Err(format!("no impulses satisfy the laws of impact and friction at {}", names())),
        several => {
            let words =
                |going: &Going| going.each.iter().map(|way| grip::word(way).word()).collect::<Vec<_>>().join(" and ");
            let words: Vec<String> = several.iter().map(words).collect();
            Err(format!(
                "several impulses satisfy the laws of impact and friction at {} ({})",
                names(),
                words.join("; ")
            ))
        }
    }
}

/// What impacts come to that accumulate here, each weaker than the one before: all that meet is at rest along its normal
/// (6), and what did not slip before does not slip then. Impulses are not told: those of the series have no limit one by one.
pub fn limit(dynamics: &Dynamics<'_>, meeting: &Meeting<'_>) -> Option<Blow> {
    let (system, at) = (dynamics.system, meeting.at);
    let mode = meeting.met(system);
    let closed = Closed::all(system, &mode, at)?;
    let own: Vec<Own<'_>> = closed.iter().map(|one| one.own(system)).collect();
    let mut forces = Forces::of(&dynamics.ground, &mode, at, &own, false).ok()?;
    forces.ideal.retain(|row| row.has_speed);
    let strike = Strike { meeting, system, closed: &closed, forces: &forces, before: at.values(&system.q_dot()) };
    let jump = strike.settled(&numbered(system, &closed, at))?;
    let (before, mass) = (&strike.before, &forces.mass);
    Some(Blow {
        energy_lost: energy(mass, before) - energy(mass, &strike.after(&jump)),
        strength: energy(mass, &jump),
        impulses: Ordered(Vec::new()),
        opened: Vec::new(),
        bouncing: Vec::new(),
        jump,
    })
}

impl Meeting<'_> {
    /// What acts when those that close have closed.
    fn met(&self, system: &System) -> Mode {
        let slips = |gap: usize| {
            let all = mechanics::contact::slips_with(system, gap).into_iter();
            all.filter(|&place| !system.constraints[place].is_rough)
        };
        let meeting = self.closing.iter().chain(self.touching);
        let closing: Vec<usize> = meeting.flat_map(|&gap| std::iter::once(gap).chain(slips(gap))).collect();
        self.mode.unheld().closing(&closing)
    }

    /// The coefficient e of a constraint in (2).
    fn e(&self, system: &System, place: usize) -> f64 {
        let name = &system.constraints[place].name;
        let closes = self.is_elastic && self.closing.contains(&place);
        let said = system.restitutions.iter().find(|one| one.on == *name).filter(|_| closes);
        said.map_or(0.0, |one| self.at.value(one.value))
    }
}

/// An impact in numbers.
struct Strike<'a> {
    meeting: &'a Meeting<'a>,
    system: &'a System,
    closed: &'a [Closed],
    forces: &'a Forces,
    /// The rates before.
    before: Vec<f64>,
}

impl Strike<'_> {
    fn e(&self, place: usize) -> f64 {
        self.meeting.e(self.system, place)
    }

    /// The change of the rates by impulses on the coordinates and by constraints that begin, and the impulses of these.
    fn jump(&self, push: &[f64], right: &[f64]) -> Result<(Vec<f64>, Vec<f64>), String> {
        let ideal = Matrix::of_width(push.len(), self.forces.ideal.iter().map(|row| &row.slope));
        constrained(&Matrix::from(&self.forces.mass), &ideal, push, right).map_err(|_| {
            "the impact is not determined: the constraints that meet there depend on each other".to_owned()
        })
    }

    /// What (2) asks of the constraints that are no contacts.
    fn right(&self) -> Vec<f64> {
        self.forces.ideal.iter().map(|row| -(1.0 + self.e(row.constraint)) * row.speed).collect()
    }

    /// What the rows of the contacts would do without impulses of theirs, e times what they did added; and the size of
    /// the terms.
    fn free(&self, list: &[One]) -> Result<(Vec<f64>, Vec<f64>), String> {
        let (jump, _) = self.jump(&vec![0.0; self.before.len()], &self.right())?;
        let (slopes, speeds) = (self.forces.slopes(), self.forces.speeds());
        let mut free: Vec<f64> = slopes.iter().zip(&speeds).map(|(slope, speed)| speed + dot(slope, &jump)).collect();
        for (one, closed) in list.iter().zip(self.closed) {
            free[one.row] += self.e(closed.gap) * speeds[one.row];
        }
        let moves: Vec<f64> = self.before.iter().zip(&jump).map(|(rate, jump)| rate.abs() + jump.abs()).collect();
        let size = |slope: &&[f64]| slope.iter().zip(&moves).map(|(a, rate)| (a * rate).abs()).sum::<f64>();
        let terms = slopes.iter().zip(&speeds).map(|(slope, speed)| size(slope) + speed.abs()).collect();
        Ok((free, terms))
    }

    /// The jump of (6) for contacts that stick, or slip in their directions.
    fn settled(&self, list: &[One]) -> Option<Vec<f64>> {
        let (slopes, speeds) = (self.forces.slopes(), self.forces.speeds());
        let still = vec![0.0; self.forces.ideal.len()];
        let (mut rows, mut moves) = (Vec::new(), Vec::new());
        for one in list {
            let own = one.row..=one.row + one.slips;
            let Some(direction) = &one.slip else {
                for (row, slope) in own.clone().zip(&slopes[own]) {
                    rows.push(row);
                    moves.push(self.jump(slope, &still).ok()?.0);
                }
                continue;
            };
            let mut push = slopes[one.row].to_vec();
            slopes[own].iter().skip(1).zip(direction).for_each(|(slope, d)| add(&mut push, -one.mu * d, slope));
            rows.push(one.row);
            moves.push(self.jump(&push, &still).ok()?.0);
        }
        let matrix = Matrix::from_fn(rows.len(), rows.len(), |i, j| dot(slopes[rows[i]], &moves[j]));
        let right: Vec<f64> = rows.iter().map(|&row| -speeds[row]).collect();
        let found = reduce(&matrix, &right, Scale::RowsAndColumns, RANK).ok()?.solution();
        let most = SETTLED * right.iter().fold(0.0_f64, |most, speed| most.max(speed.abs()));
        let holds = matrix.times_vector(&found).iter().zip(&right).all(|(is, wanted)| (is - wanted).abs() <= most);
        let mut jump = vec![0.0; self.before.len()];
        moves.iter().zip(&found).for_each(|(moved, &impulse)| add(&mut jump, impulse, moved));
        holds.then_some(jump)
    }

    /// What comes of these impulses.
    fn blow(&self, going: &Going) -> Result<Blow, String> {
        let push = |impulses: &[f64]| {
            let mut push = vec![0.0; self.before.len()];
            self.forces.slopes().iter().zip(impulses).for_each(|(slope, &f)| add(&mut push, f, slope));
            push
        };
        let mut own = going.forces();
        let (jump, mut others) = self.jump(&push(&own), &self.right())?;
        let driven = self.driven(&own, &others);
        // what contacts share is not told
        let still = vec![0.0; others.len()];
        for n in &going.spread {
            let (_, with) = self.jump(&push(n), &still)?;
            let size = SMALL * n.iter().chain(&with).fold(0.0_f64, |size, x| size.max(x.abs()));
            let parts = own.iter_mut().chain(&mut others).zip(n.iter().chain(&with));
            parts.filter(|(_, part)| part.abs() > size).for_each(|(impulse, _)| *impulse = f64::NAN);
        }
        let (after, mass) = (self.after(&jump), &self.forces.mass);
        let energy_lost = energy(mass, &self.before) - energy(mass, &after);
        if energy_lost + driven < -SMALL * (energy(mass, &self.before) + driven.abs()) {
            let names: Vec<String> = self
                .meeting
                .closing
                .iter()
                .map(|&place| format!("`{}`", self.system.constraints[place].name))
                .collect();
            return Err(format!(
                "Newton's law of impact would create energy at {}: it does not describe this impact",
                names.join(", ")
            ));
        }
        let opens = |way: &numeric::coulomb::Way| way.kind == Kind::Leaves;
        let both = || self.closed.iter().zip(&going.each);
        let begins = self.forces.ideal.iter().map(|row| row.constraint);
        let kept = both().filter(|(_, way)| !opens(way)).map(|(one, _)| one.gap).chain(begins);
        let named = self.closed.iter().flat_map(|one| one.names(self.system)).zip(own);
        let ideal = self.forces.ideal.iter().map(|row| row.name.clone()).zip(others);
        let leave: Vec<String> =
            both().filter(|(_, way)| opens(way)).flat_map(|(one, _)| one.names(self.system)).collect();
        Ok(Blow {
            bouncing: kept.filter(|&place| self.e(place) > 0.0).collect(),
            strength: energy(mass, &jump),
            impulses: Ordered(named.filter(|(name, _)| !leave.contains(name)).chain(ideal).collect()),
            opened: both().filter(|(_, way)| opens(way)).map(|(one, _)| one.gap).collect(),
            jump,
            energy_lost,
        })
    }

    /// The work of constraints that are driven, as a moving wall is, or `x' = 1 m/s` that begins: −Σ Λ ∂f/∂t.
    fn driven(&self, own: &[f64], others: &[f64]) -> f64 {
        let drift = |slope: &[f64], speed: f64| speed - dot(slope, &self.before);
        let (slopes, speeds) = (self.forces.slopes(), self.forces.speeds());
        let of_contacts = slopes.iter().zip(&speeds).zip(own).map(|((slope, &speed), f)| f * drift(slope, speed));
        let of_others = self.forces.ideal.iter().zip(others).map(|(row, f)| f * drift(&row.slope, row.speed));
        -of_contacts.chain(of_others).sum::<f64>()
    }

    fn after(&self, jump: &[f64]) -> Vec<f64> {
        self.before.iter().zip(jump).map(|(rate, jump)| rate + jump).collect()
    }
}

/// ½ q'ᵀ M q'.
fn energy(mass: &[Vec<f64>], rates: &[f64]) -> f64 {
    0.5 * mass.iter().zip(rates).map(|(row, rate)| rate * dot(row, rates)).sum::<f64>()
}
