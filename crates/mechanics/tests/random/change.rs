//! What are the same points called in other coordinates? q = Q(q̃), triangular and invertible.
//!
//! ```text
//! q_i = q̃_i + c φ(q̃_j)               j < i,  φ(x) = x, x², sin x                        (1)
//! q_i = q̃_i + c sin q̃_i              |c| < 1                                             (2)
//! ```
//!
//! Equations of motion that are right in one set of coordinates are right in all (Tzenoff's invariance).

use std::collections::BTreeSet;

use expr::field::Random;

use crate::jet::Jet;

/// New names and the map from new to old coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub names: Vec<String>,
    rules: Vec<Rule>,
    /// How a coordinate is made a number, and a number a coordinate: `/(1 m)`, `(1 m)*`.
    units: Vec<[&'static str; 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Linear,
    Square,
    Sine,
}

/// c φ(q̃_of).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rule {
    size: f64,
    shape: Shape,
    of: usize,
}

impl Change {
    pub fn draw(random: &mut Random, names: &[String], is_angle: &[bool], has_units: bool) -> Change {
        let rule = |place: usize| {
            let size = (1 + random.below(5)) as f64 / 10.0;
            let of = random.below(place as u64 + 1) as usize;
            let shape = match random.below(3) {
                _ if of == place => Shape::Sine,
                0 => Shape::Linear,
                1 => Shape::Square,
                _ => Shape::Sine,
            };
            Rule { size, shape, of }
        };
        let rules = (0..names.len()).map(rule).collect();
        let unit = |&is_angle: &bool| if has_units && !is_angle { ["/(1 m)", "(1 m)*"] } else { ["", ""] };
        let names = names.iter().map(|name| format!("{name}n")).collect();
        Change { names, rules, units: is_angle.iter().map(unit).collect() }
    }

    /// The old coordinate as a formula of the new ones.
    pub fn text(&self, place: usize) -> String {
        let Rule { size, shape, of } = self.rules[place];
        let pure = format!("{}{}", self.names[of], self.units[of][0]);
        let function = match shape {
            Shape::Linear => pure,
            Shape::Square => format!("({pure})^2"),
            Shape::Sine => format!("sin({pure})"),
        };
        format!("{} + {}{size:.1}*{function}", self.names[place], self.units[place][1])
    }

    /// ∂q/∂q̃ for each new coordinate on which the old one depends.
    pub fn slopes(&self, place: usize) -> Vec<(String, usize)> {
        let Rule { size, shape, of } = self.rules[place];
        let pure = format!("{}{}", self.names[of], self.units[of][0]);
        let slope = match shape {
            Shape::Linear => format!("{size:.1}"),
            Shape::Square => format!("{:.1}*{pure}", 2.0 * size),
            Shape::Sine => format!("{size:.1}*cos({pure})"),
        };
        // The slope has the unit of the old coordinate over that of the new one.
        let unit = match (self.units[place][0], self.units[of][0]) {
            (a, b) if a == b => "",
            ("", _) => "/(1 m)",
            _ => "*(1 m)",
        };
        match of == place {
            true => vec![(format!("1 + {slope}"), place)],
            false => vec![("1".to_owned(), place), (format!("{slope}{unit}"), of)],
        }
    }

    /// The new coordinates on which these old ones depend.
    pub fn reach(&self, old: &BTreeSet<usize>) -> BTreeSet<usize> {
        old.iter().flat_map(|&place| [place, self.rules[place].of]).collect()
    }

    fn function(rule: Rule, x: Jet) -> Jet {
        let size = Jet::constant(rule.size);
        match rule.shape {
            Shape::Linear => size * x,
            Shape::Square => size * x * x,
            Shape::Sine => size * x.sin(),
        }
    }

    /// The old coordinates where the new ones are these.
    pub fn forward(&self, new: &[Jet]) -> Vec<Jet> {
        (0..new.len())
            .map(|place| new[place] + Change::function(self.rules[place], new[self.rules[place].of]))
            .collect()
    }

    /// The new coordinates and their rates where the old ones are these.
    pub fn inverse(&self, old: &[Jet]) -> Vec<Jet> {
        let mut new: Vec<Jet> = Vec::with_capacity(old.len());
        for (&q, &rule) in old.iter().zip(&self.rules) {
            if rule.of < new.len() {
                let found = q - Change::function(rule, new[rule.of]);
                new.push(found);
                continue;
            }
            let mut x = q.value;
            for _ in 0..100 {
                x -= (x + rule.size * x.sin() - q.value) / (1.0 + rule.size * x.cos());
            }
            let slope = 1.0 + rule.size * x.cos();
            let rate = q.rate / slope;
            new.push(Jet::new(x, rate, (q.acceleration + rule.size * x.sin() * rate * rate) / slope));
        }
        new
    }
}
