//! The method of Radau IIA with seven stages, order 13: stiff motions to the last digits.
//!
//! ```text
//! s = 7          the formulas are those of `radau.rs`
//! ```
//!
//! Source: E. Hairer, G. Wanner, Stiff differential equations solved by Radau methods, J. Comput. Appl. Math. 111 (1999) 93–111.

use std::sync::OnceLock;

use super::Description;
use super::radau::{Radau, Scheme};

/// The description in the list.
pub const METHOD: Description = Description {
    name: "radau13",
    purpose: "Radau IIA, order 13, implicit: stiff motions to the last digits, in steps that it chooses",
    chooses_steps: true,
    make: |n| Box::new(Radau::new(scheme(), n)),
};

/// Its coefficients.
pub fn scheme() -> &'static Scheme {
    static SCHEME: OnceLock<Scheme> = OnceLock::new();
    SCHEME.get_or_init(|| Scheme::new(7))
}
