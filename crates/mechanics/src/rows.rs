//! Which constraints act, and what does each say about rates and accelerations?
//!
//! ```text
//! f(q, t) = 0          f' = A q' + ∂f/∂t = 0      A q'' + a0 = 0     A = ∂f/∂q             (1)
//! f(q, q', t) = 0      f itself                   A q'' + a0 = 0     A = ∂f/∂q'            (2)
//! f(q, q', q'', t) = 0 –                          f = A q'' + a0     A = ∂f/∂q''           (3)
//! ```
//!
//! The reaction of a row is λ Aᵀ, for ideal constraints of every order. Rows that follow from others
//! are left out and named; what they share with the others, `determined.rs` says.

use expr::{At, Expr, Flow, Kind, MathError, Substitution, Symbol};
use linear::span::Span;

use crate::constraint::{self, Class, Finding, Space};
use crate::contact::contact_of;
use crate::mode::Mode;
use crate::standing::Standing;
use crate::{Constraint, System};

/// The constraints that act, row by row.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// The independent rows, in their order.
    pub list: Vec<Row>,
    /// The names of rows that follow from others.
    pub redundant: Vec<String>,
    /// The same rows, and those that together with others imply a condition that nobody wrote; they carry no reaction.
    pub left_out: Vec<Row>,
    /// Rows of one-sided constraints that are closed and push nothing, since they have let go or others fix what they
    /// bound: A q'' + a0 may not be negative.
    pub slack: Vec<Row>,
    /// Rows whose reaction is an active force, with the friction that goes with it.
    pub pressed: Vec<Row>,
    /// The names of constraints that do not act in this mode: open, or switched off.
    pub open: Vec<String>,
    /// What was found about the rank.
    pub findings: Vec<Finding>,
    /// What was left of the slope of each across those before it where they were chosen, if others follow from them.
    pub stood: Vec<f64>,
}

/// One row of a constraint that acts.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name of the constraint, with the component of a vector: `noslip.x`.
    pub name: String,
    /// Its place in [`System::constraints`].
    pub constraint: usize,
    /// Whether it is no slip of a guide that sticks: it goes with the constraint, and is none of its own rows.
    pub slips: bool,
    /// What vanishes.
    pub f: Expr,
    /// What kind of constraint it is.
    pub class: Class,
    /// 0, 1 or 2: (1), (2) or (3).
    pub order: u32,
    /// Its multiplier λ.
    pub lambda: Expr,
    /// A, an entry for each coordinate.
    pub A: Vec<Expr>,
    /// What it says about rates; nothing for (3).
    pub velocity: Option<Expr>,
    /// a0.
    pub drift: Expr,
}

impl Row {
    /// Whether it is not linear in the accelerations, so that A and a0 hold some.
    pub fn is_curved(&self) -> bool {
        self.class == Class::NonlinearSecond
    }

    /// A q'' + a0.
    pub fn acceleration(&self, q_ddot: &[Expr]) -> Expr {
        let terms = self.A.iter().zip(q_ddot).filter(|(a, _)| **a != Expr::zero()).map(|(&a, &q)| a * q);
        terms.chain([self.drift]).sum()
    }
}

/// Why rows cannot be used.
#[derive(Clone, Debug)]
pub enum RowsError {
    /// A derivative does not exist.
    Math(MathError),
    /// The row is of a class that is not treated.
    Outside {
        /// The row.
        name: String,
        /// Its class.
        class: Class,
    },
    /// The row contradicts others.
    Conflict {
        /// The row.
        name: String,
        /// The others.
        with: Vec<String>,
    },
}

impl From<MathError> for RowsError {
    fn from(error: MathError) -> RowsError {
        RowsError::Math(error)
    }
}

/// What is left of the slope of each row across those before it.
fn standing(list: &[Row], at: &At) -> Vec<f64> {
    let mut span = Span::default();
    let left = |row: &Row| {
        let left = span.left_of(&at.values(&row.A)).0;
        let size = left.iter().map(|x| x * x).sum::<f64>().sqrt();
        if size > 0.0 {
            span.take(&left);
        }
        size
    };
    list.iter().map(left).collect()
}

