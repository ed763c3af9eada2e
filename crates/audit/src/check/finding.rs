//! What should the reader hear about the constraints? Each finding as a sentence with the constraints' names.

use expr::{At, Expr, Op, Substitution};
use mechanics::chart::{Chart, ChartError, ChartKind};
use mechanics::constraint::{Evidence, Finding as Found, Part, Report};
use mechanics::rows::Rows;
use serde::Serialize;

use super::rows::{Acting, Standing};
use super::state::Start;
use engine::{Loaded, fact};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// For information.
    Note,
    /// Perhaps not as meant.
    Warning,
    /// A negative verdict.
    Wrong,
}

expr::in_words! {
    /// What a finding is about.
    pub enum Matter {
        /// A row follows from others.
        Redundant = "redundant",
        /// Rows contradict each other.
        Conflict = "conflict",
        /// The rank drops here.
        Singular = "singular",
        /// A coefficient has no value.
        Undefined = "undefined",
        /// Rows together imply a condition that nobody wrote.
        Implies = "implies",
        /// Others fix what a one-sided constraint bounds.
        Bound = "bound",
        /// A constraint is not differentiable here.
        Kink = "kink",
        /// Nothing says which root of a constraint is meant, or nothing asks for it.
        Roots = "roots",
        /// Nothing was decided.
        Undecided = "undecided",
        /// No state was found.
        NoState = "no_state",
        /// Nothing can move.
        NoFreedom = "no_freedom",
        /// A one-sided constraint is closed.
        Closed = "closed",
        /// A one-sided constraint is open.
        Open = "open",
        /// A constraint is switched on later.
        Later = "later",
        /// A constraint is switched off later.
        Until = "until",
        /// A constraint is switched off.
        Over = "over",
        /// An assumption does not hold here.
        Assume = "assume",
        /// A mass or an inertia cannot be one.
        Mass = "mass",
        /// An `inverse` line does not undo the speeds.
        Inverse = "inverse",
        /// The speeds make no chart.
        Speeds = "speeds",
        /// The lines of the start leave some digits of a value open.
        Vague = "vague",
    }
}

/// Something that the reader should hear.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// What it is about, one word for scripts.
    pub kind: Matter,
    /// How bad it is.
    pub level: Level,
    /// The constraints that it is about.
    pub constraints: Vec<String>,
    /// What is so.
    pub message: String,
    /// What it means, or what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// All that is to be said.
pub(super) fn findings(loaded: &Loaded, acting: &Acting, report: &Report, start: &Start) -> Vec<Finding> {
    let teller = Teller { loaded, report, acting };
    let is_spoilt = !start.contradictions.is_empty();
    let is_undefined = start.contradictions.iter().any(|it| it.misses_by.is_some_and(|amount| !amount.is_finite()));
    let mut told: Vec<Finding> = report
        .findings
        .iter()
        .filter(|found| !(is_undefined && depends_on_numbers(found)))
        .filter_map(|found| teller.told(found, is_spoilt))
        .collect();
    told.extend(switched(loaded, acting));
    told.extend(masses(loaded));
    let inverses = inverses(loaded);
    if inverses.is_empty() {
        told.extend(speeds(loaded));
        told.extend(roots(loaded));
    }
    told.extend(inverses);
    told.extend(kinks(loaded, acting));
    told.extend(assumptions(loaded));
    told.extend(vague(loaded));
    told
}

/// Whether a finding rests on the numbers of the start.
fn depends_on_numbers(found: &Found) -> bool {
    matches!(found, Found::SingularHere { .. } | Found::UndefinedHere { .. } | Found::NoState { .. })
}

struct Teller<'a> {
    loaded: &'a Loaded,
    report: &'a Report,
    acting: &'a Acting,
}

