//! What is told of the linear equations: matrices in the states that are asked for, modes, stability.

use linear::arithmetic::{Arithmetic, part};
use linear::eigen::{self, cleaned};
use linear::rank::reduce as rank;
use linear::side::{Judged, Side, judged};
use linear::tolerance::{RANK, ROUNDING};
use linear::vector::unit;
use linear::weighed::{Weighed, Weighing, floats, sizes};
use linear::{Matrix, Scale};

use super::bench::{Bench, without_faint};
use super::choice::{self, Taste};
use super::reduce::{Reduced, Second, reduce, second_order, states_of};
use super::{Growth, Linearization, Linearize, Mode, Trouble, bad};
use engine::{Field, Ordered};
use expr::decimal;

/// The linear equations in the states that are told.
struct Stated {
    /// Names of the states.
    states: Vec<String>,
    A: Matrix,
    /// The errors of A.
    errors: Matrix,
    /// B for all inputs; nothing if an input changes a velocity that was eliminated.
    B: Option<Matrix>,
    /// C of all outputs.
    C_out: Vec<Vec<f64>>,
    /// The coordinates of M, C and K.
    coordinates: Vec<usize>,
    /// M, C and K.
    second: Option<[Vec<Vec<f64>>; 3]>,
}

/// M, C and K.
type OfSecondOrder = [Vec<Vec<f64>>; 3];

