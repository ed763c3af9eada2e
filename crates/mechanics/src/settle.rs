//! What does a load mean that follows the reaction of a constraint? Its multiplier, as an expression of the state.
//!
//! ```text
//! M q'' + h = Q(λ) + Aᵀλ,   A q'' + a0 = 0                                                        (1)
//! Q(λ) = Q₀ + B λ,   B = B⁺ where λ > 0, B⁻ where λ < 0                      the law              (2)
//! W = A M⁻¹Aᵀ,   g = −W⁻¹(a0 + A M⁻¹(Q₀ − h))                               λ without the law    (3)
//! (1 + G) λ = g,   G = W⁻¹ A M⁻¹ B                                           λ with the law       (4)
//! ```
//!
//! With λ from (4) in its place such a load is a force like others, in every form and for every verb. The
//! matrix 1 + G is that of Coulomb friction: where the law is the same on both sides (2), there is one motion
//! unless det(1 + G) = 0. Where it is not, λ has the sign of g as long as 1 + G⁺ and 1 + G⁻ are positive.
//!
//! M and W are symmetric and positive, so that no pivot of theirs vanishes at any state.

use expr::{At, Comparison, Expr, Kind, MathError, Op, Substitution};
use syntax::{Diagnostic, Span};

use crate::chart::ChartKind;
use crate::ingredients::Ingredients;
use crate::law::Law;
use crate::mode::Mode;
use crate::reaction::{self, Acts};
use crate::rows::{self, Row, Rows};
use crate::{Event, Load, LoadKind, Motion, Relation, System, Target, Term, Vector};

/// What loads know of the reactions of constraints: expressions of the multipliers.
pub(crate) struct Multipliers {
    system: System,
    mode: Mode,
    rows: Rows,
}

impl Multipliers {
    /// Those of a system whose constraints always act, or why loads cannot name them.
    pub fn of(system: &System) -> Result<Multipliers, String> {
        if let Some(one) = system.constraints.iter().find(|one| !one.acts_always()) {
            return Err(format!(
                "a load that follows a reaction is not treated beside `{}`, which does not always act or is rough",
                one.name
            ));
        }
        if let Some(one) = system.frictions.first() {
            return Err(format!("a load that follows a reaction is not treated beside friction on `{}`", one.on));
        }
        let at = At::generic();
        let mode = Mode::at(system, &at).map_err(|error| error.to_string())?;
        let rows = Rows::of(system, &mode, &at).map_err(|error| match error {
            rows::RowsError::Math(error) => error.to_string(),
            rows::RowsError::Outside { name, .. } => format!("`{name}` is of a class that is not treated"),
            rows::RowsError::Conflict { name, .. } => format!("`{name}` contradicts other constraints"),
        })?;
        Ok(Multipliers { system: system.clone(), mode, rows })
    }

    fn place(&self, constraint: &str) -> Option<usize> {
        self.system.constraints.iter().position(|one| one.name == constraint)
    }

    fn acts<'a>(&'a self, at: &'a At) -> Acts<'a> {
        Acts { system: &self.system, mode: &self.mode, rows: &self.rows, at }
    }
}

impl Motion for Multipliers {
    fn multiplier(&self, constraint: &str) -> Option<Term> {
        let place = self.place(constraint)?;
        let one = &self.system.constraints[place];
        if one.axes.is_empty() {
            let lambda = (!one.rows.is_empty()).then(|| rows::multiplier(one, 0));
            return Some(Term::Scalar(lambda.unwrap_or_else(Expr::zero)));
        }
        let mut vector = [Expr::zero(); 3];
        for (row, &axis) in one.axes.iter().enumerate() {
            vector[crate::vector::place(axis)] = rows::multiplier(one, row);
        }
        Some(Term::Vector(Vector(vector)))
    }

    fn reaction(&self, constraint: &str, on: Option<Target>) -> Option<Result<Vector, String>> {
        let at = At::generic();
        Some(reaction::asked(&self.acts(&at), self.place(constraint)?, on))
    }

    fn reaction_torque(&self, joint: &str) -> Option<Result<Vector, String>> {
        let at = At::generic();
        Some(reaction::asked_torque(&self.acts(&at), self.place(joint)?))
    }

    fn energy(&self) -> Option<Expr> {
        None
    }

    fn momentum(&self) -> Option<Result<Vector, String>> {
        None
    }

    fn angular_momentum(&self, _: Vector) -> Option<Result<Vector, String>> {
        None
    }
}

