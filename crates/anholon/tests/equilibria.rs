//! Equilibria of the lecture notes and beyond: the sets, their stability, and what is said of input that is wrong.

mod ask;

use anholon::answer::{ClaimVerdict, Equilibrium, EquilibriumKind, Rest, Signs, Support};
use anholon::{Equilibria, EquilibriumSet, Settings};

fn set(settings: &Settings, wanted: &Equilibria) -> EquilibriumSet {
    ask::equilibria(settings, wanted).expect("a set")
}

fn gallery(name: &str, changes: &[&str]) -> EquilibriumSet {
    set(&changed(name, changes), &Equilibria::default())
}

fn changed(name: &str, changes: &[&str]) -> Settings {
    let set = changes.iter().map(|&change| change.to_owned()).collect();
    Settings { set, ..Settings::gallery(name).expect("a model") }
}

fn model(text: &str) -> Settings {
    Settings::new("test.mech", text)
}

fn value(one: &Equilibrium, name: &str) -> f64 {
    *one.values.get(name).unwrap_or_else(|| panic!("no {name} in {:?}", one.values))
}

/// The equilibrium with this value of a coordinate.
fn with<'a>(set: &'a EquilibriumSet, name: &str, wanted: f64) -> &'a Equilibrium {
    let near = |one: &&Equilibrium| (value(one, name) - wanted).abs() < 1e-6;
    set.equilibria.iter().find(near).unwrap_or_else(|| panic!("no {name} = {wanted} in {:?}", set.equilibria))
}

fn refused(settings: &Settings, wanted: &Equilibria) -> String {
    ask::equilibria(settings, wanted).expect_err("bad input").to_string()
}

/// A text of the model's language is the same as another for every value of the parameters.
fn same(a: &str, b: &str, assuming: &[&str]) {
    let assuming: Vec<String> = assuming.iter().map(|&one| one.to_owned()).collect();
    let verdict = anholon::expression::same(a, b, &assuming).expect("expressions").verdict;
    assert_eq!(verdict, anholon::expression::Verdict::Same, "{a} against {b}");
}

#[test]
fn governor_8_2_has_a_pitchfork() {
    let above = gallery("governor", &[]);
    assert!(above.complete && above.equilibria.len() == 4, "{above:?}");
    let raised = with(&above, "phi", 0.941_470_344);
    assert_eq!(raised.stability, Rest::Stable);
    same(raised.exact.as_ref().unwrap().get("phi").unwrap(), "acos((m + m1)*g/(m*Omega^2*l))", &["m > 0", "l > 0"]);
    assert_eq!(with(&above, "phi", 0.0).stability, Rest::Unstable);
    assert_eq!(value(raised, "psi'"), 10.0);
    // the threshold is 7.672027 rad/s
    let below = gallery("governor", &["Omega=7.6"]);
    assert!(below.complete && below.equilibria.len() == 2, "{below:?}");
    assert_eq!(with(&below, "phi", 0.0).stability, Rest::Stable);
    assert_eq!(below.thresholds.len(), 1);
    same(below.thresholds[0].split(" = ").next().unwrap(), "l*m*Omega^2 - g*(m + m1)", &[]);
    assert!(below.branches.iter().filter(|branch| !branch.exists).count() == 2, "{:?}", below.branches);
}

#[test]
fn rhombus_11_1_with_its_guide_and_without() {
    let wanted = Equilibria { solve: vec!["Q".to_owned()], ..Equilibria::default() };
    let guided = set(&Settings::gallery("rhombus").unwrap(), &wanted);
    let one = &guided.equilibria[0];
    assert!((one.loads.get("Q").unwrap() - 34.641_016_151).abs() < 1e-8);
    assert!((one.multipliers.get("guide").unwrap() + 17.320_508_076).abs() < 1e-8);
    same(one.exact.as_ref().unwrap().get("Q").unwrap(), "2*F*cos(alpha)/sin(alpha)", &[]);
    // as literally stated: no guide, and only F = Q = 0 balances
    let text = Settings::gallery("rhombus").unwrap().text;
    let literal: String = text
        .lines()
        .filter(|line| {
            !line.starts_with("constraint guide") && !line.starts_with("expect") && !line.starts_with("    yB")
        })
        .map(|line| format!("{line}\n"))
        .collect::<String>()
        .replace("    at xA = -l*cos(alpha), yA = l*sin(alpha), xC = l*cos(alpha), yC = l*sin(alpha),\n", "");
    let loose = set(&model(&literal), &wanted);
    assert!(loose.equilibria.is_empty(), "{loose:?}");
    assert!(!loose.work.is_empty() && loose.work.iter().all(|one| one.work.abs() > 1e-3), "{:?}", loose.work);
    let without_load = set(&Settings { set: vec!["F=0".to_owned()], ..model(&literal) }, &wanted);
    assert!(without_load.equilibria[0].loads.get("Q").unwrap().abs() < 1e-12);
}

