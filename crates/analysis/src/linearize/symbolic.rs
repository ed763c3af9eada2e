//! The same matrices with parameters as symbols.
//!
//! ```text
//! state      exact where the start gives it; rates that constraints fix by a linear solve;
//!            a steady motion that is solved for by its own equations                            (1)
//! q'', λ     from R = 0, G = 0, linear                                                          (2)
//! matrices   derivatives as expressions, put at (1) and (2), reduced as numbers are             (3)
//! ```
//!
//! Pivots are chosen by their size at the values that the parameters have now. Other parameters become numbers.

use expr::{At, Expr, Substitution, Tree};
use linear::arithmetic::{Arithmetic, part};
use mechanics::{Found, Level};
use proof::linear::Matrix;
use serde::Serialize;

use super::bench::Bench;
use super::critical::number;
use super::equations::{By, Of, Slopes};
use super::matrix::{Valued, Valuing};
use super::reduce::{reduce, states_of};
use super::{Linearization, Trouble, bad, closed};
use engine::{Field, Ordered, Progress};

/// Matrices with symbols.
#[derive(Clone, Debug, Serialize)]
pub struct Symbolic {
    /// The parameters that are symbols.
    pub parameters: Vec<String>,
    /// The matrices as text, by name: A, M, C, K.
    pub matrices: Ordered<Vec<Vec<String>>>,
    /// The same to compute with.
    pub trees: Ordered<Vec<Vec<Tree>>>,
    /// M, C, K as Σ monomial·matrix, where they are polynomials with numbers as coefficients.
    pub polynomials: Ordered<Ordered<Vec<Vec<f64>>>>,
    /// The determinant of K, which vanishes where an equilibrium is neutral.
    pub determinant: Option<String>,
    /// The same to compute with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub determinant_tree: Option<Tree>,
    /// A as C.
    pub code: String,
}

/// Expressions with fewer operations are simplified for reading.
const LONG: usize = 3000;

/// The matrices of an answer with these parameters as symbols.
pub fn symbolic(
    bench: &Bench<'_>,
    answer: &Linearization,
    names: &[String],
    progress: &mut dyn Progress,
) -> Result<Symbolic, Trouble> {
    let (kept, at) = (symbols(bench, names)?, bench.equations.at(&bench.state));
    let parameters = parameter_values(bench, &kept).map_err(broken)?;
    let map = match bench.is_steady_wanted {
        true => closed::steady(bench, &parameters, &at, progress)?,
        false => state_map(bench, &parameters, &at)?,
    };
    let slopes = slopes(bench, &parameters, &map, &at)?;
    let is_named = !bench.named.is_empty();
    let reduced = reduce(&Valuing, &bench.equations, &slopes, &bench.choice, !is_named).map_err(Trouble::NoAnswer)?;
    let mut matrices: Vec<(&str, Vec<Vec<Expr>>)> = Vec::new();
    let mut take = |name, matrix: &[Vec<Valued>]| {
        matrices.push((name, matrix.iter().map(|row| row.iter().map(|x| x.e).collect()).collect()));
    };
    if is_named {
        let form = bench.second(&Valuing, &reduced, &bench.named)?;
        let singular = || Trouble::NoAnswer("the mass matrix is singular at this state".to_owned());
        let (A, _) = states_of(&Valuing, &form).ok_or_else(singular)?;
        for (name, matrix) in [("A", &A), ("M", &form.M), ("C", &form.C), ("K", &form.K)] {
            take(name, matrix);
        }
    } else {
        let all = 0..reduced.A.len();
        let places: Vec<usize> = all.filter(|&place| answer.states.contains(&bench.name_of_state(place))).collect();
        take("A", &part(&reduced.A, &places, &places));
    }
    let readable = |e: Expr| written(e, &kept, &at);
    let mut texts: Vec<(String, Vec<Vec<String>>)> = Vec::new();
    let mut polynomials = Vec::new();
    for (name, matrix) in &matrices {
        texts.push(((*name).to_owned(), matrix.iter().map(|row| row.iter().map(|&e| readable(e)).collect()).collect()));
        if *name != "A" {
            polynomials.extend(polynomial(matrix, &kept, &at).map(|made| ((*name).to_owned(), made)));
        }
    }
    let stiffness = matrices.iter().find(|one| one.0 == "K").map(|one| &one.1);
    let determinant = stiffness.map(|K| proof::linear::determinant(&Matrix::from_rows(K), &at));
    let rows = matrices[0].1.iter().enumerate();
    let named_row = |(i, row): (usize, &Vec<Expr>)| -> Vec<(String, Expr)> {
        row.iter().enumerate().map(|(j, &e)| (format!("A[{i}][{j}]"), e)).collect()
    };
    let entries: Vec<(String, Expr)> = rows.flat_map(named_row).collect();
    let named: Vec<(&str, Expr)> = entries.iter().map(|(name, e)| (name.as_str(), *e)).collect();
    let tree = |row: &Vec<Expr>| row.iter().map(|&e| Tree::of(e)).collect();
    let trees = |matrix: &Vec<Vec<Expr>>| matrix.iter().map(tree).collect();
    Ok(Symbolic {
        trees: matrices.iter().map(|(name, matrix)| ((*name).to_owned(), trees(matrix))).collect(),
        parameters: names.to_vec(),
        matrices: Ordered(texts),
        polynomials: Ordered(polynomials),
        determinant: determinant.map(readable),
        determinant_tree: determinant.map(Tree::of),
        code: expr::code(&named, "linearized").text,
    })
}

