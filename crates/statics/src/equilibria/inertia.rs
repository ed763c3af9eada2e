//! How many principal directions of the energy lead up, how many down, and along how many is it flat? By exact signs.
//!
//! ```text
//! det(x − K_N) = Σ aₖ xᵏ                  K_N = Nᵀ K N, N what the rows leave free                              (1)
//! up = changes of sign among the aₖ        all roots are real, so Descartes' rule counts them                   (2)
//! flat = how many of a₀, a₁ … vanish       down = all others
//! ```
//!
//! On a branch the aₖ are expressions of the parameters. With the values of the model they are numbers, and their signs
//! are proved: balls of rising precision for what is not zero, an exact proof for what is.

use algebra::{Condition, Sign};
use expr::{At, Comparison, Expr, Op, Substitution};
use proof::linear::{self, null_space};

use super::oscillations::{Oscillations, Spectral};
use super::statics::{Damping, Statics};
use engine::Loaded;

/// More freedoms than this are left to floats.
const MOST_FREEDOMS: usize = 6;
/// So many are looked at with parameters as symbols.
const MOST_SYMBOLIC: usize = 3;

/// The signs of the energy's principal directions, proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inertia {
    /// So many lead up.
    pub up: usize,
    /// Along so many the energy is flat to second order.
    pub flat: usize,
    /// So many lead down.
    pub down: usize,
}

/// The stiffness with all that it depends on as symbols.
pub struct Stiffness {
    /// K, with momenta of free turns held.
    K: Vec<Vec<Expr>>,
    /// What free turns move: where that vanishes no momentum can be held.
    turned: Vec<Expr>,
    /// A.
    A: Vec<Vec<Expr>>,
    /// ∂²T/∂q'∂q' with the names of its coordinates, where it is small enough to be looked at.
    M: Vec<(String, Vec<Expr>)>,
    /// M, C and K of all motions nearby, where they are small enough to be looked at, and the place of a free turn.
    motion: Option<(Oscillations, Option<usize>)>,
    /// What the parameters are.
    values: Substitution,
    /// Whether forces act at rest that turn a motion aside without doing work.
    is_gyroscopic: bool,
}

impl Stiffness {
    /// The stiffness of a holonomic system whose forces have a potential; nothing for others.
    pub fn new(loaded: &Loaded, statics: &Statics) -> Option<Stiffness> {
        if !statics.is_potential || statics.is_nonholonomic() || statics.is_timed() {
            return None;
        }
        let system = &loaded.system;
        let (q, q_dot, q_ddot) = (system.q(), system.q_dot(), system.q_ddot());
        let prescribed = |s: &usize| statics.turning.iter().any(|one| one.is_prescribed && one.coordinate == *s);
        let moving: Vec<usize> = (0..q.len()).filter(|s| !prescribed(s)).collect();
        let mut rest = Substitution::new();
        for s in 0..q.len() {
            let own = statics.turning.iter().find(|one| one.coordinate == s);
            rest.insert(q_dot[s], own.map_or_else(Expr::zero, |one| one.rate));
            rest.insert(q_ddot[s], Expr::zero());
        }
        // nothing depends on where free coordinates and free turns are
        let loose: Vec<usize> =
            statics.turning.iter().filter(|one| !one.is_prescribed).map(|one| one.coordinate).collect();
        rest.extend(statics.free.iter().chain(&loose).map(|&s| (q[s], Expr::zero())));
        let block = |symbols: &[Expr]| -> Option<Vec<Vec<Expr>>> {
            let row = |&i: &usize| -> Option<Vec<Expr>> {
                let slopes = moving.iter().map(|&j| expr::derivative(statics.motion[i], symbols[j]));
                rest.apply(&slopes.collect::<Result<Vec<_>, _>>().ok()?).ok()
            };
            moving.iter().map(row).collect()
        };
        let mut K = block(&q)?;
        let is_small = moving.len() <= MOST_SYMBOLIC + statics.rows.list.len();
        let is_gyroscopic = is_small && !is_symmetric(&block(&q_dot)?);
        let inertia = if is_small { block(&q_ddot)? } else { Vec::new() };
        let M = moving.iter().map(|&s| statics.names[s].clone()).zip(inertia).collect();
        let place = |s: &usize| moving.iter().position(|k| k == s);
        let turns: Vec<usize> = loose.iter().filter_map(place).collect();
        let places: Vec<usize> = loose.iter().chain(&statics.cyclic).filter_map(place).collect();
        let motion = match moving.len() <= MOST_FREEDOMS + statics.rows.list.len() {
            true => {
                Some((Oscillations { M: block(&q_ddot)?, C: block(&q_dot)?, K: K.clone() }, turns.first().copied()))
            }
            false => None,
        };
        let mut turned = Vec::new();
        match places[..] {
            [] => {}
            [o] => {
                let (M, C) = (block(&q_ddot)?, block(&q_dot)?);
                for i in 0..K.len() {
                    for j in 0..K.len() {
                        K[i][j] -= (C[i][o] * C[o][j]).try_div(M[o][o]).ok()?;
                    }
                }
                turned.push(M[o][o]);
            }
            _ => return None,
        }
        let rows = &statics.slopes[..statics.rows.list.len()];
        let A = rows.iter().map(|row| moving.iter().map(|&s| row[s]).collect()).collect();
        let values = system.parameters.iter().filter_map(|one| Some((one.symbol, one.value?))).collect();
        Some(Stiffness { K, turned, A, M, motion, values, is_gyroscopic })
    }

