//! Which forms of a model say the same? A mark for each, found without trusting any one of them.
//!
//! ```text
//! =   the same functions, side by side, as the other forms of its setting: signatures, then proof::decide
//! ≡   another shape, the same motion: the solution put in exactly, and accelerations at three states
//! ~   accelerations at three states alone, in floating point
//! ?   the same by signature and by numbers, but not proved
//! ≠   other accelerations, or none, or other reactions
//! ·   not applicable
//! ```
//!
//! A setting is the chart, or the coordinates. What most forms say is taken for right: so a mistake in one form
//! changes the marks of that form alone, even of the first in the list.

use std::collections::BTreeSet;
use std::fmt::Write;

use expr::{Expr, Kind, Substitution, Symbol};
use mechanics::chart::ChartKind;
use mechanics::form::{Form, Setting};
use mechanics::formalism::{Family, Formalism};
use mechanics::ingredients::Ingredients;
use mechanics::{LoadKind, Orientation, System};
use proof::linear::{Matrix, solve};
use proof::{Assumptions, Verdict, decide};

use super::{Linear, charts, gallery, same, stirred, with_model};

/// How many states the numbers are compared at.
const STATES: usize = 3;

/// The marks of one model in one chart.
pub struct Line {
    /// The model.
    pub model: String,
    /// Is it in the gallery?
    pub in_gallery: bool,
    /// Which velocities.
    pub chart: ChartKind,
    /// A mark for each formalism of the list.
    pub marks: Vec<char>,
    /// How many families agree.
    pub families: usize,
    /// How many forms give the reactions.
    pub routes: usize,
    /// Are there reactions to compare? The multiplier of a norm is no force.
    pub tied: bool,
    /// Must seven families reach it: masses are particles and bodies, and no row is of second order?
    pub by_masses: bool,
}

/// The whole table: every model in every chart of its own.
pub fn lines(list: &[Formalism]) -> Vec<Line> {
    let mut lines = Vec::new();
    let known = gallery().into_iter().map(|model| (true, model));
    for (in_gallery, (model, text)) in known.chain(others().into_iter().map(|model| (false, model))) {
        with_model(&model, &text, |ready| {
            let (system, rows) = (&ready.system, &ready.rows);
            let by_energy = system.loads.iter().any(|load| matches!(load.kind, LoadKind::Kinetic(_)));
            for &chart in charts(system) {
                let judged = Judged::new(list, &ready.given(chart));
                lines.push(Line {
                    model: model.clone(),
                    in_gallery,
                    chart,
                    families: judged.families(list).len(),
                    routes: judged.reactions.iter().flatten().count(),
                    marks: judged.marks,
                    tied: !rows.list.is_empty() && quaternions(system).is_empty(),
                    by_masses: !by_energy && !rows.any(2),
                });
            }
        });
    }
    lines
}

/// The forms of one system in one chart, compared.
struct Judged {
    marks: Vec<char>,
    reactions: Vec<Option<Vec<f64>>>,
}

