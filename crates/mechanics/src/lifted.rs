//! Which sparse equations do accelerations follow from, when points are made from points and frames from frames?
//!
//! ```text
//! v_p = Σ c v_j + Σ c q'_s + …    velocities of points and frames, by what they are made from              (1)
//! S − P stationary                S = Σ ½ m a·a + ½ α·Iα + α·(ω × Iω),  P = Σ F·a + M·α, in v'_p and q''   (2)
//! A q'' + a0 = 0                  the rows that act, each with a multiplier                                (3)
//! ```
//!
//! The principle of Gauss (Appell's function S): the same accelerations as from the dense equations, but every term
//! of (2) knows the few velocities of one mass.

use expr::{Expr, Kind, Substitution, total_derivative};
use rustc_hash::FxHashMap;

use crate::LoadKind;
use crate::form::FormError;
use crate::ingredients::{Ingredients, moment};
use crate::kinematics::Kinematics;

/// (2) and (3): places are coordinates, then rows, then velocities.
#[derive(Debug)]
pub struct Lifted {
    /// The second derivatives of S, each pair of places once, the smaller first; rows against coordinates too.
    pub matrix: Vec<(usize, usize, Expr)>,
    /// What stands against them.
    pub right: Vec<(usize, Expr)>,
    /// The velocities (1): a symbol and its value.
    pub velocities: Vec<(Expr, Expr)>,
    /// Their rates: places and coefficients, and the rest.
    pub rates: Vec<(Vec<(usize, Expr)>, Expr)>,
}

impl Lifted {
    /// The sparse equations; nothing where something is not made of masses that move: then the dense ones serve.
    pub fn of(given: &Ingredients<'_>) -> Result<Option<Lifted>, FormError> {
        let (system, rows) = (given.system, given.rows);
        let is_plain = given.varying.iter().next().is_none()
            && system.points.iter().all(|point| point.exhaust.is_none())
            && !system.loads.iter().any(|load| matches!(load.kind, LoadKind::Kinetic(_)))
            && rows.pressed.is_empty()
            && rows.left_out.is_empty();
        if !is_plain {
            return Ok(None);
        }
        let loads: Vec<_> = given.mode.loads(system).collect();
        let masses: Vec<Expr> = given.masses().map(|one| one.1).collect();
        let (moving, velocities) = Kinematics::lifted(system, &loads, &masses)?;
        let (n, m) = (given.q.len(), rows.list.len());
        let symbols = given.q_dot.iter().copied().zip(0..).chain(velocities.iter().map(|one| one.0).zip(n + m..));
        let mut writer = Writer {
            places: symbols.collect(),
            still: given.q_ddot.iter().map(|&symbol| (symbol, Expr::zero())).collect(),
            matrix: FxHashMap::default(),
            right: FxHashMap::default(),
        };
        let rates = velocities.iter().map(|one| writer.rate(one.1)).collect::<Result<Vec<_>, _>>()?;
        writer.masses(&moving)?;
        for effort in moving.efforts.iter().flatten() {
            for (place, slope) in writer.slopes(effort.velocity)? {
                writer.push(place, effort.force * slope);
            }
        }
        for (k, row) in rows.list.iter().enumerate() {
            for (s, &a) in row.A.iter().enumerate().filter(|(_, a)| **a != Expr::zero()) {
                writer.matrix.insert((s, n + k), vec![a]);
            }
            writer.push(n + k, -row.drift);
        }
        let Writer { matrix, right, .. } = writer;
        let mut matrix: Vec<(usize, usize, Expr)> =
            matrix.into_iter().map(|((i, j), terms)| (i, j, Expr::sum(&terms))).collect();
        matrix.retain(|one| one.2 != Expr::zero());
        matrix.sort_unstable_by_key(|one| (one.0, one.1));
        let mut right: Vec<(usize, Expr)> =
            right.into_iter().map(|(place, terms)| (place, Expr::sum(&terms))).collect();
        right.retain(|one| one.1 != Expr::zero());
        right.sort_unstable_by_key(|one| one.0);
        Ok(Some(Lifted { matrix, right, velocities, rates }))
    }
}

