//! Which relations between coordinates, parameters and rates may make an equation shorter?
//!
//! ```text
//! α x + β y + γ z = 0        α x → −β y − γ z             what is linear in a symbol                  (1)
//! x² + y² = l²               y² → l² − x²                 a symbol that occurs only squared           (2)
//! x x' + y y' + z z' = 0     y y' → −x x' − z z'          what rows say about rates                   (3)
//! ```
//!
//! They hold on every motion, and are used in equations of motion only: rows and rates are what they come from.

use expr::{Expr, Kind, Op, Rational};
use mechanics::ingredients::Ingredients;
use mechanics::rows::Row;
use reading::Relation;

/// More sets of relations are not tried.
const MOST: usize = 32;
/// Rows with more operations are not looked at.
const LONG: usize = 30;

/// The relations that may be used, alone or two together.
pub fn relations(given: &Ingredients<'_>) -> Vec<Vec<Relation>> {
    let (mut lines, mut curves, mut rates) = (Vec::new(), Vec::new(), Vec::new());
    for row in given.rows.list.iter().filter(|row| row.order == 0 && row.f.operations() <= LONG) {
        let slope = |&symbol: &Expr| Some((symbol, expr::derivative(row.f, symbol).ok()?));
        let slopes: Vec<(Expr, Expr)> = row.f.symbols().iter().filter_map(slope).collect();
        lines.extend(slopes.iter().filter_map(|&(symbol, slope)| linear(row.f, symbol, slope, 0)));
        curves.extend(squares(row, &slopes));
        if let Some(velocity) = row.velocity.filter(|_| !given.system.has_speeds()) {
            let slopes = given.q_dot.iter().zip(&row.A);
            rates.extend(slopes.filter_map(|(&rate, &slope)| linear(velocity, rate, slope, 2)));
        }
    }
    let both = |a: &[Relation], b: &[Relation]| -> Vec<Vec<Relation>> {
        a.iter().flat_map(|a| b.iter().map(move |b| vec![a.clone(), b.clone()])).collect()
    };
    let pairs = [both(&lines, &curves), both(&curves, &rates)].concat();
    let single = curves.into_iter().chain(rates).chain(lines).map(|one| vec![one]);
    let mut sets: Vec<Vec<Relation>> = single.chain(pairs).collect();
    sets.truncate(MOST);
    sets
}

/// What constraints hold fast: z = 0, z' = 0.
pub fn held_fast(given: &Ingredients<'_>) -> Vec<Relation> {
    let single = relations(given).into_iter().filter_map(|set| <[Relation; 1]>::try_from(set).ok());
    single.map(|[one]| one).filter(Relation::holds_fast).collect()
}

/// A product of powers of symbols: its number, and each symbol with its exponent.
pub fn monomial(e: Expr) -> Option<(Rational, Vec<(Expr, i32)>)> {
    let (mut number, mut powers, mut waiting) = (Rational::ONE, Vec::new(), vec![(e, 1)]);
    while let Some((e, n)) = waiting.pop() {
        let arguments = e.arguments();
        match e.op() {
            Op::Number => number = number * e.as_number()?.pow(i64::from(n)).ok()?,
            Op::Product | Op::Scale => waiting.extend(arguments.into_iter().map(|factor| (factor, n))),
            Op::Power => waiting.push((arguments[0], n * i32::try_from(arguments[1].as_number()?.to_i64()?).ok()?)),
            Op::Symbol => powers.push((e, n)),
            _ => return None,
        }
    }
    Some((number, powers))
}

/// (1) and (3): a symbol that a row is linear in, with the slope.
fn linear(row: Expr, symbol: Expr, slope: Expr, rank: u8) -> Option<Relation> {
    let slope = expr::simplify(slope, &[]);
    let (number, powers) = monomial(slope)?;
    let moves = symbol.as_symbol()?.kind == Kind::Coordinate;
    if !moves || slope.symbols().contains(&symbol) || number.is_zero() {
        return None;
    }
    let rest = expr::simplify(row - slope * symbol, &[]);
    let value = (-rest).try_div(slope).ok()?;
    let (above, below): (Vec<_>, Vec<_>) = powers.into_iter().partition(|one| one.1 > 0);
    let below: Vec<Expr> = below.into_iter().map(|(e, n)| power(e, -n)).collect();
    let to = expr::simplify(-rest * Expr::number(number.recip()?) * Expr::product(&below), &[]);
    Some(Relation { from: above.into_iter().chain([(symbol, 1)]).collect(), to, eliminates: (symbol, value), rank })
}

/// (2): a parameter that occurs only squared is eliminated before a coordinate.
fn squares(row: &Row, slopes: &[(Expr, Expr)]) -> Vec<Relation> {
    let square = |&(symbol, slope): &(Expr, Expr)| {
        let twice = expr::simplify(expr::derivative(slope, symbol).ok()?, &[]);
        let (number, _) = monomial(twice).filter(|(number, _)| !number.is_zero())?;
        let only = !twice.symbols().contains(&symbol) && (slope - twice * symbol).is_zero();
        let to = expr::simplify(symbol * symbol - (row.f + row.f).try_div(twice).ok()?, &[]);
        let is_parameter = symbol.as_symbol()?.kind == Kind::Parameter;
        // a square that is negative is no relation: the constraint contradicts itself
        let eliminates = (symbol, to.try_pow(&Rational::new(1, 2)?).ok()?);
        let made = Relation { from: vec![(symbol, 2)], to, eliminates, rank: 1 };
        (only && !number.is_zero()).then_some((is_parameter, made))
    };
    let found: Vec<(bool, Relation)> = slopes.iter().filter_map(square).collect();
    let best = found.iter().find(|one| one.0).map(|one| one.1.eliminates);
    let all = found.into_iter().map(|(_, one)| Relation { eliminates: best.unwrap_or(one.eliminates), ..one });
    all.collect()
}

fn power(symbol: Expr, n: i32) -> Expr {
    symbol.try_pow(&Rational::from(i64::from(n))).unwrap_or(symbol)
}

/// What a relation says, as an equation.
pub fn said(relation: &Relation) -> String {
    let from: Vec<Expr> = relation.from.iter().map(|&(symbol, n)| power(symbol, n)).collect();
    format!("{} = {}", Expr::product(&from), relation.to)
}
