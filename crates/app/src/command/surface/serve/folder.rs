//! One folder of a window: the surface on its queue, the window's place among the surfaces, and what was shown last.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use bailiwick_adapters_fs::{
    AgentProcesses, EDITOR, FsIntentRepo, StoreWatch, Surfaces, SystemClock, Window,
};
use bailiwick_adapters_vscode::protocol::{Checked, Folder as Told, FolderSnapshot, Marks, State, Trouble};
use bailiwick_adapters_vscode::{Event, Refusal};
use bailiwick_domain::{
    Amended, Answer, Approval, ApprovalId, ApprovalRequest, ApprovalStatus, Breadth, Clock, GrantId,
    NoPerson, RepoPath, TrustedCommand,
};

use super::{below_agent, marks, shown};
use crate::approvers::CLOSED;
use crate::command::judged;
use crate::command::surface::{Allowed, Surface};
use crate::site::Site;

/// A folder of the window, governed or not.
pub(super) struct Folder {
    given: PathBuf,
    user_state: Option<PathBuf>,
    events: Sender<Event>,
    /// What is there as soon as somebody set up the gate.
    governed: Option<Governed>,
}

struct Governed {
    site: Site,
    surface: Surface,
    surfaces: Surfaces,
    /// Nothing where the private state cannot be written: then nobody waits for this window.
    window: Option<Arc<Window>>,
    watch: Option<StoreWatch>,
    /// The requests of the last look.
    waiting: BTreeMap<String, Arc<Approval>>,
}

impl Folder {
    /// The folder at this place.
    ///
    /// # Errors
    /// This process runs below an agent that is governed there.
    pub(super) fn new(
        given: &str,
        user_state: Option<PathBuf>,
        events: &Sender<Event>,
    ) -> Result<Self, Refusal> {
        let given = PathBuf::from(given);
        if !given.is_absolute() {
            return Err(Refusal::parameters(format!("`{}` is no absolute path", given.display())));
        }
        let mut folder = Self { given, user_state, events: events.clone(), governed: None };
        folder.find()?;
        Ok(folder)
    }

    /// Looks whether the gate is there by now.
    fn find(&mut self) -> Result<(), Refusal> {
        let site = Site::around(&self.given, self.user_state.clone()).ok().flatten();
        let Some(site) = site.filter(Site::is_governed) else { return Ok(()) };
        if let Some(agent) = AgentProcesses::new(site.layout.clone()).governed_ancestor() {
            return Err(below_agent(agent.pid));
        }
        let surfaces = Surfaces::new(site.layout.clone());
        self.governed = Some(Governed {
            surface: Surface::new(site.clone(), EDITOR),
            window: surfaces.open_window().ok().map(Arc::new),
            watch: None,
            surfaces,
            waiting: BTreeMap::new(),
            site,
        });
        self.watch();
        Ok(())
    }

    /// Asks to be told of changes, as soon as there is something that can change.
    fn watch(&mut self) {
        let Some(governed) = self.governed.as_mut().filter(|governed| governed.watch.is_none()) else {
            return;
        };
        let events = self.events.clone();
        governed.watch = StoreWatch::new(&governed.site.layout, move || drop(events.send(Event::Changed)));
    }

    /// Whether it is the folder that the editor names so.
    pub(super) fn is_given(&self, given: &str) -> bool {
        self.given == Path::new(given)
    }

    /// What names it on the wire.
    pub(super) fn root(&self) -> String {
        let root = self.governed.as_ref().map(|governed| governed.site.layout.root());
        root.unwrap_or(&self.given).display().to_string()
    }

    pub(super) fn window(&self) -> Option<Arc<Window>> {
        self.governed.as_ref()?.window.clone()
    }

    pub(super) fn told(&self) -> Told {
        let trouble = self.governed.as_ref().and_then(|governed| judged::trouble(&governed.site));
        let state = self.state(trouble.is_some());
        Told { root: self.root(), name: self.name(), state, trouble: trouble.as_ref().map(shown::trouble) }
    }

    fn name(&self) -> String {
        let name = self.given.file_name().unwrap_or(self.given.as_os_str());
        name.to_string_lossy().into_owned()
    }

    fn state(&self, is_troubled: bool) -> State {
        match (&self.governed, is_troubled) {
            (None, _) => State::NotSetUp,
            (Some(_), true) => State::Trouble,
            (Some(_), false) => State::Governed,
        }
    }

    /// The folder as it is now.
    pub(super) fn look(&mut self) -> FolderSnapshot {
        let refused = if self.governed.is_none() { self.find().err() } else { None };
        self.watch();
        let mut now = FolderSnapshot {
            root: self.root(),
            name: self.name(),
            state: self.state(refused.is_some()),
            trouble: refused.map(|why| untold(why.message)),
            pause: None,
            approvals: Vec::new(),
            grants: Vec::new(),
            reviews: Vec::new(),
            done: Vec::new(),
            agents: Vec::new(),
            running: 0,
            marks: Marks::default(),
        };
        let Some(governed) = &mut self.governed else { return now };
        now.marks = marks::of(&governed.site.layout);
        match governed.surface.look() {
            Ok(found) => {
                governed.waiting = found
                    .requests
                    .iter()
                    .map(|item| (item.id().0.clone(), Arc::clone(&item.approval)))
                    .collect();
                shown::fill(&mut now, &found);
            }
            Err(error) => {
                now.state = State::Trouble;
                now.trouble = Some(untold(error.to_string()));
            }
        }
        now
    }

