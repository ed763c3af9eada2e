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
fn governor_8_2() {
    let equation = "-2*l*sin(phi)*((m + m1)*g - m*omega^2*l*cos(phi))";
    check(
        "8.2",
        (equation, "phi", "m > 0, m1 > 0, g > 0, l > 0, omega > 0"),
        &[
            "phi = 0",
            "phi = pi",
            "phi = acos((m + m1)*g/(m*l*omega^2))  if m*l*omega^2 - (m + m1)*g >= 0",
            "phi = -acos((m + m1)*g/(m*l*omega^2))  if m*l*omega^2 - (m + m1)*g >= 0",
            "threshold m*l*omega^2 - (m + m1)*g = 0",
        ],
    );
}

#[test]
fn rhombus_11_1() {
    let signs = "sin(alpha) > 0, F > 0";
    check("with a guide", ("2*F*cos(alpha) - Q*sin(alpha)", "Q", signs), &["Q = 2*F*cos(alpha)/sin(alpha)"]);
    let literal = ("2*F*cos(alpha) - Q*sin(alpha); Q*y/2", "F, Q", "cos(alpha) > 0, y > 0");
    check("as it is stated", literal, &["F = 0, Q = 0"]);
}

#[test]
fn thread_round_a_sphere_11_2() {
    let system = ("P*r/(2*pi*h) - T; h^2 + r^2 - R^2", "T, h", "P > 0, r > 0, R > 0, h > 0");
    check(
        "11.2",
        system,
        &["T = P*r/(2*pi*sqrt(R^2 - r^2)), h = sqrt(R^2 - r^2)  if R^2 - r^2 > 0", "threshold R^2 - r^2 = 0"],
    );
}

#[test]
fn two_points_on_legs_11_3() {
    let signs = "g > 0, a > 0, m1 > 0, m2 > 0, sin(alpha) > 0, cos(alpha) > 0";
    check(
        "by the angle",
        ("g*a*(m1*sin(alpha)*sin(phi) - m2*cos(alpha)*cos(phi))", "phi", signs),
        &["phi = atan(m2*cos(alpha)/(m1*sin(alpha)))", "phi = atan(m2*cos(alpha)/(m1*sin(alpha))) - pi"],
    );
    let system = "x^2 + y^2 - a^2; m1*g*sin(alpha) + 2*lambda*x; m2*g*cos(alpha) + 2*lambda*y";
    let _scope = Scope::with_seed(1);
    let solution = solved(system, "x, y, lambda", signs).expect("a solution");
    assert_eq!(solution.branches.len(), 2);
    // the multiplier is −m1 g sin α/(2 a cos φ), cos φ = x/a
    let multiplier = expr::parse("lambda + m1*g*sin(alpha)/(2*x)").expect("an expression");
    for branch in &solution.branches {
        assert!(branch.put(multiplier).expect("a value").is_zero() && branch.conditions.is_empty(), "{branch}");
    }
}

#[test]
fn double_rod_11_4() {
    let equations = "-3*P*a*sin(phi); M - P*a*sin(psi)";
    check(
        "11.4",
        (equations, "phi, psi", "P > 0, a > 0, M > 0"),
        &[
            "phi = 0, psi = asin(M/(P*a))  if P*a - M >= 0",
            "phi = 0, psi = pi - asin(M/(P*a))  if P*a - M >= 0",
            "phi = pi, psi = asin(M/(P*a))  if P*a - M >= 0",
            "phi = pi, psi = pi - asin(M/(P*a))  if P*a - M >= 0",
            "threshold P*a - M = 0",
        ],
    );
    check("none above the threshold", ("-9*sin(phi); 4 - 3*sin(psi)", "phi, psi", ""), &[]);
    check(
        "a double root at it",
        ("sin(phi); 3 - 3*sin(psi)", "phi, psi", ""),
        &["phi = 0, psi = pi/2  (2 times)", "phi = pi, psi = pi/2  (2 times)"],
    );
}

#[test]
fn bead_on_a_parabola_11_5() {
    check(
        "11.5",
        ("m*(omega^2 - 2*g*a)*x", "x", "m > 0, g > 0, a > 0, omega > 0"),
        &["any x  if omega^2 - 2*g*a = 0", "x = 0", "threshold omega^2 - 2*g*a = 0"],
    );
}

#[test]
fn rods_over_an_edge_11_6() {
    check(
        "11.6",
        ("P*l*(5*cos(2*phi) - 2*cos(phi))", "phi", "P > 0, l > 0"),
        &[
            "phi = acos(sqrt(51)/10 + 1/10)",
            "phi = -acos(sqrt(51)/10 + 1/10)",
            "phi = acos(1/10 - sqrt(51)/10)",
            "phi = -acos(1/10 - sqrt(51)/10)",
        ],
    );
}

