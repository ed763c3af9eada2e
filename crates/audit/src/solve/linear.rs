//! The solution of linear equations with constant coefficients.
//!
//! ```text
//! y' = A y + f(t)                    y(0) = y₀                                                          (1)
//! y = exp(A t) (y₀ − s(0)) + s(t)    s: one solution, of the kind of f, with powers of t more where f resonates    (2)
//! exp(A t) = Σ cⱼ(t) Aʲ              p(d/dt) cⱼ = 0,  cⱼ⁽ⁱ⁾(0) = δᵢⱼ,  p(λ) = det(λ − A)                 (3)
//! ```
//!
//! So only the roots of p are needed: those of factors of degree two, in λ or in λ². Where their kind depends on a sign, the
//! case decides. What is found is proved elsewhere, by substitution.

use algebra::Obstacle;
use expr::{At, Comparison, Expr, Op, rational};
use proof::linear::{Columns, Matrix, solve_for};

use super::cases::{Signs, Stop};
use super::waves::{self, Class};

/// Unknown coefficients of one solution s.
const MOST: usize = 60;
/// Powers of time, times two where they swing, that are worked out in letters: each needs those above it, and what is written
/// grows with every one.
const IN_LETTERS: usize = 10;
/// What stands for λ².
pub const SQUARE: &str = "solve@square";

/// A function that solves p(d/dt) b = 0, with its derivatives at 0.
struct Basis {
    value: Expr,
    at_zero: Vec<Expr>,
}

/// A linear system (1).
pub struct Linear<'a> {
    /// A, row by row.
    pub matrix: Vec<Vec<Expr>>,
    /// f.
    pub right: Vec<Expr>,
    /// y₀.
    pub first: Vec<Expr>,
    /// The time, from the start on.
    pub t: Expr,
    /// Its value at the start, for what is told.
    pub t_first: Expr,
    /// Where pivots must not vanish.
    pub at: &'a At,
    /// What is known of signs.
    pub signs: &'a Signs<'a>,
}

