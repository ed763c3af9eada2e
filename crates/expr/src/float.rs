//! What are expressions worth in floating point, how large are their parts, and how do they change?
//!
//! ```text
//! values       one pass over the steps of a program
//! sizes        Σ|terms| for a sum, Π|factors| for a product: what a residual is measured against
//! gradients    x̄ₖ += ȳ ∂y/∂xₖ, one backward pass over the steps below an output
//! ```
//!
//! [`At`](crate::At) is one state; [`Floats`] are expressions to be evaluated at many.
//! What has no value is NaN. Floats guide a choice or a message; they prove nothing.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::Evaluator;
use crate::graph::{Id, Op, Store};
use crate::integral::{Part, Parts};
use crate::scope::Expr;
use crate::symbol::Symbol;

impl Store {
    /// The value of a node that is not a symbol, from the values of its arguments.
    #[inline]
    pub(crate) fn float_from(&self, id: Id, value: &impl Fn(Id) -> f64) -> f64 {
        match self.op(id) {
            Op::Number => self.number(id).map_or(f64::NAN, |number| number.to_f64()),
            Op::Integral => {
                let part = |id: u32| match self.op(id) {
                    Op::Number => Part::Number(self.number(id).map_or(f64::NAN, |number| number.to_f64())),
                    Op::Symbol => Part::Symbol,
                    op => Part::Of(op, self.children(id)),
                };
                Parts { children: self.children(id), part: &part }.value(&|id| value(id))
            }
            op => applied(op, self.children(id), value),
        }
    }
}

/// The value of an operation on arguments; NaN for numbers and symbols, which have none.
#[inline]
pub(crate) fn applied(op: Op, arguments: &[u32], value: &impl Fn(u32) -> f64) -> f64 {
    let of = |k: usize| value(arguments[k]);
    match op {
        // an integral needs more than the values of its children
        Op::Number | Op::Symbol | Op::Integral => f64::NAN,
        Op::Pi => std::f64::consts::PI,
        Op::Sum => arguments.iter().map(|&argument| value(argument)).sum(),
        Op::Scale => of(0) * of(1),
        Op::Product => arguments.iter().map(|&argument| value(argument)).product(),
        Op::Power => power(of(0), of(1)),
        Op::Sin => of(0).sin(),
        Op::Cos => of(0).cos(),
        Op::Tan => of(0).tan(),
        Op::Asin => of(0).asin(),
        Op::Acos => of(0).acos(),
        Op::Atan => of(0).atan(),
        Op::Sinh => of(0).sinh(),
        Op::Cosh => of(0).cosh(),
        Op::Tanh => of(0).tanh(),
        Op::Exp => of(0).exp(),
        Op::Log => of(0).ln(),
        Op::Abs => of(0).abs(),
        Op::Sign => sign(of(0)),
        Op::Cbrt => of(0).cbrt(),
        Op::Atan2 if of(0) == 0.0 && of(1) == 0.0 => f64::NAN,
        Op::Min | Op::Max | Op::IfNegative | Op::IfZero if of(0).is_nan() => f64::NAN,
        Op::Min | Op::Max if of(1).is_nan() => f64::NAN,
        Op::Atan2 => of(0).atan2(of(1)),
        Op::Min => of(0).min(of(1)),
        Op::Max => of(0).max(of(1)),
        Op::IfNegative => of(if of(0) < 0.0 { 1 } else { 2 }),
        Op::IfZero => of(if of(0) == 0.0 { 1 } else { 2 }),
        Op::Unspecified => crate::unspecified::value(&arguments.iter().map(|&one| value(one)).collect::<Vec<_>>()),
    }
}

