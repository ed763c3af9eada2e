//! What does a route make on its way? A formalism names what it makes here; where nobody reads, nothing is written.
//!
//! A name is written as on the pages of the formalisms, `∂S*/∂u'`; `#` in it stands for the symbol that a
//! line belongs to, `%` for what that is the rate of. A formula is given in letters, or by its number on the page of the formalism, `(2)`.

use expr::{Expr, Kind, Symbol};

use crate::balance::potential_energy;
use crate::chart::ChartKind;
use crate::form::FormError;
use crate::ingredients::{Ingredients, dot, inverse_times, moment};
use crate::kinematics::{Kinematics, Local};
use crate::rows::Row;
use crate::{Rate, Target, Vector};

/// Systems of more equations for multipliers are not solved on the page.
const MOST_SOLVED: usize = 3;

/// What a formalism writes down on its way, if somebody reads it.
#[derive(Debug, Default)]
pub struct Steps {
    list: Option<Vec<Step>>,
}

/// Objects of one kind, with the formula by which they are made.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it is, in words.
    pub title: &'static str,
    /// Its letter.
    pub name: String,
    /// The formula in letters, or its number on the page of the formalism; empty for none.
    pub formula: &'static str,
    /// What it is for this system.
    pub lines: Vec<Line>,
}

/// Something that is said of a system.
#[derive(Clone, Debug)]
pub enum Line {
    /// name = value.
    Value {
        /// Its name.
        name: String,
        /// What it is.
        value: Expr,
    },
    /// A vector along the axes of a frame.
    Vector {
        /// Its name.
        name: String,
        /// Its components.
        value: Vector,
        /// The frame, as a place in [`crate::System::frames`].
        frame: usize,
    },
    /// A matrix.
    Matrix {
        /// Its name.
        name: String,
        /// Its rows.
        rows: Vec<Vec<Expr>>,
    },
    /// Two names for the same, and what it is.
    Same {
        /// Both names, with the sign between them.
        name: String,
        /// What it is, by one way.
        value: Expr,
        /// What vanishes if the other way leads there too.
        difference: Expr,
    },
    /// An equation of the form before its terms are put together.
    Balance {
        /// The terms of the inertia side.
        left: Vec<Term>,
        /// The terms of the forces.
        right: Vec<Term>,
    },
    /// A formula in letters.
    Letters(String),
    /// A sentence.
    Words(String),
}

/// A term of an equation.
#[derive(Clone, Debug)]
pub struct Term {
    /// Whether it is subtracted.
    pub minus: bool,
    /// Its name.
    pub name: String,
    /// What it is.
    pub value: Expr,
}

/// Terms of all equations: the name with `#` in it, after a `+`, or a `−` if they are subtracted, and one value for each
/// equation.
pub type Terms<'a> = (&'a str, &'a [Expr]);

type Done = Result<(), FormError>;

impl Steps {
    /// Nobody reads.
    pub fn unread() -> Steps {
        Steps::default()
    }

    /// Somebody reads.
    pub fn read() -> Steps {
        Steps { list: Some(Vec::new()) }
    }

    /// What was written.
    pub fn written(self) -> Vec<Step> {
        self.list.unwrap_or_default()
    }

    /// Writes what takes work to make, if somebody reads.
    pub fn add(&mut self, make: impl FnOnce() -> Result<Step, FormError>) -> Done {
        if let Some(list) = &mut self.list {
            let step = make()?;
            list.extend(Some(step).filter(|step| !step.lines.is_empty()));
        }
        Ok(())
    }

    fn push(&mut self, title: &'static str, name: &str, formula: &'static str, lines: impl FnOnce() -> Vec<Line>) {
        if let Some(list) = &mut self.list {
            let name = name.replace("[#]", "").replace("[%]", "").replace(['#', '%'], "q");
            list.extend(Some(Step { title, name, formula, lines: lines() }).filter(|step| !step.lines.is_empty()));
        }
    }

