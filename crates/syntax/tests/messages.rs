//! What does a student read after a mistake? Every row: the text, then `column: message`, the
//! label in square brackets, the hint after `→`; one line for each message.

use syntax::{Diagnostic, Source, parse_expression, parse_relation, parse_unit};

/// Texts that should be one expression.
const EXPRESSIONS: &[(&str, &str)] = &[
    ("", "1: there is nothing here [expected an expression]"),
    ("a +", "3: an operand is missing after `+`"),
    ("* b", "1: an operand is missing before `*`"),
    ("a + * b + / c", "3: an operand is missing between `+` and `*`\n9: an operand is missing between `+` and `/`"),
    ("* * *", "1: an operand is missing before `*`"),
    ("a // b", "3: an operand is missing between `/` and `/` → a comment starts with `#`"),
    ("(a + b", "1: `(` is never closed → add the missing `)`"),
    ("(a + ", "4: an operand is missing after `+`"),
    ("a + b)", "6: `)` closes nothing [no bracket is open here] → delete it, or open a bracket before it"),
    ("(a + b]", "1: `(` is not closed before `]` → write `)` before or in place of `]`"),
    ("f(a[1)", "4: `[` is not closed before `)` → write `]` before or in place of `)`"),
    ("()", "1: these brackets are empty [expected an expression]"),
    ("(a,)", "3: an entry is missing after `,` → write the entry, or delete the comma"),
    ("f(a,,b)", "4: an entry is missing after `,` → write the entry, or delete the comma"),
    ("f(x)[1]", "5: only a name takes an index → write `a[i]`; a product is written with `*`"),
    ("(a)(b)", "3: no operator stands between `)` and `(` → a product is written with `*`"),
    (
        "(a b c) + * d",
        "2: no operator stands between `a` and `b` [expected an operator or `)`] → a product is written `a*b`\n9: an operand is missing between `+` and `*`",
    ),
    ("x^2y", "3: `2y` is neither a number nor a name → write `2*y`"),
    ("1/2x", "3: does `/2x` divide by `2` or by `2*x`? → write `/2*x`, or `/(2*x)`"),
    ("a/2(b + c)", "3: does `/2(…)` divide by `2` or by `2*(…)`? → write `/2*(…)`, or `/(2*(…))`"),
    ("1_000", "1: `1_000` is neither a number nor a name → write `1000`"),
    (
        "2 x",
        "3: `x` is not a unit [units are m mm cm km s ms kg rad deg N kN J W Pa Hz rpm gram hour] → write `2*x` for a product",
    ),
    ("2 meter", "3: `meter` is not a unit → write `2 m` for the unit, `2*meter` for a product"),
    (
        "2 m x",
        "3: no operator stands between `m` and `x` [`m` was read as a unit, for it stands after a number] → a product is written with `*`",
    ),
    (
        "2 m ^2",
        "5: what does `^` after `2 m` raise? → write `2 m^2` without a blank to raise the unit, `(2 m)^2` to raise all",
    ),
    (
        "2 m^k",
        "4: the exponent of a unit is an integer or a fraction of small integers [`m` was read as a unit] → write `m^2` or `m^(3/2)`; to raise number and unit, put both in brackets",
    ),
    (
        "a b",
        "1: no operator stands between `a` and `b` [expected an operator, or the end] → a product is written `a*b`",
    ),
    (
        "x ^ y z",
        "5: no operator stands between `y` and `z` [expected an operator, or the end] → a product is written `y*z`",
    ),
    ("sin x", "1: `sin` needs brackets around its argument → write `sin(x)`"),
    ("v.5", "2: `.5` is not a component → components are `.x`, `.y` and `.z`"),
    ("5. + 1", "1: `5.` is not a number: a digit follows its point → write `5.0` or `5`"),
    ("1.2.3", "1: `1.2.3` has two points → a decimal has one point"),
    ("1,5", "1: `1,5` is not a number → a decimal has a point: write `1.5`"),
    ("a, b", "2: `,` stands between entries, not in an expression → a tuple stands in brackets: `(a, b)`"),
    (
        "x = y",
        "3: `=` cannot stand here [expected an operator, or the end] → a relation has one comparison, an expression none",
    ),
    ("x == y", "3: `==` is not a sign of this language → write `=`"),
    (
        "2 × 3 − 1",
        "3: `×` is not a sign of this language → write `*`\n7: `−` is not a sign of this language → write `-`",
    ),
    ("x² + 3", "2: `²` has no meaning here → write `^2`"),
    ("ẋ + 1", "1: `ẋ` is not a name → write `x'`; names are ASCII or Greek letters, digits and `_`"),
    ("30°", "3: `°` has no meaning here → write `deg` after a blank: `30 deg`"),
    ("a ; b", "3: `;` has no meaning here → one declaration stands on a line, entries are separated by `,`"),
    ("(v).w", "4: `.w` is not a component → components are `.x`, `.y` and `.z`"),
    ("a[1].b[2]", "8: a name has one index → write `a[i].b` or `a.b[i]`"),
    ("v.x.y", "4: a component has no components of its own → write one of `.x`, `.y` and `.z`"),
    ("1..n", "2: `..` stands only in a range → write `sum(a[i] for i in 1..n)`"),
    (
        "if(a < b, p)",
        "12: after a relation two expressions are expected → write `if(a < b, p, q)`: p where the relation holds, q elsewhere",
    ),
    (
        "if(a < b p, q)",
        "8: no operator stands between `b` and `p` [expected an operator or `,`] → a product is written `b*p`",
    ),
    ("sum(a[i] for i 1..n)", "16: expected `in`, found `1`"),
    ("sum(a[i] for i in 1, n)", "20: expected `..` and the last value of the index, found `,`"),
    ("\"text\"", "1: a text in quotes is not an expression"),
    (
        "\"text",
        "1: this text in quotes is not closed on its line → close it with `\"`; inside, a quote is written `\\\"`",
    ),
    ("é", "1: `é` is not a name → names are ASCII or Greek letters, digits and `_`"),
    ("a $ b", "3: `$` has no meaning here → leave it out"),
];

