//! Is a verdict about what was asked? Friction and modes in `prove --same-as` and `audit`, jumps, claims that change the model,
//! assumed equalities, numbers of parameters and inputs, and mistakes that are told as exact.

mod common;

use common::{File, json, says};

/// A block that slides on a rough floor.
const BLOCK: &str = "param m = 1 kg, mu = 0.3, g = 9.81 m/s^2\ncoord x, y : m\npoint P = (x, y) mass m\ngravity (0, -g)\n\
    contact floor: P slides on plane(N.y, 0) unilateral\nfriction mu on floor\nstart x' = 1 m/s\n";
/// A fall, and the same above a wall.
const FALL: &str =
    "param m = 2 kg, g = 9.81 m/s^2\ncoord x : m\npoint P = (x, 0) mass m\ngravity (g, 0)\nstart x = 1 m\n";
const WALL: &str = "param m = 2 kg, g = 9.81 m/s^2\ncoord u : m\npoint P = (u, 0) mass m\ngravity (g, 0)\n\
    constraint wall: u <= 5 m\nstart u = 1 m\n";

/// The answer about two models, with these coordinates.
fn same(first: &str, second: &str, by: &str) -> serde_json::Value {
    let (first, second) = (File::model(first), File::model(second));
    json(&["prove", first.path(), "--same-as", second.path(), "--where", by])
}

/// The verdict on claims about a model, all together, with its assumptions.
fn audited(model: &str, claims: &[&str]) -> (String, String, serde_json::Value) {
    let model = File::model(model);
    let mut arguments = vec!["audit", model.path()];
    claims.iter().for_each(|claim| arguments.extend(["--claim", claim]));
    let answer = json(&arguments);
    let text = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
    (text("verdict"), answer["assumptions"].to_string(), answer)
}

#[test]
fn friction_takes_part_where_two_models_are_compared() {
    let guide = BLOCK.replace("contact floor: P slides on plane(N.y, 0) unilateral", "constraint floor: y = 0");
    for model in [BLOCK, &guide] {
        let found = same(model, model, "x = x, y = y");
        assert_eq!(found["verdict"], "equivalent", "{found}");
        assert!(found["assumptions"].to_string().contains("`floor` slides"), "{found}");
        let rougher = model.replace("friction mu on", "friction 2*mu on");
        let found = same(model, &rougher, "x = x, y = y");
        assert_eq!(found["verdict"], "different", "{found}");
        // the other way round it is the same law, but that was not compared
        let back = model.replace("x' = 1", "x' = -1");
        let found = same(model, &back, "x = x, y = y");
        assert_eq!(found["verdict"], "unknown", "{found}");
        let mirrored = same(model, &back, "x = -x, y = y");
        assert_eq!(mirrored["verdict"], "equivalent", "{mirrored}");
    }
    // at rest it sticks, which is the other mode of one system
    let resting = BLOCK.replace("start x' = 1 m/s", "start x = 0");
    assert_eq!(same(&resting, BLOCK, "x = x, y = y")["verdict"], "unknown");
    assert_eq!(same(&resting, &resting, "x = x, y = y")["verdict"], "equivalent");
    let smooth = BLOCK.replace("friction mu on floor\n", "");
    let found = same(BLOCK, &smooth, "x = x, y = y");
    assert_eq!(found["verdict"], "different", "{found}");
}

#[test]
fn a_wall_of_one_model_must_be_in_the_other() {
    let found = same(FALL, WALL, "x = u");
    assert_eq!(found["verdict"], "unknown", "{found}");
    assert!(found["reason"].as_str().unwrap().contains("`wall`"), "{found}");
    let later = WALL.replace("wall: u <= 5 m", "wall: u = 3 m from t >= 5 s");
    assert_eq!(same(FALL, &later, "x = u")["verdict"], "unknown");
    // one that corresponds is told as the mode that was compared
    let walled = FALL.replace("start", "constraint stop: 5 m >= x\nstart");
    let found = same(&walled, WALL, "x = u");
    assert_eq!(found["verdict"], "equivalent", "{found}");
    assert!(found["assumptions"].to_string().contains("`wall` is open"), "{found}");
    let elsewhere = walled.replace("5 m", "6 m");
    assert_eq!(same(&elsewhere, WALL, "x = u")["verdict"], "unknown");
    let other_side = walled.replace("5 m >= x", "x >= -5 m");
    assert_eq!(same(&other_side, WALL, "x = u")["verdict"], "unknown");
    // at the wall one of them stands still
    let closed = walled.replace("start x = 1 m", "start x = 5 m");
    assert_eq!(same(&closed, WALL, "x = u")["verdict"], "unknown");
    let bouncing = walled.replace("start", "restitution 0.5 on stop\nstart");
    assert_eq!(same(&bouncing, WALL, "x = u")["verdict"], "unknown");
    assert_eq!(same(&later, &later, "u = u")["verdict"], "equivalent");
}

