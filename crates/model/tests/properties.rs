//! Laws: no text makes the reader panic; what is formatted, printed or sent as JSON says the same.

use model::{Line, Model};
use proptest::prelude::*;

const WORDS: &[&str] = &[
    "system",
    "param",
    "coord",
    "speed",
    "inverse",
    "dependent",
    "let",
    "observe",
    "input",
    "unknown",
    "frame",
    "point",
    "body",
    "gravity",
    "potential",
    "force",
    "torque",
    "generalized",
    "spring",
    "damper",
    "constraint",
    "contact",
    "friction",
    "assume",
    "stop",
    "start",
    "guess",
    "expect",
    "claim",
    "mass",
    "at",
    "on",
    "for",
    "in",
    "rotated",
    "by",
    "quaternion",
    "exhaust",
    "inertia",
    "about",
    "against",
    "rest",
    "between",
    "and",
    "from",
    "until",
    "rolls",
    "slides",
    "skates",
    "along",
    "as",
    "plane",
    "of",
    "unilateral",
    "when",
    "within",
    "constant",
    "event",
    "freedoms",
    "equilibrium",
    "stable",
    "x",
    "y",
    "P",
    "B",
    "D",
    "a[i]",
    "i",
    "n",
    "m",
    "kg",
    "s",
    "N",
    "t",
    "2",
    "0",
    "0.5",
    "1/s",
    "+",
    "-",
    "*",
    "/",
    "^",
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    "=",
    ">=",
    "<",
    "'",
    ".x",
    "..",
    "\"text\"",
    "\n",
    "\n  ",
    "# c\n",
    "sin(",
    "if(",
    "sum(",
    "velocity(",
    "multiplier(",
    "disc(",
    "×",
    "é",
    "\"",
];

const MODELS: &[&str] = &[
    include_str!("models/chain.mech"),
    include_str!("models/disc.mech"),
    include_str!("models/functions.mech"),
    include_str!("models/lines.mech"),
    include_str!("models/net.mech"),
    include_str!("models/rocket.mech"),
    include_str!("models/sled.mech"),
    include_str!("models/sleigh.mech"),
    include_str!("models/solids.mech"),
    include_str!("models/statics.mech"),
];

/// Declarations with holes: `{e}` for a scalar expression, `{v}` for a vector.
const SHAPES: &[&str] = &[
    "param p = {e}, q = {e}",
    "param r[i] = {e} for i in 1..3",
    "coord u, w[1..n] : m",
    "let f(a, b) = {e}",
    "let g = {v}",
    "observe h = {e}",
    "input F : N*m = {e}",
    "frame R = N rotated z by {e}, (1, {e}, 0) by {e}",
    "frame S = R quaternion ({e}, {e}, {e}, {e})",
    "point A = {v} mass {e} exhaust {v}",
    "body E mass {e} at {v} frame R inertia ({e}, {e}, {e}) about {v}",
    "gravity {v}",
    "potential {e}",
    "force {v} on E at {v} against A",
    "generalized force {e} on u",
    "spring {e} rest {e} between {v} and {v}",
    "damper {e} between {v} and {v}",
    "constraint c: {e} = {e} from {e} > {e} until {e} < {e}",
    "constraint long_name[i]: {e} >= {e} for i in 1..3, j in i..4",
    "contact k: E skates along {v} as torus({e}, {e}, {v}) at {v} on plane({v}, {e}) of R unilateral",
    "friction {e} on k",
    "stop name when {e} <= {e}",
    "start {e} = {e}, {v} = {v}",
    "expect one: {e} = {e} at {e} = {e}, {e} = {e} within {e}",
    "expect second: constant {e}",
    "claim three: event name at t = {e}",
    "claim four: equilibrium {e} = {e} unstable",
    "note \"a # in \\\"quotes\\\"\"",
];

const SCALARS: &[&str] = &[
    "x",
    "2 m",
    "-x",
    "x'",
    "2.5e-3 N/m",
    "(2 m)*s",
    "2 m * s",
    "3 m /s",
    "x^-2",
    "a[i-1]",
    "sin(x)",
    "x*y/2",
    "(x + y)*2",
    "v.x",
    "if(x < y, -1, +1)",
    "sum(a[k]^2 for k in 1..n)",
    "velocity(D at P).y",
    "2 1/s",
    "1/s",
    "-(x - -y)",
    "(0.5 m*N.x).y",
    "mass",
    "rest - at",
    "100 .x",
    "2 m .x",
    "2 m '",
    "(constant - 1)",
    "((x))",
    "x - 1",
    "dot(R*(1, 2), N.x)",
];

const VECTORS: &[&str] = &["(x, y)", "P", "l*(sin(a), -cos(a), 0)", "0", "-R.x", "P[i-1] + (1, 2 m)", "B*(a, b, c)"];

