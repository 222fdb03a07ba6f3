//! Whether somebody is before the page.
//!
//! An open page says every few seconds whether its tab is shown. It counts while it is shown and for a minute after, as
//! an editor's window does; closed, it counts no longer than a reload takes. Deliberately absent: the surfaces that hooks
//! look for.

use std::time::{Duration, Instant};

/// How long after it was hidden an open page still counts: a person looks something up in another tab.
const LINGERS: Duration = Duration::from_secs(60);

/// How long a page may be silent: a reload takes so long, and a closed page says nothing.
const SILENT: Duration = Duration::from_secs(3);

/// What pages said of themselves.
#[derive(Debug, Default)]
pub(super) struct Presence {
    /// How many questions for news are held open.
    held: usize,
    heard: Option<Instant>,
    shown: Option<Instant>,
}

impl Presence {
    /// A page asks for news, and says whether it is shown.
    pub(super) fn hears(&mut self, is_shown: bool, now: Instant) {
        self.held += 1;
        self.says(is_shown, now);
    }

    /// It got its answer, or hung up.
    pub(super) fn ends(&mut self, is_shown: bool, now: Instant) {
        self.held = self.held.saturating_sub(1);
        self.says(is_shown, now);
    }

    fn says(&mut self, is_shown: bool, now: Instant) {
        self.heard = Some(now);
        if is_shown {
            self.shown = Some(now);
        }
    }

    /// Whether a person is there.
    pub(super) fn is_attended(&self, now: Instant) -> bool {
        let within = |then: Option<Instant>, limit| {
            then.is_some_and(|then| now.saturating_duration_since(then) < limit)
        };
        let is_open = self.held > 0 || within(self.heard, SILENT);
        is_open && within(self.shown, LINGERS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // D-37: shown, or shown within the last minute; closed is gone
    #[test]
    fn a_page_counts_while_it_is_shown_and_a_minute_after() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let mut presence = Presence::default();
        assert!(!presence.is_attended(start), "nobody opened it");
        presence.hears(true, start);
        assert!(presence.is_attended(start + second * 10));
        presence.ends(true, start + second * 10);
        presence.hears(false, start + second * 10);
        assert!(presence.is_attended(start + second * 69), "another tab for less than a minute");
        assert!(!presence.is_attended(start + second * 70), "hidden");
        presence.ends(false, start + second * 70);
        presence.hears(true, start + second * 80);
        assert!(presence.is_attended(start + second * 80));
        presence.ends(true, start + second * 81);
        assert!(presence.is_attended(start + second * 83), "a reload");
        assert!(!presence.is_attended(start + second * 84), "closed");
    }

    // D-37: one page of two that is shown is enough
    #[test]
    fn one_shown_page_is_enough() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let mut presence = Presence::default();
        presence.hears(true, start);
        presence.hears(false, start + second);
        presence.ends(false, start + second * 2);
        assert!(presence.is_attended(start + second * 9));
    }
}
