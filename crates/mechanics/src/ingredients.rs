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
//! ∂Φ/∂π_σ = Σ_k (∂β_k/∂u_σ) ∂Φ/∂q_k      an operator: no coordinate π needs to exist           (9)
//! C_σ = Σ_s p_s (d/dt ∂β_s/∂u_σ − ∂β_s/∂π_σ)      how nonholonomic the chart is               (10)
//! T0  = T with the rates in it as symbols that stand still                                     (11)
//! T   = ½ g_αβ x'_α x'_β                 x = (q, t), x' = (q', 1); the mass matrix is g_ρσ     (12)
//! h_ρ = Γ_{ρ,αβ} x'_α x'_β,  Γ_{ρ,αβ} = ½(∂_α g_ρβ + ∂_β g_ρα − ∂_ρ g_αβ)                      (13)
//! A B = 1                                B = ∂q''/∂w_{l+κ}: accelerations per unit of a row     (14)
//! ```
//!
//! Every d/dt is taken with the masses frozen: a mass that varies is a symbol that does not change,
//! until a form is finished (frozen masses go with relative velocities u).

use std::cell::{OnceCell, RefCell};

use expr::{At, Expr, Flow, Kind, MathError, Substitution, Symbol};
use proof::linear::{Columns, Matrix, SolveError, solve_for};

use crate::chart::{Chart, ChartError, ChartKind};
use crate::form::{Form, FormError};
use crate::kinematics::{Element, Kinematics, KinematicsError, Local, Spin};
use crate::mode::Mode;
use crate::rows::Rows;
use crate::{Load, LoadKind, System, Target, Vector};

/// Everything that formalisms are made from, for one system and one chart.
#[derive(Debug)]
pub struct Ingredients<'a> {
    /// The system.
    pub system: &'a System,
    /// What acts.
    pub mode: &'a Mode,
    /// The rows of the constraints that act.
    pub rows: &'a Rows,
    /// Where pivots may not vanish.
    pub at: &'a At,
    /// The coordinates.
    pub q: Vec<Expr>,
    /// Their rates.
    pub q_dot: Vec<Expr>,
    /// Their accelerations.
    pub q_ddot: Vec<Expr>,
    /// The masses of the elements; symbols for those that vary.
    masses: Vec<Expr>,
    /// The symbols of masses that vary, and what they stand for.
    pub varying: Substitution,
    chart: Result<Chart, ChartError>,
    free: OnceCell<Kinematics>,
    charted: OnceCell<Kinematics>,
    kinetic: OnceCell<Expr>,
    reduced: OnceCell<Expr>,
    full: OnceCell<Expr>,
    momenta: OnceCell<Vec<Expr>>,
    restricted_momenta: OnceCell<Vec<Expr>>,
    forces: OnceCell<Vec<Expr>>,
    chart_forces: OnceCell<Vec<Expr>>,
    inertia: OnceCell<Vec<Expr>>,
    partials: OnceCell<Vec<Vec<Expr>>>,
    correction: OnceCell<Vec<Expr>>,
    metric: OnceCell<Metric>,
    /// Forms that were derived from them, by name: each once.
    pub(crate) forms: RefCell<Derived>,
}

/// The kinetic energy as a metric (12), and what it says about the motion without forces (13).
#[derive(Clone, Debug)]
pub struct Metric {
    /// The mass matrix g_ρσ.
    pub mass: Vec<Vec<Expr>>,
    /// h_ρ.
    pub h: Vec<Expr>,
}

type Made<T> = Result<T, FormError>;

