//! Who is asked: the queue when one of its surfaces is live, else the host's own prompt when a person is provably there,
//! else nobody (the setting `approval.channel`; ADR 0004).

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bailiwick_adapters_fs::{
    DialogAbove, Dialogs, EDITOR, FsApprovalQueue, PAGE, Surfaces, SystemClock, WATCH,
};
use bailiwick_domain::{
    Answer, Approval, ApprovalChannel, ApprovalKind, ApprovalRequest, ApprovalStatus, Approver, Clock,
    NoPerson,
};

/// The longest that a hook may wait, in seconds: under every host's limit that `init` writes.
pub const LONGEST_WAIT_S: u64 = 110;

/// So long a screen may be silent between two signs of life before nobody is behind it.
const BETWEEN_LOOKS: Duration = Duration::from_millis(700);

/// Why a question that was open in an editor is rejected when the editor goes away.
pub const CLOSED: &str = "the editor in which the question was open was closed";

/// Why a call that was called off has no answer.
const UNAWAITED: &str = "Nobody waits for this call any more; the request stays open.";

/// Why a question whose request is gone has no answer: it was damaged, or an answer to it was stopped while it was written.
const UNREADABLE: &str =
    "It cannot be read any more, so that no answer to it counts; the same call asks anew.";

/// Asks by the channel that the settings name.
#[derive(Debug)]
pub struct ChannelApprover {
    /// `approval.channel`.
    pub channel: ApprovalChannel,
    /// The queue that surfaces answer.
    pub queue: FsApprovalQueue,
    /// Which surfaces are live.
    pub surfaces: Surfaces,
    /// Where a person turned the own dialogs of some clients on: which of them are open.
    pub dialogs: Option<Dialogs>,
    /// Finds out whether a person is provably at the host; asked only when nobody else can be.
    pub person_at_host: fn() -> bool,
    /// By when it must have an answer, if there is such a moment: whoever waits on is ended.
    pub until: Option<Instant>,
    /// Whether somebody waits for the call that is asked about.
    pub awaited: Awaited,
}

/// Whether somebody waits for a call, as whoever took it from its client knows.
#[derive(Clone)]
pub struct Awaited(Arc<dyn Fn() -> bool + Send + Sync>);

impl Awaited {
    /// As long as this says so.
    pub fn while_true(is_awaited: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(is_awaited))
    }

    /// As long as this process runs: it ends with whoever waits.
    pub fn always() -> Self {
        Self::while_true(|| true)
    }
}

impl fmt::Debug for Awaited {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Awaited").field(&(self.0)()).finish()
    }
}

#[async_trait]
impl Approver for ChannelApprover {
    fn is_awaited(&self) -> bool {
        (self.awaited.0)()
    }

    async fn ask(&self, approval: &Approval, timeout_s: u64) -> Answer {
        match self.channel {
            ApprovalChannel::Deny => Answer::Reject {
                by: NoPerson::Settings.name().to_owned(),
                feedback: Some("approval.channel is `deny` in this repository: nobody is asked".to_owned()),
            },
            ApprovalChannel::Queue => self.in_the_queue(approval, timeout_s),
            ApprovalChannel::Host => {
                self.in_a_dialog(approval, timeout_s).unwrap_or_else(|| self.host_or_nobody())
            }
            ApprovalChannel::Auto => self
                .in_a_dialog(approval, timeout_s)
                .unwrap_or_else(|| self.surface_or_host(approval, timeout_s)),
        }
    }
}

/// Whether the own dialog of a client may show a request: a single call that is shown whole, and
/// nothing that holds longer than it.
pub fn may_be_asked_in_a_dialog(request: &ApprovalRequest) -> bool {
    matches!(request.kind, ApprovalKind::Destructive | ApprovalKind::Outbound)
        && request.accepts.is_empty()
        && request.draft.is_none()
        && request.broad.is_none()
        && crate::review::unseen(&request.diff_preview).is_none()
}

impl ChannelApprover {
    fn host_or_nobody(&self) -> Answer {
        if (self.person_at_host)() {
            return Answer::AskHost;
        }
        let why = "Nobody is there to answer: ask the human to run `bailiwick watch` in a terminal of this repository, then retry.";
        Answer::Unanswered { why: why.to_owned() }
    }

    /// The dialog of the client above this process, where there is one that takes the question. One that goes away has
    /// said no, unless somebody looks at the queue.
    fn in_a_dialog(&self, approval: &Approval, timeout_s: u64) -> Option<Answer> {
        let dialogs = self.dialogs.as_ref().filter(|_| may_be_asked_in_a_dialog(&approval.request))?;
        let above = dialogs.above().filter(|above| above.hand(&approval.id).is_ok())?;
        let nobody_looks = || self.surfaces.live(SystemClock.now()).is_empty();
        let is_left = || !DialogAbove::is_open(&above) && nobody_looks();
        match self.wait(approval, timeout_s, || !is_left()) {
            Answer::Unanswered { .. } if is_left() => Some(Answer::Reject {
                by: NoPerson::Editor.name().to_owned(),
                feedback: Some(CLOSED.to_owned()),
            }),
            answer => Some(answer),
        }
    }

