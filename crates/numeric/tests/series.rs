//! Do the series of a motion continue it, whatever its program is made of, compiled or not?

use expr::{Expr, coordinate, parameter, time};
use numeric::integrate::Field;
use numeric::{
    Direction, Jumps, Machine, Method, Motion, Onlooker, Plan, Problem, Solve, Stop, Structure, Trouble, Watch,
};

/// Nobody looks.
struct Alone;

impl Onlooker for Alone {
    fn next(&self) -> Option<f64> {
        None
    }

    fn take(&mut self, _: &mut Machine, _: f64, _: &[f64]) -> Result<(), Trouble> {
        Ok(())
    }

    fn passes(&mut self, _: f64, _: &[f64], _: &numeric::guard::Guard) -> bool {
        true
    }

    fn goes_on(&mut self, _: &mut Machine, _: f64, _: &[f64]) -> bool {
        true
    }
}

fn plan(method: Method, tolerance: f64, n: usize) -> Plan {
    Plan {
        method,
        is_free: false,
        tolerance,
        sizes: vec![1.0; n],
        step: None,
        watches: Vec::new(),
        longest: f64::INFINITY,
        crosses: true,
        keeps: false,
    }
}

/// x' and y' as texts, with z from z·m = r if a system is given.
fn problem(rates: [&str; 2], system: Option<([[&str; 2]; 2], [&str; 2])>) -> Problem {
    let read = |text: &str| expr::parse(text).unwrap();
    let state = vec![coordinate("x"), coordinate("y")];
    let solves = system.map(|(matrix, right)| {
        let matrix: Vec<Vec<Expr>> = matrix.iter().map(|row| row.iter().map(|text| read(text)).collect()).collect();
        let right = right.iter().map(|text| read(text)).collect();
        Solve { unknowns: vec![parameter("z"), parameter("w")], structure: Structure::of(&matrix), matrix, right }
    });
    Problem {
        time: time(),
        state,
        fixed: Vec::new(),
        defined: Vec::new(),
        solves: solves.into_iter().collect(),
        rates: rates.iter().map(|text| read(text)).collect(),
        later: Vec::new(),
        watched: Vec::new(),
        judged: Vec::new(),
        outputs: Vec::new(),
        levels: Vec::new(),
        guarded: None,
        followers: Vec::new(),
        is_reversed: false,
    }
}

const START: [f64; 2] = [0.4, -0.7];

fn after(problem: &Problem, method: Method, tolerance: f64, time: f64) -> (Vec<f64>, u64) {
    let mut machine = Machine::new(problem).unwrap();
    let mut motion = Motion::new(&mut machine, plan(method, tolerance, 2), 0.25, START.to_vec()).unwrap();
    let ended = motion.advance(0.25 + time, &mut Alone);
    assert_eq!(ended, Ok(Stop::Time), "{} of {:?}", method.name(), problem.rates);
    (motion.y.clone(), motion.steps)
}

/// Every operation of a tape, in motions that go on for a while.
const RATES: [[&str; 2]; 20] = [
    ["y", "-x"],
    ["y*t", "-x*x*y + cos(t)/3"],
    ["sin(x)*cos(y)", "cos(x - y)"],
    ["1/(2 + y^2)", "-x/(x^2 + y^2 + 1)"],
    ["sqrt(1 + x^2)*y", "-x/sqrt(2 + y)"],
    ["y", "-x*(1 + x^2 + y^2)^(-3/2)"],
    ["(2 + x)^(1/3)", "-cbrt(3 + y)"],
    ["y^5 - x^7", "-(2 + x)^(-2)/9"],
    ["exp(-x)*y/3", "-log(2 + x)"],
    ["tan(x/2) + y", "-tanh(x)"],
    ["sinh(y)", "-cosh(x)/3 + sinh(x/2)"],
    ["atan(y)", "-atan(x + t)"],
    ["asin(y/2)", "-acos(x/3)/2"],
    ["atan2(y, 2 + x)", "-atan2(x, 1 + y^2)"],
    ["abs(y - 3)", "-max(x, 2 + y)"],
    ["if(y < 5, y, x)", "-sign(x + 2)*x"],
    ["y", "x*0 + 1"],
    ["t^3", "exp(t/3)"],
    ["y/(1 + 25*t^2)", "-x*exp(-9*t^2)"],
    ["(x^2 + 1)^(-5) + y", "-(2 + cos(y))^12/1e6 - x"],
];

