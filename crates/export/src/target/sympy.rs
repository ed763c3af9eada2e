//! SymPy: a script that rebuilds the expressions exactly; rational numbers stay rational.

use std::fmt::Write;

use expr::{Op, Rational};

use crate::File;
use crate::page;
use crate::unit::{Quantity, Unit};
use crate::value::{Answer, Part, Routine, Sort, Step};
use crate::write::{Language, comment, double, doubles, text};

struct SymPy;

impl Language for SymPy {
    fn number(&self, value: &Rational) -> String {
        match value.is_integer() {
            true => format!("sp.Integer({value})"),
            false => format!("sp.Rational({}, {})", value.numerator(), value.denominator()),
        }
    }

    fn double(&self, value: f64) -> String {
        format!("sp.Float({})", double(value))
    }

    fn one(&self) -> &'static str {
        "sp.Integer(1)"
    }

    fn pi(&self) -> &'static str {
        "sp.pi"
    }

    fn call(&self, op: Op, arguments: &[String]) -> String {
        let all = arguments.join(", ");
        match op {
            Op::IfNegative => {
                format!("sp.Piecewise(({}, {} < 0), ({}, True))", arguments[1], arguments[0], arguments[2])
            }
            Op::IfZero => {
                format!("sp.Piecewise(({}, sp.Eq({}, 0)), ({}, True))", arguments[1], arguments[0], arguments[2])
            }
            Op::Cbrt => format!("sp.real_root({all}, 3)"),
            _ => format!("sp.{}({all})", function(op)),
        }
    }

    fn root(&self, of: &str) -> String {
        format!("sp.sqrt({of})")
    }

    fn power(&self, base: &str, exponent: &Rational) -> String {
        format!("sp.Pow({base}, {})", self.number(exponent))
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
        Op::Log => "log",
        Op::Abs => "Abs",
        Op::Sign => "sign",
        Op::Atan2 => "atan2",
        Op::Min => "Min",
        Op::Max => "Max",
        _ => unreachable!("written elsewhere"),
    }
}

/// The files.
pub fn files(unit: &Unit) -> Vec<File> {
    let stem = &unit.stem;
    vec![
        File { name: format!("{stem}_sympy.py"), text: script(unit) },
        File { name: format!("{stem}_sympy_test.py"), text: test(unit) },
    ]
}

fn symbols<'a>(array: &str, list: impl Iterator<Item = &'a Quantity>) -> String {
    let lines: String = list.map(|one| format!("    sp.Symbol(\"{}\", real=True),\n", one.code)).collect();
    format!("{array} = [\n{lines}]\n")
}

fn values<'a>(list: impl Iterator<Item = &'a Quantity>) -> String {
    let value = |one: &Quantity| match &one.exact {
        Some(exact) => text(exact, &SymPy),
        None => format!("sp.Float({})", double(one.value)),
    };
    list.map(|one| format!("    {},\n", value(one))).collect()
}

fn script(unit: &Unit) -> String {
    let mut out = comment(&page::top(unit), "# ");
    out += "\nimport sympy as sp\n\nt = sp.Symbol(\"t\", real=True)\n";
    out += &symbols("y", unit.state());
    out += &symbols("p", unit.parameters.iter());
    let _ = write!(
        out,
        "# A start that satisfies the constraints.\nSTART_TIME = {}\n\
         START = [\n    {}\n]\n# The parameters of the model, exactly.\nNOMINAL = [\n{}]\n",
        double(unit.t0),
        doubles(&unit.start(), "    "),
        values(unit.parameters.iter()),
    );
    if unit.most_unknowns() > 0 {
        out += SOLVE;
    }
    for routine in unit.own.iter().chain(&unit.routines) {
        out += &body(unit, routine);
    }
    out
}

/// Elimination. `LUsolve` of SymPy takes a rounding error for a pivot, and may take an expression that vanishes.
const SOLVE: &str = "

