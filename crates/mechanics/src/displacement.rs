//! What does the text of a constraint name, and how does it change when each of these is displaced by itself?
//!
//! ```text
//! P          r_P + δr_P                    a point                                                  (1)
//! D at K     v_K + δr_K'                   a material point of a body, in `velocity(D at K)`        (2)
//! B          e + δφ × e,   ω + δφ'         a frame, whatever is measured along it                   (3)
//! D          ω + δφ'                       a body, in `omega(D)`                                    (4)
//! x          x + δx                        a coordinate that stands there by itself                 (5)
//! D          r_C + δr_C                    a body, where its mass centre is meant                   (6)
//! ```
//!
//! Each δ is a coordinate of its own, so that rates and accelerations of what is named follow by the
//! rules of the language. A row of order k changes with the k-th derivatives of δ, taken at δ = 0:
//!
//! ```text
//! A_s = Σ_P ∂f/∂δr_P·∂v_P/∂q'_s + Σ_B ∂f/∂δφ_B·∂ω_B/∂q'_s + ∂f/∂δq_s                               (7)
//! ```
//!
//! Abbreviations and speeds are looked through: what they name is named.

use expr::{Expr, Kind, MathError, Substitution, Symbol};

use crate::{Constraint, Sense, System, Vector};

/// What a text names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Named {
    /// (1): a place in [`System::points`].
    Point(usize),
    /// (2)
    Material {
        /// A place in [`System::bodies`].
        body: usize,
        /// Where its material point is.
        place: Vector,
    },
    /// (3): a place in [`System::frames`].
    Frame(usize),
    /// (4): a place in [`System::bodies`].
    Body(usize),
    /// (5): a place in [`System::coordinates`].
    Coordinate(usize),
    /// (6): a place in [`System::bodies`].
    Centre(usize),
}

/// How a row changes with what it names, for a multiplier of one.
#[derive(Clone, Debug, Default)]
pub struct Slopes {
    /// Points, material points, frames and bodies: ∂f/∂δr or ∂f/∂δφ.
    pub on: Vec<(Named, Vector)>,
    /// Coordinates that stand there by themselves: ∂f/∂δq.
    pub bare: Vec<(usize, Expr)>,
}

/// The displacements of everything that was named so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Displacements {
    list: Vec<Named>,
}

impl Displacements {
    /// δr, δφ, or δx as the first of three.
    pub fn of(&mut self, what: Named) -> Vector {
        let place = self.list.iter().position(|one| *one == what).unwrap_or_else(|| {
            self.list.push(what);
            self.list.len() - 1
        });
        symbols(place, 0)
    }

    /// What was displaced vanishes again.
    pub fn at_rest(&self, list: &[Expr]) -> Result<Vec<Expr>, MathError> {
        let all = (0..self.list.len()).flat_map(|place| (0..=2).map(move |order| symbols(place, order)));
        let zeros: Substitution = all.flat_map(|one| one.0).map(|symbol| (symbol, Expr::zero())).collect();
        zeros.apply(list)
    }

    /// The slopes (7) of a row of this order.
    fn slopes(&self, f: Expr, order: u32) -> Result<Slopes, MathError> {
        let along: Vec<Expr> = (0..self.list.len()).flat_map(|place| symbols(place, order).0).collect();
        let slopes = self.at_rest(&expr::gradient(f, &along)?)?;
        let mut found = Slopes::default();
        for (what, slope) in self.list.iter().zip(slopes.chunks_exact(3)) {
            let slope = Vector([slope[0], slope[1], slope[2]]);
            match *what {
                _ if slope.is_zero() => {}
                Named::Coordinate(place) => found.bare.push((place, slope.0[0])),
                what => found.on.push((what, slope)),
            }
        }
        Ok(found)
    }
}

/// The symbols of a displacement: no name of a model has a blank.
fn symbols(place: usize, order: u32) -> Vector {
    let symbol =
        |axis: &str| expr::symbol(Symbol { name: format!("virtual {place}.{axis}"), kind: Kind::Coordinate, order });
    Vector(["x", "y", "z"].map(symbol))
}

impl System {
    /// How each row of a constraint changes with what its text names, or why that is not known.
    ///
    /// `orders` are the orders of its rows. A constraint without a text has none.
    pub fn slopes(&self, constraint: &Constraint, orders: &[u32]) -> Result<Vec<Slopes>, String> {
        let Some(tree) = &constraint.text else { return Err("it has no text".to_owned()) };
        let mut displaced = Displacements::default();
        let sides = self.displaced(tree, &mut displaced)?;
        let is_kept = |axis: &Option<syntax::Axis>| axis.is_none_or(|axis| constraint.axes.contains(&axis));
        let rows =
            sides.into_iter().filter(|(axis, ..)| is_kept(axis)).map(|(_, left, right)| match constraint.sense {
                Sense::AtMost => right - left,
                _ => left - right,
            });
        let told = |error: MathError| error.to_string();
        rows.zip(orders).map(|(f, &order)| displaced.slopes(f, order).map_err(told)).collect()
    }
}
