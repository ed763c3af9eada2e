//! Which coordinates and velocities are independent at a state?
//!
//! ```text
//! f_q, e_I        independent and complete: q_I
//! h_q', g_q'      independent and complete: u
//! ```
//!
//! What the user names comes first, then the model's speeds, then what its start gives; declared dependent rates and
//! coordinates that occur in no equation come last. Among equals the one that is farthest from what the constraints fix:
//! so nothing is divided by what vanishes at the state.

use linear::Tolerance;
use linear::span::Span;
use linear::weighed::Weighed;
use mechanics::{Found, StartReport, System};

use super::equations::{By, Equations, Of, Slopes};

/// What is closer to the rows than this, relative to its length, depends on them.
const DEPENDENT: Tolerance = Tolerance::new(1e-7);
/// A candidate is as good as another if it is not so much closer to the rows.
const AS_GOOD: f64 = 0.3;

/// Independent coordinates, and independent velocities as places among the candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// q_I.
    pub coordinates: Vec<usize>,
    /// u.
    pub velocities: Vec<usize>,
}

/// How coordinates are preferred.
pub struct Taste<'a> {
    /// The system.
    pub system: &'a System,
    /// How the values of its start were found.
    pub start: &'a StartReport,
    /// The coordinates that the user names.
    pub named: &'a [usize],
}

impl Taste<'_> {
    fn of_coordinate(&self, s: usize) -> usize {
        let is_dependent = self.system.dependent.iter().any(|one| one.coordinate == s);
        match self.start.coordinates[s].found {
            _ if self.named.contains(&s) => 0,
            _ if is_dependent => 4,
            Found::Given => 1,
            Found::Zeroed => 2,
            Found::Solved => 3,
        }
    }

    fn of_velocity(&self, equations: &Equations, place: usize) -> usize {
        let Some(s) = equations.velocities[place].rate_of else { return 1 };
        let is_dependent = self.system.dependent.iter().any(|one| one.coordinate == s);
        let is_given = [&self.start.coordinates[s], &self.start.rates[s]].iter().any(|one| one.found == Found::Given);
        match () {
            () if self.named.contains(&s) => 0,
            () if is_dependent => 6,
            () if equations.absent[s] && equations.plain[s] => 5,
            () if equations.absent[s] => 4,
            () if is_given => 2,
            () => 3,
        }
    }
}

/// The choice at a state, or the row that depends on others there.
pub fn choose(equations: &Equations, slopes: &Slopes<Weighed>, taste: &Taste<'_>) -> Result<Choice, String> {
    let n = equations.n();
    let numbers = |rows: Vec<Vec<Weighed>>| -> Vec<Vec<f64>> {
        rows.into_iter().map(|row| row.iter().map(|x| x.value).collect()).collect()
    };
    let f = numbers(equations.block(slopes, Of::Position, By::Q));
    let h = numbers(equations.block(slopes, Of::Velocity, By::Rate));
    let of_order = |most: u32| -> Vec<&String> {
        let rows = equations.rows.iter().zip(&equations.orders);
        rows.filter(|(_, order)| **order <= most).map(|(name, _)| name).collect()
    };
    let unit = |s: usize| (0..n).map(|k| if k == s { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
    let units: Vec<(Vec<f64>, usize)> = (0..n).map(|s| (unit(s), taste.of_coordinate(s))).collect();
    let coordinates = complete(&f, &units, &of_order(0))?;
    let g = numbers(equations.block(slopes, Of::Chosen, By::Rate));
    let candidates: Vec<(Vec<f64>, usize)> =
        g.into_iter().enumerate().map(|(place, row)| (row, taste.of_velocity(equations, place))).collect();
    let velocities = complete(&h, &candidates, &of_order(1))?;
    Ok(Choice { coordinates, velocities })
}

/// Candidates that complete the rows, each with its class.
fn complete(rows: &[Vec<f64>], candidates: &[(Vec<f64>, usize)], names: &[&String]) -> Result<Vec<usize>, String> {
    let n = candidates.first().map_or(0, |candidate| candidate.0.len());
    let mut span = Span::default();
    for (row, name) in rows.iter().zip(names) {
        let (left, size) = span.left_of(row);
        if size.is_nan() || row.iter().any(|x| !x.is_finite()) {
            return Err(format!("the slope of `{name}` has no value at this state"));
        }
        if DEPENDENT.hides(size, 1.0) {
            return Err(match row.iter().all(|x| x.abs() < 1e-12) {
                true => format!("the slope of `{name}` vanishes at this state"),
                false => format!("`{name}` depends on the constraints before it at this state"),
            });
        }
        span.take(&left);
    }
    let mut chosen = Vec::new();
    for class in 0..=6 {
        let own: Vec<usize> = (0..candidates.len()).filter(|&place| candidates[place].1 == class).collect();
        loop {
            let open: Vec<usize> = own.iter().copied().filter(|place| !chosen.contains(place)).collect();
            let left: Vec<(Vec<f64>, f64)> = open.iter().map(|&place| span.left_of(&candidates[place].0)).collect();
            let best = left.iter().map(|one| one.1).fold(0.0, f64::max);
            if DEPENDENT.hides(best, 1.0) || span.len() == n {
                break;
            }
            let Some(place) = left.iter().position(|one| one.1 >= AS_GOOD * best) else { break };
            span.take(&left[place].0);
            chosen.push(open[place]);
        }
    }
    chosen.sort_unstable();
    match span.len() == n {
        true => Ok(chosen),
        false => Err("the velocities are not determined at this state".to_owned()),
    }
}
