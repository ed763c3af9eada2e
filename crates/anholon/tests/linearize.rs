//! Linear equations about states, against published matrices, spectra and critical values.

mod ask;

use anholon::answer::{Growth, Linearization, Onset};
use anholon::{Linearize, Linearized, Settings};

fn settings(model: &str) -> Settings {
    match model.strip_prefix("gallery:") {
        Some(name) => Settings::gallery(name).unwrap(),
        None => Settings::new("test.mech", model),
    }
}

fn try_at(model: &str, at: Option<&str>, wanted: &Linearize) -> Result<Linearization, String> {
    let settings = Settings { at: at.map(str::to_owned), ..settings(model) };
    match ask::linearize(&settings, wanted) {
        Ok(Linearized::Found(found)) => Ok(*found),
        Ok(Linearized::NoAnswer { reason, .. }) => Err(format!("no answer: {reason}")),
        Err(error) => Err(error.to_string()),
    }
}

fn at(model: &str, state: &str, wanted: &Linearize) -> Linearization {
    try_at(model, Some(state), wanted).unwrap()
}

fn list(names: &str) -> Vec<String> {
    names.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn named(names: &str) -> Linearize {
    Linearize { coordinates: list(names), ..Linearize::default() }
}

fn near(found: &[Vec<f64>], expected: &[&[f64]], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}: {found:?}");
    for (row, other) in found.iter().zip(expected) {
        assert_eq!(row.len(), other.len(), "{what}");
        for (x, y) in row.iter().zip(*other) {
            assert!((x - y).abs() <= tolerance * y.abs().max(1.0), "{what}: {x} is not {y}\n{found:?}");
        }
    }
}

/// Is there an eigenvalue here?
fn has(found: &Linearization, re: f64, im: f64, tolerance: f64) {
    let distance = |x: &[f64; 2]| (x[0] - re).hypot(x[1] - im);
    let nearest = found.eigenvalues.iter().map(distance).fold(f64::INFINITY, f64::min);
    assert!(nearest < tolerance, "no eigenvalue {re} + {im} i: {:?}", found.eigenvalues);
}

const M: [&[f64]; 2] = [&[80.81722, 2.31941332208709], &[2.31941332208709, 0.29784188199686]];
const C1: [&[f64]; 2] = [&[0.0, 33.86641391492494], &[-0.85035641456978, 1.68540397397560]];
const K0: [&[f64]; 2] = [&[-80.95, -2.59951685249872], &[-2.59951685249872, -0.80329488458618]];
const K2: [&[f64]; 2] = [&[0.0, 76.59734589573222], &[0.0, 2.65431523794604]];

#[test]
fn the_bicycle_has_the_canonical_matrices() {
    let (v, g) = (4.6, 9.81);
    let found = try_at("gallery:bicycle", None, &named("lean,steer")).unwrap();
    let both =
        |f: &dyn Fn(usize, usize) -> f64| (0..2).map(|i| (0..2).map(|j| f(i, j)).collect()).collect::<Vec<Vec<f64>>>();
    let damping = both(&|i, j| v * C1[i][j]);
    let stiffness = both(&|i, j| g * K0[i][j] + v * v * K2[i][j]);
    near(found.M.as_ref().unwrap(), &M, 1e-11, "M");
    near(found.C.as_ref().unwrap(), &damping.iter().map(Vec::as_slice).collect::<Vec<_>>(), 1e-11, "C");
    near(found.K.as_ref().unwrap(), &stiffness.iter().map(Vec::as_slice).collect::<Vec<_>>(), 1e-11, "K");
    assert!(found.steady && found.stability == Growth::Stable, "{:?}", found.notes);
    assert_eq!(found.states, ["lean", "steer", "lean'", "steer'"]);
    for name in ["x", "y", "yaw", "spinR", "spinF"] {
        assert!(found.ignorable.iter().any(|one| one == name), "{name}: {:?}", found.ignorable);
    }
}

#[test]
fn the_bicycle_with_speed_and_gravity_as_symbols() {
    let wanted = Linearize { symbolic: list("v,g"), ..named("lean,steer") };
    let symbolic = try_at("gallery:bicycle", None, &wanted).unwrap().symbolic.unwrap();
    let part = |matrix: &str, monomial: &str| {
        let terms = symbolic.polynomials.get(matrix).unwrap_or_else(|| panic!("{matrix}: {:?}", symbolic.matrices));
        assert_eq!(terms.0.len(), if matrix == "K" { 2 } else { 1 }, "{matrix}: {terms:?}");
        terms.get(monomial).unwrap_or_else(|| panic!("{matrix} {monomial}: {terms:?}")).clone()
    };
    near(&part("M", "1"), &M, 1e-11, "M");
    near(&part("C", "v"), &C1, 1e-11, "C1");
    near(&part("K", "g"), &K0, 1e-11, "K0");
    near(&part("K", "v^2"), &K2, 1e-11, "K2");
    assert!(symbolic.code.contains("linearized"), "{}", symbolic.code);
}

