//! A steady motion as expressions of the parameters.
//!
//! ```text
//! R = 0, G = 0, u' = 0      linear in q'' and λ: without them rows in q and q' are left          (1)
//! (1), h = 0, f = 0, e = 0  solved exactly; of several branches the one that the numbers are on  (2)
//! ```
//!
//! What is zero in numbers is tried as zero first: the rows (2) say whether it is so for all values of the symbols.

use engine::Progress;
use expr::{At, Expr, Substitution};
use linear::arithmetic::Arithmetic;
use mechanics::Found;

use super::Trouble;
use super::bench::Bench;
use super::equations::{By, Of};
use super::matrix::{Valued, Valuing};
use super::symbolic::snapped;

/// What is smaller in numbers may be zero.
const SMALL: f64 = 1e-11;
/// Numbers of a branch and of the state agree so well.
const SAME: f64 = 1e-7;

/// Time, coordinates and rates of the steady motion as expressions of the symbols.
pub fn steady(
    bench: &Bench<'_>,
    parameters: &Substitution,
    at: &At,
    progress: &mut dyn Progress,
) -> Result<Substitution, Trouble> {
    let mut reason = String::new();
    for zeros in [true, false] {
        match Attempt::new(bench, parameters, at, zeros).and_then(|attempt| attempt.solved(progress)) {
            Ok(map) => {
                // accelerations follow
                let second = |symbol: &Expr| symbol.as_symbol().is_some_and(|symbol| symbol.order > 1);
                return Ok(map.into_iter().filter(|(symbol, _)| !second(symbol)).collect());
            }
            Err(why) => reason = why,
        }
    }
    Err(Trouble::NoAnswer(format!("the steady motion is not known in closed form: {reason}")))
}

struct Attempt<'a> {
    bench: &'a Bench<'a>,
    /// The steady motion in numbers.
    at: &'a At,
    /// What is known.
    map: Substitution,
    /// Coordinates and rates that are still open, with their numbers.
    open: Vec<(Expr, f64)>,
    /// Rows (2).
    rows: Vec<Expr>,
}

