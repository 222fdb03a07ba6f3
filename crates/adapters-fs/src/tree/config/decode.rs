//! From the file's bytes to a `Config`: each key's type, its limits, and whether its value loosens a default.

use bailiwick_domain::{
    ApprovalChannel, AskOutbound, Classification, NeverRead, OnViolation, Overlap, Permission, Reselect,
    Settings, Sync, Value, json,
};
use serde::Serialize;

use super::keys::{self, CLASSIFICATION_PREFIX};
use super::{Config, Given};
use crate::KnownKey;
use crate::files::Layout;
use crate::files::yaml::{self, Entry, Findings, Mark, Node};
use crate::tree::intents::pattern;

/// Longer waits lose the race against the hosts' own limit of 120 seconds.
const LONGEST_TIMEOUT_S: u64 = 110;
const DEFAULT_TIMEOUT_S: u64 = 100;
const DEFAULT_REPEATS: u32 = 3;
const DEFAULT_DAYS: u32 = 30;
const DEFAULT_LOG_MB: u32 = 64;

/// Reads the settings file's bytes.
pub(crate) fn decode(bytes: &[u8]) -> Config {
    let mut decoder = Decoder { found: Findings::new(Layout::CONFIG), config: Config::default() };
    match yaml::read(Layout::CONFIG, bytes) {
        Err(error) => decoder.found.unreadable(*error),
        Ok(None) => {}
        Ok(Some(root)) => decoder.file(&root),
    }
    let Findings { errors, warnings, .. } = decoder.found;
    Config { errors, warnings, ..decoder.config }
}

struct Decoder {
    found: Findings,
    config: Config,
}

impl Decoder {
    fn file(&mut self, root: &Node) {
        let sections = keys::sections();
        for section in self.found.map(root, "config.yaml").unwrap_or_default() {
            if section.key == "classification" {
                self.classification(&section.node);
            } else if sections.contains(&section.key.as_str()) {
                self.section(section);
            } else if let Some((first, second)) =
                section.key.split_once('.').filter(|_| keys::is_obeyed(&section.key).is_some())
            {
                let message = format!("`{}` is written in one word", section.key);
                self.found.error(section.at, message, format!("write `{first}: {{ {second}: … }}`"));
            } else {
                self.found.unknown_key(section, "the file", &sections);
            }
        }
    }

    fn section(&mut self, section: &Entry) {
        let known = keys::keys_of(&section.key);
        for entry in self.found.map(&section.node, &section.key).unwrap_or_default() {
            let key = format!("{}.{}", section.key, entry.key);
            match keys::is_obeyed(&key) {
                None => self.found.unknown_key(entry, &format!("`{}`", section.key), &known),
                Some(_) if entry.node.is_null() => {
                    self.found.error(
                        entry.node.at,
                        format!("`{key}` has no value"),
                        "give it a value or remove the key",
                    );
                }
                Some(true) => self.obeyed(&key, entry),
                Some(false) => self.not_obeyed(&key, entry),
            }
        }
    }

    fn obeyed(&mut self, key: &str, entry: &Entry) {
        let node = &entry.node;
        match key {
            "handshake.reselect" | "handshake.strict" | "scope.on_violation" | "scope.overlap"
            | "stale.never_read" | "commands.read_only" => self.conduct(key, node, entry.at),
            "approval.channel"
            | "approval.timeout_s"
            | "approval.grants"
            | "approval.show_prompt"
            | "approval.dialogs"
            | "loop.repeats"
            | "fail_safe.safe_tools" => {
                self.asking(key, node, entry.at);
            }
            "trace.require_requirement"
            | "trace.sign"
            | "trace.sync"
            | "trace.in_git"
            | "trace.keys"
            | "retention.days"
            | "retention.log_mb"
            | "context.max_bytes"
            | "context.include"
            | "lessons.from_agents" => {
                self.records(key, node, entry.at);
            }
            "intents.broad_files" | "intents.broad_share" => self.breadth(key, node, entry.at),
            "network.allow" | "network.ask" => self.network(key, node, entry.at),
            _ => self.places(key, node, entry.at),
        }
    }

