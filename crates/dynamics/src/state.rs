//! What happens at states of a system? Its equations are made once for each mode, and a rough contact sticks, slides or
//! leaves as it must.

use std::cell::RefCell;
use std::rc::Rc;

use expr::At;
use mechanics::chart::ChartKind;
use mechanics::formalism::{Formalism, usual_one};
use mechanics::friction::Grip;
use mechanics::ingredients::{Derived, Ingredients};
use mechanics::rows::{Rows, RowsError};
use mechanics::standing::violation;
use mechanics::{Mode, System};

use crate::grip::Touching;
use crate::ground::Ground;
use crate::recipe::{NoNumbers, Numbers, Recipe, told};
use crate::together::{self, Closed};

/// Accelerations and multipliers at a state, and what acts there.
pub struct Solved {
    /// The numbers.
    pub numbers: Numbers,
    /// What acts: without the one-sided constraints that let go, with the rough contact as it goes on.
    pub mode: Mode,
    /// The equations of the mode.
    pub recipe: Rc<Recipe>,
    /// The rough contacts that are closed.
    pub touching: Option<Touching>,
}

/// What has just changed at a rough contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    #[default]
    Nothing,
    /// It cannot stick any more.
    Slips,
    /// Its normal force has gone through zero, and has this sign from now on.
    Presses(i8),
    /// Several contacts cannot go on together as they did.
    Strains,
}

impl Change {
    /// The grip after the change.
    fn of(self, grip: Grip) -> Grip {
        match (self, grip) {
            (Change::Presses(press), Grip::Slides(_, slip)) => Grip::Slides(press, slip),
            _ => grip,
        }
    }
}

/// The recipe of a mode, by the form that was asked for.
type Cooked = (Mode, Option<&'static str>, Rc<Recipe>);

/// What happens at states of a model: its equations are made once for each mode.
pub struct Dynamics<'a> {
    /// The system.
    pub system: &'a System,
    /// What its contacts stand on.
    pub ground: Ground<'a>,
    /// The chart that the equations are written in.
    pub kind: ChartKind,
    recipes: RefCell<Vec<Cooked>>,
    /// Forms that have been derived elsewhere, in this mode and the chart.
    derived: Option<(Mode, Derived)>,
}

