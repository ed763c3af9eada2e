//! Which coordinates are left when geometric constraints are spent?
//!
//! ```text
//! a z + b = 0, a free of coordinates               z = −b/a                                                (1)
//! a A² + b B² = r, A and B linear, a, b, r free    A = √(r/a) sin φ,  B = √(r/b) cos φ, φ a new coordinate  (2)
//! ```
//!
//! Other geometric constraints are not solved, and said so.

use expr::{Expr, Substitution};

use super::linear::{root, short};

/// Coordinates in terms of those that are left.
pub struct Place {
    /// What is left: coordinates of the model and angles (2).
    pub z: Vec<Expr>,
    /// Each coordinate of the model by z.
    pub q: Vec<Expr>,
    /// The angles, with A and B over their radii, in the coordinates of the model: cos φ and sin φ.
    pub angles: Vec<Angle>,
}

/// A new coordinate.
pub struct Angle {
    /// It.
    pub phi: Expr,
    /// Its cosine and its sine in the coordinates of the model.
    pub cos_sin: [Expr; 2],
}

impl Place {
    /// Spends constraints f(q, t) = 0, with their names.
    pub fn of(q: &[Expr], rows: &[(String, Expr)], t: Expr, is_taken: &dyn Fn(&str) -> bool) -> Result<Place, String> {
        let mut place = Place { z: q.to_vec(), q: q.to_vec(), angles: Vec::new() };
        let mut open: Vec<(String, Expr)> = rows.to_vec();
        while !open.is_empty() {
            let spent = (0..open.len()).find_map(|row| Some((row, place.spend(open[row].1, t, is_taken)?)));
            let Some((row, map)) = spent else {
                let names: Vec<String> = open.iter().map(|row| format!("`{}`", row.0)).collect();
                return Err(format!(
                    "the geometric constraint {} is not solved for a coordinate: it is neither linear in one, nor an ellipse of two",
                    names.join(", ")
                ));
            };
            open.remove(row);
            let failed = |error: expr::MathError| error.to_string();
            for one in &mut open {
                one.1 = short(map.apply_one(one.1).map_err(failed)?);
            }
            place.q = map.apply(&place.q).map_err(failed)?;
            open.retain(|row| !row.1.is_zero());
        }
        place.q = place.q.iter().map(|&e| short(e)).collect();
        Ok(place)
    }

    fn spend(&mut self, f: Expr, t: Expr, is_taken: &dyn Fn(&str) -> bool) -> Option<Substitution> {
        self.linear(f).or_else(|| self.ellipse(f, t, is_taken))
    }

    /// (1), for the last coordinate that allows it.
    fn linear(&mut self, f: Expr) -> Option<Substitution> {
        let is_free = |e: Expr| !e.symbols().iter().any(|symbol| self.z.contains(symbol));
        let (place, value) = self.z.iter().enumerate().rev().find_map(|(place, &z)| {
            let slope = short(expr::derivative(f, z).ok()?);
            if slope.is_zero() || !is_free(slope) {
                return None;
            }
            let rest = Substitution::new().and(z, Expr::zero()).apply_one(f).ok()?;
            Some((place, short((-rest).try_div(slope).ok()?)))
        })?;
        let z = self.z.remove(place);
        Some(Substitution::new().and(z, value))
    }

    /// (2).
    fn ellipse(&mut self, f: Expr, t: Expr, is_taken: &dyn Fn(&str) -> bool) -> Option<Substitution> {
        if f.symbols().contains(&t) {
            return None;
        }
        let (first, rest) = (0..self.z.len()).rev().find_map(|place| Some((place, self.square(f, place)?)))?;
        let (second, last) = (0..self.z.len())
            .rev()
            .filter(|&place| place != first)
            .find_map(|place| Some((place, self.square(rest.rest, place)?)))?;
        if last.rest.symbols().iter().any(|symbol| self.z.contains(symbol)) {
            return None;
        }
        let radius = |before: Expr| Some(root((-last.rest).try_div(before).ok()?));
        let (a, b) = (radius(rest.before)?, radius(last.before)?);
        let is_old = |name: &str| is_taken(name) || self.angles.iter().any(|one| one.phi.to_string() == name);
        let phi = expr::coordinate(&fresh("phi", &is_old));
        let (zi, zj) = (self.z[first], self.z[second]);
        // zj stands in B alone, zi in A alone
        let at_j = zj - last.line + b * phi.cos();
        let at_i = zi - rest.line + a * phi.sin();
        let at_i = Substitution::new().and(zj, at_j).apply_one(at_i).ok()?;
        self.angles.push(Angle { phi, cos_sin: [last.line.try_div(b).ok()?, rest.line.try_div(a).ok()?] });
        self.z.retain(|&z| z != zi && z != zj);
        self.z.push(phi);
        Some(Substitution::new().and(zi, short(at_i)).and(zj, short(at_j)))
    }

    /// f = before·line² + rest, where `line` is the coordinate plus others, and `rest` is free of the coordinate.
    fn square(&self, f: Expr, place: usize) -> Option<Square> {
        let z = self.z[place];
        let polynomial = expr::polynomial(f, &self.z).filter(|polynomial| polynomial.degree() == Some(2))?;
        let exponents = |other: usize| {
            let mut list = vec![0; self.z.len()];
            list[place] += 1;
            list[other] += 1;
            list
        };
        let before = polynomial.coefficient(&exponents(place));
        if before.is_zero() {
            return None;
        }
        let others = (0..self.z.len()).filter(|&other| other != place);
        let mut alone = vec![0; self.z.len()];
        alone[place] = 1;
        let slope: Expr = others.map(|other| polynomial.coefficient(&exponents(other)) * self.z[other]).sum();
        let line = z + short((slope + polynomial.coefficient(&alone)) / (before + before));
        let rest = expr::expand(f - before * line * line).ok()?;
        (!rest.symbols().contains(&z)).then_some(Square { before, line, rest })
    }
}

struct Square {
    before: Expr,
    line: Expr,
    rest: Expr,
}

/// A name that nobody has.
pub fn fresh(name: &str, is_taken: &dyn Fn(&str) -> bool) -> String {
    let names = std::iter::once(name.to_owned()).chain((1..).map(|n| format!("{name}_{n}")));
    names.into_iter().find(|name| !is_taken(name)).unwrap_or_default()
}
