//! What are the rates right after impulses at the first instant?
//!
//! ```text
//! M Δq' = Σ J·∂v/∂q' + Aᵀ Λ,   A Δq' = 0            v of the material point that is struck                 (1)
//! ```
//!
//! A are the slopes of all rows that hold rates; their impulses Λ do no work on what they admit.

use expr::{At, Expr, MathError};
use mechanics::{Mode, System, Target, Vector};

use crate::Ground;
use crate::grip::Forces;

/// The rates after the impulses of a system in this mode, from those before at this state.
pub fn struck(system: &System, mode: &Mode, at: &At) -> Result<Vec<f64>, String> {
    let ground = Ground::new(system, at);
    let mut forces = Forces::of(&ground, mode, at, &[], false)?;
    forces.ideal.retain(|row| row.has_speed);
    let mut push = vec![0.0; system.coordinates.len()];
    for impulse in &system.impulses {
        let work = work(system, impulse.value, impulse.on, impulse.at).map_err(|error| error.to_string())?;
        push.iter_mut().zip(at.values(&work)).for_each(|(sum, one)| *sum += one);
    }
    let still = vec![0.0; forces.ideal.len()];
    let jump = forces.solve(&push, &still).filter(|jump| jump.iter().all(|one| one.is_finite()));
    let jump = jump.ok_or("what an impulse at the start does is not determined: something without mass is struck")?;
    Ok(at.values(&system.q_dot()).iter().zip(jump).map(|(before, jump)| before + jump).collect())
}

/// J·∂v/∂q'
fn work(system: &System, value: Vector, on: Target, at: Vector) -> Result<Vec<Expr>, MathError> {
    let velocity = match on {
        Target::Point(point) => system.points[point].position.rate()?,
        Target::Body(body) => {
            let body = &system.bodies[body];
            body.centre.rate()? + system.frames[body.frame].omega.cross(at - body.centre)
        }
    };
    let slopes = expr::jacobian(&velocity.0, &system.q_dot())?;
    let along = |s: usize| value.dot(Vector([slopes[0][s], slopes[1][s], slopes[2][s]]));
    Ok((0..system.coordinates.len()).map(along).collect())
}