const BLANKS: &[&str] = &[" ", "  ", "\t", "\n ", " # comment\n\t", "\n\n    "];

fn expression(pool: &'static [&'static str]) -> impl Strategy<Value = String> {
    let operator = prop::sample::select(&["*", " * ", " + ", "-", "/"][..]);
    let simple = prop::sample::select(pool);
    (simple, prop::option::of((operator, prop::sample::select(SCALARS)))).prop_map(|(first, more)| match more {
        Some((operator, second)) => format!("{first}{operator}{second}"),
        None => first.to_owned(),
    })
}

/// Lines that can be read, whatever their names mean.
fn lines() -> impl Strategy<Value = String> {
    let line = (
        prop::sample::select(SHAPES),
        prop::collection::vec(expression(SCALARS), 8),
        prop::collection::vec(expression(VECTORS), 4),
        prop::collection::vec(prop::sample::select(BLANKS), 30),
        prop::sample::select(&["\n", "\n\n\n", "  # end\n", "\n# full line\n", "\r\n"][..]),
    );
    let line = line.prop_map(|(shape, scalars, vectors, blanks, end)| {
        let mut text = shape.to_owned();
        for scalar in &scalars {
            text = text.replacen("{e}", scalar, 1);
        }
        for vector in &vectors {
            text = text.replacen("{v}", vector, 1);
        }
        if !text.contains('"') {
            for blank in blanks {
                if let Some(at) = text.find(' ') {
                    text.replace_range(at..at + 1, &blank.replace(' ', "\u{1}").replace('\t', "\u{2}"));
                }
            }
            text = text.replace('\u{1}', " ").replace('\u{2}', "\t");
        }
        text + end
    });
    prop::collection::vec(line, 1..8).prop_map(|lines| lines.concat())
}

fn bare(lines: &[Line]) -> Vec<Line> {
    lines.iter().map(Line::without_places).collect()
}

/// Does all that can be done with a text.
fn use_all(text: &str) -> Result<(), TestCaseError> {
    let parsed = model::parse("text", text);
    parsed.render();
    prop_assert!(parsed.model.is_some() || !parsed.diagnostics.is_empty());
    if let Ok(pretty) = model::format(text) {
        let again = model::read_lines(&pretty);
        let again = again.map_err(|errors| TestCaseError::fail(format!("{pretty}\n{errors:?}")))?;
        prop_assert_eq!(bare(&again), bare(&model::read_lines(text).unwrap()), "{}", pretty);
        prop_assert_eq!(model::format(&pretty).unwrap(), pretty);
    }
    if let Some(model) = parsed.model {
        same_after_travel(&model)?;
        if let Err(errors) = model.elaborate() {
            model.sources.render_all(&errors);
        }
        model.with("more", text).render();
        model.set("values", &[("x", "2"), ("n", "3"), (text, text)]).render();
    }
    Ok(())
}

fn same_after_travel(model: &Model) -> Result<(), TestCaseError> {
    let again = model::from_json(&model::to_json(model)).map_err(TestCaseError::fail)?;
    let again = again.model.ok_or_else(|| TestCaseError::fail(model::print(model)))?;
    prop_assert_eq!(bare(&again.lines), bare(&model.lines));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_reader_panic(text in "(?s).{0,80}") {
        use_all(&text)?;
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
        use_all(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn no_words_make_the_reader_panic(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        use_all(&words.join(" "))?;
        use_all(&words.concat())?;
    }

    #[test]
    fn no_change_of_a_good_model_makes_the_reader_panic(
        model in prop::sample::select(MODELS),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..6_usize, prop::sample::select(WORDS)), 1..6),
    ) {
        let mut text = model.to_owned();
        for (place, length, word) in changes {
            let at = text.floor_char_boundary(place.index(text.len() + 1).min(text.len()));
            let end = text.ceil_char_boundary((at + length).min(text.len()));
            text.replace_range(at..end, word);
        }
        use_all(&text)?;
    }

    #[test]
    fn generated_lines_are_formatted_without_change_of_meaning(text in lines()) {
        prop_assert!(model::read_lines(&text).is_ok(), "{}\n{}", text, model::parse("", &text).render());
        use_all(&text)?;
    }

    #[test]
    fn printed_lines_are_already_in_form(text in lines()) {
        let lines = model::read_lines(&text).map_err(|errors| TestCaseError::fail(format!("{errors:?}")))?;
        let printed: String = lines.iter().map(|line| model::print_line(line) + "\n").collect();
        let again = model::read_lines(&printed).map_err(|errors| TestCaseError::fail(format!("{printed}\n{errors:?}")))?;
        prop_assert_eq!(bare(&again), bare(&lines), "{}", printed);
        for line in printed.lines() {
            let pretty = model::format(line).unwrap();
            prop_assert_eq!(pretty.trim_end(), line);
        }
    }
}
