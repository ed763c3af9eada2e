//! Which system next? Particles and bodies in random coordinates, random constraints and loads, as the text of a model.
//!
//! A theme says what the system should be good for, so that no form is left without systems that it applies to.
//! Constraints get constants for which they hold near the state that was drawn; `guess` lines then lead to a start.
//! Whether rank and mass matrix are as they should be is not known here: `agree.rs` finds out.

use std::collections::BTreeSet;

use expr::field::Random;

use crate::change::Change;
use crate::jet::{Axes, Jet, Piece, Place, difference, dot, sum};

/// A line of the model, and the same after a change of coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub text: String,
    pub changed: String,
}

/// A model that was drawn.
#[derive(Clone, Debug)]
pub struct Drawn {
    pub lines: Vec<Line>,
    pub change: Change,
    /// What it has, for the counts: kinds of loads, of coordinates, of rows.
    pub features: BTreeSet<&'static str>,
    /// The same system without words of mechanics, if it has no bodies.
    pub plain: Option<Plain>,
}

impl Drawn {
    /// The model in the coordinates that were drawn.
    pub fn text(&self) -> String {
        joined(self.lines.iter().map(|line| &line.text))
    }

    /// The model in changed coordinates.
    pub fn changed(&self) -> String {
        joined(self.lines.iter().map(|line| &line.changed))
    }
}

fn joined<'a>(lines: impl Iterator<Item = &'a String>) -> String {
    lines.filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}

/// Particles by their components, loads by theirs: formulas in which `D(e)` is the time derivative.
#[derive(Clone, Debug, Default)]
pub struct Plain {
    pub parameters: Vec<(String, f64)>,
    pub points: Vec<PlainPoint>,
    /// Force on the particle of that number.
    pub forces: Vec<(usize, [String; 3])>,
    /// Stiffness, rest length, ends.
    pub springs: Vec<(String, String, [String; 3], [String; 3])>,
    /// Damping, ends.
    pub dampers: Vec<(String, [String; 3], [String; 3])>,
    pub gravity: Option<[String; 3]>,
    pub potentials: Vec<String>,
    pub dissipations: Vec<String>,
    /// Force on the coordinate of that number.
    pub generalized: Vec<(String, usize)>,
    /// What vanishes.
    pub constraints: Vec<String>,
}

/// A particle.
#[derive(Clone, Debug)]
pub struct PlainPoint {
    pub position: [String; 3],
    pub mass: String,
    pub exhaust: Option<[String; 3]>,
}

/// What a system should be good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Theme {
    /// No constraints.
    Free,
    /// Particles by their Cartesian components.
    Cartesian,
    /// Linear homogeneous constraints whose coefficients do not depend on what they determine.
    Chaplygin,
    /// Anything.
    Any,
}

#[derive(Clone, Debug)]
struct Coordinate {
    name: String,
    is_angle: bool,
    jet: Jet,
}

#[derive(Clone, Debug)]
struct Spot {
    name: String,
    place: Place,
    coordinates: BTreeSet<usize>,
    has_mass: bool,
}

#[derive(Clone, Debug)]
struct Rigid {
    name: String,
    frame: String,
    centre: Place,
    coordinates: BTreeSet<usize>,
    is_plane: bool,
}

/// One constraint as text, its plain form, and what it ties.
struct Tie {
    left: String,
    right: String,
    plain: Option<String>,
    coordinates: BTreeSet<usize>,
    order: u32,
}

/// Draws a model. With `plain`, only particles.
pub fn draw(seed: u64, plain: bool) -> Drawn {
    let mut random = Random::new(seed);
    let theme = match random.below(100) {
        0..18 => Theme::Free,
        18..40 => Theme::Cartesian,
        40..54 => Theme::Chaplygin,
        _ => Theme::Any,
    };
    let has_units = !plain && random.below(2) == 0;
    let time = if random.below(3) == 0 { 0.4 } else { 0.0 };
    let mut model = Model {
        random,
        theme,
        has_units,
        only_particles: plain,
        time,
        parameters: Vec::new(),
        coordinates: Vec::new(),
        lines: Vec::new(),
        spots: Vec::new(),
        bodies: Vec::new(),
        frames: 0,
        general: Vec::new(),
        dependent: None,
        ties: Vec::new(),
        features: BTreeSet::new(),
        plain: Plain::default(),
    };
    model.elements();
    model.constraints();
    model.loads();
    model.speeds();
    model.finished()
}

struct Model {
    random: Random,
    theme: Theme,
    has_units: bool,
    only_particles: bool,
    time: f64,
    parameters: Vec<(String, f64, String)>,
    coordinates: Vec<Coordinate>,
    lines: Vec<String>,
    spots: Vec<Spot>,
    bodies: Vec<Rigid>,
    frames: usize,
    /// Generalized forces: the force and its coordinate.
    general: Vec<(String, usize)>,
    dependent: Option<usize>,
    ties: Vec<Tie>,
    features: BTreeSet<&'static str>,
    plain: Plain,
}

/// The largest number of coordinates.
const MOST: usize = 8;

impl Model {
    // ------------------------------------------------------------------------------------------
    // Numbers

