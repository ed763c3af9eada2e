//! The verbs that read and write model files, as a user types them.

mod common;

use common::{File, Folder, anholon, text};

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

#[test]
fn control_characters_never_reach_the_terminal() {
    let file = File::new("evil.mech");
    let text = "system \"a\u{1b}[2Jb\u{9b}31m\u{202e}c\"\nnote \"d\u{7}e\"\nparam m = 1 kg\ncoord x : m\npoint P = (x, 0) mass m\n";
    std::fs::write(file.path(), text).unwrap();
    let is_harmful = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}';
    for verb in [&["check"][..], &["derive"], &["prove"], &["equilibria"], &["linearize"], &["check", "--json"]] {
        let made = anholon(&[&[verb[0], file.path()], &verb[1..]].concat());
        for stream in [&made.stdout, &made.stderr] {
            let told = String::from_utf8_lossy(stream);
            assert!(!told.contains(is_harmful), "{verb:?}: {told:?}");
        }
    }
}

#[test]
fn help_that_cannot_be_written_is_no_success() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let made = std::process::Command::new(env!("CARGO_BIN_EXE_anholon")).arg("--help").stdout(full).status().unwrap();
    assert_eq!(made.code(), Some(3));
}
