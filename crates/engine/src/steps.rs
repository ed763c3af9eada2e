//! How does a form come about, step by step? What is given, what the route makes, its equations, the result.
//!
//! Every equality that is shown for the system is proved before it is called checked: what is written against what
//! the formalism made, and the terms of an equation against the equation.

use expr::{Expr, Formula, Substitution};
use mechanics::form::{Form, Setting};
use mechanics::formalism::Formalism;
use mechanics::ingredients::Ingredients;
use mechanics::rows::Row;
use mechanics::steps::{Line, Term};
use mechanics::{LoadKind, Vector};
use serde::Serialize;

use crate::layout::Layout;
use crate::letters::{Letters, Runs, letters};
use crate::names::public;
use crate::parts::named;
use crate::quantities::Quantities;
use crate::readable::Reader;
use crate::shape::{between, equal, in_brackets, matrix, of, vector};
use crate::written::{Purse, SHARE, Written};

/// An expression with more operations than this is not written out.
const TOO_LONG: usize = 1_000;
/// One with more operations than this is written as it was made, with names for its parts.
const TOO_LONG_TO_READ: usize = 300;
/// A line with more characters than this is not written out.
const TOO_WIDE: usize = 3_000;

/// A step of a derivation.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// Its number.
    pub number: usize,
    /// What it does, in words.
    pub title: String,
    /// The letter of what it makes; empty if it has none.
    pub name: String,
    /// Its lines.
    pub text: String,
    /// Its lines for mathematical mode, `\\` between them.
    pub latex: String,
    /// Its lines, each a `<math>` element.
    pub mathml: String,
    /// Whether every equality in it that is about this system was proved.
    pub checked: bool,
    /// The same, line by line.
    pub lines: Vec<StepLine>,
}

/// A line of a step.
#[derive(Clone, Debug, Serialize)]
pub struct StepLine {
    /// As text.
    pub text: String,
    /// For mathematical mode.
    pub latex: String,
    /// A `<math>` element.
    pub mathml: String,
    /// Whether it was proved; nothing for a formula in letters or a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<bool>,
}

/// A form, and the way to it.
pub struct Way<'a> {
    /// What it is made from.
    pub given: &'a Ingredients<'a>,
    /// Whose way.
    pub formalism: &'a Formalism,
    /// Where it ends.
    pub form: &'a Form,
    /// How that is written.
    pub layout: &'a Layout,
    /// What was written for other forms.
    pub written: &'a Written,
}

/// The steps on a way.
pub fn steps(way: &Way<'_>, made: &[mechanics::steps::Step]) -> Vec<Step> {
    let drafts: Vec<Draft> = made.iter().map(|step| way.draft(step)).collect();
    let given = way.written.given.get_or_init(|| way.start()).iter().map(|line| said(line, None));
    let mut all = vec![("Given", "", given.collect())];
    all.extend(way.written(made, &drafts));
    all.push(("Result", "", way.result()));
    way.decided(all)
}

/// A line, and what must vanish if it is right; nothing if it states nothing about the model.
struct Told {
    line: StepLine,
    claims: Option<Vec<Expr>>,
}

/// A step that is not decided yet: its title, its letter, its lines.
type Undecided<'a> = (&'a str, &'a str, Vec<Told>);

/// What is to be written of a step: values to be read, and what each of them must equal.
struct Draft {
    lines: Vec<DraftLine>,
}

/// A line to be written: its values, and differences that must vanish.
struct DraftLine {
    /// What the formalism made, in names for a reader.
    made: Vec<Expr>,
    /// Other values that it must be equal to, as differences.
    claims: Vec<Expr>,
}

