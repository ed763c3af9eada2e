//! Which known mistake, or which two, do wrong equations look like?
//!
//! ```text
//! E* − P* + Δ = 0                 solved for w at several states: the motion that a mistake leads to      (1)
//! Z C q'' + Z c = 0,  Z B = 0     what claims C q'' + B μ + c = 0 say once unknowns μ are eliminated      (2)
//! ```
//!
//! A mistake explains the claims if (2) holds at the motion (1). It is told as exact only if that is proved, for a
//! mistaken system that determines its motion, and if no slip in one term explains as much; otherwise as likely, with what
//! speaks against it. Where (1) determines no motion, (2) is compared with
//! (1) itself: each claim must be a multiple of one mistaken equation, whatever the inputs are.

use expr::{Expr, Substitution};
use linear::Matrix;
use linear::cancel::cancel;
use linear::solve::eliminate;
use linear::tolerance::{CANCELLED, DETERMINED};
use mechanics::chart::ChartKind;
use mechanics::ingredients::Ingredients;
use mechanics::mistake::{Mistake, OtherMotion, follows_reactions, mistakes, other_motions, together};

use super::state::{State, linear};
use super::{Auditor, Equation, has_multiplier, misread, term};
use engine::readable::Reader;
use mechanics::agreement::Solution;

/// Numbers agree if they differ by less than this, against the size of what is compared.
pub const SAME: f64 = 1e-7;
/// A term of an explanation is written out if it has no more operations than this.
const SHORT: usize = 60;
/// So many explanations that numbers found are put to a proof.
const MOST_TRIED: usize = 40;
/// So many other mistakes that look the same are named.
const MOST_OTHERS: usize = 3;

/// What wrong claims look like.
pub struct Diagnosis {
    /// The mistakes, in words; none if nothing in the dictionary explains the claims.
    pub mistakes: Vec<String>,
    /// A paragraph for the author.
    pub explanation: String,
}

/// Linear functions at each state.
type Linear = Vec<super::state::Linear>;

/// One chart with its true residuals and the mistakes that can be made in it.
struct Table {
    kind: ChartKind,
    mistakes: Vec<Mistake>,
    invisible: Vec<&'static str>,
    /// What vanishes on the true motion.
    residuals: Vec<Expr>,
    truth: Linear,
    deltas: Vec<Linear>,
    /// q'' in terms of w.
    accelerations: Linear,
    /// Products of powers of parameters at each state.
    powers: Vec<term::Powers>,
    u: Vec<String>,
}

/// An explanation: mistakes of a table.
#[derive(Clone, PartialEq)]
struct Found {
    table: usize,
    which: Vec<usize>,
    /// Whether it is proved, not only found in numbers.
    exact: bool,
}

