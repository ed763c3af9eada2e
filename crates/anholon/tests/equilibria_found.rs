//! What the search for equilibria must not find, must not leave out, and must say: points that only look like equilibria,
//! ranges that are too wide, searches that end early.

mod ask;

use anholon::Progress;
use anholon::answer::{EquilibriumKind, Support};
use anholon::{Equilibria, EquilibriumSet, Settings};

fn boxed(text: &str) -> Equilibria {
    Equilibria { within: Some(text.to_owned()), ..Equilibria::default() }
}

fn set(text: &str, changes: &[&str], wanted: &Equilibria) -> EquilibriumSet {
    ask::equilibria(&settings(text, changes), wanted).expect("a set")
}

fn refused(text: &str, changes: &[&str], wanted: &Equilibria) -> String {
    ask::equilibria(&settings(text, changes), wanted).expect_err("bad input").to_string()
}

fn settings(text: &str, changes: &[&str]) -> Settings {
    Settings { set: changes.iter().map(|&one| one.to_owned()).collect(), ..Settings::new("test.mech", text) }
}

fn values(set: &EquilibriumSet, name: &str) -> Vec<f64> {
    let mut list: Vec<f64> = set.equilibria.iter().map(|one| *one.values.get(name).expect("a value")).collect();
    list.sort_by(f64::total_cmp);
    list
}

fn close(found: &[f64], wanted: &[f64]) {
    let is_close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-8 * b.abs().max(1.0);
    assert!(found.len() == wanted.len() && found.iter().zip(wanted).all(is_close), "{found:?} against {wanted:?}");
}

const MORSE: &str = "param D = 1 J, a = 1 1/m\ncoord x : m\npoint P = (x,0) mass 1 kg\n\
                     potential D*(1-exp(-a*(x-1 m)))^2\n";

const PENDULUM: &str = "param m = 1 kg, l = 2 m, g = 10 m/s^2\ncoord x, y : m\npoint P = (x,y) mass m\n\
                        gravity (0,-g)\nconstraint rod: x^2+y^2 = l^2\nstart x = 0, y = -l\n";

const HOOP: &str = "param m = 1 kg, R = 0.5 m, g = 9.81 m/s^2, w = 6 rad/s\ncoord th : rad\n\
                    point P = R*(sin(th)*cos(w*t), sin(th)*sin(w*t), -cos(th)) mass m\ngravity (0,0,-g)\n";

const BAR: &str = "param k = 100 N/m, l = 2 m, m = 1 kg\ncoord x, y : m\ncoord a : rad\nframe B = N rotated z by a\n\
                   body R1 mass m at (x,y) frame B inertia m*l^2/12\npoint A1 = (-l/2,0)\npoint A2 = (l/2,0)\n\
                   spring k rest l/4 between A1 and (x,y) + (l/2)*B.x\nspring k rest l/4 between A2 and (x,y) + (l/2)*B.x\n\
                   spring k rest l/4 between A1 and (x,y) - (l/2)*B.x\nspring k rest l/4 between A2 and (x,y) - (l/2)*B.x\n\
                   start a = 1.5\n";

#[test]
fn a_force_that_dies_away_is_no_equilibrium() {
    for wanted in [Equilibria::default(), boxed("x=-5..30")] {
        let set = set(MORSE, &[], &wanted);
        close(&values(&set, "x"), &[1.0]);
    }
}

#[test]
fn a_pendulum_hangs_or_stands_however_long_it_is() {
    for l in ["1e-3", "2", "1e6", "1e7", "1e9", "1e12"] {
        let set = set(PENDULUM, &[&format!("l={l}")], &Equilibria::default());
        let l: f64 = l.parse().unwrap();
        assert_eq!(set.equilibria.len(), 2, "{l}");
        close(&values(&set, "y").iter().map(|y| y / l).collect::<Vec<_>>(), &[-1.0, 1.0]);
        assert!(values(&set, "x").iter().all(|x| x.abs() < 1e-9 * l), "{l}");
    }
}

#[test]
fn a_bar_on_four_springs_rests_at_isolated_places() {
    let set = set(BAR, &[], &Equilibria::default());
    assert!(set.equilibria.iter().all(|one| one.kind == EquilibriumKind::Point), "{:?}", set.equilibria);
    // the same 26 as by a separate Newton in Python from 6000 starts
    assert_eq!(set.equilibria.len(), 26);
}

