//! What kind of constraint is a row?
//!
//! ```text
//! order      the highest derivative of q by which f changes: ∂f/∂q'' ≢ 0, else ∂f/∂q' ≢ 0, else ∂f/∂q ≢ 0
//! linear     f = Σ a_j z_j + b, with a_j and b free of the highest derivatives z
//! rheonomic  ∂f/∂t ≢ 0
//! ```

use std::fmt;

use expr::{Expr, Kind, MathError};
use rustc_hash::FxHashMap;

use super::Space;
use super::algebra::freed;

/// What kind of constraint a row is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Class {
    /// Zero whatever the motion: it says nothing.
    Vacuous,
    /// It holds no coordinate: a contradiction, or a relation between parameters.
    WithoutCoordinates,
    /// f(t, q) = 0.
    Geometric,
    /// A(q) q' = 0.
    Homogeneous,
    /// A(q) q' + k(q) = 0 with a free term.
    Affine,
    /// A(t, q) q' + k(t, q) = 0 in which the time occurs.
    Rheonomic,
    /// Of first order, not linear in the rates.
    NonlinearFirst,
    /// Of second order, linear in the accelerations.
    LinearSecond,
    /// Of second order, not linear in the accelerations.
    NonlinearSecond,
    /// It holds a derivative above the second, or something else that is no coordinate, rate or
    /// acceleration: outside of what is treated.
    Outside,
}

impl Class {
    /// The order of the highest derivative; `None` for rows that have none.
    pub fn order(self) -> Option<u32> {
        match self {
            Class::Vacuous | Class::WithoutCoordinates | Class::Outside => None,
            Class::Geometric => Some(0),
            Class::Homogeneous | Class::Affine | Class::Rheonomic | Class::NonlinearFirst => Some(1),
            Class::LinearSecond | Class::NonlinearSecond => Some(2),
        }
    }

    /// Is it linear in its highest derivatives? Geometric rows are: their velocity form is.
    pub fn is_linear(self) -> bool {
        !matches!(self, Class::NonlinearFirst | Class::NonlinearSecond | Class::Outside)
    }

    /// Is it linear in the rates and of first order?
    pub fn is_linear_rate(self) -> bool {
        self.order() == Some(1) && self.is_linear()
    }

    /// Does it take part in the rank?
    pub fn has_slope(self) -> bool {
        self.order().is_some()
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::Vacuous => "identically satisfied",
            Class::WithoutCoordinates => "without coordinates",
            Class::Geometric => "geometric",
            Class::Homogeneous => "linear first order, homogeneous",
            Class::Affine => "linear first order, affine",
            Class::Rheonomic => "linear first order, rheonomic",
            Class::NonlinearFirst => "nonlinear first order",
            Class::LinearSecond => "linear second order",
            Class::NonlinearSecond => "nonlinear second order",
            Class::Outside => "outside",
        })
    }
}

/// Where a symbol stands: which derivative of which coordinate.
pub(super) struct Places {
    of: FxHashMap<Expr, (u32, usize)>,
    t: Expr,
}

impl Places {
    pub fn new(space: &Space) -> Places {
        let levels = [&space.q, &space.rates, &space.accelerations];
        let level = |(order, list): (u32, &Vec<Expr>)| {
            list.iter().enumerate().map(|(k, &e)| (e, (order, k))).collect::<Vec<_>>()
        };
        Places { of: (0..).zip(levels).flat_map(level).collect(), t: space.t }
    }

    pub fn of(&self, symbol: Expr) -> Option<(u32, usize)> {
        self.of.get(&symbol).copied()
    }
}

/// A row whose class is known.
#[derive(Clone, Debug)]
pub(super) struct Sorted {
    /// f, without symbols that only seem to occur in it.
    pub f: Expr,
    pub class: Class,
    pub rheonomic: bool,
    /// The row of K: coordinates, ascending, with entries that are not zero.
    pub slope: Vec<(usize, Expr)>,
    /// ∂f/∂t of a geometric row, b of a linear one.
    pub free: Expr,
    /// The coordinates that occur in it, themselves or by a derivative.
    pub touches: Vec<usize>,
}

