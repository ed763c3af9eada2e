//! Is the last of some slopes independent of the others, where roots have their usual sign?
//!
//! ```text
//! √(53 w) − √53 √w = 0          in a field a root has two signs, and this may be 2 √(53 w) there
//! ```
//!
//! So slopes with roots are compared in floating point too, at random states. What cannot be told apart there is not new.

use expr::field::Random;
use expr::{Expr, Floats};

/// So many states are tried until one has values.
const STATES: usize = 24;
/// A slope that differs from a sum of the others by less, against what it is made of, is one.
const ROUNDING: f64 = 1e-9;

/// Whether the last row is no sum of the others at some state. Rows without roots are left to the field.
pub fn is_new(rows: &[Vec<Expr>]) -> bool {
    let Some((last, others)) = rows.split_last() else { return true };
    if last.iter().all(|part| part.is_zero()) {
        return false;
    }
    if !last.iter().any(|part| part.has_branches()) {
        return true;
    }
    let all: Vec<Expr> = rows.iter().flatten().copied().collect();
    let floats = Floats::new(&all);
    let mut random = Random::new(0x5_10be);
    let mut draw = || (random.next() >> 11) as f64 / (1_u64 << 53) as f64;
    (0..STATES).any(|_| {
        let mut values = vec![0.0; floats.len()];
        let places: Vec<usize> = floats.symbols().map(|(_, _, place)| place).collect();
        places.into_iter().for_each(|place| values[place] = 0.3 + draw());
        floats.run(0..floats.len(), &mut values);
        let sizes = floats.sizes(&values);
        let at = |k: usize| (0..last.len()).map(|i| values[floats.output(k * last.len() + i)]).collect::<Vec<f64>>();
        let own = at(others.len());
        let size = (0..last.len()).map(|i| sizes[floats.output(others.len() * last.len() + i)]).fold(0.0, f64::max);
        let left = rest(&(0..others.len()).map(at).collect::<Vec<_>>(), own);
        left.iter().all(|part| part.is_finite()) && left.iter().any(|part| part.abs() > ROUNDING * size)
    })
}

/// What is left of a row when the directions of others are taken out of it, one after the other.
fn rest(others: &[Vec<f64>], mut row: Vec<f64>) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let without = |row: &mut Vec<f64>, direction: &[f64]| {
        let share = dot(row, direction) / dot(direction, direction);
        row.iter_mut().zip(direction).for_each(|(part, along)| *part -= share * along);
    };
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for other in others {
        let mut own = other.clone();
        basis.iter().for_each(|known| without(&mut own, known));
        let length = |row: &[f64]| dot(row, row).sqrt();
        if length(&own) > ROUNDING * length(other) {
            basis.push(own);
        }
    }
    basis.iter().for_each(|known| without(&mut row, known));
    row
}

#[cfg(test)]
mod tests {
    use super::is_new;

    #[test]
    fn roots_that_cancel_are_not_new() {
        let _scope = expr::Scope::with_seed(4);
        let row = |texts: &[&str]| texts.iter().map(|text| expr::parse(text).unwrap()).collect::<Vec<_>>();
        assert!(!is_new(&[row(&["sqrt(4*x + 53) - sqrt(53)*sqrt(4*x/53 + 1)", "0"])]));
        assert!(is_new(&[row(&["sqrt(4*x + 53) - sqrt(4*x/53 + 1)", "0"])]));
        assert!(!is_new(&[row(&["sqrt(x)", "1"]), row(&["x", "sqrt(x)"])]));
        assert!(is_new(&[row(&["sqrt(x)", "1"]), row(&["x", "1 + sqrt(x)"])]));
    }
}
