//! How does a model travel between programs? As JSON with documented keys, expressions as text.
//!
//! ```text
//! {"anholon": 1, "declarations": [{"keyword": "param", "values": [{"name": "m", "value": "1.3 kg"}]}, …]}
//!
//! system source note    texts: […]
//! param                 values: [{name, value}]   or   names: […], unit
//! coord                 coordinates: [{name, from?, to?}], unit?
//! speed observe         name, value               inverse   rate, value        dependent   rates: […]
//! let                   name, arguments?: […], value
//! input                 name, unit, value?        unknown   names: […], unit
//! frame                 name, parent, turns: [{about, angle}]   or   quaternion
//! point                 name, position, mass?, exhaust?
//! body                  name, mass, at, frame, inertia, about?
//! gravity potential kinetic dissipation           value
//! force                 value, on, at?, against?  torque    value, on, against?
//! generalized           value, on                 friction restitution   value, on
//! spring                stiffness, rest?, from, to          damper   coefficient, from, to
//! constraint            label, relation, from?, until?
//! contact               label, what, motion, along?, shape?: {kind, arguments: […]}, at?,
//!                       normal, distance, of?, unilateral
//! assume                relation                  stop record   name?, when
//! start guess           equations: […]
//! expect claim          label, fact: {relation, at?: "start" | […], within?} | {constant} |
//!                       {event, at, within?} | {freedoms} | {equilibrium: […], stability?}
//! every line            for?: [{index, from, to}]
//! ```

use serde_json::{Map, Value, json};
use syntax::{NodeKind, Range, Relation, nearest};

use crate::declaration::*;
use crate::print::{self, name, node, relation, unit};
use crate::words::KEYWORDS;
use crate::{Model, Parsed};

/// The model as JSON; comments and places are left out.
pub fn to_json(model: &Model) -> Value {
    let lines: Vec<Value> = model.lines.iter().map(line_to_json).collect();
    json!({ "anholon": 1, "declarations": lines })
}

/// Reads what [`to_json`] wrote, or another program; the error names the key that is wrong.
///
/// The declarations are written as text and read from it, so that messages show text.
///
/// ```
/// let model = model::parse("", "coord x : m\nstart x = 1 m").model.unwrap();
/// let again = model::from_json(&model::to_json(&model)).unwrap().model.unwrap();
/// assert_eq!(model::print(&again), model::print(&model));
/// ```
pub fn from_json(value: &Value) -> Result<Parsed, String> {
    let declarations = value.get("declarations").and_then(Value::as_array);
    let declarations = declarations.ok_or("a model in JSON has a list `declarations`")?;
    let mut text = String::new();
    for (at, declaration) in declarations.iter().enumerate() {
        let line = line_from_json(declaration).map_err(|error| format!("declarations[{at}]: {error}"))?;
        text += &format!("{line}\n");
    }
    Ok(crate::parse("<json>", &text))
}

// ---------------------------------------------------------------------------------------------
// Out

fn line_to_json(line: &Line) -> Value {
    let mut keys = Map::new();
    keys.insert("keyword".to_owned(), line.declaration.keyword().into());
    let Value::Object(rest) = declaration_to_json(&line.declaration) else {
        return Value::Object(keys);
    };
    keys.extend(rest.into_iter().filter(|(_, value)| !value.is_null()));
    if !line.ranges.is_empty() {
        let ranges = line.ranges.iter();
        let ranges =
            ranges.map(|Range { index, from, to, .. }| json!({"index": index, "from": node(from), "to": node(to)}));
        keys.insert("for".to_owned(), ranges.collect());
    }
    Value::Object(keys)
}

