//! Does every built-in file of claims get the verdict that its second line expects, with a witness that holds?
//!
//! `# expect: wrong, D3 (or D2)`: the diagnosis names D3, and the explanation says that D2 looks the same here.

mod ask;

use anholon::answer::Shown;
use anholon::library::{CLAIMS, ClaimFile};
use anholon::{Evaluated, Settings, open};
use ask::{audit, evaluate};

fn settings(file: &ClaimFile) -> Settings {
    let mut settings = Settings::gallery(file.model).unwrap();
    settings.with.push((file.name.to_owned(), file.text.to_owned()));
    settings
}

/// What the explanation says of a mistake that cannot be told apart.
fn words(id: &str) -> &'static str {
    match id {
        "D2" => "Hamel",
        "D4" => "commute",
        other => panic!("no words for {other}"),
    }
}

/// The accelerations by multipliers at the state of a witness, found without the audit.
fn accelerations(model: &str, witness: &Shown) -> Vec<(String, f64)> {
    let mut settings = Settings::gallery(model).unwrap();
    let written = |(name, value): &(String, f64)| format!("{name} = {value:?}");
    settings.at = Some(witness.state.0.iter().map(written).collect::<Vec<_>>().join(", "));
    settings.set = witness.inputs.0.iter().chain(&witness.parameters.0).map(written).collect();
    let loaded = open(&settings).unwrap();
    match evaluate(&loaded, Some("multipliers")).unwrap() {
        Evaluated::Found(found) => found.accelerations.0,
        Evaluated::NoAnswer { reason, .. } => panic!("{model}: {reason}"),
    }
}

