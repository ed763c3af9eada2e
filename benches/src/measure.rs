//! How is a row measured? In CPU time of this thread, the best of several runs.
//!
//! Linux counts the time a thread has spent on a processor in the first field of
//! `/proc/thread-self/schedstat`, in nanoseconds; waiting for a busy processor is not counted.
//! The count is brought up to date when the scheduler looks at the thread, so we yield before
//! reading it: otherwise it stands still for milliseconds. A reading costs about 10 µs. Where
//! there is no such file, the clock on the wall has to do.

use std::fs;
use std::sync::LazyLock;
use std::time::Instant;

/// One line of the table: what is measured, and what is asked for.
pub struct Row {
    pub name: &'static str,
    pub unit: &'static str,
    pub target: Target,
    pub measure: fn() -> f64,
}

/// What a value is held against.
pub enum Target {
    AtLeast(f64),
    AtMost(f64),
    /// Nothing is asked for: the value is there to be watched.
    None,
}

impl Row {
    /// Measures, and writes the line.
    pub fn line(&self) -> String {
        let value = (self.measure)();
        let (target, ok) = match self.target {
            Target::AtLeast(least) => (format!("≥ {least}"), if value >= least { "yes" } else { "NO" }),
            Target::AtMost(most) => (format!("≤ {most}"), if value <= most { "yes" } else { "NO" }),
            Target::None => (String::new(), ""),
        };
        format!("{:<46} | {value:>9.3} | {:<8} | {target:>9} | {ok}", self.name, self.unit)
    }
}

/// CPU seconds of this thread so far.
pub fn cpu_seconds() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    std::thread::yield_now();
    let counted = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = counted.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |count| count * 1e-9)
}

/// CPU seconds of one piece of work, and what it made.
pub fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let before = cpu_seconds();
    let made = work();
    (cpu_seconds() - before, made)
}

/// The smallest of the values that `runs` runs return.
pub fn best(runs: u32, run: impl FnMut() -> f64) -> f64 {
    std::iter::repeat_with(run).take(runs as usize).fold(f64::INFINITY, f64::min)
}

/// Resident memory of this process in megabytes; NaN where it is not told.
pub fn resident_megabytes() -> f64 {
    let kilobytes = || {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.split_whitespace().next()?.parse::<f64>().ok()
    };
    kilobytes().map_or(f64::NAN, |kilobytes| kilobytes / 1024.0)
}
