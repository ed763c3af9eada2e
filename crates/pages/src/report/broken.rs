//! How is a formula in MathML broken into lines? No browser does it by itself.
//!
//! ```text
//! math → its children, rows of sums opened → pieces that begin with +, − or = → lines as long as they fit
//! a piece that is too long → its longest row, bracket or fraction opened
//! ```

/// So many characters fit a line, as they are read.
const LINE: usize = 84;

/// Rows, brackets and fractions in pieces that are too long are opened to this depth.
const DEPTH: u32 = 12;

/// The formula as one or several formulas, one below the other.
pub fn broken(mathml: &str) -> Vec<String> {
    let Some((head, inner)) = opened(mathml) else { return vec![mathml.to_owned()] };
    let mut lines = vec![String::new()];
    let mut length = 0;
    for piece in pieces(inner).into_iter().flat_map(|piece| fitting(piece, 0)) {
        let own = letters(&piece);
        if length > 0 && length + own > LINE {
            lines.push(String::new());
            length = 0;
        }
        length += own;
        lines.last_mut().into_iter().for_each(|line| line.push_str(&piece));
    }
    lines.iter().map(|line| format!("{head}{line}</math>")).collect()
}

/// Does every line of a broken formula fit?
pub fn fits(lines: &[String]) -> bool {
    lines.iter().all(|line| letters(line) <= LINE + LINE / 8)
}

/// A piece as pieces that fit a line, as far as there are sums inside it.
fn fitting(piece: String, depth: u32) -> Vec<String> {
    if letters(&piece) <= LINE || depth > DEPTH {
        return vec![piece];
    }
    let list = children(&piece);
    let openable = list.iter().enumerate().filter_map(|(k, child)| Some((k, flattened(child)?)));
    let Some((k, flat)) = openable.max_by_key(|(k, _)| letters(list[*k])) else { return vec![piece] };
    let whole = [list[..k].concat(), flat, list[k + 1..].concat()].concat();
    pieces(&whole).into_iter().flat_map(|piece| fitting(piece, depth + 1)).collect()
}

/// The children of a row or of a bracket one after the other; a long fraction as 1/d times a bracket.
fn flattened(child: &str) -> Option<String> {
    if let Some(inner) = inside(child, "mrow") {
        return Some(inner.to_owned());
    }
    if let Some(inner) = inside(child, "mfrac")
        && let [above, below] = children(inner)[..]
        && letters(above) > letters(below)
    {
        let above = inside(above, "mrow").unwrap_or(above);
        let is_sum = children(above).iter().any(|one| is_operator(one));
        let (open, close) = if is_sum { ("<mo>(</mo>", "<mo>)</mo>") } else { ("", "") };
        return Some(format!("<mfrac><mn>1</mn>{below}</mfrac><mo>\u{2062}</mo>{open}{above}{close}"));
    }
    // a power of a bracket: the exponent stands at its end
    let [base, exponent] = children(inside(child, "msup")?)[..] else { return None };
    let row = inside(base, "mrow")?.strip_suffix("<mo>)</mo>")?;
    Some(format!("{row}<msup><mo>)</mo>{exponent}</msup>"))
}

/// What is inside of an element without attributes.
fn inside<'a>(element: &'a str, tag: &str) -> Option<&'a str> {
    element
        .strip_prefix('<')?
        .strip_prefix(tag)?
        .strip_prefix('>')?
        .strip_suffix('>')?
        .strip_suffix(tag)?
        .strip_suffix("</")
}

/// The first tag of a formula, and what is in it.
fn opened(mathml: &str) -> Option<(&str, &str)> {
    let end = mathml.find('>')? + 1;
    let inner = mathml[end..].strip_suffix("</math>")?;
    Some((&mathml[..end], inner))
}

/// What stands between two operators, each piece with the operator before it.
fn pieces(inner: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for child in children(inner) {
        let list = match terms(child) {
            Some(terms) => terms,
            None => vec![child],
        };
        for one in list {
            match pieces.last_mut() {
                Some(last) if !is_operator(one) => last.push_str(one),
                _ => pieces.push(one.to_owned()),
            }
        }
    }
    pieces
}

/// The children of a row that is a sum.
fn terms(child: &str) -> Option<Vec<&str>> {
    let list = children(child.strip_prefix("<mrow>")?.strip_suffix("</mrow>")?);
    list.iter().any(|one| is_operator(one)).then_some(list)
}

