//! How do proofs look? A table by family, a sentence that says what was proved.

use anholon::answer::{Compared, Disputed, Judged};
use anholon::{Agreement, Proved, Sameness, Verified};
use serde_json::{Value, json};

use crate::show::wrapped;

/// What a replayed certificate shows.
pub fn replayed(verified: &Verified) -> String {
    match &verified.reason {
        None if !verified.claims.is_empty() => {
            let line = |one: &anholon::answer::VerifiedClaim| format!("  {}: {}: {}", one.name, one.verdict, one.text);
            let claims: Vec<String> = verified.claims.iter().map(line).collect();
            let (count, model) = (claims.len(), &verified.model);
            let plural = if count == 1 { "claim" } else { "claims" };
            let head = format!(
                "accepted: {count} {plural} about {model}; probability of error at most {}",
                verified.error_text
            );
            let mut lines = vec![head];
            lines.extend(claims);
            if !verified.assumptions.is_empty() {
                lines.extend(wrapped("Assuming ", &verified.assumptions.join(", ")));
            }
            lines.join("\n")
        }
        None => format!(
            "accepted: {} forms of {} agree; probability of error at most {}",
            verified.forms.len(),
            verified.model,
            verified.error_text
        ),
        Some(reason) => format!("rejected: {reason}"),
    }
}

