//! In which sines and cosines is a sum of modes written?
//!
//! ```text
//! modes       cos(2 a − b)                     as they are: multiple angles, sums and differences
//! sines       z = c + i s,  c² = 1 − s²        powers of the sine, at most one cosine
//! cosines     z = c + i s,  s² = 1 − c²        powers of the cosine, at most one sine
//! ```
//!
//! Each angle has its own choice, and so may each group of terms that share their parameters, or their
//! rates: `I*cos(x)^2 + J*sin(x)^2` beside `A + (B − A)*cos(x)^2`.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use expr::{Expr, Kind, Rational};
use rustc_hash::FxHashMap;

use crate::fourier::{Fourier, Mode};
use crate::machine::Variable;

/// How an angle is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Style {
    Modes,
    Sines,
    Cosines,
}

const STYLES: [Style; 3] = [Style::Modes, Style::Sines, Style::Cosines];
/// With at most so many angles all combinations are tried.
const ALL: usize = 3;
/// More terms than this are only written in one style for all angles.
const MANY: usize = 120;

/// A term as exponents: of plain variables and multiples of angles, of sines, of cosines, one after the other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Key(Box<[i16]>);

impl Key {
    /// Powers of the sine of an angle.
    pub fn sine(&self, v: usize) -> i32 {
        i32::from(self.0[self.0.len() / 3 + v])
    }

    /// Powers of the cosine of an angle.
    pub fn cosine(&self, v: usize) -> i32 {
        i32::from(self.0[2 * (self.0.len() / 3) + v])
    }

    /// The exponent of a plain variable, or the multiple of an angle.
    pub fn power(&self, v: usize) -> i32 {
        i32::from(self.0[v])
    }

    /// The same for all variables.
    pub fn powers(&self) -> Vec<i32> {
        self.0[..self.0.len() / 3].iter().map(|&n| i32::from(n)).collect()
    }

    fn raise(&mut self, v: usize, sine: i16, cosine: i16) {
        let count = self.0.len() / 3;
        self.0[v] = 0;
        self.0[count + v] += sine;
        self.0[2 * count + v] += cosine;
    }
}

/// Terms with the number before the cosine and the sine of the mode that is left in the key, in the order of the keys.
pub(crate) type Flat = Vec<(Key, (Rational, Rational))>;

/// Writes modes in all styles.
pub(crate) struct Shaper<'a> {
    variables: &'a [Variable],
    /// The variables that are angles and occur.
    angles: Vec<usize>,
    /// The multiple of each angle variable that is written as one angle.
    pub units: Vec<i32>,
    /// Powers of sines and cosines that every term has besides.
    pub offset: (Vec<i32>, Vec<i32>),
    lengths: Vec<usize>,
    /// Powers of c + i s that were written before.
    expansions: RefCell<FxHashMap<(i32, Style), Rc<Expansion>>>,
    /// Steps of work that are left; when none are, no further shape is tried.
    work: &'a Cell<u64>,
}

/// What a term of a flat sum counts for, in steps of evaluation.
const TERM: u64 = 60;

