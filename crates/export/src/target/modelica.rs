//! Modelica: a flat model. Constraints stay equations; the tool lowers their index and chooses states.

use std::fmt::Write;

use expr::{Op, Rational};

use crate::File;
use crate::page;
use crate::unit::{Quantity, Unit};
use crate::value::Step;
use crate::write::{Language, comment, double, float, text};

struct Modelica;

impl Language for Modelica {
    fn call(&self, op: Op, arguments: &[String]) -> String {
        let all = arguments.join(", ");
        match op {
            Op::IfNegative => format!("(if {} < 0.0 then {} else {})", arguments[0], arguments[1], arguments[2]),
            Op::IfZero => {
                format!("(if noEvent(abs({}) <= 0.0) then {} else {})", arguments[0], arguments[1], arguments[2])
            }
            Op::Cbrt => format!("(sign({0})*abs({0})^(1.0/3.0))", arguments[0]),
            _ => format!("{}({all})", function(op)),
        }
    }

    fn root(&self, of: &str) -> String {
        format!("sqrt({of})")
    }

    fn power(&self, base: &str, exponent: &Rational) -> String {
        format!("({base})^{}", float(exponent))
    }
}

fn function(op: Op) -> &'static str {
    match op {
        Op::Sin => "sin",
        Op::Cos => "cos",
        Op::Tan => "tan",
        Op::Asin => "asin",
        Op::Acos => "acos",
        Op::Atan => "atan",
        Op::Sinh => "sinh",
        Op::Cosh => "cosh",
        Op::Tanh => "tanh",
        Op::Exp => "exp",
        Op::Log => "log",
        Op::Abs => "abs",
        Op::Sign => "sign",
        Op::Atan2 => "atan2",
        Op::Min => "min",
        Op::Max => "max",
        _ => unreachable!("written elsewhere"),
    }
}

/// The file.
pub fn files(unit: &Unit) -> Vec<File> {
    vec![File { name: format!("{}.mo", unit.stem), text: model(unit) }]
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\""))
}

fn unit_of(name: &str) -> String {
    let unit = name.replace("*", ".");
    if unit.is_empty() { String::new() } else { format!("unit = {}", quoted(&unit.replace('^', ""))) }
}

/// A declaration with its attributes.
fn declared(prefix: &str, code: &str, attributes: &[String], value: &str, says: &str) -> String {
    let list: Vec<&str> = attributes.iter().map(String::as_str).filter(|one| !one.is_empty()).collect();
    let list = if list.is_empty() { String::new() } else { format!("({})", list.join(", ")) };
    let says = if says.is_empty() || says == code { String::new() } else { format!(" {}", quoted(says)) };
    format!("  {prefix}Real {code}{list}{value}{says};\n")
}

fn state(one: &Quantity, is_fixed: bool) -> String {
    let attributes = [
        unit_of(&one.unit),
        format!("start = {}", double(one.value)),
        format!("fixed = {is_fixed}"),
        format!("stateSelect = StateSelect.{}", if is_fixed { "prefer" } else { "default" }),
    ];
    declared("", &one.code, &attributes, "", &one.name)
}

fn model(unit: &Unit) -> String {
    let implicit = unit.implicit.as_ref().expect("a unit for Modelica has equations");
    let mut out = comment(&page::of_model(unit), "// ");
    let _ = writeln!(out, "model {} {}", unit.stem, quoted(&unit.title));
    let parameters = unit.parameters.len() - unit.input_count;
    for one in &unit.parameters[..parameters] {
        let value = format!(" = {}", double(one.value));
        out += &declared("parameter ", &one.code, &[unit_of(&one.unit)], &value, &one.name);
    }
    let states = unit.coordinates.iter().chain(&unit.rates).zip(&implicit.fixed);
    states.for_each(|(one, &is_fixed)| out += &state(one, is_fixed));
    unit.states.iter().for_each(|one| out += &state(one, true));
    for (code, of) in implicit.accelerations.iter().zip(&unit.accelerations) {
        out += &declared("", code, &[unit_of(of)], "", "");
    }
    for (code, says) in &implicit.multipliers {
        out += &declared("", code, &[], "", &format!("multiplier of {says}"));
    }
    for one in &unit.parameters[parameters..] {
        out += &declared("", &one.code, &[unit_of(&one.unit)], "", &format!("input {}", one.name));
    }
    for (code, says) in &implicit.observes {
        out += &declared("output ", code, &[], "", says);
    }
    for (code, says) in &implicit.events {
        out += &declared("", code, &[], "", says);
    }
    if implicit.routine.mentions("t") {
        out += "  Real t;\n";
    }
    for step in &implicit.routine.steps {
        if let Step::Let(name, _) = step {
            let _ = writeln!(out, "  Real {name};");
        }
    }
    out + &equations(unit) + &format!("end {};\n", unit.stem)
}

fn equations(unit: &Unit) -> String {
    let implicit = unit.implicit.as_ref().expect("a unit for Modelica has equations");
    let mut out = String::from("equation\n");
    if implicit.routine.mentions("t") {
        out += "  t = time;\n";
    }
    for ((q, rate), acceleration) in unit.coordinates.iter().zip(&unit.rates).zip(&implicit.accelerations) {
        let _ = write!(out, "  der({}) = {};\n  der({}) = {acceleration};\n", q.code, rate.code, rate.code);
    }
    let inputs = &unit.parameters[unit.parameters.len() - unit.input_count..];
    for step in &implicit.routine.steps {
        let _ = match step {
            Step::Let(name, value) => writeln!(out, "  {name} = {};", text(value, &Modelica)),
            Step::Put("e", k, value) => writeln!(out, "  0.0 = {}; // {}", text(value, &Modelica), implicit.says[*k]),
            Step::Put("a", k, value) => writeln!(out, "  der({}) = {};", unit.states[*k].code, text(value, &Modelica)),
            Step::Put("u", k, value) => writeln!(out, "  {} = {};", inputs[*k].code, text(value, &Modelica)),
            Step::Put("o", k, value) => writeln!(out, "  {} = {};", implicit.observes[*k].0, text(value, &Modelica)),
            Step::Put(_, k, value) => writeln!(out, "  {} = {};", implicit.events[*k].0, text(value, &Modelica)),
            Step::Solve { .. } => unreachable!("equations are not solved"),
        };
    }
    for (event, (code, says)) in unit.events.iter().zip(&implicit.events).filter(|one| one.0.stops) {
        let conditions =
            [(event.way >= 0).then(|| format!("{code} > 0.0")), (event.way <= 0).then(|| format!("{code} < 0.0"))];
        for condition in conditions.iter().flatten() {
            let _ = write!(out, "  when {condition} then\n    terminate({});\n  end when;\n", quoted(says));
        }
    }
    out
}
