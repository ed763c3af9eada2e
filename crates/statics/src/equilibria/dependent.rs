//! Which rows follow from the others everywhere, not at the start alone, and where do rows depend on each other?
//!
//! ```text
//! f_kept(q) = 0,  found from many places by δq = −A⁺ f        f_left(q) ≠ 0 somewhere: the row says more       (1)
//! f(q) = 0,  Aᵀμ = 0,  μ·μ = 1                                 a place where rows depend                        (2)
//! f(q + δq) = 0,  F·δq > 0                                     it does not rest there                           (3)
//! ```

use expr::Expr;
use linear::least::least;
use linear::tolerance::LEAST;
use mechanics::rows::{Row, Rows};
use numeric::{Interval, Measured, Real, Slope, Switches, Tape};

use super::ground::natural;
use super::search::{Ground, somewhere};
use super::statics::Statics;
use engine::Loaded;

/// (1) is asked from so many places, (2) from so many.
const PLACES: [usize; 2] = [12, 60];
/// Derivatives along so many directions at once.
const LANES: usize = 8;

/// The rows, with those that were left out at the start, but say more elsewhere, among them again; and their names.
pub fn kept(loaded: &Loaded, mut rows: Rows) -> (Rows, Vec<String>) {
    let mut names = Vec::new();
    while let Some(place) = rows.left_out.iter().position(|row| row.order == 0 && says_more(loaded, &rows.list, row)) {
        let row = rows.left_out.remove(place);
        names.push(row.name.clone());
        rows.redundant.retain(|name| *name != row.name);
        rows.list.push(row);
    }
    rows.list.sort_by_key(|row| (row.order, row.constraint));
    (rows, names)
}

/// Whether a row is violated somewhere where the others hold.
fn says_more(loaded: &Loaded, list: &[Row], row: &Row) -> bool {
    const VIOLATED: f64 = 1e-6;
    let kept: Vec<Expr> = list.iter().filter(|row| row.order == 0).map(|row| row.f).collect();
    let (Some(places), Some(asked)) = (Places::new(loaded, kept, 0), Places::new(loaded, vec![row.f], 0)) else {
        return false;
    };
    // a row that is one symbol is as large as itself: what it is elsewhere tells its size
    let size = |k: usize| asked.measured(&asked.beginning(k)).iter().map(|one| one.size).fold(0.0, f64::max);
    let natural = (0..PLACES[0]).map(size).filter(|size| size.is_finite()).fold(0.0, f64::max);
    let violated = |q: Vec<f64>| {
        asked.measured(&q).iter().any(|one| one.value.is_finite() && one.value.abs() > VIOLATED * one.size.max(natural))
    };
    (0..PLACES[0]).filter_map(|k| places.found(k)).any(violated)
}

/// Places where the rows depend on each other, by (2): some of them, each once.
pub fn places(loaded: &Loaded, statics: &Statics, ground: &Ground) -> Vec<Vec<f64>> {
    const SAME: f64 = 1e-2;
    let rows = statics.rows.list.len();
    if rows == 0 || statics.timed.is_some() {
        return Vec::new();
    }
    let mu: Vec<Expr> = (0..rows).map(multiplier).collect();
    let mut list: Vec<Expr> = statics.conditions.iter().map(|one| one.1).collect();
    list.extend((0..statics.q.len()).map(|s| (0..rows).map(|r| statics.slopes[r][s] * mu[r]).sum::<Expr>()));
    list.push(mu.iter().map(|&x| x * x).sum::<Expr>() - Expr::one());
    list.retain(|e| *e != Expr::zero());
    let Some(places) = Places::new(loaded, list, rows) else { return Vec::new() };
    let mut found: Vec<Vec<f64>> = Vec::new();
    for k in 0..PLACES[1] {
        let Some(z) = places.found(k) else { continue };
        let q = ground.normal(&statics.searched.iter().map(|&s| z[s]).collect::<Vec<f64>>());
        if ground.contains(&q) && !found.iter().any(|other| ground.is_same(other, &q, SAME)) {
            found.push(q);
        }
    }
    found
}