#[test]
fn thread_11_2_has_its_tension() {
    let wanted = Equilibria { solve: vec!["T".to_owned()], ..Equilibria::default() };
    let found = set(&Settings::gallery("thread-on-sphere").unwrap(), &wanted);
    let one = &found.equilibria[0];
    assert!((one.loads.get("T").unwrap() - 1.193_662_073).abs() < 1e-9);
    same(one.exact.as_ref().unwrap().get("T").unwrap(), "P*r0/(2*pi*sqrt(R^2 - r0^2))", &[]);
}

#[test]
fn triangle_11_3_has_two() {
    let found = gallery("triangle-slots", &[]);
    assert!(found.complete && found.equilibria.len() == 2, "{found:?}");
    let (down, up) = (&found.equilibria[0], &found.equilibria[1]);
    assert_eq!((down.stability, up.stability), (Rest::Stable, Rest::Unstable));
    let phi = (value(down, "y") / value(down, "x")).atan();
    assert!((phi - 1.203_374).abs() < 1e-6);
    let exact = down.exact.as_ref().unwrap();
    let quotient = format!("({})/({})", exact.get("y").unwrap(), exact.get("x").unwrap());
    same(&quotient, "m2/(m1*tan(alpha))", &["a > 0"]);
}

#[test]
fn two_rods_11_4_have_four_or_none() {
    let found = gallery("two-rods-couple", &[]);
    assert!(found.complete && found.equilibria.len() == 4, "{found:?}");
    let stable: Vec<&Equilibrium> = found.equilibria.iter().filter(|one| one.stability == Rest::Stable).collect();
    assert_eq!(stable.len(), 1);
    assert!(value(stable[0], "phi").abs() < 1e-12 && (value(stable[0], "psi") - 0.339_836_909).abs() < 1e-8);
    assert_eq!(stable[0].exact.as_ref().unwrap().get("psi").unwrap(), "asin(M/(P*a))");
    let beyond = gallery("two-rods-couple", &["M=3.1"]);
    assert!(beyond.complete && beyond.equilibria.is_empty() && beyond.decided, "{beyond:?}");
    let there = Settings { at: Some("phi = 0, psi = 1".to_owned()), ..changed("two-rods-couple", &["M=3.1"]) };
    let pushed = set(&there, &Equilibria::default());
    // Q_psi = M - P a sin(psi)
    assert!(pushed.work.iter().any(|one| (one.work - (3.1 - 3.0 * 1_f64.sin())).abs() < 1e-9), "{:?}", pushed.work);
    // at the threshold two meet: the force leads the same way on both sides
    let at_it = gallery("two-rods-couple", &["M=3"]);
    assert_eq!(at_it.equilibria.len(), 2, "{at_it:?}");
    assert!(
        at_it.equilibria.iter().all(|one| one.kind == EquilibriumKind::Multiple && one.stability != Rest::Stable),
        "{at_it:?}"
    );
}

#[test]
fn two_rods_with_random_parameters_are_all_found() {
    for k in 0..12_i32 {
        let (weight, a) = (1.0 + f64::from(k) * 0.37, 0.3 + f64::from(k % 5) * 0.21);
        let ratio = f64::from(k * 7 % 12) / 8.0 - 0.6;
        let couple = ratio * weight * a;
        let changes = [format!("P={weight}"), format!("a={a}"), format!("M={couple}")];
        let settings = Settings { set: changes.to_vec(), ..Settings::gallery("two-rods-couple").unwrap() };
        let within = Some("phi=-1..6, psi=-2..5".to_owned());
        let found = set(&settings, &Equilibria { within, ..Equilibria::default() });
        let roots = [0.0, std::f64::consts::PI];
        let lower = [ratio.asin(), std::f64::consts::PI - ratio.asin()];
        let is_in = |psi: &f64| (-2.0..=5.0).contains(psi);
        let expected = if ratio.abs() > 1.0 { 0 } else { roots.len() * lower.iter().filter(|psi| is_in(psi)).count() };
        assert!(found.complete && found.completeness.contains("boxes"), "{changes:?}: {}", found.completeness);
        assert_eq!(found.equilibria.len(), expected, "{changes:?}: {:?}", found.equilibria);
        assert!(found.equilibria.iter().all(|one| one.enclosed.is_some_and(|width| width < 1e-9)), "{found:?}");
    }
}

#[test]
fn parabola_11_5_is_neutral_at_one_rate_only() {
    let critical = gallery("rotating-parabola", &[]);
    assert_eq!(critical.equilibria.len(), 1, "{critical:?}");
    let one = &critical.equilibria[0];
    assert_eq!(
        (one.kind, one.family_dimension, one.everywhere, one.stability),
        (EquilibriumKind::Family, 1, true, Rest::Neutral)
    );
    let slow = gallery("rotating-parabola", &["Omega=3"]);
    assert_eq!((slow.equilibria.len(), slow.equilibria[0].stability), (1, Rest::Stable));
    assert!(slow.complete && value(&slow.equilibria[0], "x").abs() < 1e-9);
    let fast = gallery("rotating-parabola", &["Omega=3.3"]);
    assert_eq!((fast.equilibria.len(), fast.equilibria[0].stability), (1, Rest::Unstable));
    same(slow.thresholds[0].split(" = ").next().unwrap(), "m*Omega^2 - 2*m*a*g", &[]);
}

