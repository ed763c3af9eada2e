//! How does a page fit the terminal, and what is coloured on it?
//!
//! Lines are folded where a terminal, or `COLUMNS`, is narrower than they are: equations between their terms, all else
//! at blanks. Colour is for terminals only; `NO_COLOR` takes it away, `CLICOLOR_FORCE` wants it everywhere.

use std::env;
use std::fs::File;
use std::io::IsTerminal;
use std::process::{Command, Stdio};

/// Narrower than this, nothing is folded any further.
const NARROWEST: usize = 40;

/// What a page is written on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Screen {
    /// How many columns it has, if that is known.
    width: Option<usize>,
    /// Whether it shows colours.
    colour: bool,
}

impl Screen {
    /// Where standard output goes.
    pub fn output() -> Screen {
        Screen::of(std::io::stdout().is_terminal())
    }

    /// Where errors go.
    pub fn errors() -> Screen {
        Screen { width: None, ..Screen::of(std::io::stderr().is_terminal()) }
    }

    fn of(is_terminal: bool) -> Screen {
        let said = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let forced = env::var_os("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0");
        let columns = env::var("COLUMNS").ok().and_then(|text| text.trim().parse().ok());
        let width = columns.or_else(|| is_terminal.then(terminal_width).flatten());
        Screen { width: width.map(|width| width.max(NARROWEST)), colour: (is_terminal || forced) && !said("NO_COLOR") }
    }

    /// The page as it is shown.
    pub fn show(&self, page: &str) -> String {
        let folded = match self.width {
            Some(width) => unfolded(page).iter().map(|line| fold(line, width)).collect::<Vec<_>>().join("\n"),
            None => page.to_owned(),
        };
        if self.colour { paint(&folded) } else { folded }
    }
}

/// The width of the terminal, as `stty` tells it.
fn terminal_width() -> Option<usize> {
    let terminal = File::open("/dev/tty").ok()?;
    let told = Command::new("stty").arg("size").stdin(terminal).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(told.stdout).ok()?;
    text.split_whitespace().nth(1)?.parse().ok().filter(|width| *width > 0)
}

/// How the other lines of an equation begin.
const CONTINUED: [&str; 3] = ["      + ", "      - ", "      = "];

/// The lines of a page, each equation on one line again.
fn unfolded(page: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in page.lines() {
        let goes_on = CONTINUED.iter().any(|sign| line.starts_with(sign));
        match lines.last_mut().filter(|first| goes_on && is_indented(first)) {
            Some(first) => *first = format!("{first} {}", line.trim_start()),
            None => lines.push(line.to_owned()),
        }
    }
    lines
}

/// Does a line begin as equations do?
fn is_indented(line: &str) -> bool {
    line.starts_with("  ") && !line.starts_with("   ")
}

/// A line that fits; what goes on stands a little further in.
fn fold(line: &str, width: usize) -> String {
    if line.chars().count() <= width {
        return line.to_owned();
    }
    let lines = match is_indented(line) && line.contains(" = ") {
        true => pages::folding::folded_to(line.trim_start(), width),
        false => vec![line.to_owned()],
    };
    lines.iter().map(|line| at_blanks(line, width)).collect::<Vec<_>>().join("\n")
}

/// A line, broken at blanks.
fn at_blanks(line: &str, width: usize) -> String {
    if line.chars().count() <= width {
        return line.to_owned();
    }
    let indent = line.chars().take_while(|c| *c == ' ').count().min(width / 2);
    let deeper = " ".repeat((indent + 2).min(width / 2));
    let (mut lines, mut current) = (Vec::new(), " ".repeat(indent));
    let mut is_empty = true;
    for word in line[line.len() - line.trim_start().len()..].split(' ') {
        let room = current.chars().count() + word.chars().count() + usize::from(!is_empty);
        if room > width && !is_empty {
            lines.push(std::mem::replace(&mut current, deeper.clone()).trim_end().to_owned());
            is_empty = true;
        }
        if !is_empty {
            current.push(' ');
        }
        current.push_str(word);
        is_empty = false;
    }
    lines.push(current);
    lines.join("\n")
}

const BOLD: &str = "\x1b[1m";
const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";
const YELLOW: &str = "\x1b[33m";
const CYAN: &str = "\x1b[36m";
const PLAIN: &str = "\x1b[0m";

/// Words that say how something came out; longer ones first, since they hold shorter ones.
const WORDS: [(&str, &str); 12] = [
    ("does not hold", RED),
    ("not applicable", YELLOW),
    ("not decided", YELLOW),
    ("asymptotically stable", GREEN),
    ("unstable", RED),
    ("incomplete", RED),
    ("different", RED),
    ("wrong", RED),
    ("undecided", YELLOW),
    ("identical", GREEN),
    ("correct", GREEN),
    ("holds", GREEN),
];

/// Headings in bold, `error:` and its like in colour, and the word that a line ends or goes on with after two blanks.
fn paint(page: &str) -> String {
    let lines: Vec<&str> = page.lines().collect();
    let painted = lines.iter().enumerate().map(|(k, line)| {
        let next = lines.get(k + 1).copied().unwrap_or_default();
        let is_heading = !line.is_empty() && !line.starts_with(' ') && next.starts_with(' ');
        match line.split_once(':') {
            Some(("error", rest)) => format!("{RED}error:{PLAIN}{rest}"),
            Some((word @ ("note" | "hint" | "warning"), rest)) => format!("{CYAN}{word}:{PLAIN}{rest}"),
            _ if is_heading => format!("{BOLD}{line}{PLAIN}"),
            _ => paint_word(line),
        }
    });
    painted.collect::<Vec<_>>().join("\n")
}

/// Colours the first word of a verdict that stands in a column of its own.
fn paint_word(line: &str) -> String {
    for (word, colour) in WORDS {
        let Some(place) = line.find(&format!("  {word}")).map(|place| place + 2) else { continue };
        let end = place + word.len();
        if line[end..].chars().next().is_none_or(|c| !c.is_alphanumeric()) {
            return format!("{}{colour}{word}{PLAIN}{}", &line[..place], &line[end..]);
        }
    }
    line.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_folded_at_blanks_and_stand_further_in() {
        assert_eq!(fold("  one two three", 9), "  one two\n    three");
        assert_eq!(fold("short", 40), "short");
        // a word that is too long stays whole
        assert_eq!(fold("aaaaaaaaaaaa b", 4), "aaaaaaaaaaaa\n  b");
        for width in 5..60 {
            let text = "  M q'' + C q' + K q = 0 for q = (lean, steer), and B u for some inputs";
            assert_eq!(
                fold(text, width).split_whitespace().collect::<Vec<_>>(),
                text.split_whitespace().collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn colours_change_nothing_but_colours() {
        let page = "Title: 3 facts\n  law  holds\n  speed  does not hold: 1\n\nnote: wrongly said";
        let painted = paint(page);
        assert!(painted.contains("\x1b[32mholds\x1b[0m") && painted.contains("\x1b[31mdoes not hold\x1b[0m"));
        assert!(!painted.contains("\x1b[31mwrong\x1b[0m"), "{painted}");
        let mut plain = painted;
        for code in [BOLD, RED, GREEN, YELLOW, CYAN, PLAIN] {
            plain = plain.replace(code, "");
        }
        assert_eq!(plain, page);
    }
}
