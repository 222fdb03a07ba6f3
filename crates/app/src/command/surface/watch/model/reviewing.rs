//! The review of a grant on the screen: its files, which of them go back, and the choice that is still to be
//! confirmed.

use std::collections::BTreeSet;
use std::time::Instant;

use bailiwick_domain::{GrantId, RepoPath};

use super::{Effect, Key, Mode, Model};
use crate::command::surface::ReviewItem;

/// Where a person is in a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::command::surface::watch) struct Reviewing {
    pub(in crate::command::surface::watch) grant: GrantId,
    /// The chosen file.
    pub(in crate::command::surface::watch) at: usize,
    /// The files that shall go back.
    pub(in crate::command::surface::watch) back: BTreeSet<RepoPath>,
    /// What a `y` does; `None` while nothing is asked.
    pub(in crate::command::surface::watch) asked: Option<Asked>,
}

/// A question for the last word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::command::surface::watch) struct Asked {
    /// The change that was shown with it.
    shown: String,
    /// The files that go back.
    pub(in crate::command::surface::watch) back: Vec<RepoPath>,
}

impl Model {
    /// Opens the review of the grant that has waited longest.
    pub(super) fn begin_review(&mut self, at: Instant) {
        match self.reviews.first().map(|item| item.grant.id) {
            Some(id) => self.open_review(id, at),
            None => self.note = Some("no grant waits for a review".to_owned()),
        }
    }

    fn open_review(&mut self, grant: GrantId, at: Instant) {
        self.scroll = 0;
        self.shown_since = Some(at);
        self.mode = Mode::Reviewing(Reviewing { grant, at: 0, back: BTreeSet::new(), asked: None });
    }

    /// The review that is open, with what it is about.
    pub(in crate::command::surface::watch) fn reviewed(&self) -> Option<(&Reviewing, &ReviewItem)> {
        let Mode::Reviewing(state) = &self.mode else { return None };
        let item = self.reviews.iter().find(|item| item.grant.id == state.grant)?;
        Some((state, item))
    }

    /// A review ends when its grant waits no more.
    pub(super) fn end_reviewing(&mut self) {
        if matches!(self.mode, Mode::Reviewing(_)) && self.reviewed().is_none() {
            self.mode = Mode::Reading;
            self.scroll = 0;
        }
    }

    /// A key in a review; only a `y` that is no slip does anything.
    pub(super) fn review(&mut self, mut state: Reviewing, key: Key, at: Instant) -> Vec<Effect> {
        let Some(item) = self.reviews.iter().find(|item| item.grant.id == state.grant).cloned() else {
            return Vec::new();
        };
        if let Some(asked) = state.asked.take() {
            return self.confirm_review(state, asked, key, at);
        }
        let all: Vec<RepoPath> = item.files.iter().map(|file| file.path.clone()).collect();
        match key {
            Key::Escape | Key::Char('q') => {
                self.scroll = 0;
                return Vec::new();
            }
            Key::Char('v') => {
                let next =
                    self.reviews.iter().position(|other| other.grant.id == state.grant).unwrap_or(0) + 1;
                let next = self.reviews.get(next).or(self.reviews.first()).map(|other| other.grant.id);
                self.open_review(next.unwrap_or(state.grant), at);
                return Vec::new();
            }
            Key::Char('a') => {
                let back = in_order(&all, &state.back);
                self.ask_review(&mut state, &item, back, at);
            }
            Key::Char('r') => self.ask_review(&mut state, &item, all, at),
            Key::Char(' ') => self.mark_file(&mut state, &item),
            Key::Char('j') | Key::Down => state.at = (state.at + 1).min(all.len().saturating_sub(1)),
            Key::Char('k') | Key::Up => state.at = state.at.saturating_sub(1),
            _ => self.leaf(key),
        }
        self.mode = Mode::Reviewing(state);
        Vec::new()
    }

    /// Asks for the last word, unless one of the files cannot go back.
    fn ask_review(&mut self, state: &mut Reviewing, item: &ReviewItem, back: Vec<RepoPath>, at: Instant) {
        let stays = item.files.iter().find(|file| file.obstacle.is_some() && back.contains(&file.path));
        match stays {
            Some(file) => {
                let why = file.obstacle.clone().unwrap_or_default();
                self.note = Some(format!("{} cannot be put back: {why}", file.path));
            }
            None => {
                state.asked = Some(Asked { shown: item.shown.clone(), back });
                self.shown_since = Some(at);
            }
        }
    }

    fn mark_file(&mut self, state: &mut Reviewing, item: &ReviewItem) {
        let Some(file) = item.files.get(state.at) else { return };
        if let Some(why) = &file.obstacle {
            self.note = Some(format!("{} cannot be put back: {why}", file.path));
        } else if !state.back.remove(&file.path) {
            state.back.insert(file.path.clone());
        }
    }

    fn confirm_review(&mut self, state: Reviewing, asked: Asked, key: Key, at: Instant) -> Vec<Effect> {
        match key {
            Key::Char('y') if self.slipped(at) => {
                self.note = Some(super::TOO_FAST.to_owned());
                self.mode = Mode::Reviewing(Reviewing { asked: Some(asked), ..state });
                Vec::new()
            }
            Key::Char('y') => {
                self.scroll = 0;
                vec![Effect::Review { grant: state.grant, shown: asked.shown, back: asked.back }]
            }
            _ => {
                self.note = Some("the review stays open".to_owned());
                self.mode = Mode::Reviewing(state);
                Vec::new()
            }
        }
    }
}

/// The marked files, in the order of the list.
fn in_order(all: &[RepoPath], marked: &BTreeSet<RepoPath>) -> Vec<RepoPath> {
    all.iter().filter(|path| marked.contains(*path)).cloned().collect()
}