#[test]
fn table_edge_11_6_carries_exactly_the_weight() {
    let found = gallery("table-edge", &[]);
    let rest = with(&found, "phi", 0.619_544_829);
    assert_eq!(rest.stability, Rest::Stable);
    assert!((rest.multipliers.get("edge").unwrap() - 20.0).abs() < 1e-9);
    assert_eq!(rest.contact.get("edge"), Some(&Support::Closed));
    // the edge only pushes, and nothing lies below it
    assert!(found.equilibria.iter().all(|one| one.multipliers.get("edge").is_none_or(|force| *force >= 0.0)));
    assert!(found.decided, "{}", found.completeness);
}

#[test]
fn neutral_curve_11_7_rests_everywhere() {
    let found = gallery("neutral-curve", &[]);
    let family: Vec<&Equilibrium> = found.equilibria.iter().filter(|one| one.kind == EquilibriumKind::Family).collect();
    assert_eq!(family.len(), 1, "{found:?}");
    assert!(family[0].everywhere && family[0].family_dimension == 1 && family[0].stability == Rest::Neutral);
    for u in [0.3, 0.8, 1.2] {
        let near = format!("theta = {u}, xA = 0, yA = {}", 1.0 + f64::cos(u));
        let one = set(
            &Settings::gallery("neutral-curve").unwrap(),
            &Equilibria { near: Some(near), ..Equilibria::default() },
        );
        let wall = one.equilibria[0].multipliers.get("wall").unwrap();
        let at = value(&one.equilibria[0], "theta");
        assert!((at - u).abs() < 1e-9 && (wall - 5.0 * u.tan()).abs() < 1e-8, "{u}: {wall}");
    }
}

#[test]
fn a_force_that_is_not_lipschitz_is_flagged() {
    let found = gallery("cube-root", &[]);
    assert_eq!(found.equilibria.len(), 1);
    assert!(!found.equilibria[0].unique && found.equilibria[0].stability == Rest::Unstable, "{found:?}");
    let back = gallery("cube-root", &["F0=-6"]);
    assert!(back.equilibria[0].unique && back.equilibria[0].stability == Rest::Stable, "{back:?}");
}

#[test]
fn critical_points_on_an_ellipsoid_add_up_to_two() {
    for (field, count) in [(0.8, 6), (12.0, 2)] {
        let within = Some("x=-3.1..3.1, y=-2.1..2.1, z=-1.1..1.1".to_owned());
        let settings = changed("ellipsoid-in-field", &[&format!("G={field}")]);
        let found = set(&settings, &Equilibria { within, ..Equilibria::default() });
        assert!(found.complete, "{}", found.completeness);
        let index =
            |one: &Equilibrium| if one.stiffness.iter().filter(|k| **k < 0.0).count() % 2 == 0 { 1 } else { -1 };
        assert_eq!(found.equilibria.iter().map(index).sum::<i32>(), 2, "{found:?}");
        assert!(found.equilibria.len() >= count, "{field}: {}", found.equilibria.len());
        assert!(found.equilibria.iter().all(|one| one.enclosed.is_some()));
    }
}

/// A chain of rods between two supports: how many equilibria, all of them proved.
fn rods(count: usize, apart: &str) -> EquilibriumSet {
    let text = Settings::gallery("seven-rods").unwrap().text;
    let kept = |line: &&str| !["start", "guess", "expect"].iter().any(|word| line.starts_with(word));
    let text: String = text.lines().filter(kept).map(|line| format!("{line}\n")).collect();
    let text =
        text.replace("param n = 7", &format!("param n = {count}")).replace("D = 4.6 m", &format!("D = {apart} m"));
    let found = set(&model(&text), &Equilibria::default());
    assert!(found.complete && found.decided, "{}", found.completeness);
    assert!(found.equilibria.iter().all(|one| one.enclosed.is_some_and(|width| width < 1e-9)));
    assert_eq!(
        found.equilibria.iter().filter(|one| one.stability == Rest::Stable).count(),
        1,
        "only the hanging chain"
    );
    found
}

#[test]
fn a_chain_of_three_rods_between_two_supports() {
    let found = rods(3, "2.4");
    let hanging = &found.equilibria[0];
    let slope = |k: usize| value(hanging, &format!("a[{k}]")).tan();
    // tan(a) changes by the same amount from rod to rod
    assert!((slope(3) - 2.0 * slope(2) + slope(1)).abs() < 1e-9, "{hanging:?}");
}

#[test]
fn a_chain_of_seven_rods_between_two_supports_has_sixteen() {
    let found = rods(7, "4.6");
    assert_eq!((found.equilibria.len(), found.complete), (16, true));
}

#[test]
fn three_charges_are_one_family() {
    let found = gallery("three-charges", &[]);
    assert_eq!(found.equilibria.len(), 1, "{found:?}");
    assert_eq!((found.equilibria[0].kind, found.equilibria[0].family_dimension), (EquilibriumKind::Family, 3));
    assert_eq!(found.equilibria[0].stability, Rest::Neutral);
    assert!(!found.complete);
}

