//! How are routines made from the equations of a model?

use expr::Expr;
use mechanics::form::Form;
use mechanics::formalism::{Formalism, formalism};
use mechanics::ingredients::Ingredients;
use mechanics::rows::Row;
use mechanics::{Found, StartValue};
use motion::bridge::{Equations, NoPhase};
use motion::{Units, becomes_true};
use numeric::{Direction, Problem, Structure};

use engine::{Error, Field, Loaded};

use crate::along::along;
use crate::lower::{Lowering, Unbound};
use crate::unit::{Event, Level, Naming, labelled};
use crate::value::{Answer, Made, Part, Routine, Sort};
use crate::{Export, Parameters};

/// The form that needs no choice of independent rates: it serves wherever the constraints do.
pub const EVERYWHERE: &str = "multipliers";

/// What routines are made from.
pub struct Maker<'a> {
    /// The model.
    pub loaded: &'a Loaded,
    /// What equations are made of.
    pub given: &'a Ingredients<'a>,
    units: &'a Units,
    /// What symbols are called.
    pub naming: Naming,
    formalism: &'static Formalism,
    /// The form that was asked for.
    pub form: Form,
    /// The equations of the form that was asked for.
    pub problem: Problem,
    /// Those with multipliers.
    pub full: Problem,
}

impl<'a> Maker<'a> {
    /// Everything that routines are made from.
    pub fn new(
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
    pub fn recipes(&self) -> Result<[dynamics::Recipe; 2], Error> {
        let of = |one: &'static Formalism| {
            let wrong = |error: dynamics::NoNumbers| refused(one, &format!("{error:?}"));
            dynamics::Recipe::of(one, self.given).map_err(wrong)
        };
        Ok([of(self.formalism)?, of(formalism_named(EVERYWHERE))?])
    }

