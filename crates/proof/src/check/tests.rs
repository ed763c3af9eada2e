//! Certificates are accepted when they are right, and rejected when they are not.

use proptest::prelude::*;

use super::*;
use crate::certificate::{Uncertified, certify};

/// Left minus right, and the assumptions, from `left | right | assumptions`.
fn read(left: &str, right: &str, relations: &str) -> (Expr, Assumptions) {
    let sides = expr::parse_all(&[left, right]).unwrap();
    let relations = relations.split(',').map(str::trim).filter(|text| !text.is_empty());
    let assumptions = relations.fold(Assumptions::none(), |assumptions, text| {
        let (left, is, right) = expr::parse_relation(text).unwrap();
        assumptions.and(left, is, right)
    });
    (sides[0] - sides[1], assumptions)
}

fn identities() -> Vec<Vec<&'static str>> {
    let lines = include_str!("../../../../tests/identities.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|line| line.split(" | ").map(str::trim).collect()).collect()
}

#[test]
fn every_decided_identity_is_certified() {
    // without linked roots cosh(x/2) = sqrt((1 + cosh(x))/2) is lost
    for line in identities() {
        let _scope = expr::Scope::enter();
        let (e, assumptions) = read(line[2], line[3], line.get(4).unwrap_or(&""));
        let certificate = match certify(e, &assumptions) {
            Ok(certificate) => certificate,
            Err(Uncertified::Undecided(_)) => continue,
            Err(Uncertified::Unconfirmed(rejection)) => panic!("{line:?}: {rejection}"),
        };
        let text = serde_json::to_string(&certificate).unwrap();
        let read: Certificate = serde_json::from_str(&text).unwrap();
        assert_eq!(read, certificate);
        let checked = check_for(&read, e, &assumptions).unwrap_or_else(|error| panic!("{line:?}: {error}"));
        assert_eq!(checked.zero, line[0] == "true", "{line:?}");
        assert!(checked.error_bits.is_none_or(|bits| bits >= 64));
    }
}

/// One question for each kind of grounds.
const KINDS: [(&str, &str, &str); 8] = [
    ("sin(x)^2 + cos(x)^2", "1", ""),
    ("sqrt(x^2*y) + abs(z)*exp(x)*exp(-x)", "x*sqrt(y) + abs(z)", "x > 0, y >= 0"),
    ("sin(2*A) + sin(2*B) + sin(2*C)", "4*sin(A)*sin(B)*sin(C)", "A + B + C = pi"),
    ("4*atan(1/5) - atan(1/239)", "pi/4", ""),
    ("cbrt(2 + sqrt(5)) + cbrt(2 - sqrt(5))", "1", ""),
    ("x", "x", ""),
    ("sqrt(x^2)", "x", ""),
    ("x^2", "9*y", "x = 2*y, y > 1/2"),
];

