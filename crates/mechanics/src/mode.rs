//! What acts on a system? Which constraints are switched on and closed, which have let go, and how rough contacts hold.
//!
//! ```text
//! System × state          → Mode      as the state says: switches by their relations, one-sided rows by their gaps
//! Mode × what lets go     → Mode
//! Mode × grip of a contact → Mode     no slip becomes a row, or the friction a load
//! ```
//!
//! A mode is a value. The system says what the text says, and is the same in every mode.

use std::sync::Arc;

use expr::{At, Comparison, Expr, MathError};
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
    /// How the rough contacts that are closed hold; those of which it is not said are missing.
    pub held: Vec<Held>,
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
        Ok(Mode { standing, released: Vec::new(), held: Vec::new() })
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

    /// The mode in which a rough contact holds like this, and the others as before.
    pub fn holding(&self, system: &System, rough: &Arc<Rough>, grip: Grip) -> Result<Mode, MathError> {
        let sliding = rough.sliding(system, grip)?;
        let mut mode = self.without(rough.gap);
        mode.held.push(Held { rough: Arc::clone(rough), grip, sliding, assumed: Vec::new() });
        mode.held.sort_by_key(|held| held.rough.gap);
        Ok(mode)
    }

    /// The mode that does not say how the rough contact with this gap holds.
    pub fn without(&self, gap: usize) -> Mode {
        let mut mode = self.clone();
        mode.held.retain(|held| held.rough.gap != gap);
        mode
    }

    /// The mode that does not say how any rough contact holds.
    pub fn unheld(&self) -> Mode {
        Mode { held: Vec::new(), ..self.clone() }
    }

    /// The rough contacts that stick.
    fn sticking(&self) -> impl Iterator<Item = &Held> {
        self.held.iter().filter(|held| held.grip == Grip::Sticks)
    }

    /// Whether a constraint is one of no slip, of a rough contact that sticks.
    pub fn sticks(&self, system: &System, place: usize) -> bool {
        let constraint = &system.constraints[place];
        let is_own = |held: &Held| contact_of(constraint) == contact_of(&system.constraints[held.rough.gap]);
        constraint.is_rough && self.sticking().any(is_own)
    }

    /// Whether a constraint presses a contact that slides: its row holds, and its reaction is among the loads.
    pub fn presses(&self, place: usize) -> bool {
        self.sliding().any(|sliding| sliding.rough.gap == place && sliding.normal.is_none())
    }

    /// What every state satisfies beside the constraints of the system: where a contact sticks, nothing slips.
    pub fn no_slip(&self) -> Vec<Equation> {
        let equation = |&(_, slip): &(Vector, Expr)| Equation {
            left: slip,
            right: Expr::zero(),
            axis: None,
            text: String::new(),
            span: Span::default(),
        };
        self.sticking().flat_map(|held| held.rough.slips.iter().map(equation)).collect()
    }

    /// The rough contacts that slide.
    pub fn sliding(&self) -> impl Iterator<Item = &Sliding> {
        self.held.iter().filter_map(|held| held.sliding.as_ref())
    }

    /// All loads: those of the system, and the friction.
    pub fn loads<'a>(&'a self, system: &'a System) -> impl Iterator<Item = &'a Load> {
        system.loads.iter().chain(self.sliding().map(|sliding| &sliding.load))
    }

    /// All assumptions: those of the system, and what a known normal force takes for granted.
    pub fn assumptions<'a>(&'a self, system: &'a System) -> impl Iterator<Item = &'a Relation> {
        system.assumptions.iter().chain(self.held.iter().flat_map(|held| &held.assumed))
    }

    /// What bounds the places for which the equations stand: all assumptions, and the sides that contacts were taken on.
    pub fn bounds(&self, system: &System) -> Vec<(Expr, Comparison, Expr)> {
        let sides = crate::contact::sides(system).map(|(_, root, _)| (root, Comparison::Greater, Expr::zero()));
        self.assumptions(system).filter_map(Relation::scalars).chain(sides).collect()
    }

    /// The slips of guides that stick, which no constraint of the system has, each with the place of its guide.
    pub fn guide_slips(&self, system: &System) -> Vec<(usize, Vec<Expr>)> {
        let guides = self.sticking().filter(|held| contact_of(&system.constraints[held.rough.gap]).is_none());
        guides.map(|held| (held.rough.gap, held.rough.slips.iter().map(|slip| slip.1).collect())).collect()
    }
}
