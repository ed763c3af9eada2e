//! Do several forms agree?
//!
//! ```text
//! identical    in one chart: left and right sides are the same functions of q, u, w, t            (1)
//! equivalent   the accelerations of the leading form satisfy it, and it determines them          (2)
//! Σ r_i d_i ≡ 0 with a symbol r_i of its own for each difference d_i  ⇔  every d_i ≡ 0           (3)
//! ```
//!
//! The leading form is solved once for its accelerations; every other form is asked whether they satisfy
//! it. By (3) all differences are one question with one error bound; what signatures deny, or what the one
//! question cannot settle, is asked by itself. What differs in general is asked again where the geometric rows hold.
//!
//! Where forms differ, `dispute.rs` says which of them are right: the leading form may be the one that is wrong.
//!
//! The multiplier of a quaternion's norm is no force: it says how T was continued to other norms. Each form has its
//! own, from its own equations; all other multipliers must be those of the leading form.

mod answer;
mod dispute;
mod solution;

use expr::{Comparison, Expr, Kind, Symbol};
use proof::Assumptions;
use proof::linear::{Equations, determined};
use serde::Serialize;

pub use answer::{Answer, Answers, Shown};
pub use dispute::{Dispute, Judged, Side};
pub use solution::{Solution, assumptions, assumptions_with, is_off_branch, solved};

use crate::chart::ChartKind;
use crate::form::{Form, Setting};
use crate::formalism::Formalism;
use crate::ingredients::{Ingredients, dot};
use crate::rows::Rows;

/// How two forms stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Agreement {
    /// The same functions in one chart.
    Identical,
    /// The same accelerations at every state that the constraints admit.
    Equivalent,
    /// Neither was proved.
    Unknown,
    /// Other accelerations at the witness state.
    Different,
}

impl Agreement {
    /// As a word.
    pub fn word(self) -> &'static str {
        match self {
            Agreement::Identical => "identical",
            Agreement::Equivalent => "equivalent",
            Agreement::Unknown => "unknown",
            Agreement::Different => "different",
        }
    }
}

/// A form that takes part, and where it is written.
pub struct Entry {
    /// What it is called.
    pub name: String,
    /// The formalism that derived it.
    pub formalism: &'static Formalism,
    /// The form.
    pub form: Form,
    chart: Option<ChartKind>,
    /// The first entry in the same chart with equations of the same shape.
    first: usize,
    /// q'' in terms of what the form is solved for.
    q_ddot: Vec<Expr>,
}

/// What must vanish if an entry agrees: identical with the first of its kind, or equivalent to the leading form.
struct Claim {
    entry: usize,
    agreement: Agreement,
    differences: Vec<Expr>,
}

/// With more coordinates, accelerations are solved for only where nothing else decides.
const MANY: usize = 16;

/// All that is asked: forms, what must vanish if they agree, and what may be relied on.
pub struct Questions {
    /// The forms.
    pub entries: Vec<Entry>,
    claims: Vec<Claim>,
    /// What the model assumes.
    pub assumptions: Assumptions,
    /// The same and the geometric rows, if there are any.
    on_rows: Option<Assumptions>,
    /// What vanishes by the geometric rows.
    geometric: Vec<Expr>,
    /// The rates in the velocities of the leading chart.
    rates: Vec<(Expr, Expr)>,
    /// The entry that leads, where the first one was found to be wrong.
    lead: Option<usize>,
}

impl Questions {
    /// No question yet; the forms will be compared in the chart of these ingredients.
    pub fn new(given: &Ingredients<'_>) -> Questions {
        let rates = given.chart().map(|chart| given.q_dot.iter().copied().zip(chart.rates.clone()).collect());
        Questions {
            entries: Vec::new(),
            claims: Vec::new(),
            assumptions: assumptions(given),
            on_rows: on_geometric_rows(assumptions(given), given.rows),
            geometric: geometric(given.rows),
            rates: rates.unwrap_or_default(),
            lead: None,
        }
    }

