//! Which forms say the same, so that one sheet serves them all?
//!
//! ```text
//! the same unknowns, and side by side the same functions        two forms are alike               (1)
//! ```
//!
//! All forms in one chart are alike, and most of those in coordinates. Each is written from the form that stands
//! for its kind, if the two are alike: then the text does not depend on the way, and it is made once.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use expr::{Expr, Formula, Substitution};
use mechanics::chart::Chart;
use mechanics::form::{Form, Setting};
use mechanics::formalism::{Formalism, formalism};
use mechanics::ingredients::Ingredients;

use crate::layout::Layout;
use crate::lines::{Multiplier, Named};
use crate::positive::positive;
use crate::quantities::Quantities;
use crate::readable::{Memory, Reader, divisors};
use crate::written::Written;

/// What a long page divides by is written with one part in so many of the work for a page.
const GIVEN_UP: u64 = 20;

/// The sheets of one question, and what was written for them.
#[derive(Default)]
pub struct Shelf {
    memory: Memory,
    quantities: OnceCell<Quantities>,
    /// What was written for steps.
    pub steps: Written,
    sheets: RefCell<Vec<(Form, Rc<Sheet>)>>,
}

/// What is written of a form, and of all that are alike.
pub struct Sheet {
    /// Everything as expressions.
    pub layout: Layout,
    /// The equations of motion that say something.
    pub equations: Vec<Formula>,
    /// Rates in terms of the independent velocities.
    pub kinematics: Vec<Formula>,
    /// Constraints as equations for the accelerations.
    pub constraints: Vec<Named>,
    /// Names for parts that occur often.
    pub definitions: Vec<Named>,
    /// The multipliers, and what they are if the form says it.
    pub multipliers: Vec<Multiplier>,
    /// Where the chart is singular.
    pub singular: Vec<String>,
    /// Roots that were chosen.
    pub branches: Vec<String>,
    /// What is to be said beside it.
    pub notes: Vec<String>,
    /// Was something too long to be simplified?
    pub gave_up: bool,
}

impl Shelf {
    /// Who reads for one form, and remembers what was read for the others.
    pub fn reader(&self) -> Reader {
        Reader::remembering(&self.memory)
    }

    /// The sheet of a form.
    pub fn sheet(&self, of: &Formalism, form: &Form, given: &Ingredients<'_>, reader: &Reader) -> Rc<Sheet> {
        let form = standing(of, form, given);
        let form = crate::side::without_bars(&form, given).unwrap_or(form);
        let known = self.sheets.borrow().iter().find(|(own, _)| is_written_alike(own, &form)).map(|one| one.1.clone());
        known.unwrap_or_else(|| {
            let sheet = Rc::new(Sheet::of(&form, given, self.quantities.get_or_init(|| Quantities::of(given)), reader));
            self.sheets.borrow_mut().push((form, sheet.clone()));
            sheet
        })
    }
}

