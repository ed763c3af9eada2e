//! `anholon derive` and `anholon evaluate` as a user types them: pages, JSON keys, exit codes, bad input.

mod common;

use common::{File, anholon, json, says, text};

#[test]
fn a_form_that_does_not_apply_says_why_and_a_wrong_name_is_corrected() {
    says(&["derive", "gallery:sled", "--form", "lagrange-2"], 3, &["does not apply", "`rod` ties them"]);
    says(&["derive", "gallery:sled", "--form", "all"], 0, &["does not apply", "Appell"]);
    says(&["evaluate", "gallery:sled", "--form", "all"], 2, &["takes one form", "derive --form all"]);
    says(&["derive", "gallery:sled", "--form", "lagrang-2"], 2, &["did you mean `lagrange-2`?"]);
    says(&["evaluate", "gallery:sled", "--form", "lagrange-2"], 3, &["ties them"]);
}

#[test]
fn json_has_the_keys_of_the_contract() {
    let derived = json(&["derive", "gallery:hoop", "--form", "appell"]);
    for key in "model form family applicable unknowns equations definitions multipliers operations seconds".split(' ') {
        assert!(derived.get(key).is_some(), "{key}: {derived}");
    }
    assert_eq!(derived["unknowns"], serde_json::json!(["p'", "q'", "r'"]));
    assert!(derived["equations"][0]["latex"].as_str().unwrap().contains("\\dot{p}"));
    let all = json(&["derive", "gallery:atwood", "--form", "all"]);
    assert!(all["forms"].as_array().unwrap().len() >= 10);
    let numbers = json(&["evaluate", "gallery:sled"]);
    for key in "model form accelerations multipliers reactions generalized_reactions energy residual contact".split(' ')
    {
        assert!(numbers.get(key).is_some(), "{key}: {numbers}");
    }
    assert!((numbers["multipliers"]["rod"].as_f64().unwrap() + 0.93925).abs() < 1e-12);
}

#[test]
fn the_rolling_disc_of_sympy_s_documentation() {
    let state = "lean = 0.3, yaw' = 0.7, lean' = -0.4, spin' = 1.2";
    for form in ["kane", "jourdain", "dalembert", "fundamental", "appell", "gauss", "multipliers", "maggi"] {
        let found = json(&["evaluate", "gallery:rolling-disc", "--form", form, "--at", state]);
        for (name, value) in [("yaw''", 1.004_881_537_48), ("lean''", 5.739_801_750_78), ("spin''", 0.148_860_895_3)] {
            let found = found["accelerations"][name].as_f64().unwrap();
            assert!((found - value).abs() < 1e-10, "{form}: {name} = {found}");
        }
    }
}

#[test]
fn a_unilateral_constraint_lets_go() {
    let leaves = json(&["evaluate", "gallery:parabola", "--at", "x = 0.25, y = 0.5, x' = -10, y' = -10"]);
    assert_eq!(leaves["contact"]["curve"], "leaves");
    assert!((leaves["accelerations"]["y''"].as_f64().unwrap() + 9.81).abs() < 1e-12);
    assert_eq!(json(&["evaluate", "gallery:parabola"])["contact"]["curve"], "closed");
    assert_eq!(json(&["evaluate", "gallery:parabola", "--at", "x = 5, y = 3"])["contact"]["curve"], "open");
}

