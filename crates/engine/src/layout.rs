//! What stands on the page of a form?
//!
//! ```text
//! equations, left = right            each divided by what all its terms share                        (1)
//! conditions on accelerations, multipliers, rates
//! v_floor = …, z1 = …                names for roots that stand often, and for parts where something is long (2)
//! ```
//!
//! The page is made twice, with parts as short as possible and with parts as they are shared, where that
//! makes a difference, and where parts have names once more with their brackets as they come; a very long one also with the
//! velocities of bodies under their names (`bodies.rs`). The shortest page stays.

use expr::{Comparison, Expr};
use mechanics::form::{Equation, Form, Setting};
use mechanics::ingredients::Ingredients;
use reading::Relation;
use rustc_hash::FxHashMap;

use crate::bodies::by_bodies;
use crate::direction::in_one_direction;
use crate::divide::{Deep, common, divided, with_fewer_minuses};
use crate::double::without_halves;
use crate::parts::named;
use crate::positive::{is_assumed, positive};
use crate::quantities::Quantities;
use crate::readable::{Reader, Style, length};
use crate::relations::{relations, said};
use crate::roots;
use crate::side::on_its_side;

/// A page of at least so many characters is made twice, and any page with names.
const LONG: usize = 200;
/// Of the work for a page one part in so many is done where it will be long in any case.
const HOPELESS_SHARE: u64 = 5;
/// One part in so many for the page with velocities of bodies under their names.
const BODIES_SHARE: u64 = 4;
/// A page of at least so many characters is also written with velocities of bodies under their names.
const VERY_LONG: usize = 1_500;
/// Where a part has more operations than this, the page with velocities of bodies is tried first, and stays if it has at most so
/// many letters for each operation.
const LARGE: usize = 300;
const LETTERS_OF_OPERATION: usize = 12;
/// Sines and cosines of parameters that are no larger may be zero.
const SMALL: f64 = 1e-6;
/// What these names say.
const LEGEND: &str = "omega_B_x, v_P_x are components of the angular velocity of B and of the velocity of P, \
                      v_P_x_q what a unit of q' adds to one; alpha0, a0, K0 are what is left of accelerations and of the \
                      rate of a spin where the unknown accelerations are zero; C_B_xy is the cosine between x of the parent \
                      of B and y of B; F, M are forces and torques on bodies; A, b are entries and rests of rows";

/// Everything that is written of a form, in terms of the names that are defined.
pub struct Layout {
    /// Left and right of each equation of motion; 0 and 0 where it says nothing.
    pub equations: Vec<(Expr, Expr)>,
    /// What each equation was divided by.
    pub by: Vec<Option<Expr>>,
    /// Constraints on accelerations, each equal to zero.
    pub conditions: Vec<Expr>,
    /// What multipliers are, where the form says it.
    pub multipliers: Vec<Expr>,
    /// Rates and what they are.
    pub rates: Vec<(Expr, Expr)>,
    /// Names and what they stand for.
    pub definitions: Vec<(Expr, Expr)>,
    /// What is written, before names are put in.
    pub plain: Vec<Expr>,
    /// Relations that hold on every motion and were used in the equations.
    pub used: Vec<Relation>,
    /// What names stand for that say what they are.
    pub legend: Option<&'static str>,
}

