//! How does a number change along a path? Its Taylor coefficients, as floats.
//!
//! ```text
//! f = f₀ + f₁ ε + f₂ ε² + …      (f g)_k = Σ f_i g_{k−i}      f' has coefficients (k+1) f_{k+1}               (1)
//! F(f)' = F'(f) f'               so a function is known from its value and its slope                          (2)
//! ```

use std::ops::{Add, Mul, Neg, Sub};

/// Coefficients that are kept.
const N: usize = 5;

/// A number along a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet(pub [f64; N]);

impl Jet {
    pub fn constant(value: f64) -> Jet {
        Jet::along([value, 0.0, 0.0])
    }

    /// A number with these first coefficients.
    pub fn along([a, b, c]: [f64; 3]) -> Jet {
        Jet([a, b, c, 0.0, 0.0])
    }

    pub fn value(self) -> f64 {
        self.0[0]
    }

    /// (1); the last coefficient is lost.
    pub fn rate(self) -> Jet {
        Jet([0, 1, 2, 3, 4].map(|k| if k + 1 < N { (k + 1) as f64 * self.0[k + 1] } else { 0.0 }))
    }

    /// The function with this value whose rate along the path is `rate`.
    fn grown(value: f64, rate: Jet) -> Jet {
        Jet([0, 1, 2, 3, 4].map(|k| if k == 0 { value } else { rate.0[k - 1] / k as f64 }))
    }

    pub fn scaled(self, factor: f64) -> Jet {
        Jet(self.0.map(|c| c * factor))
    }

    pub fn over(self, other: Jet) -> Jet {
        let mut quotient = [0.0; N];
        for k in 0..N {
            let known: f64 = (0..k).map(|i| quotient[i] * other.0[k - i]).sum();
            quotient[k] = (self.0[k] - known) / other.0[0];
        }
        Jet(quotient)
    }

    /// A power with a constant exponent.
    pub fn power(self, exponent: f64) -> Jet {
        if exponent == 0.0 {
            return Jet::constant(1.0);
        }
        if exponent.fract() == 0.0 && exponent > 0.0 && exponent < 64.0 {
            return (1..exponent as usize).fold(self, |product, _| product * self);
        }
        if exponent.fract() == 0.0 && exponent < 0.0 {
            return Jet::constant(1.0).over(self.power(-exponent));
        }
        self.by_slope(self.value().powf(exponent), |f, own| own.over(f).scaled(exponent))
    }

    /// F(f) from its value and its slope (2), which may use what is known of F(f).
    fn by_slope(self, value: f64, slope: impl Fn(Jet, Jet) -> Jet) -> Jet {
        // Each round makes one more coefficient right.
        (0..N).fold(Jet::constant(value), |own, _| Jet::grown(value, slope(self, own) * self.rate()))
    }

    pub fn sin_cos(self) -> [Jet; 2] {
        let (sin, cos) = self.value().sin_cos();
        let (mut s, mut c) = (Jet::constant(sin), Jet::constant(cos));
        for _ in 0..N {
            (s, c) = (Jet::grown(sin, c * self.rate()), Jet::grown(cos, -(s * self.rate())));
        }
        [s, c]
    }

    pub fn exp(self) -> Jet {
        self.by_slope(self.value().exp(), |_, own| own)
    }

