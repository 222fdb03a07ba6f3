//! One frame as both sides must read it. What two readers could take differently is no frame: a name that stands twice, a
//! line end inside, too deep nesting, members that the protocol does not have.

use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};

/// What some programs write before the first line of a text.
pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The deepest nesting of a frame.
const DEEPEST: usize = 100;

const MEMBERS: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

/// The id of a request.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Id {
    /// A whole number.
    Number(i64),
    /// A whole number that is larger than all of those.
    Large(u64),
    /// A text.
    Text(String),
}

impl Id {
    /// The id that this value is, if it is one.
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::Text(text.clone())),
            other => other.as_i64().map(Self::Number).or_else(|| other.as_u64().map(Self::Large)),
        }
    }

    /// The id as a value.
    pub fn value(&self) -> Value {
        match self {
            Self::Number(number) => json!(number),
            Self::Large(number) => json!(number),
            Self::Text(text) => json!(text),
        }
    }
}

/// One frame: the bytes as they came, and what they say.
#[derive(Debug)]
pub struct Frame {
    /// The line, without its end and what surrounds the frame.
    pub line: Vec<u8>,
    /// What it says.
    pub says: Says,
}

/// What a frame says.
#[derive(Debug)]
pub enum Says {
    /// Something is asked.
    Request {
        /// What names the answer.
        id: Id,
        /// What is asked.
        method: String,
        /// An object, or null where there is none.
        params: Value,
    },
    /// Something is told.
    Notification {
        /// What is told.
        method: String,
        /// An object, or null where there is none.
        params: Value,
    },
    /// The answer to a request.
    Result {
        /// Which request.
        id: Id,
        /// The answer.
        result: Value,
    },
    /// A request failed.
    Failure {
        /// Which request.
        id: Id,
    },
}

/// Why a line is no frame, and the request that it was meant to be.
#[derive(Debug, PartialEq, Eq)]
pub struct Odd {
    /// The error's code in the protocol.
    pub code: i64,
    /// Why, in words.
    pub why: String,
    /// The request's id, where it can be told.
    pub id: Option<Id>,
}

/// The line is no JSON.
pub const PARSE: i64 = -32700;
/// It is no frame.
pub const INVALID: i64 = -32600;
/// Nobody knows the method.
pub const NO_METHOD: i64 = -32601;
/// Whoever should have answered failed.
pub const FAILED: i64 = -32603;

/// The line of an error, without its end.
pub fn error(id: Option<&Id>, code: i64, why: &str) -> Vec<u8> {
    let id = id.map_or(Value::Null, Id::value);
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": why}}).to_string().into_bytes()
}

/// A line without the blanks around it that JSON knows; a form feed is none, and a reader may stop at it.
pub fn without_space(line: &[u8]) -> &[u8] {
    let is_text = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let end = line.iter().rposition(is_text).map_or(0, |last| last + 1);
    let start = line.iter().position(is_text).unwrap_or(end);
    line.get(start..end).unwrap_or_default()
}

/// A line without what surrounds a frame.
pub(crate) fn bare(line: &[u8]) -> &[u8] {
    without_space(line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line))
}

/// Whether all that the line begins ends in it. The end of one that is cut short could be the end of something inside.
pub(crate) fn is_closed(line: &[u8]) -> bool {
    shape(line).open == 0
}

/// Reads a line; `None` for one that says nothing.
///
/// # Errors
/// It is no frame, or two readers could take it for different ones.
pub fn read(line: &[u8]) -> Result<Option<Frame>, Odd> {
    let odd = |code, why: String, id| Odd { code, why, id };
    let line = bare(line);
    if line.is_empty() {
        return Ok(None);
    }
    if line.contains(&b'\r') {
        return Err(odd(INVALID, "a frame is one line".to_owned(), Id::of_odd(line)));
    }
    if shape(line).deepest > DEEPEST {
        return Err(odd(INVALID, format!("a frame is at most {DEEPEST} deep"), Id::of_odd(line)));
    }
    let no_json = |why| odd(PARSE, format!("the line is not plain JSON: {why}"), Id::of_odd(line));
    let value = strict(line).map_err(no_json)?;
    let Value::Object(members) = value else {
        return Err(odd(INVALID, "batches and other values are no frames here".to_owned(), None));
    };
    let id = members.get("id").and_then(Id::of);
    let says = understood(members).map_err(|why| odd(INVALID, why.to_owned(), id))?;
    Ok(Some(Frame { line: line.to_owned(), says }))
}

fn understood(mut members: Map<String, Value>) -> Result<Says, &'static str> {
    if members.keys().any(|name| !MEMBERS.contains(&name.as_str())) {
        return Err("a frame has no other members than those of JSON-RPC");
    }
    if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err("a frame is of JSON-RPC 2.0");
    }
    let id = match members.remove("id") {
        None => None,
        Some(id) => Some(Id::of(&id).ok_or("an id is a text or a whole number")?),
    };
    let params = members.remove("params");
    match (members.remove("method"), members.remove("result"), members.remove("error"), id) {
        (Some(Value::String(method)), None, None, id) => {
            let params = params.unwrap_or(Value::Null);
            if !matches!(params, Value::Null | Value::Object(_)) {
                return Err("the parameters of a method are an object");
            }
            Ok(match id {
                Some(id) => Says::Request { id, method, params },
                None => Says::Notification { method, params },
            })
        }
        (None, Some(result), None, Some(id)) if params.is_none() => Ok(Says::Result { id, result }),
        (None, None, Some(_), Some(id)) if params.is_none() => Ok(Says::Failure { id }),
        _ => Err("a frame is a request, a notification or an answer"),
    }
}

