//! Do answers come in letters? Accelerations and multipliers as the books have them, and the matrices of the equations.

mod ask;

use anholon::answer::{Explicit, MatrixPage};
use anholon::library::GALLERY;
use anholon::{Derive, Equilibria, Settings, open};
use ask::derive;

fn explicit(model: &str) -> Explicit {
    let loaded = open(&Settings::gallery(model).unwrap()).unwrap();
    let wanted = Derive { explicit: true, ..Derive::default() };
    derive(&loaded, &wanted).unwrap().remove(0).explicit.unwrap()
}

fn matrices(model: &str) -> Option<MatrixPage> {
    let mut settings = Settings::gallery(model).unwrap();
    settings.set = if model == "chain" { vec!["n=3".to_owned()] } else { Vec::new() };
    let loaded = open(&settings).unwrap();
    let wanted = Derive { form: Some("multipliers".to_owned()), matrices: true, ..Derive::default() };
    derive(&loaded, &wanted).unwrap().remove(0).matrices
}

#[test]
fn a_pulley_without_mass_stands_in_no_way() {
    // an equation for the multipliers times its mass is 0 = 0, the shortest of all, and nothing was determined
    let tackle = "param m1 = 5 kg, m2 = 2 kg, g = 9.81 m/s^2, r = 0.1 m, J = 0.02 kg*m^2
coord x, y : m
coord theta : rad
frame W = N rotated z by theta
body wheel mass 0 at 0 frame W inertia J
point A = (0, -x) mass m1
point B = (0, -y) mass m2
constraint rope: x = r*theta
constraint loop: y = -2*r*theta
gravity (0, -g)
";
    let loaded = open(&Settings::new("tackle", tackle)).unwrap();
    let wanted = Derive { explicit: true, ..Derive::default() };
    let found = derive(&loaded, &wanted).unwrap().remove(0).explicit.unwrap();
    assert!(found.checked, "{:?}", found.reason);
    assert_eq!(
        found.accelerations.get("x").or(found.accelerations.get("x''")).unwrap().text,
        "(m1 - 2*m2)*g*r^2/((m1 + 4*m2)*r^2 + J)"
    );
}

#[test]
fn worked_examples_come_out_in_letters() {
    // without the constraint in the parts of the equation for λ, the ellipsoid and the great circle get quotients of pages
    for (model, lines) in [
        (
            "ellipsoid",
            &["lambda_surface = (gamma - m*(x'^2/a^2 + y'^2/b^2 + z'^2/c^2))/(2*(x^2/a^4 + y^2/b^4 + z^2/c^4))"][..],
        ),
        ("great-circle", &["x'' = -x*(x'^2 + y'^2 + z'^2)/a^2", "lambda_plane = 0"]),
        ("great-circle", &["lambda_sphere = -m*(x'^2 + y'^2 + z'^2)/(2*a^2)"]),
        ("line", &["x'' = g/3", "lambda_first = m*g/3", "lambda_second = 2*m*g/3"]),
        ("atwood", &["x2'' = (m2 - m1)*g/(m1 + m2)", "lambda_thread = -2*m1*m2*g/(m1 + m2)"]),
        ("wedge", &["x'' = m*g*tan(alpha)/(m*tan(alpha)^2 + M)"]),
        ("dobronravov", &["q3'' = 0", "lambda_track = m*b*q2'*q3'/(q3^2 + b^2)"]),
        ("plane", &["lambda_plane = m*g"]),
        // 5.3, y² = p x; a division by y would fail at the vertex
        ("parabola", &["y'' = -(4*y*y'^2 + g*p^2)/(4*y^2 + p^2)", "lambda_curve = 2*m*(g*y - y'^2)/(4*y^2 + p^2)"]),
        // 5.7: the square of the angular velocity is what stands in the bracket, over l²; nothing is divided by x2 − x1
        (
            "sled",
            &[
                "lambda_rod = -m*((x2' - x1')^2 + (y2' - y1')^2)/(4*l^2)",
                "lambda_blade = m*(x1'*y2' - y1'*x2' + g*(y2 - y1)*sin(alpha))/l^2",
            ],
        ),
        ("pulleys", &["x1'' = -7*g/17", "x2'' = 5*g/17", "x3'' = g/17", "lambda_thread = -24*m*g/17"]),
        // 8.4: the bearings carry the inertia wrench with the opposite sign
        ("inertia-wrench", &["psi'' = M/(2*m*(A^2 + e^2) + Ib)", "lambda_bearing_y = -2*m*A*B*psi'^2"]),
        ("rod-on-discs", &["x'' = 4*F/(4*M + 3*m)", "lambda_floor[1] = m*F/(2*(4*M + 3*m))"]),
        ("cylinder", &["lambda_wall = m*(g*x - x'^2 - y'^2)/(2*a^2)"]),
        // 11.5; the divisor never vanishes, so 4 a y + 1 is not written for it
        (
            "rotating-parabola",
            &["x'' = x*(Omega^2 - 4*a^2*x'^2 - 2*g*a)/(4*a^2*x^2 + 1)", "lambda_turning_plane = -2*m*Omega*x'"],
        ),
    ] {
        let found = explicit(model);
        let texts: Vec<&str> = found.lines.iter().map(|line| line.text.as_str()).collect();
        assert!(found.checked, "{model}: {texts:?}");
        for line in lines {
            assert!(texts.contains(line), "{model} has no `{line}`: {texts:#?}");
        }
    }
}

