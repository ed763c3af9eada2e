//! How is a model made ready to leave whose equations change on the way?
//!
//! ```text
//! items      what opens and closes, begins and ends, sticks and slides: a one-sided constraint, a switched one, a rough one
//! rows       all that act or may act; a mode says which of them do
//! parts      M, h, A, a0, rates and values of the rows at a state: the equations of every mode are made of them
//! shown      what is observed and watched, by state, accelerations and multipliers
//! ```
//!
//! A contact that slides has the friction −μ N s/|s|, whose generalized force is that multiple of the slopes of its slips.

use engine::{Error, Field, Loaded};
use expr::Expr;
use mechanics::ingredients::Ingredients;
use mechanics::rows::{Row, Rows};
use motion::Units;
use rustc_hash::FxHashMap;

use crate::board::{Board, ground, lacks};
use crate::maker::{EVERYWHERE, Maker, rate_name, solved, unbound};
use crate::moded_points::points;
use crate::names::{Names, stem};
use crate::quantities::quantities;
use crate::refuse;
use crate::shows::Shows;
use crate::starting::starting;
use crate::unit::{Event, Modes, Naming, Unit, labelled};
use crate::value::{Answer, Routine, Sort};
use crate::{Export, Parameters, Target, What};

/// Makes a unit of a model with modes.
pub fn unit(loaded: &Loaded, wanted: &Export) -> Result<Unit, Error> {
    asked(loaded, wanted)?;
    let (system, kind) = (&loaded.system, loaded.kind());
    let ground = ground(loaded);
    let base = engine::forms::rows(loaded, &ground, &loaded.at)?;
    let board = Board::of(loaded, ground, &base)?;
    let given = Ingredients::of(system, &board.ground, &base, kind, &loaded.at);
    let all = Rows { list: board.rows.clone(), ..Rows::default() };
    let everything = board.everything(system)?;
    let full = Ingredients::of(system, &everything, &all, kind, &loaded.at);
    let units = Units::of(loaded, &all);
    let mut naming = Naming { names: Names::new(), inputs: FxHashMap::default() };
    let [coordinates, rates, states, parameters] = quantities(loaded, wanted, &units, &mut naming);
    let form = engine::forms::known(EVERYWHERE)?;
    let maker = Maker::new(loaded, wanted, form, &given, &units, naming)?;
    let (parts, numbers) = parts(&maker, &board)?;
    let mut remarks = Vec::new();
    let shows = Shows::of(loaded, &full, &board, &units, &mut remarks)?;
    let (wide, shown) = shows.routine(&maker, &board)?;
    let watches = board.watches();
    let (routines, means) = described(&maker, &board, &units, &shows, &watches);
    let takes_parameters = wanted.parameters == Parameters::Arguments;
    let (points, at, start) = points(loaded, wanted, &board, &maker, &shows, &numbers)?;
    let starting = starting(&maker)?;
    let (rows, items) = (board.of, board.items);
    let modes = Modes { parts, shown, wide, rows, items, watches, events: system.events.len(), points: at, start };
    Ok(Unit {
        accelerations: system.coordinates.iter().map(|c| units.of_coordinate(c, 2)).collect(),
        laws: system.states.iter().map(|state| units.of_state(state, 1)).collect(),
        solved: [solved(&loaded.start.coordinates), solved(&loaded.start.rates)].concat(),
        events: means,
        implicit: None,
        modes: Some(modes),
        input_count: if takes_parameters { system.inputs.len() } else { 0 },
        stem: stem(&loaded.file),
        title: system.title.clone(),
        file: loaded.file.clone(),
        hash: loaded.hash(),
        form: form.name,
        remarks,
        coordinates,
        rates,
        states,
        parameters,
        takes_parameters,
        routines,
        own: Vec::new(),
        levels: Vec::new(),
        starting: Some(starting),
        t0: loaded.start.time.number.unwrap_or(0.0),
        points,
    })
}

/// What cannot be asked of a model with modes.
fn asked(loaded: &Loaded, wanted: &Export) -> Result<(), Error> {
    let what = refuse::changing(&loaded.system).unwrap_or_default();
    if !matches!(wanted.target, Target::C | Target::Cpp | Target::Rust | Target::NumPy | Target::Fmu) {
        let name = wanted.target.name();
        return Err(Error::new(format!(
            "{what}: code for {name} has one set of equations, and cannot change them yet"
        ))
        .hint(
            "C, C++, Rust, NumPy and FMUs follow such a model; to export one of its modes elsewhere, write that mode as a model",
        ));
    }
    if !matches!(wanted.what, What::Rhs | What::All) {
        return Err(Error::new(format!("{what}: such a model leaves as a whole, with its modes")).of(Field::What));
    }
    if wanted.form.as_deref().is_some_and(|form| form != EVERYWHERE) {
        let why = format!("{what}: its equations in all modes are those with multipliers");
        return Err(Error::new(why).of(Field::Form));
    }
    let moves = |value: Option<Expr>| value.is_some_and(|value| !value.symbols().is_empty());
    match loaded.system.inputs.iter().find(|input| moves(input.value)) {
        Some(input) => Err(lacks(&input.name, "follows a law beside constraints that change")),
        None => Ok(()),
    }
}

