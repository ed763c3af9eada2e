//! Which quantities does a model have, and what are they called in code?

use std::collections::BTreeSet;

use engine::Loaded;
use expr::Expr;
use motion::Units;
use rustc_hash::FxHashMap;

use crate::lower::Lowering;
use crate::names::Names;
use crate::unit::{Naming, Quantity};
use crate::value::{Step, Value};
use crate::{Export, Parameters};

/// Coordinates, rates, states of first order and parameters, and their names for the routines.
pub fn quantities(loaded: &Loaded, wanted: &Export, units: &Units, naming: &mut Naming) -> [Vec<Quantity>; 4] {
    let (system, start) = (&loaded.system, &loaded.start);
    let counting = counting(loaded);
    naming.inputs.extend(system.time.as_symbol().map(|time| (time, "t".to_owned())));
    let mut quantity = |name: String, symbol: Expr, order: u32, unit: String, value: f64, exact: Option<Expr>| {
        let base = symbol.as_symbol().map_or(name.clone(), |symbol| symbol.name);
        let code = naming.names.take(&base, order);
        naming.inputs.extend(symbol.as_symbol().map(|symbol| (symbol, code.clone())));
        Quantity { counts: counting.contains(&name), name, code, unit, value, exact: exact.and_then(constant) }
    };
    let [mut coordinates, mut rates, mut states, mut parameters] = [const { Vec::new() }; 4];
    for (c, value) in system.coordinates.iter().zip(&start.coordinates) {
        let number = value.number.unwrap_or(f64::NAN);
        coordinates.push(quantity(c.name.clone(), c.q, 0, units.of_coordinate(c, 0), number, value.exact));
    }
    for (c, value) in system.coordinates.iter().zip(&start.rates) {
        let number = value.number.unwrap_or(f64::NAN);
        rates.push(quantity(format!("{}'", c.name), c.q_dot, 1, units.of_coordinate(c, 1), number, value.exact));
    }
    for (state, value) in system.states.iter().zip(&start.states) {
        let (unit, number) = (units.of_state(state, 0), value.number.unwrap_or(f64::NAN));
        states.push(quantity(state.name.clone(), state.symbol, 0, unit, number, value.exact));
    }
    for (parameter, value) in system.parameters.iter().zip(&start.parameters) {
        let (unit, value) = (units.unit(parameter.symbol), value.unwrap_or(f64::NAN));
        parameters.push(quantity(parameter.name.clone(), parameter.symbol, 0, unit, value, parameter.value));
    }
    if wanted.parameters == Parameters::Arguments {
        for input in &system.inputs {
            let value = loaded.at.value(input.symbol);
            let unit = units.unit(input.symbol);
            parameters.push(quantity(input.name.clone(), input.symbol, 0, unit, value, input.value));
        }
    }
    [coordinates, rates, states, parameters]
}

/// The names by which elements are counted: those in an index, and at the ends of a range.
fn counting(loaded: &Loaded) -> BTreeSet<String> {
    let texts = [&loaded.settings.text].into_iter().chain(loaded.settings.with.iter().map(|one| &one.1));
    let mut found = BTreeSet::new();
    for line in texts.flat_map(|text| text.lines()) {
        let line = line.split('#').next().unwrap_or(line);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let (mut depth, mut rest) = (0_i32, line);
        while let Some(first) = rest.chars().next() {
            let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()).max(first.len_utf8());
            let (word, behind) = rest.split_at(length);
            depth += i32::from(word == "[") - i32::from(word == "]");
            let before = &line[..line.len() - rest.len()];
            if is_word(first) && (depth > 0 || before.ends_with("..") || behind.starts_with("..")) {
                found.insert(word.to_owned());
            }
            rest = behind;
        }
    }
    found
}

/// A constant as a value, if it is a short one.
fn constant(e: Expr) -> Option<Value> {
    let mut lowering = Lowering::new(&[e], FxHashMap::default(), &[], &Names::new());
    lowering.put("value", &[e]).ok()?;
    match &lowering.finish()[..] {
        [Step::Put(_, _, value)] => Some(value.clone()),
        _ => None,
    }
}
