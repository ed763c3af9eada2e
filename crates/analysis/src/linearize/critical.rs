//! How do the eigenvalues move with a parameter, and where does the stability change?
//!
//! ```text
//! divergent     a real eigenvalue, or a pair that meets at the origin, crosses zero: Π λ changes its sign      (1)
//! oscillatory   the real part of a pair crosses zero, or leaves it                                              (2)
//! both          it touches zero and does not cross it: touch.rs
//! ```
//!
//! Crossings are bracketed on a grid, the model's own value among it, and located by bisection to the last digits. A real part
//! counts where it exceeds what shaking the entries of A by their rounding changes it by. Steady motions are followed from the
//! model's own value to both sides.

use expr::{At, Expr, Substitution};
use linear::eigen::{self, Complex};
use mechanics::{Equation, System};
use serde::Serialize;

use super::bench::Bench;
use super::equations::State;
use super::touch::{self, Touch, brackets, lowest};
use super::{Linearization, Linearize, Trouble, bad};
use engine::{Field, Loaded, Ordered, Progress};
use expr::decimal;

/// Why there is no answer after Ctrl-C.
const INTERRUPTED: &str = "it was interrupted";
/// Values on a grid if nobody says how many.
pub const POINTS: usize = 201;

/// Real parts that are larger than this, relative to their part of the matrix, are not rounding.
const OFF_AXIS: f64 = 1e-7;
/// Real parts that are smaller are.
const ON_AXIS: f64 = 1e-13;
/// Between them shaking decides: entries are changed by this, so often, and the change counts so many times.
const SHAKEN: f64 = 4e-16;
const SHAKES: u64 = 3;
const CERTAIN: f64 = 30.0;
/// Values between which a crossing may lie anywhere, relative to the range, are told by their middle.
const FLAT: f64 = 1e-8;

/// Eigenvalues along a parameter.
#[derive(Clone, Debug, Serialize)]
pub struct Sweep {
    /// The parameter.
    pub parameter: String,
    /// Its values.
    pub values: Vec<f64>,
    /// The eigenvalues at each, in an order in which they move continuously; empty where there is no such state.
    pub eigenvalues: Vec<Vec<Complex>>,
    /// Coordinates and rates of the steady motion at each, those that change with the parameter; for `--steady` alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub motions: Vec<Ordered<f64>>,
}

expr::in_words! {
    /// How stability is lost or won.
    pub enum Onset {
        /// A real eigenvalue goes through zero.
        Divergent = "divergent",
        /// A pair goes through the imaginary axis.
        Oscillatory = "oscillatory",
    }
}

/// A value at which the stability changes, or is lost for that value alone: then as many are unstable below as above.
#[derive(Clone, Debug, Serialize)]
pub struct Critical {
    /// The parameter.
    pub parameter: String,
    /// Its value.
    pub value: f64,
    /// How it changes.
    pub kind: Onset,
    /// The frequency of the pair in rad/s; 0 for a divergent one.
    pub frequency: f64,
    /// How many eigenvalues with positive real part there are just below and just above.
    pub unstable: [usize; 2],
}

enum What {
    Parameter(usize),
    Value(Expr),
}

/// A parameter, or a value of the start, and its range.
pub struct Along {
    name: String,
    what: What,
    from: f64,
    to: f64,
    /// The value in the model.
    now: f64,
}