fn symbols(bench: &Bench<'_>, names: &[String]) -> Result<Vec<Expr>, Trouble> {
    let all = &bench.loaded.system.parameters;
    let symbol = |name: &String| {
        all.iter().find(|parameter| parameter.name == *name).map(|parameter| parameter.symbol).ok_or_else(|| {
            let hint = match syntax::nearest(name, all.iter().map(|one| one.name.as_str())) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "name parameters of the model; a value of the start becomes one with `param v = …` and `start x' = v`".to_owned(),
            };
            bad(&format!("there is no parameter `{name}`"), &hint).of(Field::Symbolic)
        })
    };
    names.iter().map(symbol).collect()
}

/// What takes the place of the parameters that are no symbols.
fn parameter_values(bench: &Bench<'_>, kept: &[Expr]) -> Result<Substitution, expr::MathError> {
    let mut known = Substitution::new();
    for parameter in &bench.loaded.system.parameters {
        if kept.contains(&parameter.symbol) {
            continue;
        }
        let definition = parameter.definition.or(parameter.value).unwrap_or(parameter.symbol);
        known.insert(parameter.symbol, known.apply_one(definition)?);
    }
    Ok(known)
}

/// (1): time, coordinates and rates as expressions of the symbols.
fn state_map(bench: &Bench<'_>, parameters: &Substitution, at: &At) -> Result<Substitution, Trouble> {
    let exactly = Exactly { bench, parameters };
    let time = bench.loaded.start.time.exact.unwrap_or_else(Expr::zero);
    let time = Substitution::from([(bench.loaded.system.time, exactly.put(time, &Substitution::new())?)]);
    let time = exactly.put_states(time)?;
    let guessed = exactly.guess_positions(time.clone())?;
    let positions = match exactly.satisfies_rows(&guessed)? {
        true => guessed,
        false => exactly.fix_positions(time)?,
    };
    exactly.solve_rates(positions, at)
}

/// The start of a model with what takes the place of its parameters.
struct Exactly<'a, 'b> {
    bench: &'a Bench<'b>,
    parameters: &'a Substitution,
}

impl Exactly<'_, '_> {
    /// Puts an expression at what is known.
    fn put(&self, e: Expr, map: &Substitution) -> Result<Expr, Trouble> {
        let made = map.apply_one(e).and_then(|e| self.parameters.apply_one(e));
        made.map_err(|error| Trouble::NoAnswer(error.to_string()))
    }

    /// Adds first-order states: exact, or in numbers.
    fn put_states(&self, mut map: Substitution) -> Result<Substitution, Trouble> {
        for value in &self.bench.loaded.start.states {
            let exact = match value.exact {
                Some(exact) => self.put(exact, &map)?,
                None => snapped(value.number.unwrap_or(0.0)),
            };
            map.insert(value.symbol, exact);
        }
        Ok(map)
    }

    /// The rows of the start on this level.
    fn rows(&self, level: Level) -> impl Iterator<Item = &mechanics::Residual> {
        self.bench.loaded.start.rows.iter().filter(move |row| row.level == level)
    }

