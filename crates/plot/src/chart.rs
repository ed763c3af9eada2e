//! How do columns go with time? Panels below each other, one a unit, over a common time axis.
//!
//! The name of each curve stands at its right end, so that it covers nothing; names that would touch
//! are moved apart and joined to their curves.

use std::cmp::Ordering;

use crate::frame::{self, BELOW, Frame, GAP, HEIGHT, KEY, LINE, POINTS, WIDTH};
use crate::name::Text;
use crate::scale::{Scale, drawable, opened, range, spoken};
use crate::svg::{Anchor, SIZE, Svg};
use crate::thin;
use crate::{Column, Mark};

/// The columns against time, as SVG.
///
/// Columns of the same unit share a panel; other units get panels of their own below it. Marks go
/// through all panels and are named above the first.
pub fn against_time(title: &str, time: &Column, columns: &[Column], marks: &[Mark]) -> String {
    let panels = by_unit(columns);
    let layout = Layout::of(title, time, &panels, marks);
    let all: Vec<&Column> = panels.iter().flatten().copied().collect();
    let what = frame::said(&all, time);
    let mut svg = Svg::new(WIDTH, layout.height, &frame::title_or(title, &what), &described(&what, time, &layout));
    let (left, right) = (layout.frames[0].left, layout.frames[0].right());
    frame::write_title(&mut svg, title, left, right);
    for (place, frame) in layout.frames.iter().enumerate() {
        frame.draw(&mut svg, place + 1 == layout.frames.len());
    }
    layout.draw_marks(&mut svg);
    for (frame, columns) in layout.frames.iter().zip(&panels) {
        draw_panel(&mut svg, frame, time, columns, POINTS / all.len().max(1));
    }
    if let Some(last) = layout.frames.last() {
        last.label_below(&mut svg, Text::label([time.name.as_str()], &time.unit));
    }
    if panels.is_empty() {
        layout.frames[0].say_no_data(&mut svg);
    }
    svg.finish()
}

/// The columns in groups of one unit, in the order in which the units come.
fn by_unit(columns: &[Column]) -> Vec<Vec<&Column>> {
    let mut panels: Vec<Vec<&Column>> = Vec::new();
    for column in columns {
        match panels.iter_mut().find(|panel| panel[0].unit.trim() == column.unit.trim()) {
            Some(panel) => panel.push(column),
            None => panels.push(vec![column]),
        }
    }
    panels
}

/// Where everything stands. There is at least one frame, if only to say that there are no data.
struct Layout {
    frames: Vec<Frame>,
    height: f64,
    /// The marks within the time shown.
    marks: Vec<Placed>,
}

impl Layout {
    fn of(title: &str, time: &Column, panels: &[Vec<&Column>], marks: &[Mark]) -> Layout {
        let count = panels.len().max(1);
        let nothing: &[&Column] = &[];
        let shown = |k: usize| panels.get(k).map_or(nothing, Vec::as_slice);
        let least = [HEIGHT - BELOW - 40.0, 190.0, 150.0][count.min(3) - 1];
        let height = |k: usize| (shown(k).len() as f64 * LINE).max(least);
        let heights: Vec<f64> = (0..count).map(height).collect();
        let scales: Vec<Scale> =
            (0..count).map(|k| frame::scale_beside(vertical(time, shown(k)), heights[k])).collect();

        let label = frame::label_of(&scales);
        let left = frame::left_of(label);
        let keys: Vec<Text> =
            panels.iter().filter(|panel| panel.len() > 1).flatten().map(|column| key(column)).collect();
        let right = if keys.is_empty() { 3.0 * GAP } else { frame::right_of(&keys) };
        let width = WIDTH - left - right;
        let span = horizontal(time);
        let x = frame::scale_below(span, width);

        let inside = |mark: &&Mark| span.is_some_and(|(first, last)| (first..=last).contains(&mark.t));
        let place = |t: f64| left + x.fraction(t) * width;
        let named = marks.iter().filter(inside).map(|mark| (mark.t, place(mark.t), mark.label.trim())).collect();
        let mut marks = flagged(named);
        let rows = marks.iter().filter_map(|mark| mark.flag.as_ref()).map(|flag| flag.row + 1).max().unwrap_or(0);

        let mut top = frame::title_room(title) + rows as f64 * LINE;
        let names_bottom = top - GAP;
        let mut frames = Vec::new();
        for (y, height) in scales.into_iter().zip(heights) {
            top += frame::note_above(&y);
            frames.push(Frame { left, top, width, height, label, x: x.clone(), y });
            top += height + 2.0 * GAP;
        }
        for flag in marks.iter_mut().filter_map(|mark| mark.flag.as_mut()) {
            flag.bottom = names_bottom - flag.row as f64 * LINE;
        }
        Layout { frames, height: (top - 2.0 * GAP + BELOW).round(), marks }
    }

