//! Of which powers, exponentials, sines and cosines of time is an expression the sum?
//!
//! ```text
//! f = Σ tⁿ exp(γ t) (C cos(α t + β) + S sin(α t + β))        C, S, α, β, γ free of t                  (1)
//! ```
//!
//! Products become sums. Two terms belong to one class if their γ, α and β are the same functions, told by signature.

use expr::{Expr, Op, rational};

/// A sum with more terms than this is not taken apart.
const MOST: usize = 600;
/// Powers above this are not multiplied out.
const HIGHEST: i64 = 12;

/// c tⁿ exp(γ t) cos(α t + β), or with the sine.
#[derive(Clone, Copy)]
struct Wave {
    c: Expr,
    n: usize,
    gamma: Expr,
    alpha: Expr,
    beta: Expr,
    sine: bool,
}

/// The terms (1) with one γ, α and β; entry n of the lists stands before tⁿ.
#[derive(Clone)]
pub struct Class {
    /// The rate of growth.
    pub gamma: Expr,
    /// The frequency; the literal zero if nothing swings.
    pub alpha: Expr,
    /// The phase.
    pub beta: Expr,
    /// What stands before the cosines.
    pub cos: Vec<Expr>,
    /// What stands before the sines.
    pub sin: Vec<Expr>,
}

/// The classes of an expression; `None` if it is no such sum.
pub fn classes(e: Expr, t: Expr) -> Option<Vec<Class>> {
    if e.is_zero() {
        return Some(Vec::new());
    }
    let ways: [fn(Expr) -> Expr; 3] =
        [|e| e, |e| expr::simplify(e, &[]), |e| engine::readable::Reader::new().readable(e, &[])];
    ways.into_iter().find_map(|way| gathered(&waves(way(e), t)?))
}

fn waves(e: Expr, t: Expr) -> Option<Vec<Wave>> {
    if is_free(e, t) {
        return Some(vec![constant(e)]);
    }
    let arguments = e.arguments();
    let many = |list: Vec<Wave>| (list.len() <= MOST).then_some(list);
    match e.op() {
        Op::Symbol => Some(vec![Wave { n: 1, ..constant(Expr::one()) }]),
        Op::Sum => {
            let mut all = Vec::new();
            for part in arguments {
                all.extend(waves(part, t)?);
            }
            many(all)
        }
        Op::Product | Op::Scale => {
            let mut all = vec![constant(Expr::one())];
            for factor in arguments {
                all = times(&all, &waves(factor, t)?)?;
            }
            Some(all)
        }
        Op::Power => {
            let exponent = arguments[1].as_number()?.to_i64()?;
            let base = arguments[0];
            match exponent {
                1..=HIGHEST => {
                    let one = waves(base, t)?;
                    (0..exponent).try_fold(vec![constant(Expr::one())], |all, _| times(&all, &one))
                }
                ..=-1 if base.op() == Op::Exp => {
                    let (a, b) = line(base.arguments()[0], t)?;
                    let n = Expr::from(exponent);
                    Some(vec![Wave { c: (n * b).exp(), gamma: n * a, ..constant(Expr::one()) }])
                }
                _ => None,
            }
        }
        Op::Sin | Op::Cos => {
            let (alpha, beta) = line(arguments[0], t)?;
            Some(vec![Wave { alpha, beta, sine: e.op() == Op::Sin, ..constant(Expr::one()) }])
        }
        Op::Exp => {
            let (gamma, b) = line(arguments[0], t)?;
            Some(vec![Wave { c: b.exp(), gamma, ..constant(Expr::one()) }])
        }
        Op::Sinh | Op::Cosh => {
            let (a, b) = line(arguments[0], t)?;
            let half = rational(1, 2);
            let second = if e.op() == Op::Sinh { -half } else { half };
            let wave = |c: Expr, gamma: Expr| Wave { c, gamma, ..constant(Expr::one()) };
            Some(vec![wave(half * b.exp(), a), wave(second * (-b).exp(), -a)])
        }
        _ => None,
    }
}

fn constant(c: Expr) -> Wave {
    let zero = Expr::zero();
    Wave { c, n: 0, gamma: zero, alpha: zero, beta: zero, sine: false }
}

fn is_free(e: Expr, t: Expr) -> bool {
    !e.symbols().contains(&t)
}

/// a and b of a t + b.
fn line(u: Expr, t: Expr) -> Option<(Expr, Expr)> {
    let (a, b) = expr::linear_coefficients(&[u], &[t]).ok()?;
    (is_free(a[0][0], t) && is_free(b[0], t)).then(|| (a[0][0], b[0]))
}

fn times(left: &[Wave], right: &[Wave]) -> Option<Vec<Wave>> {
    if left.len() * right.len() * 2 > MOST {
        return None;
    }
    let mut all = Vec::new();
    for a in left {
        for b in right {
            all.extend(product(a, b));
        }
    }
    Some(all)
}

