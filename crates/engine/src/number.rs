//! How is a measured number written for people?

/// Nine significant digits at most, no zeros behind them; very large and very small ones with an exponent.
///
/// ```
/// assert_eq!(engine::number::text(-0.4), "-0.4");
/// assert_eq!(engine::number::text(2.0), "2");
/// assert_eq!(engine::number::text(1.0 / 3.0), "0.333333333");
/// assert_eq!(engine::number::text(1.5e-9), "1.5e-9");
/// ```
pub fn text(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return (value + 0.0).to_string();
    }
    let scientific = format!("{value:.8e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..=8).contains(&exponent) {
        return format!("{}e{exponent}", without_zeros(digits));
    }
    let places = usize::try_from(8 - exponent).unwrap_or(0);
    without_zeros(&format!("{value:.places$}")).to_owned()
}

/// The same, or that the equations do not determine it.
pub fn told(value: f64) -> String {
    if value.is_nan() { "not determined".to_owned() } else { text(value) }
}

fn without_zeros(digits: &str) -> &str {
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    }
}
