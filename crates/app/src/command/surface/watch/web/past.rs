//! What was answered, in the page's words, and what taking it back would do.
//!
//! Deliberately absent: finding either, and putting files back.

use bailiwick_adapters_fs::SystemClock;
use bailiwick_adapters_web::page::{AnsweredRow, Reply};
use bailiwick_domain::{ApprovalStatus, Clock, Timestamp};

use super::board;
use crate::command::CommandError;
use crate::command::answers::past;
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
        said: past::said(approval, now),
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
