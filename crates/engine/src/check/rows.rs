//! Which constraints act at the start?
//!
//! ```text
//! =                 from the start on, unless `from` switches it on later
//! >=, <=            gap f and its rate f' are zero: closed, it acts; f > 0: open; f < 0: violated
//! ```

use expr::Expr;
use mechanics::constraint::{Class, Report, Row, Space};
use mechanics::{Constraint, LoadKind, Origin, Role, Sense, System};
use serde::Serialize;
use syntax::Span;

use super::written::Written;
use crate::{BadInput, Loaded};

/// Gaps that are smaller than this, against the size of their coordinates, are closed.
const CLOSED: f64 = 1e-9;

/// Whether a constraint acts at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It acts.
    Acts,
    /// One-sided and closed: it acts while it pushes.
    Closed,
    /// One-sided and open.
    Open,
    /// One-sided and not satisfied.
    Violated,
    /// Switched on later.
    Later,
    /// It holds identically.
    Idle,
}

/// The rows that act, and where each comes from.
pub(super) struct Acting {
    pub rows: Vec<Row>,
    /// For each row the constraint and the place in it.
    places: Vec<(usize, usize)>,
    /// Whether each constraint acts, with its gap if it is one-sided.
    standings: Vec<(Standing, Option<f64>)>,
}

impl Acting {
    /// Where the constraint of a row is declared.
    pub fn span(&self, loaded: &Loaded, row: usize) -> Span {
        loaded.system.constraints[self.places[row].0].span
    }

    /// All constraints, with how they stand at the start and the gap of one-sided ones.
    pub fn with_standing<'a>(
        &'a self,
        loaded: &'a Loaded,
    ) -> impl Iterator<Item = (&'a Constraint, Standing, Option<f64>)> {
        loaded
            .system
            .constraints
            .iter()
            .zip(&self.standings)
            .map(|(constraint, &(standing, gap))| (constraint, standing, gap))
    }

    /// The constraints that are not satisfied at the start, each with its gap.
    pub fn violated<'a>(&self, loaded: &'a Loaded) -> Vec<(&'a Constraint, f64)> {
        let all = loaded.system.constraints.iter().zip(&self.standings);
        let violated = all.filter(|(_, standing)| standing.0 == Standing::Violated);
        violated.map(|(constraint, standing)| (constraint, standing.1.unwrap_or(f64::NAN))).collect()
    }

    /// Whether all constraints of the system are equations that act.
    pub fn is_complete(&self) -> bool {
        self.standings.iter().all(|standing| matches!(standing.0, Standing::Acts | Standing::Idle))
    }
}

/// The rows that act at the start.
pub(super) fn acting(loaded: &Loaded) -> Result<Acting, BadInput> {
    let inputs = loaded.system.inputs.iter().filter_map(|input| Some((input.symbol, input.value?)));
    let inputs: Vec<(Expr, Expr)> = inputs.collect();
    let mut acting = Acting { rows: Vec::new(), places: Vec::new(), standings: Vec::new() };
    for (place, constraint) in loaded.system.constraints.iter().enumerate() {
        let standing = standing(loaded, constraint);
        acting.standings.push(standing);
        if !matches!(standing.0, Standing::Acts | Standing::Closed) {
            continue;
        }
        for (k, &f) in constraint.rows.iter().enumerate() {
            let name = match constraint.axes.get(k) {
                Some(axis) => format!("{}.{}", constraint.name, axis.symbol()),
                None => constraint.name.clone(),
            };
            let f = match inputs.is_empty() {
                true => f,
                false => expr::substitute(&[f], &inputs).map_err(|error| BadInput(format!("error: {error}")))?[0],
            };
            acting.rows.push(Row { name, f });
            acting.places.push((place, k));
        }
    }
    Ok(acting)
}

fn standing(loaded: &Loaded, constraint: &Constraint) -> (Standing, Option<f64>) {
    if constraint.rows.is_empty() {
        return (Standing::Idle, None);
    }
    if constraint.sense == Sense::Equal {
        return match loaded.start.inactive.contains(&constraint.name) {
            true => (Standing::Later, None),
            false => (Standing::Acts, None),
        };
    }
    if constraint.from.is_some() {
        return (Standing::Later, None);
    }
    // Without numbers the sign of the gap is not known; it is taken to be closed.
    let has_numbers = loaded.has_numbers();
    if !has_numbers {
        return (Standing::Closed, None);
    }
    let gap = constraint.rows.iter().map(|row| row.reference()).fold(f64::INFINITY, f64::min);
    let rate = constraint.rows.iter().filter_map(|&row| Some(expr::total_derivative(row).ok()?.reference()));
    let rate = rate.fold(f64::INFINITY, f64::min);
    let scale = 1.0 + constraint.rows.iter().map(|&row| size(row)).fold(0.0, f64::max);
    let standing = match () {
        () if gap < -CLOSED * scale => Standing::Violated,
        () if gap > CLOSED * scale => Standing::Open,
        () if is_rate_row(constraint) => Standing::Closed,
        () if rate > CLOSED * scale => Standing::Open,
        () if rate < -CLOSED * scale => Standing::Violated,
        () => Standing::Closed,
    };
    (standing, Some(if gap.abs() <= CLOSED * scale { 0.0 } else { gap }))
}

/// Whether rates occur in it, so that its own rate would hold accelerations.
fn is_rate_row(constraint: &Constraint) -> bool {
    let is_rate = |symbol: &Expr| symbol.as_symbol().is_some_and(|symbol| symbol.order > 0);
    constraint.rows.iter().any(|row| row.symbols().iter().any(is_rate))
}

