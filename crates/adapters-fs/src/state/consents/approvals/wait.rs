//! Waiting for an answer: woken by the file system, looking again at least four times a second, since nothing wakes it when
//! it is not worth it any more.

use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use bailiwick_domain::{Approval, ApprovalId, ApprovalStatus};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::FsApprovalQueue;

const LOOK_AGAIN: Duration = Duration::from_millis(250);
const POLL: Duration = Duration::from_millis(50);

impl FsApprovalQueue {
    /// Blocks until the request is answered, at most `timeout` and only while it is worth it. Where it stands then; `None` when
    /// it cannot be read.
    pub fn wait_answer(
        &self,
        id: &ApprovalId,
        timeout: Duration,
        is_worth_it: impl Fn() -> bool,
    ) -> Option<Approval> {
        let mut found = None;
        self.look_until(timeout, || {
            found = self.look(id).ok().flatten();
            found.as_ref().is_none_or(is_answered) || !is_worth_it()
        });
        found
    }

    /// Blocks until one of the requests is answered, at most `timeout` and only while it is worth it. What cannot be
    /// read is not waited for.
    pub fn wait_for_any(&self, ids: &[ApprovalId], timeout: Duration, is_worth_it: impl Fn() -> bool) {
        self.look_until(timeout, || {
            let mut readable = ids.iter().filter_map(|id| self.look(id).ok().flatten()).peekable();
            readable.peek().is_none() || readable.any(|approval| is_answered(&approval)) || !is_worth_it()
        });
    }

    fn look_until(&self, timeout: Duration, mut is_over: impl FnMut() -> bool) {
        let deadline = Instant::now() + timeout;
        let waker = self.watch();
        while !is_over() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            match &waker {
                Some((_watcher, woken)) => {
                    let _ = woken.recv_timeout(left.min(LOOK_AGAIN));
                }
                None => std::thread::sleep(left.min(POLL)),
            }
        }
    }

    fn watch(&self) -> Option<(RecommendedWatcher, Receiver<()>)> {
        let (wake, woken) = mpsc::channel();
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let changed =
                event.is_ok_and(|event| matches!(event.kind, EventKind::Create(_) | EventKind::Modify(_)));
            if changed {
                let _ = wake.send(());
            }
        })
        .ok()?;
        watcher.watch(&self.dir, RecursiveMode::NonRecursive).ok()?;
        Some((watcher, woken))
    }
}

fn is_answered(approval: &Approval) -> bool {
    approval.status != ApprovalStatus::Open
}
