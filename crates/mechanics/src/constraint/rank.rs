//! Which rows are independent, which follow from others, and which contradict them?
//!
//! ```text
//! Σ c_i K_i = 0                         the rows of K depend on each other                   (1)
//! R = f_k − Σ c_i (d/dt)^m f_i          what k says beyond the others, m = order k − order i  (2)
//! R ≡ 0   redundant        R a number   conflict        otherwise   a condition of lower order
//! ```
//!
//! Rows of low order come first, then those that were written first, one-sided ones last of all, so that the
//! row to blame is the last one of (1) and the others imply it. (1) is found at random points of prime fields,
//! with its coefficients as expressions where few rows take part. Where (2) does not decide,
//! states that satisfy the constraints do, in floating point (`shell.rs`); so they do where rows
//! are independent in general but not on the constraints.

use std::cell::OnceCell;

use expr::field::{Element, Field, Random};
use expr::{At, Expr, MathError};
use linear::Tolerance;
use linear::span::Span;
use proof::linear::{Matrix, rank, rank_at};

use super::Space;
use super::algebra::{Effort, freed, solved_form, tidy, true_symbols};
use super::class::{Class, Sorted, is_given};
use super::points;
use super::shell::{Shell, State, value_of};

/// Coefficients of (1) are written out for no more rows than this.
const FEW: usize = 8;
/// A state that does not satisfy the constraints is moved there for no more rows than this.
const MOVED: usize = 60;
/// What is left of a row of K that depends on others at the state, beside its length, and of one that vanishes there,
/// beside its terms.
const DEPENDENT: Tolerance = Tolerance::new(1e-10);

/// What is left of a row across those before it, beside its length: first those are taken that have much, then the others.
const WELL: [Tolerance; 4] = [Tolerance::new(1e-2), Tolerance::new(1e-4), Tolerance::new(1e-7), DEPENDENT];

/// So much of a step along the free directions is left where the rows hold, if they leave room for it.
const ROOM: f64 = 0.1;

/// A row in a relation, and its factor where that was worked out.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The row.
    pub row: usize,
    /// Its factor, a function of the state.
    pub factor: Option<Expr>,
}

/// What a redundancy rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The relation between the rows is an identity.
    Identity,
    /// It holds at the states near the state that satisfy the other constraints, for
    /// the values that the parameters have there: in floating point.
    OnConstraints,
}

/// Something that the user should hear.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// The row is satisfied by every motion.
    Vacuous {
        /// The row.
        row: usize,
    },
    /// The row holds no coordinate, and the values of the parameters satisfy it.
    SaysNothing {
        /// The row.
        row: usize,
    },
    /// The row holds no coordinate and is not satisfied.
    Contradiction {
        /// The row.
        row: usize,
        /// What should be zero.
        remainder: Expr,
    },
    /// The row is of a class that is not treated; it is left out of every count.
    Outside {
        /// The row.
        row: usize,
    },
    /// The row follows from others, with which it shares a load.
    Redundant {
        /// The row.
        row: usize,
        /// The others: K_row = Σ factor·K_other.
        by: Vec<Part>,
        /// What this rests on.
        evidence: Evidence,
    },
    /// Others fix the left side of the row, with another right side.
    Conflict {
        /// The row.
        row: usize,
        /// The others.
        with: Vec<Part>,
        /// What should be zero, if it was worked out.
        remainder: Option<Expr>,
        /// By how much it misses, at the state.
        amount: f64,
    },
    /// Together with others the row implies a condition of lower order, which nobody wrote down;
    /// degrees of freedom are counted without it.
    Implies {
        /// The row.
        row: usize,
        /// The others.
        with: Vec<Part>,
        /// What must be zero as well.
        remainder: Expr,
    },
    /// The row depends on others, and whether it agrees with them is not known: no state was found
    /// that satisfies them.
    Undecided {
        /// The row.
        row: usize,
        /// The others.
        with: Vec<Part>,
    },
    /// The row is independent of others in general, but follows from them wherever the
    /// constraints are satisfied near the state (a net of rods that closes).
    DependentOnConstraints {
        /// The row.
        row: usize,
        /// The others.
        by: Vec<usize>,
    },
    /// The rank drops at the state, or at the state next to it that satisfies the rows.
    SingularHere {
        /// The rows that become dependent there.
        rows: Vec<usize>,
        /// The rows that they then depend on.
        on: Vec<usize>,
        /// The rank there.
        rank: usize,
        /// The rank in general.
        generic: usize,
        /// Is it so at every state nearby that satisfies the constraints? (x^2 = 0)
        everywhere: bool,
    },
    /// Coefficients of these rows have no value at the state.
    UndefinedHere {
        /// The rows.
        rows: Vec<usize>,
    },
    /// No state was found, starting from the state, that satisfies the geometric rows.
    NoState {
        /// The rows that miss most.
        rows: Vec<usize>,
        /// By how much.
        residual: f64,
    },
    /// The rows leave no freedom: no motion, or one that is prescribed.
    NoFreedom {
        /// The independent rows.
        rows: Vec<usize>,
    },
}