    fn below(&mut self, n: usize) -> usize {
        self.random.below(n as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A number of two decimals between these, and with that sign or the other.
    fn size(&mut self, low: f64, high: f64) -> f64 {
        let steps = ((high - low) * 100.0).round() as usize;
        low + 0.01 * self.below(steps + 1) as f64
    }

    fn signed(&mut self, low: f64, high: f64) -> f64 {
        let size = self.size(low, high);
        if self.one_in(2) { -size } else { size }
    }

    /// A number with its unit, in place or as a parameter.
    fn number(&mut self, value: f64, unit: &str) -> Piece {
        let value = (value * 100.0).round() / 100.0;
        if self.one_in(3) {
            let name = format!("k{}", self.parameters.len() + 1);
            self.parameters.push((name.clone(), value, unit.to_owned()));
            return Piece::new(name, Jet::constant(value));
        }
        Piece::new(self.literal(value, unit), Jet::constant(value))
    }

    fn literal(&self, value: f64, unit: &str) -> String {
        match self.has_units && !unit.is_empty() {
            true => format!("({value:.2} {unit})"),
            false if value < 0.0 => format!("({value:.2})"),
            false => format!("{value:.2}"),
        }
    }

    fn a(&mut self, low: f64, high: f64, unit: &str) -> Piece {
        let value = self.size(low, high);
        self.number(value, unit)
    }

    fn plus_or_minus(&mut self, low: f64, high: f64, unit: &str) -> Piece {
        let value = self.signed(low, high);
        self.number(value, unit)
    }

    fn time(&self) -> Piece {
        Piece::new("t", Jet::new(self.time, 1.0, 0.0))
    }

    /// A small function of time that has no unit.
    fn wave(&mut self) -> Piece {
        let rate = self.a(0.3, 1.2, "rad/s");
        rate.mul(&self.time()).sin()
    }

    // ------------------------------------------------------------------------------------------
    // Coordinates

    fn length(&mut self, name: &str, low: f64, high: f64, sign: bool) -> usize {
        let value = if sign { self.signed(low, high) } else { self.size(low, high) };
        self.coordinate(name, false, value)
    }

    fn angle(&mut self, name: &str, low: f64, high: f64) -> usize {
        let value = self.size(low, high);
        self.coordinate(name, true, value)
    }

    fn coordinate(&mut self, name: &str, is_angle: bool, value: f64) -> usize {
        let rate = self.signed(0.3, 1.3);
        self.coordinates.push(Coordinate { name: name.to_owned(), is_angle, jet: Jet::new(value, rate, 0.0) });
        self.coordinates.len() - 1
    }

    fn q(&self, place: usize) -> Piece {
        Piece::new(self.coordinates[place].name.clone(), self.coordinates[place].jet)
    }

    fn rate(&self, place: usize) -> Piece {
        let Coordinate { name, jet, .. } = &self.coordinates[place];
        Piece::new(format!("{name}'"), Jet::new(jet.rate, jet.acceleration, 0.0))
    }

    /// The coordinate without unit.
    fn pure(&self, place: usize) -> Piece {
        match self.coordinates[place].is_angle || !self.has_units {
            true => self.q(place),
            false => Piece::new(format!("{}/(1 m)", self.coordinates[place].name), self.coordinates[place].jet),
        }
    }

    /// The factor that makes a length of the coordinate.
    fn arm(&mut self, place: usize) -> Piece {
        match self.coordinates[place].is_angle {
            true => self.a(0.4, 1.2, "m"),
            false => Piece::one(),
        }
    }

    /// A function of some of these coordinates, without unit.
    fn function(&mut self, of: &[usize]) -> Piece {
        if of.is_empty() {
            return self.plus_or_minus(0.2, 1.2, "");
        }
        let place = self.one_of(of);
        let s = self.pure(place);
        let size = self.plus_or_minus(0.2, 0.9, "");
        match self.below(6) {
            0 => s.sin(),
            1 => s.cos(),
            2 => size.mul(&s),
            3 => size.mul(&s.squared()),
            4 => {
                let other = self.one_of(of);
                size.mul(&s).mul(&self.pure(other).cos())
            }
            _ => size,
        }
    }

    /// The same, and not far from one.
    fn factor(&mut self, of: &[usize]) -> Piece {
        let function = self.function(of);
        let small = self.number(0.3, "");
        Piece::one().add(&small.mul(&function))
    }

    // ------------------------------------------------------------------------------------------
    // Particles and bodies

    fn elements(&mut self) {
        let count = 1 + self.below(4);
        for number in 1..=count {
            if self.coordinates.len() >= MOST - 1 || (number > 1 && self.coordinates.len() >= 5 && self.one_in(2)) {
                break;
            }
            let room = MOST - self.coordinates.len();
            match self.theme {
                Theme::Cartesian => self.cartesian(number, room),
                Theme::Chaplygin => match !self.only_particles && self.one_in(2) {
                    true => self.plane_body(number),
                    false => self.cartesian(number, room),
                },
                _ => self.element(number, room),
            }
        }
        // A constraint needs something that it leaves free.
        if self.theme != Theme::Free && self.coordinates.len() < 2 {
            self.cartesian(9, 3);
        }
    }

    fn element(&mut self, number: usize, room: usize) {
        let bodies = if self.only_particles { 0 } else { 4 };
        match self.below(8 + bodies) {
            0 => self.cartesian(number, room),
            1 => self.polar(number),
            2 if room >= 3 => self.spherical(number),
            3 | 4 => self.pendulum(number),
            5 | 6 => self.in_frame(number),
            7 => self.nested(number),
            8 => self.plane_body(number),
            9 if room >= 6 => self.space_body(number, true),
            9 | 10 if room >= 3 => self.space_body(number, false),
            11 => self.link(number),
            _ => self.polar(number),
        }
    }

    fn cartesian(&mut self, number: usize, room: usize) {
        let dimension = if room >= 3 && !self.one_in(3) { 3 } else { room.min(2) };
        let names = ["x", "y", "z"].map(|letter| format!("{letter}{number}"));
        let places: Vec<usize> = (0..dimension).map(|k| self.length(&names[k], 0.3, 1.4, true)).collect();
        let mut place: Place = [Piece::zero(), Piece::zero(), Piece::zero()];
        places.iter().enumerate().for_each(|(k, &q)| place[k] = self.q(q));
        let text = tuple(&place);
        self.features.insert("Cartesian coordinates");
        self.particle(number, text, place, places.into_iter().collect());
    }

    fn polar(&mut self, number: usize) {
        let r = self.length(&format!("r{number}"), 0.6, 1.5, false);
        let a = self.angle(&format!("a{number}"), 0.2, 1.3);
        let (cos, sin) = (self.q(a).cos(), self.q(a).sin());
        let place = [self.q(r).mul(&cos), self.q(r).mul(&sin), Piece::zero()];
        let text = format!("r{number}*(cos(a{number}), sin(a{number}))");
        self.features.insert("polar coordinates");
        self.particle(number, text, place, [r, a].into());
    }

    fn spherical(&mut self, number: usize) {
        let r = self.length(&format!("r{number}"), 0.6, 1.5, false);
        let a = self.angle(&format!("a{number}"), 0.2, 1.3);
        let b = self.angle(&format!("b{number}"), 0.5, 1.2);
        let (r_, a_, b_) = (self.q(r), self.q(a), self.q(b));
        let place = [r_.mul(&b_.sin()).mul(&a_.cos()), r_.mul(&b_.sin()).mul(&a_.sin()), r_.mul(&b_.cos())];
        let text = tuple(&place);
        self.features.insert("spherical coordinates");
        self.particle(number, text, place, [r, a, b].into());
    }

    /// Hung on the point before, if there is one.
    fn pendulum(&mut self, number: usize) {
        let l = self.a(0.5, 1.3, "m");
        let a = self.angle(&format!("a{number}"), 0.2, 1.3);
        let mut coordinates: BTreeSet<usize> = [a].into();
        let (sin, cos) = (self.q(a).sin(), self.q(a).cos());
        let mut arm = [l.mul(&sin), l.mul(&cos).neg(), Piece::zero()];
        if self.one_in(3) {
            let b = self.angle(&format!("b{number}"), 0.2, 1.3);
            coordinates.insert(b);
            let (sin_b, cos_b) = (self.q(b).sin(), self.q(b).cos());
            arm = [l.mul(&sin).mul(&cos_b), l.mul(&sin).mul(&sin_b), l.mul(&cos).neg()];
        }
        let text = tuple(&arm);
        self.features.insert("pendulum");
        match self.spots.last().cloned() {
            Some(before) => {
                coordinates.extend(&before.coordinates);
                let text = format!("{} + {text}", before.name);
                self.particle(number, text, sum(&before.place, &arm), coordinates);
            }
            None => self.particle(number, text, arm, coordinates),
        }
    }

    /// In axes that turn by themselves or by a coordinate.
    fn in_frame(&mut self, number: usize) {
        let x = self.length(&format!("x{number}"), 0.4, 1.4, true);
        let mut coordinates: BTreeSet<usize> = [x].into();
        let angle = match self.below(3) {
            0 => {
                let a = self.angle(&format!("a{number}"), 0.2, 1.3);
                coordinates.insert(a);
                self.q(a)
            }
            1 => {
                self.features.insert("frame turned in time");
                let rate = self.a(0.3, 1.5, "rad/s");
                rate.mul(&self.time())
            }
            _ => {
                self.features.insert("frame turned in time");
                let a = self.angle(&format!("a{number}"), 0.2, 1.3);
                coordinates.insert(a);
                let wave = self.wave();
                self.q(a).add(&wave)
            }
        };
        let axis = self.one_of(&[2, 2, 0, 1]);
        let (frame, axes) = self.frame("N", &Axes::inertial(), &[(axis, angle)]);
        let mut inside = [self.q(x), Piece::zero(), Piece::zero()];
        if self.one_in(2) {
            let y = self.length(&format!("y{number}"), 0.4, 1.4, true);
            coordinates.insert(y);
            inside[1] = self.q(y);
        } else {
            inside[1] = self.a(0.2, 0.7, "m");
        }
        if axis != 2 {
            inside[2] = self.a(0.2, 0.7, "m");
        }
        let text = format!("{frame}*{}", tuple(&inside));
        self.features.insert("frame");
        self.particle(number, text, axes.of(&inside), coordinates);
    }

    /// A frame on a frame.
    fn nested(&mut self, number: usize) {
        let a = self.angle(&format!("a{number}"), 0.2, 1.3);
        let b = self.angle(&format!("b{number}"), 0.3, 1.3);
        let (outer, outer_axes) = self.frame("N", &Axes::inertial(), &[(2, self.q(a))]);
        let axis = self.one_of(&[0, 1, 2]);
        let (inner, inner_axes) = self.frame(&outer, &outer_axes, &[(axis, self.q(b))]);
        let first = [self.a(0.4, 1.0, "m"), Piece::zero(), self.a(0.1, 0.5, "m")];
        let second = [self.a(0.2, 0.5, "m"), self.a(0.5, 1.1, "m"), self.a(0.2, 0.6, "m")];
        let text = format!("{outer}*{} + {inner}*{}", tuple(&first), tuple(&second));
        self.features.insert("nested frames");
        let place = sum(&outer_axes.of(&first), &inner_axes.of(&second));
        self.particle(number, text, place, [a, b].into());
    }

    fn frame(&mut self, on: &str, axes: &Axes, turns: &[(usize, Piece)]) -> (String, Axes) {
        self.frames += 1;
        let name = format!("F{}", self.frames);
        let words: Vec<String> =
            turns.iter().map(|(axis, angle)| format!("{} by {}", ["x", "y", "z"][*axis], angle.text)).collect();
        self.lines.push(format!("frame {name} = {on} rotated {}", words.join(", ")));
        let axes = turns.iter().fold(axes.clone(), |axes, (axis, angle)| axes.turned(*axis, angle));
        (name, axes)
    }

    fn particle(&mut self, number: usize, text: String, place: Place, coordinates: BTreeSet<usize>) {
        let name = format!("P{number}");
        let mut mass = self.a(0.5, 2.5, "kg").text;
        let mut exhaust = None;
        let own: Vec<usize> = coordinates.iter().copied().collect();
        if self.one_in(5) {
            self.features.insert("variable mass");
            let change = match self.below(3) {
                0 => {
                    let rate = self.plus_or_minus(0.1, 0.3, "kg/s");
                    rate.mul(&self.time()).text
                }
                1 => {
                    let size = self.a(0.1, 0.3, "kg");
                    let s = self.pure(own[0]);
                    size.mul(&s.squared()).text
                }
                _ => {
                    let (size, q) = (self.a(0.1, 0.3, "kg"), self.one_of(&own));
                    let wave = self.wave();
                    size.mul(&self.pure(q).sin()).mul(&wave).text
                }
            };
            mass = format!("{mass} + {change}");
            if !self.one_in(4) {
                let u: Place = [0, 1, 2].map(|_| self.plus_or_minus(0.3, 1.5, "m/s"));
                exhaust = Some(u.map(|component| component.text));
            }
        }
        let gas = exhaust.as_ref().map_or(String::new(), |u| format!(" exhaust ({}, {}, {})", u[0], u[1], u[2]));
        self.lines.push(format!("point {name} = {text} mass {mass}{gas}"));
        let position = place.clone().map(|piece| piece.text);
        self.plain.points.push(PlainPoint { position, mass, exhaust });
        self.spots.push(Spot { name, place, coordinates, has_mass: true });
    }

    fn plane_body(&mut self, number: usize) {
        let x = self.length(&format!("x{number}"), 0.3, 1.4, true);
        let y = self.length(&format!("y{number}"), 0.3, 1.4, true);
        let a = self.angle(&format!("a{number}"), 0.3, 1.2);
        let (frame, _) = self.frame("N", &Axes::inertial(), &[(2, self.q(a))]);
        let (mass, inertia) = (self.a(0.5, 2.5, "kg").text, self.a(0.2, 1.0, "kg*m^2").text);
        let (name, at) = (format!("B{number}"), format!("G{number}"));
        let place = [self.q(x), self.q(y), Piece::zero()];
        self.lines.push(format!("point {at} = (x{number}, y{number})"));
        self.lines.push(format!("body {name} mass {mass} at {at} frame {frame} inertia {inertia}"));
        self.features.insert("plane body");
        self.add_body(name, at, frame, place, [x, y, a].into(), true);
    }

    /// A plane body hinged to the point before.
    fn link(&mut self, number: usize) {
        let a = self.angle(&format!("a{number}"), 0.3, 1.2);
        let (frame, axes) = self.frame("N", &Axes::inertial(), &[(2, self.q(a))]);
        let arm = [self.a(0.3, 0.8, "m"), Piece::zero(), Piece::zero()];
        let (mass, inertia) = (self.a(0.5, 2.5, "kg").text, self.a(0.2, 1.0, "kg*m^2").text);
        let (name, at) = (format!("B{number}"), format!("G{number}"));
        let before = self.spots.last().cloned();
        let mut coordinates: BTreeSet<usize> = [a].into();
        let mut place = axes.of(&arm);
        let mut text = format!("{frame}*{}", tuple(&arm));
        if let Some(before) = before {
            coordinates.extend(&before.coordinates);
            place = sum(&before.place, &place);
            text = format!("{} + {text}", before.name);
        }
        self.lines.push(format!("point {at} = {text}"));
        // About the hinge or about the mass centre.
        self.lines.push(format!("body {name} mass {mass} at {at} frame {frame} inertia {inertia}"));
        self.features.insert("link");
        self.add_body(name, at, frame, place, coordinates, true);
    }

    /// With its mass centre anywhere, or about a fixed point.
    fn space_body(&mut self, number: usize, is_free: bool) {
        let names = ["a", "b", "c"].map(|letter| format!("{letter}{number}"));
        let angles =
            [self.angle(&names[0], 0.2, 1.2), self.angle(&names[1], 0.5, 1.1), self.angle(&names[2], 0.2, 1.2)];
        let axes = self.one_of(&[[2, 0, 2], [2, 0, 1], [2, 1, 0]]);
        let turns: Vec<(usize, Piece)> = axes.iter().zip(angles).map(|(&axis, a)| (axis, self.q(a))).collect();
        let (frame, turned) = self.frame("N", &Axes::inertial(), &turns);
        let mut coordinates: BTreeSet<usize> = angles.into();
        let (place, text) = match is_free {
            true => {
                let names = ["x", "y", "z"].map(|letter| format!("{letter}{number}"));
                let places = names.map(|name| self.length(&name, 0.3, 1.4, true));
                coordinates.extend(places);
                let place = places.map(|q| self.q(q));
                (place.clone(), tuple(&place))
            }
            false => {
                let arm = [Piece::zero(), self.a(0.1, 0.4, "m"), self.a(0.3, 0.8, "m")];
                (turned.of(&arm), format!("{frame}*{}", tuple(&arm)))
            }
        };
        let moments = [0, 1, 2].map(|_| self.a(0.6, 1.0, "kg*m^2").text);
        let mut inertia = moments.join(", ");
        if self.one_in(3) {
            let products = [0, 1, 2].map(|_| self.plus_or_minus(0.02, 0.1, "kg*m^2").text);
            inertia = format!("{inertia}, {}", products.join(", "));
        }
        let (name, at) = (format!("B{number}"), format!("G{number}"));
        let mass = self.a(0.5, 2.5, "kg").text;
        self.lines.push(format!("point {at} = {text}"));
        self.lines.push(format!("body {name} mass {mass} at {at} frame {frame} inertia ({inertia})"));
        self.features.insert(if is_free { "body in space" } else { "body about a point" });
        self.add_body(name, at, frame, place, coordinates, false);
    }

    fn add_body(&mut self, name: String, at: String, frame: String, place: Place, on: BTreeSet<usize>, is_plane: bool) {
        self.spots.push(Spot { name: at, place: place.clone(), coordinates: on.clone(), has_mass: false });
        self.bodies.push(Rigid { name, frame, centre: place, coordinates: on, is_plane });
    }

    // ------------------------------------------------------------------------------------------
    // Constraints

    fn constraints(&mut self) {
        let n = self.coordinates.len();
        let most = match self.theme {
            Theme::Free => 0,
            Theme::Chaplygin => 1.min(n - 1),
            _ => (n - 1).min(3),
        };
        let count = if most == 0 { 0 } else { 1 + self.below(most) };
        for number in 1..=count {
            let tie = match self.theme {
                Theme::Chaplygin => self.chaplygin(),
                _ => match self.below(14) {
                    0..4 => self.geometric(),
                    4..9 => self.linear(),
                    9..12 => self.nonlinear(),
                    _ => self.second(),
                },
            };
            self.add_tie(&format!("c{number}"), tie);
        }
        if count > 0 && self.ties.len() < n && self.one_in(6) && !self.only_particles {
            self.redundant();
        }
    }

    fn add_tie(&mut self, name: &str, tie: Tie) {
        self.lines.push(format!("constraint {name}: {} = {}", tie.left, tie.right));
        self.plain.constraints.extend(tie.plain.clone());
        self.ties.push(tie);
    }

    /// A row that says what an earlier one says.
    fn redundant(&mut self) {
        let place = self.below(self.ties.len());
        let Tie { left, right, order, coordinates, .. } = &self.ties[place];
        let (left, right, order, coordinates) = (left.clone(), right.clone(), *order, coordinates.clone());
        let (left, right) = match order == 0 && self.one_in(2) {
            true => (format!("({left})'"), "0".to_owned()),
            false => (format!("3*({left})"), format!("3*({right})")),
        };
        self.features.insert("redundant row");
        self.lines.push(format!("constraint extra: {left} = {right}"));
        self.ties.push(Tie { left, right, plain: None, coordinates, order });
    }

    /// Some coordinates, all different.
    fn some(&mut self, count: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..self.coordinates.len()).collect();
        let count = count.min(all.len());
        (0..count).map(|_| all.swap_remove(self.random.below(all.len() as u64) as usize)).collect()
    }

    /// A row between formulas; the constant on the right makes it hold near the state that was drawn.
    fn held(&mut self, left: Piece, unit: &str, over: BTreeSet<usize>, order: u32) -> Tie {
        let value = match order {
            0 | 1 => left.jet.value,
            _ => 0.2,
        };
        let right = self.number(value, unit);
        let plain = Some(format!("({}) - ({})", left.text, right.text));
        Tie { left: left.text, right: right.text, plain, coordinates: over, order }
    }

    fn geometric(&mut self) -> Tie {
        match self.below(5) {
            0 | 1 => {
                let count = 2 + self.below(2);
                let over = self.some(count);
                let mut left = Piece::zero();
                for &q in &over {
                    let (s, size) = (self.pure(q), self.plus_or_minus(0.4, 1.2, ""));
                    let term = match self.below(3) {
                        0 => s.squared(),
                        1 => s.sin(),
                        _ => s,
                    };
                    left = left.add(&size.mul(&term));
                }
                if self.one_in(4) {
                    self.features.insert("geometric, with time");
                    let wave = self.wave();
                    left = left.add(&wave);
                }
                self.held(left, "", over.into_iter().collect(), 0)
            }
            2 => self.distance(),
            3 => {
                let spot = self.spot();
                let [x, y, z] = spot.place.clone();
                let curve = self.plus_or_minus(0.2, 0.8, "1/m");
                let slope = self.plus_or_minus(0.2, 0.8, "");
                let left = z.add(&y).sub(&curve.mul(&x.squared())).sub(&slope.mul(&x));
                let name = &spot.name;
                let text = format!("{name}.z + {name}.y - {}*{name}.x^2 - {}*{name}.x", curve.text, slope.text);
                self.features.insert("point on a surface");
                let tie = self.held(left, "m", spot.coordinates, 0);
                Tie { left: text, ..tie }
            }
            _ => {
                let q = self.some(1)[0];
                let unit = if self.coordinates[q].is_angle { "rad" } else { "m" };
                let (size, wave) = (self.a(0.2, 0.8, unit), self.wave());
                self.features.insert("prescribed motion");
                let left = self.q(q).sub(&size.mul(&wave));
                self.held(left, unit, [q].into(), 0)
            }
        }
    }

    fn distance(&mut self) -> Tie {
        let spot = self.spot();
        let other = self.spot();
        let (place, text, over) = match other.name == spot.name || self.one_in(3) {
            true => {
                let fixed: Place = [0, 1, 2].map(|_| self.plus_or_minus(0.5, 1.5, "m"));
                (fixed.clone(), tuple(&fixed), BTreeSet::new())
            }
            false => (other.place, other.name, other.coordinates),
        };
        let arm = difference(&spot.place, &place);
        let mut left = dot(&arm, &arm);
        let mut line = format!("dot({0} - {text}, {0} - {text})", spot.name);
        if self.one_in(3) {
            self.features.insert("geometric, with time");
            let (size, wave) = (self.a(0.1, 0.4, "m^2"), self.wave());
            let growth = size.mul(&wave);
            left = left.sub(&growth);
            line = format!("{line} - {}", growth.text);
        }
        self.features.insert("distance");
        let tie = self.held(left, "m^2", spot.coordinates.union(&over).copied().collect(), 0);
        Tie { left: line, ..tie }
    }

    fn spot(&mut self) -> Spot {
        let place = self.below(self.spots.len());
        self.spots[place].clone()
    }

    /// Σ c(q) q', each term a velocity, and what it is over.
    fn combination(&mut self, with_time: bool) -> (Piece, BTreeSet<usize>) {
        let count = 2 + self.below(2);
        let over = self.some(count);
        let mut all = over.clone();
        all.extend(self.some(1));
        let mut left = Piece::zero();
        for (place, &q) in over.iter().enumerate() {
            let arm = self.arm(q);
            let mut size = if place == 0 { self.factor(&all) } else { self.function(&all) };
            if with_time && place == 1 {
                let wave = self.wave();
                size = size.add(&wave);
            }
            left = left.add(&size.mul(&arm).mul(&self.rate(q)));
        }
        (left, over.into_iter().collect())
    }

    fn linear(&mut self) -> Tie {
        match self.below(8) {
            0..3 => {
                let (left, over) = self.combination(false);
                self.zero(left, over)
            }
            3 => {
                // affine
                let (left, over) = self.combination(false);
                let (size, all) = (self.plus_or_minus(0.2, 0.8, "m/s"), self.some(1));
                let right = size.mul(&self.factor(&all));
                self.zero(left.sub(&right), over)
            }
            4 => {
                let (left, over) = self.combination(true);
                let (size, wave) = (self.plus_or_minus(0.2, 0.8, "m/s"), self.wave());
                let right = if self.one_in(2) { size.mul(&wave) } else { Piece::zero() };
                self.zero(left.sub(&right), over)
            }
            5 | 6 => self.blade(),
            _ if !self.bodies.is_empty() => self.rolling(),
            _ => self.blade(),
        }
    }

    fn zero(&mut self, left: Piece, over: BTreeSet<usize>) -> Tie {
        let plain = Some(left.text.clone());
        Tie { left: left.text, right: "0".to_owned(), plain, coordinates: over, order: 1 }
    }

    /// No velocity of a point along a direction.
    fn blade(&mut self) -> Tie {
        let spot = self.spot();
        let turn = self.some(1)[0];
        let direction = [self.pure(turn).sin().neg(), self.pure(turn).cos(), self.function(&[turn])];
        self.features.insert("blade");
        self.velocity_tie(&spot, &direction, "velocity", 1)
    }

    fn velocity_tie(&mut self, spot: &Spot, direction: &Place, word: &str, order: u32) -> Tie {
        let left = format!("dot({word}({}), {})", spot.name, tuple(direction));
        let along = |k: usize| {
            let x = &spot.place[k].text;
            let change = if order == 1 { format!("D({x})") } else { format!("D(D({x}))") };
            format!("{change}*({})", direction[k].text)
        };
        let plain = format!("{} + {} + {}", along(0), along(1), along(2));
        let right = match order {
            1 => Piece::zero(),
            _ => self.plus_or_minus(0.2, 0.9, "m/s^2"),
        };
        let plain = Some(format!("{plain} - ({})", right.text));
        Tie { left, right: right.text, plain, coordinates: spot.coordinates.clone(), order }
    }

    /// No slip of a body at a point of it, along one direction.
    fn rolling(&mut self) -> Tie {
        let place = self.below(self.bodies.len());
        let body = self.bodies[place].clone();
        let name = format!("K{}", self.ties.len() + 1);
        let at = self.spots.iter().find(|spot| spot.name[1..] == body.name[1..]).map(|spot| spot.name.clone());
        let reach = self.a(0.2, 0.7, "m").text;
        let axis = if body.is_plane { "N.y".to_owned() } else { format!("{}.z", body.frame) };
        self.lines.push(format!("point {name} = {} - {reach}*{axis}", at.unwrap_or_default()));
        let along = self.one_of(&["x", "y"]);
        self.features.insert("rolling");
        let (left, right) = (format!("velocity({} at {name}).{along}", body.name), "0".to_owned());
        Tie { left, right, plain: None, coordinates: body.coordinates, order: 1 }
    }

    /// A row whose coefficients do not depend on what it determines, and a `dependent` line that says so.
    fn chaplygin(&mut self) -> Tie {
        let n = self.coordinates.len();
        let lengths: Vec<usize> = (0..n).filter(|&q| !self.coordinates[q].is_angle).collect();
        let first = self.one_of(&lengths);
        let others: Vec<usize> = (0..n).filter(|&q| q != first).collect();
        let angles: Vec<usize> = others.iter().copied().filter(|&q| self.coordinates[q].is_angle).collect();
        let second = self.one_of(&others);
        let of = if angles.is_empty() || self.one_in(2) { others.clone() } else { angles };
        let arm = self.arm(second);
        let size = self.function(&of);
        let mut right = size.mul(&arm).mul(&self.rate(second));
        let mut over: BTreeSet<usize> = [first, second].into();
        if others.len() > 1 && self.one_in(2) {
            let third = self.one_of(&others);
            let (arm, size) = (self.arm(third), self.function(&others));
            right = right.add(&size.mul(&arm).mul(&self.rate(third)));
            over.insert(third);
        }
        self.dependent = Some(first);
        self.features.insert("dependent");
        let plain = Some(format!("{} - ({})", self.rate(first).text, right.text));
        Tie { left: self.rate(first).text, right: right.text, plain, coordinates: over, order: 1 }
    }

    fn nonlinear(&mut self) -> Tie {
        let over = self.some(3);
        let mut speeds = Vec::new();
        for &q in &over {
            let arm = self.arm(q);
            speeds.push(arm.mul(&self.rate(q)));
        }
        let all = over;
        let over: BTreeSet<usize> = all.iter().copied().collect();
        match self.below(6) {
            0 | 1 => {
                let mut left = speeds[0].squared();
                for speed in &speeds[1..] {
                    let size = self.factor(&all);
                    left = left.sub(&size.mul(&speed.squared()));
                }
                self.features.insert("quadratic in the rates");
                self.held(left, "m^2/s^2", over, 1)
            }
            2 => {
                let floor = self.a(0.1, 0.5, "m^2/s^2");
                let inside = speeds[1..].iter().fold(floor, |sum, speed| sum.add(&speed.squared()));
                let size = self.factor(&all);
                let root = format!("{}*sqrt({})", size.text, inside.text);
                self.features.insert("root of rates");
                let plain = Some(format!("{} - {root}", speeds[0].text));
                Tie { left: speeds[0].text.clone(), right: root, plain, coordinates: over, order: 1 }
            }
            3 => {
                let spot = self.spot();
                let v: Place = spot.place.clone().map(|x| {
                    let jet = Jet::new(x.jet.rate, x.jet.acceleration, 0.0);
                    Piece::new(format!("D({})", x.text), jet)
                });
                let wave = self.wave();
                let growth = self.a(0.05, 0.2, "m^2/s^2").mul(&wave);
                self.features.insert("prescribed speed");
                let tie = self.held(dot(&v, &v).sub(&growth), "m^2/s^2", spot.coordinates, 1);
                let left = format!("dot(velocity({0}), velocity({0})) - {1}", spot.name, growth.text);
                Tie { left, ..tie }
            }
            4 if speeds.len() >= 2 => {
                let left = speeds[0].mul(&speeds[1]);
                self.features.insert("product of rates");
                self.held(left, "m^2/s^2", all[..2].iter().copied().collect(), 1)
            }
            _ => {
                // No chart isolates a rate here.
                let cubes = |speed: &Piece| {
                    let square = speed.jet * speed.jet;
                    Piece::new(format!("({})^3", speed.text), square * speed.jet)
                };
                let mut left = cubes(&speeds[0]);
                for speed in &speeds[1..] {
                    left = left.add(&cubes(speed));
                }
                self.features.insert("cubic in the rates");
                self.held(left, "m^3/s^3", over, 1)
            }
        }
    }

    fn second(&mut self) -> Tie {
        if self.one_in(3) {
            let spot = self.spot();
            let turn = self.some(1)[0];
            let direction = [self.pure(turn).sin().neg(), self.pure(turn).cos(), self.function(&[turn])];
            return self.velocity_tie(&spot, &direction, "acceleration", 2);
        }
        let count = 2 + self.below(2);
        let over = self.some(count);
        let mut left = Piece::zero();
        for (place, &q) in over.iter().enumerate() {
            let arm = self.arm(q);
            let size = if place == 0 { self.factor(&over) } else { self.function(&over) };
            let acceleration = Piece::new(format!("{}''", self.coordinates[q].name), Jet::default());
            left = left.add(&size.mul(&arm).mul(&acceleration));
        }
        if self.one_in(2) {
            let (a, b) = (over[0], self.one_of(&over));
            let (arm_a, arm_b) = (self.arm(a), self.arm(b));
            let size = self.plus_or_minus(0.2, 0.8, "1/m");
            left = left.add(&size.mul(&arm_a.mul(&self.rate(a))).mul(&arm_b.mul(&self.rate(b))));
        }
        let over = over.into_iter().collect();
        self.held(left, "m/s^2", over, 2)
    }

    // ------------------------------------------------------------------------------------------
    // Loads

    fn loads(&mut self) {
        let count = 1 + self.below(4);
        for number in 1..=count {
            self.load(number);
        }
        if self.one_in(14) && !self.only_particles {
            let q = self.some(1)[0];
            let unit = if self.coordinates[q].is_angle { "kg*m^2" } else { "kg" };
            let size = self.a(0.2, 0.9, unit).mul(&self.factor(&[q]));
            self.lines.push(format!("kinetic {}*{}^2", size.text, self.rate(q).text));
            self.features.insert("kinetic line");
        }
    }

    fn load(&mut self, number: usize) {
        let massive: Vec<usize> = (0..self.spots.len()).filter(|&k| self.spots[k].has_mass).collect();
        match self.below(10) {
            0 | 1 => self.gravity(),
            2 if !massive.is_empty() => self.force(&massive, number),
            3 if !massive.is_empty() => self.spring(),
            4 if !massive.is_empty() => self.damper(),
            5 => self.potential(),
            6 if !self.bodies.is_empty() => self.torque(),
            7 => {
                let q = self.some(1)[0];
                let (size, factor) = (self.a(0.1, 0.6, self.damping(q)), self.factor(&[q]));
                let text = format!("{}*{}^2", size.mul(&factor).text, self.rate(q).text);
                self.lines.push(format!("dissipation {text}"));
                self.plain.dissipations.push(text);
                self.features.insert("dissipation");
            }
            8 if massive.len() > 1 => self.pair(&massive),
            6 | 9 => {
                let q = self.some(1)[0];
                let unit = if self.coordinates[q].is_angle { "N*m" } else { "N" };
                let size = self.plus_or_minus(0.2, 1.5, unit);
                let over = self.some(2);
                let mut force = size.mul(&self.factor(&over)).text;
                if self.one_in(3) {
                    let wave = self.wave();
                    force = format!("{force}*{}", wave.text);
                }
                self.plain.generalized.push((force.clone(), q));
                self.general.push((force, q));
                self.features.insert("generalized force");
            }
            _ => self.gravity(),
        }
    }

    fn damping(&self, q: usize) -> &'static str {
        if self.coordinates[q].is_angle { "N*m*s" } else { "N*s/m" }
    }

