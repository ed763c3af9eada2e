//! The equations of motion in a form, as a person would write them.

use std::rc::Rc;

use expr::{Expr, Formula, Substitution};
use mechanics::chart::ChartKind;
use mechanics::determined::{Sharing, everything};
use mechanics::form::{Form, FormError};
use mechanics::formalism::{FORMALISMS, Formalism, formalism, usual, usual_one};
use mechanics::ingredients::Ingredients;
use mechanics::reaction::{Acts, Push, Receiver};
use mechanics::{System, Vector};
use serde::Serialize;
use syntax::Diagnostic;

use crate::alike::{Sheet, Shelf};
use crate::error::Field;
use crate::explicit::Explicit;
use crate::forms::{known, notes, rows_of_every_class, unused_speeds};
pub use crate::lines::{Multiplier, Named};
use crate::matrices::MatrixPage;
use crate::names::public;
use crate::readable::{Reader, length};
use crate::steps::{Step, Way};
use crate::{Error, Loaded, Progress};

/// What is asked of a derivation.
#[derive(Clone, Debug, Default)]
pub struct Derive {
    /// The name of a formalism, or `all`; without one the usual one for the system.
    pub form: Option<String>,
    /// Whether charted forms are written in rates although the model declares speeds.
    pub in_rates: bool,
    /// Whether reactions are wanted.
    pub reactions: bool,
    /// Whether the nonholonomic correction is wanted.
    pub correction: bool,
    /// Whether what the form makes on its way is wanted.
    pub steps: bool,
    /// Whether the matrices of the equations are wanted.
    pub matrices: bool,
    /// Whether accelerations and multipliers are wanted as functions of the state.
    pub explicit: bool,
}

/// Equations of motion in one form, or why there are none.
#[derive(Clone, Debug, Serialize)]
pub struct Derivation {
    /// The model.
    pub model: String,
    /// The title of the model.
    #[serde(skip)]
    pub title: String,
    /// The formalism.
    pub form: &'static str,
    /// Whose equations.
    pub equations_of: &'static str,
    /// Its family.
    pub family: String,
    /// Whether it applies.
    pub applicable: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What the equations are solved for.
    pub unknowns: Vec<String>,
    /// The equations of motion.
    pub equations: Vec<Formula>,
    /// Rates in terms of the independent velocities.
    pub kinematics: Vec<Formula>,
    /// The rates of first-order states.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub laws: Vec<Formula>,
    /// Constraints as equations for the accelerations.
    pub constraints: Vec<Named>,
    /// Names for parts that occur often.
    pub definitions: Vec<Named>,
    /// The multipliers, and what they are if the form says it.
    pub multipliers: Vec<Multiplier>,
    /// What each constraint does to which point or body, if it was asked for.
    pub reactions: Vec<ReactionLines>,
    /// The nonholonomic correction C_σ of the chart, one for each independent velocity, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correction: Option<Correction>,
    /// Where the chart is singular.
    pub singular: Vec<String>,
    /// Roots that were chosen.
    pub branches: Vec<String>,
    /// What else the form shows: a transposition rule, three-index symbols, a Hamiltonian.
    pub remarks: Vec<Named>,
    /// What the form makes on its way, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<Step>>,
    /// The matrices of the equations, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrices: Option<MatrixPage>,
    /// Accelerations and multipliers as functions of the state, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explicit: Option<Explicit>,
    /// Operations in the equations, shared ones counted once.
    pub operations: usize,
    /// Remarks for the reader.
    pub notes: Vec<String>,
    /// Usual forms that are longer, if none was asked for and this one is shorter.
    #[serde(skip)]
    pub others: Vec<&'static str>,
}

impl Derivation {
    /// How many characters its formulas take.
    fn length(&self) -> usize {
        let named = self.constraints.iter().chain(&self.definitions).map(|named| &named.formula);
        let all = self.equations.iter().chain(&self.kinematics).chain(named);
        all.map(|formula| formula.text.chars().count()).sum()
    }
}

