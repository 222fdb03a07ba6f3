//! Who is asked: the queue when one of its surfaces is live, else the host's own prompt when a person is provably there,
//! else nobody (issue of `approval.channel`; D-06, D-16, D-28).

use std::time::{Duration, Instant};

use async_trait::async_trait;
use bailiwick_adapters_fs::{FsApprovalQueue, Surfaces, SystemClock};
use bailiwick_domain::{Answer, Approval, ApprovalChannel, ApprovalStatus, Approver, Clock};

/// The longest that a hook may wait, in seconds: under every host's limit that `init` writes.
pub const LONGEST_WAIT_S: u64 = 110;

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
            ApprovalChannel::Queue => self.wait(approval, timeout_s),
            ApprovalChannel::Host => self.host_or_nobody(),
            ApprovalChannel::Auto if self.surfaces.live(SystemClock.now()).is_empty() => {
                self.host_or_nobody()
            }
            ApprovalChannel::Auto => self.wait(approval, timeout_s),
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

    fn wait(&self, approval: &Approval, timeout_s: u64) -> Answer {
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()).as_secs());
        let seconds = timeout_s.min(LONGEST_WAIT_S).min(left.unwrap_or(LONGEST_WAIT_S));
        let answered = self.queue.wait_answer(&approval.id, Duration::from_secs(seconds));
        match answered.map(|found| found.status) {
            Some(ApprovalStatus::Approved { by, .. }) => Answer::Approve { by },
            Some(ApprovalStatus::Rejected { by, feedback, .. }) => Answer::Reject { by, feedback },
            Some(ApprovalStatus::Open | ApprovalStatus::Used { .. }) | None => Answer::Unanswered {
                why: format!("Nobody answered within {seconds} s; the request stays open."),
            },
        }
    }
}

/// The answer comes on the same connection (`gate`; D-16 c).
#[derive(Clone, Copy, Debug)]
pub struct SameConnection;

#[async_trait]
impl Approver for SameConnection {
    async fn ask(&self, _approval: &Approval, _timeout_s: u64) -> Answer {
        Answer::Deferred
    }
}
