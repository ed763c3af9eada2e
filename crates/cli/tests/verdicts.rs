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

#[test]
fn a_force_too_small_for_a_float_is_not_zero() {
    // -2 exp(-1/x^2)/x^3 vanishes nowhere; below 0.036 it is less than the smallest float
    let model = File::model("coord x\npoint P = (x, 0) mass 1\npotential exp(-1/x^2)\nstart x = 1\n");
    for ranges in [&[][..], &["--box", "x=-1..1"]] {
        let page = common::text(&common::anholon(&[&["equilibria", model.path()], ranges].concat()));
        assert!(!page.contains("family") && !page.contains("neutral"), "{page}");
    }
}

#[test]
fn a_claim_that_needs_signs_of_values_is_right_with_them() {
    let model = File::model(
        "param m = 1, mu = 0.3, g = 9.81\ncoord x, y\npoint P = (x, y) mass m\ngravity (0, -g)\n\
         constraint floor: y = 0\nforce -mu*abs(multiplier(floor))*N.x on P\n",
    );
    let audit = |claim: &str, code, words: &[&str]| says(&["audit", model.path(), "--claim", claim], code, words);
    audit("x'' = -mu*g", 0, &["correct", "with the values of the model, not with all: m > 0, g > 0"]);
    audit("x'' = -mu*g/2", 1, &["wrong"]);
}

#[test]
fn where_friction_follows_the_normal_force_only_mistakes_in_it_are_named() {
    let model = File::model(
        "param m = 1.3, mu = 0.3, g = 9.81, al = 0.4\ncoord x, y\npoint P = (x, y) mass m\n\
         gravity (g*sin(al), -g*cos(al))\ncontact floor: P slides on plane(N.y, 0)\nfriction mu on floor\nstart x' = 1\n",
    );
    let audit = |claim: &str| common::text(&common::anholon(&["audit", model.path(), "--claim", claim]));
    // gravity counted twice doubles the normal force too; half the mass changes nothing
    for claim in ["x'' = 2*g*sin(al) - mu*g*cos(al)", "x'' = 2*(g*sin(al) - mu*g*cos(al))"] {
        let page = audit(claim);
        assert!(page.contains("wrong") && !page.contains("gravity twice"), "{page}");
    }
    let page = audit("x'' = g*sin(al) - 2*mu*g*cos(al)");
    assert!(page.contains("twice") && !page.contains("mass of P"), "{page}");
    let page = audit("x'' = g*cos(al)");
    assert!(page.contains("were not tried") && !page.contains("No mistake of the dictionary"), "{page}");
}

#[test]
fn a_constraint_that_no_state_satisfies_is_told_and_no_panic() {
    for row in ["x^2 = -1", "x^2 + y^2 + z^2 = -1"] {
        let model = File::model(&format!("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint a: {row}\n"));
        for arguments in [&["derive"][..], &["derive", "--form", "all", "--explicit"], &["prove"]] {
            let output = common::anholon(&[&arguments[..1], &[model.path()], &arguments[1..]].concat());
            assert!(output.status.code().is_some_and(|code| code <= 3), "{}", common::text(&output));
        }
    }
}

#[test]
fn a_family_that_a_support_holds_at_some_places_is_told() {
    // (x, 0) rests for every x > 0, where `b` carries x; at x < 0 it would have to pull
    let text = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x*y\nconstraint a: x >= 0\nconstraint b: y >= 0\n";
    let found = json(&["equilibria", File::model(text).path(), "--box", "x=-3..3, y=-3..3"]);
    let families = found["equilibria"].as_array().expect("a list").iter();
    let families = families.filter(|one| one["family_dimension"] == 1);
    let carried = families.map(|one| one["multipliers"].as_object().expect("multipliers").values().next().cloned());
    let carried: Vec<f64> = carried.map(|one| one.and_then(|one| one.as_f64()).expect("a number")).collect();
    assert!(carried.len() == 2 && carried.iter().all(|x| *x > 0.0), "{carried:?}");
}

