//! Is rest judged as eigenvalues, multipliers and long runs say? Random systems with gyroscopic, periodic, degenerate, dissipative
//! and circulating terms.
//!
//! A verdict that contradicts the plain side fails. `undecided` never does, but most systems must be decided. Sixty of each kind in CI;
//! `ANHOLON_RANDOM=2000` for more.

mod ask;
#[path = "judged/draw.rs"]
mod draw;
#[path = "judged/plain.rs"]
mod plain;

use anholon::answer::Equilibrium;
use anholon::{Equilibria, Settings};
use draw::{Dice, Drawn};

/// What growth or decay must exceed to be told from none.
const CLEAR: f64 = 1e-5;

fn wanted() -> usize {
    std::env::var("ANHOLON_RANDOM").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

/// The verdict on q = 0; nothing where it is one of a family or was not found.
fn judged(drawn: &Drawn, seed: u64) -> Option<Equilibrium> {
    let set = ask::equilibria(&Settings::new("random.mech", &drawn.text), &Equilibria::default())
        .unwrap_or_else(|error| panic!("system {seed}: {error}\n{}", drawn.text));
    // digits that a decimal lost may part one place into several
    let distance = |one: &Equilibrium| one.values.0.iter().map(|(_, x)| x.abs()).fold(0.0, f64::max);
    let nearest = set.equilibria.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    (distance(nearest) < 1e-7 && nearest.family_dimension == 0).then(|| nearest.clone())
}

/// Directions in which a motion may begin.
fn directions(seed: u64, size: usize) -> Vec<Vec<f64>> {
    let mut dice = Dice::of(seed ^ 0xabcd);
    (0..6).map(|_| (0..size).map(|_| dice.part()).collect()).collect()
}

/// Fails if a verdict contradicts `growth`: the largest real part, or the logarithm of the largest multiplier.
fn contradicts(drawn: &Drawn, word: &str, growth: f64, seed: u64) -> Option<String> {
    let strays = |time: f64| drawn.plain.strays(1e-4, &directions(seed, 2 * drawn.plain.freedoms()), time);
    let is_clear = growth.abs() > CLEAR;
    match word {
        "unstable" if is_clear && growth < 0.0 => Some(format!("all motions die out ({growth:e})")),
        "unstable" if !is_clear && strays(600.0) < 10.0 => Some("no motion was seen to leave".to_owned()),
        "stable" | "asymptotically stable" if is_clear && growth > 0.0 => Some(format!("growth {growth:e}")),
        "asymptotically stable" if !is_clear && !drawn.bends => Some(format!("no decay ({growth:e})")),
        "stable" | "asymptotically stable" if strays(300.0) > 200.0 => Some("a motion strays".to_owned()),
        _ => None,
    }
}

#[derive(Debug, Default)]
struct Counts {
    systems: usize,
    decided: usize,
    marginal: usize,
    families: usize,
}

fn try_all(shaken: bool, growth: impl Fn(&Drawn) -> f64, compare: impl Fn(&Drawn, &Equilibrium, &str)) -> Counts {
    let (mut counts, mut seed) = (Counts::default(), 0);
    while counts.systems < wanted() {
        seed += 1;
        let Some(drawn) = draw::system(seed, shaken) else { continue };
        let growth = growth(&drawn);
        if !growth.is_finite() {
            continue;
        }
        counts.systems += 1;
        let Some(found) = judged(&drawn, seed) else {
            counts.families += 1;
            continue;
        };
        let word = found.stability.word();
        counts.decided += usize::from(word != "undecided");
        counts.marginal += usize::from(growth.abs() < CLEAR);
        let about = format!("system {seed}: {word}, {}\n{}", found.reason, drawn.text);
        if let Some(why) = contradicts(&drawn, word, growth, seed) {
            panic!("{why}\n{about}");
        }
        compare(&drawn, &found, &about);
    }
    counts
}

#[test]
#[allow(clippy::print_stdout, reason = "a long run tells its counts")]
fn rest_is_judged_as_eigenvalues_say() {
    let largest = |drawn: &Drawn| drawn.plain.eigenvalues().iter().map(|z| z[0]).fold(f64::MIN, f64::max);
    let counts = try_all(false, largest, |_, _, _| ());
    println!("{counts:?}");
    assert!(counts.decided * 10 > 7 * (counts.systems - counts.families), "{counts:?}");
    assert!(counts.marginal * 10 > counts.systems && counts.families * 5 < counts.systems, "{counts:?}");
}

#[test]
#[allow(clippy::print_stdout, reason = "a long run tells its counts")]
fn shaken_rest_is_judged_as_multipliers_say() {
    let sizes = |list: &[[f64; 2]]| {
        let mut sizes: Vec<f64> = list.iter().map(|z| z[0].hypot(z[1])).collect();
        sizes.sort_by(f64::total_cmp);
        sizes
    };
    let largest = |drawn: &Drawn| sizes(&drawn.plain.multipliers()).pop().map_or(f64::NAN, f64::ln);
    let counts = try_all(true, largest, |drawn, found, about| {
        let should = sizes(&drawn.plain.multipliers());
        let told = sizes(&found.floquet);
        assert_eq!(told.len(), should.len(), "{about}");
        let largest = should.last().copied().unwrap_or(1.0);
        for (told, should) in told.iter().zip(&should) {
            assert!((told - should).abs() < 1e-5 * largest.max(1.0), "multiplier {told} is not {should}\n{about}");
        }
    });
    println!("{counts:?}");
    assert!(counts.decided * 10 > 7 * (counts.systems - counts.families), "{counts:?}");
}
