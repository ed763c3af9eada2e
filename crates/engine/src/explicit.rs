//! What are accelerations and multipliers in letters?
//!
//! ```text
//! (A M⁻¹ Aᵀ) λ = b − A M⁻¹ (Q − h)                                     the multipliers      (1)
//! q'' = M⁻¹ (Q − h + Aᵀ λ)                                             the accelerations    (2)
//! f = 0, f' = 0, what is assumed to be equal                           used where it makes a part shorter (3)
//! ```
//!
//! The parts of (1) are made as short as (3) allows before the system is solved: on an ellipsoid x²/a² + y²/b² + z²/c² is 1
//! there, and what a constraint holds fast, z = 0, is put in first. Where M has no inverse, as beside a pulley without mass, both are
//! solved for together. Nothing is divided by that was not divided by before: y' = −x x'/y holds only while y is not zero. In a chart the
//! equations of the form are solved for its own accelerations.

use expr::{Comparison, Expr, Formula, Kind, Op, Substitution};
use mechanics::Relation;
use mechanics::chart::ChartKind;
use mechanics::form::{Form, Setting};
use mechanics::ingredients::Ingredients;
use mechanics::matrices::Matrices;
use proof::linear::{Matrix, solve};
use serde::Serialize;

use crate::Ordered;
use crate::layout::is_known;
use crate::parts::named;
use crate::positive::positive;
use crate::quantities::Quantities;
use crate::readable::{Reader, divisors, length};
use crate::relations::{held_fast, monomial};

/// A solution with more operations than this is not simplified, and gets names for its parts.
const LONG: usize = 400;
/// One with more operations than this is not written.
const TOO_LONG: usize = 4_000;
/// Parts with more operations are not reduced by the constraints.
const REDUCIBLE: usize = 120;
/// Sums with more operations are not compared with what a constraint says of sums.
const MEASURABLE: usize = 60;
/// Constraints are used so often on one part.
const ROUNDS: usize = 3;
/// So many masses are tried as factors.
const MASSES: usize = 3;
/// A part of higher degree in a symbol is not reduced by it.
const DEGREE: usize = 6;

/// Accelerations and multipliers as functions of time, positions and velocities.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Explicit {
    /// What each acceleration is.
    pub accelerations: Ordered<Formula>,
    /// What each multiplier is, by the name of its constraint.
    pub multipliers: Ordered<Formula>,
    /// The lines as equations, with the names of unknowns on the left.
    #[serde(skip)]
    pub lines: Vec<Formula>,
    /// Names for parts, where something is long.
    pub definitions: Vec<Formula>,
    /// What must not vanish: they are divided by it. With names for parts it is not told.
    pub singular: Vec<String>,
    /// Whether it was proved that they solve the equations wherever the constraints hold.
    pub checked: bool,
    /// Distinct operations in all of them.
    pub operations: usize,
    /// Why there is nothing, or what is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Explicit {
    fn none(reason: &str) -> Explicit {
        Explicit { reason: Some(reason.to_owned()), ..Explicit::default() }
    }
}

/// A reaction with multipliers put in is at most so long; beyond that their names stay.
const LONG_REACTION: usize = 240;

/// The solution of a form in letters, and what the multipliers are.
pub fn explicit(given: &Ingredients<'_>, form: &Form) -> (Explicit, Substitution) {
    if let Some(row) = given.rows.curved() {
        let why = format!("`{}` is not linear in the accelerations: they are not solved in letters", row.name);
        return (Explicit::none(&why), Substitution::new());
    }
    let reader = Reader::new();
    let shorter = Shorter { given, reader: &reader, relations: relations(given) };
    let in_speeds = given.chart().is_ok_and(|chart| chart.kind == ChartKind::Speeds);
    let found = match form.written_in {
        Setting::Chart if in_speeds || given.rows.any(2) => in_chart(given, form),
        _ => in_coordinates(given, &shorter),
    };
    match found {
        Ok(found) => {
            let page = told(given, &shorter, &found);
            let is_short = page.reason.is_none();
            (page, found.multipliers.iter().filter(|_| is_short).map(|one| (one.1, one.2)).collect())
        }
        Err(why) => (Explicit::none(&why), Substitution::new()),
    }
}