/// The page of two models compared.
pub fn same(found: &Sameness) -> String {
    let by: Vec<String> = found.by.0.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let (model, other) = (&found.model, &found.same_as);
    let said = match found.verdict {
        Agreement::Different => format!("{model} and {other} are different systems"),
        Agreement::Unknown => format!("whether {model} and {other} are one system is unknown"),
        _ => format!("{model} and {other} are one system"),
    };
    let mut lines = wrapped("", &format!("{said}, with {}", by.join(", ")));
    let equivalent = "Proved: on every motion of the second, the first has its constraints and accelerations; both have as many freedoms.";
    match &found.reason {
        Some(reason) => lines.extend(wrapped("  ", reason)),
        None => lines.extend(wrapped("  ", equivalent)),
    }
    if !found.values.is_empty() {
        lines.extend(wrapped(
            "  ",
            &format!("With the values of the models, not with all: {}", found.values.join(", ")),
        ));
    }
    let list = |values: &[(String, f64)]| {
        values
            .iter()
            .map(|(name, value)| format!("{name} = {}", anholon::decimal(*value)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    if let Some(witness) = &found.witness {
        lines.extend(wrapped("  at      ", &list(&witness.state.0)));
        if !witness.parameters.0.is_empty() {
            lines.extend(wrapped("  with    ", &list(&witness.parameters.0)));
        }
        lines.extend(wrapped("  first   ", &list(&witness.a.0)));
        lines.extend(wrapped("  second  ", &list(&witness.b.0)));
    }
    if !found.assumptions.is_empty() {
        lines.extend(wrapped("Assuming ", &found.assumptions.join(", ")));
    }
    lines.join("\n")
}

/// The object of a proof; with its certificate, or the name of the file that it went to.
pub fn object(proved: &Proved, seconds: Option<f64>, certificate: Option<Value>) -> Value {
    let mut value = serde_json::to_value(proved).unwrap_or_else(|_| json!({}));
    crate::timed(&mut value, seconds);
    if let (Some(object), Some(certificate)) = (value.as_object_mut(), certificate) {
        object.insert("certificate".to_owned(), certificate);
    }
    value
}

/// The page of a proof.
pub fn page(proved: &Proved, seconds: Option<f64>) -> Vec<String> {
    let title = if proved.title.is_empty() { &proved.model } else { &proved.title };
    let compared: Vec<&Compared> = proved.forms.iter().filter(|form| form.applicable).collect();
    let mut lines = vec![format!("{title}: {}", headline(proved, &compared)), String::new()];
    let mut families: Vec<(&str, &str)> = compared.iter().map(|form| (form.family.as_str(), form.from)).collect();
    families.sort_unstable();
    families.dedup();
    for (family, from) in families {
        lines.push(format!("  {family}  {from}"));
        for agreement in [Agreement::Identical, Agreement::Equivalent, Agreement::Unknown, Agreement::Different] {
            let names: Vec<&str> = compared
                .iter()
                .filter(|form| form.family == family && form.verdict == Some(agreement))
                .map(|form| form.form.as_str())
                .collect();
            if !names.is_empty() {
                lines.extend(wrapped(&format!("      {:10}  ", agreement.word()), &names.join(", ")));
            }
        }
    }
    let bad = compared.iter().filter(|form| form.verdict > Some(Agreement::Equivalent));
    for form in bad {
        lines.push(String::new());
        let why = form.why.as_deref().unwrap_or("no reason is known");
        lines.extend(wrapped(&format!("  {}: ", form.form), why));
        if let Some(witness) = &form.witness {
            let state: Vec<String> = witness.0.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            lines.extend(wrapped("      at ", &state.join(", ")));
        }
        if let Some(both) = &form.accelerations {
            let list = |values: &anholon::Ordered<f64>| {
                let each = values.0.iter().map(|(name, value)| format!("{name} = {}", anholon::decimal(*value)));
                each.collect::<Vec<_>>().join(", ")
            };
            lines.extend(wrapped("      it gives ", &list(&both.own)));
            lines.extend(wrapped(&format!("      {} gives ", both.leading_form), &list(&both.leading)));
        }
    }
    if let Some(dispute) = &proved.dispute {
        lines.push(String::new());
        lines.extend(blame(dispute).iter().flat_map(|line| wrapped("  ", line)));
    }
    let left_out: Vec<&Compared> = proved.forms.iter().filter(|form| !form.applicable).collect();
    if !left_out.is_empty() {
        lines.push(String::new());
        lines.push("Not applicable".to_owned());
        for form in left_out {
            lines.extend(wrapped(&format!("  {}: ", form.form), form.reason.as_deref().unwrap_or("")));
        }
    }
    lines.push(String::new());
    lines.extend(wrapped("", &sentence(proved)));
    lines.extend(proved.notes.iter().flat_map(|note| wrapped("note: ", note)));
    lines.extend(seconds.map(|seconds| format!("{:.0} ms", seconds * 1e3)));
    lines
}

/// Who stands where, and who is right.
fn blame(dispute: &Disputed) -> Vec<String> {
    let mut lines = Vec::new();
    for side in &dispute.sides {
        let numbers = match side.numbers {
            Some(true) => "satisfies the text of the model in plain numbers",
            Some(false) => "does not satisfy the text of the model in plain numbers",
            None => "could not be tried in plain numbers",
        };
        let forms = if side.forms.len() > 4 { format!("{} forms", side.forms.len()) } else { side.forms.join(", ") };
        lines.push(format!("{} ({}): {numbers}", forms, side.families.join(", ")));
    }
    let wrong = match dispute.blamed.len() {
        n if n > 4 => format!("{n} forms"),
        _ => dispute.blamed.join(", "),
    };
    lines.push(match dispute.by {
        Judged::Numbers => format!("wrong: {wrong}; the numbers decide"),
        Judged::Families => format!("wrong: {wrong}; more independent families stand against them"),
        Judged::Open => "who is wrong is open: no side has more independent grounds".to_owned(),
    });
    lines
}

fn headline(proved: &Proved, compared: &[&Compared]) -> String {
    let families = if proved.families == 1 { "family" } else { "families" };
    match proved.verdict {
        Agreement::Identical | Agreement::Equivalent => {
            format!(
                "all {} forms agree; they start from {} independent {families} of data",
                compared.len(),
                proved.families
            )
        }
        Agreement::Different => "some forms differ".to_owned(),
        Agreement::Unknown => "not all forms could be compared".to_owned(),
    }
}

fn sentence(proved: &Proved) -> String {
    let assumed = match proved.assumptions.is_empty() {
        true => String::new(),
        false => format!(", assuming {}", proved.assumptions.join(", ")),
    };
    let all = match proved.functions.is_empty() {
        true => String::new(),
        false => format!(" for all functions {}", proved.functions.join(", ")),
    };
    match proved.verdict {
        Agreement::Identical | Agreement::Equivalent => format!(
            "Proved{all}: at every state that the constraints admit, all these forms give the same accelerations, and \
             forms called identical are the same functions of the same velocities{assumed}. The probability that \
             this is wrong is at most {}.",
            proved.error_text
        ),
        _ => format!("What agrees was proved with a probability of error of at most {}{assumed}.", proved.error_text),
    }
}
