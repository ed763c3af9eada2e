//! What does a viewer need to play a motion? Places, solids, planes and arrows at every state, as plain numbers.
//!
//! ```text
//! track   numbers of one thing, state after state; what never changes is written once
//! turn    a unit quaternion (w, x, y, z) that takes the axes of a solid to those of N; neighbours do not change sign
//! arrow   the force of a constraint, at the point it acts on, at the touching point of a contact, or at a mass centre
//! solid   the shape that a body is declared with, or the surface of a contact; of a body without one √2 times its ellipsoid of gyration: the rim of a hoop, and
//!         inside of any body that reaches as far as its mass does
//! ```

use expr::{At, Expr};
use mechanics::{Body, Contact, System, Target, Vector};
use model::ShapeKind;
use serde::Serialize;

use engine::{Error, Field, Loaded};
use motion::Simulation;

use super::{Sketch, View, pull, values};

/// A motion as a viewer plays it.
#[derive(Clone, Debug, Serialize)]
pub struct Scene {
    /// The title of the model, or its file.
    pub title: String,
    /// The instants.
    pub t: Vec<f64>,
    /// Whether all stays in one plane.
    pub is_plane: bool,
    /// What points to the right on the sheet.
    pub right: [f64; 3],
    /// What points up.
    pub up: [f64; 3],
    /// Points, mass centres, ends of springs.
    pub places: Vec<ScenePlace>,
    /// Places that are joined.
    pub lines: Vec<[usize; 2]>,
    /// Places with a spring between them.
    pub springs: Vec<[usize; 2]>,
    /// Places with a damper between them.
    pub dampers: Vec<[usize; 2]>,
    /// Bodies that have a size.
    pub solids: Vec<Solid>,
    /// The others: how the frame of each is turned.
    pub frames: Vec<SceneFrame>,
    /// Planes that are touched.
    pub planes: Vec<Plane>,
    /// Forces of constraints.
    pub arrows: Vec<Arrow>,
    /// What happened, and when.
    pub events: Vec<SceneEvent>,
}

/// A place that is drawn.
#[derive(Clone, Debug, Serialize)]
pub struct ScenePlace {
    /// Its name; empty if it has none.
    pub name: String,
    /// Whether it has mass.
    pub is_heavy: bool,
    /// Where it is: three numbers for each state, or for all.
    pub at: Vec<f64>,
}

/// What a solid looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SolidKind {
    /// A sphere of this radius.
    Sphere,
    /// A disc of this radius about its third axis.
    Disc,
    /// A ring about its third axis: the radius of its middle line, and of its section.
    Torus,
    /// An ellipsoid with these half axes.
    Ellipsoid,
    /// A box with these half edges.
    Box,
    /// A cylinder about its third axis: its radius twice, and half its height.
    Cylinder,
    /// A cone about its third axis, about its mass centre: the radius of its base twice, and its height.
    Cone,
    /// The same, of a body whose surface is not told.
    Gyration,
}

/// A body that has a size.
#[derive(Clone, Debug, Serialize)]
pub struct Solid {
    /// The body.
    pub name: String,
    /// What it looks like.
    pub kind: SolidKind,
    /// Its radii.
    pub radii: Vec<f64>,
    /// Its centre: three numbers for each state, or for all.
    pub at: Vec<f64>,
    /// How it is turned: four numbers for each state, or for all.
    pub turn: Vec<f64>,
}

/// A body without a size.
#[derive(Clone, Debug, Serialize)]
pub struct SceneFrame {
    /// Its place among the places.
    pub place: usize,
    /// How it is turned: four numbers for each state, or for all.
    pub turn: Vec<f64>,
}

/// A plane that something touches.
#[derive(Clone, Debug, Serialize)]
pub struct Plane {
    /// The contact.
    pub name: String,
    /// A point of it: three numbers for each state, or for all.
    pub at: Vec<f64>,
    /// Its normal, towards what touches it.
    pub normal: Vec<f64>,
    /// The point that touches, or would: three numbers for each state, or for all.
    pub touch: Vec<f64>,
    /// The gap at each state, or for all.
    pub gap: Vec<f64>,
}