impl Way<'_> {
    /// What is to be read of a step.
    fn draft(&self, step: &mechanics::steps::Step) -> Draft {
        let thawed = |list: &[Expr]| self.given.thawed(list).unwrap_or_else(|_| list.to_vec());
        let mut place = 0;
        let line = |line: &Line| {
            let (made, claims) = match line {
                Line::Value { value, .. } => (thawed(&[*value]), Vec::new()),
                Line::Vector { value, .. } => (thawed(&value.0), Vec::new()),
                Line::Matrix { rows, .. } => (thawed(&rows.concat()), Vec::new()),
                Line::Same { value, difference, .. } => (thawed(&[*value]), thawed(&[*difference])),
                Line::Balance { left, right } => {
                    let equation = self.form.equations.get(place).map(|equation| equation.residual());
                    place += 1;
                    let terms: Vec<Expr> = left.iter().chain(right).map(|term| term.value).collect();
                    let terms = self.on_chart(&thawed(&terms));
                    let signed = left.iter().map(|term| !term.minus).chain(right.iter().map(|term| term.minus));
                    let sum: Expr = terms.iter().zip(signed).map(|(&term, plus)| if plus { term } else { -term }).sum();
                    // an equation that the form does not have is not checked
                    (terms, vec![equation.map_or_else(Expr::one, |equation| sum - equation)])
                }
                Line::Letters(_) | Line::Words(_) => (Vec::new(), Vec::new()),
            };
            DraftLine { made: made.into_iter().map(public).collect(), claims }
        };
        Draft { lines: step.lines.iter().map(line).collect() }
    }

    /// Terms of equations in a chart, on the constraints.
    fn on_chart(&self, terms: &[Expr]) -> Vec<Expr> {
        let on_shell = || self.given.thawed(&self.given.on_shell(terms).ok()?).ok();
        match self.form.written_in {
            Setting::Chart => on_shell().unwrap_or_else(|| terms.to_vec()),
            Setting::Coordinates => terms.to_vec(),
        }
    }

    /// An expression as a person would write it, collected by accelerations if it is linear in them.
    fn readable(&self, purse: &Purse, e: Expr) -> Expr {
        if e.operations() > TOO_LONG_TO_READ {
            return e;
        }
        let unknowns: Vec<Expr> =
            self.form.unknowns.iter().chain(&self.given.q_ddot).chain(&self.form.multipliers).copied().collect();
        let by: Vec<Expr> = e.symbols().into_iter().filter(|symbol| unknowns.contains(symbol)).collect();
        let linear = expr::linear_coefficients(&[e], &by).is_ok();
        self.written.readable(purse, e, if linear { by } else { Vec::new() })
    }

    /// The steps as they are written: read, with names for shared parts.
    fn written<'a>(&self, made: &'a [mechanics::steps::Step], drafts: &[Draft]) -> Vec<Undecided<'a>> {
        let purse = Purse::default();
        let values = drafts.iter().flat_map(|draft| &draft.lines).flat_map(|line| &line.made);
        let read: Vec<Expr> = values.map(|&value| self.readable(&purse, value)).collect();
        let is_short = |value: &Expr| value.operations() <= TOO_LONG;
        let short: Vec<Expr> = read.iter().copied().filter(is_short).collect();
        let is_on_page = |name: &str| self.layout.definitions.iter().any(|one| one.0.to_string() == name);
        let (written, definitions) =
            named(&short, &Quantities::default(), &|name| self.given.system.declares(name) || is_on_page(name));
        let mut written = written.into_iter();
        let shown: Vec<Option<Expr>> =
            read.iter().map(|value| is_short(value).then(|| written.next()).flatten()).collect();
        let mut page = Page { way: self, whole: whole(&definitions), definitions, told: Vec::new() };
        let mut place = 0;
        let mut all = Vec::with_capacity(made.len());
        for (step, draft) in made.iter().zip(drafts) {
            let mut lines = self.formula(step.formula);
            for (line, draft) in step.lines.iter().zip(&draft.lines) {
                let range = place..place + draft.made.len();
                place = range.end;
                lines.extend(page.line(line, draft, &shown[range]));
            }
            all.push((step.title, &step.name[..], lines));
        }
        all
    }

    /// The steps when every claim has been decided: all together, and those that this does not settle by themselves.
    fn decided(&self, steps: Vec<Undecided<'_>>) -> Vec<Step> {
        let assumptions = mechanics::agreement::assumptions(self.given);
        let claims = steps.iter().flat_map(|step| &step.2).filter_map(|told| told.claims.as_ref()).flatten();
        let open: Vec<Expr> = claims.copied().filter(|&claim| claim != Expr::zero()).collect();
        let mut verdicts = proof::decide_all(&open, &assumptions).into_iter();
        let mut holds = |claim: Expr| {
            claim == Expr::zero()
                || verdicts.next().is_some_and(|verdict| verdict.is_zero())
                || proof::decide(claim, &assumptions).is_zero()
        };
        let mut all = Vec::with_capacity(steps.len());
        for (k, (title, name, told)) in steps.into_iter().enumerate() {
            let mut lines = Vec::with_capacity(told.len());
            for Told { line, claims } in told {
                // every claim is asked for, so that the verdicts stay in step
                let verdicts: Option<Vec<bool>> = claims.map(|claims| claims.into_iter().map(&mut holds).collect());
                let checked = verdicts.map(|verdicts| verdicts.into_iter().all(|one| one));
                lines.push(StepLine { checked, ..line });
            }
            all.push(Step { number: k + 1, ..joined(title, name, lines) });
        }
        all
    }

    /// The formula of a step in letters.
    fn formula(&self, formula: &str) -> Vec<Told> {
        let page = self.formalism.page();
        let labelled = |label: &str| {
            let line = page.formulas.iter().find(|line| line.trim_end().ends_with(label))?;
            Some(line.trim_end().trim_end_matches(label).trim().to_owned())
        };
        let texts: Vec<String> = match formula.starts_with('(') && formula.ends_with(')') && formula.len() < 12 {
            true => formula.split(", ").filter_map(labelled).collect(),
            false => Some(formula.to_owned()).filter(|formula| !formula.is_empty()).into_iter().collect(),
        };
        // columns of the page: the formula, then where it holds
        let columns = |text: &String| {
            let parts = text.split("   ").map(str::trim).filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join(",   ").replace(",,", ",")
        };
        texts.iter().map(columns).map(|text| said(&letters(&text, Runs::Words), None)).collect()
    }

    /// What is given: coordinates, constraints with their class, freedom, loads.
    fn start(&self) -> Vec<Letters> {
        let system = self.given.system;
        let names: Vec<String> = system.coordinates.iter().map(|one| one.name.clone()).collect();
        let mut lines = vec![sentence(&format!("coordinates {}", names.join(", ")))];
        for speed in &system.speeds {
            lines.push(of(&Formula::equation(speed.symbol, speed.definition)));
        }
        lines.extend(self.given.rows.list.iter().map(constraint));
        let (n, rows) = (system.coordinates.len(), self.given.rows.list.len());
        let freedoms = n.saturating_sub(rows);
        let counted = |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        let tied = match rows {
            0 => ", no constraint".to_owned(),
            rows => format!(" less {}", counted(rows, "independent constraint", "independent constraints")),
        };
        let (degrees, coordinates) = (counted(freedoms, "degree", "degrees"), counted(n, "coordinate", "coordinates"));
        lines.push(sentence(&format!("{degrees} of freedom: {coordinates}{tied}")));
        let loads: Vec<Letters> =
            self.given.mode.loads(system).map(|load| sentence(&told(self.given, &load.kind))).collect();
        lines.extend(if loads.is_empty() { vec![sentence("no loads")] } else { loads });
        lines
    }

    /// The equations as the page of the form has them.
    fn result(&self) -> Vec<Told> {
        let layout = self.layout;
        let whole = whole(&layout.definitions);
        let restored = |e: Expr| restored(e, &whole);
        let equation =
            |left: Expr, right: Expr, claims: Vec<Expr>| said(&self.written.formula(left, Some(right)), Some(claims));
        let mut lines = Vec::new();
        for (k, &(left, right)) in layout.equations.iter().enumerate() {
            let by = layout.by[k].unwrap_or_else(Expr::one);
            let claim = (restored(left) - restored(right)) * by - self.form.equations[k].residual();
            let claim = self.with_rates(claim);
            lines.push(equation(left, right, vec![layout.on_constraints(claim)]));
        }
        for (condition, &row) in self.form.conditions.iter().zip(&layout.conditions) {
            lines.push(equation(row, Expr::zero(), self.proportional(condition.row, restored(row))));
        }
        for &(rate, value) in &layout.rates {
            let place = self.given.q_dot.iter().position(|&symbol| symbol == rate);
            let made = place.zip(self.given.chart().ok()).map(|(place, chart)| chart.rates[place]);
            lines.push(equation(rate, value, vec![restored(value) - made.unwrap_or_else(Expr::zero)]));
        }
        for (reaction, &value) in self.form.reactions.iter().zip(&layout.multipliers) {
            lines.push(equation(reaction.lambda, value, vec![restored(value) - reaction.value]));
        }
        lines.extend(
            layout.definitions.iter().map(|&(name, value)| said(&self.written.formula(name, Some(value)), None)),
        );
        lines
    }

    /// Rates that stand in the equations as they are put in by the chart.
    fn with_rates(&self, claim: Expr) -> Expr {
        let is_charted = self.form.written_in == Setting::Chart;
        let put = is_charted.then(|| self.given.on_shell(&[claim]).ok()).flatten();
        put.and_then(|list| list.first().copied()).unwrap_or(claim)
    }

    /// What vanishes if one of the two is a constant multiple of the other: the slopes of their quotient.
    fn proportional(&self, a: Expr, b: Expr) -> Vec<Expr> {
        if (a - b).is_zero() {
            return vec![a - b];
        }
        let state = [&self.given.q, &self.given.q_dot, &self.given.q_ddot, &self.form.unknowns];
        let state: Vec<Expr> = state.into_iter().flatten().copied().collect();
        let slopes = a.try_div(b).and_then(|quotient| expr::gradient(quotient, &state));
        slopes.unwrap_or_else(|_| vec![Expr::one()])
    }
}

