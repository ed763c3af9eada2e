//! What does a motion of one freedom do, in numbers: between which places, and how long does it take?
//!
//! ```text
//! g(z) = E − W(z) > 0 between turning points, 0 there                                                    (1)
//! T = 2 ∫ √(m/2g) dz,  z = c + r cos θ: a smooth periodic function of θ, by the midpoint rule             (2)
//! ```
//!
//! That there is no turning point before the one that is told is proved by intervals, on stretches where all energies have
//! values and the mass is positive. The error of (2) is what the last doubling of the points changed, and what rounding of g
//! may do.

use expr::{Expr, Formula, Op};
use numeric::{Interval, Switches, Tape};
use serde::Serialize;

use super::kinks::kinks;
use super::waves;
use crate::audit::Auditor;

/// Steps that a search for a turning point may take.
const STEPS: usize = 4_000;
/// Stretches on which kinks are looked for, each by a change of sign.
const LOOKS: usize = 256;
/// Points of the midpoint rule, at most.
const POINTS: usize = 4_096;
/// Points of Gauss's rule, at most.
const MOST_OF_GAUSS: usize = 512;
/// The rule ends where doubling changes less than this, relatively.
const ENOUGH: f64 = 1e-13;

/// How long it takes until a motion repeats.
#[derive(Clone, Debug, Serialize)]
pub struct Period {
    /// In letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<Formula>,
    /// In numbers, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// How wrong the number may be: an estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
}

/// What a motion does.
#[derive(Clone, Debug, Serialize)]
pub struct Course {
    /// Which kind of motion it is.
    pub kind: Kind,
    /// Where it turns, or as far as it was followed.
    pub from: f64,
    /// The same on the other side.
    pub to: f64,
    /// How long it takes until it repeats.
    #[serde(skip)]
    pub period: Option<Period>,
    /// What is not known of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

expr::in_words! {
    /// Kinds of motion of one freedom.
    pub enum Kind {
        /// To and fro between two turning points.
        Libration = "libration",
        /// An angle that always grows or always falls.
        Rotation = "rotation",
        /// It stays where it is.
        Rest = "rest",
        /// No turning point was found on one side or on both.
        Open = "unbounded as far as followed",
        /// Not decided.
        Undecided = "undecided",
    }
}

/// The period of functions of time that repeat: all their frequencies are whole multiples of one.
pub fn period(motion: &[Expr], t: Expr) -> Option<Period> {
    let mut frequencies: Vec<Expr> = Vec::new();
    for &e in motion {
        for class in waves::classes(e, t)? {
            if !class.gamma.is_zero() || class.cos.len() > 1 {
                return None;
            }
            if !class.alpha.is_zero() {
                frequencies.push(class.alpha);
            }
        }
    }
    let (&first, others) = frequencies.split_first()?;
    let mut common = expr::Rational::ONE;
    for &other in others {
        let ratio = super::short(other / first).as_number()?;
        common = common.gcd(&ratio);
    }
    let slowest = super::short(Expr::number(common) * first);
    let slowest = if slowest.signs() & expr::sign::POSITIVE == expr::sign::POSITIVE { slowest } else { slowest.abs() };
    let formula = Formula::of(super::short(2 * expr::pi() / slowest));
    Some(Period { formula: Some(formula), value: None, error: None })
}

/// g, its slope, m, and what must be positive so that they have values, as programs of z.
struct Energy {
    tape: Tape,
    E: f64,
    /// Where it has kinks: what vanishes there as a program, and what they are.
    kinks: Option<(Tape, Vec<String>)>,
    /// How wrong E may be by rounding: at a place of rest it decides nothing.
    unsure: f64,
}

impl Energy {
    fn at(&self, z: f64) -> [f64; 3] {
        self.of(z, self.E)
    }

