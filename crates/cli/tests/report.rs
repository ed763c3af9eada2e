//! `anholon forms`, `explain`, `derive --steps` and `report` as a user types them.

mod common;

use common::{File, anholon, json, says, text};

#[test]
fn the_forms_are_listed_and_explained() {
    let list = says(&["forms"], 0, &["F1  dot products", "  appell", "  vakonomic", "for constraints of every class"]);
    let forms = json(&["forms"]);
    let forms = forms["forms"].as_array().unwrap();
    assert_eq!(forms.len(), 32);
    for form in forms {
        let name = form["form"].as_str().unwrap();
        assert!(list.contains(&format!("  {name} ")), "{name}");
        let page = says(&["explain", name], 0, &["Class:", "History:", "Source:", name]);
        assert!(page.contains(form["formulas"][0].as_str().unwrap()), "{page}");
    }
    assert_eq!(json(&["explain", "appell"])["family"], "F2");
    says(&["explain", "apell"], 2, &["there is no form `apell`", "did you mean `appell`?"]);
}

#[test]
fn steps_come_as_text_latex_mathml_and_json() {
    let derive = ["derive", "gallery:dobronravov", "--form", "appell", "--steps"];
    says(&derive, 0, &["1. Given", "S* = Σ ½ m", "Every equality about this model was checked"]);
    let latex = says(&[&derive[..], &["--latex"]].concat(), 0, &[r"\paragraph{1. Given}", r"S^{*} = "]);
    assert!(!latex.contains('∂') && !latex.contains('Σ'), "{latex}");
    says(&[&derive[..], &["--mathml"]].concat(), 0, &["<math xmlns="]);
    let steps = json(&derive);
    let steps = steps["steps"].as_array().unwrap();
    for (k, step) in steps.iter().enumerate() {
        assert_eq!(step["number"], k + 1);
        assert_eq!(step["checked"], true);
        assert!(["title", "name", "text", "latex", "mathml"].iter().all(|key| step[key].is_string()), "{step}");
    }
    assert!(steps.iter().any(|step| step["name"] == "S*"));
    says(&["derive", "gallery:hoop", "--form", "lagrange-2", "--steps"], 3, &["does not apply"]);
}

#[test]
fn answers_come_in_letters() {
    says(
        &["derive", "gallery:great-circle", "--explicit"],
        0,
        &["x'' = -x*(x'^2 + y'^2 + z'^2)/a^2", "lambda_plane = 0"],
    );
    says(&["derive", "gallery:double-pendulum", "--matrices"], 0, &["C = [ 0 ", "M' − 2C is skew"]);
    let found = json(&["derive", "gallery:atwood", "--explicit", "--matrices"]);
    assert_eq!(found["explicit"]["accelerations"]["x1''"]["text"], "(m1 - m2)*g/(m1 + m2)");
    assert_eq!(found["explicit"]["checked"], true);
    assert_eq!(found["matrices"]["A"][0][0], "1");
}

#[test]
fn a_model_without_a_start_is_looked_at_where_nothing_is_special() {
    // at rest the cone is singular, and Kane's equations did not apply
    let text = "param m = 1, g = 10\ncoord x, y, z\npoint P = (x, y, z) mass m\ngravity (0, 0, -g)\n\
                constraint cone: z'^2 = x'^2 + y'^2\n";
    let model = File::model(text);
    says(&["derive", model.path(), "--form", "kane"], 0, &["z' = sqrt(x'^2 + y'^2)"]);
    says(&["prove", model.path()], 0, &["agree"]);
}

#[test]
fn a_report_is_one_page_that_needs_nothing_else() {
    let page = File::new("report.html");
    says(&["report", "gallery:rolling-disc", "--out", page.path(), "--for", "2"], 0, &["wrote", "Equilibria"]);
    let html = std::fs::read_to_string(page.path()).unwrap();
    for part in ["<h1>Rolling disc</h1>", "<math", "<svg", "Appell", "2^-", "Every equality", "</html>"] {
        assert!(html.contains(part), "{part}");
    }
    // a film of lines, or the viewer of the studio where it is in the build
    assert!(html.contains("<canvas>") || html.contains("anholon-viewer"));
    let outside = html.split("http").skip(1).filter(|rest| !rest.starts_with("://www.w3.org/")).count();
    assert_eq!((outside, html.contains(" src="), html.contains("@import")), (0, false, false));
    let paper = File::new("report.tex");
    says(
        &["report", "gallery:rolling-disc", "--out", paper.path(), "--latex", "--forms", "voronets"],
        0,
        &["Voronets"],
    );
    let tex = std::fs::read_to_string(paper.path()).unwrap();
    assert!(tex.starts_with("\\documentclass") && tex.trim_end().ends_with("\\end{document}"));
    let bad = anholon(&["report", "gallery:hoop", "--out", page.path(), "--forms", "voronetz"]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(text(&bad).contains("did you mean `voronets`?"), "{}", text(&bad));
}
