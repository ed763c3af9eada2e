//! `anholon equilibria` as a user types it: the page, JSON keys, exit codes, bad input.

mod common;

use common::{File, says};
use serde_json::Value;

#[track_caller]
fn page(arguments: &[&str], words: &[&str]) -> String {
    says(&[&["equilibria"], arguments].concat(), 0, words)
}

#[track_caller]
fn refused(arguments: &[&str], words: &[&str]) {
    says(&[&["equilibria"], arguments].concat(), 2, &[&["error", "hint"], words].concat());
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    common::json(&[&["equilibria"], arguments].concat())
}

const CONE: &str = "param m = 1 kg, l = 1 m, g = 9.81 m/s^2\ncoord theta, psi : rad\n\
    point P = l*(sin(theta)*cos(psi), sin(theta)*sin(psi), -cos(theta)) mass m\ngravity (0, 0, -g)\n\
    start theta = 0.5 rad, psi' = 4 rad/s\n";

#[test]
fn the_page_tells_the_set_with_stability_and_thresholds() {
    page(
        &["gallery:two-rods-couple"],
        &[
            "Two rods and a couple: 4 equilibria",
            "1. phi = 0, psi = 0.339836909",
            "exactly phi = 0, psi = asin(M/(P*a))",
            "if P*a - M >= 0",
            "stable: a strict minimum of the potential energy",
            "2 of 2 principal directions",
            "The set changes where P*a - M = 0",
            "completeness: proved",
        ],
    );
    page(
        &["gallery:two-rods-couple", "--set", "M=4", "--set", "psi=0.5"],
        &["no equilibrium", "With other values", "these virtual displacements do work", "leave 2 freedoms"],
    );
    page(
        &["gallery:table-edge"],
        &["multiplier(edge) = P", "edge closed", "edge open", "left out that violates `edge`"],
    );
    page(&["gallery:cube-root"], &["rest is not the only motion", "not Lipschitz"]);
    page(&["gallery:rhombus", "--solve", "Q"], &["loads that balance it", "exactly Q = 2*F*cos(alpha)/sin(alpha)"]);
}

#[test]
fn a_family_is_told_once() {
    let circle = "param m = 1 kg, r = 0.5 m, g = 9.81 m/s^2\ncoord x, y, z : m\npoint P = (x, y, z) mass m\n\
                  gravity (0, 0, -g)\nconstraint ring: x^2 + y^2 = r^2\nconstraint level: z = 0\nstart x = r, y = 0\n";
    page(
        &[File::model(circle).path()],
        &[
            "one equilibrium",
            "a family of dimension 1, all that the constraints allow",
            "energy at rest: 0 J",
            "neutral",
        ],
    );
    let disc = page(
        &["gallery:rolling-disc"],
        &["The set has these exact branches too\n  z = -r, lean = pi", "`roll_x` is on rates"],
    );
    assert_eq!(disc.matches("is on rates").count(), 1, "{disc}");
    let wheel = "param m = 1 kg, r = 0.5 m, g = 9.81 m/s^2\ncoord phi : rad\npoint P = r*(cos(phi), sin(phi)) mass m\n\
                 point Q = -r*(cos(phi), sin(phi)) mass m\ngravity (0, -g)\n";
    let told = page(&[File::model(wheel).path()], &["1. any phi", "a family of dimension 1", "neutral"]);
    assert!(!told.contains("exactly\n"), "{told}");
}

#[test]
fn a_turning_frame_has_an_effective_potential() {
    page(
        &["gallery:governor"],
        &["minimum of the effective potential energy", "note: the effective potential energy is"],
    );
    page(&["gallery:rotating-parabola"], &["the effective potential energy is the same all along the set"]);
    page(&[File::model(CONE).path(), "--relative", "psi"], &["psi' = 4", "effective potential energy"]);
    let still = page(&["gallery:triangle-slots"], &["a strict minimum of the potential energy"]);
    assert!(!still.contains("effective"), "{still}");
}

#[test]
fn json_has_the_keys_that_scripts_rely_on() {
    let found = json(&["gallery:two-rods-couple"]);
    for key in
        ["model", "equilibria", "thresholds", "branches", "complete", "completeness", "ranges", "undecided", "notes"]
    {
        assert!(!found[key].is_null(), "{key}");
    }
    assert_eq!((&found["complete"], &found["thresholds"][0]), (&true.into(), &"P*a - M = 0".into()));
    let one = &found["equilibria"][0];
    for key in ["kind", "values", "family_dimension", "stability", "reason", "eigenvalues", "reactions", "conditions"] {
        assert!(!one[key].is_null(), "{key}");
    }
    assert_eq!(
        (&one["kind"], &one["stability"], &one["family_dimension"]),
        (&"point".into(), &"stable".into(), &0.into())
    );
    assert!((one["values"]["psi"].as_f64().unwrap() - (1.0_f64 / 3.0).asin()).abs() < 1e-12);
    // V = -g a sqrt(m1² sin² alpha + m2² cos² alpha) where the weights hang lowest
    let lowest = &json(&["gallery:triangle-slots"])["equilibria"][0];
    let energy = -9.81 * 0.5 * (1.0_f64 + 9.0 * 0.75).sqrt();
    assert!((lowest["potential_energy"].as_f64().unwrap() - energy).abs() < 1e-9, "{lowest}");
    let loads = json(&["gallery:rhombus", "--solve", "Q"]);
    assert!((loads["equilibria"][0]["loads"]["Q"].as_f64().unwrap() - 34.641016).abs() < 1e-6, "{loads}");
    let wrong = json(&["gallery:two-rods-couple", "--box", "phi=3..1"]);
    assert!(wrong["error"].as_str().unwrap().contains("ends before it begins"), "{wrong}");
}

