//! What does a mechanism look like at several instants? Earlier poses are paler, the last one is full.

use crate::Pose;
use crate::frame::{self, BELOW, Frame, GAP, POINTS, WIDTH};
use crate::ink::{self, BLACK, BLUE, VERMILION};
use crate::name::Text;
use crate::phase::{equal, filling};
use crate::scale::{drawable, range, spoken};
use crate::svg::{Anchor, SIZE, Svg};
use crate::thin::{self, Pieces, Point};

/// A mechanism at several instants with the paths of some of its points, as SVG with equal axes.
///
/// `horizontal` and `vertical` stand at the axes, such as `x (m)`. The names of dots are written at
/// the last pose, `t = …` at some of them.
pub fn stick_figure(title: &str, poses: &[Pose], paths: &[Vec<[f64; 2]>], horizontal: &str, vertical: &str) -> String {
    stick_figure_in(title, poses, paths, horizontal, vertical, "")
}

/// The same with a unit behind every `t = …`.
pub fn stick_figure_in(
    title: &str,
    poses: &[Pose],
    paths: &[Vec<[f64; 2]>],
    horizontal: &str,
    vertical: &str,
    time_unit: &str,
) -> String {
    let frame = framed(title, poses, paths);
    let times = times(poses, time_unit);
    let what = format!("A mechanism at {} instants", poses.len());
    let said: Vec<String> = times.iter().take(30).map(Text::plain).collect();
    let described = if said.is_empty() { what.clone() } else { format!("{what}: {}.", said.join(", ")) };
    let mut svg = Svg::new(WIDTH, (frame.bottom() + BELOW).round(), &frame::title_or(title, &what), &described);
    frame::write_title(&mut svg, title, frame.left, frame.right());
    frame.draw(&mut svg, true);
    let paths: Vec<Pieces> = paths.iter().map(|path| on_sheet(&frame, path, POINTS / paths.len())).collect();
    let poses: Vec<Drawn> = poses.iter().map(|pose| Drawn::of(&frame, pose)).collect();
    for path in &paths {
        let colour = ink::hex(VERMILION);
        svg.path(path, false, &format!(r#"fill="none" stroke="{colour}" stroke-width="0.9" stroke-linejoin="round""#));
    }
    for (place, pose) in poses.iter().enumerate() {
        pose.draw(&mut svg, strength(place, poses.len()), place + 1 == poses.len());
    }
    Labels::around(&frame, &paths, &poses).write(&mut svg, &poses, &times);
    if paths.iter().all(Vec::is_empty) && poses.iter().all(Drawn::is_empty) {
        frame.say_no_data(&mut svg);
    }
    frame.label_below(&mut svg, Text::parsed_label(horizontal));
    frame.label_beside(&mut svg, vec![Text::parsed_label(vertical)]);
    svg.finish()
}

/// A frame around all that is drawn.
fn framed(title: &str, poses: &[Pose], paths: &[Vec<[f64; 2]>]) -> Frame {
    let of_pose = |pose: &Pose| {
        let points = pose.lines.iter().chain(&pose.outlines).flatten().copied();
        points.chain(pose.dots.iter().map(|dot| dot.at)).collect::<Vec<_>>()
    };
    let mut all: Vec<[f64; 2]> = poses.iter().flat_map(of_pose).chain(paths.iter().flatten().copied()).collect();
    all.retain(|at| at.iter().all(|&part| drawable(part).is_some()));
    let [Some(across), Some(up)] = [0, 1].map(|axis| range(all.iter().map(|at| at[axis]))) else {
        return filling(None, None, frame::title_room(title), 3.0 * GAP);
    };
    equal(across, up, 0.09, frame::title_room(title), 3.0 * GAP)
}

/// A line on the sheet.
fn on_sheet(frame: &Frame, line: &[[f64; 2]], budget: usize) -> Pieces {
    thin::curve(line.iter().map(|&[x, y]| frame.place(x, y)), budget)
}

/// How much ink a pose gets.
fn strength(place: usize, count: usize) -> f64 {
    if place + 1 == count { 1.0 } else { 0.18 + 0.5 * place as f64 / (count - 1) as f64 }
}

/// `t = …` for every pose, with as many digits as it takes to tell them apart.
fn times(poses: &[Pose], unit: &str) -> Vec<Text> {
    let written = |digits: usize| poses.iter().map(|pose| spoken(pose.t, digits)).collect::<Vec<_>>();
    let different = |times: &Vec<String>| times.windows(2).all(|pair| pair[0] != pair[1]);
    let times = (3..9).map(written).find(different).unwrap_or_else(|| written(3));
    let of_time = |time: String| {
        let unit = if unit.trim().is_empty() { Text::default() } else { Text::upright("\u{a0}").and(Text::unit(unit)) };
        Text::name("t").and(Text::upright(&format!("\u{a0}=\u{a0}{time}"))).and(unit)
    };
    times.into_iter().map(of_time).collect()
}

/// A pose on the sheet.
struct Drawn {
    lines: Vec<Pieces>,
    outlines: Vec<Pieces>,
    /// Place, radius and name.
    dots: Vec<(Point, f64, Text)>,
}

impl Drawn {
    fn of(frame: &Frame, pose: &Pose) -> Drawn {
        let all = |lines: &[Vec<[f64; 2]>]| lines.iter().map(|line| on_sheet(frame, line, POINTS)).collect();
        let radius = |size: f64| if size.is_finite() { 3.6 * size.clamp(0.0, 6.0) } else { 3.6 };
        let dots = pose.dots.iter().filter_map(|dot| {
            Some((frame.place(dot.at[0], dot.at[1])?, radius(dot.size), Text::name(dot.label.trim())))
        });
        Drawn { lines: all(&pose.lines), outlines: all(&pose.outlines), dots: dots.collect() }
    }

    fn is_empty(&self) -> bool {
        self.dots.is_empty() && self.lines.iter().chain(&self.outlines).all(Vec::is_empty)
    }

    fn draw(&self, svg: &mut Svg, strength: f64, last: bool) {
        let [line, dot] =
            [(BLACK, 0.9), (BLUE, 1.0)].map(|(colour, full)| ink::hex(ink::tint(colour, full * strength)));
        let width = if last { 2.0 } else { 1.5 };
        let stroke =
            format!(r#"stroke="{line}" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round""#);
        for outline in &self.outlines {
            let fill = if last { format!(r#"fill="{dot}" fill-opacity="0.1""#) } else { r#"fill="none""#.to_owned() };
            svg.path(outline, true, &format!("{fill} {stroke}"));
        }
        for pieces in &self.lines {
            svg.path(pieces, false, &format!(r#"fill="none" {stroke}"#));
        }
        for (at, radius, _) in &self.dots {
            svg.circle(*at, *radius, &format!(r##"fill="{dot}" stroke="#fff" stroke-width="0.8""##));
        }
    }
}

/// The labels of the figure, and what they must not cover.
struct Labels<'a> {
    frame: &'a Frame,
    /// Places with ink, and how bad it is to cover them.
    ink: Vec<(Point, f64)>,
    /// The bodies at the last pose: a time does not stand inside one.
    bodies: Vec<Vec<Point>>,
    taken: Vec<[f64; 4]>,
}

impl<'a> Labels<'a> {
    fn around(frame: &'a Frame, paths: &[Pieces], poses: &[Drawn]) -> Labels<'a> {
        let mut ink = Vec::new();
        for piece in paths.iter().flatten() {
            ink.extend(every_few_pixels(piece).map(|at| (at, 0.4)));
        }
        for (place, pose) in poses.iter().enumerate() {
            let weight = 0.5 + strength(place, poses.len());
            for piece in pose.lines.iter().chain(&pose.outlines).flatten() {
                ink.extend(every_few_pixels(piece).map(|at| (at, weight)));
            }
            let rim = [[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
            let dots =
                pose.dots.iter().flat_map(|(at, radius, _)| rim.map(|[x, y]| [at[0] + x * radius, at[1] + y * radius]));
            ink.extend(dots.map(|at| (at, 3.0 * weight)));
        }
        let bodies = poses.last().map(|pose| pose.outlines.concat()).unwrap_or_default();
        Labels { frame, ink, bodies, taken: Vec::new() }
    }

    /// The names at the last pose, then the times: first the last, then the first, then those between.
    fn write(mut self, svg: &mut Svg, poses: &[Drawn], times: &[Text]) {
        let Some(last) = poses.last() else { return };
        for (at, radius, name) in last.dots.iter().filter(|(_, _, name)| !name.runs.is_empty()) {
            self.put(svg, *at, *radius, &name.clone().within(160.0, SIZE), true);
        }
        for place in chosen(poses.len()) {
            let radius = poses[place].dots.iter().map(|&(_, radius, _)| radius).fold(3.0, f64::max);
            if let Some(at) = carrier(poses, place) {
                self.put(svg, at, radius, &times[place], false);
            }
        }
    }

    /// Writes a label near a point, where it covers least; not at all where it would touch another.
    fn put(&mut self, svg: &mut Svg, at: Point, radius: f64, text: &Text, on_bodies: bool) {
        let size = [text.width(SIZE) * 0.9, SIZE];
        let around = (0..16).map(|turn| f64::from(turn) * std::f64::consts::TAU / 16.0 - 0.4);
        let near = [4.0, 12.0, 22.0, 36.0];
        let boxes = near.iter().flat_map(|&far| around.clone().map(move |angle| boxed(at, size, radius + far, angle)));
        let free = boxes.filter(|one| self.is_free(one));
        let cost = |one: &[f64; 4]| {
            let [x, y] = [(one[0] + one[2]) / 2.0 - at[0], (one[1] + one[3]) / 2.0 - at[1]];
            let middle = [at[0] + x, at[1] + y];
            let inside = !on_bodies && self.bodies.iter().any(|body| surrounds(body, middle));
            self.covered(one) + 0.02 * x.hypot(y) + if inside { 20.0 } else { 0.0 }
        };
        let Some(best) = free.map(|one| (cost(&one), one)).min_by(|a, b| a.0.total_cmp(&b.0)) else { return };
        let [left, top, right, bottom] = best.1;
        if self.covered(&best.1) > 0.0 {
            let half = r##"fill="#fff" fill-opacity="0.8""##;
            svg.rectangle([left, top], [right - left, bottom - top], half);
        }
        svg.text(
            [(left + right) / 2.0, bottom - 0.2 * SIZE],
            Anchor::Middle,
            text,
            if on_bodies { "" } else { r##"fill="#444""## },
        );
        self.taken.push(best.1);
    }

    fn is_free(&self, one: &[f64; 4]) -> bool {
        let frame = self.frame;
        let inside = one[0] > frame.left && one[2] < frame.right() && one[1] > frame.top && one[3] < frame.bottom();
        let apart = |other: &[f64; 4]| {
            one[2] + 3.0 < other[0] || other[2] + 3.0 < one[0] || one[3] + 1.0 < other[1] || other[3] + 1.0 < one[1]
        };
        inside && self.taken.iter().all(apart)
    }

    fn covered(&self, one: &[f64; 4]) -> f64 {
        let inside =
            |at: &Point| at[0] > one[0] - 2.0 && at[0] < one[2] + 2.0 && at[1] > one[1] - 1.0 && at[1] < one[3] + 1.0;
        self.ink.iter().filter(|(at, _)| inside(at)).map(|(_, weight)| weight).sum()
    }
}

/// Does a closed line go around a point? It does if a ray from there crosses it an odd number of times.
fn surrounds(body: &[Point], at: Point) -> bool {
    let edges = (0..body.len()).map(|k| (body[k], body[(k + 1) % body.len()]));
    let crossed = edges.filter(|(a, b)| {
        (a[1] > at[1]) != (b[1] > at[1]) && at[0] < a[0] + (at[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
    });
    crossed.count() % 2 == 1
}

/// A box of that size whose rim is that far from a point, in that direction.
fn boxed(at: Point, size: [f64; 2], far: f64, angle: f64) -> [f64; 4] {
    let (y, x) = angle.sin_cos();
    let middle = [at[0] + x * (far + size[0] / 2.0), at[1] + y * (far + size[1] / 2.0)];
    [middle[0] - size[0] / 2.0, middle[1] - size[1] / 2.0, middle[0] + size[0] / 2.0, middle[1] + size[1] / 2.0]
}

/// Points along a line, a few pixels apart.
fn every_few_pixels(line: &[Point]) -> impl Iterator<Item = Point> {
    line.windows(2).flat_map(|pair| {
        let steps = ((pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]) / 4.0).ceil() as u32;
        (0..=steps).map(move |step| {
            let part = f64::from(step) / f64::from(steps.max(1));
            [0, 1].map(|axis| pair[0][axis] + (pair[1][axis] - pair[0][axis]) * part)
        })
    })
}

/// The poses whose time is written: the last, the first, and some between, evenly.
fn chosen(count: usize) -> Vec<usize> {
    let Some(last) = count.checked_sub(1) else { return Vec::new() };
    let some = if count <= 8 { last } else { (2..=5).rev().find(|parts| last.is_multiple_of(*parts)).unwrap_or(4) };
    let mut places: Vec<usize> = (0..=some).map(|k| k * last / some.max(1)).collect();
    places.dedup();
    places.rotate_right(1);
    places
}

/// The point of a pose at which its time is written: the dot that moves most, or the end of a line.
fn carrier(poses: &[Drawn], place: usize) -> Option<Point> {
    let pose = &poses[place];
    let same = poses.iter().all(|other| other.dots.len() == pose.dots.len());
    let way = |dot: usize| -> f64 {
        let step = |pair: &[Drawn]| {
            let [a, b] = [pair[0].dots[dot].0, pair[1].dots[dot].0];
            (a[0] - b[0]).hypot(a[1] - b[1])
        };
        poses.windows(2).map(step).sum()
    };
    let farthest = if same { (0..pose.dots.len()).max_by(|&a, &b| way(a).total_cmp(&way(b))) } else { None };
    let dot = farthest.or(pose.dots.len().checked_sub(1)).map(|dot| pose.dots[dot].0);
    dot.or_else(|| pose.lines.iter().chain(&pose.outlines).rev().flatten().flatten().last().copied())
}

#[cfg(test)]
mod tests {
    use super::{chosen, surrounds, times};
    use crate::Pose;
    use crate::name::Text;

    #[test]
    fn some_poses_tell_their_time() {
        assert_eq!(chosen(0), []);
        assert_eq!(chosen(1), [0]);
        assert_eq!(chosen(3), [2, 0, 1]);
        assert_eq!(chosen(11), [10, 0, 2, 4, 6, 8]);
        assert_eq!(chosen(8), [7, 0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(chosen(14), [13, 0, 3, 6, 9]);
    }

    #[test]
    fn a_square_surrounds_its_middle() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        assert!(surrounds(&square, [1.0, 1.0]) && !surrounds(&square, [3.0, 1.0]) && !surrounds(&[], [0.0, 0.0]));
    }

    #[test]
    fn times_are_told_apart() {
        let at = |t: f64| Pose { t, lines: vec![], dots: vec![], outlines: vec![] };
        let written = |ts: &[f64], unit: &str| -> Vec<String> {
            times(&ts.iter().map(|&t| at(t)).collect::<Vec<_>>(), unit).iter().map(Text::plain).collect()
        };
        assert_eq!(written(&[0.0, 0.25], ""), ["t\u{a0}=\u{a0}0", "t\u{a0}=\u{a0}0.25"]);
        assert_eq!(written(&[100.01, 100.02], "s"), ["t\u{a0}=\u{a0}100.01\u{a0}s", "t\u{a0}=\u{a0}100.02\u{a0}s"]);
    }
}
