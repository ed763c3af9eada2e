//! The static equations in numbers: values, slopes, and what solves them near a place.
//!
//! ```text
//! z = (q, λ, loads)      F(z) = 0 at every instant that is looked at       δz = −(JᵀJ + μ)⁻¹ Jᵀ F              (1)
//! ```

use expr::{Expr, Substitution};
use linear::Matrix;
use linear::least::least;
use linear::solve::eliminate;
use linear::tolerance::{LEAST, PIVOT};
use numeric::prune::Equations;
use numeric::{Interval, Measured, Real, Slope, Switches, Tape};

use super::statics::Statics;
use super::{Trouble, bad};
use engine::{Field, Loaded};

/// Derivatives along so many directions at once.
const LANES: usize = 8;

/// The equations as a program.
pub struct Program {
    /// Parameters, in their order.
    pub parameters: Vec<f64>,
    /// The instants at which the equations must hold.
    pub instants: Vec<f64>,
    /// Where all coordinates are if they are not looked for.
    pub elsewhere: Vec<f64>,
    /// The coordinates that are looked for.
    pub searched: Vec<usize>,
    /// How many rows carry multipliers.
    pub rows: usize,
    /// How many loads are looked for.
    pub loads: usize,
    /// What vanishes.
    pub names: Vec<String>,
    /// Which of them are conditions of the constraints, not balances of forces.
    pub is_condition: Vec<bool>,
    /// How large the terms of each equation are by nature.
    pub sizes: Vec<f64>,
    /// How large each unknown is by nature.
    pub scales: Vec<f64>,
    inputs: usize,
    tape: Tape,
    /// The same with the forces times a factor that is the last input: for a search among all multipliers.
    pub scaled: Option<Tape>,
}

impl Program {
    /// The program of some equations, at the values of a model.
    pub fn new(loaded: &Loaded, statics: &Statics, instants: Vec<f64>) -> Result<Program, Trouble> {
        let system = &loaded.system;
        let named = statics.equations();
        let list: Vec<Expr> = named.iter().map(|one| one.1).collect();
        let mut inputs: Vec<Expr> = system.parameters.iter().map(|parameter| parameter.symbol).collect();
        inputs.push(system.time);
        inputs.extend(&statics.q);
        inputs.extend(statics.rows.list.iter().map(|row| row.lambda));
        inputs.extend(statics.loads.iter().map(|load| load.symbol));
        let unbound = |unbound: numeric::Unbound| {
            let (solve, set) = (Field::Solve, Field::Set);
            let hint =
                format!("an `unknown` is looked for when `{solve}` names it; other values are given with `{set}`");
            bad(&unbound.to_string(), &hint)
        };
        let tape = Tape::new(&inputs, &[], &[], &[list]).map_err(unbound)?;
        let scaled = scaled(statics, &inputs).and_then(|(inputs, list)| Tape::new(&inputs, &[], &[], &[list]).ok());
        let number = |value: &mechanics::StartValue| value.number.unwrap_or(0.0);
        let unknowns = statics.searched.len() + statics.rows.list.len() + statics.loads.len();
        let mut program = Program {
            parameters: loaded.start.parameters.iter().map(|value| value.unwrap_or(f64::NAN)).collect(),
            elsewhere: loaded.start.coordinates.iter().map(number).collect(),
            searched: statics.searched.clone(),
            rows: statics.rows.list.len(),
            loads: statics.loads.len(),
            is_condition: Vec::new(),
            names: named.into_iter().map(|one| one.0).collect(),
            sizes: Vec::new(),
            scales: vec![1.0; unknowns],
            inputs: inputs.len(),
            instants,
            tape,
            scaled,
        };
        let balances = program.names.len() - statics.conditions.len();
        program.is_condition = (0..program.equations()).map(|i| i % program.names.len() >= balances).collect();
        program.sizes = vec![1.0; program.names.len() * program.instants.len()];
        Ok(program)
    }

    /// How many unknowns there are, multipliers once for each instant.
    pub fn unknowns(&self) -> usize {
        self.searched.len() + self.rows * self.instants.len() + self.loads
    }

    /// How many equations there are.
    pub fn equations(&self) -> usize {
        self.names.len() * self.instants.len()
    }