impl<'a> Shaper<'a> {
    /// For these modes, each of which is also divided by powers of sines and cosines.
    pub fn new(
        variables: &'a [Variable],
        sum: &Fourier,
        units: Vec<i32>,
        offset: (Vec<i32>, Vec<i32>),
        work: &'a Cell<u64>,
    ) -> Shaper<'a> {
        let occurs = |v: &usize| sum.modes.iter().any(|mode| mode.powers[*v] != 0);
        let angles = (0..variables.len()).filter(|&v| variables[v].is_angle()).filter(occurs).collect();
        let name = |variable: &Variable| match variable {
            Variable::Plain(e) | Variable::Angle { of: e, .. } => e.to_string().len(),
        };
        let lengths = variables.iter().map(name).collect();
        Shaper { variables, angles, units, offset, lengths, expansions: RefCell::default(), work }
    }

    /// The shortest flat sums, at most so many, shortest first.
    pub fn shortest(&self, sum: &Fourier, count: usize) -> Vec<Flat> {
        let shapes = self.shapes(sum.modes.len());
        let mut list: Vec<(usize, Flat)> = Vec::new();
        for styles in &shapes {
            if self.work.get() == 0 && !list.is_empty() {
                break;
            }
            let flat = self.flat(&sum.modes, styles);
            list.push((self.length(&flat), flat));
        }
        let groupings: [fn(bool) -> bool; 3] = [|_| true, |p| p, |p| !p];
        for of in groupings {
            let mut groups: BTreeMap<Vec<i32>, Vec<Mode>> = BTreeMap::new();
            sum.modes.iter().for_each(|mode| groups.entry(self.part(mode, of)).or_default().push(mode.clone()));
            if groups.len() < 2 || self.work.get() == 0 {
                continue;
            }
            let mut all = Flat::new();
            for modes in groups.values() {
                all.extend(self.best_of(modes, &shapes));
            }
            let all = gathered(all);
            list.push((self.length(&all), all));
        }
        list.sort_by_key(|(length, _)| *length);
        let mut kept: Vec<Flat> = Vec::new();
        for (_, flat) in list {
            if kept.len() < count && !kept.contains(&flat) {
                kept.push(flat);
            }
        }
        kept
    }

    /// The shortest of the shapes of some modes. What is the same in two shapes is made once, and counted twice.
    fn best_of(&self, modes: &[Mode], shapes: &[Vec<Style>]) -> Flat {
        let turns: Vec<bool> = self.angles.iter().map(|&v| modes.iter().any(|mode| mode.powers[v] != 0)).collect();
        let mut made: FxHashMap<Vec<Style>, u64> = FxHashMap::default();
        let mut best: Option<(usize, Flat)> = None;
        for styles in shapes {
            let own: Vec<Style> = styles.iter().zip(&turns).filter(|one| *one.1).map(|one| *one.0).collect();
            if let Some(&work) = made.get(&own) {
                self.work.set(self.work.get().saturating_sub(work));
                continue;
            }
            let (flat, work) = self.flat_for(modes, styles);
            made.insert(own, work);
            let length = self.length(&flat);
            if best.as_ref().is_none_or(|known| length < known.0) {
                best = Some((length, flat));
            }
        }
        best.map(|one| one.1).unwrap_or_default()
    }

    /// Modes that share the powers of their parameters, or of what moves, with these powers taken out.
    pub fn groups(&self, sum: &Fourier, parameters: bool) -> Vec<(Vec<i32>, Fourier)> {
        let mut groups: BTreeMap<Vec<i32>, Vec<Mode>> = BTreeMap::new();
        for mode in &sum.modes {
            let part = self.part(mode, |is_parameter| is_parameter == parameters);
            let powers = mode.powers.iter().zip(&part).map(|(n, own)| n - own).collect();
            groups.entry(part).or_default().push(Mode { powers, ..mode.clone() });
        }
        groups.into_iter().map(|(part, modes)| (part, Fourier { modes })).collect()
    }

    /// The exponents of the plain variables of one kind: parameters or not.
    fn part(&self, mode: &Mode, wanted: impl Fn(bool) -> bool) -> Vec<i32> {
        let is_parameter = |e: &Expr| e.as_symbol().is_none_or(|symbol| symbol.kind == Kind::Parameter);
        let own = mode.powers.iter().zip(self.variables).map(|(&n, variable)| match variable {
            Variable::Plain(e) if wanted(is_parameter(e)) => n,
            _ => 0,
        });
        own.collect()
    }

    fn shapes(&self, terms: usize) -> Vec<Vec<Style>> {
        let n = self.angles.len();
        if n == 0 {
            return vec![Vec::new()];
        }
        if n <= ALL && terms <= MANY {
            let all = (0..3usize.pow(n as u32)).map(|k| (0..n).map(|j| STYLES[k / 3usize.pow(j as u32) % 3]).collect());
            return all.collect();
        }
        let mut list: Vec<Vec<Style>> = STYLES.iter().map(|&style| vec![style; n]).collect();
        if terms <= MANY {
            for j in 0..n {
                for (base, other) in STYLES.iter().flat_map(|&a| STYLES.map(|b| (a, b))).filter(|(a, b)| a != b) {
                    let mut styles = vec![base; n];
                    styles[j] = other;
                    list.push(styles);
                }
            }
        }
        list
    }

    /// Modes in these styles, one for each angle.
    fn flat(&self, modes: &[Mode], styles: &[Style]) -> Flat {
        self.flat_for(modes, styles).0
    }

    /// The same, and for how much work.
    fn flat_for(&self, modes: &[Mode], styles: &[Style]) -> (Flat, u64) {
        let mut work = 0;
        let mut flat = Flat::with_capacity(2 * modes.len());
        let offsets = self.offset.0.iter().chain(&self.offset.1);
        for mode in modes {
            // Re((a − i b) Π z^k): the real part stands before a cosine, minus the imaginary one before a sine
            let start = Key(mode.powers.iter().chain(offsets.clone()).map(|&n| n as i16).collect());
            let mut terms = vec![(start, mode.cosine.clone(), -mode.sine.clone())];
            for (&v, &style) in self.angles.iter().zip(styles) {
                let n = mode.powers[v] / self.units[v];
                if style == Style::Modes || n == 0 {
                    continue;
                }
                let factors = self.expansion(n, style);
                let mut next = Vec::with_capacity(terms.len() * factors.len());
                for (key, re, im) in &terms {
                    for &(s, c, x, y) in factors.iter() {
                        let mut key = key.clone();
                        key.raise(v, s as i16, c as i16);
                        // a power of i times a number is real or imaginary
                        let (re, im) = match y {
                            0 => (scaled(re, x), scaled(im, x)),
                            _ => (scaled(im, -y), scaled(re, y)),
                        };
                        next.push((key, re, im));
                    }
                }
                terms = next;
            }
            work += TERM * terms.len() as u64;
            for (mut key, re, im) in terms {
                let leading = self.angles.iter().map(|&v| key.0[v]).find(|&n| n != 0).unwrap_or(0);
                let im = match leading {
                    0 => Rational::ZERO,
                    1.. => -im,
                    _ => {
                        self.angles.iter().for_each(|&v| key.0[v] = -key.0[v]);
                        im
                    }
                };
                flat.push((key, (re, im)));
            }
        }
        self.work.set(self.work.get().saturating_sub(work));
        (gathered(flat), work)
    }

    fn expansion(&self, n: i32, style: Style) -> Rc<Expansion> {
        self.expansions.borrow_mut().entry((n, style)).or_insert_with(|| Rc::new(expansion(n, style))).clone()
    }

    /// About how many characters a flat sum takes.
    fn length(&self, flat: &Flat) -> usize {
        let power = |n: i32, base: usize| match n.abs() {
            0 => 0,
            1 => base + 1,
            _ => base + 3,
        };
        let mut total = 0;
        for (key, (a, b)) in flat {
            let mut own = 3;
            let mut angle = 0;
            for v in 0..self.variables.len() {
                match self.variables[v].is_angle() {
                    false => own += power(key.power(v), self.lengths[v]),
                    true => {
                        angle += power(key.power(v) / self.units[v], self.lengths[v] + 2);
                        let wave = self.lengths[v] + 5;
                        own += power(key.sine(v), wave) + power(key.cosine(v), wave);
                    }
                }
            }
            let angle = if angle > 0 { angle + 3 } else { 0 };
            for number in [a, b].into_iter().filter(|number| !number.is_zero()) {
                let (n, d) = (number.numerator().abs(), number.denominator());
                let digits = |x: &Rational| match x.to_i64() {
                    Some(1) => 0,
                    Some(n) if n > 0 => n.ilog10() as usize + 2,
                    _ => x.to_string().len() + 1,
                };
                total += own + angle + digits(&n) + digits(&d);
            }
        }
        total
    }
}