    /// A routine that answers with these expressions; linear equations are solved where they are needed.
    pub fn make(
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
            let (matrix, turned) = mirrored(&solve.matrix);
            steps = lowering(&[flat.clone(), matrix.concat(), solve.right.clone()].concat());
            let pivots = pivots(self.loaded.at.matrix(&matrix));
            steps.solve(&matrix, &solve.right, &solve.unknowns, (pivots, turned))?;
        }
        for (answer, values) in &answers {
            steps.put(answer.array, values)?;
        }
        let routine = Routine {
            name,
            says: says.iter().map(|&line| line.to_owned()).collect(),
            answers: answers.into_iter().map(|one| one.0).collect(),
            steps: steps.finish(),
            sort: Sort::Values,
        };
        Ok(Made { routine, answers: flat, by_form: name == "rhs" })
    }

    /// The right-hand side.
    pub fn rhs(&self) -> Result<Made, Error> {
        let coordinates = &self.loaded.system.coordinates;
        let first = coordinates.iter().map(|c| labelled(&format!("{}'", c.name), &self.units.of_coordinate(c, 1)));
        let second = coordinates.iter().map(|c| labelled(&format!("{}''", c.name), &self.units.of_coordinate(c, 2)));
        let states = &self.loaded.system.states;
        let third = states.iter().map(|state| labelled(&format!("{}'", state.name), &self.units.of_state(state, 1)));
        let answer = Answer::list("dy", first.chain(second).chain(third).collect());
        let laws = states.iter().map(|state| state.rate);
        let values = self.given.q_dot.iter().chain(&self.given.q_ddot).copied().chain(laws).collect();
        let says = match states.is_empty() {
            true => ["The right-hand side dy = y': rates, then accelerations."],
            false => ["The right-hand side dy = y': rates, accelerations, then the rates of states of first order."],
        };
        self.make("rhs", &says, &self.problem, vec![(answer, values)]).map_err(unbound)
    }

    /// How the right-hand side changes along a direction, and its slopes as matrices.
    pub fn linear(&self, rhs: &Routine, inputs: &[String]) -> (Routine, Vec<Routine>) {
        let dy = &rhs.answers[0];
        let columns = |name, says: &str, array, part, count| Routine {
            name,
            says: vec![says.to_owned()],
            answers: vec![Answer { entries: Vec::new(), ..Answer::matrix(array, dy.rows, count) }],
            steps: Vec::new(),
            sort: Sort::Columns("rhs_along", part),
        };
        let says = "The slopes A of rhs by the state, row by row: z' = A z near a motion.";
        let mut made = vec![columns("linear", says, "A", Part::State, dy.rows)];
        let more = inputs.len() - dy.rows;
        if more > 0 {
            let says = "The slopes B of rhs by parameters and inputs, row by row.";
            made.push(columns("linear_p", says, "B", Part::Parameters, more));
        }
        (along(rhs, "rhs_along", inputs), made)
    }

    /// Mass matrix and bias.
    pub fn masses(&self) -> Result<[Made; 2], Error> {
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

    /// What is left of the constraints.
    pub fn residual(&self) -> Result<Made, Error> {
        let rows = &self.given.rows.list;
        let geometric = rows.iter().filter(|row| row.order == 0).map(|row| (row.name.clone(), row.f));
        let rates = rows.iter().filter_map(|row| Some((rate_name(row), row.velocity?)));
        let (names, values): (Vec<String>, Vec<Expr>) = geometric.chain(rates).unzip();
        let says = ["What is left of the constraints: geometric rows f(q, t), then all rows on rates."];
        self.make("residual", &says, &self.full, vec![(Answer::list("r", names), values)]).map_err(unbound)
    }

    /// The multipliers.
    pub fn reactions(&self) -> Result<Made, Error> {
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

    /// What the event functions mean.
    pub fn meanings(&self) -> Result<Vec<Event>, Error> {
        let of = |event: &mechanics::Event| {
            let (_, direction, _) = becomes_true(self.loaded, self.given, &event.when, event.span)
                .map_err(|error| told(self.formalism, error))?;
            let way = match direction {
                Direction::Up => 1,
                Direction::Down => -1,
                Direction::Any => 0,
            };
            Ok(Event { stops: event.stops, way })
        };
        self.loaded.system.events.iter().map(of).collect()
    }

    /// The event functions.
    pub fn events(&self) -> Result<Option<Made>, Error> {
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
    pub fn inputs(&self) -> Result<Option<Made>, Error> {
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

    /// What the model observes.
    pub fn observes(&self, remarks: &mut Vec<String>) -> Result<Made, Error> {
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

    /// What the projection needs.
    pub fn levels(&self) -> Result<Vec<(Level, Routine)>, Error> {
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

/// Which values of the first state follow from equations.
pub fn solved(list: &[StartValue]) -> Vec<bool> {
    list.iter().map(|one| one.found == Found::Solved).collect()
}

/// What the row is called where its rate is meant.
pub fn rate_name(row: &Row) -> String {
    if row.order == 0 { format!("d/dt {}", row.name) } else { row.name.clone() }
}

/// The row that each step of elimination takes, where the largest entry is taken.
fn pivots(mut rows: Vec<Vec<f64>>) -> Vec<usize> {
    let mut taken = Vec::with_capacity(rows.len());
    for k in 0..rows.len() {
        let best = (k..rows.len()).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs()).then(b.cmp(&a)));
        let best = best.unwrap_or(k);
        taken.push(best);
        rows.swap(k, best);
        let (above, below) = rows.split_at_mut(k + 1);
        for row in below.iter_mut().filter(|row| row[k] != 0.0) {
            let factor = row[k] / above[k][k];
            row.iter_mut().zip(&above[k]).skip(k).for_each(|(x, y)| *x -= factor * y);
        }
    }
    taken
}

/// The matrix with each entry below the diagonal written as the one above that it is equal to or the opposite of, and which rows are
/// such opposites; the matrix as it is where it has no such symmetry.
fn mirrored(matrix: &[Vec<Expr>]) -> (Vec<Vec<Expr>>, Option<Vec<bool>>) {
    let mut turned = Vec::with_capacity(matrix.len());
    for (i, row) in matrix.iter().enumerate() {
        let all = |test: &dyn Fn(Expr, Expr) -> bool| (0..i).all(|j| test(row[j], matrix[j][i]));
        let (is_equal, is_opposite) = (all(&|a, b| a.is_same(b)), || all(&|a, b| (a + b).is_zero()));
        match is_equal || row[i] == Expr::zero() && is_opposite() {
            true => turned.push(!is_equal),
            false => return (matrix.to_vec(), None),
        }
    }
    // what stands above the diagonal keeps its sign
    let fits = |i: usize, j: usize| !turned[i] || matrix[i][j] == Expr::zero();
    let size = matrix.len();
    if !(0..size).all(|i| (i + 1..size).all(|j| fits(i, j))) {
        return (matrix.to_vec(), None);
    }
    let mut made = matrix.to_vec();
    for i in 0..size {
        for j in 0..i {
            made[i][j] = if turned[i] { -matrix[j][i] } else { matrix[j][i] };
        }
    }
    (made, Some(turned))
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

/// Why there are no numbers, in words.
pub fn reason(error: &dynamics::NoNumbers) -> &str {
    match error {
        dynamics::NoNumbers::NotApplicable(why)
        | dynamics::NoNumbers::Undetermined(why)
        | dynamics::NoNumbers::NoState(why) => why,
    }
}

/// What the equations leave open.
pub fn unbound(Unbound(name): Unbound) -> Error {
    Error::new(format!("`{name}` is not determined by the equations, so no code can compute it"))
}
