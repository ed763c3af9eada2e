//! What does a formalism answer? Equations of motion, inertia on the left and forces on the right.
//!
//! ```text
//! in a chart           E*_σ = P*_σ                  unknown w: accelerations of the chart     (1)
//! in coordinates       E_s = Q_s + Σ λ A_s          unknown q'' and λ                         (2)
//!                      A q'' + a0 = 0               the rows that act
//! ```
//!
//! Every form keeps this normalisation, so that two forms in one chart can be compared as functions
//! and not only by their solutions.

use expr::{Expr, MathError};
use syntax::Span;

use crate::chart::ChartError;
use crate::ingredients::Ingredients;
use crate::rows::Row;

/// Equations of motion in one form.
#[derive(Clone, Debug)]
pub struct Form {
    /// The equations of motion.
    pub equations: Vec<Equation>,
    /// Rows of constraints as equations for the accelerations, where they are needed to close the system.
    pub conditions: Vec<Condition>,
    /// The accelerations that are unknown.
    pub unknowns: Vec<Expr>,
    /// The multipliers that are unknown.
    pub multipliers: Vec<Expr>,
    /// Multipliers as expressions of the accelerations, where the form gives them.
    pub reactions: Vec<Reaction>,
    /// Which state the equations are written in.
    pub written_in: Setting,
    /// What else vanishes if it agrees with others: rows that it made by itself, less those of the system, and their
    /// places: rows that act first, then those that follow from them.
    pub row_differences: Vec<(usize, Expr)>,
    /// What else the formalism shows: a transposition rule, three-index symbols, a Hamiltonian.
    pub remarks: Vec<Remark>,
}

/// Linear equations for the unknowns of a form.
pub struct Step {
    /// J.
    pub matrix: Vec<Vec<Expr>>,
    /// r.
    pub right: Vec<Expr>,
    /// Whether one step is all.
    pub is_exact: bool,
}

/// Something that a formalism shows beside its equations.
#[derive(Clone, Debug)]
pub struct Remark {
    /// What it is.
    pub what: String,
    /// Its value.
    pub value: Expr,
}

/// Which state equations are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Setting {
    /// q, q', q'': the constraints have not been used.
    Coordinates,
    /// q, u, w of the chart: every state satisfies the constraints.
    Chart,
}

/// An equation of motion: left = right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The inertia side.
    pub left: Expr,
    /// The forces.
    pub right: Expr,
}

impl Equation {
    /// Left minus right.
    pub fn residual(self) -> Expr {
        self.left - self.right
    }
}

/// A row as an equation for accelerations: `row` = 0.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The name of the row.
    pub name: String,
    /// A q'' + a0.
    pub row: Expr,
}

/// A multiplier in terms of the accelerations.
#[derive(Clone, Debug)]
pub struct Reaction {
    /// The name of the row.
    pub name: String,
    /// Its multiplier.
    pub lambda: Expr,
    /// What it is.
    pub value: Expr,
}

/// Why there is no form.
#[derive(Clone, Debug, PartialEq)]
pub enum FormError {
    /// The formalism is not made for this system: one sentence.
    NotApplicable(String),
    /// It needs a chart, and there is none.
    Chart(ChartError),
    /// A derivative or a quotient does not exist.
    Math(MathError),
    /// A body with one moment of inertia turns in space.
    PlaneInertia {
        /// The body.
        body: String,
        /// Where it is declared.
        span: Span,
    },
}

impl From<MathError> for FormError {
    fn from(error: MathError) -> FormError {
        FormError::Math(error)
    }
}

impl std::fmt::Display for FormError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FormError::NotApplicable(reason) => f.write_str(reason),
            FormError::Chart(error) => write!(f, "{error}"),
            FormError::Math(error) => write!(f, "{error}"),
            FormError::PlaneInertia { body, .. } => write!(
                f,
                "the body `{body}` has one moment of inertia, as for motion in a plane, but it turns in space: give \
                 three or six entries"
            ),
        }
    }
}

impl std::error::Error for FormError {}

impl Form {
    /// Equations (1) in the chart; rates and accelerations that are still there as symbols are put on the constraints.
    pub fn in_chart(given: &Ingredients<'_>, left: &[Expr], right: &[Expr]) -> Result<Form, FormError> {
        let left = given.thawed(&given.on_shell(left)?)?;
        let right = given.thawed(&given.on_shell(right)?)?;
        Ok(Form {
            equations: paired(left, right),
            conditions: Vec::new(),
            unknowns: given.chart()?.w.clone(),
            multipliers: Vec::new(),
            reactions: Vec::new(),
            written_in: Setting::Chart,
            row_differences: Vec::new(),
            remarks: Vec::new(),
        })
    }

