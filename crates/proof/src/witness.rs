//! At which state is an expression certainly not zero?
//!
//! States are tried from simple to strange: small numbers first, because a person will look at
//! the witness, then mixed signs and sizes, and the numbers that the expression itself mentions,
//! because that is where its branches part.

use expr::field::Random;
use expr::{Comparison, Evaluator, Expr, Op, Program, Rational, Symbol};

use crate::assume::Assumptions;
use crate::ball::Context;
use crate::numeric;

/// A state in exact numbers at which an expression is certainly not zero.
#[derive(Clone, PartialEq, Debug)]
pub struct Witness {
    /// The value of every symbol, exact.
    pub state: Vec<(Symbol, Rational)>,
    /// The value of the expression there, every digit certain.
    pub value: String,
}

/// The precisions at which a state is looked at, in bits: a difference of 10^-900 is still seen.
const PRECISIONS: [u32; 3] = [192, 768, 3072];

/// Looks for a state at which the question is not zero and the assumptions hold.
pub(crate) struct Search {
    program: Program,
    comparisons: Vec<Comparison>,
    /// What the assumptions compare, alone: much shorter than the question.
    compared: Program,
    symbols: Vec<Symbol>,
    numbers: Vec<Rational>,
    given: Vec<Symbol>,
    random: Random,
}

impl Search {
    /// Prepares the search; `given` are symbols that the assumed equations determine.
    pub fn new(question: Expr, assumptions: &Assumptions, given: &[(Expr, Expr)]) -> Search {
        let differences = assumptions.differences();
        let mut outputs = vec![question];
        outputs.extend(differences.iter().map(|(e, _)| *e));
        outputs.extend(given.iter().map(|(_, value)| *value));
        let compared: Vec<Expr> = differences.iter().map(|(e, _)| *e).collect();
        let compared = Evaluator::new(&compared, &[]).program();
        let evaluator = Evaluator::new(&outputs, &[]);
        let program = evaluator.program();
        let symbols = program.steps.iter().filter_map(|step| step.symbol.clone()).collect();
        let mut numbers: Vec<Rational> = program.steps.iter().filter_map(|step| step.number.clone()).collect();
        numbers.retain(|number| number.bits() < 64);
        Search {
            random: Random::new(evaluator.digest()),
            comparisons: differences.into_iter().map(|(_, comparison)| comparison).collect(),
            given: given.iter().filter_map(|(symbol, _)| symbol.as_symbol()).collect(),
            program,
            compared,
            symbols,
            numbers,
        }
    }

    /// Tries so many states.
    pub fn run(mut self, tries: usize) -> Option<Witness> {
        let contexts: Vec<Context> = PRECISIONS[..2].iter().map(|&bits| Context::new(bits)).collect();
        let fine = Context::new(PRECISIONS[2]);
        if !self.may_be_exact() {
            return None;
        }
        let tries = if self.symbols.is_empty() { 1 } else { tries };
        let mut defined = 0;
        for attempt in 0..tries {
            let state = self.state(attempt);
            if self.is_excluded(&contexts[0], &state) {
                continue;
            }
            for (level, context) in contexts.iter().enumerate() {
                if level == 1 && defined > 16 {
                    break;
                }
                if let Some(witness) = self.look(context, &state, &mut defined) {
                    return Some(witness);
                }
            }
            if attempt < 2
                && let Some(witness) = self.look(&fine, &state, &mut defined)
            {
                return Some(witness);
            }
        }
        None
    }

    fn look(&self, context: &Context, state: &[(Symbol, Rational)], defined: &mut usize) -> Option<Witness> {
        let values = numeric::evaluate(&self.program, context, state)?;
        *defined += 1;
        let mut both = self.comparisons.iter().zip(&values[1..]);
        let holds = both.all(|(comparison, value)| value.sign_certain().is_some_and(|sign| holds(*comparison, sign)));
        if !holds || values[0].contains_zero() {
            return None;
        }
        let mut state = state.to_vec();
        state.extend(self.exactly_given(state.as_slice())?);
        state.sort();
        Some(Witness { state, value: values[0].to_decimal(20) })
    }

    /// Whether an assumption is certainly broken at a state.
    fn is_excluded(&self, context: &Context, state: &[(Symbol, Rational)]) -> bool {
        if self.comparisons.is_empty() {
            return false;
        }
        let Some(values) = numeric::evaluate(&self.compared, context, state) else { return false };
        let mut both = self.comparisons.iter().zip(&values);
        both.any(|(comparison, value)| value.sign_certain().is_some_and(|sign| !holds(*comparison, sign)))
    }

    /// Whether the symbols that the assumed equations determine are rational at any state: without that no state is a
    /// witness, and to look at states in balls would be in vain.
    fn may_be_exact(&self) -> bool {
        let steps = &self.program.steps;
        let first = self.program.outputs.len() - self.given.len();
        let mut needed = vec![false; steps.len()];
        self.program.outputs[first..].iter().for_each(|&output| needed[output as usize] = true);
        for place in (0..steps.len()).rev() {
            if !needed[place] {
                continue;
            }
            let step = &steps[place];
            let is_rational = match step.op {
                Op::Number | Op::Symbol | Op::Sum | Op::Scale | Op::Product | Op::Abs => true,
                Op::Power => {
                    let exponent = step.arguments.get(1).and_then(|&n| steps[n as usize].number.as_ref());
                    exponent.is_none_or(|n| n.to_i64().is_some())
                }
                _ => false,
            };
            if !is_rational {
                return false;
            }
            step.arguments.iter().for_each(|&argument| needed[argument as usize] = true);
        }
        true
    }