/// Whether the forces set something in motion at a place where rows depend, by (3): multipliers say nothing there.
pub fn leaves(loaded: &Loaded, statics: &Statics, place: &[f64]) -> bool {
    const NEAR: f64 = 1e-3;
    const CLEAR: f64 = 0.05;
    if statics.is_nonholonomic() || statics.timed.is_some() {
        return false;
    }
    let conditions = statics.conditions.iter().map(|one| one.1).collect();
    let (Some(mut around), Some(force)) =
        (Places::new(loaded, conditions, 0), Places::new(loaded, statics.force.clone(), 0))
    else {
        return false;
    };
    statics.searched.iter().zip(place).for_each(|(&s, &x)| around.first[s] = x);
    let (first, reach) = (around.first.clone(), around.reach.clone());
    around.reach.iter_mut().for_each(|reach| *reach *= NEAR);
    let F: Vec<f64> = force.measured(&first).iter().map(|one| one.value).collect();
    let works = |z: Vec<f64>| {
        let distance =
            z.iter().zip(&first).zip(&reach).map(|((x, x0), reach)| ((x - x0) / reach).abs()).fold(0.0, f64::max);
        let terms: Vec<f64> = z.iter().zip(&first).zip(&F).map(|((x, x0), force)| force * (x - x0)).collect();
        let (work, size) = (terms.iter().sum::<f64>(), terms.iter().map(|x| x.abs()).sum::<f64>());
        (0.01 * NEAR..100.0 * NEAR).contains(&distance) && work > CLEAR * size
    };
    (0..PLACES[1]).filter_map(|k| around.found(k)).any(works)
}

/// What is said if the constraints hold nowhere, or nowhere that was found.
pub fn never(loaded: &Loaded, statics: &Statics) -> Option<String> {
    if statics.conditions.is_empty() || statics.timed.is_some() {
        return None;
    }
    let list: Vec<Expr> = statics.conditions.iter().map(|one| one.1).collect();
    let places = Places::new(loaded, list, 0)?;
    if (0..PLACES[1]).any(|k| places.found(k).is_some()) {
        return None;
    }
    let mut rows = 0..statics.conditions.len();
    let impossible = rows.find(|&row| places.is_impossible(row)).map(|row| &statics.conditions[row].0);
    Some(match impossible {
        Some(name) => format!("`{name}` cannot hold anywhere: no place satisfies it"),
        None => "no place was found where the constraints hold together".to_owned(),
    })
}

fn multiplier(row: usize) -> Expr {
    expr::parameter(&format!("mu{row}@dependent"))
}

/// Equations in the coordinates, and in some multipliers, as a program.
struct Places {
    tape: Tape,
    known: Vec<f64>,
    first: Vec<f64>,
    reach: Vec<f64>,
}

impl Places {
    fn new(loaded: &Loaded, list: Vec<Expr>, multipliers: usize) -> Option<Places> {
        let system = &loaded.system;
        let mut inputs: Vec<Expr> = system.parameters.iter().map(|parameter| parameter.symbol).collect();
        inputs.push(system.time);
        inputs.extend(system.q());
        inputs.extend((0..multipliers).map(multiplier));
        let time = loaded.start.time.number.unwrap_or(0.0);
        let parameters = loaded.start.parameters.iter().map(|value| value.unwrap_or(f64::NAN));
        let first = loaded.start.coordinates.iter().map(|value| value.number.unwrap_or(0.0));
        let reach = (0..system.coordinates.len()).map(|s| natural(loaded, s));
        Some(Places {
            tape: Tape::new(&inputs, &[], &[], &[list]).ok()?,
            known: parameters.chain([time]).collect(),
            first: first.chain((0..multipliers).map(|_| 0.0)).collect(),
            reach: reach.chain((0..multipliers).map(|_| 1.0)).collect(),
        })
    }