    /// The inputs of the program that are known, and where the unknown ones stand.
    pub fn places(&self) -> (Vec<(usize, Interval)>, Vec<usize>) {
        let first = self.parameters.len() + 1;
        let mut known: Vec<(usize, Interval)> =
            self.parameters.iter().enumerate().map(|(k, &value)| (k, Interval::float(value))).collect();
        known.push((self.parameters.len(), Interval::float(self.instants[0])));
        let still = (0..self.elsewhere.len()).filter(|s| !self.searched.contains(s));
        known.extend(still.map(|s| (first + s, Interval::float(self.elsewhere[s]))));
        let unknown =
            self.searched.iter().map(|&s| first + s).chain(first + self.elsewhere.len()..self.inputs).collect();
        (known, unknown)
    }

    /// Where the unknown z stands: its input, and the instants at which it does.
    fn input_of(&self, z: usize, instant: usize) -> Option<usize> {
        let (first, n, m) = (self.parameters.len() + 1, self.searched.len(), self.rows);
        match z {
            _ if z < n => Some(first + self.searched[z]),
            _ if z < n + m * self.instants.len() => {
                let (own, row) = ((z - n) / m, (z - n) % m);
                (own == instant).then_some(first + self.elsewhere.len() + row)
            }
            _ => Some(first + self.elsewhere.len() + m + (z - n - m * self.instants.len())),
        }
    }

    fn put<R: Real>(&self, memory: &mut [R], z: &[f64], instant: usize, moving: impl Fn(f64, usize) -> R) {
        let first = self.parameters.len() + 1;
        let nowhere = usize::MAX;
        self.parameters.iter().enumerate().for_each(|(k, &x)| self.tape.put(memory, k, moving(x, nowhere)));
        self.tape.put(memory, self.parameters.len(), moving(self.instants[instant], nowhere));
        self.elsewhere.iter().enumerate().for_each(|(s, &x)| self.tape.put(memory, first + s, moving(x, nowhere)));
        for (k, &x) in z.iter().enumerate() {
            if let Some(input) = self.input_of(k, instant) {
                self.tape.put(memory, input, moving(x, k));
            }
        }
    }

    /// The values, with the sizes of their terms.
    pub fn measured(&self, z: &[f64]) -> Vec<Measured> {
        let mut all = Vec::new();
        for instant in 0..self.instants.len() {
            let mut memory = self.tape.memory::<Measured>();
            self.put(&mut memory, z, instant, |x, _| Measured::float(x));
            self.tape.run(0, Switches::Free, &mut memory);
            all.extend(self.tape.outputs(0).iter().map(|&slot| memory[slot as usize]));
        }
        all
    }

    /// Values and slopes.
    pub fn slopes(&self, z: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let (mut values, mut rows) = (Vec::new(), Vec::new());
        for instant in 0..self.instants.len() {
            let mut of_instant: Vec<Vec<f64>> = vec![Vec::with_capacity(z.len()); self.names.len()];
            let mut begin = 0;
            loop {
                let mut memory = self.tape.memory::<Slope<LANES>>();
                self.put(&mut memory, z, instant, |x, k| Slope::moving(x, k.wrapping_sub(begin)));
                self.tape.run(0, Switches::Free, &mut memory);
                let lanes = (z.len() - begin).min(LANES);
                for (row, &slot) in of_instant.iter_mut().zip(self.tape.outputs(0)) {
                    row.extend(&memory[slot as usize].along[..lanes]);
                }
                if begin == 0 {
                    values.extend(self.tape.outputs(0).iter().map(|&slot| memory[slot as usize].value));
                }
                begin += LANES;
                if begin >= z.len() {
                    break;
                }
            }
            rows.extend(of_instant);
        }
        (values, rows)
    }

