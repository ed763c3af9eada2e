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
//!     plain Lagrange in quasi-velocities, no row             +C_σ
//!     the slope of T by position twice, or not at all        ∓Σ_s ∂T/∂q_s ∂q'_s/∂u_σ
//!     accelerations without their centripetal part           −Σ m a(w = 0)·∂ṽ/∂u_σ
//!     a velocity taken as fixed in the equation of another   the residual at w_k = 0, or u_k = w_k = 0, minus the true one
//!     a load, a mass or a moment of inertia that is wrong    the residual of the changed system minus the true one
//!
//! other motions, with unknowns beside the accelerations:
//! D10 the reaction of a second-order row along ∂f/∂q'        E_s = Q_s + Σ λ ∂f/∂q'_s,  A q'' + a0 = 0
//!     the vakonomic principle, for any value of μ            E_s = Q_s + Σ λ A_s − Σ μ (d/dt ∂f/∂q'_s − ∂f/∂q_s)
//! ```
//!
//! docs/audit.md explains D1 to D10; each vanishes on some systems, where the mistake cannot be seen.

use expr::{At, Expr, Substitution};

use crate::chart::ChartKind;
use crate::form::{Form, FormError};
use crate::formalism::formalism;
use crate::ingredients::Ingredients;
use crate::mode::Mode;
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
    /// What it is about: two mistakes about one thing are not made together.
    pub about: About,
}

/// What a mistake is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum About {
    /// The method by which the equations are made.
    Method,
    /// All loads.
    Loads,
    /// A mass that varies.
    Thrust,
    /// A velocity that acts on the equation of another.
    Coupling,
    /// This load.
    Load(usize),
    /// This point.
    Point(usize),
    /// This body.
    Body(usize),
}

/// A mistake that leads to equations with unknowns of their own.
#[derive(Clone, Debug)]
pub struct OtherMotion {
    /// `D10`, or a word.
    pub id: &'static str,
    /// What was done, as the end of a sentence.
    pub what: String,
    /// Why that is wrong.
    pub why: String,
    /// What vanishes by the mistake: as many as `unknowns`, and linear in them and in `free`.
    pub residuals: Vec<Expr>,
    /// Accelerations, then multipliers.
    pub unknowns: Vec<Expr>,
    /// What nothing determines.
    pub free: Vec<Expr>,
}

/// The true residuals E* − P* of a chart, and every mistake that changes them.
pub struct Mistakes {
    /// The residuals.
    pub residuals: Vec<Expr>,
    /// The mistakes that can be seen on this system.
    pub visible: Vec<Mistake>,
    /// Which cannot be seen, since their change vanishes here.
    pub invisible: Vec<&'static str>,
}

/// The forms whose residuals are E* − P* in any chart; the first that applies is taken.
const PLAIN: [&str; 3] = ["fundamental", "chaplygin-25", "tzenoff"];

/// Do loads follow reactions: sliding friction, laws of one's own? A mistake elsewhere would change them too.
pub fn follows_reactions(system: &System, mode: &Mode) -> bool {
    mode.sliding().next().is_some() || !system.laws.is_empty()
}

/// All mistakes on a system in a chart. Friction is a load like others here, with the right normal force; so where loads
/// follow reactions, only mistakes in the friction itself are known.
pub fn mistakes(system: &System, mode: &Mode, rows: &Rows, kind: ChartKind, at: &At) -> Result<Mistakes, FormError> {
    let mut whole = system.clone();
    whole.loads.extend(mode.sliding().map(|sliding| sliding.load.clone()));
    let friction: Vec<String> = mode.sliding().map(|sliding| sliding.rough.name.clone()).collect();
    let free = mode.unheld();
    let right = Right { system: &whole, mode: &free, rows, kind, at };
    let given = right.given(&whole);
    let residuals = residuals(&given)?;
    let mut all = of_method(&given)?;
    all.extend(of_coupling(&given, &residuals));
    let differs = |changed: &System, from: &[Expr]| {
        let changed = self::residuals(&right.given(changed)).ok()?;
        Some(changed.iter().zip(from).map(|(&changed, &right)| changed - right).collect::<Vec<Expr>>())
    };
    for Changed { id, about, what, why, system: changed } in changed_systems(right.system, &friction) {
        let Some(delta) = differs(&changed, &residuals) else { continue };
        all.push(Mistake { id, what, why, delta, about });
    }
    all.extend(of_inertia(&right, &residuals));
    if follows_reactions(system, mode) {
        all.retain(|mistake| matches!(mistake.about, About::Load(place) if place >= system.loads.len()));
    }
    let (visible, invisible): (Vec<Mistake>, Vec<Mistake>) =
        all.into_iter().partition(|mistake| mistake.delta.iter().any(|delta| !delta.is_zero()));
    let invisible = invisible.into_iter().map(|mistake| mistake.id).collect();
    Ok(Mistakes { residuals, visible, invisible })
}

