//! Do motions in numbers follow their closed forms, meet their levels, and find what happens on the way?

use expr::{Expr, coordinate, integer, parameter, rational, time};
use numeric::guard::Guard;
use numeric::{
    Direction, Failure, Jumps, Lanes, Level, Machine, Method, Motion, Onlooker, Plan, Problem, Solve, Stop, Structure,
    Switches, Tape, Trouble, Watch,
};

/// Someone who writes down states.
#[derive(Default)]
struct Notes {
    wanted: Vec<f64>,
    states: Vec<(f64, Vec<f64>)>,
    steps: usize,
    most: Option<usize>,
}

impl Onlooker for Notes {
    fn next(&self) -> Option<f64> {
        self.wanted.get(self.states.len()).copied()
    }

    fn take(&mut self, _: &mut Machine, t: f64, y: &[f64]) -> Result<(), Trouble> {
        self.states.push((t, y.to_vec()));
        Ok(())
    }

    fn passes(&mut self, _: f64, _: &[f64], _: &Guard) -> bool {
        true
    }

    fn goes_on(&mut self, _: &mut Machine, _: f64, _: &[f64]) -> bool {
        self.steps += 1;
        self.most.is_none_or(|most| self.steps <= most)
    }
}

/// x' = v, v' = force, with what is watched.
fn swing(force: impl Fn(Expr, Expr) -> Expr, watched: Vec<Expr>) -> Problem {
    let (x, v) = (coordinate("x"), coordinate("v"));
    Problem {
        time: time(),
        state: vec![x, v],
        fixed: Vec::new(),
        defined: Vec::new(),
        solves: Vec::new(),
        rates: vec![v, force(x, v)],
        later: Vec::new(),
        watched,
        judged: Vec::new(),
        outputs: Vec::new(),
        levels: Vec::new(),
        guarded: None,
        followers: Vec::new(),
        is_reversed: false,
    }
}

fn plan(tolerance: f64, watches: &[Direction]) -> Plan {
    let watches = watches
        .iter()
        .map(|&direction| Watch { direction, size: 1.0, before: 0, jumps: Jumps::Never, is_bounded: false })
        .collect();
    Plan {
        method: Method::Dop853,
        is_free: false,
        tolerance,
        sizes: vec![1.0; 2],
        step: None,
        watches,
        longest: f64::INFINITY,
        crosses: true,
        keeps: false,
    }
}

#[test]
fn an_oscillation_is_followed_and_its_states_are_as_exact_as_its_steps() {
    let _scope = expr::Scope::enter();
    let mut machine = Machine::new(&swing(|x, _| -x, Vec::new())).unwrap();
    let mut notes = Notes { wanted: vec![0.0, 0.3, 1.0, 7.5, 20.0], ..Notes::default() };
    let mut motion = Motion::new(&mut machine, plan(1e-12, &[]), 0.0, vec![1.0, 0.0]).unwrap();
    assert_eq!(motion.advance(20.0, &mut notes), Ok(Stop::Time));
    let steps = motion.steps;
    for (t, y) in &notes.states {
        assert!((y[0] - t.cos()).abs() < 2e-11 && (y[1] + t.sin()).abs() < 2e-11, "{t}: {y:?}");
    }
    assert_eq!(notes.states.len(), 5);
    assert!(steps < 160, "{steps} steps");
}

#[test]
fn every_method_follows_a_motion_and_finds_its_events() {
    let _scope = expr::Scope::enter();
    for method in Method::ALL {
        let mut machine = Machine::new(&swing(|x, _| -x, vec![coordinate("x")])).unwrap();
        let plan = Plan { method, step: Some(0.01), ..plan(1e-9, &[Direction::Any]) };
        let mut motion = Motion::new(&mut machine, plan, 0.0, vec![1.0, 0.0]).unwrap();
        for k in 0..4 {
            assert_eq!(motion.advance(20.0, &mut Notes::default()), Ok(Stop::Events(vec![0])));
            let expected = std::f64::consts::PI * (f64::from(k) + 0.5);
            assert!((motion.t - expected).abs() < 1e-8, "{}: {} against {expected}", method.name(), motion.t);
        }
    }
}

#[test]
#[should_panic(expected = "`rk4` needs a step")]
fn a_method_that_does_not_choose_its_steps_is_given_one() {
    let _scope = expr::Scope::enter();
    let mut machine = Machine::new(&swing(|x, _| -x, Vec::new())).unwrap();
    let plan = Plan { method: Method::Rk4, ..plan(1e-9, &[]) };
    let _ = Motion::new(&mut machine, plan, 0.0, vec![1.0, 0.0]);
}

