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

    fn lines(&self) -> Vec<String> {
        let (contact, touch) = (self.contact, &self.contact.touch);
        let mut lines = Vec::new();
        let [n, c, a, s, k] = ["n", "c", "a", "s", "K"].map(|part| self.name(part));
        let NodeKind::Tuple(plane) = &self.written.plane.kind else { return lines };
        let [normal, distance] = &plane[..] else { return lines };
        let given = syntax::format(normal);
        lines.push(match touch.is_scaled {
            true => format!("let {n} = unit({given})"),
            false => format!("let {n} = {given}"),
        });
        lines.push(format!("let {c} = {}", self.centre()));
        let radius = |k: usize| {
            let argument = self.written.shape.as_ref().and_then(|shape| shape.arguments.get(k));
            argument.map(factor).unwrap_or_default()
        };
        let root = touch.roots.first();
        let mut define_s = |plain: String| {
            let signed = root.filter(|root| root.base.is_some());
            lines.push(format!("let {s} = {}", signed.map_or(plain, |root| root.value.to_string())));
        };
        let (reach, point) = match self.written.shape.as_ref().map(|shape| shape.kind) {
            None => (String::new(), c.clone()),
            Some(ShapeKind::Sphere) => (format!(" - {}", radius(0)), format!("{c} - {}*{n}", radius(0))),
            Some(kind @ (ShapeKind::Disc | ShapeKind::Torus)) => {
                let axis = self.written.shape.as_ref().and_then(|shape| shape.arguments.last());
                let axis = axis.map(syntax::format).unwrap_or_default();
                define_s(format!("sqrt(1 - dot({n}, {a})^2)"));
                let place = lines.len() - 1;
                let axis = if touch.is_axis_scaled { format!("unit({axis})") } else { axis };
                lines.insert(place, format!("let {a} = {axis}"));
                let up = format!("({n} - dot({n}, {a})*{a})/{s}");
                match kind {
                    ShapeKind::Disc => (format!(" - {}*{s}", radius(0)), format!("{c} - {}*{up}", radius(0))),
                    _ => (
                        format!(" - {}*{s} - {}", radius(0), radius(1)),
                        format!("{c} - {}*{up} - {}*{n}", radius(0), radius(1)),
                    ),
                }
            }
            Some(ShapeKind::Ellipsoid) if touch.roots.is_empty() => {
                (format!(" - {}", radius(0)), format!("{c} - {}*{n}", radius(0)))
            }
            Some(ShapeKind::Ellipsoid) => {
                let frame = self.body_frame();
                let axes = ["x", "y", "z"].map(|axis| format!("dot({n}, {frame}.{axis})"));
                let squares: Vec<String> = (0..3).map(|k| format!("{}^2*{}^2", radius(k), axes[k])).collect();
                define_s(format!("sqrt({})", squares.join(" + ")));
                let parts: Vec<String> = (0..3).map(|k| format!("{}^2*{}", radius(k), axes[k])).collect();
                (format!(" - {s}"), format!("{c} - {frame}*({})/{s}", parts.join(", ")))
            }
        };
        lines.push(format!("point {k} = {point}"));
        let centre = match contact.carrier {
            Some(Carrier::Body(place)) => format!("{c} - ({})", self.body_centre(place)),
            _ => c.clone(),
        };
        let length = if touch.is_scaled { format!("/norm({given})") } else { String::new() };
        let distance = match syntax::format(distance).as_str() {
            "0" => String::new(),
            _ => format!(" - {}{length}", factor(distance)),
        };
        let gap = format!("dot({n}, {centre}){distance}{reach}");
        let sign = if contact.unilateral { ">=" } else { "=" };
        match touch.gap {
            Some(_) => lines.push(format!("constraint {}: {gap} {sign} 0", self.name("gap"))),
            None => lines.push("# the gap is zero in these coordinates".to_owned()),
        }
        let velocity = self.velocity(&k);
        let closed = if contact.unilateral { format!(" from {gap} <= 0 until {gap} > 0") } else { String::new() };
        for slip in &touch.slips {
            let direction = match (contact.motion, &self.written.motion) {
                (ContactMotion::Skates(_), model::Motion::Skates(along)) => {
                    let across = format!("cross({n}, {})", syntax::format(along));
                    match touch.roots.last() {
                        Some(root) if root.base.is_some() => format!("{across}/({})", root.value),
                        _ => format!("unit({across})"),
                    }
                }
                _ => self.direction(slip.components),
            };
            let name = self.name(slip.label);
            lines.push(match contact.rough {
                true => format!(
                    "let {name} = dot({velocity}, {direction})  # zero while it sticks, else with friction against it"
                ),
                false => format!("constraint {name}: dot({velocity}, {direction}) = 0{closed}"),
            });
        }
        lines
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
