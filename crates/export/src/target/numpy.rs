//! Python with NumPy: a module, and a test.

use std::fmt::Write;

use expr::{Op, Rational};

use crate::File;
use crate::page;
use crate::target::c::PROJECTS;
use crate::unit::Unit;
use crate::value::{Routine, Step};
use crate::write::{Language, comment, double, doubles, float, text};

struct NumPy;

impl Language for NumPy {
    fn call(&self, op: Op, arguments: &[String]) -> String {
        match op {
            Op::IfNegative => format!("({} if {} < 0.0 else {})", arguments[1], arguments[0], arguments[2]),
            Op::IfZero => format!("({} if {} == 0.0 else {})", arguments[1], arguments[0], arguments[2]),
            _ => format!("np.{}({})", function(op), arguments.join(", ")),
        }
    }

    fn root(&self, of: &str) -> String {
        format!("np.sqrt({of})")
    }

    fn power(&self, base: &str, exponent: &Rational) -> String {
        format!("np.power({base}, {})", float(exponent))
    }
}

fn function(op: Op) -> &'static str {
    match op {
        Op::Sin => "sin",
        Op::Cos => "cos",
        Op::Tan => "tan",
        Op::Asin => "arcsin",
        Op::Acos => "arccos",
        Op::Atan => "arctan",
        Op::Sinh => "sinh",
        Op::Cosh => "cosh",
        Op::Tanh => "tanh",
        Op::Exp => "exp",
        Op::Log => "log",
        Op::Abs => "abs",
        Op::Sign => "sign",
        Op::Cbrt => "cbrt",
        Op::Atan2 => "arctan2",
        Op::Min => "minimum",
        Op::Max => "maximum",
        _ => unreachable!("written elsewhere"),
    }
}

/// The files.
pub fn files(unit: &Unit) -> Vec<File> {
    let stem = &unit.stem;
    vec![
        File { name: format!("{stem}.py"), text: module(unit) },
        File { name: format!("{stem}_test.py"), text: test(unit) },
    ]
}

fn module(unit: &Unit) -> String {
    let nominal: Vec<f64> = unit.parameters.iter().map(|one| one.value).collect();
    let mut out = comment(&page::top(unit), "# ");
    let _ = write!(
        out,
        "\nimport numpy as np\n\nCOORDINATES = {}\n# A start that satisfies the constraints.\nSTART_TIME = {}\n\
         START = np.array([\n    {}\n])\n# The parameters of the model; taken where p is not given.\nNOMINAL = np.array([\n    {}\n])\n",
        unit.n(),
        double(unit.t0),
        doubles(&unit.start(), "    "),
        doubles(&nominal, "    "),
    );
    for routine in unit.levels.iter().map(|one| &one.1).chain(&unit.routines) {
        out += &body(unit, routine);
    }
    if !unit.levels.is_empty() {
        out += PROJECT;
        let _ = write!(out, "\n\ndef project(t, y, p=None):\n    # {PROJECTS}\n    y = np.array(y)\n");
        for (level, _) in &unit.levels {
            let _ = writeln!(
                out,
                "    y = _bring(t, y, p, {}, {}, {}, {})",
                level.routine,
                level.first,
                unit.n(),
                level.rows
            );
        }
        out += "    return y\n";
    }
    out
}

fn body(unit: &Unit, routine: &Routine) -> String {
    let mut out = format!("\n\ndef {}(t, y, p=None):\n{}", routine.name, comment(&page::of_routine(routine), "    # "));
    if unit.takes_parameters {
        out += "    p = NOMINAL if p is None else p\n";
    }
    for (k, one) in unit.coordinates.iter().chain(&unit.rates).enumerate().filter(|one| routine.mentions(&one.1.code)) {
        let _ = writeln!(out, "    {} = y[{k}]", one.code);
    }
    for (k, one) in unit.parameters.iter().enumerate().filter(|one| routine.mentions(&one.1.code)) {
        let from = if unit.takes_parameters { format!("p[{k}]") } else { double(one.value) };
        let _ = writeln!(out, "    {} = {from}", one.code);
    }
    for answer in &routine.answers {
        let _ = writeln!(out, "    {} = np.zeros({})", array(answer.array), answer.len());
    }
    for step in &routine.steps {
        write_step(&mut out, step);
    }
    let shaped = routine.answers.iter().map(|answer| match answer.columns {
        1 => array(answer.array).to_owned(),
        _ => format!("{}.reshape({}, {})", answer.array, answer.rows, answer.columns),
    });
    let _ = writeln!(out, "    return {}", shaped.collect::<Vec<_>>().join(", "));
    out
}

/// `lambda` is a word of Python.
fn array(name: &str) -> &str {
    if name == "lambda" { "multipliers" } else { name }
}

