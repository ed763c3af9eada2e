//! A stretch of motion with the same constraints: what drives it, what is shown and watched of it?
//!
//! ```text
//! mode × state → Ingredients → Form → Equations ─┬→ Machine
//!                                 what is shown ─┤
//!                                 what is watched┘
//! ```

use expr::{At, Expr, Op};
use mechanics::Mode;
use mechanics::chart::ChartKind;
use mechanics::form::{Form, Setting};
use mechanics::formalism::{FORMALISMS, Family, Formalism};
use mechanics::ingredients::{Derived, Ingredients};
use mechanics::reaction::{Acts, reactions};
use mechanics::rows::{Row, Rows};
use numeric::{Direction, Guarded, Judged, Jumps, Machine, Problem, Watch};

use crate::simulate::back;
use crate::simulate::bridge::{Equations, NoPhase, everything, mass_matrix};
use crate::simulate::columns::{Column, Meaning, Units};
use crate::simulate::edge::Edges;
use crate::simulate::facts::Asked;
use crate::simulate::rough::OfFriction;
use crate::simulate::strain::Strain;
use crate::simulate::unshared::Unshared;
use crate::simulate::watch::{Natural, WatchList, Watched, Watching, moves};
use engine::Loaded;

/// A stretch of motion with the same constraints.
pub struct Phase {
    /// The problem, made ready.
    pub machine: Machine,
    /// What its outputs mean; after them come kinetic energy, potential energy, and the sides of facts.
    pub columns: Vec<Column>,
    /// How many of them belong to each fact.
    pub widths: Vec<usize>,
    /// The form that drives it.
    pub form: &'static Formalism,
    /// How many coordinates there are.
    pub coordinates: usize,
    /// The place of W in the state.
    pub work: usize,
    /// Names of rows that follow from others.
    pub redundant: Vec<String>,
    /// The rates that its chart eliminates.
    pub dependent: Vec<usize>,
    /// How many forms were derived for it.
    pub derived: usize,
    /// What the model observes and cannot be shown, in words.
    pub unobserved: Vec<String>,
    /// Which columns are not determined where rows share a load.
    pub unshared: Option<Unshared>,
    /// All rows that act.
    pub rows: Vec<Row>,
    watched: Vec<Watching>,
    is_back: bool,
    /// The generalized force on each coordinate, and the mass that it moves.
    loads: Vec<(Expr, Expr)>,
    /// Where its equations end.
    pub edges: Edges,
    /// Divisors of the chart, each with its value where the phase was made; nothing if the chart has branches.
    divisors: Option<Vec<(Expr, f64)>>,
    /// The rows that were chosen for it.
    chosen: Rows,
}

/// What a phase is made for.
pub struct Wish<'w, 'a> {
    /// The model.
    pub loaded: &'a Loaded,
    /// What acts.
    pub mode: &'w Mode,
    /// The rows that act.
    pub rows: &'w Rows,
    /// Forms that have been derived from them already.
    pub forms: Derived,
    /// Where it begins.
    pub at: &'w At,
    /// The form that is asked for; otherwise one that suits what is constrained.
    pub form: Option<&'static Formalism>,
    /// The facts that are looked at on the way.
    pub asked: &'w [Asked<'a>],
    /// Whether another chart is looked for where this one becomes singular.
    pub watches_chart: bool,
    /// Whether the motion runs backwards.
    pub is_back: bool,
}

