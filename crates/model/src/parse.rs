//! Which declarations does a text make? One function for each keyword.
//!
//! A line that cannot be read is left out, and its names are remembered as broken: using one of
//! them later is not a second mistake. A part that cannot be read does not end the line; the other
//! parts are read too, so that their mistakes are told in the same run.

use rustc_hash::FxHashMap;
use syntax::{Axis, Comparison, Cursor, Diagnostic, Node, NodeKind, Relation, Span, Token, TokenKind, lex, nearest};

use crate::declaration::*;
use crate::spelling::merge_open_brackets;
use crate::words::usage;

/// What a text says, before names are looked up.
pub(crate) struct Syntax {
    /// The lines that could be read.
    pub lines: Vec<Line>,
    /// The names on the lines that could not.
    pub broken: Vec<(String, Span)>,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads all declarations of a text.
pub(crate) fn parse(text: &str) -> Syntax {
    let tokens = lex(text).joined(text);
    let all = tokens.tokens.clone();
    let mut parser = Parser {
        cursor: Cursor::new(text, tokens),
        keyword: "",
        resume: false,
        cut: Vec::new(),
        misspelled: FxHashMap::default(),
    };
    let mut lines = Vec::new();
    let mut broken = Vec::new();
    let mut line_starts: Vec<(u32, &'static str)> = Vec::new();
    while parser.cursor.peek() != TokenKind::End {
        let start = parser.cursor.token().span;
        parser.keyword = "";
        match parser.line() {
            Some(line) => lines.push(line),
            None => broken.extend(parser.names_from(start, &all)),
        }
        line_starts.push((start.start, parser.keyword));
        if !std::mem::take(&mut parser.resume) {
            parser.cursor.skip_line();
        }
    }
    let cut = std::mem::take(&mut parser.cut);
    let mut diagnostics = parser.cursor.finish();
    diagnostics.retain(|diagnostic| !cut.contains(&diagnostic.span.start));
    merge_open_brackets(text, &mut diagnostics);
    for diagnostic in diagnostics.iter_mut().filter(|diagnostic| diagnostic.hint.is_none()) {
        let line = line_starts.partition_point(|line| line.0 <= diagnostic.span.start);
        let usage = line.checked_sub(1).and_then(|line| usage(line_starts[line].1));
        diagnostic.hint = usage.map(|usage| format!("the line looks like `{usage}`"));
    }
    Syntax { lines, broken, diagnostics }
}

pub(crate) struct Parser<'a> {
    pub cursor: Cursor<'a>,
    /// The keyword of the line that is read.
    pub keyword: &'static str,
    /// Whether the cursor stands at a declaration that begins in the middle of a joined line.
    pub resume: bool,
    /// Line ends after which the next line should have begun with a blank.
    pub cut: Vec<u32>,
    /// Words in the place of a keyword, and the keyword that is meant.
    pub misspelled: FxHashMap<String, Option<&'static str>>,
}

/// `Some` only if all parts could be read; every part is read before.
macro_rules! all {
    ($make:expr $(, $part:ident)*) => {{
        $(let $part = $part?;)*
        Some($make)
    }};
}

impl Parser<'_> {
    fn line(&mut self) -> Option<Line> {
        let start = self.cursor.token().span;
        self.keyword = self.keyword()?;
        let declaration = self.declaration();
        let mut ranges = Some(Vec::new());
        if let Some(word) = self.cursor.eat_word("for") {
            ranges = self.cursor.ranges();
            if matches!(self.keyword, "system" | "source" | "note") {
                let error = Diagnostic::error(word.span, format!("`{}` cannot be repeated", self.keyword));
                self.report(error.hint("leave out what begins with `for`"));
                ranges = None;
            }
        }
        let (declaration, ranges) = (declaration?, ranges?);
        self.end(&["for"])?;
        let span = start.to(self.cursor.last_span());
        Some(Line { declaration, ranges, span })
    }

