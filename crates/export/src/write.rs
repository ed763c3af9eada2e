//! How is a value written in a language? Sums, products and quotients are the same in all of them.

use expr::{Op, Rational};

use crate::lower::is_chain;
use crate::value::Value;

/// What languages differ in.
pub trait Language {
    /// A positive number.
    fn number(&self, value: &Rational) -> String {
        float(value)
    }

    /// A number that was computed.
    fn double(&self, value: f64) -> String {
        double(value)
    }

    /// The number one.
    fn one(&self) -> &'static str {
        "1.0"
    }

    /// π
    fn pi(&self) -> &'static str {
        "3.141592653589793"
    }

    /// A function or a switch of these arguments.
    fn call(&self, op: Op, arguments: &[String]) -> String;

    /// A square root.
    fn root(&self, of: &str) -> String;

    /// A value to a power that is no small number of products; the exponent is positive.
    fn power(&self, base: &str, exponent: &Rational) -> String;
}

/// How tightly a text holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bond {
    Sum,
    Product,
    Atom,
}

/// The text of a value.
pub fn text(value: &Value, language: &dyn Language) -> String {
    written(value, language).0
}

fn written(value: &Value, language: &dyn Language) -> (String, Bond) {
    match value {
        Value::Name(name) => (name.clone(), Bond::Atom),
        Value::Pi => (language.pi().to_owned(), Bond::Atom),
        Value::Double(value) => (language.double(*value), if *value < 0.0 { Bond::Sum } else { Bond::Atom }),
        Value::Number(_) | Value::Product(_) | Value::Power(..) => {
            let (negative, text, bond) = term(value, language);
            if negative { (format!("-{text}"), Bond::Sum) } else { (text, bond) }
        }
        Value::Sum(terms) => (sum(terms, language), Bond::Sum),
        Value::Call(op, list) => {
            let arguments: Vec<String> = list.iter().map(|one| text(one, language)).collect();
            (language.call(*op, &arguments), Bond::Atom)
        }
    }
}

fn sum(terms: &[Value], language: &dyn Language) -> String {
    let mut out = String::new();
    for (k, value) in terms.iter().enumerate() {
        let (negative, text, bond) = term(value, language);
        out.push_str(match (k, negative) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        });
        if bond == Bond::Sum && (k > 0 || negative) { out.extend(["(", &text, ")"]) } else { out.push_str(&text) }
    }
    out
}

/// The sign of a term, and its text without it.
fn term(value: &Value, language: &dyn Language) -> (bool, String, Bond) {
    let mut factors = Factors::default();
    match value {
        Value::Product(list) => list.iter().for_each(|one| factors.add(one, language)),
        Value::Number(_) | Value::Power(..) => factors.add(value, language),
        _ => {
            let (text, bond) = written(value, language);
            return (false, text, bond);
        }
    }
    let bond = if factors.over.len() == 1 && factors.under.is_empty() { Bond::Atom } else { Bond::Product };
    let over = if factors.over.is_empty() { language.one().to_owned() } else { factors.over.join("*") };
    let bond = if factors.over.is_empty() && factors.under.is_empty() { Bond::Atom } else { bond };
    let text = match &factors.under[..] {
        [] => over,
        [one] => format!("{over}/{one}"),
        many => format!("{over}/({})", many.join("*")),
    };
    (factors.negative, text, bond)
}

/// Factors above and below the line, each of which needs no brackets.
#[derive(Default)]
struct Factors {
    negative: bool,
    over: Vec<String>,
    under: Vec<String>,
}

impl Factors {
    fn add(&mut self, value: &Value, language: &dyn Language) {
        match value {
            Value::Number(number) => {
                self.negative ^= number.is_negative();
                let size = number.abs();
                if !size.is_one() {
                    self.over.push(language.number(&size));
                }
            }
            Value::Power(base, exponent) => {
                let list = factors_of(base, &exponent.abs(), language);
                if exponent.is_negative() { self.under.extend(list) } else { self.over.extend(list) }
            }
            other => {
                let (text, bond) = written(other, language);
                self.over.push(if bond == Bond::Atom { text } else { format!("({text})") });
            }
        }
    }
}

/// x·x·x, x·√x, or a call.
fn factors_of(base: &Value, exponent: &Rational, language: &dyn Language) -> Vec<String> {
    let (plain, bond) = written(base, language);
    let factor = if bond == Bond::Atom { plain.clone() } else { format!("({plain})") };
    match exponent.to_small() {
        Some((n, 1)) if is_chain(exponent) => vec![factor; n as usize],
        Some((n, 2)) if is_chain(exponent) => {
            let mut list = vec![factor; n as usize / 2];
            list.push(language.root(&plain));
            list
        }
        _ => vec![language.power(&plain, exponent)],
    }
}

/// A positive number for languages of doubles: a decimal where that is the number or its nearest double, else a
/// quotient that is rounded once, else the nearest double.
pub fn float(value: &Rational) -> String {
    const EXACT: i64 = 1 << f64::MANTISSA_DIGITS;
    match value.to_small() {
        Some((n, d)) if n <= EXACT && d <= EXACT && !is_decimal(d) => format!("({n}.0/{d}.0)"),
        _ => double(value.to_f64()),
    }
}

/// A double that is read again as the same one.
pub fn double(value: f64) -> String {
    format!("{value:?}")
}

/// Doubles in a row, six to a line.
pub fn doubles(list: &[f64], indent: &str) -> String {
    let lines: Vec<String> =
        list.chunks(6).map(|line| line.iter().map(|&one| double(one)).collect::<Vec<_>>().join(", ")).collect();
    lines.join(&format!(",\n{indent}"))
}

fn is_decimal(mut denominator: i64) -> bool {
    for prime in [2, 5] {
        while denominator % prime == 0 {
            denominator /= prime;
        }
    }
    denominator == 1
}

/// A text as lines of a comment.
pub fn comment(lines: &[String], mark: &str) -> String {
    let tame = |line: &String| line.replace(char::is_control, " ").replace("*/", "* /").replace("/*", "/ *");
    lines.iter().map(|line| format!("{mark}{}", tame(line)).trim_end().to_owned() + "\n").collect()
}
