//! How do all contacts that are closed at a state go on together?
//!
//! ```text
//! contacts      one-sided rows, rough contacts and guides; those that roll stick while they are closed
//! W, b          with all of them let go and every other constraint kept                                 (1)
//! courses       every consistent choice of opening, sticking and sliding: numeric::contacts              (2)
//! ```
//!
//! Whether a contact slips is seen at the state. W and b may be looked at a little later: at the instant at which a
//! choice ends, the next one is not to be seen yet.

use std::sync::Arc;

use expr::{At, Expr};
use linear::Matrix;
use mechanics::friction::{Grip, Rough, Slip};
use mechanics::rows;
use mechanics::standing::{Standing, rest};
use mechanics::{Mode, System};
use numeric::contacts::{Contacts, Going, NoWays, One};
use numeric::coulomb::Kind;

use crate::grip::{self, Course, Forces, Own, Touched, Touching, unit};
use crate::ground::Ground;

/// A contact that is closed.
pub struct Closed {
    /// The constraint that presses.
    pub gap: usize,
    /// The rough contact or guide.
    pub rough: Option<Arc<Rough>>,
    /// What does not slip while it is closed, if it is not rough, and its names.
    rolls: Vec<(String, Expr)>,
}

impl Closed {
    /// All contacts that are closed in a mode, and have not let go. `None` if one of them has several gaps.
    pub fn all(system: &System, mode: &Mode, at: &At) -> Option<Vec<Closed>> {
        let rough = grip::closed(system, mode, at);
        let is_closed = |place: usize| {
            let acts = matches!(mode.standing[place], Standing::Closed) && !mode.released.contains(&place);
            (acts && system.constraints[place].is_one_sided()) || rough.iter().any(|one| one.gap == place)
        };
        let closed = |gap: usize| {
            let slips = mechanics::contact::slips_with(system, gap).into_iter();
            let slips = slips.filter(|&place| !system.constraints[place].is_rough && mode.standing[place].acts());
            let rows = |place: usize| {
                let constraint = &system.constraints[place];
                constraint.rows.iter().enumerate().map(|(k, &f)| (rows::row_name(constraint, k), f))
            };
            let rolls = slips.flat_map(rows).collect();
            let is_single = system.constraints[gap].rows.len() == 1;
            let rough = rough.iter().find(|one| one.gap == gap).cloned();
            is_single.then_some(Closed { gap, rough, rolls })
        };
        (0..system.constraints.len()).filter(|&place| is_closed(place)).map(closed).collect()
    }

    /// For its forces.
    pub fn own<'a>(&'a self, system: &'a System) -> Own<'a> {
        match &self.rough {
            Some(rough) => Own::of(rough),
            None => {
                let name = &system.constraints[self.gap].name;
                Own { name, gap: self.gap, scale: None, slips: self.slips() }
            }
        }
    }

    fn slips(&self) -> Vec<Expr> {
        match &self.rough {
            Some(rough) => rough.slips.iter().map(|slip| slip.1).collect(),
            None => self.rolls.iter().map(|roll| roll.1).collect(),
        }
    }

    /// The names of its rows.
    pub fn names(&self, system: &System) -> Vec<String> {
        let constraint = &system.constraints[self.gap];
        let slips = match &self.rough {
            Some(rough) => (1..=rough.slips.len()).map(|k| format!("{}.slip{k}", rough.name)).collect(),
            None => self.rolls.iter().map(|roll| roll.0.clone()).collect::<Vec<_>>(),
        };
        std::iter::once(rows::row_name(constraint, 0)).chain(slips).collect()
    }

    /// The contact in numbers, its normal in this row.
    fn one(&self, system: &System, row: usize, at: &At) -> One {
        let slips = self.slips();
        let is_slipping = self.rough.is_some() && !rest(system, &slips, at);
        One {
            row,
            slips: slips.len(),
            mu: self.rough.as_ref().map_or(f64::INFINITY, |rough| at.value(rough.mu)),
            opens: self.rough.as_ref().is_none_or(|rough| rough.is_one_sided),
            slip: is_slipping.then(|| unit(&at.values(&slips))),
            only: None,
        }
    }

    /// The kind that a mode says, with the sign of the normal force.
    fn held(&self, mode: &Mode, at: &At) -> Option<(Kind, f64)> {
        let held = mode.held.iter().find(|held| held.rough.gap == self.gap)?;
        Some(match held.grip {
            Grip::Sticks => (Kind::Sticks, 1.0),
            Grip::Slides(press, Slip::Sign(sign)) => (Kind::Slides(vec![f64::from(sign)]), f64::from(press)),
            Grip::Slides(press, Slip::Toward(d)) => (Kind::Slides(d.to_vec()), f64::from(press)),
            Grip::Slides(press, Slip::Velocity | Slip::Near(..)) => {
                (Kind::Slides(unit(&at.values(&self.slips()))), f64::from(press))
            }
        })
    }
}

/// Whether contacts besides this one are closed and may let go.
fn has_others(system: &System, mode: &Mode, gap: usize) -> bool {
    let is_other = |place: usize| matches!(mode.standing[place], Standing::Closed) && !mode.released.contains(&place);
    let may_open = |place: usize| system.constraints[place].is_one_sided() && is_other(place);
    (0..system.constraints.len()).any(|place| place != gap && may_open(place))
}