    /// The coordinate that moves masses in general and none on a branch: there the coordinates fail, as the angle does at r = 0.
    fn failing(&self, branch: &algebra::Branch) -> Option<&str> {
        let moves = |row: &[Expr]| row.iter().any(|entry| !entry.is_zero());
        let still = |row: &[Expr]| row.iter().all(|&entry| branch.put(entry).is_ok_and(|entry| entry.is_zero()));
        self.M.iter().find(|(_, row)| moves(row) && still(row)).map(|(name, _)| name.as_str())
    }

    /// K_N on a branch, free unknowns of the branch as symbols, after some symbols have been replaced; pivots do not vanish
    /// at the state.
    fn reduced(&self, branch: &algebra::Branch, values: &Substitution, at: &At) -> Option<Vec<Vec<Expr>>> {
        let put = |e: &Expr| values.apply_one(branch.put(*e).ok()?).ok();
        if self.turned.iter().any(|mass| put(mass).is_none_or(|mass| mass.is_zero())) {
            return None;
        }
        let rows = |rows: &[Vec<Expr>]| -> Option<Vec<Vec<Expr>>> {
            rows.iter().map(|row| row.iter().map(put).collect()).collect()
        };
        let (K, A) = (rows(&self.K)?, rows(&self.A)?);
        if A.is_empty() {
            return Some(K);
        }
        let N = null_space(&linear::Matrix::from_rows(&A), at).ok()?;
        let image = |v: &Vec<Expr>| -> Vec<Expr> { K.iter().map(|row| inner(row, v)).collect() };
        let images: Vec<Vec<Expr>> = N.iter().map(image).collect();
        Some(N.iter().map(|v| images.iter().map(|image| inner(v, image)).collect()).collect())
    }

    /// The signs on a branch with the values of the model, its free unknowns at some place; nothing if one of them could
    /// not be proved.
    pub fn inertia(&self, branch: &algebra::Branch, free: &Substitution, at: &At) -> Option<Inertia> {
        let K = self.reduced(branch, &free.iter().chain(&self.values).copied().collect(), at)?;
        let coefficients = (K.len() <= MOST_FREEDOMS).then(|| characteristic(&K))?;
        counted(&coefficients.into_iter().map(|a| algebra::sign(a, &[])).collect::<Vec<_>>())
    }

    /// What the linear equations do at a place of a branch with the values of the model, where gyroscopic forces act.
    pub fn spectral(
        &self,
        statics: &Statics,
        branch: &algebra::Branch,
        free: &Substitution,
        at: &At,
    ) -> Option<Spectral> {
        let values = free.iter().chain(&self.values).copied().collect();
        self.oscillations(branch, &values, at).filter(Oscillations::is_gyroscopic)?.judged(statics.free.len())
    }

