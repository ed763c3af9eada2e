//! Do long pages, written with the velocities of bodies under their names, say what the engine computes?
//!
//! The text of a page is read back: its definitions give numbers one after the other, and with the accelerations of
//! `evaluate` both sides of its equations must be equal at the start.

mod ask;

use anholon::library::GALLERY;
use anholon::{Derivation, Derive, Evaluated, Settings, open};
use expr::{At, Expr};

/// A page, and the numbers of the start: parameters, state, accelerations and multipliers.
fn page(name: &str, form: &str) -> (Derivation, Vec<(String, f64)>) {
    let example = GALLERY.iter().find(|example| example.name == name).unwrap();
    let loaded = open(&Settings::new(name, example.text)).unwrap();
    let wanted = Derive { form: Some(form.to_owned()), ..Derive::default() };
    let page = ask::derive(&loaded, &wanted).unwrap().remove(0);
    let Ok(Evaluated::Found(found)) = ask::evaluate(&loaded, Some(form)) else { panic!("{name} is not evaluated") };
    let multipliers = found.multipliers.0.iter().map(|(row, x)| (format!("lambda_{}", row.replace('.', "_")), *x));
    let mut values: Vec<(String, f64)> = found.state.0.iter().chain(&found.accelerations.0).cloned().collect();
    values.extend(multipliers);
    let parameters = loaded.system.parameters.iter().zip(&loaded.start.parameters);
    values.extend(parameters.filter_map(|(one, value)| Some((one.name.clone(), (*value)?))));
    (page, values)
}

/// A name or a formula with plain symbols for rates: what is a rate in one line is none in another.
fn read(text: &str) -> Expr {
    expr::parse(&text.replace("''", "_dd").replace('\'', "_d")).unwrap()
}

/// Left and right of a line of a page.
fn sides(text: &str) -> [Expr; 2] {
    let (left, right) = text.split_once(" = ").unwrap();
    [read(left), read(right)]
}

fn says_what_evaluate_says(name: &str, form: &str) -> Derivation {
    let (page, values) = page(name, form);
    let _scope = expr::Scope::enter();
    let values: Vec<(Expr, f64)> = values.iter().map(|(name, x)| (read(name), *x)).collect();
    let mut at = At::new(&values);
    for definition in &page.definitions {
        let [symbol, value] = sides(&definition.formula.text);
        let value = at.value(value);
        assert!(value.is_finite(), "{name}: {}", definition.formula.text);
        at = at.with(&[(symbol, value)]);
    }
    for equation in page.equations.iter().chain(&page.kinematics) {
        let [left, right] = sides(&equation.text);
        let size: f64 = at.sizes_of_terms(&[left, right]).iter().sum();
        let gap = (at.value(left) - at.value(right)).abs();
        assert!(gap <= 1e-9 * size.max(1.0), "{name} by {form}: {gap:e} of {size:e} in {}", equation.text);
    }
    page
}

#[test]
fn pages_by_bodies_hold_at_the_start() {
    // lose `a0 = … + ω × c'`, a turn of a frame or a row in `bodies.rs`, and its own check takes the page back:
    // the names are gone
    for (name, forms) in [
        ("skew-top", ["kane", "lagrange-2"]),
        ("bicycle", ["kane", "multipliers"]),
        ("egg-on-tray", ["kane", "multipliers"]),
    ] {
        for form in forms {
            let page = says_what_evaluate_says(name, form);
            let is_number = |name: &&&str| name.strip_prefix('z').is_some_and(|rest| rest.parse::<u32>().is_ok());
            let names: Vec<&str> = page.definitions.iter().map(|one| one.name.as_str()).collect();
            assert!(names.iter().any(|name| name.starts_with("omega_")), "{name} by {form}: {names:?}");
            assert!(names.iter().filter(is_number).count() < 130, "{name} by {form}: {names:?}");
            assert!(page.notes.iter().any(|note| note.contains("omega_B_x")), "{:?}", page.notes);
        }
    }
}
