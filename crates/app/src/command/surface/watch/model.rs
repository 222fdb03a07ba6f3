//! What the screen is about, as plain state: the requests, which one is shown, what is marked, an answer in progress.
//!
//! Keys and news go in, effects come out. Deliberately absent: the terminal, the queue, and how anything looks.

mod broad;
mod granting;
mod reviewing;
mod trusting;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bailiwick_domain::{
    Amended, Answer, ApprovalId, Breadth, Grant, GrantId, Pause, RepoPath, Timestamp, TrustedCommand,
};

use crate::command::answers::approval::WITH_HOST;
use crate::command::answers::asked;
use crate::command::answers::breadth::Twice;
use crate::command::judged::Trouble;
use crate::command::surface::{Agent, Done, Item, ReviewItem, Snapshot};
use crate::review::Review;

pub(super) use broad::{Broad, KEY as BROAD_KEY};
pub(super) use reviewing::Reviewing;

/// An approval within this time after a request came up is a slip or a held key: nobody has read the request.
pub(super) const SLIP: Duration = Duration::from_millis(250);

/// How long a notice stays under the screen while nothing else happens.
const NOTICE: Duration = Duration::from_secs(10);

/// What a key that came within that time says.
const TOO_FAST: &str = "Too fast: press again to confirm";

/// What the keys mean at the moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Reading and choosing.
    Reading,
    /// A yes to several requests waits for a `y`.
    Confirming(Vec<ApprovalId>),
    /// A line of feedback is written for these requests before they are rejected.
    Feedback(Vec<ApprovalId>, String),
    /// A draft that was edited waits for a `y`: what it became, and the change of the intents file that it is.
    Accepting(ApprovalId, Amended, Arc<Review>, Option<Breadth>),
    /// A broad scope waits for its own key.
    Broad(Broad),
    /// The line of bounds of a grant in answer to this request is edited.
    Granting(ApprovalId, String),
    /// One of these grants may be revoked.
    Revoking(Vec<GrantId>),
    /// A grant that is over is looked at.
    Reviewing(Reviewing),
    /// The command of this request may be allowed from now on.
    Trusting(ApprovalId, TrustedCommand),
    /// The keys are explained.
    Help,
}

/// What the loop shall do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Answer(ApprovalId, Answer),
    /// Allows a command from now on, and approves the request that it stands in.
    Allow(ApprovalId, TrustedCommand),
    /// Says why this line of a request cannot be allowed.
    Explain(String),
    /// Ends a grant before its time.
    Revoke(GrantId),
    /// Puts these files of a grant back, keeps the others, and writes the review down.
    Review {
        grant: GrantId,
        shown: String,
        back: Vec<RepoPath>,
    },
    /// Opens the draft of this request in an editor.
    Edit(ApprovalId),
    /// Something new waits: ring and notify where that is wanted.
    Announce(String),
    Quit,
}

/// A key, as far as the screen knows keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Char(char),
    Enter,
    Escape,
    Backspace,
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    End,
    /// Control and C.
    Interrupt,
}

/// How far a screen reaches, as the last drawing found it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Measured {
    /// The rows of the shown request.
    pub(super) rows: usize,
    /// The rows that there is room for.
    pub(super) room: usize,
}

/// All that the screen shows.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) root: String,
    pub(super) by: String,
    pub(super) requests: Vec<Item>,
    pub(super) agents: Vec<Agent>,
    pub(super) grants: Vec<Grant>,
    pub(super) reviews: Vec<ReviewItem>,
    pub(super) done: Vec<Done>,
    pub(super) running: usize,
    pub(super) pause: Option<Pause>,
    pub(super) trouble: Option<Trouble>,
    pub(super) now: Timestamp,
    pub(super) mode: Mode,
    pub(super) marked: BTreeSet<ApprovalId>,
    pub(super) looked_at: BTreeSet<ApprovalId>,
    pub(super) scroll: usize,
    /// The request fills the screen, and the arrows scroll it.
    pub(super) whole: bool,
    /// Unchanged lines are shown even where the change is longer than the screen.
    pub(super) context: bool,
    pub(super) rings: bool,
    pub(super) note: Option<String>,
    /// The screen is printed once, so no agent waits for it.
    pub(super) is_printed: bool,
    /// The notice that the last look found, and since when it stands.
    noticed: Option<(String, Instant)>,
    chosen: Option<ApprovalId>,
    shown_since: Option<Instant>,
    measured: Measured,
    known: BTreeSet<ApprovalId>,
}

