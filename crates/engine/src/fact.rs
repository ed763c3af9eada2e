//! What does a fact say, and what must be known before it can be judged?

use expr::{At, Comparison, Expr, Kind};
use mechanics::{Fact, Place, Relation, StartReport, Term};
use proof::{Assumptions, Obstacle, Verdict};

/// Numbers that differ by less than this, against the size of their terms, are equal.
const ROUNDING: f64 = 1e-12;
/// What must be known before a fact can be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The degrees of freedom.
    Counts,
    /// Positions and rates at a state.
    State,
    /// Accelerations, reactions or energies at a state.
    Dynamics,
    /// What holds on every motion.
    Proof,
    /// What is constant on every motion.
    Integral,
    /// The motion from the start.
    Motion,
    /// The equilibria.
    Equilibria,
}

impl Needs {
    /// The verb that finds it; `None` if `check` knows.
    pub fn verb(self) -> Option<&'static str> {
        match self {
            Needs::Counts | Needs::State | Needs::Dynamics => None,
            Needs::Proof => Some("prove"),
            Needs::Integral => Some("integrals"),
            Needs::Motion => Some("simulate"),
            Needs::Equilibria => Some("equilibria"),
        }
    }
}

/// What a fact needs.
pub fn needs(fact: &Fact, start: &StartReport) -> Needs {
    match fact {
        Fact::Freedoms(_) => Needs::Counts,
        Fact::Constant { .. } => Needs::Integral,
        Fact::Event { .. } => Needs::Motion,
        Fact::Equilibrium { .. } => Needs::Equilibria,
        Fact::Relation { at: None, .. } | Fact::Solution(_) => Needs::Proof,
        Fact::Relation { at: Some(at), .. } if is_later(at, start) => Needs::Motion,
        Fact::Relation { relation, .. } if is_kinematic(relation) => Needs::State,
        Fact::Relation { .. } => Needs::Dynamics,
    }
}

/// Whether nothing but a time is said, and it is not that of the start.
fn is_later(at: &Place, start: &StartReport) -> bool {
    times(at).is_some_and(|times| times.iter().any(|time| start.time.exact.is_none_or(|first| !time.is_same(first))))
}

/// The times, if nothing but the time is said.
pub fn times(at: &Place) -> Option<Vec<Expr>> {
    let Place::Equations(equations) = at else { return None };
    let time = expr::time();
    let value = |equation: &Relation| match equation.scalars()? {
        (left, _, right) if left == time => Some(right),
        (left, _, right) if right == time => Some(left),
        _ => None,
    };
    equations.iter().map(value).collect()
}

/// Whether time, positions, rates and constants say it all.
fn is_kinematic(relation: &Relation) -> bool {
    components(relation).is_some_and(|sides| sides.iter().all(|(left, right)| !accelerates(*left - *right)))
}

/// The sides of a relation, component by component; `None` if only a motion knows them.
pub fn components(relation: &Relation) -> Option<Vec<(Expr, Expr)>> {
    match (&relation.left, &relation.right) {
        (Term::Scalar(left), Term::Scalar(right)) => Some(vec![(*left, *right)]),
        (Term::Vector(left), Term::Vector(right)) => Some(left.0.into_iter().zip(right.0).collect()),
        _ => None,
    }
}

/// Whether accelerations or multipliers occur.
pub fn needs_dynamics(e: Expr) -> bool {
    let unknown = |symbol: &expr::Symbol| symbol.order >= 2 || symbol.kind == Kind::Multiplier || is_u_dot(symbol);
    e.symbols().iter().any(|symbol| symbol.as_symbol().is_some_and(|symbol| unknown(&symbol)))
}

fn is_u_dot(symbol: &expr::Symbol) -> bool {
    symbol.kind == Kind::QuasiVelocity && symbol.order == 1
}

/// Whether accelerations occur.
pub fn accelerates(e: Expr) -> bool {
    e.symbols().iter().any(|symbol| symbol.as_symbol().is_some_and(|symbol| symbol.order >= 2))
}

/// What came of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Does it hold? `None` if that is not known yet.
    pub holds: Option<bool>,
    /// What would tell: a verb, or the value of a parameter.
    pub waiting_for: Option<String>,
    /// What was found, where that needs words.
    pub reason: Option<String>,
}

