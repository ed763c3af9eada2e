//! Equations as a textbook prints them: its text beside ours, and why ours differs where it does.

mod ask;

use anholon::{Derive, Settings, open};
use ask::derive;

/// The page of a model of the gallery in a form.
fn in_form(model: &str, form: &str) -> anholon::Derivation {
    let loaded = open(&Settings::gallery(model).unwrap()).unwrap();
    derive(&loaded, &Derive { form: Some(form.to_owned()), ..Derive::default() }).unwrap().remove(0)
}

/// The default page of a model of the gallery.
fn page(model: &str) -> anholon::Derivation {
    let loaded = open(&Settings::gallery(model).unwrap()).unwrap();
    derive(&loaded, &Derive::default()).unwrap().remove(0)
}

fn check(model: &str, form: &str, ours: &[&str]) {
    let page = page(model);
    assert_eq!(page.form, form, "{model}");
    let lines: Vec<&str> = page.equations.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(lines, ours, "{model}");
}

#[test]
fn cart_and_pendulum() {
    // Greenwood: (M + m) x'' + m l phi'' cos phi - m l phi'^2 sin phi = F,  x'' cos phi + l phi'' + g sin phi = 0.
    // Ours: what is solved for stands last in its term, and gravity is a load, on the right.
    check(
        "cart-pendulum",
        "lagrange-2",
        &["(M + m)*x'' + m*l*cos(phi)*phi'' - m*l*phi'^2*sin(phi) = F", "cos(phi)*x'' + l*phi'' = -g*sin(phi)"],
    );
    assert!(page("cart-pendulum").notes.contains(&"common factors are divided out of equations: 2 by m*l".to_owned()));
}

#[test]
fn double_pendulum() {
    // Landau and Lifshitz, section 5, problem 1, with their Lagrangian differentiated:
    // (m1 + m2) l1 a1'' + m2 l2 a2'' cos(a1 - a2) + m2 l2 a2'^2 sin(a1 - a2) + (m1 + m2) g sin a1 = 0,
    // l1 a1'' cos(a1 - a2) + l2 a2'' - l1 a1'^2 sin(a1 - a2) + g sin a2 = 0. Ours: gravity on the right.
    check(
        "double-pendulum",
        "lagrange-2",
        &[
            "(m1 + m2)*l1*a1'' + m2*l2*cos(a1 - a2)*a2'' + m2*l2*a2'^2*sin(a1 - a2) = -(m1 + m2)*g*sin(a1)",
            "l1*cos(a1 - a2)*a1'' + l2*a2'' - l1*a1'^2*sin(a1 - a2) = -g*sin(a2)",
        ],
    );
}

#[test]
fn atwoods_machine() {
    // (m1 + m2) x'' = (m1 - m2) g: the same for the other weight, and no multiplier.
    check("atwood", "kane", &["(m1 + m2)*x2'' = (m2 - m1)*g"]);
    assert_eq!(page("atwood").others, ["multipliers"]);
}

#[test]
fn chaplygins_sleigh() {
    // Neimark and Fufaev: u' = l w^2, J w' + m l u w = 0, J about the blade. Ours: all inertia on the left.
    check("chaplygin-sleigh", "kane", &["u' - l*w^2 = 0", "J*w' + m*l*u*w = 0"]);
}

#[test]
fn rolling_hoop() {
    // Routh, with cot theta for cos(theta)/sin(theta): our language has no cot.
    check(
        "hoop",
        "kane",
        &[
            "(m*a^2 + A)*p' - A*q^2*cos(theta)/sin(theta) + (m*a^2 + C)*q*r = -m*g*a*cos(theta)",
            "A*q' + A*p*q*cos(theta)/sin(theta) - C*p*r = 0",
            "(m*a^2 + C)*r' - m*a^2*p*q = 0",
        ],
    );
}

#[test]
fn rolling_disc() {
    // Meirovitch writes the three equations with I = m r^2/4 put in and divided by m r^2, in these coordinates; ours have
    // whole numbers, since they are divided by m r^2/4.
    check(
        "rolling-disc",
        "kane",
        &[
            "(5*sin(lean)^2 + 1)*yaw'' + 6*sin(lean)*spin'' + 2*lean'*(5*yaw'*sin(lean) + spin')*cos(lean) = 0",
            "5*r*lean'' - r*yaw'*(5*yaw'*sin(lean) + 6*spin')*cos(lean) = 4*g*sin(lean)",
            "3*sin(lean)*yaw'' + 3*spin'' + 5*yaw'*lean'*cos(lean) = 0",
        ],
    );
    assert!(page("rolling-disc").singular.is_empty(), "nothing is divided by");
}

