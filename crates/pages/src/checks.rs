//! How does the page of `anholon check` look? Title, constraints, freedom, start, findings, facts.

use anholon::Check;
use anholon::answer::{Constraint, Expect, Finding, Level, Motion, Standing};

use anholon::{Ordered, Show};

/// Lines of a list that are shown; the rest is counted.
const LONGEST_LIST: usize = 40;
/// A blank at which a line does not end; printed as a blank.
const NO_BREAK: &str = "\u{a0}";
/// Columns of the page.
const WIDTH: usize = 100;

/// The page.
pub fn page(check: &Check) -> String {
    let mut page = Page(Vec::new());
    page.head(check);
    page.coordinates(check);
    page.constraints(check);
    page.freedom(check);
    page.start(check);
    if let Some(shown) = &check.shown {
        page.motion(shown);
    }
    page.findings(check);
    page.facts(check);
    page.rest(check);
    page.0.join("\n").replace(NO_BREAK, " ")
}

struct Page(Vec<String>);

impl Page {
    fn line(&mut self, text: impl Into<String>) {
        self.0.push(text.into());
    }

    /// A heading after a blank line.
    fn heading(&mut self, text: &str) {
        self.line("");
        self.line(text);
    }

    /// A long text, wrapped and set in.
    fn paragraph(&mut self, first: &str, text: &str) {
        let indent = " ".repeat(first.chars().count());
        for (k, line) in
            wrapped(&whole_quotations(&crate::flags::spelled(text)), WIDTH - indent.len()).iter().enumerate()
        {
            let start = if k == 0 { first } else { &indent };
            self.line(format!("{start}{line}"));
        }
    }

    /// Lines of a list, the rest counted.
    fn list(&mut self, lines: Vec<String>) {
        let more = lines.len().saturating_sub(LONGEST_LIST);
        lines.into_iter().take(LONGEST_LIST).for_each(|line| self.line(line));
        if more > 0 {
            self.line(format!("  … and {more} more (`--json` lists all)"));
        }
    }

    fn head(&mut self, check: &Check) {
        self.line(if check.title.is_empty() { &check.model } else { &check.title });
        check.sources.iter().for_each(|source| self.paragraph("  source: ", source));
        check.notes.iter().flat_map(|note| note.lines()).for_each(|note| self.paragraph("  ", note));
        if !check.units_checked {
            self.paragraph("  ", "units were not checked: this model names none");
        }
    }

    fn coordinates(&mut self, check: &Check) {
        let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
        for (name, unit) in &check.coordinate_units.0 {
            match groups.last_mut().filter(|group| group.0 == unit) {
                Some(group) => group.1.push(name.clone()),
                None => groups.push((unit, vec![name.clone()])),
            }
        }
        let group = |(unit, names): &(&str, Vec<String>)| match unit.is_empty() {
            true => shortened(names),
            false => format!("{} ({unit})", shortened(names)),
        };
        let names: Vec<String> = groups.iter().map(group).collect();
        self.line("");
        self.paragraph(&format!("{}  ", counted(check.coordinates, "coordinate")), &names.join("; "));
        for (name, definition) in &check.speeds.0 {
            self.paragraph("  speed ", &format!("{name} = {definition}"));
        }
    }

    fn constraints(&mut self, check: &Check) {
        if check.constraints.is_empty() {
            return self.heading("No constraints");
        }
        self.heading("Constraints");
        let width = |of: fn(&Constraint) -> String| {
            check.constraints.iter().map(|row| of(row).chars().count()).max().unwrap_or(0)
        };
        let (names, classes) = (width(Constraint::full_name), width(class));
        let mut lines = Vec::new();
        let mut last = "";
        for row in &check.constraints {
            let (name, class) = (row.full_name(), class(row));
            // An equation between vectors is written once.
            let text = if row.component.is_some() && row.name == last { "" } else { &row.text };
            last = &row.name;
            lines.push(format!("  {name:<names$}  {class:<classes$}  {text}").trim_end().to_owned());
            lines.extend(integrability(row, check).map(|text| format!("  {:<names$}  {text}", "")));
        }
        self.list(lines);
        let shared = check.integrals.iter().filter(|integral| integral.of.is_none());
        let shared: Vec<String> =
            shared.map(|integral| format!("  together they keep constant: {}", valued(integral))).collect();
        self.list(shared);
        if check.integrals_missing > 0 {
            let (count, verb) =
                (check.integrals_missing, if check.integrals_missing == 1 { "exists" } else { "exist" });
            self.line(format!("  {count} more integral(s) of the rate constraints {verb}, not found in closed form"));
        }
    }

