//! Is what was simplified before told again as it was found, whatever was asked in between?

use expr::{Expr, Scope, parse, simplify_within};

const TEXTS: [&str; 6] = [
    "m*l^2*sin(a)^2 + m*l^2*cos(a)^2",
    "(A*cos(x)^2 + B*sin(x)^2)*(p*sin(x) + q*cos(x))^2 + (A*p + B*q)^3*cos(x)*sin(x)",
    "(x^2 + 3*x + 2)/(x^2 + 5*x + 6) + (a*x + a*y)/(b*x + b*y)",
    "(a + b*sin(x))^4*(c + d*cos(x))^4 - (a - b*sin(x))^4*(c - d*cos(x))^4",
    "cos(a)*cos(b)*x + sin(a)*sin(b)*x + sqrt(x^2*cos(a)^2 + x^2*sin(a)^2)",
    "(p*q + r)^5/(p + q*r)^2 + (p*q - r)^5/(p - q*r)^2",
];
const ALLOWED: [u64; 7] = [40, 300, 2_000, 15_000, 25_000, 60_000, 600_000];

/// The text that comes out with so many steps, and how many of them are left.
fn asked(text: &str, allowed: u64) -> (String, u64) {
    let mut left = allowed;
    let e: Expr = parse(text).unwrap();
    let simple = simplify_within(e, &[], &mut left);
    (simple.to_string(), left)
}

#[test]
fn the_answer_is_that_of_a_fresh_graph() {
    for text in TEXTS {
        for allowed in ALLOWED {
            let fresh = {
                let _scope = Scope::with_seed(7);
                asked(text, allowed)
            };
            for before in ALLOWED {
                let _scope = Scope::with_seed(7);
                asked(text, before);
                assert_eq!(asked(text, allowed), fresh, "{text} with {allowed} steps after {before}");
                assert_eq!(asked(text, allowed), fresh, "{text} with {allowed} steps, asked again");
            }
        }
    }
}

#[test]
fn letters_and_operations_are_those_of_the_text() {
    let _scope = Scope::with_seed(7);
    for text in TEXTS {
        let e = parse(text).unwrap();
        for _ in 0..2 {
            assert_eq!(e.letters(), e.to_string().chars().count(), "{text}");
        }
    }
    // what is shared counts as often as it is written
    let twice = parse("(a + b)*sin(a + b)").unwrap();
    assert_eq!((twice.operations(), twice.written_operations()), (3, 4));
    let long = (0..60).fold(parse("a + b").unwrap(), |e, _| (e.sin() + e).cos());
    assert_eq!(long.written_operations(), Expr::MOST_WRITTEN);
    assert_eq!(parse("a").unwrap().written_operations(), 0);
}
