//! What is an expression worth at points of a prime field?
//!
//! ```text
//! symbol x, or a function without an image      a variable of its own
//! root u^(1/q)                                  a variable s, and s^k for u^(k/q)
//! angle Σ c m, m a monomial                     z = e^(i m/L) a variable for each m, L the lcm of denominators
//! cos a = (w + 1/w)/2,  sin a = (w − 1/w)/(2i)  w the product of powers of the z
//! ```
//!
//! A symbol that occurs inside a sine and outside is two variables: that is sound, and identities between
//! the two are rare.

use expr::field::{Element, Field, Random};
use expr::{Evaluator, Expr, Op, Program, Rational};
use rustc_hash::FxHashMap;

/// Angles with larger numbers in them are not looked at.
const LARGEST: i64 = 64;

/// What a variable stands for.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Variable {
    /// A symbol, a root, or a function without an image.
    Plain(Expr),
    /// e^(i of/parts).
    Angle { of: Expr, parts: i64 },
}

impl Variable {
    pub fn is_angle(&self) -> bool {
        matches!(self, Variable::Angle { .. })
    }
}

/// Sine, cosine or tangent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wave {
    Sine,
    Cosine,
    Tangent,
}

/// An angle as powers of variables.
pub(crate) type Phase = Vec<(u32, i32)>;

#[derive(Clone, Debug)]
enum Code {
    Unused,
    Constant(Element),
    Variable(u32),
    Sum(Vec<u32>),
    Product(Vec<u32>),
    Power(u32, i32),
    Root(u32, i32),
    Wave(Wave, Phase),
}

/// An expression as a program over a field.
pub(crate) struct Machine {
    pub field: Field,
    pub variables: Vec<Variable>,
    code: Vec<Code>,
    /// The step that is the whole expression.
    pub output: u32,
    /// The steps that are divided by.
    pub divisors: Vec<u32>,
    /// The angles of sines and cosines, and of tangents.
    pub angles: Vec<Phase>,
}

/// A value and its inverse for each variable.
#[derive(Clone)]
pub(crate) struct Point {
    pub values: Vec<Element>,
    pub inverses: Vec<Element>,
}

impl Machine {
    /// The program of an expression; `None` if an angle is too odd.
    pub fn of(e: Expr, field: Field) -> Option<Machine> {
        let evaluator = Evaluator::new(&[e], &[]);
        let (nodes, program) = (evaluator.nodes(), evaluator.program());
        let output = program.outputs[0];
        let mut reader = Reader {
            nodes: &nodes,
            program: &program,
            names: FxHashMap::default(),
            variables: Vec::new(),
            parts: FxHashMap::default(),
        };
        let needed = reader.needed(output)?;
        let mut code = vec![Code::Unused; nodes.len()];
        let (mut divisors, mut angles) = (Vec::new(), Vec::new());
        for step in 0..nodes.len() {
            if needed[step] {
                code[step] = reader.code(step, &field)?;
                match &code[step] {
                    Code::Power(base, n) if *n < 0 => divisors.push(*base),
                    Code::Wave(_, phase) if !angles.contains(phase) => angles.push(phase.clone()),
                    _ => {}
                }
            }
        }
        divisors.sort_unstable();
        divisors.dedup();
        Some(Machine { field, variables: reader.variables, code, output, divisors, angles })
    }

    /// Counts a symbol among the variables, although the expression may not hold it.
    pub fn know(&mut self, symbol: Expr) {
        let variable = Variable::Plain(symbol);
        if !self.variables.contains(&variable) {
            self.variables.push(variable);
        }
    }

    /// The steps that a step is made of, itself included.
    pub fn below(&self, output: u32) -> Vec<u32> {
        let mut needed = vec![false; output as usize + 1];
        needed[output as usize] = true;
        for step in (0..=output as usize).rev() {
            if needed[step] {
                match &self.code[step] {
                    Code::Sum(list) | Code::Product(list) => list.iter().for_each(|&k| needed[k as usize] = true),
                    Code::Power(base, _) => needed[*base as usize] = true,
                    _ => {}
                }
            }
        }
        (0..=output).filter(|&step| needed[step as usize]).collect()
    }

