//! Jacobi's elliptic functions, integrals and roots, by ways that have nothing in common with the engine.

use std::f64::consts::PI;

/// The means of K: aₙ, cₙ until cₙ vanishes.
fn means(k: f64) -> (Vec<f64>, Vec<f64>) {
    let (mut a, mut b, mut c) = (vec![1.0], (1.0 - k * k).sqrt(), vec![k]);
    while c.last().unwrap().abs() > 1e-17 && a.len() < 12 {
        let mean = *a.last().unwrap();
        c.push((mean - b) / 2.0);
        a.push((mean + b) / 2.0);
        b = (mean * b).sqrt();
    }
    (a, c)
}

/// The complete integral K(k) of the first kind.
pub fn quarter(k: f64) -> f64 {
    PI / (2.0 * means(k).0.last().unwrap())
}

/// sn, cn, dn of u for the modulus k by the arithmetic-geometric mean (Abramowitz and Stegun 16.4).
pub fn jacobi(u: f64, k: f64) -> (f64, f64, f64) {
    let (a, c) = means(k);
    let n = a.len() - 1;
    let mut phi = 2.0_f64.powi(n as i32) * a[n] * u;
    let mut before = phi;
    for i in (1..=n).rev() {
        before = phi;
        phi = (phi + (c[i] / a[i] * phi.sin()).asin()) / 2.0;
    }
    let (sn, cn) = phi.sin_cos();
    // cos φ₀ / cos(φ₁ − φ₀) loses its value where both vanish
    let quotient = cn / (before - phi).cos();
    let dn = (1.0 - (k * sn).powi(2)).sqrt();
    assert!(!quotient.is_finite() || cn.abs() < 0.1 || (quotient - dn).abs() < 1e-9);
    (sn, cn, dn)
}

/// The integral of a smooth function, by Gauss's rule of six points on many pieces.
pub fn integral(f: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    const POINTS: [(f64, f64); 3] = [
        (0.238_619_186_083_196_9, 0.467_913_934_572_691),
        (0.661_209_386_466_264_5, 0.360_761_573_048_138_6),
        (0.932_469_514_203_152, 0.171_324_492_379_170_36),
    ];
    const PIECES: u32 = 200;
    let half = (to - from) / f64::from(PIECES) / 2.0;
    let piece = |k: u32| {
        let middle = from + f64::from(2 * k + 1) * half;
        POINTS.iter().map(|(x, w)| w * (f(middle - x * half) + f(middle + x * half))).sum::<f64>() * half
    };
    (0..PIECES).map(piece).sum()
}

/// The zero of a function between two places where its signs differ.
pub fn root(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let rises = f(high) > 0.0;
    assert!((f(low) > 0.0) != rises, "no change of sign");
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if (f(middle) > 0.0) == rises { high = middle } else { low = middle }
    }
    low
}

#[test]
fn elliptic_functions_are_those_of_the_tables() {
    // Abramowitz and Stegun, table 17.1 and example 16.1: K(1/√2), sn(0.2 | 0.81)
    assert!((quarter(0.5_f64.sqrt()) - 1.854_074_677_301_372).abs() < 1e-14);
    assert!((jacobi(0.2, 0.9).0 - 0.197_620_4).abs() < 2e-5);
    let (sn, cn, dn) = jacobi(quarter(0.6) / 2.0, 0.6);
    // at half of K: sn² = 1/(1 + k')
    assert!(
        (sn * sn - 1.0 / 1.8).abs() < 1e-14 && (cn * cn - 0.8 / 1.8).abs() < 1e-14 && (dn * dn - 0.8).abs() < 1e-14
    );
    assert!((integral(f64::sin, 0.0, PI) - 2.0).abs() < 1e-14);
    assert!((root(f64::cos, 1.0, 2.0) - PI / 2.0).abs() < 1e-15);
}
