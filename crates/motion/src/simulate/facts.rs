//! Which facts does a motion decide, and do they hold?
//!
//! ```text
//! relation at t = T        the sides at that time
//! event NAME at a = b      the sides a, b whenever NAME happens; one time that fits is enough
//! ```

use expr::{Comparison, Expr};
use mechanics::ingredients::Ingredients;
use mechanics::{Fact, Reading, Relation, Statement};
use serde::Serialize;

use dynamics::Known;
use engine::Loaded;
use engine::fact::{Judged, components, times};

/// A fact that a motion decides.
pub struct Asked<'a> {
    /// The fact.
    pub statement: &'a Statement,
    /// When its sides are looked at.
    pub when: When,
    relation: &'a Relation,
    comparison: Comparison,
    within: Option<f64>,
    /// How long the motion must run for it, if that is known.
    pub until: Option<f64>,
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
        let number = |e: Expr| Some(loaded.at.value(e)).filter(|value| value.is_finite());
        let of = |statement: &'a Statement| {
            if engine::fact::needs(&statement.fact, &loaded.start) != engine::fact::Needs::Motion {
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
            let until = match &when {
                When::Time(time) => Some(*time),
                When::Event(_) => expected_time(relation).and_then(number).map(|time| {
                    // a little longer than it is expected
                    time + within.unwrap_or(0.0) + 1e-3 * time.abs()
                }),
            };
            Some(Asked { statement, when, relation, comparison: relation.comparison, within, until })
        };
        loaded.system.statements.iter().filter_map(of).collect()
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
        if values.is_empty() {
            return Judged::not_told("it cannot be read along a motion".to_owned());
        }
        match values.chunks_exact(2).find(|pair| !self.are_met(pair[0], pair[1], error)) {
            None => Judged::yes(),
            Some([a, b]) if a.is_finite() && b.is_finite() => {
                let text = expr::decimal;
                let (left, right, apart) = (text(*a), text(*b), text((a - b).abs()));
                Judged::no(format!("left is {left}, right is {right}: they differ by {apart}"))
            }
            Some(_) => Judged::no("one side has no value there".to_owned()),
        }
    }

    /// Whether it holds with these values, in one word.
    fn is_met(&self, values: &[f64], error: f64) -> bool {
        !values.is_empty() && values.chunks_exact(2).all(|pair| self.are_met(pair[0], pair[1], error))
    }

    fn are_met(&self, a: f64, b: f64, error: f64) -> bool {
        let tolerance = self.within.unwrap_or(error * (a.abs() + b.abs()).max(1.0));
        a.is_finite() && b.is_finite() && self.fits(a - b, tolerance)
    }

    /// Whether it holds with these values even if they are wrong by `error`, relatively.
    pub fn holds_safely(&self, values: &[f64], error: f64) -> bool {
        let fits = |pair: &[f64]| {
            let wrong = error * (pair[0].abs() + pair[1].abs()).max(1.0);
            self.within.is_some_and(|within| within > wrong && self.fits(pair[0] - pair[1], within - wrong))
        };
        !values.is_empty() && self.comparison == Comparison::Equal && values.chunks_exact(2).all(fits)
    }

    fn fits(&self, apart: f64, tolerance: f64) -> bool {
        match self.comparison {
            Comparison::Equal => apart.abs() <= tolerance,
            Comparison::NotEqual => apart.abs() > tolerance,
            Comparison::AtLeast | Comparison::Greater => apart >= -tolerance,
            Comparison::AtMost | Comparison::Less => apart <= tolerance,
        }
    }
}

/// The time at which an event is expected, if the fact says one.
fn expected_time(relation: &Relation) -> Option<Expr> {
    let (left, _, right) = relation.scalars()?;
    if left == expr::time() { Some(right) } else { Some(left).filter(|_| right == expr::time()) }
}

/// A fact that a motion decided.
#[derive(Clone, Debug, Serialize)]
pub struct Expected {
    /// Its name.
    pub name: String,
    /// Whether it holds; nothing if the motion did not come so far.
    pub holds: Option<bool>,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Values that were changed, for which it was not written: then that it does not hold says nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// Whether the tolerance of the motion serves for it.
    #[serde(skip)]
    pub is_safe: bool,
}

/// Why a fact is not decided.
const TOO_SHORT: &str = "the motion did not come so far";

impl Expected {
    /// What the values of its sides, at the instants that it speaks of, say of a fact. The motion came to `t`, and may be
    /// wrong by `error`, relatively.
    pub fn of(one: &Asked<'_>, answers: &[Vec<f64>], error: f64, t: f64) -> Expected {
        let best = answers.iter().find(|values| one.is_met(values, error)).or(answers.first());
        let best = best.map(|values| one.holds(values, error));
        let reason = match (&best, &one.when) {
            (Some(judged), _) => judged.reason.clone(),
            (None, When::Time(_)) => Some(TOO_SHORT.to_owned()),
            (None, When::Event(name)) => Some(format!("`{name}` did not happen")),
        };
        let holds = match (&best, &one.when, one.until) {
            (Some(judged), ..) => judged.holds,
            // it should have happened
            (None, When::Event(_), Some(until)) if t >= until => Some(false),
            _ => None,
        };
        let is_safe = match holds {
            Some(true) => answers.iter().any(|values| one.holds_safely(values, error)),
            Some(false) => false,
            None => true,
        };
        Expected { name: one.statement.name.clone(), holds, reason, changed: Vec::new(), is_safe }
    }

    /// A fact that is not decided.
    pub fn undecided(one: &Asked<'_>, reason: Option<&str>) -> Expected {
        let reason = Some(reason.unwrap_or(TOO_SHORT).to_owned());
        Expected { name: one.statement.name.clone(), holds: None, reason, changed: Vec::new(), is_safe: true }
    }

    /// The fact, written for other values than these: it is not applicable.
    pub fn not_applicable(&mut self, changed: &[String]) {
        let names: Vec<String> = changed.iter().map(|name| format!("`{name}`")).collect();
        let verb = if names.len() == 1 { "was" } else { "were" };
        let found = self.reason.take().map_or(String::new(), |reason| format!(" ({reason})"));
        self.reason =
            Some(format!("{} {verb} changed, and it was written for the value in the model{found}", names.join(", ")));
        (self.holds, self.changed) = (None, changed.to_vec());
    }
}