/// Looks for one mistake that explains all equations, then for a slip in one term, then for two mistakes, then for
/// what explains the first wrong equation alone. `is_seen` says that some state shows how the claims fail.
pub fn diagnose(auditor: &Auditor<'_>, equations: &[Equation], wrong: &[usize], is_seen: bool) -> Diagnosis {
    let states = auditor.generic();
    let Some(first) = wrong.first().and_then(|&place| equations.iter().find(|one| one.place == place)) else {
        return nothing(auditor, None);
    };
    if let Some(found) = of_multiplier(auditor, first) {
        return found;
    }
    if is_close(auditor, equations, wrong) {
        let explanation = match is_seen {
            true => {
                "Where mistakes are compared it cannot be told from a right equation, so that none of the dictionary is \
                 named; it fails at other states, such as this one."
            }
            false => {
                "In numbers it cannot be told from a right equation, so that no mistake of the dictionary is named; exact \
                 arithmetic tells them apart."
            }
        };
        let explanation = explanation.to_owned();
        return Diagnosis { mistakes: Vec::new(), explanation: explanation + &difference(auditor, Some(first)) };
    }
    let all: Vec<Expr> = equations.iter().flat_map(|one| one.parts.iter().copied()).collect();
    let tables: Vec<Table> = kinds(auditor).into_iter().filter_map(|kind| table(auditor, kind)).collect();
    let others = other_motions(auditor.given);
    let wrong_ones: Vec<&Equation> = equations.iter().filter(|one| wrong.contains(&one.place)).collect();
    let is_late = wrong_ones.iter().any(|one| one.is_late || holds_rates(auditor, one));
    for (list, is_all) in [(&all, true), (&first.parts, false)] {
        let claims = Claims::of(auditor, list, states);
        let searched = claims.as_ref().filter(|claims| claims.say_something() && !is_late);
        if let Some(claims) = searched {
            let found = confirmed(auditor, &tables, matching(&tables, claims, 1), list);
            if !found.is_empty() {
                let against = against(auditor, list, &wrong_ones, (is_all, wrong.len()));
                return explained(auditor, &tables, &found, is_all && all.len() > 1, &against);
            }
            // A multiplier of that principle is a function of time with a law of its own: for some value of it at each state
            // anything along the reaction would fit.
            let mut others = others.iter().filter(|other| other.free.is_empty());
            if let Some(other) = others.find(|other| leads_to(other, claims, states)) {
                return of_other_motion(other, is_all && all.len() > 1);
            }
        }
        let slips = if is_all { &wrong_ones[..] } else { &wrong_ones[..1] };
        if let Some(found) = term::slip(auditor, slips).or_else(|| misread::misread(auditor, slips)) {
            return found;
        }
        if let Some(claims) = searched {
            let found = confirmed(auditor, &tables, matching(&tables, claims, 2), list);
            if !found.is_empty() {
                let against = against(auditor, list, &[], (is_all, wrong.len()));
                return explained(auditor, &tables, &found, is_all && all.len() > 1, &against);
            }
        }
    }
    nothing(auditor, Some(first))
}

/// Whether an equation holds rates of the author's own unknowns.
fn holds_rates(auditor: &Auditor<'_>, equation: &Equation) -> bool {
    let rates = &auditor.own[auditor.plain..];
    equation.parts.iter().flat_map(|e| e.symbols()).any(|symbol| rates.contains(&symbol))
}

/// What speaks against a mistake that leads to these claims; `wrong` are those that a slip in one term may explain too.
fn against(
    auditor: &Auditor<'_>,
    claims: &[Expr],
    wrong: &[&Equation],
    (is_all, wrong_count): (bool, usize),
) -> Vec<String> {
    let mut list = Vec::new();
    if !is_all {
        let why = match wrong_count {
            1 => "it explains the wrong equation alone, and would change the others, which are right",
            _ => "it explains the first wrong equation and not the others",
        };
        list.push(why.to_owned());
    }
    if claims.iter().any(|claim| claim.is_zero()) {
        list.push("one of the claims says nothing, so that more was lost".to_owned());
    }
    if let [only] = wrong
        && let Some(slip) = term::slip(auditor, &[only]).or_else(|| misread::misread(auditor, &[only]))
    {
        let slip =
            slip.mistakes.first().and_then(|one| one.split_once(": ")).map_or(String::new(), |one| one.1.to_owned());
        let what = if slip.starts_with(term::WHOLE) { "a slip in one side" } else { "a slip in one term" };
        list.push(format!("{what} explains it as well: {slip}"));
    }
    list
}

/// No mistake is known; what is left of the claim says how far it is off.
fn nothing(auditor: &Auditor<'_>, wrong: Option<&Equation>) -> Diagnosis {
    let is_late = wrong.is_some_and(|wrong| wrong.is_late || holds_rates(auditor, wrong));
    let none = match follows_reactions(auditor.given.system, auditor.given.mode) {
        _ if is_late => {
            "Mistakes of the dictionary are not looked for in rates of equations of motion, with third derivatives or rates \
             of multipliers."
        }
        true => {
            "No mistake in the friction alone leads to these equations; others, which would change the reactions that \
             loads follow, were not tried."
        }
        false => "No mistake of the dictionary, nor two of them whose changes add, leads to these equations.",
    };
    let certain = match auditor.loaded.system.laws.is_empty() && auditor.given.mode.sliding().next().is_none() {
        true => "the accelerations there are certain.",
        // what follows a reaction may have two motions there, or none
        false => "`anholon evaluate` says whether the reactions that loads follow admit one motion there.",
    };
    let mut explanation = format!("{none} Compare the witness state with your own calculation: {certain}");
    explanation.push_str(&difference(auditor, wrong));
    Diagnosis { mistakes: Vec::new(), explanation }
}