#[test]
fn contacts_are_looked_at_where_the_numbers_are_asked_for() {
    let floor = "coord x, y\npoint P = (x, y) mass 2\ngravity (0, -9)\nconstraint w: y >= 0\n";
    let (floor, up) = (File::model(floor), File::model(&floor.replace("-9", "9")));
    says(&["evaluate", floor.path(), "--at", "y = -1"], 2, &["no such state", "`w` is violated there: its gap is -1"]);
    says(&["evaluate", floor.path(), "--at", "y' = -1"], 2, &["no such state", "its gap shrinks at the rate 1"]);
    says(&["derive", floor.path()], 0, &["`w` is one-sided: these equations hold while closed"]);
    says(&["derive", up.path()], 0, &["`w` leaves at the start"]);
    // a form is asked about the system as it is after the release
    says(&["evaluate", up.path(), "--form", "lagrange-2"], 0, &["y''  9", "leaves"]);
    says(&["evaluate", up.path(), "--form", "maggi"], 3, &["`w` leaves at this state", "no constraint"]);
    let ratchet = "coord x\npoint P = (x, 0) mass 1\nforce (-1, 0) on P\nconstraint a: x' >= 0\n";
    let ratchet = json(&["evaluate", File::model(ratchet).path()]);
    assert_eq!((ratchet["contact"]["a"].as_str(), ratchet["multipliers"]["a"].as_f64()), (Some("closed"), Some(1.0)));
    let plane = "coord x, y\npoint P = (x, y) mass 1\ngravity (0, -9)\nconstraint floor: y >= 0\n";
    let both = File::model(&format!("{plane}constraint rail: y = 0\n"));
    // who of them carries the weight is not determined
    let both = json(&["evaluate", both.path()]);
    assert!(both["multipliers"]["rail"].is_null() && both["multipliers"]["floor"].is_null(), "{both}");
    assert_eq!(both["shared_loads"][0]["generalized_reactions"]["y"], 9.0);
    let lift = File::model(&format!("{plane}constraint lift: y = t^2\n"));
    assert_eq!(json(&["evaluate", lift.path()])["contact"]["floor"], "leaves");
}

#[test]
fn every_row_that_acts_is_satisfied_or_the_state_refused() {
    let implied = "coord x, y\npoint P = (x, y) mass 1\nconstraint a: x'' = y\nconstraint b: x' = 2*t\n";
    let implied = File::model(implied);
    says(&["evaluate", implied.path(), "--at", "y = 1"], 2, &["no such state", "`a`", "misses by 1"]);
    says(&["evaluate", implied.path(), "--at", "y = 2"], 0, &["x''  2", "imply 2 - y = 0"]);
    let held = "coord x\npoint P = (x, 0) mass 2\nforce (10, 0) on P\nconstraint v: x = 0 until t >= 1\n";
    let held = File::model(held);
    says(&["evaluate", held.path(), "--at", "t = 2"], 0, &["x''  5", "  t   2"]);
    says(&["evaluate", held.path(), "--set", "t=2"], 0, &["x''  5"]);
    says(&["evaluate", held.path()], 0, &["x''  0", "v  -10"]);
    says(&["derive", held.path()], 0, &["`v` is switched off when t >= 1"]);
    let late = File::model("coord x\npoint P = (x, 0) mass 1\nconstraint a: x = 0 from x >= 1\n");
    says(&["evaluate", late.path(), "--at", "x = 2"], 2, &["no such state", "`a` does not hold there: it misses by 2"]);
}