/// How a text nests.
struct Shape {
    deepest: usize,
    /// So much is open at its end; a text counts as well.
    open: usize,
}

/// How a text nests, told without building anything of it.
fn shape(line: &[u8]) -> Shape {
    let (mut depth, mut deepest, mut quoted, mut escaped) = (0_usize, 0, false, false);
    for byte in line {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => {
                depth = depth.saturating_add(1);
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Shape { deepest, open: depth.saturating_add(usize::from(quoted)) }
}

/// Two names of one object that some reader takes for the same, anywhere in a value.
pub fn twins(value: &Value) -> Option<String> {
    match value {
        Value::Object(members) => {
            let mut seen = std::collections::BTreeSet::new();
            // Some readers take `ſ` for `s`, too: both are one in upper case.
            let twin = members.keys().find(|name| !seen.insert(name.to_lowercase().to_uppercase()));
            twin.cloned().or_else(|| members.values().find_map(twins))
        }
        Value::Array(items) => items.iter().find_map(twins),
        _ => None,
    }
}

fn strict(line: &[u8]) -> Result<Value, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_slice(line);
    let value = Strict.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Reads a value in which no name stands twice in one object.
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(json!(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(json!(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(json!(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let value = members.next_value_seed(Self)?;
            if object.contains_key(&name) {
                return Err(A::Error::custom("a name stands twice in one object"));
            }
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(line: &str) -> Result<Option<Says>, Odd> {
        read(line.as_bytes()).map(|frame| frame.map(|frame| frame.says))
    }

    #[test]
    fn what_two_readers_could_take_differently_is_no_frame() {
        let deep = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{}", "[".repeat(5000));
        for line in [
            "[]",
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","m\u0065thod":"tools/call"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":{"path":"x","path":"y"}}}"#,
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":\r{\"jsonrpc\":\"2.0\"}}",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}{"x":1}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            r#"{"id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{},"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","result":{}}"#,
            "nonsense",
            "\u{c}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
            "\"\\ud800\"",
            &deep,
        ] {
            assert!(says(line).is_err(), "{line}");
        }
        assert!(read(b"\xff").is_err());
    }

    // D-39: nobody waits for an answer that names nobody
    #[test]
    fn the_id_of_a_line_that_is_no_frame_is_told_where_it_stands() {
        let deep = "[".repeat(200) + &"]".repeat(200);
        for line in [
            r#"{"method":"m","params":{"a":"\ud83d"},"jsonrpc":"2.0","id":7}"#.to_owned(),
            r#"{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":"\ud83d"}}"#.to_owned(),
            format!(r#"{{"method":"m","params":{deep},"jsonrpc":"2.0","id":7}}"#),
            "{\"jsonrpc\":\"2.0\",\"id\":7,\r\"method\":\"m\"}".to_owned(),
        ] {
            assert_eq!(read(line.as_bytes()).unwrap_err().id, Some(Id::Number(7)), "{line}");
        }
        assert_eq!(says(r#"{"params":{"id":7}"#).unwrap_err().id, None, "it is cut short");
    }

    #[test]
    fn a_frame_keeps_its_bytes_and_its_id() {
        let line = "\u{feff}{\"method\": \"ping\", \"jsonrpc\":\"2.0\",  \"id\":\"a\", \"params\":{\"n\":1.00,\"b\":12345678901234567890123}}\r";
        let frame = read(line.as_bytes()).unwrap().unwrap();
        assert_eq!(frame.line, line.trim_matches(['\u{feff}', '\r']).as_bytes());
        assert!(matches!(frame.says, Says::Request { id: Id::Text(id), .. } if id == "a"));
        assert!(read(b" \r").unwrap().is_none());
        let large = read(br#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"m"}"#).unwrap().unwrap();
        assert!(matches!(large.says, Says::Request { id, .. } if id.value() == json!(u64::MAX)));
        assert!(matches!(
            says(r#"{"jsonrpc":"2.0","id":7,"result":[]}"#),
            Ok(Some(Says::Result { id: Id::Number(7), .. }))
        ));
        assert_eq!(twins(&json!({"a": [{"Path": 1, "path": 2}]})).as_deref(), Some("path"));
        for (one, other) in [("\u{17f}ources", "sources"), ("\u{212a}ey", "key"), ("σ", "ς"), ("µ", "μ")]
        {
            assert!(twins(&json!({one: 1, other: 2})).is_some(), "{one} {other}");
        }
        assert!(twins(&json!({"source": 1, "sources": 2})).is_none());
    }
}