#[test]
fn reactions_come_out_in_letters() {
    let reactions = |model: &str| {
        let loaded = open(&Settings::gallery(model).unwrap()).unwrap();
        let wanted = Derive { explicit: true, ..Derive::default() };
        let derived = derive(&loaded, &wanted).unwrap().remove(0);
        derived.reactions.into_iter().flat_map(|one| one.lines).collect::<Vec<_>>()
    };
    assert_eq!(reactions("plane")[0], "on P: force (0, 0, m*g)");
    // the threads of Atwood's machine pull with 2 m1 m2 g/(m1 + m2)
    let pulls: Vec<String> = reactions("atwood").into_iter().filter(|line| line.starts_with("on ")).collect();
    assert_eq!(pulls.len(), 2);
    assert!(pulls.iter().all(|line| !line.contains("lambda") && line.contains("2*m1*m2*g/(m1 + m2)")), "{pulls:?}");
}

#[test]
fn every_model_is_solved_in_letters_or_says_why_not() {
    let mut solved = 0;
    for example in GALLERY.iter().filter(|example| !example.is_theorem()) {
        let found = explicit(example.name);
        assert!(found.reason.is_some() || !found.lines.is_empty(), "{}", example.name);
        solved += usize::from(found.reason.is_none() && found.checked);
    }
    assert!(solved > 40, "{solved}");
}

const BEAD: &str = "param m : kg\nparam R : m\nparam g : m/s^2\nparam W : 1/s\nassume R > 0\nassume g > 0\n\
    coord theta : rad\nframe H = N rotated z by W*t\n\
    point P = H*(R*sin(theta), 0, -R*cos(theta)) mass m\ngravity (0, 0, -g)\n";

