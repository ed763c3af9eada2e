//! How far has a long piece of work come, and shall it go on?

/// Follows a verb while it works: the bar of a terminal, a notebook, a page; and the wish to stop.
pub trait Progress {
    /// A part of the work begins.
    fn begins(&mut self, _part: &'static str) {}

    /// So much of the part is done, from 0 to 1; false to stop. A verb that is stopped answers with what it has.
    fn reached(&mut self, share: f64) -> bool;

    /// Whether it is time to keep what is needed to go on from here, where the work can.
    fn keeps(&mut self) -> bool {
        false
    }

    /// Keeps it.
    fn keep(&mut self, _text: &str) {}
}

/// Nobody follows, and nobody stops it.
pub struct Alone;

impl Progress for Alone {
    fn reached(&mut self, _share: f64) -> bool {
        true
    }
}

/// Remembers that somebody wished to stop.
pub struct Ear<'a> {
    progress: &'a mut dyn Progress,
    is_over: bool,
}

impl<'a> Ear<'a> {
    /// An ear for what somebody says.
    pub fn new(progress: &'a mut dyn Progress) -> Ear<'a> {
        Ear { progress, is_over: false }
    }

    /// Whether somebody said that the work shall end.
    pub fn is_over(&self) -> bool {
        self.is_over
    }
}

impl Progress for Ear<'_> {
    fn begins(&mut self, part: &'static str) {
        self.progress.begins(part);
    }

    fn reached(&mut self, share: f64) -> bool {
        self.is_over = self.is_over || !self.progress.reached(share);
        !self.is_over
    }

    fn keeps(&mut self) -> bool {
        self.progress.keeps()
    }

    fn keep(&mut self, text: &str) {
        self.progress.keep(text);
    }
}