/// By what the sides of a wrong claim differ on the true motion, if that is short.
fn difference(auditor: &Auditor<'_>, wrong: Option<&Equation>) -> String {
    let own = |e: &Expr| e.symbols().iter().any(|symbol| auditor.own.contains(symbol));
    let part = wrong.and_then(|wrong| wrong.parts.iter().find(|part| !own(part) && !part.is_zero()));
    let left = part.and_then(|&part| auditor.solution.put(&[part])).map(|left| Reader::new().readable(left[0], &[]));
    match left.filter(|left| !left.is_zero() && left.operations() <= SHORT) {
        Some(left) => format!(" On the true motion its two sides differ by {left}."),
        None => String::new(),
    }
}

/// Do all wrong claims hold at every state, as far as numbers tell? Then every mistake that leads nearby would fit.
fn is_close(auditor: &Auditor<'_>, equations: &[Equation], wrong: &[usize]) -> bool {
    let mut parts = equations.iter().filter(|one| wrong.contains(&one.place)).flat_map(|one| &one.parts);
    parts.all(|&part| {
        let own = part.symbols().iter().any(|symbol| auditor.own.contains(symbol));
        !own && auditor.generic().iter().all(|state| super::misses(state, &[part]) <= SAME)
    })
}

/// Are right but incomplete claims those of the vakonomic principle?
pub fn open_motion(auditor: &Auditor<'_>, equations: &[Equation]) -> Option<Diagnosis> {
    let states = auditor.generic();
    let all: Vec<Expr> = equations.iter().flat_map(|one| one.parts.iter().copied()).collect();
    let others = other_motions(auditor.given);
    let other = others.iter().find(|other| {
        // For any value of what is free, not for one: so the claims are no weaker than the principle.
        !other.free.is_empty() && Claims::of(auditor, &all, states).is_some_and(|claims| always(other, &claims, states))
    })?;
    Some(of_other_motion(other, true))
}

fn kinds(auditor: &Auditor<'_>) -> Vec<ChartKind> {
    match auditor.loaded.system.speeds.is_empty() {
        true => vec![ChartKind::Rates],
        false => vec![ChartKind::Speeds, ChartKind::Rates],
    }
}

/// The ingredients of the auditor in another chart.
fn given<'a>(auditor: &Auditor<'a>, kind: ChartKind) -> Ingredients<'a> {
    let Ingredients { system, mode, rows, at, .. } = *auditor.given;
    Ingredients::of(system, mode, rows, kind, at)
}

fn table(auditor: &Auditor<'_>, kind: ChartKind) -> Option<Table> {
    let (states, given) = (auditor.generic(), given(auditor, kind));
    let chart = given.chart().ok()?;
    let found = mistakes(given.system, given.mode, given.rows, kind, given.at).ok()?;
    let truth = linear(&found.residuals, &chart.w, states)?;
    let (mut visible, mut deltas) = (Vec::new(), Vec::new());
    for mistake in found.visible {
        // A mistake that cannot be put in numbers is left out.
        let Some(delta) = linear(&mistake.delta, &chart.w, states) else { continue };
        visible.push(mistake);
        deltas.push(delta);
    }
    let accelerations = linear(&chart.accelerations, &chart.w, states)?;
    let u = chart.u.iter().map(Expr::to_string).collect();
    let (residuals, invisible, powers) = (found.residuals, found.invisible, term::powers(auditor, states));
    Some(Table { kind, mistakes: visible, invisible, residuals, truth, deltas, accelerations, powers, u })
}

