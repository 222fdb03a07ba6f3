//! What one connection knows: who the editor and the agent are, and the repositories that its sessions work in.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bailiwick_adapters_acp::{Asked, Desk, Look, Said};
use bailiwick_adapters_fs::SystemClock;
use bailiwick_domain::{Answer, Clock, NoPerson, PendingCall, Timestamp, Value};

use super::places::Place;
use super::told;
use crate::inert;
use crate::site::Site;

/// Agents that were seen to run no hook before a tool when an editor drives them: nothing would judge their calls.
const UNJUDGED: &[&str] = &["gemini-cli"];

/// What an editor that says no name is called in the settings.
const UNNAMED: &str = "unnamed";

/// The stores of one connection's sessions.
#[derive(Debug)]
pub(super) struct AcpDesk {
    user_state: Option<PathBuf>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    editor: Option<String>,
    agent: Option<String>,
    /// Governed repositories, by their roots.
    places: BTreeMap<PathBuf, Place>,
    /// The root that a session works in; none where nothing is governed.
    sessions: BTreeMap<String, Option<PathBuf>>,
    /// When each session was given its last prompt.
    prompted: BTreeMap<String, Timestamp>,
    /// Sessions that worked on a call without any hook.
    unheard: BTreeSet<String>,
}

impl AcpDesk {
    pub(super) fn new(user_state: Option<PathBuf>) -> Self {
        Self { user_state, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The governed repository around a folder.
    fn governed(&self, folder: &Path) -> std::io::Result<Option<Site>> {
        Ok(Site::around(folder, self.user_state.clone())?.filter(Site::is_governed))
    }
}

impl State {
    fn place(&self, session: &str) -> Option<&Place> {
        self.places.get(self.sessions.get(session)?.as_ref()?)
    }

    fn editor(&self) -> &str {
        self.editor.as_deref().unwrap_or(UNNAMED)
    }
}

impl Desk for AcpDesk {
    fn editor(&self, name: Option<&str>) {
        // Who says another name later is no other editor.
        self.state().editor.get_or_insert_with(|| name.unwrap_or(UNNAMED).to_owned());
    }

    fn agent(&self, name: Option<&str>) {
        self.state().agent = name.map(str::to_owned);
    }

    fn works_in(&self, session: &str, folder: &str) {
        let site = match self.governed(Path::new(folder)) {
            Ok(site) => site,
            Err(error) => return self.tell(&told::unknown(folder, &error)),
        };
        let mut state = self.state();
        let root = site.as_ref().map(|site| site.layout.root().to_path_buf());
        state.sessions.insert(session.to_owned(), root.clone());
        let (Some(site), Some(root)) = (site, root) else { return };
        if state.places.contains_key(&root) {
            return;
        }
        let (place, note) = Place::open(site, state.editor());
        state.places.insert(root, place);
        drop(state);
        if let Some(note) = note {
            self.tell(&note);
        }
    }

    fn may_prompt(&self, session: &str) -> Result<(), String> {
        let mut state = self.state();
        if state.unheard.contains(session) {
            return Err(told::UNHEARD.to_owned());
        }
        state.prompted.insert(session.to_owned(), SystemClock.now());
        let is_judged = state.agent.as_ref().is_none_or(|agent| !UNJUDGED.contains(&agent.as_str()));
        let is_free = matches!(state.sessions.get(session), Some(None));
        if is_judged || is_free {
            return Ok(());
        }
        Err(told::UNJUDGED.to_owned())
    }

    fn works(&self, session: &str) -> Result<(), String> {
        let mut state = self.state();
        let prompted = state.prompted.get(session).copied();
        if state.place(session).is_none_or(|place| place.heard_of(session, prompted)) {
            return Ok(());
        }
        state.unheard.insert(session.to_owned());
        Err(told::UNHEARD.to_owned())
    }

    fn look(&self, put: &[String]) -> Look {
        let mut state = self.state();
        let mut look = Look::default();
        for place in state.places.values_mut() {
            look.questions.extend(place.handed());
        }
        look.over =
            put.iter().filter(|id| state.places.values().all(|place| place.is_over(id))).cloned().collect();
        look
    }

    fn answer(&self, question: &str, said: &Said) {
        let state = self.state();
        let by = format!("the prompt of {}", inert::line(state.editor()));
        let answer = match said {
            Said::Yes => Answer::Approve { by },
            Said::No(why) => Answer::Reject { by, feedback: why.map(str::to_owned) },
            Said::Nobody(why) => {
                let by = NoPerson::Editor.name().to_owned();
                Answer::Reject { by, feedback: Some((*why).to_owned()) }
            }
        };
        let failed: Vec<String> =
            state.places.values().filter_map(|place| place.answer(question, &answer)).collect();
        drop(state);
        failed.iter().for_each(|why| self.tell(why));
    }

    fn was_let_through(&self, asked: Asked<'_>, turns: &[String]) -> bool {
        let call = asked.params.get("toolCall").and_then(|call| call.get("toolCallId"));
        let Some(call) = call.and_then(Value::as_str) else { return false };
        let state = self.state();
        let root = |session: &str| state.sessions.get(session);
        let is_other = |session: &str| session != asked.session && root(session).is_some();
        let is_only = !turns.iter().any(|turn| is_other(turn) && root(turn) == root(asked.session));
        let since = state.prompted.get(asked.session).copied().filter(|_| is_only);
        let is_its = |pending: &PendingCall| {
            let by = pending.actor.session.as_str();
            by == asked.session || (!is_other(by) && since.is_some_and(|since| pending.at >= since))
        };
        state.place(asked.session).is_some_and(|place| place.was_let_through(call, is_its))
    }

    fn may_write(&self, asked: Asked<'_>) -> Result<(), String> {
        let text = |key: &str| asked.params.get(key).and_then(Value::as_str);
        let (Some(path), Some(content)) = (text("path"), text("content")) else {
            return Err("the file or its text is not named".to_owned());
        };
        let Some(path) = resolved(Path::new(path)) else {
            return Err("it cannot be said where the path leads".to_owned());
        };
        let around = self.governed(path.parent().unwrap_or(&path));
        let around = around.map_err(|error| told::unknown(&path.display().to_string(), &error))?;
        if let Some(site) = around {
            return Place::may_write(&site, &path, content);
        }
        // A repository that nobody governs, below the one in which the session works, is no way around it.
        match self.state().place(asked.session) {
            Some(place) if place.holds(&path) => Place::may_write(place.site(), &path, content),
            _ => Ok(()),
        }
    }

    fn tell(&self, text: &str) {
        let text = inert::line(&format!("bailiwick acp: {text}"));
        let _ = writeln!(std::io::stderr().lock(), "{text}");
    }
}

/// Where a path leads, through links. Nothing for a relative one, a link to nothing, or one that goes back behind what is
/// not there.
fn resolved(path: &Path) -> Option<PathBuf> {
    let is_there = |ancestor: &&Path| ancestor.canonicalize().is_ok();
    let there = path.ancestors().filter(|_| path.is_absolute()).find(is_there)?;
    let rest = path.strip_prefix(there).ok()?;
    let is_plain = rest.components().all(|part| matches!(part, Component::Normal(_)));
    let next = rest.components().next().map(|part| there.join(part));
    let is_link = next.is_some_and(|next| next.is_symlink());
    let real = there.canonicalize().ok().filter(|_| is_plain && !is_link)?;
    Some(if rest.as_os_str().is_empty() { real } else { real.join(rest) })
}