#[test]
fn every_turn_in_a_wide_range_is_listed() {
    let tilted = (9.81_f64 / (0.5 * 36.0)).acos();
    let turn = std::f64::consts::TAU;
    let set = set(HOOP, &[], &boxed("th=0..10"));
    assert!(set.complete, "{}", set.completeness);
    let pi = std::f64::consts::PI;
    close(&values(&set, "th"), &[0.0, tilted, pi, turn - tilted, turn, turn + tilted, 3.0 * pi]);
    let far = set.equilibria.iter().find(|one| (one.values.get("th").unwrap() - turn - tilted).abs() < 1e-8).unwrap();
    assert_eq!(far.exact.as_ref().unwrap().get("th").unwrap(), "acos(g/(R*w^2)) + 2*pi");
}

#[test]
fn very_many_turns_are_told_modulo_turns() {
    let set = set(HOOP, &[], &boxed("th=100..1000"));
    assert_eq!(set.equilibria.len(), 4);
    assert!(values(&set, "th").iter().all(|th| (100.0..=1000.0).contains(th)), "{:?}", values(&set, "th"));
    assert!(set.completeness.contains("modulo whole turns"), "{}", set.completeness);
}

#[test]
fn ranges_that_floats_cannot_resolve_are_refused() {
    for range in ["th=-1e9..1e9", "th=0..1e300", "th=-1e12..1e12"] {
        let said = refused(HOOP, &[], &boxed(range));
        assert!(said.contains("`th`") && said.contains("a million turns") && said.contains("th=-pi..pi"), "{said}");
    }
    let said = refused(MORSE, &[], &boxed("x=0..1e300"));
    assert!(said.contains("`x`") && said.contains("wider than floating point"), "{said}");
    let said = refused(HOOP, &[], &boxed("th=0..0"));
    assert!(said.contains("one place") && !said.contains("smaller end"), "{said}");
}

#[test]
fn a_parameter_that_overflows_is_refused() {
    let said = refused(HOOP, &["w=1e400"], &Equilibria::default());
    assert!(said.contains("`w`") && said.contains("no finite number"), "{said}");
}

/// One who has had enough after some time.
struct Impatient(usize);

