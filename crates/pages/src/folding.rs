//! Where is a long equation broken into lines?
//!
//! ```text
//! before =                   best of all
//! before + and − outside     better than inside brackets, the less the deeper
//! sin(a − b)                 the argument of a function is broken last
//! ```
//!
//! Of all ways to break a line the one with the least cost is taken; a line that is too long costs most.

/// Columns of a page.
pub const WIDTH: usize = 110;
/// Where an equation begins, and where its other lines begin.
const FIRST: usize = 2;
const OTHERS: usize = 6;
/// What it costs to break, in each bracket more, and in the argument of a function more.
const BREAK: u64 = 400;
const BRACKET: u64 = 1_000;
const ARGUMENT: u64 = 8_000;
/// What it saves to break before the sign of equality.
const EQUALITY: u64 = 350;
/// What a column costs that is left empty before the last line, and one beyond the width.
const EMPTY: u64 = 1;
const BEYOND: u64 = 100_000;

/// A place before a word at which a line may end.
struct Place {
    word: usize,
    /// Columns of all words before it, with a blank after each.
    columns: usize,
    cost: u64,
}

/// A long equation on several lines of a page.
pub fn folded(line: &str) -> Vec<String> {
    folded_to(line, WIDTH)
}

/// The same on lines of so many columns.
pub fn folded_to(line: &str, width: usize) -> Vec<String> {
    let words: Vec<&str> = line.split(' ').collect();
    let places = places(&words);
    // the least cost to have ended a line at each place, and where the line before it ended
    let mut best: Vec<(u64, usize)> = vec![(0, 0)];
    for (k, place) in places.iter().enumerate().skip(1) {
        let mut least = (u64::MAX, 0);
        for from in (0..k).rev() {
            let indent = if from == 0 { FIRST } else { OTHERS };
            let columns = indent + (place.columns - places[from].columns).saturating_sub(1);
            let (beyond, empty) = (columns.saturating_sub(width), width.saturating_sub(columns));
            let is_last = k + 1 == places.len();
            let cost = best[from].0.saturating_add(place.cost).saturating_add(beyond as u64 * BEYOND);
            let cost = cost + if is_last { 0 } else { empty as u64 * EMPTY };
            if cost < least.0 {
                least = (cost, from);
            }
            if beyond > 0 {
                break;
            }
        }
        best.push(least);
    }
    let mut ends = vec![places.len() - 1];
    while let Some(&end) = ends.last().filter(|&&end| end > 0) {
        ends.push(best[end].1);
    }
    ends.reverse();
    let written = |pair: &[usize]| {
        let indent = if pair[0] == 0 { FIRST } else { OTHERS };
        format!("{}{}", " ".repeat(indent), words[places[pair[0]].word..places[pair[1]].word].join(" "))
    };
    ends.windows(2).map(written).collect()
}

/// The beginning, the places where the line may be broken, and the end.
fn places(words: &[&str]) -> Vec<Place> {
    let mut found = vec![Place { word: 0, columns: 0, cost: 0 }];
    let (mut open, mut columns): (Vec<bool>, usize) = (Vec::new(), 0);
    for (k, word) in words.iter().enumerate() {
        if k > 0 && matches!(*word, "+" | "-" | "=") {
            let inside: u64 = open.iter().map(|&argument| if argument { ARGUMENT } else { BRACKET }).sum();
            let cost = BREAK + inside - if *word == "=" && open.is_empty() { EQUALITY } else { 0 };
            found.push(Place { word: k, columns, cost });
        }
        let mut before = ' ';
        for c in word.chars() {
            match c {
                '(' | '[' => open.push(before.is_alphanumeric() || c == '['),
                ')' | ']' => drop(open.pop()),
                _ => {}
            }
            before = c;
        }
        columns += word.chars().count() + 1;
    }
    found.push(Place { word: words.len(), columns, cost: 0 });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_broken_where_a_person_would() {
        let line = "l*a'' + l*(7*b'^2*sin(a - b) + 5*c'^2*sin(a - c)) = -27*g*sin(a)";
        assert_eq!(folded(line), [format!("  {line}")]);
        // the sign of equality before a sum, a sum before a bracket, a bracket before an argument
        assert_eq!(
            folded_to(line, 60),
            ["  l*a'' + l*(7*b'^2*sin(a - b) + 5*c'^2*sin(a - c))", "      = -27*g*sin(a)"]
        );
        assert_eq!(
            folded_to(line, 40),
            ["  l*a'' + l*(7*b'^2*sin(a - b)", "      + 5*c'^2*sin(a - c))", "      = -27*g*sin(a)"]
        );
        for width in 1..80 {
            let lines = folded_to(line, width);
            let words = lines.iter().flat_map(|line| line.split_whitespace());
            assert!(words.eq(line.split(' ')), "{lines:?}");
        }
        assert_eq!(folded_to("x", 1), ["  x"]);
        assert_eq!(folded_to("", 10), ["  "]);
    }
}
