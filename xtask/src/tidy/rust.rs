//! Rust text as far as the rules need it: code without comments, strings and tests; its paths and items.

use std::ops::Range;

/// The text with comments, strings and characters blanked; lines keep their numbers.
pub fn without_comments(text: &str) -> String {
    kept(text, |piece| matches!(piece, Piece::Code))
}

/// The code that is shipped: without comments, strings and tests.
pub fn shipped(text: &str) -> String {
    without_tests(&without_comments(text))
}

/// The strings of the code that is shipped, everything else blanked; lines keep their numbers.
pub fn shipped_strings(text: &str) -> String {
    let code = without_comments(text);
    let strings = kept(text, |piece| matches!(piece, Piece::String));
    let tests = test_ranges(&code);
    let line_of = |at: usize| code[..at].matches('\n').count();
    let tests: Vec<_> = tests.iter().map(|range| line_of(range.start)..=line_of(range.end)).collect();
    let lines = strings.lines().enumerate();
    let lines = lines.map(|(line, text)| if tests.iter().any(|it| it.contains(&line)) { "" } else { text });
    lines.collect::<Vec<_>>().join("\n")
}

/// What a part of a text is.
enum Piece {
    Code,
    String,
    /// A comment or a character.
    Other,
}

/// The text with all pieces blanked that are not wanted.
fn kept(text: &str, is_wanted: impl Fn(Piece) -> bool) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = blank_end(&chars, at);
        let piece = match chars[at] {
            _ if end == at => Piece::Code,
            '/' | '\'' => Piece::Other,
            _ => Piece::String,
        };
        let (wanted, end) = (is_wanted(piece), end.max(at + 1));
        result.extend(chars[at..end].iter().map(|c| if wanted || c.is_whitespace() { *c } else { ' ' }));
        at = end;
    }
    result
}

/// Where the comment, string or character that begins at `at` ends; `at` if none begins there.
fn blank_end(chars: &[char], at: usize) -> usize {
    let rest = &chars[at..];
    let in_word = at > 0 && is_word(chars[at - 1]);
    let length = match rest {
        ['/', '/', ..] => rest.iter().take_while(|c| **c != '\n').count(),
        ['/', '*', ..] => block_comment(rest),
        ['"', ..] => 1 + string(&rest[1..]),
        ['r' | 'b' | 'c', ..] if !in_word => raw_string(rest),
        ['\'', '\\', ..] => 3 + rest.iter().skip(3).take_while(|c| **c != '\'').count() + 1,
        ['\'', _, '\'', ..] => 3,
        _ => 0,
    };
    (at + length).min(chars.len())
}

fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match rest[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// Length to the end of a string whose opening quote is behind.
fn string(rest: &[char]) -> usize {
    let mut at = 0;
    while at < rest.len() && rest[at] != '"' {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// Length of `r"…"`, `r#"…"#`, `br"…"`, `cr"…"`; 0 if this is not one.
fn raw_string(rest: &[char]) -> usize {
    let prefix = rest.iter().take(2).take_while(|c| matches!(c, 'r' | 'b' | 'c')).count();
    let hashes = rest[prefix..].iter().take_while(|c| **c == '#').count();
    let open = prefix + hashes;
    if rest[prefix - 1] != 'r' || rest.get(open) != Some(&'"') {
        return 0;
    }
    let closing: Vec<char> = ['"'].into_iter().chain(std::iter::repeat_n('#', hashes)).collect();
    let body = &rest[open + 1..];
    let inner = body.windows(closing.len()).position(|window| window == closing).unwrap_or(body.len());
    open + 1 + inner + closing.len()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Code (already without comments) with everything under `#[cfg(test)]` blanked.
pub fn without_tests(code: &str) -> String {
    let mut result = code.to_owned();
    for range in test_ranges(code) {
        let blank: String = code[range.clone()].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
        // a character may be longer than the blank in its place, so the end is filled up
        let blank = format!("{blank}{}", " ".repeat(range.len() - blank.len()));
        result.replace_range(range, &blank);
    }
    result
}

/// Where code (already without comments) stands under `#[cfg(test)]`.
fn test_ranges(code: &str) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    let next = |at: usize| ["#[cfg(test)]", "#[cfg(all(test"].iter().filter_map(|mark| code[at..].find(mark)).min();
    while let Some(start) = next(at).map(|offset| at + offset) {
        at = start + item_end(&code[start..]);
        found.push(start..at);
    }
    found
}

/// Length of the item that begins here: to its closing brace, or to its semicolon if that is first.
fn item_end(code: &str) -> usize {
    let mut depth = 0;
    for (at, c) in code.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(c, '}' | ';') {
            return at + 1;
        }
    }
    code.len()
}

/// A function: where it begins, its name, and its lines from `fn` to the closing brace.
#[derive(Debug, PartialEq)]
pub struct Function {
    pub line: usize,
    pub name: String,
    pub lines: usize,
}

/// The functions with a body in code without comments.
pub fn functions(code: &str) -> Vec<Function> {
    let tokens = tokens(code);
    let word = |at: usize| tokens.get(at).map_or("", |(_, text)| *text);
    let starts = (0..tokens.len()).filter(|at| word(*at) == "fn" && word(at + 1).starts_with(is_word));
    let function = |at: usize| {
        let (mut depth, mut brackets) = (0, 0);
        for (line, text) in &tokens[at..] {
            match *text {
                "(" | "[" => brackets += 1,
                ")" | "]" => brackets -= 1,
                "{" => depth += 1,
                "}" => depth -= 1,
                ";" if depth == 0 && brackets == 0 => return None,
                _ => continue,
            }
            if *text == "}" && depth == 0 {
                let first = tokens[at].0;
                return Some(Function { line: first, name: word(at + 1).to_owned(), lines: line - first + 1 });
            }
        }
        None
    };
    starts.filter_map(function).collect()
}

/// What is declared with `pub` in code without comments, save fields, modules and uses, each with its line.
pub fn public_items(code: &str) -> Vec<(usize, String)> {
    let tokens = tokens(code);
    let word = |at: usize| tokens.get(at).map_or("", |(_, text)| *text);
    let item = |at: usize| {
        let mut kind = at + 1;
        let qualifies = |at| matches!(word(at), "async" | "unsafe") || (word(at) == "const" && word(at + 1) == "fn");
        while qualifies(kind) {
            kind += 1;
        }
        let kinds = ["fn", "struct", "enum", "trait", "type", "const", "static", "union"];
        kinds.contains(&word(kind)).then(|| (tokens[at].0, word(kind + 1).to_owned()))
    };
    (0..tokens.len()).filter(|at| word(*at) == "pub").filter_map(item).collect()
}

/// The paths that are passed on with `pub use`.
pub fn public_uses(code: &str) -> Vec<(usize, String)> {
    let tokens = tokens(code);
    let mut found = Vec::new();
    for at in 0..tokens.len().saturating_sub(2) {
        if tokens[at].1 == "pub" && tokens[at + 1].1 == "use" {
            path(&tokens, at + 2, "", &mut found);
        }
    }
    found
}

/// Does the line hold this word, not merely as a part of another?
pub fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// Every path of two or more parts in the code, with its line; groups are written out, so that
/// `use a::{b, c::d}` gives `a::b` and `a::c::d`.
pub fn paths(code: &str) -> Vec<(usize, String)> {
    let tokens = tokens(code);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        at = path(&tokens, at, "", &mut found);
    }
    found.retain(|(_, path)| path.contains("::"));
    found
}

type Token<'a> = (usize, &'a str);

/// Reads a path that may begin at `at`; returns where to go on.
fn path(tokens: &[Token], mut at: usize, prefix: &str, found: &mut Vec<(usize, String)>) -> usize {
    let word = |at: usize| tokens.get(at).map_or("", |(_, text)| *text);
    let line = tokens[at].0;
    let mut so_far = prefix.to_owned();
    loop {
        match word(at) {
            "{" if so_far.ends_with("::") => return group(tokens, at + 1, &so_far, found),
            "self" if so_far.ends_with("::") => so_far.truncate(so_far.len() - 2),
            text if text == "*" || text.starts_with(is_word) => so_far.push_str(text),
            _ => break,
        }
        at += 1;
        if word(at) != "::" || !(word(at + 1).starts_with(is_word) || matches!(word(at + 1), "{" | "*")) {
            found.push((line, so_far));
            return at;
        }
        so_far.push_str("::");
        at += 1;
    }
    at + 1
}

