//! Does a row change with everything that its text names as it changes with the coordinates?

mod support;

use expr::Expr;
use mechanics::displacement::{Named, Slopes};
use mechanics::rows::{Row, row_name};
use mechanics::{Orientation, System, Vector};

/// A column of ∂v/∂q' for each coordinate.
fn slopes(velocity: Vector, system: &System) -> Vec<Vector> {
    let matrix = expr::jacobian(&velocity.0, &system.q_dot()).unwrap();
    (0..system.coordinates.len()).map(|s| Vector([matrix[0][s], matrix[1][s], matrix[2][s]])).collect()
}

/// How what is named moves with each coordinate.
fn moves(named: Named, system: &System) -> Vec<Vector> {
    let omega = |frame: usize| system.frames[frame].omega;
    let velocity = match named {
        Named::Point(point) => system.points[point].position.rate().unwrap(),
        Named::Material { body, place } => {
            let body = &system.bodies[body];
            body.centre.rate().unwrap() + omega(body.frame).cross(place - body.centre)
        }
        Named::Frame(frame) => omega(frame),
        Named::Body(body) => omega(system.bodies[body].frame),
        Named::Coordinate(_) => Vector::zero(),
        Named::Centre(body) => system.bodies[body].centre.rate().unwrap(),
    };
    slopes(velocity, system)
}

#[test]
fn displacements_of_what_is_named_make_up_every_row() {
    // forget that a frame turns, or an abbreviation that names a point, and this fails
    let mut counted = 0;
    for (name, text) in support::gallery() {
        let _scope = expr::Scope::enter();
        let parsed = model::parse(&name, &text).model.unwrap();
        let system = mechanics::lower(&parsed).unwrap();
        // the length of a quaternion, which turns nothing, is in its rows too
        if system.frames.iter().any(|frame| matches!(frame.orientation, Orientation::Quaternion(_))) {
            continue;
        }
        for (place, one) in system.constraints.iter().enumerate().filter(|(_, one)| one.text.is_some()) {
            let row = |k: usize| Row::of(&system, &row_name(one, k), place, one.rows[k]).unwrap();
            let rows: Vec<Row> = (0..one.rows.len()).map(row).collect();
            let orders: Vec<u32> = rows.iter().map(|row| row.order).collect();
            for (row, Slopes { on, bare }) in rows.iter().zip(system.slopes(one, &orders).unwrap()) {
                let named: Vec<(Vec<Vector>, Vector)> =
                    on.into_iter().map(|(named, slope)| (moves(named, &system), slope)).collect();
                for s in 0..system.coordinates.len() {
                    let work: Expr = named.iter().map(|(moves, slope)| slope.dot(moves[s])).sum();
                    let bare: Expr = bare.iter().filter(|one| one.0 == s).map(|one| one.1).sum();
                    assert!((work + bare - row.A[s]).is_zero(), "{name}: {} on {s}", row.name);
                }
                counted += 1;
            }
        }
    }
    assert!(counted > 60, "{counted} rows");
}
