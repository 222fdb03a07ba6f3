//! Paths that VS Code takes for URIs: what it would open is not what the text names as a path, so the gate refuses them.
//!
//! Contract: `resolveFilePath` of the Copilot extension (`promptPathRepresentationService.ts`).

use bailiwick_domain::{URI_MARK, Value};

use crate::dialect::Called;

/// The parameters that bear a path, by how their names end.
const PATHS: &[&str] = &["path", "paths", "file", "files", "directory", "folder"];
/// What stands before a path in a patch.
const HEADERS: &[&str] = &["*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"];

/// The call with a mark before each path that is a URI to VS Code.
pub(super) fn marked(mut called: Called) -> Called {
    if called.tool == "apply_patch" {
        for patch in called.params.values_mut() {
            if let Value::String(text) = patch {
                *text = text.split('\n').map(header).collect::<Vec<_>>().join("\n");
            }
        }
    }
    called.params.iter_mut().for_each(|(name, value)| member(name, value));
    called
}

fn header(line: &str) -> String {
    let path = HEADERS.iter().find_map(|head| line.trim_start().strip_prefix(head)).map(str::trim);
    match path.filter(|path| is_uri(path)) {
        Some(path) => line.replacen(path, &format!("{URI_MARK}{path}"), 1),
        None => line.to_owned(),
    }
}

fn member(name: &str, value: &mut Value) {
    let name = name.to_ascii_lowercase();
    let bears = PATHS.iter().any(|end| name.ends_with(end));
    below(bears, value);
}

fn below(bears_paths: bool, value: &mut Value) {
    match value {
        Value::String(path) if bears_paths && is_uri(path) => *path = format!("{URI_MARK}{path}"),
        Value::Array(items) => items.iter_mut().for_each(|item| below(bears_paths, item)),
        Value::Object(members) => members.iter_mut().for_each(|(name, value)| member(name, value)),
        _ => {}
    }
}

/// Whether a text that is no absolute path matches `\w[\w\d+.-]*:\S`, wherever in it.
fn is_uri(text: &str) -> bool {
    let is_scheme_like = |(at, _): (usize, &str)| {
        let (before, after) = text.split_at(at);
        let scheme = before.chars().rev().take_while(|sign| is_word(*sign) || "+.-".contains(*sign));
        let next = after.chars().nth(1);
        scheme.into_iter().any(is_word) && next.is_some_and(|sign| !sign.is_whitespace() || sign == '\u{85}')
    };
    !is_absolute(text) && text.match_indices(':').any(is_scheme_like)
}

fn is_word(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_'
}

fn is_absolute(text: &str) -> bool {
    let is_drive = text.get(1..2) == Some(":") && text.starts_with(|sign: char| sign.is_ascii_alphabetic());
    text.starts_with('/') || (cfg!(windows) && (is_drive || text.starts_with('\\')))
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::json;

    use super::*;

    fn marked_in(tool: &str, params: &Value) -> Value {
        let params = params.as_object().unwrap().clone();
        marked(Called { tool: tool.to_owned(), params, cwd: None }).params.into()
    }

    #[test]
    fn what_the_client_parses_as_a_uri_is_marked() {
        for text in [
            "vscode-remote://localhost:8080/r/%2Eenv",
            "vscode-local:/r/%2Eenv",
            "untitled:x",
            "src/a:b",
            "_:x",
        ] {
            assert!(is_uri(text), "{text}");
        }
        for text in ["/r/a:b", "src/a", "a: b", ":x", "+.-:x", "a:", "\u{e9}:x", ""] {
            assert!(!is_uri(text), "{text}");
        }
    }

    #[test]
    fn paths_alone_are_marked_however_deep_they_stand() {
        let mark = |path: &str| format!("{URI_MARK}{path}");
        let params = json!({
            "filePath": "a:b", "filePaths": ["a:b", "/a:b"], "replacements": [{"filePath": "a:b", "newString": "a:b"}],
            "query": "a:b", "url": "https://a",
        });
        let expected = json!({
            "filePath": mark("a:b"), "filePaths": [mark("a:b"), "/a:b"],
            "replacements": [{"filePath": mark("a:b"), "newString": "a:b"}], "query": "a:b", "url": "https://a",
        });
        assert_eq!(marked_in("read_file", &params), expected);
    }

    #[test]
    fn the_headers_of_a_patch_are_marked() {
        let patch =
            |path: &str| format!("*** Begin Patch\n*** Update File: {path}\n-File: a:b\n+c:d\n*** End Patch");
        let params = json!({"input": patch("untitled:x"), "explanation": "a:b"});
        let expected = json!({"input": patch(&format!("{URI_MARK}untitled:x")), "explanation": "a:b"});
        assert_eq!(marked_in("apply_patch", &params), expected);
        let plain = json!({"input": patch("/r/a:b")});
        assert_eq!(marked_in("apply_patch", &plain), plain);
    }
}
