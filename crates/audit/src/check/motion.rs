//! Which displacements, velocities or accelerations do the constraints allow, in words of the model?

use engine::readable::Reader;
use expr::{Expr, Formula};
use mechanics::constraint::{self, AffineSet, MotionError, Report, Space};
use serde::Serialize;

use super::rows::Acting;
use engine::Loaded;

/// What may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Show {
    /// The constraints that contacts make.
    Expansion,
    /// A basis of the virtual displacements.
    Displacements,
    /// The possible velocities.
    Velocities,
    /// The possible accelerations.
    Accelerations,
}

/// What the constraints allow.
#[derive(Clone, Debug, Serialize)]
pub struct Motion {
    /// What was asked for.
    pub what: Show,
    /// The equations that the constraints make, each `… = 0`; or the declarations that contacts stand for.
    pub equations: Vec<String>,
    /// Unknowns in terms of the free ones, `x' = …`; or the vectors of a basis, `δx = …, δy = …`.
    pub solved: Vec<String>,
    /// The solved unknowns in every shape.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub formulas: Vec<Formula>,
    /// The unknowns that are free.
    pub free: Vec<String>,
    /// Rows that could not enter, because they are not linear in the unknowns.
    pub left_out: Vec<String>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<String>,
}

/// Works out what was asked for.
pub(super) fn shown(what: Show, loaded: &Loaded, acting: &Acting, space: &Space, report: &Report) -> Motion {
    let made = match what {
        Show::Velocities => {
            constraint::possible_velocities(&acting.rows, space, report, &loaded.at).map(|set| of_set(set, report))
        }
        Show::Accelerations => {
            constraint::possible_accelerations(&acting.rows, space, report, &loaded.at).map(|set| of_set(set, report))
        }
        Show::Displacements => displacements(loaded, acting, space, report),
        Show::Expansion => Ok(expanded(loaded)),
    };
    let nothing = Motion {
        what,
        equations: Vec::new(),
        solved: Vec::new(),
        formulas: Vec::new(),
        free: Vec::new(),
        left_out: Vec::new(),
        obstacle: None,
    };
    match made {
        Ok(made) => Motion { what, ..made },
        Err(error) => Motion { obstacle: Some(obstacle(&error)), ..nothing },
    }
}

/// What contacts stand for.
fn expanded(loaded: &Loaded) -> Motion {
    let equations = super::expansion::expansion(loaded);
    let (solved, formulas, free, left_out) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    Motion { what: Show::Expansion, equations, solved, formulas, free, left_out, obstacle: None }
}

fn obstacle(error: &MotionError) -> String {
    match error {
        MotionError::Math(error) => error.to_string(),
        MotionError::Unsolved(error) => format!("the start is no state to solve the constraints at: {error}"),
    }
}

/// A basis: one vector for each free displacement, as in δx = r cos(phi), δphi = 1.
fn displacements(loaded: &Loaded, acting: &Acting, space: &Space, report: &Report) -> Result<Motion, MotionError> {
    let dependent: Vec<usize> = loaded.system.dependent.iter().map(|one| one.coordinate).collect();
    let basis = constraint::virtual_displacements(&acting.rows, space, report, &dependent, &loaded.at)?;
    let reader = Reader::new();
    let vector = |entries: &Vec<Expr>| {
        let entries = space.q.iter().zip(entries).filter(|(_, entry)| !entry.is_zero());
        let told = entries.map(|(q, &entry)| format!("δ{q} = {}", brief(reader.readable(entry, &[]))));
        told.collect::<Vec<_>>().join(", ")
    };
    Ok(Motion {
        what: Show::Displacements,
        equations: Vec::new(),
        solved: basis.iter().map(vector).collect(),
        formulas: Vec::new(),
        free: Vec::new(),
        left_out: Vec::new(),
        obstacle: None,
    })
}

fn of_set(set: AffineSet, report: &Report) -> Motion {
    let name = |row: usize| report.rows[row].name.clone();
    Motion {
        what: Show::Velocities,
        equations: set.equations.iter().map(|(row, f)| format!("{}: {} = 0", name(*row), readable(*f))).collect(),
        solved: set.solved.iter().map(|(unknown, value)| format!("{unknown} = {}", readable(*value))).collect(),
        formulas: set.solved.iter().map(|&(unknown, value)| Formula::equation(unknown, value)).collect(),
        free: set.free.iter().map(Expr::to_string).collect(),
        left_out: set.left_out.iter().map(|&row| name(row)).collect(),
        obstacle: None,
    }
}

/// Expressions with more operations are not read.
const LONGEST: usize = 400;

/// As a person would write it, if it is of a size that a person would read.
fn readable(e: Expr) -> String {
    if e.operations() <= LONGEST { expr::simplify(e, &[]).to_string() } else { e.brief() }
}

/// What an author wrote; where frames or bodies stand in it and make it long, as a person would write it.
pub fn told(e: Expr) -> Expr {
    if e.operations() > LONGEST {
        return e;
    }
    let short = expr::simplify(e, &[]);
    if 4 * short.letters() <= 3 * e.letters() { short } else { e }
}

/// The text of what was read, or its beginning.
fn brief(e: Expr) -> String {
    if e.operations() <= LONGEST { e.to_string() } else { e.brief() }
}