impl Rows {
    /// The rows that act in a mode; which of them carry the rank is looked at near the state.
    pub fn of(system: &System, mode: &Mode, at: &At) -> Result<Rows, RowsError> {
        let space = Space { q: system.q(), rates: system.q_dot(), accelerations: system.q_ddot(), t: system.time };
        let Acting { named, places, slips, one_sided, gone, pressed, open } = Acting::of(system, mode);
        let survey = constraint::survey(&named, &space, &one_sided, at)?;
        let loose = refuse_or_loosen(&named, &survey, &one_sided)?;
        // Along q' with no acceleration: what is left of the second derivative is a0.
        let still: Vec<(Expr, Expr)> =
            space.q.iter().copied().zip(space.rates.iter().copied()).chain([(space.t, Expr::one())]).collect();
        let still = Flow::new(&still);
        let mut list = Vec::with_capacity(survey.independent.len());
        for &row in &survey.independent {
            let class = survey.classes[row];
            let order = class.order().unwrap_or(0);
            let made = Row::new(&named[row], places[row], class, order, &space, &still)?;
            list.push(Row { slips: slips.contains(&row), ..made });
        }
        let dependent: Vec<usize> = (0..named.len()).filter(|row| !survey.independent.contains(row)).collect();
        let (mut left_out, mut slack) = (Vec::with_capacity(dependent.len()), Vec::new());
        for &row in &dependent {
            let class = survey.classes[row];
            let made = Row::new(&named[row], places[row], class, class.order().unwrap_or(0), &space, &still)?;
            if loose.contains(&row) { slack.push(made) } else { left_out.push(made) }
        }
        let beside = |list: Vec<(constraint::Row, usize)>| -> Result<Vec<Row>, MathError> {
            let (rows, places): (Vec<constraint::Row>, Vec<usize>) = list.into_iter().unzip();
            let classes = constraint::classes(&rows, &space)?;
            let made = rows.iter().zip(places).zip(classes);
            made.map(|((row, place), class)| Row::new(row, place, class, class.order().unwrap_or(0), &space, &still))
                .collect()
        };
        slack.extend(beside(gone)?);
        let pressed = beside(pressed)?;
        let implied = survey.findings.iter().filter_map(|finding| match finding {
            Finding::Implies { row, .. } => Some(named[*row].name.clone()),
            _ => None,
        });
        let implied: Vec<String> = implied.collect();
        let redundant = left_out.iter().map(|row| row.name.clone()).filter(|name| !implied.contains(name)).collect();
        let stood = if left_out.is_empty() { Vec::new() } else { standing(&list, at) };
        Ok(Rows { redundant, left_out, list, slack, pressed, open, findings: survey.findings, stood })
    }

    /// Whether the rows from which others follow stand beside each other nearly as well as where they were chosen.
    pub fn stand(&self, at: &At) -> bool {
        let now = if self.stood.is_empty() { Vec::new() } else { standing(&self.list, at) };
        now.iter().zip(&self.stood).all(|(now, before)| *now > 0.1 * before)
    }

    /// All rows that have a reaction: those that press among the others.
    pub fn with_pressed(&self) -> Rows {
        let mut all = self.clone();
        all.list.append(&mut all.pressed);
        all
    }

    /// Is there a row of this order?
    pub fn any(&self, order: u32) -> bool {
        self.list.iter().any(|row| row.order == order)
    }

    /// A row that is not linear in the accelerations.
    pub fn curved(&self) -> Option<&Row> {
        self.list.iter().find(|row| row.is_curved())
    }

    /// The rows of order 0 and 1.
    pub fn of_velocity(&self) -> impl Iterator<Item = &Row> {
        self.list.iter().filter(|row| row.order < 2)
    }
}

/// Refuses rows that are not treated or contradict others; comes back with one-sided rows whose bound others fix.
fn refuse_or_loosen(
    named: &[constraint::Row],
    survey: &constraint::Survey,
    one_sided: &[usize],
) -> Result<Vec<usize>, RowsError> {
    let name = |row: &usize| named[*row].name.clone();
    let outside = survey.classes.iter().position(|class| *class == Class::Outside);
    if let Some(row) = outside {
        return Err(RowsError::Outside { name: name(&row), class: survey.classes[row] });
    }
    let mut loose = Vec::new();
    for finding in &survey.findings {
        match finding {
            Finding::Conflict { row, .. } | Finding::Implies { row, .. } | Finding::Undecided { row, .. }
                if one_sided.contains(row) =>
            {
                loose.push(*row);
            }
            Finding::Contradiction { row, .. } => {
                return Err(RowsError::Conflict { name: name(row), with: Vec::new() });
            }
            Finding::Conflict { row, with, .. } => {
                let with = with.iter().map(|part| name(&part.row)).collect();
                return Err(RowsError::Conflict { name: name(row), with });
            }
            _ => {}
        }
    }
    Ok(loose)
}

/// The rows of a mode before anything is known of their rank.
#[derive(Default)]
struct Acting {
    /// Rows that act, and the places of their constraints.
    named: Vec<constraint::Row>,
    places: Vec<usize>,
    /// Which of them are no slip of a guide, and which are one-sided.
    slips: Vec<usize>,
    one_sided: Vec<usize>,
    /// Rows of constraints that have let go.
    gone: Vec<(constraint::Row, usize)>,
    pressed: Vec<(constraint::Row, usize)>,
    open: Vec<String>,
}

