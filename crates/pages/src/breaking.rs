//! Where is a formula in LaTeX broken, so that it fits a line of A4 at 11 points?
//!
//! ```text
//! between terms                        before + − = that stand in no bracket                               (1)
//! inside a bracket                     \bigl( … \bigr) for \left( … \right), then between its terms         (2)
//! inside a fraction                    \frac{1}{d} \bigl( … \bigr), or a long denominator after \big/        (3)
//! between factors                      \cdot                                                             (4)
//! ```
//!
//! A later way is gone only where one piece of the earlier ones is wider than a line. Widths are those of Computer Modern.

/// A line holds so many points, with a little to spare: `article` on A4 has 360.
pub const LINE: f64 = 342.0;
/// Brackets are opened to this depth.
const DEPTH: u32 = 16;
/// Something narrower is not opened: factors around it are broken instead.
const NARROW: f64 = 60.0;

/// The lines of an equation; of a matrix that is too wide, its entries.
pub fn broken(latex: &str) -> Vec<String> {
    match entries(latex) {
        Some(list) if width(latex) > LINE => list.iter().flat_map(|entry| in_lines(entry)).collect(),
        _ => in_lines(latex),
    }
}

/// The entries of a matrix, each as an equation: `M = (…)` as `M_{1,1} = …` and so on.
fn entries(latex: &str) -> Option<Vec<String>> {
    let (name, rest) = latex.split_once(r" = \begin{pmatrix}")?;
    let inner = rest.trim_end().strip_suffix(r"\end{pmatrix}")?;
    let rows: Vec<Vec<&str>> = inner.split(r"\\").map(|row| row.split('&').map(str::trim).collect()).collect();
    let is_letter = name.chars().count() == 1;
    let own = |j: usize, k: usize| match (is_letter, rows.len(), rows[j].len()) {
        (_, 1, 1) => name.to_owned(),
        (true, ..) => format!("{name}_{{{},{}}}", j + 1, k + 1),
        (false, ..) => format!(r"\bigl({name}\bigr)_{{{},{}}}", j + 1, k + 1),
    };
    let row = |j: usize| rows[j].iter().enumerate().map(move |(k, entry)| (j, k, *entry));
    Some((0..rows.len()).flat_map(row).map(|(j, k, entry)| format!("{} = {entry}", own(j, k))).collect())
}

fn in_lines(latex: &str) -> Vec<String> {
    let all = pieces(latex).into_iter().flat_map(|piece| fitting(piece, 0));
    let mut lines: Vec<Vec<String>> = vec![Vec::new()];
    let mut length = 0.0;
    for piece in all {
        let own = width(&piece);
        if length > 0.0 && length + own > LINE {
            lines.push(Vec::new());
            length = 0.0;
        }
        length += own;
        lines.last_mut().into_iter().for_each(|line| line.push(piece.clone()));
    }
    keep_company(&mut lines);
    lines.iter().map(|line| line.concat().trim_end().to_owned()).collect()
}

/// A last line such as `= 0` gets the piece before it.
fn keep_company(lines: &mut [Vec<String>]) {
    let [.., before, last] = lines else { return };
    let is_short = last.len() == 1 && last[0].starts_with("= ") && width(&last[0]) < NARROW;
    if is_short
        && before.len() > 1
        && let Some(piece) = before.pop()
    {
        last.insert(0, piece);
    }
}

/// (1) The text cut before each ` + `, ` - ` and ` = ` and behind each comma that stands in no brace and between no brackets.
fn pieces(latex: &str) -> Vec<String> {
    let cut = |before: &str, rest: &str| {
        let is_sign = [" + ", " - ", " = "].iter().any(|sign| rest.starts_with(sign));
        is_sign || before.ends_with(r",\;")
    };
    cuts(latex, &cut)
}

/// The factors of a term; its sign stands by itself. What a function is of stays with it.
fn factors(term: &str) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    for part in cuts(term, &|_, rest| rest.starts_with(' ')) {
        let word = list.last().map_or("", |last| last.trim_end());
        let of_function = is_function(word) || word.rsplit_once(' ').is_some_and(|(first, _)| is_function(first));
        match list.last_mut() {
            Some(last) if of_function => last.push_str(&part),
            _ => list.push(part),
        }
    }
    list
}

/// Is this a function that waits for what it is of, `\sin` or `\cos^{2}`?
fn is_function(word: &str) -> bool {
    let name = word.split('^').next().unwrap_or(word);
    name.starts_with('\\') && FUNCTIONS.contains(&&name[1..])
}

const FUNCTIONS: [&str; 12] =
    ["sin", "cos", "tan", "sinh", "cosh", "tanh", "log", "ln", "exp", "arcsin", "arccos", "arctan"];

