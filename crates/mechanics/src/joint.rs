//! What does a joint stand for? Rows for the places that coincide, and rows for the directions that are held.
//!
//! ```text
//! pinned       P − Q = 0                                   along N                            (1)
//! hinged       (1),  a·u = a·v = 0                         a in the first body, u, v ⟂ b in the second      (2)
//! universal    (1),  a·b = 0                                                                  (3)
//! welded       (1),  x₁·y₂ = y₁·z₂ = z₁·x₂ = 0             the axes of both frames            (4)
//! slides       u·(P − Q) = v·(P − Q) = 0, (4)              u, v ⟂ a                           (5)
//! ```
//!
//! P is fixed in the first body, Q in the second; so are axes, save that inputs and time may move them. A row e·(P − Q) pushes the first body with λ e at P, a row p·q with p
//! in the first body and q in the second turns it with λ p × q; the opposite acts on the second. So the reaction is a
//! force at P and a torque about P. Of (2) and (4) at the directions that they hold, no row follows from the others.
//! Rows that hold identically are left out.

use std::sync::Arc;

use expr::Expr;
use model::{Declaration, JointMotion};
use syntax::{Arguments, Axis, Diagnostic, Node, NodeKind, Sign, Span};

use crate::lower::{Done, Lowering};
use crate::read::{Stop, at, wrong};
use crate::{Constraint, Joint, JointRow, Origin, Sense, Vector};

/// A row while it is made.
struct Made {
    label: &'static str,
    tree: Node,
    force: Vector,
    torque: Vector,
}

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

/// A body of a joint, or the ground.
#[derive(Clone, Copy)]
struct Side<'a> {
    body: Option<usize>,
    at: &'a Node,
}

