//! Models whose equations change on the way leave with their modes.

use std::path::PathBuf;
use std::process::Command;

use engine::{Alone, Loaded, Settings};
use export::{Export, Target, What};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("anholon-modes-{name}-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("sources")).unwrap();
        Folder(folder)
    }

    fn run(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program).args(arguments).current_dir(&self.0).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{program} {arguments:?}\n{text}{}", String::from_utf8_lossy(&output.stderr));
        text
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn gallery(name: &str) -> Loaded {
    engine::load(&Settings::gallery(name).unwrap()).unwrap()
}

/// A simulator: the co-simulation of a unit, without its interface.
const MAIN: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include "unit.h"
int main(int count, char **words)
{
    static Unit unit;
    (void)count;
    unit_reset(&unit);
    unit.now.tolerance = 1e-11;
    for (int k = 1; k <= 50; k++) {
        if (unit_step(&unit, atof(words[1])*k/50.0) != 0) return 1;
    }
    for (int k = 0; k < UNIT_STATES; k++) printf("%.17g\n", unit.now.y[k]);
    return 0;
}
"#;

/// Two rough contacts: each sticks and slides in its turn.
const BLOCKS: &str = "param m = 1 kg, g = 9.81 m/s^2, k = 30 N/m, mu = 0.3, nu = 0.2, F = 4 N\ncoord x1, y1, x2, y2 : m\n\
    point A = (x1, y1) mass m\npoint B = (x2, y2) mass m\ngravity (0, -g)\nspring k rest 1 m between A and B\n\
    constraint floor: y1 >= 0\nconstraint board: y2 >= 0\nfriction mu on floor\nfriction nu on board\nforce (F, 0) on B\n\
    start x1 = 0, y1 = 0, x2 = 1.02 m, y2 = 0, x1' = 0, y1' = 0, x2' = 0.3 m/s, y2' = 0\n";

/// Both feet of a body slide.
const FEET: &str = "param m = 2 kg, g = 9.81 m/s^2, a = 0.3 m, b = 0.2 m, J = 0.1 kg*m^2, mu = 0.3, nu = 0.1\n\
    coord x, y : m\ncoord phi : rad\nframe B = N rotated z by phi\nbody D mass m at (x, y, 0) frame B inertia J\n\
    point P = D + B*(-a, -b, 0)\npoint Q = D + B*(a, -b, 0)\ngravity (0, -g)\n\
    contact left: P slides on plane(N.y, 0) unilateral\ncontact right: Q slides on plane(N.y, 0) unilateral\n\
    friction mu on left\nfriction nu on right\nstart x = 0, y = b, phi = 0, x' = 2 m/s, y' = 0, phi' = 0\n";

/// Impacts that accumulate, a contact that leaves, constraints that begin and end, slips that come to rest.
#[test]
fn units_with_modes_end_where_simulate_ends() {
    let options = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-Isources", "-o", "run"];
    let cases = [
        ("bouncing-ball", 3.5),
        ("sliding-ladder", 1.0),
        ("locking-elbow", 2.0),
        ("caught-rod", 1.0),
        ("billiard-ball", 1.0),
        ("taut-rope", 1.0),
        ("rough-incline", 1.0),
        ("rough-dumb-bell", 0.3),
        ("rocking-block", 1.0),
    ];
    // what is driven gives energy
    let driven = "param m = 2 kg\ncoord x : m\npoint P = (x, 0) mass m\nconstraint a: x' = 1 m/s from t >= 0.2 s\n\
                  start x = 0, x' = 0.5 m/s\n";
    let wall = "param m = 2 kg, v = 3 m/s, e = 0.5\ncoord x : m\npoint P = (x, 0) mass m\n\
                constraint wall: x >= v*t - 1 m\nrestitution e on wall\nstart x = 0, x' = 0\n";
    let own = |name: &str, text: &str| engine::load(&Settings::new(&format!("{name}.mech"), text)).unwrap();
    let mut all: Vec<(&str, f64, Loaded)> = cases.map(|(name, seconds)| (name, seconds, gallery(name))).into();
    all.extend([("driven", 1.0, own("driven", driven)), ("wall", 1.0, own("wall", wall))]);
    all.extend([("two-blocks", 2.0, own("two-blocks", BLOCKS)), ("two-feet", 0.4, own("two-feet", FEET))]);
    for (name, seconds, loaded) in all {
        let folder = Folder::new(name);
        let made = export::export(&loaded, &Export::to(Target::Fmu), &mut Alone).unwrap();
        made.files.iter().for_each(|file| std::fs::write(folder.0.join(&file.name), &file.text).unwrap());
        std::fs::write(folder.0.join("main.c"), MAIN).unwrap();
        let model = format!("sources/{}.c", name.replace('-', "_"));
        folder.run("cc", &[&options[..], &["main.c", &model, "sources/unit.c", "-lm"]].concat());
        let found: Vec<f64> =
            folder.run("./run", &[&seconds.to_string()]).lines().map(|line| line.parse().unwrap()).collect();
        let there = there(&loaded, seconds);
        assert_eq!(found.len(), there.len());
        for (a, b) in found.iter().zip(&there) {
            assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()), "{name}: {found:?} and {there:?}");
        }
    }
}