#[test]
fn events_close_together_in_a_long_step_are_all_found() {
    // x = cos t is above 1 - 2e-8 for 0.4 ms around 2π, in steps of 0.2 s and more
    let _scope = expr::Scope::enter();
    let level = integer(1) - rational(2, 100_000_000);
    let x = coordinate("x");
    let mut machine = Machine::new(&swing(|x, _| -x, vec![x - level])).unwrap();
    let mut motion =
        Motion::new(&mut machine, plan(1e-9, &[Direction::Any]), 3.0, vec![3.0_f64.cos(), -(3.0_f64.sin())]).unwrap();
    let mut notes = Notes::default();
    let half = 2e-4;
    for sign in [-1.0, 1.0] {
        assert_eq!(motion.advance(10.0, &mut notes), Ok(Stop::Events(vec![0])));
        let expected = 2.0 * std::f64::consts::PI + sign * half;
        assert!((motion.t - expected).abs() < 1e-5, "{} against {expected}", motion.t);
    }
    assert_eq!(motion.advance(10.0, &mut notes), Ok(Stop::Time));
    assert!(motion.steps < 60, "{}", motion.steps);
}

#[test]
fn one_direction_is_not_the_other() {
    let _scope = expr::Scope::enter();
    let (x, pi) = (coordinate("x"), std::f64::consts::PI);
    for (direction, expected) in [(Direction::Up, [1.5 * pi, 3.5 * pi]), (Direction::Down, [0.5 * pi, 2.5 * pi])] {
        let mut machine = Machine::new(&swing(|x, _| -x, vec![x])).unwrap();
        let mut motion = Motion::new(&mut machine, plan(1e-12, &[direction]), 0.0, vec![1.0, 0.0]).unwrap();
        for t in expected {
            assert_eq!(motion.advance(20.0, &mut Notes::default()), Ok(Stop::Events(vec![0])));
            assert!((motion.t - t).abs() < 1e-11, "{} against {t}", motion.t);
        }
    }
}

#[test]
fn a_force_that_switches_is_followed_exactly() {
    // v' = -sign(x): parabolas; a step across the switch would lose all digits
    let _scope = expr::Scope::enter();
    let sign = |x: Expr| Expr::apply(expr::Op::Sign, &[x]).unwrap();
    let mut machine = Machine::new(&swing(|x, _| -sign(x), Vec::new())).unwrap();
    let mut motion = Motion::new(&mut machine, plan(1e-12, &[]), 0.0, vec![0.5, 0.0]).unwrap();
    motion.advance(8.0, &mut Notes::default()).unwrap();
    // period 4: four arcs of length 1
    assert!((motion.y[0] - 0.5).abs() < 1e-12 && motion.y[1].abs() < 1e-12, "{:?}", motion.y);
}

#[test]
fn a_brake_stops_and_holds() {
    // v' = -sign(v) from v = 1 stops at t = 1 and stays; with a push of 2 from t = 3 it moves again
    let _scope = expr::Scope::enter();
    let sign = |x: Expr| Expr::apply(expr::Op::Sign, &[x]).unwrap();
    let push = Expr::apply(expr::Op::Max, &[time() - 3, integer(0)]).unwrap();
    let mut machine = Machine::new(&swing(|_, v| push - sign(v), Vec::new())).unwrap();
    let mut motion = Motion::new(&mut machine, plan(1e-10, &[]), 0.0, vec![0.0, 1.0]).unwrap();
    let mut notes = Notes { wanted: vec![0.5, 2.0, 3.9, 6.0], ..Notes::default() };
    motion.advance(6.0, &mut notes).unwrap();
    let at = |k: usize| (notes.states[k].1[0], notes.states[k].1[1]);
    assert!((at(0).0 - 0.375).abs() < 1e-10, "{:?}", at(0));
    assert!((at(1).0 - 0.5).abs() < 1e-9 && at(1).1.abs() < 1e-9, "{:?}", at(1));
    assert!((at(2).0 - 0.5).abs() < 1e-9 && at(2).1.abs() < 1e-9, "{:?}", at(2));
    // the push is stronger than the brake from t = 4: v = (t - 4)²/2
    assert!((at(3).1 - 2.0).abs() < 1e-9 && (at(3).0 - 0.5 - 8.0 / 6.0).abs() < 1e-9, "{:?}", at(3));
}

/// A pendulum in x, y with its length as a level, by multipliers.
fn pendulum() -> Problem {
    let [x, y, u, v, a, b, lambda] = ["x", "y", "u", "v", "a", "b", "lambda"].map(coordinate);
    let g = parameter("g");
    let one = Expr::one();
    let zero = Expr::zero();
    let solve = Solve {
        unknowns: vec![a, b, lambda],
        matrix: vec![vec![one, zero, -2 * x], vec![zero, one, -2 * y], vec![2 * x, 2 * y, zero]],
        right: vec![zero, -g, -2 * (u * u + v * v)],
        structure: Structure::Saddle(2),
    };
    assert_eq!(Structure::of(&solve.matrix), solve.structure);
    let metric = vec![vec![one, zero], vec![zero, one]];
    Problem {
        time: time(),
        state: vec![x, y, u, v],
        fixed: vec![(g, 9.81)],
        defined: Vec::new(),
        solves: vec![solve],
        rates: vec![u, v, a, b],
        later: Vec::new(),
        watched: Vec::new(),
        judged: Vec::new(),
        outputs: vec![lambda, (u * u + v * v) / 2 + g * y],
        guarded: None,
        followers: Vec::new(),
        is_reversed: false,
        levels: vec![
            Level {
                rows: vec![x * x + y * y - 1],
                moved: 0..2,
                slopes: vec![vec![2 * x, 2 * y]],
                metric: metric.clone(),
            },
            Level { rows: vec![x * u + y * v], moved: 2..4, slopes: vec![vec![x, y]], metric },
        ],
    }
}