impl Teller<'_> {
    /// Says a finding as a sentence; nothing if it is said elsewhere.
    fn told(&self, found: &Found, is_spoilt: bool) -> Option<Finding> {
        let name = |row: &usize| self.report.rows[*row].name.as_str();
        Some(match found {
            Found::Vacuous { row } => {
                let message = format!("`{}` holds whatever the motion: it says nothing", name(row));
                self.finding(Matter::Redundant, Level::Wrong, &[*row], message, "remove it")
            }
            Found::SaysNothing { row } => {
                let message = format!(
                    "`{}` holds no coordinate, and the values of the parameters satisfy it: it says nothing",
                    name(row)
                );
                self.finding(Matter::Redundant, Level::Wrong, &[*row], message, "remove it")
            }
            Found::Contradiction { row, remainder } => {
                let message = format!("`{}` can never hold: it says 0 = {}", name(row), remainder.brief());
                let hint = "a constraint is a relation between coordinates, rates or accelerations";
                self.finding(Matter::Conflict, Level::Wrong, &[*row], message, hint)
            }
            // Refused before anything is counted.
            Found::Outside { .. } => return None,
            Found::Redundant { row, by, evidence } => self.redundant(*row, by, *evidence),
            Found::Conflict { row, with, .. } | Found::Implies { row, with, .. } | Found::Undecided { row, with }
                if self.acting.one_sided.contains(row) =>
            {
                self.bound(*row, with)
            }
            Found::Conflict { row, with, remainder, amount } => {
                self.conflict(*row, with, remainder.map(|e| e.brief()), *amount)
            }
            Found::Implies { row, with, remainder } => self.implies(&rows(*row, with), *remainder),
            Found::Undecided { row, with } => self.undecided(*row, with),
            Found::DependentOnConstraints { row, by } => self.dependent(*row, by),
            Found::SingularHere { rows, on, rank, generic, everywhere } => {
                self.singular(rows, on, &format!("rank {rank} instead of {generic}"), *everywhere)
            }
            Found::UndefinedHere { rows } => {
                let message = format!("coefficients of {} have no value at the start", self.list(rows));
                let hint = "something is divided by zero there: start somewhere else";
                self.finding(Matter::Undefined, Level::Warning, rows, message, hint)
            }
            Found::NoState { .. } if is_spoilt => return None,
            Found::NoState { rows, residual } => {
                let (rest, list) = (expr::decimal(*residual), self.list(rows));
                let message = format!("no state was found that satisfies {list}: it misses by {rest}");
                let hint = "give `start` or `guess` lines near a state that does";
                self.finding(Matter::NoState, Level::Warning, rows, message, hint)
            }
            Found::NoFreedom { rows } => self.no_freedom(rows),
        })
    }

    /// Says that others fix what a one-sided constraint bounds.
    fn bound(&self, row: usize, with: &[Part]) -> Finding {
        let message = format!(
            "`{}` is one-sided and closed at the start, and {} {} what it bounds: it may open at once",
            self.report.rows[row].name,
            self.list(&with.iter().map(|part| part.row).collect::<Vec<_>>()),
            if with.len() == 1 { "fixes" } else { "fix" }
        );
        let hint = "`evaluate` tells whether it does";
        self.finding(Matter::Bound, Level::Note, &rows(row, with), message, hint)
    }

    /// Says that it is not known whether a constraint agrees with others.
    fn undecided(&self, row: usize, with: &[Part]) -> Finding {
        let (name, on) = (&self.report.rows[row].name, self.parts(with));
        let message = format!("`{name}` depends on {on}, and whether it agrees with them is not known");
        let hint = "no state was found that satisfies them: give `guess` lines near one";
        self.finding(Matter::Undecided, Level::Warning, &rows(row, with), message, hint)
    }

    /// Says that a constraint follows from others where they are satisfied.
    fn dependent(&self, row: usize, by: &[usize]) -> Finding {
        let name = &self.report.rows[row].name;
        let message =
            format!("`{name}` follows from {} wherever the constraints are satisfied near the start", self.list(by));
        let rows: Vec<usize> = [row].iter().chain(by).copied().collect();
        let is_one_sided = |row: &usize| self.acting.one_sided.contains(row);
        let can_go = !(is_one_sided(&row) && by.iter().any(is_one_sided));
        self.finding(Matter::Redundant, Level::Wrong, &rows, message, &self.reaction(row, by, can_go))
    }

    fn redundant(&self, row: usize, by: &[Part], evidence: Evidence) -> Finding {
        let order = |row: usize| self.report.rows[row].class.order();
        let lower = by.iter().any(|part| order(part.row) < order(row));
        let derivative = if lower { ", differentiated in time" } else { "" };
        let name = &self.report.rows[row].name;
        let is_apart = self.bounds_alone(row, by);
        let what =
            if is_apart { " while they are closed: each bounds a side of its own" } else { ": it says nothing new" };
        let mut message = format!("`{name}` follows from {}{derivative}{what}", self.parts(by));
        if evidence == Evidence::OnConstraints {
            message += " (at states near the start that satisfy them, with these values of the parameters)";
        }
        let others: Vec<usize> = by.iter().map(|part| part.row).collect();
        let level = if is_apart { Level::Warning } else { Level::Wrong };
        self.finding(Matter::Redundant, level, &rows(row, by), message, &self.reaction(row, &others, !is_apart))
    }

    /// Whether a one-sided row may be violated where one-sided rows hold that it follows from while all are closed: f = Σ c f_k
    /// is not negative only if no such c is.
    fn bounds_alone(&self, row: usize, by: &[Part]) -> bool {
        let is_one_sided = |row: usize| self.acting.one_sided.contains(&row);
        let is_positive = |factor: Option<Expr>| {
            factor.is_some_and(|factor| factor.is_constant() && expr::At::new(&[]).value(factor) > 0.0)
        };
        is_one_sided(row) && by.iter().any(|part| is_one_sided(part.row) && !is_positive(part.factor))
    }

    /// Which constraints share a load with a redundant one.
    fn reaction(&self, row: usize, by: &[usize], can_go: bool) -> String {
        let (name, others) = (&self.report.rows[row].name, self.list(by));
        let rid = if can_go { format!("; remove `{name}` to be rid of this") } else { String::new() };
        match by.len() {
            1 => format!("{others} shares a load with `{name}`: what each carries is not determined{rid}"),
            _ => format!(
                "of {others} some share a load with `{name}`: what these carry is not determined, and `anholon evaluate` \
                 tells which they are{rid}"
            ),
        }
    }

    fn conflict(&self, row: usize, with: &[Part], remainder: Option<String>, amount: f64) -> Finding {
        let amount = expr::decimal(amount);
        let misses = match remainder {
            Some(remainder) if remainder == amount => format!("together they say 0 = {remainder}"),
            Some(remainder) => format!("together they say 0 = {remainder}, which is {amount} at the start"),
            None => format!("where the others hold, it misses by {amount}"),
        };
        let message = format!("`{}` contradicts {}: {misses}", self.report.rows[row].name, self.parts(with));
        let hint = "no motion satisfies all of them: remove one, or make their right sides agree";
        self.finding(Matter::Conflict, Level::Wrong, &rows(row, with), message, hint)
    }

    fn implies(&self, rows: &[usize], remainder: Expr) -> Finding {
        let mut message =
            format!("{} together imply a condition that nobody wrote down: {} = 0", self.list(rows), remainder.brief());
        let hint = "degrees of freedom are counted without it; write it as a constraint of its own if it is meant";
        let at = &self.loaded.at;
        let is_missed = at.value(remainder).abs() > 1e-9 * at.size(remainder);
        if !self.loaded.has_numbers() || !is_missed {
            return self.finding(Matter::Implies, Level::Warning, rows, message, hint);
        }
        message += &format!("; at the start its left side is {}", expr::decimal(at.value(remainder)));
        self.finding(Matter::Implies, Level::Wrong, rows, message, "no motion from there satisfies all of them")
    }

    fn singular(&self, rows: &[usize], on: &[usize], drop: &str, everywhere: bool) -> Finding {
        let all: Vec<usize> = rows.iter().chain(on).copied().collect();
        let what = match (on.is_empty(), rows.len()) {
            (true, 1) => format!("the slope of {} vanishes", self.list(rows)),
            (true, _) => format!("the slopes of {} vanish", self.list(rows)),
            (false, 1) => format!("{} depends on {}", self.list(rows), self.list(on)),
            (false, _) => format!("{} depend on {}", self.list(rows), self.list(on)),
        };
        let (message, hint) = match everywhere {
            true => (
                format!("wherever the constraints hold nearby, {what} ({drop}): what it says of rates is not seen"),
                "write a constraint so that its slope does not vanish where it holds: `x = 0`, not `x^2 = 0`",
            ),
            false => (
                format!("this configuration is singular: {what} here, and only here ({drop})"),
                "the reactions are not determined, and the motion may branch; start beside it",
            ),
        };
        self.finding(Matter::Singular, Level::Warning, &all, message, hint)
    }

    fn no_freedom(&self, rows: &[usize]) -> Finding {
        let moves = |&row: &usize| self.report.rows[row].rheonomic || self.report.rows[row].class.order() != Some(0);
        let how = match (rows.iter().any(moves), rows.len()) {
            (true, 1) => "prescribes the motion",
            (true, _) => "prescribe the motion",
            (false, 1) => "lets nothing move",
            (false, _) => "let nothing move",
        };
        let closed = if rows.iter().any(|row| self.acting.one_sided.contains(row)) { ", while closed" } else { "" };
        // what is so in general need not be so where rows depend on each other
        let is_singular = self.report.findings.iter().any(|one| matches!(one, Found::SingularHere { .. }));
        if is_singular {
            let message = format!(
                "in general {} leave no freedom{closed}; at the start they depend on each other, and whether something moves \
                 there is not decided",
                self.list(rows)
            );
            let hint =
                "the count of degrees of freedom is the general one; leave out a constraint that follows from others";
            return self.finding(Matter::NoFreedom, Level::Warning, rows, message, hint);
        }
        let message = format!("no freedom is left: {} {how}{closed}", self.list(rows));
        self.finding(Matter::NoFreedom, Level::Note, rows, message, "the equations of motion only give the reactions")
    }

    /// `a`, `b` times 2 and `c`.
    fn parts(&self, parts: &[Part]) -> String {
        const SHORT: usize = 24;
        let part = |part: &Part| {
            let name = format!("`{}`", self.report.rows[part.row].name);
            let factor = part.factor.map(|factor| factor.to_string());
            match factor.filter(|factor| factor != "1" && factor.len() <= SHORT) {
                Some(factor) => format!("{name} times {factor}"),
                None => name,
            }
        };
        joined(&parts.iter().map(part).collect::<Vec<_>>())
    }

    fn list(&self, rows: &[usize]) -> String {
        joined(&rows.iter().map(|&row| format!("`{}`", self.report.rows[row].name)).collect::<Vec<_>>())
    }

    fn finding(&self, kind: Matter, level: Level, rows: &[usize], message: String, hint: &str) -> Finding {
        let constraints = rows.iter().map(|&row| self.report.rows[row].name.clone()).collect();
        let message = match self.loaded.is_elsewhere {
            true => message.replace("at the start", "at this state").replace("near the start", "near this state"),
            false => message,
        };
        Finding { kind, level, constraints, message, hint: Some(hint.to_owned()) }
    }
}

