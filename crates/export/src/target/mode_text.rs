//! What do all languages fill into the text that follows models with modes? Tables of rows and items, and sizes.

use crate::unit::{Item, ModeRow, Modes, Unit};

/// The text for a model, with its tables (words that begin with `IN_`) and sizes; `list` writes numbers as a list.
pub fn filled(text: &str, unit: &Unit, modes: &Modes, list: impl Fn(&[String]) -> String) -> String {
    let mut text = text.to_owned();
    for (word, values) in tables(modes) {
        text = replaced(&text, word, &list(&values));
    }
    for (word, value) in sizes(unit, modes) {
        text = replaced(&text, word, &value.to_string());
    }
    text
}

/// What the text says of rows and items.
fn tables(modes: &Modes) -> Vec<(&'static str, Vec<String>)> {
    let place = |value: Option<usize>| value.map_or(-1, |k| k as i64);
    let of_rows = |value: &dyn Fn(&ModeRow) -> i64| modes.rows.iter().map(|row| value(row).to_string()).collect();
    let of_items = |value: &dyn Fn(&Item) -> i64| modes.items.iter().map(|item| value(item).to_string()).collect();
    vec![
        ("IN_ROW_ITEM", of_rows(&|row| place(row.item))),
        ("IN_ROW_KIND", of_rows(&|row| i64::from(row.kind))),
        ("IN_ROW_ORDER", of_rows(&|row| i64::from(row.order))),
        ("IN_ITEM_SIDED", of_items(&|one| i64::from(one.is_sided))),
        ("IN_ITEM_SWITCHED", of_items(&|one| i64::from(one.switched))),
        ("IN_ITEM_NORMAL", of_items(&|one| one.normal.unwrap_or(0) as i64)),
        ("IN_ITEM_SLIPS", of_items(&|one| one.slips as i64)),
        ("IN_ITEM_SLIP", of_items(&|one| one.slip as i64)),
        ("IN_WATCH_KIND", modes.watches.iter().map(|one| one.0.to_string()).collect()),
        ("IN_WATCH_ITEM", modes.watches.iter().map(|one| one.1.to_string()).collect()),
    ]
}

/// How long the arrays are.
fn sizes(unit: &Unit, modes: &Modes) -> [(&'static str, usize); 14] {
    let (n, rows, items) = (unit.n(), modes.rows.len(), modes.items.len());
    let size = n + rows;
    [
        ("OWN_EVENTS", modes.events.max(1)),
        ("MODEL_EVENTS", modes.events),
        ("OBSERVES", modes.shown.answers[0].rows.max(1)),
        ("NUMBERS", 2 * items + unit.states.len()),
        ("WATCHES", modes.watches.len()),
        ("STATES", unit.size()),
        ("WIDE", unit.size() + size),
        ("COORDS", n),
        ("ROWS", rows),
        ("ITEMS", items),
        ("NN", n * n),
        ("RN", rows * n),
        ("SIZE", size),
        ("SS", size * size),
    ]
}

/// The text with another word for a word; parts of words stay.
fn replaced(text: &str, word: &str, by: &str) -> String {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(place) = rest.find(word) {
        let (before, behind) = (&rest[..place], &rest[place + word.len()..]);
        out.push_str(before);
        let is_whole = !is_part(out.chars().next_back()) && !is_part(behind.chars().next());
        out.push_str(if is_whole { by } else { word });
        rest = behind;
    }
    out + rest
}
