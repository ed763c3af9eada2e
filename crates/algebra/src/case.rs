//! What is known in the middle of a solution? Some variables have values, some equations are left, and
//! conditions say where all this holds.

use expr::{Comparison, Expr, Substitution};

use crate::facts::{Contradiction, Facts};
use crate::fraction;
use crate::solution::{Condition, Obstacle};
use crate::translate::{Angle, Root, depends};

/// One case of many.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Each is zero. They hold variables without a value only.
    pub equations: Vec<Expr>,
    /// Variables without a value.
    pub variables: Vec<Expr>,
    /// Variables with a value, which holds variables without one only.
    pub values: Substitution,
    pub conditions: Vec<Condition>,
    /// How the angles are written that were solved for as angles.
    pub written: Vec<(Expr, Expr)>,
    pub multiplicity: u32,
}

/// A polynomial in some of a case's variables.
pub(crate) struct Row {
    pub variables: Vec<Expr>,
    pub terms: Vec<(Vec<u32>, Expr)>,
    /// Did nothing vanish that is written, under the conditions of the case?
    pub is_whole: bool,
}

impl Row {
    /// The polynomial again.
    fn expression(&self) -> Expr {
        let term = |(exponents, c): &(Vec<u32>, Expr)| *c * power_product(&self.variables, exponents);
        Expr::sum(&self.terms.iter().map(term).collect::<Vec<_>>())
    }
}

/// The product of powers of variables.
pub(crate) fn power_product(variables: &[Expr], exponents: &[u32]) -> Expr {
    let powers = variables.iter().zip(exponents).map(|(variable, &k)| variable.pow(i64::from(k)));
    Expr::product(&powers.collect::<Vec<_>>())
}

impl Case {
    /// Does the angle still have neither cosine nor sine?
    pub fn is_open(&self, angle: &Angle) -> bool {
        self.variables.contains(&angle.cosine) && self.variables.contains(&angle.sine)
    }

    /// The variables that an expression holds.
    pub fn variables_of(&self, e: Expr) -> Vec<Expr> {
        let symbols = e.symbols();
        self.variables.iter().copied().filter(|variable| symbols.contains(variable)).collect()
    }

    /// Is the equation the definition of a root that has no value yet?
    pub fn defines(&self, roots: &[Root], equation: Expr) -> bool {
        roots.iter().any(|root| self.variables.contains(&root.variable) && depends(equation, &[root.variable]))
            && roots.iter().any(|root| root.definition == equation)
    }

    /// The equation as a polynomial in its variables, without terms that vanish.
    pub fn row(&self, equation: Expr, facts: &Facts) -> Result<Row, Obstacle> {
        let variables = self.variables_of(equation);
        let Some(polynomial) = facts.polynomial(equation, &variables) else {
            facts.check()?;
            return Err(Obstacle::TooLarge { what: equation.brief() });
        };
        let whole = polynomial.terms.len();
        let terms = polynomial.terms.into_iter().map(|(k, c)| (k, facts.simplify(c)));
        let terms: Vec<(Vec<u32>, Expr)> = terms.filter(|&(_, c)| !facts.vanishes(c)).collect();
        let used: Vec<usize> =
            (0..variables.len()).filter(|&k| terms.iter().any(|(exponents, _)| exponents[k] > 0)).collect();
        let is_whole = terms.len() == whole && used.len() == variables.len();
        let chosen = |exponents: Vec<u32>| used.iter().map(|&k| exponents[k]).collect();
        let terms = terms.into_iter().map(|(exponents, c)| (chosen(exponents), c)).collect();
        Ok(Row { variables: used.iter().map(|&k| variables[k]).collect(), terms, is_whole })
    }

    /// The case with one more equation.
    pub fn with_equation(&self, equation: Expr) -> Case {
        let mut case = self.clone();
        case.equations.push(equation);
        case
    }

