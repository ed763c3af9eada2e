//! Rust of the standard library: a module, and a test.

use std::fmt::Write;

use expr::{Op, Rational};

use crate::File;
use crate::page;
use crate::target::c::{PROJECTS, STARTS};
use crate::target::rust_modes;
use crate::unit::{Level, Unit};
use crate::value::{Answer, Part, Routine, Sort, Step};
use crate::write::{Language, comment, double, doubles, float, text};

struct Rust;

impl Language for Rust {
    fn call(&self, op: Op, arguments: &[String]) -> String {
        let all = arguments.join(", ");
        match op {
            Op::Sign => format!("sign({all})"),
            Op::IfNegative => format!("(if {} < 0.0 {{ {} }} else {{ {} }})", arguments[0], arguments[1], arguments[2]),
            Op::IfZero => format!("(if {} == 0.0 {{ {} }} else {{ {} }})", arguments[0], arguments[1], arguments[2]),
            _ => format!("f64::{}({all})", function(op)),
        }
    }

    fn root(&self, of: &str) -> String {
        format!("f64::sqrt({of})")
    }

    fn power(&self, base: &str, exponent: &Rational) -> String {
        format!("f64::powf({base}, {})", float(exponent))
    }
}

fn function(op: Op) -> &'static str {
    match op {
        Op::Sin => "sin",
        Op::Cos => "cos",
        Op::Tan => "tan",
        Op::Asin => "asin",
        Op::Acos => "acos",
        Op::Atan => "atan",
        Op::Sinh => "sinh",
        Op::Cosh => "cosh",
        Op::Tanh => "tanh",
        Op::Exp => "exp",
        Op::Log => "ln",
        Op::Abs => "abs",
        Op::Cbrt => "cbrt",
        Op::Atan2 => "atan2",
        Op::Min => "min",
        Op::Max => "max",
        _ => unreachable!("written elsewhere"),
    }
}

/// The files.
pub fn files(unit: &Unit) -> Vec<File> {
    let stem = &unit.stem;
    vec![
        File { name: format!("{stem}.rs"), text: module(unit) },
        File { name: format!("{stem}_test.rs"), text: test(unit) },
    ]
}

fn module(unit: &Unit) -> String {
    let nominal: Vec<f64> = unit.parameters.iter().map(|one| one.value).collect();
    let mut out = comment(&page::top(unit), "//! ");
    let _ = write!(
        out,
        "\n#![allow(dead_code, non_snake_case, unused_parens, clippy::all)]\n\n\
         /// How many coordinates there are.\npub const COORDINATES: usize = {};\n\
         /// The time at the start.\npub const START_TIME: f64 = {};\n\
         /// A start that satisfies the constraints.\npub const START: [f64; {}] = [\n    {},\n];\n\
         /// The parameters of the model.\npub const NOMINAL: [f64; {}] = [\n    {}\n];\n\n\
         /// There is no answer at a state: linear equations have no unique solution.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq)]\npub struct Singular;\n",
        unit.n(),
        double(unit.t0),
        unit.size(),
        doubles(&unit.start(), "    "),
        nominal.len(),
        doubles(&nominal, "    "),
    );
    if unit.all_routines().any(|one| one.calls(Op::Sign)) {
        out += "\nfn sign(x: f64) -> f64 {\n    f64::from(i8::from(x > 0.0) - i8::from(x < 0.0))\n}\n";
    }
    if unit.most_unknowns() > 0 {
        out += SOLVE;
        out += &SOLVE_SYMMETRIC.replace("MOST", &unit.most_unknowns().to_string());
    }
    let inner = unit.all_levels().map(|one| &one.1).chain(unit.starting.iter().map(|one| &one.0));
    inner.for_each(|routine| out += &body(unit, routine, ""));
    let own = unit.own.iter().chain(&unit.routines).filter(|one| one.sort != Sort::InMode);
    own.for_each(|routine| out += &body(unit, routine, "pub "));
    if let Some(modes) = &unit.modes {
        out += &rust_modes::functions(unit, modes);
    }
    out + &project(unit) + &consistent(unit)
}

