//! How are the states of a motion kept? As a table whose columns grow when a constraint begins to act.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use super::columns::{Column, Meaning};
use engine::SharedLoad;

/// The states that were asked for.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// What the numbers are.
    pub columns: Vec<Column>,
    /// The instants.
    pub t: Vec<f64>,
    /// Numbers at each of them; what does not act is 0, what is not determined is no number.
    pub rows: Vec<Vec<f64>>,
    /// What rows carry together that share a load, at each of them.
    pub shared: Vec<Vec<SharedLoad>>,
    /// The instants that were asked for, and not for a fact alone.
    wanted: Vec<f64>,
}

/// One state.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// The time.
    pub t: f64,
    /// What the numbers are.
    pub columns: Vec<Column>,
    /// The numbers.
    pub values: Vec<f64>,
    /// Rows that share a load: what they carry together.
    pub shared_loads: Vec<SharedLoad>,
}

impl Table {
    /// A table for these instants.
    pub fn new(wanted: Vec<f64>) -> Table {
        Table { wanted, ..Table::default() }
    }

    /// Takes back what was added behind an instant.
    pub fn until(&mut self, t: f64) {
        let kept = self.t.partition_point(|time| *time <= t);
        self.t.truncate(kept);
        self.rows.truncate(kept);
        self.shared.truncate(kept);
    }

    /// Adds a state, if it was asked for.
    pub fn add(&mut self, t: f64, columns: &[Column], (values, shared): (&[f64], Vec<SharedLoad>)) {
        if self.wanted.binary_search_by(|wanted| wanted.total_cmp(&t)).is_err() {
            return;
        }
        // The columns of a stretch come in one order; new ones are put behind the one that stands before them.
        let mut row = vec![0.0; self.columns.len()];
        let mut next = 0;
        for (column, &value) in columns.iter().zip(values) {
            let place = match self.columns.get(next).filter(|known| *known == column) {
                Some(_) => next,
                None => match self.columns.iter().position(|known| known.meaning == column.meaning) {
                    Some(place) => place,
                    None => {
                        self.columns.insert(next, column.clone());
                        self.rows.iter_mut().for_each(|row| row.insert(next, 0.0));
                        row.insert(next, 0.0);
                        next
                    }
                },
            };
            row[place] = value;
            next = place + 1;
        }
        self.t.push(t);
        self.rows.push(row);
        self.shared.push(shared);
    }

    /// The numbers of a column by its name.
    pub fn column(&self, name: &str) -> Option<(&Column, Vec<f64>)> {
        let place = self.columns.iter().position(|column| column.name() == name)?;
        Some((&self.columns[place], self.rows.iter().map(|row| row[place]).collect()))
    }

    /// The states, one by one.
    pub fn samples(&self) -> impl Iterator<Item = Sample> {
        let columns = &self.columns;
        self.t.iter().zip(&self.rows).zip(&self.shared).map(move |((&t, row), shared)| Sample {
            t,
            columns: columns.clone(),
            values: row.clone(),
            shared_loads: shared.clone(),
        })
    }
}

impl Sample {
    /// A state.
    pub fn new(t: f64, columns: &[Column], values: &[f64], shared_loads: Vec<SharedLoad>) -> Sample {
        Sample { t, columns: columns.to_vec(), values: values.to_vec(), shared_loads }
    }

    /// A number by the name of its column.
    pub fn get(&self, name: &str) -> Option<f64> {
        let place = self.columns.iter().position(|column| column.name() == name)?;
        self.values.get(place).copied()
    }
}

impl Serialize for Sample {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("t", &self.t)?;
        let (mut speeds, mut multipliers, mut observes) = (Map::new(), Map::new(), Map::new());
        let (mut resultants, mut generalized): (Map<String, Value>, Map<String, Value>) = (Map::new(), Map::new());
        let mut reactions: Vec<Map<String, Value>> = Vec::new();
        let mut vector = |constraint: &str, on: &str, key: &str, axis: usize, value: f64| {
            let is_it = |one: &&mut Map<String, Value>| one["constraint"] == constraint && one["on"] == on;
            let place = match reactions.iter_mut().find(is_it) {
                Some(one) => one,
                None => {
                    let mut one = Map::new();
                    one.insert("constraint".to_owned(), json!(constraint));
                    one.insert("on".to_owned(), json!(on));
                    reactions.push(one);
                    let last = reactions.len() - 1;
                    &mut reactions[last]
                }
            };
            place.entry(key).or_insert_with(|| json!([0.0, 0.0, 0.0]))[axis] = json!(value);
        };
        for (column, &value) in self.columns.iter().zip(&self.values) {
            match &column.meaning {
                Meaning::Coordinate(_)
                | Meaning::Rate(_)
                | Meaning::Acceleration(_)
                | Meaning::State(_)
                | Meaning::Energy => {
                    object.serialize_entry(&column.name(), &value)?;
                }
                Meaning::Speed(name) => drop(speeds.insert(name.clone(), json!(value))),
                Meaning::Multiplier(row) => drop(multipliers.insert(row.clone(), json!(value))),
                Meaning::Force { constraint, on, axis } => vector(constraint, on, "vector", *axis, value),
                Meaning::Torque { constraint, on, axis } => vector(constraint, on, "torque", *axis, value),
                Meaning::Resultant { constraint, axis } => {
                    resultants.entry(constraint).or_insert_with(|| json!([0.0, 0.0, 0.0]))[*axis] = json!(value);
                }
                Meaning::Generalized { constraint, coordinate } => {
                    generalized.entry(constraint).or_insert_with(|| json!({}))[coordinate] = json!(value);
                }
                Meaning::Observe { name, axis: None } => drop(observes.insert(name.clone(), json!(value))),
                Meaning::Observe { name, axis: Some(axis) } => {
                    observes.entry(name).or_insert_with(|| json!([0.0, 0.0, 0.0]))[*axis] = json!(value);
                }
            }
        }
        object.serialize_entry("speeds", &speeds)?;
        object.serialize_entry("multipliers", &multipliers)?;
        object.serialize_entry("reactions", &reactions)?;
        object.serialize_entry("resultants", &resultants)?;
        object.serialize_entry("generalized_reactions", &generalized)?;
        if !self.shared_loads.is_empty() {
            object.serialize_entry("shared_loads", &self.shared_loads)?;
        }
        object.serialize_entry("observes", &observes)?;
        object.end()
    }
}