/// The force of a constraint.
#[derive(Clone, Debug, Serialize)]
pub struct Arrow {
    /// The constraint.
    pub name: String,
    /// What it acts on.
    pub on: String,
    /// Where.
    pub at: Vec<f64>,
    /// The force in newtons: three numbers for each state, or for all; `null` where it is not determined.
    pub force: Vec<Option<f64>>,
}

/// Something that happened.
#[derive(Clone, Debug, Serialize)]
pub struct SceneEvent {
    /// When.
    pub t: f64,
    /// Its name.
    pub name: String,
    /// What it was.
    pub kind: &'static str,
}

/// The motion as a viewer plays it.
pub fn scene(loaded: &Loaded, found: &Simulation) -> Result<Scene, Error> {
    let _in = loaded.enter();
    let sketch = Sketch::of(&loaded.system, &loaded.at);
    if sketch.places.is_empty() {
        let hint = format!("declare points or bodies; charts are drawn with `{}`", Field::Plot);
        return Err(Error::new("there is nothing to draw: the model has no points").hint(hint));
    }
    let view = plane_of(&sketch, &sketch.scenes(loaded, found)?);
    let mut wanted = Wanted::default();
    let places: Vec<usize> = sketch.places.iter().map(|place| wanted.vector(place.position)).collect();
    let solids: Vec<Raw> = solids(loaded, &mut wanted);
    let frames: Vec<(usize, Raw)> = bare(loaded, &sketch, &solids, &mut wanted);
    let planes: Vec<RawPlane> =
        loaded.system.contacts.iter().filter_map(|one| RawPlane::of(one, &mut wanted)).collect();
    let arrows = arrows(loaded, found, &mut wanted);
    let states = values(loaded, found, wanted.0)?;
    let track = |from: usize, width: usize| track(states.iter().map(|state| &state[from..from + width]));
    let (right, up) = directions(view, pull(loaded));
    let of_kind =
        |damps: bool| sketch.springs.iter().filter(move |one| one.is_damper == damps).map(|one| one.ends).collect();
    let is_spring = |line: &[usize; 2]| sketch.springs.iter().any(|one| sorted(one.ends) == *line);
    Ok(Scene {
        title: if found.title.is_empty() { found.model.clone() } else { found.title.clone() },
        t: found.table.t.clone(),
        is_plane: view != View::Oblique,
        right,
        up,
        places: (sketch.places.iter().zip(places))
            .map(|(place, at)| ScenePlace { name: place.name.clone(), is_heavy: place.has_path, at: track(at, 3) })
            .collect(),
        lines: (sketch.lines.iter().filter(|line| !is_spring(line)).copied())
            .chain(closures(&loaded.system, &sketch))
            .collect(),
        springs: of_kind(false),
        dampers: of_kind(true),
        solids: solids.into_iter().map(|one| one.solid(&states)).collect(),
        frames: (frames.into_iter()).map(|(place, one)| SceneFrame { place, turn: one.solid(&states).turn }).collect(),
        planes: planes.into_iter().map(|one| one.plane(&track)).collect(),
        arrows: arrows.into_iter().map(|one| one.arrow(found, &track)).collect(),
        events: (found.events.iter())
            .map(|event| SceneEvent { t: event.t, name: event.name.clone(), kind: event.kind.word() })
            .collect(),
    })
}

/// The plane in which all places stay and about whose normal all bodies turn, if there is one.
pub(super) fn plane_of(sketch: &Sketch, scenes: &[Vec<[f64; 3]>]) -> View {
    let count = sketch.places.len();
    let places = || scenes.iter().flat_map(|scene| &scene[..count]);
    let size = places().flatten().fold(0.0_f64, |size, x| size.max(x.abs()));
    let is_flat = |axis: usize| places().all(|place| place[axis].abs() <= 1e-9 * size);
    // of the three axes of a body, one stays along the normal
    let keeps = |first: usize, axis: usize| {
        let stays = |k: usize| scenes.iter().all(|scene| scene[count + first + k][axis].abs() > 1.0 - 1e-9);
        (0..3).any(stays)
    };
    let turns = |axis: usize| (0..sketch.axes.len()).step_by(3).all(|first| keeps(first, axis));
    let normals = [(2, View::Xy), (1, View::Xz), (0, View::Yz)];
    let found = normals.into_iter().find(|&(axis, _)| is_flat(axis) && turns(axis));
    found.map_or(View::Oblique, |(_, view)| view)
}

