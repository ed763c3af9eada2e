//! How does a motion look? Charts, root loci and stick figures as SVG, and small plots for a terminal.

pub use engine::picture::{View, chart, figure, locus, terminal};
