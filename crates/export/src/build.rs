//! How is a model made ready to leave? Routines, a start, and numbers to compare with, for any language.

use mechanics::formalism::Formalism;
use mechanics::ingredients::Ingredients;
use motion::Units;
use rustc_hash::FxHashMap;

use engine::{Error, Field, Loaded};

use crate::along::along;
use crate::implicit::implicit;
use crate::maker::{EVERYWHERE, Maker, solved};
use crate::names::{Names, stem};
use crate::points::{Point, points};
use crate::quantities::quantities;
use crate::starting::starting;
use crate::unit::{Naming, Quantity, Unit};
use crate::value::{Made, Part, Routine, Sort};
use crate::{By, Compute, Export, Parameters, Places, Target, What};

/// Linear equations with more unknowns are not written out.
const MOST_UNKNOWNS: usize = 300;

/// Makes a unit of a model.
pub fn unit(loaded: &Loaded, wanted: &Export) -> Result<Unit, Error> {
    let form = chosen(wanted)?;
    let rows = engine::forms::rows(loaded, &loaded.mode, &loaded.at)?;
    let given = Ingredients::of(&loaded.system, &loaded.mode, &rows, loaded.kind(), &loaded.at);
    let units = Units::of(loaded, &rows);
    let mut naming = Naming { names: Names::new(), inputs: FxHashMap::default() };
    let [coordinates, rates, states, parameters] = quantities(loaded, wanted, &units, &mut naming);
    let maker = Maker::new(loaded, wanted, form, &given, &units, naming)?;
    let mut remarks = remarks(loaded, &given, form, maker.form.written_in);
    let made = routines(&maker, wanted, &mut remarks)?;
    let bare = matches!(wanted.what, What::MassMatrix | What::Linear);
    let levels = if bare { Vec::new() } else { maker.levels()? };
    let starting = if bare { None } else { Some(starting(&maker)?) };
    let mut points = points(loaded, wanted, &maker.recipes()?, &maker.problem, &made)?;
    let mut routines: Vec<Routine> = made.into_iter().map(|one| one.routine).collect();
    let takes_parameters = wanted.parameters == Parameters::Arguments;
    let moved = coordinates.iter().chain(&rates).chain(&states).chain(parameters.iter().filter(|_| takes_parameters));
    let moved: Vec<String> = moved.map(|one| one.code.clone()).collect();
    let own = match wanted.target {
        Target::Fmu => along_each(&maker, &routines, &moved)?,
        // SymPy differentiates by itself; its test would take minutes
        Target::SymPy if wanted.what == What::All => Vec::new(),
        _ if matches!(wanted.what, What::Linear | What::All) => {
            let (along, linear) = maker.linear(&maker.rhs()?.routine, &moved);
            match slopes(loaded, wanted, &parameters, &linear, &mut points) {
                Ok(()) => routines.extend(linear),
                Err(error) if wanted.what == What::All => remarks.push(error.message().to_owned()),
                Err(error) => return Err(error),
            }
            [along].into_iter().filter(|_| routines.iter().any(|one| one.name == "linear")).collect()
        }
        _ => Vec::new(),
    };
    Ok(Unit {
        accelerations: loaded.system.coordinates.iter().map(|c| units.of_coordinate(c, 2)).collect(),
        laws: loaded.system.states.iter().map(|state| units.of_state(state, 1)).collect(),
        solved: [solved(&loaded.start.coordinates), solved(&loaded.start.rates)].concat(),
        events: maker.meanings()?,
        modes: None,
        implicit: if wanted.target == Target::Modelica { Some(implicit(&maker)?) } else { None },
        input_count: if takes_parameters { loaded.system.inputs.len() } else { 0 },
        stem: stem(&loaded.file),
        title: loaded.system.title.clone(),
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
        own,
        levels,
        starting,
        t0: loaded.start.time.number.unwrap_or(0.0),
        points,
    })
}

/// The form that is asked for.
fn chosen(wanted: &Export) -> Result<&'static Formalism, Error> {
    let form = wanted.form.as_deref().map_or_else(|| engine::forms::known(EVERYWHERE), engine::forms::known)?;
    if form.stranger {
        let why =
            format!("the form `{}` has equations of its own for its multipliers, and no start for them", form.name);
        return Err(Error::new(why).hint("choose another form, or none").of(Field::Form));
    }
    Ok(form)
}