/// Lines from bodies to points that a vector constraint puts onto them.
fn closures(system: &System, sketch: &Sketch) -> Vec<[usize; 2]> {
    let mut lines = Vec::new();
    for constraint in system.constraints.iter().filter(|one| !one.axes.is_empty() && one.rows.len() == one.axes.len()) {
        let mut gap = [Expr::zero(); 3];
        for (row, axis) in constraint.rows.iter().zip(&constraint.axes) {
            gap[*axis as usize] = *row;
        }
        for (place, point) in system.points.iter().enumerate() {
            for other in [point.position - Vector(gap), point.position + Vector(gap)] {
                let holds = |body: &&Body| other != point.position && is_fixed_in(system, body, other);
                if let Some(body) = system.bodies.iter().find(holds)
                    && let Some(centre) = sketch.places.iter().position(|one| one.name == body.name)
                {
                    lines.push([place, centre]);
                }
            }
        }
    }
    lines.retain(|line| !sketch.lines.contains(&sorted(*line)));
    lines
}

/// Whether a place moves with a body: its components along the body's axes do not depend on any coordinate.
fn is_fixed_in(system: &System, body: &Body, place: Vector) -> bool {
    let arm = place - body.centre;
    let depends = |q: Expr| arm.0.iter().any(|x| x.symbols().contains(&q));
    let still = |component: Expr, q: Expr| expr::derivative(component, q).is_ok_and(|slope| slope.is_zero());
    let components: Vec<Expr> = (0..3).map(|k| arm.dot(axis(system, body, k))).collect();
    system.q().into_iter().any(depends) && system.q().into_iter().all(|q| components.iter().all(|&x| still(x, q)))
}

fn sorted(mut ends: [usize; 2]) -> [usize; 2] {
    ends.sort_unstable();
    ends
}

/// What points to the right and up, where gravity pulls down.
pub(super) fn directions(view: View, pull: [f64; 3]) -> ([f64; 3], [f64; 3]) {
    let (x, y) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let sign = if pull[2] > 0.0 { -1.0 } else { 1.0 };
    let z = [0.0, 0.0, sign];
    // across a plane: gravity is along its first axis
    let is_across = |first: usize, second: usize| pull[first].abs() > pull[second].abs();
    match view {
        View::Xy if is_across(0, 1) => (y, [-pull[0].signum(), 0.0, 0.0]),
        View::Xy if pull[1] > 0.0 => (x, [0.0, -1.0, 0.0]),
        View::Xy => (x, y),
        View::Xz if is_across(0, 2) => (z, [-pull[0].signum(), 0.0, 0.0]),
        View::Yz if is_across(1, 2) => (z, [0.0, -pull[1].signum(), 0.0]),
        View::Xz => (x, z),
        View::Yz => (y.map(|k| k * sign), z),
        // in space: the axis of N that gravity is most along
        View::Oblique if pull[1].abs() > pull[2].abs() => (x, [0.0, -pull[1].signum(), 0.0]),
        View::Oblique if pull[0].abs() > pull[2].abs() => (y, [-pull[0].signum(), 0.0, 0.0]),
        View::Oblique => (x, z),
    }
}

/// Expressions whose values are wanted at every state.
#[derive(Default)]
struct Wanted(Vec<Expr>);

impl Wanted {
    fn vector(&mut self, v: Vector) -> usize {
        self.0.extend(v.0);
        self.0.len() - 3
    }

    fn scalar(&mut self, e: Expr) -> usize {
        self.0.push(e);
        self.0.len() - 1
    }
}

