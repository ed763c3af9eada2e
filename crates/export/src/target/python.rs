//! Python: a module, and a test. NumPy, JAX and CasADi differ in a few words.

use std::fmt::Write;

use expr::{Op, Rational};

use crate::File;
use crate::page;
use crate::target::c::{PROJECTS, STARTS};
use crate::target::python_modes;
use crate::unit::{Level, Unit};
use crate::value::{Answer, Part, Routine, Sort, Step, Value};
use crate::write::{Language, comment, double, doubles, float, text};

/// What the packages differ in.
pub struct Flavour {
    /// What follows the stem in the names of files.
    pub suffix: &'static str,
    /// The package as code calls it, with a point.
    pub library: &'static str,
    /// The lines that import it.
    pub imports: &'static str,
    /// What a function is called.
    pub function: fn(Op) -> &'static str,
    /// A switch: condition, then, else.
    pub switch: fn(&str, &str, &str) -> String,
    /// A power.
    pub power: fn(&str, &str) -> String,
    /// A list of values as an array.
    pub array: fn(&str) -> String,
    /// A list as a matrix of so many rows and columns.
    pub reshaped: fn(&str, usize, usize) -> String,
    /// Rows as a matrix; each row is a list in brackets.
    pub matrix: fn(&[String]) -> String,
    /// The slopes that a routine gives along each direction as a matrix: the routine, how many directions, whether they
    /// are those of the state, how many states and parameters there are.
    pub columns: fn(&str, usize, bool, [usize; 2]) -> String,
    /// What solves equations.
    pub solve: &'static str,
    /// What makes numbers of rows, slopes and masses, for the projection.
    pub numbers: &'static str,
    /// What the test calls; there is a function for each name.
    pub tested: &'static str,
    /// What makes a list of numbers of an answer, in the test.
    pub list: fn(&str) -> String,
}

impl Language for Flavour {
    fn call(&self, op: Op, arguments: &[String]) -> String {
        match op {
            Op::IfNegative => (self.switch)(&format!("{} < 0.0", arguments[0]), &arguments[1], &arguments[2]),
            Op::IfZero => (self.switch)(&format!("{} == 0.0", arguments[0]), &arguments[1], &arguments[2]),
            Op::Cbrt if self.library == "ca." => {
                format!("(ca.sign({0})*ca.fabs({0})**(1.0/3.0))", arguments[0])
            }
            _ => format!("{}{}({})", self.library, (self.function)(op), arguments.join(", ")),
        }
    }

    fn root(&self, of: &str) -> String {
        format!("{}sqrt({of})", self.library)
    }

    fn power(&self, base: &str, exponent: &Rational) -> String {
        (self.power)(base, &float(exponent))
    }
}

/// What NumPy calls a function.
pub fn numpy_function(op: Op) -> &'static str {
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
pub fn files(unit: &Unit, flavour: &Flavour) -> Vec<File> {
    let (stem, suffix) = (&unit.stem, flavour.suffix);
    vec![
        File { name: format!("{stem}{suffix}.py"), text: module(unit, flavour) },
        File { name: format!("{stem}{suffix}_test.py"), text: test(unit, flavour) },
    ]
}

fn module(unit: &Unit, flavour: &Flavour) -> String {
    let nominal: Vec<f64> = unit.parameters.iter().map(|one| one.value).collect();
    let mut out = comment(&page::top(unit), "# ");
    let _ = write!(
        out,
        "\n{}{}\n\nCOORDINATES = {}\n# A start that satisfies the constraints.\nSTART_TIME = {}\n\
         START = np.array([\n    {}\n])\n# The parameters of the model; taken where p is not given.\nNOMINAL = np.array([\n    {}\n])\n",
        if unit.modes.is_some() { "import copy\n\n" } else { "" },
        flavour.imports,
        unit.n(),
        double(unit.t0),
        doubles(&unit.start(), "    "),
        doubles(&nominal, "    "),
    );
    let levels = unit.all_levels().map(|one| &one.1).chain(unit.starting.iter().map(|one| &one.0));
    let own = unit.own.iter().chain(&unit.routines).filter(|one| one.sort != Sort::InMode);
    levels.chain(own).for_each(|routine| out += &body(unit, routine, flavour));
    if let Some(modes) = &unit.modes {
        out += &python_modes::functions(unit, modes, flavour);
    }
    if unit.all_levels().next().is_some() {
        out += &PROJECT.replace("    NUMBERS\n", flavour.numbers);
    }
    if !unit.levels.is_empty() {
        let _ = write!(out, "\n\ndef project(t, y, p=None):\n    # {PROJECTS}\n    y = np.array(y)\n");
        unit.levels.iter().for_each(|one| brought(&mut out, unit, &one.0));
        out += "    return y\n";
    }
    if let Some((_, levels)) = &unit.starting {
        let _ = write!(
            out,
            "\n\ndef consistent(t=START_TIME, p=None):\n    # {}\n",
            STARTS.replacen("Fills y with", "Is", 1)
        );
        let _ = writeln!(out, "    y = np.array([float(x) for x in {}])", (flavour.list)("start_values(t, START, p)"));
        levels.iter().for_each(|one| brought(&mut out, unit, &one.0));
        if !unit.levels.is_empty() {
            out += AGREES;
        }
        out += "    return y\n";
    }
    out
}

