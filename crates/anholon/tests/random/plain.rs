//! Equations of motion of particles by differences and one dense solve: slow, plain, and independent of the engine.

/// Where a particle hangs or slides.
#[derive(Clone, Debug)]
pub enum Base {
    Fixed([f64; 3]),
    Point(usize),
    /// A support that swings along x.
    Driven([f64; 3], f64, f64),
}

/// Where a particle is.
#[derive(Clone, Debug)]
pub enum Place {
    /// Along x, y and perhaps z from its base.
    Free(Base, Vec<usize>),
    /// At a distance from its base, at an angle in the plane.
    Polar(Base, usize, f64),
    /// At a distance, by two angles.
    Sphere(Base, [usize; 2], f64),
    /// Along a direction.
    Track(Base, usize, [f64; 3]),
}

/// What a row says.
#[derive(Clone, Debug)]
pub enum Says {
    /// The square of a distance between two particles.
    Distance(usize, usize, f64),
    /// The square of a distance from a point.
    Reach(usize, [f64; 3], f64),
    /// A plane.
    Plane(usize, [f64; 3], f64),
    /// A knife whose direction is the angle of a coordinate.
    Knife(usize, usize),
    /// A velocity along a direction.
    Rate(usize, [f64; 3], f64),
}

#[derive(Clone, Debug)]
pub struct Row {
    pub name: String,
    pub says: Says,
}

/// A system of particles.
#[derive(Clone, Debug, Default)]
pub struct Plain {
    pub n: usize,
    pub masses: Vec<f64>,
    pub places: Vec<Place>,
    pub gravity: [f64; 3],
    /// Particle, other particle or none for the origin, stiffness, length.
    pub springs: Vec<(usize, Option<usize>, f64, f64)>,
    /// Particle, force against its velocity.
    pub dampers: Vec<(usize, f64)>,
    /// Independent rows.
    pub rows: Vec<Row>,
    /// How many rows of the model repeat others.
    pub copies: usize,
}

#[derive(Clone, Debug)]
pub struct Motion {
    pub t: f64,
    pub q: Vec<f64>,
    pub rates: Vec<f64>,
}

pub struct Solved {
    pub accelerations: Vec<f64>,
    pub multipliers: Vec<f64>,
}

fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn times(a: [f64; 3], x: f64) -> [f64; 3] {
    a.map(|a| a * x)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The slope at zero, to the fourth order.
pub fn first(f: &dyn Fn(f64) -> Vec<f64>) -> Vec<f64> {
    const H: f64 = 1e-3;
    let parts = [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)].map(|(k, w)| (f(k * H), w));
    (0..parts[0].0.len()).map(|i| parts.iter().map(|(v, w)| v[i] * w).sum::<f64>() / (12.0 * H)).collect()
}

/// The second derivative at zero, to the fourth order.
fn second(f: &dyn Fn(f64) -> Vec<f64>) -> Vec<f64> {
    const H: f64 = 4e-3;
    let parts = [(-2.0, -1.0), (-1.0, 16.0), (0.0, -30.0), (1.0, 16.0), (2.0, -1.0)].map(|(k, w)| (f(k * H), w));
    (0..parts[0].0.len()).map(|i| parts.iter().map(|(v, w)| v[i] * w).sum::<f64>() / (12.0 * H * H)).collect()
}

impl Plain {
    /// A pendulum of this length, at rest along x for q = 0; gravity along −y.
    pub fn pendulum(length: f64) -> Plain {
        Plain {
            n: 1,
            masses: vec![2.0],
            places: vec![Place::Polar(Base::Fixed([0.0; 3]), 0, length)],
            gravity: [0.0, -9.81, 0.0],
            ..Plain::default()
        }
    }

    pub fn is_driven(&self) -> bool {
        let of = |place: &Place| match place {
            Place::Free(base, _) | Place::Polar(base, ..) | Place::Sphere(base, ..) | Place::Track(base, ..) => {
                matches!(base, Base::Driven(..))
            }
        };
        self.places.iter().any(of)
    }

