//! Ranks, solutions and null spaces.

use expr::{Op, Rational, Scope, coordinate, integer, parameter, rational};

use super::*;

fn symbols(rows: usize, columns: usize) -> Vec<Vec<Expr>> {
    let name = |i: usize, j: usize| parameter(&format!("a{i}_{j}"));
    (0..rows).map(|i| (0..columns).map(|j| name(i, j)).collect()).collect()
}

fn vector(length: usize) -> Vec<Expr> {
    (0..length).map(|i| parameter(&format!("c{i}"))).collect()
}

/// A x = c for every row.
fn check_solution(matrix: &Matrix, x: &[Expr], right: &[Expr]) {
    for (row, (left, &right)) in matrix.times(x).into_iter().zip(right).enumerate() {
        assert!(left.is_same(right), "row {row} of {} is not solved", matrix.rows());
    }
}

/// Putting (1) into every row leaves nothing, for every independent column and the right side.
fn check_elimination(matrix: &Matrix, right: &[Expr], found: &Elimination) {
    let free = |at: Option<usize>| {
        let mut x = vec![Expr::zero(); matrix.columns()];
        for (place, &column) in found.dependent.iter().enumerate() {
            x[column] = found.constants[place] + at.map_or_else(Expr::zero, |k| found.coefficients[place][k]);
        }
        if let Some(k) = at {
            x[found.independent[k]] = Expr::one();
        }
        x
    };
    check_solution(matrix, &free(None), right);
    (0..found.independent.len()).for_each(|k| check_solution(matrix, &free(Some(k)), right));
}

struct Dice(Random);

impl Dice {
    fn number(&mut self) -> Rational {
        let (n, d) = (self.0.below(19) as i64 - 9, self.0.below(5) as i64 + 1);
        Rational::new(n, d).unwrap_or(Rational::ZERO)
    }

    fn numbers(&mut self, rows: usize, columns: usize) -> Vec<Vec<Rational>> {
        (0..rows).map(|_| (0..columns).map(|_| self.number()).collect()).collect()
    }
}

fn exprs(numbers: &[Vec<Rational>]) -> Vec<Vec<Expr>> {
    numbers.iter().map(|row| row.iter().cloned().map(Expr::number).collect()).collect()
}

/// The determinant by expansion along the first row.
fn laplace(rows: &[Vec<Rational>]) -> Rational {
    let Some((first, rest)) = rows.split_first() else { return Rational::ONE };
    let minor = |skip: usize| {
        let without =
            |row: &Vec<Rational>| row.iter().enumerate().filter(|&(j, _)| j != skip).map(|(_, v)| v.clone()).collect();
        laplace(&rest.iter().map(without).collect::<Vec<Vec<Rational>>>())
    };
    first.iter().enumerate().fold(Rational::ZERO, |sum, (j, entry)| {
        let term = entry * &minor(j);
        if j % 2 == 0 { &sum + &term } else { &sum - &term }
    })
}

#[test]
fn rational_systems_agree_with_exact_arithmetic() {
    let mut dice = Dice(Random::new(1));
    for n in (1..=6).cycle().take(60) {
        let _scope = Scope::with_seed(n as u64);
        let a = dice.numbers(n, n);
        let matrix = Matrix::from_rows(&exprs(&a));
        let det = laplace(&a);
        assert_eq!(determinant(&matrix, &At::generic()).as_number(), Some(det.clone()));
        assert_eq!(rank(&matrix).rank == n, !det.is_zero());
        if det.is_zero() {
            continue;
        }
        let right: Vec<Rational> = dice.numbers(1, n).remove(0);
        let sides: Vec<Expr> = right.iter().cloned().map(Expr::number).collect();
        let x = solve(&matrix, &sides, &At::generic()).expect("the determinant is not zero");
        for (j, x) in x.iter().enumerate() {
            let mut replaced = a.clone();
            replaced.iter_mut().zip(&right).for_each(|(row, side)| row[j] = side.clone());
            assert_eq!(x.as_number(), laplace(&replaced).checked_div(&det), "Cramer's rule for column {j}");
        }
    }
}

