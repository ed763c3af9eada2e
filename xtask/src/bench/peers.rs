//! How do we compare with others? Both sides are asked in turn, in one run, and medians of CPU times count.

use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;

use super::growth::{self, Curve};
use super::page;
use super::rows::{ROWS, Row};
use super::side::{Found, Side};
use crate::command::{cargo, program, run as shown, target};
use crate::python::environment;

/// What the peers are installed from.
const NEEDED: &str = "benches/peers/requirements.txt";
/// How often each side works.
const ROUNDS: usize = 5;

/// One side of a row.
pub struct Measured {
    /// CPU seconds, the median.
    pub seconds: f64,
    /// CPU seconds until it could begin; nothing to wait for is 0.
    pub latency: f64,
    /// The most memory, in megabytes.
    pub memory: f64,
    /// How far it is off, and what that means; nothing where there is nothing to be off.
    pub error: Option<(f64, String)>,
}

/// A row that was measured: ours, theirs, or why there is none.
pub struct Compared {
    pub row: &'static Row,
    pub ours: Result<Measured, String>,
    pub theirs: Result<Measured, String>,
}

impl Compared {
    /// Ours over theirs.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.ours.as_ref().ok()?.seconds / self.theirs.as_ref().ok()?.seconds)
    }

    /// Whether ours is as exact: at most twice their error, and 2e-12.
    pub fn is_as_exact(&self) -> bool {
        let (Ok(ours), Ok(theirs)) = (&self.ours, &self.theirs) else { return false };
        match (&ours.error, &theirs.error) {
            (Some((ours, _)), Some((theirs, _))) => *ours <= 2.0 * theirs + 2e-12,
            _ => true,
        }
    }

    /// Whether what is wanted is reached.
    pub fn is_reached(&self) -> bool {
        self.is_as_exact() && self.ratio().is_some_and(|ratio| ratio <= self.row.target)
    }
}

/// Both sides as programs.
pub struct Programs {
    pub python: PathBuf,
    pub ours: PathBuf,
}

impl Programs {
    /// Starts our side.
    pub fn our_side(&self, work: &str, n: usize) -> Result<Side, String> {
        Side::start(program(&self.ours).arg(work).arg(n.to_string()))
    }

    /// Starts a peer.
    pub fn their_side(&self, work: &str, tool: &str, n: usize) -> Result<Side, String> {
        Side::start(program(&self.python).args(["benches/peers/peers.py", work, tool]).arg(n.to_string()))
    }

    /// How far an answer is off, and what that means.
    fn judge(&self, work: &str, n: usize, found: &Found) -> Option<(f64, String)> {
        let mut judge = program(&self.python);
        judge.args(["benches/peers/peers.py", "judge", work]).arg(n.to_string());
        let mut child = judge.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        writeln!(child.stdin.take()?, "{}", found.answer).ok()?;
        let said = String::from_utf8(child.wait_with_output().ok()?.stdout).ok()?;
        let rest = said.trim().strip_prefix("error ")?;
        let (number, meaning) = rest.split_once(' ').unwrap_or((rest, ""));
        Some((number.parse().ok().filter(|error: &f64| error.is_finite())?, meaning.to_owned()))
    }

    /// What the peers call themselves.
    pub fn versions(&self) -> Vec<String> {
        let told = program(&self.python).args(["benches/peers/peers.py", "versions"]).output();
        let text = told.map(|told| String::from_utf8_lossy(&told.stdout).into_owned()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

/// Compares the rows whose names contain a word, or all; then the page is written too.
pub fn run(only: Option<&str>) -> Result<(), String> {
    super::exists()?;
    let chosen: Vec<&'static Row> = ROWS.iter().filter(|row| only.is_none_or(|word| row.name.contains(word))).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        return Err(format!("no row is called `{}`; there are {}", only.unwrap_or(""), names.join(", ")));
    }
    let python = environment("peers-venv", NEEDED)?;
    shown(&mut cargo(["build", "--quiet", "--release", "--workspace", "--bin", "peers"]))?;
    let ours = target().join("release").join(if cfg!(windows) { "peers.exe" } else { "peers" });
    let programs = Programs { python, ours };
    println!("{}", page::HEAD);
    let mut all = Vec::new();
    for row in chosen {
        let compared = compare(&programs, row);
        println!("{}", page::line(&compared));
        all.push(compared);
    }
    if only.is_some() {
        return Ok(());
    }
    let curves: Vec<Curve> = growth::curves(&programs);
    page::write(&programs, &all, &curves)
}

/// Both sides of a row, in turn.
fn compare(programs: &Programs, row: &'static Row) -> Compared {
    let mut sides = [programs.our_side(row.work, row.n), programs.their_side(row.work, row.tool, row.n)];
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (side, times) in sides.iter_mut().zip(&mut times) {
            let Ok(ready) = side else { continue };
            match ready.work() {
                Ok(seconds) => times.push(seconds),
                Err(reason) => *side = Err(reason),
            }
        }
    }
    let [ours, theirs] = sides;
    let [our_times, their_times] = times;
    let measured = |side: Result<Side, String>, times: Vec<f64>| {
        let side = side?;
        let latency = side.latency;
        let found = side.end()?;
        let error = if found.answer.is_empty() { None } else { programs.judge(row.work, row.n, &found) };
        Ok(Measured { seconds: median(times), latency, memory: found.memory, error })
    };
    Compared { row, ours: measured(ours, our_times), theirs: measured(theirs, their_times) }
}

/// The one in the middle.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