    fn declaration(&mut self) -> Option<Declaration> {
        Some(match self.keyword {
            "system" => Declaration::System(self.text()?),
            "source" => Declaration::Source(self.text()?),
            "note" => Declaration::Note(self.text()?),
            "param" => Declaration::Param(self.param()?),
            "coord" => Declaration::Coord(self.coord()?),
            "speed" => Declaration::Speed(self.definition("the name of the speed")?),
            "inverse" => Declaration::Inverse(self.inverse()?),
            "dependent" => Declaration::Dependent(Dependent { rates: self.list(Self::rate)? }),
            "let" => Declaration::Let(self.abbreviation()?),
            "observe" => Declaration::Observe(self.definition("the name of the output")?),
            "input" => Declaration::Input(self.input()?),
            "unknown" => Declaration::Unknown(self.unknown()?),
            "frame" => Declaration::Frame(self.frame()?),
            "point" => Declaration::Point(self.point()?),
            "body" => Declaration::Body(self.body()?),
            "gravity" => Declaration::Gravity(self.quantity()?),
            "potential" => Declaration::Potential(self.quantity()?),
            "kinetic" => Declaration::Kinetic(self.quantity()?),
            "dissipation" => Declaration::Dissipation(self.quantity()?),
            "force" => Declaration::Force(self.force()?),
            "torque" => Declaration::Torque(self.torque()?),
            "generalized" => Declaration::GeneralizedForce(self.generalized_force()?),
            "spring" => Declaration::Spring(self.spring()?),
            "damper" => Declaration::Damper(self.damper()?),
            "constraint" => Declaration::Constraint(self.constraint()?),
            "contact" => Declaration::Contact(self.contact()?),
            "friction" => Declaration::Friction(self.surface()?),
            "restitution" => Declaration::Restitution(self.surface()?),
            "assume" => Declaration::Assume(Assume { relation: self.cursor.relation()? }),
            "stop" => Declaration::Stop(self.event()?),
            "record" => Declaration::Record(self.event()?),
            "start" => Declaration::Start(Equations { equations: self.equations()? }),
            "guess" => Declaration::Guess(Equations { equations: self.equations()? }),
            "expect" => Declaration::Expect(self.statement()?),
            "claim" => Declaration::Claim(self.statement()?),
            other => unreachable!("`{other}` is not in the table of keywords"),
        })
    }

    // ---------------------------------------------------------------------------------------
    // One function for each keyword

    /// `system "…" "…"`
    fn text(&mut self) -> Option<Text> {
        let mut texts = vec![self.cursor.string("a text in quotes")?.0];
        while self.cursor.peek() == TokenKind::Text {
            texts.push(self.cursor.string("a text in quotes")?.0);
        }
        Some(Text { texts })
    }

    /// `param m = 1.3 kg, l = 0.8 m`, or `param F, G : N`
    fn param(&mut self) -> Option<Param> {
        let first = self.name("the name of the parameter")?;
        match self.cursor.peek() {
            TokenKind::Comma | TokenKind::Colon => self.param_unit(first),
            _ => self.param_values(first),
        }
    }

    fn param_values(&mut self, first: Name) -> Option<Param> {
        let mut values = vec![self.value_of(first)];
        while self.cursor.eat(TokenKind::Comma).is_some() {
            let name = self.name("the name of the next parameter")?;
            if self.cursor.peek() == TokenKind::Colon {
                let what = &name.name;
                let error = Diagnostic::error(name.span, format!("`{what}` has a unit and no value"));
                self.report(error.hint(format!("give it a line of its own: `param {what} : …`")));
                return None;
            }
            values.push(self.value_of(name));
        }
        Some(Param::Values(values.into_iter().collect::<Option<_>>()?))
    }

    fn value_of(&mut self, name: Name) -> Option<Definition> {
        if self.cursor.peek() != TokenKind::Equal && self.keyword == "param" {
            let message = format!("the value of `{}` is missing", name.name);
            let hint =
                format!("write `param {0} = …` with a value, or `param {0} : kg` with its unit alone", name.name);
            self.report(Diagnostic::error(name.span, message).hint(hint));
            return None;
        }
        self.cursor.expect(TokenKind::Equal, "`=`")?;
        let value = self.cursor.expression();
        all!(Definition { name, value }, value)
    }

