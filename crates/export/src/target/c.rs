//! C99 without allocation: a header, a source, and a test.

use std::fmt::Write;

use expr::{Op, Rational};

use crate::File;
use crate::page;
use crate::unit::{Level, Unit};
use crate::value::{Answer, Routine, Step};
use crate::write::{Language, comment, double, doubles, float, text};

/// What C and C++ differ in.
pub struct Flavour {
    /// Before the functions of the mathematical library.
    pub library: &'static str,
    /// Before a function for the caller; with the name of the model.
    pub public: fn(&str, &str) -> String,
    /// Before a function of our own.
    pub own: &'static str,
}

const C: Flavour = Flavour { library: "", public: |stem, name| format!("int {stem}_{name}"), own: "static int" };

impl Language for Flavour {
    fn call(&self, op: Op, arguments: &[String]) -> String {
        let all = arguments.join(", ");
        match op {
            Op::Sign => format!("sign({all})"),
            Op::IfNegative => format!("({} < 0.0 ? {} : {})", arguments[0], arguments[1], arguments[2]),
            Op::IfZero => format!("({} == 0.0 ? {} : {})", arguments[0], arguments[1], arguments[2]),
            _ => format!("{}{}({all})", self.library, function(op)),
        }
    }

    fn root(&self, of: &str) -> String {
        format!("{}sqrt({of})", self.library)
    }

    fn power(&self, base: &str, exponent: &Rational) -> String {
        format!("{}pow({base}, {})", self.library, float(exponent))
    }
}

/// What the mathematical library calls a function.
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
        Op::Abs => "fabs",
        Op::Cbrt => "cbrt",
        Op::Atan2 => "atan2",
        Op::Min => "fmin",
        Op::Max => "fmax",
        _ => unreachable!("written elsewhere"),
    }
}

/// The files.
pub fn files(unit: &Unit) -> Vec<File> {
    let stem = &unit.stem;
    vec![
        File { name: format!("{stem}.h"), text: header(unit) },
        File { name: format!("{stem}.c"), text: source(unit) },
        File { name: format!("{stem}_test.c"), text: test(unit) },
    ]
}

fn header(unit: &Unit) -> String {
    let (stem, guard) = (&unit.stem, unit.stem.to_uppercase());
    let mut out = format!("/*\n{} */\n", comment(&page::top(unit), " * "));
    let _ = write!(out, "#ifndef {guard}_H\n#define {guard}_H\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n");
    let _ = write!(
        out,
        "enum {{ {guard}_COORDINATES = {}, {guard}_STATES = {}, {guard}_PARAMETERS = {} }};\n\n\
         /* A start that satisfies the constraints: time and state. */\n\
         extern const double {stem}_start_time;\nextern const double {stem}_start[{}];\n\
         /* The parameters of the model. */\nextern const double {stem}_nominal[{}];\n\n\
         /* Every function returns 0, or 1 where there is no answer. */\n",
        unit.n(),
        2 * unit.n(),
        unit.parameters.len(),
        2 * unit.n(),
        unit.parameters.len().max(1),
    );
    for routine in &unit.routines {
        let _ = write!(out, "\n/*\n{} */\n", comment(&page::of_routine(routine), " * "));
        let _ = writeln!(out, "{};", signature(routine, &(C.public)(stem, routine.name)));
    }
    if !unit.levels.is_empty() {
        let _ = write!(out, "\n/* {PROJECTS} */\nint {stem}_project(double t, double *y, const double *p);\n");
    }
    out + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n"
}

/// What the projection does.
pub const PROJECTS: &str =
    "Moves y onto the constraints: coordinates onto geometric rows, then rates, as little as masses allow.";

fn source(unit: &Unit) -> String {
    let stem = &unit.stem;
    let mut out =
        format!("/*\n{} */\n#include \"{stem}.h\"\n\n#include <math.h>\n\n", comment(&page::top(unit)[..4], " * "));
    let nominal: Vec<f64> = unit.parameters.iter().map(|one| one.value).collect();
    let nominal = if nominal.is_empty() { vec![0.0] } else { nominal };
    let _ = write!(
        out,
        "const double {stem}_start_time = {};\nconst double {stem}_start[{}] = {{\n    {}\n}};\n\
         const double {stem}_nominal[{}] = {{\n    {}\n}};\n",
        double(unit.t0),
        2 * unit.n(),
        doubles(&unit.start(), "    "),
        nominal.len(),
        doubles(&nominal, "    "),
    );
    out + &bodies(unit, &C)
}

