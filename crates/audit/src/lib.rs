//! Is it right? Models, their facts, claims about them, integrals of their motion.

#![allow(non_snake_case, reason = "inside formulas the letters of the books")]

mod audit;
mod check;
mod gallery;
mod integrals;
mod judge;

pub use audit::{Audit, Audited, ClaimVerdict, Claims, Outcome, Shown, audit, lines_of};
pub use check::{
    Check, Constraint, Contradiction, Expect, Finding, Guess, Inspect, Integral as RowIntegral, Level, Matter, Motion,
    Show, Standing, Start, Unused, check,
};
pub use gallery::{Everywhere, Failure, OnModel, audit_gallery};
pub use integrals::{Constancy, Integral, Integrals, Integrate, Kind, integrals};
