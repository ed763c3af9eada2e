//! Of which functions is an integral a sum?
//!
//! ```text
//! f_j(q)                                 positions, so that x − c y' is found
//! u_i                                    velocities of the chart
//! ∂T/∂q'_i, Σ m v, Σ r × m v + I ω       momenta
//! f_j(q) u_i, f_j(q) ∂T*/∂u_i            f_j: products of the functions that occur, and of √(∂²T*/∂u_i²) and its inverse
//! Σ (r − P) × m v + I ω                  P: where contacts touch, mass centres, points of the model
//! u_i u_j, q_i u_j, q_i q_j              of small systems
//! a p_i                                  a: the drive that a constraint prescribes (A q' = a), for Jacobi's integral
//! q'·∂T/∂q' − T + V, T + V, T + V + U    energies; U: the potential of forces that were not declared by one
//! ```

use expr::{Expr, Op, Rational, Substitution};
use mechanics::balance;

use crate::audit::Auditor;

/// At most so many functions of the coordinates.
const FUNCTIONS: usize = 60;
/// Products of at most so many of those that occur.
const DEGREE: usize = 3;
/// At most so many candidates with functions of the coordinates.
const CANDIDATES: usize = 400;
/// A function of more operations than this is no simple one: nobody would write an integral with it.
const OPERATIONS: usize = 32;
/// A mass of more operations than this has no simple factors, and is not looked at.
const SIMPLE: usize = 400;
/// Angular momenta about at most so many places besides the origin.
const PLACES: usize = 6;
/// Quadratic sums are looked for with at most so many coordinates and velocities.
const QUADRATIC: usize = 8;
/// Roots of at most so many masses: at half of all points of a field a root has no value.
const ROOTS: usize = 3;

expr::in_words! {
    /// What an integral is.
    pub enum Kind {
        /// A function of places alone.
        Position = "position",
        /// The energy.
        Energy = "energy",
        /// The energy with something beside it.
        Jacobi = "jacobi",
        /// A momentum, along a direction or of a cyclic coordinate.
        Momentum = "momentum",
        /// An angular momentum.
        AngularMomentum = "angular momentum",
        /// A sum of momenta with functions of places.
        Linear = "linear",
        /// A sum that is quadratic in the rates, and no energy.
        Quadratic = "quadratic",
        /// Given by the user.
        Claimed = "claimed",
    }
}

impl Kind {
    /// What a sum is whose last part is this.
    pub fn of_a_sum(self) -> Kind {
        match self {
            Kind::Energy | Kind::Jacobi => Kind::Jacobi,
            Kind::Position => Kind::Position,
            Kind::Quadratic => Kind::Quadratic,
            _ => Kind::Linear,
        }
    }
}

/// A function of q, q' and t that may take part in an integral.
#[derive(Clone)]
pub struct Candidate {
    pub value: Expr,
    pub kind: Kind,
}

/// The candidates, those first that stand in more sums; and how many of them there are without functions of the position.
pub struct Candidates {
    /// Without functions of the position, then with them.
    pub list: Vec<Candidate>,
    /// So many are without.
    pub plain: usize,
    /// Of which functions products were made.
    pub atoms: Vec<Expr>,
}

/// The candidates of a model.
pub fn candidates(auditor: &Auditor<'_>) -> Candidates {
    let atoms = atoms(auditor);
    let functions = products(&atoms);
    let mut plain = listed(auditor, &[]);
    // behind the energies: what is one of these is none of its own
    plain.extend(quadratic(auditor));
    let with_functions = listed(auditor, &functions);
    let (plain, list) = (plain.len(), [plain, with_functions].concat());
    Candidates { list, plain, atoms }
}

