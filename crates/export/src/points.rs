//! At which states is code compared with Anholon, and what does Anholon compute there?
//!
//! The start, and states around it that are drawn at random and brought back to the constraints; half of them with
//! other parameters. Numbers come from the recipe of `evaluate`, not from the steps that are exported.

use dynamics::Recipe;
use engine::{Error, Loaded};
use expr::{At, Expr};
use mechanics::Term;
use numeric::{Machine, Problem};

use crate::value::Made;
use crate::{Export, Parameters};

/// A state with parameters, and what the routines answer there.
#[derive(Clone, Debug)]
pub struct Point {
    /// The time.
    pub t: f64,
    /// Coordinates, rates and states of first order.
    pub y: Vec<f64>,
    /// Parameters and inputs.
    pub p: Vec<f64>,
    /// What each routine answers, in their order.
    pub answers: Vec<Vec<f64>>,
}

/// Random numbers that are the same in every run.
pub struct Random(pub u64);

impl Random {
    /// Between −1 and 1.
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Something that states are looked at with.
struct Looker<'a> {
    loaded: &'a Loaded,
    recipes: &'a [Recipe; 2],
    problem: &'a Problem,
    made: &'a [Made],
    /// Symbols of the parameters, and of inputs that are arguments.
    parameters: Vec<Expr>,
}

/// The states and their numbers: at least the start.
pub fn points(
    loaded: &Loaded,
    wanted: &Export,
    recipes: &[Recipe; 2],
    problem: &Problem,
    made: &[Made],
) -> Result<Vec<Point>, Error> {
    let system = &loaded.system;
    let inputs = system.inputs.iter().map(|one| one.symbol).filter(|_| wanted.parameters == Parameters::Arguments);
    let parameters = system.parameters.iter().map(|one| one.symbol).chain(inputs).collect();
    let looker = Looker { loaded, recipes, problem, made, parameters };
    let (t, y, p) = looker.start();
    let mut random = Random(t.to_bits() ^ y.iter().fold(7, |word, y| word ^ y.to_bits().rotate_left(9)));
    let nothing =
        || Error::new("the accelerations are not determined at the start").hint("`anholon evaluate` says more");
    let mut points = vec![looker.numbers(t, y.clone(), p.clone()).ok_or_else(nothing)?];
    for k in 1..wanted.points {
        let other = k % 2 == 0 && wanted.parameters == Parameters::Arguments;
        points.extend([0.4, 0.2, 0.1, 0.03, 0.01].into_iter().find_map(|reach| {
            let t = t + 0.5 * (1.0 + random.next()) * reach;
            let p: Vec<f64> =
                p.iter().map(|p| if other { p * (1.0 + 0.3 * reach * random.next()) } else { *p }).collect();
            let y = y.iter().map(|y| y + reach * random.next() * (1.0 + 0.3 * y.abs())).collect();
            looker.numbers(t, looker.projected(t, y, &p)?, p)
        }));
    }
    Ok(points)
}

impl Looker<'_> {
    fn start(&self) -> (f64, Vec<f64>, Vec<f64>) {
        let start = &self.loaded.start;
        let y = start.coordinates.iter().chain(&start.rates).chain(&start.states);
        let y = y.map(|one| one.number.unwrap_or(f64::NAN)).collect();
        let p = self.loaded.at.values(&self.parameters);
        (start.time.number.unwrap_or(0.0), y, p)
    }

    /// The state on the constraints that is near.
    fn projected(&self, t: f64, mut y: Vec<f64>, p: &[f64]) -> Option<Vec<f64>> {
        let problem = Problem {
            fixed: self.parameters.iter().copied().zip(p.iter().copied()).collect(),
            solves: Vec::new(),
            rates: Vec::new(),
            later: Vec::new(),
            ..self.problem.clone()
        };
        y.push(0.0);
        let sizes: Vec<f64> = y.iter().map(|y| y.abs().max(0.1)).collect();
        let met = Machine::new(&problem).ok()?.project(t, &mut y, &sizes);
        y.pop();
        met.then_some(y)
    }

    /// The numbers at a state, if there are any.
    fn numbers(&self, t: f64, y: Vec<f64>, p: Vec<f64>) -> Option<Point> {
        let at = self.state(t, &y, &p);
        let assumed = self.loaded.system.assumptions.iter().all(|one| match (&one.left, &one.right) {
            (Term::Scalar(left), Term::Scalar(right)) => one.comparison.holds(at.value(*left) - at.value(*right)),
            _ => true,
        });
        if !assumed {
            return None;
        }
        let there = [0, 1].map(|k| Some(at.with(&self.recipes[k].numbers(&at).ok()?.all())));
        let [Some(by_form), Some(full)] = there else { return None };
        let of = |one: &Made| if one.by_form { by_form.values(&one.answers) } else { full.values(&one.answers) };
        let answers: Vec<Vec<f64>> = self.made.iter().map(of).collect();
        answers.iter().flatten().all(|value| value.is_finite()).then_some(Point { t, y, p, answers })
    }

    fn state(&self, t: f64, y: &[f64], p: &[f64]) -> At {
        state_at(self.loaded, &self.parameters, (t, y, p))
    }
}

/// A state as a value, with inputs and speeds that follow from it; `parameters` are the symbols of p.
pub fn state_at(loaded: &Loaded, parameters: &[Expr], (t, y, p): (f64, &[f64], &[f64])) -> At {
    let system = &loaded.system;
    let symbols = system.q().into_iter().chain(system.q_dot()).chain(system.state_symbols());
    let mut values: Vec<(Expr, f64)> = symbols.zip(y.iter().copied()).chain([(system.time, t)]).collect();
    values.extend(parameters.iter().copied().zip(p.iter().copied()));
    let at = loaded.at.with(&values);
    let free = system.inputs.iter().filter(|one| !parameters.contains(&one.symbol));
    let inputs: Vec<(Expr, f64)> = free.filter_map(|one| Some((one.symbol, at.value(one.value?)))).collect();
    let speeds: Vec<(Expr, f64)> = system.speeds.iter().map(|one| (one.symbol, at.value(one.definition))).collect();
    at.with(&inputs).with(&speeds)
}
