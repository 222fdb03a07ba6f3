//! Policy settings: every key of `config.yaml` with its safe default.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::calls::Classification;

/// When a selection ends (`handshake.reselect`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reselect {
    /// With the next prompt of a person: a new request may need another intent.
    #[default]
    Request,
    /// With the session.
    Session,
}

/// What a scope violation does (`scope.on_violation`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnViolation {
    /// Blocks, nobody is asked.
    #[default]
    Block,
    /// Asks a human to override for this one call.
    Ask,
}

/// Which calls that reach other machines are asked about, though they change no file (`network.ask`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AskOutbound {
    /// Each of them.
    All,
    /// Those that carry a token of a known form.
    #[default]
    Secrets,
}

/// What overlapping scopes of two live intents do (`scope.overlap`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Overlap {
    /// Warned about.
    #[default]
    Warn,
    /// Selection is refused.
    Deny,
}

/// What overwriting a file that was never read does (`stale.never_read`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NeverRead {
    /// Blocks.
    #[default]
    Block,
    /// Goes on to the approval, which says so.
    Ask,
    /// Goes on.
    Allow,
}

/// Who is asked (`approval.channel`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ApprovalChannel {
    /// The queue when one of its surfaces is live, else the host's prompt when a human is there, else nobody.
    #[default]
    Auto,
    /// The host's own prompt only.
    Host,
    /// The queue only.
    Queue,
    /// Nobody: every approval is refused.
    Deny,
}

/// `block` or `allow`, for settings that have no third way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// Refused.
    #[default]
    Block,
    /// Let through.
    Allow,
}

/// How hard the ledger is synced (`trace.sync`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sync {
    /// Every entry reaches the disk before it is acknowledged.
    #[default]
    Always,
    /// The operating system decides.
    Os,
}

/// All settings after defaults and acceptance were applied: what loosens a default counts only once a person
/// accepted it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// `handshake.reselect`.
    pub reselect: Reselect,
    /// `handshake.strict`: even safe tools wait for a selection.
    pub strict: bool,
    /// `scope.on_violation`.
    pub on_violation: OnViolation,
    /// `scope.overlap`.
    pub overlap: Overlap,
    /// `stale.never_read`.
    pub never_read: NeverRead,
    /// `approval.channel`.
    pub channel: ApprovalChannel,
    /// `approval.timeout_s`: how long a hook waits for an answer, in seconds.
    pub approval_timeout_s: u64,
    /// `approval.grants`: whether a person may answer with a grant in place of a single approval.
    pub grants: bool,
    /// `approval.show_prompt`: whether questions show what the person asked the agent for, which is kept until then.
    pub show_prompt: bool,
    /// `approval.dialogs`: clients in whose own dialogs a person answers, by the names that they give.
    pub dialogs: Vec<String>,
    /// `commands.read_only`: the class of proved read-only commands.
    pub read_only_commands: Classification,
    /// `commands.allow`: commands that a person trusts, as lines.
    pub allowed_commands: Vec<String>,
    /// `classification`: tool name → class, over the registry.
    pub classification: BTreeMap<String, Classification>,
    /// `protect.write`: more patterns that nothing may change.
    pub protect_write: Vec<String>,
    /// `protect.read`: more patterns that nothing may read.
    pub protect_read: Vec<String>,
    /// `read.roots`: absolute folders outside the root that may be read.
    pub read_roots: Vec<String>,
    /// `network.allow`: hosts that calls may send anything to unasked.
    pub network_allow: Vec<String>,
    /// `network.ask`: which safe calls that reach other machines are asked about.
    pub network_ask: AskOutbound,
    /// `loop.repeats`: how often the same call may be blocked before it is called a loop.
    pub loop_repeats: u32,
    /// `intents.broad_files`: an agent's draft that owns more files than this is broad.
    pub broad_files: usize,
    /// `intents.broad_share`: one that owns a larger share of the tree is broad too; in thousandths.
    pub broad_permille: u32,
    /// `trace.require_requirement`: refuse mutations of intents without requirements.
    pub require_requirement: bool,
    /// `trace.sign`: whether each entry of the ledger is signed with the key of this user.
    pub trace_sign: bool,
    /// `trace.sync`.
    pub sync: Sync,
    /// `trace.in_git`: whether sealed segments of the ledger travel with git.
    pub trace_in_git: bool,
    /// `trace.keys`: keys of people, as a proposal to whoever reads it; by itself it changes nothing.
    pub trace_keys: Vec<String>,
    /// `retention.days`: how long `bailiwick gc` leaves pre-images and closed files of the decision log, in days.
    pub retention_days: u32,
    /// `retention.log_mb`: so much of closed files of the decision log `bailiwick gc` leaves at most, in MB.
    pub retention_log_mb: u32,
    /// `context.max_bytes`: the cap on `<intent_context>`, in bytes.
    pub context_max_bytes: usize,
    /// `context.include`: sections beyond scope, constraints and history.
    pub context_include: Vec<String>,
    /// `lessons.from_agents`: whether a test, lint or build of an agent that fails becomes a lesson.
    pub lessons_from_agents: bool,
    /// `fail_safe.safe_tools`: whether safe tools run while the store is broken.
    pub safe_tools_when_broken: Permission,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            reselect: Reselect::Request,
            strict: false,
            on_violation: OnViolation::Block,
            overlap: Overlap::Warn,
            never_read: NeverRead::Block,
            channel: ApprovalChannel::Auto,
            approval_timeout_s: 100,
            grants: true,
            show_prompt: true,
            dialogs: Vec::new(),
            read_only_commands: Classification::Safe,
            allowed_commands: Vec::new(),
            classification: BTreeMap::new(),
            protect_write: Vec::new(),
            protect_read: Vec::new(),
            read_roots: Vec::new(),
            network_allow: Vec::new(),
            network_ask: AskOutbound::Secrets,
            loop_repeats: 3,
            broad_files: 200,
            broad_permille: 100,
            require_requirement: false,
            trace_sign: true,
            sync: Sync::Always,
            trace_in_git: true,
            trace_keys: Vec::new(),
            retention_days: 30,
            retention_log_mb: 64,
            context_max_bytes: 8192,
            context_include: Vec::new(),
            lessons_from_agents: false,
            safe_tools_when_broken: Permission::Block,
        }
    }
}

/// One setting with where its value comes from, for `bailiwick config show`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sourced {
    /// The key with dots, such as `scope.on_violation`.
    pub key: String,
    /// The value in force, as JSON text.
    pub value: String,
    /// `default`, `FILE:LINE`, or `FILE:LINE (not accepted; default applies)`.
    pub source: String,
}

impl Sourced {
    /// Whether a file says it.
    pub fn is_given(&self) -> bool {
        self.source != "default"
    }
}
