//! What was answered and what is taken back, in the words of the wire. Each is made on a thread of its own, since it reads
//! the ledger.

use bailiwick_adapters_fs::SystemClock;
use bailiwick_adapters_vscode::protocol as wire;
use bailiwick_adapters_vscode::{Later, Refusal};
use bailiwick_domain::{Approval, ApprovalStatus, Clock, NoPerson, Timestamp, Value, json};

use super::shown;
use crate::command::history::restore;
use crate::command::surface::answered::{self, Answered, Undone};
use crate::redact::{redact, redact_preview};
use crate::restore::RestorePlan;
use crate::site::Site;

/// The most of all diffs of a plan, in bytes; of what is longer, both ends are shown.
const DIFFS_BYTES: usize = 400_000;

/// A page of what was answered.
pub(super) fn history(site: Site, before: Option<String>) -> Later {
    Box::new(move || {
        let (page, more) = answered::page(&site, before.as_deref()).map_err(Refusal::not_done)?;
        let now = SystemClock.now();
        let answered = page.iter().map(|one| told(one, now)).collect();
        Ok(json!(wire::HistoryPage { answered, more }))
    })
}

/// What taking back an entry would do.
pub(super) fn plan(site: Site, entry: String) -> Later {
    Box::new(move || {
        let (plan, shown) = answered::plan(&site, &entry).map_err(Refusal::not_done)?;
        Ok(planned(&plan, shown))
    })
}

/// Takes it back.
pub(super) fn finish(site: Site, undo: wire::UndoGiven, by: String) -> Later {
    Box::new(move || {
        let done = answered::take_back(&site, &undo.entry, &undo.shown, &by);
        Ok(json!(wire::Said { message: done.map_err(Refusal::not_done)? }))
    })
}

/// What was answered, by whom, and what the agent was told; a yes that was not used in time lapsed.
fn outcome(approval: &Approval, now: Timestamp) -> (wire::Outcome, Option<&String>, Option<&String>) {
    match &approval.status {
        ApprovalStatus::Approved { by, .. } if approval.expires <= now => {
            (wire::Outcome::Lapsed, Some(by), None)
        }
        ApprovalStatus::Approved { by, grant: Some(_), .. } => (wire::Outcome::Granted, Some(by), None),
        ApprovalStatus::Approved { by, .. } => (wire::Outcome::Approved, Some(by), None),
        ApprovalStatus::Void { by, why, .. } => (wire::Outcome::Void, Some(by), Some(why)),
        ApprovalStatus::Used { by, .. } => (wire::Outcome::Used, Some(by), None),
        ApprovalStatus::Rejected { by, feedback, .. } => {
            let nobody = NoPerson::of(by).is_some();
            let outcome = if nobody { wire::Outcome::Ended } else { wire::Outcome::Rejected };
            (outcome, Some(by), feedback.as_ref())
        }
        ApprovalStatus::Open => (wire::Outcome::Unanswered, None, None),
        ApprovalStatus::NotRun { .. } | ApprovalStatus::WithHost { .. } => {
            (wire::Outcome::NotRun, None, None)
        }
    }
}

fn told(one: &Answered, now: Timestamp) -> wire::Answered {
    let (approval, request) = (&one.approval, &one.approval.request);
    let (outcome, by, feedback) = outcome(approval, now);
    wire::Answered {
        id: approval.id.0.clone(),
        kind: shown::kind(request.kind),
        intent_id: request.intent_id.as_ref().map(ToString::to_string),
        asked_by: shown::asked_by(request),
        tool: request.tool.clone(),
        draft: request.draft.as_ref().map(shown::draft),
        changed_paths: request.changed_paths.clone(),
        reason: redact(&request.reason),
        outcome,
        by: by.cloned(),
        at: answered::moment(approval, now).unwrap_or(approval.created).to_string(),
        feedback: feedback.cloned(),
        entry: one.entry.clone(),
        undone: one.undone == Undone::Whole,
        undone_in_part: one.undone == Undone::Part,
    }
}

fn planned(plan: &RestorePlan, shown: String) -> Value {
    let mut left = DIFFS_BYTES;
    let files = plan.files.iter().map(|file| {
        let diff = restore::diff_within(file, left);
        left = left.saturating_sub(diff.len());
        let (path, what) = (file.path.as_str().to_owned(), restore::word(file).to_owned());
        wire::UndoFile { path, what, diff: redact_preview(&diff) }
    });
    let obstacles = plan
        .obstacles
        .iter()
        .map(|other| wire::Obstacle { path: other.path.as_str().to_owned(), why: other.why.clone() });
    json!(wire::UndoPlan {
        files: files.collect(),
        already: plan.already.iter().map(|path| path.as_str().to_owned()).collect(),
        obstacles: obstacles.collect(),
        shown,
    })
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::ApprovalId;
    use bailiwick_domain::testing::sample;

    use super::*;

    #[test]
    fn a_yes_that_nobody_used_in_time_lapsed() {
        let (now, by) = (sample::now(), "dana".to_owned());
        let approval = Approval {
            id: ApprovalId("ap-1".to_owned()),
            request: sample::request("one"),
            created: now,
            expires: now.plus_seconds(Approval::LIFETIME_S),
            status: ApprovalStatus::Approved { by: by.clone(), at: now, grant: None },
            amended: None,
        };
        let said = |status: ApprovalStatus, after| {
            outcome(&Approval { status, ..approval.clone() }, now.plus_seconds(after)).0
        };
        assert_eq!(said(approval.status.clone(), 599), wire::Outcome::Approved);
        assert_eq!(said(approval.status.clone(), 600), wire::Outcome::Lapsed);
        assert_eq!(said(ApprovalStatus::Used { by, at: now }, 600), wire::Outcome::Used);
        assert_eq!(said(ApprovalStatus::Open, 600), wire::Outcome::Unanswered);
    }

    // D-38: a no that nobody gave is not shown as one that somebody gave
    #[test]
    fn a_no_says_whether_a_person_gave_it() {
        let now = sample::now();
        let said = |by: &str| {
            let (by, feedback) = (by.to_owned(), Some("why".to_owned()));
            let approval = Approval {
                id: ApprovalId("ap-1".to_owned()),
                request: sample::request("one"),
                created: now,
                expires: now.plus_seconds(Approval::LIFETIME_S),
                status: ApprovalStatus::Rejected { by, at: now, feedback },
                amended: None,
            };
            outcome(&approval, now).0
        };
        assert_eq!(said("dana"), wire::Outcome::Rejected);
        assert_eq!(said("editor"), wire::Outcome::Rejected, "a person may be called so");
        for one in [NoPerson::Editor, NoPerson::Settings] {
            assert_eq!(said(one.name()), wire::Outcome::Ended);
        }
    }
}
