//! One piece of work for a counter of instructions: `kernels NAME` makes ready, then works once in `counted`.
//!
//! `cargo xtask test counts` runs it under callgrind, which counts inside that function alone, and compares with
//! benches/instructions.txt.
#![allow(clippy::print_stdout, reason = "its answer is what this program is for")]

#[path = "../peers/models.rs"]
#[allow(dead_code, reason = "most of them are compared with others")]
mod models;

use std::hint::black_box;
use std::process::ExitCode;

use anholon::{Alone, Compute, Derive, Model, Places, Prove, Settings, Simulate, compute, open};
use expr::field::Random;
use expr::{Expr, Scope, parameter};

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    match name.as_str() {
        "nodes" => nodes(),
        "derive-disc" => derive(),
        "prove-bicycle" => prove(),
        "simulate-double-pendulum" => simulate(),
        "compile-chain" => compile(),
        _ => {
            println!("no kernel `{name}`");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// What is counted.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
    // nothing may be moved out of it
    black_box(());
}

fn gallery(name: &str) -> Model {
    open(&Settings::gallery(name).expect("a gallery model")).expect("it can be read")
}

/// A hundred thousand sums and products of earlier nodes.
fn nodes() {
    const COUNT: usize = 50_000;
    let _scope = Scope::with_seed(1);
    let mut random = Random::new(7);
    let mut known: Vec<Expr> = (0..50).map(|k| parameter(&format!("p[{k}]"))).collect();
    let mut sums = known.clone();
    counted(&mut || {
        for _ in 0..COUNT {
            let mut one = |list: &[Expr]| list[random.below(list.len() as u64) as usize];
            let sum = one(&known) + one(&known);
            let product = one(&sums) * one(&sums);
            known.extend([sum, product]);
            sums.push(sum);
        }
    });
    black_box(known.len());
}

/// The usual form of the rolling disc, written out.
fn derive() {
    let model = gallery("rolling-disc");
    counted(&mut || drop(black_box(anholon::derive(&model, &Derive::default(), &mut Alone).expect("it applies"))));
}

/// All forms of the bicycle, and that they agree.
fn prove() {
    let model = gallery("bicycle");
    counted(&mut || drop(black_box(anholon::prove(&model, &Prove::default(), &mut Alone).expect("it has forms"))));
}

/// Two seconds of a double pendulum.
fn simulate() {
    let model = open(&Settings::new("kernel", &models::chain(2))).expect("it can be read");
    let wanted = Simulate { times: vec![2.0], ..Simulate::default() };
    counted(&mut || drop(black_box(anholon::simulate(&model, &wanted, &mut Alone).expect("it moves"))));
}

/// From a cart with twelve links to its accelerations at one state.
fn compile() {
    const LINKS: usize = 12;
    let model = open(&Settings::new("kernel", &models::cart(LINKS, false))).expect("it can be read");
    let wanted = Compute { what: "accelerations".to_owned(), ..Compute::default() };
    let y: Vec<f64> = models::cart_state(LINKS, 0).collect();
    counted(&mut || {
        let f = compute(&model, &wanted).expect("it can be computed");
        let mut to = vec![0.0; f.size()];
        f.at(Places { count: 1, t: &[0.0], y: &y, p: &[] }, &mut to, &mut || true).expect("it has values");
        black_box(to);
    });
}
