//! What can a name stand for, and an expression be? Kinds, sorts, and what they depend on.

use crate::units::Dimension;

/// What a name was declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `param`
    Parameter,
    /// `coord`
    Coordinate,
    /// `speed`
    Speed,
    /// `let`
    Abbreviation,
    /// `observe`
    Observation,
    /// `input`
    Input,
    /// `state`
    State,
    /// `unknown`
    Unknown,
    /// `function`
    Function,
    /// `frame`, and `N`
    Frame,
    /// `point`
    Point,
    /// `body`
    Body,
    /// The index of a range, the argument of a `let`, the time, a number such as `pi`.
    Local,
    /// The name stands on a line that could not be read.
    Broken,
}

/// What an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// A number or a quantity.
    Scalar,
    /// Three components.
    Vector,
    /// A frame.
    Frame,
    /// The literal 0: a scalar or a vector, as needed.
    Zero,
    /// Not known; whatever is needed.
    Any,
}

impl Kind {
    /// What a name of this kind is called, which keyword declares it, its sort, what it depends on.
    #[rustfmt::skip]
    const fn row(self) -> (&'static str, &'static str, Sort, Mentions) {
        const NOTHING: Mentions = Mentions::NOTHING;
        const POSITION: Mentions = Mentions::POSITION;
        const SPEED: Mentions = Mentions::POSITION.and(Mentions::SPEED);
        const MOVING: Mentions = Mentions::POSITION.and(Mentions::TIME);
        match self {
            Kind::Parameter =>    ("a parameter",     "param",   Sort::Scalar, NOTHING),
            Kind::Coordinate =>   ("a coordinate",    "coord",   Sort::Scalar, POSITION),
            Kind::Speed =>        ("a speed",         "speed",   Sort::Scalar, SPEED),
            Kind::Abbreviation => ("an abbreviation", "let",     Sort::Any,    NOTHING),
            Kind::Observation =>  ("an output",       "observe", Sort::Any,    NOTHING),
            Kind::Input =>        ("an input",        "input",   Sort::Scalar, Mentions::INPUT),
            Kind::State =>        ("a state",         "state",   Sort::Scalar, Mentions::STATE),
            Kind::Unknown =>      ("an unknown",      "unknown", Sort::Scalar, Mentions::LOAD),
            Kind::Function =>     ("a function",      "function", Sort::Scalar, NOTHING),
            Kind::Frame =>        ("a frame",         "frame",   Sort::Frame,  MOVING),
            Kind::Point =>        ("a point",         "point",   Sort::Vector, MOVING),
            Kind::Body =>         ("a body",          "body",    Sort::Vector, MOVING),
            Kind::Local =>        ("a number",        "let",     Sort::Scalar, NOTHING),
            Kind::Broken =>       ("a name",          "let",     Sort::Any,    NOTHING),
        }
    }

    /// `a parameter`
    pub fn noun(self) -> &'static str {
        self.row().0
    }

    /// The keyword that declares it.
    pub(crate) fn keyword(self) -> &'static str {
        self.row().1
    }

    /// What a name of this kind is, as far as the kind says it.
    pub(crate) fn meaning(self) -> Meaning {
        let (_, _, sort, mentions) = self.row();
        Meaning { sort, mentions }
    }

    /// The dimension that a name of this kind always has.
    pub(crate) fn dimension(self) -> Option<Dimension> {
        match self {
            Kind::Point | Kind::Body => Some(Dimension::new(1, 0, 0)),
            Kind::Frame => Some(Dimension::NONE),
            _ => None,
        }
    }
}

impl Sort {
    /// `a scalar`
    pub fn noun(self) -> &'static str {
        match self {
            Sort::Scalar => "a scalar",
            Sort::Vector => "a vector",
            Sort::Frame => "a frame",
            Sort::Zero => "zero",
            Sort::Any => "a value",
        }
    }
}

/// Which changing things an expression depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Mentions(pub u16);