    /// Adds positions: exact, by an exact guess, or in numbers.
    fn guess_positions(&self, time: Substitution) -> Result<Substitution, Trouble> {
        let mut guessed = time.clone();
        for value in &self.bench.loaded.start.coordinates {
            let mut guesses = self.bench.loaded.system.guesses.iter();
            let guess = guesses.find(|guess| guess.left == value.symbol).map(|guess| guess.right);
            let exact = match (value.exact, guess) {
                (Some(exact), _) => self.put(exact, &time)?,
                (None, Some(guess)) => self.put(guess, &time)?,
                (None, None) => snapped(value.number.unwrap_or(0.0)),
            };
            guessed.insert(value.symbol, exact);
        }
        Ok(guessed)
    }

    /// Whether these positions satisfy all rows identically.
    fn satisfies_rows(&self, map: &Substitution) -> Result<bool, Trouble> {
        let mut holds = true;
        for row in self.rows(Level::Position) {
            holds &= self.put(row.row, map)?.is_zero();
        }
        Ok(holds)
    }

    /// Adds positions: exact or in numbers; refuses where they depend on a symbol through a row.
    fn fix_positions(&self, mut map: Substitution) -> Result<Substitution, Trouble> {
        for value in &self.bench.loaded.start.coordinates {
            let exact = match value.exact {
                Some(exact) => self.put(exact, &map)?,
                None => snapped(value.number.unwrap_or(0.0)),
            };
            map.insert(value.symbol, exact);
        }
        for row in self.rows(Level::Position) {
            let left = self.put(row.row, &map)?;
            if !left.is_zero() && !left.is_constant() {
                let names: Vec<String> = left.symbols().iter().map(|symbol| format!("`{symbol}`")).collect();
                return Err(Trouble::NoAnswer(format!(
                    "the position at this state depends on {} through `{}`, and is not known in closed form; a `guess` \
                     that solves it exactly would do",
                    names.join(", "),
                    row.name
                )));
            }
        }
        Ok(map)
    }

    /// Adds rates: those that equations fix by a linear solve.
    fn solve_rates(&self, mut map: Substitution, at: &At) -> Result<Substitution, Trouble> {
        let mut unknowns = Vec::new();
        for value in &self.bench.loaded.start.rates {
            match (value.found, value.exact) {
                (Found::Solved, _) | (_, None) => unknowns.push(value.symbol),
                (_, Some(exact)) => map.insert(value.symbol, self.put(exact, &map)?),
            }
        }
        if unknowns.is_empty() {
            return Ok(map);
        }
        let mut left = Vec::new();
        for row in self.rows(Level::Velocity) {
            left.push(self.put(row.row, &map)?);
        }
        left.retain(|row| row.symbols().iter().any(|symbol| unknowns.contains(symbol)));
        let no =
            |why: String| Trouble::NoAnswer(format!("the rates at this state are not known in closed form: {why}"));
        let (matrix, constants) = expr::linear_coefficients(&left, &unknowns).map_err(|error| no(error.to_string()))?;
        let right: Vec<Expr> = constants.into_iter().map(|constant| -constant).collect();
        let solved =
            proof::linear::solve(&Matrix::from_rows(&matrix), &right, at).map_err(|error| no(error.to_string()))?;
        map.extend(unknowns.into_iter().zip(solved));
        Ok(map)
    }
}

/// A float as an exact number; what is rounding is zero.
pub fn snapped(value: f64) -> Expr {
    if value.abs() < 1e-13 { Expr::zero() } else { number(value) }
}

