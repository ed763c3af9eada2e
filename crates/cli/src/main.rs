//! The command line of Anholon: arguments in, text out, exit codes. It decides nothing.

#![allow(clippy::print_stderr, reason = "this is the program that prints")]

mod audits;
mod bar;
mod clock;
mod equilibria;
mod export;
mod files;
mod flags;
mod linear;
mod model;
mod motion;
mod origin;
mod pack;
mod proofs;
mod report;
mod screen;
mod shells;
mod studio;
mod sweep;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anholon::Error;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use pages::equations::Shape;
use serde::Serialize;

/// Anholon derives and checks the equations of constrained mechanical systems.
///
/// A text file describes a system; every verb reads it. Begin with `anholon gallery` and `anholon check gallery:sled`, then
/// `derive`, `prove` and `simulate` the same model; `anholon new my.mech` writes a template for a model of your own.
///
/// Expressions are written as in a formula: `x^2`, `sin(2*x)`, `sqrt(3)/2`, `q'` for a time derivative; decimals are exact.
/// Quote them, so that the shell leaves them alone.
///
/// Exit codes: 0 yes; 1 a negative verdict; 2 bad input; 3 no answer.
#[derive(Parser)]
#[command(name = "anholon", version = env!("ANHOLON_VERSION"), max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
    /// Print JSON and nothing else on standard output.
    #[arg(long, global = true)]
    json: bool,
    /// Say more: operations, steps and times, and every number of the last state of a motion.
    #[arg(long, global = true)]
    verbose: bool,
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
    /// What does a model say, and is it sound?
    ///
    /// Finds the class of every constraint, which rows follow from others or contradict them, whether
    /// rates can be integrated and to what; counts degrees of freedom and free constants; solves for the
    /// start, and judges every `expect`, by a motion where it needs one. Those that it cannot judge name the verb
    /// they wait for.
    ///
    ///   anholon check gallery:sled
    ///   anholon check mine.mech --set l=0.5 --set "x'=2"
    ///   anholon check mine.mech --at "x = 1, x' = 2" --show velocities
    ///
    /// Exit codes: 0 sound; 1 redundant or conflicting constraints, a contradictory start or a missed
    /// `expect`; 2 bad input.
    #[command(verbatim_doc_comment)]
    Check {
        #[command(flatten)]
        model: model::ModelArguments,
        /// Also show what the constraints allow: a basis of the virtual displacements, the possible
        /// velocities or accelerations; or the constraints that contacts expand to.
        #[arg(long, value_enum)]
        show: Option<Show>,
    },
    /// The equations of motion, as a person would write them.
    ///
    /// Inertia stands on the left and forces on the right; reactions are λ times the gradient of a
    /// constraint. Without `--form` the usual form for such a system is taken. A form that does not
    /// apply says why.
    ///
    ///   anholon derive gallery:hoop
    ///   anholon derive gallery:sled --form multipliers --reactions
    ///   anholon derive mine.mech --form all
    ///   anholon derive gallery:euler-top --form appell --latex
    ///   anholon derive gallery:hoop --form appell --steps
    ///   anholon derive gallery:ellipsoid --explicit
    ///   anholon derive gallery:double-pendulum --matrices --latex
    ///
    /// Forms: `anholon forms` lists them, `anholon explain FORM` prints the page of one.
    #[command(verbatim_doc_comment)]
    Derive {
        #[command(flatten)]
        model: model::ModelArguments,
        /// A form, or `all`.
        #[arg(long, value_name = "FORM")]
        form: Option<String>,
        /// Write forms in independent rates although the model declares speeds.
        #[arg(long)]
        rates: bool,
        /// Also what each constraint does to which point or body.
        #[arg(long)]
        reactions: bool,
        /// The way to the equations, step by step: what is given, what the form makes under its own names, the equations
        /// term by term, the result. Every equality about the model is proved before it is shown as checked.
        #[arg(long)]
        steps: bool,
        /// Also the matrices of the equations: M q'' + h = Q + Aᵀλ with A q'' = b; C, g, Christoffel's symbols and the inverse
        /// of M where there are such.
        #[arg(long)]
        matrices: bool,
        /// Also accelerations and multipliers as functions of time, positions and velocities, in letters.
        #[arg(long)]
        explicit: bool,
        /// Also the nonholonomic correction C_σ: what Lagrange's operator on the reduced energy misses.
        #[arg(long)]
        correction: bool,
        /// Print LaTeX.
        #[arg(long)]
        latex: bool,
        /// Print MathML, a line for each formula.
        #[arg(long, conflicts_with = "latex")]
        mathml: bool,
    },
    /// The forms in which equations can be derived: name, idea, class, by family.
    ///
    ///   anholon forms
    ///   anholon forms --json
    #[command(verbatim_doc_comment)]
    Forms,
    /// The page of a form: formula, conditions, history, source.
    ///
    ///   anholon explain appell
    ///   anholon explain voronets
    ///
    /// `anholon forms` lists them, `anholon derive MODEL --form FORM --steps` goes the way of one on a model.
    #[command(verbatim_doc_comment)]
    Explain {
        /// The form.
        form: String,
    },
    /// Do all applicable forms agree? Proved, with an error bound.
    ///
    /// Forms in one chart are `identical` if they are the same functions, forms in different unknowns
    /// `equivalent` if they give the same accelerations at every state that the constraints admit.
    /// `different` comes with a state in exact numbers, `unknown` with what stopped the proof.
    ///
    ///   anholon prove gallery:hoop
    ///   anholon prove mine.mech --forms kane,hamel,tzenoff
    ///   anholon prove gallery:sled --certificate sled.json
    ///   anholon verify sled.json gallery:sled
    ///   anholon prove plane.mech --same-as polar.mech --where "x = r*cos(phi), y = r*sin(phi)"
    ///
    /// Exit codes: 0 all agree; 1 some differ; 2 bad input; 3 some are undecided.
    #[command(verbatim_doc_comment)]
    Prove {
        #[command(flatten)]
        model: model::ModelArguments,
        /// Compare these forms only.
        #[arg(long, value_name = "FORM,FORM", value_delimiter = ',')]
        forms: Vec<String>,
        /// Write a certificate that `anholon verify` replays.
        #[arg(long, value_name = "FILE")]
        certificate: Option<PathBuf>,
        /// Does this other model move alike? A path or `gallery:NAME`; `--where` says how coordinates go together.
        #[arg(long, value_name = "MODEL", requires = "by", conflicts_with_all = ["forms", "certificate"])]
        same_as: Option<String>,
        /// The coordinates of one model by those of the other, and parameters that have other names.
        #[arg(long = "where", value_name = "x = …, y = …", requires = "same_as")]
        by: Option<String>,
    },
    /// Are claimed equations right? And if not, which mistake do they look like?
    ///
    /// Claims are lines such as `claim first: m*x'' = -c*x` in a file of their own, in the language of
    /// models; `let`, `assume`, and `unknown` for multipliers of your own may stand beside them. Any
    /// combination of the equations of motion is as good as the text book's.
    ///
    /// A paper's own form is written with its operators: kinetic(), potential(), lagrangian(), acceleration_energy(),
    /// force(q), generalized_momentum(q), reduced(E), diff(E, q'), and E' for rates.
    ///
    ///   anholon audit gallery:dobronravov mine.claims
    ///   anholon audit gallery:double-pendulum --claim "l2*a2'' + l1*(a1''*cos(a1 - a2) - a1'^2*sin(a1 - a2)) = -g*sin(a2)"
    ///   anholon audit --gallery --claim "diff(kinetic(), q[i]')' - diff(kinetic(), q[i]) = force(q[i]) for i in 1..n"
    ///
    /// Exit codes: 0 correct; 1 wrong or incomplete; 2 bad input; 3 undecided.
    #[command(verbatim_doc_comment, mut_arg("model", |model| model.required(false).index(1)))]
    Audit {
        #[command(flatten)]
        model: model::ModelArguments,
        /// The file of claims, or `gallery:NAME` for a built-in one (`anholon gallery claims`).
        #[arg(index = 2)]
        claims: Option<String>,
        /// An equation that is claimed, as after `claim NAME:`. May be given several times.
        #[arg(long = "claim", value_name = "EQUATION", allow_hyphen_values = true)]
        more: Vec<String>,
        /// Judges the claims on every model of the gallery: then the file of claims stands alone, q[i] in it is the
        /// i-th coordinate of each model and n the number of them.
        #[arg(long)]
        gallery: bool,
        /// Write a certificate that `anholon verify` replays.
        #[arg(long, value_name = "FILE", conflicts_with = "gallery")]
        certificate: Option<PathBuf>,
    },
    /// Replays a certificate of `prove` or `audit` with the independent checker.
    ///
    ///   anholon verify sled.json gallery:sled
    ///
    /// Exit codes: 0 the certificate shows what it says of this model; 1 it does not; 2 bad input.
    #[command(verbatim_doc_comment)]
    Verify {
        /// The certificate.
        file: PathBuf,
        #[command(flatten)]
        model: model::ModelArguments,
    },
    /// Accelerations, multipliers and reactions at the start, or at another state.
    ///
    /// Exact where the state is exact and the numbers are rational. Unilateral constraints let go when
    /// they would have to pull.
    ///
    ///   anholon evaluate gallery:sled
    ///   anholon evaluate gallery:rolling-disc --at "lean = 0.3, yaw' = 0.7, lean' = -0.4, spin' = 1.2"
    ///   anholon evaluate gallery:parabola --form kane
    ///
    /// Exit codes: 0 found; 2 bad input; 3 no answer (the form does not apply, or the accelerations are
    /// not determined at this state).
    #[command(verbatim_doc_comment)]
    Evaluate {
        #[command(flatten)]
        model: model::ModelArguments,
        /// The form by which they are found.
        #[arg(long, value_name = "FORM")]
        form: Option<String>,
    },
    /// The motion: with reactions, events, an account of the energy, and no drift.
    ///
    /// The start is made consistent, the state stays on the constraints to rounding, one-sided
    /// constraints let go and close, `stop` and `record` events are located, and facts of the model
    /// that need a motion are judged.
    ///
    ///   anholon simulate gallery:sled --for 10
    ///   anholon simulate gallery:parabola --for 5 --every 0.05 --out bead.csv
    ///   anholon simulate gallery:rolling-disc --times 1,2,5 --tolerance 1e-12 --json
    ///   anholon simulate gallery:double-pendulum --for 5 --figure swing.svg --plot a.svg --columns "a1,a2"
    ///   anholon simulate mine.mech --form multipliers --method rk4 --step 0.001
    ///   anholon simulate gallery:parabola --for 5 --resume bead.csv
    ///   anholon simulate gallery:double-pendulum --back 3 --every 0.5
    ///   anholon simulate gallery:double-pendulum --for 1000 --checkpoint run.check; anholon simulate \
    ///       gallery:double-pendulum --resume run.check --checkpoint run.check
    ///
    /// Exit codes: 0 done; 1 an `expect` is missed; 2 bad input; 3 the motion went no further, with the
    /// time reached and the reason; what was computed is kept.
    #[command(verbatim_doc_comment)]
    Simulate {
        #[command(flatten)]
        model: model::ModelArguments,
        #[command(flatten)]
        motion: Box<motion::MotionArguments>,
    },
    /// The linear equations about a state: matrices, eigenvalues, where the stability changes.
    ///
    /// About the start, another state (`--at`), or a steady motion that is solved for (`--steady`).
    /// Coordinates that nothing depends on are left out unless they are named.
    ///
    ///   anholon linearize gallery:bicycle --coordinates lean,steer --critical v
    ///   anholon linearize gallery:bicycle --coordinates lean,steer --symbolic v,g
    ///   anholon linearize gallery:bicycle --coordinates lean,steer --sweep v=0..10 --plot locus.svg
    ///   anholon linearize gallery:gyroscope --steady "theta = 0.6, psi' = 2.4"
    ///   anholon linearize gallery:cart-pendulum --at "phi = pi" --input F --output phi
    ///
    /// Exit codes: 0 found; 2 bad input; 3 no answer, with the reason.
    #[command(verbatim_doc_comment)]
    Linearize {
        #[command(flatten)]
        model: model::ModelArguments,
        #[command(flatten)]
        wanted: Box<linear::LinearArguments>,
    },
    /// Where does it rest, what do its supports carry there, and is the rest stable?
    ///
    /// The answer is a set: points, families with their dimension, or nothing, each with its static
    /// reactions and a verdict on its stability with reasons. Where every coordinate has a range, by
    /// `--box` or since it is an angle, all equilibria are found and that is proved; else the page says
    /// that completeness is not claimed. A coordinate that a constraint turns steadily is not at rest
    /// but at its rate: then these are relative equilibria.
    ///
    ///   anholon equilibria gallery:two-rods-couple
    ///   anholon equilibria gallery:triangle-slots --box "x=-1..1, y=-1..1"
    ///   anholon equilibria gallery:governor --set Omega=9
    ///   anholon equilibria gallery:rhombus --solve Q
    ///   anholon equilibria gallery:spherical-pendulum --near "x = 0, y = 0, z = -1"
    ///
    /// Exit codes: 0 an answer, also that there is none; 2 bad input; 3 boxes that could not be decided,
    /// or a search that was interrupted.
    #[command(verbatim_doc_comment)]
    Equilibria {
        #[command(flatten)]
        model: model::ModelArguments,
        #[command(flatten)]
        wanted: Box<equilibria::EquilibriaArguments>,
    },
    /// What is constant on every motion: energy, momenta that survive the constraints, integrals linear
    /// in the rates.
    ///
    /// Each is proved. Sums of known functions are searched exactly, so that an integral outside them may
    /// be missed; `--test` proves or refutes one of your own, with a state at which its rate is not zero.
    ///
    ///   anholon integrals gallery:dobronravov
    ///   anholon integrals gallery:dobronravov --test "q2'*sqrt(1 + q3^2/b^2)" --test "q2'"
    ///   anholon integrals mine.mech --test "energy()"
    ///
    /// Exit codes: 0 proved (also if there is none); 1 a candidate is refuted; 2 bad input; 3 undecided.
    #[command(verbatim_doc_comment)]
    Integrals {
        #[command(flatten)]
        model: model::ModelArguments,
        /// An expression that may be constant; may be given several times.
        #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
        test: Vec<String>,
    },
    /// Motions in closed form, each proved: linear equations, and one freedom by an integral.
    ///
    /// Equations that are linear with constant coefficients are solved one after the other, with loads that are powers,
    /// exponentials, sines and cosines of time; the constants are the values at the start. Cases (under- and overdamped,
    /// resonance) have their conditions; where parameters have values, only the case of these values is told. One freedom with
    /// an energy integral has its time as an integral, and in numbers its turning points and its period. Every formula was put
    /// into the equations of the model and proved to satisfy them; what is not proved is not told.
    ///
    ///   anholon solve gallery:sled
    ///   anholon solve gallery:atwood
    ///   anholon solve pendulum.mech --set "a=2 rad"
    ///   anholon solve oscillator.mech --json
    ///
    /// Exit codes: 0 a motion; 2 bad input; 3 none was found, with the reason.
    #[command(verbatim_doc_comment)]
    Solve {
        #[command(flatten)]
        model: model::ModelArguments,
    },
    /// The model as source code for another tool, with a test that compares it with Anholon's numbers.
    ///
    /// Functions have the names of the model; comments tell units, signs and the order of numbers. The state y is the
    /// coordinates and then their rates. Beside the right-hand side come the residuals of the constraints, a projection
    /// onto them, a consistent start and the event functions, so that a motion can be integrated without drift.
    ///
    ///   anholon export gallery:sled --to c --out sled
    ///   anholon export gallery:bicycle --to numpy --what all --out plant
    ///   anholon export mine.mech --to rust --form kane --parameters fixed --out src
    ///   anholon export gallery:double-pendulum --to sympy --out paper
    ///   anholon export gallery:four-bar --to fmu --fmi 2 --out plant
    ///
    /// Languages: c, cpp, rust, numpy, jax, casadi, sympy, julia, matlab, modelica, fmu, latex. Models whose equations
    /// change on the way (one-sided, switched or rough constraints) are refused by name, save for latex.
    ///
    /// Exit codes: 0 written; 2 bad input, or a model that cannot be exported; then no file is left.
    #[command(verbatim_doc_comment)]
    Export {
        #[command(flatten)]
        model: model::ModelArguments,
        #[command(flatten)]
        wanted: Box<export::ExportArguments>,
    },
    /// What comes out at many points: parameters and start values varied on a grid, drawn at random, or from a table.
    ///
    /// Every point is a model of its own with these values: the same digits as `--set` gives, whatever the number of threads.
    /// The table is written in parts (Parquet), each as soon as it is there, with the model, the options and the version in it.
    /// A point without an answer is a row with its reason.
    ///
    ///   anholon sweep gallery:double-pendulum --vary "a1=0.5..2.5:9, a2=0.5..2.5:9" --for 10 --out swing
    ///   anholon sweep gallery:bicycle --vary "spinR'=-30..-1:100" --what eigenvalues --out speeds
    ///   anholon sweep mine.mech --vary "k~uniform(80, 120):1000, m~normal(1, 0.02):1000" --what "x, event(lands)" --for 5 --out cloud
    ///
    /// Exit codes: 0 every point was tried; 2 bad input; 3 interrupted, or no point has an answer.
    #[command(verbatim_doc_comment)]
    Sweep {
        #[command(flatten)]
        model: model::ModelArguments,
        #[command(flatten)]
        wanted: Box<sweep::SweepArguments>,
    },
    /// One page with all that is known of a model: figure, constraints, derivations, proof, equilibria, small motions, motion.
    ///
    /// The page is one HTML file that needs no network: formulas typeset and copyable as LaTeX, charts, a film of the motion. What
    /// a verb cannot answer for this model is said in its place.
    ///
    ///   anholon report gallery:rolling-disc --out disc.html
    ///   anholon report mine.mech --out mine.html --forms kane,voronets --for 20
    ///   anholon report gallery:bicycle --out bicycle.tex --latex
    #[command(verbatim_doc_comment)]
    Report {
        #[command(flatten)]
        model: model::ModelArguments,
        #[command(flatten)]
        wanted: Box<report::ReportArguments>,
    },
    /// The studio: a page in which the engine itself runs, with editor, equations, claims, motion and charts.
    ///
    /// It is served for this machine alone and opened in the browser; the file of the model is watched and never written. `--out`
    /// writes it as a site for any web space, `--single` as one file that works from disk: no server is needed.
    ///
    ///   anholon studio
    ///   anholon studio mine.mech
    ///   anholon studio gallery:bicycle --port 8080 --no-open
    ///   anholon studio --single studio.html
    ///
    /// Exit codes: 0 written, or ended; 2 bad input, or the page is not in this build.
    #[command(verbatim_doc_comment)]
    Studio {
        #[command(flatten)]
        wanted: studio::StudioArguments,
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
        /// The files; `-` formats standard input and prints it.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Change nothing; exit with 1 if a file is not in canonical form.
        #[arg(long)]
        check: bool,
    },
    /// The language server: an editor starts it and talks to it over standard input and output.
    ///
    /// What is wrong as one types, hover, completion, definitions, rename, formatting; the verbs check, derive and prove as commands.
    /// `docs/editors.md` says how to set up VS Code, Neovim, Helix and Emacs.
    #[command(verbatim_doc_comment)]
    Lsp {
        /// Standard input and output, which is what is used anyway; for editors that say so.
        #[arg(long)]
        stdio: bool,
    },
    /// A script that completes verbs and options in a shell.
    ///
    ///   anholon completions bash > ~/.local/share/bash-completion/completions/anholon
    ///   anholon completions zsh > ~/.zfunc/_anholon
    ///   anholon completions fish > ~/.config/fish/completions/anholon.fish
    #[command(verbatim_doc_comment)]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Manual pages, one for the program and one for each verb.
    ///
    ///   anholon man ~/.local/share/man/man1
    #[command(verbatim_doc_comment)]
    Man {
        /// The folder; it is made if it is missing.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

/// What `check --show` shows.
#[derive(Clone, Copy, ValueEnum)]
enum Show {
    Expansion,
    Displacements,
    Velocities,
    Accelerations,
}

impl From<Show> for anholon::Show {
    fn from(show: Show) -> anholon::Show {
        match show {
            Show::Expansion => anholon::Show::Expansion,
            Show::Displacements => anholon::Show::Displacements,
            Show::Velocities => anholon::Show::Velocities,
            Show::Accelerations => anholon::Show::Accelerations,
        }
    }
}

/// Whether an answer could not be written.
static IS_LOST: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(told) => return helped(&told),
    };
    match run(&arguments) {
        Ok(_) if IS_LOST.load(Ordering::Relaxed) => ExitCode::from(3),
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            let message = error.to_string();
            if arguments.json {
                print_json(&serde_json::json!({ "error": message }));
            }
            let message = flags::spelled(message.trim_end());
            complain(&screen::Screen::errors().show(&pages::show::harmless(&message)));
            ExitCode::from(2)
        }
    }
}