    /// A sentence under a title.
    pub fn words(&mut self, title: &'static str, formula: &'static str, words: &str) {
        self.push(title, "", formula, || vec![Line::Words(words.to_owned())]);
    }

    /// One object.
    pub fn value(&mut self, title: &'static str, name: &str, formula: &'static str, value: Expr) {
        self.push(title, name, formula, || vec![Line::Value { name: name.to_owned(), value }]);
    }

    /// An object for each symbol.
    pub fn each(&mut self, title: &'static str, name: &str, formula: &'static str, of: &[Expr], values: &[Expr]) {
        self.push(title, name, formula, || values_of(name, of, values));
    }

    /// A matrix.
    pub fn matrix(&mut self, title: &'static str, name: &str, formula: &'static str, rows: &[Vec<Expr>]) {
        self.push(title, name, formula, || vec![Line::Matrix { name: name.to_owned(), rows: rows.to_vec() }]);
    }

    /// The equations of the form, each with its terms before they are put together.
    pub fn balance(&mut self, formula: &'static str, of: &[Expr], left: &[Terms<'_>], right: &[Terms<'_>]) {
        let term = |&(name, values): &Terms<'_>, k: usize| {
            let (minus, name) = match name.strip_prefix('−') {
                Some(name) => (true, name),
                None => (false, name.strip_prefix('+').unwrap_or(name)),
            };
            let name = name.trim_start();
            let symbol = of[k].to_string();
            let below = symbol.strip_suffix('\'').unwrap_or(&symbol);
            Term { minus, name: name.replace('#', &symbol).replace('%', below), value: values[k] }
        };
        let side = |terms: &[Terms<'_>], k: usize| terms.iter().map(|terms| term(terms, k)).collect();
        let equation = |k: usize| Line::Balance { left: side(left, k), right: side(right, k) };
        self.push("The equations, term by term", "", formula, || (0..of.len()).map(equation).collect());
    }

