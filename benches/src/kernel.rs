//! The kernel: nodes, derivatives, verdicts, scopes.

use std::hint::black_box;

use expr::field::Random;
use expr::{Expr, Scope, gradient, parameter};
use proof::{Assumptions, decide_all};

use crate::measure::Target::{AtLeast, AtMost, None};
use crate::measure::{Row, best, resident_megabytes, timed};
use crate::pendulum::Pendulum;

#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    Row { name: "fresh nodes, growing to 100,000", unit: "M/s", target: AtLeast(8.0), measure: || fresh(100_000, 15) },
    Row { name: "fresh nodes, growing to 3,000,000", unit: "M/s", target: AtLeast(3.0), measure: || fresh(3_000_000, 3) },
    Row { name: "nodes that exist, among 100,000", unit: "M/s", target: None, measure: || hits(100_000, 15) },
    Row { name: "nodes that exist, among 3,000,000", unit: "M/s", target: None, measure: || hits(3_000_000, 2) },
    Row { name: "bytes a node, 100,000", unit: "bytes", target: AtMost(64.0), measure: || bytes(100_000) },
    Row { name: "bytes a node, 3,000,000", unit: "bytes", target: AtMost(64.0), measure: || bytes(3_000_000) },
    Row { name: "pendulum of 100: build L", unit: "ms", target: None, measure: || build(100) },
    Row { name: "pendulum of 100: gradient of L", unit: "ms", target: AtMost(1.0), measure: || slopes(100) },
    Row { name: "pendulum of 100: Lagrange's equations from L", unit: "ms", target: None, measure: || equations(100) },
    Row { name: "pendulum of 100: the equations by hand", unit: "ms", target: None, measure: || by_hand(100) },
    Row { name: "pendulum of 100: decide that both agree", unit: "ms", target: AtMost(2.0), measure: || verdict(100) },
    Row { name: "double pendulum: a scope with its equations", unit: "µs", target: None, measure: one_scope },
    Row { name: "double pendulum: memory kept by 10,000 scopes", unit: "MB", target: AtMost(1.0), measure: kept },
];

/// Sums of any two earlier nodes, and products of sums or symbols: as in formulas, factors are
/// many and products short. Operands are drawn a batch at a time outside the timed part, so that
/// looking them up in a long list is not counted as the kernel's work.
struct Workload {
    random: Random,
    nodes: Vec<Expr>,
    sums: Vec<Expr>,
}

const BATCH: usize = 5000;

impl Workload {
    fn new() -> Workload {
        let symbols: Vec<Expr> = (0..50).map(|i| parameter(&format!("p[{i}]"))).collect();
        Workload { random: Random::new(7), nodes: symbols.clone(), sums: symbols }
    }

    /// Makes `count` nodes; returns the CPU seconds that took.
    fn grow(&mut self, count: usize) -> f64 {
        (0..count / BATCH).map(|_| self.batch()).sum()
    }

    fn batch(&mut self) -> f64 {
        let draw = |list: &[Expr], random: &mut Random| -> Vec<[Expr; 2]> {
            let mut one = || list[random.below(list.len() as u64) as usize];
            (0..BATCH / 2).map(|_| [one(), one()]).collect()
        };
        let terms = draw(&self.nodes, &mut self.random);
        let factors = draw(&self.sums, &mut self.random);
        let mut made = vec![[Expr::zero(); 2]; BATCH / 2];
        let (seconds, ()) = timed(|| {
            for ((made, [a, b]), [c, d]) in made.iter_mut().zip(terms).zip(factors) {
                *made = [a + b, c * d];
            }
        });
        self.nodes.extend(made.iter().flatten());
        self.sums.extend(made.iter().map(|[sum, _]| sum));
        seconds
    }
}

/// Millions of new nodes a second while a scope grows to `size`.
fn fresh(size: usize, runs: u32) -> f64 {
    let seconds_a_node = best(runs, || {
        let scope = Scope::with_seed(1);
        let mut work = Workload::new();
        let before = scope.nodes();
        let seconds = work.grow(size);
        seconds / (scope.nodes() - before) as f64
    });
    1e-6 / seconds_a_node
}

/// Millions of nodes a second that turn out to exist, in a scope of `size`.
fn hits(size: usize, runs: u32) -> f64 {
    let scope = Scope::with_seed(1);
    Workload::new().grow(size);
    let before = scope.nodes();
    let seconds = best(runs, || Workload::new().grow(size));
    assert_eq!(scope.nodes(), before, "the same work makes no new node");
    1e-6 * size as f64 / seconds
}

fn bytes(size: usize) -> f64 {
    let scope = Scope::with_seed(1);
    Workload::new().grow(size);
    scope.bytes() as f64 / scope.nodes() as f64
}

/// Milliseconds of the timed part of `run`, each time in a new scope.
fn milliseconds(runs: u32, run: impl Fn() -> f64) -> f64 {
    1e3 * best(runs, || {
        let _scope = Scope::enter();
        run()
    })
}

fn build(links: usize) -> f64 {
    milliseconds(20, || timed(|| Pendulum::new(links)).0)
}

fn slopes(links: usize) -> f64 {
    milliseconds(20, || {
        let pendulum = Pendulum::new(links);
        let variables = pendulum.variables();
        timed(|| gradient(pendulum.lagrangian, &variables)).0
    })
}

fn equations(links: usize) -> f64 {
    milliseconds(20, || {
        let pendulum = Pendulum::new(links);
        timed(|| pendulum.equations()).0
    })
}

fn by_hand(links: usize) -> f64 {
    milliseconds(10, || {
        let pendulum = Pendulum::new(links);
        timed(|| pendulum.equations_by_hand()).0
    })
}

fn verdict(links: usize) -> f64 {
    milliseconds(10, || {
        let pendulum = Pendulum::new(links);
        let (derived, by_hand) = (pendulum.equations(), pendulum.equations_by_hand());
        let (seconds, verdicts) = timed(|| {
            let residuals: Vec<Expr> = derived.iter().zip(&by_hand).map(|(&a, &b)| a - b).collect();
            decide_all(&residuals, &Assumptions::none())
        });
        assert!(verdicts.iter().all(|verdict| verdict.is_zero()), "the two forms agree");
        seconds
    })
}

fn double_pendulum() {
    let _scope = Scope::enter();
    black_box(Pendulum::new(2).equations());
}

/// Microseconds from nothing to the equations of a double pendulum, the scope included.
fn one_scope() -> f64 {
    let thousand = || timed(|| (0..1000).for_each(|_| double_pendulum())).0;
    1e6 * best(5, thousand) / 1000.0
}

fn kept() -> f64 {
    (0..100).for_each(|_| double_pendulum());
    let before = resident_megabytes();
    (0..10_000).for_each(|_| double_pendulum());
    resident_megabytes() - before
}