/// The text cut behind the spaces, in no brace and between no brackets, at which `is_cut` holds of what is before and behind.
fn cuts(latex: &str, is_cut: &dyn Fn(&str, &str) -> bool) -> Vec<String> {
    let (mut depth, mut start, mut list) = (0_i32, 0, Vec::new());
    for (k, c) in latex.char_indices() {
        let rest = &latex[k..];
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            '\\' if ["\\left", "\\begin"].iter().any(|word| rest.starts_with(word)) => depth += 1,
            '\\' if ["\\right", "\\end"].iter().any(|word| rest.starts_with(word)) => depth -= 1,
            ' ' if depth == 0 && k > start && is_cut(&latex[..k], rest) => {
                list.push(latex[start..k + 1].to_owned());
                start = k + 1;
            }
            _ => {}
        }
    }
    list.push(latex[start..].to_owned());
    list
}

/// A piece as pieces that fit a line, as far as there are places to break it.
fn fitting(piece: String, depth: u32) -> Vec<String> {
    if width(&piece) <= LINE || depth > DEPTH {
        return vec![piece];
    }
    let list = factors(&piece);
    let openable = list.iter().enumerate().filter_map(|(k, factor)| Some((k, opened(factor)?)));
    let widest = openable.max_by(|a, b| width(&list[a.0]).total_cmp(&width(&list[b.0])));
    let parts = match widest.filter(|(k, _)| width(&list[*k]) > NARROW) {
        Some((k, (head, inner, tail))) => {
            let (before, after) = (list[..k].concat(), list[k + 1..].concat());
            let gap = if after.is_empty() || tail.ends_with(' ') { "" } else { " " };
            joined(format!("{before}{head}"), &inner, format!("{tail}{gap}{after}"))
        }
        None => between_factors(&list),
    };
    match parts.len() {
        1 if parts[0] == piece => parts,
        _ => parts.into_iter().flat_map(|part| fitting(part, depth + 1)).collect(),
    }
}

/// What is inside of something opened, with what stands before and behind it.
fn joined(head: String, inner: &str, tail: String) -> Vec<String> {
    let mut list = pieces(inner);
    list.first_mut().into_iter().for_each(|first| first.insert_str(0, &head));
    list.last_mut().into_iter().for_each(|last| last.push_str(&tail));
    list
}

/// (4) As many factors as fit, and the rest.
fn between_factors(list: &[String]) -> Vec<String> {
    let mut first = String::new();
    for (k, factor) in list.iter().enumerate() {
        let is_sign = |factor: &String| ["+ ", "- ", "= ", "\\cdot "].contains(&factor.as_str());
        if k > 0 && !list[..k].iter().all(is_sign) && width(&first) + width(factor) > LINE {
            return vec![first, format!("\\cdot {}", list[k..].concat())];
        }
        first.push_str(factor);
    }
    vec![first]
}

/// (2) (3) What stands before the inside of the widest bracket, fraction or root of a factor, the inside, and what
/// stands behind it.
fn opened(factor: &str) -> Option<(String, String, String)> {
    let starts = factor.match_indices('\\').map(|(k, _)| k).filter(|&k| is_outside(&factor[..k]));
    let all = starts.filter_map(|k| {
        let (head, inner, tail) = opened_at(&factor[k..])?;
        Some((format!("{}{head}", &factor[..k]), inner, tail))
    });
    all.max_by(|a, b| width(&a.1).total_cmp(&width(&b.1)))
}

/// Are all braces and brackets closed?
fn is_outside(before: &str) -> bool {
    let count = |word: &str| before.matches(word).count();
    count("{") == count("}") && count("\\left") == count("\\right") && count("\\begin") == count("\\end")
}

fn opened_at(text: &str) -> Option<(String, String, String)> {
    if let Some(rest) = text.strip_prefix("\\frac") {
        let (above, rest) = argument(rest)?;
        let (below, rest) = argument(rest)?;
        return Some(opened_fraction(above, below, rest));
    }
    if let Some(rest) = text.strip_prefix("\\sqrt") {
        let (inner, rest) = argument(rest)?;
        let plain = !rest.starts_with(['^', '_']);
        return plain.then(|| ("\\bigl(".to_owned(), inner.to_owned(), format!("\\bigr)^{{1/2}}{rest}")));
    }
    let (open, rest) = delimiter(text.strip_prefix("\\left")?)?;
    let end = matching(rest)?;
    let (close, tail) = delimiter(&rest[end + 6..])?;
    Some((format!("\\bigl{open}"), rest[..end].to_owned(), format!("\\bigr{close}{tail}")))
}