impl Judged {
    fn new(list: &[Formalism], given: &Ingredients<'_>) -> Judged {
        let forms: Vec<Option<Form>> = list.iter().map(|formalism| formalism.form(given).ok()).collect();
        let (motions, reactions) = numbers(&forms, given);
        // A stranger has no vote.
        let votes = |place: usize| !list[place].stranger;
        let motion = largest(motions.len(), votes, |a, b| alike(&motions[a], &motions[b]));
        let reaction = largest(reactions.len(), votes, |a, b| alike(&reactions[a], &reactions[b]));
        let joins = |class: &[usize], all: &Numbers, place: usize| {
            class.first().is_some_and(|&first| alike(&all[first], &all[place]))
        };
        let agrees = |place: usize| {
            joins(&motion, &motions, place) && (reactions[place].is_none() || joins(&reaction, &reactions, place))
        };
        let system = given.system;
        let classes = [Setting::Chart, Setting::Coordinates].map(|setting| {
            let here = |place: usize| forms[place].as_ref().is_some_and(|form| form.written_in == setting);
            let votes = |place: usize| votes(place) && agrees(place) && here(place);
            largest(
                forms.len(),
                votes,
                |a, b| matches!((&forms[a], &forms[b]), (Some(a), Some(b)) if same_functions(a, b, system)),
            )
        });
        let solution = classes[1].iter().find_map(|&place| Solution::of(forms[place].as_ref()?, given));
        let mark = |place: usize, form: &Form| {
            let class = &classes[usize::from(form.written_in == Setting::Coordinates)];
            let first = class.first().and_then(|&first| forms[first].as_ref());
            match first.filter(|first| same_functions(first, form, system)) {
                _ if !agrees(place) => '≠',
                Some(first) => proved(first, form, system),
                None if solution.as_ref().is_some_and(|solution| solution.satisfies(form, given)) => '≡',
                None => '~',
            }
        };
        let marks = forms.iter().enumerate().map(|(place, form)| form.as_ref().map_or('·', |form| mark(place, form)));
        Judged { marks: marks.collect(), reactions }
    }

    /// The families that agree.
    fn families(&self, list: &[Formalism]) -> BTreeSet<Family> {
        let good = list.iter().zip(&self.marks).filter(|(_, mark)| matches!(mark, '=' | '≡' | '~' | '?'));
        good.filter(|(formalism, _)| !formalism.stranger).map(|(formalism, _)| formalism.family).collect()
    }
}

type Numbers = Vec<Option<Vec<f64>>>;

/// Accelerations and reactions of each form, at several states one after the other.
fn numbers(forms: &[Option<Form>], given: &Ingredients<'_>) -> (Numbers, Numbers) {
    let none: Numbers = forms.iter().map(|form| form.as_ref().map(|_| Vec::new())).collect();
    let (mut motions, mut forces) = (none.clone(), none);
    // The multiplier of a norm is no force: it depends on how the rotation goes on where the length is not one.
    let forced = quaternions(given.system).is_empty();
    let made = |form: &Option<Form>| form.as_ref().and_then(|form| Linear::of(form, given).ok());
    let linear: Vec<Option<Linear>> = forms.iter().map(made).collect();
    let mut at = given.at.clone();
    for _ in 0..STATES {
        for (place, linear) in linear.iter().enumerate() {
            let found = linear.as_ref().and_then(|linear| linear.motion(&at).ok());
            let (motion, force) = found.map_or((None, None), |(motion, force)| (Some(motion), force));
            append(&mut motions[place], motion);
            append(&mut forces[place], force.filter(|_| forced));
        }
        at = stirred(&at, given.system, given.rows);
    }
    (motions, forces)
}

fn append(list: &mut Option<Vec<f64>>, more: Option<Vec<f64>>) {
    match (list.as_mut(), more) {
        (Some(list), Some(more)) => list.extend(more),
        _ => *list = None,
    }
}

fn alike(a: &Option<Vec<f64>>, b: &Option<Vec<f64>>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if same(a, b))
}

/// The places of the largest class of things that are alike; the first one, if several are as large.
fn largest(n: usize, votes: impl Fn(usize) -> bool, alike: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for place in (0..n).filter(|&place| votes(place) && alike(place, place)) {
        match classes.iter_mut().find(|class| alike(class[0], place)) {
            Some(class) => class.push(place),
            None => classes.push(vec![place]),
        }
    }
    let first = |best: Vec<usize>, class: Vec<usize>| if class.len() > best.len() { class } else { best };
    classes.into_iter().fold(Vec::new(), first)
}

/// Differences of the sides of two forms.
fn differences(a: &Form, b: &Form) -> Vec<Expr> {
    let pairs = a.equations.iter().zip(&b.equations);
    let sides = pairs.flat_map(|(a, b)| [(a.left, b.left), (a.right, b.right)]);
    sides.filter(|(a, b)| a != b).map(|(a, b)| a - b).collect()
}