    /// The linear equations on a branch, after some symbols have been replaced; pivots do not vanish at the state.
    fn oscillations(&self, branch: &algebra::Branch, values: &Substitution, at: &At) -> Option<Oscillations> {
        let (all, turn) = self.motion.as_ref()?;
        let put = |e: &Expr| values.apply_one(branch.put(*e).ok()?).ok();
        let rows = |rows: &[Vec<Expr>]| -> Option<Vec<Vec<Expr>>> {
            rows.iter().map(|row| row.iter().map(put).collect()).collect()
        };
        let mut made = Oscillations { M: rows(&all.M)?, C: rows(&all.C)?, K: rows(&all.K)? };
        let mut A = rows(&self.A)?;
        if let Some(turn) = *turn {
            made = made.with_momentum_held(turn)?;
            A.iter_mut().for_each(|row| _ = row.remove(turn));
        }
        if !A.is_empty() {
            made = made.along(&null_space(&linear::Matrix::from_rows(&A), at).ok()?);
        }
        Some(made)
    }

    /// Where a branch is stable, with parameters as symbols: linear equations by their eigenvalues, others as far as the signs
    /// of the stiffness say, and then what their linear equations do.
    pub fn verdict(&self, statics: &Statics, branch: &algebra::Branch, known: &[Condition], at: &At) -> Option<String> {
        if let Some(name) = self.failing(branch) {
            return Some(format!("not told: `{name}` moves no mass there, so that the coordinates fail at this place"));
        }
        let by_eigenvalues = self.by_eigenvalues(statics, branch, known, at);
        if statics.is_linear && by_eigenvalues.is_some() {
            return by_eigenvalues;
        }
        let by_stiffness = self.by_stiffness(statics, branch, known, at)?;
        Some(match by_eigenvalues {
            Some(linear) if by_stiffness == NO_MINIMUM && linear == "unstable" => linear,
            Some(linear) if by_stiffness.contains(NO_MINIMUM) => {
                format!("{by_stiffness}; the linear equations are {linear}")
            }
            _ => by_stiffness,
        })
    }

    /// Where the linear equations of a conservative system are stable, by their eigenvalues.
    fn by_eigenvalues(
        &self,
        statics: &Statics,
        branch: &algebra::Branch,
        known: &[Condition],
        at: &At,
    ) -> Option<String> {
        let known = [known, &branch.conditions[..]].concat();
        let motion = self.oscillations(branch, &Substitution::new(), at).filter(Oscillations::is_gyroscopic)?;
        let sign = |e: Expr| algebra::sign(e, &known);
        let conditions = motion.conditions(statics.free.len(), MOST_SYMBOLIC, &sign)?;
        let signs: Vec<Sign> = conditions.iter().map(|&e| sign(e)).collect();
        match () {
            () if signs.contains(&Sign::Negative) => Some("unstable".to_owned()),
            () if signs.contains(&Sign::Zero) => None,
            () => Some(while_positive(&conditions, &known, "stable", "unstable")),
        }
    }

    /// Where a branch is stable, as far as the signs of its stiffness say.
    fn by_stiffness(
        &self,
        statics: &Statics,
        branch: &algebra::Branch,
        known: &[Condition],
        at: &At,
    ) -> Option<String> {
        let K = self.reduced(branch, &Substitution::new(), at)?;
        let n = K.len();
        if n == 0 || n > MOST_SYMBOLIC || matches!(statics.damping, Damping::Other | Damping::Doubtful) {
            return None;
        }
        let known = [known, &branch.conditions[..]].concat();
        let K = plain_moduli(&K, &known);
        let turns = statics.turning.iter().filter(|one| !one.is_prescribed).count();
        let along = statics.free.len() + branch.free.iter().filter(|e| statics.q.contains(e)).count() + turns;
        let (sums, signs) = signed_minors(&K, along, &known);
        let (across, flat) = signs.split_at(n.checked_sub(along)?);
        if flat.iter().any(|sign| *sign != Sign::Zero) {
            return None;
        }
        // gyroscopic forces may hold what the energy does not, also by what moves along a family; of a free turn the momentum is
        // held in K
        let is_one = across.len() == 1 && along == turns + usize::from(statics.cyclic.is_some());
        let sign = |e: Expr| algebra::sign(e, &known);
        // damping that is complete leaves nothing to gyroscopic forces (Thomson, Tait and Chetaev)
        let is_lost = || {
            let motion = self.oscillations(branch, &Substitution::new(), at);
            along == 0 && statics.damping == Damping::Dissipative && motion.is_some_and(|motion| motion.is_lossy(&sign))
        };
        let is_plain = is_one || (statics.turning.is_empty() && (!self.is_gyroscopic || is_lost()));
        let word = if is_plain { "unstable" } else { NO_MINIMUM };
        let good = match (along - turns - statics.free.len(), across.is_empty()) {
            // nothing leads back where nothing acts
            (_, true) => "neutral",
            (0, false) => "stable",
            (_, false) => "neutral along the family, stable across it",
        };
        // all positive is what a minimum needs; the last is the product of the stiffnesses
        let is_zero = across.contains(&Sign::Zero);
        if across.contains(&Sign::Negative) || (is_zero && across.last() == Some(&Sign::Positive)) {
            return Some(word.to_owned());
        }
        if is_zero {
            return Some("undecided in the first approximation: a stiffness vanishes".to_owned());
        }
        let open = across.iter().zip(&sums).filter(|(sign, _)| **sign == Sign::Open);
        Some(while_positive(&open.map(|one| *one.1).collect::<Vec<Expr>>(), &known, good, word))
    }
}

