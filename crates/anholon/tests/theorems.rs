//! Are theorems proved for functions of which only the arguments are known, and false ones refuted?

use anholon::{Agreement, Alone, Claims, Evaluate, Prove, Settings, open};

/// Dobronravov's example with any track.
const TRACK: &str = "param m : kg\ncoord q1, q2, q3 : m\nfunction b(q2, q3) : 1\npoint P = (q1, q2, q3) mass m\n\
                     constraint track: q1' = b(q2, q3)*q2'\ndependent q1'\n";

/// Any kinetic energy of two coordinates, any forces.
const ENERGY: &str = "coord q1, q2 : m\nfunction T(q1, q2, q1', q2', t) : J\nfunction Q1(q1, q2, q1', q2', t) : N\n\
                      function Q2(q1, q2, q1', q2', t) : N\nkinetic T(q1, q2, q1', q2', t)\n\
                      generalized force Q1(q1, q2, q1', q2', t) on q1\ngeneralized force Q2(q1, q2, q1', q2', t) on q2\n";

/// Any nonlinear constraint in solved form, any potential.
const NONLINEAR: &str = "param m : kg\ncoord x, y, z : m\nfunction f(x, y, z, x', y', t) : m/s\nfunction V(x, y, z, t) : J\n\
                         point P = (x, y, z) mass m\npotential V(x, y, z, t)\n\
                         constraint c: z' = f(x, y, z, x', y', t)\ndependent z'\n";

/// Two particles anywhere, any linear constraint that changes with time.
const ROMANOV: &str = "param m1, m2 : kg\ncoord q1, q2, q3 : m\nfunction X(q1, q2, q3, t) : m\nfunction Y(q1, q2, q3, t) : m\n\
                       function b1(q1, q2, q3, t) : 1\nfunction b2(q1, q2, q3, t) : 1\nfunction b0(q1, q2, q3, t) : m/s\n\
                       point P1 = (X(q1, q2, q3, t), q2, q3) mass m1\npoint P2 = (q1, Y(q1, q2, q3, t), 0) mass m2\n\
                       constraint c: q3' = b1(q1, q2, q3, t)*q1' + b2(q1, q2, q3, t)*q2' + b0(q1, q2, q3, t)\ndependent q3'\n";

/// Four coordinates, two linear constraints that change with time.
fn two_constraints() -> String {
    let q = "(q1, q2, q3, q4, t)";
    let declared = ["X", "Y", "Z"].map(|name| format!("function {name}{q} : m\n")).concat();
    let slopes = ["a1", "a2", "b1", "b2"].map(|name| format!("function {name}{q} : 1\n")).concat();
    format!(
        "param m1, m2 : kg\ncoord q1, q2, q3, q4 : m\n{declared}{slopes}function a0{q} : m/s\nfunction b0{q} : m/s\n\
         function V{q} : J\npoint P1 = (X{q}, Y{q}, Z{q}) mass m1\npoint P2 = (q2, q3, q4) mass m2\npotential V{q}\n\
         constraint a: q3' = a1{q}*q1' + a2{q}*q2' + a0{q}\nconstraint b: q4' = b1{q}*q1' + b2{q}*q2' + b0{q}\n\
         dependent q3', q4'\n"
    )
}

fn judged(text: &str, claims: &str) -> Vec<(String, String)> {
    let mut settings = Settings::new("theorem.mech", text);
    settings.with.push(("claims".to_owned(), claims.to_owned()));
    let loaded = open(&settings).unwrap_or_else(|error| panic!("{error}"));
    let found = anholon::audit(&loaded, &Claims::default(), &mut Alone).unwrap_or_else(|error| panic!("{error}"));
    let said = |one: &anholon::answer::Audited| {
        let words = [one.reason.clone(), one.explanation.clone()].into_iter().flatten();
        (one.verdict.to_string(), words.collect::<Vec<_>>().join(" "))
    };
    found.claims.iter().map(said).collect()
}

