//! Which numbers stand at an axis, and how are they written?
//!
//! ```text
//! tick  = n·10ᵉ, n a multiple of 1, 2 or 5          (1)
//! label = (n − o)·10ᵉ⁻ᵖ                             (2)
//! ```
//!
//! n, the offset o, e and the power p are integers, so a label is exact. p is a multiple of three and
//! stands at the axis as ×10ᵖ where the numbers are large or small; o stands there where they differ
//! only far behind the point, such as the energy of a good integrator.

use crate::name::{Level, Text};

/// A number at an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    pub at: f64,
    pub label: String,
}

/// From where to where an axis reaches, its ticks, and what their labels leave out.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    pub low: f64,
    pub high: f64,
    pub ticks: Vec<Tick>,
    /// What the labels are to be multiplied with: this power of ten.
    pub power: i32,
    /// What is to be added then; empty if nothing.
    pub offset: String,
}

/// More digits than this in a label, and the common part is taken out.
const MOST_DIGITS: u32 = 6;

/// Relative to the numbers, a range smaller than this is rounding.
const ROUNDING: f64 = 1e-13;

/// Nobody plots numbers larger than this; their squares and differences overflow.
const LARGEST: f64 = 1e290;

/// A number as it can be drawn; `None` is a gap.
pub fn drawable(value: f64) -> Option<f64> {
    match value.abs() {
        size if size.is_nan() || size > LARGEST => None,
        size if size < 1.0 / LARGEST => Some(0.0),
        _ => Some(value),
    }
}

/// The least and the greatest number; `None` if there is none.
pub fn range(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let widen = |range: Option<(f64, f64)>, value: f64| match range {
        Some((low, high)) => Some((low.min(value), high.max(value))),
        None => Some((value, value)),
    };
    values.into_iter().filter_map(drawable).fold(None, widen)
}

/// A range with room around it; one that is constant up to rounding is opened around its value.
pub fn opened((low, high): (f64, f64), room: f64) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    let span = high - low;
    let wide = if span > ROUNDING * size {
        span * room
    } else if size > 0.0 {
        size * 0.1
    } else {
        1.0
    };
    (low - wide, high + wide)
}

impl Scale {
    /// A scale over a range, with at most about `most` ticks, but never less than two.
    ///
    /// The range must not be empty; `opened` makes it so.
    pub fn over((low, high): (f64, f64), most: usize) -> Scale {
        assert!(low < high && (high - low).is_finite(), "an axis from {low} to {high}");
        let divided = |parts: usize| {
            let (digit, exponent) = step(high - low, parts);
            (multiples(low, high, digit, exponent), exponent)
        };
        let (ticks, exponent) =
            (most.max(1)..).map(divided).find(|(ticks, _)| ticks.len() > 1).unwrap_or_else(|| divided(1));
        let offset = offset(&ticks);
        let largest = ticks.iter().map(|n| (n - offset).unsigned_abs()).max().unwrap_or(0);
        let power = power(largest, exponent);
        let tick = |&n: &i64| Tick { at: decimal(n, exponent), label: digits(n - offset, exponent - power) };
        let offset_label = if offset == 0 { String::new() } else { digits(offset, exponent) };
        Scale { low, high, ticks: ticks.iter().map(tick).collect(), power, offset: offset_label }
    }

    /// The scale of an axis at which there is nothing to read.
    pub fn blank() -> Scale {
        Scale { low: 0.0, high: 1.0, ticks: Vec::new(), power: 0, offset: String::new() }
    }

    /// Where a number lies between the ends: 0 at the low one, 1 at the high one.
    pub fn fraction(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// What stands at the end of the axis: ×10ᵖ and the offset; nothing if the labels say it all.
    pub fn note(&self) -> Text {
        let mut out = Text::default();
        if self.power != 0 {
            let power = self.power.to_string().replace('-', "−");
            out = Text::upright("×10").with(&power, false, Level::Sup);
        }
        match self.offset.strip_prefix('−') {
            _ if self.offset.is_empty() => out,
            Some(rest) => out.and(Text::upright(&format!(" − {rest}"))),
            None => out.and(Text::upright(&format!(" + {}", self.offset))),
        }
    }

    /// How much the ticks are apart, as a fraction of the axis.
    pub fn spacing(&self) -> f64 {
        match self.ticks.as_slice() {
            [first, second, ..] => self.fraction(second.at) - self.fraction(first.at),
            _ => 1.0,
        }
    }
}

/// The least step 1, 2 or 5 times a power of ten that divides the span into at most `most` parts.
fn step(span: f64, most: usize) -> (i64, i32) {
    let least = span / most as f64 * (1.0 - 1e-9);
    let exponent = least.log10().floor() as i32;
    let found = [1, 2, 5].into_iter().find(|&digit| decimal(digit, exponent) >= least);
    found.map_or((1, exponent + 1), |digit| (digit, exponent))
}

/// The multiples (1) between two numbers, in units of `10^exponent`.
fn multiples(low: f64, high: f64, digit: i64, exponent: i32) -> Vec<i64> {
    let step = decimal(digit, exponent);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|i| i * digit).collect()
}

/// The round number that all ticks are close to, if they would have too many digits without it.
fn offset(ticks: &[i64]) -> i64 {
    let (Some(&first), Some(&last)) = (ticks.first(), ticks.last()) else { return 0 };
    let largest = first.unsigned_abs().max(last.unsigned_abs());
    if largest < 10_u64.pow(MOST_DIGITS) || last == first {
        return 0;
    }
    let round = 10_i64.pow((last - first).ilog10() + 1);
    let middle = first + (last - first) / 2;
    (middle + round / 2).div_euclid(round) * round
}

