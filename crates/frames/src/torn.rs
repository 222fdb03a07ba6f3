//! What a line that is no frame was meant to be, where that can be told, and from its two ends alone if it is too long.

use serde_json::{Map, Value};

use crate::frame::{Id, bare, is_closed};
use crate::legible::legible;
use crate::lines::Line;

/// What a line that is no frame was meant to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// A request of this method. Its id is none where nobody can read the one that it has.
    Asked(Option<Id>, String),
    /// A notification of this method.
    Told(String),
    /// The answer to this request, or to none.
    Answer(Option<Id>),
    /// It names a request, and neither asks nor answers.
    Names(Id),
    /// No message: nobody could read one in it.
    Nothing,
    /// It could be anything.
    Unknown,
}

impl Meant {
    /// What this line was meant to be.
    pub fn of(line: &Line) -> Self {
        match line {
            Line::Whole(line) => Self::of_whole(&legible(line)),
            Line::TooLong(beginning, end) => Self::of_torn(beginning, end),
        }
    }

    fn of_whole(line: &[u8]) -> Self {
        let line = bare(line);
        if let Ok(value) = serde_json::from_slice::<Value>(line) {
            return match value {
                Value::Object(members) => Self::of_members(&members),
                Value::Array(_) => Self::Unknown,
                _ => Self::Nothing,
            };
        }
        let looks_so = line.starts_with(b"{") && holds(line, b"\"jsonrpc\"");
        if looks_so { Self::of_torn(line, if is_closed(line) { line } else { b"" }) } else { Self::Nothing }
    }

    fn of_members(members: &Map<String, Value>) -> Self {
        // Lines of a log are objects, too, and some have an id.
        if !["jsonrpc", "method", "result", "error"].iter().any(|name| members.contains_key(*name)) {
            return Self::Nothing;
        }
        let is_answer = members.contains_key("result") || members.contains_key("error");
        if let Some(method) = members.get("method").and_then(Value::as_str) {
            return Self::of_method(method, members.get("id"));
        }
        match members.get("id").filter(|id| !id.is_null()).map(Id::of) {
            None => Self::Answer(None),
            Some(Some(id)) if is_answer => Self::Answer(Some(id)),
            Some(Some(id)) => Self::Names(id),
            Some(None) => Self::Unknown,
        }
    }

    /// Whoever gives an id waits for an answer, also where the id is none.
    fn of_method(method: &str, id: Option<&Value>) -> Self {
        match id {
            Some(id) => Self::Asked(Id::of(id), method.to_owned()),
            None => Self::Told(method.to_owned()),
        }
    }

    /// The method that it names, if it does.
    pub fn method(&self) -> Option<&str> {
        match self {
            Self::Asked(_, method) | Self::Told(method) => Some(method),
            _ => None,
        }
    }

    fn of_torn(beginning: &[u8], end: &[u8]) -> Self {
        let member = |name| at_the_beginning(beginning, name).or_else(|| at_the_end(end, name));
        let (method, id) = (member("method"), member("id"));
        match (method.as_ref().and_then(Value::as_str), id.as_ref().and_then(Id::of)) {
            (Some(method), _) => Self::of_method(method, id.as_ref()),
            (None, Some(id)) => Self::Answer(Some(id)),
            (None, None) => Self::Unknown,
        }
    }
}

impl Id {
    /// The id of a frame of which only the beginning and the end are there; none where it could be another one's.
    pub fn of_torn(beginning: &[u8], end: &[u8]) -> Option<Self> {
        let id = at_the_beginning(beginning, "id").as_ref().and_then(Self::of);
        id.or_else(|| at_the_end(end, "id").as_ref().and_then(Self::of))
    }

    /// The id of a line of which no end is missing, or else as far as its beginning tells it.
    pub(crate) fn of_odd(line: &[u8]) -> Option<Self> {
        Self::of_torn(line, if is_closed(line) { line } else { b"" })
    }
}

/// A member where none before it is long: what stands before its value, closed behind `null`, is an object.
fn at_the_beginning(beginning: &[u8], name: &str) -> Option<Value> {
    let key = format!("\"{name}\":");
    let text = beginning.utf8_chunks().next()?.valid();
    let (before, after) = text.split_once(&key)?;
    serde_json::from_str::<Map<String, Value>>(&format!("{before}{key}null}}")).ok()?;
    let value = serde_json::Deserializer::from_str(after).into_iter::<Value>().next()?.ok()?;
    // A number that is cut would be another one.
    let is_whole = value.is_string() || after.trim_start().contains([',', '}']);
    is_whole.then_some(value)
}

