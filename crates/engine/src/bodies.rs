//! How are long equations written with the velocities of bodies, under the names that a person gives them?
//!
//! ```text
//! q'_s = Σ R_sσ u_σ + r_s                      rates in a chart; in coordinates every rate is its own u              (1)
//! ω_B = Cᵀ ω_A + ω_AB                          frame after frame, along the axes of each: omega_B_x                  (2)
//! v_P = v_O + Σ (c' + ω × c)                   point after point, along the deepest frame: v_P_x                     (3)
//! omega_B_x_σ, v_P_x_σ                         what a unit of u_σ adds to them, by the same rules                     (4)
//! alpha0_B_x, a0_P_x                           their rates where all u' are zero                                     (5)
//! Σ_τ (Σ m v_σ·v_τ + Σ ω_σ·I ω_τ) u'_τ + Σ m v_σ·a0 + Σ ω_σ·(I α0 + ω × I ω) = Σ F·v_σ + Σ M·ω_σ + Σ λ A            (6)
//! ```
//!
//! Every rule takes the names of the rule before it, so that each line is short. The page is compared with the form by
//! its values, and is not made where something does not fit: energies without bodies, masses that vary, rates that are
//! not linear.

use expr::{Expr, Kind, Op, Substitution, Symbol};
use mechanics::chart::Chart;
use mechanics::form::{Form, Setting};
use mechanics::ingredients::Ingredients;
use mechanics::kinematics::{Spin, axis_of_revolution, carried, depth};
use mechanics::{Orientation, Placement, Rotation, System, Target, Vector};
use rustc_hash::FxHashMap;

use crate::quantities::plain;
use crate::readable::{Reader, Style, length};

/// A value is written where it stands if its name is not so many characters shorter.
const GAIN: usize = 6;
/// A value that stands once keeps its name if it is longer than this.
const ONCE: usize = 60;
/// What is solved for has a slope of at least this at the state.
const SMALL: f64 = 1e-9;

/// The sides of the equations, what the rates are, and names with what they stand for.
pub struct ByBodies {
    /// Left and right.
    pub equations: Vec<(Expr, Expr)>,
    /// One for each coordinate, as the chart has them.
    pub rates: Vec<Expr>,
    /// In the order in which they are needed.
    pub definitions: Vec<(Expr, Expr)>,
}

/// A velocity, or an angular velocity, along some axes.
#[derive(Clone)]
struct Moving {
    value: Vector,
    /// What a unit of each u adds (4).
    along: Vec<Vector>,
    /// Its rate where all u' are zero (5).
    rest: Vector,
}

impl Moving {
    fn still(count: usize) -> Moving {
        Moving { value: Vector::zero(), along: vec![Vector::zero(); count], rest: Vector::zero() }
    }

    fn map(&self, turn: &dyn Fn(Vector) -> Vector) -> Moving {
        let along = self.along.iter().map(|&v| turn(v)).collect();
        Moving { value: turn(self.value), along, rest: turn(self.rest) }
    }

    fn plus(&self, other: &Moving) -> Moving {
        let along = self.along.iter().zip(&other.along).map(|(&a, &b)| a + b).collect();
        Moving { value: self.value + other.value, along, rest: self.rest + other.rest }
    }
}

/// A rate: what each u adds, what is left without them, and q'' where all u' are zero.
#[derive(Clone)]
struct Solved {
    along: Vec<Expr>,
    alone: Expr,
    rest: Expr,
}

/// A row on rates: A q' + alone = 0, A q'' + drift = 0; `raw` is A without names.
struct Line {
    A: Vec<Expr>,
    raw: Vec<Expr>,
    alone: Expr,
    drift: Expr,
    label: String,
}