impl<'a> Dynamics<'a> {
    /// The dynamics of a system in a chart of that kind, whose mass matrix is made at a state.
    pub fn new(system: &'a System, at: &'a At, kind: ChartKind) -> Dynamics<'a> {
        Dynamics { system, ground: Ground::new(system, at), kind, recipes: RefCell::default(), derived: None }
    }

    /// The dynamics, when these forms have been derived in a mode and the chart.
    pub fn knowing(self, mode: &Mode, forms: Derived) -> Dynamics<'a> {
        Dynamics { derived: Some((mode.clone(), forms)), ..self }
    }

    /// The accelerations at a state in a mode that does not say how rough contacts hold: a rough contact sticks, slides
    /// or leaves as it must.
    pub fn going_on(&self, mode: &Mode, at: &At, change: Change) -> Result<Result<Solved, NoNumbers>, RowsError> {
        let (system, mut free) = (self.system, mode.clone());
        if self.has_several(mode, at) {
            return self.going_on_together(mode, at, at);
        }
        loop {
            let touching = match together::closed(&self.ground, &free, at) {
                Ok(touching) => touching,
                Err(reason) => return Ok(Err(NoNumbers::Undetermined(reason))),
            };
            let mut held = None;
            if let Some(mut touching) = touching.clone() {
                if change == Change::Slips {
                    touching.at_the_edge();
                }
                if let Some(reason) = touching.trouble() {
                    return Ok(Err(NoNumbers::Undetermined(reason)));
                }
                let (rough, course) = (&touching.contacts[0].rough, &touching.courses[0]);
                match crate::grip::grip(&course.ways[0]) {
                    None => free = free.releasing(&[rough.gap]),
                    Some(grip) => match free.holding(system, rough, change.of(grip)) {
                        Ok(mode) => held = Some(mode),
                        Err(error) => return Ok(Err(NoNumbers::Undetermined(error.to_string()))),
                    },
                }
            }
            let is_held = held.is_some();
            match self.numbers(&held.unwrap_or_else(|| free.clone()), at, None)? {
                // another contact lets go, and then this one may hold otherwise
                Ok(found) if is_held && found.mode.released.len() > free.released.len() => {
                    free = Mode { released: found.mode.released, ..free };
                }
                Ok(found) => return Ok(Ok(Solved { touching, ..found })),
                Err(reason) => return Ok(Err(reason)),
            }
        }
    }

    /// Whether several contacts are closed at a state, rough ones among them or not.
    pub fn has_several(&self, mode: &Mode, at: &At) -> bool {
        Closed::all(self.system, mode, at).is_some_and(|closed| closed.len() > 1)
    }

    /// The same for several contacts; which of them stick, slide or open is looked at in another state, a little later.
    pub fn going_on_together(&self, mode: &Mode, at: &At, look: &At) -> Result<Result<Solved, NoNumbers>, RowsError> {
        let touching = match together::touching(&self.ground, mode, at, look) {
            Ok(touching) => touching,
            Err(reason) => return Ok(Err(NoNumbers::Undetermined(reason))),
        };
        if let Some(reason) = touching.trouble() {
            return Ok(Err(NoNumbers::Undetermined(reason)));
        }
        let held = match touching.courses[0].mode(self.system, mode, &touching.contacts) {
            Ok(held) => held,
            Err(error) => return Ok(Err(NoNumbers::Undetermined(error.to_string()))),
        };
        let found = self.settled(held, at, None)?;
        Ok(found.map(|found| Solved { touching: Some(touching).filter(|one| !one.contacts.is_empty()), ..found }))
    }

    /// The accelerations and multipliers at a state, by a form or the usual one. Closed one-sided constraints whose
    /// multiplier would be negative let go, one after the other, before the form is asked.
    pub fn numbers(
        &self,
        mode: &Mode,
        at: &At,
        wanted: Option<&'static Formalism>,
    ) -> Result<Result<Solved, NoNumbers>, RowsError> {
        let system = self.system;
        if let Some(violation) = violation(system, at, "there") {
            return Ok(Err(NoNumbers::NoState(violation)));
        }
        let mut mode = mode.clone();
        match together::opening(&self.ground, &mode, at) {
            Some(Ok(opens)) => return self.settled(mode.releasing(&opens), at, wanted),
            Some(Err(reason)) => return Ok(Err(NoNumbers::Undetermined(reason))),
            None => {}
        }
        loop {
            // Which constraints let go is found by the usual form; then the one that is wanted has its word.
            let (recipe, found) = match self.by_recipe(&mode, at, None)? {
                Ok(found) => found,
                Err(reason) => return Ok(Err(reason.after_release(system, &mode.released))),
            };
            let rows = &recipe.rows;
            let pulls = |place: &usize| rows.list[*place].is_one_sided(system) && found.multipliers[*place].1 < 0.0;
            let worst = (0..rows.list.len())
                .filter(pulls)
                .min_by(|&i, &j| found.multipliers[i].1.total_cmp(&found.multipliers[j].1));
            if let Some(place) = worst {
                mode = mode.releasing(&[rows.list[place].constraint]);
                continue;
            }
            return self.settled(mode, at, wanted);
        }
    }

    /// The numbers of a mode in which nothing lets go any more.
    fn settled(
        &self,
        mode: Mode,
        at: &At,
        wanted: Option<&'static Formalism>,
    ) -> Result<Result<Solved, NoNumbers>, RowsError> {
        let mut made = self.by_recipe(&mode, at, None)?;
        if let (Ok((recipe, _)), Some(wanted)) = (&made, wanted)
            && wanted.name != recipe.formalism.name
        {
            made = self.by_recipe(&mode, at, Some(wanted))?;
        }
        let (recipe, found) = match made {
            Ok(found) => found,
            Err(reason) => return Ok(Err(reason.after_release(self.system, &mode.released))),
        };
        if let Some(reason) = recipe.missed(&found, self.system, at) {
            return Ok(Err(reason));
        }
        let opened: Vec<usize> = recipe.rows.slack.iter().map(|row| row.constraint).collect();
        Ok(Ok(Solved { numbers: found, mode: mode.releasing(&opened), recipe, touching: None }))
    }

    /// The numbers of a mode; its equations are made anew where those of another state are singular here, or the rows that
    /// were chosen there do not stand well.
    fn by_recipe(
        &self,
        mode: &Mode,
        at: &At,
        wanted: Option<&'static Formalism>,
    ) -> Result<Result<(Rc<Recipe>, Numbers), NoNumbers>, RowsError> {
        let name = wanted.map(|wanted| wanted.name);
        let is_own = |known: &&Cooked| known.0 == *mode && known.1 == name;
        let known = self.recipes.borrow().iter().find(is_own).map(|known| Rc::clone(&known.2));
        if let Some(recipe) = known.filter(|recipe| recipe.rows.stand(at))
            && let Ok(found) = recipe.numbers(at)
        {
            return Ok(Ok((recipe, found)));
        }
        let system = self.system;
        let rows = Rows::of(self.system, mode, at)?;
        let known = self.derived.as_ref().filter(|known| known.0 == *mode).map(|known| known.1.clone());
        let given = Ingredients::of(system, mode, &rows, self.kind, at).knowing(known.unwrap_or_default());
        let Some(formalism) = wanted.or_else(|| usual_one(&given)) else {
            return Ok(Err(NoNumbers::NotApplicable("no form applies to this system".to_owned())));
        };
        let found = Recipe::of(formalism, &given).and_then(|recipe| {
            let found = recipe.numbers(at).map_err(|trouble| told(trouble, formalism, &given))?;
            Ok((found, Rc::new(recipe)))
        });
        Ok(found.map(|(found, recipe)| {
            let mut recipes = self.recipes.borrow_mut();
            recipes.retain(|known| !is_own(&known));
            recipes.push((mode.clone(), name, Rc::clone(&recipe)));
            (recipe, found)
        }))
    }
}
