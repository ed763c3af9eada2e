//! MathML that a browser shows: what the LaTeX printer writes, as elements of MathML Core.
//!
//! Every node is written as exactly one element, so that it can stand wherever an element is
//! wanted; a sign at the front of a row is a prefix because it is the first of its row. Products
//! carry the invisible times U+2062, functions the invisible apply U+2061, so that a screen
//! reader reads `f(x)` and `f x` rightly.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::latex::{
    GREEK, LATIN, all_terms, command, is_index, is_one_fraction, needs_no_brackets, numbers_in_front, split_name,
    starts_with_digit, takes_exponent, term_binding,
};
use super::{Binding, Factor, Pending, Term, difference, in_order, numeral, take_apart, write};
use crate::graph::{Id, Op, Store};
use crate::integral::shown;
use crate::number::Rational;
use crate::scope::{Expr, with_graph};
use crate::symbol::{Kind, Symbol};

/// An expression as one element of presentation MathML, to stand inside `<math>`.
///
/// ```
/// let _scope = expr::Scope::enter();
/// let (m, x) = (expr::parameter("m"), expr::coordinate("x"));
/// let half = "<mfrac><mi>m</mi><mn>2</mn></mfrac>";
/// assert_eq!(expr::mathml(m / 2), half);
/// assert_eq!(expr::mathml(x.sqrt()), "<msqrt><mi>x</mi></msqrt>");
/// ```
pub fn mathml(e: Expr) -> String {
    let id = e.id();
    with_graph(|graph| {
        let page = Page { store: &graph.store, names: RefCell::default() };
        write(id, usize::MAX, |id, binding, out| node(&page, id, binding, out))
    })
}

/// What is being written: a store, and the names of its symbols, each typeset once.
struct Page<'a> {
    store: &'a Store,
    names: RefCell<FxHashMap<Id, Name>>,
}

const TIMES: &str = "<mo>\u{2062}</mo>";
const THIN_SPACE: &str = "<mspace width=\"0.1667em\"/>";
const MINUS: &str = "<mo>\u{2212}</mo>";
const OPEN: &str = "<mrow><mo>(</mo>";
const CLOSE: &str = "<mo>)</mo></mrow>";

// ---- names

/// A name as one element of MathML, typeset as [`latex_name`](crate::latex_name) does it.
///
/// ```
/// assert_eq!(expr::mathml_name("theta12"), "<msub><mi>θ</mi><mn>12</mn></msub>");
/// assert_eq!(expr::mathml_name("m_rod"), "<msub><mi>m</mi><mi>rod</mi></msub>");
/// ```
pub fn mathml_name(name: &str) -> String {
    let mut parts = Vec::new();
    scripted(Name::of(&Symbol::new(name, Kind::Parameter)), None, &mut parts);
    parts.iter().map(Pending::text).collect()
}

/// A symbol typeset: its letter with dots, what stands below it, what stands above it.
#[derive(Clone)]
struct Name {
    letter: Rc<str>,
    below: Option<Rc<str>>,
    /// The order of a derivative that has too many dots.
    above: Option<Rc<str>>,
}

impl Name {
    fn of(symbol: &Symbol) -> Name {
        // a variation: δ stands before the letter and its dots
        let (varied, name) = symbol.name.strip_prefix('δ').map_or((false, &symbol.name[..]), |name| (true, name));
        let (letter, below) = match split_name(name) {
            Some((head, subscripts)) => (letter(head), subscript(&subscripts)),
            None => (word(name), None),
        };
        let letter = match dots(symbol.order) {
            Some(dots) => format!("<mover accent=\"true\">{letter}<mo>{dots}</mo></mover>"),
            None => letter,
        };
        let letter = if varied { format!("<mrow><mi>δ</mi>{letter}</mrow>") } else { letter };
        let above = (symbol.order > 3).then(|| format!("{OPEN}<mn>{}</mn>{CLOSE}", symbol.order));
        Name { letter: letter.into(), below: below.map(Rc::from), above: above.map(Rc::from) }
    }
}

