//! Which words are units, and how is one written? `kg*m/s^2`, or `kg m s^-2`.
//!
//! After a number only known units are swallowed, signs between them stand without blanks, and a unit name
//! followed by `.` `(` `[` or `'` is a name: in `0.5 m*N.x` the unit is `m`. After a colon every word must be a unit.

use crate::cursor::{Cursor, shorten};
use crate::token::TokenKind;
use crate::{Diagnostic, Token, Unit, UnitFactor, nearest};

/// The names of the units.
pub const UNITS: [&str; 18] =
    ["m", "mm", "cm", "km", "s", "ms", "kg", "rad", "deg", "N", "kN", "J", "W", "Pa", "Hz", "rpm", "gram", "hour"];

/// Spellings from elsewhere, and what to write.
const ALIASES: [(&str, &str); 32] = [
    ("meter", "m"),
    ("meters", "m"),
    ("metre", "m"),
    ("metres", "m"),
    ("sec", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("kilogram", "kg"),
    ("kilograms", "kg"),
    ("g", "gram"),
    ("grams", "gram"),
    ("h", "hour"),
    ("hr", "hour"),
    ("hours", "hour"),
    ("degree", "deg"),
    ("degrees", "deg"),
    ("radian", "rad"),
    ("radians", "rad"),
    ("newton", "N"),
    ("newtons", "N"),
    ("joule", "J"),
    ("joules", "J"),
    ("watt", "W"),
    ("watts", "W"),
    ("pascal", "Pa"),
    ("hertz", "Hz"),
    ("kmh", "km/hour"),
    ("kph", "km/hour"),
    ("mps", "m/s"),
    ("Nm", "N*m"),
    ("min", "60 s"),
    ("minutes", "60 s"),
];

/// The unit of this name as the table has it.
pub(crate) fn known(name: &str) -> Option<&'static str> {
    UNITS.into_iter().find(|unit| *unit == name)
}

/// The unit that another spelling means: `N*m` for `Nm`.
pub fn alias(name: &str) -> Option<&'static str> {
    let is_letter = |row: &&(&str, &str)| row.0 == name && name.len() > 1;
    ALIASES.iter().find(is_letter).map(|row| row.1)
}

/// What somebody who wrote `name` for a unit may have meant.
pub(crate) fn meant(name: &str) -> Option<&'static str> {
    let alias = ALIASES.iter().find(|row| row.0 == name).map(|row| row.1);
    alias.or_else(|| nearest(name, UNITS))
}

