//! Who is asked: the queue when one of its surfaces is live, else the host's own prompt when a person is provably there,
//! else nobody (the setting `approval.channel`; ADR 0004).

use std::cell::Cell;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bailiwick_adapters_fs::{EDITOR, FsApprovalQueue, PAGE, Surfaces, SystemClock, WATCH};
use bailiwick_domain::{Answer, Approval, ApprovalChannel, ApprovalStatus, Approver, Clock};

/// The longest that a hook may wait, in seconds: under every host's limit that `init` writes.
pub const LONGEST_WAIT_S: u64 = 110;

/// So long a screen may be silent between two signs of life before nobody is behind it.
const BETWEEN_LOOKS: Duration = Duration::from_millis(700);

/// Why a question that was open in an editor is rejected when the editor goes away.
pub const CLOSED: &str = "the editor in which the question was open was closed";

/// Asks by the channel that the settings name.
#[derive(Debug)]
pub struct ChannelApprover {
    /// `approval.channel`.
    pub channel: ApprovalChannel,
    /// The queue that surfaces answer.
    pub queue: FsApprovalQueue,
    /// Which surfaces are live.
    pub surfaces: Surfaces,
    /// Finds out whether a person is provably at the host; asked only when nobody else can be.
    pub person_at_host: fn() -> bool,
    /// By when it must have an answer, if there is such a moment: whoever waits on is ended.
    pub until: Option<Instant>,
}

#[async_trait]
impl Approver for ChannelApprover {
    async fn ask(&self, approval: &Approval, timeout_s: u64) -> Answer {
        match self.channel {
            ApprovalChannel::Deny => Answer::Reject {
                by: "settings".to_owned(),
                feedback: Some("approval.channel is `deny` in this repository: nobody is asked".to_owned()),
            },
            ApprovalChannel::Queue => self.in_the_queue(approval, timeout_s),
            ApprovalChannel::Host => self.host_or_nobody(),
            ApprovalChannel::Auto => self.surface_or_host(approval, timeout_s),
        }
    }
}

impl ChannelApprover {
    fn host_or_nobody(&self) -> Answer {
        if (self.person_at_host)() {
            return Answer::AskHost;
        }
        let why = "Nobody is there to answer: ask the human to run `bailiwick watch` in a terminal of this repository, then retry.";
        Answer::Unanswered { why: why.to_owned() }
    }

    /// The queue, whether somebody looks at it now or not.
    fn in_the_queue(&self, approval: &Approval, timeout_s: u64) -> Answer {
        let took = Cell::new(self.surfaces.live(SystemClock.now()).iter().any(|name| name == EDITOR));
        let answer = self.wait(approval, timeout_s, || !self.editor_has_left(&took));
        self.or_closed(answer, &took)
    }

    /// The queue while somebody may look at it. A screen that is closed meanwhile leaves the question to the host's
    /// prompt; one that answers single commands may come back at any time. An editor that goes away has said no.
    fn surface_or_host(&self, approval: &Approval, timeout_s: u64) -> Answer {
        let live = self.surfaces.live(SystemClock.now());
        if live.is_empty() {
            return self.host_or_nobody();
        }
        let took = Cell::new(live.iter().any(|name| name == EDITOR));
        let comes_back = live.iter().any(|name| name != WATCH && name != PAGE);
        let has_left = Cell::new(false);
        let answer = self.wait(approval, timeout_s, || {
            let gone = self.editor_has_left(&took);
            has_left.set(!gone && !took.get() && !comes_back && self.is_deserted());
            !gone && !has_left.get()
        });
        match answer {
            Answer::Unanswered { .. } if has_left.get() => self.host_or_nobody(),
            answer => self.or_closed(answer, &took),
        }
    }

    /// Whether an editor took the question, none of its windows is open any more, and nobody else looks. One that is only
    /// out of sight keeps the question.
    fn editor_has_left(&self, took: &Cell<bool>) -> bool {
        let is_open = self.surfaces.has_window();
        if !took.get() && is_open {
            took.set(self.surfaces.live(SystemClock.now()).iter().any(|name| name == EDITOR));
        }
        took.get() && !is_open && self.is_deserted()
    }

    /// The editor that took the question is gone: that is a no, not silence.
    fn or_closed(&self, answer: Answer, took: &Cell<bool>) -> Answer {
        match answer {
            Answer::Unanswered { .. } if self.editor_has_left(took) => {
                Answer::Reject { by: EDITOR.to_owned(), feedback: Some(CLOSED.to_owned()) }
            }
            answer => answer,
        }
    }

    /// Whether nobody looks. Where two screens were open, the one that stays gives a sign within a moment.
    fn is_deserted(&self) -> bool {
        let nobody = || self.surfaces.live(SystemClock.now()).is_empty();
        nobody() && {
            std::thread::sleep(BETWEEN_LOOKS);
            nobody()
        }
    }

