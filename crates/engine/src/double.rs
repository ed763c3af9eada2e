//! Where does half the sine of a double angle stand better as a product?
//!
//! ```text
//! l θ'' − l φ'² sin(2 θ)/2 = −g sin θ   →   l θ'' − l φ'² sin θ cos θ = −g sin θ
//! ```
//!
//! Where that rids an equation of its fractions. sin(2 θ) without a half stays: it is shorter.

use expr::{Expr, Op, Rational};

/// Both sides without halves of sines of double angles, if no fraction is left then.
pub fn without_halves(sides: [Expr; 2]) -> [Expr; 2] {
    let terms = |e: Expr| if e.op() == Op::Sum { e.arguments() } else { vec![e] };
    let mut changed = false;
    let mut made = sides;
    for (made, side) in made.iter_mut().zip(sides) {
        let mut list = Vec::new();
        for term in terms(side) {
            let number = number_of(term);
            list.push(match number.is_integer() {
                true => term,
                false => match opened(term).filter(|opened| number_of(*opened).is_integer()) {
                    Some(opened) => {
                        changed = true;
                        opened
                    }
                    None => return sides,
                },
            });
        }
        *made = Expr::sum(&list);
    }
    let is_same = || made.iter().zip(&sides).all(|(made, own)| made.is_same(*own));
    if changed && is_same() { made } else { sides }
}

/// The number before a term.
fn number_of(term: Expr) -> Rational {
    match term.op() {
        Op::Number => term.as_number().unwrap_or(Rational::ONE),
        Op::Scale => number_of(term.arguments()[0]),
        _ => Rational::ONE,
    }
}

/// A term with 2 sin x cos x for its factor sin(2 x).
fn opened(term: Expr) -> Option<Expr> {
    let (mut factors, mut waiting, mut found) = (Vec::new(), vec![term], false);
    while let Some(e) = waiting.pop() {
        match e.op() {
            Op::Scale | Op::Product => waiting.extend(e.arguments()),
            Op::Sin if !found => match half(e.arguments()[0]) {
                Some(angle) => {
                    found = true;
                    factors.extend([Expr::from(2), angle.sin(), angle.cos()]);
                }
                None => factors.push(e),
            },
            _ => factors.push(e),
        }
    }
    found.then(|| Expr::product(&factors))
}

/// x, if an angle is 2 x.
fn half(angle: Expr) -> Option<Expr> {
    let arguments = angle.arguments();
    let is_twice = angle.op() == Op::Scale && arguments[0].as_number().is_some_and(|n| n == Rational::from(2));
    is_twice.then(|| arguments[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_where_no_fraction_stays() {
        let _scope = expr::Scope::with_seed(3);
        let text = |left: &str, right: &str| {
            let sides = expr::parse_all(&[left, right]).unwrap();
            let [left, right] = without_halves([sides[0], sides[1]]);
            format!("{left} = {right}")
        };
        let opened = "R*a'' - R*w^2*sin(a)*cos(a) = -g*sin(a)";
        assert_eq!(text("R*a'' - R*w^2*sin(2*a)/2", "-g*sin(a)"), opened);
        // another fraction, no fraction, a half without a double angle
        for (left, right) in
            [("a''/3 - w^2*sin(2*a)/2", "-g*sin(a)"), ("a'' - w^2*sin(2*a)", "-g"), ("a'' - w^2*sin(a)/2", "-g")]
        {
            assert_eq!(text(left, right), format!("{left} = {right}"));
        }
    }
}
