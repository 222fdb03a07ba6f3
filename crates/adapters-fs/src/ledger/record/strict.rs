//! A record for readers that accept only the members of Agent Trace.

use bailiwick_domain::{Value, json};

use super::NAMESPACE;

/// A stored record without the names that the strict schema of Agent Trace 0.1.0 forbids. Nothing is lost: the older
/// names repeat others, and what is ours goes where vendors keep their own members. The place in the chain and the
/// signature go to `metadata`, the unit around each range to `symbols` of its file there.
pub fn strict_record(mut record: Value) -> Value {
    let Some(members) = record.as_object_mut() else { return record };
    members.remove("agent");
    let chain: Vec<(String, Value)> = ["prev", "checksum", "signature"]
        .into_iter()
        .filter_map(|name| members.remove(name).map(|value| (name.to_owned(), value)))
        .collect();
    if let Some(vcs) = members.get_mut("vcs").and_then(Value::as_object_mut) {
        vcs.remove("revision_id");
    }
    let files = members.get_mut("files").and_then(Value::as_array_mut);
    let symbols: Vec<Vec<Value>> = files.into_iter().flatten().map(strict_file).collect();
    let own = members.get_mut("metadata").and_then(|metadata| metadata.get_mut(NAMESPACE));
    if let Some(own) = own.and_then(Value::as_object_mut) {
        own.extend(chain);
        let files = own.get_mut("files").and_then(Value::as_array_mut).into_iter().flatten();
        for (file, symbols) in files.filter_map(Value::as_object_mut).zip(symbols) {
            if symbols.iter().any(|symbol| !symbol.is_null()) {
                file.insert("symbols".into(), json!(symbols));
            }
        }
    }
    record
}

/// Takes out of a file what the schema does not know; the unit around each of its ranges, null where there is none.
fn strict_file(file: &mut Value) -> Vec<Value> {
    if let Some(members) = file.as_object_mut() {
        members.remove("relative_path");
    }
    let mut symbols = Vec::new();
    for talk in file.get_mut("conversations").and_then(Value::as_array_mut).into_iter().flatten() {
        for range in items(talk, "ranges") {
            symbols.push(range.remove("symbol").unwrap_or_default());
        }
        for link in items(talk, "related") {
            link.remove("value");
            link.remove("derived");
        }
    }
    symbols
}

type Members = bailiwick_domain::Map<String, Value>;

fn items<'v>(talk: &'v mut Value, name: &str) -> impl Iterator<Item = &'v mut Members> {
    let list = talk.get_mut(name).and_then(Value::as_array_mut);
    list.into_iter().flatten().filter_map(Value::as_object_mut)
}