impl Acting {
    fn of(system: &System, mode: &Mode) -> Acting {
        let mut acting = Acting::default();
        for (place, constraint) in system.constraints.iter().enumerate() {
            let stand = mode.standing.get(place).copied().unwrap_or(Standing::Idle);
            if !stand.acts() && !mode.sticks(system, place) {
                if stand != Standing::Rough && !acting.open.contains(&constraint.name) {
                    acting.open.push(constraint.name.clone());
                }
                continue;
            }
            acting.take(system, mode, place);
        }
        for (gap, slips) in mode.guide_slips(system) {
            let name = &system.constraints[gap].name;
            for (k, f) in slips.into_iter().enumerate() {
                acting.slips.push(acting.named.len());
                acting.named.push(constraint::Row { name: format!("{name}.slip{}", k + 1), f });
                acting.places.push(gap);
            }
        }
        acting.open.extend(mode.released.iter().map(|&place| system.constraints[place].name.clone()));
        acting
    }

    fn take(&mut self, system: &System, mode: &Mode, place: usize) {
        let constraint = &system.constraints[place];
        let is_released = mode.released.contains(&place) || opens_with(system, constraint, &mode.released);
        if is_released && constraint.while_closed {
            return;
        }
        for (row, &f) in constraint.rows.iter().enumerate() {
            let row = constraint::Row { name: row_name(constraint, row), f };
            if is_released {
                self.gone.push((row, place));
            } else if mode.presses(place) {
                self.pressed.push((row, place));
            } else {
                if constraint.is_one_sided() {
                    self.one_sided.push(self.named.len());
                }
                self.named.push(row);
                self.places.push(place);
            }
        }
    }
}

impl Row {
    /// Whether its multiplier may not be negative.
    pub fn is_one_sided(&self, system: &System) -> bool {
        !self.slips && system.constraints[self.constraint].is_one_sided()
    }

    /// The row of an expression that stands in no constraint that acts.
    pub fn of(system: &System, name: &str, constraint: usize, f: Expr) -> Result<Row, MathError> {
        let space = Space { q: system.q(), rates: system.q_dot(), accelerations: system.q_ddot(), t: system.time };
        let along = space.q.iter().copied().zip(space.rates.iter().copied()).chain([(space.t, Expr::one())]);
        let still = Flow::new(&along.collect::<Vec<_>>());
        let row = constraint::Row { name: name.to_owned(), f };
        let class = constraint::classes(std::slice::from_ref(&row), &space)?[0];
        Row::new(&row, constraint, class, class.order().unwrap_or(0), &space, &still)
    }

    fn new(
        row: &constraint::Row,
        constraint: usize,
        class: Class,
        order: u32,
        space: &Space,
        still: &Flow,
    ) -> Result<Row, MathError> {
        let f = row.f;
        let highest = [&space.q, &space.rates, &space.accelerations][order as usize];
        let A = expr::gradient(f, highest)?;
        let (velocity, drift) = match order {
            0 => {
                let velocity = expr::total_derivative(f)?;
                (Some(velocity), still.rate(velocity)?)
            }
            1 => (Some(f), still.rate(f)?),
            // A q'' + a0 is f itself, and both hold accelerations
            _ if class == Class::NonlinearSecond => {
                (None, f - A.iter().zip(&space.accelerations).map(|(&a, &q)| a * q).sum::<Expr>())
            }
            _ => {
                let zero: Substitution = space.accelerations.iter().map(|&q| (q, Expr::zero())).collect();
                (None, zero.apply_one(f)?)
            }
        };
        let lambda = expr::symbol(Symbol::new(&lambda_name(&row.name), Kind::Multiplier));
        Ok(Row { name: row.name.clone(), constraint, slips: false, f, class, order, lambda, A, velocity, drift })
    }
}

/// The multiplier of a row of a constraint.
pub fn multiplier(constraint: &Constraint, row: usize) -> Expr {
    expr::symbol(Symbol::new(&lambda_name(&row_name(constraint, row)), Kind::Multiplier))
}

/// Whether the gap that a constraint of no slip needs has let go.
fn opens_with(system: &System, constraint: &Constraint, released: &[usize]) -> bool {
    constraint.while_closed
        && released.iter().any(|&gone| {
            system.constraints[gone].origin != constraint.origin
                && contact_of(&system.constraints[gone]) == contact_of(constraint)
        })
}

/// `lambda_rod`, `lambda_noslip_x`.
fn lambda_name(row: &str) -> String {
    format!("lambda_{}", row.replace('.', "_"))
}

/// `rod`, or `noslip.x` for a component.
pub fn row_name(constraint: &Constraint, row: usize) -> String {
    match constraint.component(row) {
        Some(component) => format!("{}.{component}", constraint.name),
        None => constraint.name.clone(),
    }
}