/// Lines that are written, with names for parts as they come up.
struct Page<'a> {
    way: &'a Way<'a>,
    definitions: Vec<(Expr, Expr)>,
    /// The names with what they stand for, no name in it.
    whole: Substitution,
    told: Vec<Expr>,
}

impl Page<'_> {
    /// A line, after the names in it that were not told before.
    fn line(&mut self, line: &Line, draft: &DraftLine, shown: &[Option<Expr>]) -> Vec<Told> {
        let long = shown.iter().any(Option::is_none);
        let values: Vec<Expr> = shown.iter().copied().flatten().collect();
        let name = name_of(line);
        match line {
            Line::Words(words) => return vec![said(&sentence(words), None)],
            Line::Letters(text) => return vec![said(&letters(text, Runs::Names), None)],
            _ => {}
        }
        let wide = values.iter().map(|value| value.to_string().chars().count()).sum::<usize>() > TOO_WIDE;
        if long || wide {
            let operations: usize = draft.made.iter().map(|value| value.operations()).sum();
            let claims = Some(draft.claims.clone()).filter(|claims| !claims.is_empty());
            let mut told = letters(&name, Runs::Names);
            told.text = format!("{name}: {operations} operations, too long for a page");
            told.latex.push_str(r" \text{: too long for a page}");
            told.mathml.push_str("<mtext>: too long for a page</mtext>");
            return vec![said(&told, claims)];
        }
        let mut lines = self.names_in(&values);
        let written: Vec<Letters> =
            values.iter().map(|&value| (*self.way.written.formula(value, None)).clone()).collect();
        let differences = values.iter().zip(&draft.made).map(|(&value, &made)| restored(value, &self.whole) - made);
        let claims: Vec<Expr> = differences.chain(draft.claims.iter().copied()).collect();
        match line {
            Line::Balance { left, right } => {
                lines.push(said(&in_letters(left, right), None));
                let bracketed: Vec<Letters> =
                    values.iter().zip(&written).map(|(&value, one)| in_brackets(value, one)).collect();
                lines.push(said(&in_values(left, right, &written, &bracketed), Some(claims)));
            }
            Line::Vector { frame, .. } => {
                let axes = if *frame == 0 {
                    String::new()
                } else {
                    format!("  along {}", self.way.given.system.frames[*frame].name)
                };
                lines.push(said(&equal(&name, &vector(&written, &axes)), Some(claims)));
            }
            Line::Matrix { rows, .. } => lines.push(said(&equal(&name, &matrix(rows.len(), &written)), Some(claims))),
            _ => lines.push(said(&equal(&name, &written[0]), Some(claims))),
        }
        lines
    }

    /// The parts that occur in these and were not told before.
    fn names_in(&mut self, values: &[Expr]) -> Vec<Told> {
        let mut wanted: Vec<Expr> = values.iter().flat_map(|value| value.symbols()).collect();
        let mut found = Vec::new();
        for &(name, value) in self.definitions.iter().rev() {
            if wanted.contains(&name) && !self.told.contains(&name) {
                wanted.extend(value.symbols());
                found.push((name, value));
            }
        }
        found.reverse();
        self.told.extend(found.iter().map(|pair| pair.0));
        found.into_iter().map(|(name, value)| said(&self.way.written.formula(name, Some(value)), None)).collect()
    }
}

