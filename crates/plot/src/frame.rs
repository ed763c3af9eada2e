//! Where do the data lie on the sheet, and what is drawn around them?

use crate::Column;
use crate::ink;
use crate::name::Text;
use crate::scale::{Scale, drawable};
use crate::svg::{Anchor, SIZE, Svg};
use crate::thin::Point;

/// The width of every picture: two fit side by side on a page, one fills a column.
pub const WIDTH: f64 = 640.0;

/// The least height of a picture.
pub const HEIGHT: f64 = 420.0;

/// What lies between the frame and what is written around it.
pub const GAP: f64 = 8.0;

/// The height of a line of text.
pub const LINE: f64 = 19.0;

/// How many points all curves of a picture have at most: at some 10 characters each, 150 kB.
pub const POINTS: usize = 15_000;

/// What is written where there is nothing to draw.
pub const NO_DATA: &str = "no data";

const AXIS: &str = r##"fill="none" stroke="#333" stroke-width="1""##;
const GRID: &str = r##"fill="none" stroke="#e3e3e3" stroke-width="0.8""##;

/// A rectangle of the sheet with a scale at two sides.
pub struct Frame {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
    /// How far left of the frame its label stands, so that the labels of several frames are in line.
    pub label: f64,
    pub x: Scale,
    pub y: Scale,
}

impl Frame {
    /// Where a point of the data lies on the sheet; `None` where it is a gap.
    pub fn place(&self, x: f64, y: f64) -> Option<Point> {
        let (right, up) = (self.x.fraction(drawable(x)?), self.y.fraction(drawable(y)?));
        Some([self.left + right * self.width, self.top + (1.0 - up) * self.height])
    }

    /// The points of two columns on the sheet.
    pub fn points<'a>(&'a self, x: &'a Column, y: &'a Column) -> impl Iterator<Item = Option<Point>> + 'a {
        x.values.iter().zip(&y.values).map(|(&x, &y)| self.place(x, y))
    }

    pub fn right(&self) -> f64 {
        self.left + self.width
    }

    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// The grid, the axes and the numbers; those of the horizontal axis only if wanted.
    pub fn draw(&self, svg: &mut Svg, numbers_below: bool) {
        let (right, bottom) = (self.right(), self.bottom());
        let across = |tick: f64| self.left + self.x.fraction(tick) * self.width;
        let up = |tick: f64| bottom - self.y.fraction(tick) * self.height;
        let upright: Vec<Vec<Point>> =
            self.x.ticks.iter().map(|tick| vec![[across(tick.at), self.top], [across(tick.at), bottom]]).collect();
        let level: Vec<Vec<Point>> =
            self.y.ticks.iter().map(|tick| vec![[self.left, up(tick.at)], [right, up(tick.at)]]).collect();
        svg.path(&[upright, level].concat(), false, GRID);
        let below = self.x.ticks.iter().map(|tick| vec![[across(tick.at), bottom], [across(tick.at), bottom + 5.0]]);
        let beside = self.y.ticks.iter().map(|tick| vec![[self.left - 5.0, up(tick.at)], [self.left, up(tick.at)]]);
        let corner = vec![[self.left, self.top], [self.left, bottom], [right, bottom]];
        svg.path(&below.chain(beside).chain([corner]).collect::<Vec<_>>(), false, AXIS);
        for tick in &self.y.ticks {
            let at = [self.left - GAP, up(tick.at) + 0.34 * SIZE];
            svg.text(at, Anchor::End, &Text::upright(&tick.label), "");
        }
        for tick in self.x.ticks.iter().filter(|_| numbers_below) {
            svg.text([across(tick.at), bottom + 5.0 + SIZE], Anchor::Middle, &Text::upright(&tick.label), "");
        }
        let note = self.y.note();
        match self.left - 4.0 - note.width(SIZE) > 0.0 {
            true => svg.text([self.left - 4.0, self.top - GAP], Anchor::End, &note, ""),
            false => svg.text([4.0, self.top - GAP], Anchor::Start, &note, ""),
        }
        if numbers_below {
            svg.text([right, bottom + 8.0 + 2.0 * SIZE], Anchor::End, &self.x.note(), "");
        }
    }

    /// What stands below the horizontal axis.
    pub fn label_below(&self, svg: &mut Svg, label: Text) {
        let note = self.x.note().width(SIZE);
        let room = self.width - if note > 0.0 { 2.0 * (note + GAP) } else { 0.0 };
        let at = [self.left + self.width / 2.0, self.bottom() + 8.0 + 2.0 * SIZE];
        svg.text(at, Anchor::Middle, &label.within(room, SIZE), "");
    }

    /// What stands beside the vertical axis, reading upwards: the first of the labels that fits.
    pub fn label_beside(&self, svg: &mut Svg, labels: Vec<Text>) {
        let shortest = labels.last().cloned().unwrap_or_default().within(self.height, SIZE);
        let label = labels.into_iter().find(|label| label.width(SIZE) <= self.height).unwrap_or(shortest);
        svg.text_upwards([self.left - self.label, self.top + self.height / 2.0], Anchor::Middle, &label);
    }

    /// Says that there is nothing to see.
    pub fn say_no_data(&self, svg: &mut Svg) {
        let at = [self.left + self.width / 2.0, self.top + self.height / 2.0 + 0.34 * SIZE];
        svg.text(at, Anchor::Middle, &Text::upright(NO_DATA), r##"fill="#666""##);
    }
}

