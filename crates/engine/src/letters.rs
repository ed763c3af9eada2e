//! How is a formula in letters set? From the notation of the pages, `d/dt ∂T*/∂q'_k`, to LaTeX and MathML.
//!
//! ```text
//! q'_s  T*''  a^κσ  p[x]          primes are dots; stars, indices and brackets are set above and below
//! ∂T/∂q'   d/dt   dX/dt           fractions
//! Σ_k  ½  ᵀ  ⁻¹  ṽ  ·  ×          as they are
//! ```

use expr::{Kind, Symbol};

/// A formula in three shapes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Letters {
    /// As it was written.
    pub text: String,
    /// LaTeX for mathematical mode.
    pub latex: String,
    /// Elements of presentation MathML, without `<math>` around them.
    pub mathml: String,
}

/// What a run of small letters is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runs {
    /// Words of a sentence, as in `over masses`.
    Words,
    /// The name of a symbol, as in `theta'`.
    Names,
}

/// Sets a formula. A graph must be entered: names are set as the symbols of expressions are.
pub fn letters(text: &str, runs: Runs) -> Letters {
    let mut reader = Reader { rest: text.chars().collect(), place: 0, runs };
    let set = reader.sequence(None);
    Letters { text: text.to_owned(), latex: set.latex.trim().to_owned(), mathml: set.mathml }
}

/// A part that is set.
#[derive(Clone, Default)]
struct Set {
    latex: String,
    mathml: String,
}

impl Set {
    fn new(latex: impl Into<String>, mathml: impl Into<String>) -> Set {
        Set { latex: latex.into(), mathml: mathml.into() }
    }

    fn push(&mut self, next: &Set) {
        // a command ends where a letter cannot follow it
        let in_command = self.latex.rfind('\\').is_some_and(|start| {
            let name = &self.latex[start + 1..];
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic())
        });
        if in_command && next.latex.starts_with(|c: char| c.is_ascii_alphabetic()) {
            self.latex.push(' ');
        }
        self.latex.push_str(&next.latex);
        self.mathml.push_str(&next.mathml);
    }

    fn fraction(above: &Set, below: &Set) -> Set {
        Set::new(
            format!(r"\frac{{{}}}{{{}}}", above.latex, below.latex),
            format!("<mfrac><mrow>{}</mrow><mrow>{}</mrow></mfrac>", above.mathml, below.mathml),
        )
    }
}

