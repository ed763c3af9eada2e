//! Along which curve is every place an equilibrium? An unknown function in a model of one freedom.
//!
//! ```text
//! z·Q(q, f, f') = 0     z spans the displacements that the constraints admit; f, f' at the coordinate x           (1)
//! f' = h(x):            f = ∫ h dx + C                                                                            (2)
//! f' = p(x) f + r(x):   f = e^P (∫ r e^(−P) dx + C),   P = ∫ p dx                                                 (3)
//! ```
//!
//! What is told is put into (1) again and proved to balance for every x and C.

use engine::{Field, Loaded};
use expr::{Comparison, Expr, Formula, Op, Substitution};
use proof::linear::{Matrix, null_space};
use proof::{Assumptions, Verdict};
use serde::Serialize;

use super::statics::Statics;
use super::{Equilibria, EquilibriumSet, Trouble, answer, bad, choice, unknowns};

/// A function with which every place is an equilibrium.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    /// The function as it is declared: `f(x)`.
    pub function: String,
    /// The equation that it satisfies where every place is an equilibrium.
    pub equation: Formula,
    /// The function, with a constant that is free; none if the equation was not solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<Formula>,
    /// The name of the constant in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constant: Option<String>,
}

/// The function that a model asks for.
pub fn found(loaded: &Loaded, wanted: &Equilibria) -> Result<EquilibriumSet, Trouble> {
    if wanted.near.is_some() || wanted.within.is_some() || !wanted.solve.is_empty() || !wanted.relative.is_empty() {
        let message = "an unknown function is looked for at every place, for all values: no option says where";
        return Err(bad(message, "leave the options out"));
    }
    let _in = loaded.enter();
    let [name] = &loaded.system.sought[..] else {
        let hint = format!("give the others with `{}`", Field::Set);
        return Err(bad("one unknown function can be found, and there are several", &hint));
    };
    let mut notes = Vec::new();
    let choices = choice::choices(loaded, &mut notes);
    let [only] = &choices[..] else {
        return Err(bad("a curve is found where all constraints act from both sides", "write them with `=`"));
    };
    let mode = choice::mode(loaded, only);
    let rows = choice::rows(loaded, &mode)?;
    let assumptions = mode.assumptions(&loaded.system).filter_map(|relation| relation.scalars());
    let assumptions: Vec<(Expr, Comparison, Expr)> = assumptions.collect();
    let statics = Statics::new(loaded, mode, rows, &[], unknowns(loaded), &mut notes)?;
    if let Some(why) = statics.inadmissible() {
        return Err(bad(&why, "look at the constraints that move"));
    }
    let sought = Sought::of(loaded, &statics, name)?;
    let about = assumptions.iter().filter(|(left, _, right)| !sought.stands_in(*left - *right));
    let assuming = about.fold(Assumptions::none(), |all, &(left, is, right)| all.and(left, is, right));
    let solution = sought.solved(loaded, &assuming);
    let declared = loaded.system.functions().find(|one| one.name.split('(').next() == Some(name));
    let mut found = answer::empty(loaded, notes);
    found.assumptions = assuming.texts();
    found.decided = solution.is_some();
    found.completeness = match &solution {
        Some(_) => "proved: with it the forces balance at every place, for every value of the constant".to_owned(),
        None => "the equation was not solved in letters".to_owned(),
    };
    found.curves.push(Curve {
        function: declared.map_or_else(|| name.clone(), |one| one.name.clone()),
        equation: sought.equation(),
        constant: solution.map(|(_, constant)| constant.to_string()),
        solution: solution.map(|(f, _)| Formula::relation(sought.f, Comparison::Equal, expr::simplify(f, &[]))),
    });
    Ok(found)
}

/// Equation (1), with symbols in place of f and f'.
struct Sought {
    /// x.
    x: Expr,
    /// f(x) and its slope, as they stand in the model.
    f: Expr,
    slope: Expr,
    /// Symbols that take their places.
    value: Expr,
    rate: Expr,
    /// What vanishes where every place is an equilibrium.
    balance: Expr,
}