/// An expression with multipliers put in, as short as the constraints make it; with their names where it would be long.
pub fn put_in<'a>(given: &'a Ingredients<'_>, values: &'a Substitution) -> impl Fn(Expr) -> Expr + 'a {
    let (reader, relations) = (Reader::new(), relations(given));
    move |e: Expr| {
        let shorter = Shorter { given, reader: &reader, relations: relations.clone() };
        let put = values.apply_one(e).ok().filter(|put| put.operations() <= LONG);
        put.map(|put| shorter.of(put)).filter(|&put| length(put) <= LONG_REACTION).unwrap_or(e)
    }
}

/// What was found: accelerations, and multipliers with the names of their rows; and what vanishes if it is right.
struct Found {
    accelerations: Vec<(Expr, Expr)>,
    multipliers: Vec<(String, Expr, Expr)>,
    claims: Vec<Expr>,
    /// Whether the claims hold on the constraints only.
    on_rows: bool,
}

/// The accelerations of the chart.
fn in_chart(given: &Ingredients<'_>, form: &Form) -> Result<Found, String> {
    let unknowns = form.all_unknowns();
    let solved = mechanics::agreement::solved(&form.residuals(), &unknowns, given.at)
        .ok_or("the equations cannot be solved for the accelerations in letters")?;
    let claims = solved.apply(&form.residuals()).map_err(|error| error.to_string())?;
    let values: Vec<Expr> = form.reactions.iter().map(|reaction| reaction.value).collect();
    let values = solved.apply(&values).map_err(|error| error.to_string())?;
    let named = form.reactions.iter().zip(values);
    let multipliers = named.map(|(reaction, value)| (reaction.name.clone(), reaction.lambda, value)).collect();
    let accelerations = solved.into_iter().filter(|(symbol, _)| form.unknowns.contains(symbol)).collect();
    Ok(Found { accelerations, multipliers, claims, on_rows: false })
}

/// The accelerations of the coordinates (2), and the multipliers (1).
fn in_coordinates(given: &Ingredients<'_>, shorter: &Shorter<'_>) -> Result<Found, String> {
    let mut made = Matrices::of(given).map_err(|error| error.to_string())?;
    let held: Substitution = held_fast(given).into_iter().map(|one| one.eliminates).collect();
    if !held.is_empty() {
        let put = |list: &[Expr]| held.apply(list).map_err(|error| error.to_string());
        made.M = made.M.iter().map(|row| put(row)).collect::<Result<_, _>>()?;
        made.A = made.A.iter().map(|row| put(row)).collect::<Result<_, _>>()?;
        (made.h, made.Q, made.b) = (put(&made.h)?, put(&made.Q)?, put(&made.b)?);
    }
    let n = made.M.len();
    let force: Vec<Expr> = (0..n).map(|s| made.Q[s] - made.h[s]).collect();
    if force.iter().any(|force| force.symbols().iter().any(|symbol| given.q_ddot.contains(symbol))) {
        return Err("a force holds accelerations: the solution is not written in letters".to_owned());
    }
    let over_mass = |column: &[Expr]| -> Result<Vec<Expr>, String> {
        solve(&Matrix::from_rows(&made.M), column, given.at)
            .map_err(|error| format!("the masses do not determine the accelerations: {error}"))
    };
    let free = match over_mass(&force) {
        Err(_) if !made.A.is_empty() => return together(given, shorter, &made, &force),
        free => free?,
    };
    let pulls = made.A.iter().map(|row| over_mass(row)).collect::<Result<Vec<_>, _>>()?;
    let dot = |a: &[Expr], b: &[Expr]| a.iter().zip(b).map(|(&a, &b)| a * b).sum::<Expr>();
    let (mut N, mut right) = (Vec::new(), Vec::new());
    for (row, &b) in made.A.iter().zip(&made.b) {
        let entries: Vec<Expr> = pulls.iter().map(|pull| dot(row, pull)).collect();
        let (entries, b) = shorter.equation(&entries, b - dot(row, &free));
        N.push(entries);
        right.push(b);
    }
    let lambda = match N.is_empty() {
        true => Vec::new(),
        false => solve(&Matrix::from_rows(&N), &right, given.at)
            .map_err(|error| format!("the multipliers are not determined: {error}"))?,
    };
    // a quotient of short parts may be shorter than what becomes of it
    let lambda: Vec<Expr> = match (&N[..], &right[..]) {
        ([row], [right]) => vec![shorter.shortest(lambda[0], right.try_div(row[0]).unwrap_or(lambda[0]))],
        _ => lambda.into_iter().map(|value| shorter.of(value)).collect(),
    };
    let pushed = |s: usize| free[s] + pulls.iter().zip(&lambda).map(|(pull, &lambda)| pull[s] * lambda).sum::<Expr>();
    let accelerations: Vec<Expr> = (0..n).map(|s| shorter.of(pushed(s))).collect();
    Ok(found(given, &made, &force, &accelerations, &lambda))
}

