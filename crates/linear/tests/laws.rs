//! Do solves, ranks and eigenvalues keep their laws on random matrices, and on rows and columns of
//! any unit?

use linear::arithmetic::Arithmetic;
use linear::basis::Basis;
use linear::least::{least, shortest};
use linear::matrix::Matrix;
use linear::rank::reduce;
use linear::span::{dependencies, first_dependent, orthonormal};
use linear::tolerance::{ANGLE, CANCELLED, LEAST, PIVOT, RANK, SPAN};
use linear::vector::{dot, length};
use linear::weighed::{Weighing, floats, weighed};
use linear::{Scale, Solved, cancel, cholesky, eigen, inverse, jacobi, null_space, rank, saddle, skyline, solve};

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    /// Between −1 and 1.
    fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn below(&mut self, n: usize) -> usize {
        (((self.number() + 1.0) / 2.0 * n as f64) as usize).min(n - 1)
    }

    fn list(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.number()).collect()
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> Matrix {
        Matrix::new(rows, columns, self.list(rows * columns))
    }

    /// Units from a nanometre to a gigametre.
    fn units(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| 10.0_f64.powf(9.0 * self.number())).collect()
    }
}

/// Rows and columns in other units.
fn scaled(a: &Matrix, rows: &[f64], columns: &[f64]) -> Matrix {
    Matrix::from_fn(a.rows(), a.columns(), |i, j| a[i][j] * rows[i] * columns[j])
}

/// A symmetric positive matrix, not too near to a singular one.
fn positive(random: &mut Random, n: usize) -> Matrix {
    let root = random.matrix(n, n);
    let mut square = root.gram();
    (0..n).for_each(|k| square[k][k] += 0.1);
    square
}

fn far(x: &[f64], y: &[f64]) -> f64 {
    assert_eq!(x.len(), y.len());
    x.iter().zip(y).map(|(x, y)| (x - y).abs() / (1.0 + y.abs())).fold(0.0, f64::max)
}

#[test]
fn a_solution_satisfies_its_equations_in_any_units() {
    let mut random = Random(1);
    for n in 1..12 {
        for _ in 0..20 {
            let mut a = random.matrix(n, n);
            // not near to a singular one, and its large entries not on the diagonal
            (0..n).for_each(|k| a[k][n - 1 - k] += 3.0);
            let (rows, columns, x) = (random.units(n), random.units(n), random.list(n));
            let b = a.times_vector(&x);
            assert!(far(&solve(&a, &b).unwrap(), &x) < 1e-12);
            // in other units x is other numbers, and is as exact
            let b: Vec<f64> = b.iter().zip(&rows).map(|(b, unit)| b * unit).collect();
            let y = solve(scaled(&a, &rows, &columns), &b).unwrap();
            let y: Vec<f64> = y.iter().zip(&columns).map(|(y, unit)| y * unit).collect();
            assert!(far(&y, &x) < 1e-12, "{n}: {y:?} {x:?}");
            let blocks = b.iter().map(|&b| vec![weigh(b)]).collect();
            let z = Weighing.solve(weighed(&scaled(&a, &rows, &vec![1.0; n])), blocks).unwrap();
            assert!(far(floats(&z, 1).entries(), &x) < 1e-10, "{n}: {z:?} {x:?}");
            let one = a.times(&inverse(&a).unwrap());
            assert!(far(one.entries(), Matrix::identity(n).entries()) < 1e-12);
        }
    }
}

#[test]
fn a_singular_matrix_is_refused_in_any_units() {
    let mut random = Random(2);
    for n in 2..9 {
        for _ in 0..20 {
            let (a, units, others) = (random.matrix(n, n), random.units(n), random.units(n));
            let mut a = Matrix::of_width(n, a.iter());
            let (one, parts) = (random.below(n), random.list(n));
            let sum: Vec<f64> =
                (0..n).map(|j| (0..n).filter(|&k| k != one).map(|k| parts[k] * a[k][j]).sum()).collect();
            a[one].copy_from_slice(&sum);
            assert!(solve(&a, &vec![1.0; n]).is_err());
            let error = solve(scaled(&a, &units, &others), &vec![1.0; n]).unwrap_err();
            assert!(matches!(error, linear::Unsolved::Singular { size, .. } if size < PIVOT.ratio()), "{error}");
        }
    }
}