#[test]
fn weave_and_capsize_are_located() {
    let wanted = Linearize { critical: Some("v".to_owned()), ..named("lean,steer") };
    let found = try_at("gallery:bicycle", None, &wanted).unwrap();
    let kinds: Vec<Onset> = found.critical.iter().map(|one| one.kind).collect();
    assert_eq!(kinds, [Onset::Oscillatory, Onset::Divergent], "{:?} {:?}", found.critical, found.notes);
    assert!((found.critical[0].value - 4.29238253634111).abs() < 1e-12, "{:?}", found.critical);
    assert!((found.critical[1].value - 6.02426201538837).abs() < 1e-12, "{:?}", found.critical);
    // without names: two zero modes more, the same critical values
    let wanted = Linearize { critical: Some("x'=3..8".to_owned()), ..Linearize::default() };
    let found = try_at("gallery:bicycle", None, &wanted).unwrap();
    let values: Vec<f64> = found.critical.iter().map(|one| one.value).collect();
    assert!((values[0] - 4.29238253634111).abs() < 1e-11 && (values[1] - 6.02426201538837).abs() < 1e-11, "{values:?}");
}

#[test]
fn eigenvalues_of_the_bicycle_are_those_of_the_paper() {
    // Meijaard et al. 2007, table 2
    let mut bicycle = settings("gallery:bicycle");
    bicycle.set = vec!["v=5".to_owned()];
    let Ok(Linearized::Found(found)) = ask::linearize(&bicycle, &named("lean,steer")) else { panic!() };
    has(&found, -14.07838969279822, 0.0, 1e-10);
    has(&found, -0.32286642900409, 0.0, 1e-10);
    has(&found, -0.77534188219585, 4.46486771378823, 1e-10);
}

#[test]
fn symmetric_states_divide_by_nothing() {
    // hanging
    let hanging = at("gallery:double-pendulum", "a1 = 0, a2 = 0", &Linearize::default());
    let g = 9.81_f64;
    let omega = |sign: f64| (g * (2.0 + sign * 2.0_f64.sqrt())).sqrt();
    has(&hanging, 0.0, omega(1.0), 1e-12);
    has(&hanging, 0.0, omega(-1.0), 1e-12);
    near(hanging.M.as_ref().unwrap(), &[&[2.0, 1.0], &[1.0, 1.0]], 1e-14, "M");
    near(hanging.K.as_ref().unwrap(), &[&[2.0 * g, 0.0], &[0.0, g]], 1e-14, "K");
    // upright
    let upright = at("gallery:double-pendulum", "a1 = pi, a2 = pi", &Linearize::default());
    has(&upright, omega(1.0), 0.0, 1e-12);
    has(&upright, -omega(-1.0), 0.0, 1e-12);
    assert_eq!((upright.stability, upright.steady), (Growth::Unstable, true));
    // straight: the bicycle, by other tests; flat: a plate with constraints whose slopes vanish elsewhere
    let rod = "param m = 1, l = 2, k = 3\ncoord x, y\npoint P = (x, y) mass m\nconstraint rod: x^2 + y^2 = l^2\n\
               potential k*y^2/2\nstart x = 2, y = 0\n";
    let flat = at(rod, "x = 2, y = 0", &Linearize::default());
    assert_eq!(flat.states, ["y", "y'"]);
    has(&flat, 0.0, 3.0_f64.sqrt(), 1e-13);
    let other = at(rod, "x = 0, y = 2", &Linearize::default());
    // λ times the second derivative of the row: V = 3/2 (4 − x²), unstable
    assert_eq!(other.states, ["x", "x'"]);
    has(&other, 3.0_f64.sqrt(), 0.0, 1e-13);
}

/// A rolling body that stands upright and spins: `lean` is measured from the vertical.
const ROLLING: &str = "param m = 2 kg, r = 0.5 m, g = 9.81 m/s^2, k = 1/4, Omega = 3 rad/s\ncoord x, y, z : m\n\
                       coord yaw, lean, spin : rad\nframe R = N rotated z by yaw, x by lean, y by spin\n\
                       body D mass m at (x, y, z) frame R inertia (k*m*r^2, 2*k*m*r^2, k*m*r^2)\ngravity (0, 0, -g)\n\
                       contact ground: D rolls as disc(r, R.y) on plane(N.z, 0)\n\
                       start lean = 0, spin' = Omega\nguess z = r\n";

#[test]
fn an_upright_disc_is_neutral_at_the_spin_of_the_books() {
    // Routh: disc g/(3 r), hoop g/(4 r)
    for (k, divisor) in [("0.25", 3.0), ("0.5", 4.0)] {
        let mut rolling = settings(ROLLING);
        rolling.set = vec![format!("k={k}")];
        let wanted =
            Linearize { symbolic: list("m,r,g,Omega"), critical: Some("Omega=0.5..6".to_owned()), ..named("lean") };
        let Ok(Linearized::Found(found)) = ask::linearize(&rolling, &wanted) else { panic!() };
        let expected = (9.81 / (divisor * 0.5_f64)).sqrt();
        assert_eq!(found.critical.len(), 1, "{:?} {:?}", found.critical, found.notes);
        assert!((found.critical[0].value - expected).abs() < 1e-12, "{:?} {expected}", found.critical);
        assert_eq!(found.critical[0].kind, Onset::Divergent);
        // as a function: det K vanishes where Omega² = g/(divisor r)
        let determinant = found.symbolic.unwrap().determinant.unwrap();
        let _scope = expr::Scope::enter();
        let e = expr::parse(&determinant).unwrap();
        let (omega, g, r) = (expr::parameter("Omega"), expr::parameter("g"), expr::parameter("r"));
        let neutral = (g / r / expr::integer(divisor as i64)).sqrt();
        assert!(
            !e.is_zero() && expr::Substitution::from([(omega, neutral)]).apply_one(e).unwrap().is_zero(),
            "{determinant}"
        );
    }
}

