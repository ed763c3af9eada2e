//! Polynomials of one variable over a field, all coefficients written down: the lowest first.

use expr::field::{Element, Field};

/// The coefficients, the last of which is not zero.
pub(crate) type Dense = Vec<Element>;

/// Without zeros at the end.
pub(crate) fn trimmed(mut p: Dense) -> Dense {
    while p.last() == Some(&Element::ZERO) {
        p.pop();
    }
    p
}

/// The degree, −1 for zero.
pub(crate) fn degree(p: &[Element]) -> i32 {
    p.len() as i32 - 1
}

/// The power of x that is in p, which is not zero, and the rest.
pub(crate) fn without_power(p: &Dense) -> (i32, Dense) {
    let low = p.iter().position(|&c| c != Element::ZERO).unwrap_or(0);
    (low as i32, p[low..].to_vec())
}

/// Quotient and remainder; the divisor is not zero.
pub(crate) fn divided(field: &Field, p: &[Element], by: &[Element]) -> Option<(Dense, Dense)> {
    let inverse = field.inv(*by.last()?)?;
    let mut rest = p.to_vec();
    let mut quotient = vec![Element::ZERO; (p.len() + 1).saturating_sub(by.len())];
    for k in (0..quotient.len()).rev() {
        let c = field.mul(rest[k + by.len() - 1], inverse);
        quotient[k] = c;
        if c != Element::ZERO {
            for (j, &b) in by.iter().enumerate() {
                rest[k + j] = field.sub(rest[k + j], field.mul(c, b));
            }
        }
    }
    rest.truncate(by.len() - 1);
    Some((trimmed(quotient), trimmed(rest)))
}

/// p/by if it comes out even.
pub(crate) fn exact(field: &Field, p: &[Element], by: &[Element]) -> Option<Dense> {
    divided(field, p, by).filter(|(_, rest)| rest.is_empty()).map(|(quotient, _)| quotient)
}

/// A greatest common divisor.
pub(crate) fn gcd(field: &Field, p: &[Element], q: &[Element]) -> Option<Dense> {
    let (mut a, mut b) = (p.to_vec(), q.to_vec());
    while !b.is_empty() {
        (a, b) = (b.clone(), divided(field, &a, &b)?.1);
    }
    Some(a)
}

/// a − q b.
fn minus_product(field: &Field, a: &[Element], q: &[Element], b: &[Element]) -> Dense {
    let mut made = a.to_vec();
    made.resize(a.len().max((q.len() + b.len()).saturating_sub(1)), Element::ZERO);
    for (j, &x) in q.iter().enumerate() {
        for (k, &y) in b.iter().enumerate() {
            made[j + k] = field.sub(made[j + k], field.mul(x, y));
        }
    }
    trimmed(made)
}

/// The polynomial through points with distinct places, and Π (x − place).
fn through(field: &Field, places: &[Element], values: &[Element]) -> Option<(Dense, Dense)> {
    let mut product = vec![field.one()];
    let mut sum: Dense = Vec::new();
    for (&x, &y) in places.iter().zip(values) {
        let gap = field.sub(y, value(field, &sum, x));
        let c = field.div(gap, value(field, &product, x))?;
        sum.resize(product.len(), Element::ZERO);
        sum.iter_mut().zip(&product).for_each(|(s, &p)| *s = field.add(*s, field.mul(c, p)));
        product.insert(0, Element::ZERO);
        for k in 0..product.len() - 1 {
            product[k] = field.sub(product[k], field.mul(x, product[k + 1]));
        }
    }
    Some((trimmed(sum), product))
}

/// p(x).
pub(crate) fn value(field: &Field, p: &[Element], x: Element) -> Element {
    p.iter().rev().fold(Element::ZERO, |sum, &c| field.add(field.mul(sum, x), c))
}

/// The rational function through points, numerator and denominator, if it is so simple that at least two
/// points are left over.
///
/// Euclid's algorithm keeps remainder ≡ cofactor · interpolant; the longest quotient tells where to stop.
/// Source: M. Monagan, ISSAC 2004, 243–249.
pub(crate) fn rational_through(field: &Field, places: &[Element], values: &[Element]) -> Option<(Dense, Dense)> {
    let (g, product) = through(field, places, values)?;
    if g.is_empty() {
        return Some((g, vec![field.one()]));
    }
    let (mut r, mut t) = ((product, g), (Vec::new(), vec![field.one()]));
    let mut best: Option<(i32, Dense, Dense)> = None;
    while !r.1.is_empty() {
        let (quotient, rest) = divided(field, &r.0, &r.1)?;
        let length = degree(&quotient);
        if best.as_ref().is_none_or(|known| length > known.0) {
            best = Some((length, r.1.clone(), t.1.clone()));
        }
        let next = minus_product(field, &t.0, &quotient, &t.1);
        r = (r.1, rest);
        t = (t.1, next);
    }
    let (left_over, above, below) = best?;
    (left_over >= 3).then_some((above, below))
}
