//! Is one term of a claim written with a dot too few, a dot in the wrong place, or another index?
//!
//! ```text
//! e − τ + τ° = 0  on the true motion       τ° is τ with
//! x → x',  x' → x                          a dot that was lost, or one too many                     (1)
//! x' y → x y'                              a dot that stands on the wrong letter                    (2)
//! m1 → m2,  x1 ↔ x2                        another index of the same letter, or two exchanged       (3)
//! ```
//!
//! Only letters that have a number at every state take part. Numbers find it, a proof may not refute it.

use expr::{Expr, Substitution};

use super::diagnosis::{Diagnosis, SAME};
use super::state::{State, with_sizes};
use super::{Auditor, Equation};

/// So many changes of one equation are looked at.
const MOST_CHANGES: usize = 4000;

/// A term with what belongs in its place.
struct Change {
    id: &'static str,
    text: String,
    term: Expr,
    right: Expr,
}

/// One such slip in each wrong claim, all of one kind.
pub fn misread(auditor: &Auditor<'_>, wrong: &[&Equation]) -> Option<Diagnosis> {
    let mut found: Vec<Change> = Vec::new();
    for equation in wrong {
        let kind = found.first().map(|one| one.id);
        let change = changes(auditor, equation).into_iter().find(|one| kind.is_none_or(|kind| one.id == kind))?;
        found.push(change);
    }
    let mut texts: Vec<String> = found.iter().map(|one| one.text.clone()).collect();
    texts.dedup();
    let id = found.first()?.id;
    let (text, whole) =
        (texts.join("; "), if texts.len() == 1 { "One slip explains" } else { "Slips of one kind explain" });
    Some(Diagnosis {
        mistakes: texts.iter().map(|text| format!("{id}: {text}")).collect(),
        explanation: format!("{whole} this: {text}. With it put right the claim holds."),
    })
}

/// The changes of one term that would make a claim right, the plainest first.
fn changes(auditor: &Auditor<'_>, equation: &Equation) -> Vec<Change> {
    let states = auditor.generic();
    let misses = |e: &Expr| states.iter().any(|state| super::misses(state, &[*e]) > SAME);
    let wrong: Vec<Expr> = equation.parts.iter().copied().filter(misses).collect();
    let [e] = wrong[..] else { return Vec::new() };
    if states.len() < 3 || e.symbols().iter().any(|symbol| auditor.own.contains(symbol)) {
        return Vec::new();
    }
    let known = known(states);
    let (terms, _) = super::term::terms(e);
    let mut list: Vec<Change> = terms.into_iter().flat_map(|term| changed(term, &known)).take(MOST_CHANGES).collect();
    let put_right = |one: &Change| e - one.term + one.right;
    let fixed: Vec<Expr> = list.iter().map(put_right).collect();
    let mut good = vec![true; list.len()];
    for state in states {
        for (good, (value, size)) in good.iter_mut().zip(with_sizes(&fixed, &state.values)) {
            *good = *good && value.is_finite() && value.abs() <= SAME * size;
        }
    }
    let mut good = good.into_iter();
    list.retain(|_| good.next() == Some(true));
    // what is left must say something
    list.retain(|one| !put_right(one).is_zero() && auditor.may_hold(put_right(one), e));
    list
}

/// The letters that have a number at every state.
fn known(states: &[State]) -> Vec<Expr> {
    let has = |state: &State, symbol: &Expr| state.values.iter().any(|one| one.0 == *symbol);
    let first = states.first().map_or(&[][..], |state| &state.values);
    let named = |symbol: &Expr| symbol.as_symbol().is_some_and(|one| !expr::names_function(&one));
    let all = first.iter().map(|one| one.0).filter(named);
    all.filter(|symbol| states.iter().all(|state| has(state, symbol))).collect()
}

/// A term with every change (1) to (3).
fn changed(term: Expr, known: &[Expr]) -> Vec<Change> {
    let mut list = Vec::new();
    let mut add = |id: &'static str, text: String, map: Substitution| {
        if let Ok(right) = map.apply_one(term)
            && right != term
        {
            list.push(Change { id, text, term, right });
        }
    };
    let symbols: Vec<Expr> = term.symbols().into_iter().filter(|symbol| known.contains(symbol)).collect();
    let what = term.brief();
    for &x in &symbols {
        if let Some(more) = dotted(x, known) {
            let text = format!("in the term `{what}` a dot is lost: `{more}` belongs where `{x}` stands");
            add("lost dot", text, Substitution::from([(x, more)]));
        }
        if let Some(less) = undotted(x, known) {
            let text = format!("in the term `{what}` a dot is too many: `{less}` belongs where `{x}` stands");
            add("surplus dot", text, Substitution::from([(x, less)]));
        }
        for &y in symbols.iter().filter(|&&y| y != x) {
            if let (Some(more), Some(less)) = (dotted(x, known), undotted(y, known)) {
                let text = format!(
                    "in the term `{what}` a dot stands on the wrong letter: `{more}` and `{less}` belong where `{x}` and `{y}` stand"
                );
                add("misplaced dot", text, Substitution::from([(x, more), (y, less)]));
            }
        }
        for &y in known.iter().filter(|&&y| y != x && same_letter(x, y)) {
            let text = format!("in the term `{what}` an index is wrong: `{y}` belongs where `{x}` stands");
            add("index", text, Substitution::from([(x, y)]));
            if symbols.contains(&y) {
                let text = format!("in the term `{what}` two indices are exchanged: `{x}` and `{y}`");
                add("index", text, Substitution::from([(x, y), (y, x)]));
            }
        }
    }
    list
}

/// The next derivative, if it is known.
fn dotted(x: Expr, known: &[Expr]) -> Option<Expr> {
    let next = expr::symbol(x.as_symbol()?.derivative()?);
    known.contains(&next).then_some(next)
}

/// What this is the derivative of, if that is known.
fn undotted(x: Expr, known: &[Expr]) -> Option<Expr> {
    known.iter().copied().find(|&one| one.as_symbol().and_then(|one| one.derivative()).map(expr::symbol) == Some(x))
}

/// Are these one letter with two indices, as `m1` and `m2`?
fn same_letter(x: Expr, y: Expr) -> bool {
    let (Some(x), Some(y)) = (x.as_symbol(), y.as_symbol()) else { return false };
    let letter = |name: &str| name.trim_end_matches(|one: char| one.is_ascii_digit() || one == '[' || one == ']').len();
    let (i, j) = (letter(&x.name), letter(&y.name));
    let indexed = i > 0 && i < x.name.len() && j < y.name.len();
    indexed && x.kind == y.kind && x.order == y.order && x.name[..i] == y.name[..j]
}