impl Page<'_> {
    fn name(&self, id: Id) -> Option<Name> {
        let symbol = self.store.symbol(id)?;
        Some(
            self.names
                .borrow_mut()
                .entry(id)
                .or_insert_with(|| Name::of(shown(symbol).as_ref().unwrap_or(symbol)))
                .clone(),
        )
    }
}

/// A name with its subscript, and a power of it above the subscript.
fn scripted(name: Name, exponent: Option<Pending>, out: &mut Vec<Pending>) {
    let (below, above) = (name.below.map(Pending::Shared), exponent.or(name.above.map(Pending::Shared)));
    let (open, close) = match (&below, &above) {
        (None, None) => return out.push(Pending::Shared(name.letter)),
        (Some(_), None) => ("<msub>", "</msub>"),
        (None, Some(_)) => ("<msup>", "</msup>"),
        (Some(_), Some(_)) => ("<msubsup>", "</msubsup>"),
    };
    out.extend([Pending::Literal(open), Pending::Shared(name.letter)]);
    out.extend(below.into_iter().chain(above));
    out.push(Pending::Literal(close));
}

/// The accent of a time derivative; of the fourth and higher ones there is none.
fn dots(order: u32) -> Option<char> {
    match order {
        1 => Some('\u{2d9}'),
        2 => Some('\u{a8}'),
        3 => Some('\u{20db}'),
        _ => None,
    }
}

fn subscript(pieces: &[&str]) -> Option<String> {
    match pieces {
        [] => None,
        [one] => Some(index(one)),
        several => {
            let several: Vec<String> = several.iter().map(|piece| index(piece)).collect();
            Some(format!("<mrow>{}</mrow>", several.join("<mo>,</mo>")))
        }
    }
}

/// A subscript: a number, a letter, letters side by side such as `xy`, or a word.
fn index(piece: &str) -> String {
    if !is_index(piece) {
        return letter(piece);
    }
    let is_digit = |c: char| c.is_ascii_digit();
    let parts: Vec<String> = piece
        .as_bytes()
        .chunk_by(|&a, &b| a.is_ascii_digit() && b.is_ascii_digit())
        .map(|run| match std::str::from_utf8(run).unwrap_or_default() {
            "-" => MINUS.to_owned(),
            digits if digits.starts_with(is_digit) => format!("<mn>{digits}</mn>"),
            letter => format!("<mi>{letter}</mi>"),
        })
        .collect();
    match &*parts {
        [one] => one.clone(),
        several => format!("<mrow>{}</mrow>", several.concat()),
    }
}

/// The characters of the Greek letters, in the order of their names; as LaTeX draws them.
const GREEK_LETTERS: &str = "αβγδϵζηθικλμνξπρστυϕχψωΓΔΘΛΞΠΣΥΦΨΩεϑφϱςℓ";

/// A letter, a Greek letter by its name, or an upright word.
fn letter(name: &str) -> String {
    if name.len() == 1 {
        return format!("<mi>{name}</mi>");
    }
    if let Some(place) = GREEK.split(' ').position(|known| known == name) {
        let letter = GREEK_LETTERS.chars().nth(place).unwrap_or_default();
        return if letter.is_uppercase() { upright(letter) } else { format!("<mi>{letter}</mi>") };
    }
    match LATIN.split(' ').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')) {
        Some(latin) => format!("<mi mathvariant=\"normal\">{latin}</mi>"),
        None => word(name),
    }
}

/// A word is upright as soon as it has two letters; a single letter has to ask for it.
fn word(name: &str) -> String {
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(one), None) => upright(one),
        _ => format!("<mi>{}</mi>", escaped(name)),
    }
}

fn upright(letter: char) -> String {
    format!("<mi mathvariant=\"normal\">{}</mi>", escaped(letter.encode_utf8(&mut [0; 4])))
}