/// The candidates with some functions of the position.
fn listed(auditor: &Auditor<'_>, functions: &[Expr]) -> Vec<Candidate> {
    let (given, chart, system) = (auditor.given, auditor.chart, &auditor.loaded.system);
    let mut list: Vec<Candidate> = Vec::new();
    let mut add = |kind: Kind, values: &[Expr]| {
        let values = given.thawed(values).unwrap_or_default();
        for value in values.into_iter().filter(|value| !value.is_zero()) {
            if !list.iter().any(|old: &Candidate| old.value == value) {
                list.push(Candidate { value, kind });
            }
        }
    };
    let velocities: Vec<Expr> = chart.forward[..chart.u.len()].to_vec();
    add(Kind::Position, &given.q);
    add(Kind::Position, functions);
    add(Kind::Linear, &velocities);
    let momenta = given.p().unwrap_or_default();
    add(Kind::Momentum, &momenta);
    if let Ok(momentum) = balance::momentum(system) {
        add(Kind::Momentum, &momentum.0);
    }
    if let Ok(momentum) = balance::angular_momentum(system, mechanics::Vector::zero()) {
        add(Kind::AngularMomentum, &momentum.0);
    }
    for place in places(auditor) {
        if let Ok(momentum) = balance::angular_momentum(system, place) {
            add(Kind::AngularMomentum, &momentum.0);
        }
    }
    let reduced = reduced_momenta(auditor).unwrap_or_default();
    add(Kind::Linear, &reduced);
    let carriers: Vec<Expr> = velocities.iter().chain(&reduced).copied().collect();
    let fitting = CANDIDATES / carriers.len().max(1);
    for &function in functions.iter().take(fitting) {
        add(Kind::Linear, &carriers.iter().map(|&carrier| function * carrier).collect::<Vec<_>>());
    }
    for drive in drives(auditor) {
        add(Kind::Linear, &momenta.iter().map(|&p| drive * p).collect::<Vec<_>>());
    }
    if let (Ok(T), Ok(V)) = (given.T(), balance::potential_energy(system)) {
        let twice: Expr = momenta.iter().zip(&given.q_dot).map(|(&p, &rate)| p * rate).sum();
        if let Some(U) = super::energy::undeclared(auditor) {
            add(Kind::Energy, &[T + V + U]);
        }
        let (energy, jacobi) = (T + V, twice - T + V);
        add(Kind::Energy, &[energy]);
        if !jacobi.is_same(energy) {
            add(Kind::Jacobi, &[jacobi]);
        }
    }
    list
}

/// Places that a vector of angular momentum may be constant about: where contacts touch first, as under Chaplygin's ball.
fn places(auditor: &Auditor<'_>) -> Vec<mechanics::Vector> {
    let system = &auditor.loaded.system;
    let touching = system.contacts.iter().filter_map(|contact| contact.touch.point);
    let centres = system.bodies.iter().map(|body| body.centre);
    let points = system.points.iter().map(|point| point.position);
    let mut found: Vec<mechanics::Vector> = Vec::new();
    for place in touching.chain(centres).chain(points) {
        if found.len() < PLACES && !place.is_zero() && !found.iter().any(|known| (*known - place).is_zero()) {
            found.push(place);
        }
    }
    found
}

/// Products of two velocities or coordinates, if there are few.
fn quadratic(auditor: &Auditor<'_>) -> Vec<Candidate> {
    let (given, chart) = (auditor.given, auditor.chart);
    let all: Vec<Expr> = given.q.iter().chain(&chart.forward[..chart.u.len()]).copied().collect();
    if !looks_for_quadratic(auditor) {
        return Vec::new();
    }
    let pairs = (0..all.len()).flat_map(|i| (0..=i).map(move |j| (i, j)));
    let values = pairs.map(|(i, j)| all[i] * all[j]);
    values.map(|value| Candidate { value, kind: Kind::Quadratic }).collect()
}

/// Whether quadratic sums are looked for.
pub fn looks_for_quadratic(auditor: &Auditor<'_>) -> bool {
    auditor.given.q.len() + auditor.chart.u.len() <= QUADRATIC
}

/// ∂T*/∂u_i, in rates.
fn reduced_momenta(auditor: &Auditor<'_>) -> Option<Vec<Expr>> {
    let (given, chart) = (auditor.given, auditor.chart);
    let slopes = expr::gradient(given.T_star().ok()?, &chart.u).ok()?;
    let in_rates: Substitution = chart.u.iter().copied().zip(chart.forward.iter().copied()).collect();
    in_rates.apply(&slopes).ok()
}

/// What constraints say at rest, if it is a constant of the problem.
fn drives(auditor: &Auditor<'_>) -> Vec<Expr> {
    let given = auditor.given;
    let rest: Substitution = given.q_dot.iter().map(|&rate| (rate, Expr::zero())).collect();
    let said = auditor.rows.list.iter().filter_map(|row| row.velocity);
    let said = said.filter_map(|velocity| Some(expr::simplify(rest.apply_one(velocity).ok()?, &[])));
    let is_constant = |e: &Expr| !e.is_zero() && !moves(*e, &state(auditor)) && e.as_number().is_none();
    said.filter(is_constant).collect()
}

