//! Do the verbs end on every model that can be read, without a panic?
//!
//! Each case goes through one verb, which follows from its text; a file given by name goes through all. A verb may
//! refuse. Whoever follows its work wishes it to stop after a counted number of reports, and it must.

use std::fmt;

use anholon::{
    Claims, Derive, Equilibria, Evaluate, Inspect, Integrate, Linearize, Model, Progress, Prove, Settings, Simulate,
    Solve,
};

use crate::spent;

/// So many reports of progress are heard before the wish to stop.
const REPORTS: usize = 3_000;
/// Reports after that wish that are still borne: a verb ends what it is at.
const BORNE: usize = 100_000;

/// Counts reports, wishes to stop, and panics if nobody listens.
struct Counted(usize);

impl Progress for Counted {
    fn reached(&mut self, _share: f64) -> bool {
        self.0 += 1;
        assert!(self.0 < REPORTS + BORNE, "the wish to stop is not heard");
        self.0 < REPORTS
    }
}

type Verb = fn(&Model, &mut Counted);

/// The verbs, each with a short question and how often it is drawn: two slow ones seldom.
const VERBS: [(&str, usize, Verb); 11] = [
    ("check", 8, |model, follow| drop(anholon::check(model, &Inspect::default(), follow))),
    ("derive", 8, |model, follow| drop(anholon::derive(model, &Derive::default(), follow))),
    ("derive --form all", 1, |model, follow| {
        let wanted = Derive { form: Some("all".to_owned()), ..Derive::default() };
        drop(anholon::derive(model, &wanted, follow));
    }),
    ("prove", 8, |model, follow| drop(anholon::prove(model, &Prove::default(), follow))),
    ("audit", 8, |model, follow| {
        // few models claim something themselves
        let more = model.system.coordinates.iter().take(1).map(|one| format!("{}'' = 0", one.name)).collect();
        drop(anholon::audit(model, &Claims { more, ..Claims::default() }, follow));
    }),
    ("evaluate", 8, |model, follow| drop(anholon::evaluate(model, &Evaluate::default(), follow))),
    ("simulate", 8, |model, follow| {
        let wanted = Simulate { duration: Some(0.5), tolerance: Some(1e-6), ..Simulate::default() };
        drop(anholon::simulate(model, &wanted, follow));
    }),
    ("linearize", 8, |model, follow| drop(anholon::linearize(model, &Linearize::default(), follow))),
    ("equilibria", 8, |model, follow| drop(anholon::equilibria(model, &Equilibria::default(), follow))),
    ("integrals", 1, |model, follow| drop(anholon::integrals(model, &Integrate::default(), follow))),
    ("solve", 8, |model, follow| drop(anholon::solve(model, &Solve::default(), follow))),
];

/// How many models went through each verb, and how many CPU seconds that took.
#[derive(Default)]
pub struct Tally([(usize, f64); VERBS.len()]);

impl Tally {
    /// How many models went through a verb.
    pub fn models(&self) -> usize {
        self.0.iter().map(|one| one.0).sum()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list =
            VERBS.iter().zip(&self.0).map(|((name, ..), (count, spent))| format!("{name} {count} in {spent:.1} s"));
        f.write_str(&list.collect::<Vec<_>>().join(", "))
    }
}

/// Runs one verb on a text, or all of them; counts those that ran.
pub fn run(text: &str, all: bool, tally: &mut Tally) {
    let Ok(model) = anholon::open(&Settings::new("case.mech", text)) else { return };
    let digest =
        text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let mut drawn = (digest >> 32) as usize % VERBS.iter().map(|one| one.1).sum::<usize>();
    let chosen = VERBS.iter().position(|one| {
        let is_it = drawn < one.1;
        drawn = drawn.saturating_sub(one.1);
        is_it
    });
    for (place, (name, _, verb)) in VERBS.iter().enumerate().filter(|(place, _)| all || Some(*place) == chosen) {
        if all {
            println!("fuzz: {name}");
        }
        let before = spent();
        verb(&model, &mut Counted(0));
        tally.0[place].0 += 1;
        tally.0[place].1 += spent() - before;
    }
}