fn power(base: f64, exponent: f64) -> f64 {
    match exponent {
        0.5 => base.sqrt(),
        -0.5 => base.sqrt().recip(),
        _ if exponent.fract() == 0.0 && exponent.abs() <= f64::from(i32::MAX) => base.powi(exponent as i32),
        _ => base.powf(exponent),
    }
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// Some expressions as one program over floats, to be evaluated at many states.
///
/// ```
/// let _scope = expr::Scope::enter();
/// let (x, y) = (expr::coordinate("x"), expr::coordinate("y"));
/// let floats = expr::Floats::new(&[x * y + 1]);
/// let mut values = vec![0.0; floats.len()];
/// values[floats.step_of(x).unwrap()] = 2.0;
/// values[floats.step_of(y).unwrap()] = 3.0;
/// floats.run(0..floats.len(), &mut values);
/// assert_eq!(values[floats.output(0)], 7.0);
/// ```
pub struct Floats {
    steps: Vec<Step>,
    arguments: Vec<u32>,
    outputs: Vec<u32>,
    symbols: Vec<(Expr, Symbol, u32)>,
    places: FxHashMap<Expr, u32>,
}

#[derive(Clone, Copy)]
struct Step {
    op: Op,
    first: u32,
    count: u32,
    /// The value of a number.
    number: f64,
}

impl Floats {
    /// Prepares the evaluation of `outputs`.
    pub fn new(outputs: &[Expr]) -> Floats {
        let evaluator = Evaluator::new(outputs, &[]);
        let program = evaluator.program();
        let mut floats = Floats {
            steps: Vec::with_capacity(program.steps.len()),
            arguments: Vec::new(),
            outputs: program.outputs,
            symbols: Vec::new(),
            places: FxHashMap::default(),
        };
        for ((place, step), node) in (0..).zip(program.steps).zip(evaluator.nodes()) {
            let (first, count) = (floats.arguments.len() as u32, step.arguments.len() as u32);
            floats.arguments.extend(&step.arguments);
            if let Some(symbol) = step.symbol {
                floats.places.insert(node, place);
                floats.symbols.push((node, symbol, place));
            }
            let number = step.number.map_or(f64::NAN, |number| number.to_f64());
            floats.steps.push(Step { op: step.op, first, count, number });
        }
        floats
    }

    /// The step of an output.
    pub fn output(&self, output: usize) -> usize {
        self.outputs[output] as usize
    }

    /// The steps of all outputs.
    pub fn outputs(&self) -> impl Iterator<Item = usize> {
        self.outputs.iter().map(|&step| step as usize)
    }

    /// The step of a symbol, if an output depends on it.
    pub fn step_of(&self, symbol: Expr) -> Option<usize> {
        self.places.get(&symbol).map(|&step| step as usize)
    }

    /// The symbols that the outputs depend on, with their steps.
    pub fn symbols(&self) -> impl Iterator<Item = (Expr, &Symbol, usize)> {
        self.symbols.iter().map(|(e, symbol, step)| (*e, symbol, *step as usize))
    }

    /// How many steps there are; a list of values has one for each.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Is there nothing to evaluate?
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    fn arguments(&self, step: usize) -> &[u32] {
        let Step { first, count, .. } = self.steps[step];
        &self.arguments[first as usize..(first + count) as usize]
    }

    /// For every step, the union of what `of_symbol` says of the symbols below it.
    pub fn spread(&self, of_symbol: impl Fn(&Symbol) -> u8) -> Vec<u8> {
        let mut bits = vec![0; self.steps.len()];
        for (_, symbol, step) in &self.symbols {
            bits[*step as usize] = of_symbol(symbol);
        }
        for step in 0..self.steps.len() {
            let below = self.arguments(step).iter().fold(0, |all, &argument| all | bits[argument as usize]);
            bits[step] |= below;
        }
        bits
    }

    /// The steps below these for which `active` holds, and they themselves, in order.
    pub fn below(&self, roots: &[usize], active: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let mut seen = FxHashSet::default();
        let mut waiting: Vec<usize> = roots.iter().copied().filter(|&root| active(root)).collect();
        while let Some(step) = waiting.pop() {
            if seen.insert(step) {
                let below = self.arguments(step).iter().map(|&argument| argument as usize);
                waiting.extend(below.filter(|&argument| active(argument)));
            }
        }
        let mut steps: Vec<usize> = seen.into_iter().collect();
        steps.sort_unstable();
        steps
    }

    /// Computes the given steps anew; symbols keep what they are.
    pub fn run(&self, steps: impl Iterator<Item = usize>, values: &mut [f64]) {
        for step in steps {
            values[step] = match self.steps[step].op {
                Op::Symbol => continue,
                Op::Number => self.steps[step].number,
                Op::Integral => {
                    let part = |place: u32| self.part(place);
                    Parts { children: self.arguments(step), part: &part }.value(&|place| values[place as usize])
                }
                op => applied(op, self.arguments(step), &|argument| values[argument as usize]),
            };
        }
    }

    /// What a step is made of.
    fn part(&self, place: u32) -> Part<'_> {
        match self.steps[place as usize].op {
            Op::Number => Part::Number(self.steps[place as usize].number),
            Op::Symbol => Part::Symbol,
            op => Part::Of(op, self.arguments(place as usize)),
        }
    }

    /// The size of every step: how large the parts are that make it up.
    pub fn sizes(&self, values: &[f64]) -> Vec<f64> {
        let mut sizes: Vec<f64> = Vec::with_capacity(self.steps.len());
        for (step, &value) in values.iter().enumerate() {
            let arguments = self.arguments(step);
            let all = || arguments.iter().map(|&argument| sizes[argument as usize]);
            let exponent = || values[arguments[1] as usize];
            let size = match self.steps[step].op {
                Op::Sum => all().sum(),
                Op::Scale | Op::Product => all().product(),
                Op::Power if exponent() > 0.0 => power(sizes[arguments[0] as usize], exponent()),
                _ => value.abs(),
            };
            sizes.push(size);
        }
        sizes
    }

    /// The derivatives of the last of `steps` with respect to all of them, left in `adjoints`;
    /// what stands there for other steps means nothing.
    pub fn gradient(&self, steps: &[usize], values: &[f64], adjoints: &mut [f64]) {
        for &step in steps {
            adjoints[step] = 0.0;
        }
        let Some(&root) = steps.last() else { return };
        adjoints[root] = 1.0;
        for &step in steps.iter().rev() {
            let adjoint = adjoints[step];
            if adjoint != 0.0 {
                self.pull(step, adjoint, values, adjoints);
            }
        }
    }

    /// One step of the chain rule; passive arguments may collect what nobody reads.
    fn pull(&self, step: usize, adjoint: f64, values: &[f64], adjoints: &mut [f64]) {
        let arguments = self.arguments(step);
        let of = |k: usize| values[arguments[k] as usize];
        let mut add = |k: usize, slope: f64| adjoints[arguments[k] as usize] += adjoint * slope;
        let value = values[step];
        match self.steps[step].op {
            Op::Number | Op::Symbol | Op::Pi | Op::Sign => {}
            Op::Sum => (0..arguments.len()).for_each(|k| add(k, 1.0)),
            Op::Scale | Op::Product => {
                for k in 0..arguments.len() {
                    add(k, (0..arguments.len()).filter(|&other| other != k).map(of).product());
                }
            }
            Op::Power => add(0, of(1) * power(of(0), of(1) - 1.0)),
            Op::Sin => add(0, of(0).cos()),
            Op::Cos => add(0, -of(0).sin()),
            Op::Tan => add(0, 1.0 + value * value),
            Op::Asin => add(0, (1.0 - of(0) * of(0)).sqrt().recip()),
            Op::Acos => add(0, -(1.0 - of(0) * of(0)).sqrt().recip()),
            Op::Atan => add(0, (1.0 + of(0) * of(0)).recip()),
            Op::Atan2 => {
                let square = of(0) * of(0) + of(1) * of(1);
                add(0, of(1) / square);
                add(1, -of(0) / square);
            }
            Op::Sinh => add(0, of(0).cosh()),
            Op::Cosh => add(0, of(0).sinh()),
            Op::Tanh => add(0, 1.0 - value * value),
            Op::Exp => add(0, value),
            Op::Log => add(0, of(0).recip()),
            Op::Abs => add(0, sign(of(0))),
            Op::Cbrt => add(0, value / (3.0 * of(0))),
            Op::Min => add(usize::from(of(1) < of(0)), 1.0),
            Op::Max => add(usize::from(of(1) > of(0)), 1.0),
            Op::IfNegative => add(if of(0) < 0.0 { 1 } else { 2 }, 1.0),
            Op::IfZero => add(if of(0) == 0.0 { 1 } else { 2 }, 1.0),
            Op::Unspecified => {
                let all: Vec<f64> = (0..arguments.len()).map(of).collect();
                (1..arguments.len() / 2 + 1).for_each(|k| add(2 * k, crate::unspecified::slope(&all, k)));
            }
            Op::Integral => {
                let part = |place: u32| self.part(place);
                let slopes = Parts { children: arguments, part: &part }.slopes(&|place| values[place as usize]);
                slopes.into_iter().for_each(|(k, slope)| add(k, slope));
            }
        }
    }
}