#[test]
fn a_certificate_is_for_one_question_in_any_order() {
    for (left, right, relations) in KINDS {
        let text = {
            let _scope = expr::Scope::enter();
            let (e, assumptions) = read(left, right, relations);
            serde_json::to_string_pretty(&certify(e, &assumptions).unwrap()).unwrap()
        };
        let certificate: Certificate = serde_json::from_str(&text).unwrap();
        // Nodes that were made in another order get other places in sums and products.
        let _scope = expr::Scope::enter();
        expr::parse("exp(-x)*z + y*9 + cos(B)*sin(B) - C*A*sqrt(3)").unwrap();
        let (e, assumptions) = read(left, right, relations);
        let expected =
            if certify(e, &assumptions).unwrap().question == certificate.question { "same" } else { "moved" };
        assert!(check_for(&certificate, e, &assumptions).is_ok(), "{expected}: {left}");
        let other = check_for(&certificate, e + 1, &assumptions);
        assert_eq!(other, Err(Rejection::AnotherQuestion));
        let more = assumptions.clone().and(e, Comparison::NotEqual, Expr::zero());
        assert_eq!(check_for(&certificate, e, &more), Err(Rejection::AnotherQuestion));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_changed_character_is_noticed(kind in 0..KINDS.len(), place: prop::sample::Index, by in "[0-9a-z\"{,.-]") {
        let _scope = expr::Scope::enter();
        let (left, right, relations) = KINDS[kind];
        let (e, assumptions) = read(left, right, relations);
        let certificate = certify(e, &assumptions).unwrap();
        let mut text = serde_json::to_string(&certificate).unwrap();
        let place = place.index(text.len());
        text.replace_range(place..=place, &by);
        let Ok(changed) = serde_json::from_str::<Certificate>(&text) else { return Ok(()) };
        prop_assert!(changed == certificate || check(&changed) == Err(Rejection::Damaged), "{text}");
        // A forger would seal it anew: then it must still show the truth about the question.
        if let Ok(checked) = check_for(&changed.clone().sealed(), e, &assumptions) {
            prop_assert_eq!(checked.zero, !matches!(certificate.grounds, Grounds::Witness { .. }));
            if let (Grounds::Points(own), Grounds::Points(other)) = (&certificate.grounds, &changed.grounds) {
                prop_assert!(other.bits <= own.bits && other.degree >= own.degree && own.points == other.points);
            }
        }
    }
}

#[test]
fn nothing_false_vanishes_at_points() {
    // leave out the branches and sqrt(x^2) = x passes
    for line in identities().into_iter().filter(|line| line[0] == "false") {
        let _scope = expr::Scope::enter();
        let (e, assumptions) = read(line[2], line[3], line.get(4).unwrap_or(&""));
        let question = Question::of(e, &assumptions);
        for turn in [false, true] {
            let found = points(&question, &Solution::default(), turn);
            assert!(found.is_err(), "{line:?}: {found:?}");
        }
        assert!(separation(&question).is_err(), "{line:?}");
    }
}

/// The grounds for a false claim that come nearest to the truth.
fn forged(question: &Question, solved: &Solution) -> Vec<Certificate> {
    let program = prepare(question, solved, false).unwrap();
    let degree = degree::degree(&program).degree;
    let Program { order, fineness, .. } = program;
    let place =
        |point, number| Place { prime: draw(&program, point, number).0.prime().to_string(), draw: number, branches: 1 };
    let certificate = |number| {
        let points = (0..4).map(|point| place(point, number)).collect();
        let grounds = Grounds::Points(Points { order, fineness, points, degree, bits: 64 });
        Certificate { question: question.clone(), solved: solved.clone(), grounds, seal: String::new() }.sealed()
    };
    (0..64).map(certificate).collect()
}

#[test]
fn forged_points_are_rejected() {
    let _scope = expr::Scope::enter();
    for (left, right) in [
        ("sqrt(x^2)", "x"),
        ("abs(x*y)", "x*y"),
        ("sin(x)", "x"),
        ("sqrt(x*y)", "sqrt(x)*sqrt(y)"),
        // e^(iθ/3) at −w is not −e^(iθ/3) at w.
        ("cos(atan2(-y, -x)/3)", "-cos(atan2(y, x)/3)"),
    ] {
        let (e, assumptions) = read(left, right, "");
        for certificate in forged(&Question::of(e, &assumptions), &Solution::default()) {
            let rejection = check_for(&certificate, e, &assumptions).unwrap_err();
            assert!(
                matches!(rejection, Rejection::NotZero | Rejection::Undefined | Rejection::Overclaimed { .. }),
                "{rejection}"
            );
        }
    }
}

#[test]
fn chosen_points_are_rejected() {
    // the prime must follow from the question
    let _scope = expr::Scope::enter();
    let (e, assumptions) = read("sin(x)^2 + cos(x)^2", "1", "");
    let certificate = certify(e, &assumptions).unwrap();
    let with = |change: &dyn Fn(&mut Points)| {
        let Grounds::Points(mut points) = certificate.grounds.clone() else { panic!("{certificate}") };
        change(&mut points);
        check(&Certificate { grounds: Grounds::Points(points), ..certificate.clone() }.sealed())
    };
    assert!(with(&|_| {}).is_ok());
    assert_eq!(
        with(&|points| points.points[0].prime = points.points[1].prime.clone()),
        Err(Rejection::Differs("point"))
    );
    assert_eq!(with(&|points| points.points.swap(0, 1)), Err(Rejection::Differs("point")));
    assert_eq!(with(&|points| points.fineness = 2), Err(Rejection::Differs("order or fineness")));
    assert!(matches!(with(&|points| points.bits += 1), Err(Rejection::Overclaimed { .. })));
    assert!(matches!(with(&|points| points.degree -= 1), Err(Rejection::Overclaimed { .. })));
    assert!(matches!(with(&|points| points.points.clear()), Err(Rejection::Overclaimed { .. })));
}

#[test]
fn a_solution_must_be_the_only_one() {
    let _scope = expr::Scope::enter();
    // x = 1, y = 1 satisfies the equation, but so does much else.
    let (e, assumptions) = read("x", "1", "x = y");
    let one = Question::of(expr::integer(1), &Assumptions::none()).steps;
    let names = Question::of(e, &assumptions).steps.into_iter().filter_map(|line| line.symbol);
    let solved = Solution { steps: one, values: names.map(|name| (name, 0)).collect() };
    assert_eq!(solved.values.len(), 2);
    for certificate in forged(&Question::of(e, &assumptions), &solved) {
        assert!(matches!(check(&certificate), Err(Rejection::Solution(_))));
    }
}

#[test]
fn a_coefficient_that_may_vanish_solves_nothing() {
    let _scope = expr::Scope::enter();
    let solved_for = |left, right, relations| {
        let (e, assumptions) = read(left, right, relations);
        check(&certify(e, &assumptions).unwrap()).unwrap().solved_for
    };
    assert_eq!(solved_for("x^2", "4*y^2", "x = 2*y"), Vec::<String>::new());
    assert_eq!(solved_for("x", "(1 + z)/2", "x + y = 1, x - y = z"), Vec::<String>::new());
    assert_eq!(solved_for("x", "z^2*cos(w)^2", "x = y^2, y = z*cos(w)"), Vec::<String>::new());
    let (e, assumptions) = read("y", "0", "x*y = 0");
    assert!(matches!(certify(e, &assumptions), Err(Uncertified::Undecided(_))), "x may vanish instead");
}

#[test]
fn wrong_witnesses_and_constants_are_rejected() {
    let _scope = expr::Scope::enter();
    let seal = |question: &Question, grounds: Grounds| {
        Certificate { question: question.clone(), solved: Solution::default(), grounds, seal: String::new() }.sealed()
    };
    let (e, assumptions) = read("sqrt(x^2)", "x", "x > 0");
    let question = Question::of(e, &assumptions);
    let name = question.steps.iter().find_map(|line| line.symbol.clone()).unwrap();
    let at = |value: &str| {
        let state = vec![(name.clone(), value.to_owned())];
        check(&seal(&question, Grounds::Witness { state, value: "2".to_owned() }))
    };
    assert_eq!(at("-1"), Err(Rejection::Witness("assumption 0 may not hold".to_owned())));
    assert_eq!(at("1"), Err(Rejection::Witness("the value may be zero".to_owned())));
    assert_eq!(at("2/2"), Err(Rejection::Malformed("2/2".to_owned())));
    let (e, assumptions) =
        read("sqrt(2)", "141421356237309504880168872420969807/100000000000000000000000000000000000", "");
    let question = Question::of(e, &assumptions);
    assert_eq!(check(&seal(&question, Grounds::Separation { bits: 1 << 20 })), Err(Rejection::NotZero));
    assert_eq!(check(&seal(&question, Grounds::Arithmetic)), Err(Rejection::NotZero));
    let (e, _) = read("cbrt(2 + sqrt(5)) + cbrt(2 - sqrt(5))", "1", "");
    let weak = check(&seal(&Question::of(e, &assumptions), Grounds::Separation { bits: 3 }));
    assert!(matches!(weak, Err(Rejection::Overclaimed { .. })));
}

#[test]
fn the_checker_does_not_call_the_prover() {
    let files = [
        include_str!("../check.rs"),
        include_str!("degree.rs"),
        include_str!("enclosure.rs"),
        include_str!("point.rs"),
        include_str!("program.rs"),
        include_str!("solution.rs"),
        include_str!("table.rs"),
    ];
    let prover = ["decide", "witness::", "constant::", "numeric", "Evaluator", "expr::Point", "degrees("];
    for file in files {
        let uses = file.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in uses {
            assert!(prover.iter().all(|word| !line.contains(word)), "{line}");
        }
    }
}
