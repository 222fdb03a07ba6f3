//! `.orchestration/config.yaml`: what it says, what of it is in force, and where each value comes from.
//!
//! A file from the tree may only tighten. These loosen a default and count only when a person accepted the
//! file's exact bytes on this machine:
//!
//! | key | loosens when |
//! |---|---|
//! | `handshake.reselect` | `session` |
//! | `scope.on_violation` | `ask` |
//! | `stale.never_read` | `ask` or `allow` |
//! | `approval.timeout_s` | more than 100; more than 110 is invalid, hosts stop waiting at 120 |
//! | `classification.TOOL` | `SAFE` |
//! | `read.roots` | not empty |
//! | `loop.repeats` | more than 3 |
//! | `commands.allow` | not empty |
//! | `trace.sync` | `os` |
//! | `fail_safe.safe_tools` | `allow` |
//!
//! Deciding what a setting does is not done here.

mod decode;
mod edit;
mod keys;
mod sparse;

use bailiwick_domain::{Diagnostic, Settings, Sourced};
use serde::{Deserialize, Serialize};

use crate::files::Layout;

pub(crate) use decode::decode;
pub use edit::{config_with, config_word};
use keys::value_of;

/// What `bailiwick config show` and `config check` tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigReport {
    /// What is in force.
    pub settings: Settings,
    /// Every key with its value in force and where that comes from.
    pub sourced: Vec<Sourced>,
    /// Values that are not in force, and keys that nothing obeys yet.
    pub warnings: Vec<Diagnostic>,
    /// Why the file is not valid.
    pub errors: Vec<Diagnostic>,
    /// Whether values of the file loosen a default and a human accepted them on this machine.
    pub accepted: bool,
    /// The keys whose values loosen a default, each with that default as JSON text.
    pub loosening: Vec<(String, String)>,
}

/// What a settings file says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Config {
    /// With every value as written.
    #[serde(with = "sparse")]
    pub(crate) written: Settings,
    /// Without the values that loosen a default.
    #[serde(with = "sparse")]
    pub(crate) tightened: Settings,
    /// The keys that are there, in file order.
    pub(crate) given: Vec<Given>,
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) errors: Vec<Diagnostic>,
}

/// One key that the file gives a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Given {
    pub(crate) key: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// The value as JSON text, as written.
    pub(crate) value: String,
    pub(crate) loosens: bool,
}

/// What a settings file of this text would set if a human accepted it; `None` when it is not valid.
pub fn settings_of(text: &str) -> Option<Settings> {
    let config = decode(text.as_bytes());
    config.errors.is_empty().then_some(config.written)
}

impl Config {
    /// Whether it depends on a human's acceptance.
    pub(crate) fn loosens(&self) -> bool {
        self.given.iter().any(|given| given.loosens)
    }

    /// What is in force.
    pub(crate) fn settings(&self, accepted: bool) -> &Settings {
        if accepted { &self.written } else { &self.tightened }
    }

    /// Everything for people.
    pub(crate) fn report(self, accepted: bool) -> ConfigReport {
        let settings = self.settings(accepted).clone();
        let tools = self.given.iter().map(|given| given.key.as_str()).filter(|key| keys::is_of_a_tool(key));
        let sourced =
            keys::in_order().chain(tools).map(|key| self.sourced(key, &settings, accepted)).collect();
        let refused = self.given.iter().filter(|given| given.loosens && !accepted).map(not_accepted);
        let warnings = self.warnings.iter().cloned().chain(refused).collect();
        let accepted = accepted && self.loosens();
        let defaults = Settings::default();
        let default = |key: &str| value_of(&defaults, key).unwrap_or_else(|| "null".into());
        let loosening = self.given.iter().filter(|given| given.loosens);
        let loosening = loosening.map(|given| (given.key.clone(), default(&given.key))).collect();
        ConfigReport { settings, sourced, warnings, errors: self.errors, accepted, loosening }
    }

    fn sourced(&self, key: &str, settings: &Settings, accepted: bool) -> Sourced {
        let given = self.given.iter().find(|given| given.key == key);
        let value = value_of(settings, key).unwrap_or_else(|| "null".into());
        let source = match given {
            None if key == keys::CLASSIFICATION && !settings.classification.is_empty() => {
                Layout::CONFIG.into()
            }
            None => "default".into(),
            Some(given) if given.loosens && !accepted => {
                format!("{}:{} (not accepted; default applies)", Layout::CONFIG, given.line)
            }
            Some(given) => format!("{}:{}", Layout::CONFIG, given.line),
        };
        Sourced { key: key.into(), value, source }
    }
}

fn not_accepted(given: &Given) -> Diagnostic {
    Diagnostic {
        file: Layout::CONFIG.into(),
        line: given.line,
        column: given.column,
        message: format!(
            "`{}: {}` loosens the default and is not accepted; the default applies",
            given.key, given.value
        ),
        fix: "run `bailiwick config accept`".into(),
        way_out: None,
    }
}
