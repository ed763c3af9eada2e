//! Which rows act and which forms does one use first, and what must be said beside them?

use dynamics::{Dynamics, NoNumbers, Solved};
use expr::At;
use mechanics::Mode;
use mechanics::chart::ChartKind;
use mechanics::formalism::{FORMALISMS, Formalism, formalism};
use mechanics::ingredients::Ingredients;
use mechanics::rows::{Rows, RowsError};
use syntax::Diagnostic;

use crate::{Error, Field, Loaded};

/// The rows that act in a mode, or what is wrong with them: also that one of them is not linear in the accelerations, which only a
/// few verbs treat.
pub fn rows(loaded: &Loaded, mode: &Mode, at: &At) -> Result<Rows, Error> {
    let rows = rows_of_every_class(loaded, mode, at)?;
    linear(loaded, &rows).map(|()| rows)
}

/// The rows that act in a mode, or what is wrong with them.
pub fn rows_of_every_class(loaded: &Loaded, mode: &Mode, at: &At) -> Result<Rows, Error> {
    Rows::of(&loaded.system, mode, at).map_err(|error| no_rows(loaded, error))
}

/// Refuses rows that are not linear in the accelerations.
pub fn linear(loaded: &Loaded, rows: &Rows) -> Result<(), Error> {
    let Some(row) = rows.list.iter().chain(&rows.left_out).chain(&rows.pressed).find(|row| row.is_curved()) else {
        return Ok(());
    };
    let span = loaded.system.constraints[row.constraint].span;
    let message = format!("the constraint `{}` is not linear in the accelerations: that is not treated here", row.name);
    let diagnostic = Diagnostic::error(span, message).hint("`check`, `derive`, `evaluate` and `simulate` treat it");
    Err(Error::of_model(&loaded.model.sources, &[diagnostic]))
}

/// What is wrong with the constraints, at their place in the text.
pub fn no_rows(loaded: &Loaded, error: RowsError) -> Error {
    let (name, message, hint) = match error {
        RowsError::Math(error) => return Error::new(format!("a constraint has no derivative: {error}")),
        RowsError::Outside { name, class } => {
            let message = format!("the constraint `{name}` is {class}");
            (name, message, "constraints may hold coordinates, rates, and accelerations linearly")
        }
        RowsError::Conflict { name, with } => {
            let with: Vec<String> = with.iter().map(|other| format!("`{other}`")).collect();
            let others = if with.is_empty() { String::new() } else { format!(" with {}", with.join(", ")) };
            (name.clone(), format!("the constraint `{name}` is in conflict{others}"), "`anholon check` says more")
        }
    };
    let plain = name.split('.').next().unwrap_or(&name).to_owned();
    let span = loaded.system.constraints.iter().find(|constraint| constraint.name == plain).map(|c| c.span);
    let diagnostic = Diagnostic::error(span.unwrap_or_default(), message).hint(hint);
    Error::of_model(&loaded.model.sources, &[diagnostic])
}

/// Accelerations and multipliers at a state, by a form or the usual one.
pub fn numbers(
    loaded: &Loaded,
    mode: &Mode,
    at: &At,
    kind: ChartKind,
    wanted: Option<&'static Formalism>,
) -> Result<Result<Solved, NoNumbers>, Error> {
    Dynamics::new(&loaded.system, &loaded.at, kind).numbers(mode, at, wanted).map_err(|error| no_rows(loaded, error))
}

/// The formalism of that name; a wrong name is answered with the nearest one.
pub fn known(name: &str) -> Result<&'static Formalism, Error> {
    formalism(name).ok_or_else(|| {
        let names: Vec<&str> = FORMALISMS.iter().map(|formalism| formalism.name).collect();
        let hint = match syntax::nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}, and `all`", names.join(", ")),
        };
        Error::new(format!("there is no form `{name}`")).hint(hint).of(Field::Form)
    })
}

/// Remarks for the reader of equations. What was derived from the ingredients is not derived again.
pub fn notes(loaded: &Loaded, given: &Ingredients<'_>) -> Vec<String> {
    let rows = given.rows;
    let list = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let mut notes = Vec::new();
    if !rows.redundant.is_empty() {
        let say =
            if rows.redundant.len() == 1 { "follows from the other constraints" } else { "follow from the others" };
        let is = if rows.redundant.len() == 1 { "is" } else { "are" };
        notes.push(format!(
            "{} {say} and {is} left out: what each of them carries is not determined",
            list(&rows.redundant)
        ));
    }
    if !rows.open.is_empty() {
        let say =
            if rows.open.len() == 1 { "does not act at the start and is" } else { "do not act at the start and are" };
        notes.push(format!("{} {say} left out", list(&rows.open)));
    }
    notes.extend(loaded.taken.clone());
    notes.extend(one_sided(loaded, given));
    let switched = loaded.system.constraints.iter().filter(|one| rows.list.iter().any(|row| is_of(row, one)));
    notes.extend(switched.filter_map(|one| {
        let until = syntax::format_relation(&one.until.as_ref()?.tree);
        Some(format!("`{}` is switched off when {until}: these equations hold before", one.name))
    }));
    notes.extend(
        mechanics::standing::violation(&loaded.system, &loaded.at, "at the start").filter(|_| loaded.has_numbers()),
    );
    notes
}

/// That the speeds of the model are of no use, and why.
pub fn unused_speeds(given: &Ingredients<'_>) -> Option<String> {
    let error = given.chart().err().filter(|_| given.system.has_speeds())?;
    Some(format!("the speeds of the model are not used: {error}"))
}

fn is_of(row: &mechanics::rows::Row, constraint: &mechanics::Constraint) -> bool {
    row.name == constraint.name || row.name.strip_prefix(&constraint.name).is_some_and(|rest| rest.starts_with('.'))
}

/// What closed one-sided constraints mean for the equations, and which of them let go at the start.
fn one_sided(loaded: &Loaded, given: &Ingredients<'_>) -> Vec<String> {
    let (constraints, rows) = (&loaded.system.constraints, given.rows);
    let name = |place: usize| format!("`{}`", constraints[place].name);
    let mut closed: Vec<usize> = rows.list.iter().map(|row| row.constraint).collect();
    closed.retain(|&place| constraints[place].is_one_sided());
    closed.dedup();
    if closed.is_empty() {
        return Vec::new();
    }
    let list = |places: &[usize]| places.iter().map(|&place| name(place)).collect::<Vec<_>>().join(", ");
    let is = if closed.len() == 1 { "is" } else { "are" };
    let mut notes =
        vec![format!("{} {is} one-sided: these equations hold while closed, with multipliers >= 0", list(&closed))];
    let is_known = loaded.has_numbers() && loaded.start.contradictions.is_empty();
    let kind = given.chart().map_or(ChartKind::Rates, |chart| chart.kind);
    let dynamics = Dynamics::new(&loaded.system, &loaded.at, kind).knowing(&loaded.mode, given.forms());
    let found = is_known.then(|| dynamics.numbers(&loaded.mode, &loaded.at, None));
    if let Some(Ok(Ok(found))) = found
        && !found.mode.released.is_empty()
    {
        let released = &found.mode.released;
        let verb = if released.len() == 1 { "leaves" } else { "leave" };
        notes.push(format!(
            "{} {verb} at the start, where the multiplier would be negative: the motion from there follows the \
             equations without",
            list(released)
        ));
    }
    notes
}
