//! One governed repository of a connection: what its hooks handed over, its queue, and which calls a person let through.

use std::path::Path;

use bailiwick_adapters_acp::Question;
use bailiwick_adapters_fs::{
    AgentProcesses, Dialog, Dialogs, FsApprovalQueue, FsPendingStore, FsPolicySource, FsSessionStore, Layout,
    SystemClock,
};
use bailiwick_domain::{
    Answer, Approval, ApprovalId, ApprovalQueue, Clock, ContentHash, FileState, PendingCall, PendingStore,
    PolicySource, RepoPath, Timestamp, WorkspacePath,
};
use bailiwick_policy::protection::{Protection, of_change};
use pollster::block_on;

use super::told;
use crate::approvers::may_be_asked_in_a_dialog;
use crate::command::answers::{pause, void};
use crate::site::Site;

/// A repository.
#[derive(Debug)]
pub(super) struct Place {
    site: Site,
    editor: String,
    queue: FsApprovalQueue,
    /// Nothing where no person turned the editor's dialog on: then no hook waits for it.
    dialog: Option<Dialog>,
}

impl Place {
    /// The repository, and what a person should know of it.
    pub(super) fn open(site: Site, editor: &str) -> (Self, Option<String>) {
        let opened = dialog(&site, editor);
        let (dialog, note) = match opened {
            Ok(dialog) => (Some(dialog), None),
            Err(note) => (None, Some(note)),
        };
        let queue = FsApprovalQueue::new(site.layout.clone());
        (Self { site, editor: editor.to_owned(), queue, dialog }, note)
    }

    fn root(&self) -> &Path {
        self.site.layout.root()
    }

    pub(super) fn site(&self) -> &Site {
        &self.site
    }

    /// Whether a path lies below the root.
    pub(super) fn holds(&self, path: &Path) -> bool {
        path.starts_with(self.root())
    }

    /// What was handed over since the last look and still waits.
    pub(super) fn handed(&mut self) -> Vec<Question> {
        let handed = self.dialog.as_mut().map(Dialog::handed).unwrap_or_default();
        let waits = handed.iter().filter_map(|id| self.open_one(id));
        waits.map(|approval| told::question(&approval, self.root())).collect()
    }

    fn open_one(&self, id: &ApprovalId) -> Option<Approval> {
        let found = block_on(self.queue.get(id)).ok()??;
        let is_asked = found.is_open(SystemClock.now()) && may_be_asked_in_a_dialog(&found.request);
        is_asked.then_some(found)
    }

    /// Whether nobody can answer this request here.
    pub(super) fn is_over(&self, id: &str) -> bool {
        self.open_one(&ApprovalId(id.to_owned())).is_none()
    }

    /// Writes an answer down, where the request is one of this place. Why that failed. Somebody may have turned the dialog
    /// off while it was open.
    pub(super) fn answer(&self, id: &str, answer: &Answer) -> Option<String> {
        let id = ApprovalId(id.to_owned());
        let asked = self.open_one(&id)?;
        if matches!(answer, Answer::Approve { .. })
            && let Err(note) = turned_on(&self.site, &self.editor)
        {
            return Some(note);
        }
        match void::answer(&self.queue, &self.site.layout, &asked, answer) {
            Ok(answered) => answered.is_void().then(|| void::became(&answered)),
            Err(error) => Some(error.to_string()),
        }
    }

    /// Whether a hook of this session was heard, or, where its host has other names for sessions, any hook since then of
    /// an agent below this process. Where nobody can look at processes, any hook since then counts.
    pub(super) fn heard_of(&self, session: &str, since: Option<Timestamp>) -> bool {
        let known = FsSessionStore::new(self.site.layout.clone()).recent().unwrap_or_default();
        let is_new = |changed: Timestamp| since.is_some_and(|since| changed >= since);
        let is_below = || AgentProcesses::new(self.site.layout.clone()).runs_below_this().unwrap_or(true);
        known.iter().any(|(actor, ..)| actor.session == session)
            || (known.iter().any(|(.., changed)| is_new(*changed)) && is_below())
    }

    /// Whether a person's yes let this call through, which is one of whoever asks.
    pub(super) fn was_let_through(&self, call: &str, is_its: impl Fn(&PendingCall) -> bool) -> bool {
        let is_it =
            |pending: &PendingCall| pending.call.0 == call && pending.approval.is_some() && is_its(pending);
        under_way(&self.site.layout).iter().any(is_it)
    }

    /// Whether a call that was let through writes this text there. In a pause only what is protected is refused.
    pub(super) fn may_write(site: &Site, path: &Path, content: &str) -> Result<(), String> {
        if pause::in_force(&site.layout).is_some() {
            return if is_protected(site, path) { Err(told::protected(path)) } else { Ok(()) };
        }
        let root = site.layout.root();
        let hash = FileState::Content(ContentHash::of(content.as_bytes()));
        let is_of = |pending: &PendingCall| {
            pending.files.iter().any(|file| {
                let place = file.moved_to.as_ref().unwrap_or(&file.path);
                let is_there = path == root.join(place.as_str());
                is_there && file.predicted.as_ref().is_none_or(|predicted| *predicted == hash)
            })
        };
        match under_way(&site.layout).iter().any(is_of) {
            true => Ok(()),
            false => Err(told::no_call_writes(path)),
        }
    }
}

/// The calls that were let through and are not over. One that cannot be read was let through by nobody.
fn under_way(layout: &Layout) -> Vec<PendingCall> {
    block_on(FsPendingStore::new(layout.clone()).all()).unwrap_or_default()
}

/// Whether only a person changes what is at this path. What cannot be told is protected.
fn is_protected(site: &Site, path: &Path) -> bool {
    let below = path.strip_prefix(site.layout.root()).unwrap_or(Path::new(""));
    let names: Option<Vec<&str>> = below.components().map(|part| part.as_os_str().to_str()).collect();
    let path = names.and_then(|names| RepoPath::new(&names.join("/")).ok());
    let settings = block_on(FsPolicySource::new(site.layout.clone()).settings());
    let (Some(path), Ok(settings)) = (path, settings) else { return true };
    let path = WorkspacePath { folded: path.as_str().to_lowercase(), path, spelled: None };
    matches!(of_change(&path, &settings), Protection::Protected(_))
}

/// The editor's dialog, where a person turned it on. Why not, for that person.
fn dialog(site: &Site, editor: &str) -> Result<Dialog, String> {
    if let Some(agent) = AgentProcesses::new(site.layout.clone()).governed_ancestor() {
        return Err(told::below_agent(agent.pid));
    }
    turned_on(site, editor)?;
    Dialogs::new(&site.layout).open().map_err(|error| format!("questions stay in the queue: {error}"))
}

/// Whether a person turned the dialog of this editor on. Why not, for that person.
fn turned_on(site: &Site, editor: &str) -> Result<(), String> {
    let settings = block_on(FsPolicySource::new(site.layout.clone()).settings());
    let settings = settings.map_err(|error| format!("questions stay in the queue: {error}"))?;
    match settings.dialogs.iter().any(|name| name == editor) {
        true => Ok(()),
        false => Err(told::not_turned_on(editor)),
    }
}
