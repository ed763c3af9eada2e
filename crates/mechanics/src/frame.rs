//! How is a frame turned, and how fast does it turn?
//!
//! ```text
//! turn by φ about n       R c = c cos φ + (n × c) sin φ + n (n·c)(1 − cos φ)               (1)
//! its angular velocity    ω = φ' n + sin φ n' + (1 − cos φ) n × n'                          (2)
//! quaternion (a, b)       R c = (a² − b·b) c + 2 b (b·c) + 2 a b × c,  |(a, b)| = 1         (3)
//! its angular velocity    ω = 2 (a b' − a' b + b × b')                                      (4)
//! axes e that are told    ω = ½ Σ e × e'                                                    (5)
//! ```
//!
//! (2) and (4) have components in the frame before the turn; in the frame after it the last term
//! changes its sign. A frame keeps its turns and its parent, not only the matrix: kinematics may
//! ask for ω with other rates, and in the frame's own components.

use expr::{Expr, MathError};
use syntax::{Axis, Span};

use crate::Vector;

/// The unit vectors of one frame, by their components in another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rotation {
    /// The unit vectors x, y, z: the columns of the matrix.
    pub axes: [Vector; 3],
}

impl Rotation {
    /// No rotation.
    pub fn identity() -> Rotation {
        Rotation { axes: [Axis::X, Axis::Y, Axis::Z].map(Vector::along) }
    }

    /// The rotation that takes each unit vector where `image` says.
    fn of(image: impl Fn(Vector) -> Vector) -> Rotation {
        Rotation { axes: Rotation::identity().axes.map(image) }
    }

    /// The components in the outer frame of a vector with these components in the inner one.
    pub fn outward(self, components: Vector) -> Vector {
        let [a, b, c] = components.0;
        let [x, y, z] = self.axes;
        Vector::sum(&[x * a, y * b, z * c])
    }

    /// The components in the inner frame of a vector with these components in the outer one.
    pub fn inward(self, components: Vector) -> Vector {
        Vector(self.axes.map(|axis| axis.dot(components)))
    }

    /// This rotation, and then the other in the frame reached.
    pub fn then(self, inner: Rotation) -> Rotation {
        Rotation { axes: inner.axes.map(|axis| self.outward(axis)) }
    }
}

/// What a turn goes about, in the frame reached so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// An axis of that frame.
    Own(Axis),
    /// A direction of length one, by its components.
    Direction(Vector),
}

/// One rotation of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// About what.
    pub about: About,
    /// By which angle.
    pub angle: Expr,
}

impl Turn {
    /// The direction that it goes about, as a unit vector.
    pub fn axis(self) -> Vector {
        match self.about {
            About::Own(axis) => Vector::along(axis),
            About::Direction(unit) => unit,
        }
    }

    /// The matrix (1).
    pub fn rotation(self) -> Rotation {
        let (sin, cos) = (self.angle.sin(), self.angle.cos());
        let (one, zero) = (Expr::one(), Expr::zero());
        let axes = match self.about {
            About::Own(Axis::X) => [[one, zero, zero], [zero, cos, sin], [zero, -sin, cos]],
            About::Own(Axis::Y) => [[cos, zero, -sin], [zero, one, zero], [sin, zero, cos]],
            About::Own(Axis::Z) => [[cos, sin, zero], [-sin, cos, zero], [zero, zero, one]],
            About::Direction(n) => {
                return Rotation::of(|c| Vector::sum(&[c * cos, n.cross(c) * sin, n * (n.dot(c) * (one - cos))]));
            }
        };
        Rotation { axes: axes.map(Vector) }
    }

    /// The angular velocity (2) in the frame after the turn.
    fn omega(self, rate: Rate<'_>) -> Result<Vector, MathError> {
        let n = self.axis();
        let own = n * rate(self.angle)?;
        let n_dot = n.try_map(rate)?;
        if n_dot == Vector::zero() {
            return Ok(own);
        }
        let (sin, cos) = (self.angle.sin(), self.angle.cos());
        Ok(Vector::sum(&[own, n_dot * sin, n.cross(n_dot) * (cos - Expr::one())]))
    }
}

/// How fast an expression of coordinates and time changes: [`expr::total_derivative`], or the same with other rates.
pub type Rate<'a> = &'a dyn Fn(Expr) -> Result<Expr, MathError>;

