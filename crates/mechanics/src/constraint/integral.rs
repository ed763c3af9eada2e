//! Which functions do integrable forms keep constant?
//!
//! ```text
//! dF = μ θ,   θ in the integrable system I                                          (1)
//! ∂_k θ_l = ∂_l θ_k        for all k, l: closed, μ = 1                              (2)
//! (log μ)' θ_k = ∂_k θ_j − ∂_j θ_k        for all k ≠ j: μ a function of z_j alone  (3)
//! ```
//!
//! F is the sum of antiderivatives, one variable at a time. An integral that was found is a
//! constant from then on: a coordinate is expressed by it in the other forms (x' = y z' beside
//! y' = 0). Nothing is reported unless dF is a combination of the forms, by their rank as
//! functions, and no integral that is a function of others.

use expr::{At, Evaluator, Expr, MathError, Op, Substitution};

use super::algebra::{Effort, moves, solved_form, tidy, true_symbols};
use super::antiderivative::antiderivative;
use super::flag::{LARGE, spans};

/// Integrating factors are tried for forms in no more variables than this.
const MANY: usize = 12;

/// A function of q and t that the rate constraints keep constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Integral {
    /// The function.
    pub f: Expr,
    /// The row whose integral it is by itself; `None` if several take part.
    pub row: Option<usize>,
}

/// Integrals, `most` at most, of the system that is spanned by some forms in z. `rows` are given forms that belong
/// to it, each with its name; `known` are functions whose differentials do, and which vanish.
pub(super) fn find(
    z: &[Expr],
    system: &[Vec<Expr>],
    most: usize,
    rows: &[(usize, Vec<Expr>)],
    known: &[Expr],
    at: &At,
) -> Result<Vec<Integral>, MathError> {
    let mut constant = known.to_vec();
    let mut search = Search {
        z: z.iter().map(|&symbol| Some(symbol)).collect(),
        given: rows.iter().map(|row| row.1.clone()).collect(),
        forms: system.to_vec(),
        constants: Substitution::new(),
        at,
    };
    for &f in known {
        search.hold(f, Expr::zero())?;
    }
    let mut found = Vec::new();
    while found.len() < most {
        let Some((reduced, f)) = search.next(|f| is_new_integral(f, z, system, &constant))? else { break };
        let f = readable(f);
        found.push(Integral { f, row: row_of(f, z, rows)? });
        constant.push(f);
        let name = expr::parameter(&format!("integral#{}", constant.len()));
        search.constants.insert(name, f);
        search.hold(reduced, name)?;
    }
    Ok(found)
}

/// Does df belong to the system, and is f no function of the others?
fn is_new_integral(f: Expr, z: &[Expr], system: &[Vec<Expr>], others: &[Expr]) -> bool {
    let Ok(slopes) = expr::gradient(f, z) else { return false };
    let Ok(others) = expr::jacobian(others, z) else { return false };
    spans(system, &slopes) && !spans(&others, &slopes)
}

/// The given row of which df is a multiple.
fn row_of(f: Expr, z: &[Expr], rows: &[(usize, Vec<Expr>)]) -> Result<Option<usize>, MathError> {
    let slopes = expr::gradient(f, z)?;
    let is_multiple = |form: &Vec<Expr>| {
        let Some(p) = form.iter().position(|entry| !entry.is_zero()) else { return false };
        (0..z.len()).all(|k| (slopes[p] * form[k]).is_same(slopes[k] * form[p]))
    };
    Ok(rows.iter().find(|row| is_multiple(&row.1)).map(|row| row.0))
}

/// A multiple of f as a person would write it: without factors and denominators that do not move.
fn readable(f: Expr) -> Expr {
    let factor = f.op() == Op::Sum;
    let mut candidates = vec![f];
    for denominator in denominators(f).into_iter().filter(|_| factor) {
        let multiplied = expr::expand(f * denominator).unwrap_or(f);
        candidates.push(multiplied);
    }
    let core = |e: Expr| {
        let e = expr::simplify(e, &[]);
        match e.op() {
            Op::Scale | Op::Product => e.arguments().into_iter().filter(|&factor| moves(factor)).product(),
            _ => e,
        }
    };
    let both = candidates.into_iter().flat_map(|e| [core(e), core(-e)]);
    both.min_by_key(|e| (e.to_string().starts_with('-'), e.operations())).unwrap_or(f)
}