/// A simulator in Rust: steps of Runge and Kutta, events by halving.
const MAIN_RUST: &str = r#"
#[path = "STEM.rs"]
mod model;
use model::*;
fn step(mode: &Mode, t: f64, y: &[f64], h: f64) -> Vec<f64> {
    let slope = |s: f64, k: Option<&Vec<f64>>| {
        let z: Vec<f64> = (0..y.len()).map(|i| y[i] + k.map_or(0.0, |k| s * h * k[i])).collect();
        let mut dy = vec![0.0; y.len()];
        rhs(mode, t + s * h, &z, &NOMINAL, &mut dy).unwrap();
        dy
    };
    let a = slope(0.0, None);
    let b = slope(0.5, Some(&a));
    let c = slope(0.5, Some(&b));
    let d = slope(1.0, Some(&c));
    (0..y.len()).map(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i])).collect()
}
fn falls(mode: &Mode, t: f64, y: &[f64]) -> bool {
    let mut g = [0.0; EVENTS];
    events(mode, t, y, &NOMINAL, &mut g).unwrap();
    g[EVENTS - WATCHED..].iter().any(|&g| g < 0.0)
}
fn main() {
    let (mut t, mut y, mut mode) = (START_TIME, START.to_vec(), Mode { state: [0; ITEMS], side: [1; ITEMS], along: [[1.0, 0.0]; ITEMS] });
    begin(&mut mode, t, &mut y, &NOMINAL).unwrap();
    let mut switches = 0;
    while END - t > 1e-12 {
        let (mut low, mut high) = (0.0, f64::min(1e-3, END - t));
        if falls(&mode, t + high, &step(&mode, t, &y, high)) {
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if falls(&mode, t + middle, &step(&mode, t, &y, middle)) { high = middle } else { low = middle }
            }
            y = step(&mode, t, &y, high);
            t += high;
            switch(&mut mode, t, &mut y, &NOMINAL, 1e-6).unwrap();
            switches += 1;
            assert!(switches < 500);
        } else {
            y = step(&mode, t, &y, high);
            t += high;
            project(&mode, t, &mut y, &NOMINAL).unwrap();
        }
    }
    y.iter().for_each(|y| println!("{y:.17e}"));
}
"#;

/// A simulator in Python, of the same steps.
const MAIN_PYTHON: &str = r#"
import STEM as model
def step(mode, t, y, h):
    def slope(s, k):
        return list(model.rhs(mode, t + s*h, [a + s*h*b for a, b in zip(y, k)]))
    a = slope(0.0, [0.0]*len(y))
    b = slope(0.5, a)
    c = slope(0.5, b)
    d = slope(1.0, c)
    return [y + h/6.0*(a + 2.0*b + 2.0*c + d) for y, a, b, c, d in zip(y, a, b, c, d)]
def falls(mode, t, y):
    return any(g < 0.0 for g in list(model.events(mode, t, y))[-WATCHED:])
t = model.START_TIME
mode, y = model.begin(t, model.START)
y, switches = list(y), 0
while END - t > 1e-12:
    low, high = 0.0, min(HIGH, END - t)
    if falls(mode, t + high, step(mode, t, y, high)):
        for _ in range(60):
            middle = 0.5*(low + high)
            if falls(mode, t + middle, step(mode, t, y, middle)):
                high = middle
            else:
                low = middle
        y = step(mode, t, y, high)
        t += high
        mode, y = model.switch(mode, t, y)
        switches += 1
        assert switches < 500
    else:
        y = step(mode, t, y, high)
        t += high
        y = model.project(mode, t, y)
    y = list(y)
for value in y:
    print(repr(float(value)))