#[test]
fn a_ball_on_a_turntable_circles() {
    // 2/7 of the rate of the table for a solid ball, 2/5 for a hollow one
    for (k, ratio) in [("2/5", 2.0 / 7.0), ("2/3", 2.0 / 5.0)] {
        let mut ball = settings("gallery:ball-on-turntable");
        ball.set = vec![format!("k={k}")];
        ball.at = Some("x = 0, y = 0".to_owned());
        let Ok(Linearized::Found(found)) = ask::linearize(&ball, &Linearize::default()) else { panic!() };
        has(&found, 0.0, 3.0 * ratio, 1e-12);
        assert!(found.steady, "{:?}", found.notes);
    }
}

#[test]
fn a_heavy_top_has_a_slow_and_a_fast_precession() {
    let (m, l, g, a, c, n, tilt) = (0.8, 0.12, 9.81, 0.014, 0.002, 180.0_f64, 0.6_f64);
    let root = ((c * n) * (c * n) - 4.0 * a * tilt.cos() * m * g * l).sqrt();
    for (sign, start) in [(-1.0, "psi'=2"), (1.0, "psi'=30")] {
        let rate = (c * n + sign * root) / (2.0 * a * tilt.cos());
        let mut top = settings("gallery:gyroscope");
        top.set = vec![start.to_owned()];
        let wanted = Linearize { steady: Some("theta = 0.6, spin = 180".to_owned()), ..Linearize::default() };
        let found = match ask::linearize(&top, &wanted) {
            Ok(Linearized::Found(found)) => found,
            other => panic!("{other:?}"),
        };
        assert!((found.at.get("psi'").unwrap() - rate).abs() < 1e-9 * rate, "{:?} {rate}", found.at);
        assert!(found.steady && found.stability == Growth::Neutral, "{:?} {:?}", found.notes, found.eigenvalues);
        // nutation: A² ω² = (C n)² − … : the linear equation of theta
        assert!(found.eigenvalues.iter().any(|value| value[1] > 1.0), "{:?}", found.eigenvalues);
    }
    // one value is missing
    let wanted = Linearize { steady: Some("theta = 0.6".to_owned()), ..Linearize::default() };
    let error = try_at("gallery:gyroscope", None, &wanted).unwrap_err();
    assert!(error.contains("do not fix a steady motion") && error.contains("`psi'`"), "{error}");
    // too slow a spin: no steady precession at that angle
    let wanted = Linearize { steady: Some("theta = 0.6, spin = 60".to_owned()), ..Linearize::default() };
    let error = try_at("gallery:gyroscope", None, &wanted).unwrap_err();
    assert!(error.contains("no steady motion"), "{error}");
}

#[test]
fn a_cart_with_an_input() {
    let (big, small, l, g) = (2.0, 0.5, 0.4, 9.81);
    let wanted = Linearize { inputs: list("F"), outputs: list("x,phi"), ..Linearize::default() };
    let found = at("gallery:cart-pendulum", "phi = pi", &wanted);
    assert_eq!(found.states, ["x", "phi", "x'", "phi'"]);
    near(
        &found.A,
        &[
            &[0.0, 0.0, 1.0, 0.0],
            &[0.0, 0.0, 0.0, 1.0],
            &[0.0, small * g / big, 0.0, 0.0],
            &[0.0, (big + small) * g / (big * l), 0.0, 0.0],
        ],
        1e-12,
        "A",
    );
    near(found.B.as_ref().unwrap(), &[&[0.0], &[0.0], &[1.0 / big], &[1.0 / (big * l)]], 1e-12, "B");
    near(found.C_out.as_ref().unwrap(), &[&[1.0, 0.0, 0.0, 0.0], &[0.0, 1.0, 0.0, 0.0]], 1e-15, "C");
    near(found.D.as_ref().unwrap(), &[&[0.0], &[0.0]], 1e-15, "D");
    // hanging, without outputs: the cart is left out, its velocity eliminated where phi is named
    let found = at("gallery:cart-pendulum", "phi = 0", &named("phi"));
    assert_eq!(found.states, ["phi", "phi'"]);
    has(&found, 0.0, ((big + small) * g / (big * l)).sqrt(), 1e-12);
    // upright: sin(pi) is not quite zero in floating point
    let found = at("gallery:cart-pendulum", "phi = pi", &named("phi"));
    has(&found, ((big + small) * g / (big * l)).sqrt(), 0.0, 1e-12);
    // a sensor that feels the input directly, and a reaction
    let model = "param m = 2\ncoord x, y\npoint P = (x, y) mass m\ninput F : rad = 0\nforce F*N.x on P\n\
                 force 3*F*N.y on P\nconstraint rail: y = 0\nobserve a = acceleration(P)\nobserve push = reaction(rail)\nstart x = 0\n";
    let found = at(model, "x = 0", &Linearize { outputs: list("a,push"), ..Linearize::default() });
    assert_eq!(found.outputs, ["a.x", "a.y", "a.z", "push.x", "push.y", "push.z"]);
    near(found.D.as_ref().unwrap(), &[&[0.5], &[0.0], &[0.0], &[0.0], &[-3.0], &[0.0]], 1e-14, "D");
}

