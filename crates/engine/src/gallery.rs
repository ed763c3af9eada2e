//! Which built-in model or claim is meant, and how is a model file formatted?

use crate::Error;

pub use ::gallery::{CLAIMS, ClaimFile, Example, GALLERY};

/// The built-in claims of that name; a wrong name is answered with the nearest one.
pub fn claims(name: &str) -> Result<&'static ClaimFile, Error> {
    CLAIMS.iter().find(|file| file.name == name).ok_or_else(|| {
        let hint = match syntax::nearest(name, CLAIMS.iter().map(|file| file.name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`anholon gallery claims` lists them".to_owned(),
        };
        Error::new(format!("the gallery has no claims `{name}`")).hint(hint)
    })
}

/// The built-in model of that name; a wrong name is answered with the nearest one.
pub fn example(name: &str) -> Result<&'static Example, Error> {
    GALLERY.iter().find(|example| example.name == name).ok_or_else(|| {
        let names = GALLERY.iter().map(|example| example.name);
        let hint = match syntax::nearest(name, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`anholon gallery` lists the models".to_owned(),
        };
        Error::new(format!("the gallery has no model `{name}`")).hint(hint)
    })
}

/// A model file in canonical form; comments are kept.
pub fn format(file_name: &str, text: &str) -> Result<String, Error> {
    model::format(text).map_err(|diagnostics| Error::of_text(file_name, text, &diagnostics))
}

/// A commented template for a new model.
pub fn template() -> &'static str {
    model::template()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_is_read_without_a_complaint_lowered_and_formatted() {
        for example in GALLERY {
            let parsed = model::parse(example.name, example.text);
            let model = parsed.model.as_ref().unwrap_or_else(|| panic!("{}", parsed.render()));
            assert!(parsed.diagnostics.is_empty(), "{}", parsed.render());
            let titles = model.lines.iter().filter_map(|line| match &line.declaration {
                model::Declaration::System(text) => Some(text.texts.join(" ")),
                _ => None,
            });
            assert_eq!(titles.collect::<Vec<_>>(), [example.title()], "{}", example.name);
            assert_eq!(format(example.name, example.text).unwrap(), example.text, "{}", example.name);
            let _scope = expr::Scope::enter();
            let system = mechanics::lower(model).unwrap_or_else(|errors| panic!("{}: {errors:?}", example.name));
            let start = mechanics::start(&system);
            assert!(start.is_consistent(), "{}: {:?}", example.name, start.contradictions);
        }
    }
}
