//! Which laws hold whatever was asked before, beside, or on another thread?
//!
//! Answers are compared as texts, to the byte.

use std::thread;

use anholon::{
    Alone, Claims, Derive, Equilibria, Error, Evaluate, Inspect, Integrate, Linearize, Model, Prove, Replay, Settings,
    Simulate, Simulation,
};
use serde::Serialize;

/// The verbs.
const VERBS: [&str; 10] =
    ["check", "derive", "prove", "verify", "audit", "evaluate", "simulate", "linearize", "equilibria", "integrals"];

/// Twenty models of the gallery: contacts, switches, machines, rolling, rigid bodies, statics.
const MODELS: [&str; 20] = [
    "bouncing-ball",
    "locking-elbow",
    "rough-incline",
    "taut-rope",
    "atwood",
    "governor",
    "wedge",
    "chaplygin-sleigh",
    "dobronravov",
    "rheonomic-knife",
    "sled",
    "velocity-cone",
    "great-circle",
    "line",
    "parabola",
    "plane",
    "cart-pendulum",
    "spherical-pendulum",
    "euler-top",
    "hoop",
];

/// A model of the gallery, or a panic that says why not.
fn opened(name: &str) -> Model {
    anholon::gallery(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What a verb says of a model, refusals included.
fn said(verb: &str, model: &Model, certificate: &str) -> String {
    fn text<T: Serialize>(answer: Result<T, Error>) -> String {
        answer.map_or_else(|error| error.to_string(), |answer| serde_json::to_string(&answer).unwrap())
    }
    let follow = &mut Alone;
    let all = Derive { form: Some("all".to_owned()), reactions: true, ..Derive::default() };
    let short = Simulate { duration: Some(0.5), every: Some(0.1), ..Simulate::default() };
    let claims = Claims { more: vec![format!("{}'' = 0", model.system.coordinates[0].name)], ..Claims::default() };
    match verb {
        "check" => text(anholon::check(model, &Inspect::default(), follow)),
        "derive" => text(anholon::derive(model, &all, follow)),
        "prove" => text(anholon::prove(model, &Prove::default(), follow)),
        "verify" => text(anholon::verify(model, &Replay { certificate: certificate.to_owned() }, follow)),
        "audit" => text(anholon::audit(model, &claims, follow)),
        "evaluate" => text(anholon::evaluate(model, &Evaluate::default(), follow)),
        "simulate" => format!("{:?}", anholon::simulate(model, &short, follow)),
        "linearize" => text(anholon::linearize(model, &Linearize::default(), follow)),
        "equilibria" => text(anholon::equilibria(model, &Equilibria::default(), follow)),
        "integrals" => text(anholon::integrals(model, &Integrate::default(), follow)),
        other => panic!("there is no verb {other}"),
    }
}

/// A certificate that all forms of a model agree; empty if there is none.
fn certificate(model: &Model) -> String {
    let proved = anholon::prove(model, &Prove { certificate: true, ..Prove::default() }, &mut Alone);
    let file = proved.ok().and_then(|proved| proved.certificate).and_then(Result::ok);
    file.map_or(String::new(), |file| serde_json::to_string(&file).unwrap())
}

/// Fails with the first place at which two texts part.
fn same(what: &str, one: &str, other: &str) {
    if one != other {
        let shared = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        let near = |text: &str| text.chars().skip(shared.saturating_sub(80)).take(200).collect::<String>();
        panic!("{what}: the answers part at character {shared}\n  {}\n  {}", near(one), near(other));
    }
}

/// Numbers that follow from a seed, by a linear congruence (Knuth, TAOCP 2, 3.3.4).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// The verbs in some order.
    fn order(&mut self) -> [&'static str; 10] {
        let mut order = VERBS;
        for last in (1..order.len()).rev() {
            order.swap(last, self.below(last + 1));
        }
        order
    }
}

/// Each verb on a model of its own, then all of them in an order on one model.
fn in_order(name: &str, order: &[&str]) {
    let own = certificate(&opened(name));
    let fresh: Vec<String> = VERBS.iter().map(|verb| said(verb, &opened(name), &own)).collect();
    let model = opened(name);
    for (place, verb) in order.iter().enumerate() {
        let known = VERBS.iter().position(|one| one == verb).unwrap();
        let before = order[..place].join(", ");
        let what = format!("{name}: {verb} after [{before}]");
        same(&what, &fresh[known], &said(verb, &model, &own));
    }
    same(&format!("{name}: a certificate after [{}]", order.join(", ")), &own, &certificate(&model));
}

#[test]
fn any_verb_after_any_verb_answers_as_on_a_fresh_model() {
    let mut dice = Dice(20_261_117);
    let orders: Vec<(&str, [&str; 10])> = MODELS.iter().map(|&name| (name, dice.order())).collect();
    thread::scope(|scope| {
        let half = |part: usize| orders.iter().skip(part).step_by(2);
        scope.spawn(move || half(1).for_each(|(name, order)| in_order(name, order)));
        half(0).for_each(|(name, order)| in_order(name, order));
    });
}

#[test]
fn every_pair_of_verbs_on_one_model() {
    // a walk through all steps from one verb to another or to itself: Hierholzer's way round
    let mut unused = vec![(0..VERBS.len()).collect::<Vec<usize>>(); VERBS.len()];
    let (mut path, mut walk) = (vec![0], Vec::new());
    while let Some(&at) = path.last() {
        match unused[at].pop() {
            Some(next) => path.push(next),
            None => walk.extend(path.pop()),
        }
    }
    assert_eq!(walk.len(), VERBS.len() * VERBS.len() + 1);
    in_order("parabola", &walk.iter().map(|&verb| VERBS[verb]).collect::<Vec<&str>>());
}

#[test]
fn two_models_in_turn_answer_as_alone() {
    let names = ["sled", "hoop"];
    // alone: on a thread that sees no other model
    let alone = |name: &'static str| {
        let model = opened(name);
        let own = certificate(&model);
        (VERBS.map(|verb| said(verb, &model, &own)), own)
    };
    let alone = names.map(|name| thread::spawn(move || alone(name)).join().expect("a thread ends"));
    let models = names.map(opened);
    for (place, verb) in VERBS.iter().enumerate() {
        for which in [0, 1] {
            let (alone, own) = &alone[which];
            let here = said(verb, &models[which], own);
            same(&format!("{}: {verb}", names[which]), &alone[place], &here);
        }
    }
}