/// Accelerations and multipliers from the equations and the rows together.
fn together(given: &Ingredients<'_>, shorter: &Shorter<'_>, made: &Matrices, force: &[Expr]) -> Result<Found, String> {
    let n = made.M.len();
    let pull = |s: usize| made.A.iter().map(move |row| -row[s]);
    let equations = (0..n).map(|s| made.M[s].iter().copied().chain(pull(s)).collect::<Vec<Expr>>());
    let rows = made.A.iter().map(|row| row.iter().copied().chain(made.A.iter().map(|_| Expr::zero())).collect());
    let matrix: Vec<Vec<Expr>> = equations.chain(rows).collect();
    let right: Vec<Expr> = force.iter().chain(&made.b).copied().collect();
    let both = solve(&Matrix::from_rows(&matrix), &right, given.at)
        .map_err(|error| format!("the equations do not determine accelerations and multipliers: {error}"))?;
    let read: Vec<Expr> = both.into_iter().map(|value| shorter.of(value)).collect();
    let (accelerations, lambda) = read.split_at(n);
    Ok(found(given, made, force, accelerations, lambda))
}

/// What was found, with what vanishes if it solves M q'' = Q − h + Aᵀ λ and A q'' = b.
fn found(given: &Ingredients<'_>, made: &Matrices, force: &[Expr], accelerations: &[Expr], lambda: &[Expr]) -> Found {
    let dot = |a: &[Expr], b: &[Expr]| a.iter().zip(b).map(|(&a, &b)| a * b).sum::<Expr>();
    let mut claims = Vec::with_capacity(force.len() + made.A.len());
    for (s, &force) in force.iter().enumerate() {
        let pull: Expr = made.A.iter().zip(lambda).map(|(row, &lambda)| row[s] * lambda).sum();
        claims.push(dot(&made.M[s], accelerations) - force - pull);
    }
    claims.extend(made.A.iter().zip(&made.b).map(|(row, &b)| dot(row, accelerations) - b));
    let rows = given.rows.list.iter().zip(lambda);
    Found {
        accelerations: given.q_ddot.iter().copied().zip(accelerations.iter().copied()).collect(),
        multipliers: rows.map(|(row, &value)| (row.name.clone(), row.lambda, value)).collect(),
        claims,
        on_rows: true,
    }
}

