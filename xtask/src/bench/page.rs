//! How is the comparison written? A line for the terminal, and docs/performance.md with its charts.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use super::growth::Curve;
use super::peers::{Compared, Measured, Programs};
use super::rows::MISSING;
use crate::command::root;

/// The head of the table.
pub const HEAD: &str = "\
| row | work | peer | ours | theirs | ratio | wanted | error: ours / theirs | memory: ours / theirs | until the first: ours / theirs |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |";

/// A row of the table.
pub fn line(compared: &Compared) -> String {
    let row = compared.row;
    let time = |side: &Result<Measured, String>| match side {
        Ok(measured) => seconds(measured.seconds),
        Err(reason) => format!("no answer: {}", reason.replace('|', "/")),
    };
    let ratio = match compared.ratio() {
        Some(ratio) if compared.is_reached() => format!("**{}**", digits(ratio)),
        Some(ratio) => digits(ratio),
        None => "–".to_owned(),
    };
    let both = |of: &dyn Fn(&Measured) -> String| {
        let one = |side: &Result<Measured, String>| side.as_ref().map_or_else(|_| "–".to_owned(), of);
        format!("{} / {}", one(&compared.ours), one(&compared.theirs))
    };
    let error = both(&|one| match &one.error {
        Some((error, meaning)) => format!("{error:.1e} {meaning}").trim().to_owned(),
        None => "–".to_owned(),
    });
    let latency = both(&|one| if one.latency > 0.0 { seconds(one.latency) } else { "–".to_owned() });
    format!(
        "| {} | {} | {} | {} | {} | {ratio} | ≤ {} | {error} | {} MB | {latency} |",
        row.name,
        row.title,
        row.peer,
        time(&compared.ours),
        time(&compared.theirs),
        row.target,
        both(&|one| format!("{:.0}", one.memory)),
    )
}

/// A time with three digits and its unit.
fn seconds(value: f64) -> String {
    let (factor, unit) = match value {
        value if value < 1e-6 => (1e9, "ns"),
        value if value < 1e-3 => (1e6, "µs"),
        value if value < 1.0 => (1e3, "ms"),
        _ => (1.0, "s"),
    };
    format!("{} {unit}", digits(value * factor))
}

/// Three digits, never as a power of ten.
fn digits(value: f64) -> String {
    if !(value.is_finite() && value > 0.0) {
        return format!("{value}");
    }
    let before = value.log10().floor() as i32;
    format!("{value:.*}", (2 - before).max(0) as usize)
}

/// Writes docs/performance.md and its charts.
pub fn write(programs: &Programs, all: &[Compared], curves: &[Curve]) -> Result<(), String> {
    let folder = root().join("docs");
    let keep = |name: &str, text: &str| {
        fs::write(folder.join(name), text).map_err(|error| format!("cannot write docs/{name}: {error}"))
    };
    for curve in curves {
        keep(&format!("images/{}.svg", curve.file), &curve.svg())?;
    }
    keep("performance.md", &text(&programs.versions(), &machine(), all, curves))?;
    println!("docs/performance.md is written");
    Ok(())
}

fn text(versions: &[String], machine: &str, all: &[Compared], curves: &[Curve]) -> String {
    let mut out = String::from(
        "# Speed beside others\n\n\
        `cargo xtask bench --peers` wrote this page; nothing in it is typed by hand. It makes a virtual environment with the packages of\n\
        `benches/peers/requirements.txt`, starts ours and theirs as two processes, and asks them in turn. Times are CPU times, medians; a ratio is\n\
        ours over theirs. A ratio in bold is as small as we want it, at an error of at most twice theirs (and 2e-12). Machines differ, and loaded\n\
        ones more: ratios of one run count. `--only NAME` takes the rows whose names contain NAME, and writes nothing.\n\n\
        Our motions are from the loaded model to the last state, with all preparation; theirs are the steps alone, and their compilation stands\n\
        in the last column. The last column of accelerations is the time from the loaded model to the first value.\n\n",
    );
    let _ = writeln!(out, "Machine: {machine}. Packages: {}.\n", versions.join(", "));
    let _ = writeln!(out, "{HEAD}");
    for one in all {
        let _ = writeln!(out, "{}", line(one));
    }
    let reached = all.iter().filter(|one| one.is_reached()).count();
    let _ = writeln!(out, "\n{reached} of {} rows are as wanted.", all.len());
    let open: Vec<String> = all.iter().filter(|one| !one.is_reached()).map(reason).collect();
    if !open.is_empty() {
        let _ = writeln!(out, "\n## Not reached\n\n{}", open.join("\n"));
    }
    let _ = writeln!(out, "\n## Not compared\n");
    for (what, why) in MISSING {
        let _ = writeln!(out, "- {what}: {why}.");
    }
    let _ = writeln!(out, "\n## Growth\n");
    for curve in curves {
        let _ = writeln!(out, "![{}](images/{}.svg)\n", curve.title, curve.file);
        let names: Vec<&str> = curve.columns.iter().map(|column| column.name.as_str()).collect();
        let _ = writeln!(out, "| n | {} |\n| --- |{}", names.join(" | "), " --- |".repeat(names.len()));
        for (k, n) in curve.sizes.iter().enumerate() {
            let cell = |value: f64| if value.is_nan() { "–".to_owned() } else { seconds(value) };
            let cells: Vec<String> = curve.columns.iter().map(|column| cell(column.values[k])).collect();
            let _ = writeln!(out, "| {n} | {} |", cells.join(" | "));
        }
        out.push('\n');
    }
    out.trim_end().to_owned() + "\n"
}

