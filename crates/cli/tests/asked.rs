//! Is what was asked for answered, where it stands behind the motion? Rates of multipliers, third derivatives, what switches in
//! time, and loads that are called by their names.

mod common;

use common::{File, json, says};

/// A weight on a rod, in x and y.
const ROD: &str = "param m = 1.5 kg, l = 0.8 m, g = 9.81 m/s^2\ncoord x, y : m\npoint P = (x, y) mass m\ngravity (0, -g)\n\
    constraint rod: x^2 + y^2 = l^2\nstart x = 0.48 m, x' = 0.3 m/s\nguess y = -0.64 m\n";
/// What the multiplier of the rod changes by.
const RATE: &str = "3*m*g*y'/(2*l^2)";
/// A weight in a tube that turns, with a drag that follows the pressure.
const TUBE: &str = "param m = 1 kg, mu = 0.3, w = 2 rad/s\ncoord s, z : m\nframe B = N rotated z by w*t\n\
    point P = s*B.x + z*B.y mass m\nconstraint tube: z = 0\nforce -mu*multiplier(tube)*B.x on P\nstart s = 1 m, s' = 0.3 m/s\n";
/// A block that slides on a rough floor and is pulled.
const BLOCK: &str = "param m = 1 kg, mu = 0.3, g = 9.81 m/s^2, F = 2 N\ncoord x, y : m\npoint P = (x, y) mass m\ngravity (0, -g)\n\
    force (F, 0) on P\ncontact floor: P slides on plane(N.y, 0) unilateral\nfriction mu on floor\nstart x' = 1 m/s\n";

fn audited(model: &str, claim: &str) -> serde_json::Value {
    let model = File::model(model);
    json(&["audit", model.path(), "--claim", claim])
}

