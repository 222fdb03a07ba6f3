//! Canonical JSON: one line, sorted keys, no insignificant blanks. What is hashed for fingerprints, revisions and seals.
//!
//! Keys are in the order of Unicode code points; numbers and strings are written as `serde_json` writes them. Not RFC
//! 8785, which the ledger uses.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use serde::Serialize;
use serde_json::{Value, json};

/// A JSON value in canonical form.
pub fn canonical_json(value: &Value) -> String {
    let mut out = String::new();
    write_canonical(value, &mut out);
    out
}

/// The canonical form of whatever can be written as JSON: that of the value it is written as, without building the value.
///
/// ```
/// use bailiwick_domain::{canonical_json, canonical_of, json};
/// let value = json!({"b": [1, {"d": null, "c": "x"}], "a": 2.5});
/// assert_eq!(canonical_of(&value), r#"{"a":2.5,"b":[1,{"c":"x","d":null}]}"#);
/// assert_eq!(canonical_of(&value), canonical_json(&value));
/// ```
pub fn canonical_of(value: &impl Serialize) -> String {
    let sorted = serde_json::to_string(value).ok().and_then(|text| sorted(&text));
    sorted.unwrap_or_else(|| canonical_json(&json!(value)))
}

fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut members: Vec<(&String, &Value)> = map.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (index, (key, member)) in members.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_text(key, out);
                out.push(':');
                write_canonical(member, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_canonical(item, out);
            }
            out.push(']');
        }
        Value::String(text) => write_text(text, out),
        // Through the serializer, not `Display`: a third of the work.
        scalar => out.push_str(&serde_json::to_string(scalar).unwrap_or_default()),
    }
}

/// A text as `serde_json` writes it, which leaves most texts as they are.
fn write_text(text: &str, out: &mut String) {
    if text.bytes().any(|byte| byte < 0x20 || byte == b'"' || byte == b'\\') {
        out.push_str(&serde_json::to_string(text).unwrap_or_default());
        return;
    }
    out.push('"');
    out.push_str(text);
    out.push('"');
}

/// Text that `serde_json` wrote on one line, with its objects sorted. `None` where that cannot be told from the text
/// alone: a key with an escape in it sorts by what it stands for, and of a key that is there twice the last one counts.
fn sorted(text: &str) -> Option<String> {
    let mut sorter = Sorter { rest: text, out: String::with_capacity(text.len()) };
    sorter.value()?;
    sorter.rest.is_empty().then_some(sorter.out)
}

struct Sorter<'a> {
    rest: &'a str,
    out: String,
}

impl<'a> Sorter<'a> {
    fn value(&mut self) -> Option<()> {
        match self.rest.as_bytes().first()? {
            b'{' => self.object(),
            b'[' => self.array(),
            b'"' => {
                let literal = self.literal()?;
                self.out.push_str(literal);
                Some(())
            }
            _ => {
                let ends = |byte| matches!(byte, b',' | b']' | b'}');
                let end = self.rest.bytes().position(ends).unwrap_or(self.rest.len());
                let scalar = self.take(end)?;
                self.out.push_str(scalar);
                Some(())
            }
        }
    }

    fn array(&mut self) -> Option<()> {
        self.sign("[")?;
        while self.sign("]").is_none() {
            self.value()?;
            let _ = self.sign(",");
        }
        Some(())
    }

    /// Writes the members as they stand, and once more in order when that is another one.
    fn object(&mut self) -> Option<()> {
        let mut members: Vec<(&'a str, Range<usize>)> = Vec::new();
        self.sign("{")?;
        let start = self.out.len();
        while self.sign("}").is_none() {
            let key = self.literal()?;
            let from = self.out.len();
            self.out.push_str(key);
            self.sign(":")?;
            self.value()?;
            // Its quotes would stand in the way of the order: a blank comes before a quote.
            members.push((key.get(1..key.len() - 1)?, from..self.out.len()));
            let _ = self.sign(",");
        }
        if members.iter().any(|(key, _)| key.contains('\\')) {
            return None;
        }
        if members.is_sorted_by(|(before, _), (after, _)| before < after) {
            return Some(());
        }
        members.sort_by_key(|(key, _)| *key);
        if members.windows(2).any(|pair| matches!(pair, [(one, _), (other, _)] if one == other)) {
            return None;
        }
        let unsorted = self.out.split_off(start);
        for (index, (_, range)) in members.into_iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            self.out.push_str(unsorted.get(range.start.checked_sub(start)?..range.end.checked_sub(start)?)?);
        }
        self.out.push('}');
        Some(())
    }

    /// A text with its quotes.
    fn literal(&mut self) -> Option<&'a str> {
        let mut escaped = false;
        let inner = self.rest.strip_prefix('"')?;
        let end = inner.bytes().position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        })?;
        self.take(end + 2)
    }

    /// Moves one sign over, if it is the next.
    fn sign(&mut self, sign: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(sign)?;
        self.out.push_str(sign);
        Some(())
    }

    fn take(&mut self, length: usize) -> Option<&'a str> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }
}
