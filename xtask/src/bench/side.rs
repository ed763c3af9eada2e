//! How is one side of a comparison asked? A process that gets ready, and works when it is told to.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// A program that takes longer to get ready is ended: compilers are slow.
const PATIENCE: Duration = Duration::from_secs(900);
/// The same for a piece of work, which is far shorter where a method serves.
const HURRY: Duration = Duration::from_secs(30);

/// A side that is ready.
pub struct Side {
    child: Child,
    asked: ChildStdin,
    told: Receiver<String>,
    /// CPU seconds until it was ready.
    pub latency: f64,
}

/// What a side has found at the end.
pub struct Found {
    /// Its numbers, separated by commas.
    pub answer: String,
    /// The most memory that it held, in megabytes.
    pub memory: f64,
}

impl Side {
    /// Starts a program and waits until it is ready; the error is its reason.
    pub fn start(command: &mut Command) -> Result<Side, String> {
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = started.map_err(|error| crate::command::cannot_start(command, &error))?;
        let (Some(asked), Some(out), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err("it cannot be spoken to".to_owned());
        };
        let (sender, told) = channel();
        thread::spawn(move || {
            let (mut last, mut is_ready) = (String::new(), false);
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                is_ready |= line.starts_with("ready");
                if sender.send(line).is_err() {
                    return;
                }
            }
            for line in BufReader::new(errors).lines().map_while(Result::ok) {
                last = line;
            }
            if !is_ready || !last.is_empty() {
                let _ = sender.send(format!("cannot {last}"));
            }
        });
        let mut side = Side { child, asked, told, latency: 0.0 };
        side.latency = side.number("ready")?;
        Ok(side)
    }

    /// The next line that begins with a word.
    fn line(&mut self, word: &str) -> Result<String, String> {
        let patience = if word == "ready" { PATIENCE } else { HURRY };
        loop {
            match self.told.recv_timeout(patience) {
                Ok(line) => {
                    if let Some(reason) = line.strip_prefix("cannot ") {
                        return Err(reason.to_owned());
                    }
                    if let Some(rest) = line.strip_prefix(word) {
                        return Ok(rest.trim().to_owned());
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("nothing was heard for {} s", patience.as_secs()));
                }
                Err(RecvTimeoutError::Disconnected) => return Err("it ended without an answer".to_owned()),
            }
        }
    }

    fn number(&mut self, word: &str) -> Result<f64, String> {
        let text = self.line(word)?;
        text.split_whitespace().next().and_then(|word| word.parse().ok()).ok_or(format!("`{text}` is no number"))
    }

    /// Lets it work: CPU seconds of one unit.
    pub fn work(&mut self) -> Result<f64, String> {
        self.say("run")?;
        self.number("cpu")
    }

    /// Ends it.
    pub fn end(mut self) -> Result<Found, String> {
        self.say("end")?;
        let answer = self.line("answer")?;
        let memory = self.number("memory")?;
        Ok(Found { answer, memory })
    }

    fn say(&mut self, word: &str) -> Result<(), String> {
        let said = writeln!(self.asked, "{word}").and_then(|()| self.asked.flush());
        said.or_else(|_| self.line("nothing ").map(|_| ()))
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::Side;

    fn shell(script: &str) -> Result<Side, String> {
        Side::start(Command::new("sh").args(["-c", script]))
    }

    #[test]
    fn a_side_is_ready_works_and_ends() {
        let script = "echo ready 0.5; read a; echo cpu 2e-3; read a; echo answer 1, 2; echo memory 12";
        let mut side = shell(script).expect("it is ready");
        assert_eq!((side.latency, side.work()), (0.5, Ok(2e-3)));
        let found = side.end().expect("it tells what it found");
        assert_eq!((found.answer.as_str(), found.memory), ("1, 2", 12.0));
    }

    #[test]
    fn a_side_that_cannot_says_why() {
        assert_eq!(shell("echo cannot read the model").err().as_deref(), Some("read the model"));
        assert_eq!(shell("echo no module >&2; exit 1").err().as_deref(), Some("no module"));
        let mut side = shell("echo ready 0; read a; echo it broke >&2; exit 1").expect("it is ready");
        assert_eq!(side.work().err().as_deref(), Some("it broke"));
    }
}
