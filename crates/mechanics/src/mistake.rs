//! What do the known mistakes of mechanics do to the equations?
//!
//! ```text
//! residual of the mistaken equations = E* − P* + Δ                  Δ for each mistake:
//! D2  constraints put into T before Hamel's derivatives      −Σ_{k>ε} P_k Σ_s (d/dt ∂π_k/∂q'_s − ∂π_k/∂q_s) ∂q'_s/∂u_σ
//! D3  plain Lagrange on the reduced energy                   +C_σ
//! D5  masses differentiated, or absolute exhaust velocities  ±Σ m' ṽ·∂ṽ/∂u_σ
//! D6  Tzenoff with q''' eliminated                           ½ Σ_s p_s ∂q'''_s/∂u'_σ
//! D7  Tzenoff with a lost dot in T0''                        (3/2) Σ_s ∂T/∂q_s ∂q'_s/∂u_σ
//! D8  the work with the wrong sign                           +2 P*_σ
//!     accelerations without their centripetal part           −Σ m a(w = 0)·∂ṽ/∂u_σ
//!     a load, a mass or a moment of inertia that is wrong    the residual of the changed system minus the true one
//! ```
//!
//! Source: the signatures D2 to D8 are those of the collection of formalisms, section 6; each vanishes on some
//! systems, where the mistake cannot be seen.

use expr::{Expr, MathError};

use crate::chart::ChartKind;
use crate::form::{Form, FormError};
use crate::formalism::formalism;
use crate::ingredients::Ingredients;
use crate::rows::Rows;
use crate::{Load, LoadKind, System, Target, Vector};

/// A mistake and what it adds to the residuals of a chart.
#[derive(Clone, Debug)]
pub struct Mistake {
    /// `D3`, or a word for everyday mistakes.
    pub id: &'static str,
    /// What was done, as the end of a sentence: "put the rolling constraints into the kinetic energy …".
    pub what: String,
    /// Why that is wrong, and what is missing.
    pub why: String,
    /// What it adds to each equation, a function of q, u, w, t.
    pub delta: Vec<Expr>,
}

/// The true residuals E* − P* of a chart, and every mistake that changes them.
pub struct Mistakes {
    /// The residuals.
    pub residuals: Vec<Expr>,
    /// The mistakes that can be seen on this system.
    pub visible: Vec<Mistake>,
    /// What the invisible ones are: their change vanishes here.
    pub invisible: Vec<String>,
}

/// The forms whose residuals are E* − P* in any chart; the first that applies is taken.
const PLAIN: [&str; 3] = ["fundamental", "chaplygin-25", "tzenoff"];

/// All mistakes on a system in a chart.
pub fn mistakes(system: &System, rows: &Rows, kind: ChartKind) -> Result<Mistakes, FormError> {
    let given = Ingredients::of(system, rows, kind);
    let residuals = residuals(&given)?;
    let mut all = of_method(&given)?;
    for (id, what, why, changed) in changed_systems(system) {
        let given = Ingredients::of(&changed, rows, kind);
        let Ok(changed) = self::residuals(&given) else { continue };
        let delta = changed.iter().zip(&residuals).map(|(&changed, &right)| changed - right).collect();
        all.push(Mistake { id, what, why, delta });
    }
    let (visible, invisible): (Vec<Mistake>, Vec<Mistake>) =
        all.into_iter().partition(|mistake| mistake.delta.iter().any(|delta| !delta.is_zero()));
    let invisible = invisible.into_iter().map(|mistake| mistake.what).collect();
    Ok(Mistakes { residuals, visible, invisible })
}

fn residuals(given: &Ingredients<'_>) -> Result<Vec<Expr>, FormError> {
    let mut last = FormError::NotApplicable("no form in a chart applies".to_owned());
    for name in PLAIN {
        let Some(formalism) = formalism(name) else { continue };
        match (formalism.derive)(given) {
            Ok(form) => return Ok(form.residuals()),
            Err(error) => last = error,
        }
    }
    Err(last)
}

// ---------------------------------------------------------------------------------------------
// Mistakes of method

