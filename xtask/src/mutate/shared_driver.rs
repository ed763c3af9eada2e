//! Does `prove` see mistakes in what families share, and whom does it blame? `cargo xtask mutate` builds this beside them.
//!
//! One line for each mistake: models on which forms differ, the right ones blamed, the wrong ones blamed, nobody blamed,
//! models that cannot be read or proved any more, and a model on which the right ones are blamed.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use engine::{Alone, Prove, Settings, load, prove};

#[derive(Default)]
struct Seen {
    seen: usize,
    right: usize,
    wrong: Vec<String>,
    open: usize,
    refused: usize,
    shown: String,
}

#[test]
fn shared() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
    let read = |name: &str| std::fs::read_to_string(format!("{folder}{name}")).expect("a file of xtask");
    let (planted, own) = (read("planted.txt"), read("models.txt"));
    let own = own.split("\n== ").skip(1).filter_map(|block| block.split_once('\n'));
    let models: Vec<(&str, &str)> = gallery::GALLERY.iter().filter(|one| !one.is_theorem()).map(|one| (one.name, one.text)).chain(own).collect();
    std::panic::set_hook(Box::new(|_| {}));
    for &(name, text) in &models {
        let verdict = proved(name, text, 0);
        assert!(matches!(&verdict, Some((false, _, _))), "{name}: without a mistake the forms do not agree: {verdict:?}");
    }
    let sides: Vec<&str> = planted.lines().collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(vec![String::new(); sides.len()]));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(k) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&k| k < sides.len()) {
                    let line = tried(&models, k + 1, sides[k] == "positions");
                    let mut all = found.lock().expect("no other thread panics");
                    all[k] = line;
                    std::fs::write(format!("{folder}shared.txt"), all.join("\n")).expect("the results can be written");
                }
            });
        }
    });
}

/// What becomes of a mistake, as a line.
fn tried(models: &[(&str, &str)], k: usize, is_positions: bool) -> String {
    let mut found = Seen::default();
    for &(name, text) in models {
        judge(&mut found, name, proved(name, text, k), is_positions);
    }
    let Seen { seen, right, wrong, open, refused, shown } = found;
    format!("{seen}\t{right}\t{}\t{open}\t{refused}\t{}\t{shown}", wrong.join(", "), models.len())
}

/// Whether forms differ, which are blamed, and all that are compared; nothing if the model is refused.
type Verdict = Option<(bool, Vec<String>, usize)>;

fn proved(name: &str, text: &str, k: usize) -> Verdict {
    let answer = std::panic::catch_unwind(|| {
        mechanics::plant(k);
        let loaded = load(&Settings::new(name, text)).ok()?;
        let proved = prove(&loaded, &Prove::default(), &mut Alone).ok()?;
        let differs = proved.verdict.word() == "different";
        let agrees = matches!(proved.verdict.word(), "identical" | "equivalent");
        let compared = proved.forms.iter().filter(|form| form.applicable).count();
        let blamed = proved.dispute.map(|dispute| dispute.blamed).unwrap_or_default();
        (differs || agrees).then_some((differs, blamed, compared))
    });
    mechanics::plant(0);
    answer.ok().flatten()
}

fn judge(found: &mut Seen, name: &str, verdict: Verdict, is_positions: bool) {
    match verdict {
        None => found.refused += 1,
        Some((false, _, _)) => {}
        Some((true, blamed, _)) => {
            found.seen += 1;
            let ninth = blamed.iter().filter(|form| form.starts_with("positions")).count();
            match (blamed.is_empty(), is_positions) {
                (true, _) => found.open += 1,
                (false, true) if ninth == blamed.len() => found.right += 1,
                (false, false) if ninth == 0 => found.right += 1,
                _ => found.wrong.push(name.to_owned()),
            }
            if found.right == 1 && found.shown.is_empty() && !blamed.is_empty() {
                found.shown = name.to_owned();
            }
        }
    }
}
