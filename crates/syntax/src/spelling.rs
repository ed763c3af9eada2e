//! What may the writer have meant? The nearest known word, or the ASCII spelling of a Greek one.

/// Longer words are compared only for equality up to case.
const LONGEST: usize = 64;

/// The candidate that looks most like `name`, if one looks like it at all.
///
/// One change in three letters is near: a letter replaced, added, left out, or two neighbours
/// swapped. Case alone is always near. Between equals the closer character code wins (`u4` is
/// nearer to `u3` than to `u1`), then the earlier candidate.
///
/// ```
/// assert_eq!(syntax::nearest("omgea", ["theta", "omega"]), Some("omega"));
/// assert_eq!(syntax::nearest("R", ["x", "r"]), Some("r"));
/// assert_eq!(syntax::nearest("q", ["x", "y"]), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = match name.chars().count() {
        0 | 1 | LONGEST.. => 0,
        length => (length / 3).max(1),
    };
    candidates
        .into_iter()
        .filter_map(|candidate| Some((unlikeness(name, candidate, allowed)?, candidate)))
        .min_by_key(|(unlikeness, _)| *unlikeness)
        .map(|(_, candidate)| candidate)
}

/// Changes needed, then distance of the character codes; `None` beyond what is allowed.
fn unlikeness(name: &str, candidate: &str, allowed: usize) -> Option<(usize, u32)> {
    if name.eq_ignore_ascii_case(candidate) {
        return Some((0, u32::from(name != candidate)));
    }
    let (name, candidate): (Vec<char>, Vec<char>) = (name.chars().collect(), candidate.chars().collect());
    if name.len().abs_diff(candidate.len()) > allowed || allowed == 0 {
        return None;
    }
    let changes = changes_between(&name, &candidate);
    let pairs = name.iter().zip(&candidate);
    let codes = pairs.map(|(a, b)| (*a as u32).abs_diff(*b as u32)).sum();
    (changes <= allowed).then_some((changes, codes))
}

/// The Damerau–Levenshtein distance (neighbours swapped at most once).
fn changes_between(a: &[char], b: &[char]) -> usize {
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let dropped = table[i - 1][j].min(table[i][j - 1]) + 1;
                let swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let swapped = if swap { table[i - 2][j - 2] + 1 } else { i + j };
                replaced.min(dropped).min(swapped)
            };
        }
    }
    table[a.len()][b.len()]
}

/// Whether a word of letters can be a name: ASCII or Greek.
pub(crate) fn is_name(word: &str) -> bool {
    word.chars().all(|character| character.is_ascii() || greek(character).is_some())
}

/// A name as it is kept: Greek letters are spelled out, so that `θ` and `theta` are one name.
pub(crate) fn spelled(name: &str) -> String {
    match name.is_ascii() {
        true => name.to_owned(),
        false => in_ascii(name).unwrap_or_else(|| name.to_owned()),
    }
}

/// The word in ASCII with Greek letters spelled out and dotted letters primed, where that is known.
pub(crate) fn in_ascii(word: &str) -> Option<String> {
    let mut spelled = String::new();
    let mut primes = String::new();
    for character in word.chars() {
        match character {
            '\u{307}' | 'ẋ' | 'ẏ' | 'ż' => primes.push('\''),
            '\u{308}' | 'ẍ' | 'ÿ' => primes.push_str("''"),
            _ => {}
        }
        match character {
            '\u{307}' | '\u{308}' => {}
            'ẋ' | 'ẍ' => spelled.push('x'),
            'ẏ' | 'ÿ' => spelled.push('y'),
            'ż' => spelled.push('z'),
            _ if character.is_ascii() => spelled.push(character),
            _ => spelled.push_str(greek(character)?),
        }
    }
    Some(spelled + &primes)
}

fn greek(letter: char) -> Option<&'static str> {
    const SMALL: [&str; 25] = [
        "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu",
        "xi", "omicron", "pi", "rho", "sigma", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
    ];
    const CAPITAL: [&str; 25] = [
        "Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta", "Iota", "Kappa", "Lambda", "Mu", "Nu",
        "Xi", "Omicron", "Pi", "Rho", "Sigma", "Sigma", "Tau", "Upsilon", "Phi", "Chi", "Psi", "Omega",
    ];
    match letter {
        'α'..='ω' => Some(SMALL[(letter as u32 - 'α' as u32) as usize]),
        'Α'..='Ω' => Some(CAPITAL[(letter as u32 - 'Α' as u32) as usize]),
        'ϕ' => Some("phi"),
        'ϑ' => Some("theta"),
        'ϵ' => Some("epsilon"),
        'ϱ' => Some("rho"),
        'ϖ' => Some("pi"),
        'µ' => Some("mu"),
        _ => None,
    }
}
