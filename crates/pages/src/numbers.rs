//! How do accelerations and reactions at a state look?

use anholon::Evaluated;
use anholon::answer::{Evaluation, Friction, Frictions, Touch, told};
use anholon::decimal;

/// The page.
pub fn page(answer: &Evaluated) -> String {
    match answer {
        Evaluated::Found(evaluation) => found(evaluation),
        Evaluated::NoAnswer { model, reason, friction: rough, .. } => {
            let rough = rough.as_ref().map_or(String::new(), |rough| format!("\n{}", friction(rough).join("\n")));
            format!("{model}: no accelerations: {reason}{rough}")
        }
    }
}

/// What each rough contact does, in a line.
pub fn friction(rough: &Frictions) -> Vec<String> {
    let line = |rough: &Friction| {
        let used = rough.used.map_or(String::new(), |used| format!(", with {} of mu*N", decimal(used)));
        format!("{} {}{used}", rough.contact, said(rough))
    };
    let mut lines: Vec<String> = rough.0.iter().map(line).collect();
    // several contacts have one determinant
    if let (Some(last), Some(determinant)) = (lines.last_mut(), rough.0.first().and_then(|one| one.determinant)) {
        let solvable = if determinant > 0.0 { "positive: solvable" } else { "not positive: solvability is lost" };
        *last += &format!("; A M⁻¹(Aᵀ + B) is {} of A M⁻¹Aᵀ, {solvable}", decimal(determinant));
    }
    lines
}

fn said(rough: &Friction) -> String {
    match rough.state {
        Touch::Nothing => "has no solution".to_owned(),
        Touch::Two | Touch::Several => format!("has {}", rough.state),
        state => state.to_string(),
    }
}

/// Names with values under a heading, after an empty line; nothing if there are none.
pub fn table(heading: &str, list: Vec<(String, String)>) -> Vec<String> {
    if list.is_empty() {
        return Vec::new();
    }
    let width = list.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let rows = list.into_iter().map(|(name, value)| format!("  {name:width$}  {value}"));
    [String::new(), heading.to_owned()].into_iter().chain(rows).collect()
}

/// A long list with each rate beside what it is the rate of, `x, x'`; a short one as it is.
pub fn paired(list: Vec<(String, String)>) -> Vec<(String, String)> {
    const MOST: usize = 12;
    let place = |name: &str| list.iter().position(|(other, _)| other == name);
    if list.len() <= MOST {
        return list;
    }
    let is_told = |name: &str| name.strip_suffix('\'').is_some_and(|base| place(base).is_some());
    let width = list.iter().map(|(_, value)| value.chars().count()).max().unwrap_or(0);
    let mut rows = Vec::new();
    for (name, value) in list.iter().filter(|(name, _)| !is_told(name)) {
        let (mut names, mut values, mut rate) = (name.clone(), value.clone(), format!("{name}'"));
        while let Some(found) = place(&rate) {
            let used = values.chars().count();
            let column = names.split(", ").count() * (width + 2);
            values = format!("{values}{:gap$}{}", "", list[found].1, gap = column.saturating_sub(used));
            names = format!("{names}, {rate}");
            rate.push('\'');
        }
        rows.push((names, values));
    }
    rows
}

fn vector(v: &[f64; 3]) -> String {
    format!("({}, {}, {})", told(v[0]), told(v[1]), told(v[2]))
}