impl Finding {
    /// The row that is redundant by this finding.
    pub fn redundant_row(&self) -> Option<usize> {
        match *self {
            Finding::Vacuous { row } | Finding::SaysNothing { row } => Some(row),
            Finding::Redundant { row, .. } | Finding::DependentOnConstraints { row, .. } => Some(row),
            _ => None,
        }
    }

    /// Does it say that no motion satisfies all rows?
    pub fn is_conflict(&self) -> bool {
        matches!(self, Finding::Contradiction { .. } | Finding::Conflict { .. })
    }
}

/// Which rows carry the rank, and what is to be said about the others.
pub(super) struct Found {
    /// Ascending.
    pub independent: Vec<usize>,
    pub findings: Vec<Finding>,
    pub rank_here: usize,
}

pub(super) fn find(rows: &[Sorted], space: &Space, one_sided: &[usize], at: &At) -> Result<Found, MathError> {
    let mut findings: Vec<Finding> = (0..rows.len()).filter_map(|row| alone(row, &rows[row], at)).collect();
    let mut order: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].class.has_slope()).collect();
    order.sort_by_key(|&row| (one_sided.contains(&row), rows[row].order(), row));
    let (mut independent, explained) = chosen(order, rows, space, one_sided, at)?;
    findings.extend(explained);
    let generic = independent.len();
    let rank_here = look_here(rows, space, one_sided, &mut independent, &mut findings, at)?.unwrap_or(generic);
    independent.sort_unstable();
    Ok(Found { independent, findings, rank_here })
}

/// The rows that carry the rank as functions, in the order in which they were taken, and what is to be said about the
/// others. Of rows that depend on each other those are kept that stand well at the state: also one-sided ones before a
/// row that does not, if that one follows from them.
fn chosen(
    mut order: Vec<usize>,
    rows: &[Sorted],
    space: &Space,
    one_sided: &[usize],
    at: &At,
) -> Result<(Vec<usize>, Vec<Finding>), MathError> {
    let n = space.q.len();
    let explained = |order: &[usize], relations: Vec<Relation>| {
        let mut independent = order.to_vec();
        independent.retain(|row| !relations.iter().any(|relation| relation.row == *row));
        let explainer = Explainer { rows, space, at, independent: &independent, places: OnceCell::new() };
        let findings = relations.iter().map(|relation| explainer.finding(relation)).collect::<Result<Vec<_>, _>>()?;
        Ok((independent, findings))
    };
    let relations = relations(&order, rows, n);
    let Some(rank) = by_rank(&order, rows, n, at).filter(|_| !relations.is_empty()) else {
        return explained(&order, relations);
    };
    let place = |row: usize| rank.taken.iter().chain(&rank.others).position(|&one| one == row);
    let by_standing =
        |&row: &usize| (rank.others.contains(&row), one_sided.contains(&row), rows[row].order(), place(row));
    let mut standing = order.clone();
    standing.sort_by_key(by_standing);
    order.sort_by_key(|&row| (one_sided.contains(&row), rows[row].order(), place(row)));
    if standing != order {
        let found = explained(&standing, self::relations(&standing, rows, n))?;
        if found.1.iter().all(|finding| finding.redundant_row().is_some()) {
            return Ok(found);
        }
    }
    let relations = self::relations(&order, rows, n);
    explained(&order, relations)
}

/// Rows by how well they stand at a state.
struct Standing {
    /// Those that are independent there, the best first.
    taken: Vec<usize>,
    others: Vec<usize>,
}

