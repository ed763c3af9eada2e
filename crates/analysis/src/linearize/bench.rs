//! A model on the bench: its equations, the state, and the choice of independent coordinates and velocities.
//!
//! ```text
//! state → q'', λ → slopes → choice → reduced           at any state, with the choice of this one
//! running     coordinates that nothing depends on: their columns of A vanish here and nearby, and may run in a steady motion
//! ```

use linear::arithmetic::{self, Arithmetic, part, transposed};
use linear::weighed::{Weighed, Weighing, floats};
use mechanics::rows::Rows;
use mechanics::{Mode, StartReport};

use super::choice::{self, Choice, Taste};
use super::critical;
use super::equations::{By, Equations, Of, Slopes, State};
use super::reduce::{NoSecond, Reduced, Second, ignorable, reduce, second_order, states_of};
use super::steady::{self, Steady};
use super::{Linearize, Trouble, bad, opening, rough, state};
use engine::{Field, Loaded};
use expr::decimal;

/// Instants, in seconds from the state, at which it is asked whether anything has changed.
const LATER: [f64; 3] = [0.37, 4.1, 57.0];

/// Everything that is known of a model once its state is found.
pub struct Bench<'a> {
    /// The model.
    pub loaded: &'a Loaded,
    /// The start that says how values were found; its numbers are those of the first guess of a steady motion.
    pub start: StartReport,
    /// What acts.
    pub mode: Mode,
    /// Its equations.
    pub equations: Equations,
    /// Inputs whose values are solved for.
    pub solved: Vec<usize>,
    /// Whether the state is solved for as a steady motion.
    pub is_steady_wanted: bool,
    /// The coordinates that the user names.
    pub named: Vec<usize>,
    /// What is independent.
    pub choice: Choice,
    /// Coordinates that may run in a steady motion.
    pub running: Vec<usize>,
    /// A state nearby, without any symmetry, and slopes there.
    nearby: Option<(State, Slopes<Weighed>)>,
    /// Other values of all parameters: of those that are varied, and of those that follow from them.
    varied: Vec<Vec<f64>>,
    /// States with those values, here and nearby, and slopes there.
    with_varied: Vec<(State, Slopes<Weighed>)>,
    /// The state.
    pub state: State,
    /// Slopes at the state.
    pub slopes: Slopes<Weighed>,
}