/// Six digits are enough for the eye.
fn rounded(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}

/// Numbers state after state; once if they never change.
fn track<'a>(states: impl Iterator<Item = &'a [f64]>) -> Vec<f64> {
    let all: Vec<Vec<f64>> = states.map(|state| state.iter().map(|&x| rounded(x)).collect()).collect();
    match all.first() {
        Some(first) if all.iter().all(|one| one == first) => first.clone(),
        _ => all.concat(),
    }
}

/// A solid before its numbers are known: where its centre, its first and its third axis are among them.
struct Raw {
    name: String,
    kind: SolidKind,
    radii: Vec<f64>,
    at: usize,
    first: usize,
    third: usize,
    /// How the drawn axes lie along those.
    within: [[f64; 3]; 3],
}

const PLAIN: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The surfaces of contacts, and bodies without one.
fn solids(loaded: &Loaded, wanted: &mut Wanted) -> Vec<Raw> {
    let (system, at) = (&loaded.system, &loaded.at);
    let has_solid =
        |contact: &&Contact| matches!(contact.what, Target::Body(body) if system.bodies[body].solid.is_some());
    let touching = system.contacts.iter().filter(|contact| !has_solid(contact));
    let mut all: Vec<Raw> = touching.filter_map(|contact| surface(system, contact, at, wanted)).collect();
    for body in &system.bodies {
        let raw = |solid| shaped(system, &body.name, solid, (body.centre, body.frame), at, wanted);
        all.extend(body.solid.as_ref().and_then(raw));
    }
    for drawing in &system.drawings {
        all.extend(shaped(system, &drawing.name, &drawing.solid, (drawing.at, drawing.frame), at, wanted));
    }
    let is_drawn = |place: usize| {
        let touches = |contact: &Contact| contact.shape.is_some() && contact.what == Target::Body(place);
        system.bodies[place].solid.is_some() || system.contacts.iter().any(touches)
    };
    let rest: Vec<&Body> = (0..system.bodies.len()).filter(|&k| !is_drawn(k)).map(|k| &system.bodies[k]).collect();
    all.extend(rest.into_iter().filter_map(|body| gyration(system, body, at, wanted)));
    all
}

/// The frames of bodies without a solid, each with its place.
fn bare(loaded: &Loaded, sketch: &Sketch, solids: &[Raw], wanted: &mut Wanted) -> Vec<(usize, Raw)> {
    let system = &loaded.system;
    let rest = system.bodies.iter().filter(|body| solids.iter().all(|solid| solid.name != body.name));
    let of_body = |body: &Body| {
        let place = sketch.places.iter().position(|place| place.name == body.name)?;
        Some((place, Raw::of_body(system, body, Vec::new(), PLAIN, wanted)))
    };
    rest.filter_map(of_body).collect()
}

/// A shape that the model tells, about its centre and along its frame.
fn shaped(
    system: &System,
    name: &str,
    solid: &mechanics::Solid,
    (centre, frame): (Vector, usize),
    at: &At,
    wanted: &mut Wanted,
) -> Option<Raw> {
    let length = |k: usize| solid.lengths.get(k).map_or(f64::NAN, |&e| rounded(at.value(e)));
    let (a, b, c) = (length(0), length(1), length(2));
    let (kind, radii) = match solid.kind {
        model::SolidKind::Sphere | model::SolidKind::Shell => (SolidKind::Sphere, vec![a]),
        model::SolidKind::Disc => (SolidKind::Disc, vec![a]),
        model::SolidKind::Ring => (SolidKind::Torus, vec![a, THIN * a]),
        model::SolidKind::Torus => (SolidKind::Torus, vec![a, b]),
        model::SolidKind::Rod => (SolidKind::Cylinder, vec![THIN * a, THIN * a, a / 2.0]),
        model::SolidKind::Cylinder => (SolidKind::Cylinder, vec![a, a, b / 2.0]),
        model::SolidKind::Cone => (SolidKind::Cone, vec![a, a, b]),
        model::SolidKind::Box => (SolidKind::Box, vec![a / 2.0, b / 2.0, c / 2.0]),
        model::SolidKind::Ellipsoid => (SolidKind::Ellipsoid, vec![a, b, c]),
    };
    let own = |k: usize| {
        let unit = std::array::from_fn(|j| expr::integer(i64::from(j == k)));
        system.frames[frame].vector(Vector(unit))
    };
    let (first, third) = match solid.axis {
        None => (own(0), own(2)),
        Some(along) => {
            let size = |k: &usize| at.value(along.dot(own(*k))).abs();
            let across = (0..3).min_by(|i, j| size(i).total_cmp(&size(j)))?;
            (own(across), along)
        }
    };
    let places = (wanted.vector(centre), wanted.vector(first), wanted.vector(third));
    radii.iter().all(|r| r.is_finite()).then_some(Raw {
        name: name.to_owned(),
        kind,
        radii: radii.into_iter().map(rounded).collect(),
        at: places.0,
        first: places.1,
        third: places.2,
        within: PLAIN,
    })
}

