//! Systems that would take long: they come apart after all, or the answer says that the work is too much.

use algebra::{Condition, Obstacle, solve};
use expr::{Comparison, Expr, Scope};

fn asked(equations: &[&str], unknowns: &[&str], positive: &[&str]) -> Result<Vec<String>, Obstacle> {
    let read = |text: &&str| -> Expr { expr::parse(text).expect("an expression") };
    let equations: Vec<Expr> = equations.iter().map(read).collect();
    let unknowns: Vec<Expr> = unknowns.iter().map(read).collect();
    let known: Vec<Condition> =
        positive.iter().map(|text| Condition { value: read(text), comparison: Comparison::Greater }).collect();
    let found = solve(&equations, &unknowns, &known)?;
    Ok(found.branches.iter().map(ToString::to_string).collect())
}

#[test]
fn a_factor_that_coefficients_share_is_found() {
    let _scope = Scope::with_seed(1);
    let equation = "a*sin(x)^2 + b*sin(x)*cos(x) - 3*b*cos(x)/5 - 9*a/25";
    for positive in [&["a", "b"][..], &["a"], &[]] {
        let found = asked(&[equation], &["x"], positive).unwrap_or_else(|obstacle| panic!("{positive:?}: {obstacle}"));
        assert!(found.contains(&"x = asin(3/5)".to_owned()), "{found:?}");
        assert!(found.contains(&"x = pi - asin(3/5)".to_owned()), "{found:?}");
        assert!(found.len() >= 4, "{found:?}");
    }
}

#[test]
fn a_system_that_is_too_much_work_says_so() {
    let _scope = Scope::with_seed(1);
    let equations =
        ["k*sin(x - y) + m*sin(x)", "k*sin(y - x) + c*sin(y - z) + a*sin(y)", "c*sin(z - y) + b*sin(z) - F"];
    let found = asked(&equations, &["x", "y", "z"], &[]).expect_err("no solution");
    assert!(matches!(found, Obstacle::TooMuchWork { .. }), "{found}");
    assert!(found.to_string().contains("steps of simplification"), "{found}");
}

#[test]
fn the_same_question_is_not_asked_for_ever() {
    // whether a pivot vanishes that stays undecided when it is assumed to
    let _scope = Scope::with_seed(1);
    let equations = ["k*sin(x - y) + m*sin(x)", "k*sin(y - x) + k*sin(y - z) + m*sin(y)", "k*sin(z - y) + m*sin(z)"];
    let found = asked(&equations, &["x", "y", "z"], &["k", "m"]).expect_err("no solution");
    assert!(matches!(found, Obstacle::Undecided { .. }), "{found}");
}

#[test]
fn products_of_terms_are_work_too() {
    // two angles: the resultant of half angles has a thousand terms, and hardly anything to simplify
    let _scope = Scope::with_seed(1);
    let equations = ["26*cos(2*y - 2*x) - 58*sin(y - 2*x)", "-26*cos(2*y - 2*x) + 42*sin(2*y) + 29*sin(y - 2*x)"];
    let found = asked(&equations, &["x", "y"], &[]).expect_err("no solution");
    assert!(matches!(found, Obstacle::TooMuchWork { .. }), "{found}");
}