    /// Lets a form take part.
    pub fn add(&mut self, given: &Ingredients<'_>, formalism: &'static Formalism, form: Form, name: String) {
        let in_chart = form.written_in == Setting::Chart;
        let chart = in_chart.then(|| given.chart().map_or(ChartKind::Rates, |chart| chart.kind));
        let shape = |form: &Form| (form.equations.len(), form.multipliers.len(), form.conditions.len());
        let same = |other: &Entry| other.chart == chart && shape(&other.form) == shape(&form);
        let first = self.entries.iter().position(same).unwrap_or(self.entries.len());
        let q_ddot = match given.chart() {
            Ok(chart) if in_chart => chart.accelerations.clone(),
            _ => given.q_ddot.clone(),
        };
        self.entries.push(Entry { name, formalism, form, chart, first, q_ddot });
    }

    /// Says what must vanish if the forms agree.
    pub fn compare(&mut self, given: &Ingredients<'_>) {
        self.claims.clear();
        let Some(leader) = self.leader() else { return };
        let mut open = Vec::new();
        for (place, entry) in self.entries.iter().enumerate().filter(|(place, _)| *place != leader) {
            let sides = sides(&entry.form, &self.entries[entry.first].form);
            let is_same = place != entry.first && sides.iter().all(|difference| difference.is_zero());
            let (agreement, differences) = match is_same {
                true => (Agreement::Identical, sides),
                false => (Agreement::Equivalent, Vec::new()),
            };
            open.extend((!is_same).then_some(self.claims.len()));
            self.claims.push(Claim { entry: place, agreement, differences });
        }
        if given.q.len() > MANY {
            open = self.without_solution(leader, &open, given).unwrap_or(open);
        }
        if !open.is_empty()
            && let Some(solution) = Solution::of(&self.entries[leader].form, given, given.rows)
        {
            self.put(solution, open, given);
        }
    }

    /// Says what must vanish of claims for which no accelerations are needed, and returns the others: where nothing is constrained,
    /// a form has the same solution if its residuals r are those of the leading form, ±l, or if M r = ±l with the regular M of l.
    /// `None` if there is no such M.
    fn without_solution(&mut self, leader: usize, open: &[usize], given: &Ingredients<'_>) -> Option<Vec<usize>> {
        let is_bare =
            |form: &Form| form.multipliers.is_empty() && form.conditions.is_empty() && form.row_differences.is_empty();
        let (chart, lead) = (given.chart().ok()?, &self.entries[leader].form);
        if !given.rows.list.is_empty() || !is_bare(lead) {
            return None;
        }
        let shell = chart.shell(given.system);
        let lead = shell.apply(&lead.residuals()).ok()?;
        let (matrix, _) = expr::linear_coefficients(&lead, &chart.w).ok()?;
        let rank = linear::rank(given.at.matrix(&matrix), linear::Scale::RowsAndColumns, linear::tolerance::RANK);
        if rank.ok()? != lead.len() || lead.len() != chart.w.len() {
            return None;
        }
        let beside = |own: &[Expr]| {
            let both = |own: &[Expr]| {
                let signs = [Expr::one(), -Expr::one()];
                signs.map(|sign| own.iter().zip(&lead).map(|(&own, &lead)| own - sign * lead).collect::<Vec<_>>())
            };
            let vanishes = |list: &Vec<Expr>| list.iter().all(|difference| difference.is_zero());
            let found = both(own).into_iter().find(vanishes);
            found.or_else(|| {
                let times: Vec<Expr> = matrix.iter().map(|row| dot(row, own)).collect();
                both(&times).into_iter().find(vanishes)
            })
        };
        let mut rest = Vec::new();
        for &claim in open {
            let form = &self.entries[self.claims[claim].entry].form;
            let own = shell.apply(&form.residuals()).ok().filter(|own| own.len() == lead.len() && is_bare(form));
            match own.and_then(|own| beside(&own)) {
                Some(differences) => self.claims[claim].differences = differences,
                None => rest.push(claim),
            }
        }
        Some(rest)
    }