impl Cursor<'_> {
    /// Reads the unit after a colon: `m/s^2`, `1/s`.
    pub fn unit(&mut self) -> Option<Unit> {
        self.attempt(|cursor| {
            if cursor.text_of(cursor.token()) == "1" && !cursor.is_one_over() {
                let span = cursor.advance().span;
                cursor.calm_down();
                return Some(Unit { factors: Vec::new(), span });
            }
            let unit = cursor.unit_factors(true);
            if unit.is_some() {
                cursor.complain_of_broken_unit();
            }
            unit
        })?
    }

    /// `m/`: what follows looks like more of the unit.
    fn complain_of_broken_unit(&mut self) {
        if matches!(self.peek(), TokenKind::Star | TokenKind::Slash) {
            let message = format!("a unit is missing after {}", self.describe(self.token()));
            self.complain(Diagnostic::error(self.token().span, message).hint(list_of_units()));
        }
    }

    /// Reads the unit after a number, if one stands here.
    pub(crate) fn unit_after_number(&mut self) -> Option<Unit> {
        let begins = self.is_unit(0) || !self.glued(0) && self.is_one_over() && self.is_unit(2);
        begins.then(|| self.unit_factors(false))?
    }

    /// Whether the token `ahead` is a unit, and not a name that happens to look like one.
    fn is_unit(&self, ahead: usize) -> bool {
        let name_goes_on = matches!(
            self.peek_at(ahead + 1),
            TokenKind::Dot | TokenKind::OpenParen | TokenKind::OpenBracket | TokenKind::Prime
        );
        let is_name = self.peek_at(ahead) == TokenKind::Name;
        is_name && known(self.text_of(self.token_at(ahead))).is_some() && !(name_goes_on && self.glued(ahead + 1))
    }

    /// Whether `1/` and a word stand here without blanks.
    fn is_one_over(&self) -> bool {
        self.text_of(self.token()) == "1"
            && self.peek_at(1) == TokenKind::Slash
            && self.glued(1)
            && self.peek_at(2) == TokenKind::Name
            && self.glued(2)
    }

    fn unit_factors(&mut self, after_colon: bool) -> Option<Unit> {
        let start = self.token().span;
        let mut direction = 1;
        if self.is_one_over() {
            self.advance();
            self.advance();
            direction = -1;
        }
        let mut factors = vec![self.unit_factor(direction)?];
        loop {
            let over = if self.unit_goes_on(after_colon) {
                self.advance().kind == TokenKind::Slash
            } else if self.is_unit(0) {
                false // `m s^-2`
            } else {
                break;
            };
            factors.push(self.unit_factor(if over { -1 } else { 1 })?);
        }
        let span = start.to(self.last_span());
        self.quantity_end = span.end;
        Some(Unit { factors, span })
    }

    /// Whether a sign and another unit follow; after a number without blanks, and only what is a unit.
    fn unit_goes_on(&self, after_colon: bool) -> bool {
        let is_sign = matches!(self.peek(), TokenKind::Star | TokenKind::Slash);
        let is_tight = self.glued(0) && self.glued(1);
        is_sign && self.peek_at(1) == TokenKind::Name && (after_colon || is_tight && self.is_unit(1))
    }

    fn unit_factor(&mut self, direction: i32) -> Option<UnitFactor> {
        let token = self.token();
        let Some(name) = known(self.text_of(token)) else {
            self.complain_of_unit(token);
            return None;
        };
        self.advance();
        let (mut exponent, mut root) = (1, 1);
        if self.peek() == TokenKind::Caret && self.glued(0) {
            (exponent, root) = self.unit_exponent(name)?;
        }
        let span = token.span.to(self.last_span());
        Some(UnitFactor { name, exponent: direction * exponent, root, span })
    }

    /// The exponent of a unit: `2`, `-2`, `1.5`, `(3/2)`; above and below the line, in lowest terms.
    fn unit_exponent(&mut self, name: &str) -> Option<(i32, i32)> {
        let caret = self.advance();
        let mut ahead = 0;
        let bracket = self.peek() == TokenKind::OpenParen && self.glued(0);
        ahead += usize::from(bracket);
        let negative = self.peek_at(ahead) == TokenKind::Minus;
        ahead += usize::from(negative);
        let mut value = self.fraction_at(ahead);
        ahead += 1;
        if bracket && self.peek_at(ahead) == TokenKind::Slash {
            let below = self.fraction_at(ahead + 1).filter(|below| below.0 > 0);
            value = value.zip(below).map(|((a, b), (c, d))| (a * d, b * c));
            ahead += 2;
        }
        let closed = !bracket || self.peek_at(ahead) == TokenKind::CloseParen;
        let value = value.map(lowest).filter(|(above, below)| closed && *above < 1 << 20 && *below < 100);
        if let Some((above, below)) = value {
            (0..ahead + usize::from(bracket)).for_each(|_| {
                self.advance();
            });
            let above = above as i32;
            return Some((if negative { -above } else { above }, below as i32));
        }
        self.complain(
            Diagnostic::error(caret.span, "the exponent of a unit is an integer or a fraction of small integers")
                .label(format!("`{name}` was read as a unit"))
                .hint(format!("write `{name}^2` or `{name}^(3/2)`; to raise number and unit, put both in brackets")),
        );
        self.deeper(Self::factor);
        None
    }

    /// The number that stands so many tokens further on, as a fraction.
    fn fraction_at(&self, ahead: usize) -> Option<(i64, i64)> {
        let token = self.token_at(ahead);
        let text = self.text_of(token);
        if token.kind != TokenKind::Number || text.len() > 9 {
            return None;
        }
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = format!("{whole}{part}");
        Some((digits.parse().ok()?, 10_i64.pow(part.len() as u32)))
    }

    /// Says that a unit is expected, or which one may be meant.
    fn complain_of_unit(&mut self, token: Token) {
        let word = shorten(self.text_of(token));
        let is_name = token.kind == TokenKind::Name;
        let (message, hint) = match meant(&word).filter(|_| is_name) {
            Some(unit) => (format!("`{word}` is not a unit"), format!("write `{unit}`")),
            None if is_name => (format!("`{word}` is not a unit"), list_of_units()),
            None => (format!("a unit is expected, found {}", self.describe(token)), list_of_units()),
        };
        self.complain(Diagnostic::error(token.span, message).hint(hint));
    }
}

/// The fraction in lowest terms.
fn lowest((above, below): (i64, i64)) -> (i64, i64) {
    let (mut a, mut b) = (above, below);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (above / a.max(1), below / a.max(1))
}

/// The sentence that names all units.
pub(crate) fn list_of_units() -> String {
    format!("units are {}", UNITS.join(" "))
}