#[test]
fn rank_is_that_of_a_product() {
    let mut dice = Dice(Random::new(2));
    for r in 0..=4 {
        let _scope = Scope::with_seed(r as u64);
        let (left, right) = (dice.numbers(6, r), dice.numbers(r, 7));
        let entry =
            |row: &[Rational], j: usize| row.iter().zip(&right).fold(Rational::ZERO, |sum, (a, b)| &sum + &(a * &b[j]));
        let rows: Vec<Vec<Rational>> = left.iter().map(|row| (0..7).map(|j| entry(row, j)).collect()).collect();
        let matrix = Matrix::from_rows(&exprs(&rows));
        assert_eq!(rank(&matrix).rank, r);
        assert_eq!(rank_at(&matrix, 1e-9, &At::generic()), r);
        let basis = null_space(&matrix, &At::generic()).expect("numbers do not vanish at some state only");
        assert_eq!(basis.len(), 7 - r);
        basis.iter().for_each(|x| check_solution(&matrix, x, &[Expr::zero(); 6]));
    }
}

#[test]
fn symbolic_systems_are_solved() {
    for n in 1..=8 {
        let _scope = Scope::with_seed(n as u64);
        let matrix = Matrix::from_rows(&symbols(n, n));
        let right = vector(n);
        check_solution(&matrix, &solve(&matrix, &right, &At::generic()).expect("symbols are independent"), &right);
    }
}

#[test]
fn dense_graphs_stay_small() {
    // 170 and 632 nodes were measured
    for (n, most) in [(5, 175), (8, 640)] {
        let scope = Scope::with_seed(3);
        let matrix = Matrix::from_rows(&symbols(n, n));
        let right = vector(n);
        let before = scope.nodes();
        let x = solve(&matrix, &right, &At::generic()).expect("symbols are independent");
        let made = scope.nodes() - before;
        assert!(made <= most, "n = {n}: {made} nodes");
        check_solution(&matrix, &x, &right);
    }
}

#[test]
fn determinants_expand_to_the_sum_over_permutations() {
    let _scope = Scope::with_seed(4);
    let a = symbols(3, 3);
    let cofactor = |i: usize, j: usize| a[1][i] * a[2][j] - a[1][j] * a[2][i];
    let expected = a[0][0] * cofactor(1, 2) - a[0][1] * cofactor(0, 2) + a[0][2] * cofactor(0, 1);
    assert!(determinant(&Matrix::from_rows(&a), &At::generic()).is_same(expected));
    let a = symbols(5, 5);
    let matrix = Matrix::from_rows(&a);
    assert!(determinant(&matrix, &At::generic()).is_same(by_minors(&matrix)));
    assert!(by_signature(&matrix).is_same(by_minors(&matrix)));
    assert!(determinant(&matrix.transposed(), &At::generic()).is_same(determinant(&matrix, &At::generic())));
}

#[test]
fn a_determinant_may_vanish_at_the_state() {
    let _scope = Scope::with_seed(5);
    let x = parameter("x");
    let at = At::new(&[(x, 0.0)]);
    let rows = vec![vec![x.sin(), x], vec![-x, x.sin()]];
    let found = determinant(&Matrix::from_rows(&rows), &at);
    assert!(found.is_same(x.sin().pow(2) + x * x));
    assert_eq!(at.value(found), 0.0);
}

#[test]
fn tridiagonal_systems_take_linear_work() {
    let made = |n: usize| {
        let scope = Scope::with_seed(6);
        let entry = |i: usize, j: usize| (j, parameter(&format!("a{i}_{j}")));
        let row = |i: usize| (i.saturating_sub(1)..=(i + 1).min(n - 1)).map(|j| entry(i, j)).collect();
        let matrix = Matrix::from_entries(n, (0..n).map(row).collect());
        let right = vector(n);
        let before = scope.nodes();
        let x = solve(&matrix, &right, &At::generic()).expect("symbols are independent");
        let made = scope.nodes() - before;
        check_solution(&matrix, &x, &right);
        made
    };
    let sizes = [50, 100, 200].map(made);
    assert!(sizes[1] <= 100 * 13, "{sizes:?}");
    assert!(sizes[2] - sizes[1] <= 2 * (sizes[1] - sizes[0]) + 10, "{sizes:?}");
}

