//! Does `audit` tell harmful changes of right equations from harmless ones?
//!
//! Equations of motion of gallery models are changed at random: a sign, a factor, a term, a dot, a symbol; or rewritten:
//! multiplied, added to each other, multiplied out, differentiated, with a constraint put in. Whether a change does harm is judged without the audit and without
//! the prover: by the accelerations of the equations with multipliers, in floating point, at random admissible states.
//! `ANHOLON_MUTATIONS=50 cargo test -p anholon --test mutations -- --nocapture` tries 50 on each model.

mod ask;

use ask::{audit, evaluate};
use std::collections::BTreeMap;

use anholon::answer::ClaimVerdict;
use anholon::{Audit, Evaluated, Model, Settings, open};
use expr::field::Random;
use expr::{Expr, Floats, Kind, Op, Substitution};
use mechanics::chart::ChartKind;
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;

const MODELS: [&str; 20] = [
    "ellipsoid",
    "great-circle",
    "cylinder",
    "rotating-parabola",
    "double-pendulum",
    "cart-pendulum",
    "spherical-pendulum",
    "rod-on-discs",
    "wedge",
    "governor",
    "sled",
    "appell-hamel",
    "rheonomic-knife",
    "chaplygin-sleigh",
    "velocity-cone",
    "acceleration-program",
    "dobronravov",
    "rolling-disc",
    "hoop",
    "euler-top",
];
/// Mutations of each model, unless the environment says otherwise: 320 claims.
const FEW: usize = 16;
/// States at which a mutation is judged.
const STATES: usize = 6;
/// Left minus right, against the size of the terms: less is rounding, more is wrong; between them nothing is said.
const ROUNDING: f64 = 1e-10;
const HARM: f64 = 1e-6;

type Point = Vec<(Expr, f64)>;

/// A model with its right equations and points of its true motion.
struct Bench<'a> {
    name: &'static str,
    /// Entered as long as the bench is used.
    base: &'a Model,
    rows: Rows,
    /// What vanishes, several times over: in each chart, and with multipliers.
    equations: Vec<Vec<Expr>>,
    /// With the parameters of the model.
    points: Vec<Point>,
    /// With others.
    elsewhere: Vec<Point>,
}

/// A motion in numbers, by names.
struct Motion {
    parameters: Vec<Option<f64>>,
    values: BTreeMap<String, f64>,
    multipliers: BTreeMap<String, f64>,
}

/// The accelerations and multipliers by the equations with multipliers.
fn motion(name: &str, at: &str, set: &[String]) -> Option<Motion> {
    let mut settings = Settings::gallery(name).unwrap();
    (settings.at, settings.set) = (Some(at.to_owned()), set.to_vec());
    let loaded = open(&settings).ok()?;
    let Ok(Evaluated::Found(found)) = evaluate(&loaded, Some("multipliers")) else { return None };
    let values = found.state.0.iter().cloned().chain(cleaned(&found.accelerations.0)).collect();
    let multipliers = cleaned(&found.multipliers.0).collect();
    Some(Motion { parameters: loaded.start.parameters.clone(), values, multipliers })
}

/// What is far smaller than the others is rounding.
fn cleaned(list: &[(String, f64)]) -> impl Iterator<Item = (String, f64)> + '_ {
    let largest = list.iter().fold(0.0_f64, |size, one| size.max(one.1.abs()));
    list.iter().map(move |(name, value)| (name.clone(), if value.abs() < 1e-12 * largest { 0.0 } else { *value }))
}