impl Bench<'_> {
    /// Tells the linear equations in the states that are asked for, their modes, and what is to be noted.
    pub fn answer(
        &self,
        reduced: &Reduced<Weighed>,
        wanted: &Linearize,
        mut notes: Vec<String>,
    ) -> Result<Linearization, Trouble> {
        let equations = &self.equations;
        let inputs = self.inputs(&wanted.inputs)?;
        let (C_all, D_all) = self.measured(&self.state, reduced);
        let kept = self.kept(reduced);
        let Stated { states, A, errors, B, C_out, coordinates, second } = match self.named.is_empty() {
            false => self.state_by_names(reduced, &C_all, !inputs.is_empty(), &mut notes)?,
            true => self.state_all(reduced, &C_all, &kept, &mut notes),
        };
        let values = solve_spectrum(&A, &errors)?;
        let is_steady = self.note_motion(&kept, &mut notes);
        let ignorable = self.name_ignorable(reduced, &kept);
        let still = null_space(&A);
        note_growth(&values, &still, &mut notes);
        note_resonance(&A, &values, &mut notes);
        note_doubt(&values, &mut notes);
        let columns = |matrix: Matrix| -> Vec<Vec<f64>> {
            matrix.iter().map(|row| inputs.iter().map(|&k| row[k]).collect()).collect()
        };
        let [M, C, K] = second.map_or([None, None, None], |three| three.map(Some));
        Ok(Linearization {
            model: self.loaded.file.clone(),
            title: self.loaded.system.title.clone(),
            at: self.named_state(),
            steady: is_steady,
            modes: modes(&A, &values, &still),
            stability: if is_steady { stability(&values) } else { Growth::Undecided },
            zero_modes: list_zero_modes(&ignorable, &states, &still),
            ignorable,
            coordinates: coordinates.iter().map(|&s| equations.names[s].clone()).collect(),
            M,
            C,
            K,
            inputs: inputs.iter().map(|&k| equations.inputs[k].clone()).collect(),
            B: if inputs.is_empty() { None } else { B.map(columns) },
            outputs: equations.outputs.clone(),
            C_out: (!equations.outputs.is_empty()).then_some(C_out),
            D: (!equations.outputs.is_empty() && !inputs.is_empty())
                .then(|| columns(floats(&D_all, equations.inputs.len()))),
            eigenvalues: values.iter().map(|one| one.value).collect(),
            states,
            A: A.to_rows(),
            periodic: None,
            critical: Vec::new(),
            sweep: None,
            symbolic: None,
            notes,
        })
    }

    /// States the equations in the coordinates that the user names, and their rates.
    fn state_by_names(
        &self,
        reduced: &Reduced<Weighed>,
        C_all: &[Vec<Weighed>],
        has_inputs: bool,
        notes: &mut Vec<String>,
    ) -> Result<Stated, Trouble> {
        let equations = &self.equations;
        let form = self.second(&Weighing, reduced, &self.named)?;
        let (a, b) = states_of(&Weighing, &form)
            .ok_or_else(|| Trouble::NoAnswer("the mass matrix is singular at this state".to_owned()))?;
        let names = self.named.iter().map(|&s| equations.names[s].clone());
        let states = names.clone().chain(names.map(|name| format!("{name}'"))).collect::<Vec<_>>();
        if form.F.is_none() && has_inputs {
            notes.push(format!(
                "an input changes a velocity that was eliminated: B needs all states, without `{}`",
                Field::Coordinates
            ));
        }
        self.note_eliminated(&form, notes);
        let all: Vec<usize> = (0..equations.outputs.len()).collect();
        Ok(Stated {
            A: floats(&a, states.len()),
            errors: errors_of(&a, states.len()),
            B: form.F.is_some().then(|| floats(&b, equations.inputs.len())),
            C_out: self.measured_in(&form, C_all, &all)?,
            coordinates: self.named.clone(),
            second: Some(in_numbers(&form)),
            states,
        })
    }

    /// Notes the velocities that a second-order form eliminates.
    fn note_eliminated(&self, form: &Second<Weighed>, notes: &mut Vec<String>) {
        if form.eliminated.is_empty() {
            return;
        }
        let name = |place: usize| format!("`{}`", self.equations.velocities[self.choice.velocities[place]].name);
        let list: Vec<String> = form.eliminated.iter().map(|one| name(one.0)).collect();
        let verb = if list.len() == 1 { "is eliminated by its momentum" } else { "are eliminated by their momenta" };
        notes.push(format!("{} {verb}, whose constants do not change the eigenvalues", list.join(", ")));
    }

    /// States the equations in all states but those that nothing depends on.
    fn state_all(
        &self,
        reduced: &Reduced<Weighed>,
        C_all: &[Vec<Weighed>],
        kept: &[usize],
        notes: &mut Vec<String>,
    ) -> Stated {
        let equations = &self.equations;
        let inputs: Vec<usize> = (0..equations.inputs.len()).collect();
        let outputs: Vec<usize> = (0..equations.outputs.len()).collect();
        let (coordinates, second) = self.find_second(kept, notes);
        Stated {
            states: kept.iter().map(|&place| self.name_of_state(place)).collect(),
            A: floats(&part(&reduced.A, kept, kept), kept.len()),
            errors: errors_of(&part(&reduced.A, kept, kept), kept.len()),
            B: Some(floats(&part(&reduced.B, kept, &inputs), inputs.len())),
            C_out: floats(&part(C_all, &outputs, kept), kept.len()).to_rows(),
            coordinates,
            second,
        }
    }

    /// Looks for a second-order form in the coordinates that are kept, or with those that nothing depends on.
    fn find_second(&self, kept: &[usize], notes: &mut Vec<String>) -> (Vec<usize>, Option<OfSecondOrder>) {
        if !self.equations.states.is_empty() {
            notes.push(
                "with first-order states there is no second-order form in coordinates: A and B say everything"
                    .to_owned(),
            );
            return (Vec::new(), None);
        }
        let all = &self.choice.coordinates;
        let some: Vec<usize> = kept.iter().filter(|&&place| place < all.len()).map(|&place| all[place]).collect();
        if let Some(found) = self.without_names(&some) {
            return (some, Some(found));
        }
        if let Some(found) = self.without_names(all) {
            return (all.clone(), Some(found));
        }
        notes.push(format!(
            "M, C and K are not told: all coordinates together have no second-order form; `{}` may name some that have one",
            Field::Coordinates
        ));
        (Vec::new(), None)
    }

    /// Names what nothing depends on: states that are left out, or coordinates that may run.
    fn name_ignorable(&self, reduced: &Reduced<Weighed>, kept: &[usize]) -> Vec<String> {
        let ignored = (0..reduced.A.len()).filter(|place| !kept.contains(place));
        match self.named.is_empty() {
            true => ignored.map(|place| self.name_of_state(place)).collect(),
            false => self.running.iter().map(|&s| self.equations.names[s].clone()).collect(),
        }
    }

    /// The second-order form in coordinates that nobody named, if there is one.
    fn without_names(&self, coordinates: &[usize]) -> Option<[Vec<Vec<f64>>; 3]> {
        if coordinates.is_empty() {
            return None;
        }
        let slopes = &self.slopes;
        let taste = Taste { system: &self.loaded.system, start: &self.start, named: coordinates };
        let choice = choice::choose(&self.equations, slopes, &taste).ok()?;
        let mut reduced = reduce(&Weighing, &self.equations, slopes, &choice, false).ok()?;
        [&mut reduced.M, &mut reduced.C, &mut reduced.K].into_iter().for_each(|matrix| without_faint(matrix));
        let of_q = coordinates.iter().map(|s| choice.coordinates.iter().position(|one| one == s));
        let rate = |s: &usize| choice.velocities.iter().position(|&v| self.equations.velocities[v].rate_of == Some(*s));
        let places = (of_q.collect::<Option<Vec<_>>>()?, coordinates.iter().map(rate).collect::<Option<Vec<_>>>()?);
        if self.equations.orders.contains(&2) {
            return None;
        }
        let form = second_order(&Weighing, &reduced, &places.0, &places.1).ok()?;
        Some(in_numbers(&form))
    }

    /// Outputs in the states of a second-order form.
    fn measured_in(
        &self,
        form: &Second<Weighed>,
        C_all: &[Vec<Weighed>],
        outputs: &[usize],
    ) -> Result<Vec<Vec<f64>>, Trouble> {
        let (of_q, of_u) = self.second_places(&self.named).unwrap_or_default();
        let n_I = self.choice.coordinates.len();
        let mut rows = Vec::new();
        for &output in outputs {
            let row = &C_all[output];
            let known: Vec<usize> = of_q
                .iter()
                .copied()
                .chain(of_u.iter().chain(form.eliminated.iter().map(|one| &one.0)).map(|k| n_I + k))
                .collect();
            if let Some(place) =
                (0..row.len()).find(|place| !known.contains(place) && !Weighing.is_nothing(row[*place]))
            {
                let message = format!(
                    "the output `{}` depends on `{}`",
                    self.equations.outputs[output],
                    self.name_of_state(place)
                );
                let hint = format!("leave out `{}`: then it is among the states", Field::Coordinates);
                return Err(bad(&message, &hint).of(Field::Coordinates));
            }
            let through = |k: usize, is_rate: bool| {
                let own = row[if is_rate { n_I + of_u[k] } else { of_q[k] }];
                form.eliminated.iter().fold(own, |sum, (place, by_q, by_u)| {
                    Weighing.plus(sum, Weighing.times(row[n_I + place], if is_rate { by_u[k] } else { by_q[k] }))
                })
            };
            let count = self.named.len();
            rows.push((0..2 * count).map(|k| through(k % count, k >= count).value).collect());
        }
        Ok(rows)
    }

    /// The places of the inputs that are asked for.
    fn inputs(&self, names: &[String]) -> Result<Vec<usize>, Trouble> {
        let all = &self.equations.inputs;
        if names.is_empty() {
            return Ok((0..all.len()).collect());
        }
        let place = |name: &String| {
            all.iter().position(|one| one == name).ok_or_else(|| {
                let hint = match (syntax::nearest(name, all.iter().map(String::as_str)), all.is_empty()) {
                    (Some(near), _) => format!("did you mean `{near}`?"),
                    (None, true) => "the model has no inputs: declare one, as in `input F : N = 0`".to_owned(),
                    (None, false) => format!("the inputs are {}", all.join(", ")),
                };
                bad(&format!("there is no input `{name}`"), &hint).of(Field::Inputs)
            })
        };
        names.iter().map(place).collect()
    }

    fn named_state(&self) -> Ordered<f64> {
        let q = self.equations.names.iter().cloned().zip(self.state.q.iter().copied());
        let rates = self.equations.names.iter().map(|name| format!("{name}'")).zip(self.state.q_dot.iter().copied());
        let states = self.equations.states.iter().cloned().zip(self.state.states.iter().copied());
        let solved = self.solved.iter().map(|&k| (self.equations.inputs[k].clone(), self.state.changes[k]));
        let all = [("t".to_owned(), self.state.t)].into_iter().chain(q).chain(rates).chain(states).chain(solved);
        all.map(|(name, x)| (name, x + 0.0)).collect()
    }
}

