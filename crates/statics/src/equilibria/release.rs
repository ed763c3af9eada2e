//! What if a one-sided constraint that carries nothing opens?
//!
//! It does not hold the place: the verdict is that of the system with the constraint open, on the side that it allows.
//!
//! | with it open | on the side that it allows |
//! | --- | --- |
//! | a minimum | a minimum |
//! | the energy decreases along v to second order | it does along v and −v, and one of them opens: unstable |
//! | the first term of the force along v is not linear | the force on the side to which v, or −v, opens |
//! | anything else | undecided |

use expr::Expr;

use super::answer::{Found, rest_at};
use super::exact::Exact;
use super::flat::Leading;
use super::inertia::Stiffness;
use super::program::Program;
use super::set;
use super::stability::{Nearby, Rest, Stability, stability};
use super::statics::Statics;
use super::{Choice, Equilibria, Trouble, choice, ground, unknowns};
use engine::Loaded;

/// A slope that is smaller, relative to its terms, is zero.
const NOTHING: f64 = 1e-9;

/// The verdict on a point with the constraints open that carry nothing there; nothing if all that are closed carry.
pub fn released(
    loaded: &Loaded,
    relative: &[(usize, Expr)],
    statics: &Statics,
    choice: &Choice,
    found: &Found,
    branch: Option<&Exact>,
) -> Result<Option<Stability>, Trouble> {
    let (idle, q) = (&found.idle, &found.q);
    if idle.is_empty() || statics.timed.is_some() {
        return Ok(None);
    }
    let choice: Choice = choice.iter().map(|&(place, closed)| (place, closed && !idle.contains(&place))).collect();
    let Some(opened) = judge_open(loaded, relative, &choice, q, branch)? else { return Ok(None) };
    let side = match (&idle[..], &opened.leading) {
        _ if opened.found.verdict != Rest::Unstable => None,
        ([place], Some(leading)) => Some(leads_back(loaded, statics, q, *place, leading)),
        ([_], None) if opened.falls => Some(false),
        _ => None,
    };
    let names: Vec<String> = idle.iter().map(|&place| format!("`{}`", loaded.system.constraints[place].name)).collect();
    Ok(Some(tell(opened.found, side, &names)))
}

/// The verdict with constraints open.
struct Opened {
    found: Stability,
    /// The first term of the force along the one direction without stiffness.
    leading: Option<Leading>,
    /// Whether the energy decreases to second order.
    falls: bool,
}

/// Judges the place q with the constraints of a choice; nothing if its equations cannot be linearised.
fn judge_open(
    loaded: &Loaded,
    relative: &[(usize, Expr)],
    choice: &Choice,
    q: &[f64],
    branch: Option<&Exact>,
) -> Result<Option<Opened>, Trouble> {
    let mut ignored = Vec::new();
    let mode = choice::mode(loaded, choice);
    let rows = choice::rows(loaded, &mode)?;
    let open = Statics::new(loaded, mode, rows, relative, unknowns(loaded), &mut ignored)?;
    let mut program = Program::new(loaded, &open, open.instants.clone())?;
    ground::ground(loaded, &open, &Equilibria::default(), &mut program, &mut ignored)?;
    program.elsewhere = q.to_vec();
    let places: Vec<f64> = open.searched.iter().map(|&s| q[s]).collect();
    let mut alone = set::point(&program, program.with_multipliers(&places));
    if let (Some(branch), Some(stiffness)) = (branch, Stiffness::new(loaded, &open)) {
        alone.inertia = branch.inertia(&open, &program, &stiffness, &alone.z, &loaded.at);
        alone.spectral = branch.spectral(&open, &program, &stiffness, &loaded.at, &alone);
        alone.leading = branch.leading(loaded, &open, alone.inertia);
    }
    let Some(nearby) = Nearby::new(loaded, &open) else { return Ok(None) };
    let found = stability(&open, &program, &nearby, &alone);
    let falls = open.is_potential && found.stiffness.first().is_some_and(|one| *one < 0.0) && alone.leading.is_none();
    Ok(Some(Opened { found, leading: alone.leading, falls }))
}

/// Tells the verdict with the constraints that opened; `side` is whether the force leads back where they open, if known.
fn tell(mut found: Stability, side: Option<bool>, idle: &[String]) -> Stability {
    let names = idle.join(", ");
    let (carry, open) = if idle.len() == 1 { ("carries", "opens") } else { ("carry", "open") };
    match side {
        _ if found.verdict != Rest::Unstable => {
            found.reason = format!("{}; this holds where {names}, which {carry} nothing, {open} too", found.reason);
        }
        Some(true) => {
            found.verdict = Rest::Stable;
            found.reason = format!("{names} carries nothing, but on the side to which it opens the force leads back");
        }
        Some(false) => found.reason = format!("{names} carries nothing and opens: {}", found.reason),
        None => {
            found.verdict = Rest::Undecided;
            let them = if idle.len() == 1 { "it" } else { "them" };
            found.reason = format!("{names} {carry} nothing; without {them}: unstable, since {}", found.reason);
        }
    }
    found
}

/// Whether the force leads back on each side of a direction that a one-sided constraint allows.
fn leads_back(loaded: &Loaded, statics: &Statics, q: &[f64], place: usize, leading: &Leading) -> bool {
    let there = rest_at(loaded, statics, q, &[]);
    let slope = |&gap: &Expr| {
        let slopes = expr::gradient(gap, &statics.q).unwrap_or_default();
        let parts = slopes.iter().zip(&leading.direction).map(|(e, v)| there.value(*e) * v);
        let parts: Vec<f64> = parts.filter(|part| part.is_finite()).collect();
        let size: f64 = parts.iter().map(|part| part.abs()).sum();
        (parts.iter().sum::<f64>(), size)
    };
    let opens: Vec<(f64, f64)> = loaded.system.constraints[place].rows.iter().map(slope).collect();
    let (forward, backward) = leading.leads_back();
    let allows = |sign: f64| opens.iter().all(|(slope, size)| sign * slope >= -NOTHING * size);
    (!allows(1.0) || forward) && (!allows(-1.0) || backward)
}