/// One direction after the other.
fn columns(unit: &Unit, answer: &Answer, of: &str, part: Part) -> String {
    let along = if part == Part::State { "along_y" } else { "along_p" };
    format!(
        "    let (mut along_y, mut along_p, mut column) = ([0.0; {}], [0.0; {}], [0.0; {rows}]);\n    \
         for j in 0..{count} {{\n        {along}[j] = 1.0;\n        \
         {of}(t, y, p, &along_y, &along_p, &mut column)?;\n        {along}[j] = 0.0;\n        \
         (0..{rows}).for_each(|i| {array}[i * {count} + j] = column[i]);\n    }}\n    Ok(())\n}}\n",
        unit.size(),
        unit.parameters.len(),
        rows = answer.rows,
        count = answer.columns,
        array = answer.array,
    )
    .replace(
        if part == Part::State { "mut along_p" } else { "mut along_y" },
        if part == Part::State { "along_p" } else { "along_y" },
    )
}

/// A function from the steps of a routine.
pub fn body(unit: &Unit, routine: &Routine, public: &str) -> String {
    let directions: String = routine.directions().iter().map(|one| format!(", {one}: &[f64]")).collect();
    let answers: String = routine.answers.iter().map(|one| format!(", {}: &mut [f64]", one.array)).collect();
    let mut out = format!("\n{}", comment(&page::of_routine(routine), "/// "));
    let (name, takes) = (routine.name, format!("t: f64, y: &[f64], p: &[f64]{directions}{answers}"));
    let _ = writeln!(out, "{public}fn {name}({takes}) -> Result<(), Singular> {{");
    if let Sort::Columns(of, part) = routine.sort {
        return out + &columns(unit, &routine.answers[0], of, part);
    }
    out += "    let _ = (t, y, p);\n";
    for empty in routine.answers.iter().filter(|one| one.len() == 0) {
        let _ = writeln!(out, "    let _ = {};", empty.array);
    }
    let [state, parameters] = unit.inputs();
    let mut read = |array: &str, names: &[&str], suffix: &str| {
        for (k, name) in names.iter().enumerate() {
            let name = format!("{name}{suffix}");
            if routine.mentions(&name) {
                let fixed = array == "p" && !unit.takes_parameters;
                let from =
                    if fixed { format!("{}_f64", double(unit.parameters[k].value)) } else { format!("{array}[{k}]") };
                let _ = writeln!(out, "    let {name} = {from};");
            }
        }
    };
    read("y", &state, "");
    read("p", &parameters, "");
    if let Sort::Along(suffix) = &routine.sort {
        read("along_y", &state, suffix);
        read("along_p", if unit.takes_parameters { &parameters } else { &[] }, suffix);
        out += "    let _ = (along_y, along_p);\n";
    }
    for step in &routine.steps {
        write_step(&mut out, step);
    }
    out + "    Ok(())\n}\n"
}

fn write_step(out: &mut String, step: &Step) {
    match step {
        Step::Let(name, value) => {
            let _ = writeln!(out, "    let {name}: f64 = {};", text(value, &Rust));
        }
        Step::Put(array, k, value) => {
            let _ = writeln!(out, "    {array}[{k}] = {};", text(value, &Rust));
        }
        Step::Solve { matrix, right, unknowns, turned, .. } => {
            let n = right.len();
            let _ = writeln!(out, "    let (mut matrix, mut right) = ([0.0_f64; {}], [0.0_f64; {n}]);", n * n);
            let is_read = |k: usize| turned.is_none() || k % n >= k / n;
            for (k, value) in matrix.iter().flatten().enumerate().filter(|one| is_read(one.0)) {
                let _ = writeln!(out, "    matrix[{k}] = {};", text(value, &Rust));
            }
            for (k, value) in right.iter().enumerate() {
                let value = text(value, &Rust);
                let is_turned = turned.as_ref().is_some_and(|turned| turned[k]);
                let _ = writeln!(out, "    right[{k}] = {};", if is_turned { format!("-({value})") } else { value });
            }
            let solve = if turned.is_some() { "solve_symmetric" } else { "solve" };
            let _ = writeln!(out, "    {solve}({n}, &mut matrix, &mut right)?;");
            for (k, name) in unknowns.iter().enumerate().filter(|one| !one.1.is_empty()) {
                let _ = writeln!(out, "    let {name} = right[{k}];");
            }
        }
    }
}