fn declaration_to_json(declaration: &Declaration) -> Value {
    match declaration {
        Declaration::System(text) | Declaration::Source(text) | Declaration::Note(text) => {
            json!({ "texts": text.texts })
        }
        Declaration::Param(Param::Values(values)) => {
            let value = |of: &Definition| json!({"name": name(&of.name), "value": node(&of.value)});
            json!({ "values": values.iter().map(value).collect::<Vec<_>>() })
        }
        Declaration::Param(Param::Unit { names, unit: of }) | Declaration::Unknown(Unknown { names, unit: of }) => {
            json!({"names": all(names, name), "unit": unit(of)})
        }
        Declaration::Coord(Coord { families, unit: of }) => {
            json!({"coordinates": families.iter().map(family_to_json).collect::<Vec<_>>(), "unit": of.as_ref().map(unit)})
        }
        Declaration::Speed(of) | Declaration::Observe(of) => json!({"name": name(&of.name), "value": node(&of.value)}),
        Declaration::Inverse(Inverse { rate, value }) => json!({"rate": name(rate) + "'", "value": node(value)}),
        Declaration::Dependent(Dependent { rates }) => json!({"rates": all(rates, |rate| name(rate) + "'")}),
        Declaration::Let(Let { name: of, arguments, value }) => {
            let arguments = (!arguments.is_empty()).then(|| all(arguments, name));
            json!({"name": name(of), "arguments": arguments, "value": node(value)})
        }
        Declaration::Input(Input { name: of, unit: in_unit, value }) => {
            json!({"name": name(of), "unit": unit(in_unit), "value": value.as_ref().map(node)})
        }
        Declaration::Frame(Frame { name: of, parent, orientation }) => match orientation {
            Orientation::Quaternion(tuple) => {
                json!({"name": name(of), "parent": name(parent), "quaternion": node(tuple)})
            }
            Orientation::Rotated(turns) => {
                let turns: Vec<Value> = turns.iter().map(turn_to_json).collect();
                json!({"name": name(of), "parent": name(parent), "turns": turns})
            }
        },
        Declaration::Point(Point { name: of, position, mass, exhaust }) => json!({
            "name": name(of), "position": node(position),
            "mass": mass.as_ref().map(node), "exhaust": exhaust.as_ref().map(node),
        }),
        Declaration::Body(Body { name: of, mass, at, frame, inertia, about }) => json!({
            "name": name(of), "mass": node(mass), "at": node(at), "frame": name(frame),
            "inertia": node(inertia), "about": about.as_ref().map(node),
        }),
        Declaration::Gravity(of)
        | Declaration::Potential(of)
        | Declaration::Kinetic(of)
        | Declaration::Dissipation(of) => json!({"value": node(&of.value)}),
        Declaration::Force(Force { value, on, at, against }) => json!({
            "value": node(value), "on": name(on), "at": at.as_ref().map(node), "against": against.as_ref().map(name),
        }),
        Declaration::Torque(Torque { value, on, against }) => {
            json!({"value": node(value), "on": name(on), "against": against.as_ref().map(name)})
        }
        Declaration::GeneralizedForce(GeneralizedForce { value, on })
        | Declaration::Friction(Surface { value, on })
        | Declaration::Restitution(Surface { value, on }) => json!({"value": node(value), "on": name(on)}),
        Declaration::Spring(Spring { stiffness, rest, from, to }) => json!({
            "stiffness": node(stiffness), "rest": rest.as_ref().map(node), "from": node(from), "to": node(to),
        }),
        Declaration::Damper(Damper { coefficient, from, to }) => {
            json!({"coefficient": node(coefficient), "from": node(from), "to": node(to)})
        }
        Declaration::Constraint(Constraint { label, relation: holds, from, until }) => json!({
            "label": name(label), "relation": relation(holds),
            "from": from.as_ref().map(relation), "until": until.as_ref().map(relation),
        }),
        Declaration::Contact(contact) => contact_to_json(contact),
        Declaration::Assume(assume) => json!({"relation": relation(&assume.relation)}),
        Declaration::Stop(event) | Declaration::Record(event) => {
            json!({"name": event.name.as_ref().map(name), "when": relation(&event.when)})
        }
        Declaration::Start(of) | Declaration::Guess(of) => json!({"equations": all(&of.equations, relation)}),
        Declaration::Expect(of) | Declaration::Claim(of) => {
            json!({"label": name(&of.label), "fact": without_null(fact_to_json(&of.fact))})
        }
    }
}