struct Page<'a, 'b> {
    given: &'a Ingredients<'b>,
    system: &'a System,
    reader: &'a Reader,
    definitions: Vec<(Expr, Expr)>,
    /// Names by the values that they stand for.
    known: FxHashMap<[expr::field::Element; 2], Expr>,
    /// R (1), or nothing where rates are independent.
    chart: Option<Vec<Vec<Expr>>>,
    /// q'' where all u' are zero.
    q_ddot0: Vec<Expr>,
    /// How the independent velocities are called in names.
    called: Vec<String>,
    frames: Vec<Option<Moving>>,
    rotations: Vec<Option<Rotation>>,
    points: Vec<Option<(usize, Moving)>>,
}

/// The page of a form, if it can be written so.
pub fn by_bodies(form: &Form, given: &Ingredients<'_>, reader: &Reader) -> Option<ByBodies> {
    given.need_particles().ok()?;
    let is_charted = form.written_in == Setting::Chart;
    let free = given.free().ok()?;
    if !given.varying.is_empty() || !form.reactions.is_empty() || free.elements.is_empty() {
        return None;
    }
    let u = match is_charted {
        true if given.chart().ok()?.w != given.chart().ok()?.u_dot => return None,
        true => &given.chart().ok()?.u,
        false => &given.q_dot,
    };
    if form.equations.len() != u.len() || form.unknowns.len() != u.len() {
        return None;
    }
    let system = given.system;
    let mut page = Page {
        given,
        system,
        reader,
        definitions: Vec::new(),
        known: FxHashMap::default(),
        chart: None,
        q_ddot0: vec![Expr::zero(); given.q.len()],
        called: u.iter().map(|u| plain(&u.to_string())).collect(),
        frames: vec![None; system.frames.len()],
        rotations: vec![None; system.frames.len()],
        points: vec![None; system.points.len()],
    };
    let rates = if is_charted { page.charted()? } else { given.q_dot.clone() };
    let (mut masses, mut spins, mut velocities) = (Vec::new(), Vec::new(), Vec::new());
    for element in &free.elements {
        let of = plain(mechanics::steps::name_of(given, element.target));
        let (frame, moving) = match element.target {
            Target::Point(place) => page.point(place)?,
            Target::Body(place) => page.placed(&of, &system.bodies[place].placement)?,
        };
        if frame != element.velocity.frame {
            return None;
        }
        velocities.extend(
            (0..3).map(|k| (element.velocity.components.0[k], along(&moving, k), format!("F_{of}_{}", XYZ[k]))),
        );
        masses.push((element.mass, moving));
        if let (Some(spin), Target::Body(place)) = (&element.spin, element.target) {
            let moving = page.spin(&of, place)?;
            velocities
                .extend((0..3).map(|k| (spin.omega.components.0[k], along(&moving, k), format!("M_{of}_{}", XYZ[k]))));
            let moment = spin.times(moving.rest) + moving.value.cross(spin.times(moving.value));
            let moment = page.vector(&format!("K0_{of}"), "", moment);
            spins.push((spin, moving, moment));
        }
    }
    let left: Vec<Expr> = (0..u.len()).map(|sigma| page.left(form, &masses, &spins, sigma)).collect();
    let right = page.loads(form, &velocities)?;
    let equations = left.into_iter().zip(right).collect();
    let made = ByBodies { equations, rates, definitions: page.definitions }.without_needless();
    made.is_same(form, given).then_some(made)
}

const XYZ: [&str; 3] = ["x", "y", "z"];

/// The share of each u in a component.
fn along(moving: &Moving, k: usize) -> Vec<Expr> {
    moving.along.iter().map(|v| v.0[k]).collect()
}

impl Page<'_, '_> {
    /// A value under its name, or as it is where that is as short.
    fn named(&mut self, name: &str, value: Expr) -> Expr {
        if matches!(value.op(), Op::Number | Op::Symbol) || value.is_zero() {
            return if value.is_zero() { Expr::zero() } else { value };
        }
        let value = self.short(value);
        if length(value) < name.len() + GAIN || self.system.declares(name) {
            return value;
        }
        if let Some(&symbol) = self.known.get(&value.image()).filter(|_| !value.has_branches()) {
            return symbol;
        }
        if let Some(&symbol) = self.known.get(&(-value).image()).filter(|_| !value.has_branches()) {
            return -symbol;
        }
        let symbol = expr::symbol(Symbol::new(name, Kind::Parameter));
        if self.definitions.iter().any(|known| known.0 == symbol) {
            return value;
        }
        self.definitions.push((symbol, value));
        self.known.insert(value.image(), symbol);
        symbol
    }

