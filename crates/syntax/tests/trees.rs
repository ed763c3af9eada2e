//! Which tree does a text make, and where are its parts? Trees are shown with all their brackets.

use syntax::{Arguments, Node, NodeKind, Source, TokenKind, format, lex, nearest};
use syntax::{Cursor, format_relation, format_unit, parse_expression, parse_relation, parse_unit};

/// A text, and its tree with every node in brackets.
const TREES: &[(&str, &str)] = &[
    ("-x^2", "-{x^{2}}"),
    ("2^3^2", "2^{3^{2}}"),
    ("2^-x", "2^{-{x}}"),
    ("-a*b", "<*-{a} *b>"),
    ("a - b - c", "<+a -b -c>"),
    ("(a - b) - c", "<+<+a -b> -c>"),
    ("a/b*c", "<*a /b *c>"),
    ("2 m", "2 m"),
    ("2*m", "<*2 *m>"),
    ("2 N/m*s", "2 N/m*s"),
    ("0.5 m*N.x", "<*0.5 m *N.x>"),
    ("0.1 rad*i", "<*0.1 rad *i>"),
    ("2 m*f(x)", "<*2 m *f(…)>"),
    ("2 s*m[1]", "<*2 s *m[1]>"),
    ("2 s*m'", "<*2 s *m'>"),
    ("2 m * s", "<*2 m *s>"),
    ("3 1/s^2", "3 1/s^2"),
    ("2 kg*m^-2", "2 kg/m^2"),
    ("x''", "x''"),
    ("(x')'", "x''"),
    ("v'.x'", "v'.x'"),
    ("a[i - 1]'", "a[<+i -1>]'"),
    ("R*(0.2 rad/s, 6, 1e-3)", "<*R *(0.2 rad/s, 6, 1e-3)>"),
    ("at + for", "<+at +for>"),
    (".5x + .25", "<+<*0.5 *x> +0.25>"),
    ("-2sin(x)", "<*-{2} *sin(…)>"),
    ("2(a + b)/3", "<*2 *<+a +b> /3>"),
    ("2x*3y", "<*2 *x *3 *y>"),
    ("x**2", "x^{2}"),
    ("α + θ_1", "<+alpha +theta_1>"),
    ("1kg", "1 kg"),
    ("2 m s^-2", "2 m/s^2"),
    ("3 N/m^(3/2)", "3 N/m^(3/2)"),
    ("3 m^1.5*x", "<*3 m^(3/2) *x>"),
    ("2N.x", "<*2 *N.x>"),
    ("front.D.x + front.r", "<+front.D.x +front.r>"),
    ("wheel[2].r'", "wheel.r[2]'"),
    ("wheel.r[2]", "wheel.r[2]"),
    ("wheel.x[2]", "wheel.x[2]"),
    ("x # a remark", "x"),
    ("a\n + b", "<+a +b>"),
];

