//! How does a motion look? Columns against time or against each other, and the mechanism at several instants.
//!
//! ```text
//! lines     a point and the point that it is placed from; a geometric constraint between two points; springs, dampers
//! bodies    their mass centre with the axes of their frame, and the points that are placed on them
//! surfaces  the circle of a disc, a torus or a sphere that is in contact; of an ellipsoid the ellipse of two axes
//! plane     the plane of the motion; in space an oblique view, with gravity pulling down
//! ```

mod dense;
mod scene;

pub use dense::dense;
pub use scene::{Arrow, Plane, Scene, SceneEvent, SceneFrame, ScenePlace, Solid, SolidKind, scene};
use scene::{directions, plane_of};

use expr::{At, Expr};
use mechanics::{LoadKind, Placement, System, Target, Vector};
use model::ShapeKind;
use numeric::{Switches, Tape};
use plot::{Column, Dot, Mark, Pose};

use analysis::{Linearization, Sweep};
use engine::{Error, Field, Loaded};
use motion::{Happened, Simulation};

/// How many corners a circle has.
const CORNERS: usize = 48;

/// From which side a mechanism is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// x to the right, y up.
    Xy,
    /// x to the right, z up.
    Xz,
    /// y to the right, z up.
    Yz,
    /// Obliquely, z up.
    Oblique,
}

impl View {
    /// The view of a name.
    pub fn named(name: &str) -> Option<View> {
        Some(match name {
            "xy" => View::Xy,
            "xz" => View::Xz,
            "yz" => View::Yz,
            "oblique" => View::Oblique,
            _ => return None,
        })
    }
}

/// The sheet on which a mechanism is drawn: what points to the right and up on it.
#[derive(Clone, Copy)]
struct Sheet {
    view: View,
    right: [f64; 3],
    up: [f64; 3],
}

impl Sheet {
    /// The sheet of a view, with z up; of a plane that was found and not asked for, with gravity pulling down.
    fn of(view: View, pull: [f64; 3], is_found: bool) -> Sheet {
        let (right, up) = directions(view, if is_found { pull } else { [0.0, 0.0, pull[2]] });
        Sheet { view, right, up }
    }

    /// A place on the sheet.
    fn project(&self, place: [f64; 3]) -> [f64; 2] {
        let along = |axis: &[f64; 3]| axis.iter().zip(&place).filter(|one| *one.0 != 0.0).map(|(a, x)| a * x).sum();
        match self.view {
            // seen from the front left, 35° around and 20° from above
            View::Oblique => {
                let ((s, c), (t, u)) = (35.0_f64.to_radians().sin_cos(), 20.0_f64.to_radians().sin_cos());
                let [x, y, z] = if self.up[2] < 0.0 { [place[0], -place[1], -place[2]] } else { place };
                [x * c + y * s, z * u + (y * c - x * s) * t]
            }
            _ => [along(&self.right), along(&self.up)],
        }
    }

    /// What stands at its axes.
    fn axes(&self) -> (&'static str, &'static str) {
        let name = |axis: [f64; 3]| match axis.map(|x| x as i32) {
            [1, ..] => "x (m)",
            [-1, ..] => "-x (m)",
            [_, 1, _] => "y (m)",
            [_, -1, _] => "-y (m)",
            [.., 1] => "z (m)",
            _ => "-z (m)",
        };
        match self.view {
            View::Oblique => ("to the right (m)", "up (m)"),
            _ => (name(self.right), name(self.up)),
        }
    }
}

/// The columns of these names; without names the first few that move.
fn chosen(found: &Simulation, names: &[String]) -> Result<Vec<Column>, Error> {
    let mut list = Vec::new();
    for name in names {
        if name == "t" {
            list.push(time(found));
            continue;
        }
        let (column, values) = found.table.column(name).ok_or_else(|| {
            let all: Vec<String> = found.table.columns.iter().map(|column| column.name()).collect();
            let hint = match syntax::nearest(name, all.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are t, {}", all.join(", ")),
            };
            Error::new(format!("there is no column `{name}`")).hint(hint).of(Field::Columns)
        })?;
        list.push(Column { name: column.name(), unit: column.unit.clone(), values });
    }
    if names.is_empty() {
        let moves = |values: &[f64]| values.iter().any(|value| (value - values[0]).abs() > 1e-12 * values[0].abs());
        let columns = found.table.columns.iter().filter_map(|column| found.table.column(&column.name()));
        let moving = columns.filter(|(_, values)| !values.is_empty() && moves(values)).take(4);
        list.extend(moving.map(|(column, values)| Column { name: column.name(), unit: column.unit.clone(), values }));
    }
    Ok(list)
}

