//! Between which bounds does a program's result lie, wherever its inputs lie between theirs?
//!
//! ```text
//! [a, b] op [c, d] ⊇ {x op y}              every bound is rounded outwards                            (1)
//! (X, X')·(Y, Y') = (X Y, X' Y + X Y')     the same with derivatives: bounds of slopes over a box      (2)
//! ```
//!
//! Where a function has no value on part of an interval, that part is left out, and the slope is unbounded; where it has
//! none at all, the result is empty. At a switch both sides are taken, and the slope is unbounded too: so nothing that
//! relies on slopes is ever concluded across a jump or a corner. Numbers that are no integers are taken as the two floats
//! around them, since decimals are rounded when a program is made.

use crate::real::{Function, Real};

/// All numbers between two bounds; empty if they are in the wrong order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// Roundings of library functions are smaller than this many units in the last place.
const LIBRARY: usize = 4;

fn down(x: f64, steps: usize) -> f64 {
    (0..steps).fold(x, |x, _| x.next_down())
}

fn up(x: f64, steps: usize) -> f64 {
    (0..steps).fold(x, |x, _| x.next_up())
}

impl Interval {
    /// Every number.
    pub const ALL: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
    /// No number.
    pub const NONE: Interval = Interval { low: f64::INFINITY, high: f64::NEG_INFINITY };
    const ZERO: Interval = Interval { low: 0.0, high: 0.0 };

    /// One float.
    pub fn point(x: f64) -> Interval {
        Interval { low: x, high: x }
    }

    /// The numbers between two.
    pub fn new(low: f64, high: f64) -> Interval {
        if low.is_nan() || high.is_nan() { Interval::ALL } else { Interval { low, high } }
    }

    /// The numbers no farther than `radius` from `x`.
    pub fn around(x: f64, radius: f64) -> Interval {
        Interval::new((x - radius).next_down(), (x + radius).next_up())
    }

    /// Is nothing in it?
    pub fn is_empty(self) -> bool {
        self.low > self.high
    }