/// Every way on for these contacts; a contact that the mode holds goes on as it says.
fn goings(
    ground: &Ground<'_>,
    mode: &Mode,
    (at, look): (&At, &At),
    closed: &[Closed],
) -> Result<(Vec<Going>, Contacts), String> {
    let system = ground.system;
    let own: Vec<Own<'_>> = closed.iter().map(|one| one.own(system)).collect();
    let forces = Forces::of(ground, &mode.unheld(), look, &own, true)?;
    let (free, terms) = forces.free();
    let held = |(one, made): (&Closed, One)| One { only: one.held(mode, at), ..made };
    let list = closed.iter().zip(numbered(system, closed, at)).map(held).collect();
    let contacts = Contacts { matrix: Matrix::from(&forces.matrix()), free, terms, list };
    let ways = contacts.ways().map_err(|trouble| told(system, closed, trouble))?;
    Ok((ways, contacts))
}

/// These contacts in numbers, one after the other.
pub fn numbered(system: &System, closed: &[Closed], at: &At) -> Vec<One> {
    let mut row = 0;
    let one = |one: &Closed| {
        let made = one.one(system, row, at);
        row += 1 + made.slips;
        made
    };
    closed.iter().map(one).collect()
}

/// Why there are no ways on, in words.
pub fn told(system: &System, closed: &[Closed], trouble: NoWays) -> String {
    let name = |one: &Closed| system.constraints[one.gap].name.clone();
    let names: Vec<String> = closed.iter().map(|one| format!("`{}`", name(one))).collect();
    let names = names.join(", ");
    match trouble {
        NoWays::Undetermined => format!(
            "the accelerations are not determined: {names} share a load, nothing says how, and their friction depends on it"
        ),
        NoWays::TooMany => format!("{names} are closed at once: these are too many ways on to be tried"),
        NoWays::Unfound => format!("how {names} go on together could not be found"),
        NoWays::NotFinite => grip::undetermined(&names),
    }
}

/// Which one-sided constraints let go at a state, in a mode that says how rough contacts hold. `None` where that is
/// for others to say: a single contact, or constraints with several gaps.
pub fn opening(ground: &Ground<'_>, mode: &Mode, at: &At) -> Option<Result<Vec<usize>, String>> {
    let closed = Closed::all(ground.system, mode, at).filter(|closed| closed.len() > 1)?;
    Some(goings(ground, mode, (at, at), &closed).and_then(|(ways, _)| match &ways[..] {
        [] => Err("no choice of closed constraints is consistent at this state".to_owned()),
        [one] => Ok(open(&closed, one)),
        _ => Err("several choices of closed constraints are consistent at this state".to_owned()),
    }))
}

fn open(closed: &[Closed], going: &Going) -> Vec<usize> {
    let opens = closed.iter().zip(&going.each).filter(|(_, way)| way.kind == Kind::Leaves);
    opens.map(|(one, _)| one.gap).collect()
}

/// The rough contacts that are closed at a state, in a mode that does not say yet how they hold. With other contacts
/// they are looked at together.
pub fn closed(ground: &Ground<'_>, mode: &Mode, at: &At) -> Result<Option<Touching>, String> {
    match &grip::closed(ground.system, mode, at)[..] {
        [] => Ok(None),
        [one] if !has_others(ground.system, mode, one.gap) => grip::alone(ground, mode, at, one).map(Some),
        _ => touching(ground, mode, at, at).map(Some),
    }
}

/// The rough contacts that are closed at a state, with all that is closed beside them; the forces are looked at in
/// another state, a little later.
pub fn touching(ground: &Ground<'_>, mode: &Mode, at: &At, look: &At) -> Result<Touching, String> {
    let system = ground.system;
    let Some(closed) = Closed::all(system, mode, at) else {
        return Err("a rough contact beside a constraint with several gaps is not treated".to_owned());
    };
    let (found, contacts) = goings(ground, mode, (at, look), &closed)?;
    let (list, determinant) = (&contacts.list, contacts.determinant());
    let is_rough = |k: &usize| closed[*k].rough.is_some();
    let rough: Vec<usize> = (0..closed.len()).filter(is_rough).collect();
    let touched = |&k: &usize| {
        let rough = closed[k].rough.clone()?;
        let (mu, is_slipping) = (at.value(rough.mu), !rest(system, &closed[k].slips(), at));
        Some(Touched { rough, is_slipping, determinant, mu })
    };
    let course = |going: &Going| {
        let others = closed.iter().zip(&going.each).filter(|(one, _)| one.rough.is_none());
        let opens = others.filter(|(_, way)| way.kind == Kind::Leaves).map(|(one, _)| one.gap);
        Course {
            opens: opens.collect(),
            ways: rough.iter().map(|&k| going.each[k].clone()).collect(),
            is_determined: rough.iter().map(|&k| going.determines(&list[k])).collect(),
            starts: rough.iter().map(|&k| going.after[list[k].row + 1..][..list[k].slips].to_vec()).collect(),
        }
    };
    Ok(Touching {
        contacts: rough.iter().filter_map(touched).collect(),
        courses: found.iter().map(course).collect(),
        edge: None,
    })
}
