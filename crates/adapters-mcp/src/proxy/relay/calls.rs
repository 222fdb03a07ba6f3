//! What is judged before the server sees it.

use std::sync::Arc;
use std::time::Duration;

use bailiwick_domain::{ErrorCode, Params, ToolError, Value, json};

use super::{Open, Relay};
use crate::Stop;
use crate::catalogue::{is_own, misfit};
use crate::proxy::listing::Known;
use crate::proxy::methods::Way;
use crate::proxy::{Definition, Ticket, Wanted};
use bailiwick_frames::{Id, twins};

/// So long a call waits for what the server says of its tools.
const LISTING: Duration = Duration::from_secs(10);

/// So long a call is looked at; asking a person takes most of it.
const LIMIT: Duration = Duration::from_secs(60);

/// What a call of a tool may say.
const CALL: [&str; 3] = ["name", "arguments", "_meta"];

/// What came of a request.
enum Came {
    Through(Ticket),
    /// One of the gate's own tools answers.
    Told(String),
}

impl Relay {
    /// Judges a request, and sends it on or answers it.
    pub(super) async fn judged(&self, id: Id, way: Way, params: Value, line: Vec<u8>) {
        let stop = match self.state().open.get(&id) {
            Some(Open::Judged(stop)) => stop.clone(),
            _ => return,
        };
        let came = match tokio::time::timeout(LIMIT, self.came(way, params, stop.clone())).await {
            Ok(came) => came,
            Err(_) => {
                stop.set();
                Err(failed(&format!("the gate has no answer after {} seconds; try again", LIMIT.as_secs())))
            }
        };
        match came {
            Ok(Came::Through(ticket)) => {
                let is_wanted = {
                    let mut state = self.state();
                    let is_wanted = !state.over && !stop.is_set() && state.open.contains_key(&id);
                    if is_wanted {
                        state.open.insert(id, Open::Called(ticket));
                    }
                    is_wanted
                };
                if is_wanted {
                    return self.to_server(&line).await;
                }
                let judge = Arc::clone(&self.judge);
                let _ = tokio::task::spawn_blocking(move || judge.not_run(ticket)).await;
            }
            Ok(Came::Told(text)) => self.answer(&id, way, false, &text).await,
            Err(error) => self.answer(&id, way, true, &error.to_json()).await,
        }
    }

    /// Answers a request that the server does not see. One that was called off is answered by nobody.
    async fn answer(&self, id: &Id, way: Way, is_error: bool, text: &str) {
        if self.state().open.remove(id).is_none() {
            return;
        }
        if way == Way::Shown {
            return self.refuse_client(Some(id), super::FAILED, text).await;
        }
        let result = json!({"content": [{"type": "text", "text": text}], "isError": is_error});
        let frame = json!({"jsonrpc": "2.0", "id": id.value(), "result": result});
        self.to_client(frame.to_string().as_bytes()).await;
    }

    async fn came(&self, way: Way, params: Value, stop: Stop) -> Result<Came, ToolError> {
        let Value::Object(params) = params else { return Err(malformed("it has no parameters")) };
        if let Some(name) = twins(&Value::Object(params.clone())) {
            return Err(malformed(&format!("two names are `{}` to some readers", name.escape_debug())));
        }
        if way == Way::Shown {
            let uri =
                params.get("uri").and_then(Value::as_str).ok_or_else(|| malformed("it has no `uri`"))?;
            return self.through(Wanted::Resource(uri.to_owned()), stop).await;
        }
        if let Some(name) = params.keys().find(|name| !CALL.contains(&name.as_str())) {
            let why = format!("this proxy does not pass on `{}` of a call", name.escape_debug());
            return Err(malformed(&why));
        }
        let name = params.get("name").and_then(Value::as_str).ok_or_else(|| malformed("it names no tool"))?;
        let arguments = match params.get("arguments") {
            None | Some(Value::Null) => Params::new(),
            Some(Value::Object(arguments)) => arguments.clone(),
            Some(_) => return Err(malformed("its arguments are no object")),
        };
        if is_own(name) {
            return self.own(name.to_owned(), arguments, stop).await;
        }
        let tool = self.definition(name).await?;
        self.through(Wanted::Call(Box::new(tool), arguments), stop).await
    }

    async fn own(&self, name: String, params: Params, stop: Stop) -> Result<Came, ToolError> {
        if let Some(why) = misfit(&name, &params) {
            return Err(malformed(&why));
        }
        let judge = Arc::clone(&self.judge);
        let told = tokio::task::spawn_blocking(move || judge.own(&name, params, &stop)).await;
        told.unwrap_or_else(|_| Err(failed("the gate failed on this request"))).map(Came::Told)
    }

    async fn through(&self, wanted: Wanted, stop: Stop) -> Result<Came, ToolError> {
        let judge = Arc::clone(&self.judge);
        let judged = tokio::task::spawn_blocking(move || judge.judge(&wanted, &stop)).await;
        judged.unwrap_or_else(|_| Err(failed("the gate failed on this request"))).map(Came::Through)
    }

    /// What the server says of a tool. A call waits until that is known, and passes nowhere without.
    async fn definition(&self, name: &str) -> Result<Definition, ToolError> {
        let (is_begun, mut known) = {
            let state = self.state();
            (state.listing.is_begun(), state.listing.watched())
        };
        if !is_begun {
            self.look_at_tools().await;
        }
        let told = known.wait_for(|known| matches!(known, Known::Yes | Known::Never(_)));
        match tokio::time::timeout(LISTING, told).await {
            Ok(Ok(known)) => match &*known {
                Known::Never(why) => return Err(failed(&format!("the server cannot be judged: {why}"))),
                Known::No | Known::Asked | Known::Yes => {}
            },
            _ => return Err(failed("the server does not say what tools it has")),
        }
        self.state().listing.tools.get(name).ok_or_else(|| {
            malformed(&format!("the server lists no tool `{}`", name.escape_debug()))
                .with_suggestion("Ask for the list of tools again.")
        })
    }

    pub(super) async fn recorded(&self, ticket: Ticket, ok: bool) {
        let judge = Arc::clone(&self.judge);
        let report = tokio::task::spawn_blocking(move || judge.ran(ticket, ok)).await;
        if let Ok(Err(error)) = report {
            self.judge.tell(&format!("what a call did is not recorded yet: {}", error.message()));
        }
    }
}

fn failed(why: &str) -> ToolError {
    ToolError::new(ErrorCode::InternalError, why)
}

fn malformed(why: &str) -> ToolError {
    ToolError::new(ErrorCode::MalformedCall, format!("Malformed call: {why}."))
}
