//! The method of Dormand and Prince of order 8, with error estimates of orders 5 and 3 and dense output of order 7.
//!
//! ```text
//! kᵢ = f(t + cᵢ h, y + h Σ aᵢⱼ kⱼ)          i = 1 … 12                              (1)
//! y₁ = y + h Σ bⱼ kⱼ                        order 8                                 (2)
//! err = |h| e₅² / √(n (e₅² + e₃²/100))      in the norm of the tolerances           (3)
//! F₃₊ᵢ = h Σ dᵢⱼ kⱼ                         i = 0 … 3, of the polynomial in `dense.rs`  (4)
//! ```
//!
//! The slope at the end of a step serves the next one and (4); three more stages complete (4).
//!
//! Source: E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed. (1993), II.5 and
//! II.6; coefficients of their code dop853.

use super::{Dense, Description, End, Field, Stepper, Table, Weights};
use crate::Trouble;

/// The description in the list.
pub const METHOD: Description = Description {
    name: "dop853",
    purpose: "Dormand and Prince, order 8: smooth motions to high precision, in long steps that it chooses",
    chooses_steps: true,
    make: |n| Box::new(Dop853::new(n)),
};

/// Stages of a step: the last of them is the slope at its end.
const STAGES: usize = 12;

/// The instants of the stages, in steps; the last three serve the dense output alone.
#[rustfmt::skip]
const C: [f64; 16] = [0.0, 0.05260015195876773, 0.0789002279381516, 0.1183503419072274, 0.2816496580927726, 0.3333333333333333, 0.25, 0.3076923076923077, 0.6512820512820513, 0.6, 0.8571428571428571, 1.0, 1.0, 0.1, 0.2, 0.7777777777777778];
/// The weights of earlier slopes in each stage; row 12 is the solution of order 8.
#[rustfmt::skip]
const A: [Weights; 16] = [
    &[],
    &[(0, 0.05260015195876773)],
    &[(0, 0.0197250569845379), (1, 0.0591751709536137)],
    &[(0, 0.02958758547680685), (2, 0.08876275643042054)],
    &[(0, 0.2413651341592667), (2, -0.8845494793282861), (3, 0.924834003261792)],
    &[(0, 0.037037037037037035), (3, 0.17082860872947386), (4, 0.12546768756682242)],
    &[(0, 0.037109375), (3, 0.17025221101954405), (4, 0.06021653898045596), (5, -0.017578125)],
    &[(0, 0.03709200011850479), (3, 0.17038392571223998), (4, 0.10726203044637328), (5, -0.015319437748624402), (6, 0.008273789163814023)],
    &[(0, 0.6241109587160757), (3, -3.3608926294469414), (4, -0.868219346841726), (5, 27.59209969944671), (6, 20.154067550477894), (7, -43.48988418106996)],
    &[(0, 0.47766253643826434), (3, -2.4881146199716677), (4, -0.590290826836843), (5, 21.230051448181193), (6, 15.279233632882423), (7, -33.28821096898486), (8, -0.020331201708508627)],
    &[(0, -0.9371424300859873), (3, 5.186372428844064), (4, 1.0914373489967295), (5, -8.149787010746927), (6, -18.52006565999696), (7, 22.739487099350505), (8, 2.4936055526796523), (9, -3.0467644718982196)],
    &[(0, 2.273310147516538), (3, -10.53449546673725), (4, -2.0008720582248625), (5, -17.9589318631188), (6, 27.94888452941996), (7, -2.8589982771350235), (8, -8.87285693353063), (9, 12.360567175794303), (10, 0.6433927460157636)],
    &[(0, 0.054293734116568765), (5, 4.450312892752409), (6, 1.8915178993145003), (7, -5.801203960010585), (8, 0.3111643669578199), (9, -0.1521609496625161), (10, 0.20136540080403034), (11, 0.04471061572777259)],
    &[(0, 0.056167502283047954), (6, 0.25350021021662483), (7, -0.2462390374708025), (8, -0.12419142326381637), (9, 0.15329179827876568), (10, 0.00820105229563469), (11, 0.007567897660545699), (12, -0.008298)],
    &[(0, 0.03183464816350214), (5, 0.028300909672366776), (6, 0.053541988307438566), (7, -0.05492374857139099), (10, -0.00010834732869724932), (11, 0.0003825710908356584), (12, -0.00034046500868740456), (13, 0.1413124436746325)],
    &[(0, -0.42889630158379194), (5, -4.697621415361164), (6, 7.683421196062599), (7, 4.06898981839711), (8, 0.3567271874552811), (12, -0.0013990241651590145), (13, 2.9475147891527724), (14, -9.15095847217987)],
];
/// The error estimate of order 5.
#[rustfmt::skip]
const E5: Weights = &[(0, 0.01312004499419488), (5, -1.2251564463762044), (6, -0.4957589496572502), (7, 1.6643771824549864), (8, -0.35032884874997366), (9, 0.3341791187130175), (10, 0.08192320648511571), (11, -0.022355307863886294)];
/// The error estimate of order 3: this, and the weights of row 12 of [`A`].
#[rustfmt::skip]
const E3: Weights = &[(0, -0.2440944881889764), (8, -0.7338466882816118), (11, -0.022058823529411766)];
/// The weights of the slopes in the upper coefficients of the dense output.
#[rustfmt::skip]
const D: [Weights; 4] = [
    &[(0, -8.428938276109013), (5, 0.5667149535193777), (6, -3.0689499459498917), (7, 2.38466765651207), (8, 2.117034582445028), (9, -0.871391583777973), (10, 2.2404374302607883), (11, 0.6315787787694688), (12, -0.08899033645133331), (13, 18.148505520854727), (14, -9.194632392478356), (15, -4.436036387594894)],
    &[(0, 10.427508642579134), (5, 242.28349177525817), (6, 165.20045171727028), (7, -374.5467547226902), (8, -22.113666853125306), (9, 7.733432668472264), (10, -30.674084731089398), (11, -9.332130526430229), (12, 15.697238121770845), (13, -31.139403219565178), (14, -9.35292435884448), (15, 35.81684148639408)],
    &[(0, 19.985053242002433), (5, -387.0373087493518), (6, -189.17813819516758), (7, 527.8081592054236), (8, -11.57390253995963), (9, 6.8812326946963), (10, -1.0006050966910838), (11, 0.7777137798053443), (12, -2.778205752353508), (13, -60.19669523126412), (14, 84.32040550667716), (15, 11.99229113618279)],
    &[(0, -25.69393346270375), (5, -154.18974869023643), (6, -231.5293791760455), (7, 357.6391179106141), (8, 93.40532418362432), (9, -37.45832313645163), (10, 104.0996495089623), (11, 29.8402934266605), (12, -43.53345659001114), (13, 96.32455395918828), (14, -39.17726167561544), (15, -149.72683625798564)],
];

