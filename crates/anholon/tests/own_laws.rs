//! Loads that follow the reaction of a constraint: the same motion and the same proof as Coulomb's built-in law, a gear
//! that loses, states at which a law determines no motion or two, and laws that are refused.

#![allow(non_snake_case, reason = "inside formulas the letters of the books")]

use anholon::answer::Evaluation;
use anholon::{Alone, Evaluate, Evaluated, Prove, Settings, Simulate, Simulation, evaluate, open, prove, simulate};

const WEDGE: &str = "\
param m = 2 kg, M = 5 kg, g = 9.81 m/s^2, al = 0.5 rad, mu = 0.2
coord x, y, X : m
frame F = N rotated z by -al
point P = (x, y) mass m
body W mass M at (X, 0) frame N inertia 1 kg*m^2
gravity (0, -g)
";
const WEDGE_START: &str = "start x = 0, y = 0, X = 0, dot(velocity(P) - velocity(W), F.x) = 1 m/s, X' = 0\n";
const RING: &str = "\
param m = 0.1 kg, r = 0.5 m, g = 9.81 m/s^2, mu = 0.3
coord x, y : m
point P = (x, y) mass m
gravity (0, -g)
constraint ring: x^2 + y^2 = r^2
start x = r, y = 0, y' = -2 m/s
";
const GEAR: &str = "\
param J1 = 0.2 kg*m^2, J2 = 3 kg*m^2, n = 4, eta = 0.8, M = 2 N*m, L = 1 N*m
coord a, b : rad
frame A = N rotated z by a
frame B = N rotated z by b
body D1 mass 1 kg at 0 frame A inertia J1
body D2 mass 1 kg at 0 frame B inertia J2
constraint gear: a = n*b
torque M*N.z on D1
torque -L*N.z on D2
start a = 0, a' = 1 rad/s
";
/// A rod whose end is held to a rough floor.
const ROD: &str = "\
param m = 1 kg, l = 0.5 m, g = 9.81 m/s^2, mu = 1.8
coord x, y : m
coord th : rad
frame R = N rotated z by th
body D mass m at (x, y) frame R inertia m*l^2/3
point T = (x, y) - l*R.x
gravity (0, -g)
constraint floor: T.y = 0
force -mu*abs(multiplier(floor))*N.x on D at T
";

fn moved(text: &str, duration: f64) -> Simulation {
    let loaded = open(&Settings::new("test.mech", text)).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let wanted = Simulate { duration: Some(duration), tolerance: Some(1e-12), ..Simulate::default() };
    simulate(&loaded, &wanted, &mut Alone).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn evaluated(text: &str, form: Option<&str>) -> Result<Evaluation, String> {
    let loaded = open(&Settings::new("test.mech", text)).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let wanted = Evaluate { form: form.map(str::to_owned) };
    match evaluate(&loaded, &wanted, &mut Alone).unwrap_or_else(|error| panic!("{error}\n{text}")) {
        Evaluated::Found(found) => Ok(*found),
        Evaluated::NoAnswer { reason, .. } => Err(reason),
    }
}

fn same_motion(own: &str, built_in: &str, names: &[&str], duration: f64) {
    let (own, built_in) = (moved(own, duration), moved(built_in, duration));
    for motion in [&own, &built_in] {
        assert_eq!(motion.stopped_by.failure(), None);
        assert_eq!(motion.last.t, duration);
    }
    for name in names {
        let [a, b] = [&own, &built_in].map(|motion| motion.last.get(name).unwrap());
        assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()), "{name}: {a} by the own law, {b} by the built-in one");
    }
}

/// The forms that apply, if all agree.
fn proved(text: &str) -> Vec<String> {
    let loaded = open(&Settings::new("test.mech", text)).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let found = prove(&loaded, &Prove::default(), &mut Alone).unwrap();
    assert!(found.verdict <= anholon::Agreement::Equivalent, "{:?}\n{text}", found.verdict);
    found.forms.iter().filter(|form| form.applicable).map(|form| form.form.to_string()).collect()
}