/// A rod or a ring is drawn so thick, in parts of its length or radius.
const THIN: f64 = 0.02;

/// The axes of the frame of a body.
fn axis(system: &System, body: &Body, k: usize) -> Vector {
    let unit = std::array::from_fn(|j| expr::integer(i64::from(j == k)));
    system.frames[body.frame].vector(Vector(unit))
}

fn surface(system: &System, contact: &Contact, at: &At, wanted: &mut Wanted) -> Option<Raw> {
    let (shape, Target::Body(body)) = (contact.shape.as_ref()?, contact.what) else { return None };
    let body = &system.bodies[body];
    let kind = match shape.kind {
        ShapeKind::Sphere => SolidKind::Sphere,
        ShapeKind::Disc => SolidKind::Disc,
        ShapeKind::Torus => SolidKind::Torus,
        ShapeKind::Ellipsoid => SolidKind::Ellipsoid,
    };
    let (first, third) = match shape.axis {
        None => (axis(system, body, 0), axis(system, body, 2)),
        Some(along) => {
            // the axis of the frame that is least along that of the surface
            let size = |k: &usize| at.value(along.dot(axis(system, body, *k))).abs();
            let across = (0..3).min_by(|i, j| size(i).total_cmp(&size(j)))?;
            (axis(system, body, across), along)
        }
    };
    let radii: Vec<f64> = shape.radii.iter().map(|&r| rounded(at.value(r))).collect();
    let places = (wanted.vector(contact.centre), wanted.vector(first), wanted.vector(third));
    radii.iter().all(|r| r.is_finite()).then_some(Raw {
        name: body.name.clone(),
        kind,
        radii,
        at: places.0,
        first: places.1,
        third: places.2,
        within: PLAIN,
    })
}

/// A body by its inertia: along its principal axes √2 times the radii of gyration.
fn gyration(system: &System, body: &Body, at: &At, wanted: &mut Wanted) -> Option<Raw> {
    if body.inertia.given == 1 || body.inertia.about.is_some() {
        return None;
    }
    let mass = at.value(body.mass);
    let [xx, yy, zz, xy, yz, zx] = body.inertia.entries.map(|entry| at.value(entry));
    let (moments, axes) = principal([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]]);
    let sum: f64 = moments.iter().sum();
    // ∫ x² dm = (I_y + I_z − I_x)/2
    let radii: Vec<f64> = moments.iter().map(|one| rounded(((sum - 2.0 * one) / mass).max(0.0).sqrt())).collect();
    if mass <= 0.0 || !radii.iter().all(|r| r.is_finite()) || radii.iter().all(|&r| r == 0.0) {
        return None;
    }
    Some(Raw::of_body(system, body, radii, axes, wanted))
}

