//! The settings files in which hosts name their hooks: what differs between hosts is [`HookSettings`], as data; reading
//! and editing such a file is the same for all of them. Deliberately absent: files, and what a hook answers.

mod command;
mod handler;
mod install;
mod installed;
mod listed;
mod script;
mod text;
mod toml;

pub use command::{CommandForm, HookCommand, LAUNCHER_PATH, Launcher};
pub use install::{Installed, Uninstalled, install, uninstall};
pub use installed::{
    InstalledHook, detect_double, guards, installed_hooks, takes_hooks_away, turned_off, turned_off_beside,
};
pub use text::InstallError;
pub(crate) use text::{SettingsText, input, member_object, without_mark};

/// How a host's file says which command runs at which event.
#[derive(Clone, Copy, Debug)]
pub struct HookSettings {
    /// The host's name, as the command says it.
    pub host: &'static str,
    /// Where the handlers of an event stand.
    pub shape: Shape,
    /// The member of the file under which the events stand.
    pub under: &'static str,
    /// Every event that is registered; the first stands before a tool.
    pub events: &'static [Registered],
    /// Members that the file itself must have, such as the version of its form.
    pub root: &'static [(&'static str, u32)],
    /// Members of every handler that say the same in each, before the command.
    pub fixed: &'static [(&'static str, &'static str)],
    /// The member that holds the command line.
    pub command: &'static str,
    /// The member that holds arguments, on hosts that can start a program without a shell.
    pub arguments: Option<&'static str>,
    /// The member that holds the time limit; empty on hosts where none can be set.
    pub limit: &'static str,
    /// So many of the host's units of time are one second.
    pub units_a_second: u32,
    /// The member and its value that make the host refuse when a hook fails, on hosts that have such a switch.
    pub fails_closed: Option<(&'static str, Word)>,
    /// Whether the host reads a comma before a closing bracket; one that does not may go on without any hook.
    pub reads_trailing_commas: bool,
    /// Members that turn all hooks off, by the way to them and the value that does it.
    pub switches: Switches,
    /// Other files whose members turn all hooks off, on hosts that have such files.
    pub beside: Option<Beside>,
    /// How the shell that the host uses is told to refuse or to go on.
    pub shell: Shell,
    /// The variable that holds the project's folder where the host runs hooks, for the launcher of a team.
    pub project: Option<&'static str>,
    /// Whether the file is a person's for all projects: the command then does not say that a project is governed.
    pub is_for_all_projects: bool,
}

impl HookSettings {
    /// The form of Claude Code, which others have taken over; a person's shell runs the command. A host says who it is, what
    /// is registered, and what its file says otherwise.
    pub const USUAL: Self = Self {
        host: "",
        shape: Shape::Groups,
        under: "hooks",
        events: &[],
        root: &[],
        fixed: &[("type", "command")],
        command: "command",
        arguments: None,
        limit: "timeout",
        units_a_second: 1,
        fails_closed: None,
        reads_trailing_commas: false,
        switches: &[],
        beside: None,
        shell: Shell::Posix,
        project: None,
        is_for_all_projects: false,
    };
}

/// Members of a file, by the way to them, and the value of each that turns all hooks off.
pub type Switches = &'static [(&'static [&'static str], bool)];

/// Files of a host that hold no hooks of ours and can turn all hooks off.
#[derive(Clone, Copy, Debug)]
pub struct Beside {
    /// Where they are in a repository: one file, or a folder of JSON files.
    pub local: &'static str,
    /// The same in the client's own folder.
    pub user: &'static str,
    /// Whether they are TOML.
    pub is_toml: bool,
    /// The members.
    pub switches: Switches,
}

/// A second file, on hosts that go on without the first when they could not load it: each call is then stopped there.
#[derive(Clone, Copy, Debug)]
pub struct LoadCheck {
    /// Where it lies in a repository.
    pub local: &'static str,
    /// The program that runs it, by its name on the search path.
    pub runs_by: &'static str,
    /// What stands in it.
    pub settings: HookSettings,
}

/// Where the handlers of an event stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `EVENT[].hooks[]`, in groups that may have a matcher.
    Groups,
    /// `EVENT[]`.
    Entries,
    /// `[[hooks]]` of a TOML file, each a handler that names its event.
    Toml,
    /// `hooks[]` of a file that is ours alone, each a handler that names its event; what the file says its version is.
    Listed(&'static str),
    /// No settings at all: a script of ours, which is this but for one line.
    Script(&'static str),
}

/// One event that is registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registered {
    /// Its name.
    pub name: &'static str,
    /// The group's matcher; only events about tools have one.
    pub matcher: Option<&'static str>,
    /// The time limit in seconds.
    pub timeout_s: u32,
    /// Whether a failure of the hook refuses. Only where a refusal protects something.
    pub fails_closed: bool,
}

impl Registered {
    /// An event about tools, with this matcher.
    pub const fn tool(name: &'static str, matcher: &'static str, timeout_s: u32, fails_closed: bool) -> Self {
        Self { name, matcher: Some(matcher), timeout_s, fails_closed }
    }

    /// Any other event.
    pub const fn plain(name: &'static str, timeout_s: u32, fails_closed: bool) -> Self {
        Self { name, matcher: None, timeout_s, fails_closed }
    }
}

/// The value of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// Yes.
    Yes,
    /// A text.
    Text(&'static str),
}

/// Which shell reads the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// `sh`.
    Posix,
    /// `sh`, on hosts whose refusals are a status and a text on standard error.
    ByStatus,
    /// The person's own, which may be another than a POSIX shell.
    Login,
}
