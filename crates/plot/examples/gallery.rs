//! Writes sample pictures into the folder given: to be looked at, not to be tested.

use std::f64::consts::TAU;
use std::fs;
use std::path::Path;

use plot::{Column, Dot, Mark, Pose};

fn column(name: &str, unit: &str, values: impl IntoIterator<Item = f64>) -> Column {
    Column { name: name.to_owned(), unit: unit.to_owned(), values: values.into_iter().collect() }
}

fn times(n: u32, last: f64) -> Vec<f64> {
    (0..=n).map(|i| last * f64::from(i) / f64::from(n)).collect()
}

fn of(name: &str, unit: &str, t: &[f64], f: impl Fn(f64) -> f64) -> Column {
    column(name, unit, t.iter().map(|&t| f(t)))
}

/// Positions of a double pendulum with equal masses and lengths, by the midpoint rule.
fn double_pendulum(last: f64) -> Vec<(f64, [f64; 2])> {
    let rate = |[a, b, u, v]: [f64; 4]| {
        let (d, g) = (a - b, 9.81);
        let below = 2.0 - d.cos().powi(2);
        let du = (-2.0 * g * a.sin() + g * b.sin() * d.cos() - d.sin() * (v * v + u * u * d.cos())) / below;
        let dv = (2.0 * d.sin() * (u * u + g * a.cos()) + v * v * d.sin() * d.cos()) / below;
        [u, v, du, dv]
    };
    let mut state = [2.0, 2.4, 0.0, 0.0];
    let h = 1e-4;
    let mut out = Vec::new();
    for i in 0..=(last / h) as u32 {
        out.push((f64::from(i) * h, [state[0], state[1]]));
        let slope = rate(state);
        let middle = rate([0, 1, 2, 3].map(|k| state[k] + h / 2.0 * slope[k]));
        state = [0, 1, 2, 3].map(|k| state[k] + h * middle[k]);
    }
    out
}

fn pendulum_pose(t: f64, [a, b]: [f64; 2]) -> Pose {
    let p = [a.sin(), -a.cos()];
    let q = [p[0] + b.sin(), p[1] - b.cos()];
    let dot = |at, label: &str, size| Dot { at, label: label.to_owned(), size };
    let dots = vec![dot([0.0, 0.0], "O", 0.7), dot(p, "m1", 1.5), dot(q, "m2", 1.5)];
    Pose { t, lines: vec![vec![[0.0, 0.0], p, q]], dots, outlines: vec![] }
}

