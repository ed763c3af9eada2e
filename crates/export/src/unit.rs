//! What leaves: a model as routines in no language yet, with names, units, a start and numbers to compare with.

use expr::{Expr, Symbol};
use mechanics::form::Form;
use mechanics::formalism::{Formalism, formalism};
use mechanics::ingredients::Ingredients;
use mechanics::rows::Row;
use motion::bridge::{Equations, NoPhase};
use motion::{Units, becomes_true};
use numeric::{Direction, Problem, Solve, Structure};
use rustc_hash::FxHashMap;

use engine::{Error, Field, Loaded};

use crate::lower::{Lowering, Unbound};
use crate::names::{Names, stem};
use crate::points::{Point, points};
use crate::value::{Answer, Made, Routine, Step, Value};
use crate::{Export, Parameters, What};

/// Linear equations with more unknowns are not written out.
const MOST_UNKNOWNS: usize = 300;

/// The form that needs no choice of independent rates: it serves wherever the constraints do.
pub const EVERYWHERE: &str = "multipliers";

/// A quantity of the model.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// What the model calls it.
    pub name: String,
    /// What the code calls it.
    pub code: String,
    /// Its unit; empty if it has none.
    pub unit: String,
    /// Its value, at the start if it moves.
    pub value: f64,
    /// The value exactly, where it is known so.
    pub exact: Option<Value>,
}

impl Quantity {
    /// `theta [rad]`
    pub fn label(&self) -> String {
        labelled(&self.name, &self.unit)
    }
}

fn labelled(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") }
}

/// Equations that a part of the state is brought back to.
#[derive(Clone, Debug)]
pub struct Level {
    /// The routine that computes them.
    pub routine: &'static str,
    /// The first place in the state that is moved.
    pub first: usize,
    /// How many equations there are.
    pub rows: usize,
}

/// A model that leaves.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The name of files and functions.
    pub stem: String,
    /// The title of the model.
    pub title: String,
    /// What messages call the model.
    pub file: String,
    /// A word that changes with the model's text.
    pub hash: String,
    /// The form that the right-hand side is of.
    pub form: &'static str,
    /// What the reader must know besides.
    pub remarks: Vec<String>,
    /// The coordinates; the state is these and then their rates.
    pub coordinates: Vec<Quantity>,
    /// The rates.
    pub rates: Vec<Quantity>,
    /// The parameters, then the inputs.
    pub parameters: Vec<Quantity>,
    /// Whether parameters are arguments; otherwise they have the model's values.
    pub takes_parameters: bool,
    /// The routines for the caller.
    pub routines: Vec<Routine>,
    /// The routines of the projection.
    pub levels: Vec<(Level, Routine)>,
    /// The time at the start.
    pub t0: f64,
    /// States, and what Anholon computes there.
    pub points: Vec<Point>,
}

impl Unit {
    /// How many coordinates there are.
    pub fn n(&self) -> usize {
        self.coordinates.len()
    }

    /// The state at the start.
    pub fn start(&self) -> Vec<f64> {
        self.coordinates.iter().chain(&self.rates).map(|one| one.value).collect()
    }

    /// Everything that is computed.
    pub fn all_routines(&self) -> impl Iterator<Item = &Routine> {
        self.routines.iter().chain(self.levels.iter().map(|one| &one.1))
    }

    /// The most unknowns that are solved for at once.
    pub fn most_unknowns(&self) -> usize {
        let of = |step: &Step| if let Step::Solve { right, .. } = step { right.len() } else { 0 };
        let solved = self.routines.iter().flat_map(|one| &one.steps).map(of);
        solved.chain(self.levels.iter().map(|one| self.n() + one.0.rows)).max().unwrap_or(0)
    }
}

/// The names of symbols, and what the others are.
struct Naming {
    names: Names,
    inputs: FxHashMap<Symbol, String>,
}