fn rows(row: usize, parts: &[Part]) -> Vec<usize> {
    std::iter::once(row).chain(parts.iter().map(|part| part.row)).collect()
}

/// A list for people: the first of many.
fn joined(list: &[String]) -> String {
    const MOST: usize = 8;
    match list {
        [] => "no other constraint".to_owned(),
        [one] => one.clone(),
        _ if list.len() > MOST => format!("{} and {} more", list[..MOST].join(", "), list.len() - MOST),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Values of the start that the equations fix in few digits.
fn vague(loaded: &Loaded) -> Option<Finding> {
    let names: Vec<String> = loaded.start.vague.iter().map(|symbol| format!("`{symbol}`")).collect();
    (!names.is_empty()).then(|| Finding {
        kind: Matter::Vague,
        level: Level::Warning,
        constraints: Vec::new(),
        message: format!(
            "the start is a multiple root of its equations, so that only some digits of {} are known",
            names.join(", ")
        ),
        hint: Some("give the value itself, as in `start x = 1 m`".to_owned()),
    })
}

/// Constraints that do not act from the start on.
fn switched(loaded: &Loaded, acting: &Acting) -> Vec<Finding> {
    let note = |kind, name: &str, message: String| Finding {
        kind,
        level: Level::Note,
        constraints: vec![name.to_owned()],
        message,
        hint: None,
    };
    let all = acting.with_standing(loaded).filter(|(constraint, ..)| !constraint.while_closed);
    let told = all.filter_map(|(constraint, standing, gap)| {
        let name = &constraint.name;
        let until = constraint.until.as_ref().map(|until| syntax::format_relation(&until.tree));
        match standing {
            Standing::Later => {
                let from = constraint.from.as_ref().map(|from| syntax::format_relation(&from.tree));
                let from = from.unwrap_or_default();
                Some(note(
                    Matter::Later,
                    name,
                    format!("`{name}` is switched on when {from}: it is in no count before"),
                ))
            }
            Standing::Over => {
                let until = until.unwrap_or_default();
                Some(note(Matter::Over, name, format!("`{name}` is switched off since {until}: it is in no count")))
            }
            Standing::Open => {
                let gap = gap.map_or(String::new(), |gap| format!(" with the gap {}", expr::decimal(gap)));
                Some(note(
                    Matter::Open,
                    name,
                    format!("`{name}` is one-sided and open at the start{gap}: it is in no count"),
                ))
            }
            Standing::Closed => Some(note(
                Matter::Closed,
                name,
                match gap {
                    Some(_) => format!("`{name}` is one-sided and closed at the start: it counts while it is closed"),
                    None => format!("`{name}` is one-sided; without numbers it is taken to be closed"),
                },
            )),
            _ => until.map(|until| note(Matter::Until, name, format!("`{name}` is switched off when {until}"))),
        }
    });
    told.collect()
}

/// Assumptions that the first state does not satisfy: what is proved under them says nothing about its motion.
fn assumptions(loaded: &Loaded) -> Vec<Finding> {
    if !loaded.has_numbers() {
        return Vec::new();
    }
    let told = loaded.system.assumptions.iter().filter_map(|assumed| {
        let (left, comparison, right) = assumed.scalars()?;
        fact::failure(left, right, comparison, None, &loaded.at)?;
        let message = format!("`assume {}` does not hold at the start", syntax::format_relation(&assumed.tree));
        let hint = Some("proofs that rely on it say nothing about a motion from there".to_owned());
        Some(Finding { kind: Matter::Assume, level: Level::Warning, constraints: Vec::new(), message, hint })
    });
    told.collect()
}

/// `inverse` lines that do not undo the definitions of the speeds: as functions, or at least at the start.
fn inverses(loaded: &Loaded) -> Vec<Finding> {
    let system = &loaded.system;
    let definitions: Substitution = system.speeds.iter().map(|speed| (speed.symbol, speed.definition)).collect();
    let has_numbers = loaded.has_numbers();
    let told = system.inverses.iter().filter_map(|inverse| {
        let rate = system.coordinates[inverse.coordinate].q_dot;
        let again = definitions.apply_one(inverse.value).unwrap_or(inverse.value);
        if (again - rate).is_zero() || !has_numbers {
            return None;
        }
        let (found, wanted) = (loaded.at.value(again), loaded.at.value(rate));
        let is_undefined = !found.is_finite();
        if !is_undefined && (found - wanted).abs() <= 1e-9 * (1.0 + found.abs() + wanted.abs()) {
            return None;
        }
        Some(Finding {
            kind: Matter::Inverse,
            level: if is_undefined { Level::Warning } else { Level::Wrong },
            constraints: Vec::new(),
            message: match is_undefined {
                true => format!("`inverse {rate} = …` has no value at the start"),
                false => format!(
                    "`inverse {rate} = …` does not undo the speeds: it gives {} at the start, and {rate} is {}",
                    expr::decimal(found),
                    expr::decimal(wanted)
                ),
            },
            hint: Some("an `inverse` line is the rate in terms of the speeds, on the branch that is meant".to_owned()),
        })
    });
    told.collect()
}

/// Masses and moments of inertia that cannot be.
fn masses(loaded: &Loaded) -> Vec<Finding> {
    let told = engine::sound::complaints(loaded).into_iter().map(|complaint| Finding {
        kind: Matter::Mass,
        level: Level::Wrong,
        constraints: Vec::new(),
        message: complaint.message,
        hint: complaint.hint,
    });
    told.collect()
}

/// Speeds that make no chart: their `inverse` lines are wrong, or they are not independent.
fn speeds(loaded: &Loaded) -> Vec<Finding> {
    let system = &loaded.system;
    if !system.has_speeds() {
        return Vec::new();
    }
    let Ok(rows) = Rows::of(system, &loaded.mode, &loaded.at) else { return Vec::new() };
    let Err(error) = Chart::of(system, &rows, ChartKind::Speeds, &loaded.at) else { return Vec::new() };
    let is_wrong = matches!(error, ChartError::WrongInverse { .. });
    let hint = match is_wrong {
        true => "an `inverse` line is the rate in terms of the speeds, on the branch that is meant",
        false => "forms that are written in speeds do not apply; the others do not need them",
    };
    vec![Finding {
        kind: if is_wrong { Matter::Inverse } else { Matter::Speeds },
        level: if is_wrong { Level::Wrong } else { Level::Warning },
        constraints: Vec::new(),
        message: format!("the speeds cannot be used at the start: {error}"),
        hint: Some(hint.to_owned()),
    }]
}

/// Constraints that are not linear in the accelerations: which root is meant must be said, and where there are none a guess is of
/// no use.
fn roots(loaded: &Loaded) -> Option<Finding> {
    let system = &loaded.system;
    let rows = Rows::of(system, &loaded.mode, &loaded.at).ok()?;
    let guessed = system.acceleration_guesses.first();
    let (constraints, message) = match (rows.curved(), guessed) {
        (Some(row), _) => match Chart::of(system, &rows, ChartKind::Rates, &loaded.at).err()? {
            error @ ChartError::NoGuess { .. } => (vec![row.name.clone()], error.to_string()),
            _ => return None,
        },
        (None, Some(guess)) => {
            let why =
                "the constraints that act are linear in the accelerations, which follow from the equations of motion";
            (Vec::new(), format!("`guess {}` is of no use: {why}", guess.text))
        }
        (None, None) => return None,
    };
    Some(Finding { kind: Matter::Roots, level: Level::Warning, constraints, message, hint: None })
}

/// Constraints that are not differentiable at the start.
fn kinks(loaded: &Loaded, acting: &Acting) -> Vec<Finding> {
    if !loaded.has_numbers() {
        return Vec::new();
    }
    let told = acting.rows.iter().filter_map(|row| {
        let kink = expr::Evaluator::new(&[row.f], &[]).nodes().into_iter().find(|node| switches(*node, &loaded.at))?;
        Some(Finding {
            kind: Matter::Kink,
            level: Level::Warning,
            constraints: vec![row.name.clone()],
            message: format!("`{}` is not differentiable at the start: {} switches there", row.name, kink.brief()),
            hint: Some("what it says about rates and accelerations is not defined; start beside it".to_owned()),
        })
    });
    told.collect()
}

/// Whether it has a kink or a jump at a state.
fn switches(node: Expr, at: &At) -> bool {
    let arguments = node.arguments();
    let e = match node.op() {
        Op::Abs | Op::Sign | Op::IfNegative | Op::IfZero => arguments[0],
        Op::Min | Op::Max => arguments[0] - arguments[1],
        _ => return false,
    };
    at.value(e).abs() <= 1e-12 * at.size(e).max(f64::MIN_POSITIVE)
}