    /// The queue, whether somebody looks at it now or not.
    fn in_the_queue(&self, approval: &Approval, timeout_s: u64) -> Answer {
        let editor = Windows::of(&self.surfaces);
        let answer = self.wait(approval, timeout_s, || !editor.have_left());
        editor.or_closed(answer)
    }

    /// The queue while somebody may look at it. A screen that is closed meanwhile leaves the question to the host's
    /// prompt; one that answers single commands may come back at any time. An editor that goes away has said no.
    fn surface_or_host(&self, approval: &Approval, timeout_s: u64) -> Answer {
        let editor = Windows::of(&self.surfaces);
        let live = self.surfaces.live(SystemClock.now());
        if live.is_empty() {
            return self.host_or_nobody();
        }
        let comes_back = live.iter().any(|name| name != WATCH && name != PAGE);
        let has_left = Cell::new(false);
        let answer = self.wait(approval, timeout_s, || {
            let is_closed = editor.have_left();
            has_left.set(!is_closed && !editor.took.get() && !comes_back && self.is_deserted());
            !is_closed && !has_left.get()
        });
        match answer {
            Answer::Unanswered { .. } if has_left.get() => self.host_or_nobody(),
            answer => editor.or_closed(answer),
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

    /// Waits for an answer. A call that nobody waits for takes none: it is there for the next one that is the same.
    fn wait(&self, approval: &Approval, timeout_s: u64, is_worth_it: impl Fn() -> bool) -> Answer {
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()).as_secs());
        let seconds = timeout_s.min(LONGEST_WAIT_S).min(left.unwrap_or(LONGEST_WAIT_S));
        let is_worth_it = || self.is_awaited() && is_worth_it();
        let answered = self.queue.wait_answer(&approval.id, Duration::from_secs(seconds), is_worth_it);
        if !self.is_awaited() {
            return Answer::Unanswered { why: UNAWAITED.to_owned() };
        }
        let Some(found) = answered else { return Answer::Unanswered { why: UNREADABLE.to_owned() } };
        match found.status {
            // Whose yes it was, the gate finds out.
            ApprovalStatus::Approved { by, .. } | ApprovalStatus::Used { by, .. } => Answer::Approve { by },
            ApprovalStatus::Void { by, why, .. } => Answer::Void { by, why },
            ApprovalStatus::Rejected { by, feedback, .. } => Answer::Reject { by, feedback },
            _ => Answer::Unanswered {
                why: format!("Nobody answered within {seconds} s; the request stays open."),
            },
        }
    }
}

/// The windows of editors in which a question is open, as long as its call waits.
struct Windows<'a> {
    surfaces: &'a Surfaces,
    /// Those that were open at the last look.
    open: RefCell<BTreeSet<OsString>>,
    /// Whether somebody used one of them meanwhile.
    took: Cell<bool>,
}

impl<'a> Windows<'a> {
    fn of(surfaces: &'a Surfaces) -> Self {
        let windows = Self { surfaces, open: RefCell::default(), took: Cell::new(false) };
        windows.have_left();
        windows
    }

    /// Whether an editor took the question, every window that had it is gone, and no other surface is live. A window
    /// that is only out of sight keeps the question; one that is opened afterwards, as a reloaded one is, never had it.
    fn have_left(&self) -> bool {
        let now = self.surfaces.open_windows();
        let mut open = self.open.borrow_mut();
        if open.is_empty() || !open.is_disjoint(&now) {
            let is_used = || self.surfaces.live(SystemClock.now()).iter().any(|name| name == EDITOR);
            self.took.set(self.took.get() || (!now.is_empty() && is_used()));
            *open = now;
            return false;
        }
        self.took.get() && self.nobody_else() && {
            std::thread::sleep(BETWEEN_LOOKS);
            self.nobody_else()
        }
    }

    fn nobody_else(&self) -> bool {
        self.surfaces.live(SystemClock.now()).iter().all(|name| name == EDITOR)
    }

