//! In which independent velocities is a motion described, and what are the rates then?
//!
//! ```text
//! q' = β(q, u, t)                 the restricted inverse: every u satisfies the rows         (1)
//! q' = β(q, u, c, t)              the full inverse: c are the values of the rows             (2)
//! q'' = ∂β/∂q β + ∂β/∂u u' + ∂β/∂t                                                           (3)
//! u' = E w + e                    where rows of second order leave w free, among them the pseudo-accelerations
//!                                 of the model                                               (4)
//! ```
//!
//! In the chart of rates u are the independent rates. In the chart of speeds they are the speeds
//! of the model, filled up with rates; speeds that vanish on the constraints are among the c. What
//! is linear is solved with pivots that do not vanish at the state that is passed in; a rate that occurs
//! squared is solved on the branch of that state; everything else needs `inverse` lines, which
//! are checked. Lines that satisfy a row whatever the speeds are a restricted inverse (1); the full one is completed
//! to first order in c, which is all that is used of it:
//!
//! ```text
//! q' = β(q, u, t) + Σ D_k c_k          ∂(u, c)/∂q' D_k = e_k  on the rows                    (5)
//! ```

mod free;

use expr::{At, Expr, Flow, Kind, MathError, Substitution, Symbol};
use proof::Assumptions;
use proof::linear::{Columns, Matrix, SolveError, solve, solve_for};

use crate::read::{Reading, Speeds};
use crate::rows::{Row, Rows};
use crate::system::{Relation, System};
use free::Free;

/// Two numbers are the same if they differ by less than this, relative to their size.
const SAME: f64 = 1e-9;
/// A rate by the chart and as it is are of different branches if they differ by more than this, relative to their size.
const BRANCH: f64 = 1e-6;

/// Which velocities are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChartKind {
    /// Rates of coordinates.
    Rates,
    /// The speeds that the model declares.
    Speeds,
}

/// Independent velocities, and everything else in terms of them.
#[derive(Debug)]
pub struct Chart {
    /// Which velocities were asked for.
    pub kind: ChartKind,
    /// The independent velocities u.
    pub u: Vec<Expr>,
    /// Their derivatives u', as symbols.
    pub u_dot: Vec<Expr>,
    /// The accelerations w that are free; u' itself where no row is of second order.
    pub w: Vec<Expr>,
    /// The pseudo-accelerations of the model among them, with their definitions in q, q', q'', t.
    pub pseudo: Vec<(Expr, Expr)>,
    /// The rates β (1), one for each coordinate.
    pub rates: Vec<Expr>,
    /// The accelerations (3) and (4) in q, u, w, t.
    pub accelerations: Vec<Expr>,
    /// The total time derivative of a function of q, u, t.
    pub flow: Flow,
    /// The quasi-velocities of the rows, c.
    pub c: Vec<Expr>,
    /// The definitions of u and then c in q, q', t.
    pub forward: Vec<Expr>,
    /// The full inverse (2), or (5).
    pub full_rates: Vec<Expr>,
    /// Whether the full inverse is known; if it is not, `full_rates` is the restricted one.
    pub is_full: bool,
    /// Are u and c linear in the rates?
    pub linear: bool,
    /// Accelerations that constraints which are not linear in them give: roots, chosen by the guesses of the model.
    pub roots: Vec<(Expr, Expr)>,
    /// Where one of these vanishes the chart is singular.
    pub pivots: Vec<Expr>,
    /// The coordinates whose rates were eliminated.
    pub dependent: Vec<usize>,
    /// Roots that were chosen by the state: the coordinate and its rate.
    pub branches: Vec<(usize, Expr)>,
}