impl Progress for Impatient {
    fn reached(&mut self, _share: f64) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

#[test]
fn a_search_ends_in_every_phase() {
    let chain = "param n = 6, l = 0.1 m, m = 0.05 kg, g = 9.81 m/s^2\ncoord a[1..n] : rad\npoint P[0] = 0\n\
                 point P[i] = P[i-1] + l*(sin(a[i]), -cos(a[i])) mass m for i in 1..n\ngravity (0,-g)\n\
                 start a[i] = 0.01 rad*i for i in 1..n\n";
    for calls in [1, 30, 290, 320] {
        let stopped = anholon::equilibria(
            &anholon::open(&settings(chain, &[])).unwrap(),
            &Equilibria::default(),
            &mut Impatient(calls),
        );
        let stopped = stopped.expect("a set");
        assert_eq!((stopped.decided, stopped.complete), (false, false), "{calls}");
        assert!(stopped.completeness.contains("interrupted"), "{}", stopped.completeness);
        assert!(stopped.equilibria.len() < 64, "{calls}: {}", stopped.equilibria.len());
    }
}

#[test]
fn a_constraint_that_depends_at_the_start_alone_is_kept() {
    let circles = "param m = 1 kg, g = 10 m/s^2\ncoord x, y : m\npoint P = (x,y) mass m\ngravity (0,-g)\n\
                   constraint c1: x^2+y^2 = 1 m^2\nconstraint c2: (x-2 m)^2+y^2 = 1 m^2\nstart x = 1 m\n";
    let set = set(circles, &[], &Equilibria::default());
    assert!(set.equilibria.is_empty(), "{:?}", set.equilibria);
    assert!(set.notes.iter().any(|note| note.contains("depend on each other")), "{:?}", set.notes);
}

#[test]
fn gimbal_lock_is_no_equilibrium() {
    let top = "param m = 1 kg, g = 10 m/s^2, l = 0.5 m, A = 0.3 kg*m^2, C = 0.1 kg*m^2\ncoord a, b, s : rad\n\
               frame B = N rotated x by a, y by b, z by s\nbody T mass m at l*B.z frame B inertia (A,A,C) about 0\n\
               gravity (0,0,-g)\n";
    let set = set(top, &[], &Equilibria::default());
    assert_eq!(set.equilibria.len(), 4, "{:?}", set.equilibria);
    let singular = set.notes.iter().filter(|note| note.contains("the angles are singular"));
    assert_eq!(singular.count(), 4, "{:?}", set.notes);
}

#[test]
fn a_cusp_is_a_place_of_which_nothing_is_proved() {
    let cusp = "param m = 1 kg, g = 10 m/s^2\ncoord x, y : m\npoint P = (x,y) mass m\ngravity (-g,0)\n\
                constraint c: y^2 = x^3/(1 m)\nstart x = 1 m, y = 1 m\n";
    let set = set(cusp, &[], &Equilibria::default());
    assert!(!set.complete && set.equilibria.is_empty(), "{set:?}");
    assert!(set.completeness.contains("but where the constraints depend"), "{}", set.completeness);
    assert!(set.notes.iter().any(|note| note.starts_with("at one place the constraints depend")), "{:?}", set.notes);
}

#[test]
fn places_of_dependent_constraints_are_counted_once() {
    let bars = "param m = 1 kg, l = 1 m, d = 1.5 m, g=9.81 m/s^2\ncoord a, b, c : rad\n\
                point A = l*(cos(a), sin(a)) mass m\npoint B = A + d*(cos(b), sin(b)) mass m\n\
                constraint close: B = (d,0) + l*(cos(c), sin(c))\ngravity (0,-g)\nstart a = 1, b = 0, c = 1\n";
    let set = set(bars, &[], &Equilibria::default());
    // folded to either side
    assert!(set.notes.iter().any(|note| note.starts_with("at 2 places the constraints depend")), "{:?}", set.notes);
}

#[test]
fn a_constraint_that_holds_nowhere_is_named() {
    let nowhere = "coord x, y : m\npoint P = (x,y) mass 1 kg\nconstraint c1: x^2 + y^2 = -1 m^2\n";
    let set = set(nowhere, &[], &Equilibria::default());
    assert!(set.notes.iter().any(|note| note.contains("`c1` cannot hold anywhere")), "{:?}", set.notes);
}

#[test]
fn mirror_images_are_found_too() {
    let cube = "param m = 1 kg, g = 10 m/s^2, r = 1 m, h = 0.5 m\ncoord th : rad\nframe B = N rotated z by -th\n\
                body C mass m at r*(sin(th),cos(th)) - r*th*(cos(th),-sin(th)) + h*(sin(th),cos(th)) frame B \
                inertia m*h^2*2/3\ngravity (0,-g)\n";
    let found = values(&set(cube, &[], &Equilibria::default()), "th");
    let mirrored: Vec<f64> = found.iter().rev().map(|x| -x).collect();
    close(&found, &mirrored);
}

#[test]
fn simple_roots_of_a_steep_polynomial_are_no_multiple_ones() {
    let factors: Vec<String> = (1..=12).map(|k| format!("(x - {k})")).collect();
    let text = format!("coord x\npoint P = (x,0) mass 1\ngeneralized force -{} on x\n", factors.join("*"));
    let set = set(&text, &[], &boxed("x=0.5..12.6"));
    assert!(
        set.equilibria.len() == 12 && set.equilibria.iter().all(|one| one.kind == EquilibriumKind::Point),
        "{set:?}"
    );
}

#[test]
fn where_two_points_meet_a_force_between_them_has_no_direction() {
    // folded flat the direction of Q is anything: rounding had made half a hundred equilibria of it
    let found = ask::equilibria(&Settings::gallery("rhombus").unwrap(), &Equilibria::default()).unwrap();
    assert_eq!(found.equilibria.len(), 1, "{:?}", found.equilibria);
    assert_eq!((found.equilibria[0].kind, found.equilibria[0].family_dimension), (EquilibriumKind::Family, 1));
}

#[test]
fn what_leaves_a_place_of_dependent_constraints_does_not_rest_there() {
    for name in ["table-edge", "neutral-curve"] {
        let found = ask::equilibria(&Settings::gallery(name).unwrap(), &Equilibria::default()).unwrap();
        assert!(found.complete, "{name}: {} {:?}", found.completeness, found.notes);
    }
}

/// A beam on three one-sided supports at −1, 0 and 1 m, its mass centre over a and at a height h.
const BEAM: &str = "param m = 10 kg, g = 9.81 m/s^2, a = 0.5 m, h = 0.3 m\ncoord x, y : m\ncoord phi : rad\n\
    frame B = N rotated z by phi\npoint C = (x, y)\nbody D mass m at C frame B inertia 3 kg*m^2\n\
    point L = C - (1 m + a)*B.x - h*B.y\npoint M = C - a*B.x - h*B.y\npoint R = C + (1 m - a)*B.x - h*B.y\ngravity (0, -g)\n\
    constraint l: L.y >= 0\nconstraint c: M.y >= 0\nconstraint r: R.y >= 0\nconstraint hold: x = 0\nstart y = h, phi = 0\n";

#[test]
fn supports_that_share_a_load_hold_if_some_division_of_it_only_pushes() {
    // judge the shortest multipliers alone, and 0.9 is left out: its mean is a third, and `l` would pull
    for (a, rests) in [("0", true), ("0.5", true), ("0.9", true), ("-0.99", true), ("1.01", false), ("-1.2", false)] {
        let set = set(BEAM, &[&format!("a={a}")], &Equilibria::default());
        let flat = set.equilibria.iter().filter(|one| one.values.get("phi").is_some_and(|phi| phi.abs() < 1e-9));
        let flat: Vec<_> = flat.collect();
        assert_eq!(flat.len(), usize::from(rests), "{a}: {:?}", set.equilibria);
        // a support that touches is not called open: rounding of sin(pi) is no gap
        for one in &flat {
            assert!(one.contact.0.iter().all(|(_, word)| *word == Support::Closed), "{a}: {:?}", one.contact);
        }
        let same =
            |p: f64| set.equilibria.iter().filter(|one| (one.values.get("phi").unwrap() - p).abs() < 1e-6).count();
        assert!(same(std::f64::consts::PI) <= 1, "{a}: {:?}", set.equilibria);
    }
}

#[test]
fn supports_that_carry_nothing_in_every_division_do_not_hold() {
    // over the last support the others are idle: standing on it the beam falls, hanging from it it stays
    let stable = |h: &str| {
        let set = set(BEAM, &["a=1", &format!("h={h}")], &Equilibria::default());
        let flat = set.equilibria.iter().find(|one| one.values.get("phi").is_some_and(|phi| phi.abs() < 1e-9));
        let flat = flat.unwrap_or_else(|| panic!("{h}: {:?}", set.notes));
        assert!(flat.reason.contains("`l`, `c`"), "{}", flat.reason);
        flat.stability == anholon::answer::Rest::Stable
    };
    assert!(!stable("0.3"));
    assert!(stable("-0.3"));
}

#[test]
fn what_is_rounding_is_no_couple_at_singular_angles() {
    // two bodies hang straight down, where their angles are singular
    let body = |k: usize, h: f64| {
        format!(
            "coord x{k}, y{k}, z{k}, p{k}, r{k}, s{k}\nframe B{k} = N rotated z by p{k}, y by r{k}, x by s{k}\n\
             point C{k} = (x{k}, y{k}, z{k})\nbody D{k} mass 2 at C{k} frame B{k} inertia (0.3, 0.9, 1.1)\n\
             point L{k} = C{k} - {h}*B{k}.x\npoint R{k} = C{k} + {h}*B{k}.x\n"
        )
    };
    let text = format!(
        "{}{}gravity (0, 0, -9.8)\nconstraint ball: L1 = 0\nconstraint next: L2 = R1\nstart r1 = 0.5, r2 = 0.2\n",
        body(1, 1.0),
        body(2, 0.7)
    );
    let set = set(&text, &[], &Equilibria::default());
    close(&values(&set, "z2"), &[-2.7, -1.3, 1.3, 2.7]);
}