const SOLVE: &str = "
/// Solves a x = b by elimination with scaled pivots; x takes the place of b.
fn solve(n: usize, a: &mut [f64], b: &mut [f64]) -> Result<(), Singular> {
    for k in 0..n {
        let (mut best, mut most) = (k, 0.0);
        for i in k..n {
            let size = a[i * n + k..(i + 1) * n].iter().fold(0.0_f64, |size, entry| size.max(entry.abs()));
            let share = if size > 0.0 { a[i * n + k].abs() / size } else { 0.0 };
            if share > most {
                (best, most) = (i, share);
            }
        }
        if !(most > 1e-15) {
            return Err(Singular);
        }
        (0..n).for_each(|j| a.swap(k * n + j, best * n + j));
        b.swap(k, best);
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            (k + 1..n).for_each(|j| a[i * n + j] -= factor * a[k * n + j]);
            b[i] -= factor * b[k];
        }
    }
    for i in (0..n).rev() {
        (i + 1..n).for_each(|j| b[i] -= a[i * n + j] * b[j]);
        b[i] /= a[i * n + i];
    }
    Ok(())
}
";

const SOLVE_SYMMETRIC: &str = "
/// Solves a x = b, where a is symmetric and stands above the diagonal, by elimination in the order of the rows; x takes the place of
/// b. Where a pivot is small against what it is the difference of, pivots are looked for.
fn solve_symmetric(n: usize, a: &mut [f64], b: &mut [f64]) -> Result<(), Singular> {
    let (mut own, mut size) = ([0.0_f64; MOST], [0.0_f64; MOST]);
    for i in 0..n {
        own[i] = a[i * n + i];
        size[i] = own[i].abs();
        (0..i).for_each(|j| a[i * n + j] = a[j * n + i]);
    }
    for k in 0..n {
        if !(a[k * n + k].abs() > 1e-6 * size[k]) {
            for i in 0..n {
                a[i * n + i] = own[i];
                (0..i).for_each(|j| a[j * n + i] = a[i * n + j]);
            }
            return solve(n, a, b);
        }
        let (above, below) = a.split_at_mut((k + 1) * n);
        let above = &above[k * n..];
        let inverse = 1.0 / above[k];
        for (i, row) in (k + 1..n).zip(below.chunks_exact_mut(n)) {
            let factor = above[i] * inverse;
            if factor != 0.0 {
                row[i..].iter_mut().zip(&above[i..]).for_each(|(x, y)| *x -= factor * y);
                size[i] += (factor * above[i]).abs();
            }
        }
    }
    for k in 0..n {
        let part = b[k] / a[k * n + k];
        (k + 1..n).for_each(|i| b[i] -= part * a[k * n + i]);
    }
    for i in (0..n).rev() {
        (i + 1..n).for_each(|j| b[i] -= a[i * n + j] * b[j]);
        b[i] /= a[i * n + i];
    }
    Ok(())
}
";