#[test]
fn rod_on_an_ellipse_11_7() {
    // A = (0, yA) on the axis, B = (xB, yB) on the ellipse, multipliers of the rod and of the ellipse
    let system = "xB^2 + (yA - yB)^2 - 4*l^2; xB^2/(4*l^2) + (yB - l)^2/l^2 - 1;
        -P/2 + 2*rod*(yA - yB); 2*rod*xB + curve*xB/(2*l^2); -P/2 - 2*rod*(yA - yB) + 2*curve*(yB - l)/l^2";
    check(
        "neutral everywhere",
        (system, "xB, yA, yB, rod, curve", "P > 0, l > 0"),
        &[
            "yA = l + sqrt(4*l^2 - xB^2)/2, yB = l - sqrt(4*l^2 - xB^2)/2, rod = P/(4*sqrt(4*l^2 - xB^2)), \
         curve = -l^2*P/sqrt(4*l^2 - xB^2), any xB  if 4*l^2 - xB^2 > 0",
            "yA = l - sqrt(4*l^2 - xB^2)/2, yB = l + sqrt(4*l^2 - xB^2)/2, rod = -P/(4*sqrt(4*l^2 - xB^2)), \
         curve = l^2*P/sqrt(4*l^2 - xB^2), any xB  if 4*l^2 - xB^2 > 0",
            "xB = 0, yA = 4*l, yB = 2*l, rod = P/(8*l), curve = l*P/2",
            "xB = 0, yA = -2*l, yB = 0, rod = -P/(8*l), curve = -l*P/2",
        ],
    );
    check("with the ellipse put in", ("P*(sin(u) - sin(u))", "u", ""), &["any u"]);
}

#[test]
fn rods_held_by_the_edge_11_6() {
    // the edge closed, L its multiplier
    let system = "5/2*P*l*cos(beta) + L*(l*sin(beta)*sin(phi) - l*cos(beta)*cos(phi));
        -2*P*l*cos(phi) + L*(-(l*cos(beta) - l)*cos(phi) + l*sin(beta)*sin(phi));
        -(l*cos(beta) - l)*sin(phi) - l*sin(beta)*cos(phi)";
    let _scope = Scope::with_seed(1);
    let solution = solved(system, "beta, phi, L", "P > 0, l > 0").expect("a solution");
    let angles: Vec<String> = solution.branches.iter().map(|branch| branch.values[1].1.to_string()).collect();
    let [small, large] = ["acos(sqrt(51)/10 + 1/10)", "acos(1/10 - sqrt(51)/10)"];
    assert_eq!(angles, [large, &format!("-{large}"), small, &format!("-{small}")]);
    for branch in &solution.branches {
        // the edge carries P, and beta = pi - 2 phi
        for known in ["L - P", "cos(beta) + cos(2*phi)", "sin(beta) - sin(2*phi)"] {
            let rest = branch.put(expr::parse(known).expect("an expression")).expect("a value");
            assert!(proof::decide(rest, &proof::Assumptions::none()).is_zero(), "{known} on {branch}");
        }
        assert!(branch.conditions.is_empty(), "{branch}");
    }
}

#[test]
fn rod_in_a_frame_11_7() {
    // B = A + 2 l (sin(theta), -cos(theta)), multipliers of the wall and of the ellipse
    let system = "wall + curve*(xA + 2*l*sin(theta))/(2*l^2);
        -P + 2*curve*(yA - 2*l*cos(theta) - l)/l^2;
        -P*l*sin(theta) + curve*((xA + 2*l*sin(theta))*cos(theta)/l + 4*(yA - 2*l*cos(theta) - l)*sin(theta)/l);
        xA; (xA + 2*l*sin(theta))^2/(4*l^2) + (yA - 2*l*cos(theta) - l)^2/l^2 - 1";
    check(
        "a family and two points",
        (system, "xA, yA, theta, wall, curve", "P > 0, l > 0"),
        &[
            "xA = 0, yA = l*cos(theta) + l, wall = P*tan(theta)/2, curve = -l*P/(2*cos(theta)), any theta  \
             if cos(theta) != 0",
            "xA = 0, yA = 4*l, theta = 0, wall = 0, curve = l*P/2",
            "xA = 0, yA = -2*l, theta = pi, wall = 0, curve = -l*P/2",
        ],
    );
    // an equation that says nothing but c^2 + s^2 = 1 keeps every angle
    check("a circle", ("cos(phi)^2*a + sin(phi)^2*a - a", "phi", ""), &["any phi"]);
}

#[test]
fn force_without_lipschitz_bound() {
    check("remark of section 10", ("alpha*cbrt(x)", "x", "alpha > 0"), &["x = 0"]);
}

#[test]
fn spring_that_may_be_too_short() {
    check(
        "a pitchfork",
        ("k*(sqrt(x^2 + h^2) - l)*x/sqrt(x^2 + h^2)", "x", "k > 0, h > 0, l > 0"),
        &[
            "x = 0",
            "x = sqrt(l^2 - h^2)  if l^2 - h^2 >= 0",
            "x = -sqrt(l^2 - h^2)  if l^2 - h^2 >= 0",
            "threshold l^2 - h^2 = 0",
        ],
    );
}