    /// Are both bounds finite?
    pub fn is_bounded(self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// high − low.
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// A float in the middle.
    pub fn middle(self) -> f64 {
        match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) => (0.5 * self.low + 0.5 * self.high).clamp(self.low, self.high),
            (true, false) => self.low.max(0.0),
            (false, true) => self.high.min(0.0),
            (false, false) => 0.0,
        }
    }

    /// The largest absolute value.
    pub fn size(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// Is it in it?
    pub fn contains(self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    /// Does it lie in the other?
    pub fn is_in(self, other: Interval) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// Does it lie in the other without touching its ends?
    pub fn is_inside(self, other: Interval) -> bool {
        other.low < self.low && self.high < other.high
    }

    /// What both have in common.
    pub fn and(self, other: Interval) -> Interval {
        Interval { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// The smallest interval around both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// An increasing function, to the precision of the library.
    fn increasing(self, f: impl Fn(f64) -> f64) -> Interval {
        Interval::new(down(f(self.low), LIBRARY), up(f(self.high), LIBRARY))
    }

    fn negative(self) -> Interval {
        Interval { low: -self.high, high: -self.low }
    }

    fn reciprocal(self) -> Interval {
        match self {
            Interval { low: 0.0, high: 0.0 } => Interval::NONE,
            Interval { low, high } if low < 0.0 && high > 0.0 => Interval::ALL,
            Interval { low: 0.0, high } => Interval::new((1.0 / high).next_down(), f64::INFINITY),
            Interval { low, high: 0.0 } => Interval::new(f64::NEG_INFINITY, (1.0 / low).next_up()),
            Interval { low, high } => Interval::new((1.0 / high).next_down(), (1.0 / low).next_up()),
        }
    }

    /// The numbers x with x·divisor in self, up to two intervals of them.
    pub fn divided(self, divisor: Interval) -> [Interval; 2] {
        if self.is_empty() || divisor.is_empty() {
            return [Interval::NONE; 2];
        }
        match divisor.low < 0.0 && divisor.high > 0.0 && !self.contains(0.0) {
            false if divisor.contains(0.0) && self.contains(0.0) => [Interval::ALL, Interval::NONE],
            false => [self.mul(divisor.reciprocal()), Interval::NONE],
            true => {
                let below = Interval::new(divisor.low, 0.0).reciprocal();
                let above = Interval::new(0.0, divisor.high).reciprocal();
                [self.mul(below), self.mul(above)]
            }
        }
    }

    /// Whether some a + 2πk may lie in it.
    fn may_meet(self, a: f64) -> bool {
        let turn = std::f64::consts::TAU;
        let (first, last) = ((self.low - a) / turn, (self.high - a) / turn);
        let room = 1e-12 * (1.0 + first.abs().max(last.abs()));
        (last + room).floor() >= (first - room).ceil()
    }

    fn wave(self, f: impl Fn(f64) -> f64, top: f64) -> Interval {
        const FAR: f64 = 1e9;
        let pi = std::f64::consts::PI;
        if !self.is_bounded() || self.size() > FAR || self.width() >= 2.0 * pi {
            return Interval::new(-1.0, 1.0);
        }
        let (a, b) = (f(self.low), f(self.high));
        let low = if self.may_meet(top + pi) { -1.0 } else { down(a.min(b), LIBRARY).max(-1.0) };
        let high = if self.may_meet(top) { 1.0 } else { up(a.max(b), LIBRARY).min(1.0) };
        Interval::new(low, high)
    }

    /// A power with a whole exponent n ≥ 0, also of negative numbers.
    fn whole_power(self, n: f64) -> Interval {
        // repeated products round at each one
        let is_short = n <= 64.0;
        let wide = LIBRARY + if is_short { n as usize } else { 0 };
        let is_even = n % 2.0 == 0.0;
        let bound = |x: f64| match is_short {
            true => x.powi(n as i32),
            false if is_even => x.abs().powf(n),
            false => x.abs().powf(n).copysign(x),
        };
        match (is_even, self.low >= 0.0, self.high <= 0.0) {
            (false, _, _) | (true, true, _) => Interval::new(down(bound(self.low), wide), up(bound(self.high), wide)),
            (true, _, true) => Interval::new(down(bound(self.high), wide), up(bound(self.low), wide)),
            (true, _, _) => Interval::new(0.0, up(bound(self.size()), wide)),
        }
    }
}

impl Real for Interval {
    fn float(value: f64) -> Interval {
        match value.fract() == 0.0 && value.abs() < 9e15 {
            true => Interval::point(value),
            false => Interval::new(value.next_down(), value.next_up()),
        }
    }

    fn add(self, other: Interval) -> Interval {
        match (self, other) {
            _ if self.is_empty() || other.is_empty() => Interval::NONE,
            (Interval::ZERO, x) | (x, Interval::ZERO) => x,
            _ => Interval::new((self.low + other.low).next_down(), (self.high + other.high).next_up()),
        }
    }

    fn sub(self, other: Interval) -> Interval {
        if self.is_empty() || other.is_empty() {
            return Interval::NONE;
        }
        self.add(other.negative())
    }

    fn mul(self, other: Interval) -> Interval {
        if self.is_empty() || other.is_empty() {
            return Interval::NONE;
        }
        if self == Interval::ZERO || other == Interval::ZERO {
            return Interval::ZERO;
        }
        // 0·∞ is 0 here: the bound is never reached
        let times = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let all = [
            times(self.low, other.low),
            times(self.low, other.high),
            times(self.high, other.low),
            times(self.high, other.high),
        ];
        let (low, high) = all.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| (a.min(x), b.max(x)));
        Interval::new(low.next_down(), high.next_up())
    }

    fn sin_cos(self) -> (Interval, Interval) {
        if self.is_empty() {
            return (Interval::NONE, Interval::NONE);
        }
        let quarter = std::f64::consts::FRAC_PI_2;
        (self.wave(f64::sin, quarter), self.wave(f64::cos, 0.0))
    }

    fn apply(self, function: Function) -> Interval {
        let of = |domain: Interval, f: fn(f64) -> f64| match self.and(domain) {
            part if part.is_empty() => Interval::NONE,
            part => part.increasing(f),
        };
        let positive = Interval { low: 0.0, high: f64::INFINITY };
        let unit = Interval { low: -1.0, high: 1.0 };
        match function {
            _ if self.is_empty() => Interval::NONE,
            Function::Negative => self.negative(),
            Function::Reciprocal => self.reciprocal(),
            Function::Sqrt => of(positive, f64::sqrt).and(positive),
            Function::Cbrt => self.increasing(f64::cbrt),
            Function::Tan => {
                let (sin, cos) = self.sin_cos();
                match cos.contains(0.0) {
                    true => Interval::ALL,
                    false => self.increasing(f64::tan).and(sin.mul(cos.reciprocal())),
                }
            }
            Function::Asin => of(unit, f64::asin),
            Function::Acos => of(unit, |x| -x.acos()).negative(),
            Function::Atan => self.increasing(f64::atan),
            Function::Sinh => self.increasing(f64::sinh),
            Function::Cosh => {
                let least = if self.contains(0.0) { 0.0 } else { self.low.abs().min(self.high.abs()) };
                Interval::new(least, self.size()).increasing(f64::cosh)
            }
            Function::Tanh => self.increasing(f64::tanh).and(unit),
            Function::Exp => self.increasing(f64::exp).and(positive),
            Function::Log => of(positive, f64::ln),
            Function::Sign => {
                let sign = |x: f64| x.apply(Function::Sign);
                Interval::new(sign(self.low), sign(self.high))
            }
        }
    }

    fn power(self, exponent: f64) -> Interval {
        if self.is_empty() {
            return Interval::NONE;
        }
        if exponent.fract() == 0.0 {
            let power = self.whole_power(exponent.abs());
            return if exponent < 0.0 { power.reciprocal() } else { power };
        }
        let base = self.and(Interval { low: 0.0, high: f64::INFINITY });
        match base.is_empty() {
            true => Interval::NONE,
            false if exponent > 0.0 => base.increasing(|x| x.powf(exponent)).and(Interval::new(0.0, f64::INFINITY)),
            false => base.increasing(|x| x.powf(-exponent)).and(Interval::new(0.0, f64::INFINITY)).reciprocal(),
        }
    }

    fn atan2(self, x: Interval) -> Interval {
        let y = self;
        if y.is_empty() || x.is_empty() {
            return Interval::NONE;
        }
        let pi = std::f64::consts::PI;
        if x.low <= 0.0 && y.contains(0.0) {
            return Interval::new((-pi).next_down(), pi.next_up());
        }
        let corners = [(y.low, x.low), (y.low, x.high), (y.high, x.low), (y.high, x.high)];
        let angles = corners.map(|(y, x)| f64::atan2(y, x));
        let (low, high) = angles.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| (a.min(x), b.max(x)));
        Interval::new(down(low, LIBRARY), up(high, LIBRARY))
    }

    fn choose(self, negative: Interval, other: Interval) -> Interval {
        match self {
            _ if self.is_empty() => Interval::NONE,
            _ if self.high < 0.0 => negative,
            _ if self.low >= 0.0 => other,
            _ => negative.hull(other),
        }
    }

    fn if_zero(self, zero: Interval, other: Interval) -> Interval {
        match self {
            _ if self.is_empty() => Interval::NONE,
            Interval::ZERO => zero,
            _ if self.contains(0.0) => zero.hull(other),
            _ => other,
        }
    }
}

/// Bounds of a number and of its derivatives along L directions (2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangent<const L: usize> {
    /// The number.
    pub value: Interval,
    /// Its derivatives.
    pub along: [Interval; L],
}

