//! Balls hold what they stand for.

use super::*;
use proptest::prelude::*;

fn ratio(c: &Context, num: i64, den: u64) -> Ball {
    c.ratio(&IBig::from(num), &UBig::from(den))
}

fn overlap(a: &Ball, b: &Ball) -> bool {
    match (a.ends(512), b.ends(512)) {
        (Some(a), Some(b)) => a.0.compare(&b.1).is_le() && b.0.compare(&a.1).is_le(),
        _ => true,
    }
}

fn holds(a: &Ball, n: i64) -> bool {
    overlap(a, &Ball::from_i64(n))
}

type Function = fn(&Context, &Ball) -> Option<Ball>;
type Row = (&'static str, Function, Vec<(i64, u64)>);

/// Every function of one argument, with numbers in its domain and away from its zeros.
fn functions() -> Vec<Row> {
    let anywhere = vec![(1, 3), (-7, 5), (10_000_000_000, 1), (-1, 1_000_000_007), (355, 113)];
    let small = vec![(1, 3), (-7, 5), (-1, 1_000_000_007), (1000, 1), (-40, 1), (99, 100)];
    let unit = vec![(1, 3), (-1, 3), (99, 100), (-999, 1000), (1, 1 << 40), (-3, 4)];
    let positive = vec![(1, 3), (7, 5), (i64::MAX, 1), (1, 1 << 60), (999_999, 1_000_000)];
    vec![
        ("sin", |c, x| Some(c.sin(x)), anywhere.clone()),
        ("cos", |c, x| Some(c.cos(x)), anywhere.clone()),
        ("tan", |c, x| c.tan(x), anywhere.clone()),
        ("atan", |c, x| Some(c.atan(x)), anywhere.clone()),
        ("cbrt", |c, x| Some(c.cbrt(x)), anywhere.clone()),
        ("tanh", |c, x| Some(c.tanh(x)), anywhere),
        ("sinh", |c, x| c.sinh(x), small.clone()),
        ("cosh", |c, x| c.cosh(x), small.clone()),
        ("exp", |c, x| c.exp(x), small.clone()),
        ("x^7", |c, x| c.powi(x, 7), small.clone()),
        ("x^-12", |c, x| c.powi(x, -12), small),
        ("asin", |c, x| c.asin(x), unit.clone()),
        ("acos", |c, x| c.acos(x), unit),
        ("log", |c, x| c.log(x), positive.clone()),
        ("sqrt", |c, x| c.root(x, 2), positive.clone()),
        ("root 5", |c, x| c.root(x, 5), positive.clone()),
        ("root 13", |c, x| c.root(x, 13), positive),
    ]
}

#[test]
fn constants_to_fifty_digits() {
    let c = Context::new(192);
    let (one, two) = (Ball::one(), Ball::from_i64(2));
    let check = |value: Ball, expected: &str| assert_eq!(value.to_decimal(50), expected);
    check(c.pi(), "3.1415926535897932384626433832795028841971693993751");
    check(c.exp(&one).unwrap(), "2.7182818284590452353602874713526624977572470937000");
    check(c.sin(&one), "0.84147098480789650665250232163029899962256306079837");
    check(c.cos(&one), "0.54030230586813971740093660744297660373231042061792");
    check(c.tan(&one).unwrap(), "1.5574077246549022305069748074583601730872507723815");
    check(c.log(&two).unwrap(), "0.69314718055994530941723212145817656807550013436026");
    check(c.atan(&ratio(&c, 1, 2)), "0.46364760900080611621425623146121440202853705428612");
    check(c.asin(&ratio(&c, 1, 3)).unwrap(), "0.33983690945412193709639251339176406638824469033246");
    check(c.acos(&ratio(&c, 1, 3)).unwrap(), "1.2309594173407746821349291782479873757103400093551");
    check(c.sinh(&one).unwrap(), "1.1752011936438014568823818505956008151557179813341");
    check(c.cosh(&one).unwrap(), "1.5430806348152437784779056207570616826015291123659");
    check(c.tanh(&one), "0.76159415595576488811945828260479359041276859725794");
    check(c.root(&two, 2).unwrap(), "1.4142135623730950488016887242096980785696718753769");
    check(c.cbrt(&two.neg()), "-1.2599210498948731647672106072782283505702514647015");
    check(c.sin(&Ball::from_i64(10_000_000_000)), "-0.48750602508751069152779429434810604167644731692279");
}

#[test]
fn one_function_of_an_exact_argument_is_accurate() {
    for precision in [64, 100, 500, 4096] {
        let (c, fine) = (Context::new(precision), Context::new(precision + 150));
        for (name, f, arguments) in functions() {
            for (num, den) in arguments {
                let x = Ball::point(ratio(&c, num, den).mid);
                let (y, better) = (f(&c, &x).unwrap(), f(&fine, &x).unwrap());
                let bits = y.relative_bits();
                let told = format!("{name}({num}/{den}) to {precision}: {bits} bits");
                assert!(bits >= i64::from(precision) - 4, "{told}");
                assert!(y.mid.mantissa.bit_len() <= precision as usize + 1, "{told}");
                assert!(overlap(&y, &better), "{told}: {y:?} misses {better:?}");
            }
        }
    }
}

#[test]
fn a_wider_argument_gives_a_wider_result() {
    let c = Context::new(100);
    for (name, f, arguments) in functions() {
        for (num, den) in arguments {
            let x = ratio(&c, num, den);
            let mut last = f(&c, &Ball::point(x.mid.clone())).unwrap();
            for lost in [90, 60, 30] {
                let radius = Magnitude::above(&x.mid).scaled(-lost);
                let Some(y) = f(&c, &Ball { mid: x.mid.clone(), radius }) else {
                    continue;
                };
                assert!(y.radius >= last.radius, "{name}({num}/{den}), {lost} bits");
                let ((low, high), (inner, outer)) = (y.ends(512).unwrap(), last.ends(512).unwrap());
                let holds = low.compare(&inner).is_le() && outer.compare(&high).is_le();
                assert!(holds, "{name}({num}/{den}), {lost} bits: {y:?} misses {last:?}");
                last = y;
            }
        }
    }
}

#[test]
fn identities_hold_tightly() {
    for precision in [100, 500] {
        let c = Context::new(precision);
        let square = |x: &Ball| c.powi(x, 2).unwrap();
        let tight = |value: Ball, expected: &Ball, lost: i64| {
            let difference = c.sub(&value, expected);
            assert!(difference.contains_zero(), "{value:?} is not {expected:?}");
            let enough = i64::from(precision) - lost;
            assert!(value.relative_bits() >= enough, "{value:?} is loose");
        };
        for (num, den) in [(1, 7), (-5, 3), (22, 7), (-1, 1000), (7, 1)] {
            let x = ratio(&c, num, den);
            tight(c.add(&square(&c.sin(&x)), &square(&c.cos(&x))), &Ball::one(), 12);
            let (sinh, cosh) = (c.sinh(&x).unwrap(), c.cosh(&x).unwrap());
            let lost = 12 + 4 * num.abs() / den as i64;
            tight(c.sub(&square(&cosh), &square(&sinh)), &Ball::one(), lost);
            tight(c.log(&c.exp(&x).unwrap()).unwrap(), &x, 24);
            tight(c.exp(&c.log(&x.abs()).unwrap()).unwrap(), &x.abs(), 12);
            tight(c.tan(&c.atan(&x)).unwrap(), &x, 20);
            tight(c.powi(&c.cbrt(&x), 3).unwrap(), &x, 12);
            tight(c.powi(&c.root(&x.abs(), 2).unwrap(), 2).unwrap(), &x.abs(), 12);
            tight(c.div(&sinh, &cosh).unwrap(), &c.tanh(&x), 12);
            let (sin, cos) = (c.sin(&x), c.cos(&x));
            let turn = c.div(&c.sub(&c.atan2(&sin, &cos).unwrap(), &x), &c.pi()).unwrap();
            let turns = (turn.to_f64() / 2.0).round() as i64 * 2;
            assert!(holds(&turn, turns), "{turn:?} is not an even integer");
            let y = c.tanh(&x);
            if let (Some(asin), Some(acos)) = (c.asin(&y), c.acos(&y)) {
                tight(c.add(&asin, &acos), &c.pi().scaled(-1), 12);
            }
        }
    }
}

#[test]
fn extreme_sizes_keep_relative_accuracy() {
    let c = Context::new(128);
    let tiny = c.powi(&Ball::from_i64(10), -300).unwrap();
    for f in [c.sin(&tiny), c.tanh(&tiny), c.sinh(&tiny).unwrap(), c.asin(&tiny).unwrap()] {
        assert_eq!(f.to_decimal(30), "1.00000000000000000000000000000e-300");
    }
    let large = c.powi(&Ball::from_i64(10), 40).unwrap();
    assert_eq!(c.add(&large, &tiny).to_decimal(20), "1.0000000000000000000e40");
    assert_eq!(c.log(&large).unwrap().to_decimal(20), "92.103403719761827361");
    assert_eq!(c.sin(&large).to_decimal(20), "-0.56963340095363632731");
    assert_eq!(c.exp(&Ball::from_i64(-500_000)).unwrap().to_decimal(6), "5.74180e-217148");
    assert!(c.sub(&c.exp(&tiny).unwrap(), &Ball::one()).contains_zero());
    let residue = c.sub(&c.add(&large, &tiny), &large);
    assert!(overlap(&residue, &tiny) && residue.sign_certain().is_none());
    assert!(!c.sin(&Ball::one().scaled(-70)).is_exact());
    assert!(c.exp(&large).is_none() && c.sinh(&large).is_none());
    assert!(c.exp(&Ball::from_i64(1 << 20)).is_none());
    assert_eq!(c.tanh(&large).bounds_f64().1, 1.0);
    assert!(c.powi(&Ball::from_i64(2), 1 << 50).is_none());
    let mut grown = large.clone();
    for _ in 0..60 {
        grown = c.mul(&grown, &grown);
    }
    assert!(!grown.is_finite() && grown.contains_zero());
    assert!(holds(&c.sin(&grown), 1) && holds(&c.sub(&grown, &grown), 7));
    assert_eq!(grown.to_decimal(5), "0 ± inf");
    let mut shrunk = tiny;
    for _ in 0..60 {
        shrunk = c.mul(&shrunk, &shrunk);
    }
    assert!(shrunk.contains_zero() && !shrunk.is_exact() && shrunk.is_finite());
}

#[test]
fn domains_end_where_they_should() {
    let c = Context::new(64);
    let (zero, one) = (Ball::zero(), Ball::one());
    let unit = c.between(Dyadic::new(IBig::ZERO, 0), Dyadic::one()); // [0, 1]
    let around = Ball::around_zero(Magnitude::ONE); // [−1, 1]
    assert!(c.div(&one, &unit).is_none() && c.log(&unit).is_none());
    assert!(c.root(&around, 2).is_none() && c.root(&one.neg(), 4).is_none());
    assert_eq!(c.root(&unit, 2).unwrap().bounds_f64(), (0.0, 1.0));
    assert_eq!(c.root(&unit, 13).unwrap().bounds_f64().0, 0.0);
    let from_zero = c.root(&Ball::from_zero_to(&ratio(&c, 1, 3).mid), 2).unwrap();
    assert_eq!(c.root(&from_zero, 2).unwrap().bounds_f64().0, 0.0);
    assert_eq!(around.abs().bounds_f64(), (0.0, 1.0));
    assert_eq!(c.sub(&around, &one).abs().bounds_f64(), (0.0, 2.0));
    assert_eq!(c.powi(&around, 2).unwrap().bounds_f64(), (0.0, 1.0));
    assert!(c.powi(&around, -1).is_none());
    assert_eq!(c.cbrt(&around).bounds_f64(), (-1.0, 1.0));
    assert_eq!(c.max(&around, &unit).bounds_f64(), (0.0, 1.0));
    assert_eq!(c.min(&around, &unit).bounds_f64(), (-1.0, 1.0));
    assert!(c.asin(&Ball::from_i64(2)).is_none() && c.acos(&c.pi()).is_none());
    assert!(overlap(&c.asin(&one.neg()).unwrap(), &c.pi().scaled(-1).neg()));
    assert!(overlap(&c.acos(&one.neg()).unwrap(), &c.pi()));
    assert!(c.acos(&one).unwrap().is_exact() && c.sin(&zero).is_exact());
    assert!(c.tan(&c.pi().scaled(-1)).is_none());
    assert!(c.atan2(&zero, &one).unwrap().is_exact());
    assert!(c.atan2(&zero, &one.neg()).is_none() && c.atan2(&zero, &zero).is_none());
    assert!(c.atan2(&around, &one.neg()).is_none() && c.atan2(&unit, &zero).is_none());
    assert_eq!(c.atan2(&one.neg(), &one.neg()).unwrap().to_decimal(9), "-2.35619449");
    assert_eq!(c.atan2(&one, &zero).unwrap().to_decimal(9), "1.57079633");
    assert_eq!(c.root(&Ball::from_i64(1024), 10).unwrap().to_decimal(9), "2");
    assert!(c.root(&ratio(&c, 9, 4), 2).unwrap().is_exact());
}

#[test]
fn questions_are_answered_only_when_certain() {
    let c = Context::new(64);
    let (third, zero) = (ratio(&c, 1, 3), Ball::zero());
    assert_eq!(zero.sign_certain(), Some(0));
    assert_eq!(third.neg().sign_certain(), Some(-1));
    assert_eq!(c.sub(&third, &third).sign_certain(), None);
    assert_eq!(third.compare(&third), None);
    assert_eq!(third.compare(&ratio(&c, 333, 1000)), Some(Ordering::Greater));
    assert_eq!(third.neg().compare(&third), Some(Ordering::Less));
    assert_eq!(zero.compare(&zero), Some(Ordering::Equal));
    assert_eq!(Ball::from_i64(3).compare(&Ball::from_i64(2)), Some(Ordering::Greater));
    assert_eq!(third.to_f64(), 0.333_333_333_333_333_3);
    let (low, high) = third.bounds_f64();
    assert!(low < high && low >= 0.333_333_333_333_333_2 && high <= 0.333_333_333_333_333_5);
    let tiny = c.powi(&Ball::from_i64(2), -1080).unwrap();
    assert_eq!(tiny.bounds_f64(), (0.0, f64::from_bits(1)));
    assert_eq!(tiny.neg().bounds_f64(), (-f64::from_bits(1), 0.0));
    let huge = c.powi(&Ball::from_i64(2), 1024).unwrap();
    assert_eq!(huge.bounds_f64(), (f64::MAX, f64::INFINITY));
}

#[test]
fn decimals_are_certain() {
    let c = Context::new(64);
    let check = |value: &Ball, digits, expected: &str| {
        assert_eq!(value.to_decimal(digits), expected);
    };
    check(&Ball::zero(), 9, "0");
    check(&ratio(&c, -5, 4), 9, "-1.25");
    check(&ratio(&c, 1, 10), 12, "0.100000000000");
    check(&ratio(&c, 1, 3), 50, "0.333333333333333333");
    check(&ratio(&c, 2, 3), 5, "0.66667");
    check(&ratio(&c, 1_999_999, 2), 6, "1.00000e6");
    check(&ratio(&c, 1, 3_000_000_000), 6, "3.33333e-10");
    check(&Ball::from_i64(1_000_000), 3, "1000000");
    check(&Ball::from_i64(1_234_567), 3, "1.23e6");
    check(&c.powi(&Ball::from_i64(5), 27).unwrap(), 30, "7450580596923828125");
    check(&c.powi(&Ball::from_i64(2), -100).unwrap(), 4, "7.889e-31");
    check(&c.sub(&c.pi(), &c.pi()), 9, "0 ± 3e-19");
}

#[test]
fn radii_round_up() {
    for n in [1, 7, (1 << 32) - 1, (1 << 32) + 1, (1 << 40) + 1, u128::MAX >> 5, u128::MAX] {
        let point = Dyadic::new(IBig::from(n), -9);
        let (above, below) = (Magnitude::above(&point), Magnitude::below(&point));
        assert_eq!(above, Magnitude::new(n, -9));
        assert!(above.point().compare(&point).is_ge() && below.point().compare(&point).is_le());
        assert!(above == below || n >> 32 != 0);
        let (small, one) = (above.scaled(-99), Magnitude::ONE);
        assert!(above.plus(small) > above && above.times(one) >= above);
        assert!(above.over(one) >= above && one.over(above).times(above) >= one);
    }
}

/// A random expression in one variable, as a list of operations on a stack.
fn evaluate(c: &Context, x: &Ball, code: &[(u8, i64, u64)]) -> Option<Ball> {
    let mut stack = vec![x.clone()];
    for &(operation, num, den) in code {
        let a = stack.pop().unwrap_or_else(|| x.clone());
        let mut other = || stack.pop().unwrap_or_else(|| ratio(c, num, den));
        let result = match operation {
            0 => c.add(&a, &other()),
            1 => c.sub(&a, &other()),
            2 => c.mul(&a, &other()),
            3 => c.div(&a, &other())?,
            4 => c.atan2(&a, &other())?,
            5 => c.min(&a, &other()),
            6 => c.max(&a, &other()),
            7 => c.sin(&a),
            8 => c.cos(&a),
            9 => c.tan(&a)?,
            10 => c.asin(&a)?,
            11 => c.acos(&a)?,
            12 => c.atan(&a),
            13 => c.sinh(&a)?,
            14 => c.cosh(&a)?,
            15 => c.tanh(&a),
            16 => c.exp(&a)?,
            17 => c.log(&a)?,
            18 => c.cbrt(&a),
            19 => c.root(&a, 2 + den as u32 % 12)?,
            20 => c.powi(&a, num % 6)?,
            21 => a.abs(),
            22 => a.neg(),
            23 => a.sign()?,
            24..28 => {
                stack.push(a);
                ratio(c, num, den)
            }
            _ => {
                stack.push(a);
                x.clone()
            }
        };
        stack.push(result);
    }
    stack.pop()
}

fn expression() -> impl Strategy<Value = Vec<(u8, i64, u64)>> {
    prop::collection::vec((0u8..32, -40i64..40, 1u64..30), 1..14)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4_000) })]

    #[test]
    fn coarse_balls_meet_fine_ones(code in expression(), num in -99i64..99, den in 1u64..50) {
        let (c, fine) = (Context::new(64), Context::new(256));
        let coarse = evaluate(&c, &ratio(&c, num, den), &code);
        let better = evaluate(&fine, &ratio(&fine, num, den), &code);
        if let (Some(coarse), Some(better)) = (coarse, better) {
            prop_assert!(overlap(&coarse, &better), "{coarse:?} misses {better:?}");
        }
    }

    #[test]
    fn rounding_errors_in_fixed_point_are_counted(num in 1i64..1 << 40, shift in 20i64..44) {
        // With few bits and no last rounding to hide behind.
        let (c, fine) = (Context::new(32), Context::new(200));
        let x = Dyadic::new(IBig::from(num), -shift);
        let y = Dyadic::new(IBig::from(num % 700 + 700), -10) ;
        let (at_x, at_y) = (Ball::point(x.clone()), Ball::point(y.clone()));
        let cases = [
            (c.sine_fixed(&x, 0, 16), fine.sin(&at_x)),
            (c.sine_fixed(&x.neg(), 1, 16), fine.cos(&at_x)),
            (c.atan_fixed(&x, 16), fine.atan(&at_x)),
            (c.log_fixed(&y, 0, 16), fine.log(&at_y).unwrap()),
            (c.log_fixed(&y, -shift, 16), fine.log(&at_y.scaled(-shift)).unwrap()),
        ];
        for (fixed, value) in cases {
            let bits = -(fixed.bits as i64);
            let mid = Dyadic::new(fixed.value, bits);
            let ball = Ball { mid, radius: fixed.error.scaled(bits) };
            prop_assert!(overlap(&ball, &value), "{ball:?} misses {value:?}");
        }
    }

    #[test]
    fn a_ball_holds_the_values_at_its_points(
        code in expression(),
        mid in -4096i64..4096,
        size in 1i64..64,
        scale in 0i64..24,
        inside in -16i64..=16,
    ) {
        let (c, fine) = (Context::new(64), Context::new(256));
        let mid = Dyadic::new(IBig::from(mid), -10);
        let radius = Magnitude::new(size as u128, -scale);
        let offset = Dyadic::new(IBig::from(size * inside), -scale - 4);
        let point = Ball::point(mid.plus(&offset));
        let image = evaluate(&c, &Ball { mid, radius }, &code);
        let Some(image) = image else {
            return Ok(());
        };
        if let Some(value) = evaluate(&fine, &point, &code) {
            prop_assert!(overlap(&image, &value), "{image:?} misses {value:?}");
        }
    }
}
