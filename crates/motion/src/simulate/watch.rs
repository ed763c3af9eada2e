//! What is watched while a motion runs, and how large is it by nature?
//!
//! ```text
//! λ of a closed one-sided row          down: it lets go              gap of an open one        down: it closes
//! left − right of an event, a switch   as it becomes true            of an assumption          as it becomes false
//! p² − (p₀/20)² of a divisor p         down: time for another chart   a mass that changes       down: nothing moves it
//! ```

use expr::{At, Comparison, Expr, Kind, Substitution, Symbol};
use mechanics::ingredients::Ingredients;
use mechanics::rows::{Row, Rows};
use mechanics::standing::Standing;
use mechanics::{Reading, Relation, System, Term};
use numeric::Direction;

use crate::simulate::bridge::NoPhase;
use crate::simulate::strain::Strain;
use dynamics::Known;
use engine::Loaded;

/// What a watched value means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// The multiplier of a closed one-sided constraint: it lets go.
    Release(usize),
    /// The gap of an open one: it closes.
    Close(usize),
    /// An event of the model.
    Event(usize),
    /// A divisor of the chart becomes small.
    Chart,
    /// What the model assumes ends.
    Assumption(usize),
    /// A switched constraint begins to act.
    Begin(usize),
    /// It ends.
    End(usize),
    /// A contact that sticks comes to the edge of its cone.
    Slip(usize),
    /// A contact that slides comes to rest.
    Halt(usize),
    /// A slip turns to another side.
    Turn(usize),
    /// The normal force of a guide changes its sign.
    Presses(usize),
    /// Friction loses solvability.
    Lost(usize),
    /// Several contacts cannot go on together as they do.
    Strain,
    /// Constraints depend on each other, and the motion does not go on.
    Singular,
    /// A mass vanishes: of the points, then of the bodies.
    Mass(usize),
    /// A divisor of the equations comes to zero.
    Edge(usize),
    /// A contact comes to the end of the side that it was taken on: a disc lies flat.
    Side(usize),
}

/// How large a watched value is by nature: what is near zero is judged against it.
#[derive(Clone, Debug)]
pub enum Natural {
    /// Nothing is near.
    Zero,
    /// As large as its terms.
    Terms(Expr),
    /// As large as its terms, and at least this: a gap that is closed has no terms.
    Gap(Expr, f64),
    /// As large as the largest generalized force, to this power.
    Push(i32),
    /// As large as the largest of these, by their terms.
    Largest(Vec<Expr>),
}

impl Natural {
    /// The size at a state, where the largest generalized force is `push`.
    pub fn size(&self, at: &At, push: f64) -> f64 {
        match self {
            Natural::Zero => 0.0,
            Natural::Terms(e) => at.size(*e),
            Natural::Gap(e, least) => at.size(*e).max(*least),
            Natural::Push(power) => push.powi(*power),
            Natural::Largest(list) => list.iter().map(|&e| at.size(e)).fold(0.0, f64::max),
        }
    }
}

/// One thing that is watched.
#[derive(Clone, Debug)]
pub struct Watching {
    /// What it means.
    pub what: Watched,
    /// What changes its sign.
    pub value: Expr,
    /// In which direction.
    pub direction: Direction,
    /// How large it is by nature.
    pub natural: Natural,
    /// Whether a value of zero is not yet an event, as with `x > 0`.
    pub is_strict: bool,
}

/// What is watched, and numbers that stand in the values.
#[derive(Clone, Debug, Default)]
pub struct WatchList {
    /// What is watched.
    pub list: Vec<Watching>,
    /// Symbols and their numbers.
    pub limits: Vec<(Expr, f64)>,
}

impl WatchList {
    /// What changes its sign, of each.
    pub fn values(&self) -> Vec<Expr> {
        self.list.iter().map(|one| one.value).collect()
    }

    /// Adds what another list watches.
    pub fn extend(&mut self, other: WatchList) {
        self.list.extend(other.list);
        self.limits.extend(other.limits);
    }

    /// Adds something to watch.
    pub fn add(&mut self, what: Watched, value: Expr, direction: Direction, natural: Natural) {
        self.list.push(Watching { what, value, direction, natural, is_strict: false });
    }

    /// Adds a relation that becomes true.
    fn relation(&mut self, what: Watched, (value, direction, is_strict): (Expr, Direction, bool)) {
        self.list.push(Watching { what, value, direction, natural: Natural::Terms(value), is_strict });
    }

    /// Everything that does not belong to friction.
    pub fn of(
        loaded: &Loaded,
        given: &Ingredients<'_>,
        full: &Ingredients<'_>,
        strain: &Strain,
        watches_chart: bool,
    ) -> Result<WatchList, NoPhase> {
        let mut watched = WatchList::default();
        watched.one_sided(given, strain);
        watched.events(loaded, full)?;
        watched.switches(loaded, full)?;
        if watches_chart {
            watched.divisors(given)?;
        }
        watched.assumptions(given);
        for (place, (_, root, _)) in mechanics::contact::sides(given.system).enumerate() {
            watched.add(Watched::Side(place), root, Direction::Down, Natural::Terms(root));
        }
        for (place, _, mass) in changing_masses(given.system) {
            watched.add(Watched::Mass(place), mass, Direction::Down, Natural::Terms(mass));
        }
        Ok(watched)
    }

