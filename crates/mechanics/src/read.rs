//! What does an expression of a model mean in a system? Trees become scalars and vectors.
//!
//! ```text
//! 3 kN → 3000      30 deg → π/6      B*(a, b, c) → along N      P → its position      u → its definition
//! velocity(D at P) = v_C + ω × (r_P − r_C)
//! ```
//!
//! What only a motion knows, `multiplier(c)` and the like, is asked of a [`Motion`]; without one the
//! tree is kept for later. Anything wrong is a message with its place, never a panic.

mod operators;

pub use operators::{Operator, Variable};

use std::sync::Arc;

use expr::{Comparison, Expr, MathError, Op, Rational};
use syntax::{Arguments, Axis, Diagnostic, Node, NodeKind, Range, Scale, Sign, Span, nearest};

use crate::displacement::{Displacements, Named};
use crate::{Equation, Frame, Relation, System, Target, Term, Vector};

/// What is said where only a motion knows.
pub const NEEDS_MOTION: &str = "this is known only while the system moves";

/// What a motion knows and a system does not. A method answers `None` where it does not know either.
pub trait Motion {
    /// The multiplier of a constraint: a vector if its sides are vectors.
    fn multiplier(&self, constraint: &str) -> Option<Term>;
    /// The reaction of a constraint or contact: on everything, or on a point or body; or why that does not follow.
    fn reaction(&self, constraint: &str, on: Option<Target>) -> Option<Result<Vector, String>>;
    /// The torque of a joint about its point; or why that does not follow.
    fn reaction_torque(&self, _joint: &str) -> Option<Result<Vector, String>> {
        None
    }
    /// What was read, if it is determined; or why not. Rows that share a load are determined only together.
    fn settled(&self, e: Expr) -> Result<Expr, String> {
        Ok(e)
    }
    /// The energy.
    fn energy(&self) -> Option<Expr>;
    /// The momentum, or why it is not known.
    fn momentum(&self) -> Option<Result<Vector, String>>;
    /// The angular momentum about a point, or why it is not known.
    fn angular_momentum(&self, about: Vector) -> Option<Result<Vector, String>>;
    /// An operator on the system, or why it has no value; `None` where it is not known.
    fn operator(&self, _asked: Operator) -> Option<Result<Expr, String>> {
        None
    }
    /// Whether constraints limit the motion.
    fn is_constrained(&self) -> bool {
        false
    }
}

/// What a speed in an expression becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Speeds {
    /// Its definition in coordinates and rates.
    #[default]
    Defined,
    /// Its symbol.
    Symbols,
}

/// How an expression is to be read.
#[derive(Clone, Copy, Default)]
pub struct Reading<'a> {
    /// What a speed becomes; abbreviations that contain one keep its definition.
    pub speeds: Speeds,
    /// Who knows reactions and energies.
    pub motion: Option<&'a dyn Motion>,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    /// A scalar: an abbreviation, an output, an input, an unknown.
    Scalar(Expr),
    Vector(Vector),
    /// An output that needs a motion.
    Deferred(Arc<Node>),
    /// A `let` with arguments.
    Function(Arc<Function>),
    /// A function of which only the arguments are known: how many.
    Unspecified(usize),
    Parameter(usize),
    Coordinate(usize),
    Speed(usize),
    State(usize),
    Frame(usize),
    Point(usize),
    Body(usize),
    /// Its line was wrong, and that was told.
    Broken,
}

/// A `let` with arguments.
#[derive(Debug)]
pub(crate) struct Function {
    pub arguments: Vec<String>,
    pub body: Node,
}

/// Functions may call each other this deep, and a derivative may be taken this often.
const DEEPEST: usize = 64;
/// A sum has at most so many terms.
const MOST_TERMS: usize = 1_000_000;

/// What a part of an expression is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Scalar(Expr),
    Vector(Vector),
    Frame(usize),
    Body(usize),
}

/// Why there is no value.
pub(crate) enum Stop {
    /// This is wrong.
    Wrong(Box<Diagnostic>),
    /// It was told already.
    Told,
    /// Only a motion knows.
    NeedsMotion(Span),
}

type Read<T> = Result<T, Stop>;

impl System {
    /// Reads an expression of the model's language into this system.
    ///
    /// Without a motion, an expression that needs one comes back as [`Term::Deferred`].
    pub fn read(&self, tree: &Node, reading: Reading<'_>) -> Result<Term, Diagnostic> {
        let mut reader = Reader::new(self, reading);
        match reader.value(tree).and_then(|value| reader.quantity(value, tree.span)) {
            Ok(term) => settled(term, reading).map_err(|reason| Diagnostic::error(tree.span, reason)),
            Err(Stop::NeedsMotion(_)) if reading.motion.is_none() => Ok(Term::Deferred(Arc::new(tree.clone()))),
            Err(stop) => Err(stop.told(tree.span)),
        }
    }
}

