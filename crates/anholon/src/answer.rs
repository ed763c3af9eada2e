//! What are the parts of answers called? They are named here, for signatures of your own.

pub use engine::Friction;
pub use engine::audit::{Audited, Outcome, Shown};
pub use engine::check::{
    Constraint, Contradiction, Expect, Finding, Guess, Integral as RowIntegral, Level, Motion, Standing, Start, Unused,
};
pub use engine::derive::{Correction, Line, Multiplier, NamedLine, ReactionLines};
pub use engine::equilibria::{Branch, Certificate, Equilibrium, Work};
pub use engine::error::{Notice, Severity, Where};
pub use engine::evaluate::{Acting, ContactReaction, Evaluation, Solution};
pub use engine::integrals::Integral;
pub use engine::linearize::{Critical, Linearization, Mode, Sweep, Symbolic};
pub use engine::prove::{Accelerations, AgreementFile, Compared, Pair};
pub use engine::simulate::{Column, EventKind, Expected, Happened, Meaning, Sample, StoppedBy, Table};