    fn gravity(&mut self) {
        if !self.features.insert("gravity") {
            return;
        }
        let g: Place = [self.plus_or_minus(0.1, 2.0, "m/s^2"), self.number(-9.81, "m/s^2"), self.number(-1.3, "m/s^2")];
        self.lines.push(format!("gravity {}", tuple(&g)));
        self.plain.gravity = Some(g.map(|piece| piece.text));
    }

    fn force(&mut self, massive: &[usize], number: usize) {
        let place = self.one_of(massive);
        let spot = self.spots[place].clone();
        let own: Vec<usize> = spot.coordinates.iter().copied().collect();
        let mut force: Place = [0, 1, 2].map(|_| self.plus_or_minus(0.2, 2.0, "N"));
        match self.below(4) {
            0 => {
                let wave = self.wave();
                force[0] = force[0].mul(&wave);
                self.features.insert("force in time");
            }
            1 => {
                let size = self.plus_or_minus(0.1, 0.5, "N*s/m");
                let (q, arm) = (own[0], self.arm(own[0]));
                force[1] = size.mul(&arm).mul(&self.rate(q));
                self.features.insert("force of rates");
            }
            2 if self.has_units => {
                let size = self.plus_or_minus(0.2, 1.0, "N");
                self.lines.push(format!("input f{number} : N = {}", size.text));
                self.lines.push(format!("force f{number}*N.x on {}", spot.name));
                self.features.insert("input");
                return;
            }
            _ => force[2] = force[2].mul(&self.function(&own)),
        }
        self.lines.push(format!("force {} on {}", tuple(&force), spot.name));
        self.push_force(&spot, force.map(|piece| piece.text));
        self.features.insert("force");
    }

