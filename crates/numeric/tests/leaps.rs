//! Do whole steps have the bits of their stages?

use expr::{Expr, coordinate, parameter, time};
use numeric::integrate::{End, Field};
use numeric::{Machine, Method, Problem, Solve, Structure, Trouble};

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
        followers: Vec::new(),
        guarded: None,
        is_reversed: false,
    }
}

fn bits(list: &[f64]) -> Vec<u64> {
    list.iter().map(|x| x.to_bits()).collect()
}

const RATES: [[&str; 2]; 3] =
    [["z + y", "w - x"], ["z*atan(y)", "w - x*(1 + x^2)^(-3/2)"], ["3*z - x*sqrt(2 + y^2)", "-y - w*exp(-x^2)"]];

#[test]
fn a_whole_step_has_the_bits_of_its_stages() {
    // a weight or an instant of another stage in the line of a step, and this fails
    let _scope = expr::Scope::enter();
    for rates in RATES {
        let (mut machine, mut other) = (Machine::new(&problem(rates)).unwrap(), Machine::new(&problem(rates)).unwrap());
        let (mut whole, mut staged) = (Method::Dop853.stepper(2), Method::Dop853.stepper(2));
        let (mut y, mut slope, mut t) = (vec![0.4, -0.7], vec![0.0; 2], 0.25);
        for round in 0..800 {
            let (h, mut end, mut right) = (0.05 + 0.001 * f64::from(round % 60), [0.0; 2], [0.0; 2]);
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