    /// Multipliers of closed one-sided constraints, and gaps of open ones.
    fn one_sided(&mut self, given: &Ingredients<'_>, strain: &Strain) {
        let (system, rows) = (given.system, given.rows);
        let alone = |row: &&Row| row.is_one_sided(system) && !strain.has(system, row.constraint);
        for row in rows.list.iter().chain(&rows.pressed).filter(alone) {
            self.add(Watched::Release(row.constraint), row.lambda, Direction::Down, Natural::Push(1));
        }
        for (place, constraint) in system.constraints.iter().enumerate() {
            let is_on = !matches!(given.mode.standing[place], Standing::Later | Standing::Over);
            if constraint.is_one_sided() && is_on && !acts(rows, place) {
                for &f in &constraint.rows {
                    let natural = Natural::Gap(f, mechanics::standing::natural_gap(system, f, given.at));
                    self.add(Watched::Close(place), f, Direction::Down, natural);
                }
            }
        }
    }

    fn events(&mut self, loaded: &Loaded, full: &Ingredients<'_>) -> Result<(), NoPhase> {
        for (place, event) in loaded.system.events.iter().enumerate() {
            self.relation(Watched::Event(place), becomes_true(loaded, full, &event.when, event.span)?);
        }
        Ok(())
    }

    /// `from` of constraints that are switched off, `until` of the others.
    fn switches(&mut self, loaded: &Loaded, full: &Ingredients<'_>) -> Result<(), NoPhase> {
        for (place, constraint) in loaded.system.constraints.iter().enumerate() {
            let is_off = matches!(full.mode.standing[place], Standing::Later | Standing::Over);
            let (relation, what) = match is_off {
                true => (&constraint.from, Watched::Begin(place)),
                false => (&constraint.until, Watched::End(place)),
            };
            if let Some(relation) = relation {
                self.relation(what, becomes_true(loaded, full, relation, constraint.span)?);
            }
        }
        Ok(())
    }

    /// Divisors of the chart, against a twentieth of what they are where the phase was made.
    fn divisors(&mut self, given: &Ingredients<'_>) -> Result<(), NoPhase> {
        let Ok(chart) = given.chart() else { return Ok(()) };
        let on_rows: Substitution = chart.c.iter().map(|&c| (c, Expr::zero())).collect();
        for &pivot in chart.pivots.iter().filter(|pivot| moves(**pivot)) {
            let limit = expr::symbol(Symbol::new(&format!("limit@{}", self.limits.len()), Kind::Parameter));
            self.limits.push((limit, 0.05 * given.at.value(pivot)));
            let pivot = on_rows.apply_one(pivot)?;
            self.add(Watched::Chart, pivot.pow(2) - limit.pow(2), Direction::Down, Natural::Zero);
        }
        Ok(())
    }

    fn assumptions(&mut self, given: &Ingredients<'_>) {
        for (place, assumption) in given.system.assumptions.iter().enumerate() {
            let Some(value) = difference(assumption).filter(|&value| moves(value)) else { continue };
            let direction = match assumption.comparison {
                Comparison::Greater | Comparison::AtLeast => Direction::Down,
                Comparison::Less | Comparison::AtMost => Direction::Up,
                Comparison::NotEqual => Direction::Any,
                Comparison::Equal => continue,
            };
            self.add(Watched::Assumption(place), value, direction, Natural::Terms(value));
        }
    }
}

/// Masses that change on the way, with their places among those of points and bodies, and the names of these.
pub fn changing_masses(system: &System) -> Vec<(usize, &str, Expr)> {
    let points = system.points.iter().map(|point| (point.name.as_str(), point.mass));
    let bodies = system.bodies.iter().map(|body| (body.name.as_str(), Some(body.mass)));
    let all = points.chain(bodies).enumerate().filter_map(|(place, (name, mass))| Some((place, name, mass?)));
    all.filter(|one| moves(one.2)).collect()
}

/// Whether a constraint is among the rows that act.
fn acts(rows: &Rows, place: usize) -> bool {
    rows.list.iter().chain(&rows.left_out).chain(&rows.pressed).any(|row| row.constraint == place)
}

/// What changes its sign where a relation becomes true, in which direction, and whether it is strict.
pub fn becomes_true(
    loaded: &Loaded,
    full: &Ingredients<'_>,
    relation: &Relation,
    span: syntax::Span,
) -> Result<(Expr, Direction, bool), NoPhase> {
    let known = Known { given: full, everywhere: false };
    // what no line says, such as where a law becomes singular, is there as an expression alone
    let is_of_law =
        |law: &mechanics::law::Law| matches!(relation.left, Term::Scalar(e) if law.determinants.contains(&e));
    let relation = match loaded.system.laws.iter().any(is_of_law) {
        true => relation.clone(),
        false => loaded
            .system
            .relation(&relation.tree, Reading { motion: Some(&known), ..Reading::default() })
            .map_err(|diagnostic| NoPhase::Broken(loaded.model.sources.render(&diagnostic)))?,
    };
    let difference = difference(&relation).ok_or_else(|| {
        let diagnostic = syntax::Diagnostic::error(span, "an event compares two numbers");
        NoPhase::Broken(loaded.model.sources.render(&diagnostic))
    })?;
    let direction = match relation.comparison {
        Comparison::Greater | Comparison::AtLeast => Direction::Up,
        Comparison::Less | Comparison::AtMost => Direction::Down,
        Comparison::Equal | Comparison::NotEqual => Direction::Any,
    };
    let is_strict = matches!(relation.comparison, Comparison::Greater | Comparison::Less);
    Ok((difference, direction, is_strict))
}

/// Whether an expression changes along a motion.
pub fn moves(e: Expr) -> bool {
    let is_moving = |symbol: &Expr| symbol.as_symbol().is_some_and(|symbol| symbol.kind != Kind::Parameter);
    e.symbols().iter().any(is_moving)
}

fn difference(relation: &Relation) -> Option<Expr> {
    match (&relation.left, &relation.right) {
        (Term::Scalar(left), Term::Scalar(right)) => Some(*left - *right),
        _ => None,
    }
}