/// What was found, as it is written.
fn told(given: &Ingredients<'_>, shorter: &Shorter<'_>, found: &Found) -> Explicit {
    let values = found.accelerations.iter().map(|pair| pair.1).chain(found.multipliers.iter().map(|one| one.2));
    let values: Vec<Expr> = values.collect();
    let values = crate::side::on_its_side(&values, given).apply(&values).unwrap_or(values);
    let operations = Expr::sum(&values).operations();
    if operations > TOO_LONG {
        let reason = format!("the solution in letters has {operations} operations, too many for a page");
        return Explicit { operations, ..Explicit::none(&reason) };
    }
    let read = |&value: &Expr| {
        let read = if value.operations() > LONG { value } else { shorter.reader.readable(value, &[]) };
        if cost(read) < cost(value) { read } else { reading::polished(value) }
    };
    let read: Vec<Expr> = values.iter().map(read).collect();
    let (written, definitions) = named(&read, &Quantities::of(given), &|name| given.system.declares(name));
    let short = if definitions.is_empty() { &read[..] } else { &[] };
    let singular = shorter.may_vanish(short).iter().map(Expr::to_string).collect();
    let (w, lambda) = written.split_at(found.accelerations.len());
    let both = found.accelerations.iter().map(|pair| pair.0).chain(found.multipliers.iter().map(|one| one.1));
    let names = found.multipliers.iter().map(|one| one.0.clone());
    Explicit {
        accelerations: found
            .accelerations
            .iter()
            .zip(w)
            .map(|(pair, &value)| (pair.0.to_string(), Formula::of(value)))
            .collect(),
        multipliers: names.zip(lambda).map(|(name, &value)| (name, Formula::of(value))).collect(),
        lines: both.zip(&written).map(|(symbol, &value)| Formula::equation(symbol, value)).collect(),
        definitions: definitions.iter().map(|&(name, value)| Formula::equation(name, value)).collect(),
        singular,
        checked: is_right(given, shorter, found),
        operations,
        reason: None,
    }
}

/// Does what was found solve the equations, on the constraints where these were used?
fn is_right(given: &Ingredients<'_>, shorter: &Shorter<'_>, found: &Found) -> bool {
    let claims: Vec<Expr> = found.claims.iter().copied().filter(|&claim| claim != Expr::zero()).collect();
    let plain = mechanics::agreement::assumptions(given);
    let holds =
        |assumptions: &proof::Assumptions| proof::decide_all(&claims, assumptions).iter().all(proof::Verdict::is_zero);
    if holds(&plain) || !found.on_rows {
        return holds(&plain);
    }
    // dependent rates are put in by the chart; what is left is the geometry
    let claims = given.on_shell(&claims).unwrap_or(claims);
    let of_positions = shorter
        .relations
        .iter()
        .filter(|relation| !relation.symbols().iter().any(|symbol| given.q_dot.contains(symbol)));
    let known = given.system.parameters.iter().map(|one| one.symbol).filter(|&symbol| is_known(given, symbol));
    let plain = known.fold(plain, |all, symbol| all.and(symbol, Comparison::NotEqual, Expr::zero()));
    let and = |all: proof::Assumptions, &relation: &Expr| all.and(relation, Comparison::Equal, Expr::zero());
    let assumptions = of_positions.fold(plain, and);
    claims.iter().all(|&claim| proof::decide(claim, &assumptions).is_zero())
}

/// What vanishes on every motion: the constraints, their rates, and what is assumed to be equal.
fn relations(given: &Ingredients<'_>) -> Vec<Expr> {
    let rows = given.rows.list.iter();
    let mut list: Vec<Expr> =
        rows.filter(|row| row.order < 2).flat_map(|row| [Some(row.f), row.velocity]).flatten().collect();
    let assumed = given.mode.assumptions(given.system).filter_map(Relation::scalars);
    list.extend(assumed.filter(|relation| relation.1 == Comparison::Equal).map(|(left, _, right)| left - right));
    let mut distinct: Vec<Expr> = Vec::new();
    for relation in list {
        if !relation.is_zero() && !distinct.iter().any(|known| known.is_same(relation)) {
            distinct.push(relation);
        }
    }
    distinct
}