impl<const L: usize> Tangent<L> {
    /// A number that moves along one direction at unit rate.
    pub fn moving(value: Interval, direction: usize) -> Tangent<L> {
        let one = |k: usize| if k == direction { Interval::point(1.0) } else { Interval::ZERO };
        Tangent { value, along: std::array::from_fn(one) }
    }

    fn chain(self, value: Interval, slope: Interval) -> Tangent<L> {
        Tangent { value, along: self.along.map(|x| slope.mul(x)) }
    }

    /// The value, with nothing known of the slopes along directions in which one of these moves.
    fn torn(value: Interval, parts: &[Tangent<L>]) -> Tangent<L> {
        let still = |k: usize| parts.iter().all(|part| part.along[k] == Interval::ZERO);
        Tangent { value, along: std::array::from_fn(|k| if still(k) { Interval::ZERO } else { Interval::ALL }) }
    }
}

impl<const L: usize> Real for Tangent<L> {
    fn float(value: f64) -> Self {
        Tangent { value: Interval::float(value), along: [Interval::ZERO; L] }
    }

    fn add(self, other: Self) -> Self {
        let along = std::array::from_fn(|k| self.along[k].add(other.along[k]));
        Tangent { value: self.value.add(other.value), along }
    }

    fn sub(self, other: Self) -> Self {
        let along = std::array::from_fn(|k| self.along[k].sub(other.along[k]));
        Tangent { value: self.value.sub(other.value), along }
    }

