//! What a host is: what differs between them is data and a few pure functions, never a branch elsewhere.

use std::path::{Path, PathBuf};

use bailiwick_domain::{EditRules, Params, ToolCall, ToolError};

use crate::edits::MeasuredEdits;
use crate::event::{HostEvent, ParseError};
use crate::fields::event_fields;
use crate::reply::{Output, Reply};
use crate::settings::{HookSettings, LoadCheck};
use crate::version::Version;

/// One host: how it speaks and what is known of it. All functions are pure.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// What is known of it.
    pub profile: HostProfile,
    /// Reads one event from standard input's bytes.
    pub parse: fn(&[u8]) -> Result<HostEvent, ParseError>,
    /// What the process leaves behind for the event of that name.
    pub render: fn(&str, &Reply) -> Output,
    /// What the process leaves behind when the event could not be judged: the raw bytes, and why.
    pub render_failure: fn(&[u8], &ToolError) -> Output,
    /// What changes nothing of what a tool does.
    pub noise: Noise,
    /// The parameters with which a call runs exactly as it was judged, where the host could run it otherwise.
    pub pinned: fn(&ToolCall) -> Option<Params>,
    /// The gate's own tool that a tool name means, if it means one.
    pub own_tool: fn(&str) -> Option<&'static str>,
    /// The tool of our MCP server that a tool name means and whose calls the server judges, if it means one.
    pub served_tool: fn(&str) -> Option<&'static str>,
    /// How its tools turn edits into bytes, where that was measured.
    pub edits: Option<&'static MeasuredEdits>,
    /// Where its hooks are registered; `None` where a person does that by hand.
    pub settings: Option<&'static HookSettings>,
    /// What stops calls where the host could not load its hooks, on hosts that go on then.
    pub load_check: Option<&'static LoadCheck>,
    /// The client's version in what it prints when it is asked.
    pub version: fn(&str) -> Option<Version>,
    /// The event of a call of that tool with these parameters, as the host would send it.
    pub probe: fn(&Probe<'_>) -> Vec<u8>,
    /// What the model is told when this ending of a hook stops a call; `None` when the call goes ahead.
    pub refusal: fn(&Output) -> Option<String>,
}

/// What every host says for itself.
#[derive(Clone, Copy, Debug)]
pub struct Spoken {
    /// As in [`Host::parse`].
    pub parse: fn(&[u8]) -> Result<HostEvent, ParseError>,
    /// As in [`Host::render`].
    pub render: fn(&str, &Reply) -> Output,
    /// As in [`Host::render_failure`].
    pub render_failure: fn(&[u8], &ToolError) -> Output,
    /// As in [`Host::version`].
    pub version: fn(&str) -> Option<Version>,
    /// As in [`Host::probe`].
    pub probe: fn(&Probe<'_>) -> Vec<u8>,
    /// As in [`Host::refusal`].
    pub refusal: fn(&Output) -> Option<String>,
}

impl Host {
    /// Whether its hooks stand in the person's settings for all projects, and nowhere else.
    pub fn is_for_all_projects(&self) -> bool {
        self.settings.is_some_and(|settings| settings.is_for_all_projects)
    }

    /// Whether this client runs hooks that were registered with that host.
    pub fn also_runs_hooks_of(&self, host: &Self) -> bool {
        self.profile.also_runs.is_some_and(|also| also.hooks_of.contains(&host.profile.name))
    }

    /// Whether an event in the words of another host was sent by this client.
    pub fn has_sent(&self, event: &[u8]) -> bool {
        let signed =
            |also: AlsoRuns| event_fields(event).is_ok_and(|fields| fields.contains_key(also.signed));
        self.profile.also_runs.is_some_and(signed)
    }

    /// A host of which no more is known than what it says: its calls run as they were judged, it makes no noise, it has no
    /// server of ours, and a person registers the hook.
    pub const fn speaking(profile: HostProfile, spoken: Spoken) -> Self {
        Self {
            profile,
            parse: spoken.parse,
            render: spoken.render,
            render_failure: spoken.render_failure,
            noise: &[],
            pinned: |_| None,
            own_tool: |_| None,
            served_tool: |_| None,
            edits: None,
            settings: None,
            load_check: None,
            version: spoken.version,
            probe: spoken.probe,
            refusal: spoken.refusal,
        }
    }
}

impl Host {
    /// How that tool turns edits into bytes, by what the host tells of its version. What was not measured is a guess.
    ///
    /// ```
    /// use bailiwick_adapters_hooks::host;
    /// let claude = host("claude-code").unwrap();
    /// assert!(!claude.edit_rules("Edit", Some("claude-code_2-1-330_harness")).is_guess);
    /// assert!(claude.edit_rules("Edit", Some("claude-code_9-0-0_harness")).is_guess);
    /// assert!(claude.edit_rules("Edit", None).is_guess);
    /// ```
    pub fn edit_rules(&self, tool: &str, told: Option<&str>) -> EditRules {
        let Some(measured) = self.edits else { return EditRules { is_guess: true, ..EditRules::LITERAL } };
        let is_known = measured.are_of(told) && measured.tools.contains(&tool);
        EditRules { is_guess: !is_known, ..measured.rules }
    }
}

/// Parameters that change nothing of what a tool does, by the host's name of it: labels for people and time limits.
pub type Noise = &'static [(&'static str, &'static [&'static str])];