/// Why a row is not reached.
fn reason(one: &Compared) -> String {
    let name = one.row.name;
    match (&one.ours, &one.theirs) {
        (Err(reason), _) => format!("- `{name}`: ours has no answer: {reason}."),
        (_, Err(reason)) => format!("- `{name}`: {} has no answer here: {reason}.", one.row.peer),
        _ if !one.is_as_exact() && one.ratio().is_some_and(|ratio| ratio <= one.row.target) => {
            format!("- `{name}`: fast enough, and less exact.")
        }
        _ if one.row.why.is_empty() => format!("- `{name}`: the cause is not known."),
        _ => format!("- `{name}`: {}.", one.row.why),
    }
}

/// The processor, as the system names it, and what its lanes are.
fn machine() -> String {
    let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = about.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let flags = field("flags").unwrap_or_default();
    let has = |flag: &str| flags.split(' ').any(|one| one == flag);
    let lanes = match (has("avx512f"), has("avx2")) {
        (true, _) => ", AVX-512",
        (_, true) => ", AVX2",
        _ => "",
    };
    let said = |name: &str| {
        let told = Command::new(name).arg("--version").output().ok()?;
        String::from_utf8_lossy(&told.stdout).lines().next().map(str::to_owned)
    };
    let others: Vec<String> = ["gcc", "rustc", "python3"].iter().filter_map(|name| said(name)).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let name = field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    format!("{name}{lanes}, {cores} cores, {}; {}", std::env::consts::OS, others.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::rows::ROWS;
    use super::{Compared, Measured, digits, line, reason, seconds};

    fn measured(seconds: f64, error: f64) -> Result<Measured, String> {
        Ok(Measured { seconds, latency: 0.0, memory: 10.0, error: Some((error, "state".to_owned())) })
    }

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let all = [2.345e-9, 1.2345e-5, 0.1, 74.6, 1234.5].map(seconds);
        assert_eq!(all, ["2.35 ns", "12.3 µs", "100 ms", "74.6 s", "1234 s"]);
        assert_eq!([0.0123, 130.4, 0.999].map(digits), ["0.0123", "130", "0.999"]);
    }

    #[test]
    fn a_ratio_is_reached_at_equal_error_alone() {
        let row = ROWS.iter().find(|row| row.target == 1.0).expect("there is one");
        let fine = Compared { row, ours: measured(0.5, 1e-9), theirs: measured(1.0, 1e-9) };
        assert!(fine.is_reached() && line(&fine).contains("**0.500**"));
        let coarse = Compared { row, ours: measured(0.5, 1e-6), theirs: measured(1.0, 1e-9) };
        assert!(!coarse.is_reached() && reason(&coarse).ends_with("fast enough, and less exact."));
        let slow = Compared { row, ours: measured(1.5, 1e-9), theirs: measured(1.0, 1e-9) };
        assert!(!slow.is_reached() && line(&slow).contains("| 1.50 |"));
        let none = Compared { row, ours: Err("move: too stiff".to_owned()), theirs: measured(1.0, 1e-9) };
        assert!(!none.is_reached() && reason(&none).contains("too stiff"));
    }

    #[test]
    fn rows_have_names_of_their_own() {
        for (k, row) in ROWS.iter().enumerate() {
            assert!(ROWS[..k].iter().all(|other| other.name != row.name), "{}", row.name);
        }
    }
}
