//! What is a unit worth, and of which dimension is it? One table, exact.
//!
//! ```text
//! value in SI = value as written · rational · πᵏ          dimension = mᵃ kgᵇ sᶜ, rational exponents
//! ```
//!
//! Angles have no dimension: `rad` is 1, `deg` is π/180, `rpm` is π/30 per second.

use std::fmt;

use expr::Rational;
use expr::number::NumberError;
use syntax::{Unit, UnitFactor};

/// Name, numerator and denominator of the factor, power of π, exponents of m, kg and s.
const TABLE: [(&str, i64, i64, i32, [i64; 3]); 18] = [
    ("m", 1, 1, 0, [1, 0, 0]),
    ("mm", 1, 1000, 0, [1, 0, 0]),
    ("cm", 1, 100, 0, [1, 0, 0]),
    ("km", 1000, 1, 0, [1, 0, 0]),
    ("s", 1, 1, 0, [0, 0, 1]),
    ("ms", 1, 1000, 0, [0, 0, 1]),
    ("kg", 1, 1, 0, [0, 1, 0]),
    ("rad", 1, 1, 0, [0, 0, 0]),
    ("deg", 1, 180, 1, [0, 0, 0]),
    ("N", 1, 1, 0, [1, 1, -2]),
    ("kN", 1000, 1, 0, [1, 1, -2]),
    ("J", 1, 1, 0, [2, 1, -2]),
    ("W", 1, 1, 0, [2, 1, -3]),
    ("Pa", 1, 1, 0, [-1, 1, -2]),
    ("Hz", 1, 1, 0, [0, 0, -1]),
    ("rpm", 1, 30, 1, [0, 0, -1]),
    ("gram", 1, 1000, 0, [0, 1, 0]),
    ("hour", 3600, 1, 0, [0, 0, 1]),
];

/// The names of all units.
pub(crate) fn unit_names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|row| row.0)
}

/// What units are called in a sentence.
const SPOKEN: [(&str, &str); 18] = [
    ("m", "metres"),
    ("mm", "millimetres"),
    ("cm", "centimetres"),
    ("km", "kilometres"),
    ("s", "seconds"),
    ("ms", "milliseconds"),
    ("kg", "kilograms"),
    ("rad", "radians"),
    ("deg", "degrees"),
    ("N", "newtons"),
    ("kN", "kilonewtons"),
    ("J", "joules"),
    ("W", "watts"),
    ("Pa", "pascals"),
    ("Hz", "hertz"),
    ("rpm", "revolutions per minute"),
    ("gram", "grams"),
    ("hour", "hours"),
];

/// Dimensions that have a name of their own: exponents of m, kg and s.
const NAMED: [([i64; 3], &str); 8] = [
    ([1, 1, -2], "N"),
    ([2, 1, -2], "J or N*m"),
    ([2, 1, -3], "W"),
    ([-1, 1, -2], "Pa"),
    ([0, 1, -2], "N/m"),
    ([0, 1, -1], "N*s/m"),
    ([2, 1, -1], "N*m*s"),
    ([1, 1, -1], "N*s"),
];

/// No unit may be raised to more than this, so that factors stay numbers one can print.
pub(crate) const LARGEST_EXPONENT: i32 = 99;

/// The exponents of metre, kilogram and second.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dimension {
    /// Of the metre.
    pub m: Rational,
    /// Of the kilogram.
    pub kg: Rational,
    /// Of the second.
    pub s: Rational,
}

/// What a number with a unit is multiplied by: `rational·π^pi·Π baseᵏ`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// The rational part.
    pub rational: Rational,
    /// The power of π.
    pub pi: Rational,
    /// Bases and exponents of what is no rational number: `mm^(3/2)` is `(1/1000)^(3/2)`.
    pub roots: Vec<(Rational, Rational)>,
}

impl Dimension {
    /// A number, an angle.
    pub const NONE: Dimension = Dimension { m: Rational::ZERO, kg: Rational::ZERO, s: Rational::ZERO };

    /// Integer exponents of metre, kilogram and second.
    pub fn new(m: i64, kg: i64, s: i64) -> Dimension {
        Dimension { m: m.into(), kg: kg.into(), s: s.into() }
    }

    /// The dimension of a unit.
    ///
    /// ```
    /// let unit = syntax::parse_unit("kN/mm").unwrap();
    /// assert_eq!(model::Dimension::of(&unit).to_string(), "kg/s^2 (N/m)");
    /// ```
    pub fn of(unit: &Unit) -> Dimension {
        unit.factors.iter().fold(Dimension::NONE, |product, factor| {
            let [m, kg, s] = row(factor).4;
            product.times(&Dimension::new(m, kg, s).power(&exponent(factor)))
        })
    }

    /// Whether it is that of a number.
    pub fn is_none(&self) -> bool {
        *self == Dimension::NONE
    }

    /// The dimension of a product.
    pub fn times(&self, other: &Dimension) -> Dimension {
        Dimension { m: &self.m + &other.m, kg: &self.kg + &other.kg, s: &self.s + &other.s }
    }

    /// The dimension of a quotient.
    pub fn over(&self, other: &Dimension) -> Dimension {
        Dimension { m: &self.m - &other.m, kg: &self.kg - &other.kg, s: &self.s - &other.s }
    }

    /// The dimension of a power.
    pub fn power(&self, exponent: &Rational) -> Dimension {
        Dimension { m: &self.m * exponent, kg: &self.kg * exponent, s: &self.s * exponent }
    }

