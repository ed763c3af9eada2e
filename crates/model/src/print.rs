//! How is a declaration written? Canonical text that is read back as the same declaration.

use syntax::{Node, Range, Relation, Unit, format_unit};

use crate::Model;
use crate::declaration::*;

/// The canonical text of a model: one declaration a line, without comments.
///
/// ```
/// let model = model::parse("", "coord  x,y:m\nstart x=1 m").model.unwrap();
/// assert_eq!(model::print(&model), "coord x, y : m\nstart x = 1 m\n");
/// ```
pub fn print(model: &Model) -> String {
    model.lines.iter().map(|line| print_line(line) + "\n").collect()
}

/// The canonical text of one line.
pub fn print_line(line: &Line) -> String {
    let mut text = declaration(&line.declaration);
    if !line.ranges.is_empty() {
        text += &format!(" for {}", ranges(&line.ranges));
    }
    text
}

fn declaration(declaration: &Declaration) -> String {
    let keyword = declaration.keyword();
    let rest = match declaration {
        Declaration::System(text) | Declaration::Source(text) | Declaration::Note(text) => strings(text),
        Declaration::Param(Param::Values(values)) => list(values, definition),
        Declaration::Param(Param::Unit { names, unit }) | Declaration::Unknown(Unknown { names, unit }) => {
            format!("{} : {}", list(names, name), format_unit(unit))
        }
        Declaration::Coord(Coord { families, unit }) => list(families, family) + &optional(" : ", unit, format_unit),
        Declaration::Speed(value) | Declaration::Observe(value) => definition(value),
        Declaration::Inverse(Inverse { rate, value }) => format!("{}' = {}", name(rate), node(value)),
        Declaration::Dependent(Dependent { rates }) => list(rates, |rate| name(rate) + "'"),
        Declaration::Let(Let { name: of, arguments, value }) => {
            let arguments = match arguments.is_empty() {
                true => String::new(),
                false => format!("({})", list(arguments, name)),
            };
            format!("{}{arguments} = {}", name(of), node(value))
        }
        Declaration::Input(Input { name: of, unit, value }) => {
            format!("{} : {}", name(of), format_unit(unit)) + &optional(" = ", value, node)
        }
        Declaration::Frame(frame) => {
            format!("{} = {} {}", name(&frame.name), name(&frame.parent), orientation(&frame.orientation))
        }
        Declaration::Point(Point { name: of, position, mass, exhaust }) => {
            format!("{} = {}", name(of), node(position))
                + &optional(" mass ", mass, node)
                + &optional(" exhaust ", exhaust, node)
        }
        Declaration::Body(Body { name: of, mass, at, frame, inertia, about }) => {
            format!("{} mass {} at {} frame {} ", name(of), node(mass), node(at), name(frame))
                + &format!("inertia {}", node(inertia))
                + &optional(" about ", about, node)
        }
        Declaration::Gravity(quantity)
        | Declaration::Potential(quantity)
        | Declaration::Kinetic(quantity)
        | Declaration::Dissipation(quantity) => node(&quantity.value),
        Declaration::Force(Force { value, on, at, against }) => {
            format!("{} on {}", node(value), name(on))
                + &optional(" at ", at, node)
                + &optional(" against ", against, name)
        }
        Declaration::Torque(Torque { value, on, against }) => {
            format!("{} on {}", node(value), name(on)) + &optional(" against ", against, name)
        }
        Declaration::GeneralizedForce(GeneralizedForce { value, on }) => {
            format!("force {} on {}", node(value), name(on))
        }
        Declaration::Spring(Spring { stiffness, rest, from, to }) => {
            let rest = optional(" rest ", rest, node);
            format!("{}{rest} between {} and {}", node(stiffness), node(from), node(to))
        }
        Declaration::Damper(Damper { coefficient, from, to }) => {
            format!("{} between {} and {}", node(coefficient), node(from), node(to))
        }
        Declaration::Constraint(Constraint { label, relation: holds, from, until }) => {
            format!("{}: {}", name(label), relation(holds))
                + &optional(" from ", from, relation)
                + &optional(" until ", until, relation)
        }
        Declaration::Contact(of) => contact(of),
        Declaration::Friction(Surface { value, on }) | Declaration::Restitution(Surface { value, on }) => {
            format!("{} on {}", node(value), name(on))
        }
        Declaration::Assume(assume) => relation(&assume.relation),
        Declaration::Stop(Event { name: of, when }) | Declaration::Record(Event { name: of, when }) => {
            let of = of.as_ref().map(|of| name(of) + " ").unwrap_or_default();
            format!("{of}when {}", relation(when))
        }
        Declaration::Start(Equations { equations }) | Declaration::Guess(Equations { equations }) => {
            list(equations, relation)
        }
        Declaration::Expect(Statement { label, fact: of }) | Declaration::Claim(Statement { label, fact: of }) => {
            format!("{}: {}", name(label), fact(of))
        }
    };
    format!("{keyword} {rest}")
}

