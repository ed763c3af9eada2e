//! What does friction make of a system? Coulomb's law on a contact, or on a constraint that holds one point.
//!
//! ```text
//! sticks     no slip, t·v = 0 for the directions t of the plane, while  T² ≤ μ² N²                    (1)
//! slides     F = N n − μ |N| s/|s|,   s the slip velocity             an active force, N unknown      (2)
//!            the gap stays closed: its row determines N
//! ```
//!
//! Which of the two holds is not said here: a mode that sticks has the rows (1), a mode that slides has the
//! load (2). In (2) the multiplier of the gap is a symbol in the
//! loads; [`Form::closed`](crate::form::Form::closed) adds its row and makes it an unknown.
//!
//! Where a contact can slip in one direction t only, s/|s| is a sign that the caller knows; where it is about to slip, a
//! direction. On a guide, a constraint
//! f(q) = 0 whose reaction λ g acts on one point, N = λ |g|, the slip velocity is the velocity of the point, and
//! |N| = ±N with a sign that the caller knows too.

use expr::{At, Expr, Kind, MathError, Rational, Substitution};
use syntax::{Axis, Diagnostic, Span};

use crate::contact::number;
use crate::{Carrier, ContactMotion, Load, LoadKind, Origin, Surface, System, Target, Vector, reaction, rows};

/// A contact or a guide with friction.
#[derive(Clone, Debug, PartialEq)]
pub struct Rough {
    /// Its name.
    pub name: String,
    /// The coefficient μ.
    pub mu: Expr,
    /// The constraint that presses: a place in [`System::constraints`].
    pub gap: usize,
    /// The unit normal n.
    pub normal: Vector,
    /// N for a multiplier of one.
    pub scale: Expr,
    /// Directions t and slips t·v.
    pub slips: Vec<(Vector, Expr)>,
    /// What it acts on.
    pub on: Target,
    /// Where.
    pub at: Vector,
    /// The body that carries the plane.
    pub against: Option<Target>,
    /// Whether it may open: then N is not negative.
    pub is_one_sided: bool,
}

/// The rough contact that slides.
#[derive(Clone, Debug)]
pub struct Sliding {
    /// The contact or the guide.
    pub rough: Rough,
    /// The force of friction in (2).
    pub force: Vector,
    /// What acts as a load: (2), or the friction alone where N is known.
    pub load: Load,
    /// N as an expression of the state, where it is known.
    pub normal: Option<Expr>,
    /// The sign of N in |N| = ±N.
    pub press: i8,
    /// Where it slips to.
    pub slip: Slip,
}

/// How a rough contact holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grip {
    /// (1)
    Sticks,
    /// (2), with the sign of N.
    Slides(i8, Slip),
}

/// Where a contact slips to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Slip {
    /// Along the one direction that it has, or against it.
    Sign(i8),
    /// As its slip velocity points.
    Velocity,
    /// To this direction: it is about to begin.
    Toward([f64; 2]),
    /// As its slip velocity points, which is near this direction d; where it reverses, the friction does not:
    /// (d + r d⊥)/√(1 + r²) with r = s⊥ s_d/(s_d² + ε²). The speed ε, a power of ten, is rounding.
    Near([f64; 2], i32),
}

impl Rough {
    /// The contact or guide of a `friction` line, or what is wrong with it. Directions on a guide are chosen by the state.
    pub fn of(system: &System, friction: &Surface, at: &At) -> Result<Rough, Diagnostic> {
        let place = system.contacts.iter().position(|contact| contact.name == friction.on);
        match place {
            Some(place) => of_contact(system, friction, place),
            None => of_guide(system, friction, at),
        }
    }

    /// The multiplier of the constraint that presses.
    pub fn lambda(&self, system: &System) -> Expr {
        rows::multiplier(&system.constraints[self.gap], 0)
    }

    /// The force where it slides like this; `None` where it sticks.
    pub fn sliding(&self, system: &System, grip: Grip) -> Result<Option<Sliding>, MathError> {
        let Grip::Slides(press, slip) = grip else { return Ok(None) };
        let push = self.lambda(system) * self.scale;
        let force = Vector::sum(&self.directions(slip)?) * -(self.mu * expr::integer(press.into()) * push);
        let load = self.load(system, self.normal * push + force);
        Ok(Some(Sliding { rough: self.clone(), force, load, normal: None, press, slip }))
    }

    /// A force on it, as a load.
    fn load(&self, system: &System, force: Vector) -> Load {
        let (along, on, at, against) = (vec![(0, force)], self.on, self.at, self.against);
        Load { kind: LoadKind::Force { force, along, on, at, against }, span: system.constraints[self.gap].span }
    }