/// Who makes parts shorter by what vanishes on every motion (3).
struct Shorter<'a> {
    given: &'a Ingredients<'a>,
    reader: &'a Reader,
    relations: Vec<Expr>,
}

impl Shorter<'_> {
    /// The shortest of what an expression is equal to on every motion, as far as is tried.
    fn of(&self, e: Expr) -> Expr {
        if e.is_zero() {
            return Expr::zero();
        }
        if e.operations() > REDUCIBLE {
            return e;
        }
        let e = self.measured(e);
        let mut best = self.read(e);
        for _ in 0..ROUNDS {
            let others = self.relations.iter().flat_map(|&relation| self.reduced(best, relation));
            let read = others.map(|other| self.read(other)).filter(|&other| length(other) < length(best));
            let mut read: Vec<Expr> = read.collect();
            read.sort_by_key(|&other| length(other));
            let divisors = self.divisors(&[best]);
            let divides_no_more =
                |other: &Expr| self.divisors(&[*other]).iter().all(|&one| divisors.iter().any(|&own| alike(one, own)));
            match read.into_iter().find(divides_no_more) {
                Some(shorter) => best = shorter,
                None => break,
            }
        }
        best
    }

    /// What an expression is divided by and may vanish, as far as is known of signs.
    fn divisors(&self, of: &[Expr]) -> Vec<Expr> {
        let moving: Vec<Expr> = self.given.q.iter().chain(&self.given.q_dot).copied().collect();
        divisors(of, &moving, &positive(self.given), self.reader)
    }

    /// What of that may vanish while the constraints hold: a sum of squares does so at one place only, which they may exclude.
    fn may_vanish(&self, of: &[Expr]) -> Vec<Expr> {
        let is_excluded = |divisor: &Expr| {
            let Some(symbols) = squares(*divisor, &positive(self.given)) else { return false };
            let there: Substitution = symbols.iter().map(|&symbol| (symbol, Expr::zero())).collect();
            self.relations.iter().any(|&relation| {
                let left = there.apply_one(relation);
                left.is_ok_and(|left| !left.is_zero() && !self.moves(left) && self.is_known(left))
            })
        };
        self.divisors(of).into_iter().filter(|divisor| !is_excluded(divisor)).collect()
    }

    fn moves(&self, e: Expr) -> bool {
        e.symbols().iter().any(|symbol| self.given.q.contains(symbol) || self.given.q_dot.contains(symbol))
    }

    /// Is this a number, or made of parameters and not zero at their values?
    fn is_known(&self, e: Expr) -> bool {
        e.is_constant() || (self.given.at.names(&e.symbols()) && self.given.at.value(e).abs() > 0.0)
    }

    /// The expression with what a constraint says of a sum that moves: (x₂ − x₁)² + (y₂ − y₁)² is l².
    fn measured(&self, e: Expr) -> Expr {
        let sums: Vec<Expr> = crate::parts::parts(&[e])
            .into_iter()
            .filter(|part| part.op() == Op::Sum && part.operations() <= MEASURABLE && self.moves(*part))
            .collect();
        let mut known = Substitution::new();
        for &relation in &self.relations {
            let Some((moving, rest)) = self.split(relation) else { continue };
            for &sum in &sums {
                let Ok(times) = sum.try_div(moving) else { continue };
                let times = self.reader.readable(times, &[]);
                if !self.moves(times) {
                    known.insert(sum, times * rest);
                }
            }
        }
        known.apply_one(e).unwrap_or(e)
    }

    /// A relation between positions as what moves and what it is equal to.
    fn split(&self, relation: Expr) -> Option<(Expr, Expr)> {
        let at_rest: Vec<Expr> = relation.arguments().into_iter().filter(|&term| !self.moves(term)).collect();
        let rest = Expr::sum(&at_rest);
        (relation.op() == Op::Sum && !rest.is_zero() && !at_rest.is_empty()).then_some((relation - rest, -rest))
    }

    /// An expression as a person would write it, collected by a mass if that is shorter.
    fn read(&self, e: Expr) -> Expr {
        let by = self.masses().into_iter().filter(|mass| mass.as_symbol().is_some());
        let by = by.filter(|&mass| expr::linear_coefficients(&[e], &[mass]).is_ok());
        let collected = by.map(|mass| self.reader.readable(e, &[mass]));
        let plain = self.reader.readable(e, &[]);
        collected.fold(plain, |best, other| if cost(other) < cost(best) { other } else { best })
    }

    /// The masses, each once.
    fn masses(&self) -> Vec<Expr> {
        let mut masses: Vec<Expr> =
            self.given.free().map(|free| free.elements.iter().map(|one| one.mass).collect()).unwrap_or_default();
        // a pulley without mass has none that an equation could be multiplied by
        masses.retain(|mass| !mass.is_zero());
        masses.dedup();
        masses.truncate(MASSES);
        masses
    }

    /// The shorter of two ways to write the same.
    fn shortest(&self, one: Expr, other: Expr) -> Expr {
        let read = self.of(one);
        if cost(other) < cost(read) { other } else { read }
    }

    /// An equation for the multipliers, its parts as short as they get, times a mass or two if that helps.
    fn equation(&self, entries: &[Expr], right: Expr) -> (Vec<Expr>, Expr) {
        let single = self.masses();
        let pairs = single.iter().enumerate().flat_map(|(k, &a)| single[k + 1..].iter().map(move |&b| a * b));
        let masses: Vec<Expr> = [Expr::one()].into_iter().chain(single.iter().copied()).chain(pairs).collect();
        let parts = [1, 2, 4].map(|part| expr::rational(1, part));
        let factors = masses.iter().flat_map(|&mass| parts.map(|part| part * mass));
        // what never vanishes is not replaced by what may: it will be divided by
        let entry = |entry: Expr| {
            if entry.operations() > REDUCIBLE {
                return entry;
            }
            let made = self.of(entry);
            let may_vanish = |e: Expr| Expr::one().try_div(e).is_ok_and(|over| !self.divisors(&[over]).is_empty());
            if may_vanish(made) && !may_vanish(entry) { self.read(entry) } else { made }
        };
        let times = |factor: Expr| {
            let made: Vec<Expr> = entries.iter().map(|&one| entry(factor * one)).collect();
            (made, self.of(factor * right))
        };
        // of one equation the solution is the quotient
        let long = |(made, right): &(Vec<Expr>, Expr)| match made[..] {
            [one] => right.try_div(one).map_or(usize::MAX, cost),
            _ => made.iter().map(|&entry| length(entry)).fold(length(*right), usize::saturating_add),
        };
        let all = factors.map(times);
        all.min_by_key(long).unwrap_or_else(|| (entries.to_vec(), right))
    }

    /// What becomes of an expression if a relation is solved for one of its symbols.
    fn reduced(&self, e: Expr, relation: Expr) -> Vec<Expr> {
        let shared = relation.symbols().into_iter().filter(|symbol| e.symbols().contains(symbol));
        let moving = shared.filter(|symbol| self.given.q.contains(symbol) || self.given.q_dot.contains(symbol));
        moving
            .filter_map(|symbol| self.reduced_by(e, relation, symbol))
            .filter(|other| other.operations() <= 4 * REDUCIBLE)
            .collect()
    }

    /// The expression, a polynomial in a symbol, with the powers of the symbol lowered by a relation that is linear in the
    /// symbol or in its square. What is divided by must go out again.
    fn reduced_by(&self, e: Expr, relation: Expr, symbol: Expr) -> Option<Expr> {
        let (power, value, slope) = solved_for(relation, symbol)?;
        let coefficients = coefficients(e, symbol)?;
        if self.moves(slope) {
            let out = coefficients.iter().enumerate().skip(power);
            let mut out = out.filter(|(_, c)| !c.is_zero());
            if !out.all(|(k, &c)| k / power == 1 && self.goes_into(slope, c)) {
                return None;
            }
        }
        let term = |(k, &c): (usize, &Expr)| Some(c * raised(value, k / power)? * raised(symbol, k % power)?);
        coefficients.iter().enumerate().map(term).sum()
    }

    /// Is an expression a multiple of a slope, as far as the slope is linear in a symbol?
    fn goes_into(&self, slope: Expr, e: Expr) -> bool {
        slope.symbols().into_iter().filter(|&symbol| self.moves(symbol)).any(|symbol| {
            let Some([rest, own]) = coefficients(slope, symbol).and_then(|list| <[Expr; 2]>::try_from(list).ok())
            else {
                return false;
            };
            let zero = || Substitution::from([(symbol, -rest.try_div(own).ok()?)]).apply_one(e).ok();
            !self.moves(own) && zero().is_some_and(|at_zero| at_zero.is_zero())
        })
    }
}

