//! Motions that are left and gone on with: to the bit as if they had not been.

use std::sync::Arc;

use anholon::answer::StoppedBy;
use anholon::{Alone, Checkpoint, Method, Progress, Settings, Simulate, Simulation, open, simulate};

use crate::{ask, gallery, own};

/// Who wants a checkpoint after so many looks, and may end the motion after so many.
struct Keeper {
    looks: usize,
    every: usize,
    ends: usize,
    kept: Vec<String>,
}

impl Keeper {
    fn new(every: usize, ends: usize) -> Keeper {
        Keeper { looks: 0, every, ends, kept: Vec::new() }
    }
}

impl Progress for Keeper {
    fn reached(&mut self, _: f64) -> bool {
        self.looks += 1;
        self.looks != self.ends
    }

    fn keeps(&mut self) -> bool {
        self.looks.is_multiple_of(self.every)
    }

    fn keep(&mut self, text: &str) {
        self.kept.push(text.to_owned());
    }
}

/// All bits of the last state, the energy among them, and of the accounts.
fn bits(motion: &Simulation) -> Vec<u64> {
    let accounts = [motion.last.t, motion.work, motion.constraint_residual, motion.energy_drift];
    motion.last.values.iter().chain(&accounts).map(|x| x.to_bits()).collect()
}

fn keep(settings: &Settings, wanted: &Simulate, keeper: &mut Keeper) -> Simulation {
    simulate(&open(settings).unwrap(), &Simulate { keeps: true, ..wanted.clone() }, keeper).unwrap()
}

fn resume(settings: &Settings, text: &str, more: Option<f64>) -> Simulation {
    let resume = Some(Arc::new(Checkpoint::read(text).unwrap()));
    ask(settings, &Simulate { resume, duration: more, ..Simulate::default() })
}

fn models() -> Vec<(Settings, Simulate)> {
    let plain = |duration: f64| Simulate { duration: Some(duration), ..Simulate::default() };
    vec![
        (gallery("double-pendulum", &[]), plain(5.0)),
        (
            gallery("double-pendulum", &[]),
            Simulate { method: Some(Method::Radau5), tolerance: Some(1e-6), ..plain(2.0) },
        ),
        (
            gallery("double-pendulum", &[]),
            Simulate { method: Some(Method::Taylor), tolerance: Some(1e-12), ..plain(2.0) },
        ),
        (gallery("double-pendulum", &[]), Simulate { method: Some(Method::Rk4), step: Some(0.01), ..plain(2.0) }),
        (gallery("double-pendulum", &[]), Simulate { duration: None, back: Some(3.0), ..plain(0.0) }),
        (crate::own(crate::stiff::SPRING), plain(0.1)),
        (gallery("chaplygin-sleigh", &[]), plain(4.0)),
        (gallery("four-bar", &[]), plain(3.0)),
        (gallery("bouncing-ball", &[]), plain(2.5)),
        (gallery("rolling-disc", &[]), plain(3.0)),
    ]
}

#[test]
fn a_motion_that_was_interrupted_goes_on_to_the_same_bits() {
    for (settings, wanted) in models() {
        let name = settings.file.clone();
        let whole = ask(&settings, &wanted);
        for ends in [3, 17, 40] {
            let mut keeper = Keeper::new(usize::MAX, ends);
            let part = keep(&settings, &wanted, &mut keeper);
            if part.stopped_by != StoppedBy::Interrupted {
                continue;
            }
            let text = part.checkpoint.expect("a checkpoint").text();
            let rest = resume(&settings, &text, None);
            assert_eq!(bits(&rest), bits(&whole), "{name}, {:?}, after {ends} looks", wanted.method);
            assert_eq!(rest.stopped_by, whole.stopped_by);
            let (told, later) = (rest.events.len(), whole.events.iter().filter(|one| one.t.abs() > rest.began.abs()));
            assert_eq!(told, later.count(), "{name}: events");
            assert_eq!(rest.table.t.last(), whole.table.t.last());
        }
    }
}

#[test]
fn checkpoints_on_the_way_do_not_change_a_bit_and_each_leads_to_the_end() {
    for (settings, wanted) in models() {
        let name = settings.file.clone();
        let whole = ask(&settings, &wanted);
        let mut keeper = Keeper::new(13, usize::MAX);
        let kept = keep(&settings, &wanted, &mut keeper);
        assert_eq!(bits(&kept), bits(&whole), "{name}, {:?}", wanted.method);
        assert_eq!((kept.events.len(), kept.table.rows.len()), (whole.events.len(), whole.table.rows.len()), "{name}");
        assert!(!keeper.kept.is_empty(), "{name}");
        let middle = &keeper.kept[keeper.kept.len() / 2];
        assert_eq!(bits(&resume(&settings, middle, None)), bits(&whole), "{name}");
    }
}

#[test]
fn a_motion_that_goes_on_beyond_its_end_is_the_longer_one() {
    // its steps are shorter than a fiftieth of the run
    let settings = gallery("double-pendulum", &[]);
    let long = |duration: f64| Simulate { duration: Some(duration), every: Some(1.0), ..Simulate::default() };
    let part = keep(&settings, &long(5.0), &mut Keeper::new(usize::MAX, usize::MAX));
    let text = part.checkpoint.expect("a checkpoint").text();
    let rest = resume(&settings, &text, Some(5.0));
    let whole = ask(&settings, &long(10.0));
    assert_eq!(rest.last.t, 10.0);
    assert_eq!(bits(&rest)[..5], bits(&whole)[..5]);
    assert!(rest.notes.is_empty(), "{:?}", rest.notes);
    // and where a fiftieth of the run limits them, that is said
    let short = keep(&settings, &long(0.5), &mut Keeper::new(usize::MAX, usize::MAX)).checkpoint.expect("a checkpoint");
    let rest = resume(&settings, &short.text(), Some(1.0));
    assert!(rest.notes.iter().any(|note| note.contains("a fiftieth")), "{:?}", rest.notes);
}