impl Model {
    /// A screen of this root, for this person, with nothing on it yet.
    pub(super) fn new(root: String, by: String, rings: bool) -> Self {
        Self {
            root,
            by,
            requests: Vec::new(),
            agents: Vec::new(),
            grants: Vec::new(),
            reviews: Vec::new(),
            done: Vec::new(),
            running: 0,
            pause: None,
            trouble: None,
            now: Timestamp::from_unix_ms(0),
            mode: Mode::Reading,
            marked: BTreeSet::new(),
            looked_at: BTreeSet::new(),
            scroll: 0,
            whole: false,
            context: false,
            rings,
            note: None,
            is_printed: false,
            noticed: None,
            chosen: None,
            shown_since: None,
            measured: Measured::default(),
            known: BTreeSet::new(),
        }
    }

    /// The request that is shown.
    pub(super) fn shown(&self) -> Option<&Item> {
        self.requests.get(self.position()?)
    }

    /// Where the shown request is in the list.
    pub(super) fn position(&self) -> Option<usize> {
        self.requests.iter().position(|item| Some(item.id()) == self.chosen.as_ref())
    }

    /// Takes over what was found; says when something new waits.
    pub(super) fn refresh(&mut self, found: Snapshot, at: Instant) -> Vec<Effect> {
        let before = self.position();
        let Snapshot { requests, agents, grants, reviews, done, running, pause, trouble, now } = found;
        (self.requests, self.agents, self.running, self.now) = (requests, agents, running, now);
        (self.grants, self.reviews, self.done) = (grants, reviews, done);
        (self.pause, self.trouble) = (pause, trouble);
        self.end_reviewing();
        let waits: BTreeSet<ApprovalId> = self.requests.iter().map(|item| item.id().clone()).collect();
        self.marked.retain(|id| waits.contains(id));
        self.looked_at.retain(|id| waits.contains(id));
        // What is open beside the queue keeps its place while the queue stays empty.
        if self.position().is_none() && (self.chosen.is_some() || !self.requests.is_empty()) {
            let last = self.requests.len().checked_sub(1);
            self.choose(last.map(|last| before.unwrap_or(0).min(last)), at);
        }
        let news = waits.difference(&self.known).count();
        self.drop_notice(news > 0, at);
        self.end_answers(&waits);
        self.known = waits;
        if news == 0 { Vec::new() } else { vec![Effect::Announce(self.announcement(news))] }
    }

    /// A notice goes when something new waits, for which it was not said, or after a while.
    fn drop_notice(&mut self, has_news: bool, at: Instant) {
        let since = match (&self.note, &self.noticed) {
            (Some(note), Some((known, since))) if note == known => Some(*since),
            _ => None,
        };
        if since.is_some_and(|since| has_news || at.saturating_duration_since(since) >= NOTICE) {
            self.note = None;
        }
        self.noticed = self.note.clone().map(|note| (note, since.unwrap_or(at)));
    }

    /// An answer in progress ends when what it is about waits no more.
    fn end_answers(&mut self, waits: &BTreeSet<ApprovalId>) {
        if let Mode::Accepting(id, ..)
        | Mode::Granting(id, _)
        | Mode::Trusting(id, _)
        | Mode::Broad(Broad { id, .. }) = &self.mode
            && !waits.contains(id)
        {
            self.mode = Mode::Reading;
            self.note = Some("that request no longer waits".to_owned());
        }
        let (Mode::Confirming(ids) | Mode::Feedback(ids, _)) = &mut self.mode else { return };
        let asked = ids.len();
        ids.retain(|id| waits.contains(id));
        if ids.is_empty() {
            self.mode = Mode::Reading;
            self.note = Some("that request no longer waits".to_owned());
        } else if ids.len() < asked {
            self.note = Some(format!("{} of them no longer wait", asked - ids.len()));
        }
    }

