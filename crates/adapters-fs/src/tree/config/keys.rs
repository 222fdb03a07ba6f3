//! The names of all keys, and how to read a key's value back out of settings. One table, in the documented order.

use bailiwick_domain::{Settings, json};

/// The one section that names tools.
pub(crate) const CLASSIFICATION: &str = "classification";
/// Before the tool's name in the key of one classification.
pub(crate) const CLASSIFICATION_PREFIX: &str = "classification.";

type Look = fn(&Settings) -> bailiwick_domain::Value;

/// Every key with its value in settings; `None` for keys that nothing obeys yet.
const KEYS: &[(&str, Option<Look>)] = &[
    ("handshake.reselect", Some(|settings| json!(settings.reselect))),
    ("handshake.strict", Some(|settings| json!(settings.strict))),
    ("scope.on_violation", Some(|settings| json!(settings.on_violation))),
    ("scope.overlap", Some(|settings| json!(settings.overlap))),
    ("stale.never_read", Some(|settings| json!(settings.never_read))),
    ("approval.channel", Some(|settings| json!(settings.channel))),
    ("approval.timeout_s", Some(|settings| json!(settings.approval_timeout_s))),
    ("approval.grants", Some(|settings| json!(settings.grants))),
    ("approval.show_prompt", Some(|settings| json!(settings.show_prompt))),
    ("approval.dialogs", Some(|settings| json!(settings.dialogs))),
    (
        "commands.read_only",
        Some(|settings| json!(format!("{:?}", settings.read_only_commands).to_lowercase())),
    ),
    ("commands.allow", Some(|settings| json!(settings.allowed_commands))),
    ("classification", Some(|settings| json!(settings.classification))),
    ("protect.write", Some(|settings| json!(settings.protect_write))),
    ("protect.read", Some(|settings| json!(settings.protect_read))),
    ("read.roots", Some(|settings| json!(settings.read_roots))),
    ("network.allow", Some(|settings| json!(settings.network_allow))),
    ("network.ask", Some(|settings| json!(settings.network_ask))),
    ("loop.repeats", Some(|settings| json!(settings.loop_repeats))),
    ("intents.id_pattern", None),
    ("intents.broad_files", Some(|settings| json!(settings.broad_files))),
    ("intents.broad_share", Some(|settings| json!(f64::from(settings.broad_permille) / 1000.0))),
    ("trace.require_requirement", Some(|settings| json!(settings.require_requirement))),
    ("trace.sign", Some(|settings| json!(settings.trace_sign))),
    ("trace.sync", Some(|settings| json!(settings.sync))),
    ("trace.in_git", Some(|settings| json!(settings.trace_in_git))),
    ("trace.keys", Some(|settings| json!(settings.trace_keys))),
    ("retention.days", Some(|settings| json!(settings.retention_days))),
    ("retention.log_mb", Some(|settings| json!(settings.retention_log_mb))),
    ("context.max_bytes", Some(|settings| json!(settings.context_max_bytes))),
    ("context.include", Some(|settings| json!(settings.context_include))),
    ("fail_safe.safe_tools", Some(|settings| json!(settings.safe_tools_when_broken))),
    ("lessons.from_agents", Some(|settings| json!(settings.lessons_from_agents))),
    ("lessons.file", None),
];

/// All keys that a file can give and that something obeys.
pub(crate) fn in_order<'k>() -> impl Iterator<Item = &'k str> {
    KEYS.iter().filter(|(_, look)| look.is_some()).map(|(key, _)| *key)
}

/// Whether the key is known and obeyed; `None` when it is not known.
pub(crate) fn is_obeyed(key: &str) -> Option<bool> {
    KEYS.iter().find(|(known, _)| *known == key).map(|(_, look)| look.is_some())
}

/// Whether the key is that of one tool's class.
pub(crate) fn is_of_a_tool(key: &str) -> bool {
    key.starts_with(CLASSIFICATION_PREFIX)
}

/// The first parts of all keys.
pub(crate) fn sections() -> Vec<&'static str> {
    let mut sections: Vec<&str> = KEYS.iter().map(|(key, _)| key.split('.').next().unwrap_or(key)).collect();
    sections.dedup();
    sections
}

/// The second parts of the keys of one section.
pub(crate) fn keys_of(section: &str) -> Vec<&'static str> {
    let within =
        |key: &&'static str| key.split_once('.').filter(|(first, _)| *first == section).map(|(_, key)| key);
    KEYS.iter().filter_map(|(key, _)| within(key)).collect()
}

/// The value of a key in these settings, as JSON text.
pub(crate) fn value_of(settings: &Settings, key: &str) -> Option<String> {
    if let Some(tool) = key.strip_prefix(CLASSIFICATION_PREFIX) {
        return settings.classification.get(tool).map(|class| json!(class).to_string());
    }
    let (_, look) = KEYS.iter().find(|(known, _)| *known == key)?;
    look.map(|look| look(settings).to_string())
}