/// All functions.
pub fn bodies(unit: &Unit, flavour: &Flavour) -> String {
    let mut out = helpers(unit, flavour);
    for (_, routine) in &unit.levels {
        let _ = write!(out, "\n/* {} */\n", routine.says.join(" "));
        out += &body(unit, routine, &format!("{} {}", flavour.own, routine.name), flavour);
    }
    for routine in &unit.routines {
        let _ = write!(out, "\n/* {} */\n", routine.says.join(" "));
        out += &body(unit, routine, &(flavour.public)(&unit.stem, routine.name), flavour);
    }
    if !unit.levels.is_empty() {
        out += &project(unit, flavour);
    }
    out
}

fn helpers(unit: &Unit, flavour: &Flavour) -> String {
    let mut out = String::new();
    if unit.all_routines().any(|one| one.calls(Op::Sign)) {
        let own = flavour.own.replace("int", "double");
        let _ = write!(out, "\n{own} sign(double x)\n{{\n    return (double)((x > 0.0) - (x < 0.0));\n}}\n");
    }
    if unit.most_unknowns() > 0 {
        out += &SOLVE.replace("OWN", flavour.own).replace("fabs", &format!("{}fabs", flavour.library));
    }
    out
}

/// Elimination with pivots that are the largest relative to their rows.
const SOLVE: &str = "
/* Solves a x = b by elimination with scaled pivots; x takes the place of b. 1 if a has no inverse. */
OWN solve(int n, double *a, double *b)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        double most = 0.0;
        for (int i = k; i < n; i++) {
            double size = 0.0;
            for (int j = k; j < n; j++) {
                const double entry = fabs(a[i*n + j]);
                size = entry > size ? entry : size;
            }
            const double share = size > 0.0 ? fabs(a[i*n + k])/size : 0.0;
            if (share > most) {
                most = share;
                best = i;
            }
        }
        if (!(most > 1e-15)) return 1;
        for (int j = 0; j < n && best != k; j++) {
            const double entry = a[k*n + j];
            a[k*n + j] = a[best*n + j];
            a[best*n + j] = entry;
        }
        const double entry = b[k];
        b[k] = b[best];
        b[best] = entry;
        for (int i = k + 1; i < n; i++) {
            const double factor = a[i*n + k]/a[k*n + k];
            if (factor == 0.0) continue;
            for (int j = k + 1; j < n; j++) a[i*n + j] -= factor*a[k*n + j];
            b[i] -= factor*b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= a[i*n + j]*b[j];
        b[i] /= a[i*n + i];
    }
    return 0;
}
";

fn signature(routine: &Routine, function: &str) -> String {
    let answers: String = routine.answers.iter().map(|one: &Answer| format!(", double *{}", one.array)).collect();
    format!("{function}(double t, const double *y, const double *p{answers})")
}

fn body(unit: &Unit, routine: &Routine, function: &str, flavour: &Flavour) -> String {
    let mut out = format!("{}\n{{\n", signature(routine, function));
    let mut read = [!routine.mentions("t"), true, true];
    for (k, one) in unit.coordinates.iter().chain(&unit.rates).enumerate().filter(|one| routine.mentions(&one.1.code)) {
        read[1] = false;
        let _ = writeln!(out, "    const double {} = y[{k}];", one.code);
    }
    for (k, one) in unit.parameters.iter().enumerate().filter(|one| routine.mentions(&one.1.code)) {
        read[2] &= !unit.takes_parameters;
        let from = if unit.takes_parameters { format!("p[{k}]") } else { double(one.value) };
        let _ = writeln!(out, "    const double {} = {from};", one.code);
    }
    for (name, is_idle) in ["t", "y", "p"].iter().zip(read) {
        if is_idle {
            let _ = writeln!(out, "    (void){name};");
        }
    }
    for step in &routine.steps {
        write_step(&mut out, step, flavour);
    }
    out + "    return 0;\n}\n"
}

fn write_step(out: &mut String, step: &Step, flavour: &Flavour) {
    match step {
        Step::Let(name, value) => {
            let _ = writeln!(out, "    const double {name} = {};", text(value, flavour));
        }
        Step::Put(array, k, value) => {
            let _ = writeln!(out, "    {array}[{k}] = {};", text(value, flavour));
        }
        Step::Solve { matrix, right, unknowns } => {
            let n = right.len();
            let _ = writeln!(out, "    double matrix[{}], right[{n}];", n * n);
            for (k, value) in matrix.iter().flatten().enumerate() {
                let _ = writeln!(out, "    matrix[{k}] = {};", text(value, flavour));
            }
            for (k, value) in right.iter().enumerate() {
                let _ = writeln!(out, "    right[{k}] = {};", text(value, flavour));
            }
            let _ = writeln!(out, "    if (solve({n}, matrix, right) != 0) return 1;");
            for (k, name) in unknowns.iter().enumerate().filter(|one| !one.1.is_empty()) {
                let _ = writeln!(out, "    const double {name} = right[{k}];");
            }
        }
    }
}

