//! `bailiwick trace trailers`: which intents and requirements the staged changes were made for, as trailers of a commit.
//!
//! Git runs it before and after a person edits a message. It never stops a commit. Deliberately absent: who answers for a
//! run of lines (`audit`), and where trailers stand in a message (`git interpret-trailers`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bailiwick_domain::{Actor, TraceEntry, json};

use crate::command::git::Git;
use crate::command::trace::audit::{Judgement, Label, judged_staged};
use crate::command::{CommandError, Context};
use crate::counted::counted;
use crate::inert;
use crate::site::Site;

/// The messages that git lets a hook prepare.
const MESSAGES: [&str; 2] = ["COMMIT_EDITMSG", "MERGE_MSG"];
/// What git keeps in its folder while it makes commits out of others.
const UNDER_WAY: [&str; 5] =
    ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"];
/// A comment sign that no message has.
const NO_COMMENT: &str = "core.commentChar=\u{1}";
/// The word by which our own hook says that a person has edited the message.
const EDITED: &str = "edited";
/// What git puts above the diff of `commit --verbose`.
const SCISSORS: &str = "------------------------ >8 ------------------------";

/// What is asked of it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bailiwick trace trailers             what a commit of the staged changes would say
  bailiwick init --git                 let git add it to each message")]
pub(in crate::command) struct Args {
    /// Git runs this for a message: its file, where the message comes from, and a commit
    #[arg(long, num_args = 1..=3, value_names = ["FILE", "SOURCE", "COMMIT"])]
    pub(super) git_hook: Vec<String>,
}

/// What was found for the staged changes.
struct Found {
    trailers: Vec<String>,
    /// What a person should look at.
    warning: Option<String>,
}

pub(super) fn run(site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    let git = git_of(site)?;
    let found = find(site, &git, context)?;
    if context.json {
        context.terminal.json(&json!({ "trailers": found.trailers, "warning": found.warning }));
        return Ok(ExitCode::SUCCESS);
    }
    if found.trailers.is_empty() {
        context.terminal.say("nothing that is staged was made under an intent");
    }
    found.trailers.iter().for_each(|line| context.terminal.say(inert::line(line)));
    found.warning.iter().for_each(|said| context.terminal.warning(said));
    Ok(ExitCode::SUCCESS)
}

/// As git's hook: whatever goes wrong is one line, and the commit goes on.
pub(super) fn hook(args: &Args, context: &Context) -> ExitCode {
    if let Err(error) = hooked(args, context) {
        let said = inert::line(&error.to_string());
        context.terminal.warning(&format!("no trailers were added: {said}"));
    }
    ExitCode::SUCCESS
}

fn hooked(args: &Args, context: &Context) -> Result<(), CommandError> {
    let mut words = args.git_hook.iter().map(String::as_str);
    let (file, source) = (words.next().unwrap_or_default(), words.next());
    let site = context.site()?;
    let git = git_of(&site)?;
    let file = message_file(&site, file)?;
    let text = std::fs::read_to_string(&file).map_err(|error| CommandError::io(file.display(), error))?;
    let folder = git_folder(&site);
    let due = folder.join("bailiwick-trailers-due");
    let is_edited = source == Some(EDITED);
    // Trailers wait for the message that a person writes in the editor; those of any other message the person has seen, and
    // may have taken out.
    let prepared = std::fs::read_to_string(&due).ok();
    let _ = std::fs::remove_file(&due);
    let is_of_others =
        matches!(source, Some("merge" | "commit")) || UNDER_WAY.iter().any(|name| folder.join(name).exists());
    if is_of_others || is_edited && prepared.is_none() {
        return Ok(());
    }
    let comments = if is_edited { Comments::Go } else { Comments::of(&git) };
    let said = said(&git, &text, comments)?;
    if is_edited {
        // A message that nobody wrote is to stay as git prepared it: git makes no commit of it then.
        if said.is_empty() || prepared.as_ref() == Some(&said) {
            return Ok(());
        }
    } else if source == Some("template") || is_unwritten(&said) {
        return std::fs::write(&due, said).map_err(|error| CommandError::io(due.display(), error));
    }
    if goes_into_another(&said) {
        return Ok(());
    }
    let found = find(&site, &git, context)?;
    found.warning.iter().for_each(|said| context.terminal.warning(said));
    if found.trailers.is_empty() {
        return Ok(());
    }
    let mut words = match comments {
        Comments::Go => Vec::new(),
        Comments::Stay => vec!["-c", NO_COMMENT],
    };
    words.extend(["interpret-trailers", "--no-divider"]);
    words.extend(["--if-exists", "addIfDifferent", "--if-missing", "add"]);
    found.trailers.iter().for_each(|line| words.extend(["--trailer", line]));
    let added = in_the_persons_words(&text, &git.filtered(&words, &text)?);
    std::fs::write(&file, added).map_err(|error| CommandError::io(file.display(), error))
}

/// A message with what git added to it, and nothing else changed: git takes `https://…` in a last paragraph for a trailer, and
/// puts a blank behind its colon.
fn in_the_persons_words(text: &str, rewritten: &str) -> String {
    let spelled = |line: &str| line.split_whitespace().collect::<String>();
    let mut own = text.split_inclusive('\n').peekable();
    let mut whole = String::new();
    for line in rewritten.split_inclusive('\n') {
        let kept = own.next_if(|own| spelled(own) == spelled(line)).unwrap_or(line);
        whole.push_str(kept.trim_end_matches('\n'));
        whole.push('\n');
    }
    whole
}

