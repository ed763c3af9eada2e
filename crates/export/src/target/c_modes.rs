//! How do C and C++ follow a model whose equations change on the way? The functions of all modes, from one text.

use crate::target::c::{Flavour, body};
use crate::unit::{ModeAt, Modes, Unit};
use crate::write::double;

/// What does not depend on the model.
const MODES_C: &str = include_str!("modes/modes.c");

/// What the functions are that change a mode.
pub const SWITCHES: [(&str, &str, &str); 3] = [
    ("begin", "MODE *mode, double t, double *y, const double *p", "Finds the mode of a start."),
    (
        "switch",
        "MODE *mode, double t, double *y, const double *p, double shortest",
        "Changes the mode, and the rates at an impact, where an event function of the mode falls through 0. A bounce that \
         would last less than `shortest` seconds is none: the contact rests.",
    ),
    (
        "project",
        "const MODE *mode, double t, double *y, const double *p",
        "Moves y onto the rows that act: coordinates onto geometric rows, then rates, as little as masses allow.",
    ),
];

/// The type of a mode.
pub fn declared(modes: &Modes, flavour: &Flavour, stem: &str) -> String {
    let name = (flavour.mode)(stem);
    let items: Vec<String> =
        modes.items.iter().enumerate().map(|(k, one)| format!(" *   {k}: {}\n", one.name)).collect();
    let (comment, count) = (items.concat().replace("*/", "* /"), modes.items.len());
    format!(
        "/*\n * What acts. Items:\n{comment} * state: 0 off or open, -1 over, 1 on, closed or sticking, 2 sliding; side: the sign of the normal force\n \
         * of a guide; along: the direction of a slip.\n */\n\
         typedef struct {{\n    int state[{count}], side[{count}];\n    double along[{count}][2];\n}} {name};\n"
    )
}

/// A mode as a value.
pub fn value(mode: &ModeAt) -> String {
    let list = |values: &[i32]| values.iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
    let along: Vec<String> = mode.along.iter().map(|[a, b]| format!("{{ {}, {} }}", double(*a), double(*b))).collect();
    format!("{{ {{ {} }}, {{ {} }}, {{ {} }} }}", list(&mode.state), list(&mode.side), along.join(", "))
}

/// A function of a mode, as a caller names it; in C++ `switch` is a word of the language.
pub fn named(flavour: &Flavour, stem: &str, name: &str) -> String {
    let name = if name == "switch" && flavour.library == "std::" { "switch_mode" } else { name };
    (flavour.public)(stem, name)
}

/// The functions.
pub fn functions(unit: &Unit, modes: &Modes, flavour: &Flavour) -> String {
    let stem = &unit.stem;
    let wide = Unit { states: [&unit.states[..], &modes.wide].concat(), ..unit.clone() };
    let mut out = format!("\n/* {} */\n", modes.parts.says.join(" "));
    out += &body(unit, &modes.parts, &format!("{} parts", flavour.own), flavour);
    out += &format!("\n/* {} */\n", modes.shown.says.join(" "));
    out += &body(&wide, &modes.shown, &format!("{} shown", flavour.own), flavour);
    let list = |values: &mut dyn Iterator<Item = i64>| {
        format!("{{ {} }}", values.map(|one| one.to_string()).collect::<Vec<_>>().join(", "))
    };
    let place = |value: Option<usize>| value.map_or(-1, |k| k as i64);
    let mut text = MODES_C.to_owned();
    let tables = [
        ("ROW_ITEM", list(&mut modes.rows.iter().map(|row| place(row.item)))),
        ("ROW_KIND", list(&mut modes.rows.iter().map(|row| i64::from(row.kind)))),
        ("ROW_ORDER", list(&mut modes.rows.iter().map(|row| i64::from(row.order)))),
        ("ITEM_SIDED", list(&mut modes.items.iter().map(|one| i64::from(one.is_sided)))),
        ("ITEM_SWITCHED", list(&mut modes.items.iter().map(|one| i64::from(one.switched)))),
        ("ITEM_NORMAL", list(&mut modes.items.iter().map(|one| place(one.normal)))),
        ("ITEM_SLIPS", list(&mut modes.items.iter().map(|one| one.slips as i64))),
        ("ITEM_SLIP", list(&mut modes.items.iter().map(|one| one.slip as i64))),
        ("WATCH_KIND", list(&mut modes.watches.iter().map(|one| i64::from(one.0)))),
        ("WATCH_ITEM", list(&mut modes.watches.iter().map(|one| one.1 as i64))),
    ];
    for (word, value) in tables {
        text = text.replace(word, &value);
    }
    for name in ["rhs", "reactions", "observe", "events", "residual", "begin", "switch", "project"] {
        text = text.replace(&format!("PUBLIC_{name}("), &format!("{}(", named(flavour, stem, name)));
    }
    let called = |name: &str| named(flavour, stem, name).rsplit(' ').next().unwrap_or(name).to_owned();
    text = text.replace("SWITCH(", &format!("{}(", called("switch")));
    text = text.replace("PROJECT(", &format!("{}(", called("project")));
    for (word, value) in sizes(unit, modes) {
        text = replaced(&text, word, &value.to_string());
    }
    text = text.replace("MODE", &(flavour.mode)(stem)).replace("OWN ", &format!("{} ", flavour.own));
    if flavour.library == "std::" {
        for word in ["fabs", "fmax", "fmin", "sqrt"] {
            text = text.replace(&format!("{word}("), &format!("std::{word}("));
        }
        text = text.replace("static void ", "inline void ").replace("static double ", "inline double ");
    }
    out + &text
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
