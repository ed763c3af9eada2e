//! Julia: a module, and a test.

use std::fmt::Write;

use expr::{Op, Rational};

use crate::File;
use crate::page;
use crate::target::c::{PROJECTS, STARTS};
use crate::target::one_based::Dialect;
use crate::unit::{Level, Unit};
use crate::value::Routine;
use crate::write::{Language, comment, double, doubles, float};

struct Julia;

impl Language for Julia {
    fn call(&self, op: Op, arguments: &[String]) -> String {
        match op {
            Op::IfNegative => format!("({} < 0.0 ? {} : {})", arguments[0], arguments[1], arguments[2]),
            Op::IfZero => format!("({} == 0.0 ? {} : {})", arguments[0], arguments[1], arguments[2]),
            _ => format!("{}({})", function(op), arguments.join(", ")),
        }
    }

    fn root(&self, of: &str) -> String {
        format!("sqrt({of})")
    }

    fn power(&self, base: &str, exponent: &Rational) -> String {
        format!("({base})^{}", float(exponent))
    }
}

fn function(op: Op) -> &'static str {
    match op {
        Op::Sin => "sin",
        Op::Cos => "cos",
        Op::Tan => "tan",
        Op::Asin => "asin",
        Op::Acos => "acos",
        Op::Atan | Op::Atan2 => "atan",
        Op::Sinh => "sinh",
        Op::Cosh => "cosh",
        Op::Tanh => "tanh",
        Op::Exp => "exp",
        Op::Log => "log",
        Op::Abs => "abs",
        Op::Sign => "sign",
        Op::Cbrt => "cbrt",
        Op::Min => "min",
        Op::Max => "max",
        _ => unreachable!("written elsewhere"),
    }
}

const DIALECT: Dialect<'_> =
    Dialect { language: &Julia, brackets: ["[", "]"], end: "", zeros: |n| format!("zeros({n})") };

/// The files.
pub fn files(unit: &Unit) -> Vec<File> {
    let stem = &unit.stem;
    vec![
        File { name: format!("{stem}.jl"), text: module(unit) },
        File { name: format!("{stem}_test.jl"), text: test(unit) },
    ]
}

fn module(unit: &Unit) -> String {
    let nominal: Vec<f64> = unit.parameters.iter().map(|one| one.value).collect();
    let mut out = comment(&page::top(unit), "# ");
    let _ = write!(
        out,
        "# Places are counted from 0 in these comments, and from 1 in the code.\n\nmodule {}\n\nconst COORDINATES = {}\n\
         # A start that satisfies the constraints.\nconst START_TIME = {}\nconst START = Float64[\n    {}\n]\n\
         # The parameters of the model; taken where p is not given.\nconst NOMINAL = Float64[\n    {}\n]\n",
        unit.stem,
        unit.n(),
        double(unit.t0),
        doubles(&unit.start(), "    "),
        doubles(&nominal, "    "),
    );
    unit.all_routines().for_each(|routine| out += &body(unit, routine));
    if unit.all_levels().next().is_some() {
        out += &BRING.replace("COORDS", &unit.n().to_string());
    }
    if !unit.levels.is_empty() {
        let _ = write!(out, "\n# {PROJECTS}\nfunction project(t, y, p=NOMINAL)\n");
        unit.levels.iter().for_each(|one| brought(&mut out, &one.0));
        out += "    return y\nend\n";
    }
    if let Some((_, levels)) = &unit.starting {
        let says = STARTS.replacen("Fills y with", "Is", 1);
        let _ = write!(
            out,
            "\n# {says}\nfunction consistent(t=START_TIME, p=NOMINAL)\n    y = start_values(t, START, p)\n"
        );
        levels.iter().for_each(|one| brought(&mut out, &one.0));
        if !unit.levels.is_empty() {
            out += AGREES;
        }
        out += "    return y\nend\n";
    }
    out + "\nend\n"
}

fn body(unit: &Unit, routine: &Routine) -> String {
    let p = if routine.directions().is_empty() { "p=NOMINAL" } else { "p, along_y, along_p" };
    let answers: Vec<&str> = routine.answers.iter().map(|one| one.array).collect();
    format!(
        "\n{}function {}(t, y, {p})\n{}    return {}\nend\n",
        comment(&page::of_routine(routine), "# "),
        routine.name,
        DIALECT.statements(unit, routine),
        answers.join(", ")
    )
}

fn brought(out: &mut String, level: &Level) {
    let _ = writeln!(out, "    y = bring(t, y, p, {}, {}, {})", level.routine, level.first, level.rows);
}

