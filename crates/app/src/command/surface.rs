//! A surface on the queue: what it shows of a root, and what a person may do there.
//!
//! The terminal screen, the editor's sidecar, the page and the dialog of an editor that talks to its agent are its faces. Deliberately absent: how anything looks,
//! and who may open one.

pub(super) mod acp;
mod answered;
pub(super) mod serve;
mod sides;
mod snapshot;
pub(super) mod watch;
pub(super) mod words;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bailiwick_adapters_fs::{
    AgentProcesses, FsApprovalQueue, FsIntentRepo, FsPolicySource, FsPrompts, FsSessionStore, Layout,
    Surfaces, SystemClock,
};
use bailiwick_domain::{
    Amended, Answer, Approval, ApprovalError, ApprovalId, ApprovalQueue, ApprovalRequest, Breadth,
    Classification, Clock, ContentHash, Effect, GrantId, Intent, IntentRepo, PolicySource, PortError,
    RepoPath, Timestamp, TrustedCommand,
};
use bailiwick_policy::registry;

use super::CommandError;
use super::answers::approval::{grant, open, review};
use super::answers::{draft, void};
use super::intent::accept::scope_of;
use super::judged::{self, Trouble};
use super::setup::doctor::hooks_in_trouble;
use super::who::person;
use crate::compose::{persons_gate, restorer};
use crate::inert;
use crate::redact::redact_preview;
use crate::review::Review;
use crate::site::Site;

pub(super) use snapshot::{Agent, Done, IntentFacts, Item, ReviewFile, ReviewItem, Snapshot};

/// How often the agents are looked up.
const AGENTS_EVERY: Duration = Duration::from_secs(2);

/// An agent that has been quiet for longer is not shown.
const QUIET_S: u64 = 30 * 60;

/// How many agents are shown at most.
const AGENTS: usize = 12;

/// A command was allowed; what became of its request, for the person.
pub(super) enum Allowed {
    Approved(String),
    StillOpen(String),
}