    /// Who asks, without any text that an agent chose.
    fn announcement(&self, news: usize) -> String {
        let newest = self.requests.last().map(|item| item.approval.request.actor.host.clone());
        let host: String =
            newest.unwrap_or_default().chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        match (news, self.requests.len()) {
            (1, 1) => format!("{host} asks"),
            (_, waiting) => format!("{host} asks; {waiting} requests wait"),
        }
    }

    /// Remembers how far the shown request reaches.
    pub(super) fn measure(&mut self, measured: Measured) {
        self.measured = measured;
        self.scroll = self.scroll.min(measured.rows.saturating_sub(measured.room));
    }

    /// What a key does.
    pub(super) fn press(&mut self, key: Key, at: Instant) -> Vec<Effect> {
        self.note = None;
        if key == Key::Interrupt {
            return vec![Effect::Quit];
        }
        match std::mem::replace(&mut self.mode, Mode::Reading) {
            Mode::Reading => return self.read(key, at),
            Mode::Help => {}
            Mode::Accepting(id, draft, change, wide) => {
                return self.accept((id, draft, change, wide), key, at);
            }
            Mode::Broad(asked) => return self.answer_broad(asked, key, at),
            Mode::Granting(id, text) => return self.grant(id, text, key, at),
            Mode::Trusting(id, command) => return self.allow(id, command, key, at),
            Mode::Revoking(ids) => return self.revoke(&ids, key),
            Mode::Reviewing(state) => return self.review(state, key, at),
            Mode::Confirming(ids) => return self.confirm(ids, key, at),
            Mode::Feedback(ids, text) => return self.write(ids, text, key),
        }
        Vec::new()
    }

    fn read(&mut self, key: Key, at: Instant) -> Vec<Effect> {
        match key {
            Key::Char('q') => return vec![Effect::Quit],
            Key::Char('a' | 'e' | 'g' | 'r' | 't') if self.is_with_host() => {
                self.note = Some(WITH_HOST.to_owned())
            }
            Key::Char('a') => return self.approve(at),
            Key::Char('g') => self.offer(at),
            Key::Char('t') => return self.trust(at),
            Key::Char('x') => self.list_grants(),
            Key::Char('v') => self.begin_review(at),
            Key::Char('r') => self.reject(),
            Key::Char('e') => return self.edit(),
            Key::Char('b') => {
                self.rings = !self.rings;
                self.note = Some(if self.rings { "the bell rings" } else { "the bell is silent" }.to_owned());
            }
            Key::Char('?') | Key::Char('h') => self.mode = Mode::Help,
            Key::Char(' ') => self.toggle(at),
            Key::Char('n') => self.step(1, at),
            Key::Char('p') => self.step(-1, at),
            Key::Enter => self.whole = !self.whole && self.shown().is_some(),
            Key::Escape => {
                self.whole = false;
                self.marked.clear();
            }
            Key::Char('j') | Key::Down if self.whole => self.scroll_by(1),
            Key::Char('k') | Key::Up if self.whole => self.scroll_by(-1),
            Key::Char('j') | Key::Down => self.step(1, at),
            Key::Char('k') | Key::Up => self.step(-1, at),
            _ => self.leaf(key),
        }
        Vec::new()
    }

