//! Which sums of functions with constant coefficients vanish identically?
//!
//! ```text
//! Σ c_j r_j = 0   at every point   ⇔   c in the null space of the matrix r_j(point_k)
//! ```
//!
//! The functions are evaluated at random points of a prime field, where sines, cosines and roots are numbers too, and the
//! matrix is brought to echelon form there. Coefficients are read off as fractions of small integers. A wrong one is as
//! unlikely as an accident at all points; whoever uses it proves it.
//!
//! Of many roots hardly a point has all. Then √u is a number of its own for each u, with u^(k + 1/2) = u^k √u: sums in
//! which a root is squared are missed, no others.

use expr::field::{Element, Field, Random};
use expr::{Evaluator, Expr, Rational};

/// Points beyond the number of functions.
const SPARE: usize = 8;
/// How often a point may have no root of something.
const TRIES: usize = 64;
/// Angles are split so finely at a point.
const FINENESS: u64 = 24;
/// Numerators and denominators of coefficients are below this.
const SMALL: u64 = 1 << 20;

/// A basis of the coefficients with Σ c_j r_j = 0, each with 1 for its last function; functions that come first take part
/// in more sums. `None` if the functions have values at too few points.
pub fn constant_sums(functions: &[Expr]) -> Option<Vec<Vec<Rational>>> {
    if functions.is_empty() {
        return Some(Vec::new());
    }
    let mut random = Random::new(0x17e6_0a15);
    let field = Field::draw(expr::GENERIC_ORDER, &mut random);
    let rows = matrix(functions, &field, &mut random)
        .or_else(|| matrix(&expr::roots_apart(functions).ok()?, &field, &mut random));
    let (rows, pivots) = echelon(rows?, &field);
    let free = (0..functions.len()).filter(|column| !pivots.contains(column));
    let sums = free.filter_map(|column| {
        let mut weights = vec![Rational::ZERO; functions.len()];
        weights[column] = Rational::ONE;
        for (row, &pivot) in rows.iter().zip(&pivots) {
            weights[pivot] = fraction(field.neg(row[column]), &field)?;
        }
        Some(weights)
    });
    Some(sums.collect())
}

fn fraction(element: Element, field: &Field) -> Option<Rational> {
    let (above, below) = field.reconstruct(element, SMALL)?;
    Rational::new(above, i64::try_from(below).ok()?)
}

/// The values of the functions, a row for each point; `None` if too many points have none.
fn matrix(functions: &[Expr], field: &Field, random: &mut Random) -> Option<Vec<Vec<Element>>> {
    let evaluator = Evaluator::new(functions, &[]);
    let wanted = functions.len() + SPARE;
    let points = (0..wanted * TRIES).filter_map(|_| evaluator.at(field, random.next(), FINENESS, &[]).ok());
    let rows: Vec<Vec<Element>> = points.take(wanted).map(|values| values.outputs).collect();
    (rows.len() == wanted).then_some(rows)
}

/// The reduced rows that are not zero, and the column of the 1 that leads each.
fn echelon(mut rows: Vec<Vec<Element>>, field: &Field) -> (Vec<Vec<Element>>, Vec<usize>) {
    let columns = rows.first().map_or(0, Vec::len);
    let mut pivots = Vec::new();
    for column in 0..columns {
        let done = pivots.len();
        let Some(place) = (done..rows.len()).find(|&row| rows[row][column] != Element::ZERO) else { continue };
        rows.swap(done, place);
        let Some(inverse) = field.inv(rows[done][column]) else { continue };
        rows[done].iter_mut().for_each(|entry| *entry = field.mul(*entry, inverse));
        let lead = rows[done].clone();
        for (row, entries) in rows.iter_mut().enumerate() {
            let factor = entries[column];
            if row != done && factor != Element::ZERO {
                let pairs = entries.iter_mut().zip(&lead);
                pairs.for_each(|(entry, &above)| *entry = field.sub(*entry, field.mul(factor, above)));
            }
        }
        pivots.push(column);
    }
    rows.truncate(pivots.len());
    (rows, pivots)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(functions: &[&str]) -> Vec<String> {
        let _scope = expr::Scope::with_seed(1);
        let functions: Vec<Expr> = functions.iter().map(|text| expr::parse(text).unwrap()).collect();
        let text = |weights: Vec<Rational>| {
            let parts = weights.iter().zip(&functions).map(|(weight, &e)| Expr::number(weight.clone()) * e);
            assert!(parts.clone().sum::<Expr>().is_zero());
            weights.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        constant_sums(&functions).unwrap().into_iter().map(text).collect()
    }

    #[test]
    fn sums_that_vanish_are_found() {
        assert_eq!(sums(&["sin(x)^2", "cos(x)^2", "1"]), ["-1 -1 1"]);
        assert_eq!(sums(&["x", "x*y", "sqrt(y)"]), [""; 0]);
        assert_eq!(sums(&["0", "x*a", "sqrt(y)*x", "3*x*a/7 - 2*x*sqrt(y)"]), ["1 0 0 0", "0 -3/7 2 1"]);
    }

    #[test]
    fn sums_with_more_roots_than_any_point_has() {
        // without symbols for roots a point has all of them once in 2^14
        let roots: Vec<String> = (0..14).map(|k| format!("sqrt(x{k}^2 + y)")).collect();
        let forces: Vec<String> = roots.iter().map(|root| format!("x0/({root})^3")).collect();
        let all = format!("{} + 2*{}", forces[0], forces[13]);
        let functions: Vec<&str> = forces.iter().chain([&all]).map(String::as_str).collect();
        let expected = format!("-1{} -2 1", " 0".repeat(12));
        assert_eq!(sums(&functions), [expected]);
    }

    #[test]
    fn a_coefficient_is_no_parameter() {
        assert_eq!(sums(&["x", "m*x"]), [""; 0]);
    }
}