/// Forms by the names of their formalisms, or why they do not apply.
pub type Derived = Vec<(&'static str, Result<Form, FormError>)>;

impl<'a> Ingredients<'a> {
    /// The ingredients of a system in a mode, in a chart of that kind that is regular at the state.
    pub fn of(system: &'a System, mode: &'a Mode, rows: &'a Rows, kind: ChartKind, at: &'a At) -> Ingredients<'a> {
        let particles = system.points.iter().filter_map(|point| Some((&point.name, point.mass?)));
        let bodies = system.bodies.iter().map(|body| (&body.name, body.mass));
        let mut varying = Substitution::new();
        let masses = particles.chain(bodies).map(|(name, mass)| frozen(name, mass, &mut varying)).collect();
        Ingredients {
            system,
            mode,
            rows,
            at,
            q: system.q(),
            q_dot: system.q_dot(),
            q_ddot: system.q_ddot(),
            masses,
            varying,
            chart: Chart::of(system, rows, kind, at),
            free: OnceCell::new(),
            charted: OnceCell::new(),
            kinetic: OnceCell::new(),
            reduced: OnceCell::new(),
            full: OnceCell::new(),
            momenta: OnceCell::new(),
            restricted_momenta: OnceCell::new(),
            forces: OnceCell::new(),
            chart_forces: OnceCell::new(),
            inertia: OnceCell::new(),
            partials: OnceCell::new(),
            correction: OnceCell::new(),
            metric: OnceCell::new(),
            forms: RefCell::default(),
        }
    }

    /// The ingredients, when these forms have been derived from equal ones.
    pub fn knowing(self, forms: Derived) -> Ingredients<'a> {
        *self.forms.borrow_mut() = forms;
        self
    }

    /// The forms that were derived from them.
    pub fn forms(&self) -> Derived {
        self.forms.borrow().clone()
    }

    /// How many forms were derived from them.
    pub fn derived(&self) -> usize {
        self.forms.borrow().len()
    }

    /// Particles and bodies, each with its mass; where that varies, a symbol that stands for it and does not change.
    pub fn masses(&self) -> impl Iterator<Item = (Target, Expr)> {
        let points = (0..self.system.points.len()).filter(|&place| self.system.points[place].mass.is_some());
        let bodies = (0..self.system.bodies.len()).map(Target::Body);
        points.map(Target::Point).chain(bodies).zip(self.masses.iter().copied())
    }

    /// The chart, or why there is none.
    pub fn chart(&self) -> Made<&Chart> {
        self.chart.as_ref().map_err(|error| FormError::Chart(error.clone()))
    }

    /// All loads: those of the system, and the friction.
    fn loads(&self) -> Vec<&'a Load> {
        self.mode.loads(self.system).collect()
    }

    /// How everything moves, with the rates as symbols.
    pub fn free(&self) -> Made<&Kinematics> {
        once(&self.free, || Ok(Kinematics::of(self.system, &self.loads(), &self.masses, &expr::total_derivative)?))
    }

    /// How everything moves, with the rates of the chart.
    pub fn charted(&self) -> Made<&Kinematics> {
        once(&self.charted, || {
            let chart = self.chart()?;
            Ok(Kinematics::of(self.system, &self.loads(), &self.masses, &|e| chart.flow.rate(e))?)
        })
    }

    /// How everything moves with other rates of the coordinates; `time` says how fast it runs.
    pub fn moving(&self, rates: &[Expr], time: Expr) -> Made<Kinematics> {
        let pairs = self.q.iter().copied().zip(rates.iter().copied()).chain([(self.system.time, time)]);
        let flow = expr::Flow::new(&pairs.collect::<Vec<_>>());
        Ok(Kinematics::of(self.system, &self.loads(), &self.masses, &|e| flow.rate(e))?)
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

    /// An error if a row is of second order: then the velocities of the chart are not free to vary on their own. The same where
    /// the model chooses pseudo-accelerations.
    pub fn need_first_order(&self) -> Made<()> {
        if let Some((name, _)) = self.chart.as_ref().ok().and_then(|chart| chart.pseudo.first()) {
            return Err(FormError::NotApplicable(format!(
                "the model declares the pseudo-acceleration `{name}`, and it has one equation for each velocity, none for an \
                 acceleration"
            )));
        }
        match self.rows.list.iter().find(|row| row.order == 2) {
            Some(row) => Err(FormError::NotApplicable(format!(
                "the constraint `{}` is of second order: it limits accelerations and leaves no reduced velocities",
                row.name
            ))),
            None => Ok(()),
        }
    }

    /// An error if a row is not linear in the accelerations: then no matrix of rows is known before they are.
    pub fn need_linear_accelerations(&self) -> Made<()> {
        match self.rows.curved() {
            Some(row) => Err(FormError::NotApplicable(format!(
                "the constraint `{}` is not linear in the accelerations, and no matrix of the state gives them",
                row.name
            ))),
            None => Ok(()),
        }
    }

    /// An error if a row is not linear in the accelerations and nothing is guessed of them: then it is not known which root is meant.
    pub fn need_guess(&self) -> Made<()> {
        match self.rows.curved().filter(|_| self.system.acceleration_guesses.is_empty()) {
            Some(row) => Err(FormError::NotApplicable(format!(
                "the constraint `{}` is not linear in the accelerations: say which of its roots is meant, as in `guess {} = …`",
                row.name,
                row.A
                    .iter()
                    .zip(&self.q_ddot)
                    .rfind(|(a, _)| **a != Expr::zero())
                    .map_or(self.q_ddot[0], |found| *found.1)
            ))),
            None => Ok(()),
        }
    }

    /// An error unless the velocities are rates of coordinates and the rows are linear in them.
    pub fn need_linear_rates(&self) -> Made<()> {
        self.need_first_order()?;
        let chart = self.chart()?;
        if chart.kind == ChartKind::Speeds {
            return Err(FormError::NotApplicable(
                "it needs rates of coordinates as velocities, and the model declares speeds".to_owned(),
            ));
        }
        match chart.linear {
            true => Ok(()),
            false => Err(FormError::NotApplicable("a constraint is not linear in the rates".to_owned())),
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
            let map: Substitution = self.q_dot.iter().copied().zip(self.chart()?.rates.iter().copied()).collect();
            let added = map.apply_one(self.added_kinetic_energy())?;
            Ok(kinetic_energy(self.charted()?) + added)
        })
        .copied()
    }

    /// The kinetic energy with the full inverse (3).
    pub fn T_full(&self) -> Made<Expr> {
        once(&self.full, || {
            let chart = self.chart()?;
            if !chart.is_full {
                let why = "the `inverse` lines hold on the constraints only, and cannot be completed".to_owned();
                return Err(FormError::NotApplicable(why));
            }
            self.T_with(&chart.full_rates)
        })
        .copied()
    }

    /// The kinetic energy with symbols that stand still in place of the rates (11), and these symbols.
    pub fn T_frozen(&self) -> Made<(Expr, Substitution)> {
        let still = |s: usize| {
            let name = format!("{}@frozen", self.system.coordinates[s].name);
            expr::symbol(Symbol::new(&name, Kind::Parameter))
        };
        let frozen: Vec<Expr> = (0..self.q.len()).map(still).collect();
        let energy = self.T_with(&frozen)?;
        Ok((energy, frozen.into_iter().zip(self.q_dot.iter().copied()).collect()))
    }

    /// The kinetic energy with other rates.
    fn T_with(&self, rates: &[Expr]) -> Made<Expr> {
        let map: Substitution = self.q_dot.iter().copied().zip(rates.iter().copied()).collect();
        let added = map.apply_one(self.added_kinetic_energy())?;
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
        once(&self.momenta, || Ok(expr::gradient(self.T()?, &self.q_dot)?)).cloned()
    }

    /// The same momenta, put on the constraints after they were made.
    pub fn p_star(&self) -> Made<&Vec<Expr>> {
        once(&self.restricted_momenta, || self.on_shell(&self.p()?))
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
        let made = once(&self.chart_forces, || {
            let forces = expr::pullback(&self.charted()?.pairs(), &self.chart()?.u)?;
            self.on_free(&self.on_shell(&forces)?)
        });
        made.cloned()
    }

    /// ∂β_s/∂u_σ: a row for each coordinate.
    pub fn partials(&self) -> Made<&Vec<Vec<Expr>>> {
        once(&self.partials, || {
            let chart = self.chart()?;
            Ok(expr::jacobian(&chart.rates, &chart.u)?)
        })
    }

    /// Σ_s x_s ∂β_s/∂u_σ: what belongs to coordinates, for the velocities of the chart.
    pub fn along_chart(&self, of_coordinates: &[Expr]) -> Made<Vec<Expr>> {
        let chart = self.chart()?;
        let weighted: Vec<(Expr, Expr)> = chart.rates.iter().copied().zip(of_coordinates.iter().copied()).collect();
        Ok(expr::pullback(&weighted, &chart.u)?)
    }

    /// Σ weight ∂Φ/∂π_σ (9).
    pub fn slopes(&self, weighted: &[(Expr, Expr)]) -> Made<Vec<Expr>> {
        self.along_chart(&expr::pullback(weighted, &self.q)?)
    }

    /// The nonholonomic correction (10): zero for a chart that is holonomic.
    pub fn correction(&self) -> Made<&Vec<Expr>> {
        once(&self.correction, || {
            self.need_first_order()?;
            let (chart, p, partials) = (self.chart()?, self.p_star()?, self.partials()?);
            let weighted: Vec<(Expr, Expr)> = chart.rates.iter().copied().zip(p.iter().copied()).collect();
            let mut corrections = Vec::with_capacity(chart.u.len());
            for (place, slope) in self.slopes(&weighted)?.into_iter().enumerate() {
                let mut terms = vec![-slope];
                for (&p, row) in p.iter().zip(partials) {
                    terms.push(p * chart.flow.rate(row[place])?);
                }
                corrections.push(terms.into_iter().sum());
            }
            Ok(corrections)
        })
    }

    /// The metric (12) and its Christoffel symbols on the motion (13).
    pub fn metric(&self) -> Made<&Metric> {
        once(&self.metric, || {
            let (mut g, mixed) = expr::linear_coefficients(&self.p()?, &self.q_dot)
                .map_err(|_| FormError::NotApplicable("T is not quadratic in the rates".to_owned()))?;
            let still: Substitution = self.q_dot.iter().map(|&rate| (rate, Expr::zero())).collect();
            let rest = 2 * still.apply_one(self.T()?)?;
            let mass = g.clone();
            g.iter_mut().zip(&mixed).for_each(|(row, &entry)| row.push(entry));
            g.push(mixed.into_iter().chain([rest]).collect());
            Ok(Metric { mass, h: self.christoffel(&g)? })
        })
    }

    /// h (13), symbol by symbol; the last index is time.
    fn christoffel(&self, g: &[Vec<Expr>]) -> Made<Vec<Expr>> {
        let n = self.q.len();
        let x: Vec<Expr> = self.q.iter().copied().chain([self.system.time]).collect();
        let x_dot: Vec<Expr> = self.q_dot.iter().copied().chain([Expr::one()]).collect();
        let entries: Vec<Expr> = (0..=n).flat_map(|a| (0..=a).map(move |b| g[a][b])).collect();
        let along = |&x: &Expr| expr::directional(&entries, &[(x, Expr::one())]);
        let change = x.iter().map(along).collect::<Result<Vec<_>, _>>()?;
        let d = |k: usize, a: usize, b: usize| change[k][a.max(b) * (a.max(b) + 1) / 2 + a.min(b)];
        let half = expr::rational(1, 2);
        let contracted = |r: usize| {
            let mut terms = Vec::new();
            for a in 0..=n {
                for b in 0..=a {
                    let gamma = half * Expr::sum(&[d(a, r, b), d(b, r, a), -d(r, a, b)]);
                    if gamma != Expr::zero() {
                        let twice = expr::integer(if a == b { 1 } else { 2 });
                        terms.push(twice * gamma * x_dot[a] * x_dot[b]);
                    }
                }
            }
            terms.into_iter().sum()
        };
        Ok((0..n).map(contracted).collect())
    }

    /// B (14): for each row, the accelerations that change its left side by one and keep those of the chart.
    pub fn reaction_directions(&self) -> Made<Vec<Vec<Expr>>> {
        let chart = self.chart()?;
        let free = (0..chart.u.len()).filter(|&place| chart.w.contains(&chart.u_dot[place]));
        let own = chart.pseudo.iter().map(|&(_, definition)| expr::gradient(definition, &self.q_ddot));
        let free = free.map(|place| expr::gradient(chart.forward[place], &self.q_dot));
        let mut pseudo = own.chain(free).collect::<Result<Vec<_>, _>>()?;
        let l = pseudo.len();
        pseudo.extend(self.rows.list.iter().map(|row| row.A.clone()));
        let unit = |k: usize| (0..pseudo.len()).map(|s| if s == k { Expr::one() } else { Expr::zero() }).collect();
        let units: Vec<Vec<Expr>> = (l..pseudo.len()).map(unit).collect();
        inverse_times(&pseudo, &units, self.at)
            .map_err(|error| FormError::NotApplicable(format!("pseudo-accelerations cannot be inverted: {error}")))
    }

    /// The total derivative along the chart with u'' as symbols that nothing eliminates.
    pub fn second_flow(&self) -> Made<Flow> {
        let chart = self.chart()?;
        let mut pairs: Vec<(Expr, Expr)> = self.q.iter().copied().zip(chart.rates.iter().copied()).collect();
        pairs.extend(chart.u.iter().copied().zip(chart.u_dot.iter().copied()));
        for &u_dot in &chart.u_dot {
            pairs.push((u_dot, expr::total_derivative(u_dot)?));
        }
        pairs.push((self.system.time, Expr::one()));
        Ok(Flow::new(&pairs))
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

    /// A substitution with the masses that vary in place of their symbols.
    pub fn thawed_map(&self, map: &Substitution) -> Result<Substitution, MathError> {
        let values: Vec<Expr> = map.iter().map(|pair| pair.1).collect();
        Ok(map.iter().map(|pair| pair.0).zip(self.thawed(&values)?).collect())
    }

    /// Expressions with the masses that vary in place of their symbols.
    pub fn thawed(&self, outputs: &[Expr]) -> Result<Vec<Expr>, MathError> {
        self.varying.apply(outputs)
    }
}

