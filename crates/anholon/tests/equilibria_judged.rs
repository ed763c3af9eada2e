//! Verdicts on equilibria where the first approximation says nothing: multiple roots, supports that carry nothing, forces
//! with kinks, and statics without a single answer.

mod ask;

use anholon::answer::{Equilibrium, EquilibriumKind, Rest, Signs};
use anholon::{Equilibria, EquilibriumSet, Settings};

fn of(text: &str) -> EquilibriumSet {
    ask::equilibria(&Settings::new("test.mech", text), &Equilibria::default()).expect("a set")
}

/// One equilibrium, with x or y or th near a value.
fn at(set: &EquilibriumSet, name: &str, wanted: f64) -> Equilibrium {
    let near = |one: &&Equilibrium| one.values.get(name).is_some_and(|x| (x - wanted).abs() < 1e-6);
    set.equilibria.iter().find(near).unwrap_or_else(|| panic!("no {name} = {wanted} in {:?}", set.equilibria)).clone()
}

/// A particle on a line or in a plane in a potential.
fn particle(coordinates: &str, potential: &str) -> EquilibriumSet {
    let kinetic = if coordinates.contains('y') { "x'^2 + y'^2" } else { "x'^2" };
    of(&format!("coord {coordinates}\nkinetic ({kinetic})/2\npotential {potential}"))
}

fn verdict(set: &EquilibriumSet, name: &str, wanted: f64) -> (Rest, Signs) {
    let found = at(set, name, wanted);
    (found.stability, found.signs)
}

#[test]
fn an_odd_term_of_the_energy_is_no_minimum() {
    assert_eq!(verdict(&particle("x", "(x - 17/10)^3"), "x", 1.7), (Rest::Unstable, Signs::Exact));
    let butterfly = particle("x", "x^6/6 - 14*x^4/4 + 49*x^2/2");
    assert_eq!(verdict(&butterfly, "x", 0.0), (Rest::Stable, Signs::Exact));
    for side in [-1.0, 1.0] {
        assert_eq!(verdict(&butterfly, "x", side * 7.0_f64.sqrt()), (Rest::Unstable, Signs::Exact));
    }
    let fold = of("param m = 1, g = 10, l = 1, M = 10\ncoord th : rad\npoint P = l*(sin(th), -cos(th)) mass m\n\
                   gravity (0, -g)\ngeneralized force M on th");
    assert_eq!(verdict(&fold, "th", std::f64::consts::FRAC_PI_2), (Rest::Unstable, Signs::Exact));
}

#[test]
fn slow_motions_and_small_families_are_judged_like_others() {
    // the oscillator that swings once in six seconds, and once in two hundred years
    for (k, c) in [("1", "1"), ("1e-18", "1e-9")] {
        let set = of(&format!("coord x\nkinetic x'^2/2\npotential {k}*x^2/2\ngeneralized force -{c}*x' on x"));
        assert_eq!(at(&set, "x", 0.0).stability, Rest::AsymptoticallyStable, "k = {k}");
    }
    // a valley around a ring of one metre, and of ten nanometres
    for radius in ["1", "1e-8"] {
        let set = of(&format!(
            "param R = {radius}\ncoord x, y\npoint P = (x, y, 0) mass 1\n\
             potential (sqrt(x^2 + y^2) - R)^2/2\nstart x = R, y = 0"
        ));
        assert_eq!(
            (set.equilibria[0].kind, set.equilibria[0].stability),
            (EquilibriumKind::Family, Rest::Neutral),
            "R = {radius}"
        );
    }
}

#[test]
fn an_even_term_decides_by_its_sign() {
    assert_eq!(verdict(&particle("x", "-(x - 17/10)^4"), "x", 1.7), (Rest::Unstable, Signs::Exact));
    assert_eq!(verdict(&particle("x", "(x - 17/10)^4"), "x", 1.7), (Rest::Stable, Signs::Exact));
}

#[test]
fn regular_directions_give_way_before_the_flat_one_is_judged() {
    // along x the term x⁴/4 leads up, but y follows by −x²: what is left is −x⁴/4
    assert_eq!(verdict(&particle("x, y", "x^4/4 + x^2*y + y^2/2"), "x", 0.0), (Rest::Unstable, Signs::Exact));
    assert_eq!(verdict(&particle("x, y", "3*x^4/4 + x^2*y + y^2/2"), "x", 0.0), (Rest::Stable, Signs::Exact));
    // the same on a curve: z is the height of a bowl with a quartic bottom
    let bowl = of("param g = 10\ncoord x, z\npoint P = (x, 0, z) mass 1\ngravity (0, 0, -g)\nconstraint bowl: z = x^4");
    assert_eq!(verdict(&bowl, "x", 0.0), (Rest::Stable, Signs::Exact));
    let hill = of("param g = 10\ncoord x, z\npoint P = (x, 0, z) mass 1\ngravity (0, 0, -g)\nconstraint hill: z = x^3");
    assert_eq!(verdict(&hill, "x", 0.0), (Rest::Unstable, Signs::Exact));
}

