//! With which colour and which dashes is the n-th line drawn?
//!
//! The colours are those of Okabe and Ito, which colour-blind readers tell apart. The first three
//! are solid and differ in lightness, so that a black and white print keeps them apart; the others
//! are dashed as well.
//!
//! Source: M. Okabe, K. Ito, Color Universal Design (2008), <https://jfly.uni-koeln.de/color/>.

pub type Colour = [u8; 3];

pub const BLUE: Colour = [0x00, 0x72, 0xb2];
pub const ORANGE: Colour = [0xe6, 0x9f, 0x00];
pub const BLACK: Colour = [0x00, 0x00, 0x00];
pub const VERMILION: Colour = [0xd5, 0x5e, 0x00];
pub const GREEN: Colour = [0x00, 0x9e, 0x73];
pub const PURPLE: Colour = [0xcc, 0x79, 0xa7];
pub const SKY: Colour = [0x56, 0xb4, 0xe9];

const SOLID: [Colour; 3] = [BLUE, ORANGE, BLACK];
const DASHED: [Colour; 6] = [VERMILION, GREEN, PURPLE, SKY, BLUE, BLACK];
const DASHES: [&str; 5] = ["8 4", "2 3", "9 3 2 3", "14 4", "8 3 2 3 2 3"];

/// The colour of the n-th line, and its dashes (empty if solid).
pub fn line(n: usize) -> (Colour, &'static str) {
    match n.checked_sub(SOLID.len()) {
        None => (SOLID[n], ""),
        Some(later) => (DASHED[later % DASHED.len()], DASHES[later % DASHES.len()]),
    }
}

/// A colour as SVG writes it.
pub fn hex([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// This much of a colour, the rest being white paper.
pub fn tint(colour: Colour, strength: f64) -> Colour {
    colour.map(|part| (255.0 - (255.0 - f64::from(part)) * strength.clamp(0.0, 1.0)).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::{BLACK, hex, line, tint};

    #[test]
    fn thirty_lines_are_all_different() {
        let lines: Vec<_> = (0..30).map(line).collect();
        for (n, one) in lines.iter().enumerate() {
            assert!(!lines[..n].contains(one), "line {n} repeats an earlier one");
            assert_eq!(one.1.is_empty(), n < 3, "solid are the first three");
        }
    }

    #[test]
    fn a_tint_lies_between_white_and_the_colour() {
        assert_eq!(hex(tint(BLACK, 0.0)), "#ffffff");
        assert_eq!(hex(tint(BLACK, 1.0)), "#000000");
        assert_eq!(hex(tint(BLACK, 0.5)), "#808080");
    }
}