struct Reader {
    rest: Vec<char>,
    place: usize,
    runs: Runs,
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.rest.get(self.place + ahead).copied()
    }

    fn starts_with(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(k, c)| self.peek(k) == Some(c))
    }

    fn take(&mut self, text: &str) -> bool {
        let is = self.starts_with(text);
        self.place += if is { text.chars().count() } else { 0 };
        is
    }

    /// Everything up to a closing bracket, or to the end.
    fn sequence(&mut self, closing: Option<char>) -> Set {
        let mut set = Set::default();
        while let Some(c) = self.peek(0) {
            if Some(c) == closing {
                self.place += 1;
                break;
            }
            let next = self.piece(c);
            set.push(&next);
        }
        set
    }

    fn piece(&mut self, c: char) -> Set {
        if c == ' ' {
            return self.gap();
        }
        if c == '∂' {
            return self.partial();
        }
        if self.take("d/dt") {
            return Set::fraction(&Set::new("d", "<mi>d</mi>"), &Set::new("dt", "<mi>d</mi><mi>t</mi>"));
        }
        if let Some(rate) = self.rate() {
            return rate;
        }
        if c == 'Σ' {
            self.place += 1;
            return self.scripted(Set::new(r"\sum", "<mo>∑</mo>"));
        }
        if c == 'δ' {
            self.place += 1;
            return Set::new(r"\delta ", "<mi>δ</mi>");
        }
        if c.is_alphabetic() && !"ᵀ".contains(c) {
            return self.atom();
        }
        if c.is_ascii_digit() {
            self.place += 1;
            return Set::new(c, format!("<mn>{c}</mn>"));
        }
        self.place += 1;
        sign(c)
    }

    /// Blanks: several set columns apart.
    fn gap(&mut self) -> Set {
        let start = self.place;
        while self.peek(0) == Some(' ') {
            self.place += 1;
        }
        match self.place - start {
            1 | 2 => Set::new(" ", ""),
            _ => Set::new(r" \qquad ", "<mspace width=\"2em\"/>"),
        }
    }

    /// `∂T*/∂q'`, `∂²K/∂x∂y`, or `∂x` alone.
    fn partial(&mut self) -> Set {
        self.place += 1;
        let mut above = Set::new(r"\partial ", "<mo>∂</mo>");
        if self.take("²") {
            above = Set::new(r"\partial^{2} ", "<msup><mo>∂</mo><mn>2</mn></msup>");
        }
        if self.peek(0) != Some('/') {
            let what = self.factor();
            above.push(&what);
        }
        if !self.starts_with("/∂") {
            return above;
        }
        self.place += 1;
        let mut below = Set::default();
        while self.take("∂") {
            below.push(&Set::new(r"\partial ", "<mo>∂</mo>"));
            let what = self.factor();
            below.push(&what);
        }
        Set::fraction(&above, &below)
    }

    /// `dX/dt`.
    fn rate(&mut self) -> Option<Set> {
        if self.peek(0) != Some('d') || !self.peek(1).is_some_and(char::is_alphabetic) || self.runs == Runs::Names {
            return None;
        }
        let start = self.place;
        self.place += 1;
        let what = self.factor();
        if self.take("/dt") {
            let mut above = Set::new("d", "<mi>d</mi>");
            above.push(&what);
            return Some(Set::fraction(&above, &Set::new("dt", "<mi>d</mi><mi>t</mi>")));
        }
        self.place = start;
        None
    }

    /// A letter after a sign of differentiation, with a δ before it if there is one.
    fn factor(&mut self) -> Set {
        let mut set = Set::default();
        if self.take("δ") {
            set.push(&Set::new(r"\delta ", "<mi>δ</mi>"));
        }
        if self.peek(0).is_some_and(char::is_alphabetic) {
            let atom = self.atom();
            set.push(&atom);
        }
        set
    }

    /// A letter or a name with everything that hangs on it.
    fn atom(&mut self) -> Set {
        let start = self.place;
        let is_run = |c: char| c.is_ascii_alphanumeric() || c == '_';
        while self.peek(0).is_some_and(is_run) {
            self.place += 1;
        }
        let mut run: String = self.rest[start..self.place].iter().collect();
        let small = run.len() > 1 && run.chars().all(|c| c.is_ascii_lowercase());
        if self.runs == Runs::Words && small {
            return Set::new(format!(r"\ \text{{{run}}}"), format!("<mspace width=\"0.3em\"/><mtext>{run}</mtext>"));
        }
        if self.runs == Runs::Words || run.is_empty() {
            self.place = start + 1;
            run = self.rest[start].to_string();
            // a tilde above the letter before it
            if self.peek(0) == Some('\u{303}') {
                self.place += 1;
                run.push('\u{303}');
            }
        }
        let mut order = 0;
        let starred = self.take("*");
        while self.peek(0) == Some('\'') {
            self.place += 1;
            order += 1;
        }
        order += self.primes_after_brackets();
        let base = named(&run, order);
        let star = starred.then(|| Set::new("*", "<mo>*</mo>"));
        let set = self.hang(base, star);
        while self.peek(0) == Some('\'') {
            self.place += 1;
        }
        set
    }

    /// What stands in the brackets that open here, which are read.
    fn brackets(&mut self) -> String {
        let (mut depth, mut inside) = (0, String::new());
        while let Some(c) = self.peek(0) {
            self.place += 1;
            depth += i32::from(c == '[') - i32::from(c == ']');
            if depth == 0 {
                break;
            }
            if depth > 1 || c != '[' {
                inside.push(c);
            }
        }
        inside
    }

    /// How many primes stand after the brackets that open here: `p[x]'` is the rate of `p[x]`.
    fn primes_after_brackets(&self) -> u32 {
        if self.peek(0) != Some('[') {
            return 0;
        }
        let (mut depth, mut ahead) = (0, 0);
        while let Some(c) = self.peek(ahead) {
            depth += i32::from(c == '[') - i32::from(c == ']');
            ahead += 1;
            if depth == 0 {
                break;
            }
        }
        (0..).take_while(|k| self.peek(ahead + k) == Some('\'')).count() as u32
    }

    fn scripted(&mut self, base: Set) -> Set {
        self.hang(base, None)
    }

    /// Indices, exponents and brackets after a letter.
    fn hang(&mut self, base: Set, star: Option<Set>) -> Set {
        let (mut above, mut below) = (star.unwrap_or_default(), Set::default());
        loop {
            match self.peek(0) {
                Some('_') if self.runs == Runs::Words => {
                    self.place += 1;
                    let index = self.index();
                    below.push(&index);
                }
                Some('^') => {
                    self.place += 1;
                    let index = self.index();
                    above.push(&index);
                }
                Some('[') => {
                    let inside = self.brackets();
                    // what stands before a semicolon is set above: γ[k; r, s]
                    let (over, under) = inside.split_once(';').map_or((None, &inside[..]), |(k, rest)| (Some(k), rest));
                    let set = |text: &str| {
                        let made = letters(text.trim(), Runs::Names);
                        Set::new(made.latex, made.mathml)
                    };
                    above.push(&over.map(set).unwrap_or_default());
                    below.push(&set(under));
                }
                Some(c @ ('₀' | '₁')) => {
                    self.place += 1;
                    let digit = if c == '₀' { "0" } else { "1" };
                    below.push(&Set::new(digit, format!("<mn>{digit}</mn>")));
                }
                Some(c) if self.runs == Runs::Words && c.is_ascii_digit() => {
                    self.place += 1;
                    below.push(&Set::new(c, format!("<mn>{c}</mn>")));
                }
                _ => break,
            }
        }
        match (below.latex.is_empty(), above.latex.is_empty()) {
            (true, true) => base,
            (false, true) => Set::new(
                with_index(&base.latex, &below.latex),
                format!("<msub><mrow>{}</mrow><mrow>{}</mrow></msub>", base.mathml, below.mathml),
            ),
            (true, false) => Set::new(
                format!("{}^{{{}}}", base.latex, above.latex),
                format!("<msup><mrow>{}</mrow><mrow>{}</mrow></msup>", base.mathml, above.mathml),
            ),
            (false, false) => Set::new(
                format!("{}^{{{}}}", with_index(&base.latex, &below.latex), above.latex),
                format!(
                    "<msubsup><mrow>{}</mrow><mrow>{}</mrow><mrow>{}</mrow></msubsup>",
                    base.mathml, below.mathml, above.mathml
                ),
            ),
        }
    }

    /// An index: in braces or brackets, or letters and digits in a row.
    fn index(&mut self) -> Set {
        for (open, close) in [("{", '}'), ("[", ']')] {
            if self.take(open) {
                let mut inside = Reader { rest: self.rest.clone(), place: self.place, runs: self.runs };
                let index = inside.sequence(Some(close));
                self.place = inside.place;
                return index;
            }
        }
        let mut set = Set::default();
        while let Some(c) = self.peek(0).filter(|c| (c.is_alphanumeric() && *c != 'ᵀ') || *c == '+') {
            self.place += 1;
            let mut order = 0;
            while self.peek(0) == Some('\'') && self.peek(1).is_none_or(|next| !next.is_alphanumeric()) {
                self.place += 1;
                order += 1;
            }
            let mut next = if c.is_alphabetic() { named(&c.to_string(), 0) } else { sign(c) };
            if order > 0 {
                next = Set::new(format!("{}'", next.latex), format!("{}<mo>′</mo>", next.mathml));
            }
            set.push(&next);
        }
        set
    }
}

