//! How does the list of built-in models and claims look?

use anholon::library::{CLAIMS, ClaimFile, Example, GALLERY};
use serde_json::{Value, json};

/// The models as data.
pub fn object() -> Value {
    let entry = |example: &Example| json!({ "name": example.name, "family": example.family, "title": example.title() });
    json!({ "models": GALLERY.iter().map(entry).collect::<Vec<_>>() })
}

/// The claims as data.
pub fn claims() -> Value {
    let entry = |file: &ClaimFile| json!({ "name": file.name, "model": file.model, "title": file.title() });
    json!({ "claims": CLAIMS.iter().map(entry).collect::<Vec<_>>() })
}

/// The models, by family.
pub fn list() -> String {
    let mut lines = Vec::new();
    let mut family = "";
    for example in GALLERY {
        if example.family != family {
            family = example.family;
            lines.push(family.to_owned());
        }
        lines.push(format!("  {:<22} {}", example.name, example.title()));
    }
    lines.join("\n")
}

/// The claims, by model.
pub fn list_claims() -> String {
    let mut lines = Vec::new();
    let mut model = "";
    for file in CLAIMS {
        if file.model != model {
            model = file.model;
            lines.push(format!("gallery:{model}"));
        }
        lines.push(format!("  gallery:{:<26} {}", file.name, file.title()));
    }
    lines.join("\n")
}