/// Puts the multipliers that loads name in their place; their laws. Nothing changes where no load names one.
pub fn settle(system: &mut System, mode: &Mode, at: &At) -> Result<(), Diagnostic> {
    let named = named(system);
    let Some(&(_, span)) = named.first() else { return Ok(()) };
    let laws = Laws::of(system, mode, at, &named).and_then(|laws| laws.solved(&named));
    let laws = laws.map_err(|trouble| match trouble {
        Trouble::Math(error) => Diagnostic::error(span, format!("what this load follows is not found: {error}")),
        Trouble::Told(diagnostic) => *diagnostic,
    })?;
    let put = Substitution::from_iter(laws.iter().map(|law| (law.lambda, law.value)));
    let math = |error: MathError| Diagnostic::error(span, error.to_string());
    system.loads.iter_mut().try_for_each(|load| replace(load, &put)).map_err(math)?;
    let stops: Vec<Event> = laws.iter().flat_map(stops).collect();
    system.events.extend(stops);
    system.laws = laws;
    Ok(())
}

/// The multipliers that loads name, and which load is the first.
fn named(system: &System) -> Vec<(Expr, Span)> {
    let mut named: Vec<(Expr, Span)> = Vec::new();
    for load in &system.loads {
        for symbol in parts(load).iter().flat_map(|e| e.symbols()) {
            let is_multiplier = symbol.as_symbol().is_some_and(|symbol| symbol.kind == Kind::Multiplier);
            if is_multiplier && named.iter().all(|one| one.0 != symbol) {
                named.push((symbol, load.span));
            }
        }
    }
    named
}

/// The expressions of a load that may name a multiplier.
fn parts(load: &Load) -> Vec<Expr> {
    match &load.kind {
        LoadKind::Force { force, along, .. } => {
            force.0.iter().copied().chain(along.iter().flat_map(|part| part.1.0)).collect()
        }
        LoadKind::Torque { along, .. } => along.iter().flat_map(|part| part.1.0).collect(),
        LoadKind::Generalized { force, .. } => vec![*force],
        _ => Vec::new(),
    }
}

fn replace(load: &mut Load, put: &Substitution) -> Result<(), MathError> {
    let vector = |v: &mut Vector| {
        let made = put.apply(&v.0)?;
        *v = Vector([made[0], made[1], made[2]]);
        Ok::<(), MathError>(())
    };
    match &mut load.kind {
        LoadKind::Force { force, along, .. } => {
            vector(force)?;
            along.iter_mut().try_for_each(|part| vector(&mut part.1))
        }
        LoadKind::Torque { along, .. } => along.iter_mut().try_for_each(|part| vector(&mut part.1)),
        LoadKind::Generalized { force, .. } => {
            *force = put.apply_one(*force)?;
            Ok(())
        }
        _ => Ok(()),
    }
}

/// A motion ends where its law determines it no longer.
fn stops(law: &Law) -> Vec<Event> {
    let comparison = if law.has_sides() { Comparison::AtMost } else { Comparison::Equal };
    let moving = law.determinants.iter().filter(|d| d.symbols().iter().any(|symbol| is_moving(*symbol)));
    let event = |&d: &Expr| {
        let tree = syntax::parse_relation("determinant = 0").ok()?;
        let when = Relation {
            left: Term::Scalar(d),
            comparison,
            right: Term::Scalar(Expr::zero()),
            tree: std::sync::Arc::new(tree),
        };
        Some(Event { name: Some(law.end()), stops: true, when, span: law.span })
    };
    moving.filter_map(event).collect()
}

fn is_moving(symbol: Expr) -> bool {
    symbol.as_symbol().is_some_and(|symbol| symbol.kind != Kind::Parameter)
}

enum Trouble {
    Math(MathError),
    Told(Box<Diagnostic>),
}

impl From<MathError> for Trouble {
    fn from(error: MathError) -> Trouble {
        Trouble::Math(error)
    }
}

fn told(span: Span, message: String, hint: &str) -> Trouble {
    Trouble::Told(Box::new(Diagnostic::error(span, message).hint(hint)))
}

/// What a multiplier is, what it would be without the law, and its determinants.
type Answer = (Expr, Expr, Vec<Expr>);

/// (4): the equations of the multipliers that loads name.
struct Laws {
    names: Vec<String>,
    /// G⁺ and G⁻.
    G: [Vec<Vec<Expr>>; 2],
    g: Vec<Expr>,
}