    fn wait(&self, approval: &Approval, timeout_s: u64, is_worth_it: impl Fn() -> bool) -> Answer {
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()).as_secs());
        let seconds = timeout_s.min(LONGEST_WAIT_S).min(left.unwrap_or(LONGEST_WAIT_S));
        let answered = self.queue.wait_answer(&approval.id, Duration::from_secs(seconds), is_worth_it);
        match answered.map(|found| found.status) {
            Some(ApprovalStatus::Approved { by, .. }) => Answer::Approve { by },
            Some(ApprovalStatus::Rejected { by, feedback, .. }) => Answer::Reject { by, feedback },
            _ => Answer::Unanswered {
                why: format!("Nobody answered within {seconds} s; the request stays open."),
            },
        }
    }
}

/// The answer comes on the same connection (`gate`).
#[derive(Clone, Copy, Debug)]
pub struct SameConnection;

#[async_trait]
impl Approver for SameConnection {
    async fn ask(&self, _approval: &Approval, _timeout_s: u64) -> Answer {
        Answer::Deferred
    }
}

#[cfg(test)]
mod tests {
    use bailiwick_adapters_fs::Layout;
    use bailiwick_domain::ApprovalQueue;
    use bailiwick_domain::testing::sample;

    use super::*;

    /// A question, and whoever is asked about it.
    struct Asked {
        _folder: tempfile::TempDir,
        approval: Approval,
        surfaces: Surfaces,
        approver: ChannelApprover,
    }

    fn asked(channel: ApprovalChannel) -> Asked {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path(), folder.path(), Some(folder.path().join("home")));
        let surfaces = Surfaces::new(layout.clone());
        let queue = FsApprovalQueue::new(layout);
        let approval = pollster::block_on(queue.open(&sample::request("waits"), SystemClock.now())).unwrap();
        let (person_at_host, until): (fn() -> bool, _) = (|| true, None);
        let approver = ChannelApprover { channel, queue, surfaces: surfaces.clone(), person_at_host, until };
        Asked { _folder: folder, approval, surfaces, approver }
    }

    impl Asked {
        /// What comes of it when that happens meanwhile.
        fn when(&self, timeout_s: u64, happens: impl FnOnce()) -> Answer {
            std::thread::scope(|scope| {
                let answer = scope.spawn(|| pollster::block_on(self.approver.ask(&self.approval, timeout_s)));
                happens();
                answer.join().unwrap()
            })
        }
    }

    // C: a question goes on to the host's prompt when the screen that it waits for is closed
    #[test]
    fn a_call_waits_no_longer_than_the_screen_is_open() {
        let asked = asked(ApprovalChannel::Auto);
        asked.surfaces.beat(WATCH).unwrap();
        assert_eq!(asked.when(100_000, || asked.surfaces.withdraw(WATCH)), Answer::AskHost);
    }

    // D-38: a closed editor has said no; one that is out of sight has said nothing; with another window or surface the
    // question stays
    #[test]
    fn req_074_an_editor_that_goes_away_has_said_no() {
        for channel in [ApprovalChannel::Auto, ApprovalChannel::Queue] {
            let asked = asked(channel);
            let window = asked.surfaces.open_window().unwrap();
            let waits = |happens: &dyn Fn()| {
                window.beat().unwrap();
                let answer = asked.when(1, happens);
                assert!(matches!(answer, Answer::Unanswered { .. }), "{answer:?}");
            };
            waits(&|| window.rest().unwrap());
            waits(&|| drop(asked.surfaces.open_window().unwrap()));
            let took = Cell::new(false);
            assert!(!asked.approver.editor_has_left(&took));
            window.beat().unwrap();
            assert!(!asked.approver.editor_has_left(&took) && took.get(), "from now on it has the question");
            asked.surfaces.beat(WATCH).unwrap();
            drop(window);
            assert!(!asked.approver.editor_has_left(&took), "somebody else looks");
            asked.surfaces.withdraw(WATCH);
            let no = Answer::Reject { by: EDITOR.to_owned(), feedback: Some(CLOSED.to_owned()) };
            assert_eq!(asked.approver.or_closed(Answer::Unanswered { why: String::new() }, &took), no);
            let yes = Answer::Approve { by: "dana".to_owned() };
            assert_eq!(asked.approver.or_closed(yes.clone(), &took), yes, "who answered before decided");
        }
    }

    // D-38: no surface before the question was put
    #[test]
    fn req_074_a_window_that_nobody_uses_leaves_the_question_to_the_host() {
        let asked = asked(ApprovalChannel::Auto);
        let _window = asked.surfaces.open_window().unwrap();
        assert_eq!(asked.when(100_000, || ()), Answer::AskHost);
    }
}