#[test]
fn a_hoop_that_turns_has_equilibria_at_every_time() {
    let text = "param m = 0.2 kg, R = 0.5 m, g = 9.81 m/s^2, Omega = 6 rad/s\ncoord theta : rad\n\
                frame F = N rotated z by Omega*t\n\
                point P = R*(sin(theta)*F.x - cos(theta)*F.z) mass m\ngravity (0, 0, -g)\n";
    let found = set(&model(text), &Equilibria::default());
    assert_eq!((found.equilibria.len(), found.complete), (4, true), "{found:?}");
    let aside = with(&found, "theta", (9.81_f64 / (0.5 * 36.0)).acos());
    assert_eq!(aside.stability, Rest::Stable);
    // what holds at the start alone is no assumption
    let assumed = format!("{found:?}");
    assert!(!assumed.contains("cos(Omega*t)"), "{assumed}");
}

#[test]
fn a_moving_surface_admits_no_rest() {
    let text = "param m = 1 kg, u = 2 m/s\ncoord x, z : m\npoint P = (x, 0, z) mass m\nconstraint plane: z = u*t\n";
    let moving = set(&model(text), &Equilibria::default());
    assert!(!moving.admissible && moving.equilibria.is_empty(), "{moving:?}");
    assert!(moving.notes.iter().any(|note| note.contains("`plane` allows no rest")), "{:?}", moving.notes);
    // a constraint that mentions the time and yet fixes a place is fine
    let fixed = text.replace("z = u*t", "(z - 1 m)*(1 + (u*t)^2/(1 m)^2) = 0 m");
    let resting = set(&model(&fixed), &Equilibria::default());
    assert!(resting.admissible && (value(&resting.equilibria[0], "z") - 1.0).abs() < 1e-9, "{resting:?}");
    // a drift in a row on rates
    let drifting = "param m = 1 kg, u = 2 m/s\ncoord x, y : m\npoint P = (x, y) mass m\nconstraint belt: x' = u\n";
    assert!(!set(&model(drifting), &Equilibria::default()).admissible);
}

#[test]
fn a_row_on_rates_keeps_its_multiplier() {
    // a sled on an incline rests where its blade lies across the slope: Q is not zero there
    let text = "param m = 1 kg, g = 9.81 m/s^2, alpha = 0.4 rad, J = 0.2 kg*m^2\ncoord x, y : m\ncoord phi : rad\n\
                frame S = N rotated z by phi\nbody B mass m at (x, y) frame S inertia J\n\
                gravity (g*sin(alpha), 0, 0)\nconstraint blade: x'*sin(phi) = y'*cos(phi)\n";
    let found = set(&model(text), &Equilibria::default());
    assert_eq!(found.equilibria.len(), 2, "{found:?}");
    for one in &found.equilibria {
        assert!((value(one, "phi").abs() - std::f64::consts::FRAC_PI_2).abs() < 1e-9, "{one:?}");
        let force = 9.81 * 0.4_f64.sin();
        assert!((one.multipliers.get("blade").unwrap().abs() - force).abs() < 1e-9, "{one:?}");
    }
}

#[test]
fn damping_makes_a_minimum_asymptotically_stable_with_a_certificate() {
    let text = "param m = 1 kg, l = 1 m, g = 9.81 m/s^2, c = 0.5 N*m*s\ncoord phi : rad\n\
                point P = l*(sin(phi), -cos(phi)) mass m\ngravity (0, -g)\ndissipation c*phi'^2/2\n";
    let found = set(&model(text), &Equilibria::default());
    let down = with(&found, "phi", 0.0);
    assert_eq!(down.stability, Rest::AsymptoticallyStable);
    let certificate = down.certificate.as_ref().expect("a certificate");
    assert!(certificate.bound >= 1.0 && certificate.decay > 0.0 && certificate.remainder > 0.0);
    assert_eq!(with(&found, "phi", std::f64::consts::PI).stability, Rest::Unstable);
    let free = set(&model(&text.replace("dissipation c*phi'^2/2", "")), &Equilibria::default());
    assert!(with(&free, "phi", 0.0).certificate.is_none());
}

#[test]
fn a_follower_force_is_no_energy_argument() {
    // two rods with a force along the second one: no potential, and the first approximation decides
    let text = "param m = 1 kg, l = 1 m, k = 1 N*m, F = 1 N\ncoord a, b : rad\n\
                point A = l*(cos(a), sin(a)) mass m\npoint B = A + l*(cos(b), sin(b)) mass m\n\
                potential k*a^2/2 + k*(b - a)^2/2\nforce -F*(cos(b), sin(b)) on B\n";
    let near = |force: &str| {
        let settings = Settings { set: vec![format!("F={force}")], ..model(text) };
        set(&settings, &Equilibria { near: Some("a = 0, b = 0".to_owned()), ..Equilibria::default() })
    };
    assert_eq!(near("0.5").equilibria[0].stability, Rest::Undecided);
    assert_eq!(near("6").equilibria[0].stability, Rest::Unstable);
}

