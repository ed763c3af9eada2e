//! Random expressions that share their parts: each step works on anything made before it.
#![allow(dead_code)] // each test file uses what it needs

use expr::{Expr, Op, Rational};
use proptest::prelude::*;

/// Steps, each an operation and where its arguments come from; proptest shrinks them.
pub type Recipe = Vec<(usize, [usize; 3])>;

/// Exponents; roots among them.
const EXPONENTS: [(i64, i64); 9] = [(-2, 1), (-1, 1), (2, 1), (3, 1), (1, 2), (-1, 2), (3, 2), (1, 3), (5, 1)];

/// Functions, with the number of their arguments.
const FUNCTIONS: [(Op, usize); 19] = [
    (Op::Sin, 1),
    (Op::Cos, 1),
    (Op::Tan, 1),
    (Op::Asin, 1),
    (Op::Acos, 1),
    (Op::Atan, 1),
    (Op::Sinh, 1),
    (Op::Cosh, 1),
    (Op::Tanh, 1),
    (Op::Exp, 1),
    (Op::Log, 1),
    (Op::Abs, 1),
    (Op::Sign, 1),
    (Op::Cbrt, 1),
    (Op::Atan2, 2),
    (Op::Min, 2),
    (Op::Max, 2),
    (Op::IfNegative, 3),
    (Op::IfZero, 3),
];

pub fn recipes() -> impl Strategy<Value = Recipe> {
    prop::collection::vec((0..19 * 4usize, [0..1000usize, 0..1000usize, 0..1000usize]), 1..16)
}

/// The last expression that the recipe makes of these symbols; steps that do not exist are left out.
pub fn build(recipe: &Recipe, symbols: &[Expr]) -> Expr {
    let mut pool: Vec<Expr> = symbols.to_vec();
    for &(step, places) in recipe {
        let [a, b, c] = places.map(|place| pool[place % pool.len()]);
        let made = match (step / 19, step % 19) {
            (0, which) => Expr::apply(FUNCTIONS[which].0, &[a, b, c][..FUNCTIONS[which].1]).ok(),
            (1, 0..6) => Some(Expr::sum(&[a, b, c])),
            (1, 6..13) => Some(a - b),
            (1, _) => Rational::new(places[1] as i64 % 13 - 6, places[2] as i64 % 4 + 1)
                .map(|number| a + Expr::number(number) * b),
            (2, 0..9) => Some(a * b),
            (2, 9) => Some(a + expr::pi()),
            (2, _) => Some(Expr::product(&[a, b, c])),
            (_, which) => {
                let (n, d) = EXPONENTS[which % EXPONENTS.len()];
                Rational::new(n, d).and_then(|exponent| a.try_pow(&exponent).ok())
            }
        };
        pool.extend(made.filter(|e| expr::Tree::of(*e).written_size() < 2000));
    }
    pool[pool.len() - 1]
}

/// Cases that do not change from run to run.
pub fn config() -> ProptestConfig {
    let rng_seed = proptest::test_runner::RngSeed::Fixed(1);
    ProptestConfig { rng_seed, failure_persistence: None, ..ProptestConfig::with_cases(1000) }
}
