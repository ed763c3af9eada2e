//! How does an error look as data?

use anholon::Error;
use anholon::answer::{Notice, Severity};
use serde_json::{Value, json};

use crate::shown;

/// An error as JSON: `error` is the text of the command line, `message` its first line, `field` the key of the question at
/// fault, and `diagnostics` the notices, each with its place.
pub fn error_json(error: &Error) -> Value {
    let field = error.field.map(|field| {
        let flag = pages::flags::flag(field);
        flag.trim_start_matches('-').replace('-', "_").to_lowercase()
    });
    json!({
        "error": shown(error.to_string().trim_end()),
        "message": shown(error.message()),
        "field": field,
        "diagnostics": error.diagnostics.iter().map(notice).collect::<Vec<_>>(),
    })
}

fn notice(notice: &Notice) -> Value {
    let severity = match notice.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let place = notice.place.as_ref();
    json!({
        "severity": severity,
        "message": shown(&notice.message),
        "hints": notice.hints.iter().map(|hint| shown(hint)).collect::<Vec<_>>(),
        "file": place.map(|place| shown(&place.file)),
        "line": place.map(|place| place.line),
        "column": place.map(|place| place.column),
        "source": place.map(|place| shown(&place.source)),
        "label": place.map(|place| shown(&place.label)),
        "excerpt": place.map(|place| shown(&place.excerpt)),
    })
}
