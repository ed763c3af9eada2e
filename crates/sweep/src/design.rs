//! Which values does each point have?
//!
//! ```text
//! m=0.5..2:16              sixteen values, both ends among them              k=1|2|5      these three         grid
//! a~uniform(-1, 1):100     drawn; also normal(mean, deviation), halton(low, high)                   drawn together
//! ```
//!
//! Grids are crossed with each other, with what is drawn, and with the rows of a table; the last of the grid runs fastest.
//!
//! Source of halton: J. H. Halton, On the efficiency of certain quasi-random sequences of points in evaluating
//! multi-dimensional integrals, Numerische Mathematik 2 (1960) 84–90.

use engine::{Error, Field};

use crate::random::pair;
use crate::{Sweep, split, wrong};

/// More points than these are refused: a wish of that size is a slip.
const MOST: usize = 100_000_000;

/// The points of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    grid: Vec<(String, Vec<f64>)>,
    drawn: Vec<(String, Law)>,
    draws: usize,
    /// Names and rows of a table.
    table: (Vec<String>, Vec<Vec<f64>>),
    seed: u64,
    points: usize,
}

/// How a value is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    Uniform(f64, f64),
    Normal(f64, f64),
    /// In the base of this prime.
    Halton(f64, f64, u64),
}

impl Design {
    /// Reads what is varied.
    ///
    /// ```
    /// use sweep::{Design, Sweep};
    /// let design = Design::of(&Sweep { vary: "m=1..2:3, k=5|7".to_owned(), ..Sweep::default() }).unwrap();
    /// assert_eq!((design.points(), design.at(1), design.at(4)), (6, vec![1.0, 7.0], vec![2.0, 5.0]));
    /// ```
    pub fn of(wanted: &Sweep) -> Result<Design, Error> {
        let mut design = Design {
            grid: Vec::new(),
            drawn: Vec::new(),
            draws: 1,
            table: (Vec::new(), vec![Vec::new()]),
            seed: wanted.seed,
            points: 0,
        };
        let mut counts: Vec<(String, usize)> = Vec::new();
        for item in split(&wanted.vary) {
            match (item.split_once('~'), item.split_once('=')) {
                (Some((name, law)), _) => {
                    let (law, count) = drawn(item, law, design.drawn.len())?;
                    design.drawn.push((name.trim().to_owned(), law));
                    counts.push((item.to_owned(), count));
                }
                (None, Some((name, values))) => design.grid.push((name.trim().to_owned(), grid(item, values)?)),
                (None, None) => return Err(unread(item)),
            }
        }
        if let Some(pair) = counts.windows(2).find(|pair| pair[0].1 != pair[1].1) {
            let message = format!("`{}` and `{}` are drawn together, so often each", pair[0].0, pair[1].0);
            return Err(wrong(Field::Vary, message).hint("give all that is drawn the same number of points"));
        }
        design.draws = counts.first().map_or(1, |count| count.1);
        if let Some(text) = &wanted.table {
            design.table = table(text)?;
        }
        design.counted()
    }

    /// Names stand once, and there are not too many points.
    fn counted(mut self) -> Result<Design, Error> {
        let names: Vec<&str> = self.names().collect();
        if names.is_empty() {
            return Err(wrong(Field::Vary, "nothing is varied".to_owned())
                .hint(format!("say what, as in `{}`", Field::Vary.asked("\"m=0.5..2:16\""))));
        }
        if let Some(twice) = names.iter().enumerate().find(|(k, name)| names[..*k].contains(name)) {
            return Err(wrong(Field::Vary, format!("`{}` is varied twice", twice.1)));
        }
        let sizes = self.grid.iter().map(|one| one.1.len()).chain([self.draws, self.table.1.len()]);
        let points = sizes.fold(1_usize, usize::saturating_mul);
        if points > MOST {
            return Err(wrong(Field::Vary, format!("{points} points are more than {MOST}")));
        }
        self.points = points;
        Ok(self)
    }

    /// How many points there are.
    pub fn points(&self) -> usize {
        self.points
    }

