//! What is the value of the function that stands for all in numbers? See `expr::unspecified`, formula (1).

use super::{Ball, Context};

impl Context {
    /// The function with this h, or a derivative of it: for each argument how often it is differentiated by it.
    pub fn unspecified(&self, h: &Ball, arguments: &[(i64, &Ball)]) -> Option<Ball> {
        let total: i64 = arguments.iter().map(|pair| pair.0).sum();
        let half = self.ratio(&1.into(), &2u8.into());
        let wave = |phase: Ball, slope: &dyn Fn(i64) -> Option<Ball>| {
            let (mut angle, mut factor) = (phase, half.clone());
            for (place, (times, argument)) in arguments.iter().enumerate() {
                let k = slope(place as i64 + 1)?;
                angle = self.add(&angle, &self.mul(&k, argument));
                factor = self.mul(&factor, &self.powi(&k, *times)?);
            }
            let turned = match total.rem_euclid(4) {
                0 => self.sin(&angle),
                1 => self.cos(&angle),
                2 => self.sin(&angle).neg(),
                _ => self.cos(&angle).neg(),
            };
            Some(self.mul(&factor, &turned))
        };
        let over = |i: i64| {
            let below = self.add(&Ball::from_i64(1), &self.mul(&Ball::from_i64(i), &self.mul(h, h)));
            self.div(&Ball::from_i64(2), &below)
        };
        let beside = |i: i64| Some(self.mul(&half, &self.add(h, &Ball::from_i64(i))));
        let waves = self.add(&wave(h.clone(), &over)?, &wave(self.add(h, h), &beside)?);
        Some(if total == 0 { self.add(&waves, &Ball::from_i64(2)) } else { waves })
    }
}