fn project(unit: &Unit, flavour: &Flavour) -> String {
    let rows = unit.levels.iter().map(|one| one.0.rows).max().unwrap_or(1);
    let n = unit.n();
    let mut out = PROJECT
        .replace("OWN", flavour.own)
        .replace("fabs", &format!("{}fabs", flavour.library))
        .replace("NN", &(n * n).to_string())
        .replace("SS", &((n + rows) * (n + rows)).to_string())
        .replace("MN", &(rows * n).to_string())
        .replace("SIZE", &(n + rows).to_string())
        .replace("ROWS", &rows.to_string())
        .replace("COORDS", &n.to_string());
    let function = (flavour.public)(&unit.stem, "project");
    let _ = write!(out, "\n/* {PROJECTS} */\n{function}(double t, double *y, const double *p)\n{{\n");
    let call = |level: &Level| format!("bring(t, y, p, {}, {}, {})", level.routine, level.first, level.rows);
    for (level, _) in &unit.levels {
        let _ = writeln!(out, "    if ({} != 0) return 1;", call(level));
    }
    out + "    return 0;\n}\n"
}

/// Newton's steps in the metric of the masses, as long as they help.
const PROJECT: &str = "
/* Brings m rows to zero by moving y from `first` on: Newton's steps in the metric of the masses, while they help. */
OWN bring(double t, double *y, const double *p,
    int (*level)(double, const double *, const double *, double *, double *, double *), int first, int m)
{
    double r[ROWS], J[MN], M[NN], a[SS], b[SIZE], old[COORDS];
    const int n = COORDS, size = n + m;
    double before = 0.0;
    for (int round = 0; round < 12; round++) {
        if (level(t, y, p, r, J, M) != 0) return 1;
        double worst = 0.0;
        for (int i = 0; i < m; i++) {
            double natural = 0.0;
            for (int j = 0; j < n; j++) {
                const double reach = fabs(y[first + j]);
                natural += fabs(J[i*n + j])*(reach > 1.0 ? reach : 1.0);
            }
            const double rest = natural > 0.0 ? fabs(r[i])/natural : fabs(r[i]);
            if (!(rest <= worst)) worst = rest;
        }
        if (worst <= 4.5e-16) return 0;
        if (round > 0 && !(worst < before)) {
            for (int j = 0; j < n; j++) y[first + j] = old[j];
            return before < 1e-12 ? 0 : 1;
        }
        before = worst;
        for (int k = 0; k < size*size; k++) a[k] = 0.0;
        for (int i = 0; i < n; i++) {
            b[i] = 0.0;
            old[i] = y[first + i];
            for (int j = 0; j < n; j++) a[i*size + j] = M[i*n + j];
        }
        for (int i = 0; i < m; i++) {
            b[n + i] = -r[i];
            for (int j = 0; j < n; j++) a[(n + i)*size + j] = a[j*size + n + i] = J[i*n + j];
        }
        if (solve(size, a, b) != 0) return 1;
        for (int j = 0; j < n; j++) y[first + j] += b[j];
    }
    return before < 1e-12 ? 0 : 1;
}
";

fn test(unit: &Unit) -> String {
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
    for (k, routine) in unit.routines.iter().enumerate() {
        let rows = unit.points.iter().map(|point| &point.answers[k][..]).collect();
        out += &table(&format!("{}_there", routine.name), rows);
    }
    out += &AGREE.replace("fabs", &format!("{library}fabs"));
    let _ = write!(out, "\nstatic int compare(void)\n{{\n    double worst = 0.0;\n    int wrong = 0;\n");
    let _ = writeln!(out, "    for (int k = 0; k < {count}; k++) {{");
    for routine in &unit.routines {
        let (name, size) = (routine.name, routine.answers[0].len());
        let _ = write!(
            out,
            "        double {name}[{size}];\n        \
             if ({prefix}{name}(at_t[k], at_y[k], at_p[k], {name}) != 0) {{\n            \
             printf(\"{stem}: {name} has no answer at state %d\\n\", k);\n            wrong = 1;\n        }} else if \
             (off({name}, {name}_there[k], {size}, &worst) > 1e-12) {{\n            \
             printf(\"{stem}: {name} differs at state %d\\n\", k);\n            wrong = 1;\n        }}\n",
            stem = unit.stem
        );
    }
    out.push_str("    }\n");
    if !unit.levels.is_empty() {
        out += &test_of_projection(unit, prefix);
    }
    let _ = write!(
        out,
        "    printf(\"{}: largest relative difference %.1e at {count} states\\n\", worst);\n    return wrong;\n}}\n",
        unit.stem
    );
    out
}

fn test_of_projection(unit: &Unit, prefix: &str) -> String {
    let residual = unit.routines.iter().find(|one| one.name == "residual");
    let (n, size) = (2 * unit.n(), residual.map_or(1, |one| one.answers[0].len()));
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
