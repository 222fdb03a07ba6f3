//! Intents from `.orchestration/active_intents.yaml`: the port `IntentRepo`. Reads only; writing is `scaffold`'s.

mod body;
mod decode;
mod fields;
mod items;
mod schema;
mod written;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bailiwick_domain::{
    Accepted, Clock, Constraint, ContentHash, Diagnostic, Intent, IntentDraft, IntentId, IntentRepo,
    IntentSet, NAMED_INTENTS, PortError, Timestamp,
};
use serde::{Deserialize, Serialize};

use crate::files::cache::{self, Cached, Fault, FileCache, locked};
use crate::files::{Layout, SystemClock};
use crate::state::accepted_intents::AcceptedIntents;

pub use decode::IntentReport;
pub use schema::intents_schema;

/// The intents of a file that is somewhere else, such as in a commit; none where it is not valid.
pub fn intents_of(bytes: &[u8]) -> IntentSet {
    let report = decode(bytes);
    if report.errors.is_empty() { report.set } else { IntentSet::default() }
}

pub(crate) use decode::{decode, decode_written};
pub(crate) use fields::{KEYS, canonical_status};
pub(crate) use items::pattern;

/// How many single answers are remembered; ids come from agents, so their number is bounded.
const MAX_REMEMBERED: usize = 256;

/// Whether content is a valid intents file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// With the ids of the first that an agent may select.
    Valid {
        selectable: Vec<IntentId>,
        /// Whether one of the intents ends at some time, so that who can be selected is no matter of the file alone.
        #[serde(default)]
        ends: bool,
    },
    Invalid(Diagnostic),
}

/// The intents of one governed root. Clones share what they remember.
#[derive(Clone, Debug)]
pub struct FsIntentRepo {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    layout: Layout,
    cache: FileCache<Outcome>,
    /// Says when an intent's time is over; the system's where none is given.
    clock: Option<Arc<dyn Clock>>,
    memory: Mutex<Option<Memory>>,
}

/// What is remembered of one content.
#[derive(Debug)]
struct Memory {
    hash: ContentHash,
    all: Option<IntentSet>,
    some: BTreeMap<IntentId, Option<Intent>>,
}

impl FsIntentRepo {
    /// The intents of this root.
    pub fn new(layout: Layout) -> Self {
        Self::build(layout, None)
    }

    /// The same, with another clock than the system's; it decides when a file's times are believed.
    pub fn with_clock(layout: Layout, clock: Arc<dyn Clock>) -> Self {
        Self::build(layout, Some(clock))
    }

    fn build(layout: Layout, clock: Option<Arc<dyn Clock>>) -> Self {
        let cache = FileCache::new(&layout, "intents", layout.intents_file(), clock.clone());
        Self { shared: Arc::new(Shared { layout, cache, clock, memory: Mutex::new(None) }) }
    }

    /// Everything that can be said about the file, past every cache, for `bailiwick intent check`.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn load_report(&self) -> Result<IntentReport, PortError> {
        Ok(decode_written(&self.bytes()?))
    }

    /// The same of a text that is not saved.
    pub fn report_on(text: &str) -> IntentReport {
        decode(text.as_bytes())
    }

    /// How often the file's content was read.
    pub fn reads(&self) -> usize {
        self.shared.cache.reads()
    }

    /// How often YAML was parsed for the port.
    pub fn parses(&self) -> usize {
        self.shared.cache.parses()
    }

    /// The file as it is now.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, PortError> {
        self.shared.cache.bytes().map_err(|fault| self.unavailable(&fault))
    }

    /// Whether the file as it is now is valid.
    pub(crate) fn outcome(&self) -> Result<Outcome, Fault> {
        self.current().map(|cached| cached.value)
    }

    fn current(&self) -> Result<Cached<Outcome>, Fault> {
        self.shared.cache.current(|bytes, hash| self.understand(bytes, hash).0)
    }

    /// Parses content and keeps what it says in memory and on disk.
    fn understand(&self, bytes: &[u8], hash: &ContentHash) -> (Outcome, IntentSet) {
        let report = decode(bytes);
        if let Some(error) = report.errors.into_iter().next() {
            return (Outcome::Invalid(error), IntentSet::default());
        }
        let drafts: Vec<IntentDraft> = report.set.iter().map(draft_of).collect();
        if let (Some(place), Some(body)) = (self.body(hash), body::render(&drafts)) {
            cache::keep(&place, &body);
        }
        let mut memory = locked(&self.shared.memory);
        let outdated =
            memory.as_ref().filter(|memory| memory.hash != *hash).and_then(|memory| self.body(&memory.hash));
        if let Some(path) = outdated {
            let _ = std::fs::remove_file(path);
        }
        *memory = Some(Memory { hash: hash.clone(), all: Some(report.set.clone()), some: BTreeMap::new() });
        let selectable =
            report.set.selectable().take(NAMED_INTENTS).map(|intent| intent.id().clone()).collect();
        let ends = report.set.iter().any(|intent| intent.expires().is_some());
        (Outcome::Valid { selectable, ends }, report.set)
    }

    /// The hash of the file's content, when it is valid; the first ids that it lets be selected, and whether one ends.
    fn valid(&self) -> Result<(ContentHash, Vec<IntentId>, bool), PortError> {
        let cached = self.current().map_err(|fault| self.unavailable(&fault))?;
        match cached.value {
            Outcome::Valid { selectable, ends } => Ok((cached.hash, selectable, ends)),
            Outcome::Invalid(diagnostic) => Err(PortError::Invalid(diagnostic)),
        }
    }

    /// What the file says, when no cache holds the intents themselves.
    fn read_again(&self) -> Result<IntentSet, PortError> {
        let bytes = self.bytes()?;
        self.shared.cache.count_parse();
        match self.understand(&bytes, &ContentHash::of(&bytes)) {
            (Outcome::Valid { .. }, set) => Ok(set),
            (Outcome::Invalid(diagnostic), _) => Err(PortError::Invalid(diagnostic)),
        }
    }

    fn body(&self, hash: &ContentHash) -> Option<PathBuf> {
        cache::believed(&self.shared.layout, "intents-body", hash)
    }

    fn unavailable(&self, fault: &Fault) -> PortError {
        PortError::Unavailable(format!("{}: {fault}", self.shared.cache.file().display()))
    }

    fn remembered<T>(&self, hash: &ContentHash, look: impl FnOnce(&Memory) -> Option<T>) -> Option<T> {
        locked(&self.shared.memory).as_ref().filter(|memory| memory.hash == *hash).and_then(look)
    }

    fn remember(&self, hash: &ContentHash, note: impl FnOnce(&mut Memory)) {
        let mut memory = locked(&self.shared.memory);
        if memory.as_ref().is_none_or(|memory| memory.hash != *hash) {
            *memory = Some(Memory { hash: hash.clone(), all: None, some: BTreeMap::new() });
        }
        if let Some(memory) = memory.as_mut() {
            note(memory);
        }
    }
}

