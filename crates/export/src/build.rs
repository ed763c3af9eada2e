//! How is a model made ready to leave? Routines, a start, and numbers to compare with, for any language.

use std::collections::BTreeSet;

use expr::Expr;
use mechanics::formalism::Formalism;
use mechanics::ingredients::Ingredients;
use motion::Units;
use rustc_hash::FxHashMap;

use engine::{Error, Field, Loaded};

use crate::along::along;
use crate::implicit::implicit;
use crate::lower::Lowering;
use crate::maker::{EVERYWHERE, Maker, solved};
use crate::names::{Names, stem};
use crate::points::{Point, points};
use crate::starting::starting;
use crate::unit::{Naming, Quantity, Unit};
use crate::value::{Made, Part, Routine, Sort, Step, Value};
use crate::{By, Compute, Export, Parameters, Places, Target, What};

/// Linear equations with more unknowns are not written out.
const MOST_UNKNOWNS: usize = 300;

/// Makes a unit of a model.
pub fn unit(loaded: &Loaded, wanted: &Export) -> Result<Unit, Error> {
    crate::refuse::refuse(loaded)?;
    let form = chosen(wanted)?;
    let rows = engine::forms::rows(loaded, &loaded.mode, &loaded.at)?;
    let given = Ingredients::of(&loaded.system, &loaded.mode, &rows, loaded.kind(), &loaded.at);
    let units = Units::of(loaded, &rows);
    let mut naming = Naming { names: Names::new(), inputs: FxHashMap::default() };
    let (coordinates, rates, parameters) = quantities(loaded, wanted, &units, &mut naming);
    let maker = Maker::new(loaded, wanted, form, &given, &units, naming)?;
    let mut remarks = remarks(loaded, &given, form, maker.form.written_in);
    let made = routines(&maker, wanted, &mut remarks)?;
    let bare = matches!(wanted.what, What::MassMatrix | What::Linear);
    let levels = if bare { Vec::new() } else { maker.levels()? };
    let starting = if bare { None } else { Some(starting(&maker)?) };
    let mut points = points(loaded, wanted, &maker.recipes()?, &maker.problem, &made)?;
    let mut routines: Vec<Routine> = made.into_iter().map(|one| one.routine).collect();
    let takes_parameters = wanted.parameters == Parameters::Arguments;
    let moved = coordinates.iter().chain(&rates).chain(parameters.iter().filter(|_| takes_parameters));
    let moved: Vec<String> = moved.map(|one| one.code.clone()).collect();
    let own = match wanted.target {
        Target::Fmu => along_each(&maker, &routines, &moved)?,
        // SymPy differentiates by itself; its test would take minutes
        Target::SymPy if wanted.what == What::All => Vec::new(),
        _ if matches!(wanted.what, What::Linear | What::All) => {
            let (along, linear) = maker.linear(&maker.rhs()?.routine, &moved);
            let there = slopes(loaded, wanted, &parameters, &linear, &mut points);
            match there {
                Ok(()) => routines.extend(linear),
                Err(error) if wanted.what == What::All => remarks.push(error.message().to_owned()),
                Err(error) => return Err(error),
            }
            [along].into_iter().filter(|_| routines.iter().any(|one| one.name == "linear")).collect()
        }
        _ => Vec::new(),
    };
    checked(Unit {
        accelerations: loaded.system.coordinates.iter().map(|c| units.of_coordinate(c, 2)).collect(),
        solved: [solved(&loaded.start.coordinates), solved(&loaded.start.rates)].concat(),
        events: maker.meanings()?,
        implicit: if wanted.target == Target::Modelica { Some(implicit(&maker)?) } else { None },
        input_count: if takes_parameters { loaded.system.inputs.len() } else { 0 },
        stem: stem(&loaded.file),
        title: loaded.system.title.clone(),
        file: loaded.file.clone(),
        hash: hash(loaded),
        form: form.name,
        remarks,
        coordinates,
        rates,
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
fn checked(unit: Unit) -> Result<Unit, Error> {
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

/// A word that changes with the model and all that was changed in it (FNV-1a, 64 bits).
fn hash(loaded: &Loaded) -> String {
    let settings = &loaded.settings;
    let more = settings.with.iter().map(|one| &one.1).chain(&settings.set).chain(&settings.at);
    let mut word = 0xcbf2_9ce4_8422_2325_u64;
    for text in [&settings.text].into_iter().chain(more) {
        for byte in text.bytes().chain([0]) {
            word = (word ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{word:016x}")
}

/// Coordinates, rates and parameters, and their names for the routines.
fn quantities(
    loaded: &Loaded,
    wanted: &Export,
    units: &Units,
    naming: &mut Naming,
) -> (Vec<Quantity>, Vec<Quantity>, Vec<Quantity>) {
    let (system, start) = (&loaded.system, &loaded.start);
    let counting = counting(loaded);
    naming.inputs.extend(system.time.as_symbol().map(|time| (time, "t".to_owned())));
    let mut quantity = |name: String, symbol: Expr, order: u32, unit: String, value: f64, exact: Option<Expr>| {
        let base = symbol.as_symbol().map_or(name.clone(), |symbol| symbol.name);
        let code = naming.names.take(&base, order);
        naming.inputs.extend(symbol.as_symbol().map(|symbol| (symbol, code.clone())));
        Quantity { counts: counting.contains(&name), name, code, unit, value, exact: exact.and_then(constant) }
    };
    let (mut coordinates, mut rates, mut parameters) = (Vec::new(), Vec::new(), Vec::new());
    for (c, value) in system.coordinates.iter().zip(&start.coordinates) {
        let number = value.number.unwrap_or(f64::NAN);
        coordinates.push(quantity(c.name.clone(), c.q, 0, units.of_coordinate(c, 0), number, value.exact));
    }
    for (c, value) in system.coordinates.iter().zip(&start.rates) {
        let number = value.number.unwrap_or(f64::NAN);
        rates.push(quantity(format!("{}'", c.name), c.q_dot, 1, units.of_coordinate(c, 1), number, value.exact));
    }
    for (parameter, value) in system.parameters.iter().zip(&start.parameters) {
        let (unit, value) = (units.unit(parameter.symbol), value.unwrap_or(f64::NAN));
        parameters.push(quantity(parameter.name.clone(), parameter.symbol, 0, unit, value, parameter.value));
    }
    if wanted.parameters == Parameters::Arguments {
        for input in &system.inputs {
            let value = loaded.at.value(input.symbol);
            let unit = units.unit(input.symbol);
            parameters.push(quantity(input.name.clone(), input.symbol, 0, unit, value, input.value));
        }
    }
    (coordinates, rates, parameters)
}

/// The names by which elements are counted: those in an index, and at the ends of a range.
fn counting(loaded: &Loaded) -> BTreeSet<String> {
    let texts = [&loaded.settings.text].into_iter().chain(loaded.settings.with.iter().map(|one| &one.1));
    let mut found = BTreeSet::new();
    for line in texts.flat_map(|text| text.lines()) {
        let line = line.split('#').next().unwrap_or(line);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let (mut depth, mut rest) = (0_i32, line);
        while let Some(first) = rest.chars().next() {
            let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()).max(first.len_utf8());
            let (word, behind) = rest.split_at(length);
            depth += i32::from(word == "[") - i32::from(word == "]");
            let before = &line[..line.len() - rest.len()];
            if is_word(first) && (depth > 0 || before.ends_with("..") || behind.starts_with("..")) {
                found.insert(word.to_owned());
            }
            rest = behind;
        }
    }
    found
}

/// A constant as a value, if it is a short one.
fn constant(e: Expr) -> Option<Value> {
    let mut lowering = Lowering::new(&[e], FxHashMap::default(), &[], &Names::new());
    lowering.put("value", &[e]).ok()?;
    match &lowering.finish()[..] {
        [Step::Put(_, _, value)] => Some(value.clone()),
        _ => None,
    }
}
