//! Do the assumed equations determine the symbols that were solved for?
//!
//! One after another: an equation a·s + b = 0 determines s where a does not vanish, and s is
//! eliminated from the other equations, which must be linear in it too. So every state that
//! satisfies the equations has the values that the points show to satisfy them.

use expr::{Comparison, Rational};
use rustc_hash::FxHashMap;

use super::program::{self, Polynomial};
use super::table::Table;
use super::{Rejection, relations};
use crate::certificate::{Line, Question, Solution};

/// The symbols solved for whose coefficients may vanish.
pub(super) fn determined(question: &Question, solved: &Solution) -> Result<Vec<String>, Rejection> {
    let fail = |why: &str| Rejection::Solution(why.to_owned());
    let names: Vec<_> = solved.values.iter().map(|(name, _)| name).collect();
    if solved.steps.iter().any(|line| line.symbol.as_ref().is_some_and(|name| names.contains(&name))) {
        return Err(fail("a value mentions a symbol that was solved for"));
    }
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let mut table = Table::default();
    let places = table.add(&question.steps, &FxHashMap::default())?;
    let equations = relations(question, &places)?.into_iter().filter(|&(_, is)| is == Comparison::Equal);
    let equations: Vec<u32> = equations.map(|(place, _)| place).collect();
    let symbol = |name| Line { op: "symbol".into(), of: Vec::new(), number: None, symbol: Some(name) };
    let lines: Vec<Line> = names.iter().map(|&name| symbol(name.clone())).collect();
    let mut open: Vec<(u32, &str)> = table
        .add(&lines, &FxHashMap::default())?
        .into_iter()
        .zip(names.iter().map(|name| name.name.as_str()))
        .collect();
    let polynomials = program::polynomials(&table.nodes, &equations);
    let mut system: Vec<Polynomial> =
        equations.iter().filter_map(|&place| polynomials[place as usize].as_deref().cloned()).collect();
    let mut conditional = Vec::new();
    while !open.is_empty() {
        let step = open.iter().enumerate().find_map(|(place, &(symbol, _))| {
            let (coefficient, rest) = eliminate(&table, &system, symbol)?;
            Some((place, coefficient, rest))
        });
        let (place, coefficient, rest) = step.ok_or_else(|| fail("they are not linear in a symbol"))?;
        system = rest;
        let (_, name) = open.remove(place);
        if coefficient.keys().any(|monomial| !monomial.is_empty()) {
            conditional.push(name.to_owned());
        }
    }
    Ok(conditional)
}

/// The coefficient of a symbol in an equation that determines it, and the other equations
/// without the symbol: a·(c·s + d) − c·(a·s + b) = a·d − c·b.
fn eliminate(table: &Table, system: &[Polynomial], symbol: u32) -> Option<(Polynomial, Vec<Polynomial>)> {
    let mentions = mentions(table, symbol);
    let parts: Vec<_> = system.iter().map(|equation| split(equation, symbol, &mentions)).collect::<Option<_>>()?;
    let pivot = (0..parts.len()).filter(|&k| !parts[k].0.is_empty()).min_by_key(|&k| parts[k].0.len())?;
    let (a, b) = &parts[pivot];
    let others = parts.iter().enumerate().filter(|&(k, _)| k != pivot);
    let rest = others.map(|(_, (c, d))| {
        let minus = Polynomial::from([(Vec::new(), -&Rational::ONE)]);
        let mut sum = if c.is_empty() { d.clone() } else { program::times(a, d)? };
        for (monomial, factor) in program::times(&program::times(c, b)?, &minus)? {
            program::include(&mut sum, monomial, &factor);
        }
        Some(sum)
    });
    Some((a.clone(), rest.collect::<Option<_>>()?))
}

/// a and b of a·s + b; `None` unless it is linear in s.
fn split(equation: &Polynomial, symbol: u32, mentions: &[bool]) -> Option<(Polynomial, Polynomial)> {
    let (mut a, mut b) = (Polynomial::new(), Polynomial::new());
    for (monomial, c) in equation {
        let others: Vec<_> = monomial.iter().copied().filter(|&factor| factor != (symbol, 1)).collect();
        if others.iter().any(|&(place, _)| mentions[place as usize]) {
            return None;
        }
        let part = if others.len() < monomial.len() { &mut a } else { &mut b };
        part.insert(others, c.clone());
    }
    Some((a, b))
}

fn mentions(table: &Table, symbol: u32) -> Vec<bool> {
    let mut list: Vec<bool> = Vec::with_capacity(table.nodes.len());
    for (place, node) in table.nodes.iter().enumerate() {
        let below = node.of.iter().any(|&argument| list[argument as usize]);
        list.push(below || place as u32 == symbol);
    }
    list
}
