//! `bailiwick serve --stdio`: the queue for an editor. Its extension starts it, one for each window, and ends it by closing
//! its standard input.
//!
//! One more surface on the stored queue: it shows what waits, and writes down what a person says. The wire and the loop
//! are `bailiwick-adapters-vscode`. Deliberately absent: another queue, and answers of its own.

mod folder;
mod heart;
mod marks;
mod past;
mod query;
mod shown;

use std::io::BufReader;
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::Sender;

use bailiwick_adapters_vscode::protocol::{
    Allowed, AnswerGiven, Change, CheckText, Checked, Decision, DraftAccepted, DraftEdited, Files,
    Folder as Told, GrantGiven, History, Named, Query, Review, Revoke, Said, Snapshot, Undo, UndoGiven, code,
};
use bailiwick_adapters_vscode::{Desk, Event, Later, Refusal, serve};
use bailiwick_domain::{Answer, Approval, ContentHash, GrantId, RepoPath};

use super::{sides, words};
use crate::command::answers::breadth::Twice;
use crate::command::answers::void;
use crate::command::who::person;
use crate::command::{CommandError, Context};
use folder::Folder;
use heart::Heart;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
The extension for VS Code starts this for each of its windows. Questions are put to a window while \
somebody uses it; one that nobody has used for a minute is nobody who could answer. Closing the last \
window rejects what was open in it.

Every message is documented in docs/protocol/editor.md, for extensions of other editors.")]
pub(crate) struct Args {
    /// JSON-RPC 2.0 on standard input and output, each message behind a Content-Length
    #[arg(long, required = true)]
    stdio: bool,
}

pub(crate) fn run(_args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let user_state = context.user_state.clone();
    let desk = move |events| Window { folders: Vec::new(), heart: Heart::start(), user_state, events };
    let served = serve(BufReader::new(std::io::stdin()), std::io::stdout(), desk);
    served.map_err(|error| CommandError::Other(error.to_string()))?;
    Ok(ExitCode::SUCCESS)
}

/// The stores of one window's folders.
struct Window {
    folders: Vec<Folder>,
    heart: Heart,
    user_state: Option<std::path::PathBuf>,
    events: Sender<Event>,
}

impl Window {
    fn folder(&mut self, root: &str) -> Result<&mut Folder, Refusal> {
        let unknown = || Refusal::parameters(format!("the window has no folder `{root}`"));
        self.folders.iter_mut().find(|folder| folder.root() == root).ok_or_else(unknown)
    }

    fn told(&self) -> Vec<Told> {
        self.folders.iter().map(Folder::told).collect()
    }

    /// The folder and the request, which must be open.
    fn asked(&mut self, root: &str, id: &str) -> Result<(&mut Folder, Approval), Refusal> {
        let folder = self.folder(root)?;
        let approval = folder.waiting(id)?;
        Ok((folder, approval))
    }

    /// The same; it must be the request that the person saw.
    fn seen(&mut self, root: &str, id: &str, fingerprint: &str) -> Result<(&mut Folder, Approval), Refusal> {
        let (folder, approval) = self.asked(root, id)?;
        match approval.request.fingerprint.hash().as_str() == fingerprint {
            true => Ok((folder, approval)),
            false => Err(Refusal::not_done(words::CHANGED)),
        }
    }
}

impl Desk for Window {
    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn person(&self) -> String {
        person()
    }

    fn open(&mut self, folders: &[String]) -> Result<Vec<Told>, Refusal> {
        // What cannot be opened leaves the window as it was.
        let is_new = |given: &&String| self.folders.iter().all(|folder| !folder.is_given(given));
        let opened = folders.iter().filter(is_new);
        let opened: Vec<Folder> = opened
            .map(|given| Folder::new(given, self.user_state.clone(), &self.events))
            .collect::<Result<_, _>>()?;
        let mut all = std::mem::take(&mut self.folders);
        all.extend(opened);
        for given in folders {
            let Some(at) = all.iter().position(|folder| folder.is_given(given)) else { continue };
            let folder = all.swap_remove(at);
            if self.folders.iter().all(|other| other.root() != folder.root()) {
                self.folders.push(folder);
            }
        }
        self.heart.follow(self.folders.iter().filter_map(Folder::window).collect());
        Ok(self.told())
    }

    fn snapshot(&mut self) -> Snapshot {
        let folders = self.folders.iter_mut().map(Folder::look).collect();
        self.heart.follow(self.folders.iter().filter_map(Folder::window).collect());
        Snapshot { folders }
    }

    fn attend(&mut self, is_there: bool) {
        self.heart.attend(is_there);
    }

    fn question(&self, root: &str, id: &str) -> Option<Approval> {
        self.folders.iter().find(|folder| folder.root() == root)?.shown(id)
    }

    fn over(&self, root: &str, id: &str) -> String {
        let folder = self.folders.iter().find(|folder| folder.root() == root);
        folder.map_or_else(|| "the window no longer has its folder".to_owned(), |folder| folder.over(id))
    }

    fn record(&mut self, root: &str, id: &str, answer: &Answer) -> Result<(), Refusal> {
        self.folder(root)?.answer(id, answer).map(drop)
    }

    fn leave(&mut self, put: &[(String, String)]) {
        self.heart.follow(Vec::new());
        for folder in &mut self.folders {
            let put = put.iter().filter(|(root, _)| *root == folder.root()).map(|(_, id)| id.as_str());
            folder.leave(put.collect());
        }
    }