#[async_trait]
impl IntentRepo for FsIntentRepo {
    async fn accepted(&self, id: &IntentId) -> Result<Accepted, PortError> {
        Ok(AcceptedIntents::new(&self.shared.layout).of(id))
    }

    async fn load(&self) -> Result<IntentSet, PortError> {
        self.load_as_written().map(|set| set.as_of(self.now()))
    }

    async fn get(&self, id: &IntentId) -> Result<Option<Intent>, PortError> {
        let found = self.get_as_written(id)?;
        Ok(found.map(|intent| if intent.expires().is_some() { intent.as_of(self.now()) } else { intent }))
    }

    async fn first_selectable(&self) -> Result<Vec<IntentId>, PortError> {
        let (_, selectable, ends) = self.valid()?;
        if !ends {
            return Ok(selectable);
        }
        let set = self.load().await?;
        Ok(set.selectable().take(NAMED_INTENTS).map(|intent| intent.id().clone()).collect())
    }
}

impl FsIntentRepo {
    fn now(&self) -> Timestamp {
        self.shared.clock.as_ref().map_or_else(|| SystemClock.now(), |clock| clock.now())
    }

    fn load_as_written(&self) -> Result<IntentSet, PortError> {
        let (hash, ..) = self.valid()?;
        if let Some(set) = self.remembered(&hash, |memory| memory.all.clone()) {
            return Ok(set);
        }
        match self.body(&hash).and_then(|place| body::all(&place)) {
            Some(set) => {
                self.remember(&hash, |memory| memory.all = Some(set.clone()));
                Ok(set)
            }
            None => self.read_again(),
        }
    }

    fn get_as_written(&self, id: &IntentId) -> Result<Option<Intent>, PortError> {
        let (hash, ..) = self.valid()?;
        let known = |memory: &Memory| match memory.some.get(id) {
            Some(intent) => Some(intent.clone()),
            None => memory.all.as_ref().map(|all| all.get(id).cloned()),
        };
        if let Some(intent) = self.remembered(&hash, known) {
            return Ok(intent);
        }
        let Some(intent) = self.body(&hash).and_then(|place| body::find(&place, id)) else {
            return Ok(self.read_again()?.get(id).cloned());
        };
        self.remember(&hash, |memory| {
            if memory.some.len() >= MAX_REMEMBERED {
                memory.some.clear();
            }
            memory.some.insert(id.clone(), intent.clone());
        });
        Ok(intent)
    }
}

pub(crate) fn draft_of(intent: &Intent) -> IntentDraft {
    IntentDraft {
        id: intent.id().clone(),
        name: intent.name().to_owned(),
        status: intent.status(),
        owned_scope: intent.owned_scope().clone(),
        constraints: intent.constraints().iter().map(Constraint::clone).collect(),
        acceptance_criteria: intent.acceptance_criteria().to_vec(),
        requirements: intent.requirements().to_vec(),
        why: intent.why().map(str::to_owned),
        parent: intent.parent().cloned(),
        frozen: intent.is_frozen(),
        expires: intent.expires(),
        kind: intent.kind(),
        within: intent.within().to_vec(),
        wording: intent.wording().to_vec(),
    }
}
