//! What happens at states of a system? Its equations are made once for each mode, and a rough contact sticks, slides or
//! leaves as it must.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use expr::{At, Expr};
use mechanics::chart::ChartKind;
use mechanics::formalism::{Formalism, usual_one};
use mechanics::friction::Grip;
use mechanics::ingredients::{Derived, Ingredients};
use mechanics::rows::{Rows, RowsError};
use mechanics::standing::violation;
use mechanics::{Mode, System};

use crate::grip::Touching;
use crate::recipe::{NoNumbers, Numbers, Recipe, told};

/// Accelerations and multipliers at a state, and what acts there.
pub struct Solved {
    /// The numbers.
    pub numbers: Numbers,
    /// What acts: without the one-sided constraints that let go, with the rough contact as it goes on.
    pub mode: Mode,
    /// The equations of the mode.
    pub recipe: Rc<Recipe>,
    /// The rough contact that is closed.
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
    /// A state at which its expressions are regular.
    at: &'a At,
    /// The chart that the equations are written in.
    pub kind: ChartKind,
    rows: RefCell<Vec<(Mode, Rc<Rows>)>>,
    recipes: RefCell<Vec<Cooked>>,
    /// Forms that have been derived elsewhere, in this mode and the chart.
    derived: Option<(Mode, Derived)>,
    mass: OnceCell<Result<Vec<Vec<Expr>>, String>>,
}

impl<'a> Dynamics<'a> {
    /// The dynamics of a system in a chart of that kind, whose mass matrix is made at a state.
    pub fn new(system: &'a System, at: &'a At, kind: ChartKind) -> Dynamics<'a> {
        Dynamics {
            system,
            at,
            kind,
            rows: RefCell::default(),
            recipes: RefCell::default(),
            derived: None,
            mass: OnceCell::new(),
        }
    }

    /// The dynamics, when these forms have been derived in a mode and the chart.
    pub fn knowing(self, mode: &Mode, forms: Derived) -> Dynamics<'a> {
        Dynamics { derived: Some((mode.clone(), forms)), ..self }
    }

    /// The mass matrix, which is the same in every mode.
    pub fn mass(&self) -> Result<&Vec<Vec<Expr>>, String> {
        let made = || {
            let (mode, rows) = (Mode::default(), Rows::default());
            let given = Ingredients::of(self.system, &mode, &rows, ChartKind::Rates, self.at);
            let E = given.thawed(given.E().map_err(|error| error.to_string())?).map_err(|error| error.to_string())?;
            expr::linear_coefficients(&E, &given.q_ddot).map(|(mass, _)| mass).map_err(|error| error.to_string())
        };
        self.mass.get_or_init(made).as_ref().map_err(Clone::clone)
    }

    /// The rows of a mode, looked at near the state where it is met first.
    pub fn rows(&self, mode: &Mode, at: &At) -> Result<Rc<Rows>, RowsError> {
        if let Some(known) = self.rows.borrow().iter().find(|known| known.0 == *mode) {
            return Ok(Rc::clone(&known.1));
        }
        let rows = Rc::new(Rows::of(self.system, mode, at)?);
        self.rows.borrow_mut().push((mode.clone(), Rc::clone(&rows)));
        Ok(rows)
    }

    /// The accelerations at a state in a mode that does not say how rough contacts hold: a rough contact sticks, slides
    /// or leaves as it must.
    pub fn going_on(&self, mode: &Mode, at: &At, change: Change) -> Result<Result<Solved, NoNumbers>, RowsError> {
        let (system, mut free) = (self.system, mode.clone());
        loop {
            let touching = match crate::grip::touching(system, &free, at, self.kind) {
                Ok(touching) => touching,
                Err(reason) => return Ok(Err(NoNumbers::Undetermined(reason))),
            };
            let mut held = None;
            if let Some(mut touching) = touching.clone() {
                if change == Change::Slips {
                    touching.ways = touching.edge.iter().cloned().collect();
                }
                if let Some(reason) = touching.trouble() {
                    return Ok(Err(NoNumbers::Undetermined(reason)));
                }
                match touching.ways.first().and_then(crate::grip::grip) {
                    None => free = free.releasing(&[touching.rough.gap]),
                    Some(grip) => match free.holding(system, &touching.rough, change.of(grip)) {
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
            let (recipe, found) = match wanted.filter(|wanted| wanted.name != recipe.formalism.name) {
                None => (recipe, found),
                Some(wanted) => match self.by_recipe(&mode, at, Some(wanted))? {
                    Ok(found) => found,
                    Err(reason) => return Ok(Err(reason.after_release(system, &mode.released))),
                },
            };
            if let Some(reason) = recipe.missed(&found, system, at) {
                return Ok(Err(reason));
            }
            let opened: Vec<usize> = recipe.rows.slack.iter().map(|row| row.constraint).collect();
            let mode = mode.releasing(&opened);
            return Ok(Ok(Solved { numbers: found, mode, recipe, touching: None }));
        }
    }

    /// The numbers of a mode; its equations are made anew where those of another state are singular here.
    fn by_recipe(
        &self,
        mode: &Mode,
        at: &At,
        wanted: Option<&'static Formalism>,
    ) -> Result<Result<(Rc<Recipe>, Numbers), NoNumbers>, RowsError> {
        let name = wanted.map(|wanted| wanted.name);
        let is_own = |known: &&Cooked| known.0 == *mode && known.1 == name;
        let known = self.recipes.borrow().iter().find(is_own).map(|known| Rc::clone(&known.2));
        if let Some(recipe) = known
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