/// How a frame is turned against its parent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Orientation {
    /// One turn after the other; none for `N`.
    Turns(Vec<Turn>),
    /// Four numbers of square sum one, the scalar part first.
    Quaternion([Expr; 4]),
    /// The unit vectors themselves, in the parent.
    Matrix([Vector; 3]),
}

impl Orientation {
    /// The unit vectors of the frame, in its parent.
    pub fn rotation(&self) -> Rotation {
        match self {
            Orientation::Turns(turns) => {
                let mut turns = turns.iter().map(|turn| turn.rotation());
                turns.next().map_or_else(Rotation::identity, |first| turns.fold(first, Rotation::then))
            }
            Orientation::Quaternion([a, x, y, z]) => {
                let [aa, xx, yy, zz] = [a, x, y, z].map(|&e| e.pow(2));
                let [ax, ay, az] = [x, y, z].map(|&e| 2 * (*a * e));
                let [xy, yz, zx] = [(x, y), (y, z), (z, x)].map(|(&e, &f)| 2 * (e * f));
                let axes = [
                    [Expr::sum(&[aa, xx, -yy, -zz]), xy + az, zx - ay],
                    [xy - az, Expr::sum(&[aa, -xx, yy, -zz]), yz + ax],
                    [zx + ay, yz - ax, Expr::sum(&[aa, -xx, -yy, zz])],
                ];
                Rotation { axes: axes.map(Vector) }
            }
            Orientation::Matrix(axes) => Rotation { axes: *axes },
        }
    }

    /// The angular velocity against the parent, in the frame's own components, from any set of rates.
    pub fn omega(&self, rate: Rate<'_>) -> Result<Vector, MathError> {
        match self {
            Orientation::Turns(turns) => {
                let mut omega = Vector::zero();
                for turn in turns {
                    let before = if omega == Vector::zero() { omega } else { turn.rotation().inward(omega) };
                    omega = before + turn.omega(rate)?;
                }
                Ok(omega)
            }
            Orientation::Quaternion([a, x, y, z]) => quaternion_omega([*a, *x, *y, *z], rate, -Expr::one()),
            Orientation::Matrix(axes) => Ok(self.rotation().inward(swept(*axes, rate)?)),
        }
    }

    /// The same angular velocity in the components of the parent.
    pub fn omega_in_parent(&self, rate: Rate<'_>) -> Result<Vector, MathError> {
        match self {
            Orientation::Turns(turns) => {
                let mut reached = Rotation::identity();
                let mut parts = Vec::new();
                for turn in turns {
                    // An axis of length one that stands still is the same before and after its turn.
                    let still = turn.axis().try_map(rate)? == Vector::zero();
                    let next = reached.then(turn.rotation());
                    let omega = turn.omega(rate)?;
                    parts.push(if still { reached.outward(omega) } else { next.outward(omega) });
                    reached = next;
                }
                Ok(Vector::sum(&parts))
            }
            Orientation::Quaternion([a, x, y, z]) => quaternion_omega([*a, *x, *y, *z], rate, Expr::one()),
            Orientation::Matrix(axes) => swept(*axes, rate),
        }
    }
}

/// The angular velocity (5) of axes that are told.
fn swept(axes: [Vector; 3], rate: Rate<'_>) -> Result<Vector, MathError> {
    let [x, y, z] = axes.map(|axis| axis.try_map(rate).map(|change| axis.cross(change)));
    Ok(Vector::sum(&[x?, y?, z?]) * expr::rational(1, 2))
}

/// The angular velocity (4), its last term with that sign.
fn quaternion_omega([a, x, y, z]: [Expr; 4], rate: Rate<'_>, sign: Expr) -> Result<Vector, MathError> {
    let b = [x, y, z];
    let (a_dot, b_dot) = (rate(a)?, Vector(b).try_map(rate)?.0);
    let component = |i: usize, j: usize, k: usize| {
        2 * Expr::sum(&[a * b_dot[i], -(a_dot * b[i]), sign * (b[j] * b_dot[k]), -(sign * (b[k] * b_dot[j]))])
    };
    Ok(Vector([component(0, 1, 2), component(1, 2, 0), component(2, 0, 1)]))
}