impl Phase {
    /// The phase that begins at a state.
    pub fn new(wish: Wish<'_, '_>) -> Result<Phase, NoPhase> {
        let Wish { loaded, mode, rows, at, .. } = wish;
        let (system, kind) = (&loaded.system, loaded.kind());
        let before = wish.forms.len();
        let given = Ingredients::of(system, mode, rows, kind, at).knowing(wish.forms);
        let (formalism, form) = choose(&given, wish.form)?;
        let Equations { mut problem, energies } = Equations::of(&form, &given)?;
        let all = everything(rows).with_pressed();
        let full = Ingredients::of(system, mode, &all, kind, at);
        let (columns, mut outputs) = columns(loaded, &full, &Units::of(loaded, &all))?;
        let unshared = Unshared::of(&full, rows, &outputs)?;
        outputs.extend(energies);
        let sides: Vec<_> = wish.asked.iter().map(|one| one.sides(loaded, &full)).collect();
        let widths = sides.iter().map(Vec::len).collect();
        outputs.extend(sides.into_iter().flatten());
        let is_charted = form.written_in == Setting::Chart;
        let strain = Strain::of(&full, rows, &all)?;
        let mut watched = WatchList::of(loaded, &given, &full, &strain, wish.watches_chart && is_charted)?;
        let more = OfFriction::of(&given, &all, &|gap| strain.has(system, gap))?;
        problem.later.extend(more.solves);
        watched.extend(more.watched);
        let loads = loads(&given)?;
        let edges = Edges::of(system, &loads, &all, at);
        edges.watch(&mut watched, at);
        problem.outputs = given.thawed(&outputs)?;
        problem.watched = given.thawed(&watched.values())?;
        judge(&mut problem, &mut watched, &given, strain.margin)?;
        problem.guarded = guarded(&all, rows.list.len() + rows.pressed.len(), at);
        problem.fixed = [fixed(loaded), watched.limits.clone()].concat();
        if wish.is_back {
            back::reversed(&mut problem, &mut watched.list);
        }
        let machine = Machine::new(&problem).map_err(|unbound| NoPhase::Broken(unbound.to_string()))?;
        let chart = given.chart().ok().filter(|_| is_charted);
        let divisors = |pivots: &[Expr]| pivots.iter().filter(|e| moves(**e)).map(|&e| (e, at.value(e))).collect();
        Ok(Phase {
            machine,
            columns,
            widths,
            watched: watched.list,
            is_back: wish.is_back,
            form: formalism,
            coordinates: given.q.len(),
            work: 2 * given.q.len() + system.states.len(),
            redundant: rows.redundant.clone(),
            loads,
            edges,
            dependent: chart.map_or(Vec::new(), |chart| chart.dependent.clone()),
            derived: given.derived() - before,
            unobserved: engine::observe::unobserved(loaded, &full),
            unshared,
            rows: all.list.clone(),
            chosen: rows.clone(),
            divisors: match chart {
                Some(chart) => chart.branches.is_empty().then(|| divisors(&chart.pivots)),
                None => Some(Vec::new()),
            },
        })
    }

    /// Whether its chart, and the rows that were chosen for it, serve at a state as they do where it was made.
    pub fn serves(&self, at: &At) -> bool {
        let is_fine = |&(pivot, first): &(Expr, f64)| at.value(pivot).abs() > 0.1 * first.abs();
        self.divisors.as_ref().is_some_and(|divisors| divisors.iter().all(is_fine)) && self.chosen.stand(at)
    }

    /// What is watched.
    pub fn watched(&self) -> Vec<Watched> {
        self.watched.iter().map(|one| one.what).collect()
    }

    /// Whether a value of zero is not yet this event.
    pub fn is_strict(&self, place: usize) -> bool {
        self.watched[place].is_strict
    }

    /// How it is watched from a state on; from the first one on, a strict relation may become true at once.
    pub fn watches(&self, at: &At, is_first: bool) -> Vec<Watch> {
        let largest = |push: f64, load: &(Expr, Expr)| push.max(finite(at.value(load.0).abs()));
        let push = self.loads.iter().fold(0.0, largest);
        let watch = |one: &Watching| Watch {
            direction: one.direction,
            size: one.natural.size(at, push),
            before: match one.direction {
                // backwards nothing has happened yet at the start
                _ if self.is_back => 0,
                // closed with a push of nothing: it lets go as soon as the push becomes a pull
                Direction::Down if matches!(one.what, Watched::Release(_) | Watched::Slip(_) | Watched::Strain) => 1,
                Direction::Up if is_first && one.is_strict => -1,
                Direction::Down if is_first && one.is_strict => 1,
                _ => 0,
            },
            jumps: match one.what {
                Watched::Event(_) | Watched::Begin(_) | Watched::End(_) | Watched::Assumption(_) => {
                    let mut nodes = expr::Evaluator::new(&[one.value], &[]).nodes().into_iter();
                    if nodes.any(|node| node.op() == Op::Sign) { Jumps::Count } else { Jumps::Pass }
                }
                _ => Jumps::Never,
            },
            is_bounded: matches!(one.what, Watched::Close(_)),
        };
        self.watched.iter().map(watch).collect()
    }