impl Allowed {
    pub(super) fn says(self) -> String {
        match self {
            Self::Approved(says) | Self::StillOpen(says) => says,
        }
    }
}

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
    /// What stood above each request when it was first seen: the next prompt takes the place of the one before.
    asked_for: BTreeMap<ApprovalId, Option<Arc<str>>>,
    /// What each draft leaves out, as lines below its preview.
    left_out: BTreeMap<ApprovalId, String>,
    prompts: FsPrompts,
    policy: FsPolicySource,
    agents: Vec<Agent>,
    to_review: Vec<ReviewItem>,
    done: Vec<Done>,
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
            asked_for: BTreeMap::new(),
            left_out: BTreeMap::new(),
            prompts: FsPrompts::new(&layout),
            policy: FsPolicySource::new(layout.clone()),
            agents: Vec::new(),
            to_review: Vec::new(),
            done: Vec::new(),
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
        let shows = !waiting.is_empty() && self.shows_prompts();
        self.asked_for.retain(|id, _| shows && waiting.iter().any(|approval| approval.id == *id));
        self.left_out.retain(|id, _| waiting.iter().any(|approval| approval.id == *id));
        let requests = waiting.into_iter().map(|approval| self.item(approval, shows)).collect();
        if self.looked.is_none_or(|looked| looked.elapsed() >= AGENTS_EVERY) {
            self.look_for_agents()?;
            self.look_for_reviews(SystemClock.now())?;
            self.done = self.called_done();
            self.trouble = judged::trouble(&self.site).or_else(|| hooks_in_trouble(&self.site));
        }
        let now = SystemClock.now();
        let grants = grant::live(&self.layout, now)?;
        let pause = super::answers::pause::in_force(&self.layout);
        let (agents, reviews) = (self.agents.clone(), self.to_review.clone());
        let (running, trouble, done) = (self.running, self.trouble.clone(), self.done.clone());
        Ok(Snapshot { requests, agents, grants, reviews, done, running, pause, trouble, now })
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
        let approval = self.asked(id)?;
        if let Answer::Grant { bounds, .. } = answer {
            grant::fits(&self.layout, &approval.request, bounds)?;
        }
        void::answer(&self.queue, &self.layout, &approval, answer)
    }

    fn asked(&self, id: &ApprovalId) -> Result<Approval, ApprovalError> {
        pollster::block_on(self.queue.get(id))?.ok_or_else(|| ApprovalError::Unknown(id.0.clone()))
    }

    /// Allows a command from now on, and approves the request that it stands in. Allowed first: an answer that fails then
    /// leaves the question open, and nothing is asked again.
    pub(super) fn allow(
        &self,
        id: &ApprovalId,
        command: &TrustedCommand,
        by: &str,
    ) -> Result<Allowed, CommandError> {
        let approval = self.asked(id)?;
        void::refuse_void(&self.layout, &approval)?;
        let files = approval.request.allowed_files();
        let allowed = super::answers::allow::allow_offered(&self.site, command, files)?.id;
        Ok(match self.answer(id, &Answer::Approve { by: by.to_owned() }) {
            Ok(approval) if approval.is_void() => {
                Allowed::StillOpen(format!("{allowed} lets it pass from now on; {}", void::became(&approval)))
            }
            Ok(_) => Allowed::Approved(format!("{} approved; {allowed} lets it pass from now on", id.0)),
            Err(error) => {
                Allowed::StillOpen(format!("{allowed} lets it pass from now on; {}: {error}", id.0))
            }
        })
    }

    /// Why nobody can allow this command from now on, as far as the line itself says it.
    pub(super) fn why_not_allowed(&self, command: &str) -> String {
        match super::answers::allow::why_never(&persons_gate(&self.site), command) {
            Some(why) => format!("this command cannot be allowed: {why}"),
            None => "this command cannot be allowed the way the agent wrote it".to_owned(),
        }
    }

    /// Ends a grant and writes down who did.
    pub(super) fn revoke(&self, id: GrantId) -> Result<(), CommandError> {
        grant::revoke_one(&self.layout, id).map(drop)
    }

    /// Puts these files of a grant back, keeps the others, and writes the review down. `shown` names the change that the
    /// person saw.
    pub(super) fn review(&mut self, id: GrantId, shown: &str, back: &[RepoPath]) -> Result<(), CommandError> {
        let other = |error: &dyn std::fmt::Display| CommandError::Other(error.to_string());
        let gate = persons_gate(&self.site);
        let restorer = restorer(&self.site, &gate);
        pollster::block_on(restorer.settle()).map_err(|error| other(&error))?;
        let changes = pollster::block_on(restorer.changes_of(id)).map_err(|error| other(&error))?;
        can_finish(&review_item(&changes), shown, back).map_err(CommandError::Other)?;
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

    /// Whether questions stand with what a person asked for; not where the settings cannot be read, for they may say no.
    fn shows_prompts(&self) -> bool {
        pollster::block_on(self.policy.settings()).is_ok_and(|settings| settings.show_prompt)
    }

    fn item(&mut self, mut approval: Approval, shows_prompt: bool) -> Item {
        for line in super::answers::checks::accepted_with(&self.layout, &approval.request).iter().rev() {
            approval.request.diff_preview.insert_str(0, &format!("{line}\n"));
        }
        approval.request.diff_preview.push_str(self.left_out_of(&approval));
        let review = self
            .reviews
            .entry(approval.id.clone())
            .or_insert_with(|| Arc::new(Review::of(&approval.request.diff_preview)));
        let (prompts, request) = (&self.prompts, &approval.request);
        let found = || prompts.before(&request.actor, approval.created).map(Arc::from);
        let prompt = shows_prompt
            .then(|| self.asked_for.entry(approval.id.clone()).or_insert_with(found).clone())
            .flatten();
        Item {
            prompt,
            review: Arc::clone(review),
            class: class(&approval.request),
            void: void::why(&self.layout, &approval.request),
            intent: self.intent(&approval.request),
            approval: Arc::new(approval),
        }
    }

    /// What a draft leaves out although it usually changes with it: looked up once for each.
    fn left_out_of(&mut self, approval: &Approval) -> &str {
        let Some(draft) = approval.request.drafted() else { return "" };
        let site = &self.site;
        self.left_out
            .entry(approval.id.clone())
            .or_insert_with(|| super::likely::forgotten_lines(site, &draft))
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

    /// The intents that agents ask to close. What cannot be read shows elsewhere.
    fn called_done(&self) -> Vec<Done> {
        let intents = pollster::block_on(FsIntentRepo::new(self.layout.clone()).load()).unwrap_or_default();
        let reported = super::intent::reported(&self.site, &intents).unwrap_or_default();
        let one = |one: super::intent::Reported| Done {
            intent: one.intent.to_string(),
            actor: one.actor,
            summary: one.summary,
        };
        reported.into_iter().map(one).collect()
    }

    fn look_for_agents(&mut self) -> Result<(), CommandError> {
        let now = SystemClock.now();
        let store = FsSessionStore::new(self.layout.clone());
        let mut recent = store.recent()?;
        recent.retain(|(actor, _, last)| now < last.plus_seconds(QUIET_S) && !store.has_ended(actor));
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
    let whole = changes.diff();
    let diff = redact_preview(&whole);
    ReviewItem {
        grant: changes.grant.clone(),
        shown: named(changes, &whole),
        review: Arc::new(Review::of(&diff)),
        diff: diff.into(),
        files: changes.files.iter().map(file).collect(),
    }
}

/// Names a change: its text, and which of its files changed since, which a diff of bytes does not tell.
fn named(changes: &crate::restore::GrantChanges, diff: &str) -> String {
    let stays = changes
        .files
        .iter()
        .filter_map(|file| file.obstacle.as_ref().map(|why| format!("{}: {why}", file.path)));
    let stays: Vec<String> = stays.collect();
    ContentHash::of(format!("{diff}\n{}", stays.join("\n")).as_bytes()).to_string()
}

/// Whether the change is the one that was shown, and these of its files can be put back.
///
/// # Errors
/// Why not, for a person.
fn can_finish(now: &ReviewItem, shown: &str, back: &[RepoPath]) -> Result<(), String> {
    if now.shown != shown {
        return Err("the files changed since they were shown; look at them again".to_owned());
    }
    for path in back {
        let file = now.files.iter().find(|file| file.path == *path);
        let file = file.ok_or_else(|| format!("{} is not of this grant", inert::line(path.as_str())))?;
        if let Some(why) = &file.obstacle {
            return Err(format!("{} cannot be put back: {}", inert::line(path.as_str()), inert::line(why)));
        }
    }
    Ok(())
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
