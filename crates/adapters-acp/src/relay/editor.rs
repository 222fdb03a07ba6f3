//! What the editor sends: everything passes, but its answers to the gate's questions and prompts that may not be given.

use bailiwick_domain::Value;
use bailiwick_frames::{FAILED, Frame, INVALID, Id, Line, Lines, Meant, Odd, Says, error, legible, read};
use tokio::io::AsyncRead;

use super::{CALLED_OFF, Relay, SOONEST, TOO_SOON, deaf};
use crate::question::{OWN, is_yes};
use crate::sessions::text;
use crate::{LONGEST, Question, Said};

const TOO_LARGE: &str = "Too large: a message has at most 32 MiB";

/// What is judged of an editor.
const PROMPT: &str = "session/prompt";

impl Relay {
    /// Reads what the editor sends, until it is gone.
    pub(crate) async fn follow_editor(&self, input: impl AsyncRead + Unpin) {
        let mut lines = Lines::within(LONGEST, input);
        while let Some(line) = lines.next().await {
            let frame = match &line {
                Line::Whole(line) => read(&legible(line)),
                Line::TooLong(beginning, end) => {
                    let id = Id::of_torn(beginning, end);
                    Err(Odd { code: INVALID, why: TOO_LARGE.to_owned(), id })
                }
            };
            match frame {
                Ok(Some(frame)) => self.take_from_editor(frame).await,
                Ok(None) => {}
                Err(odd) => self.odd_from_editor(Meant::of(&line), &odd).await,
            }
        }
    }

    /// A line goes nowhere. Whoever waits for it is told; an answer to a question of the gate that cannot be read is a no.
    async fn odd_from_editor(&self, meant: Meant, odd: &Odd) {
        match meant {
            Meant::Answer(Some(id)) | Meant::Names(id) if is_own(&id) => self.said(&id, None).await,
            Meant::Answer(Some(id)) | Meant::Names(id) => {
                self.to_agent(&error(Some(&id), FAILED, "the editor's answer cannot be read"));
            }
            Meant::Told(_) | Meant::Answer(None) => {
                self.desk.tell(&format!("the editor sent a line that is no message: {}", odd.why));
            }
            Meant::Asked(..) | Meant::Nothing | Meant::Unknown => {
                self.tell_editor(&error(odd.id.as_ref(), odd.code, &odd.why));
            }
        }
    }

    async fn take_from_editor(&self, Frame { line, says }: Frame) {
        match says {
            Says::Result { id, result } if is_own(&id) => return self.said(&id, Some(&result)).await,
            Says::Failure { id } if is_own(&id) => return self.said(&id, None).await,
            Says::Request { id, method, params } => {
                if let Err(why) = self.editor_asks(&id, &method, &params).await {
                    return self.tell_editor(&error(Some(&id), INVALID, &why));
                }
                if let Err(full) = self.agent.send(&line) {
                    self.tell_editor(&error(Some(&id), FAILED, &deaf(full)));
                }
                return;
            }
            Says::Notification { method, .. } if method == PROMPT => {
                return self.desk.tell(&format!("the editor sent `{method}` without an id: it went nowhere"));
            }
            Says::Notification { method, params } if method == "session/cancel" => {
                if let Some(session) = text(&params, "sessionId") {
                    self.reject(Some(session), Said::No(Some(CALLED_OFF))).await;
                }
            }
            _ => {}
        }
        self.to_agent(&line);
    }

    async fn editor_asks(&self, id: &Id, method: &str, params: &Value) -> Result<(), String> {
        if method == "initialize" {
            let name = params.get("clientInfo").and_then(|info| text(info, "name")).map(str::to_owned);
            self.at_desk(move |desk| desk.editor(name.as_deref())).await;
        }
        if method == PROMPT {
            let session = text(params, "sessionId").unwrap_or_default().to_owned();
            let may = self.at_desk(move |desk| desk.may_prompt(&session)).await;
            may.unwrap_or_else(|| Err("Bailiwick failed on this prompt".to_owned()))?;
        }
        self.state().sessions.asked(id, method, params);
        Ok(())
    }

    /// The editor's answer to one of our questions: a yes is one answer that a person can have given, all else is a no.
    async fn said(&self, request: &Id, result: Option<&Value>) {
        let Some((id, put)) = self.taken(request) else { return };
        let said = match result {
            Some(result) if !is_yes(result) => Said::No(None),
            Some(_) if put.since.is_none_or(|since| since.elapsed() < SOONEST) => Said::Nobody(TOO_SOON),
            Some(_) => Said::Yes,
            None => Said::Nobody("the editor cannot show the question"),
        };
        if let Said::Nobody(why) = said {
            self.desk.tell(why);
        }
        let (question, answer) = (id.clone(), said.clone());
        self.at_desk(move |desk| desk.answer(&question, &answer)).await;
        self.tell_editor(&Question::ended(&id, &put.session, said == Said::Yes));
    }
}

/// Whether an id is one of ours.
pub(super) fn is_own(id: &Id) -> bool {
    matches!(id, Id::Text(text) if text.starts_with(OWN))
}