    fn push_force(&mut self, spot: &Spot, force: [String; 3]) {
        let particles: Vec<&Spot> = self.spots.iter().filter(|spot| spot.has_mass).collect();
        let place = particles.iter().position(|other| other.name == spot.name);
        self.plain.forces.extend(place.map(|place| (place, force)));
    }

    /// A force on one particle and its opposite on another.
    fn pair(&mut self, massive: &[usize]) {
        let (a, b) = (massive[0], massive[1]);
        let (a, b) = (self.spots[a].clone(), self.spots[b].clone());
        let force: Place = [0, 1, 2].map(|_| self.plus_or_minus(0.2, 2.0, "N"));
        self.lines.push(format!("force {} on {} against {}", tuple(&force), a.name, b.name));
        self.push_force(&a, force.clone().map(|piece| piece.text));
        self.push_force(&b, force.map(|piece| piece.neg().text));
        self.features.insert("force against");
    }

    /// The ends of a spring or a damper: a point, and another or a fixed one.
    fn ends(&mut self) -> [(String, Place); 2] {
        let first = self.spot();
        let other = self.spot();
        let fixed: Place = [0, 1, 2].map(|_| self.plus_or_minus(1.0, 2.5, "m"));
        let second = match other.name == first.name || self.one_in(2) {
            true => (tuple(&fixed), fixed),
            false => (other.name, other.place),
        };
        [(first.name, first.place), second]
    }

