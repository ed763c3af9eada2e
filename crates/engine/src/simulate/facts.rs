//! Which facts does a motion decide, and do they hold?
//!
//! ```text
//! relation at t = T        the sides at that time
//! event NAME at a = b      the sides a, b whenever NAME happens; one time that fits is enough
//! ```

use expr::{Comparison, Expr};
use mechanics::ingredients::Ingredients;
use mechanics::{Fact, Reading, Relation, Statement};

use crate::Loaded;
use crate::dynamics::Known;
use crate::fact::{Judged, components, times};

/// A fact that a motion decides.
pub struct Asked<'a> {
    /// The fact.
    pub statement: &'a Statement,
    /// When its sides are looked at.
    pub when: When,
    relation: &'a Relation,
    comparison: Comparison,
    within: Option<f64>,
}

/// When the sides of a fact are looked at.
#[derive(Clone, Debug, PartialEq)]
pub enum When {
    /// At a time.
    Time(f64),
    /// At every event of this name.
    Event(String),
}

impl<'a> Asked<'a> {
    /// The facts of a model that need its motion.
    pub fn list(loaded: &'a Loaded) -> Vec<Asked<'a>> {
        let number = |e: Expr| Some(e.reference()).filter(|value| value.is_finite());
        let of = |statement: &'a Statement| {
            if crate::fact::needs(&statement.fact, &loaded.start) != crate::fact::Needs::Motion {
                return None;
            }
            let (relation, when, within) = match &statement.fact {
                Fact::Relation { relation, at: Some(at), within } => {
                    (relation, When::Time(number(*times(at)?.first()?)?), within)
                }
                Fact::Event { event, at, within } => (at, When::Event(event.clone()), within),
                _ => return None,
            };
            let within = within.and_then(number);
            Some(Asked { statement, when, relation, comparison: relation.comparison, within })
        };
        loaded.system.statements.iter().filter_map(of).collect()
    }

    /// How long the motion must run for it: a little longer than an event is expected.
    pub fn until(&self) -> Option<f64> {
        match &self.when {
            When::Time(time) => Some(*time),
            When::Event(_) => {
                let (left, _, right) = self.relation.scalars()?;
                let time = if left == expr::time() { right } else { Some(left).filter(|_| right == expr::time())? };
                let time = Some(time.reference()).filter(|value| value.is_finite())?;
                Some(time + self.within.unwrap_or(0.0) + 1e-3 * time.abs())
            }
        }
    }

    /// The sides, one after the other, of each component; nothing where they cannot be read.
    pub fn sides(&self, loaded: &Loaded, given: &Ingredients<'_>) -> Vec<Expr> {
        let known = Known { given, everywhere: false };
        let reading = Reading { motion: Some(&known), ..Reading::default() };
        let read = loaded.system.relation(&self.relation.tree, reading).ok();
        let sides = read.and_then(|relation| components(&relation)).unwrap_or_default();
        sides.into_iter().flat_map(|(left, right)| [left, right]).collect()
    }

    /// Whether it holds with these values of its sides; `error` is what a motion may be wrong by, relatively.
    pub fn holds(&self, values: &[f64], error: f64) -> Judged {
        let judge = |pair: &[f64]| {
            let (a, b) = (pair[0], pair[1]);
            if !a.is_finite() || !b.is_finite() {
                return Some("one side has no value there".to_owned());
            }
            let tolerance = self.within.unwrap_or(error * (a.abs() + b.abs()).max(1.0));
            let apart = a - b;
            let holds = match self.comparison {
                Comparison::Equal => apart.abs() <= tolerance,
                Comparison::NotEqual => apart.abs() > tolerance,
                Comparison::AtLeast | Comparison::Greater => apart >= -tolerance,
                Comparison::AtMost | Comparison::Less => apart <= tolerance,
            };
            let text = crate::number::text;
            (!holds).then(|| format!("left is {}, right is {}: they differ by {}", text(a), text(b), text(apart.abs())))
        };
        match values.chunks_exact(2).find_map(judge) {
            None if values.is_empty() => Judged::not_told("it cannot be read along a motion".to_owned()),
            None => Judged::yes(),
            Some(reason) => Judged::no(reason),
        }
    }
}
