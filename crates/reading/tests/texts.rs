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
        ("1/(x + 1) + 1/(x - 1)", "2*x/((x + 1)*(x - 1))"),
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