#[test]
fn two_flat_directions_are_left_open() {
    let found = at(&particle("x, y", "x^4 + y^4"), "x", 0.0);
    assert_eq!(found.stability, Rest::Undecided);
}

#[test]
fn simple_roots_that_lie_close_are_no_multiple_ones() {
    let factors: Vec<String> = (1..=9).map(|k| format!("(x - {k})")).collect();
    let set = of(&format!("coord x\nkinetic x'^2/2\ngeneralized force -{} on x", factors.join("*")));
    assert_eq!(set.equilibria.len(), 9);
    assert!(set.equilibria.iter().all(|one| one.kind == EquilibriumKind::Point), "{set:?}");
}

#[test]
fn a_support_that_carries_nothing_does_not_hold() {
    let on_floor = |coordinates: &str, potential: &str| {
        let kinetic = if coordinates.contains('x') { "x'^2 + y'^2" } else { "y'^2" };
        let text = format!("coord {coordinates}\nkinetic ({kinetic})/2\npotential {potential}\nconstraint f: y >= 0");
        at(&of(&text), "y", 0.0)
    };
    assert_eq!(on_floor("y", "-3*y^2/2").stability, Rest::Unstable);
    assert_eq!(on_floor("x, y", "x^2 - y^3").stability, Rest::Unstable);
    assert_eq!(on_floor("x, y", "x^2/2 - 3*x*y + y^2/2").stability, Rest::Unstable);
    // on the side that the floor allows, the energy rises
    assert_eq!(on_floor("x, y", "x^2 + y^3").stability, Rest::Stable);
    assert_eq!(on_floor("y", "3*y^2/2").stability, Rest::Stable);
    // what is pressed holds
    assert_eq!(on_floor("y", "y - 3*y^2/2").stability, Rest::Stable);
}

#[test]
fn a_force_that_bends_is_judged_on_each_side() {
    let zone =
        of("param d = 1/2\ncoord x\nkinetic x'^2/2\ngeneralized force -10*max(x - d, 0) - 10*min(x + d, 0) on x");
    for x in [-0.5, 0.5] {
        let found = zone.equilibria.iter().find(|one| one.values.get("x").is_some_and(|y| (x - y).abs() < 1e-6));
        assert!(found.is_none_or(|one| one.stability == Rest::Neutral), "{found:?}");
    }
    let bent = at(&particle("x", "x^2/2 + x*abs(x)/4"), "x", 0.0);
    assert_eq!(bent.stability, Rest::Stable, "{bent:?}");
}

#[test]
fn a_force_that_jumps_has_its_place() {
    let valley = particle("x", "2*abs(x - 3)");
    assert_eq!(valley.equilibria.len(), 1, "{valley:?}");
    assert_eq!(at(&valley, "x", 3.0).stability, Rest::Stable);
    assert_eq!(at(&particle("x", "-2*abs(x)"), "x", 0.0).stability, Rest::Unstable);
    let step = of("param F = 1, R = 2\ncoord x\nkinetic x'^2/2\ngeneralized force F - R*sign(x) on x");
    assert!(!step.complete && step.thresholds.is_empty(), "{step:?}");
    assert!(step.notes.iter().any(|note| note.contains("`sign(x)` jumps")), "{:?}", step.notes);
}

#[test]
fn dry_friction_written_by_hand_is_named() {
    let block = of("coord x\nkinetic x'^2/2\npotential 5*x^2\ngeneralized force -2*sign(x') on x");
    assert!(!block.complete, "{block:?}");
    assert!(block.notes.iter().any(|note| note.contains("sign(x')")), "{:?}", block.notes);
    assert!(block.equilibria.iter().all(|one| one.stability == Rest::Undecided), "{block:?}");
}

#[test]
fn all_supports_of_an_indeterminate_system_carry() {
    let bar = of("param W = 12, l = 1\ncoord y\ncoord a : rad\nframe B = N rotated z by a\n\
                  body D mass 1 at (0, y) frame B inertia 1\nforce (0, -W) on D\nconstraint s1: y - l*sin(a) = 0\n\
                  constraint s2: y = 0\nconstraint s3: y + l*sin(a) = 0");
    let found = at(&bar, "a", 0.0);
    let shared = &found.shared_loads[0];
    assert_eq!(shared.rows, ["s1", "s2", "s3"]);
    assert!((shared.resultant.unwrap()[1] - 12.0).abs() < 1e-9, "{shared:?}");
    assert_eq!((found.indeterminate, found.balancing.len()), (1, 1));
    assert!(found.exact.is_some_and(|exact| exact.get("s1").is_none()));
}