impl<'a> Bench<'a> {
    fn new(name: &'static str, base: &'a Model, random: &mut Random) -> Bench<'a> {
        let rows = Rows::of(&base.system, &base.mode, &base.at).unwrap();
        let equations = equations(base, &rows);
        let mut bench = Bench { name, base, rows, equations, points: Vec::new(), elsewhere: Vec::new() };
        for attempt in 0..12 * STATES {
            let is_done = bench.points.len() >= STATES;
            if is_done && bench.elsewhere.len() >= STATES {
                break;
            }
            if let Some(point) = bench.random_point(random, is_done, attempt) {
                if is_done { bench.elsewhere.push(point) } else { bench.points.push(point) }
            }
        }
        assert!(bench.points.len() >= 3, "{name}: too few admissible states");
        bench
    }

    fn random_point(&self, random: &mut Random, elsewhere: bool, attempt: usize) -> Option<Point> {
        let mut set = Vec::new();
        if elsewhere {
            for (parameter, value) in self.base.system.parameters.iter().zip(&self.base.start.parameters) {
                if parameter.definition.is_some_and(|definition| definition.symbols().is_empty()) {
                    set.push(format!("{} = {:?}", parameter.name, (*value)? * (0.9 + 0.2 * unit(random))));
                }
            }
        }
        let spread = if attempt < 6 * STATES { 0.5 } else { 0.1 };
        let mut settings = Settings::gallery(self.name).unwrap();
        settings.set = set.clone();
        let at = {
            let loaded = open(&settings).ok()?;
            near(&loaded, random, spread)?
        };
        set.extend(
            self.base.system.inputs.iter().map(|input| format!("{} = {:?}", input.name, 4.0 * unit(random) - 2.0)),
        );
        let point = self.point(&motion(self.name, &at, &set)?, &set);
        let assumed = self.base.system.assumptions.iter().filter_map(mechanics::Relation::scalars);
        assumed.into_iter().all(|(left, is, right)| is.holds(value(left - right, &point).0)).then_some(point)
    }

    /// The numbers of a motion for the symbols of this model.
    fn point(&self, motion: &Motion, set: &[String]) -> Point {
        let system = &self.base.system;
        let mut point: Point = Vec::new();
        point.extend(system.parameters.iter().zip(&motion.parameters).map(|(one, value)| (one.symbol, value.unwrap())));
        for line in set {
            let (name, value) = line.split_once(" = ").unwrap();
            point.extend(
                system
                    .inputs
                    .iter()
                    .filter(|input| input.name == name)
                    .map(|input| (input.symbol, value.parse().unwrap())),
            );
        }
        let mut push =
            |symbol: Expr| point.extend(motion.values.get(&symbol.to_string()).map(|value| (symbol, *value)));
        push(system.time);
        for coordinate in &system.coordinates {
            [coordinate.q, coordinate.q_dot, coordinate.q_ddot].into_iter().for_each(&mut push);
        }
        for speed in &system.speeds {
            push(expr::total_derivative(speed.symbol).unwrap());
        }
        let speeds: Point =
            system.speeds.iter().map(|speed| (speed.symbol, value(speed.definition, &point).0)).collect();
        point.extend(speeds);
        point.extend(self.rows.list.iter().filter_map(|row| Some((row.lambda, *motion.multipliers.get(&row.name)?))));
        point
    }

    /// Does an equation hold at these points? `None` if that is too close to say.
    fn holds(&self, e: Expr, points: &[Point]) -> Option<bool> {
        let miss = points.iter().map(|point| relative(e, point)).fold(0.0, f64::max);
        match miss {
            _ if miss < ROUNDING => Some(true),
            _ if miss > HARM => Some(false),
            _ => None,
        }
    }

    /// An equation as text; multipliers have no names of their own.
    fn text(&self, e: Expr) -> String {
        let mut text = e.to_string();
        for row in &self.rows.list {
            text = text.replace(&row.lambda.to_string(), &format!("multiplier({})", row.name));
        }
        text
    }
}