#[test]
fn a_four_bar_linkage_swings_about_its_equilibrium() {
    // the crank hangs where the potential energy is least: found by `--steady` from a guess
    let wanted = Linearize { steady: Some("a' = 0".to_owned()), ..Linearize::default() };
    let found = try_at("gallery:four-bar", None, &wanted).unwrap();
    assert_eq!((found.states.len(), found.steady), (2, true), "{:?}", found.notes);
    // the frequency against the second difference of the potential energy along the crank
    let value = found.eigenvalues.iter().find(|value| value[1] > 0.0 || value[0] > 0.0).unwrap();
    let square = value[1] * value[1] - value[0] * value[0];
    let ratio = found.K.as_ref().unwrap()[0][0] / found.M.as_ref().unwrap()[0][0];
    assert!((square - ratio).abs() < 1e-9 * ratio.abs(), "{square} {ratio}");
    let energy = |crank: f64| {
        let mut bar = settings("gallery:four-bar");
        bar.at = Some(format!("a = {crank}"));
        let loaded = anholon::open(&bar).unwrap();
        let anholon::Evaluated::Found(found) = ask::evaluate(&loaded, None).unwrap() else { panic!() };
        found.energy.unwrap()
    };
    let (a, h) = (*found.at.get("a").unwrap(), 1e-3);
    let stiffness = (energy(a + h) - 2.0 * energy(a) + energy(a - h)) / (h * h);
    let crank = found.coordinates[0] == "a";
    assert!(
        !crank || (stiffness - found.K.as_ref().unwrap()[0][0]).abs() < 1e-4 * stiffness.abs(),
        "{stiffness} {:?}",
        found.K
    );
    assert!(crank, "{:?}", found.coordinates);
}

#[test]
fn states_that_are_not_steady_are_said_to_be_so() {
    let found = at("gallery:double-pendulum", "a1 = 1, a2 = 0.5", &Linearize::default());
    assert!(!found.steady && found.notes.iter().any(|note| note.contains("a1''")), "{:?}", found.notes);
}

#[test]
fn rows_of_second_order_and_nonlinear_rates_are_linearised() {
    // x'' = −4 x by a row of second order: what the point does along x is prescribed
    let model = "param m = 2, k = 9\ncoord x, y\npoint P = (x, y) mass m\npotential k*y^2\n\
                 constraint program: x'' = -4*x\nstart x = 0, y = 0\n";
    let found = at(model, "x = 0", &Linearize::default());
    has(&found, 0.0, 2.0, 1e-13);
    has(&found, 0.0, 3.0, 1e-13);
}

#[test]
fn what_is_wrong_is_named() {
    let cases: &[(&str, Option<&str>, Linearize, &[&str])] = &[
        ("gallery:bicycle", None, named("lean,ster"), &["no coordinate `ster`", "did you mean `steer`?"]),
        ("gallery:bicycle", None, named("lean"), &["`steer`", "name it as well"]),
        ("gallery:bicycle", None, named("lean,steer,z"), &["`z` is not free"]),
        ("gallery:bicycle", Some("lean = 0, z = -1"), named("lean,steer"), &["back", "does not hold"]),
        ("gallery:bicycle", None, Linearize { symbolic: list("vv"), ..named("lean,steer") }, &["no parameter `vv`"]),
        (
            "gallery:bicycle",
            None,
            Linearize { sweep: Some("v=3".to_owned()), ..named("lean,steer") },
            &["`3` is no range"],
        ),
        (
            "gallery:bicycle",
            None,
            Linearize { critical: Some("speed".to_owned()), ..named("lean,steer") },
            &["no parameter `speed`"],
        ),
        ("gallery:cart-pendulum", None, Linearize { inputs: list("G"), ..Linearize::default() }, &["no input `G`"]),
        (
            "gallery:cart-pendulum",
            None,
            Linearize { outputs: list("height"), ..Linearize::default() },
            &["no output `height`"],
        ),
        ("param m : kg\ncoord x : m\npoint P = (x, 0) mass m\n", None, Linearize::default(), &["`m` has no value"]),
        (
            "param m = 1\ncoord x, y\npoint P = (x, 0) mass m\n",
            None,
            Linearize::default(),
            &["no answer", "`y` moves no mass"],
        ),
        (
            "param m = 1\ncoord x, y\npoint P = (x, y) mass m\nconstraint c: x*y = 0\nstart x = 0, y = 0\n",
            None,
            Linearize::default(),
            &["no answer", "`c`"],
        ),
        (
            "param m = 1, g = 9.81\ncoord x\npoint P = (x, 0) mass m\nforce (g, 0) on P\nstart x = 0\n",
            None,
            Linearize { steady: Some("x = 1".to_owned()), ..Linearize::default() },
            &["no answer", "no steady motion"],
        ),
        (
            "gallery:bicycle",
            None,
            Linearize { steady: Some("lean = 0, steer = 0".to_owned()), ..named("lean,steer") },
            &["do not fix a steady motion", "x'"],
        ),
    ];
    for (model, state, wanted, words) in cases {
        let error = try_at(model, *state, wanted).expect_err(words[0]);
        assert!(words.iter().all(|word| error.contains(word)), "{words:?}:\n{error}");
    }
}