#[test]
fn what_the_first_run_has_told_is_not_told_again() {
    // x = t: an event in the last step of the first run, and one after it
    let text = "coord x : m\npoint P = (x, 0) mass 1 kg\nrecord first when x = 0.99 m\nrecord second when x = 1.5 m\n\
                start x' = 1 m/s\n";
    let settings = own(text);
    let long = |duration: f64| Simulate { duration: Some(duration), every: Some(0.05), ..Simulate::default() };
    let part = keep(&settings, &long(1.0), &mut Keeper::new(usize::MAX, usize::MAX));
    assert_eq!(part.events.len(), 1);
    let rest = resume(&settings, &part.checkpoint.expect("a checkpoint").text(), Some(1.0));
    assert_eq!(rest.events.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["second"]);
    assert!(rest.table.t[0] > 1.0 && rest.table.t[0] < 1.06 && rest.began == 1.0, "{:?}", rest.table.t);
    // both parts together have the steps of the whole run
    let settings = gallery("double-pendulum", &[]);
    let part = keep(&settings, &long(5.0), &mut Keeper::new(usize::MAX, usize::MAX));
    let rest = resume(&settings, &part.checkpoint.expect("a checkpoint").text(), Some(5.0));
    let whole = ask(&settings, &long(10.0));
    assert_eq!((rest.steps, rest.rejected), (whole.steps, whole.rejected));
}

#[test]
fn a_checkpoint_that_another_tool_wrote_anew_is_read_or_refused() {
    let settings = gallery("double-pendulum", &[]);
    let wanted = Simulate { duration: Some(1.0), ..Simulate::default() };
    let text = keep(&settings, &wanted, &mut Keeper::new(usize::MAX, 5)).checkpoint.expect("a checkpoint").text();
    // Value sorts the keys
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let anew = serde_json::to_string_pretty(&value).unwrap();
    assert!(Checkpoint::is_one(&anew) && Checkpoint::is_one(&text) && !Checkpoint::is_one("{\"format\": \"other\"}"));
    assert_eq!(bits(&resume(&settings, &anew, None)), bits(&ask(&settings, &wanted)));
    // 53 bits of an integer
    let first = value["y"][0].as_u64().unwrap();
    let changed = text.replacen(&first.to_string(), &(first as f64 as u64 + 512).to_string(), 1);
    let error = Checkpoint::read(&changed).unwrap_err().to_string();
    assert!(error.contains("were changed") && error.contains("53 bits"), "{error}");
}

#[test]
fn what_does_not_fit_a_checkpoint_is_refused() {
    let settings = gallery("double-pendulum", &[]);
    let wanted = Simulate { duration: Some(1.0), tolerance: Some(1e-6), ..Simulate::default() };
    let part = keep(&settings, &wanted, &mut Keeper::new(usize::MAX, 5));
    let text = part.checkpoint.expect("a checkpoint").text();
    let from = |text: &str| Some(Arc::new(Checkpoint::read(text).unwrap()));
    let refused = |settings: &Settings, wanted: Simulate, word: &str| {
        let error = simulate(&open(settings).unwrap(), &wanted, &mut Alone).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    };
    let plain = || Simulate { resume: from(&text), ..Simulate::default() };
    refused(&gallery("double-pendulum", &["m1 = 3"]), plain(), "another model");
    refused(&settings, Simulate { tolerance: Some(1e-9), ..plain() }, "tolerance");
    refused(&settings, Simulate { back: Some(1.0), ..plain() }, "decided by the checkpoint");
    refused(&settings, Simulate { duration: Some(-1.0), ..plain() }, "-1 s more");
    refused(&settings, Simulate { step: Some(0.1), ..plain() }, "made with the tolerance 1e-6");
    let torn = text.replacen("\"counts\":[", "\"counts\":[7,", 1);
    assert!(Checkpoint::read(&torn).unwrap_err().to_string().contains("were changed"));
    // without a word about the tolerance it is the usual one
    let usual = keep(&settings, &Simulate { tolerance: None, ..wanted.clone() }, &mut Keeper::new(usize::MAX, 5));
    let usual = usual.checkpoint.expect("a checkpoint").text();
    let with = |tolerance: f64| Simulate { tolerance: Some(tolerance), resume: from(&usual), ..Simulate::default() };
    refused(&settings, with(1e-6), "which has 1e-9");
    ask(&settings, &with(1e-9));
    assert!(Checkpoint::read(&text[..text.len() / 2]).unwrap_err().to_string().contains("no checkpoint"));
    let done = keep(&settings, &wanted, &mut Keeper::new(usize::MAX, usize::MAX)).checkpoint.expect("a checkpoint");
    refused(&settings, Simulate { resume: Some(Arc::new(done)), ..Simulate::default() }, "come to its end at t = 1 s");
    let rough = own("
param m = 1 kg, g = 10 m/s^2, mu = 0.3
coord x : m
coord y : m
point P = (x, y) mass m
gravity (0, -g)
constraint floor: y >= 0
friction mu on floor
start x = 0, y = 0, x' = 1 m/s, y' = 0
");
    refused(&rough, Simulate { keeps: true, ..Simulate::default() }, "`floor`");
}