    fn base(&self, base: &Base, t: f64, q: &[f64]) -> [f64; 3] {
        match base {
            Base::Fixed(at) => *at,
            Base::Point(k) => self.position(*k, t, q),
            Base::Driven(at, amplitude, w) => sum(*at, [amplitude * (w * t).sin(), 0.0, 0.0]),
        }
    }

    pub fn position(&self, particle: usize, t: f64, q: &[f64]) -> [f64; 3] {
        match &self.places[particle] {
            Place::Free(base, of) => {
                let at = |k: usize| of.get(k).map_or(0.0, |&place| q[place]);
                sum(self.base(base, t, q), [at(0), at(1), at(2)])
            }
            Place::Polar(base, a, l) => sum(self.base(base, t, q), [l * q[*a].cos(), l * q[*a].sin(), 0.0]),
            Place::Sphere(base, [a, b], l) => {
                let (sa, ca, sb, cb) = (q[*a].sin(), q[*a].cos(), q[*b].sin(), q[*b].cos());
                sum(self.base(base, t, q), [l * ca * cb, l * sa * cb, l * sb])
            }
            Place::Track(base, s, along) => sum(self.base(base, t, q), times(*along, q[*s])),
        }
    }

    /// A state a little later, without acceleration.
    fn later(at: &Motion, time: f64) -> Motion {
        let q = at.q.iter().zip(&at.rates).map(|(q, rate)| q + rate * time).collect();
        Motion { t: at.t + time, q, rates: at.rates.clone() }
    }

    /// By hand, so that starts satisfy rows to rounding.
    pub fn velocity(&self, particle: usize, at: &Motion) -> [f64; 3] {
        let (q, rates) = (&at.q, &at.rates);
        let base = |base: &Base| match base {
            Base::Fixed(_) => [0.0; 3],
            Base::Point(k) => self.velocity(*k, at),
            Base::Driven(_, amplitude, w) => [amplitude * w * (w * at.t).cos(), 0.0, 0.0],
        };
        match &self.places[particle] {
            Place::Free(from, of) => {
                let rate = |k: usize| of.get(k).map_or(0.0, |&place| rates[place]);
                sum(base(from), [rate(0), rate(1), rate(2)])
            }
            Place::Polar(from, a, l) => sum(base(from), times([-q[*a].sin(), q[*a].cos(), 0.0], l * rates[*a])),
            Place::Sphere(from, [a, b], l) => {
                let (sa, ca, sb, cb) = (q[*a].sin(), q[*a].cos(), q[*b].sin(), q[*b].cos());
                let (da, db) = (l * rates[*a], l * rates[*b]);
                sum(base(from), [-sa * cb * da - ca * sb * db, ca * cb * da - sa * sb * db, cb * db])
            }
            Place::Track(from, s, along) => sum(base(from), times(*along, rates[*s])),
        }
    }

    /// What a row says about rates.
    fn speed(&self, says: &Says, at: &Motion) -> f64 {
        let (r, v) = (|k: usize| self.position(k, at.t, &at.q), |k: usize| self.velocity(k, at));
        let less = |a: [f64; 3], b: [f64; 3]| sum(a, times(b, -1.0));
        match says {
            Says::Distance(i, j, _) => 2.0 * dot(less(r(*i), r(*j)), less(v(*i), v(*j))),
            Says::Reach(i, from, _) => 2.0 * dot(less(r(*i), *from), v(*i)),
            Says::Plane(i, normal, _) => dot(*normal, v(*i)),
            Says::Knife(..) | Says::Rate(..) => self.value(says, at),
        }
    }

    /// What vanishes, and whether it is about rates.
    fn value(&self, says: &Says, at: &Motion) -> f64 {
        let r = |k: usize| self.position(k, at.t, &at.q);
        match says {
            Says::Distance(i, j, d) => {
                let apart = sum(r(*i), times(r(*j), -1.0));
                dot(apart, apart) - d
            }
            Says::Reach(i, from, d) => {
                let apart = sum(r(*i), times(*from, -1.0));
                dot(apart, apart) - d
            }
            Says::Plane(i, normal, d) => dot(*normal, r(*i)) - d,
            Says::Knife(i, a) => {
                let v = self.velocity(*i, at);
                at.q[*a].sin() * v[0] - at.q[*a].cos() * v[1]
            }
            Says::Rate(i, along, s) => dot(*along, self.velocity(*i, at)) - s,
        }
    }