    /// How agents must behave.
    fn conduct(&mut self, key: &str, node: &Node, at: Mark) {
        match key {
            "handshake.reselect" => {
                let value = self.found.word(
                    node,
                    key,
                    &[("request", Reselect::Request), ("session", Reselect::Session)],
                );
                self.set(
                    key,
                    at,
                    value,
                    |value| *value != Reselect::Request,
                    |settings, value| settings.reselect = value,
                );
            }
            "handshake.strict" => {
                let value = self.found.flag(node, key);
                self.set(key, at, value, never, |settings, value| settings.strict = value);
            }
            "scope.on_violation" => {
                let value =
                    self.found.word(node, key, &[("block", OnViolation::Block), ("ask", OnViolation::Ask)]);
                self.set(
                    key,
                    at,
                    value,
                    |value| *value != OnViolation::Block,
                    |settings, value| settings.on_violation = value,
                );
            }
            "scope.overlap" => {
                let value = self.found.word(node, key, &[("warn", Overlap::Warn), ("deny", Overlap::Deny)]);
                self.set(key, at, value, never, |settings, value| settings.overlap = value);
            }
            "stale.never_read" => {
                let words =
                    [("block", NeverRead::Block), ("ask", NeverRead::Ask), ("allow", NeverRead::Allow)];
                let value = self.found.word(node, key, &words);
                self.set(
                    key,
                    at,
                    value,
                    |value| *value != NeverRead::Block,
                    |settings, value| settings.never_read = value,
                );
            }
            _ => {
                let words = [("safe", Classification::Safe), ("destructive", Classification::Destructive)];
                let value = self.found.word(node, key, &words);
                self.set(key, at, value, never, |settings, value| settings.read_only_commands = value);
            }
        }
    }

    /// When and how long a human is asked, and when to give up.
    fn asking(&mut self, key: &str, node: &Node, at: Mark) {
        match key {
            "approval.channel" => {
                let words = [
                    ("auto", ApprovalChannel::Auto),
                    ("host", ApprovalChannel::Host),
                    ("queue", ApprovalChannel::Queue),
                    ("deny", ApprovalChannel::Deny),
                ];
                let value = self.found.word(node, key, &words);
                self.set(key, at, value, never, |settings, value| settings.channel = value);
            }
            "approval.timeout_s" => {
                let value = self.found.whole(node, key, (1, LONGEST_TIMEOUT_S));
                let loosens = |value: &u64| *value > DEFAULT_TIMEOUT_S;
                self.set(key, at, value, loosens, |settings, value| settings.approval_timeout_s = value);
            }
            "approval.grants" => {
                let value = self.found.flag(node, key);
                self.set(key, at, value, never, |settings, value| settings.grants = value);
            }
            "approval.show_prompt" => {
                let value = self.found.flag(node, key);
                self.set(key, at, value, never, |settings, value| settings.show_prompt = value);
            }
            "approval.dialogs" => {
                let value: Vec<String> =
                    self.found.texts(node, key).into_iter().map(|(_, text)| text).collect();
                let loosens = |names: &Vec<String>| !names.is_empty();
                self.set(key, at, Some(value), loosens, |settings, value| settings.dialogs = value);
            }
            "loop.repeats" => {
                let value = self.found.whole(node, key, (1, 100)).and_then(|value| u32::try_from(value).ok());
                let loosens = |value: &u32| *value > DEFAULT_REPEATS;
                self.set(key, at, value, loosens, |settings, value| settings.loop_repeats = value);
            }
            _ => {
                let words = [("block", Permission::Block), ("allow", Permission::Allow)];
                let value = self.found.word(node, key, &words);
                let loosens = |value: &Permission| *value == Permission::Allow;
                self.set(key, at, value, loosens, |settings, value| settings.safe_tools_when_broken = value);
            }
        }
    }

