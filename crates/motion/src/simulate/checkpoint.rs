//! How does a motion go on from a file as if it had never been interrupted?
//!
//! A checkpoint holds what steps depend on, to the bit: the memory of the motion between two steps, natural sizes, the account
//! of energy, and the states at which phases were made, so that they are made again in the same order. Floats are written as
//! the integers that have their bits.

use std::sync::Arc;

use numeric::{Direction, Jumps, Memory, Method, Plan, Watch};
use serde::{Deserialize, Serialize};

use super::recorder::Energies;
use super::run::Run;
use super::state::State;
use super::{Simulate, Simulation, schedule};
use dynamics::Change;
use engine::{Error, Field, Loaded, Progress};
use mechanics::standing::Standing;

/// What a file begins with.
const FORMAT: &str = "anholon checkpoint 3";
/// The word for a method that was not asked for.
const FREE: &str = "automatic";

/// A motion between two steps, and what was asked of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Checkpoint {
    format: String,
    /// The file of the model, and a word that changes with its text.
    model: String,
    hash: String,
    /// The time that the motion has come to, for readers.
    t: f64,
    is_finished: bool,
    is_back: bool,
    method: String,
    tolerance: Option<u64>,
    step: Option<u64>,
    form: Option<String>,
    every: Option<u64>,
    times: Vec<u64>,
    /// The first and the last time, and the one that was reached; backwards they are −t.
    span: [u64; 2],
    reached: u64,
    /// Where phases were made, which of them is under way, and where it began.
    pub(super) made: Vec<Place>,
    pub(super) phase: usize,
    pub(super) now: Place,
    sizes: Vec<u64>,
    watches: Vec<(i8, u64, i8)>,
    crosses: bool,
    y: Vec<u64>,
    at: u64,
    floats: Vec<u64>,
    counts: Vec<i64>,
    pub(super) energies: Vec<u64>,
    pub(super) natural: Vec<u64>,
    /// Impacts: when, of what, how strong.
    pub(super) impacts: Vec<(u64, Vec<usize>, Option<u64>)>,
    pub(super) residual: u64,
    /// Whether some step was as long as steps may be in that run.
    pub(super) is_limited: bool,
    /// Steps, rejected steps, evaluations until there.
    pub(super) counted: [u64; 3],
    /// A word that changes with all the others: tools that keep 53 bits of integers would change them unseen.
    #[serde(default)]
    seal: String,
}

/// A state with what had been chosen there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Place {
    pub(super) t: u64,
    pub(super) y: Vec<u64>,
    pub(super) on: Vec<u8>,
    pub(super) gone: Vec<usize>,
    pub(super) form: Option<String>,
    pub(super) dependent: Vec<usize>,
    pub(super) is_watched: bool,
    pub(super) has_ended: bool,
}

/// The integers that have the bits of floats.
pub fn bits(list: &[f64]) -> Vec<u64> {
    list.iter().map(|x| x.to_bits()).collect()
}

/// The floats that have the bits of integers.
pub fn floats(list: &[u64]) -> Vec<f64> {
    list.iter().copied().map(f64::from_bits).collect()
}

const STANDINGS: [Standing; 8] = [
    Standing::Idle,
    Standing::Acts,
    Standing::Closed,
    Standing::Open,
    Standing::Violated,
    Standing::Later,
    Standing::Over,
    Standing::Rough,
];

impl Place {
    /// A state; what was chosen there is added by the run.
    pub fn of(state: &State) -> Place {
        let code = |one: &Standing| STANDINGS.iter().position(|known| known == one).unwrap_or(0) as u8;
        Place {
            t: state.t.to_bits(),
            y: bits(&state.y),
            on: state.on.iter().map(code).collect(),
            gone: state.gone.clone(),
            form: None,
            dependent: Vec::new(),
            is_watched: true,
            has_ended: false,
        }
    }