    fn files(&mut self, named: &Named) -> Result<Files, Refusal> {
        let (_, approval) = self.asked(&named.root, &named.id)?;
        Ok(sides::of(&approval.request, Path::new(&named.root)))
    }

    fn answer(&mut self, given: &AnswerGiven) -> Result<Said, Refusal> {
        let (folder, approval) = self.seen(&given.root, &given.id, &given.fingerprint)?;
        let answer = match given.decision {
            Decision::Approve => {
                let review = crate::review::Review::of(&approval.request.diff_preview);
                said_twice(Twice::of(&approval.request, &review).as_ref(), given.broad)?;
                Answer::Approve { by: person() }
            }
            Decision::Reject => Answer::Reject { by: person(), feedback: given.feedback.clone() },
        };
        said(void::became(&folder.answer(&given.id, &answer)?))
    }

    fn grant(&mut self, given: &GrantGiven) -> Result<Said, Refusal> {
        let (folder, approval) = self.seen(&given.root, &given.id, &given.fingerprint)?;
        let bounds = shown::bounds_within(&approval.request, &given.bounds)?;
        said(void::became(&folder.answer(&given.id, &Answer::Grant { by: person(), bounds })?))
    }

    fn allow(&mut self, given: &Allowed) -> Result<Said, Refusal> {
        let (folder, approval) = self.seen(&given.root, &given.id, &given.fingerprint)?;
        let none =
            || Refusal::not_done(format!("{} is no request for a command that can be allowed", given.id));
        let command = approval.request.allows.as_ref().ok_or_else(none)?;
        said(folder.allow(&given.id, command, &person())?)
    }

    fn change(&mut self, edited: &DraftEdited) -> Result<Change, Refusal> {
        let (folder, approval) = self.asked(&edited.root, &edited.id)?;
        let draft = shown::draft_of(&approval.request, &edited.draft)?;
        let (diff, broad) = folder.change_of(&approval.request, &draft)?;
        Ok(Change { shown: digest(&diff), diff, broad: broad.map(shown::breadth) })
    }

    fn amend(&mut self, accepted: &DraftAccepted) -> Result<Said, Refusal> {
        let (folder, approval) = self.seen(&accepted.root, &accepted.id, &accepted.fingerprint)?;
        let draft = shown::draft_of(&approval.request, &accepted.draft)?;
        let (diff, broad) = folder.change_of(&approval.request, &draft)?;
        if digest(&diff) != accepted.shown {
            return Err(Refusal::not_done("this is not the change that was shown; look at it again"));
        }
        said_twice(broad.map(Twice::Broad).as_ref(), accepted.broad)?;
        said(void::became(&folder.answer(&accepted.id, &Answer::Amend { by: person(), draft })?))
    }

    fn revoke(&mut self, revoke: &Revoke) -> Result<Said, Refusal> {
        let grant = GrantId::parse(&revoke.grant).map_err(Refusal::parameters)?;
        self.folder(&revoke.root)?.revoke(grant)?;
        said(words::revoked(grant))
    }

    fn review(&mut self, review: &Review) -> Result<Said, Refusal> {
        let grant = GrantId::parse(&review.grant).map_err(Refusal::parameters)?;
        let back: Result<Vec<RepoPath>, _> = review.back.iter().map(|path| RepoPath::new(path)).collect();
        let back = back.map_err(Refusal::parameters)?;
        self.folder(&review.root)?.review(grant, &review.shown, &back)?;
        said(words::reviewed(grant, back.len()))
    }

    fn history(&mut self, history: &History) -> Result<Later, Refusal> {
        Ok(past::history(self.folder(&history.root)?.site()?, history.before.clone()))
    }

    fn undo_plan(&mut self, undo: &Undo) -> Result<Later, Refusal> {
        Ok(past::plan(self.folder(&undo.root)?.site()?, undo.entry.clone()))
    }

    fn undo(&mut self, undo: &UndoGiven) -> Result<Later, Refusal> {
        Ok(past::finish(self.folder(&undo.root)?.site()?, undo.clone(), person()))
    }

    fn query(&mut self, query: &Query) -> Result<Later, Refusal> {
        self.folder(&query.root)?;
        query::prepared(&query.root, &query.args)
    }

    fn check_text(&mut self, text: &CheckText) -> Result<Checked, Refusal> {
        self.folder(&text.root)?.check_text(&text.text)
    }
}

/// Names a change as it was shown, so that a yes is to no other one.
fn digest(diff: &str) -> String {
    ContentHash::of(diff.as_bytes()).to_string()
}

/// Some take a second, explicit word.
fn said_twice(twice: Option<&Twice>, said: Option<bool>) -> Result<(), Refusal> {
    match twice.filter(|_| said != Some(true)) {
        Some(twice) => Err(Refusal::not_done(format!("{} Approve it with a second word.", twice.says()))),
        None => Ok(()),
    }
}

fn said(message: String) -> Result<Said, Refusal> {
    Ok(Said { message })
}

/// This process runs below an agent, and an agent answers nothing for a person.
fn below_agent(pid: u32) -> Refusal {
    let message = CommandError::BelowAgent(format!("process {pid}")).to_string();
    Refusal { code: code::NOT_A_PERSON, message }
}