#[test]
fn ten_models_on_two_threads_answer_as_on_one() {
    let names = &MODELS[10..];
    let verbs = ["derive", "evaluate", "simulate", "check"];
    let answers = move |model: &Model| verbs.map(|verb| said(verb, model, ""));
    let here: Vec<_> = names.iter().map(|name| answers(&opened(name))).collect();
    let mut first: Vec<Model> = names.iter().map(|name| opened(name)).collect();
    let second = first.split_off(5);
    // each thread goes round its models verb by verb, so that all of them are open and in use
    let round = move |models: Vec<Model>| {
        let mut all = vec![Vec::new(); models.len()];
        for verb in verbs {
            models.iter().zip(&mut all).for_each(|(model, all)| all.push(said(verb, model, "")));
        }
        all
    };
    let threads = [first, second].map(|models| thread::spawn(move || round(models)));
    let there = threads.into_iter().flat_map(|thread| thread.join().expect("a thread ends"));
    for ((name, here), there) in names.iter().zip(here).zip(there) {
        for ((verb, here), there) in verbs.iter().zip(here).zip(there) {
            same(&format!("{name}: {verb} on another thread"), &here, &there);
        }
    }
}

/// How long motions run in the laws of switches.
const DURATIONS: [f64; 10] = [1.1, 1.5, 1.9, 2.0, 2.1, 2.5, 3.0, 4.0, 5.0, 9.0];

fn ran(model: &Model, duration: f64) -> Simulation {
    let wanted = Simulate { duration: Some(duration), ..Simulate::default() };
    anholon::simulate(model, &wanted, &mut Alone).unwrap_or_else(|error| panic!("{error}"))
}

/// Facts at 2 s are decided, and true, for motions that come so far; and not decided for others.
fn decided_from_two_seconds(model: &Model, names: &[&str]) {
    for duration in DURATIONS {
        let found = ran(model, duration).expects;
        for name in names {
            let fact = found.iter().find(|one| one.name == *name).unwrap_or_else(|| panic!("no fact {name}"));
            let expected = (duration >= 2.0).then_some(true);
            assert_eq!(fact.holds, expected, "{name} after {duration} s: {:?}", fact.reason);
        }
        assert!(found.iter().all(|fact| fact.holds != Some(false)), "after {duration} s: {found:?}");
    }
}

