//! The MCP server, spoken to by a real client and by broken ones.
#![cfg(test)]

mod client;
mod frames;
mod http;
mod ids;
mod late;
mod pages;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bailiwick_adapters_mcp::{Page, ServedTools, Stop};
use bailiwick_domain::{ErrorCode, Params, ToolError};

/// More than any call takes here.
const LONG: Duration = Duration::from_secs(600);

/// Remembers every call and answers with its name; the intent `INT-404` is not there.
#[derive(Debug, Default)]
struct Recorder {
    calls: Mutex<Vec<(String, Params)>>,
}

impl Recorder {
    fn new() -> Arc<Self> {
        Arc::new(Self::default())
    }

    fn names(&self) -> Vec<String> {
        self.calls.lock().unwrap().iter().map(|(name, _)| name.clone()).collect()
    }
}

impl ServedTools for Recorder {
    fn call(&self, name: &str, params: Params, _stop: &Stop) -> Result<String, ToolError> {
        let missing = params.get("intent_id").is_some_and(|id| id == "INT-404");
        self.calls.lock().unwrap().push((name.to_owned(), params));
        if missing {
            return Err(ToolError::new(ErrorCode::IntentNotFound, "there is no intent INT-404"));
        }
        Ok(format!("answer of {name}"))
    }

    fn show(&self, page: &Page) -> Result<String, ToolError> {
        if *page == Page::Intent("INT-404".to_owned()) {
            return Err(ToolError::new(ErrorCode::IntentNotFound, "there is no intent INT-404"));
        }
        Ok(format!("{page:?}"))
    }
}
