//! What do rows that share a load carry together?
//!
//! ```text
//! G_s = Σ λ ∂G_s/∂λ,   F = Σ λ ∂F/∂λ        over the rows that share; told where mechanics::determined says that it may be   (1)
//! ```
//!
//! `evaluate`, `equilibria` and the samples of `simulate` tell it from here.

use expr::{At, Expr, MathError};
use mechanics::determined::Sharing;
use mechanics::reaction::{Acts, Reactions};
use serde::Serialize;

use crate::Ordered;

/// Rows that share a load: what they carry together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SharedLoad {
    /// The rows.
    pub rows: Vec<String>,
    /// What their constraints do together to the coordinates.
    pub generalized_reactions: Ordered<f64>,
    /// The sum of their forces, if it follows and is determined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resultant: Option<[f64; 3]>,
}

/// A vector with rounding put to zero.
pub(crate) fn cleaned(list: [f64; 3]) -> [f64; 3] {
    let largest = list.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    list.map(|x| if x.abs() < 1e-13 * largest { 0.0 } else { x })
}

/// A number for people, or that the equations do not determine it.
pub fn told(value: f64) -> String {
    if value.is_nan() { "not determined".to_owned() } else { expr::decimal(value) }
}

/// How what constraints do changes with each multiplier.
#[derive(Clone, Debug)]
pub struct Levers {
    coordinates: Vec<String>,
    lambdas: Vec<Expr>,
    list: Vec<Lever>,
}

/// The same for one constraint.
#[derive(Clone, Debug)]
struct Lever {
    constraints: Vec<usize>,
    /// A row for each coordinate, a column for each multiplier.
    generalized: Vec<Vec<Expr>>,
    /// The same for x, y, z of the sum of its forces, if that follows.
    force: Option<[Vec<Expr>; 3]>,
}

impl Levers {
    /// For all rows that act, and what their constraints do.
    pub fn of(acts: &Acts<'_>, found: &[Reactions]) -> Result<Levers, MathError> {
        let lambdas: Vec<Expr> = acts.rows.list.iter().map(|row| row.lambda).collect();
        let slopes = |e: Expr| expr::gradient(e, &lambdas);
        let constraints = acts.system.constraints.iter().enumerate();
        let mut list = Vec::with_capacity(found.len());
        for one in found {
            let force = match one.resultant {
                Some(force) => Some([slopes(force.0[0])?, slopes(force.0[1])?, slopes(force.0[2])?]),
                None => None,
            };
            let own = constraints.clone().filter(|(_, constraint)| constraint.name == one.name);
            list.push(Lever {
                constraints: own.map(|(place, _)| place).collect(),
                generalized: one.generalized.iter().map(|&e| slopes(e)).collect::<Result<_, _>>()?,
                force,
            });
        }
        let coordinates = acts.system.coordinates.iter().map(|c| c.name.clone()).collect();
        Ok(Levers { coordinates, lambdas, list })
    }

    /// What rows carry together that share a load at a state with its multipliers (1).
    pub fn shared(&self, sharing: &Sharing, at: &At) -> Vec<SharedLoad> {
        let groups = sharing.groups().into_iter().zip(sharing.joined()).zip(sharing.constraints());
        groups.map(|((rows, places), constraints)| self.group(rows, &places, &constraints, sharing, at)).collect()
    }

    fn group(
        &self,
        rows: Vec<String>,
        places: &[usize],
        constraints: &[usize],
        sharing: &Sharing,
        at: &At,
    ) -> SharedLoad {
        let own: Vec<&Lever> =
            self.list.iter().filter(|one| one.constraints.iter().any(|place| constraints.contains(place))).collect();
        // of a constraint of several rows only those count that share
        let slope = |slopes: &[&Vec<Expr>], k: usize| match places.contains(&k) {
            true => slopes.iter().map(|slopes| at.value(slopes[k])).sum(),
            false => 0.0,
        };
        let number = |slopes: &[&Vec<Expr>]| {
            let slopes: Vec<f64> = (0..self.lambdas.len()).map(|k| slope(slopes, k)).collect();
            let parts = slopes.iter().zip(&self.lambdas).filter(|one| *one.0 != 0.0);
            let parts = parts.map(|(slope, &lambda)| slope * at.value(lambda));
            let (sum, size) = parts.fold((0.0, 0.0), |(sum, size), part: f64| (sum + part, size + part.abs()));
            match sharing.is_free_of(&slopes) {
                // parts that cancel leave rounding
                true if sum.abs() <= 1e-14 * size => 0.0,
                true => sum,
                false => f64::NAN,
            }
        };
        let coordinate = |s: usize| {
            let slopes: Vec<&Vec<Expr>> = own.iter().map(|one| &one.generalized[s]).collect();
            let acts = places.iter().any(|&k| slopes.iter().any(|slopes| slopes[k] != Expr::zero()));
            acts.then(|| (self.coordinates[s].clone(), number(&slopes)))
        };
        let forces: Option<Vec<&[Vec<Expr>; 3]>> = own.iter().map(|one| one.force.as_ref()).collect();
        let axis = |forces: &[&[Vec<Expr>; 3]], axis: usize| {
            number(&forces.iter().map(|force| &force[axis]).collect::<Vec<_>>())
        };
        SharedLoad {
            rows,
            generalized_reactions: (0..self.coordinates.len()).filter_map(coordinate).collect(),
            resultant: forces.map(|forces| cleaned([0, 1, 2].map(|k| axis(&forces, k)))),
        }
    }
}

impl SharedLoad {
    /// In words.
    pub fn told(&self) -> String {
        let text = told;
        if let [row] = &self.rows[..] {
            return format!("`{row}` moves nothing at this state: what it carries is not determined");
        }
        let rows: Vec<String> = self.rows.iter().map(|row| format!("`{row}`")).collect();
        let parts = self.generalized_reactions.0.iter().map(|(q, force)| format!("{} on {q}", text(*force)));
        let resultant = self.resultant.map(|force| format!("the force ({})", force.map(text).join(", ")));
        let parts: Vec<String> = resultant.into_iter().chain(parts).collect();
        format!(
            "{} share a load: what each of them carries is not determined; together: {}",
            rows.join(", "),
            if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
        )
    }
}
