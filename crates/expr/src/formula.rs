//! In what shape does an expression leave? As text, LaTeX, MathML and a tree, free of its scope.
//!
//! A caller prints the first three and computes with the last; none of them needs a graph.

use std::fmt;

use serde::Serialize;
use syntax::Comparison;

use crate::print::{latex, mathml};
use crate::scope::Expr;
use crate::tree::Tree;

/// An expression, or a relation between two, as plain data.
///
/// What an expression shares is written out each time in text, LaTeX and MathML, so that these
/// could fill the memory. Past 262,144 leaves and operations they are abridged: the text is
/// cut off with `…` and the other two are an ellipsis. The tree is always whole.
///
/// ```
/// let formula = {
///     let _scope = expr::Scope::enter();
///     let (m, x) = (expr::parameter("m"), expr::coordinate("x"));
///     expr::Formula::equation(m * x, x.sin())
/// };
/// assert_eq!(formula.to_string(), "m*x = sin(x)");
/// assert_eq!(formula.latex, r"m x = \sin x");
/// assert!(formula.mathml.starts_with("<math xmlns="));
/// assert_eq!(formula.tree.value(&|symbol| if symbol.name == "m" { 2.0 } else { 0.0 }), 0.0);
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Formula {
    /// Text in the language of models.
    pub text: String,
    /// LaTeX for mathematical mode.
    pub latex: String,
    /// A whole `<math>` element of presentation MathML.
    pub mathml: String,
    /// What a program can compute with.
    pub tree: Tree,
}

/// The most leaves and operations that are written out.
const MOST_WRITTEN: u64 = 1 << 18;

impl Formula {
    /// The formula of an expression.
    pub fn of(e: Expr) -> Formula {
        let tree = Tree::of(e);
        if is_long(&tree) {
            return Formula { text: e.brief(), latex: r"\cdots".to_owned(), mathml: math("<mo>⋯</mo>"), tree };
        }
        Formula { text: e.to_string(), latex: latex(e), mathml: math(&mathml(e)), tree }
    }

    /// The formula of `left = right`.
    pub fn equation(left: Expr, right: Expr) -> Formula {
        Formula::relation(left, Comparison::Equal, right)
    }

    /// The formula of a relation, such as `left >= right`.
    pub fn relation(left: Expr, comparison: Comparison, right: Expr) -> Formula {
        let tree = Tree::relation(left, comparison, right);
        let sign = comparison.symbol();
        if is_long(&tree) {
            let text = format!("{} {sign} {}", left.brief(), right.brief());
            return Formula { text, latex: r"\cdots".to_owned(), mathml: math("<mo>⋯</mo>"), tree };
        }
        let (in_latex, in_mathml) = match comparison {
            Comparison::Equal => ("=", "="),
            Comparison::AtLeast => (r"\ge", "≥"),
            Comparison::AtMost => (r"\le", "≤"),
            Comparison::Greater => (">", "&gt;"),
            Comparison::Less => ("<", "&lt;"),
            Comparison::NotEqual => (r"\ne", "≠"),
        };
        Formula {
            text: format!("{left} {sign} {right}"),
            latex: format!("{} {in_latex} {}", latex(left), latex(right)),
            mathml: math(&format!("{}<mo>{in_mathml}</mo>{}", mathml(left), mathml(right))),
            tree,
        }
    }

    /// Are text, LaTeX and MathML abridged, because the whole would be too long?
    pub fn is_abridged(&self) -> bool {
        is_long(&self.tree)
    }
}

fn is_long(tree: &Tree) -> bool {
    tree.written_size() > MOST_WRITTEN
}

fn math(content: &str) -> String {
    format!("<math xmlns=\"http://www.w3.org/1998/Math/MathML\">{content}</math>")
}

impl From<Expr> for Formula {
    fn from(e: Expr) -> Formula {
        Formula::of(e)
    }
}

/// Its text.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
