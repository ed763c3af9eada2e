//! Formulas: what leaves a scope can be printed, computed with, and read back to the same node.
//!
//! Each test was seen to fail on broken code: the comment beside it says what was broken.

mod pool;

use expr::{Comparison, Expr, Floats, Formula, Kind, Scope, Symbol, Tree, coordinate, parameter};
use proptest::prelude::*;

fn symbols() -> [Expr; 4] {
    let x = coordinate("x");
    [x, expr::total_derivative(x).unwrap(), parameter("m_t"), expr::time()]
}

fn json(tree: &Tree) -> String {
    serde_json::to_string(tree).unwrap()
}

fn read(text: &str) -> Result<Tree, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// Some value for each symbol, positive and not round.
fn some_value(symbol: &Symbol) -> f64 {
    0.7 + 0.31 * f64::from(symbol.order) + symbol.name.len() as f64 / 7.0
}

proptest! {
    #![proptest_config(pool::config())]

    // broken: the arguments of steps reversed
    #[test]
    fn a_tree_reads_back_to_the_same_node(recipe in pool::recipes()) {
        let _scope = Scope::with_seed(1);
        let e = pool::build(&recipe, &symbols());
        let tree = Tree::of(e);
        let back = read(&json(&tree)).unwrap();
        prop_assert_eq!(&back, &tree);
        prop_assert_eq!(back.expr().unwrap(), e, "{}", json(&tree));
    }

    // broken: the symbols made in reverse order
    #[test]
    fn a_tree_reads_alike_in_another_scope(recipe in pool::recipes()) {
        let (tree, text) = {
            let _scope = Scope::with_seed(1);
            let e = pool::build(&recipe, &symbols());
            (Tree::of(e), e.to_string())
        };
        let _scope = Scope::with_seed(2);
        let e = tree.expr().unwrap();
        prop_assert_eq!(e.to_string(), text);
        prop_assert_eq!(Tree::of(e), tree);
    }

    // broken: atan2 with its arguments exchanged
    #[test]
    fn a_tree_has_the_value_of_its_expression(recipe in pool::recipes()) {
        let _scope = Scope::with_seed(1);
        let e = pool::build(&recipe, &symbols());
        let floats = Floats::new(&[e]);
        let mut values = vec![0.0; floats.len()];
        floats.symbols().for_each(|(_, symbol, step)| values[step] = some_value(symbol));
        floats.run(0..floats.len(), &mut values);
        let (expected, value) = (values[floats.output(0)], Tree::of(e).value(&some_value));
        prop_assert_eq!(value.to_bits(), expected.to_bits(), "{} and {} for {}", value, expected, e);
    }

    // broken: `<` in names not escaped; a power with three children
    #[test]
    fn mathml_is_well_formed(recipe in pool::recipes()) {
        let _scope = Scope::with_seed(1);
        let mut symbols = symbols().to_vec();
        let odd = parameter("a<b & \"c\"\u{1}");
        symbols.extend([parameter("theta"), parameter("Gamma1_xy"), odd]);
        let moving = coordinate("lambda_noslip_x");
        let fourth = (0..4).fold(moving, |e, _| expr::total_derivative(e).unwrap());
        symbols.extend([moving, fourth]);
        let formula = Formula::of(pool::build(&recipe, &symbols));
        let checked = check_mathml(&formula.mathml);
        prop_assert!(checked.is_ok(), "{:?}\n{}\n{}", checked, formula.text, formula.mathml);
    }
}