#[test]
fn series_follow_what_runge_and_kutta_follow() {
    // a sign, a factor or a limit of a sum wrong in any rule, and this fails
    let _scope = expr::Scope::enter();
    for rates in RATES {
        let problem = problem(rates, None);
        let (right, steps) = after(&problem, Method::Dop853, 1e-13, 1.5);
        for tolerance in [1e-6, 1e-9, 1e-12, 1e-14] {
            let (found, fewer) = after(&problem, Method::Taylor, tolerance, 1.5);
            let off = (found[0] - right[0]).abs().max((found[1] - right[1]).abs());
            assert!(off < 2.0 * tolerance + 2e-13, "{rates:?} at {tolerance:e}: {off:e}");
            assert!(2 * fewer < steps + 6, "{rates:?}: {fewer} steps against {steps}");
        }
    }
}

#[test]
fn series_go_through_linear_systems() {
    let _scope = expr::Scope::enter();
    let symmetric = ([["3 + x^2", "sin(y)"], ["sin(y)", "2 + cos(t)"]], ["-x", "y*x"]);
    let general = ([["3 + x^2", "sin(y)"], ["t", "2 + cos(t)"]], ["-x", "y*x"]);
    let saddle = ([["3 + x^2", "-2 - sin(y)"], ["2 + sin(y)", "0"]], ["-x", "y*x"]);
    let uneven = ([["1e9*(3 + x^2)", "sin(y)"], ["sin(y)", "1e-3*(2 + cos(t))"]], ["-1e9*x", "1e-3*y*x"]);
    for system in [symmetric, general, saddle, uneven] {
        let problem = problem(["z + y", "w - x"], Some(system));
        let (right, _) = after(&problem, Method::Dop853, 1e-13, 1.5);
        let (found, _) = after(&problem, Method::Taylor, 1e-13, 1.5);
        let off = (found[0] - right[0]).abs().max((found[1] - right[1]).abs());
        assert!(off < 1e-12, "{system:?}: {off:e}");
    }
}

#[test]
fn compiled_series_have_the_bits_of_the_others() {
    // an order of summation that differs between both, and this fails
    let _scope = expr::Scope::enter();
    let system = ([["3 + x^2", "sin(y)"], ["sin(y)", "2 + cos(t)"]], ["-x", "y*x"]);
    let mut problems: Vec<Problem> = RATES.iter().map(|&rates| problem(rates, None)).collect();
    problems.push(problem(["z + y", "w - x"], Some(system)));
    for (number, problem) in problems.iter().enumerate() {
        let mut machine = Machine::new(problem).unwrap();
        machine.settle(0.25, &START).unwrap();
        let order = 5 + number % 13;
        let mut series = |x: f64| {
            let mut to = vec![0.0; 2 * (order + 1)];
            assert_eq!(machine.series(0.25, &[x, -0.7], order, &mut to), Ok(true));
            to.into_iter().map(f64::to_bits).collect::<Vec<u64>>()
        };
        let first: Vec<_> = (0..20).map(|k| series(0.4 + 0.01 * f64::from(k))).collect();
        (0..400).for_each(|_| drop(series(0.3)));
        let later: Vec<_> = (0..20).map(|k| series(0.4 + 0.01 * f64::from(k))).collect();
        assert_eq!(first, later, "problem {number}");
    }
}