#[test]
fn texts_make_their_trees() {
    for (text, expected) in TREES {
        let tree = parse_expression(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        assert_eq!(bracketed(&tree), *expected, "for the text {text:?}");
    }
}

fn bracketed(node: &Node) -> String {
    match &node.kind {
        NodeKind::Number { .. } => format(node),
        NodeKind::Name { name, index: None } => name.clone(),
        NodeKind::Name { name, index: Some(index) } => format!("{name}[{}]", bracketed(index)),
        NodeKind::Tuple(entries) => {
            let entries: Vec<String> = entries.iter().map(bracketed).collect();
            format!("({})", entries.join(", "))
        }
        NodeKind::Call { name, .. } => format!("{name}(…)"),
        NodeKind::Prime { of, order } => bracketed(of) + &"'".repeat(*order as usize),
        NodeKind::Component { of, axis } => format!("{}.{}", bracketed(of), axis.symbol()),
        NodeKind::Power { base, exponent } => {
            format!("{}^{{{}}}", bracketed(base), bracketed(exponent))
        }
        NodeKind::Signed { sign, of } => format!("{}{{{}}}", sign.symbol(), bracketed(of)),
        NodeKind::Product(factors) => {
            let parts = factors.iter().map(|(s, f)| s.symbol().to_owned() + &bracketed(f));
            format!("<{}>", parts.collect::<Vec<_>>().join(" "))
        }
        NodeKind::Sum(terms) => {
            let parts = terms.iter().map(|(s, t)| s.symbol().to_owned() + &bracketed(t));
            format!("<{}>", parts.collect::<Vec<_>>().join(" "))
        }
    }
}

#[test]
fn arguments_have_four_shapes() {
    let arguments = |text: &str| match parse_expression(text).unwrap().kind {
        NodeKind::Call { arguments, .. } => arguments,
        _ => panic!("{text} is not a call"),
    };
    assert!(matches!(arguments("f()"), Arguments::List(list) if list.is_empty()));
    assert!(matches!(arguments("f(a, b)"), Arguments::List(list) if list.len() == 2));
    assert!(matches!(arguments("if(a < b, p, q)"), Arguments::Choice { .. }));
    assert!(matches!(arguments("velocity(D at P)"), Arguments::At { .. }));
    let two = arguments("sum(2 for i in 1..n, j in 1..i)");
    assert!(matches!(two, Arguments::For { ranges, .. } if ranges.len() == 2));
}

#[test]
fn spans_mark_the_text_of_their_node() {
    let text = "(a + b)*sin( x ) + 9.81 m/s^2";
    let NodeKind::Sum(terms) = parse_expression(text).unwrap().kind else {
        panic!("a sum");
    };
    assert_eq!(terms[0].1.span.of(text), "(a + b)*sin( x )");
    let NodeKind::Product(factors) = &terms[0].1.kind else {
        panic!("a product");
    };
    assert_eq!(factors[0].1.span.of(text), "a + b");
    assert_eq!(factors[1].1.name_span().unwrap().of(text), "sin");
    // a Greek name is kept longer than it is written
    for (text, name) in [("ψυ(x)", "ψυ"), ("ψ[1]", "ψ"), ("θ", "θ"), ("front.ω(x)", "front.ω"), ("a[2].θ", "a[2].θ")]
    {
        assert_eq!(parse_expression(text).unwrap().name_span().unwrap().of(text), name);
    }
    let NodeKind::Number { unit: Some(unit), .. } = &terms[1].1.kind else {
        panic!("a number with a unit");
    };
    assert_eq!(unit.factors[1].span.of(text), "s^2");
    let relation = parse_relation("(a)*b = c").unwrap();
    assert_eq!(relation.span.of("(a)*b = c"), "(a)*b = c");
}

#[test]
fn relations_and_units_are_read_whole() {
    for text in ["a = b", "x^2 >= 0", "a <= b", "a > b", "a < b", "a != b"] {
        assert_eq!(format_relation(&parse_relation(text).unwrap()), text);
    }
    for (text, canonical) in [
        ("m/s^2", "m/s^2"),
        ("1/s", "1/s"),
        ("kg*m^-1", "kg/m"),
        ("1", "1"),
        ("m / s", "m/s"),
        ("N m^(-1/2)", "N/m^(1/2)"),
    ] {
        assert_eq!(format_unit(&parse_unit(text).unwrap()), canonical);
    }
}

#[test]
fn lines_go_on_after_blanks_and_in_brackets() {
    let lines = |text: &str| {
        let read = lex(text).joined(text);
        let newlines = read.tokens.iter().filter(|token| token.kind == TokenKind::Newline);
        newlines.count() + 1
    };
    assert_eq!(lines("a\nb\n\nc"), 3);
    assert_eq!(lines("\n# title\na\nb"), 2);
    assert_eq!(lines("a\n b\n\tc"), 1);
    assert_eq!(lines("a\n\n# remark\n b"), 1, "remarks and empty lines do not end a line");
    assert_eq!(lines("(a,\nb)\nc"), 2);
    assert_eq!(lines("(a,\nb\nf(c)\n"), 4, "a bracket that nobody closes joins nothing");
}

#[test]
fn a_cursor_walks_declarations_and_recovers() {
    let text = "param m = 2 kg\nparam k 3\nparam l = 1,5\nforce F x P\nnote \"say \\\"x\\\"\"\n";
    let mut cursor = Cursor::new(text, lex(text).joined(text));
    let mut read = Vec::new();
    while cursor.peek() != TokenKind::End {
        read.extend(declaration(&mut cursor));
        cursor.skip_line();
    }
    assert_eq!(read, ["m: 2 kg", "say \"x\""]);
    let messages: Vec<String> = cursor.finish().into_iter().map(|error| error.message).collect();
    assert_eq!(
        messages,
        ["expected `=`, found `3`", "`1,5` is not a number", "no operator stands between `F` and `x`",]
    );
}

fn declaration(cursor: &mut Cursor) -> Option<String> {
    if cursor.eat_word("note").is_some() {
        return Some(cursor.string("a text")?.0);
    }
    if cursor.eat_word("force").is_some() {
        cursor.expression()?;
        cursor.expect_word("on")?;
    }
    cursor.expect_word("param")?;
    let (name, _) = cursor.name("a name")?;
    cursor.expect(TokenKind::Equal, "`=`")?;
    let value = cursor.expression()?;
    if cursor.eat(TokenKind::Comma).is_some() {
        cursor.name("a name")?;
    }
    cursor.expect_line_end("an operator, or the end of the line")?;
    Some(format!("{name}: {}", format(&value)))
}

#[test]
fn comments_are_kept_aside() {
    let text = "a # first\r\nb # second";
    let comments: Vec<&str> = lex(text).comments.iter().map(|span| span.of(text)).collect();
    assert_eq!(comments, ["# first", "# second"]);
}

#[test]
fn the_nearest_word_is_near() {
    assert_eq!(nearest("u4", ["u1", "u2", "u3"]), Some("u3"));
    assert_eq!(nearest("thtea", ["beta", "theta"]), Some("theta"));
    assert_eq!(nearest("Omega", ["omego", "omega"]), Some("omega"));
    assert_eq!(nearest("energy", ["entropy"]), None);
    assert_eq!(nearest("x", ["y"]), None);
}

#[test]
fn lines_and_columns_count_from_one() {
    let source = Source::new("model", "ab\r\nµx\n");
    let place = |offset| {
        let place = source.position(offset);
        (place.line, place.column)
    };
    assert_eq!([place(0), place(4), place(6), place(99)], [(1, 1), (2, 1), (2, 2), (3, 1)]);
    assert_eq!([source.line(1), source.line(2), source.line(3)], ["ab", "µx", ""]);
}
