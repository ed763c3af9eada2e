//! What does a table of a motion show, and in which units?

use expr::{Expr, Op};
use mechanics::rows::Rows;
use mechanics::{Coordinate, FirstOrder};
use model::Dimension;
use rustc_hash::FxHashMap;

use engine::Loaded;

/// A column of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// What it shows.
    pub meaning: Meaning,
    /// Its unit; empty if it has none, or none is known.
    pub unit: String,
}

/// What a column shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A coordinate.
    Coordinate(String),
    /// Its rate.
    Rate(String),
    /// Its acceleration.
    Acceleration(String),
    /// A first-order state.
    State(String),
    /// A speed.
    Speed(String),
    /// The multiplier of a row.
    Multiplier(String),
    /// A component of the force of a constraint on a point or body.
    Force {
        /// The constraint.
        constraint: String,
        /// The point or body.
        on: String,
        /// 0, 1, 2 for x, y, z.
        axis: usize,
    },
    /// A component of its torque on a body.
    Torque {
        /// The constraint.
        constraint: String,
        /// The body.
        on: String,
        /// 0, 1, 2 for x, y, z.
        axis: usize,
    },
    /// A component of the sum of its forces.
    Resultant {
        /// The constraint.
        constraint: String,
        /// 0, 1, 2 for x, y, z.
        axis: usize,
    },
    /// What it does to a coordinate.
    Generalized {
        /// The constraint.
        constraint: String,
        /// The coordinate.
        coordinate: String,
    },
    /// An output of the model.
    Observe {
        /// Its name.
        name: String,
        /// The component of a vector.
        axis: Option<usize>,
    },
    /// The energy.
    Energy,
}

impl Meaning {
    /// Whether it needs accelerations or reactions, or may need them.
    pub fn is_of_forces(&self) -> bool {
        !matches!(
            self,
            Meaning::Coordinate(_) | Meaning::Rate(_) | Meaning::State(_) | Meaning::Speed(_) | Meaning::Energy
        )
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];

impl Column {
    /// The name of the vector that it is a component of, if it is one.
    pub fn vector(&self) -> Option<String> {
        let name = self.name();
        match &self.meaning {
            Meaning::Force { .. } | Meaning::Torque { .. } | Meaning::Resultant { .. } => {}
            Meaning::Observe { axis: Some(_), .. } => {}
            _ => return None,
        }
        name.rsplit_once('.').map(|(name, _)| name.to_owned())
    }

    /// Its name: `x1'`, `multiplier(rod)`, `reaction(rod on P1).x`.
    pub fn name(&self) -> String {
        match &self.meaning {
            Meaning::Coordinate(name) | Meaning::State(name) | Meaning::Speed(name) => name.clone(),
            Meaning::Observe { name, axis: None } => name.clone(),
            Meaning::Rate(name) => format!("{name}'"),
            Meaning::Acceleration(name) => format!("{name}''"),
            Meaning::Multiplier(row) => format!("multiplier({row})"),
            Meaning::Force { constraint, on, axis } => format!("reaction({constraint} on {on}).{}", AXES[*axis]),
            Meaning::Torque { constraint, on, axis } => format!("torque({constraint} on {on}).{}", AXES[*axis]),
            Meaning::Resultant { constraint, axis } => format!("reaction({constraint}).{}", AXES[*axis]),
            Meaning::Generalized { constraint, coordinate } => format!("reaction({constraint} on {coordinate})"),
            Meaning::Observe { name, axis: Some(axis) } => format!("{name}.{}", AXES[*axis]),
            Meaning::Energy => "energy".to_owned(),
        }
    }
}

/// The dimensions of symbols, and of what is made of them.
pub struct Units {
    known: FxHashMap<Expr, Dimension>,
    /// The coordinates that are angles.
    angles: Vec<String>,
}

impl Units {
    /// The units of a system with these rows; nothing is known of a model without units.
    pub fn of(loaded: &Loaded, rows: &Rows) -> Units {
        let system = &loaded.system;
        let mut known = FxHashMap::default();
        let second = Dimension::new(0, 0, 1);
        for c in &system.coordinates {
            if let Some(dimension) = &c.dimension {
                let (rate, twice) = (dimension.over(&second), dimension.over(&second).over(&second));
                known.extend([(c.q, dimension.clone()), (c.q_dot, rate), (c.q_ddot, twice)]);
            }
        }
        let symbols = system.parameters.iter().map(|one| (one.symbol, &one.dimension));
        let symbols = symbols.chain(system.inputs.iter().map(|one| (one.symbol, &one.dimension)));
        let symbols = symbols.chain(system.states.iter().map(|one| (one.symbol, &one.dimension)));
        known.extend(symbols.filter_map(|(symbol, dimension)| Some((symbol, dimension.clone()?))));
        let angles = engine::coordinate_units(loaded).0.into_iter().filter(|(_, unit)| unit == "rad");
        let mut units = Units { known, angles: angles.map(|(name, _)| name).collect() };
        if units.are_known() {
            units.known.insert(system.time, second.clone());
            for row in &rows.list {
                // λ ∂f/∂q⁽ᵏ⁾ is a force on q; numbers in f may stand for anything, a slope of 1 for nothing else
                let is_plain = |entry: &Expr| *entry == Expr::one() || *entry == -Expr::one();
                let plain = row.A.iter().position(is_plain).and_then(|s| system.coordinates[s].dimension.clone());
                let order = i64::from(row.order);
                let by_value = || Some(Dimension::new(2, 1, -2 - order).over(&units.dimension(row.f)?));
                if let Some(unit) = plain.map(|q| Dimension::new(2, 1, -2).over(&q)).or_else(by_value) {
                    units.known.insert(row.lambda, unit);
                }
            }
        }
        units
    }