fn family_to_json(family: &Family) -> Value {
    let (from, to) = family.bounds.as_ref().map(|(from, to)| (node(from), node(to))).unzip();
    without_null(json!({"name": family.name, "from": from, "to": to}))
}

fn turn_to_json(turn: &Turn) -> Value {
    let about = match &turn.about {
        TurnAxis::Own(axis) => axis.symbol().to_owned(),
        TurnAxis::Direction(direction) => node(direction),
    };
    json!({"about": about, "angle": node(&turn.angle)})
}

fn contact_to_json(contact: &Contact) -> Value {
    let (motion, along) = match &contact.motion {
        Motion::Rolls => ("rolls", None),
        Motion::Slides => ("slides", None),
        Motion::Skates(along) => ("skates", Some(node(along))),
    };
    let (normal, distance) = match &contact.plane.kind {
        NodeKind::Tuple(entries) if entries.len() == 2 => (node(&entries[0]), node(&entries[1])),
        _ => (node(&contact.plane), "0".to_owned()),
    };
    let shape = contact.shape.as_ref();
    let shape = shape.map(|shape| json!({"kind": shape.kind.word(), "arguments": all(&shape.arguments, node)}));
    json!({
        "label": name(&contact.label), "what": name(&contact.what), "motion": motion, "along": along, "shape": shape,
        "at": contact.at.as_ref().map(node), "normal": normal, "distance": distance,
        "of": contact.of.as_ref().map(name), "unilateral": contact.unilateral,
    })
}

fn fact_to_json(fact: &Fact) -> Value {
    match fact {
        Fact::Relation { relation: holds, at, within } => {
            let at = at.as_ref().map(|at| match at {
                At::Start => Value::from("start"),
                At::Equations(equations) => all(equations, relation).into(),
            });
            json!({"relation": relation(holds), "at": at, "within": within.as_ref().map(node)})
        }
        Fact::Constant(value) => json!({"constant": node(value)}),
        Fact::Event { event, at, within } => {
            json!({"event": name(event), "at": relation(at), "within": within.as_ref().map(node)})
        }
        Fact::Freedoms(value) => json!({"freedoms": node(value)}),
        Fact::Equilibrium { equations, stability } => {
            json!({"equilibrium": all(equations, relation), "stability": stability.map(Stability::word)})
        }
    }
}

fn all<T>(entries: &[T], write: impl Fn(&T) -> String) -> Vec<String> {
    entries.iter().map(write).collect()
}

fn without_null(value: Value) -> Value {
    match value {
        Value::Object(keys) => Value::Object(keys.into_iter().filter(|(_, value)| !value.is_null()).collect()),
        other => other,
    }
}

// ---------------------------------------------------------------------------------------------
// In

/// The keys of one object, taken out one after another; what is left over is a mistake.
struct Keys<'a> {
    keys: &'a Map<String, Value>,
    taken: Vec<&'static str>,
}

type Text = Result<String, String>;

fn line_from_json(value: &Value) -> Text {
    let mut keys = Keys::of(value)?;
    let keyword = keys.string("keyword")?;
    let Some(keyword) = KEYWORDS.iter().map(|known| known.word).find(|known| *known == keyword) else {
        let near = nearest(&keyword, KEYWORDS.iter().map(|known| known.word));
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return Err(format!("`{keyword}` is not a keyword{hint}"));
    };
    let mut line = format!("{keyword} {}", declaration_from_json(keyword, &mut keys)?);
    let ranges = keys.objects("for", |keys| {
        Ok(format!("{} in {}..{}", keys.name("index")?, keys.expression("from")?, keys.expression("to")?))
    })?;
    if !ranges.is_empty() {
        line += &format!(" for {}", ranges.join(", "));
    }
    keys.end()?;
    Ok(line)
}

