//! Which angles satisfy an equation in their cosine c and sine s?
//!
//! ```text
//! p(c) = 0                 φ = ±acos(k)             real if −1 <= k <= 1                      (1)
//! p(s) = 0                 φ = asin(k), π − asin(k)                                            (2)
//! a c + b s = d            (c, s) = (a d ∓ b r, b d ± a r)/(a² + b²),   r² = a² + b² − d² >= 0  (3)
//! A(c) + B(c) s = 0        A² = (1 − c²) B²,  s = −A/B                                         (4)
//! ```

use expr::{Comparison, Expr, Op, integer, pi, sign};

use crate::facts::{Contradiction, Facts};
use crate::roots::{Found, Root, roots};
use crate::solution::{Condition, Obstacle};
use crate::square;

/// An angle with what must hold for it to be real.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub cosine: Expr,
    pub sine: Expr,
    /// The angle as a lecturer would write it, if that is not clear from cosine and sine.
    pub angle: Option<Expr>,
    pub conditions: Vec<Condition>,
    pub multiplicity: u32,
}

/// Coefficients of the powers of one variable, lowest first.
type Coefficients = Vec<Expr>;

/// The angles at which Σ coefficient · cⁱ sʲ vanishes.
pub(crate) fn turns(
    terms: &[(Vec<u32>, Expr)],
    [cosine, sine]: [Expr; 2],
    facts: &Facts,
) -> Result<Found<Vec<Turn>>, Obstacle> {
    let (a, b) = reduced(terms.iter().map(|(k, e)| (k[0], k[1], *e)), facts);
    let (p, q) = reduced(terms.iter().map(|(k, e)| (k[1], k[0], *e)), facts);
    if b.is_empty() {
        return mapped(roots(&a, cosine, facts)?, |root| of_cosine(root, facts));
    }
    if q.is_empty() {
        return mapped(roots(&p, sine, facts)?, |root| of_sine(root, facts));
    }
    if a.is_empty() {
        let rest = mapped(roots(&b, cosine, facts)?, |root| of_cosine(root, facts))?;
        return Ok(joined(vec![upright(1), upright(-1)], rest));
    }
    if p.is_empty() {
        let rest = mapped(roots(&q, sine, facts)?, |root| of_sine(root, facts))?;
        return Ok(joined(vec![level(1), level(-1)], rest));
    }
    if a.len() <= 2 && b.len() == 1 {
        return linear(a.get(1).copied().unwrap_or(Expr::zero()), b[0], -a[0], facts);
    }
    match general(&a, &b, cosine, facts) {
        Err(obstacle) => general(&p, &q, sine, facts).map_err(|_| obstacle).map(swapped),
        found => found,
    }
}

/// A and B with Σ coefficient · xⁱ yʲ = A(x) + B(x) y, by y² = 1 − x².
fn reduced(terms: impl Iterator<Item = (u32, u32, Expr)>, facts: &Facts) -> (Coefficients, Coefficients) {
    let mut parts: [Coefficients; 2] = [Vec::new(), Vec::new()];
    for (i, j, c) in terms {
        let mut binomial = 1i64; // of (1 − x²)^half
        let half = j / 2;
        for k in 0..=half {
            let place = (i + 2 * k) as usize;
            let part = &mut parts[(j % 2) as usize];
            part.resize(part.len().max(place + 1), Expr::zero());
            part[place] += if k % 2 == 0 { binomial } else { -binomial } * c;
            binomial = binomial * i64::from(half - k) / i64::from(k + 1);
        }
    }
    for part in &mut parts {
        part.iter_mut().for_each(|c| *c = facts.simplify(*c));
        while part.last().is_some_and(|&c| facts.vanishes(c)) {
            part.pop();
        }
    }
    let [a, b] = parts;
    (a, b)
}

fn mapped(
    found: Found<Vec<Root>>,
    turn: impl Fn(&Root) -> Result<Vec<Turn>, Obstacle>,
) -> Result<Found<Vec<Turn>>, Obstacle> {
    Ok(match found {
        Found::All(list) => Found::All(list.iter().map(turn).collect::<Result<Vec<_>, _>>()?.concat()),
        Found::Anything => Found::Anything,
        Found::MayVanish(what) => Found::MayVanish(what),
    })
}