#[test]
fn inverse_lines_may_hold_on_the_constraints_only() {
    let knife = "coord x, y, phi\npoint P = (x, y) mass 1\nkinetic phi'^2\nspeed v = x'*cos(phi) + y'*sin(phi)\n\
                 speed w = phi'\nconstraint knife: y'*cos(phi) = x'*sin(phi)\ninverse x' = v*cos(phi)\n\
                 inverse y' = v*sin(phi)\nforce (1, 2) on P\nstart v = 1, w = 2, phi = 0.3\n";
    let cone = "coord x, y, z\npoint P = (x, y, z) mass 1\nforce (1, 2, 3) on P\n\
                constraint cone: z' = sqrt(x'^2 + y'^2)\nspeed v = sqrt(x'^2 + y'^2)\nspeed th = atan2(y', x')\n\
                inverse x' = v*cos(th)\ninverse y' = v*sin(th)\ninverse z' = v\nassume v > 0\nstart x' = 1, y' = 1\n";
    let cases = [(knife, ["maggi", "boltzmann-hamel", "hamel"]), (cone, ["kane", "maggi", "boltzmann-hamel"])];
    for (text, forms) in cases {
        let model = File::model(text);
        let numbers = |form: &str| json(&["evaluate", model.path(), "--form", form]);
        let right = numbers("multipliers");
        for form in forms {
            let found = numbers(form);
            for part in ["accelerations", "multipliers"] {
                for (name, value) in right[part].as_object().unwrap() {
                    let found = found[part][name].as_f64().unwrap_or(f64::NAN);
                    assert!((found - value.as_f64().unwrap()).abs() < 1e-12, "{form}: {name} = {found}, not {value}");
                }
            }
        }
        let wrong = File::model(&text.replace("inverse y' = v", "inverse y' = 2*v"));
        says(&["derive", wrong.path()], 0, &["the speeds of the model are not used: the `inverse` lines do not"]);
        says(&["check", wrong.path()], 1, &["inverse"]);
    }
}

#[test]
fn names_of_our_own_are_not_printed() {
    for model in ["gallery:sled", "gallery:velocity-cone", "gallery:chaplygin-sleigh", "gallery:rolling-disc"] {
        let printed = text(&anholon(&["derive", model, "--form", "all"]));
        let at: Vec<&str> = printed.lines().filter(|line| line.contains('@')).collect();
        assert!(at.is_empty(), "{model}: {at:?}");
    }
}

#[test]
fn derivatives_that_cannot_stand_in_a_load_are_named() {
    for (line, words) in [
        ("force (x''', 0) on P", "`x'''` stands in a force"),
        ("force (x''^2, 0) on P", "`x''` stands in a force, not linearly"),
    ] {
        let model = File::model(&format!("coord x\npoint P = (x, 0) mass 1\n{line}\n"));
        for verb in ["derive", "evaluate", "check"] {
            says(&[verb, model.path()], 2, &[words]);
        }
    }
    let model = File::model("coord x\npoint P = (x, 0) mass 1\nforce (1 - x'', 0) on P\n");
    says(&["evaluate", model.path()], 0, &["x''  0.5"]);
}

#[test]
fn a_long_form_is_written_in_bounded_time() {
    // the work is counted in steps, so that the page is the same on every machine
    let chain = "param n = 40, l = 0.1 m, m = 1 kg\ncoord a[1..n] : rad\npoint P[0] = 0\n\
                 point P[i] = P[i-1] + l*(sin(a[i]), -cos(a[i])) mass m for i in 1..n\nstart a[i] = 0.1 rad*i for i in 1..n\n";
    let chain = File::model(chain);
    says(&["derive", chain.path(), "--form", "kane"], 0, &["too long to be simplified"]);
    let derived = json(&["derive", "gallery:gyroframe"]);
    assert!(!derived["notes"].to_string().contains("too long"), "{}", derived["notes"]);
}

#[test]
fn bad_input_is_named_as_such() {
    let cases = [
        ("param m = 0 kg\ncoord x : m\npoint P = (x, 0) mass m\n", "the mass of `P` is 0 kg"),
        (
            "coord a, b, c : rad\nframe R = N rotated z by a, x by b, z by c\nparam J = 1 kg*m^2\n\
             body D mass 1 kg at (0, 0, 0) frame R inertia (J, J, 3*J)\nstart b = 1 rad\n",
            "violates the triangle inequality",
        ),
        (
            "coord a, b : rad\nframe R = N rotated z by a, x by b\nparam J = 1 kg*m^2\n\
             body D mass 1 kg at (0, 0, 0) frame R inertia J\n",
            "one moment of inertia",
        ),
        ("coord x : m\npoint P = (x, 0) mass 1 kg\nconstraint a: x = 1 m\nconstraint b: x = 2 m\n", "is in conflict"),
    ];
    for (text, word) in cases {
        let model = File::model(text);
        says(&["derive", model.path()], 2, &[word, ".mech:"]);
    }
    let chart = "coord x, y : m\npoint P = (x, y) mass 1 kg\nspeed u = x' + y'\nspeed v = 2*x' + 2*y'\n";
    let model = File::model(chart);
    says(&["derive", model.path(), "--form", "kane"], 3, &["does not apply", "combination of the others"]);
    says(&["derive", model.path()], 0, &["the speeds of the model are not used", "combination of the others"]);
    let idle = File::model("coord x, y : m\npoint P = (x, 0) mass 1 kg\n");
    says(&["evaluate", idle.path()], 3, &["`y` moves no mass"]);
    let open = File::model("param m : kg\ncoord x : m\npoint P = (x, 0) mass m\n");
    says(&["evaluate", open.path()], 2, &["`m` has no value", "--set m="]);
    says(&["derive", open.path()], 0, &["m*x'' = 0"]);
}

