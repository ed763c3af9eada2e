//! Which inputs move something? Those that stand in places, constraints and energies, or whose rate is asked for.
//!
//! An input in a load is a number at every instant, and that is all. A steering angle is more: the equations of motion
//! have its rate and its acceleration in them, so that it is a function of time there. What is looked at are names, so an
//! input that an abbreviation hides is found, and all elements of a family are taken together.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{Node, NodeKind};

use crate::Model;
use crate::declaration::Declaration;
use crate::walk::{Part, Parts, find};

impl Model {
    /// The names of the inputs that move something; of a family its name without an index.
    pub fn moving_inputs(&self) -> FxHashSet<String> {
        let declarations = || self.lines.iter().map(|line| &line.declaration);
        let mut inputs = FxHashSet::default();
        let mut hidden: FxHashMap<String, FxHashSet<String>> = FxHashMap::default();
        for declaration in declarations() {
            match declaration {
                Declaration::Input(input) => inputs.extend(input.names.iter().map(|one| family(&one.name))),
                Declaration::Let(one) => {
                    hidden.entry(family(&one.name.name)).or_default().extend(names_in(&one.value));
                }
                Declaration::Observe(one) => {
                    hidden.entry(family(&one.name.name)).or_default().extend(names_in(&one.value));
                }
                _ => {}
            }
        }
        if inputs.is_empty() {
            return inputs;
        }
        let mut waiting: Vec<String> = Vec::new();
        for declaration in declarations() {
            let mut looked_at: Vec<&Node> = Vec::new();
            declaration.look(&mut |part| {
                if let Part::Node(node) = part {
                    looked_at.push(node);
                }
            });
            let in_rates = looked_at.iter().flat_map(|node| differentiated(node));
            waiting.extend(in_rates);
            match declaration {
                Declaration::Force(force) => waiting.extend(force.at.iter().flat_map(names_in)),
                Declaration::Spring(spring) => {
                    let ends = spring.rest.iter().chain([&spring.from, &spring.to]);
                    waiting.extend(ends.flat_map(names_in));
                }
                Declaration::Damper(damper) => {
                    waiting.extend([&damper.from, &damper.to].into_iter().flat_map(names_in))
                }
                _ if is_geometry(declaration) => waiting.extend(looked_at.into_iter().flat_map(names_in)),
                _ => {}
            }
        }
        let mut seen: FxHashSet<String> = FxHashSet::default();
        while let Some(name) = waiting.pop() {
            if seen.insert(name.clone()) {
                waiting.extend(hidden.get(&name).into_iter().flatten().cloned());
            }
        }
        inputs.retain(|name| seen.contains(name));
        inputs
    }
}

/// Whether what a line names is differentiated in time.
fn is_geometry(declaration: &Declaration) -> bool {
    matches!(
        declaration,
        Declaration::Frame(_)
            | Declaration::Point(_)
            | Declaration::Body(_)
            | Declaration::Rod(_)
            | Declaration::Shape(_)
            | Declaration::Potential(_)
            | Declaration::Kinetic(_)
            | Declaration::Speed(_)
            | Declaration::Inverse(_)
            | Declaration::Constraint(_)
            | Declaration::Joint(_)
            | Declaration::Contact(_)
    )
}

/// A name without its index.
fn family(name: &str) -> String {
    name.split('[').next().unwrap_or(name).to_owned()
}

/// All names in an expression.
fn names_in(node: &Node) -> Vec<String> {
    let mut names = Vec::new();
    find::<()>(node, &mut |node| {
        match &node.kind {
            NodeKind::Name { name, .. } => names.push(family(name)),
            NodeKind::Call { name, .. } => names.push(name.clone()),
            _ => {}
        }
        None
    });
    names
}

/// All names of which an expression takes the rate.
fn differentiated(node: &Node) -> Vec<String> {
    let mut names = Vec::new();
    find::<()>(node, &mut |node| {
        if let NodeKind::Prime { of, .. } = &node.kind {
            names.extend(names_in(of));
        }
        None
    });
    names
}
