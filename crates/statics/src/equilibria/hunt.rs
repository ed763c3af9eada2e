//! Which equilibria are there, support by support?
//!
//! ```text
//! choice of closed supports → Statics → Program, Ground ─┬→ starts, boxes → points
//!                                                        └→ exact branches ┘   └→ judged one by one → told
//! ```

use engine::Loaded;
use engine::progress::{Ear, Progress};
use expr::Expr;

use super::answer::{self, Found};
use super::choice::{self, Choice};
use super::exact::{self, Branches, Exact};
use super::inertia::Stiffness;
use super::momentum::Constants;
use super::oscillations::Spectral;
use super::program::Program;
use super::remark::{EFFECTIVE, at_dependent_rows, at_singular_angles, noted, on_rates, unconfirmed, without_energy};
use super::search::{self, Effort, Ground, Proof};
use super::set::{self, Point};
use super::stability::{Nearby, Stability};
use super::statics::Statics;
use super::{
    Equilibria, EquilibriumSet, Trouble, angles, clearance, dependent, ground, kink, letters, release, turns, unknowns,
};

/// So many starts of Newton's method for each unknown coordinate, and at most.
const STARTS: (usize, usize) = (40, 400);
/// So many operations on intervals for all proofs of a question; a second has about forty million.
const WORK: u64 = 200_000_000;
/// So many operations on floats for all starts; a second has about a thousand million.
const ROUNDS_WORK: u64 = 4_000_000_000;
/// So many steps a start takes, as a rule; and so many starts are made whatever they cost.
const STEPS: u64 = 40;
const LEAST_STARTS: usize = 12;
/// So many equilibria are told after an interruption.
const MOST_TOLD_LATE: usize = 5;

/// A search under way: what was asked, and what has been found.
pub struct Hunt<'a> {
    loaded: &'a Loaded,
    wanted: &'a Equilibria,
    relative: &'a [(usize, Expr)],
    /// What is told.
    pub answer: EquilibriumSet,
    /// Who may stop it.
    pub ear: Ear<'a>,
    all: Vec<Found>,
    is_complete: bool,
    /// What completeness rests on, or why it is not claimed; and whether it is.
    whys: Vec<(String, bool)>,
    /// Notes on supports that would have to pull.
    pulled: Vec<String>,
    /// So many were found and are not told.
    untold: usize,
    /// So many operations on intervals are left.
    work: u64,
}

/// The equations with one choice of closed supports, and where to look.
struct Scene<'a> {
    choice: &'a Choice,
    statics: Statics,
    program: Program,
    ground: Ground,
}

/// What was found with one choice.
struct Catch {
    points: Vec<Point>,
    proof: Option<Proof>,
    /// The exact branches, or why there are none.
    exact: Result<Branches, String>,
    /// Whether every point is on a branch.
    is_solved: bool,
}

/// A place that is no equilibrium although the equations hold there: why, and its branch.
type Nowhere = (String, Option<usize>);