fn verdict(model: &str, claim: &str) -> String {
    audited(model, claim)["verdict"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn the_rate_of_a_multiplier_follows_from_the_motion() {
    let right = [
        format!("multiplier(rod)' = {RATE}"),
        "multiplier(rod)'' = 3*m*g*y''/(2*l^2)".to_owned(),
        "constant multiplier(rod)*l^2 - 3*m*g*y/2".to_owned(),
        format!("reaction(rod).y' = 2*y'*multiplier(rod) + 2*y*{RATE}"),
        "m*x''' = 2*x'*multiplier(rod) + 2*x*multiplier(rod)'".to_owned(),
    ];
    for claim in right {
        assert_eq!(verdict(ROD, &claim), "correct", "{claim}");
    }
    for claim in [
        "multiplier(rod)' = m*g*y'/(2*l^2)",
        "constant multiplier(rod)*l^2 - m*g*y/2",
        "m*x''' = 2*x'*multiplier(rod)",
        "m*x''' = 2*x'*multiplier(rod) - 2*x*multiplier(rod)'",
    ] {
        assert_eq!(verdict(ROD, claim), "wrong", "{claim}");
    }
    // where a load follows it, too
    assert_eq!(verdict(TUBE, "multiplier(tube)' = 2*m*w*s''"), "correct");
    assert_eq!(verdict(TUBE, "multiplier(tube)' = 2*m*w*(w^2*s - 2*mu*w*s')"), "correct");
    assert_eq!(verdict(TUBE, "multiplier(tube)' = 2*m*w*w^2*s"), "wrong");
    // what rods carry against each other has no rate that is determined
    let doubled = ROD.replace("start", "constraint again: 2*x^2 + 2*y^2 = 2*l^2\nstart");
    assert_ne!(verdict(&doubled, &format!("multiplier(again)' = {RATE}")), "wrong");
    assert_ne!(verdict(&doubled, &format!("multiplier(again)' = {RATE}")), "correct");
}

#[test]
fn facts_behind_the_accelerations_are_judged_by_the_motion() {
    // m y''' = 2 y' λ + 2 y λ'
    let facts = format!(
        "expect rate:  multiplier(rod)' = {RATE} at start\nexpect third: y''' = -8.8779 m/s^3 at start within 1e-3\n\
         expect there: multiplier(rod)' = {RATE} at x = 0.1 m, x' = 1 m/s\n"
    );
    let model = File::model(&format!("{ROD}{facts}"));
    says(&["check", model.path()], 0, &["3 verified", "0 missed"]);
    let wrong = File::model(&format!("{ROD}expect third: y''' = 1.2876 m/s^3 at start within 1e-3\n"));
    says(&["check", wrong.path()], 1, &["left is -8.87"]);
    // a load that nobody knows has no rate
    let pushed = ROD.replace("start x", "input F : N\nforce (F, 0) on P\nstart x");
    let model = File::model(&format!("{pushed}expect third: x''' = 0 at start\n"));
    let checked = json(&["check", model.path()]);
    assert_eq!(checked["expects"][0]["holds"], serde_json::Value::Null, "{checked}");
}

#[test]
fn mistakes_are_not_guessed_from_rates_of_equations() {
    let answer = audited(ROD, "multiplier(rod)'' = 5*m*g*y''/(2*l^2)");
    assert_eq!(answer["verdict"], "wrong");
    let said = answer["claims"][0]["explanation"].as_str().unwrap();
    assert!(!said.contains("ikely") && !said.contains("exactly"), "{said}");
}

#[test]
fn what_switches_in_time_or_jumps_has_no_energy_integral() {
    let pushed = |force: &str| {
        let model = format!(
            "param m = 1 kg, k = 4 N/m\ncoord x : m\npoint P = (x, 0) mass m\nforce ({force}, 0) on P\nstart x = 1 m\n"
        );
        let file = File::model(&model);
        let answer = json(&["solve", file.path()]);
        (answer["solutions"].as_array().map_or(0, Vec::len), answer["reason"].as_str().unwrap_or_default().to_owned())
    };
    for force in ["if(t < 1 s, 1 N, 0 N)", "(1 N)*sign(1 s - t)", "max(1 N, (1 N)*t/(1 s))"] {
        let (found, reason) = pushed(force);
        assert_eq!(found, 0, "{force}");
        assert!(reason.contains("change with time"), "{force}: {reason}");
    }
    // its antiderivative jumps
    assert_eq!(pushed("if(x < 1.2 m, 1 N, 0 N)").0, 0);
    // a kink does not
    assert_eq!(pushed("-k*abs(x)").0, 1);
}

#[test]
fn friction_is_not_called_the_force_on_the_block() {
    let said = |claim: &str| audited(BLOCK, claim)["claims"][0]["explanation"].as_str().unwrap_or_default().to_owned();
    let forgotten = said("m*x'' = F");
    assert!(forgotten.contains("forgot the friction of `floor`"), "{forgotten}");
    let turned = said("m*x'' = F + mu*m*g");
    assert!(turned.contains("gave the friction of `floor` the wrong sign"), "{turned}");
    // of two forces on one point it is told which
    let two = "param m = 1 kg, F = 2 N, G = 3 N\ncoord x, y : m\npoint P = (x, y) mass m\nforce (F, 0) on P\nforce (G, G) on P\n";
    let file = File::model(two);
    says(
        &["audit", file.path(), "--claim", "m*x'' = F", "--claim", "m*y'' = 0"],
        1,
        &["forgot the force on `P` (number 2 of 2)"],
    );
}

/// A particle whose accelerations are held together, with pseudo-accelerations of its own.
const HELD: &str = "param m = 2 kg, g = 9.81 m/s^2, c = 0.3 m/s^2\ncoord x, y, z : m\npoint P = (x, y, z) mass m\ngravity (0, 0, -g)\n\
    constraint program: x'' + z'' = c\nspeed a = y'' - x''\nspeed b = z'' - x''*cos(t/(1 s))\nstart x' = 1 m/s, y' = 0.3 m/s\n";

#[test]
fn equations_are_written_in_pseudo_accelerations_of_ones_own() {
    // q'' = (p, a + p, b + p cos t) with p = (c − b)/(1 + cos t), so that ∂q''/∂a = (0, 1, 0) and Maggi's first equation is m y'' = 0
    let file = File::model(HELD);
    let derived = says(&["derive", file.path(), "--form", "maggi"], 0, &["a = y'' - x''", "lambda_program = "]);
    assert!(derived.contains("  a - b/(cos(t) + 1) + c/(cos(t) + 1) = 0"), "{derived}");
    let plain = File::model(&HELD.lines().filter(|line| !line.starts_with("speed")).collect::<Vec<_>>().join("\n"));
    let numbers = |path: &str, form: &str| {
        json(&["evaluate", path, "--form", form, "--at", "t = 0.4, z' = 0.2"])["accelerations"].clone()
    };
    let known = numbers(plain.path(), "multipliers");
    // x'' − z'' = g without the row's push along (1, 0, 1): x'' = (c + g)/2
    assert!(
        (known["x''"].as_f64().unwrap() - 5.055).abs() < 1e-12 && known["y''"].as_f64().unwrap().abs() < 1e-12,
        "{known}"
    );
    for form in ["maggi", "kane", "fundamental", "appell", "tzenoff", "maggi-closed", "maggi-squares", "multipliers"] {
        let found = numbers(file.path(), form);
        for name in ["x''", "y''", "z''"] {
            assert!((found[name].as_f64().unwrap() - known[name].as_f64().unwrap()).abs() < 1e-12, "{form}: {found}");
        }
    }
    let proved = json(&["prove", file.path()]);
    assert_eq!(proved["verdict"], "equivalent", "{proved}");
    let certificate = File::new("pseudo.json");
    says(&["prove", file.path(), "--certificate", certificate.path()], 0, &["all "]);
    says(&["verify", certificate.path(), file.path()], 0, &["accepted"]);
    let end = |path: &str| json(&["simulate", path, "--for", "1", "--form", "maggi"])["final"]["z"].as_f64().unwrap();
    assert!((end(file.path()) - end(plain.path())).abs() < 1e-9 && end(file.path()) < -1.0);
}

#[test]
fn pseudo_accelerations_are_for_forms_of_second_order() {
    let file = File::model(HELD);
    says(&["derive", file.path(), "--form", "chaplygin-25"], 3, &["does not apply", "pseudo-acceleration `a`"]);
    // with constraints on rates alone they are as good
    let track = "param m = 1 kg, k = 2 N/m\ncoord x, y : m\npoint P = (x, y) mass m\npotential k*x^2/2\n\
        constraint track: y' = x'*x/(1 m)\nspeed s = x''*x/(1 m) + y''\nstart x = 1 m, x' = 0.5 m/s, y = 0.1 m\n";
    let file = File::model(track);
    assert_eq!(json(&["prove", file.path()])["verdict"], "equivalent");
    // one that the constraints fix is no freedom
    let fixed = File::model(&HELD.replace("speed a = y'' - x''", "speed a = 2*x'' + 2*z''"));
    says(&["derive", fixed.path(), "--form", "maggi"], 3, &["does not apply", "the constraints fix `a`"]);
    // nor one that is not linear
    let curved = File::model(&HELD.replace("speed a = y'' - x''", "speed a = y''^2/(1 m/s^2)"));
    says(&["derive", curved.path(), "--form", "maggi"], 3, &["does not apply", "cannot be solved for accelerations"]);
    // it is no velocity: it stands in no energy, and starts nothing
    let used = File::model(&HELD.replace("start", "kinetic m*a^2*(1 s^2)/2\nstart"));
    says(&["check", used.path()], 2, &["cannot depend on accelerations"]);
    let started = File::model(&HELD.replace("start x'", "start a = 1 m/s^2, x'"));
    says(&["check", started.path()], 2, &["the first state has coordinates and rates, no accelerations"]);
    let named = File::model(&HELD.replace("start x'", "let hidden = 2*y''\nstart hidden = 1 m/s^2, x'"));
    says(&["check", named.path()], 2, &["the first state has coordinates and rates, no accelerations"]);
}

/// A particle whose acceleration in the plane has a given size.
const CIRCLE: &str = "param m = 2 kg, g = 9.81 m/s^2, w = 4 m/s^2, F = 3 N, b = 0.5 N*s/m\ncoord x, y, z : m\npoint P = (x, y, z) mass m\n\
    gravity (0, 0, -g)\nforce (F - b*x', -b*y', 0) on P\nconstraint hard: x''^2 + y''^2 = w^2\nstart x' = 1 m/s, y' = 0.3 m/s\n";

#[test]
fn constraints_that_are_not_linear_in_the_accelerations_are_treated() {
    // m x'' = F − b x' + 2λx'', m y'' = −b y' + 2λy'': the acceleration lies along the force, to the side that is guessed
    let (fx, fy) = (3.0 - 0.5, -0.5 * 0.3_f64);
    let size = 4.0 / f64::hypot(fx, fy);
    for (guess, side) in [("3 m/s^2", 1.0), ("-3 m/s^2", -1.0)] {
        let file = File::model(&format!("{CIRCLE}guess x'' = {guess}\n"));
        for form in [
            "multipliers",
            "gauss",
            "lagrange-1",
            "newton-euler",
            "jourdain",
            "dalembert",
            "maggi",
            "appell",
            "tzenoff",
            "kane",
            "fundamental",
            "positions",
        ] {
            let found = json(&["evaluate", file.path(), "--form", form]);
            let near = |name: &str, value: f64| (found["accelerations"][name].as_f64().unwrap() - value).abs() < 1e-9;
            assert!(
                near("x''", side * size * fx) && near("y''", side * size * fy) && near("z''", -9.81),
                "{form}: {found}"
            );
            // λ = (m − |force|/w)/2 where both point to one side
            let lambda = found["multipliers"]["hard"].as_f64().unwrap();
            assert!((lambda - (2.0 - side / size) / 2.0).abs() < 1e-9, "{form}: {lambda}");
        }
        for form in ["udwadia-kalaba", "contravariant", "maggi-closed", "maggi-squares"] {
            says(&["derive", file.path(), "--form", form], 3, &["`hard` is not linear in the accelerations"]);
        }
        for verb in ["prove", "linearize", "integrals", "solve", "equilibria"] {
            says(&[verb, file.path()], 2, &["`hard` is not linear in the accelerations"]);
        }
    }
}

#[test]
fn the_root_of_a_constraint_on_accelerations_is_chosen_or_said_to_be_missing() {
    let chosen = File::model(&format!("{CIRCLE}guess x'' = 3 m/s^2\n"));
    says(&["check", chosen.path()], 0, &["nonlinear second order", "rank                1"]);
    says(&["derive", chosen.path(), "--form", "maggi"], 0, &["x'' = sqrt(w^2 - y''^2)"]);
    says(&["derive", chosen.path(), "--explicit"], 0, &["not solved in letters"]);
    // what is stationary or least for linear rows is not said of these
    let steps = says(&["derive", chosen.path(), "--form", "gauss", "--steps"], 0, &["does not tell the minimum"]);
    assert!(!steps.contains("its only minimum"), "{steps}");
    let steps = says(&["derive", chosen.path(), "--form", "tzenoff", "--steps"], 0, &["∂R₁/∂w_σ"]);
    assert!(!steps.contains("K = R₁"), "{steps}");
    let open = File::model(CIRCLE);
    says(&["check", open.path()], 0, &["two roots", "guess y'' = …"]);
    says(&["derive", open.path(), "--form", "maggi"], 3, &["two roots", "guess"]);
    says(&["evaluate", open.path()], 3, &["say which of its roots is meant"]);
    says(&["simulate", open.path(), "--for", "1"], 3, &["say which of its roots is meant"]);
    // a guess where nothing asks for it
    let plain = CIRCLE.replace("x''^2 + y''^2 = w^2", "x'' + y'' = w");
    let file = File::model(&format!("{plain}guess x'' = 3 m/s^2\n"));
    says(&["check", file.path()], 0, &["`guess x'' = 3 m/s^2` is of no use"]);
}

#[test]
fn a_root_on_the_other_side_of_what_was_guessed_is_not_taken() {
    // x''p'' = 1 has a root with both positive and one with both negative; Maggi's equation in x'' leads from 1 to the other side
    let body = "param m = 2 kg, J = 0.3 kg*m^2, k = 3 N*m\ncoord x, y : m\ncoord p : rad\nframe B = N rotated z by p\n\
        body D mass m at (x, y) frame B inertia J\ntorque k*N.z on D\nforce 2 N*B.x on D\n\
        constraint knife: y'*cos(p) = x'*sin(p)\nconstraint hard: x''*p'' = 1 m/s^4\nstart x' = 1 m/s, p' = 0.5 rad/s\n\
        guess x'' = 1 m/s^2, p'' = 1 rad/s^2\n";
    let file = File::model(body);
    let found = json(&["evaluate", file.path(), "--form", "multipliers"]);
    let positive = |name: &str| found["accelerations"][name].as_f64().unwrap() > 0.0;
    assert!(positive("x''") && positive("p''"), "{found}");
    says(&["evaluate", file.path(), "--form", "maggi"], 3, &["does not lead to a root near"]);
    let moved = json(&["simulate", file.path(), "--for", "1", "--form", "maggi"]);
    assert!(
        moved["final"]["t"] == 0.0 && moved["failure"].as_str().is_some_and(|why| why.contains("guess")),
        "{moved}"
    );
    // from the other side it is found
    let other = File::model(&body.replace("guess x'' = 1 m/s^2, p'' = 1", "guess x'' = -1 m/s^2, p'' = -1"));
    let moved = json(&["simulate", other.path(), "--for", "1", "--form", "maggi"]);
    assert!(moved["final"]["t"] == 1.0 && moved["final"]["p''"].as_f64().unwrap() < -1.0, "{moved}");
}

#[test]
fn the_root_is_followed_along_a_motion() {
    // without drag the acceleration is w along the force; with z: x = x' t + w t²/2
    let straight = CIRCLE.replace("b = 0.5 N*s/m", "b = 0 N*s/m");
    let file = File::model(&format!("{straight}guess x'' = 3 m/s^2\n"));
    let end = json(&["simulate", file.path(), "--for", "2"])["final"].clone();
    for (name, value) in [("x", 2.0 + 8.0), ("y", 0.6), ("z", -9.81 * 2.0)] {
        assert!((end[name].as_f64().unwrap() - value).abs() < 1e-9, "{name}: {end}");
    }
    // the force turns as the velocity does, and a guess by the state turns with it: |a| = w all along
    let turning = "param m = 1 kg, w = 2 m/s^2, F = 1 N\ncoord x, y : m\npoint P = (x, y) mass m\n\
        force F*(cos(t/(1 s)), sin(t/(1 s))) on P\nconstraint hard: x''^2 + y''^2 = w^2\nstart x' = 1 m/s\n\
        guess x'' = w*cos(t/(1 s)), y'' = w*sin(t/(1 s))\n";
    let file = File::model(turning);
    let end = json(&["simulate", file.path(), "--for", "6"])["final"].clone();
    // x'' = w cos t, y'' = w sin t
    let known = [("x", 6.0 + 2.0 * (1.0 - 6.0_f64.cos())), ("y", 2.0 * (6.0 - 6.0_f64.sin()))];
    for (name, value) in known {
        assert!((end[name].as_f64().unwrap() - value).abs() < 1e-6, "{name}: {value} {end}");
    }
    // one that stands still is left behind: the motion ends there, and jumps to no other root
    let behind = File::model(&turning.replace("guess x'' = w*cos(t/(1 s)), y'' = w*sin(t/(1 s))", "guess x'' = w"));
    let found = json(&["simulate", behind.path(), "--for", "6"]);
    let (t, failure) = (found["final"]["t"].as_f64().unwrap(), found["failure"].as_str().unwrap());
    assert!(t > 0.1 && t < 1.5 && failure.contains("guess x'' = w"), "{t}: {failure}");
    let x = found["final"]["x"].as_f64().unwrap();
    assert!((x - (t + 2.0 * (1.0 - t.cos()))).abs() < 1e-6, "{found}");
}