#[test]
fn too_many_supports_are_statically_indeterminate() {
    let text = "param m = 2 kg, g = 10 m/s^2\ncoord x, y : m\npoint P = (x, y) mass m\ngravity (0, -g)\n\
                constraint first: y = 0\nconstraint second: 2*y = 0\nconstraint side: x = 0\n";
    let found = set(&model(text), &Equilibria::default());
    let one = &found.equilibria[0];
    assert_eq!(one.indeterminate, 1, "{found:?}");
    // of λ₁ + 2 λ₂ = 20 only the sum is known
    assert!(["first", "second"].iter().all(|name| one.multipliers.get(name).unwrap().is_nan()), "{one:?}");
    assert_eq!(one.multipliers.get("side"), Some(&0.0));
    assert!((one.shared_loads[0].generalized_reactions.get("y").unwrap() - 20.0).abs() < 1e-9, "{one:?}");
}

#[test]
fn threads_only_pull() {
    // a weight on a thread: hanging it is tight, standing it would have to push
    let text = "param m = 1 kg, l = 2 m, g = 10 m/s^2\ncoord x, y : m\npoint P = (x, y) mass m\ngravity (0, -g)\n\
                constraint thread: x^2 + y^2 <= l^2\nstart x = 0, y = -l\n";
    let found = set(&model(text), &Equilibria::default());
    assert_eq!(found.equilibria.len(), 1, "{found:?}");
    assert!((value(&found.equilibria[0], "y") + 2.0).abs() < 1e-9);
    assert_eq!(found.equilibria[0].contact.get("thread"), Some(&Support::Closed));
    assert!(found.notes.iter().any(|note| note.contains("`thread`")), "{:?}", found.notes);
}

#[test]
fn a_steady_turn_by_name_is_a_relative_equilibrium() {
    // a conical pendulum: cos(theta) = g/(l psi'^2)
    let text = "param m = 1 kg, l = 1 m, g = 9.81 m/s^2\ncoord theta, psi : rad\n\
                point P = l*(sin(theta)*cos(psi), sin(theta)*sin(psi), -cos(theta)) mass m\ngravity (0, 0, -g)\n\
                start theta = 0.5 rad, psi' = 4 rad/s\n";
    let wanted = Equilibria { relative: vec!["psi".to_owned()], ..Equilibria::default() };
    let found = set(&model(text), &wanted);
    let raised = with(&found, "theta", (9.81_f64 / 16.0).acos());
    assert_eq!(raised.stability, Rest::Stable, "{raised:?}");
    let still = refused(&model(&text.replace(", psi' = 4 rad/s", "")), &wanted);
    assert!(still.contains("`psi'` is 0 at the start") && still.contains("⟨set "), "{still}");
}