/// Names with what they stand for, no name in it.
fn whole(definitions: &[(Expr, Expr)]) -> Substitution {
    let mut whole = Substitution::new();
    for &(name, value) in definitions {
        whole.insert(name, restored(value, &whole));
    }
    whole
}

/// The expression with what the names stand for in their place.
fn restored(e: Expr, whole: &Substitution) -> Expr {
    whole.apply_one(e).unwrap_or(e)
}

fn name_of(line: &Line) -> String {
    match line {
        Line::Value { name, .. } | Line::Vector { name, .. } | Line::Matrix { name, .. } | Line::Same { name, .. } => {
            name.replace("@row", "")
        }
        Line::Balance { left, right } => in_letters(left, right).text,
        Line::Letters(words) | Line::Words(words) => words.clone(),
    }
}

// ---- shapes

fn joined(title: &str, name: &str, lines: Vec<StepLine>) -> Step {
    let all =
        |of: fn(&StepLine) -> &String, between: &str| lines.iter().map(of).cloned().collect::<Vec<_>>().join(between);
    Step {
        number: 0,
        title: title.to_owned(),
        name: name.to_owned(),
        text: all(|line| &line.text, "\n"),
        latex: all(|line| &line.latex, " \\\\\n"),
        mathml: all(|line| &line.mathml, "\n"),
        checked: lines.iter().all(|line| line.checked != Some(false)),
        lines,
    }
}