impl<'a> Hunt<'a> {
    /// Nothing found yet.
    pub fn new(
        loaded: &'a Loaded,
        wanted: &'a Equilibria,
        relative: &'a [(usize, Expr)],
        answer: EquilibriumSet,
        progress: &'a mut dyn Progress,
    ) -> Hunt<'a> {
        Hunt {
            loaded,
            wanted,
            relative,
            answer,
            ear: Ear::new(progress),
            all: Vec::new(),
            is_complete: true,
            whys: Vec::new(),
            pulled: Vec::new(),
            untold: 0,
            work: WORK,
        }
    }

    fn is_near(&self) -> bool {
        self.wanted.near.is_some()
    }

    /// Looks with one choice of closed supports.
    pub fn with(&mut self, choice: &Choice, is_only_one: bool) -> Result<(), Trouble> {
        let Some(scene) = self.scene(choice, is_only_one)? else { return Ok(()) };
        let Catch { points, proof, mut exact, is_solved } = self.caught(&scene);
        let known = self.all.len();
        let nowhere = self.judged(&scene, points, &exact)?;
        if let Ok(exact) = &mut exact {
            let is_none = |place: usize| nowhere.iter().any(|one| one.1 == Some(place));
            let mut place = 0..;
            exact.list.retain(|_| place.next().is_none_or(|place| !is_none(place)));
        }
        for (why, _) in nowhere {
            noted(&mut self.answer.notes, why);
        }
        let open_places = self.dependent_places(&scene, proof.as_ref());
        let Scene { statics, program, ground, .. } = &scene;
        let (complete, mut why) = match is_solved {
            true => answer::solved(ground, program, statics, proof.as_ref(), open_places, &mut self.answer),
            false => {
                let near = self.is_near();
                answer::completeness(statics, program, ground, proof.as_ref(), near, &self.all, &mut self.answer)
            }
        };
        let own = self.all.split_off(known);
        let (own, is_listed) = turns::unrolled(ground, &statics.searched, &statics.names, own);
        self.all.extend(own);
        if !is_listed {
            why.push_str(", modulo whole turns: of each one place in the box is listed");
        }
        self.take_branches(exact, is_solved);
        // where a force jumps with the rates, a system may stick
        let (complete, why) = match &statics.sticks {
            Some(part) => (false, format!("not claimed, since `{part}` jumps at rest")),
            None => (complete, why),
        };
        self.is_complete &= complete;
        // with other supports closed the same may be said with less
        if !self.whys.iter().any(|(old, claimed)| *claimed == complete && old.starts_with(&why)) {
            self.whys.retain(|(old, claimed)| *claimed != complete || !why.starts_with(old.as_str()));
            self.whys.push((why, complete));
        }
        Ok(())
    }

    /// The equations of a choice, unless it allows no rest.
    fn scene<'c>(&mut self, choice: &'c Choice, is_only_one: bool) -> Result<Option<Scene<'c>>, Trouble> {
        let (loaded, notes) = (self.loaded, &mut self.answer.notes);
        let mode = choice::mode(loaded, choice);
        let (rows, dependent) = dependent::kept(loaded, choice::rows(loaded, &mode)?);
        for name in dependent {
            let note = format!(
                "`{name}` depends on other constraints at the start, but says more elsewhere: at the start reactions are \
                 not determined"
            );
            noted(notes, note);
        }
        let statics = Statics::new(loaded, mode, rows, self.relative, unknowns(loaded), notes)?;
        if let Some(why) = statics.inadmissible() {
            notes.push(why);
            self.whys.push(("rest is not admissible".to_owned(), true));
            self.answer.admissible &= !is_only_one;
            return Ok(None);
        }
        if self.answer.virtual_work.is_none() {
            self.answer.virtual_work = letters::virtual_work(loaded, &statics);
        }
        let mut program = Program::new(loaded, &statics, statics.instants.clone())?;
        let mut ground = ground::ground(loaded, &statics, self.wanted, &mut program, notes)?;
        ground.starts.extend(kink::places(loaded, &statics, &ground.starts[0]));
        if statics.is_carried {
            noted(notes, EFFECTIVE.to_owned());
        }
        if let Some(row) = statics.rows.list.iter().find(|row| row.order > 0) {
            noted(notes, on_rates(&row.name));
        }
        Ok(Some(Scene { choice, statics, program, ground }))
    }

    /// Points by many starts and by boxes, and the branches that they are on.
    fn caught(&mut self, scene: &Scene<'_>) -> Catch {
        let (near, Scene { statics, program, ground, .. }) = (self.is_near(), scene);
        let wanted = if near { 0 } else { (STARTS.0 * (1 + statics.searched.len())).min(STARTS.1) };
        let count = wanted.min(affordable(program));
        if count < wanted {
            let unknowns = program.unknowns();
            let left = format!(
                "with {unknowns} unknowns it was looked from {count} places instead of {wanted}: more equilibria may be found \
                 from the others"
            );
            noted(&mut self.answer.notes, left);
        }
        let mut starts = search::gathered(program, ground, count, &mut self.ear);
        if near {
            starts.truncate(1);
        }
        let mut points = sorted(program, &starts, &mut self.ear);
        let effort = match points.iter().any(|point| !point.family.is_empty()) {
            true => Effort { narrow: 0.02, boxes: 4_000, narrow_ones: 400 },
            false => Effort { narrow: 1e-6, boxes: 2_000_000, narrow_ones: 400 },
        };
        let proof =
            (!near).then(|| search::proved(program, ground, &starts, effort, &mut self.work, &mut self.ear)).flatten();
        if let Some(proof) = &proof {
            take(program, ground, proof, &mut points);
        }
        let exact = match (near, self.ear.is_over()) {
            (true, _) => Err(String::new()),
            (false, true) => Err("interrupted".to_owned()),
            (false, false) => exact::branches(self.loaded, statics, &mut self.ear),
        };
        let (of_points, lost) = match &exact {
            Ok(exact) => exact::matched(self.loaded, statics, program, ground, exact, &mut points),
            Err(_) => (vec![None; points.len()], Vec::new()),
        };
        for one in exact.iter().flat_map(|exact| lost.iter().map(|&place| &exact.list[place].told)) {
            noted(&mut self.answer.notes, unconfirmed(one));
        }
        // branches are told up to whole turns, which a bound tells apart
        let is_whole = !statics.searched.iter().any(|&s| statics.is_bounded_angle(s));
        let is_solved = exact.is_ok() && of_points.iter().all(Option::is_some) && is_whole && lost.is_empty();
        points.iter_mut().zip(of_points).for_each(|(point, branch)| point.branch = branch);
        Catch { points, proof, exact, is_solved }
    }

    /// Judges the points, each once; those that are none are given back: at singular angles, where bodies balance in no other
    /// coordinates, and where the energy has no value.
    fn judged(
        &mut self,
        scene: &Scene<'_>,
        points: Vec<Point>,
        exact: &Result<Branches, String>,
    ) -> Result<Vec<Nowhere>, Trouble> {
        let (loaded, Scene { statics, program, ground, .. }) = (self.loaded, scene);
        let energy = answer::energy(loaded, statics, program);
        let once = set::each_once(points, &|z| energy(z), ground, statics.searched.len());
        let (nearby, stiffness) = (Nearby::new(loaded, statics), Stiffness::new(loaded, statics));
        let angles = angles::Angles::new(loaded, statics);
        let mut constants = None;
        let has_energy = ground.starts.iter().chain(&ground.places(STARTS.0)).any(|q| energy(q).is_some());
        let (known, count, mut nowhere) = (self.all.len(), once.len(), Vec::new());
        self.ear.begins("judging stability");
        for (place, mut point) in once.into_iter().enumerate() {
            // what was found is told, if that is not long
            if !self.ear.reached(place as f64 / count as f64) && self.all.len() - known >= MOST_TOLD_LATE {
                self.untold += count - place;
                break;
            }
            let is_without = has_energy && energy(&point.z).is_none();
            if let Some(why) = no_place(loaded, scene, &angles, &point.z, is_without) {
                nowhere.push((why, point.branch));
                continue;
            }
            let branch = exact.as_ref().ok().and_then(|exact| exact.list.get(point.branch?));
            if let (Some(branch), Some(stiffness)) = (branch, &stiffness) {
                signed(loaded, scene, branch, stiffness, &mut point, &mut constants);
            }
            point.kink = nearby.as_ref().and_then(|nearby| kink::at(loaded, statics, program, nearby, &point.z));
            if point.kink.is_some() {
                point.degenerate.clear();
            }
            let mut made = answer::equilibrium(loaded, statics, program, nearby.as_ref(), &point, scene.choice)?;
            made.equilibrium.potential_energy = energy(&point.z).map(|level| answer::clean(level.value));
            if let Some(branch) = branch {
                made.is_on(&branch.told);
            }
            if made.violation.is_none()
                && let Some(open) = release::released(loaded, self.relative, statics, scene.choice, &made, branch)?
            {
                made.is_judged(open);
            }
            if made.violation.is_some() && !point.family.is_empty() {
                // other places of the family may only push
                match self.elsewhere(scene, &nearby, &point, &energy)? {
                    Some(other) => made = other,
                    None => self.claims_nothing("a family was judged at some places, and no support holds there"),
                }
            }
            if let (Some(why), Some(branch)) = (&made.violation, branch)
                && branch.told.free.is_empty()
            {
                nowhere.push((why.clone(), point.branch));
            }
            self.keep(scene, branch, made);
        }
        Ok(nowhere)
    }

    /// Keeps what one-sided supports allow, with what they ask of a family.
    fn keep(&mut self, scene: &Scene<'_>, branch: Option<&Exact>, mut made: Found) {
        if !made.is_clear {
            self.claims_nothing("of coordinates that nothing depends on no place was found that open supports allow");
        }
        if made.equilibrium.family_dimension > 0 {
            let asked = clearance::asked(self.loaded, &scene.statics, scene.choice, branch);
            made.equilibrium.conditions.extend(asked);
        }
        match made.violation {
            None => self.all.push(made),
            Some(name) if !self.pulled.contains(&name) => self.pulled.push(name),
            Some(_) => {}
        }
    }

    /// Completeness is not claimed.
    fn claims_nothing(&mut self, why: &str) {
        self.is_complete = false;
        self.whys.push((format!("{why}: completeness is not claimed"), false));
    }

    /// Another place of a family, at which one-sided supports only push; nothing if none is found nearby.
    fn elsewhere(
        &self,
        scene: &Scene<'_>,
        nearby: &Option<Nearby>,
        point: &Point,
        energy: &dyn Fn(&[f64]) -> Option<numeric::Measured>,
    ) -> Result<Option<Found>, Trouble> {
        const STEPS: [f64; 8] = [0.1, -0.1, 0.5, -0.5, 2.0, -2.0, 8.0, -8.0];
        let (loaded, Scene { statics, program, .. }) = (self.loaded, scene);
        for (direction, step) in point.family.iter().flat_map(|direction| STEPS.map(|step| (direction, step))) {
            let mut z = point.z.clone();
            z.iter_mut().zip(direction).zip(&program.scales).for_each(|((x, d), scale)| *x += step * d * scale);
            let Some(z) = program.solved(&z) else { continue };
            let there = set::point(program, z);
            if there.family.len() != point.family.len() {
                continue;
            }
            let mut made = answer::equilibrium(loaded, statics, program, nearby.as_ref(), &there, scene.choice)?;
            if made.violation.is_none() {
                made.equilibrium.potential_energy = energy(&there.z).map(|level| answer::clean(level.value));
                return Ok(Some(made));
            }
        }
        Ok(None)
    }

    /// Notes on places where rows depend on each other; how many of them stay open.
    fn dependent_places(&mut self, scene: &Scene<'_>, proof: Option<&Proof>) -> usize {
        let (loaded, Scene { statics, ground, .. }) = (self.loaded, scene);
        let places: Vec<Vec<f64>> = match proof {
            Some(proof) => proof.singular.iter().map(|part| part.iter().map(|x| x.middle()).collect()).collect(),
            None if self.is_near() => Vec::new(),
            None => dependent::places(loaded, statics, ground),
        };
        let open = places.iter().filter(|place| !dependent::leaves(loaded, statics, place)).count();
        if self.all.is_empty() && !self.is_near() {
            dependent::never(loaded, statics).into_iter().for_each(|note| noted(&mut self.answer.notes, note));
        }
        if !places.is_empty() {
            noted(&mut self.answer.notes, at_dependent_rows(places.len(), open));
        }
        open
    }

    fn take_branches(&mut self, exact: Result<Branches, String>, is_solved: bool) {
        let before = self.answer.branches.len();
        match exact {
            Ok(exact) => answer::take(&mut self.answer, exact),
            Err(why) if !self.is_near() => {
                self.answer.notes.push(format!("not solved with parameters as symbols: {why}"));
            }
            Err(_) => {}
        }
        if !is_solved && self.answer.branches.len() > before {
            let note = "the exact branches may not have all equilibria: completeness is not taken from them";
            noted(&mut self.answer.notes, note.to_owned());
        }
    }

    /// What came of it.
    pub fn finished(self) -> Result<EquilibriumSet, Trouble> {
        let mut answer = self.answer;
        answer.complete = self.is_complete && !self.whys.is_empty();
        // what is proved with some supports closed is no proof for all
        let told = self.whys.iter().filter(|(_, is_claimed)| answer.complete || !is_claimed);
        answer.completeness = told.map(|(why, _)| why.as_str()).collect::<Vec<_>>().join("; ");
        if self.ear.is_over() {
            (answer.complete, answer.decided) = (false, false);
            answer.completeness = "the search was interrupted: completeness is not claimed".to_owned();
            if self.untold > 0 {
                let untold = self.untold;
                answer
                    .notes
                    .push(format!("{untold} more were found and are not told, since the search was interrupted"));
            }
        }
        self.pulled.into_iter().for_each(|note| noted(&mut answer.notes, note));
        answer::finish(self.loaded, self.relative, self.all, answer)
    }
}

