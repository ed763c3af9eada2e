//! The statics of the lecture notes: equations as text in, branches as text out.

use algebra::{Condition, Obstacle, Solution, solve};
use expr::{Expr, Scope};

/// `unknowns` and `assuming` are separated by commas, equations by semicolons.
fn solved(equations: &str, unknowns: &str, assuming: &str) -> Result<Solution, Obstacle> {
    let list = |text: &str| -> Vec<String> {
        text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let equations: Vec<Expr> = equations.split(';').map(|e| expr::parse(e.trim()).expect("an expression")).collect();
    let unknowns: Vec<Expr> = list(unknowns).iter().map(|name| expr::parse(name).expect("a name")).collect();
    let relation = |text: &String| {
        let (left, comparison, right) = expr::parse_relation(text).expect("a relation");
        Condition { value: left - right, comparison }
    };
    let assuming: Vec<Condition> = list(assuming).iter().map(relation).collect();
    solve(&equations, &unknowns, &assuming)
}

fn text(equations: &str, unknowns: &str, assuming: &str) -> String {
    let _scope = Scope::with_seed(1);
    match solved(equations, unknowns, assuming) {
        Err(obstacle) => format!("obstacle: {obstacle}"),
        Ok(solution) => {
            let branches = solution.branches.iter().map(|branch| match branch.multiplicity {
                1 => branch.to_string(),
                n => format!("{branch}  ({n} times)"),
            });
            let thresholds = solution.thresholds.iter().map(|threshold| format!("threshold {threshold}"));
            branches.chain(thresholds).collect::<Vec<_>>().join("\n")
        }
    }
}

fn check(name: &str, (equations, unknowns, assuming): (&str, &str, &str), expected: &[&str]) {
    assert_eq!(text(equations, unknowns, assuming), expected.join("\n"), "{name}");
}

#[test]
fn look() {
    for (e, u, a) in [
        ("x^2 - a", "x", ""),
        ("-2*l*sin(phi)*((m + m1)*g - m*omega^2*l*cos(phi))", "phi", "m > 0, m1 > 0, g > 0, l > 0, omega > 0"),
        ("-3*P*a*sin(phi); M - P*a*sin(psi)", "phi, psi", "P > 0, a > 0"),
        ("-3*P*a*sin(phi); M - P*a*sin(psi)", "phi, psi", "P > 0, a > 0, M > 0"),
        ("m*(omega^2 - 2*g*a)*x", "x", "m > 0, g > 0, a > 0, omega > 0"),
        ("P*l*(5*cos(2*phi) - 2*cos(phi))", "phi", "P > 0, l > 0"),
        ("g*a*(m1*sin(alpha)*sin(phi) - m2*cos(alpha)*cos(phi))", "phi", "g > 0, a > 0, m1 > 0, m2 > 0, sin(alpha) > 0, cos(alpha) > 0"),
        ("x^2 + y^2 - a^2; m1*g*sin(alpha) + 2*lambda*x; m2*g*cos(alpha) + 2*lambda*y", "x, y, lambda", "g > 0, a > 0, m1 > 0, m2 > 0, sin(alpha) > 0, cos(alpha) > 0"),
        ("P*r/(2*pi*h) - T; h^2 + r^2 - R^2", "T, h", "P > 0, r > 0, R > 0"),
        ("2*F*cos(alpha) - Q*sin(alpha)", "Q", "sin(alpha) > 0, F > 0"),
        ("F*y; Q*y", "F, Q", "y > 0"),
        ("xB^2 + (yA - yB)^2 - 4*l^2; xB^2/(4*l^2) + (yB - l)^2/l^2 - 1; -P/2 + 2*la*(yA - yB); 2*la*xB + mu*xB/(2*l^2); -P/2 - 2*la*(yA-yB) + 2*mu*(yB - l)/l^2", "xB, yA, yB, la, mu", "P > 0, l > 0"),
        ("0*u", "u", ""),
        ("alpha*cbrt(x)", "x", "alpha > 0"),
        ("k*(sqrt(x^2 + h^2) - l)*x/sqrt(x^2 + h^2)", "x", "k > 0, h > 0, l > 0"),
        ("a*cos(phi) + b*sin(phi) - d", "phi", ""),
        ("x^2 + y^2 - 5; x*y - 2", "x, y", ""),
        ("x^5 - x - 1", "x", ""),
        ("exp(x) - x", "x", ""),
        ("sqrt(x) - x + 2", "x", ""),
        ("sqrt(x) + x + 2", "x", ""),
        ("x*(x - mu)", "x", ""),
        ("cos(phi) + cos(psi) - 1; sin(phi) + sin(psi)", "phi, psi", ""),
        ("tan(phi) - k", "phi", "k > 0"),
        ("sin(phi/2) - cos(phi)", "phi", ""),
        ("x^3 - x*mu", "x", ""),
        ("a*x + b*y - c; d*x + f*y - g", "x, y", ""),
    ] {
        println!("== {e} for {u}\n{}", text(e, u, a));
    }
}
