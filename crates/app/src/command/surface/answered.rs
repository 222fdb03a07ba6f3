//! What was answered, page by page, with the entry of the ledger that came of each yes; and taking such an entry back.
//!
//! Answers are known for as long as the queue keeps them, about a day. Deliberately absent: how a change is put back
//! (`crate::restore`), and how anything looks.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use bailiwick_adapters_fs::{FsApprovalQueue, SystemClock};
use bailiwick_domain::{
    Approval, ApprovalId, ApprovalQueue, ApprovalStatus, Clock, ContentHash, LedgerQuery, LedgerReader,
    Order, Origin, RepoPath, StoredEntry, Timestamp,
};
use pollster::block_on;

use crate::command::CommandError;
use crate::command::history::restore;
use crate::command::trace::reader_of;
use crate::compose::{persons_gate, restorer};
use crate::counted::counted;
use crate::restore::{RestorePlan, Restorer, Wanted};
use crate::site::Site;

/// So many answers are a page.
const PAGE: usize = 20;

/// A request that was answered.
#[derive(Clone, Debug)]
pub(super) struct Answered {
    pub(super) approval: Approval,
    /// The newest entry of what was done with the yes that was not taken back whole; the newest where all were.
    pub(super) entry: Option<String>,
    /// How much of what was done was taken back.
    pub(super) undone: Undone,
}

/// How much of what was done with a yes was taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undone {
    Nothing,
    Part,
    Whole,
}

/// What was answered, the newest first, behind this request; and whether there is more.
pub(super) fn page(site: &Site, before: Option<&str>) -> Result<(Vec<Answered>, bool), CommandError> {
    let mut all = block_on(FsApprovalQueue::new(site.layout.clone()).list())?;
    let now = SystemClock.now();
    all.retain(|approval| moment(approval, now).is_some());
    all.sort_by_key(|approval| Reverse((moment(approval, now), approval.id.clone())));
    let behind = |id: &str| all.iter().position(|approval| approval.id.0 == id).map(|at| at + 1);
    // One that is forgotten by now has nothing behind it that is not.
    let from = before.map_or(0, |id| behind(id).unwrap_or(all.len()));
    let shown: Vec<Approval> = all.iter().skip(from).take(PAGE).cloned().collect();
    let more = all.len() > from.saturating_add(PAGE);
    let done = Done::with(&shown, site)?;
    let answered = shown.into_iter().map(|approval| done.of(approval)).collect();
    Ok((answered, more))
}

/// When it was answered, the yes used, or its time over; nothing while somebody can still answer.
pub(super) fn moment(approval: &Approval, now: Timestamp) -> Option<Timestamp> {
    match &approval.status {
        ApprovalStatus::Open if approval.expires <= now => Some(approval.expires),
        ApprovalStatus::Approved { at, .. }
        | ApprovalStatus::Void { at, .. }
        | ApprovalStatus::Rejected { at, .. }
        | ApprovalStatus::Used { at, .. }
        | ApprovalStatus::NotRun { at } => Some(*at),
        ApprovalStatus::Open | ApprovalStatus::WithHost { .. } => None,
    }
}

/// An entry with the files that it changed.
type Changed = (String, BTreeSet<RepoPath>);

/// What the ledger has of some answers.
#[derive(Debug, Default)]
struct Done {
    /// The entries of each yes, the newest first.
    entries: BTreeMap<ApprovalId, Vec<Changed>>,
    /// The files that were put back as they were before an entry.
    restored: BTreeMap<String, BTreeSet<RepoPath>>,
}

impl Done {
    /// Looks only at entries that are younger than the oldest of the questions.
    fn with(answers: &[Approval], site: &Site) -> Result<Self, CommandError> {
        let mut done = Self::default();
        let Some(since) = answers.iter().map(|approval| approval.created).min() else { return Ok(done) };
        let wanted: BTreeSet<&ApprovalId> = answers.iter().map(|approval| &approval.id).collect();
        let query =
            LedgerQuery { order: Order::NewestFirst, without_records: true, ..LedgerQuery::default() };
        let mut take = |stored: StoredEntry| {
            let entry = stored.entry;
            if entry.timestamp < since {
                return ControlFlow::Break(());
            }
            let is_own = !matches!(stored.origin, Origin::Segment(_)) && stored.is_from_here;
            let files = || entry.files.iter().map(|file| file.path.clone());
            if !is_own {
                return ControlFlow::Continue(());
            }
            if let Some(restores) = &entry.context.restores {
                for one in &restores.entries {
                    done.restored.entry(one.clone()).or_default().extend(files());
                }
            } else if let Some(id) = entry.context.approval.as_ref().filter(|id| wanted.contains(id)) {
                done.entries.entry(id.clone()).or_default().push((entry.id.clone(), files().collect()));
            }
            ControlFlow::Continue(())
        };
        reader_of(site).visit(&query, &mut take)?;
        Ok(done)
    }

