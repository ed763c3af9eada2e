//! What does a student read after a mistake? One broken model a file, its messages beside it.
//!
//! Set `UPDATE_SNAPSHOTS=1` to write the messages anew; read them before you keep them.

use std::path::{Path, PathBuf};

fn broken_models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/errors");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end == "mech")).collect();
    files.sort();
    files
}

#[test]
fn messages_are_those_of_the_snapshots() {
    let update = std::env::var_os("UPDATE_SNAPSHOTS").is_some();
    let mut changed = Vec::new();
    for file in broken_models() {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_str().unwrap();
        let parsed = model::parse(name, &text);
        let messages = parsed.render();
        assert!(parsed.model.is_none() && !messages.is_empty(), "{name} is not broken");
        let snapshot = file.with_extension("txt");
        if update {
            std::fs::write(&snapshot, &messages).unwrap();
        } else if std::fs::read_to_string(&snapshot).unwrap_or_default() != messages {
            changed.push(format!("{name}:\n{messages}"));
        }
    }
    assert!(changed.is_empty(), "messages differ from tests/errors/*.txt:\n\n{}", changed.join("\n"));
}

#[test]
fn there_are_fifty_broken_models_and_more() {
    let files = broken_models();
    let about_units = files.iter().filter(|file| file.file_name().unwrap().to_str().unwrap().starts_with("units_"));
    assert!(files.len() >= 50 && about_units.count() >= 10);
}
