//! Who is right, where forms differ?
//!
//! ```text
//! sides      forms with the same accelerations at several states, and the same rows                            (1)
//! numbers    does a side's motion satisfy the model's text, in plain numbers? `numbers.rs`                     (2)
//! grounds    what F1 to F8 share is one ground, what F9 makes by itself another                                (3)
//! ```
//!
//! A side is right if numbers say so of it alone. Where they do not speak, or speak for several, the side with more
//! grounds is right; between sides that all rest on what F1 to F8 share, the one with more families. F9 against all others is
//! one ground against one: without numbers it stays open who is wrong, however many forms stand on one side. So is a tie.

use expr::{At, Expr};
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::{Agreement, Answers, Questions};
use crate::formalism::Family;
use crate::ingredients::Ingredients;
use crate::numbers::{Numbers, State};
use crate::rows::Row;

/// States that are looked at.
const STATES: usize = 4;
/// Accelerations that differ by less than this share are the same.
const SAME: f64 = 1e-6;

/// Forms that agree with each other and not with those of other sides.
#[derive(Clone, Debug)]
pub struct Side {
    /// Places of the forms.
    pub forms: Vec<usize>,
    /// Their families.
    pub families: Vec<Family>,
    /// Whether plain numbers say that the motion is that of the text.
    pub numbers: Option<bool>,
}

/// What the judgement rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judged {
    /// Plain numbers, made from the text of the model.
    Numbers,
    /// More independent grounds, or more families on one ground.
    Families,
    /// Nothing: it is open who is wrong.
    Open,
}

/// Forms that differ, and who is right.
#[derive(Clone, Debug)]
pub struct Dispute {
    /// The sides.
    pub sides: Vec<Side>,
    /// The side that is right, if that is known.
    pub right: Option<usize>,
    /// Why it is.
    pub by: Judged,
}

impl Dispute {
    /// The forms that are wrong, if that is known.
    pub fn blamed(&self) -> Vec<usize> {
        let wrong = |(place, _): &(usize, &Side)| self.right.is_some_and(|right| right != *place);
        self.sides.iter().enumerate().filter(wrong).flat_map(|(_, side)| side.forms.clone()).collect()
    }
}

/// What a form says in floats: accelerations at some states, and its own rows there.
struct Said {
    motions: Vec<Option<Vec<f64>>>,
    rows: Vec<Vec<f64>>,
}

impl Questions {
    /// Who is right, if forms of one mechanics differ. Where the leading form is wrong another one takes its place,
    /// and the answers are given anew.
    pub fn settle(
        &mut self,
        given: &Ingredients<'_>,
        mut answers: Answers,
        goes_on: &mut dyn FnMut(f64) -> bool,
    ) -> (Answers, Option<Dispute>) {
        let agreement: Vec<Agreement> = answers.forms.iter().map(|form| form.agreement).collect();
        let of_one_mechanics = self.entries.iter().map(|entry| !entry.formalism.stranger);
        if !of_one_mechanics.zip(&agreement).any(|(own, agreement)| own && *agreement == Agreement::Different) {
            return (answers, None);
        }
        let dispute = self.dispute(given, &agreement);
        let leads = self.leader();
        let right = dispute.right.map(|right| &dispute.sides[right].forms);
        if let Some(right) = right.filter(|right| !leads.is_some_and(|lead| right.contains(&lead))) {
            let charted = |place: &&usize| self.entries[**place].chart.is_some();
            let has_chart = self.entries.iter().any(|entry| entry.chart.is_some());
            let next = right.iter().find(charted).or(right.first().filter(|_| !has_chart)).copied();
            if let Some(next) = next {
                self.lead = Some(next);
                self.compare(given);
                answers = self.answers(goes_on);
            }
        }
        (answers, Some(dispute))
    }

    /// Does the motion of a form satisfy the text of the model in plain numbers? `None` if that cannot be told.
    pub fn in_numbers(&self, given: &Ingredients<'_>, place: usize) -> Option<bool> {
        let states = states(given);
        by_numbers(given, &states, &self.said(place, given, &states))
    }

