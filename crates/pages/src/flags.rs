//! Which flag of the command line is a field of a question?

use anholon::Field;

/// A text of the engine with the flags of the command line in place of its marks.
pub fn spelled(text: &str) -> String {
    anholon::spelled(text, &|field, example| match example {
        "" => flag(field),
        _ => format!("{} {example}", flag(field)),
    })
}

/// What the command line calls a field.
pub fn flag(field: Field) -> String {
    let name = match field {
        Field::Duration => "for",
        Field::Target => "to",
        Field::Within => "box",
        Field::Candidates => "test",
        Field::Inputs => "input",
        Field::Outputs => "output",
        Field::Model | Field::Claims | Field::Expression | Field::Symbol => return field.name().to_uppercase(),
        _ => field.name(),
    };
    format!("--{name}")
}
