//! What does a one-sided constraint do to the rates when it closes? It does not bounce.
//!
//! ```text
//! M (q'₊ − q'₋) = Aᵀ Λ,   A q'₊ + ∂f/∂t = 0       for all rows that act and those that close       (1)
//! Λ ≥ 0                                           for one-sided rows; a row that would pull opens   (2)
//! T₋ − T₊                                         the energy that is lost                           (3)
//! ```

use mechanics::chart::ChartKind;
use mechanics::ingredients::Ingredients;
use mechanics::rows::Row;

use crate::{Loaded, Ordered};

/// What an impact does.
pub struct Blow {
    /// The change of the rates.
    pub jump: Vec<f64>,
    /// The impulses Λ by row.
    pub impulses: Ordered<f64>,
    /// The energy that is lost (3).
    pub energy_lost: f64,
    /// One-sided constraints that open (2).
    pub opened: Vec<usize>,
}

/// The impact at the reference state: these constraints close, those in `gone` have let go.
pub fn impact(loaded: &Loaded, kind: ChartKind, closing: &[usize], gone: &[usize]) -> Result<Blow, String> {
    let system = &loaded.system;
    let open: Vec<usize> = gone.iter().copied().filter(|place| !closing.contains(place)).collect();
    let slips = closing.iter().flat_map(|&gap| mechanics::contact::slips_with(system, gap));
    let closing: Vec<usize> = closing.iter().copied().chain(slips).collect();
    let all = mechanics::rows::Rows::closing(system, &closing, &open)
        .map_err(|_| "the constraints that meet there contradict each other".to_owned())?;
    let given = Ingredients::of(system, &all, kind);
    let n = given.q.len();
    let p = given.p().map_err(|error| error.to_string())?;
    let (mass, _) = expr::linear_coefficients(&p, &given.q_dot).map_err(|error| error.to_string())?;
    let mass: Result<Vec<Vec<f64>>, String> = mass
        .iter()
        .map(|row| {
            let row = given.thawed(row).map_err(|error| error.to_string())?;
            Ok(row.iter().map(|entry| entry.reference()).collect())
        })
        .collect();
    let mass = mass?;
    let mut rows: Vec<&Row> = all.list.iter().filter(|row| row.velocity.is_some()).collect();
    let mut opened = Vec::new();
    loop {
        let m = rows.len();
        let size = n + m;
        let (mut matrix, mut right) = (vec![0.0; size * size], vec![0.0; size]);
        for i in 0..n {
            matrix[i * size..i * size + n].copy_from_slice(&mass[i]);
        }
        for (i, row) in rows.iter().enumerate() {
            right[n + i] = -row.velocity.map_or(0.0, |velocity| velocity.reference());
            for j in 0..n {
                let slope = row.A[j].reference();
                matrix[(n + i) * size + j] = slope;
                matrix[j * size + n + i] = -slope;
            }
        }
        if !numeric::linear::saddle(&mut matrix, &mut right, n, &mut Vec::new()) {
            return Err("the impact is not determined: the constraints that meet there depend on each other".to_owned());
        }
        let (jump, impulses) = right.split_at(n);
        let pulls = (0..m).filter(|&i| system.constraints[rows[i].constraint].is_one_sided() && impulses[i] < 0.0);
        if let Some(worst) = pulls.min_by(|&i, &j| impulses[i].total_cmp(&impulses[j])) {
            let gap = rows[worst].constraint;
            let slips = mechanics::contact::slips_with(system, gap);
            opened.push(gap);
            rows.retain(|row| row.constraint != gap && !slips.contains(&row.constraint));
            continue;
        }
        let before: Vec<f64> = given.q_dot.iter().map(|rate| rate.reference()).collect();
        // T₋ − T₊ with the part of T that is linear in the rates left out on both sides: it is in neither for M alone
        let energy = |rates: &[f64]| -> f64 {
            (0..n).map(|i| (0..n).map(|j| 0.5 * mass[i][j] * rates[i] * rates[j]).sum::<f64>()).sum()
        };
        let after: Vec<f64> = before.iter().zip(jump).map(|(rate, jump)| rate + jump).collect();
        return Ok(Blow {
            energy_lost: energy(&before) - energy(&after),
            impulses: rows.iter().zip(impulses).map(|(row, &impulse)| (row.name.clone(), impulse)).collect(),
            jump: jump.to_vec(),
            opened,
        });
    }
}
