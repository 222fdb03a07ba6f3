//! Ties a command to the folder that it was judged in. A call of Codex may name another working folder beside the
//! command. 0.169.0 tells that folder as the event's; the published source of earlier versions tells the session's, and an
//! event does not say its version. There `cat notes.txt` could show another file, and an approved command run elsewhere.
//! So a command that may run gets a first line that ends it in any other folder, and a patch for the shell is handed back
//! with its folder in front. Only where a POSIX shell reads the line.

use bailiwick_domain::{Params, ToolCall, Value};

use super::heredoc;
use crate::dialect::Called;

/// The name under which Codex tells of commands.
pub(super) const SHELL: &str = "Bash";

/// The tool that applies patches.
pub(super) const APPLIER: &str = "apply_patch";
/// The parameter with a patch that came through the shell; the tool's own is called otherwise.
pub(super) const PATCH: &str = "patch";

/// The parameters of a command, tied to its folder.
pub fn pinned(call: &ToolCall) -> Option<Params> {
    let folder = call.cwd.as_deref().filter(|_| cfg!(not(windows)))?;
    let said = |key: &str| call.params.get(key).and_then(Value::as_str);
    let tied = match call.tool.as_str() {
        SHELL => format!("{}{}", knot(folder), said("command")?),
        APPLIER => heredoc::command(said(PATCH)?, folder)?,
        _ => return None,
    };
    Some(Params::from_iter([("command".to_owned(), tied.into())]))
}

/// Whether a patch that came through the shell can be handed back with its folder.
pub(super) fn is_placed(called: &Called) -> bool {
    let folder = called.cwd.as_deref().filter(|_| cfg!(not(windows)));
    folder.is_some_and(|folder| heredoc::command("", folder).is_some())
}

/// The command without the line that ties it to that folder.
pub(super) fn untied<'a>(command: &'a str, folder: Option<&str>) -> &'a str {
    folder.and_then(|folder| command.strip_prefix(&knot(folder))).unwrap_or(command)
}

/// The first line.
fn knot(folder: &str) -> String {
    let quoted = folder.replace('\'', r"'\''");
    format!(
        "[ . -ef '{quoted}' ] || {{ echo 'Bailiwick judged this command for the folder {quoted}: leave out workdir, and write the folder into the command.' >&2; exit 126; }}\n"
    )
}
