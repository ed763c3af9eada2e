//! What does a contact stand for, in the plain language? Declarations to paste in place of its line.

use expr::Expr;
use mechanics::{Carrier, ContactMotion, Target, Vector};
use model::{Declaration, ShapeKind};
use syntax::{Node, NodeKind};

use engine::Loaded;

/// The declarations of all contacts, each after a comment with the line that it replaces.
pub(super) fn expansion(loaded: &Loaded) -> Vec<String> {
    let Ok(model) = loaded.model.elaborate() else { return Vec::new() };
    let contacts = model.lines.iter().filter_map(|line| match &line.declaration {
        Declaration::Contact(contact) => Some((contact, model::print_line(line))),
        _ => None,
    });
    let mut lines = Vec::new();
    for ((written, text), contact) in contacts.zip(&loaded.system.contacts) {
        lines.push(format!("# {text}"));
        lines.extend(Plain { loaded, model: &model, written, contact }.lines());
    }
    lines
}

struct Plain<'a> {
    loaded: &'a Loaded,
    model: &'a model::Model,
    written: &'a model::Contact,
    contact: &'a mechanics::Contact,
}

/// Names of what is declared: normal, centre, axis, root, and the point that touches.
struct Names {
    n: String,
    c: String,
    a: String,
    s: String,
    k: String,
}

impl Names {
    fn of(plain: &Plain<'_>) -> Names {
        let [n, c, a, s, k] = ["n", "c", "a", "s", "K"].map(|part| plain.name(part));
        Names { n, c, a, s, k }
    }
}