#[test]
fn every_way_to_solve_a_positive_matrix_leads_to_one_solution() {
    let mut random = Random(3);
    for n in 1..10 {
        let (mass, b) = (positive(&mut random, n), random.list(n));
        let x = solve(&mass, &b).unwrap();
        assert!(far(&cholesky::solve_symmetric(&mass, &b).unwrap(), &x) < 1e-11);
        let by_squares = least(mass.entries(), &b, &vec![1.0; n], LEAST).unwrap();
        assert!(far(&by_squares.0, &x) < 1e-11 && by_squares.1 == Solved::Unique);
        let of_blocks = Weighing.solve(weighed(&mass), b.iter().map(|&b| vec![weigh(b)]).collect()).unwrap();
        assert!(far(floats(&of_blocks, 1).entries(), &x) < 1e-11);
        let columns: Vec<_> = (0..n).map(|j| mass.column(j).into_iter().enumerate().collect()).collect();
        let mut of_basis = Basis::new(&vec![1.0; n], &columns, &vec![0; n]).solve(&b);
        of_basis.sort_by_key(|one| one.0);
        assert!(far(&of_basis.iter().map(|one| one.1).collect::<Vec<_>>(), &x) < 1e-10);
        let reduced = reduce(&mass, &b, Scale::RowsAndColumns, RANK).unwrap();
        assert!(reduced.rank() == n && far(&reduced.solution(), &x) < 1e-11);
    }
}

fn weigh(value: f64) -> linear::weighed::Weighed {
    linear::weighed::Weighed::new(value)
}

#[test]
fn multipliers_balance_what_the_rows_do_not_allow() {
    let mut random = Random(4);
    for n in 2..9 {
        for m in 1..n {
            let (mass, rows) = (positive(&mut random, n), random.matrix(m, n));
            let (force, right, units) = (random.list(n), random.list(m), random.units(m));
            let (x, lambda) = saddle::constrained(&mass, &rows, &force, &right).unwrap();
            assert!(far(&rows.times_vector(&x), &right) < 1e-11);
            let reaction = rows.transposed().times_vector(&lambda);
            let both: Vec<f64> = force.iter().zip(&reaction).map(|(f, r)| f + r).collect();
            assert!(far(&mass.times_vector(&x), &both) < 1e-10);
            // a row in another unit is the same row
            let right: Vec<f64> = right.iter().zip(&units).map(|(c, unit)| c * unit).collect();
            let (y, _) = saddle::constrained(&mass, &scaled(&rows, &units, &vec![1.0; n]), &force, &right).unwrap();
            assert!(far(&y, &x) < 1e-10);
        }
    }
}

#[test]
fn least_squares_are_across_the_columns_and_the_smallest_is_across_the_null_space() {
    let mut random = Random(5);
    for (rows, n, inner) in [(5, 3, 3), (3, 5, 3), (6, 4, 2), (4, 6, 2), (7, 7, 5), (1, 4, 1), (4, 1, 1)] {
        for _ in 0..20 {
            let a = random.matrix(rows, inner).times(&random.matrix(inner, n));
            let (b, weights) = (random.list(rows), random.list(n).iter().map(|w| w.abs() + 0.1).collect::<Vec<_>>());
            let (x, solved) = least(a.entries(), &b, &weights, LEAST).unwrap();
            assert_eq!(solved == Solved::Unique, inner == n, "{rows} {n} {inner}");
            let left: Vec<f64> = a.times_vector(&x).iter().zip(&b).map(|(y, b)| y - b).collect();
            assert!(length(&a.transposed().times_vector(&left)) < 1e-10);
            let free = null_space(&a, Scale::Rows, RANK).unwrap();
            assert_eq!(free.rows(), n - inner);
            let weighed: Vec<f64> = x.iter().zip(&weights).map(|(x, w)| x * w).collect();
            assert!(length(&free.times_vector(&weighed)) < 1e-9 * (1.0 + length(&x)), "{x:?}");
            // equations that agree: in any units the shortest is the same
            let b = a.times_vector(&random.list(n));
            let (x, _) = least(a.entries(), &b, &weights, LEAST).unwrap();
            let units = random.units(rows);
            let b: Vec<f64> = b.iter().zip(&units).map(|(b, unit)| b * unit).collect();
            let (y, _) = shortest(scaled(&a, &units, &vec![1.0; n]), &b, &weights, LEAST).unwrap();
            assert!(far(&y, &x) < 1e-8, "{y:?} {x:?}");
        }
    }
}