/// Claims (2) as linear functions of q'' at every state.
pub struct Claims {
    list: Linear,
    /// The largest of the true accelerations at each state: what is far smaller is rounding.
    scale: Vec<f64>,
}

impl Claims {
    /// Claims without multipliers and unknowns of the author; `None` if they are not linear.
    pub fn of(auditor: &Auditor<'_>, claims: &[Expr], states: &[State]) -> Option<Claims> {
        let n = auditor.given.q.len();
        let mentioned: Vec<Expr> = claims.iter().flat_map(|e| e.symbols()).collect();
        let lambda = auditor.rows.list.iter().map(|row| row.lambda);
        let others = auditor.own.iter().copied().chain(lambda).filter(|symbol| mentioned.contains(symbol));
        let unknowns: Vec<Expr> = auditor.given.q_ddot.iter().copied().chain(others).collect();
        let list = linear(claims, &unknowns, states)?;
        let left = |(rows, rest): (Vec<Vec<f64>>, Vec<f64>)| {
            let (rows, rest) = cancel(rows, &rest, n, CANCELLED);
            (rows.to_rows(), rest)
        };
        let list = list.into_iter().map(left).collect();
        let largest = |state: &State| state.accelerations.iter().fold(0.0_f64, |size, a| size.max(a.abs()));
        Some(Claims { list, scale: states.iter().map(largest).collect() })
    }

    /// Is anything left once unknowns have been eliminated?
    pub fn say_something(&self) -> bool {
        !self.list.is_empty() && self.list.iter().all(|(rows, _)| !rows.is_empty())
    }

    /// Do all claims vanish at these accelerations?
    fn hold(&self, state: usize, accelerations: &[f64]) -> bool {
        let (rows, constants) = &self.list[state];
        rows.iter().zip(constants).all(|(row, constant)| {
            let sum = constant + row.iter().zip(accelerations).map(|(c, a)| c * a).sum::<f64>();
            sum.abs() <= SAME * self.size(state, row, accelerations, *constant)
        })
    }

    /// The size of the terms of a claim; an acceleration of 0 counts with a millionth of the largest.
    fn size(&self, state: usize, row: &[f64], accelerations: &[f64], constant: f64) -> f64 {
        let largest = accelerations.iter().fold(self.scale[state], |size, a| size.max(a.abs()));
        let terms = row.iter().zip(accelerations).map(|(c, a)| c.abs() * (a.abs() + 1e-6 * largest));
        (constant.abs() + terms.sum::<f64>()).max(f64::MIN_POSITIVE)
    }
}

/// The sets of `count` mistakes that lead to equations like the claims, the most telling first.
fn matching(tables: &[Table], claims: &Claims, count: usize) -> Vec<Found> {
    let mut found = Vec::new();
    for (place, table) in tables.iter().enumerate() {
        let all = table.mistakes.len();
        for i in 0..all {
            if count == 1 {
                if explains(table, claims, &[i]) {
                    found.push(Found { table: place, which: vec![i], exact: false });
                }
                continue;
            }
            let others = (i + 1..all).filter(|&j| table.mistakes[i].about != table.mistakes[j].about);
            let pairs = others.filter(|&j| explains(table, claims, &[i, j]));
            found.extend(pairs.map(|j| Found { table: place, which: vec![i, j], exact: false }));
        }
    }
    found.sort_by_key(|one| one.which.iter().map(|&k| rank(tables[one.table].mistakes[k].id)).sum::<usize>());
    found
}

/// Explanations that numbers found, without those that a proof refutes.
fn confirmed(auditor: &Auditor<'_>, tables: &[Table], found: Vec<Found>, claims: &[Expr]) -> Vec<Found> {
    let (mut kept, mut tried) = (Vec::new(), 0);
    for mut one in found {
        // the first ones are told; the rest is only counted
        tried += 1;
        if tried > MOST_TRIED {
            break;
        }
        if kept.len() <= MOST_OTHERS {
            match follows(auditor, &tables[one.table], &one.which, claims) {
                Some(false) => continue,
                proved => one.exact = proved == Some(true),
            }
        }
        kept.push(one);
    }
    kept
}