fn rolling_pose(t: f64) -> Pose {
    let round = |i: u32| [t - (f64::from(i) * TAU / 60.0 + t).sin(), 1.0 - (f64::from(i) * TAU / 60.0 + t).cos()];
    let rim = Dot { at: round(0), label: "P".to_owned(), size: 1.2 };
    let hub = Dot { at: [t, 1.0], label: "C".to_owned(), size: 0.7 };
    Pose { t, lines: vec![vec![hub.at, rim.at]], dots: vec![hub, rim], outlines: vec![(0..60).map(round).collect()] }
}

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let write =
        |name: &str, text: String| fs::write(Path::new(&folder).join(name), text).expect("a folder to write to");
    let mark = |t: f64, label: &str| Mark { t, label: label.to_owned() };

    let t = times(2000, 12.0);
    let time = column("t", "s", t.iter().copied());
    let x1 = of("x1", "m", &t, |t| (-0.2 * t).exp() * (3.0 * t).cos());
    let x2 = of("x2", "m", &t, |t| 0.6 * (-0.1 * t).exp() * (2.0 * t).sin());
    let v1 = of("x1'", "m/s", &t, |t| (-0.2 * t).exp() * (-0.2 * (3.0 * t).cos() - 3.0 * (3.0 * t).sin()));
    let energy = of("E", "J", &t, |t| 49.05 + 2e-12 * (5.0 * t).sin() * t);
    write("damped.svg", plot::against_time("Damped oscillation of two bodies", &time, &[x1.clone(), x2.clone()], &[]));
    let marks =
        [mark(3.88, "leaves"), mark(4.3, "impact"), mark(9.0, "sticks"), mark(11.6, "slips"), mark(12.0, "stop")];
    write(
        "panels.svg",
        plot::against_time("Positions, speed, energy", &time, &[x1.clone(), v1.clone(), x2, energy], &marks),
    );
    write("single.svg", plot::against_time("", &time, std::slice::from_ref(&x1), &marks));
    let many: Vec<Column> = (1..=9)
        .map(|k| of(&format!("q{k}"), "rad", &t, move |t| (t + 0.7 * f64::from(k)).sin() * (1.0 + f64::from(k) / 9.0)))
        .collect();
    write("many.svg", plot::against_time("Nine coordinates", &time, &many, &[]));
    let tiny = of("lambda_rod", "N", &t, |t| 3e-7 * t.sin());
    let constant = of("g", "m/s^2", &t, |_| 9.81);
    let gaps = of("mu", "", &t, |t| if (t - 5.0).abs() < 1.0 { f64::NAN } else { 4e6 * t });
    write("scales.svg", plot::against_time("Small, constant, with a gap", &time, &[tiny, constant, gaps], &[]));
    let late = column("t", "s", t.iter().map(|t| 1e6 + t * 1e-4));
    let long = [
        of("reaction of the left support", "N", &t, |t| 2e4 * t.cos()),
        of("lambda_no_slip_of_the_rear_wheel", "N", &t, |t| -1.5e5 + 1e4 * t),
        of("omega_NB[2]''", "kg*m^2/s^2", &t, f64::tanh),
    ];
    let events: Vec<Mark> =
        (0..12_i32).map(|k| mark(1e6 + 1.2e-3 * f64::from(12 - k).powi(2) / 144.0, "impact")).collect();
    let title =
        "A title that is much too long for the sheet, since somebody wrote the whole story of the model into it";
    write("stress.svg", plot::against_time(title, &late, &long, &events));
    write("empty.svg", plot::against_time("Nothing", &column("t", "s", []), &[column("x", "m", [])], &[]));

    write("phase.svg", plot::phase("Phase portrait", &x1, std::slice::from_ref(&v1), false));
    let s = times(4000, TAU);
    let lx = of("x", "m", &s, |s| (3.0 * s + 0.4).sin());
    let ly = of("y", "m", &s, |s| (2.0 * s).sin());
    write("lissajous.svg", plot::phase("Lissajous figure", &lx, &[ly], true));
    let s = times(4000, 3.0 * TAU);
    let cx = of("x1", "m", &s, |s| s - s.sin());
    let cy = of("y1", "m", &s, |s| 1.0 - s.cos());
    write("cycloid.svg", plot::phase("Cycloid", &cx, std::slice::from_ref(&cy), true));
    let deep = of("theta'", "rad/s", &s, |s| 0.4 * s.sin());
    let low = of("psi_rod", "rad/s", &s, |s| 0.9 * (1.3 * s).cos());
    write("several.svg", plot::phase("Several", &cx, &[cy, deep, low], false));
    let n = times(1_000_000, 1000.0);
    let a = of("x", "m", &n, |s| (3.0 * s + 0.4).sin());
    let b = of("y", "m", &n, |s| (1.234567 * s).sin());
    write("dense.svg", plot::phase("Dense", &a, std::slice::from_ref(&b), true));
    write("long.svg", plot::against_time("A million samples", &column("t", "s", n), &[a, b], &[]));

    let motion = double_pendulum(1.401);
    let at = |k: usize| pendulum_pose(motion[k].0, motion[k].1);
    let poses: Vec<Pose> = (0..8).map(|k| at(k * 2000)).collect();
    let path: Vec<[f64; 2]> = (0..=14_000).map(|k| at(k).dots[2].at).collect();
    write("pendulum.svg", plot::stick_figure_in("Double pendulum", &poses, &[path], "x (m)", "y (m)", "s"));
    let poses: Vec<Pose> = (0..5).map(|k| rolling_pose(f64::from(k) * TAU / 4.0)).collect();
    let path: Vec<[f64; 2]> = times(500, TAU).iter().map(|&t| rolling_pose(t).dots[1].at).collect();
    write("rolling.svg", plot::stick_figure("Rolling disc", &poses, &[path], "x (m)", "y (m)"));
    write("terminal.txt", plot::terminal("Damped oscillation", &time, &x1, 70, 18));
}