#[test]
fn where_families_cross_there_is_none_of_two_dimensions() {
    let model = File::model("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2*y^2\n");
    let page = says(&["equilibria", model.path()], 0, &["a family of dimension 1"]);
    assert!(!page.contains("all that the constraints allow") && page.contains("any x"), "{page}");
}

#[test]
fn roots_that_are_close_together_are_two() {
    // (x - 1/2)^2 = 1/4e-12: unstable at 1/2 - 5e-7, stable at 1/2 + 5e-7
    for gap in ["1e-12", "1e-14"] {
        let text = format!("coord x\nkinetic x'^2/2\npotential x^3/3 - x^2/2 + x*0.25*(1 - {gap})\n");
        let page = says(&["equilibria", File::model(&text).path(), "--box", "x=-3..3"], 0, &["2 equilibria"]);
        assert!(page.contains("unstable") && page.contains("stable: "), "{page}");
    }
}

#[test]
fn a_heavy_mass_beside_a_light_one_keeps_its_own_stiffness() {
    // K = [[2, -1], [-1, 2]]: the heavy one swings with sqrt(3/2/M)
    for (light, heavy) in [("1e-3", 1e12_f64), ("1e-8", 1e8), ("1", 1e16)] {
        let text =
            format!("coord x, y\nkinetic {light}*x'^2/2 + {heavy:e}*y'^2/2\npotential x^2/2 + y^2/2 + (x - y)^2/2\n");
        let model = File::model(&text);
        let values = json(&["linearize", model.path()])["eigenvalues"].clone();
        let slow = values.as_array().expect("a list").iter().filter_map(|one| one[1].as_f64()).map(f64::abs);
        let slow = slow.fold(f64::INFINITY, f64::min);
        assert!((slow / (1.5 / heavy).sqrt() - 1.0).abs() < 1e-6, "{slow:e} with {heavy:e}: {values}");
        let page = common::text(&common::anholon(&["equilibria", model.path()]));
        assert!(!page.contains("singular"), "{page}");
    }
}

#[test]
fn eigenvalues_that_numbers_do_not_place_are_not_called_imaginary() {
    // gyroscopic stabilisation that a little damping undoes (Thomson and Tait)
    let model = File::model(
        "param g = 3\ncoord x, y\nkinetic (x'^2 + y'^2)/2 + g*(x*y' - y*x')/2\npotential -(x^2 + y^2)/2\n\
         dissipation 1e-6*(x'^2 + y'^2)/2\n",
    );
    let page = common::text(&common::anholon(&["equilibria", model.path()]));
    assert!(!page.contains("lie on the imaginary axis") && !page.contains("not linear"), "{page}");
}

/// The verdicts of the equilibria at which a coordinate has a value, as JSON tells them.
fn verdicts(model: &str, arguments: &[&str], name: &str, value: f64) -> Vec<String> {
    let file = File::model(model);
    let found = json(&[&["equilibria", file.path()], arguments].concat());
    let list = found["equilibria"].as_array().expect("a list");
    let is_there = |one: &&serde_json::Value| one["values"][name].as_f64().is_some_and(|x| (x - value).abs() < 1e-6);
    let verdict = |one: &serde_json::Value| one["stability"].as_str().expect("a word").to_owned();
    let found: Vec<String> = list.iter().filter(is_there).map(verdict).collect();
    assert!(!found.is_empty(), "{model}: no equilibrium at {name} = {value}");
    found
}