    fn is_of_rates(says: &Says) -> bool {
        matches!(says, Says::Knife(..) | Says::Rate(..))
    }

    /// A and a0 of a row.
    fn row(&self, says: &Says, at: &Motion) -> (Vec<f64>, f64) {
        let of_rates = Plain::is_of_rates(says);
        let moved = |k: usize, shift: f64| {
            let mut there = at.clone();
            if of_rates {
                there.rates[k] += shift
            } else {
                there.q[k] += shift
            }
            there
        };
        let slope = (0..self.n).map(|k| first(&|h| vec![self.value(says, &moved(k, h))])[0]).collect();
        let along = |time: f64| vec![self.value(says, &Plain::later(at, time))];
        match of_rates {
            true => (slope, first(&along)[0]),
            false => (slope, second(&along)[0]),
        }
    }

    /// The length of a spring.
    pub fn length(&self, spring: &(usize, Option<usize>, f64, f64), at: &Motion) -> f64 {
        let end = spring.1.map_or([0.0; 3], |other| self.position(other, at.t, &at.q));
        let apart = sum(self.position(spring.0, at.t, &at.q), times(end, -1.0));
        dot(apart, apart).sqrt()
    }

    fn force(&self, particle: usize, at: &Motion) -> [f64; 3] {
        let mut force = times(self.gravity, self.masses[particle]);
        for &(one, other, k, length) in &self.springs {
            let end = other.map_or([0.0; 3], |other| self.position(other, at.t, &at.q));
            let apart = sum(self.position(one, at.t, &at.q), times(end, -1.0));
            let pull = times(apart, -k * (1.0 - length / dot(apart, apart).sqrt()));
            if one == particle {
                force = sum(force, pull);
            }
            if other == Some(particle) {
                force = sum(force, times(pull, -1.0));
            }
        }
        for &(one, c) in self.dampers.iter().filter(|damper| damper.0 == particle) {
            force = sum(force, times(self.velocity(one, at), -c));
        }
        force
    }

    /// Accelerations and multipliers; nothing where the equations are nearly singular.
    pub fn solved(&self, at: &Motion) -> Option<Solved> {
        let (n, m) = (self.n, self.rows.len());
        let mut table = vec![vec![0.0; n + m + 1]; n + m];
        for particle in 0..self.places.len() {
            let slopes: Vec<Vec<f64>> = (0..n)
                .map(|k| {
                    first(&|h| {
                        let mut q = at.q.clone();
                        q[k] += h;
                        self.position(particle, at.t, &q).to_vec()
                    })
                })
                .collect();
            let along = second(&|time| {
                let there = Plain::later(at, time);
                self.position(particle, there.t, &there.q).to_vec()
            });
            let (mass, force) = (self.masses[particle], self.force(particle, at));
            for i in 0..n {
                for j in 0..n {
                    table[i][j] += mass * (0..3).map(|x| slopes[i][x] * slopes[j][x]).sum::<f64>();
                }
                table[i][n + m] += (0..3).map(|x| slopes[i][x] * (force[x] - mass * along[x])).sum::<f64>();
            }
        }
        for (k, row) in self.rows.iter().enumerate() {
            let (slope, drift) = self.row(&row.says, at);
            for s in 0..n {
                table[s][n + k] = -slope[s];
                table[n + k][s] = slope[s];
            }
            table[n + k][n + m] = -drift;
        }
        let x = eliminate(table)?;
        Some(Solved { accelerations: x[..n].to_vec(), multipliers: x[n..].to_vec() })
    }