/// Products of functions, simple ones first.
fn products(atoms: &[Expr]) -> Vec<Expr> {
    let mut all: Vec<Expr> = vec![Expr::one()];
    let mut last: Vec<(Expr, usize)> = vec![(Expr::one(), 0)];
    for _ in 0..DEGREE {
        let mut next = Vec::new();
        for &(product, from) in &last {
            for (place, &atom) in atoms.iter().enumerate().skip(from) {
                let value = product * atom;
                if all.len() < FUNCTIONS && !all.iter().any(|old| old.is_same(value)) {
                    all.push(value);
                    next.push((value, place));
                }
            }
        }
        last = next;
    }
    all.split_off(1)
}

/// The functions of coordinates that energies, rates and forces are made of, with inverses of what is divided by.
fn atoms(auditor: &Auditor<'_>) -> Vec<Expr> {
    let (given, chart) = (auditor.given, auditor.chart);
    let mut roots: Vec<Expr> = chart.rates.clone();
    roots.extend(given.T_star().ok());
    roots.extend(given.T().ok());
    let (q, moving) = (&given.q, rates(auditor));
    let of_position = |e: Expr| e.operations() <= OPERATIONS && moves(e, q) && !moves(e, &moving);
    let mut found: Vec<Expr> = Vec::new();
    let mut add = |e: Expr| {
        if of_position(e) && !found.iter().any(|old| old.is_same(e)) {
            found.push(e);
        }
    };
    let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
    let mut masses: Vec<Expr> = Vec::new();
    if let Ok(T_star) = given.T_star() {
        for &u in &chart.u {
            let twice = expr::derivative(T_star, u).and_then(|slope| expr::derivative(slope, u));
            let twice = twice.ok().filter(|e| e.operations() <= SIMPLE);
            for factor in twice.map(|e| sums_in(expr::simplify(e, &[]))).unwrap_or_default() {
                let factor = without_units(factor, q);
                let is_new = of_position(factor) && !masses.iter().any(|old: &Expr| old.is_same(factor));
                if is_new && masses.len() < ROOTS {
                    masses.push(factor);
                }
            }
        }
    }
    for root in masses.iter().filter_map(|mass| mass.try_pow(&half).ok()) {
        add(root);
        add(Expr::one() / root);
    }
    let mut seen = rustc_hash::FxHashSet::default();
    let mut waiting = roots;
    while let Some(node) = waiting.pop() {
        if !seen.insert(node) {
            continue;
        }
        let arguments = node.arguments();
        match node.op() {
            Op::Sin | Op::Cos | Op::Symbol => add(node),
            Op::Tan => {}
            Op::Power => {
                let is_negative = arguments[1].as_number().is_some_and(|exponent| exponent.is_negative());
                if is_negative && of_position(arguments[0]) {
                    add(Expr::one() / arguments[0]);
                }
                waiting.push(arguments[0]);
            }
            _ => waiting.extend(arguments),
        }
    }
    found
}

/// A sum over one of its coefficients: that of 1 if it has one, so that m + m q²/b² becomes 1 + q²/b².
fn without_units(sum: Expr, q: &[Expr]) -> Expr {
    let parts = sum.arguments();
    let constant: Vec<Expr> = parts.iter().copied().filter(|&term| !moves(term, q)).collect();
    let factor = match constant.is_empty() {
        false => Expr::sum(&constant),
        true => {
            let factors = if parts[0].op() == Op::Product { parts[0].arguments() } else { vec![parts[0]] };
            Expr::product(&factors.into_iter().filter(|&factor| !moves(factor, q)).collect::<Vec<_>>())
        }
    };
    let over: Option<Vec<Expr>> = parts.iter().map(|term| term.try_div(factor).ok()).collect();
    over.map_or(sum, |terms| Expr::sum(&terms))
}

/// The factors of a product that are sums.
fn sums_in(e: Expr) -> Vec<Expr> {
    match e.op() {
        Op::Scale | Op::Product => e.arguments().into_iter().flat_map(sums_in).collect(),
        Op::Sum => vec![e],
        _ => Vec::new(),
    }
}

fn rates(auditor: &Auditor<'_>) -> Vec<Expr> {
    auditor.given.q_dot.iter().chain(&auditor.chart.u).copied().collect()
}

fn state(auditor: &Auditor<'_>) -> Vec<Expr> {
    let mut state = rates(auditor);
    state.extend(&auditor.given.q);
    state.push(auditor.loaded.system.time);
    state
}

fn moves(e: Expr, with: &[Expr]) -> bool {
    e.symbols().iter().any(|symbol| with.contains(symbol))
}