#[test]
fn forms_agree_for_all_functions() {
    // differentiate a function twice by the wrong argument, or forget that derivatives commute, and this fails
    for text in [TRACK, NONLINEAR, ROMANOV, &two_constraints()] {
        let loaded = open(&Settings::new("theorem.mech", text)).unwrap();
        let wanted = Prove { forms: Vec::new(), certificate: true };
        let found = anholon::prove(&loaded, &wanted, &mut Alone).unwrap();
        let open: Vec<&str> = found
            .forms
            .iter()
            .filter(|one| one.verdict > Some(Agreement::Equivalent))
            .map(|one| one.form.as_str())
            .collect();
        assert!(found.verdict <= Agreement::Equivalent, "{text}: {open:?}");
        assert!(found.functions.iter().any(|one| one.starts_with(['b', 'f'])), "{:?}", found.functions);
        let appell = found.forms.iter().find(|one| one.form == "appell").unwrap();
        assert!(appell.applicable, "{text}");
        let file = found.certificate.unwrap().unwrap_or_else(|why| panic!("{why}"));
        let certificate = serde_json::to_string(&file).unwrap();
        let replayed = anholon::verify(&loaded, &anholon::Replay { certificate }, &mut Alone).unwrap();
        assert_eq!(replayed.reason, None);
    }
}

#[test]
fn a_false_principle_is_refuted_by_a_function_and_a_state() {
    let loaded = open(&Settings::new("theorem.mech", TRACK)).unwrap();
    let forms = vec!["voronets".to_owned(), "vakonomic".to_owned()];
    let found = anholon::prove(&loaded, &Prove { forms, certificate: false }, &mut Alone).unwrap();
    assert_eq!(found.verdict, Agreement::Different);
    let wrong = found.forms.iter().find(|one| one.form == "vakonomic").unwrap();
    assert!(wrong.witness.as_ref().is_some_and(|state| state.0.iter().any(|one| one.0 == "b()")), "{wrong:?}");
}

#[test]
fn of_a_function_nothing_is_known_but_the_chain_rule() {
    let text = "param m = 2 kg\ncoord x, y : m\nfunction V(x, y) : J\npoint P = (x, y) mass m\npotential V(x, y)\n";
    let claims = "claim mixed: diff(diff(V(x, y), x), y) = diff(diff(V(x, y), y), x)\n\
                  claim chain: V(x, y)' = diff(V(x, y), x)*x' + diff(V(x, y), y)*y'\n\
                  claim sum: V(x + y, y) = V(y + x, 2*y/2)\nclaim swapped: V(x, y) = V(y, x)\n\
                  claim even: V(x, y) = V(-x, y)\nclaim inner: diff(V(2*x, y), x) = diff(V(x, y), x)*2";
    let found: Vec<String> = judged(text, claims).into_iter().map(|one| one.0).collect();
    assert_eq!(found, ["correct", "correct", "correct", "wrong", "wrong", "wrong"]);
}

#[test]
fn operators_are_the_same_on_every_energy_and_misprints_are_not() {
    let claims = "claim nielsen: diff(kinetic()', q1') - 2*diff(kinetic(), q1) = diff(kinetic(), q1')' - diff(kinetic(), q1)\n\
                  claim tzenoff: diff(kinetic()'', q1'') - 3*diff(kinetic(), q1) = 2*diff(kinetic(), q1')' - 2*diff(kinetic(), q1)\n\
                  claim motion:  diff(kinetic()'', q2'') - 3*diff(kinetic(), q2) = 2*force(q2)\n\
                  claim printed: diff(kinetic()'', q2'') - 2*diff(kinetic(), q2) = 2*force(q2)\n\
                  claim dot:     diff(kinetic()', q2') - diff(kinetic(), q2) = force(q2)";
    let found: Vec<String> = judged(ENERGY, claims).into_iter().map(|one| one.0).collect();
    assert_eq!(found, ["correct", "correct", "correct", "wrong", "wrong"]);
}

