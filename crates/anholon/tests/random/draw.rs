//! A random model, as text and as plain numbers.

use std::fmt::Write;

use crate::plain::{Base, Motion, Place, Plain, Row, Says};

pub struct Drawn {
    pub seed: u64,
    pub text: String,
    pub plain: Plain,
    pub start: Motion,
}

/// Random numbers that repeat: Knuth's generator.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// Between −1 and 1, in hundredths.
    fn part(&mut self) -> f64 {
        self.below(201) as f64 / 100.0 - 1.0
    }

    fn size(&mut self) -> f64 {
        0.5 + self.below(100) as f64 / 100.0
    }

    fn vector(&mut self, in_space: bool) -> [f64; 3] {
        [self.part(), self.part(), if in_space { self.part() } else { 0.0 }]
    }
}

/// The model of a seed; nothing if it is nearly singular.
pub fn model(seed: u64) -> Option<Drawn> {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    (0..5).for_each(|_| {
        dice.next();
    });
    let in_space = dice.below(2) == 1;
    let mut plain = Plain { gravity: dice.vector(in_space).map(|x| 5.0 * x), ..Plain::default() };
    let mut points = String::new();
    for k in 0..1 + dice.below(3) {
        let (place, text) = place(&mut dice, &mut plain.n, k, in_space);
        let mass = dice.size();
        writeln!(points, "point P{} = {text} mass {mass}", k + 1).ok()?;
        plain.places.push(place);
        plain.masses.push(mass);
    }
    let mut lines = points + &loads(&mut dice, &mut plain);
    let at = Motion {
        t: 0.0,
        q: (0..plain.n).map(|_| 1.3 * dice.part() + 0.1).collect(),
        rates: (0..plain.n).map(|_| dice.part()).collect(),
    };
    lines += &rows(&mut dice, &mut plain, &at, in_space);
    // slopes are known to ten digits: once more
    let mut start = plain.admitted(&plain.admitted(&plain.admitted(&at)?)?)?;
    start.rates.iter_mut().filter(|rate| rate.abs() < 1e-14).for_each(|rate| *rate = 0.0);
    // a spring of no length pulls nowhere, and differences do not follow it
    if plain.springs.iter().any(|spring| plain.length(spring, &start) < 0.5) {
        return None;
    }
    plain.solved(&start).filter(|found| found.accelerations.iter().all(|a| a.abs() < 60.0))?;
    let names: Vec<String> = (1..=plain.n).map(|k| format!("q{k}")).collect();
    let values = |list: &[f64], dash: &str| {
        names.iter().zip(list).map(|(name, x)| format!("{name}{dash} = {x:?}")).collect::<Vec<_>>().join(", ")
    };
    let [x, y, z] = plain.gravity;
    let text = format!(
        "coord {}\n{lines}gravity ({x}, {y}, {z})\nstart {}, {}\n",
        names.join(", "),
        values(&start.q, ""),
        values(&start.rates, "'")
    );
    Some(Drawn { seed, text, plain, start })
}

fn tuple(v: [f64; 3]) -> String {
    format!("({}, {}, {})", v[0], v[1], v[2])
}

fn place(dice: &mut Dice, n: &mut usize, k: usize, in_space: bool) -> (Place, String) {
    let mut take = || {
        *n += 1;
        *n - 1
    };
    let name = |q: usize| format!("q{}", q + 1);
    let at = dice.vector(in_space);
    let (base, on) = match dice.below(6) {
        0 | 1 if k > 0 => (Base::Point(k - 1), format!("P{k}")),
        2 => {
            let (amplitude, w) = (0.3 * dice.size(), 3.0 * dice.size());
            (Base::Driven(at, amplitude, w), format!("({} + {amplitude}*sin({w}*t), {}, {})", at[0], at[1], at[2]))
        }
        _ => (Base::Fixed(at), tuple(at)),
    };
    match dice.below(4) {
        0 => {
            let of: Vec<usize> = (0..if in_space { 3 } else { 2 }).map(|_| take()).collect();
            let part = |k: usize| of.get(k).map_or("0".to_owned(), |&q| name(q));
            let text = format!("{on} + ({}, {}, {})", part(0), part(1), part(2));
            (Place::Free(base, of), text)
        }
        1 if in_space => {
            let (a, b, l) = (take(), take(), dice.size());
            let (p, q) = (name(a), name(b));
            let text = format!("{on} + {l}*(cos({p})*cos({q}), sin({p})*cos({q}), sin({q}))");
            (Place::Sphere(base, [a, b], l), text)
        }
        2 => {
            let (s, along) = (take(), dice.vector(in_space));
            let along = [along[0] + 0.2, along[1], along[2]];
            (Place::Track(base, s, along), format!("{on} + {}*{}", name(s), tuple(along)))
        }
        _ => {
            let (a, l) = (take(), dice.size());
            (Place::Polar(base, a, l), format!("{on} + {l}*(cos({0}), sin({0}), 0)", name(a)))
        }
    }
}