    fn param_unit(&mut self, first: Name) -> Option<Param> {
        let mut names = vec![first];
        while self.cursor.eat(TokenKind::Comma).is_some() {
            names.push(self.name("the name of the next parameter")?);
        }
        if self.cursor.peek() != TokenKind::Colon {
            let listed: Vec<&str> = names.iter().map(|name| name.name.as_str()).collect();
            let message = format!("every parameter has a value of its own, `{}` has none", listed[0]);
            let error = Diagnostic::error(names[0].span, message);
            self.report(error.hint(format!("write `param {} = …, {} = …`", listed[0], listed[1])));
            return None;
        }
        self.cursor.expect(TokenKind::Colon, "`:` and a unit")?;
        let unit = self.cursor.unit()?;
        if self.cursor.peek() == TokenKind::Equal {
            let span = names[0].span.to(self.cursor.token().span);
            let error = Diagnostic::error(span, "a parameter has a value or a bare unit, not both");
            self.report(error.hint(format!("write `param {} = 1.5 {}`", names[0].name, syntax::format_unit(&unit))));
            return None;
        }
        Some(Param::Unit { names, unit })
    }

    /// `coord x, a[1..n] : m`
    fn coord(&mut self) -> Option<Coord> {
        let families = self.list(Self::family);
        let mut unit = None;
        if self.cursor.eat(TokenKind::Colon).is_some() {
            unit = Some(self.cursor.unit()?);
        } else if let (TokenKind::Equal, Some(families)) = (self.cursor.peek(), &families) {
            let name = &families[families.len() - 1].name;
            let error = Diagnostic::error(self.cursor.token().span, "a coordinate is declared without a value");
            self.report(error.hint(format!("write `coord {name} : m`, and its first value in `start {name} = …`")));
            return None;
        }
        all!(Coord { families, unit }, families)
    }

    fn family(&mut self) -> Option<Family> {
        let (name, start) = self.cursor.name("the name of a coordinate")?;
        let mut bounds = None;
        if self.cursor.eat(TokenKind::OpenBracket).is_some() {
            let from = self.cursor.expression()?;
            if let Some(close) = self.cursor.eat(TokenKind::CloseBracket) {
                let error =
                    Diagnostic::error(start.to(close.span), "a family is declared with its first and last index");
                self.report(error.hint(format!("write `coord {name}[1..{}]`", syntax::format(&from))));
                return None;
            }
            self.cursor.expect(TokenKind::DotDot, "`..` and the last index")?;
            let to = self.cursor.expression()?;
            self.cursor.expect(TokenKind::CloseBracket, "`]`")?;
            bounds = Some((from, to));
        }
        Some(Family { name, bounds, span: start.to(self.cursor.last_span()) })
    }

    /// `speed u = …`, `observe h = …`
    fn definition(&mut self, what: &str) -> Option<Definition> {
        let name = self.name(what)?;
        self.value_of(name)
    }

    /// `inverse x' = …`
    fn inverse(&mut self) -> Option<Inverse> {
        let rate = self.rate()?;
        self.cursor.expect(TokenKind::Equal, "`=`")?;
        Some(Inverse { rate, value: self.cursor.expression()? })
    }

    /// `let r = …`, `let f(a, b) = …`
    fn abbreviation(&mut self) -> Option<Let> {
        let name = self.name("the name of the abbreviation")?;
        let mut arguments = Vec::new();
        if self.cursor.peek() == TokenKind::OpenParen && name.index.is_none() {
            self.cursor.bump();
            arguments = self.list(|parser| {
                let (name, span) = parser.cursor.name("the name of an argument")?;
                Some(Name { name, index: None, span })
            })?;
            self.cursor.expect(TokenKind::CloseParen, "`,` or `)`")?;
        }
        self.cursor.expect(TokenKind::Equal, "`=`")?;
        Some(Let { name, arguments, value: self.cursor.expression()? })
    }

    /// `input F : N = 0`
    fn input(&mut self) -> Option<Input> {
        let name = self.name("the name of the input")?;
        self.cursor.expect(TokenKind::Colon, "`:` and the unit of the input")?;
        let unit = self.cursor.unit();
        let mut value = None;
        if self.cursor.eat(TokenKind::Equal).is_some() {
            value = Some(self.cursor.expression()?);
        }
        all!(Input { name, unit, value }, unit)
    }