/// So many starts of Newton's method are made for programs of this size: a step eliminates all unknowns.
fn affordable(program: &Program) -> usize {
    let step = (program.unknowns() as u64).pow(3).max(1);
    usize::try_from(ROUNDS_WORK / (STEPS * step)).unwrap_or(usize::MAX).max(LEAST_STARTS)
}

/// Why a point that was found is no place.
fn no_place(
    loaded: &Loaded,
    scene: &Scene<'_>,
    angles: &angles::Angles,
    z: &[f64],
    is_without: bool,
) -> Option<String> {
    let body = angles.unbalanced(loaded, &scene.statics, &scene.program, z);
    let singular = body.map(|body| at_singular_angles(&scene.statics, body, z));
    singular.or_else(|| is_without.then(|| without_energy(&scene.statics, z)))
}

impl Found {
    /// Takes what a branch says in letters.
    fn is_on(&mut self, branch: &exact::Branch) {
        let one = &mut self.equilibrium;
        // where reactions are shared, the branch has one choice of them, which are not the smallest
        let is_place = |value: &&(String, String)| one.indeterminate == 0 || one.multipliers.get(&value.0).is_none();
        let own = one.exact.take().into_iter().flat_map(|list| list.0);
        one.exact = Some(branch.values.0.iter().filter(is_place).cloned().chain(own).collect());
        one.conditions.clone_from(&branch.conditions);
    }

