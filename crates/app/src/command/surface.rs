//! A surface on the queue: what it shows of a root, and what a person may do there.
//!
//! The terminal screen, the editor's sidecar and the page are three faces of it. Deliberately absent: how anything looks,
//! and who may open one.

mod snapshot;
pub(super) mod words;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bailiwick_adapters_fs::{
    AgentProcesses, FsApprovalQueue, FsIntentRepo, FsSessionStore, Layout, Surfaces, SystemClock,
};
use bailiwick_domain::{
    Allowance, Amended, Answer, Approval, ApprovalError, ApprovalId, ApprovalQueue, ApprovalRequest, Breadth,
    Classification, Clock, Effect, GrantId, Intent, IntentRepo, PortError, RepoPath, Timestamp,
    TrustedCommand,
};
use bailiwick_policy::registry;

use super::approval::{grant, open, review};
use super::intent::accept::scope_of;
use super::judged::{self, Trouble};
use super::who::person;
use super::{CommandError, draft};
use crate::compose::{persons_gate, restorer};
use crate::redact::redact;
use crate::review::Review;
use crate::site::Site;

pub(super) use snapshot::{Agent, IntentFacts, Item, ReviewFile, ReviewItem, Snapshot};

/// How often the agents are looked up.
const AGENTS_EVERY: Duration = Duration::from_secs(2);

/// An agent that has been quiet for longer is not shown.
const QUIET_S: u64 = 30 * 60;

/// How many agents are shown at most.
const AGENTS: usize = 12;

/// One surface on the stores of one root.
pub(super) struct Surface {
    /// The name under which it gives its signs of life.
    name: &'static str,
    site: Site,
    layout: Layout,
    queue: FsApprovalQueue,
    surfaces: Surfaces,
    intents: BTreeMap<PathBuf, FsIntentRepo>,
    reviews: BTreeMap<ApprovalId, Arc<Review>>,
    agents: Vec<Agent>,
    to_review: Vec<ReviewItem>,
    running: usize,
    trouble: Option<Trouble>,
    looked: Option<Instant>,
}

impl Surface {
    /// A surface of this name; nobody waits for it before its first [`beat`](Self::beat).
    pub(super) fn new(site: Site, name: &'static str) -> Self {
        let layout = site.layout.clone();
        Self {
            name,
            site,
            queue: FsApprovalQueue::new(layout.clone()),
            surfaces: Surfaces::new(layout.clone()),
            intents: BTreeMap::new(),
            reviews: BTreeMap::new(),
            agents: Vec::new(),
            to_review: Vec::new(),
            running: 0,
            trouble: None,
            looked: None,
            layout,
        }
    }

    /// Records that a person is watching, so that requests are asked here.
    pub(super) fn beat(&self) -> Result<(), PortError> {
        self.surfaces.beat(self.name)
    }

    /// Says that nobody looks any more.
    pub(super) fn leave(&self) {
        self.surfaces.withdraw(self.name);
    }

    /// What waits and who is there now.
    pub(super) fn look(&mut self) -> Result<Snapshot, CommandError> {
        let waiting = open(&self.queue)?;
        self.reviews.retain(|id, _| waiting.iter().any(|approval| approval.id == *id));
        let requests = waiting.into_iter().map(|approval| self.item(approval)).collect();
        if self.looked.is_none_or(|looked| looked.elapsed() >= AGENTS_EVERY) {
            self.look_for_agents()?;
            self.look_for_reviews(SystemClock.now())?;
            self.trouble = judged::trouble(&self.site);
        }
        let now = SystemClock.now();
        let grants = grant::live(&self.layout, now)?;
        let pause = super::pause::in_force(&self.layout);
        let (agents, reviews) = (self.agents.clone(), self.to_review.clone());
        let (running, trouble) = (self.running, self.trouble.clone());
        Ok(Snapshot { requests, agents, grants, reviews, running, pause, trouble, now })
    }

    /// A request as it stands now, answered or not.
    pub(super) fn find(&self, id: &ApprovalId) -> Option<Approval> {
        pollster::block_on(self.queue.get(id)).ok()?
    }

    /// A draft as a person edits it; agents go on waiting meanwhile.
    pub(super) fn edited(
        &self,
        request: &ApprovalRequest,
        draft: &Amended,
    ) -> Result<Option<Amended>, CommandError> {
        draft::edited(&self.layout, request, draft, || drop(self.beat()))
    }

    /// Writes an answer down.
    pub(super) fn answer(&self, id: &ApprovalId, answer: &Answer) -> Result<Approval, ApprovalError> {
        if let Answer::Grant { bounds, .. } = answer
            && let Some(approval) = pollster::block_on(self.queue.get(id))?
        {
            grant::fits(&self.layout, &approval.request, bounds)?;
        }
        pollster::block_on(self.queue.answer(id, answer, SystemClock.now()))
    }

    /// Allows a command from now on.
    pub(super) fn allow(&self, command: &TrustedCommand) -> Result<Allowance, CommandError> {
        super::allow::allow_offered(&self.site, command)
    }

    /// Ends a grant and writes down who did.
    pub(super) fn revoke(&self, id: GrantId) -> Result<(), CommandError> {
        grant::revoke_one(&self.layout, id).map(drop)
    }