/// A state near the start that satisfies the constraints, as text.
fn near(loaded: &Model, random: &mut Random, spread: f64) -> Option<String> {
    let _in = loaded.enter();
    let later = expr::rational(random.below(1000) as i64, 1000);
    let mut equations = vec![mechanics::Equation {
        left: loaded.system.time,
        right: later,
        axis: None,
        text: String::new(),
        span: Default::default(),
    }];
    let mut guess = |value: &mechanics::StartValue, spread: f64| {
        let number = value.number? + spread * (2.0 * unit(random) - 1.0);
        let right = expr::rational((number * 1e4).round() as i64, 10_000);
        Some(mechanics::Equation {
            left: value.symbol,
            right,
            axis: None,
            text: String::new(),
            span: Default::default(),
        })
    };
    let coordinates = loaded.start.coordinates.iter().map(|value| guess(value, spread)).collect::<Option<Vec<_>>>()?;
    let rates = loaded.start.rates.iter().map(|value| guess(value, 1.0)).collect::<Option<Vec<_>>>()?;
    // What no constraint mentions is as drawn; the rest is the nearest that the constraints allow.
    let rows = Rows::of(&loaded.system, &loaded.mode, &loaded.at).ok()?;
    let of_velocity: Vec<Expr> = rows.of_velocity().flat_map(|row| row.velocity.unwrap_or(row.f).symbols()).collect();
    let geometric: Vec<Expr> = rows.list.iter().filter(|row| row.order == 0).flat_map(|row| row.f.symbols()).collect();
    let is_tied = |one: &mechanics::Equation| {
        geometric.contains(&one.left)
            || of_velocity.contains(&one.left) && rates.iter().any(|rate| rate.left == one.left)
    };
    let (tied, free): (Vec<_>, Vec<_>) = coordinates.into_iter().chain(rates.clone()).partition(is_tied);
    equations.extend(free);
    let state = mechanics::state(&loaded.system, &equations, &tied);
    let good = state.is_consistent() && state.residual.is_none_or(|residual| residual < 1e-12);
    let lines: Option<Vec<String>> = [&state.time]
        .into_iter()
        .chain(state.values())
        .map(|value| Some(format!("{} = {:?}", value.symbol, value.number?)))
        .collect();
    lines.filter(|_| good).map(|lines| lines.join(", "))
}

fn unit(random: &mut Random) -> f64 {
    random.below(1 << 30) as f64 / (1_u64 << 30) as f64
}

/// What an expression is worth at a point, and the size of its terms.
fn value(e: Expr, point: &[(Expr, f64)]) -> (f64, f64) {
    let floats = Floats::new(&[e]);
    let mut values = vec![f64::NAN; floats.len()];
    for (symbol, number) in point {
        if let Some(step) = floats.step_of(*symbol) {
            values[step] = *number;
        }
    }
    floats.run(0..floats.len(), &mut values);
    (values[floats.output(0)], floats.sizes(&values)[floats.output(0)])
}

fn relative(e: Expr, point: &[(Expr, f64)]) -> f64 {
    let (value, size) = value(e, point);
    assert!(value.is_finite(), "{e} has no value");
    if size > 0.0 { value.abs() / size } else { 0.0 }
}

/// The right equations: in the chart of rates, in that of speeds, and with multipliers.
fn equations(base: &Model, rows: &Rows) -> Vec<Vec<Expr>> {
    let mut list = Vec::new();
    for kind in [ChartKind::Rates, ChartKind::Speeds] {
        let given = Ingredients::of(&base.system, &base.mode, rows, kind, &base.at);
        let (Ok(found), Ok(chart)) = (mechanics::mistake::residuals(&given), given.chart()) else { continue };
        if kind == ChartKind::Rates || !base.system.speeds.is_empty() {
            list.push(found.iter().map(|&e| expr::simplify(e, &chart.w)).collect::<Vec<Expr>>());
        }
    }
    if !rows.list.is_empty() && rows.list.iter().all(|row| !row.name.contains('.')) {
        let given = Ingredients::of(&base.system, &base.mode, rows, ChartKind::Rates, &base.at);
        let form = mechanics::formalism::formalism("multipliers").unwrap().form(&given).unwrap();
        let unknowns = form.all_unknowns();
        list.push(form.equations.iter().map(|one| expr::simplify(one.residual(), &unknowns)).collect());
    }
    list
}

