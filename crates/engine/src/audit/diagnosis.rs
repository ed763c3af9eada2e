//! Which known mistake, or which two, do wrong equations look like?

use expr::Expr;
use mechanics::chart::ChartKind;
use mechanics::ingredients::Ingredients;
use mechanics::mistake::{Mistake, mistakes};

use super::{Auditor, Equation, has_multiplier};
use crate::dense;
use crate::readable::Reader;

/// Numbers agree if they differ by less than this, against the size of what is compared.
const SAME: f64 = 1e-7;
/// A term of an explanation is written out if it has no more operations than this.
const SHORT: usize = 60;

/// What wrong claims look like.
pub struct Diagnosis {
    /// The mistakes, in words; none if nothing in the dictionary explains the claims.
    pub mistakes: Vec<String>,
    /// A paragraph for the author.
    pub explanation: String,
}

/// A linear function of w, at each state: rows of coefficients and what is left.
type Linear = Vec<(Vec<Vec<f64>>, Vec<f64>)>;

/// One chart with its true residuals and the mistakes that can be made in it.
struct Table {
    kind: ChartKind,
    mistakes: Vec<Mistake>,
    invisible: Vec<String>,
    truth: Linear,
    deltas: Vec<Linear>,
    /// q'' in terms of w.
    accelerations: Linear,
    u: Vec<String>,
}

/// Looks for one mistake that explains all equations, then for two, then for one that explains the first wrong one.
pub fn diagnose(auditor: &Auditor<'_>, equations: &[Equation], wrong: &Equation) -> Diagnosis {
    let usable = |e: &&Expr| !has_multiplier(**e) && !e.symbols().iter().any(|symbol| auditor.own.contains(symbol));
    let all: Vec<Expr> = equations.iter().flat_map(|one| &one.parts).filter(usable).copied().collect();
    let first: Vec<Expr> = wrong.parts.iter().filter(usable).copied().collect();
    if first.is_empty() {
        return of_multiplier(auditor, wrong);
    }
    let tables: Vec<Table> = kinds(auditor).into_iter().filter_map(|kind| table(auditor, kind)).collect();
    for (claims, is_all) in [(&all, true), (&first, false)] {
        let Some(claims) = Claims::of(auditor, claims) else { continue };
        for pairs in [false, true] {
            let found: Vec<(usize, Vec<usize>)> =
                tables.iter().enumerate().flat_map(|(place, table)| matching(table, &claims, pairs, place)).collect();
            if !found.is_empty() {
                return explained(auditor, &tables, &found, is_all && all.len() > 1);
            }
        }
    }
    let explanation =
        "No mistake of the dictionary, nor two of them together, leads to these equations. Compare the witness \
                       state with your own calculation: the accelerations there are certain."
            .to_owned();
    Diagnosis { mistakes: Vec::new(), explanation }
}

fn kinds(auditor: &Auditor<'_>) -> Vec<ChartKind> {
    match auditor.loaded.system.speeds.is_empty() {
        true => vec![ChartKind::Rates],
        false => vec![ChartKind::Speeds, ChartKind::Rates],
    }
}

fn table(auditor: &Auditor<'_>, kind: ChartKind) -> Option<Table> {
    let system = &auditor.loaded.system;
    let given = Ingredients::of(system, auditor.rows, kind);
    let chart = given.chart().ok()?;
    let found = mistakes(system, auditor.rows, kind).ok()?;
    let truth = linear(auditor, &found.residuals, &chart.w)?;
    let deltas =
        found.visible.iter().map(|mistake| linear(auditor, &mistake.delta, &chart.w)).collect::<Option<Vec<_>>>()?;
    let accelerations = linear(auditor, &chart.accelerations, &chart.w)?;
    let u = chart.u.iter().map(Expr::to_string).collect();
    Some(Table { kind, mistakes: found.visible, invisible: found.invisible, truth, deltas, accelerations, u })
}

/// Coefficients and constants at every state.
fn linear(auditor: &Auditor<'_>, list: &[Expr], unknowns: &[Expr]) -> Option<Linear> {
    let (matrix, constants) = expr::linear_coefficients(list, unknowns).ok()?;
    let at = |state: &super::State| {
        auditor.loaded.refer_to(&state.report);
        let rows = matrix.iter().map(|row| row.iter().map(|c| c.reference()).collect()).collect();
        (rows, constants.iter().map(|c| c.reference()).collect())
    };
    let found = auditor.states.iter().map(at).collect();
    auditor.loaded.refer_to(&auditor.loaded.start);
    Some(found)
}

/// Claims as linear functions of q'' at every state, with the size of their terms.
struct Claims {
    list: Linear,
}

impl Claims {
    fn of(auditor: &Auditor<'_>, claims: &[Expr]) -> Option<Claims> {
        Some(Claims { list: linear(auditor, claims, &auditor.given.q_ddot)? })
    }

    /// Do all claims vanish at these accelerations?
    fn hold(&self, state: usize, accelerations: &[f64]) -> bool {
        let (rows, constants) = &self.list[state];
        rows.iter().zip(constants).all(|(row, constant)| {
            let terms = row.iter().zip(accelerations).map(|(c, a)| c * a);
            let (sum, size) =
                terms.fold((*constant, constant.abs()), |(sum, size), term| (sum + term, size + term.abs()));
            sum.abs() <= SAME * size.max(f64::MIN_POSITIVE)
        })
    }
}

