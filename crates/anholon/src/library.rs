//! Which models and claims come with Anholon, and what do its formalisms say of themselves?

pub use engine::{
    CLAIMS, ClaimFile, Example, Explained, GALLERY, claims, example, explain, formalism_pages, forms, template,
};
