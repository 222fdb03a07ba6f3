//! A drafted intent in a person's hands: opened in an editor, and shown as the change of the intents file that it is.
//!
//! Deliberately absent: answering. Who edits has not accepted anything yet.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use bailiwick_adapters_fs::{FsIntentWriter, Layout, proposal_text, read_proposal};
use bailiwick_domain::{ApprovalRequest, IntentChange, IntentEditError, IntentProposal, IntentWriter};

use super::CommandError;
use crate::gate::unified_diff;

/// The most of a change that is shown, in bytes.
const MAX_DIFF: usize = 200_000;

/// How often a person's surface gives a sign of life while the editor is open.
const BEAT: Duration = Duration::from_millis(500);

const HELP: &str = "\
# The intent as it will be written. Change what you like, then save and leave the editor.
# You are asked once more before anything is written. Without any text nothing happens.
";

/// Lets a person edit a draft in `$VISUAL`, `$EDITOR` or `vi`, until it is valid; `None` when the person empties it, or
/// leaves an invalid text as it was.
///
/// # Errors
/// The editor cannot be started, or fails.
pub(super) fn edited(
    draft: &IntentProposal,
    mut beat: impl FnMut(),
) -> Result<Option<IntentProposal>, CommandError> {
    let (mut text, mut complaint) = (proposal_text(draft), String::new());
    loop {
        let shown = format!("{HELP}{complaint}{text}");
        let said = in_editor(&shown, &mut beat)?;
        let body: String =
            said.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
        if body.trim().is_empty() || (!complaint.is_empty() && body == text) {
            return Ok(None);
        }
        match read_proposal(&body) {
            Ok(proposal) => return Ok(Some(proposal)),
            Err(error) => complaint = format!("# {}\n", error.to_string().replace('\n', " ")),
        }
        text = body;
    }
}

fn in_editor(text: &str, beat: &mut impl FnMut()) -> Result<String, CommandError> {
    let failed = |source| CommandError::io("the draft", source);
    let mut file = tempfile::Builder::new().prefix("intent-").suffix(".yaml").tempfile().map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.flush()).map_err(failed)?;
    let path = file.into_temp_path();
    let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok());
    let editor = editor.filter(|editor| !editor.trim().is_empty()).unwrap_or_else(|| "vi".to_owned());
    let status = run(&editor, &path, beat).map_err(|source| CommandError::io(&editor, source))?;
    if !status.success() {
        return Err(CommandError::Other(format!("`{editor}` ended with {status}; nothing is accepted")));
    }
    std::fs::read_to_string(&path).map_err(failed)
}

/// Runs the editor as git does: a line of shell with the file behind it.
fn run(editor: &str, path: &std::path::Path, beat: &mut impl FnMut()) -> std::io::Result<ExitStatus> {
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{editor} \"$1\"")).arg("sh");
        shell
    } else {
        Command::new(editor)
    };
    let mut child = command.arg(path).spawn()?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        beat();
        std::thread::sleep(BEAT);
    }
}

/// The change of the intents file that a draft would be, in the working copy of the request.
///
/// # Errors
/// The file cannot be read, or the draft cannot be put into it.
pub(super) fn change(
    layout: &Layout,
    request: &ApprovalRequest,
    draft: &IntentProposal,
) -> Result<String, CommandError> {
    let writer = FsIntentWriter::new(in_worktree(layout, request));
    let edit =
        pollster::block_on(writer.draft(&IntentChange::Add(draft.clone()))).map_err(|error| match error {
            IntentEditError::Port(error) => CommandError::Port(error),
            other => CommandError::Other(other.to_string()),
        })?;
    Ok(unified_diff(edit.file.as_str(), Some(edit.before.as_bytes()), Some(edit.after.as_bytes()), MAX_DIFF))
}

/// The store of the working copy that a request is about (D-14).
pub(super) fn in_worktree(layout: &Layout, request: &ApprovalRequest) -> Layout {
    match &request.worktree {
        Some(root) => {
            Layout::new(PathBuf::from(root), layout.private(), layout.user_state().map(PathBuf::from))
        }
        None => layout.clone(),
    }
}