/// The value of an expression in these parameters.
fn value(text: &str, parameters: &[(&str, f64)]) -> f64 {
    let lines: Vec<String> = parameters.iter().map(|(name, value)| format!("param {name} = {value:e}")).collect();
    let model = format!("{}\ncoord q\npoint P = (q, 0, 0) mass 1\nobserve wanted = {text}\n", lines.join("\n"));
    let evaluated = ask::evaluate(&anholon::open(&settings(&model)).unwrap(), None).unwrap();
    let anholon::Evaluated::Found(found) = evaluated else { panic!("{text} has no value") };
    found.observes.0.iter().find(|one| one.0 == "wanted").unwrap().1[0]
}

#[test]
fn a_steady_motion_is_known_in_symbols() {
    // a bead on a hoop that runs freely about the vertical: cos(theta) = g/(R phi'^2)
    let hoop = "param m = 0.2 kg, R = 0.5 m, g = 9.81 m/s^2, W = 6 rad/s\ncoord theta, phi : rad\n\
                point P = R*(sin(theta)*cos(phi), sin(theta)*sin(phi), -cos(theta)) mass m\ngravity (0, 0, -g)\n\
                start theta = 1, phi' = W\n";
    let wanted = Linearize { steady: Some("phi' = W".to_owned()), symbolic: list("W,g"), ..Linearize::default() };
    let found = try_at(hoop, None, &wanted).unwrap();
    let symbolic = found.symbolic.unwrap();
    let texts = &symbolic.matrices.0.iter().find(|one| one.0 == "A").unwrap().1;
    let here = [("W", 6.0), ("g", 9.81)];
    let numbers: Vec<Vec<f64>> = texts.iter().map(|row| row.iter().map(|text| value(text, &here)).collect()).collect();
    let expected: Vec<&[f64]> = found.A.iter().map(Vec::as_slice).collect();
    near(&numbers, &expected, 1e-12, "A with symbols, at the values of the model");
    // and elsewhere
    let faster = try_at(&hoop.replace("W = 6", "W = 9"), None, &Linearize { symbolic: Vec::new(), ..wanted.clone() });
    let there = [("W", 9.0), ("g", 9.81)];
    let numbers: Vec<Vec<f64>> = texts.iter().map(|row| row.iter().map(|text| value(text, &there)).collect()).collect();
    let faster = faster.unwrap().A;
    near(&numbers, &faster.iter().map(Vec::as_slice).collect::<Vec<_>>(), 1e-12, "A with symbols, elsewhere");

    // the bicycle, upright: the speed is a symbol
    let upright = Some("lean = 0, steer = 0, x' = v".to_owned());
    let wanted = Linearize { steady: upright, symbolic: list("v"), ..named("lean,steer") };
    let found = try_at("gallery:bicycle", None, &wanted).unwrap().symbolic.unwrap();
    let stiffness = &found.polynomials.0.iter().find(|one| one.0 == "K").unwrap().1.0;
    near(&stiffness.iter().find(|one| one.0 == "v^2").unwrap().1, &K2, 1e-11, "K2");

    // a disc that rolls in a circle: reactions and accelerations depend on g too
    let circle = Some("lean = 0.2, spin' = 8".to_owned());
    let wanted = Linearize { steady: circle, symbolic: list("g"), ..Linearize::default() };
    let found = try_at("gallery:rolling-disc-contact", None, &wanted).unwrap();
    let texts = &found.symbolic.unwrap().matrices.0[0].1;
    for g in [9.81, 7.0] {
        let mut settings = settings("gallery:rolling-disc-contact");
        settings.set = vec![format!("g={g}")];
        let wanted = Linearize { symbolic: Vec::new(), ..wanted.clone() };
        let Ok(Linearized::Found(there)) = ask::linearize(&settings, &wanted) else { panic!("no circle at {g}") };
        let numbers: Vec<Vec<f64>> =
            texts.iter().map(|row| row.iter().map(|text| value(text, &[("g", g)])).collect()).collect();
        near(&numbers, &there.A.iter().map(Vec::as_slice).collect::<Vec<_>>(), 1e-9, "a disc in a circle");
    }

    // the place is given in numbers: it is steady at one speed
    let place = (9.81_f64 / (0.5 * 36.0)).acos();
    let fixed = Some(format!("theta = {place:e}, phi' = W"));
    let wanted = Linearize { steady: fixed, symbolic: list("W"), ..Linearize::default() };
    let refused = try_at(hoop, None, &wanted).unwrap_err();
    assert!(refused.contains("for some values of the symbols only"), "{refused}");
}

#[test]
fn a_hanging_chain_swings_as_laguerre_says() {
    // omega^2 l/g are the roots of the Laguerre polynomial of the number of links (Johann Bernoulli's chain)
    for (links, smallest, largest) in
        [(6, 0.222846604179261, 15.982873980601702), (9, 0.152322227731808, 26.374071890927)]
    {
        let mut settings = settings("gallery:chain");
        settings.set = vec![format!("n={links}")];
        settings.at = Some("a[i] = 0 for i in 1..n".to_owned());
        let Ok(Linearized::Found(found)) = ask::linearize(&settings, &Linearize::default()) else {
            panic!("{links} links have no matrices")
        };
        for root in [smallest, largest] {
            has(&found, 0.0, f64::sqrt(root * 9.81 / 0.1), 1e-9);
        }
    }
}

