//! How long are the pages of the gallery, by every form? None may grow.
//!
//! `tests/lengths.txt` keeps them: a line a model, the forms of one length together. `UPDATE_SNAPSHOTS=1 cargo test -p
//! anholon --test lengths` writes it. The bicycle is not among them: its pages take too long.

mod ask;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use anholon::library::GALLERY;
use anholon::{Derive, Settings, open};
use ask::derive;

/// Pages with thousands of characters that take seconds; they are in named parts, and only few of their forms are kept.
const ENDLESS: [&str; 3] = ["bicycle", "seven-rods", "gyroframe"];

/// The characters of equations, constraints, rates and named parts of each form that applies.
fn lengths(settings: &Settings, form: &str) -> BTreeMap<String, usize> {
    let loaded = open(settings).unwrap();
    let wanted = Derive { form: Some(form.to_owned()), ..Derive::default() };
    let mut found = BTreeMap::new();
    for page in derive(&loaded, &wanted).unwrap().into_iter().filter(|page| page.applicable) {
        let named = page.constraints.iter().chain(&page.definitions).map(|named| &named.formula);
        let all = page.equations.iter().chain(&page.kinematics).chain(named);
        found.insert(page.form.to_owned(), all.map(|formula| formula.text.chars().count()).sum());
    }
    found
}

/// `158: appell kane; 966: gauss multipliers`.
fn line(lengths: &BTreeMap<String, usize>) -> String {
    let mut by_length: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    lengths.iter().for_each(|(form, length)| by_length.entry(*length).or_default().push(form));
    let groups: Vec<String> =
        by_length.iter().map(|(length, forms)| format!("{length}: {}", forms.join(" "))).collect();
    groups.join("; ")
}

/// What a line says.
fn read(line: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for group in line.split("; ") {
        let Some((length, forms)) = group.split_once(": ") else { continue };
        let length = length.parse().unwrap();
        found.extend(forms.split(' ').map(|form| (form.to_owned(), length)));
    }
    found
}

#[test]
fn no_page_of_the_gallery_grows() {
    // leave a common factor in, or take the longer of two texts, and this fails
    let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/lengths.txt"));
    let models = GALLERY.iter().filter(|example| !example.is_theorem()).map(|example| example.name);
    let names: Vec<&str> = models.filter(|name| !ENDLESS.contains(name)).collect();
    let (next, found) = (Mutex::new(names.iter()), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(name) = { next.lock().unwrap().next() } {
                    let own = lengths(&Settings::gallery(name).unwrap(), "all");
                    found.lock().unwrap().insert((*name).to_owned(), own);
                }
            });
        }
    });
    let found = found.into_inner().unwrap();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        let lines: Vec<String> = found.iter().map(|(name, own)| format!("{name} | {}\n", line(own))).collect();
        fs::write(file, lines.concat()).unwrap();
    }
    let text = fs::read_to_string(file).unwrap();
    let kept: BTreeMap<&str, BTreeMap<String, usize>> =
        text.lines().filter_map(|line| line.split_once(" | ")).map(|(name, rest)| (name, read(rest))).collect();
    let mut grown = Vec::new();
    for (name, own) in &found {
        for (form, length) in own {
            match kept.get(name.as_str()).and_then(|forms| forms.get(form)) {
                Some(before) if length > before => grown.push(format!("{name} by {form}: {before} → {length}")),
                Some(_) => {}
                None => grown.push(format!("{name} by {form}: not kept yet")),
            }
        }
    }
    assert!(grown.is_empty(), "\n{}", grown.join("\n"));
}

/// The characters of equations, constraints and named parts, as the note on readable equations counts them.
fn counted(settings: &Settings, form: &str) -> usize {
    let loaded = open(settings).unwrap();
    let wanted = Derive { form: Some(form.to_owned()), ..Derive::default() };
    let page = derive(&loaded, &wanted).unwrap().remove(0);
    assert!(page.applicable, "{form}: {:?}", page.reason);
    let named = page.constraints.iter().chain(&page.definitions).map(|named| &named.formula);
    page.equations.iter().chain(named).map(|formula| formula.text.chars().count()).sum()
}

fn own(name: &str) -> Settings {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/targets/");
    let text = fs::read_to_string(format!("{folder}{name}.mech")).unwrap();
    Settings::new(name, &text)
}

#[test]
fn long_pages_are_short_functions() {
    // interpolation off: 168 to 12,247 for the top, 2,700 for the car with trailer
    let charted = ["kane", "appell", "hamel", "boltzmann-hamel", "tzenoff", "nielsen", "central", "volterra"];
    for form in charted {
        assert!(counted(&own("top"), form) <= 66, "top {form}");
    }
    let table: [(&str, &[&str], usize); 15] = [
        ("top", &["lagrange-2", "newton-euler", "hamilton"], 675),
        ("trailer", &["kane", "appell", "hamel"], 654),
        ("trailer", &["multipliers", "newton-euler"], 1_410),
        ("triple", &["lagrange-2", "kane", "hamilton"], 446),
        ("arm", &["lagrange-2", "kane"], 1_150),
        ("circle", &["kane", "hamel"], 36),
        ("circle", &["udwadia-kalaba"], 74),
        ("gallery:spherical-pendulum", &["kane", "appell"], 152),
        ("gallery:spherical-pendulum", &["udwadia-kalaba"], 130),
        ("gallery:great-circle", &["kane", "maggi", "hamel"], 225),
        ("gallery:ellipsoid", &["kane", "hamel"], 280),
        ("gallery:rolling-disc", &["kane", "appell", "maggi", "hamel"], 232),
        ("gallery:double-pendulum", &["lagrange-2", "hamilton", "newton-euler"], 166),
        ("gallery:cart-pendulum", &["lagrange-2", "kane", "gauss"], 106),
        ("gallery:chaplygin-sleigh", &["kane", "appell", "hamel"], 32),
    ];
    for (name, forms, most) in table {
        let settings = match name.strip_prefix("gallery:") {
            Some(name) => Settings::gallery(name).unwrap(),
            None => own(name),
        };
        for form in forms {
            let length = counted(&settings, form);
            assert!(length <= most, "{name} by {form}: {length}, at most {most}");
        }
    }
}