/// Rows like those of a large linkage: a few entries each, the last tenth sums of others.
fn sparse(rows: usize, columns: usize) -> Matrix {
    let mut random = Random::new(7);
    let own = rows - rows / 10;
    let mut list: Vec<Vec<(usize, Expr)>> = Vec::new();
    for i in 0..own {
        let angle = coordinate(&format!("q{i}"));
        let far = [1, 2, 3].map(|_| random.below(columns as u64) as usize);
        let mut row = vec![(i % columns, angle.cos()), (far[0], angle.sin()), (far[1], angle), (far[2], integer(1))];
        row.sort_by_key(|entry| entry.0);
        row.dedup_by_key(|entry| entry.0);
        list.push(row);
    }
    for i in own..rows {
        let pick = |n: usize| list[(i * 7 + n) % own].clone();
        let (a, b) = (pick(0), pick(1));
        let at = |row: &[(usize, Expr)], j: usize| {
            row.iter().find(|entry| entry.0 == j).map_or_else(Expr::zero, |entry| entry.1)
        };
        let columns = sorted(a.iter().chain(&b).map(|entry| entry.0));
        list.push(columns.into_iter().map(|j| (j, at(&a, j) - at(&b, j))).collect());
    }
    Matrix::from_entries(columns, list)
}

#[test]
fn large_sparse_ranks_are_found() {
    let _scope = Scope::with_seed(8);
    for (rows, columns, expected) in [(300, 600, 270), (600, 300, 300)] {
        let matrix = sparse(rows, columns);
        let found = rank(&matrix);
        assert_eq!((found.rank, found.dependent_rows.len()), (expected, rows - expected));
        assert_eq!(rank_at(&matrix, 1e-9, &At::generic()), expected);
    }
}

#[test]
fn rank_makes_no_expressions() {
    let scope = Scope::with_seed(9);
    let matrix = sparse(30, 60);
    let before = scope.nodes();
    assert_eq!(rank(&matrix).rank, 27);
    assert_eq!(scope.nodes(), before);
}

#[test]
fn ranks_know_roots_angles_and_functions_without_image() {
    let _scope = Scope::with_seed(10);
    let x = parameter("x");
    let check = |rows: [[Expr; 2]; 2], expected: usize| {
        assert_eq!(rank(&Matrix::from_rows(&rows.map(Vec::from))).rank, expected, "{rows:?}");
    };
    let root = (x * x + 1).sqrt();
    check([[root, x * x + 1], [integer(1), root]], 1);
    for name in ["y", "z", "u", "v", "w"] {
        let y = parameter(name);
        check([[y.abs(), y], [integer(1), integer(1)]], 2); // |y| is y on one branch of two
    }
    check([[x.abs(), x * x], [integer(1), x.abs()]], 1);
    let fine = (x / 35).cos();
    check([[fine, fine * fine - 1], [integer(1), fine - integer(1) / fine]], 1);
    let seventh = (expr::pi() / 29).cos();
    check([[seventh, 2 * seventh * seventh - 1], [integer(1), (2 * expr::pi() / 29).cos() / seventh]], 1);
    // No field has these roots of unity: by signature.
    let odd = (expr::pi() / 65537).cos();
    check([[odd, odd * odd], [integer(1), odd]], 1);
    check([[odd, odd * odd], [integer(1), x]], 2);
}