    /// From which width on a drafted scope is broad; a larger value asks less often.
    fn breadth(&mut self, key: &str, node: &Node, at: Mark) {
        let default = Settings::default();
        if key == "intents.broad_files" {
            let value =
                self.found.whole(node, key, (1, 1_000_000)).and_then(|value| usize::try_from(value).ok());
            let loosens = |value: &usize| *value > default.broad_files;
            return self.set(key, at, value, loosens, |settings, value| settings.broad_files = value);
        }
        let Some(permille) = self.found.share(node, key) else { return };
        let loosens = permille > default.broad_permille;
        self.given(key, at, &json!(f64::from(permille) / 1000.0), loosens);
        self.config.written.broad_permille = permille;
        if !loosens {
            self.config.tightened.broad_permille = permille;
        }
    }

    /// What is recorded, and what an agent is told.
    fn records(&mut self, key: &str, node: &Node, at: Mark) {
        match key {
            "trace.require_requirement" => {
                let value = self.found.flag(node, key);
                self.set(key, at, value, never, |settings, value| settings.require_requirement = value);
            }
            "trace.sign" => {
                let value = self.found.flag(node, key);
                self.set(key, at, value, |value| !*value, |settings, value| settings.trace_sign = value);
            }
            "lessons.from_agents" => {
                let value = self.found.flag(node, key);
                self.set(
                    key,
                    at,
                    value,
                    |value| *value,
                    |settings, value| {
                        settings.lessons_from_agents = value;
                    },
                );
            }
            "trace.in_git" => {
                let value = self.found.flag(node, key);
                self.set(key, at, value, never, |settings, value| settings.trace_in_git = value);
            }
            "trace.keys" => {
                let texts = self.found.texts(node, key);
                for (at, text) in texts.iter().filter(|(_, text)| KnownKey::parse(text).is_none()) {
                    let fix = "write `ed25519:…`, a space, and the owner's name";
                    self.found.error(*at, format!("`trace.keys`: `{text}` does not start with a key"), fix);
                }
                let value: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
                self.set(key, at, Some(value), never, |settings, value| settings.trace_keys = value);
            }
            "trace.sync" => {
                let value = self.found.word(node, key, &[("always", Sync::Always), ("os", Sync::Os)]);
                self.set(key, at, value, |value| *value == Sync::Os, |settings, value| settings.sync = value);
            }
            "retention.days" => self.kept(key, node, (1, 3650), DEFAULT_DAYS, at, |settings, value| {
                settings.retention_days = value;
            }),
            "retention.log_mb" => {
                self.kept(key, node, (8, 100_000), DEFAULT_LOG_MB, at, |settings, value| {
                    settings.retention_log_mb = value;
                })
            }
            "context.max_bytes" => {
                let value = self
                    .found
                    .whole(node, key, (512, 1_048_576))
                    .and_then(|value| usize::try_from(value).ok());
                self.set(key, at, value, never, |settings, value| settings.context_max_bytes = value);
            }
            _ => {
                let texts = self.found.texts(node, key);
                let known = ["acceptance", "requirements", "lessons"];
                for (at, text) in texts.iter().filter(|(_, text)| !known.contains(&text.as_str())) {
                    let message = format!("`context.include`: there is no section `{text}`");
                    self.found.warn(*at, message, "use `acceptance`, `requirements` or `lessons`");
                }
                let value = texts.into_iter().map(|(_, text)| text).collect();
                self.set(key, at, Some(value), never, |settings, value| settings.context_include = value);
            }
        }
    }

    /// How long records are kept; less than the default loosens, since evidence goes sooner.
    fn kept(
        &mut self,
        key: &str,
        node: &Node,
        limits: (u64, u64),
        default: u32,
        at: Mark,
        store: fn(&mut Settings, u32),
    ) {
        let value = self.found.whole(node, key, limits).and_then(|value| u32::try_from(value).ok());
        self.set(key, at, value, |value| *value < default, store);
    }

    /// What leaves the machine. Hosts that are not asked about loosen.
    fn network(&mut self, key: &str, node: &Node, at: Mark) {
        if key == "network.ask" {
            let words = [("all", AskOutbound::All), ("secrets", AskOutbound::Secrets)];
            let value = self.found.word(node, key, &words);
            return self.set(key, at, value, never, |settings, value| settings.network_ask = value);
        }
        let texts = self.found.texts(node, key);
        for (at, text) in texts.iter().filter(|(_, text)| !is_host(text)) {
            let fix = "write `example.com`, or `*.example.com` for all below it";
            self.found.error(*at, format!("`network.allow`: `{text}` is not a host"), fix);
        }
        let value: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
        let loosens = |value: &Vec<String>| !value.is_empty();
        self.set(key, at, Some(value), loosens, |settings, value| settings.network_allow = value);
    }

