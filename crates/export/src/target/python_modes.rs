//! How does Python with NumPy follow a model whose equations change on the way?

use crate::page;
use crate::target::c_modes::said;
use crate::target::mode_text::filled;
use crate::target::python::{Flavour, body};
use crate::unit::{ModeAt, Modes, Unit};
use crate::write::{comment, double};

/// What does not depend on the model.
const MODES: &str = include_str!("modes/modes.py.txt");

/// The functions, and the type of a mode.
pub fn functions(unit: &Unit, modes: &Modes, flavour: &Flavour) -> String {
    let items: Vec<String> = modes.items.iter().enumerate().map(|(k, one)| format!("  {k}: {}", one.name)).collect();
    let mut out = format!(
        "\n\nclass Mode:\n    # What acts. Items:\n{}    # state: 0 off or open, -1 over, 1 on, closed or sticking, 2 sliding; side: the sign of the normal\n    \
         # force of a guide; along: the direction of a slip.\n    def __init__(self, state, side, along):\n        \
         self.state, self.side, self.along = state, side, along\n",
        comment(&items, "    # ")
    );
    let wide = Unit { states: [&unit.states[..], &modes.wide].concat(), ..unit.clone() };
    out += &body(unit, &modes.parts, flavour);
    out += &body(&wide, &modes.shown, flavour);
    let mut text = filled(MODES, unit, modes, |list| format!("[{}]", list.join(", ")));
    for routine in &unit.routines {
        text = text.replace(&format!("DOC_{}\n", routine.name), &comment(&page::of_routine(routine), "    # "));
    }
    out + &said(&text)
}

/// A mode as a value.
pub fn value(mode: &ModeAt) -> String {
    let along: Vec<String> = mode.along.iter().map(|[a, b]| format!("[{}, {}]", double(*a), double(*b))).collect();
    format!("model.Mode({:?}, {:?}, [{}])", mode.state, mode.side, along.join(", "))
}

/// The test that the mode of the start is found from its state alone, and that the state does not move.
pub fn test_of_start(unit: &Unit, modes: &Modes) -> String {
    format!(
        "mode, y = model.begin(model.START_TIME, model.START)\n\
         if mode.state != {:?} or not all(abs(a - b) <= 1e-10*(1.0 + abs(b)) for a, b in zip(y, model.START)):\n    \
         print(\"{}: begin finds another mode\")\n    wrong = 1\n",
        modes.start.state, unit.stem
    )
}
