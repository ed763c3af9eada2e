//! Is every statement founded? Bounds on angles, masses that are negative, roots at their edge, stiffness that switches with
//! time, claims that are off by less than numbers show, and options that would say nothing.

mod common;

use std::process::{Command, Stdio};

use common::{File, json, says};

/// An inverted pendulum that leans on a wall at phi = 1/2.
const LEANING: &str = "param m = 1, g = 9.81, l = 1\ncoord phi\npoint P = l*(sin(phi), cos(phi)) mass m\n\
    gravity (0, -g)\nconstraint wall: phi <= 0.5\nstart phi = 0.5\n";

/// The angles at which a model rests, as JSON tells them.
fn angles(arguments: &[&str]) -> Vec<f64> {
    let found = json(&[&["equilibria"], arguments].concat());
    let list = found["equilibria"].as_array().expect("a list");
    let mut angles: Vec<f64> = list.iter().map(|one| one["values"]["phi"].as_f64().expect("a number")).collect();
    angles.sort_by(f64::total_cmp);
    angles
}

#[track_caller]
fn close(found: &[f64], wanted: &[f64]) {
    let near = found.len() == wanted.len() && found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(near, "{found:?} should be {wanted:?}");
}

#[test]
fn whole_turns_of_a_bounded_angle_are_different_places() {
    use std::f64::consts::{PI, TAU};
    let model = File::model(LEANING);
    // from 2 π below the start to 2 π above it the wall leaves these
    close(&angles(&[model.path()]), &[-PI, 0.0, 0.5]);
    close(&angles(&[model.path(), "--box", "phi=-10..10"]), &[-3.0 * PI, -TAU, -PI, 0.0, 0.5]);
    let page = says(&["equilibria", model.path()], 0, &["completeness: proved"]);
    assert!(!page.contains("not claimed"), "{page}");
    // what is assumed bounds places too
    let pendulum = LEANING.replace("constraint wall: phi <= 0.5\nstart phi = 0.5", "assume phi > 4\nstart phi = 5");
    close(&angles(&[File::model(&pendulum).path()]), &[TAU, 3.0 * PI]);
}

#[test]
fn a_bound_that_comes_back_after_a_turn_leaves_an_angle_one() {
    let model =
        LEANING.replace("constraint wall: phi <= 0.5\nstart phi = 0.5", "assume sin(phi) < 1/2\nstart phi = 0.1");
    close(&angles(&[File::model(&model).path()]), &[0.0, std::f64::consts::PI]);
}

#[test]
fn a_negative_mass_is_not_called_none() {
    let model = File::model("coord q, r\nkinetic q'^2/2 - r'^2/4\npotential q^2/2 - r^2\n");
    let page = says(&["equilibria", model.path()], 0, &["undecided: the kinetic energy is negative"]);
    assert!(!page.contains("no mass"), "{page}");
    let idle = File::model("coord x, y\npoint P = (x, 0) mass 1\npotential x^2 + y^2\n");
    says(&["equilibria", idle.path()], 0, &["moves no mass"]);
}

#[test]
fn in_letters_a_negative_mass_is_not_judged_by_its_stiffness() {
    // -a q'' = -(k - p) q runs away where k - p is positive
    let model = |kinetic: &str, value: &str| {
        let text = format!("param a{value}\nparam k = 2, p = 1\ncoord q\nkinetic {kinetic}\npotential (k - p)*q^2/2\n");
        File::model(&text)
    };
    for (kinetic, value) in
        [("-a*q'^2/2", " = 1"), ("a*q'^2/2", " = -1"), ("-q'^2/2", " : 1"), ("(a - 3)*q'^2/2", " = 4")]
    {
        let file = model(kinetic, value);
        let output = common::text(&common::anholon(&["equilibria", file.path()]));
        assert!(!output.contains("stable while"), "{kinetic}: {output}");
    }
    says(&["equilibria", model("a*q'^2/2", " = 1").path()], 0, &["stable while k - p > 0, unstable while k - p < 0"]);
}

#[test]
fn where_nothing_acts_rest_is_neutral_in_letters_too() {
    let model = "param m = 1 kg, F = 20 N, g = 9.81 m/s^2\ncoord y : m\npoint P = (0, y) mass m\ngravity (0, -g)\n\
                 force (0, F) on P\nconstraint floor: y >= 0\nstart y = 0\n";
    says(&["equilibria", File::model(model).path()], 0, &["if F - m*g = 0: neutral"]);
}

#[test]
fn a_root_at_its_edge_has_no_linear_equations() {
    for force in ["potential x^(5/2)", "generalized force -x - sqrt(x)^3 on x", "potential x^2/2 + x^3*sqrt(x)"] {
        let model = File::model(&format!("coord x\npoint P = (x, 0) mass 1\n{force}\nstart x = 0\n"));
        says(&["linearize", model.path()], 3, &["has values on one side only", force.split(' ').next().unwrap()]);
    }
    let edge = File::model("coord x\npoint P = (x, 0) mass 1\npotential x^2/2 + x^3*sqrt(x)\nstart x = 0\n");
    says(&["equilibria", edge.path(), "--near", "x = 0"], 0, &["undecided: a force has values on one side"]);
    // a root of a sum of squares has values all around
    let cone = File::model("coord x, y\npoint P = (x, y) mass 1\npotential sqrt(x^2 + y^2)^3\n");
    says(&["linearize", cone.path()], 0, &["zero mode"]);
}

