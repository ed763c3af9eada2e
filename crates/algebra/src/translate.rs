//! How do equations become polynomials?
//!
//! ```text
//! x                       itself
//! sin(n x), cos(x + y)    polynomials in c = cos(x/k), s = sin(x/k), with c² + s² = 1          (1)
//! u^(1/q), abs(u)         w with w^q = u, and w >= 0 for even q                                 (2)
//! 1/u                     denominators are cleared, with the condition that they do not vanish
//! ```

use expr::{Comparison, Expr, Op, Rational, parameter};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::fraction::Fraction;
use crate::solution::{Arc, Condition, Obstacle};

/// Multiples of angles are taken up to this one.
const LARGEST: i64 = 64;

/// An unknown that enters by sines and cosines only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Angle {
    pub unknown: Expr,
    /// c and s of (1) are those of the unknown over this number.
    pub part: i64,
    pub cosine: Expr,
    pub sine: Expr,
}

/// A root of an expression in the unknowns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root {
    /// What it stands for.
    pub node: Expr,
    pub variable: Expr,
    /// (2), as a polynomial.
    pub definition: Expr,
}

/// Equations as polynomials.
pub(crate) struct Translation<'a> {
    unknowns: &'a [Expr],
    pub angles: Vec<Angle>,
    pub roots: Vec<Root>,
    /// Signs of roots, and denominators that do not vanish.
    pub conditions: Vec<Condition>,
    known: FxHashMap<Expr, Fraction>,
}