    fn of(&self, approval: Approval) -> Answered {
        let entries = self.entries.get(&approval.id).map(Vec::as_slice).unwrap_or_default();
        let stands = entries.iter().find(|changed| self.undone(changed) != Undone::Whole);
        let undone = match stands {
            None if entries.is_empty() => Undone::Nothing,
            None => Undone::Whole,
            Some(_) if entries.iter().all(|changed| self.undone(changed) == Undone::Nothing) => {
                Undone::Nothing
            }
            Some(_) => Undone::Part,
        };
        let entry = stands.or(entries.first()).map(|(id, _)| id.clone());
        Answered { approval, entry, undone }
    }

    fn undone(&self, (entry, files): &Changed) -> Undone {
        match self.restored.get(entry) {
            None => Undone::Nothing,
            Some(restored) if files.is_subset(restored) => Undone::Whole,
            Some(_) => Undone::Part,
        }
    }
}

/// What taking an entry back would do, and the name of exactly that.
pub(super) fn plan(site: &Site, entry: &str) -> Result<(RestorePlan, String), CommandError> {
    let gate = persons_gate(site);
    planned(&restorer(site, &gate), entry)
}

fn planned(restorer: &Restorer<'_>, entry: &str) -> Result<(RestorePlan, String), CommandError> {
    block_on(restorer.settle()).map_err(other)?;
    let plan = block_on(restorer.plan(&Wanted::Call(entry.to_owned()), &[])).map_err(other)?;
    let named = named(&plan);
    Ok((plan, named))
}

/// Takes an entry back as it was shown, all of it, as this person's change.
pub(super) fn take_back(site: &Site, entry: &str, shown: &str, by: &str) -> Result<String, CommandError> {
    let gate = persons_gate(site);
    let restorer = restorer(site, &gate);
    let (plan, named) = planned(&restorer, entry)?;
    if named != shown {
        return Err(CommandError::Other(
            "the files changed since they were shown; look at them again".into(),
        ));
    }
    if let Some(obstacle) = plan.obstacles.first() {
        let why = format!("nothing was put back: {} {}", obstacle.path, obstacle.why);
        return Err(CommandError::Other(why));
    }
    if plan.files.is_empty() {
        return Err(CommandError::Other("there is nothing to put back".to_owned()));
    }
    block_on(restorer.restore(&plan, by)).map_err(other)?;
    Ok(format!("{} put back, and recorded as your change", counted(plan.files.len(), "file", "files")))
}

/// Names a plan: what would change, secrets and all, and what cannot. The contents stand for their difference, which may
/// be long.
fn named(plan: &RestorePlan) -> String {
    let files = plan.files.iter().map(|file| {
        let hash = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(|bytes| ContentHash::of(bytes).to_string());
        let (now, then) = (hash(&file.now_bytes), hash(&file.then));
        format!("{} {} {now:?} {then:?}", restore::word(file), file.path)
    });
    let stays = plan.obstacles.iter().map(|obstacle| format!("{}: {}", obstacle.path, obstacle.why));
    let all: Vec<String> = files.chain(stays).collect();
    ContentHash::of(all.join("\n").as_bytes()).to_string()
}

fn other(error: impl ToString) -> CommandError {
    CommandError::Other(error.to_string())
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::testing::sample;

    use super::*;

    fn changed(entry: &str, files: &[&str]) -> Changed {
        (entry.to_owned(), files.iter().map(|file| RepoPath::new(file).unwrap()).collect())
    }

    /// What is said of a yes with these entries, the newest first, after these files were put back.
    fn said(entries: &[Changed], restored: &[Changed]) -> (Option<String>, Undone) {
        let now = sample::now();
        let id = ApprovalId("ap-1".to_owned());
        let approval = Approval {
            id: id.clone(),
            request: sample::request("one"),
            created: now,
            expires: now,
            status: ApprovalStatus::Used { by: "dana".to_owned(), at: now },
            amended: None,
        };
        let entries = [(id, entries.to_vec())].into_iter().filter(|(_, of)| !of.is_empty()).collect();
        let answered = Done { entries, restored: restored.iter().cloned().collect() }.of(approval);
        (answered.entry, answered.undone)
    }

    #[test]
    fn of_several_entries_the_newest_that_still_stands_is_taken_back() {
        let [new, old] = [changed("new", &["a", "b"]), changed("old", &["c"])];
        let both = [new.clone(), old.clone()];
        let at = |entry: &str, undone| (Some(entry.to_owned()), undone);
        assert_eq!(said(&[], &[]), (None, Undone::Nothing));
        assert_eq!(said(&both, &[]), at("new", Undone::Nothing));
        assert_eq!(said(&both, &[changed("new", &["b"])]), at("new", Undone::Part), "a file of it");
        assert_eq!(said(&both, &[changed("old", &["c"])]), at("new", Undone::Part));
        assert_eq!(said(&both, std::slice::from_ref(&new)), at("old", Undone::Part));
        assert_eq!(said(&both, &[new, old]), at("new", Undone::Whole));
    }
}
