//! Motions in closed form, from the books that the gallery models cite.

use std::f64::consts::PI;

use anholon::answer::StoppedBy;

use crate::functions::{integral, jacobi, quarter, root};
use crate::{EXACT, agree, column, follows, gallery, happen, near, run};

#[test]
fn a_point_slides_down_a_line() {
    // example 5.2
    let (m, g, c1, c2) = (0.7, 1.62, -0.4, 0.3);
    let motion = run(&gallery("line", &["m=0.7", "g=1.62", "x=0.3", "x'=-0.4"]), 10.0);
    let x = |t: f64| g * t * t / 6.0 + c1 * t + c2;
    follows(&motion, "x", x);
    follows(&motion, "y", |t| 2.0 - x(t));
    follows(&motion, "z", |t| 1.0 - x(t));
    follows(&motion, "y'", |t| -g * t / 3.0 - c1);
    follows(&motion, "z''", |_| -g / 3.0);
    follows(&motion, "multiplier(first)", |_| m * g / 3.0);
    follows(&motion, "multiplier(second)", |_| 2.0 * m * g / 3.0);
    follows(&motion, "reaction(second on P).y", |_| -2.0 * m * g / 3.0);
    follows(&motion, "reaction(second on P).z", |_| 2.0 * m * g / 3.0);
}

#[test]
fn a_point_slides_on_a_plane() {
    // example 5.1
    let motion = run(&gallery("plane", &["x'=-3", "m=0.1"]), 20.0);
    follows(&motion, "x", |t| 1.0 - 3.0 * t);
    follows(&motion, "y", |t| 2.0 - 0.25 * t);
    follows(&motion, "reaction(plane on P).z", |_| 0.981);
}

#[test]
fn the_sled_draws_a_cycloid() {
    // example 5.7, with C6: the reaction on each point, and on the sled
    let (m, l, g, alpha, w) = (0.9, 0.5, 9.81, 0.7_f64, 2.3);
    let motion = run(&gallery("sled", &["m=0.9", "l=0.5", "alpha=0.7", "omega0=2.3"]), 5.0);
    let slope = g * alpha.sin();
    let radius = slope / (4.0 * w * w);
    follows(&motion, "x", |t| radius * (1.0 - (2.0 * w * t).cos()));
    follows(&motion, "y", |t| radius * (2.0 * w * t - (2.0 * w * t).sin()));
    follows(&motion, "x1", |t| radius * (1.0 - (2.0 * w * t).cos()) - l / 2.0 * (w * t).cos());
    follows(&motion, "y2'", |t| slope / w * (w * t).sin().powi(2) + l / 2.0 * w * (w * t).cos());
    follows(&motion, "multiplier(rod)", |_| -m * w * w / 4.0);
    follows(&motion, "multiplier(blade)", |t| 2.0 * m * slope / l * (w * t).sin());
    for point in ["P1", "P2"] {
        follows(&motion, &format!("reaction(blade on {point}).x"), |t| -m * slope * (1.0 - (2.0 * w * t).cos()));
        follows(&motion, &format!("reaction(blade on {point}).y"), |t| m * slope * (2.0 * w * t).sin());
    }
    follows(&motion, "reaction(blade).x", |t| -2.0 * m * slope * (1.0 - (2.0 * w * t).cos()));
    follows(&motion, "reaction(blade).y", |t| 2.0 * m * slope * (2.0 * w * t).sin());
    follows(&motion, "reaction(rod on P1).x", |t| m * w * w * l / 2.0 * (w * t).cos());
    happen(&motion, "cusp", "record", &[PI / w, 2.0 * PI / w, 3.0 * PI / w]);
    for (n, event) in (1..).zip(&motion.events) {
        let y = |name: &str| *event.state.get(name).unwrap();
        near("height of the cusp", (y("y1") + y("y2")) / 2.0, f64::from(n) * 2.0 * PI * radius, 6.0 * PI * radius);
    }
    assert!(motion.energy_drift < 1e-11 && motion.constraint_residual < 1e-14);
}

/// Example 5.3: from rest at h0 the bead comes to the height y after this time, for y² = x.
fn sliding_time(g: f64, h0: f64, y: f64) -> f64 {
    // y = h0 − s²
    let speed = |s: f64| (1.0 + 4.0 * (h0 - s * s).powi(2)).sqrt();
    (2.0 / g).sqrt() * integral(speed, 0.0, (h0 - y).sqrt())
}

