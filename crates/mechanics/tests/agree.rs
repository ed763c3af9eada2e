//! Do all forms of all models say the same: accelerations as numbers, equations in a chart as functions?

#![allow(non_snake_case, reason = "inside formulas the letters of the books")]

mod support;

use std::collections::BTreeSet;

use expr::Expr;
use mechanics::chart::ChartKind;
use mechanics::form::{Form, Setting};
use mechanics::formalism::{FORMALISMS, Formalism, formalism};
use mechanics::ingredients::Ingredients;
use mechanics::{LoadKind, Orientation, System};
use proof::{Assumptions, decide};
use support::{accelerations, charts, gallery, reactions, same, with_model};

/// The forms that exist, the stranger left out.
fn forms(given: &Ingredients<'_>) -> Vec<(&'static Formalism, Form)> {
    let made = FORMALISMS.iter().filter(|formalism| !formalism.stranger);
    made.filter_map(|formalism| Some((formalism, (formalism.derive)(given).ok()?))).collect()
}

#[test]
fn every_form_of_every_model_gives_the_same_accelerations() {
    let mut wrong = Vec::new();
    for (name, text) in gallery().into_iter().chain(others()) {
        with_model(&name, &text, |system, rows| {
            let mut first: Option<Vec<f64>> = None;
            for &kind in charts(system) {
                let given = Ingredients::of(system, rows, kind);
                for (formalism, form) in forms(&given) {
                    let found = accelerations(&form, &given);
                    let agrees = match (&found, &first) {
                        (Ok(found), Some(first)) => same(found, first),
                        (found, _) => found.is_ok(),
                    };
                    if !agrees {
                        wrong.push(format!("{name} by {} in {kind:?}: {found:?}, not {first:?}", formalism.name));
                    }
                    first = first.or(found.ok());
                }
            }
        });
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Is an expression zero where quaternions have length one? Energy and dot products differ elsewhere.
fn is_zero_on_norms(e: Expr, system: &System) -> bool {
    let quaternions = system.frames.iter().filter_map(|frame| match frame.orientation {
        Orientation::Quaternion(numbers) => Some(numbers),
        Orientation::Turns(_) => None,
    });
    let root = |[a, b, c, d]: [Expr; 4]| (a, (Expr::one() - b * b - c * c - d * d).sqrt());
    let on_norms: Vec<(Expr, Expr)> = quaternions.map(root).collect();
    let e = expr::substitute(&[e], &on_norms).expect("a root can be put in")[0];
    decide(e, &Assumptions::none()).is_zero()
}

/// Systems that the gallery has not.
fn others() -> Vec<(String, String)> {
    let list = [
        (
            "speeds and a root",
            "coord x, y, z\npoint P = (x, y, z) mass 2 + z\nforce (1, 2, 3) on P\n\
             speed a = x' + z*y'\nspeed b = y'\nconstraint c: z'^2 = x'^2 + (1 + y^2)*y'^2 + 1\n\
             start x = 1, y = 0.5, x' = 1.2, y' = 0.9\nguess z' = 1",
        ),
        (
            "mass that depends on position and time",
            "coord r, a\npoint P = ((r + t)*cos(a), (r + t)*sin(a)) mass 2 + r^2*a + t exhaust (1, r, 0)\n\
             force (1, r', 0) on P\nconstraint c: r' = a*a' + t\nstart r = 1, a = 0.5, a' = 2",
        ),
        (
            "quaternion",
            "coord a, b, c, d\nframe B = N quaternion (a, b, c, d)\npoint P = B*(1, 2, 3)\n\
             body top mass 2 at P frame B inertia (2, 3, 4, 0.1, 0.2, 0.3)\ngravity (0, 0, -9.81)\n\
             start a = 0.5, b = 0.5, c = 0.5, b' = 1, c' = 0.4, d' = -0.3",
        ),
        (
            "disc on a turning table",
            "coord x, y, z, psi, theta, phi\nframe T = N rotated z by 0.3*t^2 + t\n\
             frame E = T rotated z by psi, x by theta\nframe B = E rotated z by phi\npoint G = T*(x, y, z)\n\
             point K = G - E.y\nbody disc mass 2 at G frame B inertia (0.5, 0.5, 1)\ngravity (0, 0, -9.81)\n\
             constraint noslip: velocity(disc at K) = (sin(t), x, 0)\n\
             start theta = 1.2, psi' = 0.7, theta' = 0.3, phi' = 2, x = 0.4, z = 1",
        ),
        (
            "second order in speeds",
            "coord x, y, z\npoint P = (x, y, z*y) mass 2\nforce (1, 2, 3) on P\nspeed u = x' + y*z'\n\
             speed v = z' + t\nconstraint c: x' = z*y'\nconstraint d: y*z'' + x'*y' = x''\n\
             start x = 1, y = 1, z = 0.5, y' = 2, z' = 0.3",
        ),
    ];
    list.map(|(name, text)| (name.to_owned(), text.to_owned())).to_vec()
}

#[test]
fn forms_in_one_chart_are_the_same_functions() {
    let mut wrong = Vec::new();
    for (name, text) in gallery().into_iter().chain(others()) {
        with_model(&name, &text, |system, rows| {
            for &kind in charts(system) {
                let given = Ingredients::of(system, rows, kind);
                let charted = forms(&given).into_iter().filter(|(_, form)| form.written_in == Setting::Chart);
                let charted: Vec<_> = charted.collect();
                let Some((first, rest)) = charted.split_first() else { continue };
                for (formalism, form) in rest {
                    for (a, b) in first.1.equations.iter().zip(&form.equations) {
                        let equal = |a: Expr, b: Expr| (a - b).is_zero() || is_zero_on_norms(a - b, system);
                        if !equal(a.left, b.left) || !equal(a.right, b.right) {
                            wrong.push(format!("{name} in {kind:?}: {} and {}", first.0.name, formalism.name));
                        }
                    }
                }
            }
        });
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn forms_with_multipliers_are_the_same_functions() {
    let names = ["newton-euler", "gauss", "lagrange-1", "lagrange-2", "hamilton", "routh"];
    let usual = formalism("multipliers").expect("multipliers");
    let mut wrong = Vec::new();
    for (name, text) in gallery().into_iter().chain(others()).filter(|(name, _)| name != "quaternion") {
        with_model(&name, &text, |system, rows| {
            let given = Ingredients::of(system, rows, ChartKind::Rates);
            let usual = (usual.derive)(&given).expect("multipliers reach every model");
            for other in names.map(|name| formalism(name).expect("a formalism")) {
                let Ok(form) = (other.derive)(&given) else { continue };
                for (a, b) in usual.equations.iter().zip(&form.equations) {
                    if !(a.left - b.left).is_zero() || !(a.right - b.right).is_zero() {
                        wrong.push(format!("{name}: multipliers and {}", other.name));
                    }
                }
            }
        });
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn reactions_are_the_same_by_every_form_that_gives_them() {
    let mut wrong = Vec::new();
    // The multiplier of a norm is no force: it depends on how the rotation goes on where the length is not one.
    for (name, text) in gallery().into_iter().chain(others()).filter(|(name, _)| name != "quaternion") {
        with_model(&name, &text, |system, rows| {
            let mut first: Option<Vec<f64>> = None;
            let mut routes = 0;
            for &kind in charts(system) {
                let given = Ingredients::of(system, rows, kind);
                for (formalism, form) in forms(&given) {
                    let Some(found) = reactions(&form, rows) else { continue };
                    routes += 1;
                    let known = first.get_or_insert_with(|| found.clone());
                    if !same(&found, known) {
                        wrong.push(format!("{name} by {} in {kind:?}: {found:?}, not {known:?}", formalism.name));
                    }
                }
            }
            assert!(rows.list.is_empty() || routes >= 7, "{name}: {routes} routes to the reactions");
        });
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn at_least_seven_families_reach_every_model_of_particles_and_bodies() {
    for (name, text) in gallery() {
        with_model(&name, &text, |system, rows| {
            let by_energy = system.loads.iter().any(|load| matches!(load.kind, LoadKind::Kinetic(_)));
            if by_energy || rows.any(2) {
                return;
            }
            let given = Ingredients::of(system, rows, ChartKind::Rates);
            let families: BTreeSet<_> = forms(&given).iter().map(|(formalism, _)| formalism.family).collect();
            assert!(families.len() >= 7, "{name}: {families:?}");
        });
    }
}

#[test]
fn the_stranger_agrees_on_geometric_constraints_alone() {
    let stranger = formalism("vakonomic").expect("the stranger");
    let multipliers = formalism("multipliers").expect("multipliers");
    for (name, text) in gallery() {
        with_model(&name, &text, |system, rows| {
            let given = Ingredients::of(system, rows, ChartKind::Rates);
            let Ok(strange) = (stranger.derive)(&given) else { return };
            let usual = (multipliers.derive)(&given).expect("multipliers reach every model");
            let pairs = strange.equations.iter().zip(&usual.equations);
            let equal = pairs.clone().all(|(a, b)| (a.right - b.right).is_zero() && (a.left - b.left).is_zero());
            let geometric = rows.list.iter().all(|row| row.order == 0);
            assert_eq!(equal, strange.remarks.is_empty(), "{name}");
            assert!(equal || !geometric, "{name}");
        });
    }
    for name in ["dobronravov", "chaplygin-sleigh", "hoop", "velocity-cone", "gyroframe"] {
        let (_, text) = gallery().into_iter().find(|(other, _)| other == name).expect("a model of the gallery");
        with_model(name, &text, |system, rows| {
            let given = Ingredients::of(system, rows, ChartKind::Rates);
            let strange = (stranger.derive)(&given).expect("the constraints are of first order");
            let usual = (multipliers.derive)(&given).expect("multipliers reach every model");
            let (a, b) = (accelerations(&strange, &given), accelerations(&usual, &given));
            assert!(!same(&a.expect("numbers"), &b.expect("numbers")), "{name}");
        });
    }
}

#[test]
fn every_formalism_opens_with_its_page() {
    for formalism in FORMALISMS {
        for part in ["//! ```text\n", "(1)", "\n//! Class: ", "\n//! History: ", "\n//! Source: "] {
            assert!(formalism.text.contains(part), "{} has no {part:?}", formalism.name);
        }
    }
}

#[test]
fn a_redundant_row_changes_nothing_for_udwadia_and_kalaba() {
    let once = "coord x, y, z\npoint P = (x, y, z) mass 2\ngravity (0, 0, -9.81)\nconstraint a: x^2 + y^2 + z^2 = 1\n\
                start x = 0.6, z = -0.8, y' = 2, x' = 0";
    let twice = format!("{once}\nconstraint b: x*x' + y*y' + z*z' = 0\nconstraint c: 3*z^2 = 3 - 3*x^2 - 3*y^2");
    let form = formalism("udwadia-kalaba").expect("the form");
    let found = |text: &str, left_out: usize| {
        with_model("pendulum", text, |system, rows| {
            assert_eq!(rows.left_out.len(), left_out);
            let given = Ingredients::of(system, rows, ChartKind::Rates);
            accelerations(&(form.derive)(&given).expect("it applies"), &given).expect("numbers")
        })
    };
    assert!(same(&found(once, 0), &found(&twice, 2)));
}

#[test]
fn the_correction_measures_how_nonholonomic_a_chart_is() {
    let (_, text) = gallery().into_iter().find(|(name, _)| name == "dobronravov").expect("a model of the gallery");
    with_model("dobronravov", &text, |system, rows| {
        let given = Ingredients::of(system, rows, ChartKind::Rates);
        let C = given.correction().expect("a chart").clone();
        // p1 = m q1' with q1' = q3 q2'/b: C = (m/b²) q3 q2' (q3', −q2')
        let [m, b] = ["m", "b"].map(expr::parameter);
        let (q3, q2_dot, q3_dot) = (given.q[2], given.q_dot[1], given.q_dot[2]);
        assert!((C[0] - m * q3 * q2_dot * q3_dot / (b * b)).is_zero(), "{}", C[0]);
        assert!((C[1] + m * q3 * q2_dot * q2_dot / (b * b)).is_zero(), "{}", C[1]);
    });
    let (_, text) = gallery().into_iter().find(|(name, _)| name == "great-circle").expect("a model of the gallery");
    with_model("great-circle", &text, |system, rows| {
        let given = Ingredients::of(system, rows, ChartKind::Rates);
        assert!(given.correction().expect("a chart").iter().all(|C| C.is_zero()));
    });
}