/// Why there is no such chart.
#[derive(Clone, Debug, PartialEq)]
pub enum ChartError {
    /// A derivative or a quotient does not exist.
    Math(MathError),
    /// The equations between speeds and rates cannot be solved.
    Singular {
        /// In words.
        why: String,
    },
    /// A speed is not linear in the rates and has no inverse.
    NoInverse {
        /// The speed.
        speed: String,
    },
    /// A constraint is not linear in the rates, and no rate in it can be isolated.
    NoBranch {
        /// The constraint.
        row: String,
    },
    /// An inverse does not fit the definition of a speed, or a constraint.
    WrongInverse {
        /// The speed or the constraint.
        name: String,
    },
    /// The state is on another branch.
    OtherBranch {
        /// The rate.
        rate: String,
        /// What the chart makes of it at the state, by the speeds there.
        gives: f64,
        /// What it is.
        is: f64,
    },
    /// A constraint has two roots for an acceleration, and nothing says which is meant.
    NoGuess {
        /// The constraint.
        row: String,
        /// The acceleration.
        acceleration: String,
    },
    /// A declared speed is dependent on the others.
    Dependent {
        /// In words.
        why: String,
    },
}

impl From<MathError> for ChartError {
    fn from(error: MathError) -> ChartError {
        ChartError::Math(error)
    }
}

impl std::fmt::Display for ChartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ChartError::Math(error) => write!(f, "{error}"),
            ChartError::Singular { why } => write!(f, "the chart cannot be inverted: {why}"),
            ChartError::NoInverse { speed } => {
                write!(f, "the speed `{speed}` is not linear in the rates; give the rates with `inverse` lines")
            }
            ChartError::NoBranch { row } => write!(
                f,
                "the constraint `{row}` is not linear in the rates and cannot be solved for one of them; declare \
                 speeds with their `inverse` lines, or use a form without a chart"
            ),
            ChartError::WrongInverse { name } => write!(f, "the `inverse` lines do not satisfy `{name}`"),
            ChartError::OtherBranch { rate, gives, is } => {
                let (gives, is) = (expr::decimal(*gives), expr::decimal(*is));
                write!(f, "this state is on another branch: by the speeds {rate} would be {gives}, and it is {is}")
            }
            ChartError::NoGuess { row, acceleration } => write!(
                f,
                "the constraint `{row}` has two roots for {acceleration}; say which is meant with `guess {acceleration} = …`"
            ),
            ChartError::Dependent { why } => write!(f, "the speeds are not independent: {why}"),
        }
    }
}

/// An equation between a rate-level function and the symbol of its value.
struct Link {
    name: String,
    definition: Expr,
    value: Expr,
    is_row: bool,
}

impl Chart {
    /// The chart of that kind for the rows that act, regular at the state.
    pub fn of(system: &System, rows: &Rows, kind: ChartKind, at: &At) -> Result<Chart, ChartError> {
        let mut links = Vec::new();
        let velocity_rows: Vec<&Row> = rows.of_velocity().collect();
        let speeds = if kind == ChartKind::Speeds { &system.speeds[..] } else { &[] };
        let constrained: Vec<Option<usize>> =
            speeds.iter().map(|speed| constrained_by(speed.definition, &velocity_rows, system)).collect();
        for (speed, by) in speeds.iter().zip(&constrained) {
            if by.is_none() {
                let (name, definition, value) = (speed.name.clone(), speed.definition, speed.symbol);
                links.push(Link { name, definition, value, is_row: false });
            }
        }
        for (place, row) in velocity_rows.iter().enumerate() {
            let speed = constrained.iter().position(|by| *by == Some(place));
            let definition = speed.map_or(row.velocity.unwrap_or(row.f), |speed| speeds[speed].definition);
            let value = speed.map_or_else(|| row_value(&row.name), |speed| speeds[speed].symbol);
            links.push(Link { name: row.name.clone(), definition, value, is_row: true });
        }
        let mut solver = Solver::new(system, kind, &links, at);
        solver.take_inverses(system, kind);
        solver.solve(&links)?;
        let chart = solver.chart(rows, links)?;
        match chart.missed(system, at) {
            Some(other) => Err(other),
            None => Ok(chart),
        }
    }

