//! How do expressions become steps? Every shared part once, in the order in which it is needed.

use expr::{Evaluator, Expr, Op, Program, Rational, Symbol};
use rustc_hash::FxHashMap;

use crate::names::Names;
use crate::value::{Step, Value};

/// A value of more parts gets a name, so that lines stay short.
const LONG: usize = 18;

/// Powers up to this are written as products, so that their base is a name.
pub const CHAIN: i64 = 4;

/// A symbol that nobody explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unbound(pub String);

/// The steps of one routine, as they are made.
pub struct Lowering {
    program: Program,
    place: FxHashMap<Expr, u32>,
    /// The node that a symbol stands for, where it is defined by an expression.
    defined: FxHashMap<Symbol, u32>,
    inputs: FxHashMap<Symbol, String>,
    uses: Vec<u32>,
    values: Vec<Option<Value>>,
    names: Names,
    counted: usize,
    steps: Vec<Step>,
}

impl Lowering {
    /// Steps for these expressions. Symbols of `inputs` have names, symbols of `defined` are expressions of the others.
    pub fn new(roots: &[Expr], inputs: FxHashMap<Symbol, String>, defined: &[(Expr, Expr)], names: &Names) -> Lowering {
        let all: Vec<Expr> = roots.iter().copied().chain(defined.iter().map(|one| one.1)).collect();
        let evaluator = Evaluator::new(&all, &[]);
        let program = evaluator.program();
        let place: FxHashMap<Expr, u32> = evaluator.nodes().into_iter().zip(0..).collect();
        let defined = defined.iter().filter_map(|(symbol, value)| Some((symbol.as_symbol()?, place[value])));
        let count = program.steps.len();
        let mut lowering = Lowering {
            defined: defined.collect(),
            place,
            inputs,
            uses: vec![0; count],
            values: vec![None; count],
            names: names.clone(),
            counted: 0,
            steps: Vec::new(),
            program,
        };
        lowering.count(roots);
        lowering
    }

    /// The nodes that a node is made of.
    fn below(&self, place: u32) -> Vec<u32> {
        let step = &self.program.steps[place as usize];
        match &step.symbol {
            Some(symbol) if self.inputs.contains_key(symbol) => Vec::new(),
            Some(symbol) => self.defined.get(symbol).copied().into_iter().collect(),
            None => step.arguments.clone(),
        }
    }

    /// Counts how often each node is used below the roots.
    fn count(&mut self, roots: &[Expr]) {
        let mut todo: Vec<u32> = roots.iter().map(|root| self.place[root]).collect();
        while let Some(place) = todo.pop() {
            self.uses[place as usize] += 1;
            if self.uses[place as usize] == 1 {
                todo.extend(self.below(place));
            }
        }
    }

    /// Whether one of these symbols is needed for the expressions.
    pub fn needs(&self, symbols: &[Expr]) -> bool {
        symbols.iter().any(|symbol| self.place.get(symbol).is_some_and(|&place| self.uses[place as usize] > 0))
    }

    /// Gives a symbol a name from now on: an unknown that was solved for.
    fn bind(&mut self, symbol: &Expr) -> String {
        let is_used = self.place.get(symbol).is_some_and(|&place| self.uses[place as usize] > 0);
        let Some(symbol) = symbol.as_symbol().filter(|_| is_used) else { return String::new() };
        let plain = symbol.name.split('@').next().unwrap_or(&symbol.name).to_owned();
        let name = self.names.take(&plain, symbol.order);
        self.inputs.insert(symbol, name.clone());
        name
    }

    /// Solves linear equations for these symbols.
    pub fn solve(
        &mut self,
        matrix: &[Vec<Expr>],
        right: &[Expr],
        unknowns: &[Expr],
        (pivots, turned): (Vec<usize>, Option<Vec<bool>>),
    ) -> Result<(), Unbound> {
        let rows = matrix.iter().map(|row| self.values(row)).collect::<Result<Vec<_>, _>>()?;
        let right = self.values(right)?;
        let unknowns = unknowns.iter().map(|unknown| self.bind(unknown)).collect();
        self.steps.push(Step::Solve { matrix: rows, right, unknowns, pivots, turned });
        Ok(())
    }

    /// Puts values into an array of the answer.
    pub fn put(&mut self, array: &'static str, list: &[Expr]) -> Result<(), Unbound> {
        for (k, value) in self.values(list)?.into_iter().enumerate() {
            self.steps.push(Step::Put(array, k, value));
        }
        Ok(())
    }

    /// The steps so far.
    pub fn finish(self) -> Vec<Step> {
        self.steps
    }