    fn dispute(&self, given: &Ingredients<'_>, agreement: &[Agreement]) -> Dispute {
        let states = states(given);
        let said: Vec<Said> = (0..self.entries.len()).map(|place| self.said(place, given, &states)).collect();
        let mut sides: Vec<Side> = Vec::new();
        for place in (0..self.entries.len()).filter(|&place| !self.entries[place].formalism.stranger) {
            // what the proof joins or tells apart, floats do not judge again
            let proved = |place: usize| agreement[place] <= Agreement::Equivalent;
            let own = |side: &&mut Side| {
                let first = side.forms[0];
                match (agreement[first], agreement[place]) {
                    _ if proved(first) && proved(place) => true,
                    (a, b) => a == b && alike(&said[first], &said[place]),
                }
            };
            match sides.iter_mut().find(own) {
                Some(side) => side.forms.push(place),
                None => sides.push(Side { forms: vec![place], families: Vec::new(), numbers: None }),
            }
        }
        for side in &mut sides {
            side.families = side.forms.iter().map(|&form| self.entries[form].formalism.family).collect();
            side.families.sort_unstable();
            side.families.dedup();
            let spoken = side.forms.iter().find(|form| said[**form].motions.iter().any(Option::is_some));
            side.numbers = spoken.and_then(|&form| by_numbers(given, &states, &said[form]));
        }
        let (right, by) = judged(&sides);
        Dispute { sides, right, by }
    }

    fn said(&self, place: usize, given: &Ingredients<'_>, states: &[Sampled]) -> Said {
        let entry = &self.entries[place];
        let own = &entry.form.row_differences;
        let of_rows = |sampled: &Sampled| {
            let mut values = sampled.at.values(&all_rows(given).iter().map(|row| row.f).collect::<Vec<_>>());
            own.iter().for_each(|&(row, difference)| values[row] += sampled.at.value(difference));
            values
        };
        Said {
            motions: states.iter().map(|sampled| entry.accelerations_at(&sampled.values)).collect(),
            rows: states.iter().map(of_rows).collect(),
        }
    }
}

/// The rows that act, and those that follow from them.
fn all_rows(given: &Ingredients<'_>) -> Vec<Row> {
    given.rows.list.iter().chain(&given.rows.left_out).cloned().collect()
}

/// A state at which forms are looked at.
struct Sampled {
    values: Vec<(Expr, f64)>,
    at: At,
    state: State,
}

/// Some states near the one that the ingredients were made for, with other parameters.
fn states(given: &Ingredients<'_>) -> Vec<Sampled> {
    let system = given.system;
    let has_norm = system.frames.iter().any(|frame| frame.norm_row().is_some());
    let constants: Vec<(&str, Expr)> = system
        .parameters
        .iter()
        .map(|one| (one.name.as_str(), one.symbol))
        .chain(system.inputs.iter().map(|one| (one.name.as_str(), one.symbol)))
        .chain(system.unknowns.iter().map(|one| (one.name.as_str(), one.symbol)))
        .collect();
    let u: Vec<Expr> = given.chart().map_or_else(|_| given.q_dot.clone(), |chart| chart.u.clone());
    // fractions of the golden ratio: spread evenly, and the same in every run
    let mut step = 0.0_f64;
    let mut next = || {
        step += 0.618_033_988_749_895;
        2.0 * step.fract() - 1.0
    };
    let mut found = Vec::new();
    for round in 0..STATES {
        let share = if round == 0 { 0.0 } else { 0.1 };
        let mut values: Vec<(Expr, f64)> =
            constants.iter().map(|one| (one.1, given.at.value(one.1) * (1.0 + share * next()))).collect();
        let placed = if has_norm { 0.0 } else { share };
        values.extend(given.q.iter().map(|&q| (q, given.at.value(q) + placed * next())));
        values.push((system.time, given.at.value(system.time) + share * next().abs()));
        values.extend(u.iter().map(|&u| (u, given.at.value(u) + 5.0 * share * next())));
        if let Ok(chart) = given.chart() {
            let rates = At::new(&values).values(&chart.rates);
            values.extend(given.q_dot.iter().copied().zip(rates).filter(|(rate, _)| !u.contains(rate)));
        }
        let at = At::new(&values);
        let state = State {
            constants: constants.iter().map(|one| (one.0.to_owned(), at.value(one.1))).collect::<FxHashMap<_, _>>(),
            time: at.value(system.time),
            q: at.values(&given.q),
            q_dot: at.values(&given.q_dot),
        };
        if state.q.iter().chain(&state.q_dot).all(|value| value.is_finite()) {
            found.push(Sampled { values, at, state });
        }
    }
    found
}