    /// `unknown H, V : N`
    fn unknown(&mut self) -> Option<Unknown> {
        let names = self.list(|parser| parser.name("the name of an unknown"))?;
        self.cursor.expect(TokenKind::Colon, "`:` and the unit of the unknowns")?;
        Some(Unknown { names, unit: self.cursor.unit()? })
    }

    /// `frame B = N rotated z by phi`
    fn frame(&mut self) -> Option<Frame> {
        let name = self.name("the name of the frame")?;
        self.cursor.expect(TokenKind::Equal, "`=` and the frame to turn")?;
        let parent = self.name("the frame to turn, such as `N`")?;
        let orientation = if self.cursor.eat_word("quaternion").is_some() {
            Orientation::Quaternion(self.cursor.tuple()?)
        } else {
            self.word("rotated", &["quaternion"])?;
            Orientation::Rotated(self.list(Self::turn)?)
        };
        Some(Frame { name, parent, orientation })
    }

    fn turn(&mut self) -> Option<Turn> {
        let axis = match self.cursor.text_of(self.cursor.token()) {
            "x" => Some(Axis::X),
            "y" => Some(Axis::Y),
            "z" => Some(Axis::Z),
            _ => None,
        };
        let about = match axis {
            Some(axis) => {
                self.cursor.bump();
                TurnAxis::Own(axis)
            }
            None if self.cursor.peek() == TokenKind::OpenParen => TurnAxis::Direction(self.cursor.tuple()?),
            None => {
                self.cursor.unexpected("`x`, `y`, `z` or a direction `(a, b, c)` to turn about");
                return None;
            }
        };
        self.word("by", &[])?;
        Some(Turn { about, angle: self.cursor.expression()? })
    }

    /// `point P = (x, y) mass m exhaust u`
    fn point(&mut self) -> Option<Point> {
        let name = self.name("the name of the point")?;
        self.cursor.expect(TokenKind::Equal, "`=` and the position")?;
        let position = self.cursor.expression();
        let mass = self.clause("mass");
        let exhaust = self.clause("exhaust");
        let point = all!(Point { name, position, mass, exhaust }, position, mass, exhaust)?;
        let open: &[&str] = if point.mass.is_some() { &["exhaust", "for"] } else { &["mass", "for"] };
        self.end_unless_for(open)?;
        Some(point)
    }

    /// `body D mass m at C frame B inertia J about P`
    fn body(&mut self) -> Option<Body> {
        let name = self.name("the name of the body")?;
        self.word("mass", &[])?;
        let mass = self.cursor.expression();
        self.word("at", &[])?;
        let at = self.cursor.expression();
        self.word("frame", &[])?;
        let frame = self.name("the name of the body's frame");
        self.word("inertia", &[])?;
        let inertia = self.cursor.expression();
        let about = self.clause("about");
        let body = all!(Body { name, mass, at, frame, inertia, about }, mass, at, frame, inertia, about)?;
        self.end_unless_for(&["about", "for"])?;
        Some(body)
    }

    /// `gravity (0, -g)` and other single expressions
    fn quantity(&mut self) -> Option<Quantity> {
        Some(Quantity { value: self.cursor.expression()? })
    }

    /// `force F on P at r against Q`
    fn force(&mut self) -> Option<Force> {
        let value = self.cursor.expression();
        self.word("on", &[])?;
        let on = self.name("the point or body that the force acts on")?;
        let at = self.clause("at");
        let against = self.against();
        let force = all!(Force { value, on, at, against }, value, at, against)?;
        self.end_unless_for(&["at", "against", "for"])?;
        Some(force)
    }

    /// `torque M on D against E`
    fn torque(&mut self) -> Option<Torque> {
        let value = self.cursor.expression();
        self.word("on", &[])?;
        let on = self.name("the body that the torque acts on")?;
        let against = self.against();
        let torque = all!(Torque { value, on, against }, value, against)?;
        self.end_unless_for(&["against", "for"])?;
        Some(torque)
    }

