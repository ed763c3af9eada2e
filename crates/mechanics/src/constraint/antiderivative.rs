//! What is the integral of an expression over one variable? A small table, term by term.
//!
//! ```text
//! ∫ c v' dv = c v                          c free of v
//! ∫ c f' fᵖ dv = c fᵖ⁺¹/(p + 1)            or c log f for p = −1                        (1)
//! ∫ c u' h(u) dv = c H(u)                  h = sin, cos, exp, tan, sinh, cosh, tanh, log  (2)
//! ∫ c/(a v² + b v + e) dv                  = 2c/s · atan((2 a v + b)/s), s² = 4 a e − b²  (3)
//! ∫ c vⁿ exp(γ v) cos(α v + β) dv          by parts, products of cosines as sums          (4)
//! ```
//!
//! Callers differentiate what they get: a slip here can lose an integral, never make a wrong one.

use expr::{At, Expr, Op, rational};

use super::algebra::{freed, true_symbols};

/// A function whose derivative with respect to `v` is `e`; `None` if the table does not have it. A logarithm is that of the
/// sign which its argument has at the state.
pub fn antiderivative(e: Expr, v: Expr, at: &At) -> Option<Expr> {
    if let Some(found) = of_product(e, v, at) {
        return Some(found);
    }
    let expanded = expr::expand(e).ok()?;
    let terms = if expanded.op() == Op::Sum { expanded.arguments() } else { vec![expanded] };
    let parts: Option<Vec<Expr>> = terms.into_iter().map(|term| of_product(term, v, at)).collect();
    parts.map(|parts| Expr::sum(&parts))
}

fn of_product(e: Expr, v: Expr, at: &At) -> Option<Expr> {
    if is_free(e, v) {
        return Some(freed(e, &[v]) * v);
    }
    let factors = factors(e);
    let (moving, fixed): (Vec<Factor>, Vec<Factor>) = factors.into_iter().partition(|factor| !is_free(factor.base, v));
    let fixed: Expr = fixed.iter().map(Factor::value).collect::<Option<Vec<_>>>()?.into_iter().product();
    let by_table = (0..moving.len()).find_map(|k| {
        let others = moving.iter().enumerate().filter(|&(other, _)| other != k);
        let rest: Expr = others.map(|(_, factor)| factor.value()).collect::<Option<Vec<_>>>()?.into_iter().product();
        by_rule(&moving[k], rest, v, at)
    });
    by_table.or_else(|| by_parts(&moving, v)).map(|found| fixed * found)
}

/// base^exponent.
#[derive(Clone, Debug)]
struct Factor {
    base: Expr,
    exponent: expr::Rational,
}

impl Factor {
    fn value(&self) -> Option<Expr> {
        self.base.try_pow(&self.exponent).ok()
    }
}

/// The factors of a product, products inside it taken apart.
fn factors(e: Expr) -> Vec<Factor> {
    let arguments = e.arguments();
    match e.op() {
        Op::Product | Op::Scale => arguments.into_iter().flat_map(factors).collect(),
        Op::Power => match arguments[1].as_number() {
            Some(exponent) => vec![Factor { base: arguments[0], exponent }],
            None => vec![Factor { base: e, exponent: expr::Rational::ONE }],
        },
        _ => vec![Factor { base: e, exponent: expr::Rational::ONE }],
    }
}

fn is_free(e: Expr, v: Expr) -> bool {
    !true_symbols(e).contains(&v)
}

/// Rules (1), (2), (3) for `factor`, where `rest` are the other factors that hold v.
fn by_rule(factor: &Factor, rest: Expr, v: Expr, at: &At) -> Option<Expr> {
    let share = |inner: Expr| {
        let slope = expr::derivative(inner, v).ok().filter(|slope| !slope.is_zero())?;
        let share = rest.try_div(slope).ok()?;
        is_free(share, v).then(|| freed(share, &[v]))
    };
    if let Some(c) = share(factor.base) {
        return power_rule(factor, c, at);
    }
    if factor.exponent.is_one()
        && let Some((&u, c)) = factor.base.arguments().first().and_then(|u| Some((u, share(*u)?)))
    {
        return Some(c * of_function(factor.base.op(), u, at)?);
    }
    if factor.exponent == expr::Rational::MINUS_ONE && is_free(rest, v) {
        return Some(rest * arc_tangent(factor.base, v, at)?);
    }
    None
}

