//! How is an answer written for people?

use anholon::expression::{Same, Verdict};

/// A text in which nothing can move the cursor or turn the line: control characters and marks of direction are written
/// as in JSON, `\u001b`.
pub fn harmless(text: &str) -> std::borrow::Cow<'_, str> {
    let is_harmful = |c: char| {
        let is_control = c.is_control() && c != '\n' && c != '\t';
        is_control || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
    };
    if !text.contains(is_harmful) {
        return text.into();
    }
    let written = |c: char| if is_harmful(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    text.chars().map(written).collect::<String>().into()
}

/// The answer to `same`, in a few lines.
pub fn same(answer: &Same) -> String {
    let mut lines = Vec::new();
    match answer.verdict {
        Verdict::Same => {
            let bound = answer.error_text.as_deref().unwrap_or("0");
            lines.push("same".to_owned());
            lines.push(match bound {
                "0" => "  proved exactly".to_owned(),
                _ => format!("  proved wherever both are defined; probability of error at most {bound}"),
            });
        }
        Verdict::Different => {
            lines.push("different".to_owned());
            lines.extend(answer.witness.iter().flat_map(witness));
        }
        Verdict::Unknown => {
            lines.push("unknown".to_owned());
            lines.extend(answer.reason.iter().map(|reason| format!("  {reason}")));
        }
    }
    if !answer.assumptions.is_empty() {
        lines.push(format!("  assuming {}", answer.assumptions.join(", ")));
    }
    if answer.verdict == Verdict::Same {
        lines.extend(answer.reason.iter().map(|reason| format!("  but {reason}")));
    }
    if !answer.switches.is_empty() {
        lines.push(format!("  except where one of these vanishes: {}", answer.switches.join(", ")));
    }
    lines.join("\n")
}

fn witness(witness: &anholon::expression::Witness) -> Vec<String> {
    let state: Vec<String> = witness.state.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let at = if state.is_empty() { "  both are constants:".to_owned() } else { format!("  at {}:", state.join(", ")) };
    vec![
        at,
        format!("  left  = {}", witness.left),
        format!("  right = {}", witness.right),
        format!("  left - right = {}", witness.difference),
    ]
}

/// Columns of a page.
const WIDTH: usize = 100;

/// A text after its first words, on lines of limited width.
pub fn wrapped(first: &str, text: &str) -> Vec<String> {
    let indent = " ".repeat(first.chars().count().min(WIDTH / 2));
    let (mut lines, mut line) = (Vec::new(), first.to_owned());
    for word in crate::flags::spelled(text).split(' ') {
        if line.chars().count() + word.chars().count() > WIDTH && line.trim() != first.trim() {
            lines.push(std::mem::replace(&mut line, indent.clone()).trim_end().to_owned());
        }
        line.push_str(word);
        line.push(' ');
    }
    lines.push(line.trim_end().to_owned());
    lines
}
