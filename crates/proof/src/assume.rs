//! What may a proof rely on? Relations that the user vouches for, listed with every verdict.

use expr::{Comparison, Domain, Evaluator, Expr, MathError, Rational, Substitution, sign};

/// Relations that hold wherever the question is asked.
#[derive(Clone, Debug, Default)]
pub struct Assumptions {
    relations: Vec<Assumption>,
    /// Where a witness must lie besides: expressions and how they compare with zero.
    domain: Domain,
}

#[derive(Clone, Debug)]
struct Assumption {
    /// Left minus right.
    difference: Expr,
    comparison: Comparison,
    text: String,
}

impl Assumptions {
    /// Nothing is assumed.
    pub fn none() -> Assumptions {
        Assumptions::default()
    }

    /// Adds a relation.
    pub fn and(mut self, left: Expr, comparison: Comparison, right: Expr) -> Assumptions {
        let text = format!("{} {} {}", left.brief(), comparison.symbol(), right.brief());
        self.relations.push(Assumption { difference: left - right, comparison, text });
        self
    }

    /// Says where the question is defined as it was written: a witness must lie there. Proofs do not
    /// rely on it.
    pub fn within(mut self, domain: Domain) -> Assumptions {
        self.domain = domain;
        self
    }

    /// Is nothing assumed?
    pub fn is_empty(&self) -> bool {
        self.relations.is_empty()
    }

    /// The relations as text.
    pub fn texts(&self) -> Vec<String> {
        self.relations.iter().map(|relation| relation.text.clone()).collect()
    }

    /// The signs they state.
    pub(crate) fn facts(&self) -> Vec<(Expr, u8)> {
        let bits = |comparison| match comparison {
            Comparison::Greater => Some(sign::POSITIVE),
            Comparison::AtLeast => Some(sign::NONNEGATIVE),
            Comparison::Less => Some(sign::NEGATIVE),
            Comparison::AtMost => Some(sign::NONPOSITIVE),
            Comparison::NotEqual => Some(sign::NONZERO),
            Comparison::Equal => None,
        };
        self.relations.iter().filter_map(|relation| Some((relation.difference, bits(relation.comparison)?))).collect()
    }

    /// The expressions that must have a sign at a witness state, with that comparison to zero.
    pub(crate) fn differences(&self) -> Vec<(Expr, Comparison)> {
        let relations = self.relations.iter().map(|relation| (relation.difference, relation.comparison));
        relations.chain(self.domain.iter().copied()).collect()
    }

    /// Solves the equations among them, each for a symbol in which it is linear or quadratic, and puts the
    /// solutions into the questions and the other relations. What was put in is returned too.
    pub(crate) fn solved(&self, questions: &[Expr]) -> Result<Solved, Unusable> {
        let mut solved = Solved { questions: questions.to_vec(), rest: self.clone(), given: Vec::new() };
        while let Some(place) = solved.rest.relations.iter().position(|r| r.comparison == Comparison::Equal) {
            let equation = solved.rest.relations.remove(place);
            if equation.difference == Expr::zero() {
                continue;
            }
            if equation.difference.as_number().is_some() {
                return Err(Unusable::Never(equation.text));
            }
            let (symbol, value) = isolate(&equation, &solved.rest.facts())?;
            solved.put(symbol, value).map_err(|error| Unusable::Contradiction(equation.text.clone(), error))?;
        }
        Ok(solved)
    }
}

/// Questions with the assumed equations put in.
pub(crate) struct Solved {
    pub questions: Vec<Expr>,
    pub rest: Assumptions,
    pub given: Vec<(Expr, Expr)>,
}

impl Solved {
    fn put(&mut self, symbol: Expr, value: Expr) -> Result<(), MathError> {
        let map = Substitution::from([(symbol, value)]);
        self.questions = map.apply(&self.questions)?;
        for relation in &mut self.rest.relations {
            relation.difference = map.apply_one(relation.difference)?;
        }
        for (condition, _) in &mut self.rest.domain {
            *condition = map.apply_one(*condition)?;
        }
        for (_, earlier) in &mut self.given {
            *earlier = map.apply_one(*earlier)?;
        }
        self.given.push((symbol, value));
        Ok(())
    }
}

/// Why an assumed equation cannot be used.
pub(crate) enum Unusable {
    /// It is linear or quadratic in none of its symbols.
    NotLinear(String),
    /// It is false whatever the symbols are.
    Never(String),
    /// It is linear in a symbol whose coefficient may vanish.
    MayVanish(String, String, String),
    /// With it, something else does not exist.
    Contradiction(String, MathError),
}

/// A symbol in which the equation is linear with a coefficient that never vanishes, and the value
/// that it gives. Parameters are preferred: they make no chart singular.
fn isolate(equation: &Assumption, facts: &[(Expr, u8)]) -> Result<(Expr, Expr), Unusable> {
    let e = equation.difference;
    let mut symbols = e.symbols();
    symbols.sort_by_key(|symbol| symbol.as_symbol().map(|symbol| (symbol.kind, std::cmp::Reverse(symbol.order))));
    let mut trouble = Unusable::NotLinear(equation.text.clone());
    for symbol in symbols {
        let Ok((matrix, right)) = expr::linear_coefficients(&[e], &[symbol]) else { continue };
        let coefficient = matrix[0][0];
        if coefficient.is_zero() {
            continue;
        }
        let known = Evaluator::new(&[coefficient], facts).signs(coefficient);
        if known & sign::NONZERO == 0 {
            trouble = Unusable::MayVanish(equation.text.clone(), symbol.brief(), coefficient.brief());
        } else if let Ok(value) = (-right[0]).try_div(coefficient) {
            return Ok((symbol, value));
        }
    }
    quadratic(e, facts).ok_or(trouble)
}

/// A symbol whose square the equation gives, and one of its two roots: a verdict `zero` holds on every
/// branch of a root, so on both, and a witness on one of them is a witness.
fn quadratic(e: Expr, facts: &[(Expr, u8)]) -> Option<(Expr, Expr)> {
    let half = Rational::new(1, 2)?;
    let mut symbols = e.symbols();
    symbols.sort_by_key(|symbol| symbol.as_symbol().map(|symbol| (symbol.kind, std::cmp::Reverse(symbol.order))));
    symbols.into_iter().find_map(|symbol| {
        let polynomial = expr::polynomial(e, &[symbol])?;
        if polynomial.degree() != Some(2) {
            return None;
        }
        let [a, b, c] = [2, 1, 0].map(|power| polynomial.coefficient(&[power]));
        if Evaluator::new(&[a], facts).signs(a) & sign::NONZERO == 0 {
            return None;
        }
        // x = m ± √(m² − c/a),  m = −b/(2a)
        let middle = (-b).try_div(2 * a).ok()?;
        let root = (middle.pow(2) - c.try_div(a).ok()?).try_pow(&half).ok()?;
        Some((symbol, middle + root))
    })
}
