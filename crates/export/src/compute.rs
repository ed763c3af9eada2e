//! Which numbers are functions of the state, computed by the engine itself and not by code in another language?
//!
//! ```text
//! (t, y, p) → rhs | accelerations | multipliers | mass matrix | … | an expression of the model        y = (q, q', a)
//! ```
//!
//! What is made owns its program: it needs no model any more, and threads share it.

use std::ops::Range;
use std::sync::Mutex;

use engine::{Error, Field, Loaded};
use expr::Expr;
use mechanics::formalism::Formalism;
use mechanics::ingredients::Ingredients;
use motion::bridge::{Equations, everything};
use numeric::{Function, Part, Problem, Solve, Trouble, Work};

use crate::maker::{EVERYWHERE, rate_name, refused, told};
use crate::sparse::Sparse;

/// What is asked of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compute {
    /// What is computed: one of [`QUANTITIES`], something that the model observes, or an expression.
    pub what: String,
    /// The form of the equations; that with multipliers if not said.
    pub form: Option<String>,
    /// The parameters and inputs that are arguments; the others have the values of the model.
    pub parameters: Vec<String>,
}

/// What can be computed by name.
pub const QUANTITIES: [&str; 8] =
    ["rhs", "accelerations", "multipliers", "mass_matrix", "bias", "residual", "energy", "jacobian"];

/// A function made ready.
pub struct Computed {
    /// What it computes.
    pub what: String,
    /// The coordinates, their rates, then states of first order: what the state is made of.
    pub state: Vec<String>,
    /// The parameters that are arguments.
    pub parameters: Vec<String>,
    /// Their values in the model.
    pub values: Vec<f64>,
    /// What each output means; of a matrix, its rows.
    pub outputs: Vec<String>,
    /// The shape of what it gives at one state.
    pub shape: Vec<usize>,
    function: Function,
    /// Whether accelerations come from sparse equations, which need fewer operations than the dense ones.
    pub is_sparse: bool,
    /// Room that a call leaves for the next.
    rooms: Mutex<Vec<Room>>,
    /// The inputs along which slopes are wanted in place of the values.
    along: Option<Range<usize>>,
}

/// Room to compute a function in; it belongs to that function.
pub struct Room(Box<Work>);

/// States at which a function is computed: rows of one shape, or one row for all.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// How many.
    pub count: usize,
    /// The time: one, or one for each.
    pub t: &'a [f64],
    /// The states, one after the other.
    pub y: &'a [f64],
    /// The parameters: one row, or one for each.
    pub p: &'a [f64],
}

/// Why there are no numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// An input is no finite number.
    Input(String),
    /// The model has no answer at a place.
    NoAnswer(String),
    /// Somebody wished to stop.
    Stopped,
}

/// So many places are computed before somebody is asked whether to go on.
const CHUNK: usize = 1024;