const BRING: &str = "
# Brings m rows to zero by moving y behind `first`: Newton's steps in the metric of the masses, while they help.
function bring(t, y, p, level, first, m)
    n = COORDS
    y = copy(y)
    old = copy(y)
    before = -1.0
    for round = 1:12
        r, J, M = level(t, y, p)
        worst = 0.0
        for i = 1:m
            natural = 0.0
            for j = 1:n
                natural = natural + abs(J[i, j])*max(abs(y[first + j]), 1.0)
            end
            rest = natural > 0.0 ? abs(r[i])/natural : abs(r[i])
            worst = rest <= worst ? worst : rest
        end
        if worst <= 4.5e-16
            return y
        end
        if before >= 0.0 && !(worst < before)
            y = old
            break
        end
        before = worst
        old = copy(y)
        a = zeros(n + m, n + m)
        b = zeros(n + m)
        for i = 1:n
            for j = 1:n
                a[i, j] = M[i, j]
            end
        end
        for i = 1:m
            b[n + i] = -r[i]
            for j = 1:n
                a[n + i, j] = J[i, j]
                a[j, n + i] = J[i, j]
            end
        end
        b = a \\ b
        for j = 1:n
            y[first + j] = y[first + j] + b[j]
        end
    end
    if before < 1e-12
        return y
    end
    error(\"the constraints cannot be met near this state\")
end
";

const AGREES: &str = "    there = project(t, y, p)
    for k = 1:length(y)
        if !(abs(there[k] - y[k]) <= 1e-8*(1.0 + abs(y[k])))
            error(\"what is given does not agree with the constraints\")
        end
    end
";

fn test(unit: &Unit) -> String {
    let stem = &unit.stem;
    let mut out = format!(
        "# Compares {stem}.jl with numbers that Anholon computed: julia {stem}_test.jl\n\ninclude(\"{stem}.jl\")\n\nSTATES = [\n"
    );
    let list = |list: &[f64]| format!("Float64[{}]", doubles(list, "      "));
    for point in &unit.points {
        let answers: Vec<String> = point.answers.iter().map(|one| list(one)).collect();
        let _ = write!(
            out,
            "    ({}, {},\n     {},\n     [{}]),\n",
            double(point.t),
            list(&point.y),
            list(&point.p),
            answers.join(",\n      ")
        );
    }
    let names: Vec<String> = unit.routines.iter().map(|one| format!("{stem}.{}", one.name)).collect();
    let _ = write!(out, "]\nROUTINES = [{}]\n", names.join(", "));
    let tolerances: Vec<&str> = unit.routines.iter().map(Routine::tolerance).collect();
    let _ = writeln!(out, "TOLERANCES = [{}]", tolerances.join(", "));
    let mut more = String::new();
    if !unit.levels.is_empty() && unit.routines.iter().any(|one| one.name == "residual") {
        more += COMPARE_PROJECTION;
    }
    let start = if unit.starting.is_some() { COMPARE_START } else { "" };
    out + &COMPARE.replace("PROJECTION", &more).replace("CONSISTENT", start).replace("STEM", stem)
}

const COMPARE: &str = "
function compare()
    worst = 0.0
    wrong = 0
    for k = 1:length(STATES)
        t, y, p, answers = STATES[k]
        for i = 1:length(ROUTINES)
            found = vec(permutedims(ROUTINES[i](t, y, p)))
            there = answers[i]
            size = 1e-3
            for x in there
                size = max(size, abs(x))
            end
            apart = length(found) == length(there) ? 0.0 : Inf
            for j = 1:length(there)
                off = abs(found[j] - there[j])/size
                apart = off <= apart ? apart : off
            end
            if !(apart <= TOLERANCES[i])
                println(\"STEM: \", ROUTINES[i], \" differs at state \", k, \" by \", apart)
                wrong = 1
            end
            worst = apart <= worst ? worst : apart
        end
PROJECTION    end
CONSISTENT    println(\"STEM: largest relative difference \", worst, \" at \", length(STATES), \" states\")
    return wrong
end

exit(compare())
";

const COMPARE_PROJECTION: &str = "        y = copy(y)
        for i = 1:length(y)
            y[i] = y[i] + (i > 1 ? 2e-5 : 1e-5)
        end
        before = 0.0
        for x in STEM.residual(t, y, p)
            before = max(before, abs(x))
        end
        after = 0.0
        for x in STEM.residual(t, STEM.project(t, y, p), p)
            after = max(after, abs(x))
        end
        if !(after <= 1e-6*before + 1e-13)
            println(\"STEM: project leaves \", after, \" of \", before, \" at state \", k)
            wrong = 1
        end
";

const COMPARE_START: &str = "    y = STEM.consistent()
    for i = 1:length(y)
        if !(abs(y[i] - STEM.START[i]) <= 1e-10*(1.0 + abs(STEM.START[i])))
            println(\"STEM: consistent finds another start\")
            wrong = 1
        end
    end
";