fn of_method(given: &Ingredients<'_>) -> Result<Vec<Mistake>, FormError> {
    let mut list = Vec::new();
    let mut add = |id: &'static str, what: &str, why: &str, delta: Result<Vec<Expr>, FormError>| {
        let Ok(delta) = delta else { return };
        let Ok(form) = Form::in_chart(given, &delta, &vec![Expr::zero(); delta.len()]) else { return };
        list.push(Mistake { id, what: what.to_owned(), why: why.to_owned(), delta: form.residuals() });
    };
    if given.rows.list.iter().any(|row| row.order == 1) {
        add(
            "D3",
            "put the constraints into the kinetic energy and applied Lagrange's equations to what was left",
            "Lagrange's operator differentiates across the constraints, so the momenta that were eliminated act back: \
             the term C_σ = Σ_s p_s (d/dt ∂q'_s/∂u_σ − ∂q'_s/∂π_σ) with the momenta p_s of the unreduced energy is \
             missing (Chaplygin's correction; assuming that all variations commute loses the same terms)",
            given.correction().cloned(),
        );
        add(
            "D2",
            "put the constraints into the kinetic energy before taking the derivatives of Hamel's equations",
            "Hamel's equations need the momenta of the constrained quasi-velocities too, and these do not vanish with \
             the quasi-velocities: T must be differentiated first and restricted afterwards",
            early_hamel(given),
        );
        add(
            "D6",
            "eliminated the third derivatives from Tzenoff's function before differentiating it",
            "third derivatives are held fixed in ∂R/∂q''; eliminated ones bring ½ Σ p_s ∂q'''_s/∂q'' with them",
            eliminated_third(given),
        );
    }
    add(
        "D7",
        "used T0 with a lost dot in Tzenoff's function, so that its part of the force is missing",
        "R = ½(T'' − 3 T0'') needs both derivatives of T0; without them 3/2 ∂T/∂q stays on the wrong side",
        lost_dot(given),
    );
    if !given.varying.is_empty() {
        add(
            "D5",
            "differentiated the variable mass although the exhaust velocity is relative",
            "frozen masses go with relative velocities, differentiated ones with absolute velocities; mixed, the term \
             Σ m' v·∂v/∂u is counted twice",
            thrust(given),
        );
        add(
            "D5",
            "kept the mass frozen although the exhaust velocity was taken as absolute",
            "frozen masses go with relative velocities; with absolute ones Σ m' v·∂v/∂u is missing",
            thrust(given).map(|list| list.into_iter().map(|e| -e).collect()),
        );
    }
    if given.system.loads.len() > 1 {
        add(
            "D8",
            "gave the work of the forces the wrong sign",
            "K = R − Σ Q q'': with plus, every force appears reversed",
            given.P_star().map(|forces| forces.into_iter().map(|force| 2 * force).collect()),
        );
    }
    add(
        "centripetal",
        "took accelerations without their centripetal part",
        "a velocity that turns changes even at constant speed: a contains terms quadratic in the rates besides those \
         with second derivatives",
        centripetal(given),
    );
    Ok(list)
}

fn early_hamel(given: &Ingredients<'_>) -> Result<Vec<Expr>, FormError> {
    given.need_first_order()?;
    let (chart, T) = (given.chart()?, given.T_full()?);
    let on_rows: Vec<(Expr, Expr)> = chart.c.iter().map(|&c| (c, Expr::zero())).collect();
    let P = expr::substitute(&expr::gradient(T, &chart.c)?, &on_rows)?;
    let forward = &chart.forward[chart.u.len()..];
    let weighted: Vec<(Expr, Expr)> = forward.iter().copied().zip(P.iter().copied()).collect();
    let across = expr::pullback(&weighted, &given.q)?;
    let partials = expr::jacobian(forward, &given.q_dot)?;
    let mut bracket = Vec::with_capacity(given.q.len());
    for (s, &across) in across.iter().enumerate() {
        let mut terms = vec![across];
        for (&P, row) in P.iter().zip(&partials) {
            terms.push(-(P * expr::total_derivative(row[s])?));
        }
        bracket.push(terms.into_iter().sum());
    }
    given.along_chart(&given.on_shell(&bracket)?)
}

fn eliminated_third(given: &Ingredients<'_>) -> Result<Vec<Expr>, FormError> {
    let (chart, p, flow) = (given.chart()?, given.p_star()?, given.second_flow()?);
    let third = chart.accelerations.iter().map(|&a| flow.rate(a)).collect::<Result<Vec<_>, _>>()?;
    let half = expr::rational(1, 2);
    let weighted: Vec<(Expr, Expr)> = third.into_iter().zip(p.iter().map(|&p| half * p)).collect();
    Ok(expr::pullback(&weighted, &chart.w)?)
}

