//! In which order is a system solved?
//!
//! ```text
//! a product                         one case for each factor
//! an equation in one angle          its angles (angle.rs)
//! linear, pivot never zero          that variable is eliminated
//! an equation in one variable       its roots (roots.rs)
//! two equations share a monomial    one is taken off the other where that makes it shorter
//! linear, pivot may vanish          two cases: pivot ≠ 0, and pivot = 0 as one more equation
//! one equation, several variables   a family: solved for one of them, the others are free
//! else                              a resultant eliminates a variable; its roots are put back
//! ```
//!
//! Every step replaces a case by cases that together have the same solutions, so none is lost. A case is dropped by a
//! `Contradiction` only, which is a condition proved not to hold.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;

use expr::{Comparison, Expr, Substitution};

use proof::linear::{Matrix, determinant};

use crate::angle::turns;
use crate::case::{Case, Row, power_product};
use crate::content;
use crate::facts::{Contradiction, Facts};
use crate::fraction;
use crate::roots::{Found, roots};
use crate::solution::{Condition, Obstacle};
use crate::translate::{Angle, Root, depends};

/// So many cases are looked at.
const CASES: usize = 400;
/// Resultants are taken of polynomials whose degrees have at most this product.
const DEGREES: u32 = 16;

/// Longer equations in one angle are not searched for factors that all coefficients of a symbol share.
const TERMS: usize = 60;

/// What all cases of a system share.
pub(crate) struct Plan<'a> {
    pub angles: &'a [Angle],
    pub roots: &'a [Root],
    pub assumed: &'a Facts,
    pub looked_at: Cell<usize>,
    /// Whether to go on, by how much is done.
    pub goes_on: RefCell<&'a mut dyn FnMut(f64) -> bool>,
}

/// What a step makes of a case.
type Step = Result<Option<Vec<Case>>, Obstacle>;
/// A kind of step.
type By<P> = fn(&P, &Case, &[Row], &Facts) -> Step;

