//! The kernel by itself: are two expressions the same, what is a derivative, what is simpler?

use std::collections::BTreeMap;

use expr::{Expr, Formula, Scope};
use proof::Assumptions;
use serde::Serialize;

use crate::readable::Reader;
use crate::{Error, Field};

/// Whether two expressions are the same, as scripts read it.
#[derive(Clone, Debug, Serialize)]
pub struct Same {
    /// The answer.
    pub verdict: Verdict,
    /// A bound for the probability that `same` is wrong; 0 if it is certain.
    pub error_bound: Option<f64>,
    /// The same bound as text, `2^-94`.
    #[serde(skip)]
    pub error_text: Option<String>,
    /// Where they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// What stopped the search for an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The relations that were assumed.
    pub assumptions: Vec<String>,
    /// Expressions whose sign switches something; where one vanishes nothing is said.
    pub switches: Vec<String>,
}

/// The three answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// They are equal wherever both are defined.
    Same,
    /// They differ at the witness.
    Different,
    /// Neither was proved.
    Unknown,
}

/// A state at which two expressions differ, in exact numbers, and what they are there.
#[derive(Clone, Debug, Serialize)]
pub struct Witness {
    /// The value of every symbol.
    pub state: BTreeMap<String, String>,
    /// The left expression there.
    pub left: String,
    /// The right expression there.
    pub right: String,
    /// Left minus right, every digit certain.
    pub difference: String,
}

/// Are the two expressions the same wherever both are defined and the assumptions hold?
pub fn same(left: &str, right: &str, assume: &[String]) -> Result<Same, Error> {
    let _scope = Scope::enter();
    let relations: Vec<&str> = assume.iter().map(String::as_str).collect();
    let (sides, domain, relations) = expr::parse_with_relations(&[left, right], &relations).map_err(bad)?;
    let mut assumptions = Assumptions::none().within(domain);
    for (left, comparison, right) in relations {
        assumptions = assumptions.and(left, comparison, right);
    }
    let empty = Same {
        verdict: Verdict::Unknown,
        error_bound: None,
        error_text: None,
        witness: None,
        reason: None,
        assumptions: assumptions.texts(),
        switches: Vec::new(),
    };
    Ok(match proof::decide(sides[0] - sides[1], &assumptions) {
        proof::Verdict::Zero(proof) => Same {
            verdict: Verdict::Same,
            error_bound: Some(proof.error.bits().map_or(0.0, |bits| (-f64::from(bits)).exp2())),
            error_text: Some(proof.error.to_string()),
            switches: proof.switches,
            reason: proof.vacuous.then(|| "no state was found that satisfies the assumptions".to_owned()),
            ..empty
        },
        proof::Verdict::NonZero(witness) => {
            Same { verdict: Verdict::Different, witness: Some(show(&witness, &sides)), ..empty }
        }
        proof::Verdict::Unknown(obstacle) => Same { reason: Some(obstacle.to_string()), ..empty },
    })
}

fn show(witness: &proof::Witness, sides: &[Expr]) -> Witness {
    let value = |e: Expr| proof::value_at(e, &witness.state, 20).unwrap_or_else(|| "undefined".to_owned());
    Witness {
        state: witness.state.iter().map(|(symbol, value)| (symbol.to_string(), value.to_string())).collect(),
        left: value(sides[0]),
        right: value(sides[1]),
        difference: witness.value.clone(),
    }
}

/// A derivative, written for reading.
#[derive(Clone, Debug, Serialize)]
pub struct Derivative {
    /// What was differentiated.
    pub expression: String,
    /// With respect to what.
    pub symbol: String,
    /// The result.
    pub derivative: String,
    /// The result as LaTeX.
    pub latex: String,
    /// The result in every shape.
    #[serde(skip)]
    pub formula: Formula,
    /// Does the symbol occur at all?
    pub occurs: bool,
}

/// The partial derivative of an expression with respect to a symbol such as `x` or `q'`.
pub fn differentiate(text: &str, symbol: &str) -> Result<Derivative, Error> {
    let _scope = Scope::enter();
    let parsed = expr::parse_all(&[text, symbol]).map_err(bad)?;
    let (e, by) = (parsed[0], parsed[1]);
    if by.as_symbol().is_none() {
        return Err(Error::new(format!("`{symbol}` is not a symbol"))
            .hint("differentiate with respect to a name such as `x`, `q'` or `a[1]`")
            .of(Field::Symbol));
    }
    let derivative = expr::derivative(e, by).map_err(Error::new)?;
    let readable = Reader::new().readable(derivative, &[]);
    let formula = Formula::of(readable);
    Ok(Derivative {
        expression: e.to_string(),
        symbol: by.to_string(),
        derivative: formula.text.clone(),
        latex: formula.latex.clone(),
        formula,
        occurs: e.symbols().contains(&by),
    })
}

/// An expression as a person would write it.
#[derive(Clone, Debug, Serialize)]
pub struct Simplified {
    /// What was given.
    pub expression: String,
    /// The result.
    pub simplified: String,
    /// The result as LaTeX.
    pub latex: String,
    /// The result in every shape.
    #[serde(skip)]
    pub formula: Formula,
}

/// Simplifies an expression for reading, collected by the symbols named.
pub fn simplify(text: &str, by: &[String]) -> Result<Simplified, Error> {
    let _scope = Scope::enter();
    let texts: Vec<&str> = std::iter::once(text).chain(by.iter().map(String::as_str)).collect();
    let parsed = expr::parse_all(&texts).map_err(bad)?;
    let simple = match &parsed[1..] {
        [] => Reader::new().readable(parsed[0], &[]),
        by => expr::simplify(parsed[0], by),
    };
    let formula = Formula::of(simple);
    let (simplified, latex) = (formula.text.clone(), formula.latex.clone());
    Ok(Simplified { expression: parsed[0].to_string(), simplified, latex, formula })
}

fn bad(error: expr::ParseError) -> Error {
    Error::of_text("expression", &error.text, &error.diagnostics).of(Field::Expression)
}