fn declaration_from_json(keyword: &str, keys: &mut Keys<'_>) -> Text {
    Ok(match keyword {
        "system" | "source" | "note" => keys.texts("texts")?,
        "param" if keys.has("values") => keys
            .objects("values", |keys| Ok(format!("{} = {}", keys.name("name")?, keys.expression("value")?)))?
            .join(", "),
        "param" | "unknown" => format!("{} : {}", keys.list("names", read_name)?, keys.unit("unit")?),
        "coord" => {
            let families = keys.objects("coordinates", |keys| {
                let name = keys.name("name")?;
                match keys.has("from") {
                    true => Ok(format!("{name}[{}..{}]", keys.expression("from")?, keys.expression("to")?)),
                    false => Ok(name),
                }
            })?;
            let unit = if keys.has("unit") { format!(" : {}", keys.unit("unit")?) } else { String::new() };
            families.join(", ") + &unit
        }
        "speed" | "observe" => format!("{} = {}", keys.name("name")?, keys.expression("value")?),
        "inverse" => format!("{} = {}", keys.read("rate", read_rate)?, keys.expression("value")?),
        "dependent" => keys.list("rates", read_rate)?,
        "let" => {
            let name = keys.name("name")?;
            let arguments =
                if keys.has("arguments") { format!("({})", keys.list("arguments", read_name)?) } else { String::new() };
            format!("{name}{arguments} = {}", keys.expression("value")?)
        }
        "input" => {
            let start = format!("{} : {}", keys.name("name")?, keys.unit("unit")?);
            start + &keys.optional(" = ", "value", read_expression)?
        }
        "frame" => frame_from_json(keys)?,
        "point" => {
            let start = format!("{} = {}", keys.name("name")?, keys.expression("position")?);
            let mass = keys.optional(" mass ", "mass", read_expression)?;
            start + &mass + &keys.optional(" exhaust ", "exhaust", read_expression)?
        }
        "body" => {
            let start = format!("{} mass {}", keys.name("name")?, keys.expression("mass")?);
            let place = format!(" at {} frame {}", keys.expression("at")?, keys.name("frame")?);
            let inertia = format!(" inertia {}", keys.expression("inertia")?);
            start + &place + &inertia + &keys.optional(" about ", "about", read_expression)?
        }
        "gravity" | "potential" | "kinetic" | "dissipation" => keys.expression("value")?,
        "force" => {
            let start = format!("{} on {}", keys.expression("value")?, keys.name("on")?);
            let at = keys.optional(" at ", "at", read_expression)?;
            start + &at + &keys.optional(" against ", "against", read_name)?
        }
        "torque" => {
            let start = format!("{} on {}", keys.expression("value")?, keys.name("on")?);
            start + &keys.optional(" against ", "against", read_name)?
        }
        "generalized" => format!("force {} on {}", keys.expression("value")?, keys.name("on")?),
        "friction" | "restitution" => format!("{} on {}", keys.expression("value")?, keys.name("on")?),
        "spring" => {
            let start = keys.expression("stiffness")? + &keys.optional(" rest ", "rest", read_expression)?;
            format!("{start} between {} and {}", keys.expression("from")?, keys.expression("to")?)
        }
        "damper" => {
            let start = keys.expression("coefficient")?;
            format!("{start} between {} and {}", keys.expression("from")?, keys.expression("to")?)
        }
        "constraint" => {
            let start = format!("{}: {}", keys.name("label")?, keys.relation("relation")?);
            let from = keys.optional(" from ", "from", read_relation)?;
            start + &from + &keys.optional(" until ", "until", read_relation)?
        }
        "contact" => contact_from_json(keys)?,
        "assume" => keys.relation("relation")?,
        "stop" | "record" => {
            let name = if keys.has("name") { keys.name("name")? + " " } else { String::new() };
            format!("{name}when {}", keys.relation("when")?)
        }
        "start" | "guess" => keys.list("equations", read_relation)?,
        "expect" | "claim" => {
            let label = keys.name("label")?;
            keys.taken.push("fact");
            let fact = keys.keys.get("fact").ok_or("the key `fact` is missing")?;
            format!("{label}: {}", fact_from_json(fact)?)
        }
        other => return Err(format!("`{other}` is not a keyword")),
    })
}

