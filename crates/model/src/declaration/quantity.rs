//! `gravity (0, -g)`, `potential V`, `kinetic T`, `dissipation D`: a field or an energy by its formula.
//!
//! JSON: value

use super::common::*;

/// The expression after `gravity`, `potential`, `kinetic` or `dissipation`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// The expression.
    pub value: Node,
}

pub(super) const GRAVITY: Rule<Quantity> = Rule {
    keyword: keyword("gravity", "gravity (0, -g)"),
    steps: |of| {
        let is = vector(&of.value, "gravity", ACCELERATION, ABOVE_RATE.and(Mentions::STATE));
        let with_direction = |node: &Node| format!("give its direction: `gravity (0, -{})`", crate::text_of(node));
        vec![Step::Is(Is { of_scalar: with_direction, ..is })]
    },
};

pub(super) const POTENTIAL: Rule<Quantity> = Rule {
    keyword: keyword("potential", "potential c*x^2/2"),
    steps: |of| vec![Step::Is(scalar(&of.value, "a potential", ENERGY, GEOMETRY).hints(OF_POTENTIALS))],
};

const OF_POTENTIALS: Hints = &[
    (
        Mentions::LOAD,
        "a potential is a function of the positions; a load enters by `force`, `torque` or `generalized force`",
    ),
    (Mentions::RATE.and(Mentions::SPEED), "Q = -dV/dq uses the positions alone; write a `force` or a `dissipation`"),
];

pub(super) const KINETIC: Rule<Quantity> = Rule {
    keyword: Keyword { foreign: &["lagrangian"], ..keyword("kinetic", "kinetic J*phi'^2/2") },
    steps: |of| vec![Step::Is(scalar(&of.value, "a kinetic energy", ENERGY, ABOVE_RATE.and(Mentions::STATE)))],
};

pub(super) const DISSIPATION: Rule<Quantity> = Rule {
    keyword: Keyword { foreign: &["rayleigh"], ..keyword("dissipation", "dissipation b*x'^2/2") },
    steps: |of| vec![Step::Is(scalar(&of.value, "a dissipation", POWER, ABOVE_RATE))],
};

parts!(Quantity { value });

impl Declare for Quantity {
    fn parse(parser: &mut Parser<'_>) -> Option<Quantity> {
        Some(Quantity { value: parser.cursor.expression()? })
    }

    fn print(&self) -> String {
        node(&self.value)
    }

    fn to_json(&self) -> Value {
        json!({"value": node(&self.value)})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        keys.expression("value")
    }
}