/// A letter or a name with its dots.
fn named(run: &str, order: u32) -> Set {
    let accented: Option<(&str, &str, &str)> = match run {
        "ã" => Some(("tilde", "a", "~")),
        "ṽ" => Some(("tilde", "v", "~")),
        "α\u{303}" => Some(("tilde", "alpha", "~")),
        "ω\u{303}" => Some(("tilde", "omega", "~")),
        "Â" => Some(("hat", "A", "^")),
        _ => None,
    };
    if let Some((accent, base, mark)) = accented {
        let base = named(base, 0);
        return Set::new(
            format!(r"\{accent}{{{}}}", base.latex),
            format!("<mover accent=\"true\">{}<mo>{mark}</mo></mover>", base.mathml),
        );
    }
    let greek = GREEK.iter().find(|(letter, _)| run == *letter).map_or(run, |(_, name)| name);
    let kind = expr::kind_of(greek).unwrap_or(Kind::Parameter);
    let symbol = expr::symbol(Symbol { name: greek.to_owned(), kind, order });
    Set::new(expr::latex(symbol), expr::mathml(symbol))
}

const GREEK: [(&str, &str); 16] = [
    ("α", "alpha"),
    ("β", "beta"),
    ("γ", "gamma"),
    ("ε", "epsilon"),
    ("θ", "theta"),
    ("κ", "kappa"),
    ("λ", "lambda"),
    ("μ", "mu"),
    ("ξ", "xi"),
    ("π", "pi"),
    ("ρ", "rho"),
    ("σ", "sigma"),
    ("ω", "omega"),
    ("Γ", "Gamma"),
    ("Λ", "Lambda"),
    ("Π", "Pi"),
];