/// A frame of the model. The first frame of a system is `N`.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// Its name.
    pub name: String,
    /// The frame that it is turned from, as a place in the system's list; `N` is its own parent.
    pub parent: usize,
    /// How it is turned against the parent.
    pub orientation: Orientation,
    /// Its unit vectors in `N`.
    pub in_inertial: Rotation,
    /// Its angular velocity in `N`, in the components of `N`, with the rates as symbols.
    pub omega: Vector,
    /// Where it is declared.
    pub span: Span,
}

impl Frame {
    /// The frame `N`.
    pub fn inertial() -> Frame {
        Frame {
            name: "N".to_owned(),
            parent: 0,
            orientation: Orientation::Turns(Vec::new()),
            in_inertial: Rotation::identity(),
            omega: Vector::zero(),
            span: Span::default(),
        }
    }

    /// The frame turned so from `frames[parent]`.
    pub fn turned(
        name: &str,
        frames: &[Frame],
        parent: usize,
        orientation: Orientation,
        span: Span,
    ) -> Result<Frame, MathError> {
        let base = &frames[parent];
        let in_inertial = base.in_inertial.then(orientation.rotation());
        let omega = base.in_inertial.outward(orientation.omega_in_parent(&expr::total_derivative)?);
        let omega = base.omega + omega;
        Ok(Frame { name: name.to_owned(), parent, orientation, in_inertial, omega, span })
    }

    /// The components in `N` of a vector with these components along this frame.
    pub fn vector(&self, components: Vector) -> Vector {
        self.in_inertial.outward(components)
    }

    /// The length of the quaternion must be one: the left side of that equation, minus one.
    pub fn norm_row(&self) -> Option<Expr> {
        match &self.orientation {
            Orientation::Turns(_) | Orientation::Matrix(_) => None,
            Orientation::Quaternion(parts) => {
                let squares = parts.iter().map(|&part| part.pow(2));
                Some(squares.chain([expr::integer(-1)]).sum())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use syntax::{Axis, Span};

    use super::{About, Frame, Orientation, Turn};
    use crate::Vector;

    /// Poisson's formula e' = ω × e for the axes, and ω in the frame's own components.
    fn obeys_poisson(orientation: Orientation) {
        let frame = Frame::turned("B", &[Frame::inertial()], 0, orientation, Span::default()).unwrap();
        for axis in frame.in_inertial.axes {
            assert!((axis.rate().unwrap() - frame.omega.cross(axis)).is_zero());
            assert!((axis.dot(axis) - 1).is_zero());
        }
        let own = frame.orientation.omega(&expr::total_derivative).unwrap();
        assert!((frame.in_inertial.outward(own) - frame.omega).is_zero());
    }

    fn own(axis: Axis, angle: &str) -> Turn {
        Turn { about: About::Own(axis), angle: expr::coordinate(angle) }
    }

    #[test]
    fn axes_turn_with_the_angular_velocity() {
        let _scope = expr::Scope::with_seed(1);
        obeys_poisson(Orientation::Turns(vec![own(Axis::Z, "psi"), own(Axis::X, "theta"), own(Axis::Y, "phi")]));
        let number = expr::integer;
        let direction = Vector([number(1), number(2), number(2)]).unit().unwrap();
        let skew = Turn { about: About::Direction(direction), angle: expr::coordinate("phi") };
        obeys_poisson(Orientation::Turns(vec![own(Axis::Y, "psi"), skew, own(Axis::Z, "theta")]));
    }

    #[test]
    fn a_moving_direction_adds_to_the_angular_velocity() {
        // (2) without its last two terms fails
        let _scope = expr::Scope::with_seed(1);
        let a = expr::coordinate("a");
        let direction = Vector([a.cos(), a.sin(), expr::Expr::zero()]);
        let turn = Turn { about: About::Direction(direction), angle: expr::coordinate("phi") };
        obeys_poisson(Orientation::Turns(vec![turn, own(Axis::X, "theta")]));
    }

    #[test]
    fn a_quaternion_of_length_one_turns_with_its_angular_velocity() {
        let _scope = expr::Scope::with_seed(1);
        let (a, b) = (expr::coordinate("a"), expr::coordinate("b"));
        let parts = [a.cos(), a.sin() * b.cos(), a.sin() * b.sin(), expr::Expr::zero()];
        obeys_poisson(Orientation::Quaternion(parts));
    }
}