fn git_of(site: &Site) -> Result<Git, CommandError> {
    let git = site.git.as_ref().map(|_| Git::new(site.layout.root()));
    git.ok_or_else(|| CommandError::Usage("trailers need a git repository".to_owned()))
}

/// The message's file: only git's own are written.
fn message_file(site: &Site, named: &str) -> Result<PathBuf, CommandError> {
    let folder = git_folder(site);
    let path = Path::new(named);
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let there = |path: &Path| path.canonicalize().ok();
    let file = folder.join(name);
    let given = if path.is_absolute() { path.to_path_buf() } else { site.layout.root().join(path) };
    let is_it = MESSAGES.contains(&name)
        && there(&given).is_some()
        && there(&given) == there(&folder).map(|at| at.join(name));
    if is_it {
        Ok(file)
    } else {
        Err(CommandError::Usage(format!("`{named}` is not a message that git prepares")))
    }
}

/// What git will do with lines that begin with its comment sign.
#[derive(Clone, Copy)]
enum Comments {
    Go,
    Stay,
}

impl Comments {
    /// Git takes them out of a message that an editor shows. It says by this word that none will.
    fn of(git: &Git) -> Self {
        let has_editor = std::env::var_os("GIT_EDITOR").is_none_or(|editor| editor != ":");
        let cleanup = git.text(&["config", "--get", "commit.cleanup"]).unwrap_or_default();
        if has_editor || cleanup.trim() == "strip" { Self::Go } else { Self::Stay }
    }
}

/// The words of a message.
fn said(git: &Git, text: &str, comments: Comments) -> Result<String, CommandError> {
    match comments {
        Comments::Stay => git.filtered(&["stripspace"], text),
        Comments::Go => {
            let kept = text.split_inclusive('\n').take_while(|line| !line.trim_end().ends_with(SCISSORS));
            git.filtered(&["stripspace", "--strip-comments"], &kept.collect::<String>())
        }
    }
}

/// Whether nobody wrote a message yet. Trailers alone would make a commit of it, although the person gave up.
fn is_unwritten(said: &str) -> bool {
    said.is_empty() || said.starts_with("Signed-off-by:")
}

/// Whether the commit is one that goes into another (`--fixup`).
fn goes_into_another(said: &str) -> bool {
    ["fixup! ", "squash! ", "amend! "].iter().any(|start| said.starts_with(start))
}

fn git_folder(site: &Site) -> PathBuf {
    site.git.as_ref().map(|place| place.git_dir.clone()).unwrap_or_default()
}

/// What the staged changes were made for, as far as no commit has it.
fn find(site: &Site, git: &Git, context: &Context) -> Result<Found, CommandError> {
    let judged = judged_staged(site, git, context)?;
    // What a person put back or noted down is that person's change, as any other edit is.
    let is_an_agents = |entry: &&TraceEntry| entry.context.actor.host != Actor::HUMAN;
    let made_by = || judged.made_by.iter().filter(is_an_agents).map(|entry| &entry.context);
    let intents: BTreeSet<&str> = made_by().map(|context| context.intent.as_str()).collect();
    let requirements: BTreeSet<&str> =
        made_by().flat_map(|context| context.requirements.iter().map(String::as_str)).collect();
    let is_plain = |value: &&str| !value.trim().is_empty() && !value.contains(char::is_control);
    let intents_said = intents.iter().copied().filter(is_plain).map(|id| format!("Intent: {id}"));
    let requirements = requirements.into_iter().filter(is_plain).map(|id| format!("Requirement: {id}"));
    let trailers: Vec<String> = intents_said.chain(requirements).collect();
    Ok(Found { warning: warning(&judged, &intents), trailers })
}

/// That a commit mixes intents, or what was made under one with what nobody recorded.
fn warning(judged: &Judgement, intents: &BTreeSet<&str>) -> Option<String> {
    let is_untraced =
        |label: Label| matches!(label, Label::Human | Label::Copied | Label::Unexplained | Label::Unknown);
    let untraced: Vec<String> = judged
        .runs
        .iter()
        .filter(|run| is_untraced(run.label))
        .map(|run| inert::line(&run.place()))
        .collect();
    let mut said = Vec::new();
    if intents.len() > 1 {
        let all: Vec<&str> = intents.iter().copied().collect();
        said.push(format!("this commit mixes {}", all.join(", ")));
    }
    if !intents.is_empty() && !untraced.is_empty() {
        let first = untraced.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
        let more =
            if untraced.len() > 3 { format!(" and {} more", untraced.len() - 3) } else { String::new() };
        let changes = counted(untraced.len(), "change of it was", "changes of it were");
        said.push(format!("{changes} not recorded under an intent: {first}{more}"));
    }
    if judged.passed_over > 0 {
        let files = counted(judged.passed_over, "staged file was", "staged files were");
        said.push(format!("{files} not looked at, to keep the commit quick"));
    }
    (!said.is_empty()).then(|| said.join("; "))
}
