//! C99 without allocation: a header, a source, and a test.

use std::fmt::Write;

use expr::{Op, Rational};

use crate::File;
use crate::page;
use crate::target::{c_modes, c_test};
use crate::unit::{Level, Unit};
use crate::value::{Answer, Part, Routine, Sort, Step};
use crate::write::{Language, comment, double, doubles, float, text};

/// What C and C++ differ in.
pub struct Flavour {
    /// Before the functions of the mathematical library.
    pub library: &'static str,
    /// Before a function for the caller; with the name of the model.
    pub public: fn(&str, &str) -> String,
    /// Before a function of our own.
    pub own: &'static str,
    /// A pointer to nothing.
    pub null: &'static str,
    /// The type of a mode.
    pub mode: fn(&str) -> String,
}

const C: Flavour = Flavour {
    library: "",
    public: |stem, name| format!("int {stem}_{name}"),
    own: "static int",
    null: "0",
    mode: |stem| format!("{stem}_mode"),
};

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
        File { name: format!("{stem}_test.c"), text: c_test::test(unit) },
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
        unit.size(),
        unit.parameters.len(),
        unit.size(),
        unit.parameters.len().max(1),
    );
    if let Some(modes) = &unit.modes {
        let _ = write!(out, "\n{}", c_modes::declared(modes, &C, stem));
    }
    for routine in &unit.routines {
        let _ = write!(out, "\n/*\n{} */\n", comment(&page::of_routine(routine), " * "));
        let _ = writeln!(out, "{};", signature(unit, routine, &(C.public)(stem, routine.name), &C));
    }
    for (name, takes, says) in c_modes::SWITCHES.iter().filter(|_| unit.modes.is_some()) {
        let takes = takes.replace("MODE", &(C.mode)(stem));
        let _ = write!(out, "\n/* {says} */\nint {stem}_{name}({takes});\n");
    }
    for routine in &unit.own {
        let _ = write!(out, "\n/* {} */\n", routine.says.join(" "));
        let _ = writeln!(out, "{};", signature(unit, routine, &(C.public)(stem, routine.name), &C));
    }
    if !unit.levels.is_empty() {
        let _ = write!(out, "\n/* {PROJECTS} */\nint {stem}_project(double t, double *y, const double *p);\n");
    }
    if unit.starting.is_some() {
        let _ = write!(out, "\n/* {STARTS} */\nint {stem}_consistent(double t, double *y, const double *p);\n");
        let _ = write!(
            out,
            "\n/* The same; where is_wished is not 0, the value of wish stands for what the model gives. */\n\
             int {stem}_starting(double t, double *y, const double *p, const double *wish, const unsigned char *is_wished);\n"
        );
    }
    out + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n"
}

/// What the projection does.
pub const PROJECTS: &str =
    "Moves y onto the constraints: coordinates onto geometric rows, then rates, as little as masses allow.";

/// What the first state is.
pub const STARTS: &str =
    "Fills y with the first state for p: what the model gives, what its equations fix, zero for the rest.";

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
        unit.size(),
        doubles(&unit.start(), "    "),
        nominal.len(),
        doubles(&nominal, "    "),
    );
    out + &bodies(unit, &C)
}

/// All functions.
pub fn bodies(unit: &Unit, flavour: &Flavour) -> String {
    let mut out = helpers(unit, flavour);
    let levels = unit.all_levels().map(|one| &one.1);
    for routine in levels.chain(unit.starting.iter().map(|one| &one.0)) {
        let _ = write!(out, "\n/* {} */\n", routine.says.join(" "));
        out += &body(unit, routine, &format!("{} {}", flavour.own, routine.name), flavour);
    }
    for routine in unit.own.iter().chain(&unit.routines).filter(|one| one.sort != Sort::InMode) {
        let _ = write!(out, "\n/* {} */\n", routine.says.join(" "));
        out += &body(unit, routine, &(flavour.public)(&unit.stem, routine.name), flavour);
    }
    let modes = unit.modes.as_ref().map_or(String::new(), |modes| c_modes::functions(unit, modes, flavour));
    out + &modes + &project(unit, flavour) + &consistent(unit, flavour)
}

