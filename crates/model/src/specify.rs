//! How is a function given of which only the arguments were known? `b(x, t) = sin(x)*t/(1 s)`.
//!
//! The line that declares it becomes a `let` with arguments; what the value may depend on are these.

use syntax::{Arguments, Diagnostic, Node, NodeKind, Span};

use crate::Model;
use crate::declaration::{Declaration, Function, Line, Unknown};
use crate::kind::Kind;
use crate::walk::{PartMut, Parts, find};

impl Model {
    fn function(&self, name: &str) -> Option<&Function> {
        self.lines.iter().find_map(|line: &Line| match &line.declaration {
            Declaration::Function(function) | Declaration::Unknown(Unknown { function: Some(function), .. })
                if function.name.name == name =>
            {
                Some(function)
            }
            _ => None,
        })
    }

    /// The line that gives a function.
    pub(crate) fn specified(
        &self,
        target: &Node,
        name: &str,
        list: &[Node],
        mut value: Node,
    ) -> Result<String, Diagnostic> {
        let Some(function) = self.function(name) else {
            let error = Diagnostic::error(target.span, format!("this model declares no function `{name}`"));
            return Err(error.hint("a function is declared as in `function b(x, t) : 1`"));
        };
        let declared: Vec<String> = function.arguments.iter().map(syntax::format).collect();
        if declared != list.iter().map(syntax::format).collect::<Vec<_>>() {
            let error = Diagnostic::error(target.span, format!("`{name}` is a function of {}", declared.join(", ")));
            return Err(error.hint(format!("write `{name}({}) = …`", declared.join(", "))));
        }
        let fresh = |place: usize| format!("{name}_{}", place + 1);
        replace(&mut value, &|node| {
            let place = declared.iter().position(|argument| *argument == syntax::format(node))?;
            Some(NodeKind::Name { name: fresh(place), index: None })
        });
        let other = find(&value, &mut |node| match &node.kind {
            NodeKind::Name { name: one, .. } if one == "t" => Some(one.clone()),
            NodeKind::Name { name: one, .. } => {
                let kind = self.symbol(one).map(|symbol| symbol.kind);
                (!matches!(kind, None | Some(Kind::Parameter | Kind::Function))).then(|| one.clone())
            }
            _ => None,
        });
        if let Some(other) = other {
            let error = Diagnostic::error(target.span, format!("`{name}` does not depend on `{other}`"));
            return Err(error.hint(format!("it is a function of {}", declared.join(", "))));
        }
        let arguments: Vec<String> = (0..declared.len()).map(fresh).collect();
        Ok(format!("let {name}({}) = {}", arguments.join(", "), syntax::format(&value)))
    }

    /// A function keeps its dimension.
    pub(crate) fn other_function(&self, changed: &Model, assignments: &[(&str, &str)]) -> Option<Diagnostic> {
        let mut start = 0;
        assignments.iter().find_map(|(name, value)| {
            let length = (name.len() + 1 + value.len()) as u32;
            let span = Span::new(start, start + length);
            start += length + 1;
            let bare = name.split_once('(')?.0.trim();
            let function = self.function(bare)?;
            let call = Arguments::List(function.arguments.clone());
            let call = Node::new(NodeKind::Call { name: bare.to_owned(), arguments: call }, Span::default());
            let probe = changed.with("", &format!("let {bare}_probe = {}", syntax::format(&call))).model?;
            let found = probe.symbol(&format!("{bare}_probe"))?.dimension.clone()?;
            let wanted = self.symbol(bare)?.dimension.clone()?;
            let error = || Diagnostic::error(span, format!("`{bare}` {}, and this {}", wanted.said(), found.said()));
            (found != wanted).then(|| error().hint("divide by units: `t/(1 s)` is a number"))
        })
    }
}

/// Puts something in for parts of an expression.
fn replace(node: &mut Node, by: &dyn Fn(&Node) -> Option<NodeKind>) {
    if let Some(kind) = by(node) {
        node.kind = kind;
        return;
    }
    node.kind.change(&mut |part| {
        if let PartMut::Node(child) = part {
            replace(child, by);
        }
    });
}