impl Computed {
    /// How many numbers there are at one state.
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }

    /// The derivatives by time, state or parameters, one column each, in place of the values: exact, nothing is differenced.
    pub fn slopes(&self, by: By) -> Result<Computed, Error> {
        let n = self.state.len();
        let along = match by {
            By::Time => 0..1,
            By::State => 1..1 + n,
            By::Parameters => 1 + n..self.function.inputs(),
        };
        if self.along.is_some() {
            return Err(Error::new("second derivatives are not there"));
        }
        if !self.function.has_slopes() {
            return Err(Error::new("rows that depend on others share their loads: no slope of that is known"));
        }
        Ok(Computed {
            what: format!("slopes of {}", self.what),
            state: self.state.clone(),
            parameters: self.parameters.clone(),
            values: self.values.clone(),
            outputs: self.outputs.clone(),
            shape: self.shape.iter().copied().chain([along.len()]).collect(),
            function: self.function.clone(),
            is_sparse: self.is_sparse,
            rooms: Mutex::default(),
            along: Some(along),
        })
    }

    /// How many instructions lead to the numbers at one state, without those that solve equations.
    pub fn length(&self) -> usize {
        self.function.length()
    }

    /// Room to compute in: a call that brings its own waits for nobody.
    pub fn room(&self) -> Room {
        Room(Box::new(self.function.work()))
    }

    /// How many operations lead to the numbers at one state, about, with those that solve equations.
    pub fn cost(&self) -> usize {
        self.function.cost()
    }

    /// The numbers at all places, those of one after those of the other. `goes_on` is asked from time to time.
    pub fn at(&self, places: Places<'_>, to: &mut [f64], goes_on: &mut dyn FnMut() -> bool) -> Result<(), Failed> {
        let left = self.rooms.lock().ok().and_then(|mut rooms| rooms.pop());
        let mut room = left.unwrap_or_else(|| self.room());
        let done = self.at_in(&mut room, places, to, goes_on);
        if let Ok(mut rooms) = self.rooms.lock() {
            rooms.push(room);
        }
        done
    }

    /// The same in a room that this function gave.
    pub fn at_in(
        &self,
        room: &mut Room,
        places: Places<'_>,
        to: &mut [f64],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), Failed> {
        let (size, work) = (self.size(), &mut *room.0);
        let rows = |numbers: &[f64], width: usize| if numbers.len() > width { width } else { 0 };
        let part = |numbers, width, step| Part { numbers, width, step };
        let (n, m) = (self.state.len(), self.parameters.len());
        let inputs = [part(places.t, 1, rows(places.t, 1)), part(places.y, n, n), part(places.p, m, rows(places.p, m))];
        let mut last = 0;
        while last < places.count {
            let first = last;
            last = (first + CHUNK).min(places.count);
            let is_fine = |part: &Part<'_>| {
                let length = (last - first - 1) * part.step + part.width;
                are_finite(&part.numbers[first * part.step..][..length])
            };
            if !inputs.iter().all(is_fine) {
                return Err(self.not_finite(&inputs, first..last));
            }
            let to = &mut to[first * size..last * size];
            self.computed(first..last, &inputs, work, to).map_err(|(k, trouble)| self.trouble(k, trouble))?;
            if last < places.count && !goes_on() {
                return Err(Failed::Stopped);
            }
        }
        Ok(())
    }

    fn computed(
        &self,
        places: Range<usize>,
        inputs: &[Part<'_>],
        work: &mut Work,
        to: &mut [f64],
    ) -> Result<(), (usize, Trouble)> {
        let Some(along) = &self.along else { return self.function.values_of(places, inputs, work, to) };
        let mut row = Vec::with_capacity(self.function.inputs());
        for (place, to) in places.zip(to.chunks_exact_mut(self.size().max(1))) {
            row.clear();
            row.extend(inputs.iter().flat_map(|part| part.at(place)));
            self.function.slopes(&row, along.clone(), work, to).map_err(|trouble| (place, trouble))?;
        }
        Ok(())
    }

    /// Which input is not finite.
    fn not_finite(&self, inputs: &[Part<'_>; 3], mut places: Range<usize>) -> Failed {
        let names = ["t"].into_iter().chain(self.state.iter().chain(&self.parameters).map(String::as_str));
        let names: Vec<&str> = names.collect();
        let one = |place: usize| {
            let mut row = inputs.iter().flat_map(|part| part.at(place)).zip(&names);
            row.find(|(x, _)| !x.is_finite()).map(|(x, name)| (place, *x, *name))
        };
        let Some((place, value, name)) = places.find_map(one) else { unreachable!("one of them is not finite") };
        Failed::Input(format!("`{name}` is {value} at place {place}: a finite number is needed"))
    }

    fn trouble(&self, place: usize, trouble: Trouble) -> Failed {
        let why = match trouble {
            Trouble::NotFinite => "a number is not finite there",
            Trouble::Singular => "the equations are singular there, so that the accelerations are not determined",
            Trouble::Sticky => "two switches stick at once there",
            Trouble::Forked => "a switch could have come from either side there",
        };
        Failed::NoAnswer(format!("there is no `{}` at place {place}: {why}", self.what))
    }
}

/// Whether all are: x − x is zero for these alone. Several sums at once, so that none waits for the other.
fn are_finite(numbers: &[f64]) -> bool {
    if numbers.len() < 64 {
        return numbers.iter().all(|x| x.is_finite());
    }
    let mut sums = [0.0; 8];
    let (blocks, rest) = numbers.as_chunks::<8>();
    for block in blocks {
        sums.iter_mut().zip(block).for_each(|(sum, x)| {
            // not a number where x is infinite
            let x = *x;
            *sum += x * 0.0;
        });
    }
    sums == [0.0; 8] && rest.iter().all(|x| x.is_finite())
}

/// What slopes are taken along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The time.
    Time,
    /// The state.
    State,
    /// The parameters that are arguments.
    Parameters,
}

/// Makes a function ready.
pub fn compute(loaded: &Loaded, wanted: &Compute) -> Result<Computed, Error> {
    let what = wanted.what.trim();
    let is_known = QUANTITIES.contains(&what) || loaded.system.observes.iter().any(|one| one.name == what);
    if is_known {
        return made(loaded, wanted, what, what);
    }
    if what.contains(['\n', '#']) || what.is_empty() {
        return Err(Error::new("an expression stands on one line, without remarks").of(Field::Expression));
    }
    let mut settings = loaded.settings.clone();
    settings.with.push((Field::Expression.to_string(), format!("observe asked_for = {what}\n")));
    let near =
        syntax::nearest(what, QUANTITIES.into_iter().chain(loaded.system.observes.iter().map(|one| &one.name[..])));
    let other = engine::load(&settings).map_err(|error| match near {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error,
    })?;
    made(&other, wanted, what, "asked_for")
}

