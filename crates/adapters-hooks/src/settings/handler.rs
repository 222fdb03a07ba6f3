//! One handler of ours in a settings file: how it is written, and how it is recognised and read again.

use bailiwick_domain::Value;

use super::command::{CommandForm, HookCommand, Launcher, is_binary, is_our_line};
use super::{HookSettings, InstalledHook, Registered, Word};

/// The members of the handler for the event, in the order in which people write them.
pub(super) fn written(
    settings: &HookSettings,
    command: &HookCommand,
    event: &Registered,
) -> Vec<(String, Value)> {
    let fixed = settings.fixed.iter().map(|(key, text)| (*key, Value::from(*text)));
    let mut handler: Vec<(&str, Value)> = fixed.collect();
    match (command.form, settings.arguments) {
        (CommandForm::Arguments, Some(arguments)) => {
            handler.push((settings.command, command.binary.as_str().into()));
            handler.push((arguments, command.arguments(settings).into()));
        }
        _ => handler.push((settings.command, command.line(settings, event).into())),
    }
    if !settings.limit.is_empty() {
        handler.push((settings.limit, (event.timeout_s * settings.units_a_second).into()));
    }
    // A machine without a POSIX shell must not be bricked where the team only advises.
    if event.fails_closed
        && command.form != CommandForm::Launcher(Launcher::Advisory)
        && let Some((key, word)) = settings.fails_closed
    {
        handler.push((key, value_of(word)));
    }
    handler.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Whether a handler runs `bailiwick hook --agent NAME`, wherever the binary lies.
pub(super) fn is_ours(settings: &HookSettings, handler: &Value) -> bool {
    let Some(command) = handler.get(settings.command).and_then(Value::as_str) else {
        return false;
    };
    let arguments = settings.arguments.and_then(|key| handler.get(key)).and_then(Value::as_array);
    match arguments {
        Some(arguments) => {
            let words: Vec<&str> = arguments.iter().map_while(Value::as_str).collect();
            is_binary(command) && words.starts_with(&["hook", "--agent", settings.host])
        }
        None => is_our_line(command, settings.host),
    }
}

/// A handler of ours as it stands in a file.
pub(super) fn read(settings: &HookSettings, event: &str, handler: &Value) -> InstalledHook {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let limit = handler.get(settings.limit).and_then(Value::as_u64);
    let arguments = settings.arguments.and_then(|key| handler.get(key)).and_then(Value::as_array);
    InstalledHook {
        event: event.to_owned(),
        command: handler.get(settings.command).map(text).unwrap_or_default(),
        arguments: arguments.map(|words| words.iter().map(text).collect()),
        timeout_s: limit.map(|limit| limit / u64::from(settings.units_a_second)),
        fails_closed: settings
            .fails_closed
            .is_some_and(|(key, word)| handler.get(key) == Some(&value_of(word))),
    }
}

fn value_of(word: Word) -> Value {
    match word {
        Word::Yes => Value::Bool(true),
        Word::Text(text) => text.into(),
    }
}
