//! What does exported code do? A list of steps that belongs to no language yet.
//!
//! ```text
//! let a = value              what is used several times, or would make a long line
//! solve matrix · x = right   the unknowns get names
//! array[k] = value           what the routine answers
//! ```

use expr::{Expr, Op, Rational};

/// An expression of names; small, since what is large has been named.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Something that has a name.
    Name(String),
    /// An exact number.
    Number(Rational),
    /// A number that was computed.
    Double(f64),
    /// π
    Pi,
    /// A sum.
    Sum(Vec<Value>),
    /// A product.
    Product(Vec<Value>),
    /// A value to a rational power; where the power is a small one, the value is a name.
    Power(Box<Value>, Rational),
    /// A function or a switch.
    Call(Op, Vec<Value>),
}

impl Value {
    /// Whether nothing is gained by naming it.
    pub fn is_plain(&self) -> bool {
        matches!(self, Value::Name(_) | Value::Number(_) | Value::Double(_) | Value::Pi)
    }

    /// How many operations and leaves are written.
    pub fn size(&self) -> usize {
        match self {
            Value::Name(_) | Value::Number(_) | Value::Double(_) | Value::Pi => 1,
            Value::Power(base, _) => 1 + base.size(),
            Value::Sum(list) | Value::Product(list) | Value::Call(_, list) => {
                1 + list.iter().map(Value::size).sum::<usize>()
            }
        }
    }
}

/// One step of a routine.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A name for a value.
    Let(String, Value),
    /// Names for the solution of linear equations.
    Solve {
        /// The matrix, row by row.
        matrix: Vec<Vec<Value>>,
        /// The right-hand side.
        right: Vec<Value>,
        /// The names of the unknowns; empty where nobody asks for one.
        unknowns: Vec<String>,
        /// The row that each step of elimination takes at the start, where the largest entry is taken.
        pivots: Vec<usize>,
        /// Where the matrix is symmetric once some rows have the other sign: which ones.
        turned: Option<Vec<bool>>,
    },
    /// An entry of an array of the answer.
    Put(&'static str, usize, Value),
}

/// An array that a routine answers with.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What the code calls it.
    pub array: &'static str,
    /// How many rows it has.
    pub rows: usize,
    /// How many columns; 1 for a list.
    pub columns: usize,
    /// What its entries are, one for each row; a matrix may have none.
    pub entries: Vec<String>,
}

impl Answer {
    /// A list with these entries.
    pub fn list(array: &'static str, entries: Vec<String>) -> Answer {
        Answer { array, rows: entries.len(), columns: 1, entries }
    }

    /// A matrix.
    pub fn matrix(array: &'static str, rows: usize, columns: usize) -> Answer {
        Answer { array, rows, columns, entries: Vec::new() }
    }

    /// How many numbers it holds.
    pub fn len(&self) -> usize {
        self.rows * self.columns
    }
}

/// A function of time, state and parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Routine {
    /// What the function is called behind the model's name: `rhs`.
    pub name: &'static str,
    /// What it computes: a sentence or two.
    pub says: Vec<String>,
    /// What it answers with.
    pub answers: Vec<Answer>,
    /// How.
    pub steps: Vec<Step>,
    /// What sort of routine it is.
    pub sort: Sort,
}

/// What a routine answers with.
#[derive(Clone, Debug, PartialEq)]
pub enum Sort {
    /// Values.
    Values,
    /// Changes of values along a direction, which it takes as two arguments more. What follows a name means its change.
    Along(String),
    /// Values that depend on the mode, which it takes as its first argument. It has no steps.
    InMode,
    /// The changes that a routine of the sort `Along` gives for each direction, as columns. It has no steps.
    Columns(&'static str, Part),
}

/// A part of what routines take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The state.
    State,
    /// Parameters and inputs.
    Parameters,
}

impl Routine {
    /// What it takes besides time, state and parameters: the direction.
    pub fn directions(&self) -> &'static [&'static str] {
        if matches!(self.sort, Sort::Along(_)) { &["along_y", "along_p"] } else { &[] }
    }

    /// How far it may be from Anholon's numbers, relative to the largest entry: slopes lose digits where equations are
    /// ill-conditioned, and in a mode equations are put together row by row.
    pub fn tolerance(&self) -> &'static str {
        match self.sort {
            Sort::Columns(..) => "1e-10",
            Sort::InMode => "1e-11",
            _ => "1e-12",
        }
    }

    /// Whether some step mentions a name.
    pub fn mentions(&self, name: &str) -> bool {
        let mut found = false;
        self.visit(&mut |value| found |= matches!(value, Value::Name(one) if one == name));
        found
    }

    /// Whether some step calls a function.
    pub fn calls(&self, op: Op) -> bool {
        let mut found = false;
        self.visit(&mut |value| found |= matches!(value, Value::Call(one, _) if *one == op));
        found
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.steps.iter().for_each(|step| step.visit(look));
    }
}

impl Step {
    /// Looks at every value in it.
    pub fn visit(&self, look: &mut dyn FnMut(&Value)) {
        match self {
            Step::Let(_, value) | Step::Put(_, _, value) => walk(value, look),
            Step::Solve { matrix, right, .. } => matrix.iter().flatten().chain(right).for_each(|one| walk(one, look)),
        }
    }
}

/// A routine, and the expressions that its answers are.
pub struct Made {
    /// The routine.
    pub routine: Routine,
    /// What it answers, entry by entry.
    pub answers: Vec<Expr>,
    /// Whether accelerations are those of the form that was asked for.
    pub by_form: bool,
}

fn walk(value: &Value, look: &mut dyn FnMut(&Value)) {
    look(value);
    match value {
        Value::Name(_) | Value::Number(_) | Value::Double(_) | Value::Pi => {}
        Value::Power(base, _) => walk(base, look),
        Value::Sum(list) | Value::Product(list) | Value::Call(_, list) => list.iter().for_each(|one| walk(one, look)),
    }
}
