//! How does Rust follow a model whose equations change on the way?

use std::fmt::Write;

use crate::page;
use crate::target::c_modes::said;
use crate::target::mode_text::filled;
use crate::target::rust::body;
use crate::unit::{ModeAt, Modes, Unit};
use crate::write::{comment, double};

/// What does not depend on the model.
const MODES: &str = include_str!("modes/modes.rs.txt");

/// The functions, and the type of a mode.
pub fn functions(unit: &Unit, modes: &Modes) -> String {
    let count = modes.items.len();
    let items: Vec<String> = modes.items.iter().enumerate().map(|(k, one)| format!("  {k}: {}", one.name)).collect();
    let mut out = format!(
        "\n/// What acts. Items:\n{}/// state: 0 off or open, -1 over, 1 on, closed or sticking, 2 sliding; side: the sign of the normal force of a guide;\n\
         /// along: the direction of a slip.\n#[derive(Clone, Copy, Debug, PartialEq)]\npub struct Mode {{\n    pub state: [i32; {count}],\n    \
         pub side: [i32; {count}],\n    pub along: [[f64; 2]; {count}],\n}}\n",
        comment(&items, "/// ")
    );
    let wide = Unit { states: [&unit.states[..], &modes.wide].concat(), ..unit.clone() };
    out += &body(unit, &modes.parts, "");
    out += &body(&wide, &modes.shown, "");
    let mut text = filled(MODES, unit, modes, |list| format!("[{}]", list.join(", ")));
    for routine in &unit.routines {
        text = text.replace(&format!("DOC_{}\n", routine.name), &comment(&page::of_routine(routine), "/// "));
    }
    out + &said(&text)
}

/// The modes of the states of the test.
pub fn table(unit: &Unit) -> String {
    let Some(modes) = &unit.modes else { return String::new() };
    let lines: Vec<String> = modes.points.iter().map(value).collect();
    format!("static MODE: [model::Mode; {}] = [\n    {},\n];\n", lines.len(), lines.join(",\n    "))
}

/// A mode as a value.
fn value(mode: &ModeAt) -> String {
    let mut out = format!("model::Mode {{ state: {:?}, side: {:?}, along: [", mode.state, mode.side);
    for [a, b] in &mode.along {
        let _ = write!(out, "[{}, {}], ", double(*a), double(*b));
    }
    out + "] }"
}

/// The test that the mode of the start is found from its state alone, and that the state does not move.
pub fn test_of_start(unit: &Unit) -> String {
    let Some(modes) = &unit.modes else { return String::new() };
    format!(
        "    let (mut y, start) = (model::START, {});\n    let mut mode = start;\n    \
         model::begin(&mut mode, model::START_TIME, &mut y, &model::NOMINAL).expect(\"a mode\");\n    \
         assert!(mode.state == start.state && off(&y, &model::START, &mut 0.0) <= 1e-10, \"{}: begin finds another mode\");\n",
        value(&modes.start),
        unit.stem
    )
}
