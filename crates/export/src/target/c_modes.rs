//! How do C and C++ follow a model whose equations change on the way? The functions of all modes, from one text.

use crate::target::c::{Flavour, body};
use crate::target::mode_text::filled;
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

/// The text with what the functions are that change a mode, where it is asked for.
pub fn said(text: &str) -> String {
    SWITCHES.iter().fold(text.to_owned(), |text, (name, _, says)| text.replace(&format!("SAYS_{name}"), says))
}

/// The functions.
pub fn functions(unit: &Unit, modes: &Modes, flavour: &Flavour) -> String {
    let stem = &unit.stem;
    let wide = Unit { states: [&unit.states[..], &modes.wide].concat(), ..unit.clone() };
    let mut out = format!("\n/* {} */\n", modes.parts.says.join(" "));
    out += &body(unit, &modes.parts, &format!("{} parts", flavour.own), flavour);
    out += &format!("\n/* {} */\n", modes.shown.says.join(" "));
    out += &body(&wide, &modes.shown, &format!("{} shown", flavour.own), flavour);
    let mut text = filled(MODES_C, unit, modes, |list| format!("{{ {} }}", list.join(", ")));
    for name in ["rhs", "reactions", "observe", "events", "residual", "begin", "switch", "project"] {
        text = text.replace(&format!("PUBLIC_{name}("), &format!("{}(", named(flavour, stem, name)));
    }
    let called = |name: &str| named(flavour, stem, name).rsplit(' ').next().unwrap_or(name).to_owned();
    text = text.replace("SWITCH(", &format!("{}(", called("switch")));
    text = text.replace("PROJECT(", &format!("{}(", called("project")));
    text = text.replace("MODE", &(flavour.mode)(stem)).replace("OWN ", &format!("{} ", flavour.own));
    if flavour.library == "std::" {
        for word in ["fabs", "fmax", "fmin", "sqrt"] {
            text = text.replace(&format!("{word}("), &format!("std::{word}("));
        }
        text = text.replace("static void ", "inline void ").replace("static double ", "inline double ");
    }
    out + &text
}
