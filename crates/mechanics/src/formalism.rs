//! Which formalisms are there? One line each; the command line, the docs and the tests read this list.
//!
//! A formalism is a function from [`Ingredients`] to a [`Form`], in a file of its own that opens with
//! its formula. None of them knows another: agreement between them means something only then.

mod appell;
mod boltzmann_hamel;
mod central;
mod chaplygin;
mod chaplygin_25;
mod contravariant;
mod dalembert;
mod fundamental;
mod gauss;
mod hamel;
mod hamilton;
mod jourdain;
mod kane;
mod lagrange_1;
mod lagrange_2;
mod macmillan;
mod maggi;
mod maggi_closed;
mod maggi_squares;
mod multipliers;
mod newton_euler;
mod nielsen;
mod positions;
mod qiu_31;
mod qiu_32;
mod routh;
mod tzenoff;
mod tzenoff_reduced;
mod udwadia_kalaba;
mod vakonomic;
mod volterra;
mod voronets;

use std::cell::Cell;

use crate::form::{Form, FormError};
use crate::ingredients::Ingredients;
use crate::steps::{Step, Steps};

/// A way to equations of motion.
#[derive(Clone, Copy, Debug)]
pub struct Formalism {
    /// What the command line calls it.
    pub name: &'static str,
    /// What it is made from; agreement inside a family proves little.
    pub family: Family,
    /// Whose equations, in words.
    pub title: &'static str,
    /// Are its equations written in the velocities of a chart?
    pub charted: bool,
    /// Does it answer another question, so that it agrees with the others on geometric constraints alone?
    pub stranger: bool,
    /// Its equations for a system.
    pub derive: fn(&Ingredients<'_>, &mut Steps) -> Result<Form, FormError>,
    /// Its file, whose first lines are its page in the docs.
    pub text: &'static str,
}

thread_local! {
    static DERIVED: Cell<u64> = const { Cell::new(0) };
}

/// How many derivations have been made on this thread. No answer depends on it: it is there to be counted in tests.
pub fn derivations() -> u64 {
    DERIVED.get()
}

impl Formalism {
    /// Its equations from these ingredients, derived when first asked for.
    pub fn form(&self, given: &Ingredients<'_>) -> Result<Form, FormError> {
        let known = given.forms.borrow().iter().find(|known| known.0 == self.name).map(|known| known.1.clone());
        known.unwrap_or_else(|| {
            let made = (self.derive)(given, &mut Steps::unread());
            DERIVED.set(DERIVED.get() + 1);
            given.forms.borrow_mut().push((self.name, made.clone()));
            made
        })
    }

    /// Its equations, and what it makes on its way to them.
    pub fn shown(&self, given: &Ingredients<'_>) -> Result<(Form, Vec<Step>), FormError> {
        let mut show = Steps::read();
        let form = (self.derive)(given, &mut show)?;
        Ok((form.closed(given)?, show.written()))
    }

    /// Its equations, closed by the rows of contacts that slide.
    pub fn closed(&self, given: &Ingredients<'_>) -> Result<Form, FormError> {
        self.form(given)?.closed(given)
    }
}

/// The data that a formalism starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Velocities, accelerations and forces of particles and bodies, multiplied.
    F1,
    /// The energy of accelerations.
    F2,
    /// The second time derivative of the kinetic energy.
    F3,
    /// The kinetic energy without constraints, projected.
    F4,
    /// The reduced kinetic energy and the momenta of the unreduced one.
    F5,
    /// The kinetic energy in all quasi-velocities and the curl of their definitions.
    F6,
    /// The restricted velocities alone.
    F7,
    /// The metric, its Christoffel symbols, linear algebra.
    F8,
    /// Places as functions of coordinates and time, nothing else: no kinematics is shared with the others.
    F9,
}