/// The residuals of the equations with two mistakes made together, for these act on each other: who forgets a mass has no
/// centripetal acceleration of it to forget. `None` if neither of them changes the system, or one leaves no trace then.
pub fn together(
    (system, mode, rows): (&System, &Mode, &Rows),
    kind: ChartKind,
    at: &At,
    [one, two]: [&Mistake; 2],
) -> Option<Vec<Expr>> {
    if follows_reactions(system, mode) {
        return None;
    }
    let same = |changed: &Changed, mistake: &Mistake| {
        changed.id == mistake.id && changed.about == mistake.about && changed.what == mistake.what
    };
    let first = |mistake: &Mistake| changed_systems(system, &[]).into_iter().find(|changed| same(changed, mistake));
    let (changed, then) = match first(one) {
        Some(changed) => (changed.system, two),
        None => (first(two)?.system, one),
    };
    let right = Right { system: &changed, mode, rows, kind, at };
    // of two changes to the system, both
    if let Some(both) = changed_systems(&changed, &[]).into_iter().find(|changed| same(changed, then)) {
        return residuals(&right.given(&both.system)).ok();
    }
    let given = right.given(&changed);
    let residuals = residuals(&given).ok()?;
    let mut all = of_method(&given).ok()?;
    all.extend(of_coupling(&given, &residuals));
    all.extend(of_inertia(&right, &residuals));
    let found = all.iter().find(|one| one.id == then.id && one.about == then.about && one.what == then.what)?;
    Some(residuals.iter().zip(&found.delta).map(|(&e, &delta)| e + delta).collect())
}

/// What mistakes are made about, and what they leave as it is.
struct Right<'a> {
    system: &'a System,
    mode: &'a Mode,
    rows: &'a Rows,
    kind: ChartKind,
    at: &'a At,
}

impl Right<'_> {
    /// The ingredients of a changed system.
    fn given<'a>(&'a self, system: &'a System) -> Ingredients<'a> {
        Ingredients::of(system, self.mode, self.rows, self.kind, self.at)
    }
}

/// The true residuals E* − P* of a chart.
pub fn residuals(given: &Ingredients<'_>) -> Result<Vec<Expr>, FormError> {
    let mut last = FormError::NotApplicable("no form in a chart applies".to_owned());
    for name in PLAIN {
        let Some(formalism) = formalism(name) else { continue };
        match formalism.form(given) {
            Ok(form) => return Ok(form.residuals()),
            Err(error) => last = error,
        }
    }
    Err(last)
}

// ---------------------------------------------------------------------------------------------
// Mistakes of method