/// What is said where the energy may lead down, and gyroscopic forces may hold it.
const NO_MINIMUM: &str = "no minimum of the energy";

/// Tells that it is good where all this is positive, and not where one of it is negative.
fn while_positive(list: &[Expr], known: &[Condition], good: &str, word: &str) -> String {
    let above = |value: Expr| algebra::shortened(&Condition { value, comparison: Comparison::Greater }, known);
    let mut conditions: Vec<Condition> = Vec::new();
    for one in list.iter().map(|&value| above(without_squares(without_roots(value), known))) {
        match algebra::judge(&one, known) {
            Some(true) => {}
            Some(false) => {
                let less = Condition { comparison: Comparison::Less, ..one };
                let is_sure = algebra::judge(&less, known) == Some(true);
                return if is_sure { word.to_owned() } else { format!("{word} while {less}") };
            }
            None => conditions.push(one),
        }
    }
    tell(&conditions, known, good, word)
}

/// Minors that decide with their signs: what leads along nothing is told part by part.
fn signed_minors(K: &[Vec<Expr>], along: usize, known: &[Condition]) -> (Vec<Expr>, Vec<Sign>) {
    let signed = |sums: Vec<Expr>| {
        let signs = sums.iter().map(|&sum| algebra::sign(sum, known)).collect::<Vec<Sign>>();
        (sums, signs)
    };
    let parts = (along == 0).then(|| signed(leading_minors(K)));
    parts.filter(|(_, signs)| !signs.contains(&Sign::Zero)).unwrap_or_else(|| signed(principal_minors(K)))
}

/// Tells where it is good, and where it is not.
fn tell(conditions: &[Condition], known: &[Condition], good: &str, word: &str) -> String {
    if contradict(conditions, known) {
        return word.to_owned();
    }
    let conditions = &independent(conditions, known)[..];
    // where gyroscopic forces may hold what the energy does not, the conditions are enough, not needed
    let good = if word == "unstable" { good.to_owned() } else { format!("{good} at least") };
    let texts: Vec<String> = conditions.iter().map(ToString::to_string).collect();
    let is_open = |one: &Condition| one.comparison == Comparison::Greater;
    match conditions {
        [] => good.trim_end_matches(" at least").to_owned(),
        all if !all.iter().any(is_open) => format!("{good} while {}", texts.join(" and ")),
        [one] => {
            let less = Condition { comparison: Comparison::Less, ..*one };
            match algebra::judge(&less, known) {
                Some(false) => format!("{good} while {one}"),
                _ => format!("{good} while {one}, {word} while {less}"),
            }
        }
        _ => format!("{good} while {}, {word} where one of them is negative", texts.join(" and ")),
    }
}

/// Whether conditions cannot hold together.
fn contradict(conditions: &[Condition], known: &[Condition]) -> bool {
    (0..conditions.len()).any(|place| judged_by_others(conditions, place, known) == Some(false))
}

/// The conditions that do not follow from the others.
fn independent(conditions: &[Condition], known: &[Condition]) -> Vec<Condition> {
    let mut left = conditions.to_vec();
    for place in (0..left.len()).rev() {
        let is_more = |other: &Condition| {
            let more = algebra::sign(left[place].value - other.value, known);
            other.comparison == Comparison::Greater && matches!(more, Sign::Positive | Sign::Zero)
        };
        let follows = left.iter().enumerate().any(|(k, other)| k != place && is_more(other));
        if follows || judged_by_others(&left, place, known) == Some(true) {
            left.remove(place);
        }
    }
    left
}

