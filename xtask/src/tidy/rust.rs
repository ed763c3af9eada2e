//! Rust text as far as the rules need it: without comments, strings and tests, and the paths in it.

/// The text with comments, strings and characters blanked; lines keep their numbers.
pub fn without_comments(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = blank_end(&chars, at);
        if end == at {
            code.push(chars[at]);
            at += 1;
        } else {
            code.extend(chars[at..end].iter().map(|c| if *c == '\n' { '\n' } else { ' ' }));
            at = end;
        }
    }
    code
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
    for mark in ["#[cfg(test)]", "#[cfg(all(test"] {
        while let Some(start) = result.find(mark) {
            let end = start + item_end(&result[start + mark.len()..]) + mark.len();
            let blank = result[start..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' });
            let blank: String = blank.collect();
            result.replace_range(start..end, &blank);
        }
    }
    result
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
    use super::{has_word, paths, without_comments, without_tests};

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