#[test]
fn units_of_any_size_are_no_rounding() {
    let pendulum = "param m = 1e12 kg, l = 1e-9 m, g = 1e12 m/s^2\ncoord x, y : m\npoint P = (x, y) mass m\n\
                    gravity (0, -g)\nconstraint rod: x^2 + y^2 = l^2\nstart y = -l\n";
    let found = try_at(pendulum, None, &Linearize::default()).unwrap();
    has(&found, 0.0, 1e21_f64.sqrt(), 1.0);
    let springs = "param m = 1e-12 kg, k = 1e-12 N/m, c = 1e12 N/m\ncoord x, y : m\npoint P = (x, y) mass m\n\
                   potential k*x^2/2 + c*y^2/2\n";
    let found = try_at(springs, None, &Linearize::default()).unwrap();
    has(&found, 0.0, 1.0, 1e-12);
    has(&found, 0.0, 1e12, 1.0);
}

#[test]
fn a_damper_damps_where_its_length_is_zero() {
    for place in ["(x, 0)", "(3*x/5, 4*x/5)", "(x*cos(c), x*sin(c))"] {
        let text = format!(
            "param m = 1 kg, b = 0.5 N*s/m, k = 4 N/m, c = 0.3\ncoord x : m\npoint C = {place} mass m\n\
             spring k between C and 0\ndamper b between C and 0\n"
        );
        let found = try_at(&text, None, &Linearize::default()).unwrap();
        near(&found.C.unwrap(), &[&[0.5]], 1e-14, place);
    }
}

#[test]
fn a_critical_value_is_exact_however_gently_it_is_crossed() {
    let text = "param m = 1 kg, p = 0.5\ncoord x : m\npoint C = (x, 0) mass m\n\
                generalized force -(1 N/m)*x - (1 N*s/m)*((p - 1)^2 - 1e-6)*x' on x\n";
    let wanted = Linearize { critical: Some("p=0..3".to_owned()), points: Some(20000), ..Linearize::default() };
    let found = try_at(text, None, &wanted).unwrap();
    let values: Vec<f64> = found.critical.iter().map(|one| one.value).collect();
    assert!(values.len() == 2 && (values[0] - 0.999).abs() < 1e-9 && (values[1] - 1.001).abs() < 1e-9, "{values:?}");
}

#[test]
fn a_root_locus_is_followed() {
    let wanted = Linearize { sweep: Some("v=0..10".to_owned()), points: Some(101), ..named("lean,steer") };
    let found = try_at("gallery:bicycle", None, &wanted).unwrap();
    let sweep = found.sweep.as_ref().unwrap();
    assert_eq!((sweep.values.len(), sweep.values[50]), (101, 5.0));
    assert!(sweep.eigenvalues[50].iter().any(|value| (value[0] + 14.07838969279822).abs() < 1e-10));
    // at rest: ±3.13164324790656, ±5.53094371765393 (table 2)
    assert!(sweep.eigenvalues[0].iter().any(|value| (value[0] - 5.53094371765393).abs() < 1e-10));
    let svg = anholon::picture::locus(&found, sweep);
    assert!(svg.starts_with("<svg") && svg.contains("Re"), "{svg}");
}

#[test]
fn a_rolling_disc_forgets_its_heading() {
    // x' and y' follow from the angles: choose x' as a velocity and the heading would matter
    let found = at("gallery:rolling-disc", "lean = 0.3, spin' = 6", &Linearize::default());
    assert_eq!(found.states, ["lean", "yaw'", "lean'", "spin'"]);
    assert_eq!(found.ignorable, ["x", "y", "yaw", "spin"]);
    // circling at a steady lean
    let wanted = Linearize { steady: Some("lean = 0.3, yaw' = 2".to_owned()), ..Linearize::default() };
    let found = try_at("gallery:rolling-disc", None, &wanted).unwrap();
    let (r, g, lean, yaw) = (0.5, 9.81, 0.3_f64, 2.0);
    let spin = found.at.get("spin'").unwrap();
    let left = yaw * (5.0 * yaw * lean.sin() + 6.0 * spin) * lean.cos() + 4.0 * g / r * lean.sin();
    assert!(left.abs() < 1e-9 && found.steady, "{left} {:?}", found.notes);
}

#[test]
fn without_names_all_coordinates_have_a_second_order_form() {
    let found = try_at("gallery:cart-pendulum", None, &Linearize::default()).unwrap();
    assert_eq!(found.coordinates, ["x", "phi"]);
    near(found.M.as_ref().unwrap(), &[&[2.5, 0.1], &[0.1, 0.08]], 1e-14, "M");
    let found = try_at("gallery:atwood", None, &Linearize::default()).unwrap();
    assert_eq!((found.coordinates.len(), found.M.unwrap().len()), (1, 1));
}

/// The greatest root of the Laguerre polynomial of this order, by Newton's method from above: all roots are real.
fn largest_of_laguerre(order: usize) -> f64 {
    let mut x = 4.0 * order as f64;
    for _ in 0..200 {
        let (mut before, mut now) = (1.0, 1.0 - x);
        for k in 1..order {
            let k = k as f64;
            (before, now) = (now, ((2.0 * k + 1.0 - x) * now - k * before) / (k + 1.0));
        }
        let slope = order as f64 * (now - before) / x;
        x -= now / slope;
    }
    x
}