#[test]
fn the_rank_of_a_product_is_that_of_its_thinnest_part_in_any_units() {
    let mut random = Random(6);
    for rows in 1..8 {
        for columns in 1..8 {
            for inner in 1..=rows.min(columns) {
                let a = random.matrix(rows, inner).times(&random.matrix(inner, columns));
                let (units, others) = (random.units(rows), random.units(columns));
                assert_eq!(rank(&a, Scale::Rows, RANK), Ok(inner));
                assert_eq!(rank(scaled(&a, &units, &vec![1.0; columns]), Scale::Rows, RANK), Ok(inner));
                assert_eq!(rank(scaled(&a, &units, &vec![1.0; columns]), Scale::Sizes(&units), RANK), Ok(inner));
                assert_eq!(rank(scaled(&a, &units, &others), Scale::RowsAndColumns, RANK), Ok(inner));
                let free = null_space(&a, Scale::Rows, RANK).unwrap();
                assert_eq!(free.rows(), columns - inner);
                assert!(free.iter().all(|v| length(&a.times_vector(v)) < 1e-9), "{free:?}");
                assert!(far(free.gram().entries(), Matrix::identity(columns - inner).entries()) < 1e-12);
                let sizes: Vec<f64> = units.clone();
                let dependent = dependencies(&scaled(&a, &units, &vec![1.0; columns]), &sizes, SPAN);
                assert_eq!(dependent.len(), rows - inner);
                assert_eq!(first_dependent(&a, ANGLE), (inner < rows).then_some(inner));
            }
        }
    }
}

#[test]
fn eigenvectors_of_symmetric_matrices_are_orthonormal_and_diagonal() {
    let mut random = Random(7);
    for n in 1..10 {
        let a = random.matrix(n, n).symmetric_part();
        let found = jacobi::symmetric(&a).unwrap();
        assert!(found.values.is_sorted());
        assert!(far(found.vectors.gram().entries(), Matrix::identity(n).entries()) < 1e-13);
        let diagonal = a.between(&found.vectors, &found.vectors);
        let expected = Matrix::from_fn(n, n, |i, j| if i == j { found.values[i] } else { 0.0 });
        assert!(far(diagonal.entries(), expected.entries()) < 1e-13);
        let mass = positive(&mut random, n);
        let found = jacobi::against(&a, &mass).unwrap();
        for (v, value) in found.vectors.iter().zip(&found.values) {
            let right: Vec<f64> = mass.times_vector(v).iter().map(|x| x * value).collect();
            assert!(far(&a.times_vector(v), &right) < 1e-11);
        }
    }
}

#[test]
fn eigenvalues_of_graded_positive_matrices_keep_their_digits() {
    // D H D with D from 1 to 1e-12: the product of the eigenvalues is det(H) det(D)², digit for
    // digit
    let mut random = Random(8);
    for n in 2..7 {
        let h = positive(&mut random, n);
        let units: Vec<f64> = (0..n).map(|k| 10.0_f64.powi(-12 * k as i32 / (n as i32 - 1))).collect();
        let found = jacobi::symmetric(scaled(&h, &units, &units)).unwrap();
        let product = |list: &[f64]| list.iter().map(|x| x.ln()).sum::<f64>();
        let expected = product(&jacobi::symmetric(&h).unwrap().values) + 2.0 * product(&units);
        assert!((product(&found.values) - expected).abs() < 1e-11, "{n}: {found:?}");
    }
}

