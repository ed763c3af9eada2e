//! What are expressions worth in floating point, how large are their parts, and how do they change?
//!
//! ```text
//! values       one pass over the steps of a program
//! sizes        Σ|terms| for a sum, Π|factors| for a product: what a residual is measured against
//! gradients    x̄ₖ += ȳ ∂y/∂xₖ, one backward pass over the steps below an output
//! ```

use std::collections::HashMap;

use expr::{Evaluator, Expr, Op, Symbol};

/// Some expressions as one program over floats.
pub(super) struct Numbers {
    steps: Vec<Step>,
    arguments: Vec<u32>,
    outputs: Vec<u32>,
    symbols: HashMap<Symbol, u32>,
}

#[derive(Clone, Copy)]
struct Step {
    op: Op,
    first: u32,
    count: u32,
    /// The value of a number, the exponent of a power.
    number: f64,
}

impl Numbers {
    pub fn new(outputs: &[Expr]) -> Numbers {
        let program = Evaluator::new(outputs, &[]).program();
        let mut arguments = Vec::new();
        let mut symbols = HashMap::new();
        let mut steps: Vec<Step> = Vec::with_capacity(program.steps.len());
        for (place, step) in program.steps.iter().enumerate() {
            let first = arguments.len() as u32;
            arguments.extend(&step.arguments);
            let number = match (&step.number, step.op) {
                (Some(number), _) => number.to_f64(),
                (None, Op::Power) => steps[step.arguments[1] as usize].number,
                _ => f64::NAN,
            };
            if let Some(symbol) = &step.symbol {
                symbols.insert(symbol.clone(), place as u32);
            }
            steps.push(Step { op: step.op, first, count: step.arguments.len() as u32, number });
        }
        Numbers { steps, arguments, outputs: program.outputs, symbols }
    }

    /// The step of an output.
    pub fn output(&self, output: usize) -> usize {
        self.outputs[output] as usize
    }

    /// The step of a symbol, if an output depends on it.
    pub fn step_of(&self, symbol: &Symbol) -> Option<usize> {
        self.symbols.get(symbol).map(|&step| step as usize)
    }

    /// The symbols that the outputs depend on, with their steps.
    pub fn symbols(&self) -> impl Iterator<Item = (&Symbol, usize)> {
        self.symbols.iter().map(|(symbol, &step)| (symbol, step as usize))
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    fn arguments(&self, step: usize) -> &[u32] {
        let Step { first, count, .. } = self.steps[step];
        &self.arguments[first as usize..(first + count) as usize]
    }

    /// For every step, the union of what `of_symbol` says of the symbols below it.
    pub fn spread(&self, of_symbol: impl Fn(&Symbol) -> u8) -> Vec<u8> {
        let mut bits = vec![0; self.steps.len()];
        for (symbol, &step) in &self.symbols {
            bits[step as usize] = of_symbol(symbol);
        }
        for step in 0..self.steps.len() {
            let below = self.arguments(step).iter().fold(0, |all, &argument| all | bits[argument as usize]);
            bits[step] |= below;
        }
        bits
    }

    /// The steps below these for which `active` holds, and they themselves, in order.
    pub fn below(&self, roots: &[usize], active: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let mut seen = std::collections::HashSet::new();
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
            if self.steps[step].op != Op::Symbol {
                values[step] = self.value(step, values);
            }
        }
    }

    fn value(&self, step: usize, values: &[f64]) -> f64 {
        let arguments = self.arguments(step);
        let of = |k: usize| values[arguments[k] as usize];
        let all = || arguments.iter().map(|&argument| values[argument as usize]);
        match self.steps[step].op {
            Op::Number => self.steps[step].number,
            Op::Symbol => values[step],
            Op::Pi => std::f64::consts::PI,
            Op::Sum => all().sum(),
            Op::Scale | Op::Product => all().product(),
            Op::Power => power(of(0), self.steps[step].number),
            Op::Sin => of(0).sin(),
            Op::Cos => of(0).cos(),
            Op::Tan => of(0).tan(),
            Op::Asin => of(0).asin(),
            Op::Acos => of(0).acos(),
            Op::Atan => of(0).atan(),
            Op::Atan2 => of(0).atan2(of(1)),
            Op::Sinh => of(0).sinh(),
            Op::Cosh => of(0).cosh(),
            Op::Tanh => of(0).tanh(),
            Op::Exp => of(0).exp(),
            Op::Log => of(0).ln(),
            Op::Abs => of(0).abs(),
            Op::Sign => sign(of(0)),
            Op::Cbrt => of(0).cbrt(),
            Op::Min => of(0).min(of(1)),
            Op::Max => of(0).max(of(1)),
            Op::IfNegative => of(if of(0) < 0.0 { 1 } else { 2 }),
            Op::IfZero => of(if of(0) == 0.0 { 1 } else { 2 }),
        }
    }

    /// The size of every step: how large the parts are that make it up.
    pub fn sizes(&self, values: &[f64]) -> Vec<f64> {
        let mut sizes: Vec<f64> = Vec::with_capacity(self.steps.len());
        for step in 0..self.steps.len() {
            let all = || self.arguments(step).iter().map(|&argument| sizes[argument as usize]);
            let number = self.steps[step].number;
            let size = match self.steps[step].op {
                Op::Sum => all().sum(),
                Op::Scale | Op::Product => all().product(),
                Op::Power if number > 0.0 => power(sizes[self.arguments(step)[0] as usize], number),
                _ => values[step].abs(),
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
            Op::Power => {
                let exponent = self.steps[step].number;
                add(0, exponent * power(of(0), exponent - 1.0));
            }
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
        }
    }
}

fn power(base: f64, exponent: f64) -> f64 {
    match exponent {
        0.5 => base.sqrt(),
        -0.5 => base.sqrt().recip(),
        _ if exponent.fract() == 0.0 && exponent.abs() < 1e6 => base.powi(exponent as i32),
        _ => base.powf(exponent),
    }
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}
