//! Which marks of the agreement table does each mutant change? `cargo xtask mutate` builds this beside the mutants.
//!
//! Every mutant takes the place of its form in the list, and the whole table is made anew: so it is seen what it
//! changes elsewhere. One line for each mutant: its marks that changed, how many marks it has, other forms that changed.

mod support;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use mechanics::formalism::{FORMALISMS, Formalism, MUTANTS};
use support::agreement::{Line, lines, stranger_by_hand, table};

#[test]
fn mutants() {
    let known = lines(FORMALISMS);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
    let read = std::fs::read_to_string(format!("{folder}tests/agreement.txt")).expect("the table");
    assert!(read == table(FORMALISMS, &known), "tests/agreement.txt is not the table; test mechanics first");
    std::panic::set_hook(Box::new(|_| {}));
    let (next, found) = (AtomicUsize::new(0), Mutex::new(vec![String::new(); MUTANTS.len()]));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(k) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&k| k < MUTANTS.len()) {
                    let line = judged(k, &known);
                    found.lock().expect("no other thread panics")[k] = line;
                }
            });
        }
    });
    let lines = found.into_inner().expect("no thread panics").join("\n");
    std::fs::write(format!("{folder}results.txt"), lines).expect("the results can be written");
}

fn judged(k: usize, known: &[Line]) -> String {
    let (name, derive) = MUTANTS[k];
    let place = FORMALISMS.iter().position(|formalism| formalism.name == name).expect("a formalism");
    let mut list: Vec<Formalism> = FORMALISMS.to_vec();
    list[place].derive = derive;
    let marks = known.iter().filter(|line| line.marks[place] != '·').count();
    let made = std::panic::catch_unwind(|| (lines(&list), !list[place].stranger || stranger_by_hand(&list[place])));
    let Ok((lines, by_hand)) = made else { return format!("panics\t{marks}\t") };
    let mut own = 0;
    let mut others = BTreeSet::new();
    for (line, known) in lines.iter().zip(known) {
        for (other, formalism) in FORMALISMS.iter().enumerate() {
            match line.marks[other] == known.marks[other] {
                true => {}
                false if other == place => own += 1,
                false => {
                    others.insert(format!("{} of {}", formalism.name, line.model));
                }
            }
        }
    }
    let own = if own == 0 && !by_hand { "closed form".to_owned() } else { own.to_string() };
    format!("{own}\t{marks}\t{}", others.into_iter().collect::<Vec<_>>().join(", "))
}
