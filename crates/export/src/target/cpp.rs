//! C++17: one header, and a test.

use std::fmt::Write;

use crate::File;
use crate::page;
use crate::target::c::{Flavour, bodies};
use crate::target::c_modes;
use crate::target::c_test::test_body;
use crate::unit::Unit;
use crate::write::{comment, double, doubles};

const CPP: Flavour = Flavour {
    library: "std::",
    public: |_, name| format!("inline int {name}"),
    own: "inline int",
    null: "nullptr",
    mode: |_| "Mode".to_owned(),
};

/// The files.
pub fn files(unit: &Unit) -> Vec<File> {
    let stem = &unit.stem;
    let test = format!(
        "// Compares {stem}.hpp with numbers that Anholon computed:\n//   c++ -std=c++17 {stem}_test.cpp -o {stem}_test && ./{stem}_test\n\
         #include \"{stem}.hpp\"\n\n#include <cstdio>\n\nusing std::printf;\n{}\nint main()\n{{\n    return compare();\n}}\n",
        test_body(unit, "std::", &format!("{stem}::"))
    );
    vec![
        File { name: format!("{stem}.hpp"), text: header(unit) },
        File { name: format!("{stem}_test.cpp"), text: test },
    ]
}

fn header(unit: &Unit) -> String {
    let (stem, guard) = (&unit.stem, unit.stem.to_uppercase());
    let mut out = comment(&page::top(unit), "// ");
    for routine in &unit.routines {
        let _ = write!(out, "//\n// int {}: 0, or 1 where there is no answer.\n", routine.name);
        out += &comment(&page::of_routine(routine), "//   ");
    }
    let nominal: Vec<f64> = unit.parameters.iter().map(|one| one.value).collect();
    let _ = write!(
        out,
        "#ifndef {guard}_HPP\n#define {guard}_HPP\n\n#include <cmath>\n\nnamespace {stem} {{\n\n\
         constexpr int coordinates = {};\nconstexpr int states = {};\nconstexpr int parameters = {};\n\
         // A start that satisfies the constraints: time and state.\nconstexpr double start_time = {};\n\
         constexpr double start[] = {{\n    {}\n}};\n// The parameters of the model.\nconstexpr double nominal[] = {{\n    {}\n}};\n",
        unit.n(),
        unit.size(),
        nominal.len(),
        double(unit.t0),
        doubles(&unit.start(), "    "),
        if nominal.is_empty() { "0.0".to_owned() } else { doubles(&nominal, "    ") },
    );
    if let Some(modes) = &unit.modes {
        let _ = write!(out, "\n{}", c_modes::declared(modes, &CPP, stem));
    }
    out + &bodies(unit, &CPP) + &format!("\n}} // namespace {stem}\n\n#endif\n")
}