    /// The generalized force on each coordinate at a state, and the mass that it moves.
    pub fn loads(&self, at: &At) -> Vec<(f64, f64)> {
        self.loads.iter().map(|&(force, mass)| (at.value(force), at.value(mass))).collect()
    }
}

fn finite(x: f64) -> f64 {
    if x.is_finite() { x } else { 0.0 }
}

/// The forms that are looked at first: in the velocities of a chart, in two ways, and sparse ones with multipliers.
const USUAL: [&str; 3] = ["fundamental", "jourdain", "multipliers"];

/// The forms that are looked at where none of these applies, before all others: each is the shortest for some system.
const SHORT: [&str; 14] = [
    "fundamental",
    "kane",
    "jourdain",
    "appell",
    "tzenoff",
    "lagrange-2",
    "multipliers",
    "maggi",
    "nielsen",
    "tzenoff-reduced",
    "central",
    "volterra",
    "contravariant",
    "udwadia-kalaba",
];

/// The form that is asked for, or one that suits what is constrained: to derive all and compare them would take longer than the
/// motion. Without rows there is one; where a chart would become singular on the way multipliers have no such places; else those
/// of few forms that have the fewest operations.
fn choose(given: &Ingredients<'_>, wanted: Option<&'static Formalism>) -> Result<(&'static Formalism, Form), NoPhase> {
    if let Some(wanted) = wanted {
        if wanted.stranger {
            let why = "its multipliers have equations of their own, and a start that nobody gives";
            return Err(NoPhase::NotApplicable(why.to_owned()));
        }
        return Ok((wanted, wanted.closed(given)?));
    }
    let varies = given.chart().is_ok_and(|chart| chart.pivots.iter().any(|&pivot| moves(pivot)));
    // a line `inverse` may hold on one branch alone, and divide by what vanishes on the way
    let is_given =
        !given.system.inverses.is_empty() && given.chart().is_ok_and(|chart| chart.kind == ChartKind::Speeds);
    // Not without being asked: roots that are chosen may change their branch on the way; and where geometric constraints
    // become singular, a chart does so earlier and worse than they.
    let is_risky = given.chart().is_ok_and(|chart| !chart.branches.is_empty() || (given.rows.any(0) && varies));
    let fits = |form: &Form| {
        let is_square = form.residuals().len() == form.all_unknowns().len();
        is_square && !(is_risky && form.written_in == Setting::Chart)
    };
    // sums over particles are there to check the others, and long
    let serves = |one: &&Formalism| !one.stranger && one.family != Family::F9;
    let best_of = |list: &mut dyn Iterator<Item = &'static Formalism>| {
        let made = list.filter_map(|one| Some((one, one.closed(given).ok()?)));
        made.filter(|(_, form)| fits(form)).min_by_key(|(_, form)| cost(form, given))
    };
    let likely = match given.rows.list.is_empty() {
        _ if is_risky || varies || is_given => &USUAL[2..],
        // where nothing is constrained multipliers are not cheaper
        true => &USUAL[..1],
        false => &USUAL[..],
    };
    let among = |names: &[&str]| best_of(&mut FORMALISMS.iter().filter(|one| names.contains(&one.name)));
    let best = among(likely).or_else(|| among(&SHORT)).or_else(|| best_of(&mut FORMALISMS.iter().filter(serves)));
    best.ok_or_else(|| NoPhase::NotApplicable("no form applies to this system".to_owned()))
}

/// Operations of the entries, of the elimination, and of the accelerations of the chart.
fn cost(form: &Form, given: &Ingredients<'_>) -> usize {
    let mut all = form.residuals();
    if let (Setting::Chart, Ok(chart)) = (form.written_in, given.chart()) {
        all.extend(&chart.accelerations);
    }
    let n = form.all_unknowns().len();
    Expr::sum(&all).operations() + n * n * n / 3 + n * n
}

/// The generalized force on each coordinate, and the mass that it moves.
fn loads(given: &Ingredients<'_>) -> Result<Vec<(Expr, Expr)>, NoPhase> {
    let (forces, mass) = (given.thawed(given.Q()?)?, mass_matrix(given)?);
    Ok((0..forces.len()).map(|k| (forces[k], mass[k][k])).collect())
}