/// The power of ten, a multiple of three, that is better written once than in every label.
fn power(largest: u64, exponent: i32) -> i32 {
    if largest == 0 {
        return 0;
    }
    let order = largest.ilog10() as i32 + exponent;
    if (-2..5).contains(&order) { 0 } else { order.div_euclid(3) * 3 }
}

fn decimal(n: i64, exponent: i32) -> f64 {
    if exponent < 0 { n as f64 / 10_f64.powi(-exponent) } else { n as f64 * 10_f64.powi(exponent) }
}

/// `n·10^exponent` in digits, exactly; a real minus sign.
fn digits(n: i64, exponent: i32) -> String {
    if n == 0 {
        return "0".to_owned();
    }
    let sign = if n < 0 { "−" } else { "" };
    let mut all = n.unsigned_abs().to_string();
    let decimals = (-exponent).max(0) as usize;
    all += &"0".repeat(exponent.max(0) as usize);
    all = "0".repeat((decimals + 1).saturating_sub(all.len())) + &all;
    let (whole, part) = all.split_at(all.len() - decimals);
    let part = part.trim_end_matches('0');
    if part.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
}

/// A single number in a sentence, with that many digits.
///
/// 0.25, 1200 and 3.1·10⁻⁷ are written in the way shown here.
pub fn spoken(value: f64, significant: usize) -> String {
    if !value.is_finite() {
        return value.to_string().replace('-', "−");
    }
    let text = format!("{value:.*e}", significant.max(1) - 1);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (n, exponent) = (mantissa.replace('.', "").parse().unwrap_or(0), exponent.parse().unwrap_or(0));
    let last = exponent - (significant.max(1) as i32 - 1);
    if (-3..6).contains(&exponent) || n == 0 {
        return digits(n, last);
    }
    let power = Text::upright("·10").with(&exponent.to_string().replace('-', "−"), false, Level::Sup);
    digits(n, last - exponent) + &power.plain()
}

#[cfg(test)]
mod tests {
    use super::{Scale, drawable, opened, range, spoken};

    fn labels(low: f64, high: f64, most: usize) -> String {
        let scale = Scale::over((low, high), most);
        let labels: Vec<&str> = scale.ticks.iter().map(|tick| tick.label.as_str()).collect();
        format!("{} | {}", labels.join(" "), scale.note().plain())
    }

    #[test]
    fn ticks_are_round() {
        let table = [
            (0.0, 10.0, 5, "0 2 4 6 8 10 | "),
            (0.0, 10.0, 10, "0 1 2 3 4 5 6 7 8 9 10 | "),
            (-1.0, 1.0, 4, "−1 −0.5 0 0.5 1 | "),
            (0.3, 2.7, 5, "0.5 1 1.5 2 2.5 | "),
            (0.0, 100_000.0, 5, "0 20 40 60 80 100 | ×10³"),
            (0.0, 50_000.0, 5, "0 10000 20000 30000 40000 50000 | "),
            (0.0, 0.05, 5, "0 0.01 0.02 0.03 0.04 0.05 | "),
            (0.0, 0.004, 4, "0 1 2 3 4 | ×10⁻³"),
            (0.0, 6.02e23, 4, "0 200 400 600 | ×10²¹"),
            (-3e-17, 3e-17, 3, "−20 0 20 | ×10⁻¹⁸"),
            (1999.0, 2003.0, 4, "1999 2000 2001 2002 2003 | "),
            (49.05 - 3e-12, 49.05 + 3e-12, 3, "−2 0 2 | ×10⁻¹² + 49.05"),
            (-7.0000002, -7.0, 2, "−200 −100 0 | ×10⁻⁹ − 7"),
            (0.0, 1.0, 0, "0 1 | "),
        ];
        for (low, high, most, expected) in table {
            assert_eq!(labels(low, high, most), expected, "from {low} to {high}");
        }
    }

    #[test]
    fn ticks_lie_within_the_axis_and_none_is_minus_zero() {
        for k in -280..280 {
            let size = 10_f64.powi(k);
            let scale = Scale::over((-1.3 * size, 2.9 * size), 6);
            assert!((3..=7).contains(&scale.ticks.len()), "{scale:?}");
            assert!(scale.ticks.iter().all(|tick| (-1e-9..=1.0 + 1e-9).contains(&scale.fraction(tick.at))));
            assert!(scale.ticks.iter().all(|tick| tick.label != "−0" && tick.label.len() < 9), "{scale:?}");
        }
    }

    #[test]
    fn a_constant_is_opened_around_its_value() {
        assert_eq!(opened((0.0, 0.0), 0.05), (-1.0, 1.0));
        assert_eq!(opened((10.0, 10.0), 0.05), (9.0, 11.0));
        assert_eq!(opened((0.0, 10.0), 0.05), (-0.5, 10.5));
        let (low, high) = opened((9.81, 9.81 + 1e-15), 0.05);
        assert!(low < 9.0 && high > 10.0, "rounding is no range");
    }

    #[test]
    fn a_range_leaves_out_what_is_not_finite() {
        assert_eq!(range([f64::NAN, 2.0, f64::INFINITY, -1.0, 1e300]), Some((-1.0, 2.0)));
        assert_eq!(range([f64::NAN]), None);
        assert_eq!(drawable(1e-300), Some(0.0));
    }

    #[test]
    fn a_spoken_number_is_short() {
        let table = [
            (0.25, "0.25"),
            (0.0025, "0.0025"),
            (1200.0, "1200"),
            (3.1e-7, "3.1·10⁻⁷"),
            (-2.5e10, "−2.5·10¹⁰"),
            (0.0, "0"),
            (-0.0, "0"),
            (1.0 / 3.0, "0.3333"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "−inf"),
        ];
        for (value, expected) in table {
            assert_eq!(spoken(value, 4), expected);
        }
    }
}
