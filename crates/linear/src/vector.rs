//! What is the product of two vectors, the length of one, its largest entry?

/// Σ a b.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// √(a·a).
pub fn length(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// The largest absolute value; 0 if there is none, NaN if an entry is.
pub fn largest(a: &[f64]) -> f64 {
    a.iter().fold(0.0_f64, |size, x| if x.is_nan() || size.is_nan() { f64::NAN } else { size.max(x.abs()) })
}

/// x ← x + factor · along.
pub fn add(x: &mut [f64], factor: f64, along: &[f64]) {
    x.iter_mut().zip(along).for_each(|(x, along)| *x += factor * along);
}

/// The vector with length one; nothing if it vanishes or is not finite.
pub fn unit(a: &[f64]) -> Option<Vec<f64>> {
    let size = length(a);
    (size > 0.0 && size.is_finite()).then(|| a.iter().map(|x| x / size).collect())
}

/// A power of two near 1/size, so that scaling rounds nothing; 1 for what has no size.
pub(crate) fn scale_of(size: f64) -> f64 {
    if !(size > 0.0 && size.is_finite()) {
        return 1.0;
    }
    // the exponent as it is stored; at both ends of the range as far as it goes
    let exponent = (size.to_bits() >> 52).clamp(1, 2045);
    f64::from_bits((2046 - exponent) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_powers_of_two_that_bring_sizes_near_one() {
        for size in [1.0, 1.5, 2.0, 3.9, 0.7, 1e-6, 1e200, 1e-200, 1e-290] {
            let scale = scale_of(size);
            assert!((1.0..2.0).contains(&(size * scale)), "{size}: {scale}");
            assert_eq!(scale.to_bits() << 12, 0, "{size}: no power of two");
        }
        assert_eq!([scale_of(0.0), scale_of(f64::NAN), scale_of(f64::INFINITY)], [1.0; 3]);
        assert!(scale_of(5e-324).is_finite() && scale_of(f64::MAX) > 0.0);
    }

    #[test]
    fn a_largest_entry_is_not_a_number_if_one_is_not() {
        assert_eq!(largest(&[1.0, -3.0, 2.0]), 3.0);
        assert!(largest(&[1.0, f64::NAN, 2.0]).is_nan() && largest(&[f64::NAN, 2.0]).is_nan());
        assert_eq!(largest(&[]), 0.0);
    }

    #[test]
    fn only_what_has_a_length_has_a_direction() {
        assert_eq!(unit(&[3.0, 4.0]), Some(vec![0.6, 0.8]));
        assert_eq!((unit(&[0.0, 0.0]), unit(&[f64::NAN])), (None, None));
    }
}