impl Along {
    /// `v=0..10`; without a range that of `sweep`, or from 0 to three times the value.
    pub fn read(bench: &Bench<'_>, text: &str, field: Field, sweep: Option<&str>) -> Result<Along, Trouble> {
        let (name, range) = match text.split_once('=') {
            Some((name, range)) => (name.trim(), Some(range.trim())),
            None => (text.trim(), None),
        };
        let system = &bench.loaded.system;
        let parameter = system.parameters.iter().position(|parameter| parameter.name == name);
        let coordinate = value_of_start(system, name);
        let dimension = match (parameter, &coordinate) {
            (Some(place), _) => system.parameters[place].dimension.clone(),
            (None, Some((_, dimension))) => dimension.clone(),
            (None, None) => None,
        };
        let what = match (parameter, coordinate) {
            (Some(place), _) => What::Parameter(place),
            (None, Some(_)) if bench.is_steady_wanted => {
                let (asked, steady) = (field.asked(name), Field::Steady);
                let hint = format!("declare a parameter in a file with `{}`, and fix the value by it", Field::With);
                return Err(bad(&format!("`{asked}` with `{steady}`: `{name}` is no parameter"), &hint));
            }
            (None, Some((symbol, _))) => What::Value(symbol),
            (None, None) => {
                let names: Vec<&str> = system.parameters.iter().map(|one| one.name.as_str()).collect();
                let hint = match syntax::nearest(name, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!(
                        "there are {}, and coordinates, rates, speeds and states at the start",
                        names.join(", ")
                    ),
                };
                return Err(bad(&format!("`{}`: there is no parameter `{name}`", field.asked(text)), &hint));
            }
        };
        let of_sweep = sweep.and_then(|text| text.split_once('=')).filter(|(other, _)| other.trim() == name);
        let range = range.or(of_sweep.map(|(_, range)| range.trim()));
        let now = match &what {
            What::Parameter(place) => bench.state.parameters[*place],
            What::Value(symbol) => bench.equations.at(&bench.state).value(*symbol),
        };
        let (from, to) = match range {
            None if field == Field::Sweep => {
                let hint = format!("write `{}`", field.asked("v=0..10"));
                return Err(bad(&format!("`{}` has no range", field.asked(text)), &hint));
            }
            None if now == 0.0 || !now.is_finite() => {
                let hint = format!("write `{}`", field.asked(format_args!("{name}=0..10")));
                return Err(bad(&format!("`{}` needs a range", field.asked(name)), &hint));
            }
            None => (0.0_f64.min(3.0 * now), 0.0_f64.max(3.0 * now)),
            Some(range) => engine::range(range, dimension.as_ref(), &|_| None).map_err(|why| {
                let hint = format!("write `{}`, in SI units or with a unit", field.asked(format_args!("{name}=0..10")));
                bad(&why, &hint).of(field)
            })?,
        };
        if from >= to {
            let error = bad(&format!("the range of `{name}` is empty"), "the first number is the smaller one");
            return Err(error.of(field));
        }
        Ok(Along { name: name.to_owned(), what, from, to, now })
    }

    fn values(&self, points: usize) -> Result<Vec<f64>, Trouble> {
        if !(2..=1_000_000).contains(&points) {
            return Err(bad(&format!("`{}`", Field::Points.asked(points)), "take from 2 to 1000000 points"));
        }
        let last = (points - 1) as f64;
        Ok((0..points).map(|k| self.from + (self.to - self.from) * k as f64 / last).collect())
    }

    /// The state at a value; a steady motion is followed from another one.
    fn state(&self, bench: &Bench<'_>, value: f64, near: &State) -> Result<State, String> {
        let exact = number(value);
        let (system, mut equations) = (&bench.loaded.system, bench.mode.no_slip());
        let report = match &self.what {
            What::Parameter(place) => mechanics::start_with(&with_parameter(system, *place, exact), &equations),
            What::Value(symbol) => {
                equations.push(Equation {
                    left: *symbol,
                    right: exact,
                    axis: None,
                    text: format!("{} = {value}", self.name),
                    span: syntax::Span::default(),
                });
                mechanics::start_with(system, &equations)
            }
        };
        let mut state = State::of(&report, bench.equations.rows.len(), bench.equations.inputs.len());
        if bench.is_steady_wanted {
            state = State { parameters: state.parameters, ..near.clone() };
            let open = super::steady::Open { pinned: &bench.running, solved: &bench.solved };
            return match super::steady::steady(&bench.equations, &bench.choice, open, &state) {
                super::steady::Steady::Found(state) => Ok(state),
                _ => Err(format!("there is no steady motion at {} = {}", self.name, decimal(value))),
            };
        }
        if !report.is_consistent() {
            return Err(format!("there is no such state at {} = {}", self.name, decimal(value)));
        }
        super::state::accelerated(&bench.equations, &state)
    }

