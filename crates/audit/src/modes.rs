//! Of which mode does a verdict speak? Constraints that open, close or switch, and rough contacts that stick or slide.
//!
//! ```text
//! mode      which of them act at the start, and how: a verdict holds as long as that lasts
//! ```

use mechanics::friction::Grip;
use mechanics::standing::Standing;
use mechanics::{Constraint, Mode, Relation, System};

/// Whether a constraint may come and go by itself. No slip goes with its contact.
pub fn changes(one: &Constraint) -> bool {
    (one.is_one_sided() || one.from.is_some() || one.until.is_some()) && !one.while_closed && !one.is_rough
}

/// The constraints that may come and go, each with its place.
pub fn changing(system: &System) -> impl Iterator<Item = (usize, &Constraint)> {
    system.constraints.iter().enumerate().filter(|(_, one)| changes(one))
}

/// What must last for a verdict in this mode to hold, in words: `` `wall` is open ``.
pub fn words(system: &System, mode: &Mode) -> Vec<String> {
    let text = |relation: &Option<Relation>| relation.as_ref().map(|one| syntax::format_relation(&one.tree));
    let mut list: Vec<String> = Vec::new();
    for (place, one) in changing(system) {
        let standing = match mode.released.contains(&place) {
            true => Standing::Open,
            false => mode.standing[place],
        };
        let said = match standing {
            Standing::Closed => "is closed".to_owned(),
            Standing::Open | Standing::Violated => "is open".to_owned(),
            Standing::Later => match text(&one.from) {
                Some(from) => format!("does not act yet (from {from})"),
                None => "does not act yet".to_owned(),
            },
            Standing::Over => "does not act any more".to_owned(),
            Standing::Acts if one.until.is_some() => {
                format!("acts still (until {})", text(&one.until).unwrap_or_default())
            }
            Standing::Acts | Standing::Idle | Standing::Rough => "acts".to_owned(),
        };
        let said = format!("`{}` {said}", one.name);
        list.extend((!list.contains(&said)).then_some(said));
    }
    let grips = mode.held.iter().map(|held| {
        let how = if held.grip == Grip::Sticks { "sticks" } else { "slides" };
        format!("`{}` {how}", held.rough.name)
    });
    list.extend(grips);
    list
}