fn power_rule(factor: &Factor, c: Expr, at: &At) -> Option<Expr> {
    let next = &factor.exponent + &expr::Rational::ONE;
    if next.is_zero() {
        return Some(c * logarithm(factor.base, at)?);
    }
    Some(c * factor.base.try_pow(&next).ok()? * Expr::number(next.recip()?))
}

/// log u or log(−u), whichever exists at the state.
fn logarithm(u: Expr, at: &At) -> Option<Expr> {
    let u = if at.value(u) < 0.0 { -u } else { u };
    u.try_function(Op::Log).ok()
}

fn of_function(op: Op, u: Expr, at: &At) -> Option<Expr> {
    match op {
        Op::Sin => Some(-u.cos()),
        Op::Cos => Some(u.sin()),
        Op::Exp => Some(u.exp()),
        Op::Tan => Some(-logarithm(u.cos(), at)?),
        Op::Sinh => u.try_function(Op::Cosh).ok(),
        Op::Cosh => u.try_function(Op::Sinh).ok(),
        Op::Tanh => logarithm(u.try_function(Op::Cosh).ok()?, at),
        Op::Log => Some(u * logarithm(u, at)? - u),
        _ => None,
    }
}

fn arc_tangent(f: Expr, v: Expr, at: &At) -> Option<Expr> {
    let polynomial = expr::polynomial(f, &[v]).filter(|polynomial| polynomial.degree() == Some(2))?;
    let [a, b, e] = [2, 1, 0].map(|k| polynomial.coefficient(&[k]));
    let square = 4 * a * e - b * b;
    if at.value(square) <= 0.0 || square.is_zero() {
        return None;
    }
    let s = square.try_pow(&expr::Rational::new(1, 2)?).ok()?;
    Some(2 * ((2 * a * v + b) / s).try_function(Op::Atan).ok()? / s)
}

// ---------------------------------------------------------------------------------------------
// (4)

/// c vⁿ exp(γ v) cos(α v + β), or with the sine.
#[derive(Clone, Copy)]
struct Wave {
    c: Expr,
    n: i64,
    gamma: Expr,
    /// α and β, and whether it is a sine.
    trig: (Expr, Expr, bool),
}

impl Wave {
    fn constant(c: Expr) -> Wave {
        Wave { c, n: 0, gamma: Expr::zero(), trig: (Expr::zero(), Expr::zero(), false) }
    }

    /// cos A cos B = ½ cos(A − B) + ½ cos(A + B), and so on for sines.
    fn times(&self, other: &Wave) -> [Wave; 2] {
        let half = rational(1, 2);
        let ((a, b, sine), (d, e, other_sine)) = (self.trig, other.trig);
        // sin A cos B = ½ sin(A − B) + ½ sin(A + B); cos A sin B = −½ sin(A − B) + ½ sin(A + B)
        let (minus, plus) = match (sine, other_sine) {
            (false, false) | (true, false) => (half, half),
            (true, true) => (half, -half),
            (false, true) => (-half, half),
        };
        let made = |c: Expr, alpha: Expr, beta: Expr| Wave {
            c: self.c * other.c * c,
            n: self.n + other.n,
            gamma: self.gamma + other.gamma,
            trig: (alpha, beta, sine != other_sine),
        };
        [made(minus, a - d, b - e), made(plus, a + d, b + e)]
    }