    fn spectrum(
        &self,
        bench: &Bench<'_>,
        answer: &Linearization,
        value: f64,
        near: &State,
    ) -> Result<(Spectrum, State), String> {
        let state = self.state(bench, value, near)?;
        let is_named = !bench.named.is_empty();
        let kept: Vec<usize> = match is_named {
            true => Vec::new(),
            false => (0..bench.size()).filter(|&place| answer.states.contains(&bench.name_of_state(place))).collect(),
        };
        let matrix = bench.matrix(&state, is_named, &kept).map_err(|trouble| match trouble {
            Trouble::NoAnswer(reason) => reason,
            Trouble::Bad(error) => error.message().to_owned(),
        })?;
        let spectrum = Spectrum::of(&matrix).ok_or("a matrix has no finite entries")?;
        Ok((spectrum, state))
    }

    /// The spectra at these values, each with its state: followed from the model's own value, upwards and then downwards.
    fn followed(
        &self,
        bench: &Bench<'_>,
        answer: &Linearization,
        values: &[f64],
        progress: &mut dyn Progress,
    ) -> Result<Vec<Made>, Trouble> {
        let first = values.iter().position(|&value| value >= self.now).unwrap_or(values.len());
        let mut made: Vec<Option<Made>> = values.iter().map(|_| None).collect();
        let mut near = bench.state.clone();
        for (done, place) in (first..values.len()).chain((0..first).rev()).enumerate() {
            if !progress.reached(done as f64 / values.len() as f64) {
                return Err(Trouble::NoAnswer(INTERRUPTED.to_owned()));
            }
            if done == values.len() - first {
                near = bench.state.clone();
            }
            let found = self.spectrum(bench, answer, values[place], &near);
            if let Ok((_, state)) = &found {
                near = state.clone();
            }
            made[place] = Some(found);
        }
        Ok(made.into_iter().flatten().collect())
    }

    /// Notes the values at which the state is no steady motion, although it is one at the model's own value.
    fn note_unsteady<'s>(
        &self,
        bench: &Bench<'_>,
        answer: &Linearization,
        states: impl Iterator<Item = (f64, &'s State)>,
        notes: &mut Vec<String>,
    ) {
        if !answer.steady || bench.is_steady_wanted {
            return;
        }
        let kept: Vec<usize> =
            (0..bench.size()).filter(|&place| answer.states.contains(&bench.name_of_state(place))).collect();
        let (all, moving): (Vec<f64>, Vec<bool>) =
            states.map(|(value, state)| (value, !bench.unsteady(state, &kept).is_empty())).unzip();
        let list: Vec<f64> = all.iter().zip(&moving).filter(|one| *one.1).map(|one| *one.0).collect();
        let (Some(first), Some(last)) = (list.first(), list.last()) else { return };
        let of = format!("{} of {} values of `{}`", list.len(), all.len(), self.name);
        let range = if first == last { decimal(*first) } else { format!("{} to {}", decimal(*first), decimal(*last)) };
        let note = format!(
            "at {of} ({range}) the start is no steady motion: eigenvalues there are those of an instant, and say nothing \
             of stability; `{}` follows a steady motion",
            Field::Steady
        );
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// The root locus.
    pub fn sweep(
        &self,
        bench: &Bench<'_>,
        answer: &Linearization,
        points: usize,
        notes: &mut Vec<String>,
        progress: &mut dyn Progress,
    ) -> Result<Sweep, Trouble> {
        let values = self.values(points)?;
        let made = self.followed(bench, answer, &values, progress)?;
        let known = values.iter().zip(&made).filter_map(|(value, one)| Some((*value, &one.as_ref().ok()?.1)));
        self.note_unsteady(bench, answer, known, notes);
        let motions = if bench.is_steady_wanted { motions(bench, &made) } else { Vec::new() };
        let mut eigenvalues: Vec<Vec<Complex>> = Vec::with_capacity(values.len());
        let (mut last, mut trouble) = (Vec::new(), None);
        for one in made {
            match one {
                Ok((spectrum, _)) => {
                    last = followed(&last, spectrum.values);
                    eigenvalues.push(last.clone());
                }
                Err(reason) => {
                    trouble = trouble.or(Some(reason));
                    eigenvalues.push(Vec::new());
                }
            }
        }
        match trouble.filter(|_| eigenvalues.iter().all(Vec::is_empty)) {
            Some(reason) => Err(Trouble::NoAnswer(reason)),
            None => Ok(Sweep { parameter: self.name.clone(), values, eigenvalues, motions }),
        }
    }

    /// The values at which the number of unstable eigenvalues changes, or an eigenvalue touches zero.
    pub fn critical(
        &self,
        bench: &Bench<'_>,
        answer: &Linearization,
        points: usize,
        notes: &mut Vec<String>,
        progress: &mut dyn Progress,
    ) -> Result<Vec<Critical>, Trouble> {
        let mut grid = self.values(points)?;
        let is_inside = self.from < self.now && self.now < self.to;
        if let Some(place) = grid.iter().position(|&value| value >= self.now).filter(|_| is_inside)
            && grid[place] != self.now
        {
            grid.insert(place, self.now);
        }
        let mut known: Vec<(f64, Spectrum, State)> = Vec::new();
        let mut trouble = None;
        for (&value, made) in grid.iter().zip(self.followed(bench, answer, &grid, progress)?) {
            match made {
                Ok((spectrum, state)) => known.push((value, spectrum, state)),
                Err(reason) => trouble = trouble.or(Some(reason)),
            }
        }
        self.note_unsteady(bench, answer, known.iter().map(|one| (one.0, &one.2)), notes);
        if let Some(reason) = trouble {
            if known.is_empty() {
                return Err(Trouble::NoAnswer(reason));
            }
            notes.push(format!("not every value of `{}` was looked at: {reason}", self.name));
        }
        let zeros = known.iter().map(|one| one.1.zeros()).min().unwrap_or(0);
        let mut found = Vec::new();
        for pair in known.windows(2) {
            let (a, b) = (&pair[0], &pair[1]);
            let hunt = Hunt { along: self, bench, answer, near: &a.2, zeros };
            hunt.between((a.0, &a.1), (b.0, &b.1), &mut found);
        }
        for touch in [Touch::Whole, Touch::RealPart] {
            self.touches(touch, bench, answer, &known, &mut found);
        }
        found.sort_by(|a, b| a.value.total_cmp(&b.value));
        notes.push(format!(
            "`{}` was searched from {} to {} at {} values: what comes and goes between two of them may be missed",
            self.name,
            decimal(self.from),
            decimal(self.to),
            grid.len()
        ));
        Ok(found)
    }
}

impl Along {
    /// A value that the range does not tell from zero is zero.
    fn cleaned(&self, value: f64) -> f64 {
        if value.abs() <= 16.0 * f64::EPSILON * (self.to - self.from) { 0.0 } else { value }
    }