    /// Learns how large equations and multipliers are, from some places: in the middle of what they are there, so that a
    /// place where a force has no bound does not make all others small.
    pub fn learn(&mut self, places: &[Vec<f64>]) {
        let count = self.searched.len();
        let full = |q: &[f64]| -> Vec<f64> { q.iter().copied().chain((count..self.unknowns()).map(|_| 0.0)).collect() };
        // forces alone first, then what multipliers need to balance them
        let mut terms: Vec<Vec<f64>> = vec![Vec::new(); self.equations()];
        let mut arms: Vec<Vec<f64>> = vec![vec![0.0; self.unknowns()]; self.equations()];
        for q in places {
            let z = full(q);
            for (sizes, one) in terms.iter_mut().zip(self.measured(&z)) {
                sizes.extend(Some(one.size).filter(|size| size.is_finite() && *size > 0.0));
            }
            let (_, slopes) = self.slopes(&z);
            for (arms, row) in arms.iter_mut().zip(&slopes) {
                for (arm, entry) in arms.iter_mut().zip(row).skip(count) {
                    *arm = arm.max(if entry.is_finite() { entry.abs() } else { 0.0 });
                }
            }
        }
        let own: Vec<f64> = terms.into_iter().map(middle).collect();
        let largest = |of: &dyn Fn(usize) -> bool| {
            let size = (0..own.len()).filter(|&i| of(i)).map(|i| own[i]).fold(0.0, f64::max);
            if size > 0.0 { size } else { 1.0 }
        };
        let is_condition = |i: usize| self.is_condition[i];
        let (forces, conditions) = (largest(&|i| !is_condition(i)), largest(&is_condition));
        let unknowns = self.unknowns();
        self.scales.resize(unknowns, 1.0);
        for k in count..unknowns {
            let reach = arms.iter().map(|row| row[k]).fold(0.0, f64::max);
            self.scales[k] = if reach > 0.0 { forces / reach } else { 1.0 };
        }
        let of_multipliers = |i: usize| (count..unknowns).map(|k| arms[i][k] * self.scales[k]).fold(0.0, f64::max);
        self.sizes = (0..own.len())
            .map(|i| match (own[i] > 0.0, of_multipliers(i) > 0.0) {
                (true, _) => own[i],
                (false, true) => of_multipliers(i),
                (false, false) if is_condition(i) => conditions,
                (false, false) => forces,
            })
            .collect();
    }

    /// The multipliers and loads that balance the forces best at a place.
    pub fn with_multipliers(&self, q: &[f64]) -> Vec<f64> {
        let count = self.searched.len();
        let mut z: Vec<f64> = q.iter().copied().chain((count..self.unknowns()).map(|_| 0.0)).collect();
        if z.len() == count {
            return z;
        }
        let (values, slopes) = self.slopes(&z);
        let columns = z.len() - count;
        let scale = |k: usize| self.scales[count + k];
        let matrix: Vec<f64> = slopes
            .iter()
            .zip(&self.sizes)
            .flat_map(|(row, size)| (0..columns).map(move |k| row[count + k] * scale(k) / size).collect::<Vec<_>>())
            .collect();
        let right: Vec<f64> = values.iter().zip(&self.sizes).map(|(value, size)| -value / size).collect();
        if let Ok((found, _)) = least(&matrix, &right, &vec![1.0; columns], LEAST) {
            z[count..].iter_mut().zip(&found).enumerate().for_each(|(k, (z, x))| *z = x * scale(k));
        }
        z
    }

    /// What is left of the equations: each relative to its own terms at z, and to how much it changes where the unknowns
    /// change by their natural size.
    ///
    /// ```text
    /// |F| / (Σ|terms| + Σ |∂F/∂z| s)        s the size of z; not more than HUGE times what is natural
    /// ```
    ///
    /// The natural size alone is no measure: a force that dies away with the distance is small there, not zero.
    pub fn left(&self, z: &[f64]) -> f64 {
        const HUGE: f64 = 100.0;
        const STEEP: f64 = 1e7;
        let (_, slopes) = self.slopes(z);
        let change =
            |row: &Vec<f64>| -> f64 { row.iter().zip(&self.scales).map(|(slope, scale)| (slope * scale).abs()).sum() };
        let steep: Vec<bool> = slopes.iter().zip(&self.sizes).map(|(row, size)| change(row) > STEEP * size).collect();
        if steep.contains(&true) && self.is_torn(z, &steep) {
            return f64::INFINITY;
        }
        let of = |((one, row), size): ((Measured, &Vec<f64>), &f64)| {
            let change = Some(change(row)).filter(|change| change.is_finite()).unwrap_or(0.0);
            match one.value {
                value if value.is_nan() => f64::INFINITY,
                0.0 => 0.0,
                value => value.abs() / (one.size + change).min(HUGE * size),
            }
        };
        self.measured(z).into_iter().zip(&slopes).zip(&self.sizes).map(of).fold(0.0, f64::max)
    }

    /// Whether steep equations have another value next to z: a direction between two points that meet, not a root.
    fn is_torn(&self, z: &[f64], steep: &[bool]) -> bool {
        const NEXT: f64 = 1e-10;
        const CLEAR: f64 = 2e-3;
        let here = self.measured(z);
        (0..4_u64).any(|k| {
            let away = |j: usize| NEXT * (2.0 * super::search::somewhere(7 + 64 * k + j as u64) - 1.0);
            let next: Vec<f64> =
                z.iter().enumerate().map(|(j, x)| x + away(j) * self.scales.get(j).unwrap_or(&1.0)).collect();
            let there = self.measured(&next);
            let mut rows = here.iter().zip(&there).zip(&self.sizes).zip(steep);
            rows.any(|(((a, b), size), &steep)| steep && (a.value - b.value).abs() > CLEAR * size)
        })
    }

