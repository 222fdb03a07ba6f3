//! Installing into and uninstalling from Claude Code's settings, as text to text.
//!
//! Ours is recognised by its command alone. Everything else in the file is left as it is; a file that cannot be
//! understood is never written. Reading and writing the file, and asking for its version, is the caller's work.

use bailiwick_domain::Value;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject};

use super::hook_command::{EVENTS, Event, HookCommand, is_ours_value};
pub use super::settings_text::InstallError;
use super::settings_text::{SettingsText, input, member_object};

/// A settings file with the hooks in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The whole file.
    pub text: String,
    /// Whether it differs from what was there.
    pub changed: bool,
}

/// A settings file without the hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uninstalled {
    /// The whole file; `None` when nothing is left and the file can go.
    pub text: Option<String>,
    /// Whether anything of ours was found.
    pub changed: bool,
}

/// Puts the hooks in. Running it again changes nothing; an older entry of ours is replaced where it stands.
///
/// ```
/// use bailiwick_adapters_hooks::claude_code::{HookCommand, install, uninstall};
/// let command = HookCommand::new("/opt/bailiwick", None);
/// let once = install(None, &command).unwrap();
/// assert!(!install(Some(&once.text), &command).unwrap().changed);
/// assert_eq!(uninstall(&once.text, true).unwrap().text, None);
/// ```
pub fn install(existing: Option<&str>, command: &HookCommand) -> Result<Installed, InstallError> {
    let file = SettingsText::read(existing)?;
    let hooks = member_object(file.object(), "hooks", "hooks")?;
    check_shape(&hooks)?;
    for prop in hooks.properties() {
        let known = prop.decoded_name().is_some_and(|name| EVENTS.iter().any(|event| event.name == name));
        if !known && let Some(groups) = prop.array_value() {
            take_out(&groups, |_, _| true);
            if groups.elements().is_empty() {
                prop.remove();
            }
        }
    }
    for event in &EVENTS {
        let groups = hooks.array_value_or_create(event.name).ok_or(NOT_A_LIST)?;
        put_in(&groups, event, command.handler(event));
    }
    let text = file.text();
    Ok(Installed { changed: existing != Some(text.as_str()), text })
}

/// Takes exactly ours out, with the groups and lists that this leaves empty. `created_by_us` says whether a file in
/// which nothing is left may go.
pub fn uninstall(existing: &str, created_by_us: bool) -> Result<Uninstalled, InstallError> {
    let file = SettingsText::read(Some(existing))?;
    let Some(hooks) = file.object().object_value("hooks") else {
        return Ok(Uninstalled { text: Some(existing.to_owned()), changed: false });
    };
    let mut changed = false;
    for prop in hooks.properties() {
        if let Some(groups) = prop.array_value()
            && take_out(&groups, |_, _| true)
        {
            changed = true;
            if groups.elements().is_empty() {
                prop.remove();
            }
        }
    }
    if !changed {
        return Ok(Uninstalled { text: Some(existing.to_owned()), changed });
    }
    if hooks.properties().is_empty()
        && let Some(prop) = file.object().get("hooks")
    {
        prop.remove();
    }
    let nothing_left = created_by_us && file.object().properties().is_empty();
    Ok(Uninstalled { text: (!nothing_left).then(|| file.text()), changed })
}

const NOT_A_LIST: InstallError = InstallError::Unexpected { key: "hooks.<event>", expected: "a list" };

/// Every event is a list of objects that each have a list of objects; anything else is not edited.
fn check_shape(hooks: &CstObject) -> Result<(), InstallError> {
    const GROUP: InstallError =
        InstallError::Unexpected { key: "hooks.<event>[]", expected: "an object with a list `hooks`" };
    for prop in hooks.properties() {
        for group in prop.array_value().ok_or(NOT_A_LIST)?.elements() {
            group.as_object().and_then(|group| group.array_value("hooks")).ok_or(GROUP)?;
        }
    }
    Ok(())
}

/// Leaves exactly one handler of ours in the list: the first that stands in a group with the right matcher, else a new
/// one at the end.
fn put_in(groups: &CstArray, event: &Event, handler: Vec<(String, Value)>) {
    let wanted =
        CstInputValue::Object(handler.iter().map(|(key, value)| (key.clone(), input(value))).collect());
    let as_value = Value::Object(handler.into_iter().collect());
    let mut kept = false;
    take_out(groups, |group, found| {
        if kept || !fits(group, event) {
            return true;
        }
        kept = true;
        if found.to_serde_value().as_ref() != Some(&as_value)
            && let Some(object) = found.as_object()
        {
            object.replace_with(wanted.clone());
        }
        false
    });
    if !kept {
        let mut group = vec![("hooks".to_owned(), CstInputValue::Array(vec![wanted]))];
        group.splice(0..0, event.matcher.map(|matcher| ("matcher".to_owned(), matcher.into())));
        groups.append(CstInputValue::Object(group));
    }
}

/// Whether a group reaches all that the event must reach: its matcher, and nothing else that could narrow it.
fn fits(group: &CstObject, event: &Event) -> bool {
    let matcher = group.get("matcher").and_then(|prop| prop.to_serde_value());
    matcher == event.matcher.map(Value::from)
        && group
            .properties()
            .iter()
            .all(|prop| matches!(prop.decoded_name().as_deref(), Some("matcher" | "hooks")))
}

/// Removes handlers of ours that `unwanted` names, and the groups that this leaves empty.
fn take_out(groups: &CstArray, mut unwanted: impl FnMut(&CstObject, &CstNode) -> bool) -> bool {
    let mut changed = false;
    for group in groups.elements() {
        let Some(group) = group.as_object() else {
            continue;
        };
        let Some(handlers) = group.array_value("hooks") else {
            continue;
        };
        let mut removed = false;
        for handler in handlers.elements() {
            if is_ours(&handler) && unwanted(&group, &handler) {
                handler.remove();
                removed = true;
            }
        }
        if removed && handlers.elements().is_empty() {
            group.remove();
        }
        changed |= removed;
    }
    changed
}

fn is_ours(handler: &CstNode) -> bool {
    handler.to_serde_value().is_some_and(|value| is_ours_value(&value))
}