#[test]
fn variations_do_not_commute_on_any_track() {
    let claims = "claim right: diff(reduced(kinetic()), q3')' - diff(reduced(kinetic()), q3) = \
                  -m*b(q2, q3)*diff(b(q2, q3), q3)*q2'^2\n\
                  claim naive: diff(reduced(kinetic()), q3')' - diff(reduced(kinetic()), q3) = 0";
    let found: Vec<String> = judged(TRACK, claims).into_iter().map(|one| one.0).collect();
    assert_eq!(found, ["correct", "wrong"]);
    let mut settings = Settings::new("theorem.mech", TRACK);
    settings.with.push(("claims".to_owned(), claims.to_owned()));
    let found = anholon::audit(&open(&settings).unwrap(), &Claims::default(), &mut Alone).unwrap();
    let witness = found.claims[1].witness.as_ref().unwrap();
    let (name, function) = &witness.functions.0[0];
    assert!(name == "b(q2, q3)" && function.starts_with("2 + sin("), "{name} = {function}");
    // the function that was told refutes the claim, and no other is needed
    let mut given = settings.clone();
    given.set = vec![format!("{name} = {}", function.replace("*q", "*(1/(1 m))*q"))];
    let written = |(name, value): &(String, f64)| format!("{name} = {value:?}");
    given.set.extend(witness.parameters.0.iter().map(written));
    given.at = Some(witness.state.0.iter().map(written).collect::<Vec<_>>().join(", "));
    let found = anholon::audit(&open(&given).unwrap(), &Claims::default(), &mut Alone).unwrap();
    let verdicts: Vec<String> = found.claims.iter().map(|one| one.verdict.to_string()).collect();
    assert_eq!(verdicts, ["correct", "wrong"]);
}

#[test]
fn a_function_is_printed_as_in_a_book_and_given_by_set() {
    let text = "param m = 2 kg\ncoord x : m\nfunction V(x) : J\npoint P = (x, 0) mass m\npotential V(x)\nstart x = 1 m";
    let loaded = open(&Settings::new("well.mech", text)).unwrap();
    let wanted = anholon::Derive { form: Some("lagrange-2".to_owned()), ..anholon::Derive::default() };
    let page = anholon::derive(&loaded, &wanted, &mut Alone).unwrap();
    let said = serde_json::to_string(&page).unwrap();
    assert!(said.contains("∂V/∂x") && said.contains(r"\\frac{\\partial V}{\\partial x}"), "{said}");
    let refused = anholon::evaluate(&loaded, &Evaluate { form: None }, &mut Alone).unwrap_err().to_string();
    assert!(refused.contains("`V(x)` is a function of which only the arguments are known"), "{refused}");
    let mut given = Settings::new("well.mech", text);
    given.set = vec!["V(x) = 3 N/m*x^2".to_owned()];
    let found = anholon::evaluate(&open(&given).unwrap(), &Evaluate { form: None }, &mut Alone).unwrap();
    let anholon::Evaluated::Found(found) = found else { panic!("no accelerations") };
    assert_eq!(found.accelerations.get("x''"), Some(&-3.0));
    for (set, words) in [
        ("V(x) = 3 N*x^2", "kg*m^3/s^2"),
        ("V(x) = 3 N/m*x^2*t/(1 s)", "`V` does not depend on `t`"),
        ("V(y) = 3 J", "`V` is a function of x"),
        ("W(x) = 3 J", "no function `W`"),
        ("V = 3 J", "cannot be set"),
    ] {
        given.set = vec![set.to_owned()];
        let error = open(&given).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(words), "{set}: {error}");
    }
}

#[test]
fn wrong_uses_of_a_function_are_told() {
    let model =
        |line: &str| format!("param m = 2 kg\ncoord x, y : m\nfunction b(x, t) : 1\npoint P = (x, y) mass m\n{line}\n");
    for (line, words) in [
        ("potential b*1 J", "`b` is a function and takes 2 arguments"),
        ("potential b(x)*1 J", "`b` takes 2 arguments"),
        ("potential b(t, x)*1 J", "this argument of `b` is in m, but `t` is in s"),
        ("potential b(x, t)", "a potential is in kg*m^2/s^2"),
        ("function b(y) : 1", "`b` is declared twice"),
        ("function c(z) : 1", "`z` is not declared"),
        ("function c(x*y) : 1", "neither a name nor a rate"),
        ("function c(x, x) : 1", "stands twice"),
        ("function c() : 1", "expected"),
        ("function sin(x) : 1", "it is a function"),
        ("function c(x'') : 1", "cannot depend on accelerations"),
        ("param k = b(x, t)", "cannot depend on"),
        ("point Q = (x, 0) mass m*b(x', t)", "a mass cannot depend on rates"),
    ] {
        let error = open(&Settings::new("use.mech", &model(line))).err().map(|error| error.to_string());
        assert!(error.as_ref().is_some_and(|error| error.contains(words)), "{line}: {error:?}");
    }
}