fn made(loaded: &Loaded, wanted: &Compute, what: &str, name: &str) -> Result<Computed, Error> {
    let _in = loaded.enter();
    crate::refuse::refuse(loaded)?;
    let form = wanted.form.as_deref().map_or_else(|| engine::forms::known(EVERYWHERE), engine::forms::known)?;
    if form.stranger {
        return Err(refused(form, "its multipliers have equations of their own, and a start that nobody gives"));
    }
    let rows = engine::forms::rows(loaded, &loaded.mode, &loaded.at)?;
    let given = Ingredients::of(&loaded.system, &loaded.mode, &rows, loaded.kind(), &loaded.at);
    let quantity = Quantity::of(loaded, &given, name)?;
    let arguments = arguments(loaded, &wanted.parameters)?;
    let symbols: Vec<Expr> = arguments.iter().map(|one| one.1).collect();
    let is_free = |symbol: &Expr| !symbols.contains(symbol);
    let parameters = loaded.system.parameters.iter().zip(&loaded.start.parameters);
    let fixed = parameters.filter_map(|(one, value)| Some((one.symbol, (*value)?)));
    let fixed: Vec<(Expr, f64)> = fixed.filter(|one| is_free(&one.0)).collect();
    let lagging = loaded.system.state_symbols();
    let state = given.q.iter().chain(&given.q_dot).chain(&lagging);
    let inputs: Vec<Expr> = [loaded.system.time].iter().chain(state).chain(&symbols).copied().collect();
    let function = |solves: &[Solve], defined: &[(Expr, Expr)]| {
        let defined: Vec<(Expr, Expr)> = defined.iter().filter(|one| is_free(&one.0)).copied().collect();
        // what comes later than all that is asked for, such as multipliers behind a reduced form, is not solved
        let made = |count: usize| Function::new(&inputs, &fixed, &defined, &solves[..count], &quantity.values);
        (0..solves.len()).find_map(|count| made(count).ok()).map_or_else(|| made(solves.len()), Ok)
    };
    let dense = || {
        let problem = problem(form, &given)?;
        function(&[&problem.solves[..], &problem.later].concat(), &problem.defined)
            .map_err(|unbound| Error::new(format!("`{what}` cannot be computed: {unbound}")))
    };
    let sparse = if form.name == EVERYWHERE { Sparse::of(&given)? } else { None };
    let sparse = sparse.and_then(|sparse| {
        let made = function(std::slice::from_ref(&sparse.solve), &sparse.defined).ok()?;
        Some((sparse, made))
    });
    let (function, is_sparse) = match sparse {
        None => (dense()?, false),
        Some((sparse, made)) => match sparse.pays(&made, dense)? {
            Ok(()) => (made, true),
            Err(dense) => (dense, false),
        },
    };
    let names = loaded.system.coordinates.iter().map(|one| one.name.clone());
    let rates = loaded.system.coordinates.iter().map(|one| format!("{}'", one.name));
    let computed = Computed {
        what: if name == "jacobian" { "rhs".to_owned() } else { what.to_owned() },
        state: names.chain(rates).chain(loaded.system.states.iter().map(|one| one.name.clone())).collect(),
        values: symbols.iter().map(|&symbol| loaded.at.value(symbol)).collect(),
        parameters: arguments.into_iter().map(|one| one.0).collect(),
        outputs: quantity.names,
        shape: quantity.shape,
        function,
        is_sparse,
        rooms: Mutex::default(),
        along: None,
    };
    if name == "jacobian" { computed.slopes(By::State) } else { Ok(computed) }
}

/// The equations of a form.
fn problem(form: &'static Formalism, given: &Ingredients<'_>) -> Result<Problem, Error> {
    let closed = form.closed(given).map_err(|error| refused(form, &error.to_string()))?;
    Ok(Equations::of(&closed, given).map_err(|error| told(form, error))?.problem)
}

