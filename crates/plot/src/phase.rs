//! How does one column go with another? A phase portrait, or a trajectory with equal axes.
//!
//! A dot marks the start of each curve, an arrow head its direction. Several curves are named right of
//! the frame, where they cover nothing.

use crate::Column;
use crate::frame::{self, BELOW, Frame, GAP, HEIGHT, KEY, LINE, POINTS, WIDTH};
use crate::ink;
use crate::name::Text;
use crate::scale::{drawable, opened, range};
use crate::svg::{Anchor, SIZE, Svg};
use crate::thin::{self, Pieces, Point};

/// The columns `ys` against the column `x`, as SVG; with equal axes a circle is round.
pub fn phase(title: &str, x: &Column, ys: &[Column], equal_axes: bool) -> String {
    let all: Vec<&Column> = ys.iter().collect();
    let what = frame::said(&all, x);
    let keys: Vec<Text> = if ys.len() > 1 { ys.iter().map(key).collect() } else { Vec::new() };
    let frame = framed(title, x, ys, &keys, equal_axes);
    let described = format!("{what}: {} samples; a dot marks the start, an arrow the direction.", x.values.len());
    let height = (frame.bottom() + BELOW).max(keys.len() as f64 * LINE + frame.top).round();
    let mut svg = Svg::new(WIDTH, height, &frame::title_or(title, &what), &described);
    frame::write_title(&mut svg, title, frame.left, frame.right());
    frame.draw(&mut svg, true);
    let mut empty = true;
    for (n, y) in ys.iter().enumerate() {
        let pieces = thin::curve(frame.points(x, y), POINTS / ys.len());
        svg.path(&pieces, false, &frame::stroke(n));
        draw_start(&mut svg, &pieces, &ink::hex(ink::line(n).0));
        empty &= pieces.is_empty();
    }
    for (n, key) in keys.iter().enumerate() {
        let (left, height) = (frame.right() + 2.0 * GAP, frame.top + (n as f64 + 0.5) * LINE);
        svg.line([left, height], [left + KEY, height], &frame::stroke(n));
        svg.text([left + KEY + 5.0, height + 0.32 * SIZE], Anchor::Start, key, "");
    }
    if empty {
        frame.say_no_data(&mut svg);
    }
    frame.label_below(&mut svg, Text::label([x.name.as_str()], &x.unit));
    frame.label_beside(&mut svg, vec![frame::names(&all)]);
    svg.finish()
}

fn key(y: &Column) -> Text {
    Text::name(&y.name).within(150.0, SIZE)
}

/// The frame around all points that have both coordinates.
fn framed(title: &str, x: &Column, ys: &[Column], keys: &[Text], equal_axes: bool) -> Frame {
    let both = || {
        let pairs = ys.iter().flat_map(|y| x.values.iter().zip(&y.values));
        pairs.filter_map(|(&x, &y)| Some((drawable(x)?, drawable(y)?)))
    };
    let across = range(both().map(|(x, _)| x));
    let up = range(both().map(|(_, y)| y));
    let right = if keys.is_empty() { 3.0 * GAP } else { frame::right_of(keys) + GAP };
    let top = frame::title_room(title);
    match (across, up) {
        (Some(across), Some(up)) if equal_axes => equal(across, up, ROOM, top, right),
        _ => filling(across, up, top, right),
    }
}

/// The room around the data, as a part of their range.
const ROOM: f64 = 0.05;

/// A frame that fills the sheet.
pub fn filling(across: Option<(f64, f64)>, up: Option<(f64, f64)>, top: f64, right: f64) -> Frame {
    let [across, up] = [across, up].map(|range| range.map(|range| opened(range, ROOM)));
    let mut height = HEIGHT - BELOW - top;
    let mut y = frame::scale_beside(up, height);
    let top = top + frame::note_above(&y);
    height = HEIGHT - BELOW - top;
    y = frame::scale_beside(up, height);
    let label = frame::label_of([&y]);
    let left = frame::left_of(label);
    let width = WIDTH - left - right;
    Frame { left, top, width, height, label, x: frame::scale_below(across, width), y }
}

/// The least width and height of a frame with equal axes, and its greatest height.
const LEAST: [f64; 2] = [150.0, 110.0];
const GREATEST: f64 = 480.0;