impl Plain<'_> {
    /// A name that the model does not use: `ground_n`.
    fn name(&self, part: &str) -> String {
        let label: String =
            self.contact.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let mut name = format!("{}_{part}", label.trim_end_matches('_'));
        while self.loaded.model.symbol(&name).is_some() {
            name.push('_');
        }
        name
    }

    /// Writes the declarations: normal, centre, the point that touches, the gap, and what may not slip.
    fn lines(&self) -> Vec<String> {
        let touch = &self.contact.touch;
        let NodeKind::Tuple(plane) = &self.written.plane.kind else { return Vec::new() };
        let [normal, distance] = &plane[..] else { return Vec::new() };
        let names = Names::of(self);
        let (n, c, k) = (&names.n, &names.c, &names.k);
        let given = syntax::format(normal);
        let mut lines = vec![
            match touch.is_scaled {
                true => format!("let {n} = unit({given})"),
                false => format!("let {n} = {given}"),
            },
            format!("let {c} = {}", self.centre()),
        ];
        let (reach, point) = self.define_reach(&names, &mut lines);
        lines.push(format!("point {k} = {point}"));
        let gap = self.write_gap(&names, &given, distance, &reach);
        let sign = if self.contact.unilateral { ">=" } else { "=" };
        match touch.gap {
            Some(_) => lines.push(format!("constraint {}: {gap} {sign} 0", self.name("gap"))),
            None => lines.push("# the gap is zero in these coordinates".to_owned()),
        }
        lines.extend(self.write_slips(&names, &gap));
        lines
    }

    /// An argument of the shape, as a factor.
    fn radius(&self, k: usize) -> String {
        let argument = self.written.shape.as_ref().and_then(|shape| shape.arguments.get(k));
        argument.map(factor).unwrap_or_default()
    }

    /// Defines what the shape needs, and tells how far it reaches towards the plane and which point touches.
    fn define_reach(&self, names: &Names, lines: &mut Vec<String>) -> (String, String) {
        let Names { n, c, .. } = names;
        let radius = |k: usize| self.radius(k);
        let ball = || (format!(" - {}", radius(0)), format!("{c} - {}*{n}", radius(0)));
        match self.written.shape.as_ref().map(|shape| shape.kind) {
            None => (String::new(), c.clone()),
            Some(ShapeKind::Sphere) => ball(),
            Some(kind @ (ShapeKind::Disc | ShapeKind::Torus)) => self.define_rim(kind, names, lines),
            Some(ShapeKind::Ellipsoid) if self.contact.touch.roots.is_empty() => ball(),
            Some(ShapeKind::Ellipsoid) => self.define_ellipsoid(names, lines),
        }
    }

    /// The line of the root s: with the sign that it has, or as it is.
    fn define_root(&self, names: &Names, plain: String) -> String {
        let signed = self.contact.touch.roots.first().filter(|root| root.base.is_some());
        format!("let {} = {}", names.s, signed.map_or(plain, |root| root.value.to_string()))
    }

    /// Defines axis and root of a disc or a torus: its reach, and the point that touches.
    fn define_rim(&self, kind: ShapeKind, names: &Names, lines: &mut Vec<String>) -> (String, String) {
        let Names { n, c, a, s, .. } = names;
        let radius = |k: usize| self.radius(k);
        let axis = self.written.shape.as_ref().and_then(|shape| shape.arguments.last());
        let axis = axis.map(syntax::format).unwrap_or_default();
        let axis = if self.contact.touch.is_axis_scaled { format!("unit({axis})") } else { axis };
        lines.push(format!("let {a} = {axis}"));
        lines.push(self.define_root(names, format!("sqrt(1 - dot({n}, {a})^2)")));
        let up = format!("({n} - dot({n}, {a})*{a})/{s}");
        match kind {
            ShapeKind::Disc => (format!(" - {}*{s}", radius(0)), format!("{c} - {}*{up}", radius(0))),
            _ => (
                format!(" - {}*{s} - {}", radius(0), radius(1)),
                format!("{c} - {}*{up} - {}*{n}", radius(0), radius(1)),
            ),
        }
    }

    /// Defines the root of an ellipsoid: its reach, and the point that touches.
    fn define_ellipsoid(&self, names: &Names, lines: &mut Vec<String>) -> (String, String) {
        let Names { n, c, s, .. } = names;
        let (frame, radius) = (self.body_frame(), |k: usize| self.radius(k));
        let axes = ["x", "y", "z"].map(|axis| format!("dot({n}, {frame}.{axis})"));
        let squares: Vec<String> = (0..3).map(|k| format!("{}^2*{}^2", radius(k), axes[k])).collect();
        lines.push(self.define_root(names, format!("sqrt({})", squares.join(" + "))));
        let parts: Vec<String> = (0..3).map(|k| format!("{}^2*{}", radius(k), axes[k])).collect();
        (format!(" - {s}"), format!("{c} - {frame}*({})/{s}", parts.join(", ")))
    }

    /// Writes the gap between plane and shape.
    fn write_gap(&self, Names { n, c, .. }: &Names, given: &str, distance: &Node, reach: &str) -> String {
        let centre = match self.contact.carrier {
            Some(Carrier::Body(place)) => format!("{c} - ({})", self.body_centre(place)),
            _ => c.clone(),
        };
        let length = if self.contact.touch.is_scaled { format!("/norm({given})") } else { String::new() };
        let distance = match syntax::format(distance).as_str() {
            "0" => String::new(),
            _ => format!(" - {}{length}", factor(distance)),
        };
        format!("dot({n}, {centre}){distance}{reach}")
    }

    /// Writes what may not slip, or the slip of a rough contact.
    fn write_slips(&self, names: &Names, gap: &str) -> Vec<String> {
        let (contact, velocity) = (self.contact, self.velocity(&names.k));
        let closed = if contact.unilateral { format!(" from {gap} <= 0 until {gap} > 0") } else { String::new() };
        let line = |slip: &mechanics::contact::Slip| {
            let direction = match (contact.motion, &self.written.motion) {
                (ContactMotion::Skates(_), model::Motion::Skates(along)) => self.across(&names.n, along),
                _ => self.direction(slip.components),
            };
            let name = self.name(slip.label);
            match contact.rough {
                true => format!(
                    "let {name} = dot({velocity}, {direction})  # zero while it sticks, else with friction against it"
                ),
                false => format!("constraint {name}: dot({velocity}, {direction}) = 0{closed}"),
            }
        };
        contact.touch.slips.iter().map(line).collect()
    }

    /// The direction across a blade, in the plane.
    fn across(&self, n: &str, along: &Node) -> String {
        let across = format!("cross({n}, {})", syntax::format(along));
        match self.contact.touch.roots.last() {
            Some(root) if root.base.is_some() => format!("{across}/({})", root.value),
            _ => format!("unit({across})"),
        }
    }

    fn centre(&self) -> String {
        match (&self.written.at, self.contact.what) {
            (Some(at), _) => syntax::format(at),
            (None, Target::Point(place)) => self.loaded.system.points[place].name.clone(),
            (None, Target::Body(place)) => self.body_centre(place),
        }
    }

    /// The mass centre of a body, as its line says.
    fn body_centre(&self, place: usize) -> String {
        let name = &self.loaded.system.bodies[place].name;
        let at = self.model.lines.iter().find_map(|line| match &line.declaration {
            Declaration::Body(body) if body.name.name == *name => Some(syntax::format(&body.at)),
            _ => None,
        });
        at.unwrap_or_else(|| name.clone())
    }

    fn body_frame(&self) -> String {
        let system = &self.loaded.system;
        match self.contact.what {
            Target::Body(place) => system.frames[system.bodies[place].frame].name.clone(),
            Target::Point(_) => "N".to_owned(),
        }
    }

    /// The velocity of what touches, against the carrier.
    fn velocity(&self, at: &str) -> String {
        let system = &self.loaded.system;
        let own = match self.contact.what {
            Target::Point(place) => format!("velocity({})", system.points[place].name),
            Target::Body(place) => format!("velocity({} at {at})", system.bodies[place].name),
        };
        match self.contact.carrier {
            None => own,
            Some(Carrier::Frame(place)) => format!("{own} - cross(omega({}), {at})", system.frames[place].name),
            Some(Carrier::Body(place)) => format!("{own} - velocity({} at {at})", system.bodies[place].name),
        }
    }

    /// A direction of the plane along its carrier: `N.x`, or `B*(a, b, c)`.
    fn direction(&self, components: Vector) -> String {
        let system = &self.loaded.system;
        let frame = match self.contact.carrier {
            None => 0,
            Some(Carrier::Frame(place)) => place,
            Some(Carrier::Body(place)) => system.bodies[place].frame,
        };
        let frame = &system.frames[frame].name;
        let axis = ["x", "y", "z"].into_iter().zip(components.0).find(|(_, part)| *part == Expr::one());
        let others = components.0.iter().filter(|part| **part != Expr::zero()).count();
        match axis {
            Some((axis, _)) if others == 1 => format!("{frame}.{axis}"),
            _ => format!("{frame}*{components}"),
        }
    }
}

/// An expression as a factor: with brackets if it needs them.
fn factor(node: &Node) -> String {
    let text = syntax::format(node);
    match node.kind {
        NodeKind::Name { .. } | NodeKind::Call { .. } => text,
        _ => format!("({text})"),
    }
}