    /// Takes the verdict with supports that carry nothing judged open.
    fn is_judged(&mut self, open: Stability) {
        let one = &mut self.equilibrium;
        (one.stability, one.reason) = (open.verdict, open.reason);
        (one.eigenvalues, one.floquet, one.signs) = (open.eigenvalues, open.floquet, open.signs);
        (one.stiffness, one.certificate) = (open.stiffness, open.certificate);
    }
}

/// Takes the signs of the stiffness that a branch proves, and what gyroscopic forces and constants of the motion hold.
fn signed(
    loaded: &Loaded,
    scene: &Scene<'_>,
    branch: &Exact,
    stiffness: &Stiffness,
    point: &mut Point,
    constants: &mut Option<Option<Constants>>,
) {
    point.inertia = branch.inertia(&scene.statics, &scene.program, stiffness, &point.z, &loaded.at);
    point.spectral = branch.spectral(&scene.statics, &scene.program, stiffness, &loaded.at, point);
    if point.spectral == Some(Spectral::Elliptic) && !scene.statics.is_linear {
        let constants = constants.get_or_insert_with(|| Constants::new(loaded, &scene.statics)).as_ref();
        point.turned =
            constants.and_then(|constants| branch.turned(loaded, &scene.statics, &scene.program, constants, point));
    }
    point.leading = branch.leading(loaded, &scene.statics, point.inertia);
    // slopes that are proved regular, however small they are
    if point.inertia.is_some_and(|inertia| inertia.flat == 0) {
        point.degenerate.clear();
    }
}

