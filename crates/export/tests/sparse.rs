//! Are accelerations by sparse equations those of the dense ones, for chains, trees, loops and arms in space?

use std::fmt::Write;

use engine::{Settings, load};
use export::{By, Compute, Computed, Places, compute};

/// Numbers that are the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }

    fn float(&mut self) -> f64 {
        self.below(2_000_001) as f64 * 1e-6 - 1.0
    }
}

/// Points that hang on each other in a plane, each on one before it; a chain where `branches` is false.
fn tree(draw: &mut Draw, n: usize, branches: bool, loops: usize) -> String {
    let mut text = format!("system \"Tree\"\nparam g = 9.81\ncoord x\ncoord a[1..{n}]\npoint P[0] = (x, 0) mass 1.5\n");
    let mut places = vec![[0.0, 0.0]];
    for i in 1..=n {
        let from = if branches { draw.below(i) } else { i - 1 };
        let (length, mass, angle) = (0.5 + draw.float().abs(), 0.1 + draw.float().abs(), 3.0 * draw.float());
        let [x, y]: [f64; 2] = places[from];
        places.push([x + length * angle.sin(), y - length * angle.cos()]);
        let _ = writeln!(text, "point P[{i}] = P[{from}] + {length:?}*(sin(a[{i}]), -cos(a[{i}])) mass {mass:?}");
        let _ = writeln!(text, "guess a[{i}] = {angle:?}");
    }
    for k in 1..=loops {
        let (i, j) = (n + 1 - k, n / 2 + 1 - k);
        let distance = (places[i][0] - places[j][0]).hypot(places[i][1] - places[j][1]);
        let _ = writeln!(text, "constraint close{k}: norm(P[{i}] - P[{j}]) = {distance:?}");
    }
    let _ = writeln!(text, "spring 20 rest 0.4 between P[{n}] and P[1]");
    text + "gravity (0, -g)\n"
}

/// Rods in space, each turned from the one before it, or from one of those before.
fn arm(draw: &mut Draw, n: usize, branches: bool) -> String {
    let mut text = format!("system \"Arm\"\nparam g = 9.81\ncoord q[1..{n}]\nframe A[0] = N\npoint P[0] = 0\n");
    for i in 1..=n {
        let from = if branches && i > 2 { i - 1 - draw.below(2) } else { i - 1 };
        let axis = ["x", "y", "z"][i % 3];
        let (length, mass) = (0.5 + draw.float().abs(), 0.5 + draw.float().abs());
        let _ = writeln!(text, "frame A[{i}] = A[{from}] rotated {axis} by q[{i}]");
        let _ = writeln!(text, "point P[{i}] = P[{from}] + {length:?}*A[{i}].x + 0.1*A[{i}].z");
        let _ = writeln!(
            text,
            "body L[{i}] mass {mass:?} at P[{from}] + {:?}*A[{i}].x frame A[{i}] inertia (0.1, 0.2, 0.25)",
            length / 2.0
        );
        let _ = writeln!(text, "torque {:?}*A[{i}].z on A[{i}]", draw.float());
    }
    text + "gravity (0, 0, -g)\n"
}

fn made(text: &str, what: &str, form: Option<&str>) -> Computed {
    let loaded = load(&Settings::new("sparse", text)).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let wanted = Compute { what: what.to_owned(), form: form.map(str::to_owned), ..Compute::default() };
    compute(&loaded, &wanted).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn values(f: &Computed, y: &[f64], count: usize) -> Vec<f64> {
    let mut to = vec![0.0; count * f.size()];
    f.at(Places { count, t: &[0.3], y, p: &[] }, &mut to, &mut || true).unwrap();
    to
}

fn same(a: &[f64], b: &[f64], most: f64) -> bool {
    let size = b.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < most * size)
}

/// Sparse against dense at nine states, and one by one against side by side.
fn agrees(draw: &mut Draw, text: &str, what: &str) -> bool {
    let (sparse, dense) = (made(text, what, None), made(text, what, Some("newton-euler")));
    assert!(!dense.is_sparse);
    let width = sparse.state.len();
    let y: Vec<f64> = (0..9 * width).map(|_| 2.0 * draw.float()).collect();
    let (found, wanted) = (values(&sparse, &y, 9), values(&dense, &y, 9));
    assert!(same(&found, &wanted, 1e-8), "{text}\n{found:?}\n{wanted:?}");
    let one: Vec<f64> = y.chunks(width).flat_map(|y| values(&sparse, y, 1)).collect();
    assert_eq!(one, found, "lanes have bits of their own");
    sparse.is_sparse
}

#[test]
fn sparse_accelerations_are_the_dense_ones() {
    // leave out what turning axes add to an acceleration, or a sign of a row, and this fails
    let mut draw = Draw(3);
    let mut sparse = 0;
    for round in 0..40 {
        let n = 4 + draw.below(10);
        let text = match round % 5 {
            0 => tree(&mut draw, n, false, 0),
            1 => tree(&mut draw, n, true, 0),
            2 => tree(&mut draw, n + 2, false, 1 + round % 2),
            3 => arm(&mut draw, n / 2 + 3, false),
            _ => arm(&mut draw, n / 2 + 3, true),
        };
        sparse += usize::from(agrees(&mut draw, &text, "accelerations"));
        if round % 5 == 2 {
            agrees(&mut draw, &text, "multipliers");
        }
    }
    assert!(sparse > 20, "{sparse} by sparse equations");
}

#[test]
fn slopes_go_through_sparse_equations() {
    let mut draw = Draw(8);
    let text = tree(&mut draw, 14, true, 0);
    let slopes = |form: Option<&str>| made(&text, "accelerations", form).slopes(By::State).unwrap();
    let (sparse, dense) = (slopes(None), slopes(Some("newton-euler")));
    assert!(sparse.is_sparse && !dense.is_sparse);
    let y: Vec<f64> = (0..sparse.state.len()).map(|_| draw.float()).collect();
    assert!(same(&values(&sparse, &y, 1), &values(&dense, &y, 1), 1e-8));
}

#[test]
fn a_long_chain_takes_operations_by_its_length() {
    let mut draw = Draw(4);
    let [short, long] =
        [60, 120].map(|n| made(&tree(&mut draw, n, false, 0).replace("spring", "# spring"), "accelerations", None));
    let costs = (short.cost(), long.cost());
    assert!(short.is_sparse && long.is_sparse && costs.1 < 21 * costs.0 / 10, "{costs:?}");
}