/// A rate: places and coefficients, and the rest.
type Linear = (Vec<(usize, Expr)>, Expr);

struct Writer {
    /// The places of velocities and rates.
    places: FxHashMap<Expr, usize>,
    /// Accelerations are zero.
    still: Substitution,
    matrix: FxHashMap<(usize, usize), Vec<Expr>>,
    right: FxHashMap<usize, Vec<Expr>>,
}

impl Writer {
    fn push(&mut self, place: usize, term: Expr) {
        self.right.entry(place).or_default().push(term);
    }

    /// By which velocities an expression is written, and how.
    fn slopes(&self, e: Expr) -> Result<Vec<(usize, Expr)>, FormError> {
        let symbols: Vec<Expr> = e.symbols().into_iter().filter(|symbol| self.places.contains_key(symbol)).collect();
        let slopes = expr::gradient(e, &symbols)?;
        let mut list: Vec<(usize, Expr)> = symbols.iter().map(|symbol| self.places[symbol]).zip(slopes).collect();
        list.retain(|one| one.1 != Expr::zero());
        list.sort_unstable_by_key(|one| one.0);
        Ok(list)
    }

    /// The rate of a velocity. Symbols of velocities stand still in the total derivative: their part are the slopes.
    fn rate(&self, velocity: Expr) -> Result<Linear, FormError> {
        Ok((self.slopes(velocity)?, self.still(total_derivative(velocity)?)?))
    }

    /// What is left where accelerations are zero.
    fn still(&self, e: Expr) -> Result<Expr, FormError> {
        let is_acceleration =
            |symbol: &Expr| symbol.as_symbol().is_some_and(|one| one.kind == Kind::Coordinate && one.order == 2);
        match e.symbols().iter().any(is_acceleration) {
            true => Ok(self.still.apply_one(e)?),
            false => Ok(e),
        }
    }

    /// (2) without P.
    fn masses(&mut self, moving: &Kinematics) -> Result<(), FormError> {
        for element in &moving.elements {
            let velocity = element.velocity;
            let rates = velocity.components.0.map(|component| self.slopes(component));
            let [x, y, z] = rates;
            let slopes = [x?, y?, z?];
            let rest = velocity.rate(&total_derivative)?;
            for (component, slopes) in slopes.iter().enumerate() {
                let pull = -(element.mass * self.still(rest.0[component])?);
                self.add(slopes, slopes, element.mass, true);
                slopes.iter().for_each(|&(place, slope)| self.push(place, slope * pull));
            }
            let Some(spin) = &element.spin else { continue };
            let [x, y, z] = spin.omega.components.0.map(|component| self.slopes(component));
            let slopes = [x?, y?, z?];
            let pull = moment(spin, &total_derivative)?;
            let [xx, yy, zz, xy, yz, zx] = spin.inertia;
            for (i, j, entry) in [(0, 0, xx), (1, 1, yy), (2, 2, zz), (0, 1, xy), (1, 2, yz), (2, 0, zx)] {
                if entry != Expr::zero() {
                    self.add(&slopes[i], &slopes[j], entry, i == j);
                }
            }
            for (slopes, pull) in slopes.iter().zip(pull.0) {
                let pull = self.still(pull)?;
                slopes.iter().for_each(|&(place, slope)| self.push(place, -(slope * pull)));
            }
        }
        Ok(())
    }

    /// The product of two rates, times a weight: once if they are the same, else both ways round.
    fn add(&mut self, a: &[(usize, Expr)], b: &[(usize, Expr)], weight: Expr, is_same: bool) {
        for &(i, x) in a {
            for &(j, y) in b {
                let both = weight * x * y;
                let terms = match (is_same, i == j) {
                    (true, _) if i > j => continue,
                    (false, true) => 2 * both,
                    _ => both,
                };
                self.matrix.entry((i.min(j), i.max(j))).or_default().push(terms);
            }
        }
    }
}