/// The parameters and inputs of these names.
fn arguments(loaded: &Loaded, names: &[String]) -> Result<Vec<(String, Expr)>, Error> {
    let system = &loaded.system;
    let all = || {
        let parameters = system.parameters.iter().map(|one| (&one.name, one.symbol));
        parameters.chain(system.inputs.iter().map(|one| (&one.name, one.symbol)))
    };
    let mut found: Vec<(String, Expr)> = Vec::with_capacity(names.len());
    for name in names {
        let Some((name, symbol)) = all().find(|one| one.0 == name) else {
            let error = Error::new(format!("`{name}` is no parameter and no input")).of(Field::Parameters);
            let known: Vec<&str> = all().map(|one| one.0.as_str()).collect();
            return Err(match syntax::nearest(name, known.iter().copied()) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error.hint(format!("there are {}", known.join(", "))),
            });
        };
        if found.iter().any(|one| one.0 == *name) {
            return Err(Error::new(format!("`{name}` is named twice")).of(Field::Parameters));
        }
        found.push((name.clone(), symbol));
    }
    Ok(found)
}

/// What is computed: names, expressions and the shape of both.
struct Quantity {
    names: Vec<String>,
    values: Vec<Expr>,
    shape: Vec<usize>,
}

impl Quantity {
    fn list(names: Vec<String>, values: Vec<Expr>) -> Quantity {
        let shape = vec![values.len()];
        Quantity { names, values, shape }
    }

    fn of(loaded: &Loaded, given: &Ingredients<'_>, what: &str) -> Result<Quantity, Error> {
        let coordinates = &loaded.system.coordinates;
        let names = |dots: &str| coordinates.iter().map(|c| format!("{}{dots}", c.name)).collect::<Vec<_>>();
        Ok(match what {
            "rhs" | "jacobian" => {
                let laws = loaded.system.states.iter().map(|one| (format!("{}'", one.name), one.rate));
                let (mut all, mut values) =
                    ([names("'"), names("''")].concat(), [&given.q_dot[..], &given.q_ddot].concat());
                laws.for_each(|(name, law)| {
                    all.push(name);
                    values.push(law);
                });
                Quantity::list(all, values)
            }
            "accelerations" => Quantity::list(names("''"), given.q_ddot.clone()),
            "multipliers" => {
                let rows = everything(given.rows).list;
                let (names, values) = rows.iter().map(|row| (row.name.clone(), row.lambda)).unzip();
                Quantity::list(names, values)
            }
            "mass_matrix" => {
                let n = coordinates.len();
                Quantity { names: names(""), values: mass_and_bias(given)?.0.concat(), shape: vec![n, n] }
            }
            "bias" => Quantity::list(names(""), mass_and_bias(given)?.1),
            "residual" => {
                let rows = &given.rows.list;
                let geometric = rows.iter().filter(|row| row.order == 0).map(|row| (row.name.clone(), row.f));
                let rates = rows.iter().filter_map(|row| Some((rate_name(row), row.velocity?)));
                let (names, values) = geometric.chain(rates).unzip();
                Quantity::list(names, values)
            }
            "energy" => {
                let energy = mechanics::balance::energy(given).map_err(Error::new)?;
                let values = given.thawed(&[energy]).map_err(Error::new)?;
                Quantity { names: vec!["energy".to_owned()], values, shape: Vec::new() }
            }
            _ => observed(loaded, given, what)?,
        })
    }
}

/// What the model observes by this name: a number, or a vector.
fn observed(loaded: &Loaded, given: &Ingredients<'_>, what: &str) -> Result<Quantity, Error> {
    let found = engine::observe::observed(loaded, given).into_iter().find(|one| one.0 == what);
    let Some((name, values)) = found else {
        let reasons = engine::observe::unobserved(loaded, given);
        let prefix = format!("`{what}` is not shown: ");
        let reason = reasons.iter().find_map(|reason| reason.strip_prefix(&prefix));
        return Err(Error::new(reason.unwrap_or("it does not follow from the model")).of(Field::Expression));
    };
    Ok(match values.len() {
        1 => Quantity { names: vec![name], values, shape: Vec::new() },
        _ => Quantity::list(["x", "y", "z"].map(|axis| format!("{name}.{axis}")).to_vec(), values),
    })
}

/// M and h in M q'' + h = Aᵀ λ.
fn mass_and_bias(given: &Ingredients<'_>) -> Result<(Vec<Vec<Expr>>, Vec<Expr>), Error> {
    let form = |error: mechanics::form::FormError| Error::new(error);
    let inertia = given.thawed(given.E().map_err(form)?).map_err(Error::new)?;
    let forces = given.thawed(given.Q().map_err(form)?).map_err(Error::new)?;
    let (mass, rest) = expr::linear_coefficients(&inertia, &given.q_ddot)
        .map_err(|error| Error::new(format!("the inertia is not linear in the accelerations: {error}")))?;
    let bias = rest.iter().zip(&forces).map(|(&rest, &force)| rest - force).collect();
    Ok((mass, bias))
}