#[test]
fn forces_on_coordinates_that_nothing_depends_on_count() {
    // x'' = 4/3 x
    let coupled =
        "coord x, phi\nkinetic x'^2/2 + phi'^2/2 + x'*phi'/2\npotential x^2/2\ngeneralized force -4*x on phi\n";
    assert_eq!(verdicts(coupled, &[], "x", 0.0), ["unstable"]);
    says(&["equilibria", File::model(coupled).path()], 0, &["δA = Q_x δx + Q_phi δphi", "Q_phi = -4*x"]);
    let page = common::text(&common::anholon(&["equilibria", File::model(coupled).path()]));
    assert!(!page.contains("∂Π/∂q"), "{page}");
    // a cart that is driven by the angle of its pendulum
    let cart = |c: f64| {
        format!(
            "param c = {c}, g = 9.81\ncoord x, phi\npoint A = (x, 0) mass 1\n\
             point P = (x + sin(phi), -cos(phi)) mass 1\ngravity (0, -g)\nforce (-c*sin(phi), 0) on A\n"
        )
    };
    assert_eq!(verdicts(&cart(100.0), &[], "phi", 0.0), ["unstable"]);
    assert_eq!(verdicts(&cart(-100.0), &[], "phi", std::f64::consts::PI), ["undecided"]);
    let by_itself = cart(0.0).replace("force (-c*sin(phi), 0) on A", "");
    assert_eq!(verdicts(&by_itself, &[], "phi", 0.0), ["stable"]);
    // a force that goes round at a pole
    let pole = "param c = 0.3\ncoord theta, phi\n\
                point P = (sin(theta)*cos(phi), sin(theta)*sin(phi), cos(theta)) mass 1\ngravity (0, 0, 9.81)\n\
                generalized force c*sin(theta)^2 on phi\n";
    assert_eq!(verdicts(pole, &[], "theta", 0.0), ["undecided"]);
    assert_eq!(verdicts(&pole.replace("c*sin(theta)^2", "0"), &[], "theta", 0.0), ["stable"]);
    // no momentum is held that a force changes
    let ring = "coord r, psi\npoint P = ((2 + r)*cos(psi), (2 + r)*sin(psi)) mass 1\npotential r^2/2\n\
                generalized force r on psi\n";
    assert_eq!(verdicts(ring, &[], "r", 0.0), ["undecided"]);
}

#[test]
fn of_a_turn_that_a_force_changes_no_momentum_is_held() {
    let model = |c: f64| {
        format!(
            "coord psi, r\npoint P = (r*cos(psi), r*sin(psi)) mass 1\npotential 25*(r - 1)^2\n\
             generalized force {c}*(r - 50/41) on psi\nstart psi' = 3, r = 50/41\n"
        )
    };
    assert_eq!(verdicts(&model(1.0), &["--relative", "psi"], "r", 50.0 / 41.0), ["unstable"]);
    assert_eq!(verdicts(&model(0.0), &["--relative", "psi"], "r", 50.0 / 41.0), ["stable"]);
}

#[test]
fn gyroscopic_forces_hold_by_what_moves_along_a_family() {
    // x' + B y is constant, so that y'' = (k - B^2) y
    let field = "param B = 3, k = 1\ncoord x, y\npoint P = (x, y) mass 1\npotential -k*y^2/2 + y^4\nkinetic B*x'*y\n";
    assert_eq!(verdicts(field, &[], "y", 0.0), ["stable"]);
    assert_eq!(verdicts(&field.replace("B = 3", "B = 0.5"), &[], "y", 0.0), ["unstable"]);
    let letters = field.replace("B = 3, k = 1", "B : 1\nparam k : 1\nassume B > 0");
    let told = ["stable while B^2 - k > 0, unstable while B^2 - k < 0"];
    says(&["equilibria", File::model(&letters).path()], 0, &told);
    // where x stands in a mass its momentum is not constant
    let heavier = field.replace("mass 1", "mass 1 + x^2*y^2");
    assert_ne!(verdicts(&heavier, &[], "y", 0.0), ["stable"]);
    // the forces that hold vanish at the place itself, and are of higher order beside it
    let cubic = "coord x, y\npoint P = (x, y) mass 1\npotential -y^4\nkinetic 3*x'*y^2\n";
    assert_eq!(verdicts(cubic, &[], "y", 0.0), ["undecided"]);
    assert_eq!(verdicts(&cubic.replace("3*x'", "0*x'"), &[], "y", 0.0), ["unstable"]);
    let plane = "coord x, y\npoint P = (x, y) mass 1\npotential -(x - y)^2/2\n\
                 generalized force 4*y' on x\ngeneralized force -4*x' on y\n";
    assert_eq!(verdicts(plane, &[], "x", 0.0), ["undecided"]);
}

