//! What of a model with modes is observed and watched, in every mode?

use engine::{Error, Loaded};
use expr::Expr;
use mechanics::ingredients::Ingredients;
use motion::{Units, becomes_true};
use numeric::Direction;

use crate::board::{Board, lacks};
use crate::lower::Lowering;
use crate::maker::{EVERYWHERE, Maker, told, unbound};
use crate::unit::{Event, Quantity, labelled};
use crate::value::{Answer, Routine, Sort};

/// What is observed and watched.
pub struct Shows {
    /// What is observed, with names.
    pub observes: Vec<(String, Expr)>,
    /// The event functions of the model, with names and meaning.
    pub events: Vec<(String, Expr, Event)>,
    /// What rises through zero as each item begins, and as it ends.
    pub switches: Vec<Expr>,
}

impl Shows {
    /// What the model observes, its events, and the switches of the items.
    pub fn of(
        loaded: &Loaded,
        full: &Ingredients<'_>,
        board: &Board,
        units: &Units,
        remarks: &mut Vec<String>,
    ) -> Result<Shows, Error> {
        const AXES: [&str; 3] = ["x", "y", "z"];
        let (system, form) = (&loaded.system, engine::forms::known(EVERYWHERE)?);
        remarks.extend(engine::observe::unobserved(loaded, full));
        let mut observes = Vec::new();
        for (name, list) in engine::observe::observed(loaded, full) {
            for (axis, &value) in list.iter().enumerate() {
                let name = if list.len() == 3 { format!("{name}.{}", AXES[axis]) } else { name.clone() };
                observes.push((labelled(&name, &units.unit(value)), full.thawed(&[value]).map_err(Error::new)?[0]));
            }
        }
        let energy = mechanics::balance::energy(full).map_err(Error::new)?;
        let energy = full.thawed(&[energy]).map_err(Error::new)?[0];
        observes.push((labelled("energy", if units.are_known() { "J" } else { "" }), energy));
        let rising = |relation, span, name: &str| -> Result<Expr, Error> {
            let (value, direction, _) =
                becomes_true(loaded, full, relation, span).map_err(|error| told(form, error))?;
            let value = full.thawed(&[value]).map_err(Error::new)?[0];
            match direction {
                Direction::Up => Ok(value),
                Direction::Down => Ok(-value),
                Direction::Any => Err(lacks(name, "is switched by an equation, not by `>=` or `<=`")),
            }
        };
        let mut events = Vec::new();
        for (place, event) in system.events.iter().enumerate() {
            let (value, direction, _) =
                becomes_true(loaded, full, &event.when, event.span).map_err(|error| told(form, error))?;
            let name = event.name.clone().unwrap_or_else(|| format!("event {}", place + 1));
            let (way, words) = match direction {
                Direction::Up => (1, "as g rises through 0"),
                Direction::Down => (-1, "as g falls through 0"),
                Direction::Any => (0, "as g passes 0"),
            };
            let what = if event.stops { "stop" } else { "record" };
            let value = full.thawed(&[value]).map_err(Error::new)?[0];
            events.push((format!("{name}: {what} {words}"), value, Event { stops: event.stops, way }));
        }
        let mut switches = Vec::new();
        for &place in &board.places {
            let one = &system.constraints[place];
            for relation in [&one.from, &one.until] {
                let value = relation.as_ref().map(|relation| rising(relation, one.span, &one.name)).transpose()?;
                switches.push(value.unwrap_or_else(|| -Expr::one()));
            }
        }
        Ok(Shows { observes, events, switches })
    }

    /// The routine that computes it, and what that reads behind the state.
    pub fn routine(&self, maker: &Maker<'_>, board: &Board) -> Result<(Vec<Quantity>, Routine), Error> {
        let (mut names, mut inputs) = (maker.naming.names.clone(), maker.naming.inputs.clone());
        let mut wide = Vec::new();
        let coordinates = maker.loaded.system.coordinates.iter();
        let accelerations = coordinates.map(|c| (format!("{}''", c.name), c.name.clone(), 2, c.q_ddot));
        let multipliers = board.rows.iter().map(|row| {
            let name = format!("multiplier({})", row.name);
            (name, format!("multiplier_{}", row.name), 0, row.lambda)
        });
        for (name, base, order, symbol) in accelerations.chain(multipliers) {
            let code = names.take(&base, order);
            inputs.extend(symbol.as_symbol().map(|symbol| (symbol, code.clone())));
            wide.push(Quantity { name, code, unit: String::new(), value: 0.0, exact: None, counts: false });
        }
        let lists = [
            ("o", self.observes.iter().map(|one| one.1).collect::<Vec<Expr>>()),
            ("g", self.events.iter().map(|one| one.1).collect()),
            ("switch_value", self.switches.clone()),
        ];
        let roots: Vec<Expr> = lists.iter().flat_map(|one| one.1.clone()).collect();
        let mut steps = Lowering::new(&roots, inputs, &maker.full.defined, &names);
        for (array, list) in &lists {
            steps.put(array, list).map_err(unbound)?;
        }
        let says = vec!["What is observed and watched; y is the state, then accelerations and multipliers.".to_owned()];
        let answers = lists.iter().map(|one| Answer::list(one.0, vec![String::new(); one.1.len()])).collect();
        Ok((wide, Routine { name: "shown", says, answers, steps: steps.finish(), sort: Sort::Values }))
    }
}