    fn freedom(&mut self, check: &Check) {
        let n = check.coordinates;
        self.heading("Freedom");
        if !check.constraints.is_empty() {
            let here = match check.rank_at_start == check.rank {
                true => String::new(),
                false => format!(", {} at the start", check.rank_at_start),
            };
            self.line(format!("  rank                {:<5} independent rows{here}", check.rank));
        }
        self.line(format!(
            "  degrees of freedom  {:<5} {} - rank {}",
            check.degrees_of_freedom,
            counted(n, "coordinate"),
            check.rank
        ));
        let (geometric, first) = (check.rank_geometric, check.rank_rates - check.rank_geometric);
        let states = match check.states.len() {
            0 => String::new(),
            count => format!(" + {}", counted(count, "state")),
        };
        self.line(match check.constants {
            Some(count) => format!(
                "  free constants      {count:<5} 2*{n} - 2*{geometric} geometric - {first} of first order{states}"
            ),
            None => "  free constants      not counted: some motion moves no mass".to_owned(),
        });
        if check.constraints.is_empty() {
            return;
        }
        let missing = check.unknowns - check.equations.min(check.unknowns);
        let supplied = match missing {
            0 => "as many as there are unknowns".to_owned(),
            _ => format!("and {missing} more, since ideal reactions do no work"),
        };
        self.line(format!(
            "  unknowns            {:<5} accelerations and reactions; {}, {supplied}",
            check.unknowns,
            counted(check.equations, "equation")
        ));
        if check.integrals.len() + check.integrals_missing > 0 || check.flag.first().is_some_and(|&first| first > 0) {
            let flag: Vec<String> = check.flag.iter().map(usize::to_string).collect();
            let dimension = match check.integrable_undecided {
                0 => check.integrable_dimension.to_string(),
                _ => format!("at most {}", check.integrable_dimension),
            };
            self.line(format!(
                "  integrable          {:<5} of {} linear in the rates (derived flag {})",
                dimension,
                counted(*check.flag.first().unwrap_or(&0), "row"),
                flag.join(", ")
            ));
        }
    }

    /// The first state: how its values were found, and whether they agree.
    fn start(&mut self, check: &Check) {
        let start = &check.start;
        self.heading(if start.elsewhere { "State (given with --at, in place of the start)" } else { "Start" });
        self.start_values(check);
        for guess in &start.guesses {
            let used = if guess.used { "used" } else { "not needed" };
            self.paragraph("  guess      ", &format!("{} ({used})", guess.text));
        }
        if !start.missing.is_empty() {
            let names = start.missing.join(", ");
            self.paragraph(
                "  no numbers ",
                &format!("{names} without a value; give one with `--set {}=…`", start.missing[0]),
            );
        }
        if let Some(residual) = start.residual {
            let verdict = if start.contradictions.is_empty() { "consistent" } else { "contradictory" };
            let residual = if residual < 1e-14 { "below 1e-14".to_owned() } else { format!("{residual:.1e}") };
            self.line(format!("  residual   {residual}, {verdict}"));
        }
        for contradiction in &start.contradictions {
            let place = match contradiction.file == check.model {
                true => format!("line {}", contradiction.line),
                false => contradiction.file.clone(),
            };
            self.paragraph("  ✗ ", &format!("{} ({place})", contradiction.message));
        }
    }

    /// The values of the first state: given, solved for, set to zero, and the speeds that follow.
    fn start_values(&mut self, check: &Check) {
        let start = &check.start;
        let value = |name: &String| start_value(check, name);
        let list =
            |names: &[String], show: &dyn Fn(&String) -> String| shortened(&names.iter().map(show).collect::<Vec<_>>());
        if start.values.get("t").is_some_and(|t| t.is_none_or(|t| t != 0.0)) {
            self.paragraph("  time       ", &value(&"t".to_owned()));
        }
        if !start.given.is_empty() {
            self.paragraph("  given      ", &list(&start.given, &value));
        }
        if !start.solved.is_empty() {
            self.paragraph("  solved     ", &list(&start.solved, &value));
        }
        if !start.zeroed.is_empty() {
            self.paragraph("  set to 0   ", &list(&start.zeroed, &|name| name.clone()));
        }
        let speeds: Vec<String> = start
            .speeds
            .0
            .iter()
            .filter_map(|(name, value)| Some(format!("{name} = {}", anholon::decimal((*value)?))))
            .collect();
        if !speeds.is_empty() {
            self.paragraph("  speeds     ", &shortened(&speeds));
        }
    }