/// M, C and K without the sizes of their terms.
fn in_numbers(form: &Second<Weighed>) -> [Vec<Vec<f64>>; 3] {
    [&form.M, &form.C, &form.K].map(|matrix| floats(matrix, form.M.len()).to_rows())
}

/// The errors of entries.
fn errors_of(a: &[Vec<Weighed>], columns: usize) -> Matrix {
    let sizes = sizes(a, columns);
    Matrix::from_fn(sizes.rows(), columns, |i, j| ROUNDING.at(sizes[i][j]))
}

/// The eigenvalues of A, each on its side of the axis as far as the errors of A leave no doubt.
fn solve_spectrum(A: &Matrix, errors: &Matrix) -> Result<Vec<Judged>, Trouble> {
    let values = judged(A, errors).ok_or_else(|| {
        Trouble::NoAnswer("the eigenvalues cannot be computed: a matrix has no finite entries".to_owned())
    })?;
    Ok(values.into_iter().map(|one| Judged { value: cleaned(one.value, one.size), ..one }).collect())
}

/// Notes that a real part is smaller than its error.
fn note_doubt(values: &[Judged], notes: &mut Vec<String>) {
    let is_doubtful = |one: &&Judged| one.side == Side::Axis && one.value[0] != 0.0 && !is_zero(one);
    if !values.iter().any(|one| one.side == Side::Right)
        && let Some(one) = values.iter().rev().find(is_doubtful)
    {
        notes.push(format!(
            "the real part {} of an eigenvalue is smaller than its error: it counts as zero",
            decimal(one.value[0])
        ));
    }
}

