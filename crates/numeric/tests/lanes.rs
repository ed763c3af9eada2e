//! Do whole steps, and motions side by side, have the bits of stages and motions by themselves?

use expr::{Expr, coordinate, parameter, time};
use numeric::flock::{Start, advance};
use numeric::integrate::{End, Field};
use numeric::{Machine, Method, Motion, Onlooker, Plan, Problem, Solve, Structure, Trouble};

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

/// Slopes one by one, whatever the machine can do.
struct Plain<'m>(&'m mut Machine);

impl Field for Plain<'_> {
    fn rates(&mut self, t: f64, y: &[f64], to: &mut [f64]) -> Result<(), Trouble> {
        self.0.rates(t, y, to)
    }
}

/// x' and y', with z and w from a symmetric system.
fn problem(rates: [&str; 2]) -> Problem {
    let (t, state) = (time(), vec![coordinate("x"), coordinate("y")]);
    let read = |text: &str| expr::parse(text).unwrap();
    let matrix = vec![vec![read("3 + x^2"), read("cos(x - y)")], vec![read("cos(x - y)"), read("2 + sin(y)^2")]];
    let solve = Solve {
        unknowns: vec![parameter("z"), parameter("w")],
        structure: Structure::of(&matrix),
        matrix,
        right: vec![read("y - x*t/9"), read("-x + cos(3*t)/5")],
    };
    Problem {
        time: t,
        state,
        fixed: Vec::new(),
        defined: Vec::new(),
        solves: vec![solve],
        rates: rates.iter().map(|text| read(text)).collect(),
        later: Vec::new(),
        watched: Vec::new(),
        judged: Vec::new(),
        outputs: Vec::<Expr>::new(),
        levels: Vec::new(),
        guarded: None,
        is_reversed: false,
    }
}

fn plan(tolerance: f64) -> Plan {
    Plan {
        method: Method::Dop853,
        is_free: true,
        tolerance,
        sizes: vec![1.0, 0.3],
        step: None,
        watches: Vec::new(),
        longest: 2.0,
        crosses: true,
        keeps: false,
    }
}

fn bits(list: &[f64]) -> Vec<u64> {
    list.iter().map(|x| x.to_bits()).collect()
}

const RATES: [[&str; 2]; 3] =
    [["z + y", "w - x"], ["z*atan(y)", "w - x*(1 + x^2)^(-3/2)"], ["3*z + sqrt(2 + y^2)", "-x*w - exp(-x^2)"]];

#[test]
fn a_whole_step_has_the_bits_of_its_stages() {
    // a weight or an instant of another stage in the line of a step, and this fails
    let _scope = expr::Scope::enter();
    for rates in RATES {
        let (mut machine, mut other) = (Machine::new(&problem(rates)).unwrap(), Machine::new(&problem(rates)).unwrap());
        let (mut whole, mut staged) = (Method::Dop853.stepper(2), Method::Dop853.stepper(2));
        let (mut y, mut slope, mut t) = (vec![0.4, -0.7], vec![0.0; 2], 0.25);
        for round in 0..60 {
            let (h, mut end, mut right) = (0.05 + 0.001 * f64::from(round), [0.0; 2], [0.0; 2]);
            machine.rates(t, &y, &mut slope).unwrap();
            let from = End { t, y: &y, slope: &slope };
            whole.step(&mut machine, from, h, &mut end).unwrap();
            staged.step(&mut Plain(&mut other), from, h, &mut right).unwrap();
            assert_eq!(bits(&end), bits(&right), "{rates:?}, step {round}");
            let scale = [1e-9, 1e-9];
            assert_eq!(whole.error(h, &scale), staged.error(h, &scale));
            let to = End { t: t + h, y: &end, slope: &slope };
            assert_eq!(whole.stiffness(h, to, &scale), staged.stiffness(h, to, &scale));
            (t, y) = (t + h, end.to_vec());
        }
    }
}

#[test]
fn motions_side_by_side_have_the_bits_of_each_by_itself() {
    // a length of steps that is chosen otherwise, or a lane that takes the numbers of another, and this fails
    let _scope = expr::Scope::enter();
    for (rates, tolerance) in RATES.into_iter().zip([1e-9, 1e-6, 1e-11]) {
        let mut machine = Machine::new(&problem(rates)).unwrap();
        let starts: Vec<Vec<f64>> =
            (0..11).map(|k| vec![0.1 * f64::from(k) - 1.0, 0.7 - 0.05 * f64::from(k)]).collect();
        let all = starts.iter().map(|y| Start { plan: plan(tolerance), t: 0.25, y: y.clone() }).collect();
        let found = advance(&mut machine, all, 2.0, &mut || true);
        for (start, found) in starts.iter().zip(found) {
            let Some(found) = found else { return };
            let mut own = Machine::new(&problem(rates)).unwrap();
            let mut motion = Motion::new(&mut own, plan(tolerance), 0.25, start.clone()).unwrap();
            motion.advance(2.0, &mut Alone).unwrap();
            let right = motion.memory();
            assert_eq!(bits(&found.memory.y), bits(&right.y), "{rates:?} from {start:?}");
            assert_eq!(bits(&found.memory.floats), bits(&right.floats), "{rates:?} from {start:?}");
            assert_eq!((found.memory.t, found.memory.counted[..2].to_vec()), (2.0, right.counted[..2].to_vec()));
        }
    }
}

#[test]
fn a_wish_to_stop_is_heard() {
    let _scope = expr::Scope::enter();
    let mut machine = Machine::new(&problem(RATES[0])).unwrap();
    let all = (0..9).map(|_| Start { plan: plan(1e-9), t: 0.0, y: vec![0.4, -0.7] }).collect();
    let mut steps = 0;
    let found = advance(&mut machine, all, 1e9, &mut || {
        steps += 1;
        steps < 20
    });
    assert!(found.iter().all(Option::is_none) && steps <= 20);
}