/// A checker of MathML: well-formed, elements of Core alone, as many children as each one takes,
/// text in tokens only, and no row that begins or ends with an operator between two things.
fn check_mathml(text: &str) -> Result<(), String> {
    struct Open<'a> {
        name: &'a str,
        children: Vec<String>,
    }
    const TOKENS: [&str; 4] = ["mi", "mn", "mo", "mtext"];
    const ARITIES: [(&str, usize); 6] =
        [("mfrac", 2), ("msup", 2), ("msub", 2), ("mroot", 2), ("mover", 2), ("msubsup", 3)];
    const ROWS: [&str; 7] = ["math", "mrow", "msqrt", "mtable", "mtr", "mtd", "mspace"];
    const ATTRIBUTES: [&str; 6] = [
        "xmlns=\"http://www.w3.org/1998/Math/MathML\"",
        "accent=\"true\"",
        "mathvariant=\"normal\"",
        "width=\"0.1667em\"",
        "style=\"text-align:left\"",
        "",
    ];
    let mut open: Vec<Open> = Vec::new();
    let mut rest = text;
    loop {
        let Some(start) = rest.strip_prefix('<') else {
            let end = rest.find('<').ok_or("text after the end")?;
            let own = open.last_mut().ok_or("text before the start")?;
            let (inside, after) = rest.split_at(end);
            let entities = ["&amp;", "&lt;", "&gt;"].iter().fold(inside.to_owned(), |t, e| t.replace(e, ""));
            if !TOKENS.contains(&own.name) || entities.contains(['&', '>']) || inside.chars().any(char::is_control) {
                return Err(format!("text {inside:?} in <{}>", own.name));
            }
            own.children.push(inside.to_owned());
            rest = after;
            continue;
        };
        let (tag, after) = start.split_once('>').ok_or("a tag without its end")?;
        rest = after;
        let closed = if let Some(name) = tag.strip_prefix('/') {
            let closed = open.pop().ok_or("one end too many")?;
            if closed.name != name {
                return Err(format!("<{}> ends as </{name}>", closed.name));
            }
            closed
        } else {
            let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
            let (name, attribute) = tag.split_once(' ').unwrap_or((tag, ""));
            let known = TOKENS.contains(&name) || ROWS.contains(&name) || ARITIES.iter().any(|known| known.0 == name);
            if !known || !ATTRIBUTES.contains(&attribute) || empty != (name == "mspace") {
                return Err(format!("<{tag}>"));
            }
            let new = Open { name, children: Vec::new() };
            if !empty {
                open.push(new);
                continue;
            }
            new
        };
        let children = closed.children.len();
        let wanted = ARITIES.iter().find(|known| known.0 == closed.name).map(|known| known.1);
        if wanted.is_some_and(|wanted| wanted != children) || (children == 0 && closed.name != "mspace") {
            return Err(format!("<{}> with {children} children", closed.name));
        }
        let is_infix =
            |child: Option<&String>| child.is_some_and(|child| "mo:+ mo:= mo:\u{2062} mo:\u{2061}".contains(&**child));
        if ROWS.contains(&closed.name) && (is_infix(closed.children.first()) || is_infix(closed.children.last())) {
            return Err(format!("a row begins or ends with an infix: {:?}", closed.children));
        }
        let summary = match TOKENS.contains(&closed.name) {
            true => format!("{}:{}", closed.name, closed.children.concat()),
            false => closed.name.to_owned(),
        };
        match open.last_mut() {
            Some(parent) if TOKENS.contains(&parent.name) => return Err(format!("an element in <{}>", parent.name)),
            Some(parent) => parent.children.push(summary),
            None if rest.is_empty() && closed.name == "math" => return Ok(()),
            None => return Err("more than one element".to_owned()),
        }
    }
}

// broken: the checker without its look at the number of children
#[test]
fn the_checker_of_mathml_checks() {
    let math = |inside: &str| format!("<math>{inside}</math>");
    assert_eq!(check_mathml(&math("<msup><mi>x</mi><mn>2</mn></msup>")), Ok(()));
    let bad = [
        "<msup><mi>x</mi></msup>",
        "<mfenced><mi>x</mi></mfenced>",
        "<mi>x</mn>",
        "<mi>x",
        "<mi>a & b</mi>",
        "<mi>a > b</mi>",
        "<mrow>x</mrow>",
        "<mrow></mrow>",
        "<mrow><mo>+</mo><mi>x</mi></mrow>",
        "<mi color=\"red\">x</mi>",
        "<mi>x</mi></mrow>",
    ];
    for inside in bad {
        assert!(check_mathml(&math(inside)).is_err(), "{inside}");
    }
}