/// (3)
fn opened_fraction(above: &str, below: &str, rest: &str) -> (String, String, String) {
    let is_sum = pieces(above).len() > 1;
    match (width(above) >= width(below), is_sum) {
        (true, true) => (format!("\\frac{{1}}{{{below}}} \\bigl("), above.to_owned(), format!("\\bigr){rest}")),
        // a number stays where it is
        (true, false) => {
            let list = factors(above);
            let numbers = list.iter().take_while(|one| one.trim().bytes().all(|c| c.is_ascii_digit())).count();
            let (number, others) = (list[..numbers].concat(), list[numbers..].concat());
            let number = if numbers == 0 { "1" } else { number.trim_end() };
            (format!("\\frac{{{number}}}{{{below}}} "), others, rest.to_owned())
        }
        (false, true) => (format!("\\bigl({above}\\bigr) \\big/ \\bigl("), below.to_owned(), format!("\\bigr){rest}")),
        (false, false) => (format!("{above} \\big/ \\bigl("), below.to_owned(), format!("\\bigr){rest}")),
    }
}

/// The next bracket, and what follows it.
fn delimiter(text: &str) -> Option<(&str, &str)> {
    let end = match text.strip_prefix('\\') {
        Some(_) if text[1..].starts_with(['{', '}', '|']) => 2,
        Some(word) => 1 + word.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(word.len()),
        None => text.chars().next()?.len_utf8(),
    };
    Some((&text[..end], &text[end..]))
}

/// Where the `\right` of an opened bracket stands.
fn matching(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (k, _) in text.match_indices('\\') {
        if text[k..].starts_with("\\left") {
            depth += 1;
        } else if text[k..].starts_with("\\right") {
            if depth == 0 {
                return Some(k);
            }
            depth -= 1;
        }
    }
    None
}

/// The next argument, in braces or one sign, and what follows it.
fn argument(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let first = text.chars().next()?;
    match first {
        '{' => {
            let mut depth = 0_i32;
            for (k, c) in text.char_indices() {
                depth += i32::from(c == '{') - i32::from(c == '}');
                if depth == 0 {
                    return Some((&text[1..k], &text[k + 1..]));
                }
            }
            None
        }
        '\\' => {
            let end = text[1..].find(|c: char| !c.is_ascii_alphabetic()).map_or(text.len(), |end| 1 + end.max(1));
            Some((&text[..end], &text[end..]))
        }
        _ => Some(text.split_at(first.len_utf8())),
    }
}

/// Widths of letters, a to z, in italics and upright, and of capitals, in tenths of a point at 11 points.
const SMALL: [u8; 26] =
    [58, 61, 49, 61, 52, 65, 62, 63, 40, 46, 64, 37, 97, 66, 55, 61, 58, 53, 52, 44, 63, 59, 80, 64, 62, 57];
const CAPITAL: [u8; 26] =
    [84, 89, 85, 94, 88, 84, 88, 98, 55, 68, 100, 76, 116, 98, 87, 82, 88, 87, 74, 82, 86, 85, 120, 98, 85, 83];

/// About how many points wide a formula is set, on one line; rather too many than too few.
pub fn width(latex: &str) -> f64 {
    let (mut total, mut rest) = (0.0, latex);
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let (own, left) = match c {
            '\\' => command(after),
            '^' | '_' => match argument(after) {
                Some((raised, left)) => (0.76 * width(raised), left),
                None => (0.0, after),
            },
            '{' | '}' | ' ' | '&' => (0.0, after),
            '+' | '-' => (13.4, after),
            '=' | '<' | '>' => (14.7, after),
            'a'..='z' => (f64::from(SMALL[c as usize - 'a' as usize]) / 10.0, after),
            'A'..='Z' => (f64::from(CAPITAL[c as usize - 'A' as usize]) / 10.0, after),
            '(' | ')' | '[' | ']' | '/' => (5.0, after),
            ',' | '.' | '\'' | '|' => (4.9, after),
            _ => (6.0, after),
        };
        total += own;
        rest = left;
    }
    total
}

/// The width of a command with its arguments, and what follows.
fn command(text: &str) -> (f64, &str) {
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len()).max(1).min(text.len());
    let (name, rest) = text.split_at(end);
    match name {
        "frac" => match argument(rest).and_then(|(above, rest)| Some((above, argument(rest)?))) {
            Some((above, (below, left))) => (width(above).max(width(below)) + 2.6, left),
            None => (0.0, rest),
        },
        "sqrt" => argument(rest).map_or((9.2, rest), |(inner, left)| (width(inner) + 9.4, left)),
        "left" | "right" | "bigl" | "bigr" | "big" => delimiter(rest).map_or((0.0, rest), |(_, left)| (7.0, left)),
        "dot" | "ddot" | "dddot" | "mathrm" | "mathbf" | "mathit" | "text" | "bar" => (0.0, rest),
        "operatorname" => (3.7, rest),
        // the widest entries of its columns are beside each other
        "begin" => matrix(rest),
        "quad" => (11.0, rest),
        "qquad" => (22.0, rest),
        "," | ";" | "!" | ":" => (3.1, rest),
        "cdot" | "times" => (13.4, rest),
        "le" | "ge" | "ne" | "leq" | "geq" | "neq" | "approx" => (14.7, rest),
        _ if FUNCTIONS.contains(&name) => {
            (name.bytes().map(|c| f64::from(SMALL[usize::from(c - b'a')])).sum::<f64>() / 10.0 + 3.7, rest)
        }
        _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => (9.2, rest),
        _ => (7.2, rest),
    }
}

