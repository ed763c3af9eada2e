//! A bar on a terminal while something long runs, and an ear for Ctrl-C.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anholon::Progress;

/// The bar; on standard error, and only if that is a terminal.
pub struct Bar {
    started: Instant,
    began: Instant,
    shown: Option<Instant>,
    is_terminal: bool,
    interrupted: Arc<AtomicBool>,
    /// What is going on.
    part: &'static str,
}

impl Bar {
    /// A bar that shows nothing yet.
    pub fn new() -> Bar {
        let interrupted = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupted);
        // Without a handler Ctrl-C ends the process at once: nothing is torn then, only lost.
        let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
        let now = Instant::now();
        Bar {
            started: now,
            began: now,
            shown: None,
            is_terminal: std::io::stderr().is_terminal(),
            interrupted,
            part: "",
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if self.shown.is_some() {
            eprint!("\r\x1b[K");
        }
    }

    /// Shows how much is done, after some patience and not too often; false if somebody has pressed Ctrl-C.
    fn shows(&mut self, share: f64, words: &str) -> bool {
        const PATIENCE: Duration = Duration::from_millis(500);
        const BLINK: Duration = Duration::from_millis(100);
        let is_time = self.shown.map_or(self.started.elapsed() > PATIENCE, |shown| shown.elapsed() > BLINK);
        if self.is_terminal && is_time {
            self.shown = Some(Instant::now());
            let full = (share * 30.0) as usize;
            let left = self.began.elapsed().as_secs_f64() * (1.0 - share) / share.max(1e-9);
            eprint!("\r[{}{}] {words}, {left:.0} s left\x1b[K", "=".repeat(full), " ".repeat(30 - full.min(30)));
            let _ = std::io::stderr().flush();
        }
        !self.interrupted.load(Ordering::Relaxed)
    }
}

impl Progress for Bar {
    fn begins(&mut self, part: &'static str) {
        // what is left of it is not known from what was before
        (self.part, self.began) = (part, Instant::now());
    }

    fn reached(&mut self, share: f64) -> bool {
        let words = format!("{:.1} %", 100.0 * share);
        let words = if self.part.is_empty() { words } else { format!("{}: {words}", self.part) };
        self.shows(share, &words)
    }
}
