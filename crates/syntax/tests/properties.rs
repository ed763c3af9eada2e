//! Laws: no text makes the reader panic; what is written is read back as the same tree.

use proptest::prelude::*;
use syntax::{
    Arguments, Axis, Comparison, Cursor, Node, NodeKind, Range, Relation, Scale, Sign, Source, Span, UNITS, Unit,
    UnitFactor, format, lex, parse_expression, parse_relation, parse_unit,
};

const WORDS: &[&str] = &[
    "x", "m", "N", "sin", "at", "for", "in", "i", "2", "0.5", "1", "1.5e-3", "m", "kg", "s", "+", "-", "*", "/", "^",
    "(", ")", "(", ")", "[", "]", ",", ":", "=", ">=", "<", "!=", "'", ".", "..", ".x", "\"a\"", "\"", "#", "\n", " ",
    "  ", "\t", "²", "α", "×", "==", "**", "é", "\u{307}", "if(", "5.",
];

/// Reads a text in every way, and renders what is said about it.
fn read(text: &str) {
    let source = Source::new("text", text);
    let mut errors = parse_expression(text).err().unwrap_or_default();
    errors.extend(parse_relation(text).err().unwrap_or_default());
    errors.extend(parse_unit(text).err().unwrap_or_default());
    let mut cursor = Cursor::new(text, lex(text).joined(text));
    while cursor.peek() != syntax::TokenKind::End {
        cursor.tuple();
        cursor.ranges();
        cursor.indexed_name("a name");
        cursor.expect_line_end("the end");
        cursor.skip_line();
    }
    errors.extend(cursor.finish());
    for error in errors {
        assert!(!error.message.is_empty() && error.span.start <= error.span.end);
        assert!(error.span.end as usize <= text.len());
        error.render(&source);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,60}") {
        read(&text);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        read(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_words_make_the_reader_panic(words in prop::collection::vec(prop::sample::select(WORDS), 0..40)) {
        read(&words.concat());
        read(&words.join(" "));
    }

    #[test]
    fn what_is_said_about_a_refused_text_is_never_nothing(
        words in prop::collection::vec(prop::sample::select(WORDS), 0..12)
    ) {
        let text = words.concat();
        if let Err(errors) = parse_expression(&text) {
            prop_assert!(!errors.is_empty());
        }
    }

    #[test]
    fn what_is_accepted_is_written_and_read_back(
        words in prop::collection::vec(prop::sample::select(WORDS), 1..12)
    ) {
        if let Ok(tree) = parse_expression(&words.concat()) {
            let text = format(&tree);
            let again = parse_expression(&text).map_err(|e| TestCaseError::fail(format!("{text}: {e:?}")))?;
            prop_assert_eq!(bare(again), bare(tree));
        }
    }

    #[test]
    fn a_written_tree_is_read_back(tree in tree()) {
        let text = format(&tree);
        let again = parse_expression(&text).map_err(|e| TestCaseError::fail(format!("{text}: {e:?}")))?;
        prop_assert_eq!(bare(again), tree, "{}", text);
    }
}

fn node(kind: NodeKind) -> Node {
    Node::new(kind, Span::default())
}

fn word() -> impl Strategy<Value = String> {
    const NAMES: [&str; 11] = ["x", "y", "m", "s", "N", "kg", "at", "for", "in", "q1", "sin"];
    prop::sample::select(&NAMES[..]).prop_map(str::to_owned)
}

fn unit() -> impl Strategy<Value = Unit> {
    let factor = (prop::sample::select(&UNITS[..]), -3..4_i32, 1..3_i32).prop_map(|(name, exponent, root)| {
        let span = Span::default();
        let root = if exponent % 2 == 0 { 1 } else { root };
        UnitFactor { name, exponent, root, span }
    });
    prop::collection::vec(factor, 1..4).prop_map(|factors| Unit { factors, span: Span::default() })
}

fn leaf() -> impl Strategy<Value = Node> {
    const NUMBERS: [&str; 5] = ["0", "1", "2.50", "1e5", "1.5e-3"];
    let number = (prop::sample::select(&NUMBERS[..]), prop::option::of(unit())).prop_map(|(text, unit)| {
        let text = text.to_owned();
        node(NodeKind::Number { text, unit })
    });
    prop_oneof![number, word().prop_map(|name| node(NodeKind::Name { name, index: None }))]
}

fn tree() -> impl Strategy<Value = Node> {
    leaf().prop_recursive(6, 60, 4, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        let list = || prop::collection::vec(inner.clone(), 2..4);
        let sign = || prop::sample::select(&[Sign::Plus, Sign::Minus][..]);
        let scale = || prop::sample::select(&[Scale::Times, Scale::Over][..]);
        let axis = prop::sample::select(&[Axis::X, Axis::Y, Axis::Z][..]);
        prop_oneof![
            (word(), boxed()).prop_map(|(name, i)| node(NodeKind::Name { name, index: Some(i) })),
            list().prop_map(|entries| node(NodeKind::Tuple(entries))),
            (word(), arguments(inner.clone())).prop_map(|(name, arguments)| node(NodeKind::Call { name, arguments })),
            (boxed(), 1..3_u32).prop_map(|(of, order)| node(NodeKind::Prime { of, order })),
            (boxed(), axis).prop_map(|(of, axis)| node(NodeKind::Component { of, axis })),
            (boxed(), boxed()).prop_map(|(base, exponent)| node(NodeKind::Power { base, exponent })),
            (sign(), boxed()).prop_map(|(sign, of)| node(NodeKind::Signed { sign, of })),
            prop::collection::vec((scale(), inner.clone()), 2..4).prop_map(|mut factors| {
                factors[0].0 = Scale::Times;
                node(NodeKind::Product(factors))
            }),
            prop::collection::vec((sign(), inner.clone()), 2..4).prop_map(|mut terms| {
                terms[0].0 = Sign::Plus;
                node(NodeKind::Sum(terms))
            }),
        ]
    })
}