/// Makes a unit of a model.
pub fn unit(loaded: &Loaded, wanted: &Export) -> Result<Unit, Error> {
    crate::refuse::refuse(loaded)?;
    let form = wanted.form.as_deref().map_or_else(|| engine::forms::known(EVERYWHERE), engine::forms::known)?;
    if form.stranger {
        let why =
            format!("the form `{}` has equations of its own for its multipliers, and no start for them", form.name);
        return Err(Error::new(why).hint("choose another form, or none").of(Field::Form));
    }
    let rows = engine::forms::rows(loaded, &loaded.mode, &loaded.at)?;
    let given = Ingredients::of(&loaded.system, &loaded.mode, &rows, loaded.kind(), &loaded.at);
    let units = Units::of(loaded, &rows);
    let mut naming = Naming { names: Names::new(), inputs: FxHashMap::default() };
    let (coordinates, rates, parameters) = quantities(loaded, wanted, &units, &mut naming);
    let maker = Maker::new(loaded, wanted, form, &given, &units, naming)?;
    let mut remarks = remarks(loaded, &given, form, maker.form.written_in);
    let made = routines(&maker, wanted, &mut remarks)?;
    let levels = if matches!(wanted.what, What::MassMatrix) { Vec::new() } else { maker.levels()? };
    let points = points(loaded, wanted, &maker.recipes()?, &maker.problem, &made)?;
    let unit = Unit {
        stem: stem(&loaded.file),
        title: loaded.system.title.clone(),
        file: loaded.file.clone(),
        hash: hash(loaded),
        form: form.name,
        remarks,
        coordinates,
        rates,
        parameters,
        takes_parameters: wanted.parameters == Parameters::Arguments,
        routines: made.into_iter().map(|one| one.routine).collect(),
        levels,
        t0: loaded.start.time.number.unwrap_or(0.0),
        points,
    };
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
    if wanted.what != What::MassMatrix && rows.list.iter().any(|row| row.velocity.is_some()) {
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
    if made.is_empty() {
        return Err(Error::new("the model has no constraints on positions or rates, so nothing is left of them")
            .of(Field::What));
    }
    Ok(made)
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
    naming.inputs.extend(system.time.as_symbol().map(|time| (time, "t".to_owned())));
    let mut quantity = |name: String, symbol: Expr, order: u32, unit: String, value: f64, exact: Option<Expr>| {
        let base = symbol.as_symbol().map_or(name.clone(), |symbol| symbol.name);
        let code = naming.names.take(&base, order);
        naming.inputs.extend(symbol.as_symbol().map(|symbol| (symbol, code.clone())));
        Quantity { name, code, unit, value, exact: exact.and_then(constant) }
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

/// A constant as a value, if it is a short one.
fn constant(e: Expr) -> Option<Value> {
    let mut lowering = Lowering::new(&[e], FxHashMap::default(), &[], &Names::new());
    lowering.put("value", &[e]).ok()?;
    match &lowering.finish()[..] {
        [Step::Put(_, _, value)] => Some(value.clone()),
        _ => None,
    }
}

/// What routines are made from.
struct Maker<'a> {
    loaded: &'a Loaded,
    given: &'a Ingredients<'a>,
    units: &'a Units,
    naming: Naming,
    formalism: &'static Formalism,
    form: Form,
    /// The equations of the form that was asked for.
    problem: Problem,
    /// Those with multipliers.
    full: Problem,
}

impl<'a> Maker<'a> {
    fn new(
        loaded: &'a Loaded,
        wanted: &Export,
        formalism: &'static Formalism,
        given: &'a Ingredients<'a>,
        units: &'a Units,
        naming: Naming,
    ) -> Result<Maker<'a>, Error> {
        let problem_of = |one: &'static Formalism| -> Result<(Form, Problem), Error> {
            let form = one.closed(given).map_err(|error| refused(one, &error.to_string()))?;
            let mut problem = Equations::of(&form, given).map_err(|error| told(one, error))?.problem;
            if wanted.parameters == Parameters::Arguments {
                let is_input = |symbol: &Expr| loaded.system.inputs.iter().any(|input| input.symbol == *symbol);
                problem.defined.retain(|(symbol, _)| !is_input(symbol));
            }
            if matches!(problem.solves[0].structure, Structure::Least(_)) {
                return Err(refused(one, "it has more equations than unknowns"));
            }
            Ok((form, problem))
        };
        let everywhere = formalism_named(EVERYWHERE);
        let (form, problem) = problem_of(formalism)?;
        let full = if formalism.name == EVERYWHERE { problem.clone() } else { problem_of(everywhere)?.1 };
        Ok(Maker { loaded, given, units, naming, formalism, form, problem, full })
    }

    /// The ways in which Anholon computes numbers: by the form that was asked for, and by that with multipliers.
    fn recipes(&self) -> Result<[dynamics::Recipe; 2], Error> {
        let of = |one: &'static Formalism| {
            let wrong = |error: dynamics::NoNumbers| refused(one, &format!("{error:?}"));
            dynamics::Recipe::of(one, self.given).map_err(wrong)
        };
        Ok([of(self.formalism)?, of(formalism_named(EVERYWHERE))?])
    }

    /// A routine that answers with these expressions; linear equations are solved where they are needed.
    fn make(
        &self,
        name: &'static str,
        says: &[&str],
        problem: &Problem,
        answers: Vec<(Answer, Vec<Expr>)>,
    ) -> Result<Made, Unbound> {
        let flat: Vec<Expr> = answers.iter().flat_map(|one| one.1.iter().copied()).collect();
        let solve = &problem.solves[0];
        let lowering =
            |roots: &[Expr]| Lowering::new(roots, self.naming.inputs.clone(), &problem.defined, &self.naming.names);
        let mut steps = lowering(&flat);
        if steps.needs(&solve.unknowns) {
            steps = lowering(&[flat.clone(), entries(solve)].concat());
            steps.solve(&solve.matrix, &solve.right, &solve.unknowns)?;
        }
        for (answer, values) in &answers {
            steps.put(answer.array, values)?;
        }
        let routine = Routine {
            name,
            says: says.iter().map(|&line| line.to_owned()).collect(),
            answers: answers.into_iter().map(|one| one.0).collect(),
            steps: steps.finish(),
        };
        Ok(Made { routine, answers: flat, by_form: name == "rhs" })
    }

    fn rhs(&self) -> Result<Made, Error> {
        let coordinates = &self.loaded.system.coordinates;
        let first = coordinates.iter().map(|c| labelled(&format!("{}'", c.name), &self.units.of_coordinate(c, 1)));
        let second = coordinates.iter().map(|c| labelled(&format!("{}''", c.name), &self.units.of_coordinate(c, 2)));
        let answer = Answer::list("dy", first.chain(second).collect());
        let values = self.given.q_dot.iter().chain(&self.given.q_ddot).copied().collect();
        let says = ["The right-hand side dy = y': rates, then accelerations."];
        self.make("rhs", &says, &self.problem, vec![(answer, values)]).map_err(unbound)
    }

    fn masses(&self) -> Result<[Made; 2], Error> {
        let given = self.given;
        let math = |error: expr::MathError| Error::new(error);
        let form = |error: mechanics::form::FormError| Error::new(error);
        let inertia = given.thawed(given.E().map_err(form)?).map_err(math)?;
        let forces = given.thawed(given.Q().map_err(form)?).map_err(math)?;
        let (mass, rest) = expr::linear_coefficients(&inertia, &given.q_ddot)
            .map_err(|error| Error::new(format!("the inertia is not linear in the accelerations: {error}")))?;
        let bias: Vec<Expr> = rest.iter().zip(&forces).map(|(&rest, &force)| rest - force).collect();
        let n = given.q.len();
        let names = self.loaded.system.coordinates.iter().map(|c| c.name.clone()).collect();
        let says = ["The mass matrix M, row by row, in M q'' + h = A^T lambda."];
        let matrix = vec![(Answer::matrix("M", n, n), mass.concat())];
        let mass = self.make("mass_matrix", &says, &self.full, matrix).map_err(unbound)?;
        let says = ["The bias h in M q'' + h = A^T lambda: gyroscopic terms minus applied forces."];
        let bias = self.make("bias", &says, &self.full, vec![(Answer::list("h", names), bias)]).map_err(unbound)?;
        Ok([mass, bias])
    }

    fn residual(&self) -> Result<Made, Error> {
        let rows = &self.given.rows.list;
        let geometric = rows.iter().filter(|row| row.order == 0).map(|row| (row.name.clone(), row.f));
        let rates = rows.iter().filter_map(|row| Some((rate_name(row), row.velocity?)));
        let (names, values): (Vec<String>, Vec<Expr>) = geometric.chain(rates).unzip();
        let says = ["What is left of the constraints: geometric rows f(q, t), then all rows on rates."];
        self.make("residual", &says, &self.full, vec![(Answer::list("r", names), values)]).map_err(unbound)
    }

    fn reactions(&self) -> Result<Made, Error> {
        let rows = self.given.rows;
        if rows.list.is_empty() {
            return Err(Error::new("the model has no constraints, so there are no reactions").of(Field::What));
        }
        if !rows.left_out.is_empty() {
            let names: Vec<String> = rows.left_out.iter().map(|row| format!("`{}`", row.name)).collect();
            let why = format!("what each row carries is not determined: {} depend on others", names.join(", "));
            return Err(Error::new(why).hint("`anholon check` names the rows; leave one out").of(Field::What));
        }
        let names = rows.list.iter().map(|row| labelled(&row.name, &self.units.unit(row.lambda))).collect();
        let values = rows.list.iter().map(|row| row.lambda).collect();
        let says = ["The multipliers lambda: the reaction of a row f is lambda times the gradient of f."];
        self.make("reactions", &says, &self.full, vec![(Answer::list("lambda", names), values)]).map_err(unbound)
    }

    fn events(&self) -> Result<Option<Made>, Error> {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (place, event) in self.loaded.system.events.iter().enumerate() {
            let (value, direction, _) = becomes_true(self.loaded, self.given, &event.when, event.span)
                .map_err(|error| told(self.formalism, error))?;
            let name = event.name.clone().unwrap_or_else(|| format!("event {}", place + 1));
            let way = match direction {
                Direction::Up => "as g rises through 0",
                Direction::Down => "as g falls through 0",
                Direction::Any => "as g passes 0",
            };
            let what = if event.stops { "stop" } else { "record" };
            names.push(format!("{name}: {what} {way}"));
            values.push(value);
        }
        if values.is_empty() {
            return Ok(None);
        }
        let values = self.given.thawed(&values).map_err(Error::new)?;
        let says = ["The event functions g of the model."];
        self.make("events", &says, &self.full, vec![(Answer::list("g", names), values)]).map(Some).map_err(unbound)
    }

    /// The model's own values of inputs that move, where inputs are arguments.
    fn inputs(&self) -> Result<Option<Made>, Error> {
        let inputs = &self.loaded.system.inputs;
        let is_argument = |symbol: &Expr| symbol.as_symbol().is_some_and(|one| self.naming.inputs.contains_key(&one));
        let moves = inputs.iter().any(|input| input.value.is_some_and(|value| !value.symbols().is_empty()));
        if !moves || !inputs.iter().all(|input| is_argument(&input.symbol)) {
            return Ok(None);
        }
        let names = inputs.iter().map(|input| input.name.clone()).collect();
        let values = inputs.iter().filter_map(|input| input.value).collect();
        let says = ["The model's own values of the inputs, to be put into p behind the parameters."];
        self.make("inputs", &says, &self.full, vec![(Answer::list("u", names), values)]).map(Some).map_err(unbound)
    }

    fn observes(&self, remarks: &mut Vec<String>) -> Result<Made, Error> {
        const AXES: [&str; 3] = ["x", "y", "z"];
        remarks.extend(engine::observe::unobserved(self.loaded, self.given));
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (name, list) in engine::observe::observed(self.loaded, self.given) {
            for (axis, &value) in list.iter().enumerate() {
                let full = if list.len() == 3 { format!("{name}.{}", AXES[axis]) } else { name.clone() };
                let tried = vec![(Answer::list("o", vec![full.clone()]), vec![value])];
                match self.make("observe", &[], &self.full, tried) {
                    Ok(_) => {
                        names.push(labelled(&full, &self.units.unit(value)));
                        values.push(value);
                    }
                    Err(Unbound(what)) => remarks.push(format!("`{full}` is left out: `{what}` is not determined")),
                }
            }
        }
        let energy = mechanics::balance::energy(self.given).map_err(Error::new)?;
        names.push(labelled("energy", if self.units.are_known() { "J" } else { "" }));
        values.extend(self.given.thawed(&[energy]).map_err(Error::new)?);
        let says = ["What the model observes, and the energy T + V."];
        self.make("observe", &says, &self.full, vec![(Answer::list("o", names), values)]).map_err(unbound)
    }

    fn levels(&self) -> Result<Vec<(Level, Routine)>, Error> {
        let (n, mut made) = (self.given.q.len(), Vec::new());
        for level in &self.full.levels {
            let (routine, says) = match level.moved.start {
                0 => ("position_level", "Geometric rows r, their slopes J by q, the mass matrix M."),
                _ => ("velocity_level", "Rows on rates r, their slopes J by q', the mass matrix M."),
            };
            let rows = level.rows.len();
            let names = (0..rows).map(|k| format!("row {}", k + 1)).collect();
            let answers = vec![
                (Answer::list("r", names), level.rows.clone()),
                (Answer::matrix("J", rows, n), level.slopes.concat()),
                (Answer::matrix("M", n, n), level.metric.concat()),
            ];
            let one = self.make(routine, &[says], &self.full, answers).map_err(unbound)?;
            made.push((Level { routine, first: level.moved.start, rows }, one.routine));
        }
        Ok(made)
    }
}

/// What the row is called where its rate is meant.
pub fn rate_name(row: &Row) -> String {
    if row.order == 0 { format!("d/dt {}", row.name) } else { row.name.clone() }
}

fn entries(solve: &Solve) -> Vec<Expr> {
    solve.matrix.iter().flatten().chain(&solve.right).copied().collect()
}

fn formalism_named(name: &str) -> &'static Formalism {
    formalism(name).expect("this form is in the list")
}

/// The form does not serve.
pub fn refused(form: &Formalism, reason: &str) -> Error {
    Error::new(format!("the form `{}` cannot be exported for this model: {reason}", form.name))
        .hint(format!("without `{}` the form `{EVERYWHERE}` is taken", Field::Form))
        .of(Field::Form)
}

/// Why there are no equations.
pub fn told(form: &Formalism, error: NoPhase) -> Error {
    match error {
        NoPhase::NotApplicable(reason) => refused(form, &reason),
        NoPhase::Broken(reason) => Error::new(reason),
    }
}

fn unbound(Unbound(name): Unbound) -> Error {
    Error::new(format!("`{name}` is not determined by the equations, so no code can compute it"))
}