    fn mul(self, other: Self) -> Self {
        let (x, y) = (self.value, other.value);
        let along = std::array::from_fn(|k| self.along[k].mul(y).add(x.mul(other.along[k])));
        Tangent { value: x.mul(y), along }
    }

    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value.sin_cos();
        (self.chain(sin, cos), self.chain(cos, sin.negative()))
    }

    fn apply(self, function: Function) -> Self {
        let x = self.value;
        let value = x.apply(function);
        let one = Interval::point(1.0);
        let square = |x: Interval| x.power(2.0);
        let is_cut = match function {
            Function::Sqrt | Function::Log => x.low <= 0.0,
            Function::Asin | Function::Acos => x.low <= -1.0 || x.high >= 1.0,
            Function::Cbrt | Function::Reciprocal => x.contains(0.0),
            Function::Tan => value == Interval::ALL,
            Function::Sign => x.contains(0.0),
            _ => false,
        };
        if is_cut {
            return Tangent::torn(value, &[self]);
        }
        let slope = match function {
            Function::Negative => one.negative(),
            Function::Reciprocal => square(value).negative(),
            Function::Sqrt => value.mul(Interval::point(2.0)).reciprocal(),
            Function::Cbrt => square(value).mul(Interval::point(3.0)).reciprocal(),
            Function::Tan => one.add(square(value)),
            Function::Asin => one.sub(square(x)).power(-0.5),
            Function::Acos => one.sub(square(x)).power(-0.5).negative(),
            Function::Atan => one.add(square(x)).reciprocal(),
            Function::Sinh => x.apply(Function::Cosh),
            Function::Cosh => x.apply(Function::Sinh),
            Function::Tanh => one.sub(square(value)),
            Function::Exp => value,
            Function::Log => x.reciprocal(),
            Function::Sign => Interval::ZERO,
        };
        self.chain(value, slope)
    }

    fn power(self, exponent: f64) -> Self {
        let value = self.value.power(exponent);
        let is_whole = exponent.fract() == 0.0;
        if self.value.low <= 0.0 && !is_whole || exponent < 0.0 && self.value.contains(0.0) {
            return Tangent::torn(value, &[self]);
        }
        self.chain(value, Interval::float(exponent).mul(self.value.power(exponent - 1.0)))
    }

    fn atan2(self, x: Self) -> Self {
        let (y, value) = (self, self.value.atan2(x.value));
        if x.value.low <= 0.0 && y.value.contains(0.0) {
            return Tangent::torn(value, &[x, y]);
        }
        let over = x.value.power(2.0).add(y.value.power(2.0)).reciprocal();
        let slope = |k: usize| x.value.mul(y.along[k]).sub(y.value.mul(x.along[k])).mul(over);
        Tangent { value, along: std::array::from_fn(slope) }
    }

    fn choose(self, negative: Self, other: Self) -> Self {
        match self.value {
            value if value.high < 0.0 => negative,
            value if value.low > 0.0 => other,
            value => Tangent::torn(value.choose(negative.value, other.value), &[self, negative, other]),
        }
    }

    fn if_zero(self, zero: Self, other: Self) -> Self {
        match self.value {
            value if !value.contains(0.0) => other,
            value => Tangent::torn(value.if_zero(zero.value, other.value), &[self, zero, other]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Switches, Tape};

    const TEXTS: [&str; 8] = [
        "(x/7)^100 - (y/8)^65",
        "x*y + x^3/(2 + y^2) - sqrt(x + 3)",
        "sin(x*y)*cos(x) + tan(y/4)",
        "exp(x)*log(y + 4) + sinh(x) - cosh(y)*tanh(x)",
        "asin(x/9) + acos(y/9) + atan(x*y) + atan2(x, y + 9)",
        "abs(y - x)*cbrt(x) + (x + 9)^(5/3)/(x + y + 12)^2",
        "max(x, y)*min(x, 2) - sign(x + 20)",
        "x^2*y^4 - 3*x/10",
    ];

    /// The results of a program at boxes of numbers.
    fn run<R: Real>(text: &str, at: [R; 2]) -> R {
        let (x, y) = (expr::parameter("x"), expr::parameter("y"));
        let tape = Tape::new(&[x, y], &[], &[], &[vec![expr::parse(text).unwrap()]]).unwrap();
        let mut memory = tape.memory::<R>();
        at.into_iter().enumerate().for_each(|(k, value)| tape.put(&mut memory, k, value));
        tape.run(0, Switches::Free, &mut memory);
        memory[tape.outputs(0)[0] as usize]
    }

    fn somewhere(seed: u64) -> f64 {
        let mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }

    #[test]
    fn every_point_of_a_box_is_enclosed_with_its_slopes() {
        let _scope = expr::Scope::enter();
        for (place, text) in TEXTS.iter().enumerate() {
            for trial in 0..200_u64 {
                let seed = 1000 * place as u64 + 7 * trial;
                let of = |k: u64| {
                    let middle = 5.0 * somewhere(seed + k) - 2.0;
                    Interval::around(middle, 1.5 * somewhere(seed + k + 2).powi(3))
                };
                let (x, y) = (of(0), of(1));
                let inside = |i: Interval, k: u64| i.low + somewhere(seed + k) * i.width();
                let at = [inside(x, 4), inside(y, 5)];
                let value = run(text, at);
                let bounds = run(text, [x, y]);
                assert!(value.is_nan() || bounds.contains(value), "{text} at {at:?}: {value} not in {bounds:?}");
                let slope = run(text, [crate::Slope::<2>::moving(at[0], 0), crate::Slope::moving(at[1], 1)]);
                let slopes = run(text, [Tangent::<2>::moving(x, 0), Tangent::moving(y, 1)]);
                for (slope, bounds) in slope.along.iter().zip(slopes.along) {
                    let near = Interval::new(bounds.low - 1e-12, bounds.high + 1e-12);
                    assert!(slope.is_nan() || near.contains(*slope), "{text}: {slope} not in {bounds:?}");
                }
            }
        }
    }

    #[test]
    fn bounds_are_tight_where_functions_are_monotone() {
        let _scope = expr::Scope::enter();
        let x = Interval::new(0.5, 1.0);
        let sine = run("sin(x)", [x, x]);
        assert!(sine.width() - (1_f64.sin() - 0.5_f64.sin()) < 1e-14, "{sine:?}");
        let over_the_top = run("sin(x)", [Interval::new(1.0, 2.0); 2]);
        assert!(over_the_top.high == 1.0 && (over_the_top.low - 1_f64.sin()).abs() < 1e-14, "{over_the_top:?}");
        let even = run("x^6", [Interval::new(-1.0, 2.0); 2]);
        assert!(even.low == 0.0 && (even.high - 64.0).abs() < 1e-12, "{even:?}");
    }

    #[test]
    fn nothing_is_known_of_slopes_across_a_jump_or_an_edge() {
        let _scope = expr::Scope::enter();
        for text in ["sign(x)", "sqrt(x)", "abs(x)", "cbrt(x)", "1/x"] {
            let slope = run(text, [Tangent::<2>::moving(Interval::new(-1.0, 1.0), 0); 2]).along[0];
            assert_eq!(slope, Interval::ALL, "{text}");
        }
        assert!(run("sqrt(x)", [Interval::new(-2.0, -1.0); 2]).is_empty());
    }

    #[test]
    fn a_quotient_by_an_interval_around_zero_has_two_parts() {
        let [below, above] = Interval::new(1.0, 2.0).divided(Interval::new(-1.0, 4.0));
        assert!((below.high + 1.0).abs() < 1e-14 && below.low == f64::NEG_INFINITY, "{below:?}");
        assert!((above.low - 0.25).abs() < 1e-14 && above.high == f64::INFINITY, "{above:?}");
    }
}
