//! What a host is: what differs between them is data and a few pure functions, never a branch elsewhere.

use std::path::{Path, PathBuf};

use bailiwick_domain::{EditRules, Params};

use crate::event::{HostEvent, ParseError};
use crate::reply::{Output, Reply};

/// One host: how it speaks and what is known of it. All functions are pure.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// What is known of it.
    pub profile: HostProfile,
    /// Reads one event from standard input's bytes.
    pub parse: fn(&[u8]) -> Result<HostEvent, ParseError>,
    /// Writes the exact standard output for the event of that name.
    pub render: fn(&str, &Reply) -> String,
    /// What the process leaves behind when the event could not be judged: the raw bytes, and why.
    pub render_failure: fn(&[u8], &bailiwick_domain::ToolError) -> Output,
    /// The parameters of a tool without the host's noise, for fingerprints.
    pub judged_params: fn(&str, &Params) -> Params,
    /// The gate's own tool that a tool name means, if it means one.
    pub own_tool: fn(&str) -> Option<&'static str>,
    /// How its tools turn edits into bytes, by what [`HostProfile::version_variable`] holds.
    pub edit_rules: fn(Option<&str>) -> EditRules,
    /// What a settings file does to the gate's hooks, if it takes them away: its text, and whether it is the file that
    /// held them. `None` as the text means that the file is gone or cannot be read.
    pub takes_hooks_away: fn(Option<&str>, bool) -> Option<&'static str>,
}

/// Facts about a host, for `doctor` and for the gate.
#[derive(Clone, Copy, Debug)]
pub struct HostProfile {
    /// Its name in commands and actors.
    pub name: &'static str,
    /// What this host lets through whatever the gate says, in plain words.
    pub lets_through: &'static [&'static str],
    /// The name of the host's own folder, which lies in the home unless a person put it elsewhere.
    pub own_folder: &'static str,
    /// The scratch folders in the host's own folder, for a project.
    pub own_scratch: fn(&Path, &Path) -> Vec<PathBuf>,
    /// The end of the path of the folder in which a session's background commands print: for a user, a project and a
    /// session. Where it begins depends on the host's environment, which is not believed.
    pub prints: fn(u32, &Path, &str) -> Option<PathBuf>,
    /// Whether calls of sub-agents are hooked too.
    pub hooks_subagents: bool,
    /// Whether a new request of the human is told.
    pub sends_prompt_events: bool,
    /// The documented environment variable that holds the project's folder.
    pub project_dir_variable: Option<&'static str>,
    /// The environment variable in which it tells its hooks its version.
    pub version_variable: Option<&'static str>,
    /// The hook's time limit in seconds that `install` writes.
    pub timeout_s: u32,
}