/// A point that a constant force pulls along x.
fn pulled(constraint: &str, fact: &str) -> Model {
    let text = format!(
        "system \"Held, then let go\"
param m = 1 kg, F = 1 N, v = 1 m/s
coord x : m
point P = (x, 0) mass m
force (F, 0) on P
constraint hold: {constraint}
start x = 0, x' = 0
expect later: x = {fact} at t = 2 s within 1e-6 m
"
    );
    anholon::load("held.mech", &text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn facts_of_a_constraint_that_ends_are_decided_at_any_duration() {
    // (t − 1)²/2 from 1 s on
    decided_from_two_seconds(&pulled("x = 0 until t >= 1 s", "0.5 m"), &["later"]);
}

#[test]
fn facts_of_a_constraint_that_begins_are_decided_at_any_duration() {
    // t²/2 up to 1 s, then with the velocity that it has there; or held where it is
    decided_from_two_seconds(&pulled("x' = v from t >= 1 s", "1.5 m"), &["later"]);
    decided_from_two_seconds(&pulled("x = 0.5 m from t >= 1 s", "0.5 m"), &["later"]);
}

#[test]
fn facts_of_the_locking_elbow_are_decided_at_any_duration() {
    decided_from_two_seconds(&opened("locking-elbow"), &["kept", "locked", "energy"]);
}

/// A model of the gallery with a seed.
fn seeded(name: &str, seed: u64) -> Model {
    let settings = Settings::gallery(name).unwrap();
    anholon::open(&Settings { seed: Some(seed), ..settings }).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Models of the laws of seeds.
const SEEDED: [&str; 6] = ["sled", "hoop", "velocity-cone", "bouncing-ball", "governor", "rheonomic-knife"];

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for name in SEEDED {
        let (one, other) = (seeded(name, 7), seeded(name, 7));
        for verb in ["derive", "prove", "check"] {
            same(&format!("{name}: {verb}"), &said(verb, &one, ""), &said(verb, &other, ""));
        }
        same(&format!("{name}: its certificate"), &certificate(&one), &certificate(&other));
    }
}

/// What is judged, without how: the agreement of each form, and each fact of the model.
fn verdicts(model: &Model) -> String {
    let proved = anholon::prove(model, &Prove::default(), &mut Alone).unwrap_or_else(|error| panic!("{error}"));
    let checked = anholon::check(model, &Inspect::default(), &mut Alone).unwrap_or_else(|error| panic!("{error}"));
    let forms: Vec<_> = proved.forms.iter().map(|form| (&form.form, form.applicable, form.verdict)).collect();
    let facts: Vec<_> = checked.expects.iter().map(|fact| (&fact.name, fact.holds)).collect();
    let counted = (checked.fine, checked.rank, checked.degrees_of_freedom, checked.integrable_dimension);
    format!("{:?} {forms:?} {facts:?} {counted:?}", proved.verdict)
}

#[test]
fn another_seed_gives_the_same_verdicts() {
    for name in SEEDED {
        let known = verdicts(&opened(name));
        for seed in [0, 7, u64::MAX] {
            same(&format!("{name} with the seed {seed}"), &known, &verdicts(&seeded(name, seed)));
        }
    }
}

#[test]
fn a_bouncing_ball_has_two_phases() {
    // in the air and on the floor, however often it bounces
    let ball = opened("bouncing-ball");
    let found = ran(&ball, 3.0);
    let forms = Derive { form: Some("all".to_owned()), ..Derive::default() };
    let formalisms = anholon::derive(&ball, &forms, &mut Alone).unwrap_or_else(|error| panic!("{error}")).len();
    assert!(found.events.iter().filter(|event| event.name == "floor").count() > 20, "it bounces often");
    assert_eq!(found.phases, 2);
    assert!(found.derived > 0 && found.derived <= found.phases * formalisms, "{} forms", found.derived);
}

/// How many derivations a piece of work makes.
fn derivations(work: impl FnOnce()) -> u64 {
    let before = mechanics::formalism::derivations();
    work();
    mechanics::formalism::derivations() - before
}

/// One more derivation where a support lets go at once: then the equations without it are looked at too.
fn of_release(notes: &[String]) -> u64 {
    u64::from(notes.iter().any(|note| note.contains("at the start, where the multiplier would be negative")))
}

#[test]
fn derive_derives_its_form_once() {
    for name in MODELS {
        let (model, mut notes) = (opened(name), Vec::new());
        let mut form = "";
        // without a form two may be looked at, to take the shorter; the one that is named is derived once
        derivations(|| form = anholon::derive(&model, &Derive::default(), &mut Alone).unwrap().remove(0).form);
        let wanted = Derive { form: Some(form.to_owned()), ..Derive::default() };
        let count = derivations(|| notes = anholon::derive(&model, &wanted, &mut Alone).unwrap().remove(0).notes);
        assert_eq!(count, 1 + of_release(&notes), "{name}: {notes:?}");
    }
}

#[test]
fn prove_derives_every_form_once_with_its_certificate() {
    let wanted = Prove { certificate: true, ..Prove::default() };
    for name in MODELS {
        let (model, mut forms, mut notes) = (opened(name), 0, Vec::new());
        let count = derivations(|| {
            let proved = anholon::prove(&model, &wanted, &mut Alone).unwrap();
            (forms, notes) = (proved.forms.len() as u64, proved.notes);
        });
        assert_eq!(count, forms + of_release(&notes), "{name}: {notes:?}");
    }
}

#[test]
fn evaluate_derives_its_form_once() {
    for name in MODELS {
        let model = opened(name);
        let count = derivations(|| {
            anholon::evaluate(&model, &Evaluate::default(), &mut Alone).unwrap();
        });
        // a rough contact has several ways on, and a support may let go
        let is_plain =
            model.system.frictions.is_empty() && !model.system.constraints.iter().any(|one| one.is_one_sided());
        assert!(count == 1 || (!is_plain && count <= 3), "{name}: {count}");
    }
}