fn brought(out: &mut String, unit: &Unit, level: &Level) {
    let Level { routine, first, rows } = level;
    let _ = writeln!(out, "    y = _bring(t, y, p, {routine}, {first}, {}, {rows})", unit.n());
}

/// A function from the steps of a routine.
pub fn body(unit: &Unit, routine: &Routine, flavour: &Flavour) -> String {
    let p = if routine.directions().is_empty() { "p=None".to_owned() } else { "p, along_y, along_p".to_owned() };
    let mut out = format!("\n\ndef {}(t, y, {p}):\n{}", routine.name, comment(&page::of_routine(routine), "    # "));
    if let Sort::Columns(of, part) = routine.sort {
        let sizes = [unit.size(), unit.parameters.len()];
        return out + &(flavour.columns)(of, routine.answers[0].columns, part == Part::State, sizes);
    }
    if unit.takes_parameters {
        out += "    p = NOMINAL if p is None else p\n";
    }
    let [state, parameters] = unit.inputs();
    let mut read = |array: &str, names: &[&str], suffix: &str| {
        for (k, name) in names.iter().enumerate() {
            let name = format!("{name}{suffix}");
            if routine.mentions(&name) {
                let fixed = array == "p" && !unit.takes_parameters;
                let from = if fixed { double(unit.parameters[k].value) } else { format!("{array}[{k}]") };
                let _ = writeln!(out, "    {name} = {from}");
            }
        }
    };
    read("y", &state, "");
    read("p", &parameters, "");
    if let Sort::Along(suffix) = &routine.sort {
        read("along_y", &state, suffix);
        read("along_p", if unit.takes_parameters { &parameters } else { &[] }, suffix);
    }
    routine.steps.iter().for_each(|step| write_step(&mut out, step, flavour));
    let answers: Vec<String> = routine.answers.iter().map(|answer| answered(routine, answer, flavour)).collect();
    let _ = writeln!(out, "    return {}", answers.join(", "));
    out
}

/// An answer, from its entries.
fn answered(routine: &Routine, answer: &Answer, flavour: &Flavour) -> String {
    let put = |step: &Step| match step {
        Step::Put(array, _, value) if *array == answer.array => Some(format!("        {},\n", text(value, flavour))),
        _ => None,
    };
    let entries: String = routine.steps.iter().filter_map(put).collect();
    let array = (flavour.array)(&format!("\n{entries}    "));
    if answer.columns == 1 && answer.array != "J" && answer.array != "M" {
        array
    } else {
        (flavour.reshaped)(&array, answer.rows, answer.columns)
    }
}

/// One direction after the other; `join` makes a matrix of a list called `columns`.
pub fn columns(of: &str, count: usize, by_state: bool, sizes: [usize; 2], join: &str) -> String {
    let along = if by_state { "along_y" } else { "along_p" };
    format!(
        "    columns = []\n    for j in range({count}):\n        along_y, along_p = [0.0]*{}, [0.0]*{}\n        {along}[j] = 1.0\n        \
         columns.append({of}(t, y, p, along_y, along_p))\n    return {join}\n",
        sizes[0], sizes[1]
    )
}

