//! Ties a command to the folder that it was judged in. A call of Codex may name another working folder beside the
//! command, and the event does not tell it: `cat notes.txt` could then show another file, and an approved command run
//! elsewhere. So a call that may run gets a first line that ends it in any other folder.

use bailiwick_domain::{Params, ToolCall, Value};

/// The name under which Codex tells of commands.
pub(super) const SHELL: &str = "Bash";

/// The parameters of a command, tied to its folder.
pub fn pinned(call: &ToolCall) -> Option<Params> {
    let command = call.params.get("command").and_then(Value::as_str).filter(|_| call.tool == SHELL)?;
    let tied = format!("{}{command}", knot(call.cwd.as_deref()?));
    let mut params = call.params.clone();
    params.insert("command".to_owned(), tied.into());
    Some(params)
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