/// Help, the version, or what is wrong with the arguments; help that cannot be written ends like any answer.
fn helped(told: &clap::Error) -> ExitCode {
    let written = told.print().and_then(|()| std::io::stdout().flush());
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => ExitCode::from(3),
        _ => ExitCode::from(u8::try_from(told.exit_code()).unwrap_or(2)),
    }
}

/// Which verb does what, and which code it ends with. Long: a table.
fn run(arguments: &Arguments) -> Result<u8, Error> {
    match &arguments.verb {
        Verb::Same { left, right, assume } => {
            let answer = anholon::expression::same(left, right, assume)?;
            print(arguments.json, &answer, || pages::show::same(&answer));
            Ok(pages::code::same(&answer))
        }
        Verb::Diff { expression, symbol, latex } => {
            let answer = anholon::expression::differentiate(expression, symbol)?;
            if !answer.occurs {
                complain(&format!("note: `{}` does not occur in the expression", answer.symbol));
            }
            print(arguments.json, &answer, || if *latex { answer.latex.clone() } else { answer.derivative.clone() });
            Ok(0)
        }
        Verb::Simplify { expression, by, latex } => {
            let answer = anholon::expression::simplify(expression, by)?;
            print(arguments.json, &answer, || if *latex { answer.latex.clone() } else { answer.simplified.clone() });
            Ok(0)
        }
        Verb::Check { model, show } => {
            let loaded = model::open(&model.settings()?)?;
            let wanted = anholon::Inspect { show: show.map(anholon::Show::from) };
            let answer = followed(|bar| anholon::check(&loaded, &wanted, bar))?;
            print(arguments.json, &answer, || pages::checks::page(&answer));
            Ok(pages::code::checked(&answer))
        }
        Verb::Derive { model, form, rates, reactions, steps, matrices, explicit, correction, latex, mathml } => {
            let started = std::time::Instant::now();
            let loaded = model::open(&model.settings()?)?;
            let wanted = anholon::Derive {
                form: form.clone(),
                in_rates: *rates,
                reactions: *reactions,
                correction: *correction,
                steps: *steps,
                matrices: *matrices,
                explicit: *explicit,
            };
            let derived = followed(|bar| anholon::derive(&loaded, &wanted, bar))?;
            let shape = match (*latex, *mathml) {
                (true, _) => Shape::Latex,
                (_, true) => Shape::MathMl,
                _ => Shape::Text,
            };
            let seconds = Some(started.elapsed().as_secs_f64());
            match arguments.json {
                true => print_json(&pages::equations::objects(&derived, seconds)),
                false => {
                    write_line(&pages::equations::pages(&derived, seconds.filter(|_| arguments.verbose), shape));
                }
            }
            Ok(pages::code::derived(&derived))
        }
        Verb::Forms => {
            let forms = anholon::library::forms();
            print(arguments.json, &serde_json::json!({ "forms": forms }), || pages::explain::list(&forms));
            Ok(0)
        }
        Verb::Explain { form } => {
            let page = anholon::library::explain(form)?;
            print(arguments.json, &page, || pages::explain::page(&page));
            Ok(0)
        }
        Verb::Prove { model, same_as: Some(other), by, .. } => {
            let wanted = anholon::SameAs { by: by.clone().unwrap_or_default() };
            proofs::same(&model.settings()?, other, &wanted, arguments.json)
        }
        Verb::Prove { model, forms, certificate, .. } => {
            let wanted = anholon::Prove { forms: forms.clone(), certificate: certificate.is_some() };
            let how =
                proofs::How { certificate: certificate.as_deref(), json: arguments.json, verbose: arguments.verbose };
            proofs::prove(&model.settings()?, &wanted, &how)
        }
        Verb::Audit { model, claims, more, gallery: true, .. } => {
            audits::gallery(model, claims.as_deref(), more, arguments.json)
        }
        Verb::Audit { model, claims, more, gallery: false, certificate } => {
            audits::audit(model, claims.as_deref(), more, certificate.as_deref(), arguments.json)
        }
        Verb::Verify { file, model } => proofs::verify(file, &model.settings()?, arguments.json),
        Verb::Evaluate { model, form } => {
            let loaded = model::open(&model.settings()?)?;
            let wanted = anholon::Evaluate { form: form.clone() };
            let answer = followed(|bar| anholon::evaluate(&loaded, &wanted, bar))?;
            print(arguments.json, &answer, || pages::numbers::page(&answer));
            Ok(pages::code::evaluated(&answer))
        }
        Verb::Simulate { model, motion } => {
            motion::simulate(model.settings()?, motion, arguments.json, arguments.verbose)
        }
        Verb::Equilibria { model, wanted } => equilibria::run(&model.settings()?, wanted, arguments.json),
        Verb::Linearize { model, wanted } => linear::linearize(&model.settings()?, wanted, arguments.json),
        Verb::Integrals { model, test } => {
            let loaded = model::open(&model.settings()?)?;
            let wanted = anholon::Integrate { candidates: test.clone() };
            let answer = followed(|bar| anholon::integrals(&loaded, &wanted, bar))?;
            print(arguments.json, &answer, || pages::integrals::page(&answer));
            Ok(pages::code::judged(answer.outcome))
        }
        Verb::Solve { model } => {
            let loaded = model::open(&model.settings()?)?;
            let answer = followed(|bar| anholon::solve(&loaded, &anholon::Solve::default(), bar))?;
            print(arguments.json, &answer, || pages::solve::page(&answer));
            Ok(pages::code::solved(&answer))
        }
        Verb::Report { model, wanted } => report::run(&model.settings()?, wanted, arguments.json),
        Verb::Sweep { model, wanted } => sweep::run(&model.settings()?, wanted, arguments.json),
        Verb::Studio { wanted } => studio::run(wanted, arguments.json),
        Verb::Export { model, wanted } => export::run(&model.settings()?, wanted, arguments.json),
        Verb::Gallery { what } => files::gallery(what.as_ref(), arguments.json),
        Verb::New { file } => files::new(file.as_deref(), arguments.json),
        Verb::Fmt { files, check } => files::fmt(files, *check, arguments.json),
        Verb::Lsp { stdio: _ } => shells::lsp(arguments.json),
        Verb::Completions { shell } => shells::completions(Arguments::command(), *shell, arguments.json),
        Verb::Man { folder } => shells::man(Arguments::command(), folder, arguments.json),
    }
}