    /// Whether the model has units.
    pub fn are_known(&self) -> bool {
        !self.known.is_empty()
    }

    /// The unit of an expression as people write it.
    pub fn unit(&self, e: Expr) -> String {
        self.dimension(e).filter(|_| self.are_known()).map_or(String::new(), |dimension| written(&dimension))
    }

    /// The unit of a coordinate, its rate or its acceleration.
    pub fn of_coordinate(&self, c: &Coordinate, order: i64) -> String {
        let Some(dimension) = &c.dimension else { return String::new() };
        if self.angles.contains(&c.name) {
            return ["rad", "rad/s", "rad/s^2"][order as usize].to_owned();
        }
        written(&dimension.over(&Dimension::new(0, 0, order)))
    }

    /// The unit of a state of first order, or of its rate.
    pub fn of_state(&self, state: &FirstOrder, order: i64) -> String {
        let dimension = state.dimension.as_ref().filter(|_| self.are_known());
        dimension.map_or(String::new(), |dimension| written(&dimension.over(&Dimension::new(0, 0, order))))
    }

    /// The unit of a force on a coordinate, whose work is force times coordinate.
    pub fn of_force(&self, c: &Coordinate) -> String {
        let Some(dimension) = &c.dimension else { return String::new() };
        if self.angles.contains(&c.name) {
            "N*m".to_owned()
        } else {
            written(&Dimension::new(2, 1, -2).over(dimension))
        }
    }

    /// The dimension of an expression: numbers have whatever fits.
    fn dimension(&self, e: Expr) -> Option<Dimension> {
        let none = || Dimension::new(0, 0, 0);
        let below = e.arguments();
        Some(match e.op() {
            Op::Symbol => self.known.get(&e)?.clone(),
            Op::Number | Op::Pi => return None,
            Op::Sum | Op::Min | Op::Max => below.iter().find_map(|&term| self.dimension(term))?,
            Op::Scale => self.dimension(below[1])?,
            Op::Product => {
                let mut all = none();
                for &factor in below.iter().filter(|factor| !factor.is_constant()) {
                    all = all.times(&self.dimension(factor)?);
                }
                all
            }
            Op::Power => self.dimension(below[0])?.power(&below[1].as_number()?),
            Op::Abs => self.dimension(below[0])?,
            Op::Cbrt => self.dimension(below[0])?.power(&expr::Rational::new(1, 3)?),
            Op::IfNegative | Op::IfZero => self.dimension(below[1]).or_else(|| self.dimension(below[2]))?,
            _ => none(),
        })
    }
}

/// `m/s^2`; nothing for a number; forces, moments and powers under their own names.
fn written(dimension: &Dimension) -> String {
    const NAMED: [(i64, i64, i64, &str); 8] = [
        (1, 1, -2, "N"),
        (0, 1, -2, "N/m"),
        (2, 1, -2, "J"),
        (2, 1, -3, "W"),
        (-1, 1, -2, "Pa"),
        (1, 1, -1, "N*s"),
        (2, 1, -1, "J*s"),
        (0, 1, -1, "N*s/m"),
    ];
    let named = NAMED.iter().find(|(m, kg, s, _)| *dimension == Dimension::new(*m, *kg, *s));
    match named {
        _ if dimension.is_none() => String::new(),
        Some((.., name)) => (*name).to_owned(),
        None => dimension.unit(),
    }
}