fn time(found: &Simulation) -> Column {
    Column { name: "t".to_owned(), unit: "s".to_owned(), values: found.table.t.clone() }
}

fn title(found: &Simulation) -> &str {
    if found.title.is_empty() { &found.model } else { &found.title }
}

/// A chart as SVG: these columns against time, or against another column.
pub fn chart(found: &Simulation, columns: &[String], against: Option<&str>) -> Result<String, Error> {
    let list = chosen(found, columns)?;
    match against.filter(|name| *name != "t") {
        None => {
            let mark = |event: &Happened| Mark { t: event.t, label: event.name.clone() };
            let marks: Vec<Mark> = found.events.iter().map(mark).collect();
            Ok(plot::against_time(title(found), &time(found), &list, &marks))
        }
        Some(name) => {
            let x = chosen(found, &[name.to_owned()])?.remove(0);
            let is_place = list.iter().all(|column| column.unit == x.unit) && !x.unit.is_empty();
            Ok(plot::phase(title(found), &x, &list, is_place))
        }
    }
}

/// A root locus as SVG: real and imaginary parts of the eigenvalues against a parameter, critical values marked.
pub fn locus(found: &Linearization, sweep: &Sweep) -> String {
    let count = sweep.eigenvalues.iter().map(Vec::len).max().unwrap_or(0);
    let column = |k: usize, part: usize| {
        let value = |list: &Vec<[f64; 2]>| list.get(k).map_or(f64::NAN, |value| value[part]);
        let (name, unit) = [("Re", "1/s"), ("Im", "rad/s")][part];
        let values = sweep.eigenvalues.iter().map(value).collect();
        Column { name: format!("{name}{}", k + 1), unit: unit.to_owned(), values }
    };
    let columns: Vec<Column> =
        (0..2).flat_map(|part| (0..count).map(move |k| (k, part))).map(|(k, part)| column(k, part)).collect();
    let along = Column { name: sweep.parameter.clone(), unit: String::new(), values: sweep.values.clone() };
    let critical = found.critical.iter().filter(|one| one.parameter == sweep.parameter);
    let marks: Vec<Mark> = critical.map(|one| Mark { t: one.value, label: one.kind.to_string() }).collect();
    let title = if found.title.is_empty() { &found.model } else { &found.title };
    plot::against_time(title, &along, &columns, &marks)
}

/// Small plots of columns against time, for a terminal.
pub fn terminal(found: &Simulation, columns: &[String], against: Option<&str>) -> Result<String, Error> {
    let x = chosen(found, &[against.unwrap_or("t").to_owned()])?.remove(0);
    let list = chosen(found, columns)?;
    Ok(list.iter().map(|y| plot::terminal("", &x, y, 76, 14)).collect::<Vec<_>>().join("\n\n"))
}

/// The mechanism at `count` instants as SVG.
pub fn figure(loaded: &Loaded, found: &Simulation, count: usize, view: Option<View>) -> Result<String, Error> {
    let drawn = drawn(loaded, found, count.clamp(1, 50), view)?;
    let (horizontal, vertical) = drawn.axes;
    Ok(plot::stick_figure_in(title(found), &drawn.poses, &drawn.paths, horizontal, vertical, "s"))
}

