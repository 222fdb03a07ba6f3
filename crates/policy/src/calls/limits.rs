//! How much one call may say: checked before its parameters are read, so that no reading takes long.

use bailiwick_domain::{Params, Value};

/// How many values the parameters may hold together.
const MOST_VALUES: usize = 50_000;

/// How many entries one list may have.
const MOST_ENTRIES: usize = 5_000;

/// Why the parameters are more than is read, if they are.
///
/// ```
/// use bailiwick_domain::json;
/// use bailiwick_policy::limits::too_much;
/// let edits = vec![json!({"old_string": "a", "new_string": "b"}); 20_000];
/// assert!(too_much(json!({"path": "a.rs", "edits": edits}).as_object().unwrap()).is_some());
/// assert!(too_much(json!({"path": "a.rs"}).as_object().unwrap()).is_none());
/// ```
pub fn too_much(params: &Params) -> Option<String> {
    let mut values = 0_usize;
    let mut waiting: Vec<&Value> = params.values().collect();
    while let Some(value) = waiting.pop() {
        values = values.saturating_add(1);
        match value {
            Value::Array(entries) if entries.len() > MOST_ENTRIES => {
                return Some(format!(
                    "a list has {} entries, and at most {MOST_ENTRIES} are read",
                    entries.len()
                ));
            }
            Value::Array(entries) => waiting.extend(entries),
            Value::Object(members) => waiting.extend(members.values()),
            _ => {}
        }
        if values > MOST_VALUES {
            return Some(format!("there are more than {MOST_VALUES} values"));
        }
    }
    None
}