fn joined(mut first: Vec<Turn>, second: Found<Vec<Turn>>) -> Found<Vec<Turn>> {
    match second {
        Found::All(list) => {
            first.extend(list);
            Found::All(first)
        }
        other => other,
    }
}

fn swapped(found: Found<Vec<Turn>>) -> Found<Vec<Turn>> {
    let swap = |turn: Turn| Turn { cosine: turn.sine, sine: turn.cosine, angle: None, ..turn };
    match found {
        Found::All(list) => Found::All(list.into_iter().map(swap).collect()),
        other => other,
    }
}

/// c = ±1.
fn upright(c: i64) -> Turn {
    certain(Expr::from(c), Expr::zero())
}

/// s = ±1.
fn level(s: i64) -> Turn {
    certain(Expr::zero(), Expr::from(s))
}

fn certain(cosine: Expr, sine: Expr) -> Turn {
    Turn { cosine, sine, angle: None, conditions: Vec::new(), multiplicity: 1 }
}

/// −1 <= k <= 1, as far as that is not known.
fn within_one(root: &Root, facts: &Facts) -> Result<Vec<Condition>, Contradiction> {
    let mut conditions = root.conditions.clone();
    for value in [Expr::one() - root.value, root.value + 1] {
        let within = Condition { value, comparison: Comparison::AtLeast };
        match facts.judge(&within) {
            Some(judged) => judged?,
            None => conditions.push(within),
        }
    }
    Ok(conditions)
}

/// ±√(1 − k²).
fn beside(k: Expr, facts: &Facts) -> Result<Expr, Obstacle> {
    let square = facts.simplify(Expr::one() - k.pow(2));
    square::positive_root(square, facts)
}

/// (1).
fn of_cosine(root: &Root, facts: &Facts) -> Result<Vec<Turn>, Obstacle> {
    let k = root.value;
    for c in [1, -1] {
        if facts.vanishes(k - c) {
            let conditions = root.conditions.clone();
            return Ok(vec![Turn { multiplicity: 2 * root.multiplicity, conditions, ..upright(c) }]);
        }
    }
    let conditions = match within_one(root, facts) {
        Ok(conditions) => conditions,
        Err(contradiction) => return Ok(contradiction.no_case()),
    };
    let sine = beside(k, facts)?;
    let angle = k.try_function(Op::Acos).ok();
    let turn = |sine: Expr, angle: Option<Expr>| Turn {
        cosine: k,
        sine,
        angle,
        conditions: conditions.clone(),
        multiplicity: root.multiplicity,
    };
    Ok(vec![turn(sine, angle), turn(-sine, angle.map(|angle| -angle))])
}

/// (2).
fn of_sine(root: &Root, facts: &Facts) -> Result<Vec<Turn>, Obstacle> {
    let k = root.value;
    for s in [1, -1] {
        if facts.vanishes(k - s) {
            let conditions = root.conditions.clone();
            return Ok(vec![Turn { multiplicity: 2 * root.multiplicity, conditions, ..level(s) }]);
        }
    }
    let conditions = match within_one(root, facts) {
        Ok(conditions) => conditions,
        Err(contradiction) => return Ok(contradiction.no_case()),
    };
    let cosine = beside(k, facts)?;
    let angle = k.try_function(Op::Asin).ok();
    let turned = if facts.sign(k) & sign::NEGATIVE == sign::NEGATIVE { -pi() } else { pi() };
    let turn = |cosine: Expr, angle: Option<Expr>| Turn {
        cosine,
        sine: k,
        angle,
        conditions: conditions.clone(),
        multiplicity: root.multiplicity,
    };
    Ok(vec![turn(cosine, angle), turn(-cosine, angle.map(|angle| turned - angle))])
}

