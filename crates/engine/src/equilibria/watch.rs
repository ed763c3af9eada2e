//! Who follows a long search, and when does it end early?

/// Who follows a long search.
pub trait Watcher {
    /// So much of a phase is done, from 0 to 1; the answer is whether to go on.
    fn reached(&mut self, share: f64) -> bool;

    /// A phase begins.
    fn begins(&mut self, _phase: &'static str) {}
}

/// Nobody follows.
pub struct Nobody;

impl Watcher for Nobody {
    fn reached(&mut self, _share: f64) -> bool {
        true
    }
}

/// One who heard that the search shall end does not forget it.
pub struct Ear<'a> {
    watcher: &'a mut dyn Watcher,
    is_over: bool,
}

impl<'a> Ear<'a> {
    /// An ear for what somebody says.
    pub fn new(watcher: &'a mut dyn Watcher) -> Ear<'a> {
        Ear { watcher, is_over: false }
    }

    /// Whether somebody said that the search shall end.
    pub fn is_over(&self) -> bool {
        self.is_over
    }
}

impl Watcher for Ear<'_> {
    fn reached(&mut self, share: f64) -> bool {
        self.is_over = self.is_over || !self.watcher.reached(share);
        !self.is_over
    }

    fn begins(&mut self, phase: &'static str) {
        self.watcher.begins(phase);
    }
}
