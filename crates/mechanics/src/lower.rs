//! How does a model become a system? Line by line, element by element.
//!
//! ```text
//! Model → elaborate → lines ─ for each: read its expressions, add what it declares → System
//! ```
//!
//! A line that cannot be read is told, and what it declares is unknown from there on without
//! further complaint; so one run reports every error.

use std::rc::Rc;
use std::sync::Arc;

use expr::{Comparison, Expr, Kind, Op, Symbol};
use model::{Declaration, Dimension, Model, Name, Param, TurnAxis};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{Axis, Diagnostic, Node, NodeKind, Scale, Severity, Sign, Span};

use crate::contact::Touch;
use crate::read::{Entry, Function, Reader, Reading, Speeds, Stop, Value, at, wrong};
use crate::settle::Multipliers;
use crate::*;

/// The system that a model describes, or everything that is wrong with it.
///
/// Its symbols go by their names in the current scope, so each model needs a scope of its own.
pub fn lower(model: &Model) -> Result<System, Vec<Diagnostic>> {
    let model = model.elaborate()?;
    let mut lowering = Lowering::new(&model);
    for (place, line) in model.lines.iter().enumerate() {
        lowering.at_line = place;
        match lowering.line(&line.declaration, line.span) {
            Err(Stop::Wrong(diagnostic)) => lowering.errors.push(*diagnostic),
            Err(Stop::NeedsMotion(_)) if is_load(&line.declaration) => lowering.lawful.push(place),
            _ => {}
        }
    }
    if lowering.errors.is_empty() {
        lowering.refuse_lawless();
    }
    if lowering.errors.is_empty() {
        lowering.refuse_far_inputs();
    }
    if lowering.errors.is_empty() {
        lowering.settle_contacts();
        lowering.errors.extend(crate::friction::errors(&lowering.system));
    }
    if lowering.errors.is_empty() {
        lowering.read_lawful();
    }
    match lowering.errors.is_empty() {
        true => Ok(lowering.system),
        false => Err(lowering.errors),
    }
}

/// A component of an axis: 0, 1 or −1 where it is one, so that an axis that is fixed in a frame is seen to be.
fn settled(e: Expr) -> Expr {
    let plain = [Expr::zero(), Expr::one(), -Expr::one()].into_iter().find(|one| (e - *one).is_zero());
    plain.unwrap_or(e)
}

/// Whether a line is a load that may follow the reaction of a constraint.
fn is_load(declaration: &Declaration) -> bool {
    matches!(declaration, Declaration::Force(_) | Declaration::Torque(_) | Declaration::GeneralizedForce(_))
}

pub(crate) struct Lowering<'a> {
    pub system: System,
    model: &'a Model,
    errors: Vec<Diagnostic>,
    /// The place of the line that is read.
    at_line: usize,
    /// Lines of loads that name reactions: they are read when all constraints are known.
    lawful: Vec<usize>,
    /// What they know of reactions.
    multipliers: Option<Rc<Multipliers>>,
    /// Families of inputs that move something.
    moving: FxHashSet<String>,
}

pub(crate) type Done = Result<(), Stop>;

