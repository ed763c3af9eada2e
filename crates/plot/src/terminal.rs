//! What does a column look like in a terminal? Braille dots, eight a character, with numbers at the axes.

use crate::Column;
use crate::frame::NO_DATA;
use crate::name::Text;
use crate::scale::{Scale, drawable, opened, range};

/// A small plot of y against x, at most `width` × `height` characters.
///
/// What does not fit is left out: first the title, then the name, then the numbers.
pub fn terminal(title: &str, x: &Column, y: &Column, width: usize, height: usize) -> String {
    let points: Vec<(f64, f64)> = drawn(x, y).flatten().collect();
    let room = |range: Option<(f64, f64)>| range.map_or((0.0, 1.0), |range| opened(range, 0.0));
    let across = room(range(points.iter().map(|point| point.0)));
    let up = room(range(points.iter().map(|point| point.1)));
    let rows = height.saturating_sub(numbers(height) + named(height) + titled(title, height));
    let y_scale = Scale::over(up, (rows / 3).clamp(1, 10));
    let labels = y_scale.ticks.iter().map(|tick| tick.label.chars().count()).max().unwrap_or(0);
    let margin = if numbers(height) > 0 && labels + 2 + 8 <= width { labels + 2 } else { 0 };
    let columns = width - margin;
    let x_scale = scale_below(across, columns);
    let mut lines: Vec<String> = Vec::new();
    if titled(title, height) > 0 {
        lines.push(format!("{}{}", " ".repeat(margin), title.trim()));
    }
    if named(height) > 0 {
        lines.push(format!("{} against {}", labelled(&y_scale, y), labelled(&x_scale, x)));
    }
    let canvas = Canvas::of(x, y, across, up, columns, rows);
    lines.extend((0..rows).map(|row| beside(&y_scale, row, rows, margin) + &canvas.row(row)));
    if points.is_empty() && rows > 0 {
        let blank = columns.saturating_sub(NO_DATA.len()) / 2 + margin;
        lines[height - numbers(height) - rows / 2 - 1] = " ".repeat(blank) + NO_DATA;
    }
    if numbers(height) > 0 {
        lines.extend(below(&x_scale, margin, columns));
    }
    let trimmed: Vec<String> = lines.iter().map(|line| within(line, width)).collect();
    trimmed.join("\n")
}

/// The rows below the plot: the axis and its numbers.
fn numbers(height: usize) -> usize {
    if height >= 4 { 2 } else { 0 }
}

/// The row for the name of y.
fn named(height: usize) -> usize {
    usize::from(height >= 6)
}

/// The row for the title.
fn titled(title: &str, height: usize) -> usize {
    usize::from(height >= 8 && !title.trim().is_empty())
}

fn drawn(x: &Column, y: &Column) -> impl Iterator<Item = Option<(f64, f64)>> {
    x.values.iter().zip(&y.values).map(|(&x, &y)| Some((drawable(x)?, drawable(y)?)))
}

/// A name with its unit, and what the numbers at its axis leave out.
fn labelled(scale: &Scale, column: &Column) -> String {
    let label = Text::label([column.name.as_str()], &column.unit).plain();
    format!("{label} {}", scale.note().plain().trim()).trim().to_owned()
}

/// A line without control characters, cut to the width.
fn within(line: &str, width: usize) -> String {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let mut out: String = line.chars().map(clean).take(width).collect();
    if line.chars().count() > width && width > 0 {
        out.pop();
        out.push('…');
    }
    out.trim_end_matches([' ', '\u{2800}']).to_owned()
}

/// What stands left of a row: the number that belongs there, and the axis.
fn beside(scale: &Scale, row: usize, rows: usize, margin: usize) -> String {
    if margin == 0 {
        return String::new();
    }
    let here = |at: f64| ((1.0 - scale.fraction(at)) * (rows * 4 - 1) as f64 / 4.0).floor() as usize == row;
    match scale.ticks.iter().find(|tick| here(tick.at)) {
        Some(tick) => format!("{:>1$} ┤", tick.label, margin - 2),
        None => format!("{:>1$}│", "", margin - 1),
    }
}

/// A scale whose numbers do not touch on so many columns.
fn scale_below(range: (f64, f64), columns: usize) -> Scale {
    let widest = |scale: &Scale| scale.ticks.iter().map(|tick| tick.label.chars().count()).max().unwrap_or(0);
    let fits = |scale: &Scale| scale.spacing() * columns as f64 >= widest(scale) as f64 + 3.0;
    (1..=10).rev().map(|most| Scale::over(range, most)).find(fits).unwrap_or_else(|| Scale::over(range, 1))
}

