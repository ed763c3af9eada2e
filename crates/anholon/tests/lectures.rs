//! What does a lecturer read of a model of his own? Mostly without any value: what textbooks write beside what we write.

mod ask;

use anholon::{Derivation, Derive, Equilibria, Settings, open};
use ask::derive;

const HOLE: &str = "\
param m, M : kg
param g : m/s^2
param L : m
coord r : m
coord phi : rad
point P = r*(cos(phi), sin(phi), 0) mass m
point Q = (0, 0, r - L) mass M
gravity (0, 0, -g)
";
const TWO_BODIES: &str = "\
param m1, m2 : kg
param G : m^3/kg/s^2
coord X, Y : m
coord r : m
coord phi : rad
let M = m1 + m2
point A = (X, Y) - m2/M*r*(cos(phi), sin(phi)) mass m1
point B = (X, Y) + m1/M*r*(cos(phi), sin(phi)) mass m2
potential -G*m1*m2/r
";
const DOUBLE_ATWOOD: &str = "\
param m1, m2, m3 : kg
param g : m/s^2
param L1, L2 : m
coord x1, x2, x3, p : m
point A = (x1, 0) mass m1
point B = (x2, 0) mass m2
point C = (x3, 0) mass m3
gravity (g, 0)
constraint upper: x1 + p = L1
constraint lower: x2 - p + x3 - p = L2
";
const TOP: &str = "\
param m : kg
param l : m
param g : m/s^2
param A, C : kg*m^2
coord psi, theta, phi : rad
frame B = N rotated z by psi, x by theta, z by phi
body top mass m at l*B.z frame B inertia (A, A, C) about 0
gravity (0, 0, -g)
speed p = dot(omega(top), B.x)
speed q = dot(omega(top), B.y)
speed r = dot(omega(top), B.z)
";
const SATELLITE: &str = "\
param Ix, Iy, Iz, J : kg*m^2
coord psi, theta, phi, s : rad
input T : N*m = 0 N*m
frame B = N rotated z by psi, y by theta, x by phi
frame W = B rotated z by s
body sat mass 1 kg at 0 frame B inertia (Ix, Iy, Iz)
body wheel mass 1 kg at 0 frame W inertia (J/2, J/2, J)
torque T*B.z on wheel against sat
speed p = dot(omega(sat), B.x)
speed q = dot(omega(sat), B.y)
speed r = dot(omega(sat), B.z)
speed h = s'
";
const HOOP: &str = "\
param m : kg
param R : m
param g : m/s^2
param Omega : rad/s
coord theta : rad
frame H = N rotated z by Omega*t
point P = R*(sin(theta)*H.x - cos(theta)*H.z) mass m
gravity (0, 0, -g)
";
const IN_CYLINDER: &str = "\
param m : kg
param r, R : m
param g : m/s^2
coord theta, phi : rad
frame D = N rotated z by phi
point C = (R - r)*(sin(theta), -cos(theta))
body cyl mass m at C frame D inertia m*r^2/2
gravity (0, -g)
constraint roll: r*phi' = -(R - r)*theta'
";

const TRAILING: &str = "\
param m = 3 kg, M = 1 kg, J = 0.2 kg*m^2, I = 0.1 kg*m^2, a = 0.4 m, b = 0.5 m
coord x, y : m
coord th, ga : rad
frame S = N rotated z by th
frame R = N rotated z by ga
body sled mass m at (x, y) frame S inertia J
body rod mass M at (x, y) - a*S.x - b*R.x frame R inertia I
constraint knife: y'*cos(th) = x'*sin(th)
speed v = x'*cos(th) + y'*sin(th)
speed w = th'
speed u = ga'
";

fn page(text: &str, wanted: Derive) -> Derivation {
    derive(&open(&Settings::new("lecture.mech", text)).unwrap(), &wanted).unwrap().remove(0)
}

fn equations(text: &str) -> Vec<String> {
    page(text, Derive::default()).equations.into_iter().map(|line| line.text).collect()
}

fn solved(text: &str) -> Vec<String> {
    let found = page(text, Derive { explicit: true, ..Derive::default() }).explicit.unwrap();
    assert!(found.reason.is_none() && found.checked, "{:?}", found.reason);
    found.lines.into_iter().map(|line| line.text).collect()
}

#[test]
fn polar_coordinates_without_values_are_not_looked_at_in_their_pole() {
    // Greenwood: (m + M) r'' − m r phi'² = −M g. At r = 0, where a model without a start was looked at, no mass stands before phi''
    assert_eq!(solved(HOLE), ["r'' = (m*r*phi'^2 - M*g)/(m + M)", "phi'' = -2*r'*phi'/r"]);
    // Goldstein, 3.2: r'' − r phi'² = −G (m1 + m2)/r²
    let lines = solved(TWO_BODIES);
    assert_eq!(lines[3], "phi'' = -2*r'*phi'/r");
    assert_eq!(lines[2], "r'' = r*phi'^2 - (m1 + m2)*G/r^2");
}

#[test]
fn the_reduced_mass_is_divided_out_and_a_determinant_is_no_condition() {
    let with = TWO_BODIES.replace("m1, m2 : kg", "m1 = 3 kg, m2 = 2 kg").replace("G : m^3/kg/s^2", "G = 2 m^3/kg/s^2");
    // Goldstein, 3.2
    assert_eq!(
        equations(&with),
        ["X'' = 0", "Y'' = 0", "r'' - r*phi'^2 = -(m1 + m2)*G/r^2", "r^2*phi'' + 2*r*r'*phi' = 0"]
    );
    let singular = page(TRAILING, Derive { explicit: true, ..Derive::default() }).explicit.unwrap().singular;
    assert_eq!(singular, [""; 0]);
}

