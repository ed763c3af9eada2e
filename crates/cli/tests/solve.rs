//! `anholon solve` as a user types it: the page, JSON keys, exit codes.

mod common;

use common::says;

#[test]
fn the_page_tells_cases_formulas_and_constants() {
    let words = [
        "motions in closed form",
        "where v_phi != 0 (so with the values of the model)",
        "v_phi = 1.7",
        "Proved by substitution",
    ];
    says(&["solve", "gallery:sled"], 0, &words);
    says(&["solve", "gallery:governor"], 0, &["integral(sqrt(", "libration between", "period ", "±"]);
}

#[test]
fn exit_codes() {
    let words = ["no motion in closed form was found", "there is more than", "Looked for:"];
    says(&["solve", "gallery:double-pendulum"], 3, &words);
    says(&["solve", "gallery:nothing"], 2, &["error:"]);
    says(&["solve", "gallery:rough-ring"], 3, &["friction on `ring`"]);
}

#[test]
fn json_keys() {
    let found = common::json(&["solve", "gallery:atwood"]);
    assert_eq!(found["model"], "gallery:atwood");
    let one = &found["solutions"][0];
    assert_eq!((&one["kind"], &one["proved"]), (&"explicit".into(), &true.into()), "{found}");
    let (_, first) = one["motion"].as_object().unwrap().iter().next().unwrap();
    assert!(["text", "latex", "mathml"].iter().all(|key| first[key].is_string()), "{first}");
    assert!(one["constants"].as_object().unwrap().values().all(|one| one["value"].is_number()), "{found}");
    let none = common::json(&["solve", "gallery:double-pendulum"]);
    assert_eq!(none["solutions"].as_array().unwrap().len(), 0);
    assert!(none["reason"].is_string(), "{none}");
}
