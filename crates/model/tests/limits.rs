//! What can a file do to the reader? Large and strange files are read or refused.
//!
//! How long that takes is a row of `cargo xtask bench read`.

#[test]
fn a_megabyte_of_declarations_is_read() {
    let mut text = String::from("param m = 1 kg, l = 2 m\n");
    for i in 0..12_000 {
        text += &format!("coord x{i}, y{i} : m\npoint P{i} = (x{i}, y{i} + l) mass m  # point\n");
        text += &format!("constraint c{i}: x{i}^2 + y{i}^2 = l^2\n");
    }
    assert!(text.len() > 1_000_000);
    let parsed = model::parse("declarations", &text);
    assert_eq!(parsed.render(), "");
    assert!(model::format(&text).unwrap().len() >= text.len());
    assert_eq!(parsed.model.unwrap().elaborate().unwrap().lines.len(), 1 + 3 * 12_000);
}

#[test]
fn a_megabyte_of_mistakes_is_told_in_a_few_messages() {
    let lines = [
        "coord x : m\n",
        "point P = (u, v) mass w\n",
        "cord x\n",
        "potential sin(\n",
        "observe a[1] = 2 m + 3 s\n",
        "  param\n",
        "constraint c: frobnicate(x) = y\n",
        "friction 1 on nothing\n",
        "start x1 = 1e99999999\n",
        "\"\n",
        "let f(a) = f(a)\n",
    ];
    for line in lines {
        let parsed = model::parse("", &line.repeat(1_000_000 / line.len()));
        parsed.render();
        assert!(parsed.model.is_none() && parsed.diagnostics.len() <= 302, "{line}");
    }
}

#[test]
fn functions_that_call_functions_are_measured_once_each() {
    let mut text = String::from("param l = 1 m\nlet f0(a) = a*a + a*a\n");
    for i in 1..3000 {
        text += &format!("let f{i}(a) = f{}(a)*f{}(a) + f{}(f{}(a))\n", i - 1, i - 1, i - 1, i - 1);
    }
    text += "observe y = f2999(l)\n";
    assert!(model::parse("functions", &text).model.is_some());
}

#[test]
fn large_families_are_not_expanded_by_the_reader() {
    let text = include_str!("models/chain.mech").replace("n = 100 ", "n = 1000000 ");
    let model = model::parse("chain", &text).model.unwrap();
    assert_eq!(model.lines.len(), 6);
    let model = model.set("values", &[("n", "1000")]).model.unwrap();
    let elements = model.elaborate().unwrap();
    assert_eq!(elements.lines.len(), 3 + 1 + 1000 + 1000);
}

#[test]
fn a_model_that_is_too_large_element_by_element_is_refused() {
    let text = "coord x : m\nobserve y = sum(x for i in 1..100000, j in 1..100000)";
    let errors = model::parse("", text).model.unwrap().elaborate().unwrap_err();
    assert!(errors[0].message.contains("too large"));
}

#[test]
fn deep_nesting_does_not_exhaust_a_small_stack() {
    let nests = [
        ("(1 + 2*-", ")"),
        ("sin(", ")"),
        ("if(x < 1, 1 + 2*(", "), 2)"),
        ("-", ""),
        ("abs(x + 2*(", "))"),
        ("2^", ""),
    ];
    for (open, close) in nests {
        let levels = 250 / open.matches(['(', '-', '^']).count();
        let text = format!("coord x\nlet f(y) = y\nobserve z = {}x{}\n", open.repeat(levels), close.repeat(levels));
        let use_all = move || {
            let parsed = model::parse("", &text);
            parsed.render();
            model::format(&text).unwrap();
            if let Some(model) = parsed.model {
                model.elaborate().unwrap();
                model::from_json(&model::to_json(&model)).unwrap();
            }
        };
        std::thread::Builder::new().stack_size(1 << 20).spawn(use_all).unwrap().join().unwrap();
    }
}
