//! A random system about rest, as the text of a model and as plain numbers.
//!
//! Masses are particles whose places are linear in the coordinates, in axes that may turn. Gyroscopic terms come from those axes, from a
//! `kinetic` line or from forces; potentials may shake; dissipation may be incomplete or feed; forces may have no potential.

use std::fmt::Write;

use crate::plain::{Linear, Matrix, product, transposed};

pub struct Drawn {
    pub text: String,
    pub plain: Linear,
    /// Whether a term beyond the linear ones stands in the model.
    pub bends: bool,
}

/// Random numbers that repeat: Knuth's generator.
pub struct Dice(u64);

impl Dice {
    pub fn of(seed: u64) -> Dice {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        (0..5).for_each(|_| {
            dice.below(2);
        });
        dice
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }

    /// Between −1 and 1, in tenths.
    pub fn part(&mut self) -> f64 {
        self.below(21) as f64 / 10.0 - 1.0
    }

    fn size(&mut self) -> f64 {
        (5 + self.below(20)) as f64 / 10.0
    }

    fn matrix(&mut self, n: usize) -> Matrix {
        (0..n).map(|_| (0..n).map(|_| self.part()).collect()).collect()
    }

    /// BᵀB with fewer rows than columns now and then, so that some directions are left out.
    fn definite(&mut self, n: usize) -> Matrix {
        let rows = 1 + self.below(n + 1);
        let b: Matrix = (0..rows).map(|_| (0..n).map(|_| self.part()).collect()).collect();
        let entry = |i: usize, j: usize| b.iter().map(|row| rounded(row[i] * row[j])).sum();
        (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
    }

    fn symmetric(&mut self, n: usize) -> Matrix {
        let a = self.matrix(n);
        (0..n).map(|i| (0..n).map(|j| rounded(a[i][j] + a[j][i])).collect()).collect()
    }

    fn happens(&mut self, tenths: usize) -> bool {
        self.below(10) < tenths
    }
}

fn rounded(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}

/// ½ Σ a_ij x_i x_j with the names of rates or coordinates.
fn quadratic(a: &Matrix, mark: &str) -> String {
    let n = a.len();
    let term = |i: usize, j: usize| format!("({})*q{}{mark}*q{}{mark}/2", a[i][j], i + 1, j + 1);
    (0..n * n).map(|k| term(k / n, k % n)).collect::<Vec<_>>().join(" + ")
}

fn add(to: &mut Matrix, what: &Matrix, factor: f64) {
    for (row, other) in to.iter_mut().zip(what) {
        row.iter_mut().zip(other).for_each(|(x, y)| *x += factor * y);
    }
}

/// The masses: the text of their lines, the mass matrix, and Σ m (X'ᵀ part) for turning axes.
fn masses(dice: &mut Dice, n: usize, turn: f64, plain: &mut Linear) -> String {
    let mut text = String::new();
    let axes = if turn == 0.0 { "N" } else { "T" };
    if turn != 0.0 {
        writeln!(text, "frame T = N rotated z by {turn}*t").ok();
    }
    for k in 0..n {
        let along: Matrix = (0..2).map(|_| (0..n).map(|_| dice.part()).collect()).collect();
        let mass = dice.size();
        let sum = |row: &Vec<f64>| {
            let terms = row.iter().enumerate().map(|(j, a)| format!("({a})*q{}", j + 1));
            terms.collect::<Vec<_>>().join(" + ")
        };
        writeln!(text, "point P{k} = {axes}*({}, {}, 0) mass {mass}", sum(&along[0]), sum(&along[1])).ok();
        add(&mut plain.mass, &product(&transposed(&along_square(&along, n)), &along_square(&along, n)), mass);
        // v = A q' + W z × A q: the gyroscopic part 2 W m Aᵀ(z × A), the centrifugal one −W² m AᵀA
        let crossed: Matrix = vec![along[1].iter().map(|x| -x).collect(), along[0].clone()];
        for i in 0..n {
            for j in 0..n {
                let swept: f64 = (0..2).map(|c| along[c][i] * crossed[c][j]).sum();
                let flat: f64 = (0..2).map(|c| along[c][i] * along[c][j]).sum();
                plain.rates[i][j] += 2.0 * turn * mass * swept;
                plain.stiffness[i][j] -= turn * turn * mass * flat;
            }
        }
    }
    text
}

/// The two rows of a place, filled up to a square with zeros.
fn along_square(along: &Matrix, n: usize) -> Matrix {
    let mut square = along.clone();
    square.resize(n.max(2), vec![0.0; n]);
    square
}

/// The system of a seed; nothing if its mass matrix is nearly singular.
pub fn system(seed: u64, shaken: bool) -> Option<Drawn> {
    let mut dice = Dice::of(seed);
    let n = 2 + usize::from(!shaken && dice.happens(4));
    let zero = vec![vec![0.0; n]; n];
    let mut plain = Linear { mass: zero.clone(), rates: zero.clone(), stiffness: zero.clone(), ..Linear::default() };
    let names: Vec<String> = (1..=n).map(|k| format!("q{k}")).collect();
    let mut text = format!("coord {}\n", names.join(", "));
    let turn = if !shaken && dice.happens(4) { dice.size() } else { 0.0 };
    text += &masses(&mut dice, n, turn, &mut plain);
    let inverse = crate::plain::solved(&plain.mass, &vec![1.0; n]);
    if inverse.iter().any(|x| !x.is_finite() || x.abs() > 20.0) {
        return None;
    }
    let stiffness = match dice.below(4) {
        0 => dice.symmetric(n),
        1 => dice.definite(n),
        _ => {
            let mut a = dice.definite(n);
            (0..n).for_each(|i| a[i][i] = rounded(a[i][i] + 0.5));
            a
        }
    };
    writeln!(text, "potential {}", quadratic(&stiffness, "")).ok();
    add(&mut plain.stiffness, &stiffness, 1.0);
    if shaken {
        let matrix = dice.symmetric(n);
        let w = dice.size() * 2.0;
        writeln!(text, "potential cos({w}*t)*({})", quadratic(&matrix, "")).ok();
        plain.shaken = Some((matrix, w));
    }
    text += &loads(&mut dice, n, shaken, &mut plain);
    let bends = plain.square != 0.0 || plain.cubic != 0.0;
    Some(Drawn { text, plain, bends })
}

/// Gyroscopic, dissipative, circulating and bent terms.
fn loads(dice: &mut Dice, n: usize, shaken: bool, plain: &mut Linear) -> String {
    let mut text = String::new();
    if dice.happens(3) {
        let b = dice.size();
        if dice.happens(5) {
            writeln!(text, "kinetic {b}*(q1*q2' - q2*q1')/2").ok();
        } else {
            writeln!(text, "generalized force {b}*q2' on q1\ngeneralized force -{b}*q1' on q2").ok();
        }
        plain.rates[0][1] -= b;
        plain.rates[1][0] += b;
    }
    if dice.happens(5) {
        let damping = dice.definite(n);
        let factor = if dice.happens(1) { -1.0 } else { 1.0 };
        writeln!(text, "dissipation {factor}*({})", quadratic(&damping, "'")).ok();
        add(&mut plain.rates, &damping, factor);
    }
    if !shaken && dice.happens(2) {
        let c = dice.part();
        writeln!(text, "generalized force ({c})*q2 on q1\ngeneralized force -({c})*q1 on q2").ok();
        plain.stiffness[0][1] -= c;
        plain.stiffness[1][0] += c;
    }
    if dice.happens(3) {
        plain.cubic = dice.part();
        writeln!(text, "potential ({})*q1^4/4", plain.cubic).ok();
    }
    if dice.happens(1) {
        plain.square = dice.part();
        writeln!(text, "potential ({})*q1^3/3", plain.square).ok();
    }
    text
}