#[test]
fn a_block_on_a_moving_wedge_slides_as_by_the_built_in_law() {
    // take G = 0, as if friction did not change the normal force, and it fails: 1 + G is 0.95 here
    let law = "constraint face: dot(P - W, F.y) = 0\nforce -mu*abs(multiplier(face))*F.x on P against W\n";
    let built_in = "contact face: P slides on plane(F.y, 0) of W\nfriction mu on face\n";
    let [own, built_in] = [law, built_in].map(|more| format!("{WEDGE}{more}{WEDGE_START}"));
    same_motion(&own, &built_in, &["x", "y", "X", "x'", "y'", "X'", "x''", "X''"], 0.4);
    let forms = proved(&own);
    let reduced = ["kane", "appell", "maggi", "chaplygin", "hamel", "nielsen", "udwadia-kalaba", "positions"];
    assert!(reduced.iter().all(|name| forms.iter().any(|form| form == name)), "{forms:?}");
    proved(&built_in);
}

#[test]
fn a_bead_on_a_ring_slides_as_by_the_built_in_law_however_it_is_written() {
    let built_in = format!("{RING}friction mu on ring\n");
    for law in [
        "force -mu*norm(reaction(ring))*unit(velocity(P)) on P",
        "force -mu*abs(multiplier(ring))*2*r*unit(velocity(P)) on P",
        "let press = 2*r*multiplier(ring)\nforce -mu*abs(press)*velocity(P)/norm(velocity(P)) on P",
    ] {
        let own = format!("{RING}{law}\n");
        same_motion(&own, &built_in, &["x", "y", "x'", "y'", "multiplier(ring)"], 0.3);
    }
    proved(&format!("{RING}force -mu*norm(reaction(ring))*unit(velocity(P)) on P\n"));
}

#[test]
fn a_gear_loses_a_part_of_what_it_carries() {
    // by hand: D1 gives −λ, and eta of it arrives: J1 a'' = M + λ, J2 b'' = −n eta λ − L, a'' = n b''
    let (J1, J2, n, eta, M, L) = (0.2, 3.0, 4.0, 0.8, 2.0, 1.0);
    let b = (n * eta * M - L) / (J2 + eta * n * n * J1);
    let lambda = n * J1 * b - M;
    for law in [
        "generalized force (1 - eta)*n*multiplier(gear) on b",
        "generalized force -(1 - eta)*n*abs(multiplier(gear)) on b",
        "torque -(1 - eta)*n*abs(multiplier(gear))*N.z on D2",
        "torque (1 - eta)*n*multiplier(gear)*N.z on D2",
    ] {
        let text = format!("{GEAR}{law}\n");
        for form in [None, Some("kane"), Some("multipliers"), Some("chaplygin"), Some("gauss"), Some("newton-euler")] {
            let found = evaluated(&text, form).unwrap();
            let is = [*found.accelerations.get("b''").unwrap(), *found.multipliers.get("gear").unwrap()];
            assert!((is[0] - b).abs() < 1e-12 && (is[1] - lambda).abs() < 1e-12, "{law} by {form:?}: {is:?}");
        }
        assert!(proved(&text).len() > 20, "{law}");
    }
    // where the load drives, the other side of the law holds: J2 b'' = −n (2 − eta) λ − L
    let text = format!("{GEAR}generalized force -(1 - eta)*n*abs(multiplier(gear)) on b\n")
        .replace("M = 2 N*m", "M = -20 N*m");
    let (M, eta) = (-20.0, 2.0 - eta);
    let b = (n * eta * M - L) / (J2 + eta * n * n * J1);
    let found = evaluated(&text, None).unwrap();
    let is = *found.accelerations.get("b''").unwrap();
    assert!((is - b).abs() < 1e-11, "{is} instead of {b}");
}

