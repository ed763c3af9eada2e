//! Is it stable, and why?
//!
//! | what is found | what follows |
//! | --- | --- |
//! | an eigenvalue of the linear equations (approximation.rs) with positive real part | unstable |
//! | forces with a potential, holonomic, K positive definite across the family | stable by energy (Lagrange, Dirichlet) |
//! | the same, and every eigenvalue with negative real part | asymptotically stable: dissipation is complete |
//! | every eigenvalue with negative real part | asymptotically stable in the first approximation |
//! | K = 0 along one direction: the first term of the force along it (flat.rs) | stable by energy, or unstable |
//! | one freedom, K infinite, or a kink: which way the force points on both sides (sides.rs) | stable by energy, or unstable |
//! | linear equations, K symmetric and C skew, distinct eigenvalues on the axis (oscillations.rs) | stable: gyroscopic forces hold it |
//! | the energy leads down, and damping takes energy out of every motion | unstable (Thomson, Tait, Chetaev) |
//! | angles without meaning there (a pole), K positive definite in the others | stable by energy, as a place |
//! | equations that depend on time and have a period: Floquet's multipliers (floquet.rs) | by their size |
//! | first-order states: eigenvalues with them (lawful.rs) | asymptotically stable, or unstable |
//! | anything else | undecided in the first approximation |
//!
//! Gyroscopic forces are what is skew in C, wherever they come from: a frame that turns, time in positions, terms of the
//! kinetic energy that are linear in the rates. Where they are, a way down proves nothing by itself.
//!
//! Signs of K are proved: exactly on a branch (inertia.rs), by intervals elsewhere (enclosed.rs); those of the eigenvalues'
//! real parts by intervals where there are no rows. Where neither is possible,
//! floats are compared with the largest: what is smaller than 10⁻⁹ of it counts as zero, and the
//! reason says that floats decided.

use expr::decimal;
use linear::Matrix;
use linear::eigen::Complex;
use linear::jacobi::{against, symmetric};
use linear::vector::add;
use serde::Serialize;

use super::approximation::{Approximation, Slopes};
use super::certificate::{Certificate, certificate};
use super::flat::Leading;
use super::floquet;
use super::lawful;
pub use super::nearby::Nearby;
use super::oscillations::Spectral;
use super::program::Program;
use super::search::somewhere;
use super::set::Point;
use super::sides::{by_sides, degenerate};
use super::statics::{Damping, Statics};

expr::in_words! {
    /// How a rest is.
    pub enum Rest {
        /// What is near stays near, and comes back.
        AsymptoticallyStable = "asymptotically stable",
        /// What is near stays near.
        Stable = "stable",
        /// Every place of a set is an equilibrium, and across it nothing grows.
        Neutral = "neutral",
        /// Something grows.
        Unstable = "unstable",
        /// Nothing was established.
        Undecided = "undecided",
    }
}

expr::in_words! {
    /// How signs were found.
    pub enum Signs {
        /// By exact numbers.
        Exact = "exact",
        /// By intervals.
        Interval = "interval",
        /// By floats: nothing proves them.
        Float = "float",
    }
}

/// The verdict on one equilibrium.
#[derive(Clone, Debug, Serialize)]
pub struct Stability {
    /// How it is.
    pub verdict: Rest,
    /// Why.
    pub reason: String,
    /// The eigenvalues of the linear equations.
    pub eigenvalues: Vec<Complex>,
    /// Floquet's multipliers, where the equations come back after a period.
    pub floquet: Vec<Complex>,
    /// How the signs were found.
    pub signs: Signs,
    /// How the energy changes along the principal directions across the family: eigenvalues of K against M.
    pub stiffness: Vec<f64>,
    /// Constants of the first approximation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
}

impl Stability {
    /// A verdict without a first approximation.
    pub fn told(verdict: Rest, reason: String) -> Stability {
        let (eigenvalues, floquet, stiffness) = (Vec::new(), Vec::new(), Vec::new());
        Stability { verdict, reason, eigenvalues, floquet, signs: Signs::Float, stiffness, certificate: None }
    }
}