    fn vector(&mut self, name: &str, end: &str, value: Vector) -> Vector {
        let mut of = |k: usize| self.named(&format!("{name}_{}{end}", XYZ[k]), value.0[k]);
        Vector([of(0), of(1), of(2)])
    }

    fn moving(&mut self, names: [&str; 2], moving: &Moving) -> Moving {
        let value = self.vector(names[0], "", moving.value);
        let along = (0..moving.along.len())
            .map(|sigma| {
                let end = format!("_{}", self.called[sigma]);
                self.vector(names[0], &end, moving.along[sigma])
            })
            .collect();
        Moving { value, along, rest: self.vector(names[1], "", moving.rest) }
    }

    /// As a person would write it.
    fn short(&self, e: Expr) -> Expr {
        self.reader.readable_in(Style::Shortest, e, &[])
    }

    /// (1), and q'' without u'.
    fn charted(&mut self) -> Option<Vec<Expr>> {
        let chart = self.given.chart().ok()?;
        let solved = match self.by_rows(chart) {
            Some(solved) => solved,
            None => self.by_chart(chart)?,
        };
        let rate = |solved: &Solved| {
            let terms = solved.along.iter().zip(&chart.u).map(|(&partial, &u)| partial * u);
            Expr::sum(&terms.chain([solved.alone]).collect::<Vec<_>>())
        };
        let rates = solved.iter().map(rate).collect();
        self.q_ddot0 = solved.iter().map(|solved| solved.rest).collect();
        self.chart = Some(solved.into_iter().map(|solved| solved.along).collect());
        Some(rates)
    }

    /// From the rates and accelerations of the chart.
    fn by_chart(&mut self, chart: &Chart) -> Option<Vec<Solved>> {
        let (matrix, constants) = expr::linear_coefficients(&chart.rates, &chart.u).ok()?;
        let (_, rests) = expr::linear_coefficients(&chart.accelerations, &chart.w).ok()?;
        let of = |(s, row): (usize, &Vec<Expr>)| self.solved(s, row.clone(), constants[s], rests[s]);
        Some(matrix.iter().enumerate().map(of).collect())
    }

    /// A rate under the names of its parts.
    fn solved(&mut self, s: usize, along: Vec<Expr>, alone: Expr, rest: Expr) -> Solved {
        let q = plain(&self.given.q[s].to_string());
        let names: Vec<String> = self.called.iter().map(|u| format!("{q}_{u}")).collect();
        let along = along.into_iter().zip(&names).map(|(value, name)| self.named(name, value)).collect();
        Solved { along, alone: self.short(alone), rest: self.named(&format!("a0_{q}"), rest) }
    }