    /// The symbols that the assumed equations determine, in exact numbers.
    fn exactly_given(&self, state: &[(Symbol, Rational)]) -> Option<Vec<(Symbol, Rational)>> {
        if self.given.is_empty() {
            return Some(Vec::new());
        }
        let values = exact(&self.program, state)?;
        let first = self.program.outputs.len() - self.given.len();
        let outputs = &self.program.outputs[first..];
        self.given
            .iter()
            .zip(outputs)
            .map(|(symbol, &output)| Some((symbol.clone(), values[output as usize].clone()?)))
            .collect()
    }

    fn state(&mut self, attempt: usize) -> Vec<(Symbol, Rational)> {
        let symbols = std::mem::take(&mut self.symbols);
        let mut state: Vec<(Symbol, Rational)> = Vec::new();
        for (place, symbol) in symbols.iter().enumerate() {
            let value = match attempt {
                0 => simple(place),
                1..24 => self.small(attempt >= 6),
                _ => self.strange(&state),
            };
            state.push((symbol.clone(), value));
        }
        self.symbols = symbols;
        state
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.below(n as u64) as usize
    }

    fn small(&mut self, signed: bool) -> Rational {
        let place = self.below(SIMPLE.len());
        let negative = signed && self.below(2) == 0;
        if negative { -simple(place) } else { simple(place) }
    }

    /// A number of any size; near a number that the expression mentions, between two of them, or
    /// near the value of another symbol, where branches part.
    fn strange(&mut self, state: &[(Symbol, Rational)]) -> Rational {
        let fraction = |n: i64, d: i64| Rational::new(n, d).unwrap_or(Rational::ONE);
        match self.below(7) {
            0 => {
                let near = &self.mentioned() + &fraction(self.below(9) as i64 - 4, 1 + self.below(4) as i64);
                if self.below(2) == 0 { near } else { -near }
            }
            1 => &(&self.mentioned() + &self.mentioned()) * &fraction(1, 2),
            2 if !state.is_empty() => {
                let other = state[self.below(state.len())].1.clone();
                let step = &self.mentioned() * &fraction(self.below(9) as i64 - 4, 2);
                let near = &other + &step;
                if self.below(4) == 0 { -near } else { near }
            }
            3 => fraction(self.below(2001) as i64 - 1000, 1),
            4 => fraction(self.below(201) as i64 - 100, 1000),
            _ => fraction(self.below(321) as i64 - 160, 16),
        }
    }

    fn mentioned(&mut self) -> Rational {
        match self.below(self.numbers.len() + 1) {
            0 => Rational::ZERO,
            place if self.below(2) == 0 => -&self.numbers[place - 1],
            place => self.numbers[place - 1].clone(),
        }
    }
}

const SIMPLE: [(i64, i64); 12] =
    [(1, 1), (2, 1), (1, 2), (3, 1), (3, 2), (1, 3), (2, 3), (1, 4), (5, 2), (4, 3), (3, 4), (5, 3)];

fn simple(place: usize) -> Rational {
    let (n, d) = SIMPLE[place % SIMPLE.len()];
    Rational::new(n, d).unwrap_or(Rational::ONE)
}

/// Whether a difference of this sign satisfies a comparison with zero.
fn holds(comparison: Comparison, sign: i32) -> bool {
    match comparison {
        Comparison::Greater => sign > 0,
        Comparison::AtLeast => sign >= 0,
        Comparison::Less => sign < 0,
        Comparison::AtMost => sign <= 0,
        Comparison::NotEqual => sign != 0,
        Comparison::Equal => sign == 0,
    }
}

/// The exact values of those steps that are rational at the state.
fn exact(program: &Program, state: &[(Symbol, Rational)]) -> Option<Vec<Option<Rational>>> {
    let mut values: Vec<Option<Rational>> = Vec::with_capacity(program.steps.len());
    for step in &program.steps {
        let of = |place: usize| values[step.arguments[place] as usize].as_ref();
        let all = || step.arguments.iter().map(|&argument| values[argument as usize].as_ref());
        values.push(match step.op {
            Op::Number => step.number.clone(),
            Op::Symbol => {
                state.iter().find(|(symbol, _)| Some(symbol) == step.symbol.as_ref()).map(|(_, value)| value.clone())
            }
            Op::Sum => all().try_fold(Rational::ZERO, |sum, value| Some(&sum + value?)),
            Op::Scale | Op::Product => all().try_fold(Rational::ONE, |product, value| Some(&product * value?)),
            Op::Power => of(0).zip(of(1).and_then(Rational::to_i64)).and_then(|(base, n)| base.pow(n).ok()),
            Op::Abs => of(0).map(Rational::abs),
            _ => None,
        });
    }
    Some(values)
}
