//! Which points of a long curve are worth drawing?
//!
//! A million samples do not fit on six hundred pixels. Of a graph, each column of pixels keeps its
//! first, lowest, highest and last point; of any curve, points on a straight line are left out; and
//! where a curve fills an area, segments that would be drawn over ink are left out. What is lost is
//! less than what a reader sees.

/// A place in a picture, in pixels.
pub type Point = [f64; 2];

/// A curve in pieces; between them are gaps.
pub type Pieces = Vec<Vec<Point>>;

/// As close to the curve, in pixels, is as good as on it.
const TOLERANCE: f64 = 0.05;

/// A graph, y against growing x, in about `budget` points at most.
pub fn graph(points: impl Iterator<Item = Option<Point>>, budget: usize) -> Pieces {
    let mut pieces = split(points);
    if count(&pieces) > budget {
        let all = || pieces.iter().flatten().map(|point| point[0]);
        let span = all().fold(f64::MIN, f64::max) - all().fold(f64::MAX, f64::min);
        let column = (4.0 * span / budget as f64).max(1.0);
        pieces = joined(pieces, column).iter().map(|piece| by_column(piece, column)).collect();
    }
    within(pieces, budget)
}

/// A curve that goes where it likes, in about `budget` points at most.
pub fn curve(points: impl Iterator<Item = Option<Point>>, budget: usize) -> Pieces {
    within(split(points), budget)
}