"#;

/// Rust and NumPy begin, switch and project as `simulate` does.
#[test]
fn rust_and_numpy_with_modes_end_where_simulate_ends() {
    let own = |name: &str, text: &str| engine::load(&Settings::new(&format!("{name}.mech"), text)).unwrap();
    let mut all: Vec<(&str, f64, Loaded)> = [
        ("bouncing-ball", 3.5),
        ("sliding-ladder", 1.0),
        ("locking-elbow", 2.0),
        ("caught-rod", 1.0),
        ("billiard-ball", 1.0),
        ("rough-incline", 1.0),
        ("rough-dumb-bell", 0.3),
    ]
    .map(|(name, seconds)| (name, seconds, gallery(name)))
    .into();
    all.extend([("two-blocks", 2.0, own("two-blocks", BLOCKS)), ("two-feet", 0.4, own("two-feet", FEET))]);
    for (name, seconds, loaded) in all {
        let (folder, stem) = (Folder::new(&format!("steps-{name}")), name.replace('-', "_"));
        let there = there(&loaded, seconds);
        for (target, text, source) in [(Target::Rust, MAIN_RUST, "main.rs"), (Target::NumPy, MAIN_PYTHON, "main.py")] {
            let wanted = Export { what: What::All, ..Export::to(target) };
            let made = export::export(&loaded, &wanted, &mut Alone).unwrap();
            made.files.iter().for_each(|file| std::fs::write(folder.0.join(&file.name), &file.text).unwrap());
            let code = &made.files[0].text;
            let mark = if target == Target::Rust { "/// " } else { "# " };
            let lines = |start: &str| {
                let start = format!("{mark}{start}");
                code.lines().map(str::trim_start).filter(|line| line.starts_with(&start)).collect::<Vec<_>>()
            };
            let events = lines("  g[");
            let watched = events.iter().filter(|line| !line.contains(": stop ") && !line.contains(": record ")).count();
            let items = (0..8).filter(|k| !lines(&format!("  {k}: ")).is_empty()).count();
            let text = text
                .replace("STEM", &stem)
                .replace("END", &format!("{seconds:?}"))
                .replace("EVENTS", &events.len().to_string())
                .replace("WATCHED", &watched.to_string())
                .replace("ITEMS", &items.to_string())
                .replace("HIGH", "5e-3");
            std::fs::write(folder.0.join(source), text).unwrap();
        }
        folder.run("rustc", &["--edition", "2021", "-O", "main.rs"]);
        if !Command::new("python3").args(["-c", "import numpy"]).output().unwrap().status.success() {
            std::fs::write(folder.0.join("numpy.py"), include_str!("stand_in/numpy.py")).unwrap();
        }
        for (program, arguments, within) in [("./main", vec![], 1e-7), ("python3", vec!["main.py"], 1e-6)] {
            let found: Vec<f64> = folder.run(program, &arguments).lines().map(|line| line.parse().unwrap()).collect();
            for (a, b) in found.iter().zip(&there) {
                assert!((a - b).abs() <= within * (1.0 + b.abs()), "{program} {name}: {found:?} and {there:?}");
            }
        }
    }
}

/// The state where `simulate` ends.
fn there(loaded: &Loaded, seconds: f64) -> Vec<f64> {
    let wanted = motion::Simulate { duration: Some(seconds), tolerance: Some(1e-12), ..motion::Simulate::default() };
    let there = motion::simulate(loaded, &wanted, &mut Alone).unwrap().last;
    let names = loaded.system.coordinates.iter().map(|one| one.name.clone());
    let rates = loaded.system.coordinates.iter().map(|one| format!("{}'", one.name));
    names.chain(rates).map(|name| there.get(&name).unwrap()).collect()
}

