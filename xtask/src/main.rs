//! Chores: test, tidy, book, studio, export, latex, bench, fuzz, oracle, mutate. One file each; this one reads the command line.
#![allow(clippy::print_stdout, reason = "a chore tells what it does")]

mod bench;
mod book;
mod command;
mod editors;
mod export;
mod fuzz;
mod latex;
mod mutate;
mod oracle;
mod python;
mod readme;
mod studio;
mod test;
mod tidy;
mod wasm;

use std::env;
use std::process::ExitCode;

const HELP: &str = "\
Chores of the Anholon workspace.

cargo xtask test [STEP …]        the one test command; without steps, all of them in this order:
                                 fmt tidy clippy test doc book editors python wasm studio package readme export counts fuzz oracle
cargo xtask tidy [--write]       does ARCHITECTURE.md agree with the tree, and are its rules kept?
                                 `--write` writes its list of files and lowers its limits
cargo xtask book                 builds the book into target/book; its commands are run and their output compared
cargo xtask studio [--pictures]  builds the page of the studio: engine, bundle, one file (needs node);
                                 `--pictures` makes those of docs/images anew
cargo xtask export [--all]       exported code in the tools that it is written for; all models with `--all`
cargo xtask latex [MODEL …]       equations and reports set by LaTeX on A4: no mistake, no overfull line
cargo xtask bench [FILTER]       the benchmarks whose name contains FILTER, in CPU time
cargo xtask bench --peers [--only NAME]
                                 ours and other tools in turn, in one table; without `--only` docs/performance.md is
                                 written. Needs python3, gcc, and the network the first time
cargo xtask fuzz [--minutes M] [--seed S] [--verbs]
                                 reads random and broken texts: no panic, no hang (ten minutes, seed 1);
                                 `--verbs` takes each model through a verb too
cargo xtask oracle N [--seed S]  compares N random expressions with SymPy (seed 1 if not said);
                                 needs python3, and the network the first time
cargo xtask oracle N --systems [--seed S]
                                 do all forms agree on N random systems, and SymPy on some of them?
cargo xtask mutate [FORM] [--list]
                                 makes mistakes in the formalisms on purpose: does the table of agreement see them?
";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    match chore(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            println!("xtask: {sentence}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one chore; the error is a sentence for the reader.
fn chore(words: &[String]) -> Result<(), String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if words.is_empty() || words.iter().any(|word| matches!(*word, "-h" | "--help" | "help")) {
        print!("{HELP}");
        return Ok(());
    }
    match (words[0], &words[1..]) {
        ("test", steps) => test::run(steps),
        ("tidy", []) => tidy::run(),
        ("tidy", ["--write"]) => tidy::write(),
        ("book", []) => book::test(),
        ("studio", rest) => studio::chore(rest),
        ("bench", rest) => bench::chore(rest),
        ("export", rest) => export::chore(rest),
        ("latex", models) => latex::chore(models),
        ("fuzz", rest) => fuzz::run(rest),
        ("mutate", rest) => mutate::run(rest),
        ("oracle", rest) => oracle::chore(rest),
        ("tidy" | "book", _) => Err(format!("too many words after `{}`; see `cargo xtask --help`", words[0])),
        (other, _) => Err(format!(
            "no chore `{other}`; there are test, tidy, book, studio, export, latex, bench, fuzz, oracle and mutate (`cargo xtask --help`)"
        )),
    }
}