#[test]
fn equilibria_are_found_without_any_value() {
    let ask = |text: &str| ask::equilibria(&Settings::new("bead.mech", text), &Equilibria::default());
    let set = ask(BEAD).unwrap();
    assert!(set.complete && set.equilibria.is_empty() && set.without_values == ["m", "R", "g", "W"]);
    let of = |text: &str| set.branches.iter().find(|one| one.values.0[0].1 == text).unwrap();
    let (low, tilted, high) = (of("0"), of("acos(g/(R*W^2))"), of("pi"));
    assert_eq!(low.stability.as_deref(), Some("stable while g - R*W^2 > 0, unstable while g - R*W^2 < 0"));
    assert!(tilted.stability.as_deref().unwrap().starts_with("stable while") && !tilted.conditions.is_empty());
    assert_eq!(high.stability.as_deref(), Some("unstable"));
    // masses are positive without being told
    assert!(set.assumptions.contains(&"m > 0".to_owned()), "{:?}", set.assumptions);
    let work = set.virtual_work.unwrap();
    assert_eq!(work.potential.unwrap().text, "-m*R^2*W^2*sin(theta)^2/2 - m*g*R*cos(theta)");
    // a kinetic energy without a sign decides nothing
    let set =
        ask("param a : kg\nparam k : N/m\nassume k > 0\ncoord x : m\nkinetic a*x'^2/2\npotential k*x^2/2\n").unwrap();
    assert_eq!((set.branches.len(), set.branches[0].stability.as_deref()), (1, None));
    // numbers are asked for where a place is
    let near = Equilibria { near: Some("theta = 1".to_owned()), ..Equilibria::default() };
    let refused = ask::equilibria(&Settings::new("bead.mech", BEAD), &near);
    assert!(refused.is_err_and(|error| error.to_string().contains("have no value")));
    // what has a sign in the model only through values keeps it
    let set = ask(&BEAD.replace("param W : 1/s", "param W = 3 1/s")).unwrap();
    assert!(set.assumptions.contains(&"W > 0".to_owned()) && set.without_values.len() == 3);
}

/// Branches of a model in letters: its values, and its stability.
fn rests(text: &str) -> Vec<(String, String)> {
    let set = ask::equilibria(&Settings::new("rest.mech", text), &Equilibria::default()).unwrap();
    assert!(set.complete, "{}", set.completeness);
    let values = |one: &anholon::answer::Branch| {
        one.values.0.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
    };
    set.branches.iter().map(|one| (values(one), one.stability.clone().unwrap_or_default())).collect()
}

