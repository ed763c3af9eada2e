//! Verdicts that were once wrong, or could be: each line was seen to fail before its fix.

use expr::{Expr, Scope};
use proof::{Assumptions, Verdict, decide};

fn verdict(left: &str, right: &str, assume: &str) -> Verdict {
    let (sides, domain) = expr::parse_with_domain(&[left, right]).unwrap_or_else(|error| panic!("{error}"));
    let relations = assume.split(',').map(str::trim).filter(|text| !text.is_empty());
    let assumptions = relations.fold(Assumptions::none().within(domain), |assumptions, text| {
        let (left, comparison, right) = expr::parse_relation(text).unwrap_or_else(|error| panic!("{error}"));
        assumptions.and(left, comparison, right)
    });
    decide(sides[0] - sides[1], &assumptions)
}

fn check(table: &str, wrong: impl Fn(&Verdict) -> bool) {
    for line in table.lines().filter(|line| line.contains('|')) {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        for seed in 0..24 {
            let _scope = Scope::with_seed(seed);
            let verdict = verdict(parts[0], parts[1], parts.get(2).unwrap_or(&""));
            assert!(!wrong(&verdict), "{line}, seed {seed}: {verdict:?}");
        }
    }
}

#[test]
fn what_is_not_an_identity_is_never_proved() {
    check(
        "
        abs(abs(x) - 1)           | 1 - abs(x)            | x < 1
        abs(r - abs(s))           | r - abs(s)            | r > s
        sqrt((x - abs(y))^2)      | x - abs(y)            | x > y
        abs(x^9223372036854775809)| x^9223372036854775809
        cos(atan2(-y, -x)/3)      | -cos(atan2(y, x)/3)
        y                         | 0                     | x*y = 0
        sqrt(x*y)                 | sqrt(x)*sqrt(-y)
        sin(x + 1)                | sin(2*x)
        sqrt((x - 1000)^2)        | 1000 - x
        ",
        Verdict::is_zero,
    );
}

#[test]
fn what_is_an_identity_is_never_refuted() {
    check(
        "
        sqrt(x)*sqrt(x)           | sqrt(x*x)
        sqrt(x)^2                 | abs(x)
        exp(log(x))               | abs(x)
        abs(sin(asin(x)) - 2)     | 2 - x
        log(x) - log(x) + abs(x)  | x
        ",
        Verdict::is_nonzero,
    );
}

#[test]
fn fine_angles_and_shifted_facts_are_decided() {
    check(
        "
        sin(2*x/5)                | 2*sin(x/5)*cos(x/5)
        sin(0.1*t)                | 2*sin(0.05*t)*cos(0.05*t)
        exp(x/5)*exp(x/7)         | exp(12*x/35)
        cos(pi/29)^2 + sin(pi/29)^2 | 1
        abs(x - 2)                | 2 - x                 | x < 1
        sqrt(1 - sin(z)^2)        | cos(z)                | cos(z) > 0
        ",
        |verdict| !verdict.is_zero(),
    );
}

#[test]
fn extreme_orders_are_answered_not_fatal() {
    check("x^(1/65537) | y\n abs(x)*sin(asin(x)/65537) | y", |verdict| !verdict.is_nonzero());
}

#[test]
fn assumptions_that_nothing_satisfies_are_noticed() {
    let _scope = Scope::with_seed(1);
    let Verdict::Zero(proof) = verdict("x", "abs(x)", "x < 0, x > 0") else { panic!("vacuously true") };
    assert!(proof.vacuous);
}

#[test]
fn more_roots_than_any_point_has() {
    // pulls and pushes of twelve charges on each other, one at a time: together nothing is left
    let _scope = expr::Scope::with_seed(1);
    let (mut pulls, mut pushes) = (Expr::zero(), Expr::zero());
    for i in 0..12 {
        for j in 0..i {
            let apart = |name: &str| format!("({name}{i} - {name}{j})");
            let distance = format!("({0}^2 + {1}^2)", apart("x"), apart("y"));
            pulls += expr::parse(&format!("{}/{distance}^(3/2)", apart("x"))).unwrap();
            pushes += expr::parse(&format!("{}*sqrt{distance}/{distance}^2", apart("x"))).unwrap();
        }
    }
    assert!(decide(pulls - pushes, &Assumptions::none()).is_zero());
    // one of them twice as strong: no proof, and a witness
    let stronger = expr::parse("(x1 - x0)/((x1 - x0)^2 + (y1 - y0)^2)^(3/2)").unwrap();
    assert!(decide(pulls - pushes + stronger, &Assumptions::none()).is_nonzero());
}
