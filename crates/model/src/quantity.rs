//! What is a quantity worth that somebody types outside a model: `10 s`, `.5`, `36 km/hour`?
//!
//! A bare number is in SI units. In a range `0..36 km/hour` the unit at the end is that of both ends, unless the first has
//! its own.

use syntax::{Node, NodeKind, Scale, Sign, Unit};

use crate::units::{Dimension, factor};

/// A number in SI units, and its dimension if a unit was written.
type Measured = (f64, Option<Dimension>);

/// What a name is worth, if it may stand in a quantity.
pub type Names<'a> = &'a dyn Fn(&str) -> Option<f64>;

/// The value of a quantity in SI units.
///
/// ```
/// let time = model::Dimension::new(0, 0, 1);
/// assert_eq!(model::quantity("10 s", Some(&time), &|_| None), Ok(10.0));
/// assert_eq!(model::quantity(".5", Some(&time), &|_| None), Ok(0.5));
/// assert_eq!(model::quantity("2 ms + 1 s", Some(&time), &|_| None), Ok(1.002));
/// assert!(model::quantity("10 kg", Some(&time), &|_| None).is_err());
/// ```
pub fn quantity(text: &str, wanted: Option<&Dimension>, names: Names<'_>) -> Result<f64, String> {
    fitting(text, measured(&parsed(text)?, names)?, wanted)
}

/// The two ends of a range `a..b`, in SI units.
///
/// ```
/// let speed = model::Dimension::new(1, 0, -1);
/// assert_eq!(model::range("0..36 km/hour", Some(&speed), &|_| None), Ok((0.0, 10.0)));
/// assert_eq!(model::range("18..36 km/hour", Some(&speed), &|_| None), Ok((5.0, 10.0)));
/// assert_eq!(model::range("1 m/s..36 km/hour", Some(&speed), &|_| None), Ok((1.0, 10.0)));
/// assert_eq!(model::range("1..10", Some(&speed), &|_| None), Ok((1.0, 10.0)));
/// assert!(model::range("1 m/s..10", Some(&speed), &|_| None).is_err());
/// ```
pub fn range(text: &str, wanted: Option<&Dimension>, names: Names<'_>) -> Result<(f64, f64), String> {
    let (from, to) = text.split_once("..").ok_or_else(|| format!("`{text}` is no range: write it as `0..10`"))?;
    let (first, last) = (parsed(from)?, parsed(to)?);
    let (mut low, high) = (measured(&first, names)?, measured(&last, names)?);
    match (&low.1, &high.1) {
        (None, Some(dimension)) => {
            low = (low.0 * last_unit(&last).map_or(Ok(1.0), size)?, Some(dimension.clone()));
        }
        (Some(_), None) if high.0 != 0.0 => {
            return Err(format!("`{}` has a unit and `{}` has none: give the unit at the end", from.trim(), to.trim()));
        }
        _ => {}
    }
    // the end first: its unit may be that of both
    let high = fitting(to, high, wanted)?;
    Ok((fitting(from, low, wanted)?, high))
}

fn parsed(text: &str) -> Result<Node, String> {
    let told = |errors: Vec<syntax::Diagnostic>| {
        let first = errors.into_iter().next().map_or_else(String::new, |error| format!(": {}", error.message));
        format!("`{}` is no quantity{first}", text.trim())
    };
    syntax::parse_expression(text.trim()).map_err(told)
}

/// The number, if its dimension is the one that is wanted.
fn fitting(text: &str, (value, found): Measured, wanted: Option<&Dimension>) -> Result<f64, String> {
    let text = text.trim();
    match (found, wanted) {
        _ if !value.is_finite() => Err(format!("`{text}` is no finite number")),
        (None, _) => Ok(value),
        (Some(found), Some(wanted)) if found == *wanted => Ok(value),
        (Some(found), Some(wanted)) => {
            let unit = wanted.unit();
            let wanted = if unit.is_empty() { "a number or an angle".to_owned() } else { format!("a value in {unit}") };
            Err(format!("`{text}` {}, and {wanted} is needed", found.said()))
        }
        (Some(_), None) => Err(format!("`{text}` has a unit, and the model has none: give a bare number")),
    }
}