#[test]
fn worked_examples_of_statics_come_out_in_letters() {
    let has = |text: &str, values: &str, stability: &str| {
        let found = rests(text);
        let is_it = |one: &(String, String)| one.0 == values && one.1.starts_with(stability);
        assert!(found.iter().any(is_it), "no `{values}` that is {stability}: {found:#?}");
        found.len()
    };
    // 8.2
    let governor = "param m, m1 : kg\nparam l : m\nparam g : m/s^2\nparam Omega : rad/s\nassume g > 0\nassume l > 0\n\
        assume Omega > 0\ncoord phi, psi : rad\nframe S = N rotated x by psi\n\
        point ball1 = S*(l*cos(phi), l*sin(phi), 0) mass m\npoint ball2 = S*(l*cos(phi), -l*sin(phi), 0) mass m\n\
        point sleeve = (2*l*cos(phi), 0, 0) mass m1\ngravity (g, 0, 0)\nconstraint drive: psi = Omega*t\n";
    has(governor, "phi = acos((m + m1)*g/(m*l*Omega^2)), drive = 0", "stable while m*l*Omega^2 - (m + m1)*g > 0");
    // 11.1 with the guide built in: Q = 2 F cot(phi)
    let rhombus = "param l : m\nparam F : N\nparam m : kg\nassume l > 0\nassume F > 0\ncoord phi : rad\nunknown Q : N\n\
        point B = (0, 2*l*sin(phi)) mass m\npoint C = l*(cos(phi), sin(phi)) mass m\nforce F*N.y on B\nforce Q*N.x on C\n";
    has(rhombus, "phi = atan2(2*F/sqrt(4*F^2 + Q^2), Q/sqrt(4*F^2 + Q^2))", "stable");
    // 11.2
    let thread = "param P : N\nparam R : m\nparam g : m/s^2\nassume P > 0\nassume R > 0\nassume g > 0\ncoord r, z : m\n\
        point thread = (r, 0, z) mass P/g\ngravity (0, 0, -g)\nunknown T : N\ngeneralized force -2*pi*T on r\n\
        constraint sphere: r^2 + z^2 = R^2\n";
    has(thread, "z = sqrt(R^2 - r^2), T = P*r/(2*pi*sqrt(R^2 - r^2)), sphere = P/(2*sqrt(R^2 - r^2))", "");
    // 11.3: the signs of sine and cosine follow from the bounds of the angle
    let slots = "param m1, m2 : kg\nparam a : m\nparam g : m/s^2\nparam alpha : rad\nassume a > 0\nassume g > 0\n\
        assume alpha > 0\nassume alpha < pi/2\ncoord x, y : m\npoint P1 = (x, 0) mass m1\npoint P2 = (0, y) mass m2\n\
        gravity g*(sin(alpha), cos(alpha))\nconstraint rod: x^2 + y^2 = a^2\n";
    let root = "sqrt(m1^2*sin(alpha)^2 + m2^2*cos(alpha)^2)";
    let places = format!("x = m1*a*sin(alpha)/{root}, y = m2*a*cos(alpha)/{root}, rod = -g*{root}/(2*a)");
    assert_eq!(has(slots, &places, "stable"), 2);
    assert!(
        ask::equilibria(&Settings::new("s.mech", &slots.replace("pi/2", "4")), &Equilibria::default())
            .is_ok_and(|set| !set.complete)
    );
    // 11.4: of four places one is stable
    let couple = "param P, K : N\nparam a : m\nparam g : m/s^2\nassume P > 0\nassume a > 0\nassume g > 0\nassume K > 0\n\
        coord phi, psi : rad\nframe A = N rotated z by phi\nframe B = N rotated z by psi\npoint C = a*A*(0, -1, 0)\n\
        body OA mass P/g at C frame A inertia P*a^2/(3*g)\n\
        body AB mass P/g at 2*C + a*B*(0, -1, 0) frame B inertia P*a^2/(3*g)\ngravity (0, -g)\ntorque K*a*N.z on AB\n";
    assert_eq!(has(couple, "phi = 0, psi = asin(K/P)", "stable while P - K > 0"), 4);
    // 11.6: a support that only pushes; N = P
    let edge = "param P : N\nparam l : m\nparam g : m/s^2\nassume P > 0\nassume l > 0\nassume g > 0\ncoord beta, phi : rad\n\
        frame R = N rotated z by -beta\nframe S = N rotated z by phi\npoint A = l*R.x\npoint D = (l, 0)\n\
        body OA mass P/g at A/2 frame R inertia P*l^2/(12*g)\n\
        body AB mass 2*P/g at A + l*S.x frame S inertia 2*P*l^2/(3*g)\ngravity (0, -g)\n\
        constraint edge: dot(A - D, S.y) >= 0\n";
    let places = rests(edge);
    assert!(
        places.iter().any(|one| one.0.contains("phi = acos(sqrt(51)/10 + 1/10), edge = P") && one.1 == "stable"),
        "{places:#?}"
    );
    assert!(places.iter().all(|one| !one.0.contains("edge = -P")), "{places:#?}");
}

#[test]
fn matrices_give_the_equations_and_m_dot_less_2c_is_skew() {
    let mut with_c = 0;
    for example in GALLERY.iter().filter(|example| example.name != "bicycle" && !example.is_theorem()) {
        let Some(page) = matrices(example.name) else { continue };
        assert!(page.checked, "{}", example.name);
        assert_eq!(page.M.len(), page.q.len(), "{}", example.name);
        with_c += usize::from(page.C.is_some());
    }
    assert!(with_c > 30, "{with_c}");
    let page = matrices("double-pendulum").unwrap();
    assert_eq!(page.M[0], ["(m1 + m2)*l1^2", "m2*l1*l2*cos(a1 - a2)"]);
    assert_eq!(page.C.unwrap()[0], ["0", "m2*l1*l2*a2'*sin(a1 - a2)"]);
    assert_eq!(page.g.unwrap()[1], "m2*g*l2*sin(a2)");
    assert_eq!(page.Gamma.get("a1; a2, a2").map(String::as_str), Some("m2*l1*l2*sin(a1 - a2)"));
    assert!(page.latex.get("M").unwrap().starts_with(r"M = \begin{pmatrix}"));
    assert!(page.mathml.get("M").unwrap().contains("<mtable>"));
}