impl Layout {
    /// The shorter of the two pages of a form; where a part is hopeless, that with shared parts.
    pub fn of(form: &Form, given: &Ingredients<'_>, quantities: &Quantities, reader: &Reader) -> Layout {
        let in_style = |style: Style, reader: &Reader| Layout::in_style(style, form, given, quantities, reader);
        let own = reader.less(BODIES_SHARE);
        let bodies = |limit: usize| {
            let page = Layout::by_bodies(form, given, &own).filter(|page| page.length() < limit)?;
            if own.gave_up() {
                reader.give_up();
            }
            Some(page)
        };
        let coefficients = coefficients(form);
        if reader.is_hopeless(&coefficients) {
            return bodies(usize::MAX).unwrap_or_else(|| {
                reader.give_up();
                in_style(Style::Stepwise, &reader.less(HOPELESS_SHARE))
            });
        }
        // a page of closed forms that is far longer is not made
        let rows = form.conditions.iter().map(|condition| condition.row);
        if let Some(most) = promised(&coefficients.iter().copied().chain(rows).collect::<Vec<Expr>>())
            && let Some(page) = bodies(most)
        {
            return page;
        }
        let short = reader.watched(|| in_style(Style::Shortest, reader));
        let has_names = !short.0.definitions.is_empty();
        let mut pages = vec![short];
        if has_names || pages[0].0.length() >= LONG {
            pages.push(reader.watched(|| in_style(Style::Stepwise, reader)));
        }
        if has_names {
            reader.leave_rough(true);
            pages.push(reader.watched(|| in_style(Style::Shortest, reader)));
            reader.leave_rough(false);
        }
        let shortest =
            pages.into_iter().reduce(|best, page| if page.0.length() < best.0.length() { page } else { best });
        let Some((best, gave_up)) = shortest else { unreachable!("one page is made in any case") };
        let bodies = if best.length() < VERY_LONG { None } else { bodies(best.length()) };
        bodies.unwrap_or_else(|| {
            // of the pages that were made only the one that is shown counts
            if gave_up {
                reader.give_up();
            }
            best
        })
    }

    /// The page with velocities of bodies under their names.
    fn by_bodies(form: &Form, given: &Ingredients<'_>, reader: &Reader) -> Option<Layout> {
        let made = by_bodies(form, given, reader)?;
        let conditions = form
            .conditions
            .iter()
            .map(|condition| with_fewer_minuses(reader.readable_in(Style::Shortest, condition.row, &form.unknowns)));
        let chart = given.chart().ok().filter(|_| form.written_in == Setting::Chart);
        let rates = given.q_dot.iter().copied().zip(chart.map_or(&[][..], |chart| &chart.rates));
        let rates: Vec<(Expr, Expr)> = rates
            .zip(&made.rates)
            .filter(|((symbol, rate), _)| symbol != *rate)
            .map(|(pair, &rate)| (pair.0, rate))
            .collect();
        let sides = made.equations.iter().flat_map(|&(left, right)| [left, right]);
        let outputs = sides.chain(conditions).chain(rates.iter().map(|rate| rate.1));
        let outputs: Vec<Expr> = outputs.chain(made.definitions.iter().map(|one| one.1)).collect();
        let taken = |name: &str| given.system.declares(name);
        let (rooted, mut definitions) = roots::named(&outputs, &|square| roots::called(square, given.system), &taken);
        let (sides, parts) = named(&rooted, &Quantities::default(), &taken);
        let plain: Vec<Expr> = sides.iter().copied().chain(parts.iter().chain(&definitions).map(|one| one.1)).collect();
        let mut sides = sides.into_iter();
        let mut next = || sides.next().unwrap_or_else(Expr::zero);
        let equations: Vec<(Expr, Expr)> = form.equations.iter().map(|_| (next(), next())).collect();
        let conditions = form.conditions.iter().map(|_| next()).collect();
        let rates = rates.into_iter().map(|(symbol, _)| (symbol, next())).collect();
        definitions.extend(made.definitions.iter().map(|&(name, _)| (name, next())));
        definitions.extend(parts);
        Some(Layout {
            by: vec![None; equations.len()],
            equations,
            conditions,
            multipliers: Vec::new(),
            rates,
            definitions: in_order(&definitions),
            plain,
            used: Vec::new(),
            legend: Some(LEGEND),
        })
    }