impl Plan<'_> {
    /// An obstacle if somebody wishes to stop.
    pub fn asked(&self) -> Result<(), Obstacle> {
        let goes_on = (self.goes_on.borrow_mut())(self.assumed.share());
        if goes_on { Ok(()) } else { Err(Obstacle::Stopped) }
    }

    /// The cases, without equations left but definitions of roots, that have the solutions of this one.
    pub fn solve(&self, case: Case) -> Result<Vec<Case>, Obstacle> {
        self.looked_at.set(self.looked_at.get() + 1);
        if self.looked_at.get() > CASES {
            return Err(Obstacle::TooManyCases { limit: CASES });
        }
        self.assumed.check()?;
        self.asked()?;
        let case = match case.tidied(self.assumed)? {
            Ok(case) => case,
            Err(contradiction) => return Ok(contradiction.no_case()),
        };
        if self.open(&case).is_empty() {
            return Ok(vec![case]);
        }
        let facts = self.assumed.and(&case.conditions);
        let rows: Vec<Row> = case.equations.iter().map(|&e| case.row(e, &facts)).collect::<Result<_, _>>()?;
        let mut stopped_by = None;
        let steps: [By<Self>; 8] = [
            Plan::by_factors,
            Plan::by_angle,
            Plan::by_pivot,
            Plan::by_roots,
            Plan::by_combination,
            Plan::by_cases,
            Plan::by_family,
            Plan::by_resultant,
        ];
        for step in steps {
            self.asked()?;
            match step(self, &case, &rows, &facts) {
                Ok(Some(cases)) => return self.solve_all(cases),
                Ok(None) => {}
                Err(obstacle @ (Obstacle::Degree { .. } | Obstacle::Dependent { .. })) => {
                    stopped_by.get_or_insert(obstacle);
                }
                Err(obstacle) => return Err(obstacle),
            }
        }
        let equation = case.equations[self.open(&case)[0]].brief();
        Err(stopped_by.unwrap_or(Obstacle::Dependent { equation }))
    }

    fn solve_all(&self, cases: Vec<Case>) -> Result<Vec<Case>, Obstacle> {
        let lists = cases.into_iter().map(|case| self.solve(case)).collect::<Result<Vec<_>, _>>()?;
        Ok(lists.into_iter().flatten().collect())
    }

    /// The equations that are not definitions of roots without a value.
    fn open(&self, case: &Case) -> Vec<usize> {
        (0..case.equations.len()).filter(|&k| !case.defines(self.roots, case.equations[k])).collect()
    }

    fn by_factors(&self, case: &Case, rows: &[Row], facts: &Facts) -> Step {
        for (place, row) in rows.iter().enumerate() {
            let factors = self.factors(case, case.equations[place], row, facts);
            if factors.len() > 1 || factors.iter().any(|factor| factor.1 > 1) {
                let with = |&(factor, times): &(Expr, u32)| {
                    let mut part = case.with_replaced(place, factor);
                    part.multiplicity *= times;
                    part
                };
                return Ok(Some(factors.iter().map(with).collect()));
            }
        }
        Ok(None)
    }

    /// The factors of an equation that may vanish: as it is written, its monomial, as it can be written.
    fn factors(&self, case: &Case, equation: Expr, row: &Row, facts: &Facts) -> Vec<(Expr, u32)> {
        let useful = |list: Vec<(Expr, i64)>| -> Vec<(Expr, u32)> {
            let open = list.into_iter().filter(|&(factor, n)| n > 0 && !facts.is_nonzero(factor));
            open.map(|(factor, n)| (factor, if depends(factor, &case.variables) { n as u32 } else { 1 })).collect()
        };
        let written = useful(fraction::factors(equation));
        if written.len() > 1 || written.iter().any(|factor| factor.1 > 1) {
            return written;
        }
        let lowest = |k: usize| row.terms.iter().map(|(exponents, _)| exponents[k]).min().unwrap_or(0);
        let monomial: Vec<u32> = (0..row.variables.len()).map(lowest).collect();
        if monomial.iter().any(|&k| k > 0) {
            let rest = row.terms.iter().map(|(exponents, c)| {
                let left: Vec<u32> = exponents.iter().zip(&monomial).map(|(k, low)| k - low).collect();
                *c * power_product(&row.variables, &left)
            });
            let mut list = vec![(Expr::sum(&rest.collect::<Vec<_>>()), 1)];
            list.extend(row.variables.iter().zip(&monomial).map(|(&v, &k)| (v, i64::from(k))));
            return useful(list);
        }
        let simple = useful(fraction::factors(facts.simplify(equation)));
        let is_of_angle = |angle: &Angle| row.variables == [angle.cosine, angle.sine];
        match simple[..] {
            [(one, 1)] if self.angles.iter().any(is_of_angle) && row.terms.len() <= TERMS => {
                content::split(one, &case.variables, facts).map_or(simple, useful)
            }
            _ => simple,
        }
    }

    fn by_angle(&self, case: &Case, rows: &[Row], facts: &Facts) -> Step {
        let mut stopped_by = None;
        for place in self.open(case) {
            let row = &rows[place];
            let own = |angle: &&Angle| {
                case.is_open(angle) && row.variables.iter().all(|v| [angle.cosine, angle.sine].contains(v))
            };
            let Some(angle) = self.angles.iter().find(own) else { continue };
            match self.turned(case, place, angle, facts) {
                Err(obstacle) => stopped_by = Some(obstacle),
                done => return done,
            }
        }
        stopped_by.map_or(Ok(None), Err)
    }

    /// The cases in which an equation is solved for an angle, other variables taken as they are.
    fn turned(&self, case: &Case, place: usize, angle: &Angle, facts: &Facts) -> Step {
        let pair = [angle.cosine, angle.sine];
        let Some(polynomial) = self.assumed.polynomial(case.equations[place], &pair) else { return Ok(None) };
        let list = match turns(&polynomial.terms, pair, facts)? {
            Found::MayVanish(pivot) => return self.split(case, pivot),
            Found::Anything => return Ok(Some(vec![case.without(place)])),
            Found::All(list) => list,
        };
        let without = case.without(place);
        let mut cases = Vec::new();
        for turn in list {
            let values = Substitution::from([(angle.cosine, turn.cosine), (angle.sine, turn.sine)]);
            cases.extend(without.assigned(&values, self.angles, self.assumed)?.map_or_else(
                Contradiction::no_case,
                |mut next| {
                    next.conditions.extend(turn.conditions);
                    next.multiplicity *= turn.multiplicity;
                    next.written.extend(turn.angle.map(|written| (angle.unknown, written)));
                    vec![next]
                },
            ));
        }
        Ok(Some(cases))
    }

    /// Two cases: the pivot does not vanish, or it does. An obstacle if the case has asked that before.
    fn split(&self, case: &Case, pivot: Expr) -> Step {
        if case.conditions.iter().any(|condition| condition.value == pivot || condition.value == -pivot) {
            let why = "it stands among the conditions, and that was of no use".to_owned();
            return Err(Obstacle::Undecided { what: crate::solution::shortened(pivot), why });
        }
        let nonzero = Condition { value: pivot, comparison: Comparison::NotEqual };
        Ok(Some(vec![case.with_conditions(&[nonzero]), case.with_equation(pivot)]))
    }

    /// Places of equations with a variable in which they are linear, its coefficient and the rest.
    fn pivots(&self, case: &Case, rows: &[Row], angular: bool) -> Vec<(usize, Expr, Expr, Expr)> {
        let is_angular =
            |v: &Expr| self.angles.iter().any(|angle| case.is_open(angle) && [angle.cosine, angle.sine].contains(v));
        let mut list = Vec::new();
        for place in self.open(case) {
            let row = &rows[place];
            for (k, &variable) in row.variables.iter().enumerate() {
                if is_angular(&variable) != angular || row.terms.iter().any(|(exponents, _)| exponents[k] > 1) {
                    continue;
                }
                let part = |power: u32| {
                    let terms = row.terms.iter().filter(|(exponents, _)| exponents[k] == power);
                    let without = |exponents: &[u32]| {
                        let mut exponents = exponents.to_vec();
                        exponents[k] = 0;
                        power_product(&row.variables, &exponents)
                    };
                    Expr::sum(&terms.map(|(exponents, c)| *c * without(exponents)).collect::<Vec<_>>())
                };
                list.push((place, variable, part(1), part(0)));
            }
        }
        // what was asked for first is more likely to be what a family is told by
        let late = |variable: &Expr| Reverse(case.variables.iter().position(|v| v == variable));
        list.sort_by_key(|(place, variable, pivot, rest)| {
            (case.variables_of(*pivot).len(), late(variable), pivot.operations() + rest.operations(), *place)
        });
        list
    }

    fn by_pivot(&self, case: &Case, rows: &[Row], facts: &Facts) -> Step {
        let certain = self.pivots(case, rows, false).into_iter().find(|pivot| facts.is_nonzero(pivot.2));
        certain.map_or(Ok(None), |pivot| self.eliminated(case, pivot))
    }

    fn eliminated(&self, case: &Case, (place, variable, pivot, rest): (usize, Expr, Expr, Expr)) -> Step {
        let without = case.without(place);
        let value = self.assumed.simplify(-rest / pivot);
        let next = without.assigned(&Substitution::from([(variable, value)]), self.angles, self.assumed)?;
        Ok(Some(next.map_or_else(Contradiction::no_case, |next| vec![next])))
    }

    fn by_roots(&self, case: &Case, rows: &[Row], facts: &Facts) -> Step {
        let mut stopped_by = None;
        for place in self.open(case) {
            let [variable] = rows[place].variables[..] else { continue };
            let angular =
                self.angles.iter().any(|angle| case.is_open(angle) && depends(variable, &[angle.cosine, angle.sine]));
            if angular {
                continue;
            }
            match self.rooted(case, place, variable, facts) {
                Err(obstacle) => stopped_by = Some(obstacle),
                done => return done,
            }
        }
        stopped_by.map_or(Ok(None), Err)
    }

    /// The cases in which an equation is solved for a variable, others taken as they are.
    fn rooted(&self, case: &Case, place: usize, variable: Expr, facts: &Facts) -> Step {
        let Some(polynomial) = self.assumed.polynomial(case.equations[place], &[variable]) else { return Ok(None) };
        let degree = polynomial.degree().unwrap_or(0);
        let coefficients: Vec<Expr> = (0..=degree).map(|k| polynomial.coefficient(&[k])).collect();
        let list = match roots(&coefficients, variable, facts)? {
            Found::MayVanish(pivot) => return self.split(case, pivot),
            Found::Anything => return Ok(Some(vec![case.without(place)])),
            Found::All(list) => list,
        };
        let without = case.without(place);
        let mut cases = Vec::new();
        for root in list {
            let next = without.assigned(&Substitution::from([(variable, root.value)]), self.angles, self.assumed)?;
            cases.extend(next.map_or_else(Contradiction::no_case, |mut next| {
                next.conditions.extend(root.conditions);
                next.multiplicity *= root.multiplicity;
                vec![next]
            }));
        }
        Ok(Some(cases))
    }

    fn by_combination(&self, case: &Case, rows: &[Row], facts: &Facts) -> Step {
        let open = self.open(case);
        let monomials = |place: usize| -> Vec<(Expr, Expr)> {
            let row = &rows[place];
            row.terms.iter().map(|(exponents, c)| (power_product(&row.variables, exponents), *c)).collect()
        };
        for &first in &open {
            for &second in open.iter().filter(|&&second| second != first) {
                for (monomial, c) in monomials(first) {
                    let Some((_, d)) = monomials(second).into_iter().find(|term| term.0 == monomial) else { continue };
                    if !facts.is_nonzero(c) {
                        continue;
                    }
                    let factor = facts.simplify(d / c);
                    let equation = fraction::of(case.equations[second] - factor * case.equations[first]).above;
                    if case.row(equation, facts)?.terms.len() < rows[second].terms.len() {
                        return Ok(Some(vec![case.with_replaced(second, equation)]));
                    }
                }
            }
        }
        Ok(None)
    }

    fn by_cases(&self, case: &Case, rows: &[Row], facts: &Facts) -> Step {
        for angular in [false, true] {
            let pivots = self.pivots(case, rows, angular);
            if let Some(certain) = pivots.iter().find(|pivot| facts.is_nonzero(pivot.2)) {
                return self.eliminated(case, *certain);
            }
            // an equation with a variable of its own is solved last: the others do not need it
            let shared = |pivot: &&(usize, Expr, Expr, Expr)| !self.only_there(case, pivot.0, pivot.1);
            let found = pivots.iter().find(shared).or(if self.open(case).len() == 1 { None } else { pivots.first() });
            if let Some(&(_, _, pivot, _)) = found {
                return self.split(case, pivot);
            }
        }
        Ok(None)
    }

    fn only_there(&self, case: &Case, place: usize, variable: Expr) -> bool {
        case.equations.iter().enumerate().all(|(k, &e)| k == place || !depends(e, &[variable]))
    }

    fn by_family(&self, case: &Case, rows: &[Row], facts: &Facts) -> Step {
        let [place] = self.open(case)[..] else { return Ok(None) };
        let row = &rows[place];
        let angle_with =
            |v: Expr| self.angles.iter().find(|angle| case.is_open(angle) && [angle.cosine, angle.sine].contains(&v));
        let degree = |k: usize| row.terms.iter().map(|(exponents, _)| exponents[k]).max().unwrap_or(0);
        let mut order: Vec<usize> = (0..row.variables.len()).collect();
        order.sort_by_key(|&k| (angle_with(row.variables[k]).is_some(), degree(k), Reverse(k)));
        let mut stopped_by = None;
        for k in order {
            let variable = row.variables[k];
            let done = match angle_with(variable) {
                Some(angle) => self.turned(case, place, angle, facts),
                None => self.rooted(case, place, variable, facts),
            };
            match done {
                Err(obstacle) => stopped_by = Some(obstacle),
                done => return done,
            }
        }
        stopped_by.map_or(Ok(None), Err)
    }

    fn by_resultant(&self, case: &Case, _rows: &[Row], facts: &Facts) -> Step {
        let mut full = case.clone();
        for angle in self.angles.iter().filter(|angle| case.is_open(angle)) {
            if case.equations.iter().any(|&e| depends(e, &[angle.cosine, angle.sine])) {
                full.equations.push(angle.circle());
            }
        }
        let mut choices: Vec<(u32, Expr, usize)> = Vec::new();
        for &variable in &full.variables {
            let degrees: Vec<u32> = full.equations.iter().map(|&e| degree_in(e, variable, facts)).collect();
            let present: Vec<usize> = (0..degrees.len()).filter(|&k| degrees[k] > 0).collect();
            let Some(&pivot) = present.iter().min_by_key(|&&k| degrees[k]) else { continue };
            let largest = present.iter().map(|&k| degrees[k]).max().unwrap_or(0) * degrees[pivot];
            if present.len() > 1 && largest <= DEGREES {
                choices.push((largest * present.len() as u32, variable, pivot));
            }
        }
        choices.sort_by_key(|choice| choice.0);
        for (_, variable, pivot) in choices {
            let smaller = self.without(&full, variable, pivot, facts)?;
            let Some(smaller) = smaller else { continue };
            let mut cases = Vec::new();
            for leaf in self.solve(smaller)? {
                if leaf.values.is_empty() {
                    return Err(Obstacle::Dependent { equation: full.equations[pivot].brief() });
                }
                let next = case.assigned(&leaf.values, self.angles, self.assumed)?;
                cases.extend(next.map_or_else(Contradiction::no_case, |mut next| {
                    next.conditions.extend(leaf.conditions);
                    next.written.extend(leaf.written);
                    next.multiplicity *= leaf.multiplicity;
                    vec![next]
                }));
            }
            return Ok(Some(cases));
        }
        Ok(None)
    }

    /// What the equations say without one variable; `None` if a resultant vanishes.
    fn without(&self, case: &Case, variable: Expr, pivot: usize, facts: &Facts) -> Result<Option<Case>, Obstacle> {
        let mut equations = Vec::new();
        for (place, &equation) in case.equations.iter().enumerate() {
            if place == pivot {
                continue;
            }
            if degree_in(equation, variable, facts) == 0 {
                equations.push(equation);
                continue;
            }
            let Some(resultant) = resultant(case.equations[pivot], equation, variable, facts) else { return Ok(None) };
            if facts.vanishes(resultant) {
                return Ok(None);
            }
            equations.push(resultant);
        }
        let variables: Vec<Expr> = case.variables.iter().copied().filter(|&v| v != variable).collect();
        let keeps = |condition: &&Condition| !depends(condition.value, &[variable]);
        let conditions = case.conditions.iter().filter(keeps).copied().collect();
        Ok(Some(Case {
            equations,
            variables,
            conditions,
            values: Substitution::new(),
            written: Vec::new(),
            multiplicity: 1,
        }))
    }
}

fn degree_in(e: Expr, variable: Expr, facts: &Facts) -> u32 {
    if !depends(e, &[variable]) {
        return 0;
    }
    facts.polynomial(e, &[variable]).and_then(|polynomial| polynomial.degree()).unwrap_or(0)
}

/// The determinant of Sylvester's matrix.
fn resultant(f: Expr, g: Expr, variable: Expr, facts: &Facts) -> Option<Expr> {
    let [f, g] = [f, g].map(|e| facts.polynomial(e, &[variable]));
    let (f, g) = (f?, g?);
    let (m, n) = (f.degree()? as usize, g.degree()? as usize);
    let mut rows = Vec::new();
    for (polynomial, degree, copies) in [(&f, m, n), (&g, n, m)] {
        for shift in 0..copies {
            let entry = |column: usize| match column.checked_sub(shift) {
                Some(k) if k <= degree => polynomial.coefficient(&[(degree - k) as u32]),
                _ => Expr::zero(),
            };
            rows.push((0..m + n).map(entry).collect::<Vec<_>>());
        }
    }
    Some(facts.simplify(fraction::of(determinant(&Matrix::from_rows(&rows), &expr::At::generic())).above))
}
