//! How do equilibria look?

use crate::show::wrapped;
use anholon::answer::{Branch, Equilibrium, EquilibriumKind, Rest, VirtualWork, told};
use anholon::decimal;
use anholon::{EquilibriumSet, Ordered};

/// So many equilibria go on the page.
const MOST_SHOWN: usize = 40;

/// Functions that were looked for.
fn curves(found: &EquilibriumSet) -> Vec<String> {
    let mut lines = Vec::new();
    for curve in &found.curves {
        let text = |formula: &anholon::Formula| formula.text.clone();
        lines.push(String::new());
        lines.extend(wrapped("  ", &format!("every place is one if {}", text(&curve.equation))));
        match (&curve.solution, &curve.constant) {
            (Some(solution), Some(constant)) => {
                lines.extend(wrapped("  ", &format!("so {}, {constant} any constant", text(solution))));
            }
            _ => lines.push(format!("  `{}` was not found in letters", curve.function)),
        }
    }
    lines
}

/// The page of equilibria.
pub fn page(found: &EquilibriumSet, at_one_place: bool) -> String {
    let title = if found.title.is_empty() { &found.model } else { &found.title };
    let count = found.equilibria.len();
    let in_letters = !found.without_values.is_empty();
    let mut lines = vec![match (count, at_one_place) {
        (0, _) if !found.curves.is_empty() => format!("{title}: the curve on which every place is an equilibrium"),
        (0, _) if !found.admissible => format!("{title}: rest is not admissible"),
        (0, false) if in_letters && !found.branches.is_empty() => format!("{title}: equilibria in letters"),
        (0, false) if in_letters && !found.decided => format!("{title}: no answer in letters"),
        (0, true) => format!("{title}: no such loads"),
        (0, false) if found.complete => format!("{title}: no equilibrium"),
        (0, false) => format!("{title}: no equilibrium was found"),
        (_, true) => format!("{title}: loads that balance it"),
        (1, _) => format!("{title}: one equilibrium"),
        _ => format!("{title}: {count} equilibria"),
    }];
    lines.extend(curves(found));
    lines.extend(found.virtual_work.as_ref().map_or_else(Vec::new, virtual_work));
    for (place, one) in found.equilibria.iter().take(MOST_SHOWN).enumerate() {
        lines.push(String::new());
        let own = found.branches.iter().find(|branch| one.exact.as_ref() == Some(&branch.values));
        lines.extend(equilibrium(place + 1, one, own));
    }
    if count > MOST_SHOWN {
        lines.push(String::new());
        lines.push(format!("These are the first {MOST_SHOWN} of {count}; `--json` lists all"));
    }
    if !found.work.is_empty() {
        lines.push(String::new());
        lines.push("At the start these virtual displacements do work".to_owned());
        for one in &found.work {
            let parts: Vec<String> =
                one.displacement.0.iter().map(|(name, x)| format!("δ{name} = {}", short(*x))).collect();
            let work = one.exact.clone().unwrap_or_else(|| decimal(one.work));
            lines.extend(wrapped("  ", &format!("{}: δA = {work}", parts.join(", "))));
        }
    }
    lines.extend(branches(found));
    lines.push(String::new());
    if !found.completeness.is_empty() {
        lines.extend(wrapped("completeness: ", &found.completeness));
    }
    lines.extend(undecided(found));
    for note in &found.notes {
        lines.extend(wrapped("note: ", note));
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.join("\n")
}

/// The work that a virtual displacement does, and the energy behind it.
fn virtual_work(work: &VirtualWork) -> Vec<String> {
    if work.forces.is_empty() {
        return Vec::new();
    }
    let sum: Vec<String> = work.forces.0.iter().map(|(name, _)| format!("Q_{name} δ{name}")).collect();
    let mut lines = vec![String::new()];
    lines.extend(wrapped("Virtual work at rest: δA = ", &sum.join(" + ")));
    for (name, force) in &work.forces.0 {
        lines.extend(wrapped(&format!("  Q_{name} = "), &force.text));
    }
    if let Some(energy) = &work.potential {
        lines.extend(wrapped("  Π = ", &format!("{}, with Q = −∂Π/∂q", energy.text)));
    }
    lines
}

/// The set with parameters that have no values.
fn in_letters(found: &EquilibriumSet) -> Vec<String> {
    let mut lines = Vec::new();
    for (place, one) in found.branches.iter().filter(|one| one.exists).enumerate() {
        lines.push(String::new());
        let values = one.values.0.iter().map(|(name, value)| format!("{name} = {value}"));
        let free = one.free.iter().map(|name| format!("any {name}"));
        lines.extend(wrapped(&format!("{}. ", place + 1), &values.chain(free).collect::<Vec<_>>().join(", ")));
        if !one.open.is_empty() {
            let list: Vec<String> = one.open.iter().map(|name| format!("`{name}`")).collect();
            lines.extend(wrapped("   ", &format!("{} open", list.join(", "))));
        }
        if !one.conditions.is_empty() {
            lines.extend(wrapped("   if ", &one.conditions.join(", ")));
        }
        let stability = one.stability.as_deref().unwrap_or("stability: not decided in letters");
        lines.extend(wrapped("   ", stability));
    }
    lines.push(String::new());
    if !found.thresholds.is_empty() {
        lines.extend(wrapped("The set changes where ", &found.thresholds.join(", or ")));
    }
    if !found.assumptions.is_empty() {
        lines.extend(wrapped("assuming ", &found.assumptions.join(", ")));
    }
    lines
}

/// The exact branches that no equilibrium above shows, and where the set changes.
fn branches(found: &EquilibriumSet) -> Vec<String> {
    if !found.without_values.is_empty() && !found.branches.is_empty() {
        return in_letters(found);
    }
    let mut lines = Vec::new();
    let absent: Vec<&Branch> = found.branches.iter().filter(|branch| !branch.exists).collect();
    // of a family one place is shown, which lies on one branch
    let is_shown = |branch: &&Branch| found.equilibria.iter().any(|one| one.exact.as_ref() == Some(&branch.values));
    let has_family = found.equilibria.iter().any(|one| one.exact.is_some() && one.kind == EquilibriumKind::Family)
        && found.equilibria.iter().all(|one| one.contact.is_empty());
    let other = found.branches.iter().filter(|branch| has_family && branch.exists && !is_shown(branch));
    let other: Vec<&Branch> = other.collect();
    if !found.branches.is_empty() {
        lines.push(String::new());
    }
    if !found.thresholds.is_empty() {
        lines.extend(wrapped("The set changes where ", &found.thresholds.join(", or ")));
    }
    if !absent.is_empty() {
        lines.push("With other values of the parameters also".to_owned());
        absent.into_iter().for_each(|one| lines.extend(branch(one)));
    }
    if !other.is_empty() {
        lines.push("The set has these exact branches too".to_owned());
        other.into_iter().for_each(|one| lines.extend(branch(one)));
    }
    if !found.branches.is_empty() && !found.assumptions.is_empty() {
        lines.extend(wrapped("exact values assume ", &found.assumptions.join(", ")));
    }
    lines
}

/// Boxes that could not be decided.
fn undecided(found: &EquilibriumSet) -> Vec<String> {
    const MOST: usize = 8;
    let mut lines = Vec::new();
    for part in found.undecided.iter().take(MOST) {
        let parts: Vec<String> =
            part.0.iter().map(|(name, [low, high])| format!("{name} in {} .. {}", short(*low), short(*high))).collect();
        lines.extend(wrapped("  undecided: ", &parts.join(", ")));
    }
    if found.undecided.len() > MOST {
        lines.push(format!("  and {} more; `--json` lists all", found.undecided.len() - MOST));
    }
    lines
}

/// A branch of the set with parameters as symbols, and the conditions under which it exists.
fn branch(one: &Branch) -> Vec<String> {
    let values = one.values.0.iter().map(|(name, value)| format!("{name} = {value}"));
    let free = one.free.iter().map(|name| format!("any {name}"));
    let all = values.chain(free).collect::<Vec<_>>().join(", ");
    let conditions =
        if one.conditions.is_empty() { String::new() } else { format!("  if {}", one.conditions.join(", ")) };
    let stability = one.stability.as_ref().map_or(String::new(), |text| format!(": {text}"));
    wrapped("  ", &format!("{all}{conditions}{stability}"))
}

fn listed(list: &Ordered<f64>) -> String {
    list.0.iter().map(|(name, x)| format!("{name} = {}", decimal(*x))).collect::<Vec<_>>().join(", ")
}

/// The exact values, where they say more than the digits.
fn exactly(one: &Equilibrium) -> Vec<String> {
    let Some(exact) = one.exact.as_ref().filter(|exact| !exact.is_empty()) else { return Vec::new() };
    let numbers = || one.values.0.iter().chain(&one.loads.0);
    let is_said = |(name, value): &(String, String)| {
        let mut all = numbers().chain(&one.multipliers.0);
        all.any(|(other, x)| other == name && decimal(*x) == *value)
    };
    // a constraint is no number
    let named = |(name, value): &(String, String)| match one.multipliers.0.iter().any(|(other, _)| other == name) {
        true => format!("multiplier({name}) = {value}"),
        false => format!("{name} = {value}"),
    };
    if exact.0.iter().all(is_said) {
        return Vec::new();
    }
    wrapped("   exactly ", &exact.0.iter().map(named).collect::<Vec<_>>().join(", "))
}

/// Where it is, and how it is.
fn equilibrium(place: usize, one: &Equilibrium, branch: Option<&Branch>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut head = listed(&one.values);
    if !one.loads.is_empty() {
        let (known, open): (Vec<_>, Vec<_>) = one.loads.0.iter().cloned().partition(|load| load.1.is_finite());
        let open = open.into_iter().map(|(name, _)| format!("{name} not determined"));
        let parts = [head, listed(&known.into_iter().collect())].into_iter().chain(open);
        head = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    }
    let free: Vec<String> = one.free.iter().map(|name| format!("any {name}")).collect();
    let head = [vec![head], free].concat().into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    lines.extend(wrapped(&format!("{place}. "), &head));
    lines.extend(exactly(one));
    if !one.conditions.is_empty() {
        lines.extend(wrapped("   if ", &one.conditions.join(", ")));
    }
    if one.family_dimension > 0 {
        let everywhere = if one.everywhere { ", all that the constraints allow" } else { "" };
        let place = if one.directions.is_empty() { "" } else { "; this is one place of it" };
        lines.push(format!("   a family of dimension {}{everywhere}{place}", one.family_dimension));
        if let Some(energy) = one.potential_energy {
            lines.push(format!("   its energy at rest: {} J", decimal(energy)));
        }
    }
    if one.kind == EquilibriumKind::Multiple && one.unique {
        lines.push("   a multiple solution: the equations vanish there to second order or higher".to_owned());
    }
    lines.extend(wrapped(&format!("   {}: ", one.stability.word()), &one.reason));
    // a verdict without conditions says nothing new
    if let Some(general) = branch.and_then(|branch| branch.stability.as_ref()).filter(|text| text.contains("while")) {
        lines.extend(wrapped("   with other values: ", general));
    }
    if let Some(found) = &one.certificate {
        let said = format!(
            "‖y(m)‖ ≤ {} ‖y₀‖ ({} + {} γ)^m over steps of {} s, while what the linear equations leave out is below γ ‖y‖, γ < {}",
            short(found.bound),
            short((-found.decay).exp()),
            short(found.bound),
            short(found.step),
            short(found.remainder)
        );
        lines.extend(wrapped("   first approximation: ", &said));
    }
    lines.extend(carried(one));
    if !one.unique {
        let is = if one.stability == Rest::Unstable { "is" } else { "may" };
        let be = if one.stability == Rest::Unstable { "" } else { " be" };
        lines.push(format!("   rest {is} not{be} the only motion from here: a force is not Lipschitz"));
    }
    lines
}

/// What its supports carry.
fn carried(one: &Equilibrium) -> Vec<String> {
    let mut lines = Vec::new();
    let determined = one.multipliers.0.iter().filter(|(_, value)| value.is_finite());
    let determined: Ordered<f64> = determined.cloned().collect();
    if !determined.is_empty() {
        lines.extend(wrapped("   multipliers: ", &listed(&determined)));
    }
    for push in one.reactions.iter().filter(|push| push.vector.iter().any(|x| x.abs() > 1e-12)) {
        let [x, y, z] = push.vector.map(told);
        lines.push(format!("   {} on {}: ({x}, {y}, {z}) N", push.constraint, push.on));
    }
    lines.extend(one.shared_loads.iter().flat_map(|shared| wrapped("   ", &shared.told())));
    if one.indeterminate > 0 {
        lines.push(match one.indeterminate {
            1 => "   statically indeterminate, once".to_owned(),
            times => format!("   statically indeterminate, {times} times"),
        });
    }
    for combination in &one.balancing {
        lines.extend(wrapped("   to the multipliers may be added any multiple of ", &listed(combination)));
    }
    if !one.contact.is_empty() {
        let said: Vec<String> = one.contact.0.iter().map(|(name, word)| format!("{name} {word}")).collect();
        lines.push(format!("   {}", said.join(", ")));
    }
    lines
}

/// Six digits.
fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-4..1e6).contains(&size) => format!("{value:.4e}"),
        _ => decimal((value * 1e6).round() / 1e6),
    }
}