impl Sought {
    fn of(loaded: &Loaded, statics: &Statics, name: &str) -> Result<Sought, Trouble> {
        let failed = |error: expr::MathError| bad(&error.to_string(), "look at the places where the model is singular");
        let moving: Vec<usize> = statics.moving().collect();
        let matrix: Vec<Vec<Expr>> =
            statics.slopes.iter().map(|row| moving.iter().map(|&s| row[s]).collect()).collect();
        let basis = match matrix.is_empty() {
            true if moving.len() == 1 => vec![vec![Expr::one()]],
            true => Vec::new(),
            false => null_space(&Matrix::from_rows(&matrix), &loaded.at).unwrap_or_default(),
        };
        let [z] = &basis[..] else {
            return Err(bad("an unknown function is found in a system of one freedom", "hold the other coordinates"));
        };
        let work = |z: &[Expr]| z.iter().zip(&moving).map(|(&z, &s)| z * statics.force[s]).sum::<Expr>();
        let mut all = vec![work(z)];
        all.extend(statics.conditions.iter().map(|(_, condition)| *condition));
        let head = expr::parameter(&format!("{name}()"));
        let places: Vec<Expr> = expr::Evaluator::new(&all, &[]).variable_nodes(|op| op == Op::Unspecified);
        let mut arguments: Vec<Expr> = Vec::new();
        for node in places.into_iter().filter(|node| node.arguments()[0] == head) {
            let of = node.arguments();
            if let [_, _, argument] = of[..]
                && !arguments.contains(&argument)
            {
                arguments.push(argument);
            } else if of.len() != 3 {
                return Err(bad(&format!("`{name}` has several arguments"), "let it depend on one coordinate"));
            }
        }
        let x = match arguments[..] {
            [x] if statics.q.contains(&x) => x,
            [] => return Err(bad(&format!("no force depends on `{name}`"), "let a point lie on the curve")),
            _ => {
                let message = format!("`{name}` stands at more than one argument, or at none that is a coordinate");
                return Err(bad(&message, "take a coordinate for its argument, and the same wherever it stands"));
            }
        };
        // the displacement in which x grows by one
        let pace = moving.iter().position(|&s| statics.q[s] == x).map(|place| z[place]);
        if let Some(pace) = pace.filter(|pace| !pace.is_zero()) {
            let even = z.iter().map(|&part| part.try_div(pace)).collect::<Result<Vec<_>, _>>().map_err(failed)?;
            all[0] = work(&even);
        }
        let balance = on_constraints(&all, x, &statics.q).map_err(failed)?;
        let f = expr::unspecified(name, &[x]);
        let slope = expr::derivative(f, x).map_err(failed)?;
        let own = |letter: &str| expr::parameter(&format!("{letter}#{name}"));
        let (value, rate) = (own("value"), own("rate"));
        let balance = Substitution::from([(f, value), (slope, rate)]).apply_one(balance).map_err(failed)?;
        let loose = balance.symbols().into_iter().find(|symbol| *symbol != x && statics.q.contains(symbol));
        if let Some(symbol) = loose {
            let message = format!("`{symbol}` is not given by `{x}`: no constraint is linear in it");
            return Err(bad(&message, "write places with one coordinate, the argument of the function"));
        }
        Ok(Sought { x, f, slope, value, rate, balance })
    }

    /// Whether a relation is about the function: such a one is no assumption about the rest.
    fn stands_in(&self, e: Expr) -> bool {
        e.symbols().contains(&self.f.arguments()[0])
    }

    /// (1) as it is printed: f' alone where it can be.
    fn equation(&self) -> Formula {
        let back = Substitution::from([(self.value, self.f), (self.rate, self.slope)]);
        let put = |e: Expr| expr::simplify(back.apply_one(e).unwrap_or(e), &[]);
        match self.rate_of() {
            Some(h) => Formula::relation(self.slope, Comparison::Equal, put(h)),
            None => Formula::relation(put(self.balance), Comparison::Equal, Expr::zero()),
        }
    }

    /// h of f' = h(x, f).
    fn rate_of(&self) -> Option<Expr> {
        let (matrix, right) = expr::linear_coefficients(&[self.balance], &[self.rate]).ok()?;
        if matrix[0][0].is_zero() {
            return None;
        }
        (-right[0]).try_div(matrix[0][0]).ok().map(|h| expr::simplify(h, &[]))
    }

    /// f and its constant, by (2) or (3), proved; or f alone where (1) has no f'.
    fn solved(&self, loaded: &Loaded, assuming: &Assumptions) -> Option<(Expr, Expr)> {
        let constant = self.constant(loaded);
        let f = match self.rate_of() {
            None => {
                let (matrix, right) = expr::linear_coefficients(&[self.balance], &[self.value]).ok()?;
                (-right[0]).try_div(matrix[0][0]).ok()?
            }
            Some(h) => {
                let (p, r) = expr::linear_coefficients(&[h], &[self.value]).ok()?;
                let (p, r) = (p[0][0], r[0]);
                let primitive = |e: Expr| match e.is_zero() {
                    true => Some(Expr::zero()),
                    false => mechanics::constraint::antiderivative(expr::simplify(e, &[]), self.x, &loaded.at),
                };
                if p.is_zero() {
                    primitive(r)? + constant
                } else {
                    let P = primitive(p)?;
                    let inner = primitive(r * (-P).exp())?;
                    P.exp() * (inner + constant)
                }
            }
        };
        let slope = expr::derivative(f, self.x).ok()?;
        let rest = Substitution::from([(self.value, f), (self.rate, slope)]).apply_one(self.balance).ok()?;
        let is_proved = matches!(proof::decide(rest, assuming), Verdict::Zero(proof) if !proof.vacuous);
        is_proved.then_some((f, constant))
    }

    /// A name that the model does not use.
    fn constant(&self, loaded: &Loaded) -> Expr {
        let names = ["C".to_owned()].into_iter().chain((0..).map(|k| format!("C_{k}")));
        let mut free = names.filter(|name| !loaded.system.declares(name));
        expr::parameter(&free.next().unwrap_or_default())
    }
}

/// The first of some expressions, with what the others say of coordinates put in; x stays.
fn on_constraints(all: &[Expr], x: Expr, q: &[Expr]) -> Result<Expr, expr::MathError> {
    let mut list = all.to_vec();
    while let Some(condition) = (list.len() > 1).then(|| list.remove(1)) {
        let solved = q.iter().filter(|&&one| one != x).find_map(|&one| {
            let (matrix, right) = expr::linear_coefficients(&[condition], &[one]).ok()?;
            let coefficient = matrix[0][0].as_number().filter(|number| !number.is_zero())?;
            Some((one, -right[0] / Expr::number(coefficient)))
        });
        if let Some(pair) = solved {
            list = Substitution::from([pair]).apply(&list)?;
        }
    }
    Ok(list[0])
}
