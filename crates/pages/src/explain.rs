//! How do the forms look in a list, and the page of one?

use anholon::library::Explained;

use crate::show::wrapped;

/// The list: name, class and idea, by family.
pub fn list(forms: &[Explained]) -> String {
    let width = forms.iter().map(|form| form.form.len()).max().unwrap_or(0) + 2;
    let mut lines = Vec::new();
    let mut family = "";
    for form in forms {
        if form.family != family {
            family = &form.family;
            lines.push(format!("{}{family}  {}", if lines.is_empty() { "" } else { "\n" }, form.made_from));
        }
        let first = format!("  {:<width$}", form.form);
        lines.extend(wrapped(&first, &form.line));
        lines.extend(wrapped(&" ".repeat(width + 2), &format!("for {}", form.class)));
    }
    lines.push(
        "\n`anholon explain FORM` prints the page of one; `anholon derive MODEL --form FORM --steps` goes its way."
            .to_owned(),
    );
    lines.join("\n")
}

/// The page of one form.
pub fn page(form: &Explained) -> String {
    let mut lines = vec![format!(
        "{} (form `{}`, family {}: {})",
        capital(form.equations_of),
        form.form,
        form.family,
        form.made_from
    )];
    lines.extend(wrapped("", &form.line));
    lines.push(String::new());
    lines.extend(form.formulas.iter().map(|formula| format!("  {formula}")));
    for words in &form.words {
        lines.push(String::new());
        lines.extend(wrapped("", words));
    }
    for (label, text) in [("Class:   ", &form.class), ("History: ", &form.history), ("Source:  ", &form.source)] {
        lines.push(String::new());
        lines.extend(wrapped(label, text));
    }
    lines.join("\n")
}

fn capital(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
