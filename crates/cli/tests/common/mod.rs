//! What tests of the command line share: run it, look for words, read its JSON, use files that are gone afterwards.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

/// Runs the program.
pub fn anholon(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_anholon")).args(arguments).output().expect("the program runs")
}

/// All that it printed.
pub fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Runs the program and looks for words in what it prints, which is the answer.
#[track_caller]
pub fn says(arguments: &[&str], code: i32, words: &[&str]) -> String {
    let output = anholon(arguments);
    let printed = text(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{printed}");
    for word in words {
        assert!(printed.contains(word), "{arguments:?} should say {word:?}:\n{printed}");
    }
    printed
}

/// What it prints with `--json`: JSON and nothing else on standard output.
#[track_caller]
pub fn json(arguments: &[&str]) -> Value {
    let output = anholon(&[arguments, &["--json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", text(&output)))
}

/// A path of its own, where nothing is yet.
fn own_path(name: &str) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("anholon-{}-{count}-{name}", std::process::id()))
}

/// A file that is gone with the test.
pub struct File(PathBuf);

impl File {
    /// One that the program is to write.
    pub fn new(name: &str) -> File {
        File(own_path(name))
    }

    /// One with a text.
    pub fn with(name: &str, text: &str) -> File {
        let file = File::new(name);
        std::fs::write(&file.0, text).unwrap();
        file
    }

    /// A model.
    pub fn model(text: &str) -> File {
        File::with("model.mech", text)
    }

    pub fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    pub fn text(&self) -> String {
        std::fs::read_to_string(&self.0).unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A folder that is gone with the test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        let path = own_path("folder");
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