    /// Keys that move through the shown change, wherever one is shown.
    fn leaf(&mut self, key: Key) {
        let page = self.measured.room.saturating_sub(1).max(1);
        match key {
            Key::Char('d') => self.scroll_by(signed(page / 2)),
            Key::Char('u') => self.scroll_by(-signed(page / 2)),
            Key::PageDown | Key::Char('f') => self.scroll_by(signed(page)),
            Key::PageUp => self.scroll_by(-signed(page)),
            Key::Home => self.scroll = 0,
            Key::End => self.scroll_by(signed(self.measured.rows)),
            Key::Char('c') => self.context = !self.context,
            _ => {}
        }
    }

    fn approve(&mut self, at: Instant) -> Vec<Effect> {
        let ids = self.meant();
        if ids.is_empty() {
            return Vec::new();
        }
        if self.slipped(at) {
            self.note = Some(TOO_FAST.to_owned());
            return Vec::new();
        }
        match <[ApprovalId; 1]>::try_from(ids) {
            Ok([id]) => match self.twice_of(&id) {
                Some(twice) => {
                    self.ask_broad(id, None, twice, at);
                    Vec::new()
                }
                None => vec![self.yes(id)],
            },
            Err(ids) => {
                match self.alone(&ids) {
                    Some(why) => self.note = Some(format!("{why}: take its mark off first")),
                    None => {
                        self.mode = Mode::Confirming(ids);
                        self.shown_since = Some(at);
                    }
                }
                Vec::new()
            }
        }
    }

