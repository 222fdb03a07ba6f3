//! A stop event: held while the agent waits for a person who is there, continued with what that person answered.
//!
//! Whoever is at a live surface may answer; without one nobody can, and the turn ends at once. A turn goes on only for an
//! answer that its agent has not heard, so it never goes round in a circle. Where the turn ends, its grant ends.

use std::time::{Duration, Instant};

use bailiwick_adapters_fs::{FsApprovalQueue, Surfaces, SystemClock};
use bailiwick_adapters_hooks::Reply;
use bailiwick_domain::{
    Actor, Approval, ApprovalChannel, ApprovalId, ApprovalStatus, Clock, NoPerson, ToolError,
};

use super::deadline::Deadline;
use crate::approvers::LONGEST_WAIT_S;
use crate::gate::Gate;
use crate::inert;
use crate::map_file;
use crate::site::Site;

/// The longest that the stop of a session is held.
pub(super) const LONGEST_OF_A_TURN: Duration = Duration::from_secs(LONGEST_WAIT_S);
/// What the hook keeps for the time after it: that the turn goes on is written down under the lock of the root, which
/// others may hold for twenty seconds.
const AFTER_THE_HOLD: Duration = Duration::from_secs(22);
/// The longest that the stop of a sub-agent is held: its parent waits, and hooks installed by earlier versions have 30 s.
pub(super) const LONGEST_OF_AN_ERRAND: Duration = Duration::from_secs(20);

/// So many characters of a call are told; the agent knows its own call by less.
const LONGEST_NAME: usize = 200;

/// Until when a stop that comes now may be held, so that the hook does not outlast its own end.
fn until(deadline: Deadline, longest: Duration) -> Instant {
    (Instant::now() + longest).min(deadline.less(AFTER_THE_HOLD))
}

/// Ends the turn of the actor, or lets it go on; the stop is held no longer than that.
pub(super) async fn reply(
    gate: &Gate,
    site: &Site,
    actor: &Actor,
    deadline: Deadline,
    longest: Duration,
) -> Reply {
    let until = until(deadline, longest);
    let _ = gate.settle(actor).await;
    match unheard(gate, site, actor, until).await {
        Ok(Some(reason)) => Reply::KeepGoing { reason },
        Ok(None) | Err(_) => {
            turn_over(gate, actor, site).await;
            Reply::NoOpinion
        }
    }
}

/// What the turn meant is written down, and the map follows it. Neither holds up the host: what fails here is found by
/// `trace log` and `map`.
pub(super) async fn turn_over(gate: &Gate, actor: &Actor, site: &Site) {
    if gate.turn_over(actor).await.is_ok_and(|turn| turn.evolved) {
        let _ = map_file::follow(site);
    }
}

/// What the agent shall hear before it may stop.
async fn unheard(
    gate: &Gate,
    site: &Site,
    actor: &Actor,
    until: Instant,
) -> Result<Option<String>, ToolError> {
    let mut awaited = gate.standing().awaited(actor).await?;
    if !awaited.is_empty() && awaited.iter().all(is_open) {
        hold(gate, site, &awaited, until).await;
        awaited = gate.standing().awaited(actor).await?;
    }
    let (open, answered): (Vec<Approval>, Vec<Approval>) = awaited.into_iter().partition(is_open);
    if answered.is_empty() {
        return Ok(None);
    }
    gate.standing().turn_goes_on(actor, &answered).await?;
    let mut lines = vec!["Bailiwick: a human has answered what you were waiting for.".to_owned()];
    lines.extend(answered.iter().chain(&open).map(told));
    Ok(Some(lines.join("\n")))
}

/// Waits for the first answer while somebody can give one, as long as a call would wait.
async fn hold(gate: &Gate, site: &Site, awaited: &[Approval], until: Instant) {
    let Ok(settings) = gate.ports().rules.policy.settings().await else { return };
    if !matches!(settings.channel, ApprovalChannel::Auto | ApprovalChannel::Queue) {
        return;
    }
    let ids: Vec<ApprovalId> = awaited.iter().map(|approval| approval.id.clone()).collect();
    let surfaces = Surfaces::new(site.layout.clone());
    let somebody_is_there = || !surfaces.live(SystemClock.now()).is_empty();
    let left = until.saturating_duration_since(Instant::now());
    let longest = left.min(Duration::from_secs(settings.approval_timeout_s));
    FsApprovalQueue::new(site.layout.clone()).wait_for_any(&ids, longest, somebody_is_there);
}