/// A member behind which nothing long stands: from its key to the end it is an object by itself.
fn at_the_end(end: &[u8], name: &str) -> Option<Value> {
    const SHORT: [&str; 3] = ["id", "jsonrpc", "method"];
    let key = format!("\"{name}\"");
    let text = end.utf8_chunks().last()?.valid();
    let (before, rest) = text.rsplit_once(&key)?;
    let mut object = serde_json::from_str::<Map<String, Value>>(&format!("{{{key}{rest}")).ok()?;
    let is_a_member = before.trim_end().ends_with([',', '{']);
    let is_short = object.keys().all(|name| SHORT.contains(&name.as_str()));
    object.remove(name).filter(|_| is_a_member && is_short)
}

fn holds(line: &[u8], text: &[u8]) -> bool {
    line.windows(text.len()).any(|bytes| bytes == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(line: &str) -> Meant {
        Meant::of(&Line::Whole(line.as_bytes().to_vec()))
    }

    #[test]
    fn what_an_odd_line_was_meant_to_be_is_told_where_it_can_be() {
        let answer = |id: i64| Meant::Answer(Some(Id::Number(id)));
        let asked = |id| Meant::Asked(id, "m".to_owned());
        let deep = "[".repeat(500) + &"]".repeat(500);
        for (line, expected) in [
            (r#"{"jsonrpc":"2.0","id":null,"error":{}}"#.to_owned(), Meant::Answer(None)),
            (r#"{"jsonrpc":"2.0","error":{}}"#.to_owned(), Meant::Answer(None)),
            (r#"{"jsonrpc":"2.0","id":7}"#.to_owned(), Meant::Names(Id::Number(7))),
            (r#"{"jsonrpc":"2.0","id":1.5,"result":{}}"#.to_owned(), Meant::Unknown),
            (r#"{"jsonrpc":"2.0","id":7,"result":{},"more":1}"#.to_owned(), answer(7)),
            (r#"{"jsonrpc":"2.0","id":7,"method":"m","more":1}"#.to_owned(), asked(Some(Id::Number(7)))),
            (r#"{"jsonrpc":"2.0","id":null,"method":"m"}"#.to_owned(), asked(None)),
            (r#"{"jsonrpc":"2.0","id":1.0,"method":"m"}"#.to_owned(), asked(None)),
            (r#"{"jsonrpc":"2.0","id":{"a":1},"method":"m"}"#.to_owned(), asked(None)),
            (r#"{"jsonrpc":"2.0","method":"m","more":1}"#.to_owned(), Meant::Told("m".to_owned())),
            (format!(r#"{{"result":{deep},"jsonrpc":"2.0","id":7}}"#), answer(7)),
            (format!(r#"{{"result":{deep},"id":7,"jsonrpc":"2.0"}}"#), answer(7)),
            (
                format!(r#"{{"jsonrpc":"2.0","params":{deep},"method":"m","id":7}}"#),
                asked(Some(Id::Number(7))),
            ),
            (r#"{"jsonrpc":"2.0","result":{"id":7}"#.to_owned(), Meant::Unknown),
            (format!(r#"[{deep}]"#), Meant::Nothing),
            ("[{}]".to_owned(), Meant::Unknown),
            (r#"{"level":30,"id":5,"msg":"GET /x"}"#.to_owned(), Meant::Nothing),
            (r#"{"level":"info","id":{"req":1},"msg":"hello"}"#.to_owned(), Meant::Nothing),
            ("server is ready".to_owned(), Meant::Nothing),
            ("{".to_owned(), Meant::Nothing),
            ("7".to_owned(), Meant::Nothing),
        ] {
            assert_eq!(meant(&line), expected, "{line}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_told_from_its_ends() {
        let long = |beginning: &str, end: &str| {
            Meant::of(&Line::TooLong(beginning.as_bytes().to_vec(), end.as_bytes().to_vec()))
        };
        let answer = Meant::Answer(Some(Id::Number(7)));
        assert_eq!(long(r#"{"jsonrpc":"2.0","id":7,"result":{"a":"x"#, r#"x"}}"#), answer);
        assert_eq!(long(r#"{"result":{"a":"x"#, r#""method":"m"},"jsonrpc":"2.0","id":7}"#), answer);
        assert_eq!(long(r#"{"result":{"a":"x"#, r#"x"},"id":7,"jsonrpc":"2.0"}"#), answer);
        let told = Meant::Told("notifications/message".to_owned());
        assert_eq!(long(r#"{"method":"notifications/message","params":"#, r#""},"jsonrpc":"2.0"}"#), told);
        let asked = Meant::Asked(Some(Id::Number(7)), "roots/list".to_owned());
        assert_eq!(long(r#"{"method":"roots/list","params":"#, r#""},"jsonrpc":"2.0","id":7}"#), asked);
        let odd = Meant::Asked(None, "roots/list".to_owned());
        assert_eq!(long(r#"{"method":"roots/list","id":true,"params":"#, r#""}}"#), odd);
        assert_eq!(long(r#"{"result":{"a":"x"#, r#"x","id":7}}"#), Meant::Unknown);
    }
}