#[test]
fn built_in_claims_get_their_verdict() {
    // forget a signature in the dictionary, or a row of the constraints, and this fails
    let mut failures = Vec::new();
    for file in CLAIMS {
        let expected = file.text.lines().nth(1).and_then(|line| line.strip_prefix("# expect: ")).unwrap();
        let (verdict, mistakes) = expected.split_once(", ").unwrap_or((expected, ""));
        let loaded = open(&settings(file)).unwrap_or_else(|error| panic!("{}: {error}", file.name));
        let found = audit(&loaded).unwrap_or_else(|error| panic!("{}: {error}", file.name));
        drop(loaded);
        if found.verdict.to_string() != verdict {
            failures.push(format!("{}: {} instead of {verdict}", file.name, found.verdict));
            continue;
        }
        let all: Vec<String> =
            found.claims.iter().flat_map(|claim| claim.diagnosis.clone().unwrap_or_default()).collect();
        let text: String = found.claims.iter().filter_map(|claim| claim.explanation.clone()).collect();
        for mistake in mistakes.split(", ").filter(|mistake| !mistake.is_empty()) {
            let (id, other) = mistake.split_once(" (or ").unwrap_or((mistake, ""));
            if !all.iter().any(|one| one.starts_with(&format!("{id}:"))) {
                failures.push(format!("{}: {id} is not among {all:?}", file.name));
            }
            if !other.is_empty() && !text.contains(words(other.trim_end_matches(')'))) {
                failures.push(format!("{}: nothing about {other} in: {text}", file.name));
            }
        }
        for claim in &found.claims {
            let Some(witness) = &claim.witness else { continue };
            if claim.text.contains(" != ") {
                assert!(witness.residual.abs() < 1e-9, "{}: {}", file.name, claim.name);
                continue;
            }
            if witness.residual.abs() < 1e-9 {
                failures.push(format!("{}: {} has a witness that shows nothing", file.name, claim.name));
            }
            if !witness.functions.is_empty() {
                // tests/theorems.rs puts such functions into the model
                continue;
            }
            let independent = accelerations(file.model, witness);
            for (name, value) in &witness.correct.0 {
                let other = independent.iter().find(|one| one.0 == *name).map_or(f64::NAN, |one| one.1);
                if (value - other).abs() > 1e-6 * (1.0 + value.abs()) || other.is_nan() {
                    failures.push(format!("{}: {name} is {value}, by multipliers {other}", file.name));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_disc_of_sympy_has_its_numbers_and_two_causes() {
    // the demonstration of the README: SymPy's tutorial against its own Kane equations
    let mut settings = Settings::gallery("rolling-disc").unwrap();
    settings.at = Some("lean = 0.3, yaw' = 0.7, lean' = -0.4, spin' = 1.2".to_owned());
    settings.set = vec!["g=9.81".to_owned(), "r=0.5".to_owned()];
    let loaded = open(&settings).unwrap();
    let Ok(Evaluated::Found(found)) = evaluate(&loaded, Some("multipliers")) else { panic!("no accelerations") };
    for (name, value) in [("yaw''", 1.00488153748), ("lean''", 5.73980175078), ("spin''", 0.148860895300)] {
        let own = *found.accelerations.get(name).unwrap();
        assert!((own - value).abs() < 1e-10, "{name} = {own}");
    }
    drop(loaded);
    let file = CLAIMS.iter().find(|file| file.name == "sympy-disc-lagrange").unwrap();
    let found = audit(&open(&self::settings(file)).unwrap()).unwrap();
    let causes = found.claims[0].diagnosis.clone().unwrap();
    assert!(causes[0].starts_with("D3: put the constraints into the kinetic energy"), "{causes:?}");
    assert!(causes[1].starts_with("potential sign: gave gravity the wrong sign"), "{causes:?}");
}

/// The claims about a model, with verdicts and what was said.
fn audited(model: &str, claims: &str) -> Vec<(String, String)> {
    let mut settings = Settings::gallery(model).unwrap();
    settings.with.push(("claims".to_owned(), claims.to_owned()));
    let found = audit(&open(&settings).unwrap()).unwrap();
    let said = |claim: &anholon::answer::Audited| {
        let words =
            [claim.reason.clone(), claim.explanation.clone(), claim.diagnosis.clone().map(|list| list.join("; "))];
        (claim.verdict.to_string(), words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    };
    found.claims.iter().map(said).collect()
}

#[test]
fn equilibria_are_judged_with_their_stability() {
    // take the sign of an acceleration for its size, and this fails
    let found = audited(
        "cart-pendulum",
        "claim a: equilibrium phi = 0\nclaim b: equilibrium phi = 1\nclaim c: equilibrium phi = 0 stable\nclaim d: equilibrium phi = pi stable",
    );
    let [a, b, c, d] = &found[..] else { panic!("{found:?}") };
    assert_eq!(a.0, "correct");
    assert!(b.0 == "wrong" && b.1.contains("starts to move: x'' = "), "{b:?}");
    assert_eq!(c.0, "correct");
    assert!(d.0 == "wrong" && d.1.contains("the potential energy decreases along"), "{d:?}");
}

#[test]
fn unknowns_of_the_author_may_have_any_unit() {
    // the tension by length in N/m, and in units of 10⁻¹³ N/m: compare a coefficient with 1, and the second is not found
    let said = ["1", "1e13"].map(|unit| {
        let text = "param m = 1 kg, g = 10 m/s^2, l = 1 m\ncoord x, y : m\npoint P = (x, y) mass m\n\
                    gravity (0, -g)\nconstraint rod: x^2 + y^2 = l^2\nstart x = 0.6 m, y = 0.8 m";
        let claims = format!("unknown S : N/m\nclaim a: m*x'' = S*x/{unit}\nclaim b: m*y'' = S*y/{unit} + m*g");
        let mut settings = Settings::new("test.mech", text);
        settings.with.push(("claims".to_owned(), claims));
        let found = audit(&open(&settings).unwrap()).unwrap();
        let wrong = found.claims.last().unwrap();
        let shown = wrong.witness.as_ref().unwrap();
        assert!((shown.residual + 20.0).abs() < 1e-9, "{unit}: {shown:?}");
        wrong.diagnosis.clone().unwrap_or_default().join("; ")
    });
    assert!(said[0].contains("gave gravity the wrong sign"), "{said:?}");
    assert_eq!(said[0], said[1]);
}

#[test]
fn what_holds_with_the_values_of_the_model_is_correct_and_said_so() {
    let found = audited("wedge", "claim it: (M + m*tan(alpha)^2)*x'' = m*(9.81 m/s^2)*tan(alpha)");
    assert!(found[0].0 == "correct" && found[0].1.contains("with the values of the model"), "{found:?}");
}

/// The facts of a model that speak of every motion or of the start, as claims under the same labels.
fn own_facts(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("expect ") {
            Some(rest) => lines.push(format!("claim {rest}")),
            None => match lines.last_mut().filter(|last| !last.is_empty() && line.starts_with("    ")) {
                Some(last) => last.push_str(&format!("\n{line}")),
                None => lines.push(String::new()),
            },
        }
    }
    let words = [" at t =", ": event ", " stable", " unstable"];
    let later = |line: &String| words.iter().any(|word| line.contains(word));
    lines.into_iter().filter(|line| !line.is_empty() && !later(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_facts_of_the_gallery_are_correct_claims() {
    // give claims and facts one space of labels again, or leave out the values of parameters, and this fails
    let mut failures = Vec::new();
    for example in anholon::library::GALLERY {
        let mut settings = Settings::gallery(example.name).unwrap();
        let facts = own_facts(example.text);
        if facts.trim().is_empty() {
            continue;
        }
        settings.with.push(("facts".to_owned(), facts));
        let loaded = match open(&settings) {
            Ok(loaded) => loaded,
            Err(error) => {
                failures.push(format!("{}: {error}", example.name));
                continue;
            }
        };
        match audit(&loaded) {
            Ok(found) => {
                for claim in found.claims.iter().filter(|claim| !claim.verdict.is_correct()) {
                    failures.push(format!(
                        "{}: {} {}: {:?} {:?}",
                        example.name, claim.name, claim.verdict, claim.reason, claim.witness
                    ));
                }
            }
            Err(error) => failures.push(format!("{}: {error}", example.name)),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The verdict on one claim about a model.
fn judged(model: &str, claim: &str) -> (String, Option<String>) {
    let settings = Settings::new("test.mech", &format!("{model}claim it: {claim}\n"));
    let found = audit(&open(&settings).unwrap_or_else(|error| panic!("{claim}: {error}"))).unwrap();
    (found.verdict.to_string(), found.claims[0].reason.clone())
}

#[test]
fn what_says_nothing_is_incomplete() {
    let model = "param m = 2 kg, k = 8 N/m\ncoord x : m\npoint P = (x, 0) mass m\npotential k*x^2/2\n";
    for claim in ["x = x", "m*x'' = x''*m", "(x + x)*m - m*x = m*x"] {
        assert_eq!(judged(model, claim).0, "incomplete", "{claim}");
    }
    for claim in ["m*x'' = -k*x", "energy() = m*x'^2/2 + k*x^2/2"] {
        assert_eq!(judged(model, claim).0, "correct", "{claim}");
    }
}

#[test]
fn numbers_in_a_claim_are_compared_with_the_values_of_the_model() {
    let model = "param m = 1 kg, k = 4 N/m, b = 0 N*s/m\ncoord x : m\npoint P = (x, 0) mass m\npotential k*x^2/2\n\
                 dissipation b*x'^2/2\n";
    for (claim, verdict, says) in [
        ("x'' = -(4 1/s^2)*x", "correct", "m = 1"),
        ("x'' = -(5 1/s^2)*x", "wrong", ""),
        ("m*x'' = -k*x", "correct", "b = 0"),
        ("m*x'' + b*x' = -k*x", "correct", ""),
    ] {
        let (found, reason) = judged(model, claim);
        assert_eq!(found, verdict, "{claim}: {reason:?}");
        assert!(reason.unwrap_or_default().contains(says), "{claim}");
    }
}

#[test]
fn third_and_higher_derivatives_and_tiny_errors_are_judged() {
    let model = "param m = 2 kg, k = 8 N/m, c = 3 N/m^3\ncoord x : m\npoint P = (x, 0) mass m\n\
                 potential k*x^2/2 + c*x^4/4\n";
    for (claim, verdict) in [
        ("m*x''' = -k*x' - 3*c*x^2*x'", "correct"),
        ("m*x''' = -k*x' - c*x^2*x'", "wrong"),
        ("m*x'''' = -(k + 3*c*x^2)*x'' - 6*c*x*x'^2", "correct"),
        ("m*x'''' = -(k + 3*c*x^2)*x''", "wrong"),
        ("m*x'' = -k*x - c*x^3*(1 + 1/10^15)", "wrong"),
        ("m*x'' = -k*x*(1 + 1/10^30) - c*x^3", "wrong"),
    ] {
        assert_eq!(judged(model, claim).0, verdict, "{claim}");
    }
}

#[test]
fn an_unknown_of_the_author_changes_with_time() {
    // (mu sin φ)' − mu cos φ φ' is mu' sin φ, which nothing fixes
    let model = "param m = 1 kg, l = 2 m, g = 9.81 m/s^2\ncoord phi : rad\nunknown mu : kg*m^2/s\n\
                 point P = l*(sin(phi), -cos(phi)) mass m\ngravity (0, -g)\n";
    let claim = "m*l^2*phi'' = -m*g*l*sin(phi) + (mu*sin(phi))' - mu*cos(phi)*phi'";
    assert_ne!(judged(model, claim).0, "correct");
}

#[test]
fn third_derivatives_are_those_of_the_motion_under_inputs() {
    // put the inputs of the model into the rates alone, and the right one is wrong
    let right = "l*phi''' + (x''*cos(phi))' + g*phi'*cos(phi) = 0";
    assert_eq!(audited("cart-pendulum", &format!("claim it: {right}"))[0].0, "correct");
    let wrong = "l*phi''' + x'''*cos(phi) + g*phi'*cos(phi) = 0";
    assert_eq!(audited("cart-pendulum", &format!("claim it: {wrong}"))[0].0, "wrong");
}

#[test]
fn an_unknown_that_a_claim_gives_is_known_with_its_derivatives() {
    // take mu' for any function, and the last one is right
    let rate = "unknown mu : N\nclaim a: M*x'' = mu\nclaim b: mu' = M*x'''";
    let found = audited("cart-pendulum", rate);
    assert!(found.iter().all(|one| one.0 == "correct"), "{found:?}");
    let wrong = "unknown mu : N\nclaim a: M*x'' = mu\nclaim b: mu' = 2*M*x'''";
    let found = audited("cart-pendulum", wrong);
    assert!(found.iter().any(|one| one.0 == "wrong"), "{found:?}");
}

#[test]
fn the_claim_is_blamed_without_which_the_others_agree() {
    // blame the last one of a combination, and the first is called correct
    let claims = "unknown S, U : N/m\nclaim a: m*x1'' = m*g*sin(alpha) - 3*S*(x2 - x1) - U*(y2 - y1)\n\
                  claim b: m*x2'' = m*g*sin(alpha) + S*(x2 - x1) - U*(y2 - y1)\n\
                  claim c: m*y1'' = -S*(y2 - y1) + U*(x2 - x1)\nclaim d: m*y2'' = S*(y2 - y1) + U*(x2 - x1)";
    let found = audited("sled", claims);
    let verdicts: Vec<&str> = found.iter().map(|one| one.0.as_str()).collect();
    assert_eq!(verdicts, ["wrong", "correct", "correct", "correct"], "{found:?}");
}

#[test]
fn exactly_is_said_of_what_is_proved() {
    // numbers cannot see 1e-15
    let off = "claim it: (1 + 1e-15)*l*phi'' + x''*cos(phi) + g*sin(phi) = 0";
    let found = audited("cart-pendulum", off);
    assert!(
        found[0].0 == "wrong" && !found[0].1.contains("exactly what") && !found[0].1.contains("forgot"),
        "{found:?}"
    );
    let forgot = "claim it: (M + m)*x'' + m*l*phi''*cos(phi) - m*l*phi'^2*sin(phi) = 0";
    let found = audited("cart-pendulum", forgot);
    assert!(found[0].0 == "wrong" && found[0].1.contains("exactly what comes out"), "{found:?}");
}

/// What is said about one wrong claim about a model.
fn explained(model: &str, claim: &str) -> String {
    let settings = Settings::new("test.mech", &format!("{model}claim it: {claim}\n"));
    let found = audit(&open(&settings).unwrap()).unwrap();
    assert_eq!(found.verdict.to_string(), "wrong", "{claim}");
    found.claims[0].explanation.clone().unwrap_or_default()
}

const DAMPED: &str = "param m = 1 kg, l = 1 m, g = 9.81 m/s^2, b = 0 N*m*s\ncoord a : rad\n\
                      point P = (l*sin(a), -l*cos(a)) mass m\ngravity (0, -g)\ngeneralized force -b*a' on a\n";

#[test]
fn a_slip_explains_a_claim_for_all_values_of_what_the_claim_names() {
    // with b = 0 the sign of the whole right side would do as well; the claim names b
    let said = explained(DAMPED, "m*l^2*a'' = m*g*l*sin(a) - b*a'");
    assert!(
        said.contains("gave gravity the wrong sign") && said.contains("`-m*g*l*sin(a)` has the wrong sign"),
        "{said}"
    );
}

#[test]
fn a_mistake_that_leaves_no_motion_explains_only_its_own_equations() {
    // without its inertia the pendulum has 0 = sin(a) left: every equation without accelerations was taken for that
    for claim in ["a'''' = 0", "m*l^2*a'^2/2 - m*g*l*cos(a) = -m*g*l"] {
        let said = explained(DAMPED, claim);
        assert!(!said.contains("forgot"), "{claim}: {said}");
    }
    let said =
        explained(&DAMPED.replace(", b = 0 N*m*s", "").replace("generalized force -b*a' on a\n", ""), "0 = 2*g*sin(a)");
    assert!(said.contains("forgot the inertia"), "{said}");
}

#[test]
fn what_holds_because_of_a_value_names_that_value_alone() {
    let model = "param m = 3 kg, k = 4 N/m, b = 0 N*s/m\ncoord x : m\npoint P = (x, 0) mass m\npotential k*x^2/2\n\
                 dissipation b*x'^2/2\n";
    let (found, reason) = judged(model, "m*x'' = -k*x");
    let reason = reason.unwrap_or_default();
    assert!(found == "correct" && reason.ends_with(": b = 0"), "{found}: {reason}");
}

#[test]
fn accelerations_that_are_rounding_are_zero() {
    // three rods hold a weight: every acceleration vanishes, and what is left of the solve is 6e-16 m/s^2
    let model = "param m = 3 kg, g = 9.81 m/s^2\ncoord x, y, z : m\npoint P = (x, y, z) mass m\n\
                 gravity (0.3*g, -g, 0.1*g)\nconstraint one: norm(P - (1.1 m, 0.3 m, 0)) = 1.3 m\n\
                 constraint two: norm(P - (-0.2 m, 0.37 m, 0.1 m)) = 1.2 m\n\
                 constraint three: norm(P - (0.2 m, 0.17 m, 0.9 m)) = 1.23 m\nguess y = -0.3 m\n";
    let mut settings = Settings::new("weight.mech", model);
    let claims = "claim a: m*x'' = 0\nclaim b: x'' = 3*z''\nclaim c: y'' = g/1000";
    settings.with.push(("claims".to_owned(), claims.to_owned()));
    let found = audit(&open(&settings).unwrap()).unwrap();
    let verdicts: Vec<String> = found.claims.iter().map(|claim| claim.verdict.to_string()).collect();
    assert_eq!(verdicts, ["correct", "correct", "wrong"]);
    let witness = found.claims[2].witness.as_ref().unwrap();
    assert!(witness.correct.0.len() == 3 && witness.correct.0.iter().all(|one| one.1 == 0.0), "{:?}", witness.correct);
}