/// The width of what begins here, a matrix, and what follows.
fn matrix(text: &str) -> (f64, &str) {
    let Some(end) = text.find("\\end") else { return (0.0, text) };
    let inner = text[..end].split_once('}').map_or("", |one| one.1);
    let mut columns: Vec<f64> = Vec::new();
    for row in inner.split("\\\\") {
        for (k, cell) in row.split('&').enumerate() {
            columns.resize(columns.len().max(k + 1), 0.0);
            columns[k] = columns[k].max(width(cell));
        }
    }
    let left = text[end + 4..].split_once('}').map_or("", |one| one.1);
    (columns.iter().sum::<f64>() + 11.0 * columns.len() as f64 + 16.0, left)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without the signs of brackets, of which \left( and \bigl( are two, and without spaces.
    fn bare(latex: &str) -> String {
        let short = latex.replace("\\left", "").replace("\\right", "").replace("\\bigl", "").replace("\\bigr", "");
        short.replace("\\cdot", "").replace(' ', "")
    }

    fn fits(long: &str) -> Vec<String> {
        let lines = broken(long);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line) <= LINE + NARROW), "{lines:#?}");
        lines
    }

    #[test]
    fn long_equations_are_broken_between_terms() {
        let term = r"\left(m + M\right) \ddot{x} \cos\theta";
        let long = [term; 8].join(" + ") + " = 0";
        let lines = fits(&long);
        assert!(lines[1..].iter().all(|line| line.starts_with("+ ") || line.starts_with("= ")), "{lines:?}");
        assert_eq!(lines.join(" "), long);
        assert!(!lines[lines.len() - 1].starts_with('='), "{lines:?}");
    }

    #[test]
    fn a_long_bracket_is_opened() {
        let inner = [r"a \cos\theta"; 20].join(" - ");
        let long = format!(r"m + r \left({inner}\right)^{{2}} \ddot{{x}} = 0");
        let lines = fits(&long);
        assert_eq!(bare(&lines.join(" ")), bare(&long));
        assert!(lines[0].contains(r"\bigl(") && lines.concat().contains(r"\bigr)^{2} \ddot{x}"), "{lines:?}");
        assert!(lines.iter().all(|line| !line.contains(r"\left") && !line.contains(r"\right")), "{lines:?}");
    }

    #[test]
    fn a_long_fraction_is_opened() {
        let inner = [r"a \cos\theta"; 20].join(" + ");
        let lines = fits(&format!(r"x = \frac{{{inner}}}{{2 m}} y"));
        assert!(lines[0].starts_with(r"x = \frac{1}{2 m} \bigl(a"), "{lines:?}");
        assert!(lines[lines.len() - 1].ends_with(r"\bigr) y"), "{lines:?}");
        let lines = fits(&format!(r"x = \frac{{2 m}}{{{inner}}}"));
        assert!(lines[0].starts_with(r"x = 2 m \big/ \bigl(a"), "{lines:?}");
    }

    #[test]
    fn a_fraction_behind_a_bracket_is_opened_too() {
        let inner = [r"a \cos\theta"; 20].join(" + ");
        let lines = fits(&format!(r"x = \left(\frac{{3 l \left({inner}\right)}}{{2 m}} - y,\; 0\right)"));
        assert!(lines[0].starts_with(r"x = \bigl(\frac{3}{2 m} l \bigl(a"), "{lines:?}");
        assert!(!lines.concat().contains(r"\cdot"), "{lines:?}");
    }

    #[test]
    fn a_wide_matrix_is_told_entry_by_entry() {
        let entry = [r"a \cos\theta"; 5].join(" + ");
        let narrow = r"M = \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}";
        assert_eq!(broken(narrow), [narrow]);
        let lines = broken(&format!(r"M = \begin{{pmatrix}} {entry} & {entry} \\ {entry} & 4 \end{{pmatrix}}"));
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert_eq!(lines[3], "M_{2,2} = 4");
    }

    #[test]
    fn a_long_product_is_broken_between_factors_but_not_behind_a_function() {
        let long = [r"\sin 2 \theta"; 30].join(" ");
        let lines = fits(&long);
        assert!(lines[1..].iter().all(|line| line.starts_with(r"\cdot \sin 2 \theta")), "{lines:?}");
        assert_eq!(bare(&lines.concat()), bare(&long));
    }
}