/// Are left and right sides the same functions, by signature? Energy and dot products differ off the norms.
fn same_functions(a: &Form, b: &Form, system: &System) -> bool {
    let shape = a.equations.len() == b.equations.len() && a.multipliers == b.multipliers;
    shape && on_norms(&differences(a, b), system).into_iter().all(zero)
}

/// Is it zero: by signature, or where roots hide that, by proof?
fn zero(e: Expr) -> bool {
    e.is_zero() || e.has_branches() && decide(e, &Assumptions::none()).is_zero()
}

/// `=` if the prover confirms what signatures said.
fn proved(a: &Form, b: &Form, system: &System) -> char {
    let verdicts = on_norms(&differences(a, b), system).into_iter().map(|e| decide(e, &Assumptions::none()));
    verdicts.fold('=', |mark, verdict| match verdict {
        Verdict::Zero(_) => mark,
        Verdict::Unknown(_) => '?',
        Verdict::NonZero(_) => '≠',
    })
}

fn quaternions(system: &System) -> Vec<[Expr; 4]> {
    let numbers = system.frames.iter().filter_map(|frame| match frame.orientation {
        Orientation::Quaternion(numbers) => Some(numbers),
        Orientation::Turns(_) | Orientation::Matrix(_) => None,
    });
    numbers.collect()
}

/// The same where quaternions have length one.
fn on_norms(outputs: &[Expr], system: &System) -> Vec<Expr> {
    let root = |[a, b, c, d]: [Expr; 4]| (a, (Expr::one() - b * b - c * c - d * d).sqrt());
    let norms: Substitution = quaternions(system).into_iter().map(root).collect();
    norms.apply(outputs).expect("a root can be put in")
}

/// Accelerations and multipliers as functions of the state.
struct Solution {
    of: Substitution,
}

impl Solution {
    /// What a form with all multipliers says, solved exactly.
    fn of(form: &Form, given: &Ingredients<'_>) -> Option<Solution> {
        let unknowns = form.all_unknowns();
        if form.multipliers.len() < given.rows.list.len() {
            return None;
        }
        let (matrix, constants) = expr::linear_coefficients(&form.residuals(), &unknowns).ok()?;
        let right: Vec<Expr> = constants.into_iter().map(|constant| -constant).collect();
        let values = solve(&Matrix::from_rows(&matrix), &right, given.at).ok()?;
        Some(Solution { of: unknowns.into_iter().zip(values).collect() })
    }

    /// Does it satisfy a form in coordinates, at every state that the rows admit?
    fn satisfies(&self, form: &Form, given: &Ingredients<'_>) -> bool {
        if form.written_in != Setting::Coordinates {
            return false;
        }
        let Ok(put_in) = self.of.apply(&form.residuals()) else { return false };
        given.on_shell(&put_in).is_ok_and(|left| on_norms(&left, given.system).into_iter().all(zero))
    }
}