/// The reaction of a constraint, line by line.
#[derive(Clone, Debug, Serialize)]
pub struct ReactionLines {
    /// The constraint.
    pub constraint: String,
    /// Force and torque on each point or body, the resultant, the generalized reactions.
    pub lines: Vec<String>,
    /// Forces and torques as LaTeX.
    #[serde(skip)]
    pub latex: Vec<String>,
}

/// How nonholonomic a chart is: C_σ = Σ p (d/dt ∂q'/∂u_σ − ∂q'/∂π_σ), which plain Lagrange equations miss.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Correction {
    /// C_σ for each independent velocity, named by it.
    Of(Vec<Named>),
    /// Why there is none.
    None {
        /// One sentence.
        reason: String,
    },
}

/// Derives the equations of motion.
pub fn derive(model: &Loaded, wanted: &Derive, progress: &mut dyn Progress) -> Result<Vec<Derivation>, Error> {
    let sided = crate::side::of_the_start(model);
    let mut pages = on_one_side(sided.as_ref().map_or(model, |sided| &sided.loaded), wanted, progress)?;
    for page in pages.iter_mut().filter(|page| page.applicable) {
        page.notes.extend(
            sided.iter().map(|sided| format!("written for {}, the side of the start", sided.assumed.join(", "))),
        );
    }
    Ok(pages)
}

/// The equations on the side of every length that the model assumes.
fn on_one_side(loaded: &Loaded, wanted: &Derive, progress: &mut dyn Progress) -> Result<Vec<Derivation>, Error> {
    let _in = loaded.enter();
    if wanted.in_rates && !loaded.system.has_speeds() {
        let message = format!("`{}` has no effect: this model declares no speeds", Field::Rates);
        return Err(Error::new(message).hint("leave it out: the equations are in rates already").of(Field::Rates));
    }
    crate::sound::coordinates(loaded)?;
    let rows = rows_of_every_class(loaded, &loaded.mode, &loaded.anywhere)?;
    crate::sound::masses(loaded)?;
    let kind = match wanted.in_rates || !loaded.system.has_speeds() {
        true => ChartKind::Rates,
        false => ChartKind::Speeds,
    };
    let given = Ingredients::of(&loaded.system, &loaded.mode, &rows, kind, &loaded.anywhere);
    let shelf = Shelf::default();
    match wanted.form.as_deref() {
        Some("all") => {
            let mut all = Vec::with_capacity(FORMALISMS.len());
            for (done, formalism) in FORMALISMS.iter().enumerate() {
                if !progress.reached(done as f64 / FORMALISMS.len() as f64) {
                    break;
                }
                all.push(one(loaded, &given, formalism, wanted, &shelf)?);
            }
            Ok(all)
        }
        Some(name) => Ok(vec![one(loaded, &given, known(name)?, wanted, &shelf)?]),
        None => Ok(vec![usual_page(loaded, &given, wanted, &shelf)?]),
    }
}

/// Puts the matrices on the page, or why there are none.
fn add_matrices(derivation: &mut Derivation, given: &Ingredients<'_>) {
    match crate::matrices::matrices(given) {
        Ok(page) => derivation.matrices = Some(page),
        Err(error) => derivation.notes.push(format!("no matrices: {error}")),
    }
}

/// The usual form. A system with constraints and without speeds is written with multipliers, or in independent rates
/// if that is shorter and its chart has no place where it fails.
fn usual_page(loaded: &Loaded, given: &Ingredients<'_>, wanted: &Derive, shelf: &Shelf) -> Result<Derivation, Error> {
    let first = usual_one(given).unwrap_or(usual(given)[0]);
    let mut page = one(loaded, given, first, wanted, shelf)?;
    let in_coordinates = wanted.reactions || wanted.explicit || wanted.matrices;
    let multipliers = first.name == "multipliers" && !given.system.has_speeds() && !in_coordinates;
    if let Some(charted) = formalism("kane").filter(|_| multipliers) {
        let other = one(loaded, given, charted, wanted, shelf)?;
        let sound = other.applicable && other.singular.is_empty() && other.branches.is_empty();
        if sound && other.length() < page.length() {
            page = Derivation { others: vec![page.form], ..other };
        }
    }
    Ok(page)
}