/// Do claims follow from the equations with these mistakes? `None` if that cannot be told.
fn follows(auditor: &Auditor<'_>, table: &Table, which: &[usize], claims: &[Expr]) -> Option<bool> {
    let own = |e: &Expr| e.symbols().iter().any(|symbol| auditor.own.contains(symbol));
    if claims.iter().any(|e| own(e) || has_multiplier(*e)) {
        return None;
    }
    let given = given(auditor, table.kind);
    let residuals: Vec<Expr> = match which {
        [one] => table.residuals.iter().zip(&table.mistakes[*one].delta).map(|(&e, &delta)| e + delta).collect(),
        [one, two] => {
            let pair = [&table.mistakes[*one], &table.mistakes[*two]];
            together((given.system, given.mode, given.rows), table.kind, given.at, pair)?
        }
        _ => return None,
    };
    let left = Solution::in_chart(&residuals, &given, auditor.rows)?.put(claims)?;
    let verdicts: Vec<Result<bool, String>> = left.iter().map(|&e| auditor.decided(e, &Substitution::new())).collect();
    match verdicts.contains(&Ok(false)) {
        true => Some(false),
        false => verdicts.iter().all(|verdict| *verdict == Ok(true)).then_some(true),
    }
}

/// Which of several mistakes that look the same is named first: the one that is made more often.
fn rank(id: &str) -> usize {
    match id {
        "D3" => 0,
        "potential sign" | "forgotten load" | "forgotten body" | "D2" => 1,
        id if id.starts_with('D') => 2,
        "force sign" | "forgotten rotation" | "reactive force" | "rest length" => 3,
        "quasi-velocities" => 1,
        "forgotten inertia" | "forgotten weight" | "centripetal" => 4,
        "slope of T" => 5,
        _ => 6,
    }
}

fn explains(table: &Table, claims: &Claims, which: &[usize]) -> bool {
    let states = table.truth.len();
    if states == 0 {
        return false;
    }
    let mut undetermined = Vec::new();
    for state in 0..states {
        let (mut matrix, mut constants) = table.truth[state].clone();
        for &mistake in which {
            let (rows, rest) = &table.deltas[mistake][state];
            for (row, added) in matrix.iter_mut().zip(rows) {
                row.iter_mut().zip(added).for_each(|(entry, added)| *entry += added);
            }
            constants.iter_mut().zip(rest).for_each(|(entry, added)| *entry += added);
        }
        let right: Vec<f64> = constants.iter().map(|constant| -constant).collect();
        let Some(w) = linear::solve::evaluated(matrix.clone(), &right).ok() else {
            undetermined.push((state, matrix, constants));
            continue;
        };
        let (rows, rest) = &table.accelerations[state];
        let accelerations: Vec<f64> = rows
            .iter()
            .zip(rest)
            .map(|(row, constant)| constant + row.iter().zip(&w).map(|(c, w)| c * w).sum::<f64>())
            .collect();
        if !claims.hold(state, &accelerations) {
            return false;
        }
    }
    match undetermined.len() {
        0 => true,
        all if all == states => same_rows(table, claims, &undetermined),
        _ => false,
    }
}

/// Mistaken equations at a state.
type Rows = (usize, Vec<Vec<f64>>, Vec<f64>);