#[test]
fn a_verdict_names_the_mode_that_it_is_about() {
    let (verdict, assumed, _) = audited(WALL, &["constant energy()", "u'' = g"]);
    assert!(verdict == "correct" && assumed.contains("`wall` is open"), "{verdict} {assumed}");
    let dome = "param m = 1 kg, g = 9.81 m/s^2, R = 1 m\ncoord x, y : m\npoint P = (x, y) mass m\ngravity (0, -g)\n\
        constraint dome: x^2 + y^2 >= R^2\nstart x = 0.1 m, x' = 0.5 m/s, x^2 + y^2 = R^2, x*x' + y*y' = 0\nguess y = 1 m\n";
    let (verdict, assumed, _) = audited(dome, &["x^2 + y^2 = R^2"]);
    assert!(verdict == "correct" && assumed.contains("`dome` is closed"), "{verdict} {assumed}");
    let stuck = BLOCK.replace("start x' = 1 m/s", "start x = 0");
    let (_, assumed, _) = audited(&stuck, &["x' = 0"]);
    assert!(assumed.contains("`floor` sticks") && assumed.contains("`floor` is closed"), "{assumed}");
    let later = WALL.replace("wall: u <= 5 m", "wall: u = 3 m from t >= 5 s");
    let (_, assumed, _) = audited(&later, &["u'' = g"]);
    assert!(assumed.contains("`wall` does not act yet (from t >= 5 s)"), "{assumed}");
    // the certificate says it too, and so does its replay
    let (model, file) = (File::model(WALL), File::new("certificate.json"));
    says(&["audit", model.path(), "--claim", "u'' = g", "--certificate", file.path()], 0, &["`wall` is open"]);
    assert!(file.text().contains("`wall` is open"), "{}", file.text());
    says(&["verify", file.path(), model.path()], 0, &["`wall` is open"]);
}

/// A particle that nothing acts on.
const FREE: &str = "param m = 1 kg, v = 2 m/s\ncoord x, y : m\npoint P = (x, y) mass m\n\
    start x = 1 m, y = 0, x' = -1 m/s, y' = 0.5 m/s\n";

#[test]
fn what_jumps_is_not_constant_because_its_slope_is_zero() {
    let claims = [
        "solution x = abs(v*t), y = 0",
        "solution x = if(t > 1 s, v*t, 0), y = 0",
        "constant sign(x)",
        "constant if(x > 0, 1, 2)",
        "constant x'*sign(y)",
        "constant x/abs(x)",
        "constant atan2(sin(x/(1 m)), cos(x/(1 m))) - x/(1 m)",
    ];
    for claim in claims {
        let (verdict, _, answer) = audited(FREE, &[claim]);
        assert_eq!(verdict, "unknown", "{claim}: {answer}");
        let reason = answer["claims"][0]["reason"].as_str().unwrap();
        assert!(
            reason.contains("jump") && ["sign(", "if(", "abs(", "atan2("].iter().any(|one| reason.contains(one)),
            "{claim}: {reason}"
        );
    }
    // what is continuous there has no jump, and what is no constant is wrong
    let kept = [
        "constant abs(x')",
        "constant max(x', y')",
        "constant (sign(x)*x)^2 - x^2",
        "constant if(x > 0, x, 0) + if(x > 0, 0, x) - x",
        "solution x = v*t + max(v, 0)*(1 s), y = 0",
    ];
    for claim in kept {
        let (_, _, answer) = audited(FREE, &[claim]);
        assert_eq!(answer["claims"][0]["verdict"], "correct", "{claim}: {answer}");
    }
    assert_eq!(audited(FREE, &["constant x*sign(y)"]).0, "wrong");
    let step = FREE.replace("start", "potential (1 J)*sign(x)\nstart");
    assert_eq!(audited(&step, &["constant energy()"]).0, "unknown");
    let (_, assumed, answer) = audited(&step, &["m*x'' = 0", "m*y'' = 0"]);
    assert!(assumed.contains("no motion crosses a jump of `sign(x)`"), "{answer}");
}