/// The forms that stand for others.
fn names(charted: bool, given: &Ingredients<'_>) -> &'static [&'static str] {
    match (charted, given.rows.list.is_empty()) {
        (true, _) => &["kane"],
        (false, true) => &["lagrange-2"],
        (false, false) => &["multipliers", "jourdain"],
    }
}

/// The form that stands for this one, or itself.
fn standing(of: &Formalism, form: &Form, given: &Ingredients<'_>) -> Form {
    let names = names(of.charted, given);
    let others = names.iter().filter(|_| !names.contains(&of.name)).filter_map(|name| formalism(name));
    let found = others.filter_map(|other| other.closed(given).ok()).find(|other| is_alike(other, form));
    found.unwrap_or_else(|| form.clone())
}

/// Left and right of all equations, rows, and what multipliers are.
fn parts(form: &Form) -> Vec<Expr> {
    let equations = form.equations.iter().flat_map(|equation| [equation.left, equation.right]);
    let rows = form.conditions.iter().map(|condition| condition.row);
    equations.chain(rows).chain(form.reactions.iter().map(|reaction| reaction.value)).collect()
}

/// Are they about the same unknowns, in the same order?
fn is_about_the_same(a: &Form, b: &Form) -> bool {
    let names = |form: &Form| {
        let rows = form.conditions.iter().map(|condition| condition.name.clone());
        rows.chain(form.reactions.iter().map(|reaction| reaction.lambda.to_string())).collect::<Vec<String>>()
    };
    let unknowns = a.unknowns == b.unknowns && a.multipliers == b.multipliers && a.written_in == b.written_in;
    unknowns && a.equations.len() == b.equations.len() && names(a) == names(b)
}

/// (1)
fn is_alike(a: &Form, b: &Form) -> bool {
    // images first: a difference is a new expression
    let same = |(&x, &y): (&Expr, &Expr)| {
        x == y || x.image() == y.image() && (!(x.has_branches() || y.has_branches()) || x.is_same(y))
    };
    is_about_the_same(a, b) && parts(a).iter().zip(&parts(b)).all(same)
}

/// Are they made of the same expressions?
fn is_written_alike(a: &Form, b: &Form) -> bool {
    is_about_the_same(a, b) && parts(a) == parts(b)
}

impl Sheet {
    /// Writes everything that the form says.
    fn of(form: &Form, given: &Ingredients<'_>, quantities: &Quantities, reader: &Reader) -> Sheet {
        let layout = Layout::of(form, given, quantities, reader);
        let equation = |&(name, value): &(Expr, Expr)| Formula::equation(name, value);
        let conditions = form.conditions.iter().zip(&layout.conditions);
        let chart = given.chart().ok().filter(|_| form.written_in == Setting::Chart);
        let pseudo = chart.map_or(&[][..], |chart| &chart.pseudo);
        let roots = chart.map_or(&[][..], |chart| &chart.roots);
        let said = layout.equations.iter().filter(|&side| *side != (Expr::zero(), Expr::zero()));
        let mut sheet = Sheet {
            equations: said.map(equation).collect(),
            kinematics: layout.rates.iter().chain(pseudo).chain(roots).map(equation).collect(),
            constraints: conditions
                .map(|(of, &row)| Named::new(&of.name, Formula::equation(row, Expr::zero())))
                .collect(),
            definitions: layout.definitions.iter().map(|pair| Named::new(pair.0, equation(pair))).collect(),
            multipliers: multipliers(form, given, &layout),
            singular: Vec::new(),
            branches: Vec::new(),
            notes: Vec::new(),
            gave_up: false,
            layout,
        };
        let empty = sheet.layout.equations.len() - sheet.equations.len();
        if empty > 0 {
            let what = if empty == 1 { "one equation of motion is" } else { "some equations of motion are" };
            let why = "left out, since nothing stands in it: its coordinate moves no mass and feels no force";
            sheet.notes.push(format!("{what} {why}"));
        }
        sheet.notes.extend(sheet.layout.divisions());
        sheet.notes.extend(sheet.layout.relations());
        sheet.notes.extend(sheet.layout.legend.map(str::to_owned));
        if let Ok(chart) = given.chart()
            && form.written_in == Setting::Chart
        {
            sheet.write_chart(chart, given, reader);
        }
        sheet.gave_up = reader.gave_up();
        sheet
    }

    /// Writes where the page divides by zero, and which roots were chosen.
    fn write_chart(&mut self, chart: &Chart, given: &Ingredients<'_>, reader: &Reader) {
        let mut state: Vec<Expr> = given.q.iter().chain(&chart.u).copied().collect();
        for (name, value) in self.layout.legend.iter().flat_map(|_| &self.layout.definitions) {
            if value.symbols().iter().any(|symbol| state.contains(symbol)) {
                state.push(*name);
            }
        }
        let reader = &reader.less(if reader.gave_up() { GIVEN_UP } else { 2 });
        let divisors = divisors(&self.layout.plain, &state, &positive(given), reader);
        self.singular = divisors.iter().map(|divisor| format!("{divisor} = 0")).collect();
        let on_rows: Substitution = chart.c.iter().map(|&c| (c, Expr::zero())).collect();
        let branch = |&(k, root): &(usize, Expr)| {
            let root = on_rows.apply_one(root).ok()?;
            Some(format!("{} = {}", given.q_dot[k], reader.readable(root, &[])))
        };
        self.branches = chart.branches.iter().filter_map(branch).collect();
    }
}

/// The multipliers of a form, and what they are where it says so.
fn multipliers(form: &Form, given: &Ingredients<'_>, layout: &Layout) -> Vec<Multiplier> {
    let values = form.reactions.iter().map(|reaction| reaction.lambda).zip(&layout.multipliers);
    let explicit: Vec<(Expr, Formula)> =
        values.map(|(lambda, &value)| (lambda, Formula::equation(lambda, value))).collect();
    let of = |lambda: Expr| explicit.iter().find(|one| one.0 == lambda).map(|one| one.1.clone());
    let rows = given.rows.list.iter().chain(&given.rows.pressed);
    let acting = rows.filter(|row| form.multipliers.contains(&row.lambda) || of(row.lambda).is_some());
    acting
        .map(|row| Multiplier { name: row.lambda.to_string(), constraint: row.name.clone(), equation: of(row.lambda) })
        .collect()
}
