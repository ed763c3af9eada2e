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
