//! The id of a request whose line was too long to be read, where that can be told from its two ends.

use serde_json::{Map, Value};

use crate::frame::Id;

impl Id {
    /// The id of a frame of which only the beginning and the end are there; none where it could be another one's.
    pub fn of_torn(beginning: &[u8], end: &[u8]) -> Option<Self> {
        at_the_beginning(beginning).or_else(|| at_the_end(end))
    }
}

/// The id where no member before it is long: what stands before its value, closed behind `null`, is an object.
fn at_the_beginning(beginning: &[u8]) -> Option<Id> {
    const KEY: &str = "\"id\":";
    let text = beginning.utf8_chunks().next()?.valid();
    let (before, after) = text.split_once(KEY)?;
    serde_json::from_str::<Map<String, Value>>(&format!("{before}{KEY}null}}")).ok()?;
    let id = serde_json::Deserializer::from_str(after).into_iter::<Value>().next()?.ok()?;
    // A number that is cut would be another one.
    let is_whole = id.is_string() || after.trim_start().contains([',', '}']);
    Id::of(&id).filter(|_| is_whole)
}

/// The id where it is the last member: from its key to the end it is an object by itself.
fn at_the_end(end: &[u8]) -> Option<Id> {
    let text = end.utf8_chunks().last()?.valid();
    let (before, rest) = text.rsplit_once("\"id\"")?;
    let object = serde_json::from_str::<Map<String, Value>>(&format!("{{\"id\"{rest}")).ok()?;
    let is_a_member = before.trim_end().ends_with([',', '{']) && object.len() == 1;
    object.get("id").filter(|_| is_a_member).and_then(Id::of)
}
