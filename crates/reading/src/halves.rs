//! Where is a square of a sine or cosine shorter than the double angle?
//!
//! ```text
//! p cos 2x + p = 2 p cos² x        p cos 2x − p = −2 p sin² x        (1)
//! ```

use expr::{Expr, Op, Rational};

/// A sum with squares (1), if it is shorter; it is the same sum.
pub fn with_half_angles(sum: Expr) -> Expr {
    let mut best = sum;
    while best.op() == Op::Sum {
        match once(best).filter(|made| made.letters() < best.letters()) {
            Some(made) => best = made,
            None => break,
        }
    }
    best
}

/// The sum with the first pair that is found.
fn once(sum: Expr) -> Option<Expr> {
    let list = sum.arguments();
    list.iter().enumerate().find_map(|(place, &term)| {
        let (rest, angle) = opened(term)?;
        let other = list.iter().position(|&one| one == rest || one == -rest)?;
        let square = if list[other] == rest { angle.cos() } else { angle.sin() };
        let made = Expr::from(2) * list[other] * square.try_pow(&Rational::from(2)).ok()?;
        let left = (0..list.len()).filter(|k| ![place, other].contains(k)).map(|k| list[k]);
        Some(Expr::sum(&left.chain([made]).collect::<Vec<_>>()))
    })
}

/// A term without its factor cos 2x, and x.
fn opened(term: Expr) -> Option<(Expr, Expr)> {
    let (mut factors, mut waiting, mut found) = (Vec::new(), vec![term], None);
    while let Some(e) = waiting.pop() {
        match e.op() {
            Op::Scale | Op::Product => waiting.extend(e.arguments()),
            Op::Cos if found.is_none() => match half(e.arguments()[0]) {
                Some(angle) => found = Some(angle),
                None => factors.push(e),
            },
            _ => factors.push(e),
        }
    }
    found.map(|angle| (Expr::product(&factors), angle))
}

/// x, if an angle is 2 x.
fn half(angle: Expr) -> Option<Expr> {
    match angle.op() {
        Op::Sum => Some(Expr::sum(&angle.arguments().into_iter().map(half).collect::<Option<Vec<_>>>()?)),
        Op::Scale => {
            let number = angle.arguments()[0].as_number()?.checked_div(&Rational::from(2))?;
            number.is_integer().then(|| Expr::number(number) * angle.arguments()[1])
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_of_half_the_angle() {
        let _scope = expr::Scope::with_seed(5);
        let text = |text: &str| with_half_angles(expr::parse(text).unwrap()).to_string();
        assert_eq!(text("cos(2*a + 2*b) + 1"), "2*cos(a + b)^2");
        assert_eq!(text("m*l^2*cos(2*a) - m*l^2 + x"), text("x - 2*m*l^2*sin(a)^2"));
        // as long, another number, an odd angle, no pair
        for plain in ["1 - cos(4*a)", "cos(2*a) + 2", "cos(3*a) + 1", "cos(2*a) + x", "cos(a) + 1"] {
            assert_eq!(text(plain), plain);
        }
        for (one, other) in [("cos(2*a) + 1", "2*cos(a)^2"), ("p*cos(2*a) - p + q", "q - 2*p*sin(a)^2")] {
            assert!(with_half_angles(expr::parse(one).unwrap()).is_same(expr::parse(other).unwrap()));
        }
    }
}