#[test]
fn singular_only_here_differs_from_redundant_everywhere() {
    let _scope = Scope::with_seed(11);
    let x = parameter("x");
    let at = At::new(&[(x, 0.0)]);
    let matrix = Matrix::from_rows(&[vec![integer(1), x.cos()], vec![x.cos(), integer(1)]]);
    assert_eq!((rank(&matrix).rank, rank_at(&matrix, 1e-9, &at)), (2, 1));
    let matrix = Matrix::from_rows(&[vec![x.cos(), x.sin()], vec![x.cos() * 2.into(), 2 * x.sin()]]);
    assert_eq!((rank(&matrix).rank, rank_at(&matrix, 1e-9, &at)), (1, 1));
}

#[test]
fn pivots_avoid_what_vanishes_at_the_symmetric_state() {
    for state in [0.0, std::f64::consts::PI, -std::f64::consts::TAU] {
        let _scope = Scope::with_seed(12);
        let x = parameter("x");
        let at = At::new(&[(x, state)]);
        for corner in [0, 2] {
            let matrix = Matrix::from_rows(&[vec![x.sin(), integer(1)], vec![integer(1), integer(corner)]]);
            let right = vector(2);
            let found = solve(&matrix, &right, &at).expect("the determinant is not zero there");
            check_solution(&matrix, &found, &right);
            found.iter().for_each(|entry| assert!(at.value(*entry).abs() < 1e3, "{}", at.value(*entry)));
        }
    }
}

#[test]
fn pivots_that_cancel_at_the_symmetric_state_are_avoided() {
    // After the first pivot the corner is a² − b², which vanishes where a = b but for rounding.
    for seed in 0..20 {
        let _scope = Scope::with_seed(seed);
        let [a, b, c] = ["a", "b", "c"].map(parameter);
        let at = At::new(&[(a, 0.1), (b, 0.1 * (1.0 + 1e-15)), (c, 0.7)]);
        let rows = vec![vec![a, b, c], vec![b, a, integer(1)], vec![c, integer(1), c]];
        let matrix = Matrix::from_rows(&rows);
        let right = vector(3);
        let found = solve(&matrix, &right, &at).expect("the matrix is regular at this state");
        check_solution(&matrix, &found, &right);
        found.iter().for_each(|entry| assert!(at.value(*entry).abs() < 1e3, "{}", at.value(*entry)));
    }
}

#[test]
fn a_singular_chart_is_reported() {
    let right_angle = std::f64::consts::FRAC_PI_2;
    for (state, shape) in [(0.0, Op::Sin), (std::f64::consts::PI, Op::Sin), (right_angle, Op::Cos)] {
        let _scope = Scope::with_seed(13);
        let x = parameter("x");
        let at = At::new(&[(x, state)]);
        let entry = x.try_function(shape).expect("defined everywhere");
        let single = Matrix::from_rows(&[vec![entry]]);
        let expected =
            SolveError::SingularChart { rows: vec![0], columns: vec![0], candidates: vec![entry.to_string()] };
        assert_eq!(solve(&single, &[integer(1)], &at), Err(expected));
        let turned = Matrix::from_rows(&[vec![entry, x.tan()], vec![x.sin() * x.cos(), 2 * entry]]);
        assert!(matches!(solve(&turned, &vector(2), &at), Err(SolveError::SingularChart { .. })) || shape == Op::Cos);
    }
    let _rounded = Scope::with_seed(13);
    let [a, b, c, d] = ["a", "b", "c", "d"].map(parameter);
    let at = At::new(&[(a, 0.1), (b, 0.3), (c, 0.7), (d, 2.1)]); // a d − b c = 3e-17
    let matrix = Matrix::from_rows(&[vec![a, b], vec![c, d]]);
    assert!(matches!(solve(&matrix, &vector(2), &at), Err(SolveError::SingularChart { .. })));
    let _scope = Scope::with_seed(14);
    let x = parameter("x");
    let at = At::new(&[(x, 0.0)]);
    let matrix = Matrix::from_rows(&[vec![integer(1), x.cos()], vec![x.cos(), integer(1)]]);
    let error = solve(&matrix, &vector(2), &at).expect_err("singular at x = 0");
    let text = error.to_string();
    assert!(text.starts_with("the chart is singular at the state: row 1 in column 1, `"), "{text}");
    assert!(text.contains("cos(x)^2") && text.contains("` is zero or undefined there; choose another"), "{text}");
}