#[test]
fn in_turning_axes_a_family_is_not_unstable() {
    let axes = "param W = 1, k = 1, kk = 0.5\ncoord x, y\nframe R = N rotated z by W*t\npoint P = R*(x, y, 0) mass 1\n\
                potential k*x^2/2 + kk*y^2/2\n";
    let page = says(&["equilibria", File::model(axes).path()], 0, &["undecided", "at least while k - 2*W^2 + kk > 0"]);
    assert!(!page.contains("unstable:"), "{page}");
    // a spring to the centre holds whatever the axes do; at the centre the angle moves no mass, and nothing is said
    let polar = "param W = 1, k = 2, m = 1\ncoord r, phi\nframe R = N rotated z by W*t\n\
                 point P = R*(r*cos(phi), r*sin(phi), 0) mass m\npotential k*r^2/2\n";
    let page = says(&["equilibria", File::model(polar).path()], 0, &["undecided"]);
    assert!(!page.contains("unstable"), "{page}");
}

#[test]
fn gyroscopic_forces_hold_at_a_pole_too() {
    let upright = "param B = 5\ncoord theta, phi\n\
                   point P = (sin(theta)*cos(phi), sin(theta)*sin(phi), cos(theta)) mass 1\ngravity (0, 0, -1)\n\
                   kinetic B*sin(theta)^2*phi'/2\n";
    assert_eq!(verdicts(upright, &[], "theta", 0.0), ["undecided"]);
    assert_eq!(verdicts(&upright.replace("B = 5", "B = 0"), &[], "theta", 0.0), ["unstable"]);
}

#[test]
fn a_root_of_a_steep_force_is_told_or_completeness_is_not_claimed() {
    let model = |load: &str| format!("coord x\npoint P = (x, 0) mass 1\n{load}\n");
    for load in [
        "generalized force -x/(x^2 + 1/10^9) on x",
        "potential sqrt(x^2 + 1e-16)",
        "potential -1/sqrt(x^2 + (1e-5)^2)",
        "generalized force -(x + 2)*x/(x^2 + 1e-12) on x",
    ] {
        let page = says(&["equilibria", File::model(&model(load)).path()], 0, &["x = 0", "completeness: proved"]);
        assert!(page.contains("stable: a strict minimum"), "{load}: {page}");
    }
    let spring = "param h = 1e-9, L = 1\ncoord x\npoint P = (x, 0) mass 1\npoint O = (0, h)\n\
                  spring 1 rest L between P and O\n";
    assert_eq!(verdicts(spring, &[], "x", 0.0), ["unstable"]);
    assert_eq!(verdicts(spring, &[], "x", 1.0), ["stable"]);
    // steeper than numbers tell
    let steeper = File::model(&model("generalized force -x/(x^2 + 1/10^40) on x"));
    let page = says(&["equilibria", steeper.path()], 0, &["the exact solution x = 0 exists"]);
    assert!(!page.contains("completeness: proved"), "{page}");
}

#[test]
fn loads_that_were_found_stay_as_they_are_when_a_place_is_judged() {
    // with F = m g/2 the rod rests at every angle
    let lever = "param L = 1 m, m = 1 kg, g = 10 m/s^2\nunknown F : N\ncoord phi : rad\n\
                 point P = L/2*(cos(phi), sin(phi)) mass m\npoint E = L*(cos(phi), sin(phi))\ngravity (0, -g)\n\
                 force (0, F) on E\n";
    let page = says(&["equilibria", File::model(lever).path()], 0, &["F = 5", "neutral"]);
    assert!(!page.contains("unstable: the"), "{page}");
    // with a couple it would leave its place: the family needs another load at each
    let held = "param L = 1 m, m = 1 kg, g = 10 m/s^2\nunknown T : N*m\ncoord phi : rad\n\
                point P = L*(sin(phi), -cos(phi)) mass m\ngravity (0, -g)\ngeneralized force T on phi\n";
    assert_eq!(verdicts(held, &[], "phi", 0.0), ["stable"]);
}