/// The largest of the terms of a sum at the reference state.
fn size(e: Expr) -> f64 {
    match e.op() {
        expr::Op::Sum => e.arguments().iter().map(|term| term.reference().abs()).fold(0.0, f64::max),
        _ => e.reference().abs(),
    }
}

/// All constraints row by row, those that do not act too.
pub(super) fn described(loaded: &Loaded, acting: &Acting, space: &Space, report: &Report) -> Vec<super::Constraint> {
    let texts = texts(loaded);
    let mut described = Vec::new();
    for (place, constraint) in loaded.system.constraints.iter().enumerate() {
        let (standing, gap) = acting.standings[place];
        let text = match constraint.origin {
            Origin::QuaternionNorm(_) => "the quaternion has length 1".to_owned(),
            Origin::Declared => texts.get(place).cloned().flatten().unwrap_or_default(),
        };
        let blank = super::Constraint {
            name: constraint.name.clone(),
            component: None,
            class: String::new(),
            order: None,
            linear: true,
            integrable: None,
            rheonomic: false,
            integral: None,
            standing,
            gap,
            text,
            line: loaded.model.sources.line_of(constraint.span),
        };
        if constraint.rows.is_empty() {
            described.push(super::Constraint { class: Class::Vacuous.to_string(), ..blank });
            continue;
        }
        for k in 0..constraint.rows.len() {
            let component = constraint.axes.get(k).map(|axis| axis.symbol().to_owned());
            let mut row = super::Constraint { component, ..blank.clone() };
            match acting.places.iter().position(|&found| found == (place, k)) {
                Some(found) => fill(&mut row, found, report),
                None => classify(&mut row, &constraint.rows[k], space),
            }
            described.push(row);
        }
    }
    described
}

fn fill(row: &mut super::Constraint, place: usize, report: &Report) {
    let found = &report.rows[place];
    row.class = found.class.to_string();
    row.order = found.class.order();
    row.linear = found.class.is_linear();
    row.integrable = found.integrable;
    row.rheonomic = found.rheonomic;
    let own = report.integrability.integrals.iter().find(|integral| integral.row == Some(place));
    row.integral = own.map(|integral| integral.f.to_string());
}

/// A row that does not act has a class all the same.
fn classify(row: &mut super::Constraint, f: &Expr, space: &Space) {
    let alone = Row { name: row.name.clone(), f: *f };
    if let Ok(report) = mechanics::constraint::analyse(&[alone], space) {
        fill(row, 0, &report);
        (row.integrable, row.integral) = (None, None);
    }
}

/// The constraints as written, element by element, in the order of the system.
fn texts(loaded: &Loaded) -> Vec<Option<String>> {
    let Ok(model) = loaded.model.elaborate() else { return Vec::new() };
    let written = Written::new(&loaded.model);
    let mut texts = model.lines.iter().filter_map(|line| match &line.declaration {
        model::Declaration::Constraint(constraint) => Some(written.after_colon(line.span, || formatted(constraint))),
        _ => None,
    });
    let constraints = loaded.system.constraints.iter();
    let text = |constraint: &Constraint| (constraint.origin == Origin::Declared).then(|| texts.next()).flatten();
    constraints.map(text).collect()
}

fn formatted(constraint: &model::Constraint) -> String {
    let mut text = syntax::format_relation(&constraint.relation);
    for (word, relation) in [("from", &constraint.from), ("until", &constraint.until)] {
        if let Some(relation) = relation {
            text += &format!(" {word} {}", syntax::format_relation(relation));
        }
    }
    text
}

/// Declarations that `check` has no use for, and who has.
#[derive(Clone, Debug, Serialize)]
pub struct Unused {
    /// What they are.
    pub what: String,
    /// Who uses them.
    pub used_by: String,
}

/// What the model declares that takes part in other verbs only.
pub(super) fn unused(system: &System) -> Vec<Unused> {
    let loads = |wanted: fn(&LoadKind) -> bool| system.loads.iter().filter(|load| wanted(&load.kind)).count();
    let kinetic = loads(|kind| matches!(kind, LoadKind::Kinetic(_)));
    let claims = system.statements.iter().filter(|statement| statement.role == Role::Claim).count();
    let masses = system.points.iter().filter(|point| point.mass.is_some()).count() + system.bodies.len();
    let motion = "the equations of motion: derive, evaluate, simulate";
    let table = [
        (masses, "particle or body", "particles or bodies", motion),
        (system.loads.len() - kinetic, "load", "loads", motion),
        (kinetic, "kinetic term", "kinetic terms", motion),
        (system.unknowns.len(), "unknown load", "unknown loads", "equilibria"),
        (system.frictions.len(), "coefficient of friction", "coefficients of friction", "evaluate, simulate"),
        (system.restitutions.len(), "coefficient of restitution", "coefficients of restitution", "simulate"),
        (system.dependent.len(), "dependent rate", "dependent rates", "derive, in reduced forms"),
        (system.observes.len(), "output", "outputs", "simulate"),
        (system.events.len(), "event", "events", "simulate"),
        (claims, "claim", "claims", "audit"),
    ];
    let counted = table.into_iter().filter(|row| row.0 > 0);
    let entry = |(count, one, many, used_by): (usize, &str, &str, &str)| Unused {
        what: format!("{count} {}", if count == 1 { one } else { many }),
        used_by: used_by.to_owned(),
    };
    counted.map(entry).collect()
}
