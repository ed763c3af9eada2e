//! Which two expressions are asked to be equal? One and a rewriting of it, or a near miss.

use expr::{Expr, Op, Rational, Substitution, collect, derivative, expand, gradient, parameter, rational};

use crate::draw::Draw;

/// Two expressions, and the relations under which they are compared.
pub struct Pair {
    pub left: Expr,
    pub right: Expr,
    pub assumed: Vec<&'static str>,
}

/// Identities in u and v, which stand for random expressions. (Not all of them hold: the verdict
/// says which, and SymPy has the last word.)
const IDENTITIES: &[(&str, &str)] = &[
    ("sin(u)^2 + cos(u)^2", "1"),
    ("sin(u + v)", "sin(u)*cos(v) + cos(u)*sin(v)"),
    ("cos(u - v)", "cos(u)*cos(v) + sin(u)*sin(v)"),
    ("sin(2*u)", "2*sin(u)*cos(u)"),
    ("cos(3*u)", "4*cos(u)^3 - 3*cos(u)"),
    ("sin(u/2)^2", "(1 - cos(u))/2"),
    ("tan(u + v)", "(tan(u) + tan(v))/(1 - tan(u)*tan(v))"),
    ("tan(u/2)", "sin(u)/(1 + cos(u))"),
    ("sin(u + pi/3)", "sin(u)/2 + sqrt(3)/2*cos(u)"),
    ("cos(u)*cos(v)", "(cos(u + v) + cos(u - v))/2"),
    ("cosh(u)^2 - sinh(u)^2", "1"),
    ("sinh(u + v)", "sinh(u)*cosh(v) + cosh(u)*sinh(v)"),
    ("tanh(u)", "(exp(2*u) - 1)/(exp(2*u) + 1)"),
    ("exp(u)*exp(v)", "exp(u + v)"),
    ("exp(u)^3", "exp(3*u)"),
    ("sqrt(u^2)", "abs(u)"),
    ("sqrt(u^2)", "u"),
    ("sqrt(u^2*v^2)", "abs(u*v)"),
    ("sqrt(u)^2", "u"),
    ("sqrt(u)*sqrt(v)", "sqrt(u*v)"),
    ("sqrt(u*v)", "sqrt(u)*sqrt(v)"),
    ("(u^2)^(1/4)", "sqrt(abs(u))"),
    ("(u^3)^(1/2)", "u*sqrt(u)"),
    ("cbrt(u^3)", "u"),
    ("cbrt(u*v)", "cbrt(u)*cbrt(v)"),
    ("cbrt(u)", "u^(1/3)"),
    ("abs(u*v)", "abs(u)*abs(v)"),
    ("abs(u)*sign(u)", "u"),
    ("sign(u)*u", "abs(u)"),
    ("sign(u)^2", "1"),
    ("abs(u)^2", "u^2"),
    ("abs(u + v)", "abs(u) + abs(v)"),
    ("max(u, v) + min(u, v)", "u + v"),
    ("max(u, v)", "(u + v + abs(u - v))/2"),
    ("min(u, v)", "(u + v - abs(u - v))/2"),
    ("if(u < v, u, v)", "min(u, v)"),
    ("if(u < 0, -u, u)", "abs(u)"),
    ("if(u = 0, v, u + v)", "u + v"),
    ("if(u <= v, 1, 2)", "if(v < u, 2, 1)"),
    ("if(u != v, 1, 2)", "1"),
    ("sin(asin(u))", "u"),
    ("asin(sin(u))", "u"),
    ("cos(asin(u))", "sqrt(1 - u^2)"),
    ("tan(atan(u))", "u"),
    ("atan(tan(u))", "u"),
    ("sin(atan(u))", "u/sqrt(1 + u^2)"),
    ("cos(acos(u))", "u"),
    ("acos(u) + asin(u)", "pi/2"),
    ("atan(u) + atan(1/u)", "pi/2"),
    ("atan2(u, v)", "atan(u/v)"),
    ("sin(atan2(u, v))", "u/sqrt(u^2 + v^2)"),
    ("cos(atan2(u, v))*sqrt(u^2 + v^2)", "v"),
    ("tan(atan2(u, v))", "u/v"),
    ("exp(log(u))", "u"),
    ("log(exp(u))", "u"),
    ("log(u*v)", "log(u) + log(v)"),
    ("log(u^2)", "2*log(u)"),
    ("log(u^2)", "2*log(abs(u))"),
    ("log(sqrt(u))", "log(u)/2"),
    ("exp(log(u)/2)", "sqrt(u)"),
    ("1/(1 + 1/(1 + 1/u))", "(u + 1)/(2*u + 1)"),
    ("(u - v)*(u + v)", "u^2 - v^2"),
    ("(u + v)^3", "u^3 + 3*u^2*v + 3*u*v^2 + v^3"),
    ("(u^2 - v^2)/(u - v)", "u + v"),
    ("1/u - 1/v", "(v - u)/(u*v)"),
    ("sqrt(u + 2*sqrt(u*v) + v)", "sqrt(u) + sqrt(v)"),
    ("1/(sqrt(u) + sqrt(v))", "(sqrt(u) - sqrt(v))/(u - v)"),
    ("sqrt(5 + 2*sqrt(6))*u", "(sqrt(2) + sqrt(3))*u"),
    ("cos(pi/5)*u", "(1 + sqrt(5))*u/4"),
];