/// The table as a person reads it.
pub fn table(list: &[Formalism], lines: &[Line]) -> String {
    let columns: Vec<usize> = (0..list.len()).filter(|&place| !list[place].stranger).collect();
    let families: Vec<Vec<usize>> =
        columns.chunk_by(|&a, &b| list[a].family == list[b].family).map(<[usize]>::to_vec).collect();
    let in_groups = |of: &dyn Fn(usize, usize) -> char, apart: &str| {
        let group = |group: &Vec<usize>| group.iter().enumerate().map(|(k, &place)| of(k, place)).collect::<String>();
        families.iter().map(|members| format!("{:2}", group(members))).collect::<Vec<_>>().join(apart)
    };
    let mut text = HEADER.to_owned();
    let heading =
        |group: &Vec<usize>| format!("{:width$}", format!("{:?}", list[group[0]].family), width = group.len());
    let headings: Vec<String> = families.iter().map(heading).collect();
    let _ = writeln!(text, "\n{:40}{}  fam  λ", "", headings.join(" "));
    let _ = writeln!(text, "{:40}{}", "", in_groups(&|k, _| char::from(b'a' + k as u8), " ").trim_end());
    for (in_gallery, title) in [(true, "the gallery"), (false, "made for this table")] {
        let _ = writeln!(text, "{title}");
        for line in lines.iter().filter(|line| line.in_gallery == in_gallery) {
            let marks = in_groups(&|_, place| line.marks[place], " ");
            let chart = format!("{:?}", line.chart).to_lowercase();
            let routes = if line.tied { line.routes.to_string() } else { "–".to_owned() };
            let _ = writeln!(text, "{:32}{chart:8}{marks}  {:3} {routes:>2}", line.model, line.families);
        }
    }
    let _ = writeln!(text, "\nThe columns\n");
    for group in &families {
        let letter = |(k, &place): (usize, &usize)| format!("{} {}", char::from(b'a' + k as u8), list[place].name);
        let names: Vec<String> = group.iter().enumerate().map(letter).collect();
        let family = list[group[0]].family;
        let _ = writeln!(text, "{family:?}  {}\n    {}", family.describe(), names.join(", "));
    }
    for place in (0..list.len()).filter(|&place| list[place].stranger) {
        let _ = writeln!(text, "\nThe stranger: {}\n", list[place].name);
        for (mark, meaning) in STRANGER {
            let own = lines.iter().filter(|line| line.marks[place] == mark && line.chart == ChartKind::Rates);
            let names: Vec<&str> = own.map(|line| line.model.as_str()).collect();
            if !names.is_empty() {
                let _ = writeln!(text, "{mark}   {meaning}:{}", wrapped(&names));
            }
        }
    }
    text
}

/// Names with commas, in lines of their own.
fn wrapped(names: &[&str]) -> String {
    let mut lines = vec![String::new()];
    for (k, name) in names.iter().enumerate() {
        let word = if k + 1 < names.len() { format!(" {name},") } else { format!(" {name}") };
        match lines.last_mut().filter(|line| line.len() + word.len() < 105) {
            Some(line) => *line += &word,
            None => lines.push(word),
        }
    }
    lines.iter().map(|line| format!("\n   {line}")).collect()
}

const HEADER: &str = "\
Do all forms of all models say the same?

=   the same functions as the other forms of its setting, left and right sides apart: equal signatures at
    random points of two prime fields, confirmed by the prover
≡   another shape, the same motion: the exact solution of equations with multipliers, put into the form, leaves
    zero (by signature, or by the prover), and accelerations agree in floating point at three states
~   accelerations agree in floating point at three states, and that is all: the multiplier of a quaternion's norm
    is no force, and forms may differ in it
?   equal signatures, but the prover leaves it open
≠   other accelerations, or none, or other reactions where the form gives them
·   not applicable; anholon derive MODEL --form NAME says why

A setting is the chart (rates of coordinates, or the speeds that the model declares) or the coordinates. What most
forms say is taken for right, first accelerations and reactions, then functions. fam counts the families
that agree, λ the forms that give the reactions. The chain has three links.
";

/// What marks mean for a form that answers another question.
const STRANGER: [(char, &str); 6] = [
    ('=', "the same functions as Lagrange's equations with multipliers"),
    ('≡', "another shape, the same motion"),
    ('~', "the same accelerations in floating point"),
    ('?', "undecided"),
    ('≠', "another motion"),
    ('·', "not applicable"),
];