impl Host {
    /// The parameters of a tool without the host's noise, for fingerprints: a retry with another label is the same call.
    ///
    /// ```
    /// use bailiwick_adapters_hooks::host;
    /// use bailiwick_domain::json;
    /// let params = json!({"command": "ls", "description": "list", "run_in_background": true});
    /// let judged = host("claude-code").unwrap().judged_params("Bash", params.as_object().unwrap());
    /// assert_eq!(json!(judged), json!({"command": "ls", "run_in_background": true}));
    /// ```
    pub fn judged_params(&self, tool: &str, params: &Params) -> Params {
        let mut judged = params.clone();
        for key in self.noise.iter().find(|(name, _)| *name == tool).map_or(&[][..], |(_, keys)| keys) {
            judged.remove(*key);
        }
        judged
    }
}

/// What stands in the event of a probe.
#[derive(Clone, Copy, Debug)]
pub struct Probe<'a> {
    /// The session.
    pub session: &'a str,
    /// The call's id.
    pub call: &'a str,
    /// The project's folder.
    pub root: &'a str,
    /// The file that is to be written.
    pub file: &'a str,
    /// What is to be written.
    pub content: &'a str,
}

/// Facts about a host, for `doctor` and for the gate.
#[derive(Clone, Copy, Debug)]
pub struct HostProfile {
    /// Its name in commands and actors.
    pub name: &'static str,
    /// What this host lets through whatever the gate says, in plain words.
    pub lets_through: &'static [&'static str],
    /// Its program and its files.
    pub client: Client,
    /// The scratch folders in the host's own folder, for a project.
    pub own_scratch: fn(&Path, &Path) -> Vec<PathBuf>,
    /// The end of the path of the folder in which a session's background commands print: for a user, a project and a
    /// session. Where it begins depends on the host's environment, which is not believed.
    pub prints: fn(u32, &Path, &str) -> Option<PathBuf>,
    /// Whether a hook can make it ask the person with a question of its own.
    pub asks: bool,
    /// Whether calls of sub-agents are hooked too.
    pub hooks_subagents: bool,
    /// Whether its commands run one after another in one shell, and it does not tell where that stands after a `cd`.
    pub keeps_shell: bool,
    /// Whether its events do not say, or not in full, what a tool showed of a file.
    pub hides_output: bool,
    /// Whether it tells that a call ran before what the call writes is there.
    pub tells_early: bool,
    /// Whether what it gives a sub-agent to do comes as a prompt of the session.
    pub prompts_sub_agents: bool,
    /// Whether a new request of the human is told.
    pub sends_prompt_events: bool,
    /// The documented environment variable that holds the project's folder.
    pub project_dir_variable: Option<&'static str>,
    /// The hook's time limit in seconds that `install` writes.
    pub timeout_s: u32,
    /// Whose hooks it runs beside its own, if it does.
    pub also_runs: Option<AlsoRuns>,
}

/// Hooks of other hosts that a client runs beside its own.
#[derive(Clone, Copy, Debug)]
pub struct AlsoRuns {
    /// The hosts that they were registered with.
    pub hooks_of: &'static [&'static str],
    /// The member that its events have in their words, and that events of those hosts have not.
    pub signed: &'static str,
}

impl HostProfile {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self {
        name: "",
        lets_through: &[],
        client: Client::UNKNOWN,
        own_scratch: no_scratch,
        prints: no_prints,
        asks: false,
        hooks_subagents: false,
        keeps_shell: false,
        hides_output: false,
        tells_early: false,
        prompts_sub_agents: false,
        sends_prompt_events: false,
        project_dir_variable: None,
        timeout_s: 120,
        also_runs: None,
    };
}

/// A host's program, and where it keeps its settings.
#[derive(Clone, Copy, Debug)]
pub struct Client {
    /// The program's names without an ending, as people call it.
    pub programs: &'static [&'static str],
    /// The name of the host's own folder, which lies in the home unless a person put it elsewhere.
    pub own_folder: &'static str,
    /// The environment variable with which a person puts it elsewhere.
    pub own_folder_variable: Option<&'static str>,
    /// The settings file for one person and one working copy, relative to the root: there `init` registers the hooks. Empty
    /// on hosts that have none.
    pub local: &'static str,
    /// Another settings file in the root, which a team shares.
    pub shared: Option<&'static str>,
    /// The person's settings for all projects, relative to the own folder.
    pub user: &'static str,
    /// Whether the host runs hooks through the person's login shell.
    pub login_shell: bool,
    /// What a person does before the host runs the hooks that `init` has written.
    pub trust: Option<&'static str>,
    /// From this version on it refuses when a hook fails, on hosts that have such a switch.
    pub fails_closed_since: Option<Version>,
    /// From which version on each of its programs reads the hooks that `init` writes, where older ones do not.
    pub hooked_since: &'static [(&'static str, Version)],
}

impl Client {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self {
        programs: &[],
        own_folder: "",
        own_folder_variable: None,
        local: "",
        shared: None,
        user: "",
        login_shell: false,
        trust: None,
        fails_closed_since: None,
        hooked_since: &[],
    };
}

/// No scratch places are known of the host.
fn no_scratch(_own: &Path, _project: &Path) -> Vec<PathBuf> {
    Vec::new()
}

/// It is not known where background commands of the host print.
fn no_prints(_user: u32, _project: &Path, _session: &str) -> Option<PathBuf> {
    None
}
