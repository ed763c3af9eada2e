//! Does `sweep` keep its options, keys, files and exit codes?

mod common;

use std::fs;

use common::{Folder, json, says};

const MODEL: &str = "gallery:double-pendulum";

/// The bytes of the parts in a folder.
fn parts(folder: &Folder) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = fs::read_dir(folder.file("swept")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Whether the bytes of a float stand in a part: values are not packed.
fn holds(part: &[u8], value: f64) -> bool {
    part.windows(8).any(|window| window == value.to_le_bytes())
}

#[test]
fn a_point_has_the_digits_of_set_whatever_the_threads() {
    // draw with the number of the thread, or forget a value, and this fails
    let (one, three) = (Folder::new(), Folder::new());
    let vary = "a1=0.5|0.75, a2~uniform(-1, 1):3";
    for (folder, threads) in [(&one, "1"), (&three, "3")] {
        let words = ["sweep", MODEL, "--vary", vary, "--for", "2", "--what", "a1", "--threads", threads];
        let found = json(&[&words[..], &["--out", &folder.file("swept")]].concat());
        assert_eq!((&found["points"], &found["failed"], &found["stopped"]), (&6.into(), &0.into(), &false.into()));
        assert_eq!(found["columns"], serde_json::json!(["point", "a1", "a2", "a1_end", "error"]));
        assert_eq!(found["parts"].as_array().unwrap().len(), 1);
    }
    assert_eq!(parts(&one), parts(&three));
    // a2 of the first point by hand: Philox at the counter (0, 0)
    let a2 = -1.0 + 2.0 * ((0x1655_4d9e_ca36_314c_u64 >> 11) as f64 / (1_u64 << 53) as f64);
    let set = format!("a2={a2:?}");
    let end = json(&["simulate", MODEL, "--for", "2", "--every", "2", "--set", "a1=0.5", "--set", &set]);
    let part = &parts(&one)[0];
    assert!(holds(part, a2) && holds(part, end["final"]["a1"].as_f64().unwrap()));
    let text = String::from_utf8_lossy(part);
    assert!(text.contains("anholon.model") && text.contains("system \"Double pendulum\"") && text.contains(vary));
}

#[test]
fn a_sweep_goes_on_where_it_was() {
    let folder = Folder::new();
    let words = ["sweep", MODEL, "--vary", "a1=0..1:1030", "--what", "a1'", "--out", &folder.file("swept")];
    let whole = json(&words);
    assert_eq!(whole["parts"].as_array().unwrap().len(), 2);
    let before = parts(&folder);
    fs::remove_file(whole["parts"][1].as_str().unwrap()).unwrap();
    says(&words, 2, &["is there already", "--resume"]);
    let again = json(&[&words[..], &["--resume"]].concat());
    assert_eq!((&again["kept"], again["parts"].as_array().unwrap().len()), (&1.into(), 2));
    assert_eq!(parts(&folder), before);
    let other = ["sweep", MODEL, "--vary", "a1=0..2:1030", "--what", "a1'", "--out", &folder.file("swept"), "--resume"];
    says(&other, 2, &["was made for another sweep"]);
}

#[test]
fn a_point_without_an_answer_is_a_row_with_its_reason() {
    let folder = Folder::new();
    let words =
        ["sweep", "gallery:cart-pendulum", "--vary", "m=0|1", "--what", "eigenvalues", "--out", &folder.file("swept")];
    let found = json(&words);
    assert_eq!((&found["failed"], &found["reasons"][0]["point"]), (&1.into(), &0.into()));
    let reason = found["reasons"][0]["reason"].as_str().unwrap().to_owned();
    assert!(String::from_utf8_lossy(&parts(&folder)[0]).contains(&reason));
}

#[test]
fn what_goes_wrong_is_said_before_anything_is_computed() {
    let folder = Folder::new();
    let ask = |more: &[&str], says_so: &[&str]| {
        let out = folder.file("swept");
        says(&[&["sweep", MODEL, "--out", &out], more].concat(), 2, says_so);
    };
    ask(&[], &["nothing is varied", "--vary"]);
    ask(&["--vary", "a3=0..1:3", "--for", "1"], &["has no `a3` that can be varied", "did you mean"]);
    ask(&["--vary", "a1=0..1", "--for", "1"], &["does not say how many points"]);
    ask(&["--vary", "a1=0..1:2", "--what", "b7", "--for", "1"], &["b7"]);
    ask(&["--vary", "a1=0..1:2", "--what", "event(lands)"], &["needs a motion", "--for"]);
    ask(&["--vary", "a1=0..1:2", "--what", "eigenvalues", "--for", "1"], &["nothing that is asked needs a motion"]);
    ask(&["--points", "nowhere.csv"], &["cannot read nowhere.csv"]);
    assert!(!fs::exists(folder.file("swept")).unwrap(), "nothing is left");
}

#[test]
fn first_order_states_are_varied_and_told() {
    let folder = Folder::new();
    let words = ["sweep", "gallery:muscle-arm", "--vary", "a=0|0.1", "--for", "0.1", "--out", &folder.file("swept")];
    let found = json(&words);
    assert_eq!(found["columns"], serde_json::json!(["point", "a", "phi", "phi'", "a_end", "error"]));
    let end = json(&["simulate", "gallery:muscle-arm", "--set", "a=0.1", "--for", "0.1", "--every", "0.1"]);
    assert!(holds(&parts(&folder)[0], end["final"]["phi"].as_f64().unwrap()));
}

#[test]
fn what_one_start_prepares_serves_the_others_without_a_change() {
    // prepare by whichever point comes first, keep a switch of the one before, or forget a value, and this fails
    let model = "system \"Swing\"\nparam g = 9.81, l = 1, c = 0.3, m = 2\ncoord a, b\npoint P = l*(sin(a), -cos(a)) mass m\n\
        point Q = P + l*(sin(b), -cos(b)) mass m\ngravity (0, -g)\ngeneralized force -c*abs(a')*a' on a\n\
        record side when a >= 1\nstart a = 0.2, b' = 1\n";
    let folder = Folder::new();
    let file = folder.file("swing.mech");
    fs::write(&file, model).unwrap();
    let rows = ["0.5,0.1", "3,-2", "-1.5,0", "2.9,7"];
    let backwards: Vec<&str> = rows.iter().rev().copied().collect();
    for (name, rows) in [("onward", &rows[..]), ("back", &backwards[..])] {
        let (points, out) = (folder.file(&format!("{name}.csv")), folder.file(name));
        fs::write(&points, format!("a,b'\n{}\n", rows.join("\n"))).unwrap();
        let words = ["sweep", &file, "--points", &points, "--for", "3", "--what", "b, event(side)", "--threads", "1"];
        json(&[&words[..], &["--out", &out]].concat());
        let part = fs::read(format!("{out}/part-00000.parquet")).unwrap();
        for row in rows {
            let (a, b) = row.split_once(',').unwrap();
            let set = [format!("a={a}"), format!("b'={b}")];
            let end = json(&["simulate", &file, "--for", "3", "--every", "3", "--set", &set[0], "--set", &set[1]]);
            assert!(holds(&part, end["final"]["b"].as_f64().unwrap()), "{name} {row}");
            for event in end["events"].as_array().unwrap().iter().filter(|event| event["name"] == "side").take(1) {
                assert!(holds(&part, event["t"].as_f64().unwrap()), "{name} {row}");
            }
        }
    }
}