/// The rows by how well they stand beside those before them at the state: of rows that depend on each other as functions
/// another choice may be the right one at each state. Those that stand well keep their order. Nothing if all do, or if
/// a slope has no value.
fn by_rank(order: &[usize], rows: &[Sorted], columns: usize, at: &At) -> Option<Standing> {
    let lines: Vec<Vec<f64>> = order.iter().map(|&row| line_here(&rows[row], columns, at)).collect();
    if !lines.iter().flatten().all(|x| x.is_finite()) {
        return None;
    }
    let (mut span, mut taken) = (Span::default(), Vec::new());
    let mut open: Vec<usize> = (0..order.len()).collect();
    let parts: Vec<f64> = order.iter().zip(&lines).map(|(&row, line)| part_here(&rows[row], line, at)).collect();
    for well in WELL {
        open.retain(|&place| {
            let (left, size) = span.left_of(&lines[place]);
            let stands = !well.hides(if well.ratio() > DEPENDENT.ratio() { size * parts[place] } else { size }, 1.0);
            if stands {
                span.take(&left);
                taken.push(order[place]);
            }
            // what depends on the others now depends on them when there are more
            !stands && !WELL[WELL.len() - 1].hides(size, 1.0)
        });
    }
    let others: Vec<usize> = order.iter().filter(|row| !taken.contains(row)).copied().collect();
    Some(Standing { taken, others })
}

/// What can be said of a row without the others.
fn alone(row: usize, sorted: &Sorted, at: &At) -> Option<Finding> {
    let remainder = sorted.f;
    match sorted.class {
        Class::Vacuous => Some(Finding::Vacuous { row }),
        Class::WithoutCoordinates if is_nothing_here(sorted, at) => Some(Finding::SaysNothing { row }),
        Class::WithoutCoordinates => Some(Finding::Contradiction { row, remainder }),
        Class::Outside => Some(Finding::Outside { row }),
        _ => None,
    }
}

/// Do the values of the parameters satisfy the row?
fn is_nothing_here(row: &Sorted, at: &At) -> bool {
    !row.rheonomic && !row.f.is_constant() && at.value(row.f).abs() < 1e-12
}

// ---------------------------------------------------------------------------------------------
// Relations (1) between rows, as functions

/// A row that depends on others.
struct Relation {
    row: usize,
    on: Vec<usize>,
}

fn relations(order: &[usize], rows: &[Sorted], columns: usize) -> Vec<Relation> {
    let matrix = Matrix::from_entries(columns, order.iter().map(|&row| rows[row].slope.clone()).collect());
    if rank(&matrix).rank == order.len() {
        return Vec::new();
    }
    let entries: Vec<Expr> = order.iter().flat_map(|&row| rows[row].slope.iter().map(|entry| entry.1)).collect();
    let at_point = |(field, values): (Field, Vec<Element>)| {
        let mut values = values.into_iter();
        let dense = order.iter().map(|&row| {
            let mut line = vec![Element::ZERO; columns];
            rows[row].slope.iter().zip(&mut values).for_each(|(&(column, _), value)| line[column] = value);
            line
        });
        points::relations(&field, dense.collect(), columns)
    };
    let found = points::points(&entries).into_iter().map(at_point).min_by_key(Vec::len).unwrap_or_else(|| {
        let rank = rank(&matrix);
        rank.dependent_rows.iter().map(|&row| (row, rank.independent_rows.clone())).collect()
    });
    let named =
        |(row, on): (usize, Vec<usize>)| Relation { row: order[row], on: on.iter().map(|&k| order[k]).collect() };
    found.into_iter().map(named).collect()
}

// ---------------------------------------------------------------------------------------------
// What a dependent row says

struct Explainer<'a> {
    rows: &'a [Sorted],
    space: &'a Space,
    at: &'a At,
    /// In the order in which they were taken.
    independent: &'a [usize],
    /// Some states, each with the one next to it that satisfies the independent rows.
    places: OnceCell<Vec<(State, State)>>,
}

