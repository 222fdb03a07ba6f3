//! The end of a turn: its grant ends, and all its changes are classified as one. A function that one call
//! takes out of a file and another puts into the next is an evolution twice and a refactor as a whole.
//!
//! The entries of the ledger stay as they are, one for each write; what the turn meant is a line of the decision
//! log that names them. Deliberately absent: the way of a call, which pays nothing for this.

use std::collections::BTreeMap;

use bailiwick_domain::{
    Action, Actor, DecisionRecord, FileState, GrantEnd, Mutation, MutationEvidence, MutationMethod, RepoPath,
    SessionEntries, ToolError, TraceEntry, TurnMeaning,
};

use super::Turns;
use crate::change::meaning::{Contents, unknown};
use crate::closed;
use crate::gathering::looked::MAX_LOOK;
use crate::presentation::redact::redact;

/// More calls than this in one turn are not looked at together.
const MOST_CALLS: usize = 512;

/// The most that the files of a turn may hold together, in bytes.
const MOST_BYTES: usize = 8 << 20;

/// What became known at the end of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnReport {
    /// Whether a call since the last end of a turn was recorded as an evolution of intent, or is of unknown meaning.
    pub evolved: bool,
    /// What the calls of the turn mean together, where there are several.
    pub mutation: Option<Mutation>,
}

/// One file over a whole turn.
#[derive(Debug)]
struct Span {
    before: FileState,
    after: FileState,
    /// Whether each call found it as the one before left it.
    unbroken: bool,
}

impl Turns<'_> {
    /// The actor's turn is over: it stopped, or its person says something new. Its grant ends with it, and what the
    /// calls of a whole session meant together since the person's last prompt is recorded once.
    pub(crate) async fn turn_over(&self, actor: &Actor) -> Result<TurnReport, ToolError> {
        let turn = {
            let _held = self.lock.acquire().await.map_err(closed)?;
            self.grants.end_grant_of(actor, &GrantEnd::TurnOver).await?;
            self.untold(actor).await?
        };
        let Some(turn) = turn else { return Ok(TurnReport::default()) };
        let evolved = turn
            .entries
            .iter()
            .any(|entry| entry.context.mutation.as_ref().is_none_or(|mutation| !mutation.is_refactor()));
        let mutation = if turn.entries.len() > 1 { Some(self.meaning_of(&turn).await) } else { None };
        self.tell(actor, &turn.entries, mutation.as_ref()).await?;
        Ok(TurnReport { evolved, mutation })
    }

    /// What the session recorded since the human's last prompt, when something is among it that was not told yet.
    async fn untold(&self, actor: &Actor) -> Result<Option<SessionEntries>, ToolError> {
        if actor.is_child() {
            return Ok(None);
        }
        let state = self.sessions.load(actor).await.map_err(closed)?.unwrap_or_default();
        let Some(since) = state.prompted else { return Ok(None) };
        let turn = self.ledger.of_session(actor, since, MOST_CALLS).await.map_err(closed)?;
        let newest = turn.entries.last().map(|entry| &entry.id);
        Ok((newest.is_some() && newest != state.told.as_ref()).then_some(turn))
    }

    async fn meaning_of(&self, turn: &SessionEntries) -> Mutation {
        if !turn.is_complete {
            return Mutation::evolution(MutationMethod::Limit, Vec::new());
        }
        match self.contents_of(&turn.entries).await {
            Ok(files) => self.meaning.of_files(&files),
            Err(refusal) => *refusal,
        }
    }

    /// The files of a turn before its first call and after its last one. What cannot be had exactly so is no proof.
    async fn contents_of(&self, entries: &[TraceEntry]) -> Result<Vec<Contents>, Box<Mutation>> {
        let mut files = Vec::new();
        let mut bytes = 0_usize;
        for (path, span) in spans(entries) {
            if !span.unbroken {
                return Err(Box::new(unknown(&path, "something else changed the file during the turn")));
            }
            let (before, after) = (self.kept_as(&span.before).await, self.left_as(&path, &span.after).await);
            let (Some(before), Some(after)) = (before, after) else {
                return Err(Box::new(unknown(&path, "the turn's version of the file is gone")));
            };
            let size = |content: &Option<Vec<u8>>| content.as_ref().map_or(0, Vec::len);
            bytes = bytes.saturating_add(size(&before)).saturating_add(size(&after));
            if bytes > MOST_BYTES {
                let what = "the files of this turn are too large to compare".to_owned();
                let evidence = MutationEvidence { path, line: 1, what };
                return Err(Box::new(Mutation::evolution(MutationMethod::Limit, vec![evidence])));
            }
            files.push(Contents { path, before, after });
        }
        Ok(files)
    }

    /// A content from before a call; the inner `None` is no file, the outer one that it is not known.
    async fn kept_as(&self, state: &FileState) -> Option<Option<Vec<u8>>> {
        match state {
            FileState::Absent => Some(None),
            FileState::Content(hash) => self.pendings.kept(hash).await.ok().flatten().map(Some),
            FileState::Other => None,
        }
    }

    /// A content that a call left, as it still is on disk or was kept since.
    async fn left_as(&self, path: &RepoPath, state: &FileState) -> Option<Option<Vec<u8>>> {
        let now = self.workspace.state(path).await.ok()?;
        match state {
            FileState::Content(hash) if now == *state => {
                let bytes = self.workspace.read(path, MAX_LOOK).await.ok().flatten()?;
                hash.is_of(&bytes).then_some(Some(bytes))
            }
            _ => self.kept_as(state).await,
        }
    }

    /// Writes down what the turn meant, and up to which entry that was told.
    async fn tell(
        &self,
        actor: &Actor,
        entries: &[TraceEntry],
        mutation: Option<&Mutation>,
    ) -> Result<(), ToolError> {
        let _held = self.lock.acquire().await.map_err(closed)?;
        let mut state = self.sessions.load(actor).await.map_err(closed)?.unwrap_or_default();
        state.told = entries.last().map(|entry| entry.id.clone());
        self.standing.save(actor, &state).await?;
        let Some(mutation) = mutation else { return Ok(()) };
        let turn = TurnMeaning {
            entries: entries.iter().map(|entry| entry.id.clone()).collect(),
            mutation: redacted(mutation),
        };
        let note = redact(&turn.in_a_line());
        let record = DecisionRecord {
            action: Action::Recorded,
            paths: spans(entries).into_keys().map(|path| path.to_string()).collect(),
            turn: Some(Box::new(turn)),
            ..self.decisions.transition(actor, &state, "turn", &note)
        };
        self.decisions.log(&record).await
    }
}

/// Each file of the entries, from what the first call found to what the last one left.
fn spans(entries: &[TraceEntry]) -> BTreeMap<RepoPath, Span> {
    let mut spans: BTreeMap<RepoPath, Span> = BTreeMap::new();
    for file in entries.iter().flat_map(|entry| &entry.files) {
        let (before, after) = (file.before.clone(), file.after.clone());
        match spans.get_mut(&file.path) {
            Some(span) => {
                span.unbroken &= span.after == before;
                span.after = after;
            }
            None => {
                spans.insert(file.path.clone(), Span { before, after, unbroken: true });
            }
        }
    }
    spans
}

/// The log holds no contents, so no secret that a difference quotes either.
fn redacted(mutation: &Mutation) -> Mutation {
    let mut mutation = mutation.clone();
    for evidence in &mut mutation.evidence {
        evidence.what = redact(&evidence.what);
    }
    mutation
}
