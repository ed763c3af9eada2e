//! How does a message look? Layout, tabs, line ends, long lines.

use syntax::{Diagnostic, Severity, Source, Span};

#[test]
fn the_layout_is_that_of_the_style_page() {
    let text = "\n".repeat(30) + "constraint no_slip: u4 = R*u3\nnext";
    let source = Source::new("models/rolling/disc.mech", &text);
    let message = "`no_slip` mentions `u4`, which this model does not declare";
    let error = Diagnostic::error(Span::new(50, 52), message)
        .label("declared speeds: u1, u2, u3")
        .hint("declare it with `speed u4 = …`, or did you mean `u3`?");
    assert_eq!(
        error.render(&source),
        "\
error: `no_slip` mentions `u4`, which this model does not declare
  --> models/rolling/disc.mech:31:21
31 | constraint no_slip: u4 = R*u3
   |                     ^^ declared speeds: u1, u2, u3
hint: declare it with `speed u4 = …`, or did you mean `u3`?
"
    );
}

#[test]
fn tabs_controls_and_wide_characters_keep_the_marks_in_place() {
    assert_eq!(drawn("a\tbc", 2, 3), ["1 | a   bc", "  |     ^"]);
    assert_eq!(drawn("日x", 3, 4), ["1 | 日x", "  |   ^"]);
    assert_eq!(drawn("\u{1b}x", 1, 2), ["1 | \u{fffd}x", "  |  ^"]);
    assert_eq!(drawn("µ + ν", 5, 7), ["1 | µ + ν", "  |     ^"]);
}

#[test]
fn an_empty_span_and_one_over_two_lines_are_marked_on_the_first() {
    assert_eq!(drawn("ab", 2, 2), ["1 | ab", "  |   ^"]);
    assert_eq!(drawn("ab", 1, 1), ["1 | ab", "  |  ^"]);
    assert_eq!(drawn("", 0, 0), ["1 |", "  | ^"]);
    assert_eq!(drawn("ab\ncd", 1, 5), ["1 | ab", "  |  ^"]);
}

#[test]
fn of_a_long_line_the_part_around_the_place_is_shown() {
    let text = "x + ".repeat(1000) + "y" + &" + x".repeat(1000);
    let [line, marks] = drawn(&text, 4000, 4001);
    assert!(line.chars().count() < 110);
    assert!(line.contains("y") && line.starts_with("1 | …") && line.ends_with('…'));
    assert_eq!(line.chars().position(|c| c == 'y'), marks.chars().position(|c| c == '^'));
}

#[test]
fn severities_have_names() {
    let source = Source::new("model", "x");
    let note = Diagnostic::error(Span::new(0, 1), "look").severity(Severity::Note);
    assert!(note.render(&source).starts_with("note: look\n"));
}

/// The source line and the marks of a message about these bytes.
fn drawn(text: &str, start: u32, end: u32) -> [String; 2] {
    let rendered = Diagnostic::error(Span::new(start, end), "").render(&Source::new("", text));
    let mut lines = rendered.lines().skip(2).map(str::to_owned);
    [lines.next().unwrap(), lines.next().unwrap()]
}