    /// A rate that the chart gives otherwise than the state has it: the state is on another branch of its roots.
    fn missed(&self, system: &System, at: &At) -> Option<ChartError> {
        let rates = system.q_dot();
        if !self.is_full || !at.names(&rates) || !at.names(&system.q()) {
            return None;
        }
        let velocities = self.u.iter().chain(&self.c).copied().zip(at.values(&self.forward));
        let there = at.with(&velocities.collect::<Vec<_>>());
        let apart = |(&rate, &full): (&Expr, &Expr)| {
            let (gives, is) = (there.value(full), at.value(rate));
            let size = there.size(full).max(is.abs()).max(f64::MIN_POSITIVE);
            let is_apart = gives.is_finite() && is.is_finite() && (gives - is).abs() > BRANCH * size;
            is_apart.then(|| ChartError::OtherBranch { rate: rate.to_string(), gives, is })
        };
        rates.iter().zip(&self.full_rates).find_map(apart)
    }

    /// The same expressions on the constraints: rates and accelerations by (1) and (3).
    pub fn on_shell(&self, outputs: &[Expr], system: &System) -> Result<Vec<Expr>, MathError> {
        self.shell(system).apply(outputs)
    }

    /// What rates and accelerations are on the constraints.
    pub fn shell(&self, system: &System) -> Substitution {
        let pairs = system.coordinates.iter().zip(self.rates.iter().zip(&self.accelerations));
        let pairs = pairs.flat_map(|(coordinate, (&rate, &acceleration))| {
            [(coordinate.q_dot, rate), (coordinate.q_ddot, acceleration)]
        });
        pairs.filter(|(symbol, value)| symbol != value).collect()
    }
}

/// The symbol for the value of a row.
fn row_value(name: &str) -> Expr {
    expr::symbol(Symbol::new(&format!("{name}@row"), Kind::QuasiVelocity))
}

/// The velocity row that makes this speed vanish, if it is a multiple of one.
fn constrained_by(definition: Expr, rows: &[&Row], system: &System) -> Option<usize> {
    let q_dot = system.q_dot();
    let slopes = expr::gradient(definition, &q_dot).ok()?;
    rows.iter().position(|row| {
        let f = row.velocity.unwrap_or(row.f);
        let Some(k) = (0..q_dot.len()).find(|&k| !slopes[k].is_zero()) else { return false };
        let Ok(slope) = expr::derivative(f, q_dot[k]) else { return false };
        // definition = factor · f, with factor = (∂definition/∂q'_k) / (∂f/∂q'_k)
        !slope.is_zero() && (definition * slope - slopes[k] * f).is_zero()
    })
}

/// The search for the rates.
struct Solver<'a> {
    system: &'a System,
    at: &'a At,
    kind: ChartKind,
    q_dot: Vec<Expr>,
    /// What is known of each rate: an expression in speeds, values of rows and other rates.
    known: Vec<Option<Expr>>,
    /// Are the known rates from `inverse` lines?
    given: Vec<bool>,
    pivots: Vec<Expr>,
    branches: Vec<(usize, Expr)>,
    /// Rows that were replaced by q'_d − φ, where φ is the root.
    roots: Vec<(String, usize, Expr)>,
    /// The values of the rows, which are zero on every motion.
    on_rows: Substitution,
    linear: bool,
    /// The values of rows that `inverse` lines satisfy whatever the speeds.
    restricted: Vec<Expr>,
    /// What the model assumes, in terms of the speeds.
    assumed: Assumptions,
}

