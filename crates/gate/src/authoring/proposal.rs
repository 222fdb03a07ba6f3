//! What an agent's draft says: the parameters of `propose_intent` and `request_scope_expansion`, read strictly.

use bailiwick_domain::{
    ErrorCode, IntentProposal, OwnedScope, Params, ScopeError, ScopePattern, ToolError, Value,
};

/// The longest text that a human is asked to read, in characters, and the most items of a list.
const MAX_TEXT: usize = 2_000;
const MAX_ITEMS: usize = 50;

/// The drafted intent of `propose_intent`.
pub(crate) fn proposal(params: &Params) -> Result<IntentProposal, ToolError> {
    let read = || {
        known(params, &["name", "why", "owned_scope", "acceptance_criteria"])?;
        let patterns = patterns(params, "owned_scope")?;
        Ok(IntentProposal {
            name: text(params, "name")?,
            why: Some(text(params, "why")?),
            owned_scope: OwnedScope::new(patterns, false).map_err(|error| scope_error(&error))?,
            acceptance_criteria: texts(params, "acceptance_criteria")?,
        })
    };
    read().map_err(|error: ToolError| error.with_detail("example", bailiwick_policy::proposal_example()))
}

/// The patterns that `request_scope_expansion` asks for, and why.
pub(crate) fn expansion(params: &Params) -> Result<(Vec<ScopePattern>, String), ToolError> {
    known(params, &["paths", "reason"])?;
    let patterns = patterns(params, "paths")?;
    if let Some(pattern) = patterns.iter().find(|pattern| pattern.is_exclusion()) {
        return Err(malformed(format!("`{pattern}` takes away; an expansion only adds")));
    }
    Ok((patterns, text(params, "reason")?))
}

pub(crate) fn malformed(why: impl std::fmt::Display) -> ToolError {
    ToolError::new(ErrorCode::MalformedCall, format!("Malformed call: {why}"))
}

fn known(params: &Params, keys: &[&str]) -> Result<(), ToolError> {
    match params.keys().find(|key| *key != "session" && !keys.contains(&key.as_str())) {
        Some(key) => Err(malformed(format!("there is no parameter `{key}`; there are {}", keys.join(", ")))),
        None => Ok(()),
    }
}

fn text(params: &Params, key: &str) -> Result<String, ToolError> {
    let found = params.get(key).and_then(Value::as_str).map(str::trim).unwrap_or_default();
    checked(key, found)
}

fn texts(params: &Params, key: &str) -> Result<Vec<String>, ToolError> {
    let Some(Value::Array(items)) = params.get(key) else {
        return Err(malformed(format!("`{key}` is not a list of strings")));
    };
    if items.is_empty() || items.len() > MAX_ITEMS {
        return Err(malformed(format!(
            "`{key}` holds {} strings; 1 to {MAX_ITEMS} are allowed",
            items.len()
        )));
    }
    items.iter().map(|item| checked(key, item.as_str().map(str::trim).unwrap_or_default())).collect()
}

fn checked(key: &str, text: &str) -> Result<String, ToolError> {
    if text.is_empty() {
        return Err(malformed(format!("`{key}` is missing, or is not a string")));
    }
    if text.chars().count() > MAX_TEXT {
        return Err(malformed(format!("`{key}` is longer than {MAX_TEXT} characters")));
    }
    Ok(text.to_owned())
}

fn patterns(params: &Params, key: &str) -> Result<Vec<ScopePattern>, ToolError> {
    texts(params, key)?
        .iter()
        .map(|text| ScopePattern::new(text).map_err(|error| scope_error(&error)))
        .collect()
}

/// A pattern that leads out of the root is told as that.
fn scope_error(error: &ScopeError) -> ToolError {
    match error {
        ScopeError::Absolute(pattern) if pattern.trim_matches(['/', '*', '.']).is_empty() => {
            ToolError::new(ErrorCode::TooBroad, "Too broad: the scope owns the whole repository.")
        }
        ScopeError::Absolute(_) | ScopeError::Parent(_) => {
            ToolError::new(ErrorCode::OutsideWorkspace, format!("Outside workspace: {error}"))
        }
        other => malformed(other),
    }
}
