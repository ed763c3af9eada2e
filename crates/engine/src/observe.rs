//! What does a model observe, and what has no value?

use dynamics::Known;
use expr::Expr;
use mechanics::ingredients::Ingredients;
use mechanics::{Reading, Term};

use crate::{Error, Field, Loaded};

/// An error that names the functions of which only the arguments are known.
pub fn unspecified(loaded: &Loaded) -> Option<Error> {
    let names: Vec<String> = loaded.system.functions().map(|one| format!("`{}`", one.name)).collect();
    let first = loaded.system.functions().next()?;
    let are = if names.len() == 1 { "is a function" } else { "are functions" };
    let error = Error::new(format!("{} {are} of which only the arguments are known", names.join(", ")));
    Some(error.hint(format!("give it, as in `{}`", Field::Set.asked(format_args!("\"{} = …\"", first.name)))))
}

/// An error that names what has no value.
pub fn valueless(loaded: &Loaded) -> Option<Error> {
    if let Some(error) = unspecified(loaded) {
        return Some(error);
    }
    let missing = without_value(loaded);
    let first = missing.first()?;
    let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
    let have = if names.len() == 1 { "has" } else { "have" };
    let hint = match loaded.system.unknowns.iter().any(|unknown| unknown.name == *first) {
        true => format!("`{first}` is a load that statics finds; declare it with `input` to give it a value"),
        false => format!(
            "give values with `{}`, or in a file with `{}`",
            Field::Set.asked(format_args!("{first}=…")),
            Field::With
        ),
    };
    Some(Error::new(format!("{} {have} no value", names.join(", "))).hint(hint))
}

/// An error if the law of a reaction determines no motion at the first state, or two.
pub fn lawful(loaded: &Loaded) -> Result<(), Error> {
    let hint = "choose another state, or change the law; see docs/friction.md, Laws of one's own";
    match loaded.system.laws.iter().find_map(|law| law.trouble(&loaded.at)) {
        Some(trouble) => Err(Error::new(trouble).hint(hint)),
        None => Ok(()),
    }
}

/// Parameters and inputs without a value.
fn without_value(loaded: &Loaded) -> Vec<String> {
    let mut names = loaded.start.missing.clone();
    let parameters = loaded.system.parameters.iter().zip(&loaded.start.parameters);
    let parameters = parameters.filter(|(_, value)| value.is_none()).map(|(parameter, _)| &parameter.name);
    // the rate of an input follows from its value
    names.retain(|name| !name.ends_with('\''));
    let is_asked = |input: &&mechanics::Input| input.value.is_none() && !input.is_rate();
    let inputs = loaded.system.inputs.iter().filter(is_asked).map(|input| &input.name);
    let unknowns = loaded.system.unknowns.iter().map(|unknown| &unknown.name);
    for name in parameters.chain(inputs).chain(unknowns) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// The expressions that the model observes, component by component.
pub fn observed(loaded: &Loaded, given: &Ingredients<'_>) -> Vec<(String, Vec<Expr>)> {
    let known = Known { given, everywhere: false };
    let reading = Reading { motion: Some(&known), ..Reading::default() };
    let components = |term: Term| match term {
        Term::Scalar(e) => Some(vec![e]),
        Term::Vector(vector) => Some(vector.0.to_vec()),
        Term::Deferred(_) => None,
    };
    let of = |observe: &mechanics::Observe| {
        let term = match &observe.value {
            Term::Deferred(tree) => loaded.system.read(tree, reading).ok()?,
            term => term.clone(),
        };
        Some((observe.name.clone(), given.thawed(&components(term)?).ok()?))
    };
    loaded.system.observes.iter().filter_map(of).collect()
}

/// What the model observes and does not follow from it, or is not determined, in words.
pub fn unobserved(loaded: &Loaded, given: &Ingredients<'_>) -> Vec<String> {
    let known = Known { given, everywhere: false };
    let reading = Reading { motion: Some(&known), ..Reading::default() };
    let of = |observe: &mechanics::Observe| {
        let Term::Deferred(tree) = &observe.value else { return None };
        let error = loaded.system.read(tree, reading).err()?;
        Some(format!("`{}` is not shown: {}", observe.name, error.message))
    };
    loaded.system.observes.iter().filter_map(of).collect()
}