    /// Equations in coordinates, closed by the rows that act.
    pub fn in_coordinates(given: &Ingredients<'_>, left: &[Expr], right: &[Expr]) -> Result<Form, FormError> {
        Form::under(given, &given.rows.list, left, right)
    }

    fn under(given: &Ingredients<'_>, rows: &[Row], left: &[Expr], right: &[Expr]) -> Result<Form, FormError> {
        let rows = rows.iter();
        Ok(Form {
            equations: paired(given.thawed(left)?, given.thawed(right)?),
            conditions: rows
                .map(|row| Condition { name: row.name.clone(), row: row.acceleration(&given.q_ddot) })
                .collect(),
            unknowns: given.q_ddot.clone(),
            multipliers: Vec::new(),
            reactions: Vec::new(),
            written_in: Setting::Coordinates,
            row_differences: Vec::new(),
            remarks: Vec::new(),
        })
    }

    /// Equations (2): the forces `right` and the reactions of the rows.
    pub fn with_multipliers(given: &Ingredients<'_>, left: &[Expr], right: &[Expr]) -> Result<Form, FormError> {
        Form::with_rows(given, &given.rows.list, left, right)
    }

    /// The same with rows that the formalism made by itself, one for each of the system.
    pub fn with_rows(given: &Ingredients<'_>, rows: &[Row], left: &[Expr], right: &[Expr]) -> Result<Form, FormError> {
        let reaction = |s: usize| {
            let terms = rows.iter().filter(move |row| row.A[s] != Expr::zero());
            terms.map(move |row| row.lambda * row.A[s])
        };
        let right: Vec<Expr> = (0..given.q.len()).map(|s| [right[s]].into_iter().chain(reaction(s)).sum()).collect();
        let both = rows.iter().zip(&given.rows.list).enumerate();
        let differing = both.filter(|(_, (own, row))| own.f != row.f && row.order < 2);
        let row_differences = differing.map(|(place, (own, row))| (place, own.f - row.f)).collect();
        let multipliers = rows.iter().map(|row| row.lambda).collect();
        Ok(Form { multipliers, row_differences, ..Form::under(given, rows, left, &right)? })
    }

    /// The same with the rows of contacts that slide: each determines the force that presses, which is a symbol in the
    /// loads until then.
    pub fn closed(mut self, given: &Ingredients<'_>) -> Result<Form, FormError> {
        for row in &given.rows.pressed {
            let acceleration = row.acceleration(&given.q_ddot);
            let acceleration = match self.written_in {
                Setting::Coordinates => acceleration,
                Setting::Chart => given.on_shell(&[acceleration])?[0],
            };
            self.conditions.push(Condition { name: row.name.clone(), row: acceleration });
            self.multipliers.push(row.lambda);
        }
        Ok(self)
    }

    /// Everything that must vanish: equations of motion, then conditions.
    pub fn residuals(&self) -> Vec<Expr> {
        let equations = self.equations.iter().map(|equation| equation.residual());
        equations.chain(self.conditions.iter().map(|condition| condition.row)).collect()
    }

    /// The equations J x = r for everything that is solved for: as they are where they are linear in it, otherwise a step of Newton's
    /// method, whose J and r hold x.
    pub fn step(&self) -> Result<Step, MathError> {
        let (residuals, unknowns) = (self.residuals(), self.all_unknowns());
        if let Ok((matrix, constants)) = expr::linear_coefficients(&residuals, &unknowns) {
            return Ok(Step {
                matrix,
                right: constants.into_iter().map(|constant| -constant).collect(),
                is_exact: true,
            });
        }
        let matrix = expr::jacobian(&residuals, &unknowns)?;
        let along = |(slopes, &residual): (&Vec<Expr>, &Expr)| {
            let terms = slopes.iter().zip(&unknowns).filter(|(slope, _)| **slope != Expr::zero());
            terms.map(|(&slope, &x)| slope * x).sum::<Expr>() - residual
        };
        let right = matrix.iter().zip(&residuals).map(along).collect();
        Ok(Step { matrix, right, is_exact: false })
    }

    /// Everything that is solved for: accelerations, then multipliers.
    pub fn all_unknowns(&self) -> Vec<Expr> {
        self.unknowns.iter().chain(&self.multipliers).copied().collect()
    }
}

fn paired(left: Vec<Expr>, right: Vec<Expr>) -> Vec<Equation> {
    left.into_iter().zip(right).map(|(left, right)| Equation { left, right }).collect()
}