impl System {
    /// Reads a relation; 0 beside a vector is the zero vector.
    pub fn relation(&self, tree: &syntax::Relation, reading: Reading<'_>) -> Result<Relation, Diagnostic> {
        let sides = [&tree.left, &tree.right].map(|side| self.read(side, reading));
        let [left, right] = sides;
        self.joined(left?, right?, tree).map_err(|stop| stop.told(tree.span))
    }

    /// Reads an equation of a state, such as `x' = 2` or `omega(D) = R*(0, 1, 0)`: one, or three for vectors.
    pub fn equations(&self, tree: &syntax::Relation) -> Result<Vec<Equation>, Diagnostic> {
        self.state_equations(tree).map_err(|stop| stop.told(tree.span))
    }

    pub(crate) fn term(&self, node: &Node) -> Read<Term> {
        let mut reader = Reader::new(self, Reading::default());
        match reader.value(node).and_then(|value| reader.quantity(value, node.span)) {
            Err(Stop::NeedsMotion(_)) => Ok(Term::Deferred(Arc::new(node.clone()))),
            result => result,
        }
    }

    pub(crate) fn related(&self, tree: &syntax::Relation) -> Read<Relation> {
        self.joined(self.term(&tree.left)?, self.term(&tree.right)?, tree)
    }

    fn joined(&self, left: Term, right: Term, tree: &syntax::Relation) -> Read<Relation> {
        let zero = |span| wrong(span, "a vector is needed here");
        let (left, right) = match (left, right) {
            (Term::Scalar(left), Term::Vector(_)) if left != Expr::zero() => return Err(zero(tree.left.span)),
            (Term::Vector(_), Term::Scalar(right)) if right != Expr::zero() => return Err(zero(tree.right.span)),
            (Term::Scalar(_), right @ Term::Vector(_)) => (Term::Vector(Vector::zero()), right),
            (left @ Term::Vector(_), Term::Scalar(_)) => (left, Term::Vector(Vector::zero())),
            sides => sides,
        };
        Ok(Relation { left, comparison: tree.comparison, right, tree: Arc::new(tree.clone()) })
    }

    /// The sides of a relation that needs no motion, component by component.
    pub(crate) fn sides(&self, tree: &syntax::Relation) -> Read<Vec<(Option<Axis>, Expr, Expr)>> {
        self.components(self.related(tree)?)
    }

    fn components(&self, relation: Relation) -> Read<Vec<(Option<Axis>, Expr, Expr)>> {
        let Relation { left, right, tree, .. } = relation;
        match (left, right) {
            (Term::Scalar(left), Term::Scalar(right)) => Ok(vec![(None, left, right)]),
            (Term::Vector(left), Term::Vector(right)) => {
                let component = |axis| (Some(axis), left.component(axis), right.component(axis));
                Ok([Axis::X, Axis::Y, Axis::Z].map(component).to_vec())
            }
            _ => Err(wrong(tree.span, "this is known only while the system moves")),
        }
    }

    /// The sides of a relation in which everything that is named has a displacement of its own.
    pub(crate) fn displaced(
        &self,
        tree: &syntax::Relation,
        displaced: &mut Displacements,
    ) -> Result<Vec<(Option<Axis>, Expr, Expr)>, String> {
        let mut reader = Reader::new(self, Reading::default());
        reader.displaced = Some(std::mem::take(displaced));
        let mut side = |node: &Node| {
            let value = reader.value(node)?;
            reader.quantity(value, node.span)
        };
        let sides = side(&tree.left).and_then(|left| Ok((left, side(&tree.right)?)));
        let sides = sides.and_then(|(left, right)| self.components(self.joined(left, right, tree)?));
        *displaced = reader.displaced.unwrap_or_default();
        sides.map_err(|stop| stop.told(tree.span).message)
    }

    pub(crate) fn state_equations(&self, tree: &syntax::Relation) -> Read<Vec<Equation>> {
        let text = syntax::format_relation(tree);
        let sides = self.sides(tree)?;
        if sides.iter().any(|(_, left, right)| has_acceleration(*left) || has_acceleration(*right)) {
            let error = Diagnostic::error(tree.span, "the first state has coordinates and rates, no accelerations");
            let error = error.hint("accelerations follow from the equations of motion; leave this out");
            return Err(Stop::Wrong(Box::new(error)));
        }
        let equation = |(axis, left, right)| Equation { left, right, axis, text: text.clone(), span: tree.span };
        Ok(sides.into_iter().map(equation).collect())
    }