/// Text that may stand in an element: XML has no way to write most control characters.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

// ---- nodes

fn node(page: &Page, id: Id, binding: Binding, out: &mut Vec<Pending>) {
    match page.store.op(id) {
        Op::Symbol => {
            let Some(name) = page.name(id) else { unreachable!("a symbol's node has its symbol") };
            let twice_above = binding == Binding::Power && name.above.is_some();
            bracketed(twice_above, out, |out| scripted(name, None, out));
        }
        Op::Pi => out.push(Pending::Literal("<mi>π</mi>")),
        Op::Sum => bracketed(binding > Binding::Sum, out, |out| sum(page, id, out)),
        Op::Number | Op::Scale | Op::Product | Op::Power => {
            let term = take_apart(page.store, id);
            bracketed(binding > term_binding(page.store, &term), out, |out| signed(page, &term, out));
        }
        Op::Abs => enclosed("<mrow><mo>|</mo>", &[page.store.child(id)], "<mo>|</mo></mrow>", out),
        Op::IfNegative | Op::IfZero => bracketed(binding > Binding::Sum, out, |out| switch(page, id, out)),
        Op::Unspecified => bracketed(binding == Binding::Power, out, |out| unspecified(page, id, out)),
        Op::Integral => bracketed(binding > Binding::Sum, out, |out| integral(page, id, out)),
        _ => bracketed(binding == Binding::Power, out, |out| function(page, id, None, out)),
    }
}

fn integral(page: &Page, id: Id, out: &mut Vec<Pending>) {
    let &[bound, integrand, from, to, ..] = page.store.children(id) else { unreachable!("an integral has limits") };
    out.extend([Pending::Literal("<mrow><msubsup><mo>∫</mo><mrow>"), Pending::Node(from, Binding::Sum)]);
    out.extend([Pending::Literal("</mrow><mrow>"), Pending::Node(to, Binding::Sum)]);
    out.extend([Pending::Literal("</mrow></msubsup>"), Pending::Node(integrand, Binding::Product)]);
    out.extend([Pending::Literal("<mi>d</mi>"), Pending::Node(bound, Binding::Power), Pending::Literal("</mrow>")]);
}

/// A function of which only the arguments are known, or a derivative of it.
fn unspecified(page: &Page, id: Id, out: &mut Vec<Pending>) {
    let (name, parts) = super::named(page.store, id);
    let total: usize = parts.iter().map(|part| part.0).sum();
    let raised = |of: &'static str, times: usize| match times {
        1 => vec![Pending::Literal(of)],
        _ => vec![Pending::Literal("<msup>"), Pending::Literal(of), Pending::Owned(format!("<mn>{times}</mn></msup>"))],
    };
    if total > 0 {
        out.push(Pending::Literal("<mfrac><mrow>"));
        out.extend(raised("<mo>∂</mo>", total));
        out.extend([Pending::Owned(mathml_name(&name)), Pending::Literal("</mrow><mrow>")]);
        for (times, argument) in parts.iter().filter(|part| part.0 > 0) {
            out.push(Pending::Literal("<mo>∂</mo>"));
            if *times > 1 {
                out.extend([Pending::Literal("<msup>"), Pending::Node(*argument, Binding::Power)]);
                out.push(Pending::Owned(format!("<mn>{times}</mn></msup>")));
            } else {
                out.push(Pending::Node(*argument, Binding::Power));
            }
        }
        out.push(Pending::Literal("</mrow></mfrac>"));
    } else {
        out.push(Pending::Literal("<mrow>"));
        out.push(Pending::Owned(mathml_name(&name)));
        let arguments: Vec<Id> = parts.iter().map(|part| part.1).collect();
        enclosed(OPEN, &arguments, "<mo>)</mo></mrow></mrow>", out);
    }
}