/// Texts that should be one relation.
const RELATIONS: &[(&str, &str)] = &[
    ("", "1: there is nothing here [expected an expression]"),
    ("a", "2: a relation needs a comparison [expected `=`, `>=`, `<=`, `>`, `<` or `!=`]"),
    (
        "a < b < c",
        "7: `<` cannot stand here [expected the end of the relation] → a relation has one comparison, an expression none",
    ),
    ("a =< b", "3: an operand is missing between `=` and `<` → at most is written `<=`"),
    ("a = = b", "3: an operand is missing between `=` and `=`"),
    (
        "a b = c",
        "1: no operator stands between `a` and `b` [expected an operator, or a comparison such as `=`] → a product is written `a*b`",
    ),
    ("a = ", "3: an operand is missing after `=`"),
    ("= b", "1: an operand is missing before `=`"),
];

/// Texts that should be one unit.
const UNITS: &[(&str, &str)] = &[
    (
        "",
        "1: a unit is expected, found the end of the text → units are m mm cm km s ms kg rad deg N kN J W Pa Hz rpm gram hour",
    ),
    (
        "m^(1/1000)",
        "2: the exponent of a unit is an integer or a fraction of small integers [`m` was read as a unit] → write `m^2` or `m^(3/2)`; to raise number and unit, put both in brackets",
    ),
    ("metre/s", "1: `metre` is not a unit → write `m`"),
    ("m/q", "3: `q` is not a unit → units are m mm cm km s ms kg rad deg N kN J W Pa Hz rpm gram hour"),
    (
        "m^x",
        "2: the exponent of a unit is an integer or a fraction of small integers [`m` was read as a unit] → write `m^2` or `m^(3/2)`; to raise number and unit, put both in brackets",
    ),
    ("m*", "2: a unit is missing after `*` → units are m mm cm km s ms kg rad deg N kN J W Pa Hz rpm gram hour"),
    ("2 m", "1: a unit is expected, found `2` → units are m mm cm km s ms kg rad deg N kN J W Pa Hz rpm gram hour"),
];

#[test]
fn mistakes_in_expressions_are_explained() {
    check(EXPRESSIONS, parse_expression);
}

#[test]
fn mistakes_in_relations_are_explained() {
    check(RELATIONS, parse_relation);
}

#[test]
fn mistakes_in_units_are_explained() {
    check(UNITS, parse_unit);
}

fn check<T>(rows: &[(&str, &str)], parse: impl Fn(&str) -> Result<T, Vec<Diagnostic>>) {
    for (text, expected) in rows {
        let errors = parse(text).err().unwrap_or_default();
        let lines: Vec<String> = errors.iter().map(|error| in_short(error, text)).collect();
        assert_eq!(lines.join("\n"), *expected, "for the text {text:?}");
    }
}

fn in_short(error: &Diagnostic, text: &str) -> String {
    let column = Source::new("", text).position(error.span.start).column;
    let mut line = format!("{column}: {}", error.message);
    if !error.label.is_empty() {
        line += &format!(" [{}]", error.label);
    }
    if let Some(hint) = &error.hint {
        line += &format!(" → {hint}");
    }
    line
}
