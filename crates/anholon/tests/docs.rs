//! Is there a page for each formalism in docs/formalisms, as its file and the program say?
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p anholon --test docs` writes the pages.

use std::fs;
use std::path::Path;

#[test]
fn every_formalism_has_its_page() {
    // change a formula in a header, or the way equations are written, and this fails
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formalisms"));
    let spell = |field: anholon::Field, form: &str| format!("--{field:?} {form}").to_lowercase();
    let spelled = |text: String| anholon::spelled(&text, &spell);
    let pages = anholon::library::formalism_pages().unwrap().into_iter();
    let pages: Vec<(&str, String)> = pages.map(|(name, text)| (name, spelled(text))).collect();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::create_dir_all(folder).unwrap();
        for (name, text) in &pages {
            fs::write(folder.join(format!("{name}.md")), text).unwrap();
        }
    }
    for (name, text) in &pages {
        let written = fs::read_to_string(folder.join(format!("{name}.md"))).unwrap_or_default();
        assert_eq!(&written, text, "docs/formalisms/{name}.md");
    }
    let files = fs::read_dir(folder).unwrap().count();
    assert_eq!(files, pages.len(), "docs/formalisms holds a page of no formalism");
}
