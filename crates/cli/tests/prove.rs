//! `anholon prove` and `anholon verify` as a user types them: verdicts, certificates, exit codes.

mod common;

use common::{File, anholon, json, text};
use serde_json::Value;

#[test]
fn every_model_of_the_gallery_is_proved() {
    // a wrong sign in a formalism turns its models to `different`
    for example in anholon::library::GALLERY {
        let model = format!("gallery:{}", example.name);
        let set: &[&str] = if example.name == "chain" { &["--set", "n=4"] } else { &[] };
        let proved = json(&[&["prove", &model], set].concat());
        let wrong: Vec<&Value> = proved["pairs"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|pair| pair["verdict"] != "identical" && pair["verdict"] != "equivalent")
            .collect();
        assert!(wrong.is_empty(), "{model}: {wrong:?}");
        let families = proved["families"].as_u64().unwrap();
        // without particles, or without what is quadratic in the rates, some families do not apply
        let least = match example.name {
            "acceleration-program" => 5,
            "udwadia-kalaba" | "udwadia-kalaba-two" => 3,
            "tzenoff-any" | "tzenoff-any-quasi" | "tzenoff-energy" => 4,
            _ => 7,
        };
        assert!(families >= least, "{model}: {families} families");
        assert!(proved["error_bound"].as_f64().unwrap() < 1e-18, "{model}");
        for key in "model verdict forms pairs assumptions seconds".split(' ') {
            assert!(proved.get(key).is_some(), "{key}");
        }
    }
}

#[test]
fn a_certificate_is_accepted_for_its_model_and_for_no_other() {
    let file = File::new("sled.json");
    let proved = anholon(&["prove", "gallery:sled", "--certificate", file.path()]);
    assert_eq!(proved.status.code(), Some(0), "{}", text(&proved));
    let accepted = anholon(&["verify", file.path(), "gallery:sled"]);
    assert_eq!(accepted.status.code(), Some(0), "{}", text(&accepted));
    assert!(text(&accepted).contains("accepted: 28 forms"), "{}", text(&accepted));
    let other = anholon(&["verify", file.path(), "gallery:dobronravov"]);
    assert_eq!(other.status.code(), Some(1), "{}", text(&other));
    // The same system with another constraint is another question.
    let whole = std::fs::read_to_string(file.path()).unwrap();
    for (old, new) in
        [("\"of\":[1", "\"of\":[2"), ("\"number\":\"2\"", "\"number\":\"3\""), ("\"draw\":0", "\"draw\":1")]
    {
        let changed = whole.replacen(old, new, 1);
        if changed == whole {
            continue;
        }
        std::fs::write(file.path(), &changed).unwrap();
        let rejected = anholon(&["verify", file.path(), "gallery:sled"]);
        assert_eq!(rejected.status.code(), Some(1), "{old} → {new}: {}", text(&rejected));
    }
    std::fs::write(file.path(), "{}").unwrap();
    assert_eq!(anholon(&["verify", file.path(), "gallery:sled"]).status.code(), Some(2));
}

#[test]
fn chosen_forms_are_compared_and_wrong_names_corrected() {
    let few = json(&["prove", "gallery:hoop", "--forms", "kane,hamel,jourdain"]);
    assert_eq!(few["pairs"].as_array().unwrap().len(), 3);
    assert_eq!(few["verdict"], "equivalent");
    let wrong = anholon(&["prove", "gallery:hoop", "--forms", "cane"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong).contains("did you mean `kane`?"));
}