    /// A request of the last look.
    pub(super) fn shown(&self, id: &str) -> Option<Approval> {
        self.governed.as_ref()?.waiting.get(id).map(|approval| Approval::clone(approval))
    }

    fn governed(&mut self) -> Result<&mut Governed, Refusal> {
        let root = self.root();
        let none = || Refusal::not_done(format!("{root} is not governed; set the workspace up first"));
        self.governed.as_mut().ok_or_else(none)
    }

    /// Where everything of it lies.
    pub(super) fn site(&mut self) -> Result<Site, Refusal> {
        Ok(self.governed()?.site.clone())
    }

    /// A request that somebody can answer now.
    pub(super) fn waiting(&mut self, id: &str) -> Result<Approval, Refusal> {
        let governed = self.governed()?;
        let found = governed.surface.find(&ApprovalId(id.to_owned()));
        let Some(approval) = found else {
            return Err(Refusal::not_done(format!("there is no request `{id}` in this folder")));
        };
        match approval.is_waiting(SystemClock.now()) {
            true => Ok(approval),
            false => Err(Refusal::not_done(format!("{id} is over: {}", ended(&approval)))),
        }
    }

    /// Why a request needs no answer any more.
    pub(super) fn over(&self, id: &str) -> String {
        let found =
            self.governed.as_ref().and_then(|governed| governed.surface.find(&ApprovalId(id.to_owned())));
        found.as_ref().map_or_else(|| "the request is gone".to_owned(), ended)
    }

    pub(super) fn answer(&mut self, id: &str, answer: &Answer) -> Result<Approval, Refusal> {
        let governed = self.governed()?;
        governed.surface.answer(&ApprovalId(id.to_owned()), answer).map_err(Refusal::not_done)
    }

    pub(super) fn allow(&mut self, id: &str, command: &TrustedCommand, by: &str) -> Result<String, Refusal> {
        let allowed = self.governed()?.surface.allow(&ApprovalId(id.to_owned()), command, by);
        allowed.map(Allowed::says).map_err(Refusal::not_done)
    }

    pub(super) fn revoke(&mut self, grant: GrantId) -> Result<(), Refusal> {
        self.governed()?.surface.revoke(grant).map_err(Refusal::not_done)
    }

    pub(super) fn review(&mut self, grant: GrantId, shown: &str, back: &[RepoPath]) -> Result<(), Refusal> {
        self.governed()?.surface.review(grant, shown, back).map_err(Refusal::not_done)
    }

    pub(super) fn change_of(
        &mut self,
        request: &ApprovalRequest,
        draft: &Amended,
    ) -> Result<(String, Option<Breadth>), Refusal> {
        self.governed()?.surface.change_of(request, draft).map_err(Refusal::not_done)
    }

    pub(super) fn check_text(&mut self, text: &str) -> Result<Checked, Refusal> {
        self.governed()?;
        Ok(shown::checked(&FsIntentRepo::report_on(text)))
    }

    /// The window is closed. Where it was the last one, and nobody else could answer, what was open in it is rejected.
    pub(super) fn leave(&mut self, put: Vec<&str>) {
        let Some(governed) = &mut self.governed else { return };
        governed.window = None;
        let stays = governed.surfaces.has_window() || !governed.surfaces.live(SystemClock.now()).is_empty();
        for id in put.iter().filter(|_| !stays) {
            let by = NoPerson::Editor.name().to_owned();
            let no = Answer::Reject { by, feedback: Some(CLOSED.to_owned()) };
            // One that was answered meanwhile stays as it is.
            let _ = governed.surface.answer(&ApprovalId((*id).to_owned()), &no);
        }
    }
}

fn untold(what: String) -> Trouble {
    Trouble { what, next: "Run `bailiwick doctor` in a terminal of this folder.".to_owned() }
}

fn ended(approval: &Approval) -> String {
    match &approval.status {
        ApprovalStatus::Approved { by, .. } | ApprovalStatus::Used { by, .. } => format!("approved by {by}"),
        ApprovalStatus::Void { why, .. } => format!("void: {why}"),
        ApprovalStatus::Rejected { by, feedback: Some(why), .. } if NoPerson::of(by).is_some() => why.clone(),
        ApprovalStatus::Rejected { by, .. } => format!("rejected by {by}"),
        ApprovalStatus::NotRun { .. } => "the agent's own prompt is over, and nothing was run".to_owned(),
        ApprovalStatus::WithHost { .. } => "the agent's own prompt asks; answer it there".to_owned(),
        ApprovalStatus::Open if approval.is_open(SystemClock.now()) => {
            "nobody is asked in a pause".to_owned()
        }
        ApprovalStatus::Open => "nobody answered in time".to_owned(),
    }
}
