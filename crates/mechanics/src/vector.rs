//! What is a vector? Three components along the axes of `N`, with the operators of the page.
//!
//! ```text
//! a·b = Σ aᵢbᵢ      a × b      |a| = √(a·a)      a' component by component: taken in N
//! ```

use std::ops::{Add, Mul, Neg, Sub};

use expr::{Expr, MathError, Rational};
use syntax::Axis;

/// A vector by its components.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vector(pub [Expr; 3]);

impl Vector {
    /// The zero vector.
    pub fn zero() -> Vector {
        Vector([Expr::zero(); 3])
    }

    /// The vector of these components.
    pub fn new(x: Expr, y: Expr, z: Expr) -> Vector {
        Vector([x, y, z])
    }

    /// The unit vector along an axis.
    pub fn along(axis: Axis) -> Vector {
        let mut components = [Expr::zero(); 3];
        components[place(axis)] = Expr::one();
        Vector(components)
    }

    /// One component.
    pub fn component(self, axis: Axis) -> Expr {
        self.0[place(axis)]
    }

    /// The scalar product.
    pub fn dot(self, other: Vector) -> Expr {
        let [a, b] = [self.0, other.0];
        Expr::sum(&[a[0] * b[0], a[1] * b[1], a[2] * b[2]])
    }

    /// The vector product.
    pub fn cross(self, other: Vector) -> Vector {
        let [a, b] = [self.0, other.0];
        let minor = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
        Vector([minor(1, 2), minor(2, 0), minor(0, 1)])
    }

    /// The length.
    pub fn norm(self) -> Result<Expr, MathError> {
        let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
        self.dot(self).try_pow(&half)
    }

    /// The vector of length one in the same direction; an error for the zero vector.
    pub fn unit(self) -> Result<Vector, MathError> {
        self.over(self.norm()?)
    }

    /// The vector divided by a scalar; an error if that is zero.
    pub fn over(self, divisor: Expr) -> Result<Vector, MathError> {
        self.try_map(|component| component.try_div(divisor))
    }

    /// The time derivative, taken in `N`.
    pub fn rate(self) -> Result<Vector, MathError> {
        self.try_map(expr::total_derivative)
    }

    /// The vector whose components are made from these.
    pub fn try_map<E>(self, make: impl Fn(Expr) -> Result<Expr, E>) -> Result<Vector, E> {
        let [x, y, z] = self.0;
        Ok(Vector([make(x)?, make(y)?, make(z)?]))
    }

    /// Is it zero as a function, by its signature?
    pub fn is_zero(self) -> bool {
        self.0.iter().all(|component| component.is_zero())
    }

    /// The sum of vectors, each component as one sum.
    pub fn sum(terms: &[Vector]) -> Vector {
        let component = |i: usize| terms.iter().map(|term| term.0[i]).sum();
        Vector([component(0), component(1), component(2)])
    }
}

/// The place of an axis among the components.
pub(crate) fn place(axis: Axis) -> usize {
    match axis {
        Axis::X => 0,
        Axis::Y => 1,
        Axis::Z => 2,
    }
}

impl Add for Vector {
    type Output = Vector;
    fn add(self, other: Vector) -> Vector {
        Vector([0, 1, 2].map(|i| self.0[i] + other.0[i]))
    }
}

impl Sub for Vector {
    type Output = Vector;
    fn sub(self, other: Vector) -> Vector {
        Vector([0, 1, 2].map(|i| self.0[i] - other.0[i]))
    }
}

impl Neg for Vector {
    type Output = Vector;
    fn neg(self) -> Vector {
        Vector(self.0.map(|component| -component))
    }
}

impl Mul<Expr> for Vector {
    type Output = Vector;
    fn mul(self, factor: Expr) -> Vector {
        Vector(self.0.map(|component| component * factor))
    }
}

impl Mul<Vector> for Expr {
    type Output = Vector;
    fn mul(self, vector: Vector) -> Vector {
        vector * self
    }
}

impl std::fmt::Display for Vector {
    /// `(x, y, z)`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [x, y, z] = self.0;
        write!(f, "({x}, {y}, {z})")
    }
}