/// The page of a form before anything is written on it.
fn blank(loaded: &Loaded, formalism: &'static Formalism) -> Derivation {
    Derivation {
        model: loaded.file.clone(),
        title: loaded.system.title.clone(),
        form: formalism.name,
        equations_of: formalism.title,
        family: format!("{:?}", formalism.family),
        applicable: false,
        reason: None,
        unknowns: Vec::new(),
        equations: Vec::new(),
        kinematics: Vec::new(),
        laws: Vec::new(),
        constraints: Vec::new(),
        definitions: Vec::new(),
        multipliers: Vec::new(),
        reactions: Vec::new(),
        correction: None,
        singular: Vec::new(),
        branches: Vec::new(),
        remarks: Vec::new(),
        steps: None,
        matrices: None,
        explicit: None,
        operations: 0,
        notes: Vec::new(),
        others: Vec::new(),
    }
}

/// One form for reading.
fn one(
    loaded: &Loaded,
    given: &Ingredients<'_>,
    formalism: &'static Formalism,
    wanted: &Derive,
    shelf: &Shelf,
) -> Result<Derivation, Error> {
    let mut derivation = blank(loaded, formalism);
    let derived = formalism.closed(given);
    derivation.notes = notes(loaded, given);
    derivation.notes.extend(unused_speeds(given).filter(|_| !wanted.in_rates));
    let form = match derived {
        Ok(form) => form,
        Err(FormError::PlaneInertia { body, span }) => {
            let error = FormError::PlaneInertia { body, span };
            let diagnostic = Diagnostic::error(span, error.to_string());
            return Err(Error::of_model(&loaded.model.sources, &[diagnostic]));
        }
        Err(error) => {
            derivation.reason = Some(error.to_string());
            return Ok(derivation);
        }
    };
    derivation.applicable = true;
    derivation.operations = operations(&form);
    derivation.unknowns = form.all_unknowns().iter().map(Expr::to_string).collect();
    let sheet = write(&mut derivation, formalism, &form, given, shelf);
    if wanted.steps {
        let on_the_way = formalism.shown(given).map(|(_, made)| made).unwrap_or_default();
        let way = Way { given, formalism, form: &form, layout: &sheet.layout, written: &shelf.steps };
        derivation.steps = Some(crate::steps::steps(&way, &on_the_way));
    }
    if wanted.matrices {
        add_matrices(&mut derivation, given);
    }
    let mut multipliers = Substitution::new();
    if wanted.explicit {
        let (page, values) = crate::explicit::explicit(given, &form);
        (derivation.explicit, multipliers) = (Some(page), values);
    }
    if wanted.reactions || !multipliers.is_empty() {
        react(&mut derivation, given, &multipliers);
    }
    if wanted.reactions {
        derivation.notes.push(BUILT_IN.to_owned());
    }
    if wanted.correction {
        derivation.correction = Some(match corrections(given) {
            Ok(lines) => Correction::Of(lines),
            Err(error) => Correction::None { reason: error.to_string() },
        });
    }
    Ok(derivation)
}

/// Distinct operations in all equations together.
fn operations(form: &Form) -> usize {
    Expr::sum(&form.residuals()).operations()
}