/// The axis below the plot and its numbers.
fn below(scale: &Scale, margin: usize, columns: usize) -> Vec<String> {
    let total = margin + columns;
    let mut axis: Vec<char> = vec!['─'; total];
    let mut line: Vec<char> = vec![' '; total];
    axis[..margin].fill(' ');
    if margin > 0 {
        axis[margin - 1] = '└';
    }
    let mut free = 0;
    for tick in &scale.ticks {
        let place = margin + (scale.fraction(tick.at) * (columns.max(1) * 2 - 1) as f64 / 2.0) as usize;
        if let Some(at) = axis.get_mut(place) {
            *at = '┬';
        }
        let label: Vec<char> = tick.label.chars().collect();
        let start = place.saturating_sub(label.len() / 2).min(total.saturating_sub(label.len()));
        let end = start + label.len();
        if start >= free && end <= total {
            line[start..end].copy_from_slice(&label);
            free = end + 1;
        }
    }
    vec![axis.into_iter().collect(), line.into_iter().collect()]
}

/// Dots two across and four down in every character.
struct Canvas {
    columns: usize,
    cells: Vec<u8>,
}

/// The bit of each dot of a braille character, by row and column.
const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

impl Canvas {
    fn of(x: &Column, y: &Column, across: (f64, f64), up: (f64, f64), columns: usize, rows: usize) -> Canvas {
        let mut canvas = Canvas { columns, cells: vec![0; columns * rows] };
        if canvas.cells.is_empty() {
            return canvas;
        }
        let [last_x, last_y] = [columns * 2 - 1, rows * 4 - 1].map(|last| last as f64);
        let place = |(x, y): (f64, f64)| {
            let right = (x - across.0) / (across.1 - across.0) * last_x;
            let down = (up.1 - y) / (up.1 - up.0) * last_y;
            [right.round() as i64, down.round() as i64]
        };
        let mut before = None;
        for point in drawn(x, y) {
            let here = point.map(place);
            if let Some(here) = here {
                canvas.segment(before.unwrap_or(here), here);
            }
            before = here;
        }
        canvas
    }

    /// All dots between two.
    fn segment(&mut self, from: [i64; 2], to: [i64; 2]) {
        let steps = (to[0] - from[0]).abs().max((to[1] - from[1]).abs()).max(1);
        for step in 0..=steps {
            let [x, y] =
                [0, 1].map(|axis| from[axis] + ((to[axis] - from[axis]) * step * 2 + steps).div_euclid(2 * steps));
            let (x, y) = (x as usize, y as usize);
            if let Some(cell) = self.cells.get_mut(y / 4 * self.columns + x / 2) {
                *cell |= BITS[y % 4][x % 2];
            }
        }
    }

    fn row(&self, row: usize) -> String {
        let cells = self.cells.get(row * self.columns..(row + 1) * self.columns).unwrap_or(&[]);
        cells.iter().map(|&bits| char::from_u32(0x2800 + u32::from(bits)).unwrap_or(' ')).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::terminal;
    use crate::Column;

    fn column(name: &str, unit: &str, values: impl Iterator<Item = f64>) -> Column {
        Column { name: name.to_owned(), unit: unit.to_owned(), values: values.collect() }
    }

    fn line() -> (Column, Column) {
        (column("t", "s", (0..=10).map(f64::from)), column("x1", "m", (0..=10).map(|i| f64::from(i) / 10.0)))
    }

    #[test]
    fn a_straight_line_is_straight() {
        let (t, x) = line();
        let expected = [
            "     A line",
            "x₁ (m) against t (s)",
            "  1 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⠤⠒⠉",
            "    │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⣀⠤⠒⠉",
            "0.5 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⠔⠊⠁",
            "    │⠀⠀⠀⠀⠀⠀⠀⠀⢀⡠⠤⠒⠉",
            "    │⠀⠀⠀⠀⣀⠤⠒⠉⠁",
            "  0 ┤⣀⠤⠒⠉",
            "    └┬───┬────┬────┬────┬────┬",
            "     0   2    4    6    8   10",
        ];
        assert_eq!(terminal("A line", &t, &x, 30, 10).lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn nothing_is_said_to_be_nothing() {
        let (t, _) = line();
        let nan = column("x1", "m", t.values.iter().map(|_| f64::NAN));
        assert!(terminal("A line", &t, &nan, 30, 10).contains("no data"));
        assert!(terminal("A line", &column("t", "", [].into_iter()), &nan, 30, 10).contains("no data"));
    }

    #[test]
    fn no_plot_is_larger_than_it_may_be() {
        let (t, x) = line();
        for (width, height) in (0..40).flat_map(|width| (0..14).map(move |height| (width, height))) {
            let plot = terminal("A title\nthat is long, and a bell \u{7}", &t, &x, width, height);
            assert!(plot.lines().count() <= height, "{width}×{height}:\n{plot}");
            assert!(plot.lines().all(|line| line.chars().count() <= width), "{width}×{height}:\n{plot}");
            assert!(!plot.contains('\u{7}'));
        }
    }
}