impl<'a> Attempt<'a> {
    fn new(bench: &'a Bench<'a>, parameters: &Substitution, at: &'a At, zeros: bool) -> Result<Attempt<'a>, String> {
        let (equations, start, state) = (&bench.equations, &bench.start, &bench.state);
        let words = |error: expr::MathError| error.to_string();
        let put = |list: &[Expr], map: &Substitution| -> Result<Vec<Expr>, String> {
            let made = map.apply(list).and_then(|list| parameters.apply(&list));
            made.map_err(words)
        };
        let mut map = Substitution::from([(bench.loaded.system.time, start.time.exact.unwrap_or_else(Expr::zero))]);
        let moving = equations.moving();
        let unchanged = moving[equations.by(By::Input)].iter().zip(&state.changes).filter(|(_, x)| **x == 0.0);
        map.extend(unchanged.map(|(&change, _)| (change, Expr::zero())));
        let (mut open, mut linear) = (Vec::new(), Vec::new());
        let is_zero = |x: f64| zeros && x.abs() <= SMALL;
        for (s, (place, rate)) in start.coordinates.iter().zip(&start.rates).enumerate() {
            let runs = bench.running.contains(&s);
            let given = |value: &mechanics::StartValue| value.exact.filter(|_| value.found == Found::Given);
            match given(place) {
                Some(exact) => map.insert(place.symbol, put(&[exact], &map)?[0]),
                None if runs || is_zero(state.q[s]) => map.insert(place.symbol, snapped(state.q[s])),
                None => open.push((place.symbol, state.q[s])),
            }
            match given(rate) {
                Some(exact) => map.insert(rate.symbol, put(&[exact], &map)?[0]),
                None if !runs || is_zero(state.q_dot[s]) => map.insert(rate.symbol, Expr::zero()),
                None => open.push((rate.symbol, state.q_dot[s])),
            }
            let second = moving[equations.by(By::Acceleration)][s];
            match !runs || is_zero(state.q_ddot[s]) {
                true => map.insert(second, Expr::zero()),
                false => linear.push(second),
            }
        }
        for (one, &number) in start.states.iter().zip(&state.states) {
            match one.exact.filter(|_| one.found == Found::Given) {
                Some(exact) => map.insert(one.symbol, put(&[exact], &map)?[0]),
                None => open.push((one.symbol, number)),
            }
        }
        for (&change, &number) in moving[equations.by(By::Input)].iter().zip(&state.changes) {
            if number != 0.0 {
                open.push((change, number));
            }
        }
        linear.extend(&moving[equations.by(By::Multiplier)]);
        let of = |kind: Of| equations.list[equations.of(kind)].to_vec();
        let velocities = bench.choice.velocities.iter();
        let constant = velocities.map(|place| equations.list[equations.of(Of::ChosenRate).start + place]);
        let still = constant.chain(of(Of::Law));
        let motion: Vec<Expr> = of(Of::Motion).into_iter().chain(of(Of::Acceleration)).chain(still).collect();
        let fixed: Vec<Expr> =
            [Of::Position, Of::Velocity, Of::Further].into_iter().flat_map(|kind| of(kind).into_iter()).collect();
        let mut made = Attempt { bench, at, rows: put(&fixed, &map)?, map, open };
        made.resolve()?;
        let motion = put(&motion, &made.map)?;
        made.rows.extend(without(&motion, &linear, at)?);
        made.resolve()?;
        Ok(made)
    }

    /// Solves rows that have one open value, linearly, and drops rows that hold.
    fn resolve(&mut self) -> Result<(), String> {
        loop {
            let mut found = None;
            self.rows.retain(|row| !row.is_zero());
            for row in &self.rows {
                let inside: Vec<Expr> = row.symbols().into_iter().filter(|one| self.is_open(*one)).collect();
                if let [unknown] = inside[..]
                    && let Ok((slopes, rest)) = expr::linear_coefficients(&[*row], &[unknown])
                    && self.at.value(slopes[0][0]).abs() > SMALL
                    && let Ok(value) = (-rest[0]).try_div(slopes[0][0])
                {
                    found = Some((unknown, value));
                    break;
                }
            }
            let Some(pair) = found else { return Ok(()) };
            self.learn(&Substitution::from([pair]))?;
        }
    }

    fn is_open(&self, symbol: Expr) -> bool {
        self.open.iter().any(|one| one.0 == symbol)
    }

    fn learn(&mut self, pairs: &Substitution) -> Result<(), String> {
        let put = |list: &[Expr]| pairs.apply(list).map_err(|error| error.to_string());
        self.rows = put(&self.rows)?;
        self.map = self.map.then(pairs).map_err(|error| error.to_string())?;
        self.open.retain(|one| !pairs.iter().any(|pair| pair.0 == one.0));
        Ok(())
    }

    /// (2).
    fn solved(mut self, progress: &mut dyn Progress) -> Result<Substitution, String> {
        let is_fixed = |row: &Expr| !row.symbols().iter().any(|symbol| self.is_open(*symbol));
        let is_small = |row: Expr| row.is_constant() && Valuing.size(Valued::new(row, self.at)) <= SMALL;
        if let Some(row) = self.rows.iter().find(|row| is_fixed(row) && !is_small(**row)) {
            return Err(match row.is_constant() {
                true => "rounding is left in its equations".to_owned(),
                false => format!("it exists for some values of the symbols only, where {} = 0", row.brief()),
            });
        }
        self.rows.retain(|row| !row.is_constant());
        if self.open.is_empty() {
            return Ok(self.map);
        }
        let unknowns: Vec<Expr> = self.open.iter().map(|one| one.0).collect();
        let known = statics::known(self.bench.loaded, &self.bench.mode, &self.rows, &unknowns);
        progress.begins("solving in letters");
        let found = algebra::solve_while(&self.rows, &unknowns, &known, &mut |share| progress.reached(share));
        let found = found.map_err(|obstacle| obstacle.to_string())?;
        let misses = |(unknown, value): &(Expr, Expr)| {
            let number = self.open.iter().find(|one| one.0 == *unknown).map_or(f64::NAN, |one| one.1);
            let difference = (self.at.value(*value) - number).abs();
            // an angle may be told a turn away
            difference.min((difference - std::f64::consts::TAU).abs()) / number.abs().max(1.0)
        };
        let is_here = |branch: &&algebra::Branch| branch.values.iter().all(|pair| misses(pair) <= SAME);
        let branch = found.branches.iter().find(is_here).ok_or("no exact solution is that of the numbers")?;
        if let Some(free) = branch.free.first() {
            return Err(format!("`{free}` may have any value"));
        }
        let values = branch.values.clone();
        self.learn(&values)?;
        Ok(self.map)
    }
}

/// The rows without the unknowns that they are linear in (1).
fn without(rows: &[Expr], unknowns: &[Expr], at: &At) -> Result<Vec<Expr>, String> {
    let (matrix, rest) = expr::linear_coefficients(rows, unknowns).map_err(|error| error.to_string())?;
    let valued = |list: &Vec<Expr>| -> Vec<Valued> { list.iter().map(|&e| Valued::new(e, at)).collect() };
    let (mut matrix, mut rest): (Vec<Vec<Valued>>, Vec<Valued>) = (matrix.iter().map(valued).collect(), valued(&rest));
    for k in 0..unknowns.len() {
        let largest = |row: &Vec<Valued>| row.iter().fold(0.0_f64, |size, x| size.max(Valuing.size(*x)));
        let weight = |row: &Vec<Valued>| Valuing.size(row[k]) / largest(row).max(f64::MIN_POSITIVE);
        let best = (0..matrix.len()).max_by(|&i, &j| weight(&matrix[i]).total_cmp(&weight(&matrix[j])));
        let Some(place) = best.filter(|&place| weight(&matrix[place]) > SMALL) else { continue };
        let (head, constant) = (matrix.swap_remove(place), rest.swap_remove(place));
        for (row, value) in matrix.iter_mut().zip(&mut rest).filter(|(row, _)| !Valuing.is_nothing(row[k])) {
            let factor = Valuing.minus(Valuing.over(row[k], head[k]));
            row.iter_mut().zip(&head).for_each(|(x, y)| *x = Valuing.plus(*x, Valuing.times(factor, *y)));
            row[k] = Valuing.zero();
            *value = Valuing.plus(*value, Valuing.times(factor, constant));
        }
    }
    // a multiplier that is left has no number: the rows do not fix it
    match matrix.iter().flatten().all(|&x| Valuing.is_nothing(x)) {
        true => Ok(rest.into_iter().map(|left| left.e).collect()),
        false => Err("its reactions are not determined".to_owned()),
    }
}