    /// A guess of an acceleration, by the state: `x'' = …`.
    pub(crate) fn acceleration_guess(&self, tree: &syntax::Relation) -> Read<Option<Equation>> {
        let sides = self.sides(tree)?;
        let [(axis, left, right)] = sides[..] else { return Ok(None) };
        let is_guess = self.q_ddot().contains(&left) && !has_acceleration(right);
        let text = syntax::format_relation(tree);
        Ok(is_guess.then_some(Equation { left, right, axis, text, span: tree.span }))
    }
}

/// What was read, if the motion determines it.
fn settled(term: Term, reading: Reading<'_>) -> Result<Term, String> {
    let Some(motion) = reading.motion else { return Ok(term) };
    Ok(match term {
        Term::Scalar(scalar) => Term::Scalar(motion.settled(scalar)?),
        Term::Vector(vector) => Term::Vector(vector.try_map(|component| motion.settled(component))?),
        deferred => deferred,
    })
}

fn has_acceleration(e: Expr) -> bool {
    let is_acceleration = |symbol: &Expr| symbol.as_symbol().is_some_and(|symbol| symbol.order >= 2);
    e.symbols().iter().any(is_acceleration)
}

impl Stop {
    /// As a message, for somebody who reads one expression.
    pub(crate) fn told(self, span: Span) -> Diagnostic {
        match self {
            Stop::Wrong(diagnostic) => *diagnostic,
            Stop::Told => Diagnostic::error(span, "this has no value"),
            Stop::NeedsMotion(span) => Diagnostic::error(span, NEEDS_MOTION),
        }
    }
}

/// Reads trees in a system.
pub(crate) struct Reader<'a> {
    system: &'a System,
    reading: Reading<'a>,
    locals: Vec<(String, Value)>,
    depth: usize,
    /// The displacements of what is named, if it is to be displaced.
    displaced: Option<Displacements>,
    /// What is differentiated: a rate in it is the one that constraints admit.
    slope: Option<Admitted>,
}

/// What becomes of rates in an expression that is differentiated.
#[derive(Clone, Copy, Default)]
struct Admitted {
    /// Whether constraints were put into it.
    is_reduced: bool,
}

/// Puts a place to an error of the kernel.
pub(crate) fn at(span: Span) -> impl Fn(MathError) -> Stop {
    move |error| wrong(span, error.to_string())
}

pub(crate) fn wrong(span: Span, message: impl Into<String>) -> Stop {
    Stop::Wrong(Box::new(Diagnostic::error(span, message)))
}

