//! Questions about settings files that `doctor` asks. Edits nothing.

use bailiwick_domain::Value;

use super::hook_command::{is_ours_value, launcher_mode};
use super::launcher::Launcher;
use super::settings_text::value_of;

/// A hook of ours as it stands in a settings file, for `doctor`, which fires it as the host would.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledHook {
    /// The event.
    pub event: String,
    /// The program, or the shell line when there are no arguments.
    pub command: String,
    /// The arguments; `None` for a shell line.
    pub arguments: Option<Vec<String>>,
    /// The time limit in seconds, when one is given.
    pub timeout_s: Option<u64>,
    /// Whether the host is told to block when the hook fails.
    pub fails_closed: bool,
}

impl InstalledHook {
    /// How the repository's launcher behaves without Bailiwick, when this hook runs the launcher.
    pub fn launcher(&self) -> Option<Launcher> {
        self.arguments.is_none().then(|| launcher_mode(&self.command)).flatten()
    }
}

/// All hooks of ours in a settings file; none when the file is malformed.
pub fn installed_hooks(text: &str) -> Vec<InstalledHook> {
    let Some(Value::Object(settings)) = value_of(text) else {
        return Vec::new();
    };
    let events = settings.get("hooks").and_then(Value::as_object).into_iter().flatten();
    events
        .flat_map(|(event, groups)| {
            let groups = groups.as_array().into_iter().flatten();
            let handlers = groups.filter_map(|group| group.get("hooks")?.as_array()).flatten();
            handlers.filter(|handler| is_ours_value(handler)).map(|handler| installed_hook(event, handler))
        })
        .collect()
}

fn installed_hook(event: &str, handler: &Value) -> InstalledHook {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    InstalledHook {
        event: event.to_owned(),
        command: handler.get("command").map(text).unwrap_or_default(),
        arguments: handler.get("args").and_then(Value::as_array).map(|args| args.iter().map(text).collect()),
        timeout_s: handler.get("timeout").and_then(Value::as_u64),
        fails_closed: handler.get("onFailure").and_then(Value::as_str) == Some("block"),
    }
}

/// The names of the settings files that all install the hook before a tool; empty unless there are two or more, since
/// then every call is judged twice.
pub fn detect_double<'a>(files: &[(&'a str, &str)]) -> Vec<&'a str> {
    let has_ours = |text: &str| installed_hooks(text).iter().any(|hook| hook.event == "PreToolUse");
    let names: Vec<&str> = files.iter().filter(|(_, text)| has_ours(text)).map(|(name, _)| *name).collect();
    if names.len() > 1 { names } else { Vec::new() }
}

/// What a settings file that changed does to the gate's hooks, if it takes them away.
pub fn takes_hooks_away(text: Option<&str>, held_ours: bool) -> Option<&'static str> {
    if text.is_some_and(disable_all_hooks) {
        return Some("it turns every hook off");
    }
    let holds_ours =
        || text.is_some_and(|text| installed_hooks(text).iter().any(|hook| hook.event == "PreToolUse"));
    (held_ours && !holds_ours()).then_some("it no longer holds the gate's hooks")
}

/// Whether a settings file turns all hooks off.
pub fn disable_all_hooks(text: &str) -> bool {
    value_of(text).is_some_and(|settings| settings.get("disableAllHooks") == Some(&Value::Bool(true)))
}
