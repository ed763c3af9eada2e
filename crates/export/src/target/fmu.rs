//! FMUs of FMI 2.0 and 3.0, model exchange and co-simulation in one: a description, C sources, what to compile.

use std::fmt::Write;

use crate::target::c;
use crate::unit::{Quantity, Unit};
use crate::write::double;
use crate::{File, Fmi, Pack};

/// The sources that every unit has.
const UNIT_H: &str = include_str!("fmu/unit.h");
const UNIT_C: &str = include_str!("fmu/unit.c");
const FMI2_C: &str = include_str!("fmu/fmi2.c");
const FMI3_C: &str = include_str!("fmu/fmi3.c");

/// A variable of the description.
struct Variable {
    name: String,
    unit: String,
    causality: &'static str,
    variability: &'static str,
    initial: &'static str,
    start: Option<f64>,
    /// The place of the variable whose derivative it is.
    derivative: Option<usize>,
    says: String,
}

/// The files inside, and how they are packed.
pub fn files(unit: &Unit, fmi: Fmi) -> (Vec<File>, Pack) {
    let stem = &unit.stem;
    let variables = variables(unit, fmi);
    let interface = if fmi == Fmi::Two { "fmi2.c" } else { "fmi3.c" };
    let sources = [format!("{stem}.c"), "unit.c".to_owned(), interface.to_owned()];
    let file = |name: &str, text: String| File { name: name.to_owned(), text };
    let [header, source, _] = c::files(unit).try_into().expect("C has three files");
    let mut files = vec![
        file(
            "modelDescription.xml",
            match fmi {
                Fmi::Two => description2(unit, &variables, &sources),
                Fmi::Three => description3(unit, &variables),
            },
        ),
        file(&format!("sources/{}", header.name), header.text),
        file(&format!("sources/{}", source.name), source.text),
        file("sources/config.h", config(unit)),
        file("sources/unit.h", UNIT_H.to_owned()),
        file("sources/unit.c", UNIT_C.to_owned()),
        file(&format!("sources/{interface}"), if fmi == Fmi::Two { FMI2_C } else { FMI3_C }.to_owned()),
    ];
    if fmi == Fmi::Three {
        files.push(file("sources/buildDescription.xml", build(unit, &sources)));
    }
    let sources = sources.iter().map(|name| format!("sources/{name}")).collect();
    (files, Pack { name: format!("{stem}.fmu"), library: stem.clone(), sources, fmi })
}

/// How many entries a routine answers with.
fn count(unit: &Unit, name: &str) -> usize {
    unit.routines.iter().find(|one| one.name == name).map_or(0, |one| one.answers[0].len())
}

fn config(unit: &Unit) -> String {
    let stem = &unit.stem;
    let list = |values: Vec<String>| {
        if values.is_empty() { "{ 0 }".to_owned() } else { format!("{{ {} }}", values.join(", ")) }
    };
    let ways = unit.events.iter().map(|one| one.way.to_string()).collect();
    let stops = unit.events.iter().map(|one| i32::from(one.stops).to_string()).collect();
    let inputs = unit.input_count;
    let mut out = format!("/* What {stem} has. */\n#include \"{stem}.h\"\n\n#define UNIT(name) {stem}_##name\n");
    let _ = write!(
        out,
        "#define UNIT_TOKEN \"{}\"\n#define UNIT_WAYS {}\n#define UNIT_STOPS {}\n",
        token(unit),
        list(ways),
        list(stops)
    );
    for (name, value) in [
        ("COORDINATES", unit.n()),
        ("STATES", unit.size()),
        ("PARAMETERS", unit.parameters.len() - inputs),
        ("INPUTS", inputs),
        ("OBSERVES", count(unit, "observe")),
        ("REACTIONS", count(unit, "reactions")),
        ("EVENTS", count(unit, "events")),
        ("MODEL_EVENTS", unit.modes.as_ref().map_or(count(unit, "events"), |modes| modes.events)),
        ("RESIDUALS", count(unit, "residual")),
        ("HAS_PROJECTION", usize::from(!unit.levels.is_empty() || unit.modes.is_some())),
        ("HAS_LAWS", usize::from(count(unit, "inputs") > 0)),
        ("HAS_MODES", usize::from(unit.modes.is_some())),
    ] {
        let _ = writeln!(out, "#define UNIT_{name} {value}");
    }
    out
}

