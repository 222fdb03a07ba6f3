//! Hooks in a JSON file of our own: a list of handlers under one member, each of which names its event. Nobody else's hooks
//! stand in such a file, so it is written as a whole and goes as a whole.

use bailiwick_domain::{Value, json};

use super::command::{HookCommand, is_our_line};
use super::text::{FOREIGN, value_of};
use super::{HookSettings, InstallError, Installed, InstalledHook, Registered, Uninstalled};

/// The file with our hooks, in the place of an older one of ours or of nothing.
pub(super) fn install(
    settings: &HookSettings,
    version: &str,
    existing: Option<&str>,
    command: &HookCommand,
) -> Result<Installed, InstallError> {
    if existing.is_some_and(|text| !text.trim().is_empty() && !is_ours(settings, text)) {
        return Err(FOREIGN);
    }
    let hooks: Vec<Value> = settings.events.iter().map(|event| written(settings, command, event)).collect();
    let text = format!("{:#}\n", json!({ "version": version, settings.under: hooks }));
    Ok(Installed { changed: existing != Some(text.as_str()), text })
}

/// The whole file goes when it is ours.
pub(super) fn uninstall(settings: &HookSettings, existing: &str) -> Uninstalled {
    let is_ours = is_ours(settings, existing);
    Uninstalled { text: (!is_ours).then(|| existing.to_owned()), changed: is_ours }
}

/// Our hooks that are not turned off, also beside others.
pub(super) fn installed(settings: &HookSettings, text: &str) -> Vec<InstalledHook> {
    let on = |hook: &&Value| hook.get("enabled") != Some(&Value::Bool(false));
    let hooks = listed(settings, text);
    hooks.iter().filter(on).filter_map(|hook| read(settings, hook)).collect()
}

fn written(settings: &HookSettings, command: &HookCommand, event: &Registered) -> Value {
    let members = [
        ("name", Some(format!("bailiwick {}", event.name).into())),
        ("trigger", Some(event.name.into())),
        ("matcher", event.matcher.map(Value::from)),
        ("action", Some(json!({ "type": "command", settings.command: command.line(settings, event) }))),
        (settings.limit, Some((event.timeout_s * settings.units_a_second).into())),
        ("enabled", Some(true.into())),
    ];
    members.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

/// Whether each hook of the file is ours, and there is one.
fn is_ours(settings: &HookSettings, text: &str) -> bool {
    let hooks = listed(settings, text);
    !hooks.is_empty() && hooks.iter().all(|hook| read(settings, hook).is_some())
}

fn listed(settings: &HookSettings, text: &str) -> Vec<Value> {
    let file = value_of(text).unwrap_or_default();
    file.get(settings.under).and_then(Value::as_array).cloned().unwrap_or_default()
}

/// The hook, when it is ours.
fn read(settings: &HookSettings, hook: &Value) -> Option<InstalledHook> {
    let action = hook.get("action").filter(|action| action.get("type") == Some(&"command".into()))?;
    let command = action.get(settings.command)?.as_str()?;
    let limit = hook.get(settings.limit).and_then(Value::as_u64);
    is_our_line(command, settings.host).then(|| InstalledHook {
        event: hook.get("trigger").and_then(Value::as_str).unwrap_or_default().to_owned(),
        command: command.to_owned(),
        arguments: None,
        timeout_s: limit.map(|limit| limit / u64::from(settings.units_a_second)),
        fails_closed: false,
    })
}
