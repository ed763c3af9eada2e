//! How fast is it? `bench [FILTER]` prints CPU times beside their targets.
//!
//! Each issue brings its rows in a file of its own and adds it to [`ROWS`].
#![allow(clippy::print_stdout, reason = "the table is what this program is for")]

mod check;
mod derive;
mod kernel;
mod measure;
mod numbers;
mod pendulum;
mod prove;
mod read;
mod simulate;
mod statics;

use measure::Row;

/// All rows, in the order in which they are printed.
const ROWS: &[&[Row]] =
    &[kernel::ROWS, read::ROWS, check::ROWS, derive::ROWS, prove::ROWS, numbers::ROWS, simulate::ROWS, statics::ROWS];

fn main() {
    let filter = std::env::args().nth(1).unwrap_or_default();
    println!("{:<46} | {:>9} | {:<8} | {:>9} | ok", "name", "value", "unit", "target");
    println!("{:-<47}|{:-<11}|{:-<10}|{:-<11}|----", "", "", "", "");
    for row in ROWS.iter().copied().flatten().filter(|row| row.name.contains(&filter)) {
        println!("{}", row.line());
    }
    prove::ratios(&filter);
}
