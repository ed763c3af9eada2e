//! How do the answers of a routine change along a direction? Every step is differentiated; nothing is differenced.
//!
//! ```text
//! a = f(b, c)       a' = ∂f/∂b b' + ∂f/∂c c'
//! A x = b           A x' = b' − A' x
//! array[k] = a      array[k] = a'
//! ```

use std::collections::BTreeSet;

use expr::{Op, Rational};

use crate::value::{Routine, Sort, Step, Value};

/// The routine that answers with the changes of another; `inputs` are the names that have a direction.
pub fn along(routine: &Routine, name: &'static str, inputs: &[String]) -> Routine {
    let suffix = suffix(routine, inputs);
    let mut walk = Walk { moving: inputs.iter().cloned().collect(), suffix: suffix.clone(), steps: Vec::new() };
    routine.steps.iter().for_each(|step| walk.step(step));
    let says = format!("How the answers of {} change as y and p move along a direction.", routine.name);
    let steps = pruned(walk.steps);
    Routine { name, says: vec![says], answers: routine.answers.clone(), steps, sort: Sort::Along(suffix) }
}

/// What makes new names of all names: none ends with it.
fn suffix(routine: &Routine, inputs: &[String]) -> String {
    let mut names: BTreeSet<&str> = inputs.iter().map(String::as_str).collect();
    for step in &routine.steps {
        match step {
            Step::Let(name, _) => _ = names.insert(name),
            Step::Solve { unknowns, .. } => names.extend(unknowns.iter().map(String::as_str)),
            Step::Put(..) => {}
        }
    }
    let mut suffix = "_d".to_owned();
    while names.iter().any(|name| name.ends_with(&suffix)) {
        suffix.push('_');
    }
    suffix
}

struct Walk {
    /// The names that change.
    moving: BTreeSet<String>,
    suffix: String,
    steps: Vec<Step>,
}

impl Walk {
    fn step(&mut self, step: &Step) {
        match step {
            Step::Let(name, value) => {
                self.steps.push(step.clone());
                if let Some(change) = self.change(value) {
                    self.steps.push(Step::Let(self.changed(name), change));
                    self.moving.insert(name.clone());
                }
            }
            Step::Put(array, k, value) => {
                let change = self.change(value).unwrap_or(Value::Number(Rational::from(0)));
                self.steps.push(Step::Put(array, *k, change));
            }
            Step::Solve { .. } => self.solve(step),
        }
    }

    fn solve(&mut self, step: &Step) {
        let Step::Solve { matrix, right, unknowns, pivots, turned } = step else { return };
        let name = |(k, name): (usize, &String)| {
            if name.is_empty() { format!("x{k}{}{}", self.suffix, self.suffix) } else { name.clone() }
        };
        let unknowns: Vec<String> = unknowns.iter().enumerate().map(name).collect();
        let solve = |right: Vec<Value>, unknowns: Vec<String>| Step::Solve {
            matrix: matrix.clone(),
            right,
            unknowns,
            pivots: pivots.clone(),
            turned: turned.clone(),
        };
        self.steps.push(solve(right.clone(), unknowns.clone()));
        let mut change = Vec::new();
        for (row, right) in matrix.iter().zip(right) {
            let mut terms: Vec<Value> = self.change(right).into_iter().collect();
            for (entry, unknown) in row.iter().zip(&unknowns) {
                terms.extend(self.change(entry).map(|slope| times(vec![minus_one(), slope, named(unknown)])));
            }
            change.push(sum(terms).unwrap_or(Value::Number(Rational::from(0))));
        }
        let changed = unknowns.iter().map(|name| self.changed(name)).collect();
        self.steps.push(solve(change, changed));
        self.moving.extend(unknowns);
    }

    fn changed(&self, name: &str) -> String {
        format!("{name}{}", self.suffix)
    }

    /// The change of a value; nothing if it does not change.
    fn change(&self, value: &Value) -> Option<Value> {
        match value {
            Value::Name(name) => self.moving.contains(name).then(|| Value::Name(self.changed(name))),
            Value::Number(_) | Value::Double(_) | Value::Pi => None,
            Value::Sum(list) => sum(list.iter().filter_map(|one| self.change(one)).collect()),
            Value::Product(list) => {
                let term = |k: usize| {
                    let mut factors = list.clone();
                    factors[k] = self.change(&list[k])?;
                    Some(times(factors))
                };
                sum((0..list.len()).filter_map(term).collect())
            }
            Value::Power(base, exponent) => {
                let less = exponent - &Rational::from(1);
                let slope = Value::Power(base.clone(), less);
                Some(times(vec![Value::Number(exponent.clone()), slope, self.change(base)?]))
            }
            Value::Call(op, list) => self.call(*op, list),
        }
    }