/// Two feet that come to rest share the load in a way that is not determined: no answer, in all languages.
#[test]
fn a_load_that_is_shared_has_no_answer() {
    let loaded = engine::load(&Settings::new("feet.mech", FEET)).unwrap();
    let folder = Folder::new("shared");
    for target in [Target::C, Target::Rust, Target::NumPy] {
        let made = export::export(&loaded, &Export::to(target), &mut Alone).unwrap();
        made.files.iter().for_each(|file| std::fs::write(folder.0.join(&file.name), &file.text).unwrap());
    }
    let c = "#include \"feet.h\"\nint main(void)\n{\n    feet_mode mode;\n    double y[6];\n    \
             for (int i = 0; i < 6; i++) y[i] = feet_start[i];\n    if (feet_begin(&mode, 0.0, y, feet_nominal) != 0) return 2;\n    \
             y[3] = 0.0;\n    return !feet_switch(&mode, 0.0, y, feet_nominal, 1e-6);\n}\n";
    let rust = "#[path = \"feet.rs\"]\nmod model;\nuse model::*;\nfn main() {\n    let mut y = START;\n    \
                let mut mode = Mode { state: [0; 2], side: [1; 2], along: [[1.0, 0.0]; 2] };\n    \
                begin(&mut mode, 0.0, &mut y, &NOMINAL).unwrap();\n    y[3] = 0.0;\n    \
                assert!(switch(&mut mode, 0.0, &mut y, &NOMINAL, 1e-6).is_err());\n}\n";
    let python = "import feet\nmode, y = feet.begin(0.0, feet.START)\ny[3] = 0.0\ntry:\n    feet.switch(mode, 0.0, y)\n\
                  except ArithmeticError:\n    raise SystemExit(0)\nraise SystemExit(1)\n";
    for (name, text) in [("main.c", c), ("main.rs", rust), ("main.py", python)] {
        std::fs::write(folder.0.join(name), text).unwrap();
    }
    if !Command::new("python3").args(["-c", "import numpy"]).output().unwrap().status.success() {
        std::fs::write(folder.0.join("numpy.py"), include_str!("stand_in/numpy.py")).unwrap();
    }
    folder.run("cc", &["-std=c99", "main.c", "feet.c", "-lm", "-o", "in_c"]);
    folder.run("rustc", &["--edition", "2021", "main.rs", "-o", "in_rust"]);
    folder.run("./in_c", &[]);
    folder.run("./in_rust", &[]);
    folder.run("python3", &["main.py"]);
}

/// The numbers of a mode that are wrong are found by the test beside the code.
#[test]
fn a_wrong_friction_is_found() {
    let folder = Folder::new("wrong");
    let loaded = gallery("rough-incline");
    let wanted = Export { what: What::All, ..Export::to(Target::C) };
    let mut made = export::export(&loaded, &wanted, &mut Alone).unwrap();
    let source = made.files.iter_mut().find(|file| file.name == "rough_incline.c").unwrap();
    let right = "-at->x[item]*mode->side[item]";
    assert!(source.text.contains(right));
    source.text = source.text.replace(right, "-1.001*at->x[item]*mode->side[item]");
    made.files.iter().for_each(|file| std::fs::write(folder.0.join(&file.name), &file.text).unwrap());
    folder.run("cc", &["-std=c99", "rough_incline.c", "rough_incline_test.c", "-lm", "-o", "run"]);
    let output = Command::new("./run").current_dir(&folder.0).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
}

/// What code cannot follow is refused by its name.
#[test]
fn what_is_not_followed_is_named() {
    let refused = |loaded: &Loaded, target| {
        export::export(loaded, &Export::to(target), &mut Alone).map(|_| ()).unwrap_err().to_string()
    };
    let ball = gallery("bouncing-ball");
    for target in [Target::Julia, Target::Jax, Target::Modelica, Target::SymPy] {
        let told = refused(&ball, target);
        assert!(told.contains("`floor` is one-sided") && told.contains(target.name()), "{told}");
    }
    let linear = Export { what: What::Linear, ..Export::to(Target::C) };
    assert!(export::export(&ball, &linear, &mut Alone).unwrap_err().to_string().contains("as a whole"));
    let text = |more: &str| {
        format!(
            "system \"Two feet\"\nparam m = 1 kg, g = 9.81 m/s^2, mu = 0.3\ncoord x, y : m\npoint P = (x, y) mass m\n\
             gravity (0, -g)\n{more}\nstart x = 0, y = 1 m\n"
        )
    };
    let cases = [
        ("constraint c: y >= 0 from t >= 1 s", "`c` is one-sided and switched"),
        ("constraint c: x = 0 from t >= 1 s\nrestitution 0.5 on c", "`c` is switched and has a restitution"),
        ("constraint c: y >= 0\ninput u : N = m*g*sin(t/(1 s))\nforce (u, 0) on P", "`u` follows a law"),
    ];
    for (more, words) in cases {
        let loaded = engine::load(&Settings::new("feet.mech", &text(more))).unwrap();
        let told = refused(&loaded, Target::C);
        assert!(told.contains(words), "{told}");
    }
}