    /// The values of the last of these steps at some points; `None` where something is divided by zero.
    pub fn values(&self, steps: &[u32], points: &[Point]) -> Option<Vec<Element>> {
        let (field, lanes) = (&self.field, points.len());
        let output = *steps.last()? as usize;
        let mut table = vec![Element::ZERO; (output + 1) * lanes];
        for &step in steps {
            let (done, rest) = table.split_at_mut(step as usize * lanes);
            let row = &mut rest[..lanes];
            let of = |k: u32, lane: usize| done[k as usize * lanes + lane];
            match &self.code[step as usize] {
                Code::Unused => {}
                Code::Constant(value) => row.fill(*value),
                Code::Variable(v) => row.iter_mut().zip(points).for_each(|(x, p)| *x = p.values[*v as usize]),
                Code::Sum(list) => (0..lanes).for_each(|lane| {
                    row[lane] = list.iter().fold(Element::ZERO, |sum, &k| field.add(sum, of(k, lane)));
                }),
                Code::Product(list) => (0..lanes).for_each(|lane| {
                    row[lane] = list.iter().fold(field.one(), |product, &k| field.mul(product, of(k, lane)));
                }),
                Code::Power(base, n) => {
                    let power = |lane| field.pow(of(*base, lane), u64::from(n.unsigned_abs()));
                    (0..lanes).for_each(|lane| row[lane] = power(lane));
                    if *n < 0 && !field.batch_invert(row) {
                        return None;
                    }
                }
                Code::Root(v, n) => row.iter_mut().zip(points).for_each(|(x, p)| *x = p.power(field, *v, *n)),
                Code::Wave(wave, phase) => self.waves(*wave, phase, points, row)?,
            }
        }
        Some(table[output * lanes..].to_vec())
    }

    fn waves(&self, wave: Wave, phase: &[(u32, i32)], points: &[Point], row: &mut [Element]) -> Option<()> {
        let field = &self.field;
        for (x, point) in row.iter_mut().zip(points) {
            let (mut w, mut inverse) = (field.one(), field.one());
            for &(v, n) in phase {
                w = field.mul(w, point.power(field, v, n));
                inverse = field.mul(inverse, point.power(field, v, -n));
            }
            let cosine = field.mul(field.half(), field.add(w, inverse));
            let sine = field.mul(field.half_over_i(), field.sub(w, inverse));
            *x = match wave {
                Wave::Sine => sine,
                Wave::Cosine => cosine,
                Wave::Tangent => field.div(sine, cosine)?,
            };
        }
        Some(())
    }

    /// A point without visible pattern.
    pub fn random_point(&self, random: &mut Random) -> Point {
        let values: Vec<Element> = self.variables.iter().map(|_| self.field.random(random)).collect();
        Point::new(&self.field, values)
    }
}

impl Point {
    /// A point with these values, none of them zero.
    pub fn new(field: &Field, values: Vec<Element>) -> Point {
        let mut inverses = values.clone();
        field.batch_invert(&mut inverses);
        Point { values, inverses }
    }

    /// A power of a variable.
    pub fn power(&self, field: &Field, v: u32, n: i32) -> Element {
        let base = if n < 0 { self.inverses[v as usize] } else { self.values[v as usize] };
        match n.unsigned_abs() {
            1 => base,
            n => field.pow(base, u64::from(n)),
        }
    }
}

/// Turns steps of the kernel into our own.
struct Reader<'a> {
    nodes: &'a [Expr],
    program: &'a Program,
    names: FxHashMap<(Expr, bool), u32>,
    variables: Vec<Variable>,
    /// The lcm of the denominators with which a monomial occurs in angles.
    parts: FxHashMap<Expr, i64>,
}

