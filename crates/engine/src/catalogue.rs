//! Which forms are there, and what does each say of itself?

use mechanics::formalism::{FORMALISMS, Formalism};
use serde::Serialize;

use crate::Error;
use crate::forms::known;

/// What a form says of itself.
#[derive(Clone, Debug, Serialize)]
pub struct Explained {
    /// What questions call it.
    pub form: &'static str,
    /// Whose equations.
    pub equations_of: &'static str,
    /// Its family.
    pub family: String,
    /// What its family starts from.
    pub made_from: &'static str,
    /// Whether its equations are written in the velocities of a chart.
    pub charted: bool,
    /// Whether it answers another question than the others, and may disagree with them.
    pub stranger: bool,
    /// Its idea in one sentence.
    pub line: String,
    /// To which constraints it applies.
    pub class: String,
    /// Its formulas.
    pub formulas: Vec<&'static str>,
    /// What the letters mean and what is to be minded.
    pub words: Vec<String>,
    /// Who found it, and when.
    pub history: String,
    /// Where it is printed.
    pub source: String,
}

impl Explained {
    fn of(formalism: &'static Formalism) -> Explained {
        let page = formalism.page();
        Explained {
            form: formalism.name,
            equations_of: formalism.title,
            family: format!("{:?}", formalism.family),
            made_from: formalism.family.describe(),
            charted: formalism.charted,
            stranger: formalism.stranger,
            line: page.line,
            class: page.class,
            formulas: page.formulas,
            words: page.words,
            history: page.history,
            source: page.source,
        }
    }
}

/// All forms, by family.
pub fn forms() -> Vec<Explained> {
    FORMALISMS.iter().map(Explained::of).collect()
}

/// What the form of that name says of itself.
pub fn explain(form: &str) -> Result<Explained, Error> {
    known(form).map(Explained::of)
}