#[test]
fn long_chains_swing_and_do_not_grow() {
    for links in [12, 18, 20, 25, 40] {
        let mut settings = settings("gallery:chain");
        settings.set = vec![format!("n={links}")];
        settings.at = Some("a[i] = 0 for i in 1..n".to_owned());
        let Ok(Linearized::Found(found)) = ask::linearize(&settings, &Linearize::default()) else {
            panic!("{links} links have no matrices")
        };
        assert_eq!((found.stability, found.eigenvalues.len()), (Growth::Neutral, 2 * links), "{links}");
        assert!(found.eigenvalues.iter().all(|value| value[0] == 0.0), "{links}: {:?}", found.eigenvalues);
        let swing = largest_of_laguerre(links) * 9.81 / 0.1;
        has(&found, 0.0, swing.sqrt(), 1e-8);
        // of l θ_i'' = …: only neighbours pull, and the others are zero
        let g = 9.81 / 0.1;
        for (i, row) in found.A[links..].iter().enumerate() {
            for (j, &x) in row[..links].iter().enumerate() {
                let own = (links - j) as f64 * g;
                let exact = match i.abs_diff(j) {
                    0 if i == 0 => -own,
                    0 => -2.0 * own,
                    1 => own,
                    _ => 0.0,
                };
                assert!((x - exact).abs() <= 1e-9 * exact.abs(), "{links} links, {i} {j}: {x} is not {exact}");
            }
        }
    }
}

#[test]
fn long_chains_that_stand_fall() {
    for links in [3, 20, 30] {
        let mut settings = settings("gallery:chain");
        settings.set = vec![format!("n={links}")];
        settings.at = Some("a[i] = pi for i in 1..n".to_owned());
        let Ok(Linearized::Found(found)) = ask::linearize(&settings, &Linearize::default()) else {
            panic!("{links} links have no matrices")
        };
        assert_eq!(found.stability, Growth::Unstable, "{links}");
        has(&found, (largest_of_laguerre(links) * 9.81 / 0.1).sqrt(), 0.0, 1e-8);
    }
}

#[test]
fn a_train_of_free_wagons_has_two_zeros_and_no_growth() {
    // n wagons with springs between them: ω = 2 √(k/m) sin(j π/(2 n)), and twice zero
    for wagons in [5, 24, 40] {
        let text = format!(
            "param n = {wagons}, m = 3 kg, k = 7 N/m\ncoord x[1..n] : m\n\
             point P[i] = (x[i], 0) mass m for i in 1..n\n\
             potential k*(x[i+1] - x[i])^2/2 for i in 1..n-1\n"
        );
        let found = try_at(&text, None, &Linearize::default()).unwrap();
        assert_eq!(found.stability, Growth::Neutral, "{wagons}");
        assert_eq!(found.eigenvalues.iter().filter(|value| **value == [0.0, 0.0]).count(), 2, "{wagons}");
        assert!(found.eigenvalues.iter().all(|value| value[0] == 0.0), "{wagons}: {:?}", found.eigenvalues);
        for j in 1..wagons {
            let omega = 2.0 * (7.0_f64 / 3.0).sqrt() * (j as f64 * std::f64::consts::PI / (2 * wagons) as f64).sin();
            has(&found, 0.0, omega, 1e-10);
        }
    }
}

#[test]
fn kinks_jumps_and_infinite_slopes_are_refused_by_their_load() {
    let head = "param m = 1 kg, k = 1 N/m\ncoord x, y : m\npoint P = (x, y) mass m\npotential k*y^2/2\n";
    for (line, what) in [
        ("generalized force -k*abs(x) on x", Some("bends")),
        ("generalized force -k*max(x, 0 m) on x", Some("bends")),
        ("potential k*(1 m)*abs(x)", Some("jumps")),
        ("generalized force -(1 N)*sign(x') on x", Some("jumps")),
        ("generalized force -(1 N)*cbrt(x/(1 m)) on x", Some("has an infinite slope")),
        ("generalized force -(1 N)*sqrt(x/(1 m)) on x", Some("has an infinite slope")),
        ("spring k rest 1 m between P and (0, 0)", Some("")),
        // these are smooth enough, or bend elsewhere
        ("generalized force -k*x - (1 N/m^2)*x*abs(x) on x", None),
        ("generalized force -(1 kg/m)*x'*abs(x') - k*x on x", None),
        ("generalized force -k*max(x - 1 m, 0 m) on x", None),
        ("generalized force -(1 N)*abs(x/(1 m))^(3/2) on x", None),
        ("generalized force -(1 N/m^2)*x^2 on x", None),
        ("potential k*sqrt(1 m^2 + x^2)*(1 m)", None),
    ] {
        let found = try_at(&format!("{head}{line}\n"), None, &Linearize::default());
        match (what, found) {
            (None, found) => assert!(found.is_ok(), "{line}: {found:?}"),
            (Some(what), Ok(found)) => panic!("{line} {what} and has K = {:?}", found.K),
            (Some(what), Err(told)) => {
                assert!(told.contains(what) && told.contains(line) && told.contains("line 5"), "{line}: {told}");
            }
        }
    }
    // beside the kink there are slopes
    let text = format!("{head}generalized force -k*abs(x) on x\n");
    let found = at(&text, "x = -1", &Linearize::default());
    near(&found.K.unwrap(), &[&[-1.0, 0.0], &[0.0, 1.0]], 1e-12, "K");
}