/// What f is divided by, if that does not move.
fn denominators(f: Expr) -> Vec<Expr> {
    let nodes = Evaluator::new(&[f], &[]).nodes();
    let is_denominator = |node: &Expr| {
        node.op() == Op::Power && node.arguments()[1].as_number().is_some_and(|n| n.is_negative()) && !moves(*node)
    };
    nodes.into_iter().filter(is_denominator).filter_map(|node| Expr::one().try_div(node).ok()).collect()
}

/// Forms in which what was found is constant.
struct Search<'a> {
    /// The variables; `None` where an integral has taken their place.
    z: Vec<Option<Expr>>,
    /// Forms that the user wrote.
    given: Vec<Vec<Expr>>,
    /// Forms that span the system.
    forms: Vec<Vec<Expr>>,
    /// Constants with the functions that they are the values of.
    constants: Substitution,
    /// Logarithms have values there.
    at: &'a At,
}

impl Search<'_> {
    /// The next integral that passes the test: as a function of what is left, and of z.
    fn next(&self, test: impl Fn(Expr) -> bool) -> Result<Option<(Expr, Expr)>, MathError> {
        let is_small = self.z.len() <= LARGE;
        let effort = Effort::new();
        let solved = if is_small { solved_form(self.forms.clone(), &[], &effort).rows } else { Vec::new() };
        let solved = if effort.is_spent() { Vec::new() } else { solved };
        for form in self.given.iter().chain(&solved) {
            for candidate in self.integrals(form)? {
                let Ok(full) = self.constants.apply_one(candidate) else { continue };
                if test(full) {
                    return Ok(Some((candidate, full)));
                }
            }
        }
        Ok(None)
    }

    /// Functions F with dF = μ·form, the simplest first.
    fn integrals(&self, form: &[Expr]) -> Result<Vec<Expr>, MathError> {
        let here = |k: &usize| self.z[*k].is_some() && !form[*k].is_zero();
        let places: Vec<usize> = (0..form.len()).filter(here).collect();
        if let [only] = *places {
            return Ok(self.z[only].into_iter().collect());
        }
        // coefficients may hold variables whose own coefficient is zero
        let symbols: Vec<Expr> = places.iter().flat_map(|&k| form[k].symbols()).collect();
        let takes_part = |(k, z): (usize, &Option<Expr>)| z.filter(|z| places.contains(&k) || symbols.contains(z));
        let z: Vec<Expr> = self.z.iter().enumerate().filter_map(takes_part).collect();
        let entry = |symbol: &Expr| {
            let place = self.z.iter().position(|other| other.as_ref() == Some(symbol));
            place.map_or_else(Expr::zero, |place| form[place])
        };
        let plain: Vec<Expr> = z.iter().map(entry).collect();
        if let Some(f) = exact(&z, &plain, self.at)? {
            return Ok(vec![f]);
        }
        let mut found = Vec::new();
        if z.len() > MANY {
            return Ok(found);
        }
        for divisor in [Expr::one()].into_iter().chain(places.iter().map(|&k| form[k])) {
            let scaled: Vec<Expr> = plain.iter().map(|&a| tidy(a / divisor)).collect();
            found.extend(exact(&z, &scaled, self.at)?);
            for j in 0..z.len() {
                found.extend(with_factor(&z, &scaled, j, self.at)?);
            }
        }
        found.sort_by_key(|f| (f.is_opaque(), f.operations()));
        Ok(found)
    }

    /// From now on f has this value: a variable that f is linear in goes.
    fn hold(&mut self, f: Expr, value: Expr) -> Result<(), MathError> {
        let symbols = f.symbols();
        let solution = |(place, y): (usize, &Option<Expr>)| {
            let y = (*y).filter(|y| symbols.contains(y))?;
            let (a, b) = expr::linear_coefficients(&[f], &[y]).ok()?;
            let a = a[0][0];
            if a.is_zero() { None } else { Some((moves(a), a.operations(), place, y, (value - b[0]) / a)) }
        };
        let best = self.z.iter().enumerate().filter_map(solution).min_by_key(|s| (s.0, s.1));
        let Some((_, _, place, y, y_value)) = best else { return Ok(()) };
        let symbols: Vec<Expr> = self.z.iter().flatten().copied().collect();
        let slopes = expr::gradient(y_value, &symbols)?;
        let columns: Vec<usize> = (0..self.z.len()).filter(|&k| self.z[k].is_some()).collect();
        for form in self.given.iter_mut().chain(&mut self.forms) {
            for (&column, &slope) in columns.iter().zip(&slopes).filter(|(column, _)| **column != place) {
                let entry = form[column] + form[place] * slope;
                let made = Substitution::from([(y, y_value)]).apply(&[entry])?;
                form[column] = tidy(made[0]);
            }
            form[place] = Expr::zero();
        }
        self.z[place] = None;
        Ok(())
    }
}

