//! Where the stiffness vanishes in one direction: which term of the energy decides?
//!
//! ```text
//! F(z) = 0,  J = F_z,  J v = 0,  e J = 0        z = (q, λ); one direction v, and one e                            (1)
//! z(s):  z⁽¹⁾ = v,  J z⁽ᵏ⁾ = −R_k               R_k = dᵏF/dsᵏ at s = 0 but for z⁽ᵏ⁾: all but one equation hold     (2)
//! e·F(z(s)) = e·R_k sᵏ/k! + …                   the first e·R_k that is not zero (Lyapunov and Schmidt)            (3)
//! ```
//!
//! (3) is the force along v when the other directions have given way: k even, it leads the same way on both sides; k odd,
//! back or away on both. On a branch the e·R_k are numbers whose signs are proved.

use algebra::{Branch, Sign};
use expr::{Expr, Substitution};
use proof::linear::{self, Matrix, null_space};

use super::statics::Statics;
use engine::Loaded;

/// Terms of the force up to this power are looked at.
const MOST_POWER: u32 = 7;
/// Longer terms, in operations, are not.
const MOST_OPERATIONS: usize = 20_000;

/// The first term of the force along a direction without stiffness.
#[derive(Clone, Debug)]
pub struct Leading {
    /// Its power k.
    pub power: u32,
    /// Whether it pushes towards larger s, for s > 0.
    pub is_forward: bool,
    /// The direction v, for all coordinates.
    pub direction: Vec<f64>,
}

impl Leading {
    /// Whether the force leads back for s > 0, and for s < 0.
    pub fn leads_back(&self) -> (bool, bool) {
        let is_odd = self.power % 2 == 1;
        (!self.is_forward, if is_odd { !self.is_forward } else { self.is_forward })
    }
}

/// The first term at a point of a branch without free unknowns, with the values of the model; nothing if there is more
/// than one direction, or if a sign was not proved.
pub fn leading(loaded: &Loaded, statics: &Statics, branch: &Branch) -> Option<Leading> {
    let has_one_value = branch.free.iter().all(|unknown| !statics.q.contains(unknown));
    if !statics.is_potential || statics.is_nonholonomic() || !statics.loads.is_empty() || !has_one_value {
        return None;
    }
    let values = loaded.system.parameters.iter().filter_map(|one| Some((one.symbol, one.value?))).collect();
    Flat { loaded, statics, branch, values }.find_leading()
}

/// A point of a branch, with the values of the model.
struct Flat<'a> {
    loaded: &'a Loaded,
    statics: &'a Statics,
    branch: &'a Branch,
    values: Substitution,
}

/// The one direction without stiffness (1).
struct Direction {
    v: Vec<Expr>,
    e: Vec<Expr>,
    /// Whether e points against v.
    is_turned: bool,
}

/// What a power says.
enum Term {
    /// The first that is not zero: whether e·R_k is positive.
    Pushes(bool),
    /// It is zero, and these are z⁽ᵏ⁾.
    Vanishes(Vec<Expr>),
}