    fn spring(&mut self) {
        let (k, ends) = (self.a(1.0, 8.0, "N/m"), self.ends());
        let rest = if self.one_in(3) { Piece::zero() } else { self.a(0.2, 0.9, "m") };
        let words = if rest.text == "0" { String::new() } else { format!(" rest {}", rest.text) };
        let [(a, first), (b, second)] = ends;
        self.lines.push(format!("spring {}{words} between {a} and {b}", k.text));
        let [first, second] = [first, second].map(|place| place.map(|piece| piece.text));
        self.plain.springs.push((k.text, rest.text, first, second));
        self.features.insert("spring");
    }

    fn damper(&mut self) {
        let (c, ends) = (self.a(0.1, 0.9, "N*s/m"), self.ends());
        let [(a, first), (b, second)] = ends;
        self.lines.push(format!("damper {} between {a} and {b}", c.text));
        let [first, second] = [first, second].map(|place| place.map(|piece| piece.text));
        self.plain.dampers.push((c.text, first, second));
        self.features.insert("damper");
    }

    fn potential(&mut self) {
        let size = self.plus_or_minus(0.3, 3.0, "J");
        let count = 1 + self.below(2);
        let over = self.some(count);
        let mut text = size.mul(&self.function(&over)).text;
        if self.one_in(4) {
            let wave = self.wave();
            text = format!("{text}*{}", wave.text);
        }
        self.lines.push(format!("potential {text}"));
        self.plain.potentials.push(text);
        self.features.insert("potential");
    }

