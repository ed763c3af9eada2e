//! Do derived equations look as a person would write them? One page of them, to be read.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p anholon --test derive` writes the page.

mod ask;

use ask::derive;
use std::fmt::Write;

use anholon::answer::Correction;
use anholon::library::GALLERY;
use anholon::{Derive, Settings, open};

fn equations(model: &str, form: Option<&str>, set: &[&str]) -> (String, Vec<String>) {
    let mut settings = Settings::gallery(model).unwrap();
    settings.set = set.iter().map(|&text| text.to_owned()).collect();
    let loaded = open(&settings).unwrap();
    let wanted = Derive { form: form.map(str::to_owned), ..Derive::default() };
    let derivation = derive(&loaded, &wanted).unwrap().remove(0);
    (derivation.form.to_owned(), derivation.equations.into_iter().map(|line| line.text).collect())
}

#[test]
fn classics_look_as_in_the_books() {
    // lose a gyroscopic term, or the collection by accelerations, and this fails
    for form in ["kane", "appell", "fundamental"] {
        let (_, euler) = equations("euler-top", Some(form), &[]);
        assert_eq!(euler, ["A*p' + (C - B)*q*r = Lx", "B*q' + (A - C)*p*r = Ly", "C*r' + (B - A)*p*q = Lz"]);
    }
    for form in ["kane", "appell", "fundamental", "maggi"] {
        let (_, hoop) = equations("hoop", Some(form), &[]);
        let expected = [
            "(m*a^2 + A)*p' - A*q^2*cos(theta)/sin(theta) + (m*a^2 + C)*q*r = -m*g*a*cos(theta)",
            "A*q' + A*p*q*cos(theta)/sin(theta) - C*p*r = 0",
            "(m*a^2 + C)*r' - m*a^2*p*q = 0",
        ];
        assert_eq!(hoop, expected, "{form}");
        let (_, pair) = equations("dobronravov", Some(form), &[]);
        assert_eq!(pair, ["(q3^2/b^2 + 1)*q2'' + q3*q2'*q3'/b^2 = 0", "q3'' = 0"], "{form}");
    }
}

#[test]
fn the_nonholonomic_correction_is_what_lagrange_misses() {
    // L T* = P* + C: the sleigh; drop d/dt ∂β/∂u and the sign changes
    let correction = |model: &str| {
        let loaded = open(&Settings::gallery(model).unwrap()).unwrap();
        let wanted = Derive { correction: true, ..Derive::default() };
        derive(&loaded, &wanted).unwrap().remove(0).correction.unwrap()
    };
    let values = |model: &str| match correction(model) {
        Correction::Of(list) => list.into_iter().map(|line| (line.name, line.formula.text)).collect::<Vec<_>>(),
        Correction::None { reason } => panic!("{reason}"),
    };
    let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    assert_eq!(values("chaplygin-sleigh"), [pair("u", "m*l*w^2"), pair("w", "-m*l*u*w")]);
    assert_eq!(values("double-pendulum"), [pair("a1'", "0"), pair("a2'", "0")]);
    assert!(
        matches!(correction("acceleration-program"), Correction::None { reason } if reason.contains("second order"))
    );
}

/// Equations and notes of a model by the usual form.
fn page(text: &str) -> (Vec<String>, Vec<String>) {
    let loaded = open(&Settings::new("own", text)).unwrap();
    let page = derive(&loaded, &Derive::default()).unwrap().remove(0);
    (page.equations.into_iter().map(|line| line.text).collect(), page.notes)
}

#[test]
fn lengths_are_written_on_the_side_of_the_start() {
    // k*r*(l/abs(r) - 1) where the start is not asked; r^2*phi'' where it is not used to divide
    let polar = "param m = 1 kg, k = 40 N/m, l = 1 m, g = 9.81 m/s^2
coord r : m
coord phi : rad
point P = r*(sin(phi), -cos(phi)) mass m
spring k rest l between P and 0
gravity (0, -g)
";
    let right = ["m*r'' - m*r*phi'^2 = m*g*cos(phi) - k*(r - l)", "r*phi'' + 2*r'*phi' = -g*sin(phi)"];
    let (equations, notes) = page(&format!("{polar}start r = 1.2 m\n"));
    assert_eq!(equations, right);
    assert!(notes.iter().any(|note| note == "written for r > 0, the side of the start"), "{notes:?}");
    let (equations, notes) = page(&format!("{polar}assume r > 0\nstart r = 1.2 m\n"));
    assert_eq!(equations, right);
    assert!(!notes.iter().any(|note| note.contains("side")), "{notes:?}");
    // a start at zero decides nothing
    assert!(page(polar).0[0].contains("abs(r)"));
    let (two, _) = page(
        "param m1, m2 : kg
param G : N*m^2/kg^2
coord r : m
coord phi : rad
assume m1 > 0
assume m2 > 0
assume r > 0
let c = (cos(phi), sin(phi))
point A = m2/(m1 + m2)*r*c mass m1
point B = -m1/(m1 + m2)*r*c mass m2
potential -G*m1*m2/norm(A - B)
",
    );
    assert_eq!(two, ["r'' - r*phi'^2 = -(m1 + m2)*G/r^2", "r*phi'' + 2*r'*phi' = 0"]);
}

#[test]
fn distances_are_roots_of_sums_of_squares() {
    let turning = "param m = 1 kg, k = 30 N/m, l = 0.5 m, w = 2 rad/s
coord x1, y1, x2, y2 : m
frame R = N rotated z by w*t
point P1 = x1*R.x + y1*R.y mass m
point P2 = x2*R.x + y2*R.y mass m
spring k rest l between P1 and P2
start x1 = 0.1 m, x2 = 0.7 m
";
    let loaded = open(&Settings::new("own", turning)).unwrap();
    let page = derive(&loaded, &Derive::default()).unwrap().remove(0);
    // expanded it has twice as many letters
    assert_eq!(page.definitions[0].formula.text, "d_P1P2 = sqrt((y1 - y2)^2 + (x1 - x2)^2)");
}

#[test]
fn the_page_of_the_gallery_is_the_one_that_was_read() {
    let mut page = String::new();
    for example in GALLERY.iter().filter(|example| !example.is_theorem()) {
        let set: &[&str] = if example.name == "chain" { &["n=3"] } else { &[] };
        let (form, equations) = equations(example.name, None, set);
        let _ = writeln!(page, "{} by {form}", example.name);
        equations.iter().for_each(|text| {
            let _ = writeln!(page, "  {text}");
        });
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/derive.txt");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(file, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(file).unwrap_or_default(), page);
}
