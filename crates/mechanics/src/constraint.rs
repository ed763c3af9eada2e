//! What do the constraints of a system say, and how much freedom do they leave?
//!
//! ```text
//! f(t, q) = 0                       geometric          K = ∂f/∂q                          (1)
//! A(t, q) q' + k(t, q) = 0          first order        K = A     (∂f/∂q' if not linear)   (2)
//! A(t, q, q') q'' + k(t, q, q') = 0 second order       K = A                              (3)
//! degrees of freedom                n − rank K                                            (4)
//! free constants                    2n − 2 rank(1) − (rank(1, 2) − rank(1))               (5)
//! ```
//!
//! Nothing is asked of the user: the class of a row, which rows follow from which, whether rates
//! can be integrated and to what, are found. Whether a coefficient is there is decided by its
//! signature, so that a zero in disguise fools nobody; the rank is that of a matrix of functions,
//! and is compared with the rank at the state that is passed in.
//!
//! (5) counts the value of an integral of rate rows among the free constants: the rows fix its
//! rate, the start its value. Rows (3) take no constant away.

mod algebra;
mod antiderivative;
mod class;
mod flag;
mod integral;
mod motion;
mod points;
mod rank;
mod shell;
#[cfg(test)]
mod tests;

use expr::{At, Expr, MathError};

pub use antiderivative::antiderivative;
pub use class::Class;
pub use integral::Integral;
pub use motion::{AffineSet, MotionError, possible_accelerations, possible_velocities, virtual_displacements};
pub use rank::{Evidence, Finding, Part};

use class::Sorted;

/// A constraint f = 0, where f is a function of t, q, q', q''.
#[derive(Clone, Debug)]
pub struct Row {
    /// What the user calls it.
    pub name: String,
    /// What vanishes.
    pub f: Expr,
}

/// The symbols of a motion.
#[derive(Clone, Debug)]
pub struct Space {
    /// The coordinates.
    pub q: Vec<Expr>,
    /// Their rates, in the same order.
    pub rates: Vec<Expr>,
    /// Their accelerations, in the same order.
    pub accelerations: Vec<Expr>,
    /// The time.
    pub t: Expr,
}

impl Space {
    /// The space of these coordinates, which are symbols of the kind `Coordinate`.
    pub fn new(q: &[Expr]) -> Result<Space, MathError> {
        let next = |list: &[Expr]| list.iter().map(|&e| expr::total_derivative(e)).collect::<Result<Vec<_>, _>>();
        let rates = next(q)?;
        Ok(Space { q: q.to_vec(), accelerations: next(&rates)?, rates, t: expr::time() })
    }
}

/// What was found about one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowReport {
    /// What the user calls it.
    pub name: String,
    /// What kind of constraint it is.
    pub class: Class,
    /// Does the time occur in it?
    pub rheonomic: bool,
    /// Does it follow from the geometric constraints and the integrals of the rate constraints?
    /// `None` where the question has no answer here: rows that are not linear in the rates, rows
    /// of second order, rows that contradict others, and `Integrability::undecided` ones.
    pub integrable: Option<bool>,
}

/// Can the rate constraints be integrated?
#[derive(Clone, Debug, Default)]
pub struct Integrability {
    /// The dimensions of the derived flag, geometric rows not counted: its first entry is the
    /// number of independent linear rate rows, its last that of the largest integrable subsystem.
    pub flag: Vec<usize>,
    /// The dimension of the largest integrable subsystem.
    pub dimension: usize,
    /// How many independent linear rate rows are left that no integral replaces.
    pub nonholonomic: usize,
    /// Integrals that were found; each is verified and independent of the others.
    pub integrals: Vec<Integral>,
    /// How many exist besides that were not found in closed form.
    pub missing: usize,
    /// Rows that the test leaves out: not linear in the rates, of second order, or outside.
    pub left_out: Vec<usize>,
    /// Rate rows in a group whose coordinates are too many, or whose expressions swell too much, for
    /// the flag to be followed to its end; `flag` and `dimension` stop there.
    pub undecided: Vec<usize>,
}

/// What was found about a set of constraints. Rows are named by their place in the input.
#[derive(Clone, Debug)]
pub struct Report {
    /// The rows, in the order of the input.
    pub rows: Vec<RowReport>,
    /// How many coordinates there are: n.
    pub coordinates: usize,
    /// How many rows are independent, at almost every state that satisfies them.
    pub rank: usize,
    /// The same of the geometric rows alone.
    pub rank_geometric: usize,
    /// The same of the rows of order 0 and 1.
    pub rank_rates: usize,
    /// The rank at the state.
    pub rank_here: usize,
    /// The rows that carry the rank; reactions are theirs.
    pub independent: Vec<usize>,
    /// What the user should hear: redundant rows, conflicts, singular states.
    pub findings: Vec<Finding>,
    /// (4).
    pub degrees_of_freedom: usize,
    /// (5).
    pub constants: usize,
    /// Accelerations and generalized reactions: 2n.
    pub unknowns: usize,
    /// Equations of motion and independent constraints: n + rank. What is missing are the
    /// degrees of freedom, and that reactions do no work supplies it.
    pub equations: usize,
    /// Whether rates can be integrated, and to what.
    pub integrability: Integrability,
}