    /// The editor that took the question is gone: that is a no, not silence.
    fn or_closed(&self, answer: Answer) -> Answer {
        match answer {
            Answer::Unanswered { .. } if self.have_left() => {
                Answer::Reject { by: NoPerson::Editor.name().to_owned(), feedback: Some(CLOSED.to_owned()) }
            }
            answer => answer,
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
    use std::sync::atomic::{AtomicBool, Ordering};

    use bailiwick_adapters_fs::Layout;
    use bailiwick_domain::ApprovalQueue;
    use bailiwick_domain::testing::sample;
    use pollster::block_on;

    use super::*;

    /// A question, and whoever is asked about it.
    struct Asked {
        _folder: tempfile::TempDir,
        layout: Layout,
        approval: Approval,
        surfaces: Surfaces,
        approver: ChannelApprover,
    }

    fn asked(channel: ApprovalChannel) -> Asked {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path(), folder.path(), Some(folder.path().join("home")));
        let surfaces = Surfaces::new(layout.clone());
        let queue = FsApprovalQueue::new(layout.clone());
        let approval = pollster::block_on(queue.open(&sample::request("waits"), SystemClock.now())).unwrap();
        let (person_at_host, until): (fn() -> bool, _) = (|| true, None);
        let (surfaces_of, awaited) = (surfaces.clone(), Awaited::always());
        let approver = ChannelApprover {
            channel,
            queue,
            surfaces: surfaces_of,
            dialogs: None,
            person_at_host,
            until,
            awaited,
        };
        Asked { _folder: folder, layout, approval, surfaces, approver }
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
        let asked = asked(ApprovalChannel::Auto);
        let window = asked.surfaces.open_window().unwrap();
        window.beat().unwrap();
        let editor = Windows::of(&asked.surfaces);
        assert!(!editor.have_left());
        window.rest().unwrap();
        assert!(!editor.have_left(), "out of sight");
        let unseen = editor.or_closed(Answer::Unanswered { why: String::new() });
        assert!(matches!(unseen, Answer::Unanswered { .. }), "{unseen:?}");
        asked.surfaces.beat(WATCH).unwrap();
        drop(window);
        assert!(!editor.have_left(), "somebody else looks");
        asked.surfaces.withdraw(WATCH);
        // The editor is started anew, and used: the question was not open in this window.
        let reloaded = asked.surfaces.open_window().unwrap();
        reloaded.beat().unwrap();
        assert!(editor.have_left());
        let no = Answer::Reject { by: NoPerson::Editor.name().to_owned(), feedback: Some(CLOSED.to_owned()) };
        assert_eq!(editor.or_closed(Answer::Unanswered { why: String::new() }), no);
        let yes = Answer::Approve { by: "dana".to_owned() };
        assert_eq!(editor.or_closed(yes.clone()), yes, "who answered before decided");
        // Of two windows one stays.
        let editor = Windows::of(&asked.surfaces);
        let other = asked.surfaces.open_window().unwrap();
        assert!(!editor.have_left());
        drop(reloaded);
        assert!(!editor.have_left());
        drop(other);
        assert!(editor.have_left());
    }

    // D-38: no surface before the question was put
    #[test]
    fn req_074_a_window_that_nobody_uses_leaves_the_question_to_the_host() {
        let asked = asked(ApprovalChannel::Auto);
        let _window = asked.surfaces.open_window().unwrap();
        assert_eq!(asked.when(100_000, || ()), Answer::AskHost);
    }

    fn said_yes(asked: &Asked) {
        let yes = Answer::Approve { by: "dana".to_owned() };
        block_on(asked.approver.queue.answer(&asked.approval.id, &yes, SystemClock.now())).unwrap();
    }

    fn status(asked: &Asked) -> ApprovalStatus {
        block_on(asked.approver.queue.get(&asked.approval.id)).unwrap().unwrap().status
    }

    // D-39: what was called off waits no more, and takes no answer from the call that comes instead
    #[test]
    fn a_call_that_is_called_off_ends_its_wait_and_takes_no_answer() {
        let mut asked = asked(ApprovalChannel::Queue);
        let awaited = Arc::new(AtomicBool::new(true));
        let is_awaited = Arc::clone(&awaited);
        asked.approver.awaited = Awaited::while_true(move || is_awaited.load(Ordering::Relaxed));
        let off = Answer::Unanswered { why: UNAWAITED.to_owned() };
        assert_eq!(asked.when(100_000, || awaited.store(false, Ordering::Relaxed)), off);
        assert_eq!(status(&asked), ApprovalStatus::Open, "the question stays for the next call");
        said_yes(&asked);
        assert_eq!(asked.when(100_000, || ()), off);
        assert!(matches!(status(&asked), ApprovalStatus::Approved { .. }));
    }

    // A yes that was used meanwhile is no silence: the gate finds out who used it
    #[test]
    fn a_yes_that_another_call_used_is_told_as_a_yes() {
        let asked = asked(ApprovalChannel::Queue);
        said_yes(&asked);
        let (id, fingerprint) = (&asked.approval.id, &asked.approval.request.fingerprint);
        block_on(asked.approver.queue.consume(id, fingerprint, SystemClock.now())).unwrap();
        assert_eq!(asked.when(0, || ()), Answer::Approve { by: "dana".to_owned() });
    }

    // An answer that was stopped while it was written: its number is noted, and the request is not there any more
    #[test]
    fn a_request_that_cannot_be_read_is_told_and_is_no_silence() {
        let asked = asked(ApprovalChannel::Queue);
        let folder = asked.layout.remembered().unwrap().join("approvals");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(&asked.approval.id.0), "1").unwrap();
        let told = Answer::Unanswered { why: UNREADABLE.to_owned() };
        assert_eq!(asked.when(100_000, || ()), told);
    }
}