    /// A solution near z by (1), or nothing.
    pub fn solved(&self, z: &[f64]) -> Option<Vec<f64>> {
        const ROUNDS: usize = 80;
        const HOLDS: f64 = 1e-11;
        let mut z = z.to_vec();
        let mut damping = 1e-3;
        let mut left = self.norm(&z)?;
        for _ in 0..ROUNDS {
            let (values, slopes) = self.slopes(&z);
            if slopes.iter().flatten().any(|x| !x.is_finite()) {
                break;
            }
            let mut is_better = false;
            let mut is_tiny = false;
            for _ in 0..12 {
                let Some(step) = self.step(&values, &slopes, damping) else { break };
                let next: Vec<f64> = z.iter().zip(&step).map(|(x, d)| x + d).collect();
                is_tiny = step.iter().zip(&self.scales).all(|(d, scale)| d.abs() <= 1e-15 * scale);
                match self.norm(&next) {
                    Some(now) if now < left || (is_tiny && now <= left) => {
                        (z, left, is_better) = (next, now, true);
                        damping = (damping * 0.1).max(1e-14);
                        break;
                    }
                    _ => damping = (damping * 8.0).min(1e6),
                }
            }
            if !is_better || is_tiny {
                break;
            }
        }
        if self.left(&z) <= HOLDS { Some(z) } else { self.closer(z).filter(|z| self.left(z) <= HOLDS) }
    }

    /// Newton's method without damping from z, while its steps become shorter: towards a multiple solution they do, by a
    /// constant factor; where a force only dies away they do not.
    fn closer(&self, mut z: Vec<f64>) -> Option<Vec<f64>> {
        const ROUNDS: usize = 200;
        const NEAR: f64 = 1e-2;
        const SHORTER: f64 = 0.95;
        if self.equations() != z.len() {
            return None;
        }
        let mut last = NEAR;
        for _ in 0..ROUNDS {
            let (values, slopes) = self.slopes(&z);
            let scaled = |(row, size): (&Vec<f64>, &f64)| -> Vec<f64> {
                row.iter().zip(&self.scales).map(|(x, scale)| x * scale / size).collect()
            };
            let matrix = Matrix::of_width(z.len(), slopes.iter().zip(&self.sizes).map(scaled));
            let right: Vec<f64> = values.iter().zip(&self.sizes).map(|(value, size)| -value / size).collect();
            let Ok(step) = linear::solve(matrix, &right) else { break };
            let length = step.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            if length > SHORTER * last {
                break;
            }
            z.iter_mut().zip(&step).zip(&self.scales).for_each(|((x, d), scale)| *x += d * scale);
            last = length;
        }
        (last < NEAR).then_some(z)
    }

    /// A box around z that holds a solution, and only one, by Krawczyk's test; nothing if that is not proved.
    ///
    /// ```text
    /// z − Y F(z) + (1 − Y J(X)) (X − z)  inside X        Y = J(z)⁻¹, nearly
    /// ```
    pub fn enclosure(&self, z: &[f64]) -> Option<Vec<Interval>> {
        const ROUNDS: usize = 8;
        if self.instants.len() != 1 || self.equations() != self.unknowns() {
            return None;
        }
        let (known, unknown) = self.places();
        let equations = Equations { tape: &self.tape, known: &known, unknown: &unknown };
        let middle: Vec<Interval> = z.iter().map(|&x| Interval::point(x)).collect();
        let (values, slopes) = equations.slopes(&middle);
        let Y = linear::inverse(Matrix::from_fn(z.len(), z.len(), |i, j| slopes[i][j].middle())).ok()?;
        let sum = |row: &[f64], list: &mut dyn Iterator<Item = Interval>| {
            row.iter().zip(list).fold(Interval::point(0.0), |sum, (&y, x)| sum.add(Interval::point(y).mul(x)))
        };
        let step: Vec<Interval> = Y.iter().map(|row| sum(row, &mut values.iter().copied())).collect();
        let least = |k: usize| 1e-15 * z[k].abs().max(self.scales[k]);
        let mut radius: Vec<f64> = (0..z.len()).map(|k| 2.0 * step[k].size() + least(k)).collect();
        for _ in 0..ROUNDS {
            let part: Vec<Interval> = z.iter().zip(&radius).map(|(&x, &r)| Interval::around(x, r)).collect();
            let (_, slopes) = equations.slopes(&part);
            let next = |k: usize| {
                let away = (0..z.len()).fold(Interval::point(0.0), |all, j| {
                    let product = sum(&Y[k], &mut slopes.iter().map(|row| row[j]));
                    let left = Interval::point(if j == k { 1.0 } else { 0.0 }).sub(product);
                    all.add(left.mul(part[j].sub(middle[j])))
                });
                middle[k].sub(step[k]).add(away)
            };
            let next: Vec<Interval> = (0..z.len()).map(next).collect();
            if next.iter().any(|x| x.is_empty() || !x.is_bounded()) {
                return None;
            }
            if next.iter().zip(&part).all(|(new, old)| new.is_inside(*old)) {
                return Some(next);
            }
            radius = (0..z.len()).map(|k| 2.0 * next[k].sub(middle[k]).size().max(radius[k]) + least(k)).collect();
        }
        None
    }