#[test]
fn what_is_no_number_is_no_pivot() {
    let _scope = Scope::with_seed(15);
    let x = parameter("x");
    let at = At::new(&[(x, -1.0)]);
    let matrix = Matrix::from_rows(&[vec![x.sqrt(), integer(1)], vec![integer(1), integer(0)]]);
    let right = vector(2);
    check_solution(&matrix, &solve(&matrix, &right, &at).expect("1 and 1 will do"), &right);
    let matrix = Matrix::from_rows(&[vec![x.sqrt()]]);
    assert!(matches!(solve(&matrix, &[integer(1)], &at), Err(SolveError::SingularChart { .. })));
}

#[test]
fn weak_pivots_come_last() {
    // x alone in its column would be the sparse choice
    let _scope = Scope::with_seed(26);
    let [x, a, b, c, d, e, f, g] = ["x", "a", "b", "c", "d", "e", "f", "g"].map(parameter);
    let at = At::new(&[(x, 1e-5)]);
    let zero = Expr::zero();
    let matrix = Matrix::from_rows(&[vec![x, a, zero, zero], vec![zero, b, c, d], vec![zero, e, f, g]]);
    let find = |columns: Columns| solve_for(&matrix, &[zero; 3], columns, &at).map(|found| found.dependent);
    assert_eq!(find(Columns::Any), Ok(vec![1, 2, 3]));
    assert_eq!(find(Columns::Only(&[0, 1, 2])), Ok(vec![0, 1, 2]));
}

#[test]
fn values_drawn_at_random_decide_nothing() {
    for seed in 0..20 {
        let _scope = Scope::with_seed(seed);
        let matrix = Matrix::from_rows(&symbols(1, 4));
        let found = solve_for(&matrix, &[Expr::zero()], Columns::Any, &At::generic()).expect("symbols are independent");
        assert_eq!(found.dependent, [0], "seed {seed}");
    }
}

#[test]
fn small_units_are_no_zeros() {
    let _scope = Scope::with_seed(16);
    let [m, r] = ["m", "r"].map(parameter);
    let at = At::new(&[(m, 1e-15), (r, 1e-9)]);
    let matrix = Matrix::from_rows(&[vec![m, m * r], vec![m * r, 3 * m * r * r]]);
    let right = vector(2);
    check_solution(&matrix, &solve(&matrix, &right, &at).expect("2 m² r² is not zero"), &right);
}

#[test]
fn a_rolling_disc_follows_its_spin() {
    // x' = r cos(yaw) spin', y' = r sin(yaw) spin'
    let _scope = Scope::with_seed(17);
    let [yaw, r] = ["yaw", "r"].map(parameter);
    let at = At::new(&[(yaw, 0.0)]);
    let (zero, one) = (integer(0), integer(1));
    let rows = vec![vec![one, zero, zero, -r * yaw.cos()], vec![zero, one, zero, -r * yaw.sin()]];
    let matrix = Matrix::from_rows(&rows);
    let right = [zero, zero];
    let found = solve_for(&matrix, &right, Columns::Any, &at).expect("the rows are solved already");
    assert_eq!((&found.dependent[..], &found.independent[..]), (&[0, 1][..], &[2, 3][..]));
    assert_eq!(found.coefficients, [[zero, r * yaw.cos()], [zero, r * yaw.sin()]]);
    check_elimination(&matrix, &right, &found);
    // For the spin: only the first row can give it while the disc heads along x.
    let found = solve_for(&matrix, &right, Columns::Prefer(&[3]), &at).expect("x' gives the spin");
    assert_eq!((&found.dependent[..], &found.independent[..]), (&[1, 3][..], &[0, 2][..]));
    check_elimination(&matrix, &right, &found);
    let found = solve_for(&matrix, &right, Columns::Only(&[3, 1]), &at).expect("x' gives the spin");
    assert!(found.determinant.is_same(r * yaw.cos()), "{}", found.determinant);
    let named = |columns: &[usize]| solve_for(&matrix, &right, Columns::Only(columns), &at).map(drop);
    let candidates = vec![(-r * yaw.sin()).to_string()];
    let chart = SolveError::SingularChart { rows: vec![1], columns: vec![3], candidates };
    assert_eq!(named(&[0, 3]), Err(chart));
    assert_eq!(named(&[0, 2]), Err(SolveError::Undetermined { columns: vec![2] }));
    assert_eq!(named(&[1]), Err(SolveError::TooFewColumns { rows: vec![0] }));
    assert_eq!(named(&[0, 1, 2, 3]), Err(SolveError::Undetermined { columns: vec![2, 3] }));
}

