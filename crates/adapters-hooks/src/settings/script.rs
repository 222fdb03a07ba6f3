//! Hooks that are a script of ours, on hosts that call plugins instead of programs. One line of it says which program it
//! asks and how long; the rest is the same everywhere. What the script does with an answer is the host's own matter.

use bailiwick_domain::{Value, json};

use super::command::{HookCommand, is_binary};
use super::text::FOREIGN;
use super::{HookSettings, InstallError, Installed, InstalledHook, Uninstalled};

/// How the line begins that differs from machine to machine.
const SLOT: &str = "const GATE = ";

/// The script, in the place of an older one of ours or of nothing.
pub(super) fn install(
    settings: &HookSettings,
    script: &str,
    existing: Option<&str>,
    command: &HookCommand,
) -> Result<Installed, InstallError> {
    let theirs = existing.filter(|text| !text.trim().is_empty() && gate(settings, script, text).is_none());
    if theirs.is_some() {
        return Err(FOREIGN);
    }
    let seconds = settings.events.iter().map(|event| (event.name.to_owned(), Value::from(event.timeout_s)));
    let gate = json!({
        settings.command: command.binary,
        "arguments": command.arguments(settings),
        settings.limit: Value::Object(seconds.collect()),
    });
    let mut text = String::with_capacity(script.len() + 512);
    for line in script.lines() {
        match line.starts_with(SLOT) {
            true => text.push_str(&format!("{SLOT}{gate};")),
            false => text.push_str(line),
        }
        text.push('\n');
    }
    Ok(Installed { changed: existing != Some(text.as_str()), text })
}

/// The whole file goes when it is ours.
pub(super) fn uninstall(settings: &HookSettings, script: &str, existing: &str) -> Uninstalled {
    match gate(settings, script, existing) {
        Some(_) => Uninstalled { text: None, changed: true },
        None => Uninstalled { text: Some(existing.to_owned()), changed: false },
    }
}

/// The events that a script of ours asks about; none when it is not ours.
pub(super) fn installed(settings: &HookSettings, script: &str, text: &str) -> Vec<InstalledHook> {
    let Some(gate) = gate(settings, script, text) else { return Vec::new() };
    let hooks = settings.events.iter().map(|event| InstalledHook {
        event: event.name.to_owned(),
        command: program(settings, &gate).unwrap_or_default().to_owned(),
        arguments: arguments(&gate),
        timeout_s: gate.get(settings.limit).and_then(|limits| limits.get(event.name)).and_then(Value::as_u64),
        fails_closed: event.fails_closed,
    });
    hooks.collect()
}

/// What the line says, when the file begins as ours does and the line runs the hook of this host.
fn gate(settings: &HookSettings, script: &str, text: &str) -> Option<Value> {
    text.lines().next().filter(|first| script.lines().next() == Some(*first))?;
    let line = text.lines().find_map(|line| line.strip_prefix(SLOT))?;
    let gate: Value = serde_json::from_str(line.trim_end_matches(';')).ok()?;
    let runs_hook = arguments(&gate)?.starts_with(&["hook", "--agent", settings.host].map(str::to_owned));
    program(settings, &gate).is_some_and(|program| runs_hook && is_binary(program)).then_some(gate)
}

fn program<'a>(settings: &HookSettings, gate: &'a Value) -> Option<&'a str> {
    gate.get(settings.command)?.as_str()
}

fn arguments(gate: &Value) -> Option<Vec<String>> {
    let words = gate.get("arguments")?.as_array()?;
    words.iter().map(|word| word.as_str().map(str::to_owned)).collect()
}