/// Writes everything that the form says.
fn write(
    derivation: &mut Derivation,
    formalism: &Formalism,
    form: &Form,
    given: &Ingredients<'_>,
    shelf: &Shelf,
) -> Rc<Sheet> {
    let reader = shelf.reader();
    let sheet = shelf.sheet(formalism, form, given, &reader);
    derivation.equations.clone_from(&sheet.equations);
    derivation.kinematics.clone_from(&sheet.kinematics);
    derivation.constraints.clone_from(&sheet.constraints);
    derivation.definitions.clone_from(&sheet.definitions);
    derivation.multipliers.clone_from(&sheet.multipliers);
    derivation.singular.clone_from(&sheet.singular);
    derivation.branches.clone_from(&sheet.branches);
    derivation.notes.extend_from_slice(&sheet.notes);
    write_laws(derivation, given.system, &reader.less(REMARKS));
    write_remarks(derivation, form, &reader.less(REMARKS));
    if sheet.gave_up || reader.gave_up() {
        derivation.notes.push("some parts are too long to be simplified, and are written as they were made".to_owned());
    }
    sheet
}

/// Remarks are written with one part in so many of the work for a page.
const REMARKS: u64 = 8;

/// Writes the rates of first-order states.
fn write_laws(derivation: &mut Derivation, system: &System, reader: &Reader) {
    let law = |state: &mechanics::FirstOrder| {
        let rate = expr::total_derivative(state.symbol).ok()?;
        Some(Formula::equation(rate, public(reader.readable(state.rate, &[]))))
    };
    derivation.laws = system.states.iter().filter_map(law).collect();
}

/// Writes what else the form shows, as far as a page can hold it.
fn write_remarks(derivation: &mut Derivation, form: &Form, reader: &Reader) {
    let is_rate = |symbol: &Expr| {
        let moves = |name: &str| name.ends_with("@momentum") || name.ends_with("@cyclic");
        symbol.as_symbol().is_some_and(|own| own.order > 0 || moves(&own.name))
    };
    let written = |value: Expr, what: &str| match what {
        "H" | "R" => reader.by_degree(value, &value.symbols().into_iter().filter(is_rate).collect::<Vec<Expr>>()),
        _ => reader.readable(value, &[]),
    };
    let read = form.remarks.iter().map(|remark| {
        let what = remark.what.replace("@row", "");
        let value = public(written(remark.value, &what));
        (what, value)
    });
    let (short, long): (Vec<_>, Vec<_>) = read.partition(|(_, value)| length(*value) < usize::MAX);
    derivation.remarks = short.into_iter().map(|(what, value)| Named::new(what, Formula::of(value))).collect();
    if let [(first, _), ..] = &long[..] {
        let more = if long.len() == 1 { String::new() } else { format!(" and {} more", long.len() - 1) };
        derivation.notes.push(format!("{first}{more}: too long for a page"));
    }
}

/// C_σ, on the constraints.
fn corrections(given: &Ingredients<'_>) -> Result<Vec<Named>, FormError> {
    let (chart, reader) = (given.chart()?, Reader::new());
    let list = given.thawed(&given.on_shell(given.correction()?)?)?;
    let line = |(u, &value): (&Expr, &Expr)| {
        let value = reader.readable(value, &chart.w);
        let latex = format!("C_{{{}}} = {}", expr::latex(*u), expr::latex(value));
        Named::new(u, Formula { latex, ..Formula::of(value) })
    };
    Ok(chart.u.iter().zip(&list).map(line).collect())
}

/// A force with its place, and a torque.
fn pushed(system: &System, push: &Push, with_place: bool, vector: &dyn Fn(Vector) -> Vector) -> Vec<String> {
    let name = push.on.name(system);
    let place = match push.on {
        Receiver::Point(point) if system.points[point].mass.is_some() => String::new(),
        _ if !with_place => String::new(),
        _ => push.at.map_or(String::new(), |at| format!(" at {}", vector(at))),
    };
    let mut lines = Vec::new();
    if !push.force.is_zero() || push.torque.is_none_or(|torque| torque.is_zero()) {
        lines.push(format!("on {name}{place}: force {}", vector(push.force)));
    }
    if let Some(torque) = push.torque.map(vector).filter(|torque| !torque.is_zero()) {
        let about = if matches!(push.on, Receiver::Body(_)) { ", about its mass centre" } else { "" };
        lines.push(format!("on {name}: torque {torque}{about}"));
    }
    lines
}