#[test]
fn a_load_that_a_place_does_not_determine_has_no_number() {
    let model = "param k = 1 N/m\nunknown F : N/m\ncoord x : m\npoint P = (x, 0 m) mass 1 kg\n\
                 generalized force F*x - k*x on x\n";
    let page = says(&["equilibria", File::model(model).path()], 0, &["x = 0, F not determined", "undecided", "F = k"]);
    assert!(!page.contains("x = 0, F = 0"), "{page}");
    let beam = "param g = 10 m/s^2, m = 1 kg, L = 1 m\ncoord x, y : m\ncoord th : rad\nframe B = N rotated z by th\n\
                body D mass m at (x, y) frame B inertia m*L^2/12\ngravity (0, -g)\n\
                constraint s1: (D - L/2*B.x).y >= 0\nconstraint s3: (D + L/8*B.x).y >= 0\nconstraint sx: x = 0\n\
                unknown F : N\nforce (0, F) on D at D + L/2*B.x\n";
    let file = File::model(beam);
    let page =
        says(&["equilibria", file.path()], 0, &["th = -1.57079633, F not determined", "multiplier(s3) = m*g - F"]);
    assert!(!page.contains("F = -m*g/3, s3 = 4*m*g/3") && !page.contains("F = 2.959"), "{page}");
    let found = json(&["equilibria", file.path(), "--solve", "F"]);
    let one = &found["equilibria"][0];
    assert!(one["loads"]["F"].is_null() && one["multipliers"]["s1"].is_null(), "{one}");
}

#[test]
fn supports_with_the_same_slope_are_not_closed_at_once() {
    for [a, b] in [["x >= -1", "x <= 1"], ["x >= 0", "x >= -1"]] {
        let text = format!("coord x\npoint P = (x, 0) mass 1\npotential x\nconstraint a: {a}\nconstraint b: {b}\n");
        let found = json(&["equilibria", File::model(&text).path()]);
        let list = found["equilibria"].as_array().expect("a list");
        assert_eq!(list.len(), 1, "{found}");
        assert_eq!((&list[0]["contact"]["a"], &list[0]["contact"]["b"]), (&"closed".into(), &"open".into()));
    }
    let both = "coord x\npoint P = (x, 0) mass 1\nconstraint a: x >= 0\nconstraint b: x <= 0\n";
    let page = says(&["check", File::model(both).path()], 0, &["each bounds a side of its own"]);
    assert!(!page.contains("nothing new") && !page.contains("remove"), "{page}");
    let twice = both.replace("x <= 0", "2*x >= 0");
    says(&["check", File::model(&twice).path()], 1, &["it says nothing new", "remove `b`"]);
}

#[test]
fn a_family_beside_an_open_support_is_told_with_its_bound() {
    let wall = "coord x, y\npoint P = (x, y) mass 1\npotential y^2/2\nconstraint wall: x >= 0\nstart x = 0\n";
    says(&["equilibria", File::model(wall).path()], 0, &["2 equilibria", "y = 0, any x", "if x > 0"]);
    let narrow = "param m = 1, g = 10\ncoord x, y\npoint P = (x, y) mass m\ngravity (0, -g)\nconstraint floor: y >= 0\n\
                  constraint left: x >= 0\nconstraint right: x <= 0.05\nstart x = 0, y = 0\n";
    says(&["equilibria", File::model(narrow).path()], 0, &["3 equilibria", "if x > 0, 1/20 - x > 0"]);
}