/// Do two forms say the same wherever both say something, and both something?
fn alike(a: &Said, b: &Said) -> bool {
    let close = |a: &[f64], b: &[f64]| {
        let size = a.iter().chain(b).map(|x| x.abs()).fold(0.0, f64::max);
        a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME * size)
    };
    let motions = a.motions.iter().zip(&b.motions).all(|(a, b)| match (a, b) {
        (Some(a), Some(b)) => close(a, b),
        _ => false,
    });
    motions && a.rows.iter().zip(&b.rows).all(|(a, b)| close(a, b))
}

/// (2): at every state, or at one clearly not.
fn by_numbers(given: &Ingredients<'_>, states: &[Sampled], said: &Said) -> Option<bool> {
    if given.mode.sliding().next().is_some() || !given.rows.pressed.is_empty() {
        return None;
    }
    let all = all_rows(given);
    let mut verdict = None;
    for ((sampled, motion), rows) in states.iter().zip(&said.motions).zip(&said.rows) {
        let numbers = Numbers::new(given.system, &given.rows.list, &sampled.state);
        let Some(motion) = motion else { continue };
        let has_rows = Numbers::new(given.system, &all, &sampled.state).have_rows(rows);
        match (has_rows, numbers.allow(motion)) {
            (Some(false), _) | (_, Some(false)) => return Some(false),
            (Some(true), Some(true)) => verdict = Some(true),
            _ => {}
        }
    }
    verdict
}

/// The side that is right, and why.
fn judged(sides: &[Side]) -> (Option<usize>, Judged) {
    let says = |wanted: Option<bool>| -> Vec<usize> {
        (0..sides.len()).filter(|&side| sides[side].numbers == wanted).collect()
    };
    if let [only] = says(Some(true))[..] {
        return (Some(only), Judged::Numbers);
    }
    let left: Vec<usize> = match says(Some(true)).is_empty() {
        true => says(None),
        false => says(Some(true)),
    };
    let apart = |side: usize| sides[side].families.contains(&Family::F9);
    let grounds = |side: usize| {
        usize::from(apart(side)) + usize::from(sides[side].families.iter().any(|family| *family != Family::F9))
    };
    let best = left.iter().map(|&side| grounds(side)).max().unwrap_or(0);
    let leading: Vec<usize> = left.into_iter().filter(|&side| grounds(side) == best).collect();
    if leading.len() > 1 && leading.iter().any(|&side| apart(side)) {
        return (None, Judged::Open);
    }
    let most = leading.iter().map(|&side| sides[side].families.len()).max();
    let leading: Vec<usize> = leading.into_iter().filter(|&side| Some(sides[side].families.len()) == most).collect();
    match leading[..] {
        [only] => (Some(only), Judged::Families),
        _ => (None, Judged::Open),
    }
}

#[cfg(test)]
mod tests {
    use super::{Family, Judged, Side, judged};

    fn side(families: &[Family], numbers: Option<bool>) -> Side {
        Side { forms: Vec::new(), families: families.to_vec(), numbers }
    }

    #[test]
    fn one_ground_against_one_is_open_without_numbers() {
        use Family::{F1, F2, F4, F8, F9};
        let shared = [F1, F2, F4, F8];
        let judge = |sides: &[Side]| judged(sides);
        assert_eq!(judge(&[side(&shared, None), side(&[F9], None)]), (None, Judged::Open));
        let right = |place: usize, by| (Some(place), by);
        assert_eq!(judge(&[side(&shared, Some(false)), side(&[F9], Some(true))]), right(1, Judged::Numbers));
        assert_eq!(judge(&[side(&shared, Some(true)), side(&[F9], Some(false))]), right(0, Judged::Numbers));
        assert_eq!(judge(&[side(&[F1, F2, F4], None), side(&[F8, F9], None)]), right(1, Judged::Families));
        assert_eq!(judge(&[side(&[F1], None), side(&[F2, F4], None)]), right(1, Judged::Families));
        assert_eq!(judge(&[side(&[F1], None), side(&[F2], None)]), (None, Judged::Open));
        assert_eq!(judge(&[side(&shared, Some(false)), side(&[F9], Some(false))]), (None, Judged::Open));
        // numbers that speak for both do not decide, and families do not outvote another ground
        assert_eq!(judge(&[side(&shared, Some(true)), side(&[F9], Some(true))]), (None, Judged::Open));
    }
}
