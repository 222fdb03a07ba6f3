//! Reading the fields of one event: strict where a wrong reading would let a call pass. Knows no host.

use bailiwick_domain::{Actor, CallId, ContentHash, Map, Params, ToolCall, Value, canonical_json};

use crate::event::{ParseError, PermissionMode};
use crate::json::strict_json;

/// The fields of an object; what was read is taken out.
pub type Fields = Map<String, Value>;

/// The event as its fields.
///
/// # Errors
/// The bytes are not one unambiguous JSON object.
pub fn event_fields(bytes: &[u8]) -> Result<Fields, ParseError> {
    match strict_json(bytes)? {
        Value::Object(fields) => Ok(fields),
        _ => Err(ParseError::NotAnObject),
    }
}

/// A text that must be there.
///
/// # Errors
/// It is not there, empty, or no text.
pub fn required(fields: &mut Fields, key: &'static str) -> Result<String, ParseError> {
    optional(fields, key)?.filter(|text| !text.is_empty()).ok_or(ParseError::Missing(key))
}

/// A text that may be there.
///
/// # Errors
/// It is there and no text.
pub fn optional(fields: &mut Fields, key: &'static str) -> Result<Option<String>, ParseError> {
    match fields.remove(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(ParseError::WrongType(key)),
    }
}

/// Puts a field that is spelled otherwise under its usual name.
///
/// # Errors
/// Both spellings are there and differ: which one the host means, nobody knows.
pub fn respell(fields: &mut Fields, usual: &'static str, other: &str) -> Result<(), ParseError> {
    let Some(value) = fields.remove(other) else { return Ok(()) };
    match fields.get(usual) {
        Some(known) if *known != value => Err(ParseError::WrongType(usual)),
        _ => {
            fields.insert(usual.to_owned(), value);
            Ok(())
        }
    }
}

/// What a tool said that failed by itself: hosts call it `error` or `error_message`. Nothing where a person broke it off.
pub fn failure(fields: &Fields) -> Option<String> {
    let said = ["error", "error_message"].iter().find_map(|key| fields.get(*key)?.as_str());
    said.filter(|_| !flag(fields, "is_interrupt")).map(str::to_owned)
}

/// Whether a field says what a tool answered. What says nothing is no answer: in doubt the tool is about to run.
pub fn has_answer(fields: &Fields, key: &str) -> bool {
    fields.get(key).is_some_and(|value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Bool(true) | Value::Number(_) => true,
    })
}

/// Whether a field says yes.
pub fn flag(fields: &Fields, key: &str) -> bool {
    fields.get(key).and_then(Value::as_bool).unwrap_or(false)
}

/// The parameters of a tool: an object, or the text of one, since some hosts write it so.
///
/// # Errors
/// They are not there, or neither of the two.
pub fn params(fields: &mut Fields, key: &'static str) -> Result<Params, ParseError> {
    match fields.remove(key) {
        Some(Value::Object(params)) => Ok(params),
        Some(Value::String(text)) => match strict_json(text.as_bytes()) {
            Ok(Value::Object(params)) => Ok(params),
            _ => Err(ParseError::WrongType(key)),
        },
        Some(_) => Err(ParseError::WrongType(key)),
        None => Err(ParseError::Missing(key)),
    }
}

/// The id of a call on a host that sends none: the same call gets the same id before and after it ran.
pub fn made_up_id(actor: &Actor, tool: &str, params: &Params) -> CallId {
    let input = canonical_json(&Value::Object(params.clone()));
    CallId::made_up(&ContentHash::of(format!("{}\0{tool}\0{input}", actor.key()).as_bytes()))
}

/// A call as the gate takes it.
pub fn tool_call(actor: &Actor, cwd: Option<&str>, id: CallId, tool: String, params: Params) -> ToolCall {
    ToolCall {
        id,
        actor: actor.clone(),
        tool,
        params,
        cwd: cwd.map(ToOwned::to_owned),
        intent_id: None,
        read_hash: None,
        requirement_ids: Vec::new(),
    }
}

/// How the host treats permissions, by the words that several hosts share.
pub fn permission_mode(word: Option<&str>) -> PermissionMode {
    match word {
        Some("default") => PermissionMode::Default,
        Some("plan") => PermissionMode::Plan,
        Some("acceptEdits") => PermissionMode::AcceptEdits,
        Some("auto") => PermissionMode::Auto,
        Some("dontAsk") => PermissionMode::DontAsk,
        Some("bypassPermissions") => PermissionMode::Bypass,
        _ => PermissionMode::Unknown,
    }
}

/// Every text that follows that key somewhere in the bytes, however broken they are.
pub fn names_in<'a>(raw: &'a [u8], key: &str) -> Vec<&'a [u8]> {
    let key = format!("\"{key}\"");
    let mut names = Vec::new();
    let mut rest = raw;
    while let Some(at) = rest.windows(key.len()).position(|window| window == key.as_bytes()) {
        rest = rest.get(at + key.len()..).unwrap_or_default();
        let value = rest.trim_ascii_start().strip_prefix(b":").map(<[u8]>::trim_ascii_start);
        if let Some(text) = value.and_then(|value| value.strip_prefix(b"\"")) {
            // A name that is cut off is no name: nothing was told, so nothing may run.
            let closed = text.iter().position(|byte| *byte == b'"').and_then(|end| text.get(..end));
            names.extend(closed);
        }
    }
    names
}