#[test]
fn spherical_pendulum() {
    // Lagrange's first kind: m x'' = 2 lambda x, …, and the constraint differentiated twice and halved.
    check(
        "spherical-pendulum",
        "multipliers",
        &["m*x'' = 2*x*lambda_rod", "m*y'' = 2*y*lambda_rod", "m*z'' = 2*z*lambda_rod - m*g"],
    );
    let rod = &page("spherical-pendulum").constraints[0].formula.text;
    assert_eq!(rod, "x*x'' + y*y'' + z*z'' + x'^2 + y'^2 + z'^2 = 0");
}

#[test]
fn spherical_pendulum_solved() {
    // Udwadia and Kalaba write L^2 for x^2 + y^2 + z^2, as we do: the constraint is used, and the page says so.
    let page = in_form("spherical-pendulum", "udwadia-kalaba");
    let lines: Vec<&str> = page.equations.iter().map(|line| line.text.as_str()).collect();
    let expected = [
        "x'' = x*(g*z - x'^2 - y'^2 - z'^2)/l^2",
        "y'' = y*(g*z - x'^2 - y'^2 - z'^2)/l^2",
        "z'' = z*(g*z - x'^2 - y'^2 - z'^2)/l^2 - g",
    ];
    assert_eq!(lines, expected);
    assert!(
        page.notes.iter().any(|note| note.starts_with("constraints are used in the equations: ")),
        "{:?}",
        page.notes
    );
}

#[test]
fn great_circle() {
    // On the sphere and the plane r.n = 0 the mass matrix is |n|^2 a^2/(…)^2; with n a unit vector z'' + z z'^2/(…)^2 = 0.
    // Ours is divided by |n|^2 once and keeps it in the other term: that the normal is a unit vector is a matter of values.
    let page = in_form("great-circle", "kane");
    let expected = "z''/(beta*x - alpha*y)^2 + (alpha^2 + beta^2 + gamma^2)*z*z'^2/(beta*x - alpha*y)^4 = 0";
    assert_eq!(page.equations[0].text, expected);
}

#[test]
fn pages_do_not_depend_on_the_way() {
    // Kane's page for every form in the chart, asked alone or with all others; write a form from itself and this fails
    let loaded = open(&Settings::gallery("rhombus").unwrap()).unwrap();
    let all = derive(&loaded, &Derive { form: Some("all".to_owned()), ..Derive::default() }).unwrap();
    let text = |page: &anholon::Derivation| page.equations.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
    let kane = text(all.iter().find(|page| page.form == "kane").unwrap());
    for form in ["appell", "nielsen", "tzenoff-reduced", "hamel"] {
        assert_eq!(text(all.iter().find(|page| page.form == form).unwrap()), kane, "{form}");
        assert_eq!(text(&in_form("rhombus", form)), kane, "{form} alone");
    }
}

#[test]
fn gyroscope() {
    // Heavy top of Lagrange; d/dt (phi' + psi' cos theta) = 0 is the third equation, written out and divided by C.
    let lines: Vec<String> = page("gyroscope").equations.into_iter().map(|line| line.text).collect();
    assert_eq!(lines[1], "A*theta'' + psi'*((C - A)*psi'*cos(theta) + C*phi')*sin(theta) = m*g*l*sin(theta)");
    assert_eq!(lines[2], "cos(theta)*psi'' + phi'' - psi'*theta'*sin(theta) = 0");
}

#[test]
fn euler_from_a_free_top_by_every_charted_form() {
    // Euler: A p' + (C - B) q r = 0. The model writes body rates as a user does and declares no inverse.
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/targets/top.mech")).unwrap();
    let loaded = open(&Settings::new("top", &text)).unwrap();
    let all = derive(&loaded, &Derive { form: Some("all".to_owned()), ..Derive::default() }).unwrap();
    let charted: Vec<_> = all.iter().filter(|page| page.applicable && !page.kinematics.is_empty()).collect();
    assert!(charted.len() >= 14, "{}", charted.len());
    for page in charted {
        let lines: Vec<&str> = page.equations.iter().map(|line| line.text.as_str()).collect();
        let euler = ["A*p' + (C - B)*q*r = 0", "B*q' + (A - C)*p*r = 0", "C*r' + (B - A)*p*q = 0"];
        assert_eq!(lines, euler, "{}", page.form);
        assert_eq!(page.singular, ["sin(theta) = 0"], "{}", page.form);
    }
}
