//! How is a name typeset? `theta1'` becomes an italic θ, a lowered 1 and a prime.
//!
//! The rules are those of the LaTeX printer: a letter, or a Greek letter by its name, is a variable
//! and slanted; a longer word stands upright; trailing digits, `_x` and `[3]` are lowered.

/// On which line does a run stand?
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    Base,
    Sub,
    Sup,
}

/// Characters set alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub text: String,
    pub italic: bool,
    pub level: Level,
}

/// A line of text, ready to be set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    pub runs: Vec<Run>,
}

/// The size of what is lowered or raised, relative to the rest.
pub const SMALL: f64 = 0.7;

impl Text {
    /// Text that is set as it comes.
    pub fn upright(text: &str) -> Text {
        Text::default().with(text, false, Level::Base)
    }

    /// A name, or names with signs between them.
    pub fn name(name: &str) -> Text {
        let mut out = Text::default();
        let mut rest = name;
        while let Some(c) = rest.chars().next() {
            let taken = if c.is_ascii_alphabetic() {
                let identifier = identifier(rest);
                out = out.and(letters(identifier));
                identifier.len()
            } else {
                let (sign, italic, level, taken) = sign(name, rest);
                out = out.with(&sign, italic, level);
                taken
            };
            rest = &rest[taken..];
        }
        out
    }

    /// A unit: `m/s^2` with its power raised, `N*m` with a dot between, `deg` as °.
    pub fn unit(unit: &str) -> Text {
        let mut out = Text::default();
        let mut rest = unit.trim();
        while let Some(c) = rest.chars().next() {
            let word = rest.len() - rest.trim_start_matches(|c: char| c.is_alphabetic()).len();
            let taken = if word > 0 {
                out = out.with(if &rest[..word] == "deg" { "°" } else { &rest[..word] }, false, Level::Base);
                word
            } else if let Some(power) = power(rest) {
                out = out.with(&power.replace('-', "−"), false, Level::Sup);
                power.len() + 1
            } else {
                out = out.with(if c == '*' { "·" } else { &rest[..c.len_utf8()] }, false, Level::Base);
                c.len_utf8()
            };
            rest = &rest[taken..];
        }
        out
    }

    /// What stands at an axis: names, then the unit in brackets.
    pub fn label<'a>(names: impl IntoIterator<Item = &'a str>, unit: &str) -> Text {
        let mut out = Text::default();
        for name in names {
            out = if out.runs.is_empty() { out } else { out.with(", ", false, Level::Base) };
            out = out.and(Text::name(name));
        }
        if matches!(unit.trim(), "" | "1") {
            out
        } else {
            out.with(" (", false, Level::Base).and(Text::unit(unit)).with(")", false, Level::Base)
        }
    }

    /// A label that comes as one string: `x1 (m)`.
    pub fn parsed_label(label: &str) -> Text {
        match label.trim().strip_suffix(')').and_then(|inner| inner.rsplit_once(" (")) {
            Some((name, unit)) => Text::label([name.trim()], unit),
            None => Text::name(label.trim()),
        }
    }

    /// This text with another behind it.
    pub fn and(mut self, other: Text) -> Text {
        for run in other.runs {
            self = self.with(&run.text, run.italic, run.level);
        }
        self
    }

    /// This text with a run behind it; runs set alike are one.
    pub fn with(mut self, text: &str, italic: bool, level: Level) -> Text {
        match self.runs.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if last.italic == italic && last.level == level => last.text.push_str(text),
            _ => self.runs.push(Run { text: text.to_owned(), italic, level }),
        }
        self
    }

    /// How wide is this text at most, in a font of that size? The font is unknown: a wide one is assumed.
    pub fn width(&self, size: f64) -> f64 {
        let scale = |level| if level == Level::Base { size } else { size * SMALL };
        self.runs.iter().map(|run| scale(run.level) * run.text.chars().map(breadth).sum::<f64>()).sum()
    }

    /// This text, cut with an ellipsis where it gets wider than `limit`.
    pub fn within(self, limit: f64, size: f64) -> Text {
        if self.width(size) <= limit {
            return self;
        }
        let mut out = Text::default();
        let letters = self.runs.iter().flat_map(|run| run.text.chars().map(move |c| (c, run.italic, run.level)));
        for (c, italic, level) in letters {
            let longer = out.clone().with(&c.to_string(), italic, level);
            if longer.width(size) + size > limit {
                break;
            }
            out = longer;
        }
        out.with("…", false, Level::Base)
    }

    /// The same in plain characters: lowered and raised ones where Unicode has them.
    pub fn plain(&self) -> String {
        let of_run = |run: &Run| match run.level {
            Level::Base => run.text.clone(),
            Level::Sub => shifted(&run.text, SUBSCRIPTS).unwrap_or_else(|| format!("_{}", run.text)),
            Level::Sup => shifted(&run.text, SUPERSCRIPTS).unwrap_or_else(|| format!("^{}", run.text)),
        };
        self.runs.iter().map(of_run).collect()
    }
}

