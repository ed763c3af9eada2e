//! Are two models of one system in other coordinates proved to move alike, and others told apart?

use anholon::{Agreement, Alone, Prove, SameAs, Sameness, Settings, open};

/// A particle on a spring in a plane, in Cartesian and in polar coordinates.
const PLANE: &str = "param m = 2 kg, k = 3 N/m, b = 0.5 N*s/m\ncoord x, y : m\npoint P = (x, y) mass m\npotential k*(x^2 + y^2)/2\n\
                     force -b*velocity(P) on P\nstart x = 1 m, y' = 1 m/s\n";
const POLAR: &str = "param m = 2 kg, k = 3 N/m, b = 0.5 N*s/m\ncoord r : m\ncoord phi : rad\npoint P = r*(cos(phi), sin(phi)) mass m\n\
                     potential k*r^2/2\nforce -b*velocity(P) on P\nstart r = 1 m, phi' = 1 rad/s\n";
/// A pendulum by its angle, and by Cartesian coordinates on a rod.
const ANGLE: &str = "param m = 2 kg, l = 0.5 m, g = 9.81 m/s^2\ncoord a : rad\npoint P = l*(sin(a), -cos(a)) mass m\ngravity (0, -g)\nstart a = 0.4 rad\n";
const ROD: &str = "param m = 2 kg, l = 0.5 m, g = 9.81 m/s^2\ncoord x, y : m\npoint P = (x, y) mass m\ngravity (0, -g)\n\
                   constraint rod: x^2 + y^2 = l^2\nstart x = 0.3 m\nguess y = -0.4 m\n";
/// Dobronravov's example with heights in another scale, turned about the axis.
const TURNED: &str = "param m = 1 kg, b = 1 m\ncoord p, q, s : m\npoint P = (p - q, p + q, s)/sqrt(2) mass m\n\
                      constraint track: (p' - q') = (s/(sqrt(2)*b))*(p' + q')\ndependent p'\nstart s = 0.75 m, q' = 1 m/s, s' = 1 m/s\n";
const BY: &str = "x = r*cos(phi), y = r*sin(phi)";

fn compared(a: &str, b: &str, by: &str) -> Result<Sameness, String> {
    let settings = |text: &str| match text.strip_prefix("gallery:") {
        Some(name) => Settings::gallery(name).unwrap(),
        None => Settings::new("model.mech", text),
    };
    let (a, b) = (open(&settings(a)).unwrap(), open(&settings(b)).unwrap());
    anholon::same_as(&a, &b, &SameAs { by: by.to_owned() }, &mut Alone).map_err(|error| error.to_string())
}

#[test]
fn one_system_in_other_coordinates_is_proved() {
    // lose the second derivative of what is put in, or a constraint of the first model, and one of these fails
    for (a, b, by) in [
        (PLANE, POLAR, BY),
        (POLAR, PLANE, BY),
        (ROD, ANGLE, "x = l*sin(a), y = -l*cos(a)"),
        ("gallery:dobronravov", TURNED, "q1 = (p - q)/sqrt(2), q2 = (p + q)/sqrt(2), q3 = s/sqrt(2)"),
        (PLANE, PLANE, "x = y, y = -x"),
    ] {
        let found = compared(a, b, by).unwrap();
        assert_eq!((found.verdict, found.reason, found.values.len()), (Agreement::Equivalent, None, 0), "{a} by {by}");
    }
}

#[test]
fn appell_and_tzenoff_are_the_same_in_any_coordinates() {
    // both forms agree with the others in each model, and the models move alike
    for text in [PLANE, POLAR, TURNED] {
        let forms = ["appell", "tzenoff", "multipliers"].map(str::to_owned).to_vec();
        let loaded = open(&Settings::new("model.mech", text)).unwrap();
        let found = anholon::prove(&loaded, &Prove { forms, certificate: false }, &mut Alone).unwrap();
        assert!(found.verdict <= Agreement::Equivalent && found.families == 3, "{text}");
    }
    let tracks = compared("gallery:dobronravov", TURNED, "q1 = (p - q)/sqrt(2), q2 = (p + q)/sqrt(2), q3 = s/sqrt(2)");
    assert_eq!(tracks.unwrap().verdict, Agreement::Equivalent);
    assert_eq!(compared(PLANE, POLAR, BY).unwrap().verdict, Agreement::Equivalent);
}

