//! No recursion on the graph's depth: 100,000 levels pass through everything on a small stack.

use expr::{Expr, Scope, Substitution, coordinate, derivative, gradient, parameter, total_derivative};

const LEVELS: usize = 100_000;

/// Runs on a thread with the default stack, which a recursion over 100,000 levels overflows.
fn on_default_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::spawn(work).join().expect("the work ends in peace");
}

/// Towers of different make on a symbol: nothing in them is shared, so their text is short.
fn towers(x: Expr) -> Vec<Expr> {
    let y = parameter("y");
    let fold = |step: &dyn Fn(Expr) -> Expr| (0..LEVELS).fold(x, |e, _| step(e));
    vec![
        fold(&|e| e.sin() + y),
        fold(&|e| (e + y) * y),
        fold(&|e| (e + 1).pow(2)),
        fold(&|e| (e * y).cos()),
        fold(&|e| (e + y).exp()),
        fold(&|e| Expr::one() / (e + y)),
    ]
}

#[test]
fn derivatives_and_gradients() {
    on_default_stack(|| {
        let _scope = Scope::with_seed(1);
        let x = parameter("x");
        for tower in towers(x) {
            let forward = derivative(tower, x).unwrap();
            let backward = gradient(tower, &[x]).unwrap()[0];
            assert!(backward.is_same(forward));
        }
    });
}

#[test]
fn shared_towers() {
    on_default_stack(|| {
        let scope = Scope::with_seed(1);
        let x = parameter("x");
        // as text this would have 2^100,000 letters
        let tower = (0..LEVELS).fold(x, |e, _| (e + 1) * e.cos());
        let slope = derivative(tower, x).unwrap();
        assert!(gradient(tower, &[x]).unwrap()[0].is_same(slope));
        assert!(tower.brief().len() < 200 && slope.brief().len() < 200);
        assert_eq!(Substitution::from([(x, x)]).apply_one(tower).unwrap(), tower);
        assert!(scope.nodes() < 30 * LEVELS);
    });
}

#[test]
fn time_derivatives() {
    on_default_stack(|| {
        let _scope = Scope::with_seed(1);
        let q = coordinate("q");
        let rate = total_derivative(q).unwrap();
        for tower in towers(q) {
            let in_time = total_derivative(tower).unwrap();
            assert!(in_time.is_same(derivative(tower, q).unwrap() * rate));
        }
    });
}

#[test]
fn substitution() {
    on_default_stack(|| {
        let _scope = Scope::with_seed(1);
        let (x, z) = (parameter("x"), parameter("z"));
        for (tower, other) in towers(x).into_iter().zip(towers(z)) {
            assert!(Substitution::from([(x, z)]).apply_one(tower).unwrap().is_same(other));
        }
    });
}

#[test]
fn text_and_questions() {
    on_default_stack(|| {
        let _scope = Scope::with_seed(1);
        let x = parameter("x");
        for tower in towers(x) {
            assert!(tower.to_string().len() > LEVELS);
            assert!(tower.brief().len() < 200);
            assert_eq!(tower.symbols().len(), 1 + usize::from(tower.symbols().len() > 1));
            assert!(!tower.is_zero());
        }
    });
}

#[test]
fn expansion_and_collection() {
    on_default_stack(|| {
        let _scope = Scope::with_seed(1);
        let (x, y) = (parameter("x"), parameter("y"));
        let sums = (0..LEVELS).fold(x, |e, k| if k % 2 == 0 { e + y } else { e - x });
        assert_eq!(expr::expand(sums).unwrap().to_string(), "50000*y - 49999*x");
        let sines = (0..LEVELS).fold(x, |e, _| (e + y).sin());
        assert!(expr::expand(sines).unwrap().is_same(sines));
        assert!(expr::collect(sums, &[x]).is_same(sums));
        let powers = (0..LEVELS).fold(x, |e, _| (e + y).pow(2));
        assert!(expr::expand(powers).is_err(), "2^100,000 terms are refused");
    });
}

#[test]
fn dropping_a_deep_scope() {
    on_default_stack(|| {
        let scope = Scope::with_seed(1);
        towers(parameter("x"));
        drop(scope);
    });
}
