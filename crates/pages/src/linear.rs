//! How do linear equations look, and what is written of a root locus?

use anholon::Linearized;
use anholon::answer::{Growth, Linearization, Mode, Period, Sweep, Symbolic};
use anholon::decimal;

/// A root locus as CSV.
pub fn table(found: &Linearization, sweep: &Sweep) -> String {
    let count = sweep.eigenvalues.iter().map(Vec::len).max().unwrap_or(0);
    let one_line = |text: &str| text.replace(['\n', '\r'], " ");
    let title = if found.title.is_empty() { &found.model } else { &found.title };
    let mut lines = vec![format!("# {}", one_line(title)), format!("# model: {}", one_line(&found.model))];
    let heading = (1..=count).flat_map(|k| [format!("re{k} (1/s)"), format!("im{k} (rad/s)")]);
    lines.push([sweep.parameter.clone()].into_iter().chain(heading).collect::<Vec<_>>().join(","));
    for (value, list) in sweep.values.iter().zip(&sweep.eigenvalues) {
        let numbers = (0..count).flat_map(|k| match list.get(k) {
            Some(value) => value.map(|x| x.to_string()),
            None => [String::new(), String::new()],
        });
        lines.push([value.to_string()].into_iter().chain(numbers).collect::<Vec<_>>().join(","));
    }
    lines.join("\n") + "\n"
}

/// The page of an answer, also if it is none. `critical`: whether critical values were asked for.
pub fn answer(answer: &Linearized, code: bool, critical: bool, wrote: &[String]) -> String {
    match answer {
        Linearized::Found(found) => page(found, code, critical, wrote),
        Linearized::NoAnswer { model, reason } => format!("{model}: no linear equations: {reason}"),
    }
}

