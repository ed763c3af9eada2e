//! How does an audit look? A verdict for each claim, and for a wrong one a witness and a paragraph.

use anholon::answer::{Audited, ClaimVerdict, Shown};
use anholon::decimal;
use anholon::{Audit, Error, Everywhere, Settings};

use crate::show::wrapped;

/// The model with claims added to it; also if somebody took the one for the other. Claims do not change the model.
pub fn settings(model: Settings, name: String, text: String) -> Result<Settings, Error> {
    let declares = |text: &str| text.lines().any(|line| line.trim_start().starts_with("coord "));
    let mut settings = model;
    if declares(&text) && !declares(&settings.text) {
        // The other way round: claims first, then the model.
        let (file, claims) = (std::mem::replace(&mut settings.file, name), std::mem::replace(&mut settings.text, text));
        return anholon::with_claims(settings, &file, &claims);
    }
    anholon::with_claims(settings, &name, &text)
}

/// The object of an audit; with its certificate, or the name of the file that it went to.
pub fn object(audit: &Audit, certificate: Option<serde_json::Value>) -> serde_json::Value {
    let mut value = serde_json::to_value(audit).unwrap_or_else(|_| serde_json::json!({}));
    if let (Some(object), Some(certificate)) = (value.as_object_mut(), certificate) {
        object.insert("certificate".to_owned(), certificate);
    }
    value
}

/// Where a certificate went, and the claims that it does not hold.
pub fn written((file, without): &(String, Vec<(String, String)>)) -> String {
    let mut lines = vec![String::new(), format!("certificate: {file}")];
    for (name, reason) in without {
        lines.extend(wrapped("  ", &format!("not of `{name}`: {reason}")));
    }
    lines.join("\n")
}

/// The page.
pub fn page(audit: &Audit) -> String {
    let title = if audit.title.is_empty() { &audit.model } else { &audit.title };
    let mut lines = vec![format!("{title}: {}", audit.verdict), String::new()];
    let width = audit.claims.iter().map(|claim| claim.name.chars().count()).max().unwrap_or(0);
    for claim in &audit.claims {
        let sign = sign(&claim.verdict);
        lines.extend(wrapped(
            &format!("  {sign} {:width$}  ", claim.name),
            &format!("{}: {}", claim.verdict, claim.text),
        ));
        lines.extend(details(claim));
    }
    if let Some(missing) = &audit.missing {
        lines.push(String::new());
        lines.extend(wrapped("Incomplete: ", missing));
    }
    if !audit.assumptions.is_empty() {
        lines.push(String::new());
        lines.extend(wrapped("Assuming ", &audit.assumptions.join(", ")));
    }
    lines.join("\n")
}

fn sign(verdict: &ClaimVerdict) -> &'static str {
    match verdict {
        ClaimVerdict::Wrong => "✗",
        ClaimVerdict::Unknown => "?",
        ClaimVerdict::Incomplete => "–",
        ClaimVerdict::Correct | ClaimVerdict::AfterEliminating(_) => "✓",
    }
}

/// The page of claims on all models of the gallery.
pub fn everywhere(found: &Everywhere) -> String {
    let (spoken, silent): (Vec<_>, Vec<_>) = found.models.iter().partition(|one| one.verdict.is_some());
    let mut lines = vec![format!("{} models of the gallery: {}", spoken.len(), found.verdict)];
    let mut class = "";
    let width = spoken.iter().map(|one| one.model.len()).max().unwrap_or(0);
    for one in &spoken {
        if one.class != class {
            class = &one.class;
            lines.extend([String::new(), class.to_owned()]);
        }
        let Some(verdict) = &one.verdict else { continue };
        let worst = one.claims.iter().filter(|claim| !claim.verdict.is_correct());
        let said: Vec<String> = worst.clone().map(|claim| claim.name.clone()).collect();
        let reason = worst.filter_map(|claim| claim.reason.as_deref()).next().map(|reason| format!(": {reason}"));
        let said = if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) };
        let reason = reason.unwrap_or_default();
        lines.extend(wrapped(
            &format!("  {} {:width$}  ", sign(verdict), one.model),
            &format!("{verdict}{said}{reason}"),
        ));
    }
    if !silent.is_empty() {
        lines.extend([String::new(), "not spoken of".to_owned()]);
        for one in silent {
            lines.extend(wrapped(&format!("    {:width$}  ", one.model), one.reason.as_deref().unwrap_or_default()));
        }
    }
    if let Some(first) = &found.fails_first {
        lines.push(String::new());
        lines.extend(wrapped(
            "",
            &format!("It fails first with {}: `{}` on {}.", first.class, first.claim, first.model),
        ));
    }
    if !found.complete {
        lines.extend([String::new(), "Stopped before all models were looked at.".to_owned()]);
    }
    lines.join("\n")
}

fn details(claim: &Audited) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(reason) = claim.reason.as_ref().filter(|reason| !reason.is_empty()) {
        lines.extend(wrapped("      ", reason));
    }
    if let Some(witness) = &claim.witness {
        lines.extend(shown(witness));
    }
    if let Some(explanation) = &claim.explanation {
        lines.push(String::new());
        lines.extend(wrapped("      ", explanation));
        lines.push(String::new());
    }
    lines
}

/// A state at which something fails.
pub fn shown(witness: &Shown) -> Vec<String> {
    let list = |values: &[(String, f64)]| {
        values.iter().map(|(name, value)| format!("{name} = {}", decimal(*value))).collect::<Vec<_>>().join(", ")
    };
    let mut lines = wrapped("      at       ", &list(&witness.state.0));
    let given = [&witness.inputs.0[..], &witness.parameters.0[..], &witness.unknowns.0[..]].concat();
    if !given.is_empty() {
        lines.extend(wrapped("      with     ", &list(&given)));
    }
    for (name, value) in &witness.functions.0 {
        lines.extend(wrapped("      for      ", &format!("{name} = {value}")));
    }
    if !witness.claimed.0.is_empty() {
        lines.extend(wrapped("      claimed  ", &list(&witness.claimed.0)));
    }
    lines.extend(wrapped("      correct  ", &list(&witness.correct.0)));
    lines.push(format!("      with the correct accelerations its two sides differ by {}", decimal(witness.residual)));
    let needed: Vec<(String, f64)> =
        witness.tangential_reaction.0.iter().filter(|(_, value)| value.abs() > 1e-9).cloned().collect();
    if !needed.is_empty() {
        let needed: Vec<String> =
            needed.iter().map(|(name, value)| format!("{} along {name}", decimal(*value))).collect();
        lines.extend(wrapped(
            "      ",
            &format!(
                "the claimed motion would need a further force: {}; neither the loads nor ideal constraints give it",
                needed.join(", ")
            ),
        ));
    }
    lines
}
