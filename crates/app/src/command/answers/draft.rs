//! A drafted intent, or more scope for one, in a person's hands.
//!
//! It is opened in an editor, and shown as the change of the intents file that it is. Deliberately absent: answering. Who edits has not accepted anything yet.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use bailiwick_adapters_fs::{
    FsIntentRepo, FsIntentWriter, Layout, added_scope_text, proposal_text, read_added_scope, read_proposal,
};
use bailiwick_domain::{
    Amended, ApprovalRequest, Diagnostic, Intent, IntentChange, IntentEditError, IntentRepo, IntentWriter,
};

use crate::command::CommandError;
use crate::gate::unified_diff;
use crate::inert;

/// The most of a change that is shown, in bytes.
const MAX_DIFF: usize = 200_000;

/// How often a person's surface gives a sign of life while the editor is open.
const BEAT: Duration = Duration::from_millis(500);

const HELP: &str = "\
# The intent as it will be written. Change what you like, then save and leave the editor.
# You confirm before anything is written. An empty file changes nothing.
";

const HELP_WITH_SCOPE: &str = "\
# What will be added to its scope. Take away, narrow or change what you like; `!` takes out. Then save and leave the
# editor. You confirm before anything is written. An empty file changes nothing.
";

/// Lets a person edit a draft in `$VISUAL`, `$EDITOR` or `vi`, until it is valid; `None` when the person empties it, or
/// leaves an invalid text as it was.
///
/// # Errors
/// The editor cannot be started, or fails.
pub(crate) fn edited(
    layout: &Layout,
    request: &ApprovalRequest,
    draft: &Amended,
    mut beat: impl FnMut(),
) -> Result<Option<Amended>, CommandError> {
    let head = head(layout, request, draft)?;
    let (mut text, mut complaint) = (text_of(draft), String::new());
    loop {
        let shown = format!("{head}{complaint}{text}");
        let said = in_editor(&shown, &mut beat)?;
        let body: String =
            said.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
        if body.trim().is_empty() || (!complaint.is_empty() && body == text) {
            return Ok(None);
        }
        match read_like(draft, &body) {
            Ok(read) => return Ok(Some(read)),
            // The place is told as it will be in the text that is opened again, below the head and the complaint.
            Err(mut why) => {
                why.line += head.lines().count() + 1;
                complaint = format!("# {}\n", why.to_string().replace('\n', " "));
            }
        }
        text = body;
    }
}

/// What a person is told above the text; of an expansion also what the intent owns already.
fn head(layout: &Layout, request: &ApprovalRequest, draft: &Amended) -> Result<String, CommandError> {
    if matches!(draft, Amended::Intent(_)) {
        return Ok(HELP.to_owned());
    }
    let Some(intent) = intent_of(layout, request)? else { return Ok(HELP_WITH_SCOPE.to_owned()) };
    let one_line = |text: &str| inert::lines(text).join(" ");
    let mut head = format!("# {} ({}) owns\n", intent.id(), one_line(intent.name()));
    for pattern in intent.owned_scope().patterns() {
        let _ = writeln!(head, "#   {}", one_line(pattern.as_str()));
    }
    Ok(head + HELP_WITH_SCOPE)
}

/// A draft as the text that a person edits.
pub(crate) fn text_of(draft: &Amended) -> String {
    match draft {
        Amended::Intent(proposal) => proposal_text(proposal),
        Amended::Scope { added_scope } => added_scope_text(added_scope),
    }
}

/// The text as a draft of the same kind.
pub(crate) fn read_like(draft: &Amended, text: &str) -> Result<Amended, Diagnostic> {
    match draft {
        Amended::Intent(_) => read_proposal(text).map(Amended::Intent),
        Amended::Scope { .. } => read_added_scope(text).map(|added_scope| Amended::Scope { added_scope }),
    }
}

/// A text as a person left it in the editor.
pub(crate) fn in_editor(text: &str, beat: &mut impl FnMut()) -> Result<String, CommandError> {
    let failed = |source| CommandError::io("the draft", source);
    let mut file = tempfile::Builder::new().prefix("intent-").suffix(".yaml").tempfile().map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.flush()).map_err(failed)?;
    let path = file.into_temp_path();
    let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok());
    let editor = editor.filter(|editor| !editor.trim().is_empty()).unwrap_or_else(|| "vi".to_owned());
    let status = run(&editor, &path, beat).map_err(|source| CommandError::io(&editor, source))?;
    if !status.success() {
        let how = status.code().map_or("by a signal".to_owned(), |code| format!("with exit status {code}"));
        return Err(CommandError::Other(format!("`{editor}` ended {how}; nothing is accepted")));
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
/// The file cannot be read, the draft cannot be put into it, or it adds nothing.
pub(crate) fn change(
    layout: &Layout,
    request: &ApprovalRequest,
    draft: &Amended,
) -> Result<String, CommandError> {
    let change = match draft {
        Amended::Intent(proposal) => IntentChange::Add(proposal.clone()),
        Amended::Scope { added_scope } => {
            let gone = || CommandError::Other("the intent no longer exists".to_owned());
            let intent = intent_of(layout, request)?.ok_or_else(gone)?;
            let patterns = intent.unowned(added_scope.patterns());
            if patterns.is_empty() {
                let why =
                    format!("{} owns these paths already; to add nothing, reject the request", intent.id());
                return Err(CommandError::Other(why));
            }
            IntentChange::Expand { id: intent.id().clone(), patterns }
        }
    };
    let writer = FsIntentWriter::new(in_worktree(layout, request));
    let edit = pollster::block_on(writer.draft(&change)).map_err(|error| match error {
        IntentEditError::Port(error) => CommandError::Port(error),
        other => CommandError::Other(other.to_string()),
    })?;
    Ok(unified_diff(edit.file.as_str(), Some(edit.before.as_bytes()), Some(edit.after.as_bytes()), MAX_DIFF))
}

/// The intent that a request is about, as its own working copy has it.
fn intent_of(layout: &Layout, request: &ApprovalRequest) -> Result<Option<Intent>, CommandError> {
    let Some(id) = &request.intent_id else { return Ok(None) };
    Ok(pollster::block_on(FsIntentRepo::new(in_worktree(layout, request)).get(id))?)
}

/// The store of the working copy that a request is about.
pub(crate) fn in_worktree(layout: &Layout, request: &ApprovalRequest) -> Layout {
    match &request.worktree {
        Some(root) => {
            Layout::new(PathBuf::from(root), layout.private(), layout.user_state().map(PathBuf::from))
        }
        None => layout.clone(),
    }
}