#[test]
fn claims_do_not_change_the_model() {
    let model = File::model(FREE);
    for line in ["force (1 N, 0) on P", "coord z : m", "param m = 2 kg", "start x = 3 m", "gravity (0, -9 m/s^2)"] {
        let claims = File::with("bad.claims", &format!("note \"one\"\n{line}\nclaim a: x'' = 0\nclaim b: y'' = 0\n"));
        let word = line.split(' ').next().unwrap();
        says(&["audit", model.path(), claims.path()], 2, &["bad.claims:2", word, "--with"]);
    }
    let claims = "note \"mine\"\nlet a = x''\nparam c : m/s^2\nassume c = 0\nfunction f(x) : N\n\
        claim a: a = c\nclaim b: y'' = 0\n";
    let claims = File::with("good.claims", claims);
    says(&["audit", model.path(), claims.path()], 0, &["correct"]);
    // a certificate does not either
    let claims = File::with("right.claims", "claim a: x'' = 0\nclaim b: y'' = 0\n");
    let file = File::new("certificate.json");
    says(&["audit", model.path(), claims.path(), "--certificate", file.path()], 0, &[]);
    says(&["verify", file.path(), model.path()], 0, &["accepted"]);
    let forged = file.text().replace("claim a:", "gravity (0, 0, -9 m/s^2)\\nclaim a:");
    let forged = File::with("forged.json", &forged);
    says(&["verify", forged.path(), model.path()], 2, &["gravity"]);
}

#[test]
fn assumed_equalities_are_used_and_listed() {
    let model = "param m, M : kg\nparam k, c : N/m\ncoord x : m\npoint P = (x, 0) mass m\npotential k*x^2/2\nassume m = M\n\
        assume k = 2*c\n";
    let (verdict, assumed, answer) = audited(model, &["M*x'' = -2*c*x"]);
    assert_eq!(verdict, "correct", "{answer}");
    assert!(assumed.contains('M') && assumed.contains('c'), "{assumed}");
    let (verdict, _, answer) = audited(model, &["M*x'' = -c*x"]);
    assert_eq!(verdict, "wrong", "{answer}");
    // the state that shows it satisfies them
    let with = &answer["claims"][0]["witness"]["parameters"];
    assert_eq!(with["m"], with["M"], "{answer}");
    assert_eq!(audited(model, &["solution x = (1 m)*cos(sqrt(2*c/M)*t)"]).0, "correct");
    let without = model.replace("assume m = M\n", "");
    assert_eq!(audited(&without, &["M*x'' = -2*c*x"]).0, "wrong");
    let (file, model) = (File::new("certificate.json"), File::model(model));
    says(&["audit", model.path(), "--claim", "M*x'' = -2*c*x", "--certificate", file.path()], 0, &[]);
    says(&["verify", file.path(), model.path()], 0, &["accepted", "m"]);
}

/// A double pendulum of equal parts with a spring between them.
const DOUBLE: &str = "param m = 2 kg, l = 0.5 m, g = 9.81 m/s^2, k = 3 N*m\ncoord a, b : rad\n\
    point P = l*(sin(a), -cos(a)) mass m\npoint Q = P + l*(sin(b), -cos(b)) mass m\ngravity (0, -g)\n\
    potential k*(a - b)^2/2\nstart a = 0.3 rad\n";

