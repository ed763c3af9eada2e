//! Expressions written anew: what comes out, and that it is the same.

use expr::Scope;

/// Input and output, line by line; `-` where nothing may come out.
fn check(table: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (from, to) in table {
        let _scope = Scope::with_seed(7);
        let e = expr::parse(from).unwrap();
        let made = reading::rewritten(e, 60, &mut 2_000_000).map_or("-".to_owned(), |made| made.to_string());
        if made != *to {
            wrong.push(format!("{from}\n    gives    {made}\n    expected {to}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn sums_and_products() {
    check(&[
        ("x*(y + 1) - x*y", "x"),
        ("(x + y)^2 - x^2 - y^2", "2*x*y"),
        ("(x^2 - 1)/(x - 1)", "x + 1"),
        ("1/(x + 1) + 1/(x - 1)", "-2*x/((x + 1)*(1 - x))"),
        ("x/(x + y) + y/(x + y)", "1"),
        ("1/(1/x + 1/y)", "x*y/(x + y)"),
        ("(x - y)^3/(x^2 - 2*x*y + y^2)", "x - y"),
        ("3/7", "3/7"),
    ]);
}

#[test]
fn sines_and_cosines() {
    check(&[
        ("A*sin(x)^2 + A*cos(x)^2", "A"),
        ("A*sin(x)^2 + B*cos(x)^2", "(A - B)*sin(x)^2 + B"),
        ("cos(a)*cos(b) + sin(a)*sin(b)", "cos(a - b)"),
        ("M + m - m*cos(x)^2", "m*sin(x)^2 + M"),
        ("tan(x)*cos(x)", "sin(x)"),
        ("(1 - cos(x)^2)/sin(x)", "sin(x)"),
        ("sin(x)*cos(x)/(1 + cos(2*x))", "tan(x)/2"),
        ("sin(x/2)*cos(x/2)", "sin(x)/2"),
        ("(r*sin(x) - p*cos(x))/sin(x)", "r - p*cos(x)/sin(x)"),
    ]);
}

#[test]
fn what_drops_out_is_not_written() {
    check(&[
        ("(B*p*q - A*p*q)*sin(phi)^2 + (B*p*q - A*p*q)*cos(phi)^2", "p*q*(B - A)"),
        ("(sin(psi)*x + cos(psi)*y)^2 + (cos(psi)*x - sin(psi)*y)^2", "x^2 + y^2"),
    ]);
}

#[test]
fn roots_and_functions_stay() {
    check(&[
        ("sqrt(x + y)^3/(x + y)", "sqrt(x + y)"),
        ("(sqrt(x + y) + 1)*(sqrt(y + x) - 1)", "x + y - 1"),
        ("exp(x)*(a + b) - exp(x)*b", "a*exp(x)"),
    ]);
}

#[test]
fn the_text_is_the_same_for_every_seed() {
    let from = "(A*(p*sin(x)*cos(y) + q*cos(x))^2 + B*(p*sin(x)*sin(y) - q)^2)/(sin(x)^2 - 1) + tan(x)^2*(A + B)*q^2";
    let texts: Vec<String> = (0..5)
        .map(|seed| {
            let _scope = Scope::with_seed(seed);
            let e = expr::parse(from).unwrap();
            reading::rewritten(e, 100, &mut 10_000_000).unwrap().to_string()
        })
        .collect();
    assert!(texts.iter().all(|text| *text == texts[0]), "{texts:#?}");
}

#[test]
fn work_and_terms_are_bounded() {
    let _scope = Scope::with_seed(1);
    let e = expr::parse("(a + b + c + d)^4 - (a - b + c - d)^4").unwrap();
    assert!(reading::rewritten(e, 5, &mut 10_000_000).is_none(), "more than five terms");
    let mut work = 200;
    assert!(reading::rewritten(e, 100, &mut work).is_none(), "too little work");
    let made = reading::rewritten(e, 100, &mut 10_000_000).unwrap();
    assert!(made.is_same(e));
}

#[test]
fn random_expressions_are_never_different() {
    let mut told = 0;
    for seed in 0..200u64 {
        let _scope = Scope::with_seed(seed);
        let e = random(seed);
        if let Some(made) = reading::rewritten(e, 60, &mut 1_000_000) {
            assert!(made.is_same(e), "{e} is not {made}");
            told += 1;
        }
    }
    assert!(told > 120, "only {told} were told by their values");
}

/// An expression that depends on the seed alone.
fn random(seed: u64) -> expr::Expr {
    let mut state = seed;
    let mut next = |n: u64| {
        state = expr::field::mix(state, 1);
        state % n
    };
    let mut list: Vec<expr::Expr> = ["a", "b", "x", "y"].map(expr::parameter).to_vec();
    for _ in 0..10 {
        let n = list.len() as u64;
        let (a, b) = (list[next(n) as usize], list[next(n) as usize]);
        list.push(match next(9) {
            0..=2 => a + b,
            3 => a - b,
            4 | 5 => a * b,
            6 => a.try_div(b).unwrap_or(a),
            7 => (list[2] + list[3]).sin() * a,
            _ => list[2].cos() + b,
        });
    }
    list[list.len() - 1]
}