/// The tables of what constraints carry.
fn carried(evaluation: &Evaluation) -> Vec<String> {
    let mut lines = Vec::new();
    let mut block = |heading: &str, list: Vec<(String, String)>| lines.extend(table(heading, list));
    block("Multipliers", evaluation.multipliers.0.iter().map(|(name, value)| (name.clone(), told(*value))).collect());
    let reactions = evaluation.reactions.iter().map(|one| {
        let torque = one.torque.as_ref().map_or(String::new(), |torque| format!(", torque {}", vector(torque)));
        let at = one.at.as_ref().map_or(String::new(), |at| format!(" at {}", vector(at)));
        (format!("{} on {}", one.constraint, one.on), format!("{}{at}{torque}", vector(&one.vector)))
    });
    block("Reactions, along N", reactions.collect());
    let contacts = evaluation.contact_reactions.iter().map(|one| {
        let normal = one.normal.map_or("built into the coordinates".to_owned(), told);
        let (along, across) = (told(one.along), told(one.across));
        (one.contact.clone(), format!("at {}: normal {normal}, along {along}, across {across}", vector(&one.at)))
    });
    block("Contacts", contacts.collect());
    let joints = evaluation.joint_reactions.iter().map(|one| {
        let (at, force, torque) = (vector(&one.at), vector(&one.force), vector(&one.torque));
        (format!("{} on {}", one.joint, one.on), format!("force {force}, torque about the joint {torque}, at {at}"))
    });
    block("Joints", joints.collect());
    let several = |name: &str| evaluation.reactions.iter().filter(|one| one.constraint == name).count() > 1;
    let is_told = |name: &str| {
        evaluation.contact_reactions.iter().any(|one| one.contact == name)
            || evaluation.joint_reactions.iter().any(|one| one.joint == name)
    };
    let resultants = evaluation.resultants.0.iter().filter(|(name, _)| several(name) && !is_told(name));
    block("Resultants", resultants.map(|(name, value)| (name.clone(), vector(value))).collect());
    let shared = evaluation
        .generalized_reactions
        .0
        .iter()
        .filter(|(name, forces)| evaluation.resultants.get(name).is_none() && !forces.is_empty());
    let shared = shared.map(|(name, forces)| {
        let forces: Vec<String> = forces.0.iter().map(|(q, force)| format!("{q}: {}", told(*force))).collect();
        (name.clone(), forces.join(", "))
    });
    block("Reactions on coordinates", shared.collect());
    lines
}

fn found(evaluation: &Evaluation) -> String {
    let title = if evaluation.title.is_empty() { &evaluation.model } else { &evaluation.title };
    let mut lines = vec![format!("{title}, by {}", evaluation.form)];
    let mut block = |heading: &str, list: Vec<(String, String)>| lines.extend(table(heading, list));
    block("State", paired(evaluation.state.0.iter().map(|(name, value)| (name.clone(), decimal(*value))).collect()));
    let exact = |name: &str, value: f64| match evaluation.exact.as_ref().and_then(|exact| exact.get(name)) {
        Some(fraction) if fraction.contains('/') => format!("{} = {fraction}", decimal(value)),
        _ => decimal(value),
    };
    let accelerations = evaluation.accelerations.0.iter().map(|(name, value)| (name.clone(), exact(name, *value)));
    block("Accelerations", accelerations.collect());
    block(
        "First-order states",
        evaluation.rates.0.iter().map(|(name, value)| (name.clone(), decimal(*value))).collect(),
    );
    lines.extend(carried(evaluation));
    let mut block = |heading: &str, list: Vec<(String, String)>| lines.extend(table(heading, list));
    let observes = evaluation.observes.0.iter().map(|(name, value)| match value[..] {
        [x, y, z] => (name.clone(), vector(&[x, y, z])),
        _ => (name.clone(), decimal(value.first().copied().unwrap_or(f64::NAN))),
    });
    block("Observed", observes.collect());
    block(
        "Unilateral constraints",
        evaluation.contact.0.iter().map(|(name, word)| (name.clone(), word.to_string())).collect(),
    );
    for (k, solution) in evaluation.solutions.iter().enumerate() {
        let values = solution.accelerations.0.iter().chain(&solution.multipliers.0);
        let values = values.map(|(name, value)| (name.clone(), decimal(*value))).collect();
        block(&format!("Solution {}: it {}", k + 1, solution.state), values);
    }
    if let Some(rough) = &evaluation.friction {
        lines.extend([String::new(), "Friction".to_owned()]);
        lines.extend(friction(rough).into_iter().map(|line| format!("  {line}")));
    }
    lines.push(String::new());
    if let Some(energy) = evaluation.energy {
        lines.push(format!(
            "Energy {} J, residual of the constraints {}",
            decimal(energy),
            decimal(evaluation.residual.unwrap_or(0.0))
        ));
    }
    lines.extend(evaluation.notes.iter().map(|note| format!("note: {note}")));
    lines.join("\n")
}
