//! What is known of a multiplier that loads follow?
//!
//! `settle.rs` finds it. Where the law is the same for both signs, there is one motion unless its determinant
//! vanishes. Where it is not, the multiplier has the sign that it would have without the law as long as both
//! determinants are positive; if only one of them is, there is no motion, or there are two.

use expr::{At, Expr};
use syntax::Span;

/// The law of a multiplier that loads name.
#[derive(Clone, Debug)]
pub struct Law {
    /// The name of the row.
    pub row: String,
    /// Its multiplier.
    pub lambda: Expr,
    /// What it is, as an expression of the state (4).
    pub value: Expr,
    /// What it would be without the law (3).
    pub without: Expr,
    /// 1 + G⁺ and 1 + G⁻ where the law depends on the sign; the determinant of (4) where it does not.
    pub determinants: Vec<Expr>,
    /// The load that names it first.
    pub span: Span,
}

impl Law {
    /// Whether the law depends on the sign of the multiplier.
    pub fn has_sides(&self) -> bool {
        self.determinants.len() == 2
    }

    /// What the place is called where it determines no motion any longer.
    pub fn end(&self) -> String {
        format!("the law of `{}` is singular", self.row)
    }

    /// Why there is not one motion at a state; nothing if there is.
    pub fn trouble(&self, at: &At) -> Option<String> {
        const SMALL: f64 = 1e-12;
        let values = at.values(&self.determinants);
        let (row, text) = (&self.row, |x: f64| expr::decimal(x));
        match values[..] {
            [d] if d.abs() < SMALL => Some(format!(
                "the law of `{row}` determines no accelerations: its equations are singular there (determinant {})",
                text(d)
            )),
            [plus, minus] if plus < SMALL || minus < SMALL => {
                let g = at.value(self.without);
                let one = |d: f64, sign: f64| d.abs() >= SMALL && g / d * sign > 0.0;
                let said = match (one(plus, 1.0), one(minus, -1.0)) {
                    (true, true) => "two motions satisfy it: the multiplier may be positive or negative",
                    (false, false) => "no motion satisfies it",
                    _ => "its equations are beyond a place where they are singular",
                };
                let (plus, minus) = (text(plus), text(minus));
                Some(format!("the law of `{row}`: {said} there (1 + G is {plus} on one side, {minus} on the other)"))
            }
            _ => None,
        }
    }

    /// What is said of it beside equations.
    pub fn told(&self, at: Option<&At>) -> String {
        let row = &self.row;
        let mut text = format!(
            "loads follow the multiplier of `{row}`: in its place they have what the equations give for it, {} = {}",
            self.lambda,
            self.value.brief()
        );
        if self.has_sides() && self.determinants.iter().any(|d| d.as_number().is_none()) {
            let list: Vec<String> = self.determinants.iter().map(|d| format!("{} > 0", d.brief())).collect();
            text += &format!("; this is the one motion where {}", list.join(" and "));
        }
        if let Some(at) = at {
            let list: Vec<String> = at.values(&self.determinants).iter().map(|&d| expr::decimal(d)).collect();
            text += &format!("; its determinant relative to that without the law is {}", list.join(" or "));
        }
        text
    }
}
