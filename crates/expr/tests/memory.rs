//! A scope gives its memory back, and its handles die with it.

use expr::{Expr, Scope, coordinate, gradient, parameter, rational, total_derivative};

/// Resident memory in kilobytes, where the system tells.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Lagrange's equations of a double pendulum.
fn double_pendulum() -> Vec<Expr> {
    let angles = ["a", "b"].map(coordinate);
    let [m, l, g] = ["m", "l", "g"].map(parameter);
    let in_time = |e| total_derivative(e).expect("it moves smoothly");
    let (mut x, mut y, mut lagrangian) = (Expr::zero(), Expr::zero(), Expr::zero());
    for angle in angles {
        (x, y) = (x + l * angle.sin(), y - l * angle.cos());
        lagrangian += rational(1, 2) * m * (in_time(x).pow(2) + in_time(y).pow(2)) - m * g * y;
    }
    let slopes = gradient(lagrangian, &[angles, angles.map(in_time)].concat()).expect("it is smooth");
    vec![in_time(slopes[2]) - slopes[0], in_time(slopes[3]) - slopes[1]]
}

#[test]
fn ten_thousand_scopes_keep_nothing() {
    // let Scope::drop forget its graph: 336 MB are kept
    let once = || {
        let scope = Scope::enter();
        assert!(double_pendulum().iter().all(|equation| !equation.is_zero()));
        scope.nodes()
    };
    let nodes = once();
    (0..100).for_each(|_| assert_eq!(once(), nodes));
    let Some(before) = resident() else { return };
    for _ in 0..10_000 {
        assert_eq!(once(), nodes);
    }
    let grown = resident().unwrap_or(before).saturating_sub(before);
    assert!(grown < 4096, "{grown} kilobytes were kept");
}

#[test]
#[should_panic(expected = "outside the scope")]
fn a_handle_does_not_outlive_its_scope() {
    // leave out the comparison of tags and it does
    let old = {
        let _scope = Scope::enter();
        parameter("x")
    };
    let _scope = Scope::enter();
    let _ = old + old;
}

#[test]
#[should_panic(expected = "no scope")]
fn without_a_scope_there_are_no_expressions() {
    let _ = parameter("x");
}

#[test]
#[should_panic(expected = "outside the scope")]
fn an_outer_handle_is_caught_inside() {
    let _outer = Scope::enter();
    let x = parameter("x");
    let _inner = Scope::enter();
    let _ = parameter("y") * x;
}

#[test]
#[should_panic(expected = "outside the scope")]
fn an_inner_handle_is_caught_outside() {
    let _outer = Scope::enter();
    let inner = Scope::enter();
    let y = parameter("y");
    drop(inner);
    let _ = y.sin();
}

#[test]
#[should_panic(expected = "outside the scope")]
fn a_foreign_handle_in_a_list_is_caught() {
    let _outer = Scope::enter();
    let x = parameter("x");
    let _inner = Scope::enter();
    let _ = Expr::sum(&[parameter("y"), x]);
}

#[test]
fn the_outer_scope_goes_on_after_the_inner_one() {
    let outer = Scope::enter();
    let x = parameter("x");
    {
        let inner = Scope::enter();
        let other = parameter("x");
        assert!((other - other).is_zero());
        assert!(inner.nodes() > 0 && outer.nodes() > 0);
    }
    assert!((x + x - 2 * x).is_zero());
}

#[test]
fn an_old_handle_can_still_be_shown() {
    let x = {
        let _scope = Scope::enter();
        parameter("x")
    };
    assert!(format!("{x:?}").starts_with("expression "));
}

#[test]
fn threads_have_scopes_of_their_own() {
    let _scope = Scope::enter();
    let x = parameter("x");
    let nodes = std::thread::spawn(|| {
        let scope = Scope::enter();
        double_pendulum();
        scope.nodes()
    });
    assert!(nodes.join().unwrap() > 50);
    assert!((x - x).is_zero());
}
