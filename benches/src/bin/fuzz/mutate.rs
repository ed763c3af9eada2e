//! How is a text changed a little?

use expr::field::Random;
use serde_json::Value;

/// Pieces that are put anywhere: words of the language, and what its limits are about.
const PIECES: &[&str] = &[
    "'",
    "''",
    "'''''",
    "^",
    "^-1",
    "^(1/2)",
    "^100",
    "^99999999999",
    "^(10^10)",
    "1e999",
    "1e-999",
    "1e308",
    "0.1e-5",
    "9223372036854775808",
    "123456789012345678901234567890",
    "1/0",
    "0",
    "-1",
    "1..1000000",
    "1..3",
    "5..1",
    "[1]",
    "[i]",
    "[i + 1]",
    "[n]",
    "[0]",
    "[-1]",
    "(",
    ")",
    "((((",
    "))))",
    "[",
    "]",
    ",",
    ":",
    "=",
    "<=",
    "!=",
    "==",
    "..",
    "+",
    "-",
    "*",
    "/",
    "**",
    "\"",
    "\"x\"",
    "#",
    "\\",
    "\t",
    "  ",
    "    ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\u{0}",
    "\u{feff}",
    "π",
    "²",
    "·",
    "−",
    "ω",
    "\u{301}",
    "🦀",
    " for i in 1..3",
    " for i in 1..n, j in 1..i",
    " for i in 1..100000000",
    "sum(a[i] for i in 1..n)",
    "sin(",
    "sqrt(",
    "norm(",
    "dot(",
    "cross(",
    "atan2(",
    "min(",
    "abs(",
    "if(",
    "log(",
    "exp(",
    "asin(",
    "t",
    "pi",
    "N",
    "P",
    "kg",
    "m",
    "s",
    "rad",
    " deg",
    " m/s^2",
    " N*m",
    " within 1e-9",
    " at start",
    " mass m",
    " exhaust ",
    " inertia ",
    " about ",
    " from t = 1 s",
    " until t = 2 s",
    " unilateral",
    " rolls on ",
    " rotated by ",
    "quaternion",
    "freedoms",
    "constant",
    "equilibrium",
    "energy()",
];

/// One of a list that is not empty.
pub fn pick<T: Clone>(list: &[T], random: &mut Random) -> T {
    list[random.below(list.len() as u64) as usize].clone()
}

/// The text after a few changes, with lines from other texts among them.
pub fn changed(text: &str, others: &[String], random: &mut Random) -> String {
    let mut text = text.to_owned();
    let most = 1 + random.below(12);
    for _ in 0..1 + random.below(most) {
        text = match random.below(12) {
            0 => bytes(&text, random),
            1..6 => tokens(&text, random),
            6..8 => lines(&text, others, random),
            8..11 => put(&text, pick(PIECES, random), random),
            _ => nested(&text, random),
        };
    }
    text
}

/// A byte that is replaced, taken away or put in.
fn bytes(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = random.below(bytes.len() as u64 + 1) as usize;
    match random.below(3) {
        0 if at < bytes.len() => bytes[at] = random.next() as u8,
        1 if at < bytes.len() => drop(bytes.remove(at)),
        _ => bytes.insert(at, random.next() as u8),
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn put(text: &str, piece: &str, random: &mut Random) -> String {
    let mut at = random.below(text.len() as u64 + 1) as usize;
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    format!("{}{piece}{}", &text[..at], &text[at..])
}

/// Words, numbers, blanks, and single signs.
fn split(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 1,
        ' ' => 2,
        _ => 0,
    };
    let mut parts = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        if last.is_some_and(|last| last != class(c) || last == 0) {
            parts.push(&text[start..at]);
            start = at;
        }
        last = Some(class(c));
    }
    parts.push(&text[start..]);
    parts
}

/// A word that is taken away, doubled, exchanged with another or replaced by one.
fn tokens(text: &str, random: &mut Random) -> String {
    let mut parts = split(text);
    let count = parts.len() as u64;
    let (a, b) = (random.below(count) as usize, random.below(count) as usize);
    match random.below(5) {
        0 => drop(parts.remove(a)),
        1 => parts.insert(a, parts[a]),
        2 => parts.swap(a, b),
        3 => parts[a] = parts[b],
        _ => {
            let end = (a + 1 + random.below(8) as usize).min(parts.len());
            let piece: Vec<&str> = parts[a..end].to_vec();
            parts.splice(b..b, piece);
        }
    }
    parts.concat()
}

/// A line that is taken away, doubled, moved, or taken from another text.
fn lines(text: &str, others: &[String], random: &mut Random) -> String {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let count = lines.len() as u64;
    let (a, b) = (random.below(count) as usize, random.below(count) as usize);
    match random.below(4) {
        0 => drop(lines.remove(a)),
        1 => lines.insert(b, lines[a]),
        2 => lines.swap(a, b),
        _ => {
            let other = &others[random.below(others.len() as u64) as usize];
            let other: Vec<&str> = other.split('\n').collect();
            lines.insert(a, pick(&other, random));
        }
    }
    lines.join("\n")
}

/// A part that stands in very many brackets, or after very many signs.
fn nested(text: &str, random: &mut Random) -> String {
    let depth = [3, 30, 300, 3000][random.below(4) as usize];
    let parts = split(text);
    let at = random.below(parts.len() as u64) as usize;
    let (open, close) = pick(
        &[
            ("(", ")"),
            ("sin(", ")"),
            ("-", ""),
            ("1 + (", ")"),
            ("2*", ""),
            ("[", "]"),
            ("x^", ""),
            ("(1, ", ")"),
            ("+ ", ""),
        ],
        random,
    );
    let part = format!("{}{}{}", open.repeat(depth), parts[at], close.repeat(depth));
    [&parts[..at], &[part.as_str()], &parts[at + 1..]].concat().concat()
}

/// Changes one value somewhere in a tree.
pub fn changed_json(value: &mut Value, random: &mut Random) {
    match value {
        Value::Array(list) if !list.is_empty() && random.below(6) != 0 => {
            let at = random.below(list.len() as u64) as usize;
            match random.below(8) {
                0 => drop(list.remove(at)),
                1 => list.insert(at, list[at].clone()),
                _ => changed_json(&mut list[at], random),
            }
        }
        Value::Object(keys) if !keys.is_empty() && random.below(6) != 0 => {
            let names: Vec<String> = keys.keys().cloned().collect();
            let name = &pick(&names, random);
            match random.below(8) {
                0 => drop(keys.remove(name)),
                1 => {
                    let value = keys[name].clone();
                    keys.insert(pick(&names, random), value);
                }
                _ => changed_json(&mut keys[name], random),
            }
        }
        Value::String(text) if random.below(6) != 0 => *text = changed(text, std::slice::from_ref(text), random),
        _ => {
            let text = pick(PIECES, random);
            *value = match random.below(6) {
                0 => Value::Null,
                1 => Value::Bool(true),
                2 => (random.next() as i64).into(),
                3 => Value::Array(vec![value.clone()]),
                4 => Value::Object([("keyword".to_owned(), value.clone())].into_iter().collect()),
                _ => text.into(),
            };
        }
    }
}