/// Identities between symbols that need their signs.
const UNDER_ASSUMPTIONS: &[(&str, &str, &[&str])] = &[
    ("sqrt(x^2)", "x", &["x > 0"]),
    ("sqrt(x^2)", "-x", &["x < 0"]),
    ("sqrt(x^2)", "-x", &["x > 0"]),
    ("sqrt(x*y)", "sqrt(x)*sqrt(y)", &["x > 0", "y > 0"]),
    ("sqrt(x*y)", "sqrt(-x)*sqrt(-y)", &["x < 0", "y < 0"]),
    ("sqrt(x^2*y)", "x*sqrt(y)", &["x >= 0"]),
    ("sqrt(x^2 + 2*x*y + y^2)", "x + y", &["x > 0", "y > 0"]),
    ("sqrt(x^2 - 2*x*y + y^2)", "x - y", &["x > y"]),
    ("sqrt(x^2 - 2*x*y + y^2)", "x - y", &["x > 0", "y > 0"]),
    ("abs(x - y)*sign(x - y)", "x - y", &["x != y"]),
    ("abs(x)*y", "x*y", &["x >= 0"]),
    ("abs(x*y)", "-x*y", &["x < 0", "y > 0"]),
    ("log(x*y)", "log(x) + log(y)", &["x > 0", "y > 0"]),
    ("log(x/y)", "log(x) - log(y)", &["x > 0", "y > 0"]),
    ("max(x, y)", "x", &["x > y"]),
    ("min(x, y)", "x", &["x > y"]),
    ("if(x < y, z, 2*z)", "z", &["y > x"]),
    ("if(x < y, z, 2*z)", "2*z", &["x >= y"]),
    ("(x^4)^(1/4)", "x", &["x > 0"]),
    ("(x^6)^(1/6)", "x", &["x > 0"]),
    ("(x^3*y^3)^(1/3)", "x*y", &["x > 0", "y > 0"]),
    ("cbrt(x)", "x^(1/3)", &["x > 0"]),
    ("sqrt(1 - sin(z)^2)", "cos(z)", &["cos(z) > 0"]),
    ("sqrt(1 - sin(z)^2)", "-cos(z)", &["cos(z) < 0"]),
    ("atan2(y, x)", "atan(y/x)", &["x > 0"]),
    ("x*z + y", "z + y", &["x = 1"]),
    ("x^2 + y^2", "1", &["x = cos(z)", "y = sin(z)"]),
    ("(x + y)*z", "3*z", &["x = 3 - y"]),
    ("(x + y)*z", "2*z", &["x = 3 - y"]),
];