    fn values(&mut self, list: &[Expr]) -> Result<Vec<Value>, Unbound> {
        list.iter().map(|e| self.value(self.place[e])).collect()
    }

    /// The value of a node; its parts come before it.
    fn value(&mut self, root: u32) -> Result<Value, Unbound> {
        let mut todo = vec![(root, false)];
        while let Some((place, is_ready)) = todo.pop() {
            if self.values[place as usize].is_some() {
                continue;
            }
            if is_ready {
                let value = self.made(place)?;
                self.values[place as usize] = Some(self.perhaps_named(place, value));
            } else if self.program.steps[place as usize].op == Op::Integral {
                return Err(Unbound("integral(…)".to_owned()));
            } else {
                todo.push((place, true));
                todo.extend(self.below(place).into_iter().rev().map(|below| (below, false)));
            }
        }
        Ok(self.values[root as usize].clone().expect("it has just been made"))
    }

    fn made(&mut self, place: u32) -> Result<Value, Unbound> {
        let step = self.program.steps[place as usize].clone();
        if let Some(number) = step.number {
            return Ok(Value::Number(number));
        }
        if let Some(symbol) = step.symbol {
            return match (self.inputs.get(&symbol), self.defined.get(&symbol)) {
                (Some(name), _) => Ok(Value::Name(name.clone())),
                (_, Some(&below)) => Ok(self.at(below)),
                _ => Err(Unbound(symbol.to_string())),
            };
        }
        let below: Vec<Value> = step.arguments.iter().map(|&below| self.at(below)).collect();
        Ok(match step.op {
            Op::Pi => Value::Pi,
            Op::Sum => self.sum(below),
            Op::Scale | Op::Product => product(below),
            Op::Power => self.power(below),
            op => Value::Call(op, below),
        })
    }

    fn at(&self, place: u32) -> Value {
        self.values[place as usize].clone().expect("parts come before the whole")
    }

    /// A sum; a long one is put together from named parts.
    fn sum(&mut self, terms: Vec<Value>) -> Value {
        if terms.iter().map(Value::size).sum::<usize>() <= LONG {
            return Value::Sum(terms);
        }
        let mut part = Vec::new();
        for term in terms {
            if part.len() > 1 && part.iter().map(Value::size).sum::<usize>() + term.size() > LONG {
                part = vec![self.named(Value::Sum(part))];
            }
            part.push(term);
        }
        Value::Sum(part)
    }

    fn power(&mut self, mut below: Vec<Value>) -> Value {
        let exponent = match below.pop() {
            Some(Value::Number(exponent)) => exponent,
            _ => unreachable!("exponents are numbers"),
        };
        let base = below.pop().expect("a power has a base");
        let base = if is_chain(&exponent) { self.named(base) } else { base };
        Value::Power(Box::new(base), exponent)
    }

    /// The value, or a name for it where that pays.
    fn perhaps_named(&mut self, place: u32, value: Value) -> Value {
        let is_shared = self.uses[place as usize] > 1;
        let is_cheap = matches!(&value, Value::Product(list) if list.len() == 2 && list.iter().all(Value::is_plain)
            && matches!(list[0], Value::Number(_)));
        if is_shared && !is_cheap || value.size() > LONG { self.named(value) } else { value }
    }

    fn named(&mut self, value: Value) -> Value {
        if value.is_plain() {
            return value;
        }
        let name = self.name_for(&value);
        self.steps.push(Step::Let(name.clone(), value));
        Value::Name(name)
    }

    /// `sin_phi` for what has such a name, else `c1`, `c2`, …
    fn name_for(&mut self, value: &Value) -> String {
        match value {
            Value::Call(op, list) => match (op, &list[0]) {
                (Op::Sin, Value::Name(of)) => self.names.take(&format!("sin_{of}"), 0),
                (Op::Cos, Value::Name(of)) => self.names.take(&format!("cos_{of}"), 0),
                (Op::Tan, Value::Name(of)) => self.names.take(&format!("tan_{of}"), 0),
                _ => self.next_name(),
            },
            _ => self.next_name(),
        }
    }

    fn next_name(&mut self) -> String {
        self.counted += 1;
        self.names.take(&format!("c{}", self.counted), 0)
    }
}

/// Whether a power is written as products and square roots of its base.
pub fn is_chain(exponent: &Rational) -> bool {
    matches!(exponent.abs().to_small(), Some((n, 1 | 2)) if n <= CHAIN)
}

/// A product without products in it.
fn product(below: Vec<Value>) -> Value {
    let mut flat = Vec::new();
    for one in below {
        match one {
            Value::Product(list) => flat.extend(list),
            other => flat.push(other),
        }
    }
    Value::Product(flat)
}
