//! Which numbers of a state are not determined, since rows share a load there?
//!
//! The program of a motion takes some multipliers that balance. A number that would be another with others that
//! balance as well is no number of the motion: it is not told. What the rows carry together is.

use engine::SharedLoad;
use engine::shared::Levers;
use expr::{At, Expr, MathError};
use mechanics::determined::{Carriers, everything};
use mechanics::ingredients::Ingredients;
use mechanics::reaction::{Acts, reactions};
use mechanics::rows::Rows;

/// What tells which columns are determined.
pub struct Unshared {
    carriers: Carriers,
    /// Columns that hold multipliers, and how they change with them.
    slopes: Vec<(usize, Vec<Expr>)>,
    /// What the rows carry together.
    levers: Levers,
    /// The column of each multiplier, if it has one.
    places: Vec<(Expr, Option<usize>)>,
    /// The parameters, and the symbols of a state.
    base: At,
    time: Expr,
    state: Vec<Expr>,
}

impl Unshared {
    /// For these columns; nothing if no row follows from others and no two contacts slide.
    pub fn of(full: &Ingredients<'_>, rows: &Rows, columns: &[Expr]) -> Result<Option<Unshared>, MathError> {
        if rows.left_out.is_empty() && rows.pressed.len() < 2 {
            return Ok(None);
        }
        let all = everything(full.rows);
        let acts = Acts { rows: &all, ..Acts::from(full) };
        let carriers = Carriers::of(&acts)?;
        let levers = Levers::of(&acts, &reactions(&acts)?)?;
        let column = |&lambda: &Expr| (lambda, columns.iter().position(|&column| column == lambda));
        let places = carriers.lambdas().iter().map(column).collect();
        let mut slopes = Vec::new();
        for (place, &column) in columns.iter().enumerate() {
            let own = carriers.slopes(column)?;
            if own.iter().any(|slope| *slope != Expr::zero()) {
                slopes.push((place, own));
            }
        }
        let state = full.q.iter().chain(&full.q_dot).copied().collect();
        let (base, time) = (full.at.clone(), full.system.time);
        Ok(Some(Unshared { carriers, slopes, levers, places, base, time, state }))
    }

    /// Makes numbers that are not determined at a state no numbers; tells what rows carry together there.
    pub fn clear(&self, t: f64, y: &[f64], values: &mut [f64]) -> Vec<SharedLoad> {
        let state: Vec<(Expr, f64)> = self.state.iter().copied().zip(y.iter().copied()).collect();
        let at = self.base.with(&state).with(&[(self.time, t)]);
        let sharing = self.carriers.at(&at);
        if !sharing.any() {
            return Vec::new();
        }
        // a row without a column follows from others and carries nothing in this division
        let lambdas = self.places.iter().map(|&(lambda, place)| (lambda, place.map_or(0.0, |place| values[place])));
        let shared = self.levers.shared(&sharing, &at.with(&lambdas.collect::<Vec<_>>()));
        for (place, slopes) in &self.slopes {
            if !sharing.is_free_of(&at.values(slopes)) {
                values[*place] = f64::NAN;
            }
        }
        shared
    }
}