impl<'a> Lowering<'a> {
    fn new(model: &'a Model) -> Lowering<'a> {
        let system = System {
            title: String::new(),
            sources: Vec::new(),
            notes: Vec::new(),
            parameters: Vec::new(),
            time: expr::time(),
            coordinates: Vec::new(),
            speeds: Vec::new(),
            pseudo: Vec::new(),
            inverses: Vec::new(),
            dependent: Vec::new(),
            inputs: Vec::new(),
            states: Vec::new(),
            unknowns: Vec::new(),
            sought: Vec::new(),
            observes: Vec::new(),
            frames: vec![Frame::inertial()],
            points: Vec::new(),
            bodies: Vec::new(),
            loads: Vec::new(),
            laws: Vec::new(),
            constraints: Vec::new(),
            contacts: Vec::new(),
            joints: Vec::new(),
            drawings: Vec::new(),
            frictions: Vec::new(),
            restitutions: Vec::new(),
            assumptions: Vec::new(),
            start: Vec::new(),
            impulses: Vec::new(),
            guesses: Vec::new(),
            acceleration_guesses: Vec::new(),
            events: Vec::new(),
            statements: Vec::new(),
            remarks: Vec::new(),
            lines: Arc::new(model.lines.clone()),
            names: FxHashMap::from_iter([("N".to_owned(), Entry::Frame(0))]),
            texts: FxHashMap::default(),
        };
        Lowering {
            system,
            model,
            errors: Vec::new(),
            at_line: 0,
            lawful: Vec::new(),
            multipliers: None,
            moving: model.moving_inputs(),
        }
    }

    /// What each declaration adds to the system. Long: a table.
    fn line(&mut self, declaration: &Declaration, span: Span) -> Done {
        match declaration {
            Declaration::System(text) => self.system.title = text.texts.join(" "),
            Declaration::Source(text) => self.system.sources.push(text.texts.join("\n")),
            Declaration::Note(text) => self.system.notes.push(text.texts.join("\n")),
            Declaration::Param(param) => self.param(param),
            Declaration::Coord(coord) => coord.families.iter().for_each(|family| self.coord(&family.name, family.span)),
            Declaration::Speed(speed) => self.speed(&speed.name, &speed.value),
            Declaration::Inverse(inverse) => {
                let value = self.scalar_in_speeds(&inverse.value)?;
                let coordinate = self.coordinate(&inverse.rate)?;
                self.system.inverses.push(Inverse { coordinate, value, span });
            }
            Declaration::Dependent(dependent) => {
                for rate in &dependent.rates {
                    let coordinate = self.coordinate(rate)?;
                    self.system.dependent.push(Dependent { coordinate, span: rate.span });
                }
            }
            Declaration::Let(abbreviation) => self.abbreviation(abbreviation),
            Declaration::Function(function) => self.function(function),
            Declaration::Observe(definition) => {
                let name = definition.name.name.clone();
                let value = self.system.term(&definition.value);
                let value = self.declare(&name, value)?;
                let entry = match &value {
                    Term::Scalar(scalar) => Entry::Scalar(*scalar),
                    Term::Vector(vector) => Entry::Vector(*vector),
                    Term::Deferred(tree) => Entry::Deferred(Arc::clone(tree)),
                };
                self.system.names.insert(name.clone(), entry);
                self.system.texts.insert(name.clone(), Arc::new(definition.value.clone()));
                self.system.observes.push(Observe { name, value, span });
            }
            Declaration::Input(input) => {
                for one in &input.names {
                    let value = input.value.as_ref().map(|value| self.scalar(value)).transpose();
                    let name = one.name.clone();
                    let value = self.declare(&name, value)?;
                    self.input(name, value, one.span)?;
                }
            }
            Declaration::State(state) => state.names.iter().for_each(|name| self.state(name)),
            Declaration::Rate(rate) => self.law(rate)?,
            Declaration::Unknown(model::Unknown { function: Some(function), .. }) => {
                self.function(function);
                self.system.sought.push(function.name.name.clone());
            }
            Declaration::Unknown(unknown) => {
                for name in &unknown.names {
                    let (symbol, dimension) = (self.constant(&name.name), self.dimension(&name.name));
                    self.system.unknowns.push(Unknown { name: name.name.clone(), symbol, dimension, span: name.span });
                }
            }
            Declaration::Frame(frame) => self.frame(frame)?,
            Declaration::Point(point) => self.point(point)?,
            Declaration::Body(body) => self.body(body)?,
            Declaration::Use(_) | Declaration::Table(_) => {
                return Err(wrong(span, "what another file says stands in the place of this line"));
            }
            Declaration::Rod(_) => return Err(wrong(span, "a rod is read as its particles")),
            Declaration::Shape(drawing) => {
                let (at, frame) = (self.vector(&drawing.at)?, self.frame_named(&drawing.frame)?);
                let solid = self.solid(&drawing.shape)?;
                self.system.drawings.push(Drawing { name: drawing.label.name.clone(), solid, at, frame, span });
            }
            Declaration::Gravity(gravity) => {
                let gravity = self.vector(&gravity.value)?;
                self.load(LoadKind::Gravity(gravity), span);
            }
            Declaration::Potential(potential) => {
                let potential = self.scalar(&potential.value)?;
                self.load(LoadKind::Potential(potential), span);
            }
            Declaration::Kinetic(kinetic) => {
                let kinetic = self.scalar(&kinetic.value)?;
                self.load(LoadKind::Kinetic(kinetic), span);
            }
            Declaration::Dissipation(dissipation) => {
                let dissipation = self.scalar(&dissipation.value)?;
                self.load(LoadKind::Dissipation(dissipation), span);
            }
            Declaration::Force(force) => self.force(force, span)?,
            Declaration::Torque(torque) => {
                let along = self.along(&torque.value)?;
                let on = self.body_named(&torque.on)?;
                let against = torque.against.as_ref().map(|name| self.body_named(name)).transpose()?;
                self.load(LoadKind::Torque { along, on, against }, span);
            }
            Declaration::GeneralizedForce(force) => {
                let value = self.scalar(&force.value)?;
                let coordinate = self.coordinate(&force.on)?;
                self.load(LoadKind::Generalized { force: value, coordinate }, span);
            }
            Declaration::Spring(spring) => {
                let stiffness = self.scalar(&spring.stiffness)?;
                let rest = spring.rest.as_ref().map(|rest| self.scalar(rest)).transpose()?;
                let ends = [self.end(&spring.from)?, self.end(&spring.to)?];
                self.load(LoadKind::Spring { stiffness, rest: rest.unwrap_or_else(Expr::zero), ends }, span);
            }
            Declaration::Damper(damper) => {
                let coefficient = self.scalar(&damper.coefficient)?;
                let ends = [self.end(&damper.from)?, self.end(&damper.to)?];
                self.load(LoadKind::Damper { coefficient, ends }, span);
            }
            Declaration::Constraint(constraint) => self.constraint(constraint, span)?,
            Declaration::Joint(joint) => self.joint(joint, self.at_line, span)?,
            Declaration::Contact(contact) => self.contact(contact, span)?,
            Declaration::Friction(surface) => {
                let surface = self.surface(surface, span)?;
                self.system.frictions.push(surface);
            }
            Declaration::Restitution(surface) => {
                let surface = self.surface(surface, span)?;
                self.system.restitutions.push(surface);
            }
            Declaration::Assume(assume) => {
                let relation = self.system.related(&assume.relation)?;
                self.system.assumptions.push(relation);
            }
            Declaration::Stop(event) => self.event(event, true, span)?,
            Declaration::Record(event) => self.event(event, false, span)?,
            Declaration::Start(equations) => {
                if let Some(impulse) = &equations.impulse {
                    let (value, on) = (self.vector(&impulse.value)?, self.target(&impulse.on)?);
                    let at = impulse.at.as_ref().map(|at| self.vector(at)).transpose()?;
                    let at = at.unwrap_or_else(|| self.position(on));
                    self.system.impulses.push(Impulse { value, on, at, span });
                }
                for equation in &equations.equations {
                    self.refuse_rate_of_state(equation)?;
                    let equations = self.system.state_equations(equation)?;
                    self.system.start.extend(equations);
                }
            }
            Declaration::Guess(equations) => {
                for equation in &equations.equations {
                    if let Some(guess) = self.system.acceleration_guess(equation)? {
                        self.system.acceleration_guesses.push(guess);
                        continue;
                    }
                    let equations = self.system.state_equations(equation)?;
                    self.refuse_guess_of_state(equation, &equations)?;
                    self.system.guesses.extend(equations);
                }
            }
            Declaration::Expect(statement) => self.statement(statement, Role::Expect, span)?,
            Declaration::Claim(statement) => self.statement(statement, Role::Claim, span)?,
        }
        Ok(())
    }

    // ---- expressions

    fn reader(&self) -> Reader<'_> {
        let motion = self.multipliers.as_deref().map(|known| known as &dyn Motion);
        Reader::new(&self.system, Reading { motion, ..Reading::default() })
    }

    /// Reads the loads that name reactions.
    fn read_lawful(&mut self) {
        let lines = Arc::clone(&self.system.lines);
        let Some(&first) = self.lawful.first() else { return };
        match Multipliers::of(&self.system) {
            Ok(known) => self.multipliers = Some(Rc::new(known)),
            Err(reason) => {
                let hint = "Coulomb friction is written `friction mu on …`; see docs/friction.md, Laws of one's own";
                return self.errors.push(Diagnostic::error(lines[first].span, reason).hint(hint));
            }
        }
        for place in std::mem::take(&mut self.lawful) {
            let line = &lines[place];
            if let Err(stop) = self.line(&line.declaration, line.span) {
                self.errors.push(stop.told(line.span));
            }
        }
    }

    pub(crate) fn scalar(&self, node: &Node) -> Result<Expr, Stop> {
        self.reader().scalar(node)
    }

