//! Do gyroscopic forces hold what the energy does not? The linear equations of a conservative system, exactly.
//!
//! ```text
//! M q'' + C q' + K q = 0              M = Mᵀ, C = −Cᵀ, K = Kᵀ                                             (1)
//! det(λ² M + λ C + K) = Σ aₖ μᵏ       μ = λ²: only even powers of λ stand in it                            (2)
//! ```
//!
//! If all roots μ are real, negative and distinct, every λ lies on the imaginary axis and is simple: whatever is small stays
//! small. If a root is not real or positive, something grows. With aₙ > 0 the roots are so if every aₖ is positive and the
//! discriminant is, for two and three of them; for more, if every leading minor of the matrix of power sums is (Hermite).
//!
//! Equations that no entry connects are judged apart, so that equal roots of different parts do no harm. Coordinates without
//! stiffness have roots μ = 0, one each, if C connects them with no other such coordinate: they drift steadily and the others
//! stay. With the momentum of a free turn held, (1) is that of Routh's function.

use algebra::Sign;
use expr::{Expr, rational};

use super::inertia::leading_minors;

/// More freedoms that are connected are not looked at.
const MOST_CONNECTED: usize = 6;
/// For so many roots the discriminant decides.
const MOST_BY_DISCRIMINANT: usize = 3;

/// What the linear equations (1) do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spectral {
    /// Every eigenvalue lies on the imaginary axis, and nothing that has a stiffness grows.
    Elliptic,
    /// An eigenvalue has a positive real part.
    Grows,
}

/// The matrices of (1).
#[derive(Clone, Debug)]
pub struct Oscillations {
    pub M: Vec<Vec<Expr>>,
    pub C: Vec<Vec<Expr>>,
    pub K: Vec<Vec<Expr>>,
}

/// Rows of expressions.
type Rows = Vec<Vec<Expr>>;

impl Oscillations {
    /// (1) with the momentum of one coordinate held, and without it: ψ' = −(M_ψj q_j' + C_ψj q_j)/M_ψψ is put in.
    pub fn with_momentum_held(&self, turn: usize) -> Option<Oscillations> {
        let Oscillations { M, C, K } = self;
        let left: Vec<usize> = (0..K.len()).filter(|&k| k != turn).collect();
        let over = |a: Expr| a.try_div(M[turn][turn]).ok();
        let made = |entry: &dyn Fn(usize, usize) -> Option<Expr>| -> Option<Rows> {
            left.iter().map(|&i| left.iter().map(|&j| entry(i, j)).collect()).collect()
        };
        Some(Oscillations {
            M: made(&|i, j| Some(M[i][j] - over(M[i][turn] * M[turn][j])?))?,
            C: made(&|i, j| Some(C[i][j] - over(M[i][turn] * C[turn][j] + C[i][turn] * M[turn][j])?))?,
            K: made(&|i, j| Some(K[i][j] - over(C[i][turn] * C[turn][j])?))?,
        })
    }

    /// (1) along some directions.
    pub fn along(&self, N: &[Vec<Expr>]) -> Oscillations {
        let inner = |a: &[Expr], b: &[Expr]| -> Expr { a.iter().zip(b).map(|(a, b)| *a * *b).sum() };
        let between = |matrix: &Rows| -> Rows {
            let image = |v: &Vec<Expr>| -> Vec<Expr> { matrix.iter().map(|row| inner(row, v)).collect() };
            let images: Rows = N.iter().map(image).collect();
            N.iter().map(|v| images.iter().map(|image| inner(v, image)).collect()).collect()
        };
        Oscillations { M: between(&self.M), C: between(&self.C), K: between(&self.K) }
    }

    /// Whether forces turn a motion aside, and none takes energy out or feeds it.
    pub fn is_gyroscopic(&self) -> bool {
        let is_skew = (0..self.C.len()).all(|i| (0..=i).all(|j| (self.C[i][j] + self.C[j][i]).is_zero()));
        is_skew && self.C.iter().flatten().any(|entry| !entry.is_zero())
    }

