//! What does an editor need to know? The names of a model with their values and units, the words of the language, the gallery.

use anholon::Model;
use anholon::answer::{Found, StartValue};
use serde_json::{Value, json};

/// The words of the language.
pub fn words() -> Value {
    let words = ::model::vocabulary();
    let list = |all: &[::model::Word]| -> Vec<Value> {
        all.iter().map(|one| json!({ "word": one.word, "usage": one.usage })).collect()
    };
    json!({
        "keywords": list(&words.keywords),
        "inner": words.inner,
        "functions": list(&words.functions),
        "units": words.units,
    })
}

/// The models and claims of the gallery.
pub fn library() -> Value {
    let models = anholon::library::GALLERY
        .iter()
        .map(|one| json!({ "name": one.name, "family": one.family, "title": one.title(), "text": one.text }));
    let claims = anholon::library::CLAIMS
        .iter()
        .map(|one| json!({ "name": one.name, "model": one.model, "title": one.title(), "text": one.text }));
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "models": models.collect::<Vec<_>>(),
        "claims": claims.collect::<Vec<_>>(),
    })
}

/// The names of a model: what each is, its unit, its value at the first state.
///
/// `parameters` and `start` are what a slider may change: numbers of the model, and values that its `start` gives.
pub fn of(model: &Model) -> Value {
    let _in = model.enter();
    let system = &model.system;
    let mut all: Vec<Value> = Vec::new();
    let mut add = |name: &str, kind: &str, unit: Option<String>, value: Option<f64>, told: String| {
        all.push(json!({ "name": name, "kind": kind, "unit": unit, "value": value, "told": told }));
    };
    let unit = |dimension: &Option<::model::Dimension>| dimension.as_ref().map(ToString::to_string);
    let mut parameters: Vec<Value> = Vec::new();
    for (one, value) in system.parameters.iter().zip(&model.start.parameters) {
        // one that follows from others is no slider
        let definition = one.definition.filter(|e| !e.is_constant()).map(|e| e.to_string());
        let told = definition.as_ref().map_or(String::new(), |text| format!("{} = {text}", one.name));
        if definition.is_none() {
            parameters.push(json!({ "name": one.name, "unit": unit(&one.dimension), "value": value }));
        }
        add(&one.name, "parameter", unit(&one.dimension), *value, told);
    }
    let coordinate_units = anholon::answer::coordinate_units(model).0;
    let unit_of = |name: &str| coordinate_units.iter().find(|(known, _)| known == name).map(|(_, unit)| unit.clone());
    for (one, value) in system.coordinates.iter().zip(&model.start.coordinates) {
        add(&one.name, "coordinate", unit_of(&one.name), value.number, String::new());
    }
    for one in &system.speeds {
        add(&one.name, "speed", None, None, format!("{} = {}", one.name, one.definition));
    }
    for one in &system.inputs {
        let told = one.value.map_or(String::new(), |value| format!("{} = {value}", one.name));
        add(&one.name, "input", unit(&one.dimension), None, told);
    }
    for (one, value) in system.states.iter().zip(&model.start.states) {
        add(&one.name, "state", unit(&one.dimension), value.number, format!("{}' = {}", one.name, one.rate));
    }
    for one in &system.unknowns {
        add(&one.name, "unknown load", unit(&one.dimension), None, String::new());
    }
    system.frames.iter().for_each(|one| add(&one.name, "frame", None, None, String::new()));
    for one in &system.points {
        let what = if one.mass.is_some() { "particle" } else { "point" };
        add(&one.name, what, None, None, one.mass.map_or(String::new(), |mass| format!("mass {mass}")));
    }
    for one in &system.bodies {
        add(&one.name, "body", None, None, format!("mass {}", one.mass));
    }
    for one in &system.observes {
        add(&one.name, "output", None, None, String::new());
    }
    let mut labels: Vec<&str> = system.constraints.iter().map(|one| one.name.as_str()).collect();
    labels.extend(system.contacts.iter().map(|one| one.name.as_str()));
    labels.sort_unstable();
    labels.dedup();
    json!({
        "title": system.title,
        "names": all,
        "labels": labels,
        "parameters": parameters,
        "start": starts(model),
        "remarks": model.remarks,
    })
}

/// Coordinates and rates that the start gives or leaves at zero; those that follow from constraints are no sliders.
fn starts(model: &Model) -> Vec<Value> {
    let (system, start) = (&model.system, &model.start);
    let units = anholon::answer::coordinate_units(model).0;
    let of = |values: &[StartValue], mark: &str, over: &str| -> Vec<Value> {
        let rows = system.coordinates.iter().zip(values).filter(|(_, value)| value.found != Found::Solved);
        rows.filter_map(|(one, value)| {
            let unit = units.iter().find(|(name, _)| *name == one.name).map_or("", |(_, unit)| unit);
            let unit = if unit.is_empty() { String::new() } else { format!("{unit}{over}") };
            Some(json!({ "name": format!("{}{mark}", one.name), "unit": unit, "value": value.number? }))
        })
        .collect()
    };
    [of(&start.coordinates, "", ""), of(&start.rates, "'", "/s")].concat()
}