/// Are two divisors the same but for a number?
fn alike(one: Expr, other: Expr) -> bool {
    one.is_same(other) || one.try_div(other).is_ok_and(|ratio| expr::simplify(ratio, &[]).op() == Op::Number)
}

/// The symbols of a sum whose terms are even powers, each times what is positive.
fn squares(sum: Expr, positive: &[Expr]) -> Option<Vec<Expr>> {
    let mut found = Vec::new();
    let terms = if sum.op() == Op::Sum { sum.arguments() } else { vec![sum] };
    for term in terms {
        let (number, powers) = monomial(term)?;
        let kind = |symbol: Expr| symbol.as_symbol().map(|symbol| symbol.kind);
        let (own, others): (Vec<_>, Vec<_>) = powers.into_iter().partition(|one| kind(one.0) == Some(Kind::Coordinate));
        let [(symbol, n)] = own[..] else { return None };
        let is_open = |one: &(Expr, i32)| one.1 % 2 != 0 && !positive.contains(&one.0);
        if number.is_negative() || n <= 0 || n % 2 != 0 || others.iter().any(is_open) {
            return None;
        }
        found.push(symbol);
    }
    Some(found)
}

/// How long it is, where each division counts as some letters more: (γ − m V)/S before m (γ/m − V)/S, and m₁ m₂/(m₁ + m₂) before
/// 1/(1/m₁ + 1/m₂).
fn cost(e: Expr) -> usize {
    match length(e) {
        usize::MAX => usize::MAX,
        length => length + 3 * e.to_string().matches('/').count(),
    }
}

