//! What does an editor want to know about a model? A language server: messages in, messages out.
//!
//! ```text
//! editor ─ wire → server ─┬→ diagnose, hover, complete, names, outline      at once, from the text
//!                         └→ insight, verbs                                 on threads of their own, until stopped
//! ```
//!
//! It keeps the open texts and nothing else, opens no file and prints nothing: who starts it gives it its input, its output,
//! and a function that reads the files that models use.

mod complete;
mod diagnose;
mod document;
mod hover;
mod insight;
mod names;
mod outline;
mod place;
mod server;
mod wire;

pub use server::serve;