/// The identifier that `text` begins with, an index in square brackets included.
fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let index = text[end..].strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, ',' | ' ' | '-');
    match index {
        Some((index, _)) if !index.is_empty() && index.chars().all(inside) => &text[..end + index.len() + 2],
        _ => &text[..end],
    }
}

/// An identifier: its head, and what is lowered.
fn letters(identifier: &str) -> Text {
    let pieces: Vec<&str> = identifier.trim_end_matches(']').split(['_', '[', ',']).map(str::trim).collect();
    if pieces.contains(&"") {
        return Text::upright(identifier);
    }
    let head = pieces[0].trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &pieces[0][head.len()..];
    let mut out = letter(head, Level::Base);
    let lowered = [digits].into_iter().filter(|digits| !digits.is_empty()).chain(pieces[1..].iter().copied());
    for (place, piece) in lowered.enumerate() {
        out = out.with(if place == 0 { "" } else { "," }, false, Level::Sub).and(index(piece));
    }
    out
}

/// A subscript: a number, a letter, axes such as `xy`, points and frames such as `NB`, or a word.
fn index(piece: &str) -> Text {
    let points = piece.len() <= 3 && piece.chars().all(|c| c.is_ascii_uppercase());
    let axes = piece.chars().all(|c| matches!(c, 'x' | 'y' | 'z'));
    if points || axes {
        return Text::default().with(piece, true, Level::Sub);
    }
    letter(&piece.replace('-', "−"), Level::Sub)
}

/// A letter, a Greek letter by its name, or an upright word.
fn letter(word: &str, level: Level) -> Text {
    match GREEK.split(' ').find_map(|pair| pair.strip_prefix(word)?.strip_prefix('=')) {
        Some(greek) => Text::default().with(greek, true, level),
        None => Text::default().with(word, word.len() == 1 && word.starts_with(|c: char| c.is_alphabetic()), level),
    }
}

/// What stands between identifiers: its text, whether slanted, its line, and how much of `rest` it takes.
fn sign(whole: &str, rest: &str) -> (String, bool, Level, usize) {
    let c = rest.chars().next().unwrap_or(' ');
    let before = whole[..whole.len() - rest.len()].chars().next_back();
    let after = rest[c.len_utf8()..].chars().next();
    let primes = rest.len() - rest.trim_start_matches('\'').len();
    match c {
        '\'' if primes == 2 => ("″".to_owned(), false, Level::Base, 2),
        '\'' => ("′".repeat(primes), false, Level::Base, primes),
        '-' if after == Some(' ') || matches!(before, None | Some(' ' | '(')) => {
            ("−".to_owned(), false, Level::Base, 1)
        }
        '*' => ("·".to_owned(), false, Level::Base, 1),
        '^' if power(rest).is_some() => {
            let power = power(rest).unwrap_or_default();
            (power.replace('-', "−"), false, Level::Sup, power.len() + 1)
        }
        _ => (c.to_string(), matches!(c, 'α'..='ω' | 'Α'..='Ω'), Level::Base, c.len_utf8()),
    }
}

/// The whole number behind a `^`, if that is what `text` begins with.
fn power(text: &str) -> Option<&str> {
    let power = text.strip_prefix('^')?;
    let unsigned = power.strip_prefix('-').unwrap_or(power);
    let digits = unsigned.len() - unsigned.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    (digits > 0).then(|| &power[..power.len() - unsigned.len() + digits])
}

const GREEK: &str = "alpha=α beta=β gamma=γ delta=δ epsilon=ε zeta=ζ eta=η theta=θ iota=ι kappa=κ lambda=λ mu=μ nu=ν \
    xi=ξ omicron=ο pi=π rho=ρ sigma=σ tau=τ upsilon=υ phi=φ chi=χ psi=ψ omega=ω Alpha=Α Beta=Β Gamma=Γ Delta=Δ \
    Epsilon=Ε Zeta=Ζ Eta=Η Theta=Θ Iota=Ι Kappa=Κ Lambda=Λ Mu=Μ Nu=Ν Xi=Ξ Omicron=Ο Pi=Π Rho=Ρ Sigma=Σ Tau=Τ \
    Upsilon=Υ Phi=Φ Chi=Χ Psi=Ψ Omega=Ω varepsilon=ε vartheta=ϑ varphi=φ varrho=ϱ varsigma=ς ell=ℓ";