    /// The state of a model that has so many constraints and numbers; nothing if it is none.
    pub fn state(&self, like: &State) -> Option<State> {
        let on = self.on.iter().map(|&code| STANDINGS.get(usize::from(code)).copied()).collect::<Option<Vec<_>>>()?;
        let fits = on.len() == like.on.len()
            && self.y.len() == like.y.len()
            && self.gone.iter().all(|&place| place < like.on.len());
        fits.then(|| State {
            t: f64::from_bits(self.t),
            is_back: like.is_back,
            y: floats(&self.y),
            on,
            gone: self.gone.clone(),
            change: Change::Nothing,
        })
    }
}

/// What a run tells of itself for a checkpoint.
pub struct Kept<'k> {
    /// The model, and what was asked.
    pub loaded: &'k Loaded,
    pub wanted: &'k Simulate,
    pub span: (f64, f64),
    pub made: &'k [Place],
    pub phase: usize,
    pub now: Place,
    pub plan: &'k Plan,
    pub memory: &'k Memory,
    pub counted: [u64; 3],
    pub energies: Energies,
    pub natural: &'k [f64],
    pub impacts: Vec<(u64, Vec<usize>, Option<u64>)>,
    pub done: &'k Simulation,
    /// The time that was reached, if the motion is at its end.
    pub finished: Option<f64>,
    /// Whether some step was as long as steps may be.
    pub is_limited: bool,
}

/// As numbers of a checkpoint say it.
const JUMPS: [Jumps; 3] = [Jumps::Never, Jumps::Pass, Jumps::Count];

impl Checkpoint {
    /// The checkpoint of a run.
    pub fn of(kept: Kept<'_>) -> Checkpoint {
        let Kept { loaded, wanted, plan, memory, .. } = kept;
        let code = |watch: &Watch| {
            let direction = match watch.direction {
                Direction::Up => 1,
                Direction::Down => -1,
                Direction::Any => 0,
            };
            direction
                + 4 * JUMPS.iter().position(|&one| one == watch.jumps).unwrap_or(0) as i8
                + 16 * i8::from(watch.is_bounded)
        };
        let reached = kept.finished.unwrap_or(memory.t);
        let is_back = wanted.back.is_some();
        Checkpoint {
            format: FORMAT.to_owned(),
            model: loaded.file.clone(),
            hash: loaded.hash(),
            t: if is_back { super::back::turned(reached) } else { reached },
            is_finished: kept.finished.is_some(),
            is_back,
            method: wanted.method.map_or(FREE, Method::name).to_owned(),
            tolerance: wanted.tolerance.map(f64::to_bits),
            step: wanted.step.map(f64::to_bits),
            form: wanted.form.clone(),
            every: wanted.every.map(f64::to_bits),
            times: bits(&wanted.times),
            span: [kept.span.0.to_bits(), kept.span.1.to_bits()],
            reached: reached.to_bits(),
            made: kept.made.to_vec(),
            phase: kept.phase,
            now: kept.now,
            sizes: bits(&plan.sizes),
            watches: plan.watches.iter().map(|one| (code(one), one.size.to_bits(), one.before)).collect(),
            crosses: plan.crosses,
            y: bits(&memory.y),
            at: memory.t.to_bits(),
            floats: bits(&memory.floats),
            counts: memory.counts.clone(),
            energies: bits(&kept.energies.numbers()),
            natural: bits(kept.natural),
            impacts: kept.impacts,
            residual: kept.done.constraint_residual.to_bits(),
            is_limited: kept.is_limited,
            counted: kept.counted,
            seal: String::new(),
        }
    }

    /// The motion went on to where another is.
    pub(super) fn reaches(&mut self, other: &Checkpoint) {
        (self.t, self.reached, self.is_finished) = (other.t, other.reached, other.is_finished);
    }

    /// Reads a checkpoint.
    pub fn read(text: &str) -> Result<Checkpoint, Error> {
        let wrong = |why: String| Error::new(format!("this is no checkpoint: {why}")).of(Field::Resume);
        let mut read: Checkpoint = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        if read.format != FORMAT {
            return Err(wrong(format!("its format is `{}` in place of `{FORMAT}`", read.format)));
        }
        let seal = std::mem::take(&mut read.seal);
        match seal == read.sealed() {
            true => Ok(read),
            false => Err(Error::new("the numbers of this checkpoint were changed after it was written")
                .hint("some tools keep 53 bits of integers only: take the file as it was written, or begin anew")
                .of(Field::Resume)),
        }
    }

