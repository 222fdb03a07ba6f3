//! Which texts of a call are paths, told by where they lead.

use std::collections::BTreeSet;

use bailiwick_domain::{ActorState, Classification, Location, Settings, ToolCall, WorkspacePath};
use bailiwick_policy::protection::{self, Protection};
use bailiwick_policy::{Candidate, IgnoreFact, Led, MOST_PATHS, RequestedTarget, Targets, Unreadable};

use super::{Gathering, understand};

/// Each text is looked up, so a call with more of them is not looked at.
const MOST_TEXTS: usize = 4096;

impl Gathering<'_> {
    /// Makes targets of those texts that count as paths; why there are more than is looked at, if there are.
    pub(super) async fn weigh_texts(
        &self,
        call: &ToolCall,
        actor: &ActorState,
        class: Classification,
        settings: &Settings,
        targets: &mut Targets,
    ) -> Option<Unreadable> {
        let candidates: BTreeSet<Candidate> = std::mem::take(&mut targets.candidates).into_iter().collect();
        if candidates.is_empty() {
            return None;
        }
        if candidates.len() > MOST_TEXTS {
            let why = format!("the call has more than {MOST_TEXTS} texts that may be paths");
            return Some(Unreadable::TooLarge(why));
        }
        let access = bailiwick_policy::access_of(class);
        let guards = Guards {
            settings,
            ignore: understand(self.policy.ignore().await),
            actor,
            reading: !access.mutates(),
            folds_case: self.workspace.folds_case(),
        };
        for candidate in candidates {
            let Some(path) = self.path_in(&candidate, call.cwd.as_deref(), &guards).await else { continue };
            if targets.paths.len() >= MOST_PATHS {
                let why = format!("the call names more than {MOST_PATHS} paths");
                return Some(Unreadable::TooLarge(why));
            }
            targets.paths.push(RequestedTarget::new(path, access));
        }
        None
    }

    /// The path that a text counts as.
    async fn path_in(&self, text: &Candidate, cwd: Option<&str>, guards: &Guards<'_>) -> Option<String> {
        for spelling in text.spellings() {
            let location = self.workspace.locate(&spelling, cwd).await;
            let is_guarded = guards.guard(&location);
            let mut led = Led { location: &location, is_guarded, is_there: false, folder_is_there: false };
            if is_guarded || text.looks() {
                led.is_there = self.workspace.is_there(&location).await;
                led.folder_is_there = led.is_there || self.has_folder(&spelling, cwd).await;
            }
            if text.counts(&spelling, guards.reading, &led) {
                return Some(spelling);
            }
        }
        None
    }

    /// Whether the folder is there in which a path is.
    async fn has_folder(&self, path: &str, cwd: Option<&str>) -> bool {
        match path.rsplit_once('/') {
            None | Some(("", _)) => true,
            Some((folder, _)) => {
                let location = self.workspace.locate(folder, cwd).await;
                self.workspace.is_there(&location).await
            }
        }
    }
}

/// What keeps a place whatever a scope says.
struct Guards<'a> {
    settings: &'a Settings,
    ignore: IgnoreFact,
    actor: &'a ActorState,
    reading: bool,
    folds_case: bool,
}

impl Guards<'_> {
    fn guard(&self, location: &Location) -> bool {
        let path = match location {
            Location::Inside(path) => path,
            Location::Outside(path) => return protection::of_reading_outside(path).is_some(),
            _ => return false,
        };
        protection::of_reading(path, self.settings).is_some()
            || matches!(protection::of_change(path, self.settings), Protection::Protected(_))
            || self.hides(path)
    }

    fn hides(&self, path: &WorkspacePath) -> bool {
        let rules = match &self.ignore {
            IgnoreFact::Absent => return false,
            IgnoreFact::Invalid(_) => return true,
            IgnoreFact::Rules(rules) => rules,
        };
        let intent = self.actor.active.as_ref().map(|active| &active.id);
        rules.forbids_place(path, intent, self.reading, self.folds_case).is_some()
    }
}
