//! Which verbs does Anholon have? This is the page that a stranger opens.
//!
//! A model is a text. Load it, and ask it questions: each verb takes the model, a question and
//! somebody who follows the work ([`Alone`]: nobody does), and gives an answer or an [`Error`].
//!
//! ```
//! use anholon::{Agreement, Alone, Derive, Prove, Simulate};
//!
//! let swing = r#"
//! system "A swing"
//! param m = 2 kg, l = 0.5 m, g = 9.81 m/s^2
//! coord phi : rad
//! point P = l*(sin(phi), -cos(phi)) mass m
//! gravity (0, -g)
//! start phi = 0.5 rad
//! "#;
//! let swing = anholon::load("swing.mech", swing)?;
//!
//! // the equations of motion by one formalism
//! let kane = Derive { form: Some("kane".to_owned()), ..Derive::default() };
//! let derived = anholon::derive(&swing, &kane, &mut Alone)?;
//! assert_eq!(derived[0].equations[0].text, "l*phi'' = -g*sin(phi)");
//!
//! // all formalisms agree
//! let proved = anholon::prove(&swing, &Prove::default(), &mut Alone)?;
//! assert!(proved.verdict <= Agreement::Equivalent && proved.families > 3);
//!
//! // and the motion that follows from them
//! let wanted = Simulate { duration: Some(2.0), every: Some(0.5), ..Simulate::default() };
//! let motion = anholon::simulate(&swing, &wanted, &mut Alone)?;
//! assert_eq!(motion.table.t, [0.0, 0.5, 1.0, 1.5, 2.0]);
//! assert!(motion.energy_drift < 1e-9);
//! # Ok::<(), anholon::Error>(())
//! ```
//!
//! A [`Model`] owns all that its expressions are made of. Any number of models are open at once,
//! and a model may move to another thread. No answer depends on what was asked before, to the byte.
//!
//! ```
//! use anholon::{Alone, Derive, Evaluate};
//!
//! let sled = anholon::gallery("sled")?;
//! let hoop = anholon::gallery("hoop")?;
//! let before = anholon::derive(&sled, &Derive::default(), &mut Alone)?;
//! anholon::derive(&hoop, &Derive::default(), &mut Alone)?;
//! anholon::evaluate(&sled, &Evaluate::default(), &mut Alone)?;
//! let there = std::thread::spawn(move || anholon::derive(&sled, &Derive::default(), &mut Alone));
//! let after = there.join().expect("the thread ends")?;
//! assert_eq!(before[0].equations[0].text, after[0].equations[0].text);
//! # Ok::<(), anholon::Error>(())
//! ```
//!
//! [`open`] loads a model with changes, which [`Settings`] tell: other values, more declarations,
//! another state, a seed. Answers are plain data; the parts they are made of are in [`answer`].
//! An [`Error`] says which [`Field`] of a question is at fault; [`spelled`] writes it as your users
//! know it. Nothing here opens a file or prints a line.

pub mod answer;
pub mod expression;
pub mod library;
pub mod picture;

// the verbs, and who follows them
pub use ::audit::{audit, audit_gallery, check, integrals, lines_of, same_as, solve, verify, with_claims};
pub use analysis::linearize;
pub use engine::{Alone, Loaded as Model, Progress, Settings, derive, format, load as open, prove};
pub use export::{compute, export};
pub use motion::{evaluate, simulate};
pub use statics::equilibria;
pub use sweep::{Store, sweep};
// the questions
pub use ::audit::{Claims, Inspect, Integrate, SameAs, Show, Solve};
pub use analysis::Linearize;
pub use engine::{Derive, Prove, Replay};
pub use export::{Compute, Export, File, Fmi, Pack, Parameters, Target, What};
pub use motion::{Checkpoint, Evaluate, Method, Simulate};
pub use statics::Equilibria;
pub use sweep::{Design, Sweep};
// the answers
pub use ::audit::{Audit, Check, Everywhere, Integrals, Sameness, Solved};
pub use analysis::Linearized;
pub use engine::error::spelled;
pub use engine::{Agreement, Derivation, Error, Field, Ordered, Proved, Verified};
pub use export::{By, Computed, Exported, Failed, Places, QUANTITIES, Room};
pub use expr::{Formula, Tree, decimal};
pub use model::used;

/// A time in seconds: a bare number, or a quantity such as `500 ms`.
///
/// ```
/// assert_eq!(anholon::seconds("500 ms"), Ok(0.5));
/// assert!(anholon::seconds("1 kg").is_err());
/// ```
pub fn seconds(text: &str) -> Result<f64, String> {
    engine::quantity(text, Some(&engine::Dimension::new(0, 0, 1)), &|_| None)
}
pub use motion::{Evaluated, Simulation};
pub use statics::EquilibriumSet;
pub use sweep::Swept;

/// Reads a model from its text; messages call it `file`.
///
/// ```
/// let wrong = anholon::load("fall.mech", "coord y : m\npoint P = (0, z) mass 1 kg\n").err().expect("there is no z");
/// assert!(wrong.to_string().contains("fall.mech:2"));
/// ```
pub fn load(file: &str, text: &str) -> Result<Model, Error> {
    open(&Settings::new(file, text))
}

/// Reads a model of the gallery by its name.
///
/// ```
/// assert_eq!(anholon::gallery("sled")?.file, "gallery:sled");
/// assert!(anholon::gallery("slet").is_err_and(|error| error.to_string().contains("did you mean `sled`?")));
/// # Ok::<(), anholon::Error>(())
/// ```
pub fn gallery(name: &str) -> Result<Model, Error> {
    open(&Settings::gallery(name)?)
}
