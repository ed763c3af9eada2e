//! Do all forms agree on systems that nobody thought of, in any coordinates? A few dozen that follow from fixed seeds.
//!
//! `cargo xtask oracle 1000 --systems` asks about as many as one has time for.

#![allow(non_snake_case, reason = "inside formulas the letters of the books")]

mod agree;
mod change;
#[allow(dead_code, reason = "the long run counts features and asks SymPy; this test does not")]
mod draw;
mod jet;

use agree::Trouble;

#[test]
fn all_forms_agree_on_random_systems_and_after_a_change_of_coordinates() {
    let (mut asked, mut rejected, mut wrong) = (0, 0, Vec::new());
    for seed in 1..=30 {
        let drawn = draw::draw(seed, false);
        match agree::ask(&drawn.text(), &drawn.changed(), &drawn.change, seed) {
            Ok(_) => asked += 1,
            Err(Trouble::Rejected(..)) => rejected += 1,
            Err(Trouble::Failed(why)) => wrong.push(format!("seed {seed}: {why}\n{}\n", drawn.text())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(asked >= 20, "only {asked} of the systems could be asked about, {rejected} not");
}

/// A rate that occurs squared is solved on the branch of the start, whatever other rows are solved before: with any
/// other value of `a` than zero the root is another, or there is none.
#[test]
fn a_branch_is_chosen_where_all_rows_hold() {
    let text = "coord x, y, z\npoint P = (x, y, z) mass 2\nforce (1, 2, 3) on P\nconstraint a: x' = y'\n\
                constraint b: x'^2 + y'^2 = 0.18\nstart z' = 1.6\nguess x' = -0.3, y' = -0.3";
    for seed in 1..=5 {
        let report = agree::check(text, None, seed).expect("all forms agree");
        assert!(report.applied.contains_key("fundamental"), "{:?}", report.skipped);
    }
}