    /// Adds the values at which an eigenvalue touches the axis or the origin and does not cross it (touch.rs), and crossings
    /// that lie between two values of the grid and undo each other.
    fn touches(
        &self,
        touch: Touch,
        bench: &Bench<'_>,
        answer: &Linearization,
        known: &[(f64, Spectrum, State)],
        found: &mut Vec<Critical>,
    ) {
        let scales = touch.scales(known.iter().map(|one| (&one.1.values[..], &one.1.sizes[..])));
        let zeros = known.iter().map(|one| one.1.zeros()).min().unwrap_or(0);
        let least = |spectrum: &Spectrum| touch.least(&spectrum.values, &spectrum.sizes, &scales);
        let grid: Vec<f64> = known.iter().map(|one| one.0).collect();
        let d: Vec<Option<f64>> = known.iter().map(|one| least(&one.1).map(|one| one.0)).collect();
        for bracket in brackets(&grid, &d) {
            let [Some(below), Some(above)] = [bracket.0, bracket.1].map(|v| known.iter().find(|one| one.0 == v)) else {
                continue;
            };
            let hunt = Hunt { along: self, bench, answer, near: &below.2, zeros };
            let Some((value, left)) = lowest(bracket, |v| least(&hunt.at(v).ok()?).map(|one| one.0)) else { continue };
            let same = 1e-6 * (self.to - self.from);
            if left > touch::ZERO || found.iter().any(|one| (one.value - value).abs() <= same) {
                continue;
            }
            let Ok(there) = hunt.at(value) else { continue };
            let counts = [below.1.unstable(), above.1.unstable()];
            // it may be one of two crossings that undo each other
            let wide = bracket.1 - bracket.0;
            let beside = (2..30).flat_map(|k| [-1.0, 1.0].map(|side| value + side * wide * 0.5_f64.powi(k)));
            let inside = beside.filter(|v| bracket.0 < *v && *v < bracket.1).find_map(|v| {
                let spectrum = hunt.at(v).ok()?;
                (spectrum.unstable() != counts[0]).then_some((v, spectrum))
            });
            if let Some((v, spectrum)) = inside.filter(|_| counts[0] == counts[1]) {
                hunt.between((below.0, &below.1), (v, &spectrum), found);
                hunt.between((v, &spectrum), (above.0, &above.1), found);
                continue;
            }
            let frequency = least(&there).map_or(0.0, |one| one.1);
            let kind = if touch == Touch::Whole { Onset::Divergent } else { Onset::Oscillatory };
            let value = self.cleaned(value);
            found.push(Critical { parameter: self.name.clone(), value, kind, frequency, unstable: counts });
        }
    }
}

/// The spectrum at a value with its state, or why there is none.
type Made = Result<(Spectrum, State), String>;

/// The search for crossings between two values of the grid.
struct Hunt<'a, 'b> {
    along: &'a Along,
    bench: &'a Bench<'b>,
    answer: &'a Linearization,
    /// The state at the first of the two values.
    near: &'a State,
    /// So many eigenvalues are always zero.
    zeros: usize,
}

/// One change of the stability, in a narrow bracket.
struct Change {
    low: f64,
    high: f64,
    /// How many eigenvalues are unstable below and above.
    counts: [usize; 2],
    /// The eigenvalue that crosses.
    crossing: Complex,
    /// Whether it is one of a pair: (2) instead of (1).
    is_pair: bool,
    /// The size of its part of the matrix.
    size: f64,
}

impl Hunt<'_, '_> {
    fn at(&self, value: f64) -> Result<Spectrum, String> {
        self.along.spectrum(self.bench, self.answer, value, self.near).map(|made| made.0)
    }