/// F with dF = form, if (2) holds and antiderivatives are found.
fn exact(z: &[Expr], form: &[Expr], at: &At) -> Result<Option<Expr>, MathError> {
    if form.iter().all(|entry| entry.is_zero()) {
        return Ok(None);
    }
    let slopes = expr::jacobian(form, z)?; // ∂_k θ_l = slopes[l][k]
    let is_closed = (0..z.len()).all(|k| (0..k).all(|l| slopes[l][k].is_same(slopes[k][l])));
    if is_closed { potential(z, form, at) } else { Ok(None) }
}

/// F with dF = form, one variable at a time; checked.
fn potential(z: &[Expr], form: &[Expr], at: &At) -> Result<Option<Expr>, MathError> {
    let mut f = Expr::zero();
    for (&v, &entry) in z.iter().zip(form) {
        let rest = tidy(entry - expr::derivative(f, v)?);
        if rest.is_zero() {
            continue;
        }
        let Some(part) = antiderivative(rest, v, at) else { return Ok(None) };
        f += part;
    }
    let slopes = expr::gradient(f, z)?;
    Ok(slopes.iter().zip(form).all(|(&slope, &entry)| slope.is_same(entry)).then_some(f))
}

/// F with dF = μ·form and μ a function of z_j: (3).
fn with_factor(z: &[Expr], form: &[Expr], j: usize, at: &At) -> Result<Option<Expr>, MathError> {
    let slopes = expr::jacobian(form, z)?;
    let mut log_slope: Option<Expr> = None;
    for k in (0..z.len()).filter(|&k| k != j) {
        if !(0..k).filter(|&l| l != j).all(|l| slopes[l][k].is_same(slopes[k][l])) {
            return Ok(None);
        }
        let difference = slopes[j][k] - slopes[k][j];
        match (form[k].is_zero(), log_slope) {
            (true, _) if difference.is_zero() => {}
            (true, _) => return Ok(None),
            (false, None) => log_slope = Some(difference / form[k]),
            (false, Some(g)) if (g * form[k]).is_same(difference) => {}
            (false, Some(_)) => return Ok(None),
        }
    }
    let Some(g) = log_slope.filter(|g| !g.is_zero() && true_symbols(*g).iter().all(|&s| s == z[j])) else {
        return Ok(None);
    };
    let Some(factor) = antiderivative(tidy(g), z[j], at).and_then(exponential) else { return Ok(None) };
    let scaled: Vec<Expr> = form.iter().map(|&entry| tidy(entry * factor)).collect();
    exact(z, &scaled, at)
}

/// exp(e) with exp(c·log(u)) written as u^c; `None` if c is no number.
fn exponential(e: Expr) -> Option<Expr> {
    let e = expr::expand(e).ok()?;
    let terms = if e.op() == Op::Sum { e.arguments() } else { vec![e] };
    let (mut factors, mut rest) = (Vec::new(), Vec::new());
    for term in terms {
        let (c, core) = match (term.op(), &*term.arguments()) {
            (Op::Scale, &[c, core]) => (c.as_number()?, core),
            _ => (expr::Rational::ONE, term),
        };
        match core.op() {
            Op::Log => factors.push(core.arguments()[0].try_pow(&c).ok()?),
            _ if core.is_opaque() => return None,
            _ => rest.push(term),
        }
    }
    factors.push(Expr::sum(&rest).exp());
    Some(Expr::product(&factors))
}