/// The verdict on a point; where floats decided, the reason says so.
pub fn stability(statics: &Statics, program: &Program, nearby: &Nearby, point: &Point) -> Stability {
    let mut found = judged(statics, program, nearby, point).unwrap_or_else(|why| Stability::told(Rest::Undecided, why));
    if found.signs == Signs::Float
        && found.verdict != Rest::Undecided
        && !(found.eigenvalues.is_empty() && found.floquet.is_empty())
    {
        found.reason.push_str(", by floating point numbers");
    }
    found
}

/// What can be said without a first approximation, then with it; or why nothing can.
fn judged(statics: &Statics, program: &Program, nearby: &Nearby, point: &Point) -> Result<Stability, String> {
    if !statics.lawful.is_empty() {
        return lawful::stability(statics, program, nearby, point);
    }
    if statics.is_timed() {
        return floquet::judged(statics, program, nearby, point);
    }
    let slopes = Slopes::at(statics, program, nearby, point);
    let none = "the slope of a constraint has no value there: there is no first approximation";
    let slopes = slopes.ok_or_else(|| none.to_owned())?;
    if slopes.N.is_empty() {
        return Ok(Stability::told(Rest::Stable, "the constraints leave no freedom to move".to_owned()));
    }
    if let Some(part) = &statics.sticks {
        return Err(format!("`{part}` jumps with the rates where all is at rest: there is no first approximation"));
    }
    let sides = |why: &str| by_sides(statics, program, nearby, point, &slopes.N, why);
    if let Some(part) = &point.kink {
        let why = format!("a force has a kink here, where `{part}` switches");
        let alone = (!statics.is_nonholonomic() && statics.is_potential).then(|| sides(&why)).flatten();
        return alone.ok_or_else(|| format!("{why}: there is no first approximation"));
    }
    if point.is_rough || !slopes.K.is_finite() {
        let none = "a force has an infinite slope there: there is no first approximation";
        return sides("the force has an infinite slope").ok_or_else(|| none.to_owned());
    }
    if is_at_edge(program, point) {
        return Err("a force has values on one side of the place only: there is no first approximation".to_owned());
    }
    let near = Approximation::of(statics, program, nearby, point, &slopes);
    let Some(near) = near else {
        return pole(statics, program, nearby, point, &slopes).ok_or_else(|| without_masses(&slopes).to_owned());
    };
    let case = Case { statics, program, nearby, point, slopes: &slopes, near: &near };
    Ok(Case::RULES.iter().find_map(|rule| rule(&case)).unwrap_or_else(|| case.undecided()))
}

/// A point with its first approximation.
struct Case<'a> {
    statics: &'a Statics,
    program: &'a Program,
    nearby: &'a Nearby,
    point: &'a Point,
    slopes: &'a Slopes,
    near: &'a Approximation,
}

