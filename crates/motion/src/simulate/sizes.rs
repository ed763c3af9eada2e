//! How large are the numbers of a state by nature?
//!
//! ```text
//! coordinate   the largest of its unit at the start, among coordinates and parameters; 1 for an angle
//! rate         the largest of its unit, or √(acceleration · size), or √(force/mass · size)
//! state        the largest of its unit, among its value and parameters; 1 for a number
//! energy       the largest ½ m rate² or force · size
//! ```

use expr::At;

use crate::simulate::phase::Phase;
use crate::simulate::state::State;
use engine::Loaded;

/// An acceleration that is smaller, against the largest in sizes of its coordinates, is what rounding leaves of reactions in
/// balance, and no size.
const ROUNDING: f64 = 1e-12;

/// Natural sizes of the numbers of the state: those of all coordinates with the same unit.
pub fn natural(loaded: &Loaded, phase: &mut Phase, state: &State, at: &At, energy: f64) -> Vec<f64> {
    let (system, loads) = (&loaded.system, phase.loads(at));
    let (n, work) = (system.coordinates.len(), state.y.len() - 1);
    let mut slope = vec![0.0; work + 1];
    let known = numeric::Field::rates(&mut phase.machine, state.t, &state.y, &mut slope).is_ok();
    let dimension = |k: usize| &system.coordinates[k].dimension;
    let alike = |k: usize| (0..n).filter(move |&other| dimension(other) == dimension(k));
    let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0_f64, |size, x| size.max(x.abs()));
    let mut sizes = vec![0.0; work + 1];
    for (k, size) in sizes.iter_mut().enumerate().take(n) {
        let seen = largest(&mut alike(k).map(|other| state.y[other]));
        let parameters = system.parameters.iter().zip(&loaded.start.parameters);
        let same =
            parameters.filter(|(parameter, _)| parameter.dimension.is_some() && parameter.dimension == *dimension(k));
        let said = largest(&mut same.filter_map(|one| *one.1));
        let is_angle = dimension(k).as_ref().is_some_and(model::Dimension::is_none);
        // what is smaller is rounding, and no size
        let seen = if seen > 1e-9 { seen } else { 0.0 };
        let found = if is_angle { 1.0 } else { seen.max(said) };
        *size = if found > 0.0 && found.is_finite() { found } else { 1.0 };
    }
    // what happens, or what the forces could do, though they may balance here
    let pull = |list: &mut dyn Iterator<Item = usize>| {
        largest(&mut list.map(|k| {
            let turn = if known { slope[n + k].abs() } else { 0.0 };
            let push = (loads[k].0 / loads[k].1).abs();
            turn.max(if push.is_finite() { push } else { 0.0 })
        }))
    };
    let fastest = (0..n).map(|k| pull(&mut std::iter::once(k)) / sizes[k]).fold(0.0, f64::max);
    for k in 0..n {
        let rate = largest(&mut alike(k).map(|other| state.y[n + other]));
        // what moves less than this in a second is at rest
        let rate = if rate > 1e-15 * sizes[k] { rate } else { 0.0 };
        let own = pull(&mut alike(k));
        let own = if own > ROUNDING * sizes[k] * fastest { own } else { 0.0 };
        let size = rate.max((own * sizes[k]).sqrt());
        sizes[n + k] = if size > 0.0 && size.is_finite() { size } else { sizes[k] };
    }
    for (one, k) in system.states.iter().zip(2 * n..) {
        let parameters = system.parameters.iter().zip(&loaded.start.parameters);
        let same = parameters.filter(|(parameter, _)| one.dimension.is_some() && parameter.dimension == one.dimension);
        let is_number = one.dimension.as_ref().is_none_or(model::Dimension::is_none);
        let said = if is_number { 1.0 } else { largest(&mut same.filter_map(|one| *one.1)) };
        let found = said.max(state.y[k].abs());
        sizes[k] = if found > 0.0 && found.is_finite() { found } else { 1.0 };
    }
    let moved = loads
        .iter()
        .enumerate()
        .map(|(k, (force, mass))| (0.5 * mass * sizes[n + k].powi(2)).abs().max((force * sizes[k]).abs()));
    let energy = moved.filter(|x| x.is_finite()).fold(energy, f64::max);
    sizes[work] = if energy > 0.0 && energy.is_finite() { energy } else { 1.0 };
    sizes
}