/// The routine of what the equations of all modes are made of; friction, restitution and rates of states as expressions.
fn parts(maker: &Maker<'_>, board: &Board) -> Result<(Routine, Vec<Expr>), Error> {
    let (system, n, zero) = (&maker.loaded.system, maker.given.q.len(), Expr::zero());
    let [mass, bias] = maker.masses()?;
    let of_rows = |value: &dyn Fn(&Row) -> Expr| board.rows.iter().map(value).collect::<Vec<Expr>>();
    let mut numbers: Vec<Expr> = Vec::new();
    for item in 0..board.items.len() {
        let rough = board.rough.iter().find(|one| one.0 == item);
        numbers.push(rough.map_or(zero, |(_, rough)| rough.mu * rough.scale));
    }
    for item in &board.items {
        let said = system.restitutions.iter().find(|one| one.on == item.name);
        numbers.push(said.map_or(zero, |one| one.value));
    }
    numbers.extend(system.states.iter().map(|state| state.rate));
    let names = || board.rows.iter().map(|row| row.name.clone()).collect::<Vec<String>>();
    let coordinates = system.coordinates.iter().map(|c| c.name.clone()).collect();
    let counted = (0..numbers.len()).map(|k| format!("number {}", k + 1)).collect();
    let answers = vec![
        (Answer::matrix("M", n, n), mass.answers),
        (Answer::list("h", coordinates), bias.answers),
        (Answer::matrix("A", board.rows.len(), n), board.rows.iter().flat_map(|row| row.A.clone()).collect()),
        (Answer::list("row_drift", names()), of_rows(&|row| row.drift)),
        (Answer::list("row_rate", names()), of_rows(&|row| row.velocity.unwrap_or(zero))),
        (Answer::list("row_value", names()), of_rows(&|row| if row.order == 0 { row.f } else { zero })),
        (Answer::list("item_number", counted), numbers.clone()),
    ];
    let says = ["What the equations of all modes are made of."];
    Ok((maker.make("parts", &says, &maker.full, answers).map_err(unbound)?.routine, numbers))
}

/// The routines for the caller, as they are told, and what the event functions mean.
fn described(
    maker: &Maker<'_>,
    board: &Board,
    units: &Units,
    shows: &Shows,
    watches: &[(u8, usize)],
) -> (Vec<Routine>, Vec<Event>) {
    let system = &maker.loaded.system;
    let routine = |name, says: &str, array, entries| Routine {
        name,
        says: vec![says.to_owned()],
        answers: vec![Answer::list(array, entries)],
        steps: Vec::new(),
        sort: Sort::InMode,
    };
    let first = system.coordinates.iter().map(|c| labelled(&format!("{}'", c.name), &units.of_coordinate(c, 1)));
    let second = system.coordinates.iter().map(|c| labelled(&format!("{}''", c.name), &units.of_coordinate(c, 2)));
    let third = system.states.iter().map(|one| labelled(&format!("{}'", one.name), &units.of_state(one, 1)));
    let lambda = board.rows.iter().map(|row| labelled(&row.name, &units.unit(row.lambda))).collect();
    let observed = shows.observes.iter().map(|one| one.0.clone()).collect();
    let words = |&(kind, item): &(u8, usize)| {
        let name = &board.items[item].name;
        match kind {
            0 => format!("{name}: its gap while it is open, its multiplier while it is closed; falls through 0"),
            1 => format!("{name}: it slips, or comes to rest, or has turned, as g falls through 0"),
            2 => format!("{name}: it presses on the other side as g falls through 0"),
            _ => format!("{name}: it begins or ends as g falls through 0"),
        }
    };
    let watched = shows.events.iter().map(|one| one.0.clone()).chain(watches.iter().map(words)).collect();
    let residuals = board.rows.iter().map(|row| row.name.clone()).chain(board.rows.iter().map(rate_name)).collect();
    let routines = vec![
        routine("rhs", "The right-hand side dy = y' in a mode.", "dy", first.chain(second).chain(third).collect()),
        routine("reactions", "The multipliers of all rows in a mode; 0 where a row does not act.", "lambda", lambda),
        routine("observe", "What the model observes in a mode, and the energy T + V.", "o", observed),
        routine("events", "Event functions: those of the model, then those by which the mode changes.", "g", watched),
        routine(
            "residual",
            "What is left of rows that act: geometric ones, then all on rates; 0 for the others.",
            "r",
            residuals,
        ),
    ];
    let mut events: Vec<Event> = shows.events.iter().map(|one| one.2).collect();
    events.extend(watches.iter().map(|_| Event { stops: false, way: -1 }));
    (routines, events)
}