/// The pieces between the gaps.
fn split(points: impl Iterator<Item = Option<Point>>) -> Pieces {
    let mut pieces = vec![Vec::new()];
    for point in points {
        match (point, pieces.last_mut()) {
            (Some(point), Some(piece)) => piece.push(point),
            (None, Some(piece)) if !piece.is_empty() => pieces.push(Vec::new()),
            _ => {}
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// The same without gaps that are narrower than a column.
fn joined(pieces: Pieces, column: f64) -> Pieces {
    let mut out: Pieces = Vec::new();
    for piece in pieces {
        match out.last_mut() {
            Some(last) if (piece[0][0] - last[last.len() - 1][0]).abs() < column => last.extend(piece),
            _ => out.push(piece),
        }
    }
    out
}

/// The first, lowest, highest and last of the neighbouring points that share a column.
fn by_column(piece: &[Point], column: f64) -> Vec<Point> {
    let same = |a: &Point, b: &Point| (a[0] / column).floor() == (b[0] / column).floor();
    piece.chunk_by(same).flat_map(four_of).collect()
}

fn four_of(points: &[Point]) -> Vec<Point> {
    let by_height = |a: &usize, b: &usize| points[*a][1].total_cmp(&points[*b][1]);
    let lowest = (0..points.len()).min_by(by_height).unwrap_or(0);
    let highest = (0..points.len()).max_by(by_height).unwrap_or(0);
    let mut kept = vec![0, lowest, highest, points.len() - 1];
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter().map(|place| points[place]).collect()
}

/// Straightened, and if that is not enough, drawn with a broader and broader pen.
fn within(pieces: Pieces, budget: usize) -> Pieces {
    let straightened = |pieces: &Pieces, tolerance| pieces.iter().map(|piece| straight(piece, tolerance)).collect();
    let mut out: Pieces = straightened(&pieces, TOLERANCE);
    let mut cell = 1.0;
    while count(&out) > budget && cell < 1e4 {
        out = inked(&straightened(&out, TOLERANCE * cell), cell);
        cell *= 1.5;
    }
    out
}

fn count(pieces: &Pieces) -> usize {
    pieces.iter().map(Vec::len).sum()
}

/// The points at which the curve leaves every straight line that stays within the tolerance.
///
/// From a kept point, each later one allows a cone of directions; when the cones have no direction in
/// common, or the curve turns back, the point before is kept and the next cone starts there.
fn straight(piece: &[Point], tolerance: f64) -> Vec<Point> {
    let mut kept = vec![piece[0]];
    let mut cone = Cone::from(piece[0]);
    for pair in piece.windows(2) {
        if !cone.admits(pair[1], tolerance) {
            kept.push(pair[0]);
            cone = Cone::from(pair[0]);
            cone.admits(pair[1], tolerance);
        }
    }
    if piece.len() > 1 {
        kept.push(piece[piece.len() - 1]);
    }
    kept
}

struct Cone {
    apex: Point,
    /// The direction of the first point, and how far the line may turn to either side of it.
    axis: Option<(f64, f64, f64)>,
    reach: f64,
}

impl Cone {
    fn from(apex: Point) -> Cone {
        Cone { apex, axis: None, reach: 0.0 }
    }

    /// Does a line from the apex to this point pass all the earlier ones? Then the cone gets narrower.
    fn admits(&mut self, point: Point, tolerance: f64) -> bool {
        let [dx, dy] = [point[0] - self.apex[0], point[1] - self.apex[1]];
        let distance = dx.hypot(dy);
        if distance < self.reach - tolerance {
            return false;
        }
        self.reach = self.reach.max(distance);
        if distance <= tolerance {
            return true;
        }
        let (direction, width) = (dy.atan2(dx), (tolerance / distance).asin());
        let Some((axis, right, left)) = self.axis else {
            self.axis = Some((direction, -width, width));
            return true;
        };
        let turn =
            (direction - axis + 3.0 * std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI;
        self.axis = Some((axis, right.max(turn - width), left.min(turn + width)));
        (right..=left).contains(&turn)
    }
}

/// The segments that touch a cell no earlier one has touched, and those at the extremes.
fn inked(pieces: &Pieces, cell: f64) -> Pieces {
    let extremes = extremes(pieces);
    let mut paper = Paper::under(&extremes, cell);
    let mut out = Vec::new();
    for piece in pieces {
        let mut open = Vec::new();
        for (place, &point) in piece.iter().enumerate() {
            let before = piece[place.saturating_sub(1)];
            let fresh = paper.ink(before, point);
            if !fresh && !extremes.contains(&point) && !extremes.contains(&before) {
                out.push(std::mem::take(&mut open));
                continue;
            }
            if open.is_empty() && place > 0 {
                open.push(before);
            }
            open.push(point);
        }
        out.push(open);
    }
    out.retain(|piece: &Vec<Point>| !piece.is_empty());
    out
}

/// The points farthest to each side: left, right, up, down.
fn extremes(pieces: &Pieces) -> Vec<Point> {
    let all = || pieces.iter().flatten().copied();
    let by = |axis: usize| move |a: &Point, b: &Point| a[axis].total_cmp(&b[axis]);
    [all().min_by(by(0)), all().max_by(by(0)), all().min_by(by(1)), all().max_by(by(1))].into_iter().flatten().collect()
}

/// Cells that are white until a segment touches them.
struct Paper {
    corner: Point,
    cell: f64,
    columns: usize,
    cells: Vec<bool>,
}

impl Paper {
    fn under(extremes: &[Point], cell: f64) -> Paper {
        let &[left, right, up, down] = extremes else {
            return Paper { corner: [0.0; 2], cell, columns: 0, cells: vec![] };
        };
        let [columns, rows] = [right[0] - left[0], down[1] - up[1]].map(|length| (length / cell) as usize + 1);
        Paper { corner: [left[0], up[1]], cell, columns, cells: vec![false; columns * rows] }
    }

    /// Inks the cells along a segment. Was one of them white?
    fn ink(&mut self, from: Point, to: Point) -> bool {
        let [from, to] = [from, to].map(|point| [0, 1].map(|axis| (point[axis] - self.corner[axis]) / self.cell));
        let steps = ((to[0] - from[0]).hypot(to[1] - from[1]) / 0.7).ceil();
        let [dx, dy] = [0, 1].map(|axis| (to[axis] - from[axis]) / steps.max(1.0));
        let mut fresh = false;
        for step in 0..=steps as u32 {
            let [x, y] = [from[0] + dx * f64::from(step), from[1] + dy * f64::from(step)];
            if let Some(cell) = self.cells.get_mut(y as usize * self.columns + x as usize) {
                fresh |= !*cell;
                *cell = true;
            }
        }
        fresh
    }
}

#[cfg(test)]
mod tests {
    use super::{Pieces, Point, count, curve, graph};

    fn noise(n: u32) -> f64 {
        f64::from(n.wrapping_mul(2_654_435_761) >> 8) / f64::from(1 << 24)
    }

    fn ends(points: impl Iterator<Item = Point>, axis: usize) -> (f64, f64) {
        points.fold((f64::MAX, f64::MIN), |(low, high), point| (low.min(point[axis]), high.max(point[axis])))
    }

    fn close(a: (f64, f64), b: (f64, f64)) -> bool {
        (a.0 - b.0).abs() < 0.06 && (a.1 - b.1).abs() < 0.06
    }

    #[test]
    fn a_graph_keeps_the_extremes_of_every_column() {
        // keep first and last only, and the single spike at 123456 is lost
        let height = |i: u32| if i == 123_456 { 900.0 } else { 100.0 + 3.0 * noise(i) };
        let points: Vec<Point> = (0..1_000_000).map(|i| [f64::from(i) * 5e-4, height(i)]).collect();
        let thin = graph(points.iter().map(|&point| Some(point)), 2500);
        assert!(count(&thin) <= 2500, "{} points", count(&thin));
        for column in 0..500 {
            let inside = |point: &Point| (point[0].floor() as i32) == column;
            let whole = ends(points.iter().copied().filter(inside), 1);
            let kept = ends(thin.iter().flatten().copied().filter(inside), 1);
            assert!(close(whole, kept), "column {column}: {whole:?} became {kept:?}");
        }
    }

    #[test]
    fn a_curve_that_fills_an_area_keeps_its_ends_and_its_ink() {
        let points = (0..1_000_000).map(|i| [400.0 * noise(i), 300.0 * noise(i + 7)]);
        let thin = curve(points.clone().map(Some), 9000);
        assert!(count(&thin) <= 9000, "{} points", count(&thin));
        for axis in 0..2 {
            assert!(close(ends(points.clone(), axis), ends(thin.iter().flatten().copied(), axis)));
        }
    }

    #[test]
    fn a_cusp_stays_sharp() {
        let points: Vec<Point> =
            (0..=2000).map(|i| [f64::from((i - 1000_i32).pow(2)) * 1e-4, f64::from(i - 1000) * 1e-9]).collect();
        let thin = curve(points.into_iter().map(Some), 9000);
        let [[left, tip, right]] = thin.iter().map(|piece| piece.as_slice()).collect::<Vec<_>>()[..] else {
            panic!("three points are enough: {thin:?}")
        };
        assert!(left[0] == 100.0 && tip[0] < 0.06 && right[0] == 100.0, "{thin:?}");
    }

    #[test]
    fn straight_lines_need_two_points_and_circles_few() {
        let line = curve((0..1000).map(|i| Some([f64::from(i), 0.5 * f64::from(i)])), 9000);
        assert_eq!(line, [vec![[0.0, 0.0], [999.0, 499.5]]]);
        let angle = |i: u32| f64::from(i) * 1e-3;
        let circle = curve((0..6283).map(|i| Some([100.0 * angle(i).cos(), 100.0 * angle(i).sin()])), 9000);
        assert!((60..200).contains(&count(&circle)), "{} points", count(&circle));
        for pair in circle[0].windows(2) {
            let middle = [(pair[0][0] + pair[1][0]) / 2.0, (pair[0][1] + pair[1][1]) / 2.0];
            assert!((middle[0].hypot(middle[1]) - 100.0).abs() < 0.12);
        }
    }

    #[test]
    fn gaps_stay_unless_nobody_could_see_them() {
        let with_gap = |i: u32| (i % 10 != 5).then(|| [f64::from(i), 0.0]);
        let thin: Pieces = graph((0..20).map(with_gap), 9000);
        assert_eq!(thin.len(), 3);
        let narrow = |i: u32| i.is_multiple_of(2).then(|| [f64::from(i) * 1e-3, noise(i)]);
        let thin = graph((0..100_000).map(narrow), 1000);
        assert!(thin.len() == 1 && count(&thin) <= 1000);
        assert!(curve([None, None].into_iter(), 9000).is_empty());
    }
}
