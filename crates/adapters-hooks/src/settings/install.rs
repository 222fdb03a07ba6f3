//! Installing into and uninstalling from a host's settings, as text to text.
//!
//! Ours is recognised by its command alone. Everything else in the file is left as it is; a file that cannot be
//! understood is never written. Reading and writing the file, and asking for its version, is the caller's work.

use bailiwick_domain::Value;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject};

use super::command::HookCommand;
use super::text::{InstallError, SettingsText, input, is_dropped, member_object};
use super::{HookSettings, Registered, Shape, handler, listed, script, toml};

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
/// use bailiwick_adapters_hooks::claude_code::SETTINGS;
/// use bailiwick_adapters_hooks::settings::{HookCommand, install, uninstall};
/// let command = HookCommand::new("/opt/bailiwick", None);
/// let once = install(&SETTINGS, None, &command).unwrap();
/// assert!(!install(&SETTINGS, Some(&once.text), &command).unwrap().changed);
/// assert_eq!(uninstall(&SETTINGS, &once.text, true).unwrap().text, None);
/// ```
///
/// # Errors
/// The file is not understood.
pub fn install(
    settings: &HookSettings,
    existing: Option<&str>,
    command: &HookCommand,
) -> Result<Installed, InstallError> {
    match settings.shape {
        Shape::Script(text) => return script::install(settings, text, existing, command),
        Shape::Toml => return toml::install(settings, existing, command),
        Shape::Listed(version) => return listed::install(settings, version, existing, command),
        Shape::Groups | Shape::Entries => {}
    }
    if existing.is_some_and(|text| is_dropped(settings, text)) {
        return Err(InstallError::TrailingComma);
    }
    let file = SettingsText::read(existing)?;
    for (key, number) in settings.root {
        if file.object().get(key).is_none() {
            file.object().append(key, CstInputValue::Number(number.to_string()));
        }
    }
    let hooks = member_object(file.object(), settings.under, settings.under)?;
    check_shape(settings, &hooks)?;
    for prop in hooks.properties() {
        let known =
            prop.decoded_name().is_some_and(|name| settings.events.iter().any(|event| event.name == name));
        if !known && let Some(listed) = prop.array_value() {
            take_out(settings, &listed, |_, _| true);
            if listed.elements().is_empty() {
                prop.remove();
            }
        }
    }
    for event in settings.events {
        let listed =
            hooks.array_value_or_create(event.name).ok_or_else(|| not_a_list(settings, event.name))?;
        put_in(settings, &listed, event, handler::written(settings, command, event));
    }
    let text = file.text();
    Ok(Installed { changed: existing != Some(text.as_str()), text })
}

/// Takes exactly ours out, with the groups and lists that this leaves empty. `created_by_us` says whether a file in
/// which nothing is left may go.
///
/// # Errors
/// The file is not understood.
pub fn uninstall(
    settings: &HookSettings,
    existing: &str,
    created_by_us: bool,
) -> Result<Uninstalled, InstallError> {
    match settings.shape {
        Shape::Script(text) => return Ok(script::uninstall(settings, text, existing)),
        Shape::Toml => return toml::uninstall(settings, existing, created_by_us),
        Shape::Listed(_) => return Ok(listed::uninstall(settings, existing)),
        Shape::Groups | Shape::Entries => {}
    }
    let file = SettingsText::read(Some(existing))?;
    let unchanged = || Uninstalled { text: Some(existing.to_owned()), changed: false };
    let Some(hooks) = file.object().object_value(settings.under) else {
        return Ok(unchanged());
    };
    let mut changed = false;
    for prop in hooks.properties() {
        if let Some(listed) = prop.array_value()
            && take_out(settings, &listed, |_, _| true)
        {
            changed = true;
            if listed.elements().is_empty() {
                prop.remove();
            }
        }
    }
    if !changed {
        return Ok(unchanged());
    }
    if hooks.properties().is_empty()
        && let Some(prop) = file.object().get(settings.under)
    {
        prop.remove();
    }
    let nothing_left = created_by_us && is_bare(settings, file.object());
    Ok(Uninstalled { text: (!nothing_left).then(|| file.text()), changed })
}

