//! What do the formalisms need, and by which formula is it made? Each once, when first asked for.
//!
//! ```text
//! T   = Σ ½ m v·v + ½ ω·Iω               over particles and bodies, rates as symbols          (1)
//! T*  = the same with ṽ, ω̃               the rates of the chart built in                      (2)
//! T^f = the same with the full inverse   all n quasi-velocities free                          (3)
//! S   = Σ ½ m a·a + ½ α·Iα + α·(ω × Iω)  up to terms free of accelerations                    (4)
//! p   = ∂T/∂q'                           momenta, unconstrained                               (5)
//! E   = d/dt ∂T/∂q' − ∂T/∂q              inertia side in coordinates                          (6)
//! Q   = Σ F·∂v/∂q' + M·∂ω/∂q'            generalized forces, reactive forces m' u included     (7)
//! P*  = Σ F·∂ṽ/∂u + M·∂ω̃/∂u              generalized forces of the chart                      (8)
//! ```
//!
//! Every d/dt is taken with the masses frozen: a mass that varies is a symbol that does not change,
//! until a form is finished (`FORMALISMS` section 3: frozen masses go with relative velocities u).

use std::cell::OnceCell;

use expr::{Expr, Kind, MathError, Symbol};

use crate::chart::{Chart, ChartError, ChartKind};
use crate::form::FormError;
use crate::kinematics::{Element, Kinematics, KinematicsError, Spin};
use crate::rows::Rows;
use crate::{LoadKind, System, Vector};

/// Everything that formalisms are made from, for one system and one chart.
#[derive(Debug)]
pub struct Ingredients<'a> {
    /// The system.
    pub system: &'a System,
    /// The constraints that act.
    pub rows: &'a Rows,
    /// The coordinates.
    pub q: Vec<Expr>,
    /// Their rates.
    pub q_dot: Vec<Expr>,
    /// Their accelerations.
    pub q_ddot: Vec<Expr>,
    /// The masses of the elements; symbols for those that vary.
    masses: Vec<Expr>,
    /// The symbols of masses that vary, and what they stand for.
    pub varying: Vec<(Expr, Expr)>,
    chart: Result<Chart, ChartError>,
    free: OnceCell<Kinematics>,
    charted: OnceCell<Kinematics>,
    kinetic: OnceCell<Expr>,
    reduced: OnceCell<Expr>,
    forces: OnceCell<Vec<Expr>>,
    inertia: OnceCell<Vec<Expr>>,
}

type Made<T> = Result<T, FormError>;

