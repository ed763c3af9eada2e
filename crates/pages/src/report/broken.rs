//! How is a formula in MathML broken into lines? No browser does it by itself.
//!
//! ```text
//! math → its children, rows of sums opened → pieces that begin with +, − or = → lines as long as they fit
//! ```

/// So many characters fit a line, as they are read.
const LINE: usize = 84;

/// The formula as one or several formulas, one below the other.
pub fn broken(mathml: &str) -> Vec<String> {
    let Some((head, inner)) = opened(mathml) else { return vec![mathml.to_owned()] };
    let mut lines = vec![String::new()];
    let mut length = 0;
    for piece in pieces(inner) {
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
    use super::broken;

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
}