#[test]
fn a_turned_load() {
    check(
        "every case",
        ("a*cos(phi) + b*sin(phi) - d", "phi", ""),
        &[
            "phi = atan2(b*d + a*sqrt(a^2 + b^2 - d^2), a*d - b*sqrt(a^2 + b^2 - d^2))  if b != 0, a^2 + b^2 - d^2 >= 0",
            "phi = atan2(b*d - a*sqrt(a^2 + b^2 - d^2), a*d + b*sqrt(a^2 + b^2 - d^2))  if b != 0, a^2 + b^2 - d^2 >= 0",
            "phi = acos(d/a)  if b = 0, a != 0, a*(a - d) >= 0, a*(a + d) >= 0",
            "phi = -acos(d/a)  if b = 0, a != 0, a*(a - d) >= 0, a*(a + d) >= 0",
            "any phi  if b = 0, a = 0, d = 0",
            "threshold b = 0",
            "threshold a^2 + b^2 - d^2 = 0",
            "threshold a = 0",
            "threshold a - d = 0",
            "threshold a + d = 0",
            "threshold d = 0",
        ],
    );
}

#[test]
fn roots_that_squaring_would_add_are_left_out() {
    check("one of two", ("sqrt(x) - x + 2", "x", ""), &["x = 4"]);
    check("none", ("sqrt(x) + x + 2", "x", ""), &[]);
}

#[test]
fn unknowns_may_be_bounded() {
    check("by a number", ("x^2 - 4", "x", "x > 0"), &["x = 2"]);
    check("an angle", ("cos(phi) - 1/2", "phi", "phi > 0"), &["phi = pi/3"]);
    check(
        "by a parameter",
        ("x^2 - 4", "x", "x > a"),
        &["x = 2  if 2 - a > 0", "x = -2  if -a - 2 > 0", "threshold 2 - a = 0", "threshold a + 2 = 0"],
    );
}

#[test]
fn angles_in_parts() {
    check("halves", ("sin(phi/2) - cos(phi)", "phi", ""), &["phi = pi/3", "phi = 5*pi/3", "phi = -pi  (2 times)"]);
    check("tangents", ("tan(phi) - k", "phi", "k > 0"), &["phi = atan(k)", "phi = atan(k) - pi"]);
}

#[test]
fn what_stops_it_is_named() {
    check(
        "degree",
        ("x^5 - x - 1", "x", ""),
        &["obstacle: `x^5 - x - 1` is of degree 5 in `x` and does not come apart"],
    );
    check(
        "a function",
        ("exp(x) - x", "x", ""),
        &["obstacle: `x` stands inside `exp(x)`, which no polynomial in it, its sine and cosine can express"],
    );
    check(
        "an angle and its sine",
        ("x - 2*sin(x)", "x", ""),
        &["obstacle: `x` stands by itself and in its sine or cosine, which no polynomial can express"],
    );
}

#[test]
fn branches_that_cross() {
    check("transcritical", ("x*(x - mu)", "x", ""), &["x = 0", "x = mu", "threshold mu = 0"]);
    check(
        "pitchfork",
        ("x^3 - x*mu", "x", ""),
        &["x = sqrt(mu)  if mu >= 0", "x = -sqrt(mu)  if mu >= 0", "x = 0", "threshold mu = 0"],
    );
}

#[test]
fn a_leading_coefficient_may_vanish() {
    // at b = -1 one root is left, and that b = 0 contradicts it must be seen
    let equation = "(b + 1)*x^2 - b^2*x - b^2 + 2*b*x + 4*b - 4";
    check(
        "at b = -1",
        (equation, "x", ""),
        &["x = b - 2", "x = (2 - b)/(b + 1)  if b + 1 != 0", "threshold b + 1 = 0", "threshold b^2 - 4 = 0"],
    );
}

#[test]
fn signs_of_roots_are_seen() {
    check("the larger root", ("x^2 + 2*b*x - d", "x", "b > 0, d > 0, x > 0"), &["x = sqrt(b^2 + d) - b"]);
    check(
        "both roots",
        ("x^2 - 2*b*x + d", "x", "b > 0, d > 0, x > 0"),
        &["x = b + sqrt(b^2 - d)  if b^2 - d >= 0", "x = b - sqrt(b^2 - d)  if b^2 - d >= 0", "threshold b^2 - d = 0"],
    );
    check("a double root", ("x^2 - 2*a*x + a^2", "x", ""), &["x = a  (2 times)"]);
    check("a negative number", ("x*abs(a) - 1", "x", "a < 0"), &["x = -1/a"]);
}

#[test]
fn what_others_contain_is_left_out() {
    check("a point of a family", ("x*(x - y); y*(x - y)", "x, y", ""), &["y = x, any x"]);
    let hidden = "cos(phi)^2 + sin(phi)^2 - 1 + sin(phi)*(cos(phi) - k)";
    check("a square that is one", (hidden, "phi", "k > 1"), &["phi = 0", "phi = pi"]);
}