impl Flat<'_> {
    /// Puts an expression at the point; `jets` are derivatives of z.
    fn put(&self, e: Expr, jets: &Substitution) -> Option<Expr> {
        let there = jets.apply_one(self.branch.put(e).ok()?).ok()?;
        self.values.apply_one(there).ok()
    }

    /// Follows (2), power by power, until (3) is not zero.
    fn find_leading(&self) -> Option<Leading> {
        let named = self.statics.equations();
        let mut terms: Vec<Expr> = named.iter().map(|one| one.1).collect();
        let lambdas = self.statics.rows.list.iter().map(|row| row.lambda);
        let z: Vec<Expr> = self.statics.searched.iter().map(|&s| self.statics.q[s]).chain(lambdas).collect();
        let slopes = expr::jacobian(&terms, &z).ok()?;
        let J: Vec<Vec<Expr>> = slopes
            .iter()
            .map(|row| row.iter().map(|&e| self.put(e, &Substitution::new())).collect())
            .collect::<Option<_>>()?;
        let direction = self.find_direction(&J, z.len(), &named)?;
        // one more derivative of z for each term, as symbols
        let jet = |order: u32| -> Vec<Expr> {
            (0..z.len()).map(|k| expr::parameter(&format!("z{k}@{order}@statics"))).collect()
        };
        let mut flow: Vec<(Expr, Expr)> = Vec::new();
        let mut known = Substitution::new();
        let mut last = z.clone();
        for power in 1..=MOST_POWER {
            let next = jet(power);
            flow.extend(last.iter().copied().zip(next.iter().copied()));
            terms = expr::directional(&terms, &flow).ok()?;
            if terms.iter().map(|term| term.operations()).sum::<usize>() > MOST_OPERATIONS {
                return None;
            }
            let mut jets = known.clone();
            jets.extend(next.iter().map(|&symbol| (symbol, Expr::zero())));
            let rest: Vec<Expr> = terms.iter().map(|&term| self.put(term, &jets)).collect::<Option<_>>()?;
            let found =
                if power > 1 { self.weigh(&J, &direction, &rest)? } else { Term::Vanishes(direction.v.clone()) };
            match found {
                Term::Pushes(is_positive) => return Some(self.tell(power, is_positive, &direction)),
                Term::Vanishes(values) => known.extend(next.iter().copied().zip(values)),
            }
            last = next;
        }
        None
    }

    /// Finds v and e (1), if each is the only one, and their common sign: e is v, but for its size.
    fn find_direction(&self, J: &[Vec<Expr>], width: usize, named: &[(String, Expr)]) -> Option<Direction> {
        let turned: Vec<Vec<Expr>> = (0..width).map(|k| J.iter().map(|row| row[k]).collect()).collect();
        let null = |rows: &[Vec<Expr>]| null_space(&Matrix::from_rows(rows), &self.loaded.at).ok();
        let (right, left) = (null(J)?, null(&turned)?);
        let ([v], [e]) = (&right[..], &left[..]) else { return None };
        let row_of = |s: usize| named.iter().position(|one| one.0 == self.statics.names[s]);
        let shared = |(k, &s): (usize, &usize)| row_of(s).map(|row| e[row] * v[k]);
        let shared: Expr = self.statics.searched.iter().enumerate().filter_map(shared).sum();
        let is_turned = match algebra::sign(shared, &[]) {
            Sign::Positive => false,
            Sign::Negative => true,
            Sign::Zero | Sign::Open => return None,
        };
        Some(Direction { v: v.clone(), e: e.clone(), is_turned })
    }

    /// Weighs e·R_k (3), and solves for z⁽ᵏ⁾ (2) if it is zero; nothing if its sign is open.
    fn weigh(&self, J: &[Vec<Expr>], direction: &Direction, rest: &[Expr]) -> Option<Term> {
        let push: Expr = direction.e.iter().zip(rest).map(|(&e, &rest)| e * rest).sum();
        match algebra::sign(push, &[]) {
            Sign::Open => None,
            Sign::Zero => {
                let right: Vec<Expr> = rest.iter().map(|&rest| -rest).collect();
                let J = Matrix::from_rows(J);
                let found = linear::solve_for(&J, &right, linear::Columns::Any, &self.loaded.at).ok()?;
                let mut values = vec![Expr::zero(); direction.v.len()];
                found.dependent.iter().zip(&found.constants).for_each(|(&k, &value)| values[k] = value);
                Some(Term::Vanishes(values))
            }
            sign => Some(Term::Pushes(sign == Sign::Positive)),
        }
    }

    /// Tells the first term, with its direction in all coordinates.
    fn tell(&self, power: u32, is_positive: bool, found: &Direction) -> Leading {
        let mut direction = vec![0.0; self.statics.q.len()];
        self.statics.searched.iter().zip(&found.v).for_each(|(&s, v)| direction[s] = self.loaded.at.value(*v));
        Leading { power, is_forward: is_positive != found.is_turned, direction }
    }
}
