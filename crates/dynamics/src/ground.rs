//! What do contacts stand on? The masses, the loads and the other constraints, made once for a system.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use expr::{At, Expr, MathError};
use mechanics::chart::ChartKind;
use mechanics::form::FormError;
use mechanics::ingredients::Ingredients;
use mechanics::rows::{Row, Rows, RowsError};
use mechanics::{Mode, System};

/// The mass matrix and the forces.
type Inertia = (Vec<Vec<Expr>>, Vec<Expr>);

/// Masses, loads and rows of a system.
pub struct Ground<'a> {
    /// The system.
    pub system: &'a System,
    /// A state at which its expressions are regular.
    at: &'a At,
    rows: RefCell<Vec<(Mode, Rc<Rows>)>>,
    /// Rows of contacts that are looked at by themselves.
    own: RefCell<Vec<(Expr, Rc<Row>)>>,
    inertia: OnceCell<Result<Inertia, String>>,
}

impl<'a> Ground<'a> {
    /// The ground of a system, whose mass matrix is made at a state.
    pub fn new(system: &'a System, at: &'a At) -> Ground<'a> {
        Ground { system, at, rows: RefCell::default(), own: RefCell::default(), inertia: OnceCell::new() }
    }

    /// The mass matrix, and the forces that it meets: loads less what inertia asks without accelerations. They are the
    /// same in every mode that does not say how rough contacts hold.
    pub fn inertia(&self) -> Result<&Inertia, String> {
        let made = || {
            let (mode, rows, text) = (Mode::default(), Rows::default(), |error: FormError| error.to_string());
            let given = Ingredients::of(self.system, &mode, &rows, ChartKind::Rates, self.at);
            let thawed = |list: &[Expr]| given.thawed(list).map_err(|error| error.to_string());
            let (E, Q) = (thawed(given.E().map_err(text)?)?, thawed(given.Q().map_err(text)?)?);
            // loads may hold accelerations
            let surplus: Vec<Expr> = E.iter().zip(&Q).map(|(&inertia, &force)| inertia - force).collect();
            let (mass, rest) = expr::linear_coefficients(&surplus, &given.q_ddot).map_err(|error| error.to_string())?;
            Ok((mass, rest.into_iter().map(|rest| -rest).collect()))
        };
        self.inertia.get_or_init(made).as_ref().map_err(Clone::clone)
    }

    /// The row of a contact, looked at by itself.
    pub fn row(&self, name: &str, constraint: usize, f: Expr) -> Result<Rc<Row>, MathError> {
        if let Some(known) = self.own.borrow().iter().find(|known| known.0 == f) {
            return Ok(Rc::clone(&known.1));
        }
        let row = Rc::new(Row::of(self.system, name, constraint, f)?);
        self.own.borrow_mut().push((f, Rc::clone(&row)));
        Ok(row)
    }

    /// The rows of a mode, looked at near the state where it is met first.
    pub fn rows(&self, mode: &Mode, at: &At) -> Result<Rc<Rows>, RowsError> {
        // of rows that depend on each other another choice may be right elsewhere
        let is_known = |known: &&(Mode, Rc<Rows>)| known.0 == *mode && known.1.left_out.is_empty();
        if let Some(known) = self.rows.borrow().iter().find(is_known) {
            return Ok(Rc::clone(&known.1));
        }
        let rows = Rc::new(Rows::of(self.system, mode, at)?);
        self.rows.borrow_mut().retain(|known| known.0 != *mode);
        self.rows.borrow_mut().push((mode.clone(), Rc::clone(&rows)));
        Ok(rows)
    }
}