impl Explainer<'_> {
    fn finding(&self, relation: &Relation) -> Result<Finding, MathError> {
        let row = relation.row;
        let parts = self.parts(relation);
        let Some(remainder) = self.remainder(row, &parts)? else { return self.by_value(row, parts) };
        if remainder.is_zero() {
            return Ok(Finding::Redundant { row, by: parts, evidence: Evidence::Identity });
        }
        let amount = self.at.value(remainder);
        let left = true_symbols(remainder);
        if left.iter().all(|&symbol| symbol == self.space.t || is_given(symbol)) {
            let holds_here = left.is_empty() && !remainder.is_constant() && amount.abs() < 1e-12;
            return Ok(match holds_here {
                true => Finding::Redundant { row, by: parts, evidence: Evidence::OnConstraints },
                false => Finding::Conflict { row, with: parts, remainder: Some(remainder), amount },
            });
        }
        Ok(match self.largest_value(remainder)? {
            Some((value, size)) if value <= 1e-7 * size => {
                Finding::Redundant { row, by: parts, evidence: Evidence::OnConstraints }
            }
            _ => Finding::Implies { row, with: parts, remainder },
        })
    }

    /// The rows of (1) with their factors: K_row = Σ factor·K_other.
    fn parts(&self, relation: &Relation) -> Vec<Part> {
        let factors = if relation.on.len() <= FEW { self.factors(relation) } else { None };
        let part = |(k, &row): (usize, &usize)| Part { row, factor: factors.as_ref().map(|factors| factors[k]) };
        relation.on.iter().enumerate().map(part).collect()
    }

    fn factors(&self, relation: &Relation) -> Option<Vec<Expr>> {
        let all: Vec<&Sorted> = relation.on.iter().chain([&relation.row]).map(|&row| &self.rows[row]).collect();
        let mut columns: Vec<usize> = all.iter().flat_map(|row| row.slope.iter().map(|entry| entry.0)).collect();
        columns.sort_unstable();
        columns.dedup();
        let entry = |row: &Sorted, column: usize| {
            row.slope.iter().find(|entry| entry.0 == column).map_or_else(Expr::zero, |entry| entry.1)
        };
        let equations = columns.iter().map(|&column| all.iter().map(|row| entry(row, column)).collect()).collect();
        let last = relation.on.len();
        let effort = Effort::new();
        let solved = solved_form(equations, &[last], &effort);
        (!effort.is_spent() && solved.independent(last + 1) == [last]).then_some(())?;
        let factor = |k: usize| solved.dependent.iter().position(|&d| d == k).map(|place| solved.rows[place][last]);
        (0..last).map(factor).collect()
    }

    /// (2), if it is free of the highest derivatives.
    fn remainder(&self, row: usize, parts: &[Part]) -> Result<Option<Expr>, MathError> {
        let own = &self.rows[row];
        // A one-sided row may be of lower order than those that it depends on.
        let top = self.top(row, parts);
        let mut remainder = raised(own, top)?;
        for part in parts {
            let Some(factor) = part.factor else { return Ok(None) };
            if top == 0 && !true_symbols(factor).is_empty() {
                return Ok(None);
            }
            remainder -= factor * raised(&self.rows[part.row], top)?;
        }
        let highest = [&self.space.q, &self.space.rates, &self.space.accelerations][top as usize];
        if true_symbols(remainder).iter().any(|symbol| highest.contains(symbol)) {
            return Ok(None);
        }
        Ok(Some(tidy(freed(remainder, highest))))
    }

    /// The highest order of a row and its parts.
    fn top(&self, row: usize, parts: &[Part]) -> u32 {
        let orders = parts.iter().map(|part| self.rows[part.row].order());
        orders.fold(self.rows[row].order(), u32::max)
    }

    /// Where (2) does not say it: does the row hold where the others do?
    fn by_value(&self, row: usize, by: Vec<Part>) -> Result<Finding, MathError> {
        let f = raised(&self.rows[row], self.top(row, &by))?;
        let evidence = Evidence::OnConstraints;
        Ok(match self.largest_value(f)? {
            Some((value, size)) if value <= 1e-7 * size => Finding::Redundant { row, by, evidence },
            Some((amount, _)) => Finding::Conflict { row, with: by, remainder: None, amount },
            None => Finding::Undecided { row, with: by },
        })
    }

    /// The largest absolute value of `e` at some states that satisfy the independent rows, and its
    /// natural size: its value at states that do not.
    fn largest_value(&self, e: Expr) -> Result<Option<(f64, f64)>, MathError> {
        let places = match self.places.get() {
            Some(places) => places,
            None => {
                let found = self.found_places()?;
                self.places.get_or_init(|| found)
            }
        };
        let value = value_of(e, self.at);
        let sizes = places.iter().map(|(before, state)| (value(state).abs(), value(before).abs().max(1.0)));
        Ok(sizes.reduce(|a, b| (a.0.max(b.0), a.1.max(b.1))))
    }

    fn found_places(&self) -> Result<Vec<(State, State)>, MathError> {
        let rows: Vec<&Sorted> = self.independent.iter().map(|&row| &self.rows[row]).collect();
        let shell = Shell::new(&rows, self.space, self.at)?;
        let mut random = Random::new(1);
        let place = |_| {
            let before = shell.near(&shell.here(), &mut random, 0.1);
            let state = shell.moved_onto(&before)?;
            Some((before, state))
        };
        Ok((0..3).filter_map(place).collect())
    }
}

