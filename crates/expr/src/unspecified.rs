//! What is known of a function of which only the arguments are known?
//!
//! ```text
//! b(x, t), ∂b/∂x, ∂²b/∂x∂t …        unknowns of their own, symmetric; the chain rule is all that holds of them
//! in a field                        independent values, keyed by the function, the derivative and the arguments
//! in numbers                        one function stands for all:                                             (1)
//! b(a) = 2 + ½ sin(h + Σ k_i a_i) + ½ sin(2h + Σ l_i a_i)      k_i = 2/(1 + i h²),  l_i = (h + i)/2
//! ```
//!
//! (1) has the derivatives that belong to it, so whatever it refutes is refuted; h is the value of the symbol `b()`. No
//! proof rests on it. It is never below 1, so that a mass may be one. The slopes k_i of several functions are a matrix of
//! Cauchy's kind: as many functions as coordinates have independent gradients, so that they may be coordinates of a point.

use crate::graph::Op;
use crate::scope::Expr;
use crate::symbol::{Kind, Symbol};

/// The value of a function of which only the arguments are known.
///
/// ```
/// let _scope = expr::Scope::enter();
/// let (x, t) = (expr::coordinate("x"), expr::time());
/// let b = expr::unspecified("b", &[x, t]);
/// assert_eq!(expr::total_derivative(b)?.to_string(), "x'*(∂b/∂x) + (∂b/∂t)");
/// let [bx, bt] = [x, t].map(|by| expr::derivative(b, by).unwrap());
/// assert!((expr::derivative(bx, t)? - expr::derivative(bt, x)?).is_zero());
/// assert!(!(b - expr::unspecified("b", &[t, x])).is_zero() && !(b - expr::unspecified("c", &[x, t])).is_zero());
/// # Ok::<(), expr::MathError>(())
/// ```
pub fn unspecified(name: &str, arguments: &[Expr]) -> Expr {
    let head = crate::symbol(Symbol::new(&format!("{name}()"), Kind::Parameter));
    let pairs = arguments.iter().flat_map(|&argument| [Expr::zero(), argument]);
    let all: Vec<Expr> = std::iter::once(head).chain(pairs).collect();
    match Expr::apply(Op::Unspecified, &all) {
        Ok(value) => value,
        Err(error) => unreachable!("a function of anything is defined: {error}"),
    }
}

/// Whether a symbol names a function.
pub fn names_function(symbol: &Symbol) -> bool {
    symbol.kind == Kind::Parameter && symbol.name.ends_with("()")
}

/// (1), or the derivative of it, from the name, and orders and arguments in turn.
pub(crate) fn value(all: &[f64]) -> f64 {
    let h = all[0];
    let total: f64 = all[1..].chunks(2).map(|pair| pair[0]).sum();
    let wave = |phase: f64, slope: &dyn Fn(f64) -> f64| {
        let (mut angle, mut factor) = (phase, 0.5);
        for (place, pair) in all[1..].chunks(2).enumerate() {
            let k = slope(place as f64 + 1.0);
            angle += k * pair[1];
            factor *= k.powi(pair[0] as i32);
        }
        factor * turned(angle, total)
    };
    let constant = if total == 0.0 { 2.0 } else { 0.0 };
    constant + wave(h, &|i| 2.0 / (1.0 + i * h * h)) + wave(2.0 * h, &|i| (h + i) / 2.0)
}

/// The derivative of a sine, so often.
fn turned(angle: f64, times: f64) -> f64 {
    match times as i64 % 4 {
        0 => angle.sin(),
        1 => angle.cos(),
        2 => -angle.sin(),
        _ => -angle.cos(),
    }
}

/// The slope by the k-th argument, counted from 1.
pub(crate) fn slope(all: &[f64], k: usize) -> f64 {
    let mut all = all.to_vec();
    all[2 * k - 1] += 1.0;
    value(&all)
}

#[cfg(test)]
mod tests {
    use super::slope;

    #[test]
    fn functions_of_many_arguments_have_independent_gradients() {
        // with k_i = h/i all gradients lie in a space of three dimensions, and this fails
        let n = 6;
        let row = |h: f64| {
            let all: Vec<f64> = std::iter::once(h).chain((0..n).flat_map(|i| [0.0, 0.1 * f64::from(i)])).collect();
            (1..=n as usize).map(|k| slope(&all, k)).collect::<Vec<f64>>()
        };
        let mut rows: Vec<Vec<f64>> = [0.6, 0.9, 1.3, 1.7, 2.2, 2.9].map(row).to_vec();
        let mut smallest = f64::INFINITY;
        while let Some(place) = (0..rows.len()).max_by(|&a, &b| rows[a][0].abs().total_cmp(&rows[b][0].abs())) {
            let pivot = rows.swap_remove(place);
            smallest = smallest.min(pivot[0].abs());
            let less = |row: &Vec<f64>| (1..row.len()).map(|k| row[k] - pivot[k] * row[0] / pivot[0]).collect();
            rows = rows.iter().map(less).collect();
        }
        assert!(smallest > 1e-7, "{smallest}");
    }
}