    /// What is left of the residuals of open claims at the accelerations of the leading form.
    fn put(&mut self, solution: Solution, mut open: Vec<usize>, given: &Ingredients<'_>) {
        let form = |claim: usize| &self.entries[self.claims[claim].entry].form;
        let systems: Vec<Equations> =
            open.iter().map(|&claim| (form(claim).residuals(), form(claim).all_unknowns())).collect();
        let mut determined = determined(&systems).into_iter();
        open.retain(|_| determined.next().unwrap_or(false));
        let all =
            |form: &Form| form.residuals().into_iter().chain(form.row_differences.iter().map(|one| one.1)).collect();
        let residuals: Vec<Vec<Expr>> = open.iter().map(|&claim| all(form(claim))).collect();
        let norms = solution::norms(given, given.rows);
        let solution = solution.without(&norms);
        // All at once, since the forms have most of their parts in common.
        let mut all = solution.put(&residuals.concat()).map(|list| list.into_iter());
        for (claim, residuals) in open.into_iter().zip(residuals) {
            let own = match &mut all {
                Some(all) => Some(all.by_ref().take(residuals.len()).collect()),
                None => solution.put(&residuals),
            };
            let own = own.and_then(|own| solution::with_own(own, &norms, given.at));
            self.claims[claim].differences = own.unwrap_or_default();
        }
    }

    /// The one question (3) that stands for all.
    pub fn question(&self) -> Expr {
        joined(self.claims.iter().flat_map(|claim| claim.differences.iter().copied()))
    }

    /// What may be relied on: first the assumptions alone, then with the geometric rows.
    pub fn grounds(&self) -> impl Iterator<Item = &Assumptions> {
        [Some(&self.assumptions), self.on_rows.as_ref()].into_iter().flatten()
    }

    /// The entry that the others are compared with: the first in the chart that is not known to be wrong.
    pub fn leader(&self) -> Option<usize> {
        self.lead.or_else(|| self.first_in_chart())
    }

    fn first_in_chart(&self) -> Option<usize> {
        self.entries.iter().position(|entry| entry.chart.is_some()).or(self.entries.first().map(|_| 0))
    }
}

/// The assumptions and the geometric rows, if there are any.
fn on_geometric_rows(assumptions: Assumptions, rows: &Rows) -> Option<Assumptions> {
    let geometric = geometric(rows);
    let all = |assumptions| {
        geometric.iter().fold(assumptions, |all: Assumptions, &f| all.and(f, Comparison::Equal, Expr::zero()))
    };
    (!geometric.is_empty()).then(|| all(assumptions))
}

/// What vanishes by the geometric rows.
fn geometric(rows: &Rows) -> Vec<Expr> {
    rows.list.iter().filter(|row| row.order == 0).map(|row| row.f).collect()
}

/// The differences of the sides of two forms of one shape.
fn sides(a: &Form, b: &Form) -> Vec<Expr> {
    let equations = a.equations.iter().zip(&b.equations);
    let of_equations = equations.flat_map(|(a, b)| [a.left - b.left, a.right - b.right]);
    let of_conditions = a.conditions.iter().zip(&b.conditions).map(|(a, b)| a.row - b.row);
    let of_rows = a.row_differences.iter().chain(&b.row_differences).map(|one| one.1);
    of_equations.chain(of_conditions).chain(of_rows).collect()
}

/// All differences as one expression (3).
pub fn joined(differences: impl Iterator<Item = Expr>) -> Expr {
    let symbol = |place: usize| expr::symbol(Symbol::new(&format!("r{place}@claim"), Kind::Parameter));
    let differences = differences.filter(|&difference| difference != Expr::zero());
    differences.enumerate().map(|(place, difference)| symbol(place) * difference).sum()
}
