//! Is every route seen? The steps of each form of each model: their own objects, and every equality checked.

mod ask;

use std::collections::HashMap;

use anholon::answer::Step;
use anholon::library::{GALLERY, forms};
use anholon::{Derive, Settings, open};
use ask::derive;

fn steps(model: &str, form: &str) -> Option<Vec<Step>> {
    let mut settings = Settings::gallery(model).unwrap();
    settings.set = if model == "chain" { vec!["n=3".to_owned()] } else { Vec::new() };
    let loaded = open(&settings).unwrap();
    let wanted = Derive { form: Some(form.to_owned()), steps: true, ..Derive::default() };
    derive(&loaded, &wanted).unwrap().remove(0).steps
}

/// What the route makes for this system: without what is given, the result, formulas in letters and sentences.
fn objects(steps: &[Step]) -> String {
    let own = &steps[1..steps.len() - 1];
    let lines = own.iter().flat_map(|step| &step.lines).filter(|line| line.checked.is_some());
    lines.map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// The models with this remainder, so that tests share the work.
fn ways_differ(remainder: usize) {
    for example in GALLERY.iter().filter(|example| !example.is_theorem()).skip(remainder).step_by(4) {
        let mut seen: HashMap<String, &str> = HashMap::new();
        for form in forms() {
            let Some(steps) = steps(example.name, form.form) else { continue };
            let name = format!("{} by {}", example.name, form.form);
            let numbers: Vec<usize> = steps.iter().map(|step| step.number).collect();
            assert_eq!(numbers, (1..=steps.len()).collect::<Vec<_>>(), "{name}");
            for step in &steps {
                let doubtful = step.lines.iter().find(|line| line.checked == Some(false));
                assert!(step.checked && doubtful.is_none(), "{name}: {}: {doubtful:?}", step.title);
                assert!(!step.text.contains('@') && !step.latex.contains('@'), "{name}: {}", step.text);
            }
            if let Some(other) = seen.insert(objects(&steps), form.form) {
                panic!("{}: {other} and {} make the same", example.name, form.form);
            }
        }
        assert!(seen.len() > 5, "{}: {} forms", example.name, seen.len());
    }
}

#[test]
fn every_form_goes_its_own_way_and_every_equality_is_checked() {
    ways_differ(0);
}

#[test]
fn every_form_goes_its_own_way_in_the_second_quarter() {
    ways_differ(1);
}

#[test]
fn every_form_goes_its_own_way_in_the_third_quarter() {
    ways_differ(2);
}

#[test]
fn every_form_goes_its_own_way_in_the_last_quarter() {
    ways_differ(3);
}

#[test]
fn the_objects_of_the_routes_stand_on_the_page() {
    // the letters of the books, made for Dobronravov's example: drop a step, and its line is missing
    for (form, line) in [
        ("appell", "S* = (m*(q2''^2 + q3''^2) + m*(q3*q2'' + q2'*q3')^2/b^2)/2"),
        ("voronets", "B[q1, q2] = q3'/b"),
        ("voronets", "p[q1] = m*q3*q2'/b"),
        ("chaplygin-25", "C[q2'] = m*q3*q2'*q3'/b^2"),
        ("hamel", "γ[track; q2', q3'] = 1/b"),
        ("gauss", "K = m*(q1''^2 + q2''^2 + q3''^2)/2"),
        ("multipliers", "b[track] = q2'*q3'/b"),
        ("dalembert", "δq1 = q3*δq2/b"),
        ("central", "δq1' − d/dt δq1"),
        ("vakonomic", "T + Σ μ f = "),
        ("udwadia-kalaba", "A M⁻¹ Aᵀ = "),
        ("kane", "∂q1'/∂q2' = q3/b"),
        ("tzenoff", "∂R/∂q1'' = ∂S/∂q1'' = m*q1''"),
        ("hamilton", "q1' = ∂H/∂p[q1] = p_q1/m"),
    ] {
        let steps = steps("dobronravov", form).unwrap();
        let page: Vec<&str> = steps.iter().map(|step| step.text.as_str()).collect();
        assert!(page.join("\n").contains(line), "{form} has no `{line}`:\n{}", page.join("\n"));
    }
}

#[test]
fn the_cone_by_three_routes() {
    // Qiu 1997, (37) to (53), with w1 = π̇₁ and w2 = π̇₂; (46), (51) and (53) as corrected
    let forces =
        ["P*[w1] = (Q2*cos(w1) - Q1*sin(w1))*sqrt(w2)", "P*[w2] = (Q1*cos(w1) + Q2*sin(w1) + Q3)/(2*sqrt(w2))"];
    let accelerations = [
        "q1'' = cos(w1)*w2'/(2*sqrt(w2)) - sqrt(w2)*sin(w1)*w1'",
        "q2'' = sqrt(w2)*cos(w1)*w1' + sin(w1)*w2'/(2*sqrt(w2))",
        "q3'' = w2'/(2*sqrt(w2))",
    ];
    let along = ["Σ m ṽ·d/dt ∂ṽ/∂w1 = -m*w2*w1'", "Σ m ṽ·d/dt ∂ṽ/∂w2 = -m*w2'/(2*w2)"];
    let power = ["δP = m*δq1'*q1'' + m*δq2'*q2'' + m*δq3'*q3'' - Q1*δq1' - Q2*δq2' - Q3*δq3'"];
    let result = ["m*w2*w1' = (Q2*cos(w1) - Q1*sin(w1))*sqrt(w2)"];
    for (form, wanted) in [
        ("jourdain", &[&power[..]][..]),
        ("qiu-31", &[&along[..], &forces, &result]),
        ("qiu-32", &[&accelerations[..], &["T*' = m*w2'", "p[q3] = m*sqrt(w2)"], &forces, &result]),
    ] {
        let steps = steps("velocity-cone", form).unwrap();
        let lines: Vec<&str> = steps.iter().flat_map(|step| &step.lines).map(|line| line.text.as_str()).collect();
        for line in wanted.iter().copied().flatten() {
            assert!(lines.contains(line), "{form} has no `{line}`: {lines:#?}");
        }
    }
}