/// How far left of a frame its label stands: beyond the numbers.
pub fn label_of<'a>(scales: impl IntoIterator<Item = &'a Scale>) -> f64 {
    widest(scales) + 2.0 * GAP + 0.25 * SIZE
}

/// What is needed left of a frame whose label stands there.
pub fn left_of(label: f64) -> f64 {
    label + SIZE + 2.0
}

/// What is needed below a frame for its numbers and its label.
pub const BELOW: f64 = 46.0;

/// What is needed above a frame for the note at its axis.
pub fn note_above(scale: &Scale) -> f64 {
    if scale.note().runs.is_empty() { 0.0 } else { LINE }
}

/// The width of the broadest number.
pub fn widest<'a>(scales: impl IntoIterator<Item = &'a Scale>) -> f64 {
    let labels = scales.into_iter().flat_map(|scale| &scale.ticks);
    labels.map(|tick| Text::upright(&tick.label).width(SIZE)).fold(0.0, f64::max)
}

/// A horizontal scale whose numbers do not touch.
pub fn scale_below(range: Option<(f64, f64)>, width: f64) -> Scale {
    let Some(range) = range else { return Scale::blank() };
    let fits = |scale: &Scale| scale.spacing() * width >= widest([scale]) + 1.2 * SIZE;
    let scales = || (1..=10).rev().map(|most| Scale::over(range, most));
    scales().find(fits).unwrap_or_else(|| Scale::over(range, 1))
}

/// A vertical scale whose numbers do not touch.
pub fn scale_beside(range: Option<(f64, f64)>, height: f64) -> Scale {
    let most = (height / 28.0).min((height / 50.0).max(7.0)).max(2.0) as usize;
    range.map_or_else(Scale::blank, |range| Scale::over(range, most))
}

/// The title of a picture, over the frame; how much room it takes.
pub fn title_room(title: &str) -> f64 {
    if title.trim().is_empty() { 14.0 } else { 38.0 }
}

/// Writes the title over the middle of the frame, as far as the sheet allows.
pub fn write_title(svg: &mut Svg, title: &str, left: f64, right: f64) {
    let text = Text::upright(title.trim()).within(WIDTH - 2.0 * GAP, SIZE);
    let half = text.width(SIZE) / 2.0 + GAP;
    let middle = ((left + right) / 2.0).clamp(half, (WIDTH - half).max(half));
    svg.text([middle, 22.0], Anchor::Middle, &text, "");
}

/// How the n-th curve is drawn.
pub fn stroke(n: usize) -> String {
    let (colour, dashes) = ink::line(n);
    let dashes = if dashes.is_empty() { String::new() } else { format!(r#" stroke-dasharray="{dashes}""#) };
    let ends = if dashes.is_empty() { "round" } else { "butt" };
    let colour = ink::hex(colour);
    format!(
        r#"fill="none" stroke="{colour}" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="{ends}"{dashes}"#
    )
}

/// How long the sample of a line beside its name is.
pub const KEY: f64 = 30.0;

/// What is needed right of a frame for the names of its curves.
pub fn right_of(names: &[Text]) -> f64 {
    names.iter().map(|name| name.width(SIZE)).fold(0.0, f64::max) + KEY + 3.0 * GAP
}

/// The title, or what takes its place for those who cannot see the picture.
pub fn title_or(title: &str, otherwise: &str) -> String {
    if title.trim().is_empty() { otherwise.to_owned() } else { title.trim().to_owned() }
}

/// The names of columns by unit, as at an axis: `x, y (m), φ (rad)`.
pub fn names(columns: &[&Column]) -> Text {
    let mut out = Text::default();
    for group in columns.chunk_by(|a, b| a.unit.trim() == b.unit.trim()) {
        let label = Text::label(group.iter().map(|column| column.name.as_str()), &group[0].unit);
        out = if out.runs.is_empty() { label } else { out.and(Text::upright(", ")).and(label) };
    }
    out
}

/// What a chart shows, in words.
pub fn said(columns: &[&Column], against: &Column) -> String {
    let names = if columns.is_empty() { NO_DATA.to_owned() } else { names(columns).plain() };
    format!("{names} against {}", Text::name(&against.name).plain())
}