    fn in_style(
        style: Style,
        form: &Form,
        given: &Ingredients<'_>,
        quantities: &Quantities,
        reader: &Reader,
    ) -> Layout {
        let known = |symbol: Expr| is_known(given, symbol);
        let (mut plain, mut by) = (Vec::new(), Vec::new());
        if style == Style::Shortest {
            reader.relate(relations(given));
        }
        for equation in &form.equations {
            let (sides, shared) = sides_of(style, equation, form, given, reader);
            by.push(shared);
            plain.extend(sides);
        }
        reader.relate(Vec::new());
        let used = if style == Style::Shortest { reader.used() } else { Vec::new() };
        for condition in &form.conditions {
            let row = reader.readable_in(style, condition.row, &form.unknowns);
            let row = common(&[row, Expr::zero()], &known, Deep::Parameters)
                .map_or(row, |by| divided(row, by, &known, Deep::Parameters));
            plain.push(with_fewer_minuses(row));
        }
        let reactions = form.reactions.iter();
        plain.extend(reactions.map(|reaction| reader.readable_in(style, reaction.value, &form.unknowns)));
        let chart = given.chart().ok().filter(|_| form.written_in == Setting::Chart);
        let mut symbols = Vec::new();
        for (&symbol, &rate) in given.q_dot.iter().zip(chart.map_or(&[][..], |chart| &chart.rates)) {
            if symbol != rate {
                symbols.push(symbol);
                plain.push(reader.collected_or_not(style, rate, chart.map_or(&[][..], |chart| &chart.u)));
            }
        }
        let taken = |name: &str| given.system.declares(name);
        let (rooted, mut definitions) = roots::named(&plain, &|square| roots::called(square, given.system), &taken);
        let (sides, parts) = named(&rooted, quantities, &taken);
        definitions.extend(parts);
        let is_plain = definitions.is_empty();
        let polished = |side: Expr| {
            let made = reading::polished(side);
            if is_plain && length(made) < length(side) { made } else { side }
        };
        let mut sides = sides.into_iter().map(polished);
        let mut next = || sides.next().unwrap_or_else(Expr::zero);
        Layout {
            equations: form.equations.iter().map(|_| (next(), next())).collect(),
            by,
            conditions: form.conditions.iter().map(|_| next()).collect(),
            multipliers: form.reactions.iter().map(|_| next()).collect(),
            rates: symbols.into_iter().map(|symbol| (symbol, next())).collect(),
            definitions,
            plain,
            used,
            legend: None,
        }
    }

    /// How many characters the page takes.
    fn length(&self) -> usize {
        let pairs = self.equations.iter().chain(&self.rates).chain(&self.definitions);
        let pairs = pairs.map(|&(left, right)| length(left).saturating_add(length(right)).saturating_add(3));
        let single = self.conditions.iter().chain(&self.multipliers).map(|&e| length(e));
        pairs.chain(single).fold(0, usize::saturating_add)
    }

    /// Which relations were used, in one sentence.
    pub fn relations(&self) -> Option<String> {
        let list: Vec<String> = self.used.iter().map(said).collect();
        (!list.is_empty()).then(|| format!("constraints are used in the equations: {}", list.join(", ")))
    }

    /// What vanishes on the constraints that were used, if it vanishes by them.
    pub fn on_constraints(&self, e: Expr) -> Expr {
        match self.used.is_empty() || e.is_zero() || !reading::is_same_on(e, Expr::zero(), &self.used) {
            true => e,
            false => Expr::zero(),
        }
    }

    /// Which equations were divided by what, in one sentence.
    pub fn divisions(&self) -> Option<String> {
        let both = self.by.iter().enumerate().filter_map(|(k, by)| by.map(|by| (k + 1, by.to_string())));
        let list: Vec<(usize, String)> = both.collect();
        let (_, first) = list.first()?;
        let all = list.len() == self.by.len() && list.iter().all(|(_, by)| by == first);
        let each: Vec<String> = list.iter().map(|(k, by)| format!("{k} by {by}")).collect();
        Some(match (all, self.by.len()) {
            (true, 1) => format!("the equation is divided by {first}"),
            (true, _) => format!("the equations are divided by {first}"),
            _ => format!("common factors are divided out of equations: {}", each.join(", ")),
        })
    }
}

/// Both sides of an equation as they are written, and what they are divided by.
fn sides_of(
    style: Style,
    equation: &Equation,
    form: &Form,
    given: &Ingredients<'_>,
    reader: &Reader,
) -> ([Expr; 2], Option<Expr>) {
    let is_positive = positive(given);
    let only = |symbol: Expr| is_known(given, symbol);
    let with_sums = |e: Expr| only(e) || is_sum_of(e, &is_positive) || is_gap(given, e);
    let read = [(equation.left, &form.unknowns), (equation.right, &form.multipliers)].map(|(side, by)| {
        let read = reader.readable_in(style, side, by);
        // a root of squares may have become |u| on the way
        let known = on_its_side(&[read], given);
        let put = if known.is_empty() { None } else { known.apply_one(read).ok() };
        put.map_or(read, |put| reader.readable_in(style, put, by))
    });
    // in a long equation sums will have names, which are shared
    let is_short = read.iter().map(|&side| length(side)).fold(0, usize::saturating_add) < LONG;
    let directed = is_short && style == Style::Shortest;
    let sides = if directed { in_one_direction(read, given.at) } else { read };
    let known: &dyn Fn(Expr) -> bool = if is_short { &with_sums } else { &only };
    let deep = if is_short { Deep::Fractions } else { Deep::Parameters };
    let shared = common(&sides, known, deep);
    let sides = sides.map(|side| shared.map_or(side, |by| divided(side, by, known, deep)));
    (if directed { without_halves(sides) } else { sides }, shared)
}