    fn scalar_in_speeds(&self, node: &Node) -> Result<Expr, Stop> {
        Reader::new(&self.system, Reading { speeds: Speeds::Symbols, motion: None }).scalar(node)
    }

    pub(crate) fn vector(&self, node: &Node) -> Result<Vector, Stop> {
        self.reader().vector(node)
    }

    // ---- names

    fn dimension(&self, name: &str) -> Option<Dimension> {
        self.model.symbol(name)?.dimension.clone()
    }

    /// The result; if there is none, the name is unknown without further complaint.
    fn declare<T>(&mut self, name: &str, result: Result<T, Stop>) -> Result<T, Stop> {
        result.inspect_err(|_| {
            self.system.names.insert(name.to_owned(), Entry::Broken);
        })
    }

    /// Tells what is wrong, and goes on.
    fn tell<T>(&mut self, result: Result<T, Stop>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(Stop::Wrong(diagnostic)) => {
                self.errors.push(*diagnostic);
                None
            }
            Err(_) => None,
        }
    }

    /// A symbol that does not change with time.
    fn constant(&mut self, name: &str) -> Expr {
        let symbol = expr::parameter(name);
        self.system.names.insert(name.to_owned(), Entry::Scalar(symbol));
        symbol
    }

    fn named(&self, name: &Name) -> Result<Entry, Stop> {
        match self.system.names.get(&name.name) {
            Some(Entry::Broken) => Err(Stop::Told),
            Some(entry) => Ok(entry.clone()),
            None => Err(wrong(name.span, format!("this model does not declare `{}`", name.name))),
        }
    }

    fn coordinate(&self, name: &Name) -> Result<usize, Stop> {
        match self.named(name)? {
            Entry::Coordinate(place) => Ok(place),
            _ => Err(wrong(name.span, format!("`{}` is not a coordinate", name.name))),
        }
    }

    fn frame_named(&self, name: &Name) -> Result<usize, Stop> {
        match self.named(name)? {
            Entry::Frame(place) => Ok(place),
            _ => Err(wrong(name.span, format!("`{}` is not a frame", name.name))),
        }
    }

    pub(crate) fn body_named(&self, name: &Name) -> Result<usize, Stop> {
        match self.named(name)? {
            Entry::Body(place) => Ok(place),
            _ => Err(wrong(name.span, format!("`{}` is not a body", name.name))),
        }
    }

    fn target(&self, name: &Name) -> Result<Target, Stop> {
        match self.named(name)? {
            Entry::Point(place) => Ok(Target::Point(place)),
            Entry::Body(place) => Ok(Target::Body(place)),
            _ => Err(wrong(name.span, format!("`{}` is neither a point nor a body", name.name))),
        }
    }

    /// The position of a point, or of a body's mass centre.
    fn position(&self, target: Target) -> Vector {
        match target {
            Target::Point(place) => self.system.points[place].position,
            Target::Body(place) => self.system.bodies[place].centre,
        }
    }

    // ---- declarations

    fn param(&mut self, param: &Param) {
        match param {
            Param::Values(definitions) => {
                for definition in definitions {
                    let value = self.parameter_value(&definition.value);
                    let value = self.declare(&definition.name.name, value);
                    if let Some((definition_in_others, value)) = self.tell(value) {
                        self.parameter(&definition.name, Some(definition_in_others), value);
                    }
                }
            }
            Param::Unit { names, .. } => names.iter().for_each(|name| self.parameter(name, None, None)),
        }
    }

    /// What a parameter is made of, and its value in numbers alone.
    fn parameter_value(&self, node: &Node) -> Result<(Expr, Option<Expr>), Stop> {
        let definition = self.scalar(node)?;
        if definition.is_constant() {
            return Ok((definition, Some(definition)));
        }
        let known = self.system.parameter_values().apply_one(definition).map_err(at(node.span))?;
        Ok((definition, known.is_constant().then_some(known)))
    }

    fn parameter(&mut self, name: &Name, definition: Option<Expr>, value: Option<Expr>) {
        let (name, span) = (name.name.clone(), name.span);
        let (symbol, dimension) = (expr::parameter(&name), self.dimension(&name));
        self.system.names.insert(name.clone(), Entry::Parameter(self.system.parameters.len()));
        self.system.parameters.push(Parameter { name, symbol, definition, value, dimension, span });
    }

    fn coord(&mut self, name: &str, span: Span) {
        let of_order = |order| expr::symbol(Symbol { name: name.to_owned(), kind: Kind::Coordinate, order });
        let [q, q_dot, q_ddot] = [0, 1, 2].map(of_order);
        let dimension = self.dimension(name);
        self.system.names.insert(name.to_owned(), Entry::Coordinate(self.system.coordinates.len()));
        self.system.coordinates.push(Coordinate { name: name.to_owned(), q, q_dot, q_ddot, dimension, span });
    }

    /// An input; one that moves something comes with its rate and its acceleration, which are inputs too.
    fn input(&mut self, name: String, value: Option<Expr>, span: Span) -> Done {
        let dimension = self.dimension(&name);
        let family = name.split('[').next().unwrap_or(&name);
        if !self.moving.contains(family) {
            let symbol = self.constant(&name);
            self.system.inputs.push(Input { name, symbol, value, dimension, span });
            return Ok(());
        }
        let symbol = expr::symbol(Symbol::new(&name, Kind::Input));
        self.system.names.insert(name.clone(), Entry::Scalar(symbol));
        let is_given = |symbol: &Expr| {
            symbol.as_symbol().is_some_and(|symbol| matches!(symbol.kind, Kind::Parameter | Kind::Time | Kind::Input))
        };
        if let Some(other) = value.iter().flat_map(|value| value.symbols()).find(|symbol| !is_given(symbol)) {
            let error = Diagnostic::error(
                span,
                format!("`{name}` moves something, so that it is a function of time, and its value follows `{other}`"),
            );
            let hint = format!("what follows the motion is a `coord {name}` with a `constraint`, or acts by a force");
            return Err(Stop::Wrong(Box::new(error.hint(hint))));
        }
        let (mut symbol, mut value) = (Some(symbol), value);
        for order in 0..3 {
            let Some(now) = symbol else { break };
            let per_time = Dimension::new(0, 0, -order);
            self.system.inputs.push(Input {
                name: now.to_string(),
                symbol: now,
                value,
                dimension: dimension.as_ref().map(|dimension| dimension.times(&per_time)),
                span,
            });
            symbol = expr::total_derivative(now).ok();
            value = value.map(|value| expr::total_derivative(value).map_err(at(span))).transpose()?;
        }
        Ok(())
    }

    /// Refuses inputs that are differentiated more often than they are given.
    fn refuse_far_inputs(&mut self) {
        let order = |e: &Expr| {
            let orders = e.symbols().into_iter().filter_map(|symbol| symbol.as_symbol());
            orders
                .filter(|symbol| symbol.kind == Kind::Input)
                .map(|symbol| (symbol.order, symbol))
                .max_by_key(|one| one.0)
        };
        let system = &self.system;
        let mut places: Vec<(Expr, u32, Span)> = Vec::new();
        places.extend(system.points.iter().flat_map(|one| one.position.0.map(|e| (e, 0, one.span))));
        places.extend(system.bodies.iter().flat_map(|one| one.centre.0.map(|e| (e, 0, one.span))));
        let rates = [system.q(), system.q_dot(), system.q_ddot()];
        for constraint in &system.constraints {
            for &row in &constraint.rows {
                let symbols = row.symbols();
                let own = (0..3).rev().find(|&k| rates[k].iter().any(|rate| symbols.contains(rate))).unwrap_or(0);
                places.push((row, own as u32, constraint.span));
            }
        }
        let far = places.iter().filter_map(|(e, own, span)| {
            let (order, symbol) = order(e)?;
            (order > *own).then(|| {
                let message = format!("`{symbol}` stands where the third derivative of an input would be needed");
                let hint = "in places an input stands itself, in a constraint on rates its rate may stand too";
                Diagnostic::error(*span, message).hint(hint)
            })
        });
        let far: Vec<Diagnostic> = far.collect();
        self.errors.extend(far);
    }

    /// A state; until its law is read, its rate is a symbol that nothing is known of.
    fn state(&mut self, name: &Name) {
        let of_order = |order| expr::symbol(Symbol { name: name.name.clone(), kind: Kind::State, order });
        let (symbol, dimension) = (of_order(0), self.dimension(&name.name));
        self.system.names.insert(name.name.clone(), Entry::State(self.system.states.len()));
        let rate = of_order(1);
        self.system.states.push(FirstOrder { name: name.name.clone(), symbol, rate, dimension, span: name.span });
    }

    fn law(&mut self, rate: &model::Rate) -> Done {
        let value = self.scalar(&rate.value)?;
        let name = &rate.rate.name;
        let Entry::State(place) = self.named(&rate.rate)? else {
            return Err(wrong(rate.rate.span, format!("`{name}` is not a state")));
        };
        let state = &mut self.system.states[place];
        if !state.is_lawless() {
            let error = Diagnostic::error(rate.rate.span, format!("the rate of `{name}` is given twice"));
            return Err(Stop::Wrong(Box::new(error.hint("keep one of the two lines"))));
        }
        state.rate = value;
        Ok(())
    }

    /// The first value of a state is given; nothing is solved for it.
    fn refuse_rate_of_state(&self, equation: &syntax::Relation) -> Done {
        let rate_of = |node: &Node| match &node.kind {
            NodeKind::Prime { of, .. } => of.plain_name().map(str::to_owned),
            _ => None,
        };
        let sides = [&equation.left, &equation.right].into_iter().filter_map(rate_of);
        for name in sides {
            if let Some(Entry::State(_)) = self.system.names.get(&name) {
                let error =
                    Diagnostic::error(equation.span, format!("the rate of the state `{name}` follows from its law"));
                return Err(Stop::Wrong(Box::new(error.hint(format!("give its first value: `start {name} = …`")))));
            }
        }
        Ok(())
    }

    fn refuse_guess_of_state(&self, equation: &syntax::Relation, read: &[Equation]) -> Done {
        let sides = read.iter().flat_map(|one| [one.left, one.right]);
        let symbols: Vec<Expr> = sides.flat_map(|side| side.symbols()).collect();
        match self.system.states.iter().find(|state| symbols.contains(&state.symbol)) {
            Some(state) => {
                let message = format!("`{}` is a state: its first value is given, not solved for", state.name);
                let hint = format!("write `start {} = …`", state.name);
                Err(Stop::Wrong(Box::new(Diagnostic::error(equation.span, message).hint(hint))))
            }
            None => Ok(()),
        }
    }

    /// Complains of states without a law.
    fn refuse_lawless(&mut self) {
        for state in self.system.states.iter().filter(|state| state.is_lawless()) {
            let error = Diagnostic::error(state.span, format!("nothing says how `{}` changes", state.name));
            self.errors.push(error.hint(format!("write `rate {}' = …`", state.name)));
        }
    }

    fn speed(&mut self, name: &Name, value: &Node) {
        let definition = self.scalar(value);
        let definition = self.declare(&name.name, definition);
        if let Some(definition) = self.tell(definition) {
            let symbol = expr::symbol(Symbol::new(&name.name, Kind::QuasiVelocity));
            self.system.texts.insert(name.name.clone(), Arc::new(value.clone()));
            let speed = Speed { name: name.name.clone(), symbol, definition, span: name.span };
            let accelerations = self.system.q_ddot();
            if definition.symbols().iter().any(|symbol| accelerations.contains(symbol)) {
                self.system.names.insert(name.name.clone(), Entry::Scalar(definition));
                self.system.pseudo.push(speed);
                return;
            }
            self.system.names.insert(name.name.clone(), Entry::Speed(self.system.speeds.len()));
            self.system.speeds.push(speed);
        }
    }

    fn abbreviation(&mut self, abbreviation: &model::Let) {
        let name = &abbreviation.name.name;
        if !abbreviation.arguments.is_empty() {
            let arguments = abbreviation.arguments.iter().map(|argument| argument.name.clone()).collect();
            let function = Function { arguments, body: abbreviation.value.clone() };
            self.system.names.insert(name.clone(), Entry::Function(Arc::new(function)));
            return;
        }
        let value = self.system.term(&abbreviation.value);
        let value = self.declare(name, value);
        self.system.texts.insert(name.clone(), Arc::new(abbreviation.value.clone()));
        match self.tell(value) {
            Some(Term::Scalar(scalar)) => self.system.names.insert(name.clone(), Entry::Scalar(scalar)),
            Some(Term::Vector(vector)) => self.system.names.insert(name.clone(), Entry::Vector(vector)),
            Some(Term::Deferred(tree)) => self.system.names.insert(name.clone(), Entry::Deferred(tree)),
            None => None,
        };
    }

    /// A function counts among the parameters without a value: its symbol stands for the function in numbers.
    fn function(&mut self, function: &model::Function) {
        let (name, span) = (function.name.name.clone(), function.name.span);
        let symbol = expr::symbol(Symbol::new(&format!("{name}()"), Kind::Parameter));
        let arguments: Vec<String> = function.arguments.iter().map(syntax::format).collect();
        self.system.names.insert(name.clone(), Entry::Unspecified(arguments.len()));
        let name = format!("{name}({})", arguments.join(", "));
        let (definition, value, dimension) = (None, None, None);
        self.system.parameters.push(Parameter { name, symbol, definition, value, dimension, span });
    }

    fn frame(&mut self, frame: &model::Frame) -> Done {
        let made = self.turned(frame);
        let made = self.declare(&frame.name.name, made)?;
        let place = self.system.frames.len();
        let norm = made.norm_row();
        if norm.is_some_and(Expr::is_zero) {
            self.remark_on_dropped(&made.name, &[None], true, made.span);
        } else if let Some(row) = norm {
            self.system.constraints.push(Constraint {
                name: made.name.clone(),
                rows: vec![row],
                axes: Vec::new(),
                labels: Vec::new(),
                sense: Sense::Equal,
                from: None,
                until: None,
                while_closed: false,
                is_rough: false,
                origin: Origin::QuaternionNorm(place),
                text: None,
                span: made.span,
            });
        }
        self.system.names.insert(made.name.clone(), Entry::Frame(place));
        self.system.frames.push(made);
        Ok(())
    }

    fn turned(&self, frame: &model::Frame) -> Result<Frame, Stop> {
        let parent = self.frame_named(&frame.parent)?;
        let orientation = match &frame.orientation {
            model::Orientation::Rotated(turns) => {
                let mut made = Vec::new();
                let mut reached = self.system.frames[parent].in_inertial;
                for turn in turns {
                    let turn = self.turn(turn, reached)?;
                    reached = reached.then(turn.rotation());
                    made.push(turn);
                }
                Orientation::Turns(made)
            }
            model::Orientation::Quaternion(tuple) => {
                let entries = self.entries(tuple)?;
                let parts = entries.try_into().map_err(|_| wrong(tuple.span, "a quaternion has four entries"))?;
                Orientation::Quaternion(parts)
            }
            model::Orientation::Matrix(rows) => Orientation::Matrix(self.cosines(rows)?),
        };
        Frame::turned(&frame.name.name, &self.system.frames, parent, orientation, frame.name.span)
            .map_err(at(frame.name.span))
    }

    /// The axes of a frame that a matrix tells; it must be one of direction cosines.
    fn cosines(&self, rows: &[Node]) -> Result<[Vector; 3], Stop> {
        let whole = rows[0].span.to(rows[rows.len() - 1].span);
        let mut columns = [[Expr::zero(); 3]; 3];
        for (i, row) in rows.iter().enumerate() {
            for (j, entry) in self.entries(row)?.into_iter().enumerate().take(3) {
                columns[j][i] = entry;
            }
        }
        let axes = columns.map(Vector);
        let told = |message: String, hint: &str| Stop::Wrong(Box::new(Diagnostic::error(whole, message).hint(hint)));
        for i in 0..3 {
            for j in i..3 {
                let wanted = if i == j { Expr::one() } else { Expr::zero() };
                let found = axes[i].dot(axes[j]);
                if !(found - wanted).is_zero() {
                    let (i, j) = (["first", "second", "third"][i], ["first", "second", "third"][j]);
                    let what = match i == j {
                        true => format!("the {i} column of this matrix has not the length one"),
                        false => format!("the {i} and the {j} column of this matrix are not at right angles"),
                    };
                    let hint = "columns of direction cosines are unit vectors at right angles, for all values; \
                                four coordinates with one condition are written `quaternion (a, b, c, d)`";
                    return Err(told(what, hint));
                }
            }
        }
        match (axes[0].cross(axes[1]).dot(axes[2]) - Expr::one()).is_zero() {
            true => Ok(axes),
            false => Err(told(
                "this matrix mirrors: its determinant is -1".to_owned(),
                "the axes of a frame are right-handed: change the sign of one column",
            )),
        }
    }

    /// A turn of a frame whose axes have got so far.
    fn turn(&self, turn: &model::Turn, reached: Rotation) -> Result<Turn, Stop> {
        let about = match &turn.about {
            TurnAxis::Own(axis) => About::Own(*axis),
            TurnAxis::Vector(node) => {
                let vector = self.vector(node)?;
                if vector.is_zero() {
                    return Err(wrong(node.span, "this axis is the zero vector"));
                }
                let unit = vector.unit().map_err(at(node.span))?;
                About::Direction(Vector(reached.inward(unit).0.map(settled)))
            }
            TurnAxis::Direction(node) => {
                let direction = self.vector(node)?;
                if direction.is_zero() {
                    return Err(wrong(node.span, "this direction is the zero vector"));
                }
                About::Direction(direction.unit().map_err(at(node.span))?)
            }
        };
        Ok(Turn { about, angle: self.scalar(&turn.angle)? })
    }

    /// The entries of a tuple; one for what is no tuple.
    fn entries(&self, node: &Node) -> Result<Vec<Expr>, Stop> {
        match &node.kind {
            NodeKind::Tuple(entries) => entries.iter().map(|entry| self.scalar(entry)).collect(),
            _ => Ok(vec![self.scalar(node)?]),
        }
    }

    fn point(&mut self, point: &model::Point) -> Done {
        let name = point.name.name.clone();
        let position = self.vector(&point.position);
        let position = self.declare(&name, position)?;
        let placement = self.placement(&point.position);
        let (place, span) = (self.system.points.len(), point.name.span);
        self.system.names.insert(name.clone(), Entry::Point(place));
        self.system.points.push(Point { name, position, placement, mass: None, exhaust: None, span });
        // The exhaust may speak of the point: `exhaust -c*unit(velocity(P))`.
        let mass = point.mass.as_ref().map(|mass| self.scalar(mass)).transpose();
        let exhaust = point.exhaust.as_ref().map(|exhaust| self.vector(exhaust)).transpose();
        self.system.points[place].mass = self.tell(mass).flatten();
        self.system.points[place].exhaust = self.tell(exhaust).flatten();
        Ok(())
    }

    fn body(&mut self, body: &model::Body) -> Done {
        let name = &body.name.name;
        let turned = self.plane_inertia(body);
        let turned = self.declare(name, turned)?;
        let body = turned.as_ref().unwrap_or(body);
        if let Some(turned) = &turned {
            // whoever reads the lines once more reads the same
            Arc::make_mut(&mut self.system.lines)[self.at_line].declaration = Declaration::Body(turned.clone());
        }
        let made = self.rigid(body);
        let made = self.declare(name, made)?;
        self.system.names.insert(name.clone(), Entry::Body(self.system.bodies.len()));
        self.system.bodies.push(made);
        Ok(())
    }

    /// A body with one moment of inertia that turns about its own x or y alone: the moment is about that axis. The others,
    /// which plane motion does not ask for, are those of a flat body.
    fn plane_inertia(&self, body: &model::Body) -> Result<Option<model::Body>, Stop> {
        if matches!(body.inertia.kind, NodeKind::Tuple(_)) || body.shape.is_some() {
            return Ok(None);
        }
        let frame = &self.system.frames[self.frame_named(&body.frame)?];
        let omega = frame.in_inertial.inward(frame.omega);
        let turns: Vec<usize> = (0..3).filter(|&k| !omega.0[k].is_zero()).collect();
        let [axis @ (0 | 1)] = turns[..] else { return Ok(None) };
        if let Some(about) = &body.about {
            let name = ["x", "y"][axis];
            let message =
                format!("one moment about another point is about z of the frame, and this body turns about {name}");
            let error = Diagnostic::error(body.inertia.span.to(about.span), message);
            let hint = "give the moment about its mass centre, or three entries";
            return Err(Stop::Wrong(Box::new(error.hint(hint))));
        }
        let span = body.inertia.span;
        let two = Node::new(NodeKind::Number { text: "2".to_owned(), unit: None }, span);
        let half = NodeKind::Product(vec![(Scale::Times, body.inertia.clone()), (Scale::Over, two)]);
        let half = Node::new(half, span);
        let entry = |k: usize| if k == axis { body.inertia.clone() } else { half.clone() };
        let inertia = Node::new(NodeKind::Tuple(vec![entry(0), entry(1), entry(2)]), span);
        Ok(Some(model::Body { inertia, ..body.clone() }))
    }

    fn rigid(&self, body: &model::Body) -> Result<Body, Stop> {
        let (zero, given) = (Expr::zero(), self.entries(&body.inertia)?);
        let entries = match given[..] {
            [zz] => [zero, zero, zz, zero, zero, zero],
            [xx, yy, zz] => [xx, yy, zz, zero, zero, zero],
            [xx, yy, zz, xy, yz, zx] => [xx, yy, zz, xy, yz, zx],
            _ => return Err(wrong(body.inertia.span, "an inertia has one, three or six entries")),
        };
        let about = body.about.as_ref().map(|about| self.vector(about)).transpose()?;
        let solid = body.shape.as_ref().map(|shape| self.solid(shape)).transpose()?;
        if let Some(shape) = &body.shape
            && let Some(entry) = entries.iter().find(|entry| !expr::total_derivative(**entry).is_ok_and(Expr::is_zero))
        {
            let frame = &body.frame.name;
            let (axis, _) = (shape.arguments.last().map_or(shape.span, |axis| axis.span), entry);
            let error = Diagnostic::error(axis, format!("this axis is not fixed in the frame `{frame}` of the body"));
            let hint = format!("write an axis of its frame, as in `{frame}.z`, or `{frame}*(a, b, c)`");
            return Err(Stop::Wrong(Box::new(error.hint(hint))));
        }
        Ok(Body {
            name: body.name.name.clone(),
            mass: self.scalar(&body.mass)?,
            centre: self.vector(&body.at)?,
            placement: self.placement(&body.at),
            frame: self.frame_named(&body.frame)?,
            inertia: Inertia { entries, given: given.len(), about },
            solid,
            span: body.name.span,
        })
    }

    fn load(&mut self, kind: LoadKind, span: Span) {
        self.system.loads.push(Load { kind, span });
    }

    fn force(&mut self, force: &model::Force, span: Span) -> Done {
        let (value, along) = (self.vector(&force.value)?, self.along(&force.value)?);
        let on = self.target(&force.on)?;
        let at = force.at.as_ref().map(|at| self.vector(at)).transpose()?;
        let against = force.against.as_ref().map(|name| self.target(name)).transpose()?;
        let at = at.unwrap_or_else(|| self.position(on));
        self.load(LoadKind::Force { force: value, along, on, at, against }, span);
        Ok(())
    }

    fn end(&self, node: &Node) -> Result<End, Stop> {
        let point = node.plain_name().and_then(|name| match self.system.names.get(name) {
            Some(Entry::Point(place)) => Some(*place),
            _ => None,
        });
        Ok(End { position: self.vector(node)?, point })
    }

    fn constraint(&mut self, constraint: &model::Constraint, span: Span) -> Done {
        let relation = &constraint.relation;
        let sense = match relation.comparison {
            Comparison::Equal => Sense::Equal,
            Comparison::AtLeast => Sense::AtLeast,
            Comparison::AtMost => Sense::AtMost,
            _ => return Err(wrong(relation.span, "a constraint has `=`, `>=` or `<=`")),
        };
        let name = constraint.label.name.clone();
        let (mut rows, mut axes, mut dropped) = (Vec::new(), Vec::new(), Vec::new());
        for (axis, left, right) in self.system.sides(relation)? {
            let row = if sense == Sense::AtMost { difference(right, left) } else { difference(left, right) };
            if row.is_zero() {
                dropped.push(axis);
                continue;
            }
            rows.push(row);
            axes.extend(axis);
        }
        let from = constraint.from.as_ref().map(|from| self.system.related(from)).transpose()?;
        let until = constraint.until.as_ref().map(|until| self.system.related(until)).transpose()?;
        if !rows.is_empty() && self.is_plane() {
            dropped.retain(|axis| *axis != Some(Axis::Z));
        }
        self.remark_on_dropped(&name, &dropped, rows.is_empty(), relation.span);
        let (origin, text) = (Origin::Declared, Some(Arc::new(relation.clone())));
        let (labels, while_closed, is_rough) = (Vec::new(), false, false);
        let made =
            Constraint { name, rows, axes, labels, sense, from, until, while_closed, is_rough, origin, text, span };
        self.system.constraints.push(made);
        Ok(())
    }

    /// Whether nothing so far leaves the plane z = 0.
    fn is_plane(&self) -> bool {
        let points = self.system.points.iter().map(|point| point.position);
        let bodies = self.system.bodies.iter().map(|body| body.centre);
        let turns_in_it = |frame: &Frame| frame.in_inertial.axes[2] == Vector::along(Axis::Z);
        points.chain(bodies).all(|position| position.0[2].is_zero()) && self.system.frames.iter().all(turns_in_it)
    }

    /// A note for the reader.
    pub(crate) fn remark(&mut self, message: String, span: Span) {
        self.system.remarks.push(Diagnostic::error(span, message).severity(Severity::Note));
    }

    fn remark_on_dropped(&mut self, name: &str, dropped: &[Option<Axis>], all: bool, span: Span) {
        let axes: Vec<&str> = dropped.iter().flatten().map(|axis| axis.symbol()).collect();
        let message = match (dropped.is_empty(), all) {
            (true, _) => return,
            (false, true) => format!("`{name}` holds identically: it constrains nothing"),
            (false, false) => {
                let (rows, hold) = if axes.len() == 1 { ("component", "holds") } else { ("components", "hold") };
                format!("the {rows} {} of `{name}` {hold} identically", axes.join(" and "))
            }
        };
        self.remark(message, span);
    }

    fn contact(&mut self, contact: &model::Contact, span: Span) -> Done {
        let what = self.target(&contact.what)?;
        let motion = match &contact.motion {
            model::Motion::Rolls => ContactMotion::Rolls,
            model::Motion::Slides => ContactMotion::Slides,
            model::Motion::Skates(along) => ContactMotion::Skates(self.vector(along)?),
        };
        let shape = contact.shape.as_ref().map(|shape| self.shape(shape)).transpose()?;
        let centre = contact.at.as_ref().map(|at| self.vector(at)).transpose()?;
        let centre = centre.unwrap_or_else(|| self.position(what));
        let placement = match (&contact.at, what) {
            (Some(at), _) => self.placement(at),
            (None, Target::Point(place)) => Placement { from: Some(place), arms: Vec::new() },
            (None, Target::Body(place)) => self.system.bodies[place].placement.clone(),
        };
        let (normal, distance) = match &contact.plane.kind {
            NodeKind::Tuple(entries) if entries.len() == 2 => (self.vector(&entries[0])?, self.scalar(&entries[1])?),
            _ => return Err(wrong(contact.plane.span, "a plane is written `plane(n, d)`")),
        };
        let carrier = match &contact.of {
            None => None,
            Some(name) => match self.named(name)? {
                Entry::Frame(place) => Some(Carrier::Frame(place)),
                Entry::Body(place) => Some(Carrier::Body(place)),
                _ => return Err(wrong(name.span, format!("`{}` is neither a frame nor a body", name.name))),
            },
        };
        if let (Some(Carrier::Body(of)), Target::Body(body)) = (carrier, what)
            && of == body
        {
            return Err(wrong(
                span,
                format!("`{}` touches a plane that it carries itself", self.system.bodies[body].name),
            ));
        }
        let (name, unilateral, touch) = (contact.label.name.clone(), contact.unilateral, Touch::default());
        let mut contact = Contact {
            name,
            what,
            motion,
            shape,
            centre,
            placement,
            normal,
            distance,
            carrier,
            unilateral,
            rough: self.is_rough(&contact.label.name),
            touch,
            span,
        };
        let told = |diagnostic: Diagnostic| Stop::Wrong(Box::new(diagnostic));
        contact.touch = crate::contact::touch(&self.system, &contact, &[]).map_err(told)?;
        self.install(contact.clone(), self.system.contacts.len(), self.system.constraints.len());
        self.system.contacts.push(contact);
        Ok(())
    }

    /// Whether a line of the model puts friction on the contact of that name.
    fn is_rough(&self, name: &str) -> bool {
        let is_on = |line: &model::Line| matches!(&line.declaration, Declaration::Friction(one) if one.on.name == name);
        self.model.lines.iter().any(is_on)
    }

    /// Puts the constraints of a contact in their place.
    fn install(&mut self, contact: Contact, place: usize, first: usize) {
        self.system.constraints.splice(first..first, contact.touch.constraints(&contact, place));
    }

    /// Chooses the sign of roots by the start, and tells what the reader should know of contacts.
    fn settle_contacts(&mut self) {
        for (place, flipped) in crate::contact::negative_roots(&self.system) {
            let mut contact = self.system.contacts[place].clone();
            match crate::contact::touch(&self.system, &contact, &flipped) {
                Ok(touch) => contact.touch = touch,
                Err(diagnostic) => {
                    self.errors.push(diagnostic);
                    continue;
                }
            }
            let is_own = |one: &Constraint| crate::contact::contact_of(one) == Some(place);
            let first = self.system.constraints.iter().position(is_own).unwrap_or(0);
            self.system.constraints.retain(|one| !is_own(one));
            self.install(contact.clone(), place, first);
            self.system.contacts[place] = contact;
        }
        for contact in &self.system.contacts {
            if contact.unilateral && contact.touch.gap.is_none() {
                let message = format!("contact `{}` cannot open: its gap is zero in these coordinates", contact.name);
                let hint = "leave out `unilateral`, or give the body a coordinate along the normal";
                self.errors.push(Diagnostic::error(contact.span, message).hint(hint));
            }
            self.system.remarks.extend(contact.touch.remarks(contact));
        }
    }

    fn shape(&self, shape: &model::Shape) -> Result<Shape, Stop> {
        let (mut radii, mut axis) = (Vec::new(), None);
        for argument in &shape.arguments {
            match self.system.term(argument)? {
                Term::Scalar(radius) => {
                    let may_vanish = shape.kind == model::ShapeKind::Torus && radii.len() == 1;
                    let wrong = crate::contact::radius(&self.system, radius, argument.span, may_vanish);
                    if let Some(diagnostic) = wrong {
                        return Err(Stop::Wrong(Box::new(diagnostic)));
                    }
                    radii.push(radius);
                }
                Term::Vector(vector) => {
                    if vector.is_zero() {
                        return Err(wrong(argument.span, "this axis is the zero vector"));
                    }
                    axis = Some(vector);
                }
                Term::Deferred(_) => return Err(wrong(argument.span, "this is known only while the system moves")),
            }
        }
        Ok(Shape { kind: shape.kind, radii, axis })
    }

    /// What a body looks like; a length that is known not to be positive is refused.
    fn solid(&self, solid: &model::Solid) -> Result<Solid, Stop> {
        let (mut lengths, mut axis) = (Vec::new(), None);
        for (place, argument) in solid.arguments.iter().enumerate() {
            if place < solid.kind.lengths() {
                let length = self.scalar(argument)?;
                let thin = solid.kind == model::SolidKind::Torus && place == 1;
                if let Some(wrong) = crate::contact::radius(&self.system, length, argument.span, thin) {
                    return Err(Stop::Wrong(Box::new(wrong)));
                }
                lengths.push(length);
            } else {
                let direction = self.vector(argument)?;
                if direction.is_zero() {
                    return Err(wrong(argument.span, "this axis is the zero vector"));
                }
                axis = Some(direction);
            }
        }
        Ok(Solid { kind: solid.kind, lengths, axis })
    }

    fn surface(&self, surface: &model::Surface, span: Span) -> Result<Surface, Stop> {
        Ok(Surface { value: self.scalar(&surface.value)?, on: surface.on.name.clone(), span })
    }

    fn event(&mut self, event: &model::Event, stops: bool, span: Span) -> Done {
        let when = self.system.related(&event.when)?;
        let name = event.name.as_ref().map(|name| name.name.clone());
        self.system.events.push(Event { name, stops, when, span });
        Ok(())
    }

    fn statement(&mut self, statement: &model::Statement, role: Role, span: Span) -> Done {
        let within = |node: &Option<Node>| node.as_ref().map(|node| self.scalar(node)).transpose();
        let all =
            |relations: &[syntax::Relation]| relations.iter().map(|r| self.system.related(r)).collect::<Result<_, _>>();
        let fact = match &statement.fact {
            model::Fact::Relation { relation, at, within: tolerance } => Fact::Relation {
                relation: self.system.related(relation)?,
                at: match at {
                    None => None,
                    Some(model::At::Start) => Some(Place::Start),
                    Some(model::At::Equations(equations)) => Some(Place::Equations(all(equations)?)),
                },
                within: within(tolerance)?,
            },
            model::Fact::Constant(node) => {
                Fact::Constant { value: self.system.term(node)?, tree: Arc::new(node.clone()) }
            }
            model::Fact::Event { event, at, within: tolerance } => {
                Fact::Event { event: event.name.clone(), at: self.system.related(at)?, within: within(tolerance)? }
            }
            model::Fact::Freedoms(node) => Fact::Freedoms(self.scalar(node)?),
            model::Fact::Equilibrium { equations, stability } => {
                Fact::Equilibrium { equations: all(equations)?, stability: *stability }
            }
            model::Fact::Solution(equations) => Fact::Solution(all(equations)?),
        };
        let name = statement.label.name.clone();
        let misfit = (role == Role::Claim).then(|| self.model.misfit(&name).map(str::to_owned)).flatten();
        self.system.statements.push(Statement { name, role, fact, misfit, span });
        Ok(())
    }

    // ---- how a position is put together

    /// A position as a point and arms along frames, read off its tree; what cannot be is one arm along `N`.
    pub(crate) fn placement(&self, node: &Node) -> Placement {
        let mut placement = Placement::default();
        let terms = match &node.kind {
            NodeKind::Sum(terms) => terms.iter().map(|(sign, term)| (*sign, term)).collect(),
            _ => vec![(Sign::Plus, node)],
        };
        for (sign, term) in terms {
            let point = term.plain_name().and_then(|name| self.system.names.get(name));
            match (point, sign) {
                (Some(Entry::Point(place)), Sign::Plus) if placement.from.is_none() => placement.from = Some(*place),
                (Some(Entry::Body(place)), Sign::Plus) if placement.from.is_none() => {
                    let body = self.system.bodies[*place].placement.clone();
                    placement.from = body.from;
                    body.arms.into_iter().for_each(|(frame, arm)| placement.add(frame, arm));
                }
                _ => {
                    let Ok((frame, arm)) = self.arm(term) else { continue };
                    placement.add(frame, if sign == Sign::Minus { -arm } else { arm });
                }
            }
        }
        placement.arms.retain(|(_, arm)| *arm != Vector::zero());
        placement
    }

    /// A vector as a sum of parts along frames.
    fn along(&self, node: &Node) -> Result<Vec<(usize, Vector)>, Stop> {
        let whole = self.vector(node)?;
        let placement = self.placement(node);
        let parts = placement.arms.iter().map(|&(frame, part)| self.system.frames[frame].vector(part));
        let sum = Vector::sum(&parts.collect::<Vec<_>>());
        Ok(if placement.from.is_none() && (sum - whole).is_zero() { placement.arms } else { vec![(0, whole)] })
    }

    /// One term of a position: a frame, and the components along it.
    fn arm(&self, term: &Node) -> Result<(usize, Vector), Stop> {
        let mut reader = self.reader();
        let factors = match &term.kind {
            NodeKind::Product(factors) => factors.iter().map(|(scale, factor)| (*scale, factor)).collect(),
            _ => vec![(Scale::Times, term)],
        };
        let frame_of = |node: &Node| match reader.value(node) {
            Ok(Value::Frame(place)) => Some(place),
            _ => None,
        };
        let mut frame_of = frame_of;
        let found = factors.iter().enumerate().find_map(|(place, (_, factor))| match &factor.kind {
            NodeKind::Name { .. } => frame_of(factor).map(|frame| (place, frame, None)),
            NodeKind::Component { of, axis } => frame_of(of).map(|frame| (place, frame, Some(*axis))),
            _ => None,
        });
        let Some((place, frame, axis)) = found else {
            return Ok((0, self.vector(term)?));
        };
        let mut components = axis.map(Vector::along);
        let mut scale = Expr::one();
        for (other, (direction, factor)) in factors.iter().enumerate() {
            if other == place {
                continue;
            }
            match (self.reader().value(factor)?, direction) {
                (Value::Scalar(scalar), Scale::Times) => scale *= scalar,
                (Value::Scalar(scalar), Scale::Over) => scale = scale.try_div(scalar).map_err(at(factor.span))?,
                (Value::Vector(vector), Scale::Times) if components.is_none() => components = Some(vector),
                _ => return Ok((0, self.vector(term)?)),
            }
        }
        Ok((frame, components.unwrap_or_else(Vector::zero) * scale))
    }
}

/// left − right as one sum where both are short, so that a person reads it without brackets.
fn difference(left: Expr, right: Expr) -> Expr {
    const SHORT: usize = 16;
    let mut terms = Vec::new();
    for (side, minus) in [(left, false), (right, true)] {
        let parts = match side.op() {
            Op::Sum => side.arguments(),
            _ => vec![side],
        };
        let parts = if parts.len() > SHORT { vec![side] } else { parts };
        terms.extend(parts.into_iter().map(|part| if minus { -part } else { part }));
    }
    Expr::sum(&terms)
}