/// What vanishes by a row, differentiated to an order.
fn raised(row: &Sorted, order: u32) -> Result<Expr, MathError> {
    (row.order()..order).try_fold(row.f, |f, _| expr::total_derivative(f))
}

// ---------------------------------------------------------------------------------------------
// The rank at the state

/// Looks for rows that become dependent at the state, or wherever the constraints are
/// satisfied near it. The rank there, or `None` if it has no value.
fn look_here(
    rows: &[Sorted],
    space: &Space,
    one_sided: &[usize],
    independent: &mut Vec<usize>,
    findings: &mut Vec<Finding>,
    at: &At,
) -> Result<Option<usize>, MathError> {
    let undefined = |row: &&usize| rows[**row].slope.iter().any(|entry| !at.value(entry.1).is_finite());
    let undefined: Vec<usize> = independent.iter().filter(undefined).copied().collect();
    if !undefined.is_empty() {
        findings.push(Finding::UndefinedHere { rows: undefined });
        return Ok(None);
    }
    let width = space.q.len();
    // which of them is dropped may be another one at each state
    if let Some(rank) = by_rank(independent, rows, width, at) {
        let place = |row: usize| rank.taken.iter().chain(&rank.others).position(|&one| one == row);
        independent.sort_by_key(|&row| (one_sided.contains(&row), rows[row].order(), place(row)));
    }
    let here = linear::Matrix::of_width(width, independent.iter().map(|&row| line_here(&rows[row], width, at)));
    let size = |row: &usize| rows[*row].slope.iter().map(|entry| at.size(entry.1)).fold(0.0, f64::max);
    let sizes: Vec<f64> = independent.iter().map(size).collect();
    let mut dependent_here = linear::span::dependencies(&here, &sizes, DEPENDENT);
    // a motion is a little off, and a row that nearly vanishes is known the less well
    let parts = independent.iter().zip(here.iter()).map(|(&row, line)| part_here(&rows[row], line, at));
    if let Some((place, part)) = parts.enumerate().filter(|(_, part)| WELL[0].hides(*part, 1.0)).last() {
        let loosely = Tolerance::new((DEPENDENT.ratio() / part).min(WELL[2].ratio()));
        let found = linear::span::dependencies(&here, &sizes, loosely);
        let is_new = !dependent_here.iter().any(|one| one.0 == place);
        dependent_here.extend(found.into_iter().filter(|one| is_new && one.0 == place));
    }
    let rank_here = independent.len() - dependent_here.len();
    let list: Vec<&Sorted> = independent.iter().map(|&row| &rows[row]).collect();
    let shell = Shell::new(&list, space, at)?;
    let here = shell.here();
    let off = shell.residual(&here);
    let few = list.iter().filter(|row| row.order() == 0).count() <= MOVED;
    let dependent = match off.is_some() && few {
        false => dependent_here,
        true => match shell.moved_onto(&here) {
            Some(state) => shell.dependencies(&state, &shell.sizes(&here), 0.1),
            None => {
                let (place, residual) = shell.worst(&here);
                findings.push(Finding::NoState { rows: vec![independent[place]], residual });
                dependent_here
            }
        },
    };
    if !dependent.is_empty() {
        let is_other = |place: &usize| !dependent.iter().any(|drop| drop.0 == *place);
        let others: Vec<&Sorted> = (0..list.len()).filter(is_other).map(|place| list[place]).collect();
        let geometric = dependent.iter().all(|drop| list[drop.0].order() == 0);
        let others = if geometric { Some(Shell::new(&others, space, at)?) } else { None };
        explain_drop(&dependent, (&shell, others.as_ref()), &here, independent, findings);
    }
    Ok(Some(rank_here))
}

