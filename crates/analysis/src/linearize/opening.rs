//! Which model, in which state, with which constraints, and what is measured?

use expr::At;
use mechanics::chart::ChartKind;
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;
use mechanics::{Mode, StartReport};

use super::{Linearize, Trouble, bad};
use dynamics::{NoNumbers, Solved};
use engine::load_at;
use engine::{Error, Field, Loaded, Settings};
use expr::decimal;

/// Another model if a steady motion is asked for, and the state: the start, or the first guess.
pub fn opened(model: &Loaded, wanted: &Linearize) -> Result<(Option<Loaded>, StartReport), Trouble> {
    let Some(values) = &wanted.steady else { return Ok((None, model.start.clone())) };
    let (values, _) = asked(values);
    let guess = &model.start;
    let numbers = |list: &[mechanics::StartValue]| -> Vec<Option<f64>> { list.iter().map(|v| v.number).collect() };
    let (t, q, q_dot) = (guess.time.number, numbers(&guess.coordinates), numbers(&guess.rates));
    let states = numbers(&guess.states);
    let values = if values.is_empty() { format!("t = {}", t.unwrap_or(0.0)) } else { values };
    let elsewhere = Settings { at: Some(values), ..model.settings.clone() };
    let loaded = load_at(&elsewhere, Field::Steady)?;
    let mut start = loaded.start.clone();
    if !loaded.system.start.iter().any(|equation| equation.left == loaded.system.time) {
        start.time.number = t;
    }
    let put = |list: &mut [mechanics::StartValue], numbers: &[Option<f64>]| {
        for (value, number) in list.iter_mut().zip(numbers).filter(|(value, _)| value.found != mechanics::Found::Given)
        {
            value.number = *number;
        }
    };
    put(&mut start.coordinates, &q);
    put(&mut start.rates, &q_dot);
    put(&mut start.states, &states);
    Ok((Some(loaded), start))
}

/// What `v = 20, tau?` fixes, and what it asks for.
fn asked(text: &str) -> (String, Vec<&str>) {
    let (mut depth, mut begin, mut items) = (0_i32, 0, Vec::new());
    for (place, sign) in text.char_indices() {
        match sign {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                items.push(text[begin..place].trim());
                begin = place + 1;
            }
            _ => {}
        }
    }
    items.push(text[begin..].trim());
    let (open, fixed): (Vec<&str>, Vec<&str>) = items.into_iter().partition(|item| item.ends_with('?'));
    (fixed.join(", "), open.into_iter().map(|item| item.trim_end_matches('?').trim()).collect())
}

/// The inputs that a steady motion is solved for.
pub fn solved(loaded: &Loaded, wanted: &Linearize) -> Result<Vec<usize>, Trouble> {
    let Some(values) = &wanted.steady else { return Ok(Vec::new()) };
    let inputs = &loaded.system.inputs;
    let mut places = Vec::new();
    for name in asked(values).1 {
        let place = inputs.iter().position(|input| input.name == name).ok_or_else(|| {
            let hint = match syntax::nearest(name, inputs.iter().map(|one| one.name.as_str())) {
                Some(near) => format!("did you mean `{near}?`"),
                None if inputs.is_empty() => "the model has no inputs: declare one, as in `input F : N`".to_owned(),
                None => {
                    "coordinates, rates and states that are not given are solved for without being asked".to_owned()
                }
            };
            bad(&format!("`{name}?` asks for an input, and there is no input `{name}`"), &hint).of(Field::Steady)
        })?;
        if places.contains(&place) {
            return Err(bad(&format!("`{name}?` stands twice"), "ask once for each input").of(Field::Steady));
        }
        places.push(place);
    }
    Ok(places)
}

/// An error if the model has no numbers or the state does not exist.
pub fn ready(loaded: &Loaded, start: &StartReport, wanted: &Linearize, notes: &mut Vec<String>) -> Result<(), Trouble> {
    let (is_steady, solved) = (wanted.steady.is_some(), solved(loaded, wanted)?);
    engine::sound::coordinates(loaded)?;
    let system = &loaded.system;
    let is_input = |name: &String| system.inputs.iter().any(|input| input.name == *name);
    let without = |name: &String| format!("`{name}`");
    let parameters = system.parameters.iter().zip(&start.parameters).filter(|(_, value)| value.is_none());
    let mut missing: Vec<String> = parameters.map(|(parameter, _)| parameter.name.clone()).collect();
    missing.extend(system.unknowns.iter().map(|unknown| unknown.name.clone()));
    for name in start.missing.iter().filter(|name| !is_input(name)) {
        if !missing.contains(name) {
            missing.push(name.clone());
        }
    }
    missing.extend(start.missing.iter().filter(|name| is_input(name)).cloned());
    if let Some(first) = missing.first() {
        let names: Vec<String> = missing.iter().map(without).collect();
        let have = if names.len() == 1 { "has" } else { "have" };
        let hint = match system.unknowns.iter().any(|unknown| unknown.name == *first) {
            true => format!("`{first}` is a load that statics finds; declare it with `input` to give it a value"),
            false => format!(
                "give values with `{}`, or in a file with `{}`",
                Field::Set.asked(format_args!("{first}=…")),
                Field::With
            ),
        };
        return Err(bad(&format!("{} {have} no value", names.join(", ")), &hint));
    }
    let others = system.inputs.iter().enumerate().filter(|(place, _)| !solved.contains(place));
    for (_, input) in others.filter(|(_, input)| input.value.is_none() && !input.is_rate()) {
        notes.push(format!("`{}` has no value: it is 0 at the state", input.name));
    }
    engine::sound::masses(loaded)?;
    engine::observe::lawful(loaded)?;
    notes.extend(loaded.taken.clone());
    for one in &system.restitutions {
        notes.push(format!("the restitution on `{}` matters in impacts only", one.on));
    }
    if is_steady {
        return Ok(());
    }
    if let Some(contradiction) = start.contradictions.first() {
        let row = &start.rows[contradiction.row].name;
        let misses = contradiction.misses_by.filter(|amount| amount.is_finite());
        let misses = misses.map_or(String::new(), |amount| format!(": it misses by {}", decimal(amount)));
        return Err(bad(&format!("no such state: `{row}` does not hold there{misses}"), "`anholon check` says more"));
    }
    notes.extend(engine::sound::assumed(loaded, &start.at(system)));
    Ok(())
}