impl Mentions {
    pub const NOTHING: Mentions = Mentions(0);
    pub const TIME: Mentions = Mentions(1);
    pub const POSITION: Mentions = Mentions(2);
    pub const RATE: Mentions = Mentions(4);
    pub const ACCELERATION: Mentions = Mentions(8);
    pub const JERK: Mentions = Mentions(16);
    pub const LOAD: Mentions = Mentions(32);
    pub const REACTION: Mentions = Mentions(64);
    /// Rates, by way of a speed that was declared.
    pub const SPEED: Mentions = Mentions(128);
    /// Quantities with a law for their rate.
    pub const STATE: Mentions = Mentions(256);
    /// Multipliers and reactions of constraints.
    pub const MULTIPLIER: Mentions = Mentions(512);
    /// What is set from outside.
    pub const INPUT: Mentions = Mentions(1024);
    pub const ALL: Mentions = Mentions(0xffff);
    /// All but what is known only when the motion runs.
    pub const BEFORE_RUN: Mentions = Mentions(!(Mentions::REACTION.0 | Mentions::MULTIPLIER.0));

    pub const fn and(self, other: Mentions) -> Mentions {
        Mentions(self.0 | other.0)
    }

    pub fn has(self, other: Mentions) -> bool {
        self.0 & other.0 != 0
    }

    /// Those of the time derivative.
    pub fn derived(self, order: u32) -> Mentions {
        let motion = Mentions::POSITION.0 | Mentions::RATE.0 | Mentions::ACCELERATION.0;
        let of_speed = |mentions: u16| (mentions & Mentions::SPEED.0) / Mentions::SPEED.0 * Mentions::ACCELERATION.0;
        // the rate of a state may depend on rates
        let of_state = |mentions: u16| (mentions & Mentions::STATE.0) / Mentions::STATE.0 * Mentions::RATE.0;
        let once = |mentions: u16| mentions | (mentions & motion) << 1 | of_speed(mentions) | of_state(mentions);
        Mentions((0..order.min(3)).fold(self.0, |mentions, _| once(mentions)))
    }

    /// The highest derivative of a coordinate.
    pub fn order(self) -> i64 {
        match () {
            () if self.has(Mentions::JERK) => 3,
            () if self.has(Mentions::ACCELERATION) => 2,
            () if self.has(Mentions::RATE.and(Mentions::SPEED)) => 1,
            () => 0,
        }
    }

    /// The one of these that is told first, and what it is called.
    pub fn foremost(self) -> (Mentions, &'static str) {
        const RANKS: [(Mentions, &str); 10] = [
            (Mentions::REACTION, "reactions or energies of the motion"),
            (Mentions::MULTIPLIER, "reactions or energies of the motion"),
            (Mentions::JERK, "third derivatives"),
            (Mentions::ACCELERATION, "accelerations"),
            (Mentions::RATE, "rates"),
            (Mentions::SPEED, "speeds"),
            (Mentions::LOAD, "unknowns"),
            (Mentions::INPUT, "inputs"),
            (Mentions::STATE, "states"),
            (Mentions::POSITION, "coordinates"),
        ];
        RANKS.into_iter().find(|(mentions, _)| self.has(*mentions)).unwrap_or((Mentions::TIME, "the time"))
    }
}

/// What an expression is, and what it depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Meaning {
    pub sort: Sort,
    pub mentions: Mentions,
}

impl Meaning {
    pub const ANY: Meaning = Meaning { sort: Sort::Any, mentions: Mentions::NOTHING };
    pub const SCALAR: Meaning = Meaning { sort: Sort::Scalar, mentions: Mentions::NOTHING };

    pub fn with(self, mentions: Mentions) -> Meaning {
        Meaning { mentions: self.mentions.and(mentions), ..self }
    }

    pub fn sorted(self, sort: Sort) -> Meaning {
        Meaning { sort, ..self }
    }
}