    /// Rates next to these that satisfy all rows.
    pub fn admitted(&self, at: &Motion) -> Option<Motion> {
        let (n, m) = (self.n, self.rows.len());
        let mut table = vec![vec![0.0; n + m + 1]; n + m];
        (0..n).for_each(|s| table[s][s] = 1.0);
        for (k, row) in self.rows.iter().enumerate() {
            let (slope, speed) = (self.row(&row.says, at).0, self.speed(&row.says, at));
            for s in 0..n {
                table[s][n + k] = -slope[s];
                table[n + k][s] = slope[s];
            }
            table[n + k][n + m] = -speed;
        }
        let change = eliminate(table)?;
        let rates = at.rates.iter().zip(&change).map(|(rate, change)| rate + change).collect();
        Some(Motion { rates, ..at.clone() })
    }

    /// The force of a row with a multiplier of one on each particle that it names.
    pub fn reaction(&self, row: &Row, at: &Motion) -> Vec<(usize, [f64; 3])> {
        let r = |k: usize| self.position(k, at.t, &at.q);
        match &row.says {
            Says::Distance(i, j, _) => {
                let apart = times(sum(r(*i), times(r(*j), -1.0)), 2.0);
                vec![(*i, apart), (*j, times(apart, -1.0))]
            }
            Says::Reach(i, from, _) => vec![(*i, times(sum(r(*i), times(*from, -1.0)), 2.0))],
            Says::Plane(i, normal, _) => vec![(*i, *normal)],
            Says::Knife(i, a) => vec![(*i, [at.q[*a].sin(), -at.q[*a].cos(), 0.0])],
            Says::Rate(i, along, _) => vec![(*i, *along)],
        }
    }

    /// The state after a time; nothing if it comes near a singular place, or halved steps lead elsewhere.
    pub fn moved(&self, start: &Motion, time: f64) -> Option<Motion> {
        let (one, two) = (self.stepped(start, time, 30)?, self.stepped(start, time, 60)?);
        let agree = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-7 * (1.0 + b.abs());
        let all = one.q.iter().chain(&one.rates).zip(two.q.iter().chain(&two.rates));
        all.into_iter().all(agree).then_some(two)
    }

    /// By Runge and Kutta's method.
    fn stepped(&self, start: &Motion, time: f64, steps: u32) -> Option<Motion> {
        let h = time / f64::from(steps);
        let mut at = start.clone();
        let ahead = |at: &Motion, step: f64, slope: &(Vec<f64>, Vec<f64>)| Motion {
            t: at.t + step,
            q: at.q.iter().zip(&slope.0).map(|(q, d)| q + step * d).collect(),
            rates: at.rates.iter().zip(&slope.1).map(|(q, d)| q + step * d).collect(),
        };
        for _ in 0..steps {
            let slope = |at: &Motion| Some((at.rates.clone(), self.solved(at)?.accelerations));
            let one = slope(&at)?;
            if one.1.iter().chain(&at.rates).any(|a| a.abs() > 40.0) {
                return None;
            }
            let two = slope(&ahead(&at, h / 2.0, &one))?;
            let three = slope(&ahead(&at, h / 2.0, &two))?;
            let four = slope(&ahead(&at, h, &three))?;
            let mean = |list: [&Vec<f64>; 4]| {
                let at = |k: usize| (list[0][k] + 2.0 * list[1][k] + 2.0 * list[2][k] + list[3][k]) / 6.0;
                (0..self.n).map(at).collect::<Vec<f64>>()
            };
            let both = (mean([&one.0, &two.0, &three.0, &four.0]), mean([&one.1, &two.1, &three.1, &four.1]));
            at = ahead(&at, h, &both);
        }
        Some(at)
    }
}

/// A dense system by elimination; its last column is the right side. Nothing if a pivot is small.
fn eliminate(mut table: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    const SMALL: f64 = 1e-3;
    let n = table.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&a, &b| table[a][k].abs().total_cmp(&table[b][k].abs()))?;
        table.swap(k, pivot);
        if table[k][k].abs() < SMALL {
            return None;
        }
        for i in (0..n).filter(|&i| i != k) {
            let (factor, above) = (table[i][k] / table[k][k], table[k].clone());
            table[i].iter_mut().zip(above).skip(k).for_each(|(x, above)| *x -= factor * above);
        }
    }
    Some((0..n).map(|k| table[k][n] / table[k][k]).collect())
}
