//! Where do the equations of a motion end, since something in them grows without bound?
//!
//! ```text
//! d                     a divisor in the masses, the forces or the slopes of the constraints, with places in it       (1)
//! |d| = 1e-8 of its size, falling      nearer, the motion on this side and what lies beyond cannot be told apart       (2)
//! a mass, a force or a slope > 100 times what it was, and more than doubled since |d| was 100 times as large:
//!                       then the motion ends there; what is removable, or grew by other means, passes                 (3)
//! ```
//!
//! Steps alone do not see it: a bead at the end of y = −√(r² − x²) turns back there with the right energy. Sums of squares are
//! left out: they vanish at points, which a motion meets by chance only, and steps become short before.

use expr::{At, Expr, Kind, Op, Symbol, sign};
use mechanics::rows::Rows;
use mechanics::{Coordinate, System};
use numeric::Direction;
use rustc_hash::FxHashSet;

use super::watch::{Natural, WatchList, Watched, moves};

/// (2)
const NEAR: f64 = 1e-8;
/// (3)
const GROWN: f64 = 100.0;
const FURTHER: f64 = 100.0;
const LATELY: f64 = 2.0;
/// A state before is looked for from this many seconds ago on, each time twice as many, so often.
const AGO: f64 = 1e-18;
const DOUBLINGS: u32 = 80;
/// So many divisors are watched, and so many nodes are looked at for them.
const MOST: usize = 16;
const NODES: usize = 100_000;

/// What a motion may come to the end of.
pub struct Edges {
    /// (1)
    divisors: Vec<Expr>,
    /// What may grow, with its size where the phase was made, and its name.
    growing: Vec<(Expr, f64, String)>,
    /// Places and their rates, time and 1.
    moving: Vec<(Expr, Expr)>,
}

impl Edges {
    /// The edges of equations with these generalized forces, masses and rows.
    pub fn of(system: &System, loads: &[(Expr, Expr)], rows: &Rows, at: &At) -> Edges {
        let named = |words: &str, one: &Coordinate| format!("{words} `{}`", one.name);
        let coordinates = || system.coordinates.iter().zip(loads);
        let push = loads.iter().map(|load| at.size(load.0)).filter(|x| x.is_finite()).fold(0.0, f64::max);
        let mut growing: Vec<(Expr, f64, String)> = Vec::new();
        growing.extend(coordinates().map(|(c, load)| (load.1, at.size(load.1), named("the mass that moves with", c))));
        growing.extend(coordinates().map(|(c, load)| (load.0, push, named("the force on", c))));
        for row in &rows.list {
            let size = row.A.iter().map(|&a| at.size(a)).fold(0.0, f64::max);
            growing.extend(row.A.iter().map(|&a| (a, size, format!("the slope of `{}`", row.name))));
        }
        growing.retain(|one| moves(one.0) && one.1.is_finite());
        let divisors = divisors(system, growing.iter().map(|one| one.0).collect());
        let divisors = divisors.into_iter().filter(|&d| at.value(d).abs() > NEAR * at.size(d)).collect();
        let places = system.q().into_iter().zip(system.q_dot());
        Edges { divisors, growing, moving: places.chain([(system.time, Expr::one())]).collect() }
    }

    /// Watches the divisors (2).
    pub fn watch(&self, watched: &mut WatchList, at: &At) {
        for (place, &divisor) in self.divisors.iter().enumerate() {
            let limit = expr::symbol(Symbol::new(&format!("edge@{place}"), Kind::Parameter));
            watched.limits.push((limit, NEAR * at.size(divisor)));
            let size = if at.value(divisor) < 0.0 { -divisor } else { divisor };
            watched.add(Watched::Edge(place), size - limit, Direction::Down, Natural::Terms(divisor));
        }
    }

    /// What has grown without bound at a state near the zero of a divisor (3), in words.
    pub fn grown(&self, place: usize, at: &At) -> Option<String> {
        let divisor = *self.divisors.get(place)?;
        let before = self.before(divisor, at)?;
        let size = |e: Expr, at: &At| {
            let value = at.value(e).abs();
            if value.is_finite() { value } else { f64::INFINITY }
        };
        let growth = |one: &&(Expr, f64, String)| size(one.0, at) / one.1.max(f64::MIN_POSITIVE);
        let lately = |one: &&(Expr, f64, String)| size(one.0, at) > LATELY * size(one.0, &before);
        let grown = self.growing.iter().filter(|one| growth(one) > GROWN && lately(one));
        let most = grown.max_by(|a, b| growth(a).total_cmp(&growth(b)))?;
        Some(format!("{} grows without bound, as `{}` comes to zero", most.2, divisor.brief()))
    }

    /// A state a little before, at which the divisor is larger, as far as the rates of now tell.
    fn before(&self, divisor: Expr, at: &At) -> Option<At> {
        let now = at.value(divisor).abs();
        let ago = |seconds: f64| {
            let values = self.moving.iter().map(|&(x, rate)| (x, at.value(x) - seconds * at.value(rate)));
            at.with(&values.collect::<Vec<_>>())
        };
        let states = (0..DOUBLINGS).map(|k| ago(AGO * 2.0_f64.powi(k as i32)));
        states.into_iter().find(|state| state.value(divisor).abs() >= FURTHER * now)
    }
}

/// Divisors with places and no rates in them, which are no sums of squares.
fn divisors(system: &System, mut waiting: Vec<Expr>) -> Vec<Expr> {
    let rates: FxHashSet<Expr> = system.q_dot().into_iter().collect();
    let is_of_place = |e: Expr| moves(e) && !e.symbols().iter().any(|symbol| rates.contains(symbol));
    let (mut seen, mut found): (FxHashSet<Expr>, Vec<Expr>) = (FxHashSet::default(), Vec::new());
    while let Some(e) = waiting.pop() {
        if !seen.insert(e) || seen.len() > NODES || found.len() >= MOST {
            continue;
        }
        let arguments = e.arguments();
        if let (Op::Power, [base, exponent]) = (e.op(), &arguments[..])
            && exponent.as_number().is_some_and(|k| k.is_negative())
            && base.signs() & (sign::NONNEGATIVE | sign::NONPOSITIVE) == 0
            && !found.contains(base)
            && is_of_place(*base)
        {
            found.push(*base);
        }
        waiting.extend(arguments);
    }
    found
}