/// Whether the file holds nothing but what it must have.
fn is_bare(settings: &HookSettings, file: &CstObject) -> bool {
    let is_ours = |name: &str| settings.root.iter().any(|(key, _)| *key == name);
    file.properties().iter().all(|prop| prop.decoded_name().is_some_and(|name| is_ours(&name)))
}

fn not_a_list(settings: &HookSettings, event: &str) -> InstallError {
    InstallError::Event { key: format!("{}.{event}", settings.under), expected: "a list" }
}

/// Whether a member beside the events is a switch of the host.
fn is_switch(settings: &HookSettings, name: &str) -> bool {
    settings.switches.iter().any(|(way, _)| *way == [settings.under, name])
}

/// Every event is a list of handlers, or of objects that each have a list of them; anything else is not edited.
fn check_shape(settings: &HookSettings, hooks: &CstObject) -> Result<(), InstallError> {
    for prop in hooks.properties() {
        let name = prop.decoded_name().unwrap_or_default();
        if is_switch(settings, &name) {
            continue;
        }
        let listed = prop.array_value().ok_or_else(|| not_a_list(settings, &name))?;
        let mut groups = listed.elements().into_iter().filter(|_| settings.shape == Shape::Groups);
        let is_group =
            |group: &CstNode| group.as_object().and_then(|group| group.array_value("hooks")).is_some();
        if !groups.all(|group| is_group(&group)) {
            let key = format!("{}.{name}[]", settings.under);
            return Err(InstallError::Event { key, expected: "an object with a list `hooks`" });
        }
    }
    Ok(())
}

/// Leaves exactly one handler of ours in the list: the first that stands in a group with the right matcher, else a new
/// one at the end.
fn put_in(settings: &HookSettings, listed: &CstArray, event: &Registered, handler: Vec<(String, Value)>) {
    let wanted =
        CstInputValue::Object(handler.iter().map(|(key, value)| (key.clone(), input(value))).collect());
    let as_value = Value::Object(handler.into_iter().collect());
    let mut kept = false;
    take_out(settings, listed, |group, found| {
        if kept || !group.is_none_or(|group| fits(group, event)) {
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
        listed.append(match settings.shape {
            Shape::Entries | Shape::Toml | Shape::Listed(_) | Shape::Script(_) => wanted,
            Shape::Groups => {
                let mut group = vec![("hooks".to_owned(), CstInputValue::Array(vec![wanted]))];
                group.splice(0..0, event.matcher.map(|matcher| ("matcher".to_owned(), matcher.into())));
                CstInputValue::Object(group)
            }
        });
    }
}

/// Whether a group reaches all that the event must reach: its matcher, and nothing else that could narrow it.
fn fits(group: &CstObject, event: &Registered) -> bool {
    let matcher = group.get("matcher").and_then(|prop| prop.to_serde_value());
    matcher == event.matcher.map(Value::from)
        && group
            .properties()
            .iter()
            .all(|prop| matches!(prop.decoded_name().as_deref(), Some("matcher" | "hooks")))
}

/// Removes handlers of ours that `unwanted` names, and the groups that this leaves empty.
fn take_out(
    settings: &HookSettings,
    listed: &CstArray,
    mut unwanted: impl FnMut(Option<&CstObject>, &CstNode) -> bool,
) -> bool {
    if settings.shape == Shape::Entries {
        return take_from(settings, listed, |found| unwanted(None, found));
    }
    let mut changed = false;
    for group in listed.elements() {
        let Some(group) = group.as_object() else {
            continue;
        };
        let Some(handlers) = group.array_value("hooks") else {
            continue;
        };
        let removed = take_from(settings, &handlers, |found| unwanted(Some(&group), found));
        if removed && handlers.elements().is_empty() {
            group.remove();
        }
        changed |= removed;
    }
    changed
}

fn take_from(
    settings: &HookSettings,
    handlers: &CstArray,
    mut unwanted: impl FnMut(&CstNode) -> bool,
) -> bool {
    let mut removed = false;
    for found in handlers.elements() {
        let is_ours = found.to_serde_value().is_some_and(|value| handler::is_ours(settings, &value));
        if is_ours && unwanted(&found) {
            found.remove();
            removed = true;
        }
    }
    removed
}