    /// Finds the crossings between two values: halves until one change is left, then locates it.
    fn between(&self, a: (f64, &Spectrum), b: (f64, &Spectrum), found: &mut Vec<Critical>) {
        let counts = [a.1.unstable(), b.1.unstable()];
        if counts[0] == counts[1] {
            return;
        }
        let (mut low, mut high) = (a.0, b.0);
        let (mut below, mut above) = (a.1.clone(), b.1.clone());
        // by counting: until the bracket is narrow, or as far as numbers go
        let narrow = 1e-7 * (self.along.to - self.along.from);
        while high - low > narrow {
            let middle = middle_of(low, high);
            let Ok(spectrum) = self.at(middle) else { return };
            let count = spectrum.unstable();
            if count == counts[0] {
                (low, below) = (middle, spectrum);
            } else if count == counts[1] {
                (high, above) = (middle, spectrum);
            } else {
                // two changes: one in each half
                self.between((low, &below), (middle, &spectrum), found);
                self.between((middle, &spectrum), (high, &above), found);
                return;
            }
        }
        let more = if counts[1] > counts[0] { &above } else { &below };
        let fewer = if counts[1] > counts[0] { &below } else { &above };
        let (crossing, size) = more.crossing(fewer);
        let is_pair = crossing[1].abs() > 1e-4 * size && crossing[1].abs() > 10.0 * crossing[0].abs();
        found.push(self.locate(Change { low, high, counts, crossing, is_pair, size }));
    }

    /// What changes its sign where an eigenvalue crosses: a real part (2), or the product of all (1).
    fn measure(&self, change: &Change, spectrum: &Spectrum) -> Option<f64> {
        match change.is_pair {
            true => spectrum.real_part_near(change.crossing[1]),
            false => Some(spectrum.product(self.zeros)),
        }
    }

    /// Widens the bracket until the measure changes its sign, since what counts as unstable is a little off the axis:
    /// its ends, and the measure at the first.
    fn widen(&self, change: &Change) -> Option<((f64, f64), f64)> {
        let (mut wide, centre) = (change.high - change.low, middle_of(change.low, change.high));
        for _ in 0..8 {
            let ends = ((centre - wide).max(self.along.from), (centre + wide).min(self.along.to));
            let (Ok(x), Ok(y)) = (self.at(ends.0), self.at(ends.1)) else { break };
            if let (Some(p), Some(q)) = (self.measure(change, &x), self.measure(change, &y))
                && p * q < 0.0
                && change.is_clear(p)
                && change.is_clear(q)
            {
                return Some((ends, p));
            }
            wide *= 10.0;
        }
        None
    }