impl<'a> Reader<'a> {
    pub fn new(system: &'a System, reading: Reading<'a>) -> Reader<'a> {
        Reader { system, reading, locals: Vec::new(), depth: 0, displaced: None, slope: None }
    }

    pub fn scalar(&mut self, node: &Node) -> Read<Expr> {
        match self.value(node)? {
            Value::Scalar(scalar) => Ok(scalar),
            _ => Err(wrong(node.span, "a scalar is needed here")),
        }
    }

    pub fn vector(&mut self, node: &Node) -> Read<Vector> {
        let value = self.value(node)?;
        self.as_vector(value, node.span)
    }

    /// A scalar or a vector.
    pub fn quantity(&self, value: Value, span: Span) -> Read<Term> {
        match value {
            Value::Scalar(scalar) => Ok(Term::Scalar(scalar)),
            Value::Vector(vector) => Ok(Term::Vector(vector)),
            Value::Frame(_) | Value::Body(_) => Err(wrong(span, "a scalar or a vector is needed here")),
        }
    }

    /// The literal 0 is also the zero vector.
    fn as_vector(&self, value: Value, span: Span) -> Read<Vector> {
        match value {
            Value::Vector(vector) => Ok(vector),
            Value::Scalar(zero) if zero == Expr::zero() => Ok(Vector::zero()),
            _ => Err(wrong(span, "a vector is needed here")),
        }
    }

    pub fn value(&mut self, node: &Node) -> Read<Value> {
        match &node.kind {
            NodeKind::Number { text, unit } => self.number(node.span, text, unit.as_ref()),
            NodeKind::Name { .. } => match self.named(node)? {
                Value::Body(place) => {
                    Ok(Value::Vector(self.system.bodies[place].centre + self.moved(Named::Centre(place))))
                }
                value => Ok(value),
            },
            NodeKind::Tuple(entries) => self.tuple(node.span, entries),
            NodeKind::Call { name, arguments } => self.call(node, name, arguments),
            NodeKind::Prime { of, order } => self.prime(of, *order, node.span),
            NodeKind::Component { of, axis } => match self.value(of)? {
                Value::Frame(frame) => {
                    let unit = self.system.frames[frame].in_inertial.axes[crate::vector::place(*axis)];
                    Ok(Value::Vector(self.turned(frame, unit)))
                }
                value => Ok(Value::Scalar(self.as_vector(value, of.span)?.component(*axis))),
            },
            NodeKind::Power { base, exponent } => {
                let (base, exponent) = (self.scalar(base)?, self.rational(exponent)?);
                base.try_pow(&exponent).map(Value::Scalar).map_err(at(node.span))
            }
            NodeKind::Signed { sign, of } => {
                let value = self.value(of)?;
                self.signed(*sign, value, of.span)
            }
            NodeKind::Product(factors) => self.product(node.span, factors),
            NodeKind::Sum(terms) => self.sum(node.span, terms),
        }
    }

    /// What a name stands for: a body is itself, where it could be its mass centre.
    fn named(&mut self, node: &Node) -> Read<Value> {
        match &node.kind {
            NodeKind::Name { name, index: None } => self.name(name, node.span),
            NodeKind::Name { name, index: Some(index) } => {
                let element = format!("{name}[{}]", self.integer(index)?);
                self.name(&element, node.span)
            }
            _ => self.value(node),
        }
    }

    fn number(&self, span: Span, text: &str, unit: Option<&syntax::Unit>) -> Read<Value> {
        let bad = |error: expr::number::NumberError| wrong(span, error.to_string());
        let number = Rational::parse_decimal(text).map_err(bad)?;
        let Some(unit) = unit else {
            return Ok(Value::Scalar(Expr::number(number)));
        };
        let factor = model::factor(unit).map_err(bad)?;
        let mut value = Expr::number(&number * &factor.rational);
        value *= expr::pi().try_pow(&factor.pi).map_err(at(span))?;
        for (base, exponent) in factor.roots {
            value *= Expr::number(base).try_pow(&exponent).map_err(at(span))?;
        }
        Ok(Value::Scalar(value))
    }

    fn name(&mut self, name: &str, span: Span) -> Read<Value> {
        if let Some((_, value)) = self.locals.iter().rev().find(|(local, _)| local == name) {
            return Ok(*value);
        }
        match name {
            "t" => return Ok(Value::Scalar(self.system.time)),
            "pi" => return Ok(Value::Scalar(expr::pi())),
            "N" => return Ok(Value::Frame(0)),
            _ => {}
        }
        if let Some(tree) = self.system.texts.get(name).filter(|_| self.displaced.is_some()) {
            return self.apart(&Arc::clone(tree), span);
        }
        match self.system.names.get(name) {
            None => Err(self.unknown(name, span)),
            Some(Entry::Scalar(scalar)) => Ok(Value::Scalar(*scalar)),
            Some(Entry::Vector(vector)) => Ok(Value::Vector(*vector)),
            Some(Entry::Parameter(place)) => Ok(Value::Scalar(self.system.parameters[*place].symbol)),
            Some(Entry::Coordinate(place)) => {
                let moved = self.moved(Named::Coordinate(*place)).0[0];
                Ok(Value::Scalar(self.system.coordinates[*place].q + moved))
            }
            Some(Entry::Speed(place)) => {
                let speed = &self.system.speeds[*place];
                Ok(Value::Scalar(match self.reading.speeds {
                    Speeds::Defined => speed.definition,
                    Speeds::Symbols => speed.symbol,
                }))
            }
            Some(Entry::State(place)) => Ok(Value::Scalar(self.system.states[*place].symbol)),
            Some(Entry::Frame(place)) => Ok(Value::Frame(*place)),
            Some(Entry::Point(place)) => {
                Ok(Value::Vector(self.system.points[*place].position + self.moved(Named::Point(*place))))
            }
            Some(Entry::Body(place)) => Ok(Value::Body(*place)),
            Some(Entry::Deferred(_)) if self.reading.motion.is_none() => Err(Stop::NeedsMotion(span)),
            Some(Entry::Deferred(tree)) => self.apart(&Arc::clone(tree), span),
            Some(Entry::Function(_) | Entry::Unspecified(_)) => Err(wrong(span, format!("`{name}` takes arguments"))),
            Some(Entry::Broken) => Err(Stop::Told),
        }
    }

    /// The value of a text that knows nothing of the arguments here.
    fn apart(&mut self, tree: &Node, span: Span) -> Read<Value> {
        let outer = std::mem::take(&mut self.locals);
        let value = self.deeper(span, |reader| reader.value(tree));
        self.locals = outer;
        value
    }

    /// The displacement of what is named here; zero where nothing is displaced.
    fn moved(&mut self, what: Named) -> Vector {
        self.displaced.as_mut().map_or_else(Vector::zero, |displaced| displaced.of(what))
    }

    /// A vector that is fixed in a frame, turned with it.
    fn turned(&mut self, frame: usize, vector: Vector) -> Vector {
        match frame == 0 || self.displaced.is_none() {
            true => vector,
            false => vector + self.moved(Named::Frame(frame)).cross(vector),
        }
    }

    /// The angular velocity of a frame, or of a body.
    fn omega(&mut self, frame: usize, what: Named, span: Span) -> Read<Value> {
        let omega = self.system.frames[frame].omega;
        if frame == 0 || self.displaced.is_none() {
            return Ok(Value::Vector(omega));
        }
        Ok(Value::Vector(omega + self.moved(what).rate().map_err(at(span))?))
    }

    fn unknown(&self, name: &str, span: Span) -> Stop {
        let error = Diagnostic::error(span, format!("this model does not declare `{name}`"));
        let near = nearest(name, self.system.names.keys().map(String::as_str));
        Stop::Wrong(Box::new(match near {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error,
        }))
    }

    fn deeper<T>(&mut self, span: Span, work: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= DEEPEST {
            return Err(wrong(span, "abbreviations call each other too deep"));
        }
        self.depth += 1;
        let result = work(self);
        self.depth -= 1;
        result
    }

    /// A number that must be known when the file is read.
    fn rational(&mut self, node: &Node) -> Read<Rational> {
        let value = self.scalar(node)?;
        if let Some(number) = value.as_number() {
            return Ok(number);
        }
        let known = self.system.parameter_values();
        let value = known.apply_one(value).map_err(at(node.span))?;
        value.as_number().ok_or_else(|| wrong(node.span, "a rational number is needed here"))
    }

    fn integer(&mut self, node: &Node) -> Read<i64> {
        let number = self.rational(node)?;
        number.to_i64().ok_or_else(|| wrong(node.span, "an index is an integer"))
    }

    fn tuple(&mut self, span: Span, entries: &[Node]) -> Read<Value> {
        if entries.len() > 3 {
            return Err(wrong(span, "a vector has two or three components"));
        }
        let mut components = [Expr::zero(); 3];
        for (component, entry) in components.iter_mut().zip(entries) {
            *component = self.scalar(entry)?;
        }
        Ok(Value::Vector(Vector(components)))
    }

    fn prime(&mut self, of: &Node, order: u32, span: Span) -> Read<Value> {
        if order as usize > DEEPEST {
            return Err(wrong(span, format!("more than {DEEPEST} time derivatives")));
        }
        let mut value = self.value(of)?;
        self.refuse_lawless(value, span)?;
        let is_free = self.is_free(of, value);
        for _ in 0..order {
            value = match value {
                Value::Scalar(scalar) => Value::Scalar(self.rate(scalar).map_err(at(span))?),
                Value::Vector(vector) => {
                    let [x, y, z] = vector.0.map(|part| self.rate(part).map_err(at(span)));
                    Value::Vector(Vector([x?, y?, z?]))
                }
                _ => return Err(wrong(span, "only scalars and vectors have a time derivative")),
            };
        }
        match self.slope.is_some() && !is_free {
            true => self.admitted(value, span),
            false => Ok(value),
        }
    }

    /// The rate of a state is known from the line of its law on.
    fn refuse_lawless(&self, value: Value, span: Span) -> Read<()> {
        if self.system.states.is_empty() {
            return Ok(());
        }
        let symbols = match value {
            Value::Scalar(scalar) => scalar.symbols(),
            Value::Vector(vector) => vector.0.iter().flat_map(|part| part.symbols()).collect(),
            _ => Vec::new(),
        };
        match self.system.states.iter().find(|state| state.is_lawless() && symbols.contains(&state.symbol)) {
            Some(state) => {
                let error = Diagnostic::error(span, format!("the rate of `{}` is not known yet", state.name));
                let hint = format!("put the line `rate {}' = …` above this one", state.name);
                Err(Stop::Wrong(Box::new(error.hint(hint))))
            }
            None => Ok(()),
        }
    }

    /// The time derivative. An unknown may change with time as it likes: its derivatives are unknowns too.
    fn rate(&self, scalar: Expr) -> Result<Expr, MathError> {
        let mut rate = self.system.time_derivative(scalar)?;
        if self.system.unknowns.is_empty() {
            return Ok(rate);
        }
        for symbol in scalar.symbols() {
            let name = symbol.as_symbol().map(|one| one.name).unwrap_or_default();
            let bare = name.trim_end_matches('\'');
            if let Some(unknown) = self.system.unknowns.iter().find(|unknown| unknown.name == bare) {
                rate += expr::derivative(scalar, symbol)? * unknown.rate(name.len() - bare.len() + 1);
            }
        }
        Ok(rate)
    }

    fn signed(&self, sign: Sign, value: Value, span: Span) -> Read<Value> {
        match (sign, value) {
            (_, Value::Frame(_) | Value::Body(_)) => Err(wrong(span, "a scalar or a vector is needed here")),
            (Sign::Plus, value) => Ok(value),
            (Sign::Minus, Value::Scalar(scalar)) => Ok(Value::Scalar(-scalar)),
            (Sign::Minus, Value::Vector(vector)) => Ok(Value::Vector(-vector)),
        }
    }

    fn sum(&mut self, span: Span, terms: &[(Sign, Node)]) -> Read<Value> {
        let mut values = Vec::with_capacity(terms.len());
        for (sign, term) in terms {
            let value = self.value(term)?;
            values.push(self.signed(*sign, value, term.span)?);
        }
        self.total(span, &values)
    }

    /// The sum of scalars, or of vectors.
    fn total(&self, span: Span, values: &[Value]) -> Read<Value> {
        let scalar = |value: &Value| match value {
            Value::Scalar(scalar) => Some(*scalar),
            _ => None,
        };
        if let Some(scalars) = values.iter().map(scalar).collect::<Option<Vec<_>>>() {
            return Ok(Value::Scalar(Expr::sum(&scalars)));
        }
        let vectors = values.iter().map(|value| self.as_vector(*value, span)).collect::<Read<Vec<_>>>()?;
        Ok(Value::Vector(Vector::sum(&vectors)))
    }

    fn product(&mut self, span: Span, factors: &[(Scale, Node)]) -> Read<Value> {
        let mut scalars = Vec::with_capacity(factors.len());
        let mut frame = None;
        let mut vector = None;
        for (scale, factor) in factors {
            match (self.value(factor)?, scale) {
                (Value::Scalar(scalar), Scale::Times) => scalars.push(scalar),
                (Value::Scalar(scalar), Scale::Over) => {
                    scalars.push(Expr::one().try_div(scalar).map_err(at(factor.span))?);
                }
                (Value::Vector(value), Scale::Times) if vector.is_none() => vector = Some(value),
                (Value::Frame(place), Scale::Times) if frame.is_none() && vector.is_none() => frame = Some(place),
                _ => return Err(wrong(factor.span, "this factor cannot stand here")),
            }
        }
        let zero = || scalars.contains(&Expr::zero()).then(Vector::zero);
        let vector = match frame {
            Some(place) => {
                let components = vector.or_else(zero).ok_or_else(|| wrong(span, "a frame multiplies a vector"))?;
                let system: &System = self.system;
                let frame: &Frame = &system.frames[place];
                Some(self.turned(place, frame.vector(components)))
            }
            None => vector,
        };
        Ok(match (vector, scalars.is_empty()) {
            (None, _) => Value::Scalar(Expr::product(&scalars)),
            (Some(vector), true) => Value::Vector(vector),
            (Some(vector), false) => Value::Vector(vector * Expr::product(&scalars)),
        })
    }

    // ---- calls

    fn call(&mut self, node: &Node, name: &str, arguments: &Arguments) -> Read<Value> {
        match (name, arguments) {
            ("if", Arguments::Choice { when, then, otherwise }) => self.choice(when, then, otherwise),
            ("sum", Arguments::For { what, ranges }) => {
                let mut terms = Vec::new();
                self.run(what, ranges, &mut terms)?;
                self.total(node.span, &terms)
            }
            ("velocity", Arguments::At { what, place }) => self.velocity_of_body(what, place),
            (_, Arguments::List(list)) => self.function(node, name, list),
            _ => Err(wrong(node.span, format!("`{name}` does not take these arguments"))),
        }
    }

    fn choice(&mut self, when: &syntax::Relation, then: &Node, otherwise: &Node) -> Read<Value> {
        let (left, right) = (self.scalar(&when.left)?, self.scalar(&when.right)?);
        let (p, q) = (self.value(then)?, self.value(otherwise)?);
        let (op, d, p, q) = match when.comparison {
            Comparison::Less => (Op::IfNegative, left - right, p, q),
            Comparison::Greater => (Op::IfNegative, right - left, p, q),
            Comparison::AtMost => (Op::IfNegative, right - left, q, p),
            Comparison::AtLeast => (Op::IfNegative, left - right, q, p),
            Comparison::Equal => (Op::IfZero, left - right, p, q),
            Comparison::NotEqual => (Op::IfZero, left - right, q, p),
        };
        let choose = |p: Expr, q: Expr| Expr::apply(op, &[d, p, q]).map_err(at(when.span));
        if let (Value::Scalar(p), Value::Scalar(q)) = (p, q) {
            return choose(p, q).map(Value::Scalar);
        }
        let (p, q) = (self.as_vector(p, then.span)?, self.as_vector(q, otherwise.span)?);
        let [x, y, z] = [0, 1, 2].map(|i| choose(p.0[i], q.0[i]));
        Ok(Value::Vector(Vector([x?, y?, z?])))
    }

    fn run(&mut self, what: &Node, ranges: &[Range], terms: &mut Vec<Value>) -> Read<()> {
        let [range, inner @ ..] = ranges else {
            terms.push(self.value(what)?);
            return Ok(());
        };
        for value in self.integer(&range.from)?..=self.integer(&range.to)? {
            if terms.len() >= MOST_TERMS {
                return Err(wrong(range.span, format!("this sum has more than {MOST_TERMS} terms")));
            }
            self.locals.push((range.index.clone(), Value::Scalar(value.into())));
            let done = self.run(what, inner, terms);
            self.locals.pop();
            done?;
        }
        Ok(())
    }

    /// The velocity of the material point of a body that is at a place.
    fn velocity_of_body(&mut self, what: &Node, place: &Node) -> Read<Value> {
        let Value::Body(of) = self.named(what)? else {
            return Err(wrong(what.span, "`velocity(D at P)` takes a body"));
        };
        let system = self.system;
        let body = &system.bodies[of];
        let omega = system.frames[body.frame].omega;
        let there = self.vector(place)?;
        let velocity = body.centre.rate().map_err(at(what.span))? + omega.cross(there - body.centre);
        let Some(displaced) = &mut self.displaced else { return Ok(Value::Vector(velocity)) };
        let still = displaced.at_rest(&there.0).map_err(at(place.span))?;
        let material = Named::Material { body: of, place: Vector([still[0], still[1], still[2]]) };
        let moved = displaced.of(material).rate().map_err(at(place.span))?;
        Ok(Value::Vector(velocity + moved))
    }

    fn function(&mut self, node: &Node, name: &str, list: &[Node]) -> Read<Value> {
        match (name, list) {
            ("min" | "max", [first, rest @ ..]) if !rest.is_empty() => {
                let op = if name == "min" { Op::Min } else { Op::Max };
                let mut value = self.scalar(first)?;
                for other in rest {
                    value = Expr::apply(op, &[value, self.scalar(other)?]).map_err(at(node.span))?;
                }
                Ok(Value::Scalar(value))
            }
            ("integral", [of, Node { kind: NodeKind::Name { name, index: None }, .. }, from, to]) => {
                let (from, to) = (self.scalar(from)?, self.scalar(to)?);
                let variable = expr::parameter(&format!("#{name}"));
                self.locals.push((name.clone(), Value::Scalar(variable)));
                let of = self.scalar(of);
                self.locals.pop();
                expr::integral(of?, variable, from, to).map(Value::Scalar).map_err(at(node.span))
            }
            ("dot", [a, b]) => Ok(Value::Scalar(self.vector(a)?.dot(self.vector(b)?))),
            ("cross", [a, b]) => Ok(Value::Vector(self.vector(a)?.cross(self.vector(b)?))),
            ("norm", [a]) => self.vector(a)?.norm().map(Value::Scalar).map_err(at(node.span)),
            ("unit", [a]) => self.vector(a)?.unit().map(Value::Vector).map_err(at(node.span)),
            ("velocity", [point]) => self.vector(point)?.rate().map(Value::Vector).map_err(at(node.span)),
            ("acceleration", [point]) => {
                let velocity = self.vector(point)?.rate().map_err(at(node.span))?;
                velocity.rate().map(Value::Vector).map_err(at(node.span))
            }
            ("omega", [what]) => match self.named(what)? {
                Value::Frame(frame) => self.omega(frame, Named::Frame(frame), node.span),
                Value::Body(body) => self.omega(self.system.bodies[body].frame, Named::Body(body), node.span),
                _ => Err(wrong(what.span, "`omega` takes a body or a frame")),
            },
            ("sqrt", [a]) => {
                let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
                self.scalar(a)?.try_pow(&half).map(Value::Scalar).map_err(at(node.span))
            }
            ("multiplier" | "reaction" | "reaction_torque" | "energy" | "momentum" | "angular_momentum", _) => {
                self.of_motion(node.span, name, list)
            }
            _ if self.is_operator(name) => self.operator(node.span, name, list),
            _ => match expr::FUNCTIONS.iter().find(|row| row.0 == name && row.2 == list.len()) {
                Some((_, op, _)) => {
                    let arguments = list.iter().map(|argument| self.scalar(argument)).collect::<Read<Vec<_>>>()?;
                    Expr::apply(*op, &arguments).map(Value::Scalar).map_err(at(node.span))
                }
                None => self.own_function(node, name, list),
            },
        }
    }

    fn of_motion(&mut self, span: Span, name: &str, list: &[Node]) -> Read<Value> {
        let Some(motion) = self.reading.motion else {
            return Err(Stop::NeedsMotion(span));
        };
        let value = match (name, list) {
            ("energy", []) => motion.energy().map(Value::Scalar),
            ("momentum", []) => {
                let momentum = motion.momentum().transpose().map_err(|reason| wrong(span, reason))?;
                momentum.map(Value::Vector)
            }
            ("angular_momentum", [point]) => {
                let momentum = motion.angular_momentum(self.vector(point)?);
                momentum.transpose().map_err(|reason| wrong(span, reason))?.map(Value::Vector)
            }
            ("reaction", [label, on @ ..]) if on.len() < 2 => {
                let (label, on) = (self.label(label)?, on.first().map(|on| self.target(on)).transpose()?);
                let reaction = motion.reaction(&label, on).transpose().map_err(|reason| wrong(span, reason))?;
                reaction.map(Value::Vector)
            }
            ("reaction_torque", [label]) => {
                let torque = motion.reaction_torque(&self.label(label)?);
                torque.transpose().map_err(|reason| wrong(span, reason))?.map(Value::Vector)
            }
            ("multiplier", [label]) => match motion.multiplier(&self.label(label)?) {
                Some(Term::Scalar(scalar)) => Some(Value::Scalar(scalar)),
                Some(Term::Vector(vector)) => Some(Value::Vector(vector)),
                _ => None,
            },
            _ => return Err(wrong(span, format!("`{name}` does not take these arguments"))),
        };
        value.ok_or(Stop::NeedsMotion(span))
    }

    /// A point or a body by its name.
    fn target(&mut self, node: &Node) -> Read<Target> {
        let name = self.label(node)?;
        match self.system.names.get(&name) {
            Some(Entry::Point(place)) => Ok(Target::Point(*place)),
            Some(Entry::Body(place)) => Ok(Target::Body(*place)),
            _ => Err(wrong(node.span, "a reaction acts on a point or a body")),
        }
    }

    /// The name before the colon of a constraint.
    fn label(&mut self, node: &Node) -> Read<String> {
        match &node.kind {
            NodeKind::Name { name, index: None } => Ok(name.clone()),
            NodeKind::Name { name, index: Some(index) } => Ok(format!("{name}[{}]", self.integer(index)?)),
            _ => Err(wrong(node.span, "the name of a constraint is needed here")),
        }
    }

    fn own_function(&mut self, node: &Node, name: &str, list: &[Node]) -> Read<Value> {
        let function = match self.system.names.get(name) {
            Some(Entry::Function(function)) => Arc::clone(function),
            Some(Entry::Unspecified(count)) if *count == list.len() => {
                let arguments = list.iter().map(|argument| self.scalar(argument)).collect::<Read<Vec<_>>>()?;
                return Ok(Value::Scalar(expr::unspecified(name, &arguments)));
            }
            Some(Entry::Broken) => return Err(Stop::Told),
            _ => return Err(wrong(node.span, format!("there is no function `{name}` of {} arguments", list.len()))),
        };
        if function.arguments.len() != list.len() {
            return Err(wrong(node.span, format!("`{name}` takes {} arguments", function.arguments.len())));
        }
        let values = list.iter().map(|argument| self.value(argument)).collect::<Read<Vec<_>>>()?;
        let locals = function.arguments.iter().cloned().zip(values).collect();
        let outer = std::mem::replace(&mut self.locals, locals);
        let value = self.deeper(node.span, |reader| reader.value(&function.body));
        self.locals = outer;
        value.map_err(|stop| match stop {
            Stop::Wrong(inner) => {
                let error = Diagnostic::error(node.span, format!("in `{name}`: {}", inner.message));
                Stop::Wrong(Box::new(error.label(format!("`{name}` is called with these arguments"))))
            }
            stop => stop,
        })
    }
}