/// What kinds of solutions these are.
fn sorted(program: &Program, list: &[Vec<f64>], ear: &mut Ear<'_>) -> Vec<Point> {
    ear.begins("telling points from families");
    let mut points = Vec::new();
    for (k, z) in list.iter().enumerate() {
        if !ear.reached(k as f64 / list.len() as f64) && k >= MOST_TOLD_LATE {
            break;
        }
        points.extend(set::found(program, z.clone()));
    }
    points
}

/// Solutions that only the proof found, and how narrowly all are enclosed.
fn take(program: &Program, ground: &Ground, proof: &Proof, points: &mut Vec<Point>) {
    let n = program.searched.len();
    for (q, width) in proof.solutions.iter().zip(&proof.widths) {
        // a point that is another solution of the proof is not this one, however near it is
        let known = points.iter().position(|point| point.enclosed.is_none() && ground.is_same(&point.z[..n], q, 1e-6));
        let known = known.filter(|_| !is_beside(ground, &proof.solutions, q));
        let place = known.unwrap_or_else(|| {
            let z = program.with_multipliers(q);
            let is_alone = !is_beside(ground, &proof.solutions, q);
            let solved = program.solved(&z).filter(|_| is_alone);
            points.push(set::point(program, solved.unwrap_or(z)));
            points.len() - 1
        });
        points[place].enclosed = Some(*width);
    }
}

/// Whether another solution of a proof is so near that floating point numbers would take both for one.
fn is_beside(ground: &Ground, solutions: &[Vec<f64>], q: &[f64]) -> bool {
    solutions.iter().filter(|other| ground.is_same(other, q, 1e-6)).count() > 1
}