    /// Locates a change by bisection: by the sign of the measure, or by counting where it has none. Where the measure is
    /// rounding for many values, as about a triple root, it is the middle of these.
    fn locate(&self, change: Change) -> Critical {
        let widened = self.widen(&change);
        let (low, high) = widened.map_or((change.low, change.high), |(ends, _)| ends);
        let first = widened.map(|(_, first)| first);
        let (mut low, mut high) = (low, high);
        if let Some(first) = first {
            // the last value that is clearly below, and the first that is clearly above
            let clearly = |spectrum: &Spectrum, side: f64| {
                self.measure(&change, spectrum).is_some_and(|x| x * side > 0.0 && change.is_clear(x))
            };
            let last_low = self.bisected((low, high), |spectrum| clearly(spectrum, first)).0;
            let first_high = self.bisected((low, high), |spectrum| !clearly(spectrum, -first)).1;
            if change.is_pair && first_high - last_low > FLAT * (self.along.to - self.along.from) {
                return self.told(&change, middle_of(last_low, first_high));
            }
            if last_low < first_high {
                (low, high) = (last_low, first_high);
            }
            // faint entries of A are zero: the measure may vanish on both sides
            let sign = |spectrum: &Spectrum| self.measure(&change, spectrum).map_or(0.0, |x| x * first);
            let below = self.bisected((low, high), |spectrum| sign(spectrum) > 0.0).0;
            let above = self.bisected((low, high), |spectrum| sign(spectrum) >= 0.0).1;
            return self.told(&change, middle_of(below, above));
        }
        let (low, high) = self.bisected((low, high), |spectrum| spectrum.unstable() == change.counts[0]);
        self.told(&change, middle_of(low, high))
    }

    /// Halves until no number is left between the ends, or a state does not exist.
    fn bisected(&self, (mut low, mut high): (f64, f64), is_low: impl Fn(&Spectrum) -> bool) -> (f64, f64) {
        for _ in 0..200 {
            let middle = middle_of(low, high);
            if middle <= low || middle >= high {
                break;
            }
            let Ok(spectrum) = self.at(middle) else { break };
            if is_low(&spectrum) { low = middle } else { high = middle }
        }
        (low, high)
    }

    fn told(&self, change: &Change, value: f64) -> Critical {
        let value = self.along.cleaned(value);
        // the crossing was seen beside it
        let near = change.crossing[1].abs();
        let pair = || self.at(value).ok().and_then(|spectrum| spectrum.pair_near(near)).map_or(near, |pair| pair[1]);
        Critical {
            parameter: self.along.name.clone(),
            value,
            kind: if change.is_pair { Onset::Oscillatory } else { Onset::Divergent },
            frequency: if change.is_pair { pair() } else { 0.0 },
            unstable: change.counts,
        }
    }
}

impl Change {
    /// Whether the measure is no rounding.
    fn is_clear(&self, x: f64) -> bool {
        !self.is_pair || x.abs() > ON_AXIS * self.size
    }
}

fn middle_of(low: f64, high: f64) -> f64 {
    0.5 * (low + high)
}

/// Eigenvalues with what is known of their errors.
#[derive(Clone)]
struct Spectrum {
    values: Vec<Complex>,
    /// For each the size of its part of the matrix.
    sizes: Vec<f64>,
    /// For each whether its real part is positive, and no rounding.
    is_right: Vec<bool>,
}

impl Spectrum {
    /// The spectrum of a matrix with finite entries.
    fn of(matrix: &linear::Matrix) -> Option<Spectrum> {
        let (values, sizes): (Vec<Complex>, Vec<f64>) = eigen::weighed(matrix)?.into_iter().unzip();
        let is_doubtful = |(x, size): (&Complex, &f64)| x[0] > ON_AXIS * size && x[0] <= OFF_AXIS * size;
        let mut errors = vec![0.0_f64; values.len()];
        if values.iter().zip(&sizes).any(is_doubtful) {
            for shake in 0..SHAKES {
                let seed = |i: usize, j: usize| shake * 100_000 + (i * matrix.columns() + j) as u64;
                let shaken = linear::Matrix::from_fn(matrix.rows(), matrix.columns(), |i, j| {
                    matrix[i][j] * (1.0 + SHAKEN * super::state::somewhere(seed(i, j)))
                });
                let others = eigen::values(&shaken)?;
                for (x, error) in values.iter().zip(&mut errors) {
                    let moved = others.iter().map(|y| (x[0] - y[0]).hypot(x[1] - y[1])).fold(f64::INFINITY, f64::min);
                    *error = error.max(moved);
                }
            }
        }
        let is_right = |k: usize| {
            let (re, size) = (values[k][0], sizes[k]);
            re > OFF_AXIS * size || (re > ON_AXIS * size && re > CERTAIN * errors[k])
        };
        let is_right = (0..values.len()).map(is_right).collect();
        Some(Spectrum { values, sizes, is_right })
    }

