//! What do constraints carry at a state, in numbers, and what of that is not determined?
//!
//! ```text
//! mechanics::reaction      forces, torques, generalized reactions as expressions of the multipliers
//! mechanics::determined    which of them the equations determine, where rows depend on each other
//! ```
//!
//! `evaluate`, `equilibria` and the samples of `simulate` tell a number only if it is determined; in its place stands what is
//! no number, `null` in JSON. Of rows that share a load they tell what these carry together.

use expr::{At, Expr};
use mechanics::Vector;
use mechanics::determined::{Sharing, everything};
use mechanics::reaction::{Acts, Push, Reactions, reactions};
use serde::Serialize;

use crate::Ordered;
use crate::shared::{Levers, SharedLoad, cleaned};

/// What constraints carry at a state.
#[derive(Clone, Debug, Default)]
pub struct Carried {
    /// The multipliers by row.
    pub multipliers: Ordered<f64>,
    /// Forces and torques on points, bodies and frames.
    pub reactions: Vec<Acting>,
    /// The reactions of contacts, at the points that touch.
    pub contacts: Vec<ContactReaction>,
    /// The reactions of joints on their first bodies.
    pub joints: Vec<JointReaction>,
    /// The sum of the forces of each constraint.
    pub resultants: Ordered<[f64; 3]>,
    /// What each constraint does to the coordinates.
    pub generalized: Ordered<Ordered<f64>>,
    /// Rows that share a load.
    pub shared: Vec<SharedLoad>,
    /// What does not follow, and what is not determined, in words.
    pub notes: Vec<String>,
}

/// The reaction of a contact on what touches the plane.
#[derive(Clone, Debug, Serialize)]
pub struct ContactReaction {
    /// The contact.
    pub contact: String,
    /// The point that touches, along `N`.
    pub at: [f64; 3],
    /// The force along `N`.
    pub vector: [f64; 3],
    /// Its part along the normal; `null` if that is built into the coordinates.
    pub normal: Option<f64>,
    /// Its part along the direction of rolling or skating, or along the first direction of the plane.
    pub along: f64,
    /// Its part across that direction.
    pub across: f64,
}

/// The reaction of a joint on its first body; the opposite acts on the second.
#[derive(Clone, Debug, Serialize)]
pub struct JointReaction {
    /// The joint.
    pub joint: String,
    /// The first body.
    pub on: String,
    /// The joint's point of it, along `N`.
    pub at: [f64; 3],
    /// The force there, along `N`.
    pub force: [f64; 3],
    /// The torque about that point, along `N`.
    pub torque: [f64; 3],
}

/// A force of a constraint on a point or body.
#[derive(Clone, Debug, Serialize)]
pub struct Acting {
    /// The constraint.
    pub constraint: String,
    /// The point or body; or a frame, if not exactly one body turns with it.
    pub on: String,
    /// Where the force acts, along `N`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<[f64; 3]>,
    /// The force along `N`.
    pub vector: [f64; 3],
    /// The torque along `N` on a body, about its mass centre; that of the force is in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torque: Option<[f64; 3]>,
}

/// What constraints carry at a state that names accelerations and the multipliers of the rows that are listed; rows that follow
/// from these carry nothing there.
pub fn carried(acts: &Acts<'_>, at: &At) -> Carried {
    let all = everything(acts.rows);
    let others = all.list.iter().filter(|row| !acts.rows.list.iter().any(|one| one.name == row.name));
    let at = at.with(&others.map(|row| (row.lambda, 0.0)).collect::<Vec<_>>());
    let acts = &Acts { rows: &all, ..*acts };
    let found = match reactions(acts) {
        Ok(found) => found,
        Err(error) => return Carried { notes: vec![format!("reactions: {error}")], ..Carried::default() },
    };
    let teller = Teller { acts, sharing: &Sharing::of(acts), at: &at };
    let shared = Levers::of(acts, &found).map_or_else(|_| Vec::new(), |levers| levers.shared(teller.sharing, &at));
    Carried {
        multipliers: all.list.iter().map(|row| (row.name.clone(), teller.number(row.lambda))).collect(),
        reactions: found.iter().flat_map(|one| one.on.iter().map(|push| teller.acting(one, push))).collect(),
        contacts: found.iter().filter_map(|one| teller.contact(one)).collect(),
        joints: found.iter().filter_map(|one| teller.joint(one)).collect(),
        resultants: found.iter().filter_map(|one| Some((one.name.clone(), teller.told(one.resultant?)))).collect(),
        generalized: found.iter().map(|one| (one.name.clone(), teller.generalized(&one.generalized))).collect(),
        notes: teller.notes(&found, &shared),
        shared,
    }
}

/// Who tells numbers that are determined.
struct Teller<'a> {
    acts: &'a Acts<'a>,
    sharing: &'a Sharing,
    at: &'a At,
}

impl Teller<'_> {
    /// A number if it is determined.
    fn number(&self, e: Expr) -> f64 {
        if self.sharing.determines(e, self.at) { self.at.value(e) } else { f64::NAN }
    }

    /// A vector in numbers, with rounding put to zero.
    fn told(&self, vector: Vector) -> [f64; 3] {
        cleaned(vector.0.map(|component| self.number(component)))
    }

    fn acting(&self, one: &Reactions, push: &Push) -> Acting {
        Acting {
            constraint: one.name.clone(),
            on: push.on.name(self.acts.system).to_owned(),
            at: push.at.map(|at| self.told(at)),
            vector: self.told(push.force),
            torque: push.torque.map(|torque| self.told(torque)),
        }
    }

    fn contact(&self, one: &Reactions) -> Option<ContactReaction> {
        let (touch, push) = (one.contact.as_ref()?, one.on.first()?);
        Some(ContactReaction {
            contact: one.name.clone(),
            at: self.told(touch.point),
            vector: self.told(push.force),
            normal: touch.normal.map(|normal| self.number(normal)),
            along: self.number(touch.along),
            across: self.number(touch.across),
        })
    }

    fn joint(&self, one: &Reactions) -> Option<JointReaction> {
        let (joint, push) = (one.joint.as_ref()?, one.on.first()?);
        Some(JointReaction {
            joint: one.name.clone(),
            on: push.on.name(self.acts.system).to_owned(),
            at: self.told(joint.point),
            force: self.told(joint.force),
            torque: self.told(joint.torque),
        })
    }

    /// What a constraint does to the coordinates that it acts on, as far as it is determined.
    fn generalized(&self, forces: &[Expr]) -> Ordered<f64> {
        let coordinates = self.acts.system.coordinates.iter().zip(forces);
        let acting = coordinates.filter(|(_, force)| **force != Expr::zero());
        acting.map(|(c, &force)| (c.name.clone(), self.number(force))).collect()
    }

    fn notes(&self, found: &[Reactions], shared: &[SharedLoad]) -> Vec<String> {
        let reasons = found.iter().filter_map(|one| Some(format!("{}: {}", one.name, one.shared.as_ref()?)));
        shared.iter().map(SharedLoad::told).chain(reasons).collect()
    }
}