/// What acts at the state, friction as a force like others, and its rows. One-sided constraints that would have to pull
/// let go.
pub fn acting(loaded: &Loaded, at: &At, notes: &mut Vec<String>) -> Result<(Mode, Rows), Trouble> {
    let system = &loaded.system;
    let there = Mode::at(system, at).map_err(Error::new)?;
    let mode = Mode { held: loaded.sliding()?.unwrap_or_else(|| loaded.mode.clone()).held, ..there };
    if !system.constraints.iter().any(mechanics::Constraint::is_one_sided) {
        let rows = engine::forms::rows(loaded, &mode, at)?;
        if !rows.redundant.is_empty() {
            let names: Vec<String> = rows.redundant.iter().map(|name| format!("`{name}`")).collect();
            let verb = if names.len() == 1 { "follows" } else { "follow" };
            notes.push(format!("{} {verb} from other constraints", names.join(", ")));
        }
        notes.extend(rows.open.iter().map(|name| format!("`{name}` does not act at this state")));
        return Ok((mode, rows));
    }
    let found = engine::forms::numbers(loaded, &mode, at, ChartKind::Rates, None)?;
    let Solved { mode, recipe, .. } = found.map_err(|why| match why {
        NoNumbers::NoState(reason) => {
            bad(&format!("no such state: {reason}"), "a state satisfies every constraint that acts there")
        }
        NoNumbers::NotApplicable(reason) | NoNumbers::Undetermined(reason) => Trouble::NoAnswer(reason),
    })?;
    let rows = recipe.rows.clone();
    for (place, one) in system.constraints.iter().enumerate().filter(|(_, one)| one.is_one_sided()) {
        let acts = rows.list.iter().chain(&rows.left_out).any(|row| row.constraint == place);
        notes.push(match (mode.released.contains(&place), acts) {
            (true, _) => format!("`{}` lets go at this state: it is left out", one.name),
            (false, true) => format!("`{}` is closed: the matrices hold while it stays so", one.name),
            (false, false) => format!("`{}` is open at this state: it is left out", one.name),
        });
    }
    Ok((mode, rows))
}

/// The coordinates of these names.
pub fn coordinates(loaded: &Loaded, names: &[String]) -> Result<Vec<usize>, Trouble> {
    let all: Vec<&str> = loaded.system.coordinates.iter().map(|coordinate| coordinate.name.as_str()).collect();
    let mut places = Vec::new();
    for name in names {
        let place = all.iter().position(|one| one == name).ok_or_else(|| {
            let hint = match syntax::nearest(name, all.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the coordinates are {}", all.join(", ")),
            };
            bad(&format!("there is no coordinate `{name}`"), &hint).of(Field::Coordinates)
        })?;
        if places.contains(&place) {
            let error = bad(&format!("`{name}` is named twice"), "name each coordinate once");
            return Err(error.of(Field::Coordinates));
        }
        places.push(place);
    }
    Ok(places)
}

/// What is measured: observes, component by component, coordinates, rates and speeds.
pub fn outputs(
    loaded: &Loaded,
    (mode, rows): (&Mode, &Rows),
    at: &At,
    names: &[String],
) -> Result<Vec<(String, expr::Expr)>, Trouble> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let system = &loaded.system;
    let given = Ingredients::of(system, mode, rows, ChartKind::Rates, at);
    let observed = engine::observe::observed(loaded, &given);
    let mut list = Vec::new();
    for name in names {
        if let Some((_, parts)) = observed.iter().find(|one| one.0 == *name) {
            match parts[..] {
                [one] => list.push((name.clone(), one)),
                _ => {
                    list.extend(["x", "y", "z"].iter().zip(parts).map(|(axis, &part)| (format!("{name}.{axis}"), part)))
                }
            }
            continue;
        }
        let coordinate = system.coordinates.iter().find_map(|one| match name.strip_prefix(one.name.as_str()) {
            Some("") => Some(one.q),
            Some("'") => Some(one.q_dot),
            _ => None,
        });
        let state = system.states.iter().find_map(|one| match name.strip_prefix(one.name.as_str()) {
            Some("") => Some(one.symbol),
            Some("'") => Some(one.rate),
            _ => None,
        });
        let speed = system.speeds.iter().find(|speed| speed.name == *name).map(|speed| speed.definition);
        let found = coordinate.or(state).or(speed).ok_or_else(|| {
            let mut all: Vec<String> = observed.iter().map(|one| one.0.clone()).collect();
            all.extend(system.coordinates.iter().map(|one| one.name.clone()));
            all.extend(system.states.iter().map(|one| one.name.clone()));
            let hint = match syntax::nearest(name, all.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("outputs are observes, coordinates and rates: {}", all.join(", ")),
            };
            bad(&format!("there is no output `{name}`"), &hint).of(Field::Outputs)
        })?;
        list.push((name.clone(), found));
    }
    Ok(list)
}
