//! What is computed at a point?
//!
//! ```text
//! an expression     at the end of the motion, or at the start where there is none
//! event(NAME)       when it happens first; no value if it does not
//! eigenvalues       of the linear equations about the start: real and imaginary parts
//! equilibria        how many there are, and how many of them are stable
//! ```

use std::sync::atomic::{AtomicBool, Ordering};

use analysis::{Linearize, Linearized, linearize};
use engine::{Error, Field, Loaded, Progress, Settings};
use motion::{Again, Simulate, simulate, starts_alone};
use statics::{Equilibria, Rest, equilibria};

use crate::{Design, Sweep, split, wrong};

/// The numbers of a point, or why there are none.
pub type Row = Result<Vec<Option<f64>>, String>;

/// What is computed.
#[derive(Clone, Debug)]
pub struct What {
    items: Vec<Item>,
    columns: Vec<String>,
    /// The lines that name the expressions.
    lines: String,
    motion: Option<Simulate>,
}

#[derive(Clone, Debug, PartialEq)]
enum Item {
    /// By the name that its line gives it.
    Expression(String),
    Event(String),
    /// So many.
    Eigenvalues(usize),
    Equilibria,
}

/// Every name that is varied belongs to the model.
pub fn known(loaded: &Loaded, design: &Design) -> Result<(), Error> {
    let system = &loaded.system;
    let mut names: Vec<String> = system.parameters.iter().map(|one| one.name.clone()).collect();
    names.extend(system.coordinates.iter().flat_map(|one| [one.name.clone(), format!("{}'", one.name)]));
    names.extend(system.speeds.iter().map(|one| one.name.clone()));
    names.extend(system.states.iter().map(|one| one.name.clone()));
    names.extend(system.inputs.iter().map(|one| one.name.clone()));
    let Some(unknown) = design.names().find(|name| !names.iter().any(|known| known == name)) else { return Ok(()) };
    let error = wrong(Field::Vary, format!("the model has no `{unknown}` that can be varied"));
    Err(match syntax::nearest(unknown, names.iter().map(String::as_str)) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error.hint("parameters, inputs, coordinates, rates, speeds and first-order states can be"),
    })
}

impl What {
    /// Reads what is wanted, and tries it on the model as it stands: a name that is not there is told at once.
    pub fn of(loaded: &Loaded, wanted: &Sweep) -> Result<What, Error> {
        let motion = wanted.duration.map(|duration| Simulate {
            duration: Some(duration),
            every: Some(duration),
            tolerance: wanted.tolerance,
            ..Simulate::default()
        });
        let coordinates = loaded.system.coordinates.iter().map(|one| one.name.as_str());
        let mut usual: Vec<String> = coordinates.flat_map(|name| [name.to_owned(), format!("{name}'")]).collect();
        usual.extend(loaded.system.states.iter().map(|one| one.name.clone()));
        let mut asked = split(&wanted.what);
        if asked.is_empty() {
            asked = usual.iter().map(String::as_str).collect();
        }
        let mut what = What { items: Vec::new(), columns: Vec::new(), lines: String::new(), motion };
        for item in asked {
            what.add(loaded, item)?;
        }
        // a column has one name: what is varied keeps its own
        let varied: Vec<String> = Design::of(wanted)?.names().map(str::to_owned).collect();
        for column in what.columns.iter_mut().filter(|column| varied.contains(column)) {
            column.push_str("_end");
        }
        let uses_motion = what.items.iter().any(|item| matches!(item, Item::Expression(_) | Item::Event(_)));
        if what.motion.is_some() && !uses_motion {
            return Err(wrong(Field::Duration, "nothing that is asked needs a motion".to_owned()));
        }
        if what.motion.is_none() && wanted.tolerance.is_some() {
            return Err(wrong(Field::Tolerance, "a tolerance does nothing without a motion".to_owned()));
        }
        engine::load(&what.settings(&loaded.settings))?;
        Ok(what)
    }

