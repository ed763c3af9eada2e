//! What that comes and goes is in one of two models and not in the other?
//!
//! ```text
//! f∘X = f̃     a one-sided or switched constraint of one is one of the other, X being its coordinates there       (1)
//! ```
//!
//! The same is asked of the conditions that switch, of coefficients of restitution and friction, and of the laws of states.

use expr::Expr;
use mechanics::{Constraint, Mode, Relation, Surface, System};

use super::{Auditor, Substitution};
use crate::modes;

/// A model, in the graph of another one, with what is put in for its letters.
pub(super) struct Pair<'a> {
    pub auditor: &'a Auditor<'a>,
    pub file: &'a str,
    pub system: &'a System,
    pub mode: &'a Mode,
    pub put: &'a Substitution,
}

/// Why the modes of two models do not correspond.
pub(super) struct Unlike {
    pub reason: String,
    /// Whether both are in one mode at their starts all the same, so that a difference there tells them apart.
    pub comparable: bool,
}

impl Pair<'_> {
    /// The first thing that is in one of the models alone, or stands otherwise there.
    pub fn unlike(&self) -> Option<Unlike> {
        self.constraints().or_else(|| self.laws()).or_else(|| self.frictions())
    }

    fn other(&self) -> (&System, &Mode) {
        (&self.auditor.loaded.system, self.auditor.given.mode)
    }

    /// Is this of the first model what that is of the second?
    fn same(&self, one: Expr, two: Expr) -> bool {
        let image = self.put.apply_one(one).ok().and_then(|e| self.auditor.image(e));
        match (image, self.auditor.image(two)) {
            (Some(a), Some(b)) => proof::decide(a - b, &self.auditor.assumptions).is_zero(),
            _ => false,
        }
    }

    fn alike(&self, one: Option<&Relation>, two: Option<&Relation>) -> bool {
        match (one, two) {
            (None, None) => true,
            (Some(one), Some(two)) => match (one.scalars(), two.scalars()) {
                (Some(one), Some(two)) => one.1 == two.1 && self.same(one.0 - one.2, two.0 - two.2),
                _ => false,
            },
            _ => false,
        }
    }

    /// (1)
    fn is_image(&self, one: &Constraint, two: &Constraint) -> bool {
        let rows = || one.rows.iter().zip(&two.rows);
        one.is_one_sided() == two.is_one_sided()
            && one.rows.len() == two.rows.len()
            && self.alike(one.from.as_ref(), two.from.as_ref())
            && self.alike(one.until.as_ref(), two.until.as_ref())
            && (rows().all(|(&a, &b)| self.same(a, b))
                || !one.is_one_sided() && rows().all(|(&a, &b)| self.same(a, -b)))
    }

    fn constraints(&self) -> Option<Unlike> {
        let (other, other_mode) = self.other();
        let mut rest: Vec<(usize, &Constraint)> = modes::changing(other).collect();
        let mut lonely: Vec<(&str, &str, bool)> = Vec::new();
        for (place, one) in modes::changing(self.system) {
            let acts = self.mode.standing[place].acts();
            let Some(k) = rest.iter().position(|(_, two)| self.is_image(one, two)) else {
                lonely.push((&one.name, self.file, acts));
                continue;
            };
            let (at, two) = rest.remove(k);
            if !self.same(restitution(self.system, one), restitution(other, two)) {
                let reason = format!("`{}` and `{}` have other coefficients of restitution", one.name, two.name);
                return Some(Unlike { reason, comparable: true });
            }
            if acts != other_mode.standing[at].acts() {
                let (here, there) = if acts { ("acts", "does not") } else { ("does not act", "does") };
                let reason = format!(
                    "at the start `{}` {here} in one of the models and {there} in the other: only models in one mode are \
                     compared",
                    one.name
                );
                return Some(Unlike { reason, comparable: false });
            }
        }
        let file = &self.auditor.loaded.file;
        lonely.extend(rest.iter().map(|(at, two)| (&*two.name, &**file, other_mode.standing[*at].acts())));
        let (name, file, _) = lonely.first()?;
        let reason = format!(
            "`{name}` of {file} does not always act, and no constraint of the other model is seen to be the same: they were \
             compared as they are at the start"
        );
        Some(Unlike { reason, comparable: !lonely.iter().any(|one| one.2) })
    }

    fn laws(&self) -> Option<Unlike> {
        let (other, _) = self.other();
        let missing = |here: &System, there: &System, file: &str| {
            let is_there = |name: &str| there.states.iter().any(|two| two.name == name);
            let one = here.states.iter().find(|one| !is_there(&one.name))?;
            let reason = format!("the state `{}` of {file} is not in the other model", one.name);
            Some(Unlike { reason, comparable: false })
        };
        let differs = || {
            let mut pairs = self.system.states.iter().flat_map(|one| other.states.iter().map(move |two| (one, two)));
            let (one, _) = pairs.find(|(one, two)| one.name == two.name && !self.same(one.rate, two.rate))?;
            let reason = format!("the law of the state `{}` is not seen to be the same in both models", one.name);
            Some(Unlike { reason, comparable: true })
        };
        missing(self.system, other, self.file)
            .or_else(|| missing(other, self.system, &self.auditor.loaded.file))
            .or_else(differs)
    }

    fn frictions(&self) -> Option<Unlike> {
        let (other, other_mode) = self.other();
        let grips = |mode: &Mode| (mode.sliding().count(), mode.held.len());
        let both = !self.system.frictions.is_empty() && !other.frictions.is_empty();
        if both && grips(self.mode) != grips(other_mode) {
            let reason = "rough contacts stick at one of the starts and slide at the other: only models in one mode are compared";
            return Some(Unlike { reason: reason.to_owned(), comparable: false });
        }
        let alone = |on: &str, file: &str| {
            let reason = format!(
                "the friction on `{on}` of {file} has no like in the other model: they were compared as they are at the start"
            );
            Some(Unlike { reason, comparable: true })
        };
        let mut rest: Vec<&Surface> = other.frictions.iter().collect();
        for one in &self.system.frictions {
            match rest.iter().position(|two| self.same(one.value, two.value)) {
                Some(k) => drop(rest.remove(k)),
                None => return alone(&one.on, self.file),
            }
        }
        alone(&rest.first()?.on, &self.auditor.loaded.file)
    }
}

/// The coefficient of restitution of a constraint; none is 0.
fn restitution(system: &System, one: &Constraint) -> Expr {
    system.restitutions.iter().find(|surface| surface.on == one.name).map_or(Expr::zero(), |surface| surface.value)
}
