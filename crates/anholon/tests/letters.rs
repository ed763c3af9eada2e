//! Do answers come in letters? Accelerations and multipliers as the books have them, and the matrices of the equations.

mod ask;

use anholon::answer::{Explicit, MatrixPage};
use anholon::library::GALLERY;
use anholon::{Derive, Settings, open};
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
            &["lambda_surface = m*(gamma/m - x'^2/a^2 - y'^2/b^2 - z'^2/c^2)/(2*(x^2/a^4 + y^2/b^4 + z^2/c^4))"][..],
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
