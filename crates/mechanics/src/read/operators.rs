//! How are the operators of facts read? `kinetic()`, `force(q)`, `diff(E, q')`, and the rates that constraints admit.
//!
//! ```text
//! diff(E', x)          E' is the rate along the motions that the constraints admit: they are put in          (1)
//! diff(free(E)', x)    E' is the rate along every motion                                                     (2)
//! ```
//!
//! Where nothing is differentiated by anything but time, (1) and (2) are the same on every motion, and nothing is put in.

use expr::Expr;
use syntax::{Node, NodeKind, Span};

use super::{Admitted, Entry, Read, Reader, Stop, Value, wrong};
use crate::Vector;

/// An operator and what it acts on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operator {
    /// `kinetic()`
    Kinetic,
    /// `potential()`
    Potential,
    /// `lagrangian()`
    Lagrangian,
    /// `acceleration_energy()`
    AccelerationEnergy,
    /// `force(x)`
    Force(Variable),
    /// `generalized_momentum(x)`
    Momentum(Variable),
    /// `reduced(E)`
    Reduced(Expr),
    /// `diff(E, x)`; whether constraints were put into E.
    Slope {
        /// E.
        of: Expr,
        /// x.
        by: Variable,
        /// Whether constraints were put into E.
        is_reduced: bool,
    },
}

/// What can be varied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Variable {
    /// A coordinate or a derivative of one, or the time: a symbol.
    Symbol(Expr),
    /// A speed of the model, or a derivative of one: its place, and how often it is differentiated.
    Speed(usize, u32),
}

/// The names of the operators.
const OPERATORS: [&str; 9] = [
    "kinetic",
    "potential",
    "lagrangian",
    "acceleration_energy",
    "reduced",
    "free",
    "force",
    "generalized_momentum",
    "diff",
];

impl Reader<'_> {
    /// Whether a name is that of an operator; a function of the model goes before it.
    pub(super) fn is_operator(&self, name: &str) -> bool {
        OPERATORS.contains(&name)
            && !matches!(self.system.names.get(name), Some(Entry::Function(_) | Entry::Unspecified(_)))
    }

    pub(super) fn operator(&mut self, span: Span, name: &str, list: &[Node]) -> Read<Value> {
        match (name, list) {
            ("kinetic", []) => self.asked(Operator::Kinetic, span).map(Value::Scalar),
            ("potential", []) => self.asked(Operator::Potential, span).map(Value::Scalar),
            ("lagrangian", []) => self.asked(Operator::Lagrangian, span).map(Value::Scalar),
            ("acceleration_energy", []) => self.asked(Operator::AccelerationEnergy, span).map(Value::Scalar),
            ("force", [of]) => {
                let of = self.variable(of)?;
                self.asked(Operator::Force(of), span).map(Value::Scalar)
            }
            ("generalized_momentum", [of]) => {
                let of = self.variable(of)?;
                self.asked(Operator::Momentum(of), span).map(Value::Scalar)
            }
            ("free", [of]) => {
                self.needs_motion(span)?;
                self.value(of)
            }
            ("reduced", [of]) => {
                self.needs_motion(span)?;
                let value = self.value(of)?;
                self.with_constraints(value, span)
            }
            ("diff", [of, by]) => self.diff(of, by, span),
            _ => Err(wrong(span, format!("`{name}` does not take these arguments"))),
        }
    }

    fn needs_motion(&self, span: Span) -> Read<()> {
        self.reading.motion.map(|_| ()).ok_or(Stop::NeedsMotion(span))
    }

    fn asked(&self, operator: Operator, span: Span) -> Read<Expr> {
        let motion = self.reading.motion.ok_or(Stop::NeedsMotion(span))?;
        let value = motion.operator(operator).ok_or(Stop::NeedsMotion(span))?;
        value.map_err(|reason| wrong(span, reason))
    }

    /// ∂E/∂x, of each component if E is a vector.
    fn diff(&mut self, of: &Node, by: &Node, span: Span) -> Read<Value> {
        self.needs_motion(span)?;
        let by = self.variable(by)?;
        let outer = self.slope.replace(Admitted::default());
        let value = self.value(of);
        let is_reduced = self.slope.is_some_and(|slope| slope.is_reduced);
        self.slope = outer.map(|outer| Admitted { is_reduced: outer.is_reduced || is_reduced });
        let slope = |of| self.asked(Operator::Slope { of, by, is_reduced }, span);
        self.each(value?, of.span, slope)
    }

    fn each(&self, value: Value, span: Span, make: impl Fn(Expr) -> Read<Expr>) -> Read<Value> {
        match value {
            Value::Scalar(e) => make(e).map(Value::Scalar),
            Value::Vector(vector) => {
                let [x, y, z] = vector.0.map(make);
                Ok(Value::Vector(Vector([x?, y?, z?])))
            }
            Value::Frame(_) | Value::Body(_) => Err(wrong(span, "a scalar or a vector is needed here")),
        }
    }

    /// The rate of what is differentiated by something else than time, along the motions that are admitted (1).
    pub(super) fn admitted(&mut self, rate: Value, span: Span) -> Read<Value> {
        match self.reading.motion.is_some_and(|motion| motion.is_constrained()) {
            true => self.with_constraints(rate, span),
            false => Ok(rate),
        }
    }

    fn with_constraints(&mut self, value: Value, span: Span) -> Read<Value> {
        if let Some(slope) = &mut self.slope {
            slope.is_reduced = true;
        }
        self.each(value, span, |e| self.asked(Operator::Reduced(e), span))
    }

    /// Whether a rate is written without constraints: `free(E)'`, or that of a coordinate.
    pub(super) fn is_free(&self, of: &Node, value: Value) -> bool {
        let is_symbol = matches!(value, Value::Scalar(e) if e.as_symbol().is_some());
        is_symbol || matches!(&of.kind, NodeKind::Call { name, .. } if name == "free" && self.is_operator(name))
    }

    /// A coordinate, a speed, a derivative of one, or the time.
    fn variable(&mut self, node: &Node) -> Read<Variable> {
        let (name, order) = match &node.kind {
            NodeKind::Prime { of, order } => (of.as_ref(), *order),
            _ => (node, 0),
        };
        if let NodeKind::Name { .. } = &name.kind {
            let label = self.label(name)?;
            let is_local = self.locals.iter().any(|(local, _)| *local == label);
            if let Some(Entry::Speed(place)) = self.system.names.get(&label).filter(|_| !is_local) {
                return Ok(Variable::Speed(*place, order));
            }
        }
        match self.value(node)? {
            Value::Scalar(e) if e.as_symbol().is_some() => Ok(Variable::Symbol(e)),
            _ => Err(wrong(node.span, "a coordinate, a derivative of one, a speed or `t` is needed here")),
        }
    }
}
