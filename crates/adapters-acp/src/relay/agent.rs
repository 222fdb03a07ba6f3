//! What the agent sends: everything passes, but requests for permission that a person has answered, files that the editor
//! may not write, and lines that are no frames.

use bailiwick_domain::{Value, json};
use bailiwick_frames::{FAILED, Frame, INVALID, Id, Line, Lines, Meant, Says, error, legible, read, twins};
use tokio::io::AsyncRead;

use super::Relay;
use super::editor::is_own;
use crate::question::{OWN, allowed};
use crate::sessions::{Came, text};
use crate::{Asked, Desk, LONGEST};

impl Relay {
    /// Reads what the agent sends, until it is gone.
    pub(crate) async fn follow_agent(&self, output: impl AsyncRead + Unpin) {
        let mut lines = Lines::within(LONGEST, output);
        while let Some(line) = lines.next().await {
            let frame = match &line {
                Line::Whole(line) => read(&legible(line)).map_err(|odd| odd.why),
                Line::TooLong(..) => Err("it is too long".to_owned()),
            };
            match frame {
                Ok(Some(frame)) => self.take_from_agent(frame).await,
                Ok(None) => {}
                Err(why) => self.odd_from_agent(Meant::of(&line), &why).await,
            }
        }
    }

    /// A line goes nowhere. Whoever waits for it is told, where that can be said.
    async fn odd_from_agent(&self, meant: Meant, why: &str) {
        self.desk.tell(&format!("the agent sent a line that is no message: {why}"));
        match meant {
            Meant::Asked(id, _) => self.to_agent(&error(id.as_ref(), INVALID, why)),
            Meant::Answer(Some(id)) | Meant::Names(id) if !is_own(&id) => {
                self.state().sessions.failed(&id);
                let why = "the agent's answer cannot be read";
                self.editor.deliver(&error(Some(&id), FAILED, why)).await;
            }
            Meant::Answer(_) | Meant::Names(_) | Meant::Told(_) | Meant::Nothing | Meant::Unknown => {}
        }
    }

    async fn take_from_agent(&self, Frame { line, says }: Frame) {
        match says {
            // The editor has an answer to this one already.
            Says::Result { id, .. } | Says::Failure { id } if self.state().sessions.has_failed(&id) => return,
            Says::Request { id, .. } if is_own(&id) => {
                let why = "ids that begin with `bailiwick-` are taken";
                return self.to_agent(&error(Some(&id), INVALID, why));
            }
            Says::Request { id, params, .. } if names_own(&params) => {
                let why = "names that begin with `bailiwick-` are taken";
                return self.to_agent(&error(Some(&id), INVALID, why));
            }
            Says::Notification { params, .. } if names_own(&params) => {
                return self.desk.tell("the agent sent a message about what is Bailiwick's");
            }
            // Some programs do what a message says whether or not it waits for an answer.
            Says::Notification { method, .. } if is_judged(&method) => {
                return self.desk.tell(&format!("the agent sent `{method}` without an id: it went nowhere"));
            }
            Says::Request { id, method, params } if is_judged(&method) && twins(&params).is_some() => {
                let why = "two names of one object are the same but for upper and lower case";
                return self.to_agent(&error(Some(&id), INVALID, why));
            }
            Says::Request { id, method, params } if method == "session/request_permission" => {
                if let Some(answer) = self.permitted(&id, params).await {
                    return self.to_agent(&answer);
                }
            }
            Says::Request { id, method, params } if method == "fs/write_text_file" => {
                if let Err(why) = self.may_write(params).await {
                    return self.to_agent(&error(Some(&id), FAILED, &why));
                }
            }
            Says::Notification { method, params } if method == "session/update" => {
                if let Some(session) = works_in(&params) {
                    self.works(session).await;
                }
            }
            Says::Result { id, result } => self.agent_says(&id, Some(&result)).await,
            Says::Failure { id } => self.agent_says(&id, None).await,
            _ => {}
        }
        self.editor.deliver(&line).await;
    }