#[test]
fn eliminations_with_constants_satisfy_their_rows() {
    for (rows, columns) in [(1, 1), (1, 4), (3, 5), (4, 4), (5, 7)] {
        let _scope = Scope::with_seed(18);
        let matrix = Matrix::from_rows(&symbols(rows, columns));
        let right = vector(rows);
        let found = solve_for(&matrix, &right, Columns::Any, &At::generic()).expect("symbols are independent");
        assert_eq!((found.dependent.len(), found.independent.len()), (rows, columns - rows));
        check_elimination(&matrix, &right, &found);
        let block = |row: &Vec<(usize, Expr)>| row.iter().map(|entry| entry.1).collect::<Vec<_>>();
        let whole: Vec<Vec<Expr>> = matrix.rows.iter().map(block).collect();
        let picked: Vec<Vec<Expr>> =
            whole.iter().map(|row| found.dependent.iter().map(|&d| row[d]).collect()).collect();
        assert!(found.determinant.is_same(by_minors(&Matrix::from_rows(&picked))));
    }
}

#[test]
fn redundant_rows_are_found_and_contradictions_named() {
    let _scope = Scope::with_seed(19);
    let mut rows = symbols(3, 4);
    let factor = parameter("x").tan();
    let third: Vec<Expr> = (0..4).map(|j| rows[0][j] * factor - rows[1][j]).collect();
    rows.insert(2, third);
    rows.push(vec![Expr::zero(); 4]);
    let matrix = Matrix::from_rows(&rows);
    let c = vector(3);
    let right = [c[0], c[1], c[0] * factor - c[1], c[2], parameter("z") - parameter("z")];
    let found =
        solve_for(&matrix, &right, Columns::Any, &At::generic()).expect("the third row follows from the first two");
    assert_eq!((found.dependent.len(), found.redundant_rows.len()), (3, 2));
    assert!(found.redundant_rows.contains(&4));
    check_elimination(&matrix, &right, &found);
    assert_eq!(rank(&matrix).rank, 3);
    assert!(
        matches!(solve(&matrix, &right, &At::generic()), Err(SolveError::Undetermined { columns }) if columns.len() == 1)
    );
    let wrong = [c[0], c[1], c[0] * factor - c[1], c[2], c[0]];
    let expected = SolveError::Inconsistent { row: 4, remainder: "c0".to_owned() };
    assert_eq!(solve_for(&matrix, &wrong, Columns::Any, &At::generic()).map(drop), Err(expected));
}

#[test]
fn more_rows_than_columns_may_agree() {
    let _scope = Scope::with_seed(20);
    let matrix = Matrix::from_rows(&symbols(5, 2));
    let x = [parameter("x").cos(), parameter("y")];
    let right = matrix.times(&x);
    let found = solve(&matrix, &right, &At::generic()).expect("made to agree");
    assert!(found.iter().zip(&x).all(|(a, b)| a.is_same(*b)));
    let mut right = right;
    right[4] += 1.into();
    assert!(matches!(solve(&matrix, &right, &At::generic()), Err(SolveError::Inconsistent { .. })));
}

