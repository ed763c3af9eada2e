//! Small dense linear algebra in floats: solves, ranks, null spaces, eigenvalues.
//!
//! ```text
//! A x = b                    solve        as many equations as unknowns, or more that agree
//! M = L Lᵀ                   cholesky     symmetric, as a rule positive
//! [M ±Aᵀ; A 0]               saddle       accelerations and multipliers at once
//! min Σ w x², |A x − b|      least        too many equations, or too few
//! A v = 0, rank A            rank         with the size that each row has by nature
//! orthonormal, depends on    span         Gram–Schmidt, row by row
//! A v = λ v                  jacobi       symmetric;   eigen   any real matrix
//! c·x → max, A x ≤ h        program      the simplex method
//! Re λ > 0, for certain       side         whatever the errors of the entries are; radius bounds |B|
//! |ρ| > 1, for certain        circle       the same for what happens once a period
//! columns in order           basis        sparse;      skyline K Kᵀ of long chains
//! numbers with errors        weighed      one elimination for floats and expressions: arithmetic
//! ```
//!
//! No number is small by itself. Each tolerance has a name in [`tolerance`], and each is multiplied
//! with the scale of what it judges: a row, a column, the terms of a sum. Rows in metres and rows
//! in micrometres are judged alike.
//!
//! Kernels for inner loops work in place on slices, rows one after the other, and allocate nothing
//! once their work space has grown; the other functions take a [`Matrix`] or what becomes one.

pub mod arithmetic;
pub mod basis;
pub mod cancel;
pub mod cholesky;
pub mod circle;
pub mod eigen;
pub mod jacobi;
pub mod least;
pub mod lu;
pub mod matrix;
pub mod program;
pub mod radius;
pub mod rank;
pub mod saddle;
pub mod side;
pub mod skyline;
pub mod solve;
pub mod span;
pub mod tolerance;
pub mod vector;
pub mod weighed;

pub use least::Solved;
pub use matrix::Matrix;
pub use rank::{Scale, null_space, rank};
pub use solve::{Unsolved, inverse, solve, solve_many};
pub use tolerance::Tolerance;
