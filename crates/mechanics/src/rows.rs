//! Which constraints act, and what does each say about rates and accelerations?
//!
//! ```text
//! f(q, t) = 0          f' = A q' + ∂f/∂t = 0      A q'' + a0 = 0     A = ∂f/∂q             (1)
//! f(q, q', t) = 0      f itself                   A q'' + a0 = 0     A = ∂f/∂q'            (2)
//! f(q, q', q'', t) = 0 –                          f = A q'' + a0     A = ∂f/∂q''           (3)
//! ```
//!
//! The reaction of a row is λ Aᵀ, for ideal constraints of every order. Rows that follow from others
//! are left out and named; the others carry their reaction.

use expr::{Expr, Flow, Kind, MathError, Symbol};

use crate::constraint::{self, Class, Finding, Space};
use crate::contact::contact_of;
use crate::standing::{Standing, standing};
use crate::{Constraint, Part, System};

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
    /// The names of constraints that do not act at the reference state: open, or switched off.
    pub open: Vec<String>,
    /// What was found about the rank.
    pub findings: Vec<Finding>,
}

/// One row of a constraint that acts.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name of the constraint, with the component of a vector: `noslip.x`.
    pub name: String,
    /// Its place in [`System::constraints`].
    pub constraint: usize,
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

impl Rows {
    /// The rows that act at the reference state.
    pub fn of(system: &System) -> Result<Rows, RowsError> {
        Rows::without(system, &[])
    }

    /// The same, but these constraints have let go.
    pub fn without(system: &System, released: &[usize]) -> Result<Rows, RowsError> {
        Rows::closing(system, &[], released)
    }

    /// The same, but those of `closing` act, whatever the rate of their gap.
    pub fn closing(system: &System, closing: &[usize], released: &[usize]) -> Result<Rows, RowsError> {
        let space = Space { q: system.q(), rates: system.q_dot(), accelerations: system.q_ddot(), t: system.time };
        let (mut open, mut named, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let (mut one_sided, mut gone, mut pressed) = (Vec::new(), Vec::new(), Vec::new());
        for (place, constraint) in system.constraints.iter().enumerate() {
            let stand = standing(system, constraint)?.standing;
            if !closing.contains(&place) && !stand.acts() {
                if stand != Standing::Rough && !open.contains(&constraint.name) {
                    open.push(constraint.name.clone());
                }
                continue;
            }
            for (row, &f) in constraint.rows.iter().enumerate() {
                let row = constraint::Row { name: row_name(constraint, row), f };
                let is_released = released.contains(&place) || opens_with(system, constraint, released);
                if is_released && constraint.while_closed {
                    continue;
                }
                if is_released {
                    gone.push((row, place));
                    continue;
                }
                if constraint.part == Part::Pressed {
                    pressed.push((row, place));
                    continue;
                }
                if constraint.is_one_sided() {
                    one_sided.push(named.len());
                }
                named.push(row);
                places.push(place);
            }
        }
        open.extend(released.iter().map(|&place| system.constraints[place].name.clone()));
        let survey = constraint::survey(&named, &space, &one_sided)?;
        let name = |row: &usize| named[*row].name.clone();
        let outside = survey.classes.iter().position(|class| matches!(class, Class::Outside | Class::NonlinearSecond));
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
        // Along q' with no acceleration: what is left of the second derivative is a0.
        let still: Vec<(Expr, Expr)> =
            space.q.iter().copied().zip(space.rates.iter().copied()).chain([(space.t, Expr::one())]).collect();
        let still = Flow::new(&still);
        let mut list = Vec::with_capacity(survey.independent.len());
        for &row in &survey.independent {
            let class = survey.classes[row];
            let order = class.order().unwrap_or(0);
            list.push(Row::new(&named[row], places[row], class, order, &space, &still)?);
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
        let implied: Vec<String> = survey
            .findings
            .iter()
            .filter_map(|finding| if let Finding::Implies { row, .. } = finding { Some(name(row)) } else { None })
            .collect();
        let redundant = left_out.iter().map(|row| row.name.clone()).filter(|name| !implied.contains(name)).collect();
        Ok(Rows { redundant, left_out, list, slack, pressed, open, findings: survey.findings })
    }

    /// The same with the rows that press among the others: everything that has a reaction.
    pub fn with_pressed(&self) -> Rows {
        let mut all = self.clone();
        all.list.append(&mut all.pressed);
        all
    }

    /// Is there a row of this order?
    pub fn any(&self, order: u32) -> bool {
        self.list.iter().any(|row| row.order == order)
    }

    /// The rows of order 0 and 1.
    pub fn of_velocity(&self) -> impl Iterator<Item = &Row> {
        self.list.iter().filter(|row| row.order < 2)
    }
}

impl Row {
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
            _ => {
                let zero: Vec<(Expr, Expr)> = space.accelerations.iter().map(|&q| (q, Expr::zero())).collect();
                (None, expr::substitute(&[f], &zero)?[0])
            }
        };
        let lambda = expr::symbol(Symbol::new(&lambda_name(&row.name), Kind::Multiplier));
        Ok(Row { name: row.name.clone(), constraint, f, class, order, lambda, A, velocity, drift })
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