impl<'a> Bench<'a> {
    /// Writes the equations, finds the state, and settles there.
    pub fn new(
        loaded: &'a Loaded,
        start: StartReport,
        mode: Mode,
        rows: &Rows,
        wanted: &Linearize,
        named: Vec<usize>,
    ) -> Result<Bench<'a>, Trouble> {
        let system = &loaded.system;
        let at = start.at(system);
        let outputs = opening::outputs(loaded, (&mode, rows), &at, &wanted.outputs)?;
        let is_steady_wanted = wanted.steady.is_some();
        let further: Vec<expr::Expr> = match is_steady_wanted {
            true => system.start.iter().filter(|one| one.left != system.time).map(|one| one.left - one.right).collect(),
            false => Vec::new(),
        };
        let stays = wanted.sweep.is_none() && wanted.critical.is_none() && wanted.symbolic.is_empty();
        let varied = critical::varied(loaded, &at, wanted);
        let values = system.parameters.iter().zip(&start.parameters).filter(|_| stays);
        let fixed: Vec<_> = values.filter_map(|(parameter, value)| Some((parameter.symbol, (*value)?))).collect();
        let solved = opening::solved(loaded, wanted)?;
        let equations = Equations::new(system, (&mode, rows), &at, outputs, &further, &fixed, &solved)?;
        let state = State::of(&start, equations.rows.len(), equations.inputs.len());
        let mut bench = Bench {
            loaded,
            start,
            mode,
            equations,
            solved,
            is_steady_wanted,
            named,
            choice: Choice { coordinates: Vec::new(), velocities: Vec::new() },
            running: Vec::new(),
            nearby: None,
            varied,
            with_varied: Vec::new(),
            state,
            slopes: Slopes { values: Vec::new(), by: Vec::new() },
        };
        bench.state = match is_steady_wanted {
            // the guess need not lie on the constraints
            true => state::projected(&bench.equations, &bench.state).unwrap_or_else(|| bench.state.clone()),
            false => bench.state.clone(),
        };
        let there = state::accelerated(&bench.equations, &bench.state);
        if !is_steady_wanted {
            bench.refuse_rough(there.as_ref().unwrap_or(&bench.state))?;
        }
        bench.settle(there.map_err(Trouble::NoAnswer)?)?;
        if is_steady_wanted {
            // the choice belongs to the state that is found
            let found = bench.steady(&bench.state)?;
            bench.refuse_rough(&found)?;
            bench.settle(found)?;
        }
        Ok(bench)
    }

    /// Refuses a state at which something bends, jumps or has an infinite slope.
    fn refuse_rough(&self, state: &State) -> Result<(), Trouble> {
        match rough::refusal(self.loaded, &self.mode, &self.equations, state) {
            Some(reason) => Err(Trouble::NoAnswer(reason)),
            None => Ok(()),
        }
    }

    /// Makes a state the one of this bench: what is independent there, and what runs.
    pub fn settle(&mut self, state: State) -> Result<(), Trouble> {
        self.slopes = self.equations.slopes(&state);
        self.look_around(&state);
        self.vary(&state);
        self.choice = self.chosen(&self.slopes)?;
        self.running.clear();
        self.running = self.runs(&state)?;
        self.state = state;
        Ok(())
    }

    fn chosen(&self, slopes: &Slopes<Weighed>) -> Result<Choice, Trouble> {
        let taste = Taste { system: &self.loaded.system, start: &self.start, named: &self.named };
        let choice = choice::choose(&self.equations, slopes, &taste).map_err(Trouble::NoAnswer)?;
        for &s in &self.named {
            let name = &self.equations.names[s];
            let has_rate = choice.velocities.iter().any(|&place| self.equations.velocities[place].rate_of == Some(s));
            if !choice.coordinates.contains(&s) || !has_rate {
                let free: Vec<&str> = choice
                    .velocities
                    .iter()
                    .filter_map(|&place| Some(self.equations.names[self.equations.velocities[place].rate_of?].as_str()))
                    .collect();
                let message = format!("`{name}` is not free at this state: the constraints and the other names fix it");
                return Err(bad(&message, &format!("independent there are {}", free.join(", "))));
            }
        }
        Ok(choice)
    }

    /// The linear equations at the state.
    pub fn here(&self) -> Result<Reduced<Weighed>, Trouble> {
        self.reduced_by(&self.slopes)
    }

    /// The linear equations at a state, with the choice of this one.
    pub fn reduced(&self, state: &State) -> Result<Reduced<Weighed>, Trouble> {
        self.reduced_by(&self.equations.slopes(state))
    }

    pub fn reduced_by(&self, slopes: &Slopes<Weighed>) -> Result<Reduced<Weighed>, Trouble> {
        let mut reduced = reduce(&Weighing, &self.equations, slopes, &self.choice, true).map_err(Trouble::NoAnswer)?;
        let (M, C, K, F) = (&mut reduced.M, &mut reduced.C, &mut reduced.K, &mut reduced.F);
        [M, C, K, F, &mut reduced.A, &mut reduced.B].into_iter().for_each(|matrix| without_faint(matrix));
        let n_I = self.choice.coordinates.len();
        for (place, s) in self.choice.coordinates.iter().enumerate() {
            if !self.running.contains(s) {
                continue;
            }
            let runs = |row: usize| row < n_I && self.running.contains(&self.choice.coordinates[row]);
            reduced.K.iter_mut().for_each(|row| row[place] = Weighed::ZERO);
            let rows = reduced.A.iter_mut().enumerate().filter(|(row, _)| !runs(*row));
            rows.for_each(|(_, row)| row[place] = Weighed::ZERO);
        }
        Ok(reduced)
    }

    /// Takes the slopes at a state nearby without any symmetry, and notes which coordinates stand in no equation there.
    fn look_around(&mut self, state: &State) {
        const FAINT: f64 = 1e-12;
        let Some(there) = state::nearby(&self.equations, state, 7) else { return };
        let slopes = self.equations.slopes(&there);
        let places: Vec<usize> = [Of::Motion, Of::Velocity, Of::Position, Of::Law]
            .into_iter()
            .flat_map(|of| self.equations.of(of))
            .collect();
        let absent = |s: usize| {
            places.iter().all(|&row| {
                let row = &slopes.by[row];
                row[s].value.abs() <= FAINT * row.iter().fold(0.0_f64, |size, x| size.max(x.value.abs()))
            })
        };
        self.equations.absent = (0..self.equations.n()).map(absent).collect();
        self.nearby = Some((there, slopes));
    }

    /// Takes the slopes with other values of what is varied, at a state and nearby, where they exist.
    fn vary(&mut self, state: &State) {
        let equations = &self.equations;
        let with = |parameters: &Vec<f64>| {
            let there = State { parameters: parameters.clone(), ..state.clone() };
            let here = state::projected(equations, &there).and_then(|there| state::accelerated(equations, &there).ok());
            [here, state::nearby(equations, &there, 7)]
        };
        let states: Vec<State> = self.varied.iter().flat_map(with).flatten().collect();
        let is_finite = |one: &(State, Slopes<Weighed>)| one.1.by.iter().flatten().all(|x| x.value.is_finite());
        let steep = |there: State| (there.clone(), equations.slopes(&there));
        self.with_varied = states.into_iter().map(steep).filter(is_finite).collect();
    }

    /// The coordinates that nothing depends on: neither at the state nor anywhere near, nor with other values of what is
    /// varied.
    fn runs(&self, state: &State) -> Result<Vec<usize>, Trouble> {
        let count = self.choice.coordinates.len();
        let kept: Vec<usize> = self
            .choice
            .coordinates
            .iter()
            .enumerate()
            .filter(|(_, s)| self.named.contains(s))
            .map(|(k, _)| k)
            .collect();
        let A = self.without_noise(state, &self.slopes)?;
        let mut found = ignorable(&Weighing, &A, count, &kept);
        // nearby, and whatever the values of what is varied are
        let places = self.nearby.iter().chain(&self.with_varied);
        let others: Vec<_> = places.filter_map(|(there, slopes)| self.without_noise(there, slopes).ok()).collect();
        for there in &others {
            let also = ignorable(&Weighing, there, count, &kept);
            found.retain(|place| also.contains(place));
        }
        // what was taken out must still feel only what was taken out
        let all: Vec<_> = std::iter::once(&A).chain(&others).collect();
        loop {
            let rest: Vec<usize> = (0..A.len()).filter(|i| !found.contains(i)).collect();
            let is_felt = |j: usize| rest.iter().any(|&i| all.iter().any(|A| !Weighing.is_nothing(A[i][j])));
            match found.iter().position(|&j| is_felt(j)) {
                Some(place) => found.remove(place),
                None => break,
            };
        }
        Ok(found.into_iter().map(|place| self.choice.coordinates[place]).collect())
    }

    /// The steady motion near a state.
    pub fn steady(&self, from: &State) -> Result<State, Trouble> {
        let open = steady::Open { pinned: &self.running, solved: &self.solved };
        match steady::steady(&self.equations, &self.choice, open, from) {
            Steady::Found(state) => Ok(state),
            Steady::Missing(names) => {
                let list: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                let message =
                    format!("these values do not fix a steady motion: {} can still be chosen", list.join(", "));
                let first = names.first().map_or("", String::as_str);
                let hint = format!("give one more of them beside those in `{}`, as in `{first} = 0`", Field::Steady);
                Err(bad(&message, &hint).of(Field::Steady))
            }
            Steady::None(left) => {
                let how =
                    if left.is_finite() { format!(" (the best misses by {})", decimal(left)) } else { String::new() };
                Err(Trouble::NoAnswer(format!(
                    "no steady motion with these values was found near the start{how}; the search begins at the start: \
                     `{}` moves it",
                    Field::Set
                )))
            }
        }
    }

    /// The states of A without coordinates that nothing depends on, as places in x.
    pub fn kept(&self, reduced: &Reduced<Weighed>) -> Vec<usize> {
        let count = self.choice.coordinates.len();
        let of_output: Vec<bool> = match self.equations.outputs.is_empty() {
            true => vec![false; count],
            false => {
                let all = self.measured(&self.state, reduced).0;
                (0..count).map(|j| all.iter().any(|row| !Weighing.is_nothing(row[j]))).collect()
            }
        };
        let is_out = |place: &usize| *place < count && self.running.contains(&self.choice.coordinates[*place]);
        let mut out: Vec<usize> = (0..reduced.A.len()).filter(|place| is_out(place) && !of_output[*place]).collect();
        loop {
            let rest: Vec<usize> = (0..reduced.A.len()).filter(|i| !out.contains(i)).collect();
            match out.iter().position(|&j| rest.iter().any(|&i| !Weighing.is_nothing(reduced.A[i][j]))) {
                Some(place) => out.remove(place),
                None => return rest,
            };
        }
    }

    /// How many states x has.
    pub fn size(&self) -> usize {
        self.choice.coordinates.len() + self.choice.velocities.len() + self.equations.states.len()
    }

    pub fn name_of_state(&self, place: usize) -> String {
        let (count, moving) =
            (self.choice.coordinates.len(), self.choice.coordinates.len() + self.choice.velocities.len());
        match place {
            _ if place < count => self.equations.names[self.choice.coordinates[place]].clone(),
            _ if place < moving => self.equations.velocities[self.choice.velocities[place - count]].name.clone(),
            _ => self.equations.states[place - moving].clone(),
        }
    }

    /// Places of coordinates in q_I, and of their rates in u, for a second-order form.
    pub fn second_places(&self, named: &[usize]) -> Option<(Vec<usize>, Vec<usize>)> {
        let of_q = |s: &usize| self.choice.coordinates.iter().position(|one| one == s);
        let of_u = |s: &usize| {
            let velocities = &self.equations.velocities;
            self.choice.velocities.iter().position(|&place| velocities[place].rate_of == Some(*s))
        };
        Some((named.iter().map(of_q).collect::<Option<_>>()?, named.iter().map(of_u).collect::<Option<_>>()?))
    }

    /// The second-order form in the named coordinates.
    pub fn second<T: Copy>(
        &self,
        with: &impl Arithmetic<Number = T>,
        reduced: &Reduced<T>,
        named: &[usize],
    ) -> Result<Second<T>, Trouble> {
        if self.equations.orders.contains(&2) {
            return Err(Trouble::NoAnswer(
                "a constraint of second order leaves no second-order form in independent coordinates".to_owned(),
            ));
        }
        if let Some(state) = self.equations.states.first() {
            let message = format!("with the state `{state}` there is no second-order form in coordinates");
            let hint = format!("leave out `{}`: A has all states", Field::Coordinates);
            return Err(bad(&message, &hint).of(Field::Coordinates));
        }
        let places = self.second_places(named);
        let (of_q, of_u) =
            places.ok_or_else(|| Trouble::NoAnswer("the rates of some coordinates are not free".to_owned()))?;
        let names = || named.iter().map(|&s| self.equations.names[s].as_str()).collect::<Vec<_>>().join(",");
        second_order(with, reduced, &of_q, &of_u).map_err(|why| match why {
            NoSecond::Coordinate(j) => {
                let other = &self.equations.names[self.choice.coordinates[j]];
                let more = Field::Coordinates.asked(format_args!("{},{other}", names()));
                bad(
                    &format!("the equations of {} depend on `{other}` too", names()),
                    &format!("name it as well: `{more}`"),
                )
                .of(Field::Coordinates)
            }
            NoSecond::Velocity(j) => {
                let velocity = &self.equations.velocities[self.choice.velocities[j]];
                let hint = match velocity.rate_of {
                    Some(s) => {
                        let more = format!("{},{}", names(), self.equations.names[s]);
                        format!("name it as well: `{}`", Field::Coordinates.asked(more))
                    }
                    None => format!("leave out `{}`: A has all states", Field::Coordinates),
                };
                let message =
                    format!("`{}` is coupled with {}, and its equation cannot be integrated", velocity.name, names());
                bad(&message, &hint).of(Field::Coordinates)
            }
            NoSecond::Singular => Trouble::NoAnswer("the mass matrix is singular at this state".to_owned()),
        })
    }

    /// y = C x + D u for all of x: slopes of the outputs along the motion.
    pub fn measured(
        &self,
        state: &State,
        reduced: &Reduced<Weighed>,
    ) -> (arithmetic::Rows<Weighed>, arithmetic::Rows<Weighed>) {
        if self.equations.outputs.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let (equations, slopes) = (&self.equations, self.equations.slopes(state));
        let block = |of: Of, by: By| equations.block(&slopes, of, by);
        let (n_I, inputs) = (self.choice.coordinates.len(), equations.inputs.len());
        let width = reduced.A.len();
        let widened: Vec<Vec<Weighed>> = reduced
            .N
            .iter()
            .map(|row| row.iter().copied().chain((n_I..width).map(|_| Weighed::ZERO)).collect())
            .collect();
        let along = |of: Of| {
            let by_q = Weighing.product(&block(of, By::Q), &widened, width);
            let by_rate = Weighing.product(&block(of, By::Rate), &reduced.rates, width);
            let by_second = Weighing.product(&block(of, By::Acceleration), &reduced.accelerations.0, width);
            let own = block(of, By::State).into_iter().map(|row| {
                let before = (row.len()..width).map(|_| Weighed::ZERO);
                before.chain(row.clone()).collect()
            });
            let moved = Weighing.sum(&Weighing.sum(&by_q, &by_rate), &by_second);
            Weighing.sum(&moved, &own.collect::<Vec<Vec<Weighed>>>())
        };
        let by_input = |of: Of| {
            let by_q = Weighing.product(&block(of, By::Q), &reduced.driven.0, inputs);
            let by_rate = Weighing.product(&block(of, By::Rate), &reduced.driven.1, inputs);
            let by_second = Weighing.product(&block(of, By::Acceleration), &reduced.accelerations.1, inputs);
            let moved = Weighing.sum(&Weighing.sum(&by_q, &by_rate), &by_second);
            Weighing.sum(&block(of, By::Input), &moved)
        };
        let (mut C, mut D) = (along(Of::Output), by_input(Of::Output));
        let by_lambda = block(Of::Output, By::Multiplier);
        if by_lambda.iter().flatten().any(|&x| !Weighing.is_nothing(x)) {
            // Aᵀ δλ = δ(E − Q − Aᵀλ) with λ held: A Aᵀ δλ = A δR
            let A = block(Of::Acceleration, By::Acceleration);
            let gram = Weighing.product(&A, &transposed(&A, equations.n()), A.len());
            let right: Vec<Vec<Weighed>> = along(Of::Motion)
                .iter()
                .zip(by_input(Of::Motion))
                .map(|(x, u)| x.iter().copied().chain(u).collect())
                .collect();
            if let Some(lambda) = Weighing.solve(gram, Weighing.product(&A, &right, width + inputs)) {
                let columns = |from: usize, to: usize| -> Vec<Vec<Weighed>> {
                    lambda.iter().map(|row| row[from..to].to_vec()).collect()
                };
                C = Weighing.sum(&C, &Weighing.product(&by_lambda, &columns(0, width), width));
                D = Weighing.sum(&D, &Weighing.product(&by_lambda, &columns(width, width + inputs), inputs));
            }
        }
        (C, D)
    }

    /// The matrix whose spectrum is asked for at another state, with the same choice as here.
    pub fn matrix(&self, state: &State, is_named: bool, kept: &[usize]) -> Result<linear::Matrix, Trouble> {
        let reduced = self.reduced(state)?;
        if is_named {
            let second = self.second(&Weighing, &reduced, &self.named)?;
            let (A, _) = states_of(&Weighing, &second)
                .ok_or_else(|| Trouble::NoAnswer("the mass matrix is singular".to_owned()))?;
            return Ok(floats(&A, A.len()));
        }
        Ok(floats(&part(&reduced.A, kept, kept), kept.len()))
    }

    /// What changes at a state, though it would not in a steady motion.
    pub fn unsteady(&self, state: &State, kept: &[usize]) -> Vec<String> {
        let values = self.equations.values(state);
        let first = self.equations.of(Of::ChosenRate).start;
        let scale = state.q_ddot.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        let mut reasons = Vec::new();
        for &place in &self.choice.velocities {
            let value = values[first + place];
            if value.abs() > 1e-9 * scale {
                let name = &self.equations.velocities[place].name;
                reasons.push(format!("{name}' = {}", decimal(value)));
            }
        }
        let size = state.q_dot.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        for &place in kept.iter().filter(|&&place| place < self.choice.coordinates.len()) {
            let s = self.choice.coordinates[place];
            if self.running.contains(&s) {
                continue;
            }
            let value = state.q_dot[s];
            if value.abs() > 1e-9 * size {
                reasons.push(format!("{}' = {}", self.equations.names[s], decimal(value)));
            }
        }
        for (name, place) in self.equations.states.iter().zip(self.equations.of(Of::Law)) {
            let size = state.states.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
            if values[place].abs() > 1e-9 * size {
                reasons.push(format!("{name}' = {}", decimal(values[place])));
            }
        }
        reasons
    }

    /// Is the motion steady? If not, a note says why.
    pub fn note_motion(&self, kept: &[usize], notes: &mut Vec<String>) -> bool {
        let mut reasons = self.unsteady(&self.state, kept);
        if reasons.is_empty() && self.changes(kept) {
            reasons.push("the equations change with time".to_owned());
        }
        if reasons.is_empty() {
            return true;
        }
        notes.push(format!(
            "this state is no steady motion ({}): the matrices hold at this instant",
            reasons.join(", ")
        ));
        false
    }

    /// Does A change on the way, or begin velocities to change, although coordinates that matter and velocities stay?
    fn changes(&self, kept: &[usize]) -> bool {
        // what will switch may be far off
        let switches = self.equations.has_time && rough::switches_with(self.loaded.system.time, &self.equations.list);
        switches || LATER.iter().any(|&later| self.changes_until(kept, later))
    }

    fn changes_until(&self, kept: &[usize], later: f64) -> bool {
        let mut moved = self.state.clone();
        moved.t += later;
        moved.q.iter_mut().zip(&self.state.q_dot).for_each(|(x, rate)| *x += later * rate);
        let stands = |s: usize| self.equations.absent[s] || moved.q[s] == self.state.q[s];
        if !self.equations.has_time && (0..moved.q.len()).all(stands) {
            return false;
        }
        let Some(moved) = self.with_velocities_of_state(moved) else { return false };
        let Ok(there) = state::accelerated(&self.equations, &moved) else { return false };
        let first = self.equations.of(Of::ChosenRate).start;
        let (rates, laws) = (self.equations.values(&there), self.equations.of(Of::Law));
        let scale = there.q_ddot.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        let places = self.choice.velocities.iter().map(|place| first + place).chain(laws);
        if places.into_iter().any(|place| rates[place].abs() > 1e-7 * scale) {
            return true;
        }
        let (Ok(now), Ok(then)) = (self.here(), self.reduced(&there)) else { return false };
        let (now, then) = (part(&now.A, kept, kept), part(&then.A, kept, kept));
        let size = now.iter().flatten().fold(0.0_f64, |size, x| size.max(x.value.abs()));
        now.iter().flatten().zip(then.iter().flatten()).any(|(a, b)| (a.value - b.value).abs() > 1e-7 * size)
    }

    /// A state on the constraints with the same independent velocities.
    fn with_velocities_of_state(&self, moved: State) -> Option<State> {
        let first = self.equations.of(Of::Chosen).start;
        let wanted = self.equations.values(&self.state);
        let mut moved = state::projected(&self.equations, &moved)?;
        for _ in 0..20 {
            let slopes = self.equations.slopes(&moved);
            let rows = self.equations.of(Of::Velocity).chain(self.choice.velocities.iter().map(|place| first + place));
            let columns = self.equations.by(By::Rate);
            let (mut matrix, mut right) = (Vec::new(), Vec::new());
            for row in rows {
                matrix.push(slopes.by[row][columns.clone()].iter().map(|x| x.value).collect::<Vec<f64>>());
                let goal = if row >= first { wanted[row] } else { 0.0 };
                right.push(goal - slopes.values[row].value);
            }
            let error = right.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
            if error <= 1e-12 {
                break;
            }
            let step = linear::solve::evaluated(matrix, &right).ok()?;
            moved.q_dot.iter_mut().zip(step).for_each(|(x, d)| *x += d);
        }
        Some(moved)
    }
}

/// Entries that may be rounding are zero: of their own terms, or of a state such as sin(pi), beside what stands in the
/// same row. An entry that is alone in its row is compared with its column: other rows may be those of other masses.
pub fn without_faint(matrix: &mut [Vec<Weighed>]) {
    const FAINT: f64 = 1e-11;
    const NOTHING: f64 = 1e-15;
    let size = |size: f64, x: &Weighed| size.max(x.value.abs());
    let rows: Vec<f64> = matrix.iter().map(|row| row.iter().fold(0.0, size)).collect();
    let width = matrix.first().map_or(0, Vec::len);
    let columns: Vec<f64> = (0..width).map(|j| matrix.iter().map(|row| &row[j]).fold(0.0, size)).collect();
    for (row, in_row) in matrix.iter_mut().zip(rows) {
        let is_alone = row.iter().filter(|x| x.value != 0.0).count() == 1;
        for (x, in_column) in row.iter_mut().zip(&columns) {
            let beside = if is_alone { in_row.max(*in_column) } else { in_row };
            if x.value.abs() <= (FAINT * x.size).max(NOTHING * beside) {
                *x = Weighed::ZERO;
            }
        }
    }
}