#[test]
fn a_motion_stays_on_its_levels_and_keeps_its_energy() {
    let _scope = expr::Scope::enter();
    let mut machine = Machine::new(&pendulum()).unwrap();
    let plan = Plan { sizes: vec![1.0; 4], ..plan(1e-12, &[]) };
    let mut motion = Motion::new(&mut machine, plan, 0.0, vec![0.6, -0.8, 0.0, 0.0]).unwrap();
    motion.advance(100.0, &mut Notes::default()).unwrap();
    assert!(!motion.off_level);
    let (t, y) = (motion.t, motion.y.clone());
    let worst = machine.residuals(t, &y, &[1.0; 4]).into_iter().fold(0.0, f64::max);
    assert!(worst < 1e-15, "{worst:e}");
    let energy = machine.outputs(t, &y).unwrap()[1];
    assert!((energy + 0.8 * 9.81).abs() < 1e-9, "{energy}");
}

#[test]
fn failures_are_named_with_their_time() {
    let _scope = expr::Scope::enter();
    // x' = x²: infinite at t = 1
    let x = coordinate("x");
    let mut problem = swing(|_, _| Expr::zero(), Vec::new());
    problem.rates = vec![x * x, Expr::zero()];
    let mut machine = Machine::new(&problem).unwrap();
    let mut motion = Motion::new(&mut machine, plan(1e-9, &[]), 0.0, vec![1.0, 0.0]).unwrap();
    let failure = motion.advance(2.0, &mut Notes::default()).unwrap_err();
    assert!(
        matches!(failure, Failure::TooStiff { t } | Failure::NoSlope { t, .. } if (t - 1.0).abs() < 1e-6),
        "{failure:?}"
    );
    let mut motion = Motion::new(&mut machine, plan(1e-9, &[]), 0.0, vec![1.0, 0.0]).unwrap();
    let mut notes = Notes { most: Some(3), ..Notes::default() };
    assert!(matches!(motion.advance(0.5, &mut notes), Err(Failure::Interrupted { t }) if t > 0.0));
    problem.rates = vec![parameter("k"), x];
    assert_eq!(Machine::new(&problem).err().map(|unbound| unbound.name), Some("k".to_owned()));
}

#[test]
fn a_long_motion_of_even_steps_goes_on() {
    // steps of about a second are tiny against 1e9 s, and nothing is wrong with them
    let _scope = expr::Scope::enter();
    let mut machine = Machine::new(&swing(|x, _| -x, Vec::new())).unwrap();
    let mut motion = Motion::new(&mut machine, plan(1e-9, &[]), 0.0, vec![1.0, 0.0]).unwrap();
    let mut notes = Notes { most: Some(5000), ..Notes::default() };
    let ended = motion.advance(1e9, &mut notes);
    assert!(matches!(ended, Err(Failure::Interrupted { t }) if t > 1000.0), "{ended:?}");
}

#[test]
fn lanes_compute_what_floats_compute() {
    let _scope = expr::Scope::enter();
    let (x, y) = (coordinate("x"), coordinate("y"));
    let e = (x.sin() * y.cos() + x.cos().pow(3) / (y * y + 2)).abs() - (x * y).exp().sqrt();
    let tape = Tape::new(&[x, y], &[], &[], &[vec![e]]).unwrap();
    let points = [[0.3, 1.0], [-2.0, 0.7], [5.5, -0.1], [0.0, 0.0]];
    let mut lanes = tape.memory::<Lanes<4>>();
    for input in 0..2 {
        tape.put(&mut lanes, input, Lanes(points.map(|point| point[input])));
    }
    tape.run(0, Switches::Free, &mut lanes);
    let together = lanes[tape.outputs(0)[0] as usize].0;
    for (point, found) in points.iter().zip(together) {
        let mut memory = tape.memory::<f64>();
        (0..2).for_each(|input| tape.put(&mut memory, input, point[input]));
        tape.run(0, Switches::Free, &mut memory);
        let [x, y] = *point;
        let plain = (x.sin() * y.cos() + x.cos().powi(3) / (2.0 + y * y)).abs() - (x * y).exp().sqrt();
        assert!((memory[tape.outputs(0)[0] as usize] - plain).abs() < 1e-15);
        assert!((found - plain).abs() < 1e-15, "{point:?}");
    }
}
