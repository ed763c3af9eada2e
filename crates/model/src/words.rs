//! Which functions does the language know, and which names cannot be declared?

/// Exponents of m, kg and s.
const ENERGY: [i64; 3] = [2, 1, -2];

/// What a function takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FunctionKind {
    /// A number, such as an angle, to a number.
    Number,
    /// One scalar to the scalar of half its dimension, or a third.
    Root(i64),
    /// One scalar to a scalar of the same dimension.
    Same,
    /// One scalar to its sign.
    Sign,
    /// Two scalars of one dimension to an angle.
    Angle,
    /// At least two scalars of one dimension to one of them.
    Choice,
    /// `if(a < b, p, q)`
    If,
    /// `sum(e for i in 1..n)`
    Sum,
    /// `integral(e, x, a, b)`
    Integral,
    /// Two vectors to a scalar.
    Dot,
    /// Two vectors to a vector.
    Cross,
    /// A vector to its length.
    Norm,
    /// A vector to its direction.
    Direction,
    /// A point, or a body at a place, to its velocity.
    Velocity,
    /// A point to its acceleration.
    Acceleration,
    /// A body or a frame to its angular velocity.
    Omega,
    /// A constraint to its multiplier.
    Multiplier,
    /// A constraint or contact to its reaction.
    Reaction,
    /// A joint to the torque of its reaction.
    ReactionTorque,
    /// `energy()`
    Energy,
    /// `momentum()`
    Momentum,
    /// A point to the angular momentum about it.
    AngularMomentum,
    /// A function of the whole system, such as `kinetic()`: exponents of m, kg and s.
    OfSystem([i64; 3]),
    /// `reduced(E)` and `free(E)`: the same quantity, seen otherwise.
    Seen,
    /// A coordinate or a speed to the generalized force on it.
    GeneralizedForce,
    /// A coordinate to ∂T/∂q'.
    GeneralizedMomentum,
    /// `diff(E, x)`
    Slope,
}

/// All functions, and how each is written.
pub(crate) const FUNCTIONS: [(&str, FunctionKind, &str); 43] = [
    ("sin", FunctionKind::Number, "sin(a)"),
    ("cos", FunctionKind::Number, "cos(a)"),
    ("tan", FunctionKind::Number, "tan(a)"),
    ("asin", FunctionKind::Number, "asin(a)"),
    ("acos", FunctionKind::Number, "acos(a)"),
    ("atan", FunctionKind::Number, "atan(a)"),
    ("atan2", FunctionKind::Angle, "atan2(y, x)"),
    ("sinh", FunctionKind::Number, "sinh(a)"),
    ("cosh", FunctionKind::Number, "cosh(a)"),
    ("tanh", FunctionKind::Number, "tanh(a)"),
    ("exp", FunctionKind::Number, "exp(a)"),
    ("log", FunctionKind::Number, "log(a)"),
    ("sqrt", FunctionKind::Root(2), "sqrt(a)"),
    ("cbrt", FunctionKind::Root(3), "cbrt(a)"),
    ("abs", FunctionKind::Same, "abs(a)"),
    ("sign", FunctionKind::Sign, "sign(a)"),
    ("min", FunctionKind::Choice, "min(a, b)"),
    ("max", FunctionKind::Choice, "max(a, b)"),
    ("if", FunctionKind::If, "if(a < b, p, q)"),
    ("sum", FunctionKind::Sum, "sum(a[i] for i in 1..n)"),
    ("integral", FunctionKind::Integral, "integral(f(s), s, a, b)"),
    ("dot", FunctionKind::Dot, "dot(v, w)"),
    ("cross", FunctionKind::Cross, "cross(v, w)"),
    ("norm", FunctionKind::Norm, "norm(v)"),
    ("unit", FunctionKind::Direction, "unit(v)"),
    ("velocity", FunctionKind::Velocity, "velocity(P)` or `velocity(D at P)"),
    ("acceleration", FunctionKind::Acceleration, "acceleration(P)"),
    ("omega", FunctionKind::Omega, "omega(D)"),
    ("multiplier", FunctionKind::Multiplier, "multiplier(c)"),
    ("reaction", FunctionKind::Reaction, "reaction(c)` or `reaction(c, P)"),
    ("reaction_torque", FunctionKind::ReactionTorque, "reaction_torque(J)"),
    ("energy", FunctionKind::Energy, "energy()"),
    ("momentum", FunctionKind::Momentum, "momentum()"),
    ("angular_momentum", FunctionKind::AngularMomentum, "angular_momentum(P)"),
    ("kinetic", FunctionKind::OfSystem(ENERGY), "kinetic()"),
    ("potential", FunctionKind::OfSystem(ENERGY), "potential()"),
    ("lagrangian", FunctionKind::OfSystem(ENERGY), "lagrangian()"),
    ("acceleration_energy", FunctionKind::OfSystem([2, 1, -4]), "acceleration_energy()"),
    ("reduced", FunctionKind::Seen, "reduced(E)"),
    ("free", FunctionKind::Seen, "free(E)"),
    ("force", FunctionKind::GeneralizedForce, "force(x)"),
    ("generalized_momentum", FunctionKind::GeneralizedMomentum, "generalized_momentum(x)"),
    ("diff", FunctionKind::Slope, "diff(E, x)"),
];

/// From here on the functions are operators of facts; a model may use their names as its own.
const FIRST_OPERATOR: &str = "kinetic";

/// Functions of other languages, and ours.
pub(crate) const FOREIGN_FUNCTIONS: [(&str, &str); 17] = [
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan", "atan"),
    ("tg", "tan"),
    ("ln", "log"),
    ("cot", "1/tan"),
    ("ctg", "1/tan"),
    ("sec", "1/cos"),
    ("csc", "1/sin"),
    ("sgn", "sign"),
    ("pow", "a^b"),
    ("sqr", "a^2"),
    ("length", "norm"),
    ("mag", "norm"),
    ("vel", "velocity"),
    ("acc", "acceleration"),
    ("der", "a time derivative with a prime, as in `x'`"),
];

/// The function of this name.
pub(crate) fn function(name: &str) -> Option<(FunctionKind, &'static str)> {
    FUNCTIONS.iter().find(|row| row.0 == name).map(|row| (row.1, row.2))
}

/// The names of all functions.
pub(crate) fn function_names<'a>() -> impl Iterator<Item = &'a str> {
    FUNCTIONS.iter().map(|row| row.0)
}

/// What a name that cannot be declared already means.
pub(crate) fn taken(name: &str) -> Option<&'static str> {
    match name {
        "N" => Some("the inertial frame"),
        "t" => Some("the time"),
        "pi" => Some("the number 3.14…"),
        _ => function(name).filter(|_| !is_operator(name)).map(|_| "a function"),
    }
}

/// Whether a function is an operator of facts: then a function of the model may have its name.
pub(crate) fn is_operator(name: &str) -> bool {
    function_names().skip_while(|&one| one != FIRST_OPERATOR).any(|one| one == name)
}
