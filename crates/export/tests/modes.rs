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
    for (name, seconds, loaded) in all {
        let folder = Folder::new(name);
        let made = export::export(&loaded, &Export::to(Target::Fmu), &mut Alone).unwrap();
        made.files.iter().for_each(|file| std::fs::write(folder.0.join(&file.name), &file.text).unwrap());
        std::fs::write(folder.0.join("main.c"), MAIN).unwrap();
        let model = format!("sources/{}.c", name.replace('-', "_"));
        folder.run("cc", &[&options[..], &["main.c", &model, "sources/unit.c", "-lm"]].concat());
        let found: Vec<f64> =
            folder.run("./run", &[&seconds.to_string()]).lines().map(|line| line.parse().unwrap()).collect();
        let wanted =
            motion::Simulate { duration: Some(seconds), tolerance: Some(1e-12), ..motion::Simulate::default() };
        let there = motion::simulate(&loaded, &wanted, &mut Alone).unwrap().last;
        let names = loaded.system.coordinates.iter().map(|one| one.name.clone());
        let rates = loaded.system.coordinates.iter().map(|one| format!("{}'", one.name));
        let there: Vec<f64> = names.chain(rates).map(|name| there.get(&name).unwrap()).collect();
        assert_eq!(found.len(), there.len());
        for (a, b) in found.iter().zip(&there) {
            assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()), "{name}: {found:?} and {there:?}");
        }
    }
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
    for target in [Target::Rust, Target::NumPy, Target::Modelica, Target::SymPy] {
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