fn said(told: &Letters, claims: Option<Vec<Expr>>) -> Told {
    let mathml = format!("<math xmlns=\"http://www.w3.org/1998/Math/MathML\">{}</math>", told.mathml);
    Told { line: StepLine { text: told.text.clone(), latex: told.latex.clone(), mathml, checked: None }, claims }
}

fn sentence(words: &str) -> Letters {
    let latex = format!(r"\text{{{}}}", words.replace('_', r"\_"));
    let mathml = format!("<mtext>{}</mtext>", words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"));
    Letters { text: words.to_owned(), latex, mathml }
}

/// An equation by the names of its terms.
fn in_letters(left: &[Term], right: &[Term]) -> Letters {
    let name = |term: &Term| letters(&term.name.replace("@row", ""), Runs::Names);
    let side = |terms: &[Term]| sum(terms, &terms.iter().map(name).collect::<Vec<_>>());
    between(&side(left), &side(right))
}

/// An equation by the values of its terms.
fn in_values(left: &[Term], right: &[Term], written: &[Letters], bracketed: &[Letters]) -> Letters {
    let side = |terms: &[Term], from: usize| {
        let alone = terms.len() == 1 && !terms[0].minus;
        let list = if alone { written } else { bracketed };
        sum(terms, &list[from..from + terms.len()])
    };
    between(&side(left, 0), &side(right, left.len()))
}

/// Terms with their signs.
fn sum(terms: &[Term], written: &[Letters]) -> Letters {
    if terms.is_empty() {
        return Letters { text: "0".to_owned(), latex: "0".to_owned(), mathml: "<mn>0</mn>".to_owned() };
    }
    let mut all = Letters::default();
    for (k, (term, one)) in terms.iter().zip(written).enumerate() {
        let (text, latex, mathml) = match (k, term.minus) {
            (0, false) => ("", "", ""),
            (0, true) => ("-", "-", "<mo>−</mo>"),
            (_, false) => (" + ", " + ", "<mo>+</mo>"),
            (_, true) => (" - ", " - ", "<mo>−</mo>"),
        };
        all.text.push_str(&format!("{text}{}", one.text));
        all.latex.push_str(&format!("{latex}{}", one.latex));
        all.mathml.push_str(&format!("{mathml}{}", one.mathml));
    }
    all
}

/// A constraint with its class.
fn constraint(row: &Row) -> Letters {
    let f = Formula::equation(Reader::with_share(SHARE).readable(row.f, &[]), Expr::zero());
    let words = format!("{} ({}): ", row.name, row.class);
    let told = of(&f);
    Letters {
        text: format!("constraint {words}{}", told.text),
        latex: format!(r"\text{{{}}}\quad {}", words.replace('_', r"\_"), told.latex),
        mathml: format!("<mtext>{words}</mtext>{}", told.mathml),
    }
}

/// A load in words.
fn told(given: &Ingredients<'_>, load: &LoadKind) -> String {
    let system = given.system;
    let vector = |vector: Vector| vector.to_string();
    let name = |target: &mechanics::Target| mechanics::steps::name_of(given, *target).to_owned();
    match load {
        LoadKind::Force { force, on, against, .. } => {
            let against = against.as_ref().map_or(String::new(), |other| format!(", its opposite on {}", name(other)));
            format!("load: force {} on {}{against}", vector(*force), name(on))
        }
        LoadKind::Torque { on, .. } => format!("load: a torque on {}", system.bodies[*on].name),
        LoadKind::Gravity(g) => format!("load: gravity {}", vector(*g)),
        LoadKind::Potential(potential) => format!("load: potential {potential}"),
        LoadKind::Kinetic(energy) => format!("kinetic energy without masses {energy}"),
        LoadKind::Dissipation(dissipation) => format!("load: dissipation {dissipation}"),
        LoadKind::Generalized { force, coordinate } => {
            format!("load: generalized force {force} on {}", system.coordinates[*coordinate].name)
        }
        LoadKind::Spring { stiffness, rest, .. } => format!("load: spring, stiffness {stiffness}, rest length {rest}"),
        LoadKind::Damper { coefficient, .. } => format!("load: damper, coefficient {coefficient}"),
    }
}