// ---------------------------------------------------------------------------------------------
// Changes

fn pick<T: Copy>(random: &mut Random, list: &[T]) -> Option<T> {
    (!list.is_empty()).then(|| list[random.below(list.len() as u64) as usize])
}

/// All parts of an expression.
fn parts(e: Expr) -> Vec<Expr> {
    let (mut all, mut waiting) = (Vec::new(), vec![e]);
    while let Some(part) = waiting.pop() {
        if !all.contains(&part) {
            all.push(part);
            waiting.extend(part.arguments());
        }
    }
    all
}

/// One term of one sum in it, changed.
fn with_term(random: &mut Random, e: Expr, change: impl Fn(&mut Random, Expr) -> Option<Expr>) -> Option<Expr> {
    let sums: Vec<Expr> = parts(e).into_iter().filter(|part| part.op() == Op::Sum).collect();
    let Some(sum) = pick(random, &sums) else { return change(random, e) };
    let mut terms = sum.arguments();
    let place = random.below(terms.len() as u64) as usize;
    terms[place] = change(random, terms[place])?;
    Substitution::from([(sum, Expr::sum(&terms))]).apply_one(e).ok()
}

/// A small change, and its name.
fn mutated(random: &mut Random, bench: &Bench<'_>, all: &[Expr], place: usize) -> Option<(&'static str, Expr)> {
    let e = all[place];
    let system = &bench.base.system;
    // slips of the pen twice as often as what is only rewritten
    let kind = random.below(20);
    Some(match if kind < 13 { kind } else { kind - 13 } {
        0 => ("sign", with_term(random, e, |_, term| Some(-term))?),
        1 => {
            let factors = [expr::integer(2), expr::rational(1, 2), expr::integer(3), expr::rational(3, 2)];
            ("factor", with_term(random, e, |random, term| Some(pick(random, &factors)? * term))?)
        }
        2 => ("dropped term", with_term(random, e, |_, _| Some(Expr::zero()))?),
        3 => ("swapped symbol", with_term(random, e, swapped)?),
        4 => ("sine for cosine", with_term(random, e, turned)?),
        5 => (
            "dropped factor",
            with_term(random, e, |random, term| {
                let symbols: Vec<Expr> = term.symbols();
                let symbol = pick(random, &symbols)?;
                Substitution::from([(symbol, Expr::one())]).apply_one(term).ok()
            })?,
        ),
        6 => {
            let parameter = pick(random, &system.parameters.iter().map(|one| one.symbol).collect::<Vec<_>>());
            let rate = pick(random, &system.q_dot())?;
            let factors = [expr::integer(-3), parameter.unwrap_or(expr::integer(5)), rate];
            ("multiplied", pick(random, &factors)? * e)
        }
        7 => {
            let other = pick(random, all)?;
            ("added to another", e + pick(random, &[expr::integer(2), expr::rational(-1, 3)])? * other)
        }
        8 => ("multiplied out", expr::expand(e).ok()?),
        9 => ("constraint put in", with_constraint(random, bench, e)?),
        10 => ("lost dot", with_term(random, e, lost_dot)?),
        11 if !e.symbols().iter().any(|s| bench.rows.list.iter().any(|row| row.lambda == *s)) => (DIFFERENTIATED, e),
        _ => {
            let angles: Vec<Expr> = parts(e)
                .into_iter()
                .filter(|part| matches!(part.op(), Op::Sin | Op::Cos))
                .map(|part| part.arguments()[0])
                .collect();
            let angle = pick(random, &angles).unwrap_or(expr::rational(3, 5));
            // cos² + sin² in place of 1.
            ("unsimplified", e * (angle.cos().pow(2) + angle.sin().pow(2)))
        }
    })
}

/// The same equation once more differentiated: third derivatives of the coordinates.
const DIFFERENTIATED: &str = "differentiated";

