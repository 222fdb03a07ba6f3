//! A server that is started only to be asked what tools it has, and why one cannot be.

use std::time::Duration;

use bailiwick_domain::{Value, json};
use bailiwick_frames::{Id, Line, Lines, Meant, NotStarted, Says, Started, legible, read};
use tokio::io::AsyncWriteExt;
use tokio::process::{ChildStdin, ChildStdout};

use super::Definition;
use super::tools::Tools;

/// So long a server has to say what it has.
const PATIENCE: Duration = Duration::from_secs(60);

/// So long it has to end by itself, and again after it was told to.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// So many pages of a list are asked for.
pub(super) const MOST_PAGES: usize = 200;

/// Why a server cannot be started or asked.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// It does not run.
    #[error(transparent)]
    NotStarted(#[from] NotStarted),
    /// It does not say what tools it has.
    #[error("the server does not say what tools it has: {0}")]
    NotListed(String),
}

/// Starts a server only to ask what tools it has.
///
/// # Errors
/// It cannot be started, or does not say it.
pub async fn listed(command: &[String]) -> Result<Vec<Definition>, StartError> {
    let mut child = Started::of(command)?;
    let (input, output) = child.pipes()?;
    let tools = tokio::time::timeout(PATIENCE, asked(input, output)).await;
    child.end(LAST_WAIT).await;
    let late = || StartError::NotListed(format!("no answer after {} seconds", PATIENCE.as_secs()));
    tools.unwrap_or_else(|_| Err(late()))
}

async fn asked(mut input: ChildStdin, output: ChildStdout) -> Result<Vec<Definition>, StartError> {
    let mut lines = Lines::new(output);
    let hello = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "bailiwick", "version": env!("CARGO_PKG_VERSION")},
    });
    answer(&mut input, &mut lines, 0, "initialize", &hello).await?;
    send(&mut input, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await?;
    let (mut tools, mut params) = (Tools::default(), json!({}));
    for page in 1..=MOST_PAGES {
        let id = i64::try_from(page).unwrap_or_default();
        let result = answer(&mut input, &mut lines, id, "tools/list", &params).await?;
        match tools.take(&result).map_err(|why| StartError::NotListed(why.to_owned()))? {
            None => return Ok(tools.all()),
            Some(cursor) => params = json!({ "cursor": cursor }),
        }
    }
    Err(StartError::NotListed("the list does not end".to_owned()))
}

async fn send(input: &mut ChildStdin, frame: &Value) -> Result<(), StartError> {
    let gone = |error: std::io::Error| StartError::NotListed(error.to_string());
    input.write_all(format!("{frame}\n").as_bytes()).await.map_err(gone)?;
    input.flush().await.map_err(gone)
}

async fn answer(
    input: &mut ChildStdin,
    lines: &mut Lines<ChildStdout>,
    id: i64,
    method: &str,
    params: &Value,
) -> Result<Value, StartError> {
    send(input, &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await?;
    loop {
        let line = lines.next().await.ok_or_else(|| StartError::NotListed("it ended".to_owned()))?;
        match said(&line, id)? {
            Some(Says::Result { id: Id::Number(this), result }) if this == id => return Ok(result),
            Some(Says::Failure { id: Id::Number(this) }) if this == id => {
                return Err(StartError::NotListed(format!("`{method}` failed")));
            }
            Some(Says::Request { id, .. }) => {
                let error = json!({"code": -32601, "message": "not answered here"});
                send(input, &json!({"jsonrpc": "2.0", "id": id.value(), "error": error})).await?;
            }
            _ => {}
        }
    }
}

/// What a line says. One that is no message is passed over where it cannot be what is waited for.
fn said(line: &Line, id: i64) -> Result<Option<Says>, StartError> {
    let read = match line {
        Line::Whole(line) => read(&legible(line)).map_err(|odd| odd.why),
        Line::TooLong(..) => Err("a line is too long".to_owned()),
    };
    let why = match read {
        Ok(frame) => return Ok(frame.map(|frame| frame.says)),
        Err(why) => why,
    };
    match Meant::of(line) {
        Meant::Answer(Some(Id::Number(this))) | Meant::Names(Id::Number(this)) if this != id => Ok(None),
        Meant::Answer(Some(_)) | Meant::Names(_) | Meant::Unknown => Err(StartError::NotListed(why)),
        Meant::Asked(..) | Meant::Told(_) | Meant::Answer(None) | Meant::Nothing => Ok(None),
    }
}