/// A power, 1 for the power 0 of whatever it is: the value may be 0.
fn raised(e: Expr, n: usize) -> Option<Expr> {
    if n == 0 { Some(Expr::one()) } else { e.try_pow(&expr::Rational::from(i64::try_from(n).ok()?)).ok() }
}

/// The power of the symbol that a relation determines, what it is, and what was divided by.
fn solved_for(relation: Expr, symbol: Expr) -> Option<(usize, Expr, Expr)> {
    let coefficients = coefficients(relation, symbol)?;
    match coefficients[..] {
        [rest, slope] => Some((1, -rest.try_div(slope).ok()?, slope)),
        [rest, zero, slope] if zero.is_zero() => Some((2, -rest.try_div(slope).ok()?, slope)),
        _ => None,
    }
}

/// The coefficients of a polynomial in a symbol, the constant first; nothing if it is none, or of high degree.
fn coefficients(e: Expr, symbol: Expr) -> Option<Vec<Expr>> {
    let (mut derivative, mut factorial) = (e, 1_i64);
    let mut list = Vec::new();
    for k in 0..=DEGREE {
        let at_zero = Substitution::from([(symbol, Expr::zero())]).apply_one(derivative).ok()?;
        list.push(at_zero * expr::rational(1, factorial));
        derivative = expr::derivative(derivative, symbol).ok()?;
        factorial *= i64::try_from(k + 1).ok()?;
        if derivative.is_zero() {
            return Some(list);
        }
    }
    None
}
