//! What a host is told to run: the words of the command and how they are written down.

use super::{HookSettings, Registered, Shell};

/// Where the launcher of a team lies, relative to the root. Protected as all of the store is.
pub const LAUNCHER_PATH: &str = ".orchestration/launch";

/// What happens on a machine without Bailiwick, by the team's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launcher {
    /// One note at the start of a session, then agents work ungoverned.
    Advisory,
    /// Every tool call is refused, and the refusal says how to install.
    Required,
}

impl Launcher {
    /// Its name in commands and in the script.
    pub fn name(self) -> &'static str {
        match self {
            Self::Advisory => "advisory",
            Self::Required => "required",
        }
    }
}

/// How a command is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandForm {
    /// One line for a shell.
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
    /// The absolute path of the client's own folder, where a person put it elsewhere than usual.
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

    /// The words after the program.
    pub(super) fn arguments<'a>(&'a self, settings: &'a HookSettings) -> Vec<&'a str> {
        let mut arguments = vec!["hook", "--agent", settings.host];
        arguments.extend((!settings.is_for_all_projects).then_some("--governed"));
        let told = [("--state", &self.state), ("--home", &self.home), ("--config", &self.config)];
        for (option, folder) in told {
            arguments.extend(folder.as_deref().into_iter().flat_map(|folder| [option, folder]));
        }
        arguments
    }

    /// The line for a shell.
    pub(super) fn line(&self, settings: &HookSettings, event: &Registered) -> String {
        match self.form {
            CommandForm::Launcher(mode) => self.team_line(mode, settings, event),
            CommandForm::Shell | CommandForm::Arguments => self.shell_line(settings, event),
        }
    }

    fn team_line(&self, mode: Launcher, settings: &HookSettings, event: &Registered) -> String {
        let project = settings.project.unwrap_or("PWD");
        let launcher = format!("\"${project}/{LAUNCHER_PATH}\"");
        let unless_gone = match mode {
            Launcher::Advisory => format!("{ADVISORY}{launcher} || "),
            Launcher::Required => String::new(),
        };
        let arguments = self.arguments(settings).join(" ");
        format!("{unless_gone}sh {launcher} {arguments}{}", when_it_fails(settings.shell, event))
    }

    fn shell_line(&self, settings: &HookSettings, event: &Registered) -> String {
        let mut line = quoted(&self.binary);
        for argument in self.arguments(settings) {
            line.push(' ');
            line.push_str(&if argument.starts_with(['/', '~']) || !is_plain(argument) {
                quoted(argument)
            } else {
                argument.to_owned()
            });
        }
        line.push_str(when_it_fails(settings.shell, event));
        line
    }
}

/// Before the launcher's path: on a branch without the launcher an advisory team lets go.
const ADVISORY: &str = "test ! -f ";

/// A missing binary, a crash and a kill become a refusal with text. Where a refusal would only brick the client, every
/// failure becomes the status that the host reports and ignores.
fn when_it_fails(shell: Shell, event: &Registered) -> &'static str {
    match (event.fails_closed, shell) {
        (true, Shell::Posix) => " || { echo 'Bailiwick did not answer: refused' >&2; exit 2; }",
        (true, Shell::ByStatus) => {
            " || { [ $? = 2 ] || echo 'Bailiwick did not answer: refused' >&2; exit 2; }"
        }
        (true, Shell::Login) => " || sh -c 'echo Bailiwick did not answer: refused >&2; exit 2'",
        (false, _) => " || exit 1",
    }
}

fn is_plain(argument: &str) -> bool {
    !argument.is_empty()
        && argument.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte))
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Whether a shell line runs `bailiwick hook --agent NAME`, wherever the binary lies.
pub(super) fn is_our_line(line: &str, host: &str) -> bool {
    let marker = format!(" hook --agent {host}");
    line.split_once(&marker).is_some_and(|(program, rest)| {
        let program = program.trim_matches(['\'', '"', ' ']);
        (is_binary(program) || is_launcher(program)) && (rest.is_empty() || rest.starts_with(' '))
    })
}

/// The launcher's mode, when a shell line runs the launcher.
pub(super) fn launcher_mode(command: &str) -> Option<Launcher> {
    let (program, _) = command.split_once(" hook --agent ")?;
    let mode = if command.starts_with(ADVISORY) { Launcher::Advisory } else { Launcher::Required };
    is_launcher(program.trim_matches(['\'', '"', ' '])).then_some(mode)
}

fn is_launcher(line: &str) -> bool {
    line.strip_suffix(LAUNCHER_PATH).is_some_and(|before| before.ends_with('/'))
}

pub(super) fn is_binary(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    matches!(name, "bailiwick" | "bailiwick.exe")
}