/// The changes along a direction of all that a unit shows.
fn along_each(maker: &Maker<'_>, routines: &[Routine], moved: &[String]) -> Result<Vec<Routine>, Error> {
    let names = [("reactions", "reactions_along"), ("observe", "observe_along"), ("inputs", "inputs_along")];
    let found = |&(of, name): &(&str, &'static str)| {
        routines.iter().find(|one| one.name == of).map(|one| along(one, name, moved))
    };
    Ok([along(&maker.rhs()?.routine, "rhs_along", moved)].into_iter().chain(names.iter().filter_map(found)).collect())
}

/// Too many unknowns are refused.
pub fn checked(unit: Unit) -> Result<Unit, Error> {
    match unit.most_unknowns() {
        many if many > MOST_UNKNOWNS => Err(Error::new(format!(
            "linear equations with {many} unknowns are too many for code without allocation: {MOST_UNKNOWNS} is the most"
        ))
        .hint("choose a form in independent rates, such as `kane`, or a smaller model")),
        _ => Ok(unit),
    }
}

/// The routines that are asked for.
fn routines(maker: &Maker<'_>, wanted: &Export, remarks: &mut Vec<String>) -> Result<Vec<Made>, Error> {
    let rows = maker.given.rows;
    let mut made = Vec::new();
    let all = wanted.what == What::All;
    if matches!(wanted.what, What::Rhs | What::All) {
        made.push(maker.rhs()?);
    }
    if matches!(wanted.what, What::MassMatrix | What::All) {
        made.extend(maker.masses()?);
    }
    if !matches!(wanted.what, What::MassMatrix | What::Linear) && rows.list.iter().any(|row| row.velocity.is_some()) {
        made.push(maker.residual()?);
    }
    if matches!(wanted.what, What::Reactions | What::All) {
        match maker.reactions() {
            Ok(routine) => made.push(routine),
            Err(error) if all => remarks.push(error.message().to_owned()),
            Err(error) => return Err(error),
        }
    }
    if matches!(wanted.what, What::Rhs | What::All) {
        made.extend(maker.events()?);
        made.extend(maker.inputs()?);
    }
    if all {
        made.push(maker.observes(remarks)?);
    }
    if made.is_empty() && wanted.what != What::Linear {
        return Err(Error::new("the model has no constraints on positions or rates, so nothing is left of them")
            .of(Field::What));
    }
    Ok(made)
}

/// The engine's own slopes at the points, behind what is there.
fn slopes(
    loaded: &Loaded,
    wanted: &Export,
    parameters: &[Quantity],
    linear: &[Routine],
    points: &mut [Point],
) -> Result<(), Error> {
    let takes = wanted.parameters == Parameters::Arguments;
    let names = parameters.iter().filter(|_| takes).map(|one| one.name.clone()).collect();
    let rhs =
        crate::compute(loaded, &Compute { what: "rhs".to_owned(), form: wanted.form.clone(), parameters: names })?;
    let mut found: Vec<Vec<Vec<f64>>> = vec![Vec::new(); points.len()];
    for routine in linear {
        let by = if matches!(routine.sort, Sort::Columns(_, Part::State)) { By::State } else { By::Parameters };
        let slopes = rhs.slopes(by)?;
        for (point, found) in points.iter().zip(&mut found) {
            let mut there = vec![0.0; slopes.size()];
            let p: &[f64] = if takes { &point.p } else { &[] };
            let places = Places { count: 1, t: &[point.t], y: &point.y, p };
            let none = || Error::new("the slopes are not determined at a state near the start").of(Field::What);
            slopes.at(places, &mut there, &mut || true).map_err(|_| none())?;
            found.push(there);
        }
    }
    points.iter_mut().zip(found).for_each(|(point, found)| point.answers.extend(found));
    Ok(())
}

/// What the reader must know.
fn remarks(
    loaded: &Loaded,
    given: &Ingredients<'_>,
    form: &Formalism,
    written_in: mechanics::form::Setting,
) -> Vec<String> {
    let mut remarks = Vec::new();
    if written_in == mechanics::form::Setting::Chart && !given.rows.list.is_empty() {
        let divisors: Vec<String> = given.chart().map_or(Vec::new(), |chart| {
            chart.pivots.iter().filter(|pivot| pivot.as_number().is_none()).map(|pivot| pivot.brief()).collect()
        });
        let where_not = match divisors.is_empty() {
            true => String::new(),
            false => format!(" and where {} is not zero", divisors.join(", ")),
        };
        remarks.push(format!("the form {} holds for states that satisfy the constraints{where_not}", form.name));
    }
    if !given.rows.redundant.is_empty() {
        remarks.push(format!("rows that follow from others are left out: {}", given.rows.redundant.join(", ")));
    }
    remarks
        .extend(loaded.system.assumptions.iter().map(|one| format!("assumed: {}", syntax::format_relation(&one.tree))));
    remarks
}