#[test]
fn a_top_by_euler_angles_and_by_a_quaternion_accelerates_alike() {
    let common = "param m = 2 kg, l = 0.3 m, g = 9.81 m/s^2, A = 0.2 kg*m^2, C = 0.05 kg*m^2\n";
    let rest = "point G = l*R.z\nbody top mass m at G frame R inertia (A, A, C)\ngravity (0, 0, -g)\n\
                observe place = R*(0.1 m, 0.2 m, 0.3 m)\nobserve a = acceleration(R*(0.1 m, 0.2 m, 0.3 m))\n";
    let euler = format!(
        "{common}coord psi, theta, phi : rad\nframe R = N rotated z by psi, x by theta, z by phi\n{rest}\
         start psi = 0.4, theta = 0.7, phi = 0.2, psi' = 1 rad/s, theta' = -0.5 rad/s, phi' = 20 rad/s\n"
    );
    let quaternion = format!(
        "{common}coord a0, a1, a2, a3\nframe R = N quaternion (a0, a1, a2, a3)\n{rest}\
         start a0 = cos(0.35)*cos(0.3), a1 = sin(0.35)*cos(0.1), a2 = sin(0.35)*sin(0.1), a3 = cos(0.35)*sin(0.3)\n\
         start omega(top) = (-0.5*cos(0.4) + 20*sin(0.7)*sin(0.4), -0.5*sin(0.4) - 20*sin(0.7)*cos(0.4), 1 + 20*cos(0.7))*(1 rad/s)\n"
    );
    let (euler, quaternion) = (File::model(&euler), File::model(&quaternion));
    for form in ["multipliers", "kane", "appell"] {
        let [a, b] =
            [&euler, &quaternion].map(|model| json(&["evaluate", model.path(), "--form", form])["observes"].clone());
        for (name, k) in ["place", "a"].into_iter().flat_map(|name| [0, 1, 2].map(|k| (name, k))) {
            let [x, y] = [&a, &b].map(|value| value[name][k].as_f64().unwrap());
            assert!((x - y).abs() < 1e-9 * (1.0 + x.abs()), "{form}: {name}[{k}] {x} {y}");
        }
    }
}

#[test]
fn the_branch_of_a_root_is_chosen_where_all_rows_hold() {
    // choose it with the value of the other row at random, and forms in a chart fail or go another way
    let text = "coord x, y : m\npoint P = (x, y) mass 1 kg\nforce (1 N, 0) on P\nconstraint a: x' = y'\n\
                constraint b: x'^2 + y'^2 = 0.18 m^2/s^2\nstart x = 0\nguess x' = 0.3 m/s, y' = 0.3 m/s\n";
    let model = File::model(text);
    for form in ["kane", "boltzmann-hamel", "multipliers"] {
        let found = json(&["evaluate", model.path(), "--form", form]);
        assert!(found["accelerations"]["x''"].as_f64().is_some_and(|a| a.abs() < 1e-12), "{form}: {found}");
    }
}
