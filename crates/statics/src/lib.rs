//! Every place of rest, and whether it is stable.

#![allow(non_snake_case, reason = "inside formulas the letters of the books")]

mod equilibria;

pub use equilibria::{
    Branch, Certificate, Equilibria, Equilibrium, EquilibriumKind, EquilibriumSet, Rest, Signs, Support, Verdict,
    VirtualWork, Work, equilibria, judged, known,
};