/// Moments of a symmetric matrix, and their directions as columns that form a right hand: Jacobi's rotations.
fn principal(mut a: [[f64; 3]; 3]) -> ([f64; 3], [[f64; 3]; 3]) {
    const SWEEPS: usize = 30;
    let mut v = PLAIN;
    for _ in 0..SWEEPS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q].abs() < 1e-15 * (a[p][p].abs() + a[q][q].abs()) {
                continue;
            }
            let angle = 0.5 * (2.0 * a[p][q]).atan2(a[q][q] - a[p][p]);
            let (s, c) = angle.sin_cos();
            for row in a.iter_mut().chain(v.iter_mut()) {
                let (x, y) = (row[p], row[q]);
                (row[p], row[q]) = (c * x - s * y, s * x + c * y);
            }
            let (first, second) = (a[p], a[q]);
            a[p] = std::array::from_fn(|k| c * first[k] - s * second[k]);
            a[q] = std::array::from_fn(|k| s * first[k] + c * second[k]);
        }
    }
    (std::array::from_fn(|k| a[k][k]), v)
}

impl Raw {
    /// A body by itself, with radii along axes that lie so along its frame.
    fn of_body(system: &System, body: &Body, radii: Vec<f64>, within: [[f64; 3]; 3], wanted: &mut Wanted) -> Raw {
        Raw {
            name: body.name.clone(),
            kind: SolidKind::Gyration,
            radii,
            at: wanted.vector(body.centre),
            first: wanted.vector(axis(system, body, 0)),
            third: wanted.vector(axis(system, body, 2)),
            within,
        }
    }

    fn solid(self, states: &[Vec<f64>]) -> Solid {
        let vector = |state: &[f64], from: usize| [state[from], state[from + 1], state[from + 2]];
        let mut last = [1.0, 0.0, 0.0, 0.0];
        let mut turns: Vec<[f64; 4]> = Vec::with_capacity(states.len());
        for state in states {
            let outer = frame(vector(state, self.first), vector(state, self.third));
            let own = |k: usize| -> [f64; 3] {
                std::array::from_fn(|row| (0..3).map(|j| outer[j][row] * self.within[j][k]).sum())
            };
            let mut turn = quaternion([own(0), own(1), own(2)]);
            if (0..4).map(|k| turn[k] * last[k]).sum::<f64>() < 0.0 {
                turn = turn.map(|x| -x);
            }
            last = turn;
            turns.push(turn);
        }
        Solid {
            name: self.name,
            kind: self.kind,
            radii: self.radii,
            at: track(states.iter().map(|state| &state[self.at..self.at + 3])),
            turn: track(turns.iter().map(|turn| &turn[..])),
        }
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    let size = a.iter().map(|x| x * x).sum::<f64>().sqrt();
    a.map(|x| x / size)
}

/// Three perpendicular axes: the third as given, the first as near as may be to what is given.
fn frame(first: [f64; 3], third: [f64; 3]) -> [[f64; 3]; 3] {
    let third = unit(third);
    let second = unit(cross(third, first));
    [cross(second, third), second, third]
}

/// The unit quaternion of a rotation with these columns.
fn quaternion(m: [[f64; 3]; 3]) -> [f64; 4] {
    let r = |row: usize, column: usize| m[column][row];
    let candidates = [
        [1.0 + r(0, 0) + r(1, 1) + r(2, 2), r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)],
        [r(2, 1) - r(1, 2), 1.0 + r(0, 0) - r(1, 1) - r(2, 2), r(0, 1) + r(1, 0), r(0, 2) + r(2, 0)],
        [r(0, 2) - r(2, 0), r(0, 1) + r(1, 0), 1.0 - r(0, 0) + r(1, 1) - r(2, 2), r(1, 2) + r(2, 1)],
        [r(1, 0) - r(0, 1), r(0, 2) + r(2, 0), r(1, 2) + r(2, 1), 1.0 - r(0, 0) - r(1, 1) + r(2, 2)],
    ];
    let size = |q: &[f64; 4]| q.iter().map(|x| x * x).sum::<f64>();
    let best = candidates.into_iter().max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or([1.0, 0.0, 0.0, 0.0]);
    let length = size(&best).sqrt();
    best.map(|x| x / length)
}

