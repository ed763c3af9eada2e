//! Has a kernel become slower? Instructions are counted by callgrind and compared with those in benches/instructions.txt, so that a
//! slow-down is seen whatever else the machine does.

use std::collections::BTreeMap;
use std::fs;

use crate::command::{Done, cargo, program, root, run, target};

/// Where the counts are kept.
const KEPT: &str = "benches/instructions.txt";
/// The kernels of benches/src/bin/kernels.
const KERNELS: [&str; 5] = ["nodes", "derive-disc", "prove-bicycle", "simulate-double-pendulum", "compile-chain"];
/// By this share a count may differ: libraries and processors choose among several routines.
const TOLERANCE: f64 = 0.05;

/// Counts and compares; skipped where nothing counts.
pub fn test() -> Result<Done, String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(Done::Skipped("the counts are those of Linux on x86-64".to_owned()));
    }
    if program("valgrind").arg("--version").output().is_err() {
        return Ok(Done::Skipped("valgrind is not installed".to_owned()));
    }
    run(&mut cargo(["build", "--quiet", "--workspace", "--bin", "kernels"]))?;
    let counts: Vec<(&str, u64)> =
        KERNELS.iter().map(|&name| Ok((name, count(name)?))).collect::<Result<_, String>>()?;
    let file = root().join(KEPT);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&file, written(&counts)).map_err(|error| format!("cannot write {KEPT}: {error}"))?;
    }
    let text = fs::read_to_string(&file).map_err(|error| format!("cannot read {KEPT}: {error}"))?;
    let (lines, is_fine) = compared(&read(&text)?, &counts);
    println!("{lines}");
    match is_fine {
        true => Ok(Done::Passed),
        false => Err(format!(
            "instruction counts differ from {KEPT}; if that is meant, `UPDATE_SNAPSHOTS=1 cargo xtask test counts` keeps the new ones"
        )),
    }
}

/// The instructions of a kernel.
fn count(name: &str) -> Result<u64, String> {
    let mut command = program("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=kernels::counted"]);
    command.arg(target().join("debug/kernels")).arg(name);
    let told = command.output().map_err(|error| format!("valgrind does not start: {error}"))?;
    let text = String::from_utf8_lossy(&told.stderr);
    let number = || text.lines().find_map(|line| line.split_once("Collected :"))?.1.trim().parse::<u64>().ok();
    match number().filter(|&count| told.status.success() && count > 0) {
        Some(count) => Ok(count),
        None => {
            Err(format!("callgrind has no count of `{name}`: {}", text.lines().last().unwrap_or("it says nothing")))
        }
    }
}

fn written(counts: &[(&str, u64)]) -> String {
    let lines: String = counts.iter().map(|(name, count)| format!("{name} {count}\n")).collect();
    format!(
        "# Instructions of kernels in the development build, by callgrind: `cargo xtask test counts` compares.\n{lines}"
    )
}

fn read(text: &str) -> Result<BTreeMap<&str, u64>, String> {
    let line = |line| {
        let (name, count): (&str, &str) = str::split_once(line, ' ')?;
        Some((name, count.trim().parse().ok()?))
    };
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|text| line(text).ok_or_else(|| format!("{KEPT}: `{text}` is no name with a count"))).collect()
}

/// What is said of each kernel, and whether nothing is slower or unknown.
fn compared(kept: &BTreeMap<&str, u64>, counts: &[(&str, u64)]) -> (String, bool) {
    let (mut lines, mut is_fine) = (Vec::new(), true);
    for &(name, now) in counts {
        let Some(&before) = kept.get(name) else {
            lines.push(format!("{name}: {now} instructions, and none are kept"));
            is_fine = false;
            continue;
        };
        let change = now as f64 / before as f64 - 1.0;
        let verdict = match change {
            change if change > TOLERANCE => "SLOWER",
            change if change < -TOLERANCE => "faster: keep the new count",
            _ => "as before",
        };
        is_fine &= change <= TOLERANCE;
        lines.push(format!("{name}: {now} instructions, {before} kept ({:+.1} %): {verdict}", 100.0 * change));
    }
    (lines.join("\n"), is_fine)
}

#[cfg(test)]
mod tests {
    use super::{compared, read, written};

    #[test]
    fn a_slow_down_is_told_with_both_counts() {
        let text = written(&[("nodes", 1000), ("prove", 2000)]);
        let kept = read(&text).unwrap();
        assert!(compared(&kept, &[("nodes", 1040), ("prove", 1000)]).1);
        let (said, is_fine) = compared(&kept, &[("nodes", 1060), ("prove", 2000)]);
        assert!(!is_fine && said.starts_with("nodes: 1060 instructions, 1000 kept (+6.0 %): SLOWER"), "{said}");
        assert!(!compared(&kept, &[("new", 1)]).1);
        assert!(read("nodes many").is_err());
    }
}