    fn motion(&mut self, shown: &Motion) {
        self.heading(match shown.what {
            Show::Displacements => "Virtual displacements (a basis; time is frozen)",
            Show::Velocities => "Possible velocities",
            Show::Accelerations => "Possible accelerations",
            Show::Expansion => "Contacts stand for (to paste in place of their lines)",
        });
        if let Some(obstacle) = &shown.obstacle {
            return self.paragraph("  none: ", obstacle);
        }
        if shown.what == Show::Expansion {
            return shown.equations.iter().for_each(|line| self.line(format!("  {line}")));
        }
        self.list(shown.equations.iter().map(|equation| format!("  {equation}")).collect());
        if !shown.equations.is_empty() {
            self.line("  solved:");
        }
        self.list(shown.solved.iter().map(|solved| format!("  {solved}")).collect());
        match shown.what {
            Show::Displacements if shown.solved.is_empty() => {
                self.line("  none: every displacement breaks a constraint")
            }
            Show::Displacements => {}
            _ if shown.free.is_empty() => self.line("  nothing is free"),
            _ => self.paragraph("  free: ", &shortened(&shown.free)),
        }
        if !shown.left_out.is_empty() {
            self.paragraph("  left out, not linear in the rates: ", &shown.left_out.join(", "));
        }
    }

    fn findings(&mut self, check: &Check) {
        if check.findings.is_empty() {
            return;
        }
        self.heading("Findings");
        for Finding { level, message, hint, .. } in &check.findings {
            let mark = match level {
                Level::Note => "  - ",
                Level::Warning => "  ! ",
                Level::Wrong => "  ✗ ",
            };
            self.paragraph(mark, message);
            hint.iter().for_each(|hint| self.paragraph("    ", hint));
        }
    }

    fn facts(&mut self, check: &Check) {
        if check.expects.is_empty() {
            return;
        }
        self.heading("Facts");
        let names = check.expects.iter().map(|expect| expect.name.chars().count()).max().unwrap_or(0);
        let line = |mark: &str, expect: &Expect| {
            let Expect { name, text, reason, .. } = expect;
            let reason = reason.as_ref().map_or(String::new(), |reason| format!("\n    {:<names$}  {reason}", ""));
            format!("  {mark} {name:<names$}  {text}{reason}")
        };
        let with = |holds: bool| check.expects.iter().filter(move |expect| expect.holds == Some(holds));
        let (kept, missed): (Vec<&Expect>, Vec<&Expect>) = (with(true).collect(), with(false).collect());
        self.list(missed.iter().map(|expect| line("✗", expect)).collect());
        self.list(kept.iter().map(|expect| line("✓", expect)).collect());
        let mut verbs: Vec<&str> = Vec::new();
        for verb in check.expects.iter().filter_map(|expect| expect.waiting_for.as_deref()) {
            if !verbs.contains(&verb) {
                verbs.push(verb);
            }
        }
        for verb in &verbs {
            self.line(format!("  waiting for {verb}:"));
            let waiting = check.expects.iter().filter(|expect| expect.waiting_for.as_deref() == Some(verb));
            self.list(waiting.map(|expect| line("·", expect)).collect());
        }
        let open = check.expects.iter().filter(|expect| expect.holds.is_none());
        let (waiting, undecided): (Vec<&Expect>, Vec<&Expect>) = open.partition(|expect| expect.waiting_for.is_some());
        if !undecided.is_empty() {
            self.line("  not decided:".to_owned());
            self.list(undecided.iter().map(|expect| line("·", expect)).collect());
        }
        let also = if undecided.is_empty() { String::new() } else { format!(", {} not decided", undecided.len()) };
        let (kept, missed, waiting) = (kept.len(), missed.len(), waiting.len());
        self.line(format!("  {kept} verified, {missed} missed, {waiting} waiting{also}"));
    }

    fn rest(&mut self, check: &Check) {
        if let Some(friction) = &check.friction {
            self.heading("Friction");
            for line in crate::numbers::friction(friction) {
                self.paragraph("  ", &line);
            }
        }
        if !check.unused.is_empty() {
            self.heading("What other verbs use");
        }
        let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
        for unused in &check.unused {
            match groups.iter_mut().find(|group| group.0 == unused.used_by) {
                Some(group) => group.1.push(&unused.what),
                None => groups.push((&unused.used_by, vec![&unused.what])),
            }
        }
        for (used_by, what) in groups {
            self.paragraph("  ", &format!("{}: {used_by}", what.join(", ")));
        }
        for remark in &check.remarks {
            self.line("");
            self.line(remark.trim_end());
        }
    }
}