#[test]
fn two_mistakes_that_act_on_each_other_are_not_added() {
    // twice the mass of Q, and no centripetal acceleration of the one Q there is
    let added = [
        "3*m*l^2*a'' + 2*m*l^2*cos(a - b)*b'' + m*l^2*sin(a - b)*b'^2 + 3*m*g*l*sin(a) + k*(a - b) = 0",
        "2*m*l^2*b'' + 2*m*l^2*cos(a - b)*a'' - m*l^2*sin(a - b)*a'^2 + 2*m*g*l*sin(b) - k*(a - b) = 0",
    ];
    let (verdict, _, answer) = audited(DOUBLE, &added);
    assert_eq!(verdict, "wrong");
    let said = answer["claims"][0]["explanation"].as_str().unwrap();
    assert!(!said.contains("exactly"), "{said}");
    // those that do not are told as before
    let apart = [
        "2*m*l^2*a'' + m*l^2*cos(a - b)*b'' + m*l^2*sin(a - b)*b'^2 - 2*m*g*l*sin(a) + 2*k*(a - b) = 0",
        "m*l^2*b'' + m*l^2*cos(a - b)*a'' - m*l^2*sin(a - b)*a'^2 - m*g*l*sin(b) - 2*k*(a - b) = 0",
    ];
    let (_, _, answer) = audited(DOUBLE, &apart);
    let said = answer["claims"][0]["explanation"].as_str().unwrap();
    assert!(said.contains("exactly") && said.contains("gravity"), "{said}");
}

#[test]
fn a_claim_along_the_reaction_is_not_vakonomic() {
    let sled = "param m = 2 kg, J = 0.3 kg*m^2, a = 0.4 m, F = 1 N, b = 0.5 N*m*s\ncoord x, y : m\ncoord p : rad\n\
        frame B = N rotated z by p\npoint K = (x, y)\nbody S mass m at K + a*B.x frame B inertia J\n\
        contact knife: K skates along B.x on plane(N.z, 0)\nspeed v = x'*cos(p) + y'*sin(p)\nspeed w = p'\n\
        force F*B.x on S\ntorque -b*p'*N.z on S\nstart p = 0.3 rad, v = 0.7 m/s, w = 0.5 rad/s\n";
    let (verdict, _, answer) = audited(sled, &["m*v' = 5*m*a*w^2 + F", "(J + m*a^2)*w' = -5*m*a*v*w - b*w"]);
    assert_eq!(verdict, "wrong");
    assert!(!answer.to_string().contains("vakonomic"), "{answer}");
}

#[test]
fn an_equilibrium_rests() {
    let model = "param m = 1 kg, k = 5 N/m\ncoord x : m\npoint P = (x, 0) mass m\npotential k*x^2/2\nstart x = 1 m\n";
    assert_eq!(audited(model, &["equilibrium x = 0, x' = 3 m/s stable"]).0, "wrong");
    assert_eq!(audited(model, &["equilibrium x = 0, x' = 0 stable"]).0, "correct");
    let expects = File::model(&format!("{model}expect rest: equilibrium x = 0, x' = 3 m/s\n"));
    says(&["check", expects.path()], 1, &["x' = 3"]);
}

#[test]
fn numbers_are_compared_with_all_values_of_the_model() {
    let spring = "param m = 1 kg, k = 5 N/m\ncoord x : m\npoint P = (x, 0) mass m\npotential k*x^2/2\nstart x = 1 m\n";
    for (claim, verdict) in [
        ("solution x = (2 m)*cos(sqrt(5)*t/(1 s))", "correct"),
        ("solution x = (2 m)*cos(sqrt(k/(1 kg))*t)", "correct"),
        ("solution x = (2 m)*cos(sqrt(6)*t/(1 s))", "wrong"),
        ("(1 kg)*x'' = -k*x", "correct"),
        ("(2 kg)*x'' = -k*x", "wrong"),
    ] {
        assert_eq!(audited(spring, &[claim]).0, verdict, "{claim}");
    }
    // without units a lost factor 1 is lost all the same
    let bare = "param m = 1, k = 5\ncoord x\npoint P = (x, 0) mass m\npotential k*x^2/2\nstart x = 1\n";
    assert_eq!(audited(bare, &["x'' = -k*x"]).0, "wrong");
    assert_eq!(audited(bare, &["solution x = 2*cos(sqrt(5)*t)"]).0, "correct");
    let pushed = "param m = 1 kg, k = 3 N/m\ncoord x : m\ninput F : N = 2 N\npoint P = (x, 0) mass m\npotential k*x^2/2\n\
        force F*N.x on P\nstart x = 0.1 m\n";
    for claim in ["m*x'' = -k*x + 2 N", "constant energy() - (2 N)*x"] {
        let (verdict, _, answer) = audited(pushed, &[claim]);
        assert_eq!(verdict, "correct", "{claim}");
        assert!(answer["claims"][0]["reason"].as_str().unwrap().contains("F = 2"), "{answer}");
    }
    assert_eq!(audited(pushed, &["m*x'' = -k*x + F"]).2["claims"][0]["reason"], serde_json::Value::Null);
    for claim in ["m*x'' = -k*x + 3 N", "m*x'' = -k*x", "constant energy() - (3 N)*x"] {
        assert_eq!(audited(pushed, &[claim]).0, "wrong", "{claim}");
    }
    let quiet = pushed.replace(" = 2 N", " = 0 N");
    assert_eq!(audited(&quiet, &["m*x'' = -k*x"]).0, "wrong");
}

