//! Can the masses of a model be masses, and does a state satisfy what the model assumes?
//!
//! ```text
//! particle   m > 0            body   m ≥ 0, principal moments ≥ 0, each at most the sum of the others
//! ```
//!
//! Judged by the numbers at the start; where a parameter has no value nothing is said.

use expr::{At, Expr, Kind};
use mechanics::Relation;
use mechanics::kinematics::central;
use syntax::Diagnostic;

use crate::{Error, Loaded, fact};

/// Rounding errors of moments of inertia are smaller than this, relative to the largest.
const ROUNDING: f64 = 1e-9;

/// An error if nothing can move.
pub fn coordinates(loaded: &Loaded) -> Result<(), Error> {
    match loaded.system.coordinates.is_empty() {
        true => Err(Error::new(format!("{} has no coordinates: nothing can move", loaded.file))
            .hint("declare some, as in `coord x, y : m`")),
        false => Ok(()),
    }
}

/// Remarks on what the model assumes and a state does not satisfy: numbers hold there, what is proved does not.
pub fn assumed(loaded: &Loaded, at: &At) -> Vec<String> {
    let fails = |assumed: &&Relation| {
        let Some((left, comparison, right)) = assumed.scalars() else { return false };
        fact::failure(left, right, comparison, None, at).is_some()
    };
    let note = |assumed: &Relation| {
        let text = syntax::format_relation(&assumed.tree);
        format!("`assume {text}` does not hold at this state: what is proved with it says nothing about it")
    };
    loaded.system.assumptions.iter().filter(fails).map(note).collect()
}

/// An error that names every mass and inertia that cannot be one.
pub fn masses(loaded: &Loaded) -> Result<(), Error> {
    let errors = complaints(loaded);
    match errors.is_empty() {
        true => Ok(()),
        false => Err(Error::of_model(&loaded.model.sources, &errors)),
    }
}

/// Every mass and inertia that cannot be one.
pub fn complaints(loaded: &Loaded) -> Vec<Diagnostic> {
    let system = &loaded.system;
    let is_known = |e: Expr| loaded.start.missing.is_empty() && loaded.at.names(&e.symbols());
    let known = |e: Expr| is_known(e).then(|| loaded.at.value(e)).filter(|value| value.is_finite());
    let mut errors = Vec::new();
    for point in &system.points {
        if let Some(value) = point.mass.and_then(known).filter(|value| *value <= 0.0) {
            let message = format!("the mass of `{}` is {} kg at the start", point.name, expr::decimal(value));
            errors.push(
                Diagnostic::error(point.span, message)
                    .hint("a particle needs a positive mass; a point without mass has no `mass`"),
            );
        }
    }
    for (place, body) in system.bodies.iter().enumerate() {
        if let Some(value) = known(body.mass).filter(|value| *value < 0.0) {
            let message = format!("the mass of `{}` is {} kg at the start", body.name, expr::decimal(value));
            errors.push(Diagnostic::error(body.span, message).hint("a body has a positive mass, or 0"));
        }
        let entries = central(system, place);
        if let Some(what) = entries.iter().find_map(|entry| changes(system, *entry)) {
            let message = format!("the inertia of `{}` changes with {what}: a rigid body keeps its own", body.name);
            errors.push(Diagnostic::error(body.span, message).hint(
                "build what changes its shape from particles and bodies of constant inertia; a mass may change: `point … mass …`",
            ));
            continue;
        }
        let entries: Option<Vec<f64>> = entries.into_iter().map(known).collect();
        let Some(entries) = entries else { continue };
        if let Some(complaint) = complaint(&entries, body.inertia.given) {
            let message = format!("the inertia of `{}` {complaint}", body.name);
            let hint = match body.inertia.about {
                Some(_) => "the entries were shifted from `about` to the mass centre: are they too small for that?",
                None => "entries are those of the matrix: xx, yy, zz, xy, yz, zx about the mass centre",
            };
            errors.push(Diagnostic::error(body.span, message).hint(hint));
        }
    }
    errors
}

/// What of a motion an expression changes with.
fn changes(system: &mechanics::System, e: Expr) -> Option<String> {
    let is_moving = |symbol: &Expr| {
        let kind = symbol.as_symbol().map(|one| one.kind);
        *symbol == system.time || kind.is_some_and(|kind| matches!(kind, Kind::Coordinate | Kind::QuasiVelocity))
    };
    let symbols =
        e.symbols().into_iter().filter(|&symbol| !expr::derivative(e, symbol).is_ok_and(|slope| slope.is_zero()));
    symbols.into_iter().find(is_moving).map(|symbol| format!("`{symbol}`"))
}

fn complaint(entries: &[f64], given: usize) -> Option<String> {
    if given == 1 {
        return (entries[2] < 0.0).then(|| format!("is negative: {}", entries[2]));
    }
    let mut moments = principal(entries);
    moments.sort_by(f64::total_cmp);
    let [a, b, c] = moments;
    let room = ROUNDING * c.abs();
    if a < -room {
        return Some(format!("has a negative principal moment: {a:.6}"));
    }
    (a + b < c - room).then(|| {
        format!("violates the triangle inequality: its principal moments are {a:.6}, {b:.6}, {c:.6} kg m^2, and the largest exceeds the sum of the others")
    })
}

/// The eigenvalues of a symmetric matrix of order three, by Jacobi's rotations.
fn principal(entries: &[f64]) -> [f64; 3] {
    let [xx, yy, zz, xy, yz, zx] = [0, 1, 2, 3, 4, 5].map(|k| entries[k]);
    let mut a = [[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]];
    for _ in 0..32 {
        for (p, q) in [(0, 1), (1, 2), (0, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            let angle = 0.5 * (2.0 * a[p][q]).atan2(a[q][q] - a[p][p]);
            let (s, c) = angle.sin_cos();
            for row in &mut a {
                (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
            }
            let (of_p, of_q) = (a[p], a[q]);
            a[p] = [0, 1, 2].map(|k| c * of_p[k] - s * of_q[k]);
            a[q] = [0, 1, 2].map(|k| s * of_p[k] + c * of_q[k]);
        }
    }
    [a[0][0], a[1][1], a[2][2]]
}