fn arguments(inner: BoxedStrategy<Node>) -> impl Strategy<Value = Arguments> {
    use Comparison::{AtLeast, AtMost, Equal, Greater, Less, NotEqual};
    let comparisons = [Equal, AtLeast, AtMost, Greater, Less, NotEqual];
    let relation = (inner.clone(), prop::sample::select(comparisons.to_vec()), inner.clone()).prop_map(
        |(left, comparison, right)| {
            let span = Span::default();
            Relation { left, comparison, right, span }
        },
    );
    let range = (word(), inner.clone(), inner.clone()).prop_map(|(index, from, to)| {
        let span = Span::default();
        Range { index, from, to, span }
    });
    let boxed = || inner.clone().prop_map(Box::new);
    prop_oneof![
        prop::collection::vec(inner.clone(), 0..3).prop_map(Arguments::List),
        (relation.prop_map(Box::new), boxed(), boxed()).prop_map(|(when, then, otherwise)| Arguments::Choice {
            when,
            then,
            otherwise
        }),
        (boxed(), boxed()).prop_map(|(what, place)| Arguments::At { what, place }),
        (boxed(), prop::collection::vec(range, 1..3)).prop_map(|(what, ranges)| Arguments::For { what, ranges }),
    ]
}

/// The same tree, all places forgotten.
fn bare(mut node: Node) -> Node {
    forget(&mut node);
    node
}

fn forget(node: &mut Node) {
    (node.span, node.head) = (Span::default(), Span::default());
    match &mut node.kind {
        NodeKind::Number { unit, .. } => unit.iter_mut().for_each(forget_unit),
        NodeKind::Name { index, .. } => index.iter_mut().for_each(|index| forget(index)),
        NodeKind::Tuple(entries) => entries.iter_mut().for_each(forget),
        NodeKind::Call { arguments, .. } => forget_arguments(arguments),
        NodeKind::Prime { of, .. } => forget(of),
        NodeKind::Component { of, .. } | NodeKind::Signed { of, .. } => forget(of),
        NodeKind::Power { base, exponent } => [base, exponent].into_iter().for_each(|n| forget(n)),
        NodeKind::Product(factors) => factors.iter_mut().for_each(|(_, node)| forget(node)),
        NodeKind::Sum(terms) => terms.iter_mut().for_each(|(_, node)| forget(node)),
    }
}

fn forget_unit(unit: &mut Unit) {
    unit.span = Span::default();
    unit.factors.iter_mut().for_each(|factor| factor.span = Span::default());
}

fn forget_arguments(arguments: &mut Arguments) {
    match arguments {
        Arguments::List(list) => list.iter_mut().for_each(forget),
        Arguments::Choice { when, then, otherwise } => {
            when.span = Span::default();
            [&mut when.left, &mut when.right, then, otherwise].into_iter().for_each(forget);
        }
        Arguments::At { what, place } => [what, place].into_iter().for_each(|n| forget(n)),
        Arguments::For { what, ranges } => {
            forget(what);
            for range in ranges {
                range.span = Span::default();
                [&mut range.from, &mut range.to].into_iter().for_each(forget);
            }
        }
    }
}
