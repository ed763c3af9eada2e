//! In which units are coordinates written?

use crate::{Loaded, Ordered};

/// The coordinates with their SI units; an angle is in rad.
pub fn coordinate_units(loaded: &Loaded) -> Ordered<String> {
    let mut angles = rustc_hash::FxHashSet::default();
    for line in &loaded.model.lines {
        if let model::Declaration::Coord(coord) = &line.declaration
            && coord.unit.as_ref().is_some_and(|unit| matches!(syntax::format_unit(unit).as_str(), "rad" | "deg"))
        {
            angles.extend(coord.families.iter().map(|family| family.name.as_str()));
        }
    }
    let unit = |coordinate: &mechanics::Coordinate| {
        let family = coordinate.name.split('[').next().unwrap_or_default();
        let unit = coordinate.dimension.as_ref().map(model::Dimension::unit).unwrap_or_default();
        let unit = if angles.contains(family) { "rad".to_owned() } else { unit };
        (coordinate.name.clone(), unit)
    };
    loaded.system.coordinates.iter().map(unit).collect()
}