/// An acceleration as a constraint gives it by the others.
fn with_constraint(random: &mut Random, bench: &Bench<'_>, e: Expr) -> Option<Expr> {
    let q_ddot = bench.base.system.q_ddot();
    let places: Vec<usize> = (0..bench.rows.list.len()).collect();
    let row = &bench.rows.list[pick(random, &places)?];
    let held = e.symbols();
    let given: Vec<usize> =
        (0..q_ddot.len()).filter(|&s| row.A[s] != Expr::zero() && held.contains(&q_ddot[s])).collect();
    let s = pick(random, &given)?;
    let others = row.acceleration(&q_ddot) - row.A[s] * q_ddot[s];
    let value = (-others).try_div(row.A[s]).ok()?;
    Substitution::from([(q_ddot[s], value)]).apply_one(e).ok()
}

/// A rate in place of an acceleration, or a coordinate in place of its rate.
fn lost_dot(random: &mut Random, term: Expr) -> Option<Expr> {
    let moving: Vec<Expr> =
        term.symbols().into_iter().filter(|symbol| symbol.as_symbol().is_some_and(|one| one.order > 0)).collect();
    let from = pick(random, &moving)?;
    let mut slower = from.as_symbol()?;
    slower.order -= 1;
    Substitution::from([(from, expr::symbol(slower))]).apply_one(term).ok()
}

/// A symbol in place of another of its kind.
fn swapped(random: &mut Random, term: Expr) -> Option<Expr> {
    let kind = |symbol: &Expr| symbol.as_symbol().map(|symbol| (symbol.kind, symbol.order));
    let symbols: Vec<Expr> =
        term.symbols().into_iter().filter(|symbol| kind(symbol).is_some_and(|one| one.0 != Kind::Time)).collect();
    let from = pick(random, &symbols)?;
    let others: Vec<Expr> = symbols.into_iter().filter(|&other| other != from && kind(&other) == kind(&from)).collect();
    let to = pick(random, &others)?;
    Substitution::from([(from, to)]).apply_one(term).ok()
}

fn turned(random: &mut Random, term: Expr) -> Option<Expr> {
    let turning: Vec<Expr> = parts(term).into_iter().filter(|part| matches!(part.op(), Op::Sin | Op::Cos)).collect();
    let part = pick(random, &turning)?;
    let angle = part.arguments()[0];
    let other = if part.op() == Op::Sin { angle.cos() } else { angle.sin() };
    Substitution::from([(part, other)]).apply_one(term).ok()
}

// ---------------------------------------------------------------------------------------------

/// What came of all mutations.
#[derive(Default, Debug)]
struct Tally {
    harmful: usize,
    harmless: usize,
    /// Changes that the units of the claim do not allow.
    refused_by_units: usize,
    /// Changes whose effect is too small to be judged, or that only the values of the parameters hide.
    unjudged: usize,
}

