//! MATLAB and Octave: a file for each function, and a test.

use std::fmt::Write;

use expr::{Op, Rational};

use crate::File;
use crate::page;
use crate::target::c::{PROJECTS, STARTS};
use crate::target::one_based::Dialect;
use crate::unit::{Level, Unit};
use crate::value::{Routine, Sort};
use crate::write::{Language, comment, double, doubles, float};

struct Matlab;

impl Language for Matlab {
    fn call(&self, op: Op, arguments: &[String]) -> String {
        let all = arguments.join(", ");
        match op {
            Op::IfNegative => format!("choose({} < 0, {}, {})", arguments[0], arguments[1], arguments[2]),
            Op::IfZero => format!("choose({} == 0, {}, {})", arguments[0], arguments[1], arguments[2]),
            Op::Cbrt => format!("nthroot({all}, 3)"),
            _ => format!("{}({all})", function(op)),
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
        Op::Atan => "atan",
        Op::Sinh => "sinh",
        Op::Cosh => "cosh",
        Op::Tanh => "tanh",
        Op::Exp => "exp",
        Op::Log => "log",
        Op::Abs => "abs",
        Op::Sign => "sign",
        Op::Atan2 => "atan2",
        Op::Min => "min",
        Op::Max => "max",
        _ => unreachable!("written elsewhere"),
    }
}

const DIALECT: Dialect<'_> =
    Dialect { language: &Matlab, brackets: ["(", ")"], end: ";", zeros: |n| format!("zeros({n}, 1)") };

/// The files.
pub fn files(unit: &Unit) -> Vec<File> {
    let stem = &unit.stem;
    let file = |name: &str, text: String| File { name: format!("{stem}_{name}.m"), text };
    let nominal: Vec<f64> = unit.parameters.iter().map(|one| one.value).collect();
    let mut files = vec![
        file("start", {
            format!(
                "function [t, y] = {stem}_start()\n% A start that satisfies the constraints: time and state.\n{}    \
                 t = {};\n    y = [ ...\n        {} ].';\nend\n",
                comment(&page::top(unit), "% "),
                double(unit.t0),
                rows(&unit.start(), "        ")
            )
        }),
        file("nominal", {
            format!(
                "function p = {stem}_nominal()\n% The parameters of the model.\n    p = [ ...\n        {} ].';\nend\n",
                rows(&nominal, "        ")
            )
        }),
    ];
    for routine in unit.own.iter().chain(&unit.routines) {
        files.push(file(routine.name, function_file(unit, routine)));
    }
    if !unit.levels.is_empty() {
        files.push(file("project", project(unit)));
    }
    if unit.starting.is_some() {
        files.push(file("consistent", consistent(unit)));
    }
    files.push(file("test", test(unit)));
    files
}

/// Numbers in a row of a matrix, over several lines.
fn rows(list: &[f64], indent: &str) -> String {
    doubles(list, indent).replace(",\n", ", ...\n")
}

fn function_file(unit: &Unit, routine: &Routine) -> String {
    let mut lines = page::top(unit)[..4].to_vec();
    lines.push(String::new());
    lines.extend(page::of_routine(routine).into_iter().map(|line| one_based(&line)));
    let name = format!("{}_{}", unit.stem, routine.name);
    function_text(unit, routine, &name, &comment(&lines, "% "), true) + &helpers(&[routine])
}

/// Entries are counted from 1 here.
fn one_based(line: &str) -> String {
    let Some((head, rest)) = line.split_once('[') else { return line.to_owned() };
    match rest.split_once(']').and_then(|(k, rest)| Some((k.parse::<usize>().ok()?, rest))) {
        Some((k, rest)) if head.starts_with("  ") => format!("{head}({}){rest}", k + 1),
        _ => line.to_owned(),
    }
}

fn helpers(routines: &[&Routine]) -> String {
    let switches = routines.iter().any(|one| one.calls(Op::IfNegative) || one.calls(Op::IfZero));
    if switches { CHOOSE.to_owned() } else { String::new() }
}

fn function_text(unit: &Unit, routine: &Routine, name: &str, says: &str, is_public: bool) -> String {
    let answers: Vec<&str> = routine.answers.iter().map(|one| one.array).collect();
    let directions: String = routine.directions().iter().map(|one| format!(", {one}")).collect();
    let mut out = format!("function [{}] = {name}(t, y, p{directions})\n{says}", answers.join(", "));
    if is_public && matches!(routine.sort, Sort::Values | Sort::Columns(..)) {
        let _ = writeln!(out, "    if nargin < 3, p = {}_nominal(); end", unit.stem);
    }
    out + &DIALECT.statements(unit, routine) + "end\n"
}

fn project(unit: &Unit) -> String {
    let stem = &unit.stem;
    let mut out = format!(
        "function y = {stem}_project(t, y, p)\n% {PROJECTS}\n    if nargin < 3, p = {stem}_nominal(); end\n    y = y(:);\n"
    );
    unit.levels.iter().for_each(|one| brought(&mut out, &one.0));
    out += "end\n";
    let routines: Vec<&Routine> = unit.levels.iter().map(|one| &one.1).collect();
    for routine in &routines {
        out += &format!("\n{}", function_text(unit, routine, routine.name, "", false));
    }
    out + &bring(unit) + &helpers(&routines)
}

fn brought(out: &mut String, level: &Level) {
    let _ = writeln!(out, "    y = bring(t, y, p, @{}, {}, {});", level.routine, level.first, level.rows);
}

fn consistent(unit: &Unit) -> String {
    let (stem, (given, levels)) = (&unit.stem, unit.starting.as_ref().expect("there is a start"));
    let says = STARTS.replacen("Fills y with", "Is", 1);
    let mut out = format!(
        "function y = {stem}_consistent(t, p)\n% {says}\n    if nargin < 1, t = {}; end\n    \
         if nargin < 2, p = {stem}_nominal(); end\n    y = start_values(t, zeros({}, 1), p);\n",
        double(unit.t0),
        unit.size()
    );
    levels.iter().for_each(|one| brought(&mut out, &one.0));
    if !unit.levels.is_empty() {
        let _ = write!(
            out,
            "    if ~all(abs({stem}_project(t, y, p) - y) <= 1e-8*(1 + abs(y)))\n        \
             error('{stem}: what is given does not agree with the constraints');\n    end\n"
        );
    }
    out += "end\n";
    let routines: Vec<&Routine> = [given].into_iter().chain(levels.iter().map(|one| &one.1)).collect();
    for routine in &routines {
        out += &format!("\n{}", function_text(unit, routine, routine.name, "", false));
    }
    out + &if levels.is_empty() { String::new() } else { bring(unit) } + &helpers(&routines)
}

fn bring(unit: &Unit) -> String {
    BRING.replace("COORDS", &unit.n().to_string())
}

const CHOOSE: &str = "
function x = choose(is, a, b)
    if is
        x = a;
    else
        x = b;
    end
end
";

const BRING: &str = "
% Brings m rows to zero by moving y behind `first`: Newton's steps in the metric of the masses, while they help.
function y = bring(t, y, p, level, first, m)
    n = COORDS;
    part = first + (1:n);
    before = Inf;
    old = y;
    for round = 1:12
        [r, J, M] = level(t, y, p);
        natural = abs(J)*max(abs(y(part)), 1);
        natural(natural == 0) = 1;
        worst = max(abs(r)./natural);
        if worst <= 4.5e-16
            return;
        end
        if ~(worst < before)
            y = old;
            break;
        end
        before = worst;
        old = y;
        step = [M, J.'; J, zeros(m)] \\ [zeros(n, 1); -r];
        y(part) = y(part) + step(1:n);
    end
    if ~(before < 1e-12)
        error('the constraints cannot be met near this state');
    end
end
";

fn test(unit: &Unit) -> String {
    let stem = &unit.stem;
    let mut out =
        format!("% Compares the functions {stem}_* with numbers that Anholon computed: octave {stem}_test.m\n");
    let column = |list: &[f64]| format!("[ ...\n    {} ].'", rows(list, "    "));
    let _ = write!(out, "worst = 0;\nwrong = 0;\nstates = cell({}, 4);\n", unit.points.len());
    for (k, point) in unit.points.iter().enumerate() {
        let answers: Vec<String> = point.answers.iter().map(|list| column(list)).collect();
        let _ = write!(
            out,
            "states{{{k}, 1}} = {};\nstates{{{k}, 2}} = {};\nstates{{{k}, 3}} = {};\nstates{{{k}, 4}} = {{ ...\n{} }};\n",
            double(point.t),
            column(&point.y),
            column(&point.p),
            answers.join(", ...\n"),
            k = k + 1,
        );
    }
    let names: Vec<String> = unit.routines.iter().map(|one| format!("'{stem}_{}'", one.name)).collect();
    let _ = writeln!(out, "routines = {{ {} }};", names.join(", "));
    let tolerances: Vec<&str> = unit.routines.iter().map(Routine::tolerance).collect();
    let _ = writeln!(out, "tolerances = [{}];", tolerances.join(", "));
    out += &COMPARE.replace("STEM", stem);
    if !unit.levels.is_empty() && unit.routines.iter().any(|one| one.name == "residual") {
        out += &COMPARE_PROJECTION.replace("STEM", stem);
    }
    out += "end\n";
    if unit.starting.is_some() {
        let _ = write!(
            out,
            "[t, y] = {stem}_start();\nif ~all(abs({stem}_consistent() - y) <= 1e-10*(1 + abs(y)))\n    \
             fprintf('{stem}: consistent finds another start\\n');\n    wrong = 1;\nend\n"
        );
    }
    let _ = write!(
        out,
        "fprintf('{stem}: largest relative difference %.1e at %d states\\n', worst, size(states, 1));\n\
         if wrong, error('{stem} differs'); end\n"
    );
    out
}

const COMPARE: &str = "for k = 1:size(states, 1)
    [t, y, p, answers] = states{k, :};
    for i = 1:numel(routines)
        found = feval(routines{i}, t, y, p).';
        there = answers{i};
        apart = max(abs(found(:) - there))/max([1e-3; abs(there)]);
        if ~(apart <= tolerances(i))
            fprintf('%s differs at state %d by %.1e\\n', routines{i}, k, apart);
            wrong = 1;
        end
        worst = max(worst, apart);
    end
";

const COMPARE_PROJECTION: &str = "    y = y + 1e-5*(1 + mod((0:numel(y) - 1).', 3));
    first = max(abs(STEM_residual(t, y, p)));
    rest = max(abs(STEM_residual(t, STEM_project(t, y, p), p)));
    if ~(rest <= 1e-6*first + 1e-13)
        fprintf('STEM: project leaves %.1e of %.1e at state %d\\n', rest, first, k);
        wrong = 1;
    end
";