/// The mass as a symbol that does not change, if it depends on time or position.
fn frozen(name: &str, mass: Expr, varying: &mut Substitution) -> Expr {
    let varies = |symbol: &Expr| symbol.as_symbol().is_some_and(|symbol| symbol.kind != Kind::Parameter);
    if !mass.symbols().iter().any(varies) {
        return mass;
    }
    let symbol = expr::symbol(Symbol::new(&format!("{name}@mass"), Kind::Parameter));
    varying.insert(symbol, mass);
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

/// Velocities and angular velocities of the elements, each with its momentum: m v and I ω.
pub(crate) fn element_momenta(kinematics: &Kinematics) -> Vec<(Local, Vector)> {
    let of_element = |element: &Element| {
        let moving = (element.velocity, element.velocity.components * element.mass);
        let turning = element.spin.as_ref().map(|spin| (spin.omega, spin.times(spin.omega.components)));
        [Some(moving), turning]
    };
    kinematics.elements.iter().flat_map(of_element).flatten().collect()
}

/// Σ a_i b_i.
pub(crate) fn dot(a: &[Expr], b: &[Expr]) -> Expr {
    let terms = a.iter().zip(b).filter(|(a, b)| **a != Expr::zero() && **b != Expr::zero());
    terms.map(|(&a, &b)| a * b).sum()
}

/// The inverse of a matrix times each of the columns, by one elimination.
pub(crate) fn inverse_times(
    matrix: &[Vec<Expr>],
    columns: &[Vec<Expr>],
    at: &At,
) -> Result<Vec<Vec<Expr>>, SolveError> {
    let n = matrix.len();
    let beside = |(s, row): (usize, &Vec<Expr>)| row.iter().copied().chain(columns.iter().map(|c| -c[s])).collect();
    let rows: Vec<Vec<Expr>> = matrix.iter().enumerate().map(beside).collect();
    let first: Vec<usize> = (0..n).collect();
    let solved = solve_for(&Matrix::from_rows(&rows), &vec![Expr::zero(); n], Columns::Only(&first), at)?;
    if solved.dependent.len() < n {
        let columns = (0..n).filter(|column| !solved.dependent.contains(column)).collect();
        return Err(SolveError::Undetermined { columns });
    }
    Ok((0..columns.len()).map(|k| solved.coefficients.iter().map(|row| row[k]).collect()).collect())
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