impl Report {
    /// Which rows follow from others or say nothing at all.
    pub fn redundant(&self) -> Vec<usize> {
        self.findings.iter().filter_map(Finding::redundant_row).collect()
    }

    /// Do some rows contradict each other?
    pub fn has_conflict(&self) -> bool {
        self.findings.iter().any(Finding::is_conflict)
    }
}

/// Finds out what the constraints say, in general and near a state.
///
/// ```
/// # fn main() -> Result<(), expr::MathError> {
/// use mechanics::constraint::{Class, Row, Space, analyse};
/// let _scope = expr::Scope::enter();
/// let (x, phi, r) = (expr::coordinate("x"), expr::coordinate("phi"), expr::parameter("r"));
/// let space = Space::new(&[x, phi])?;
/// let rolling = Row { name: "rolling".to_owned(), f: space.rates[0] - r * space.rates[1] };
/// let report = analyse(&[rolling], &space, &expr::At::generic())?;
/// assert_eq!(report.rows[0].class, Class::Homogeneous);
/// assert_eq!(report.degrees_of_freedom, 1);
/// assert!(report.integrability.integrals[0].f.is_same(x - r * phi));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If a derivative of a row does not exist.
pub fn analyse(rows: &[Row], space: &Space, at: &At) -> Result<Report, MathError> {
    analyse_with(rows, space, &[], at)
}

/// Finds out what constraints say of which some rows are one-sided: closed now, so they count; but no equation follows from them, and no
/// integral.
///
/// # Errors
/// If a derivative of a row does not exist.
pub fn analyse_with(rows: &[Row], space: &Space, one_sided: &[usize], at: &At) -> Result<Report, MathError> {
    let sorted = sort(rows, space)?;
    let found = rank::find(&sorted, space, one_sided, at)?;
    let count = |most: u32| found.independent.iter().filter(|&&row| sorted[row].order() <= most).count();
    let (geometric, up_to_rates, rank) = (count(0), count(1), found.independent.len());
    let n = space.q.len();
    let (integrability, integrable) = flag::integrability(&sorted, space, &found, one_sided, at)?;
    let report = |(row, (sorted, integrable)): (&Row, (&Sorted, Option<bool>))| RowReport {
        name: row.name.clone(),
        class: sorted.class,
        rheonomic: sorted.rheonomic,
        integrable,
    };
    let mut findings = found.findings;
    if rank >= n && !rows.is_empty() {
        findings.push(Finding::NoFreedom { rows: found.independent.clone() });
    }
    Ok(Report {
        rows: rows.iter().zip(sorted.iter().zip(integrable)).map(report).collect(),
        coordinates: n,
        rank,
        rank_geometric: geometric,
        rank_rates: up_to_rates,
        rank_here: found.rank_here,
        independent: found.independent,
        findings,
        degrees_of_freedom: n.saturating_sub(rank),
        constants: (2 * n).saturating_sub(geometric + up_to_rates),
        unknowns: 2 * n,
        equations: n + rank,
        integrability,
    })
}

/// The classes of rows and which of them carry the rank, without the test of integrability.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The class of each row.
    pub classes: Vec<Class>,
    /// The rows that carry the rank, ascending.
    pub independent: Vec<usize>,
    /// What the user should hear.
    pub findings: Vec<Finding>,
}

/// Finds the classes of rows and the rank; from one-sided rows no other follows.
pub fn survey(rows: &[Row], space: &Space, one_sided: &[usize], at: &At) -> Result<Survey, MathError> {
    let sorted = sort(rows, space)?;
    let found = rank::find(&sorted, space, one_sided, at)?;
    let classes = sorted.iter().map(|row| row.class).collect();
    Ok(Survey { classes, independent: found.independent, findings: found.findings })
}

/// The class of each row.
pub fn classes(rows: &[Row], space: &Space) -> Result<Vec<Class>, MathError> {
    Ok(sort(rows, space)?.iter().map(|row| row.class).collect())
}

fn sort(rows: &[Row], space: &Space) -> Result<Vec<Sorted>, MathError> {
    let places = class::Places::new(space);
    rows.iter().map(|row| Sorted::new(row.f, &places)).collect()
}
