//! Is a verdict about what was asked? Friction and modes in `prove --same-as` and `audit`, jumps, claims that change the model,
//! assumed equalities, numbers of parameters and inputs, and mistakes that are told as exact.

mod common;

use common::{File, json, says};

/// A block that slides on a rough floor.
const BLOCK: &str = "param m = 1 kg, mu = 0.3, g = 9.81 m/s^2\ncoord x, y : m\npoint P = (x, y) mass m\ngravity (0, -g)\n\
    contact floor: P slides on plane(N.y, 0) unilateral\nfriction mu on floor\nstart x' = 1 m/s\n";
/// A fall, and the same above a wall.
const FALL: &str = "param m = 2 kg, g = 9.81 m/s^2\ncoord x : m\npoint P = (x, 0) mass m\ngravity (g, 0)\nstart x = 1 m\n";
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