    fn add(&mut self, loaded: &Loaded, item: &str) -> Result<(), Error> {
        let event = item.strip_prefix("event(").and_then(|rest| rest.strip_suffix(')'));
        match (item, event) {
            ("eigenvalues", _) => {
                let count = 2 * loaded.system.coordinates.len();
                let count = eigenvalues(loaded).map_or(count, |list| list.len());
                for k in 1..=count {
                    self.columns.extend([format!("eigenvalue[{k}].re"), format!("eigenvalue[{k}].im")]);
                }
                self.items.push(Item::Eigenvalues(count));
            }
            ("equilibria", _) => {
                self.columns.extend(["equilibria".to_owned(), "stable".to_owned()]);
                self.items.push(Item::Equilibria);
            }
            (_, Some(name)) => {
                if self.motion.is_none() {
                    return Err(wrong(Field::What, format!("`{item}` needs a motion"))
                        .hint(format!("say how long, as in `{}`", Field::Duration.asked("10"))));
                }
                self.columns.push(item.to_owned());
                self.items.push(Item::Event(name.trim().to_owned()));
            }
            _ if item.contains(['\n', '#']) => {
                return Err(wrong(Field::What, "an expression stands on one line, without remarks".to_owned()));
            }
            _ => {
                let name = format!("sweep_asks_{}", self.items.len());
                self.lines.push_str(&format!("observe {name} = {item}\n"));
                self.columns.push(item.to_owned());
                self.items.push(Item::Expression(name));
            }
        }
        Ok(())
    }

    /// The columns that it fills.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The model with the lines that name the expressions.
    fn settings(&self, settings: &Settings) -> Settings {
        let mut settings = settings.clone();
        settings.with.push((Field::What.to_string(), self.lines.clone()));
        settings
    }

    /// The model at a point.
    fn loaded(&self, settings: &Settings, design: &Design, point: usize) -> Result<Loaded, String> {
        let mut settings = self.settings(settings);
        let values = design.names().zip(design.at(point));
        settings.set.extend(values.map(|(name, value)| format!("{name}={value:?}")));
        engine::load(&settings).map_err(|error| error.message().to_owned())
    }

    /// Computes some points, one after the other, as `next` gives their numbers, and hands over each row as long as it is taken.
    ///
    /// Where points differ in their starts alone, the motion of the first point of the sweep prepares those of all others, so that
    /// their digits depend on nothing else.
    pub fn each(
        &self,
        settings: &Settings,
        design: &Design,
        is_over: &AtomicBool,
        next: &mut dyn FnMut() -> Option<usize>,
        take: &mut dyn FnMut(usize, Row) -> bool,
    ) {
        let first = self.loaded(settings, design, 0).ok();
        let places = first.as_ref().and_then(|first| self.places(first, design));
        let first = first.as_ref().filter(|_| places.is_some());
        // what is prepared lives in the graph that is entered here
        let _in = first.map(Loaded::enter);
        let prepared = first.zip(places).and_then(|(first, places)| Prepared::of(self, design, first, places, is_over));
        let mut row: Box<dyn FnMut(usize) -> Row> = match prepared {
            Some(mut prepared) => Box::new(move |point| prepared.at(point)),
            None => Box::new(|point| self.at(&self.loaded(settings, design, point)?, is_over)),
        };
        while let Some(point) = next() {
            if !take(point, row(point)) {
                break;
            }
        }
    }

    /// Where the varied values stand in the state, if points differ in their starts alone and nothing but motions is asked.
    fn places(&self, first: &Loaded, design: &Design) -> Option<Vec<usize>> {
        let is_motion = |item: &Item| matches!(item, Item::Expression(_) | Item::Event(_));
        let is_moving = self.motion.is_some() && self.items.iter().all(is_motion);
        starts_alone(first, &design.names().collect::<Vec<_>>()).filter(|_| is_moving)
    }

    /// The numbers of a point, by itself.
    fn at(&self, loaded: &Loaded, is_over: &AtomicBool) -> Row {
        let mut ear = Listening(is_over);
        let moved = match &self.motion {
            Some(wanted) => {
                let _in = loaded.enter();
                let mut again = Again::new(loaded).map_err(|error| error.message().to_owned())?;
                Some(moved(again.from(&[], wanted, &mut ear))?)
            }
            None => None,
        };
        let mut standing = None;
        let mut row = Vec::with_capacity(self.columns.len());
        for item in &self.items {
            match item {
                Item::Expression(name) => {
                    let value = match &moved {
                        Some(motion) => motion.last.get(name),
                        None => match standing.get_or_insert_with(|| start(loaded)) {
                            Ok(last) => last.get(name),
                            Err(reason) => return Err(reason.clone()),
                        },
                    };
                    row.push(number(value)?);
                }
                Item::Event(name) => row.push(moved.as_ref().and_then(|motion| first_time(motion, name))),
                Item::Eigenvalues(count) => {
                    let found = eigenvalues(loaded)?;
                    if found.len() != *count {
                        return Err(format!(
                            "there are {} eigenvalues, and {count} of the model as it stands",
                            found.len()
                        ));
                    }
                    row.extend(found.into_iter().flat_map(|(re, im)| [Some(re), Some(im)]));
                }
                Item::Equilibria => row.extend(rests(loaded, &mut ear)?),
            }
        }
        Ok(row)
    }
}