    /// From the rows: one dependent rate after the other is put into the rows that are left,
    ///
    /// ```text
    /// q'_d = −(a + Σ_{s≠d} A_s q'_s)/A_d,        q''_d = −(a0 + Σ_{s≠d} A_s q''_s)/A_d
    /// ```
    ///
    /// the shortest first. Nothing where the independent velocities are no rates, or a row is not linear in them.
    fn by_rows(&mut self, chart: &Chart) -> Option<Vec<Solved>> {
        let given = self.given;
        let free: Option<Vec<usize>> = chart.u.iter().map(|u| given.q_dot.iter().position(|rate| rate == u)).collect();
        let free = free?;
        let mut lines = Vec::new();
        for (place, row) in given.rows.list.iter().enumerate() {
            let (slopes, alone) = expr::linear_coefficients(&[row.velocity?], &given.q_dot).ok()?;
            let (raw, label) = (slopes.into_iter().next()?, format!("A{}", place + 1));
            let mut entry = |s: usize| self.named(&format!("{label}_{}", plain(&given.q[s].to_string())), raw[s]);
            let A: Vec<Expr> = (0..raw.len()).map(&mut entry).collect();
            let drift = self.named(&format!("b{}", place + 1), row.drift);
            lines.push(Line { A, raw, alone: self.short(alone[0]), drift, label });
        }
        let mut order: Vec<(usize, Line)> = Vec::new();
        while !lines.is_empty() {
            let (pivot, d) = self.pivot(&lines, &order, &free)?;
            let line = lines.remove(pivot);
            for other in lines.iter_mut().filter(|other| !other.raw[d].is_zero()) {
                self.put(&line, d, order.len() + 1, other);
            }
            order.push((d, line));
        }
        let count = free.len();
        let still = Solved { along: vec![Expr::zero(); count], alone: Expr::zero(), rest: Expr::zero() };
        let mut solved = vec![still; given.q.len()];
        for (sigma, &s) in free.iter().enumerate() {
            solved[s].along[sigma] = Expr::one();
        }
        for (d, line) in order.iter().rev() {
            let over = |of: &dyn Fn(&Solved) -> Expr, alone: Expr| {
                let terms = solved.iter().enumerate().filter(|(s, _)| s != d && line.A[*s] != Expr::zero());
                let terms = terms.map(|(s, one)| line.A[s] * of(one)).chain([alone]);
                (-Expr::sum(&terms.collect::<Vec<_>>())).try_div(line.A[*d]).ok()
            };
            let along: Option<Vec<Expr>> =
                (0..count).map(|sigma| over(&|one| one.along[sigma], Expr::zero())).collect();
            let (alone, rest) = (over(&|one| one.alone, line.alone)?, over(&|one| one.rest, line.drift)?);
            solved[*d] = self.solved(*d, along?, alone, rest);
        }
        Some(solved)
    }

    /// The row and the rate to be solved for next: numbers first, then what few rows have, then what is short.
    fn pivot(&self, lines: &[Line], order: &[(usize, Line)], free: &[usize]) -> Option<(usize, usize)> {
        let is_open = |d: &usize| !free.contains(d) && !order.iter().any(|one| one.0 == *d);
        let is_sound = |line: &Line, d: usize| {
            let value = self.given.at.value(line.raw[d]).abs();
            !line.raw[d].is_zero() && value.is_finite() && value >= SMALL
        };
        let entries = lines.iter().enumerate().flat_map(|(place, line)| (0..line.A.len()).map(move |d| (place, d)));
        let sound = entries.filter(|&(place, d)| is_open(&d) && is_sound(&lines[place], d));
        sound.min_by_key(|&(place, d)| {
            let others = lines.iter().filter(|other| !other.raw[d].is_zero()).count();
            (lines[place].A[d].op() != Op::Number, others, length(lines[place].A[d]))
        })
    }

    /// Puts the rate `d` that a line gives into another line.
    fn put(&mut self, line: &Line, d: usize, round: usize, other: &mut Line) {
        let (factor, raw_factor) = (other.A[d], other.raw[d]);
        let less = |value: Expr, factor: Expr, own: Expr, over: Expr| match (factor * own).try_div(over) {
            Ok(part) => value - part,
            Err(_) => value,
        };
        for s in (0..other.A.len()).filter(|&s| line.A[s] != Expr::zero()) {
            let name = format!("{}_{}_{round}", other.label, plain(&self.given.q[s].to_string()));
            let value = if s == d { Expr::zero() } else { less(other.A[s], factor, line.A[s], line.A[d]) };
            other.raw[s] = less(other.raw[s], raw_factor, line.raw[s], line.raw[d]);
            other.A[s] = if other.raw[s].is_zero() { Expr::zero() } else { self.named(&name, value) };
        }
        other.alone = self.short(less(other.alone, factor, line.alone, line.A[d]));
        let drift = less(other.drift, factor, line.drift, line.A[d]);
        other.drift = self.named(&format!("b{}_{round}", &other.label[1..]), drift);
    }