fn write_step(out: &mut String, step: &Step) {
    match step {
        Step::Let(name, value) => {
            let _ = writeln!(out, "    {name} = {}", text(value, &NumPy));
        }
        Step::Put(name, k, value) => {
            let _ = writeln!(out, "    {}[{k}] = {}", array(name), text(value, &NumPy));
        }
        Step::Solve { matrix, right, unknowns } => {
            let row = |row: &Vec<_>| row.iter().map(|value| text(value, &NumPy)).collect::<Vec<_>>().join(", ");
            let rows: Vec<String> = matrix.iter().map(|one| format!("        [{}],\n", row(one))).collect();
            let _ = write!(
                out,
                "    matrix = np.array([\n{}    ])\n    right = np.array([{}])\n",
                rows.concat(),
                row(right)
            );
            out.push_str("    right = np.linalg.solve(matrix, right)\n");
            for (k, name) in unknowns.iter().enumerate().filter(|one| !one.1.is_empty()) {
                let _ = writeln!(out, "    {name} = right[{k}]");
            }
        }
    }
}

const PROJECT: &str = "

def _bring(t, y, p, level, first, n, m):
    # Brings m rows to zero by moving y from `first` on: Newton's steps in the metric of the masses, while they help.
    before, old = None, y
    for _ in range(12):
        r, J, M = level(t, y, p)
        worst = 0.0
        for i in range(m):
            natural = sum(abs(J[i, j])*max(abs(y[first + j]), 1.0) for j in range(n))
            rest = abs(r[i])/natural if natural > 0.0 else abs(r[i])
            if not rest <= worst:
                worst = rest
        if worst <= 4.5e-16:
            return y
        if before is not None and not worst < before:
            y = old
            break
        before, old = worst, np.array(y)
        a, b = np.zeros((n + m, n + m)), np.zeros(n + m)
        for i in range(n):
            for j in range(n):
                a[i, j] = M[i, j]
        for i in range(m):
            b[n + i] = -r[i]
            for j in range(n):
                a[n + i, j] = a[j, n + i] = J[i, j]
        step = np.linalg.solve(a, b)
        y = np.array(y)
        for j in range(n):
            y[first + j] = y[first + j] + step[j]
    if before is not None and before < 1e-12:
        return y
    raise ArithmeticError(\"the constraints cannot be met near this state\")
";

fn test(unit: &Unit) -> String {
    let stem = &unit.stem;
    let mut out = format!(
        "# Compares {stem}.py with numbers that Anholon computed: python3 {stem}_test.py\n\nimport sys\n\nimport {stem} as model\n\nSTATES = [\n"
    );
    for point in &unit.points {
        let answers: Vec<String> =
            point.answers.iter().map(|list| format!("[{}]", doubles(list, "        "))).collect();
        let _ = write!(
            out,
            "    ({}, [{}],\n     [{}],\n     [{}]),\n",
            double(point.t),
            doubles(&point.y, "      "),
            doubles(&point.p, "      "),
            answers.join(",\n      ")
        );
    }
    let names: Vec<String> = unit.routines.iter().map(|one| format!("\"{}\"", one.name)).collect();
    let _ = write!(out, "]\nROUTINES = [{}]\n", names.join(", "));
    out += &COMPARE.replace("STEM", stem);
    if !unit.levels.is_empty() {
        out += &COMPARE_PROJECTION.replace("STEM", stem);
    }
    out + &format!(
        "print(\"{stem}: largest relative difference %.1e at %d states\" % (worst, len(STATES)))\nsys.exit(wrong)\n"
    )
}

const COMPARE: &str = "
worst, wrong = 0.0, 0
for k, (t, y, p, answers) in enumerate(STATES):
    for name, there in zip(ROUTINES, answers):
        found = [float(x) for x in getattr(model, name)(t, model.np.array(y), model.np.array(p)).ravel()]
        size = max([1e-3] + [abs(x) for x in there])
        apart = max(abs(a - b)/size for a, b in zip(found, there))
        if len(found) != len(there) or not apart <= 1e-12:
            print(\"STEM: %s differs at state %d by %.1e\" % (name, k, apart))
            wrong = 1
        worst = worst if apart <= worst else apart
";

const COMPARE_PROJECTION: &str = "    y = model.np.array([x + 1e-5*(1 + i % 3) for i, x in enumerate(y)])
    p = model.np.array(p)
    before = max(abs(float(x)) for x in model.residual(t, y, p))
    after = max(abs(float(x)) for x in model.residual(t, model.project(t, y, p), p))
    if not after <= 1e-6*before + 1e-13:
        print(\"STEM: project leaves %.1e of %.1e at state %d\" % (after, before, k))
        wrong = 1
";
