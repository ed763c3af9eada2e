//! Verdicts on rest with gyroscopic, periodic, degenerate and dissipative terms, one line each, against an oracle of the
//! test's own: the equations of motion written by hand, how fast neighbours of the rest grow in the first approximation, and
//! long runs where that says nothing.
//!
//! ```text
//! Φ = ∂y(T)/∂y(0) by differences,    μ = lim ln|Φᵏ|/(k T)                                              (1)
//! ```

mod ask;

use anholon::answer::Equilibrium;
use anholon::{Equilibria, Settings};

/// What a motion beside the rest does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Leaves,
    Stays,
    Returns,
}

/// The equations of motion by hand: y' = f(t, y) with y = (q, q').
type Field = fn(f64, &[f64], &mut [f64]);

/// A model, what is said of its rest at zero, and the equations by hand with their period, or any time if they have none.
struct Case {
    text: &'static str,
    word: &'static str,
    period: f64,
    field: Field,
}

fn stepped(field: Field, t: f64, h: f64, y: &mut [f64]) {
    let n = y.len();
    let at = |a: f64, k: &[f64]| -> Vec<f64> { (0..n).map(|i| y[i] + a * k[i]).collect() };
    let mut k = [vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n]];
    field(t, y, &mut k[0]);
    field(t + h / 2.0, &at(h / 2.0, &k[0]), &mut k[1]);
    field(t + h / 2.0, &at(h / 2.0, &k[1]), &mut k[2]);
    field(t + h, &at(h, &k[2]), &mut k[3]);
    for i in 0..n {
        y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

fn size(y: &[f64]) -> f64 {
    y.iter().fold(0.0, |most, x| f64::max(most, x.abs()))
}

impl Case {
    fn order(&self) -> usize {
        2 * if self.text.contains("coord x, y, z") { 3 } else { 1 + usize::from(self.text.contains("coord x, y")) }
    }

    /// μ of (1).
    fn rate(&self) -> f64 {
        const STEPS: usize = 2_000;
        let (n, tiny) = (self.order(), 1e-6);
        let column = |j: usize| -> Vec<f64> {
            let run = |side: f64| {
                let mut y = vec![0.0; n];
                y[j] = side * tiny;
                let h = self.period / STEPS as f64;
                (0..STEPS).for_each(|k| stepped(self.field, k as f64 * h, h, &mut y));
                y
            };
            run(1.0).iter().zip(run(-1.0)).map(|(a, b)| (a - b) / (2.0 * tiny)).collect()
        };
        let mut power: Vec<Vec<f64>> = (0..n).map(column).collect();
        let (mut log, mut count) = (0.0, 1.0);
        for _ in 0..24 {
            let largest = power.iter().map(|one| size(one)).fold(0.0, f64::max);
            power.iter_mut().flatten().for_each(|x| *x /= largest);
            log = 2.0 * (log + f64::ln(largest));
            count *= 2.0;
            let square = |i: usize, j: usize| (0..n).map(|k| power[i][k] * power[k][j]).sum::<f64>();
            power = (0..n).map(|i| (0..n).map(|j| square(i, j)).collect()).collect();
        }
        log / (count * self.period)
    }

    /// What long runs from several places at a small distance do.
    fn runs(&self) -> Fate {
        const AWAY: f64 = 0.05;
        let (n, h, most) = (self.order(), 0.01, 400_000);
        let mut fate = Fate::Returns;
        for start in 0..4_usize {
            let mut y: Vec<f64> = (0..n).map(|j| AWAY * f64::cos((3 * start + 2 * j * j) as f64)).collect();
            let (mut early, mut late) = (0.0_f64, 0.0_f64);
            for k in 0..most {
                stepped(self.field, k as f64 * h, h, &mut y);
                if size(&y) > 12.0 * AWAY || y.iter().any(|x| x.is_nan()) {
                    return Fate::Leaves;
                }
                match k {
                    _ if k < most / 10 => early = early.max(size(&y)),
                    _ if k > most - most / 10 => late = late.max(size(&y)),
                    _ => {}
                }
            }
            if late > 0.75 * early {
                fate = Fate::Stays;
            }
        }
        fate
    }

    fn fate(&self) -> Fate {
        match self.rate() {
            rate if rate > 1e-5 => Fate::Leaves,
            rate if rate < -1e-5 => Fate::Returns,
            _ => self.runs(),
        }
    }

    fn rest(&self) -> Equilibrium {
        let set = ask::equilibria(&Settings::new("test.mech", self.text), &Equilibria::default());
        let set = set.unwrap_or_else(|error| panic!("{}: {error}", self.text));
        let is_here =
            |one: &&Equilibrium| ["x", "y", "z"].iter().all(|q| one.values.get(q).is_none_or(|x| x.abs() < 1e-6));
        set.equilibria.iter().find(is_here).unwrap_or_else(|| panic!("{}: {:?}", self.text, set.equilibria)).clone()
    }
}

/// Says of every line what is wrong with it, so that one run tells all.
fn compare(cases: &[Case]) {
    let mut wrong = Vec::new();
    for case in cases {
        let (found, fate) = (case.rest(), case.fate());
        let allowed = match case.word {
            "unstable" => fate == Fate::Leaves,
            "asymptotically stable" => fate == Fate::Returns,
            "stable" | "neutral" => fate != Fate::Leaves,
            "undecided" => true,
            _ => false,
        };
        if found.stability.word() != case.word || !allowed {
            wrong.push(format!(
                "{}\n  found {} ({}), expected {}; by hand it {fate:?} at the rate {:e}",
                case.text,
                found.stability.word(),
                found.reason,
                case.word,
                case.rate()
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

macro_rules! case {
    ($word:literal, $period:expr, $text:expr, |$t:ident, $y:ident, $f:ident| $($body:tt)*) => {
        Case { text: $text, word: $word, period: $period, field: |$t, $y, $f| { let _ = $t; $($body)* } }
    };
}

/// (x, y)'' = F with two numbers.
fn plane(y: &[f64], f: &mut [f64], force: (f64, f64)) {
    f.copy_from_slice(&[y[2], y[3], force.0, force.1]);
}

/// x'' = F.
fn line(y: &[f64], f: &mut [f64], force: f64) {
    f.copy_from_slice(&[y[1], force]);
}

#[test]
fn gyroscopic_terms() {
    compare(&[
        // a charge on a hill along a wall of springs, in a field: stable for B > 2
        case!(
            "stable",
            1.0,
            "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2 + 3*(x*y' - y*x')/2\npotential -(x^2 + y^2)/2 + z^2",
            |t, y, f| {
                f.copy_from_slice(&[y[3], y[4], y[5], y[0] + 3.0 * y[4], y[1] - 3.0 * y[3], -2.0 * y[2]]);
            }
        ),
        case!(
            "unstable",
            1.0,
            "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2 + (x*y' - y*x')/2\npotential -(x^2 + y^2)/2 + z^2",
            |t, y, f| {
                f.copy_from_slice(&[y[3], y[4], y[5], y[0] + y[4], y[1] - y[3], -2.0 * y[2]]);
            }
        ),
        // springs of unlike stiffness in turning axes: unstable for 1 < W < 2, stable below and above
        case!(
            "stable",
            1.0,
            "coord x, y\nkinetic ((x' - y/2)^2 + (y' + x/2)^2)/2\npotential (x^2 + 4*y^2)/2",
            |t, y, f| {
                plane(y, f, (y[3] + 0.25 * y[0] - y[0], -y[2] + 0.25 * y[1] - 4.0 * y[1]));
            }
        ),
        case!(
            "unstable",
            1.0,
            "coord x, y\nkinetic ((x' - 1.5*y)^2 + (y' + 1.5*x)^2)/2\npotential (x^2 + 4*y^2)/2",
            |t, y, f| {
                plane(y, f, (3.0 * y[3] + 1.25 * y[0], -3.0 * y[2] - 1.75 * y[1]));
            }
        ),
        case!(
            "stable",
            1.0,
            "coord x, y\nkinetic ((x' - 3*y)^2 + (y' + 3*x)^2)/2\npotential (x^2 + 4*y^2)/2",
            |t, y, f| {
                plane(y, f, (6.0 * y[3] + 8.0 * y[0], -6.0 * y[2] + 5.0 * y[1]));
            }
        ),
        // the same by a frame that turns with the time
        case!(
            "unstable",
            1.0,
            "coord x, y\nframe R = N rotated z by 1.5*t\npoint P = x*R.x + y*R.y mass 1\npotential (x^2 + 4*y^2)/2",
            |t, y, f| {
                plane(y, f, (3.0 * y[3] + 1.25 * y[0], -3.0 * y[2] - 1.75 * y[1]));
            }
        ),
        // Kelvin: what is held by gyroscopic forces alone is lost with damping
        case!(
            "unstable",
            1.0,
            "coord x, y\nkinetic (x'^2 + y'^2)/2 + 3*(x*y' - y*x')/2\npotential -(x^2 + y^2)/2\ndissipation (x'^2 + y'^2)/20",
            |t, y, f| {
                plane(y, f, (y[0] + 3.0 * y[3] - 0.1 * y[2], y[1] - 3.0 * y[2] - 0.1 * y[3]));
            }
        ),
        case!(
            "asymptotically stable",
            1.0,
            "coord x, y\nkinetic (x'^2 + y'^2)/2 + 3*(x*y' - y*x')/2\npotential (x^2 + y^2)/2\ndissipation x'^2/20",
            |t, y, f| {
                plane(y, f, (-y[0] + 3.0 * y[3] - 0.1 * y[2], -y[1] - 3.0 * y[2]));
            }
        ),
        // a bead on a hoop that turns: the bottom is left above W^2 = g/l
        case!("stable", 1.0, "coord x : rad\nkinetic (x'^2 + 0.81*sin(x)^2)/2\npotential -cos(x)", |t, y, f| {
            line(y, f, 0.81 * y[0].sin() * y[0].cos() - y[0].sin());
        }),
        case!("unstable", 1.0, "coord x : rad\nkinetic (x'^2 + 1.21*sin(x)^2)/2\npotential -cos(x)", |t, y, f| {
            line(y, f, 1.21 * y[0].sin() * y[0].cos() - y[0].sin());
        }),
        // exactly at it: sin x (cos x - 1) = -x^3/2
        case!("stable", 1.0, "coord x : rad\nkinetic (x'^2 + sin(x)^2)/2\npotential -cos(x)", |t, y, f| {
            line(y, f, y[0].sin() * (y[0].cos() - 1.0));
        }),
        // a follower load: K is not symmetric; 3 +- i
        case!(
            "unstable",
            1.0,
            "coord x, y\nkinetic (x'^2 + y'^2)/2\ngeneralized force -3*x - y on x\ngeneralized force x - 3*y on y",
            |t, y, f| {
                plane(y, f, (-3.0 * y[0] - y[1], y[0] - 3.0 * y[1]));
            }
        ),
        case!(
            "asymptotically stable",
            1.0,
            "coord x, y\nkinetic (x'^2 + y'^2)/2\ngeneralized force -3*x - y - x' on x\ngeneralized force x - 3*y - y' on y",
            |t, y, f| {
                plane(y, f, (-3.0 * y[0] - y[1] - y[2], y[0] - 3.0 * y[1] - y[3]));
            }
        ),
    ]);
}

#[test]
fn periodic_terms() {
    const TURN: f64 = std::f64::consts::TAU;
    compare(&[
        // Mathieu: x'' + (a + b cos t) x = 0
        case!("unstable", TURN, "coord x\nkinetic x'^2/2\npotential (1/4 + 0.1*cos(t))*x^2/2", |t, y, f| line(
            y,
            f,
            -(0.25 + 0.1 * t.cos()) * y[0]
        )),
        case!("stable", TURN, "coord x\nkinetic x'^2/2\npotential (0.6 + 0.3*cos(t))*x^2/2", |t, y, f| line(
            y,
            f,
            -(0.6 + 0.3 * t.cos()) * y[0]
        )),
        case!("unstable", TURN, "coord x\nkinetic x'^2/2\npotential (1 + 0.5*cos(t))*x^2/2", |t, y, f| line(
            y,
            f,
            -(1.0 + 0.5 * t.cos()) * y[0]
        )),
        case!("stable", TURN, "coord x\nkinetic x'^2/2\npotential (-0.05 + 0.5*cos(t))*x^2/2", |t, y, f| line(
            y,
            f,
            -(-0.05 + 0.5 * t.cos()) * y[0]
        )),
        case!("unstable", TURN, "coord x\nkinetic x'^2/2\npotential (-0.3 + 0.5*cos(t))*x^2/2", |t, y, f| line(
            y,
            f,
            -(-0.3 + 0.5 * t.cos()) * y[0]
        )),
        // damped below and above what it takes: b/2 = 0.1
        case!(
            "asymptotically stable",
            TURN,
            "coord x\nkinetic x'^2/2\npotential (1/4 + 0.1*cos(t))*x^2/2\ndissipation 0.3*x'^2/2",
            |t, y, f| line(y, f, -(0.25 + 0.1 * t.cos()) * y[0] - 0.3 * y[1])
        ),
        case!(
            "unstable",
            TURN,
            "coord x\nkinetic x'^2/2\npotential (1/4 + 0.1*cos(t))*x^2/2\ndissipation 0.05*x'^2/2",
            |t, y, f| line(y, f, -(0.25 + 0.1 * t.cos()) * y[0] - 0.05 * y[1])
        ),
        // two frequencies, one period
        case!(
            "unstable",
            TURN,
            "coord x\nkinetic x'^2/2\npotential (1 + 0.3*cos(2*t) + 0.1*cos(t))*x^2/2",
            |t, y, f| line(y, f, -(1.0 + 0.3 * (2.0 * t).cos() + 0.1 * t.cos()) * y[0])
        ),
        // a mass that changes: (m x')' = -x
        case!(
            "unstable",
            std::f64::consts::PI,
            "coord x\nkinetic (1 + 0.4*cos(2*t))*x'^2/2\npotential x^2/2",
            |t, y, f| {
                let m = 1.0 + 0.4 * (2.0 * t).cos();
                line(y, f, (-y[0] + 0.8 * (2.0 * t).sin() * y[1]) / m);
            }
        ),
        // a saddle that turns: lost below W^2 = k/m, held above
        case!(
            "unstable",
            TURN / 1.6,
            "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential ((x^2 - y^2)*cos(1.6*t) + 2*x*y*sin(1.6*t))/2",
            |t, y, f| {
                let (s, c) = (1.6 * t).sin_cos();
                plane(y, f, (-(y[0] * c + y[1] * s), y[1] * c - y[0] * s));
            }
        ),
        case!(
            "stable",
            TURN / 2.6,
            "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential ((x^2 - y^2)*cos(2.6*t) + 2*x*y*sin(2.6*t))/2",
            |t, y, f| {
                let (s, c) = (2.6 * t).sin_cos();
                plane(y, f, (-(y[0] * c + y[1] * s), y[1] * c - y[0] * s));
            }
        ),
        // a sum of two frequencies, 1 + 2, drives both; another does not
        case!(
            "unstable",
            TURN / 3.0,
            "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + 4*y^2)/2 + 0.5*x*y*cos(3*t)",
            |t, y, f| {
                let a = 0.5 * (3.0 * t).cos();
                plane(y, f, (-y[0] - a * y[1], -4.0 * y[1] - a * y[0]));
            }
        ),
        case!(
            "stable",
            TURN / 5.3,
            "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + 4*y^2)/2 + 0.5*x*y*cos(5.3*t)",
            |t, y, f| {
                let a = 0.5 * (5.3 * t).cos();
                plane(y, f, (-y[0] - a * y[1], -4.0 * y[1] - a * y[0]));
            }
        ),
        // a damper that pushes now and then, and takes more than it gives
        case!(
            "asymptotically stable",
            TURN,
            "coord x\nkinetic x'^2/2\npotential x^2\ngeneralized force -(0.1 + 0.3*cos(t))*x' on x",
            |t, y, f| line(y, f, -2.0 * y[0] - (0.1 + 0.3 * t.cos()) * y[1])
        ),
        case!(
            "unstable",
            TURN,
            "coord x\nkinetic x'^2/2\npotential x^2\ngeneralized force (0.05 + 0.3*cos(t))*x' on x",
            |t, y, f| line(y, f, -2.0 * y[0] + (0.05 + 0.3 * t.cos()) * y[1])
        ),
    ]);
}

#[test]
fn degenerate_terms() {
    compare(&[
        case!("stable", 1.0, "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2 + y^4", |t, y, f| plane(
            y,
            f,
            (-2.0 * y[0], -4.0 * y[1].powi(3))
        )),
        // after x has given way: y^4 (1 - 1/4), and y^4 (1 - 2)
        case!("stable", 1.0, "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2 + x*y^2 + y^4", |t, y, f| plane(
            y,
            f,
            (-2.0 * y[0] - y[1] * y[1], -2.0 * y[0] * y[1] - 4.0 * y[1].powi(3))
        )),
        case!(
            "unstable",
            1.0,
            "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2/2 + 2*x*y^2 + y^4",
            |t, y, f| plane(y, f, (-y[0] - 2.0 * y[1] * y[1], -4.0 * y[0] * y[1] - 4.0 * y[1].powi(3)))
        ),
        case!("unstable", 1.0, "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2 + y^3", |t, y, f| plane(
            y,
            f,
            (-2.0 * y[0], -3.0 * y[1] * y[1])
        )),
        case!("stable", 1.0, "coord x\nkinetic x'^2/2\npotential x^6", |t, y, f| line(y, f, -6.0 * y[0].powi(5))),
        case!("unstable", 1.0, "coord x\nkinetic (1 + x^2)*x'^2/2\npotential -x^4", |t, y, f| line(
            y,
            f,
            (4.0 * y[0].powi(3) - y[0] * y[1] * y[1]) / (1.0 + y[0] * y[0])
        )),
        case!("stable", 1.0, "coord x\nkinetic x'^2/2\npotential x^4\ndissipation x'^2/2", |t, y, f| line(
            y,
            f,
            -4.0 * y[0].powi(3) - y[1]
        )),
        case!("unstable", 1.0, "coord x\nkinetic x'^2/2\npotential -x^4\ndissipation x'^2/2", |t, y, f| line(
            y,
            f,
            4.0 * y[0].powi(3) - y[1]
        )),
        case!("unstable", 1.0, "coord x\nkinetic x'^2/2\npotential x^3\ndissipation x'^2/2", |t, y, f| line(
            y,
            f,
            -3.0 * y[0] * y[0] - y[1]
        )),
    ]);
}

#[test]
fn dissipative_terms() {
    compare(&[
        // a damper on one of two masses reaches both, unless both swing alike and it stands between them
        case!(
            "asymptotically stable",
            1.0,
            "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + (x - y)^2)/2\ndissipation y'^2/4",
            |t, y, f| plane(y, f, (-2.0 * y[0] + y[1], y[0] - y[1] - 0.5 * y[3]))
        ),
        case!(
            "stable",
            1.0,
            "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2)/2\ndissipation (x' - y')^2/4",
            |t, y, f| {
                let d = 0.5 * (y[2] - y[3]);
                plane(y, f, (-y[0] - d, -y[1] + d));
            }
        ),
        // van der Pol, and the other way round
        case!(
            "unstable",
            1.0,
            "coord x\nkinetic x'^2/2\npotential x^2/2\ngeneralized force (1 - x^2)*x' on x",
            |t, y, f| line(y, f, -y[0] + (1.0 - y[0] * y[0]) * y[1])
        ),
        case!(
            "asymptotically stable",
            1.0,
            "coord x\nkinetic x'^2/2\npotential x^2/2\ngeneralized force -(1 - x^2)*x' on x",
            |t, y, f| line(y, f, -y[0] - (1.0 - y[0] * y[0]) * y[1])
        ),
        // of third order alone: what takes energy is seen, what feeds it is called stable by nobody
        case!("stable", 1.0, "coord x\nkinetic x'^2/2\npotential x^2/2\ngeneralized force -x'^3 on x", |t, y, f| line(
            y,
            f,
            -y[0] - y[1].powi(3)
        )),
        case!("undecided", 1.0, "coord x\nkinetic x'^2/2\npotential x^2/2\ngeneralized force x'^3 on x", |t, y, f| {
            line(y, f, -y[0] + y[1].powi(3))
        }),
        case!(
            "stable",
            1.0,
            "coord x\nkinetic x'^2/2\npotential x^2/2\ngeneralized force -5*x^2*x' on x",
            |t, y, f| line(y, f, -y[0] - 5.0 * y[0] * y[0] * y[1])
        ),
        case!(
            "undecided",
            1.0,
            "coord x\nkinetic x'^2/2\npotential x^2/2\ngeneralized force 5*x^2*x' on x",
            |t, y, f| line(y, f, -y[0] + 5.0 * y[0] * y[0] * y[1])
        ),
        // one is fed, the other damped; together they lose, or not
        case!(
            "asymptotically stable",
            1.0,
            "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2)/2 + (x - y)^2/2\ngeneralized force 0.1*x' on x\ngeneralized force -0.5*y' on y",
            |t, y, f| plane(y, f, (-2.0 * y[0] + y[1] + 0.1 * y[2], -2.0 * y[1] + y[0] - 0.5 * y[3]))
        ),
        case!(
            "unstable",
            1.0,
            "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2)/2 + (x - y)^2/2\ngeneralized force 0.5*x' on x\ngeneralized force -0.1*y' on y",
            |t, y, f| plane(y, f, (-2.0 * y[0] + y[1] + 0.5 * y[2], -2.0 * y[1] + y[0] - 0.1 * y[3]))
        ),
        // strongly damped on a hill
        case!("unstable", 1.0, "coord x\nkinetic x'^2/2\npotential -x^2/50\ndissipation 5*x'^2", |t, y, f| line(
            y,
            f,
            0.04 * y[0] - 10.0 * y[1]
        )),
    ]);
}