/// A word that belongs to this model and this version.
fn token(unit: &Unit) -> String {
    let word = &unit.hash;
    format!(
        "{{{}-{}-4{}-8{}-{}}}",
        &word[..8],
        &word[8..12],
        &word[12..15],
        &word[1..4],
        &format!("{word}{word}")[..12]
    )
}

/// All variables, in the order of their references; the first has reference 1.
fn variables(unit: &Unit, fmi: Fmi) -> Vec<Variable> {
    let n = unit.n();
    let mut list: Vec<Variable> = Vec::new();
    let fixed = |k: usize| if unit.solved.get(k).copied().unwrap_or(false) { "approx" } else { "exact" };
    for (k, one) in unit.coordinates.iter().enumerate() {
        list.push(moving(one.name.clone(), &one.unit, fixed(k), Some(one.value), None, ""));
    }
    for (k, (q, rate)) in unit.coordinates.iter().zip(&unit.rates).enumerate() {
        list.push(moving(format!("der({})", q.name), &rate.unit, fixed(n + k), Some(rate.value), Some(k), ""));
    }
    for one in &unit.states {
        list.push(moving(one.name.clone(), &one.unit, "exact", Some(one.value), None, ""));
    }
    for (k, q) in unit.coordinates.iter().enumerate() {
        let name = format!("der({},2)", q.name);
        let mut one = moving(name, &unit.accelerations[k], "calculated", None, Some(n + k), "");
        one.causality = "local";
        list.push(one);
    }
    for (k, (state, of)) in unit.states.iter().zip(&unit.laws).enumerate() {
        let mut one = moving(format!("der({})", state.name), of, "calculated", None, Some(2 * n + k), "");
        one.causality = "local";
        list.push(one);
    }
    let inputs = unit.parameters.len() - unit.input_count;
    for (k, one) in unit.parameters.iter().enumerate() {
        list.push(given(one, k >= inputs, unit.may_change(one)));
    }
    for (routine, wrapped) in [("observe", false), ("reactions", true)] {
        let entries =
            unit.routines.iter().find(|one| one.name == routine).map_or(&[][..], |one| &one.answers[0].entries);
        for entry in entries {
            let (name, of) = entry.strip_suffix(']').and_then(|one| one.rsplit_once(" [")).unwrap_or((entry, ""));
            let name = if wrapped { format!("multiplier({name})") } else { name.to_owned() };
            list.push(moving(name, of, "calculated", None, None, ""));
        }
    }
    if fmi == Fmi::Three {
        let entries =
            unit.routines.iter().find(|one| one.name == "events").map_or(&[][..], |one| &one.answers[0].entries);
        for (k, says) in entries.iter().enumerate() {
            let mut one = moving(format!("event_indicator({})", k + 1), "", "calculated", None, None, says);
            one.causality = "local";
            list.push(one);
        }
    }
    unique(&mut list);
    list
}

fn unique(list: &mut [Variable]) {
    let mut seen = std::collections::BTreeSet::from(["time".to_owned()]);
    for one in list {
        while !seen.insert(one.name.clone()) {
            one.name.push('_');
        }
    }
}

fn moving(
    name: String,
    unit: &str,
    initial: &'static str,
    start: Option<f64>,
    derivative: Option<usize>,
    says: &str,
) -> Variable {
    let (causality, variability, says) = ("output", "continuous", says.to_owned());
    Variable { name, unit: unit.to_owned(), causality, variability, initial, start, derivative, says }
}

/// A parameter or an input; what is built into the equations cannot be set.
fn given(one: &Quantity, is_input: bool, may_change: bool) -> Variable {
    let (causality, variability, initial, says) = match (is_input, may_change) {
        (true, _) => ("input", "continuous", "", "follows the law of the model until it is set"),
        (false, true) => ("parameter", "tunable", "exact", ""),
        (false, false) => ("local", "constant", "exact", "built into the equations"),
    };
    let says = says.to_owned();
    let (name, unit, start) = (one.name.clone(), one.unit.clone(), Some(one.value));
    Variable { name, unit, causality, variability, initial, start, derivative: None, says }
}

fn escaped(text: &str) -> String {
    let tame = text.replace(char::is_control, " ");
    tame.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn attribute(out: &mut String, name: &str, value: &str) {
    if !value.is_empty() {
        let _ = write!(out, " {name}=\"{}\"", escaped(value));
    }
}

fn tool() -> String {
    format!("Anholon {}", env!("CARGO_PKG_VERSION"))
}

fn top(unit: &Unit, version: &str, token_name: &str) -> String {
    let mut out = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"{version}\"");
    attribute(&mut out, "modelName", &unit.stem);
    attribute(&mut out, token_name, &token(unit));
    attribute(&mut out, "description", if unit.title.is_empty() { &unit.file } else { &unit.title });
    attribute(&mut out, "generationTool", &tool());
    attribute(&mut out, "variableNamingConvention", "flat");
    out
}