/// Rows that depend on others here: because of this state, or of the constraints? Beside the shell of all rows stands
/// that of the others, if the rows are geometric.
fn explain_drop(
    dependent: &[(usize, Vec<usize>)],
    shells: (&Shell, Option<&Shell>),
    here: &State,
    independent: &mut Vec<usize>,
    findings: &mut Vec<Finding>,
) {
    let generic = independent.len();
    // far away the rows may be on another branch
    let is_seen = |found: &Drops| {
        let drops_all = |place: usize| found.drops.iter().all(|drop| drop.iter().any(|d| d.0 == place));
        !found.drops.is_empty() && dependent.iter().all(|d| drops_all(d.0))
    };
    let found = [0.1, 1e-2, 1e-3, 1e-4, 1e-5].iter().map(|&reach| drops_nearby(shells, here, reach)).find(is_seen);
    let Drops { drops: nearby, has_room } = found.unwrap_or_else(|| drops_nearby(shells, here, 0.1));
    let everywhere = |place: usize| !nearby.is_empty() && nearby.iter().all(|drop| drop.iter().any(|d| d.0 == place));
    let follows = |place: usize| {
        let mildest = nearby.iter().min_by_key(|drop| drop.len())?;
        let on = mildest.iter().find(|d| d.0 == place).map(|d| d.1.clone());
        on.filter(|on| has_room && everywhere(place) && !on.is_empty())
    };
    let (mut gone, mut singular) = (Vec::new(), Vec::new());
    for (place, on) in dependent {
        let named = |list: &[usize]| list.iter().map(|&k| independent[k]).collect::<Vec<usize>>();
        match follows(*place) {
            Some(on) => {
                findings.push(Finding::DependentOnConstraints { row: independent[*place], by: named(&on) });
                gone.push(independent[*place]);
            }
            None => singular.push((*place, named(on))),
        }
    }
    if !singular.is_empty() {
        let mut on: Vec<usize> = singular.iter().flat_map(|drop| drop.1.iter().copied()).collect();
        on.sort_unstable();
        on.dedup();
        findings.push(Finding::SingularHere {
            rows: singular.iter().map(|drop| independent[drop.0]).collect(),
            on,
            rank: generic - dependent.len(),
            generic: generic - gone.len(),
            everywhere: singular.iter().all(|drop| everywhere(drop.0)),
        });
    }
    independent.retain(|row| !gone.contains(row));
}

/// What is seen at some states near a state that satisfy the rows.
struct Drops {
    /// The rows that are dependent there, each with those that it depends on.
    drops: Vec<Vec<(usize, Vec<usize>)>>,
    /// Whether there is room to move as the slopes at the state say. Two rows that touch, as y = 0 and y = x², leave a
    /// point and no line: there they depend on each other, and yet both say something.
    has_room: bool,
}

fn drops_nearby((shell, others): (&Shell, Option<&Shell>), here: &State, reach: f64) -> Drops {
    let (mut random, free) = (Random::new(2), shell.free(here));
    let (mut drops, mut has_room) = (Vec::new(), true);
    // where the others hold, a row that follows from them holds too; a step onto all rows together wanders, as
    // their slopes are nearly dependent on the way. Close by, a row that only touches the others holds but for rounding.
    let on_others = |before: &State| {
        let state = others.filter(|_| reach >= 1e-2)?.moved_onto(before)?;
        shell.holds_closely(&state).then_some(state)
    };
    for _ in 0..3 {
        let before = shell.near(here, &mut random, reach);
        let Some(state) = on_others(&before).or_else(|| shell.moved_onto(&before)) else { continue };
        has_room &= shell.along(&free, here, &state) >= ROOM * shell.along(&free, here, &before);
        drops.push(shell.dependencies(&state, &shell.sizes(&before), reach));
    }
    Drops { drops, has_room }
}

/// How long the slope of a row is at the state, against what it may be: little of it holds little there.
fn part_here(row: &Sorted, line: &[f64], at: &At) -> f64 {
    let square = |all: &mut dyn Iterator<Item = f64>| all.map(|x| x * x).sum::<f64>();
    let most = square(&mut row.slope.iter().map(|entry| at.at_most(entry.1)));
    let part = (square(&mut line.iter().copied()) / most).sqrt();
    if part.is_finite() { part.min(1.0) } else { 1.0 }
}

/// A row of K at the state; all zeros if only rounding errors are left of it.
fn line_here(row: &Sorted, columns: usize, at: &At) -> Vec<f64> {
    let mut line = vec![0.0; columns];
    let largest = row.slope.iter().map(|entry| at.value(entry.1).abs()).fold(0.0, f64::max);
    let is_noise = || {
        let entries = row.slope.iter().enumerate().map(|(k, entry)| (k, entry.1)).collect();
        rank_at(&Matrix::from_entries(row.slope.len(), vec![entries]), 1e-9, at) == 0
    };
    if largest > 1e-6 || !is_noise() {
        row.slope.iter().for_each(|&(column, entry)| line[column] = at.value(entry));
    }
    line
}