/// The unit of the last number with one.
fn last_unit(node: &Node) -> Option<&Unit> {
    match &node.kind {
        NodeKind::Number { unit, .. } => unit.as_ref(),
        NodeKind::Signed { of, .. } => last_unit(of),
        NodeKind::Product(factors) => factors.iter().rev().find_map(|(_, factor)| last_unit(factor)),
        NodeKind::Sum(terms) => terms.iter().rev().find_map(|(_, term)| last_unit(term)),
        _ => None,
    }
}

/// How large a unit is in SI units.
fn size(unit: &Unit) -> Result<f64, String> {
    let factor = factor(unit).map_err(|error| error.to_string())?;
    let roots: f64 = factor.roots.iter().map(|(base, exponent)| base.to_f64().powf(exponent.to_f64())).product();
    Ok(factor.rational.to_f64() * std::f64::consts::PI.powf(factor.pi.to_f64()) * roots)
}

fn measured(node: &Node, names: Names<'_>) -> Result<Measured, String> {
    match &node.kind {
        NodeKind::Number { text, unit } => {
            let number: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
            match unit {
                None => Ok((number, None)),
                Some(unit) => Ok((number * size(unit)?, Some(Dimension::of(unit)))),
            }
        }
        NodeKind::Name { name, index: None } if name == "pi" => Ok((std::f64::consts::PI, None)),
        NodeKind::Name { .. } => {
            let name = crate::text_of(node);
            names(&name).map(|value| (value, None)).ok_or_else(|| format!("`{name}` has no value here"))
        }
        NodeKind::Signed { sign, of } => {
            let (value, dimension) = measured(of, names)?;
            Ok((if *sign == Sign::Minus { -value } else { value }, dimension))
        }
        NodeKind::Sum(terms) => sum(terms, names),
        NodeKind::Product(factors) => product(factors, names),
        NodeKind::Power { base, exponent } => {
            let ((base, dimension), (exponent, none)) = (measured(base, names)?, measured(exponent, names)?);
            match (dimension, none) {
                (None, None) => Ok((base.powf(exponent), None)),
                _ => Err(format!("`{}`: powers of quantities with units are not read here", crate::text_of(node))),
            }
        }
        NodeKind::Call { .. } => call(node, names),
        _ => Err(format!("`{}` is no quantity", crate::text_of(node))),
    }
}

fn sum(terms: &[(Sign, Node)], names: Names<'_>) -> Result<Measured, String> {
    let mut all: Option<Measured> = None;
    for (sign, term) in terms {
        let (value, dimension) = measured(term, names)?;
        let value = if *sign == Sign::Minus { -value } else { value };
        all = Some(match all {
            None => (value, dimension),
            Some((sum, known)) if known == dimension => (sum + value, known),
            Some(_) => return Err(format!("`{}`: its terms have different units", crate::text_of(term))),
        });
    }
    Ok(all.unwrap_or((0.0, None)))
}

fn product(factors: &[(Scale, Node)], names: Names<'_>) -> Result<Measured, String> {
    let (mut all, mut found) = (1.0, None::<Dimension>);
    for (scale, factor) in factors {
        let (value, dimension) = measured(factor, names)?;
        let by = dimension.clone().unwrap_or(Dimension::NONE);
        let known = found.clone().unwrap_or(Dimension::NONE);
        let (product, made) = match scale {
            Scale::Times => (all * value, known.times(&by)),
            Scale::Over => (all / value, known.over(&by)),
        };
        all = product;
        if found.is_some() || dimension.is_some() {
            found = Some(made);
        }
    }
    Ok((all, found))
}

/// Roots and the like of plain numbers.
fn call(node: &Node, names: Names<'_>) -> Result<Measured, String> {
    let wrong = || format!("`{}` is no quantity: numbers, units, `pi` and roots may stand here", crate::text_of(node));
    let NodeKind::Call { name, arguments: syntax::Arguments::List(list) } = &node.kind else { return Err(wrong()) };
    let [of] = &list[..] else { return Err(wrong()) };
    let function: fn(f64) -> f64 = match name.as_str() {
        "sqrt" => f64::sqrt,
        "sin" => f64::sin,
        "cos" => f64::cos,
        "tan" => f64::tan,
        "asin" => f64::asin,
        "acos" => f64::acos,
        "atan" => f64::atan,
        _ => return Err(wrong()),
    };
    match measured(of, names)? {
        (value, None) => Ok((function(value), None)),
        (value, Some(dimension)) if dimension.is_none() => Ok((function(value), None)),
        _ => Err(wrong()),
    }
}
