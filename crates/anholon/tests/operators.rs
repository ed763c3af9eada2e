//! Are claims in the operators of a paper judged rightly? Right forms, misprinted ones, and what cannot be asked.

use anholon::answer::ClaimVerdict;
use anholon::{Alone, Claims, Settings, open};

/// The verdict on one claim about a model of the gallery, and what was said of it.
fn judged(model: &str, claim: &str) -> (String, String) {
    let loaded = open(&Settings::gallery(model).unwrap()).unwrap();
    let wanted = Claims { more: vec![claim.to_owned()], ..Claims::default() };
    let found = anholon::audit(&loaded, &wanted, &mut Alone).unwrap_or_else(|error| panic!("{claim}: {error}"));
    let one = &found.claims[0];
    let said = [one.reason.clone(), one.explanation.clone()].into_iter().flatten().collect::<Vec<_>>().join(" ");
    (one.verdict.to_string(), said)
}

#[test]
fn forms_of_papers_are_told_from_their_misprints() {
    // forget the chain rule of a speed, the reduction of a rate, or the last term of S, and one of these fails
    let table = [
        ("double-pendulum", "diff(kinetic(), a1')' - diff(kinetic(), a1) = force(a1)", "correct"),
        ("double-pendulum", "diff(kinetic()', a2') - 2*diff(kinetic(), a2) = force(a2)", "correct"),
        ("double-pendulum", "diff(kinetic()', a2') - diff(kinetic(), a2) = force(a2)", "wrong"),
        ("double-pendulum", "diff(kinetic()'', a1'') - 3*diff(kinetic(), a1) = 2*force(a1)", "correct"),
        ("double-pendulum", "diff(kinetic()'', a1'') - 2*diff(kinetic(), a1) = 2*force(a1)", "wrong"),
        ("double-pendulum", "diff(lagrangian(), a1')' = diff(lagrangian(), a1)", "correct"),
        ("double-pendulum", "diff(acceleration_energy(), a1'') = force(a1)", "correct"),
        ("double-pendulum", "kinetic() + potential() = energy()", "correct"),
        ("euler-top", "diff(acceleration_energy(), p') = force(p)", "correct"),
        ("euler-top", "diff(kinetic(), r)' + (B - A)*p*q = force(r)", "correct"),
        ("euler-top", "diff(kinetic(), r)' = force(r)", "wrong"),
        ("chaplygin-sleigh", "diff(reduced(kinetic()), u)' - m*l*w^2 = force(u)", "correct"),
        ("chaplygin-sleigh", "diff(reduced(kinetic()), u)' = force(u)", "wrong"),
        ("chaplygin-sleigh", "diff(reduced(acceleration_energy()), w') = force(w)", "correct"),
        ("dobronravov", "diff(reduced(kinetic()), q2')' - m*q3*q2'*q3'/b^2 = 0", "correct"),
        ("dobronravov", "diff(reduced(kinetic()), q2')' - diff(reduced(kinetic()), q2) = 0", "wrong"),
        (
            "dobronravov",
            "diff(free(kinetic())', q1') - 2*diff(kinetic(), q1) = force(q1) + multiplier(track)",
            "correct",
        ),
        ("dobronravov", "diff(free(kinetic())', q1') = 2*force(q1) + 2*multiplier(track)", "wrong"),
        ("dobronravov", "dot(m*acceleration(P), diff(velocity(P), q3')) = force(q3)", "correct"),
        ("velocity-cone-rocket", "diff(kinetic(), q1')' = force(q1)", "wrong"),
    ];
    let mut failures = Vec::new();
    for (model, claim, expected) in table {
        let (verdict, said) = judged(model, claim);
        if verdict != expected {
            failures.push(format!("{model}: {claim}: {verdict} instead of {expected} ({said})"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_acceleration_energy_of_a_body_is_that_of_its_particles() {
    // a dumb-bell of two particles and the same as a body: leave ½ ω² ω·Iω out, and they differ
    let text = "param m = 2 kg, l = 0.3 m\ncoord x, y : m\ncoord a : rad\nframe B = N rotated z by a\n";
    let body = format!("{text}body D mass 2*m at (x, y) frame B inertia 2*m*l^2");
    let claims = "claim S: acceleration_energy() = m/2*(dot((x, y)'' + (l*B.x)'', (x, y)'' + (l*B.x)'') \
                  + dot((x, y)'' - (l*B.x)'', (x, y)'' - (l*B.x)''))";
    let mut settings = Settings::new("bell.mech", &body);
    settings.with.push(("claims".to_owned(), claims.to_owned()));
    let found = anholon::audit(&open(&settings).unwrap(), &Claims::default(), &mut Alone).unwrap();
    assert_eq!(found.verdict, ClaimVerdict::Correct);
}

#[test]
fn what_is_written_in_other_velocities_is_refused_not_guessed() {
    let (verdict, said) = judged("dobronravov", "diff(kinetic()', q1') = 0");
    assert!(verdict == "unknown" && said.contains("written in q2', q3'"), "{verdict}: {said}");
    let (verdict, said) = judged("euler-top", "diff(reduced(kinetic()), phi') = 0");
    assert!(verdict == "unknown" && said.contains("written in p, q, r"), "{verdict}: {said}");
}

#[test]
fn a_claim_of_wrong_dimension_is_wrong_and_not_bad_input() {
    let (verdict, said) = judged("double-pendulum", "m1*l1*a1'' = -m1*g*l1*sin(a1)");
    assert_eq!(verdict, "wrong");
    assert!(said.contains("`m1*l1*a1''` is in kg*m/s^2 (N), `-m1*g*l1*sin(a1)` is in kg*m^2/s^2"), "{said}");
    let (verdict, said) = judged("double-pendulum", "sin(l1) = 0");
    assert!(verdict == "wrong" && said.contains("`sin` takes an angle"), "{said}");
}

#[test]
fn one_right_equation_of_two_is_correct_and_the_set_incomplete() {
    let loaded = open(&Settings::gallery("double-pendulum").unwrap()).unwrap();
    let wanted =
        Claims { more: vec!["diff(lagrangian(), a1')' = diff(lagrangian(), a1)".to_owned()], ..Claims::default() };
    let found = anholon::audit(&loaded, &wanted, &mut Alone).unwrap();
    assert_eq!((found.verdict, &found.claims[0].verdict), (ClaimVerdict::Incomplete, &ClaimVerdict::Correct));
}

#[test]
fn names_of_operators_may_be_names_of_a_model() {
    let text = "param force = 2 N, m = 1 kg\ncoord free : m\npoint P = (free, 0) mass m\nforce (force, 0) on P\n\
                let diff(a, b) = a - b\nclaim law: m*free'' = force\nclaim own: diff(force, 2 N) = 0\n\
                claim too: generalized_momentum(free)' = force(free)";
    let found =
        anholon::audit(&open(&Settings::new("own.mech", text)).unwrap(), &Claims::default(), &mut Alone).unwrap();
    let verdicts: Vec<String> = found.claims.iter().map(|claim| claim.verdict.to_string()).collect();
    assert_eq!(verdicts, ["correct", "correct", "correct"]);
}

#[test]
fn abbreviations_of_claims_may_hold_operators() {
    let claims = "let T = kinetic()\nlet E(x) = diff(T, x')' - diff(T, x)\nparam k = 2\nclaim a: k*E(a1) = 2*force(a1)";
    let mut settings = Settings::gallery("double-pendulum").unwrap();
    settings.with.push(("claims".to_owned(), claims.to_owned()));
    let found = anholon::audit(&open(&settings).unwrap(), &Claims::default(), &mut Alone).unwrap();
    assert!(found.claims[0].verdict.is_correct(), "{:?}", found.claims[0]);
}

#[test]
fn the_gallery_shows_on_which_class_a_form_fails_first() {
    let some = ["double-pendulum", "atwood", "dobronravov", "cart-pendulum", "euler-top", "line"];
    let audit = |text: &str| anholon::audit_gallery(("new.claims", text), &|name| some.contains(&name), &mut Alone);
    let lagrange = "claim l[i]: diff(kinetic(), q[i]')' - diff(kinetic(), q[i]) = force(q[i]) for i in 1..n";
    let found = audit(lagrange).unwrap();
    let first = found.fails_first.unwrap();
    assert_eq!((first.class.as_str(), first.model.as_str()), ("holonomic constraints", "atwood"));
    let free = found.models.iter().filter(|one| one.class == "no constraints");
    assert!(free.clone().count() == 3 && free.clone().all(|one| one.verdict == Some(ClaimVerdict::Correct)));
    let third = audit("claim third: diff(kinetic(), q[3]) = 0*kinetic()").unwrap();
    let silent = third.models.iter().find(|one| one.model == "double-pendulum").unwrap();
    assert_eq!(silent.reason.as_deref(), Some("there is no `q[3]`: the model has 2 coordinates"));
    assert!(audit("param k = 2").unwrap_err().to_string().contains("there is no `claim`"));
}

#[test]
fn forms_of_papers_are_judged_on_the_whole_gallery() {
    // look for witnesses where they cannot be, and this takes half a minute for each claim
    let (free, held) = (Some("no constraints"), Some("holonomic constraints"));
    let varying = Some("no constraints, variable mass");
    let table = [
        ("diff(kinetic(), q[i]')' - diff(kinetic(), q[i]) = force(q[i])", held),
        // the slope by position forgotten
        ("diff(kinetic(), q[i]')' = force(q[i])", free),
        ("diff(free(kinetic())', q[i]') - 2*diff(kinetic(), q[i]) = force(q[i])", held),
        ("diff(free(kinetic())', q[i]') - diff(kinetic(), q[i]) = force(q[i])", free),
        ("diff(free(kinetic())', q[i]') = diff(kinetic(), q[i]')' + diff(kinetic(), q[i])", None),
        ("diff(free(free(kinetic())')', q[i]'') - 3*diff(kinetic(), q[i]) = 2*force(q[i])", held),
        // R = (T'' - 3*T0)/2, as printed: T0'' lost its dots
        ("diff(free(free(kinetic())')', q[i]'') = 2*force(q[i])", free),
        // K with the sign of the work as printed
        ("diff(free(free(kinetic())')', q[i]'') - 3*diff(kinetic(), q[i]) = -2*force(q[i])", free),
        ("diff(free(free(kinetic())')', q[i]'') = 2*diff(kinetic(), q[i]')' + diff(kinetic(), q[i])", None),
        ("diff(acceleration_energy(), q[i]'') = force(q[i])", held),
        // S = sum m*v^2/2, as printed: a dot was lost
        ("diff(kinetic(), q[i]'') = force(q[i])", free),
        ("diff(acceleration_energy(), q[i]'') = diff(kinetic(), q[i]')' - diff(kinetic(), q[i])", varying),
    ];
    for (claim, fails_first) in table {
        let text = format!("claim new[i]: {claim} for i in 1..n\n");
        let found = anholon::audit_gallery(("new.claims", &text), &|_| true, &mut Alone).unwrap();
        assert!(found.complete && found.models.len() > 80, "{claim}");
        assert_eq!(found.fails_first.as_ref().map(|first| first.class.as_str()), fails_first, "{claim}");
        if fails_first.is_none() {
            assert!(found.models.iter().all(|one| one.verdict == Some(ClaimVerdict::Correct)), "{claim}");
        }
    }
}