impl Sorted {
    pub fn new(f: Expr, places: &Places) -> Result<Sorted, MathError> {
        let mut symbols: Vec<Expr> = f.symbols().into_iter().filter(|&symbol| is_moving(symbol, places)).collect();
        // what is given as a function of time is the time
        let all = symbols.len();
        symbols.retain(|&symbol| !is_given(symbol));
        if symbols.len() < all && !symbols.contains(&places.t) {
            symbols.push(places.t);
        }
        let slopes = expr::gradient(f, &symbols)?;
        let occurs: Vec<(Expr, Expr)> = symbols.iter().copied().zip(slopes).filter(|pair| !pair.1.is_zero()).collect();
        let rheonomic = occurs.iter().any(|&(symbol, _)| symbol == places.t);
        let absent = |symbol: &Expr| !occurs.iter().any(|pair| pair.0 == *symbol);
        let ghosts: Vec<Expr> =
            symbols.iter().copied().filter(|symbol| absent(symbol) && f.symbols().contains(symbol)).collect();
        let f = if ghosts.is_empty() { f } else { freed(f, &ghosts) };
        let mut row = Sorted {
            f,
            class: Class::Outside,
            rheonomic,
            slope: Vec::new(),
            free: Expr::zero(),
            touches: touched(&occurs, places),
        };
        if occurs.iter().any(|&(symbol, _)| places.of(symbol).is_none() && symbol != places.t) {
            return Ok(row);
        }
        let Some(order) = occurs.iter().filter_map(|pair| Some(places.of(pair.0)?.0)).max() else {
            row.class = if f.is_zero() { Class::Vacuous } else { Class::WithoutCoordinates };
            return Ok(row);
        };
        let here = |pair: &&(Expr, Expr)| places.of(pair.0).is_some_and(|place| place.0 == order);
        let highest: Vec<(Expr, Expr)> = occurs.iter().filter(here).copied().collect();
        let time_slope = occurs.iter().find(|pair| pair.0 == places.t).map_or_else(Expr::zero, |pair| pair.1);
        row.fill(order, &highest, time_slope, places)?;
        Ok(row)
    }

    fn fill(&mut self, order: u32, highest: &[(Expr, Expr)], t: Expr, places: &Places) -> Result<(), MathError> {
        let linear = if order == 0 { None } else { linear_part(self.f, highest)? };
        let (coefficients, free) = match &linear {
            Some((coefficients, free)) => (coefficients.clone(), *free),
            None => (highest.iter().map(|pair| pair.1).collect(), t),
        };
        self.class = match (order, linear.is_some()) {
            (0, _) => Class::Geometric,
            (1, false) => Class::NonlinearFirst,
            (1, true) if self.rheonomic => Class::Rheonomic,
            (1, true) if free.is_zero() => Class::Homogeneous,
            (1, true) => Class::Affine,
            (_, true) => Class::LinearSecond,
            (_, false) => Class::NonlinearSecond,
        };
        self.free = if free.is_zero() { Expr::zero() } else { free };
        let place = |symbol: Expr| places.of(symbol).map_or(0, |place| place.1);
        self.slope = highest.iter().zip(coefficients).map(|(pair, a)| (place(pair.0), a)).collect();
        self.slope.sort_unstable_by_key(|entry| entry.0);
        Ok(())
    }

    pub fn order(&self) -> u32 {
        self.class.order().unwrap_or(0)
    }
}

fn touched(occurs: &[(Expr, Expr)], places: &Places) -> Vec<usize> {
    let mut list: Vec<usize> = occurs.iter().filter_map(|pair| Some(places.of(pair.0)?.1)).collect();
    list.sort_unstable();
    list.dedup();
    list
}

fn is_moving(symbol: Expr, places: &Places) -> bool {
    places.of(symbol).is_some() || symbol.as_symbol().is_some_and(|symbol| symbol.kind != Kind::Parameter)
}

/// The coefficients a of the symbols and b, if f = Σ a z + b. Where the shape of f does not show
/// it, the second derivatives do.
fn linear_part(f: Expr, highest: &[(Expr, Expr)]) -> Result<Option<(Vec<Expr>, Expr)>, MathError> {
    let z: Vec<Expr> = highest.iter().map(|pair| pair.0).collect();
    if let Ok((mut a, b)) = expr::linear_coefficients(&[f], &z) {
        return Ok(Some((a.remove(0), b[0])));
    }
    let mut coefficients = Vec::with_capacity(z.len());
    for &(_, slope) in highest {
        if !expr::gradient(slope, &z)?.iter().all(|second| second.is_zero()) {
            return Ok(None);
        }
        let a = freed(slope, &z);
        if a.symbols().iter().any(|symbol| z.contains(symbol)) {
            return Ok(None); // constant on each branch only, such as the sign of a rate
        }
        coefficients.push(a);
    }
    let b = f - coefficients.iter().zip(&z).map(|(&a, &z)| a * z).sum::<Expr>();
    Ok(Some((coefficients, freed(b, &z))))
}

/// Whether a symbol is given from outside as a function of time.
pub(super) fn is_given(symbol: Expr) -> bool {
    symbol.as_symbol().is_some_and(|symbol| symbol.kind == Kind::Input)
}