/// Every mistake of method, one after the other. Long: a table.
fn of_method(given: &Ingredients<'_>) -> Result<Vec<Mistake>, FormError> {
    let mut list = Vec::new();
    let mut add = |id: &'static str, what: &str, why: &str, delta: Result<Vec<Expr>, FormError>| {
        let Ok(delta) = delta else { return };
        let Ok(form) = Form::in_chart(given, &delta, &vec![Expr::zero(); delta.len()]) else { return };
        let about = match id {
            "D5" => About::Thrust,
            "D8" => About::Loads,
            _ => About::Method,
        };
        list.push(Mistake { id, what: what.to_owned(), why: why.to_owned(), delta: form.residuals(), about });
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
    if given.rows.list.iter().all(|row| row.order != 1) && given.chart()?.kind == ChartKind::Speeds {
        add(
            "quasi-velocities",
            "applied Lagrange's equations in quasi-velocities as if they were rates of coordinates",
            "variations of quasi-coordinates do not commute with d/dt: the term C_σ = Σ_s p_s (d/dt ∂q'_s/∂u_σ − \
             ∂q'_s/∂π_σ) is missing, which Hamel's three-index symbols hold (for a rigid body: the gyroscopic terms)",
            given.correction().cloned(),
        );
    }
    for (factor, what) in [(-1, "took the slope of T by position twice"), (1, "left out the slope of T by position")] {
        add(
            "slope of T",
            what,
            "∂T/∂q stands once beside the rate of the momentum (Lagrange), twice beside the slope of T' (Nielsen), three \
             times beside that of T'' (Tzenoff)",
            slopes(given, expr::integer(factor)),
        );
    }
    add(
        "D7",
        "used T0 with a lost dot in Tzenoff's function, so that its part of the force is missing",
        "R = ½(T'' − 3 T0'') needs both derivatives of T0; without them 3/2 ∂T/∂q stays on the wrong side",
        slopes(given, expr::rational(3, 2)),
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
    if !given.system.loads.is_empty() {
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
    let on_rows: Substitution = chart.c.iter().map(|&c| (c, Expr::zero())).collect();
    let P = on_rows.apply(&expr::gradient(T, &chart.c)?)?;
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

/// Σ ∂T/∂q_s ∂q'_s/∂u_σ, so often.
fn slopes(given: &Ingredients<'_>, times: Expr) -> Result<Vec<Expr>, FormError> {
    let slopes = expr::gradient(given.T()?, &given.q)?;
    let slopes: Vec<Expr> = slopes.into_iter().map(|slope| times * slope).collect();
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
    // the acceleration of what is driven is no part that turns
    let driven = given.system.inputs.iter().map(|input| input.symbol);
    let driven = driven.filter(|symbol| symbol.as_symbol().is_some_and(|symbol| symbol.order > 1));
    let still: Substitution = chart.w.iter().copied().chain(driven).map(|w| (w, Expr::zero())).collect();
    let mut pairs = Vec::new();
    for element in &given.charted()?.elements {
        let a = element.velocity.rate(&|e| chart.flow.rate(e))?;
        let a = a.try_map(|e| still.apply_one(e))?;
        pairs.extend(element.velocity.components.0.into_iter().zip((a * (-element.mass)).0));
    }
    given.on_free(&expr::pullback(&pairs, &chart.u)?)
}

// ---------------------------------------------------------------------------------------------
// What one velocity does to the equation of another

/// Couplings are tried for no more velocities than this.
const MOST_COUPLED: usize = 8;

fn of_coupling(given: &Ingredients<'_>, residuals: &[Expr]) -> Vec<Mistake> {
    let mut list = Vec::new();
    let Ok(chart) = given.chart() else { return list };
    let n = chart.w.len();
    if !(2..=MOST_COUPLED).contains(&n) || chart.u.len() != n || !chart.pseudo.is_empty() {
        return list;
    }
    for k in 0..n {
        let still = Substitution::from([(chart.w[k], Expr::zero())]);
        let resting = still.clone().and(chart.u[k], Expr::zero());
        let (name, rate) = (chart.u[k], chart.w[k]);
        let mut seen: Vec<Vec<Expr>> = Vec::new();
        for (map, lost) in [(&still, format!("terms with {rate}")), (&resting, format!("terms with {name}"))] {
            let Ok(without) = map.apply(residuals) else { continue };
            let lost_of = |s: usize| without[s] - residuals[s];
            let others: Vec<usize> = (0..n).filter(|&s| s != k && !lost_of(s).is_zero()).collect();
            let all = (others.len() > 1).then(|| others.clone());
            for places in others.iter().map(|&s| vec![s]).chain(all) {
                let delta: Vec<Expr> =
                    (0..n).map(|s| if places.contains(&s) { lost_of(s) } else { Expr::zero() }).collect();
                if seen.iter().any(|one| one.iter().zip(&delta).all(|(a, b)| a.is_same(*b))) {
                    continue;
                }
                let of: Vec<String> = places.iter().map(|&s| format!("`{}`", chart.u[s])).collect();
                list.push(Mistake {
                    id: "forgotten coordinate",
                    what: format!("forgot what `{name}` does to the equation of {}", of.join(", ")),
                    why: format!("the coordinates move together: {lost} are missing there"),
                    delta: delta.clone(),
                    about: About::Coupling,
                });
                seen.push(delta);
            }
        }
    }
    list
}

// ---------------------------------------------------------------------------------------------
// Mistakes in the system

struct Changed {
    id: &'static str,
    about: About,
    what: String,
    why: String,
    system: System,
}

/// Every mistake that changes the system, one after the other; the last loads are the friction of these contacts. Long: a table.
fn changed_systems(system: &System, friction: &[String]) -> Vec<Changed> {
    let names = names(system, friction);
    let mut list = Vec::new();
    let mut push = |(id, about, what, why, system): (&'static str, About, String, String, System)| {
        list.push(Changed { id, about, what, why, system });
    };
    for (place, load) in system.loads.iter().enumerate() {
        let name = &names[place];
        let scaled_by = |factor: Expr| {
            let mut changed = system.clone();
            changed.loads[place].kind = scaled(&load.kind, factor);
            changed
        };
        let potential = matches!(load.kind, LoadKind::Potential(_) | LoadKind::Gravity(_) | LoadKind::Spring { .. });
        let (sign, why) = match potential {
            true => ("potential sign", "Q = −∂V/∂q: a potential pulls where it falls"),
            false => ("force sign", "it acts the other way"),
        };
        push((
            sign,
            About::Load(place),
            format!("gave {name} the wrong sign"),
            why.to_owned(),
            scaled_by(expr::integer(-1)),
        ));
        push((
            "forgotten load",
            About::Load(place),
            format!("forgot {name}"),
            "it is missing on the side of the forces".to_owned(),
            scaled_by(Expr::zero()),
        ));
        push((
            "factor",
            About::Load(place),
            format!("counted {name} twice"),
            "a factor 2 too much".to_owned(),
            scaled_by(expr::integer(2)),
        ));
        push((
            "factor",
            About::Load(place),
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
            push((
                "rest length",
                About::Load(place),
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
        push((
            "forgotten body",
            About::Point(place),
            format!("forgot the particle `{name}`"),
            "its inertia and its weight are missing".to_owned(),
            with(Some(Expr::zero())),
        ));
        push((
            "factor",
            About::Point(place),
            format!("took twice the mass of `{name}`"),
            "a factor 2 too much".to_owned(),
            with(Some(2 * mass)),
        ));
        push((
            "factor",
            About::Point(place),
            format!("took half the mass of `{name}`"),
            "a factor 2 is missing".to_owned(),
            with(Some(mass / expr::integer(2))),
        ));
        if point.exhaust.is_some() {
            let mut changed = system.clone();
            changed.points[place].exhaust = None;
            push((
                "reactive force",
                About::Point(place),
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
        push((
            "forgotten body",
            About::Body(place),
            format!("forgot the body `{name}`"),
            "its inertia and its weight are missing".to_owned(),
            with(Expr::zero(), Expr::zero()),
        ));
        push((
            "forgotten rotation",
            About::Body(place),
            format!("forgot that `{name}` turns"),
            "½ ω·Iω is missing from the kinetic energy".to_owned(),
            with(body.mass, Expr::zero()),
        ));
        push((
            "factor",
            About::Body(place),
            format!("took twice the moment of inertia of `{name}`"),
            "a factor 2 too much".to_owned(),
            with(body.mass, expr::integer(2)),
        ));
        push((
            "factor",
            About::Body(place),
            format!("took half the moment of inertia of `{name}`"),
            "a factor 2 is missing".to_owned(),
            with(body.mass, expr::rational(1, 2)),
        ));
        push((
            "factor",
            About::Body(place),
            format!("took twice the mass of `{name}`"),
            "a factor 2 too much".to_owned(),
            with(2 * body.mass, one),
        ));
        push((
            "factor",
            About::Body(place),
            format!("took half the mass of `{name}`"),
            "a factor 2 is missing".to_owned(),
            with(body.mass / expr::integer(2), one),
        ));
    }
    list
}

/// The inertia of a mass forgotten, but not its weight; or its weight, but not its inertia.
fn of_inertia(right: &Right<'_>, residuals: &[Expr]) -> Vec<Mistake> {
    let (system, mut list) = (right.system, Vec::new());
    let has_weight = system.loads.iter().any(|load| matches!(load.kind, LoadKind::Gravity(_)));
    let of = |changed: &System| self::residuals(&right.given(changed)).ok();
    let mut idle = system.clone();
    idle.loads.retain(|load| matches!(load.kind, LoadKind::Kinetic(_)));
    idle.points.iter_mut().for_each(|point| point.exhaust = None);
    let Some(inertia) = of(&idle).filter(|_| has_weight) else { return list };
    let masses = system.points.iter().enumerate().filter(|(_, point)| point.mass.is_some());
    let points = masses.map(|(place, point)| (About::Point(place), &point.name));
    let bodies = system.bodies.iter().enumerate().map(|(place, body)| (About::Body(place), &body.name));
    for (about, name) in points.chain(bodies) {
        let without = |system: &System| {
            let mut changed = system.clone();
            match about {
                About::Point(place) => changed.points[place].mass = Some(Expr::zero()),
                About::Body(place) => {
                    changed.bodies[place].mass = Expr::zero();
                    changed.bodies[place].inertia.entries = [Expr::zero(); 6];
                    changed.bodies[place].inertia.about = None;
                }
                _ => {}
            }
            of(&changed)
        };
        let (Some(light), Some(gone)) = (without(&idle), without(system)) else { continue };
        let lost: Vec<Expr> = light.iter().zip(&inertia).map(|(&light, &all)| light - all).collect();
        let weight = gone.iter().zip(residuals).zip(&lost).map(|((&gone, &all), &lost)| gone - all - lost).collect();
        list.push(Mistake {
            id: "forgotten inertia",
            what: format!("forgot the inertia of `{name}`, but not its weight"),
            why: "every mass that moves resists: its part of the kinetic energy is missing".to_owned(),
            delta: lost,
            about,
        });
        list.push(Mistake {
            id: "forgotten weight",
            what: format!("forgot the weight of `{name}`, but not its inertia"),
            why: "gravity acts on every mass".to_owned(),
            delta: weight,
            about,
        });
    }
    list
}

// ---------------------------------------------------------------------------------------------
// Mistakes with unknowns of their own

/// The mistakes that lead to other motions on this system.
pub fn other_motions(given: &Ingredients<'_>) -> Vec<OtherMotion> {
    if follows_reactions(given.system, given.mode) {
        return Vec::new();
    }
    [wrong_direction(given), vakonomic(given)].into_iter().filter_map(Result::ok).flatten().collect()
}

/// D10.
fn wrong_direction(given: &Ingredients<'_>) -> Result<Option<OtherMotion>, FormError> {
    let rows = &given.rows.list;
    if !rows.iter().any(|row| row.order == 2) {
        return Ok(None);
    }
    let mut right = given.Q()?.clone();
    for row in rows {
        let along = match row.order {
            2 => expr::gradient(row.f, &given.q_dot)?,
            _ => row.A.clone(),
        };
        right.iter_mut().zip(along).for_each(|(force, slope)| *force += row.lambda * slope);
    }
    let form = Form::in_coordinates(given, given.E()?, &right)?;
    let unknowns = form.unknowns.iter().copied().chain(rows.iter().map(|row| row.lambda)).collect();
    Ok(Some(OtherMotion {
        id: "D10",
        what: "let the reaction of a second-order constraint act along its derivative with respect to the velocities"
            .to_owned(),
        why: "a dot is lost: what the constraint limits are the accelerations, so the reaction is λ ∂f/∂q''".to_owned(),
        residuals: form.residuals(),
        unknowns,
        free: Vec::new(),
    }))
}

fn vakonomic(given: &Ingredients<'_>) -> Result<Option<OtherMotion>, FormError> {
    let Some(formalism) = formalism("vakonomic") else { return Ok(None) };
    let form = formalism.form(given)?;
    let (residuals, unknowns) = (form.residuals(), form.all_unknowns());
    let known: Vec<Expr> = given.rows.list.iter().map(|row| row.lambda).collect();
    let mut free: Vec<Expr> = residuals.iter().flat_map(|residual| residual.symbols()).collect();
    free.retain(|symbol| symbol.as_symbol().is_some_and(|symbol| symbol.kind == expr::Kind::Multiplier));
    free.retain(|symbol| !known.contains(symbol));
    free.sort_by_key(Expr::to_string);
    free.dedup();
    Ok((!free.is_empty()).then(|| OtherMotion {
        id: "vakonomic",
        what: "made an integral stationary with the constraints inside it (the vakonomic principle)".to_owned(),
        why: "that admits varied motions where mechanics admits virtual displacements: terms with a multiplier μ \
              appear that no measurement of the state gives, and ideal constraints do not act so"
            .to_owned(),
        residuals,
        unknowns,
        free,
    }))
}

/// The loads in words, by which one is told from another; the last are the friction of these contacts.
fn names(system: &System, friction: &[String]) -> Vec<String> {
    let own = system.loads.len() - friction.len();
    let plain: Vec<String> = system.loads[..own].iter().map(|load| described(system, load)).collect();
    let told = |(place, name): (usize, &String)| {
        let alike = |list: &[String]| list.iter().filter(|other| *other == name).count();
        match (alike(&plain[..=place]), alike(&plain)) {
            (_, 1) => name.clone(),
            (place, all) => format!("{name} (number {place} of {all})"),
        }
    };
    let rough = friction.iter().map(|name| format!("the friction of `{name}`"));
    plain.iter().enumerate().map(told).chain(rough).collect()
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
