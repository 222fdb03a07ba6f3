//! What Claude Code is told to run for which event, and how such an entry is recognised again.

use bailiwick_domain::Value;

use super::NAME;
use super::launcher::{LAUNCHER_PATH, Launcher};
use super::profile::TIMEOUT_S;

/// How a command is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandForm {
    /// One line for a POSIX shell.
    Shell,
    /// A program and its arguments, without a shell.
    Arguments,
    /// One line for a POSIX shell that runs the repository's launcher, for a whole team.
    Launcher(Launcher),
}

/// What the hooks run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookCommand {
    /// The absolute path of the binary; unused with a launcher, which finds it.
    pub binary: String,
    /// The absolute path of the user's state folder: the hook does not trust its environment to name it.
    pub state: Option<String>,
    /// The absolute path of the person's home folder, where the state folder does not tell it; the host's scratch places
    /// lie there.
    pub home: Option<String>,
    /// The absolute path of the client's own folder, where a person put it elsewhere than `.claude` in the home folder.
    pub config: Option<String>,
    /// How it is written down.
    pub form: CommandForm,
}

impl HookCommand {
    /// The command in the form of this platform.
    pub fn new(binary: impl Into<String>, state: Option<String>) -> Self {
        let form = if cfg!(windows) { CommandForm::Arguments } else { CommandForm::Shell };
        Self { binary: binary.into(), state, home: None, config: None, form }
    }

    /// The command of a team, the same on every machine.
    pub fn launcher(mode: Launcher) -> Self {
        Self {
            binary: String::new(),
            state: None,
            home: None,
            config: None,
            form: CommandForm::Launcher(mode),
        }
    }

    /// The same, with the home folder written down.
    #[must_use]
    pub fn with_home(self, home: Option<String>) -> Self {
        Self { home, ..self }
    }

    /// The same, with the client's own folder written down.
    #[must_use]
    pub fn with_config(self, config: Option<String>) -> Self {
        Self { config, ..self }
    }

    fn arguments(&self) -> Vec<&str> {
        let mut arguments = vec!["hook", "--agent", NAME, "--governed"];
        if let Some(state) = &self.state {
            arguments.extend(["--state", state]);
        }
        if let Some(home) = &self.home {
            arguments.extend(["--home", home]);
        }
        if let Some(config) = &self.config {
            arguments.extend(["--config", config]);
        }
        arguments
    }

    /// The members of the handler for the event, in the order in which people write them.
    pub(super) fn handler(&self, event: &Event) -> Vec<(String, Value)> {
        let mut handler: Vec<(&str, Value)> = vec![("type", "command".into())];
        match self.form {
            CommandForm::Shell => handler.push(("command", self.shell_line(event).into())),
            CommandForm::Launcher(mode) => handler.push(("command", self.team_line(mode, event).into())),
            CommandForm::Arguments => {
                handler.push(("command", self.binary.as_str().into()));
                handler.push(("args", self.arguments().into()));
            }
        }
        handler.push(("timeout", event.timeout_s.into()));
        // A machine without a POSIX shell must not be bricked where the team only advises.
        if event.fails_closed && self.form != CommandForm::Launcher(Launcher::Advisory) {
            handler.push(("onFailure", "block".into()));
        }
        handler.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    fn team_line(&self, mode: Launcher, event: &Event) -> String {
        let launcher = format!("\"${PROJECT}/{LAUNCHER_PATH}\"");
        let unless_gone = match mode {
            Launcher::Advisory => format!("{ADVISORY}{launcher} || "),
            Launcher::Required => String::new(),
        };
        let failed = if event.fails_closed { REFUSE } else { GO_ON };
        format!("{unless_gone}sh {launcher} {}{failed}", self.arguments().join(" "))
    }

    fn shell_line(&self, event: &Event) -> String {
        let mut line = quoted(&self.binary);
        for argument in self.arguments() {
            line.push(' ');
            line.push_str(&if argument.starts_with(['/', '~']) || !is_plain(argument) {
                quoted(argument)
            } else {
                argument.to_owned()
            });
        }
        line.push_str(if event.fails_closed { REFUSE } else { GO_ON });
        line
    }
}

/// The variable that holds the project's folder where the client runs hooks.
const PROJECT: &str = "CLAUDE_PROJECT_DIR";
/// Before the launcher's path: on a branch without the launcher an advisory team lets go.
const ADVISORY: &str = "test ! -f ";

/// A missing binary, a crash and a kill become a refusal with text.
const REFUSE: &str = " || { echo 'Bailiwick did not answer: refused' >&2; exit 2; }";
/// Where a refusal would only brick the client, every failure becomes the status that the host reports and ignores.
const GO_ON: &str = " || exit 1";

fn is_plain(argument: &str) -> bool {
    !argument.is_empty()
        && argument.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte))
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// One event that is registered.
pub(super) struct Event {
    /// Its name.
    pub(super) name: &'static str,
    /// The group's matcher; only events about tools have one.
    pub(super) matcher: Option<&'static str>,
    timeout_s: u32,
    /// Whether a failure of the hook refuses. Only where a refusal protects something.
    fails_closed: bool,
}

const fn tool(name: &'static str, timeout_s: u32, fails_closed: bool) -> Event {
    Event { name, matcher: Some("*"), timeout_s, fails_closed }
}

const fn plain(name: &'static str, timeout_s: u32, fails_closed: bool) -> Event {
    Event { name, matcher: None, timeout_s, fails_closed }
}

/// All events that are registered.
pub(super) const EVENTS: [Event; 11] = [
    tool("PreToolUse", TIMEOUT_S, true),
    tool("PostToolUse", 30, false),
    tool("PostToolUseFailure", 30, false),
    plain("PostToolBatch", 30, false),
    plain("UserPromptSubmit", TIMEOUT_S, true),
    plain("SessionStart", 30, false),
    plain("SessionEnd", 5, false),
    plain("Stop", TIMEOUT_S, false),
    plain("SubagentStart", 30, false),
    plain("SubagentStop", TIMEOUT_S, false),
    plain("ConfigChange", 30, false),
];

/// Whether a handler runs `bailiwick hook --agent claude-code`, wherever the binary lies.
pub(super) fn is_ours_value(handler: &Value) -> bool {
    let Some(command) = handler.get("command").and_then(Value::as_str) else {
        return false;
    };
    if let Some(arguments) = handler.get("args").and_then(Value::as_array) {
        let words: Vec<&str> = arguments.iter().map_while(Value::as_str).collect();
        return is_binary(command) && words.starts_with(&["hook", "--agent", NAME]);
    }
    let marker = format!(" hook --agent {NAME}");
    command.split_once(&marker).is_some_and(|(program, rest)| {
        let program = program.trim_matches(['\'', '"', ' ']);
        (is_binary(program) || is_launcher(program)) && (rest.is_empty() || rest.starts_with(' '))
    })
}

fn is_launcher(line: &str) -> bool {
    line.strip_suffix(LAUNCHER_PATH).is_some_and(|before| before.ends_with('/'))
}

/// The launcher's mode, when a shell line runs the launcher.
pub(super) fn launcher_mode(command: &str) -> Option<Launcher> {
    let (program, _) = command.split_once(" hook --agent ")?;
    let mode = if command.starts_with(ADVISORY) { Launcher::Advisory } else { Launcher::Required };
    is_launcher(program.trim_matches(['\'', '"', ' '])).then_some(mode)
}

fn is_binary(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    matches!(name, "bailiwick" | "bailiwick.exe")
}