fn is_zero(one: &Judged) -> bool {
    eigen::is_zero(one.value, one.size)
}

/// Notes that zero has fewer modes than it is multiple.
fn note_growth(values: &[Judged], still: &[Vec<f64>], notes: &mut Vec<String>) {
    let zeros = values.iter().filter(|one| is_zero(one)).count();
    if zeros > still.len() {
        notes.push(
            "a zero eigenvalue has fewer modes than it is multiple: some deviations grow in proportion to time"
                .to_owned(),
        );
    }
}

/// Notes that an eigenvalue i w on the axis has fewer modes than it is multiple. Its modes a + i b are the null space of
/// (A a + w b, A b − w a); where several are close and none is in their middle, they are distinct.
fn note_resonance(A: &Matrix, values: &[Judged], notes: &mut Vec<String>) {
    const CLOSE: f64 = 1e-6;
    let is_on_axis = |one: &&Judged| one.side == Side::Axis && !is_zero(one) && one.value[1] > 0.0;
    let mut waiting: Vec<f64> = values.iter().filter(is_on_axis).map(|one| one.value[1]).collect();
    waiting.sort_by(f64::total_cmp);
    let n = A.rows();
    while let Some(last) = waiting.pop() {
        let mut alike = vec![last];
        while waiting.last().is_some_and(|next| last - next <= CLOSE * last) {
            alike.extend(waiting.pop());
        }
        if alike.len() == 1 {
            continue;
        }
        let w = alike.iter().sum::<f64>() / alike.len() as f64;
        let turned = |i: usize, j: usize| match (i < n, j < n) {
            (true, true) => A[i][j],
            (false, false) => A[i - n][j - n],
            (true, false) => {
                if i == j - n {
                    w
                } else {
                    0.0
                }
            }
            (false, true) => {
                if i - n == j {
                    -w
                } else {
                    0.0
                }
            }
        };
        let modes = null_space(&Matrix::from_fn(2 * n, 2 * n, turned)).len() / 2;
        if modes > 0 && modes < alike.len() {
            notes.push(format!(
                "the eigenvalue {} i has fewer modes than it is multiple: some deviations grow in proportion to time",
                decimal(w)
            ));
        }
    }
}

/// The modes of zero: what nothing depends on, one by one, then the null space of A.
fn list_zero_modes(ignorable: &[String], states: &[String], still: &[Vec<f64>]) -> Vec<Ordered<f64>> {
    let alone = ignorable.iter().map(|name| Ordered(vec![(name.clone(), 1.0)]));
    let together = still.iter().map(|vector| {
        let parts = states.iter().cloned().zip(vector.iter().copied()).filter(|(_, x)| x.abs() > 1e-9);
        parts.collect()
    });
    alone.chain(together).collect()
}

/// One mode for each real eigenvalue and each pair; those of zero are a basis of the null space, as far as it goes.
fn modes(A: &Matrix, values: &[Judged], still: &[Vec<f64>]) -> Vec<Mode> {
    let mut still = still.iter();
    let upper = values.iter().filter(|one| one.value[1] >= 0.0);
    let mode = |one: &Judged| {
        let value = one.value;
        let length = value[0].hypot(value[1]);
        let along = |vector: &Vec<f64>| Some(unit(vector)?.into_iter().map(|x| [x, 0.0]).collect());
        let is_zero = is_zero(one);
        Mode {
            eigenvalue: value,
            frequency: (value[1] > 0.0).then_some(length),
            damping: (!is_zero).then(|| -value[0] / length),
            vector: if is_zero { still.next().and_then(along) } else { eigen::vector(A, value) },
        }
    };
    upper.map(mode).collect()
}

fn stability(values: &[Judged]) -> Growth {
    match () {
        () if values.iter().any(|one| one.side == Side::Right && !is_zero(one)) => Growth::Unstable,
        () if values.is_empty() || values.iter().any(|one| one.side != Side::Left || is_zero(one)) => Growth::Neutral,
        () => Growth::Stable,
    }
}

/// A basis of the solutions of A v = 0.
fn null_space(A: &Matrix) -> Vec<Vec<f64>> {
    let Ok(found) = rank(A, &[], Scale::RowsAndColumns, RANK) else { return Vec::new() };
    let scaled = |vector: &[f64]| {
        let largest = vector.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(1.0);
        vector.iter().map(|x| x / largest).collect()
    };
    found.null_vectors().iter().map(scaled).collect()
}
