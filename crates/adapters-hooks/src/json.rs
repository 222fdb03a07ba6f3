//! Strict reading of one JSON value, so that what is judged is what the host meant.
//!
//! Refuses whatever two parsers could read differently: duplicate keys, anything after the value, invalid UTF-8, raw
//! control characters, `NaN`, and nesting beyond `serde_json`'s limit (127 levels). It knows no host and no event.

use core::fmt;

use bailiwick_domain::{Map, Value};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

/// The most bytes that an event may have; more is refused before anything is read.
pub const MAX_EVENT_BYTES: usize = 32 * 1024 * 1024;

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Why bytes are not one unambiguous JSON value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonFault {
    /// More than [`MAX_EVENT_BYTES`].
    #[error("the event has more than {MAX_EVENT_BYTES} bytes")]
    TooBig,
    /// Not UTF-8.
    #[error("the event is not UTF-8")]
    NotUtf8,
    /// Not exactly one JSON value with unique keys.
    #[error("the event is not one unambiguous JSON value: {0}")]
    Malformed(String),
}

/// Reads exactly one JSON value; a byte order mark in front is dropped.
///
/// ```
/// use bailiwick_adapters_hooks::strict_json;
/// assert!(strict_json(br#"{"a":{"b":1,"c":2}}"#).is_ok());
/// assert!(strict_json(br#"{"a":{"b":1,"\u0062":2}}"#).is_err());
/// ```
pub fn strict_json(bytes: &[u8]) -> Result<Value, JsonFault> {
    if bytes.len() > MAX_EVENT_BYTES {
        return Err(JsonFault::TooBig);
    }
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let text = core::str::from_utf8(bytes).map_err(|_| JsonFault::NotUtf8)?;
    serde_json::from_str::<Unambiguous>(text)
        .map(|value| value.0)
        .map_err(|e| JsonFault::Malformed(e.to_string()))
}

/// A value whose objects name each key once.
struct Unambiguous(Value);

impl<'de> Deserialize<'de> for Unambiguous {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor).map(Self)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        serde_json::Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("not a finite number"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Unambiguous(value)) = items.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((key, Unambiguous(value))) = entries.next_entry::<String, Unambiguous>()? {
            if map.insert(key, value).is_some() {
                return Err(A::Error::custom("a key occurs twice in one object"));
            }
        }
        Ok(Value::Object(map))
    }
}