impl Linear<'_> {
    /// The solution (2), one function of time for each unknown.
    pub fn solved(&self) -> Result<Vec<Expr>, Stop> {
        let k = self.matrix.len();
        let p = self.characteristic();
        let one = self.particular(&p)?;
        let zero: expr::Substitution = std::iter::once((self.t, Expr::zero())).collect();
        let at_zero = zero.apply(&one).map_err(|error| Stop::Refused(error.to_string()))?;
        let mut power: Vec<Expr> = self.first.iter().zip(&at_zero).map(|(&y, &s)| short(y - s)).collect();
        let basis = self.basis(&p)?;
        let weights = self.weights(&basis)?;
        let mut before = vec![vec![Expr::zero(); basis.len()]; k];
        for row in &weights {
            for (to, &y) in before.iter_mut().zip(&power) {
                for (to, &w) in to.iter_mut().zip(row) {
                    *to += w * y;
                }
            }
            power = self.matrix.iter().map(|a| a.iter().zip(&power).map(|(&a, &y)| a * y).sum()).collect();
        }
        let sum = |(row, &s): (&Vec<Expr>, &Expr)| {
            let terms = row.iter().zip(&basis).map(|(&c, b)| short(c) * b.value);
            Expr::sum(&terms.chain([s]).collect::<Vec<_>>())
        };
        Ok(before.iter().zip(&one).map(sum).collect())
    }

    /// The coefficients of p, lowest first (Faddeev and Le Verrier).
    fn characteristic(&self) -> Vec<Expr> {
        let (k, A) = (self.matrix.len(), &self.matrix);
        let mut p = vec![Expr::zero(); k + 1];
        p[k] = Expr::one();
        let mut M = vec![vec![Expr::zero(); k]; k];
        for step in 1..=k {
            let mut next = product(A, &M);
            for (place, row) in next.iter_mut().enumerate() {
                row[place] += p[k - step + 1];
            }
            M = next;
            let trace: Expr = product(A, &M).iter().enumerate().map(|(place, row)| row[place]).sum();
            p[k - step] = short(-trace / step as i64);
        }
        p
    }

    /// Rows j: cⱼ as a sum of the basis (3).
    fn weights(&self, basis: &[Basis]) -> Result<Vec<Vec<Expr>>, Stop> {
        let k = basis.len();
        let rows: Vec<Vec<Expr>> = (0..k).map(|order| basis.iter().map(|one| one.at_zero[order]).collect()).collect();
        let matrix = Matrix::from_rows(&rows);
        let column = |place: usize| {
            let right: Vec<Expr> = (0..k).map(|row| Expr::from(i64::from(row == place))).collect();
            let found = proof::linear::solve(&matrix, &right, self.at);
            found.map(|list| list.into_iter().map(short).collect::<Vec<_>>())
        };
        let weights: Result<Vec<_>, _> = (0..k).map(column).collect();
        weights.map_err(|error| Stop::NeedsValues(format!("two roots of its polynomial are too close: {error}")))
    }

    /// The functions that solve p(d/dt) b = 0.
    fn basis(&self, p: &[Expr]) -> Result<Vec<Basis>, Stop> {
        let mut list = Vec::new();
        let k = p.len() - 1;
        let zeros = p.iter().take_while(|c| c.is_zero()).count();
        for n in 0..zeros {
            list.push(self.function(n, Expr::zero(), Expr::zero(), false, k));
        }
        let rest = &p[zeros..];
        let is_even = rest.iter().skip(1).step_by(2).all(|c| c.is_zero());
        match rest.len() - 1 {
            0 => {}
            1 => list.push(self.function(0, short(-rest[0] / rest[1]), Expr::zero(), false, k)),
            2 => self.quadratic(rest[1], rest[0], k, &mut list)?,
            degree if is_even => {
                let squares: Vec<Expr> = rest.iter().step_by(2).copied().collect();
                for square in self.squares(&squares, degree)? {
                    self.quadratic(Expr::zero(), -square, k, &mut list)?;
                }
            }
            degree => {
                let why = format!("its polynomial of degree {degree} is not taken apart: {}", shown(rest, 1));
                return Err(Stop::Refused(why));
            }
        }
        Ok(list)
    }

    /// The roots of a polynomial in s = λ², all different.
    fn squares(&self, c: &[Expr], degree: usize) -> Result<Vec<Expr>, Stop> {
        if let [q, b, one] = c
            && one.is_same(Expr::one())
        {
            let quarter = short(*b * *b / 4 - *q);
            return match self.signs.sign(quarter)? {
                Comparison::Greater => {
                    let root = root(quarter);
                    Ok(vec![short(-*b / 2 + root), short(-*b / 2 - root)])
                }
                Comparison::Equal => Err(Stop::Refused("two of its frequencies are equal".to_owned())),
                _ => Err(Stop::Refused(format!("its polynomial has complex squares of roots: {}", shown(c, 2)))),
            };
        }
        let s = expr::symbol(expr::Symbol::new(SQUARE, expr::Kind::Parameter));
        let f: Expr = c.iter().enumerate().map(|(n, &c)| c * s.pow(n as i64)).sum();
        let why =
            |why: String| Stop::NeedsValues(format!("its polynomial of degree {degree} is not taken apart: {why}"));
        let found = algebra::solve(&[f], &[s], self.signs.assumed).map_err(|error: Obstacle| why(error.to_string()))?;
        let roots: Option<Vec<Expr>> = found.branches.iter().map(|one| one.values.value_of(s)).collect();
        let roots = roots.ok_or_else(|| why("some of its roots are not found".to_owned()))?;
        let are_plain = found.branches.iter().all(|one| one.conditions.is_empty() && one.multiplicity == 1);
        match are_plain && roots.len() == c.len() - 1 {
            true => Ok(roots),
            false => Err(why("its roots are not all real and different".to_owned())),
        }
    }

    /// The two functions of λ² + b λ + q.
    fn quadratic(&self, b: Expr, q: Expr, k: usize, list: &mut Vec<Basis>) -> Result<(), Stop> {
        let middle = short(-b / 2);
        let under = short(b * b / 4 - q);
        match self.signs.sign(under)? {
            Comparison::Less => {
                let omega = root(short(-under));
                list.push(self.function(0, middle, omega, false, k));
                list.push(self.function(0, middle, omega, true, k));
            }
            Comparison::Equal => {
                list.push(self.function(0, middle, Expr::zero(), false, k));
                list.push(self.function(1, middle, Expr::zero(), false, k));
            }
            _ if middle.is_zero() => {
                let kappa = root(under);
                let hyperbolic = |op: Op| (kappa * self.t).try_function(op).unwrap_or(self.t);
                for (op, odd) in [(Op::Cosh, false), (Op::Sinh, true)] {
                    let slope = |n: usize| if (n % 2 == 1) == odd { kappa.pow(n as i64) } else { Expr::zero() };
                    list.push(Basis { value: hyperbolic(op), at_zero: (0..k).map(slope).collect() });
                }
            }
            _ => {
                let root = root(under);
                for root in [middle + root, middle - root] {
                    list.push(self.function(0, short(root), Expr::zero(), false, k));
                }
            }
        }
        Ok(())
    }

    /// tⁿ exp(γ t) cos(α t), or with the sine, with its first k derivatives at 0.
    fn function(&self, n: usize, gamma: Expr, alpha: Expr, sine: bool, k: usize) -> Basis {
        let t = self.t;
        let wave = if sine { (alpha * t).sin() } else { (alpha * t).cos() };
        let growth = if gamma.is_zero() { Expr::one() } else { (gamma * t).exp() };
        // the m-th derivative of tⁿ g at 0 is m!/(m − n)! g⁽ᵐ⁻ⁿ⁾(0), and g⁽ʲ⁾(0) the real or imaginary part of (γ + iα)ʲ
        let (mut powers, mut z) = (Vec::new(), (Expr::one(), Expr::zero()));
        for _ in 0..k {
            powers.push(if sine { z.1 } else { z.0 });
            z = (z.0 * gamma - z.1 * alpha, z.0 * alpha + z.1 * gamma);
        }
        let slope = |m: usize| match m.checked_sub(n) {
            Some(less) => (less + 1..=m).map(|one| Expr::from(one as i64)).product::<Expr>() * powers[less],
            None => Expr::zero(),
        };
        Basis { value: t.pow(n as i64) * growth * wave, at_zero: (0..k).map(slope).collect() }
    }

    /// One solution s of (1).
    fn particular(&self, p: &[Expr]) -> Result<Vec<Expr>, Stop> {
        let mut sum = vec![Expr::zero(); self.matrix.len()];
        for (class, cos, sin) in self.loads()? {
            for (to, part) in sum.iter_mut().zip(self.response(p, &class, &cos, &sin)?) {
                *to += part;
            }
        }
        Ok(sum)
    }

    /// f by classes: for each the coefficients of cosines and sines, by power of t and then by row.
    fn loads(&self) -> Result<Vec<Load>, Stop> {
        let mut all: Vec<Load> = Vec::new();
        let rows = self.matrix.len();
        for (row, &f) in self.right.iter().enumerate() {
            let classes = waves::classes(f, self.t).ok_or_else(|| {
                let what = "no sum of powers, exponentials, sines and cosines of time";
                let later = expr::Substitution::new().and(self.t, self.t - self.t_first);
                Stop::Refused(format!("a load is {what}: {}", later.apply_one(f).map_or(f, short).brief()))
            })?;
            for class in classes {
                let same = |one: &Load| {
                    one.0.gamma.is_same(class.gamma)
                        && one.0.alpha.is_same(class.alpha)
                        && one.0.beta.is_same(class.beta)
                };
                let place = all.iter().position(same).unwrap_or_else(|| {
                    all.push((class.clone(), Vec::new(), Vec::new()));
                    all.len() - 1
                });
                let (_, cos, sin) = &mut all[place];
                for (n, (&c, &s)) in class.cos.iter().zip(&class.sin).enumerate() {
                    if cos.len() <= n {
                        cos.resize(n + 1, vec![Expr::zero(); rows]);
                        sin.resize(n + 1, vec![Expr::zero(); rows]);
                    }
                    cos[n][row] += c;
                    sin[n][row] += s;
                }
            }
        }
        Ok(all)
    }

    /// What the system does under one class of loads, by comparing coefficients.
    fn response(&self, p: &[Expr], class: &Class, cos: &[Vec<Expr>], sin: &[Vec<Expr>]) -> Result<Vec<Expr>, Stop> {
        let (rows, (gamma, alpha)) = (self.matrix.len(), (class.gamma, class.alpha));
        let swings = !alpha.is_zero();
        let more = self.multiplicity(p, gamma, alpha)?;
        let powers = cos.len() + more;
        let sides = if swings { 2 } else { 1 };
        let width = powers * sides * rows;
        if width > MOST {
            return Err(Stop::Refused("a load has too high a power of time".to_owned()));
        }
        let numbers = [gamma, alpha].into_iter().chain(self.matrix.iter().flatten().copied());
        if powers * sides > IN_LETTERS && numbers.into_iter().any(|e| !e.symbols().is_empty()) {
            let power = powers - more - 1;
            let why = format!("a load with the power {power} of time is worked out with values of the parameters only");
            return Err(Stop::NeedsValues(why));
        }
        let place = |n: usize, side: usize, row: usize| (n * sides + side) * rows + row;
        let (mut equations, mut right) = (Vec::new(), Vec::new());
        for n in 0..powers {
            for side in 0..sides {
                for row in 0..rows {
                    let mut equation = vec![Expr::zero(); width];
                    equation[place(n, side, row)] += gamma;
                    for (column, &a) in self.matrix[row].iter().enumerate() {
                        equation[place(n, side, column)] -= a;
                    }
                    if swings {
                        equation[place(n, 1 - side, row)] += if side == 0 { alpha } else { -alpha };
                    }
                    if n + 1 < powers {
                        equation[place(n + 1, side, row)] += Expr::from(n as i64 + 1);
                    }
                    let load = if side == 0 { cos } else { sin };
                    right.push(load.get(n).map_or(Expr::zero(), |list| list[row]));
                    equations.push(equation);
                }
            }
        }
        let found = solve_for(&Matrix::from_rows(&equations), &right, Columns::Any, self.at)
            .map_err(|error| Stop::NeedsValues(format!("a load resonates: {error}")))?;
        let mut values = vec![Expr::zero(); width];
        for (&column, &value) in found.dependent.iter().zip(&found.constants) {
            values[column] = short(value);
        }
        let angle = alpha * self.t + class.beta;
        let growth = if gamma.is_zero() { Expr::one() } else { (gamma * self.t).exp() };
        let sum = |row: usize| {
            let term = |n: usize| {
                let cosine = values[place(n, 0, row)] * if swings { angle.cos() } else { Expr::one() };
                let sine = if swings { values[place(n, 1, row)] * angle.sin() } else { Expr::zero() };
                self.t.pow(n as i64) * growth * (cosine + sine)
            };
            Expr::sum(&(0..powers).map(term).collect::<Vec<_>>())
        };
        Ok((0..rows).map(sum).collect())
    }

    /// How often γ + iα is a root of p. That it is none is a condition, if the letters leave it open.
    fn multiplicity(&self, p: &[Expr], gamma: Expr, alpha: Expr) -> Result<usize, Stop> {
        let mut p = p.to_vec();
        let mut count = 0;
        loop {
            let horner = p
                .iter()
                .rev()
                .fold((Expr::zero(), Expr::zero()), |z, &c| (z.0 * gamma - z.1 * alpha + c, z.0 * alpha + z.1 * gamma));
            let (re, im) = (short(horner.0), short(horner.1));
            match (re.is_zero(), im.is_zero()) {
                (true, true) => {
                    count += 1;
                    p = p.iter().enumerate().skip(1).map(|(n, &c)| c * Expr::from(n as i64)).collect();
                    continue;
                }
                (false, true) => self.signs.nonzero(re)?,
                (true, false) => self.signs.nonzero(im)?,
                (false, false) => self.signs.nonzero(short(re * re + im * im))?,
            }
            return Ok(count);
        }
    }
}