/// A sign by itself.
fn sign(c: char) -> Set {
    let latex = match c {
        '−' => "- ",
        '·' => r"\cdot ",
        '×' => r"\times ",
        '½' => r"\tfrac{1}{2} ",
        '³' => r"\tfrac{3",
        '⁄' => "}{",
        '₂' => "2} ",
        '→' => r"\to ",
        '∫' => r"\int ",
        '…' => r"\ldots ",
        'ᵀ' => r"^{\mathsf T}",
        '⁻' => "^{-1}",
        '¹' => "",
        '⁺' => "^{+}",
        '²' => "^{2}",
        '≥' => r"\ge ",
        _ => return Set::new(c, format!("<mo>{}</mo>", escaped(c))),
    };
    let mathml = match c {
        '½' => "<mfrac><mn>1</mn><mn>2</mn></mfrac>".to_owned(),
        '³' => "<mfrac><mn>3</mn><mn>2</mn></mfrac>".to_owned(),
        '⁄' | '₂' | '¹' => String::new(),
        'ᵀ' => "<msup><mrow/><mi>T</mi></msup>".to_owned(),
        '⁻' => "<msup><mrow/><mrow><mo>−</mo><mn>1</mn></mrow></msup>".to_owned(),
        '⁺' => "<msup><mrow/><mo>+</mo></msup>".to_owned(),
        '²' => "<msup><mrow/><mn>2</mn></msup>".to_owned(),
        _ => format!("<mo>{c}</mo>"),
    };
    Set::new(latex, mathml)
}

fn escaped(c: char) -> String {
    match c {
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '&' => "&amp;".to_owned(),
        c => c.to_string(),
    }
}

/// A name with an index below it, in LaTeX; one that has an index already gets it beside that, since two are an error.
fn with_index(name: &str, index: &str) -> String {
    let own = name.rfind("_{").filter(|&start| {
        let rest = &name[start + 1..];
        let closes = rest.char_indices().scan(0_i32, |depth, (k, c)| {
            *depth += i32::from(c == '{') - i32::from(c == '}');
            Some((k, *depth))
        });
        closes.into_iter().find(|one| one.1 == 0).is_some_and(|(k, _)| k + 1 == rest.len())
    });
    match own {
        Some(_) => format!("{}, {index}}}", &name[..name.len() - 1]),
        None => format!("{name}_{{{index}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_of_the_pages_are_set() {
        let _scope = expr::Scope::enter();
        let latex = |text: &str, runs: Runs| letters(text, runs).latex;
        for (text, expected) in [
            ("∂S*/∂u'_σ = P*_σ", r"\frac{\partial S^{*}}{\partial \dot{u}_{\sigma}} = P_{\sigma}^{*}"),
            ("d/dt P_k", r"\frac{d}{dt} P_{k}"),
            ("db_ik/dt", r"\frac{db_{ik}}{dt}"),
            ("½ m ã·ã", r"\tfrac{1}{2}  m \tilde{a}\cdot \tilde{a}"),
            ("q''^σ", r"\ddot{q}^{\sigma}"),
            ("A M⁻¹ Aᵀ", r"A M^{-1} A^{\mathsf T}"),
            ("x over masses", r"x \ \text{over} \ \text{masses}"),
        ] {
            assert_eq!(latex(text, Runs::Words), expected, "{text}");
        }
        for (text, expected) in [
            ("a0[edge]", r"a_{0, \mathrm{edge}}"),
            ("∂T*/∂theta'", r"\frac{\partial T^{*}}{\partial \dot{\theta}}"),
            ("p[x1]'", r"\dot{p}_{x_{1}}"),
            ("v[P]", r"v_{P}"),
            ("γ[k; a, b[1]]", r"\gamma_{a, b_{1}}^{k}"),
            ("∂²K/∂x''∂y''", r"\frac{\partial^{2} K}{\partial \ddot{x}\partial \ddot{y}}"),
            ("δx' − d/dt δx", r"\delta \dot{x} -  \frac{d}{dt} \delta x"),
        ] {
            assert_eq!(latex(text, Runs::Names), expected, "{text}");
        }
        assert!(letters("∂T/∂x", Runs::Names).mathml.starts_with("<mfrac><mrow><mo>∂</mo>"));
    }
}
