//! The command line of Anholon: arguments in, text out, exit codes. It decides nothing.

#![allow(clippy::print_stderr, reason = "this is the program that prints")]

mod files;
mod show;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use engine::{BadInput, Verdict};
use serde::Serialize;

/// Anholon derives and checks the equations of constrained mechanical systems.
///
/// So far the kernel is here: exact expressions, and proofs that they are equal; and the language
/// of models, with a gallery to read. Expressions are written as in a formula: `x^2`, `sin(2*x)`, `sqrt(3)/2`, `q'` for a time derivative; decimals
/// are exact. Quote them, so that the shell leaves them alone.
///
/// Exit codes: 0 yes; 1 a negative verdict; 2 bad input; 3 no answer.
#[derive(Parser)]
#[command(name = "anholon", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
    /// Print JSON and nothing else on standard output.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Verb {
    /// Are two expressions the same, wherever both are defined?
    ///
    /// The answer is proved: `same` comes with a bound for the probability of error, `different`
    /// with a state in exact numbers at which they differ, `unknown` with what stopped the search.
    ///
    ///   anholon same "sin(2*x)" "2*sin(x)*cos(x)"
    ///   anholon same "sqrt(x^2)" "x" --assume "x > 0"
    #[command(verbatim_doc_comment)]
    Same {
        /// An expression.
        #[arg(allow_hyphen_values = true)]
        left: String,
        /// Another.
        #[arg(allow_hyphen_values = true)]
        right: String,
        /// A relation that may be relied on, such as "x > 0"; may be given several times.
        #[arg(long, value_name = "RELATION", allow_hyphen_values = true)]
        assume: Vec<String>,
    },
    /// The partial derivative of an expression, written for reading.
    ///
    ///   anholon diff "x^2*sin(y)" x
    ///   anholon diff "m*q'^2/2" "q'"
    #[command(verbatim_doc_comment)]
    Diff {
        /// An expression.
        #[arg(allow_hyphen_values = true)]
        expression: String,
        /// With respect to what: a name such as `x`, `q'` or `a[1]`.
        symbol: String,
        /// Print LaTeX.
        #[arg(long)]
        latex: bool,
    },
    /// An expression as a person would write it; the result is proved equal to the input.
    ///
    ///   anholon simplify "m*l^2*p'^2*cos(p)^2 + m*l^2*p'^2*sin(p)^2"
    #[command(verbatim_doc_comment)]
    Simplify {
        /// An expression.
        #[arg(allow_hyphen_values = true)]
        expression: String,
        /// Collect by these symbols.
        #[arg(long, value_name = "SYMBOL", value_delimiter = ',')]
        by: Vec<String>,
        /// Print LaTeX.
        #[arg(long)]
        latex: bool,
    },
    /// The built-in models: list them, show one, copy one to a file of your own.
    ///
    ///   anholon gallery
    ///   anholon gallery show sled
    ///   anholon gallery copy sled my-sled.mech
    #[command(verbatim_doc_comment)]
    Gallery {
        #[command(subcommand)]
        what: Option<files::Gallery>,
    },
    /// Writes a commented template for a model of your own.
    New {
        /// The file to write; without it the template is printed.
        file: Option<PathBuf>,
    },
    /// Brings model files into canonical form, comments kept.
    Fmt {
        /// The files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Change nothing; exit with 1 if a file is not in canonical form.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(code) => ExitCode::from(code),
        Err(BadInput(message)) => {
            if arguments.json {
                print_json(&serde_json::json!({ "error": message }));
            }
            eprintln!("{}", message.trim_end());
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    match &arguments.verb {
        Verb::Same { left, right, assume } => {
            let answer = engine::same(left, right, assume)?;
            print(arguments.json, &answer, || show::same(&answer));
            Ok(match answer.verdict {
                Verdict::Same => 0,
                Verdict::Different => 1,
                Verdict::Unknown => 3,
            })
        }
        Verb::Diff { expression, symbol, latex } => {
            let answer = engine::differentiate(expression, symbol)?;
            if !answer.occurs {
                eprintln!("note: `{}` does not occur in the expression", answer.symbol);
            }
            print(arguments.json, &answer, || if *latex { answer.latex.clone() } else { answer.derivative.clone() });
            Ok(0)
        }
        Verb::Simplify { expression, by, latex } => {
            let answer = engine::simplify(expression, by)?;
            print(arguments.json, &answer, || if *latex { answer.latex.clone() } else { answer.simplified.clone() });
            Ok(0)
        }
        Verb::Gallery { what } => files::gallery(what.as_ref(), arguments.json),
        Verb::New { file } => files::new(file.as_deref(), arguments.json),
        Verb::Fmt { files, check } => files::fmt(files, *check, arguments.json),
    }
}

fn print(json: bool, value: &impl Serialize, text: impl FnOnce() -> String) {
    if json {
        print_json(value);
    } else {
        write_line(&text());
    }
}

fn print_json(value: &impl Serialize) {
    match serde_json::to_string_pretty(value) {
        Ok(text) => write_line(&text),
        Err(error) => eprintln!("error: {error}"),
    }
}

/// Writes a line to standard output. A reader that has gone away, as in `anholon … | head`, is no
/// error of ours.
fn write_line(line: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = writeln!(out, "{line}")
        && error.kind() != std::io::ErrorKind::BrokenPipe
    {
        eprintln!("error: cannot write to standard output: {error}");
    }
}
