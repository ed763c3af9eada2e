//! Linear analysis: linearized equations, eigenvalues, root loci, critical values.

#![allow(non_snake_case, reason = "inside formulas the letters of the books")]

mod linearize;

pub use linearize::{
    Critical, Growth, Linearization, Linearize, Linearized, Mode, Onset, Period, Sweep, Symbolic, linearize,
};