    /// A vector that is linear in the rates, such as an own angular velocity or the change of an arm, as it moves.
    fn linear(&self, value: Vector) -> Option<Moving> {
        let (f, _) = expr::linear_coefficients(&value.0, &self.given.q_dot).ok()?;
        let partial = |k: usize, sigma: usize| match &self.chart {
            None => self.short(f[k][sigma]),
            Some(R) => {
                let terms = f[k].iter().zip(R).filter(|(f, row)| **f != Expr::zero() && row[sigma] != Expr::zero());
                Expr::sum(&terms.map(|(&f, row)| self.short(f) * row[sigma]).collect::<Vec<_>>())
            }
        };
        let along = (0..self.called.len()).map(|sigma| Vector([0, 1, 2].map(|k| partial(k, sigma)))).collect();
        let changes = value.try_map(expr::total_derivative).ok()?;
        let (g, rests) = expr::linear_coefficients(&changes.0, &self.given.q_ddot).ok()?;
        let rest = |k: usize| {
            let terms = g[k].iter().zip(&self.q_ddot0).filter(|(g, a)| **g != Expr::zero() && **a != Expr::zero());
            let terms = terms.map(|(&g, &a)| self.short(g) * a);
            Expr::sum(&terms.chain([self.short(rests[k])]).collect::<Vec<_>>())
        };
        Some(Moving { value: Vector(value.0.map(|e| self.short(e))), along, rest: Vector([rest(0), rest(1), rest(2)]) })
    }

    /// Direction cosines of a frame in its parent.
    fn rotation(&mut self, frame: usize) -> Rotation {
        if let Some(known) = self.rotations[frame] {
            return known;
        }
        let of = plain(&self.system.frames[frame].name);
        let mut axes = self.system.frames[frame].orientation.rotation().axes;
        for (axis, of_axis) in axes.iter_mut().zip(XYZ) {
            *axis = self.vector(&format!("C_{of}"), of_axis, *axis);
        }
        self.rotations[frame] = Some(Rotation { axes });
        Rotation { axes }
    }

    /// A vector along another frame.
    fn carried(&mut self, moving: &Moving, from: usize, to: usize) -> Moving {
        let list: Vec<Rotation> = (0..self.system.frames.len()).map(|k| self.known_rotation(k)).collect();
        moving.map(&|v| carried(self.system, v, from, to, &|_, frame| list[frame]))
    }

    fn known_rotation(&mut self, frame: usize) -> Rotation {
        if frame == 0 { Rotation::identity() } else { self.rotation(frame) }
    }

    /// The angular velocity of a frame that turns by these turns in a parent (2).
    fn turned(&mut self, parent: usize, orientation: &Orientation, rotation: Rotation) -> Option<Moving> {
        let outer = self.frame(parent)?.map(&|v| rotation.inward(v));
        let own = self.linear(orientation.omega(&expr::total_derivative).ok()?)?;
        let mut sum = outer.plus(&own);
        sum.rest = sum.rest + outer.value.cross(own.value);
        Some(sum)
    }

    fn frame(&mut self, frame: usize) -> Option<Moving> {
        if frame == 0 {
            return Some(Moving::still(self.called.len()));
        }
        if let Some(known) = &self.frames[frame] {
            return Some(known.clone());
        }
        let (parent, orientation) = (self.system.frames[frame].parent, self.system.frames[frame].orientation.clone());
        let rotation = self.rotation(frame);
        let found = self.turned(parent, &orientation, rotation)?;
        let of = plain(&self.system.frames[frame].name);
        let found = self.moving([&format!("omega_{of}"), &format!("alpha0_{of}")], &found);
        self.frames[frame] = Some(found.clone());
        Some(found)
    }

