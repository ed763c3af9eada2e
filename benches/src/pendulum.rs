//! The n-fold plane pendulum: absolute angles, symbolic masses and lengths.
//!
//! ```text
//! L = Σ ½ mᵢ (ẋᵢ² + ẏᵢ²) − g mᵢ yᵢ       xᵢ = Σ l_j sin a_j,  yᵢ = −Σ l_j cos a_j   over j ≤ i    (1)
//! d/dt ∂L/∂ȧᵢ − ∂L/∂aᵢ                                                                         (2)
//! = Σⱼ μ_max(i,j) lᵢ lⱼ (cos(aᵢ − aⱼ) äⱼ + sin(aᵢ − aⱼ) ȧⱼ²) + g μᵢ lᵢ sin aᵢ                    (3)
//! μᵢ = Σ m_k over k ≥ i
//! ```

use expr::{Expr, coordinate, gradient, parameter, rational, total_derivative};

/// A pendulum's symbols and its Lagrangian (1).
pub struct Pendulum {
    pub angles: Vec<Expr>,
    pub rates: Vec<Expr>,
    masses: Vec<Expr>,
    lengths: Vec<Expr>,
    g: Expr,
    pub lagrangian: Expr,
}

impl Pendulum {
    pub fn new(links: usize) -> Pendulum {
        let list = |name: &str, make: fn(&str) -> Expr| -> Vec<Expr> {
            (1..=links).map(|i| make(&format!("{name}[{i}]"))).collect()
        };
        let (angles, masses, lengths) = (list("a", coordinate), list("m", parameter), list("l", parameter));
        let rates: Vec<Expr> = angles.iter().map(|&angle| in_time(angle)).collect();
        let g = parameter("g");
        let (half, mut x, mut y) = (rational(1, 2), Expr::zero(), Expr::zero());
        let mut terms = Vec::new();
        for ((&a, &m), &l) in angles.iter().zip(&masses).zip(&lengths) {
            (x, y) = (x + l * a.sin(), y - l * a.cos());
            terms.push(half * m * (in_time(x).pow(2) + in_time(y).pow(2)) - g * m * y);
        }
        Pendulum { angles, rates, masses, lengths, g, lagrangian: terms.into_iter().sum() }
    }

    /// All variables of the Lagrangian: angles, then rates.
    pub fn variables(&self) -> Vec<Expr> {
        [self.angles.as_slice(), &self.rates].concat()
    }

    /// Lagrange's equations (2).
    pub fn equations(&self) -> Vec<Expr> {
        let slopes = gradient(self.lagrangian, &self.variables()).expect("the Lagrangian is smooth");
        let (forces, momenta) = slopes.split_at(self.angles.len());
        momenta.iter().zip(forces).map(|(&p, &f)| in_time(p) - f).collect()
    }

    /// The same by hand (3).
    pub fn equations_by_hand(&self) -> Vec<Expr> {
        let mut beyond: Vec<Expr> = self.masses.clone();
        for i in (1..beyond.len()).rev() {
            beyond[i - 1] = beyond[i - 1] + beyond[i];
        }
        let accelerations: Vec<Expr> = self.rates.iter().map(|&rate| in_time(rate)).collect();
        let row = |i: usize| {
            let (a, l) = (self.angles[i], self.lengths[i]);
            let coupling = |j: usize| {
                let turn = a - self.angles[j];
                let motion = turn.cos() * accelerations[j] + turn.sin() * self.rates[j].pow(2);
                beyond[i.max(j)] * l * self.lengths[j] * motion
            };
            (0..self.angles.len()).map(coupling).sum::<Expr>() + self.g * beyond[i] * l * a.sin()
        };
        (0..self.angles.len()).map(row).collect()
    }
}

fn in_time(e: Expr) -> Expr {
    total_derivative(e).expect("the pendulum moves smoothly")
}