    /// The parts of s/|s| along the directions of the plane.
    fn directions(&self, slip: Slip) -> Result<Vec<Vector>, MathError> {
        Ok(match (&self.slips[..], slip) {
            ([(t, _)], Slip::Sign(sign)) => vec![*t * expr::integer(sign.into())],
            ([one, two], Slip::Toward([a, b])) => vec![one.0 * exact(a), two.0 * exact(b)],
            (&[(t1, s1), (t2, s2)], Slip::Near([a, b], power)) => {
                let (a, b) = (exact(a), exact(b));
                let (along, across) = (a * s1 + b * s2, a * s2 - b * s1);
                let small = expr::rational(1, 10_i64.pow(power.unsigned_abs().min(18)));
                let r = (across * along).try_div(along.pow(2) + small.pow(2))?;
                let length = root(Expr::one() + r.pow(2))?;
                vec![t1 * (a - r * b).try_div(length)?, t2 * (b + r * a).try_div(length)?]
            }
            (slips, _) => {
                let square: Expr = slips.iter().map(|(_, s)| s.pow(2)).sum();
                let speed = root(square)?;
                slips.iter().map(|&(t, s)| Ok(t * s.try_div(speed)?)).collect::<Result<_, MathError>>()?
            }
        })
    }
}

impl Sliding {
    /// The friction with the multiplier of the gap as an expression of the state: a load like others.
    pub fn with_multiplier(&self, system: &System, lambda: Expr) -> Result<Sliding, MathError> {
        let known = Substitution::from([(self.rough.lambda(system), lambda)]);
        let force = known.apply(&self.force.0)?;
        let force = Vector([force[0], force[1], force[2]]);
        let load = self.rough.load(system, force);
        Ok(Sliding { force, load, normal: Some(lambda * self.rough.scale), ..self.clone() })
    }
}

fn root(e: Expr) -> Result<Expr, MathError> {
    e.try_pow(&Rational::new(1, 2).unwrap_or(Rational::ONE))
}

/// A number of at most one, to sixteen digits.
pub fn exact(x: f64) -> Expr {
    const UNIT: i64 = 1 << 52;
    expr::rational((x * UNIT as f64).round() as i64, UNIT)
}

fn of_contact(system: &System, friction: &Surface, place: usize) -> Result<Rough, Diagnostic> {
    let (contact, name) = (&system.contacts[place], &friction.on);
    let refuse = |message: String, hint: &str| Err(Diagnostic::error(friction.span, message).hint(hint));
    if let ContactMotion::Skates(_) = contact.motion {
        let message = format!("friction on `{name}` is not treated: a skate slides along and holds across");
        return refuse(message, "write `slides` for a contact that may slip in every direction");
    }
    let gap = system.constraints.iter().position(|one| one.origin == Origin::Contact { place, slips: false });
    let (Some(gap), Some(normal), Some(at)) = (gap, contact.touch.normal, contact.touch.point) else {
        let message =
            format!("friction on `{name}` needs its normal force, and the contact is built into the coordinates");
        return refuse(message, "give what touches a coordinate along the normal of the plane");
    };
    if contact.touch.slips.is_empty() {
        let message = format!("friction on `{name}` does nothing: it cannot slip in these coordinates");
        return refuse(message, "leave the line out, or give what touches a coordinate along the plane");
    }
    let carried = match contact.carrier {
        Some(Carrier::Frame(frame)) => {
            let omega = system.frames[frame].omega;
            let moves = omega.0.iter().any(|e| e.symbols().iter().any(|symbol| is_of_motion(*symbol)));
            if moves {
                let message = format!("friction on `{name}` would push a frame, which has no mass");
                return refuse(message, "let a body carry the plane: `plane(n, d) of BODY`");
            }
            None
        }
        Some(Carrier::Body(body)) => Some(Target::Body(body)),
        None => None,
    };
    Ok(Rough {
        name: name.clone(),
        mu: friction.value,
        gap,
        normal,
        scale: Expr::one(),
        slips: contact.touch.slips.iter().map(|slip| (slip.direction, slip.row)).collect(),
        on: contact.what,
        at,
        against: carried,
        is_one_sided: contact.unilateral,
    })
}

fn is_of_motion(symbol: Expr) -> bool {
    symbol.as_symbol().is_some_and(|symbol| symbol.kind == Kind::Coordinate)
}