fn is_open(approval: &Approval) -> bool {
    approval.status == ApprovalStatus::Open
}

/// One line about one request. A human's message is passed on as it is; names that an agent chose are made harmless.
fn told(approval: &Approval) -> String {
    let call = named(approval);
    match &approval.status {
        ApprovalStatus::Approved { .. } => {
            format!("- Approved: {call}. Retry exactly the same call now; it passes once.")
        }
        ApprovalStatus::Void { why, .. } => {
            format!("- Approved too late: {call}. {why}.")
        }
        ApprovalStatus::Rejected { by, feedback, .. } => {
            let who = if NoPerson::of(by).is_some() { "Why" } else { "The human says" };
            let says = feedback.as_ref().map(|text| format!(" {who}: {text}")).unwrap_or_default();
            format!("- Rejected: {call}. Do not repeat it; find another way or ask.{says}")
        }
        _ => {
            format!("- Still waiting: {call}. Do not retry it yet.")
        }
    }
}

fn named(approval: &Approval) -> String {
    let request = &approval.request;
    let what = match request.changed_paths.as_slice() {
        [] => request.diff_preview.lines().find(|line| line.starts_with("$ ")).map(str::to_owned),
        paths => Some(paths.join(", ")),
    };
    let text = what.map_or_else(|| request.tool.clone(), |what| format!("{} {what}", request.tool));
    let short: String = inert::lines(&text).join(" ").chars().take(LONGEST_NAME).collect();
    format!("`{short}` (request {})", approval.id.0)
}

#[cfg(test)]
mod tests {
    use bailiwick_adapters_hooks::HostProfile;
    use bailiwick_domain::testing::sample;
    use bailiwick_domain::{ApprovalRequest, Timestamp};

    use super::*;

    fn answered(status: ApprovalStatus, request: ApprovalRequest) -> Approval {
        let (created, expires) = (Timestamp::from_unix_ms(0), Timestamp::from_unix_ms(1));
        Approval { id: ApprovalId("ap-1".to_owned()), request, created, expires, status, amended: None }
    }

    // D-06
    #[test]
    fn each_answer_says_what_to_do_with_the_call() {
        let by = || "ada".to_owned();
        let at = Timestamp::from_unix_ms(0);
        let yes = answered(ApprovalStatus::Approved { by: by(), at, grant: None }, sample::request("stop"));
        assert!(told(&yes).contains("Retry exactly the same call"), "{}", told(&yes));
        let feedback = Some("use the helper".to_owned());
        let no = answered(ApprovalStatus::Rejected { by: by(), at, feedback }, sample::request("stop"));
        assert!(told(&no).contains("Do not repeat it") && told(&no).ends_with("use the helper"));
        assert!(told(&answered(ApprovalStatus::Open, sample::request("stop"))).contains("Still waiting"));
    }

    // D-06: what waited for the lock before cannot make the hold outlast the hook
    #[test]
    fn a_stop_is_held_no_longer_than_the_hook_lives() {
        let seconds = Duration::from_secs;
        let now = Instant::now();
        let until_alarm = |ago: u64| {
            now.checked_sub(seconds(ago)).map(|begun| Deadline::of(begun, &HostProfile::UNKNOWN)).unwrap()
        };
        let held = |ago: u64, longest: Duration| {
            until(until_alarm(ago), longest).saturating_duration_since(now).as_secs()
        };
        assert_eq!(held(0, LONGEST_OF_A_TURN), 94, "the alarm comes after 116 s, the lock may take 20");
        assert_eq!(held(20, LONGEST_OF_A_TURN), 74);
        assert_eq!(held(0, LONGEST_OF_AN_ERRAND), 20);
        assert_eq!(held(90, LONGEST_OF_AN_ERRAND), 4);
        for ago in [94, 110, 116, 500] {
            assert_eq!(held(ago, LONGEST_OF_A_TURN), 0, "{ago}");
        }
    }

    // threat G1
    #[test]
    fn a_command_is_told_by_its_text_without_control_characters_and_not_at_length() {
        let mut request = sample::request("stop");
        request.changed_paths.clear();
        request.diff_preview = format!("in .\n$ touch \u{1b}[2Ja {}", "x".repeat(500));
        let line = told(&answered(ApprovalStatus::Open, request));
        assert!(line.contains("$ touch") && !line.contains('\u{1b}'), "{line}");
        assert!(line.len() < 400, "{line}");
    }
}