/// A frame in which a unit is as long upwards as across.
///
/// The frame takes the shape of the data between its least and greatest size; beyond that, the
/// shorter range is opened. The room around the data is a part of the longer range.
pub fn equal(across: (f64, f64), up: (f64, f64), room: f64, top: f64, right: f64) -> Frame {
    let span = |(low, high): (f64, f64)| high - low;
    let longer = span(across).max(span(up)) * room;
    let with_room = |(low, high): (f64, f64)| match longer > 1e-12 * low.abs().max(high.abs()) {
        true => (low - longer, high + longer),
        false => opened((low, high), room),
    };
    let (across, up) = (with_room(across), with_room(up));
    // The numbers decide how much room is left of the frame, and the frame which numbers there are.
    let guess = frame::left_of(frame::label_of([&frame::scale_beside(Some(up), GREATEST)]));
    let first = shaped(across, up, guess, right);
    let frame = shaped(across, up, frame::left_of(first.label), right);
    Frame { top: top + frame::note_above(&frame.y), ..frame }
}

/// The frame between two margins, and its scales.
fn shaped(across: (f64, f64), up: (f64, f64), left: f64, right: f64) -> Frame {
    let span = |(low, high): (f64, f64)| high - low;
    let least = span(across).max(span(up)) * 1e-6;
    let room = WIDTH - left - right;
    let aspect = span(up).max(least) / span(across).max(least);
    let height = (room * aspect).clamp(LEAST[1], GREATEST);
    let width = (height / aspect).clamp(LEAST[0].min(room), room);
    let pixel = (span(across) / width).max(span(up) / height);
    let widened = |(low, high): (f64, f64), length: f64| {
        let more = (pixel * length - (high - low)).max(0.0) / 2.0;
        Some((low - more, high + more))
    };
    let (x, y) = (frame::scale_below(widened(across, width), width), frame::scale_beside(widened(up, height), height));
    Frame { left: left + (room - width) / 2.0, top: 0.0, width, height, label: frame::label_of([&y]), x, y }
}

/// How far along the curve the arrow head is, in pixels, and how long it is.
const ARROW: (f64, f64) = (90.0, 13.0);

/// A dot where the curve starts and an arrow head a little farther.
fn draw_start(svg: &mut Svg, pieces: &Pieces, colour: &str) {
    let Some(first) = pieces.first() else { return };
    let fill = format!(r#"fill="{colour}""#);
    let length: f64 = first.windows(2).map(|pair| distance(pair[0], pair[1])).sum();
    if length > 2.0 * ARROW.1 {
        let middle = (length * 0.3).min(ARROW.0).max(ARROW.1);
        let (tail, tip) = (along(first, middle - ARROW.1 / 2.0), along(first, middle + ARROW.1 / 2.0));
        if distance(tail, tip) > 0.5 * ARROW.1 {
            let [dx, dy] = [(tip[0] - tail[0]) / distance(tail, tip), (tip[1] - tail[1]) / distance(tail, tip)];
            let back = |side: f64| [tip[0] - ARROW.1 * dx - side * dy, tip[1] - ARROW.1 * dy + side * dx];
            let notch = [tip[0] - 0.7 * ARROW.1 * dx, tip[1] - 0.7 * ARROW.1 * dy];
            svg.path(&[vec![tip, back(4.8), notch, back(-4.8)]], true, &fill);
        }
    }
    svg.circle(first[0], 3.6, &fill);
}

fn distance(a: Point, b: Point) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The point at that length along a line.
fn along(points: &[Point], mut length: f64) -> Point {
    for pair in points.windows(2) {
        let step = distance(pair[0], pair[1]);
        if length <= step && step > 0.0 {
            let part = length / step;
            return [0, 1].map(|axis| pair[0][axis] + (pair[1][axis] - pair[0][axis]) * part);
        }
        length -= step;
    }
    points[points.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::{along, equal};

    #[test]
    fn equal_axes_give_a_unit_the_same_length_both_ways() {
        for (across, up) in [((0.0, 1.0), (0.0, 1.0)), ((0.0, 100.0), (0.0, 1.0)), ((0.0, 1.0), (-50.0, 50.0))] {
            let frame = equal(across, up, 0.05, 38.0, 24.0);
            let [right, above] =
                [frame.width / (frame.x.high - frame.x.low), frame.height / (frame.y.high - frame.y.low)];
            assert!((right / above - 1.0).abs() < 1e-9, "{right} {above}");
            assert!(frame.right() <= 640.0 && frame.height <= 480.0);
        }
        let fall = equal((10.0, 10.0), (0.0, 1e-3), 0.05, 38.0, 24.0);
        assert!(fall.y.high - fall.y.low < 1.2e-3, "a constant x does not make the way down a dot");
    }

    #[test]
    fn a_point_along_a_line() {
        let line = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]];
        assert_eq!(along(&line, 4.0), [4.0, 0.0]);
        assert_eq!(along(&line, 13.0), [10.0, 3.0]);
        assert_eq!(along(&line, 99.0), [10.0, 10.0]);
    }
}
