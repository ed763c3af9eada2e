//! What compares C and C++ with numbers that Anholon computed?

use std::fmt::Write;

use crate::target::c_modes;
use crate::unit::Unit;
use crate::write::doubles;

/// The test of the source in C.
pub fn test(unit: &Unit) -> String {
    let stem = &unit.stem;
    let out = format!(
        "/* Compares {stem}.c with numbers that Anholon computed:\n *   cc -std=c99 {stem}.c {stem}_test.c -lm -o {stem}_test && ./{stem}_test */\n\
         #include \"{stem}.h\"\n\n#include <math.h>\n#include <stdio.h>\n"
    );
    out + &test_body(unit, "", &format!("{stem}_")) + "\nint main(void)\n{\n    return compare();\n}\n"
}

/// Tables and comparisons, and a function `compare` that returns 0 if all agree.
pub fn test_body(unit: &Unit, library: &str, prefix: &str) -> String {
    let count = unit.points.len();
    let table = |name: &str, rows: Vec<&[f64]>| {
        let width = rows.first().map_or(1, |row| row.len().max(1));
        let lines: Vec<String> =
            rows.iter().map(|row| doubles(if row.is_empty() { &[0.0] } else { row }, "      ")).collect();
        format!("static const double {name}[{count}][{width}] = {{\n    {{ {} }}\n}};\n", lines.join(" },\n    { "))
    };
    let mut out = String::from("\n");
    let times: Vec<f64> = unit.points.iter().map(|point| point.t).collect();
    let _ = write!(out, "static const double at_t[{count}] = {{\n    {}\n}};\n", doubles(&times, "    "));
    out += &table("at_y", unit.points.iter().map(|point| &point.y[..]).collect());
    out += &table("at_p", unit.points.iter().map(|point| &point.p[..]).collect());
    if let Some(modes) = &unit.modes {
        let kind = if library.is_empty() { format!("{prefix}mode") } else { format!("{prefix}Mode") };
        let lines: Vec<String> = modes.points.iter().map(c_modes::value).collect();
        let _ = write!(out, "static const {kind} at_mode[{count}] = {{\n    {}\n}};\n", lines.join(",\n    "));
        let _ = writeln!(out, "static const {kind} at_start = {};", c_modes::value(&modes.start));
    }
    for (k, routine) in unit.routines.iter().enumerate() {
        let rows = unit.points.iter().map(|point| &point.answers[k][..]).collect();
        out += &table(&format!("{}_there", routine.name), rows);
    }
    out += &AGREE.replace("fabs", &format!("{library}fabs"));
    let _ = write!(out, "\nstatic int compare(void)\n{{\n    double worst = 0.0;\n    int wrong = 0;\n");
    let _ = writeln!(out, "    for (int k = 0; k < {count}; k++) {{");
    for routine in &unit.routines {
        let (name, size) = (routine.name, routine.answers[0].len());
        let mode = if unit.modes.is_some() { "&at_mode[k], " } else { "" };
        let _ = write!(
            out,
            "        double {name}[{size}];\n        \
             if ({prefix}{name}({mode}at_t[k], at_y[k], at_p[k], {name}) != 0) {{\n            \
             printf(\"{stem}: {name} has no answer at state %d\\n\", k);\n            wrong = 1;\n        }} else if \
             (off({name}, {name}_there[k], {size}, &worst) > {tolerance}) {{\n            \
             printf(\"{stem}: {name} differs at state %d\\n\", k);\n            wrong = 1;\n        }}\n",
            stem = unit.stem,
            tolerance = routine.tolerance(),
        );
    }
    out.push_str("    }\n");
    if !unit.levels.is_empty() && unit.routines.iter().any(|one| one.name == "residual") {
        out += &test_of_projection(unit, prefix);
    }
    if unit.starting.is_some() {
        out += &test_of_start(unit, prefix);
    }
    if let Some(modes) = &unit.modes {
        out += &test_of_mode(unit, modes.items.len(), library, prefix);
    }
    let _ = write!(
        out,
        "    printf(\"{}: largest relative difference %.1e at {count} states\\n\", worst);\n    return wrong;\n}}\n",
        unit.stem
    );
    out
}

fn test_of_start(unit: &Unit, prefix: &str) -> String {
    format!(
        "    {{\n        double y[{n}], least = 0.0;\n        \
         if ({prefix}consistent({prefix}start_time, y, {prefix}nominal) != 0 || \
         off(y, {prefix}start, {n}, &least) > 1e-10) {{\n            \
         printf(\"{stem}: consistent finds another start\\n\");\n            wrong = 1;\n        }}\n    }}\n",
        n = unit.size(),
        stem = unit.stem
    )
}

/// The mode of the start is found from its state alone, and the state does not move.
fn test_of_mode(unit: &Unit, items: usize, library: &str, prefix: &str) -> String {
    let kind = if library.is_empty() { "mode" } else { "Mode" };
    format!(
        "    {{\n        {prefix}{kind} mode;\n        double y[{n}], least = 0.0;\n        int same = 1;\n        \
         for (int i = 0; i < {n}; i++) y[i] = {prefix}start[i];\n        \
         if ({prefix}begin(&mode, {prefix}start_time, y, {prefix}nominal) != 0) same = 0;\n        \
         for (int i = 0; i < {items}; i++) same = same && mode.state[i] == at_start.state[i];\n        \
         if (!same || off(y, {prefix}start, {n}, &least) > 1e-10) {{\n            \
         printf(\"{stem}: begin finds another mode\\n\");\n            wrong = 1;\n        }}\n    }}\n",
        n = unit.size(),
        stem = unit.stem
    )
}

fn test_of_projection(unit: &Unit, prefix: &str) -> String {
    let residual = unit.routines.iter().find(|one| one.name == "residual");
    let (n, size) = (unit.size(), residual.map_or(1, |one| one.answers[0].len()));
    format!(
        "    for (int k = 0; k < {count}; k++) {{\n        double y[{n}], before[{size}], after[{size}], zero[{size}];\n        \
         double least = 0.0;\n        \
         for (int i = 0; i < {n}; i++) y[i] = at_y[k][i] + 1e-5*(double)(1 + i % 3);\n        \
         for (int i = 0; i < {size}; i++) zero[i] = 0.0;\n        \
         {prefix}residual(at_t[k], y, at_p[k], before);\n        \
         const int failed = {prefix}project(at_t[k], y, at_p[k]);\n        \
         {prefix}residual(at_t[k], y, at_p[k], after);\n        \
         const double rest = off(after, zero, {size}, &least)*1e-3;\n        least = 0.0;\n        \
         const double first = off(before, zero, {size}, &least)*1e-3;\n        \
         if (failed != 0 || !(rest <= 1e-6*first + 1e-13)) {{\n            \
         printf(\"{stem}: project leaves %.1e of %.1e at state %d\\n\", rest, first, k);\n            wrong = 1;\n        }}\n    }}\n",
        count = unit.points.len(),
        stem = unit.stem
    )
}

const AGREE: &str = "
/* How far two lists are apart, relative to the largest entry. */
static double off(const double *found, const double *there, int n, double *worst)
{
    double size = 1e-3, most = 0.0;
    for (int k = 0; k < n; k++) size = fabs(there[k]) > size ? fabs(there[k]) : size;
    for (int k = 0; k < n; k++) {
        const double apart = fabs(found[k] - there[k])/size;
        if (!(apart <= most)) most = apart;
    }
    if (!(most <= *worst)) *worst = most;
    return most;
}
";