fn try_one(bench: &Bench<'_>, random: &mut Random, tally: &mut Tally, failures: &mut Vec<String>) -> bool {
    let all = &bench.equations[random.below(bench.equations.len() as u64) as usize];
    let place = random.below(all.len() as u64) as usize;
    let Some((kind, e)) = mutated(random, bench, all, place) else { return false };
    let finite = |points: &[Point]| points.iter().all(|point| value(e, point).0.is_finite());
    let is_same = ["multiplied out", DIFFERENTIATED].contains(&kind);
    if e == all[place] && !is_same || e == Expr::zero() || !finite(&bench.points) || !finite(&bench.elsewhere) {
        return false;
    }
    let text = bench.text(e);
    let text = if kind == DIFFERENTIATED { format!("({text})'") } else { text };
    let lines: Vec<String> = (0..all.len())
        .map(|k| format!("claim e{k}: {} = 0", if k == place { text.clone() } else { bench.text(all[k]) }))
        .collect();
    let mut settings = Settings::gallery(bench.name).unwrap();
    settings.with.push(("mutated.claims".to_owned(), lines.join("\n")));
    let found: Audit = match open(&settings) {
        Ok(loaded) => audit(&loaded).unwrap(),
        Err(error) => {
            assert!(
                ["unit", " is in ", "rad"].iter().any(|word| error.to_string().contains(word)),
                "{}: {text}\n{error}",
                bench.name
            );
            tally.refused_by_units += 1;
            return false;
        }
    };
    let own = &found.claims[place];
    let is_misfit = |text: &Option<String>| text.as_ref().is_some_and(|text| text.contains("different dimensions"));
    if is_misfit(&own.explanation) || is_misfit(&own.reason) {
        assert_eq!(own.verdict, ClaimVerdict::Wrong, "{}: {text}", bench.name);
        tally.refused_by_units += 1;
        return false;
    }
    let (here, elsewhere) = (bench.holds(e, &bench.points), bench.holds(e, &bench.elsewhere));
    if here.is_none() || here != elsewhere {
        tally.unjudged += 1;
        return false;
    }
    let claim = &found.claims[place];
    let mut fail = |what: String| failures.push(format!("{}, {kind}: {what}\n    {text} = 0", bench.name));
    if here == Some(true) {
        tally.harmless += 1;
        if !claim.verdict.is_correct() {
            fail(format!("{} though it is harmless; {:?}", claim.verdict, claim.reason));
        }
        return true;
    }
    tally.harmful += 1;
    if claim.verdict != ClaimVerdict::Wrong || found.verdict != ClaimVerdict::Wrong {
        fail(format!("{} though it is harmful; {:?}", claim.verdict, claim.reason));
        return true;
    }
    let Some(witness) = &claim.witness else {
        fail("wrong without a witness".to_owned());
        return true;
    };
    let written = |(name, value): &(String, f64)| format!("{name} = {value:?}");
    let at: Vec<String> = witness.state.0.iter().map(written).collect();
    let set: Vec<String> = witness.inputs.0.iter().chain(&witness.parameters.0).map(written).collect();
    let Some(motion) = motion(bench.name, &at.join(", "), &set) else {
        fail(format!("no motion at the witness {witness:?}"));
        return true;
    };
    let point = bench.point(&motion, &set);
    let (residual, size) = value(e, &point);
    if (residual - witness.residual).abs() > 1e-7 * size || residual.abs() < 1e-9 * size {
        fail(format!("the witness says {}, it is {residual}", witness.residual));
    }
    let same = |(name, value): &(String, f64)| (motion.values[name] - value).abs() <= 1e-7 * (1.0 + value.abs());
    if !witness.correct.0.iter().all(same) {
        fail(format!("the witness has accelerations {:?}, not {:?}", witness.correct, motion.values));
    }
    true
}

#[test]
fn harm_is_told_from_rewriting() {
    // judge with `<` for `>` in `Auditor::vanishes`, or leave the inputs at 0, and this fails
    let wanted = std::env::var("ANHOLON_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(FEW);
    let (mut tally, mut failures) = (Tally::default(), Vec::new());
    for (seed, name) in MODELS.into_iter().enumerate() {
        let mut random = Random::new(7 + seed as u64);
        let base = open(&Settings::gallery(name).unwrap()).unwrap();
        let _in = base.enter();
        let bench = Bench::new(name, &base, &mut random);
        let (mut done, mut tries) = (0, 0);
        while done < wanted && tries < 40 * wanted {
            tries += 1;
            done += usize::from(try_one(&bench, &mut random, &mut tally, &mut failures));
        }
        assert!(done == wanted, "{name}: only {done} of {wanted} mutations");
    }
    #[expect(clippy::print_stdout, reason = "who asks for the full number wants to see the count")]
    {
        println!("{} models: {tally:?}", MODELS.len());
    }
    assert!(failures.is_empty(), "{tally:?}, {} failures:\n{}", failures.len(), failures.join("\n"));
    assert!(tally.harmful > wanted * MODELS.len() / 3 && tally.harmless > wanted * MODELS.len() / 8, "{tally:?}");
}