#[test]
fn a_law_without_one_motion_is_told_and_ends_a_motion() {
    // 1 + G = 1 ∓ 3 mu sin cos/(1 + 3 cos²): one side is negative where mu is large
    for (start, words) in
        [("th = 0.8 rad, th' = 0", "two motions satisfy it"), ("th = 0.8 rad, th' = 9 rad/s", "no motion satisfies it")]
    {
        let text = format!("{ROD}start {start}, x = 0, velocity(T).x = 3 m/s\n");
        let reason = evaluated(&text, None).map(|_| ()).unwrap_err();
        assert!(reason.contains(words) && reason.contains("`floor`"), "{reason}");
        let motion = moved(&text, 0.1);
        assert!(motion.stopped_by.failure().is_some_and(|reason| reason.contains(words)));
    }
    let text = format!("{ROD}start th = 0.8 rad, th' = 0, x = 0, velocity(T).x = 3 m/s\n");
    let loaded = open(&Settings::new("test.mech", &text)).unwrap();
    let error = anholon::linearize(&loaded, &anholon::Linearize::default(), &mut Alone).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("two motions satisfy it"), "{error}");
    // with little friction there is one motion
    assert!(evaluated(&format!("{ROD}start th = 0.8 rad, x = 0\n").replace("mu = 1.8", "mu = 0.3"), None).is_ok());
    // a linear law is singular at one place alone, and a motion that comes there ends
    let linear = ROD.replace("abs(multiplier(floor))", "multiplier(floor)").replace("-mu*", "mu*");
    let text = format!("{linear}start th = 1.4 rad, x = 0, velocity(T).x = 3 m/s, th' = -6 rad/s\n");
    let motion = moved(&text, 2.0);
    let reason = motion.stopped_by.failure().unwrap_or_else(|| panic!("went on to {}", motion.last.t));
    assert!(reason.contains("`floor`") || reason.contains("step"), "{reason}");
    assert!(motion.last.t > 0.001 && motion.last.t < 0.1);
}

#[test]
fn laws_that_are_no_multiples_of_a_reaction_are_refused_by_name() {
    for (law, words) in [
        ("force -mu*multiplier(ring)^2/(1 N/m)*2*r*unit(velocity(P)) on P", vec!["no multiple of `lambda_ring`"]),
        ("force -mu*abs(2*r*multiplier(ring) - 1 N)*N.x on P", vec!["no multiple of `lambda_ring`"]),
        ("force -mu*max(2*r*multiplier(ring), 1 N)*N.x on P", vec!["no multiple of `lambda_ring`"]),
        ("force sin(multiplier(ring)/(1 N/m))*1 N*N.x on P", vec!["no multiple of `lambda_ring`"]),
        ("force -energy()/r*N.x on P", vec!["cannot depend on reactions or energies", "multiplier(c)"]),
        ("force multiplier(rong)*r*N.x on P", vec!["`rong`", "did you mean `ring`?"]),
        ("force multiplier(ring)*N.x on P", vec!["(N/m)"]),
        ("constraint wall: x >= -1 m\nforce multiplier(ring)*r*N.x on P", vec!["`wall`", "does not always act"]),
        ("friction mu on ring\nforce multiplier(ring)*r*N.x on P", vec!["friction"]),
        ("potential multiplier(ring)*r^2", vec!["cannot depend on reactions"]),
        ("spring multiplier(ring) between P and (0, 0)", vec!["cannot depend on reactions"]),
    ] {
        let text = format!("{RING}{law}\n");
        let error = match open(&Settings::new("test.mech", &text)) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("accepted: {law}"),
        };
        assert!(words.iter().all(|word| error.contains(word)), "{law}:\n{error}");
    }
}

#[test]
fn a_claim_about_an_own_law_is_judged_by_it() {
    let text = format!("{GEAR}generalized force (1 - eta)*n*multiplier(gear) on b\n");
    let loaded = open(&Settings::new("test.mech", &text)).unwrap();
    for (claim, verdict) in [
        ("(J2 + eta*n^2*J1)*b'' = n*eta*M - L", "correct"),
        ("(J2 + n^2*J1)*b'' = n*M - L", "wrong"),
        ("multiplier(gear) = J1*a'' - M", "correct"),
    ] {
        let wanted = anholon::Claims { more: vec![claim.to_owned()], ..anholon::Claims::default() };
        let found = anholon::audit(&loaded, &wanted, &mut Alone).unwrap();
        assert_eq!(found.claims[0].verdict.to_string(), verdict, "{claim}: {:?}", found.claims[0].reason);
    }
}