    fn of<R: numeric::Real>(&self, z: R, E: R) -> [R; 3] {
        let mut memory = self.tape.memory::<R>();
        self.tape.put(&mut memory, 0, z);
        self.tape.put(&mut memory, 1, E);
        self.tape.run(0, Switches::Free, &mut memory);
        let outputs = self.tape.outputs(0);
        [0, 1, 2].map(|place| memory[outputs[place] as usize])
    }

    /// Kinks between two places, in order: where they are found, and what they are. They are looked for at so many points.
    fn kinks(&self, from: f64, to: f64) -> Vec<(f64, String)> {
        let Some((tape, texts)) = &self.kinks else { return Vec::new() };
        let values = |z: f64| {
            let mut memory = tape.memory::<f64>();
            tape.put(&mut memory, 0, z);
            tape.run(0, Switches::Free, &mut memory);
            tape.outputs(0).iter().map(|&place| memory[place as usize]).collect::<Vec<f64>>()
        };
        let place = |k: usize| from + (to - from) * k as f64 / LOOKS as f64;
        let mut found = Vec::new();
        for (which, text) in texts.iter().enumerate() {
            for k in 0..LOOKS {
                let (mut a, mut b) = (place(k), place(k + 1));
                let (first, last) = (values(a)[which], values(b)[which]);
                if !(first < 0.0 && last >= 0.0 || first > 0.0 && last <= 0.0) {
                    continue;
                }
                for _ in 0..200 {
                    let middle = a + (b - a) / 2.0;
                    if values(middle)[which] * first > 0.0 { a = middle } else { b = middle }
                }
                found.push((b, text.clone()));
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found
    }

    fn within(&self, a: f64, b: f64) -> [Interval; 3] {
        self.of(Interval::new(a.min(b), a.max(b)), Interval::around(self.E, self.unsure))
    }

    /// Whether everything has a value on a stretch, and the mass is positive there.
    fn is_sound(&self, a: f64, b: f64) -> bool {
        let mut memory = self.tape.memory::<Interval>();
        self.tape.put(&mut memory, 0, Interval::new(a.min(b), a.max(b)));
        self.tape.put(&mut memory, 1, Interval::around(self.E, self.unsure));
        self.tape.run(0, Switches::Free, &mut memory);
        let all: Vec<Interval> = self.tape.outputs(0).iter().map(|&place| memory[place as usize]).collect();
        let has_values = all.iter().all(|one| one.is_bounded() && !one.is_empty());
        has_values && all[2..].iter().all(|one| one.low > 0.0)
    }
}

/// Where a search ended.
enum End {
    Turn(f64),
    Far(f64),
    Lost(f64),
}

/// What the motion from a start does.
pub fn course(auditor: &Auditor<'_>, (z, m, W): (Expr, Expr, Expr), (place, speed): (f64, f64)) -> Course {
    let lost = |why: &str| Course {
        kind: Kind::Undecided,
        from: place,
        to: place,
        period: None,
        reason: Some(why.to_owned()),
    };
    let E = expr::symbol(expr::Symbol::new("solve@energy", expr::Kind::Parameter));
    let system = &auditor.loaded.system;
    let fixed: Option<Vec<(Expr, f64)>> = system
        .parameters
        .iter()
        .zip(&auditor.loaded.start.parameters)
        .map(|(one, value)| Some((one.symbol, (*value)?)))
        .collect();
    let Some(fixed) = fixed else { return lost("a parameter has no value") };
    let Ok(slope) = expr::derivative(-W, z) else { return lost("the potential has no slope") };
    let outputs = [vec![E - W, slope, m], guards(&[W, slope, m])].concat();
    let Ok(tape) = Tape::new(&[z, E], &fixed, &[], &[outputs]) else {
        return lost("a value is missing");
    };
    let bends = kinks(&[W, m], &[z]);
    let zeros = vec![bends.iter().map(|one| one.zero).collect()];
    let bends =
        Tape::new(&[z], &fixed, &[], &zeros).ok().map(|tape| (tape, bends.into_iter().map(|one| one.text).collect()));
    let mut energy = Energy { tape, E: 0.0, unsure: 0.0, kinks: bends };
    let [minus_w, push, mass] = energy.at(place);
    energy.E = mass * speed * speed / 2.0 - minus_w;
    let exactly = Interval::around(place, 2.0 * f64::EPSILON * place.abs());
    energy.unsure = energy.of(exactly, Interval::point(0.0))[0].width() + 8.0 * f64::EPSILON * mass * speed * speed;
    if !(energy.E.is_finite() && push.is_finite() && mass > 0.0) {
        return lost("the energy has no value at the start");
    }
    if speed == 0.0 && push == 0.0 {
        // a force that is too small for a float is none of zero
        if !rests(auditor, z, slope, place) {
            return lost("whether a force acts at the start is below what floats can tell");
        }
        return Course { kind: Kind::Rest, ..lost("") }.plain();
    }
    let turn = 2.0 * std::f64::consts::PI;
    let is_angle = is_periodic(z, m, W);
    let limit = if is_angle { turn } else { f64::INFINITY };
    let ends = [-1.0, 1.0].map(|way| match speed == 0.0 && push * way < 0.0 {
        true => End::Turn(place),
        false => search(&energy, place, way, limit, speed == 0.0),
    });
    match ends {
        [End::Turn(a), End::Turn(b)] if a < b => libration(&energy, a, b),
        [End::Far(_), End::Far(_)] if is_angle => rotation(&energy, place),
        [End::Lost(at), _] | [_, End::Lost(at)] => {
            let at = expr::decimal(at);
            lost(&format!(
                "near {at} it comes close to a place of rest, or its energy has no value or its mass vanishes there"
            ))
        }
        [a, b] => open(&a, &b),
    }
}

/// No turning point was found on one side or on both.
fn open(a: &End, b: &End) -> Course {
    let [from, to] = [a, b].map(|end| match end {
        End::Turn(z) | End::Far(z) | End::Lost(z) => *z,
    });
    let side = match (a, b) {
        (End::Far(_), End::Far(_)) => "either side",
        (End::Far(_), _) => "the lower side",
        _ => "the upper side",
    };
    let reason = format!("no turning point was found on {side}, up to the places told");
    Course { kind: Kind::Open, from, to, period: None, reason: Some(reason) }
}

impl Course {
    fn plain(self) -> Course {
        Course { reason: None, ..self }
    }
}

/// Whether the force vanishes at a place, exactly.
fn rests(auditor: &Auditor<'_>, z: Expr, slope: Expr, place: f64) -> bool {
    let Ok(place) = expr::parse(&place.to_string()) else { return false };
    let mut put: expr::Substitution = auditor.loaded.system.parameter_values().into_iter().collect();
    put.insert(z, place);
    put.apply_one(slope).is_ok_and(|force| force.is_zero())
}

/// What must be positive so that expressions have values: what stands under roots, in logarithms, and 1 − u² of inverse sines.
fn guards(list: &[Expr]) -> Vec<Expr> {
    let (mut seen, mut waiting) = (Vec::new(), list.to_vec());
    let mut found: Vec<Expr> = Vec::new();
    while let Some(e) = waiting.pop() {
        if seen.contains(&e) {
            continue;
        }
        seen.push(e);
        let arguments = e.arguments();
        let guard = match (e.op(), &arguments[..]) {
            (Op::Power, [base, exponent]) if !exponent.as_number().is_some_and(|k| k.is_integer()) => Some(*base),
            (Op::Log, [u]) => Some(*u),
            (Op::Asin | Op::Acos, [u]) => Some(Expr::one() - *u * *u),
            _ => None,
        };
        found.extend(guard.filter(|guard| guard.as_number().is_none()));
        waiting.extend(arguments);
    }
    found
}

/// Whether energies have the period 2π in the coordinate.
fn is_periodic(z: Expr, m: Expr, W: Expr) -> bool {
    let later = expr::Substitution::new().and(z, z + 2 * expr::pi());
    later.apply(&[m, W]).is_ok_and(|put| put[0].is_same(m) && put[1].is_same(W))
}

/// The first turning point on one side. Every step is over a stretch on which g is proved positive, or monotone to a root.
fn search(energy: &Energy, start: f64, way: f64, limit: f64, at_rest: bool) -> End {
    let scale = if start == 0.0 { 1.0 } else { start.abs().max(1e-3) };
    let (mut here, mut step) = (start, scale * 1e-2);
    let mut first = at_rest;
    for _ in 0..STEPS {
        let there = here + way * step;
        let [g, slope, _] = energy.within(here, there);
        let rises = if way > 0.0 { slope.low > 0.0 } else { slope.high < 0.0 };
        let falls = if way > 0.0 { slope.high < 0.0 } else { slope.low > 0.0 };
        // monotone and positive at the lower end is positive; at a start at rest the lower end is the turning point itself
        let end = energy.within(there, there)[0];
        let is_sound = energy.is_sound(here, there);
        if !is_sound {
            step /= 2.0;
            if step <= 1e-13 * scale.max(here.abs()) {
                return End::Lost(here);
            }
        } else if g.low > 0.0 || rises && (first || energy.within(here, here)[0].low > 0.0) || falls && end.low > 0.0 {
            first = false;
            here = there;
            step *= 1.5;
        } else if falls && end.high < 0.0 {
            return End::Turn(bisected(energy, here, there));
        } else {
            step /= 2.0;
            if step <= 1e-13 * scale.max(here.abs()) {
                return End::Lost(here);
            }
        }
        if (here - start).abs() >= limit || (here - start).abs() > 1e9 * scale {
            return End::Far(here);
        }
    }
    End::Far(here)
}

/// The root of g between a place inside and one outside.
fn bisected(energy: &Energy, mut inside: f64, mut outside: f64) -> f64 {
    loop {
        let middle = inside + (outside - inside) / 2.0;
        if middle == inside || middle == outside {
            return middle;
        }
        match energy.at(middle)[0] >= 0.0 {
            true => inside = middle,
            false => outside = middle,
        }
    }
}

fn libration(energy: &Energy, from: f64, to: f64) -> Course {
    let (c, r) = (from + (to - from) / 2.0, (to - from) / 2.0);
    let value = |theta: f64| {
        let z = c + r * theta.cos();
        let [g, _, m] = energy.at(z);
        let time = 2.0 * r * (m / (2.0 * g)).sqrt() * theta.sin();
        // g is the difference of numbers of the size of E
        let size = energy.E.abs().max((energy.E - g).abs());
        (time, time * f64::EPSILON * size / g)
    };
    let cuts = energy.kinks(from, to);
    let angles = cuts.iter().rev().map(|cut| ((cut.0 - c) / r).clamp(-1.0, 1.0).acos());
    told(Kind::Libration, (from, to), integrated(std::f64::consts::PI, angles, &cuts, value))
}

fn rotation(energy: &Energy, start: f64) -> Course {
    let turn = 2.0 * std::f64::consts::PI;
    let value = |angle: f64| {
        let [g, _, m] = energy.at(start + angle);
        let time = (m / (2.0 * g)).sqrt();
        let size = energy.E.abs().max((energy.E - g).abs());
        (time, time * f64::EPSILON * size / g)
    };
    let cuts = energy.kinks(start, start + turn);
    let angles = cuts.iter().map(|cut| cut.0 - start);
    told(Kind::Rotation, (start, start + turn), integrated(turn, angles, &cuts, value))
}

fn told(kind: Kind, (from, to): (f64, f64), found: Result<(f64, f64), String>) -> Course {
    let (period, reason) = match found {
        Ok((value, error)) => (Some(Period { formula: None, value: Some(value), error: Some(error) }), None),
        Err(why) => (None, Some(why)),
    };
    Course { kind, from, to, period, reason }
}

/// The integral of a function from 0, in pieces between kinks where it has some: they are told where a piece does not settle.
fn integrated(
    length: f64,
    cuts: impl Iterator<Item = f64>,
    kinks: &[(f64, String)],
    f: impl Fn(f64) -> (f64, f64),
) -> Result<(f64, f64), String> {
    if kinks.is_empty() {
        return midpoints(length, f);
    }
    let ends: Vec<f64> = std::iter::once(0.0).chain(cuts).chain([length]).collect();
    let pieces = ends.windows(2).filter(|two| two[1] > two[0]).map(|two| by_gauss(two[0], two[1], &f));
    let sum =
        pieces.collect::<Option<Vec<_>>>().map(|all| all.iter().fold((0.0, 0.0), |s, one| (s.0 + one.0, s.1 + one.1)));
    sum.ok_or_else(|| {
        let one = |(place, text): &(f64, String)| format!("`{text}` at {}", expr::decimal(*place));
        let kinks: Vec<String> = kinks.iter().map(one).collect();
        format!("the integral of its period does not settle between the kinks of {}", kinks.join(", "))
    })
}

/// The integral of a function that is smooth on a piece by Gauss's rule with 8, 16, 32 … points, and its error.
fn by_gauss(from: f64, to: f64, f: &impl Fn(f64) -> (f64, f64)) -> Option<(f64, f64)> {
    let (c, r) = (from + (to - from) / 2.0, (to - from) / 2.0);
    let rule = |n: usize| {
        let mut sum = (0.0, 0.0);
        for k in 0..n {
            // Legendre's polynomial and its slope by recursion, its zero by Newton
            let mut x = (std::f64::consts::PI * (k as f64 + 0.75) / (n as f64 + 0.5)).cos();
            let mut slope = 0.0;
            for _ in 0..8 {
                let (mut p, mut before) = (x, 1.0);
                for j in 2..=n {
                    let j = j as f64;
                    (p, before) = (((2.0 * j - 1.0) * x * p - (j - 1.0) * before) / j, p);
                }
                slope = n as f64 * (x * p - before) / (x * x - 1.0);
                x -= p / slope;
            }
            let weight = 2.0 * r / ((1.0 - x * x) * slope * slope);
            let (value, rounding) = f(c + r * x);
            sum = (sum.0 + weight * value, sum.1 + weight * rounding);
        }
        sum
    };
    let (mut n, mut last) = (8, rule(8).0);
    while n < MOST_OF_GAUSS {
        n *= 2;
        let (value, rounding) = rule(n);
        let change = (value - last).abs();
        if !value.is_finite() {
            return None;
        }
        if change <= ENOUGH * value.abs() + rounding {
            return Some((value, change + rounding + 16.0 * f64::EPSILON * value.abs()));
        }
        last = value;
    }
    None
}

/// The integral of a smooth periodic function over a period or half of one, and its error.
fn midpoints(length: f64, f: impl Fn(f64) -> (f64, f64)) -> Result<(f64, f64), String> {
    let rule = |n: usize| {
        let h = length / n as f64;
        (0..n).map(|k| f((k as f64 + 0.5) * h)).fold((0.0, 0.0), |sum, one| (sum.0 + one.0 * h, sum.1 + one.1 * h))
    };
    let (mut n, mut last) = (16, rule(16).0);
    while n < POINTS {
        n *= 2;
        let (value, rounding) = rule(n);
        let change = (value - last).abs();
        if !value.is_finite() {
            break;
        }
        if change <= ENOUGH * value.abs() + rounding {
            return Ok((value, change + rounding + 4.0 * f64::EPSILON * value.abs()));
        }
        last = value;
    }
    Err("the integral of its period does not settle: it nearly comes to rest".to_owned())
}
