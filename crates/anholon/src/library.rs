//! Which models and claims come with Anholon, and what do its formalisms say of themselves?

pub use engine::{CLAIMS, ClaimFile, Example, GALLERY, claims, example, formalism_pages, template};