/// Watches the margin of contacts that share a load, if they have one: what is judged comes behind the expressions.
fn judge(
    problem: &mut Problem,
    watched: &mut WatchList,
    given: &Ingredients<'_>,
    margin: Option<Judged>,
) -> Result<(), NoPhase> {
    if let Some(judged) = margin {
        let inputs = given.thawed(&judged.inputs)?;
        problem.judged.push(Judged { inputs, ..judged });
        watched.add(Watched::Strain, Expr::zero(), Direction::Down, Natural::Push(1));
    }
    Ok(())
}

/// Rows that may lose their rank on the way, and the rank that they have at a state: what follows from others adds nothing
/// to it but rounding.
fn guarded(all: &Rows, most: usize, at: &At) -> Option<Guarded> {
    let rows: Vec<Vec<Expr>> = all.list.iter().map(|row| row.A.clone()).collect();
    if !rows.iter().flatten().any(|&entry| moves(entry)) {
        return None;
    }
    let rank = linear::rank(at.matrix(&rows), linear::Scale::RowsAndColumns, linear::tolerance::RANK).ok()?;
    Some(Guarded { rows, rank: rank.min(most) })
}

/// The parameters in numbers.
fn fixed(loaded: &Loaded) -> Vec<(Expr, f64)> {
    let parameters = loaded.system.parameters.iter().zip(&loaded.start.parameters);
    parameters.filter_map(|(parameter, value)| Some((parameter.symbol, (*value)?))).collect()
}

/// The columns and what they are.
fn columns(loaded: &Loaded, given: &Ingredients<'_>, units: &Units) -> Result<(Vec<Column>, Vec<Expr>), NoPhase> {
    let system = &loaded.system;
    let (mut columns, mut values) = (Vec::new(), Vec::new());
    let mut add = |meaning: Meaning, value: Expr, unit: String| {
        columns.push(Column { meaning, unit });
        values.push(value);
    };
    for c in &system.coordinates {
        add(Meaning::Coordinate(c.name.clone()), c.q, units.of_coordinate(c, 0));
    }
    for c in &system.coordinates {
        add(Meaning::Rate(c.name.clone()), c.q_dot, units.of_coordinate(c, 1));
    }
    for state in &system.states {
        add(Meaning::State(state.name.clone()), state.symbol, units.unit(state.symbol));
    }
    for c in &system.coordinates {
        add(Meaning::Acceleration(c.name.clone()), c.q_ddot, units.of_coordinate(c, 2));
    }
    for speed in &system.speeds {
        add(Meaning::Speed(speed.name.clone()), speed.definition, units.unit(speed.definition));
    }
    for row in &given.rows.list {
        add(Meaning::Multiplier(row.name.clone()), row.lambda, units.unit(row.lambda));
    }
    for one in reactions(&Acts::from(given))? {
        for push in &one.on {
            let on = push.on.name(system).to_owned();
            for (axis, &value) in push.force.0.iter().enumerate() {
                add(Meaning::Force { constraint: one.name.clone(), on: on.clone(), axis }, value, "N".to_owned());
            }
            for (axis, value) in push.torque.iter().flat_map(|torque| torque.0).enumerate() {
                add(Meaning::Torque { constraint: one.name.clone(), on: on.clone(), axis }, value, "N*m".to_owned());
            }
        }
        for (axis, value) in one.resultant.iter().flat_map(|resultant| resultant.0).enumerate() {
            add(Meaning::Resultant { constraint: one.name.clone(), axis }, value, "N".to_owned());
        }
        let acting = system.coordinates.iter().zip(&one.generalized).filter(|(_, force)| **force != Expr::zero());
        for (c, &force) in acting {
            let (constraint, coordinate) = (one.name.clone(), c.name.clone());
            let unit = if units.are_known() { units.of_force(c) } else { String::new() };
            add(Meaning::Generalized { constraint, coordinate }, force, unit);
        }
    }
    for (name, list) in engine::observe::observed(loaded, given) {
        for (axis, &value) in list.iter().enumerate() {
            let axis = (list.len() == 3).then_some(axis);
            add(Meaning::Observe { name: name.clone(), axis }, value, units.unit(value));
        }
    }
    let energy = mechanics::balance::energy(given)?;
    add(Meaning::Energy, energy, if units.are_known() { "J".to_owned() } else { String::new() });
    Ok((columns, values))
}
