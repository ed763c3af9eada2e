//! Which method goes on, where none was asked for?
//!
//! ```text
//! hλ = h |f(y₁) − f(ŷ)|/|y₁ − ŷ|      ŷ: the last stage before the end y₁ of a step of Dormand and Prince       (1)
//! hλ > 6.1, fifteen times              steps are as short as stability asks                                        (2)
//! ten times h is no error for an       it goes on, and comes back if its first thirty steps are not
//! implicit method                      five times longer together                                                  (3)
//! h |J| < 3, thirty times              nothing is stiff any more: back to the explicit one                         (4)
//! ```
//!
//! After each trial that was not worth it, more signs are asked for. Everything counts steps, nothing reads a clock,
//! and nothing looks at the end of the motion: the same motion makes the same choices.
//!
//! Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd ed. (1996), IV.2, and their code dop853.

use super::Motion;
use crate::integrate::{End, Method};

/// (2)
const STIFF: f64 = 6.1;
const SIGNS: u32 = 15;
/// So many steps without a sign, and those before count no more.
const QUIET: u32 = 6;
/// (3)
const TRIAL: u32 = 30;
const LONGER: f64 = 5.0;
/// How many times more signs are asked for then.
const LATER: u32 = 10;
/// (4)
const EASY: f64 = 3.0;
const EASY_STEPS: u32 = 30;

/// A higher order is not worth its stages for tolerances above this.
const ROUGH: f64 = 1e-6;

/// What a motion has seen of its stiffness.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    /// The method that makes steps now.
    pub method: Method,
    /// Signs of stiffness, and steps without one, or easy steps of an implicit method, in a row.
    pub signs: u32,
    pub others: u32,
    /// So many signs are asked for.
    pub patience: u32,
    /// Of a trial: how many steps were tried, how far they led, how long explicit steps were before; none if it is zero.
    pub tried: u32,
    pub way: f64,
    pub before: f64,
}

impl Choice {
    pub fn new(method: Method) -> Choice {
        Choice { method, signs: 0, others: 0, patience: SIGNS, tried: 0, way: 0.0, before: 0.0 }
    }
}

impl Motion<'_> {
    /// Looks at a step that was made.
    pub(super) fn consider(&mut self, h: f64, end: &[f64], slope: &[f64]) {
        if !self.plan.is_free || self.plan.step.is_some() {
            return;
        }
        let sizes: Vec<f64> = self.plan.sizes.iter().zip(end).map(|(size, y)| size.max(y.abs())).collect();
        let found = self.stepper.stiffness(h, End { t: self.t + h, y: end, slope }, &sizes);
        match self.choice.method == self.plan.method {
            true => self.after_explicit(h, found),
            false => self.after_implicit(h, found),
        }
    }

    fn after_explicit(&mut self, h: f64, found: Option<f64>) {
        let choice = &mut self.choice;
        match found {
            Some(found) if found > STIFF => (choice.signs, choice.others) = (choice.signs + 1, 0),
            _ => choice.others = choice.others.saturating_add(1),
        }
        if choice.others >= QUIET {
            choice.signs = 0;
        }
        if choice.signs < choice.patience {
            return;
        }
        if self.has_longer_steps(h) {
            (self.choice.before, self.choice.tried, self.choice.way) = (h, 0, 0.0);
            self.take_method(self.implicit());
        } else {
            (self.choice.signs, self.choice.patience) = (0, self.choice.patience.saturating_mul(LATER));
        }
    }

    /// The method for what is stiff.
    fn implicit(&self) -> Method {
        if self.plan.tolerance > ROUGH { Method::Radau5 } else { Method::Radau9 }
    }

    /// Whether one step of the implicit method may be much longer here; it is not taken.
    fn has_longer_steps(&mut self, h: f64) -> bool {
        let (span, mut end) = (2.0 * LONGER * h, self.y.clone());
        let mut stepper = self.implicit().stepper(self.y.len());
        stepper.natural(&self.plan.sizes);
        stepper.tolerance(self.plan.tolerance);
        let from = End { t: self.t, y: &self.y, slope: &self.slope };
        let is_made = stepper.step(self.machine, from, span, &mut end).is_ok();
        is_made && stepper.error(span, &self.scale(&end)).is_some_and(|error| error <= 1.0)
    }

    fn after_implicit(&mut self, h: f64, found: Option<f64>) {
        let choice = &mut self.choice;
        choice.others = if found.is_some_and(|found| found < EASY) { choice.others + 1 } else { 0 };
        if choice.before > 0.0 {
            (choice.tried, choice.way) = (choice.tried + 1, choice.way + h);
            if choice.tried >= TRIAL {
                let is_worth_it = choice.way >= LONGER * choice.before * f64::from(choice.tried);
                choice.before = 0.0;
                if !is_worth_it {
                    self.gives_up();
                }
            }
        } else if choice.others >= EASY_STEPS {
            self.take_method(self.plan.method);
        }
    }

    /// Counts a step that was refused.
    pub(super) fn count_refused(&mut self) {
        self.rejected += 1;
        if self.choice.before > 0.0 && self.choice.method != self.plan.method {
            self.choice.tried += 1;
        }
    }

    /// Whether a step that failed may be tried with the explicit method, which goes on then.
    pub(super) fn gives_up(&mut self) -> bool {
        let is_other = self.choice.method != self.plan.method;
        if is_other {
            self.choice.before = 0.0;
            self.choice.patience = self.choice.patience.saturating_mul(LATER);
            self.take_method(self.plan.method);
        }
        is_other
    }

    /// Goes on with another method.
    fn take_method(&mut self, method: Method) {
        (self.choice.signs, self.choice.others) = (0, 0);
        self.changes.push((self.t, method));
        self.set_method(method);
    }

    /// Makes its stepper.
    pub(super) fn set_method(&mut self, method: Method) {
        self.choice.method = method;
        self.stepper = method.stepper(self.y.len());
        self.stepper.natural(&self.plan.sizes);
        self.stepper.tolerance(self.plan.tolerance);
    }
}
