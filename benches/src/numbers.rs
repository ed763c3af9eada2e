//! How long do the accelerations of a cart with n links take, at one state and in lanes? CPU time a state, the mass matrix
//! solved, parameters as numbers; and how long until the first of them, from the loaded model.

use anholon::{Compute, Computed, Failed, Places, Settings, compute, open};

use crate::measure::{Row, Target, best, timed};

macro_rules! rows {
    ($($links:literal)+) => {
        /// Time a state, one by one and in lanes, and the time until the first.
        pub const ROWS: &[Row] = &[$(
            Row {
                name: concat!("q'': cart and ", $links, " links, one state"),
                unit: "ns",
                target: Target::None,
                measure: || nanoseconds($links, 7),
            },
            Row {
                name: concat!("q'': cart and ", $links, " links, in lanes"),
                unit: "ns",
                target: Target::None,
                measure: || nanoseconds($links, 512),
            },
            Row {
                name: concat!("q'': cart and ", $links, " links, until the first"),
                unit: "ms",
                target: Target::None,
                measure: || latency($links),
            },
        )+];
    };
}

rows! { 1 2 5 10 20 }

/// A cart with `n` links of different masses and lengths, angles from the vertical.
fn cart(n: usize) -> String {
    let mut text = format!("system \"Cart with {n} links\"\nparam g = 9.81, m0 = 2\ncoord x\ncoord a[1..{n}]\n");
    text.push_str("point P[0] = (x, 0) mass m0\n");
    for i in 1..=n {
        let (mass, length) = (1.0 + 0.1 * i as f64, 0.5 + 0.05 * i as f64);
        text.push_str(&format!("point P[{i}] = P[{}] + {length}*(sin(a[{i}]), -cos(a[{i}])) mass {mass}\n", i - 1));
    }
    text + "gravity (0, -g)\n"
}

fn made(n: usize) -> Computed {
    let loaded = open(&Settings::new("cart", &cart(n))).expect("it can be read");
    let wanted = Compute { what: "accelerations".to_owned(), ..Compute::default() };
    compute(&loaded, &wanted).expect("it can be computed")
}

/// `count` states, the same in every run.
fn states(f: &Computed, count: usize) -> Vec<f64> {
    (0..count * f.state.len()).map(|k| (k as f64 * 0.7391).sin() * 1.3).collect()
}

fn computed(f: &Computed, count: usize, y: &[f64], to: &mut [f64]) -> Result<(), Failed> {
    f.at(Places { count, t: &[0.0], y, p: &[] }, to, &mut || true)
}

fn nanoseconds(n: usize, count: usize) -> f64 {
    let f = made(n);
    let (y, mut to) = (states(&f, count), vec![0.0; count * f.size()]);
    computed(&f, count, &y, &mut to).expect("it has values");
    let repeats = 2_000_000 / (count * n * n) + 20;
    let all = best(7, || timed(|| (0..repeats).for_each(|_| computed(&f, count, &y, &mut to).expect("values"))).0);
    1e9 * all / (repeats * count) as f64
}

fn latency(n: usize) -> f64 {
    let loaded = open(&Settings::new("cart", &cart(n))).expect("it can be read");
    let wanted = Compute { what: "accelerations".to_owned(), ..Compute::default() };
    1e3 * best(5, || {
        let first = || {
            let f = compute(&loaded, &wanted).expect("it can be computed");
            let (y, mut to) = (states(&f, 8), vec![0.0; 8 * f.size()]);
            computed(&f, 8, &y, &mut to).expect("it has values");
            computed(&f, 1, &y[..f.state.len()], &mut to[..f.size()]).expect("it has values");
        };
        timed(first).0
    })
}