impl<'a> Ingredients<'a> {
    /// The ingredients of a system in a chart of that kind.
    pub fn of(system: &'a System, rows: &'a Rows, kind: ChartKind) -> Ingredients<'a> {
        let particles = system.points.iter().filter_map(|point| Some((&point.name, point.mass?)));
        let bodies = system.bodies.iter().map(|body| (&body.name, body.mass));
        let mut varying = Vec::new();
        let masses = particles.chain(bodies).map(|(name, mass)| frozen(name, mass, &mut varying)).collect();
        Ingredients {
            system,
            rows,
            q: system.q(),
            q_dot: system.q_dot(),
            q_ddot: system.q_ddot(),
            masses,
            varying,
            chart: Chart::of(system, rows, kind),
            free: OnceCell::new(),
            charted: OnceCell::new(),
            kinetic: OnceCell::new(),
            reduced: OnceCell::new(),
            forces: OnceCell::new(),
            inertia: OnceCell::new(),
        }
    }

    /// The chart, or why there is none.
    pub fn chart(&self) -> Made<&Chart> {
        self.chart.as_ref().map_err(|error| FormError::Chart(error.clone()))
    }

    /// How everything moves, with the rates as symbols.
    pub fn free(&self) -> Made<&Kinematics> {
        once(&self.free, || Ok(Kinematics::of(self.system, &self.masses, &expr::total_derivative)?))
    }

    /// How everything moves, with the rates of the chart.
    pub fn charted(&self) -> Made<&Kinematics> {
        once(&self.charted, || {
            let chart = self.chart()?;
            Ok(Kinematics::of(self.system, &self.masses, &|e| chart.flow.rate(e))?)
        })
    }

    /// How everything moves with other rates of the coordinates; `time` says how fast it runs.
    pub fn moving(&self, rates: &[Expr], time: Expr) -> Made<Kinematics> {
        let pairs = self.q.iter().copied().zip(rates.iter().copied()).chain([(self.system.time, time)]);
        let flow = expr::Flow::new(&pairs.collect::<Vec<_>>());
        Ok(Kinematics::of(self.system, &self.masses, &|e| flow.rate(e))?)
    }

    /// An error if part of T is given as an energy: then there are no particles to follow.
    pub fn need_particles(&self) -> Made<()> {
        let energy = |load: &crate::Load| matches!(load.kind, LoadKind::Kinetic(_));
        match self.system.loads.iter().any(energy) {
            true => Err(FormError::NotApplicable(
                "part of T is given by `kinetic`, without particles or bodies whose velocities it could use".to_owned(),
            )),
            false => Ok(()),
        }
    }

    /// The kinetic energy (1).
    pub fn T(&self) -> Made<Expr> {
        once(&self.kinetic, || {
            let added = self.added_kinetic_energy();
            Ok(kinetic_energy(self.free()?) + added)
        })
        .copied()
    }

    /// The kinetic energy with the rates of the chart (2).
    pub fn T_star(&self) -> Made<Expr> {
        once(&self.reduced, || {
            let map: Vec<(Expr, Expr)> = self.q_dot.iter().copied().zip(self.chart()?.rates.iter().copied()).collect();
            let added = expr::substitute(&[self.added_kinetic_energy()], &map)?[0];
            Ok(kinetic_energy(self.charted()?) + added)
        })
        .copied()
    }

    /// The kinetic energy with the full inverse (3).
    pub fn T_full(&self) -> Made<Expr> {
        let rates = &self.chart()?.full_rates;
        let map: Vec<(Expr, Expr)> = self.q_dot.iter().copied().zip(rates.iter().copied()).collect();
        let added = expr::substitute(&[self.added_kinetic_energy()], &map)?[0];
        Ok(kinetic_energy(&self.moving(rates, Expr::one())?) + added)
    }

    /// What `kinetic` lines add to T.
    pub fn added_kinetic_energy(&self) -> Expr {
        let energies = self.system.loads.iter().filter_map(|load| match load.kind {
            LoadKind::Kinetic(energy) => Some(energy),
            _ => None,
        });
        energies.sum()
    }

    /// The momenta (5).
    pub fn p(&self) -> Made<Vec<Expr>> {
        Ok(expr::gradient(self.T()?, &self.q_dot)?)
    }

    /// The inertia side in coordinates (6).
    pub fn E(&self) -> Made<&Vec<Expr>> {
        once(&self.inertia, || {
            let slopes = expr::gradient(self.T()?, &self.q)?;
            let each = self.p()?.into_iter().zip(slopes);
            Ok(each.map(|(p, slope)| Ok(expr::total_derivative(p)? - slope)).collect::<Result<Vec<_>, MathError>>()?)
        })
    }

    /// The generalized forces (7).
    pub fn Q(&self) -> Made<&Vec<Expr>> {
        once(&self.forces, || Ok(expr::pullback(&self.free()?.pairs(), &self.q_dot)?))
    }

    /// The generalized forces of the free accelerations of the chart (8).
    pub fn P_star(&self) -> Made<Vec<Expr>> {
        let chart = self.chart()?;
        let forces = expr::pullback(&self.charted()?.pairs(), &chart.u)?;
        self.on_free(&self.on_shell(&forces)?)
    }

    /// Rates and accelerations put on the constraints, by the chart.
    pub fn on_shell(&self, outputs: &[Expr]) -> Made<Vec<Expr>> {
        Ok(self.chart()?.on_shell(outputs, self.system)?)
    }

    /// Σ x_σ ∂u'_σ/∂w: what belongs to speeds, for the free accelerations. The same where no row is of second order.
    pub fn on_free(&self, of_speeds: &[Expr]) -> Made<Vec<Expr>> {
        let chart = self.chart()?;
        if chart.w == chart.u_dot {
            return Ok(of_speeds.to_vec());
        }
        let rates = chart.u.iter().map(|&u| chart.flow.rate(u)).collect::<Result<Vec<_>, _>>()?;
        let weighted: Vec<(Expr, Expr)> = rates.into_iter().zip(of_speeds.iter().copied()).collect();
        Ok(expr::pullback(&weighted, &chart.w)?)
    }

    /// Σ x_s ∂q''_s/∂w: what belongs to coordinates, for the free accelerations of the chart.
    pub fn projected(&self, of_coordinates: &[Expr]) -> Made<Vec<Expr>> {
        let chart = self.chart()?;
        let accelerations = chart.accelerations.iter().copied();
        let weighted: Vec<(Expr, Expr)> = accelerations.zip(of_coordinates.iter().copied()).collect();
        Ok(expr::pullback(&weighted, &chart.w)?)
    }

    /// Expressions with the masses that vary in place of their symbols.
    pub fn thawed(&self, outputs: &[Expr]) -> Result<Vec<Expr>, MathError> {
        match self.varying.is_empty() {
            true => Ok(outputs.to_vec()),
            false => expr::substitute(outputs, &self.varying),
        }
    }
}

