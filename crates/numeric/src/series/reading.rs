//! How are the instructions of a tape read as rules for coefficients?

use super::{Block, ENDLESS, First, Rule};
use crate::real::Function;
use crate::system::Linear;
use crate::tape::{Code, Instruction, Tape};

/// What is read so far.
pub(super) struct Builder<'t> {
    pub(super) tape: &'t Tape,
    pub(super) values: Vec<Option<usize>>,
    pub(super) firsts: Vec<First>,
    pub(super) degrees: Vec<usize>,
    pub(super) rules: Vec<(usize, Rule)>,
    pub(super) weighted: Vec<Option<usize>>,
    pub(super) sides: &'t [f64],
}

impl Builder<'_> {
    pub(super) fn value(&mut self, first: First, degree: usize) -> usize {
        self.firsts.push(first);
        self.degrees.push(degree);
        self.weighted.push(None);
        self.firsts.len() - 1
    }

    /// A value by a rule; its first coefficient from a slot if there is one.
    fn rule(&mut self, slot: Option<u32>, rule: Rule) -> usize {
        let d = |value: usize| self.degrees[value];
        let degree = match &rule {
            Rule::Add(a, b) | Rule::Sub(a, b) => d(*a).max(d(*b)),
            Rule::Mul(a, b) => d(*a).saturating_add(d(*b)),
            Rule::Square(a) => d(*a).saturating_mul(2),
            Rule::Negative(a) | Rule::Weighted(a) => d(*a),
            Rule::Reciprocal(a) | Rule::Sqrt(a) | Rule::Power(a, ..) | Rule::Quotient(a, ..) if d(*a) == 0 => 0,
            Rule::Integral(a, ..) if d(*a) == 0 => 0,
            _ => ENDLESS,
        };
        let first = slot.map_or(First::Rule(self.rules.len()), First::Slot);
        let value = self.value(first, degree);
        self.rules.push((value, rule));
        value
    }

    fn number(&mut self, number: f64) -> usize {
        self.value(First::Number(number), 0)
    }

    /// j a[j]
    fn weighted(&mut self, a: usize) -> usize {
        if let Some(known) = self.weighted[a] {
            return known;
        }
        let made = self.rule(None, Rule::Weighted(a));
        self.weighted[a] = Some(made);
        made
    }

    /// A value whose rule mentions another that is made after it.
    fn promised(&mut self, slot: u32) -> usize {
        self.value(First::Slot(slot), ENDLESS)
    }

    /// A place for the rule of such a value.
    fn reserved(&mut self, value: usize) -> usize {
        self.rules.push((value, Rule::Negative(value)));
        self.rules.len() - 1
    }

    pub(super) fn at(&mut self, slot: u32) -> usize {
        match self.values[slot as usize] {
            Some(value) => value,
            None => {
                // a slot that nothing writes: a constant that the tape holds, or an input without a value
                let number = self.tape.constants.iter().find(|one| one.0 == slot).map_or(f64::NAN, |one| one.1);
                let made = self.number(number);
                self.values[slot as usize] = Some(made);
                made
            }
        }
    }

    /// Nothing where there is no series.
    pub(super) fn step(&mut self, Instruction { to, a, b, code }: Instruction) -> Option<()> {
        let (x, y) = (self.at(a), self.at(b));
        let made = match code {
            Code::Add => self.rule(Some(to), Rule::Add(x, y)),
            Code::Sub => self.rule(Some(to), Rule::Sub(x, y)),
            Code::Mul if x == y => self.rule(Some(to), Rule::Square(x)),
            Code::Mul => self.rule(Some(to), Rule::Mul(x, y)),
            Code::SinCos => {
                let d = self.weighted(x);
                let (sin, cos) = (self.promised(to), self.promised(to + 1));
                self.rules.extend([(sin, Rule::Integral(d, cos, false)), (cos, Rule::Integral(d, sin, true))]);
                self.values[to as usize + 1] = Some(cos);
                sin
            }
            Code::Apply(function) => self.apply(function, to, x)?,
            Code::Power(exponent) => self.power(to, x, exponent),
            Code::Atan2 => self.atan2(to, x, y),
            Code::Choose { switch, .. } => match self.sides.get(switch as usize) {
                Some(1.0) => x,
                Some(0.0) => y,
                _ => return None,
            },
            Code::Sign { switch } => match self.sides.get(switch as usize) {
                Some(&side) if side == 0.0 || side == 1.0 => self.number(1.0 - 2.0 * side),
                _ => return None,
            },
            Code::IfZero { .. } => return None,
        };
        self.values[to as usize] = Some(made);
        Some(())
    }

    /// ∫ w da, the first coefficient from a slot.
    fn integral(&mut self, slot: u32, a: usize, w: usize) -> usize {
        let d = self.weighted(a);
        self.rule(Some(slot), Rule::Integral(d, w, false))
    }

    /// ∫ da/w
    fn quotient(&mut self, slot: u32, a: usize, w: usize) -> usize {
        let made = self.promised(slot);
        let place = self.reserved(made);
        let own = self.weighted(made);
        self.rules[place].1 = Rule::Quotient(a, own, w);
        made
    }

    fn apply(&mut self, function: Function, to: u32, x: usize) -> Option<usize> {
        Some(match function {
            Function::Negative => self.rule(Some(to), Rule::Negative(x)),
            Function::Reciprocal => self.rule(Some(to), Rule::Reciprocal(x)),
            Function::Sqrt => self.rule(Some(to), Rule::Sqrt(x)),
            Function::Cbrt => self.by_power(to, x, 1.0 / 3.0),
            Function::Exp => {
                let d = self.weighted(x);
                let made = self.promised(to);
                self.rules.push((made, Rule::Integral(d, made, false)));
                made
            }
            Function::Log => self.quotient(to, x, x),
            Function::Tan | Function::Tanh => {
                // f' = (1 ± f²) a'
                let d = self.weighted(x);
                let made = self.promised(to);
                let (place, one) = (self.reserved(made), self.number(1.0));
                let square = self.rule(None, Rule::Square(made));
                let w = match function {
                    Function::Tan => self.rule(None, Rule::Add(one, square)),
                    _ => self.rule(None, Rule::Sub(one, square)),
                };
                self.rules[place].1 = Rule::Integral(d, w, false);
                made
            }
            Function::Sinh | Function::Cosh => {
                let other = if function == Function::Sinh { Function::Cosh } else { Function::Sinh };
                let d = self.weighted(x);
                let (made, twin) = (self.promised(to), self.value(First::Of(other, x), ENDLESS));
                self.rules.extend([(made, Rule::Integral(d, twin, false)), (twin, Rule::Integral(d, made, false))]);
                made
            }
            Function::Atan => {
                let (one, square) = (self.number(1.0), self.rule(None, Rule::Square(x)));
                let w = self.rule(None, Rule::Add(one, square));
                self.quotient(to, x, w)
            }
            Function::Asin | Function::Acos => {
                let (one, square) = (self.number(1.0), self.rule(None, Rule::Square(x)));
                let rest = self.rule(None, Rule::Sub(one, square));
                let w = self.rule(None, Rule::Sqrt(rest));
                let from = if function == Function::Asin { x } else { self.rule(None, Rule::Negative(x)) };
                self.quotient(to, from, w)
            }
            // a sign that follows its argument has no series
            Function::Sign => return None,
        })
    }

    /// aᵖ by (5), the first coefficient from a slot.
    fn by_power(&mut self, to: u32, a: usize, exponent: f64) -> usize {
        let d = self.weighted(a);
        let made = self.promised(to);
        let place = self.reserved(made);
        let own = self.weighted(made);
        self.rules[place].1 = Rule::Power(a, d, own, exponent);
        made
    }

    /// aᵖ: by products where p is a small integer, since a may vanish.
    fn power(&mut self, to: u32, a: usize, exponent: f64) -> usize {
        const MOST_FACTORS: f64 = 64.0;
        if exponent.fract() != 0.0 || exponent.abs() > MOST_FACTORS || exponent == 0.0 {
            return self.by_power(to, a, exponent);
        }
        let (mut rest, mut square, mut product) = (exponent.abs() as u32, a, None);
        loop {
            if rest % 2 == 1 {
                product = Some(product.map_or(square, |one| self.rule(None, Rule::Mul(one, square))));
            }
            rest /= 2;
            if rest == 0 {
                break;
            }
            square = self.rule(None, Rule::Square(square));
        }
        let product = product.unwrap_or(a);
        if exponent < 0.0 { self.rule(Some(to), Rule::Reciprocal(product)) } else { product }
    }

    /// θ' = (x y' − y x')/(x² + y²)
    fn atan2(&mut self, to: u32, y: usize, x: usize) -> usize {
        let (xx, yy) = (self.rule(None, Rule::Square(x)), self.rule(None, Rule::Square(y)));
        let sum = self.rule(None, Rule::Add(xx, yy));
        let one = self.rule(None, Rule::Reciprocal(sum));
        let (u, v) = (self.rule(None, Rule::Mul(x, one)), self.rule(None, Rule::Mul(y, one)));
        let first = self.integral(to, y, u);
        let d = self.weighted(x);
        let second = self.value(First::Number(0.0), ENDLESS);
        self.rules.push((second, Rule::Integral(d, v, false)));
        self.rule(Some(to), Rule::Sub(first, second))
    }

    /// The unknowns of a system become values.
    pub(super) fn system(&mut self, which: usize, solve: &Linear, inverse: usize) -> Block {
        let n = solve.unknowns;
        let slots = self.tape.outputs(which).to_vec();
        let entries: Vec<usize> = slots.iter().map(|&slot| self.at(slot)).collect();
        let (matrix, right) = entries.split_at(n * n);
        let unknowns: Vec<usize> = (0..n).map(|k| self.value(First::Unknown(which, k), ENDLESS)).collect();
        for (k, &unknown) in unknowns.iter().enumerate() {
            if let Some(slot) = self.tape.input(solve.input + k) {
                self.values[slot as usize] = Some(unknown);
            }
        }
        if let Some(&first) = unknowns.first() {
            self.rules.push((first, Rule::System(which)));
        }
        Block { unknowns, matrix: matrix.to_vec(), right: right.to_vec(), inverse }
    }
}