#[test]
fn the_bead_leaves_the_parabola() {
    near("the time in print", sliding_time(9.81, 3.5, 1.0), 3.881124, 1e4);
    for (m, g, h0) in [(2.0, 9.81, 3.5), (0.3, 1.62, 2.0)] {
        let set = [format!("m={m}"), format!("g={g}"), format!("h0={h0}")];
        let motion = run(&gallery("parabola", &set.each_ref().map(String::as_str)), 5.0 * (9.81_f64 / g).sqrt());
        let height = root(|y| 4.0 * y.powi(3) + 3.0 * y - 2.0 * h0, 0.0, h0);
        let leaves = sliding_time(g, h0, height);
        happen(&motion, "curve", "leaves", &[leaves]);
        happen(&motion, "curve", "closes", &[]);
        let fall = (2.0 * g * (h0 - height) / (1.0 + 4.0 * height * height)).sqrt();
        let (mut sliding, mut times, mut forces) = (Vec::new(), Vec::new(), Vec::new());
        for (k, &t) in motion.table.t.iter().enumerate().filter(|(_, t)| **t < leaves) {
            let y = column(&motion, "y")[k];
            sliding.push(t);
            times.push((sliding_time(g, h0, y), t));
            let force = 2.0 * m * g * (4.0 * y.powi(3) + 3.0 * y - 2.0 * h0) / (1.0 + 4.0 * y * y).powi(2);
            forces.push((column(&motion, "multiplier(curve)")[k], force));
        }
        assert!(sliding.len() > 10 && sliding.len() < 40);
        agree("the time for the way", &sliding, &times, EXACT);
        agree("multiplier(curve)", &sliding, &forces, EXACT);
        let flight = |t: f64| t - leaves;
        let pairs = motion.table.t.iter().zip(column(&motion, "x")).zip(column(&motion, "y"));
        let flying: Vec<_> = pairs.filter(|((t, _), _)| **t > leaves).collect();
        let t: Vec<f64> = flying.iter().map(|((t, _), _)| **t).collect();
        let x = flying.iter().map(|((t, x), _)| (*x, height * height - 2.0 * height * fall * flight(**t)));
        agree("x in flight", &t, &x.collect::<Vec<_>>(), EXACT);
        let y = flying.iter().map(|((t, _), y)| (*y, height - fall * flight(**t) - g * flight(**t).powi(2) / 2.0));
        agree("y in flight", &t, &y.collect::<Vec<_>>(), EXACT);
    }
}

#[test]
fn the_ellipsoid_presses_as_it_should() {
    // example 5.4, along the motion
    let (m, gamma, a, b, c) = (0.8, 3.0, 2.5_f64, 2.0_f64, 0.7_f64);
    let set = ["m=0.8", "gamma=3", "a=2.5", "c=0.7", "x=1.5", "y=1.28", "z=0.336", "x'=1", "y'=-1.2", "z'=0.21"];
    let motion = run(&gallery("ellipsoid", &set), 10.0);
    let of = |name: &str| column(&motion, name);
    let (x, y, z, u, v, w) = (of("x"), of("y"), of("z"), of("x'"), of("y'"), of("z'"));
    let V: Vec<f64> = (0..x.len()).map(|k| (u[k] / a).powi(2) + (v[k] / b).powi(2) + (w[k] / c).powi(2)).collect();
    let S: Vec<f64> =
        (0..x.len()).map(|k| (x[k] / a / a).powi(2) + (y[k] / b / b).powi(2) + (z[k] / c / c).powi(2)).collect();
    let lambda: Vec<f64> = V.iter().zip(&S).map(|(V, S)| (gamma - m * V) / (2.0 * S)).collect();
    let check = |name: &str, should: Vec<f64>| {
        agree(name, &motion.table.t, &of(name).into_iter().zip(should).collect::<Vec<_>>(), EXACT);
    };
    check("reaction(surface on P).x", (0..x.len()).map(|k| 2.0 * lambda[k] * x[k] / a / a).collect());
    check("reaction(surface on P).z", (0..x.len()).map(|k| 2.0 * lambda[k] * z[k] / c / c).collect());
    check("multiplier(surface)", lambda.clone());
    // Joachimsthal's integral keeps the path
    let kept: Vec<(f64, f64)> = (0..x.len()).map(|k| (S[k] * (V[k] - gamma / m), S[0] * (V[0] - gamma / m))).collect();
    agree("Joachimsthal", &motion.table.t, &kept, EXACT);
    check("energy", vec![motion.table.samples().next().unwrap().get("energy").unwrap(); x.len()]);
}