    /// Why these are not approved together: a row of a list does not say what one of them does.
    fn alone(&self, ids: &[ApprovalId]) -> Option<&'static str> {
        let mut items = self.requests.iter().filter(|item| ids.contains(item.id()));
        items.find_map(|item| match &item.approval.request {
            request if request.broad.is_some() => Some("A broad scope is approved by itself"),
            request if asked::has_more_lines(request) => {
                Some("A command of several lines is approved by itself")
            }
            _ if item.review.unseen.is_some() => {
                Some("A change that is not shown whole is approved by itself")
            }
            _ if item.void.is_some() => Some("One of them is void"),
            _ => None,
        })
    }

    fn reject(&mut self) {
        let ids = self.meant();
        if !ids.is_empty() {
            self.mode = Mode::Feedback(ids, String::new());
        }
    }

    /// Only a `y` that is no slip approves.
    fn confirm(&mut self, ids: Vec<ApprovalId>, key: Key, at: Instant) -> Vec<Effect> {
        match key {
            Key::Char('y') if self.slipped(at) => {
                self.note = Some(TOO_FAST.to_owned());
                self.mode = Mode::Confirming(ids);
                Vec::new()
            }
            Key::Char('y') => {
                self.marked.clear();
                ids.into_iter().map(|id| self.yes(id)).collect()
            }
            _ => {
                self.note = Some("nothing is approved".to_owned());
                Vec::new()
            }
        }
    }

    /// Edits the draft that is shown; only a drafted intent and a request for more scope have one.
    fn edit(&mut self) -> Vec<Effect> {
        let Some(item) = self.shown() else { return Vec::new() };
        if item.approval.request.draft.is_some() {
            return vec![Effect::Edit(item.id().clone())];
        }
        self.note = Some("only a drafted intent, or more scope for one, can be edited".to_owned());
        Vec::new()
    }

    /// Asks about a draft as it was edited; a broad one needs its own key after that.
    pub(super) fn ask_about(
        &mut self,
        id: ApprovalId,
        draft: Amended,
        (change, wide): (Arc<Review>, Option<Breadth>),
        at: Instant,
    ) {
        self.scroll = 0;
        self.shown_since = Some(at);
        self.mode = Mode::Accepting(id, draft, change, wide);
    }

    fn accept(
        &mut self,
        (id, draft, change, wide): (ApprovalId, Amended, Arc<Review>, Option<Breadth>),
        key: Key,
        at: Instant,
    ) -> Vec<Effect> {
        match (key, wide) {
            (Key::Char('y'), _) if self.slipped(at) => {
                self.note = Some(TOO_FAST.to_owned());
                self.mode = Mode::Accepting(id, draft, change, wide);
                Vec::new()
            }
            (Key::Char('y'), Some(wide)) => {
                self.ask_broad(id, Some(draft), Twice::Broad(wide), at);
                Vec::new()
            }
            (Key::Char('y'), None) => vec![Effect::Answer(id, Answer::Amend { by: self.by.clone(), draft })],
            _ => {
                self.note = Some("nothing is accepted; the request stays open".to_owned());
                Vec::new()
            }
        }
    }

    fn write(&mut self, ids: Vec<ApprovalId>, mut text: String, key: Key) -> Vec<Effect> {
        match key {
            Key::Enter => {
                self.marked.clear();
                let said = text.trim();
                let feedback = (!said.is_empty()).then(|| said.to_owned());
                let no = || Answer::Reject { by: self.by.clone(), feedback: feedback.clone() };
                return ids.into_iter().map(|id| Effect::Answer(id, no())).collect();
            }
            Key::Escape => {
                self.note = Some("nothing is rejected".to_owned());
                return Vec::new();
            }
            Key::Backspace => drop(text.pop()),
            Key::Char(c) if !c.is_control() => text.push(c),
            _ => {}
        }
        self.mode = Mode::Feedback(ids, text);
        Vec::new()
    }

    /// Text from the clipboard: feedback where feedback is written, else nothing at all, so that no pasted letter
    /// answers a request.
    pub(super) fn paste(&mut self, text: &str) {
        if let Mode::Feedback(_, line) = &mut self.mode {
            line.extend(text.chars().map(|c| if c.is_control() { ' ' } else { c }));
        }
    }

    fn yes(&self, id: ApprovalId) -> Effect {
        Effect::Answer(id, Answer::Approve { by: self.by.clone() })
    }

    /// The marked requests, in the order of the list; else the shown one.
    fn meant(&self) -> Vec<ApprovalId> {
        let here = self.requests.iter().filter(|item| !item.approval.is_with_host());
        let marked = here.map(Item::id).filter(|id| self.marked.contains(*id));
        let ids: Vec<ApprovalId> = marked.cloned().collect();
        if ids.is_empty() { self.chosen.iter().cloned().collect() } else { ids }
    }

    /// Whether the request that an answer would be about is one that only the host's own prompt can answer.
    pub(super) fn is_with_host(&self) -> bool {
        let is_marked = |item: &Item| self.marked.contains(item.id()) && !item.approval.is_with_host();
        !self.requests.iter().any(is_marked) && self.shown().is_some_and(|item| item.approval.is_with_host())
    }

    fn slipped(&self, at: Instant) -> bool {
        self.shown_since.is_none_or(|since| at.saturating_duration_since(since) < SLIP)
    }

    /// Marks the shown request, or takes the mark off, and goes on to the next.
    fn toggle(&mut self, at: Instant) {
        let Some(id) = self.chosen.clone() else { return };
        if !self.marked.remove(&id) {
            self.marked.insert(id);
        }
        if self.position().is_some_and(|position| position + 1 < self.requests.len()) {
            self.step(1, at);
        }
    }

    fn step(&mut self, by: isize, at: Instant) {
        let Some(position) = self.position() else { return };
        let next = position.saturating_add_signed(by).min(self.requests.len().saturating_sub(1));
        if next != position {
            self.choose(Some(next), at);
        }
    }

    fn choose(&mut self, position: Option<usize>, at: Instant) {
        self.chosen = position.and_then(|position| self.requests.get(position)).map(|item| item.id().clone());
        self.looked_at.extend(self.chosen.clone());
        self.shown_since = self.chosen.is_some().then_some(at);
        self.scroll = 0;
        self.whole = self.whole && self.chosen.is_some();
    }

    fn scroll_by(&mut self, rows: isize) {
        let end = self.measured.rows.saturating_sub(self.measured.room);
        self.scroll = self.scroll.saturating_add_signed(rows).min(end);
    }
}

fn signed(rows: usize) -> isize {
    isize::try_from(rows).unwrap_or(isize::MAX)
}