#[test]
fn different_systems_are_told_apart_with_a_state() {
    let weaker = POLAR.replace("k*r^2/2", "k*r^2/3");
    let found = compared(PLANE, &weaker, BY).unwrap();
    assert_eq!(found.verdict, Agreement::Different);
    let witness = found.witness.unwrap();
    let (a, b) = (witness.a.get("x''").unwrap(), witness.b.get("x''").unwrap());
    assert!((a - b).abs() > 1e-3, "{a}, {b}");
    // another circle: the constraint of the rod does not hold on it
    let found = compared(ROD, ANGLE, "x = 2*l*sin(a), y = -2*l*cos(a)").unwrap();
    assert!(found.verdict == Agreement::Different && found.reason.as_deref().is_some_and(|why| why.contains("`rod`")));
    let found =
        compared(ROD, PLANE.replace("k*(x^2 + y^2)/2", "0*k*x^2").as_str(), "x = x, y = y, l = 1 m, g = 9.81 m/s^2");
    assert!(found.is_ok_and(|found| found.verdict == Agreement::Different && found.freedoms == [1, 2]));
}

#[test]
fn what_is_missing_is_told() {
    for (by, words) in [
        ("x = r*cos(phi)", "the coordinate `y` of model.mech is not given"),
        ("x = r*cos(phi), y = r*sin(psi)", "psi"),
        ("x = r*cos(phi), y", "`y` is no equation"),
        ("x = r*cos(phi), x = r, y = r*sin(phi)", "`x` is given twice"),
        ("x = r*cos(phi), y = r*sin(phi), z = r", "`z` is neither"),
    ] {
        let error = compared(PLANE, POLAR, by).err().unwrap_or_default();
        assert!(error.contains(words), "{by}: {error}");
    }
    let renamed = POLAR.replace("k = 3", "c = 3").replace("k*r^2", "c*r^2");
    let error = compared(PLANE, &renamed, BY).err().unwrap_or_default();
    assert!(error.contains("the parameter `k` is in one of the models only"), "{error}");
    let found = compared(PLANE, &renamed, &format!("{BY}, k = c")).unwrap();
    assert_eq!((found.verdict, found.values.len()), (Agreement::Equivalent, 0));
    let error = compared(PLANE, &POLAR.replace("m = 2 kg", "m = 3 kg"), BY).err().unwrap_or_default();
    assert!(error.contains("`m` has another value"), "{error}");
}

#[test]
fn systems_whose_motions_have_other_constants_are_different() {
    // compare freedoms alone, and the first is one system in one order and two in the other
    let particle =
        |row: &str| format!("param m = 1 kg\ncoord x, y : m\npoint P = (x, y) mass m\nconstraint k: {row}\n");
    let [rate, place, acceleration] = ["x' = 0", "x = 0", "x'' = 0"].map(particle);
    let line = "param m = 1 kg\ncoord y : m\npoint P = (0, y) mass m\n".to_owned();
    let same = "x = x, y = y";
    for (a, b, by) in [
        (&rate, &place, same),
        (&place, &rate, same),
        (&acceleration, &rate, same),
        (&rate, &acceleration, same),
        (&rate, &line, "x = 0, y = y"),
    ] {
        let found = compared(a, b, by).unwrap();
        assert_eq!(found.verdict, Agreement::Different, "{a} by {by}");
        assert!(found.reason.unwrap().contains("free constants"), "{a} by {by}");
    }
    for (a, b, by) in [(&rate, &rate, same), (&place, &line, "x = 0, y = y")] {
        assert_eq!(compared(a, b, by).unwrap().verdict, Agreement::Equivalent, "{a} by {by}");
    }
}