fn signed(page: &Page, term: &Term, out: &mut Vec<Pending>) {
    if !term.negative {
        return fraction(page, term, out);
    }
    out.extend([Pending::Literal("<mrow>"), Pending::Literal(MINUS)]);
    fraction(page, term, out);
    out.push(Pending::Literal("</mrow>"));
}

/// A function, or a power of it, which is written after its name.
fn function(page: &Page, id: Id, exponent: Option<&Rational>, out: &mut Vec<Pending>) {
    let arguments = page.store.children(id);
    match page.store.op(id) {
        Op::Cbrt => return enclosed("<mroot>", arguments, "<mn>3</mn></mroot>", out),
        Op::Exp => return enclosed("<msup><mi mathvariant=\"normal\">e</mi>", arguments, "</msup>", out),
        _ => {}
    }
    let name = Pending::Literal(function_name(page.store.op(id)));
    match exponent {
        None => out.extend([Pending::Literal("<mrow><mi>"), name, Pending::Literal("</mi><mo>\u{2061}</mo>")]),
        Some(exponent) => out.extend([
            Pending::Literal("<mrow><msup><mi>"),
            name,
            Pending::Literal("</mi>"),
            power(exponent),
            Pending::Literal("</msup><mo>\u{2061}</mo>"),
        ]),
    }
    match *arguments {
        [argument] if needs_no_brackets(page.store, argument) => enclosed(THIN_SPACE, &[argument], "</mrow>", out),
        _ => enclosed(OPEN, arguments, "<mo>)</mo></mrow></mrow>", out),
    }
}

/// The name that a reader sees: that of LaTeX's command.
fn function_name(op: Op) -> &'static str {
    let command = command(op);
    let named = command.strip_prefix(r"\operatorname{").and_then(|name| name.strip_suffix('}'));
    named.unwrap_or(command.trim_start_matches('\\'))
}

fn switch(page: &Page, id: Id, out: &mut Vec<Pending>) {
    const LEFT: &str = "<mtd style=\"text-align:left\">";
    const NEXT: &str = "</mtd><mtd style=\"text-align:left\"><mtext>if\u{a0}</mtext>";
    const ELSE: &str = "</mtd><mtd style=\"text-align:left\"><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>";
    let &[d, p, q] = page.store.children(id) else { unreachable!("a switch has three arguments") };
    let relation = if page.store.op(id) == Op::IfNegative { "<mo>&lt;</mo>" } else { "<mo>=</mo>" };
    out.extend([Pending::Literal("<mrow><mo>{</mo><mtable><mtr>"), Pending::Literal(LEFT)]);
    enclosed("", &[p], NEXT, out);
    match difference(page.store, d) {
        Some((larger, smaller)) => {
            enclosed("", &[larger], relation, out);
            if smaller.below.is_empty() { alone(page, &smaller.above, out) } else { fraction(page, &smaller, out) }
        }
        None => {
            enclosed("", &[d], relation, out);
            out.push(Pending::Literal("<mn>0</mn>"));
        }
    }
    out.extend([Pending::Literal("</mtd></mtr><mtr>"), Pending::Literal(LEFT)]);
    enclosed("", &[q], ELSE, out);
}

fn enclosed(open: &'static str, list: &[Id], close: &'static str, out: &mut Vec<Pending>) {
    out.push(Pending::Literal(open));
    for (k, &id) in list.iter().enumerate() {
        if k > 0 {
            out.push(Pending::Literal("<mo>,</mo>"));
        }
        out.push(Pending::Node(id, Binding::Sum));
    }
    out.push(Pending::Literal(close));
}

fn bracketed(needed: bool, out: &mut Vec<Pending>, inside: impl FnOnce(&mut Vec<Pending>)) {
    if needed {
        out.push(Pending::Literal(OPEN));
    }
    inside(out);
    if needed {
        out.push(Pending::Literal(CLOSE));
    }
}