    /// Whether a text claims to be a checkpoint, also where another tool has written it anew.
    pub fn is_one(text: &str) -> bool {
        const BEGINS: &str = "{\"format\":\"anholon checkpoint";
        let bare: String = text.chars().filter(|c| !c.is_whitespace()).take(BEGINS.len()).collect();
        let format =
            || serde_json::from_str::<serde_json::Value>(text).ok()?.get("format")?.as_str().map(str::to_owned);
        bare.starts_with(&BEGINS.replace(' ', ""))
            || text.contains("anholon checkpoint")
                && format().is_some_and(|word| word.starts_with("anholon checkpoint"))
    }

    /// The text of its file.
    pub fn text(&self) -> String {
        let sealed = Checkpoint { seal: self.sealed(), ..self.clone() };
        serde_json::to_string(&sealed).unwrap_or_default() + "\n"
    }

    /// The word that changes with all numbers.
    fn sealed(&self) -> String {
        // a decimal may lose its last bit on the way through a file, and `reached` holds it
        let plain = Checkpoint { seal: String::new(), t: 0.0, ..self.clone() };
        engine::hash([serde_json::to_string(&plain).unwrap_or_default().as_str()])
    }

    /// The time that was reached; backwards it is −t.
    pub(super) fn time_inside(&self) -> f64 {
        f64::from_bits(self.reached)
    }

    /// The method that the motion was begun with, if one was asked for.
    pub fn method(&self) -> Option<&str> {
        Some(self.method.as_str()).filter(|name| *name != FREE)
    }

    /// The time that the motion has come to.
    pub fn time(&self) -> f64 {
        self.t
    }

    /// The memory of the motion.
    pub(super) fn memory(&self) -> Memory {
        let (t, y) = (f64::from_bits(self.at), floats(&self.y));
        Memory { t, y, floats: floats(&self.floats), counts: self.counts.clone(), counted: [0; 3] }
    }

    /// The plan of the motion, with steps no longer than this.
    pub(super) fn plan(&self, wanted: &Simulate, longest: f64) -> Plan {
        let direction = |code: i8| match (code + 1) % 16 % 4 - 1 {
            1 => Direction::Up,
            -1 => Direction::Down,
            _ => Direction::Any,
        };
        let watch = |&(code, size, before): &(i8, u64, i8)| Watch {
            direction: direction(code),
            size: f64::from_bits(size),
            before,
            jumps: JUMPS[((code + 1) % 16 / 4).clamp(0, 2) as usize],
            is_bounded: code > 14,
        };
        Plan {
            method: wanted.first_method(),
            is_free: wanted.method.is_none(),
            tolerance: wanted.tolerance(),
            sizes: floats(&self.sizes),
            step: wanted.step,
            watches: self.watches.iter().map(watch).collect(),
            longest,
            crosses: self.crosses,
            keeps: wanted.keeps,
        }
    }
}

/// An error if a checkpoint of a motion of this model could not be gone on from.
pub fn refuse(loaded: &Loaded) -> Result<(), Error> {
    let Some(one) = loaded.system.frictions.first() else { return Ok(()) };
    let (file, line) = (loaded.model.sources.name_of(one.span), loaded.model.sources.line_of(one.span));
    let message = format!("how the rough contact `{}` holds is not kept in a checkpoint ({file}:{line})", one.on);
    Err(Error::new(message).hint("run it without a checkpoint").of(Field::Checkpoint))
}