impl<'a> Case<'a> {
    /// The rules, in the order in which they are asked.
    const RULES: [fn(&Case<'a>) -> Option<Stability>; 7] =
        [Case::grows, Case::decays, Case::minimum, Case::leads, Case::sides, Case::family, Case::linear];

    fn verdict(&self, verdict: Rest, reason: String) -> Stability {
        Stability {
            verdict,
            reason,
            eigenvalues: self.near.values.clone(),
            floquet: Vec::new(),
            signs: self.near.signs,
            stiffness: self.near.stiffness.iter().map(|one| one.0).collect(),
            certificate: None,
        }
    }

    fn is_holonomic(&self) -> bool {
        !self.statics.is_nonholonomic()
    }

    /// Whether the energy never grows near the place.
    fn can_use_energy(&self) -> bool {
        let loses = match self.statics.damping {
            Damping::None | Damping::Dissipative => true,
            // what is positive at the place is so nearby
            Damping::Doubtful => self.slopes.damps(),
            Damping::Other => false,
        };
        self.is_holonomic() && self.statics.is_potential && loses && self.slopes.dissipates(self.statics)
    }

    /// Whether forces act that turn a motion aside without doing work.
    fn is_gyroscopic(&self) -> bool {
        self.slopes.is_gyroscopic()
    }

    fn is_conservative(&self) -> bool {
        self.statics.is_potential && self.statics.damping == Damping::None
    }

    fn is_family(&self) -> bool {
        !self.point.family.is_empty() || !self.near.loose.is_empty()
    }

    /// What drifts is left out of the claim.
    fn excused(&self) -> String {
        if self.near.along.is_empty() || self.is_family() { String::new() } else { excuse(self.statics) }
    }

    /// How the signs of eigenvalues are known, if as many grow as they say.
    fn by_eigenvalues(&self, agrees: impl Fn(usize) -> bool) -> Signs {
        match self.nearby.growing(self.statics, self.program, self.point) {
            Some(growing) if agrees(growing) => Signs::Interval,
            _ => Signs::Float,
        }
    }

    /// Whether the energy falls in some direction and nothing can hold it. An odd number of ways down is one too many
    /// whatever the frame does: det(λ² M + λ C + K) < 0 at λ = 0. Where K is flat along a family or a free coordinate that
    /// determinant is zero, and gyroscopic forces between the family and the way down may hold it: (K + B²/m) y with x' + B y/m
    /// held. Of a free turn the momentum is held in K already.
    fn falls(&self) -> bool {
        let (statics, near) = (self.statics, self.near);
        near.inertia.is_some_and(|one| {
            let is_odd = one.flat == near.loose.len() && one.down % 2 == 1;
            let is_free = !self.is_gyroscopic() || is_odd || self.is_lost();
            one.down > 0 && is_free && statics.damping != Damping::Other
        })
    }

    /// Whether damping takes out of every motion the energy that gyroscopic forces would have to keep: as many eigenvalues
    /// grow as ways lead down (Thomson, Tait and Chetaev).
    fn is_lost(&self) -> bool {
        let is_steady = self.statics.damping != Damping::Other && self.is_holonomic() && self.statics.is_potential;
        is_steady && self.near.loose.is_empty() && self.slopes.damps()
    }

    /// Something grows.
    fn grows(&self) -> Option<Stability> {
        let (near, falls) = (self.near, self.falls());
        let is_sure = self.point.spectral == Some(Spectral::Grows);
        let is_held = self.point.spectral == Some(Spectral::Elliptic);
        let keeps = is_held || (near.is_nowhere_down() && self.can_use_energy());
        let grows = || !keeps && near.grows_for_sure();
        if !falls && !is_sure && !grows() {
            return None;
        }
        // gyroscopic forces may hold what the energy does not: there the eigenvalues decide
        let by_energy = self.statics.is_potential && self.is_holonomic() && (falls || !self.is_gyroscopic());
        let reason = match (by_energy, near.stiffness.first(), near.down()) {
            (true, Some(one), down) if down > 0 && self.is_gyroscopic() && self.is_lost() => format!(
                "{}; damping takes out what gyroscopic forces would have to hold (Thomson, Tait and Chetaev)",
                self.downhill(&one.1, down)
            ),
            (true, Some(one), down) if down > 0 => self.downhill(&one.1, down),
            _ if is_sure && near.worst <= 0.0 => "an eigenvalue has a positive real part".to_owned(),
            _ => match near.fastest() {
                [re, im] if im.abs() > 1e-9 * near.largest => {
                    format!("the eigenvalues {} ± {} i have a positive real part", decimal(re), decimal(im.abs()))
                }
                [re, _] => format!("the eigenvalue {} is positive", decimal(re)),
            },
        };
        let signs = match (self.point.spectral, falls && !(self.is_gyroscopic() && self.is_lost())) {
            (Some(Spectral::Grows), _) => Signs::Exact,
            (_, true) => near.signs,
            (_, false) => self.by_eigenvalues(|growing| growing > 0),
        };
        Some(Stability { signs, ..self.verdict(Rest::Unstable, reason) })
    }

    fn downhill(&self, weights: &[f64], down: usize) -> String {
        let near = self.near;
        let count = match near.stiffness.len() {
            1 => String::new(),
            all => format!(" ({down} of {all} principal directions lead down)"),
        };
        let way = described(self.statics, self.nearby, &near.across, weights);
        let value =
            if near.worst > 0.0 { format!(", and an eigenvalue is {}", decimal(near.worst)) } else { String::new() };
        format!("the {} decreases along {way}{count}{value}", energy_name(self.statics))
    }

    /// Everything decays.
    fn decays(&self) -> Option<Stability> {
        let near = self.near;
        if !near.decays() || near.zeros() > 0 {
            return None;
        }
        let reason = match self.statics.is_potential && self.is_holonomic() && near.is_definite() {
            true => format!("a strict minimum of the {}, and the damping is complete", energy_name(self.statics)),
            false => format!("every eigenvalue has a negative real part, the largest {}", decimal(near.worst)),
        };
        Some(Stability {
            signs: self.by_eigenvalues(|growing| growing == 0),
            certificate: certificate(&near.A, near.largest),
            ..self.verdict(Rest::AsymptoticallyStable, reason)
        })
    }

    /// A minimum of the energy across the set.
    fn minimum(&self) -> Option<Stability> {
        let (near, energy) = (self.near, energy_name(self.statics));
        let is_some = !near.across.is_empty() || !near.along.is_empty();
        if !(self.can_use_energy() && near.is_definite() && is_some) {
            return None;
        }
        let minimum = match (near.across.is_empty(), &near.loose[..]) {
            (true, _) => format!("the {energy} is the same all along the set"),
            (false, []) if self.statics.cyclic.is_some() => {
                let name = self.statics.cyclic.map_or("", |s| self.statics.names[s].as_str());
                format!("a strict minimum of the {energy} with the momentum of {name} held (Routh)")
            }
            (false, []) => format!("a strict minimum of the {energy} (Lagrange and Dirichlet)"),
            _ => "a strict minimum of the energy with the momenta of free turns held (Routh)".to_owned(),
        };
        let across_only = (self.is_family() || near.across.is_empty()) && near.loose.is_empty();
        Some(match (across_only, near.across.is_empty()) {
            (true, true) => self.verdict(Rest::Neutral, minimum),
            (true, false) => {
                let reason = format!("{minimum} across the family; along it every place is an equilibrium");
                self.verdict(Rest::Neutral, reason)
            }
            (false, _) => self.verdict(Rest::Stable, format!("{minimum}{}", self.excused())),
        })
    }

    /// The first term of the force along the one direction without stiffness.
    fn leads(&self) -> Option<Stability> {
        // with a momentum held it is another energy that decides
        let can_use = self.can_use_energy() && !self.is_family() && self.statics.cyclic.is_none();
        let leading = self.point.leading.as_ref().filter(|_| can_use)?;
        // one freedom has no gyroscopic forces; elsewhere damping that is complete leaves no other rest to go to
        let is_still = self.statics.turning.is_empty() && !self.statics.is_carried;
        let is_plain = is_still && !turns_aside(self.program, self.nearby, self.point);
        let is_one = self.slopes.N.rows() == 1;
        let can_fall = is_one || (is_plain && (self.is_conservative() || self.slopes.damps()));
        let (word, reason) = by_leading(self.statics, leading, can_fall)?;
        Some(self.verdict(word, format!("{reason}{}", self.excused())))
    }

    /// One freedom without stiffness: which way the force points on both sides.
    fn sides(&self) -> Option<Stability> {
        let is_flat = self.near.flat().is_none_or(|flat| flat > 0);
        let is_plain = self.is_conservative() && self.is_holonomic() && is_flat;
        let Case { statics, program, nearby, point, slopes, near } = *self;
        let found = degenerate(statics, program, nearby, point, &slopes.N, &near.across, is_plain)?;
        Some(self.verdict(found.verdict, found.reason))
    }

    /// A family across which everything decays.
    fn family(&self) -> Option<Stability> {
        let is_all = self.near.inner.len() + self.point.family.len() >= self.near.values.len();
        let reason =
            "across the family every eigenvalue has a negative real part; along it every place is an equilibrium";
        let holds = self.is_family() && self.near.decays() && is_all;
        holds.then(|| self.verdict(Rest::Neutral, reason.to_owned()))
    }

    /// Linear equations whose eigenvalues come in pairs λ, −λ: those that are distinct and near the axis lie on it.
    fn linear(&self) -> Option<Stability> {
        let (near, statics) = (self.near, self.statics);
        let is_plain = statics.is_linear && statics.rows.list.is_empty();
        if is_plain && self.point.spectral == Some(Spectral::Elliptic) {
            let reason = format!(
                "the equations are linear, and gyroscopic forces hold what the energy does not: every eigenvalue lies on the \
                 imaginary axis, and none makes a motion grow{}",
                self.excused()
            );
            return Some(Stability { signs: Signs::Exact, ..self.verdict(Rest::Stable, reason) });
        }
        if let Some(axis) = self.point.turned {
            let name = format!("{axis:?}").to_lowercase();
            let reason = format!(
                "a strict minimum of the energy with the angular momentum about the {name} axis held{}",
                self.excused()
            );
            return Some(Stability { signs: Signs::Exact, ..self.verdict(Rest::Stable, reason) });
        }
        // what is too small for a float may feed energy, or take it out
        let is_kept = statics.damping == Damping::None && statics.is_potential && self.slopes.is_conservative();
        let holds = is_plain && near.zeros() == 0 && is_kept && near.are_apart_on_axis();
        let reason = "the equations are linear, and their eigenvalues are distinct and lie on the imaginary axis";
        holds.then(|| self.verdict(Rest::Stable, reason.to_owned()))
    }

    /// What stands in the way.
    fn undecided(&self) -> Stability {
        let near = self.near;
        let reason = match (near.flat(), near.zeros()) {
            (Some(flat), _) if flat > 0 => format!(
                "the stiffness vanishes along {flat} of {} principal directions: the first approximation decides nothing",
                near.across.rows()
            ),
            _ if self.point.spectral == Some(Spectral::Elliptic) => {
                "gyroscopic forces hold what the energy does not: the linear equations are stable (elliptic), proved, which \
                 decides nothing for equations that are not linear"
                    .to_owned()
            }
            (_, 0) if self.statics.damping == Damping::Doubtful => {
                "the dissipation may feed energy away from rest: it is not proved that it takes energy out of every \
                 motion nearby"
                    .to_owned()
            }
            (_, 0) if !self.slopes.is_conservative() => {
                "eigenvalues lie so near the imaginary axis that floating point numbers do not tell on which side"
                    .to_owned()
            }
            (_, 0) if self.is_gyroscopic() && near.down() > 0 => {
                "gyroscopic forces hold what the energy does not: eigenvalues lie on the imaginary axis, which decides \
                 nothing for equations that are not linear"
                    .to_owned()
            }
            (_, 0) if self.statics.damping == Damping::Other => {
                "eigenvalues lie on the imaginary axis, or so near that floating point numbers do not tell, and this program \
                 has no energy argument for such a case"
                    .to_owned()
            }
            (_, 0) => "eigenvalues lie on the imaginary axis, and this program has no energy argument for such a case"
                .to_owned(),
            (_, zero) => format!(
                "the first approximation has {zero} zero eigenvalue{}, and this program has no energy argument for such a \
                 case",
                if zero == 1 { "" } else { "s" }
            ),
        };
        self.verdict(Rest::Undecided, reason)
    }
}

/// Whether an equation has no value a little beside the place, as x^(5/2) at zero.
fn is_at_edge(program: &Program, point: &Point) -> bool {
    const STEP: f64 = 1e-7;
    let has_none = |k: usize, side: f64| {
        let mut z = point.z.clone();
        z[k] += side * STEP * program.scales[k];
        program.slopes(&z).0.iter().any(|x| x.is_nan())
    };
    (0..program.searched.len()).any(|k| has_none(k, 1.0) || has_none(k, -1.0))
}

/// Why masses allow no first approximation: some motion moves none, or a `kinetic` line makes the energy of one negative.
fn without_masses(slopes: &Slopes) -> &'static str {
    let values = symmetric(slopes.M.between(&slopes.N, &slopes.N)).map_or_else(|_| Vec::new(), |found| found.values);
    let largest = values.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    match values.iter().any(|&x| x < -1e-9 * largest) {
        true => {
            "the kinetic energy is negative for some motion that the constraints allow, and this program judges \
             stability only where it is positive for every motion"
        }
        false if !values.is_empty() && values.iter().all(|&x| x > 0.0) => {
            "masses differ so much that floating point numbers do not tell whether every motion moves one"
        }
        false => "the mass matrix is singular: some motion that the constraints allow moves no mass",
    }
}

/// Whether gyroscopic forces act at a place or beside it: what is skew in C may vanish at the place itself, as at a pole.
fn turns_aside(program: &Program, nearby: &Nearby, point: &Point) -> bool {
    const PLACES: u64 = 3;
    const STEP: f64 = 1e-2;
    let n = program.searched.len();
    let is_skew = |k: u64| {
        let mut z = point.z.clone();
        let away = |j: usize| if k == 0 { 0.0 } else { STEP * (2.0 * somewhere(64 * k + j as u64) - 1.0) };
        z[..n].iter_mut().enumerate().for_each(|(j, x)| *x += away(j) * program.scales[j]);
        let (_, C, ..) = nearby.matrices(program, &z);
        let gap = |i: usize| (0..i).map(|j| (C[i][j] - C[j][i]).abs()).fold(0.0, f64::max);
        (0..C.rows()).map(gap).fold(0.0, f64::max) > 1e-12 * C.largest()
    };
    (0..PLACES).any(is_skew)
}

/// A place where some coordinates, or some motion of them, say nothing, such as the longitude at a pole, or two of the angles
/// of a top that stands upright: nothing depends on them and they move no mass. There the energy decides in the others, up;
/// down it does without gyroscopic forces.
fn pole(statics: &Statics, program: &Program, nearby: &Nearby, point: &Point, slopes: &Slopes) -> Option<Stability> {
    let is_plain = statics.is_potential && !statics.is_nonholonomic() && statics.rows.list.is_empty();
    let loses = matches!(statics.damping, Damping::None | Damping::Dissipative);
    if !(is_plain && loses && statics.turning.is_empty() && !statics.is_carried && statics.free.len() < slopes.K.rows())
    {
        return None;
    }
    let place = |s: &usize| nearby.moving.iter().position(|k| k == s);
    let idle: Vec<usize> = statics.free.iter().filter_map(place).collect();
    let others: Vec<usize> = (0..slopes.M.rows()).filter(|k| !idle.contains(k)).collect();
    let is_seen = |x: f64| x.abs() > 1e-12 * slopes.M.largest();
    let moves = idle.iter().any(|&k| idle.iter().any(|&j| is_seen(slopes.M[k][j])));
    let masses = symmetric(slopes.M.part(&idle, &idle)).ok()?.values;
    let says_nothing = masses.iter().any(|&x| !is_seen(x)) && masses.iter().all(|&x| x >= 0.0 || !is_seen(x));
    let is_mixed = idle.iter().any(|&k| others.iter().any(|&j| is_seen(slopes.M[k][j])));
    let (M, K) = (slopes.M.part(&others, &others), slopes.K.part(&others, &others));
    let stiffness = against(&K, &M).ok()?.values;
    let largest = stiffness.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    if !says_nothing || is_mixed || stiffness.iter().any(|x| x.abs() <= 1e-9 * largest) {
        return None;
    }
    let names: Vec<&str> = statics.free.iter().map(|&s| statics.names[s].as_str()).collect();
    let (verdict, what) = match stiffness.iter().any(|x| *x < 0.0) {
        true if turns_aside(program, nearby, point) => return None,
        // what has no momentum of the idle coordinates moves as if they were fixed
        true => (Rest::Unstable, "the potential energy decreases in some direction"),
        false => {
            (Rest::Stable, "a strict minimum of the potential energy among all places nearby (Lagrange, Dirichlet)")
        }
    };
    let names = names.join(", ");
    let idle = match moves {
        true => format!("{names} turn alike there, which nothing holds, and may drift"),
        false => format!("{names} has no meaning there"),
    };
    let mut told = Stability::told(verdict, format!("{what}; {idle}"));
    told.stiffness = stiffness;
    Some(told)
}

/// The verdict where the first term of the force along the one direction without stiffness is known; the others lead up.
/// Nothing if it does not decide.
fn by_leading(statics: &Statics, leading: &Leading, can_fall: bool) -> Option<(Rest, String)> {
    let energy = energy_name(statics);
    let way = in_words(statics, leading.direction.iter().copied().enumerate());
    let term = format!("the stiffness vanishes along {way}, and the first derivative of the {energy} that does not is");
    let order = leading.power + 1;
    match leading.leads_back() {
        (true, true) => Some((Rest::Stable, format!("{term} of order {order} and positive: a strict minimum"))),
        _ if !can_fall => None,
        (false, false) => Some((Rest::Unstable, format!("{term} of order {order} and negative"))),
        _ => Some((Rest::Unstable, format!("{term} of order {order}, which is odd: on one side it decreases"))),
    }
}

/// `potential energy`, or what takes its place where a frame turns.
pub fn energy_name(statics: &Statics) -> &'static str {
    match statics.is_carried {
        true => "effective potential energy",
        false => "potential energy",
    }
}

