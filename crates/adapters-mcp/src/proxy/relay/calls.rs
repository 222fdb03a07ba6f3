//! What is judged before the server sees it.

use std::sync::Arc;
use std::time::Duration;

use bailiwick_domain::{ErrorCode, Params, ToolError, Value, json};

use super::Relay;
use super::meta::with_marks;
use crate::Stop;
use crate::catalogue::{is_own, misfit};
use crate::proxy::listing::Known;
use crate::proxy::methods::Way;
use crate::proxy::{Definition, Ticket, Wanted};
use bailiwick_frames::{Id, error, twins};

/// So long a call waits for what the server says of its tools.
const LISTING: Duration = Duration::from_secs(10);

/// So long a call is looked at; asking a person takes most of it.
const LIMIT: Duration = Duration::from_secs(60);

const SILENT: &str = "the server does not say what tools it has";

/// What a request that is judged may say.
fn members(way: Way) -> &'static [&'static str] {
    if way == Way::Called { &["name", "arguments", "_meta"] } else { &["uri", "_meta"] }
}

/// What came of a request.
enum Came {
    Through(Ticket),
    /// One of the gate's own tools answers.
    Told(String),
}

impl Relay {
    /// Judges a request, and sends it on or answers it. What goes on is what was judged, written anew: a number that was read
    /// as another one does not reach the server either.
    pub(super) async fn judged(&self, id: Id, way: Way, method: String, params: Value) {
        let Some((number, stop)) = self.state().judged(&id) else { return };
        let Value::Object(params) = params else {
            return self.answer(&id, number, way, true, &malformed("it has no parameters").to_json()).await;
        };
        let line = written(&id, &method, params.clone());
        let came = match tokio::time::timeout(LIMIT, self.came(way, params, stop.clone())).await {
            Ok(came) => came,
            Err(_) => {
                stop.set();
                Err(failed(&format!("the gate has no answer after {} seconds; try again", LIMIT.as_secs())))
            }
        };
        match came {
            Ok(Came::Through(ticket)) => {
                let is_wanted = !stop.is_set() && self.state().called(&id, number, ticket);
                let sent = is_wanted.then(|| self.server.send(&line));
                if matches!(sent, Some(Ok(()))) {
                    return;
                }
                let judge = Arc::clone(&self.judge);
                let _ = tokio::task::spawn_blocking(move || judge.not_run(ticket)).await;
                if let Some(Err(full)) = sent
                    && self.state().taken_back(&id, ticket)
                {
                    self.say(&id, way, true, &failed(&super::deaf(full)).to_json()).await;
                }
            }
            Ok(Came::Told(text)) => self.answer(&id, number, way, false, &text).await,
            Err(error) => self.answer(&id, number, way, true, &error.to_json()).await,
        }
    }

    /// Answers a request that the server does not see. One that was called off is answered by nobody, also where another one
    /// has its id by now.
    async fn answer(&self, id: &Id, number: u64, way: Way, is_error: bool, text: &str) {
        if self.state().told(id, number) {
            self.say(id, way, is_error, text).await;
        }
    }

    async fn say(&self, id: &Id, way: Way, is_error: bool, text: &str) {
        if way == Way::Shown {
            return self.to_client(&error(Some(id), super::FAILED, text)).await;
        }
        let result = json!({"content": [{"type": "text", "text": text}], "isError": is_error});
        let frame = json!({"jsonrpc": "2.0", "id": id.value(), "result": result});
        self.to_client(frame.to_string().as_bytes()).await;
    }

    async fn came(&self, way: Way, params: Params, stop: Stop) -> Result<Came, ToolError> {
        if let Some(name) = twins(&Value::Object(params.clone())) {
            return Err(malformed(&format!("two names are `{}` to some readers", name.escape_debug())));
        }
        if let Some(name) = params.keys().find(|name| !members(way).contains(&name.as_str())) {
            let why = format!("this proxy does not pass on `{}` of such a request", name.escape_debug());
            return Err(malformed(&why));
        }
        if way == Way::Shown {
            let uri =
                params.get("uri").and_then(Value::as_str).ok_or_else(|| malformed("it has no `uri`"))?;
            return self.through(Wanted::Resource(uri.to_owned()), stop).await;
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
        let (look, mut known) = {
            let mut state = self.state();
            let look = state.listing.is_due().then(|| state.listing.begin());
            (look, state.listing.watched())
        };
        if let Some(look) = look {
            self.to_server(&look);
        }
        let told = known.wait_for(|known| matches!(known, Known::Yes | Known::Never(_)));
        let why = match tokio::time::timeout(LISTING, told).await {
            Ok(Ok(known)) => match &*known {
                Known::Never(why) => Some(format!("the server cannot be judged: {why}")),
                Known::No | Known::Asked | Known::Yes => None,
            },
            _ => Some(SILENT.to_owned()),
        };
        if let Some(why) = why {
            self.state().listing.doubt();
            let server = self.judge.server();
            return Err(failed(&why).with_suggestion(format!(
                "Try again. If it stays so, ask the human to restart the MCP server `{server}` in the client."
            )));
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

/// The line of a request.
fn written(id: &Id, method: &str, params: Params) -> Vec<u8> {
    let frame = json!({"jsonrpc": "2.0", "id": id.value(), "method": method, "params": with_marks(params)});
    frame.to_string().into_bytes()
}

fn failed(why: &str) -> ToolError {
    ToolError::new(ErrorCode::InternalError, why)
}

fn malformed(why: &str) -> ToolError {
    ToolError::new(ErrorCode::MalformedCall, format!("Malformed call: {why}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(arguments: &str) -> String {
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"x","arguments":{arguments}}}}}"#
        );
        let frame = bailiwick_frames::read(line.as_bytes()).unwrap().unwrap();
        let bailiwick_frames::Says::Request { id, method, params: Value::Object(params) } = frame.says else {
            panic!("it is a request")
        };
        String::from_utf8(written(&id, &method, params)).unwrap()
    }

    // D-39: a yes is for what was shown
    #[test]
    fn two_numbers_that_are_judged_alike_reach_the_server_alike() {
        for (one, other) in [
            ("18446744073709551617", "18446744073709552999"),
            ("-9223372036854775809", "-9223372036854776000"),
            ("0.1", "0.1000000000000000000000000000001"),
        ] {
            let [one, other] = [one, other].map(|number| sent(&format!(r#"{{"amount":{number}}}"#)));
            assert_eq!(one, other);
        }
    }

    #[test]
    fn numbers_that_can_be_told_apart_reach_the_server_as_they_are() {
        for (number, reaches) in [
            ("0.1", "0.1"),
            ("1.50", "1.5"),
            ("1e3", "1000.0"),
            ("-0.0", "-0.0"),
            ("18446744073709551615", "18446744073709551615"),
            ("-9223372036854775808", "-9223372036854775808"),
        ] {
            assert!(
                sent(&format!(r#"{{"n":{number}}}"#)).contains(&format!(r#"{{"n":{reaches}}}"#)),
                "{number}"
            );
        }
    }
}