    /// The case with more conditions.
    pub fn with_conditions(&self, conditions: &[Condition]) -> Case {
        let mut case = self.clone();
        case.conditions.extend(conditions);
        case
    }

    /// The case with an equation put in the place of another.
    pub fn with_replaced(&self, place: usize, equation: Expr) -> Case {
        let mut case = self.clone();
        case.equations[place] = equation;
        case
    }

    /// The case without one of its equations.
    pub fn without(&self, place: usize) -> Case {
        let mut case = self.clone();
        case.equations.remove(place);
        case
    }

    /// The case with values for some variables, or the condition that excludes them.
    pub fn assigned(
        &self,
        values: &Substitution,
        angles: &[Angle],
        assumed: &Facts,
    ) -> Result<Result<Case, Contradiction>, Obstacle> {
        let mut case = self.clone();
        for angle in angles.iter().filter(|angle| self.is_open(angle)) {
            let given = |variable: Expr| values.iter().any(|value| value.0 == variable);
            if given(angle.cosine) != given(angle.sine) {
                case.equations.push(angle.circle());
            }
        }
        let put = |e: Expr| values.apply_one(e);
        // what must not vanish comes first: the others may divide by it
        for condition in case.conditions.iter().filter(|condition| condition.comparison == Comparison::NotEqual) {
            let Ok(value) = put(condition.value) else { continue };
            if value.is_zero()
                && let Some(Err(contradiction)) = Facts::default().judge(&Condition { value, ..*condition })
            {
                return Ok(Err(contradiction));
            }
        }
        for condition in &mut case.conditions {
            condition.value = put(condition.value).map_err(|error| undecided(condition.value, &error))?;
        }
        for equation in &mut case.equations {
            *equation = put(*equation).map_err(|error| undecided(*equation, &error))?;
        }
        let simpler = |&(variable, value): &(Expr, Expr)| match put(value) {
            Ok(put) => Ok((variable, assumed.simplify(put))),
            Err(error) => Err(undecided(value, &error)),
        };
        case.values = case.values.iter().map(simpler).collect::<Result<_, _>>()?;
        for (_, angle) in &mut case.written {
            *angle = put(*angle).map_err(|error| undecided(*angle, &error))?;
        }
        case.variables.retain(|variable| values.iter().all(|value| value.0 != *variable));
        case.values.extend(values);
        Ok(Ok(case))
    }

    /// The case with equations as polynomials, those that hold left out and those without variables turned
    /// into conditions.
    pub fn tidied(mut self, assumed: &Facts) -> Result<Result<Case, Contradiction>, Obstacle> {
        let before = self.conditions.len();
        let facts = assumed.and(&self.conditions);
        let mut equations: Vec<Expr> = Vec::new();
        for equation in std::mem::take(&mut self.equations) {
            let above = fraction::of(equation).above;
            if facts.vanishes(above) || equations.contains(&above) {
                continue;
            }
            if !depends(above, &self.variables) {
                self.conditions.push(Condition { value: above, comparison: Comparison::Equal });
                continue;
            }
            let row = self.row(above, &facts)?;
            if row.terms.iter().all(|(k, _)| k.iter().all(|&k| k == 0)) {
                let rest = row.terms.iter().map(|&(_, c)| Condition { value: c, comparison: Comparison::Equal });
                self.conditions.extend(rest);
                continue;
            }
            equations.push(if row.is_whole { above } else { row.expression() });
        }
        self.equations = equations;
        if self.conditions.len() > before {
            return self.tidied(assumed); // a new condition may make a coefficient vanish
        }
        Ok(assumed.settle(&self.conditions).map(|conditions| Case { conditions, ..self }))
    }
}

impl Angle {
    /// c² + s² − 1.
    pub fn circle(&self) -> Expr {
        self.cosine.pow(2) + self.sine.pow(2) - 1
    }
}

fn undecided(what: Expr, error: &expr::MathError) -> Obstacle {
    Obstacle::Undecided { what: crate::solution::shortened(what), why: error.to_string() }
}