    /// What is varied, in the order of the values.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let grid = self.grid.iter().map(|one| one.0.as_str());
        grid.chain(self.drawn.iter().map(|one| one.0.as_str())).chain(self.table.0.iter().map(String::as_str))
    }

    /// The values of a point.
    pub fn at(&self, point: usize) -> Vec<f64> {
        let (mut rest, mut values) = (point, vec![0.0; self.grid.len()]);
        for ((_, list), value) in self.grid.iter().zip(&mut values).rev() {
            *value = list[rest % list.len()];
            rest /= list.len();
        }
        let draw = rest % self.draws;
        for (variable, (_, law)) in self.drawn.iter().enumerate() {
            values.push(law.at(self.seed, draw, variable));
        }
        let rows = &self.table.1;
        values.extend(&rows[(rest / self.draws) % rows.len()]);
        values
    }
}

impl Law {
    fn at(self, seed: u64, draw: usize, variable: usize) -> f64 {
        let [first, second] = pair(seed, draw, variable);
        match self {
            Law::Uniform(low, high) => low + (high - low) * first,
            // Box and Muller; 1 − x is never zero
            Law::Normal(mean, deviation) => {
                mean + deviation * (-2.0 * (1.0 - first).ln()).sqrt() * (std::f64::consts::TAU * second).cos()
            }
            Law::Halton(low, high, base) => low + (high - low) * radical_inverse(draw as u64 + 1, base),
        }
    }
}

/// The digits of a number in a base, mirrored at the point.
fn radical_inverse(mut number: u64, base: u64) -> f64 {
    let (mut value, mut weight) = (0.0, 1.0);
    while number > 0 {
        weight /= base as f64;
        value += weight * (number % base) as f64;
        number /= base;
    }
    value
}

fn unread(item: &str) -> Error {
    wrong(Field::Vary, format!("`{item}` says not what is varied and how"))
        .hint("write `m=0.5..2:16` or `m=1|2|5` for a grid, `a~uniform(-1, 1):100` to draw")
}

fn number(item: &str, text: &str) -> Result<f64, Error> {
    let value: f64 = text.trim().parse().map_err(|_| {
        wrong(Field::Vary, format!("`{}` in `{item}` is no number", text.trim())).hint("numbers here are in SI units")
    })?;
    match value.is_finite() {
        true => Ok(value),
        false => Err(wrong(Field::Vary, format!("`{}` in `{item}` is not finite", text.trim()))),
    }
}

fn count(item: &str, text: &str) -> Result<usize, Error> {
    match text.trim().parse::<usize>() {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(wrong(Field::Vary, format!("`{}` in `{item}` is no number of points", text.trim()))),
    }
}

/// `0.5..2:16` or `1|2|5`.
fn grid(item: &str, values: &str) -> Result<Vec<f64>, Error> {
    let Some((low, rest)) = values.split_once("..") else {
        return values.split('|').map(|value| number(item, value)).collect();
    };
    let Some((high, points)) = rest.split_once(':') else {
        return Err(wrong(Field::Vary, format!("`{item}` does not say how many points"))
            .hint(format!("`{}:16` has sixteen, both ends among them", item.trim())));
    };
    let (low, high, points) = (number(item, low)?, number(item, high)?, count(item, points)?);
    if points == 1 && low != high {
        return Err(wrong(Field::Vary, format!("`{item}` has one point and two ends")));
    }
    let share = |k: usize| k as f64 / (points - 1).max(1) as f64;
    Ok((0..points).map(|k| if k + 1 == points { high } else { low + (high - low) * share(k) }).collect())
}

/// `uniform(-1, 1):100`.
fn drawn(item: &str, law: &str, before: usize) -> Result<(Law, usize), Error> {
    const PRIMES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    let parts = || {
        let (kind, rest) = law.trim().split_once('(')?;
        let (inside, points) = rest.split_once(')')?;
        let (first, second) = inside.split_once(',')?;
        Some((kind.trim(), first, second, points.trim().strip_prefix(':')?))
    };
    let Some((kind, first, second, points)) = parts() else { return Err(unread(item)) };
    let (first, second) = (number(item, first)?, number(item, second)?);
    let law = match kind {
        "uniform" => Law::Uniform(first, second),
        "normal" if second >= 0.0 => Law::Normal(first, second),
        "normal" => return Err(wrong(Field::Vary, format!("the deviation in `{item}` is negative"))),
        "halton" => match PRIMES.get(before) {
            Some(&prime) => Law::Halton(first, second, prime),
            None => return Err(wrong(Field::Vary, format!("`halton` fills at most {} dimensions", PRIMES.len()))),
        },
        _ => {
            return Err(wrong(Field::Vary, format!("there is no law `{kind}`"))
                .hint("the laws are uniform(low, high), normal(mean, deviation), halton(low, high)"));
        }
    };
    Ok((law, count(item, points)?))
}