impl Laws {
    fn of(system: &System, mode: &Mode, at: &At, named: &[(Expr, Span)]) -> Result<Laws, Trouble> {
        let span = named[0].1;
        let refuse = |message: String| told(span, message, "see docs/friction.md, Laws of one's own");
        let rows = Rows::of(system, mode, at).map_err(|_| refuse("the constraints cannot be used".to_owned()))?;
        let mut own = Vec::new();
        for &(lambda, span) in named {
            let place = rows.list.iter().position(|row| row.lambda == lambda).ok_or_else(|| {
                let message = format!("`{lambda}` is not determined: its constraint follows from others");
                told(span, message, "leave out one of the constraints that depend on each other")
            })?;
            own.push(place);
        }
        let given = Ingredients::of(system, mode, &rows, ChartKind::Rates, at);
        let failed = |error: crate::form::FormError| refuse(error.to_string());
        let E = given.thawed(given.E().map_err(failed)?)?;
        let Q = given.thawed(given.Q().map_err(failed)?)?;
        if Q.iter().any(|force| force.symbols().iter().any(|symbol| given.q_ddot.contains(symbol))) {
            return Err(refuse(
                "a load that follows a reaction is not treated beside loads with accelerations".to_owned(),
            ));
        }
        let (M, h) = expr::linear_coefficients(&E, &given.q_ddot)
            .map_err(|_| refuse("the equations are not linear in the accelerations".to_owned()))?;
        let sides = Sides::of(&Q, named)?;
        let singular = |what: &str| refuse(format!("a load that follows a reaction needs {what}"));
        let masses = Symmetric::of(M).ok_or_else(|| singular("a mass on every coordinate"))?;
        // M⁻¹Aᵀ, a column for each row
        let Y = rows.list.iter().map(|row| masses.solve(&row.A)).collect::<Result<Vec<_>, _>>()?;
        let W = rows.list.iter().map(|row| Y.iter().map(|y| product(&row.A, y)).collect()).collect();
        let W = Symmetric::of(W).ok_or_else(|| singular("independent constraints"))?;
        let push: Vec<Expr> = sides.rest.iter().zip(&h).map(|(&q, &h)| q - h).collect();
        let drift = |(row, y): (&Row, &Vec<Expr>)| -row.drift - product(y, &push);
        let g = W.solve(&rows.list.iter().zip(&Y).map(drift).collect::<Vec<_>>())?;
        let column = |B: &Vec<Expr>| W.solve(&Y.iter().map(|y| product(y, B)).collect::<Vec<_>>());
        let mut G = [Vec::new(), Vec::new()];
        for (side, G) in sides.slopes.iter().zip(&mut G) {
            let columns = side.iter().map(column).collect::<Result<Vec<_>, _>>()?;
            *G = own.iter().map(|&row| columns.iter().map(|column| tidy(column[row])).collect()).collect();
        }
        let names = own.iter().map(|&row| rows.list[row].name.clone()).collect();
        Ok(Laws { names, G, g: own.iter().map(|&row| tidy(g[row])).collect() })
    }

    /// The multipliers one after the other, where each needs only those before; together where no law has two sides.
    fn solved(&self, named: &[(Expr, Span)]) -> Result<Vec<Law>, Trouble> {
        let count = named.len();
        let mut values: Vec<Option<Answer>> = vec![None; count];
        let has_sides = |k: usize| (0..count).any(|i| !(self.G[0][i][k] - self.G[1][i][k]).is_zero());
        for _ in 0..count {
            let is_open = |j: usize, values: &[Option<_>]| values[j].is_none();
            let is_next = |i: usize, values: &[Option<_>]| {
                let needs = |j: usize| j != i && is_open(j, values) && !self.G.iter().all(|G| G[i][j].is_zero());
                is_open(i, values) && !(0..count).any(needs)
            };
            let Some(i) = (0..count).find(|&i| is_next(i, &values)) else { break };
            let mut g = self.g[i];
            for j in (0..count).filter(|&j| j != i) {
                let Some((value, ..)) = &values[j] else { continue };
                g -= self.by_sign(i, j, *value)? * *value;
            }
            let sides = [0, 1].map(|side| tidy(Expr::one() + self.G[side][i][i]));
            values[i] = Some(match (sides[0] - sides[1]).is_zero() {
                true => (tidy(g.try_div(sides[0])?), g, vec![sides[0]]),
                false => {
                    let [plus, minus] = [g.try_div(sides[0])?, g.try_div(sides[1])?].map(tidy);
                    (Expr::apply(Op::IfNegative, &[g, minus, plus])?, g, sides.to_vec())
                }
            });
        }
        let open: Vec<usize> = (0..count).filter(|&i| values[i].is_none()).collect();
        if let Some(&k) = open.iter().find(|&&k| has_sides(k)) {
            let names: Vec<String> = open.iter().map(|&k| format!("`{}`", self.names[k])).collect();
            let message = format!("the laws of {} depend on each other and on a sign", names.join(", "));
            let hint = "write them without `abs` and `norm` of a reaction, for the sign that it has";
            return Err(told(named[k].1, message, hint));
        }
        if !open.is_empty() {
            self.together(&open, &mut values, named[open[0]].1)?;
        }
        let mut laws = Vec::with_capacity(count);
        for ((&(lambda, span), row), value) in named.iter().zip(&self.names).zip(values) {
            let Some((value, without, determinants)) = value else { continue };
            laws.push(Law { row: row.clone(), lambda, value, without, determinants, span });
        }
        Ok(laws)
    }