#[test]
fn the_great_circle_is_run_through_evenly() {
    // example 5.5, several turns
    let (m, a, v) = (0.4, 0.5, 3.5);
    let motion = run(&gallery("great-circle", &["m=0.4", "a=0.5", "v=3.5"]), 6.0);
    let (from, to) = ([2.0, -2.0, 1.0], [2.0, 1.0, -2.0]);
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        follows(&motion, name, |t| a / 3.0 * (from[axis] * (v * t / a).cos() + to[axis] * (v * t / a).sin()));
    }
    follows(&motion, "multiplier(sphere)", |_| -m * v * v / (2.0 * a * a));
    follows(&motion, "multiplier(plane)", |_| 0.0);
}

#[test]
fn atwood_and_pulleys_fall_evenly() {
    // examples 5.6 and 8.3
    let (m1, m2, g) = (0.31, 0.17, 9.81);
    let motion = run(&gallery("atwood", &["m1=0.31", "m2=0.17", "x1'=-2"]), 3.0);
    let w = g * (m2 - m1) / (m2 + m1);
    follows(&motion, "x1", |t| 2.0 - 2.0 * t - w * t * t / 2.0);
    follows(&motion, "x2", |t| 3.0 - 0.1 * PI - 2.0 + 2.0 * t + w * t * t / 2.0);
    follows(&motion, "tension", |_| 2.0 * m1 * m2 * g / (m1 + m2));
    let motion = run(&gallery("pulleys", &["m=0.2", "x1'=0.5"]), 3.0);
    follows(&motion, "x1", |t| 2.0 + 0.5 * t - 7.0 * g * t * t / 34.0);
    follows(&motion, "x2", |t| 1.0 + 5.0 * g * t * t / 34.0);
    follows(&motion, "x3''", |_| g / 17.0);
    follows(&motion, "tension", |_| 24.0 * 0.2 * g / 17.0);
}

#[test]
fn in_the_cylinder_a_pendulum_drifts() {
    // example 8.6: sin(φ/2) = k sn(K − ω t)
    let (m, a, g, start) = (0.5, 0.8_f64, 9.81, 2.0_f64);
    let motion = run(&gallery("cylinder", &["m=0.5", "a=0.8", "phi0=2", "z'=-0.3"]), 10.0);
    let (k, w) = ((start / 2.0).sin(), (g / a).sqrt());
    let phi = |t: f64| 2.0 * (k * jacobi(quarter(k) - w * t, k).0).asin();
    follows(&motion, "phi", phi);
    follows(&motion, "x", |t| -a * phi(t).cos());
    follows(&motion, "y", |t| a * phi(t).sin());
    follows(&motion, "z", |t| -0.3 * t);
    let square = |t: f64| 2.0 * g / a * (phi(t).cos() - start.cos());
    follows(&motion, "multiplier(wall)", |t| -m * (g * phi(t).cos() + a * square(t)) / (2.0 * a));
    let bottoms: Vec<f64> = (0..).map(|n| f64::from(2 * n + 1) * quarter(k) / w).take_while(|&t| t < 10.0).collect();
    happen(&motion, "bottom", "record", &bottoms);
}

#[test]
fn without_gravity_the_cylinder_gives_a_helix() {
    let mut settings = gallery("cylinder", &["g=0", "z'=0.4"]);
    settings.with.push(("helix".to_owned(), "start x' = 3 1/s*a*sin(phi0), y' = 3 1/s*a*cos(phi0)".to_owned()));
    let motion = run(&settings, 20.0);
    follows(&motion, "x", |t| -0.5 * (1.0 + 3.0 * t).cos());
    follows(&motion, "y", |t| 0.5 * (1.0 + 3.0 * t).sin());
    follows(&motion, "z", |t| 0.4 * t);
    follows(&motion, "multiplier(wall)", |_| -2.0 * 9.0 / 2.0);
}

#[test]
fn the_sleigh_turns_its_blade_behind() {
    let (m, J, l, w0) = (3.0, 0.8_f64, 0.4, 2.5);
    let motion = run(&gallery("chaplygin-sleigh", &["m=3", "J=0.8", "l=0.4", "w0=2.5"]), 6.0);
    let k = l * w0 * (m / J).sqrt();
    let (u, w) = (|t: f64| w0 * (J / m).sqrt() * (k * t).tanh(), |t: f64| w0 / (k * t).cosh());
    let phi = |t: f64| 2.0 * w0 / k * (k * t / 2.0).tanh().atan();
    follows(&motion, "u", u);
    follows(&motion, "w", w);
    follows(&motion, "phi", phi);
    follows(&motion, "x", |t| integral(|s| u(s) * phi(s).cos(), 0.0, t));
    follows(&motion, "y", |t| integral(|s| u(s) * phi(s).sin(), 0.0, t));
    follows(&motion, "multiplier(blade)", |t| m * (1.0 - m * l * l / J) * u(t) * w(t));
}