fn of_guide(system: &System, friction: &Surface, at: &At) -> Result<Rough, Diagnostic> {
    let name = &friction.on;
    let refuse = |message: String| {
        let hint = "friction acts in a contact, as in `contact c: P slides on plane(N.y, 0)`, or on a constraint that holds \
                    one particle to a line or a surface at rest";
        Err(Diagnostic::error(friction.span, message).hint(hint))
    };
    let Some(gap) = system.constraints.iter().position(|one| one.name == *name) else {
        return refuse(format!("there is no contact or constraint `{name}` for friction"));
    };
    let constraint = &system.constraints[gap];
    let [f] = constraint.rows[..] else {
        let count = constraint.rows.len();
        return refuse(format!("friction on `{name}` is not treated: it has {count} equations, and so no normal"));
    };
    let of = |kind: Kind, order: u32| move |s: &Expr| s.as_symbol().is_some_and(|s| s.kind == kind && s.order >= order);
    if f.symbols().iter().any(of(Kind::Coordinate, 1)) {
        return refuse(format!(
            "friction on `{name}` is not treated: it is no geometric constraint, and has no contact point"
        ));
    }
    if f.symbols().iter().any(of(Kind::Time, 0)) {
        return refuse(format!("friction on `{name}` is not treated: it moves, and how its points move is not known"));
    }
    let (point, g) = match reaction::on_one_point(system, gap, at) {
        Ok(found) => found,
        Err(reason) => return refuse(format!("friction on `{name}` has no contact point: {reason}")),
    };
    let made = guide(system, point, g, at)
        .map_err(|error| Diagnostic::error(friction.span, format!("friction on `{name}`: {error}")))?;
    let (normal, scale, slips) = made;
    if slips.is_empty() {
        return refuse(format!("friction on `{name}` does nothing: its point cannot slide"));
    }
    Ok(Rough {
        name: name.clone(),
        mu: friction.value,
        gap,
        normal,
        scale,
        slips,
        on: Target::Point(point),
        at: system.points[point].position,
        against: None,
        is_one_sided: constraint.is_one_sided(),
    })
}

type Guide = (Vector, Expr, Vec<(Vector, Expr)>);

/// Normal, N for a multiplier of one, and slips of a point with the reaction λ g.
fn guide(system: &System, point: usize, g: Vector, at: &At) -> Result<Guide, MathError> {
    let scale = g.norm()?;
    let normal = g.over(scale)?;
    let velocity = system.points[point].position.rate()?;
    let moves: Vec<Vector> = {
        let slopes = expr::jacobian(&velocity.0, &system.q_dot())?;
        let column = |s: usize| Vector([slopes[0][s], slopes[1][s], slopes[2][s]]);
        reaction::independent(&(0..system.coordinates.len()).map(column).collect::<Vec<Vector>>())
    };
    let tangents: Vec<Vector> = match moves[..] {
        // in a surface: along the guide
        [a, b] => {
            let along = a * g.dot(b) - b * g.dot(a);
            vec![along.over(along.norm()?)?]
        }
        [_, _, _] => {
            let across = [Axis::X, Axis::Y, Axis::Z].into_iter().min_by(|a, b| {
                let size = |axis: Axis| at.value(normal.component(axis)).abs();
                size(*a).total_cmp(&size(*b))
            });
            let first = Vector::along(across.unwrap_or(Axis::X)).cross(normal);
            let first = first.over(first.norm()?)?;
            vec![first, normal.cross(first)]
        }
        _ => Vec::new(),
    };
    Ok((normal, scale, tangents.into_iter().map(|t| (t, t.dot(velocity))).collect()))
}

/// What is wrong with the lines `friction` and `restitution`.
pub(crate) fn errors(system: &System) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for (list, what, least_most, words) in [
        (&system.frictions, "friction", (0.0, f64::INFINITY), "it may not be negative"),
        (&system.restitutions, "restitution", (0.0, 1.0), "it is between 0, for no bounce, and 1, for no loss"),
    ] {
        for (place, one) in list.iter().enumerate() {
            if let Some(symbol) = one.value.symbols().into_iter().find(|symbol| is_moving(*symbol)) {
                let message = format!("the coefficient of {what} on `{}` depends on `{symbol}`", one.on);
                errors.push(Diagnostic::error(one.span, message).hint("write a constant of parameters"));
                continue;
            }
            if let Some(value) = number(system, one.value)
                && !(value.is_finite() && (least_most.0..=least_most.1).contains(&value))
            {
                let message = format!("the coefficient of {what} on `{}` is {value}: {words}", one.on);
                errors.push(Diagnostic::error(one.span, message));
            }
            if list[..place].iter().any(|other| other.on == one.on) {
                errors.push(Diagnostic::error(one.span, format!("there is {what} on `{}` already", one.on)));
            }
        }
    }
    errors.extend(system.frictions.iter().filter_map(|one| Rough::of(system, one, &At::generic()).err()));
    errors.extend(system.restitutions.iter().filter_map(|one| bounces(system, &one.on, one.span)));
    errors
}

fn is_moving(symbol: Expr) -> bool {
    symbol.as_symbol().is_some_and(|symbol| symbol.kind != Kind::Parameter)
}

/// An error if nothing can bounce there.
fn bounces(system: &System, on: &str, span: Span) -> Option<Diagnostic> {
    let named = system.constraints.iter().filter(|one| one.name == *on);
    let may = named.clone().any(|one| one.is_one_sided() || one.from.is_some());
    (!may).then(|| {
        let hint = "a contact that opens has `unilateral`, a constraint `>=` or `<=`";
        Diagnostic::error(span, format!("restitution on `{on}` has no meaning: it never opens")).hint(hint)
    })
}
