//! Which constraints act at the start?
//!
//! `mechanics::standing` decides; here the rows are collected, and described for the reader.

use expr::{At, Expr, Substitution};
use mechanics::constraint::{Class, Report, Row, Space};
use mechanics::standing::{self, Stand};
use mechanics::{Constraint, LoadKind, Origin, Role};
use serde::Serialize;
use syntax::Span;

use super::written::Written;
use engine::{Error, Loaded};

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

    /// Whether all constraints of the system are equations that act in every motion at every time, and no rough contact
    /// may hold otherwise.
    pub fn is_complete(&self, loaded: &Loaded) -> bool {
        let mut all = loaded.system.constraints.iter();
        loaded.mode.held.is_empty() && all.all(|constraint| constraint.rows.is_empty() || constraint.acts_always())
    }
}

/// The rows that act at the start.
pub(super) fn acting(loaded: &Loaded) -> Result<Acting, Error> {
    let inputs = loaded.system.inputs.iter().filter_map(|input| Some((input.symbol, input.value?)));
    let inputs: Substitution = inputs.collect();
    let wrong = |error: expr::MathError| Error::new(error);
    let put = |f: Expr| match inputs.is_empty() {
        true => Ok(f),
        false => inputs.apply_one(f).map_err(wrong),
    };
    let (system, mode) = (&loaded.system, &loaded.mode);
    let stands = standing::standings(system, &loaded.at).map_err(wrong)?;
    let (rows, places) = (Vec::new(), Vec::new());
    let mut acting = Acting { rows, places, stands, one_sided: Vec::new(), always: Vec::new() };
    for (place, constraint) in system.constraints.iter().enumerate() {
        if mode.sticks(system, place) {
            acting.stands[place].standing = standing::Standing::Acts;
        }
        if !acting.stands[place].standing.acts() {
            continue;
        }
        for (k, &f) in constraint.rows.iter().enumerate() {
            if constraint.is_one_sided() {
                acting.one_sided.push(acting.rows.len());
            }
            let row = Row { name: mechanics::rows::row_name(constraint, k), f: put(f)? };
            acting.always.extend(constraint.acts_always().then(|| row.clone()));
            acting.rows.push(row);
            acting.places.push((place, k));
        }
    }
    for (guide, k, f) in guide_slips(loaded) {
        let constraint = &system.constraints[guide];
        acting.rows.push(Row { name: format!("{}.slip{}", constraint.name, k + 1), f: put(f)? });
        acting.places.push((guide, constraint.rows.len() + k));
    }
    Ok(acting)
}

/// The slips of guides that stick, each with the place of the guide among the constraints and its number there.
fn guide_slips(loaded: &Loaded) -> Vec<(usize, usize, Expr)> {
    let found = loaded.mode.guide_slips(&loaded.system).into_iter();
    found.flat_map(|(guide, slips)| slips.into_iter().enumerate().map(move |(k, slip)| (guide, k, slip))).collect()
}

/// All constraints row by row, those that do not act too.
pub(super) fn described(loaded: &Loaded, acting: &Acting, space: &Space, report: &Report) -> Vec<super::Constraint> {
    let (texts, [contacts, joints]) = (texts(loaded), labelled_texts(loaded));
    let mut described = Vec::new();
    let blank = |place: usize| {
        let (constraint, stand) = (&loaded.system.constraints[place], &acting.stands[place]);
        let text = match constraint.origin {
            Origin::QuaternionNorm(_) => "the quaternion has length 1".to_owned(),
            Origin::Contact { place, .. } => contacts.get(place).cloned().unwrap_or_default(),
            Origin::Joint(place) => joints.get(place).cloned().unwrap_or_default(),
            Origin::Declared => texts.get(place).cloned().flatten().unwrap_or_default(),
        };
        super::Constraint {
            name: constraint.name.clone(),
            component: None,
            class: String::new(),
            order: None,
            linear: true,
            integrable: None,
            integrable_with_values: false,
            rheonomic: false,
            integral: None,
            standing: stand.standing.into(),
            gap: stand.gap,
            text,
            line: loaded.model.sources.line_of(constraint.span),
        }
    };
    for (place, constraint) in loaded.system.constraints.iter().enumerate() {
        let blank = blank(place);
        if constraint.rows.is_empty() {
            described.push(super::Constraint { class: Class::Vacuous.to_string(), ..blank });
            continue;
        }
        for k in 0..constraint.rows.len() {
            let component = constraint.component(k).map(str::to_owned);
            let mut row = super::Constraint { component, ..blank.clone() };
            match acting.places.iter().position(|&found| found == (place, k)) {
                Some(found) => fill(&mut row, found, report),
                None => classify(&mut row, &constraint.rows[k], space, &loaded.at),
            }
            described.push(row);
        }
    }
    for (guide, k, _) in guide_slips(loaded) {
        let component = Some(format!("slip{}", k + 1));
        let mut row = super::Constraint { component, standing: Standing::Acts, gap: None, ..blank(guide) };
        let found = (guide, loaded.system.constraints[guide].rows.len() + k);
        if let Some(found) = acting.places.iter().position(|&place| place == found) {
            fill(&mut row, found, report);
        }
        described.push(row);
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
fn classify(row: &mut super::Constraint, f: &Expr, space: &Space, at: &At) {
    let alone = Row { name: row.name.clone(), f: *f };
    if let Ok(report) = mechanics::constraint::analyse(&[alone], space, at) {
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

/// The contacts and the joints as written, in the order of the system.
fn labelled_texts(loaded: &Loaded) -> [Vec<String>; 2] {
    let mut texts = [Vec::new(), Vec::new()];
    let Ok(model) = loaded.model.elaborate() else { return texts };
    let written = Written::new(&loaded.model);
    for line in &model.lines {
        let kind = match &line.declaration {
            model::Declaration::Contact(_) => 0,
            model::Declaration::Joint(_) => 1,
            _ => continue,
        };
        texts[kind].push(written.after_colon(line.span, || {
            let text = model::print_line(line);
            text.split_once(": ").map_or_else(|| text.clone(), |(_, text)| text.to_owned())
        }));
    }
    texts
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
pub(super) fn unused(loaded: &Loaded) -> Vec<Unused> {
    let system = &loaded.system;
    let loads = |wanted: fn(&LoadKind) -> bool| loaded.mode.loads(system).filter(|load| wanted(&load.kind)).count();
    let kinetic = loads(|kind| matches!(kind, LoadKind::Kinetic(_)));
    let claims = system.statements.iter().filter(|statement| statement.role == Role::Claim).count();
    let masses = system.points.iter().filter(|point| point.mass.is_some()).count() + system.bodies.len();
    let motion = "the equations of motion: derive, evaluate, simulate";
    let table = [
        (masses, "particle or body", "particles or bodies", motion),
        (loads(|_| true) - kinetic, "load", "loads", motion),
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
