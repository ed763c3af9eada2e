//! Which methods of integration are there? One line each; engine, shells and tests read this list.
//!
//! A method makes a step along a [`Field`], and says how wrong the step is and what lies inside it:
//! a [`Stepper`], in a file of its own that opens with its formula. What all methods share is
//! beside them: the polynomial inside a step ([`dense`]) and the length of the next one
//! ([`control`]). Nothing else knows a method.

pub mod control;
pub mod dense;
pub mod dop853;
pub mod radau;
pub mod radau13;
pub mod radau5;
pub mod radau9;
pub mod rk4;
pub mod taylor;

pub use dense::Dense;

use crate::Trouble;

/// What is followed: y' = f(t, y).
pub trait Field {
    /// The slope f at a state.
    fn rates(&mut self, t: f64, y: &[f64], to: &mut [f64]) -> Result<(), Trouble>;

    /// The stages of an explicit step and the state at its end, all at once: `k` holds the slopes of all stages side by side, the
    /// first of them that at the beginning, and `trial` gets the state of the last one. False if the field cannot: then they are
    /// made one by one.
    fn stages(
        &mut self,
        _table: &'static Table,
        _from: End<'_>,
        _h: f64,
        (_k, _trial): (&mut [f64], &mut [f64]),
        _to: &mut [f64],
    ) -> bool {
        false
    }

    /// How f changes with the state, row by row, for a step of length h; unless the field knows better, by differences.
    fn jacobian(&mut self, from: End<'_>, h: f64, to: &mut [f64]) -> Result<(), Trouble> {
        differences(self, from, h, to)
    }

    /// The coefficients of the motion's power series from a state, up to an order: those of all numbers for one power after
    /// those for the power before. False if the field does not know them there.
    fn series(&mut self, _t: f64, _y: &[f64], _order: usize, _to: &mut [f64]) -> Result<bool, Trouble> {
        Ok(false)
    }
}

/// Pairs of a stage and its weight.
pub type Weights = &'static [(usize, f64)];

/// An explicit method of Runge and Kutta: kᵢ = f(t + cᵢ h, y + h Σ aᵢⱼ kⱼ), y₁ = y + h Σ bⱼ kⱼ.
#[derive(Debug)]
pub struct Table {
    /// The instants of the stages, in steps.
    pub c: &'static [f64],
    /// The weights of earlier slopes in each stage; the first has none.
    pub a: &'static [Weights],
    /// b
    pub b: Weights,
}

/// ∂f/∂y by differences.
pub fn differences(field: &mut (impl Field + ?Sized), from: End<'_>, h: f64, to: &mut [f64]) -> Result<(), Trouble> {
    let n = from.y.len();
    let (mut near, mut slope) = (from.y.to_vec(), vec![0.0; n]);
    for j in 0..n {
        let step = f64::EPSILON.sqrt() * from.y[j].abs().max((h * from.slope[j]).abs()).max(1e-5);
        near[j] = from.y[j] + step;
        field.rates(from.t, &near, &mut slope)?;
        (0..n).for_each(|i| to[i * n + j] = (slope[i] - from.slope[i]) / (near[j] - from.y[j]));
        near[j] = from.y[j];
    }
    Ok(())
}

/// One end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End<'a> {
    /// The time.
    pub t: f64,
    /// The state.
    pub y: &'a [f64],
    /// Its slope.
    pub slope: &'a [f64],
}

/// What makes steps, with room for its stages.
pub trait Stepper {
    /// A step of length h; the state at its end goes to `to`.
    fn step(&mut self, field: &mut dyn Field, from: End<'_>, h: f64, to: &mut [f64]) -> Result<(), Trouble>;

    /// Tells the natural size of each number of the state: what an iteration may take for rounding.
    fn natural(&mut self, _sizes: &[f64]) {}

    /// Tells the relative tolerance that motions are held to.
    fn tolerance(&mut self, _tolerance: f64) {}

    /// Tells that the field is another from here on, as after a switch: what was kept of it is void.
    fn forget(&mut self) {}

    /// How long the next step may be, where a step may be wrong by `scale`, if the method knows before it is made.
    fn length(&mut self, _field: &mut dyn Field, _from: End<'_>, _scale: &[f64]) -> Option<f64> {
        None
    }

    /// How far the slope at the end of the last step, of length h, is from what the method says of it, as an error of the
    /// step, relative to `scale`; zero if it says nothing.
    fn defect(&self, _h: f64, _slope: &[f64], _scale: &[f64]) -> f64 {
        0.0
    }

    /// h |λ| for the fastest part of the field near the end of the last step, about, where numbers have these sizes; nothing if
    /// the method cannot tell. Right after the step.
    fn stiffness(&self, _h: f64, _to: End<'_>, _sizes: &[f64]) -> Option<f64> {
        None
    }

    /// The method that made the last step in place of this one, if it was another.
    fn instead(&self) -> Option<Method> {
        None
    }

    /// The power of h with which the error at a given time falls.
    fn order(&self) -> u32;

    /// The power with which [`Stepper::error`] falls, at least; lengths of steps follow from it.
    fn falls(&self) -> u32 {
        self.order()
    }

    /// How wrong the last step of length h is, relative to `scale`: it may stay if this is at most
    /// 1. Nothing if the method does not know.
    fn error(&self, _h: f64, _scale: &[f64]) -> Option<f64> {
        None
    }

    /// What lies inside the last step, of length h, between its ends: unless the method knows
    /// better, the cubic through both. Times are rounded, h is not.
    fn inside(&mut self, _field: &mut dyn Field, from: End<'_>, h: f64, to: End<'_>) -> Result<Dense, Trouble> {
        Ok(Dense::cubic(from, h, to))
    }
}

/// What is told of a method.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// What the command line calls it.
    pub name: &'static str,
    /// What it is, and what it is for, in a line.
    pub purpose: &'static str,
    /// Does it choose its steps by a tolerance? Otherwise a step must be given.
    pub chooses_steps: bool,
    /// A stepper for states of this length.
    pub make: fn(usize) -> Box<dyn Stepper>,
}

/// Makes the list: for each line a variant, whose file has its description as `METHOD`.
macro_rules! methods {
    ($($variant:ident = $file:ident,)*) => {
        /// The methods by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Method {
            $(#[doc = concat!("The method of [`", stringify!($file), "`].")] $variant,)*
        }

        impl Method {
            /// All of them, the usual one first.
            pub const ALL: [Method; [$(stringify!($variant)),*].len()] = [$(Method::$variant),*];

            /// What its file tells of it.
            pub fn description(self) -> &'static Description {
                match self {
                    $(Method::$variant => &$file::METHOD,)*
                }
            }
        }
    };
}

methods! {
    Dop853 = dop853,
    Radau5 = radau5,
    Radau9 = radau9,
    Radau13 = radau13,
    Rk4 = rk4,
    Taylor = taylor,
}

impl Method {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.description().name
    }

    /// The method with a name.
    ///
    /// ```
    /// use numeric::Method;
    /// assert_eq!((Method::named("rk4"), Method::named("euler")), (Some(Method::Rk4), None));
    /// ```
    pub fn named(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Does it choose its steps by a tolerance? Otherwise a step must be given.
    pub fn chooses_steps(self) -> bool {
        self.description().chooses_steps
    }

    /// A stepper for states of this length.
    pub fn stepper(self, n: usize) -> Box<dyn Stepper> {
        (self.description().make)(n)
    }
}