#[test]
fn on_the_velocity_cone_direction_and_speed_have_an_integral() {
    // with ψ from the horizontal force Q and s the horizontal speed
    // m s ψ' = −Q sin ψ, 2 m s' = Q cos ψ + Q3: s √sin ψ tan(ψ/2)^(κ/2) is kept, κ = Q3/Q
    let (m, Q1, Q2, Q3) = (0.6, 1.5_f64, -0.8_f64, -0.4);
    let motion = run(&gallery("velocity-cone", &["m=0.6", "Q1=1.5", "Q2=-0.8", "Q3=-0.4"]), 5.0);
    let (Q, beta) = (Q1.hypot(Q2), Q2.atan2(Q1));
    let along = |psi: f64| psi.sin().sqrt() * (psi / 2.0).tan().powf(Q3 / Q / 2.0);
    let (begin, speed) = (0.9_f64.atan2(1.2) - beta, 1.5);
    let s = |psi: f64| speed * along(begin) / along(psi);
    let (u, v) = (column(&motion, "q1'"), column(&motion, "q2'"));
    let psi: Vec<f64> = u.iter().zip(&v).map(|(u, v)| v.atan2(*u) - beta).collect();
    let check = |name: &str, is: Vec<f64>, should: Vec<f64>| {
        agree(name, &motion.table.t, &is.into_iter().zip(should).collect::<Vec<_>>(), EXACT);
    };
    check("the speed", column(&motion, "q3'"), psi.iter().map(|&psi| s(psi)).collect());
    let time = |to: f64| integral(|psi| m * s(psi) / (Q * psi.sin()), to, begin);
    check("the time", psi.iter().map(|&psi| time(psi)).collect(), motion.table.t.clone());
    let force = psi.iter().map(|&psi| (Q * psi.cos() - Q3) / (4.0 * s(psi))).collect();
    check("multiplier(cone)", column(&motion, "multiplier(cone)"), force);
    // a force along the axis: straight
    let motion = run(&gallery("velocity-cone", &["Q1=0", "Q2=0", "Q3=0.7"]), 10.0);
    follows(&motion, "q3", |t| 1.5 * t + 0.7 * t * t / 4.0);
    follows(&motion, "q1", |t| 0.8 * (1.5 * t + 0.7 * t * t / 4.0));
}

#[test]
fn the_rocket_gains_what_tsiolkovsky_says() {
    let (m0, b, c, g, v0) = (80.0, 3.0, 500.0, 1.62, 4.0);
    let motion = run(&gallery("velocity-cone-rocket", &["m0=80", "b=3", "c=500", "g=1.62", "v0=4"]), 14.0);
    let m = |t: f64| m0 - b * t;
    let root2 = 2.0_f64.sqrt();
    let rise = |t: f64| v0 + c / root2 * (m0 / m(t)).ln() - g * t / 2.0;
    follows(&motion, "q3'", rise);
    follows(&motion, "q1'", |t| 0.6 * rise(t));
    follows(&motion, "q3", |t| v0 * t + c / root2 * (t - m(t) / b * (m0 / m(t)).ln()) - g * t * t / 4.0);
    follows(&motion, "multiplier(cone)", |t| m(t) * g / (4.0 * rise(t)));
    let motion = run(&gallery("velocity-cone-rocket", &[]), 20.0);
    happen(&motion, "burnt_out", "stop", &[15.0]);
    assert_eq!(motion.stopped_by, StoppedBy::Event("burnt_out".to_owned()));
}

#[test]
fn the_free_top_turns_by_elliptic_functions() {
    // p = p₀ cn, q = q₀ sn, r = r₀ dn of λt
    let (A, B, C, p0, r0) = (1.1, 1.7, 2.6_f64, 0.8, 1.5);
    let motion = run(&gallery("euler-top", &["A=1.1", "B=1.7", "C=2.6", "p=0.8", "r=1.5"]), 20.0);
    let lambda = r0 * ((C - B) * (C - A) / (A * B)).sqrt();
    let q0 = (C - A) * r0 * p0 / (B * lambda);
    let k = ((B - A) * p0 * q0 / (C * r0 * lambda)).sqrt();
    follows(&motion, "p", |t| p0 * jacobi(lambda * t, k).1);
    follows(&motion, "q", |t| q0 * jacobi(lambda * t, k).0);
    follows(&motion, "r", |t| r0 * jacobi(lambda * t, k).2);
}

