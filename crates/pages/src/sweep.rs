//! How is a sweep told?

use anholon::Swept;
use serde_json::{Value, json};

/// The keys that scripts rely on, and what else is known.
pub fn object(swept: &Swept, parts: &[String], seconds: f64) -> Value {
    json!({
        "model": swept.model,
        "points": swept.points,
        "failed": swept.failed,
        "reasons": swept.reasons.iter().map(|(point, reason)| json!({ "point": point, "reason": reason })).collect::<Vec<_>>(),
        "parts": parts,
        "kept": swept.kept,
        "columns": swept.columns,
        "stopped": swept.stopped,
        "seconds": seconds,
    })
}

/// A page for people.
pub fn page(swept: &Swept, parts: &[String]) -> String {
    let mut lines = vec![format!("{}: {} points", swept.model, swept.points)];
    if swept.stopped {
        lines.push("Stopped before the end; `--resume` goes on from here.".to_owned());
    }
    if let (Some(first), Some(last)) = (parts.first(), parts.last()) {
        let range = if parts.len() == 1 { first.clone() } else { format!("{first} to {last}") };
        let kept = if swept.kept > 0 { format!(", {} of them there before", swept.kept) } else { String::new() };
        let s = if parts.len() == 1 { "part" } else { "parts" };
        lines.push(format!("{} {s}{kept}: {range}", parts.len()));
    }
    lines.push(format!("Columns: {}", swept.columns.join(", ")));
    if swept.failed > 0 {
        lines.push(format!("{} points have no answer; the column `error` says why:", swept.failed));
        lines.extend(swept.reasons.iter().map(|(point, reason)| format!("  point {point}: {reason}")));
    }
    lines.join("\n")
}