/// A polynomial in λ, or in λ² with steps of two.
fn shown(p: &[Expr], step: i64) -> String {
    let lambda = expr::symbol(expr::Symbol::new("lambda", expr::Kind::Parameter));
    let terms: Vec<Expr> = (0..).zip(p).map(|(n, &c)| c * lambda.pow(n * step)).collect();
    Expr::sum(&terms).brief()
}

type Load = (Class, Vec<Vec<Expr>>, Vec<Vec<Expr>>);

fn product(a: &[Vec<Expr>], b: &[Vec<Expr>]) -> Vec<Vec<Expr>> {
    let entry = |row: &Vec<Expr>, column: usize| row.iter().zip(b).map(|(&x, y)| x * y[column]).sum();
    a.iter().map(|row| (0..b.len()).map(|column| entry(row, column)).collect()).collect()
}

/// The same function, written shorter.
pub fn short(e: Expr) -> Expr {
    if e.is_zero() { Expr::zero() } else { expr::simplify(e, &[]) }
}

/// A square root; of squares of letters the letters.
pub fn root(e: Expr) -> Expr {
    let e = short(e);
    let half = rational(1, 2).as_number();
    let halved = |factor: Expr| -> Option<Expr> {
        match factor.op() {
            Op::Power => {
                let arguments = factor.arguments();
                let n = arguments[1].as_number()?.to_i64().filter(|n| n % 2 == 0)?;
                Some(arguments[0].pow(n / 2))
            }
            _ => {
                let root = factor.as_number().filter(|n| n.is_positive())?;
                let root = Expr::number(root).try_pow(half.as_ref()?).ok()?;
                root.as_number().map(Expr::number)
            }
        }
    };
    match factors(e).into_iter().map(halved).collect::<Option<Vec<Expr>>>() {
        Some(list) => Expr::product(&list),
        None => e.sqrt(),
    }
}

/// The factors of a product, products inside it taken apart.
pub fn factors(e: Expr) -> Vec<Expr> {
    match e.op() {
        Op::Product | Op::Scale => e.arguments().into_iter().flat_map(factors).collect(),
        _ => vec![e],
    }
}