fn loads(dice: &mut Dice, plain: &mut Plain) -> String {
    let (mut lines, count) = (String::new(), plain.places.len());
    if dice.below(2) == 0 {
        let (one, k, length) = (dice.below(count), 4.0 * dice.size(), dice.size());
        let other = if count > 1 && dice.below(2) == 0 { Some((one + 1) % count) } else { None };
        let end = other.map_or("(0, 0, 0)".to_owned(), |other| format!("P{}", other + 1));
        let _ = writeln!(lines, "potential {k}*(norm(P{} - {end}) - {length})^2/2", one + 1);
        plain.springs.push((one, other, k, length));
    }
    if dice.below(2) == 0 {
        let (one, c) = (dice.below(count), dice.size());
        let _ = writeln!(lines, "force -{c}*velocity(P{0}) on P{0}", one + 1);
        plain.dampers.push((one, c));
    }
    lines
}

/// Rows that hold at the state, as many as leave some freedom.
fn rows(dice: &mut Dice, plain: &mut Plain, at: &Motion, in_space: bool) -> String {
    let mut lines = String::new();
    for k in 0..dice.below(plain.n.min(4)) {
        let (i, normal) = (dice.below(plain.places.len()), dice.vector(in_space));
        let normal = [normal[0], normal[1] + 1.2, normal[2]];
        let (r, p, name) = (plain.position(i, at.t, &at.q), i + 1, format!("c{}", k + 1));
        let along = normal[0] * r[0] + normal[1] * r[1] + normal[2] * r[2];
        let (says, left, right) = match dice.below(5) {
            0 if plain.places.len() > 1 => {
                let j = (i + 1) % plain.places.len();
                let other = plain.position(j, at.t, &at.q);
                let d: f64 = (0..3).map(|x| (r[x] - other[x]).powi(2)).sum();
                (Says::Distance(i, j, d), format!("dot(P{p} - P{0}, P{p} - P{0})", j + 1), d)
            }
            1 => {
                let from = dice.vector(in_space).map(|x| 3.0 * x);
                let (d, at): (f64, String) = ((0..3).map(|x| (r[x] - from[x]).powi(2)).sum(), tuple(from));
                (Says::Reach(i, from, d), format!("dot(P{p} - {at}, P{p} - {at})"), d)
            }
            2 => (Says::Plane(i, normal, along), format!("dot({}, P{p})", tuple(normal)), along),
            3 => {
                let a = dice.below(plain.n);
                let left = format!("sin(q{0})*dot(velocity(P{p}), N.x) - cos(q{0})*dot(velocity(P{p}), N.y)", a + 1);
                (Says::Knife(i, a), left, 0.0)
            }
            _ => {
                let s = dice.part();
                (Says::Rate(i, normal, s), format!("dot({}, velocity(P{p}))", tuple(normal)), s)
            }
        };
        let _ = writeln!(lines, "constraint {name}: {left} = {right:?}");
        if dice.below(8) == 0 {
            let _ = writeln!(lines, "constraint d{}: 2*({left}) = 2*({right:?})", k + 1);
            plain.copies += 1;
        }
        plain.rows.push(Row { name, says });
    }
    lines
}
