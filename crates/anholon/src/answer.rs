//! What are the parts of answers called? They are named here, for signatures of your own.

pub use analysis::{Critical, Linearization, Mode, Sweep, Symbolic};
pub use audit::Integral;
pub use audit::{Audited, Outcome, Shown};
pub use audit::{
    Constraint, Contradiction, Expect, Finding, Guess, Level, Motion, RowIntegral, Standing, Start, Unused,
};
pub use dynamics::{Friction, Frictions};
pub use engine::derive::{Correction, Multiplier, Named, ReactionLines};
pub use engine::error::{Notice, Severity, Where};
pub use engine::prove::{Accelerations, AgreementFile, Compared, Disputed, DisputedSide, Judged, Pair, PairWitness};
pub use engine::reactions::{Acting, ContactReaction, SharedLoad, told};
pub use engine::steps::{Step, StepLine};
pub use engine::{Explicit, MatrixPage};
pub use motion::{Column, EventKind, Expected, Happened, Meaning, Sample, StoppedBy, Table};
pub use motion::{Evaluation, Solution};
pub use statics::{Branch, Certificate, Equilibrium, Rest, Signs, Work};