/// A plane before its numbers are known.
struct RawPlane {
    name: String,
    is_fixed: bool,
    at: usize,
    normal: usize,
    touch: usize,
    gap: usize,
}

impl RawPlane {
    fn of(contact: &Contact, wanted: &mut Wanted) -> Option<RawPlane> {
        let (normal, point) = (contact.touch.normal?, contact.touch.point?);
        let gap = contact.touch.gap.unwrap_or(Expr::zero());
        Some(RawPlane {
            name: contact.name.clone(),
            is_fixed: contact.carrier.is_none(),
            at: wanted.vector(point - normal * gap),
            normal: wanted.vector(normal),
            touch: wanted.vector(point),
            gap: wanted.scalar(gap),
        })
    }

    fn plane(self, track: &dyn Fn(usize, usize) -> Vec<f64>) -> Plane {
        let once = |mut list: Vec<f64>| {
            list.truncate(if self.is_fixed { 3 } else { usize::MAX });
            list
        };
        Plane {
            at: once(track(self.at, 3)),
            normal: once(track(self.normal, 3)),
            touch: track(self.touch, 3),
            gap: track(self.gap, 1),
            name: self.name,
        }
    }
}

/// An arrow before its numbers are known.
struct RawArrow {
    name: String,
    on: String,
    at: usize,
    columns: [usize; 3],
}

/// The forces of constraints among the columns of a motion.
fn arrows(loaded: &Loaded, found: &Simulation, wanted: &mut Wanted) -> Vec<RawArrow> {
    use motion::Meaning;
    let system = &loaded.system;
    let mut all = Vec::new();
    for (place, column) in found.table.columns.iter().enumerate() {
        let Meaning::Force { constraint, on, axis: 0 } = &column.meaning else { continue };
        let touching = system.contacts.iter().find(|contact| contact.name == *constraint);
        let point = system.points.iter().find(|point| point.name == *on).map(|point| point.position);
        let body = system.bodies.iter().find(|body| body.name == *on).map(|body| body.centre);
        if let Some(at) = touching.and_then(|contact| contact.touch.point).or(point).or(body) {
            let columns = [place, place + 1, place + 2];
            all.push(RawArrow { name: constraint.clone(), on: on.clone(), at: wanted.vector(at), columns });
        }
    }
    all
}

impl RawArrow {
    fn arrow(self, found: &Simulation, track: &dyn Fn(usize, usize) -> Vec<f64>) -> Arrow {
        let number = |x: f64| x.is_finite().then(|| rounded(x));
        let of_row = |row: &Vec<f64>| self.columns.map(|column| row.get(column).and_then(|&x| number(x)));
        let force = found.table.rows.iter().flat_map(of_row).collect();
        Arrow { name: self.name, on: self.on, at: track(self.at, 3), force }
    }
}

#[cfg(test)]
mod tests {
    use super::{principal, quaternion};

    #[test]
    fn a_quarter_turn_about_z() {
        let turn = quaternion([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
        let half = 0.5_f64.sqrt();
        let expected = [half, 0.0, 0.0, half];
        assert!(turn.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{turn:?}");
    }

    #[test]
    fn principal_axes_of_a_turned_box() {
        // moments 1, 2, 4, turned by 30° in the plane of x and z
        let (s, c) = 30.0_f64.to_radians().sin_cos();
        let a = [[c * c + 4.0 * s * s, 0.0, -3.0 * s * c], [0.0, 2.0, 0.0], [-3.0 * s * c, 0.0, s * s + 4.0 * c * c]];
        let (moments, axes) = principal(a);
        for k in 0..3 {
            let image: [f64; 3] = std::array::from_fn(|i| (0..3).map(|j| a[i][j] * axes[j][k]).sum());
            assert!((0..3).all(|i| (image[i] - moments[k] * axes[i][k]).abs() < 1e-12), "{moments:?} {axes:?}");
        }
        let mut list = moments.map(|one| (one * 1e9).round() / 1e9);
        list.sort_by(f64::total_cmp);
        assert_eq!(list, [1.0, 2.0, 4.0]);
    }
}