/// A table with names in its first line.
fn table(text: &str) -> Result<(Vec<String>, Vec<Vec<f64>>), Error> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let names: Vec<String> = match lines.next() {
        Some((_, line)) => line.split(',').map(|name| name.trim().trim_matches('"').to_owned()).collect(),
        None => return Err(wrong(Field::Points, "the table of points is empty".to_owned())),
    };
    let mut rows = Vec::new();
    for (place, line) in lines {
        let at = |what: String| wrong(Field::Points, format!("line {} of the table of points {what}", place + 1));
        let row: Result<Vec<f64>, _> = line.split(',').map(|cell| cell.trim().parse::<f64>()).collect();
        let row = row.map_err(|_| at("holds something that is no number".to_owned()))?;
        if row.len() != names.len() || row.iter().any(|value| !value.is_finite()) {
            return Err(at(format!("has no {} finite numbers, one for each name", names.len())));
        }
        rows.push(row);
    }
    match rows.is_empty() {
        true => Err(wrong(Field::Points, "the table of points has no row".to_owned())),
        false => Ok((names, rows)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(vary: &str, table: Option<&str>) -> Result<Design, String> {
        let wanted = Sweep { vary: vary.to_owned(), table: table.map(str::to_owned), seed: 5, ..Sweep::default() };
        Design::of(&wanted).map_err(|error| error.to_string())
    }

    #[test]
    fn grids_draws_and_rows_are_crossed() {
        let all = design("m=0..1:2, a~uniform(-1, 1):3, b~normal(0, 2):3", Some("k,c\n1,2\n3,4\n")).unwrap();
        assert_eq!(all.points(), 2 * 3 * 2);
        assert_eq!(all.names().collect::<Vec<_>>(), ["m", "a", "b", "k", "c"]);
        let points: Vec<Vec<f64>> = (0..12).map(|point| all.at(point)).collect();
        // the grid runs fastest, a draw is the same for every value of it
        assert_eq!((points[0][0], points[1][0], points[0][1]), (0.0, 1.0, points[1][1]));
        assert!(points[2][1] != points[0][1] && points.iter().all(|point| point[1].abs() <= 1.0));
        assert_eq!((&points[5][3..], &points[6][3..], points[6][1]), (&[1.0, 2.0][..], &[3.0, 4.0][..], points[0][1]));
    }

    #[test]
    fn draws_follow_their_laws() {
        let all = design("a~normal(3, 2):4000, b~halton(0, 1):4000, c~uniform(2, 4):4000", None).unwrap();
        let mean = |k: usize| (0..4000).map(|point| all.at(point)[k]).sum::<f64>() / 4000.0;
        let spread = (0..4000).map(|point| (all.at(point)[0] - 3.0).powi(2)).sum::<f64>() / 4000.0;
        assert!((mean(0) - 3.0).abs() < 0.1 && (spread.sqrt() - 2.0).abs() < 0.1, "{} {spread}", mean(0));
        assert!((mean(1) - 0.5).abs() < 2e-3 && (mean(2) - 3.0).abs() < 0.03, "{} {}", mean(1), mean(2));
        assert_eq!([1, 2, 3, 4].map(|n| radical_inverse(n, 2)), [0.5, 0.25, 0.75, 0.125]);
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        for (vary, says) in [
            ("", "nothing is varied"),
            ("m", "`m` says not what is varied"),
            ("m=1..2", "does not say how many points"),
            ("m=1..x:3", "`x` in `m=1..x:3` is no number"),
            ("m=1..2:0", "no number of points"),
            ("m=1|2, m=3", "`m` is varied twice"),
            ("a~uniform(0, 1):3, b~uniform(0, 1):4", "drawn together"),
            ("a~gauss(0, 1):3", "there is no law `gauss`"),
            ("a~normal(0, -1):3", "negative"),
            ("a=0..1:100000, b=0..1:100000", "more than"),
        ] {
            let error = design(vary, None).unwrap_err();
            assert!(error.contains(says), "{vary}: {error}");
        }
        assert!(design("", Some("k\n1\nx\n")).unwrap_err().contains("line 3"));
    }
}