    fn torque(&mut self) {
        let place = self.below(self.bodies.len());
        let body = self.bodies[place].clone();
        let mut torque: Place = [0, 1, 2].map(|_| self.plus_or_minus(0.2, 1.0, "N*m"));
        if body.is_plane {
            (torque[0], torque[1]) = (Piece::zero(), Piece::zero());
        }
        let other = self.bodies.iter().find(|other| other.name != body.name).map(|other| other.name.clone());
        let against = match other {
            Some(other) if self.one_in(2) => format!(" against {other}"),
            _ => String::new(),
        };
        let frame = if self.one_in(2) { format!("{}*", body.frame) } else { String::new() };
        self.lines.push(format!("torque {frame}{} on {}{against}", tuple(&torque), body.name));
        if self.one_in(2) {
            let force: Place = [0, 1, 2].map(|_| self.plus_or_minus(0.2, 2.0, "N"));
            let arm: Place = [self.a(0.1, 0.5, "m"), Piece::zero(), Piece::zero()];
            let at = self.spots.iter().find(|spot| spot.name[1..] == body.name[1..]).map(|spot| spot.name.clone());
            let at = format!("{} + {}*{}", at.unwrap_or_default(), body.frame, tuple(&arm));
            self.lines.push(format!("force {} on {} at {at}", tuple(&force), body.name));
            self.features.insert("force on a body");
        }
        let _ = &body.centre;
        self.features.insert("torque");
    }