#[test]
fn null_vectors_are_annihilated() {
    let _scope = Scope::with_seed(21);
    let matrix = Matrix::from_rows(&symbols(3, 6));
    let basis = null_space(&matrix, &At::generic()).expect("symbols are independent");
    assert_eq!(basis.len(), 3);
    basis.iter().for_each(|x| check_solution(&matrix, x, &[Expr::zero(); 3]));
    assert_eq!(rank(&Matrix::from_rows(&basis)).rank, 3);
    let nothing = null_space(&Matrix::from_entries(2, Vec::new()), &At::generic()).expect("no rows, no pivots");
    assert_eq!(nothing, [[integer(1), integer(0)], [integer(0), integer(1)]]);
}

#[test]
fn solutions_are_bounded_by_cramers_rule() {
    let _scope = Scope::with_seed(22);
    let matrix = Matrix::from_rows(&symbols(8, 8));
    let x = solve(&matrix, &vector(8), &At::generic()).expect("symbols are independent");
    let degrees = expr::degrees(&x, 1);
    assert!(degrees.iter().all(|size| size.degree <= 8), "{degrees:?}");
    let _inner = Scope::with_seed(23);
    let matrix = Matrix::from_rows(&symbols(6, 9));
    let found = solve_for(&matrix, &vector(6), Columns::Any, &At::generic()).expect("symbols are independent");
    let all: Vec<Expr> = found.coefficients.into_iter().flatten().chain(found.constants).collect();
    assert!(expr::degrees(&all, 1).iter().all(|size| size.degree <= 6));
}

#[test]
fn no_bound_rests_on_itself() {
    // a solution that is older than its system keeps its own degree
    let _scope = Scope::with_seed(24);
    let [a, b, c] = ["a", "b", "c"].map(parameter);
    let (old, one) = (a * b.sin() / c, integer(1));
    let own = expr::degrees(&[old], 1)[0].degree;
    let late = (a + b).cos();
    let matrix = Matrix::from_rows(&[vec![one, late], vec![integer(0), one]]);
    let x = solve(&matrix, &[old, integer(0)], &At::generic()).expect("unit triangular");
    assert_eq!(x[0], old);
    assert!(own > 0 && expr::degrees(&x, 1)[0].degree >= own);
}

#[test]
fn matrices_are_read_by_place() {
    let _scope = Scope::with_seed(25);
    let x = parameter("x");
    let hidden = x.sin().pow(2) + x.cos().pow(2) - 1;
    let matrix = Matrix::from_rows(&[vec![hidden, x, integer(2)], vec![integer(3), hidden, rational(1, 2)]]);
    assert_eq!((matrix.rows(), matrix.columns(), matrix.entries().len()), (2, 3, 4));
    assert_eq!([matrix.entry(0, 0), matrix.entry(0, 1), matrix.entry(1, 0)], [integer(0), x, integer(3)]);
    let turned = matrix.transposed();
    assert_eq!((turned.rows(), turned.columns(), turned.entry(1, 0)), (3, 2, x));
    assert_eq!(matrix.times(&[integer(1), integer(1), integer(4)]), [x + 8, integer(5)]);
}

#[test]
fn systems_that_determine_their_unknowns() {
    let _scope = Scope::with_seed(1);
    let [a, x, y] = ["a", "x", "y"].map(parameter);
    let systems = [
        (vec![x + y - 1, x - a * y], vec![x, y]),
        (vec![x + y - 1, a * (x + y)], vec![x, y]),
        (vec![a * x - y], vec![x]),
        (vec![x * x - a], vec![x]),
        (vec![x * (a.sin() + 1) - a.sin() * x - 2], vec![x]),
        (vec![x * (y + 1) - x * y - a, y], vec![x, y]),
        (vec![a], vec![]),
    ];
    assert_eq!(determined(&systems), [true, false, true, false, true, true, true]);
}