    /// G_ij where the multiplier j has this value.
    fn by_sign(&self, i: usize, j: usize, value: Expr) -> Result<Expr, MathError> {
        let [plus, minus] = [self.G[0][i][j], self.G[1][i][j]];
        match (plus - minus).is_zero() {
            true => Ok(plus),
            false => Expr::apply(Op::IfNegative, &[value, minus, plus]),
        }
    }

    /// Those that need each other, by elimination; none of their laws has two sides.
    fn together(&self, open: &[usize], values: &mut [Option<Answer>], span: Span) -> Result<(), Trouble> {
        const MOST: usize = 3;
        if open.len() > MOST {
            let message = format!("{} laws depend on each other: at most {MOST} are treated", open.len());
            return Err(told(span, message, "see docs/friction.md, Laws of one's own"));
        }
        let entry = |i: usize, j: usize| if i == j { Expr::one() + self.G[0][i][j] } else { self.G[0][i][j] };
        let matrix: Vec<Vec<Expr>> = open.iter().map(|&i| open.iter().map(|&j| entry(i, j)).collect()).collect();
        let mut right = Vec::new();
        for &i in open {
            let mut g = self.g[i];
            for j in (0..values.len()).filter(|j| !open.contains(j)) {
                let Some((value, ..)) = &values[j] else { continue };
                g -= self.by_sign(i, j, *value)? * *value;
            }
            right.push(g);
        }
        let determinant = tidy(determinant(&matrix));
        if determinant.is_zero() {
            return Err(told(
                span,
                "the laws of reactions determine no motion at any state".to_owned(),
                "change a law",
            ));
        }
        for (k, &i) in open.iter().enumerate() {
            let mut replaced = matrix.clone();
            replaced.iter_mut().zip(&right).for_each(|(row, &g)| row[k] = g);
            let value = tidy(self::determinant(&replaced).try_div(determinant)?);
            values[i] = Some((value, right[k], vec![determinant]));
        }
        Ok(())
    }
}

/// (2): the forces without the multipliers, and their slopes on both sides.
struct Sides {
    rest: Vec<Expr>,
    slopes: [Vec<Vec<Expr>>; 2],
}

impl Sides {
    fn of(Q: &[Expr], named: &[(Expr, Span)]) -> Result<Sides, Trouble> {
        let at = |place: Option<usize>, value: Expr| {
            let of = |k: usize| if place == Some(k) { value } else { Expr::zero() };
            Substitution::from_iter(named.iter().enumerate().map(|(k, one)| (one.0, of(k)))).apply(Q)
        };
        let minus = |a: &[Expr], b: &[Expr]| a.iter().zip(b).map(|(&a, &b)| a - b).collect::<Vec<Expr>>();
        let nonlinear = |k: usize| {
            let (lambda, span) = named[k];
            let message = format!("this load is no multiple of `{lambda}`, not even for one sign of it");
            let hint =
                "a load may be linear in multipliers and their `abs`, or in `norm(reaction(c))` of one multiplier";
            told(span, message, hint)
        };
        let rest = at(None, Expr::zero()).map_err(|_| nonlinear(0))?;
        let mut slopes = [Vec::new(), Vec::new()];
        let mut added = rest.clone();
        // a positive number of any size
        let size = expr::symbol(expr::Symbol::new("size of a reaction", Kind::Parameter)).exp();
        for (k, &(lambda, _)) in named.iter().enumerate() {
            let mut is_linear = true;
            for (sign, slopes) in [1, -1].into_iter().zip(&mut slopes) {
                let sign = expr::integer(sign);
                let unit = minus(&at(Some(k), sign).map_err(|_| nonlinear(k))?, &rest);
                let any = minus(&at(Some(k), sign * size).map_err(|_| nonlinear(k))?, &rest);
                is_linear &= any.iter().zip(&unit).all(|(&any, &unit)| (any - unit * size).is_zero());
                slopes.push(unit.into_iter().map(|slope| slope * sign).collect::<Vec<Expr>>());
            }
            let alone = minus(&at(Some(k), lambda).map_err(|_| nonlinear(k))?, &rest);
            if !is_linear && !alone.iter().all(|&e| is_homogeneous(e, lambda)) {
                return Err(nonlinear(k));
            }
            added = added.iter().zip(&alone).map(|(&a, &b)| a + b).collect();
        }
        match Q.iter().zip(&added).all(|(&q, &sum)| (q - sum).is_zero()) {
            true => Ok(Sides { rest, slopes }),
            false => Err(nonlinear(0)),
        }
    }
}