fn frame_from_json(keys: &mut Keys<'_>) -> Text {
    let start = format!("{} = {}", keys.name("name")?, keys.name("parent")?);
    if keys.has("quaternion") {
        return Ok(format!("{start} quaternion {}", keys.expression("quaternion")?));
    }
    let turns =
        keys.objects("turns", |keys| Ok(format!("{} by {}", keys.expression("about")?, keys.expression("angle")?)))?;
    Ok(format!("{start} rotated {}", turns.join(", ")))
}

fn contact_from_json(keys: &mut Keys<'_>) -> Text {
    let mut text = format!("{}: {} ", keys.name("label")?, keys.name("what")?);
    text += &match keys.name("motion")?.as_str() {
        "skates" => format!("skates along {}", keys.expression("along")?),
        motion => motion.to_owned(),
    };
    if keys.has("shape") {
        keys.taken.push("shape");
        let mut shape = Keys::of(&keys.keys["shape"])?;
        text += &format!(" as {}({})", shape.name("kind")?, shape.list("arguments", read_expression)?);
        shape.end()?;
    }
    text += &keys.optional(" at ", "at", read_expression)?;
    text += &format!(" on plane({}, {})", keys.expression("normal")?, keys.expression("distance")?);
    text += &keys.optional(" of ", "of", read_name)?;
    keys.taken.push("unilateral");
    match keys.keys.get("unilateral") {
        None | Some(Value::Bool(false)) => {}
        Some(Value::Bool(true)) => text += " unilateral",
        Some(_) => return Err("`unilateral` is true or false".to_owned()),
    }
    Ok(text)
}

fn fact_from_json(value: &Value) -> Text {
    let mut keys = Keys::of(value)?;
    let text = if keys.has("constant") {
        format!("constant {}", keys.expression("constant")?)
    } else if keys.has("freedoms") {
        format!("freedoms = {}", keys.expression("freedoms")?)
    } else if keys.has("equilibrium") {
        let equations = keys.list("equilibrium", read_relation)?;
        format!("equilibrium {equations}{}", keys.optional(" ", "stability", read_name)?)
    } else if keys.has("event") {
        let start = format!("event {} at {}", keys.name("event")?, keys.relation("at")?);
        start + &keys.optional(" within ", "within", read_expression)?
    } else {
        let holds = keys.string("relation")?;
        let holds = syntax::parse_relation(&holds).map_err(|errors| wrong("relation", &holds, &errors))?;
        let holds = Fact::Relation { relation: holds, at: None, within: None };
        let at = match keys.keys.get("at") {
            None => String::new(),
            Some(Value::String(at)) if at == "start" => {
                keys.taken.push("at");
                " at start".to_owned()
            }
            Some(_) => format!(" at {}", keys.list("at", read_relation)?),
        };
        print::fact(&holds) + &at + &keys.optional(" within ", "within", read_expression)?
    };
    keys.end()?;
    Ok(text)
}