    /// The answer to the agent's own request, where it is about a call that was let through.
    async fn permitted(&self, id: &Id, params: Value) -> Option<Vec<u8>> {
        let answer = allowed(&id.value(), &params)?;
        let turns = self.state().sessions.turns();
        let ask = move |desk: &dyn Desk| asked(&params, |asked| desk.was_let_through(asked, &turns));
        let looked = self.at_desk(ask).await;
        looked.flatten().filter(|was_let_through| *was_let_through).map(|_| answer)
    }

    /// The agent works on a call. Where nothing judges it, its turn is cancelled.
    async fn works(&self, session: &str) {
        if self.state().judged.contains(session) {
            return;
        }
        let asked = session.to_owned();
        let judged = self.at_desk(move |desk| desk.works(&asked)).await;
        match judged.unwrap_or_else(|| Err("Bailiwick failed on this call".to_owned())) {
            Ok(()) => self.is_judged(session),
            Err(why) => {
                self.desk.tell(&why);
                self.to_agent(&cancelled(session));
                self.editor.deliver(&said_there(session, &why)).await;
            }
        }
    }

    /// A session that is being loaded tells its old calls before anybody knows where it works: that says nothing.
    fn is_judged(&self, session: &str) {
        let mut state = self.state();
        if state.sessions.knows(session) {
            state.judged.insert(session.to_owned());
        }
    }

    async fn may_write(&self, params: Value) -> Result<(), String> {
        let looked = self.at_desk(move |desk| asked(&params, |asked| desk.may_write(asked))).await;
        looked.flatten().unwrap_or_else(|| Err("Bailiwick failed on this request".to_owned()))
    }

    async fn agent_says(&self, id: &Id, result: Option<&Value>) {
        let came = self.state().sessions.answered(id, result);
        let _ = match came {
            Some(Came::Agent(name)) => self.at_desk(move |desk| desk.agent(name.as_deref())).await,
            Some(Came::Session(session, folder)) => {
                self.at_desk(move |desk| desk.works_in(&session, &folder)).await
            }
            None => None,
        };
    }
}

/// The session in which the agent works on a call, if that is what it tells.
fn works_in(params: &Value) -> Option<&str> {
    let kind = params.get("update").and_then(|update| text(update, "sessionUpdate"))?;
    text(params, "sessionId").filter(|_| matches!(kind, "tool_call" | "tool_call_update"))
}

/// Whether what is asked is judged here.
fn is_judged(method: &str) -> bool {
    matches!(method, "fs/write_text_file" | "session/request_permission")
}

/// Whether a message is about a call or a request of ours.
fn names_own(params: &Value) -> bool {
    let call = |holder: &str| params.get(holder).and_then(|holder| text(holder, "toolCallId"));
    let named = [call("update"), call("toolCall"), text(params, "requestId")];
    named.into_iter().flatten().any(|name| name.starts_with(OWN))
}

/// The line that ends a turn.
fn cancelled(session: &str) -> Vec<u8> {
    let params = json!({"sessionId": session});
    json!({"jsonrpc": "2.0", "method": "session/cancel", "params": params}).to_string().into_bytes()
}

/// The line that shows a text in a session.
fn said_there(session: &str, says: &str) -> Vec<u8> {
    let content = json!({"type": "text", "text": format!("\n\n{says}\n")});
    let update = json!({"sessionUpdate": "agent_message_chunk", "content": content});
    let params = json!({"sessionId": session, "update": update});
    json!({"jsonrpc": "2.0", "method": "session/update", "params": params}).to_string().into_bytes()
}

/// What is asked in a session; nothing where none is named.
fn asked<T>(params: &Value, ask: impl FnOnce(Asked<'_>) -> T) -> Option<T> {
    Some(ask(Asked { session: text(params, "sessionId")?, params }))
}
