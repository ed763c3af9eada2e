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
    for example in GALLERY {
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

#[test]
fn matrices_give_the_equations_and_m_dot_less_2c_is_skew() {
    let mut with_c = 0;
    for example in GALLERY.iter().filter(|example| example.name != "bicycle") {
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
