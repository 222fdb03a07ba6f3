//! What was answered, in the page's words, and what taking it back would do.
//!
//! Deliberately absent: finding either, and putting files back.

use bailiwick_adapters_fs::SystemClock;
use bailiwick_adapters_web::page::{AnsweredRow, Reply};
use bailiwick_domain::{Approval, ApprovalStatus, Clock, NoPerson, Timestamp};

use super::board;
use crate::command::CommandError;
use crate::command::history::restore;
use crate::command::surface::answered::{self, Answered, Undone};
use crate::command::surface::words;
use crate::inert;
use crate::redact::redact_preview;
use crate::review::Review;
use crate::site::Site;

/// The most of all diffs of a plan, in bytes; of what is longer, both ends are shown.
const DIFFS_BYTES: usize = 400_000;

/// A page of what was answered.
pub(super) fn answered(site: &Site, before: Option<&str>) -> Result<Reply, CommandError> {
    let (page, has_more) = answered::page(site, before)?;
    let now = SystemClock.now();
    Ok(Reply::Answered { answered: page.iter().map(|one| row(one, now)).collect(), has_more })
}

fn row(one: &Answered, now: Timestamp) -> AnsweredRow {
    let (approval, request) = (&one.approval, &one.approval.request);
    AnsweredRow {
        id: approval.id.0.clone(),
        what: words::what(request),
        agent: words::actor(&request.actor),
        intent: request.intent_id.as_ref().map(ToString::to_string),
        said: inert::line(&said(approval, now)),
        feedback: match &approval.status {
            ApprovalStatus::Rejected { feedback, .. } => feedback.as_deref().map(inert::line),
            _ => None,
        },
        at: answered::moment(approval, now).unwrap_or(approval.created).unix_ms(),
        entry: one.entry.clone().filter(|_| one.undone != Undone::Whole),
        undone: match one.undone {
            Undone::Nothing => "",
            Undone::Part => "taken back in part",
            Undone::Whole => "taken back",
        },
    }
}

/// What was answered, and by whom; a no that nobody gave says what ended it.
fn said(approval: &Approval, now: Timestamp) -> String {
    match &approval.status {
        ApprovalStatus::Approved { by, .. } if approval.expires <= now => {
            format!("approved by {by}, not used in time")
        }
        ApprovalStatus::Approved { by, grant: Some(_), .. } => format!("granted by {by}, not used yet"),
        ApprovalStatus::Approved { by, .. } => format!("approved by {by}, not used yet"),
        ApprovalStatus::Used { by, .. } => format!("approved by {by}"),
        ApprovalStatus::Rejected { by, .. } => match NoPerson::of(by) {
            Some(NoPerson::Editor) => "ended without an answer".to_owned(),
            Some(NoPerson::Settings) => "rejected by the settings".to_owned(),
            None => format!("rejected by {by}"),
        },
        ApprovalStatus::NotRun { .. } => "not run".to_owned(),
        ApprovalStatus::Open | ApprovalStatus::WithHost { .. } => "nobody answered in time".to_owned(),
    }
}

/// What taking an entry back would do.
pub(super) fn plan(site: &Site, entry: &str) -> Result<Reply, CommandError> {
    let (plan, shown) = answered::plan(site, entry)?;
    let (mut left, mut diffs) = (DIFFS_BYTES, String::new());
    for file in &plan.files {
        let diff = redact_preview(&restore::diff_within(file, left));
        left = left.saturating_sub(diff.len());
        diffs.push_str(&diff);
    }
    let named = |path: &bailiwick_domain::RepoPath| inert::line(path.as_str());
    Ok(Reply::Planned {
        files: plan.files.iter().map(|file| (named(&file.path), restore::word(file).to_owned())).collect(),
        obstacles: plan.obstacles.iter().map(|other| (named(&other.path), inert::line(&other.why))).collect(),
        lines: board::lines(&Review::of(&diffs)),
        shown,
    })
}

/// Takes it back.
pub(super) fn take_back(site: &Site, entry: &str, shown: &str, by: &str) -> Result<Reply, CommandError> {
    answered::take_back(site, entry, shown, by).map(|says| Reply::Done { says })
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::ApprovalId;
    use bailiwick_domain::testing::sample;

    use super::*;

    // D-38
    #[test]
    fn a_no_that_nobody_gave_says_what_ended_it() {
        let now = sample::now();
        let told = |status: ApprovalStatus| {
            let approval = Approval {
                id: ApprovalId("ap-1".to_owned()),
                request: sample::request("one"),
                created: now,
                expires: now.plus_seconds(600),
                status,
                amended: None,
            };
            said(&approval, now.plus_seconds(600))
        };
        let no = |by: &str| ApprovalStatus::Rejected { by: by.to_owned(), at: now, feedback: None };
        assert_eq!(told(no("dana")), "rejected by dana");
        assert_eq!(told(no(NoPerson::Editor.name())), "ended without an answer");
        assert_eq!(told(no(NoPerson::Settings.name())), "rejected by the settings");
        assert_eq!(told(ApprovalStatus::Open), "nobody answered in time");
        let yes = ApprovalStatus::Approved { by: "dana".to_owned(), at: now, grant: None };
        assert_eq!(told(yes), "approved by dana, not used in time");
        assert_eq!(told(ApprovalStatus::Used { by: "dana".to_owned(), at: now }), "approved by dana");
    }
}
