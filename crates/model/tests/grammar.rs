//! Do editors know the words of the language? Grammars for VS Code, LaTeX and Pygments are written from its own lists.
//!
//! `UPDATE_SNAPSHOTS=1` writes them.

use std::path::PathBuf;

use model::Vocabulary;
use serde_json::{Value, json};

fn compare(path: &str, expected: &str) {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&file, expected).unwrap();
    }
    let there = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(there, expected, "{path} is not what the language says: UPDATE_SNAPSHOTS=1 writes it");
}

/// Longest first, so that `kN` is not read as `k`.
fn longest_first<'a>(words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut words: Vec<String> = words.map(|word| word.replace(' ', "\\s+")).collect();
    words.sort_by_key(|word| (std::cmp::Reverse(word.len()), word.clone()));
    words.dedup();
    words
}

fn keywords(words: &Vocabulary) -> Vec<String> {
    longest_first(words.keywords.iter().map(|one| one.word))
}

fn functions(words: &Vocabulary) -> Vec<String> {
    longest_first(words.functions.iter().map(|one| one.word))
}

/// A unit such as `kg*m/s^2`; a word before `.`, `(`, `[` or `'` is a name.
fn unit(words: &Vocabulary) -> String {
    let one = format!(r"(?:{})(?:\^-?\d+)?", longest_first(words.units.iter().copied()).join("|"));
    format!(r"(?:1/)?{one}(?:[*/]{one})*(?![A-Za-z0-9_.(\['])")
}

#[test]
fn textmate() {
    let words = model::vocabulary();
    let number = r"(?<![A-Za-z0-9_])(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?";
    let rule = |name: &str, pattern: String| json!({ "name": name, "match": pattern });
    let inner = longest_first(words.inner.iter().copied()).join("|");
    let patterns = vec![
        rule("comment.line.number-sign.mech", "#.*$".to_owned()),
        json!({
            "name": "string.quoted.double.mech", "begin": "\"", "end": "\"|$",
            "patterns": [{ "name": "constant.character.escape.mech", "match": r"\\." }],
        }),
        rule("keyword.control.mech", format!(r"^(?:{})\b", keywords(&words).join("|"))),
        json!({
            "match": format!(r"({number})(?:\s*({}))?", unit(&words)),
            "captures": { "1": { "name": "constant.numeric.mech" }, "2": { "name": "support.type.unit.mech" } },
        }),
        json!({
            "match": format!(r"(:)\s*({})\s*(?=$|#|=)", unit(&words)),
            "captures": { "1": { "name": "punctuation.mech" }, "2": { "name": "support.type.unit.mech" } },
        }),
        rule("support.function.mech", format!(r"\b(?:{})(?=\()", functions(&words).join("|"))),
        rule("keyword.other.mech", format!(r"\b(?:{inner})\b(?!\s*=)")),
        rule("variable.language.mech", r"\b(?:N|t|pi)\b".to_owned()),
        rule("keyword.operator.mech", r"[-+*/^=<>!']".to_owned()),
    ];
    let grammar: Value = json!({
        "comment": "Written by crates/model/tests/grammar.rs from the lists of the language.",
        "name": "Anholon model", "scopeName": "source.mech", "fileTypes": ["mech", "claims"], "patterns": patterns,
    });
    let text = serde_json::to_string_pretty(&grammar).unwrap() + "\n";
    compare("editors/vscode/syntaxes/mech.tmLanguage.json", &text);
}

#[test]
fn listings() {
    let words = model::vocabulary();
    let list = |all: Vec<&str>| {
        let mut all: Vec<&str> = all.into_iter().flat_map(|word| word.split(' ')).collect();
        all.sort_unstable();
        all.dedup();
        all.join(", ")
    };
    let text = format!(
        "% The language of Anholon's models for the package listings:\n\
         %   \\usepackage{{listings}} \\input{{mech-listings}} \\lstset{{language=mech}}\n\
         % Written by crates/model/tests/grammar.rs from the lists of the language.\n\
         \\lstdefinelanguage{{mech}}{{\n  \
         sensitive=true,\n  \
         alsoletter={{_}},\n  \
         morekeywords={{{}}},\n  \
         morekeywords=[2]{{{}}},\n  \
         morekeywords=[3]{{{}}},\n  \
         morekeywords=[4]{{{}}},\n  \
         morecomment=[l]{{\\#}},\n  \
         morestring=[b]{{\"}},\n\
         }}\n\
         \\lstdefinestyle{{mech}}{{\n  \
         language=mech,\n  \
         basicstyle=\\ttfamily\\small,\n  \
         keywordstyle=\\bfseries,\n  \
         keywordstyle=[2]\\itshape,\n  \
         commentstyle=\\itshape,\n  \
         columns=fullflexible,\n  \
         keepspaces=true,\n\
         }}\n",
        list(words.keywords.iter().map(|one| one.word).collect()),
        list(words.inner.clone()),
        list(words.functions.iter().map(|one| one.word).collect()),
        list(words.units.clone()),
    );
    compare("editors/latex/mech-listings.tex", &text);
}

#[test]
fn pygments() {
    let words = model::vocabulary();
    let tuple = |name: &str, all: Vec<&str>| {
        let mut all: Vec<&str> = all.into_iter().flat_map(|word| word.split(' ')).collect();
        all.sort_unstable();
        all.dedup();
        let rows: Vec<String> = all.iter().map(|word| format!("    \"{word}\",\n")).collect();
        format!("{name} = (\n{})\n", rows.concat())
    };
    let text = [
        "\"\"\"The words of the language. Written by crates/model/tests/grammar.rs from its lists.\"\"\"\n\n"
            .to_owned(),
        tuple("KEYWORDS", words.keywords.iter().map(|one| one.word).collect()),
        tuple("INNER", words.inner.clone()),
        tuple("FUNCTIONS", words.functions.iter().map(|one| one.word).collect()),
        tuple("UNITS", words.units.clone()),
    ];
    compare("python/anholon/_words.py", &text.concat());
}