#[test]
fn at_a_strict_minimum_rest_is_the_only_motion() {
    let valley = at(&particle("x", "3*cbrt(x^4)"), "x", 0.0);
    assert_eq!((valley.stability, valley.unique), (Rest::Stable, true));
    let hill = at(&particle("x", "-3*cbrt(x^4)"), "x", 0.0);
    assert_eq!((hill.stability, hill.unique), (Rest::Unstable, false));
}

#[test]
fn where_a_frame_turns_the_eigenvalue_is_told() {
    let text = "param m = 1, g = 10, l = 1/2, A = 3/10, C = 1/10, n = 10\ncoord a, b, s : rad\n\
                frame B = N rotated x by a, y by b, z by s\nbody T mass m at l*B.z frame B inertia (A, A, C) about 0\n\
                gravity (0, 0, -g)\nstart s' = n";
    let wanted = Equilibria { relative: vec!["s".to_owned()], ..Equilibria::default() };
    let set = ask::equilibria(&Settings::new("top.mech", text), &wanted).expect("a set");
    let upright = set.equilibria.iter().find(|one| one.values.0[..2].iter().all(|value| value.1.abs() < 1e-9));
    let upright = upright.expect("the upright top");
    assert_eq!(upright.stability, Rest::Unstable);
    // (C n ± √(C² n² − 4 A m g l))/(2 A) i
    assert!(upright.reason.contains("3.72677996 ± 1.66666667 i"), "{}", upright.reason);
}

#[test]
fn conditions_of_stability_say_something() {
    for name in ["two-rods-couple", "table-edge", "governor", "triangle-slots", "ellipsoid"] {
        let found = ask::equilibria(&Settings::gallery(name).unwrap(), &Equilibria::default()).unwrap();
        let told = found.branches.iter().filter_map(|branch| branch.stability.as_ref());
        for text in told {
            let is_empty = ["while 1 ", "while -1 ", "while -sqrt"].iter().any(|part| text.contains(part));
            assert!(!is_empty, "{name}: {text}");
        }
    }
    let rods = ask::equilibria(&Settings::gallery("two-rods-couple").unwrap(), &Equilibria::default());
    let told: Vec<String> = rods.unwrap().branches.iter().filter_map(|branch| branch.stability.clone()).collect();
    assert!(told.contains(&"stable while P*a - M > 0".to_owned()), "{told:?}");
    assert!(told.contains(&"unstable while M - P*a < 0".to_owned()), "{told:?}");
}

#[test]
fn where_nothing_turns_no_momentum_is_held() {
    let pendulum = "param m = 1, l = 1, g = 981/100\ncoord th, ph : rad\n\
                    point P = l*(sin(th)*cos(ph), sin(th)*sin(ph), -cos(th)) mass m\ngravity (0, 0, -g)\n";
    // the top of the pendulum falls however fast an angle runs that means nothing there; sin(π) is no zero in floats
    let rest = |text: &str, relative: &str, name: &str, wanted: f64| {
        let wanted_of = Equilibria { relative: vec![relative.to_owned()], ..Equilibria::default() };
        let set = ask::equilibria(&Settings::new("test.mech", text), &wanted_of).expect("a set");
        (
            at(&set, name, wanted).stability,
            set.branches.iter().filter_map(|one| one.stability.clone()).collect::<Vec<_>>(),
        )
    };
    let top = rest(&format!("{pendulum}start th = 1/2, ph' = 3"), "ph", "th", std::f64::consts::PI);
    assert_eq!(top.0, Rest::Undecided);
    let beside = rest(&format!("{pendulum}start th = 1/2, ph' = 4"), "ph", "th", (9.81_f64 / 16.0).acos());
    assert_eq!(beside.0, Rest::Stable);
    // a spring that repels
    let repelled = "param m = 1, k = -2\ncoord r\ncoord ph : rad\npoint P = r*(cos(ph), sin(ph)) mass m\n\
                    potential k*r^2/2 + r^4/4\nstart r = 1, ph' = 1";
    let (origin, told) = rest(repelled, "ph", "r", 0.0);
    assert_eq!(origin, Rest::Undecided);
    assert!(!told.iter().any(|text| text.contains("3*m")), "{told:?}");
    // a potential that depends on the angle: a ridge at the top
    let set = of(&format!("{pendulum}potential 30*P.x^2/2"));
    assert_eq!(at(&set, "th", std::f64::consts::PI).stability, Rest::Undecided);
}

#[test]
fn a_saddle_whose_stiffnesses_cancel_in_their_sum_is_one() {
    let saddle = "param k : N/m\ncoord x, y : m\npoint P = (x, y) mass 1 kg\npotential k*x*y\nassume k > 0\n";
    let set = of(saddle);
    let told: Vec<&str> = set.branches.iter().filter_map(|one| one.stability.as_deref()).collect();
    assert_eq!(told, ["unstable"]);
}