/// The mass as a symbol that does not change, if it depends on time or position.
fn frozen(name: &str, mass: Expr, varying: &mut Vec<(Expr, Expr)>) -> Expr {
    let varies = |symbol: &Expr| symbol.as_symbol().is_some_and(|symbol| symbol.kind != Kind::Parameter);
    if !mass.symbols().iter().any(varies) {
        return mass;
    }
    let symbol = expr::symbol(Symbol::new(&format!("{name}@mass"), Kind::Parameter));
    varying.push((symbol, mass));
    symbol
}

/// (1), for any rates.
pub(crate) fn kinetic_energy(kinematics: &Kinematics) -> Expr {
    let half = expr::rational(1, 2);
    let of_element = |element: &Element| {
        let v = element.velocity.components;
        let moving = half * element.mass * v.dot(v);
        match &element.spin {
            None => moving,
            Some(spin) => {
                let omega = spin.omega.components;
                moving + half * omega.dot(spin.times(omega))
            }
        }
    };
    kinematics.elements.iter().map(of_element).sum()
}

/// The acceleration energy (4); `d_dt` differentiates along the motion.
pub(crate) fn acceleration_energy(kinematics: &Kinematics, d_dt: crate::Rate<'_>) -> Result<Expr, MathError> {
    let half = expr::rational(1, 2);
    let mut terms = Vec::new();
    for element in &kinematics.elements {
        let a = element.velocity.rate(d_dt)?;
        terms.push(half * element.mass * a.dot(a));
        if let Some(spin) = &element.spin {
            let (omega, alpha) = (spin.omega.components, spin.omega.rate(d_dt)?);
            terms.push(half * alpha.dot(spin.times(alpha)));
            terms.push(alpha.dot(omega.cross(spin.times(omega))));
        }
    }
    Ok(terms.into_iter().sum())
}

/// Velocities of the elements with the rates of momenta that oppose them: m a on v, I α + ω × I ω on ω.
pub(crate) fn inertia_pairs(kinematics: &Kinematics, d_dt: crate::Rate<'_>) -> Result<Vec<(Expr, Expr)>, MathError> {
    let mut pairs = Vec::new();
    let mut push = |velocity: Vector, force: Vector| {
        let both = velocity.0.into_iter().zip(force.0);
        pairs.extend(both.filter(|(velocity, force)| *velocity != Expr::zero() && *force != Expr::zero()));
    };
    for element in &kinematics.elements {
        push(element.velocity.components, element.velocity.rate(d_dt)? * element.mass);
        if let Some(spin) = &element.spin {
            push(spin.omega.components, moment(spin, d_dt)?);
        }
    }
    Ok(pairs)
}

/// I α + ω × I ω.
pub(crate) fn moment(spin: &Spin, d_dt: crate::Rate<'_>) -> Result<Vector, MathError> {
    let omega = spin.omega.components;
    Ok(spin.times(spin.omega.rate(d_dt)?) + omega.cross(spin.times(omega)))
}

fn once<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Made<T>) -> Made<&T> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value))
}

impl From<KinematicsError> for FormError {
    fn from(error: KinematicsError) -> FormError {
        match error {
            KinematicsError::Math(error) => FormError::Math(error),
            KinematicsError::PlaneInertia { body, span } => FormError::PlaneInertia { body, span },
        }
    }
}