    fn against(&mut self) -> Option<Option<Name>> {
        match self.cursor.eat_word("against") {
            Some(_) => Some(Some(self.name("the point or body that the opposite acts on")?)),
            None => Some(None),
        }
    }

    /// `generalized force Q on x`
    fn generalized_force(&mut self) -> Option<GeneralizedForce> {
        self.word("force", &[])?;
        let value = self.cursor.expression();
        self.word("on", &[])?;
        let on = self.name("the coordinate that the force acts on")?;
        all!(GeneralizedForce { value, on }, value)
    }

    /// `spring c rest l between A and B`
    fn spring(&mut self) -> Option<Spring> {
        let stiffness = self.cursor.expression();
        let rest = self.clause("rest");
        let (from, to) = self.between(&["rest"])?;
        all!(Spring { stiffness, rest, from, to }, stiffness, rest)
    }

    /// `damper b between A and B`
    fn damper(&mut self) -> Option<Damper> {
        let coefficient = self.cursor.expression();
        let (from, to) = self.between(&[])?;
        all!(Damper { coefficient, from, to }, coefficient)
    }

    fn between(&mut self, also: &[&str]) -> Option<(Node, Node)> {
        self.word("between", also)?;
        let from = self.cursor.expression();
        self.word("and", &[])?;
        let to = self.cursor.expression();
        Some((from?, to?))
    }

    /// `constraint rod: left = right from … until …`
    fn constraint(&mut self) -> Option<Constraint> {
        let label = self.label()?;
        let relation = self.cursor.relation();
        let from = self.switch("from");
        let until = self.switch("until");
        let constraint = all!(Constraint { label, relation, from, until }, relation, from, until)?;
        if !matches!(constraint.relation.comparison, Comparison::Equal | Comparison::AtLeast | Comparison::AtMost) {
            let sign = constraint.relation.comparison.symbol();
            let error = Diagnostic::error(constraint.relation.span, format!("a constraint cannot use `{sign}`"));
            self.report(error.hint(match sign {
                "<" => "write `<=` for a one-sided constraint",
                ">" => "write `>=` for a one-sided constraint",
                _ => "a constraint is written with `=`, `>=` or `<=`",
            }));
            return None;
        }
        self.end_unless_for(&["from", "until", "for"])?;
        Some(constraint)
    }

    fn switch(&mut self, word: &str) -> Option<Option<Relation>> {
        match self.cursor.eat_word(word) {
            Some(_) => Some(Some(self.cursor.relation()?)),
            None => Some(None),
        }
    }

    /// `contact ground: D rolls as disc(r, B.y) at C on plane(n, d) of E unilateral`
    fn contact(&mut self) -> Option<Contact> {
        let label = self.label()?;
        let what = self.name("the point or body that touches")?;
        let motion = self.motion()?;
        let shape = match self.cursor.eat_word("as") {
            Some(_) => Some(self.shape()?),
            None => None,
        };
        let at = self.clause("at")?;
        self.word("on", &["as", "at"])?;
        self.word("plane", &[])?;
        let plane = self.plane()?;
        let of = match self.cursor.eat_word("of") {
            Some(_) => Some(self.name("the frame or body that carries the plane")?),
            None => None,
        };
        let unilateral = self.cursor.eat_word("unilateral").is_some();
        self.end_unless_for(&["of", "unilateral", "for"])?;
        Some(Contact { label, what, motion, shape, at, plane, of, unilateral })
    }

    fn motion(&mut self) -> Option<Motion> {
        if self.cursor.eat_word("rolls").is_some() {
            return Some(Motion::Rolls);
        }
        if self.cursor.eat_word("slides").is_some() {
            return Some(Motion::Slides);
        }
        self.word("skates", &["rolls", "slides"])?;
        self.word("along", &[])?;
        Some(Motion::Skates(self.cursor.expression()?))
    }