// broken: the sides of the relation exchanged
#[test]
fn the_example_of_the_documentation() {
    let _scope = Scope::with_seed(1);
    let steps = [
        r#"{"op":"symbol","name":"m","kind":"parameter"}"#,
        r#"{"op":"symbol","name":"x","kind":"coordinate","order":2}"#,
        r#"{"op":"symbol","name":"x","kind":"coordinate"}"#,
        r#"{"op":"number","value":"1"}"#,
        r#"{"op":"number","value":"2"}"#,
        r#"{"op":"number","value":"-1/2"}"#,
        r#"{"op":"product","args":[0,1]}"#,
        r#"{"op":"sum","args":[2,3]}"#,
        r#"{"op":"power","args":[7,4]}"#,
        r#"{"op":"scale","args":[5,8]}"#,
        r#"{"op":"equal","args":[6,9]}"#,
    ];
    let text = format!(r#"{{"steps":[{}]}}"#, steps.join(","));
    let tree = read(&text).unwrap();
    assert_eq!(json(&tree), text);
    let (left, comparison, right) = tree.related().unwrap();
    assert_eq!(format!("{left} {} {right}", comparison.symbol()), "m*x'' = -(x + 1)^2/2");
    assert_eq!(tree.value(&|symbol| if symbol.order == 2 { 3.0 } else { 2.0 }), 2.0 * 3.0 + 9.0 / 2.0);
    assert_eq!(tree.expr(), Err(expr::TreeError::Relation));
    assert_eq!(Tree::of(left).related(), Err(expr::TreeError::NoRelation));
    assert_eq!(Tree::relation(left, comparison, right).related(), Ok((left, comparison, right)));
}

// broken: LaTeX of the right side in place of the left
#[test]
fn equations_and_relations_leave_whole() {
    fn is_plain_data<T: Send + Sync + Clone + std::fmt::Debug + PartialEq + serde::Serialize + 'static>(_: &T) {}
    let _scope = Scope::with_seed(1);
    let (m, q, force) = (parameter("m"), coordinate("q"), parameter("F"));
    let rate = expr::total_derivative(q).unwrap();
    let formula = Formula::equation(m * rate, -force / 2);
    is_plain_data(&formula);
    assert_eq!(formula.text, "m*q' = -F/2");
    assert_eq!(formula.latex, r"m \dot{q} = -\frac{F}{2}");
    let inside = "<mrow><mi>m</mi><mo>\u{2062}</mo><mover accent=\"true\"><mi>q</mi><mo>\u{2d9}</mo></mover></mrow>\
        <mo>=</mo><mrow><mo>\u{2212}</mo><mfrac><mi>F</mi><mn>2</mn></mfrac></mrow>";
    assert_eq!(formula.mathml, format!("<math xmlns=\"http://www.w3.org/1998/Math/MathML\">{inside}</math>"));
    let signs = [
        (Comparison::AtLeast, ">=", r"\ge", "≥"),
        (Comparison::AtMost, "<=", r"\le", "≤"),
        (Comparison::Greater, ">", ">", "&gt;"),
        (Comparison::Less, "<", "<", "&lt;"),
        (Comparison::NotEqual, "!=", r"\ne", "≠"),
        (Comparison::Equal, "=", "=", "="),
    ];
    for (comparison, text, latex, mathml) in signs {
        let formula = Formula::relation(q, comparison, m);
        assert_eq!(formula.text, format!("q {text} m"));
        assert_eq!(formula.latex, format!("q {latex} m"));
        assert!(formula.mathml.contains(&format!("<mi>q</mi><mo>{mathml}</mo><mi>m</mi>")));
        assert_eq!(check_mathml(&formula.mathml), Ok(()));
        assert_eq!(formula.tree.sides().unwrap().0, comparison);
        assert_eq!(read(&json(&formula.tree)).unwrap(), formula.tree);
    }
    let fields = serde_json::to_value(&formula).unwrap();
    assert_eq!(fields.as_object().unwrap().keys().collect::<Vec<_>>(), ["latex", "mathml", "text", "tree"]);
}

// broken: references compared with the last step in place of the own
#[test]
fn bad_trees_are_refused() {
    let _scope = Scope::with_seed(1);
    let x = r#"{"op":"symbol","name":"x","kind":"parameter"}"#;
    let zero = r#"{"op":"number","value":"0"}"#;
    let table = [
        (String::new(), "a tree has at least one step"),
        (format!(r#"{x},{{"op":"sine","args":[0]}}"#), "step 1: no operation is named `sine`"),
        (format!(r#"{x},{{"op":"sin","args":[0,0]}}"#), "step 1: `sin` does not take these arguments or fields"),
        (format!(r#"{x},{{"op":"sum","args":[0]}}"#), "step 1: `sum` does not take these arguments or fields"),
        (format!(r#"{x},{{"op":"atan2","args":[0]}}"#), "step 1: `atan2` does not take these arguments or fields"),
        (format!(r#"{x},{{"op":"if_zero","args":[0,0]}}"#), "`if_zero` does not take these arguments or fields"),
        (format!(r#"{x},{{"op":"sin","args":[0],"value":"1"}}"#), "`sin` does not take these arguments or fields"),
        (r#"{"op":"number","value":"1","order":1}"#.to_owned(), "`number` does not take these arguments or fields"),
        (format!(r#"{x},{{"op":"sin","args":[7]}}"#), "step 1 refers to step 7, which does not come before it"),
        (format!(r#"{x},{{"op":"sin","args":[1]}}"#), "step 1 refers to step 1, which does not come before it"),
        (
            r#"{"op":"sin","args":[1]},{"op":"cos","args":[0]}"#.to_owned(),
            "step 0 refers to step 1, which does not come before it",
        ),
        (r#"{"op":"sin","args":[-1]}"#.to_owned(), "invalid value"),
        (format!(r#"{x},{{"op":"sin","arguments":[0]}}"#), "unknown field `arguments`"),
        (format!(r#"{x},{{"op":"equal","args":[0]}}"#), "`equal` takes two sides"),
        (
            format!(r#"{x},{{"op":"equal","args":[0,0]}},{x}"#),
            "`equal` takes two sides and nothing else, and is the last",
        ),
        (r#"{"op":"number","value":"1.5"}"#.to_owned(), "the value of a number is written as"),
        (r#"{"op":"number","value":"1/0"}"#.to_owned(), "the value of a number is written as"),
        (r#"{"op":"number","value":"--1"}"#.to_owned(), "the value of a number is written as"),
        (r#"{"op":"number","value":"+1"}"#.to_owned(), "the value of a number is written as"),
        (r#"{"op":"number","value":""}"#.to_owned(), "the value of a number is written as"),
        (r#"{"op":"number"}"#.to_owned(), "`number` does not take these arguments or fields"),
        (r#"{"op":"symbol","name":"x"}"#.to_owned(), "step 0: a symbol has a name, a kind and an order"),
        (r#"{"op":"symbol","name":"x","kind":"angle"}"#.to_owned(), "step 0: a symbol has a name, a kind and an order"),
        (r#"{"op":"symbol","name":"x","kind":"parameter","order":1}"#.to_owned(), "a symbol has a name, a kind"),
        (
            r#"{"op":"symbol","name":"x","kind":"coordinate","order":4000000000}"#.to_owned(),
            "a symbol has a name, a kind",
        ),
        (
            format!(r#"{x},{{"op":"symbol","name":"x","kind":"coordinate"}}"#),
            "`x` is a coordinate in the tree and a parameter already",
        ),
        // these are trees, of what does not exist
        (format!(r#"{zero},{{"op":"number","value":"-1"}},{{"op":"power","args":[0,1]}}"#), "division by zero"),
        (format!(r#"{x},{{"op":"power","args":[0,0]}}"#), "a power whose exponent is not a number"),
        (format!(r#"{zero},{{"op":"log","args":[0]}}"#), "`log(0)` is not defined"),
    ];
    for (steps, message) in table {
        let read = read(&format!(r#"{{"steps":[{steps}]}}"#));
        let error = read.and_then(|tree| tree.expr().map_err(|error| error.to_string())).unwrap_err();
        assert!(error.contains(message), "{steps}: {error}");
    }
}

// broken: no look at the kinds of names
#[test]
fn a_name_of_another_kind_is_refused_and_leaves_nothing_behind() {
    let tree = {
        let _scope = Scope::with_seed(1);
        Tree::of(parameter("a") * coordinate("b"))
    };
    let _scope = Scope::with_seed(1);
    parameter("b");
    let error = tree.expr().unwrap_err();
    assert_eq!(error.to_string(), "`b` is a coordinate in the tree and a parameter already");
    assert_eq!((expr::kind_of("a"), expr::kind_of("b")), (None, Some(Kind::Parameter)));
}

// broken: no limit on numbers: the squares fill the memory
#[test]
fn numbers_of_a_tree_stay_within_their_limit() {
    let _scope = Scope::with_seed(1);
    let chain = |first: &str, next: &dyn Fn(usize) -> String| {
        let steps: Vec<String> = [first.to_owned()].into_iter().chain((0..200).map(next)).collect();
        read(&format!(r#"{{"steps":[{}]}}"#, steps.join(","))).unwrap().expr().unwrap_err().to_string()
    };
    let squares = |k: usize| format!(r#"{{"op":"product","args":[{k},{k}]}}"#);
    let scales = |k: usize| format!(r#"{{"op":"scale","args":[{k},{k}]}}"#);
    for square in [&squares as &dyn Fn(usize) -> String, &scales] {
        let error = chain(r#"{"op":"number","value":"3"}"#, square);
        assert!(error.contains("more digits than can be held"), "{error}");
    }
    let digits = "7".repeat(400_000);
    assert!(read(&format!(r#"{{"steps":[{{"op":"number","value":"{digits}"}}]}}"#)).is_err());
}

// broken: products inside products made by `mul`, which merges some of them
#[test]
fn products_inside_products_stay_so() {
    let _scope = Scope::with_seed(1);
    let list: Vec<Expr> = (0..20).map(|k| parameter(&format!("a{k}"))).collect();
    let product = |range: std::ops::Range<usize>| list[range].iter().copied().reduce(|a, b| a * b).unwrap();
    for (start, middle, end) in [(0, 4, 8), (0, 6, 7), (0, 7, 14), (3, 9, 15), (0, 10, 20), (0, 3, 9)] {
        let nested = product(start..middle) * product(middle..end) * list[end % 20].sin() * product(0..3);
        assert_eq!(Tree::of(nested).expr(), Ok(nested), "{start} {middle} {end}");
    }
    // one that `*` would not leave so
    let x = |k: usize| format!(r#"{{"op":"symbol","name":"x{k}","kind":"parameter"}}"#);
    let text = format!(
        r#"{{"steps":[{},{},{},{{"op":"product","args":[0,1]}},{{"op":"product","args":[2,3]}}]}}"#,
        x(0),
        x(1),
        x(2)
    );
    assert_eq!(read(&text).unwrap().expr().unwrap().to_string(), "x0*x1*x2");
}

// broken: no abridgement: it does not end
#[test]
fn what_is_shared_stays_small_and_depth_is_no_obstacle() {
    let work = || {
        let _scope = Scope::with_seed(1);
        let (x, y) = (coordinate("x"), parameter("y"));
        // as text this would have 2^100,000 letters
        let shared = (0..100_000).fold(x, |e, _| (e + 1) * e.cos());
        let formula = Formula::of(shared);
        assert!(formula.is_abridged() && formula.text.len() < 200 && formula.mathml.len() < 200);
        assert_eq!(check_mathml(&formula.mathml), Ok(()));
        assert_eq!(formula.tree.steps().len(), shared.operations() + 2);
        assert_eq!(read(&json(&formula.tree)).unwrap().expr(), Ok(shared));
        assert!(formula.tree.value(&|_| 0.5).is_finite());
        assert!(Formula::equation(x, shared).is_abridged());
        let deep = (0..20_000).fold(x, |e, _| e.sin() + y);
        let formula = Formula::of(deep);
        assert!(!formula.is_abridged());
        assert!(formula.text == deep.to_string() && formula.latex == expr::latex(deep));
        assert_eq!(check_mathml(&formula.mathml), Ok(()));
        assert_eq!(read(&json(&formula.tree)).unwrap().expr(), Ok(deep));
    };
    std::thread::spawn(work).join().expect("the work ends in peace");
}