impl<'a> Keys<'a> {
    fn of(value: &'a Value) -> Result<Keys<'a>, String> {
        let keys = value.as_object().ok_or("an object with keys is expected")?;
        Ok(Keys { keys, taken: Vec::new() })
    }

    fn has(&self, key: &str) -> bool {
        self.keys.get(key).is_some_and(|value| !value.is_null())
    }

    fn string(&mut self, key: &'static str) -> Text {
        self.taken.push(key);
        match self.keys.get(key) {
            Some(Value::String(text)) => Ok(text.clone()),
            Some(Value::Number(number)) => Ok(number.to_string()),
            Some(_) => Err(format!("the key `{key}` is a text")),
            None => Err(format!("the key `{key}` is missing")),
        }
    }

    fn read(&mut self, key: &'static str, read: impl Fn(&str, &str) -> Text) -> Text {
        let text = self.string(key)?;
        read(key, &text)
    }

    fn name(&mut self, key: &'static str) -> Text {
        self.read(key, read_name)
    }

    fn expression(&mut self, key: &'static str) -> Text {
        self.read(key, read_expression)
    }

    fn relation(&mut self, key: &'static str) -> Text {
        self.read(key, read_relation)
    }

    fn unit(&mut self, key: &'static str) -> Text {
        self.read(key, |key, text| match syntax::parse_unit(text) {
            Ok(of) => Ok(unit(&of)),
            Err(errors) => Err(wrong(key, text, &errors)),
        })
    }

    fn optional(&mut self, before: &str, key: &'static str, read: impl Fn(&str, &str) -> Text) -> Text {
        match self.has(key) {
            true => Ok(format!("{before}{}", self.read(key, read)?)),
            false => Ok(String::new()),
        }
    }

    fn array(&mut self, key: &'static str) -> Result<&'a [Value], String> {
        self.taken.push(key);
        let array = self.keys.get(key).ok_or_else(|| format!("the key `{key}` is missing"))?;
        array.as_array().map(Vec::as_slice).ok_or_else(|| format!("the key `{key}` is a list"))
    }

    fn list(&mut self, key: &'static str, read: impl Fn(&str, &str) -> Text) -> Text {
        let entries = self.array(key)?.iter().map(|entry| match entry {
            Value::String(text) => read(key, text),
            _ => Err(format!("the key `{key}` is a list of texts")),
        });
        Ok(entries.collect::<Result<Vec<_>, _>>()?.join(", "))
    }

    /// The entries of a list of objects; none if the key is not there and is optional.
    fn objects(&mut self, key: &'static str, read: impl Fn(&mut Keys<'_>) -> Text) -> Result<Vec<String>, String> {
        if key == "for" && !self.has(key) {
            return Ok(Vec::new());
        }
        let entries = self.array(key)?.iter().map(|entry| {
            let mut keys = Keys::of(entry).map_err(|error| format!("{key}: {error}"))?;
            let text = read(&mut keys)?;
            keys.end()?;
            Ok(text)
        });
        entries.collect()
    }

    fn texts(&mut self, key: &'static str) -> Text {
        let texts = self.array(key)?.iter().map(|text| {
            let text = text.as_str().ok_or_else(|| format!("the key `{key}` is a list of texts"))?;
            match text.contains('\n') {
                true => Err(format!("a text in `{key}` has no line ends: make it several texts")),
                false => Ok(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))),
            }
        });
        Ok(texts.collect::<Result<Vec<_>, _>>()?.join(" "))
    }

    /// Complains of a key that nobody asked for.
    fn end(&self) -> Result<(), String> {
        let unknown = self.keys.iter().find(|(key, value)| !value.is_null() && !self.taken.contains(&key.as_str()));
        let Some((key, _)) = unknown else {
            return Ok(());
        };
        let near = nearest(key, self.taken.iter().copied());
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        Err(format!("there is no key `{key}` here{hint}"))
    }
}

fn read_expression(key: &str, text: &str) -> Text {
    syntax::parse_expression(text).map(|of| node(&of)).map_err(|errors| wrong(key, text, &errors))
}

fn read_relation(key: &str, text: &str) -> Text {
    syntax::parse_relation(text).map(|of: Relation| relation(&of)).map_err(|errors| wrong(key, text, &errors))
}

fn read_name(key: &str, text: &str) -> Text {
    match syntax::parse_expression(text) {
        Ok(of) if matches!(of.kind, NodeKind::Name { .. }) => Ok(node(&of)),
        _ => Err(format!("`{key}` is a name, found \"{text}\"")),
    }
}

fn read_rate(key: &str, text: &str) -> Text {
    match syntax::parse_expression(text) {
        Ok(of) if matches!(&of.kind, NodeKind::Prime { of, order: 1 } if matches!(of.kind, NodeKind::Name { .. })) => {
            Ok(node(&of))
        }
        _ => Err(format!("`{key}` is a rate such as \"x'\", found \"{text}\"")),
    }
}

fn wrong(key: &str, text: &str, errors: &[syntax::Diagnostic]) -> String {
    let why = errors.first().map_or("it cannot be read", |error| error.message.as_str());
    format!("`{key}` is \"{text}\": {why}")
}