def _solve(matrix, right, pivots):
    # Solves linear equations by elimination. Of numbers the largest is the pivot; of expressions that in the row which
    # is taken at the start of the model, so that no expression is divided by that always vanishes.
    n = len(right)
    rows = [list(row) + [b] for row, b in zip(matrix, right)]
    are_numbers = not any(getattr(x, \"free_symbols\", None) for row in rows for x in row[:n])
    for k in range(n):
        if are_numbers:
            best = max(range(k, n), key=lambda i: float(abs(rows[i][k])))
        else:
            best = next((i for i in [pivots[k], *range(k, n)] if rows[i][k] != 0), k)
        rows[k], rows[best] = rows[best], rows[k]
        if rows[k][k] == 0:
            raise ArithmeticError(\"the equations have no unique solution here\")
        for i in range(k + 1, n):
            if rows[i][k] != 0:
                factor = rows[i][k]/rows[k][k]
                for j in range(k + 1, n + 1):
                    rows[i][j] = rows[i][j] - factor*rows[k][j]
    for i in reversed(range(n)):
        rows[i][n] = (rows[i][n] - sum(rows[i][j]*rows[j][n] for j in range(i + 1, n)))/rows[i][i]
    return [row[n] for row in rows]
";

/// One direction after the other.
fn columns(unit: &Unit, answer: &Answer, of: &str, part: Part) -> String {
    let along = if part == Part::State { "along_y" } else { "along_p" };
    format!(
        "    columns = []\n    for j in range({}):\n        along_y, along_p = [sp.Integer(0)]*{}, [sp.Integer(0)]*{}\n        \
         {along}[j] = sp.Integer(1)\n        columns.append({of}(t, y, p, along_y, along_p))\n    \
         return sp.Matrix({}, {}, [column[i] for i in range({}) for column in columns])\n",
        answer.columns,
        unit.size(),
        unit.parameters.len(),
        answer.rows,
        answer.columns,
        answer.rows,
    )
}

fn body(unit: &Unit, routine: &Routine) -> String {
    let takes = if routine.directions().is_empty() { "t=t, y=y, p=p" } else { "t, y, p, along_y, along_p" };
    let mut out = format!("\n\ndef {}({takes}):\n{}", routine.name, comment(&page::of_routine(routine), "    # "));
    if let Sort::Columns(of, part) = routine.sort {
        return out + &columns(unit, &routine.answers[0], of, part);
    }
    let [state, parameters] = unit.inputs();
    let mut read = |array: &str, names: &[&str], suffix: &str| {
        let names = names.iter().map(|name| format!("{name}{suffix}")).enumerate();
        for (k, name) in names.filter(|one| routine.mentions(&one.1)) {
            let _ = writeln!(out, "    {name} = {array}[{k}]");
        }
    };
    read("y", &state, "");
    read(if unit.takes_parameters { "p" } else { "NOMINAL" }, &parameters, "");
    if let Sort::Along(suffix) = &routine.sort {
        read("along_y", &state, suffix);
        read("along_p", if unit.takes_parameters { &parameters } else { &[] }, suffix);
    }
    let answer = &routine.answers[0];
    let mut entries = Vec::new();
    for step in &routine.steps {
        match step {
            Step::Let(name, value) => {
                let _ = writeln!(out, "    {name} = {}", text(value, &SymPy));
            }
            Step::Put(_, _, value) => entries.push(format!("        {},\n", text(value, &SymPy))),
            Step::Solve { matrix, right, unknowns, pivots, .. } => {
                let row = |row: &Vec<_>| row.iter().map(|value| text(value, &SymPy)).collect::<Vec<_>>().join(", ");
                let rows: Vec<String> = matrix.iter().map(|one| format!("        [{}],\n", row(one))).collect();
                let _ = write!(
                    out,
                    "    matrix = [\n{}    ]\n    right = _solve(matrix, [{}], {pivots:?})\n",
                    rows.concat(),
                    row(right)
                );
                for (k, name) in unknowns.iter().enumerate().filter(|one| !one.1.is_empty()) {
                    let _ = writeln!(out, "    {name} = right[{k}]");
                }
            }
        }
    }
    let _ = writeln!(out, "    return sp.Matrix({}, {}, [\n{}    ])", answer.rows, answer.columns, entries.concat());
    out
}

fn test(unit: &Unit) -> String {
    let stem = &unit.stem;
    let mut out = format!(
        "# Compares {stem}_sympy.py with numbers that Anholon computed: python3 {stem}_sympy_test.py\n\nimport sys\n\n\
         import {stem}_sympy as model\n\nSTATES = [\n"
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
    out + &COMPARE.replace("STEM", stem)
}

const COMPARE: &str = "
worst, wrong = 0.0, 0
for k, (t, y, p, answers) in enumerate(STATES):
    t, y, p = model.sp.Float(t), [model.sp.Float(x) for x in y], [model.sp.Float(x) for x in p]
    for name, there in zip(ROUTINES, answers):
        found = [float(x) for x in getattr(model, name)(t, y, p)]
        size = max([1e-3] + [abs(x) for x in there])
        apart = max(abs(a - b)/size for a, b in zip(found, there))
        if len(found) != len(there) or not apart <= (1e-10 if name.startswith(\"linear\") else 1e-12):
            print(\"STEM: %s differs at state %d by %.1e\" % (name, k, apart))
            wrong = 1
        worst = worst if apart <= worst else apart
print(\"STEM: largest relative difference %.1e at %d states\" % (worst, len(STATES)))
sys.exit(wrong)
";