#[test]
fn eigenvalues_of_an_instant_decide_no_stability() {
    // a state that accelerates; a load that is zero at the start and grows; a support that is moved
    for text in [
        "coord x\nkinetic x'^2/2\npotential -cos(x)\nstart x = 0.3\n",
        "coord x\nkinetic x'^2/2\npotential -cos(x)\ngeneralized force t - 0.1*x' on x\n",
        "coord x\nkinetic x'^2/2\npotential -cos(x)\ngeneralized force sin(t) - 0.1*x' on x\n",
    ] {
        let found = try_at(text, None, &Linearize::default()).unwrap();
        assert_eq!((found.steady, found.stability), (false, Growth::Undecided), "{text}");
    }
    let rest = "coord x\nkinetic x'^2/2\npotential -cos(x)\ngeneralized force -0.1*x' on x\n";
    assert_eq!(try_at(rest, None, &Linearize::default()).unwrap().stability, Growth::Stable);
}

/// x'' + c x' + k x = 0 with c and k that change with v.
fn oscillator(c: &str, k: &str) -> Vec<(f64, Onset, f64, [usize; 2])> {
    let text = format!("param v = 1\ncoord x\nkinetic x'^2/2\ndissipation ({c})*x'^2/2\npotential ({k})*x^2/2\n");
    let model = anholon::load("test.mech", &text).unwrap();
    let wanted = Linearize { critical: Some("v=0..5".to_owned()), ..Linearize::default() };
    let anholon::Linearized::Found(found) = anholon::linearize(&model, &wanted, &mut anholon::Alone).unwrap() else {
        panic!("{text}")
    };
    found.critical.iter().map(|one| (one.value, one.kind, one.frequency, one.unstable)).collect()
}

#[test]
fn what_touches_the_axis_is_critical_too() {
    // a stiffness that touches zero, damped and not; a damper that does
    for c in ["1", "0"] {
        let [(value, kind, _, counts)] = oscillator(c, "(v - 2.013)^2")[..] else { panic!("damping {c}") };
        assert!(
            (value - 2.013).abs() < 1e-3 && kind == Onset::Divergent && counts == [0, 0],
            "{c}: {value} {counts:?}"
        );
    }
    let [(value, kind, frequency, counts)] = oscillator("(v - 2.013)^2", "9")[..] else { panic!("a damper") };
    assert!((value - 2.013).abs() < 1e-6 && (frequency - 3.0).abs() < 1e-9, "{value}, {frequency}");
    assert_eq!((kind, counts), (Onset::Oscillatory, [0, 0]));
    // two crossings between two values of the grid
    let both = oscillator("1", "(v - 2.013)^2 - 1e-6");
    let values: Vec<f64> = both.iter().map(|one| one.0).collect();
    assert_eq!(both.iter().map(|one| one.3).collect::<Vec<_>>(), [[0, 1], [1, 0]], "{both:?}");
    assert!((values[0] - 2.012).abs() < 1e-9 && (values[1] - 2.014).abs() < 1e-9, "{values:?}");
    // near is not there, and what is always zero touches nothing
    assert_eq!(oscillator("1", "(v - 2.013)^2 + 1e-3"), []);
    assert_eq!(oscillator("0", "1 + v"), []);
    assert_eq!(oscillator("1 + v", "0"), []);
}

#[test]
fn a_steady_motion_is_not_looked_for_at_a_pole() {
    let text = "param m = 1 kg, l = 1 m, g = 9.81 m/s^2\ncoord th, ph : rad\n\
                point P = l*(sin(th)*cos(ph), sin(th)*sin(ph), -cos(th)) mass m\ngravity (0, 0, -g)\n\
                start th = 0.5 rad, ph' = 3 rad/s\n";
    let wanted = |rate: &str| Linearize { steady: Some(format!("ph' = {rate}")), ..Linearize::default() };
    // the cone beside the start, not a bottom whole turns away: cos(th) = g/(l n²), and (g/l)(1 + 3 cos²)/cos by Routh
    let found = try_at(text, None, &wanted("4")).unwrap();
    let cone = 9.81_f64 / 16.0;
    assert!(
        (found.at.get("th").unwrap().abs() - cone.acos()).abs() < 1e-9 && found.at.get("th'") == Some(&0.0),
        "{:?}",
        found.at
    );
    has(&found, 0.0, (9.81 * (1.0 + 3.0 * cone * cone) / cone).sqrt(), 1e-7);
    // too slow for a cone: at the bottom the angle has no meaning
    let error = try_at(text, None, &wanted("2")).unwrap_err();
    assert!(error.contains("no steady motion"), "{error}");
    // on the equator no multiplier holds what falls
    let sphere = "coord x, y, z : m\npoint P = (x, y, z) mass 1 kg\ngravity (0, 0, -9.81 m/s^2)\n\
                  constraint rod: x^2 + y^2 + z^2 = 1 m^2\nstart x = 0.5 m, y' = 1 m/s\nguess z = -0.8 m\n";
    let wanted = Linearize { steady: Some("x = 0.5".to_owned()), ..Linearize::default() };
    let error = try_at(sphere, None, &wanted).unwrap_err();
    assert!(error.contains("no steady motion"), "{error}");
}