    fn norm(&self, z: &[f64]) -> Option<f64> {
        let sum: f64 = self.measured(z).iter().zip(&self.sizes).map(|(one, size)| (one.value / size).powi(2)).sum();
        sum.is_finite().then_some(sum)
    }

    fn step(&self, values: &[f64], slopes: &[Vec<f64>], damping: f64) -> Option<Vec<f64>> {
        let n = self.scales.len().min(slopes.first()?.len());
        let row = |i: usize| slopes[i].iter().zip(&self.scales).map(move |(x, scale)| x * scale / self.sizes[i]);
        let rows: Vec<Vec<f64>> = (0..slopes.len()).map(|i| row(i).collect()).collect();
        let mut normal = vec![0.0; n * n];
        let mut right = vec![0.0; n];
        for (i, row) in rows.iter().enumerate() {
            // most unknowns stand in few equations
            let own: Vec<usize> = (0..n).filter(|&a| row[a] != 0.0).collect();
            for &a in &own {
                right[a] -= row[a] * values[i] / self.sizes[i];
                for &b in &own {
                    normal[a * n + b] += row[a] * row[b];
                }
            }
        }
        for k in 0..n {
            normal[k * n + k] += damping * normal[k * n + k].max(1e-6);
        }
        let back = |step: &[f64]| step.iter().zip(&self.scales).map(|(x, scale)| x * scale).collect();
        if eliminate(&mut normal, &mut right, n, PIVOT, &mut Vec::new()).is_ok() {
            return Some(back(&right));
        }
        // along a family the matrix is singular: of all steps the shortest
        let flat: Vec<f64> = rows.iter().flatten().copied().collect();
        let right: Vec<f64> = values.iter().zip(&self.sizes).map(|(value, size)| -value / size).collect();
        least(&flat, &right, &vec![1.0; n], LEAST).ok().map(|(step, _)| back(&step))
    }
}

/// The middle one, or zero.
fn middle(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list.get(list.len() / 2).copied().unwrap_or(0.0)
}

/// The equations with the forces times a factor: homogeneous in (factor, λ, loads). Nothing if loads stand in them
/// otherwise.
fn scaled(statics: &Statics, inputs: &[Expr]) -> Option<(Vec<Expr>, Vec<Expr>)> {
    let factor = expr::parameter("factor@statics");
    let symbols: Vec<Expr> = statics.loads.iter().map(|load| load.symbol).collect();
    let still: Substitution = symbols.iter().map(|&load| (load, Expr::zero())).collect();
    expr::linear_coefficients(&statics.force, &symbols).ok()?;
    let conditions: Vec<Expr> = statics.conditions.iter().map(|one| one.1).collect();
    if conditions.iter().any(|e| e.symbols().iter().any(|symbol| symbols.contains(symbol))) {
        return None;
    }
    let own = still.apply(&statics.force).ok()?;
    let balance = (0..own.len()).map(|s| {
        let reaction: Expr = statics.rows.list.iter().zip(&statics.slopes).map(|(row, a)| a[s] * row.lambda).sum();
        factor * own[s] + (statics.force[s] - own[s]) + reaction
    });
    let list = balance.chain(conditions).filter(|e| *e != Expr::zero() && !e.is_zero()).collect();
    Some((inputs.iter().copied().chain([factor]).collect(), list))
}