/// Is each claim, as a function of w, a multiple of one mistaken equation, and none of them left out? A multiple may
/// depend on the state, but between equations without any acceleration, where every two numbers have a ratio, only on
/// parameters.
fn same_rows(table: &Table, claims: &Claims, mistaken: &[Rows]) -> bool {
    let (n, rows_of) = (mistaken[0].2.len(), |state: usize| &claims.list[state]);
    let count = rows_of(0).0.len();
    let fits = |claim: usize, equation: usize| {
        let mut ratios = Vec::new();
        let mut has_acceleration = false;
        for (state, matrix, constants) in mistaken {
            let (rows, rest) = rows_of(*state);
            let (along, still) = &table.accelerations[*state];
            // The claim in w: C (Y w + y) + c.
            let row = &rows[claim];
            let constant = rest[claim] + row.iter().zip(still).map(|(c, y)| c * y).sum::<f64>();
            let in_w = (0..constants.len()).map(|k| row.iter().zip(along).map(|(c, y)| c * y[k]).sum::<f64>());
            let ours: Vec<f64> = in_w.chain([constant]).collect();
            let theirs: Vec<f64> = matrix[equation].iter().copied().chain([constants[equation]]).collect();
            has_acceleration |= matrix[equation].iter().any(|&entry| entry != 0.0);
            match ratio(&ours, &theirs) {
                Some(ratio) => ratios.push(ratio),
                None => return false,
            }
        }
        // One sign, and of one order of magnitude: a multiple, not a coincidence.
        let (least, most) = ratios.iter().fold((f64::MAX, f64::MIN), |(a, b), &r| (a.min(r), b.max(r)));
        let is_near = least * most > 0.0 && (most / least).abs().max((least / most).abs()) < 10.0;
        if has_acceleration { is_near } else { term::is_product(&ratios, &table.powers) }
    };
    (0..count).all(|claim| (0..n).any(|equation| fits(claim, equation)))
        && (0..n).filter(|&equation| (0..count).any(|claim| fits(claim, equation))).count() >= n.min(count)
}

/// a = ratio · b, where b does not vanish.
fn ratio(a: &[f64], b: &[f64]) -> Option<f64> {
    let place = (0..b.len()).max_by(|&i, &j| b[i].abs().total_cmp(&b[j].abs()))?;
    if b[place].abs() < 1e-12 {
        return None;
    }
    let ratio = a[place] / b[place];
    let size = a.iter().fold(0.0_f64, |size, entry| size.max(entry.abs()));
    let same = a.iter().zip(b).all(|(a, b)| (a - ratio * b).abs() <= SAME * size);
    (same && ratio != 0.0).then_some(ratio)
}

/// Do the claims hold at this other motion, for some value of what is free in it at each state? There must be more
/// claims than there is freedom.
fn leads_to(other: &OtherMotion, claims: &Claims, states: &[State]) -> bool {
    at_other_motion(other, claims, states, &|rows, free| {
        let count = rows.len();
        if count <= free {
            return false;
        }
        // Rows (coefficients of what is free, value): the values must be reached.
        let left = Matrix::of_width(free, rows.iter().map(|row| &row.0));
        let rest: Vec<f64> = rows.iter().map(|row| row.1).collect();
        let sizes: f64 = rows.iter().map(|row| row.2).fold(0.0, f64::max);
        let (_, left) = cancel(left, &rest, 0, CANCELLED);
        !left.is_empty() && left.iter().all(|value| value.abs() <= SAME * sizes)
    })
}

/// The same for every value of what is free.
fn always(other: &OtherMotion, claims: &Claims, states: &[State]) -> bool {
    claims.say_something()
        && at_other_motion(other, claims, states, &|rows, _| {
            rows.iter().all(|(along, value, size)| {
                value.abs() <= SAME * size && along.iter().all(|slope| slope.abs() <= SAME * size.max(1.0))
            })
        })
}

/// A claim at another motion: its slope along what is free, its value, and the size of its terms.
type AtMotion = (Vec<f64>, f64, f64);

