//! Matrices of functions at random points of prime fields, where entries are numbers.
//!
//! ```text
//! Σ c_i K_i = 0          rows that depend on earlier ones                      (1)
//! K x = 0                vectors that all rows send to zero                    (2)
//! ```
//!
//! What holds at a random point holds for the functions, but for an error that is as improbable
//! as that of a signature. No expression is made.

use expr::field::{Element, Field, Random};
use expr::{Evaluator, Expr, Undefined};

/// Angles are split to 1/24, roots of unity up to order 24 are there, unless entries ask for more.
const ORDER: u64 = 5_354_228_880;
const FINENESS: u64 = 24;
const MAX_ORDER: u64 = 1 << 48;

/// The values of the entries at random points, each in a field of its own.
pub(super) fn points(entries: &[Expr]) -> Vec<(Field, Vec<Element>)> {
    let evaluator = Evaluator::new(entries, &[]);
    let wanted = if entries.iter().any(|entry| entry.has_branches()) { 8 } else { 2 };
    let mut random = Random::new(evaluator.digest());
    let (mut order, mut fineness) = (ORDER, FINENESS);
    let mut found = Vec::new();
    for _ in 0..512 {
        if found.len() == wanted || order > MAX_ORDER || fineness > MAX_ORDER {
            break;
        }
        let field = Field::draw(order, &mut random);
        match evaluator.at(&field, random.next(), fineness, &[]) {
            Ok(values) => found.push((field, values.outputs)),
            Err(Undefined::NotAPower | Undefined::DivisionByZero | Undefined::Modulus) => {}
            Err(Undefined::NeedsFineness(d)) => fineness = lcm(fineness, d),
            Err(Undefined::NeedsOrder(k)) => order = lcm(order, k),
        }
    }
    found
}

fn lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x.max(1)).saturating_mul(b)
}

/// Rows in echelon form.
pub(super) struct Echelon<'a> {
    field: &'a Field,
    /// The column of each row's pivot, which is 1.
    pivots: Vec<usize>,
    rows: Vec<Vec<Element>>,
}

impl<'a> Echelon<'a> {
    pub fn new(field: &'a Field) -> Echelon<'a> {
        Echelon { field, pivots: Vec::new(), rows: Vec::new() }
    }

    /// How many rows are independent.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// Is the line a combination of the rows?
    pub fn spans(&self, mut line: Vec<Element>) -> bool {
        for (&pivot, above) in self.pivots.iter().zip(&self.rows) {
            subtract(self.field, &mut line, pivot, above);
        }
        line.iter().all(|&entry| entry == Element::ZERO)
    }

    /// Takes a row in, or gives back what is left of one that depends on those that are there.
    /// Pivots stand in the first `columns` entries; what is done to these is done to the rest.
    pub fn add(&mut self, mut line: Vec<Element>, columns: usize) -> Result<(), Vec<Element>> {
        for (&pivot, above) in self.pivots.iter().zip(&self.rows) {
            subtract(self.field, &mut line, pivot, above);
        }
        let Some(pivot) = line[..columns].iter().position(|&entry| entry != Element::ZERO) else { return Err(line) };
        let inverse = self.field.inv(line[pivot]).unwrap_or(self.field.one());
        line.iter_mut().for_each(|entry| *entry = self.field.mul(*entry, inverse));
        self.pivots.push(pivot);
        self.rows.push(line);
        Ok(())
    }

    /// The columns `wanted` of a basis of the vectors (2), one for each column without a pivot.
    pub fn kernel(mut self, columns: usize, wanted: &[usize]) -> Vec<Vec<Element>> {
        for last in (1..self.rows.len()).rev() {
            let (before, rest) = self.rows.split_at_mut(last);
            before.iter_mut().for_each(|line| subtract(self.field, line, self.pivots[last], &rest[0]));
        }
        let mut row_of = vec![None; columns];
        self.pivots.iter().enumerate().for_each(|(row, &pivot)| row_of[pivot] = Some(row));
        let entry = |free: usize, column: usize| match row_of[column] {
            Some(row) => self.field.neg(self.rows[row][free]),
            None if column == free => self.field.one(),
            None => Element::ZERO,
        };
        let free = (0..columns).filter(|&column| row_of[column].is_none());
        free.map(|free| wanted.iter().map(|&column| entry(free, column)).collect()).collect()
    }
}

/// line − line[pivot]·above.
fn subtract(field: &Field, line: &mut [Element], pivot: usize, above: &[Element]) {
    let factor = line[pivot];
    if factor != Element::ZERO {
        let entries = line.iter_mut().zip(above).filter(|(_, above)| **above != Element::ZERO);
        entries.for_each(|(entry, &above)| *entry = field.sub(*entry, field.mul(factor, above)));
    }
}

/// The rows that depend on earlier ones, each with those that it depends on: (1).
pub(super) fn relations(field: &Field, rows: Vec<Vec<Element>>, columns: usize) -> Vec<(usize, Vec<usize>)> {
    let count = rows.len();
    let mut echelon = Echelon::new(field);
    let mut found = Vec::new();
    for (place, mut line) in rows.into_iter().enumerate() {
        line.resize(columns + count, Element::ZERO);
        line[columns + place] = field.one();
        if let Err(rest) = echelon.add(line, columns) {
            found.push((place, (0..place).filter(|&k| rest[columns + k] != Element::ZERO).collect()));
        }
    }
    found
}
