//! A person's off switch: whether a pause is in force. The next call removes and logs an ended pause.
//!
//! Deliberately absent: what passes in a pause (`admission`).

use bailiwick_domain::{Action, Actor, DecisionRecord, Pause, PauseLook, State, Timestamp};

use crate::decisions::Decisions;

part! {
    /// The off switch of a person.
    pub struct Pausing {
        from consents: pauses;
        from chance: clock;
        with decisions: Decisions;
    }
}

impl Pausing<'_> {
    /// The pause that is in force now, if one is. Takes no lock and changes nothing.
    pub async fn pause_in_force(&self) -> Option<Pause> {
        match self.pauses.look(self.clock.now()).await {
            PauseLook::Running(pause) => Some(pause),
            PauseLook::None | PauseLook::Over(_) => None,
        }
    }

    /// The same under the lock: a pause that is over is put away, and its end is logged.
    pub(crate) async fn paused(&self) -> Option<Pause> {
        let now = self.clock.now();
        match self.pauses.look(now).await {
            PauseLook::None => None,
            PauseLook::Running(pause) => Some(pause),
            PauseLook::Over(pause) => {
                let record = pause_record(&pause.by, now, &ended_by_itself(&pause, now));
                if self.decisions.append(&record).await.is_ok() {
                    // What stays is over all the same; it is only met and logged once more.
                    let _ = self.pauses.forget(&pause).await;
                }
                None
            }
        }
    }
}

fn ended_by_itself(pause: &Pause, now: Timestamp) -> String {
    if now < pause.from {
        return format!("the pause until {} ended: the clock was moved back", pause.until);
    }
    format!("the pause until {} is over", pause.until)
}

/// The decision-log line of the beginning or end of a pause.
pub fn pause_record(by: &str, at: Timestamp, note: &str) -> DecisionRecord {
    DecisionRecord::new(at, Actor::root("human", by), "pause", State::Request, Action::Transition, note)
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::testing::sample;
    use bailiwick_domain::{Pause, Timestamp};

    use super::ended_by_itself;

    #[test]
    fn a_pause_ends_in_time_or_by_a_clock_that_was_moved_back() {
        let from = sample::now();
        let pause = Pause { by: "sam".to_owned(), from, until: from };
        assert!(ended_by_itself(&pause, from).ends_with("is over"));
        let before = Timestamp::from_unix_ms(from.unix_ms() - 1);
        assert!(ended_by_itself(&pause, before).ends_with("the clock was moved back"));
    }
}