/// The motion from a checkpoint on.
pub fn resumed(
    loaded: &Loaded,
    wanted: &Simulate,
    from: &Arc<Checkpoint>,
    progress: &mut dyn Progress,
) -> Result<Simulation, Error> {
    let wanted = taken_over(loaded, wanted, from)?;
    let first = f64::from_bits(from.span[0]);
    let (last, asked_for_more) = (end(&wanted, from)?, wanted.duration.is_some());
    let asked = Simulate { duration: None, ..wanted.clone() };
    // what lies before was told by the first run
    let times = schedule::after(&asked, first, last, from.time_inside())?;
    let chosen = wanted.form.as_deref().map(engine::forms::known).transpose()?;
    let run = Run::new(super::run::Kept::new(loaded), &wanted, chosen, Vec::new(), (first, last, times), progress);
    let (mut found, _) = run.resume(from)?.finish()?;
    found.events.retain(|event| event.t > from.time_inside());
    if from.is_back {
        super::back::turn(&mut found);
    }
    if asked_for_more && from.is_limited {
        let words = "steps before the checkpoint were limited to a fiftieth of the time of that run: the digits are not those of \
                     one long run, which may take longer steps";
        found.notes.push(words.to_owned());
    }
    Ok(found)
}

/// What is asked, with the settings that the motion was begun with. Others are an error.
fn taken_over(loaded: &Loaded, wanted: &Simulate, from: &Checkpoint) -> Result<Simulate, Error> {
    let wrong = |field: Field, what: String| Err(Error::new(what).hint("leave it out, or begin anew").of(field));
    if from.hash != loaded.hash() {
        let message =
            format!("the checkpoint is of another model than this, or of other values: it was of {}", from.model);
        return Err(Error::new(message)
            .hint(format!(
                "the text, `{}`, `{}` and `{}` must be those of the beginning",
                Field::Set,
                Field::With,
                Field::At
            ))
            .of(Field::Resume));
    }
    if wanted.back.is_some() {
        return wrong(Field::Back, format!("`{}` is decided by the checkpoint", Field::Back));
    }
    let usual = Simulate::default().tolerance();
    let step = from.step.map(f64::from_bits);
    let tolerance = from.tolerance.map_or(usual, f64::from_bits);
    if wanted.tolerance.is_some_and(|now| step.is_some() || now != tolerance) {
        let field = Field::Tolerance;
        let then = match step {
            Some(step) => format!("was made with steps of {} s", expr::decimal(step)),
            None => format!("has {}", expr::decimal(tolerance)),
        };
        return wrong(field, format!("`{field}` is not that of the checkpoint, which {then}"));
    }
    if wanted.step.is_some() && wanted.step != step {
        let field = Field::Step;
        let then = match step {
            Some(step) => format!("has {} s", expr::decimal(step)),
            None => format!("was made with the tolerance {}", expr::decimal(tolerance)),
        };
        return wrong(field, format!("`{field}` is not that of the checkpoint, which {then}"));
    }
    if wanted.form.is_some() && wanted.form != from.form {
        let then = from.form.as_deref().unwrap_or("one that suits what is constrained");
        return wrong(Field::Form, format!("`{}` is not that of the checkpoint: {then}", Field::Form));
    }
    let method = Method::named(&from.method);
    if method.is_none() && from.method != FREE {
        return Err(Error::new(format!("there is no method `{}`", from.method)).of(Field::Resume));
    }
    let is_asked = wanted.every.is_some() || !wanted.times.is_empty();
    Ok(Simulate {
        duration: wanted.duration,
        back: from.is_back.then_some(1.0),
        times: if is_asked { wanted.times.clone() } else { floats(&from.times) },
        every: if is_asked { wanted.every } else { from.every.map(f64::from_bits) },
        tolerance: from.tolerance.map(f64::from_bits),
        method,
        step: from.step.map(f64::from_bits),
        form: from.form.clone(),
        keeps: wanted.keeps,
        resume: None,
    })
}

/// The last time: that of the motion, or so much after where it was left.
fn end(wanted: &Simulate, from: &Checkpoint) -> Result<f64, Error> {
    let reached = f64::from_bits(from.reached);
    match wanted.duration {
        Some(more) if more > 0.0 && more.is_finite() => Ok(reached + more),
        Some(more) => {
            Err(Error::new(format!("a motion of {} s more cannot be had", expr::decimal(more))).of(Field::Duration))
        }
        None if from.is_finished => {
            let message = format!("the motion has come to its end at t = {} s", expr::decimal(from.t));
            Err(Error::new(message)
                .hint(format!("say how much longer, as in `{}`", Field::Duration.asked("10")))
                .of(Field::Duration))
        }
        None => Ok(f64::from_bits(from.span[1])),
    }
}
