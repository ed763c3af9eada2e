//! Do the verbs end on every model that can be read, without a panic?
//!
//! Each case goes through one verb, which follows from its text; a file given by name goes through all. A verb may
//! refuse. Whoever follows its work wishes it to stop after a counted number of reports, and it must.

use anholon::{
    Claims, Derive, Equilibria, Evaluate, Inspect, Integrate, Linearize, Model, Progress, Prove, Settings, Simulate,
};

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

/// The verbs, each with a short question.
const VERBS: [(&str, Verb); 10] = [
    ("check", |model, follow| drop(anholon::check(model, &Inspect::default(), follow))),
    ("derive", |model, follow| drop(anholon::derive(model, &Derive::default(), follow))),
    ("derive --form all", |model, follow| {
        let wanted = Derive { form: Some("all".to_owned()), ..Derive::default() };
        drop(anholon::derive(model, &wanted, follow));
    }),
    ("prove", |model, follow| drop(anholon::prove(model, &Prove::default(), follow))),
    ("audit", |model, follow| drop(anholon::audit(model, &Claims::default(), follow))),
    ("evaluate", |model, follow| drop(anholon::evaluate(model, &Evaluate::default(), follow))),
    ("simulate", |model, follow| {
        let wanted = Simulate { duration: Some(0.5), tolerance: Some(1e-6), ..Simulate::default() };
        drop(anholon::simulate(model, &wanted, follow));
    }),
    ("linearize", |model, follow| drop(anholon::linearize(model, &Linearize::default(), follow))),
    ("equilibria", |model, follow| drop(anholon::equilibria(model, &Equilibria::default(), follow))),
    ("integrals", |model, follow| drop(anholon::integrals(model, &Integrate::default(), follow))),
];

/// Runs one verb on a text, or all of them; whether the text is a model.
pub fn run(text: &str, all: bool) -> bool {
    let Ok(model) = anholon::open(&Settings::new("case.mech", text)) else { return false };
    let digest =
        text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let chosen = (digest >> 32) as usize % VERBS.len();
    for (_, (name, verb)) in VERBS.iter().enumerate().filter(|(place, _)| all || *place == chosen) {
        if all {
            println!("fuzz: {name}");
        }
        verb(&model, &mut Counted(0));
    }
    true
}
