//! Is it right? Models, their facts, claims about them, integrals of their motion, motions in closed form.

#![allow(non_snake_case, reason = "inside formulas the letters of the books")]

mod audit;
mod check;
mod gallery;
mod integrals;
mod judge;
mod jumps;
mod modes;
mod same;
mod solve;

pub use audit::{
    Audit, AuditFile, Audited, ClaimVerdict, Claims, DecidedClaim, Outcome, Shown, audit, lines_of, verify, with_claims,
};
pub use check::{
    Check, Constraint, Contradiction, Expect, Finding, Guess, Inspect, Integral as RowIntegral, Level, Matter, Motion,
    Show, Standing, Start, Unused, check,
};
pub use gallery::{Everywhere, Failure, OnModel, audit_gallery};
pub use integrals::{Constancy, Integral, Integrals, Integrate, Kind, integrals};
pub use same::{Apart, SameAs, Sameness, same_as};
pub use solve::{
    ClosedForm, Constant, Course, CourseKind, FormKind, Introduced, Period, Quadrature, Solve, Solved, solve,
};
