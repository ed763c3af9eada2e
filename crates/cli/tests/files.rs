//! The verbs that read and write model files, as a user types them.

use std::path::PathBuf;
use std::process::{Command, Output};

fn anholon(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_anholon")).args(arguments).output().expect("the program runs")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A folder of its own for each test, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("anholon-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_gallery_is_listed_shown_and_copied() {
    let folder = Folder::new("gallery");
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
    let folder = Folder::new("fmt");
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