/// What the others say about a condition.
fn judged_by_others(conditions: &[Condition], place: usize, known: &[Condition]) -> Option<bool> {
    let others = conditions.iter().enumerate().filter(|(k, _)| *k != place).map(|(_, one)| *one);
    let all: Vec<Condition> = known.iter().copied().chain(others).collect();
    algebra::judge(&conditions[place], &all)
}

/// Whether a matrix is its transpose.
fn is_symmetric(rows: &[Vec<Expr>]) -> bool {
    (0..rows.len()).all(|i| (0..i).all(|j| (rows[i][j] - rows[j][i]).is_zero()))
}

/// An expression of the same sign: a root among its factors becomes what stands under it.
fn without_roots(e: Expr) -> Expr {
    let half = expr::rational(1, 2);
    let bare = |factor: &Expr| match factor.arguments()[..] {
        [base, exponent] if factor.op() == Op::Power && exponent == half => base,
        _ => *factor,
    };
    match e.op() {
        Op::Power => bare(&e),
        Op::Product | Op::Scale => {
            let factors = e.arguments();
            let plain: Vec<Expr> = factors
                .iter()
                .map(|factor| if factor.op() == Op::Power { bare(factor) } else { without_roots(*factor) })
                .collect();
            if Expr::product(&factors) == e { Expr::product(&plain) } else { e }
        }
        _ => e,
    }
}

/// An expression of the same sign: squares of symbols that are known not to vanish are left out.
fn without_squares(e: Expr, known: &[Condition]) -> Expr {
    let is_there = |symbol: Expr| {
        let condition = Condition { value: symbol, comparison: Comparison::NotEqual };
        algebra::judge(&condition, known) == Some(true)
    };
    let divided = |e: Expr, symbol: Expr| -> Option<Expr> {
        let none = Substitution::from([(symbol, Expr::zero())]);
        let slope = expr::derivative(e, symbol).ok()?;
        let is_square = [e, slope].iter().all(|one| none.apply_one(*one).is_ok_and(|put| put.is_zero()));
        let left = is_square.then(|| expr::expand(e).ok()?.try_div(symbol * symbol).ok())??;
        let left = expr::expand(left).ok()?;
        none.apply_one(left).is_ok().then_some(left)
    };
    let mut made = e;
    for symbol in e.symbols().into_iter().filter(|symbol| is_there(*symbol)) {
        while let Some(less) = divided(made, symbol).filter(|less| !less.is_constant()) {
            made = less;
        }
    }
    made
}

fn inner(a: &[Expr], b: &[Expr]) -> Expr {
    a.iter().zip(b).map(|(a, b)| *a * *b).sum()
}

/// Entries in which |e| is e or −e wherever the sign of e is known.
fn plain_moduli(K: &[Vec<Expr>], known: &[Condition]) -> Vec<Vec<Expr>> {
    let flat: Vec<Expr> = K.iter().flatten().copied().collect();
    let moduli = expr::Evaluator::new(&flat, &[]).variable_nodes(|op| op == Op::Abs);
    let plain = moduli.into_iter().filter_map(|modulus| {
        let inside = modulus.arguments()[0];
        match algebra::sign(inside, known) {
            Sign::Positive => Some((modulus, inside)),
            Sign::Negative => Some((modulus, -inside)),
            Sign::Zero | Sign::Open => None,
        }
    });
    let plain: Substitution = plain.collect();
    K.iter().map(|row| plain.apply(row).unwrap_or_else(|_| row.clone())).collect()
}

/// The leading principal minors of each part of a symmetric matrix, parts being what no entry connects: all positive
/// where it is positive, and it leads down somewhere where one is negative (Sylvester).
pub fn leading_minors(K: &[Vec<Expr>]) -> Vec<Expr> {
    let mut left: Vec<usize> = (0..K.len()).collect();
    let mut list = Vec::new();
    while let Some(first) = left.first().copied() {
        let mut part = vec![first];
        let mut looked = 0;
        while looked < part.len() {
            let row = &K[part[looked]];
            part.extend(left.iter().copied().filter(|&j| !row[j].is_zero() && !part.contains(&j)).collect::<Vec<_>>());
            looked += 1;
        }
        left.retain(|j| !part.contains(j));
        for size in 1..=part.len() {
            let minor: Vec<Vec<Expr>> =
                part[..size].iter().map(|&i| part[..size].iter().map(|&j| K[i][j]).collect()).collect();
            list.extend(principal_minors(&minor).last().copied());
        }
    }
    list
}