/// (3), with d = 0 written more shortly.
fn linear(a: Expr, b: Expr, d: Expr, facts: &Facts) -> Result<Found<Vec<Turn>>, Obstacle> {
    if !facts.is_nonzero(a) && !facts.is_nonzero(b) && !facts.is_nonzero(a.pow(2) + b.pow(2)) {
        return Ok(Found::MayVanish(b));
    }
    let norm = facts.simplify(a.pow(2) + b.pow(2));
    if facts.vanishes(d) {
        let length = square::positive_root(norm, facts)?;
        let turn = |a: Expr, b: Expr| Turn { angle: angle_of(b, -a, facts), ..certain(b / length, -a / length) };
        return Ok(Found::All(vec![turn(a, b), turn(-a, -b)]));
    }
    let rest = facts.simplify(norm - d.pow(2));
    let is_real = Condition { value: rest, comparison: Comparison::AtLeast };
    let exact = square::root(rest);
    let conditions = match facts.judge(&is_real) {
        Some(Err(contradiction)) => return Ok(Found::All(contradiction.no_case())),
        None if exact.is_none() => vec![is_real],
        _ => Vec::new(),
    };
    let r = exact.map_or_else(|| square::positive_root(rest, facts), Ok)?;
    let turn = |r: Expr, multiplicity: u32| {
        let parts = [a * d - b * r, b * d + a * r].map(|part| facts.simplify(part));
        let [cosine, sine] = parts.map(|part| facts.simplify(part / norm));
        Turn { cosine, sine, angle: angle_of(parts[0], parts[1], facts), conditions: conditions.clone(), multiplicity }
    };
    if facts.vanishes(rest) {
        return Ok(Found::All(vec![turn(Expr::zero(), 2)]));
    }
    Ok(Found::All(vec![turn(r, 1), turn(-r, 1)]))
}

/// (4).
fn general(a: &[Expr], b: &[Expr], of: Expr, facts: &Facts) -> Result<Found<Vec<Turn>>, Obstacle> {
    let mut norm = vec![Expr::zero(); (2 * a.len()).max(2 * b.len() + 2)];
    let mut add = |left: &[Expr], right: &[Expr], shift: usize, factor: i64| {
        for (i, &l) in left.iter().enumerate() {
            for (j, &r) in right.iter().enumerate() {
                norm[i + j + shift] += factor * (l * r);
            }
        }
    };
    add(a, a, 0, 1);
    add(b, b, 0, -1);
    add(b, b, 2, 1);
    let list = match roots(&norm, of, facts)? {
        Found::All(list) => list,
        Found::Anything => return Ok(Found::Anything),
        Found::MayVanish(what) => return Ok(Found::MayVanish(what)),
    };
    let at = |part: &[Expr], k: Expr| part.iter().rev().fold(Expr::zero(), |sum, &c| sum * k + c);
    let mut turns = Vec::new();
    for root in list {
        let k = root.value;
        let below = facts.simplify(at(b, k));
        if !facts.vanishes(below) {
            let sine = facts.simplify(-at(a, k) / below);
            let mut conditions = root.conditions.clone();
            conditions.push(Condition { value: below, comparison: Comparison::NotEqual });
            turns.push(Turn { conditions, multiplicity: root.multiplicity, ..certain(k, sine) });
        }
        if !facts.is_nonzero(below) {
            let mut both = of_cosine(&root, facts)?;
            let zero = Condition { value: below, comparison: Comparison::Equal };
            both.iter_mut().for_each(|turn| turn.conditions.push(zero));
            turns.extend(both);
        }
    }
    Ok(Found::All(turns))
}

/// The angle with that cosine and sine, up to a positive factor of both, in (−π, π]; `None` for the zero vector.
pub(crate) fn angle_of(cosine: Expr, sine: Expr, facts: &Facts) -> Option<Expr> {
    let half = pi() / integer(2);
    let has = |e: Expr, bits: u8| facts.sign(e) & bits == bits;
    let (right, left) = (has(cosine, sign::POSITIVE), has(cosine, sign::NEGATIVE));
    if facts.vanishes(sine) && (right || left) {
        return Some(if right { Expr::zero() } else { pi() });
    }
    if facts.vanishes(cosine) {
        return if has(sine, sign::POSITIVE) {
            Some(half)
        } else if has(sine, sign::NEGATIVE) {
            Some(-half)
        } else {
            Expr::apply(Op::Atan2, &[sine, cosine]).ok()
        };
    }
    let arc = || facts.simplify(sine / cosine).try_function(Op::Atan).ok();
    match (right, left) {
        (true, _) => arc(),
        (_, true) if has(sine, sign::NONNEGATIVE) => Some(pi() + arc()?),
        (_, true) if has(sine, sign::NEGATIVE) => Some(arc()? - pi()),
        _ => Expr::apply(Op::Atan2, &[sine, cosine]).ok(),
    }
}