/// A pair: equal, or meant to be, or off by one detail.
pub fn draw(draw: &mut Draw) -> Option<Pair> {
    let (left, mut right, assumed) = match draw.below(10) {
        0 => under_assumptions(draw)?,
        1..5 => with_nothing(identity(draw)?),
        _ => with_nothing(rewritten(draw)?),
    };
    if draw.below(3) == 0 {
        right = near_miss(draw, right)?;
    }
    // The same node on both sides is a verdict without work: a few of them are enough.
    (left != right || draw.below(8) == 0).then_some(Pair { left, right, assumed })
}

fn with_nothing((left, right): (Expr, Expr)) -> (Expr, Expr, Vec<&'static str>) {
    (left, right, Vec::new())
}

fn under_assumptions(draw: &mut Draw) -> Option<(Expr, Expr, Vec<&'static str>)> {
    let (left, right, assumed) = draw.one_of(UNDER_ASSUMPTIONS);
    let sides = expr::parse_all(&[left, right]).ok()?;
    Some((sides[0], sides[1], assumed.to_vec()))
}

/// One of the identities, on random expressions.
fn identity(draw: &mut Draw) -> Option<(Expr, Expr)> {
    let (left, right) = draw.one_of(IDENTITIES);
    let (u, v) = (parameter("u"), parameter("v"));
    let sides = expr::parse_all(&[left, right]).ok()?;
    let depth = draw.below(3);
    let map = Substitution::from([(u, draw.expression(depth)?), (v, draw.expression(depth)?)]);
    let sides = map.apply(&sides).ok()?;
    Some((sides[0], sides[1]))
}

/// A random expression and the same by another route.
fn rewritten(draw: &mut Draw) -> Option<(Expr, Expr)> {
    let depth = 2 + draw.below(2);
    let e = draw.expression(depth)?;
    let x = draw.symbol();
    Some(match draw.below(7) {
        0 => (e, expand(e).ok()?),
        1 => (e, collect(e, &[x])),
        // the derivative before and after expansion
        2 => (derivative(e, x).ok()?, derivative(expand(e).ok()?, x).ok()?),
        // backward and forward
        3 => (gradient(e, &[x]).ok()?[0], derivative(e, x).ok()?),
        // the chain rule: d/dx f(g) = f'(g)·g'
        4 => {
            let inner = draw.expression(1)?;
            let only = e.symbols() == [x];
            let composed = Substitution::from([(x, inner)]).apply(&[e, derivative(e, x).ok()?]).ok()?;
            let right = composed[1] * derivative(inner, x).ok()?;
            if !only {
                return None;
            }
            (derivative(composed[0], x).ok()?, right)
        }
        // the quotient rule
        5 => {
            let below = draw.expression(2)?;
            let quotient = e.try_div(below).ok()?;
            let (above_slope, below_slope) = (derivative(e, x).ok()?, derivative(below, x).ok()?);
            let right = (above_slope * below - e * below_slope).try_div(below * below).ok()?;
            (derivative(quotient, x).ok()?, right)
        }
        // read from its own text
        _ => (e, expr::parse(&e.to_string()).ok()?),
    })
}

/// The expression with one of its nodes spoiled.
fn near_miss(draw: &mut Draw, e: Expr) -> Option<Expr> {
    let nodes = expr::Evaluator::new(&[e], &[]).nodes();
    let nodes: Vec<Expr> = nodes.into_iter().filter(|node| node.op() != Op::Number).collect();
    let node = if nodes.is_empty() { e } else { draw.one_of(&nodes) };
    let spoiled = match draw.below(6) {
        0 => -node,
        1 => 2 * node,
        2 => node + 1,
        3 => node + rational(1, 1_000_000_007),
        4 => node * Expr::number(&Rational::ONE + &Rational::new(1, 1 << 40)?),
        _ => node.try_function(Op::Abs).ok()?,
    };
    match nodes.is_empty() {
        true => Some(spoiled),
        false => Substitution::from([(node, spoiled)]).apply_one(e).ok(),
    }
}
