//! Which words are units, and how is one written? `kg*m/s^2`, without blanks.
//!
//! After a number only known units are swallowed, and a unit name followed by `.` `(` `[` or `'`
//! is a name: in `0.5 m*N.x` the unit is `m`. After a colon every word must be a unit.

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

/// What somebody who wrote `name` for a unit may have meant.
pub(crate) fn meant(name: &str) -> Option<&'static str> {
    let alias = ALIASES.iter().find(|row| row.0 == name).map(|row| row.1);
    alias.or_else(|| nearest(name, UNITS))
}

impl Cursor<'_> {
    /// Reads the unit after a colon: `m/s^2`, `1/s`.
    pub fn unit(&mut self) -> Option<Unit> {
        self.attempt(|cursor| {
            let unit = cursor.unit_factors(true);
            if unit.is_some() {
                cursor.complain_of_broken_unit();
            }
            unit
        })?
    }

    /// `m / s`, `m s` or `m/`: what follows looks like more of the unit.
    fn complain_of_broken_unit(&mut self) {
        let span = self.token().span;
        let is_sign = matches!(self.peek(), TokenKind::Star | TokenKind::Slash);
        if is_sign && self.peek_at(1) != TokenKind::Name {
            let message = format!("a unit is missing after {}", self.describe(self.token()));
            self.complain(Diagnostic::error(span, message).hint(list_of_units()));
        } else if is_sign || self.is_unit(0) {
            let message = "a unit is written without blanks, with `*` or `/`";
            self.complain(Diagnostic::error(span, message).hint("write it as in `N*m` or `m/s^2`"));
        }
    }

    /// Reads the unit after a number, if one stands here.
    pub(crate) fn unit_after_number(&mut self) -> Option<Unit> {
        let begins = !self.glued(0) && (self.is_unit(0) || self.is_one_over() && self.is_unit(2));
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

    fn unit_factors(&mut self, every_word: bool) -> Option<Unit> {
        let start = self.token().span;
        let mut direction = 1;
        if self.is_one_over() {
            self.advance();
            self.advance();
            direction = -1;
        }
        let mut factors = vec![self.unit_factor(direction)?];
        while self.unit_goes_on(every_word) {
            let over = self.advance().kind == TokenKind::Slash;
            factors.push(self.unit_factor(if over { -1 } else { 1 })?);
        }
        let span = start.to(self.last_span());
        self.quantity_end = span.end;
        Some(Unit { factors, span })
    }

    fn unit_goes_on(&self, every_word: bool) -> bool {
        matches!(self.peek(), TokenKind::Star | TokenKind::Slash)
            && self.glued(0)
            && self.glued(1)
            && self.peek_at(1) == TokenKind::Name
            && (every_word || self.is_unit(1))
    }

    fn unit_factor(&mut self, direction: i32) -> Option<UnitFactor> {
        let token = self.token();
        let Some(name) = known(self.text_of(token)) else {
            self.complain_of_unit(token);
            return None;
        };
        self.advance();
        let mut exponent = direction;
        if self.peek() == TokenKind::Caret && self.glued(0) {
            exponent *= self.unit_exponent(name)?;
        }
        let span = token.span.to(self.last_span());
        Some(UnitFactor { name, exponent, span })
    }

    fn unit_exponent(&mut self, name: &str) -> Option<i32> {
        let caret = self.advance();
        let negative = self.peek() == TokenKind::Minus && self.glued(0);
        let digits = self.token_at(usize::from(negative));
        let value: Option<i32> = self.text_of(digits).parse().ok();
        if let Some(value) = value.filter(|_| digits.kind == TokenKind::Number) {
            if negative {
                self.advance();
            }
            self.advance();
            return Some(if negative { -value } else { value });
        }
        self.complain(
            Diagnostic::error(caret.span, "the exponent of a unit is an integer")
                .label(format!("`{name}` was read as a unit"))
                .hint(format!("write an integer, as in `{name}^2`; to raise number and unit, put both in brackets")),
        );
        self.deeper(Self::factor);
        None
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

/// The sentence that names all units.
pub(crate) fn list_of_units() -> String {
    format!("units are {}", UNITS.join(" "))
}