#[test]
fn the_root_that_the_start_is_on_is_named() {
    let cone = "param m = 1.3 kg\ncoord x, y, z : m\npoint P = (x, y, z) mass m\nconstraint cone: x'^2 + y'^2 = z'^2\n\
        gravity (0, 0, -9.81 m/s^2)\nstart x' = 1 m/s, y' = 0.3 m/s\nguess z' = -1 m/s\n";
    let (_, assumed, answer) = audited(cone, &["z' = -sqrt(x'^2 + y'^2)"]);
    assert!(assumed.contains("z' = -sqrt(x'^2 + y'^2)") && assumed.contains("start"), "{answer}");
}

#[test]
fn products_that_leave_the_accelerations_open_are_incomplete() {
    assert_eq!(audited(FREE, &["(x'' + y'')*(x'' - y'') = 0"]).0, "incomplete");
    assert_eq!(audited(FREE, &["x''*y'' = 0"]).0, "incomplete");
    let fall = FREE.replace("start", "gravity (0, -9.81 m/s^2)\nstart");
    assert_eq!(audited(&fall, &["(y'' + 9.81 m/s^2)*(y'' - 1 m/s^2) = 0", "x'' = 0"]).0, "correct");
    assert_eq!(audited(&fall, &["(y'' + 9.81 m/s^2)*(x'' - 1 m/s^2) = 0"]).0, "incomplete");
}

#[test]
fn where_a_law_may_have_two_motions_nothing_is_certain() {
    let model = "param m = 1 kg, mu = 0.3, g = 9.81 m/s^2\ncoord x, y : m\npoint P = (x, y) mass m\ngravity (0, -g)\n\
        constraint floor: y = 0\nforce (-mu*abs(multiplier(floor)), 0) on P\nstart x' = 1 m/s\n";
    let (verdict, _, answer) = audited(model, &["m*x'' = -mu*m*g*cos(x/(1 m))^3"]);
    assert_eq!(verdict, "wrong", "{answer}");
    assert!(!answer.to_string().contains("are certain"), "{answer}");
}

#[test]
fn states_with_laws_take_part_where_two_models_are_compared() {
    let motor = "param m = 1 kg, k = 20 N, tau = 0.05 s\ncoord x : m\nstate s : 1\ninput u : 1 = 0.5\nrate s' = (u - s)/tau\n\
        point P = (x, 0) mass m\nforce (k*s, 0) on P\nstart s = 0.1\n";
    assert_eq!(same(motor, motor, "x = x")["verdict"], "equivalent");
    let slower = motor.replace("(u - s)/tau", "(u - s)/(2*tau)");
    let found = same(motor, &slower, "x = x");
    assert_eq!(found["verdict"], "unknown", "{found}");
    assert!(found["reason"].as_str().unwrap().contains("`s`"), "{found}");
}

#[test]
fn a_witness_is_looked_for_beyond_a_kink() {
    let folded =
        "param m = 2 kg, g = 9.81 m/s^2\ncoord u : m\npoint P = (abs(u), 0) mass m\ngravity (g, 0)\nstart u = 1 m\n";
    let (verdict, _, answer) = audited(folded, &["u'' = g"]);
    assert_eq!(verdict, "wrong");
    let witness = &answer["claims"][0]["witness"];
    assert!(witness["state"]["u"].as_f64().unwrap() < 0.0 && witness["residual"].as_f64().unwrap() != 0.0, "{answer}");
}