    /// Whether damping takes energy out of every motion.
    pub fn is_lossy(&self, sign: &dyn Fn(Expr) -> Sign) -> bool {
        let n = self.C.len();
        let twice: Rows = (0..n).map(|i| (0..n).map(|j| self.C[i][j] + self.C[j][i]).collect()).collect();
        leading_minors(&twice).into_iter().all(|minor| sign(minor) == Sign::Positive)
    }

    /// What the equations do, with the values of the model; `drifting` coordinates have no stiffness.
    pub fn judged(&self, drifting: usize) -> Option<Spectral> {
        let sign = |e: Expr| algebra::sign(e, &[]);
        let conditions = self.conditions(drifting, MOST_CONNECTED, &sign)?;
        let signs: Vec<Sign> = conditions.into_iter().map(sign).collect();
        match () {
            () if signs.contains(&Sign::Negative) => Some(Spectral::Grows),
            () if signs.iter().all(|sign| *sign == Sign::Positive) => Some(Spectral::Elliptic),
            () => None,
        }
    }

    /// What is positive where the equations are elliptic; where one is negative, something grows. Nothing if that was not
    /// found. M is positive definite.
    pub fn conditions(&self, drifting: usize, most: usize, sign: &dyn Fn(Expr) -> Sign) -> Option<Vec<Expr>> {
        let n = self.K.len();
        let is_slack = |i: &usize| (0..n).all(|j| self.K[*i][j].is_zero());
        if (0..n).filter(is_slack).count() != drifting {
            return None;
        }
        let mut conditions = Vec::new();
        for part in self.parts() {
            let (slack, held): (Vec<usize>, Vec<usize>) = part.iter().partition(|i| is_slack(i));
            let stiffness = leading_minors(&within(&self.K, &held));
            let turns = part.iter().any(|&i| part.iter().any(|&j| !self.C[i][j].is_zero()));
            if stiffness.iter().all(|&minor| sign(minor) == Sign::Positive) {
                continue;
            }
            if !turns {
                conditions.extend(stiffness);
                continue;
            }
            let is_crossed = slack.iter().any(|&i| slack.iter().any(|&j| !self.C[i][j].is_zero()));
            if part.len() > most || is_crossed || !self.is_held(&held, &slack, sign) {
                return None;
            }
            conditions.extend(self.of_part(&part, slack.len(), sign)?);
        }
        Some(conditions)
    }

    /// Whether beside coordinates without stiffness no other direction is without: det K of the others is not zero.
    fn is_held(&self, held: &[usize], slack: &[usize], sign: &dyn Fn(Expr) -> Sign) -> bool {
        let determinant = || constant(&within(&self.K, held));
        slack.is_empty() || matches!(sign(determinant()), Sign::Positive | Sign::Negative)
    }

    /// The conditions on the roots of one part, of which so many are zero.
    fn of_part(&self, part: &[usize], zeros: usize, sign: &dyn Fn(Expr) -> Sign) -> Option<Vec<Expr>> {
        let [M, C, K] = [&self.M, &self.C, &self.K].map(|matrix| within(matrix, part));
        let entry = |i: usize, j: usize| vec![K[i][j], C[i][j], M[i][j]];
        let matrix: Vec<Vec<Vec<Expr>>> =
            (0..part.len()).map(|i| (0..part.len()).map(|j| entry(i, j)).collect()).collect();
        let all = determinant(&matrix);
        let is_even = all.iter().skip(1).step_by(2).all(|a| a.is_zero());
        let a: Vec<Expr> = all.iter().step_by(2).map(|a| expr::simplify(*a, &[])).collect();
        let (none, own) = a.split_at(zeros);
        let leading = *own.last()?;
        if !is_even || !none.iter().all(|a| a.is_zero()) || sign(leading) != Sign::Positive {
            return None;
        }
        let mut conditions = own[..own.len() - 1].to_vec();
        conditions.extend(match own.len() - 1 {
            degree if degree <= MOST_BY_DISCRIMINANT => discriminant(own).into_iter().collect(),
            _ => minors_of_power_sums(own),
        });
        Some(conditions)
    }