    /// The angular velocity of a body, along the axes of its inertia.
    fn spin(&mut self, of: &str, place: usize) -> Option<Moving> {
        let body = &self.system.bodies[place];
        let inertia = mechanics::kinematics::central(self.system, place);
        let Some((axis, angle, before)) = axis_of_revolution(self.system, body.frame, &inertia) else {
            return self.frame(body.frame);
        };
        let parent = self.system.frames[body.frame].parent;
        let carrier = match &before {
            Orientation::Turns(turns) if turns.is_empty() => self.frame(parent)?,
            _ => {
                let made = self.turned(parent, &before, before.rotation())?;
                self.moving([&format!("omega_{of}_axes"), &format!("alpha0_{of}_axes")], &made)
            }
        };
        let own = self.linear(axis * expr::total_derivative(angle).ok()?)?;
        let mut sum = carrier.plus(&own);
        sum.rest = sum.rest + carrier.value.cross(own.value);
        Some(self.moving([&format!("omega_{of}"), &format!("alpha0_{of}")], &sum))
    }

    fn point(&mut self, place: usize) -> Option<(usize, Moving)> {
        if let Some(known) = &self.points[place] {
            return Some(known.clone());
        }
        let point = &self.system.points[place];
        let found = self.placed(&plain(&point.name), &point.placement)?;
        self.points[place] = Some(found.clone());
        Some(found)
    }

    /// The velocity of a place and the frame along which it is (3).
    fn placed(&mut self, of: &str, placement: &Placement) -> Option<(usize, Moving)> {
        let mut parts: Vec<(usize, Moving)> = Vec::new();
        if let Some(from) = placement.from {
            parts.push(self.point(from)?);
        }
        for &(frame, arm) in &placement.arms {
            let turning = self.frame(frame)?;
            let change = self.linear(arm.try_map(expr::total_derivative).ok()?)?;
            let arm = Vector(arm.0.map(|e| self.short(e)));
            let mut swung = change.plus(&turning.map(&|omega| omega.cross(arm)));
            // a0 = c'' + α0 × c + ω × (2 c' + ω × c)
            swung.rest = swung.rest + turning.value.cross(change.value + swung.value);
            parts.push((frame, swung));
        }
        let deepest =
            parts.iter().fold(
                0,
                |deepest, &(frame, _)| {
                    if depth(self.system, frame) > depth(self.system, deepest) { frame } else { deepest }
                },
            );
        let mut sum = Moving::still(self.called.len());
        for (frame, part) in &parts {
            sum = sum.plus(&self.carried(part, *frame, deepest));
        }
        Some((deepest, self.moving([&format!("v_{of}"), &format!("a0_{of}")], &sum)))
    }

    /// The left side of (6).
    fn left(&self, form: &Form, masses: &[(Expr, Moving)], spins: &[(&Spin, Moving, Vector)], sigma: usize) -> Expr {
        let mut terms = Vec::new();
        for (tau, &unknown) in form.unknowns.iter().enumerate() {
            let moved = masses.iter().map(|(mass, v)| *mass * v.along[sigma].dot(v.along[tau]));
            let turned = spins.iter().map(|(spin, omega, _)| omega.along[sigma].dot(spin.times(omega.along[tau])));
            terms.push(self.short(Expr::sum(&moved.chain(turned).collect::<Vec<_>>())) * unknown);
        }
        let moved = masses.iter().map(|(mass, v)| *mass * v.along[sigma].dot(v.rest));
        let turned = spins.iter().map(|(_, omega, moment)| omega.along[sigma].dot(*moment));
        terms.push(self.short(Expr::sum(&moved.chain(turned).collect::<Vec<_>>())));
        Expr::sum(&terms)
    }