    fn shape(&mut self) -> Option<Shape> {
        let (name, start) = self.cursor.name("a shape such as `sphere(r)`")?;
        let Some(kind) = ShapeKind::ALL.into_iter().find(|kind| kind.word() == name) else {
            let near = nearest(&name, ShapeKind::ALL.map(ShapeKind::word));
            let usages = ShapeKind::ALL.map(|kind| format!("`{}`", kind.usage())).join(", ");
            let error = Diagnostic::error(start, format!("`{name}` is not a shape"));
            self.report(match near {
                Some(near) => error.hint(format!("did you mean `{near}`? Shapes are {usages}")),
                None => error.hint(format!("shapes are {usages}")),
            });
            return None;
        };
        self.cursor.expect(TokenKind::OpenParen, "`(`")?;
        let arguments = self.list(|parser| parser.cursor.expression())?;
        self.cursor.expect(TokenKind::CloseParen, "`,` or `)`")?;
        let span = start.to(self.cursor.last_span());
        let (radii, axis) = kind.arguments();
        if arguments.len() != radii + usize::from(axis) {
            let error =
                Diagnostic::error(span, format!("`{name}` does not take {}", count(arguments.len(), "argument")));
            self.report(error.hint(format!("write `{}`", kind.usage())));
            return None;
        }
        Some(Shape { kind, arguments, span })
    }

    fn plane(&mut self) -> Option<Node> {
        let plane = self.cursor.tuple()?;
        if matches!(&plane.kind, NodeKind::Tuple(entries) if entries.len() == 2) {
            return Some(plane);
        }
        let error = Diagnostic::error(plane.span, "a plane has a normal and a distance");
        self.report(error.hint("write `plane(N.z, 0)`; a normal by its components is `plane((0, 0, 1), 0)`"));
        None
    }

    /// `friction mu on ground`
    fn surface(&mut self) -> Option<Surface> {
        let value = self.cursor.expression();
        self.word("on", &[])?;
        let on = self.name("the contact or constraint")?;
        all!(Surface { value, on }, value)
    }

    /// `stop landed when y <= 0`
    fn event(&mut self) -> Option<Event> {
        let name = match self.cursor.at_word("when") {
            true => None,
            false => Some(self.name("`when`, or the name of the event")?),
        };
        self.word("when", &[])?;
        Some(Event { name, when: self.cursor.relation()? })
    }

    /// `expect name: fact`
    fn statement(&mut self) -> Option<Statement> {
        let label = self.label()?;
        let fact = self.fact()?;
        Some(Statement { label, fact })
    }

    fn fact(&mut self) -> Option<Fact> {
        let next = self.cursor.peek_at(1);
        let operand = matches!(
            next,
            TokenKind::Name
                | TokenKind::Number
                | TokenKind::OpenParen
                | TokenKind::Minus
                | TokenKind::Plus
                | TokenKind::Newline
                | TokenKind::End
        );
        if self.cursor.at_word("constant") && operand {
            self.cursor.bump();
            return Some(Fact::Constant(self.cursor.expression()?));
        }
        if self.cursor.at_word("event") && next == TokenKind::Name {
            self.cursor.bump();
            return self.event_fact();
        }
        if self.cursor.at_word("freedoms") && next == TokenKind::Equal {
            self.cursor.bump();
            self.cursor.bump();
            return Some(Fact::Freedoms(self.cursor.expression()?));
        }
        if self.cursor.at_word("equilibrium") && operand {
            self.cursor.bump();
            return self.equilibrium();
        }
        let relation = self.cursor.relation();
        let at = self.at();
        let within = self.clause("within");
        let fact = all!(Fact::Relation { relation, at, within }, relation, at, within)?;
        self.end_unless_for(&["at", "within", "for"])?;
        Some(fact)
    }

    fn event_fact(&mut self) -> Option<Fact> {
        let event = self.name("the name of an event")?;
        self.word("at", &[])?;
        let at = self.equation();
        let within = self.clause("within");
        all!(Fact::Event { event, at, within }, at, within)
    }

    fn equilibrium(&mut self) -> Option<Fact> {
        let equations = self.equations()?;
        let stability = [Stability::Stable, Stability::Unstable].into_iter().find(|stability| {
            let found = self.cursor.eat_word(stability.word());
            found.is_some()
        });
        self.end_unless_for(&["stable", "unstable", "for"])?;
        Some(Fact::Equilibrium { equations, stability })
    }