/// The stages whose end is the end of a step.
static TABLE: Table = Table { c: C.split_at(STAGES).0, a: A.split_at(STAGES).0, b: A[STAGES] };

/// The stages of a step.
pub struct Dop853 {
    n: usize,
    /// The slopes side by side; the first and the thirteenth are those at the ends of the step.
    k: Vec<f64>,
    trial: Vec<f64>,
}

impl Dop853 {
    /// Room for states of this length.
    pub fn new(n: usize) -> Dop853 {
        Dop853 { n, k: vec![0.0; n * C.len()], trial: vec![0.0; n] }
    }

    fn stage(&mut self, field: &mut dyn Field, t: f64, y: &[f64], h: f64, i: usize) -> Result<(), Trouble> {
        combine(&mut self.trial, y, h, A[i], &self.k);
        field.rates(t + C[i] * h, &self.trial, &mut self.k[i * self.n..(i + 1) * self.n])
    }

    /// Σ weights k of a number of the state.
    fn sum(&self, weights: Weights, j: usize) -> f64 {
        weights.iter().map(|&(i, w)| w * self.k[i * self.n + j]).sum()
    }
}

impl Stepper for Dop853 {
    /// (1), (2)
    fn step(&mut self, field: &mut dyn Field, from: End<'_>, h: f64, to: &mut [f64]) -> Result<(), Trouble> {
        self.k[..self.n].copy_from_slice(from.slope);
        let stages = &mut self.k[..STAGES * self.n];
        if field.stages(&TABLE, from, h, (stages, &mut self.trial), to) {
            return Ok(());
        }
        for i in 1..STAGES {
            self.stage(field, from.t, from.y, h, i)?;
        }
        combine(to, from.y, h, A[STAGES], &self.k);
        Ok(())
    }

    fn order(&self) -> u32 {
        8
    }