#[test]
fn a_pulley_without_mass_is_no_obstacle() {
    // with D = m1 (m2 + m3) + 4 m2 m3: x1'' = g (m1 (m2 + m3) − 4 m2 m3)/D, the upper thread pulls with 8 m1 m2 m3 g/D
    assert_eq!(
        solved(DOUBLE_ATWOOD),
        [
            "x1'' = g - 8*m2*m3*g/(m1*(m2 + m3) + 4*m2*m3)",
            "x2'' = g - 4*m1*m3*g/(m1*(m2 + m3) + 4*m2*m3)",
            "x3'' = g - 4*m1*m2*g/(m1*(m2 + m3) + 4*m2*m3)",
            "p'' = 8*m2*m3*g/(m1*(m2 + m3) + 4*m2*m3) - g",
            "lambda_upper = -8*g/(4/m1 + 1/m2 + 1/m3)",
            "lambda_lower = -4*g/(4/m1 + 1/m2 + 1/m3)",
        ]
    );
}

#[test]
fn an_inertia_without_a_value_is_not_judged() {
    // with made-up numbers for A, C, m and l the triangle inequality was "violated"
    assert_eq!(
        equations(TOP),
        [
            "A*p' + (C - A)*q*r = m*g*l*sin(theta)*cos(phi)",
            "A*q' + (A - C)*p*r = -m*g*l*sin(theta)*sin(phi)",
            "C*r' = 0"
        ]
    );
    let with = TOP.replace("param A, C : kg*m^2", "param A = 0.001 kg*m^2, C = 0.1 kg*m^2");
    let with = with.replace("param m : kg\nparam l : m\n", "param m = 1 kg, l = 0.1 m\n");
    let error = derive(&open(&Settings::new("lecture.mech", &with)).unwrap(), &Derive::default()).unwrap_err();
    assert!(error.to_string().contains("principal moment"), "{error}");
}

#[test]
fn a_short_page_is_not_said_to_be_too_long() {
    // of the pages that are tried only the one that is shown counts
    let with = TOP.replace("param A, C : kg*m^2", "param A = 0.014 kg*m^2, C = 0.002 kg*m^2");
    let with =
        with.replace("param m : kg\nparam l : m\nparam g : m/s^2", "param m = 0.8 kg, l = 0.12 m, g = 9.81 m/s^2");
    let page = page(&with, Derive::default());
    assert!(page.notes.iter().all(|note| !note.contains("too long")), "{:?}", page.notes);
}

#[test]
fn what_is_assumed_not_to_vanish_is_divided_out() {
    // Goldstein, problem 2.18: theta'' = (Omega² cos theta − g/R) sin theta
    let with = HOOP.replace("coord theta : rad", "assume m > 0\nassume 0 < R\ncoord theta : rad");
    assert_eq!(equations(&with), ["R*theta'' - R*Omega^2*sin(theta)*cos(theta) = -g*sin(theta)"]);
    assert_eq!(equations(HOOP), ["m*R^2*theta'' - m*R^2*Omega^2*sin(theta)*cos(theta) = -m*g*R*sin(theta)"]);
    // less than zero, or not equal to another number, says nothing of that kind
    let with = HOOP.replace("coord theta : rad", "assume m != 1 kg\nassume R >= 0\ncoord theta : rad");
    assert_eq!(equations(&with), equations(HOOP));
}

#[test]
fn a_rate_is_not_divided_by_what_it_need_not_be_divided_by() {
    // Kane, Likins, Levinson: psi' = (q sin phi + r cos phi)/cos theta; as (q tan phi + r) cos phi/cos theta, which is as long, it
    // says nothing at phi = pi/2
    let page = page(SATELLITE, Derive::default());
    let rates: Vec<&str> = page.kinematics.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(rates[0], "psi' = (q*sin(phi) + r*cos(phi))/cos(theta)");
    assert_eq!(page.singular, ["cos(theta) = 0"]);
}

#[test]
fn a_moment_that_is_positive_keeps_its_radius_from_zero() {
    let set = ask::equilibria(&Settings::new("lecture.mech", IN_CYLINDER), &Equilibria::default()).unwrap();
    assert_eq!(set.assumptions, ["m > 0", "r != 0"]);
    let conditions: Vec<&String> = set.branches.iter().flat_map(|branch| &branch.conditions).collect();
    assert!(conditions.iter().all(|one| *one != "r = 0"), "{conditions:?}");
}

#[test]
fn what_is_not_proved_is_told_as_a_person_would_write_it() {
    let set = ask::equilibria(&Settings::new("lecture.mech", HOOP), &Equilibria::default()).unwrap();
    assert!(!set.completeness.contains('…') && !set.completeness.contains("cos(Omega*t)"), "{}", set.completeness);
    let signs = "assume m > 0\nassume R > 0\nassume g > 0\nassume Omega > 0\ncoord theta";
    let set =
        ask::equilibria(&Settings::new("lecture.mech", &HOOP.replace("coord theta", signs)), &Equilibria::default());
    let set = set.unwrap();
    let values: Vec<&str> = set.branches.iter().map(|branch| branch.values.0[0].1.as_str()).collect();
    assert_eq!(values, ["acos(g/(R*Omega^2))", "-acos(g/(R*Omega^2))", "0", "pi"]);
}
