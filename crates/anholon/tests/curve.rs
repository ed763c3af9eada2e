//! Is the curve found on which every place is an equilibrium?

use anholon::{Alone, Equilibria, EquilibriumSet, Settings, open};

fn found(lines: &str) -> Result<EquilibriumSet, String> {
    let model = open(&Settings::new("curve.mech", lines)).map_err(|error| error.to_string())?;
    anholon::equilibria(&model, &Equilibria::default(), &mut Alone).map_err(|error| error.to_string())
}

fn solution(lines: &str) -> String {
    let set = found(lines).unwrap();
    assert!(set.decided && set.curves.len() == 1, "{set:?}");
    set.curves[0].solution.as_ref().map(|formula| formula.text.clone()).unwrap_or_default()
}

fn same(found: &str, wanted: &str) {
    let (left, right) = found.split_once(" = ").unwrap();
    assert_eq!(left, "f(x)");
    let _scope = expr::Scope::enter();
    let read = expr::parse_all(&[right, wanted]).unwrap();
    assert!((read[0] - read[1]).is_zero(), "{found}, not {wanted}");
}

/// A rod of length 2 l: A on a smooth vertical axis, B on the curve.
const ROD: &str = "param l : m\nparam W : N\ncoord x : m\nunknown function f(x) : m\npoint B = (x, f(x))\n\
                   point A = (0, f(x) + sqrt(4*l^2 - x^2))\npoint M = (A + B)/2\nforce (0, -W) on M\n\
                   assume W > 0 N\nassume l > 0 m";

#[test]
fn a_rod_rests_everywhere_on_an_ellipse() {
    // take the wrong sign in the primitive, or forget the constraints, and this fails
    same(&solution(ROD), "C - sqrt(4*l^2 - x^2)/2");
    // the same with the height of B as a coordinate of its own
    let held = "param l : m\nparam W : N\ncoord x, y : m\nunknown function f(x) : m\npoint B = (x, y)\n\
                point A = (0, y + sqrt(4*l^2 - x^2))\npoint M = (A + B)/2\nforce (0, -W) on M\n\
                constraint curve: y = f(x)\nassume W > 0 N\nassume l > 0 m";
    same(&solution(held), "C - sqrt(4*l^2 - x^2)/2");
}

#[test]
fn a_turning_bowl_is_a_paraboloid_and_a_spring_asks_for_an_exponential() {
    // in axes that turn: the centrifugal force against the weight
    let bowl = "param m : kg\nparam g : m/s^2\nparam w : rad/s\ncoord x : m\nunknown function f(x) : m\n\
                frame H = N rotated y by w*t\npoint P = H*(x, f(x), 0) mass m\ngravity (0, -g, 0)\n\
                assume m > 0 kg\nassume g > 0 m/s^2";
    same(&solution(bowl), "C + w^2*x^2/(2*g)");
    // W f' + k f = 0
    let spring = "param W : N\nparam k : N/m\ncoord x : m\nunknown function f(x) : m\npoint P = (x, f(x))\n\
                  force (k*f(x), -W) on P\nassume W > 0 N";
    same(&solution(spring), "C*exp(k*x/W)");
}

#[test]
fn what_is_not_found_is_told() {
    let open = "param W, V : N\nparam b : m\ncoord x : m\nunknown function f(x) : m\npoint P = (x, f(x))\n\
                force (V*sin(f(x)/b), -W) on P\nassume W > 0 N";
    let set = found(open).unwrap();
    assert!(!set.decided && set.curves[0].solution.is_none(), "{set:?}");
    assert!(set.curves[0].equation.text.contains("sin(f(x)/b)"), "{}", set.curves[0].equation.text);
    let two = "param W : N\ncoord x, y : m\nunknown function f(x) : m\npoint P = (x, f(x) + y)\nforce (0, -W) on P";
    assert!(found(two).unwrap_err().contains("one freedom"));
    let shifted = "param W : N\ncoord x : m\nunknown function f(x) : m\npoint P = (x, f(2*x))\nforce (0, -W) on P";
    assert!(found(shifted).unwrap_err().contains("more than one argument"));
    let unused = "param W : N\ncoord x : m\nunknown function f(x) : m\npoint P = (x, 0)\nforce (0, -W) on P";
    assert!(found(unused).unwrap_err().contains("no force depends on `f`"));
}