/// A mechanism in motion: what a page needs to show it pose by pose.
#[derive(Clone, Debug)]
pub struct Film {
    /// Left, bottom, right, top of all that is drawn.
    pub bounds: [f64; 4],
    /// What the axes are called.
    pub axes: [&'static str; 2],
    /// The poses, at equal distances of time.
    pub frames: Vec<FilmFrame>,
}

/// One pose of a film.
#[derive(Clone, Debug)]
pub struct FilmFrame {
    /// When.
    pub t: f64,
    /// Lines and closed outlines, point by point.
    pub lines: Vec<Vec<[f64; 2]>>,
    /// Points.
    pub dots: Vec<[f64; 2]>,
}

/// The mechanism in motion, at no more than `count` instants.
pub fn film(loaded: &Loaded, found: &Simulation, count: usize) -> Result<Film, Error> {
    let drawn = drawn(loaded, found, count.max(1), None)?;
    let closed = |outline: &Vec<[f64; 2]>| outline.iter().chain(outline.first()).copied().collect::<Vec<_>>();
    let frame = |pose: &Pose| FilmFrame {
        t: pose.t,
        lines: pose.lines.iter().cloned().chain(pose.outlines.iter().map(closed)).collect(),
        dots: pose.dots.iter().map(|dot| dot.at).collect(),
    };
    let frames: Vec<FilmFrame> = drawn.poses.iter().map(frame).collect();
    let all = || frames.iter().flat_map(|frame| frame.lines.iter().flatten().chain(&frame.dots));
    let edge = |axis: usize, pick: fn(f64, f64) -> f64, from: f64| {
        all().map(|point| point[axis]).filter(|x| x.is_finite()).fold(from, pick)
    };
    let (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
    let bounds = [edge(0, f64::min, low), edge(1, f64::min, low), edge(0, f64::max, high), edge(1, f64::max, high)];
    Ok(Film { bounds, axes: [drawn.axes.0, drawn.axes.1], frames })
}

/// A mechanism at some instants, on the sheet.
struct Drawn {
    poses: Vec<Pose>,
    paths: Vec<Vec<[f64; 2]>>,
    axes: (&'static str, &'static str),
}

fn drawn(loaded: &Loaded, found: &Simulation, count: usize, view: Option<View>) -> Result<Drawn, Error> {
    let _in = loaded.enter();
    let sketch = Sketch::of(&loaded.system, &loaded.at);
    if sketch.places.is_empty() {
        let hint = format!("declare points or bodies; charts are drawn with `{}`", Field::Plot);
        return Err(Error::new("there is nothing to draw: the model has no points").hint(hint));
    }
    let scenes = sketch.scenes(loaded, found)?;
    // what comes behind the places are directions, which have no size
    let all = || scenes.iter().flat_map(|scene| &scene[..sketch.places.len()]);
    let found_plane = view.is_none();
    let view = view.unwrap_or_else(|| plane_of(&sketch, &scenes));
    let sheet = Sheet::of(view, pull(loaded), found_plane);
    let extent = (0..3).map(|axis| {
        let values = || all().map(|place| place[axis]).filter(|x| x.is_finite());
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
    });
    let extent = extent.fold(0.0_f64, f64::max);
    let length = if extent > 0.0 { 0.06 * extent } else { 1.0 };
    let last = scenes.len().saturating_sub(1);
    let count = count.min(scenes.len());
    let instants = (0..count).map(|k| if count == 1 { last } else { k * last / (count - 1) });
    let poses: Vec<Pose> =
        instants.map(|k| sketch.pose(found.table.t[k], &scenes[k], &sheet, length, k == last)).collect();
    let paths: Vec<Vec<[f64; 2]>> = sketch
        .places
        .iter()
        .enumerate()
        .filter(|(_, place)| place.has_path)
        .map(|(k, _)| scenes.iter().map(|scene| sheet.project(scene[k])).collect())
        .collect();
    Ok(Drawn { poses, paths, axes: sheet.axes() })
}

/// Where gravity pulls to at the first state.
fn pull(loaded: &Loaded) -> [f64; 3] {
    let of_load = |load: &mechanics::Load| match &load.kind {
        LoadKind::Gravity(g) => Some(g.0.map(|x| loaded.at.value(x))),
        _ => None,
    };
    let all = loaded.system.loads.iter().filter_map(of_load);
    all.fold([0.0; 3], |sum, g| std::array::from_fn(|k| sum[k] + g[k]))
}

/// What is drawn of a system: places, and which of them are joined.
#[derive(Default)]
struct Sketch {
    places: Vec<Place>,
    lines: Vec<[usize; 2]>,
    /// Springs and dampers, which are lines too.
    springs: Vec<Spring>,
    /// Directions from a place: a body's axes.
    axes: Vec<(usize, Vector)>,
    /// Surfaces: the centre, two half axes of the outline if it turns with the body, the radius of a sphere.
    rounds: Vec<Round>,
}

/// A spring or a damper between two places.
struct Spring {
    ends: [usize; 2],
    is_damper: bool,
}

struct Round {
    centre: Vector,
    axes: Option<[Vector; 2]>,
    radius: Expr,
}

struct Place {
    name: String,
    position: Vector,
    size: f64,
    has_path: bool,
}

impl Sketch {
    /// Sketches a system: points, bodies, surfaces, and every line once.
    fn of(system: &System, at: &At) -> Sketch {
        let mut sketch = Sketch::default();
        let pivoted = sketch.draw_points(system);
        sketch.draw_bodies(system);
        sketch.draw_pivots(pivoted);
        sketch.rounds = system.contacts.iter().filter_map(|contact| Round::of(system, contact, at)).collect();
        sketch.draw_shapes(system, at);
        for constraint in system.constraints.iter().filter(|one| one.axes.is_empty()) {
            if let Some([a, b]) = joined(system, &constraint.rows) {
                sketch.lines.push([a, b]);
            }
        }
        sketch.draw_springs(system);
        sketch.lines.iter_mut().for_each(|line| line.sort_unstable());
        sketch.lines.sort_unstable();
        sketch.lines.dedup();
        sketch
    }

    /// Draws points with their arms; comes back with those that turn about the origin.
    fn draw_points(&mut self, system: &System) -> Vec<usize> {
        for point in &system.points {
            let is_heavy = point.mass.is_some();
            let (name, size) = (point.name.clone(), if is_heavy { 1.4 } else { 0.8 });
            self.places.push(Place { name, position: point.position, size, has_path: is_heavy });
        }
        let mut pivoted = Vec::new();
        for (place, point) in system.points.iter().enumerate() {
            match point.placement.from {
                Some(from) if is_arm(&point.placement) => self.lines.push([from, place]),
                None if turns_about_origin(system, point.position) => pivoted.push(place),
                _ => {}
            }
        }
        pivoted
    }

    /// Draws bodies, with lines to their points and the axes of their frames.
    fn draw_bodies(&mut self, system: &System) {
        for body in &system.bodies {
            let place = self.places.len();
            self.places.push(Place { name: body.name.clone(), position: body.centre, size: 1.0, has_path: true });
            if let Some(from) = body.placement.from.filter(|_| is_arm(&body.placement)) {
                self.lines.push([from, place]);
            }
            // points on arms along the frame of the body belong to it
            for (other, point) in system.points.iter().enumerate() {
                let is_on = point.placement.arms.iter().any(|(frame, _)| *frame == body.frame);
                if is_on && (point.position - body.centre).0.iter().any(|x| !x.is_zero()) {
                    self.lines.push([other, place]);
                }
            }
            let frame = &system.frames[body.frame];
            let unit = [(1, 0, 0), (0, 1, 0), (0, 0, 1)];
            let axes = unit.map(|(x, y, z)| frame.vector(Vector([x, y, z].map(expr::integer))));
            self.axes.extend(axes.map(|axis| (place, axis)));
        }
    }

    /// Draws shapes that the model tells, as far as no contact has drawn them: outlines of round ones, and rods.
    fn draw_shapes(&mut self, system: &System, at: &At) {
        let touches = |place: usize| {
            let is_own = |contact: &mechanics::Contact| contact.what == Target::Body(place) && contact.shape.is_some();
            system.contacts.iter().any(is_own)
        };
        let bodies = system.bodies.iter().enumerate().filter(|(place, _)| !touches(*place));
        let bodies = bodies.filter_map(|(_, body)| Some((body.solid.as_ref()?, body.centre, body.frame)));
        let drawings = system.drawings.iter().map(|one| (&one.solid, one.at, one.frame));
        for (solid, centre, frame) in bodies.chain(drawings).collect::<Vec<_>>() {
            let along = along(system, frame);
            let half = |k: usize| solid.lengths.get(k).map_or_else(Expr::zero, |&length| length * expr::rational(1, 2));
            match (solid.kind, solid.axis) {
                (model::SolidKind::Rod, Some(axis)) => {
                    let arm = axis.unit().unwrap_or(axis) * half(0);
                    let ends = [centre + arm, centre - arm].map(|end| self.add_small(end));
                    self.lines.push(ends);
                }
                // its corners would leave the plane of a plane motion; the viewer draws it
                (model::SolidKind::Box, _) => {}
                _ => self.rounds.extend(Round::of_solid(solid, centre, &along, at)),
            }
        }
    }

    /// Draws lines from the origin to what turns about it.
    fn draw_pivots(&mut self, pivoted: Vec<usize>) {
        if !pivoted.is_empty() {
            let known = self.places.iter().position(|place| place.position.is_zero());
            let origin = known.unwrap_or_else(|| self.add_small(Vector::zero()));
            self.lines.extend(pivoted.into_iter().map(|place| [origin, place]));
        }
    }

    /// Draws springs and dampers between their ends.
    fn draw_springs(&mut self, system: &System) {
        for load in &system.loads {
            if let LoadKind::Spring { ends, .. } | LoadKind::Damper { ends, .. } = &load.kind {
                let [a, b] = ends.map(|end| {
                    let known = self.places.iter().position(|place| place.position == end.position);
                    known.unwrap_or_else(|| self.add_small(end.position))
                });
                self.lines.push([a, b]);
                let is_damper = matches!(load.kind, LoadKind::Damper { .. });
                self.springs.push(Spring { ends: [a, b], is_damper });
            }
        }
    }

    /// Adds a place without a name.
    fn add_small(&mut self, position: Vector) -> usize {
        self.places.push(Place { name: String::new(), position, size: 0.5, has_path: false });
        self.places.len() - 1
    }

    /// Where the places are at every state of the table; ends of axes come after them.
    fn scenes(&self, loaded: &Loaded, found: &Simulation) -> Result<Vec<Vec<[f64; 3]>>, Error> {
        let of_round = |round: &Round| {
            let axes = round.axes.unwrap_or([Vector::zero(); 2]);
            [round.centre, axes[0], axes[1], Vector([round.radius, Expr::zero(), Expr::zero()])]
        };
        let outputs: Vec<Expr> = self
            .places
            .iter()
            .map(|place| place.position)
            .chain(self.axes.iter().map(|axis| axis.1))
            .chain(self.rounds.iter().flat_map(of_round))
            .flat_map(|v| v.0)
            .collect();
        let states = values(loaded, found, outputs)?;
        Ok(states.iter().map(|state| state.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect()).collect())
    }

    fn pose(&self, t: f64, scene: &[[f64; 3]], sheet: &Sheet, length: f64, is_last: bool) -> Pose {
        let project = |place: [f64; 3]| sheet.project(place);
        let mut lines: Vec<Vec<[f64; 2]>> =
            self.lines.iter().map(|line| line.map(|place| project(scene[place])).to_vec()).collect();
        let (axes, rounds) = scene[self.places.len()..].split_at(self.axes.len());
        for ((from, _), axis) in self.axes.iter().zip(axes) {
            let tip: [f64; 3] = std::array::from_fn(|k| scene[*from][k] + length * axis[k]);
            let [foot, tip] = [project(scene[*from]), project(tip)];
            // an axis that is seen from its end is no line
            if (0..2).any(|k| (tip[k] - foot[k]).abs() > 1e-9 * length) {
                lines.push(vec![foot, tip]);
            }
        }
        let outline = |(round, numbers): (&Round, &[[f64; 3]])| {
            let [centre, a, b, radius] = [0, 1, 2, 3].map(|k| numbers[k]);
            let corner = |k: usize| {
                let (sin, cos) = (std::f64::consts::TAU * k as f64 / CORNERS as f64).sin_cos();
                match round.axes {
                    Some(_) => project(std::array::from_fn(|k| centre[k] + cos * a[k] + sin * b[k])),
                    None => {
                        let [x, y] = project(centre);
                        [x + radius[0] * cos, y + radius[0] * sin]
                    }
                }
            };
            (0..CORNERS).map(corner).collect()
        };
        let outlines = self.rounds.iter().zip(rounds.chunks_exact(4)).map(outline).collect();
        let dot = |(k, place): (usize, &Place)| Dot {
            at: project(scene[k]),
            label: if is_last { place.name.clone() } else { String::new() },
            size: place.size,
        };
        Pose { t, lines, dots: self.places.iter().enumerate().map(dot).collect(), outlines }
    }
}

/// The values of expressions in time and coordinates, at every state of a motion.
fn values(loaded: &Loaded, found: &Simulation, outputs: Vec<Expr>) -> Result<Vec<Vec<f64>>, Error> {
    let system = &loaded.system;
    let mut inputs = vec![system.time];
    inputs.extend(system.q());
    let parameters = system.parameters.iter().zip(&loaded.start.parameters);
    let fixed: Vec<(Expr, f64)> = parameters.filter_map(|(one, value)| Some((one.symbol, (*value)?))).collect();
    let defined: Vec<(Expr, Expr)> =
        system.inputs.iter().filter_map(|input| Some((input.symbol, input.value?))).collect();
    let tape = Tape::new(&inputs, &fixed, &defined, &[outputs])
        .map_err(|unbound| Error::new(format!("the mechanism cannot be drawn: {unbound}")))?;
    let columns: Vec<Vec<f64>> = system
        .coordinates
        .iter()
        .map(|c| found.table.column(&c.name).map(|column| column.1).unwrap_or_default())
        .collect();
    let mut memory = tape.memory::<f64>();
    let state = |(k, &t): (usize, &f64)| {
        tape.put(&mut memory, 0, t);
        for (input, column) in columns.iter().enumerate() {
            tape.put(&mut memory, 1 + input, column[k]);
        }
        tape.run(0, Switches::Free, &mut memory);
        tape.outputs(0).iter().map(|&slot| memory[slot as usize]).collect()
    };
    Ok(found.table.t.iter().enumerate().map(state).collect())
}

impl Round {
    /// The outline of a surface in contact; its half axes are chosen at a state.
    fn of(system: &System, contact: &mechanics::Contact, at: &At) -> Option<Round> {
        let (shape, Target::Body(body)) = (contact.shape.as_ref()?, contact.what) else { return None };
        let along = along(system, system.bodies[body].frame);
        let radius: Expr = shape.radii.iter().copied().sum();
        let axes = match (shape.kind, shape.axis) {
            (ShapeKind::Sphere, _) => None,
            (ShapeKind::Ellipsoid, _) => Some([along[0] * *shape.radii.first()?, along[2] * *shape.radii.get(2)?]),
            (_, axis) => Some(circle(axis?, radius, &along, at)),
        };
        Some(Round { centre: contact.centre, axes, radius })
    }

    /// The outline of a round shape: of a cylinder and a cone the circle about the axis.
    fn of_solid(solid: &mechanics::Solid, centre: Vector, along: &[Vector; 3], at: &At) -> Option<Round> {
        let first = *solid.lengths.first()?;
        let radius = if solid.kind == model::SolidKind::Torus { first + *solid.lengths.get(1)? } else { first };
        let axes = match (solid.kind, solid.axis) {
            (model::SolidKind::Ellipsoid, _) => Some([along[0] * first, along[2] * *solid.lengths.get(2)?]),
            (_, Some(axis)) => Some(circle(axis, radius, along, at)),
            (_, None) => None,
        };
        Some(Round { centre, axes, radius })
    }
}

/// The axes of a frame.
fn along(system: &System, frame: usize) -> [Vector; 3] {
    let unit = |axis: usize| Vector(std::array::from_fn(|k| expr::integer(i64::from(k == axis))));
    [0, 1, 2].map(|axis| system.frames[frame].vector(unit(axis)))
}

/// Two half axes across an axis: the first from the direction of the frame that is least along it.
fn circle(axis: Vector, radius: Expr, along: &[Vector; 3], at: &At) -> [Vector; 2] {
    let size = |k: usize| at.value(axis.dot(along[k])).abs();
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| size(i).total_cmp(&size(j)));
    let first = along[order[0]] - axis * axis.dot(along[order[0]]);
    [first * radius, axis.cross(first) * radius]
}

/// Whether a placement is one arm from a point.
fn is_arm(placement: &Placement) -> bool {
    placement.arms.len() <= 2
}

/// Whether a place moves, and keeps its distance from the origin.
fn turns_about_origin(system: &System, position: Vector) -> bool {
    let square = position.dot(position);
    let still = |q: Expr| expr::derivative(square, q).is_ok_and(|slope| slope.is_zero());
    let moves = |q: Expr| position.0.iter().any(|x| x.symbols().contains(&q));
    system.q().into_iter().any(moves) && system.q().into_iter().all(still)
}

/// The two points that a geometric constraint joins: it depends on what moves them, and on nothing else.
fn joined(system: &System, rows: &[Expr]) -> Option<[usize; 2]> {
    let [f] = rows else { return None };
    let moving = |e: Expr| -> Vec<Expr> {
        let is_moving = |symbol: &Expr| symbol.as_symbol().is_some_and(|one| one.kind == expr::Kind::Coordinate);
        e.symbols().into_iter().filter(is_moving).collect()
    };
    let all = moving(*f);
    if all.iter().any(|symbol| symbol.as_symbol().is_some_and(|one| one.order > 0)) {
        return None;
    }
    let of_point =
        |place: usize| -> Vec<Expr> { system.points[place].position.0.into_iter().flat_map(moving).collect() };
    let touched: Vec<usize> = (0..system.points.len())
        .filter(|&place| {
            let own = of_point(place);
            !own.is_empty() && own.iter().all(|symbol| all.contains(symbol))
        })
        .collect();
    match touched[..] {
        [a, b] => {
            let both = [of_point(a), of_point(b)].concat();
            let is_between = all.iter().all(|symbol| both.contains(symbol));
            (is_between && of_point(a) != of_point(b)).then_some([a, b])
        }
        _ => None,
    }
}
