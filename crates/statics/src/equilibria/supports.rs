//! What do one-sided supports ask of a place in letters?
//!
//! ```text
//! closed      λ ≥ 0         it pushes and does not pull
//! open        f > 0         it is at a distance; where it touches it is closed
//! ```

use algebra::{Condition, Sign};
use engine::Loaded;
use expr::{Comparison, Expr, Kind};

use super::choice::Choice;
use super::exact::{Branches, Exact};
use super::statics::Statics;

/// The branches on which closed supports push and open ones are away, each with what must hold for that.
pub fn pushing(loaded: &Loaded, statics: &Statics, choice: &Choice, found: Branches) -> Result<Branches, String> {
    let closed = |place: usize| choice.contains(&(place, true));
    if statics.rows.left_out.iter().any(|row| closed(row.constraint)) {
        return Err("supports share a load, and whether each of them only pushes is decided by numbers".to_owned());
    }
    let pushes = statics.rows.list.iter().filter(|row| closed(row.constraint)).map(|row| row.lambda);
    let pushes: Vec<Expr> = pushes.collect();
    let open = choice.iter().filter(|one| !one.1).map(|one| &loaded.system.constraints[one.0]);
    let is_place = |f: &&Expr| !f.symbols().iter().any(|symbol| symbol.as_symbol().is_some_and(|one| one.order > 0));
    let gaps: Vec<Expr> = open.clone().flat_map(|one| one.rows.iter().filter(is_place)).copied().collect();
    let names: Vec<String> = open.map(|one| one.name.clone()).collect();
    let (mut list, mut thresholds) = (Vec::new(), found.thresholds);
    'branches: for mut one in found.list {
        let asked = pushes.iter().map(|&push| (push, Comparison::AtLeast));
        for (what, comparison) in asked.chain(gaps.iter().map(|&gap| (gap, Comparison::Greater))) {
            match sign(&one, what, &found.known)? {
                (_, Sign::Positive) => {}
                (_, Sign::Zero) if comparison == Comparison::AtLeast => one.told.stability = None,
                (_, Sign::Zero | Sign::Negative) => continue 'branches,
                (value, Sign::Open) => {
                    one.told.conditions.push(Condition { value, comparison }.to_string());
                    let threshold = Condition { value, comparison: Comparison::Equal }.to_string();
                    let is_fixed = |symbol: &Expr| symbol.as_symbol().is_some_and(|one| one.kind == Kind::Parameter);
                    if value.symbols().iter().all(is_fixed) && !thresholds.contains(&threshold) {
                        thresholds.push(threshold);
                    }
                    if let Some(verdict) = one.told.stability.take_if(|_| comparison == Comparison::AtLeast) {
                        one.told.stability = Some(format!("{verdict}, while {value} > 0"));
                    }
                }
            }
        }
        one.told.open.clone_from(&names);
        let nothing_holds = statics.free.iter().map(|&s| statics.names[s].clone());
        one.told.free.extend(nothing_holds.clone());
        if let Some(verdict) =
            one.told.stability.take_if(|verdict| !statics.free.is_empty() && verdict.starts_with("stable"))
        {
            let all: Vec<String> = nothing_holds.collect();
            one.told.stability = Some(format!("{verdict}; nothing holds {}, which may drift", all.join(", ")));
        }
        list.push(one);
    }
    Ok(Branches { list, thresholds, ..found })
}

/// What something is on a branch, and its sign there.
fn sign(branch: &Exact, e: Expr, known: &[Condition]) -> Result<(Expr, Sign), String> {
    let value = branch.value(e).ok_or("what a support carries has no value on a branch")?;
    let value = expr::simplify(value, &[]);
    let known: Vec<Condition> = known.iter().chain(branch.conditions()).copied().collect();
    Ok((value, algebra::sign(value, &known)))
}

/// Which supports are closed, for a sentence; nothing if there are none.
pub fn said(loaded: &Loaded, choice: &Choice) -> String {
    let word = |&(place, is_closed): &(usize, bool)| {
        let name = &loaded.system.constraints[place].name;
        format!("`{name}` {}", if is_closed { "closed" } else { "open" })
    };
    let list: Vec<String> = choice.iter().map(word).collect();
    if list.is_empty() { String::new() } else { format!(" (with {})", list.join(", ")) }
}
