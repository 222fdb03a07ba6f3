//! Which processes above an MCP server are its client.
//!
//! Deliberately absent: writing it down.

use super::{Process, SHELLS, chain, own_parent, platform};

/// Programs that start another one and wait for it.
const LAUNCHERS: [&str; 11] =
    ["npm", "npx", "pnpm", "yarn", "bun", "bunx", "timeout", "sudo", "doas", "op", "doppler"];

/// What everything that lost its parent is below.
const INITS: [&str; 7] = ["systemd", "init", "launchd", "tini", "dumb-init", "docker-init", "catatonit"];

/// What a person's windows and logins are below, as the system cuts their names.
const DESKTOPS: [&str; 13] = [
    "gnome-shell",
    "gnome-session-b",
    "plasmashell",
    "plasma_session",
    "kwin_wayland",
    "cinnamon",
    "xfce4-session",
    "xfce4-panel",
    "mate-session",
    "mate-panel",
    "cosmic-session",
    "sshd",
    "sshd-session",
];

/// The client that started this server, nearest first, with what stands between the two. `words` are those that this process
/// was started with.
///
/// Empty where nobody can say: the server of a system's service manager has no client above it, an editor's process for
/// extensions is the place of a person's window as well, and in a person's own shell nobody but the person is above.
pub fn calling_client(words: &[String]) -> Vec<Process> {
    let own_group = platform::look(std::process::id()).map(|(this, _)| this.group);
    client_among(chain(own_parent()), own_group, words, &Process::words)
}

/// The client that this process is, with what stands above it and belongs to it.
pub(super) fn client_of(pid: u32) -> Vec<Process> {
    let group = platform::look(pid).map(|(process, _)| process.group);
    client_among(chain(pid), group, &[], &Process::words)
}

/// Takes what only launches, the first process that does more, and all above it that share the group of the server: a
/// launcher that nobody knows is in that group, too. A person's shell gives each of its jobs a group of its own, so that the
/// group ends below that shell.
fn client_among(
    chain: impl Iterator<Item = Process>,
    own_group: Option<u32>,
    words: &[String],
    words_of: &dyn Fn(&Process) -> Vec<String>,
) -> Vec<Process> {
    let mut found = Vec::new();
    let (mut is_found, mut is_detached) = (false, false);
    for process in chain {
        let said = words_of(&process);
        let is_of_group = own_group == Some(process.group);
        let is_client = !is_found || is_of_group || is_detached;
        if !is_client || process.is_nobodys(is_of_group, &said) || process.is_persons(own_group, &said) {
            break;
        }
        is_found |= !process.launches(&said, words);
        // What was started in a session of its own without a terminal may be a launcher as well: its parent counts.
        is_detached = is_of_group && process.leads_session && !process.has_terminal;
        found.push(process);
    }
    found
}

impl Process {
    /// Whether it was started only to start a server with these words.
    fn launches(&self, said: &[String], words: &[String]) -> bool {
        if words.is_empty() {
            return false;
        }
        if let Some(script) = self.script(said) {
            return words.last().is_some_and(|last| script.contains(last.as_str()));
        }
        // npm gives itself a title: `npm exec …`.
        let program = self.name.split(' ').next().unwrap_or_default();
        LAUNCHERS.contains(&program) && said.join(" ").ends_with(&words.join(" "))
    }

    /// Whether a person's own processes are below it as well.
    fn is_nobodys(&self, is_of_group: bool, said: &[String]) -> bool {
        // In a container the client itself may be the first process; it then shares its group with what it starts.
        let is_first = self.pid == 1 && !is_of_group;
        is_first
            || INITS.contains(&self.name.as_str())
            || DESKTOPS.contains(&self.name.as_str())
            || runs_extensions(said)
    }

    /// Whether it is a shell in which a person types: it has a terminal, and leads all that runs there or gives its jobs
    /// groups of their own. What stands in `$(…)` runs in the group of the shell itself.
    fn is_persons(&self, own_group: Option<u32>, said: &[String]) -> bool {
        SHELLS.contains(&self.name.as_str())
            && self.has_terminal
            && self.pid == self.group
            && (own_group.is_some_and(|group| group != self.group)
                || self.leads_session && has_options_only(said))
            && self.script(said).is_none()
    }
}

/// Whether a shell was started with no script and no input of somebody else.
fn has_options_only(said: &[String]) -> bool {
    let is_option =
        |word: &String| word.starts_with('-') && !word.trim_start_matches('-').starts_with(['s', 'c']);
    said.iter().skip(1).all(is_option)
}

/// Whether this process is an editor's process for extensions.
pub(super) fn is_of_an_editor(pid: u32) -> bool {
    chain(pid).next().is_some_and(|process| runs_extensions(&process.words()))
}

/// Whether it is the process of an editor in which its extensions run.
fn runs_extensions(said: &[String]) -> bool {
    let says = |option: &str| said.iter().any(|word| word == option);
    says("--type=extensionHost")
        || (says("--type=utility") && says("--utility-sub-type=node.mojom.NodeService"))
}

#[cfg(test)]
mod tests;