/// The mistakes, or pairs of them, that lead to accelerations at which all claims vanish.
fn matching(table: &Table, claims: &Claims, pairs: bool, place: usize) -> Vec<(usize, Vec<usize>)> {
    let mut found = Vec::new();
    for i in 0..table.mistakes.len() {
        if !pairs {
            if explains(table, claims, &[i]) {
                found.push((place, vec![i]));
            }
            continue;
        }
        for j in i + 1..table.mistakes.len() {
            if explains(table, claims, &[i, j]) {
                found.push((place, vec![i, j]));
            }
        }
    }
    found
}

fn explains(table: &Table, claims: &Claims, which: &[usize]) -> bool {
    !table.truth.is_empty()
        && (0..table.truth.len()).all(|state| {
            let (mut matrix, mut constants) = table.truth[state].clone();
            for &mistake in which {
                let (rows, rest) = &table.deltas[mistake][state];
                for (row, added) in matrix.iter_mut().zip(rows) {
                    row.iter_mut().zip(added).for_each(|(entry, added)| *entry += added);
                }
                constants.iter_mut().zip(rest).for_each(|(entry, added)| *entry += added);
            }
            let right = constants.iter().map(|constant| -constant).collect();
            let Some(w) = dense::solve(matrix, right) else { return false };
            let (rows, rest) = &table.accelerations[state];
            let accelerations: Vec<f64> = rows
                .iter()
                .zip(rest)
                .map(|(row, constant)| constant + row.iter().zip(&w).map(|(c, w)| c * w).sum::<f64>())
                .collect();
            claims.hold(state, &accelerations)
        })
}

fn explained(auditor: &Auditor<'_>, tables: &[Table], found: &[(usize, Vec<usize>)], all: bool) -> Diagnosis {
    let (place, which) = &found[0];
    let table = &tables[*place];
    let names: Vec<String> =
        which.iter().map(|&k| format!("{}: {}", table.mistakes[k].id, table.mistakes[k].what)).collect();
    let mut text = String::new();
    let whole = if all { "These equations are" } else { "This equation is" };
    let whats: Vec<&str> = which.iter().map(|&k| table.mistakes[k].what.as_str()).collect();
    text.push_str(&format!("{whole} exactly what comes out if one {}. ", whats.join(", and ")));
    for &k in which {
        let mistake = &table.mistakes[k];
        let mut why = mistake.why.clone();
        if let Some(first) = why.get(..1) {
            why = first.to_uppercase() + &why[1..];
        }
        text.push_str(&format!("{why}. "));
        let terms = terms(auditor, table, mistake);
        if !terms.is_empty() {
            text.push_str(&format!("Here that changes the equations by {}. ", terms.join("; ")));
        }
    }
    let others: Vec<String> = found[1..]
        .iter()
        .filter(|(_, other)| other.len() == which.len())
        .map(|(place, other)| {
            other.iter().map(|&k| tables[*place].mistakes[k].what.clone()).collect::<Vec<_>>().join(", and ")
        })
        .filter(|other| *other != whats.join(", and "))
        .fold(Vec::new(), |mut list, other| {
            if !list.contains(&other) {
                list.push(other);
            }
            list
        });
    if !others.is_empty() {
        let listed: Vec<&String> = others.iter().take(4).collect();
        text.push_str("On this system that cannot be told apart from somebody who ");
        text.push_str(&listed.iter().map(|other| other.as_str()).collect::<Vec<_>>().join("; or who "));
        text.push_str(". ");
    }
    let blind: Vec<&String> =
        table.invisible.iter().filter(|what| what.contains("energy") || what.contains("Tzenoff")).collect();
    if !blind.is_empty() && which.iter().any(|&k| table.mistakes[k].id.starts_with('D')) {
        let listed: Vec<&str> = blind.iter().map(|what| what.as_str()).collect();
        text.push_str(&format!("Mistakes that leave no trace on this system: {}. ", listed.join("; ")));
    }
    Diagnosis { mistakes: names, explanation: text.trim_end().to_owned() }
}

/// What a mistake adds to the equations, written out.
fn terms(auditor: &Auditor<'_>, table: &Table, mistake: &Mistake) -> Vec<String> {
    let given = Ingredients::of(&auditor.loaded.system, auditor.rows, table.kind);
    let Ok(chart) = given.chart() else { return Vec::new() };
    let reader = Reader::new();
    let written = |(delta, u): (&Expr, &String)| {
        let delta = reader.readable(*delta, &chart.w);
        (!delta.is_zero() && delta.operations() <= SHORT).then(|| format!("{delta} in the equation of {u}"))
    };
    mistake.delta.iter().zip(&table.u).filter_map(written).collect()
}

/// A claim about a multiplier: its sign, or a factor.
fn of_multiplier(auditor: &Auditor<'_>, wrong: &Equation) -> Diagnosis {
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
    for (factor, what, why) in candidates {
        let map: Vec<(Expr, Expr)> = lambdas.iter().map(|&lambda| (lambda, factor * lambda)).collect();
        let Ok(changed) = expr::substitute(&wrong.parts, &map) else { continue };
        let inverse: Vec<f64> = changed
            .iter()
            .flat_map(|&e| auditor.states.iter().map(move |state| super::misses(auditor.loaded, state, e)))
            .collect();
        auditor.loaded.refer_to(&auditor.loaded.start);
        if !inverse.is_empty() && inverse.iter().all(|&miss| miss < SAME) {
            let explanation = format!("The claim is right if one {what}: {why}.");
            return Diagnosis { mistakes: vec![format!("multiplier: {what}")], explanation };
        }
    }
    let explanation =
        "The claim does not hold at the witness state, where accelerations and multipliers are certain.".to_owned();
    Diagnosis { mistakes: Vec::new(), explanation }
}