/// Motions that one preparation serves.
struct Prepared<'a> {
    what: &'a What,
    design: &'a Design,
    wanted: &'a Simulate,
    is_over: &'a AtomicBool,
    /// Where the varied values stand in the state.
    places: Vec<usize>,
    again: Again<'a>,
}

impl<'a> Prepared<'a> {
    /// `None` if the first point does not move: then each speaks for itself.
    fn of(
        what: &'a What,
        design: &'a Design,
        first: &'a Loaded,
        places: Vec<usize>,
        is_over: &'a AtomicBool,
    ) -> Option<Prepared<'a>> {
        let (wanted, again) = (what.motion.as_ref()?, Again::new(first).ok()?);
        let mut prepared = Prepared { what, design, wanted, is_over, places, again };
        // whichever point comes next finds the same preparation
        prepared.at(0).ok()?;
        Some(prepared)
    }

    fn motion(&mut self, point: usize) -> Result<motion::Simulation, Error> {
        let values: Vec<(usize, f64)> = self.places.iter().copied().zip(self.design.at(point)).collect();
        self.again.from(&values, self.wanted, &mut Listening(self.is_over))
    }

    fn at(&mut self, point: usize) -> Row {
        let found = self.motion(point);
        if found.is_err() && point > 0 {
            // what was prepared is lost with it
            let _ = self.motion(0);
        }
        let motion = moved(found)?;
        let value = |item: &Item| match item {
            Item::Event(name) => Ok(first_time(&motion, name)),
            Item::Expression(name) => number(motion.last.get(name)),
            Item::Eigenvalues(_) | Item::Equilibria => Ok(None),
        };
        self.what.items.iter().map(value).collect()
    }
}

/// A number of a row, if it is finite.
fn number(value: Option<f64>) -> Result<Option<f64>, String> {
    let value = value.ok_or("an expression has no number there, or is a vector")?;
    Ok(value.is_finite().then_some(value))
}

/// When something of that name is first seen.
fn first_time(motion: &motion::Simulation, name: &str) -> Option<f64> {
    motion.events.iter().find(|event| event.name == *name).map(|event| event.t)
}

/// Hears whether the sweep is over.
struct Listening<'a>(&'a AtomicBool);

impl Progress for Listening<'_> {
    fn reached(&mut self, _: f64) -> bool {
        !self.0.load(Ordering::Relaxed)
    }
}

fn moved(moved: Result<motion::Simulation, Error>) -> Result<motion::Simulation, String> {
    let moved = moved.map_err(|error| error.message().to_owned())?;
    match moved.stopped_by.failure() {
        Some(reason) => Err(reason.to_owned()),
        None => Ok(moved),
    }
}

/// The numbers at the start: the first state of a motion that hardly moves.
fn start(loaded: &Loaded) -> Result<motion::Sample, String> {
    const MOMENT: f64 = 1e-6;
    let wanted = Simulate { duration: Some(MOMENT), every: Some(MOMENT), ..Simulate::default() };
    let moved = moved(simulate(loaded, &wanted, &mut Listening(&AtomicBool::new(false))))?;
    moved.table.samples().next().ok_or_else(|| "there is no state at the start".to_owned())
}

fn eigenvalues(loaded: &Loaded) -> Result<Vec<(f64, f64)>, String> {
    match linearize(loaded, &Linearize::default(), &mut engine::Alone).map_err(|error| error.message().to_owned())? {
        Linearized::Found(found) => Ok(found.eigenvalues.iter().map(|one| (one[0], one[1])).collect()),
        Linearized::NoAnswer { reason, .. } => Err(reason),
    }
}

fn rests(loaded: &Loaded, ear: &mut Listening<'_>) -> Result<[Option<f64>; 2], String> {
    let found = equilibria(loaded, &Equilibria::default(), ear).map_err(|error| error.message().to_owned())?;
    if !found.complete {
        return Err("whether all equilibria were found is not known".to_owned());
    }
    let stable = found.equilibria.iter().filter(|one| one.stability == Rest::Stable).count();
    Ok([Some(found.equilibria.len() as f64), Some(stable as f64)])
}