    /// Places that entries connect.
    fn parts(&self) -> Vec<Vec<usize>> {
        let is_connected =
            |i: usize, j: usize| [&self.M, &self.C, &self.K].iter().any(|a| !a[i][j].is_zero() || !a[j][i].is_zero());
        let mut left: Vec<usize> = (0..self.K.len()).collect();
        let mut list = Vec::new();
        while let Some(first) = left.first().copied() {
            let (mut part, mut looked) = (vec![first], 0);
            left.retain(|&j| j != first);
            while looked < part.len() {
                let own: Vec<usize> = left.iter().copied().filter(|&j| is_connected(part[looked], j)).collect();
                left.retain(|j| !own.contains(j));
                part.extend(own);
                looked += 1;
            }
            part.sort_unstable();
            list.push(part);
        }
        list
    }
}

/// A part of a matrix.
fn within(matrix: &Rows, places: &[usize]) -> Rows {
    places.iter().map(|&i| places.iter().map(|&j| matrix[i][j]).collect()).collect()
}

/// The determinant of a matrix.
pub fn constant(matrix: &[Vec<Expr>]) -> Expr {
    let entries: Vec<Vec<Vec<Expr>>> = matrix.iter().map(|row| row.iter().map(|&e| vec![e]).collect()).collect();
    determinant(&entries).first().copied().unwrap_or_else(Expr::one)
}

/// The determinant of a matrix of polynomials, by minors of its first rows; lowest power first.
fn determinant(matrix: &[Vec<Vec<Expr>>]) -> Vec<Expr> {
    let n = matrix.len();
    // for a set of columns the minor of as many rows
    let mut minors: Vec<Vec<Expr>> = vec![Vec::new(); 1 << n];
    minors[0] = vec![Expr::one()];
    for set in 1..1_usize << n {
        let row = set.count_ones() as usize - 1;
        let mut sum: Vec<Expr> = Vec::new();
        let columns: Vec<usize> = (0..n).filter(|j| set >> j & 1 == 1).collect();
        for (place, &j) in columns.iter().enumerate() {
            let is_negative = (columns.len() - 1 - place) % 2 == 1;
            let rest = &minors[set & !(1 << j)];
            for (p, &a) in matrix[row][j].iter().enumerate() {
                for (q, &b) in rest.iter().enumerate().filter(|_| a != Expr::zero()) {
                    if sum.len() <= p + q {
                        sum.resize(p + q + 1, Expr::zero());
                    }
                    sum[p + q] += if is_negative { -(a * b) } else { a * b };
                }
            }
        }
        minors[set] = sum;
    }
    minors.pop().unwrap_or_default()
}

/// Positive where all roots are real and distinct, of two or three; lowest power first.
fn discriminant(a: &[Expr]) -> Option<Expr> {
    let made = match *a {
        [a0, a1, a2] => a1 * a1 - 4 * a0 * a2,
        [a0, a1, a2, a3] => {
            a2 * a2 * a1 * a1 - 4 * a3 * a1 * a1 * a1 - 4 * a2 * a2 * a2 * a0 - 27 * a3 * a3 * a0 * a0
                + 18 * a3 * a2 * a1 * a0
        }
        _ => return None,
    };
    Some(expr::simplify(made, &[]))
}