/// The class in words, and how the row stands at the start.
fn class(row: &Constraint) -> String {
    let side = match row.standing {
        Standing::Closed => ", one-sided",
        Standing::Open => ", one-sided, open",
        Standing::Violated => ", one-sided, violated",
        Standing::Later => ", not yet on",
        Standing::Over => ", switched off",
        Standing::Rough => ", slips",
        Standing::Acts | Standing::Idle => "",
    };
    let time = if row.rheonomic && !row.class.contains("rheonomic") { ", rheonomic" } else { "" };
    format!("{}{time}{side}", row.class)
}

/// What is known of the integrability of a rate row.
fn integrability(row: &Constraint, check: &Check) -> Option<String> {
    if row.order != Some(1) {
        return None;
    }
    match (row.integrable, &row.integral) {
        (Some(false), _) if row.integrable_with_values => Some(
            "nonholonomic for general values of the parameters; with those of the model it is integrable".to_owned(),
        ),
        (Some(false), _) => Some("nonholonomic: no integral replaces it".to_owned()),
        (Some(true), Some(_)) => {
            let own = check.integrals.iter().find(|found| found.of.as_deref() == Some(&row.full_name()));
            Some(format!("integrable, in truth geometric: {}", own.map_or(String::new(), valued)))
        }
        (Some(true), None) => Some("integrable together with the others".to_owned()),
        (None, _) => None,
    }
}

/// An integral with its value at the start.
fn valued(integral: &anholon::answer::RowIntegral) -> String {
    match integral.value {
        Some(value) => format!("{} = {}", integral.formula, anholon::decimal(value)),
        None => format!("{} = constant", integral.formula),
    }
}

/// The unit of a coordinate or a rate.
fn unit_of(name: &str, units: &Ordered<String>) -> String {
    if let Some(unit) = units.get(name) {
        return unit.clone();
    }
    match name.strip_suffix('\'').and_then(|name| units.get(name)) {
        Some(unit) if unit.is_empty() => "1/s".to_owned(),
        Some(unit) => format!("{unit}/s"),
        None => String::new(),
    }
}

/// A value of the first state: exact if it is known so, and as a number with its unit.
fn start_value(check: &Check, name: &str) -> String {
    let start = &check.start;
    let number = start.values.get(name).copied().flatten().map(anholon::decimal);
    let exact = start.exact.get(name);
    let unit = if check.units_checked { unit_of(name, &check.coordinate_units) } else { String::new() };
    match (exact, number) {
        (Some(exact), Some(number)) => format!("{name} = {exact} = {}", with_unit(&number, &unit)),
        (Some(exact), None) => format!("{name} = {exact}"),
        (None, Some(number)) => format!("{name} = {}", with_unit(&number, &unit)),
        (None, None) => format!("{name} = ?"),
    }
}

fn with_unit(text: &str, unit: &str) -> String {
    if unit.is_empty() { text.to_owned() } else { format!("{text} {unit}") }
}

/// `1 row`, `2 rows`.
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A list in one line; of a long one the first and the last.
fn shortened(list: &[String]) -> String {
    const MOST: usize = 12;
    match list {
        [first @ .., last] if list.len() > MOST => {
            format!("{}, …, {}", unbroken(&first[..MOST - 2]), unbroken(std::slice::from_ref(last)))
        }
        _ => unbroken(list),
    }
}

/// Items with commas between them, at which alone a line may end.
fn unbroken(list: &[String]) -> String {
    list.iter().map(|item| item.replace(' ', NO_BREAK)).collect::<Vec<_>>().join(", ")
}

/// The text with short quotations in one piece.
fn whole_quotations(text: &str) -> String {
    const SHORT: usize = 40;
    let mut is_quotation = false;
    let mut parts = Vec::new();
    for part in text.split('`') {
        parts.push(if is_quotation && part.len() <= SHORT { part.replace(' ', NO_BREAK) } else { part.to_owned() });
        is_quotation = !is_quotation;
    }
    parts.join("`")
}

/// A text in lines of at most `width` characters.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split([' ', '\n']).filter(|word| !word.is_empty()) {
        let line = lines.last_mut().expect("there is a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