/// The terms in order, those with the same key added up.
fn gathered(flat: Flat) -> Flat {
    let mut sums: FxHashMap<Key, (Rational, Rational)> = FxHashMap::default();
    for (key, (a, b)) in flat {
        match sums.get_mut(&key) {
            Some(sum) => *sum = (&sum.0 + &a, &sum.1 + &b),
            None => drop(sums.insert(key, (a, b))),
        }
    }
    let mut made: Flat = sums.into_iter().filter(|(_, (a, b))| !a.is_zero() || !b.is_zero()).collect();
    made.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    made
}

fn scaled(number: &Rational, by: i64) -> Rational {
    match by {
        _ if number.is_zero() => Rational::ZERO,
        1 => number.clone(),
        -1 => -number,
        _ => number * &Rational::from(by),
    }
}

/// Terms as (power of s, power of c, real part, imaginary part), one of which is zero.
type Expansion = Vec<(i32, i32, i64, i64)>;

/// (c + i s)ⁿ, reduced to one style.
fn expansion(n: i32, style: Style) -> Expansion {
    let turn = i64::from(n.signum());
    let mut list: BTreeMap<(i32, i32), (i64, i64)> = BTreeMap::from([((0, 0), (1, 0))]);
    for _ in 0..n.abs() {
        let mut next: BTreeMap<(i32, i32), (i64, i64)> = BTreeMap::new();
        let mut put = |key: (i32, i32), (x, y): (i64, i64)| {
            let place = next.entry(key).or_insert((0, 0));
            *place = (place.0 + x, place.1 + y);
        };
        for ((s, c), (x, y)) in list {
            // times c
            match style {
                Style::Sines if c == 1 => {
                    put((s, 0), (x, y));
                    put((s + 2, 0), (-x, -y));
                }
                _ => put((s, c + 1), (x, y)),
            }
            // times i s
            let turned = (-y * turn, x * turn);
            match style {
                Style::Cosines if s == 1 => {
                    put((0, c), turned);
                    put((0, c + 2), (-turned.0, -turned.1));
                }
                _ => put((s + 1, c), turned),
            }
        }
        next.retain(|_, value| *value != (0, 0));
        list = next;
    }
    list.into_iter().map(|((s, c), (x, y))| (s, c, x, y)).collect()
}