/// The sums of principal minors of each size, the traces first: all positive where a symmetric matrix is, and none negative
/// where it is nowhere negative. Up to signs they are the coefficients of (1).
pub fn principal_minors(K: &[Vec<Expr>]) -> Vec<Expr> {
    let sums = characteristic(K).into_iter().take(K.len()).rev().enumerate();
    sums.map(|(k, sum)| expr::simplify(if k % 2 == 0 { -sum } else { sum }, &[])).collect()
}

/// The coefficients aₖ of (1), lowest first, by Leverrier's traces: B₁ = K, Bₖ = K (Bₖ₋₁ − cₖ₋₁), cₖ = tr Bₖ/k.
fn characteristic(K: &[Vec<Expr>]) -> Vec<Expr> {
    let n = K.len();
    let mut B: Vec<Vec<Expr>> = K.to_vec();
    let mut list = vec![Expr::one()];
    for k in 1..=n {
        let trace: Expr = (0..n).map(|i| B[i][i]).sum();
        let c = trace * expr::rational(1, k as i64);
        list.push(-c);
        (0..n).for_each(|i| B[i][i] -= c);
        let column = |j: usize| -> Vec<Expr> { B.iter().map(|row| row[j]).collect() };
        B = K.iter().map(|row| (0..n).map(|j| inner(row, &column(j))).collect()).collect();
    }
    list.reverse();
    list
}

/// (2), from the signs of the coefficients, lowest first.
fn counted(signs: &[Sign]) -> Option<Inertia> {
    if signs.contains(&Sign::Open) {
        return None;
    }
    let flat = signs.iter().take_while(|sign| **sign == Sign::Zero).count();
    let kept: Vec<&Sign> = signs.iter().filter(|sign| **sign != Sign::Zero).collect();
    let up = kept.windows(2).filter(|pair| pair[0] != pair[1]).count();
    Some(Inertia { up, flat, down: signs.len() - 1 - flat - up })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[&[&str]]) -> Option<Inertia> {
        let read = |text: &&str| expr::parse(text).unwrap();
        let K: Vec<Vec<Expr>> = rows.iter().map(|row| row.iter().map(read).collect()).collect();
        counted(&characteristic(&K).into_iter().map(|a| algebra::sign(a, &[])).collect::<Vec<_>>())
    }

    #[test]
    fn a_root_has_the_sign_of_what_stands_under_it() {
        let _scope = expr::Scope::enter();
        let read = |text: &str| expr::parse(text).unwrap();
        assert!(without_roots(read("-sqrt(1 - x^2)")).is_same(read("-(1 - x^2)")));
        assert!(without_roots(read("3*k*sqrt(a - b)")).is_same(read("3*k*(a - b)")));
        assert!(without_roots(read("sqrt(a) - b")).is_same(read("sqrt(a) - b")));
    }

    #[test]
    fn directions_up_down_and_flat_are_counted() {
        let _scope = expr::Scope::enter();
        let made = |up: usize, flat: usize, down: usize| Some(Inertia { up, flat, down });
        assert_eq!(of(&[&["2", "1", "0"], &["1", "2", "0"], &["0", "0", "-1"]]), made(2, 0, 1));
        // of rank one, with entries that floats cannot cancel
        let rank_one = [&["2", "sqrt(6)"][..], &["sqrt(6)", "3"]];
        assert_eq!(of(&rank_one), made(1, 1, 0));
        assert_eq!(of(&[&["1", "1"], &["1", "1 + 1/10^30"]]), made(2, 0, 0));
        assert_eq!(of(&[&["1", "1"], &["1", "1 - 1/10^30"]]), made(1, 0, 1));
        assert_eq!(of(&[&["0", "1"], &["1", "0"]]), made(1, 0, 1));
        assert_eq!(of(&[&["k"]]), None);
    }
}
