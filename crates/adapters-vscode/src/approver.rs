//! Asks the person in front of an editor: the approver over the wire.

use std::time::Duration;

use async_trait::async_trait;
use bailiwick_domain::{Answer, Approval, Approver, NoPerson};

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
            Ok(Some(answer)) if !answer.is_object() => return ended(UNKNOWN.to_owned()),
            Ok(Some(answer)) => serde_json::from_value::<AskAnswer>(answer),
            Ok(None) => return Answer::Unanswered { why: "nobody answered in the editor".to_owned() },
            Err(why) => return ended(why),
        };
        match answer {
            Ok(AskAnswer { decision: AskDecision::Approve, broad, .. }) => self.yes(approval, broad),
            Ok(AskAnswer { decision: AskDecision::View, .. }) => in_the_view(),
            Ok(AskAnswer { decision: AskDecision::Reject, feedback, .. }) => {
                Answer::Reject { by: self.by.clone(), feedback }
            }
            Err(_) => ended(UNKNOWN.to_owned()),
        }
    }
}

impl EditorApprover {
    /// A broad scope takes a second word, and so does a change that is not shown whole, and a modal that cannot ask for it has not approved it.
    fn yes(&self, approval: &Approval, broad: Option<bool>) -> Answer {
        let twice = approval.request.broad.is_some() || self.shown.unseen.is_some();
        if twice && broad != Some(true) {
            return in_the_view();
        }
        Answer::Approve { by: self.by.clone() }
    }
}

/// A no that the person did not give.
fn ended(why: String) -> Answer {
    Answer::Reject { by: NoPerson::Editor.name().to_owned(), feedback: Some(why) }
}

fn in_the_view() -> Answer {
    Answer::Unanswered { why: "the person answers in the Approvals view".to_owned() }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, PipeReader};

    use bailiwick_domain::testing::sample;
    use bailiwick_domain::{ApprovalStatus, Breadth, Timestamp};
    use lsp_server::{Message, Response};
    use serde_json::{Value, json};

    use super::*;
    use crate::protocol::testing::approval;

    fn question(broad: Option<Breadth>) -> Approval {
        let now = Timestamp::from_unix_ms(0);
        let request = bailiwick_domain::ApprovalRequest { broad, ..sample::request("asked") };
        Approval {
            id: bailiwick_domain::ApprovalId("ap-a".to_owned()),
            request,
            created: now,
            expires: now.plus_seconds(600),
            status: ApprovalStatus::Open,
            amended: None,
        }
    }

    fn approver() -> (EditorApprover, BufReader<PipeReader>) {
        let (read, write) = std::io::pipe().unwrap();
        let shown = approval("ap-a", "1970-01-01T00:00:00.000Z");
        (EditorApprover { outbox: Outbox::new(write), shown, by: "dana".to_owned() }, BufReader::new(read))
    }

    /// What comes of it when the editor answers so.
    fn answered(broad: Option<Breadth>, result: Result<Value, &str>) -> Answer {
        let (approver, mut editor) = approver();
        std::thread::scope(|scope| {
            let answer = scope.spawn(|| pollster::block_on(approver.ask(&question(broad), 600)));
            let Some(Message::Request(asked)) = Message::read(&mut editor).unwrap() else {
                panic!("no question")
            };
            assert_eq!(
                (asked.method.as_str(), &asked.params["approval"]["id"]),
                ("approval/ask", &json!("ap-a"))
            );
            approver.outbox.answered(match result {
                Ok(value) => Response { id: asked.id, response_result: Ok(value) },
                Err(why) => Response::new_err(asked.id, -32601, why.to_owned()),
            });
            answer.join().unwrap()
        })
    }

    // K-42: anything but the positive choice is a no
    #[test]
    fn req_074_the_editor_approves_with_one_word_only() {
        let yes = Answer::Approve { by: "dana".to_owned() };
        assert_eq!(answered(None, Ok(json!({"decision": "approve"}))), yes);
        for other in
            [json!({"decision": "Approve"}), json!({}), json!(null), json!(["approve", null, null]), json!(1)]
        {
            let answer = answered(None, Ok(other.clone()));
            // D-38: and no person's no
            assert!(
                matches!(&answer, Answer::Reject { by, .. } if by == "the editor"),
                "{other}: {answer:?}"
            );
        }
        assert!(matches!(answered(None, Err("no such method")), Answer::Reject { .. }));
        assert!(matches!(answered(None, Ok(json!({"decision": "view"}))), Answer::Unanswered { .. }));
        let why = json!({"decision": "reject", "feedback": "smaller"});
        assert_eq!(
            answered(None, Ok(why)),
            Answer::Reject { by: "dana".to_owned(), feedback: Some("smaller".to_owned()) }
        );
    }

    // D-31
    #[test]
    fn req_074_a_broad_question_is_not_approved_with_one_word() {
        let broad = Some(Breadth { files: 300, of: 400, can_run: 2 });
        assert!(matches!(answered(broad, Ok(json!({"decision": "approve"}))), Answer::Unanswered { .. }));
        let both = json!({"decision": "approve", "broad": true});
        assert_eq!(answered(broad, Ok(both)), Answer::Approve { by: "dana".to_owned() });
    }

    // D-38: a closed channel, silence, another request
    #[test]
    fn req_143_silence_is_no_answer_and_a_closed_editor_is_a_no() {
        let (silent, _editor) = approver();
        let answer = pollster::block_on(silent.ask(&question(None), 0));
        assert!(matches!(answer, Answer::Unanswered { .. }), "{answer:?}");
        silent.outbox.close();
        let answer = pollster::block_on(silent.ask(&question(None), 600));
        assert!(matches!(&answer, Answer::Reject { by, .. } if by == "the editor"), "{answer:?}");
        let other = Approval { id: bailiwick_domain::ApprovalId("ap-b".to_owned()), ..question(None) };
        let answer = pollster::block_on(silent.ask(&other, 600));
        assert!(matches!(answer, Answer::Unanswered { .. }), "{answer:?}");
    }
}
