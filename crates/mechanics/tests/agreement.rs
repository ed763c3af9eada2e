//! Do all forms of all models say the same? One table, to be read: `tests/agreement.txt`.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p anholon-mechanics --test agreement` writes the table.

mod support;

use mechanics::formalism::FORMALISMS;
use support::agreement::{lines, stranger_by_hand, table};

#[test]
fn the_table_of_agreement_is_the_one_that_was_read() {
    let lines = lines(FORMALISMS);
    for line in &lines {
        assert!(line.families >= 7 || !line.by_masses, "{}: {} families", line.model, line.families);
        // a mass matrix alone, and a constraint of second order: the routes that are left compare reactions too
        let least = match line.by_masses {
            true => 7,
            // an energy of which nothing is known has no metric: Lagrange's multipliers and Maggi's reactions are left
            false if line.model.starts_with("tzenoff-any") => 2,
            false => 5,
        };
        assert!(line.routes >= least || !line.tied, "{}: {} routes to the reactions", line.model, line.routes);
    }
    let table = table(FORMALISMS, &lines);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/agreement.txt");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(file, &table).expect("the table can be written");
    }
    let known = std::fs::read_to_string(file).unwrap_or_default();
    assert!(known == table, "the table has changed; UPDATE_SNAPSHOTS=1 keeps this one:\n{table}");
}

#[test]
fn a_stranger_says_what_its_principle_says_by_hand() {
    let mut strangers = FORMALISMS.iter().filter(|formalism| formalism.stranger);
    assert!(strangers.all(stranger_by_hand));
}