    /// (3)
    fn error(&self, h: f64, scale: &[f64]) -> Option<f64> {
        let (mut five, mut three) = (0.0, 0.0);
        for (j, scale) in scale.iter().enumerate() {
            five += (self.sum(E5, j) / scale).powi(2);
            three += ((self.sum(A[STAGES], j) + self.sum(E3, j)) / scale).powi(2);
        }
        Some(error(h, five, three, scale.len()))
    }

    /// From the last stage, whose instant is that of the end.
    fn stiffness(&self, h: f64, to: End<'_>, sizes: &[f64]) -> Option<f64> {
        let (mut turn, mut away) = (0.0, 0.0);
        for (j, size) in sizes.iter().enumerate() {
            turn += ((to.slope[j] - self.k[(STAGES - 1) * self.n + j]) / size).powi(2);
            away += ((to.y[j] - self.trial[j]) / size).powi(2);
        }
        fastest(h, turn, away)
    }

    /// (4)
    fn inside(&mut self, field: &mut dyn Field, from: End<'_>, h: f64, to: End<'_>) -> Result<Dense, Trouble> {
        self.k[STAGES * self.n..(STAGES + 1) * self.n].copy_from_slice(to.slope);
        for i in STAGES + 1..C.len() {
            self.stage(field, from.t, from.y, h, i)?;
        }
        let mut dense = Dense::cubic(from, h, to);
        for weights in D {
            dense.parts.push((0..self.n).map(|j| h * self.sum(weights, j)).collect());
        }
        Ok(dense)
    }
}

/// (3), from the sums of both estimates.
fn error(h: f64, five: f64, three: f64, n: usize) -> f64 {
    if five == 0.0 && three == 0.0 {
        return 0.0;
    }
    h.abs() * five / ((five + 0.01 * three) * n as f64).sqrt()
}

/// h |λ| of the fastest part, from the squares of a difference of slopes and of the states they belong to.
fn fastest(h: f64, turn: f64, away: f64) -> Option<f64> {
    let (turn, away): (f64, f64) = (turn.sqrt(), away.sqrt());
    // closer they are rounding
    (away > 1e3 * f64::EPSILON && turn.is_finite()).then(|| h.abs() * turn / away)
}

/// to = y + h Σ weights k
fn combine(to: &mut [f64], y: &[f64], h: f64, weights: Weights, k: &[f64]) {
    let n = to.len();
    to.fill(std::iter::empty::<f64>().sum());
    for &(i, weight) in weights {
        to.iter_mut().zip(&k[i * n..(i + 1) * n]).for_each(|(to, k)| *to += weight * k);
    }
    to.iter_mut().zip(y).for_each(|(to, y)| *to = y + h * *to);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// y' = y: e^t.
    struct Growth;

    impl Field for Growth {
        fn rates(&mut self, _: f64, y: &[f64], to: &mut [f64]) -> Result<(), Trouble> {
            to.copy_from_slice(y);
            Ok(())
        }
    }

    #[test]
    fn what_lies_inside_a_step_is_of_order_seven() {
        // a digit wrong in the last stages or in D, and it is of order three
        let error = |h: f64| {
            let (mut stepper, mut end, mut middle) = (Dop853::new(1), [0.0], [0.0]);
            let from = End { t: 0.0, y: &[1.0], slope: &[1.0] };
            stepper.step(&mut Growth, from, h, &mut end).unwrap();
            let to = End { t: h, y: &end, slope: &end };
            stepper.inside(&mut Growth, from, h, to).unwrap().at(0.3, &mut middle);
            (middle[0] - (0.3 * h).exp()).abs()
        };
        let found = (error(1.0) / error(0.5)).log2();
        assert!(found > 7.3 && found < 9.5, "{found}: {:e}", error(1.0));
    }

    #[test]
    fn the_weights_of_a_stage_add_up_to_its_instant() {
        // a digit wrong in a table, and this fails
        for (row, c) in A.iter().zip(C) {
            let sum: f64 = row.iter().map(|weight| weight.1).sum();
            assert!((sum - c).abs() < 2e-14, "{sum} against {c}");
        }
        let sum = |weights: Weights| weights.iter().map(|weight| weight.1).sum::<f64>();
        assert!(sum(E5).abs() < 1e-14 && (sum(E3) + 1.0).abs() < 1e-14);
        // F₃ … F₆ vanish for a constant slope, (4) is exact there
        assert!(D.iter().all(|&weights| sum(weights).abs() < 1e-11), "{:?}", D.map(sum));
    }
}