#[test]
fn bad_input_is_answered_by_name() {
    let rods = "gallery:two-rods-couple";
    refused(&[rods, "--box", "phi=3..1"], &["the range of `phi` ends before it begins: 3 .. 1", "phi=1..3"]);
    refused(&[rods, "--box", "phi=1..1"], &["`phi`", "1 .. 1"]);
    refused(&[rods, "--box", "phy=0..1"], &["no coordinate `phy`", "did you mean `phi`?"]);
    refused(&[rods, "--box", "phi"], &["`phi` is no range"]);
    refused(&[rods, "--box", ""], &["is no range"]);
    refused(&[rods, "--box", "phi=0..1/0"], &["`--box`", "1/0"]);
    refused(&[rods, "--near", "phy = 1"], &["phy"]);
    refused(&[rods, "--near", "phi = 1", "--box", "phi=0..1"], &["`--near` goes with neither `--box` nor `--solve`"]);
    refused(&[rods, "--relative", "phy"], &["no coordinate `phy`", "did you mean `phi`?"]);
    refused(&[rods, "--relative", "phi"], &["`phi'` is 0 at the start", "--set \"phi'=2\""]);
    refused(&[rods, "--solve", "Q"], &["no load `Q`", "unknown Q : N"]);
    refused(&["gallery:rhombus", "--solve", "R"], &["no load `R`"]);
    refused(&["gallery:rough-incline"], &["cannot use the friction on `plane`"]);
    let open = "param m = 1 kg\nparam k : N/m\ncoord x : m\npoint P = (x, 0) mass m\npotential k*x^2/2\n";
    let open = File::model(open);
    refused(&[open.path(), "--box", "x=-1..1"], &["`k` has no value", "--set k="]);
    page(&[open.path()], &["equilibria in letters", "Q_x = -k*x", "stable while k > 0"]);
    page(&[open.path(), "--set", "k=2"], &["one equilibrium"]);
    says(&["equilibria", "gallery:two-rods-cupple"], 2, &["did you mean `two-rods-couple`?"]);
}

#[test]
fn what_depends_on_the_angle_keeps_it_from_turning_steadily() {
    let turned = |line: &str| format!("{CONE}{line}\n");
    let wind = File::model(&turned("force (1 N, 0, 0) on P"));
    refused(
        &[wind.path(), "--relative", "psi"],
        &["`psi` cannot turn steadily", "this load", "force (1 N, 0, 0) on P"],
    );
    let rail = File::model(&turned("constraint rail: P.x = 0.1 m"));
    refused(&[rail.path(), "--relative", "psi"], &["`psi` cannot turn steadily", "the constraint `rail`"]);
    let heavy = File::model(&turned("kinetic m*l^2*cos(psi)^2*theta'^2"));
    refused(&[heavy.path(), "--relative", "psi"], &["`psi` cannot turn steadily", "kinetic"]);
    page(&[File::model(CONE).path(), "--relative", "psi"], &["theta = 0.910"]);
}

#[test]
fn rest_that_is_not_admissible_names_the_constraint() {
    let lift = "param m = 1 kg, u = 2 m/s\ncoord x, z : m\npoint P = (x, 0, z) mass m\nconstraint lift: z = u*t\n";
    page(&[File::model(lift).path()], &["rest is not admissible", "`lift` allows no rest"]);
    let drift = "param m = 1 kg, u = 2 m/s\ncoord x, z : m\npoint P = (x, 0, z) mass m\nconstraint belt: x' = u\n";
    page(&[File::model(drift).path()], &["rest is not admissible", "`belt` allows no rest"]);
}

#[test]
fn a_long_chain_tells_what_it_leaves_out() {
    // 22 bobs with both coordinates and a rod each: 66 unknowns
    let chain = "param n = 22, m = 50 gram, l = 0.1 m, g = 9.81 m/s^2\ncoord x[1..n], y[1..n] : m\npoint P[0] = 0\n\
                 point P[i] = (x[i], y[i]) mass m for i in 1..n\ngravity (0, -g)\n\
                 constraint rod[i]: (x[i] - P[i-1].x)^2 + (y[i] - P[i-1].y)^2 = l^2 for i in 1..n\nstart x[i] = l*i for i in 1..n\n";
    let model = File::model(chain);
    let found = json(&[model.path()]);
    let notes = found["notes"].to_string();
    assert!(notes.contains("with 66 unknowns it was looked from"), "{notes}");
    assert_eq!(found["complete"], false);
}
