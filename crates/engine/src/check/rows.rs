//! Which constraints act at the start?
//!
//! `mechanics::standing` decides; here the rows are collected, and described for the reader.

use expr::Expr;
use mechanics::constraint::{Class, Report, Row, Space};
use mechanics::standing::{self, Stand};
use mechanics::{Constraint, LoadKind, Origin, Role, System};
use serde::Serialize;
use syntax::Span;

use super::written::Written;
use crate::{BadInput, Loaded};

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
    /// Switched off.
    Over,
    /// It holds identically.
    Idle,
    /// No slip of a rough contact, which slips.
    Rough,
}

impl From<standing::Standing> for Standing {
    fn from(standing: standing::Standing) -> Standing {
        match standing {
            standing::Standing::Idle => Standing::Idle,
            standing::Standing::Acts => Standing::Acts,
            standing::Standing::Closed => Standing::Closed,
            standing::Standing::Open => Standing::Open,
            standing::Standing::Violated => Standing::Violated,
            standing::Standing::Later => Standing::Later,
            standing::Standing::Over => Standing::Over,
            standing::Standing::Rough => Standing::Rough,
        }
    }
}

/// The rows that act, and where each comes from.
pub(super) struct Acting {
    pub rows: Vec<Row>,
    /// For each row the constraint and the place in it.
    places: Vec<(usize, usize)>,
    /// How each constraint stands.
    stands: Vec<Stand>,
    /// The rows that are one-sided.
    pub one_sided: Vec<usize>,
    /// The rows of constraints that act in every motion at every time.
    pub always: Vec<Row>,
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
        let all = loaded.system.constraints.iter().zip(&self.stands);
        all.map(|(constraint, stand)| (constraint, stand.standing.into(), stand.gap))
    }

    /// The constraints that are not satisfied at the start.
    pub fn violated<'a>(&self, loaded: &'a Loaded) -> Vec<(&'a Constraint, Stand)> {
        let all = loaded.system.constraints.iter().zip(&self.stands);
        let violated = all.filter(|(_, stand)| stand.standing == standing::Standing::Violated);
        violated.map(|(constraint, stand)| (constraint, *stand)).collect()
    }

    /// Whether all constraints of the system are equations that act in every motion at every time.
    pub fn is_complete(&self, loaded: &Loaded) -> bool {
        loaded.system.constraints.iter().all(|constraint| constraint.rows.is_empty() || constraint.acts_always())
    }
}

/// The rows that act at the start.
pub(super) fn acting(loaded: &Loaded) -> Result<Acting, BadInput> {
    let inputs = loaded.system.inputs.iter().filter_map(|input| Some((input.symbol, input.value?)));
    let inputs: Vec<(Expr, Expr)> = inputs.collect();
    let wrong = |error: expr::MathError| BadInput(format!("error: {error}"));
    let (rows, places, stands) = (Vec::new(), Vec::new(), Vec::new());
    let mut acting = Acting { rows, places, stands, one_sided: Vec::new(), always: Vec::new() };
    for (place, constraint) in loaded.system.constraints.iter().enumerate() {
        let stand = standing::standing(&loaded.system, constraint).map_err(wrong)?;
        acting.stands.push(stand);
        if !stand.standing.acts() {
            continue;
        }
        for (k, &f) in constraint.rows.iter().enumerate() {
            let name = mechanics::rows::row_name(constraint, k);
            let f = match inputs.is_empty() {
                true => f,
                false => expr::substitute(&[f], &inputs).map_err(wrong)?[0],
            };
            if constraint.is_one_sided() {
                acting.one_sided.push(acting.rows.len());
            }
            let row = Row { name, f };
            acting.always.extend(constraint.acts_always().then(|| row.clone()));
            acting.rows.push(row);
            acting.places.push((place, k));
        }
    }
    Ok(acting)
}

/// All constraints row by row, those that do not act too.
pub(super) fn described(loaded: &Loaded, acting: &Acting, space: &Space, report: &Report) -> Vec<super::Constraint> {
    let (texts, contacts) = (texts(loaded), contact_texts(loaded));
    let mut described = Vec::new();
    for (place, constraint) in loaded.system.constraints.iter().enumerate() {
        let (standing, gap) = (acting.stands[place].standing.into(), acting.stands[place].gap);
        let text = match constraint.origin {
            Origin::QuaternionNorm(_) => "the quaternion has length 1".to_owned(),
            Origin::Contact { place, .. } => contacts.get(place).cloned().unwrap_or_default(),
            Origin::Declared => texts.get(place).cloned().flatten().unwrap_or_default(),
            Origin::Slip { of } => texts.get(of).cloned().flatten().unwrap_or_default(),
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
            let component = constraint.component(k).map(str::to_owned);
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

/// The contacts as written, in the order of the system.
fn contact_texts(loaded: &Loaded) -> Vec<String> {
    let Ok(model) = loaded.model.elaborate() else { return Vec::new() };
    let written = Written::new(&loaded.model);
    let text = |line: &model::Line| match &line.declaration {
        model::Declaration::Contact(_) => Some(written.after_colon(line.span, || {
            let text = model::print_line(line);
            text.split_once(": ").map_or_else(|| text.clone(), |(_, text)| text.to_owned())
        })),
        _ => None,
    };
    model.lines.iter().filter_map(text).collect()
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
