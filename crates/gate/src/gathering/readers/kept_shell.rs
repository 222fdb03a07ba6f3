//! Shells that a host keeps between calls without telling where they stand: after a `cd` the folder that the host tells is
//! not the one in which the next command runs.

use std::path::Path;

use bailiwick_domain::{ActorState, CommandReading, Location, LookedAt, Moves, ReadOnly, ToolCall};

use crate::gathering::Gathering;
use crate::gathering::case::{Case, in_folder, sets_a_variable};

/// Commands that move a shell. A script that moves it has run with a person's yes and could have done anything.
const MOVERS: &[&str] =
    &["cd", "pushd", "popd", "chdir", "sl", "set-location", "push-location", "pop-location"];

/// Parameters that name the shell for a command: the next command that names it runs where this one left it.
const SHELL_NAMES: &[&str] = &["sessionId", "shellId"];

impl Gathering<'_> {
    /// Why a command that was proved to read is not believed: nobody knows in which folder it would.
    pub(super) fn reads_elsewhere(
        &self,
        call: &ToolCall,
        actor: &ActorState,
        told: Option<&str>,
        reading: &ReadOnly,
    ) -> Option<String> {
        let names_something = |part: &ReadOnly| {
            let LookedAt { paths, patterns } = &part.looks;
            [&part.reads, &part.patterns, paths, patterns].iter().any(|names| !names.is_empty())
                || part.starts.obeys_its_folder()
        };
        if !reading.all_parts().any(names_something) {
            return None;
        }
        self.lost(call, actor, told, reading)
    }

    /// Why it is not known where a line runs, given the folder that the call names and those of its `cd`.
    pub(crate) fn lost(
        &self,
        call: &ToolCall,
        actor: &ActorState,
        told: Option<&str>,
        reading: &ReadOnly,
    ) -> Option<String> {
        let moves = |part: &ReadOnly| part.folder.as_deref().is_some_and(is_whole);
        let is_told = told.is_some_and(is_whole) || reading.all_parts().all(moves);
        (self.is_astray(call, actor) && !is_told).then(|| {
            let root = self.workspace.root();
            let is_plain = |sign: char| sign.is_alphanumeric() || "/._-:+@".contains(sign);
            let root = if root.chars().all(is_plain) { root } else { format!("'{root}'") };
            format!("an earlier `cd` may have left the shell in another folder; begin with `cd {root} &&`")
        })
    }

    /// Whether the shell of a call may stand in another folder than its host tells.
    fn is_astray(&self, call: &ToolCall, actor: &ActorState) -> bool {
        self.keeps_shell(call) && actor.shell_moved
    }

    /// Whether the call runs in a shell that is kept: its host keeps one, or the call names one.
    pub(crate) fn keeps_shell(&self, call: &ToolCall) -> bool {
        self.host.keeps_shell || names_a_shell(call)
    }

    /// Remembers where the shell may stand when this command has run, where it does.
    pub(crate) async fn follow_shell(&self, case: &mut Case<'_>, runs: bool) {
        if !self.keeps_shell(case.call) {
            return;
        }
        let Some(command) = case.facts.command.clone() else { return };
        if let Some(moved) = self.moves(case, &command).await {
            // Of several shells another one may have been moved than the one that comes back, and what waits for an answer may never run.
            let comes_back = runs && !names_a_shell(case.call);
            let moved = moved || (!comes_back && case.actor_state.shell_moved);
            case.state_changed |= case.actor_state.shell_moved != moved;
            case.actor_state.shell_moved = moved;
        }
    }

    /// Whether a command leaves the shell somewhere else than in the root; `None` where it does not move it.
    async fn moves(&self, case: &Case<'_>, command: &str) -> Option<bool> {
        let moves = match self.commands.read(command) {
            CommandReading::ReadOnly(reading) => reading.moves,
            CommandReading::OwnTool { folder, .. } => {
                Box::new(Moves { ends: folder.into_iter().map(Some).collect(), ..Moves::default() })
            }
            CommandReading::Unproved { .. } => match self.commands.line(command) {
                Ok(line) if !line.commands.iter().any(|command| moves_itself(&command.words)) => {
                    line.readers.moves
                }
                _ => return may_move(command).then_some(true),
            },
        };
        if moves.ends.is_empty() {
            return None;
        }
        if self.missing_folder(case.call, &moves, case.targets.cwd.as_deref()).await.is_some() {
            return Some(true);
        }
        for end in &moves.ends {
            if !self.is_root(case, end.as_deref()).await {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether a shell that a line leaves there stands in the root.
    async fn is_root(&self, case: &Case<'_>, end: Option<&str>) -> bool {
        let told = case.targets.cwd.as_deref();
        let knows_place = end.is_some_and(is_whole) || told.is_some_and(is_whole);
        if !knows_place && self.is_astray(case.call, &case.actor_state) {
            return false;
        }
        let place = match end {
            Some(end) => in_folder(told, end),
            None => told.unwrap_or(".").to_owned(),
        };
        matches!(self.workspace.locate(&place, case.call.cwd.as_deref()).await, Location::Root)
    }
}

/// Whether a folder is spelled by its whole path.
fn is_whole(folder: &str) -> bool {
    Path::new(folder).is_absolute()
}

fn names_a_shell(call: &ToolCall) -> bool {
    SHELL_NAMES.iter().any(|key| call.params.get(*key).is_some_and(|name| !name.is_null()))
}

/// Commands that run what their words or a file say in the shell itself.
const RUNS_IN_IT: &[&str] = &[
    "eval", "source", ".", "command", "builtin", "exec", "trap", "alias", "function", "select", "repeat",
    "..", "prevd", "nextd",
];

/// Words before a command, which are no command.
const BEFORE: &[&str] = &[
    "do",
    "then",
    "else",
    "elif",
    "if",
    "while",
    "until",
    "!",
    "{",
    "time",
    "and",
    "or",
    "not",
    "coproc",
    "noglob",
    "nocorrect",
];

fn moves_itself(words: &[String]) -> bool {
    let is_before = |word: &&str| sets_a_variable(word) || BEFORE.contains(word);
    let name = words.iter().map(String::as_str).find(|word| !is_before(word));
    name.is_some_and(may_move_by_name) || words.iter().any(|word| is_mover(word))
}

/// Whether what is run by this name may move the shell that runs it.
fn may_move_by_name(name: &str) -> bool {
    is_known_to_shell_alone(name) || RUNS_IN_IT.contains(&name)
}

/// Whether a line that is not read may move the shell: a mover stands in it, with or without the quotes that a shell takes out, or
/// what is run is known to the shell alone.
fn may_move(command: &str) -> bool {
    let bare = command.replace("\\\n", "").replace(['"', '\'', '\\'], "");
    let runs = |part: &str| first_of(part).is_some_and(may_move_by_name);
    has_mover(command) || has_mover(&bare) || bare.split([';', '&', '|', '\n', '(', ')']).any(runs)
}

/// The word that is run, behind variables that are set for it and redirections.
fn first_of(part: &str) -> Option<&str> {
    let mut words = part.split_whitespace();
    while let Some(word) = words.next() {
        let redirected = word.trim_start_matches(|sign: char| sign.is_ascii_digit()).strip_prefix(['<', '>']);
        match redirected {
            Some(target) if target.trim_start_matches(['<', '>', '&']).is_empty() => _ = words.next(),
            Some(_) => {}
            None if sets_a_variable(word) || BEFORE.contains(&word) => {}
            None => return Some(word),
        }
    }
    None
}

/// Whether only a shell can tell what a name stands for, or takes it for a folder to move to.
fn is_known_to_shell_alone(name: &str) -> bool {
    let is_test = matches!(name, "[" | "[[");
    !is_test && (name.contains(['$', '`', '?', '*', '[', '{', '~']) || name.ends_with('/'))
}

fn is_mover(word: &str) -> bool {
    MOVERS.contains(&word.to_ascii_lowercase().as_str())
}

fn has_mover(command: &str) -> bool {
    let is_part = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-' | '_' | '/');
    command.split(|sign| !is_part(sign)).any(is_mover)
}