fn contact(contact: &Contact) -> String {
    let Contact { label, what, motion, shape, at, plane, of, unilateral } = contact;
    let motion = match motion {
        Motion::Rolls => "rolls".to_owned(),
        Motion::Slides => "slides".to_owned(),
        Motion::Skates(along) => format!("skates along {}", node(along)),
    };
    let of_shape = |shape: &Shape| format!("{}({})", shape.kind.word(), list(&shape.arguments, node));
    format!("{}: {} {motion}", name(label), name(what))
        + &optional(" as ", shape, of_shape)
        + &optional(" at ", at, node)
        + &format!(" on plane{}", node(plane))
        + &optional(" of ", of, name)
        + if *unilateral { " unilateral" } else { "" }
}

pub(crate) fn fact(fact: &Fact) -> String {
    match fact {
        Fact::Relation { relation: holds, at, within } => {
            let text = relation(holds);
            let word = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
            let text = match word {
                // Brackets, or the word would be read as one of the grammar's.
                "constant" | "event" | "freedoms" | "equilibrium" => {
                    format!("({}) {} {}", node(&holds.left), holds.comparison.symbol(), node(&holds.right))
                }
                _ => text,
            };
            text + &optional(" at ", at, place) + &optional(" within ", within, node)
        }
        Fact::Constant(value) => format!("constant {}", node(value)),
        Fact::Event { event, at, within } => {
            format!("event {} at {}", name(event), relation(at)) + &optional(" within ", within, node)
        }
        Fact::Freedoms(value) => format!("freedoms = {}", node(value)),
        Fact::Equilibrium { equations, stability } => {
            format!("equilibrium {}", list(equations, relation))
                + &stability.map(|stability| format!(" {}", stability.word())).unwrap_or_default()
        }
    }
}

pub(crate) fn place(at: &At) -> String {
    match at {
        At::Start => "start".to_owned(),
        At::Equations(equations) => list(equations, relation),
    }
}

pub(crate) fn orientation(orientation: &Orientation) -> String {
    match orientation {
        Orientation::Rotated(turns) => format!("rotated {}", list(turns, turn)),
        Orientation::Quaternion(tuple) => format!("quaternion {}", node(tuple)),
    }
}

fn turn(turn: &Turn) -> String {
    let about = match &turn.about {
        TurnAxis::Own(axis) => axis.symbol().to_owned(),
        TurnAxis::Direction(direction) => node(direction),
    };
    format!("{about} by {}", node(&turn.angle))
}

fn strings(text: &Text) -> String {
    let quoted = |text: &String| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let quoted: Vec<String> = text.texts.iter().map(quoted).collect();
    quoted.join(" ")
}

pub(crate) fn family(family: &Family) -> String {
    match &family.bounds {
        Some((from, to)) => format!("{}[{}..{}]", family.name, node(from), node(to)),
        None => family.name.clone(),
    }
}

fn definition(definition: &Definition) -> String {
    format!("{} = {}", name(&definition.name), node(&definition.value))
}

pub(crate) fn name(name: &Name) -> String {
    match &name.index {
        Some(index) => format!("{}[{}]", name.name, node(index)),
        None => name.name.clone(),
    }
}

pub(crate) fn ranges(ranges: &[Range]) -> String {
    list(ranges, |range| format!("{} in {}..{}", range.index, node(&range.from), node(&range.to)))
}

pub(crate) fn node(node: &Node) -> String {
    syntax::format(node)
}

pub(crate) fn relation(relation: &Relation) -> String {
    syntax::format_relation(relation)
}

pub(crate) fn unit(unit: &Unit) -> String {
    format_unit(unit)
}

fn list<T>(entries: &[T], write: impl Fn(&T) -> String) -> String {
    let entries: Vec<String> = entries.iter().map(write).collect();
    entries.join(", ")
}

fn optional<T>(before: &str, value: &Option<T>, write: impl Fn(&T) -> String) -> String {
    value.as_ref().map(|value| before.to_owned() + &write(value)).unwrap_or_default()
}
