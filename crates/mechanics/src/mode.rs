//! What acts on a system? Which constraints are switched on and closed, which have let go, and how a rough contact holds.
//!
//! ```text
//! System × state          → Mode      as the state says: switches by their relations, one-sided rows by their gaps
//! Mode × what lets go     → Mode
//! Mode × grip of a contact → Mode     no slip becomes a row, or the friction a load
//! ```
//!
//! A mode is a value. The system says what the text says, and is the same in every mode.

use std::sync::Arc;

use expr::{At, Expr, MathError};
use syntax::Span;

use crate::contact::contact_of;
use crate::friction::{Grip, Rough, Sliding};
use crate::standing::{self, Standing};
use crate::{Equation, Load, Relation, System, Vector};

/// What acts on a system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mode {
    /// How each constraint stands, in the order of [`System::constraints`].
    pub standing: Vec<Standing>,
    /// One-sided constraints that have let go, although they are closed.
    pub released: Vec<usize>,
    /// How the rough contact that is closed holds; `None` where there is none, or that is not said.
    pub held: Option<Held>,
}

/// How a rough contact holds.
#[derive(Clone, Debug)]
pub struct Held {
    /// The contact or the guide.
    pub rough: Arc<Rough>,
    /// Whether it sticks, or where it slides to.
    pub grip: Grip,
    /// Where it slides: the force.
    pub sliding: Option<Sliding>,
    /// What the grip takes for granted where the force that presses is known as an expression.
    pub assumed: Vec<Relation>,
}

impl PartialEq for Held {
    fn eq(&self, other: &Held) -> bool {
        let force = |one: &Held| one.sliding.as_ref().map(|sliding| sliding.force);
        self.rough == other.rough && self.grip == other.grip && force(self) == force(other)
    }
}

impl Mode {
    /// What acts at a state; how rough contacts hold is not said.
    pub fn at(system: &System, at: &At) -> Result<Mode, MathError> {
        let on: Vec<Standing> = system.constraints.iter().map(|one| standing::switch(system, one, at)).collect();
        Mode::switched(system, &on, at)
    }

    /// What acts at a state where the switches of constraints stand like this: `Acts`, `Later` or `Over`.
    pub fn switched(system: &System, on: &[Standing], at: &At) -> Result<Mode, MathError> {
        let stand = |place: usize| Ok(standing::stand(system, place, on, at)?.standing);
        let standing = (0..system.constraints.len()).map(stand).collect::<Result<_, MathError>>()?;
        Ok(Mode { standing, released: Vec::new(), held: None })
    }

    /// The mode in which these have let go as well.
    pub fn releasing(&self, places: &[usize]) -> Mode {
        let mut mode = self.clone();
        mode.released.extend(places.iter().filter(|place| !self.released.contains(place)));
        mode
    }

    /// The mode of a stretch of motion: what has let go is open, and so is what goes with it.
    pub fn settled(&self, system: &System) -> Mode {
        let mut mode = self.clone();
        for gap in mode.released.drain(..) {
            mode.standing[gap] = Standing::Open;
            for slips in crate::contact::slips_with(system, gap) {
                if mode.standing[slips].acts() {
                    mode.standing[slips] = Standing::Open;
                }
            }
        }
        mode
    }

    /// The mode in which these act as well, whatever the rates of their gaps.
    pub fn closing(&self, places: &[usize]) -> Mode {
        let mut mode = self.clone();
        for &place in places.iter().filter(|&&place| !self.standing[place].acts()) {
            mode.standing[place] = Standing::Closed;
        }
        mode
    }

    /// The mode in which a rough contact holds like this.
    pub fn holding(&self, system: &System, rough: &Arc<Rough>, grip: Grip) -> Result<Mode, MathError> {
        let sliding = rough.sliding(system, grip)?;
        let held = Held { rough: Arc::clone(rough), grip, sliding, assumed: Vec::new() };
        Ok(Mode { held: Some(held), ..self.clone() })
    }

    /// Whether a constraint is one of no slip, of the rough contact that sticks.
    pub fn sticks(&self, system: &System, place: usize) -> bool {
        let constraint = &system.constraints[place];
        self.held.as_ref().is_some_and(|held| {
            let gap = &system.constraints[held.rough.gap];
            held.grip == Grip::Sticks && constraint.is_rough && contact_of(constraint) == contact_of(gap)
        })
    }

    /// Whether a constraint presses a contact that slides: its row holds, and its reaction is among the loads.
    pub fn presses(&self, place: usize) -> bool {
        self.sliding().is_some_and(|sliding| sliding.normal.is_none())
            && self.held.as_ref().is_some_and(|held| held.rough.gap == place)
    }

    /// What every state satisfies beside the constraints of the system: where a contact sticks, nothing slips.
    pub fn no_slip(&self) -> Vec<Equation> {
        let sticking = self.held.iter().filter(|held| held.grip == Grip::Sticks);
        let equation = |&(_, slip): &(Vector, Expr)| Equation {
            left: slip,
            right: Expr::zero(),
            axis: None,
            text: String::new(),
            span: Span::default(),
        };
        sticking.flat_map(|held| held.rough.slips.iter().map(equation)).collect()
    }

    /// The rough contact that slides.
    pub fn sliding(&self) -> Option<&Sliding> {
        self.held.as_ref()?.sliding.as_ref()
    }

    /// All loads: those of the system, and the friction.
    pub fn loads<'a>(&'a self, system: &'a System) -> impl Iterator<Item = &'a Load> {
        system.loads.iter().chain(self.sliding().map(|sliding| &sliding.load))
    }

    /// All assumptions: those of the system, and what a known normal force takes for granted.
    pub fn assumptions<'a>(&'a self, system: &'a System) -> impl Iterator<Item = &'a Relation> {
        system.assumptions.iter().chain(self.held.iter().flat_map(|held| &held.assumed))
    }

    /// The slips of a guide that sticks, which no constraint of the system has.
    pub fn guide_slips(&self, system: &System) -> Option<(usize, Vec<Expr>)> {
        let held = self.held.as_ref().filter(|held| held.grip == Grip::Sticks)?;
        let gap = held.rough.gap;
        let is_guide = contact_of(&system.constraints[gap]).is_none();
        is_guide.then(|| (gap, held.rough.slips.iter().map(|slip| slip.1).collect()))
    }
}