fn helpers(unit: &Unit, flavour: &Flavour) -> String {
    let mut out = String::new();
    if unit.all_routines().any(|one| one.calls(Op::Sign)) {
        let own = flavour.own.replace("int", "double");
        let _ = write!(out, "\n{own} sign(double x)\n{{\n    return (double)((x > 0.0) - (x < 0.0));\n}}\n");
    }
    if unit.most_unknowns() > 0 {
        let is_symmetric = |step: &Step| matches!(step, Step::Solve { turned: Some(_), .. });
        let has_symmetric = unit.all_routines().any(|one| one.steps.iter().any(is_symmetric));
        let text = if has_symmetric { [SOLVE, SOLVE_SYMMETRIC].concat() } else { SOLVE.to_owned() };
        let text = text.replace("MOST", &unit.most_unknowns().to_string());
        out += &text.replace("OWN", flavour.own).replace("fabs", &format!("{}fabs", flavour.library));
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

/// Elimination that keeps the symmetry: half the work, and no search.
const SOLVE_SYMMETRIC: &str = "
/* Solves a x = b, where a is symmetric and stands above the diagonal, by elimination in the order of the rows; x takes the place of
 * b. Where a pivot is small against what it is the difference of, pivots are looked for. */
OWN solve_symmetric(int n, double *a, double *b)
{
    double own[MOST], size[MOST];
    for (int i = 0; i < n; i++) {
        own[i] = a[i*n + i];
        size[i] = fabs(own[i]);
        for (int j = 0; j < i; j++) a[i*n + j] = a[j*n + i];
    }
    for (int k = 0; k < n; k++) {
        const double *above = a + k*n;
        if (!(fabs(above[k]) > 1e-6*size[k])) {
            for (int i = 0; i < n; i++) {
                a[i*n + i] = own[i];
                for (int j = 0; j < i; j++) a[j*n + i] = a[i*n + j];
            }
            return solve(n, a, b);
        }
        const double inverse = 1.0/above[k];
        for (int i = k + 1; i < n; i++) {
            const double factor = above[i]*inverse;
            if (factor == 0.0) continue;
            double *below = a + i*n;
            for (int j = i; j < n; j++) below[j] -= factor*above[j];
            size[i] += fabs(factor*above[i]);
        }
    }
    for (int k = 0; k < n; k++) {
        const double *above = a + k*n;
        const double part = b[k]/above[k];
        for (int i = k + 1; i < n; i++) b[i] -= part*above[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= a[i*n + j]*b[j];
        b[i] /= a[i*n + i];
    }
    return 0;
}
";

fn signature(unit: &Unit, routine: &Routine, function: &str, flavour: &Flavour) -> String {
    let directions: String = routine.directions().iter().map(|one| format!(", const double *{one}")).collect();
    let answers: String = routine.answers.iter().map(|one: &Answer| format!(", double *{}", one.array)).collect();
    let mode = match routine.sort {
        Sort::InMode => format!("const {} *mode, ", (flavour.mode)(&unit.stem)),
        _ => String::new(),
    };
    format!("{function}({mode}double t, const double *y, const double *p{directions}{answers})")
}

/// A function from the steps of a routine.
pub fn body(unit: &Unit, routine: &Routine, function: &str, flavour: &Flavour) -> String {
    let mut out = format!("{}\n{{\n", signature(unit, routine, function, flavour));
    if let Sort::Columns(of, part) = routine.sort {
        return out + &columns(unit, &routine.answers[0], &called(unit, of, flavour), part);
    }
    let mut idle = vec![("t", !routine.mentions("t")), ("y", true), ("p", true)];
    idle.extend(routine.directions().iter().map(|&one| (one, true)));
    let mut read = |array: usize, names: &[&str], suffix: &str, from: &dyn Fn(usize) -> Option<String>| {
        for (k, name) in names.iter().enumerate() {
            let name = format!("{name}{suffix}");
            if routine.mentions(&name) {
                let fixed = from(k);
                idle[array].1 &= fixed.is_some();
                let value = fixed.unwrap_or_else(|| format!("{}[{k}]", idle[array].0));
                let _ = writeln!(out, "    const double {name} = {value};");
            }
        }
    };
    let [state, parameters] = unit.inputs();
    let fixed = |k: usize| (!unit.takes_parameters).then(|| double(unit.parameters[k].value));
    read(1, &state, "", &|_| None);
    read(2, &parameters, "", &fixed);
    if let Sort::Along(suffix) = &routine.sort {
        read(3, &state, suffix, &|_| None);
        read(4, if unit.takes_parameters { &parameters } else { &[] }, suffix, &|_| None);
    }
    let empty = routine.answers.iter().filter(|one| one.len() == 0).map(|one| one.array);
    for name in idle.iter().filter(|one| one.1).map(|one| one.0).chain(empty) {
        let _ = writeln!(out, "    (void){name};");
    }
    let mut solves = 0;
    for step in &routine.steps {
        write_step(&mut out, step, flavour, &mut solves);
    }
    out + "    return 0;\n}\n"
}

/// What a function of our own is called where it is called.
fn called(unit: &Unit, name: &str, flavour: &Flavour) -> String {
    (flavour.public)(&unit.stem, name).rsplit(' ').next().unwrap_or(name).to_owned()
}

/// One direction after the other.
fn columns(unit: &Unit, answer: &Answer, of: &str, part: Part) -> String {
    let (states, parameters) = (unit.size(), unit.parameters.len().max(1));
    let along = if part == Part::State { "along_y" } else { "along_p" };
    format!(
        "    double along_y[{states}], along_p[{parameters}], column[{rows}];\n    \
         for (int k = 0; k < {states}; k++) along_y[k] = 0.0;\n    \
         for (int k = 0; k < {parameters}; k++) along_p[k] = 0.0;\n    \
         for (int j = 0; j < {count}; j++) {{\n        {along}[j] = 1.0;\n        \
         if ({of}(t, y, p, along_y, along_p, column) != 0) return 1;\n        {along}[j] = 0.0;\n        \
         for (int i = 0; i < {rows}; i++) {array}[i*{count} + j] = column[i];\n    }}\n    return 0;\n}}\n",
        rows = answer.rows,
        count = answer.columns,
        array = answer.array,
    )
}

fn write_step(out: &mut String, step: &Step, flavour: &Flavour, solves: &mut usize) {
    match step {
        Step::Let(name, value) => {
            let _ = writeln!(out, "    const double {name} = {};", text(value, flavour));
        }
        Step::Put(array, k, value) => {
            let _ = writeln!(out, "    {array}[{k}] = {};", text(value, flavour));
        }
        Step::Solve { matrix, right, unknowns, turned, .. } => {
            let (n, again) = (right.len(), "_again".repeat(*solves));
            *solves += 1;
            let (a, b) = (format!("matrix{again}"), format!("right{again}"));
            let _ = writeln!(out, "    double {a}[{}], {b}[{n}];", n * n);
            let is_read = |k: usize| turned.is_none() || k % n >= k / n;
            for (k, value) in matrix.iter().flatten().enumerate().filter(|one| is_read(one.0)) {
                let _ = writeln!(out, "    {a}[{k}] = {};", text(value, flavour));
            }
            for (k, value) in right.iter().enumerate() {
                let value = text(value, flavour);
                let is_turned = turned.as_ref().is_some_and(|turned| turned[k]);
                let _ = writeln!(out, "    {b}[{k}] = {};", if is_turned { format!("-({value})") } else { value });
            }
            let solve = if turned.is_some() { "solve_symmetric" } else { "solve" };
            let _ = writeln!(out, "    if ({solve}({n}, {a}, {b}) != 0) return 1;");
            for (k, name) in unknowns.iter().enumerate().filter(|one| !one.1.is_empty()) {
                let _ = writeln!(out, "    const double {name} = {b}[{k}];");
            }
        }
    }
}

fn project(unit: &Unit, flavour: &Flavour) -> String {
    let Some(rows) = unit.all_levels().map(|one| one.0.rows).max() else { return String::new() };
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
    if !unit.levels.is_empty() {
        let function = (flavour.public)(&unit.stem, "project");
        let _ = write!(out, "\n/* {PROJECTS} */\n{function}(double t, double *y, const double *p)\n{{\n");
        unit.levels.iter().for_each(|one| brought(&mut out, &one.0));
        out += "    return 0;\n}\n";
    }
    out
}

fn brought(out: &mut String, level: &Level) {
    let Level { routine, first, rows } = level;
    let _ = writeln!(out, "    if (bring(t, y, p, {routine}, {first}, {rows}) != 0) return 1;");
}

fn consistent(unit: &Unit, flavour: &Flavour) -> String {
    let Some((_, levels)) = &unit.starting else { return String::new() };
    let (function, states) = ((flavour.public)(&unit.stem, "starting"), unit.size());
    let mut out = format!(
        "\n/* The first state for p, from what is wished and what the model gives. */\n\
         {function}(double t, double *y, const double *p, const double *wish, const unsigned char *is_wished)\n{{\n    \
         double y0[{states}];\n    for (int k = 0; k < {states}; k++) y0[k] = 0.0;\n    \
         if (start_values(t, y0, p, y) != 0) return 1;\n    \
         for (int k = 0; k < {states}; k++) {{\n        if (is_wished && is_wished[k]) y[k] = wish[k];\n    }}\n"
    );
    levels.iter().for_each(|one| brought(&mut out, &one.0));
    if !unit.levels.is_empty() {
        let project = called(unit, "project", flavour);
        let _ = write!(
            out,
            "    /* what is given must agree with the constraints */\n    \
             for (int k = 0; k < {states}; k++) y0[k] = y[k];\n    if ({project}(t, y0, p) != 0) return 1;\n    \
             for (int k = 0; k < {states}; k++) {{\n        \
             if (!({fabs}(y0[k] - y[k]) <= 1e-8*(1.0 + {fabs}(y[k])))) return 1;\n    }}\n",
            fabs = format!("{}fabs", flavour.library)
        );
    }
    let (function, starting) = ((flavour.public)(&unit.stem, "consistent"), called(unit, "starting", flavour));
    let _ = write!(
        out,
        "    return 0;\n}}\n\n/* {STARTS} */\n{function}(double t, double *y, const double *p)\n{{\n    \
         return {starting}(t, y, p, {}, {});\n}}\n",
        flavour.null, flavour.null,
    );
    out
}

/// Newton's steps in the metric of the masses, as long as they help.
const PROJECT: &str = "
/* Brings m rows to zero by moving y from `first` on: Newton's steps in the metric of the masses, while they help. */
OWN bring(double t, double *y, const double *p,
    int (*level)(double, const double *, const double *, double *, double *, double *), int first, int m)
{
    double r[ROWS], J[MN], M[NN], a[SS], b[SIZE], old[COORDS] = { 0.0 };
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