fn project(unit: &Unit) -> String {
    let Some(rows) = unit.all_levels().map(|one| one.0.rows).max() else { return String::new() };
    let n = unit.n();
    let mut out = PROJECT
        .replace("NN", &(n * n).to_string())
        .replace("SS", &((n + rows) * (n + rows)).to_string())
        .replace("MN", &(rows * n).to_string())
        .replace("SIZE", &(n + rows).to_string())
        .replace("ROWS", &rows.to_string())
        .replace("COORDS", &n.to_string());
    if !unit.levels.is_empty() {
        let takes = "t: f64, y: &mut [f64], p: &[f64]";
        let _ = write!(out, "\n/// {PROJECTS}\npub fn project({takes}) -> Result<(), Singular> {{\n");
        unit.levels.iter().for_each(|one| brought(&mut out, &one.0));
        out += "    Ok(())\n}\n";
    }
    out
}

fn brought(out: &mut String, level: &Level) {
    let _ = writeln!(out, "    bring(t, y, p, {}, {}, {})?;", level.routine, level.first, level.rows);
}

fn consistent(unit: &Unit) -> String {
    let Some((_, levels)) = &unit.starting else { return String::new() };
    let (takes, states) = ("t: f64, y: &mut [f64], p: &[f64]", unit.size());
    let mut out = format!("\n/// {STARTS}\npub fn consistent({takes}) -> Result<(), Singular> {{\n");
    let _ = writeln!(out, "    start_values(t, &[0.0; {states}], p, y)?;");
    levels.iter().for_each(|one| brought(&mut out, &one.0));
    if !unit.levels.is_empty() {
        let _ = write!(
            out,
            "    // what is given must agree with the constraints\n    let mut there = [0.0; {states}];\n    \
             there.copy_from_slice(&y[..{states}]);\n    project(t, &mut there, p)?;\n    \
             let apart = there.iter().zip(y.iter()).any(|(a, b)| !((a - b).abs() <= 1e-8 * (1.0 + b.abs())));\n    \
             if apart {{\n        return Err(Singular);\n    }}\n"
        );
    }
    out + "    Ok(())\n}\n"
}

const PROJECT: &str = "
type Level = fn(f64, &[f64], &[f64], &mut [f64], &mut [f64], &mut [f64]) -> Result<(), Singular>;

/// Brings m rows to zero by moving y from `first` on: Newton's steps in the metric of the masses, while they help.
fn bring(t: f64, y: &mut [f64], p: &[f64], level: Level, first: usize, m: usize) -> Result<(), Singular> {
    let (mut r, mut J, mut M) = ([0.0; ROWS], [0.0; MN], [0.0; NN]);
    let (n, size, mut before, mut old) = (COORDS, COORDS + m, 0.0, [0.0; COORDS]);
    for round in 0..12 {
        level(t, y, p, &mut r, &mut J, &mut M)?;
        let mut worst = 0.0;
        for i in 0..m {
            let natural: f64 = (0..n).map(|j| J[i * n + j].abs() * y[first + j].abs().max(1.0)).sum();
            let rest = if natural > 0.0 { r[i].abs() / natural } else { r[i].abs() };
            if !(rest <= worst) {
                worst = rest;
            }
        }
        if worst <= 4.5e-16 {
            return Ok(());
        }
        if round > 0 && !(worst < before) {
            y[first..first + n].copy_from_slice(&old);
            break;
        }
        before = worst;
        old.copy_from_slice(&y[first..first + n]);
        let (mut a, mut b) = ([0.0; SS], [0.0; SIZE]);
        for i in 0..n {
            (0..n).for_each(|j| a[i * size + j] = M[i * n + j]);
        }
        for i in 0..m {
            b[n + i] = -r[i];
            for j in 0..n {
                a[(n + i) * size + j] = J[i * n + j];
                a[j * size + n + i] = J[i * n + j];
            }
        }
        solve(size, &mut a, &mut b)?;
        (0..n).for_each(|j| y[first + j] += b[j]);
    }
    if before < 1e-12 { Ok(()) } else { Err(Singular) }
}
";

