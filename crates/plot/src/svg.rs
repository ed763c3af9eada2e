//! How is a picture written as SVG? A small writer that escapes text and closes what it opens.
//!
//! Numbers have at most two decimals and never read `-0`, so that the same picture is the same text.
//! A `style` is attributes in our own words; whatever comes from outside passes through `escaped`.

use std::fmt::Write;

use crate::name::{Level, SMALL, Text};

/// Serifs as in a paper; metrics close to Times where it is missing.
const FONT: &str = "'STIX Two Text', 'Times New Roman', 'Liberation Serif', 'Nimbus Roman', Times, serif";

/// The size of all letters, in the units of the picture.
pub const SIZE: f64 = 15.0;

/// Where the given point lies in a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture being written.
pub struct Svg {
    out: String,
    open: Vec<&'static str>,
}

impl Svg {
    /// A white sheet, with what a screen reader says of it.
    pub fn new(width: f64, height: f64, title: &str, description: &str) -> Svg {
        let (w, h) = (number(width), number(height));
        let mut svg = Svg { out: String::new(), open: Vec::new() };
        let size = format!(r#"viewBox="0 0 {w} {h}" width="{w}" height="{h}""#);
        let font = format!(r#"font-family="{FONT}" font-size="{}""#, number(SIZE));
        svg.open("svg", &format!(r#"xmlns="http://www.w3.org/2000/svg" {size} role="img" {font}"#));
        let _ = writeln!(svg.out, "<title>{}</title>\n<desc>{}</desc>", escaped(title), escaped(description));
        svg.rectangle([0.0, 0.0], [width, height], r##"fill="#fff""##);
        svg
    }

    /// Opens an element, which `close` closes.
    pub fn open(&mut self, tag: &'static str, style: &str) {
        let _ = writeln!(self.out, "<{tag} {style}>");
        self.open.push(tag);
    }

    /// Closes what was opened last.
    pub fn close(&mut self) {
        if let Some(tag) = self.open.pop() {
            let _ = writeln!(self.out, "</{tag}>");
        }
    }

    /// The whole text.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out
    }

    /// A straight line.
    pub fn line(&mut self, from: [f64; 2], to: [f64; 2], style: &str) {
        let _ = writeln!(self.out, r#"<path d="{}" {style}/>"#, data(&[vec![from, to]], false));
    }

    /// Lines through points, open or closed; a piece of one point is a dot if the caps are round.
    pub fn path(&mut self, pieces: &[Vec<[f64; 2]>], closed: bool, style: &str) {
        if pieces.iter().any(|piece| !piece.is_empty()) {
            let _ = writeln!(self.out, r#"<path d="{}" {style}/>"#, data(pieces, closed));
        }
    }

    /// A rectangle from its upper left corner.
    pub fn rectangle(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2], style: &str) {
        let [x, y, width, height] = [x, y, width, height].map(number);
        let _ = writeln!(self.out, r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" {style}/>"#);
    }

    /// A circle.
    pub fn circle(&mut self, [x, y]: [f64; 2], radius: f64, style: &str) {
        let [x, y, radius] = [x, y, radius].map(number);
        let _ = writeln!(self.out, r#"<circle cx="{x}" cy="{y}" r="{radius}" {style}/>"#);
    }

    /// A line of text.
    pub fn text(&mut self, at: [f64; 2], anchor: Anchor, text: &Text, style: &str) {
        let [x, y] = at.map(number);
        self.set(&format!(r#"x="{x}" y="{y}""#), anchor, text, style);
    }

    /// A line of text that reads upwards.
    pub fn text_upwards(&mut self, at: [f64; 2], anchor: Anchor, text: &Text) {
        let [x, y] = at.map(number);
        self.set(&format!(r#"transform="translate({x} {y}) rotate(-90)""#), anchor, text, "");
    }

    fn set(&mut self, place: &str, anchor: Anchor, text: &Text, style: &str) {
        if text.runs.is_empty() {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let space = if style.is_empty() { "" } else { " " };
        let _ = writeln!(self.out, "<text {place}{anchor}{space}{style}>{}</text>", spans(text));
    }
}

/// The runs of a text. What is lowered or raised moves the pen, and the next run moves it back.
///
/// Spaces stand between the spans: at the ends of one, some readers drop them.
fn spans(text: &Text) -> String {
    let mut out = String::new();
    let mut pen = 0.0;
    for run in &text.runs {
        let line = match run.level {
            Level::Base => 0.0,
            Level::Sub => 0.25 * SIZE,
            Level::Sup => -0.35 * SIZE,
        };
        let shift = if line == pen { String::new() } else { format!(r#" dy="{}""#, number(line - pen)) };
        let small = if line == 0.0 { String::new() } else { format!(r#" font-size="{}""#, number(SIZE * SMALL)) };
        let slant = if run.italic { r#" font-style="italic""# } else { "" };
        let style = shift + &small + slant;
        let core = run.text.trim_matches(' ');
        let (before, after) = (run.text.starts_with(' '), run.text.ends_with(' ') && !core.is_empty());
        out += if before { " " } else { "" };
        if !core.is_empty() {
            let inner = escaped(core);
            out += &if style.is_empty() { inner } else { format!("<tspan{style}>{inner}</tspan>") };
            pen = line;
        }
        out += if after { " " } else { "" };
    }
    out
}

/// The first point of each piece in full, then steps: half as long as points, and no drift, since
/// what is subtracted is what was written.
fn data(pieces: &[Vec<[f64; 2]>], closed: bool) -> String {
    let mut out = String::new();
    for piece in pieces {
        let mut pen = [0.0; 2];
        for (place, point) in piece.iter().enumerate() {
            let next = point.map(|part| (part * 100.0).round() / 100.0);
            let [x, y] = [0, 1].map(|axis| number(next[axis] - pen[axis]));
            let before = [
                if place == 0 {
                    "M"
                } else if place == 1 {
                    "l"
                } else {
                    " "
                },
                " ",
            ];
            out += if x.starts_with('-') && place > 1 { "" } else { before[0] };
            out += &x;
            out += if y.starts_with('-') { "" } else { before[1] };
            out += &y;
            pen = next;
        }
        out += match piece.len() {
            1 => "h0",
            _ if closed => "z",
            _ => "",
        };
    }
    out
}

/// A number with two decimals, less where they are zeros.
pub fn number(value: f64) -> String {
    assert!(value.is_finite(), "a picture has no place for {value}");
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text as XML takes it: special characters by their names, what XML forbids as `�`.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Anchor, Svg, data, escaped, number};
    use crate::name::Text;

    #[test]
    fn numbers_are_short_and_never_minus_zero() {
        let table =
            [(0.0, "0"), (-0.0, "0"), (-0.004, "0"), (1.0, "1"), (1.256, "1.26"), (100.0, "100"), (-2.5, "-2.5")];
        for (value, expected) in table {
            assert_eq!(number(value), expected);
        }
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("a<b & 'c' \"d\">"), "a&lt;b &amp; &#39;c&#39; &quot;d&quot;&gt;");
        assert_eq!(escaped("a\nb\u{1}c\u{ffff}"), "a b\u{fffd}c\u{fffd}");
    }

    #[test]
    fn a_subscript_moves_the_pen_and_the_next_run_moves_it_back() {
        let mut svg = Svg::new(10.0, 10.0, "", "");
        svg.text([1.0, 2.0], Anchor::Middle, &Text::label(["x1"], "m"), "");
        let expected = r#"<text x="1" y="2" text-anchor="middle"><tspan font-style="italic">x</tspan><tspan dy="3.75" font-size="10.5">1</tspan> <tspan dy="-3.75">(m)</tspan></text>"#;
        assert!(svg.finish().contains(expected));
    }

    #[test]
    fn lines_are_written_in_steps_that_do_not_drift() {
        let third: Vec<[f64; 2]> = (0..4).map(|i| [f64::from(i) / 3.0, -f64::from(i)]).collect();
        assert_eq!(data(&[third], false), "M0 0l0.33-1 0.34-1 0.33-1");
        assert_eq!(data(&[vec![[1.0, 2.0]], vec![[0.0, 0.0], [-1.0, 0.0], [-2.0, 3.0]]], true), "M1 2h0M0 0l-1 0-1 3z");
    }

    #[test]
    fn what_is_opened_is_closed() {
        let mut svg = Svg::new(10.0, 10.0, "", "");
        svg.open("g", r#"fill="none""#);
        assert!(svg.finish().ends_with("</g>\n</svg>\n"));
    }
}
