//! A bar for work that takes long: on standard error, at a terminal, after a while, and gone at the end. Never beside
//! JSON.

use std::io::IsTerminal as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bailiwick_domain::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::command::Context;

/// Work that is done sooner shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);
const OF_KNOWN_LENGTH: &str = "{msg} [{bar:40}] {percent:>3} %, {eta} left";
const OF_ANY_LENGTH: &str = "{msg} {pos}";

/// A bar; it is taken away when it is dropped.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    began: Instant,
    patience: Duration,
    /// Where it will be drawn, until it is.
    target: Mutex<Option<ProgressDrawTarget>>,
}

impl Context {
    /// A bar for work called `what`, where somebody may see it.
    pub(crate) fn progress(&self, what: &'static str) -> Option<Arc<Bar>> {
        let is_seen = !self.json && std::io::stderr().is_terminal();
        is_seen.then(|| Arc::new(Bar::on(ProgressDrawTarget::stderr(), PATIENCE, what)))
    }
}

impl Bar {
    fn on(target: ProgressDrawTarget, patience: Duration, what: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_message(what);
        Self { bar, began: Instant::now(), patience, target: Mutex::new(Some(target)) }
    }

    fn show(&self, template: &str) {
        let target = self.target.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(target) = target {
            if let Ok(style) = ProgressStyle::with_template(template) {
                self.bar.set_style(style.progress_chars("=> "));
            }
            self.bar.set_draw_target(target);
        }
    }
}

impl Progress for Bar {
    fn at(&self, done: u64, of: Option<u64>) {
        if self.began.elapsed() < self.patience {
            return;
        }
        if let Some(of) = of {
            self.bar.set_length(of);
        }
        self.show(if of.is_some() { OF_KNOWN_LENGTH } else { OF_ANY_LENGTH });
        self.bar.set_position(done);
        self.bar.tick();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use indicatif::InMemoryTerm;

    use super::*;

    fn bar(patience: Duration) -> (Bar, InMemoryTerm) {
        let terminal = InMemoryTerm::new(4, 100);
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        (Bar::on(target, patience, "verifying"), terminal)
    }

    #[test]
    fn a_bar_says_how_far_the_work_is_and_leaves_nothing_behind() {
        let (bar, terminal) = bar(Duration::ZERO);
        bar.at(25, Some(100));
        let shown = terminal.contents();
        assert!(shown.starts_with("verifying [==========>") && shown.contains(" 25 %"), "{shown}");
        assert!(shown.lines().count() == 1 && shown.chars().count() <= 100, "{shown}");
        drop(bar);
        assert_eq!(terminal.contents(), "");
    }

    #[test]
    fn work_of_unknown_length_is_counted() {
        let (bar, terminal) = bar(Duration::ZERO);
        bar.at(17, None);
        assert_eq!(terminal.contents(), "verifying 17");
    }

    #[test]
    fn work_that_is_soon_done_shows_none() {
        let (bar, terminal) = bar(Duration::from_secs(3600));
        bar.at(25, Some(100));
        drop(bar);
        assert_eq!(terminal.contents(), "");
    }
}
