//! What does a formalism say of itself? The first lines of its file, taken apart.

use crate::formalism::Formalism;

/// The page of a formalism.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its idea in one sentence.
    pub line: String,
    /// Its formulas, as they are written in the file.
    pub formulas: Vec<&'static str>,
    /// What the letters mean and what is to be minded, one paragraph each.
    pub words: Vec<String>,
    /// To which constraints it applies.
    pub class: String,
    /// Who found it, and when.
    pub history: String,
    /// Where it is printed.
    pub source: String,
}

impl Formalism {
    /// Its page.
    pub fn page(&self) -> Page {
        let lines = self.text.lines().map_while(|line| line.strip_prefix("//!"));
        let lines: Vec<&'static str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        let mut formulas = Vec::new();
        let mut paragraphs = vec![String::new()];
        let mut is_formula = false;
        for line in lines {
            match line {
                fence if fence.starts_with("```") => is_formula = !is_formula,
                formula if is_formula => formulas.push(formula),
                "" => paragraphs.push(String::new()),
                words => {
                    let last = paragraphs.last_mut().expect("there is one");
                    last.push_str(if last.is_empty() { "" } else { " " });
                    last.push_str(words.trim());
                }
            }
        }
        paragraphs.retain(|paragraph| !paragraph.is_empty());
        let mut labelled = |label: &str| {
            let place = paragraphs.iter().position(|paragraph| paragraph.starts_with(label));
            place.map_or_else(String::new, |place| paragraphs.remove(place)[label.len()..].trim().to_owned())
        };
        let (class, history, source) = (labelled("Class:"), labelled("History:"), labelled("Source:"));
        let line = paragraphs.remove(0);
        Page { line, formulas, words: paragraphs, class, history, source }
    }
}

#[cfg(test)]
mod tests {
    use crate::formalism::{FORMALISMS, formalism};

    #[test]
    fn every_page_is_whole() {
        assert_eq!(FORMALISMS.len(), 32);
        for one in FORMALISMS {
            let page = one.page();
            let texts = [&page.line, &page.class, &page.history, &page.source];
            assert!(texts.iter().all(|text| text.ends_with('.')), "{}: {page:?}", one.name);
            assert!(!page.formulas.is_empty() && !page.words.is_empty(), "{}: {page:?}", one.name);
        }
        let page = formalism("appell").expect("it is there").page();
        assert_eq!(page.line, "Appell's equations: the slope of the acceleration energy equals the force.");
        assert!(page.formulas[0].starts_with("∂S*/∂u'_σ = P*_σ"), "{:?}", page.formulas);
        assert!(page.class.starts_with("constraints of every class"));
    }
}
