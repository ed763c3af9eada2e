//! How does an answer look? One page for each verb: a function from its answer to text, to JSON and to an exit code.
//!
//! The command line prints these pages, and every other shell shows the same.

pub mod audits;
pub mod breaking;
pub mod checks;
pub mod code;
pub mod equations;
pub mod equilibria;
pub mod explain;
pub mod export;
pub mod flags;
pub mod folding;
pub mod gallery;
pub mod integrals;
pub mod linear;
pub mod motion;
pub mod numbers;
pub mod paper;
pub mod proofs;
pub mod report;
pub mod show;
pub mod solve;
pub mod sweep;

/// Says how many seconds it took, where somebody measured it.
fn timed(value: &mut serde_json::Value, seconds: Option<f64>) {
    if let (Some(object), Some(seconds)) = (value.as_object_mut(), seconds) {
        object.insert("seconds".to_owned(), serde_json::json!(seconds));
    }
}
