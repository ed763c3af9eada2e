//! What is the value of an expression at a state, enclosed as tightly as one likes?
//!
//! An enclosure that excludes zero proves that an expression is not zero. An enclosure that
//! contains zero proves nothing, however small it is.

use expr::{Evaluator, Expr, Op, Program, Rational, Step, Symbol};

use crate::ball::{Ball, Context};

/// The values of a program's outputs at a state; `None` where something is not defined or cannot
/// be decided at this precision (a sign, a divisor).
pub(crate) fn evaluate(program: &Program, context: &Context, state: &[(Symbol, Rational)]) -> Option<Vec<Ball>> {
    let mut values: Vec<Ball> = Vec::with_capacity(program.steps.len());
    for step in &program.steps {
        let value = result(step, &values, program, context, state)?;
        if !value.is_finite() {
            return None;
        }
        values.push(value);
    }
    Some(program.outputs.iter().map(|&output| values[output as usize].clone()).collect())
}

/// The value of an expression at a state in exact numbers, to that many certain digits; `None`
/// where it is not defined.
pub fn value_at(e: Expr, state: &[(Symbol, Rational)], digits: usize) -> Option<String> {
    let program = Evaluator::new(&[e], &[]).program();
    let context = Context::new(64 + 4 * digits as u32);
    Some(evaluate(&program, &context, state)?.remove(0).to_decimal(digits))
}

/// A rational number as a ball.
pub(crate) fn number(context: &Context, number: &Rational) -> Ball {
    let (above, below) = number.to_ibig_ratio();
    context.ratio(&above, &below)
}

fn result(
    step: &Step,
    values: &[Ball],
    program: &Program,
    context: &Context,
    state: &[(Symbol, Rational)],
) -> Option<Ball> {
    let of = |place: usize| &values[step.arguments[place] as usize];
    let all = || step.arguments.iter().map(|&argument| &values[argument as usize]);
    match step.op {
        Op::Number => Some(number(context, step.number.as_ref()?)),
        Op::Symbol => {
            let symbol = step.symbol.as_ref()?;
            let (_, value) = state.iter().find(|(known, _)| known == symbol)?;
            Some(number(context, value))
        }
        Op::Pi => Some(context.pi()),
        // no rule with a proved error
        Op::Integral => None,
        Op::Sum => Some(all().fold(Ball::zero(), |sum, value| context.add(&sum, value))),
        Op::Scale | Op::Product => Some(all().fold(Ball::one(), |product, value| context.mul(&product, value))),
        Op::Power => {
            let exponent = program.steps[step.arguments[1] as usize].number.as_ref()?;
            let (n, d) = exponent.to_small()?;
            let root = if d == 1 { of(0).clone() } else { context.root(of(0), u32::try_from(d).ok()?)? };
            context.powi(&root, n)
        }
        Op::Sin => Some(context.sin(of(0))),
        Op::Cos => Some(context.cos(of(0))),
        Op::Tan => context.tan(of(0)),
        Op::Asin => context.asin(of(0)),
        Op::Acos => context.acos(of(0)),
        Op::Atan => Some(context.atan(of(0))),
        Op::Atan2 => context.atan2(of(0), of(1)),
        Op::Sinh => context.sinh(of(0)),
        Op::Cosh => context.cosh(of(0)),
        Op::Tanh => Some(context.tanh(of(0))),
        Op::Exp => context.exp(of(0)),
        Op::Log => context.log(of(0)),
        Op::Abs => Some(of(0).abs()),
        Op::Sign => of(0).sign(),
        Op::Cbrt => Some(context.cbrt(of(0))),
        Op::Min => Some(context.min(of(0), of(1))),
        Op::Max => Some(context.max(of(0), of(1))),
        Op::IfNegative => Some(of(if of(0).sign_certain()? < 0 { 1 } else { 2 }).clone()),
        Op::IfZero => Some(of(if of(0).sign_certain()? == 0 { 1 } else { 2 }).clone()),
        Op::Unspecified => {
            let order = |place: usize| program.steps[step.arguments[place] as usize].number.as_ref()?.to_i64();
            let pairs = (1..step.arguments.len()).step_by(2).map(|k| Some((order(k)?, of(k + 1))));
            context.unspecified(of(0), &pairs.collect::<Option<Vec<_>>>()?)
        }
    }
}