impl Judged {
    /// It holds.
    pub fn yes() -> Judged {
        Judged { holds: Some(true), waiting_for: None, reason: None }
    }

    /// It does not hold.
    pub fn no(reason: String) -> Judged {
        Judged { holds: Some(false), waiting_for: None, reason: Some(reason) }
    }

    /// Nobody knows, for this reason.
    pub fn not_told(reason: String) -> Judged {
        Judged { holds: None, waiting_for: None, reason: Some(reason) }
    }

    /// A verb would tell.
    pub fn waiting(needs: Needs) -> Judged {
        Judged { holds: None, waiting_for: needs.verb().map(str::to_owned), reason: None }
    }

    /// The value of a parameter would tell.
    pub fn without_value(names: &[String]) -> Judged {
        Judged { holds: None, waiting_for: Some(format!("a value of {}", names.join(", "))), reason: None }
    }
}

/// Whether an equation can be solved for a symbol without a branch, so that a proof can use it.
pub fn is_usable(f: Expr) -> bool {
    let assumed = Assumptions::none().and(f, Comparison::Equal, Expr::zero());
    !matches!(proof::decide(Expr::one(), &assumed), Verdict::Unknown(Obstacle::Assumption { .. }))
}

/// Whether it is linear in all that moves.
pub fn is_linear(f: Expr) -> bool {
    let moving: Vec<Expr> = f.symbols().into_iter().filter(is_moving).collect();
    expr::linear_coefficients(&[f], &moving).is_ok()
}

/// Whether a symbol is no parameter.
pub fn is_moving(symbol: &Expr) -> bool {
    symbol.as_symbol().is_some_and(|symbol| symbol.kind != Kind::Parameter)
}

/// Why a comparison of two numbers at a state fails.
pub fn failure(left: Expr, right: Expr, comparison: Comparison, within: Option<Expr>, at: &At) -> Option<String> {
    let (a, b) = (at.value(left), at.value(right));
    if !a.is_finite() || !b.is_finite() {
        return Some("one side has no value there".to_owned());
    }
    let tolerance = within.map_or_else(|| ROUNDING * (at.size(left) + at.size(right)), |within| at.value(within));
    let apart = a - b;
    let holds = match comparison {
        Comparison::Equal => apart.abs() <= tolerance,
        Comparison::NotEqual => apart.abs() > tolerance,
        Comparison::AtLeast => apart >= -tolerance,
        Comparison::AtMost => apart <= tolerance,
        Comparison::Greater => apart > 0.0,
        Comparison::Less => apart < 0.0,
    };
    (!holds).then(|| {
        let (a, b, apart) = (expr::decimal(a), expr::decimal(b), expr::decimal(apart.abs()));
        format!("left is {a}, right is {b}: they differ by {apart}")
    })
}

/// A fact as written, with indices resolved.
pub fn text(fact: &Fact) -> String {
    let relations = |list: &[Relation]| {
        list.iter().map(|relation| syntax::format_relation(&relation.tree)).collect::<Vec<_>>().join(", ")
    };
    let within = |within: &Option<Expr>| within.map_or(String::new(), |within| format!(" within {}", number(within)));
    match fact {
        Fact::Relation { relation, at, within: tolerance } => {
            let at = match at {
                None => String::new(),
                Some(Place::Start) => " at start".to_owned(),
                Some(Place::Equations(equations)) => format!(" at {}", relations(equations)),
            };
            format!("{}{at}{}", syntax::format_relation(&relation.tree), within(tolerance))
        }
        Fact::Constant { tree, .. } => format!("constant {}", syntax::format(tree)),
        Fact::Event { event, at, within: tolerance } => {
            format!("event {event} at {}{}", syntax::format_relation(&at.tree), within(tolerance))
        }
        Fact::Freedoms(count) => format!("freedoms = {count}"),
        Fact::Equilibrium { equations, stability } => {
            let stability = stability.map_or(String::new(), |stability| format!(" {}", stability.word()));
            format!("equilibrium {}{stability}", relations(equations))
        }
        Fact::Solution(equations) => format!("solution {}", relations(equations)),
    }
}

/// A tolerance: a short number where it is one.
fn number(e: Expr) -> String {
    match e.is_constant() {
        true => expr::decimal(At::generic().value(e)),
        false => e.to_string(),
    }
}