/// The leading minors of the matrix of power sums sᵢ₊ⱼ of the roots, times a positive number: all positive if the roots are
/// real and distinct, and none negative if they are real (Hermite). With aₙ > 0 it takes the roots aₙ μ, of
/// νⁿ + aₙ₋₁ νⁿ⁻¹ + aₙ aₙ₋₂ νⁿ⁻² + …, and Newton's identities.
fn minors_of_power_sums(a: &[Expr]) -> Vec<Expr> {
    let n = a.len() - 1;
    let (mut c, mut factor) = (vec![Expr::one()], Expr::one());
    for k in 1..=n {
        c.push(a[n - k] * factor);
        factor *= a[n];
    }
    let mut s: Vec<Expr> = vec![rational(n as i64, 1)];
    for m in 1..=2 * n {
        let known: Expr = (1..m).filter(|&k| k <= n).map(|k| c[k] * s[m - k]).sum();
        let own = if m <= n { rational(m as i64, 1) * c[m] } else { Expr::zero() };
        s.push(expr::simplify(-(known + own), &[]));
    }
    let minor = |size: usize| constant(&(0..size).map(|i| (0..size).map(|j| s[i + j]).collect()).collect::<Rows>());
    (2..=n).map(minor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rows: &[&[&str]]) -> Rows {
        rows.iter().map(|row| row.iter().map(|text| expr::parse(text).unwrap()).collect()).collect()
    }

    /// Two springs and a gyroscope.
    fn held(a: &str, b: &str, turns: &str) -> Option<Spectral> {
        let C = read(&[&["0", turns], &[&format!("-({turns})"), "0"]]);
        Oscillations { M: read(&[&["1", "0"], &["0", "1"]]), C, K: read(&[&[a, "0"], &["0", b]]) }.judged(0)
    }

    #[test]
    fn gyroscopic_forces_hold_two_ways_down_or_none() {
        let _scope = expr::Scope::enter();
        assert_eq!(held("-1", "-1", "21/10"), Some(Spectral::Elliptic));
        assert_eq!(held("-1", "-1", "19/10"), Some(Spectral::Grows));
        // two pairs meet, and the motion grows like t: neither
        assert_eq!(held("-1", "-1", "2"), None);
        assert_eq!(held("-1", "1", "100"), Some(Spectral::Grows));
        // exactly, where floats would not tell
        assert_eq!(held("-1", "-1", "2 + 1/10^30"), Some(Spectral::Elliptic));
        assert_eq!(held("-1", "-1", "2 - 1/10^30"), Some(Spectral::Grows));
        assert_eq!(held("1", "1", "sqrt(2)"), Some(Spectral::Elliptic));
    }

    #[test]
    fn parts_that_nothing_connects_may_have_equal_eigenvalues() {
        let _scope = expr::Scope::enter();
        let M = read(&[&["1", "0", "0", "0"], &["0", "1", "0", "0"], &["0", "0", "1", "0"], &["0", "0", "0", "1"]]);
        let C = read(&[&["0", "0", "3", "0"], &["0", "0", "0", "3"], &["-3", "0", "0", "0"], &["0", "-3", "0", "0"]]);
        let K = read(&[&["-1", "0", "0", "0"], &["0", "-1", "0", "0"], &["0", "0", "-1", "0"], &["0", "0", "0", "-1"]]);
        assert_eq!(Oscillations { M: M.clone(), C: C.clone(), K: K.clone() }.judged(0), Some(Spectral::Elliptic));
        // connected by a spring: four distinct roots, by power sums
        let mut K = K;
        (K[0][1], K[1][0]) = (expr::parse("1/10").unwrap(), expr::parse("1/10").unwrap());
        assert_eq!(Oscillations { M: M.clone(), C: C.clone(), K: K.clone() }.judged(0), Some(Spectral::Elliptic));
        (K[0][1], K[1][0]) = (expr::parse("6").unwrap(), expr::parse("6").unwrap());
        assert_eq!(Oscillations { M, C, K }.judged(0), Some(Spectral::Grows));
    }

    #[test]
    fn what_drifts_may_hold_the_others() {
        let _scope = expr::Scope::enter();
        let of = |k: &str, turns: &str, drifting: usize| {
            let C = read(&[&["0", turns], &[&format!("-({turns})"), "0"]]);
            let K = read(&[&[k, "0"], &["0", "0"]]);
            Oscillations { M: read(&[&["1", "0"], &["0", "1"]]), C, K }.judged(drifting)
        };
        assert_eq!(of("-1", "2", 1), Some(Spectral::Elliptic));
        assert_eq!(of("-1", "1/2", 1), Some(Spectral::Grows));
        // the coordinate is looked for: its stiffness vanishes to first order only
        assert_eq!(of("-1", "2", 0), None);
    }
}