#[test]
fn bad_input_is_answered_by_name() {
    let rods = || Settings::gallery("two-rods-couple").unwrap();
    let boxed = |text: &str| Equilibria { within: Some(text.to_owned()), ..Equilibria::default() };
    let solve = |text: &str| Equilibria { solve: vec![text.to_owned()], ..Equilibria::default() };
    let valueless = model("param m = 1 kg\nparam k : N/m\ncoord x : m\npoint P = (x, 0) mass m\npotential k*x^2/2\n");
    for (settings, wanted, words) in [
        (rods(), boxed("phi=3..1"), vec!["`phi` ends before it begins", "phi=1..3"]),
        (rods(), boxed("phy=0..1"), vec!["no coordinate `phy`", "did you mean `phi`?"]),
        (rods(), boxed("phi=0"), vec!["`phi=0` is no range", "⟨within⟩"]),
        (rods(), boxed("phi=0..1, phi=1..2"), vec!["`phi` has two ranges"]),
        (rods(), boxed("phi=0..psi"), vec!["`psi` has no value"]),
        (rods(), solve("Q"), vec!["no load `Q`", "unknown Q : N"]),
        (Settings::gallery("rhombus").unwrap(), solve("R"), vec!["no load `R`"]),
        (rods(), Equilibria { relative: vec!["x".to_owned()], ..Equilibria::default() }, vec!["no coordinate `x`"]),
        (valueless, boxed("x=-1..1"), vec!["`k` has no value", "⟨set k="]),
    ] {
        let error = refused(&settings, &wanted);
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
}

#[test]
fn facts_and_claims_about_equilibria_are_judged() {
    let rods = ask::check(&Settings::gallery("two-rods-couple").unwrap(), None).unwrap();
    assert!(rods.expects.iter().all(|expect| expect.holds == Some(true)), "{:?}", rods.expects);
    let wrong = Settings {
        with: vec![(
            "wrong.mech".to_owned(),
            "expect false_one: equilibrium phi = pi, psi = pi - asin(M/(P*a)) stable\n\
            expect no_place: equilibrium phi = 1 rad, psi = 0\n"
                .to_owned(),
        )],
        ..Settings::gallery("two-rods-couple").unwrap()
    };
    let checked = ask::check(&wrong, None).unwrap();
    for name in ["false_one", "no_place"] {
        let one = checked.expects.iter().find(|expect| expect.name == name).unwrap();
        assert_eq!(one.holds, Some(false), "{one:?}");
    }
    let claim = |text: &str| {
        let with = vec![("mine.claims".to_owned(), text.to_owned())];
        let loaded = anholon::open(&Settings { with, ..Settings::gallery("two-rods-couple").unwrap() }).unwrap();
        ask::audit(&loaded).unwrap().claims[0].verdict.clone()
    };
    assert_eq!(claim("claim rest: equilibrium phi = 0, psi = asin(M/(P*a)) stable\n"), ClaimVerdict::Correct);
    assert_eq!(claim("claim rest: equilibrium phi = 0, psi = asin(M/(P*a)) unstable\n"), ClaimVerdict::Wrong);
}

/// A bead on a hoop that turns; without friction its lowest place is stable while g > Omega^2*R.
fn hoop(g: &str) -> EquilibriumSet {
    let text = format!(
        "param m = 0.2 kg, R = 1 m, g = {g} m/s^2, Omega = 3 rad/s\ncoord theta : rad\n\
         frame F = N rotated z by Omega*t\npoint P = R*(sin(theta)*F.x - cos(theta)*F.z) mass m\ngravity (0, 0, -g)\n"
    );
    set(&model(&text), &Equilibria::default())
}

#[test]
fn a_tiny_stiffness_is_stable() {
    let text = "param m = 1e-12 kg, l = 1e-3 m, g = 9.81 m/s^2\ncoord phi : rad\n\
                point P = l*(sin(phi), -cos(phi)) mass m\ngravity (0, -g)\n";
    let found = set(&model(text), &Equilibria::default());
    let (low, high) = (with(&found, "phi", 0.0), with(&found, "phi", std::f64::consts::PI));
    assert_eq!((low.stability, low.signs), (Rest::Stable, Signs::Exact), "{low:?}");
    assert_eq!((high.stability, high.signs), (Rest::Unstable, Signs::Exact), "{high:?}");
    assert!(found.assumptions.contains(&"m > 0".to_owned()), "{:?}", found.assumptions);
    // a soft spring: 1e-10 N/m at 1e9 kg
    let soft = "param m = 1e9 kg, k = 1e-10 N/m\ncoord x : m\npoint P = (x, 0) mass m\npotential k*x^2/2\n";
    let found = set(&model(soft), &Equilibria::default());
    let one = &found.equilibria[0];
    assert_eq!((one.stability, one.signs), (Rest::Stable, Signs::Exact), "{one:?}");
    let found = set(&model(&soft.replace("potential", "potential -1*")), &Equilibria::default());
    let one = &found.equilibria[0];
    assert_eq!((one.stability, one.signs), (Rest::Unstable, Signs::Exact), "{one:?}");
}

#[test]
fn a_stiffness_is_zero_exactly_or_not_at_all() {
    let at = hoop("9");
    let low = with(&at, "theta", 0.0);
    assert_eq!((low.stability, low.signs), (Rest::Stable, Signs::Exact), "{low:?}");
    assert!(low.reason.starts_with("the stiffness vanishes"), "{low:?}");
    // 1e-14 beside the bifurcation
    let before = hoop("9.00000000000009");
    let low = with(&before, "theta", 0.0);
    assert_eq!((low.stability, low.signs), (Rest::Stable, Signs::Exact), "{low:?}");
    assert!(low.reason.starts_with("a strict minimum"), "{low:?}");
    let after = hoop("8.99999999999991");
    let low = after.equilibria.iter().find(|one| one.exact.as_ref().is_some_and(|e| e.get("theta").unwrap() == "0"));
    let low = low.unwrap_or_else(|| panic!("{after:?}"));
    assert_eq!((low.stability, low.signs), (Rest::Unstable, Signs::Exact), "{low:?}");
}

#[test]
fn stability_is_told_with_parameters_as_symbols() {
    let found = hoop("9.81");
    let of = |theta: &str| {
        let branch = found.branches.iter().find(|branch| branch.values.get("theta").is_some_and(|one| one == theta));
        branch.unwrap_or_else(|| panic!("{theta}: {:?}", found.branches)).stability.clone().unwrap_or_default()
    };
    assert_eq!(of("0"), "stable while g - R*Omega^2 > 0, unstable while g - R*Omega^2 < 0");
    assert_eq!(of("pi"), "unstable");
    // the other side of the condition under which it exists is not told
    assert_eq!(of("acos(g/(R*Omega^2))"), "stable while R*Omega^2 - g > 0");
}

#[test]
fn conditions_of_a_minimum_are_enough_where_gyroscopic_forces_may_hold() {
    // an oscillator in turning axes is stable for every w: a maximum of the effective energy says nothing against it
    let turning = model(
        "param m = 1 kg, k = 4 N/m, w = 5 rad/s\n\
         coord x, y : m\n\
         point P = (x*cos(w*t) - y*sin(w*t), x*sin(w*t) + y*cos(w*t)) mass m\n\
         potential k*(x^2 + y^2)/2\n",
    );
    let found = set(&turning, &Equilibria::default());
    let told: Vec<_> = found.branches.iter().filter_map(|branch| branch.stability.as_deref()).collect();
    // where it vanishes every place is one of rest
    assert!(told.contains(&"stable while k - m*w^2 != 0"), "{told:?}");
    assert_eq!(found.equilibria[0].stability, Rest::Stable);
}

#[test]
fn intervals_find_signs_where_nothing_is_solved_exactly() {
    let text = "param m = 1 kg, k = 2 N, l = 1 m\ncoord x, y : m\npoint P = (x, y) mass m\n\
                potential k*l*(exp(x/l) - 2*x/l + cosh(y/l) + SIGN*x*y/l^2)\n";
    let within = Equilibria { within: Some("x=-3..3, y=-3..3".to_owned()), ..Equilibria::default() };
    let found = set(&model(&text.replace("SIGN", "0.1")), &within);
    let one = &found.equilibria[0];
    assert_eq!((one.stability, one.signs), (Rest::Stable, Signs::Interval), "{one:?}");
    let saddle = text.replace("cosh(y/l)", "(-1)*cosh(y/l)").replace("SIGN", "0.1");
    let found = set(&model(&saddle), &within);
    let one = &found.equilibria[0];
    assert_eq!((one.stability, one.signs), (Rest::Unstable, Signs::Interval), "{one:?}");
    assert!(one.reason.contains("1 of 2 principal directions"), "{one:?}");
}

#[test]
fn real_parts_of_eigenvalues_are_proved_where_no_rows_act() {
    let text = "param m = 1 kg, k = 4 N/m, c = 0.2 kg/s, w = 1 N/m\ncoord x, y : m\npoint P = (x, y) mass m\n\
                potential k*(x^2 + y^2)/2\ndissipation c*(x'^2 + y'^2)/2\nforce w*(y, -x) on P\n";
    let of = |w: &str| {
        let found = set(&Settings { set: vec![format!("w={w}")], ..model(text) }, &Equilibria::default());
        let one = &found.equilibria[0];
        (one.stability, one.signs, one.reason.clone())
    };
    // it grows if w/sqrt(k) > c/m, about
    let (verdict, signs, reason) = of("0.3");
    assert_eq!((verdict, signs), (Rest::AsymptoticallyStable, Signs::Interval), "{reason}");
    let (verdict, signs, reason) = of("0.5");
    assert_eq!((verdict, signs), (Rest::Unstable, Signs::Interval), "{reason}");
    assert!(!reason.contains("floating"), "{reason}");
}

#[test]
fn the_limit_of_work_leaves_the_robot_its_exact_answer() {
    let found = gallery("two-wheeled-robot", &[]);
    assert!(found.complete && !found.branches.is_empty(), "{:?}", found.notes);
}

/// Three freedoms in the plane: a circle or a rod that slides, each with a level.
const CIRCLE: &str = "param m = 1 kg, r = 0.5 m, g = 9.81 m/s^2\ncoord x, y, z : m\npoint P = (x, y, z) mass m\n\
    gravity (0, 0, -g)\nconstraint ring: x^2 + y^2 = r^2\nconstraint level: z = 0\nstart x = r, y = 0\n";
const ROD: &str = "param m = 1 kg, l = 0.5 m, g = 9.81 m/s^2\ncoord x1, y1, z1, x2, y2, z2 : m\n\
    point A = (x1, y1, z1) mass m\npoint B = (x2, y2, z2) mass m\ngravity (0, 0, -g)\n\
    constraint rod: dot(B - A, B - A) = l^2\nconstraint a: z1 = 0\nconstraint b: z2 = 0\nstart x1 = 0, y1 = 0, x2 = l, y2 = 0\n";
const BALL: &str = "param m = 0.5 kg, r = 0.1 m, g = 9.81 m/s^2\ncoord x, y, z : m\ncoord psi, theta, phi : rad\n\
    frame B = N rotated z by psi, x by theta, y by phi\n\
    body ball mass m at (x, y, z) frame B inertia (m*r^2, m*r^2, m*r^2)\ngravity (0, 0, -g)\n\
    contact table: ball rolls as sphere(r) on plane(N.z, 0)\nstart z = r\n";
const WHEEL: &str = "param m = 1 kg, r = 0.5 m, g = 9.81 m/s^2\ncoord phi : rad\npoint P = r*(cos(phi), sin(phi)) mass m\n\
    point Q = -r*(cos(phi), sin(phi)) mass m\ngravity (0, -g)\n";

#[test]
fn families_of_a_symmetry_are_told_once() {
    // at the height 0 all terms of the energy vanish: rounding had made a hundred families of one
    for (text, dimension, energy) in
        [(CIRCLE, 1, Some(0.0)), (ROD, 3, Some(0.0)), (BALL, 5, None), (WHEEL, 1, Some(0.0))]
    {
        let found = set(&model(text), &Equilibria::default());
        assert_eq!(found.equilibria.len(), 1, "{text}\n{:?}", found.equilibria.len());
        let one = &found.equilibria[0];
        assert_eq!(
            (one.kind, one.family_dimension, one.everywhere),
            (EquilibriumKind::Family, dimension, true),
            "{text}"
        );
        assert_eq!(one.stability, Rest::Neutral, "{text}: {}", one.reason);
        assert_eq!(one.potential_energy, energy, "{text}");
    }
    let high = set(&model(&CIRCLE.replace("z = 0", "z = 2 m")), &Equilibria::default());
    assert_eq!(high.equilibria.len(), 1);
    assert!((high.equilibria[0].potential_energy.unwrap() - 19.62).abs() < 1e-12);
}

#[test]
fn reactions_that_balance_each_other_are_told() {
    let beam = "param P = 10 N, l = 1 m, g = 9.81 m/s^2\ncoord x, y : m\ncoord phi : rad\nframe R = N rotated z by phi\n\
                point C = (x, y)\nbody beam mass P/g at C frame R inertia (P/g)*l^2/3\ngravity (0, -g)\n\
                constraint left: (C - l*R.x).y = 0\nconstraint mid: C.y = 0\nconstraint right: (C + l*R.x).y = 0\n\
                constraint hold: x = 0\n";
    let found = set(&model(beam), &Equilibria::default());
    let flat = with(&found, "phi", 0.0);
    assert_eq!((flat.indeterminate, flat.balancing.len()), (1, 1));
    let added = |name: &str| *flat.balancing[0].get(name).unwrap();
    // a unit in the middle, half of it off both ends
    assert!((added("left") / added("mid") + 0.5).abs() < 1e-9 && (added("right") / added("mid") + 0.5).abs() < 1e-9);
    for name in ["left", "mid", "right"] {
        let push = flat.reactions.iter().find(|push| push.constraint == name).unwrap_or_else(|| panic!("{name}"));
        assert!(push.vector[1].is_nan(), "{push:?}");
    }
    assert!((flat.shared_loads[0].resultant.unwrap()[1] - 10.0).abs() < 1e-9, "{:?}", flat.shared_loads);
    // the exact branch would have put all on two supports
    assert!(flat.exact.as_ref().is_some_and(|exact| exact.get("mid").is_none()), "{:?}", flat.exact);
}

#[test]
fn work_that_nothing_balances_is_told_with_the_loads() {
    let guided = Settings::gallery("rhombus").unwrap();
    let text = guided.text.lines().filter(|line| !line.contains("guide")).collect::<Vec<_>>().join("\n");
    let text = text.split("expect").next().unwrap().to_owned() + "\n";
    let wanted = Equilibria { solve: vec!["Q".to_owned()], ..Equilibria::default() };
    let found = set(&model(&text), &wanted);
    assert!(found.equilibria.is_empty());
    assert!(
        found.notes.iter().any(|note| note == "the constraints leave 2 freedoms at the start"),
        "{:?}",
        found.notes
    );
    let works: Vec<&str> = found.work.iter().filter_map(|work| work.exact.as_deref()).collect();
    // turning it as a whole, and pulling it longer, where F does 10 by unit
    assert_eq!(works.len(), 2, "{works:?}");
    assert!(works.iter().any(|work| work.starts_with("10 - 0.288675*Q")), "{works:?}");
}

#[test]
fn generalized_forces_need_not_vanish_where_a_row_is_on_rates() {
    let sleigh = "param m = 1 kg, J = 1 kg*m^2, g = 9.81 m/s^2, alpha = 0.3 rad\ncoord x, y : m\ncoord phi : rad\n\
                  frame B = N rotated z by phi\nbody S mass m at (x, y) frame B inertia J\ngravity (g*sin(alpha), 0)\n\
                  constraint blade: x'*sin(phi) = y'*cos(phi)\n";
    let found = set(&model(sleigh), &Equilibria::default());
    assert_eq!(found.equilibria.len(), 2);
    assert!(found.notes.iter().any(|note| note.starts_with("`blade` is on rates")), "{:?}", found.notes);
    assert!(!gallery("two-rods-couple", &[]).notes.iter().any(|note| note.contains("on rates")));
}

#[test]
fn a_block_on_two_rough_corners_stands() {
    // two gaps and two slips are one row too many: a slip is left out, or the block would hang in the air
    let found = gallery("rocking-block", &[]);
    let closed = |one: &&Equilibrium| one.contact.0.iter().all(|(_, word)| *word == Support::Closed);
    let places: Vec<f64> = found.equilibria.iter().filter(closed).map(|one| value(one, "phi")).collect();
    assert_eq!(places, [std::f64::consts::PI, 0.0], "upright, or below the floor upside down");
    let one = found.equilibria.iter().filter(closed).find(|one| value(one, "phi") == 0.0).unwrap();
    assert_eq!((one.indeterminate, one.kind), (1, EquilibriumKind::Family), "{one:?}");
    let gaps: Vec<f64> = one.multipliers.0.iter().filter(|(name, _)| name.ends_with("gap")).map(|(_, x)| *x).collect();
    assert!(gaps.len() == 2 && (gaps[0] - gaps[1]).abs() < 1e-9 * gaps[0], "{gaps:?}");
}

#[test]
fn all_that_the_constraints_allow_is_about_places() {
    // a disc stands upright: its lean is no freedom of the family, although its rates have as many as the family
    let disc = gallery("rolling-disc", &[]);
    assert_eq!((disc.equilibria[0].family_dimension, disc.equilibria[0].everywhere), (4, false));
    assert_eq!(disc.equilibria[0].stability, Rest::Unstable);
}

#[test]
fn a_constraint_without_slope_at_rest_is_named() {
    let error = refused(&Settings::gallery("appell-hamel").unwrap(), &Equilibria::default());
    assert!(error.contains("does not say what it allows at rest") && error.contains("hint"), "{error}");
}
