//! Does an expression jump somewhere?
//!
//! ```text
//! e' = 0 wherever e' exists      says that e is constant between its jumps: sign(x), if(x > 0, 1, 2), atan2(x', x) + t      (1)
//! e(a), e(b) on a line, b − a → 0, e(b) − e(a) ↛ 0, both finite and not growing: e jumps between them                       (2)
//! ```
//!
//! Expressions of sums, products, whole powers and sines have poles and no jumps: they are not looked at. For the others (2)
//! is looked for along lines through random states, in floating point. A jump that is found is one; where none is found,
//! nothing is said.

use expr::field::Random;
use expr::{At, Expr, Floats, Kind, Op};

/// Lines that are looked at.
const LINES: usize = 48;
/// Values on each.
const POINTS: usize = 96;
/// How far they reach, in both directions.
const REACH: f64 = 4.0;
/// Halvings of an interval with a jump in it.
const HALVINGS: usize = 44;
/// A change that is left is a jump, against the size of the values.
const JUMP: f64 = 1e-9;

/// Where an expression jumps, as `x = 0.3, y = …`; nothing if no jump was found.
pub fn jump(e: Expr, at: &At) -> Option<String> {
    if !may_jump(e) {
        return None;
    }
    let floats = Floats::new(&[e]);
    let symbols: Vec<(Expr, usize, bool)> =
        floats.symbols().map(|(symbol, known, place)| (symbol, place, known.kind != Kind::Parameter)).collect();
    let mut values = vec![0.0; floats.len()];
    let mut random = Random::new(0x01_ace5);
    let mut draw = || 2.0 * ((random.next() >> 11) as f64 / (1_u64 << 53) as f64) - 1.0;
    for _ in 0..LINES {
        let line: Vec<(f64, f64)> = symbols
            .iter()
            .map(|(symbol, _, moves)| if *moves { (draw(), draw()) } else { (at.value(*symbol), 0.0) })
            .collect();
        let mut value = |s: f64| {
            let point = symbols.iter().zip(&line);
            point.for_each(|((_, place, _), (from, along))| values[*place] = from + s * along);
            floats.run(0..floats.len(), &mut values);
            values[floats.output(0)]
        };
        if let Some(s) = on_line(&mut value) {
            let moving = symbols.iter().zip(&line).filter(|one| one.0.2);
            let told = moving.map(|((symbol, ..), (from, along))| {
                format!("{symbol} = {}", expr::decimal(rounded(from + s * along)))
            });
            return Some(told.collect::<Vec<_>>().join(", "));
        }
    }
    None
}

/// Where the values on a line jump (2).
fn on_line(value: &mut impl FnMut(f64) -> f64) -> Option<f64> {
    let place = |k: usize| REACH * (2.0 * k as f64 / (POINTS - 1) as f64 - 1.0);
    let known: Vec<f64> = (0..POINTS).map(|k| value(place(k))).collect();
    let size = known.iter().filter(|x| x.is_finite()).fold(0.0_f64, |size, x| size.max(x.abs()));
    // the largest changes first; a smooth one shrinks
    let mut steps: Vec<usize> = (1..POINTS).filter(|&k| known[k - 1].is_finite() && known[k].is_finite()).collect();
    let change = |k: usize| (known[k] - known[k - 1]).abs();
    steps.sort_by(|&i, &j| change(j).total_cmp(&change(i)));
    steps.into_iter().take(4).find_map(|k| {
        let (mut low, mut high) = ((place(k - 1), known[k - 1]), (place(k), known[k]));
        let mut half_way = 0.0;
        for halving in 0..HALVINGS {
            if halving == HALVINGS / 2 {
                half_way = (high.1 - low.1).abs();
            }
            let middle = 0.5 * (low.0 + high.0);
            let there = value(middle);
            if !there.is_finite() {
                break;
            }
            // the half in which more changes
            match (there - low.1).abs() >= (high.1 - there).abs() {
                true => high = (middle, there),
                false => low = (middle, there),
            }
        }
        let is_narrow = (high.0 - low.0).abs() <= 1e-9;
        let grows = low.1.abs().max(high.1.abs()) > 10.0 * size.max(1.0);
        // a root is steep at its end, and its change shrinks all the same
        let left = (high.1 - low.1).abs();
        let is_jump = left > JUMP * size.max(f64::MIN_POSITIVE) && left > 0.5 * half_way;
        (is_narrow && !grows && is_jump).then_some(0.5 * (low.0 + high.0))
    })
}

/// Six digits; what is smaller than 1e-9 is zero.
fn rounded(x: f64) -> f64 {
    if x.abs() < 1e-9 { 0.0 } else { (x * 1e6).round() / 1e6 }
}

/// Whether something in an expression is more than a sum, a product, a whole power, or a function without branches.
fn may_jump(e: Expr) -> bool {
    let is_whole = |power: Expr| power.arguments()[1].as_number().is_some_and(|number| number.to_i64().is_some());
    let nodes = expr::Evaluator::new(&[e], &[]).nodes();
    nodes.into_iter().any(|node| match node.op() {
        Op::Number | Op::Symbol | Op::Pi | Op::Sum | Op::Product | Op::Scale => false,
        Op::Sin | Op::Cos | Op::Tan | Op::Sinh | Op::Cosh | Op::Tanh | Op::Exp => false,
        Op::Power => !is_whole(node),
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_are_found_and_poles_and_kinks_are_none() {
        let _scope = expr::Scope::with_seed(1);
        let _moving = ["x", "y", "z"].map(expr::coordinate);
        let parsed = |text: &str| expr::parse(text).unwrap();
        for text in [
            "sign(x)",
            "sqrt(x^2)/x",
            "atan2(y, x) + z",
            "atan(tan(x)) - x",
            "abs(x*y)/(x*y)",
            "atan(1/x)",
            "1000 + sign(x)",
        ] {
            assert!(jump(parsed(text), &At::default()).is_some(), "{text}");
        }
        for text in [
            "1/x + sqrt(y^2)",
            "abs(x)",
            "x/sqrt(x^2 + y^2)",
            "log(x)",
            "max(x, y)",
            "sqrt(x)/x",
            "abs(x)/x^2",
            "cbrt(x)",
        ] {
            assert_eq!(jump(parsed(text), &At::default()), None, "{text}");
        }
    }
}