fn at_other_motion(
    other: &OtherMotion,
    claims: &Claims,
    states: &[State],
    test: &dyn Fn(&[AtMotion], usize) -> bool,
) -> bool {
    let all: Vec<Expr> = other.unknowns.iter().chain(&other.free).copied().collect();
    let Some(equations) = linear(&other.residuals, &all, states) else { return false };
    let known = other.unknowns.len();
    !states.is_empty()
        && equations.iter().enumerate().all(|(state, (rows, rest))| {
            // the motion, then its slopes along what is free
            let mut left = Matrix::of_width(known, rows.iter().map(|row| &row[..known]));
            let mut found = Matrix::from_fn(rows.len(), 1 + all.len() - known, |i, k| match k {
                0 => -rest[i],
                k => -rows[i][known + k - 1],
            });
            if eliminate(left.entries_mut(), found.entries_mut(), known, DETERMINED, &mut Vec::new()).is_err() {
                return false;
            }
            let mut columns = (0..found.columns()).map(|k| found.column(k)[..known].to_vec());
            let base = columns.next().unwrap_or_default();
            let slopes: Vec<Vec<f64>> = columns.collect();
            let (rows, rest) = &claims.list[state];
            let at: Vec<AtMotion> = rows
                .iter()
                .zip(rest)
                .map(|(row, constant)| {
                    let along = |values: &[f64]| row.iter().zip(values).map(|(c, a)| c * a).sum::<f64>();
                    let size = claims.size(state, row, &base[..row.len()], *constant);
                    // a slope that is rounding of its terms is none
                    let slope = |values: &Vec<f64>| {
                        let terms = row.iter().zip(values).map(|(c, a)| (c * a).abs()).sum::<f64>();
                        Some(along(values)).filter(|sum| !CANCELLED.hides(*sum, terms)).unwrap_or(0.0)
                    };
                    (slopes.iter().map(slope).collect(), along(&base) + constant, size)
                })
                .collect();
            test(&at, other.free.len())
        })
}

fn of_other_motion(other: &OtherMotion, all: bool) -> Diagnosis {
    let whole = if all { "These equations are" } else { "This equation is" };
    Diagnosis {
        mistakes: vec![format!("{}: {}", other.id, other.what)],
        explanation: format!("{whole} what comes out if one {}. {}.", other.what, capital(&other.why)),
    }
}

fn capital(text: &str) -> String {
    match text.chars().next() {
        Some(first) => first.to_uppercase().chain(text.chars().skip(1)).collect(),
        None => String::new(),
    }
}

fn explained(auditor: &Auditor<'_>, tables: &[Table], found: &[Found], all: bool, against: &[String]) -> Diagnosis {
    let Found { table: place, which, exact } = &found[0];
    let table = &tables[*place];
    let named = |one: &Mistake| format!("{}: {}", one.id, one.what);
    let mut names: Vec<String> = which.iter().map(|&k| named(&table.mistakes[k])).collect();
    let whole = if all { "These equations are" } else { "This equation is" };
    let whats: Vec<&str> = which.iter().map(|&k| table.mistakes[k].what.as_str()).collect();
    let exact = *exact && against.is_empty();
    let whole = if exact { format!("{whole} exactly") } else { format!("Likely: {}", whole.to_lowercase()) };
    let mut text = format!("{whole} what comes out if one {}. ", whats.join(", and "));
    for &k in which {
        let mistake = &table.mistakes[k];
        text.push_str(&format!("{}. ", capital(&mistake.why)));
        let terms = terms(auditor, table, mistake);
        if !terms.is_empty() {
            text.push_str(&format!("Here that changes the equations by {}. ", terms.join("; ")));
        }
    }
    // What looks the same here: of the same size, and differing in one mistake at most, so that it is brief.
    let mut others: Vec<(&Mistake, String)> = Vec::new();
    for one in &found[1..] {
        let of = &tables[one.table].mistakes;
        for &k in &one.which {
            let mistake = &of[k];
            let shared = one.which.iter().filter(|&&other| whats.contains(&of[other].what.as_str()));
            let is_new =
                !whats.contains(&mistake.what.as_str()) && !others.iter().any(|other| other.0.what == mistake.what);
            // a single mistake that is proved to fit is told, however far-fetched
            let close = rank(mistake.id) <= 4 || others.is_empty() || (one.exact && which.len() == 1);
            if is_new && close && shared.count() + 1 >= which.len() && others.len() < MOST_OTHERS {
                // one of a pair explains nothing alone: it is told with the other
                let rest = one.which.iter().filter(|&&other| other != k).map(|&other| of[other].what.as_str());
                let all: Vec<&str> = rest.chain([mistake.what.as_str()]).collect();
                others.push((mistake, format!("{} ({})", all.join(", and "), mistake.id)));
            }
        }
    }
    if !others.is_empty() {
        let listed: Vec<&str> = others.iter().map(|one| one.1.as_str()).collect();
        text.push_str(&format!("On this system that cannot be told apart from: {}. ", listed.join("; ")));
        let new: Vec<String> = others.iter().map(|one| named(one.0)).filter(|name| !names.contains(name)).collect();
        names.extend(new);
    }
    if !exact {
        let unproved = against.is_empty().then(|| "it was found in numbers and not proved".to_owned());
        let against: Vec<String> = against.iter().cloned().chain(unproved).collect();
        text.push_str(&format!("Against it speaks: {}. ", against.join("; ")));
    }
    let mut blind: Vec<&str> = table.invisible.iter().copied().filter(|id| id.starts_with('D')).collect();
    blind.dedup();
    if !blind.is_empty() && which.iter().any(|&k| table.mistakes[k].id.starts_with('D')) {
        let leave = if blind.len() == 1 { "leaves" } else { "leave" };
        text.push_str(&format!("{} {leave} no trace on this system. ", blind.join(", ")));
    }
    Diagnosis { mistakes: names, explanation: text.trim_end().to_owned() }
}

