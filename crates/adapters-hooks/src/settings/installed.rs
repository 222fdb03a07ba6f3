//! Questions about settings files that `doctor` and the hook ask. Edits nothing.

use bailiwick_domain::{Map, Value};

use super::command::{Launcher, launcher_mode};
use super::text::{is_dropped, value_of};
use super::{Beside, HookSettings, Shape, Switches, handler, listed, script, toml};

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

/// All hooks of ours in a settings file; none when the host cannot read the file.
pub fn installed_hooks(settings: &HookSettings, text: &str) -> Vec<InstalledHook> {
    match settings.shape {
        Shape::Script(whole) => return script::installed(settings, whole, text),
        Shape::Toml => return toml::installed(settings, text),
        Shape::Listed(_) => return listed::installed(settings, text),
        Shape::Groups | Shape::Entries => {}
    }
    let Some(Value::Object(file)) = value_of(text).filter(|_| !is_dropped(settings, text)) else {
        return Vec::new();
    };
    let events = file.get(settings.under).and_then(Value::as_object).into_iter().flatten();
    events
        .flat_map(|(event, listed)| {
            handlers(settings.shape, listed)
                .into_iter()
                .filter(|found| handler::is_ours(settings, found))
                .map(|found| handler::read(settings, event, found))
        })
        .collect()
}

fn handlers(shape: Shape, listed: &Value) -> Vec<&Value> {
    let listed = listed.as_array().into_iter().flatten();
    match shape {
        Shape::Entries | Shape::Toml | Shape::Listed(_) | Shape::Script(_) => listed.collect(),
        Shape::Groups => {
            listed.filter_map(|group| group.get("hooks").and_then(Value::as_array)).flatten().collect()
        }
    }
}

/// Whether the file holds our hook before a tool.
pub fn guards(settings: &HookSettings, text: &str) -> bool {
    let before = settings.events.first().map(|event| event.name);
    installed_hooks(settings, text).iter().any(|hook| Some(hook.event.as_str()) == before)
}

/// The names of the settings files that all install the hook before a tool; empty unless there are two or more, since
/// then every call is judged twice.
pub fn detect_double<'a>(settings: &HookSettings, files: &[(&'a str, &str)]) -> Vec<&'a str> {
    let holding = files.iter().filter(|(_, text)| guards(settings, text));
    let names: Vec<&str> = holding.map(|(name, _)| *name).collect();
    if names.len() > 1 { names } else { Vec::new() }
}

/// What a settings file that changed does to the gate's hooks, if it takes them away.
pub fn takes_hooks_away(
    settings: &HookSettings,
    text: Option<&str>,
    held_ours: bool,
) -> Option<&'static str> {
    if text.is_some_and(|text| turned_off(settings, text).is_some()) {
        return Some("it turns every hook off");
    }
    let holds_ours = || text.is_some_and(|text| guards(settings, text));
    (held_ours && !holds_ours()).then_some("it no longer holds the gate's hooks")
}

/// The name of the switch with which a settings file turns all hooks off.
pub fn turned_off(settings: &HookSettings, text: &str) -> Option<&'static str> {
    switched_off(settings.switches, text).and_then(|way| way.last().copied())
}

fn switched_off(switches: Switches, text: &str) -> Option<&'static [&'static str]> {
    let file = value_of(text).filter(|_| !switches.is_empty())?;
    let found = switches.iter().find(|(way, off)| {
        let at = way.iter().try_fold(&file, |at, key| at.as_object().and_then(|at: &Map<_, _>| at.get(*key)));
        at == Some(&Value::Bool(*off))
    });
    found.map(|(way, _)| *way)
}

/// The same of a file that holds no hooks of ours, with the way to the switch.
pub fn turned_off_beside(beside: &Beside, text: &str) -> Option<String> {
    let way = match beside.is_toml {
        true => toml::switched_off(beside.switches, text),
        false => switched_off(beside.switches, text),
    };
    way.map(|way| way.join("."))
}
