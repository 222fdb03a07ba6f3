//! A question as the editor shows it: one request for permission, with two answers.

use bailiwick_domain::{Value, json};

/// The one answer that is a yes.
const YES: &str = "approve";

/// Before the ids of what only this side knows.
pub(crate) const OWN: &str = "bailiwick-";

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its id.
    pub id: String,
    /// The session that asks, as its hook names it.
    pub session: String,
    /// The folder that it works in.
    pub root: String,
    /// What it is about, in a line.
    pub title: String,
    /// Whether it is about a command.
    pub runs: bool,
    /// Why a person is asked, the intent, the paths, and of the change what no file shows.
    pub text: String,
    /// The files that it changes, whole.
    pub files: Vec<ChangedFile>,
    /// Absolute paths of all that it changes.
    pub paths: Vec<String>,
}

/// A file before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its absolute path.
    pub path: String,
    /// Its text before; none where it is new.
    pub before: Option<String>,
    /// Its text after; empty where it goes.
    pub after: String,
}

impl Question {
    /// The name of its call in the editor.
    fn call(id: &str) -> String {
        format!("{OWN}{id}")
    }

    /// The request's line, under this id, in this session.
    pub(crate) fn asked(&self, id: &str, session: &str) -> Vec<u8> {
        let text = json!({"type": "content", "content": {"type": "text", "text": self.text}});
        let change = |file: &ChangedFile| json!({"type": "diff", "path": file.path, "oldText": file.before, "newText": file.after});
        let content: Vec<Value> = std::iter::once(text).chain(self.files.iter().map(change)).collect();
        let locations: Vec<Value> = self.paths.iter().map(|path| json!({"path": path})).collect();
        let call = json!({
            "toolCallId": Self::call(&self.id),
            "title": self.title,
            "kind": if self.runs { "execute" } else { "edit" },
            "status": "pending",
            "content": content,
            "locations": locations,
        });
        let options = [
            json!({"optionId": YES, "name": "Approve once", "kind": "allow_once"}),
            json!({"optionId": "reject", "name": "Reject", "kind": "reject_once"}),
        ];
        let params = json!({"sessionId": session, "toolCall": call, "options": options});
        let request = json!({
            "jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": params,
        });
        request.to_string().into_bytes()
    }

    /// The line that says in the editor that a question is over.
    pub(crate) fn ended(id: &str, session: &str, is_yes: bool) -> Vec<u8> {
        let status = if is_yes { "completed" } else { "failed" };
        let update = json!({
            "sessionUpdate": "tool_call_update", "toolCallId": Self::call(id), "status": status,
        });
        let params = json!({"sessionId": session, "update": update});
        json!({"jsonrpc": "2.0", "method": "session/update", "params": params}).to_string().into_bytes()
    }

    /// The line that takes a request back.
    pub(crate) fn taken_back(id: &str) -> Vec<u8> {
        let params = json!({"requestId": id});
        json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": params}).to_string().into_bytes()
    }
}

/// The option that was chosen; none where the question was called off or the answer is none.
pub(crate) fn chosen(result: &Value) -> Option<&str> {
    let outcome = result.get("outcome")?;
    let is_chosen = outcome.get("outcome").and_then(Value::as_str) == Some("selected");
    outcome.get("optionId").and_then(Value::as_str).filter(|_| is_chosen)
}

/// Whether the answer is the one that is a yes.
pub(crate) fn is_yes(result: &Value) -> bool {
    chosen(result) == Some(YES)
}

/// The line that answers the agent's own request for permission: once, and for nothing else. None where it offers no such
/// answer, or several.
pub(crate) fn allowed(id: &Value, params: &Value) -> Option<Vec<u8>> {
    let options = params.get("options")?.as_array()?;
    let is_once = |option: &&Value| option.get("kind").and_then(Value::as_str) == Some("allow_once");
    let mut offered = options.iter().filter(is_once);
    let once = offered.next().filter(|_| offered.next().is_none())?;
    let outcome = json!({"outcome": "selected", "optionId": once.get("optionId")?});
    let answer = json!({"jsonrpc": "2.0", "id": id, "result": {"outcome": outcome}});
    Some(answer.to_string().into_bytes())
}