    /// Lists of paths and of commands.
    fn places(&mut self, key: &str, node: &Node, at: Mark) {
        let texts = self.found.texts(node, key);
        if key == "read.roots" {
            for (at, text) in texts.iter().filter(|(_, text)| !is_absolute(text)) {
                self.found.error(
                    *at,
                    format!("`read.roots`: `{text}` is not an absolute path"),
                    "write it from `/`",
                );
            }
            let value: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
            let loosens = |value: &Vec<String>| !value.is_empty();
            return self.set(key, at, Some(value), loosens, |settings, value| settings.read_roots = value);
        }
        if key == "commands.allow" {
            let value: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
            let loosens = |value: &Vec<String>| !value.is_empty();
            return self
                .set(key, at, Some(value), loosens, |settings, value| settings.allowed_commands = value);
        }
        let mut patterns = Vec::new();
        for (at, text) in &texts {
            let Some(pattern) = pattern(*at, text, &mut self.found) else { continue };
            if pattern.is_exclusion() {
                let fix = "write narrower patterns";
                self.found.error(*at, format!("`{key}` cannot exclude a path with `!`"), fix);
            } else {
                patterns.push(pattern.to_string());
            }
        }
        let store: fn(&mut Settings, Vec<String>) = match key {
            "protect.write" => |settings, value| settings.protect_write = value,
            _ => |settings, value| settings.protect_read = value,
        };
        self.set(key, at, Some(patterns), never, store);
    }

    fn classification(&mut self, node: &Node) {
        let words = [("SAFE", Classification::Safe), ("DESTRUCTIVE", Classification::Destructive)];
        for entry in self.found.map(node, "classification").unwrap_or_default() {
            if entry.key.trim().is_empty() {
                self.found.error(entry.at, "a tool has no name", "");
                continue;
            }
            let key = format!("{CLASSIFICATION_PREFIX}{}", entry.key);
            let value = self.found.word(&entry.node, &key, &words).map(|class| (entry.key.clone(), class));
            let Some((tool, class)) = value else { continue };
            let loosens = class == Classification::Safe;
            self.given(&key, entry.at, &json!(class), loosens);
            self.config.written.classification.insert(tool.clone(), class);
            if !loosens {
                self.config.tightened.classification.insert(tool, class);
            }
        }
    }

    /// Keys of the design that nothing obeys yet: checked, and said to be without effect.
    fn not_obeyed(&mut self, key: &str, entry: &Entry) {
        match key {
            "intents.id_pattern" | "lessons.file" => drop(self.found.filled_text(&entry.node, key)),
            _ => drop(self.found.flag(&entry.node, key)),
        }
        self.found.warn(entry.at, format!("`{key}` has no effect yet"), "nothing reads it; remove it");
    }

    fn set<T: Clone + Serialize>(
        &mut self,
        key: &str,
        at: Mark,
        value: Option<T>,
        loosens: impl Fn(&T) -> bool,
        store: impl Fn(&mut Settings, T),
    ) {
        let Some(value) = value else { return };
        let loosens = loosens(&value);
        self.given(key, at, &json!(value), loosens);
        if !loosens {
            store(&mut self.config.tightened, value.clone());
        }
        store(&mut self.config.written, value);
    }

    fn given(&mut self, key: &str, at: Mark, value: &Value, loosens: bool) {
        let value = value.to_string();
        self.config.given.push(Given { key: key.into(), line: at.line, column: at.column, value, loosens });
    }
}

fn never<T>(_: &T) -> bool {
    false
}

/// A host without scheme, port and path; `*.` in front stands for all below it.
fn is_host(text: &str) -> bool {
    let name = text.strip_prefix("*.").unwrap_or(text);
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    name.split('.').all(is_label)
}

fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes().get(1) == Some(&b':') && matches!(path.as_bytes().get(2), Some(b'/' | b'\\'));
    path.starts_with('/') || drive
}