fn write_step(out: &mut String, step: &Step, flavour: &Flavour) {
    match step {
        Step::Let(name, value) => {
            let _ = writeln!(out, "    {name} = {}", text(value, flavour));
        }
        Step::Put(..) => {}
        Step::Solve { matrix, right, unknowns, .. } => {
            let row = |row: &Vec<Value>| row.iter().map(|value| text(value, flavour)).collect::<Vec<_>>().join(", ");
            let rows: Vec<String> = matrix.iter().map(row).collect();
            let _ = writeln!(out, "    matrix = {}", (flavour.matrix)(&rows));
            let _ = writeln!(out, "    right = {}(matrix, {})", flavour.solve, (flavour.array)(&row(right)));
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
    NUMBERS
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

const AGREES: &str = "    if not all(abs(a - b) <= 1e-8*(1.0 + abs(a)) for a, b in zip(y, project(t, y, p))):
        raise ArithmeticError(\"what is given does not agree with the constraints\")
";

/// What makes floats of what a package computed.
pub const FLOATS: &str = "        r, J, M = np.array(r, dtype=float).reshape(m), np.array(J, dtype=float).reshape(m, n), np.array(M, dtype=float)\n";

fn test(unit: &Unit, flavour: &Flavour) -> String {
    let (stem, suffix) = (&unit.stem, flavour.suffix);
    let mut out = format!(
        "# Compares {stem}{suffix}.py with numbers that Anholon computed: python3 {stem}{suffix}_test.py\n\nimport sys\n\n\
         import {stem}{suffix} as model\n\nnp = model.np\nSTATES = [\n"
    );
    for (k, point) in unit.points.iter().enumerate() {
        let answers: Vec<String> =
            point.answers.iter().map(|list| format!("[{}]", doubles(list, "        "))).collect();
        let _ = write!(
            out,
            "    ({}{}, [{}],\n     [{}],\n     [{}]),\n",
            unit.modes.as_ref().map_or(String::new(), |modes| format!("{}, ", python_modes::value(&modes.points[k]))),
            double(point.t),
            doubles(&point.y, "      "),
            doubles(&point.p, "      "),
            answers.join(",\n      ")
        );
    }
    let names: Vec<String> = unit.routines.iter().map(|one| format!("\"{}\"", one.name)).collect();
    let _ = write!(out, "]\nROUTINES = [{}]\n", names.join(", "));
    let _ = writeln!(out, "tested = {{name: {} for name in ROUTINES}}", flavour.tested);
    let mode = if unit.modes.is_some() { "mode, " } else { "" };
    let found = (flavour.list)(&format!("tested[name]({mode}t, np.array(y), np.array(p))"));
    out += &COMPARE.replace("STEM", stem).replace("FOUND", &found).replace("(t, y", &format!("({mode}t, y"));
    out = out.replace("TOLERANCE", if unit.modes.is_some() { "1e-11" } else { "1e-12" });

    if !unit.levels.is_empty() && unit.routines.iter().any(|one| one.name == "residual") {
        let residual = |y: &str| (flavour.list)(&format!("model.residual(t, {y}, p)"));
        out += &COMPARE_PROJECTION
            .replace("STEM", stem)
            .replace("BEFORE", &residual("y"))
            .replace("AFTER", &residual("model.project(t, y, p)"));
    }
    if let Some(modes) = &unit.modes {
        out += &python_modes::test_of_start(unit, modes);
    }
    if unit.starting.is_some() {
        let _ = write!(
            out,
            "if not all(abs(a - b) <= 1e-10*(1.0 + abs(b)) for a, b in zip(model.consistent(), model.START)):\n    \
             print(\"{stem}: consistent finds another start\")\n    wrong = 1\n"
        );
    }
    out + &format!(
        "print(\"{stem}: largest relative difference %.1e at %d states\" % (worst, len(STATES)))\nsys.exit(wrong)\n"
    )
}

const COMPARE: &str = "
worst, wrong = 0.0, 0
for k, (t, y, p, answers) in enumerate(STATES):
    for name, there in zip(ROUTINES, answers):
        found = [float(x) for x in FOUND]
        size = max([1e-3] + [abs(x) for x in there])
        apart = max(abs(a - b)/size for a, b in zip(found, there))
        if len(found) != len(there) or not apart <= (1e-10 if name.startswith(\"linear\") else TOLERANCE):
            print(\"STEM: %s differs at state %d by %.1e\" % (name, k, apart))
            wrong = 1
        worst = worst if apart <= worst else apart
";

const COMPARE_PROJECTION: &str = "    y = np.array([x + 1e-5*(1 + i % 3) for i, x in enumerate(y)])
    p = np.array(p)
    before = max(abs(float(x)) for x in BEFORE)
    after = max(abs(float(x)) for x in AFTER)
    if not after <= 1e-6*before + 1e-13:
        print(\"STEM: project leaves %.1e of %.1e at state %d\" % (after, before, k))
        wrong = 1
";
