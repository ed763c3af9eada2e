//! Which reactions are determined where rows depend on each other?
//!
//! ```text
//! M q'' = Q + R λ            R the reactions of all rows that act, with friction, also of those that follow from others   (1)
//! R n = 0                    what the rows may carry against each other: it moves nothing                                (2)
//! L(λ) = Σ l λ               is determined if l·n = 0 for every n of (2)                                                 (3)
//! ```
//!
//! Rows on which some n is not zero share a load. What such rows carry together follows from the equations, what each
//! of them carries does not: no rule divides it, and none is made up. A single reaction is told only if (3) holds.

use expr::{At, Expr, MathError};
use linear::rank::reduce;
use linear::tolerance::RANK;
use linear::{Matrix, Scale};

use crate::reaction::{Acts, Reactions, reactions};
use crate::rows::{Row, Rows};

/// What each multiplier does to each coordinate.
#[derive(Clone, Debug, Default)]
pub struct Carriers {
    lambdas: Vec<Expr>,
    names: Vec<String>,
    constraints: Vec<usize>,
    /// R, row by row for the coordinates.
    R: Vec<Vec<Expr>>,
}

impl Carriers {
    /// Of all rows that act, also of those that follow from others; friction is included.
    pub fn of(acts: &Acts<'_>) -> Result<Carriers, MathError> {
        let all = everything(acts.rows);
        let lambdas: Vec<Expr> = all.list.iter().map(|row| row.lambda).collect();
        let found = reactions(&Acts { rows: &all, ..*acts })?;
        let total = |s: usize| found.iter().map(|one: &Reactions| one.generalized[s]).sum::<Expr>();
        let R = (0..acts.system.coordinates.len()).map(|s| expr::gradient(total(s), &lambdas));
        Ok(Carriers {
            R: R.collect::<Result<_, _>>()?,
            names: all.list.iter().map(|row| row.name.clone()).collect(),
            constraints: all.list.iter().map(|row| row.constraint).collect(),
            lambdas,
        })
    }

    /// What they may carry against each other at a state.
    pub fn at(&self, at: &At) -> Sharing {
        let R = Matrix::of_width(self.lambdas.len(), self.R.iter().map(|row| at.values(row)));
        let Carriers { lambdas, names, constraints, .. } = self.clone();
        let (sizes, null) = (sizes(&R), Carriers::null_vectors(&R));
        Sharing { is_known: null.is_some(), lambdas, names, constraints, null: null.unwrap_or_default(), sizes }
    }

    /// The multipliers of all rows.
    pub fn lambdas(&self) -> &[Expr] {
        &self.lambdas
    }

    /// R of (1), row by row for the coordinates.
    pub fn reactions(&self) -> &[Vec<Expr>] {
        &self.R
    }

    /// What a multiplier of one counts for: the largest force on a coordinate at a state; one where it is a force itself.
    pub fn size(&self, place: usize, at: &At, is_plain: bool) -> f64 {
        let force = |row: &Vec<Expr>| at.value(row[place]).abs();
        if is_plain { self.R.iter().map(force).fold(0.0, f64::max) } else { 1.0 }
    }

    /// (2) for an R in numbers; `None` where it has no values.
    pub fn null_vectors(R: &Matrix) -> Option<Vec<Vec<f64>>> {
        null_vectors(R, &sizes(R))
    }

    /// How an expression changes with each multiplier.
    pub fn slopes(&self, e: Expr) -> Result<Vec<Expr>, MathError> {
        expr::gradient(e, &self.lambdas)
    }
}

/// What rows may carry against each other at a state.
#[derive(Clone, Debug, Default)]
pub struct Sharing {
    /// The multipliers of all rows.
    lambdas: Vec<Expr>,
    /// The names of all rows, and of their constraints.
    names: Vec<String>,
    constraints: Vec<usize>,
    /// (2)
    null: Vec<Vec<f64>>,
    /// Whether (2) could be found.
    is_known: bool,
    /// The largest force on a coordinate that each multiplier stands for.
    sizes: Vec<f64>,
}

/// What is below this, beside the terms that make it, is rounding.
const ROUNDING: f64 = 1e-7;
/// A slope below this, beside the largest force that its multiplier stands for, is rounding: cos(π/2) is no lever.
const FAINT: f64 = 1e-14;

/// All rows that act: those that follow from others behind those that do not.
pub fn everything(rows: &Rows) -> Rows {
    let mut all = rows.with_pressed();
    let is_there = |list: &[Row], row: &Row| list.iter().any(|one| one.name == row.name);
    for row in &rows.left_out {
        if !is_there(&all.list, row) {
            all.list.push(row.clone());
        }
    }
    all.left_out.clear();
    all.pressed.clear();
    all
}

