//! What became of a request that was answered, in words.

use bailiwick_domain::{Approval, ApprovalStatus, NoPerson, Timestamp};

use crate::inert;

/// What was answered, and by whom; a no that nobody gave says what ended it.
pub(in crate::command) fn said(approval: &Approval, now: Timestamp) -> String {
    let said = match &approval.status {
        ApprovalStatus::Approved { by, .. } if approval.expires <= now => {
            format!("approved by {by}, not used in time")
        }
        ApprovalStatus::Approved { by, grant: Some(_), .. } => format!("granted by {by}, not used yet"),
        ApprovalStatus::Approved { by, .. } => format!("approved by {by}, not used yet"),
        ApprovalStatus::Void { by, why, .. } => format!("void when {by} approved it: {why}"),
        ApprovalStatus::Used { by, .. } => format!("approved by {by}"),
        ApprovalStatus::Rejected { by, .. } => match NoPerson::of(by) {
            Some(NoPerson::Editor) => "ended without an answer".to_owned(),
            Some(NoPerson::Settings) => "rejected by the settings".to_owned(),
            Some(NoPerson::Closing) => "withdrawn with its intent".to_owned(),
            None => format!("rejected by {by}"),
        },
        ApprovalStatus::NotRun { .. } => "not run".to_owned(),
        ApprovalStatus::Open | ApprovalStatus::WithHost { .. } => "nobody answered in time".to_owned(),
    };
    inert::line(&said)
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
        assert_eq!(told(no(NoPerson::Closing.name())), "withdrawn with its intent");
        assert_eq!(told(ApprovalStatus::Open), "nobody answered in time");
        let yes = ApprovalStatus::Approved { by: "dana".to_owned(), at: now, grant: None };
        assert_eq!(told(yes), "approved by dana, not used in time");
        assert_eq!(told(ApprovalStatus::Used { by: "dana".to_owned(), at: now }), "approved by dana");
    }
}