fn lost_dot(given: &Ingredients<'_>) -> Result<Vec<Expr>, FormError> {
    let slopes = expr::gradient(given.T()?, &given.q)?;
    let slopes: Vec<Expr> = slopes.into_iter().map(|slope| expr::rational(3, 2) * slope).collect();
    given.projected(&given.on_shell(&slopes)?)
}

/// Σ m' ṽ·∂ṽ/∂u over the masses that vary.
fn thrust(given: &Ingredients<'_>) -> Result<Vec<Expr>, FormError> {
    let mut pairs = Vec::new();
    for element in &given.charted()?.elements {
        let Some((_, mass)) = given.varying.iter().find(|(symbol, _)| *symbol == element.mass) else { continue };
        let rate = expr::total_derivative(*mass)?;
        pairs.extend(element.velocity.components.0.map(|v| (v, rate * v)));
    }
    let forces = expr::pullback(&pairs, &given.chart()?.u)?;
    given.on_free(&given.on_shell(&forces)?)
}

/// −Σ m a(w = 0)·∂ṽ/∂u.
fn centripetal(given: &Ingredients<'_>) -> Result<Vec<Expr>, FormError> {
    given.need_particles()?;
    let chart = given.chart()?;
    let still: Vec<(Expr, Expr)> = chart.w.iter().map(|&w| (w, Expr::zero())).collect();
    let mut pairs = Vec::new();
    for element in &given.charted()?.elements {
        let a = element.velocity.rate(&|e| chart.flow.rate(e))?;
        let a = a.try_map(|e| Ok::<Expr, MathError>(expr::substitute(&[e], &still)?[0]))?;
        pairs.extend(element.velocity.components.0.into_iter().zip((a * (-element.mass)).0));
    }
    given.on_free(&expr::pullback(&pairs, &chart.u)?)
}

// ---------------------------------------------------------------------------------------------
// Mistakes in the system