    /// The right sides of (6): what loads do along velocities, and the reactions of the form.
    fn loads(&mut self, form: &Form, velocities: &[(Expr, Vec<Expr>, String)]) -> Option<Vec<Expr>> {
        let mut sums: Vec<Vec<Expr>> = vec![Vec::new(); form.unknowns.len()];
        let mut on: Vec<Vec<Expr>> = vec![Vec::new(); velocities.len()];
        for (velocity, force) in self.given.free().ok()?.pairs() {
            if let Some(place) = velocities.iter().position(|known| known.0 == velocity) {
                on[place].push(force);
                continue;
            }
            let along = self.linear(Vector([velocity, Expr::zero(), Expr::zero()]))?.along;
            let force = self.short(force);
            sums.iter_mut().zip(&along).for_each(|(sum, along)| sum.push(force * along.0[0]));
        }
        for ((_, along, name), forces) in velocities.iter().zip(on) {
            let force = self.named(name, Expr::sum(&forces));
            sums.iter_mut().zip(along).for_each(|(sum, &along)| sum.push(force * along));
        }
        let mut right = Vec::new();
        for (sum, equation) in sums.into_iter().zip(&form.equations) {
            let (slopes, _) = expr::linear_coefficients(&[equation.right], &form.multipliers).ok()?;
            let reactions = slopes[0].iter().zip(&form.multipliers).map(|(&slope, &lambda)| self.short(slope) * lambda);
            right.push(Expr::sum(&reactions.chain([self.short(Expr::sum(&sum))]).collect::<Vec<_>>()));
        }
        Some(right)
    }
}

impl ByBodies {
    /// Without names that nothing uses, or that stand once for something short.
    fn without_needless(self) -> ByBodies {
        let ByBodies { mut equations, mut rates, mut definitions } = self;
        for place in (0..definitions.len()).rev() {
            let (name, value) = definitions[place];
            let sides = equations.iter().flat_map(|&(left, right)| [left, right]).chain(rates.iter().copied());
            let users = sides.chain(definitions.iter().map(|one| one.1));
            let uses: usize = users.map(|e| times(e, name)).sum();
            if uses > 1 || uses == 1 && length(value) > ONCE {
                continue;
            }
            definitions.remove(place);
            let put: Substitution = std::iter::once((name, value)).collect();
            let one = |e: Expr| put.apply_one(e).unwrap_or(e);
            equations.iter_mut().for_each(|side| *side = (one(side.0), one(side.1)));
            rates.iter_mut().for_each(|rate| *rate = one(*rate));
            definitions.iter_mut().for_each(|definition| definition.1 = one(definition.1));
        }
        ByBodies { equations, rates, definitions }
    }

    /// Whether the page says what the form says.
    fn is_same(&self, form: &Form, given: &Ingredients<'_>) -> bool {
        let mut values = Substitution::new();
        for &(name, value) in &self.definitions {
            let Ok(value) = values.apply_one(value) else { return false };
            values.insert(name, value);
        }
        let sides = self.equations.iter().flat_map(|&(left, right)| [left, right]).collect::<Vec<_>>();
        let Ok(made) = values.apply(&sides) else { return false };
        let made = match form.written_in {
            Setting::Chart => given.on_shell(&made),
            Setting::Coordinates => Ok(made),
        };
        let Ok(made) = made else { return false };
        if let (Setting::Chart, Ok(chart)) = (form.written_in, given.chart()) {
            let Ok(rates) =
                values.apply(&self.rates).map_err(drop).and_then(|rates| given.on_shell(&rates).map_err(drop))
            else {
                return false;
            };
            if !rates.iter().zip(&chart.rates).all(|(&a, &b)| is_same(a, b)) {
                return false;
            }
        }
        let own = form.equations.iter().flat_map(|equation| [equation.left, equation.right]);
        made.iter().zip(own).all(|(&a, b)| is_same(a, b))
    }
}

fn is_same(a: Expr, b: Expr) -> bool {
    a == b || a.image() == b.image() && (!(a.has_branches() || b.has_branches()) || a.is_same(b))
}

/// How often a symbol is written in an expression.
fn times(e: Expr, symbol: Expr) -> usize {
    if e == symbol {
        return 1;
    }
    match e.symbols().contains(&symbol) {
        true => e.arguments().into_iter().map(|part| times(part, symbol)).sum(),
        false => 0,
    }
}
