//! Which numbers of a state are not determined, since rows share a load there?
//!
//! The program of a motion takes some multipliers that balance. A number that would be another with others that
//! balance as well is no number of the motion: it is not told.

use expr::{At, Expr, MathError};
use mechanics::determined::Carriers;
use mechanics::ingredients::Ingredients;
use mechanics::reaction::Acts;
use mechanics::rows::Rows;

/// What tells which columns are determined.
pub struct Unshared {
    carriers: Carriers,
    /// Columns that hold multipliers, and how they change with them.
    slopes: Vec<(usize, Vec<Expr>)>,
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
        let carriers = Carriers::of(&Acts::from(full))?;
        let mut slopes = Vec::new();
        for (place, &column) in columns.iter().enumerate() {
            let own = carriers.slopes(column)?;
            if own.iter().any(|slope| *slope != Expr::zero()) {
                slopes.push((place, own));
            }
        }
        let state = full.q.iter().chain(&full.q_dot).copied().collect();
        Ok(Some(Unshared { carriers, slopes, base: full.at.clone(), time: full.system.time, state }))
    }

    /// Makes numbers that are not determined at a state no numbers.
    pub fn clear(&self, t: f64, y: &[f64], values: &mut [f64]) {
        let state: Vec<(Expr, f64)> = self.state.iter().copied().zip(y.iter().copied()).collect();
        let at = self.base.with(&state).with(&[(self.time, t)]);
        let sharing = self.carriers.at(&at);
        if !sharing.any() {
            return;
        }
        for (place, slopes) in &self.slopes {
            if !sharing.is_free_of(&at.values(slopes)) {
                values[*place] = f64::NAN;
            }
        }
    }
}