    /// The equations with the reactions of the rows on the right, as in [`crate::form::Form::with_multipliers`].
    pub fn balance_with_multipliers(
        &mut self,
        formula: &'static str,
        given: &Ingredients<'_>,
        left: &[Terms<'_>],
        right: &[Terms<'_>],
    ) {
        let push = |s: usize| given.rows.list.iter().map(move |row| row.lambda * row.A[s]).sum::<Expr>();
        let pushes: Vec<Expr> = (0..given.q.len()).map(push).collect();
        let with: Vec<Terms<'_>> = right.iter().copied().chain([("Σ λ A[#]", &pushes[..])]).collect();
        self.balance(formula, &given.q, left, if given.rows.list.is_empty() { right } else { &with });
    }

    // ---- kinematics

    /// The rates of the coordinates by the velocities of the chart.
    pub fn rates(&mut self, given: &Ingredients<'_>) -> Done {
        let chart = given.chart()?;
        self.push("Independent velocities, and the rates by them", "q'", "q' = β(q, u, t)", || {
            let names: Vec<String> = chart.u.iter().map(Expr::to_string).collect();
            let mut lines = vec![match names.is_empty() {
                true => Line::Words("no velocity is free".to_owned()),
                false => Line::Letters(format!("u = ({})", names.join(", "))),
            }];
            let tied = given.q_dot.iter().zip(&chart.rates).filter(|(symbol, rate)| symbol != rate);
            lines.extend(tied.map(|(symbol, &value)| Line::Value { name: symbol.to_string(), value }));
            if lines.len() == 1 && chart.kind == ChartKind::Rates {
                lines.push(Line::Words("they are the rates of the coordinates themselves".to_owned()));
            }
            lines
        });
        Ok(())
    }

    /// The accelerations of the coordinates by those of the chart.
    pub fn accelerations_of_chart(&mut self, given: &Ingredients<'_>) -> Done {
        let chart = given.chart()?;
        let formula = "q'' = ∂β/∂q β + ∂β/∂u u' + ∂β/∂t";
        let tied: Vec<usize> = (0..given.q.len()).filter(|&s| given.q_ddot[s] != chart.accelerations[s]).collect();
        let pick = |list: &[Expr]| tied.iter().map(|&s| list[s]).collect::<Vec<_>>();
        self.each(
            "Accelerations by those of the chart",
            "#",
            formula,
            &pick(&given.q_ddot),
            &pick(&chart.accelerations),
        );
        Ok(())
    }

    /// The velocities of the masses; `names` are the letters of a velocity and of an angular velocity.
    pub fn velocities(&mut self, given: &Ingredients<'_>, moving: &Kinematics, names: [&str; 2]) {
        let formula = if names[0] == "v" { "v = r',   ω along the body" } else { "ṽ = v(q, β(q, u, t), t)" };
        self.push("Velocities of the masses", names[0], formula, || {
            let lines = all(moving).into_iter().map(|(target, place, velocity)| Line::Vector {
                name: format!("{}[{}]", names[place], name_of(given, target)),
                value: velocity.components,
                frame: velocity.frame,
            });
            lines.collect()
        });
    }

    /// The accelerations of the masses.
    pub fn accelerations(
        &mut self,
        given: &Ingredients<'_>,
        moving: &Kinematics,
        d_dt: Rate<'_>,
        names: [&str; 2],
    ) -> Done {
        self.add(|| {
            let mut lines = Vec::new();
            for (target, place, velocity) in all(moving) {
                let name = format!("{}[{}]", names[place], name_of(given, target));
                lines.push(Line::Vector { name, value: velocity.rate(d_dt)?, frame: velocity.frame });
            }
            let formula = if names[0] == "a" { "a = v',   α = ω'" } else { "ã = dṽ/dt,   α̃ = dω̃/dt" };
            Ok(Step { title: "Accelerations of the masses", name: names[0].to_owned(), formula, lines })
        })
    }

    /// The partial velocities of the masses by these velocities.
    pub fn partial_velocities(
        &mut self,
        given: &Ingredients<'_>,
        moving: &Kinematics,
        by: &[Expr],
        names: [&str; 2],
    ) -> Done {
        self.add(|| {
            let (all, mut lines) = (all(moving), Vec::new());
            let components: Vec<Expr> = all.iter().flat_map(|(.., velocity)| velocity.components.0).collect();
            for &u in by {
                let partial = expr::directional(&components, &[(u, Expr::one())])?;
                for (partial, (target, place, velocity)) in partial.chunks_exact(3).zip(&all) {
                    let value = Vector([partial[0], partial[1], partial[2]]);
                    if !value.is_zero() {
                        let (letter, mass) = (names[*place], name_of(given, *target));
                        // Volterra's letter is the partial velocity itself
                        let name = match names[0] {
                            "ξ" => format!("{letter}[{mass}, {u}]"),
                            _ => format!("∂{letter}[{mass}]/∂{u}"),
                        };
                        lines.push(Line::Vector { name, value, frame: velocity.frame });
                    }
                }
            }
            let title = "Partial velocities and partial angular velocities (those left out are zero)";
            let (name, formula) = match names[0] {
                "v" => ("∂v/∂q'", "∂v/∂q'_s,   ∂ω/∂q'_s"),
                "ξ" => ("ξ", "ṽ_i = Σ_r ξ_ir u_r"),
                _ => ("∂ṽ/∂u", "∂ṽ/∂u_σ,   ∂ω̃/∂u_σ"),
            };
            Ok(Step { title, name: name.to_owned(), formula, lines })
        })
    }

    // ---- dynamics

    /// The moments of the inertia forces of bodies.
    pub fn moments(
        &mut self,
        given: &Ingredients<'_>,
        moving: &Kinematics,
        d_dt: Rate<'_>,
        formula: &'static str,
    ) -> Done {
        self.add(|| {
            let mut lines = Vec::new();
            for element in &moving.elements {
                if let Some(spin) = &element.spin {
                    let name = format!("K'[{}]", name_of(given, element.target));
                    lines.push(Line::Vector { name, value: moment(spin, d_dt)?, frame: spin.omega.frame });
                }
            }
            Ok(Step { title: "Rates of the moments of momentum", name: "K'".to_owned(), formula, lines })
        })
    }

    /// Generalized forces along these velocities: those of the loads, and the reactive ones of masses that vary, apart.
    pub fn forces(&mut self, given: &Ingredients<'_>, moving: &Kinematics, along: &[Expr], letter: &str) -> Done {
        let charted = letter == "P*";
        self.add(|| {
            let pairs = |efforts: &[Vec<crate::kinematics::Effort>]| {
                efforts.iter().flatten().map(|effort| (effort.velocity, effort.force)).collect::<Vec<_>>()
            };
            let (loads, exhausts) = moving.efforts.split_at(moving.efforts.len() - 1);
            let made = |pairs: &[(Expr, Expr)]| -> Result<Vec<Expr>, FormError> {
                let forces = expr::pullback(pairs, along)?;
                if charted { given.on_free(&given.on_shell(&forces)?) } else { Ok(forces) }
            };
            let (of, index) = if charted { (&given.chart()?.w[..], "%") } else { (&given.q[..], "#") };
            let mut lines = values_of(&format!("{letter}[{index}]"), of, &made(&pairs(loads))?);
            if exhausts.iter().any(|list| !list.is_empty()) {
                lines.extend(values_of(&format!("R[{index}]"), of, &made(&pairs(exhausts))?));
                lines.push(Line::Words("R are the reactive forces m' u of masses that vary".to_owned()));
            }
            let formula = match charted {
                true => "P*_σ = Σ F·∂ṽ/∂u_σ + M·∂ω̃/∂u_σ",
                false => "Q_s = Σ F·∂v/∂q'_s + M·∂ω/∂q'_s",
            };
            let title = "Generalized active forces";
            Ok(Step { title, name: letter.to_owned(), formula, lines })
        })
    }

    /// Forces of the coordinates.
    pub fn coordinate_forces(&mut self, given: &Ingredients<'_>) -> Done {
        let free = given.free()?;
        self.forces(given, free, &given.q_dot, "Q")
    }

    /// Forces of the chart.
    pub fn chart_forces(&mut self, given: &Ingredients<'_>) -> Done {
        let (charted, chart) = (given.charted()?, given.chart()?);
        self.forces(given, charted, &chart.u, "P*")
    }

    /// The kinetic energy without constraints, or with those of the chart.
    pub fn kinetic(&mut self, name: &str, T: Expr) {
        let (title, formula) = match name {
            "T" => ("Kinetic energy", "T = Σ ½ m v·v + ½ ω·Iω"),
            "T*" => ("Reduced kinetic energy", "T* = T(q, β(q, u, t), t)"),
            _ => ("Kinetic energy in all quasi-velocities, those of the rows too", "T^f = T(q, β(q, u, c, t), t)"),
        };
        self.value(title, name, formula, T);
    }

    /// What the constraints say of rates or accelerations: the gradients A, and the drift a0.
    pub fn gradients(&mut self, given: &Ingredients<'_>, formula: &'static str) {
        let line = |row: &Row| {
            let entries = given.q.iter().zip(&row.A).filter(|(_, a)| !a.is_zero());
            let of_row = entries.map(|(q, &value)| Line::Value { name: format!("A[{}, {q}]", row.name), value });
            let drift = Line::Value { name: format!("a0[{}]", row.name), value: row.drift };
            of_row.chain([drift]).collect::<Vec<_>>()
        };
        self.push("Gradients of the constraints, and what is left of their second derivative", "A", formula, || {
            given.rows.list.iter().flat_map(line).collect()
        });
    }

    /// The momenta of the kinetic energy without constraints, put on them afterwards.
    pub fn momenta(&mut self, given: &Ingredients<'_>) -> Done {
        let title = "Momenta of the unreduced energy, put on the constraints afterwards";
        self.each(title, "p[#]", "p_s = ∂T/∂q'_s", &given.q, given.p_star()?);
        Ok(())
    }

    /// Momenta, their rates, the slopes of T, and Lagrange's expressions E.
    pub fn lagrange_operator(&mut self, given: &Ingredients<'_>) -> Done {
        let (p, E) = (given.p()?, given.E()?);
        self.each("Momenta", "p[#]", "p_s = ∂T/∂q'_s", &given.q, &p);
        self.add(|| {
            let rates = p.iter().map(|&p| expr::total_derivative(p)).collect::<Result<Vec<_>, _>>()?;
            let mut lines = values_of("p[#]'", &given.q, &rates);
            lines.extend(values_of("∂T/∂#", &given.q, &expr::gradient(given.T()?, &given.q)?));
            Ok(Step { title: "Their rates, and the slopes of T", name: "p'".to_owned(), formula: "", lines })
        })?;
        self.each("Lagrange's expressions", "E[#]", "E_s = d/dt ∂T/∂q'_s − ∂T/∂q_s", &given.q, E);
        Ok(())
    }

    /// T, V where loads have a potential, and L = T − V.
    pub fn lagrangian(&mut self, given: &Ingredients<'_>) -> Done {
        self.kinetic("T", given.T()?);
        let V = potential_energy(given.system)?;
        if V.is_zero() {
            self.value("Lagrange's function: no load has a potential", "L", "L = T", given.T()?);
        } else {
            self.value("Potential energy", "V", "V = Σ potentials − Σ m g·r + Σ ½ k (l − l0)²", V);
            self.value("Lagrange's function", "L", "L = T − V", given.thawed(&[given.T()?])?[0] - V);
        }
        Ok(())
    }

    /// The equations for the multipliers by the mass matrix.
    pub fn by_metric(&mut self, given: &Ingredients<'_>) -> Done {
        if self.list.is_none() || given.rows.list.is_empty() || given.rows.curved().is_some() {
            return Ok(());
        }
        let Ok(metric) = given.metric() else { return Ok(()) };
        self.matrix("The mass matrix", "M", "M = ∂²T/∂q'∂q'", &metric.mass);
        self.each("What T leaves beside M q''", "h[#]", "h = E − M q''", &given.q, &metric.h);
        let solved = |columns: &[Vec<Expr>]| {
            inverse_times(&metric.mass, columns, given.at)
                .map_err(|error| FormError::NotApplicable(format!("the mass matrix has no inverse: {error}")))
        };
        self.multiplier_system(given, "A M⁻¹ Aᵀ λ = −a0 − A M⁻¹ (Q − h)", solved, &metric.h)
    }

    /// The linear equations for the multipliers; `solved` applies the inverse of the masses to columns.
    pub fn multiplier_system(
        &mut self,
        given: &Ingredients<'_>,
        formula: &'static str,
        solved: impl FnOnce(&[Vec<Expr>]) -> Result<Vec<Vec<Expr>>, FormError>,
        h: &[Expr],
    ) -> Done {
        let rows = &given.rows.list;
        if rows.is_empty() || given.rows.curved().is_some() {
            return Ok(());
        }
        self.add(|| {
            let mut columns = vec![given.Q()?.iter().zip(h).map(|(&Q, &h)| Q - h).collect()];
            columns.extend(rows.iter().map(|row| row.A.clone()));
            // Without an inverse of the masses there is no such system, and the form needs none.
            let Ok(over_mass) = solved(&columns) else { return Ok(Step::words("", String::new())) };
            let N: Vec<Vec<Expr>> =
                rows.iter().map(|row| over_mass[1..].iter().map(|pull| dot(&row.A, pull)).collect()).collect();
            let right: Vec<Expr> = rows.iter().map(|row| -row.drift - dot(&row.A, &over_mass[0])).collect();
            let mut lines = vec![Line::Matrix { name: "N".to_owned(), rows: N.clone() }];
            let named = rows.iter().zip(&right);
            lines.extend(named.map(|(row, &value)| Line::Value { name: format!("b[{}]", row.name), value }));
            lines.push(Line::Words("N λ = b gives the multipliers".to_owned()));
            lines.extend(solution(given, &N, &right));
            Ok(Step { title: "The equations for the multipliers", name: "N".to_owned(), formula, lines })
        })
    }
}

impl Step {
    /// One object.
    pub fn of(title: &'static str, name: &str, formula: &'static str, value: Expr) -> Step {
        Step::values(title, name, formula, [(name.to_owned(), value)])
    }

    /// Objects with names of their own.
    pub fn values(
        title: &'static str,
        name: &str,
        formula: &'static str,
        values: impl IntoIterator<Item = (String, Expr)>,
    ) -> Step {
        let lines = values.into_iter().map(|(name, value)| Line::Value { name, value }).collect();
        Step { title, name: name.to_owned(), formula, lines }
    }

    /// A matrix.
    pub fn matrix(title: &'static str, name: &str, formula: &'static str, rows: Vec<Vec<Expr>>) -> Step {
        Step { title, name: name.to_owned(), formula, lines: vec![Line::Matrix { name: name.to_owned(), rows }] }
    }

    /// A sentence; without words, nothing.
    pub fn words(title: &'static str, words: String) -> Step {
        let lines = if words.is_empty() { Vec::new() } else { vec![Line::Words(words)] };
        Step { title, name: String::new(), formula: "", lines }
    }
}

/// The multipliers of a small system N λ = b.
pub fn solution(given: &Ingredients<'_>, N: &[Vec<Expr>], right: &[Expr]) -> Vec<Line> {
    if N.is_empty() || N.len() > MOST_SOLVED {
        return Vec::new();
    }
    let solved = inverse_times(N, &[right.to_vec()], given.at).map(|mut columns| columns.remove(0)).unwrap_or_default();
    let line = |(row, value): (&Row, Expr)| Line::Value { name: row.lambda.to_string(), value };
    given.rows.list.iter().zip(solved).map(line).collect()
}

/// A line for each symbol.
pub fn values_of(name: &str, of: &[Expr], values: &[Expr]) -> Vec<Line> {
    let line = |(symbol, &value): (&Expr, &Expr)| {
        let symbol = symbol.to_string();
        let below = symbol.strip_suffix('\'').unwrap_or(&symbol);
        Line::Value { name: name.replace('#', &symbol).replace('%', below), value }
    };
    of.iter().zip(values).map(line).collect()
}

/// The name of a mass.
pub fn name_of<'a>(given: &'a Ingredients<'_>, target: Target) -> &'a str {
    match target {
        Target::Point(place) => &given.system.points[place].name,
        Target::Body(place) => &given.system.bodies[place].name,
    }
}

/// Velocities (0) and angular velocities (1) of the masses.
fn all(moving: &Kinematics) -> Vec<(Target, usize, Local)> {
    let of = |element: &crate::kinematics::Element| {
        let spin = element.spin.as_ref().map(|spin| (element.target, 1, spin.omega));
        [Some((element.target, 0, element.velocity)), spin]
    };
    moving.elements.iter().flat_map(of).flatten().collect()
}

/// The symbol of a variation: `δx` of `x`, `δx'` of `x'`.
pub fn variation(of: &str) -> Expr {
    let name = of.trim_end_matches('\'');
    let order = u32::try_from(of.len() - name.len()).unwrap_or(0);
    expr::symbol(Symbol { order, ..Symbol::new(&format!("δ{name}"), Kind::QuasiVelocity) })
}
