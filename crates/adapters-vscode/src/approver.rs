//! Asks the person in front of an editor: the approver over the wire.

use std::time::Duration;

use async_trait::async_trait;
use bailiwick_domain::{Answer, Approval, Approver};

use crate::protocol::{self, Ask, AskAnswer, AskDecision, method};
use crate::wire::Outbox;

const UNKNOWN: &str = "the editor gave an answer that nobody understands";

/// Puts one question to the person in front of one window. Whatever is no positive answer is a no; silence is none.
#[derive(Debug)]
pub struct EditorApprover {
    /// The way to the editor.
    pub outbox: Outbox,
    /// The question as the editor shows it.
    pub shown: protocol::Approval,
    /// Who answers there.
    pub by: String,
}

#[async_trait]
impl Approver for EditorApprover {
    async fn ask(&self, approval: &Approval, timeout_s: u64) -> Answer {
        if approval.id.0 != self.shown.id {
            return Answer::Unanswered { why: "the editor shows another request".to_owned() };
        }
        let asked = self.outbox.ask(method::ASK, &Ask { approval: self.shown.clone() });
        let answer = match asked.wait(Duration::from_secs(timeout_s)) {
            // What has no names is no answer.
            Ok(Some(answer)) if !answer.is_object() => return self.no(Some(UNKNOWN.to_owned())),
            Ok(Some(answer)) => serde_json::from_value::<AskAnswer>(answer),
            Ok(None) => return Answer::Unanswered { why: "nobody answered in the editor".to_owned() },
            Err(why) => return self.no(Some(why)),
        };
        match answer {
            Ok(AskAnswer { decision: AskDecision::Approve, broad, .. }) => self.yes(approval, broad),
            Ok(AskAnswer { decision: AskDecision::View, .. }) => in_the_view(),
            Ok(AskAnswer { decision: AskDecision::Reject, feedback, .. }) => self.no(feedback),
            Err(_) => self.no(Some(UNKNOWN.to_owned())),
        }
    }
}

impl EditorApprover {
    /// A broad scope takes a second word, and a modal that cannot ask for it has not approved it.
    fn yes(&self, approval: &Approval, broad: Option<bool>) -> Answer {
        if approval.request.broad.is_some() && broad != Some(true) {
            return in_the_view();
        }
        Answer::Approve { by: self.by.clone() }
    }

    fn no(&self, feedback: Option<String>) -> Answer {
        Answer::Reject { by: self.by.clone(), feedback }
    }
}

fn in_the_view() -> Answer {
    Answer::Unanswered { why: "the person answers in the Approvals view".to_owned() }
}