    fn values<R: Real>(&self, z: &[f64], moving: impl Fn(f64, usize) -> R) -> Vec<R> {
        let mut memory = self.tape.memory::<R>();
        let all = self.known.iter().map(|&x| (x, usize::MAX)).chain(z.iter().copied().zip(0..));
        all.enumerate().for_each(|(input, (x, k))| self.tape.put(&mut memory, input, moving(x, k)));
        self.tape.run(0, Switches::Free, &mut memory);
        self.tape.outputs(0).iter().map(|&slot| memory[slot as usize]).collect()
    }

    /// Whether an equation cannot hold, whatever the coordinates are: by intervals over each quadrant.
    fn is_impossible(&self, row: usize) -> bool {
        const MOST_COORDINATES: usize = 6;
        let (known, n) = (self.known.len(), self.first.len());
        let side = |is_positive: bool| match is_positive {
            true => Interval::new(0.0, f64::INFINITY),
            false => Interval::new(f64::NEG_INFINITY, 0.0),
        };
        let excludes_zero = |quadrant: usize| {
            let mut memory = self.tape.memory::<Interval>();
            self.known.iter().enumerate().for_each(|(k, &x)| self.tape.put(&mut memory, k, Interval::float(x)));
            (0..n).for_each(|k| self.tape.put(&mut memory, known + k, side(quadrant >> k & 1 == 1)));
            self.tape.run(0, Switches::Free, &mut memory);
            !memory[self.tape.outputs(0)[row] as usize].contains(0.0)
        };
        n <= MOST_COORDINATES && (0..1 << n).all(excludes_zero)
    }

    fn measured(&self, z: &[f64]) -> Vec<Measured> {
        self.values(z, |x, _| Measured::float(x))
    }

    /// The k-th place to begin from.
    fn beginning(&self, k: usize) -> Vec<f64> {
        let n = self.first.len();
        let away = |j: usize| 2.0 * somewhere((k * n + j) as u64) - 1.0;
        (0..n).map(|j| self.first[j] + self.reach[j] * away(j)).collect()
    }

    /// A place where all equations hold, from the k-th place; a multiple one is approached slowly.
    fn found(&self, k: usize) -> Option<Vec<f64>> {
        const ROUNDS: usize = 60;
        const STILL: f64 = 1e-6;
        let n = self.first.len();
        let mut z = self.beginning(k);
        let first: Vec<f64> = self.measured(&z).iter().map(|one| one.size.max(f64::MIN_POSITIVE)).collect();
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let values = self.measured(&z);
            let mut slopes = vec![vec![0.0; n]; values.len()];
            for begin in (0..n).step_by(LANES) {
                let made = self.values(&z, |x, k| Slope::<LANES>::moving(x, k.wrapping_sub(begin)));
                for (row, one) in slopes.iter_mut().zip(&made) {
                    let lanes = (n - begin).min(LANES);
                    row[begin..begin + lanes].copy_from_slice(&one.along[..lanes]);
                }
            }
            let scaled = |(row, size): (&Vec<f64>, &f64)| -> Vec<f64> {
                row.iter().zip(&self.reach).map(|(x, reach)| x * reach / size).collect()
            };
            let matrix: Vec<f64> = slopes.iter().zip(&first).flat_map(scaled).collect();
            let right: Vec<f64> = values.iter().zip(&first).map(|(one, size)| -one.value / size).collect();
            let (step, _) = least(&matrix, &right, &vec![1.0; n], LEAST).ok()?;
            z.iter_mut().zip(&step).zip(&self.reach).for_each(|((x, step), reach)| *x += step * reach);
            last = step.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            if last < 1e-14 {
                break;
            }
        }
        let values = self.measured(&z);
        let small = |(one, first): (&Measured, &f64)| one.value.abs() <= 1e-9 * first.max(one.size);
        (last < STILL && values.iter().zip(&first).all(small)).then_some(z)
    }
}