fn is_operator(one: &str) -> bool {
    ["<mo>+</mo>", "<mo>−</mo>", "<mo>=</mo>"].contains(&one)
}

/// The elements of a text, one after the other.
fn children(text: &str) -> Vec<&str> {
    let (mut list, mut depth, mut begin, mut rest) = (Vec::new(), 0_usize, 0, 0);
    while let Some(open) = text[rest..].find('<').map(|at| rest + at) {
        let Some(close) = text[open..].find('>').map(|at| open + at + 1) else { break };
        let tag = &text[open..close];
        depth = match tag {
            _ if tag.starts_with("</") => depth.saturating_sub(1),
            _ if tag.ends_with("/>") => depth,
            _ => depth + 1,
        };
        if depth == 0 {
            list.push(&text[begin..close]);
            begin = close;
        }
        rest = close;
    }
    list
}

/// How many characters are read: all that stand outside of tags.
fn letters(mathml: &str) -> usize {
    let mut inside = false;
    let counts = |c: &char| {
        inside = (inside || *c == '<') && *c != '>';
        !inside && *c != '>' && !matches!(c, '\u{2061}' | '\u{2062}' | '˙' | '¨')
    };
    mathml.chars().filter(counts).count()
}

#[cfg(test)]
mod tests {
    use super::{broken, fits};

    /// x₁ + x₂ + … = 0, with names of ten letters.
    fn sum(terms: usize) -> String {
        let list: Vec<String> = (0..terms).map(|k| format!("<mi>coordina{k:02}</mi>")).collect();
        format!("<math a=\"b\"><mrow>{}</mrow><mo>=</mo><mn>0</mn></math>", list.join("<mo>+</mo>"))
    }

    #[test]
    fn a_short_formula_stays_as_it_is() {
        let short = sum(3);
        assert_eq!(broken(&short).concat().replace("<mrow>", ""), short.replace("<mrow>", "").replace("</mrow>", ""));
        assert_eq!(broken(&short).len(), 1);
    }

    #[test]
    fn a_long_one_is_broken_before_its_operators_and_loses_nothing() {
        let lines = broken(&sum(20));
        assert_eq!(lines.len(), 3);
        assert!(lines[1..].iter().all(|line| line.starts_with("<math a=\"b\"><mo>+</mo>")), "{lines:?}");
        let all = lines.concat();
        assert!((0..20).all(|k| all.contains(&format!("coordina{k:02}"))) && all.contains("<mo>=</mo><mn>0</mn>"));
    }

    #[test]
    fn a_product_is_not_broken() {
        let factor = "<mrow><mi>averylongnameindeed</mi><mo>\u{2062}</mo><mi>another</mi></mrow>".repeat(9);
        assert_eq!(broken(&format!("<math>{factor}</math>")).len(), 1);
    }

    /// What is read, without tags.
    fn read(lines: &[String]) -> String {
        let mut inside = false;
        let shown = |c: &char| {
            let was = inside;
            inside = (inside || *c == '<') && *c != '>';
            !was && !inside && *c != '>'
        };
        lines.concat().chars().filter(shown).collect()
    }

    #[test]
    fn a_long_bracket_is_opened_and_loses_nothing() {
        let list: Vec<String> = (0..20).map(|k| format!("<mi>coordina{k:02}</mi>")).collect();
        let sum = format!("<mrow>{}</mrow>", list.join("<mo>−</mo>"));
        let bracket = format!("<mrow><mo>(</mo>{sum}<mo>)</mo></mrow>");
        let product = format!("<mrow><mi>m</mi><msup>{bracket}<mn>2</mn></msup></mrow>");
        for whole in [&bracket, &product] {
            let math = format!("<math><mi>x</mi><mo>=</mo>{whole}</math>");
            let lines = broken(&math);
            assert!(lines.len() == 3 && fits(&lines), "{lines:#?}");
            assert_eq!(read(&lines), read(&[math]));
        }
        let fraction = format!("<math><mfrac>{sum}<mi>m</mi></mfrac></math>");
        let lines = broken(&fraction);
        assert!(lines.len() == 3 && fits(&lines), "{lines:#?}");
        assert!(read(&lines).starts_with("1m\u{2062}(coordina00−"), "{lines:#?}");
    }
}
