//! Modelica: a flat model. Constraints stay equations; the tool lowers their index and chooses states.

use std::collections::BTreeSet;
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

/// Types for quantities, named as Modelica's library names them, so that no library is needed.
const TYPES: [(&str, &str); 25] = [
    ("m", "Length"),
    ("m^2", "Area"),
    ("m^3", "Volume"),
    ("kg", "Mass"),
    ("kg/m^3", "Density"),
    ("kg*m^2", "MomentOfInertia"),
    ("s", "Time"),
    ("Hz", "Frequency"),
    ("rad", "Angle"),
    ("m/s", "Velocity"),
    ("m/s^2", "Acceleration"),
    ("rad/s", "AngularVelocity"),
    ("rad/s^2", "AngularAcceleration"),
    ("N", "Force"),
    ("N*m", "Torque"),
    ("J", "Energy"),
    ("W", "Power"),
    ("Pa", "Pressure"),
    ("N/m", "TranslationalSpringConstant"),
    ("N*s/m", "TranslationalDampingConstant"),
    ("N*m/rad", "RotationalSpringConstant"),
    ("N*m*s/rad", "RotationalDampingConstant"),
    ("C", "ElectricCharge"),
    ("A", "ElectricCurrent"),
    ("V", "ElectricPotential"),
];

/// The lines of declarations, and the types that they use.
struct Declarations<'a> {
    /// Names of the model, which no type may have.
    taken: BTreeSet<&'a str>,
    used: BTreeSet<usize>,
    lines: String,
}

impl Declarations<'_> {
    /// A declaration with its unit, by its type where there is one, and its attributes.
    fn add(&mut self, prefix: &str, code: &str, unit: &str, attributes: &[String], value: &str, says: &str) {
        let of = TYPES.iter().position(|one| one.0 == unit).filter(|&k| !self.taken.contains(TYPES[k].1));
        self.used.extend(of);
        let name = of.map_or("Real", |k| TYPES[k].1);
        let unit = if of.is_some() { String::new() } else { unit_of(unit) };
        let list: Vec<&str> = [unit.as_str()]
            .into_iter()
            .chain(attributes.iter().map(String::as_str))
            .filter(|one| !one.is_empty())
            .collect();
        let list = if list.is_empty() { String::new() } else { format!("({})", list.join(", ")) };
        let says = if says.is_empty() || says == code { String::new() } else { format!(" {}", quoted(says)) };
        let _ = writeln!(self.lines, "  {prefix}{name} {code}{list}{value}{says};");
    }

    fn state(&mut self, one: &Quantity, is_fixed: bool) {
        let attributes = [
            format!("start = {}", double(one.value)),
            format!("fixed = {is_fixed}"),
            format!("stateSelect = StateSelect.{}", if is_fixed { "prefer" } else { "default" }),
        ];
        self.add("", &one.code, &one.unit, &attributes, "", &one.name);
    }

    fn types(&self) -> String {
        let line = |&k: &usize| {
            let (unit, name) = TYPES[k];
            format!("  type {name} = Real(final quantity = \"{name}\", final {});\n", unit_of(unit))
        };
        self.used.iter().map(line).collect()
    }
}

/// The unit behind a name in square brackets.
fn labelled_unit(says: &str) -> &str {
    says.rsplit_once(" [").and_then(|(_, unit)| unit.strip_suffix(']')).unwrap_or_default()
}

/// A name that begins so and is not taken.
fn free(taken: &BTreeSet<&str>, name: String) -> String {
    let mut name = name;
    while taken.contains(name.as_str()) {
        name.push('_');
    }
    name
}

/// The names of the model in its equations.
fn taken(unit: &Unit) -> BTreeSet<&str> {
    let implicit = unit.implicit.as_ref().expect("a unit for Modelica has equations");
    let quantities = unit.parameters.iter().chain(&unit.coordinates).chain(&unit.rates).chain(&unit.states);
    let pairs = implicit.multipliers.iter().chain(&implicit.observes).chain(&implicit.events);
    let steps = implicit.routine.steps.iter().filter_map(|step| match step {
        Step::Let(name, _) => Some(name.as_str()),
        _ => None,
    });
    let names = quantities.map(|one| one.code.as_str()).chain(implicit.accelerations.iter().map(String::as_str));
    names.chain(pairs.map(|one| one.0.as_str())).chain(steps).chain([unit.stem.as_str()]).collect()
}

fn model(unit: &Unit) -> String {
    let implicit = unit.implicit.as_ref().expect("a unit for Modelica has equations");
    let mut out = comment(&page::of_model(unit), "// ");
    let _ = writeln!(out, "model {} {}", unit.stem, quoted(&unit.title));
    let mut told = Declarations { taken: taken(unit), used: BTreeSet::new(), lines: String::new() };
    let parameters = unit.parameters.len() - unit.input_count;
    for one in &unit.parameters[..parameters] {
        told.add("parameter ", &one.code, &one.unit, &[], &format!(" = {}", double(one.value)), &one.name);
    }
    let states = unit.coordinates.iter().chain(&unit.rates).zip(&implicit.fixed);
    states.for_each(|(one, &is_fixed)| told.state(one, is_fixed));
    unit.states.iter().for_each(|one| told.state(one, true));
    for (code, of) in implicit.accelerations.iter().zip(&unit.accelerations) {
        told.add("", code, of, &[], "", "");
    }
    for (code, says) in &implicit.multipliers {
        told.add("", code, "", &[], "", &format!("multiplier of {says}"));
    }
    for one in &unit.parameters[parameters..] {
        told.add("", &one.code, &one.unit, &[], "", &format!("input {}", one.name));
    }
    for (code, says) in &implicit.observes {
        told.add("output ", code, labelled_unit(says), &[], "", says);
    }
    for (event, (code, says)) in unit.events.iter().zip(&implicit.events) {
        told.add("", code, "", &[], "", says);
        if !event.stops {
            let [time, count] = seen(&told.taken, code);
            let _ =
                writeln!(told.lines, "  discrete Real {time}(start = 0.0, fixed = true) \"when it was last seen\";");
            let _ = writeln!(told.lines, "  Integer {count}(start = 0, fixed = true) \"how often it was seen\";");
        }
    }
    out += &(told.types() + &told.lines);
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

/// What keeps the last instant of an event, and how often it was seen.
fn seen(taken: &BTreeSet<&str>, code: &str) -> [String; 2] {
    ["time", "count"].map(|what| free(taken, format!("{code}_{what}")))
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
    let taken = taken(unit);
    for (event, (code, says)) in unit.events.iter().zip(&implicit.events) {
        let conditions =
            [(event.way >= 0).then(|| format!("{code} > 0.0")), (event.way <= 0).then(|| format!("{code} < 0.0"))];
        let conditions: Vec<String> = conditions.into_iter().flatten().collect();
        let any = if conditions.len() > 1 { format!("{{{}}}", conditions.join(", ")) } else { conditions.concat() };
        if event.stops {
            let _ = write!(out, "  when {any} then\n    terminate({});\n  end when;\n", quoted(says));
            continue;
        }
        let [time, count] = seen(&taken, code);
        let _ = write!(out, "  when {any} then\n    {time} = time;\n    {count} = pre({count}) + 1;\n  end when;\n");
    }
    out
}