impl<'a> Solver<'a> {
    fn new(system: &'a System, kind: ChartKind, links: &[Link], at: &'a At) -> Solver<'a> {
        let n = system.coordinates.len();
        let (known, given) = (vec![None; n], vec![false; n]);
        let (pivots, branches, roots) = (Vec::new(), Vec::new(), Vec::new());
        let reading = Reading { speeds: Speeds::Symbols, motion: None };
        let relations = system.assumptions.iter().filter_map(|one| system.relation(&one.tree, reading).ok());
        let q_dot = system.q_dot();
        let is_free = |e: Expr| !e.symbols().iter().any(|symbol| q_dot.contains(symbol));
        let assumed = relations
            .filter_map(|relation| Relation::scalars(&relation))
            .filter(|&(left, _, right)| is_free(left) && is_free(right))
            .fold(Assumptions::none(), |assumed, (left, sign, right)| assumed.and(left, sign, right));
        let (linear, restricted) = (true, Vec::new());
        let on_rows = links.iter().filter(|link| link.is_row).map(|link| (link.value, Expr::zero())).collect();
        Solver { system, at, kind, q_dot, known, given, pivots, branches, roots, on_rows, linear, restricted, assumed }
    }

    fn take_inverses(&mut self, system: &System, kind: ChartKind) {
        if kind == ChartKind::Speeds {
            for inverse in &system.inverses {
                self.known[inverse.coordinate] = Some(inverse.value);
                self.given[inverse.coordinate] = true;
            }
        }
    }

    /// The rates that are known, as a substitution.
    fn map(&self) -> Substitution {
        let known = self.q_dot.iter().zip(&self.known);
        known.filter_map(|(&rate, known)| Some((rate, (*known)?))).collect()
    }

    fn unknown(&self) -> Vec<usize> {
        (0..self.known.len()).filter(|&k| self.known[k].is_none()).collect()
    }

    fn solve(&mut self, links: &[Link]) -> Result<(), ChartError> {
        let map = self.map();
        let definitions: Vec<Expr> = links.iter().map(|link| link.definition).collect();
        let equations = if map.is_empty() { definitions } else { map.apply(&definitions)? };
        let mut unknown = self.unknown();
        let (mut linear, mut curved) = (Vec::new(), Vec::new());
        for (link, equation) in links.iter().zip(equations) {
            let left: Vec<Expr> = unknown.iter().map(|&k| self.q_dot[k]).collect();
            let symbols = equation.symbols();
            if !left.iter().any(|rate| symbols.contains(rate)) {
                self.verify(link, equation)?;
                self.linear &= is_linear(link.definition, &self.q_dot);
                continue;
            }
            match expr::linear_coefficients(&[equation], &left) {
                Ok((mut matrix, constants)) => linear.push((link, matrix.remove(0), constants[0])),
                Err(_) if link.is_row => curved.push(link),
                Err(_) => return Err(ChartError::NoInverse { speed: link.name.clone() }),
            }
        }
        self.linear &= curved.is_empty();
        self.solve_linear(&linear, &unknown)?;
        for link in curved {
            unknown = self.unknown();
            self.solve_curved(link, &unknown)?;
        }
        Ok(())
    }

    /// An equation in which all rates are known must hold: give its value, or zero if it is a row.
    fn verify(&mut self, link: &Link, equation: Expr) -> Result<(), ChartError> {
        let size = 1.0 + self.at.value(link.definition).abs();
        if self.vanishes(equation - link.value, size)? {
            return Ok(());
        }
        if link.is_row && self.vanishes(equation, size)? {
            self.restricted.push(link.value);
            return Ok(());
        }
        Err(ChartError::WrongInverse { name: link.name.clone() })
    }

    /// Is it zero for all speeds? Where that is not decided, a function such as atan2 may be on another branch: then it
    /// must be zero at the state, and constant.
    fn vanishes(&self, e: Expr, size: f64) -> Result<bool, MathError> {
        let is_zero = |e: Expr| e.is_zero() || proof::decide(e, &self.assumed).is_zero();
        if is_zero(e) {
            return Ok(true);
        }
        let definitions: Substitution =
            self.system.speeds.iter().map(|speed| (speed.symbol, speed.definition)).collect();
        let there = self.at.value(definitions.apply_one(e)?);
        if there.is_finite() && there.abs() > SAME * size {
            return Ok(false);
        }
        let moving = |symbol: &Expr| symbol.as_symbol().is_some_and(|symbol| symbol.kind != Kind::Parameter);
        let symbols: Vec<Expr> = e.symbols().into_iter().filter(moving).collect();
        Ok(!symbols.is_empty() && expr::gradient(e, &symbols)?.into_iter().all(is_zero))
    }

    fn solve_linear(&mut self, linear: &[(&Link, Vec<Expr>, Expr)], unknown: &[usize]) -> Result<(), ChartError> {
        if linear.is_empty() {
            return Ok(());
        }
        let rows: Vec<Vec<Expr>> = linear.iter().map(|(_, row, _)| row.clone()).collect();
        let right: Vec<Expr> = linear.iter().map(|(link, _, constant)| link.value - *constant).collect();
        let named = self.system.dependent.iter();
        let named: Vec<usize> =
            named.filter_map(|dependent| unknown.iter().position(|&k| k == dependent.coordinate)).collect();
        let exact = self.kind == ChartKind::Rates && named.len() >= linear.len() && !named.is_empty();
        let columns = match (exact, named.is_empty()) {
            (true, _) => Columns::Only(&named),
            (_, false) => Columns::Prefer(&named),
            _ => Columns::Any,
        };
        let solved = solve_for(&Matrix::from_rows(&rows), &right, columns, self.at);
        let solved = solved.map_err(|error| self.told(error, linear, unknown))?;
        for ((&d, coefficients), &constant) in solved.dependent.iter().zip(&solved.coefficients).zip(&solved.constants)
        {
            let terms = coefficients.iter().zip(&solved.independent);
            let terms = terms.filter(|(b, _)| **b != Expr::zero()).map(|(&b, &k)| b * self.q_dot[unknown[k]]);
            self.known[unknown[d]] = Some(terms.chain([constant]).sum());
        }
        self.pivots.push(solved.determinant);
        Ok(())
    }

    /// What went wrong, with names instead of numbers.
    fn told(&self, error: SolveError, linear: &[(&Link, Vec<Expr>, Expr)], unknown: &[usize]) -> ChartError {
        let rows = |rows: &[usize]| {
            let names: Vec<String> = rows.iter().map(|&row| format!("`{}`", linear[row].0.name)).collect();
            names.join(", ")
        };
        let rates = |columns: &[usize]| {
            let names = columns.iter().map(|&column| format!("`{}`", self.q_dot[unknown[column]]));
            names.collect::<Vec<_>>().join(", ")
        };
        match error {
            SolveError::SingularChart { rows: which, columns, candidates } => ChartError::Singular {
                why: format!(
                    "{} cannot be solved for {} at this state, where {} vanishes",
                    rows(&which),
                    rates(&columns),
                    candidates.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", "),
                ),
            },
            SolveError::Inconsistent { row, .. } => {
                ChartError::Dependent { why: format!("{} is a combination of the others", rows(&[row])) }
            }
            SolveError::Undetermined { columns } => ChartError::Singular {
                why: format!("nothing determines {}; name other rates with `dependent`", rates(&columns)),
            },
            SolveError::TooFewColumns { rows: which } => ChartError::Singular {
                why: format!("{} cannot be solved for the rates named with `dependent`", rows(&which)),
            },
        }
    }

    /// A row that is not linear: the rate that occurs in it linearly or squared once others are known.
    fn solve_curved(&mut self, link: &Link, unknown: &[usize]) -> Result<(), ChartError> {
        let equation = self.map().apply_one(link.definition)?;
        let named: Vec<usize> = self.system.dependent.iter().map(|dependent| dependent.coordinate).collect();
        let mut order: Vec<usize> = unknown.to_vec();
        order.sort_by_key(|k| (!named.contains(k), std::cmp::Reverse(*k)));
        for k in order {
            let Some(root) = self.root(equation, k)? else { continue };
            // c = q'_k − φ takes the place of the row: it vanishes with it.
            self.known[k] = Some(root + link.value);
            self.roots.push((link.name.clone(), k, root));
            let fixed = Substitution::from([(self.q_dot[k], root + link.value)]);
            for j in 0..self.known.len() {
                if let (true, Some(value)) = (j != k, self.known[j]) {
                    self.known[j] = Some(fixed.apply_one(value)?);
                }
            }
            return Ok(());
        }
        Err(ChartError::NoBranch { row: link.name.clone() })
    }

    /// The rate that solves f = 0, on the branch of the state.
    fn root(&mut self, f: Expr, k: usize) -> Result<Option<Expr>, ChartError> {
        let rate = self.q_dot[k];
        let first = expr::derivative(f, rate)?;
        if first.is_zero() {
            return Ok(None);
        }
        let second = expr::derivative(first, rate)?;
        let at_zero = |e: Expr| Substitution::from([(rate, Expr::zero())]).apply_one(e);
        // The reference state lies on the rows: what is chosen there must not see other values of theirs.
        let there = |list: &[Expr]| self.on_rows.apply(list);
        if second.is_zero() {
            let slope = at_zero(first)?;
            let pivot = there(&[slope])?[0];
            if self.at.value(pivot).is_nan() || self.at.value(pivot).abs() <= SAME {
                return Ok(None);
            }
            self.pivots.push(pivot);
            return Ok(Some(-(at_zero(f)?.try_div(slope)?)));
        }
        if second.symbols().contains(&rate) {
            return Ok(None);
        }
        // a r² + b r + c = 0
        let (Ok(a), Ok(b), Ok(c)) = (at_zero(second), at_zero(first), at_zero(f)) else { return Ok(None) };
        let a = a / expr::integer(2);
        let half = expr::Rational::new(1, 2).unwrap_or(expr::Rational::ONE);
        let middle = -(b.try_div(2 * a)?);
        let spread = (middle.pow(2) - c.try_div(a)?).try_pow(&half)?;
        let here = self.at.value(rate);
        let [plus, minus] = [middle + spread, middle - spread];
        let Ok(on_rows) = there(&[plus, minus, spread]) else { return Ok(None) };
        let far = |root: Expr| (self.at.value(root) - here).abs();
        let pivot = on_rows[2];
        if !self.at.value(pivot).is_finite() || self.at.value(pivot).abs() <= SAME {
            return Ok(None);
        }
        let chosen = usize::from(far(on_rows[1]) < far(on_rows[0]));
        self.pivots.push(pivot);
        self.branches.push((k, on_rows[chosen]));
        Ok(Some([plus, minus][chosen]))
    }

    /// The quasi-velocities of the rows in q, q', t: c = q'_k − φ where a root took the place of a row. φ was found
    /// in terms of speeds and of values of other rows, for which their definitions stand here.
    fn definitions_of_rows(&self, links: &[Link]) -> Result<Vec<Expr>, MathError> {
        let root_of = |link: &Link| self.roots.iter().find(|(name, ..)| *name == link.name && link.is_row);
        let without_root = links.iter().filter(|link| root_of(link).is_none());
        let mut known: Substitution = without_root.map(|link| (link.value, link.definition)).collect();
        for (name, k, root) in &self.roots {
            let definition = self.q_dot[*k] - known.apply_one(*root)?;
            let value = links.iter().find(|link| link.is_row && link.name == *name).map(|link| link.value);
            known.extend(value.map(|value| (value, definition)));
        }
        let of_value = |link: &Link| known.value_of(link.value);
        Ok(links.iter().filter(|link| link.is_row).filter_map(of_value).collect())
    }

    /// The full inverse (5); `None` if its directions cannot be found.
    fn completed(
        &self,
        full: &[Expr],
        rates: &[Expr],
        forward: &[Expr],
        c: &[Expr],
        speeds: usize,
    ) -> Result<Option<Vec<Expr>>, MathError> {
        let on_rows: Substitution = self.q_dot.iter().copied().zip(rates.iter().copied()).collect();
        let mut slopes = Vec::with_capacity(forward.len());
        for &definition in forward {
            slopes.push(on_rows.apply(&expr::gradient(definition, &self.q_dot)?)?);
        }
        let matrix = Matrix::from_rows(&slopes);
        let mut full = full.to_vec();
        for (place, &value) in c.iter().enumerate().filter(|(_, value)| self.restricted.contains(value)) {
            let unit: Vec<Expr> =
                (0..forward.len()).map(|row| if row == speeds + place { Expr::one() } else { Expr::zero() }).collect();
            let Ok(direction) = solve(&matrix, &unit, self.at) else { return Ok(None) };
            full.iter_mut().zip(direction).for_each(|(rate, slope)| *rate += slope * value);
        }
        Ok(Some(full))
    }

    fn chart(self, rows: &Rows, links: Vec<Link>) -> Result<Chart, ChartError> {
        let system = self.system;
        let free: Vec<usize> = self.unknown();
        let speeds: Vec<&Link> = links.iter().filter(|link| !link.is_row).collect();
        let c: Vec<Expr> = links.iter().filter(|link| link.is_row).map(|link| link.value).collect();
        let u: Vec<Expr> = speeds.iter().map(|link| link.value).chain(free.iter().map(|&k| self.q_dot[k])).collect();
        let wanted = system.coordinates.len().saturating_sub(c.len());
        if u.len() != wanted {
            let why = format!("{} speeds and {} constraints for {} rates", u.len(), c.len(), system.coordinates.len());
            return Err(ChartError::Dependent { why });
        }
        let mut forward: Vec<Expr> = speeds.iter().map(|link| link.definition).collect();
        forward.extend(free.iter().map(|&k| self.q_dot[k]));
        forward.extend(self.definitions_of_rows(&links)?);
        let full: Vec<Expr> = self.known.iter().zip(&self.q_dot).map(|(known, &rate)| known.unwrap_or(rate)).collect();
        let zero: Substitution = c.iter().map(|&c| (c, Expr::zero())).collect();
        let rates = zero.apply(&full)?;
        let completed = match self.restricted.is_empty() {
            true => Some(full.clone()),
            false => self.completed(&full, &rates, &forward, &c, u.len())?,
        };
        let is_full = completed.is_some();
        let full = completed.unwrap_or(full);
        let u_dot = u.iter().map(|&u| expr::total_derivative(u)).collect::<Result<Vec<_>, _>>()?;
        let mut pivots = self.pivots;
        let pseudo = match self.kind {
            ChartKind::Rates => Vec::new(),
            ChartKind::Speeds => system.pseudo.iter().map(|one| (one.symbol, one.definition)).collect(),
        };
        let chosen = Free { system, rows, u: &u, u_dot: &u_dot, rates: &rates, pseudo: &pseudo };
        let (w, u_dot_free, roots) = chosen.accelerations(&mut pivots, self.at)?;
        let flow = flow(system, &rates, &u, &u_dot_free);
        let accelerations = rates.iter().map(|&rate| flow.rate(rate)).collect::<Result<Vec<_>, _>>()?;
        pivots.retain(|pivot| !pivot.is_constant());
        let dependent = (0..rates.len()).filter(|k| !free.contains(k)).collect();
        let (kind, linear, branches) = (self.kind, self.linear, self.branches);
        Ok(Chart {
            kind,
            u,
            u_dot,
            w,
            pseudo,
            rates,
            accelerations,
            flow,
            c,
            forward,
            full_rates: full,
            is_full,
            linear,
            roots,
            pivots,
            dependent,
            branches,
        })
    }
}

/// The total time derivative along β, with these derivatives of u.
fn flow(system: &System, rates: &[Expr], u: &[Expr], u_dot: &[Expr]) -> Flow {
    let q = system.q();
    let pairs = q.into_iter().zip(rates.iter().copied()).chain(u.iter().copied().zip(u_dot.iter().copied()));
    Flow::new(&pairs.chain([(system.time, Expr::one())]).collect::<Vec<_>>())
}

fn is_linear(definition: Expr, q_dot: &[Expr]) -> bool {
    expr::linear_coefficients(&[definition], q_dot).is_ok()
}