/// cos A cos B = ½ cos(A − B) + ½ cos(A + B), and so on for sines.
fn product(a: &Wave, b: &Wave) -> Vec<Wave> {
    let is_plain = |wave: &Wave| wave.alpha.is_zero() && wave.beta.is_zero() && !wave.sine;
    let made = |c: Expr, alpha: Expr, beta: Expr, sine: bool| Wave {
        c,
        n: a.n + b.n,
        gamma: a.gamma + b.gamma,
        alpha,
        beta,
        sine,
    };
    match (is_plain(a), is_plain(b)) {
        (true, _) => vec![made(a.c * b.c, b.alpha, b.beta, b.sine)],
        (_, true) => vec![made(a.c * b.c, a.alpha, a.beta, a.sine)],
        _ => {
            let half = a.c * b.c * rational(1, 2);
            let (minus, plus) = match (a.sine, b.sine) {
                (false, false) | (true, false) => (half, half),
                (true, true) => (half, -half),
                (false, true) => (-half, half),
            };
            let sine = a.sine != b.sine;
            vec![
                made(minus, a.alpha - b.alpha, a.beta - b.beta, sine),
                made(plus, a.alpha + b.alpha, a.beta + b.beta, sine),
            ]
        }
    }
}

fn gathered(waves: &[Wave]) -> Option<Vec<Class>> {
    let mut list: Vec<Class> = Vec::new();
    for wave in waves.iter().filter(|wave| !wave.c.is_zero()) {
        let still = wave.alpha.is_zero();
        let zero = Expr::zero();
        // what does not swing has its cosine or sine before it
        let (c, sine, alpha, beta) = match still {
            true if wave.beta.is_zero() && wave.sine => continue,
            true if wave.beta.is_zero() => (wave.c, false, zero, zero),
            true if wave.sine => (wave.c * wave.beta.sin(), false, zero, zero),
            true => (wave.c * wave.beta.cos(), false, zero, zero),
            false => (wave.c, wave.sine, wave.alpha, wave.beta),
        };
        let same = |class: &Class, sign: i64| {
            class.alpha.is_same(Expr::from(sign) * alpha) && class.beta.is_same(Expr::from(sign) * beta)
        };
        let place = list.iter().position(|one| one.gamma.is_same(wave.gamma) && (same(one, 1) || same(one, -1)));
        let place = place.unwrap_or_else(|| {
            list.push(Class { gamma: wave.gamma, alpha, beta, cos: Vec::new(), sin: Vec::new() });
            list.len() - 1
        });
        let class = &mut list[place];
        let c = if sine && !same(class, 1) { -c } else { c };
        let to = if sine { &mut class.sin } else { &mut class.cos };
        if to.len() <= wave.n {
            to.resize(wave.n + 1, zero);
        }
        to[wave.n] += c;
    }
    for class in &mut list {
        let length = class.cos.len().max(class.sin.len());
        class.cos.resize(length, Expr::zero());
        class.sin.resize(length, Expr::zero());
        for c in class.cos.iter_mut().chain(&mut class.sin).filter(|c| c.is_zero()) {
            *c = Expr::zero();
        }
        while class.cos.last().is_some_and(|c| c.is_zero()) && class.sin.last().is_some_and(|c| c.is_zero()) {
            class.cos.pop();
            class.sin.pop();
        }
    }
    list.retain(|class| !class.cos.is_empty());
    Some(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(classes: &[Class], t: Expr) -> Expr {
        let part = |class: &Class| {
            let angle = class.alpha * t + class.beta;
            let terms = class.cos.iter().zip(&class.sin).enumerate();
            let inner: Expr = terms.map(|(n, (&c, &s))| t.pow(n as i64) * (c * angle.cos() + s * angle.sin())).sum();
            (class.gamma * t).exp() * inner
        };
        classes.iter().map(part).sum()
    }

    #[test]
    fn the_classes_add_up_to_the_expression() {
        let _scope = expr::Scope::with_seed(3);
        let t = expr::time();
        let _ = ["a", "b", "w"].map(expr::parameter);
        for (text, count) in [
            ("3 + a*t^2", 1),
            ("sin(w*t + b)^2", 2),
            ("exp(-a*t)*cos(w*t)*t", 1),
            ("cos(w*t + b)*(a + sin(w*t + b))", 2),
            ("cosh(a*t)", 2),
            ("sin(w*t)*cos(b*t)", 2),
            ("sin(-w*t) + sin(w*t)", 0),
        ] {
            let e = expr::parse(text).unwrap();
            let found = classes(e, t).unwrap();
            assert_eq!(found.len(), count, "{text}");
            assert!(sum(&found, t).is_same(e), "{text}");
        }
        assert!(classes(expr::parse("1/(1 + t)").unwrap(), t).is_none());
    }
}