impl Reader<'_> {
    /// Which steps are evaluated: not what stands inside angles and functions without an image.
    fn needed(&mut self, output: u32) -> Option<Vec<bool>> {
        let mut needed = vec![false; self.nodes.len()];
        needed[output as usize] = true;
        for k in (0..self.nodes.len()).rev() {
            if !needed[k] {
                continue;
            }
            let step = &self.program.steps[k];
            match step.op {
                Op::Sum | Op::Product | Op::Scale => step.arguments.iter().for_each(|&a| needed[a as usize] = true),
                Op::Power if self.exponent(k)?.is_integer() => needed[step.arguments[0] as usize] = true,
                Op::Sin | Op::Cos | Op::Tan => {
                    for (c, of) in self.angle(step.arguments[0])? {
                        let parts = self.parts.entry(of).or_insert(1);
                        *parts = lcm(*parts, c.to_small()?.1);
                        (*parts <= LARGEST).then_some(())?;
                    }
                }
                _ => {}
            }
        }
        Some(needed)
    }

    fn exponent(&self, k: usize) -> Option<&Rational> {
        self.program.steps[*self.program.steps[k].arguments.get(1)? as usize].number.as_ref()
    }

    /// An angle as a sum of numbers times monomials.
    fn angle(&self, step: u32) -> Option<Vec<(Rational, Expr)>> {
        let mut waiting = vec![(Rational::ONE, step)];
        let mut list: Vec<(Rational, Expr)> = Vec::new();
        while let Some((c, k)) = waiting.pop() {
            let step = &self.program.steps[k as usize];
            let (c, of) = match step.op {
                Op::Sum => {
                    waiting.extend(step.arguments.iter().map(|&a| (c.clone(), a)));
                    continue;
                }
                Op::Scale => {
                    let number = self.program.steps[step.arguments[0] as usize].number.as_ref()?;
                    waiting.push((&c * number, step.arguments[1]));
                    continue;
                }
                Op::Number => (&c * step.number.as_ref()?, Expr::one()),
                _ => (c, self.nodes[k as usize]),
            };
            match list.iter_mut().find(|(_, known)| *known == of) {
                Some((sum, _)) => *sum = &*sum + &c,
                None => list.push((c, of)),
            }
        }
        list.retain(|(c, _)| !c.is_zero());
        Some(list)
    }

    fn variable(&mut self, of: Expr, angle: bool) -> u32 {
        let made = match angle {
            true => Variable::Angle { of, parts: self.parts.get(&of).copied().unwrap_or(1) },
            false => Variable::Plain(of),
        };
        let variables = &mut self.variables;
        *self.names.entry((of, angle)).or_insert_with(|| {
            // two roots may be written differently and be the same
            let same = |known: &Variable| match known {
                Variable::Plain(known) => known.op() != Op::Symbol && known.op() == of.op() && known.is_same(of),
                Variable::Angle { .. } => false,
            };
            match variables.iter().position(|known| !angle && of.op() != Op::Symbol && same(known)) {
                Some(known) => known as u32,
                None => {
                    variables.push(made);
                    variables.len() as u32 - 1
                }
            }
        })
    }

    fn code(&mut self, k: usize, field: &Field) -> Option<Code> {
        let step = &self.program.steps[k];
        Some(match step.op {
            Op::Number => Code::Constant(field.from_rational(step.number.as_ref()?)?),
            Op::Sum => Code::Sum(step.arguments.clone()),
            Op::Product | Op::Scale => Code::Product(step.arguments.clone()),
            Op::Sin | Op::Cos | Op::Tan => {
                let wave = match step.op {
                    Op::Sin => Wave::Sine,
                    Op::Cos => Wave::Cosine,
                    _ => Wave::Tangent,
                };
                let mut phase = Phase::new();
                for (c, of) in self.angle(step.arguments[0])? {
                    let (n, d) = c.to_small()?;
                    let n = n.checked_mul(self.parts[&of] / d).filter(|n| n.abs() <= LARGEST)?;
                    phase.push((self.variable(of, true), n as i32));
                }
                phase.sort_unstable();
                Code::Wave(wave, phase)
            }
            Op::Power => {
                let exponent = self.exponent(k)?.clone();
                match exponent.to_small()? {
                    (n, 1) => Code::Power(step.arguments[0], i32::try_from(n).ok().filter(|n| n.abs() <= 64)?),
                    (n, d) => {
                        let base = self.nodes[step.arguments[0] as usize];
                        let root = base.try_pow(&Rational::new(1, d)?).ok()?;
                        Code::Root(self.variable(root, false), i32::try_from(n).ok().filter(|n| n.abs() <= 64)?)
                    }
                }
            }
            _ => Code::Variable(self.variable(self.nodes[k], false)),
        })
    }
}

fn lcm(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