const SUBSCRIPTS: &str = "0₀ 1₁ 2₂ 3₃ 4₄ 5₅ 6₆ 7₇ 8₈ 9₉ −₋ +₊ aₐ eₑ hₕ iᵢ jⱼ kₖ lₗ mₘ nₙ oₒ pₚ rᵣ sₛ tₜ uᵤ vᵥ xₓ \
    βᵦ γᵧ ρᵨ φᵩ χᵪ";

const SUPERSCRIPTS: &str = "0⁰ 1¹ 2² 3³ 4⁴ 5⁵ 6⁶ 7⁷ 8⁸ 9⁹ −⁻ +⁺";

fn shifted(text: &str, table: &str) -> Option<String> {
    text.chars().map(|c| table.split_whitespace().find_map(|pair| pair.strip_prefix(c))).collect()
}

/// How broad is a character, in units of the font size? Taken from DejaVu Serif, among the widest.
fn breadth(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' | '′' | ' ' | '·' | 'ι' | '₁' => 0.34,
        'f' | 'r' | 't' | 'I' | 'J' | '(' | ')' | '[' | ']' | '″' | '-' | '/' | 's' | '°' => 0.5,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '—' | '…' => 1.02,
        'ω' | 'ψ' | '−' | '×' | '+' | '=' | '<' | '>' | 'A'..='Z' | 'Α'..='Ω' => 0.84,
        c if c as u32 >= 0x2e80 => 1.05,
        _ => 0.64,
    }
}

#[cfg(test)]
mod tests {
    use super::{Level, Text};

    /// Slanted text in `/ /`, lowered in `_{ }`, raised in `^{ }`.
    fn shown(text: &Text) -> String {
        let of_run = |run: &super::Run| {
            let inner = if run.italic { format!("/{}/", run.text) } else { run.text.clone() };
            match run.level {
                Level::Base => inner,
                Level::Sub => format!("_{{{inner}}}"),
                Level::Sup => format!("^{{{inner}}}"),
            }
        };
        text.runs.iter().map(of_run).collect()
    }

    #[test]
    fn names_become_letters_with_subscripts() {
        let table = [
            ("x", "/x/"),
            ("phi1", "/φ/_{1}"),
            ("x1'", "/x/_{1}′"),
            ("theta'", "/θ/′"),
            ("theta''", "/θ/″"),
            ("x'''", "/x/′′′"),
            ("Omega", "/Ω/"),
            ("energy", "energy"),
            ("mass2", "mass_{2}"),
            ("phi_rod", "/φ/_{rod}"),
            ("k1_alpha", "/k/_{1,}_{/α/}"),
            ("I_xy", "/I/_{/xy/}"),
            ("r_NB", "/r/_{/NB/}"),
            ("a[3]", "/a/_{3}"),
            ("a[-1]", "/a/_{−1}"),
            ("x_", "x_"),
            ("q1dot", "q1dot"),
            ("x1 - x2", "/x/_{1} − /x/_{2}"),
            ("v^2", "/v/^{2}"),
            ("P.x", "/P/./x/"),
            ("", ""),
            ("[", "["),
            ("a[", "/a/["),
            ("12", "12"),
            ("a_é", "a_é"),
        ];
        for (name, expected) in table {
            assert_eq!(shown(&Text::name(name)), expected, "{name}");
        }
    }

    #[test]
    fn units_have_their_powers_raised() {
        let table =
            [("m/s^2", "m/s^{2}"), ("N*m", "N·m"), ("deg", "°"), ("s^-1", "s^{−1}"), ("kg*m^2/s^2", "kg·m^{2}/s^{2}")];
        for (unit, expected) in table {
            assert_eq!(shown(&Text::unit(unit)), expected, "{unit}");
        }
    }

    #[test]
    fn labels_hold_name_and_unit() {
        assert_eq!(Text::label(["x1"], "m").plain(), "x₁ (m)");
        assert_eq!(Text::label(["x1", "x2"], "m/s^2").plain(), "x₁, x₂ (m/s²)");
        assert_eq!(Text::label(["mu"], "").plain(), "μ");
        assert_eq!(Text::label(["mu"], "1").plain(), "μ");
        assert_eq!(Text::label(["x_q"], "").plain(), "x_q");
        assert_eq!(Text::parsed_label("y2 (m)").plain(), "y₂ (m)");
        assert_eq!(Text::parsed_label("y2").plain(), "y₂");
    }

    #[test]
    fn long_text_is_cut() {
        let cut = Text::upright("a rather long title").within(60.0, 10.0);
        assert!(cut.plain().ends_with('…') && cut.width(10.0) <= 60.0, "{}", cut.plain());
        assert_eq!(Text::upright("short").within(60.0, 10.0), Text::upright("short"));
    }
}
