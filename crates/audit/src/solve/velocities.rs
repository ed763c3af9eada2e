//! In which velocities are constraints on rates spent without a division by something that moves?
//!
//! ```text
//! R z' + r = 0         z = (z_I, z_J), det(R_J R_Jᵀ) constant                                          (1)
//! z_I' = v             z_J' = −R_Jᵀ (R_J R_Jᵀ)⁻¹ (R_I v + r) + N s          R_J N = 0                  (2)
//! s = N·z_J'/N·N       since the first part of z_J' is perpendicular to N                              (3)
//! ```
//!
//! So the velocity of a sled is taken along its blade, and the rate of its angle is left as it is.

use expr::{At, Expr, Substitution};
use proof::linear::{Matrix, determinant, solve};

use super::linear::short;

/// Above so many coordinates not all choices of J are tried.
const MOST: usize = 10;
/// Constraints with more operations are not looked at.
const LONGEST: usize = 2_000;
/// So many choices of J are tried.
const CHOICES: usize = 4;

/// Velocities, and rates by them.
pub struct Velocities {
    /// The velocities as symbols.
    pub v: Vec<Expr>,
    /// Their names.
    pub names: Vec<String>,
    /// Their definitions in z, z', t.
    pub forward: Vec<Expr>,
    /// z' by z, v, t.
    pub rates: Vec<Expr>,
}

impl Velocities {
    /// Spends rows on rates, R z' + r = 0: choices to be tried, the likeliest first.
    pub fn of(z: &[Expr], z_dot: &[Expr], rows: &[Expr], t: Expr, at: &At) -> Result<Vec<Velocities>, String> {
        if rows.is_empty() {
            let names: Vec<String> = z.iter().map(|z| format!("v_{z}")).collect();
            let v: Vec<Expr> = names.iter().map(|name| velocity(name)).collect();
            return Ok(vec![Velocities { rates: v.clone(), v, names, forward: z_dot.to_vec() }]);
        }
        let (R, r) =
            expr::linear_coefficients(rows, z_dot).map_err(|_| "a constraint is not linear in the rates".to_owned())?;
        if R.iter().flatten().map(|e| e.operations()).sum::<usize>() > LONGEST {
            return Err("the constraints on rates are too long".to_owned());
        }
        let R: Vec<Vec<Expr>> = R.into_iter().map(|row| row.into_iter().map(short).collect()).collect();
        if z.len() > MOST {
            return Err(format!("more than {MOST} coordinates stand in constraints on rates"));
        }
        // what R depends on is left as it is, if that can be
        let inside: Vec<Expr> = R.iter().flatten().flat_map(|e| e.symbols()).collect();
        let wide = rows.len() as u32 + 1;
        let mut sets: Vec<u32> =
            (1..1_u32 << z.len()).filter(|set| (rows.len() as u32..=wide).contains(&set.count_ones())).collect();
        let J = |set: u32| (0..z.len()).filter(move |place| set & 1 << place != 0);
        sets.sort_by_key(|&set| {
            (J(set).filter(|&place| inside.contains(&z[place])).count(), set.count_ones(), std::cmp::Reverse(set))
        });
        let choices = sets.into_iter().filter_map(|set| spent(&J(set).collect::<Vec<_>>(), &R, &r, (z, z_dot), t, at));
        let choices: Vec<Velocities> = choices.take(CHOICES).collect();
        match choices.is_empty() {
            true => {
                Err("the constraints on rates leave no velocities in which nothing that moves is divided by".to_owned())
            }
            false => Ok(choices),
        }
    }
}

fn velocity(name: &str) -> Expr {
    expr::symbol(expr::Symbol::new(&format!("solve@{name}"), expr::Kind::Parameter))
}

fn spent(
    J: &[usize],
    R: &[Vec<Expr>],
    r: &[Expr],
    (z, z_dot): (&[Expr], &[Expr]),
    t: Expr,
    at: &At,
) -> Option<Velocities> {
    let of_J: Vec<Vec<Expr>> = R.iter().map(|row| J.iter().map(|&j| row[j]).collect()).collect();
    let dot = |a: &[Expr], b: &[Expr]| -> Expr { a.iter().zip(b).map(|(&a, &b)| a * b).sum() };
    let gram: Vec<Vec<Expr>> = of_J.iter().map(|a| of_J.iter().map(|b| dot(a, b)).collect()).collect();
    let moving: Vec<Expr> = z.iter().copied().chain([t]).collect();
    let moves = |e: Expr| expr::gradient(e, &moving).map_or(true, |slopes| slopes.iter().any(|slope| !slope.is_zero()));
    if gram.iter().flatten().any(|&e| moves(e)) {
        return None;
    }
    let gram: Vec<Vec<Expr>> = gram.into_iter().map(|row| row.into_iter().map(short).collect()).collect();
    let size = short(determinant(&Matrix::from_rows(&gram), at));
    let seems = |e: Expr| e.symbols().iter().any(|symbol| moving.contains(symbol));
    if size.is_zero() || at.value(size) == 0.0 || gram.iter().flatten().any(|&e| seems(e)) {
        return None;
    }
    let is_free = |place: &usize| !J.contains(place);
    let mut names: Vec<String> = (0..z.len()).filter(is_free).map(|place| format!("v_{}", z[place])).collect();
    let mut v: Vec<Expr> = names.iter().map(|name| velocity(name)).collect();
    let mut forward: Vec<Expr> = (0..z.len()).filter(is_free).map(|place| z_dot[place]).collect();
    let free: Substitution = forward.iter().copied().zip(v.iter().copied()).collect();
    // R_I v + r
    let rest = |(row, &r): (&Vec<Expr>, &Expr)| {
        let terms =
            (0..z.len()).filter(is_free).map(|place| row[place] * free.value_of(z_dot[place]).unwrap_or(Expr::zero()));
        terms.chain([r]).sum::<Expr>()
    };
    let rest: Vec<Expr> = R.iter().zip(r).map(rest).collect();
    let weights = solve(&Matrix::from_rows(&gram), &rest, at).ok()?;
    let mut rates: Vec<Expr> = (0..z.len()).map(|place| free.value_of(z_dot[place]).unwrap_or(Expr::zero())).collect();
    for (place, &j) in J.iter().enumerate() {
        rates[j] = short(-of_J.iter().zip(&weights).map(|(row, &w)| row[place] * w).sum::<Expr>());
    }
    if J.len() == R.len() + 1 {
        let N = across(&of_J, size, at);
        let along: Vec<Expr> = J.iter().map(|&j| z_dot[j]).collect();
        names.push("v".to_owned());
        let s = velocity("v");
        v.push(s);
        forward.push(dot(&N, &along));
        for (&j, &n) in J.iter().zip(&N) {
            rates[j] += n * s;
        }
    }
    Some(Velocities { v, names, forward, rates })
}

/// The unit vector across rows of which there is one fewer than columns, by minors. Its length before is the root of
/// det(R Rᵀ), the size.
fn across(R: &[Vec<Expr>], size: Expr, at: &At) -> Vec<Expr> {
    let columns = R.len() + 1;
    let minor = |left_out: usize| {
        let rows: Vec<Vec<Expr>> =
            R.iter().map(|row| (0..columns).filter(|&k| k != left_out).map(|k| row[k]).collect()).collect();
        let sign = if left_out.is_multiple_of(2) { Expr::one() } else { -Expr::one() };
        sign * determinant(&Matrix::from_rows(&rows), at)
    };
    let length = super::linear::root(size);
    (0..columns).map(|left_out| short(minor(left_out) / length)).collect()
}