/// Does a stranger say of x' = z y' what its principle says by hand? Elsewhere nothing could vouch for it.
///
/// ```text
/// (x' + μ)' = 0     (y' − μ z)' = 0     z'' + μ y' = 0     λ = −μ'
/// ```
pub fn stranger_by_hand(stranger: &Formalism) -> bool {
    let text = "coord x, y, z\npoint P = (x, y, z) mass 1\nconstraint c: x' = z*y'\nstart z = 1, y' = 1, z' = 2";
    with_model("by hand", text, |ready| {
        let (given, rows) = (ready.given(ChartKind::Rates), &ready.rows);
        let Ok(form) = stranger.form(&given) else { return false };
        let mu = expr::symbol(Symbol::new("mu_c", Kind::Multiplier));
        let [_, y_dot, z_dot] = given.q_dot[..] else { return false };
        // The row may be written with either sign: its multipliers turn with it.
        let (lambda, sign) = (rows.list[0].lambda, rows.list[0].A[0]);
        let [x, y, z] = [lambda, -lambda * given.q[2] + mu * z_dot, -mu * y_dot].map(|side| sign * side);
        let by_hand = given.q_ddot.iter().zip([x, y, z]).map(|(&left, right)| left - right);
        form.equations.iter().zip(by_hand).all(|(equation, by_hand)| (equation.residual() - by_hand).is_zero())
    })
}

/// Systems that the gallery has not.
fn others() -> Vec<(String, String)> {
    let list = [
        (
            "speeds and a root",
            "coord x, y, z\npoint P = (x, y, z) mass 2 + z\nforce (1, 2, 3) on P\n\
             speed a = x' + z*y'\nspeed b = y'\nconstraint c: z'^2 = x'^2 + (1 + y^2)*y'^2 + 1\n\
             start x = 1, y = 0.5, x' = 1.2, y' = 0.9\nguess z' = 1",
        ),
        (
            "mass of position and time",
            "coord r, a\npoint P = ((r + t)*cos(a), (r + t)*sin(a)) mass 2 + r^2*a + t exhaust (1, r, 0)\n\
             force (1, r', 0) on P\nconstraint c: r' = a*a' + t\nstart r = 1, a = 0.5, a' = 2",
        ),
        (
            "quaternion",
            "coord a, b, c, d\nframe B = N quaternion (a, b, c, d)\npoint P = B*(1, 2, 3)\n\
             body top mass 2 at P frame B inertia (2, 3, 4, 0.1, 0.2, 0.3)\ngravity (0, 0, -9.81)\n\
             start a = 0.5, b = 0.5, c = 0.5, b' = 1, c' = 0.4, d' = -0.3",
        ),
        (
            "disc on a turning table",
            "coord x, y, z, psi, theta, phi\nframe T = N rotated z by 0.3*t^2 + t\n\
             frame E = T rotated z by psi, x by theta\nframe B = E rotated z by phi\npoint G = T*(x, y, z)\n\
             point K = G - E.y\nbody disc mass 2 at G frame B inertia (0.5, 0.5, 1)\ngravity (0, 0, -9.81)\n\
             constraint noslip: velocity(disc at K) = (sin(t), x, 0)\n\
             start theta = 1.2, psi' = 0.7, theta' = 0.3, phi' = 2, x = 0.4, z = 1",
        ),
        (
            "rows said three times",
            "coord x, y, z\npoint P = (x, y, z) mass 2\ngravity (0, 1, -9.81)\nconstraint a: x^2 + y^2 + z^2 = 1\n\
             constraint b: x*x' + y*y' + z*z' = 0\nconstraint c: 3*z^2 = 3 - 3*x^2 - 3*y^2\n\
             start x = 0.6, z = -0.8, y' = 2, x' = 0",
        ),
        (
            "second order in speeds",
            "coord x, y, z\npoint P = (x, y, z*y) mass 2\nforce (1, 2, 3) on P\nspeed u = x' + y*z'\n\
             speed v = z' + t\nconstraint c: x' = z*y'\nconstraint d: y*z'' + x'*y' = x''\n\
             start x = 1, y = 1, z = 0.5, y' = 2, z' = 0.3",
        ),
    ];
    list.map(|(name, text)| (name.to_owned(), text.to_owned())).to_vec()
}