#[test]
fn eigenvalues_of_any_matrix_belong_to_vectors_and_add_up_to_the_trace() {
    let mut random = Random(9);
    for n in 1..12 {
        for _ in 0..10 {
            let a = random.matrix(n, n);
            let values = eigen::values(&a).unwrap();
            let trace: f64 = (0..n).map(|k| a[k][k]).sum();
            assert!((values.iter().map(|value| value[0]).sum::<f64>() - trace).abs() < 1e-12);
            assert!(values.iter().map(|value| value[1]).sum::<f64>().abs() < 1e-12);
            for &[x, y] in &values {
                let v = eigen::vector(&a, [x, y]).unwrap();
                let (real, turned): (Vec<f64>, Vec<f64>) = v.iter().map(|v| (v[0], v[1])).unzip();
                let right: Vec<f64> = v.iter().map(|v| x * v[0] - y * v[1]).collect();
                let other: Vec<f64> = v.iter().map(|v| x * v[1] + y * v[0]).collect();
                assert!(far(&a.times_vector(&real), &right) < 1e-9, "{n}: {x} {y}");
                assert!(far(&a.times_vector(&turned), &other) < 1e-9);
            }
            // in other units of the states: the same values
            let units: Vec<f64> = random.units(n).iter().map(|unit| unit.sqrt()).collect();
            let turned = scaled(&a, &units, &units.iter().map(|unit| 1.0 / unit).collect::<Vec<_>>());
            let again = eigen::values(&turned).unwrap();
            let near = |value: &[f64; 2]| {
                let distances = again.iter().map(|other| (other[0] - value[0]).hypot(other[1] - value[1]));
                distances.fold(f64::INFINITY, f64::min)
            };
            assert!(values.iter().all(|value| near(value) < 1e-9), "{n}: {values:?} {again:?}");
        }
    }
}

#[test]
fn what_is_left_when_unknowns_cancel_still_holds() {
    let mut random = Random(10);
    for (rows, n, unknowns) in [(3, 2, 1), (5, 2, 2), (4, 3, 4), (6, 1, 3)] {
        let (a, b) = (random.matrix(rows, n), random.matrix(rows, unknowns));
        let (x, mu, units) = (random.list(n), random.list(unknowns), random.units(unknowns));
        let whole =
            Matrix::from_fn(rows, n + unknowns, |i, j| if j < n { a[i][j] } else { b[i][j - n] * units[j - n] });
        let mu: Vec<f64> = mu.iter().zip(&units).map(|(x, unit)| x / unit).collect();
        let constants: Vec<f64> = whole.times_vector(&[&x[..], &mu].concat()).iter().map(|x| -x).collect();
        let (left, rest) = cancel::cancel(&whole, &constants, n, CANCELLED);
        assert_eq!(left.rows(), rows - unknowns.min(rows));
        let miss = left.times_vector(&x).iter().zip(&rest).map(|(a, b)| (a + b).abs()).fold(0.0, f64::max);
        assert!(miss < 1e-11, "{miss:e}");
    }
}

#[test]
fn the_shortest_step_is_that_of_the_dense_matrix() {
    let mut random = Random(11);
    for n in 3..12 {
        // a chain: each row joins two neighbours
        let rows: Vec<Vec<(usize, f64)>> =
            (0..n - 1).map(|k| vec![(k, 1.0 + random.number().abs()), (k + 1, random.number())]).collect();
        let f = random.list(n - 1);
        let mut dense = Matrix::zeros(n - 1, n);
        rows.iter().enumerate().for_each(|(i, row)| row.iter().for_each(|&(j, x)| dense[i][j] = x));
        let step = skyline::shortest_step(&f, &rows, n, &vec![1.0; n - 1]).unwrap();
        let (expected, _) = shortest(&dense, &f, &vec![1.0; n], LEAST).unwrap();
        assert!(far(&step, &expected) < 1e-10, "{step:?} {expected:?}");
        let across = orthonormal(&null_space(&dense, Scale::Rows, RANK).unwrap(), SPAN);
        assert!(across.iter().all(|v| dot(v, &step).abs() < 1e-10));
    }
}