type Changed = (&'static str, String, String, System);

fn changed_systems(system: &System) -> Vec<Changed> {
    let mut list = Vec::new();
    for (place, load) in system.loads.iter().enumerate() {
        let name = described(system, load);
        let scaled_by = |factor: Expr| {
            let mut changed = system.clone();
            changed.loads[place].kind = scaled(&load.kind, factor);
            changed
        };
        let potential = matches!(load.kind, LoadKind::Potential(_) | LoadKind::Gravity(_) | LoadKind::Spring { .. });
        let sign = if potential { "potential sign" } else { "force sign" };
        list.push((
            sign,
            format!("gave {name} the wrong sign"),
            "Q = −∂V/∂q: a potential pulls where it falls".to_owned(),
            scaled_by(expr::integer(-1)),
        ));
        list.push((
            "forgotten load",
            format!("forgot {name}"),
            "it is missing on the side of the forces".to_owned(),
            scaled_by(Expr::zero()),
        ));
        list.push((
            "factor",
            format!("counted {name} twice"),
            "a factor 2 too much".to_owned(),
            scaled_by(expr::integer(2)),
        ));
        list.push((
            "factor",
            format!("took half of {name}"),
            "a factor 2 is missing".to_owned(),
            scaled_by(expr::rational(1, 2)),
        ));
        if let LoadKind::Spring { rest, .. } = &load.kind
            && *rest != Expr::zero()
        {
            let mut changed = system.clone();
            if let LoadKind::Spring { rest, .. } = &mut changed.loads[place].kind {
                *rest = Expr::zero();
            }
            list.push((
                "rest length",
                format!("forgot the rest length of {name}"),
                "the force is k times the elongation".to_owned(),
                changed,
            ));
        }
    }
    for (place, point) in system.points.iter().enumerate() {
        let Some(mass) = point.mass else { continue };
        let with = |mass: Option<Expr>| {
            let mut changed = system.clone();
            changed.points[place].mass = mass;
            changed
        };
        let name = &point.name;
        list.push((
            "forgotten body",
            format!("forgot the particle `{name}`"),
            "its inertia and its weight are missing".to_owned(),
            with(Some(Expr::zero())),
        ));
        list.push((
            "factor",
            format!("took twice the mass of `{name}`"),
            "a factor 2 too much".to_owned(),
            with(Some(2 * mass)),
        ));
        list.push((
            "factor",
            format!("took half the mass of `{name}`"),
            "a factor 2 is missing".to_owned(),
            with(Some(mass / expr::integer(2))),
        ));
        if point.exhaust.is_some() {
            let mut changed = system.clone();
            changed.points[place].exhaust = None;
            list.push((
                "reactive force",
                format!("forgot the reactive force m' u of `{name}`"),
                "Meshchersky: m a = F + m' u".to_owned(),
                changed,
            ));
        }
    }
    for (place, body) in system.bodies.iter().enumerate() {
        let with = |mass: Expr, factor: Expr| {
            let mut changed = system.clone();
            let body = &mut changed.bodies[place];
            body.mass = mass;
            // The entries about the mass centre, so that a changed mass does not change them.
            body.inertia.entries = crate::kinematics::central(system, place).map(|entry| factor * entry);
            body.inertia.about = None;
            changed
        };
        let (name, one) = (&body.name, Expr::one());
        list.push((
            "forgotten body",
            format!("forgot the body `{name}`"),
            "its inertia and its weight are missing".to_owned(),
            with(Expr::zero(), Expr::zero()),
        ));
        list.push((
            "forgotten rotation",
            format!("forgot that `{name}` turns"),
            "½ ω·Iω is missing from the kinetic energy".to_owned(),
            with(body.mass, Expr::zero()),
        ));
        list.push((
            "factor",
            format!("took twice the moment of inertia of `{name}`"),
            "a factor 2 too much".to_owned(),
            with(body.mass, expr::integer(2)),
        ));
        list.push((
            "factor",
            format!("took half the moment of inertia of `{name}`"),
            "a factor 2 is missing".to_owned(),
            with(body.mass, expr::rational(1, 2)),
        ));
        list.push((
            "factor",
            format!("took twice the mass of `{name}`"),
            "a factor 2 too much".to_owned(),
            with(2 * body.mass, one),
        ));
        list.push((
            "factor",
            format!("took half the mass of `{name}`"),
            "a factor 2 is missing".to_owned(),
            with(body.mass / expr::integer(2), one),
        ));
    }
    list
}

/// A load in words.
fn described(system: &System, load: &Load) -> String {
    let target = |target: &Target| match target {
        Target::Point(place) => system.points[*place].name.clone(),
        Target::Body(place) => system.bodies[*place].name.clone(),
    };
    match &load.kind {
        LoadKind::Force { on, .. } => format!("the force on `{}`", target(on)),
        LoadKind::Torque { on, .. } => format!("the torque on `{}`", system.bodies[*on].name),
        LoadKind::Gravity(_) => "gravity".to_owned(),
        LoadKind::Potential(potential) => format!("the potential `{}`", potential.brief()),
        LoadKind::Kinetic(_) => "the added kinetic energy".to_owned(),
        LoadKind::Dissipation(_) => "the dissipation".to_owned(),
        LoadKind::Generalized { coordinate, .. } => format!("the force on `{}`", system.coordinates[*coordinate].name),
        LoadKind::Spring { .. } => "the spring".to_owned(),
        LoadKind::Damper { .. } => "the damper".to_owned(),
    }
}

fn scaled(load: &LoadKind, factor: Expr) -> LoadKind {
    let parts = |along: &[(usize, Vector)]| along.iter().map(|&(frame, part)| (frame, part * factor)).collect();
    let mut changed = load.clone();
    match &mut changed {
        LoadKind::Force { force, along, .. } => {
            *force = *force * factor;
            *along = parts(along);
        }
        LoadKind::Torque { along, .. } => *along = parts(along),
        LoadKind::Gravity(g) => *g = *g * factor,
        LoadKind::Potential(energy) | LoadKind::Kinetic(energy) | LoadKind::Dissipation(energy) => *energy *= factor,
        LoadKind::Generalized { force, .. } => *force *= factor,
        LoadKind::Spring { stiffness, .. } => *stiffness *= factor,
        LoadKind::Damper { coefficient, .. } => *coefficient *= factor,
    }
    changed
}