/// Reads `b, c::d}` after `a::{`.
fn group(tokens: &[Token], mut at: usize, prefix: &str, found: &mut Vec<(usize, String)>) -> usize {
    while let Some((_, text)) = tokens.get(at) {
        match *text {
            "}" => return at + 1,
            "as" => at += 2,
            text if text == "*" || text.starts_with(is_word) => at = path(tokens, at, prefix, found),
            _ => at += 1,
        }
    }
    at
}

/// Words, `::` and single marks, each with its line.
fn tokens(code: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    for (line, text) in (1..).zip(code.lines()) {
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = match first {
                _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                ':' if rest.starts_with("::") => 2,
                _ => first.len_utf8(),
            };
            found.push((line, &rest[..length]));
            rest = rest[length..].trim_start();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Function, functions, has_word, paths, public_items, public_uses, shipped_strings};
    use super::{without_comments, without_tests};

    fn check_code(text: &str, expected: &str) {
        let code = without_comments(text);
        assert_eq!(code.lines().count(), text.lines().count());
        assert_eq!(code.split_whitespace().collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn comments_and_strings_are_blanked() {
        check_code("a(); // println!()\n/* b /* c */ d */ e();", "a(); e();");
        check_code(r##"f("x \" // y", r#"println!("z")"#, br"q", 'c', '\'', '"', '\u{2f}');"##, "f( , , , , , , );");
    }

    #[test]
    fn a_lifetime_is_not_a_character() {
        check_code(
            "fn f<'a>(x: &'a str, bar: &'a u8) -> &'a str { x }",
            "fn f<'a>(x: &'a str, bar: &'a u8) -> &'a str { x }",
        );
    }

    #[test]
    fn tests_are_blanked_and_what_follows_them_is_not() {
        let code = "a();\n#[cfg(test)]\nmod tests { fn f() { b(); } }\n#[cfg(test)] use c;\nd();";
        let rest = without_tests(code);
        assert_eq!(rest.lines().count(), 5);
        assert_eq!(rest.split_whitespace().collect::<Vec<_>>(), ["a();", "d();"]);
    }

    #[test]
    fn strings_stay_in_their_lines_and_those_of_tests_are_blanked() {
        let text =
            "f(\"a \\\" // b\", 'c'); // \"d\"\ng(r#\"e\nf\"#);\n#[cfg(test)]\nmod tests { const G: &str = \"h\"; }\n";
        let strings = shipped_strings(text);
        let words: Vec<String> = strings.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(words, ["\"a\\\"//b\"", "r#\"e", "f\"#", ""]);
    }

    #[test]
    fn functions_end_at_their_closing_brace() {
        let code = "fn f(x: [u8; 2]) {\n g(|| { 1 });\n}\ntrait T { fn h(); fn i() {} }\ntype F = fn(u8);\n";
        let function = |line, name: &str, lines| Function { line, name: name.to_owned(), lines };
        assert_eq!(functions(code), [function(1, "f", 3), function(4, "i", 1)]);
    }

    #[test]
    fn public_items_are_named_and_what_is_passed_on() {
        let code = "pub struct A { pub b: u8 }\npub(crate) fn c() {}\npub const fn d() {}\npub const E: u8 = 1;\n\
                    pub mod g;\npub use h::{I, j::K};\n";
        assert_eq!(public_items(code), [(1, "A".into()), (3, "d".into()), (4, "E".into())]);
        assert_eq!(public_uses(code), [(6, "h::I".into()), (6, "h::j::K".into())]);
    }

    #[test]
    fn words_are_whole() {
        assert!(has_word("let t = Instant::now();", "Instant"));
        assert!(!has_word("struct Instantaneous; fn an_Instant() {}", "Instant"));
    }

    #[test]
    fn groups_are_written_out() {
        let found = paths("use a::{self, b, c::{d, e as f}};\nlet x = g::h(1) + i;\nuse super::*;");
        let expected = [(1, "a::b"), (1, "a::c::d"), (1, "a::c::e"), (2, "g::h"), (3, "super::*")];
        let with_self: Vec<_> = found.iter().map(|(line, path)| (*line, path.as_str())).collect();
        assert_eq!(with_self, expected);
        assert_eq!(paths("use std::fs::{self, File};"), [(1, "std::fs".into()), (1, "std::fs::File".into())]);
    }
}