    /// Puts these files of a grant back, keeps the others, and writes the review down.
    pub(super) fn review(&mut self, id: GrantId, back: &[RepoPath]) -> Result<(), CommandError> {
        let other = |error: &dyn std::fmt::Display| CommandError::Other(error.to_string());
        let gate = persons_gate(&self.site);
        let restorer = restorer(&self.site, &gate);
        pollster::block_on(restorer.settle()).map_err(|error| other(&error))?;
        let changes = pollster::block_on(restorer.changes_of(id)).map_err(|error| other(&error))?;
        let done = pollster::block_on(restorer.review(&changes, back, &person()));
        self.looked = None;
        done.map(drop).map_err(|error| other(&error))
    }

    /// The change of the intents file that an edited draft would be, and how wide its scope is where that is broad.
    pub(super) fn change_of(
        &self,
        request: &ApprovalRequest,
        draft: &Amended,
    ) -> Result<(String, Option<Breadth>), CommandError> {
        let is_as_drafted = request.drafted().is_some_and(|drafted| scope_of(&drafted) == scope_of(draft));
        let wide = match is_as_drafted {
            true => request.broad,
            false => super::intent::breadth(&self.site, scope_of(draft))?,
        };
        Ok((draft::change(&self.layout, request, draft)?, wide))
    }

    fn item(&mut self, approval: Approval) -> Item {
        let review = self
            .reviews
            .entry(approval.id.clone())
            .or_insert_with(|| Arc::new(Review::of(&approval.request.diff_preview)));
        Item {
            review: Arc::clone(review),
            class: class(&approval.request),
            intent: self.intent(&approval.request),
            approval: Arc::new(approval),
        }
    }

    /// The intent as the request's own working copy has it.
    fn intent(&mut self, request: &ApprovalRequest) -> Option<IntentFacts> {
        let id = request.intent_id.as_ref()?;
        let layout = draft::in_worktree(&self.layout, request);
        let root = layout.root().to_path_buf();
        let repo = self.intents.entry(root).or_insert_with(|| FsIntentRepo::new(layout));
        let intent = pollster::block_on(repo.get(id)).ok()??;
        Some(facts(&intent))
    }

    /// The grants that wait for a review, each with its change up to now.
    fn look_for_reviews(&mut self, now: Timestamp) -> Result<(), CommandError> {
        let waiting = review::waiting(&self.layout, now)?;
        self.to_review.clear();
        if waiting.is_empty() {
            return Ok(());
        }
        let gate = persons_gate(&self.site);
        let restorer = restorer(&self.site, &gate);
        let ids: Vec<GrantId> = waiting.iter().map(|grant| grant.id).collect();
        // One that was reviewed elsewhere in this moment is gone at the next look.
        let found = pollster::block_on(restorer.changes_of_each(&ids)).into_iter().flatten();
        self.to_review.extend(found.map(|changes| review_item(&changes)));
        Ok(())
    }

    fn look_for_agents(&mut self) -> Result<(), CommandError> {
        let now = SystemClock.now();
        let mut recent = FsSessionStore::new(self.layout.clone()).recent()?;
        recent.retain(|(_, _, last)| now < last.plus_seconds(QUIET_S));
        let shown = recent.into_iter().take(AGENTS);
        self.agents = shown
            .map(|(actor, state, last)| Agent {
                actor,
                state: state.state.as_str(),
                intent: state.active.map(|active| active.id.to_string()),
                halted: state.quarantine.is_some(),
                last,
            })
            .collect();
        self.running = AgentProcesses::new(self.layout.clone()).running()?;
        self.looked = Some(Instant::now());
        Ok(())
    }
}

/// The change of a grant as the screen shows it.
fn review_item(changes: &crate::restore::GrantChanges) -> ReviewItem {
    let file = |file: &crate::restore::GrantChange| ReviewFile {
        path: file.path.clone(),
        obstacle: file.obstacle.clone(),
    };
    let diff = redact(&changes.diff());
    ReviewItem {
        grant: changes.grant.clone(),
        review: Arc::new(Review::of(&diff)),
        diff: diff.into(),
        files: changes.files.iter().map(file).collect(),
    }
}

fn facts(intent: &Intent) -> IntentFacts {
    IntentFacts {
        name: intent.name().to_owned(),
        why: intent.why().map(str::to_owned),
        status: intent.status().to_string(),
        scope: intent.owned_scope().patterns().iter().map(|pattern| pattern.as_str().to_owned()).collect(),
    }
}

/// The class of the tool and what it does, as the registry has it; nothing for drafts, which only the gate writes.
fn class(request: &ApprovalRequest) -> String {
    if request.kind.writes_intents() {
        return String::new();
    }
    let entry = registry::classify(&request.tool, &BTreeMap::new());
    let class = match entry.class {
        Classification::Safe => "SAFE",
        Classification::Destructive => "DESTRUCTIVE",
    };
    let effect = match entry.effect {
        _ if !entry.known => "unknown tool",
        Effect::Read => "read",
        Effect::Write => "write",
        Effect::Delete => "delete",
        Effect::Execute => "execute",
        Effect::Delegate => "delegate",
        Effect::Interact => "interact",
    };
    format!("{class} · {effect}")
}