/// Lets a verb work under a bar that is taken away at its end.
fn followed<T>(work: impl FnOnce(&mut bar::Bar) -> Result<T, Error>) -> Result<T, Error> {
    let mut bar = bar::Bar::new();
    let answer = work(&mut bar);
    bar.clear();
    answer
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
        // JSON is for programs: neither folded nor coloured
        Ok(text) => write_bare(&clock::stamped(pages::show::harmless(&flags::spelled(&text)).to_string())),
        Err(error) => complain(&format!("error: {error}")),
    }
}

/// Writes a line to standard output, with flags where the engine marks fields. A reader that has gone
/// away, as in `anholon … | head`, is no error of ours.
fn write_line(line: &str) {
    let shown = screen::Screen::output().show(&pages::show::harmless(&flags::spelled(line)));
    write_bare(&shown);
}

/// Writes a line as it is.
fn write_bare(line: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = writeln!(out, "{line}")
        && error.kind() != std::io::ErrorKind::BrokenPipe
    {
        lost(&error);
    }
}

/// Says that the answer could not be written; the program then ends with code 3.
fn lost(error: &std::io::Error) {
    complain(&format!("error: cannot write to standard output: {error}"));
    IS_LOST.store(true, Ordering::Relaxed);
}

/// Writes a line to standard error. Where nobody reads it, as in `anholon … 2>&1 | head`, nothing can be said.
fn complain(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