/// Whether an expression without switches is a multiple of x where x > 0, and where x < 0: x ∂e/∂x = e (Euler).
fn is_homogeneous(e: Expr, x: Expr) -> bool {
    let slope = expr::gradient(e, &[x]).map(|slope| slope[0]);
    !switches(e, x) && slope.is_ok_and(|slope| (slope * x - e).is_zero())
}

/// Whether something switches in an expression that depends on x; or it is too large to say.
fn switches(e: Expr, x: Expr) -> bool {
    const MOST: usize = 10_000;
    let (mut open, mut seen) = (vec![e], Vec::new());
    while let Some(e) = open.pop() {
        if seen.contains(&e) || !e.symbols().contains(&x) {
            continue;
        }
        let smooth = matches!(e.op(), Op::Scale | Op::Sum | Op::Product | Op::Power | Op::Symbol);
        if !smooth || seen.len() > MOST {
            return true;
        }
        seen.push(e);
        open.extend(e.arguments());
    }
    false
}

/// A symmetric positive matrix as L D Lᵀ.
struct Symmetric {
    L: Vec<Vec<Expr>>,
    D: Vec<Expr>,
}

impl Symmetric {
    fn of(mut matrix: Vec<Vec<Expr>>) -> Option<Symmetric> {
        let n = matrix.len();
        let mut L = vec![vec![Expr::zero(); n]; n];
        let mut D = Vec::with_capacity(n);
        for k in 0..n {
            let pivot = matrix[k][k];
            if pivot.is_zero() {
                return None;
            }
            for i in k + 1..n {
                if matrix[i][k] == Expr::zero() {
                    continue;
                }
                L[i][k] = matrix[i][k].try_div(pivot).ok()?;
                let column: Vec<Expr> = matrix[k + 1..=i].iter().map(|row| row[k]).collect();
                for (entry, below) in matrix[i][k + 1..=i].iter_mut().zip(column) {
                    *entry -= L[i][k] * below;
                }
            }
            D.push(pivot);
        }
        Some(Symmetric { L, D })
    }

    fn solve(&self, right: &[Expr]) -> Result<Vec<Expr>, MathError> {
        let n = self.D.len();
        let mut x = right.to_vec();
        for i in 0..n {
            for j in 0..i {
                let less = self.L[i][j] * x[j];
                x[i] -= less;
            }
        }
        for (x, &pivot) in x.iter_mut().zip(&self.D) {
            *x = x.try_div(pivot)?;
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                let less = self.L[j][i] * x[j];
                x[i] -= less;
            }
        }
        Ok(x)
    }
}

fn product(a: &[Expr], b: &[Expr]) -> Expr {
    let terms = a.iter().zip(b).filter(|(a, b)| **a != Expr::zero() && **b != Expr::zero());
    Expr::sum(&terms.map(|(&a, &b)| a * b).collect::<Vec<_>>())
}

/// By the first row; for few rows.
fn determinant(matrix: &[Vec<Expr>]) -> Expr {
    let [first, rest @ ..] = matrix else { return Expr::one() };
    let minor = |k: usize| -> Vec<Vec<Expr>> {
        let without = |row: &Vec<Expr>| row.iter().enumerate().filter(|one| one.0 != k).map(|one| *one.1).collect();
        rest.iter().map(without).collect()
    };
    let term = |(k, &entry): (usize, &Expr)| {
        let sign = expr::integer(if k % 2 == 0 { 1 } else { -1 });
        if entry == Expr::zero() { entry } else { sign * entry * determinant(&minor(k)) }
    };
    Expr::sum(&first.iter().enumerate().map(term).collect::<Vec<_>>())
}

/// Shorter, if that is quickly found.
fn tidy(e: Expr) -> Expr {
    const LONG: usize = 400;
    let mut steps = 20_000;
    if e.is_zero() {
        Expr::zero()
    } else if e.operations() > LONG {
        e
    } else {
        expr::simplify_within(e, &[], &mut steps)
    }
}