/// `; nothing holds x, which may drift`: what drifts is left out of the claim.
fn excuse(statics: &Statics) -> String {
    let names: Vec<&str> = statics.free.iter().map(|&s| statics.names[s].as_str()).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("; nothing holds {}, which may drift", names.join(", ")),
    }
}

/// A direction in words: the coordinates that move.
fn described(statics: &Statics, nearby: &Nearby, across: &Matrix, weights: &[f64]) -> String {
    let mut v = vec![0.0; nearby.moving.len()];
    weights.iter().zip(across.iter()).for_each(|(w, e)| add(&mut v, *w, e));
    in_words(statics, nearby.moving.iter().copied().zip(v))
}

/// A direction in words, by coordinates.
fn in_words(statics: &Statics, parts: impl Iterator<Item = (usize, f64)>) -> String {
    let parts: Vec<(usize, f64)> = parts.collect();
    let largest = parts.iter().map(|one| one.1).max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(1.0);
    let parts: Vec<String> = parts
        .into_iter()
        .map(|(s, x)| (s, x / largest))
        .filter(|(_, x)| x.abs() > 1e-6)
        .map(|(s, x)| match (x - 1.0).abs() < 1e-9 {
            true => format!("δ{}", statics.names[s]),
            false => format!("{} δ{}", short(x), statics.names[s]),
        })
        .collect();
    match parts.len() {
        1 => parts[0].clone(),
        _ => format!("({})", parts.join(", ")),
    }
}

fn short(x: f64) -> String {
    decimal((x * 1e4).round() / 1e4)
}