/// (2) and (3).
fn slopes(
    bench: &Bench<'_>,
    parameters: &Substitution,
    map: &Substitution,
    at: &At,
) -> Result<Slopes<Valued>, Trouble> {
    let equations = &bench.equations;
    let n = equations.n();
    let moving = equations.moving();
    let unchanged: Substitution =
        moving[equations.by(By::Input)].iter().map(|&symbol| (symbol, Expr::zero())).collect();
    let state: Substitution = map.iter().chain(&unchanged).copied().collect();
    let put = |list: &[Expr], map: &Substitution| {
        let made = map.apply(list).and_then(|list| parameters.apply(&list));
        made.map_err(broken)
    };
    let motion: Vec<Expr> = equations.list[equations.of(Of::Motion).start..equations.of(Of::Acceleration).end].to_vec();
    let unknowns = &moving[2 * n..3 * n + equations.rows.len()];
    let here = put(&motion, &state)?;
    let open =
        |why: &str| Trouble::NoAnswer(format!("accelerations and reactions are not known in closed form: {why}"));
    let (matrix, constants) = expr::linear_coefficients(&here, unknowns).map_err(|error| open(&error.to_string()))?;
    let valued = |row: &Vec<Expr>| row.iter().map(|&e| Valued::new(e, at)).collect();
    let right = constants.into_iter().map(|constant| vec![Valued::new(-constant, at)]).collect();
    let x = Valuing
        .solve(matrix.iter().map(valued).collect(), right)
        .ok_or_else(|| open("their equations are singular at this state"))?;
    let found = unknowns.iter().copied().zip(x.into_iter().map(|row| row[0].e));
    let all: Substitution = state.iter().copied().chain(found).collect();
    // outputs and further equations are not needed
    let needed = equations.of(Of::ChosenRate).end;
    let mut by = Vec::with_capacity(needed);
    for &e in &equations.list[..needed] {
        by.push(expr::gradient(e, moving).map_err(broken)?);
    }
    let flat: Vec<Expr> = by.iter().flatten().copied().collect();
    let flat = put(&flat, &all)?;
    let width = moving.len();
    let by: Vec<Vec<Valued>> = match width {
        0 => vec![Vec::new(); needed],
        _ => flat.chunks(width).map(|row| row.iter().map(|&e| Valued::new(e, at)).collect()).collect(),
    };
    Ok(Slopes { values: Vec::new(), by })
}

fn broken(error: expr::MathError) -> Trouble {
    Trouble::NoAnswer(format!("an expression has no value at this state: {error}"))
}

/// Σ monomial·matrix, if every entry is a polynomial with numbers as coefficients.
fn polynomial(matrix: &[Vec<Expr>], variables: &[Expr], at: &At) -> Option<Ordered<Vec<Vec<f64>>>> {
    let mut found: Vec<(Vec<u32>, Vec<Vec<f64>>)> = Vec::new();
    for (i, row) in matrix.iter().enumerate() {
        for (j, &entry) in row.iter().enumerate() {
            if entry.is_zero() {
                continue;
            }
            for (exponents, coefficient) in expr::polynomial(entry, variables)?.terms {
                if !coefficient.is_constant() {
                    return None;
                }
                let value = at.value(coefficient);
                let place = found.iter().position(|one| one.0 == exponents).unwrap_or_else(|| {
                    found.push((exponents, vec![vec![0.0; row.len()]; matrix.len()]));
                    found.len() - 1
                });
                found[place].1[i][j] = value;
            }
        }
    }
    found.sort_by_key(|one| (one.0.iter().sum::<u32>(), one.0.clone()));
    Some(Ordered(found.into_iter().map(|(exponents, matrix)| (monomial(&exponents, variables), matrix)).collect()))
}

fn monomial(exponents: &[u32], variables: &[Expr]) -> String {
    let power = |(&exponent, symbol): (&u32, &Expr)| match exponent {
        0 => None,
        1 => Some(symbol.to_string()),
        _ => Some(format!("{symbol}^{exponent}")),
    };
    let factors: Vec<String> = exponents.iter().zip(variables).filter_map(power).collect();
    if factors.is_empty() { "1".to_owned() } else { factors.join("*") }
}

/// An entry for people: numbers times monomials, or a simplified expression.
fn written(e: Expr, variables: &[Expr], at: &At) -> String {
    if e.is_zero() {
        return "0".to_owned();
    }
    if e.is_constant() {
        return expr::decimal(at.value(e));
    }
    let sum = expr::polynomial(e, variables).filter(|sum| sum.terms.iter().all(|term| term.1.is_constant()));
    let Some(sum) = sum else {
        let e = if e.operations() <= LONG { expr::simplify(e, &[]) } else { e };
        return if e.operations() <= LONG { e.to_string() } else { e.brief() };
    };
    let mut text = String::new();
    for (exponents, coefficient) in &sum.terms {
        let value = at.value(*coefficient);
        let sign = match (text.is_empty(), value < 0.0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let size = expr::decimal(value.abs());
        let part = match monomial(exponents, variables) {
            one if one == "1" => size,
            product if size == "1" => product,
            product => format!("{size}*{product}"),
        };
        text.push_str(&format!("{sign}{part}"));
    }
    text
}