    // ------------------------------------------------------------------------------------------
    // The rest

    /// Speeds that are linear in the rates, as many as there are freedoms or fewer.
    fn speeds(&mut self) {
        let n = self.coordinates.len();
        let tied = self.ties.iter().filter(|tie| tie.order < 2).count();
        let free = n.saturating_sub(tied);
        if free == 0 || !self.one_in(4) {
            return;
        }
        let count = 1 + self.below(free.min(2));
        for number in 1..=count {
            let (mut value, over) = self.combination(false);
            if self.one_in(5) {
                let drift = self.a(0.1, 0.5, "m/s");
                value = value.add(&drift);
            }
            let _ = over;
            self.lines.push(format!("speed u{number} = {}", value.text));
        }
        self.features.insert("speeds");
    }

    fn finished(mut self) -> Drawn {
        let change = self.change();
        let mut lines = Vec::new();
        let same = |text: String| Line { changed: text.clone(), text };
        if !self.parameters.is_empty() {
            for (name, value, unit) in &self.parameters {
                let unit = if self.has_units { format!(" {unit}") } else { String::new() };
                lines.push(same(format!("param {name} = {value:.2}{unit}").trim_end().to_owned()));
            }
        }
        for (place, coordinate) in self.coordinates.iter().enumerate() {
            let unit = match (self.has_units, coordinate.is_angle) {
                (false, _) => "",
                (true, true) => " : rad",
                (true, false) => " : m",
            };
            let text = format!("coord {}{unit}", coordinate.name);
            lines.push(Line { text, changed: format!("coord {}{unit}", change.names[place]) });
        }
        for (place, coordinate) in self.coordinates.iter().enumerate() {
            let changed = format!("let {} = {}", coordinate.name, change.text(place));
            lines.push(Line { text: String::new(), changed });
        }
        lines.extend(self.lines.iter().cloned().map(same));
        for (force, q) in &self.general {
            let text = format!("generalized force {force} on {}", self.coordinates[*q].name);
            let slopes = change.slopes(*q);
            let pulled = |(slope, on): &(String, usize)| {
                format!("generalized force ({force})*({slope}) on {}", change.names[*on])
            };
            let changed = slopes.iter().map(pulled).collect::<Vec<_>>().join("\n");
            lines.push(Line { text, changed });
        }
        if let Some(q) = self.dependent {
            lines.push(Line {
                text: format!("dependent {}'", self.coordinates[q].name),
                changed: format!("dependent {}'", change.names[q]),
            });
        }
        lines.extend(self.starts(&change));
        self.plain.parameters = self.parameters.iter().map(|(name, value, _)| (name.clone(), *value)).collect();
        let plain = (self.bodies.is_empty() && self.only_particles).then(|| self.plain.clone());
        Drawn { lines, change, features: std::mem::take(&mut self.features), plain }
    }

