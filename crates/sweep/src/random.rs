//! Which random numbers belong to a point? Those of a counter, so that no point depends on another.
//!
//! ```text
//! (hi, lo) ← M₀ x₀,  (hi′, lo′) ← M₁ x₂        x ← (hi′ ⊕ x₁ ⊕ k₀, lo′, hi ⊕ x₃ ⊕ k₁, lo)       ten rounds      (1)
//! k₀ ← k₀ + W₀,  k₁ ← k₁ + W₁                  between rounds                                                    (2)
//! ```
//!
//! Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC11 (2011):
//! Philox4x64-10.

const M: [u64; 2] = [0xd2e7_470e_e14c_6c93, 0xca5a_8263_9512_1157];
const W: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xbb67_ae85_84ca_a73b];

/// Four words for a counter and a key (1), (2).
pub fn philox(counter: [u64; 4], key: [u64; 2]) -> [u64; 4] {
    let (mut x, mut k) = (counter, key);
    for _ in 0..10 {
        let [first, second] = [(M[0], x[0]), (M[1], x[2])].map(|(m, x)| u128::from(m) * u128::from(x));
        let high = |product: u128| (product >> 64) as u64;
        x = [high(second) ^ x[1] ^ k[0], second as u64, high(first) ^ x[3] ^ k[1], first as u64];
        k = [k[0].wrapping_add(W[0]), k[1].wrapping_add(W[1])];
    }
    x
}

/// Two numbers from [0, 1) for a variable at a point.
pub fn pair(seed: u64, point: usize, variable: usize) -> [f64; 2] {
    let words = philox([point as u64, variable as u64, 0, 0], [seed, 0]);
    [words[0], words[1]].map(|word| (word >> 11) as f64 / (1_u64 << 53) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_source() {
        // the known answers for counters and keys of zeros and of ones
        let zeros = [0x1655_4d9e_ca36_314c, 0xdb20_fe9d_672d_0fdc, 0xd7e7_72ce_e186_176b, 0x7e68_b68a_ec7b_a23b];
        assert_eq!(philox([0; 4], [0; 2]), zeros);
        let ones = [0x87b0_92c3_013f_e90b, 0x438c_3c67_be8d_0224, 0x9cc7_d7c6_9cd7_77b6, 0xa09c_aebf_594f_0ba0];
        assert_eq!(philox([u64::MAX; 4], [u64::MAX; 2]), ones);
    }
}