    /// A thin line through all panels for each mark, its label above.
    fn draw_marks(&self, svg: &mut Svg) {
        let (first, last) = (&self.frames[0], &self.frames[self.frames.len() - 1]);
        for mark in &self.marks {
            let style = r##"fill="none" stroke="#777" stroke-width="0.8" stroke-dasharray="4 3""##;
            let top = mark.flag.as_ref().map_or(first.top, |flag| flag.bottom - 0.75 * SIZE);
            svg.line([mark.x, top], [mark.x, last.bottom()], style);
            if let Some(flag) = &mark.flag {
                let (at, anchor) =
                    if flag.left > mark.x { (flag.left, Anchor::Start) } else { (flag.right, Anchor::End) };
                svg.text([at, flag.bottom], anchor, &flag.text, r##"fill="#444""##);
            }
        }
    }
}

/// The time shown.
fn horizontal(time: &Column) -> Option<(f64, f64)> {
    range(time.values.iter().copied()).map(|range| opened(range, 0.0))
}

/// The numbers shown in a panel.
fn vertical(time: &Column, panel: &[&Column]) -> Option<(f64, f64)> {
    let pairs = panel.iter().flat_map(|column| time.values.iter().zip(&column.values));
    let shown = pairs.filter(|(t, _)| drawable(**t).is_some()).map(|(_, &value)| value);
    range(shown).map(|range| opened(range, 0.05))
}

/// The name of a curve at its end.
fn key(column: &Column) -> Text {
    Text::name(&column.name).within(150.0, SIZE)
}

/// A mark on the sheet.
struct Placed {
    t: f64,
    x: f64,
    label: String,
    /// Its label, if there is room for it.
    flag: Option<Flag>,
}

/// A label beside the upper end of its line. Row 0 is next to the frame.
struct Flag {
    row: usize,
    left: f64,
    right: f64,
    bottom: f64,
    text: Text,
}

/// More rows of labels than this, and the picture is all labels.
const MOST_ROWS: usize = 5;

/// More marks than this may be too many to tell apart.
const MANY: usize = 100;

/// Labels in rows such that none touches another or the line of another.
///
/// From right to left, each takes the lowest row that is free; then, from left to right, those that
/// find no room before the edge of the sheet and stand left of their lines. A label that finds no row
/// is left out. Of more marks than pixels, a pixel keeps one.
fn flagged(mut marks: Vec<(f64, f64, &str)>) -> Vec<Placed> {
    marks.sort_by(|a, b| b.1.total_cmp(&a.1));
    if marks.len() > MANY {
        marks.dedup_by(|next, kept| kept.1 - next.1 < 1.0);
    }
    let flags_right = |x: f64, width: f64| x + 4.0 + width <= WIDTH - GAP;
    let text = |label: &str| Text::upright(label).within(260.0, SIZE);
    let (right, mut left): (Vec<_>, Vec<_>) =
        marks.into_iter().partition(|&(_, x, label)| flags_right(x, text(label).width(SIZE)));
    left.reverse();
    let mut placed: Vec<Placed> = Vec::new();
    for (t, x, label) in right.into_iter().chain(left) {
        let text = text(label);
        let width = text.width(SIZE);
        let left = if flags_right(x, width) { x + 4.0 } else { x - 4.0 - width };
        let flag = |row| Flag { row, left, right: left + width, bottom: 0.0, text: text.clone() };
        let row = (0..MOST_ROWS).find(|&row| placed.iter().all(|other| apart(x, &flag(row), other)));
        let flag = row.filter(|_| !label.is_empty()).map(flag);
        placed.push(Placed { t, x, label: label.to_owned(), flag });
    }
    placed.sort_by(|a, b| a.x.total_cmp(&b.x));
    placed
}

/// Do a label with its line and another one keep clear of each other?
fn apart(x: f64, flag: &Flag, other: &Placed) -> bool {
    let Some(theirs) = &other.flag else { return true };
    let crosses = |x: f64, flag: &Flag| (flag.left - 2.0..flag.right + 2.0).contains(&x);
    match flag.row.cmp(&theirs.row) {
        Ordering::Equal => flag.right + GAP < theirs.left || theirs.right + GAP < flag.left,
        Ordering::Greater => !crosses(x, theirs),
        Ordering::Less => !crosses(other.x, flag),
    }
}

/// The curves of a panel and their names.
fn draw_panel(svg: &mut Svg, frame: &Frame, time: &Column, columns: &[&Column], budget: usize) {
    let several = columns.len() > 1;
    let mut ends = Vec::new();
    for (n, column) in columns.iter().enumerate() {
        let pieces = thin::graph(frame.points(time, column), budget);
        svg.path(&pieces, false, &frame::stroke(n));
        let end = pieces.last().and_then(|piece| piece.last()).map(|point| point[1]);
        ends.push((end.unwrap_or(frame.top + frame.height / 2.0), n));
    }
    if columns.iter().all(|column| frame.points(time, column).flatten().next().is_none()) {
        frame.say_no_data(svg);
    }
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let heights: Vec<f64> = ends.iter().map(|&(height, _)| height).collect();
    let moved = spread(&heights, LINE, frame.top + LINE / 2.0, frame.bottom() - LINE / 2.0);
    for (&(from, n), to) in ends.iter().zip(moved).filter(|_| several) {
        let x = frame.right() + 4.0;
        svg.path(&[vec![[x, from], [x + 7.0, to], [x + KEY, to]]], false, &frame::stroke(n));
        svg.text([x + KEY + 5.0, to + 0.32 * SIZE], Anchor::Start, &key(columns[n]), "");
    }
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let ends = [names[0], "…", names[names.len() - 1]];
    let all = if names.len() > 3 { &ends } else { names.as_slice() };
    frame.label_beside(svg, [all, &["…"]].map(|names| Text::label(names.iter().copied(), &columns[0].unit)).to_vec());
}

/// Heights at least `gap` apart within bounds, each as near to where it would like to be as that allows.
///
/// `y[i] − i·gap` must not fall: neighbours that would are given their mean (isotonic regression).
fn spread(heights: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (i, height) in heights.iter().enumerate() {
        let mut block = (height - i as f64 * gap, 1);
        while let Some(&(mean, size)) = blocks.last().filter(|(mean, _)| *mean > block.0) {
            blocks.pop();
            block = ((mean * size as f64 + block.0 * block.1 as f64) / (size + block.1) as f64, size + block.1);
        }
        blocks.push(block);
    }
    let most = (high - heights.len().saturating_sub(1) as f64 * gap).max(low);
    let means = blocks.iter().flat_map(|&(mean, size)| std::iter::repeat_n(mean, size));
    means.enumerate().map(|(i, mean)| mean.clamp(low, most) + i as f64 * gap).collect()
}

/// The picture in words.
fn described(what: &str, time: &Column, layout: &Layout) -> String {
    let mut out = format!("{what}: {} samples", time.values.len());
    if let Some((first, last)) = range(time.values.iter().copied()) {
        out += &format!(" from {} to {} {}", spoken(first, 6), spoken(last, 6), Text::unit(&time.unit).plain());
    }
    out = out.trim_end().to_owned() + ".";
    let marks = layout.marks.iter().take(20).map(|mark| format!("{} at {}", mark.label, spoken(mark.t, 6)));
    let marks: Vec<String> = marks.map(|mark| mark.trim().to_owned()).collect();
    if marks.is_empty() { out } else { format!("{out} Marked: {}.", marks.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::{flagged, spread};

    #[test]
    fn names_are_moved_apart_and_no_farther() {
        assert_eq!(spread(&[10.0, 50.0], 20.0, 0.0, 100.0), [10.0, 50.0]);
        assert_eq!(spread(&[50.0, 50.0], 20.0, 0.0, 100.0), [40.0, 60.0]);
        assert_eq!(spread(&[0.0, 0.0, 90.0], 20.0, 0.0, 100.0), [0.0, 20.0, 90.0]);
        assert_eq!(spread(&[99.0, 99.0], 20.0, 0.0, 100.0), [80.0, 100.0]);
        assert_eq!(spread(&[], 20.0, 0.0, 100.0), []);
    }

    #[test]
    fn labels_that_would_touch_go_into_another_row() {
        let rows = |marks: &[f64]| -> Vec<Option<usize>> {
            let named = marks.iter().map(|&x| (0.0, x, "impact")).collect();
            flagged(named).iter().map(|mark| mark.flag.as_ref().map(|flag| flag.row)).collect()
        };
        assert_eq!(rows(&[100.0, 300.0]), [Some(0), Some(0)]);
        assert_eq!(rows(&[100.0, 110.0]), [Some(1), Some(0)]);
        assert_eq!(rows(&[100.0, 110.0, 120.0, 300.0]), [Some(2), Some(1), Some(0), Some(0)]);
        assert_eq!(rows(&[100.0; 9]).iter().flatten().count(), 5);
        assert_eq!(rows(&[600.0, 620.0]), [Some(0), Some(1)], "at the edge of the sheet");
        let crowd: Vec<f64> = (0..50_000).map(|i| 100.0 + f64::from(i) * 0.01).collect();
        assert!(rows(&crowd).len() <= 501);
    }
}
