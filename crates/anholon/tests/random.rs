//! Are random models computed as a plain implementation computes them?
//!
//! ```text
//! M = Σ m JᵀJ,   M q'' = Σ Jᵀ(F − m J'q') + Aᵀλ,   A q'' = −a0         J, J'q', A, a0 by differences, one dense solve
//! ```
//!
//! The plain side knows positions of particles as functions of q and t, and nothing of the engine. A hundred models in CI;
//! `ANHOLON_RANDOM=5000` for more.

#[path = "ask/mod.rs"]
mod ask;
#[path = "random/draw.rs"]
mod draw;
#[path = "random/plain.rs"]
mod plain;

use anholon::{Alone, Evaluated, Linearize, Linearized, Model, Settings, Simulate, open, simulate};

use draw::Drawn;
use plain::{Motion, Plain};

/// What numbers may differ by, beside their size: the plain side takes differences.
const NEAR: f64 = 1e-6;

#[derive(Debug, Default)]
struct Counts {
    models: usize,
    constrained: usize,
    redundant: usize,
    motions: usize,
    reactions: usize,
    linearized: usize,
}

#[test]
#[allow(clippy::print_stdout, reason = "a long run tells its counts")]
fn random_models_move_as_plain_equations_say() {
    let wanted = std::env::var("ANHOLON_RANDOM").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
    let (mut counts, mut seed) = (Counts::default(), 1);
    while counts.models < wanted {
        seed += 1;
        let Some(drawn) = draw::model(seed) else { continue };
        check(&drawn, &mut counts);
        counts.models += 1;
    }
    let told = format!("{counts:?}");
    println!("{told}");
    assert!(
        counts.constrained * 3 > wanted && counts.redundant > wanted / 20 && counts.linearized > wanted / 20,
        "{told}"
    );
    assert!(counts.motions * 2 > wanted && counts.reactions > wanted / 4, "{told}");
}

fn check(drawn: &Drawn, counts: &mut Counts) {
    let Drawn { text, plain, start, seed } = drawn;
    let say = |what: &str| format!("model {seed}, {what}\n{text}");
    let model = open(&Settings::new("random.mech", text)).unwrap_or_else(|error| panic!("{}", say(&error.to_string())));
    let found = match ask::evaluate(&model, None).unwrap_or_else(|error| panic!("{}", say(&error.to_string()))) {
        Evaluated::Found(found) => found,
        Evaluated::NoAnswer { reason, .. } => panic!("{}", say(&reason)),
    };
    let Some(should) = plain.solved(start) else { panic!("{}", say("the plain side has no answer")) };
    for (k, q) in should.accelerations.iter().enumerate() {
        let name = format!("q{}''", k + 1);
        near(*found.accelerations.get(&name).unwrap(), *q, &say(&name));
    }
    counts.constrained += usize::from(!plain.rows.is_empty());
    counts.redundant += usize::from(plain.copies > 0);
    if plain.copies == 0 {
        for (row, lambda) in plain.rows.iter().zip(&should.multipliers) {
            near(*found.multipliers.get(&row.name).unwrap(), *lambda, &say(&row.name));
        }
    }
    moves(drawn, &model, &should.multipliers, counts, &say);
    linearizes(drawn, counts, &say);
}

/// The motion over a short time, and the reactions at its start.
fn moves(drawn: &Drawn, model: &Model, lambda: &[f64], counts: &mut Counts, say: &dyn Fn(&str) -> String) {
    const TIME: f64 = 0.25;
    let wanted = Simulate { duration: Some(TIME), every: Some(TIME), tolerance: Some(1e-10), ..Simulate::default() };
    let motion = simulate(model, &wanted, &mut Alone).unwrap_or_else(|error| panic!("{}", say(&error.to_string())));
    let first = |name: &str| motion.table.column(name).and_then(|column| column.1.first().copied());
    for (place, row) in drawn.plain.rows.iter().enumerate() {
        for (point, force) in drawn.plain.reaction(row, &drawn.start) {
            for (axis, part) in ["x", "y", "z"].iter().zip(force) {
                let name = format!("reaction({} on P{}).{axis}", row.name, point + 1);
                let Some(is) = first(&name).filter(|_| drawn.plain.copies == 0) else { continue };
                near(is, lambda[place] * part, &say(&name));
                counts.reactions += 1;
            }
        }
    }
    // near singular places the plain method is not accurate enough
    let Some(end) = drawn.plain.moved(&drawn.start, TIME) else { return };
    assert_eq!(motion.stopped_by.failure(), None, "{}", say("its motion"));
    counts.motions += 1;
    for k in 0..drawn.plain.n {
        let (q, rate) = (format!("q{}", k + 1), format!("q{}'", k + 1));
        near(motion.last.get(&q).unwrap(), end.q[k], &say(&q));
        near(motion.last.get(&rate).unwrap(), end.rates[k], &say(&rate));
    }
}

/// The matrix of small deviations, where nothing is constrained or depends on time.
fn linearizes(drawn: &Drawn, counts: &mut Counts, say: &dyn Fn(&str) -> String) {
    let (plain, n) = (&drawn.plain, drawn.plain.n);
    if !plain.rows.is_empty() || plain.is_driven() {
        return;
    }
    let settings = Settings::new("random.mech", &drawn.text);
    let Ok(Linearized::Found(found)) = ask::linearize(&settings, &Linearize::default()) else { return };
    let slope = |k: usize| {
        let at = |shift: f64| {
            let mut there = drawn.start.clone();
            if k < n {
                there.q[k] += shift
            } else {
                there.rates[k - n] += shift
            }
            plain.solved(&there).map(|solved| solved.accelerations)
        };
        plain::first(&|h| at(h).unwrap_or_else(|| vec![f64::NAN; n]))
    };
    let place = |name: &str| {
        let (bare, rate) = (name.trim_end_matches('\''), name.ends_with('\''));
        bare[1..].parse::<usize>().map(|k| k - 1 + if rate { n } else { 0 }).ok()
    };
    let places: Option<Vec<usize>> = found.states.iter().map(|name| place(name)).collect();
    let Some(places) = places.filter(|places| places.len() == 2 * n) else { return };
    for (j, &column) in places.iter().enumerate() {
        let slope = slope(column);
        for (i, &row) in places.iter().enumerate().filter(|(_, row)| **row >= n) {
            near(found.A[i][j], slope[row - n], &say(&format!("A[{i}][{j}]")));
        }
    }
    counts.linearized += 1;
}

fn near(is: f64, should: f64, what: &str) {
    assert!((is - should).abs() <= NEAR * (1.0 + should.abs()), "{is} should be {should}: {what}");
}

/// The plain side itself, on a pendulum whose equation everybody knows.
#[test]
fn the_plain_side_knows_a_pendulum() {
    let plain = Plain::pendulum(0.7);
    let start = Motion { t: 0.0, q: vec![0.4], rates: vec![0.3] };
    let found = plain.solved(&start).unwrap();
    near(found.accelerations[0], -9.81 / 0.7 * 0.4_f64.cos(), "hanging along x at zero");
}