    /// A function of the language; none for a name that is not known here.
    pub fn applied(name: &str, list: &[Jet]) -> Option<Jet> {
        let one = Jet::constant(1.0);
        Some(match (name, list) {
            ("sin", [f]) => f.sin_cos()[0],
            ("cos", [f]) => f.sin_cos()[1],
            ("tan", [f]) => f.sin_cos()[0].over(f.sin_cos()[1]),
            ("asin", [f]) => f.by_slope(f.value().asin(), |f, _| (one - f * f).power(-0.5)),
            ("acos", [f]) => f.by_slope(f.value().acos(), |f, _| -(one - f * f).power(-0.5)),
            ("atan", [f]) => f.by_slope(f.value().atan(), |f, _| one.over(one + f * f)),
            ("atan2", [y, x]) => {
                let rate = (*x * y.rate() - *y * x.rate()).over(*x * *x + *y * *y);
                Jet::grown(y.value().atan2(x.value()), rate)
            }
            ("sinh", [f]) => (f.exp() - (-*f).exp()).scaled(0.5),
            ("cosh", [f]) => (f.exp() + (-*f).exp()).scaled(0.5),
            ("tanh", [f]) => (f.exp() - (-*f).exp()).over(f.exp() + (-*f).exp()),
            ("exp", [f]) => f.exp(),
            ("log", [f]) => f.by_slope(f.value().ln(), |f, _| one.over(f)),
            ("sqrt", [f]) => f.power(0.5),
            ("cbrt", [f]) => f.by_slope(f.value().cbrt(), |f, own| own.over(f).scaled(1.0 / 3.0)),
            ("abs", [f]) => f.scaled(f.value().signum()),
            ("sign", [f]) => Jet::constant(f.value().signum()),
            ("min", [first, rest @ ..]) => rest.iter().fold(*first, |m, f| if f.value() < m.value() { *f } else { m }),
            ("max", [first, rest @ ..]) => rest.iter().fold(*first, |m, f| if f.value() > m.value() { *f } else { m }),
            _ => return None,
        })
    }
}

impl Add for Jet {
    type Output = Jet;
    fn add(self, other: Jet) -> Jet {
        Jet([0, 1, 2, 3, 4].map(|k| self.0[k] + other.0[k]))
    }
}

impl Sub for Jet {
    type Output = Jet;
    fn sub(self, other: Jet) -> Jet {
        Jet([0, 1, 2, 3, 4].map(|k| self.0[k] - other.0[k]))
    }
}

impl Neg for Jet {
    type Output = Jet;
    fn neg(self) -> Jet {
        self.scaled(-1.0)
    }
}

impl Mul for Jet {
    type Output = Jet;
    fn mul(self, other: Jet) -> Jet {
        Jet([0, 1, 2, 3, 4].map(|k| (0..=k).map(|i| self.0[i] * other.0[k - i]).sum()))
    }
}

/// A vector along a path.
pub type Arrow = [Jet; 3];

pub fn zero() -> Arrow {
    [Jet::constant(0.0); 3]
}

pub fn plus(a: Arrow, b: Arrow) -> Arrow {
    [0, 1, 2].map(|i| a[i] + b[i])
}

pub fn minus(a: Arrow, b: Arrow) -> Arrow {
    [0, 1, 2].map(|i| a[i] - b[i])
}

pub fn times(a: Arrow, factor: Jet) -> Arrow {
    a.map(|part| part * factor)
}

pub fn dot(a: Arrow, b: Arrow) -> Jet {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Arrow, b: Arrow) -> Arrow {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i] * b[j] - a[j] * b[i])
}

pub fn rate(a: Arrow) -> Arrow {
    a.map(Jet::rate)
}

#[cfg(test)]
mod tests {
    use super::Jet;

    #[test]
    fn coefficients_are_those_of_taylor() {
        let close = |a: Jet, b: [f64; 5]| a.0.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        let x = Jet::along([0.0, 1.0, 0.0]);
        assert!(close(x.exp(), [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0]));
        assert!(close(x.sin_cos()[0], [0.0, 1.0, 0.0, -1.0 / 6.0, 0.0]));
        let y = Jet::along([1.0, 1.0, 0.0]);
        assert!(close(y.power(0.5), [1.0, 0.5, -0.125, 0.0625, -5.0 / 128.0]));
        assert!(close(Jet::applied("log", &[y]).unwrap(), [0.0, 1.0, -0.5, 1.0 / 3.0, -0.25]));
        assert!(close(Jet::applied("atan2", &[x, Jet::constant(1.0)]).unwrap(), [0.0, 1.0, 0.0, -1.0 / 3.0, 0.0]));
        assert!(close(Jet::applied("tanh", &[x]).unwrap(), [0.0, 1.0, 0.0, -1.0 / 3.0, 0.0]));
        assert!(close(y.over(y * y).rate(), [-1.0, 2.0, -3.0, 4.0, 0.0]));
    }
}
