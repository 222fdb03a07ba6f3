//! The tools of a server as it describes them, and what the client is shown of that.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_domain::{ContentHash, Value, canonical_json};
use serde_json::value::RawValue;

use super::Definition;
use crate::catalogue::{is_own, own_tools};

/// So many tools of one server are known.
const MOST: usize = 2_000;
/// The longest name of a tool.
const LONGEST_NAME: usize = 128;

/// What a server said of its tools in one connection.
#[derive(Debug, Default)]
pub(crate) struct Tools {
    now: BTreeMap<String, (Value, ContentHash)>,
    /// Each way in which a tool was ever described.
    seen: BTreeMap<String, BTreeSet<ContentHash>>,
}

impl Tools {
    /// Takes up one page of a list; where to go on, or why it is no list.
    pub(crate) fn take(&mut self, result: &Value) -> Result<Option<String>, &'static str> {
        let list = result.get("tools").and_then(Value::as_array).ok_or("the list has no tools")?;
        for tool in list {
            let name = tool.get("name").and_then(Value::as_str).ok_or("a tool has no name")?;
            if !is_name(name) {
                continue;
            }
            if self.seen.len() >= MOST && !self.seen.contains_key(name) {
                return Err("the server has too many tools");
            }
            let hash = ContentHash::of(canonical_json(tool).as_bytes());
            self.seen.entry(name.to_owned()).or_default().insert(hash.clone());
            self.now.insert(name.to_owned(), (tool.clone(), hash));
        }
        match result.get("nextCursor") {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(cursor)) => Ok(Some(cursor.clone())),
            Some(_) => Err("the place where the list goes on is no text"),
        }
    }

    /// The list begins anew; what was seen before stays so.
    pub(crate) fn anew(&mut self) {
        self.now.clear();
    }

    pub(crate) fn get(&self, name: &str) -> Option<Definition> {
        let (whole, hash) = self.now.get(name)?;
        Some(self.definition(name, whole, hash))
    }

    pub(crate) fn all(&self) -> Vec<Definition> {
        self.now.iter().map(|(name, (whole, hash))| self.definition(name, whole, hash)).collect()
    }

    fn definition(&self, name: &str, whole: &Value, hash: &ContentHash) -> Definition {
        Definition {
            name: name.to_owned(),
            schema: whole.get("inputSchema").cloned().unwrap_or(Value::Null),
            whole: whole.clone(),
            hash: hash.clone(),
            wavers: self.seen.get(name).is_some_and(|seen| seen.len() > 1),
        }
    }
}

/// A name that is the same to every reader.
fn is_name(name: &str) -> bool {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "_-./".contains(sign);
    (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(is_plain)
}

/// An answer to `tools/list` with the gate's own tools behind the last of the server's. Those of the server keep their bytes;
/// one that goes by the name of ours is left out.
pub(crate) fn with_own(line: &[u8]) -> Option<Vec<u8>> {
    let mut frame: BTreeMap<String, Box<RawValue>> = serde_json::from_slice(line).ok()?;
    let mut result: BTreeMap<String, Box<RawValue>> =
        serde_json::from_str(frame.get("result")?.get()).ok()?;
    let tools: Vec<Box<RawValue>> = serde_json::from_str(result.get("tools")?.get()).ok()?;
    let is_last = result.get("nextCursor").is_none_or(|cursor| cursor.get() == "null");
    let name = |tool: &RawValue| {
        let tool: BTreeMap<String, Value> = serde_json::from_str(tool.get()).ok()?;
        tool.get("name").and_then(Value::as_str).map(str::to_owned)
    };
    let mut kept: Vec<Box<RawValue>> =
        tools.into_iter().filter(|tool| name(tool).is_some_and(|name| !is_own(&name))).collect();
    if is_last {
        for tool in own_tools() {
            kept.push(serde_json::value::to_raw_value(&tool).ok()?);
        }
    }
    result.insert("tools".to_owned(), serde_json::value::to_raw_value(&kept).ok()?);
    frame.insert("result".to_owned(), serde_json::value::to_raw_value(&result).ok()?);
    serde_json::to_vec(&frame).ok()
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::json;

    use super::*;

    #[test]
    fn a_definition_that_wavers_is_known_as_such() {
        let mut tools = Tools::default();
        let page = |text: &str| json!({"tools": [{"name": "read", "description": text, "inputSchema": {}}]});
        assert_eq!(tools.take(&page("one")), Ok(None));
        assert!(!tools.get("read").unwrap().wavers);
        tools.anew();
        assert!(tools.get("read").is_none());
        tools.take(&page("two")).unwrap();
        assert!(tools.get("read").unwrap().wavers);
        for odd in [json!({}), json!({"tools": [{}]}), json!({"tools": [], "nextCursor": 3})] {
            assert!(tools.take(&odd).is_err(), "{odd}");
        }
        tools.take(&json!({"tools": [{"name": "re ad"}, {"name": "r\u{435}ad"}]})).unwrap();
        assert_eq!(tools.all().len(), 1);
    }

    #[test]
    fn the_list_keeps_the_bytes_of_the_server_and_has_our_tools_behind() {
        let tool = r#"{"name":"x", "n":1.00,"inputSchema":{"b":1,"a":123456789012345678901234}}"#;
        let shadow = r#"{"name":"select_active_intent"}"#;
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{tool},{shadow}]}}}}"#);
        let told = String::from_utf8(with_own(line.as_bytes()).unwrap()).unwrap();
        assert!(told.contains(tool) && !told.contains(shadow), "{told}");
        let value: Value = serde_json::from_str(&told).unwrap();
        let names: Vec<&str> = value["result"]["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["name"].as_str().unwrap())
            .collect();
        assert_eq!(names.len(), 1 + own_tools().len());
        let more = line.replace("]}", r#"],"nextCursor":"2"}"#);
        let told: Value = serde_json::from_slice(&with_own(more.as_bytes()).unwrap()).unwrap();
        assert_eq!(told["result"]["tools"].as_array().unwrap().len(), 1);
    }
}
