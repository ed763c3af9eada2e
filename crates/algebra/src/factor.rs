//! Which polynomial of degree two divides one with rational coefficients?
//!
//! ```text
//! f = g h, all with integer coefficients, g = p x² + q x + r
//!     p divides f's first coefficient, r its last one, g(1) divides f(1), g(−1) divides f(−1)      (1)
//! ```
//!
//! By (1) there are finitely many g; each that is left is tried by division. A factor that is not found because there
//! are too many candidates costs an obstacle later, never a root.

use expr::Rational;

/// So many candidates are tried.
const CANDIDATES: usize = 200_000;
/// Integers up to the square of this are taken apart.
const BOUND: i128 = 100_000;

/// A factor of degree two and the quotient up to a number, both lowest coefficient first; 0 and ±1 are no roots of f.
pub(crate) fn quadratic(f: &[Rational]) -> Option<(Vec<Rational>, Vec<Rational>)> {
    let f = primitive(f)?;
    let at = |x: i128| f.iter().rev().try_fold(0_i128, |sum, &c| (sum * x).checked_add(c));
    let (plus, minus) = (at(1)?, at(-1)?);
    let first = divisors(*f.last()?)?;
    let last = either_sign(&divisors(*f.first()?)?);
    let ones = either_sign(&divisors(plus)?);
    if first.len() * last.len() * ones.len() > CANDIDATES {
        return None;
    }
    let pairs = || last.iter().flat_map(|&r| ones.iter().map(move |&one| (r, one)));
    let candidates = first.iter().flat_map(|&p| pairs().map(move |(r, one)| [r, one - p - r, p]));
    let fits = |[r, q, p]: &[i128; 3]| p - q + r != 0 && minus % (p - q + r) == 0;
    let (g, h) = candidates.filter(fits).find_map(|g| Some((g, quotient(&f, g)?)))?;
    Some((numbers(&g)?, numbers(&h)?))
}

/// The polynomial with integer coefficients that have no common divisor.
fn primitive(f: &[Rational]) -> Option<Vec<i128>> {
    let below = f.iter().fold(Rational::ONE, |all, c| &all * &(c * &all).denominator());
    let content = f.iter().map(|c| (c * &below).abs()).reduce(|a, b| a.gcd(&b))?;
    let whole = |c: &Rational| (c * &below).checked_div(&content)?.to_i64().map(i128::from);
    f.iter().map(whole).collect()
}

/// The positive divisors of an integer that is not zero.
fn divisors(n: i128) -> Option<Vec<i128>> {
    let n = i128::try_from(n.unsigned_abs()).ok().filter(|&n| n > 0 && n <= BOUND * BOUND)?;
    let small: Vec<i128> = (1..).take_while(|d| d * d <= n).filter(|d| n % d == 0).collect();
    let large: Vec<i128> = small.iter().map(|d| n / d).collect();
    Some(small.into_iter().chain(large).collect())
}

fn either_sign(list: &[i128]) -> Vec<i128> {
    list.iter().flat_map(|&d| [d, -d]).collect()
}

/// f/g if g divides f.
fn quotient(f: &[i128], g: [i128; 3]) -> Option<Vec<i128>> {
    let mut rest = f.to_vec();
    let mut quotient = vec![0; f.len().checked_sub(2)?];
    for k in (0..quotient.len()).rev() {
        if rest[k + 2] % g[2] != 0 {
            return None;
        }
        quotient[k] = rest[k + 2] / g[2];
        for (place, &c) in g.iter().enumerate() {
            rest[k + place] = rest[k + place].checked_sub(quotient[k].checked_mul(c)?)?;
        }
    }
    rest.iter().all(|&c| c == 0).then_some(quotient)
}

fn numbers(list: &[i128]) -> Option<Vec<Rational>> {
    list.iter().map(|&c| i64::try_from(c).ok().map(Rational::from)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factor that is found in a product, and the number of coefficients left.
    fn found(f: &[i64]) -> Option<(Vec<Rational>, usize)> {
        let f: Vec<Rational> = f.iter().map(|&c| Rational::new(c, 7).unwrap()).collect();
        quadratic(&f).map(|(g, h)| (g, h.len()))
    }

    #[test]
    fn products_come_apart() {
        // (10 x² − 2 x − 5)(10 x² − 4 x − 5)
        let (g, left) = found(&[25, 30, -92, -60, 100]).unwrap();
        assert!([[-5, -2, 10], [-5, -4, 10]].iter().any(|one| one.map(Rational::from)[..] == g), "{g:?}");
        assert_eq!(left, 3);
        // (2 x² + 3)(x³ − x − 1)
        assert_eq!(found(&[-3, -3, -2, 1, 0, 2]), Some(([3, 0, 2].map(Rational::from).to_vec(), 4)));
    }

    #[test]
    fn others_do_not() {
        assert_eq!(found(&[2, 0, 2, 0, 1, 1]), None);
        assert_eq!(found(&[5, 5, 0, 0, 1]), None); // Eisenstein
    }
}