/// A force and a torque as LaTeX.
fn pushed_latex(system: &System, push: &Push, vector: &dyn Fn(Vector) -> Vector) -> Vec<String> {
    let name = format!(r"\mathrm{{{}}}", push.on.name(system).replace('_', r"\_"));
    let of = |letter: &str, value: Vector| {
        let entries = value.0.map(expr::latex);
        format!(r"\mathbf{{{letter}}}_{{{name}}} = \left({}\right)", entries.join(r",\; "))
    };
    let torque = push.torque.map(vector).filter(|torque| !torque.is_zero()).map(|torque| of("M", torque));
    let force = (!push.force.is_zero()).then(|| of("F", vector(push.force)));
    force.into_iter().chain(torque).collect()
}

/// Where reactions are asked for and there are none.
const BUILT_IN: &str = "what is built into the coordinates has no reaction; to find one, give the point coordinates of its own \
    and pin it: `coord x, y : m`, `point P = (x, y)`, `constraint pin: P = (…, …)`";

/// What each constraint does to points and bodies, with the multipliers that are known put in.
fn react(derivation: &mut Derivation, given: &Ingredients<'_>, multipliers: &Substitution) {
    let (system, reader) = (given.system, Reader::new());
    let put_in = crate::explicit::put_in(given, multipliers);
    // rows that follow from others carry too
    let all = everything(given.rows);
    let lambdas: Vec<Expr> = all.list.iter().map(|row| row.lambda).collect();
    let written = |e: Expr| {
        let read = reader.readable(e, &lambdas);
        if multipliers.is_empty() { read } else { put_in(read) }
    };
    let vector = |vector: Vector| Vector(vector.0.map(written));
    let acts = Acts { rows: &all, ..Acts::from(given) };
    let found = match mechanics::reaction::reactions(&acts) {
        Ok(found) => found,
        Err(error) => {
            derivation.notes.push(format!("reactions: {error}"));
            return;
        }
    };
    for one in found {
        let mut lines: Vec<String> =
            one.on.iter().flat_map(|push| pushed(system, push, one.contact.is_none(), &vector)).collect();
        if let Some(contact) = &one.contact {
            let part = |e: Expr| written(e).to_string();
            lines.push(format!("at {}", vector(contact.point)));
            let normal = contact.normal.map_or("built into the coordinates".to_owned(), part);
            lines.push(format!("normal {normal}, along {}, across {}", part(contact.along), part(contact.across)));
        }
        if let Some(joint) = &one.joint {
            lines.push(format!("at {}: torque about it {}", vector(joint.point), vector(joint.torque)));
        }
        match (one.resultant, &one.shared) {
            (Some(resultant), _) if one.on.len() > 1 && one.contact.is_none() && one.joint.is_none() => {
                lines.push(format!("resultant {}", vector(resultant)))
            }
            (_, Some(reason)) => {
                let coordinates = system.coordinates.iter().zip(&one.generalized);
                let acting = coordinates.filter(|(_, force)| !force.is_zero());
                lines.extend(acting.map(|(c, &force)| format!("on {}: {}", c.name, written(force))));
                lines.push(format!("({reason})"));
            }
            _ => {}
        }
        let latex = one.on.iter().flat_map(|push| pushed_latex(system, push, &vector)).collect();
        derivation.reactions.push(ReactionLines { constraint: one.name, lines, latex });
    }
    let groups = if given.rows.left_out.is_empty() { Vec::new() } else { Sharing::of(&acts).groups() };
    for group in groups {
        let rows: Vec<String> = group.iter().map(|row| format!("`{row}`")).collect();
        let note = format!("{} share a load: their multipliers are not determined one by one", rows.join(", "));
        derivation.notes.push(note);
    }
}
