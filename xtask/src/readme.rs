//! Does README.md tell the truth? Its commands are run and their output is compared with what it shows. The book is checked by
//! the same means.
//!
//! Read are the blocks fenced as `console` or `sh`. A line `$ anholon …` or `$ cargo run --release -- …`
//! is run by `sh` in the workspace, `$ echo $?` tells its exit code, and the lines up to the next `$` are
//! what must be printed; `…` at the end of a line stands for any rest. Other `$` lines are not run.

use std::env;
use std::path::Path;

use crate::command::{cannot_start, cargo, program, root, run as run_shown, target};

/// A command and the lines that must follow it.
#[derive(Debug, PartialEq)]
pub struct Shown {
    /// The line of the text on which the command stands, from 1.
    pub line: usize,
    /// The command.
    pub command: String,
    /// What is shown below it.
    pub output: Vec<String>,
}

/// Builds the program and runs every command of the README.
pub fn run() -> Result<(), String> {
    let path = root().join("README.md");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("cannot read README.md: {error}"))?;
    let commands = commands(&text);
    if !commands.iter().any(|shown| is_ours(&shown.command)) {
        return Err("README.md shows no command `$ anholon …` or `$ cargo run --release -- …`".to_owned());
    }
    run_shown(&mut cargo(["build", "--quiet", "--release", "--package", "anholon-cli"]))?;
    let (mut wrong, mut code) = (0, None);
    for shown in &commands {
        let printed = if is_ours(&shown.command) {
            println!("$ {}", shown.command);
            let (text, exit) = in_shell(&shown.command, &root(), "release")?;
            code = exit;
            text
        } else if shown.command == "echo $?" {
            code.map_or_else(|| "killed".to_owned(), |code| code.to_string())
        } else {
            code = None;
            continue;
        };
        if shown.output.is_empty() && code != Some(0) {
            wrong += 1;
            println!("README.md:{}: this command fails:\n{printed}", shown.line);
        } else if let Some(difference) = difference(&shown.output, &lines(&printed)) {
            wrong += 1;
            println!("README.md:{}: `-` is what the README shows, `+` what is printed", shown.line);
            println!("{difference}");
        }
    }
    match wrong {
        0 => Ok(()),
        _ => Err(format!("commands of README.md that do not print what it shows: {wrong}")),
    }
}

/// Whether a command is run.
pub fn is_ours(command: &str) -> bool {
    ["anholon ", "cargo run --release -- "].iter().any(|start| command.starts_with(start))
}

/// What the command prints in a folder, standard output first, and its exit code; the program is that of a profile.
pub fn in_shell(command: &str, folder: &Path, profile: &str) -> Result<(String, Option<i32>), String> {
    let programs = target().join(profile);
    let old = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([programs].into_iter().chain(env::split_paths(&old)))
        .map_err(|error| format!("cannot put the program on the path: {error}"))?;
    let mut shell = program("sh");
    shell.args(["-c", command]).current_dir(folder).env("PATH", path).env("CARGO_TERM_QUIET", "true");
    let result = shell.output().map_err(|error| cannot_start(&shell, &error))?;
    let printed = [result.stdout, result.stderr].concat();
    Ok((String::from_utf8_lossy(&printed).into_owned(), result.status.code()))
}

/// The commands in the `console` and `sh` blocks, with what is shown below each.
pub fn commands(readme: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let (mut reading, mut fenced) = (false, false);
    for (index, line) in readme.lines().enumerate() {
        if let Some(kind) = line.strip_prefix("```") {
            fenced = !fenced;
            reading = fenced && matches!(kind.trim(), "console" | "sh");
        } else if !reading {
        } else if let Some(command) = line.strip_prefix("$ ") {
            let command = command.trim_end().to_owned();
            found.push(Shown { line: index + 1, command, output: Vec::new() });
        } else if let Some(last) = found.last_mut() {
            last.output.push(line.trim_end().to_owned());
        }
    }
    for shown in &mut found {
        drop_blank_end(&mut shown.output);
    }
    found
}

/// The lines of what was printed, without blanks at their ends and empty ones at the end.
pub fn lines(printed: &str) -> Vec<String> {
    let mut lines = printed.lines().map(|line| line.trim_end().to_owned()).collect();
    drop_blank_end(&mut lines);
    lines
}

fn drop_blank_end(lines: &mut Vec<String>) {
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
}

fn matches(shown: &str, printed: &str) -> bool {
    match shown.strip_suffix('…') {
        Some(start) => printed.starts_with(start),
        None => shown == printed,
    }
}

/// Nothing if every line matches, else both texts with the equal beginning and end marked by blanks.
pub fn difference(shown: &[String], printed: &[String]) -> Option<String> {
    if shown.is_empty() {
        return None;
    }
    let same = |(a, b): &(&String, &String)| matches(a, b);
    let start = shown.iter().zip(printed).take_while(same).count();
    let (shown_rest, printed_rest) = (&shown[start..], &printed[start..]);
    if shown_rest.is_empty() && printed_rest.is_empty() {
        return None;
    }
    let end = shown_rest.iter().rev().zip(printed_rest.iter().rev()).take_while(same).count();
    let parts = [
        ("  ", &shown[..start]),
        ("- ", &shown_rest[..shown_rest.len() - end]),
        ("+ ", &printed_rest[..printed_rest.len() - end]),
        ("  ", &shown_rest[shown_rest.len() - end..]),
    ];
    let marked = parts.iter().flat_map(|(mark, lines)| lines.iter().map(move |line| format!("{mark}{line}")));
    Some(marked.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::{Shown, commands, difference, is_ours};

    const README: &str = "\
# Title
```console
$ anholon same 'sin(2*x)' '2*sin(x)*cos(x)'
the same
error bound …

$ cargo xtask test
```
```rust
$ not a command
```
```sh
$ cargo run --release -- diff 'x^2' x
2*x
```
";

    #[test]
    fn commands_come_with_what_follows_them() {
        let shown = |line, command: &str, output: &[&str]| Shown {
            line,
            command: command.to_owned(),
            output: output.iter().map(ToString::to_string).collect(),
        };
        let expected = vec![
            shown(3, "anholon same 'sin(2*x)' '2*sin(x)*cos(x)'", &["the same", "error bound …"]),
            shown(7, "cargo xtask test", &[]),
            shown(13, "cargo run --release -- diff 'x^2' x", &["2*x"]),
        ];
        assert_eq!(commands(README), expected);
        assert_eq!(expected.iter().map(|it| is_ours(&it.command)).collect::<Vec<_>>(), [true, false, true]);
    }

    fn check(shown: &str, printed: &str, expected: Option<&str>) {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(difference(&lines(shown), &lines(printed)).as_deref(), expected);
    }

    #[test]
    fn an_ellipsis_stands_for_the_rest_of_its_line() {
        check("the same\nbound …", "the same\nbound 2^-40", None);
        check("the same\nbound …", "the same\nlimit 2^-40", Some("  the same\n- bound …\n+ limit 2^-40"));
    }

    #[test]
    fn a_missing_or_additional_line_is_seen() {
        check("a\nb\nc", "a\nc", Some("  a\n- b\n  c"));
        check("a", "a\nb", Some("  a\n+ b"));
    }
}
