//! How does a motion run backwards from its start?
//!
//! ```text
//! s = −t,  dy/ds = −f(−s, y)        forward in s: steps, events and levels are those of any motion          (1)
//! ```
//!
//! Inside, times are s; what leaves has t = −s. Events are those of the motion forward in time: a relation that becomes true
//! as t grows becomes false as s does. What forgets its past has no way back, and is refused by name: contacts that touch,
//! friction, constraints that begin or end.

use expr::{Kind, Symbol};
use numeric::{Direction, Problem};

use super::Simulation;
use super::facts::Asked;
use super::state::State;
use super::watch::{Watched, Watching};
use engine::{Error, Field, Loaded};

/// The time t at s, and s at t.
pub fn turned(t: f64) -> f64 {
    // no minus before zero
    0.0 - t
}

/// (1): the problem in s; events keep their direction in t.
pub fn reversed(problem: &mut Problem, watched: &mut [Watching]) {
    let s = expr::symbol(Symbol::new("back@t", Kind::Parameter));
    let t = std::mem::replace(&mut problem.time, s);
    // what is defined may contain t
    problem.defined.insert(0, (t, -s));
    problem.rates.iter_mut().for_each(|rate| *rate = -*rate);
    problem.is_reversed = true;
    for one in watched.iter_mut().filter(|one| matches!(one.what, Watched::Event(_))) {
        one.direction = direction(one.direction);
    }
}

/// The direction in s of what has this direction in t.
fn direction(direction: Direction) -> Direction {
    match direction {
        Direction::Up => Direction::Down,
        Direction::Down => Direction::Up,
        Direction::Any => Direction::Any,
    }
}

/// An error if something at the start has no way back.
pub fn refuse(loaded: &Loaded) -> Result<(), Error> {
    let system = &loaded.system;
    let wrong = |what: String, span: syntax::Span| {
        let (file, line) = (loaded.model.sources.name_of(span), loaded.model.sources.line_of(span));
        Err(Error::new(format!("the motion cannot run backwards: {what} ({file}:{line})"))
            .hint(format!("ask for the motion after the start, as in `{}`", Field::Duration.asked("10")))
            .of(Field::Back))
    };
    if let Some(one) = system.constraints.iter().find(|one| one.from.is_some() || one.until.is_some()) {
        let what = format!("whether `{}`, which has `from` or `until`, was on before is not known", one.name);
        return wrong(what, one.span);
    }
    if let Some(one) = system.frictions.first() {
        let what = format!("friction at `{}` brings things to rest, and what was before rest is not known", one.on);
        return wrong(what, one.span);
    }
    if let Some(one) = system.impulses.first() {
        return wrong(
            "an impulse acts at the start, and the rates of the start are those after it".to_owned(),
            one.span,
        );
    }
    let at = State::start(loaded, true).at(loaded);
    for one in system.constraints.iter().filter(|one| one.is_one_sided()) {
        if mechanics::standing::shut(system, &one.rows, &at) {
            let what = format!("`{}` touches at the start, and when it came to touch is not known", one.name);
            return wrong(what, one.span);
        }
    }
    Ok(())
}

/// Why a motion ends where a contact closes on the way back.
pub fn touches(name: &str, t: f64) -> String {
    let t = expr::decimal(t);
    format!(
        "backwards `{name}` comes to touch at t = {t} s: then it left its contact there, and what it did before is not known \
         from what came after"
    )
}

/// Turns the times of an answer from s to t.
pub fn turn(found: &mut Simulation) {
    found.began = turned(found.began);
    found.last.t = turned(found.last.t);
    found.table.t.iter_mut().for_each(|t| *t = turned(*t));
    found.events.iter_mut().for_each(|event| event.t = turned(event.t));
}

/// Says that facts are not judged on the way back, if there are any.
pub fn note(found: &mut Simulation, asked: &[Asked<'_>]) {
    if !asked.is_empty() {
        let words = "facts tell of the motion from the start on: none is judged on the way back";
        found.notes.push(words.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        assert!(turned(0.0).is_sign_positive() && turned(turned(2.5)) == 2.5);
        assert_eq!(direction(Direction::Up), Direction::Down);
    }
}