    /// A start for what is free, a guess for what constraints tie.
    fn starts(&mut self, change: &Change) -> Vec<Line> {
        let tied = |order: u32| -> BTreeSet<usize> {
            let ties = self.ties.iter().filter(|tie| tie.order <= order);
            ties.flat_map(|tie| tie.coordinates.iter().copied()).collect()
        };
        let (places, rates) = (tied(0), tied(1));
        let old: Vec<Jet> = self.coordinates.iter().map(|coordinate| coordinate.jet).collect();
        let new = change.inverse(&old);
        let mut lines = Vec::new();
        if self.time != 0.0 {
            let text = format!("start t = {}", self.literal(self.time, "s"));
            lines.push(Line { changed: text.clone(), text });
        }
        for (q, coordinate) in self.coordinates.iter().enumerate() {
            let unit = match (self.has_units, coordinate.is_angle) {
                (false, _) => ["", ""],
                (true, true) => [" rad", " rad/s"],
                (true, false) => [" m", " m/s"],
            };
            let name = &coordinate.name;
            let fresh = &change.names[q];
            // Through the change a coordinate depends on the others: all of them are to be found.
            let word = |is_tied: bool| if is_tied { "guess" } else { "start" };
            let any = |tied: &BTreeSet<usize>| word(change.reach(tied).contains(&q));
            lines.push(Line {
                text: format!("{} {name} = {:.2}{}", word(places.contains(&q)), old[q].value, unit[0]),
                changed: format!("{} {fresh} = {:.9}{}", any(&places), new[q].value, unit[0]),
            });
            lines.push(Line {
                text: format!("{} {name}' = {:.2}{}", word(rates.contains(&q)), old[q].rate, unit[1]),
                changed: format!("{} {fresh}' = {:.9}{}", any(&rates), new[q].rate, unit[1]),
            });
        }
        lines
    }

    fn change(&mut self) -> Change {
        let names: Vec<String> = self.coordinates.iter().map(|coordinate| coordinate.name.clone()).collect();
        let angles: Vec<bool> = self.coordinates.iter().map(|coordinate| coordinate.is_angle).collect();
        Change::draw(&mut self.random, &names, &angles, self.has_units)
    }
}

fn tuple(place: &Place) -> String {
    format!("({}, {}, {})", place[0].text, place[1].text, place[2].text)
}