    fn unstable(&self) -> usize {
        self.is_right.iter().filter(|is_right| **is_right).count()
    }

    fn zeros(&self) -> usize {
        let all = self.values.iter().zip(&self.sizes);
        all.filter(|(value, size)| value[0].hypot(value[1]) <= OFF_AXIS * **size).count()
    }

    /// The product of all eigenvalues but the smallest ones, which are always zero (1).
    fn product(&self, zeros: usize) -> f64 {
        let mut values: Vec<(Complex, f64)> = self.values.iter().copied().zip(self.sizes.iter().copied()).collect();
        values.sort_by(|(x, _), (y, _)| x[0].hypot(x[1]).total_cmp(&y[0].hypot(y[1])));
        let product = values[zeros.min(values.len())..].iter().fold([1.0, 0.0], |p: Complex, (x, size)| {
            let x = x.map(|part| part / size.max(1e-300));
            [p[0] * x[0] - p[1] * x[1], p[0] * x[1] + p[1] * x[0]]
        });
        product[0]
    }

    /// The real part of the pair with about this frequency (2).
    fn real_part_near(&self, frequency: f64) -> Option<f64> {
        self.pair_near(frequency).map(|x| x[0])
    }

    fn pair_near(&self, frequency: f64) -> Option<Complex> {
        let distance = |x: &Complex| (x[1] - frequency.abs()).abs() + x[0].abs();
        let pairs = self.values.iter().copied().filter(|x| x[1] > 0.0);
        pairs.min_by(|x, y| distance(x).total_cmp(&distance(y)))
    }

