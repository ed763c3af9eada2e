//! Do claims get verdicts that are true on every side, for inputs that change, and a reason that is proved?

mod ask;

use anholon::{Alone, Audit, Claims, Settings, open};

/// A mass on a spring, pushed by what the model says, or by anything.
fn pushed(input: &str) -> String {
    format!(
        "param m = 2 kg, k = 3 N/m\ncoord x : m\ninput F : N{input}\npoint P = (x, 0) mass m\nspring k between P and 0\n\
         force F*N.x on P\nstart x = 1 m\n"
    )
}
const SINE: &str = " = (2 N)*cos(3*t/(1 s))";

/// A pendulum on a spring, in polar coordinates.
const POLAR: &str = "param m = 1 kg, g = 10 m/s^2, k = 5 N/m, l = 1 m, c = 0.4 N*s/m\ncoord r : m\ncoord a : rad\n\
                     point P = r*(sin(a), -cos(a)) mass m\ngravity (0, -g)\nspring k rest l between P and 0\n\
                     damper c between P and 0\nstart r = 1.2 m, a = 0.4 rad\n";
const CART: &str = "param m = 1 kg, M = 4 kg, l = 2 m, g = 10 m/s^2\ncoord x : m\ncoord th : rad\npoint C = (x, 0) mass M\n\
                    point P = C + l*(sin(th), -cos(th)) mass m\ngravity (0, -g)\nstart th = 0.3 rad\n";
const SPHERE: &str = "param m = 2 kg, g = 10 m/s^2, l = 1 m\ncoord x, y, z : m\npoint P = (x, y, z) mass m\n\
                      gravity (0, 0, -g)\nconstraint s: x^2 + y^2 + z^2 = l^2\nstart x = 0.6 m, z = -0.8 m, y' = 1 m/s\n";

fn audited(model: &str, claims: &[&str]) -> Audit {
    let loaded = open(&Settings::new("model.mech", model)).unwrap();
    let more = claims.iter().map(|one| (*one).to_owned()).collect();
    anholon::audit(&loaded, &Claims { more, ..Claims::default() }, &mut Alone).unwrap()
}

fn verdict(model: &str, claim: &str) -> String {
    audited(model, &[claim]).claims[0].verdict.to_string()
}

fn explained(found: &Audit) -> String {
    found.claims.iter().filter_map(|claim| claim.explanation.clone()).collect()
}

#[test]
fn the_rate_of_a_load_is_that_of_its_law() {
    // take it as 0, as for a constant, and the first and the third are correct, the fourth wrong
    let model = pushed(SINE);
    for (claim, expected) in [
        ("constant m*x'^2/2 + k*x^2/2 - F*x", "wrong"),
        ("constant F", "wrong"),
        ("m*x''' + k*x' = 0", "wrong"),
        ("m*x''' + k*x' = -(6 N/s)*sin(3*t/(1 s))", "correct"),
        ("m*x''' + k*x' = F'", "correct"),
    ] {
        assert_eq!(verdict(&model, claim), expected, "{claim}");
    }
    let found = ask::integrals(&Settings::new("model.mech", &model), &["m*x'^2/2 + k*x^2/2 - F*x".to_owned()]).unwrap();
    assert!(format!("{found:?}").contains("Some(Changes)"), "{found:?}");
    // a push that stays does conserve it, and its rate is 0
    for (claim, expected) in [("constant m*x'^2/2 + k*x^2/2 - F*x", "correct"), ("m*x''' + k*x' = 0", "correct")] {
        assert_eq!(verdict(&pushed(" = 2 N"), claim), expected, "{claim}");
    }
}

#[test]
fn the_rate_of_a_load_without_a_law_is_a_symbol() {
    let model = pushed("");
    for (claim, expected) in [
        ("constant m*x'^2/2 + k*x^2/2 - F*x", "wrong"),
        ("constant F", "wrong"),
        ("m*x''' + k*x' = 0", "wrong"),
        ("m*x''' + k*x' = F'", "correct"),
        ("m*x'' + k*x = F", "correct"),
    ] {
        assert_eq!(verdict(&model, claim), expected, "{claim}");
    }
}

#[test]
fn a_spring_is_judged_on_the_side_of_the_start() {
    // ask on both sides of r = 0 and the first is wrong, with the blame on it where the second is
    let radial = "m*r'' = m*r*a'^2 + m*g*cos(a) - k*(r - l) - c*r'";
    let right = audited(POLAR, &[radial, "r*a'' + 2*r'*a' + g*sin(a) = 0"]);
    assert_eq!(right.verdict.to_string(), "correct");
    assert!(right.assumptions.iter().any(|text| text == "r > 0 (the side of the start)"), "{:?}", right.assumptions);
    let slip = audited(POLAR, &[radial, "r*a'' + r'*a' + g*sin(a) = 0"]);
    let verdicts: Vec<String> = slip.claims.iter().map(|claim| claim.verdict.to_string()).collect();
    assert_eq!(verdicts, ["correct", "wrong"]);
    let sign = audited(POLAR, &["m*r'' = m*r*a'^2 - m*g*cos(a) - k*(r - l) - c*r'"]);
    assert!(explained(&sign).contains("has the wrong sign"), "{}", explained(&sign));
    // one coordinate, and a distance of two; on the other side the signs turn
    let line = |start: &str| {
        format!(
            "param m = 2 kg, k = 3 N/m, l = 1 m\ncoord x : m\npoint P = (x, 0) mass m\nspring k rest l between P and 0\nstart x = {start}\n"
        )
    };
    assert_eq!(verdict(&line("1.3 m"), "m*x'' = -k*(x - l)"), "correct");
    assert_eq!(verdict(&line("-1.3 m"), "m*x'' = -k*(x + l)"), "correct");
    assert_eq!(verdict(&line("-1.3 m"), "m*x'' = -k*(x - l)"), "wrong");
    // what the author wrote has a value at 0: both sides count
    let kink =
        "param m = 2 kg, k = 3 N/m\ncoord x : m\npoint P = (x, 0) mass m\nforce -k*abs(x)*N.x on P\nstart x = 1 m\n";
    assert_eq!(verdict(kink, "m*x'' = -k*x"), "wrong");
}

#[test]
fn a_slip_is_seen_beside_states_that_do_not_show_it() {
    // let one state where the term is 0 throw the slip away, and nothing of the dictionary fits
    let claims = ["(M + m)*x'' + m*l*th''*cos(th) + m*l*th'^2*sin(th) = 0", "l*th'' + x''*cos(th) + g*sin(th) = 0"];
    let text = explained(&audited(CART, &claims));
    assert!(text.contains("One slip explains this") && text.contains("has the wrong sign"), "{text}");
    let text = explained(&audited(CART, &["x''*cos(th) + l*th'' - g*sin(th) = 0"]));
    assert!(!text.contains("exactly"), "{text}");
}

#[test]
fn a_multiplier_is_flipped_only_where_that_is_right() {
    // believe states of one sign of it, and the page says so here
    let text = explained(&audited(SPHERE, &["norm(reaction(s)) = 2*multiplier(s)*l"]));
    assert!(!text.contains("opposite sign"), "{text}");
    let text = explained(&audited(SPHERE, &["m*x'' = -2*multiplier(s)*x"]));
    assert!(text.contains("opposite sign"), "{text}");
}
