//! A bar on a terminal while something long runs, and an ear for Ctrl-C.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anholon::{Error, Progress};

/// The bar; on standard error, and only if that is a terminal.
pub struct Bar {
    started: Instant,
    began: Instant,
    shown: Option<Instant>,
    is_terminal: bool,
    interrupted: Arc<AtomicBool>,
    /// What is going on.
    part: &'static str,
    /// The file that keeps where the work is, and when it was written.
    keeper: Option<(PathBuf, Instant)>,
    /// What went wrong with it.
    pub unkept: Option<Error>,
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
            keeper: None,
            unkept: None,
        }
    }

    /// A bar that writes down now and then where the work is.
    pub fn keeping(file: Option<&Path>) -> Bar {
        Bar { keeper: file.map(|file| (file.to_owned(), Instant::now())), ..Bar::new() }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if self.shown.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
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
            let (done, rest) = ("=".repeat(full), " ".repeat(30 - full.min(30)));
            let _ = write!(std::io::stderr(), "\r[{done}{rest}] {words}, {left:.0} s left\x1b[K");
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

    fn keeps(&mut self) -> bool {
        const PAUSE: Duration = Duration::from_secs(5);
        self.keeper.as_ref().is_some_and(|(_, last)| last.elapsed() > PAUSE)
    }

    fn keep(&mut self, text: &str) {
        if let Some((file, last)) = &mut self.keeper {
            self.unkept = crate::files::replace(file, text).err().or(self.unkept.take());
            *last = Instant::now();
        }
    }
}