const CAN: &str =
    "canGetAndSetFMUSTATE=\"true\" canSerializeFMUSTATE=\"true\" providesDirectionalDerivativePLURAL=\"ALONG\"";

/// What a unit can do; derivatives along directions are those of one mode, and a unit with modes has none.
fn can(unit: &Unit, is_three: bool) -> String {
    let (state, plural) = if is_three { ("State", "s") } else { ("state", "") };
    let along = if unit.modes.is_some() { "false" } else { "true" };
    CAN.replace("STATE", state).replace("PLURAL", plural).replace("ALONG", along)
}

fn experiment(unit: &Unit) -> String {
    format!(
        "  <DefaultExperiment startTime=\"{}\" stopTime=\"{}\" tolerance=\"1e-10\" stepSize=\"0.01\"/>\n",
        double(unit.t0),
        double(unit.t0 + 10.0)
    )
}

fn description2(unit: &Unit, variables: &[Variable], sources: &[String]) -> String {
    let stem = &unit.stem;
    let mut out = top(unit, "2.0", "guid");
    let _ = writeln!(out, " numberOfEventIndicators=\"{}\">", count(unit, "events"));
    let files: String = sources.iter().map(|name| format!("      <File name=\"{name}\"/>\n")).collect();
    let kind = |name: &str, more: &str| {
        format!(
            "  <{name} modelIdentifier=\"{stem}\"{more} {}>\n    <SourceFiles>\n{files}    </SourceFiles>\n  </{name}>\n",
            can(unit, false)
        )
    };
    out += &kind("ModelExchange", "");
    out += &kind("CoSimulation", " canHandleVariableCommunicationStepSize=\"true\"");
    out += &units(variables);
    out += &experiment(unit);
    out += "  <ModelVariables>\n";
    for (k, one) in variables.iter().enumerate() {
        let _ = write!(out, "    <ScalarVariable name=\"{}\" valueReference=\"{}\"", escaped(&one.name), k + 1);
        attribute(&mut out, "description", &one.says);
        attribute(&mut out, "causality", one.causality);
        attribute(&mut out, "variability", one.variability);
        attribute(&mut out, "initial", one.initial);
        out += "><Real";
        attribute(&mut out, "unit", &one.unit);
        attribute(&mut out, "start", &one.start.map_or(String::new(), double));
        attribute(&mut out, "derivative", &one.derivative.map_or(String::new(), |k| (k + 1).to_string()));
        out += "/></ScalarVariable>\n";
    }
    out += "  </ModelVariables>\n  <ModelStructure>\n";
    let list = |name: &str, is: &dyn Fn(&Variable) -> bool| -> String {
        let chosen = variables.iter().enumerate().filter(|one| is(one.1));
        let lines: String = chosen.map(|(k, _)| format!("      <Unknown index=\"{}\"/>\n", k + 1)).collect();
        if lines.is_empty() { String::new() } else { format!("    <{name}>\n{lines}    </{name}>\n") }
    };
    out += &list("Outputs", &|one| one.causality == "output");
    out += &list("Derivatives", &|one| one.derivative.is_some());
    out += &list("InitialUnknowns", &|one| matches!(one.initial, "approx" | "calculated"));
    out + "  </ModelStructure>\n</fmiModelDescription>\n"
}

