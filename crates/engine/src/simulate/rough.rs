//! What is watched of a rough contact while it sticks or slides?
//!
//! ```text
//! sticks     μ² N² − T²                 down: it slips                                                       (1)
//! slides     s_d, the slip along the direction that it had    down: it comes to rest                        (2)
//!            4 s_d² − s²                down: it has turned by 60 degrees, and gets another direction
//!            N, on a guide              through zero: it presses on the other side
//!            D = A_n x,  M x − Aᵀν = A_nᵀ + B,  A x = 0       down: solvability is lost                      (3)
//! ```
//!
//! B is the friction for a normal force of one.

use expr::{Expr, Kind, Symbol};
use mechanics::Part;
use mechanics::chart::ChartKind;
use mechanics::friction::{Rough, Slip};
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;
use numeric::{Direction, Solve, Structure, Watch};

use crate::Loaded;
use crate::grip::Forces;
use crate::simulate::phase::{NoPhase, Numbers, WatchList, Watched, mass_matrix};

/// A slip that is smaller than this, against that at the beginning, has no direction any more.
const SLOW: f64 = 1e-5;

/// What is watched, and what must be solved for it.
#[derive(Default)]
pub struct OfFriction {
    /// What is watched.
    pub watched: WatchList,
    /// The values.
    pub values: Vec<Expr>,
    /// Numbers in them.
    pub limits: Numbers,
    /// What must be solved.
    pub solve: Option<Solve>,
}

impl OfFriction {
    /// For a system that sticks or slides, with all its rows.
    pub fn of(loaded: &Loaded, given: &Ingredients<'_>, all: &Rows, rough: &Rough) -> Result<OfFriction, NoPhase> {
        let (system, gap) = (&loaded.system, rough.gap);
        let mut found = OfFriction::default();
        let (mut watched, mut values) = (Vec::new(), Vec::new());
        let mut add = |what: Watched, value: Expr, direction: Direction, size: f64| {
            watched.push((what, Watch { direction, size }));
            values.push(value);
        };
        let lambda = rough.lambda(system);
        let Some(sliding) = &system.sliding else {
            let slips = all.list.iter().filter(|row| system.constraints[row.constraint].part == Part::Sticks);
            let tangential: Expr = slips.map(|row| row.lambda.pow(2)).sum();
            let push =
                given.Q()?.iter().map(|force| force.reference().powi(2)).filter(|x| x.is_finite()).fold(0.0, f64::max);
            if !is_held_by_others(loaded, rough) {
                add(Watched::Slip(gap), (rough.mu * rough.scale * lambda).pow(2) - tangential, Direction::Down, push);
            }
            return Ok(OfFriction { watched, values, ..found });
        };
        let slips: Vec<Expr> = rough.slips.iter().map(|slip| slip.1).collect();
        match sliding.slip {
            Slip::Sign(sign) => {
                let slip = slips[0] * expr::integer(sign.into());
                add(Watched::Halt(gap), slip, Direction::Down, crate::fact::size(slips[0], 0));
            }
            Slip::Near([a, b], _) | Slip::Toward([a, b]) => {
                let along = slips[0] * mechanics::friction::exact(a) + slips[1] * mechanics::friction::exact(b);
                let size = slips.iter().map(|&slip| crate::fact::size(slip, 0)).fold(0.0, f64::max);
                add(Watched::Halt(gap), along, Direction::Down, size);
                // it has turned by 60 degrees, and has not almost come to rest
                let square: Expr = slips.iter().map(|slip| slip.pow(2)).sum();
                let slow = expr::symbol(Symbol::new("slow@slip", Kind::Parameter));
                add(Watched::Turn(gap), 4 * along.pow(2) - square + slow.pow(2), Direction::Down, 0.0);
                found.limits.push((slow, SLOW * square.reference().sqrt().max(size)));
            }
            Slip::Velocity => {}
        }
        if !rough.is_one_sided {
            let push =
                given.Q()?.iter().map(|force| force.reference().abs()).filter(|x| x.is_finite()).fold(0.0, f64::max);
            let direction = if sliding.press > 0 { Direction::Down } else { Direction::Up };
            add(Watched::Presses(gap), lambda, direction, push);
        }
        // (3)
        let forces = given.thawed(given.Q()?)?;
        let (of_unit, _) = expr::linear_coefficients(&forces, &[lambda])
            .map_err(|error| NoPhase::Broken(format!("friction is not linear in the force that presses: {error}")))?;
        let (mass, n) = (mass_matrix(given)?, given.q.len());
        let rows = &given.rows.list;
        let unknown = |k: usize| expr::symbol(Symbol::new(&format!("unit@{k}"), Kind::Multiplier));
        let unknowns: Vec<Expr> = (0..n + rows.len()).map(unknown).collect();
        let mut matrix: Vec<Vec<Expr>> = mass;
        for (s, line) in matrix.iter_mut().enumerate() {
            line.extend(rows.iter().map(|row| -row.A[s]));
        }
        matrix.extend(rows.iter().map(|row| row.A.iter().copied().chain(rows.iter().map(|_| Expr::zero())).collect()));
        let right = of_unit.iter().map(|row| row[0]).chain(rows.iter().map(|_| Expr::zero())).collect();
        let gap_row = given.rows.pressed.iter().find(|row| row.constraint == gap);
        if let Some(row) = gap_row {
            let determinant: Expr = row.A.iter().zip(&unknowns).map(|(&a, &x)| a * x).sum();
            add(Watched::Lost(gap), determinant, Direction::Down, 0.0);
            let structure = Structure::of(&matrix);
            found.solve = Some(Solve { unknowns, matrix, right, structure });
        }
        Ok(OfFriction { watched, values, ..found })
    }
}

/// Whether other constraints keep the contact from slipping, so that it needs no friction.
fn is_held_by_others(loaded: &Loaded, rough: &Rough) -> bool {
    let forces = Forces::of(&loaded.written, ChartKind::Rates, &[], rough, false);
    forces.is_ok_and(|forces| {
        let matrix = forces.matrix(rough);
        (1..matrix.len()).all(|k| matrix[k][k] <= 1e-12 * matrix[0][0])
    })
}