    fn integral(&self, v: Expr) -> Option<Expr> {
        let (alpha, beta, sine) = self.trig;
        let (alpha, gamma) = (zeroed(alpha), zeroed(self.gamma));
        if alpha.is_zero() && gamma.is_zero() {
            let fixed = if sine { beta.sin() } else { beta.cos() };
            return Some(self.c * fixed * v.pow(self.n + 1) / (self.n + 1));
        }
        let u = alpha * v + beta;
        let square = alpha * alpha + gamma * gamma;
        let (along, across) = if sine { (-alpha, gamma) } else { (gamma, alpha) }; // of cos u, of sin u
        let wave = (along * u.cos() + across * u.sin()) * (gamma * v).exp() / square;
        let mut found = self.c * v.pow(self.n) * wave;
        if self.n > 0 {
            let less = |share: Expr, sine: bool| {
                let c = -self.c * Expr::from(self.n) * share / square;
                Wave { c, n: self.n - 1, gamma, trig: (alpha, beta, sine) }
            };
            for part in [less(along, false), less(across, true)] {
                if !part.c.is_zero() {
                    found += part.integral(v)?;
                }
            }
        }
        Some(found)
    }
}

fn zeroed(e: Expr) -> Expr {
    if e.is_zero() { Expr::zero() } else { e }
}

fn by_parts(factors: &[Factor], v: Expr) -> Option<Expr> {
    let mut waves = vec![Wave::constant(Expr::one())];
    for factor in factors {
        let n = factor.exponent.to_i64().filter(|n| (1..=8).contains(n))?;
        let one = wave(factor.base, v)?;
        for _ in 0..n {
            waves = waves.iter().flat_map(|wave| wave.times(&one)).filter(|wave| !wave.c.is_zero()).collect();
        }
    }
    let parts: Option<Vec<Expr>> = waves.iter().map(|wave| wave.integral(v)).collect();
    parts.map(|parts| Expr::sum(&parts))
}

/// v, or a sine, cosine or exponential of what is linear in v.
fn wave(e: Expr, v: Expr) -> Option<Wave> {
    let one = Wave::constant(Expr::one());
    if e == v {
        return Some(Wave { n: 1, ..one });
    }
    let u = *e.arguments().first()?;
    let (a, b) = expr::linear_coefficients(&[u], &[v]).ok()?;
    let (a, b) = (a[0][0], b[0]);
    match e.op() {
        Op::Sin => Some(Wave { trig: (a, b, true), ..one }),
        Op::Cos => Some(Wave { trig: (a, b, false), ..one }),
        Op::Exp => Some(Wave { c: b.exp(), gamma: a, ..one }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use expr::{Scope, coordinate, parameter, parse};

    use super::*;

    #[test]
    fn derivatives_of_antiderivatives() {
        let _scope = Scope::with_seed(1);
        let v = coordinate("v");
        let _ = (["a", "b", "c"].map(parameter), coordinate("w"));
        for text in [
            "3",
            "a*w",
            "v^3",
            "1/v",
            "a/(b*v + c)",
            "sqrt(v)",
            "v*(v^2 + a)^3",
            "sin(v)",
            "cos(a*v + b)",
            "exp(-a*v)",
            "sin(v)^2",
            "cos(v)^3*sin(v)",
            "sin(v)*cos(v)",
            "v*cos(a*v)",
            "v^3*exp(b*v)",
            "v*exp(a*v)*sin(b*v + w)",
            "sin(a*v)*cos(b*v)*w",
            "tan(v)",
            "sin(v)/cos(v)",
            "1/(1 + v^2)",
            "2/(v^2 + 2*v + 5)",
            "log(v)",
            "(v + w)*(v - w)*cos(v)",
            "cos(v)^2*sin(v)^2",
            "w*v/(v^2 + 1)",
            "sinh(a*v) + cosh(v)",
            "cos(v)/sin(v)^2",
        ] {
            let e = parse(text).unwrap();
            let found = antiderivative(e, v, &At::generic()).unwrap_or_else(|| panic!("{text}"));
            assert!(expr::derivative(found, v).unwrap().is_same(e), "{text} is not the derivative of {found}");
        }
    }

    #[test]
    fn what_the_table_does_not_have() {
        let _scope = Scope::with_seed(1);
        let v = coordinate("v");
        for text in ["exp(v^2)", "sin(v)/v", "1/(v^3 + v + 1)"] {
            assert!(antiderivative(parse(text).unwrap(), v, &At::generic()).is_none(), "{text}");
        }
    }
}
