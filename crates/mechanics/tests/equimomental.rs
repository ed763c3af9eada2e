//! Is a rigid body the same as particles with the same mass, mass centre and inertia?

use expr::{At, Expr};
use mechanics::chart::ChartKind;
use mechanics::formalism::FORMALISMS;
use mechanics::ingredients::Ingredients;
use mechanics::kinematics::central;
use mechanics::rows::Rows;
use mechanics::{LoadKind, Mode, Placement, Point, System, Vector};

/// The system with each body replaced by particles on its axes and between them.
///
/// With the second moments J = ½ tr(I) 1 − I a pair of mass μ at ±d adds 2 μ d dᵀ to J.
fn as_particles(system: &System) -> System {
    let mut changed = system.clone();
    changed.bodies.clear();
    for (place, body) in system.bodies.iter().enumerate() {
        let [xx, yy, zz, xy, yz, zx] = central(system, place);
        let half = expr::rational(1, 2);
        let off = [-xy, -yz, -zx];
        let on = [half * (yy + zz - xx), half * (zz + xx - yy), half * (xx + yy - zz)];
        let one = Expr::one();
        let axis = |i: usize| {
            let mut components = [Expr::zero(); 3];
            components[i] = one;
            Vector(components)
        };
        // J_ij comes from pairs along e_i + e_j, which also add to J_ii and J_jj.
        let mut pairs: Vec<(Vector, Expr)> = Vec::new();
        let mut rest = on;
        for (k, (i, j)) in [(0, 1), (1, 2), (2, 0)].into_iter().enumerate() {
            let second = off[k];
            pairs.push((axis(i) + axis(j), half * second));
            rest[i] -= second;
            rest[j] -= second;
        }
        pairs.extend((0..3).map(|i| (axis(i), half * rest[i])));
        let mut centre = body.mass;
        for (k, (direction, mass)) in pairs.into_iter().enumerate() {
            for sign in [1, -1] {
                let arm = direction * expr::integer(sign);
                changed.points.push(point(system, place, &format!("{}{k}{sign}", body.name), arm, mass));
                centre -= mass;
            }
        }
        changed.points.push(point(system, place, &format!("{}c", body.name), Vector::zero(), centre));
    }
    changed
}

fn point(system: &System, body: usize, name: &str, arm: Vector, mass: Expr) -> Point {
    let body = &system.bodies[body];
    let mut placement: Placement = body.placement.clone();
    placement.arms.push((body.frame, arm));
    let position = body.centre + system.frames[body.frame].vector(arm);
    Point { name: name.to_owned(), position, placement, mass: Some(mass), exhaust: None, span: body.span }
}

fn system_of(text: &str) -> (System, At) {
    let model = model::parse("test.mech", text).model.unwrap();
    let system = mechanics::lower(&model).unwrap();
    let at = mechanics::start(&system).at(&system);
    (system, at)
}

#[test]
fn a_body_moves_like_its_particles() {
    // drop the gyroscopic term of a body, or the shift of an inertia, and this fails
    let skew = "\
param m = 2 kg, I1 = 1 kg*m^2, I2 = 2 kg*m^2, I3 = 2.5 kg*m^2, K = 0.3 kg*m^2, g = 9.81 m/s^2
coord x, y, z : m
coord a, b, c : rad
frame R = N rotated z by a, x by b, y by c
point C = (x, y, z)
body D mass m at C + R*(0.1 m, 0.2 m, 0) frame R inertia (I1, I2, I3, K, 0.1 kg*m^2, 0.2 kg*m^2) about C
gravity (0, 0, -g)
constraint pin: C = 0
start a = 0.3, b = 0.7, c = 0.2, a' = 1 rad/s, b' = 2 rad/s, c' = -1 rad/s
";
    let read = |path: &str| {
        std::fs::read_to_string(format!("{}/../../models/{path}.mech", env!("CARGO_MANIFEST_DIR"))).unwrap()
    };
    let models = [
        ("hoop", read("rolling/hoop")),
        ("rolling-disc", read("rolling/rolling-disc")),
        ("gyroframe", read("rigid/gyroframe")),
        ("chaplygin-sleigh", read("nonholonomic/chaplygin-sleigh")),
        ("table-edge", read("statics/table-edge")),
        ("skew", skew.to_owned()),
    ];
    for (name, text) in models {
        let _scope = expr::Scope::with_seed(5);
        let (system, at) = system_of(&text);
        assert!(!system.loads.iter().any(|load| matches!(load.kind, LoadKind::Torque { .. })), "{name}");
        let particles = as_particles(&system);
        let mode = Mode::at(&system, &at).unwrap();
        let rows = Rows::of(&system, &mode, &at).unwrap();
        let kind = if system.speeds.is_empty() { ChartKind::Rates } else { ChartKind::Speeds };
        let body = Ingredients::of(&system, &mode, &rows, kind, &at);
        let points = Ingredients::of(&particles, &mode, &rows, kind, &at);
        // `positions` reads the lines of the model, which have not changed
        for formalism in FORMALISMS.iter().filter(|one| !["lagrange-1", "positions"].contains(&one.name)) {
            let (Ok(a), Ok(b)) = (formalism.form(&body), formalism.form(&points)) else { continue };
            for (k, (a, b)) in a.residuals().into_iter().zip(b.residuals()).enumerate() {
                assert!((a - b).is_zero(), "{name}, {}, equation {}", formalism.name, k + 1);
            }
        }
    }
}
