//! Small linear systems with constant or periodic coefficients, judged by plain numbers and independent of the engine.
//!
//! ```text
//! M q'' + (D + G) q' + (K + N) q + L cos(w t) q + (s q₁² + c q₁³) e₁ = 0
//! ```

/// A square matrix, row by row.
pub type Matrix = Vec<Vec<f64>>;

/// One system about q = 0; `square` and `cubic` are the factors of q₁² and q₁³ in the first equation.
#[derive(Clone, Debug, Default)]
pub struct Linear {
    pub mass: Matrix,
    pub rates: Matrix,
    pub stiffness: Matrix,
    pub shaken: Option<(Matrix, f64)>,
    pub square: f64,
    pub cubic: f64,
}

impl Linear {
    pub fn freedoms(&self) -> usize {
        self.mass.len()
    }

    /// The rate of (q, q').
    fn rate(&self, t: f64, y: &[f64], linear: bool) -> Vec<f64> {
        let n = self.freedoms();
        let (q, v) = y.split_at(n);
        let shake = self.shaken.as_ref().map(|(matrix, w)| (matrix, (w * t).cos()));
        let mut force: Vec<f64> = (0..n)
            .map(|i| {
                let still: f64 = (0..n).map(|j| self.stiffness[i][j] * q[j] + self.rates[i][j] * v[j]).sum();
                let moved: f64 = shake.map_or(0.0, |(matrix, c)| (0..n).map(|j| c * matrix[i][j] * q[j]).sum());
                -still - moved
            })
            .collect();
        if !linear {
            force[0] -= self.square * q[0] * q[0] + self.cubic * q[0].powi(3);
        }
        [v, &solved(&self.mass, &force)].concat()
    }

    /// What becomes of a start after a time, by the classical method of Runge and Kutta; the largest |q| on the way.
    fn run(&self, start: &[f64], time: f64, steps: usize, linear: bool) -> (Vec<f64>, f64) {
        let (h, mut y, mut largest) = (time / steps as f64, start.to_vec(), 0.0_f64);
        let moved = |y: &[f64], k: &[f64], h: f64| y.iter().zip(k).map(|(y, k)| y + h * k).collect::<Vec<f64>>();
        for step in 0..steps {
            let t = h * step as f64;
            let a = self.rate(t, &y, linear);
            let b = self.rate(t + h / 2.0, &moved(&y, &a, h / 2.0), linear);
            let c = self.rate(t + h / 2.0, &moved(&y, &b, h / 2.0), linear);
            let d = self.rate(t + h, &moved(&y, &c, h), linear);
            for i in 0..y.len() {
                y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
            }
            largest = y[..self.freedoms()].iter().fold(largest, |most, q| most.max(q.abs()));
            if largest.is_nan() || largest > 1e3 {
                return (y, f64::INFINITY);
            }
        }
        (y, largest)
    }

    /// How far a motion goes that begins at a distance, over a long time, beside that distance.
    pub fn strays(&self, distance: f64, directions: &[Vec<f64>], time: f64) -> f64 {
        let far = |direction: &Vec<f64>| {
            let start: Vec<f64> = direction.iter().map(|x| distance * x).collect();
            self.run(&start, time, (time * 40.0) as usize, false).1 / distance
        };
        directions.iter().map(far).fold(0.0, f64::max)
    }

    /// Eigenvalues of the linear equations with constant coefficients.
    pub fn eigenvalues(&self) -> Vec<[f64; 2]> {
        let size = 2 * self.freedoms();
        let column = |k: usize| {
            let unit: Vec<f64> = (0..size).map(|i| f64::from(i == k)).collect();
            self.rate(0.0, &unit, true)
        };
        roots(&characteristic(&transposed(&(0..size).map(column).collect())))
    }

    /// Floquet's multipliers of the linear equations; none where they are too far apart for plain numbers.
    pub fn multipliers(&self) -> Vec<[f64; 2]> {
        let Some((_, w)) = &self.shaken else { return Vec::new() };
        let (size, period) = (2 * self.freedoms(), std::f64::consts::TAU / w);
        let column = |k: usize| {
            let unit: Vec<f64> = (0..size).map(|i| f64::from(i == k)).collect();
            self.run(&unit, period, 4000, true).0
        };
        let columns: Matrix = (0..size).map(column).collect();
        let largest = columns.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
        if largest > 1e3 { Vec::new() } else { roots(&characteristic(&transposed(&columns))) }
    }
}

pub fn transposed(a: &Matrix) -> Matrix {
    (0..a.len()).map(|i| a.iter().map(|row| row[i]).collect()).collect()
}

pub fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let entry = |row: &Vec<f64>, j: usize| row.iter().zip(b).map(|(x, other)| x * other[j]).sum();
    a.iter().map(|row| (0..b[0].len()).map(|j| entry(row, j)).collect()).collect()
}

/// Gauss's elimination with the largest pivot.
pub fn solved(a: &Matrix, b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut rows: Matrix = a.iter().zip(b).map(|(row, b)| [row.as_slice(), &[*b]].concat()).collect();
    for k in 0..n {
        let best = (k..n).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs())).unwrap_or(k);
        rows.swap(k, best);
        for i in k + 1..n {
            let (factor, pivot) = (rows[i][k] / rows[k][k], rows[k].clone());
            rows[i].iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| rows[i][j] * x[j]).sum();
        x[i] = (rows[i][n] - known) / rows[i][i];
    }
    x
}

/// Coefficients of det(λ − A), the highest first, by Faddeev's and Leverrier's recursion.
fn characteristic(a: &Matrix) -> Vec<f64> {
    let n = a.len();
    let mut coefficients = vec![1.0];
    let mut m: Matrix = vec![vec![0.0; n]; n];
    for k in 1..=n {
        m = product(a, &m);
        for (i, row) in m.iter_mut().enumerate() {
            row[i] += coefficients[k - 1];
        }
        let trace: f64 = (0..n).map(|i| product(a, &m)[i][i]).sum();
        coefficients.push(-trace / k as f64);
    }
    coefficients
}

/// All roots at once, by Weierstrass's and Durand's iteration.
fn roots(coefficients: &[f64]) -> Vec<[f64; 2]> {
    let n = coefficients.len() - 1;
    let times = |a: [f64; 2], b: [f64; 2]| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
    let over = |a: [f64; 2], b: [f64; 2]| {
        let size = b[0] * b[0] + b[1] * b[1];
        let up = times(a, [b[0], -b[1]]);
        [up[0] / size, up[1] / size]
    };
    let scale = coefficients.iter().skip(1).enumerate().map(|(k, c)| c.abs().powf(1.0 / (k + 1) as f64));
    let radius = scale.fold(0.1, f64::max);
    let mut z: Vec<[f64; 2]> = (0..n)
        .map(|k| 0.4 + std::f64::consts::TAU * k as f64 / n as f64)
        .map(|a| [radius * a.cos(), radius * a.sin()])
        .collect();
    for _ in 0..3000 {
        for k in 0..n {
            let value = coefficients.iter().fold([0.0, 0.0], |sum, c| {
                let next = times(sum, z[k]);
                [next[0] + c, next[1]]
            });
            let others = (0..n)
                .filter(|&j| j != k)
                .fold([1.0, 0.0], |sum, j| times(sum, [z[k][0] - z[j][0], z[k][1] - z[j][1]]));
            let step = over(value, others);
            if step.iter().all(|x| x.is_finite()) {
                z[k] = [z[k][0] - step[0], z[k][1] - step[1]];
            }
        }
    }
    z
}