fn test(unit: &Unit) -> String {
    let (stem, count) = (&unit.stem, unit.points.len());
    let table = |name: &str, rows: Vec<&[f64]>| {
        let width = rows.first().map_or(0, |row| row.len());
        let lines: Vec<String> = rows.iter().map(|row| doubles(row, "     ")).collect();
        format!("static {name}: [[f64; {width}]; {count}] = [\n    [{}],\n];\n", lines.join("],\n    ["))
    };
    let mut out = format!(
        "//! Compares {stem}.rs with numbers that Anholon computed: rustc -O {stem}_test.rs && ./{stem}_test\n\n\
         #[path = \"{stem}.rs\"]\nmod model;\n\n"
    );
    let times: Vec<f64> = unit.points.iter().map(|point| point.t).collect();
    let _ = writeln!(out, "static T: [f64; {count}] = [{}];", doubles(&times, "    "));
    out += &table("Y", unit.points.iter().map(|point| &point.y[..]).collect());
    out += &table("P", unit.points.iter().map(|point| &point.p[..]).collect());
    for (k, routine) in unit.routines.iter().enumerate() {
        let rows = unit.points.iter().map(|point| &point.answers[k][..]).collect();
        out += &table(&routine.name.to_uppercase(), rows);
    }
    out += &rust_modes::table(unit);
    out += AGREE;
    let mode = if unit.modes.is_some() { "&MODE[k], " } else { "" };
    let _ = write!(out, "\nfn main() {{\n    let mut worst = 0.0;\n    for k in 0..{count} {{\n");
    for routine in &unit.routines {
        let (name, size, table) = (routine.name, routine.answers[0].len(), routine.name.to_uppercase());
        let _ = write!(
            out,
            "        let mut found = [0.0; {size}];\n        \
             model::{name}({mode}T[k], &Y[k], &P[k], &mut found).expect(\"{name} has an answer\");\n        \
             assert!(off(&found, &{table}[k], &mut worst) <= {}, \"{stem}: {name} differs at state {{}}\", k);\n",
            routine.tolerance()
        );
    }
    if let Some(residual) = unit.routines.iter().find(|one| one.name == "residual").filter(|_| !unit.levels.is_empty())
    {
        let size = residual.answers[0].len();
        let _ = write!(
            out,
            "        let (mut y, mut before, mut after) = (Y[k], [0.0_f64; {size}], [0.0_f64; {size}]);\n        \
             y.iter_mut().enumerate().for_each(|(i, y)| *y += 1e-5 * (1 + i % 3) as f64);\n        \
             model::residual(T[k], &y, &P[k], &mut before).expect(\"a residual\");\n        \
             model::project(T[k], &mut y, &P[k]).expect(\"the projection succeeds\");\n        \
             model::residual(T[k], &y, &P[k], &mut after).expect(\"a residual\");\n        \
             let most = |list: &[f64]| list.iter().fold(0.0_f64, |most, x| most.max(x.abs()));\n        \
             assert!(most(&after) <= 1e-6 * most(&before) + 1e-13, \"{stem}: project at state {{}}\", k);\n"
        );
    }
    out += "    }\n";
    if unit.starting.is_some() {
        let _ = write!(
            out,
            "    let mut y = [0.0; {}];\n    model::consistent(model::START_TIME, &mut y, &model::NOMINAL).expect(\"a start\");\n    \
             assert!(off(&y, &model::START, &mut 0.0) <= 1e-10, \"{stem}: consistent finds another start\");\n",
            unit.size()
        );
    }
    out += &rust_modes::test_of_start(unit);
    let _ = write!(out, "    println!(\"{stem}: largest relative difference {{worst:.1e}} at {count} states\");\n}}\n");
    out
}

const AGREE: &str = "
/// How far two lists are apart, relative to the largest entry.
fn off(found: &[f64], there: &[f64], worst: &mut f64) -> f64 {
    let size = there.iter().fold(1e-3_f64, |size, x| size.max(x.abs()));
    let apart = found.iter().zip(there).map(|(a, b)| (a - b).abs() / size);
    let most = apart.fold(0.0, |most, x| if x <= most { most } else { x });
    if !(most <= *worst) {
        *worst = most;
    }
    most
}
";
