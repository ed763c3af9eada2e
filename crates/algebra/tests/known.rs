//! Systems made from solutions that are known: every one of them must come out, and nothing else.

use algebra::solve;
use expr::field::Random;
use expr::{Expr, Rational, Scope, parameter, rational};
use proof::{Assumptions, decide};

fn fraction(random: &mut Random) -> Expr {
    let word = random.next();
    rational((word % 13) as i64 - 6, (word / 13 % 4) as i64 + 1)
}

/// The values of the unknowns on all branches, as text, sorted.
fn found(equations: &[Expr], unknowns: &[Expr]) -> Vec<String> {
    let solution = solve(equations, unknowns, &[]).unwrap_or_else(|obstacle| panic!("{obstacle}"));
    let mut list: Vec<String> = solution.branches.iter().map(ToString::to_string).collect();
    list.sort();
    list
}

fn expected(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list.dedup();
    list
}

#[test]
fn roots_of_a_product() {
    let mut random = Random::new(1);
    for degree in [1, 2, 3, 4, 1, 2, 3, 4] {
        let _scope = Scope::with_seed(degree);
        let x = parameter("x");
        let known: Vec<Expr> = (0..degree).map(|_| fraction(&mut random)).collect();
        let factors: Vec<Expr> = known.iter().map(|&k| x - k).collect();
        let equation = expr::expand(Expr::product(&factors)).unwrap();
        assert_eq!(found(&[equation], &[x]), expected(known.iter().map(|k| format!("x = {k}")).collect()));
    }
}

#[test]
fn a_grid_seen_through_a_linear_map() {
    let mut random = Random::new(2);
    for round in 0..6 {
        let _scope = Scope::with_seed(round);
        let [x, y] = ["x", "y"].map(parameter);
        let [a, b, c, d, k] = [(); 5].map(|()| fraction(&mut random));
        let first = (x - a) * (x - b);
        let second = (y - c) * (y - d);
        // as many different sums of the two as there are equations
        let system = [first + k * second, first + (k + 1) * second].map(|e| expr::expand(e).unwrap());
        let known = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| format!("x = {x}, y = {y}"));
        assert_eq!(found(&system, &[x, y]), expected(known.into()), "round {round}");
    }
}

#[test]
fn a_parabola_and_a_line_with_parameters() {
    let _scope = Scope::with_seed(5);
    let [x, y, a, b] = ["x", "y", "a", "b"].map(parameter);
    let system = [y - x.pow(2), y - (a + b) * x + a * b].map(|e| expr::expand(e).unwrap());
    let solution = solve(&system, &[x, y], &[]).unwrap();
    assert_eq!(solution.branches.len(), 2);
    for branch in &solution.branches {
        let root = branch.put(x).unwrap();
        assert!(root.is_same(a) || root.is_same(b), "{branch}");
        assert!(branch.conditions.is_empty(), "{branch}");
    }
    assert!(solution.thresholds.len() <= 1, "{:?}", solution.thresholds);
}

#[test]
fn an_angle_of_a_right_triangle() {
    let mut random = Random::new(3);
    for (p, q, r) in [(3, 4, 5_i64), (-5, 12, 13), (8, -15, 17), (-7, -24, 25)] {
        let _scope = Scope::with_seed(r.cast_unsigned());
        let phi = parameter("phi");
        let (c, s) = (rational(p, r), rational(q, r));
        let [a, b] = [(); 2].map(|()| fraction(&mut random) + 7);
        let equation = a * phi.cos() + b * phi.sin() - (a * c + b * s);
        let solution = solve(&[equation], &[phi], &[]).unwrap_or_else(|obstacle| panic!("{obstacle}"));
        assert_eq!(solution.branches.len(), 2);
        let there = |branch: &&algebra::Branch| {
            branch.put(phi.cos() - c).unwrap().is_zero() && branch.put(phi.sin() - s).unwrap().is_zero()
        };
        assert_eq!(solution.branches.iter().filter(there).count(), 1, "{equation}");
        for branch in &solution.branches {
            // the angle as it is written has the sine that was solved for
            let written = branch.values[0].1.sin() - branch.put(phi.sin()).unwrap();
            let verdict = decide(written, &Assumptions::none());
            assert!(!verdict.is_nonzero(), "{branch}");
        }
    }
}

#[test]
fn a_triangle_of_rods_closes_in_two_ways() {
    // two links of lengths 5 and 5 that reach the point (6, 0): mirror images
    let _scope = Scope::with_seed(9);
    let [phi, psi] = ["phi", "psi"].map(parameter);
    let system = [5 * phi.cos() + 5 * psi.cos() - 6, 5 * phi.sin() + 5 * psi.sin()];
    let solution = solve(&system, &[phi, psi], &[]).unwrap();
    let mut sines: Vec<Rational> =
        solution.branches.iter().map(|branch| branch.put(phi.sin()).unwrap().as_number().unwrap()).collect();
    sines.sort();
    assert_eq!(sines, [Rational::new(-4, 5).unwrap(), Rational::new(4, 5).unwrap()]);
}