    /// Whether its exponents are still of a size that somebody could have meant.
    pub(crate) fn is_sane(&self) -> bool {
        [&self.m, &self.kg, &self.s].iter().all(|exponent| exponent.bits() <= 64)
    }

    /// `is in kg*m/s^2 (N)`, or `has no unit`.
    pub(crate) fn said(&self) -> String {
        match self.is_none() {
            true => "has no unit".to_owned(),
            false => format!("is in {self}"),
        }
    }

    /// As a unit to write, `kg*m/s^2`; empty for a number.
    pub fn unit(&self) -> String {
        let (mut above, mut below) = (Vec::new(), Vec::new());
        for (name, exponent) in [("kg", &self.kg), ("m", &self.m), ("s", &self.s)] {
            match exponent.signum() {
                1 => above.push(raised(name, exponent)),
                -1 => below.push(raised(name, &exponent.abs())),
                _ => {}
            }
        }
        if above.is_empty() && !below.is_empty() {
            above.push("1".to_owned());
        }
        let below: String = below.iter().map(|factor| format!("/{factor}")).collect();
        above.join("*") + &below
    }
}

fn raised(name: &str, exponent: &Rational) -> String {
    match (exponent.is_one(), exponent.is_integer()) {
        (true, _) => name.to_owned(),
        (_, true) => format!("{name}^{exponent}"),
        _ => format!("{name}^({exponent})"),
    }
}

impl fmt::Display for Dimension {
    /// `kg*m/s^2 (N)`, or `no unit`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.write_str("no unit");
        }
        f.write_str(&self.unit())?;
        let named = NAMED.iter().find(|([m, kg, s], _)| *self == Dimension::new(*m, *kg, *s));
        named.map_or(Ok(()), |(_, name)| write!(f, " ({name})"))
    }
}

/// What a number with this unit is multiplied by to be in SI.
///
/// ```
/// let unit = syntax::parse_unit("km/hour").unwrap();
/// assert_eq!(model::factor(&unit).unwrap().rational.to_string(), "5/18");
/// ```
pub fn factor(unit: &Unit) -> Result<Factor, NumberError> {
    let mut product = Factor { rational: Rational::ONE, pi: Rational::ZERO, roots: Vec::new() };
    for factor in &unit.factors {
        let (_, num, den, pi, _) = *row(factor);
        let one = Rational::new(num, den).expect("no denominator of the table is zero");
        let power = exponent(factor);
        product.pi = &product.pi + &(&power * &i64::from(pi).into());
        match factor.root {
            1 => product.rational = &product.rational * &one.pow(factor.exponent.into())?,
            _ if one.is_one() => {}
            _ => product.roots.push((one, power)),
        }
    }
    Ok(product)
}

/// The exponent of a unit in a product of units.
pub(crate) fn exponent(factor: &UnitFactor) -> Rational {
    Rational::new(factor.exponent.into(), factor.root.max(1).into()).expect("the root of a unit is not zero")
}

fn row(factor: &UnitFactor) -> &'static (&'static str, i64, i64, i32, [i64; 3]) {
    TABLE.iter().find(|row| row.0 == factor.name).expect("every unit of the language is in the table")
}

/// `seconds` for `s`.
pub(crate) fn spoken(name: &str) -> &str {
    SPOKEN.iter().find(|row| row.0 == name).map_or(name, |row| row.1)
}

#[cfg(test)]
mod tests {
    use super::{Dimension, SPOKEN, TABLE, factor};

    #[test]
    fn the_tables_hold_the_units_of_the_language() {
        assert_eq!(TABLE.map(|row| row.0), syntax::UNITS);
        assert_eq!(SPOKEN.map(|row| row.0), syntax::UNITS);
    }

    #[test]
    fn factors_are_exact() {
        let rows = [
            ("rpm", "1/30", "1"),
            ("deg^2", "1/32400", "2"),
            ("kN/mm", "1000000", "0"),
            ("hour", "3600", "0"),
            ("N/m^(3/2)", "1", "0"),
            ("m s^-2", "1", "0"),
        ];
        for (unit, rational, pi) in rows {
            let factor = factor(&syntax::parse_unit(unit).unwrap()).unwrap();
            assert_eq!((factor.rational.to_string(), factor.pi.to_string()), (rational.into(), pi.into()), "{unit}");
            assert!(factor.roots.is_empty(), "{unit}");
        }
        let root = factor(&syntax::parse_unit("mm^(3/2)").unwrap()).unwrap().roots;
        assert_eq!((root[0].0.to_string(), root[0].1.to_string()), ("1/1000".into(), "3/2".into()));
    }

    #[test]
    fn dimensions_are_written_as_units() {
        let rows = [
            ("N", "kg*m/s^2 (N)"),
            ("N*m", "kg*m^2/s^2 (J or N*m)"),
            ("1/s", "1/s"),
            ("rad", "no unit"),
            ("deg/s", "1/s"),
            ("m/s^2", "m/s^2"),
            ("m s^-2", "m/s^2"),
            ("N/m^(3/2)", "kg/m^(1/2)/s^2"),
            ("m^0.5", "m^(1/2)"),
        ];
        for (unit, text) in rows {
            assert_eq!(Dimension::of(&syntax::parse_unit(unit).unwrap()).to_string(), text);
        }
        let root = Dimension::new(1, 0, -2).power(&expr::Rational::new(1, 2).unwrap());
        assert_eq!(root.to_string(), "m^(1/2)/s");
    }
}