impl<'a> Translation<'a> {
    /// Looks at which unknowns are angles.
    pub fn new(equations: &[Expr], unknowns: &'a [Expr]) -> Result<Translation<'a>, Obstacle> {
        let mut parts: FxHashMap<Expr, i64> = FxHashMap::default();
        let mut bare: Vec<Expr> = Vec::new();
        let mut waiting = equations.to_vec();
        let mut seen = FxHashSet::default();
        while let Some(e) = waiting.pop() {
            if !seen.insert(e) || !depends(e, unknowns) {
                continue;
            }
            if matches!(e.op(), Op::Sin | Op::Cos | Op::Tan) {
                for (unknown, number) in split(e, unknowns)?.0 {
                    let below = number.denominator().to_i64().unwrap_or(1);
                    let part = parts.entry(unknown).or_insert(1);
                    *part = least_common_multiple(*part, below);
                }
                continue;
            }
            bare.extend(unknowns.iter().filter(|&&unknown| unknown == e));
            waiting.extend(e.arguments());
        }
        if let Some(unknown) = bare.into_iter().find(|unknown| parts.contains_key(unknown)) {
            return Err(Obstacle::Mixed { unknown: unknown.to_string() });
        }
        let angle = |&unknown: &Expr| {
            let part = *parts.get(&unknown)?;
            let inside = if part == 1 { unknown.to_string() } else { format!("{unknown}/{part}") };
            let variable = |function: &str| parameter(&format!("{function}({inside})"));
            Some(Angle { unknown, part, cosine: variable("cos"), sine: variable("sin") })
        };
        Ok(Translation {
            unknowns,
            angles: unknowns.iter().filter_map(angle).collect(),
            roots: Vec::new(),
            conditions: Vec::new(),
            known: FxHashMap::default(),
        })
    }

    /// The expression with its unknowns as variables.
    pub fn fraction(&mut self, e: Expr) -> Result<Fraction, Obstacle> {
        if let Some(&known) = self.known.get(&e) {
            return Ok(known);
        }
        let made = if depends(e, self.unknowns) { self.translated(e)? } else { Fraction::whole(e) };
        self.known.insert(e, made);
        Ok(made)
    }

    fn translated(&mut self, e: Expr) -> Result<Fraction, Obstacle> {
        let arguments = e.arguments();
        match e.op() {
            Op::Symbol => Ok(Fraction::whole(e)),
            Op::Sum => Ok(Fraction::sum(&self.fractions(&arguments)?)),
            Op::Scale | Op::Product => Ok(Fraction::product(&self.fractions(&arguments)?)),
            Op::Sin => Ok(Fraction::whole(self.turned(e)?.1)),
            Op::Cos => Ok(Fraction::whole(self.turned(e)?.0)),
            Op::Tan => {
                let (c, s) = self.turned(e)?;
                self.condition(c, Comparison::NotEqual);
                Ok(Fraction { above: s, below: c })
            }
            Op::Power => {
                let exponent = arguments[1].as_number().and_then(|number| number.to_small());
                let Some((n, q)) = exponent else { return Err(self.unknown_function(e)) };
                let base = if q == 1 { self.fraction(arguments[0])? } else { self.root(arguments[0], q)? };
                if n < 0 {
                    self.condition(base.above, Comparison::NotEqual);
                }
                Ok(base.power(n))
            }
            Op::Cbrt => self.odd_root(arguments[0], e),
            Op::Abs => self.root(arguments[0].pow(2), 2),
            _ => Err(self.unknown_function(e)),
        }
    }

    fn fractions(&mut self, list: &[Expr]) -> Result<Vec<Fraction>, Obstacle> {
        list.iter().map(|&e| self.fraction(e)).collect()
    }

    fn condition(&mut self, value: Expr, comparison: Comparison) {
        let condition = Condition { value, comparison };
        if !self.conditions.contains(&condition) {
            self.conditions.push(condition);
        }
    }

    fn unknown_function(&self, e: Expr) -> Obstacle {
        let unknown = self.unknowns.iter().find(|&&unknown| depends(e, &[unknown]));
        Obstacle::NotAlgebraic { unknown: unknown.map_or(String::new(), Expr::to_string), inside: e.brief() }
    }

    /// The positive root w of (2).
    fn root(&mut self, base: Expr, q: i64) -> Result<Fraction, Obstacle> {
        let node = Rational::new(1, q).and_then(|exponent| base.try_pow(&exponent).ok());
        let Some(node) = node else { return Err(Obstacle::TooLarge { what: base.brief() }) };
        let named = self.defined(base, q, node)?;
        self.condition(named, Comparison::AtLeast);
        Ok(Fraction::whole(named))
    }

    fn odd_root(&mut self, base: Expr, node: Expr) -> Result<Fraction, Obstacle> {
        Ok(Fraction::whole(self.defined(base, 3, node)?))
    }

    fn defined(&mut self, base: Expr, q: i64, node: Expr) -> Result<Expr, Obstacle> {
        if let Some(root) = self.roots.iter().find(|root| root.node == node) {
            return Ok(root.variable);
        }
        let variable = parameter(&format!("({node})"));
        let base = self.fraction(base)?;
        let definition = variable.pow(q) * base.below - base.above;
        self.roots.push(Root { node, variable, definition });
        Ok(variable)
    }

    /// Cosine and sine of the argument of `e`, by (1).
    fn turned(&mut self, e: Expr) -> Result<(Expr, Expr), Obstacle> {
        let arc =
            |angle: &Angle| Arc { unknown: angle.unknown, part: angle.part, cosine: angle.cosine, sine: angle.sine };
        let arcs: Vec<Arc> = self.angles.iter().map(arc).collect();
        let (multiples, rest) = split(e, self.unknowns)?;
        added(&multiples, rest, &arcs).ok_or_else(|| Obstacle::TooLarge { what: e.brief() })
    }
}

/// Cosine and sine of a sum of multiples of angles and a rest.
fn added(multiples: &[(Expr, Rational)], rest: Expr, arcs: &[Arc]) -> Option<(Expr, Expr)> {
    let mut turned = (rest.cos(), rest.sin());
    for (unknown, number) in multiples {
        let arc = arcs.iter().find(|arc| arc.unknown == *unknown)?;
        let times = (number * &Rational::from(arc.part)).to_i64().filter(|n| n.abs() <= LARGEST)?;
        for _ in 0..times.abs() {
            turned = sum_of_angles(turned, (arc.cosine, if times < 0 { -arc.sine } else { arc.sine }));
        }
    }
    Some(turned)
}

/// A sine, cosine or tangent of angles whose cosines and sines are known; `None` if it is none.
pub(crate) fn turned(e: Expr, arcs: &[Arc]) -> Option<Expr> {
    if !matches!(e.op(), Op::Sin | Op::Cos | Op::Tan) {
        return None;
    }
    let unknowns: Vec<Expr> = arcs.iter().map(|arc| arc.unknown).collect();
    if !depends(e, &unknowns) {
        return None;
    }
    let (multiples, rest) = split(e, &unknowns).ok()?;
    let (cosine, sine) = added(&multiples, rest, arcs)?;
    match e.op() {
        Op::Cos => Some(cosine),
        Op::Sin => Some(sine),
        _ => sine.try_div(cosine).ok(),
    }
}

fn sum_of_angles(a: (Expr, Expr), b: (Expr, Expr)) -> (Expr, Expr) {
    (a.0 * b.0 - a.1 * b.1, a.1 * b.0 + a.0 * b.1)
}

/// Does it contain one of the unknowns?
pub(crate) fn depends(e: Expr, unknowns: &[Expr]) -> bool {
    e.symbols().iter().any(|symbol| unknowns.contains(symbol))
}

/// The argument of a sine or cosine as rational multiples of unknowns and a rest without them.
fn split(e: Expr, unknowns: &[Expr]) -> Result<(Vec<(Expr, Rational)>, Expr), Obstacle> {
    let argument = e.arguments()[0];
    let inside: Vec<Expr> = unknowns.iter().copied().filter(|&unknown| depends(argument, &[unknown])).collect();
    let obstacle = || Obstacle::NotAlgebraic { unknown: inside[0].to_string(), inside: e.brief() };
    let (matrix, rest) = expr::linear_coefficients(&[argument], &inside).map_err(|_| obstacle())?;
    let number = |(&unknown, &c): (&Expr, &Expr)| Some((unknown, expr::simplify(c, &[]).as_number()?));
    let multiples = inside.iter().zip(&matrix[0]).map(number).collect::<Option<Vec<_>>>().ok_or_else(obstacle)?;
    Ok((multiples, rest[0]))
}

fn least_common_multiple(a: i64, b: i64) -> i64 {
    let gcd = |mut a: i64, mut b: i64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a.max(1)
    };
    a / gcd(a, b) * b
}
