//! What may stand in a file of claims? What says something about a model and does not change it.

use engine::{Error, Field, Loaded, Settings};
use model::Declaration;
use syntax::Diagnostic;

/// The model with claims added to it; an error if their file changes the model.
///
/// ```
/// let model = engine::Settings::new("push.mech", "coord x : m\npoint P = (x, 0) mass 2 kg\n");
/// assert!(audit::with_claims(model.clone(), "mine.claims", "claim law: x'' = 0\n").is_ok());
/// assert!(audit::with_claims(model, "mine.claims", "force (1 N, 0) on P\n").is_err());
/// ```
pub fn with_claims(mut model: Settings, name: &str, text: &str) -> Result<Settings, Error> {
    only_claims(&model, name, text)?;
    model.with.push((name.to_owned(), text.to_owned()));
    Ok(model)
}

/// An error if a text that is said to hold claims changes a model.
pub(super) fn only_claims(model: &Settings, name: &str, text: &str) -> Result<(), Error> {
    // what cannot be read is complained of when it is loaded
    let Ok(lines) = model::read_lines(text) else { return Ok(()) };
    let mut loaded: Option<Loaded> = None;
    for line in &lines {
        let word = line.declaration.keyword();
        let names = match &line.declaration {
            Declaration::System(_)
            | Declaration::Source(_)
            | Declaration::Note(_)
            | Declaration::Let(_)
            | Declaration::Function(_)
            | Declaration::Unknown(_)
            | Declaration::Assume(_)
            | Declaration::Expect(_)
            | Declaration::Claim(_) => continue,
            Declaration::Param(model::Param::Values(values)) => values.iter().map(|one| &one.name).collect(),
            Declaration::Param(model::Param::Unit { names, .. }) => names.iter().collect::<Vec<_>>(),
            _ => {
                let message = format!("a file of claims says something about the model: `{word}` would change it");
                return Err(refused(name, text, line.span, message));
            }
        };
        if loaded.is_none() {
            loaded = Some(engine::load(model)?);
        }
        let known = |name: &str| {
            let parameters = loaded.iter().flat_map(|loaded| &loaded.system.parameters);
            parameters.clone().any(|one| one.name.split('[').next() == Some(name))
        };
        if let Some(old) = names.into_iter().find(|one| known(&one.name)) {
            let message = format!("`{}` is a parameter of the model: claims do not give it another value", old.name);
            return Err(refused(name, text, line.span, message));
        }
    }
    Ok(())
}

fn refused(name: &str, text: &str, span: syntax::Span, message: String) -> Error {
    let hint = format!(
        "change the model with `{}` or `{}`; here `let`, `assume`, `unknown`, `function` and parameters of new names are good",
        Field::With,
        Field::Set
    );
    Error::of_text(name, text, &[Diagnostic::error(span, message).hint(hint)]).of(Field::Claims)
}
