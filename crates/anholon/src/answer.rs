//! What are the parts of answers called? They are named here, for signatures of your own.

pub use analysis::{Critical, Growth, Linearization, Mode, Onset, Period, Sweep, Symbolic};
pub use audit::{Apart, AuditFile, Audited, ClaimVerdict, DecidedClaim, Failure, OnModel, Outcome, Shown};
pub use audit::{ClosedForm, Constant, Course, CourseKind, FormKind, Introduced, Period as ClosedPeriod, Quadrature};
pub use audit::{Constancy, Integral, Kind as IntegralKind};
pub use audit::{
    Constraint, Contradiction, Expect, Finding, Guess, Level, Matter, Motion, RowIntegral, Standing, Start, Unused,
};
pub use dynamics::{Friction, Frictions, Touch};
pub use engine::VerifiedClaim;
pub use engine::derive::{Correction, Multiplier, Named, ReactionLines};
pub use engine::error::{Notice, Severity, Where};
pub use engine::prove::{Accelerations, AgreementFile, Compared, Disputed, DisputedSide, Judged, Pair, PairWitness};
pub use engine::reactions::{Acting, ContactReaction, JointReaction};
pub use engine::shared::told;
pub use engine::steps::{Step, StepLine};
pub use engine::{Explicit, MatrixPage};
pub use engine::{SharedLoad, coordinate_units};
pub use mechanics::{Found, StartValue};
pub use motion::{Column, EventKind, Expected, Happened, Meaning, Sample, StoppedBy, Table};
pub use motion::{Evaluation, Solution};
pub use statics::{Branch, Certificate, Equilibrium, EquilibriumKind, Rest, Signs, Support, VirtualWork, Work};