    fn at(&mut self) -> Option<Option<At>> {
        if self.cursor.eat_word("at").is_none() {
            return Some(None);
        }
        let alone = self.cursor.token_at(1);
        let ends = matches!(alone.kind, TokenKind::Newline | TokenKind::End | TokenKind::Name);
        if self.cursor.at_word("start") && ends {
            self.cursor.bump();
            return Some(Some(At::Start));
        }
        Some(Some(At::Equations(self.equations()?)))
    }

    // ---------------------------------------------------------------------------------------
    // Parts that several keywords share

    fn name(&mut self, what: &str) -> Option<Name> {
        let node = self.cursor.indexed_name(what)?;
        let NodeKind::Name { name, index } = node.kind else {
            return None;
        };
        Some(Name { name, index: index.map(|index| *index), span: node.span })
    }

    fn rate(&mut self) -> Option<Name> {
        let mut rate = self.name("the rate of a coordinate, such as `x'`")?;
        if self.cursor.peek() != TokenKind::Prime {
            let error = Diagnostic::error(rate.span, format!("`{}` is not a rate", rate.name));
            self.report(error.hint(format!("write `{}'`", rate.name)));
            return None;
        }
        rate.span = rate.span.to(self.cursor.bump().span);
        Some(rate)
    }

    /// `name:`
    fn label(&mut self) -> Option<Name> {
        let keyword = self.keyword;
        let what = format!("the name of the {keyword}");
        if self.cursor.peek() == TokenKind::Name || self.cursor.peek() == TokenKind::Colon {
            let label = self.name(&what)?;
            if self.cursor.eat(TokenKind::Colon).is_some() {
                return Some(label);
            }
            if let NodeKind::Name { .. } = self.name_node(&label).kind
                && self.cursor.peek() == TokenKind::Name
            {
                self.cursor.unexpected("`:`");
                return None;
            }
        }
        let span = self.cursor.last_span().to(self.cursor.token().span);
        let error = Diagnostic::error(span, format!("a name and a colon are missing after `{keyword}`"));
        self.report(error.hint(format!("write `{keyword} name: …`; messages and results use the name")));
        None
    }

    fn name_node(&self, name: &Name) -> Node {
        let index = name.index.clone().map(Box::new);
        Node::new(NodeKind::Name { name: name.name.clone(), index }, name.span)
    }

    fn equations(&mut self) -> Option<Vec<Relation>> {
        self.list(Self::equation)
    }

    fn equation(&mut self) -> Option<Relation> {
        let relation = self.cursor.relation()?;
        if relation.comparison == Comparison::Equal {
            return Some(relation);
        }
        let sign = relation.comparison.symbol();
        let error = Diagnostic::error(relation.span, format!("an equation has `=`, not `{sign}`"));
        self.report(error);
        None
    }

    /// Entries between commas; all are read, also after one that could not be.
    fn list<T>(&mut self, mut entry: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut entries = vec![entry(self)];
        while self.cursor.eat(TokenKind::Comma).is_some() {
            entries.push(entry(self));
        }
        entries.into_iter().collect()
    }

    /// The expression after a word, if the word stands here; `None` if it could not be read.
    fn clause(&mut self, word: &str) -> Option<Option<Node>> {
        match self.cursor.eat_word(word) {
            Some(_) => Some(Some(self.cursor.expression()?)),
            None => Some(None),
        }
    }

    /// The names on a line that could not be read, from its start to its end or to where reading resumes.
    fn names_from(&self, start: Span, all: &[Token]) -> Vec<(String, Span)> {
        let first = all.partition_point(|token| token.span.start < start.start);
        let here = self.cursor.token().span.start;
        let on_line = all[first..].iter().take_while(|token| match self.resume {
            true => token.span.start < here,
            false => token.kind != TokenKind::Newline,
        });
        let names = on_line.skip(1).filter(|token| token.kind == TokenKind::Name);
        names.map(|token| (self.cursor.text_of(*token).to_owned(), token.span)).collect()
    }
}

/// `1 argument`, `2 arguments`
pub(crate) fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}
