//! Which parts of long equations does a person have a name for?
//!
//! ```text
//! omega_B_x, omega_B_y, …        angular velocity of the body B, along the axes that its balance uses
//! v_B_x, v_B_y, …                velocity of a particle, or of a mass centre, along the axes of its frame
//! ```
//!
//! A part is known by its values, so it does not matter how it is written.

use expr::field::Element;
use expr::{Expr, Op};
use mechanics::ingredients::Ingredients;
use mechanics::kinematics::Local;
use rustc_hash::FxHashMap;

/// Velocities of a system by their values, with their names.
#[derive(Default)]
pub struct Quantities(FxHashMap<[Element; 2], String>);

impl Quantities {
    /// Of a system, in its rates and in the velocities of its chart.
    pub fn of(given: &Ingredients<'_>) -> Quantities {
        let mut known = Quantities::default();
        let Ok(free) = given.free() else { return known };
        for element in &free.elements {
            let of = plain(mechanics::steps::name_of(given, element.target));
            if let Some(spin) = &element.spin {
                known.add(given, &format!("omega_{of}"), &spin.omega);
            }
            known.add(given, &format!("v_{of}"), &element.velocity);
        }
        known
    }

    fn add(&mut self, given: &Ingredients<'_>, name: &str, local: &Local) {
        for (&value, axis) in local.components.0.iter().zip(["x", "y", "z"]) {
            let charted = given.on_shell(&[value]).ok().and_then(|list| list.first().copied());
            let values = [Some(value), charted].into_iter().flatten();
            for value in values.filter(|value| value.op() == Op::Sum && !value.has_branches()) {
                self.0.entry(value.image()).or_insert_with(|| format!("{name}_{axis}"));
            }
        }
    }

    /// The name for a part, and whether it stands for its opposite.
    pub fn called(&self, part: Expr) -> Option<(&str, bool)> {
        if self.0.is_empty() || part.has_branches() {
            return None;
        }
        let own = self.0.get(&part.image()).map(|name| (name.as_str(), false));
        own.or_else(|| self.0.get(&(-part).image()).map(|name| (name.as_str(), true)))
    }
}

/// `B[1]` as a part of a name.
pub fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect()
}