/// The page, part by part, with an empty line before each.
pub fn page(found: &Linearization, code: bool, critical: bool, wrote: &[String]) -> String {
    let mut lines = show_heading(found);
    if let Some(period) = &found.periodic {
        lines.extend(show_period(found, period));
        lines.push(String::new());
        lines.extend(found.notes.iter().map(|note| format!("note: {note}")));
        return lines.join("\n");
    }
    lines.extend(show_second_order(found));
    lines.extend(show_first_order(found));
    lines.push(String::new());
    lines.push(match found.stability {
        Growth::Undecided => {
            "Eigenvalues at this instant: they decide no stability, for the motion is not steady".to_owned()
        }
        stability => format!("Eigenvalues: {stability}"),
    });
    lines.extend(found.modes.iter().flat_map(|mode| show_mode(mode, &found.states)));
    if critical {
        lines.extend(show_critical(found));
    }
    if let Some(symbolic) = &found.symbolic {
        lines.extend(show_symbols(symbolic, code));
    }
    if let Some(sweep) = found.sweep.as_ref().filter(|_| wrote.is_empty()) {
        lines.push(String::new());
        lines.extend(locus(sweep));
    }
    if !found.notes.is_empty() || !wrote.is_empty() {
        lines.push(String::new());
    }
    lines.extend(found.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(wrote.iter().map(|file| format!("wrote {file}")));
    lines.join("\n")
}

/// What is linearised, where, and what nothing depends on.
fn show_heading(found: &Linearization) -> Vec<String> {
    let title = if found.title.is_empty() { &found.model } else { &found.title };
    let motion = match (&found.periodic, found.steady) {
        (Some(period), _) => format!("a motion of period {} s", decimal(period.period)),
        (None, true) => "a steady motion".to_owned(),
        (None, false) => "a state".to_owned(),
    };
    let mut lines = vec![format!("{title}, linearised about {motion}")];
    let state = found.at.0.iter().filter(|(_, value)| *value != 0.0);
    let state: Vec<String> = state.map(|(name, value)| format!("{name} = {}", decimal(*value))).collect();
    let rest = if state.len() < found.at.0.len() { "the rest 0" } else { "" };
    let all: Vec<String> = state.into_iter().chain([rest.to_owned()]).filter(|part| !part.is_empty()).collect();
    let state = if all == [rest] {
        "where all coordinates, all rates and the time are 0".to_owned()
    } else {
        format!("at {}", all.join(", "))
    };
    lines.extend(crate::show::wrapped("  ", &state));
    if !found.ignorable.is_empty() {
        lines.extend(crate::show::wrapped("  nothing depends on ", &found.ignorable.join(", ")));
    }
    lines
}

/// What becomes of neighbours of a motion in one period.
fn show_period(found: &Linearization, period: &Period) -> Vec<String> {
    let states = found.states.join(", ");
    let mut lines = vec![String::new(), format!("x(T) = Φ x(0) for disturbances x = ({states}), T the period")];
    lines.extend(block("Φ", &period.monodromy));
    lines.extend([String::new(), format!("Floquet multipliers: {}", found.stability)]);
    for [re, im] in period.floquet.iter().filter(|value| value[1] >= 0.0) {
        let value = if *im == 0.0 { decimal(*re) } else { format!("{} ± {} i", decimal(*re), decimal(*im)) };
        lines.push(format!("  {value:28}  size {}", decimal(re.hypot(*im))));
    }
    lines
}

/// M q'' + C q' + K q = 0, if there is such a form.
fn show_second_order(found: &Linearization) -> Vec<String> {
    let (Some(mass), Some(damping), Some(stiffness)) = (&found.M, &found.C, &found.K) else { return Vec::new() };
    let mut lines = vec![String::new(), format!("M q'' + C q' + K q = 0 for q = ({})", found.coordinates.join(", "))];
    for (name, matrix) in [("M", mass), ("C", damping), ("K", stiffness)] {
        lines.extend(block(name, matrix));
    }
    lines
}

/// x' = A x + B u, and the outputs.
fn show_first_order(found: &Linearization) -> Vec<String> {
    let inputs = if found.B.is_some() { " + B u" } else { "" };
    let mut lines = vec![String::new(), format!("z' = A z{inputs} for the states z = ({})", found.states.join(", "))];
    lines.extend(block("A", &found.A));
    if let Some(matrix) = &found.B {
        lines.extend(block(&format!("B ({})", found.inputs.join(", ")), matrix));
    }
    if let Some(matrix) = &found.C_out {
        lines.extend(block(&format!("C of the outputs ({})", found.outputs.join(", ")), matrix));
    }
    if let Some(matrix) = &found.D {
        lines.extend(block("D", matrix));
    }
    lines
}

/// An eigenvalue with its meaning, and below it the entries of its vector that are not zero.
fn show_mode(mode: &Mode, states: &[String]) -> Vec<String> {
    let [re, im] = mode.eigenvalue;
    let value = if im == 0.0 { decimal(re) } else { format!("{} ± {} i", decimal(re), decimal(im)) };
    let meaning = match (mode.frequency, mode.damping) {
        (Some(frequency), Some(damping)) => {
            format!("frequency {} rad/s, damping ratio {}", decimal(frequency), decimal(damping + 0.0))
        }
        (None, Some(_)) if re != 0.0 => format!("time constant {} s", decimal(1.0 / re.abs())),
        _ => "zero mode".to_owned(),
    };
    let mut lines = vec![format!("  {value:28}  {meaning}")];
    if let Some(vector) = &mode.vector {
        let entry = |x: &[f64; 2]| match x {
            [re, 0.0] => short(*re),
            [0.0, im] => format!("{}i", short(*im)),
            [re, im] => format!("{}{}{}i", short(*re), if *im < 0.0 { "" } else { "+" }, short(*im)),
        };
        let parts = states.iter().zip(vector).filter(|(_, x)| **x != [0.0, 0.0]);
        // a name and its number stay in one line
        let parts: Vec<String> = parts.map(|(name, x)| format!("{name}\u{a0}{}", entry(x))).collect();
        let page = crate::show::wrapped("      ", &parts.join(", "));
        lines.extend(page.into_iter().map(|line| line.replace('\u{a0}', " ")));
    }
    lines
}

/// Where the stability changes.
fn show_critical(found: &Linearization) -> Vec<String> {
    let mut lines = vec![String::new(), "Critical values".to_owned()];
    if found.critical.is_empty() {
        lines.push("  none in the range".to_owned());
    }
    for one in &found.critical {
        let frequency = if one.frequency > 0.0 { format!(", {} rad/s", decimal(one.frequency)) } else { String::new() };
        let [before, after] = one.unstable;
        let counts = match before == after {
            true => format!(
                "touches zero, or crosses it and comes back by less than numbers tell; unstable eigenvalues on both sides {before}"
            ),
            false => format!("unstable eigenvalues below {before}, above {after}"),
        };
        lines.push(format!("  {} = {:<20} {}{frequency}; {counts}", one.parameter, one.value, one.kind));
    }
    lines
}

/// The matrices with parameters as symbols: polynomials first, then entry by entry, then A as C if it is asked for.
fn show_symbols(symbolic: &Symbolic, code: bool) -> Vec<String> {
    let mut lines = vec![String::new(), format!("With {} as symbols", symbolic.parameters.join(", "))];
    for (name, terms) in &symbolic.polynomials.0 {
        lines.extend(show_polynomial(name, &terms.0));
    }
    let is_shown = |name: &str| symbolic.polynomials.get(name).is_none();
    for (name, matrix) in symbolic.matrices.0.iter().filter(|(name, _)| is_shown(name)) {
        for (i, row) in matrix.iter().enumerate() {
            for (j, entry) in row.iter().enumerate().filter(|(_, entry)| *entry != "0") {
                lines.extend(crate::show::wrapped(&format!("  {name}[{}][{}] = ", i + 1, j + 1), entry));
            }
        }
    }
    if let Some(determinant) = &symbolic.determinant {
        lines.extend(crate::show::wrapped("  det K = ", determinant));
    }
    if code {
        lines.push(String::new());
        lines.push(symbolic.code.trim_end().to_owned());
    }
    lines
}

/// A matrix that is a polynomial in the parameters: the sum of its terms, then the matrix of each.
fn show_polynomial(name: &str, terms: &[(String, Vec<Vec<f64>>)]) -> Vec<String> {
    let label = |monomial: &str| match (monomial, terms.len()) {
        ("1", 1) => name.to_owned(),
        ("1", _) => format!("{name}0"),
        _ => format!("{name}[{monomial}]"),
    };
    let part = |monomial: &str| match monomial {
        "1" => label(monomial),
        _ => format!("{monomial}*{}", label(monomial)),
    };
    let parts: Vec<String> = terms.iter().map(|(monomial, _)| part(monomial)).collect();
    let mut lines = vec![format!("{name} = {}", if parts.is_empty() { "0".to_owned() } else { parts.join(" + ") })];
    for (monomial, matrix) in terms {
        lines.extend(block(&label(monomial), matrix));
    }
    lines
}

/// A few lines of a root locus.
fn locus(sweep: &Sweep) -> Vec<String> {
    const LINES: usize = 21;
    let last = sweep.values.len().saturating_sub(1);
    let count = sweep.values.len().min(LINES);
    let mut lines = vec![format!("Eigenvalues against {}; `--out FILE` writes all", sweep.parameter)];
    for k in 0..count {
        let place = if count > 1 { k * last / (count - 1) } else { 0 };
        let entry = |[re, im]: &[f64; 2]| match *im {
            0.0 => short(*re),
            im => format!("{}{}{}i", short(*re), if im < 0.0 { "" } else { "+" }, short(im)),
        };
        let list: Vec<String> = sweep.eigenvalues[place].iter().map(|value| format!("{:>18}", entry(value))).collect();
        let list = if list.is_empty() { "no such state".to_owned() } else { list.join(" ") };
        // which of several steady motions the line is about
        let motion: Vec<String> = sweep
            .motions
            .get(place)
            .into_iter()
            .flat_map(|motion| &motion.0)
            .map(|(name, value)| format!("{name} = {}", short(*value)))
            .collect();
        let list = if motion.is_empty() { list } else { format!("{list}   at {}", motion.join(", ")) };
        lines.push(format!("  {:>10}  {list}", short(sweep.values[place])));
    }
    lines
}

/// Five digits.
fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-3..1e5).contains(&size) => format!("{value:.4e}"),
        _ => decimal((value * 1e5).round() / 1e5),
    }
}

/// A matrix with its name.
fn block(name: &str, matrix: &[Vec<f64>]) -> Vec<String> {
    let cells: Vec<Vec<String>> = matrix.iter().map(|row| row.iter().map(|x| full(*x)).collect()).collect();
    let columns = cells.first().map_or(0, Vec::len);
    let width = |j: usize| cells.iter().map(|row| row[j].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut lines = vec![format!("  {name}")];
    for row in &cells {
        let entries = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
        lines.push(format!("    {}", entries.collect::<Vec<_>>().join("  ")));
    }
    lines
}

/// Fifteen digits at most: matrices are compared with published ones.
fn full(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || !value.is_finite() {
        return (value + 0.0).to_string();
    }
    let digits = 14 - i32::try_from(size.log10().floor() as i64).unwrap_or(0);
    if !(0..=20).contains(&digits) {
        return format!("{value:.13e}");
    }
    let text = format!("{value:.*}", usize::try_from(digits).unwrap_or(0));
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
