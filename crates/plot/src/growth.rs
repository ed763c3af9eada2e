//! How does a cost grow with a size? Curves between two logarithmic axes: a power is a straight line, and its slope the exponent.

use crate::Column;
use crate::frame::{self, BELOW, Frame, GAP, HEIGHT, KEY, LINE, POINTS, WIDTH};
use crate::ink;
use crate::name::Text;
use crate::scale::{Scale, Tick, range};
use crate::svg::{Anchor, SIZE, Svg};
use crate::thin;

/// The columns `ys` against the column `x`, as SVG, both axes logarithmic. What is not positive is a gap; names stand as they come.
///
/// ```
/// let column = |name: &str, f: fn(f64) -> f64| plot::Column {
///     name: name.to_owned(),
///     unit: "s".to_owned(),
///     values: [1.0, 10.0, 100.0].map(f).to_vec(),
/// };
/// let svg = plot::growth("Cost", &column("n", |n| n), &[column("cubic", |n| 1e-9 * n * n * n)]);
/// assert!(svg.starts_with("<svg") && svg.contains("cubic"));
/// ```
pub fn growth(title: &str, x: &Column, ys: &[Column]) -> String {
    let keys: Vec<Text> = ys.iter().map(|y| Text::upright(&y.name).within(170.0, SIZE)).collect();
    let (x_log, y_logs) = (logarithms(x), ys.iter().map(logarithms).collect::<Vec<_>>());
    let frame = framed(title, &x_log, &y_logs, &keys);
    let names: Vec<&str> = ys.iter().map(|y| y.name.as_str()).collect();
    let said = format!("{} against {}, both axes logarithmic", names.join(", "), x.name);
    let mut svg = Svg::new(WIDTH, HEIGHT, &frame::title_or(title, &said), &said);
    frame::write_title(&mut svg, title, frame.left, frame.right());
    frame.draw(&mut svg, true);
    let mut is_empty = true;
    for (n, y) in y_logs.iter().enumerate() {
        let pieces = thin::curve(frame.points(&x_log, y), POINTS / ys.len());
        svg.path(&pieces, false, &frame::stroke(n));
        let fill = format!(r#"fill="{}""#, ink::hex(ink::line(n).0));
        frame.points(&x_log, y).flatten().for_each(|at| svg.circle(at, 2.6, &fill));
        is_empty &= pieces.is_empty();
    }
    for (n, key) in keys.iter().enumerate() {
        let (left, height) = (frame.right() + 2.0 * GAP, frame.top + (n as f64 + 0.5) * LINE);
        svg.line([left, height], [left + KEY, height], &frame::stroke(n));
        svg.text([left + KEY + 5.0, height + 0.32 * SIZE], Anchor::Start, key, "");
    }
    if is_empty {
        frame.say_no_data(&mut svg);
    }
    frame.label_below(&mut svg, with_unit(&x.name, &x.unit));
    frame.label_beside(&mut svg, vec![Text::upright(ys.first().map_or("", |y| y.unit.as_str()))]);
    svg.finish()
}

fn with_unit(name: &str, unit: &str) -> Text {
    let unit = if unit.is_empty() { String::new() } else { format!(" ({unit})") };
    Text::upright(&format!("{name}{unit}"))
}

fn logarithms(column: &Column) -> Column {
    let log = |&value: &f64| if value > 0.0 { value.log10() } else { f64::NAN };
    Column { values: column.values.iter().map(log).collect(), ..column.clone() }
}

fn framed(title: &str, x: &Column, ys: &[Column], keys: &[Text]) -> Frame {
    let both = || {
        let pairs = ys.iter().flat_map(|y| x.values.iter().zip(&y.values));
        pairs.filter(|(x, y)| x.is_finite() && y.is_finite())
    };
    let (x, y) = (decades(range(both().map(|(x, _)| *x))), decades(range(both().map(|(_, y)| *y))));
    let top = frame::title_room(title);
    let label = frame::label_of([&y]);
    let left = frame::left_of(label);
    let width = WIDTH - left - frame::right_of(keys) - GAP;
    Frame { left, top, width, height: HEIGHT - BELOW - top, label, x, y }
}

/// A scale over logarithms, with a number at powers of ten and, where there are few, at twice and five times them.
fn decades(range: Option<(f64, f64)>) -> Scale {
    let Some((low, high)) = range else { return Scale::blank() };
    // where all is nearly one size, a power of two lies to each side
    let room = if high - low < 0.5 { 0.35 } else { 0.04 * (high - low) };
    let (low, high) = (low - room, high + room);
    let (first, last) = (low.floor() as i32, high.ceil() as i32);
    let step = ((last - first) / 9 + 1) as usize;
    let parts: &[u32] = if high - low < 3.5 { &[1, 2, 5] } else { &[1] };
    let ticks = (first..=last).step_by(step).flat_map(|power| parts.iter().map(move |&part| (part, power)));
    let tick = |(part, power): (u32, i32)| Tick {
        at: f64::from(part).log10() + f64::from(power),
        label: written(part, power),
    };
    let ticks = ticks.map(tick).filter(|tick| tick.at >= low && tick.at <= high).collect();
    Scale { low, high, ticks, power: 0, offset: String::new() }
}

/// `0.02`, `1`, `500`; `5·10⁻⁶` where zeros would be many.
fn written(part: u32, power: i32) -> String {
    match power {
        0..=4 => format!("{part}{}", "0".repeat(power as usize)),
        -3..=-1 => format!("0.{}{part}", "0".repeat((-power - 1) as usize)),
        _ => {
            let small = |digit: char| match digit {
                '-' => '⁻',
                '1' => '¹',
                '2' => '²',
                '3' => '³',
                other => char::from_u32(0x2070 + other.to_digit(10).unwrap_or(0)).unwrap_or(other),
            };
            let raised: String = power.to_string().chars().map(small).collect();
            if part == 1 { format!("10{raised}") } else { format!("{part}·10{raised}") }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{decades, written};

    #[test]
    fn powers_of_ten_are_written_as_people_do() {
        let all = [(1, 0), (5, 2), (2, -2), (1, -7), (5, -6), (1, 12)].map(|(part, power)| written(part, power));
        assert_eq!(all, ["1", "500", "0.02", "10⁻⁷", "5·10⁻⁶", "10¹²"]);
    }

    #[test]
    fn a_scale_has_its_ticks_inside() {
        for range in [(0.0, 2.6), (-9.0, 3.0), (1.0, 1.0)] {
            let scale = decades(Some(range));
            assert!(scale.ticks.len() >= 2, "{range:?}");
            assert!(scale.ticks.iter().all(|tick| (0.0..=1.0).contains(&scale.fraction(tick.at))), "{range:?}");
        }
    }
}