#[test]
fn a_series_begins_anew_where_a_switch_turns() {
    // x'' = −sign(x): parabolas of period 4; a series across a switch loses all digits
    let _scope = expr::Scope::enter();
    let mut machine = Machine::new(&problem(["y", "-sign(x)"], None)).unwrap();
    let mut motion = Motion::new(&mut machine, plan(Method::Taylor, 1e-12, 2), 0.0, vec![0.5, 0.0]).unwrap();
    motion.advance(8.0, &mut Alone).unwrap();
    assert!((motion.y[0] - 0.5).abs() < 1e-12 && motion.y[1].abs() < 1e-12, "{:?}", motion.y);
    // a brake stops and holds: there a switch sticks, and there is no series
    let mut machine = Machine::new(&problem(["y", "-sign(y)"], None)).unwrap();
    let mut motion = Motion::new(&mut machine, plan(Method::Taylor, 1e-12, 2), 0.0, vec![0.0, 1.0]).unwrap();
    motion.advance(3.0, &mut Alone).unwrap();
    assert!((motion.y[0] - 0.5).abs() < 1e-12 && motion.y[1].abs() < 1e-12, "{:?}", motion.y);
}

#[test]
fn another_method_helps_where_slopes_are_finite_and_their_series_is_not() {
    // x' = 3 x^(2/3) from 0, pushed by y: x^(2/3) has no series at 0
    let _scope = expr::Scope::enter();
    let mut machine = Machine::new(&problem(["cbrt(x)^2 + 1", "0"], None)).unwrap();
    let mut motion = Motion::new(&mut machine, plan(Method::Taylor, 1e-10, 2), 0.0, vec![0.0, 0.0]).unwrap();
    assert_eq!(motion.advance(1.0, &mut Alone), Ok(Stop::Time));
    // with s = cbrt(x): 3 s^2 s' = s^2 + 1, so that t = 3 (s - atan(s))
    let s = motion.y[0].cbrt();
    assert!((3.0 * (s - s.atan()) - 1.0).abs() < 1e-8, "{s}");
    assert_eq!(motion.otherwise.1, Some(Method::Dop853));
    assert!(2 * motion.otherwise.0 < motion.steps, "{:?} of {}", motion.otherwise, motion.steps);
}

#[test]
fn gaps_in_a_series_do_not_make_a_step_too_long() {
    // from t = 0 on, x has the powers 1, 11, 21, …: the last five of sixteen may vanish; the slope at the end shows it
    let _scope = expr::Scope::enter();
    let problem = problem(["1/(1 + t^10)", "0"], None);
    let end = |method: Method| {
        let mut machine = Machine::new(&problem).unwrap();
        let mut motion = Motion::new(&mut machine, plan(method, 1e-12, 2), 0.0, vec![0.0, 0.0]).unwrap();
        assert_eq!(motion.advance(3.0, &mut Alone), Ok(Stop::Time));
        motion.y[0]
    };
    let (found, right) = (end(Method::Taylor), end(Method::Dop853));
    assert!((found - right).abs() < 1e-11, "{found} {right}");
}

#[test]
fn events_are_found_on_the_series() {
    let _scope = expr::Scope::enter();
    let mut problem = problem(["y", "-x"], None);
    problem.watched = vec![coordinate("x")];
    let mut machine = Machine::new(&problem).unwrap();
    let watches =
        vec![Watch { direction: Direction::Up, size: 1.0, before: 0, jumps: Jumps::Never, is_bounded: false }];
    let plan = Plan { watches, ..plan(Method::Taylor, 1e-13, 2) };
    let mut motion = Motion::new(&mut machine, plan, 0.0, vec![1.0, 0.0]).unwrap();
    for k in 0..3 {
        assert_eq!(motion.advance(30.0, &mut Alone), Ok(Stop::Events(vec![0])));
        let right = std::f64::consts::PI * (1.5 + 2.0 * f64::from(k));
        assert!((motion.t - right).abs() < 1e-12, "{} against {right}", motion.t);
    }
}