impl Sharing {
    /// What rows, and those that follow from them, may carry against each other at a state.
    pub fn of(acts: &Acts<'_>) -> Sharing {
        // what cannot be found is not said to be determined
        Carriers::of(acts).map(|carriers| carriers.at(acts.at)).unwrap_or_default()
    }

    /// Whether rows share a load, or it is not known.
    pub fn any(&self) -> bool {
        !self.is_plain()
    }

    fn is_plain(&self) -> bool {
        self.is_known && self.null.is_empty()
    }

    /// Whether an expression that is linear in the multipliers is determined at a state (3).
    pub fn determines(&self, e: Expr, at: &At) -> bool {
        self.is_plain() || expr::gradient(e, &self.lambdas).is_ok_and(|slopes| self.is_free_of(&at.values(&slopes)))
    }

    /// Why an expression is not determined.
    pub fn settled(&self, e: Expr, acts: &Acts<'_>) -> Result<(), String> {
        if self.determines(e, acts.at) {
            return Ok(());
        }
        let own = e.symbols();
        if !self.is_known {
            return Err("whether rows share a load could not be found: a slope has no value".to_owned());
        }
        let joined = self.joined().into_iter().filter(|group| group.iter().any(|&k| own.contains(&self.lambdas[k])));
        let names: Vec<String> = joined.flatten().map(|k| format!("`{}`", self.names[k])).collect();
        Err(format!("{} share a load: what each of them carries is not determined", names.join(", ")))
    }

    /// The same for an expression of which it is known how it changes with each multiplier.
    pub fn is_free_of(&self, slopes: &[f64]) -> bool {
        // what is rounding beside the force that the multiplier stands for is no lever
        let slope = |(slope, size): (&f64, &f64)| if slope.abs() <= FAINT * size { 0.0 } else { *slope };
        let slopes: Vec<f64> = slopes.iter().zip(&self.sizes).map(slope).collect();
        if !self.is_known {
            return slopes.iter().all(|slope| *slope == 0.0);
        }
        let is_zero = |n: &Vec<f64>| {
            let terms = n.iter().zip(&slopes).map(|(n, slope)| n * slope);
            let size: f64 = terms.clone().map(f64::abs).sum();
            terms.sum::<f64>().abs() <= ROUNDING * size
        };
        self.null.iter().all(is_zero)
    }

    /// Whether a row carries what others could carry.
    pub fn shares(&self, row: &str) -> bool {
        self.names.iter().position(|name| name == row).is_some_and(|place| self.touches(place))
    }

    fn touches(&self, place: usize) -> bool {
        self.null.iter().any(|n| n[place] != 0.0)
    }

    /// The rows that share loads, those together that share one.
    pub fn groups(&self) -> Vec<Vec<String>> {
        let group = |rows: Vec<usize>| rows.into_iter().map(|row| self.names[row].clone()).collect();
        self.joined().into_iter().map(group).collect()
    }

    /// The constraints of each group.
    pub fn constraints(&self) -> Vec<Vec<usize>> {
        let group = |rows: Vec<usize>| {
            let mut list: Vec<usize> = rows.into_iter().map(|row| self.constraints[row]).collect();
            list.sort_unstable();
            list.dedup();
            list
        };
        self.joined().into_iter().map(group).collect()
    }

    /// Rows that some n of (2) joins, by their places among all rows; in the order of the groups.
    pub fn joined(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for n in &self.null {
            let mut own: Vec<usize> = (0..n.len()).filter(|&k| n[k] != 0.0).collect();
            let (touching, others): (Vec<Vec<usize>>, Vec<Vec<usize>>) =
                groups.into_iter().partition(|group| group.iter().any(|k| own.contains(k)));
            own.extend(touching.into_iter().flatten());
            own.sort_unstable();
            own.dedup();
            groups = others;
            groups.push(own);
        }
        groups.sort();
        groups
    }
}

/// The largest force on a coordinate that each multiplier stands for.
fn sizes(R: &Matrix) -> Vec<f64> {
    (0..R.columns()).map(|k| R.column(k).iter().fold(0.0, |size: f64, x| size.max(x.abs()))).collect()
}

/// (2), with rounding put to zero: each part beside the largest force that it stands for.
fn null_vectors(R: &Matrix, sizes: &[f64]) -> Option<Vec<Vec<f64>>> {
    let found = reduce(R, &[], Scale::RowsAndColumns, RANK).ok()?;
    let cleaned = |mut n: Vec<f64>| {
        let largest = n.iter().zip(sizes).fold(0.0, |largest: f64, (x, size)| largest.max((x * size).abs()));
        n.iter_mut().zip(sizes).for_each(|(x, size)| {
            if *size > 0.0 && (*x * size).abs() <= ROUNDING * largest {
                *x = 0.0;
            }
        });
        n
    };
    Some(found.null_vectors().to_rows().into_iter().map(cleaned).collect())
}