fn sum(page: &Page, id: Id, out: &mut Vec<Pending>) {
    out.push(Pending::Literal("<mrow>"));
    for (k, term) in in_order(page.store, all_terms(page.store, id)).into_iter().enumerate() {
        let parts = take_apart(page.store, term);
        match (k, parts.negative) {
            (0, false) => {}
            (_, true) => out.push(Pending::Literal(MINUS)),
            (_, false) => out.push(Pending::Literal("<mo>+</mo>")),
        }
        fraction(page, &parts, out);
    }
    out.push(Pending::Literal("</mrow>"));
}

// ---- terms

/// ½ m v² keeps its numbers together; everything else stands above or below one line.
fn fraction(page: &Page, term: &Term, out: &mut Vec<Pending>) {
    if term.below.is_empty() {
        return factors(page, &term.above, out);
    }
    let together =
        if is_one_fraction(page.store, term) { term.above.len() } else { numbers_in_front(page.store, term) };
    let (above, beside) = term.above.split_at(together);
    out.push(Pending::Literal(if beside.is_empty() { "<mfrac>" } else { "<mrow><mfrac>" }));
    match above {
        [] => out.push(Pending::Literal("<mn>1</mn>")),
        _ => alone(page, above, out),
    }
    alone(page, &term.below, out);
    out.push(Pending::Literal("</mfrac>"));
    for factor in beside {
        times(page, factor, out);
        write_factor(page, factor, out);
    }
    if !beside.is_empty() {
        out.push(Pending::Literal("</mrow>"));
    }
}

/// Factors that are enclosed already, so that a single sum needs no brackets.
fn alone(page: &Page, list: &[Factor], out: &mut Vec<Pending>) {
    match list {
        &[Factor::Power(id, ref e)] if e.is_one() => out.push(Pending::Node(id, Binding::Sum)),
        _ => factors(page, list, out),
    }
}

fn factors(page: &Page, list: &[Factor], out: &mut Vec<Pending>) {
    if let [one] = list {
        return write_factor(page, one, out);
    }
    out.push(Pending::Literal("<mrow>"));
    for (k, factor) in list.iter().enumerate() {
        if k > 0 {
            times(page, factor, out);
        }
        write_factor(page, factor, out);
    }
    out.push(Pending::Literal("</mrow>"));
}

/// What stands between a factor and the one before it.
fn times(page: &Page, factor: &Factor, out: &mut Vec<Pending>) {
    if starts_with_digit(page.store, factor) {
        return out.push(Pending::Literal("<mo>⋅</mo>"));
    }
    out.push(Pending::Literal(TIMES));
    let begins_with_name = |op: Op| takes_exponent(op) || matches!(op, Op::Atan2 | Op::Min | Op::Max);
    if matches!(factor, Factor::Power(id, e) if e.is_integer() && begins_with_name(page.store.op(*id))) {
        out.push(Pending::Literal(THIN_SPACE));
    }
}

fn write_factor(page: &Page, factor: &Factor, out: &mut Vec<Pending>) {
    match factor {
        Factor::Number(number) => out.push(Pending::Owned(format!("<mn>{}</mn>", numeral(number)))),
        Factor::Radical(number) => out.push(Pending::Owned(format!("<msqrt>{}</msqrt>", ratio(number)))),
        &Factor::Power(id, ref e) if e.is_one() => out.push(Pending::Node(id, Binding::Product)),
        &Factor::Power(id, ref e) if e.numerator().is_one() => {
            let order = e.denominator();
            if order == Rational::from(2) {
                return enclosed("<msqrt>", &[id], "</msqrt>", out);
            }
            enclosed("<mroot>", &[id], "", out);
            out.extend([Pending::Owned(integer(&order)), Pending::Literal("</mroot>")]);
        }
        &Factor::Power(id, ref e) if e.is_integer() && takes_exponent(page.store.op(id)) => {
            function(page, id, Some(e), out)
        }
        &Factor::Power(id, ref e) => match page.name(id) {
            Some(name) if name.above.is_none() => scripted(name, Some(power(e)), out),
            _ => {
                out.extend([Pending::Literal("<msup>"), Pending::Node(id, Binding::Power)]);
                out.extend([power(e), Pending::Literal("</msup>")]);
            }
        },
    }
}