/// How long a page with velocities of bodies may be so that closed forms are not tried, if one of these parts is large: they take
/// more letters for each operation.
fn promised(parts: &[Expr]) -> Option<usize> {
    let largest = parts.iter().map(|part| part.operations()).max()?;
    (largest > LARGE).then(|| LETTERS_OF_OPERATION * Expr::sum(parts).operations())
}

/// Names in their order, each after those that it needs.
fn in_order(list: &[(Expr, Expr)]) -> Vec<(Expr, Expr)> {
    let places: FxHashMap<Expr, usize> = list.iter().enumerate().map(|(place, one)| (one.0, place)).collect();
    let (mut sorted, mut seen) = (Vec::with_capacity(list.len()), vec![false; list.len()]);
    let mut stack: Vec<(usize, bool)> = (0..list.len()).rev().map(|place| (place, false)).collect();
    while let Some((place, done)) = stack.pop() {
        if done {
            sorted.push(list[place]);
        } else if !std::mem::replace(&mut seen[place], true) {
            stack.push((place, true));
            let needed = list[place].1.symbols();
            stack.extend(needed.iter().filter_map(|symbol| places.get(symbol)).map(|&other| (other, false)));
        }
    }
    sorted
}

/// What stands before the unknowns on the left of the equations, and what stands alone.
fn coefficients(form: &Form) -> Vec<Expr> {
    let left: Vec<Expr> = form.equations.iter().map(|equation| equation.left).collect();
    match expr::linear_coefficients(&left, &form.unknowns) {
        Ok((matrix, constants)) => matrix.into_iter().flatten().chain(constants).collect(),
        Err(_) => left,
    }
}

/// Is this a parameter of which it is known that it does not vanish, by its value or by what is assumed; a coordinate of
/// which that is assumed; or the sine or cosine of an angle that has a value?
pub fn is_known(given: &Ingredients<'_>, e: Expr) -> bool {
    let is_parameter = |symbol: Expr| given.system.parameters.iter().any(|parameter| parameter.symbol == symbol);
    let has_value = |e: Expr| given.at.names(&e.symbols()) && e.symbols().into_iter().all(is_parameter);
    match e.op() {
        expr::Op::Sin | expr::Op::Cos => has_value(e) && given.at.value(e).abs() > SMALL,
        _ => {
            let by_value = is_parameter(e) && has_value(e) && given.at.value(e).abs() > 0.0;
            let may_be_assumed = is_parameter(e) || given.q.contains(&e);
            by_value || may_be_assumed && is_assumed(given, e, &[Comparison::Greater, Comparison::NotEqual])
        }
    }
}

/// Is it a difference of parameters, R - r, that is not zero with their values?
fn is_gap(given: &Ingredients<'_>, e: Expr) -> bool {
    let is_parameter = |symbol: &Expr| given.system.parameters.iter().any(|parameter| parameter.symbol == *symbol);
    let symbols = e.symbols();
    e.op() == expr::Op::Sum
        && symbols.iter().all(is_parameter)
        && given.at.names(&symbols)
        && given.at.value(e).abs() > SMALL * given.at.sizes_of_terms(&[e]).iter().sum::<f64>()
}

/// Is it a sum of products of positive parameters?
fn is_sum_of(e: Expr, positive: &[Expr]) -> bool {
    let facts = || positive.iter().map(|&symbol| (symbol, expr::sign::POSITIVE)).collect::<Vec<(Expr, u8)>>();
    let is_made_of = || e.symbols().iter().all(|symbol| positive.contains(symbol));
    let signs = || expr::Evaluator::new(&[e], &facts()).signs(e);
    e.op() == expr::Op::Sum && is_made_of() && signs() & expr::sign::NONZERO != 0
}
