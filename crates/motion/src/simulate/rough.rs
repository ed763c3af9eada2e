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
use mechanics::chart::ChartKind;
use mechanics::friction::{Sliding, Slip};
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;
use mechanics::{Held, Mode};
use numeric::{Direction, Solve, Structure};

use crate::simulate::bridge::{NoPhase, mass_matrix};
use crate::simulate::watch::{Natural, WatchList, Watched};
use dynamics::grip::Forces;

/// A slip that is smaller than this, against that at the beginning, has no direction any more.
const SLOW: f64 = 1e-5;

/// What is watched of a rough contact, and what must be solved for it.
#[derive(Default)]
pub struct OfFriction {
    /// What is watched.
    pub watched: WatchList,
    /// What must be solved.
    pub solve: Option<Solve>,
}

impl OfFriction {
    /// For a contact that sticks or slides, with all rows that act.
    pub fn of(given: &Ingredients<'_>, all: &Rows, held: &Held) -> Result<OfFriction, NoPhase> {
        let mut watched = WatchList::default();
        match &held.sliding {
            None => {
                watch_cone(&mut watched, given, all, held);
                Ok(OfFriction { watched, solve: None })
            }
            Some(sliding) => {
                watch_slip(&mut watched, given, sliding);
                let solve = watch_solvability(&mut watched, given, sliding)?;
                Ok(OfFriction { watched, solve })
            }
        }
    }
}

/// (1)
fn watch_cone(watched: &mut WatchList, given: &Ingredients<'_>, all: &Rows, held: &Held) {
    let (system, rough) = (given.system, &held.rough);
    let is_slip = |row: &&mechanics::rows::Row| row.slips || given.mode.sticks(system, row.constraint);
    let tangential: Expr = all.list.iter().filter(is_slip).map(|row| row.lambda.pow(2)).sum();
    if !is_held_by_others(given, held) {
        let normal = rough.mu * rough.scale * rough.lambda(system);
        watched.add(Watched::Slip(rough.gap), normal.pow(2) - tangential, Direction::Down, Natural::Push(2));
    }
}

/// (2)
fn watch_slip(watched: &mut WatchList, given: &Ingredients<'_>, sliding: &Sliding) {
    let (rough, gap) = (&sliding.rough, sliding.rough.gap);
    let slips: Vec<Expr> = rough.slips.iter().map(|slip| slip.1).collect();
    match sliding.slip {
        Slip::Sign(sign) => {
            let slip = slips[0] * expr::integer(sign.into());
            watched.add(Watched::Halt(gap), slip, Direction::Down, Natural::Terms(slips[0]));
        }
        Slip::Near([a, b], _) | Slip::Toward([a, b]) => {
            let along = slips[0] * mechanics::friction::exact(a) + slips[1] * mechanics::friction::exact(b);
            let size = slips.iter().map(|&slip| given.at.size(slip)).fold(0.0, f64::max);
            let square: Expr = slips.iter().map(|slip| slip.pow(2)).sum();
            watched.add(Watched::Halt(gap), along, Direction::Down, Natural::Largest(slips));
            // it has turned by 60 degrees, and has not almost come to rest
            let slow = expr::symbol(Symbol::new("slow@slip", Kind::Parameter));
            let turned = 4 * along.pow(2) - square + slow.pow(2);
            watched.add(Watched::Turn(gap), turned, Direction::Down, Natural::Zero);
            watched.limits.push((slow, SLOW * given.at.value(square).sqrt().max(size)));
        }
        Slip::Velocity => {}
    }
    if !rough.is_one_sided {
        let direction = if sliding.press > 0 { Direction::Down } else { Direction::Up };
        watched.add(Watched::Presses(gap), rough.lambda(given.system), direction, Natural::Push(1));
    }
}

/// (3)
fn watch_solvability(
    watched: &mut WatchList,
    given: &Ingredients<'_>,
    sliding: &Sliding,
) -> Result<Option<Solve>, NoPhase> {
    let gap = sliding.rough.gap;
    let forces = given.thawed(given.Q()?)?;
    let (of_unit, _) = expr::linear_coefficients(&forces, &[sliding.rough.lambda(given.system)])
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
    let Some(row) = given.rows.pressed.iter().find(|row| row.constraint == gap) else { return Ok(None) };
    let determinant: Expr = row.A.iter().zip(&unknowns).map(|(&a, &x)| a * x).sum();
    watched.add(Watched::Lost(gap), determinant, Direction::Down, Natural::Zero);
    let structure = Structure::of(&matrix);
    Ok(Some(Solve { unknowns, matrix, right, structure }))
}

/// Whether other constraints keep the contact from slipping, so that it needs no friction.
fn is_held_by_others(given: &Ingredients<'_>, held: &Held) -> bool {
    let free = Mode { held: None, released: Vec::new(), ..given.mode.clone() };
    let forces = Forces::of(given.system, &free, given.at, ChartKind::Rates, &held.rough, false);
    forces.is_ok_and(|forces| {
        let matrix = forces.matrix();
        (1..matrix.len()).all(|k| matrix[k][k] <= 1e-12 * matrix[0][0])
    })
}
