//! Keys and loose shapes of parameters: which key bears what, in one place. Knows nothing of tools.

use bailiwick_domain::{FOLDER_KEYS, Params, Value};

/// Keys that bear a path. The first of each list is the name that the wire has and that a refusal says.
pub(crate) const PATH: &[&str] = &[
    "path",
    "file_path",
    "filePath",
    "notebook_path",
    "notebookPath",
    "target_file",
    "target_directory",
    "TargetFile",
    "AbsolutePath",
    "DirectoryPath",
    "SearchPath",
    "dir_path",
    "absolute_path",
];
/// Keys that bear several paths.
pub(crate) const PATHS: &[&str] =
    &["files", "paths", "file_paths", "filePaths", "include", "target_directories"];
pub(crate) const COMMAND: &[&str] = &["command", "command_line", "CommandLine", "cmd"];
pub(crate) const COMMANDS: &[&str] = &["commands"];
pub(crate) const CWD: &[&str] = FOLDER_KEYS;
pub(crate) const CONTENT: &[&str] = &["content", "contents", "file_text", "new_text", "text"];
/// Each of these belongs to the one at the same place of `NEW`.
pub(crate) const OLD: &[&str] = &["old_string", "oldString", "old_str", "old_text", "search"];
pub(crate) const NEW: &[&str] = &["new_string", "newString", "new_str", "new_text", "replace"];
pub(crate) const ALL: &[&str] = &["replace_all", "replaceAll", "allow_multiple"];
pub(crate) const EXPECTED: &[&str] = &["expected_replacements", "expectedReplacements"];
pub(crate) const PATCH: &[&str] = &["patch", "input", "patchText", "patch_text", "command", "diff"];
pub(crate) const FROM: &[&str] =
    &["from", "source", "source_path", "old_path", "oldPath", "from_path", "path", "file_path", "filePath"];
pub(crate) const TO: &[&str] =
    &["to", "destination", "destination_path", "new_path", "newPath", "to_path", "new_name", "newName"];
pub(crate) const GLOB: &[&str] = &["pattern", "glob_pattern", "query"];
/// Keys that say among which file names a search looks.
pub(crate) const FILE_NAMES: &[&str] = &[
    "glob",
    "file_pattern",
    "filePattern",
    "include_pattern",
    "includePattern",
    "include",
    "type",
    "glob_filter",
];

/// Whether one of these keys is there. A null counts as absent.
pub(super) fn has(params: &Params, keys: &[&str]) -> bool {
    keys.iter().any(|key| params.get(*key).is_some_and(|value| !value.is_null()))
}

/// The only value among these keys. A null counts as absent; the same value twice is fine.
fn agreed<T: PartialEq>(
    params: &Params,
    keys: &[&str],
    read: impl Fn(&str, &Value) -> Result<T, String>,
) -> Result<Option<T>, String> {
    let mut found: Option<(&str, T)> = None;
    for key in keys {
        let Some(value) = params.get(*key).filter(|value| **value != Value::Null) else { continue };
        let value = read(key, value)?;
        match &found {
            Some((first, other)) if *other != value => {
                return Err(format!("`{first}` and `{key}` say different things"));
            }
            Some(_) => {}
            None => found = Some((key, value)),
        }
    }
    Ok(found.map(|(_, value)| value))
}

/// The only text among these keys.
pub(super) fn text(params: &Params, keys: &[&str]) -> Result<Option<String>, String> {
    agreed(params, keys, |key, value| match value {
        Value::String(value) => Ok(value.clone()),
        _ => Err(format!("`{key}` is not a string")),
    })
}

/// The text, which must be there.
pub(super) fn required(params: &Params, keys: &[&str], what: &str) -> Result<String, String> {
    text(params, keys)?
        .ok_or_else(|| format!("there is no {what}: expected `{}`", keys.first().unwrap_or(&"")))
}

/// A yes or no; hosts that send only texts write it as one.
pub(super) fn flag(params: &Params, keys: &[&str]) -> Result<bool, String> {
    let read = |key: &str, value: &Value| match value {
        Value::Bool(value) => Ok(*value),
        Value::String(value) if matches!(value.as_str(), "true" | "false" | "") => Ok(value == "true"),
        _ => Err(format!("`{key}` is neither true nor false")),
    };
    Ok(agreed(params, keys, read)?.unwrap_or(false))
}

/// A count.
pub(super) fn count(params: &Params, keys: &[&str]) -> Result<Option<usize>, String> {
    agreed(params, keys, |key, value| {
        let number = match value {
            Value::Number(number) => number.as_u64().and_then(|number| usize::try_from(number).ok()),
            Value::String(number) => number.parse().ok(),
            _ => None,
        };
        number.ok_or_else(|| format!("`{key}` is not a count"))
    })
}

/// A list under one of these keys; a text that holds a JSON list is one, any other value is a list of itself.
pub(crate) fn list(params: &Params, key: &str) -> Option<Vec<Value>> {
    match params.get(key)? {
        Value::Null => None,
        Value::Array(items) => Some(items.clone()),
        Value::String(json) if json.trim_start().starts_with(['[', '{']) => match json.parse::<Value>() {
            Ok(Value::Array(items)) => Some(items),
            Ok(other) => Some(vec![other]),
            Err(_) => Some(vec![Value::String(json.clone())]),
        },
        other => Some(vec![other.clone()]),
    }
}

/// One path of a list: a text, or an object that has one.
pub(super) fn listed_path(value: &Value) -> Result<String, String> {
    match value {
        Value::String(path) => Ok(path.clone()),
        Value::Object(entry) => required(entry, PATH, "path in a list entry"),
        _ => Err("a list entry names no path".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::json;

    use super::*;

    // D11: a host may obey the other key
    #[test]
    fn two_keys_for_one_thing_must_say_the_same() {
        let keys = &["one", "two"];
        let read = |params: &Value| {
            let params = params.as_object().unwrap().clone();
            let text = text(&params, keys).map_err(drop);
            (text, flag(&params, keys).map_err(drop), count(&params, keys).map_err(drop))
        };
        assert_eq!(read(&json!({})), (Ok(None), Ok(false), Ok(None)));
        assert_eq!(read(&json!({"one": null, "two": null})), (Ok(None), Ok(false), Ok(None)));
        assert_eq!(read(&json!({"one": null, "two": "2"})), (Ok(Some("2".to_owned())), Err(()), Ok(Some(2))));
        assert_eq!(read(&json!({"one": 2, "two": "2"})), (Err(()), Err(()), Ok(Some(2))));
        assert_eq!(read(&json!({"one": 2, "two": 5})), (Err(()), Err(()), Err(())));
        assert_eq!(read(&json!({"one": true, "two": "true"})), (Err(()), Ok(true), Err(())));
        assert_eq!(read(&json!({"one": true, "two": false})), (Err(()), Err(()), Err(())));
        assert_eq!(read(&json!({"one": null, "two": true})), (Err(()), Ok(true), Err(())));
    }
}