fn description3(unit: &Unit, variables: &[Variable]) -> String {
    let stem = &unit.stem;
    let mut out = top(unit, "3.0", "instantiationToken") + ">\n";
    let _ = writeln!(
        out,
        "  <ModelExchange modelIdentifier=\"{stem}\" needsCompletedIntegratorStep=\"true\" {}/>",
        can(unit, true)
    );
    let _ = writeln!(
        out,
        "  <CoSimulation modelIdentifier=\"{stem}\" canHandleVariableCommunicationStepSize=\"true\" {}/>",
        can(unit, true)
    );
    out += &units(variables);
    out += &experiment(unit);
    out += "  <ModelVariables>\n    <Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" variability=\"continuous\"/>\n";
    for (k, one) in variables.iter().enumerate() {
        let _ = write!(out, "    <Float64 name=\"{}\" valueReference=\"{}\"", escaped(&one.name), k + 1);
        attribute(&mut out, "description", &one.says);
        attribute(&mut out, "causality", one.causality);
        attribute(&mut out, "variability", one.variability);
        attribute(&mut out, "initial", one.initial);
        attribute(&mut out, "unit", &one.unit);
        attribute(&mut out, "start", &one.start.map_or(String::new(), double));
        attribute(&mut out, "derivative", &one.derivative.map_or(String::new(), |k| (k + 1).to_string()));
        out += "/>\n";
    }
    out += "  </ModelVariables>\n  <ModelStructure>\n";
    let list = |name: &str, is: &dyn Fn(&Variable) -> bool| -> String {
        let chosen = variables.iter().enumerate().filter(|one| is(one.1));
        chosen.map(|(k, _)| format!("    <{name} valueReference=\"{}\"/>\n", k + 1)).collect()
    };
    let is_event = |one: &Variable| one.name.starts_with("event_indicator(");
    out += &list("Output", &|one| one.causality == "output");
    out += &list("ContinuousStateDerivative", &|one| one.derivative.is_some());
    out += &list("InitialUnknown", &|one| matches!(one.initial, "approx" | "calculated") && !is_event(one));
    out += &list("EventIndicator", &|one| is_event(one));
    out + "  </ModelStructure>\n</fmiModelDescription>\n"
}

fn build(unit: &Unit, sources: &[String]) -> String {
    let files: String = sources.iter().map(|name| format!("      <SourceFile name=\"{name}\"/>\n")).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n  \
         <BuildConfiguration modelIdentifier=\"{}\">\n    <SourceFileSet language=\"C99\">\n{files}    </SourceFileSet>\n    \
         <Library name=\"m\"/>\n  </BuildConfiguration>\n</fmiBuildDescription>\n",
        unit.stem
    )
}

/// The units that occur, in those of the standard.
fn units(variables: &[Variable]) -> String {
    let names: std::collections::BTreeSet<&str> =
        variables.iter().map(|one| one.unit.as_str()).filter(|unit| !unit.is_empty()).collect();
    if names.is_empty() {
        return String::new();
    }
    let mut out = String::from("  <UnitDefinitions>\n");
    for name in names {
        let _ = write!(out, "    <Unit name=\"{}\">", escaped(name));
        if let Some(powers) = powers(name) {
            out += "<BaseUnit";
            for (base, power) in BASES.iter().zip(powers).filter(|one| one.1 != 0) {
                let _ = write!(out, " {base}=\"{power}\"");
            }
            out += "/>";
        }
        out += "</Unit>\n";
    }
    out + "  </UnitDefinitions>\n"
}

const BASES: [&str; 4] = ["kg", "m", "s", "rad"];

/// The powers of kg, m, s and rad in a unit such as `N*m/rad^2`; nothing if a word in it is unknown.
fn powers(unit: &str) -> Option<[i64; 4]> {
    const NAMED: [(&str, [i64; 4]); 9] = [
        ("kg", [1, 0, 0, 0]),
        ("m", [0, 1, 0, 0]),
        ("s", [0, 0, 1, 0]),
        ("rad", [0, 0, 0, 1]),
        ("N", [1, 1, -2, 0]),
        ("J", [1, 2, -2, 0]),
        ("W", [1, 2, -3, 0]),
        ("Pa", [1, -1, -2, 0]),
        ("Hz", [0, 0, -1, 0]),
    ];
    let mut total = [0; 4];
    let (mut sign, mut rest) = (1, unit);
    loop {
        let end = rest.find(['*', '/']).unwrap_or(rest.len());
        let word = rest[..end].trim();
        let (name, power) = word.split_once('^').unwrap_or((word, "1"));
        let power: i64 = power.trim_matches(['(', ')']).parse().ok()?;
        if name != "1" {
            let base = NAMED.iter().find(|one| one.0 == name)?.1;
            total.iter_mut().zip(base).for_each(|(sum, one)| *sum += sign * power * one);
        }
        match rest.get(end..end + 1) {
            Some("*") => sign = 1,
            Some(_) => sign = -1,
            None => return Some(total),
        }
        rest = &rest[end + 1..];
    }
}

#[cfg(test)]
mod tests {
    use super::powers;

    #[test]
    fn units_are_powers_of_base_units() {
        assert_eq!(powers("N*m/rad^2"), Some([1, 2, -2, -2]));
        assert_eq!(powers("kg*m^2/s^2"), Some([1, 2, -2, 0]));
        assert_eq!(powers("1/s"), Some([0, 0, -1, 0]));
        assert_eq!(powers("furlong"), None);
    }
}
