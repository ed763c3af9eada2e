//! Which powers of a root of unity are the roots of a polynomial?
//!
//! ```text
//! Λ₀(x) = Π (x − ω^(eᵢ)),  ω of order 2^bits;   Λⱼ₊₁(x²) = ± Λⱼ(x) Λⱼ(−x)            (1)
//! the roots of Λⱼ are ± the square roots of those of Λⱼ₊₁; all roots of the last one are 1    (2)
//! ```
//!
//! Downwards (2) each step adds a bit to the logarithms, so that they fall out on the way.
//! Source: B. Grenet, J. van der Hoeven, G. Lecerf, AAECC 27 (2016) 237–257.

use expr::field::{Element, Field};

use crate::dense::value;

/// The exponents eᵢ, all different; `None` if a root is no power of ω.
pub(crate) fn logarithms(field: &Field, polynomial: &[Element], omega: Element, bits: u32) -> Option<Vec<u64>> {
    let count = polynomial.len() - 1;
    let mut levels = vec![polynomial.to_vec()];
    let mut powers = vec![omega];
    for j in 0..bits as usize {
        let next = squared_roots(field, &levels[j]);
        levels.push(next);
        powers.push(field.square(powers[j]));
    }
    let mut found = vec![(0u64, field.one())];
    for j in (0..bits).rev() {
        let mut next = Vec::with_capacity(count);
        for &(log, _) in &found {
            let root = field.pow(powers[j as usize], log);
            let other = log + (1 << (bits - j - 1));
            let first = value(field, &levels[j as usize], root) == Element::ZERO;
            if first {
                next.push((log, root));
            }
            // where all roots are told apart each has one square root only
            if !(first && found.len() == count) && value(field, &levels[j as usize], field.neg(root)) == Element::ZERO {
                next.push((other, field.neg(root)));
            }
        }
        found = next;
    }
    (found.len() == count).then(|| found.into_iter().map(|(log, _)| log).collect())
}

/// (1): the polynomial whose roots are the squares.
fn squared_roots(field: &Field, p: &[Element]) -> Vec<Element> {
    let even: Vec<Element> = p.iter().copied().step_by(2).collect();
    let odd: Vec<Element> = p.iter().copied().skip(1).step_by(2).collect();
    let mut made = vec![Element::ZERO; p.len()];
    let mut add_square = |list: &[Element], shift: usize, negative: bool| {
        for (j, &x) in list.iter().enumerate() {
            for (k, &y) in list.iter().enumerate().skip(j) {
                let product = field.mul(x, y);
                let product = if j == k { product } else { field.add(product, product) };
                let product = if negative { field.neg(product) } else { product };
                made[j + k + shift] = field.add(made[j + k + shift], product);
            }
        }
    };
    add_square(&even, 0, false);
    add_square(&odd, 1, true);
    if p.len().is_multiple_of(2) {
        made.iter_mut().for_each(|c| *c = field.neg(*c));
    }
    made
}

/// The c with Σ cᵢ rᵢᵏ = valueₖ, k = 0 … T − 1; the r are the roots of the polynomial.
///
/// Source: R. Zippel, J. Symb. Comput. 9 (1990) 375–403.
pub(crate) fn amplitudes(field: &Field, p: &[Element], roots: &[Element], values: &[Element]) -> Option<Vec<Element>> {
    let mut made = Vec::with_capacity(roots.len());
    for &root in roots {
        // Λ/(x − r), highest coefficient first, meets the values lowest first
        let (mut q, mut above, mut below) = (Element::ZERO, Element::ZERO, Element::ZERO);
        for k in (1..p.len()).rev() {
            q = field.add(field.mul(q, root), p[k]);
            above = field.add(above, field.mul(q, values[k - 1]));
            below = field.add(field.mul(below, root), q);
        }
        made.push(field.div(above, below)?);
    }
    Some(made)
}
