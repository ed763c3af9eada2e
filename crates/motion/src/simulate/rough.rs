//! What is watched of rough contacts while they stick or slide?
//!
//! ```text
//! sticks     μ² N² − T²                 down: it slips                                                       (1)
//! slides     s_d, the slip along the direction that it had    down: it comes to rest                        (2)
//!            4 s_d² − s²                down: it has turned by 60 degrees, and gets another direction
//!            N, on a guide              through zero: it presses on the other side
//!            D = det A_i x_k,  M x_k − Aᵀν = A_kᵀ + B_k,  A x_k = 0      down: solvability is lost           (3)
//! ```
//!
//! B_k is the friction for a normal force of one at contact k; i and k run over those that slide. Of several contacts (1)
//! and N through zero are strains: what comes then is looked for, for all together. Where contacts share a load,
//! `strain.rs` watches them.

use expr::{Expr, Kind, Symbol};
use mechanics::Held;
use mechanics::contact::contact_of;
use mechanics::friction::{Sliding, Slip};
use mechanics::ingredients::Ingredients;
use mechanics::rows::{Row, Rows};
use numeric::{Direction, Solve, Structure};

use crate::simulate::bridge::{NoPhase, mass_matrix};
use crate::simulate::watch::{Natural, WatchList, Watched};

/// A slip that is smaller than this, against that at the beginning, has no direction any more.
const SLOW: f64 = 1e-5;

/// What is watched of rough contacts, and what must be solved for it.
#[derive(Default)]
pub struct OfFriction {
    /// What is watched.
    pub watched: WatchList,
    /// What must be solved.
    pub solves: Vec<Solve>,
}

impl OfFriction {
    /// For contacts that stick or slide, with all rows that act; those of which `is_strained` is true are watched as
    /// a whole elsewhere.
    pub fn of(given: &Ingredients<'_>, all: &Rows, is_strained: &dyn Fn(usize) -> bool) -> Result<OfFriction, NoPhase> {
        let mut watched = WatchList::default();
        let several = given.mode.held.len() > 1;
        for held in &given.mode.held {
            let gap = held.rough.gap;
            match &held.sliding {
                None if is_strained(gap) => {}
                None => {
                    let what = if several { Watched::Strain } else { Watched::Slip(gap) };
                    watched.add(what, cone(given, all, held), Direction::Down, Natural::Push(2));
                }
                Some(sliding) => watch_slip(&mut watched, given, sliding, several),
            }
        }
        // of those that share a load no determinant tells anything
        let shares = given.mode.sliding().any(|sliding| is_strained(sliding.rough.gap));
        let solves = if shares { Vec::new() } else { watch_solvability(&mut watched, given)? };
        Ok(OfFriction { watched, solves })
    }
}

/// The multipliers of the slips of a contact that sticks.
pub fn tangential(given: &Ingredients<'_>, all: &Rows, held: &Held) -> Vec<Expr> {
    let (system, gap) = (given.system, held.rough.gap);
    let contact = contact_of(&system.constraints[gap]);
    let is_slip = |row: &&Row| match row.slips {
        true => row.constraint == gap,
        false => {
            let constraint = &system.constraints[row.constraint];
            constraint.is_rough && contact.is_some() && contact_of(constraint) == contact
        }
    };
    all.list.iter().filter(is_slip).map(|row| row.lambda).collect()
}

/// (1)
fn cone(given: &Ingredients<'_>, all: &Rows, held: &Held) -> Expr {
    let rough = &held.rough;
    let tangential: Expr = tangential(given, all, held).into_iter().map(|lambda| lambda.pow(2)).sum();
    (rough.mu * rough.scale * rough.lambda(given.system)).pow(2) - tangential
}

/// (2)
fn watch_slip(watched: &mut WatchList, given: &Ingredients<'_>, sliding: &Sliding, several: bool) {
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
            let slow = expr::symbol(Symbol::new(&format!("slow@{gap}"), Kind::Parameter));
            let turned = 4 * along.pow(2) - square + slow.pow(2);
            watched.add(Watched::Turn(gap), turned, Direction::Down, Natural::Zero);
            watched.limits.push((slow, SLOW * given.at.value(square).sqrt().max(size)));
        }
        Slip::Velocity => {}
    }
    if !rough.is_one_sided {
        let direction = if sliding.press > 0 { Direction::Down } else { Direction::Up };
        let what = if several { Watched::Strain } else { Watched::Presses(gap) };
        watched.add(what, rough.lambda(given.system), direction, Natural::Push(1));
    }
}

/// (3)
fn watch_solvability(watched: &mut WatchList, given: &Ingredients<'_>) -> Result<Vec<Solve>, NoPhase> {
    let sliding: Vec<&Sliding> = given.mode.sliding().filter(|sliding| sliding.normal.is_none()).collect();
    let pressed = |one: &&Sliding| given.rows.pressed.iter().find(|row| row.constraint == one.rough.gap);
    let Some(own) = sliding.iter().map(pressed).collect::<Option<Vec<&Row>>>() else { return Ok(Vec::new()) };
    let [first, ..] = sliding[..] else { return Ok(Vec::new()) };
    let forces = given.thawed(given.Q()?)?;
    let lambdas: Vec<Expr> = sliding.iter().map(|one| one.rough.lambda(given.system)).collect();
    let (of_units, _) = expr::linear_coefficients(&forces, &lambdas)
        .map_err(|error| NoPhase::Broken(format!("friction is not linear in the force that presses: {error}")))?;
    let (mass, rows) = (mass_matrix(given)?, &given.rows.list);
    let mut matrix: Vec<Vec<Expr>> = mass;
    for (s, line) in matrix.iter_mut().enumerate() {
        line.extend(rows.iter().map(|row| -row.A[s]));
    }
    matrix.extend(rows.iter().map(|row| row.A.iter().copied().chain(rows.iter().map(|_| Expr::zero())).collect()));
    let structure = Structure::of(&matrix);
    let solve = |k: usize| Solve {
        unknowns: (0..matrix.len())
            .map(|i| expr::symbol(Symbol::new(&format!("unit@{k}@{i}"), Kind::Multiplier)))
            .collect(),
        matrix: matrix.clone(),
        right: of_units.iter().map(|row| row[k]).chain(rows.iter().map(|_| Expr::zero())).collect(),
        structure: structure.clone(),
    };
    let solves: Vec<Solve> = (0..sliding.len()).map(solve).collect();
    let entry = |row: &Row, solve: &Solve| row.A.iter().zip(&solve.unknowns).map(|(&a, &x)| a * x).sum::<Expr>();
    let entries: Vec<Vec<Expr>> =
        own.iter().map(|row| solves.iter().map(|solve| entry(row, solve)).collect()).collect();
    watched.add(Watched::Lost(first.rough.gap), determinant(&entries), Direction::Down, Natural::Zero);
    Ok(solves)
}

/// By the first row; as many rows as contacts slide at once.
fn determinant(matrix: &[Vec<Expr>]) -> Expr {
    let Some((first, rest)) = matrix.split_first() else { return Expr::one() };
    let minor = |k: usize| {
        let without = |row: &Vec<Expr>| row.iter().enumerate().filter(|one| one.0 != k).map(|one| *one.1).collect();
        determinant(&rest.iter().map(without).collect::<Vec<Vec<Expr>>>())
    };
    let sign = |k: usize| if k.is_multiple_of(2) { Expr::one() } else { -Expr::one() };
    first.iter().enumerate().map(|(k, &entry)| sign(k) * entry * minor(k)).sum()
}
