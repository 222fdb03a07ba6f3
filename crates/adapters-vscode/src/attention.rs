//! When a window counts as attended: while it has the focus, and for a minute after somebody used it.

use std::time::{Duration, Instant};

/// So long a window that lost the focus still counts.
const LINGERS: Duration = Duration::from_secs(60);

/// What is known of the person in front of one window.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attention {
    focused: bool,
    used: Option<Instant>,
}

impl Attention {
    /// The editor says whether its window has the focus; it says so again while somebody uses it.
    pub fn told(&mut self, focused: bool, now: Instant) {
        if focused || self.focused {
            self.used = Some(now);
        }
        self.focused = focused;
    }

    /// Whether the window has the focus.
    pub fn is_focused(&self) -> bool {
        self.focused
    }

    /// Whether somebody is there.
    pub fn is_there(&self, now: Instant) -> bool {
        self.focused || self.ends().is_some_and(|end| now < end)
    }

    /// When nobody will be there any more, if nothing is said until then.
    pub fn ends(&self) -> Option<Instant> {
        self.used.filter(|_| !self.focused).map(|used| used + LINGERS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // D-37
    #[test]
    fn req_124_an_open_window_is_attended_while_focused_and_a_minute_after_its_use() {
        let start = Instant::now();
        let after = |seconds: u64| start + Duration::from_secs(seconds);
        let mut attention = Attention::default();
        assert!(!attention.is_there(start), "open is not attended");
        attention.told(false, start);
        assert!(!attention.is_there(start), "a window that never had the focus was never used");
        attention.told(true, start);
        assert!(attention.is_there(after(3600)) && attention.is_focused());
        attention.told(false, after(100));
        assert!(attention.is_there(after(159)) && !attention.is_focused());
        assert!(!attention.is_there(after(160)), "hidden for a minute");
        attention.told(false, after(170));
        assert!(!attention.is_there(after(171)), "saying that it is hidden is no use of it");
    }
}