#[test]
fn a_stiffness_that_will_switch_is_not_steady() {
    for factor in ["if(t < 1, 1, 2)", "(1 + max(0, t - 100))", "(2 + sign(t - 40))"] {
        let model = File::model(&format!("coord x\npoint P = (x, 0) mass 1\npotential {factor}*x^2/2\n"));
        says(&["linearize", model.path()], 0, &["decide no stability", "the equations change with time"]);
    }
    let turning =
        "coord x, y\npoint P = (x*cos(2*t) - y*sin(2*t), x*sin(2*t) + y*cos(2*t)) mass 1\npotential x^2 + y^2\n";
    says(&["linearize", File::model(turning).path()], 0, &["about a steady motion"]);
}

const CART: &str = "param M = 2 kg, m = 1 kg, k = 3 N/m\ncoord x, y : m\npoint C = (x, 0) mass M\n\
    point P = (x + y, 0) mass m\npotential k*y^2/2\nstart x = 0, y = 0.1 m\n";

#[test]
fn what_numbers_cannot_tell_apart_is_not_diagnosed_by_them() {
    let model = File::model(CART);
    let claim = "(m + 0.000000000000001 kg)*(x'' + y'') = -k*y";
    let page = says(&["audit", model.path(), "--claim", claim], 1, &["wrong", "exact arithmetic tells them apart"]);
    assert!(!page.contains("forgot"), "{page}");
}

#[test]
fn what_cannot_be_told_apart_is_named() {
    // two balls and a sleeve: with the sleeve twice the equation is twice the one without a ball
    let claim = "2*l*(4*m1*sin(phi)^2 + m)*phi'' + l*(4*m1*phi'^2 - m*Omega^2)*sin(2*phi) = -2*(m + 2*m1)*g*sin(phi)";
    says(&["audit", "gallery:governor", "--claim", claim], 1, &["exactly", "`ball1`", "`sleeve`"]);
}

#[test]
fn a_side_of_several_terms_is_called_a_side() {
    let model = File::model(CART);
    let flat = |claim: &str| {
        let page = says(&["audit", model.path(), "--claim", claim], 1, &["slip"]);
        page.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for (claim, side) in [("x'' + y'' = -k*y", "left"), ("-k*y = x'' + y''", "right")] {
        let page = flat(claim);
        let named = format!("the whole {side} side `x'' + y''` lacks the factor m");
        assert!(page.contains(&named) && page.contains("in the other side"), "{page}");
    }
    let page = flat("m*x'' + y'' = -k*y");
    assert!(page.contains("the term `y''` lacks the factor m"), "{page}");
}

#[test]
fn the_rate_of_an_equation_does_not_pretend_to_be_all() {
    let damped =
        CART.replace("potential", "generalized force -b*y' on y\npotential").replace("param", "param b = 0 kg/s,");
    let model = File::model(&damped);
    // alike, whether the acceleration stands beside the third derivatives or not
    for claim in ["m*(x''' + y''') = -k*y' - b*y''", "m*(x''' + y''') = -k*y'"] {
        says(&["audit", model.path(), "--claim", claim], 0, &["correct"]);
    }
    says(&["audit", model.path(), "--claim", "m*(x'' + y'') = -k*y - b*y'"], 1, &["incomplete"]);
    says(&["audit", model.path(), "--claim", "m*(x''' + y''') = k*y' - b*y''"], 1, &["wrong"]);
}

#[test]
fn what_is_said_twice_is_refused() {
    let cart = "gallery:cart-pendulum";
    says(&["evaluate", cart, "--set", "l=1", "--set", "l=2"], 2, &["`l` is set twice"]);
    says(&["equilibria", cart, "--near", "phi = 0", "--at", "phi = 1"], 2, &["`--at` has no effect beside `--near`"]);
    let set = ["equilibria", cart, "--near", "phi = 0", "--set", "phi=1"];
    says(&set, 2, &["`--set phi=1` has no effect beside `--near`"]);
    says(&["equilibria", cart, "--near", "phi = 0", "--set", "l=1"], 0, &["phi = 0"]);
}

#[test]
fn nobody_who_reads_is_no_panic() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let program = || Command::new(env!("CARGO_BIN_EXE_anholon"));
    let full_twice = full.try_clone().unwrap();
    // standard error that cannot be written
    let ended = program().args(["same", "(x*y)'", "0"]).stderr(full_twice).stdout(Stdio::null()).status().unwrap();
    assert_eq!(ended.code(), Some(2));
    let ended = program().args(["completions", "bash"]).stdout(full).stderr(Stdio::null()).status().unwrap();
    assert_eq!(ended.code(), Some(3));
}
