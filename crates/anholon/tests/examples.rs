//! Do the examples run, and do they show what they promise?

#![allow(dead_code, reason = "the tests ask for the page, and not for `main`")]

#[path = "../examples/audit.rs"]
mod audit;
#[path = "../examples/compare.rs"]
mod compare;
#[path = "../examples/derive.rs"]
mod derive;
#[path = "../examples/plot.rs"]
mod plot;
#[path = "../examples/sweep.rs"]
mod sweep;

use anholon::Error;

/// The page of an example.
fn shown(page: fn() -> Result<String, Error>) -> String {
    page().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn derive_shows_both_forms() {
    let page = shown(derive::page);
    assert!(page.contains("(kane)") && page.contains("(multipliers)"), "{page}");
    assert!(page.contains("m*x1'' = 2*(x1 - x2)*lambda_rod + (y1 - y2)*lambda_blade + m*g*sin(alpha)"), "{page}");
}

#[test]
fn audit_finds_the_lost_sign() {
    let page = shown(audit::page);
    let lines: Vec<&str> = page.lines().collect();
    assert!(lines[0].to_lowercase().contains("correct"), "{page}");
    assert!(lines[1].to_lowercase().contains("wrong"), "{page}");
}

#[test]
fn plot_draws_both_angles() {
    let page = shown(plot::page);
    assert!(page.starts_with("<svg") && page.trim_end().ends_with("</svg>"));
    assert!(page.contains("a₁, a₂ (rad) against t: 151 samples from 0 to 3 s"), "{page}");
}

#[test]
fn both_models_of_the_swing_move_alike() {
    let page = shown(compare::page);
    assert_eq!(page.lines().count(), 5, "{page}");
    let apart = |line: &str| line.rsplit(": ").next()?.split(' ').next()?.parse::<f64>().ok();
    assert!(page.lines().all(|line| apart(line).is_some_and(|apart| apart < 1e-7)), "{page}");
}

#[test]
fn the_period_grows_with_the_angle() {
    // T = 4 √(l/g) K(sin(φ/2)), by the arithmetic-geometric mean
    let mean =
        |k: f64| (0..40).fold((1.0, (1.0 - k * k).sqrt()), |(a, b): (f64, f64), _| ((a + b) / 2.0, (a * b).sqrt())).0;
    let known = |angle: f64| 2.0 * std::f64::consts::PI / 9.81_f64.sqrt() / mean((angle / 2.0).sin());
    let page = shown(sweep::page);
    let expected = [0.1, 0.5, 1.0, 1.5, 2.0, 2.5].map(|angle| format!("{angle:.1} rad: {:.6} s\n", known(angle)));
    assert_eq!(page, expected.concat());
}