    fn call(&self, op: Op, list: &[Value]) -> Option<Value> {
        let zero = || Value::Number(Rational::from(0));
        match op {
            Op::IfNegative | Op::IfZero => {
                let (then, other) = (self.change(&list[1]), self.change(&list[2]));
                if then.is_none() && other.is_none() {
                    return None;
                }
                let parts = vec![list[0].clone(), then.unwrap_or_else(zero), other.unwrap_or_else(zero)];
                Some(Value::Call(op, parts))
            }
            Op::Min | Op::Max => {
                let (first, second) = (self.change(&list[0]), self.change(&list[1]));
                if first.is_none() && second.is_none() {
                    return None;
                }
                let apart = Value::Sum(vec![list[0].clone(), times(vec![minus_one(), list[1].clone()])]);
                let (first, second) = (first.unwrap_or_else(zero), second.unwrap_or_else(zero));
                let parts = if op == Op::Min { vec![apart, first, second] } else { vec![apart, second, first] };
                Some(Value::Call(Op::IfNegative, parts))
            }
            Op::Atan2 => {
                let (y, x) = (&list[0], &list[1]);
                let over = [
                    self.change(y).map(|change| times(vec![x.clone(), change])),
                    self.change(x).map(|change| times(vec![minus_one(), y.clone(), change])),
                ];
                let over = sum(over.into_iter().flatten().collect())?;
                Some(times(vec![over, power(Value::Sum(vec![power(x.clone(), 2, 1), power(y.clone(), 2, 1)]), -1, 1)]))
            }
            _ => {
                let change = self.change(&list[0])?;
                slope(op, &list[0]).map(|slope| times(vec![slope, change]))
            }
        }
    }
}

/// The slope of a function of one argument; nothing where it is flat.
fn slope(op: Op, of: &Value) -> Option<Value> {
    let call = |op: Op| Value::Call(op, vec![of.clone()]);
    let one = || Value::Number(Rational::from(1));
    let square = |value: Value| power(value, 2, 1);
    let less = |value: Value| Value::Sum(vec![one(), times(vec![minus_one(), value])]);
    Some(match op {
        Op::Sin => call(Op::Cos),
        Op::Cos => times(vec![minus_one(), call(Op::Sin)]),
        Op::Tan => Value::Sum(vec![one(), square(call(Op::Tan))]),
        Op::Asin => power(less(square(of.clone())), -1, 2),
        Op::Acos => times(vec![minus_one(), power(less(square(of.clone())), -1, 2)]),
        Op::Atan => power(Value::Sum(vec![one(), square(of.clone())]), -1, 1),
        Op::Sinh => call(Op::Cosh),
        Op::Cosh => call(Op::Sinh),
        Op::Tanh => less(square(call(Op::Tanh))),
        Op::Exp => call(Op::Exp),
        Op::Log => power(of.clone(), -1, 1),
        Op::Abs => call(Op::Sign),
        Op::Cbrt => times(vec![Value::Number(ratio(1, 3)), power(call(Op::Cbrt), -2, 1)]),
        _ => return None,
    })
}

fn ratio(n: i64, d: i64) -> Rational {
    Rational::new(n, d).expect("the denominator is not zero")
}

fn power(base: Value, n: i64, d: i64) -> Value {
    Value::Power(Box::new(base), ratio(n, d))
}

fn minus_one() -> Value {
    Value::Number(Rational::from(-1))
}

fn named(name: &str) -> Value {
    Value::Name(name.to_owned())
}

fn sum(mut terms: Vec<Value>) -> Option<Value> {
    if terms.len() < 2 { terms.pop() } else { Some(Value::Sum(terms)) }
}

/// A product; what is a power to the zeroth is left out.
fn times(factors: Vec<Value>) -> Value {
    let mut kept = Vec::new();
    for factor in factors {
        match factor {
            Value::Power(_, exponent) if exponent.is_zero() => {}
            Value::Power(base, exponent) if exponent.is_one() => kept.push(*base),
            Value::Product(list) => kept.extend(list),
            other => kept.push(other),
        }
    }
    Value::Product(kept)
}

/// Without steps that nobody needs.
fn pruned(steps: Vec<Step>) -> Vec<Step> {
    let mut needed: BTreeSet<String> = BTreeSet::new();
    let mut kept = Vec::new();
    for mut step in steps.into_iter().rev() {
        match &mut step {
            Step::Let(name, _) if !needed.contains(name) => continue,
            Step::Solve { unknowns, .. } => {
                unknowns.iter_mut().filter(|name| !needed.contains(*name)).for_each(String::clear);
                if unknowns.iter().all(String::is_empty) {
                    continue;
                }
            }
            _ => {}
        }
        step.visit(&mut |value| {
            if let Value::Name(name) = value {
                needed.insert(name.clone());
            }
        });
        kept.push(step);
    }
    kept.reverse();
    kept
}