impl Lowering<'_> {
    /// Adds a joint, whose line is at this place among the lines.
    pub fn joint(&mut self, joint: &model::Joint, line: usize, span: Span) -> Done {
        let first = self.body_named(&joint.first)?;
        let second = match joint.second.name == "N" {
            true => None,
            false => Some(self.body_named(&joint.second)?),
        };
        if second == Some(first) {
            let error = Diagnostic::error(joint.second.span, "a joint holds two bodies, and this is the same one");
            return Err(Stop::Wrong(Box::new(error.hint("name another body, or `N` for the ground"))));
        }
        let sides = [Side { body: Some(first), at: &joint.at }, Side { body: second, at: &joint.to }];
        let [point, _] = [self.joint_place(sides[0])?, self.joint_place(sides[1])?];
        let made = self.joint_rows(joint, sides)?;
        let (name, mut kept, mut rows, mut dropped) = (joint.label.name.clone(), Vec::new(), Vec::new(), Vec::new());
        let mut trees = Vec::new();
        for Made { label, tree, force, torque } in made {
            let row = self.scalar(&tree)?;
            if row.is_zero() {
                dropped.push(label);
                continue;
            }
            rows.push(row);
            kept.push(JointRow { label, force, torque });
            trees.push((label.to_owned(), tree));
        }
        self.remark_on_joint(&name, &dropped, rows.is_empty(), span);
        if let Declaration::Joint(own) = &mut Arc::make_mut(&mut self.system.lines)[line].declaration {
            own.rows = trees;
        }
        self.system.constraints.push(Constraint {
            name: name.clone(),
            rows,
            axes: Vec::new(),
            labels: kept.iter().map(|row| row.label).collect(),
            sense: Sense::Equal,
            from: None,
            until: None,
            while_closed: false,
            is_rough: false,
            origin: Origin::Joint(self.system.joints.len()),
            text: None,
            span,
        });
        self.system.joints.push(Joint { name, first, second, point, rows: kept, span });
        Ok(())
    }

    fn remark_on_joint(&mut self, name: &str, dropped: &[&str], all: bool, span: Span) {
        let message = match (dropped, all) {
            ([], _) => return,
            (_, true) => format!("`{name}` holds identically: it constrains nothing"),
            ([one], _) => format!("the row {one} of `{name}` holds identically"),
            (several, _) => format!("the rows {} of `{name}` hold identically", several.join(" and ")),
        };
        self.remark(message, span);
    }

    /// Where a joint is on one side; it must be fixed there.
    fn joint_place(&self, side: Side<'_>) -> Result<Vector, Stop> {
        let place = self.vector(side.at)?;
        let (is_fixed, where_, hint) = match side.body {
            None => {
                let still = place.0.iter().all(|part| !part.symbols().iter().any(|&symbol| is_coordinate(symbol)));
                (still, "the ground".to_owned(), "after `N at` stands a place that no coordinate moves".to_owned())
            }
            Some(body) => {
                let body = &self.system.bodies[body];
                let frame = &self.system.frames[body.frame].name;
                let hint = format!("write it from the body, as in `{} + {frame}*(a, b, c)`", body.name);
                (self.is_fixed_in(side, place)?, format!("`{}`", body.name), hint)
            }
        };
        if is_fixed {
            return Ok(place);
        }
        let text = syntax::format(side.at);
        let error = Diagnostic::error(side.at.span, format!("`{text}` is not fixed in {where_}"));
        Err(Stop::Wrong(Box::new(error.hint(hint))))
    }

    /// Whether a place moves with the body of a side: by how it is put together, or by its velocity.
    fn is_fixed_in(&self, side: Side<'_>, place: Vector) -> Result<bool, Stop> {
        let Some(body) = side.body.map(|body| &self.system.bodies[body]) else { return Ok(false) };
        let math = at(side.at.span);
        let mut arms = crate::contact::arms(&self.system, &self.placement(side.at));
        for (frame, arm) in crate::contact::arms(&self.system, &body.placement) {
            arms.push((frame, -arm));
        }
        let mut together: Vec<(usize, Vector)> = Vec::new();
        for (frame, arm) in arms {
            match together.iter_mut().find(|one| one.0 == frame) {
                Some(one) => one.1 = one.1 + arm,
                None => together.push((frame, arm)),
            }
        }
        together.retain(|(_, arm)| !arm.is_zero());
        let constant = |arm: &Vector| arm.rate().is_ok_and(|rate| rate.is_zero());
        if together.iter().all(|(frame, arm)| *frame == body.frame && constant(arm)) {
            return Ok(true);
        }
        let arm = place - body.centre;
        let omega = self.system.frames[body.frame].omega;
        let moves = !(arm.rate().map_err(math)? - omega.cross(arm)).is_zero();
        Ok(!moves || self.only_driven(body.frame, arm))
    }

    /// Whether a vector moves against a frame by inputs and time alone: no virtual displacement tells it from a fixed one.
    fn only_driven(&self, frame: usize, vector: Vector) -> bool {
        let inputs = self.system.inputs.iter().filter(|input| !input.is_rate()).map(|input| input.symbol);
        let frozen: Vec<Expr> = inputs.chain([self.system.time]).collect();
        let axes = self.system.frames[frame].in_inertial.axes;
        let mut parts = axes.iter().map(|axis| expr::total_derivative_frozen(axis.dot(vector), &frozen));
        parts.all(|rate| rate.is_ok_and(|rate| rate.is_zero()))
    }

    /// Whether a direction is fixed in a body, or in space.
    fn is_direction_of(&self, body: Option<usize>, direction: Vector) -> bool {
        let place = body.map_or(0, |body| self.system.bodies[body].frame);
        let frame = &self.system.frames[place];
        let stays = || Ok::<_, expr::MathError>((direction.rate()? - frame.omega.cross(direction)).is_zero());
        frame.in_inertial.axes.contains(&direction) || stays().unwrap_or(false) || self.only_driven(place, direction)
    }

    /// All rows of a joint, also those that hold identically.
    fn joint_rows(&self, joint: &model::Joint, sides: [Side<'_>; 2]) -> Result<Vec<Made>, Stop> {
        let [a, b] = sides.map(|side| side.body);
        let mut rows = Vec::new();
        if joint.motion == JointMotion::Slides {
            let axis = &joint.axes[0];
            let direction = self.axis_of(axis)?;
            let owner = [b, a].into_iter().find(|&body| self.is_direction_of(body, direction));
            let owner = owner.ok_or_else(|| self.not_fixed(axis, "neither body"))?;
            for (label, tree) in ["across1", "across2"].into_iter().zip(self.across(axis, direction, owner)) {
                let force = self.vector(&tree)?;
                let difference = self.vector(&joint.at)? - self.vector(&joint.to)?;
                let torque = if owner == b { Vector::zero() } else { force.cross(difference) };
                rows.push(Made { label, tree: call("dot", vec![tree, gap(joint)]), force, torque });
            }
        } else {
            for (label, axis) in ["x", "y", "z"].into_iter().zip(AXES) {
                let tree = Node::new(NodeKind::Component { of: Box::new(gap(joint)), axis }, joint.at.span);
                rows.push(Made { label, tree, force: Vector::along(axis), torque: Vector::zero() });
            }
        }
        let pairs: Vec<(&'static str, Node, Node)> = match joint.motion {
            JointMotion::Pinned => Vec::new(),
            JointMotion::Welded | JointMotion::Slides => {
                let place = joint.at.span;
                let pair = |one: usize, other: usize| (self.own(a, AXES[one], place), self.own(b, AXES[other], place));
                let pairs = [("turn1", pair(0, 1)), ("turn2", pair(1, 2)), ("turn3", pair(2, 0))];
                pairs.map(|(label, (p, q))| (label, p, q)).to_vec()
            }
            JointMotion::Universal => {
                self.held_by(a, &joint.axes[0], "the first body")?;
                self.held_by(b, &joint.axes[1], "the second body")?;
                vec![("turn", joint.axes[0].clone(), joint.axes[1].clone())]
            }
            JointMotion::Hinged => self.hinge(joint, a, b)?,
        };
        for (label, p, q) in pairs {
            let torque = self.vector(&p)?.cross(self.vector(&q)?);
            rows.push(Made { label, tree: call("dot", vec![p, q]), force: Vector::zero(), torque });
        }
        Ok(rows)
    }

    /// (2): the axis in the first body, and two directions across the axis in the second.
    fn hinge(
        &self,
        joint: &model::Joint,
        a: Option<usize>,
        b: Option<usize>,
    ) -> Result<Vec<(&'static str, Node, Node)>, Stop> {
        let own = &joint.axes[0];
        let first = self.held_by(a, own, "the first body");
        let other = joint.axes.get(1).unwrap_or(own);
        if joint.axes.len() == 1 {
            let direction = self.axis_of(own)?;
            let (in_first, in_second) = (self.is_direction_of(a, direction), self.is_direction_of(b, direction));
            if !(in_first && in_second) {
                let text = syntax::format(own);
                let (missing, example) = match (in_first, b) {
                    (false, _) => ("the first body", format!("`hinged about a, {text}`")),
                    (true, None) => ("`N`", format!("`hinged about {text}, N.z`")),
                    (true, Some(_)) => ("the second body", format!("`hinged about {text}, b`")),
                };
                let error = Diagnostic::error(own.span, format!("`{text}` is not fixed in {missing}"));
                let hint = format!("give the axis in both, the first body's first, as in {example}");
                return Err(Stop::Wrong(Box::new(error.hint(hint))));
            }
        }
        first?;
        let direction = self.held_by(b, other, "the second body")?;
        let across = self.across(other, direction, b);
        let rows = ["turn1", "turn2"].into_iter().zip(across).map(|(label, q)| (label, own.clone(), q));
        Ok(rows.collect())
    }

    fn axis_of(&self, axis: &Node) -> Result<Vector, Stop> {
        let direction = self.vector(axis)?;
        match direction.is_zero() {
            true => Err(wrong(axis.span, "this axis is the zero vector")),
            false => Ok(direction),
        }
    }

    /// An axis that must be fixed in a body.
    fn held_by(&self, body: Option<usize>, axis: &Node, which: &str) -> Result<Vector, Stop> {
        let direction = self.axis_of(axis)?;
        match self.is_direction_of(body, direction) {
            true => Ok(direction),
            false => Err(self.not_fixed(axis, which)),
        }
    }

    fn not_fixed(&self, axis: &Node, which: &str) -> Stop {
        let text = syntax::format(axis);
        let message = match which {
            "neither body" => format!("`{text}` is fixed in neither body"),
            _ => format!("`{text}` is not fixed in {which}"),
        };
        let error = Diagnostic::error(axis.span, message);
        Stop::Wrong(Box::new(error.hint("write it along the frame of the body, as in `B.z`")))
    }

    /// Two directions across an axis, fixed in what the axis is fixed in: axes of the frame if it is one, otherwise
    /// the products with the two axes of the frame that it is farthest from.
    fn across(&self, axis: &Node, direction: Vector, body: Option<usize>) -> Vec<Node> {
        let frame = &self.system.frames[body.map_or(0, |body| self.system.bodies[body].frame)];
        let own = |k: usize| self.own(body, AXES[k % 3], axis.span);
        if let Some(k) = frame.in_inertial.axes.iter().position(|one| *one == direction) {
            return vec![own(k + 1), own(k + 2)];
        }
        let size = |k: &usize| {
            let part = frame.in_inertial.axes[*k].dot(direction);
            crate::contact::number(&self.system, crate::contact::at_zero(part)).map_or(0.0, f64::abs)
        };
        let largest = (0..3).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(2);
        [largest + 1, largest + 2].map(|k| call("cross", vec![own(k), axis.clone()])).to_vec()
    }

    /// An axis of the frame of a body, or of `N`.
    fn own(&self, body: Option<usize>, axis: Axis, span: Span) -> Node {
        let frame = &self.system.frames[body.map_or(0, |body| self.system.bodies[body].frame)];
        let of = Box::new(Node::new(NodeKind::Name { name: frame.name.clone(), index: None }, span));
        Node::new(NodeKind::Component { of, axis }, span)
    }
}

/// P − Q
fn gap(joint: &model::Joint) -> Node {
    let terms = vec![(Sign::Plus, joint.at.clone()), (Sign::Minus, joint.to.clone())];
    Node::new(NodeKind::Sum(terms), joint.at.span)
}

fn call(name: &str, list: Vec<Node>) -> Node {
    let span = list.first().map_or(Span::default(), |one| one.span);
    Node::new(NodeKind::Call { name: name.to_owned(), arguments: Arguments::List(list) }, span)
}

fn is_coordinate(symbol: Expr) -> bool {
    symbol.as_symbol().is_some_and(|symbol| symbol.kind == expr::Kind::Coordinate)
}
