//! Linear equations at kinks, poles, symmetric and singular states, one line each: what must be refused and how it is named, or
//! the eigenvalues against those of equations written here by hand.
//!
//! ```text
//! Π (z − λ_k) = det(z − J) at several complex z,    J by differences of the equations by hand            (1)
//! ```

mod ask;

use anholon::{Linearize, Linearized, Settings};

type Complex = (f64, f64);

fn times(a: Complex, b: Complex) -> Complex {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// a − b c/d
fn less(a: Complex, b: Complex, c: Complex, d: Complex) -> Complex {
    let (bc, size) = (times(b, c), d.0 * d.0 + d.1 * d.1);
    let part = times(bc, (d.0 / size, -d.1 / size));
    (a.0 - part.0, a.1 - part.1)
}

/// det(z − J) by elimination.
fn characteristic(jacobian: &[Vec<f64>], z: Complex) -> Complex {
    let n = jacobian.len();
    let entry = |i: usize, j: usize| if i == j { (z.0 - jacobian[i][j], z.1) } else { (-jacobian[i][j], 0.0) };
    let mut a: Vec<Vec<Complex>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
    let mut product = (1.0, 0.0);
    for k in 0..n {
        let size = |row: &Vec<Complex>| row[k].0.hypot(row[k].1);
        let best = (k..n).max_by(|&i, &j| size(&a[i]).total_cmp(&size(&a[j]))).unwrap_or(k);
        if best != k {
            a.swap(k, best);
            product = (-product.0, -product.1);
        }
        product = times(product, a[k][k]);
        for i in k + 1..n {
            let factor = a[i][k];
            for j in k..n {
                a[i][j] = less(a[i][j], factor, a[k][j], a[k][k]);
            }
        }
    }
    product
}

/// The equations by hand: y' = f(y) in as many states as the engine keeps.
type Field = fn(&[f64]) -> Vec<f64>;

fn jacobian(field: Field, y: &[f64]) -> Vec<Vec<f64>> {
    const STEP: f64 = 1e-7;
    let n = y.len();
    let moved = |k: usize, step: f64| {
        let mut next = y.to_vec();
        next[k] += step;
        field(&next)
    };
    let column = |k: usize| -> Vec<f64> {
        let [a, b, c, d] = [2.0, 1.0, -1.0, -2.0].map(|side| moved(k, side * STEP));
        (0..n).map(|i| (8.0 * (b[i] - c[i]) - (a[i] - d[i])) / (12.0 * STEP)).collect()
    };
    let columns: Vec<Vec<f64>> = (0..n).map(column).collect();
    (0..n).map(|i| (0..n).map(|j| columns[j][i]).collect()).collect()
}

enum Says {
    /// No linear equations, with these words in the reason.
    Refuses(&'static [&'static str]),
    /// The spectrum of these equations at a place.
    Spectrum(&'static [f64], Field),
    /// The same, with these words among the notes.
    Noted(&'static str, &'static [f64], Field),
}

fn asked(text: &str) -> Result<(Vec<[f64; 2]>, Vec<String>), String> {
    match ask::linearize(&Settings::new("test.mech", text), &Linearize::default()) {
        Ok(Linearized::Found(found)) => Ok((found.eigenvalues, found.notes)),
        Ok(Linearized::NoAnswer { reason, .. }) => Err(reason),
        Err(error) => Err(error.to_string()),
    }
}

/// What is wrong with an answer, if something is.
fn complaint(text: &str, says: &Says) -> Option<String> {
    let (word, place, field) = match (says, asked(text)) {
        (Says::Refuses(words), Err(why)) => {
            let missing = words.iter().find(|word| !why.contains(**word))?;
            return Some(format!("`{missing}` is not said: {why}"));
        }
        (Says::Refuses(_), Ok(found)) => return Some(format!("not refused: {found:?}")),
        (_, Err(why)) => return Some(format!("refused: {why}")),
        (Says::Spectrum(place, field), Ok(_)) => ("", place, field),
        (Says::Noted(word, place, field), Ok(_)) => (*word, place, field),
    };
    let (values, notes) = asked(text).ok()?;
    if !notes.iter().any(|note| note.contains(word)) && !word.is_empty() {
        return Some(format!("`{word}` is not noted: {notes:?}"));
    }
    if word.is_empty() && notes.iter().any(|note| note.contains("fewer modes")) {
        return Some(format!("noted without need: {notes:?}"));
    }
    let slopes = jacobian(*field, place);
    if slopes.len() != values.len() {
        return Some(format!("{} eigenvalues, {} by hand: {values:?}", values.len(), slopes.len()));
    }
    for z in [(0.3, 0.7), (-1.1, 0.4), (0.9, -2.3), (2.1, 0.2), (-0.6, 3.3), (0.0, 1.9), (1.7, -1.3)] {
        let found = values.iter().fold((1.0, 0.0), |all, value| times(all, (z.0 - value[0], z.1 - value[1])));
        let hand = characteristic(&slopes, z);
        if (found.0 - hand.0).hypot(found.1 - hand.1) > 1e-6 * (1.0 + hand.0.hypot(hand.1)) {
            return Some(format!("{values:?}: at {z:?} {found:?}, by hand {hand:?}"));
        }
    }
    None
}

fn compare(cases: &[(&str, Says)]) {
    let wrong: Vec<String> =
        cases.iter().filter_map(|(text, says)| Some(format!("{text}\n  {}", complaint(text, says)?))).collect();
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

use Says::{Noted, Refuses, Spectrum};

#[test]
fn at_kinks() {
    compare(&[
        ("coord x\nkinetic x'^2/2\npotential abs(x)", Refuses(&["`potential abs(x)`", "line 3", "jumps"])),
        ("coord x\nkinetic x'^2/2\ngeneralized force -x - max(x, 0) on x", Refuses(&["line 3", "bends"])),
        ("coord x\nkinetic x'^2/2\ngeneralized force if(x < 0, -x, -4*x) on x", Refuses(&["line 3", "bends"])),
        ("coord x\nkinetic x'^2/2\npotential x^2/2\ngeneralized force -sign(x') on x", Refuses(&["line 4", "jumps"])),
        ("coord x\nkinetic x'^2/2\ngeneralized force -cbrt(x) on x", Refuses(&["line 3", "infinite slope"])),
        ("coord x\nkinetic x'^2/2\ngeneralized force -sqrt(x) on x", Refuses(&["line 3", "infinite slope"])),
        ("coord x\nkinetic x'^2/2\ngeneralized force pi/2 - asin(x) on x\nstart x = 1", Refuses(&["infinite slope"])),
        ("coord x\nkinetic x'^2/2\npotential x^2/2\ngeneralized force -x'^(1/3) on x", Refuses(&["infinite slope"])),
        // its slope is zero, whatever the factors of it are
        ("coord x\nkinetic x'^2/2\ngeneralized force -x - cbrt(x)^4 on x", Refuses(&["line 3", "not computed"])),
        ("coord x\nkinetic x'^2/2\npotential x^2/2 + exp(-1/x^2)", Refuses(&["no value"])),
        (
            "coord x, y\npoint P = (x, y) mass 1\nspring 1 rest 1 between P and 0",
            Refuses(&["`spring 1 rest 1", "line 3"]),
        ),
        // smooth enough
        (
            "coord x\nkinetic x'^2/2\ngeneralized force -x - x*abs(x) on x",
            Spectrum(&[0.0, 0.0], |y| vec![y[1], -y[0] - y[0] * y[0].abs()]),
        ),
        (
            "coord x\nkinetic x'^2/2\ngeneralized force -x - abs(x)^3 on x",
            Spectrum(&[0.0, 0.0], |y| vec![y[1], -y[0] - y[0].abs().powi(3)]),
        ),
        (
            "coord x\nkinetic x'^2/2\ngeneralized force if(x < 0, -x, -x - x^2) on x",
            Spectrum(&[0.0, 0.0], |y| vec![y[1], -y[0]]),
        ),
        (
            "coord x, y\npoint P = (x, y) mass 1\npotential x^2/2 + y^2\nforce -norm(velocity(P))*velocity(P) on P",
            Spectrum(&[0.0; 4], |y| {
                let v = y[2].hypot(y[3]);
                vec![y[2], y[3], -y[0] - v * y[2], -2.0 * y[1] - v * y[3]]
            }),
        ),
        // beside the kink
        (
            "coord x\nkinetic x'^2/2\ngeneralized force 1 - x - max(x, 0) on x\nstart x = 1/2",
            Spectrum(&[0.5, 0.0], |y| vec![y[1], 1.0 - 2.0 * y[0]]),
        ),
        (
            "coord x\nkinetic x'^2/2\npotential x^2/2\ngeneralized force -sign(x' - 2) on x\nstart x = 1",
            Spectrum(&[1.0, 0.0], |y| vec![y[1], 1.0 - y[0]]),
        ),
    ]);
}

const PENDULUM: &str = "point P = (sin(th)*cos(ph), sin(th)*sin(ph), -cos(th)) mass 1\ngravity (0, 0, -4)";

#[test]
fn at_poles_and_on_symmetric_states() {
    let hanging = format!("coord th, ph : rad\n{PENDULUM}\nstart th = 0, ph = 0");
    let conical = format!("coord th, ph : rad\n{PENDULUM}\nstart th = pi/3, ph = 0, ph' = sqrt(8)");
    let plane = format!("coord th : rad\nparam ph = 1\n{PENDULUM}\nstart th = pi");
    compare(&[
        (&hanging, Refuses(&["`ph` moves no mass"])),
        (
            "coord r, ph\npoint P = (r*cos(ph), r*sin(ph)) mass 1\npotential r^2/2\nstart r = 0",
            Refuses(&["`ph` moves no mass"]),
        ),
        (
            &conical,
            Spectrum(&[std::f64::consts::FRAC_PI_3, 0.0, 2.828_427_124_746_19], |y| {
                let (s, c) = y[0].sin_cos();
                vec![y[1], s * c * y[2] * y[2] - 4.0 * s, -2.0 * c / s * y[1] * y[2]]
            }),
        ),
        (&plane, Spectrum(&[std::f64::consts::PI, 0.0], |y| vec![y[1], -4.0 * y[0].sin()])),
        (
            "coord r, ph\npoint P = (r*cos(ph), r*sin(ph)) mass 1\npotential -1/r\nstart r = 1, ph' = 1",
            Spectrum(&[1.0, 0.0, 1.0], |y| {
                vec![y[1], y[0] * y[2] * y[2] - 1.0 / (y[0] * y[0]), -2.0 * y[1] * y[2] / y[0]]
            }),
        ),
        // the same place in coordinates without a pole: hanging, and upright
        (
            "coord x, y, z\npoint P = (x, y, z) mass 1\ngravity (0, 0, -4)\nconstraint l: x^2 + y^2 + z^2 = 1\nstart x = 0, y = 0\nguess z = -1",
            Spectrum(&[0.0; 4], |y| vec![y[2], y[3], -4.0 * y[0], -4.0 * y[1]]),
        ),
        (
            "coord x, y, z\npoint P = (x, y, z) mass 1\ngravity (0, 0, -4)\nconstraint l: x^2 + y^2 + z^2 = 1\nstart x = 0, y = 0\nguess z = 1",
            Spectrum(&[0.0; 4], |y| vec![y[2], y[3], 4.0 * y[0], 4.0 * y[1]]),
        ),
        // two springs at their rest length hold nothing across them
        (
            "coord x, y\npoint P = (x, y) mass 1\nspring 1 rest 1 between P and (0, 1)\nspring 1 rest 1 between P and (0, -1)",
            Noted("a zero eigenvalue has fewer modes", &[0.0; 4], |y| {
                let pull = |h: f64| {
                    let l = y[0].hypot(y[1] - h);
                    ((1.0 - l) * y[0] / l, (1.0 - l) * (y[1] - h) / l)
                };
                let (a, b) = (pull(1.0), pull(-1.0));
                vec![y[2], y[3], a.0 + b.0, a.1 + b.1]
            }),
        ),
        // a skate with its mass ahead, run forwards and backwards: -+ m a v/(I + m a^2)
        (
            "coord x, y, a\nframe R = N rotated z by a\nbody B mass 1 at (x, y) + 0.5*R.x frame R inertia 1\nconstraint k: -x'*sin(a) + y'*cos(a) = 0\nstart x' = 1",
            Spectrum(&[0.0, 1.0, 0.0], |y| vec![y[2], 0.5 * y[2] * y[2], -0.5 * y[1] * y[2] / 1.25]),
        ),
        (
            "coord x, y, a\nframe R = N rotated z by a\nbody B mass 1 at (x, y) + 0.5*R.x frame R inertia 1\nconstraint k: -x'*sin(a) + y'*cos(a) = 0\nstart x' = -1",
            Spectrum(&[0.0, -1.0, 0.0], |y| vec![y[2], 0.5 * y[2] * y[2], -0.5 * y[1] * y[2] / 1.25]),
        ),
        // equal eigenvalues with a mode each, and with one for both
        (
            "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2)/2",
            Spectrum(&[0.0; 4], |y| vec![y[2], y[3], -y[0], -y[1]]),
        ),
        (
            "coord x, y\nkinetic (x'^2 + y'^2)/2\ngeneralized force -x - y on x\ngeneralized force -y on y",
            Noted("1 i has fewer modes than it is multiple", &[0.0; 4], |y| vec![y[2], y[3], -y[0] - y[1], -y[1]]),
        ),
        // close, and yet two
        (
            "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2)/2 + 1e-7*(x - y)^2",
            Spectrum(&[0.0; 4], |y| {
                let d = 2e-7 * (y[0] - y[1]);
                vec![y[2], y[3], -y[0] - d, -y[1] + d]
            }),
        ),
    ]);
}

#[test]
fn at_singular_states() {
    let linkage = |start: &str| {
        format!(
            "coord a, b, c : rad\npoint P = (cos(a), sin(a)) mass 1\npoint Q = P + 2*(cos(b), sin(b)) mass 1\n\
             constraint e: Q + (cos(c), sin(c)) = (2, 0)\ngravity (0, -1)\n{start}"
        )
    };
    // a parallelogram in its dead centre, given, or met from a guess on it and beside it
    let dead = ["start a = 0, b = 0, c = pi", "start a = 0\nguess b = 0, c = pi", "start a = 0\nguess b = 0.1, c = 3"];
    for start in dead {
        let told = asked(&linkage(start));
        assert!(told.as_ref().is_err_and(|why| why.contains("`e.x` vanishes")), "{start}: {told:?}");
    }
    compare(&[
        (
            "coord x, y\npoint P = (x, y) mass 1\nconstraint c: (x - y)^2 = 0\npotential x^2 + y^2",
            Refuses(&["`c` vanishes"]),
        ),
        (
            "coord x, y, z\npoint P = (x, y, z) mass 1\nconstraint c: x^2 + y^2 = z^2\npotential x^2 + y^2 + z^2",
            Refuses(&["`c` vanishes"]),
        ),
        ("coord x, y\npoint P = (x, 0) mass 1\npotential (x - y)^2/2 + y^2/2", Refuses(&["`y` moves no mass"])),
        (
            "coord x, y\npoint P = (x, y) mass 1\nconstraint c: x - y = 0\nconstraint d: 2*x - 2*y = 0\npotential x^2 + y^2",
            Noted("`d` follows from other", &[0.0; 2], |y| vec![y[1], -2.0 * y[0]]),
        ),
    ]);
}