/// What a mistake adds to the equations, written out.
fn terms(auditor: &Auditor<'_>, table: &Table, mistake: &Mistake) -> Vec<String> {
    let given = given(auditor, table.kind);
    let Ok(chart) = given.chart() else { return Vec::new() };
    let reader = Reader::new();
    let written = |(delta, u): (&Expr, &String)| {
        let delta = reader.readable(*delta, &chart.w);
        (!delta.is_zero() && delta.operations() <= SHORT).then(|| format!("{delta} in the equation of {u}"))
    };
    mistake.delta.iter().zip(&table.u).filter_map(written).collect()
}

/// A claim about a multiplier: its sign, or a factor.
fn of_multiplier(auditor: &Auditor<'_>, wrong: &Equation) -> Option<Diagnosis> {
    if !wrong.parts.iter().any(|&e| has_multiplier(e)) {
        return None;
    }
    let own = |e: &Expr| e.symbols().iter().any(|symbol| auditor.own.contains(symbol));
    if wrong.parts.iter().any(own) {
        return None;
    }
    let lambdas: Vec<Expr> = auditor.rows.list.iter().map(|row| row.lambda).collect();
    let candidates = [
        (
            expr::integer(-1),
            "took the multiplier with the opposite sign",
            "with f = left − right the reaction is λ ∂f/∂q; the sign of λ turns with the sides of the constraint",
        ),
        (
            expr::integer(2),
            "took twice the multiplier",
            "a factor 2 too much: the reaction on one point, or the resultant on all?",
        ),
        (
            expr::rational(1, 2),
            "took half the multiplier",
            "a factor 2 is missing: the reaction on one point, or the resultant on all?",
        ),
    ];
    let states = auditor.generic();
    candidates.into_iter().find_map(|(factor, what, why)| {
        let map: Substitution = lambdas.iter().map(|&lambda| (lambda, factor * lambda)).collect();
        let changed = map.apply(&wrong.parts).ok()?;
        let holds = !states.is_empty() && states.iter().all(|state| super::misses(state, &changed) < SAME);
        // states near the start may be those of one sign: a proof must confirm it
        let holds = holds && changed.iter().all(|&e| auditor.is_proved(e));
        holds.then(|| Diagnosis {
            mistakes: vec![format!("multiplier: {what}")],
            explanation: format!("The claim is right if one {what}: {why}."),
        })
    })
}
