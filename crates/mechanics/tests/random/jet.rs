//! What is a formula worth, and how fast does that change? Text, value and two time derivatives side by side.
//!
//! The generator writes formulas and must know their values, so that constraints hold where a motion starts.

use std::ops::{Add, Mul, Neg, Sub};

/// A number with its first and second time derivative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jet {
    pub value: f64,
    pub rate: f64,
    pub acceleration: f64,
}

impl Jet {
    pub fn constant(value: f64) -> Jet {
        Jet { value, rate: 0.0, acceleration: 0.0 }
    }

    pub fn new(value: f64, rate: f64, acceleration: f64) -> Jet {
        Jet { value, rate, acceleration }
    }

    /// A function of it, by its value and its first two derivatives.
    pub fn through(self, f: f64, df: f64, ddf: f64) -> Jet {
        Jet::new(f, df * self.rate, ddf * self.rate * self.rate + df * self.acceleration)
    }

    pub fn sin(self) -> Jet {
        let (s, c) = self.value.sin_cos();
        self.through(s, c, -s)
    }

    pub fn cos(self) -> Jet {
        let (s, c) = self.value.sin_cos();
        self.through(c, -s, -c)
    }
}

impl Add for Jet {
    type Output = Jet;
    fn add(self, other: Jet) -> Jet {
        Jet::new(self.value + other.value, self.rate + other.rate, self.acceleration + other.acceleration)
    }
}

impl Neg for Jet {
    type Output = Jet;
    fn neg(self) -> Jet {
        Jet::new(-self.value, -self.rate, -self.acceleration)
    }
}

impl Sub for Jet {
    type Output = Jet;
    fn sub(self, other: Jet) -> Jet {
        self + -other
    }
}

impl Mul for Jet {
    type Output = Jet;
    fn mul(self, other: Jet) -> Jet {
        let rate = self.rate * other.value + self.value * other.rate;
        let twice = 2.0 * self.rate * other.rate;
        let acceleration = self.acceleration * other.value + twice + self.value * other.acceleration;
        Jet::new(self.value * other.value, rate, acceleration)
    }
}

/// A formula as text, and what it is worth at the start.
#[derive(Clone, Debug)]
pub struct Piece {
    pub text: String,
    pub jet: Jet,
}

impl Piece {
    pub fn new(text: impl Into<String>, jet: Jet) -> Piece {
        Piece { text: text.into(), jet }
    }

    pub fn zero() -> Piece {
        Piece::new("0", Jet::default())
    }

    pub fn one() -> Piece {
        Piece::new("1", Jet::constant(1.0))
    }

    pub fn add(&self, other: &Piece) -> Piece {
        match (self.text.as_str(), other.text.as_str()) {
            ("0", _) => other.clone(),
            (_, "0") => self.clone(),
            (a, b) => Piece::new(format!("({a} + {b})"), self.jet + other.jet),
        }
    }

    pub fn sub(&self, other: &Piece) -> Piece {
        match (self.text.as_str(), other.text.as_str()) {
            (_, "0") => self.clone(),
            (a, b) => Piece::new(format!("({a} - {b})"), self.jet - other.jet),
        }
    }

    pub fn mul(&self, other: &Piece) -> Piece {
        match (self.text.as_str(), other.text.as_str()) {
            ("0", _) | (_, "0") => Piece::zero(),
            ("1", _) => other.clone(),
            (_, "1") => self.clone(),
            (a, b) => Piece::new(format!("{a}*{b}"), self.jet * other.jet),
        }
    }

    pub fn neg(&self) -> Piece {
        match self.text.as_str() {
            "0" => Piece::zero(),
            text => Piece::new(format!("(-{text})"), -self.jet),
        }
    }

    pub fn sin(&self) -> Piece {
        Piece::new(format!("sin({})", self.text), self.jet.sin())
    }

    pub fn cos(&self) -> Piece {
        Piece::new(format!("cos({})", self.text), self.jet.cos())
    }

    pub fn squared(&self) -> Piece {
        Piece::new(format!("({})^2", self.text), self.jet * self.jet)
    }
}

/// Three formulas, along N.
pub type Place = [Piece; 3];

pub fn sum(a: &Place, b: &Place) -> Place {
    [0, 1, 2].map(|k| a[k].add(&b[k]))
}

pub fn difference(a: &Place, b: &Place) -> Place {
    [0, 1, 2].map(|k| a[k].sub(&b[k]))
}

pub fn dot(a: &Place, b: &Place) -> Piece {
    (0..3).fold(Piece::zero(), |total, k| total.add(&a[k].mul(&b[k])))
}

/// Three unit vectors that turn: the axes of a frame along N.
#[derive(Clone, Debug)]
pub struct Axes(pub [Place; 3]);

impl Axes {
    pub fn inertial() -> Axes {
        let unit = |k: usize| [0, 1, 2].map(|i| if i == k { Piece::one() } else { Piece::zero() });
        Axes([unit(0), unit(1), unit(2)])
    }

    /// Turned about its own axis.
    pub fn turned(&self, axis: usize, angle: &Piece) -> Axes {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        let (sin, cos) = (angle.sin(), angle.cos());
        let along = |a: &Piece, x: &Place| [0, 1, 2].map(|k| a.mul(&x[k]));
        let mut axes = self.0.clone();
        axes[next] = sum(&along(&cos, &self.0[next]), &along(&sin, &self.0[last]));
        axes[last] = difference(&along(&cos, &self.0[last]), &along(&sin, &self.0[next]));
        Axes(axes)
    }

    /// The vector with these components along the axes.
    pub fn of(&self, components: &Place) -> Place {
        let along = |k: usize| [0, 1, 2].map(|i| components[k].mul(&self.0[k][i]));
        sum(&sum(&along(0), &along(1)), &along(2))
    }
}
