//! The verbs that read and write model files, as a user types them.

mod common;

use common::{Folder, anholon, text};

#[test]
fn the_gallery_is_listed_shown_and_copied() {
    let folder = Folder::new();
    assert!(text(&anholon(&["gallery"])).contains("sled"));
    assert!(text(&anholon(&["gallery", "show", "sled"])).contains("constraint blade"));
    let wrong = anholon(&["gallery", "show", "sledd"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong).contains("did you mean `sled`?"), "{}", text(&wrong));
    let file = folder.file("mine.mech");
    assert_eq!(anholon(&["gallery", "copy", "sled", &file]).status.code(), Some(0));
    assert_eq!(anholon(&["gallery", "copy", "sled", &file]).status.code(), Some(2), "a file is never overwritten");
    let list = anholon(&["gallery", "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&list.stdout).unwrap();
    assert!(value["models"].as_array().is_some_and(|models| models.len() >= 36), "{value}");
}

#[test]
fn the_template_is_canonical_and_fmt_mends_a_file() {
    let folder = Folder::new();
    let file = folder.file("new.mech");
    assert_eq!(anholon(&["new", &file]).status.code(), Some(0));
    assert_eq!(
        anholon(&["fmt", "--check", &file]).status.code(),
        Some(0),
        "{}",
        text(&anholon(&["fmt", "--check", &file]))
    );
    std::fs::write(&file, "param   m=1 kg   # a mass\n").unwrap();
    assert_eq!(anholon(&["fmt", "--check", &file]).status.code(), Some(1));
    assert_eq!(anholon(&["fmt", &file]).status.code(), Some(0));
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("param m = 1 kg"), "comments and values are kept");
    std::fs::write(&file, "parm m = 1 kg\n").unwrap();
    let broken = anholon(&["fmt", &file]);
    assert_eq!(broken.status.code(), Some(2));
    assert!(text(&broken).contains("param"), "{}", text(&broken));
}
