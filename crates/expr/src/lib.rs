//! The symbolic kernel: exact expressions in which equality is cheap.
//!
//! Expressions live in a hash-consed graph, owned by a [`Home`]; an [`Expr`] is a small handle
//! with operators. Every node carries a signature, its value at a random point of two prime
//! fields, so that [`Expr::is_zero`] costs a comparison. Nothing is expanded or simplified
//! unless a person is to read it.
//!
//! ```
//! let _scope = expr::Scope::enter();
//! let x = expr::parameter("x");
//! assert!((x.sin().pow(2) + x.cos().pow(2) - 1).is_zero());
//! assert!(!(x.abs() - x).is_zero());
//! ```

mod apart;
mod at;
mod build;
mod calculus;
mod decimal;
mod degree;
mod error;
mod evaluate;
pub mod field;
mod float;
mod formula;
mod graph;
mod integral;
pub mod number;
mod parse;
mod point;
mod polynomial;
mod print;
mod scope;
pub mod sign;
mod simplify;
mod solved;
mod substitute;
mod symbol;
mod tree;
mod unspecified;
mod words;

pub use apart::roots_apart;
pub use at::At;
pub use calculus::{
    Flow, derivative, directional, gradient, hessian, jacobian, pullback, total_derivative, total_derivative_frozen,
};
pub use decimal::decimal;
pub use degree::{Degree, degrees};
pub use error::MathError;
pub use evaluate::{Evaluator, Program, Step, Values};
pub use float::Floats;
pub use formula::Formula;
pub use graph::Op;
pub use integral::integral;
pub use number::Rational;
pub use parse::{
    Domain, FUNCTIONS, Judged, ParseError, parse, parse_all, parse_relation, parse_with_domain, parse_with_relations,
};
pub use point::{GENERIC_ORDER, Undefined};
pub use polynomial::{
    NotLinear, Polynomial, RowAtPoint, TooManyTerms, collect, expand, linear_coefficients, linear_signatures,
    polynomial, polynomial_within,
};
pub use print::{Code, code, latex, latex_name, mathml, mathml_name};
pub use scope::{Expr, Home, Scope, coordinate, integer, kind_of, parameter, pi, rational, symbol, time};
pub use simplify::{simplify, simplify_within};
pub use solved::{Eliminated, Solved, Stage, record_elimination, record_solution, solution_of};
pub use substitute::Substitution;
pub use symbol::{Kind, Symbol};
pub use syntax::Comparison;
pub use tree::{Tree, TreeError};
pub use unspecified::{names_function, unspecified};
