//! What stands between the editor and the agent: each frame is read once and goes on as it came, but for the few that are
//! about permission. Questions of the gate are put beside them.

mod agent;
mod editor;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bailiwick_frames::{Full, Id, Output};
use tokio::io::AsyncWrite;
use tokio::time::Instant;

use crate::question::OWN;
use crate::sessions::Sessions;
use crate::{Desk, Look, Question, Said};

/// So many questions are in the editor at once; others stay in the queue.
const MOST_PUT: usize = 16;

/// A yes that comes sooner was said by no person.
const SOONEST: Duration = Duration::from_millis(250);

/// Why nobody can answer in the editor any more.
const EDITOR_GONE: &str = "the editor in which the question was open was closed";
const AGENT_GONE: &str = "the agent that asked has ended";
const CALLED_OFF: &str = "the turn was cancelled in the editor";
const TOO_SOON: &str = "the editor answered by itself, faster than a person reads: turn its automatic permissions off, \
     or answer in `bailiwick watch`";

#[derive(Clone)]
pub(crate) struct Relay {
    desk: Arc<dyn Desk>,
    editor: Output,
    agent: Output,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    sessions: Sessions,
    /// The sessions whose calls are judged, as was seen.
    judged: BTreeSet<String>,
    /// The questions in the editor, by their ids.
    put: BTreeMap<String, Put>,
    /// How many were put so far.
    count: u64,
    /// The agent does not read, which was told.
    is_deaf: bool,
}

/// A question in the editor.
struct Put {
    /// The id of the request.
    request: String,
    session: String,
    /// When it was in the editor; none as long as it is on its way.
    since: Option<Instant>,
}

impl Relay {
    pub(crate) fn new(
        desk: Arc<dyn Desk>,
        editor: impl AsyncWrite + Send + Unpin + 'static,
        agent: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        Self { desk, editor: Output::new(editor), agent: Output::new(agent), state: Arc::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the desk on a thread where it may block; nothing where it fails.
    async fn at_desk<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&dyn Desk) -> T + Send + 'static,
    ) -> Option<T> {
        let desk = Arc::clone(&self.desk);
        tokio::task::spawn_blocking(move || ask(&*desk)).await.ok()
    }

    /// Looks again and again what is to be put and what is over. It never ends.
    pub(crate) async fn ask(&self, every: Duration) {
        let mut ticks = tokio::time::interval(every);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let put: Vec<String> = self.state().put.keys().cloned().collect();
            let Some(Look { questions, over }) = self.at_desk(move |desk| desk.look(&put)).await else {
                continue;
            };
            for id in over {
                self.take_back(&id).await;
            }
            for question in questions {
                self.put(question).await;
            }
        }
    }

    async fn put(&self, question: Question) {
        let (id, asked) = {
            let mut state = self.state();
            let session = state.sessions.of(&question);
            let Some(session) = session.filter(|_| state.put.len() < MOST_PUT) else {
                drop(state);
                let why = format!("{} stays in the queue: answer it in `bailiwick watch`", question.id);
                return self.desk.tell(&why);
            };
            state.count = state.count.saturating_add(1);
            let request = format!("{OWN}{}", state.count);
            let line = question.asked(&request, &session);
            let id = question.id.clone();
            // A question that is handed over again is open already.
            match state.put.entry(question.id) {
                std::collections::btree_map::Entry::Vacant(free) => {
                    free.insert(Put { request, session, since: None });
                    (id, line)
                }
                std::collections::btree_map::Entry::Occupied(_) => return,
            }
        };
        self.editor.deliver(&asked).await;
        if let Some(put) = self.state().put.get_mut(&id) {
            put.since = Some(Instant::now());
        }
    }

    /// It was answered elsewhere, or lapsed.
    async fn take_back(&self, id: &str) {
        let Some(put) = self.state().put.remove(id) else { return };
        self.tell_editor(&Question::taken_back(&put.request));
        self.tell_editor(&Question::ended(id, &put.session, false));
    }

    /// The question that this request put, which is answered with this.
    fn taken(&self, request: &Id) -> Option<(String, Put)> {
        let Id::Text(request) = request else { return None };
        let mut state = self.state();
        let id = state.put.iter().find(|(_, put)| put.request == *request).map(|(id, _)| id.clone())?;
        state.put.remove(&id).map(|put| (id, put))
    }

    /// Rejects every question of a session, or of all.
    async fn reject(&self, session: Option<&str>, said: Said) {
        let gone: Vec<(String, Put)> = {
            let mut state = self.state();
            let is_gone = |put: &Put| session.is_none_or(|session| put.session == session);
            let (gone, kept) = std::mem::take(&mut state.put).into_iter().partition(|(_, put)| is_gone(put));
            state.put = kept;
            BTreeMap::into_iter(gone).collect()
        };
        for (id, put) in gone {
            let (question, said) = (id.clone(), said.clone());
            self.at_desk(move |desk| desk.answer(&question, &said)).await;
            self.tell_editor(&Question::taken_back(&put.request));
            self.tell_editor(&Question::ended(&id, &put.session, false));
        }
    }

    /// One side is gone: what is open in the editor is rejected, and the agent's input is closed.
    pub(crate) async fn over(&self, is_agent: bool) {
        self.reject(None, Said::Nobody(if is_agent { AGENT_GONE } else { EDITOR_GONE })).await;
        tokio::join!(self.agent.close(), self.editor.close());
    }

    /// What nobody is answered that it cannot be sent to the agent.
    fn to_agent(&self, line: &[u8]) {
        if let Err(full) = self.agent.send(line)
            && !std::mem::replace(&mut self.state().is_deaf, true)
        {
            self.desk.tell(&format!("{}: messages to it are lost", deaf(full)));
        }
    }

    /// What this program itself says to the editor, which may ask faster than it reads.
    fn tell_editor(&self, line: &[u8]) {
        self.editor.tell(line);
    }
}

/// Why something did not go to the agent.
fn deaf(full: Full) -> String {
    format!("the agent is not reached: {full}")
}