impl Family {
    /// What it starts from, in words.
    pub fn describe(self) -> &'static str {
        match self {
            Family::F1 => "dot products of particles and bodies",
            Family::F2 => "energy of accelerations",
            Family::F3 => "second derivative of T",
            Family::F4 => "unconstrained T, projected",
            Family::F5 => "reduced T and momenta",
            Family::F6 => "T in all quasi-velocities and their curl",
            Family::F7 => "restricted velocities",
            Family::F8 => "metric",
            Family::F9 => "positions only",
        }
    }
}

macro_rules! formalisms {
    ($($module:ident $name:literal $family:ident $charted:literal $title:literal $($stranger:ident)?;)+) => {
        &[$(Formalism {
            name: $name,
            family: Family::$family,
            title: $title,
            charted: $charted,
            stranger: formalisms!(@ $($stranger)?),
            derive: $module::derive,
            text: include_str!(concat!("formalism/", stringify!($module), ".rs")),
        },)+]
    };
    (@ stranger) => { true };
    (@) => { false };
}

/// All formalisms, by family.
pub const FORMALISMS: &[Formalism] = formalisms! {
    fundamental "fundamental" F1 true "the fundamental equation";
    kane "kane" F1 true "Kane's equations";
    jourdain "jourdain" F1 false "Jourdain's principle";
    dalembert "dalembert" F1 false "the general equation of dynamics";
    newton_euler "newton-euler" F1 false "the equations of Newton and Euler";
    appell "appell" F2 true "Appell's equations";
    gauss "gauss" F2 false "Gauss's principle of least constraint";
    tzenoff "tzenoff" F3 true "Tzenoff's equations";
    lagrange_1 "lagrange-1" F4 false "Lagrange's equations of the first kind";
    lagrange_2 "lagrange-2" F4 false "Lagrange's equations of the second kind";
    multipliers "multipliers" F4 false "Lagrange's equations with multipliers";
    maggi "maggi" F4 true "Maggi's equations";
    hamilton "hamilton" F4 false "Hamilton's equations";
    routh "routh" F4 false "Routh's equations";
    chaplygin "chaplygin" F5 true "Chaplygin's equations";
    chaplygin_25 "chaplygin-25" F5 true "Chaplygin's equations for nonlinear constraints";
    voronets "voronets" F5 true "Voronets's equations";
    nielsen "nielsen" F5 true "Nielsen's equations";
    tzenoff_reduced "tzenoff-reduced" F5 true "Tzenoff's operator on the reduced energy";
    qiu_32 "qiu-32" F5 true "Qiu's equations (32)";
    central "central" F5 true "the central equation";
    hamel "hamel" F6 true "Hamel's equations";
    boltzmann_hamel "boltzmann-hamel" F6 true "the Boltzmann–Hamel equations";
    macmillan "macmillan" F7 true "MacMillan's equations";
    qiu_31 "qiu-31" F7 true "Qiu's equations (31)";
    volterra "volterra" F7 true "Volterra's equations";
    contravariant "contravariant" F8 false "Lagrange's equations in contravariant form";
    udwadia_kalaba "udwadia-kalaba" F8 false "the Udwadia–Kalaba equation";
    maggi_closed "maggi-closed" F8 false "Maggi's equations, closed";
    maggi_squares "maggi-squares" F8 false "Maggi's equations, closed by least squares";
    positions "positions" F9 false "the sums over particles";
    vakonomic "vakonomic" F4 false "the vakonomic equations" stranger;
};

/// The formalism of that name.
pub fn formalism(name: &str) -> Option<&'static Formalism> {
    FORMALISMS.iter().find(|formalism| formalism.name == name)
}

/// The forms that people would use first for such a system.
pub fn usual(given: &Ingredients<'_>) -> Vec<&'static Formalism> {
    let names: &[&str] = match (given.rows.list.is_empty(), !given.system.has_speeds()) {
        (true, true) => &["lagrange-2"],
        (_, false) => &["kane", "maggi", "multipliers"],
        (false, true) => &["multipliers"],
    };
    names.iter().filter_map(|name| formalism(name)).collect()
}

/// The first of them that applies.
pub fn usual_one(given: &Ingredients<'_>) -> Option<&'static Formalism> {
    usual(given).into_iter().find(|formalism| formalism.form(given).is_ok())
}