    /// The unstable eigenvalue that the other spectrum has not, the one nearest to the axis, with the size of its part.
    fn crossing(&self, other: &Spectrum) -> (Complex, f64) {
        let unstable = (0..self.values.len()).filter(|&k| self.is_right[k]);
        let distance = |k: usize| {
            let x = self.values[k];
            let stable = other.values.iter().zip(&other.is_right).filter(|one| !one.1);
            let near = stable.map(|(y, _)| (x[0] - y[0]).hypot(x[1] - y[1])).fold(f64::INFINITY, f64::min);
            near + x[0]
        };
        let nearest = unstable.min_by(|&i, &j| distance(i).total_cmp(&distance(j)));
        nearest.map_or(([0.0, 0.0], 0.0), |k| (self.values[k], self.sizes[k]))
    }
}

/// Coordinates and rates of each motion, those that are not the same in all.
fn motions(bench: &Bench<'_>, made: &[Made]) -> Vec<Ordered<f64>> {
    let names = &bench.equations.names;
    let all = |state: &State| -> Vec<f64> { state.q.iter().chain(&state.q_dot).copied().collect() };
    let lists: Vec<Option<Vec<f64>>> = made.iter().map(|one| one.as_ref().ok().map(|one| all(&one.1))).collect();
    let Some(first) = lists.iter().flatten().next() else { return Vec::new() };
    let differs = |k: &usize| lists.iter().flatten().any(|list| (list[*k] - first[*k]).abs() > 1e-9);
    let places: Vec<usize> = (0..first.len()).filter(differs).collect();
    let name = |k: usize| if k < names.len() { names[k].clone() } else { format!("{}'", names[k - names.len()]) };
    let told = |list: &Option<Vec<f64>>| {
        let list = list.as_deref().unwrap_or_default();
        let clean = |x: f64| if x.abs() < 1e-12 { 0.0 } else { x };
        places.iter().filter_map(|&k| Some((name(k), clean(*list.get(k)?)))).collect::<Ordered<f64>>()
    };
    lists.iter().map(told).collect()
}

/// Eigenvalues in the order of those before, each nearest to its own.
fn followed(before: &[Complex], mut now: Vec<Complex>) -> Vec<Complex> {
    if before.len() != now.len() {
        return now;
    }
    let mut ordered = Vec::with_capacity(now.len());
    for old in before {
        let distance = |x: &Complex| (x[0] - old[0]).hypot(x[1] - old[1]);
        let nearest = (0..now.len()).min_by(|&i, &j| distance(&now[i]).total_cmp(&distance(&now[j])));
        ordered.extend(nearest.map(|place| now.remove(place)));
    }
    ordered
}

/// A coordinate, a rate, a speed or a state that the start gives, and its dimension.
fn value_of_start(system: &System, name: &str) -> Option<(Expr, Option<engine::Dimension>)> {
    let second = engine::Dimension::new(0, 0, 1);
    let coordinate = system.coordinates.iter().find_map(|one| match name.strip_prefix(one.name.as_str()) {
        Some("") => Some((one.q, one.dimension.clone())),
        Some("'") => Some((one.q_dot, one.dimension.as_ref().map(|dimension| dimension.over(&second)))),
        _ => None,
    });
    let state = || system.states.iter().find(|one| one.name == name).map(|one| (one.symbol, one.dimension.clone()));
    // what a speed is measured in is not known here: bare numbers are in SI units
    let speed = || system.speeds.iter().find(|one| one.name == name).map(|one| (one.definition, None));
    coordinate.or_else(state).or_else(speed)
}

/// A float as an exact number.
pub fn number(value: f64) -> Expr {
    let size = expr::parse(&format!("{:e}", value.abs())).unwrap_or_else(|_| Expr::zero());
    if value < 0.0 { -size } else { size }
}

/// The system with another value of a parameter, and of those that follow from it.
fn with_parameter(system: &System, place: usize, value: Expr) -> System {
    let mut system = system.clone();
    system.parameters[place].definition = Some(value);
    let mut known = Substitution::new();
    for parameter in &mut system.parameters {
        if let Some(definition) = parameter.definition {
            let put = known.apply_one(definition).unwrap_or(definition);
            parameter.value = put.is_constant().then_some(put);
        }
        known.extend(parameter.value.map(|value| (parameter.symbol, value)));
    }
    system
}

/// Other values of all parameters, where some of them are varied or stay symbols: what holds for all values holds for these.
pub fn varied(loaded: &Loaded, at: &At, wanted: &Linearize) -> Vec<Vec<f64>> {
    // places in a range that no one would choose
    const PARTS: [f64; 2] = [0.381_966, 0.763_932];
    let system = &loaded.system;
    let ranged = [&wanted.sweep, &wanted.critical].into_iter().flatten().map(|text| match text.split_once('=') {
        Some((name, range)) => (name.trim(), Some(range.trim())),
        None => (text.trim(), None),
    });
    let asked: Vec<(&str, Option<&str>)> =
        ranged.chain(wanted.symbolic.iter().map(|name| (name.as_str(), None))).collect();
    let value = |place: usize, range: Option<&str>, part: f64| {
        let parameter = &system.parameters[place];
        let range = range.and_then(|range| engine::range(range, parameter.dimension.as_ref(), &|_| None).ok());
        let now = at.value(parameter.symbol);
        let (from, to) = range.unwrap_or(if now == 0.0 { (0.0, 1.0) } else { (0.0, 3.0 * now) });
        from + part * (to - from)
    };
    let known = |name: &str| system.parameters.iter().position(|parameter| parameter.name == name);
    if asked.iter().all(|one| known(one.0).is_none()) {
        return Vec::new();
    }
    let with = |part: f64| {
        let mut changed = system.clone();
        for &(name, range) in &asked {
            if let Some(place) = known(name) {
                changed = with_parameter(&changed, place, number(value(place, range, part)));
            }
        }
        let put = |parameter: &mechanics::Parameter| at.value(parameter.value.unwrap_or(parameter.symbol));
        changed.parameters.iter().map(put).collect::<Vec<f64>>()
    };
    PARTS.map(with).into_iter().filter(|list| list.iter().all(|value| value.is_finite())).collect()
}