#[test]
fn the_hoop_keeps_its_energy() {
    let (m, a, g) = (1.0, 0.3, 9.81);
    let motion = run(&gallery("hoop", &["theta=1.1", "q=0.5", "r=-7"]), 10.0);
    let of = |name: &str| column(&motion, name);
    let (p, q, r, theta) = (of("p"), of("q"), of("r"), of("theta"));
    let (A, C) = (m * a * a / 2.0, m * a * a);
    let energy = |k: usize| {
        let turning = (A + m * a * a) * p[k].powi(2) + A * q[k].powi(2) + (C + m * a * a) * r[k].powi(2);
        turning / 2.0 + m * g * a * theta[k].sin()
    };
    let pairs: Vec<(f64, f64)> = (0..p.len()).map(|k| (energy(k), energy(0))).collect();
    agree("energy", &motion.table.t, &pairs, EXACT);
    let pairs: Vec<(f64, f64)> = of("energy").into_iter().zip((0..p.len()).map(energy)).collect();
    agree("its column", &motion.table.t, &pairs, EXACT);
    assert!(motion.energy_drift < 1e-10, "{:e}", motion.energy_drift);
    assert!(theta.iter().any(|theta| (theta - 1.1).abs() > 0.01), "it should nod");
}

#[test]
fn dobronravov_s_point_runs_on_its_track() {
    // q3' and q2' √(1 + q3²) are kept
    let motion = run(&gallery("dobronravov", &["q3=0.2", "q2'=1.5", "q3'=-0.8"]), 10.0);
    let c = 1.5 * (1.0 + 0.04_f64).sqrt();
    let q3 = |t: f64| 0.2 - 0.8 * t;
    follows(&motion, "q3", q3);
    follows(&motion, "q2", |t| c / 0.8 * (0.2_f64.asinh() - q3(t).asinh()));
    follows(&motion, "q1", |t| c / 0.8 * (1.04_f64.sqrt() - (1.0 + q3(t).powi(2)).sqrt()));
    follows(&motion, "multiplier(track)", |t| c * -0.8 / (1.0 + q3(t).powi(2)).powf(1.5));
}

#[test]
fn the_knife_on_turning_axes_draws_a_circle() {
    // rheonomic
    let (v, k) = (0.9, -1.4);
    let motion = run(&gallery("rheonomic-knife", &["v=0.9", "k=-1.4", "e=0.3"]), 6.0);
    follows(&motion, "X", |t| v / k * (k * t).sin());
    follows(&motion, "Y", |t| v / k * (1.0 - (k * t).cos()));
    follows(&motion, "phi", |t| k * t - 0.5 * t - 0.15 * t * t);
    follows(&motion, "multiplier(blade)", |_| 2.0 * v * k);
}

#[test]
fn the_bead_on_the_turning_parabola_runs_evenly() {
    // example 11.5 at the critical rate: the length of the arc grows evenly
    let motion = run(&gallery("rotating-parabola", &["x=-0.3", "x'=0.9"]), 4.0);
    let arc = |x: f64| (x * (1.0 + x * x).sqrt() + x.asinh()) / 2.0;
    let speed = 0.9 * (1.0 + 0.09_f64).sqrt();
    let x = |t: f64| root(|x| arc(x) - arc(-0.3) - speed * t, -1.0, 10.0);
    follows(&motion, "x", x);
    let rate = |t: f64| speed / (1.0 + x(t).powi(2)).sqrt();
    follows(&motion, "multiplier(turning_plane)", |t| -(9.81_f64).sqrt() * rate(t));
}

#[test]
fn machines_of_the_general_equation_accelerate_evenly() {
    // examples 8.1 and 8.5: y'' and x'' are constant; the numbers of section E
    let motion = run(&gallery("wedge", &[]), 2.0);
    assert!((column(&motion, "x''")[0] - 1.998990).abs() < 1e-6);
    let w = column(&motion, "x''")[0];
    let (x, v) = (column(&motion, "x")[0], column(&motion, "x'")[0]);
    follows(&motion, "x", |t| x + v * t + w * t * t / 2.0);
}