fn integer(number: &Rational) -> String {
    format!("<mn>{number}</mn>")
}

/// A positive exponent: 2, or 2/3 on one line.
fn power(e: &Rational) -> Pending {
    match e.to_small() {
        Some((2, 1)) => Pending::Literal("<mn>2</mn>"),
        _ if e.is_integer() => Pending::Owned(integer(e)),
        _ => {
            let (above, below) = (e.numerator(), e.denominator());
            Pending::Owned(format!("<mrow><mn>{above}</mn><mo>/</mo><mn>{below}</mn></mrow>"))
        }
    }
}

fn ratio(number: &Rational) -> String {
    let (above, below) = (number.numerator(), number.denominator());
    if below.is_one() { integer(&above) } else { format!("<mfrac><mn>{above}</mn><mn>{below}</mn></mfrac>") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scope, parse};

    /// The elements in a short notation, without spaces: `[ ]` for a row, `*` and `@` for what a
    /// reader does not see, `~` for a thin space, `^` for an upright letter.
    fn short(elements: &str) -> String {
        let names = [
            ("<mrow>", "["),
            ("<mfrac>", "frac("),
            ("<msup>", "sup("),
            ("<msub>", "sub("),
            ("<msubsup>", "subsup("),
            ("<msqrt>", "sqrt("),
            ("<mroot>", "root("),
            ("<mover accent=\"true\">", "over("),
            ("</mrow>", "]"),
            ("</mfrac>", ")"),
            ("</msup>", ")"),
            ("</msub>", ")"),
            ("</msubsup>", ")"),
            ("</msqrt>", ")"),
            ("</mroot>", ")"),
            ("</mover>", ")"),
            ("<mi mathvariant=\"normal\">", "^"),
            (THIN_SPACE, "~"),
            ("\u{2062}", "*"),
            ("\u{2061}", "@"),
            ("<mi>", ""),
            ("<mn>", ""),
            ("<mo>", ""),
            ("</mi>", ""),
            ("</mn>", ""),
            ("</mo>", ""),
        ];
        names.iter().fold(elements.to_owned(), |text, (long, short)| text.replace(long, short))
    }

    fn check(written: &str, expected: &str, from: &str) {
        assert_eq!(short(written), expected.replace(' ', ""), "{from}");
    }

    #[test]
    fn it_looks_as_latex_does() {
        // the expressions are those of the test of LaTeX
        let table = [
            (
                "m*l^2*theta'^2/2 - m*g*l*cos(theta)",
                "[[frac(1 2) * m * sup(l 2) * sup(over(θ ˙) 2)] − [m * g * l *~ [cos @~ θ]]]",
            ),
            ("(m + M)*x'' + k*x", "[[[([m + M])] * over(x ¨)] + [k * x]]"),
            ("a + (b + c)", "[a + b + c]"),
            ("a - (b + c)", "[a − [([b + c])]]"),
            ("x/2", "frac(x 2)"),
            ("3*x/4", "[frac(3 4) * x]"),
            ("-(x + y)/2", "[− frac([x + y] 2)]"),
            ("(x + y)/(l*(x - y)^2)", "frac([x + y] [l * sup([([x − y])] 2)])"),
            ("sqrt(2)*x/2", "[frac(sqrt(2) 2) * x]"),
            ("2*pi/3", "frac([2 * π] 3)"),
            ("7*5^(2/3)", "[7 ⋅ sup(5 [2/3])]"),
            ("sqrt(x^2 + y^2) + x^(1/3)", "[sqrt([sup(x 2) + sup(y 2)]) + root(x 3)]"),
            ("m/x^(3/2)", "frac(m sup(x [3/2]))"),
            ("cbrt(x)^2", "sup([(root(x 3))] 2)"),
            ("sin(x)^2 + sin(theta)^2", "[[sup(sin 2) @~ x] + [sup(sin 2) @~ θ]]"),
            ("sin(x + y)^2", "[sup(sin 2) @ [([x + y])]]"),
            ("cos(2*theta)", "[cos @~ [2 * θ]]"),
            ("cos(omega*t)", "[cos @ [([ω * t])]]"),
            ("tan(theta/2)", "[tan @~ frac(θ 2)]"),
            ("sin(x)^(2/3)", "sup([([sin @~ x])] [2/3])"),
            ("exp(-k*t)*x", "[x * sup(^e [− [k * t]])]"),
            ("log(x) + asin(x)", "[[ln @~ x] + [arcsin @~ x]]"),
            ("abs(x)^3*sign(y)", "[sup([|x|] 3) *~ [sgn @~ y]]"),
            ("atan2(y, x)", "[atan2 @ [(y, x)]]"),
            ("min(x, y + 1)", "[min @ [(x, [y + 1])]]"),
            ("q' + q'' + q'''", "[over(q \u{20db}) + over(q ¨) + over(q ˙)]"),
            ("x1''''^2", "sup([(subsup(x 1 [(4)]))] 2)"),
            ("theta1'^2", "subsup(over(θ ˙) 1 2)"),
        ];
        for (from, to) in table {
            let _scope = Scope::with_seed(1);
            check(&mathml(parse(from).unwrap()), to, from);
        }
    }

    #[test]
    fn a_switch_is_a_table() {
        let _scope = Scope::with_seed(1);
        let cell = |inside: &str| format!("<mtd style=\"text-align:left\">{inside}</mtd>");
        let expected = |condition: &str| {
            format!(
                "<mrow><mo>{{</mo><mtable><mtr>{}{}</mtr><mtr>{}{}</mtr></mtable></mrow>",
                cell("<mn>1</mn>"),
                cell(&format!("<mtext>if\u{a0}</mtext>{condition}")),
                cell("<mn>2</mn>"),
                cell("<mtext>otherwise</mtext>")
            )
        };
        let negative = mathml(parse("if(x < 0, 1, 2)").unwrap());
        assert_eq!(negative, expected("<mi>x</mi><mo>&lt;</mo><mn>0</mn>"));
        let zero = mathml(parse("2*if(x = y, 1, 2)").unwrap());
        let switch = expected("<mi>x</mi><mo>=</mo><mi>y</mi>");
        assert_eq!(zero, format!("<mrow><mn>2</mn>{TIMES}{OPEN}{switch}{CLOSE}</mrow>"));
    }

    #[test]
    fn names_become_letters_with_subscripts() {
        let table = [
            ("x", "x"),
            ("theta", "θ"),
            ("ell", "ℓ"),
            ("varphi", "φ"),
            ("Omega", "^Ω"),
            ("Alpha", "^A"),
            ("mass", "mass"),
            ("x12", "sub(x 12)"),
            ("phi_rod", "sub(ϕ rod)"),
            ("theta_dot2", "sub(θ dot2)"),
            ("k1_alpha", "sub(k [1, α])"),
            ("I_xy", "sub(I [x y])"),
            ("omega_NB", "sub(ω [N B])"),
            ("a[3]", "sub(a 3)"),
            ("a[-1]", "sub(a [− 1])"),
            ("lambda_noslip_x", "sub(λ [noslip, x])"),
            ("x_", "x_"),
            ("q1dot", "q1dot"),
            ("a<b&c", "a&lt;b&amp;c"),
            ("é", "^é"),
            ("\u{1}", "^\u{fffd}"),
        ];
        for (name, expected) in table {
            check(&mathml_name(name), expected, name);
        }
        assert_eq!(mathml_name("I_xy"), "<msub><mi>I</mi><mrow><mi>x</mi><mi>y</mi></mrow></msub>");
        assert_eq!(GREEK.split(' ').count(), GREEK_LETTERS.chars().count());
    }
}
