//! How is the solution of a few equations written without fractions inside fractions?
//!
//! ```text
//! b_dk = −det(column d replaced by k)/det,   b_d = det(column d replaced by the right side)/det
//! ```
//!
//! The columns were chosen by pivots that do not vanish at the state, so det does not either.

use expr::{At, Expr, MathError, Op, Rational};

use crate::linear::{Elimination, Matrix};

/// Up to this many equations; beyond it the determinants are longer than the fractions.
const FEW: usize = 3;

/// The same solution by determinants, if the equations are few.
pub(crate) fn rewritten(matrix: &Matrix, right: &[Expr], solved: Elimination, at: &At) -> Elimination {
    if !(2..=FEW).contains(&solved.dependent.len()) {
        return solved;
    }
    by_determinants(matrix, right, &solved, at).unwrap_or(solved)
}

fn by_determinants(matrix: &Matrix, right: &[Expr], solved: &Elimination, at: &At) -> Result<Elimination, MathError> {
    let rows: Vec<usize> = (0..matrix.rows()).filter(|row| !solved.redundant_rows.contains(row)).collect();
    let square: Vec<Vec<Expr>> =
        rows.iter().map(|&row| solved.dependent.iter().map(|&column| matrix.entry(row, column)).collect()).collect();
    let whole = determinant(&square);
    let whole = plain(whole, at);
    let (content, primitive) = parted(whole);
    let content = Expr::number(content.recip().unwrap_or(Rational::ONE));
    let replaced = |place: usize, column: &dyn Fn(usize) -> Expr| {
        let mut square = square.clone();
        square.iter_mut().zip(&rows).for_each(|(entries, &row)| entries[place] = column(row));
        let value = determinant(&square);
        if value.is_zero() { Ok(Expr::zero()) } else { (content * value).try_div(primitive) }
    };
    let (mut coefficients, mut constants) = (Vec::new(), Vec::new());
    for place in 0..solved.dependent.len() {
        let of = |&k: &usize| replaced(place, &|row| -matrix.entry(row, k));
        coefficients.push(solved.independent.iter().map(of).collect::<Result<Vec<_>, _>>()?);
        constants.push(replaced(place, &|row| right[row])?);
    }
    Ok(Elimination { coefficients, constants, determinant: whole, ..solved.clone() })
}

/// cos² + sin² and the like are better said as the number that they are.
fn plain(e: Expr, at: &At) -> Expr {
    let near = (4.0 * at.value(e)).round();
    if !near.is_finite() || near.abs() > 1e6 || near == 0.0 {
        return e;
    }
    let number = expr::rational(near as i64, 4);
    if (e - number).is_zero() { number } else { e }
}

fn determinant(rows: &[Vec<Expr>]) -> Expr {
    let [first, rest @ ..] = rows else { return Expr::one() };
    let minor = |column: usize| {
        let without = |row: &Vec<Expr>| {
            let kept = row.iter().enumerate().filter(|(place, _)| *place != column).map(|(_, &entry)| entry);
            kept.collect::<Vec<_>>()
        };
        determinant(&rest.iter().map(without).collect::<Vec<_>>())
    };
    let terms = first.iter().enumerate().filter(|(_, entry)| **entry != Expr::zero());
    let signed = |(column, &entry): (usize, &Expr)| match column % 2 {
        0 => entry * minor(column),
        _ => -(entry * minor(column)),
    };
    terms.map(signed).sum()
}

/// A sum as a number times a sum without a common factor: −2 x² − 2 y² is −2 times x² + y².
fn parted(e: Expr) -> (Rational, Expr) {
    let whole = || (Rational::ONE, e);
    if e.op() != Op::Sum {
        return whole();
    }
    let coefficient = |term: &Expr| match term.op() {
        Op::Number => term.as_number(),
        Op::Scale => term.arguments()[0].as_number(),
        _ => Some(Rational::ONE),
    };
    let Some(list) = e.arguments().iter().map(coefficient).collect::<Option<Vec<_>>>() else { return whole() };
    let size = |number: &Rational| number.to_f64().abs();
    let Some(least) = list.iter().min_by(|a, b| size(a).total_cmp(&size(b))) else { return whole() };
    let is_whole = |number: &Rational| number.checked_div(least).is_some_and(|ratio| ratio.to_i64().is_some());
    if !list.iter().all(is_whole) {
        return whole();
    }
    let positive = (least.to_f64() > 0.0) == (list[0].to_f64() > 0.0);
    let content = if positive { least.clone() } else { -least };
    match content.recip() {
        Some(inverse) => {
            let terms: Vec<Expr> = e.arguments().iter().map(|&term| Expr::number(inverse.clone()) * term).collect();
            (content, Expr::sum(&terms))
        }
        None => whole(),
    }
}

#[cfg(test)]
mod tests {
    use super::parted;
    use crate::linear::{Columns, Matrix, solve_for};
    use expr::At;

    #[test]
    fn two_equations_are_solved_with_one_fraction() {
        let _scope = expr::Scope::with_seed(1);
        let [a, b, c, d] = ["a", "b", "c", "d"].map(expr::parameter);
        let rows = Matrix::from_rows(&[vec![-2 * a, -2 * b, c], vec![b, -a, d]]);
        let solved = solve_for(&rows, &[expr::integer(0); 2], Columns::Only(&[0, 1]), &At::generic()).unwrap();
        assert_eq!(solved.coefficients[0][0].to_string(), "(a*c - 2*b*d)/(2*(a^2 + b^2))");
    }

    #[test]
    fn a_common_factor_goes_in_front() {
        let _scope = expr::Scope::with_seed(1);
        let [x, y] = ["x", "y"].map(expr::parameter);
        let (content, rest) = parted(-2 * x.pow(2) - 4 * y);
        assert_eq!((content.to_i64(), rest), (Some(-2), x.pow(2) + 2 * y));
        assert_eq!(parted(x + y / 2).0.to_string(), "1/2");
    }
}
